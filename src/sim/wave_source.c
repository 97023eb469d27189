/* Sources of waves: what a step adds. */
#include "sim/wave.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double turn = 2 * 3.14159265358979323846;

static clStatus checkSource(const clWave *wave, const clWaveSource *s, int k, const char *call) {
  clError *error = txContextError(wave->context);
  const double number[] = {s->x,     s->y,    s->dx, s->dy, s->amplitude, s->frequency,
                           s->phase, s->ramp, s->vx, s->vy, s->orbit,     s->turns};
  for (int n = 0; n < (int)(sizeof number / sizeof *number); n++)
    if (!isfinite((float)number[n]))
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "source %d: its numbers must be finite", k);
  if (!(s->radius > 0) || !isfinite(s->radius) || s->ramp < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "source %d: radius (%g) must be positive and finite, ramp (%g) not negative", k,
                  s->radius, s->ramp);
  if (fabs(s->frequency) * wave->info.dt > 0.5)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "source %d: steps of dt = %g cannot follow frequency %g; at most 1 / (2 dt) = %g",
                  k, wave->info.dt, s->frequency, 0.5 / wave->info.dt);
  return TEXLA_OK;
}

clStatus clWaveSources(clWave *wave, const clWaveSource *source, int count) {
  static const char call[] = "clWaveSources";
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  if (count < 0 || count > TEXLA_WAVE_SOURCES || (count && !source))
    return txFail(txContextError(wave->context), TEXLA_BAD_ARGUMENT, call,
                  "%d sources: 0 to %d, in a list", count, TEXLA_WAVE_SOURCES);
  clStatus status = TEXLA_OK;
  for (int k = 0; k < count && !status; k++)
    status = checkSource(wave, &source[k], k, call);
  char text[400] = "#define PUSHES vec4(0.)";
  for (int k = 0; k < count; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), " + push(line%d, bell%d)", k, k);
  snprintf(text + strlen(text), sizeof text - strlen(text), "\n#include \"wave_force.frag\"\n");
  clKernel *force = NULL;
  if (!status && count)
    status = txWaveKernel(&force, wave, "wave force", text);
  if (status)
    return status;
  clKernelDestroy(wave->force);
  wave->force = force;
  for (int k = 0; k < count; k++)
    wave->source[k] = source[k];
  wave->sources = count;
  return TEXLA_OK;
}

/* amplitude * ramp(t) * cos(...) */
static double strengthAt(const clWaveSource *s, double t) {
  double rise = s->ramp > 0 && t < s->ramp ? sin(turn / 4 * t / s->ramp) : 1;
  return s->amplitude * rise * rise * cos(turn * (s->frequency * t + s->phase));
}

/* In grid steps from the first point: where wave_force.frag finds the source now. */
static void place(float line[4], float bell[4], const clWave *wave, const clWaveSource *s) {
  const clWaveInfo *info = &wave->info;
  double t = info->time, h = info->h, angle = turn * s->turns * t, half = hypot(s->dx, s->dy) / h;
  line[0] = (float)((s->x + s->vx * t + s->orbit * cos(angle)) / h - txWaveOffset(info, 0));
  line[1] = (float)((s->y + s->vy * t + s->orbit * sin(angle)) / h - txWaveOffset(info, 1));
  line[2] = (float)(s->dx / h);
  line[3] = (float)(s->dy / h);
  bell[0] = (float)(info->dt * info->dt * strengthAt(s, t));
  bell[1] = (float)(-(h * h) / (s->radius * s->radius));
  bell[2] = half > 0 ? (float)(1 / (half * half)) : 0;
  bell[3] = 0;
}

clStatus txWaveForce(clWave *wave, clVector *y) {
  static const char *const name[][2] = {{"line0", "bell0"}, {"line1", "bell1"}, {"line2", "bell2"},
                                        {"line3", "bell3"}, {"line4", "bell4"}, {"line5", "bell5"}};
  _Static_assert(sizeof name / sizeof *name == TEXLA_WAVE_SOURCES, "a name for each");
  const clWaveInfo *info = &wave->info;
  clKernelRun run = txWavePrepare(wave);
  float nx = txWavePeriodic(info, 0) ? (float)info->nx : 0,
        ny = txWavePeriodic(info, 1) ? (float)info->ny : 0;
  int count = 1;
  run.parameter[count++] =
      (clKernelParameter){"period", 4, {nx, ny, nx > 0 ? 1 / nx : 0, ny > 0 ? 1 / ny : 0}};
  for (int k = 0; k < wave->sources; k++) {
    clKernelParameter *p = &run.parameter[count];
    p[0] = (clKernelParameter){name[k][0], 4, {0}};
    p[1] = (clKernelParameter){name[k][1], 4, {0}};
    place(p[0].value, p[1].value, wave, &wave->source[k]);
    count += 2;
  }
  run.input[0] = (clKernelInput){"x", y, false};
  run.output[0] = y;
  return clKernelExecute(wave->force, &run);
}
