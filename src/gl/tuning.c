/* Of several variants the fastest on this device: measured once, then remembered in the tuning
 * table. */
#include "gl/gl.h"
#include "core/numbers.h"
#include "core/try.h"
#include "platform/platform.h"

#include <float.h>
#include <math.h>

/* Runs of each candidate, and the most candidates that there may be. */
enum { RUNS = 7, MOST = 16 };

static double tuningMeasure(clContext *context, txTuningRun run, void *user, int value) {
  double start = txNow();
  if (run(user, value) || clContextSynchronize(context))
    return INFINITY;
  return txNow() - start;
}

/* The shortest of several runs of each candidate, the first not counted. They take turns, so that
 * other work on the machine meets all of them; a variant that fails takes for ever. */
static void tuningMeasureAll(clContext *context, const int *candidates, int count, txTuningRun run,
                             void *user, double *shortest) {
  for (int i = 0; i < count && i < MOST; i++)
    shortest[i] = tuningMeasure(context, run, user, candidates[i]) < INFINITY ? DBL_MAX : INFINITY;
  for (int r = 0; r < RUNS; r++)
    for (int i = 0; i < count && i < MOST; i++)
      if (shortest[i] < INFINITY)
        shortest[i] = fmin(shortest[i], tuningMeasure(context, run, user, candidates[i]));
}

clStatus txTuningChoose(clContext *context, const char *key, const int *candidates, int count,
                        txTuningRun run, void *user, int fallback, int *value) {
  int known = 0;
  bool found = txTuningKnown(context, key, &known);
  for (int i = 0; found && i < count; i++)
    if (candidates[i] == known) {
      *value = known;
      return TEXLA_OK;
    }
  clError before = context->error;
  double best = INFINITY, shortest[MOST];
  /* What is tried out is no part of the work that somebody watches. */
  txObserver *observer = context->observer;
  context->observer = NULL;
  tuningMeasureAll(context, candidates, count, run, user, shortest);
  context->observer = observer;
  *value = fallback;
  for (int i = 0; i < count && i < MOST; i++) {
    txContextLog(context, TEXLA_LOG_DEBUG, "tuning %s: variant %d takes %.3g ms", key,
                 candidates[i], shortest[i] * 1e3);
    if (shortest[i] < best) {
      best = shortest[i];
      *value = candidates[i];
    }
  }
  /* A variant that fails is no error. */
  context->error = before;
  /* Perhaps there was no memory: this is nothing to remember. */
  if (best == INFINITY)
    return TEXLA_OK;
  TRY(txTuningAdd(context, key, *value));
  txTuningSave(context);
  return TEXLA_OK;
}
