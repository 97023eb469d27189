/* clCholesky inside. */
#ifndef TEXLA_DENSE_CHOLESKY_H
#define TEXLA_DENSE_CHOLESKY_H

#include "dense/lower.h"
#include "texla/cholesky.h"

struct clCholesky {
  clContext *context;
  int order;
  clCholeskyOptions options;
  txTexture *factor; /* of S A S, 2 x 2 packed, folded where packed; NULL before the first factorization */
  txTexture *scale;  /* S, powers of two: texel k holds s_2k, s_2k+1 */
  float *diagonal;   /* pairs: l_ii and s_i, on the host */
};

/* The factor as it is held: of S A S. */
txLower txCholeskyFactorOf(const clCholesky *cholesky);
/* Fails unless there is a factor. */
clStatus txCholeskyReady(const clCholesky *cholesky, const char *call);
/* X <- A^-1 X for n numbers on the host, through `device`, n x 1. */
clStatus txCholeskySolveVector(const clCholesky *cholesky, clDense *device, float *x);
/* clCholeskyFactor for any storage of A. */
clStatus txCholeskyFactor(clCholesky *cholesky, const char *call, const txLower *A, clCholeskyReport *report);

#endif
