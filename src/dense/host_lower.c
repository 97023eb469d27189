#include "dense/host_lower.h"

#include <math.h>
#include <stdbool.h>

enum { LANES = 8 };

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

double txHostNorm(const double *x, int n) {
  double largest = 0, sum = 0;
  for (int i = 0; i < n; i++)
    largest = fabs(x[i]) <= largest ? largest : fabs(x[i]); /* NaN stays */
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
  for (int i = 0; i < L->order; i++) { /* x_j for j > i still waits */
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

/* x <- L L^T x, or its inverse */
static void apply(const txHostLower *L, bool inverse, double *x) {
  if (inverse) {
    txHostLowerSolve(L, x);
    txHostLowerSolveTransposed(L, x);
  } else {
    txHostLowerMulTransposed(L, x);
    txHostLowerMul(L, x);
  }
}

static double sumOf(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += fabs(x[i]);
  return sum;
}

/* Hager's ascent from the ones through unit vectors, each where the gradient is largest; the matrix is symmetric. */
static double ascend(const txHostLower *L, bool inverse, double *x, double *signs) {
  int n = L->order, at = -1;
  double estimate = 0;
  for (int i = 0; i < n; i++)
    x[i] = 1.0 / n;
  for (int step = 0; step < 5; step++) {
    int next = 0;
    apply(L, inverse, x);
    double norm = sumOf(x, n);
    if (step > 0 && norm <= estimate)
      break;
    estimate = norm;
    for (int i = 0; i < n; i++)
      signs[i] = x[i] < 0 ? -1 : 1;
    apply(L, inverse, signs);
    for (int i = 1; i < n; i++)
      next = fabs(signs[i]) > fabs(signs[next]) ? i : next;
    if (next == at)
      break;
    at = next;
    for (int i = 0; i < n; i++)
      x[i] = i == at;
  }
  return estimate;
}

static double normOf(const txHostLower *L, bool inverse, double *work) {
  int n = L->order;
  double estimate = ascend(L, inverse, work, work + n);
  for (int i = 0; i < n; i++) /* Higham's guard against cancellation */
    work[i] = (i % 2 ? -1 : 1) * (1 + (n > 1 ? (double)i / (n - 1) : 0));
  apply(L, inverse, work);
  return fmax(estimate, 2 * sumOf(work, n) / (3.0 * n));
}

double txHostLowerNorm(const txHostLower *L, double *work) {
  return normOf(L, false, work);
}

double txHostLowerInverseNorm(const txHostLower *L, double *work) {
  return normOf(L, true, work);
}
