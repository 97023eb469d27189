/* Factors in single precision as a plan: A, scaled by powers of two, is factored once; the factors
 * solve for corrections of the residual in double (elimination/refinement.h), of all right-hand
 * sides at once. PLU and Cholesky differ in `factor` and `factorOf`. */
#include "triangle/cholesky.h"
#include "elimination/plu.h"
#include "elimination/residuals.h"
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
  TRY(clPluFactor(d->plu, dense, NULL));
  return txPluReady(d->plu, call);
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

/* Beyond this condition the errors of factors in single precision are not small against 1: if A is
 * as exact as `roundoff` says, the host decides, while it can. */
static clStatus doubt(txDirect *d, const txSystem *s) {
  static const double trusted = 1e-5;
  double rcond = 1;
  if (!(s->options->roundoff > 0) || !txPlanHostFollows(&s->plan, s->A->rows) || !d->plu)
    return TEXLA_OK;
  TRY(clPluCondition(d->plu, TEXLA_NORM_ONE, &rcond));
  if (!(rcond > trusted))
    d->failed = TEXLA_REASON_STAGNATED;
  return TEXLA_OK;
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
  if (status == TEXLA_OK)
    status = doubt(d, s);
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
  free(d);
}

static txFactor factorOf(const txDirect *d) {
  if (d->cholesky)
    return txCholeskyFactorization(d->cholesky, call);
  return txPluFactor(d->plu, call);
}

/* The open tasks: right-hand sides and solutions side by side, n x count. */
typedef struct columns {
  txSystem *s;
  int count;
  /* of what a correction has told */
  clStatus status;
  txTask **task;
  double *B, *X;
} columns;

static clStatus gather(columns *c, txSystem *s) {
  size_t n = (size_t)s->A->rows, most = (size_t)s->tasks;
  clError *error = txContextError(s->context);
  *c = (columns){.s = s, .task = txAllocate(error, call, most, sizeof *c->task, "solutions")};
  for (int j = 0; j < s->tasks && c->task; j++)
    if (!s->task[j].reason)
      c->task[c->count++] = &s->task[j];
  size_t numbers = n * (size_t)c->count + 1;
  c->B = txAllocate(error, call, numbers, sizeof *c->B, "right-hand sides");
  c->X = txAllocate(error, call, numbers, sizeof *c->X, "solutions");
  if (!c->task || !c->B || !c->X)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < c->count; k++)
    memcpy(c->B + n * (size_t)k, c->task[k]->goal.b, n * sizeof *c->B);
  return TEXLA_OK;
}

static void freeColumns(columns *c) {
  free(c->task);
  free(c->B);
  free(c->X);
}

/* The residual that is reached, relative to b, follows those of the history. */
static clStatus record(const txSystem *s, txTask *t, double norm) {
  const double reached[2] = {1, txGoalResidual(&t->goal, norm)};
  int first = t->report->history_count == 0;
  return txReportAppend(t->report, reached + first, 2 - first, 1, txContextError(s->context));
}

/* ||diag(unit) r|| */
static double unitNorm(const double *unit, const double *r, int64_t n) {
  double largest = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(unit[i] * r[i]));
  for (int64_t i = 0; i < n && largest > 0; i++)
    sum += unit[i] * r[i] / largest * (unit[i] * r[i] / largest);
  return largest * sqrt(sum);
}

/* A correction's residual: 1 if x is the solution, -1 if nobody wants another one. */
static int watch(void *user, int k, const double *r, double error, int corrections) {
  columns *c = user;
  const txSystem *s = c->s;
  txTask *t = c->task[k];
  t->found = txNorm(r, s->A->rows);
  if (corrections > 0) {
    t->report->iterations++;
    t->budget--;
  }
  t->report->backward_error = fmax(error, DBL_EPSILON / 2);
  if (s->unit && t->found <= t->goal.limit)
    t->unit_norm = unitNorm(s->unit, r, s->A->rows);
  t->reason = txTaskJudge(s, t, t->found);
  if (corrections > 0 || !t->report->history_count)
    c->status = record(s, t, t->found);
  if (c->status)
    return -1;
  if (!t->reason && !goOn(s->options, t->report->iterations, txGoalResidual(&t->goal, t->found)))
    t->reason = TEXLA_REASON_STOPPED;
  if (t->reason == TEXLA_REASON_STOPPED)
    return -1;
  return t->reason != TEXLA_REASON_NONE;
}

/* x is what was found, unless the one before is better. */
static void take(const columns *c, int k, bool always) {
  txTask *t = c->task[k];
  int64_t n = c->s->A->rows;
  const double *x = c->X + n * k;
  if (t->found <= t->refinement.norm || always)
    txRefineTake(&t->refinement, x, t->found);
}

