/* Lower triangular factors on the host, in double: what mixed-precision iterations precondition
 * with. A factor that single precision has left inexact is still an exactly linear preconditioner
 * here, as conjugate gradients want it. */
#ifndef TEXLA_ELIMINATION_HOST_LOWER_H
#define TEXLA_ELIMINATION_HOST_LOWER_H

#include <stddef.h>

/* l_ij = value[i (i + 1) / 2 + j], j <= i. */
typedef struct txHostLower {
  /* rows held, rows allocated */
  int order, room;
  double *value;
} txHostLower;

static inline double *txHostLowerRow(const txHostLower *L, int i) {
  return L->value + (size_t)i * ((size_t)i + 1) / 2;
}

/* x <- L^-1 x */
void txHostLowerSolve(const txHostLower *L, double *x);
/* x <- L^-T x */
void txHostLowerSolveTransposed(const txHostLower *L, double *x);
/* x <- L^T x */
void txHostLowerMulTransposed(const txHostLower *L, double *x);

/* x <- L x */
void txHostLowerMul(const txHostLower *L, double *x);

/* A <- L of A = L L^T. Returns the first row whose pivot is not positive, or so small that rounding
 * in double may have made it, -1: there is none. `work` has room for a row. */
int txHostLowerFactor(const txHostLower *A, double *work);

/* Estimates of ||L L^T||_1 and ||(L L^T)^-1||_1 (norm_estimate.h). work: 2 order numbers. */
double txHostLowerNorm(const txHostLower *L, double *work);
double txHostLowerInverseNorm(const txHostLower *L, double *work);

double txHostDot(const double *x, const double *y, int n);
/* of any size of values */
double txHostNorm(const double *x, int n);

#endif
