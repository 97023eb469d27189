/* A whole system by PLU or Cholesky: factored once in single precision, scaled by powers of two;
 * solved, and refined in double (refine.h). The two differ in factorScaled and correct. */
#include "triangle/cholesky.h"
#include "elimination/plu.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "system/direct.h"
#include "system/null_space.h"
#include "system/refine.h"
#include "platform/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSystemSolve";

struct txDirect {
  clContext *context;
  clError *error;
  const clTriplets *A;
  clMethod method;
  const clSystemOptions *options;
  double target;
  txRows rows;
  txScaling scale;
  /* this one */
  clPlu *plu;
  /* or that one */
  clCholesky *cholesky;
  /* n x 1 */
  clDense *device;
  float *single;
  txNullSpace null_space;
  /* of the right-hand side that is being solved */
  txGoal goal;
  txRefinement refinement;
  /* Corrections are measured by the residual of these rows: those of `scale` to begin with. */
  txScaling metric;
  /* Their own ones, by the solution so far; NULL until then. */
  double *weight;
  /* while A was being factored */
  bool stopped;
  /* why there are no factors; NONE: there are */
  clReason failed;
};
typedef struct txDirect work;

/* Asked between the panels of a factorization. */
static bool goOnFactoring(void *user) {
  work *w = user;
  const clSolverOptions *o = &w->options->solver;
  w->stopped = o->monitor && !o->monitor(o->monitor_user, 0, 1);
  return !w->stopped;
}

static bool byCholesky(const work *w) {
  return w->method == TEXLA_METHOD_CHOLESKY;
}

/* Packed: the dense matrix goes as soon as it is factored. Pivots need only be positive: refinement
 * sees the rest. */
static clStatus factorCholesky(work *w, const clDense *dense) {
  clCholeskyOptions o = {.packed = true, .tolerance = -1};
  TRY(clCholeskyCreate(&w->cholesky, w->context, w->A->rows, &o));
  return clCholeskyFactor(w->cholesky, dense, NULL);
}

/* All but a zero pivot is left to refinement. */
static clStatus factorPlu(work *w, const clDense *dense) {
  TRY(clPluCreate(&w->plu, w->context, w->A->rows, w->A->rows, NULL));
  w->plu->go_on = goOnFactoring;
  w->plu->user = w;
  clStatus status = clPluFactor(w->plu, dense, NULL);
  if (status == TEXLA_RANK_DEFICIENT)
    return txPluReady(w->plu, call);
  return status;
}

static clStatus factorScaled(work *w, const clTriplets *scaled) {
  int n = w->A->rows;
  clDense *dense = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&dense, w->context, n, n));
  TRY_CLEANUP(clDenseUploadTriplets(dense, scaled));
  if (byCholesky(w))
    TRY_CLEANUP(factorCholesky(w, dense));
  else
    TRY_CLEANUP(factorPlu(w, dense));
cleanup:
  clDenseDestroy(dense);
  return status;
}

/* What is asked of A is asked before the factorization, which takes most of the time. */
static clStatus setUp(work *w) {
  txScaled scaled = {0};
  size_t n = (size_t)w->A->rows;
  w->single = txAllocate(w->error, call, n, sizeof *w->single, "vectors of the unknowns");
  if (!w->single)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txRowsFind(&w->rows, w->A, call, w->error));
  TRY_CLEANUP(txRowsCheckFinite(&w->rows, call, w->error));
  if (byCholesky(w) && !txRowsSymmetric(&w->rows, TX_SYMMETRIC))
    TRY_CLEANUP(txFail(
        w->error, TEXLA_BAD_ARGUMENT, call,
        "the method cholesky is for symmetric positive definite matrices, but A, %d x %d, is "
        "not symmetric: plu takes it",
        w->A->rows, w->A->cols));
  TRY_CLEANUP(txNullSpaceFind(&w->null_space, &w->rows, w->options, w->error));
  txScalingKind kind = TX_SCALE_ROWS_COLS;
  /* The scaled matrix must be symmetric, too. */
  if (byCholesky(w))
    kind = TX_SCALE_DIAGONAL;
  TRY_CLEANUP(txScalingCreate(&w->scale, &w->rows, kind, w->error));
  TRY_CLEANUP(txScalingApply(&scaled, &w->scale, 1, w->error));
  TRY_CLEANUP(factorScaled(w, &scaled.A));
  TRY_CLEANUP(clDenseCreate(&w->device, w->context, w->A->rows, 1));
cleanup:
  txScaledDestroy(&scaled);
  return status;
}

/* history[iterations] <- the residual, relative to b */
static clStatus record(work *w, clSystemReport *report) {
  double *grown = txReallocate(w->error, call, report->history, (size_t)(report->history_count + 1),
                               sizeof *grown, "the history");
  if (!grown)
    return TEXLA_OUT_OF_MEMORY;
  report->history = grown;
  report->residual = txGoalResidual(&w->goal, w->refinement.norm);
  grown[report->history_count++] = report->residual;
  return TEXLA_OK;
}

/* One correction: (R A C) y = R r / ||R r|| */
static clStatus correct(work *w, double *gain) {
  txFactor factor;
  if (w->weight)
    TRY(txRefineNarrowFor(&w->refinement, &w->metric, w->scale.row, w->single, w->error));
  else
    TRY(txRefineNarrow(&w->refinement, &w->scale, w->single, w->error));
  if (byCholesky(w))
    factor = txCholeskyFactorization(w->cholesky, call);
  else
    factor = txPluFactor(w->plu, call);
  TRY(txFactorSolveVector(&factor, TEXLA_NO_TRANSPOSE, w->device, w->single));
  return txRefineStep(&w->refinement, &w->metric, w->single, gain, w->error);
}

