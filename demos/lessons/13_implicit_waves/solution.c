/* Solution of exercise 13: how much the two-level scheme damps one mode, measured, and by the
 * formula. */
#include "lesson.h"

/* Points along a side, the centres of cells; fixed edges lie half a step outside. */
enum { SIDE = 32, N = SIDE * SIDE, STEPS = 6 };

int main(int argc, char **argv) {
  static float mode[N];
  clContext *context = lessonBegin(argc, argv);
  const double h = 1. / SIDE, dt = 3 * h, pi = acos(-1);
  const clWaveEdge fixed = TEXLA_WAVE_EDGE_FIXED;
  for (int k = 1; k <= 9; k += 4) {
    clWave *wave;
    clVector *v;
    clFloat *s;
    float a[STEPS];
    for (int i = 0; i < N; i++)
      mode[i] = (float)(sin(k * pi * (i % SIDE + 0.5) * h) * sin(pi * (i / SIDE + 0.5) * h));
    OK(clWaveCreate(&wave, context,
                    &(clWaveOptions){.nx = SIDE,
                                     .ny = SIDE,
                                     .h = h,
                                     .dt = dt,
                                     .edge = {fixed, fixed, fixed, fixed},
                                     .scheme = TEXLA_WAVE_CRANK_NICOLSON,
                                     .tolerance = 1e-6}));
    OK(clWaveUpload(wave, mode, NULL));
    OK(clVectorCreateGrid(&v, context, SIDE, SIDE));
    OK(clVectorUpload(v, mode));
    OK(clFloatCreate(&s, context));
    /* how much of the mode is in the water */
    for (int t = 0; t < STEPS; t++) {
      OK(clVectorDot(s, v, clWaveHeight(wave)));
      OK(clFloatDownload(s, &a[t]));
      OK(clWaveStep(wave, 1));
    }
    /* An oscillation a_t = c r^t cos(w t + f) has a_t^2 - a_(t-1) a_(t+1) = c^2 r^(2t) sin^2 w:
     * the quotient of two of them is r^2, whatever its phase. */
    double before = (double)(a[2] * a[2] - a[1] * a[3]),
           after = (double)(a[3] * a[3] - a[2] * a[4]);
    double eigenvalue = 4 - 2 * cos(k * pi * h) - 2 * cos(pi * h), alpha = dt * dt / (h * h) / 2;
    double measured = sqrt(after / before), formula = 1 / sqrt(1 + alpha * eigenvalue);
    printf("%d waves across: a step leaves %.4f of the amplitude, by the formula %.4f\n", k,
           measured, formula);
    lessonExpect(fabs(measured - formula) < 2e-3, "the formula tells the damping");
    clWaveDestroy(wave);
    clVectorDestroy(v);
    clFloatDestroy(s);
  }
  return lessonEnd();
}
