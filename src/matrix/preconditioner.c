#include "matrix/preconditioner.h"
#include "core/allocate.h"
#include "matrix/matrix.h"
#include "vector/vector.h"

#include <stdlib.h>

static const char call[] = "clSolverCreate";

clStatus txInverseDiagonal(clVector **out, const clMatrix *A) {
  int64_t n = clMatrixRows(A);
  clVector *inverse = *out;
  float *d = txAllocate(txContextError(A->context), call, (size_t)n, sizeof *d, "the diagonal");
  if (!d)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = inverse ? TEXLA_OK : clMatrixCreateVector(&inverse, A, TEXLA_SIDE_ROWS);
  if (!status)
    status = clMatrixDiagonal(inverse, A);
  if (!status)
    status = clVectorDownload(inverse, d);
  for (int64_t i = 0; i < n && !status; i++) {
    if (d[i] == 0)
      status = txFail(txContextError(A->context), TEXLA_SINGULAR, call,
                      "the diagonal of A is zero in row %lld to single precision: neither Jacobi "
                      "iteration nor preconditioning applies",
                      (long long)i + 1);
    d[i] = 1 / d[i];
  }
  if (!status)
    status = clVectorUpload(inverse, d);
  free(d);
  if (status && !*out)
    clVectorDestroy(inverse);
  else
    *out = inverse;
  return status;
}
