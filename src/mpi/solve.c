/* Solvers over all ranks: texla's own, whose matrix is an operator over all ranks and whose sums
 * are those of all ranks. All ranks see the same sums, so they do and decide the same. */
#include "core/try.h"
#include "mpi/checkpoint.h"
#include "mpi/cycle.h"
#include "mpi/solve.h"

#include <math.h>
#include <string.h>

static const char call[] = "clClusterSolve";

static clStatus sum(void *user, double *values, int count) {
  clCluster *c = user;
  txSum(c, values, count, c->comm);
  return TEXLA_OK;
}

static void destroyCycle(void *data) {
  txSpreadCycleDestroy(data);
}

/* M <- what the options ask for, where it is more than a diagonal. */
static clStatus createPreconditioner(txPreconditioner *M, clClusterMatrix *A,
                                     const clSolverOptions *o) {
  bool grid = o->preconditioner == TEXLA_PRECONDITIONER_MG;
  txSpreadCycle *cycle = NULL;
  if (!grid && A->grid)
    return txFail(&A->cluster->error, TEXLA_UNSUPPORTED, call,
                  "amg is for matrices from files: a grid has mg");
  clStatus status = TEXLA_OK;
  if (grid)
    status = txGridCycleCreate(&cycle, A);
  else
    status = txAggregationCycleCreate(&cycle, A);
  *M = (txPreconditioner){
      .apply = txSpreadCycleApply, .destroy = destroyCycle, .data = cycle, .cycle = true};
  return status;
}

/* Options are the same on all ranks, and so is what is wrong with them. */
static clStatus check(const clClusterMatrix *A, const clSolverOptions *o) {
  clPreconditioner p = o->preconditioner;
  if (o->method != TEXLA_METHOD_CG && o->method != TEXLA_METHOD_BICGSTAB)
    return txFail(&A->cluster->error, TEXLA_UNSUPPORTED, call,
                  "cg and bicgstab are the methods that work over ranks");
  if (p != TEXLA_PRECONDITIONER_NONE && p != TEXLA_PRECONDITIONER_JACOBI &&
      p != TEXLA_PRECONDITIONER_MG && p != TEXLA_PRECONDITIONER_AMG)
    return txFail(&A->cluster->error, TEXLA_UNSUPPORTED, call,
                  "the preconditioners that work over ranks are none, jacobi, mg and amg");
  if (p == TEXLA_PRECONDITIONER_MG && !A->grid)
    return txFail(&A->cluster->error, TEXLA_UNSUPPORTED, call,
                  "mg is for Poisson's equation on a grid (clClusterPoisson2d); for a matrix from "
                  "a file, also of another grid problem, use amg");
  return TEXLA_OK;
}

/* The solver of this rank: the library's own, with a diagonal at most, or with cycles. They are
 * made by all ranks together, whose status is agreed on there. */
static clStatus createSolver(clSolver **out, clClusterMatrix *A, const clSolverOptions *o) {
  bool cycles =
      o->preconditioner == TEXLA_PRECONDITIONER_MG || o->preconditioner == TEXLA_PRECONDITIONER_AMG;
  clStatus status = TEXLA_OK;
  *out = NULL;
  if (cycles) {
    const txMethod *method = &txBicgstab;
    txPreconditioner M = {0};
    if (o->method == TEXLA_METHOD_CG)
      method = &txCgPreconditioned;
    TRY(createPreconditioner(&M, A, o));
    status = txSolverCreateWith(out, A->shell, o, method, M);
  } else
    status = clSolverCreate(out, A->shell, o);
  if (status)
    A->cluster->error = *clContextError(A->cluster->context);
  return clClusterAgree(A->cluster, status, &A->cluster->error);
}

clStatus txClusterSolverCreate(clSolver **out, clClusterMatrix *A, const clSolverOptions *options) {
  clSolverOptions o = *options;
  TRY(check(A, &o));
  if (o.method == TEXLA_METHOD_CG)
    TRY(txClusterMatrixLook(A));
  if (o.method == TEXLA_METHOD_CG && !A->symmetric)
    return txFail(&A->cluster->error, TEXLA_BAD_ARGUMENT, call,
                  "A is not symmetric, but conjugate gradients need a symmetric positive definite "
                  "matrix: take bicgstab (texla solve has it for one process)");
  o.sum = (clSum){sum, A->cluster};
  if (!o.max_iterations)
    o.max_iterations = 10 * clClusterMatrixRows(A);
  return createSolver(out, A, &o);
}