/* The caller may end it, as it may end an iteration. */
static bool goOn(const work *w, int64_t iteration, double residual) {
  const clSolverOptions *o = &w->options->solver;
  return !o->monitor || o->monitor(o->monitor_user, iteration, residual);
}

/* A correction that gains next to nothing is the last one. */
static clReason judge(const work *w, const clSystemReport *report, double gain, int64_t most) {
  if (w->refinement.norm <= w->goal.limit)
    return txGoalReached(&w->goal);
  if (!(gain > 1.1))
    return TEXLA_REASON_STAGNATED;
  if (report->iterations >= most)
    return TEXLA_REASON_MAX_ITERATIONS;
  if (!goOn(w, report->iterations, report->residual))
    return TEXLA_REASON_STOPPED;
  return TEXLA_REASON_NONE;
}

/* The scaling that suits the factors knows nothing of x. Where the rows' terms a_ij x_j differ by
 * many orders of magnitude, rounding in the largest ends the corrections of all: from here on a
 * row counts beside its own terms. */
static clStatus weigh(work *w) {
  w->weight = txAllocate(w->error, call, (size_t)w->A->rows, sizeof *w->weight, "weights of rows");
  if (!w->weight)
    return TEXLA_OUT_OF_MEMORY;
  txRefineBest(&w->refinement, &w->metric);
  txRefineWeights(&w->refinement, w->weight);
  w->metric.row = w->weight;
  w->metric.unit = false;
  txRefineRescale(&w->refinement, &w->metric);
  return TEXLA_OK;
}

/* Corrections in single precision of a residual in double. */
static clStatus iterate(work *w, int64_t most, clSystemReport *report) {
  double gain = INFINITY;
  TRY(record(w, report));
  for (;;) {
    report->reason = judge(w, report, gain, most);
    if (report->reason == TEXLA_REASON_STAGNATED && !w->weight && report->iterations < most) {
      TRY(weigh(w));
      report->reason = TEXLA_REASON_NONE;
    }
    if (report->reason)
      break;
    TRY(correct(w, &gain));
    report->iterations++;
    TRY(record(w, report));
  }
  txRefineBest(&w->refinement, &w->metric);
  report->residual = txGoalResidual(&w->goal, w->refinement.norm);
  return TEXLA_OK;
}

/* There are no factors: x stays as it was. */
static clStatus giveUp(work *w, clReason reason, clSystemReport *report) {
  report->reason = reason;
  return record(w, report);
}

static clStatus solve(work *w, const double *b, double *x, int64_t most, clSystemReport *report) {
  TRY(txGoalSet(&w->goal, &w->null_space, b, w->A->rows, -1, w->target, w->error));
  txRefineStart(&w->refinement, w->A, w->goal.b, w->goal.norm, x, false, &w->metric, NULL);
  if (w->failed)
    return giveUp(w, w->failed, report);
  return iterate(w, most, report);
}

clStatus txDirectSolve(txDirect *w, const double *b, double *x, double target, int64_t most,
                       clSystemReport *report) {
  clContextCounters before = clContextStatistics(w->context);
  double start = txNow();
  w->target = target;
  w->metric = w->scale;
  w->weight = NULL;
  clStatus status = solve(w, b, x, most, report);
  txRefineDestroy(&w->refinement);
  free(w->weight);
  txGoalForget(&w->goal);
  report->seconds_solve = txNow() - start;
  report->method = w->method;
  report->storage = TEXLA_STORAGE_DENSE;
  snprintf(report->description, sizeof report->description,
           "dense, 2 x 2 entries in a texel, %s of %d x %d",
           byCholesky(w) ? "A = L L^T, packed," : "P A = L U", w->A->rows, w->A->cols);
  report->passes += clContextStatistics(w->context).passes - before.passes;
  report->readbacks += clContextStatistics(w->context).readbacks - before.readbacks;
  return status;
}

void txDirectDestroy(txDirect *w) {
  if (!w)
    return;
  txScalingDestroy(&w->scale);
  txNullSpaceForget(&w->null_space);
  txRowsForget(&w->rows);
  clPluDestroy(w->plu);
  clCholeskyDestroy(w->cholesky);
  clDenseDestroy(w->device);
  free(w->single);
  free(w);
}

clStatus txDirectCreate(txDirect **out, clContext *context, const clTriplets *A, clMethod method,
                        const clSystemOptions *options) {
  work *w = txAllocate(txContextError(context), call, 1, sizeof *w, "a factorization");
  if (!w)
    return TEXLA_OUT_OF_MEMORY;
  *w = (work){.context = context,
              .error = txContextError(context),
              .A = A,
              .method = method,
              .options = options};
  clStatus status = setUp(w);
  /* ends of a run, as of an iteration */
  if (w->stopped || status == TEXLA_SINGULAR) {
    w->failed = TEXLA_REASON_SINGULAR;
    if (w->stopped)
      w->failed = TEXLA_REASON_STOPPED;
    else if (byCholesky(w))
      w->failed = TEXLA_REASON_NOT_POSITIVE_DEFINITE;
    status = TEXLA_OK;
  }
  if (status)
    txDirectDestroy(w);
  else
    *out = w;
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
