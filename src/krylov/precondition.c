#include "krylov/precondition.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"
#include "gl/traits.h"
#include "krylov/incomplete.h"
#include "matrix/matrix.h"
#include "vector/vector.h"
#include "multigrid/amg.h"
#include "multigrid/chebyshev.h"
#include "multigrid/multigrid.h"

#include <stdlib.h>

static const char call[] = "clSolverCreate";

/* An odd degree keeps the polynomial positive beyond an estimate that is too low. */
static const int default_degree = 5;
static const double chebyshev_ratio = 40;

static clStatus applyDiagonal(void *data, clVector *z, const clVector *r) {
  return clVectorMul(z, data, r);
}

static void destroyDiagonal(void *data) {
  clVectorDestroy(data);
}

static clStatus updateDiagonal(void *data, const clMatrix *A, const clTriplets *host,
                               const double *near) {
  clVector *inverse = data;
  (void)host, (void)near;
  return txInverseDiagonal(&inverse, A);
}

/* A preconditioner of the caller's. */
static clStatus applyShell(void *data, clVector *z, const clVector *r) {
  const clShell *shell = data;
  clContext *context = r->context;
  txCallbackBegin(context);
  return txCallbackEnd(context, shell->apply(shell->user, z, r), call, "the preconditioner");
}

static clStatus preconditionCreateShell(txPreconditioner *out, const clMatrix *A,
                                        const clSolverOptions *o) {
  clShell *copy = txAllocate(txContextError(A->context), call, 1, sizeof *copy, "a preconditioner");
  if (!copy)
    return TEXLA_OUT_OF_MEMORY;
  *copy = o->shell;
  *out = (txPreconditioner){.apply = applyShell, .destroy = free, .data = copy};
  return TEXLA_OK;
}

static clStatus createDiagonal(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                               const txRows *rows) {
  (void)o, (void)rows;
  clVector *inverse = NULL;
  TRY(txInverseDiagonal(&inverse, A));
  *out = (txPreconditioner){.apply = applyDiagonal,
                            .destroy = destroyDiagonal,
                            .update = updateDiagonal,
                            .data = inverse};
  return TEXLA_OK;
}

static clStatus createChebyshev(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                                const txRows *rows) {
  (void)rows;
  txChebyshev *chebyshev = NULL;
  TRY(txChebyshevCreate(&chebyshev, A, o->degree ? o->degree : default_degree, chebyshev_ratio));
  *out = txChebyshevPreconditioner(chebyshev);
  return TEXLA_OK;
}

/* Points of the largest grid that the host computes. In a trace all levels are to be seen. */
static int hostPoints(const clMatrix *A, const clSolverOptions *o) {
  if (o->device_levels || txContextObserver(A->context))
    return 0;
  return txContextTraits(A->context)->points_on_host;
}

static clStatus createAmg(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                          const txRows *rows) {
  (void)rows;
  txAmg *amg = NULL;
  bool coarse_on_host = hostPoints(A, o) > 0;
  TRY(txAmgCreate(&amg, A, o->host, o->near_null_space, o->near_null_count ? o->near_null_count : 1,
                  o->cycle, coarse_on_host));
  *out = txAmgPreconditioner(amg);
  return TEXLA_OK;
}

/* The grid is that of A's vectors; options that name another one are refused. */
static clStatus preconditionCreateMultigrid(txPreconditioner *out, const clMatrix *A,
                                            const clSolverOptions *o, const txRows *rows) {
  clMultigrid *mg = NULL;
  bool given = o->grid_nx || o->grid_ny;
  if (!o->host)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call,
                  "multigrid is set up on the host: the options need A there");
  if (!A->row_layout.grid)
    return txFail(
        txContextError(A->context), TEXLA_BAD_SHAPE, call,
        "multigrid needs a matrix whose vectors are a grid; create it with the grid's size");
  int nx = (int)A->row_layout.row, ny = (int)(A->row_layout.length / A->row_layout.row);
  if (given && (o->grid_nx != nx || o->grid_ny != ny))
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call,
                  "the grid is %d x %d, but A's vectors are a grid of %d x %d", o->grid_nx,
                  o->grid_ny, nx, ny);
  clMultigridOptions options = {
      .host_points = hostPoints(A, o), .cycle = o->cycle, .smoother = TEXLA_SMOOTHER_HALVES};
  /* Conjugate gradients need a symmetric M. */
  if (o->method == TEXLA_METHOD_CG)
    options.smoother = TEXLA_SMOOTHER_CHEBYSHEV;
  if (rows)
    TRY(txMultigridCreate(&mg, A->context, rows, nx, ny, &options));
  else
    TRY(clMultigridCreate(&mg, A->context, o->host, nx, ny, &options));
  *out = txMultigridPreconditioner(mg);
  return TEXLA_OK;
}

static clStatus createIncomplete(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                                 bool symmetric) {
  if (!o->host)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call,
                  "an incomplete factorization is set up on the host: the options need A there");
  return txIncompleteCreate(
      out, A, o->host,
      &(txIncompleteOptions){.symmetric = symmetric, .triangle_sweeps = o->sweeps});
}

static clStatus createIlu0(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                           const txRows *rows) {
  (void)rows;
  return createIncomplete(out, A, o, false);
}

static clStatus createIc0(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                          const txRows *rows) {
  (void)rows;
  return createIncomplete(out, A, o, true);
}

/* What makes each. */
typedef clStatus (*creator)(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                            const txRows *rows);
static const creator creators[] = {
    [TEXLA_PRECONDITIONER_JACOBI] = createDiagonal,
    [TEXLA_PRECONDITIONER_CHEBYSHEV] = createChebyshev,
    [TEXLA_PRECONDITIONER_MG] = preconditionCreateMultigrid,
    [TEXLA_PRECONDITIONER_AMG] = createAmg,
    [TEXLA_PRECONDITIONER_ILU0] = createIlu0,
    [TEXLA_PRECONDITIONER_IC0] = createIc0,
};

clStatus txPreconditionerCreate(txPreconditioner *out, const clVector **inverse, const clMatrix *A,
                                clPreconditioner kind, const clSolverOptions *options,
                                const txRows *rows) {
  *out = (txPreconditioner){0};
  *inverse = NULL;
  if (options->shell.apply)
    return preconditionCreateShell(out, A, options);
  if (kind == TEXLA_PRECONDITIONER_NONE)
    return TEXLA_OK;
  if ((size_t)kind >= sizeof creators / sizeof *creators)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "unknown preconditioner %d",
                  (int)kind);
  TRY(creators[kind](out, A, options, rows));
  if (kind == TEXLA_PRECONDITIONER_JACOBI)
    *inverse = out->data;
  return TEXLA_OK;
}

clStatus txPreconditionerUpdate(txPreconditioner *p, const clVector **inverse, const clMatrix *A,
                                clPreconditioner kind, const clSolverOptions *options,
                                const txRows *rows) {
  if (p->update)
    return p->update(p->data, A, options->host, options->near_null_space);
  txPreconditionerDestroy(p);
  return txPreconditionerCreate(p, inverse, A, kind, options, rows);
}

void txPreconditionerDestroy(txPreconditioner *p) {
  if (p->destroy)
    p->destroy(p->data);
  *p = (txPreconditioner){0};
}