/* ---- Checkpoints ----------------------------------------------------------------------------- */

/* A solve that is watched: the caller's monitor, and checkpoints from time to time. */
typedef struct watch {
  clClusterMatrix *A;
  clSolver *solver;
  clVector *x;
  const clClusterCheckpoint *checkpoint;
  clMonitor monitor;
  void *user;
  /* the iteration of the last checkpoint */
  int64_t saved;
  clStatus status;
} watch;

/* x, then the method's vectors; how many. */
static int vectorsOf(const watch *w, clVector *vector[TX_CHECKPOINT_VECTORS]) {
  int count = w->solver->method->vectors;
  vector[0] = w->x;
  for (int k = 0; k < count; k++)
    vector[k + 1] = w->solver->vector[k];
  return count + 1;
}

/* x <- R^-1 x, or back: the solver's is that of R A R. */
static clStatus scale(const watch *w, bool to_solver) {
  const clVector *factor = w->A->factor;
  if (!factor)
    return TEXLA_OK;
  if (to_solver)
    return clVectorDivZ(w->x, w->x, factor);
  return clVectorMul(w->x, w->x, factor);
}

static void describe(const watch *w, txCheckpoint *p) {
  const clSolverOptions *o = &w->solver->options;
  *p = (txCheckpoint){.vectors = w->solver->method->vectors + 1};
  strncpy(p->method, clMethodName(o->method), sizeof p->method - 1);
  strncpy(p->preconditioner, clPreconditionerName(o->preconditioner), sizeof p->preconditioner - 1);
}

/* The file holds the x of A, not of R A R, so that a run with other scalings could take it up. */
static clStatus save(watch *w) {
  clVector *vector[TX_CHECKPOINT_VECTORS];
  txCheckpoint p;
  vectorsOf(w, vector);
  describe(w, &p);
  txClusterMust(w->A->cluster, txSolverStand(w->solver, &p.stand));
  w->saved = p.stand.iteration;
  /* powers of two: not a bit changes */
  txClusterMust(w->A->cluster, scale(w, false));
  clStatus status =
      txCheckpointSave(w->A, w->checkpoint->save, &p, (const clVector *const *)vector);
  txClusterMust(w->A->cluster, scale(w, true));
  return status;
}

/* The vectors stand where the iterations that were submitted have left them, on all ranks alike. */
static bool observe(void *user, int64_t iteration, double residual) {
  watch *w = user;
  if (w->checkpoint->save && w->solver->iteration >= w->saved + txCheckpointEvery(w->checkpoint))
    w->status = save(w);
  return !w->status && (!w->monitor || w->monitor(w->user, iteration, residual));
}

/* A checkpoint goes on with the method that wrote it; all ranks have read the same head. */
static clStatus resume(watch *w, const clVector *b, clSolverReport *report) {
  clCluster *c = w->A->cluster;
  const char *path = w->checkpoint->restart;
  clVector *vector[TX_CHECKPOINT_VECTORS];
  txCheckpoint p, mine;
  TRY(txCheckpointHead(w->A, path, &p));
  describe(w, &mine);
  if (strcmp(p.method, mine.method) != 0 || strcmp(p.preconditioner, mine.preconditioner) != 0 ||
      p.vectors != mine.vectors)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, call,
                  "%s is a checkpoint of %s with the preconditioner %s, not of %s with %s", path,
                  p.method, p.preconditioner, mine.method, mine.preconditioner);
  w->saved = p.stand.iteration;
  TRY(txCheckpointLoad(w->A, path, vectorsOf(w, vector), vector));
  TRY(clClusterAgree(c, scale(w, true), txContextError(c->context)));
  clStatus status = txSolverSolveFrom(w->solver, w->x, b, &p.stand, report);
  txClusterMust(c, status);
  return status;
}

