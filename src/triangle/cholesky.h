/* clCholesky inside. */
#ifndef TEXLA_TRIANGLE_CHOLESKY_H
#define TEXLA_TRIANGLE_CHOLESKY_H

#include "triangle/lower.h"
#include "elimination/refinement.h"
#include "texla/cholesky.h"

struct clCholesky {
  clContext *context;
  int order;
  clCholeskyOptions options;
  /* no tolerance was given: what is near it is decided in double */
  bool decides;
  /* of S A S, 2 x 2 packed, folded where packed; NULL before the first factorization */
  txTexture *factor;
  /* S, powers of two: texel k holds s_2k, s_2k+1 */
  txTexture *scale;
  /* l_ii and s_i on the host, one allocation */
  double *diagonal, *scales;
};

/* The factor as it is held: of S A S. */
txLower txCholeskyFactorOf(const clCholesky *cholesky);
/* Fails unless there is a factor. */
clStatus txCholeskyReady(const clCholesky *cholesky, const char *call);
/* The factor as refinement sees it; there must be one. */
txFactor txCholeskyFactorization(const clCholesky *cholesky, const char *call);
/* clCholeskyFactor for any storage of A. */
clStatus txCholeskyFactor(clCholesky *cholesky, const char *call, const txLower *A,
                          clCholeskyReport *report);

#endif
