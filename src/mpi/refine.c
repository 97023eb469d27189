/* Refinement over all ranks: what system/refine.h does, with residuals of the matrix as it was read
 * or made, in double, and corrections that one solver finds in single precision. */
#include "core/try.h"
#include "mpi/checkpoint.h"
#include "mpi/solve.h"
#include "system/null_space.h"
#include "system/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterRefine";
/* of a correction: single precision gives no more */
static const double least_tolerance = 1e-6;

typedef struct refining {
  clClusterMatrix *A;
  const clClusterCheckpoint *checkpoint;
  /* the caller's */
  clMonitor monitor;
  void *monitor_user;
  txRefinement core;
  txRanks ranks;
  /* with room for the halo; this rank's right-hand side; x on its way to a file */
  double *x, *b, *saving;
  float *single;
  clVector *d, *right;
  clSolver *solver;
  /* of b without what is known to be out of reach */
  txGoal goal;
  /* what a correction can be expected to give */
  double floor;
  /* iterations, those of the runs before with them; at the last checkpoint */
  int64_t most, done, saved;
  /* of the checkpoints */
  clStatus status;
  clClusterRefineReport report;
} refining;

/* ---- Ranks ----------------------------------------------------------------------------------- */

/* x of other ranks behind the own ones. */
static void fetch(void *user, double *x) {
  clClusterMatrix *A = user;
  txHalo *h = &A->spread.halo;
  const double *others = txHaloFetch(h, x);
  memcpy(x + txSpreadOwnColumns(&A->spread), others, (size_t)h->received * sizeof *x);
}

static void sum(void *user, double *values, int count) {
  const clClusterMatrix *A = user;
  txSum(A->cluster, values, count, A->cluster->comm);
}

static double normOf(const refining *f, const double *v) {
  double own = txNorm(v, f->A->spread.local), square = own * own;
  txSum(f->A->cluster, &square, 1, f->A->cluster->comm);
  return sqrt(square);
}

/* ---- Checkpoints ----------------------------------------------------------------------------- */

/* x, with what the correction has come to so far. */
static clStatus save(refining *f, int64_t iterations) {
  int64_t n = f->A->spread.local;
  const double *col = f->A->scale.col;
  txCheckpoint p = {.vectors = 1,
                    .wide = true,
                    .method = "refine",
                    .preconditioner = "-",
                    .stand.iteration = iterations};
  txClusterMust(f->A->cluster, clVectorDownload(f->d, f->single));
  for (int64_t i = 0; i < n; i++)
    f->saving[i] = f->x[i] + f->core.scaled_norm * col[i] * (double)f->single[i];
  f->saved = iterations;
  return txCheckpointSaveWide(f->A, f->checkpoint->save, &p, f->saving);
}

/* Is a checkpoint wanted, and the last one long ago? */
static bool isDue(const refining *f, int64_t iterations) {
  return f->checkpoint->save && iterations >= f->saved + txCheckpointEvery(f->checkpoint);
}

/* The caller's monitor hears of all iterations and of the residual of the whole, in parts of b. */
static bool observe(void *user, int64_t iteration, double residual) {
  refining *f = user;
  int64_t now = f->done + f->solver->iteration;
  if (isDue(f, now))
    f->status = save(f, now);
  double factor = 1;
  if (f->goal.b_norm > 0)
    factor = f->core.norm / f->goal.b_norm;
  return !f->status &&
         (!f->monitor || f->monitor(f->monitor_user, f->done + iteration, residual * factor));
}

