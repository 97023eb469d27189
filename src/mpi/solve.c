/* Solvers over all ranks: texla's own, whose matrix is an operator over all ranks and whose sums
 * are those of all ranks. All ranks see the same sums, so they do and decide the same. */
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
  clStatus status = grid ? txGridCycleCreate(&cycle, A) : txAggregationCycleCreate(&cycle, A);
  *M = (txPreconditioner){
      .apply = txSpreadCycleApply, .destroy = destroyCycle, .data = cycle, .cycle = true};
  return status;
}

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
                  "a file, also of another grid "
                  "problem, use amg");
  return TEXLA_OK;
}

static clStatus createSolver(clSolver **out, clClusterMatrix *A, const clSolverOptions *o) {
  *out = NULL;
  if (o->preconditioner != TEXLA_PRECONDITIONER_MG &&
      o->preconditioner != TEXLA_PRECONDITIONER_AMG) {
    clStatus status = clSolverCreate(out, A->shell, o);
    if (status)
      A->cluster->error = *clContextError(A->cluster->context);
    return clClusterAgree(A->cluster, status, &A->cluster->error);
  }
  txPreconditioner M = {0};
  clStatus status = createPreconditioner(&M, A, o);
  if (status)
    return status;
  const txMethod *method = o->method == TEXLA_METHOD_CG ? &txCgPreconditioned : &txBicgstab;
  status = txSolverCreateWith(out, A->shell, o, method, M);
  if (status)
    A->cluster->error = *clContextError(A->cluster->context);
  return clClusterAgree(A->cluster, status, &A->cluster->error);
}

clStatus txClusterSolverCreate(clSolver **out, clClusterMatrix *A, const clSolverOptions *options) {
  clSolverOptions o = *options;
  clStatus status = check(A, &o);
  if (!status && o.method == TEXLA_METHOD_CG)
    status = txClusterMatrixLook(A);
  if (!status && o.method == TEXLA_METHOD_CG && !A->symmetric)
    status =
        txFail(&A->cluster->error, TEXLA_BAD_ARGUMENT, call,
               "A is not symmetric, but conjugate gradients need a symmetric positive definite "
               "matrix: take bicgstab (texla solve has it for one process)");
  o.sum = (clSum){sum, A->cluster};
  if (!o.max_iterations)
    o.max_iterations = 10 * clClusterMatrixRows(A);
  return status ? status : createSolver(out, A, &o);
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
  return to_solver ? clVectorDivZ(w->x, w->x, factor) : clVectorMul(w->x, w->x, factor);
}

static void describe(const watch *w, txCheckpoint *p) {
  const clSolverOptions *o = &w->solver->options;
  *p = (txCheckpoint){.vectors = w->solver->method->vectors + 1};
  strncpy(p->method, clMethodName(o->method), sizeof p->method - 1);
  strncpy(p->preconditioner, clPreconditionerName(o->preconditioner), sizeof p->preconditioner - 1);
}

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
  int64_t every = w->checkpoint->every > 0 ? w->checkpoint->every : 100;
  if (w->checkpoint->save && w->solver->iteration >= w->saved + every)
    w->status = save(w);
  return !w->status && (!w->monitor || w->monitor(w->user, iteration, residual));
}

static clStatus resume(watch *w, const clVector *b, clSolverReport *report) {
  clCluster *c = w->A->cluster;
  const char *path = w->checkpoint->restart;
  clVector *vector[TX_CHECKPOINT_VECTORS];
  txCheckpoint p, mine;
  clStatus status = txCheckpointHead(w->A, path, &p);
  if (status)
    return status;
  describe(w, &mine);
  if (strcmp(p.method, mine.method) != 0 || strcmp(p.preconditioner, mine.preconditioner) != 0 ||
      p.vectors != mine.vectors)
    return txFail(&c->error, TEXLA_BAD_ARGUMENT, call,
                  "%s is a checkpoint of %s with the preconditioner %s, not of %s with %s", path,
                  p.method, p.preconditioner, mine.method, mine.preconditioner);
  status = txCheckpointLoad(w->A, path, vectorsOf(w, vector), vector);
  w->saved = p.stand.iteration;
  if (status)
    return status;
  txClusterMust(c, scale(w, true));
  txClusterMust(c, status = txSolverSolveFrom(w->solver, w->x, b, &p.stand, report));
  return status;
}

/* The right-hand side of R A R: R b, in *own where that is not b. The status of all ranks. */
static clStatus scaleRight(clVector **own, const clClusterMatrix *A, const clVector *b) {
  clCluster *c = A->cluster;
  if (!A->factor)
    return TEXLA_OK;
  clStatus status = clVectorCreateLike(own, b);
  if (!status)
    status = clVectorMul(*own, b, A->factor);
  if (status)
    c->error = *clContextError(c->context);
  return clClusterAgree(c, status, &c->error);
}

clStatus clClusterSolveFrom(clClusterMatrix *A, clVector *x, const clVector *b,
                            const clSolverOptions *options, const clClusterCheckpoint *checkpoint,
                            clSolverReport *report) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clSolverOptions o = options ? *options : (clSolverOptions){0};
  clCluster *c = A->cluster;
  clVector *own = NULL;
  clClusterCheckpoint none = {0};
  watch w = {.A = A,
             .x = x,
             .checkpoint = checkpoint ? checkpoint : &none,
             .monitor = o.monitor,
             .user = o.monitor_user};
  o.monitor = observe;
  o.monitor_user = &w;
  clStatus status = txClusterSolverCreate(&w.solver, A, &o);
  if (!status)
    status = scaleRight(&own, A, b);
  const clVector *right = own ? own : b;
  if (!status && w.checkpoint->restart) {
    status = resume(&w, right, report);
  } else if (!status) {
    txClusterMust(c, scale(&w, true));
    txClusterMust(c, status = clSolverSolve(w.solver, x, right, report));
  }
  if (status >= 0)
    txClusterMust(c, scale(&w, false));
  clVectorDestroy(own);
  clSolverDestroy(w.solver);
  return w.status ? w.status : status;
}

clStatus clClusterSolve(clClusterMatrix *A, clVector *x, const clVector *b,
                        const clSolverOptions *options, clSolverReport *report) {
  return clClusterSolveFrom(A, x, b, options, NULL, report);
}

clStatus clClusterResidual(clClusterMatrix *A, const clVector *x, const clVector *b,
                           double *residual) {
  if (!A || !x || !b || !residual)
    return TEXLA_BAD_ARGUMENT;
  clVector *r = NULL;
  clFloat *s = NULL;
  float value[2] = {0};
  clStatus status = clVectorCreateLike(&r, x);
  if (!status)
    status = clFloatCreate(&s, A->cluster->context);
  if (!status)
    status = clClusterMatrixMultiply(r, A, x);
  if (!status)
    status = clVectorAdd(r, -1, NULL, r, 1, NULL, b);
  const clVector *of[2] = {r, b};
  for (int k = 0; k < 2 && !status; k++) {
    status = clVectorDot(s, of[k], of[k]);
    if (!status)
      status = clFloatDownload(s, &value[k]);
  }
  clVectorDestroy(r);
  clFloatDestroy(s);
  txClusterMust(A->cluster, status);
  double sums[2] = {(double)value[0], (double)value[1]};
  txSum(A->cluster, sums, 2, A->cluster->comm);
  *residual = sums[1] > 0 ? sqrt(sums[0] / sums[1]) : sqrt(sums[0]);
  return TEXLA_OK;
}