/* What is left of columns of which no residual has been told. */
static clStatus findNorms(const columns *c) {
  int64_t n = c->s->A->rows;
  double *r = txAllocate(txContextError(c->s->context), call, (size_t)n, sizeof *r, "a residual");
  if (!r)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < c->count; k++)
    if (c->task[k]->reason == TEXLA_REASON_NONE || c->task[k]->reason == TEXLA_REASON_STOPPED) {
      txResidualsFind(
          &(txResiduals){
              .A = c->s->A, .count = 1, .x = {c->X + n * k}, .b = {c->B + n * k}, .r = {r}},
          NULL);
      c->task[k]->found = txNorm(r, n);
    }
  free(r);
  return TEXLA_OK;
}

/* Corrections by the factors (elimination/refinement.h), of all columns at once. */
static clStatus refineColumns(columns *c) {
  txSystem *s = c->s;
  txFactor f = factorOf(s->direct);
  txWatch w = {.tell = watch, .user = c, .row = s->scale.row, .col = s->scale.col};
  clRefineOptions o = {.max_iterations = INT32_MAX};
  for (int k = 0; k < c->count; k++)
    if (c->task[k]->budget < o.max_iterations)
      o.max_iterations = (int)c->task[k]->budget;
  TRY(txRefineWatched(&f, s->A, c->count, c->X, c->B, &o, &w));
  TRY(c->status);
  TRY(findNorms(c));
  for (int k = 0; k < c->count; k++) {
    txTask *t = c->task[k];
    take(c, k, t->found <= t->goal.limit);
    if (!t->reason && t->budget < 1)
      t->reason = TEXLA_REASON_MAX_ITERATIONS;
    if (!t->reason)
      t->reason = TEXLA_REASON_STAGNATED;
  }
  return TEXLA_OK;
}

/* After another plan it begins from 0: an x that an iteration has led astray would leave its
 * roundoffs in all that follows. */
clStatus txDirectRounds(txSystem *s) {
  columns c;
  size_t n = (size_t)s->A->rows;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(gather(&c, s));
  for (int k = 0; k < c.count; k++) {
    txTask *t = c.task[k];
    if (!t->report->history_count)
      memcpy(c.X + n * (size_t)k, t->refinement.x, n * sizeof *c.X);
    t->reason = s->direct->failed;
    if (t->reason)
      TRY_CLEANUP(record(s, t, t->refinement.norm));
  }
  if (!s->direct->failed)
    TRY_CLEANUP(refineColumns(&c));
cleanup:
  freeColumns(&c);
  return status;
}

/* Where precision is given a singular matrix is the verdict, whatever is left of b. */
static void judgeHost(txSystem *s, const txHostSystem *host, txTask *t) {
  t->report->rank = host->rank;
  t->report->rcond = host->rcond;
  t->reason = txTaskReached(s, t);
  bool singular = host->rcond < host->eps;
  if (singular && (!t->reason || s->options->roundoff > 0))
    t->reason = TEXLA_REASON_SINGULAR;
  else if (!t->reason)
    t->reason = TEXLA_REASON_STAGNATED;
}

static clStatus solveOnHost(columns *c, txHostSystem *host) {
  txSystem *s = c->s;
  TRY(txHostSolve(host, c->count, c->B, c->X));
  TRY(findNorms(c));
  for (int k = 0; k < c->count; k++) {
    txTask *t = c->task[k];
    take(c, k, s->options->roundoff > 0);
    t->report->iterations++;
    TRY(record(s, t, t->refinement.norm));
    judgeHost(s, host, t);
  }
  return TEXLA_OK;
}

clStatus txHostRounds(txSystem *s) {
  columns c;
  size_t n = (size_t)s->A->rows;
  double *A = NULL;
  txHostSystem host = {.call = call,
                       .error = txContextError(s->context),
                       .rows = s->A->rows,
                       .cols = s->A->rows,
                       .row = s->scale.row,
                       .col = s->scale.col,
                       .eps = fmax(s->options->roundoff, DBL_EPSILON)};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(gather(&c, s));
  host.A = A = txAllocate(host.error, call, n * n, sizeof *A, "a matrix in double");
  if (!A)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t k = 0; k < s->A->count; k++)
    A[(size_t)s->A->col[k] * n + (size_t)s->A->row[k]] = s->A->value[k];
  TRY_CLEANUP(solveOnHost(&c, &host));
cleanup:
  freeColumns(&c);
  free(A);
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
