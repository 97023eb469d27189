/* Solvers over all ranks: texla's own, whose matrix is an operator over all ranks and whose sums are those of all ranks. All ranks see the
 * same sums, so they do and decide the same. */
#include "krylov/frame.h"
#include "mpi/matrix.h"

#include <math.h>

static const char call[] = "clClusterSolve";

static clStatus sum(void *user, double *values, int count) {
  clCluster *c = user;
  txSum(c, values, count, c->comm);
  return TEXLA_OK;
}

static void destroyCycle(void *data) {
  txCycleDestroy(data);
}

/* M <- what the options ask for, where it is more than a diagonal. amg: a cycle for this rank's own columns. */
static clStatus createPreconditioner(txPreconditioner *M, clClusterMatrix *A, const clSolverOptions *o) {
  clCluster *c = A->cluster;
  if (o->preconditioner == TEXLA_PRECONDITIONER_MG) {
    txCycle *cycle = NULL;
    clStatus status = txCycleCreate(&cycle, A);
    *M = (txPreconditioner){.apply = txCycleApply, .destroy = destroyCycle, .data = cycle, .cycle = true};
    return status;
  }
  if (A->grid)
    return txFail(&c->error, TEXLA_UNSUPPORTED, call, "amg is for matrices from files: a grid has mg");
  const clVector *inverse = NULL;
  clSolverOptions own = {.host = A->spread.host, .cycle = o->cycle};
  clStatus status = txPreconditionerCreate(M, &inverse, A->spread.own, TEXLA_PRECONDITIONER_AMG, &own, NULL);
  if (status)
    c->error = *clContextError(c->context);
  return clClusterAgree(c, status, &c->error);
}

static clStatus check(const clClusterMatrix *A, const clSolverOptions *o) {
  clPreconditioner p = o->preconditioner;
  if (o->method != TEXLA_METHOD_CG && o->method != TEXLA_METHOD_BICGSTAB)
    return txFail(&A->cluster->error, TEXLA_UNSUPPORTED, call, "cg and bicgstab are the methods that work over ranks");
  if (p != TEXLA_PRECONDITIONER_NONE && p != TEXLA_PRECONDITIONER_JACOBI && p != TEXLA_PRECONDITIONER_MG &&
      p != TEXLA_PRECONDITIONER_AMG)
    return txFail(&A->cluster->error, TEXLA_UNSUPPORTED, call,
                  "the preconditioners that work over ranks are none, jacobi, mg and amg");
  if (p == TEXLA_PRECONDITIONER_MG && !A->grid)
    return txFail(&A->cluster->error, TEXLA_UNSUPPORTED, call, "mg needs a grid (clClusterPoisson2d); amg does not");
  return TEXLA_OK;
}

static clStatus createSolver(clSolver **out, clClusterMatrix *A, const clSolverOptions *o) {
  if (o->preconditioner != TEXLA_PRECONDITIONER_MG && o->preconditioner != TEXLA_PRECONDITIONER_AMG) {
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

clStatus clClusterSolve(clClusterMatrix *A, clVector *x, const clVector *b, const clSolverOptions *options,
                        clSolverReport *report) {
  if (!A)
    return TEXLA_BAD_ARGUMENT;
  clSolverOptions o = options ? *options : (clSolverOptions){0};
  clSolver *solver = NULL;
  clCluster *c = A->cluster;
  clStatus status = check(A, &o);
  if (status)
    return status;
  o.sum = (clSum){sum, c};
  if (!o.max_iterations)
    o.max_iterations = 10 * clClusterMatrixRows(A);
  status = createSolver(&solver, A, &o);
  if (!status)
    status = clSolverSolve(solver, x, b, report);
  if (status < 0)
    txClusterMust(c, status);
  clSolverDestroy(solver);
  return status;
}

clStatus clClusterResidual(clClusterMatrix *A, const clVector *x, const clVector *b, double *residual) {
  if (!A || !x || !b || !residual)
    return TEXLA_BAD_ARGUMENT;
  clVector *r = NULL;
  clFloat *s = NULL;
  float value[2] = {0};
  clStatus status = clVectorCreateLike(&r, x);
  if (!status)
    status = clFloatCreate(&s, A->cluster->context);
  if (!status)
    status = txSpreadMultiply(&A->spread, r, x, b);
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
