/* A Cholesky factor for computations in double on the host. */
#ifndef TEXLA_TRIANGLE_CHOLESKY_HOST_H
#define TEXLA_TRIANGLE_CHOLESKY_HOST_H

#include "triangle/cholesky.h"
#include "elimination/host_lower.h"

/* *out <- L of A = L L^T; the caller frees out->value. Blocks. */
clStatus txCholeskyDownload(const clCholesky *cholesky, const char *call, txHostLower *out);
/* *column <- -1, or the first column of A without a positive pivot: the factor's smallest pivots
 * may be what rounding has left of zeros, and then A is factored again in double. Blocks. */
clStatus txCholeskyDecide(const clCholesky *cholesky, const char *call, const txLower *A,
                          int *column);

#endif
