/* A whole system by PLU: factored once in single precision, scaled by powers of two; solved, and refined in double (refine.h). */
#include "solvers/plu.h"
#include "solvers/plu_system.h"
#include "solvers/refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char call[] = "clSystemSolve";

typedef struct work {
  clContext *context;
  clError *error;
  const clTriplets *A;
  const clSystemOptions *options;
  double target;
  txRows rows;
  txScaling scale;
  clPlu *plu;
  clDense *device; /* n x 1 */
  float *single;
  double *best,
      least; /* x with the least residual so far; rows and columns of different sizes are corrected in another norm */
  txRefinement refinement;
} work;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static clStatus factorScaled(work *w, const clTriplets *scaled) {
  int n = w->A->rows;
  clPluOptions o = {.elimination = {.tolerance = -1}}; /* only a zero pivot stops it: refinement sees the rest */
  clDense *dense = NULL;
  clStatus status = clDenseCreate(&dense, w->context, n, n);
  if (!status)
    status = clDenseUploadTriplets(dense, scaled);
  if (!status)
    status = clPluCreate(&w->plu, w->context, n, n, &o);
  if (!status)
    status = clPluFactor(w->plu, dense, NULL);
  clDenseDestroy(dense);
  return status;
}

static clStatus setUp(work *w) {
  txScaled scaled = {0};
  size_t n = (size_t)w->A->rows;
  w->single = malloc(n * sizeof *w->single);
  w->best = malloc(n * sizeof *w->best);
  if (!w->single || !w->best)
    return txFail(w->error, TEXLA_OUT_OF_MEMORY, call, "no memory for %zu unknowns", n);
  clStatus status = txRowsFind(&w->rows, w->A, call, w->error);
  if (!status)
    status = txScalingCreate(&w->scale, &w->rows, TX_SCALE_ROWS_COLS, w->error);
  if (!status)
    status = txScalingApply(&scaled, &w->scale, 1, w->error);
  if (!status)
    status = factorScaled(w, &scaled.A);
  if (!status)
    status = clDenseCreate(&w->device, w->context, w->A->rows, 1);
  txScaledDestroy(&scaled);
  return status;
}

static double relative(const work *w, double norm) {
  return w->refinement.b_norm > 0 ? norm / w->refinement.b_norm : norm;
}

/* history[iterations] <- the residual, relative to b */
static clStatus record(work *w, clSystemReport *report) {
  const txRefinement *ref = &w->refinement;
  double *grown = realloc(report->history, (size_t)(report->history_count + 1) * sizeof *grown);
  if (!grown)
    return txFail(w->error, TEXLA_OUT_OF_MEMORY, call, "no memory for the history");
  report->history = grown;
  report->residual = relative(w, ref->norm);
  grown[report->history_count++] = report->residual;
  if (ref->norm < w->least) {
    w->least = ref->norm;
    memcpy(w->best, ref->x, (size_t)w->A->rows * sizeof *w->best);
  }
  return TEXLA_OK;
}

static void returnBest(const work *w, clSystemReport *report) {
  const txRefinement *ref = &w->refinement;
  if (ref->norm <= w->least)
    return;
  memcpy(ref->x, w->best, (size_t)w->A->rows * sizeof *w->best);
  report->residual = relative(w, w->least);
}

/* One correction: (R A C) y = R r / ||R r|| */
static clStatus correct(work *w, double *gain) {
  txRefineNarrow(&w->refinement, w->single);
  clStatus status = txPluSolveVector(w->plu, TEXLA_NORMAL, w->device, w->single);
  return status ? status : txRefineStep(&w->refinement, &w->scale, w->single, gain, w->error);
}

static clStatus iterate(work *w, clSystemReport *report) {
  const txRefinement *ref = &w->refinement;
  const clSolverOptions *o = &w->options->solver;
  int64_t most = o->max_iterations > 0 ? o->max_iterations : 10 * (int64_t)w->A->rows;
  clStatus status = record(w, report);
  report->reason = ref->norm <= w->target * ref->b_norm ? TEXLA_REASON_CONVERGED : TEXLA_REASON_NONE;
  while (!status && !report->reason) {
    double gain = 1;
    status = correct(w, &gain);
    report->iterations++;
    if (!status)
      status = record(w, report);
    if (ref->norm <= w->target * ref->b_norm)
      report->reason = TEXLA_REASON_CONVERGED;
    else if (!(gain > 1.1))
      report->reason = TEXLA_REASON_STAGNATED;
    else if (report->iterations >= most)
      report->reason = TEXLA_REASON_MAX_ITERATIONS;
    else if (o->monitor && !o->monitor(o->monitor_user, report->iterations, report->residual))
      report->reason = TEXLA_REASON_STOPPED;
  }
  return status;
}

static clStatus solveOne(work *w, const double *b, double *x, clSystemReport *report) {
  clContextCounters before = clContextCount(w->context);
  double start = now();
  clStatus status = txRefineStart(&w->refinement, w->A, b, x, &w->scale, w->error);
  w->least = INFINITY;
  if (!status)
    status = iterate(w, report);
  if (!status)
    returnBest(w, report);
  txRefineDestroy(&w->refinement);
  report->seconds_solve = now() - start;
  report->method = TEXLA_METHOD_PLU;
  report->storage = TEXLA_STORAGE_DENSE;
  snprintf(report->description, sizeof report->description, "dense, 2 x 2 entries in a texel, P A = L U of %d x %d",
           w->A->rows, w->A->cols);
  report->passes += clContextCount(w->context).passes - before.passes;
  report->readbacks += clContextCount(w->context).readbacks - before.readbacks;
  return status;
}

static void release(work *w) {
  txScalingDestroy(&w->scale);
  txRowsForget(&w->rows);
  clPluDestroy(w->plu);
  clDenseDestroy(w->device);
  free(w->single);
  free(w->best);
}

clStatus txPluSystemSolve(clContext *context, const clTriplets *A, int count, const double *b, double *x, double target,
                          const clSystemOptions *options, clSystemReport *reports) {
  work w = {.context = context, .error = txContextError(context), .A = A, .options = options, .target = target};
  clContextCounters before = clContextCount(context);
  double start = now();
  clStatus status = setUp(&w);
  reports->seconds_setup = now() - start;
  reports->passes = clContextCount(context).passes - before.passes;
  reports->readbacks = clContextCount(context).readbacks - before.readbacks;
  for (int k = 0; k < count && !status; k++)
    status = solveOne(&w, b + (int64_t)k * A->rows, x + (int64_t)k * A->rows, &reports[k]);
  release(&w);
  return status;
}
