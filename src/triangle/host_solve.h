/* Dense systems in double on the host: what decides where single precision cannot tell. */
#ifndef TEXLA_TRIANGLE_HOST_SOLVE_H
#define TEXLA_TRIANGLE_HOST_SOLVE_H

#include "core/error.h"

#include <stdint.h>

typedef struct txHostSystem {
  /* in whose name it fails, and where the message goes */
  const char *call;
  clError *error;
  int64_t rows, cols;
  /* column after column */
  const double *A;
  /* a square A is factored as diag(row) A diag(col); NULL: ones */
  const double *row, *col;
  /* a square A whose rcond is below counts as singular; the rank is found by it, too */
  double eps;
  /* <- an estimate of 1 / (||A||_1 ||A^-1||_1) of what is factored, 0 if a pivot is zero; 1 if A is
   * not square */
  double rcond;
  /* <- */
  int rank;
} txHostSystem;

/* X, cols x count, <- A^-1 B, all of them column after column. A square A is factored with partial
 * pivoting, as LAPACK's xGETRF does. If it is singular or not square, X is the shortest of the
 * solutions of least squares (a complete orthogonal factorization, LAPACK's xGELSY). n^3
 * operations, on one thread. */
clStatus txHostSolve(txHostSystem *s, int64_t count, const double *B, double *X);
/* X <- A^-1 for a square A; infinite if a pivot is zero. */
clStatus txHostInvert(txHostSystem *s, double *X);

#endif
