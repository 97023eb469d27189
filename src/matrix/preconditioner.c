#include "matrix/preconditioner.h"
#include "core/allocate.h"
#include "core/try.h"
#include "matrix/matrix.h"
#include "vector/vector.h"

#include <stdlib.h>

static const char call[] = "clSolverCreate";

/* d_i <- 1 / d_i */
static clStatus preconditionerInvert(float *d, int64_t n, const clMatrix *A) {
  for (int64_t i = 0; i < n; i++) {
    if (d[i] == 0)
      return txFail(txMatrixError(A), TEXLA_SINGULAR, call,
                    "the diagonal of A is zero in row %lld to single precision: neither Jacobi "
                    "iteration nor preconditioning applies",
                    (long long)i + 1);
    d[i] = 1 / d[i];
  }
  return TEXLA_OK;
}

/* On the host, where a zero is found and named; setup may wait. */
clStatus txInverseDiagonal(clVector **out, const clMatrix *A) {
  int64_t n = clMatrixRows(A);
  clVector *inverse = *out, *fresh = NULL;
  float *d = txAllocate(txMatrixError(A), call, (size_t)n, sizeof *d, "the diagonal");
  if (!d)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  if (!inverse) {
    TRY_CLEANUP(clMatrixCreateVector(&fresh, A, TEXLA_RANGE));
    inverse = fresh;
  }
  TRY_CLEANUP(clMatrixDiagonal(inverse, A));
  TRY_CLEANUP(clVectorDownload(inverse, d));
  TRY_CLEANUP(preconditionerInvert(d, n, A));
  TRY_CLEANUP(clVectorUpload(inverse, d));
  *out = inverse;
  free(d);
  return TEXLA_OK;
cleanup:
  clVectorDestroy(fresh);
  free(d);
  return status;
}
