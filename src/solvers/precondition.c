#include "solvers/precondition.h"
#include "objects/matrix.h"
#include "objects/vector.h"
#include "solvers/amg.h"
#include "solvers/chebyshev.h"
#include "solvers/multigrid.h"

#include <stdlib.h>

static const char call[] = "clSolverCreate";

/* Of multigrid on a software renderer: up to here one thread of the host is three times as fast as passes. */
enum { HOST_POINTS = 256 * 256 };
/* An odd degree keeps the polynomial positive beyond an estimate that is too low. */
static const int default_degree = 5;
static const double chebyshev_ratio = 40;

clStatus txInverseDiagonal(clVector **out, const clMatrix *A) {
  int64_t n = clMatrixRows(A);
  clVector *inverse = NULL;
  float *d = malloc((size_t)n * sizeof *d);
  if (!d)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the diagonal");
  clStatus status = clMatrixCreateVector(&inverse, A, TEXLA_SIDE_ROWS);
  if (!status)
    status = clMatrixDiagonal(inverse, A);
  if (!status)
    status = clVectorDownload(inverse, d);
  for (int64_t i = 0; i < n && !status; i++) {
    if (d[i] == 0)
      status = txFail(txContextError(A->context), TEXLA_SINGULAR, call,
                      "the diagonal of A is zero in row %lld: neither Jacobi iteration nor preconditioning applies",
                      (long long)i + 1);
    d[i] = 1 / d[i];
  }
  if (!status)
    status = clVectorUpload(inverse, d);
  free(d);
  if (status)
    clVectorDestroy(inverse);
  else
    *out = inverse;
  return status;
}

static clStatus applyDiagonal(void *data, clVector *z, const clVector *r) {
  return clVectorMul(z, data, r);
}

static void destroyDiagonal(void *data) {
  clVectorDestroy(data);
}

static clStatus createDiagonal(txPreconditioner *out, const clMatrix *A) {
  clVector *inverse = NULL;
  clStatus status = txInverseDiagonal(&inverse, A);
  if (!status)
    *out = (txPreconditioner){applyDiagonal, destroyDiagonal, inverse};
  return status;
}

static clStatus createChebyshev(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o) {
  txChebyshev *chebyshev = NULL;
  clStatus status = txChebyshevCreate(&chebyshev, A, o->degree ? o->degree : default_degree, chebyshev_ratio);
  if (!status)
    *out = txChebyshevPreconditioner(chebyshev);
  return status;
}

static clStatus createAmg(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o) {
  txAmg *amg = NULL;
  clStatus status = txAmgCreate(&amg, A, o->host, o->near_kernel, o->cycle);
  if (!status)
    *out = txAmgPreconditioner(amg);
  return status;
}

static clStatus createMultigrid(txPreconditioner *out, const clMatrix *A, const clSolverOptions *o,
                                const txRows *rows) {
  clMultigrid *mg = NULL;
  bool given = o->grid_nx || o->grid_ny;
  if (!o->host)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call,
                  "multigrid is set up on the host: the options need A there");
  if (!A->row_layout.grid)
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call,
                  "multigrid needs a matrix whose vectors are a grid; create it with the grid's size");
  int nx = (int)A->row_layout.row, ny = (int)(A->row_layout.length / A->row_layout.row);
  if (given && (o->grid_nx != nx || o->grid_ny != ny))
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call,
                  "the grid is %d x %d, but A's vectors are a grid of %d x %d", o->grid_nx, o->grid_ny, nx, ny);
  clMultigridOptions options = {.host_points = clContextInspect(A->context)->software ? HOST_POINTS : 0,
                                .cycle = o->cycle,
                                .smoother =
                                    o->method == TEXLA_METHOD_CG ? TEXLA_SMOOTHER_CHEBYSHEV : TEXLA_SMOOTHER_HALVES};
  clStatus status = rows ? txMultigridCreate(&mg, A->context, rows, nx, ny, &options)
                         : clMultigridCreate(&mg, A->context, o->host, nx, ny, &options);
  if (!status)
    *out = txMultigridPreconditioner(mg);
  return status;
}

clStatus txPreconditionerCreate(txPreconditioner *out, const clVector **inverse, const clMatrix *A,
                                clPreconditioner kind, const clSolverOptions *options, const txRows *rows) {
  clStatus status = TEXLA_OK;
  *out = (txPreconditioner){0};
  if (inverse)
    *inverse = NULL;
  switch (kind) {
  case TEXLA_PRECONDITIONER_NONE:
    break;
  case TEXLA_PRECONDITIONER_JACOBI:
    status = createDiagonal(out, A);
    if (!status && inverse)
      *inverse = out->data;
    break;
  case TEXLA_PRECONDITIONER_CHEBYSHEV:
    status = createChebyshev(out, A, options);
    break;
  case TEXLA_PRECONDITIONER_AMG:
    status = createAmg(out, A, options);
    break;
  case TEXLA_PRECONDITIONER_MG:
    status = createMultigrid(out, A, options, rows);
    break;
  default:
    status = txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "unknown preconditioner %d", (int)kind);
  }
  return status;
}

void txPreconditionerDestroy(txPreconditioner *p) {
  if (p->destroy)
    p->destroy(p->data);
  *p = (txPreconditioner){0};
}