static clStatus restart(refining *f) {
  const char *path = f->checkpoint->restart;
  txCheckpoint p;
  if (!path)
    return TEXLA_OK;
  TRY(txCheckpointHead(f->A, path, &p));
  TRY(txCheckpointLoadWide(f->A, path, &p, f->x));
  f->done = f->saved = p.stand.iteration;
  return TEXLA_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Was the negative curvature that conjugate gradients met there in double, too? If not, single
 * precision is at its end. */
static void checkCurvature(const refining *f, clReason *reason) {
  clCluster *c = f->A->cluster;
  if (*reason != TEXLA_REASON_NOT_POSITIVE_DEFINITE)
    return;
  txClusterMust(c, txSolverDirections(f->solver, 1, (clVector *[]){f->right}));
  txClusterMust(c, clVectorDownload(f->right, f->single));
  double curvature = txRefineCurvature(&f->core, &f->A->scale, f->single);
  if (curvature > 0)
    *reason = TEXLA_REASON_STAGNATED;
}

/* One correction; *gain <- how many times smaller the residual is. The status of all ranks. */
static clStatus correct(refining *f, double *gain) {
  clCluster *c = f->A->cluster;
  clError *error = txContextError(c->context);
  clSolverReport one = {0};
  const clVector *right = f->right;
  double tolerance = txRefineTolerance(f->goal.limit / f->core.norm, f->floor);
  txClusterMust(c, txRefineNarrow(&f->core, &f->A->scale, f->single, error));
  txClusterMust(c, clVectorUpload(f->right, f->single));
  txClusterMust(c, clVectorClear(f->d));
  f->solver->options.max_iterations = f->most - f->done;
  txClusterMust(c, txSolverSolveColumns(f->solver, 1, &f->d, &right, &tolerance, &one));
  f->report.reason = one.reason;
  f->report.rounds++;
  f->done += one.iterations;
  txClusterMust(c, clVectorDownload(f->d, f->single));
  txClusterMust(c, txRefineStep(&f->core, &f->A->scale, f->single, gain, error));
  /* it is in x */
  txClusterMust(c, clVectorClear(f->d));
  checkCurvature(f, &f->report.reason);
  return f->status;
}

/* Is A r zero to working precision, r = b - A x, for a symmetric A? Then no x has a smaller
 * residual. Rows of A are scaled to length 1. */
static bool isLeastSquares(const refining *f) {
  txSpread *A = &f->A->spread;
  const clTriplets *T = A->host;
  size_t n = (size_t)T->rows;
  double *r = txClusterAllocate(f->A->cluster, 3 * n, sizeof *r, "refinement"), *g = r + n,
         *squares = g + n;
  double sums[2] = {0};
  txSpreadMultiplyHost(A, r, f->x);
  for (int64_t i = 0; i < A->local; i++)
    r[i] = f->b[i] - r[i];
  txSpreadMultiplyHost(A, g, r);
  for (int64_t k = 0; k < T->count; k++)
    squares[T->row[k]] += T->value[k] * T->value[k];
  for (int64_t i = 0; i < A->local; i++) {
    if (squares[i] > 0)
      sums[0] += g[i] / squares[i] * g[i];
    sums[1] += r[i] * r[i];
  }
  txSum(f->A->cluster, sums, 2, f->A->cluster->comm);
  free(r);
  return sqrt(sums[0]) <= 1e-8 * sqrt(sums[1]);
}

/* Why there is no further round, where the last one's `gain` is known. */
static clReason reasonOf(const refining *f, double gain) {
  clReason reason = f->report.reason;
  if (f->core.norm <= f->goal.limit)
    reason = txGoalReached(&f->goal);
  else if (reason == TEXLA_REASON_CONVERGED && gain < 2)
    reason = TEXLA_REASON_STAGNATED;
  else if (reason == TEXLA_REASON_CONVERGED)
    reason = TEXLA_REASON_MAX_ITERATIONS;
  bool ended = reason != TEXLA_REASON_CONVERGED && reason != TEXLA_REASON_STOPPED;
  if (ended && f->solver->method != &txBicgstab && isLeastSquares(f))
    return TEXLA_REASON_INCONSISTENT;
  return reason;
}

/* Rounds until the residual is small, falls no longer, or there have been iterations enough. All
 * ranks have the same norms, and so the same number of rounds; statuses are those of all ranks. */
static clStatus rounds(refining *f) {
  double gain = INFINITY;
  f->floor = least_tolerance;
  f->report.reason = TEXLA_REASON_CONVERGED;
  while (f->core.norm > f->goal.limit && f->done < f->most && gain >= 2 &&
         f->report.reason != TEXLA_REASON_STOPPED) {
    TRY(correct(f, &gain));
    f->floor = fmax(f->floor, 0.3 / gain);
    if (f->core.norm > f->goal.limit && isDue(f, f->done))
      TRY(save(f, f->done));
  }
  txRefineBest(&f->core, &f->A->scale);
  f->report.residual = txGoalResidual(&f->goal, f->core.norm);
  f->report.reason = reasonOf(f, gain);
  if (f->report.reason != TEXLA_REASON_CONVERGED)
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

/* ---- Setup ----------------------------------------------------------------------------------- */

/* A rank without rows has an element that is zero. */
static clStatus allocate(refining *f) {
  clCluster *c = f->A->cluster;
  clError *error = &c->error;
  size_t n = (size_t)f->A->spread.local + 1, columns = (size_t)f->A->spread.host->cols;
  f->x = txAllocate(error, call, columns, sizeof *f->x, "refinement");
  f->b = txAllocate(error, call, n, sizeof *f->b, "refinement");
  f->saving = txAllocate(error, call, n, sizeof *f->saving, "refinement");
  f->single = txAllocate(error, call, n, sizeof *f->single, "refinement");
  if (!f->x || !f->b || !f->saving || !f->single)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clClusterMatrixCreateVector(&f->d, f->A);
  if (status == TEXLA_OK)
    status = clClusterMatrixCreateVector(&f->right, f->A);
  if (status)
    c->error = *clContextError(c->context);
  return status;
}

/* Where all rows of a symmetric matrix sum to zero, the constant part of b is out of reach, as in
 * clSystemSolve. */
static void setGoal(refining *f, const clSolverOptions *o) {
  clClusterMatrix *A = f->A;
  clCluster *c = A->cluster;
  int64_t n = A->spread.local, all = clClusterMatrixRows(A);
  double largest, other = n && !txRowsSumToZero(A->spread.host, &largest), total = 0;
  double tolerance = 1e-12;
  if (o->tolerance > 0)
    tolerance = o->tolerance;
  txGoal *g = &f->goal;
  g->b_norm = normOf(f, f->b);
  g->wanted = g->limit = fmax(tolerance * g->b_norm, o->absolute);
  txMaximum(c, &other, 1, c->comm);
  if (other > 0 || o->method != TEXLA_METHOD_CG)
    return;
  for (int64_t i = 0; i < n; i++)
    total += f->b[i];
  txSum(c, &total, 1, c->comm);
  for (int64_t i = 0; i < n; i++)
    f->b[i] -= total / (double)all;
  g->outside = fabs(total) / sqrt((double)all);
  if (g->outside <= 0.99 * g->wanted)
    g->limit = sqrt((g->wanted - g->outside) * (g->wanted + g->outside));
}

static clStatus setUp(refining *f, const double *x, const double *b,
                      const clSolverOptions *options) {
  clClusterMatrix *A = f->A;
  clCluster *c = A->cluster;
  TRY(txClusterMatrixKeep(A));
  TRY(clClusterAgree(c, allocate(f), &c->error));
  if (A->spread.local) {
    memcpy(f->x, x, (size_t)A->spread.local * sizeof *x);
    memcpy(f->b, b, (size_t)A->spread.local * sizeof *b);
  }
  TRY(restart(f));
  clSolverOptions o = *options;
  f->monitor = o.monitor;
  f->monitor_user = o.monitor_user;
  f->most = o.max_iterations;
  if (!f->most)
    f->most = 10 * clClusterMatrixRows(A);
  o.monitor = observe;
  o.monitor_user = f;
  o.absolute = 0;
  /* each correction has its own */
  o.tolerance = 0.1;
  TRY(txClusterSolverCreate(&f->solver, A, &o));
  setGoal(f, options);
  f->ranks = (txRanks){fetch, sum, A};
  txRefineStart(&f->core, A->spread.host, f->b, normOf(f, f->b), f->x, false, &A->scale, &f->ranks);
  return TEXLA_OK;
}

clStatus clClusterRefineFrom(clClusterMatrix *A, double *x, const double *b,
                             const clSolverOptions *options, const clClusterCheckpoint *checkpoint,
                             clClusterRefineReport *report) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  static const clClusterCheckpoint none = {0};
  clSolverOptions o = {0};
  if (options)
    o = *options;
  refining f = {.A = A, .checkpoint = checkpoint};
  if (!checkpoint)
    f.checkpoint = &none;
  clStatus status = TEXLA_OK;
  if (A->spread.local && (!x || !b))
    status = txFail(&c->error, TEXLA_BAD_ARGUMENT, call, "x and b must not be NULL");
  TRY_CLEANUP(clClusterAgree(c, status, &c->error));
  TRY_CLEANUP(setUp(&f, x, b, &o));
  status = rounds(&f);
  f.report.iterations = f.done;
  if (status >= 0 && A->spread.local)
    memcpy(x, f.x, (size_t)A->spread.local * sizeof *x);
  if (status >= 0 && report)
    *report = f.report;
cleanup:
  txRefineDestroy(&f.core);
  clSolverDestroy(f.solver);
  clVectorDestroy(f.d);
  clVectorDestroy(f.right);
  free(f.single);
  free(f.saving);
  free(f.b);
  free(f.x);
  return status;
}

clStatus clClusterRefine(clClusterMatrix *A, double *x, const double *b,
                         const clSolverOptions *options, clClusterRefineReport *report) {
  return clClusterRefineFrom(A, x, b, options, NULL, report);
}
