/* Factors in single precision as a plan: A, scaled by powers of two, is factored once; the factors
 * solve for corrections of the residual in double (refine.h). PLU and Cholesky differ in `factor`
 * and `factorOf`. */
#include "triangle/cholesky.h"
#include "elimination/plu.h"
#include "core/allocate.h"
#include "core/try.h"
#include "system/system.h"
#include "platform/platform.h"
#include "triangle/host_solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSystemSolve";

struct txDirect {
  const clSystemOptions *options;
  /* one of both */
  clPlu *plu;
  clCholesky *cholesky;
  /* a right-hand side, n x 1 */
  clDense *device;
  /* by the monitor, during the factorization */
  bool stopped;
  /* why there are no factors; NONE: there are */
  clReason failed;
};

/* The caller may end a factorization between its panels, as it may end an iteration. */
static bool goOn(const clSystemOptions *o, int64_t iteration, double residual) {
  return !o->solver.monitor || o->solver.monitor(o->solver.monitor_user, iteration, residual);
}

static bool goOnFactoring(void *user) {
  txDirect *d = user;
  d->stopped = !goOn(d->options, 0, 1);
  return !d->stopped;
}

/* Packed: the dense matrix goes as soon as it is factored. Pivots need only be positive: refinement
 * sees the rest. */
static clStatus factorCholesky(txDirect *d, clContext *context, const clDense *dense) {
  clCholeskyOptions o = {.packed = true, .tolerance = -1};
  TRY(clCholeskyCreate(&d->cholesky, context, clDenseRows(dense), &o));
  return clCholeskyFactor(d->cholesky, dense, NULL);
}

/* All but a zero pivot is left to refinement. */
static clStatus factorPlu(txDirect *d, clContext *context, const clDense *dense) {
  TRY(clPluCreate(&d->plu, context, clDenseRows(dense), clDenseRows(dense), NULL));
  d->plu->go_on = goOnFactoring;
  d->plu->user = d;
  clStatus status = clPluFactor(d->plu, dense, NULL);
  if (status == TEXLA_RANK_DEFICIENT)
    return txPluReady(d->plu, call);
  return status;
}

static clStatus factor(txDirect *d, clContext *context, clMethod method, const clTriplets *scaled) {
  clDense *dense = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&dense, context, scaled->rows, scaled->rows));
  TRY_CLEANUP(clDenseUploadTriplets(dense, scaled));
  if (method == TEXLA_METHOD_CHOLESKY)
    TRY_CLEANUP(factorCholesky(d, context, dense));
  else
    TRY_CLEANUP(factorPlu(d, context, dense));
  TRY_CLEANUP(clDenseCreate(&d->device, context, scaled->rows, 1));
cleanup:
  clDenseDestroy(dense);
  return status;
}

/* More than the device has is refused before anything is allocated: A and its factors at least. */
static clStatus checkSize(clContext *context, int32_t n) {
  double bytes = 8.0 * (double)n * (double)n,
         room = (double)clContextInspect(context)->memory_limit;
  if (bytes <= room)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call,
                "a dense factorization of %d x %d needs %.3g GB, but the device has %.3g GB: take "
                "an iterative method",
                n, n, bytes / 1e9, room / 1e9);
}

clStatus txDirectCreate(txDirect **out, const txSystem *s, const clTriplets *scaled) {
  clMethod method = s->plan.solver.method;
  TRY(checkSize(s->context, scaled->rows));
  txDirect *d = txAllocate(txContextError(s->context), call, 1, sizeof *d, "a factorization");
  if (!d)
    return TEXLA_OUT_OF_MEMORY;
  *d = (txDirect){.options = s->options};
  clStatus status = factor(d, s->context, method, scaled);
  if (status == TEXLA_SINGULAR && method == TEXLA_METHOD_CHOLESKY)
    d->failed = TEXLA_REASON_NOT_POSITIVE_DEFINITE;
  else if (status == TEXLA_SINGULAR)
    d->failed = TEXLA_REASON_SINGULAR;
  if (d->stopped)
    d->failed = TEXLA_REASON_STOPPED;
  if (status < 0 && !d->failed) {
    txDirectDestroy(d);
    return status;
  }
  *out = d;
  return TEXLA_OK;
}

void txDirectDestroy(txDirect *d) {
  if (!d)
    return;
  clPluDestroy(d->plu);
  clCholeskyDestroy(d->cholesky);
  clDenseDestroy(d->device);
  free(d);
}

static txFactor factorOf(const txDirect *d) {
  if (d->cholesky)
    return txCholeskyFactorization(d->cholesky, call);
  return txPluFactor(d->plu, call);
}

/* One correction, (R A C) y = R r / ||R r|| */
static clStatus correct(const txSystem *s, txTask *t, double *gain) {
  txFactor f = factorOf(s->direct);
  TRY(txTaskNarrow(s, t));
  TRY(txFactorSolveVector(&f, TEXLA_NO_TRANSPOSE, s->direct->device, s->single));
  t->report->iterations++;
  t->budget--;
  return txRefineStep(&t->refinement, &t->metric, s->single, gain, txContextError(s->context));
}

/* A correction that gains next to nothing is the last one. */
static clReason judge(const txSystem *s, txTask *t, double gain) {
  clReason reached = txTaskReached(s, t);
  if (reached)
    return reached;
  if (!(gain > 1.1))
    return TEXLA_REASON_STAGNATED;
  if (t->budget < 1)
    return TEXLA_REASON_MAX_ITERATIONS;
  if (!goOn(s->options, t->report->iterations, txTaskResidual(t)))
    return TEXLA_REASON_STOPPED;
  return TEXLA_REASON_NONE;
}

