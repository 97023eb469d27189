/* What PLU, Cholesky and Crout do with their factors alike: solutions on the device, the norm of
 * the inverse, and systems in double by iterative refinement.
 *
 * x <- x + d, where the factors solve op(A) d = b - op(A) x, as long as that halves the
 * componentwise backward error. Where it does not, because the factors are too far from A,
 * corrections become search directions of the generalized conjugate residual method (Eisenstat,
 * Elman and Schultz 1983): each is made orthogonal to those before in the residual, measured in
 * units of |A| |x| + |b|, and taken as far as it helps. All right-hand sides are corrected at once,
 * those that have ended drop out. */
#ifndef TEXLA_ELIMINATION_REFINEMENT_H
#define TEXLA_ELIMINATION_REFINEMENT_H

#include "dense/dense.h"

/* What a factorization offers. */
typedef struct txFactor {
  clContext *context;
  const char *call;
  int n;
  const void *factor;
  /* Y <- op(A)^-1 Y, or with `scaled` op(S)^-1 Y, S = R A C being what was factored. */
  clStatus (*solve)(const void *factor, const char *call, clTranspose op, bool scaled, clDense *Y);
  /* R and C; NULL: ones */
  const double *row, *col;
} txFactor;

/* X <- op(A)^-1 B; X may be B. Everything is checked but that the factors are ready; after a
 * failure X is as it was. */
clStatus txFactorSolve(const txFactor *f, clTranspose op, clDense *X, const clDense *B);
/* *norm <- an estimate of ||op(S)^-1||_1. Blocks. */
clStatus txFactorInverseNorm(const txFactor *f, clTranspose op, double *norm);
/* x: in: start values, out: solutions of op(A) x = b, with A on the host, compressed, and residuals
 * in double there, on several threads and of up to eight vectors at once. All that comes from
 * callers is checked. TEXLA_NOT_CONVERGED where a solution misses the tolerance; after other
 * failures x is as it was. `reports` may be NULL. Blocks. */
clStatus txRefineTriplets(const txFactor *f, clTranspose op, const clTriplets *A, int count,
                          double *x, const double *b, const clRefineOptions *options,
                          clRefineReport *reports);

/* One that watches: factors of diag(row) A diag(col) solve for corrections, and of vector k, of
 * which b - A x = r has the componentwise backward error `error` after so many corrections, `tell`
 * says: 0 go on, 1 this x is the solution, -1 end with the best one. */
typedef struct txWatch {
  int (*tell)(void *user, int k, const double *r, double error, int corrections);
  void *user;
  const double *row, *col;
} txWatch;
clStatus txRefineWatched(const txFactor *f, const clTriplets *A, int count, double *x,
                         const double *b, const clRefineOptions *options, const txWatch *watch);

#endif
