/* What probes have found is kept in the tuning table: "probe.device" names the device, the driver,
 * texla and the traits that it holds for, "probe.answers" has a bit for each yes, and
 * "probe.division" the error of a quotient in millionths of a unit in the last place. Another
 * driver, or another table of traits, is probed anew. */
#include "gl/gl.h"
#include "core/try.h"
#include "texla/version.h"

#include <math.h>
#include <stdio.h>

enum { ANSWERS = 11 };

static void listAnswers(clProbes *p, bool *answer[ANSWERS]) {
  bool *const all[ANSWERS] = {&p->exact_division,  &p->large_integers, &p->nan_kept,  &p->inf_kept,
                              &p->denormals,       &p->round_add,      &p->round_mul, &p->two_sum,
                              &p->r32f_renderable, &p->filterable,     &p->blendable};
  for (int i = 0; i < ANSWERS; i++)
    answer[i] = all[i];
}

/* FNV-1a, without the bit that would be a sign. */
static int identity(const clContext *context) {
  char state[64];
  const txTraits *t = &context->traits;
  snprintf(state, sizeof state, "%d %d %d %d %d %d %d", context->es, context->plain,
           t->flat_uniforms, t->compiled_once, t->double_float, t->double_guard,
           t->fine_derivatives);
  const char *const part[] = {context->info.vendor, context->info.renderer, context->info.version,
                              context->info.glsl,   TEXLA_VERSION,          state};
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    for (const char *c = part[i]; *c; c++)
      h = (h ^ (unsigned char)*c) * 1099511628211u;
  return (int)(h >> 33);
}

/* Shaders of a developer's folder may answer something else. */
bool txProbesRecall(clContext *context) {
  int device = 0, answers = 0, division = 0;
  if (context->shader_dir || !txTuningKnown(context, "probe.device", &device) ||
      device != identity(context) || !txTuningKnown(context, "probe.answers", &answers) ||
      !txTuningKnown(context, "probe.division", &division))
    return false;
  clProbes *probes = &context->info.probes;
  bool *answer[ANSWERS];
  listAnswers(probes, answer);
  for (int i = 0; i < ANSWERS; i++)
    *answer[i] = answers >> i & 1;
  probes->rgba32f_renderable = true;
  probes->division_ulps = (float)division / 1e6f;
  return true;
}

clStatus txProbesKeep(clContext *context) {
  clProbes *probes = &context->info.probes;
  bool *answer[ANSWERS];
  int answers = 0;
  if (context->shader_dir)
    return TEXLA_OK;
  listAnswers(probes, answer);
  for (int i = 0; i < ANSWERS; i++)
    answers |= *answer[i] << i;
  TRY(txTuningAdd(context, "probe.device", identity(context)));
  TRY(txTuningAdd(context, "probe.answers", answers));
  /* A device that cannot divide has an error that fits no number. */
  const double division = fmin(1e6 * (double)probes->division_ulps, 1e9);
  return txTuningAdd(context, "probe.division", (int)division);
}