/* The residual that is reached, relative to b, follows those of the history. */
static clStatus record(const txSystem *s, txTask *t) {
  double reached = txTaskResidual(t);
  if (!t->report->history_count)
    return txReportAppend(t->report, &reached, 1, 1, txContextError(s->context));
  return txReportAppend(t->report, (const double[]){1, reached}, 2, 1, txContextError(s->context));
}

/* After another plan it begins from 0: an x that an iteration has led astray would leave its
 * roundoffs in all that follows. */
clStatus txDirectRounds(const txSystem *s, txTask *t) {
  double gain = INFINITY;
  bool first = !t->report->history_count;
  if (first)
    TRY(record(s, t));
  t->reason = s->direct->failed;
  if (t->reason)
    return TEXLA_OK;
  if (!first)
    TRY(txRefineFromZero(&t->refinement, &t->metric, txContextError(s->context)));
  for (;;) {
    t->reason = judge(s, t, gain);
    if (t->reason == TEXLA_REASON_STAGNATED && !t->weight && t->budget > 0)
      TRY(txTaskWeigh(s, t));
    else if (t->reason)
      return TEXLA_OK;
    TRY(correct(s, t, &gain));
    TRY(record(s, t));
  }
}

/* x is what the host has found, unless the one before is better. */
static clStatus takeFound(const txSystem *s, txTask *t, const double *x) {
  txRefinement *ref = &t->refinement;
  TRY(txRefineFromZero(ref, &s->scale, txContextError(s->context)));
  memcpy(ref->x, x, (size_t)s->A->rows * sizeof *x);
  txRefineRescale(ref, &s->scale);
  if (ref->norm <= ref->least)
    txRefineRestart(ref, &s->scale);
  else
    txRefineBest(ref, &s->scale);
  t->report->iterations++;
  return record(s, t);
}

/* The open tasks' right-hand sides side by side, from `room` on; solutions behind them. */
static clStatus solveOnHost(txSystem *s, txHostSystem *host, int count, double *room) {
  int64_t n = s->A->rows;
  double *B = room, *X = B + n * count;
  for (int j = 0, k = 0; j < s->tasks; j++)
    if (!s->task[j].reason)
      memcpy(B + n * k++, s->task[j].goal.b, (size_t)n * sizeof *B);
  TRY(txHostSolve(host, count, B, X));
  for (int j = 0, k = 0; j < s->tasks; j++) {
    txTask *t = &s->task[j];
    if (t->reason)
      continue;
    TRY(takeFound(s, t, X + n * k++));
    t->report->rank = host->rank;
    t->report->rcond = host->rcond;
    t->reason = txTaskReached(s, t);
    if (!t->reason)
      t->reason = host->rank < n ? TEXLA_REASON_SINGULAR : TEXLA_REASON_STAGNATED;
  }
  return TEXLA_OK;
}

clStatus txHostRounds(txSystem *s) {
  size_t n = (size_t)s->A->rows;
  clError *error = txContextError(s->context);
  int count = 0;
  for (int j = 0; j < s->tasks; j++)
    count += !s->task[j].reason;
  double *A = txAllocate(error, call, n * n, sizeof *A, "a matrix in double"),
         *room = txAllocate(error, call, 2 * n * (size_t)count, sizeof *room, "solutions");
  txHostSystem host = {.call = call,
                       .error = error,
                       .rows = s->A->rows,
                       .cols = s->A->rows,
                       .A = A,
                       .eps = DBL_EPSILON};
  clStatus status = TEXLA_OK;
  if (!A || !room)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t k = 0; k < s->A->count; k++)
    A[(size_t)s->A->col[k] * n + (size_t)s->A->row[k]] = s->A->value[k];
  TRY_CLEANUP(solveOnHost(s, &host, count, room));
cleanup:
  free(A);
  free(room);
  return status;
}

/* Seconds for a product of two SIZE x SIZE matrices, the second time. */
enum { SIZE = 768 };
/* The second product counts: the first one compiles shaders and chooses variants. */
static clStatus timeProduct(clContext *context, double *seconds) {
  clDense *A = NULL, *C = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&A, context, SIZE, SIZE));
  TRY_CLEANUP(clDenseCreate(&C, context, SIZE, SIZE));
  for (int k = 0; k < 2; k++) {
    double start = txNow();
    TRY_CLEANUP(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, A, 0));
    TRY_CLEANUP(clContextSynchronize(context));
    *seconds = txNow() - start;
  }
cleanup:
  clDenseDestroy(A);
  clDenseDestroy(C);
  return status;
}

/* A factorization has a third of a product's n^3 multiplications, and takes about twice as long for
 * each: panels and moves of rows. At its peak there are A, its factors, a product's destination and
 * what the pool still keeps. */
clStatus txDirectEstimate(txDirectCost *cost, clContext *context, int32_t n) {
  const double copies = 5;
  double matrix = 4.0 * (double)n * (double)n, size = (double)n / SIZE, seconds = 0;
  *cost = (txDirectCost){.bytes = copies * matrix};
  cost->fits = n < 32000 && cost->bytes < (double)clContextInspect(context)->memory_limit -
                                              (double)clContextStatistics(context).bytes_used;
  clStatus status = cost->fits ? timeProduct(context, &seconds) : TEXLA_OK;
  cost->seconds = 2.0 / 3 * size * size * size * seconds;
  return status;
}