/* The right-hand side of R A R: R b, in *own where that is not b. The status of all ranks. */
static clStatus scaleRight(clVector **own, const clClusterMatrix *A, const clVector *b) {
  clCluster *c = A->cluster;
  if (!A->factor)
    return TEXLA_OK;
  clStatus status = clVectorCreateLike(own, b);
  if (status == TEXLA_OK)
    status = clVectorMul(*own, b, A->factor);
  if (status)
    c->error = *clContextError(c->context);
  return clClusterAgree(c, status, &c->error);
}

/* x on the way to the solver, through it and back. Errors of single ranks end all of them, since
 * the others wait in the solver's sums. */
static clStatus solve(watch *w, const clVector *b, clSolverReport *report) {
  clCluster *c = w->A->cluster;
  clError *error = txContextError(c->context);
  clStatus status = TEXLA_OK;
  if (w->checkpoint->restart)
    status = resume(w, b, report);
  else {
    TRY(clClusterAgree(c, scale(w, true), error));
    status = clSolverSolve(w->solver, w->x, b, report);
    txClusterMust(c, status);
  }
  if (status >= 0)
    TRY(clClusterAgree(c, scale(w, false), error));
  return status;
}

clStatus clClusterSolveFrom(clClusterMatrix *A, clVector *x, const clVector *b,
                            const clSolverOptions *options, const clClusterCheckpoint *checkpoint,
                            clSolverReport *report) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  static const clClusterCheckpoint none = {0};
  clSolverOptions o = {0};
  if (options)
    o = *options;
  watch w = {
      .A = A, .x = x, .checkpoint = checkpoint, .monitor = o.monitor, .user = o.monitor_user};
  if (!checkpoint)
    w.checkpoint = &none;
  o.monitor = observe;
  o.monitor_user = &w;
  clVector *own = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txClusterSolverCreate(&w.solver, A, &o));
  TRY_CLEANUP(scaleRight(&own, A, b));
  if (own)
    b = own;
  status = solve(&w, b, report);
  if (w.status)
    status = w.status;
cleanup:
  clVectorDestroy(own);
  clSolverDestroy(w.solver);
  return status;
}

clStatus clClusterSolve(clClusterMatrix *A, clVector *x, const clVector *b,
                        const clSolverOptions *options, clSolverReport *report) {
  return clClusterSolveFrom(A, x, b, options, NULL, report);
}

/* *value <- v . v of this rank */
static clStatus square(double *value, clFloat *s, const clVector *v) {
  float single;
  TRY(clVectorDot(s, v, v));
  TRY(clFloatDownload(s, &single));
  *value = (double)single;
  return TEXLA_OK;
}

/* own <- (b - A x) . (b - A x) and b . b of this rank, where r is A x. */
static clStatus squares(double own[2], clFloat *s, clVector *r, const clVector *b) {
  TRY(clVectorAdd(r, -1, NULL, r, 1, NULL, b));
  TRY(square(&own[0], s, r));
  return square(&own[1], s, b);
}

/* Scratch of this rank. */
static clStatus createScratch(clVector **r, clFloat **s, const clVector *x) {
  TRY(clVectorCreateLike(r, x));
  return clFloatCreate(s, clVectorContext(x));
}

/* All ranks agree before the product, within it, and before they sum up. */
clStatus clClusterResidual(clClusterMatrix *A, const clVector *x, const clVector *b,
                           double *residual) {
  if (!A || !x || !b || !residual)
    return TEXLA_BAD_ARGUMENT;
  clCluster *c = A->cluster;
  clError *error = txContextError(c->context);
  clVector *r = NULL;
  clFloat *s = NULL;
  double sums[2] = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, createScratch(&r, &s, x), error));
  TRY_CLEANUP(clClusterMatrixMultiply(r, A, x));
  TRY_CLEANUP(clClusterAgree(c, squares(sums, s, r, b), error));
  txSum(c, sums, 2, c->comm);
  if (sums[1] > 0)
    sums[0] /= sums[1];
  *residual = sqrt(sums[0]);
cleanup:
  clVectorDestroy(r);
  clFloatDestroy(s);
  return status;
}
