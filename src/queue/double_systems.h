/* Dense systems in double on the host: what decides where single precision cannot tell. */
#ifndef TEXLA_QUEUE_DOUBLE_SYSTEMS_H
#define TEXLA_QUEUE_DOUBLE_SYSTEMS_H

#include "queue/operations.h"

/* What becomes of a matrix whose reciprocal condition number in the 1-norm is below `eps`: an
 * error, or a note in Octave's words, and its answer. */
typedef struct txSingular {
  double eps;
  bool tolerated;
} txSingular;

/* X, n x count, <- A^-1 B for an m x n matrix A, all of them column after column. A square A is
 * factored with partial pivoting, as LAPACK's xGETRF does. Where it is singular, and that is
 * tolerated, and where A is rectangular, X is the shortest of the solutions of least squares (a
 * complete orthogonal factorization, LAPACK's xGELSY), with the rank that `eps` gives. n^3
 * operations, on one thread. */
clStatus txDoubleSolve(txCall *call, txShape a, const double *A, int64_t count, const double *B,
                       double *X, txSingular singular);

/* X <- A^-1 for A n x n; where a singular one is tolerated, infinite where a pivot is zero. */
clStatus txDoubleInverse(txCall *call, int64_t n, const double *A, double *X, txSingular singular);

#endif
