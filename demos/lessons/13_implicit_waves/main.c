/* Lesson 13: waves, explicit and implicit; an average that damps, and one that does not. */
#include "lesson.h"

/* Points along a side; looks at the energy. */
enum { SIDE = 96, SAMPLES = 40 };

/* Energies of a run, at times 2h, 4h, 6h, ... (the waves run at speed 1). */
static void run(clContext *context, clWaveScheme scheme, const char *name, int steps_per_sample,
                double *energy) {
  clWave *wave;
  double h = 1. / SIDE;
  OK(clWaveCreate(
      &wave, context,
      &(clWaveOptions){
          .nx = SIDE, .ny = SIDE, .h = h, .dt = 2 * h / steps_per_sample, .scheme = scheme}));
  OK(clWaveDrop(wave, .3, .35, .05, 1));
  /* the first two levels are the start */
  OK(clWaveStep(wave, 1));
  for (int k = 0; k < SAMPLES; k++) {
    OK(clWaveEnergy(wave, &energy[k]));
    OK(clWaveStep(wave, steps_per_sample));
  }
  /* What the scheme has cost, and what it has kept. */
  clWaveInfo info = clWaveInspect(wave);
  printf("%-15s %4lld steps of %.1f h, %3lld iterations in the last; energy left: %5.1f %%\n", name,
         (long long)info.steps, info.dt / info.h, (long long)info.iterations,
         100 * energy[SAMPLES - 1] / energy[0]);
  lessonPicture(name, clWaveHeight(wave), SIDE, TEXLA_COLORMAP_DIVERGING, -.15f, .15f);
  clWaveDestroy(wave);
}

int main(int argc, char **argv) {
  clContext *context = lessonBegin(argc, argv);
  double explicit_energy[SAMPLES], damped[SAMPLES], conserved[SAMPLES];
  run(context, TEXLA_WAVE_EXPLICIT, "explicit", 4, explicit_energy);
  run(context, TEXLA_WAVE_CRANK_NICOLSON, "two-levels", 1, damped);
  run(context, TEXLA_WAVE_CONSERVING, "three-levels", 1, conserved);
  lessonCurves("energy", "energy over time", NULL, NULL,
               (LessonCurve[]){{"explicit", explicit_energy, SAMPLES},
                               {"implicit, two levels", damped, SAMPLES},
                               {"implicit, three levels", conserved, SAMPLES}},
               3);

  /* an explicit step that is too long is refused */
  clWave *wave;
  clStatus status =
      clWaveCreate(&wave, context, &(clWaveOptions){.nx = SIDE, .ny = SIDE, .dt = 2. / SIDE});
  printf("explicit with 2 h: %s\n", clContextError(context)->message);
  lessonExpect(status == TEXLA_BAD_ARGUMENT, "too long a step is refused");
  lessonExpect(fabs(explicit_energy[SAMPLES - 1] / explicit_energy[0] - 1) < .01,
               "the explicit scheme conserves energy");
  lessonExpect(fabs(conserved[SAMPLES - 1] / conserved[0] - 1) < .01, "three levels conserve it");
  lessonExpect(damped[SAMPLES - 1] < .7 * damped[0], "two levels lose it");
  return lessonEnd();
}
