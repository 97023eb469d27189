/* A Cholesky factor for computations in double on the host. */
#ifndef TEXLA_TRIANGLE_CHOLESKY_HOST_H
#define TEXLA_TRIANGLE_CHOLESKY_HOST_H

#include "triangle/cholesky.h"
#include "elimination/host_lower.h"

/* *out <- L of A = L L^T; the caller frees out->value. Blocks. */
clStatus txCholeskyDownload(const clCholesky *cholesky, const char *call, txHostLower *out);

#endif
