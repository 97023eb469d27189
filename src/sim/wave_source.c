/* Sources of waves: what a step adds. */
#include "sim/wave.h"

#include "core/try.h"
#include "gl/defines.h"
#include "sim/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double turn = 2 * 3.14159265358979323846;

/* Without sources and layers a wave needs no kernel at all: then a step is a matrix product. */
clKernelRun txWavePrepare(const clWave *wave) {
  return (clKernelRun){
      .input = {{"now", wave->now}, {"before", wave->before}, {"medium", wave->medium}},
      .parameter = {{"cells", 2, {(float)wave->info.nx, (float)wave->info.ny}}}};
}

/* Whether an axis is periodic is known when a kernel is compiled, not asked at each point. */
clStatus txWaveKernel(clKernel **out, const clWave *wave, const char *name, const char *source) {
  txDefines text = {""};
  txDefineIf(&text, txWavePeriodic(&wave->info, 0), "PERIODIC_X");
  txDefineIf(&text, txWavePeriodic(&wave->info, 1), "PERIODIC_Y");
  txDefineText(&text, source);
  return clKernelCreate(out, wave->context, name, text.text);
}

/* A frequency is limited by Nyquist's: steps that meet less than two points of a period would show
 * another one. */
static clStatus checkSource(const clWave *wave, const clWaveSource *s, int k, const char *call) {
  clError *error = txWaveError(wave);
  const double number[] = {s->x,     s->y,    s->dx, s->dy, s->amplitude, s->frequency,
                           s->phase, s->ramp, s->vx, s->vy, s->orbit,     s->turns};
  for (int n = 0; n < (int)(sizeof number / sizeof *number); n++)
    if (!isfinite((float)number[n]))
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "source %d: its numbers must be finite", k);
  if (!txIsPositive(s->radius) || s->ramp < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "source %d: radius (%g) must be positive and finite, ramp (%g) not negative", k,
                  s->radius, s->ramp);
  if (fabs(s->frequency) * wave->info.dt > 0.5)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "source %d: steps of dt = %g cannot follow frequency %g; at most 1 / (2 dt) = %g",
                  k, wave->info.dt, s->frequency, 0.5 / wave->info.dt);
  return TEXLA_OK;
}

/* One pass adds all sources: its shader is compiled for their number. */
static clStatus createForce(clKernel **out, const clWave *wave, int count) {
  char text[400] = "#define PUSHES vec4(0.)";
  for (int k = 0; k < count; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), " + push(line%d, bell%d)", k, k);
  snprintf(text + strlen(text), sizeof text - strlen(text), "\n#include \"wave_force.frag\"\n");
  return txWaveKernel(out, wave, "wave force", text);
}

/* All of them are checked and their shader is compiled before the old ones go. */
clStatus clWaveSources(clWave *wave, const clWaveSource *source, int count) {
  static const char call[] = "clWaveSources";
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  if (count < 0 || count > TEXLA_WAVE_SOURCES || (count && !source))
    return txFail(txWaveError(wave), TEXLA_BAD_ARGUMENT, call, "%d sources: 0 to %d, in a list",
                  count, TEXLA_WAVE_SOURCES);
  for (int k = 0; k < count; k++)
    TRY(checkSource(wave, &source[k], k, call));
  clKernel *force = NULL;
  if (count)
    TRY(createForce(&force, wave, count));
  clKernelDestroy(wave->force);
  wave->force = force;
  for (int k = 0; k < count; k++)
    wave->source[k] = source[k];
  wave->sources = count;
  return TEXLA_OK;
}

/* amplitude * ramp(t) * cos(2 pi (frequency t + phase)); the ramp is sin^2, which begins and ends
 * without a jump of its slope, so that it makes few waves of other frequencies. */
static double strengthAt(const clWaveSource *s, double t) {
  double rise = 1;
  if (s->ramp > 0 && t < s->ramp)
    rise = sin(turn / 4 * t / s->ramp);
  return s->amplitude * rise * rise * cos(turn * (s->frequency * t + s->phase));
}

/* In grid steps from the first point: where wave_force.frag finds the source now. */
static void place(float line[4], float bell[4], const clWave *wave, const clWaveSource *s) {
  const clWaveInfo *info = &wave->info;
  double t = info->time, h = info->h, angle = turn * s->turns * t, half = hypot(s->dx, s->dy) / h;
  line[0] = (float)((s->x + s->vx * t + s->orbit * cos(angle)) / h - 0.5);
  line[1] = (float)((s->y + s->vy * t + s->orbit * sin(angle)) / h - 0.5);
  line[2] = (float)(s->dx / h);
  line[3] = (float)(s->dy / h);
  bell[0] = (float)(info->dt * info->dt * strengthAt(s, t));
  bell[1] = (float)(-(h * h) / (s->radius * s->radius));
  bell[2] = bell[3] = 0;
  if (half > 0)
    bell[2] = (float)(1 / (half * half));
}

/* Each source is two vectors of numbers for this time: its line (place and half its length) and its
 * bell (strength, width and one over the length squared). */
clStatus txWaveForce(clWave *wave, clVector *y) {
  static const char *const name[][2] = {{"line0", "bell0"}, {"line1", "bell1"}, {"line2", "bell2"},
                                        {"line3", "bell3"}, {"line4", "bell4"}, {"line5", "bell5"}};
  _Static_assert(sizeof name / sizeof *name == TEXLA_WAVE_SOURCES, "a name for each");
  const clWaveInfo *info = &wave->info;
  clKernelRun run = txWavePrepare(wave);
  const float n[] = {(float)info->nx, (float)info->ny};
  int count = 1;
  clKernelParameter *period = &run.parameter[count++];
  *period = (clKernelParameter){"period", 4, {0}};
  /* The shader finds the nearest of a source's images; where nothing repeats, both are 0. */
  for (int axis = 0; axis < 2; axis++) {
    if (!txWavePeriodic(info, axis))
      continue;
    period->value[axis] = n[axis];
    period->value[2 + axis] = 1 / n[axis];
  }
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
