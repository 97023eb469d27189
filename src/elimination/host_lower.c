#include "elimination/host_lower.h"
#include "core/numbers.h"
#include "elimination/norm_estimate.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LANES = 8 };

/* In lanes, so that the compiler may use vectors without changing the sum's order from machine
 * to machine. */
double txHostDot(const double *x, const double *y, int n) {
  double sum[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++)
      sum[k] += x[i + k] * y[i + k];
  for (; i < n; i++)
    sum[0] += x[i] * y[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Divided by the largest first, so that no square overflows or vanishes. */
double txHostNorm(const double *x, int n) {
  double largest = 0, sum = 0;
  for (int i = 0; i < n; i++)
    largest = txLarger(largest, fabs(x[i]));
  if (!(largest > 0) || isinf(largest))
    return largest;
  for (int i = 0; i < n; i++)
    sum += x[i] / largest * (x[i] / largest);
  return largest * sqrt(sum);
}

void txHostLowerSolve(const txHostLower *L, double *x) {
  for (int i = 0; i < L->order; i++) {
    const double *row = txHostLowerRow(L, i);
    x[i] = (x[i] - txHostDot(row, x, i)) / row[i];
  }
}

void txHostLowerSolveTransposed(const txHostLower *L, double *x) {
  for (int i = L->order - 1; i >= 0; i--) {
    const double *row = txHostLowerRow(L, i);
    x[i] /= row[i];
    for (int j = 0; j < i; j++)
      x[j] -= row[j] * x[i];
  }
}

void txHostLowerMulTransposed(const txHostLower *L, double *x) {
  /* x_j for j > i still waits */
  for (int i = 0; i < L->order; i++) {
    const double *row = txHostLowerRow(L, i);
    double value = x[i];
    x[i] = 0;
    for (int j = 0; j <= i; j++)
      x[j] += row[j] * value;
  }
}

void txHostLowerMul(const txHostLower *L, double *x) {
  for (int i = L->order - 1; i >= 0; i--)
    x[i] = txHostDot(txHostLowerRow(L, i), x, i + 1);
}

/* How far rounding may have moved the pivot of row i, the Schur complement that is left of a_ii.
 * Computed factors are those of A + E with |e_jk| <= (n + 1) eps sqrt(a_jj a_kk) (Higham, Accuracy
 * and Stability of Numerical Algorithms, 10.1). The pivot is v^T (A + E) v for v = (-w, 1),
 * w = L^-T l_i, so that E moves it by at most (n + 1) eps (sum_j |v_j| sqrt(a_jj))^2. */
static double pivotRounding(const txHostLower *A, int i, double given, double *w) {
  const double *row = txHostLowerRow(A, i);
  txHostLower above = {.order = i, .value = A->value};
  double sum = sqrt(given);
  memcpy(w, row, (size_t)i * sizeof *w);
  txHostLowerSolveTransposed(&above, w);
  for (int j = 0; j < i; j++) {
    const double *before = txHostLowerRow(A, j);
    sum += fabs(w[j]) * sqrt(txHostDot(before, before, j + 1));
  }
  return (A->order + 1) * DBL_EPSILON * sum * sum;
}

/* Row by row (Cholesky-Banachiewicz): l_ij = (a_ij - sum_k l_ik l_jk) / l_jj. The bound of rounding
 * costs as much as a row, and is asked for only where a pivot is small. */
int txHostLowerFactor(const txHostLower *A, double *work) {
  const double small = 1e-6;
  for (int i = 0; i < A->order; i++) {
    double *row = txHostLowerRow(A, i), given = row[i];
    for (int j = 0; j < i; j++) {
      const double *before = txHostLowerRow(A, j);
      row[j] = (row[j] - txHostDot(row, before, j)) / before[j];
    }
    double pivot = given - txHostDot(row, row, i);
    if (!(pivot > 0))
      return i;
    if (pivot < small * given && pivot <= pivotRounding(A, i, given, work))
      return i;
    row[i] = sqrt(pivot);
  }
  return -1;
}

/* x <- L L^T x */
static clStatus hostLowerMultiply(void *user, bool transposed, double *x) {
  (void)transposed;
  txHostLowerMulTransposed(user, x);
  txHostLowerMul(user, x);
  return TEXLA_OK;
}

static clStatus hostLowerSolve(void *user, bool transposed, double *x) {
  (void)transposed;
  txHostLowerSolve(user, x);
  txHostLowerSolveTransposed(user, x);
  return TEXLA_OK;
}

static double hostLowerNormOf(const txHostLower *L, txApply apply, double *work) {
  txHostLower same = *L;
  double norm = 0;
  txNormEstimate(&norm, L->order, apply, &same, work);
  return norm;
}

double txHostLowerNorm(const txHostLower *L, double *work) {
  return hostLowerNormOf(L, hostLowerMultiply, work);
}

double txHostLowerInverseNorm(const txHostLower *L, double *work) {
  return hostLowerNormOf(L, hostLowerSolve, work);
}
