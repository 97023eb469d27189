#include "elimination/norm_estimate.h"

#include <math.h>

static double sumOf(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += fabs(x[i]);
  return sum;
}

/* signs <- the signs of x; false when they were these already */
static bool takeSigns(const double *x, double *signs, int n, bool first) {
  bool changed = first;
  for (int i = 0; i < n; i++) {
    double sign = x[i] < 0 ? -1 : 1;
    changed |= sign != signs[i];
    signs[i] = sign;
  }
  return changed;
}

static int largestOf(const double *x, int n) {
  int at = 0;
  for (int i = 1; i < n; i++)
    at = fabs(x[i]) > fabs(x[at]) ? i : at;
  return at;
}

/* Hager's ascent: from the ones through unit vectors, each where the gradient is largest. x and
 * signs: n numbers each. */
static clStatus ascend(double *norm, int n, txApply apply, void *user, double *x, double *signs) {
  int at = -1;
  for (int i = 0; i < n; i++)
    x[i] = 1.0 / n;
  for (int step = 0; step < 5; step++) {
    clStatus status = apply(user, false, x);
    double sum = sumOf(x, n);
    if (status || (step > 0 && sum <= *norm))
      return status;
    *norm = sum;
    if (!takeSigns(x, signs, n, step == 0))
      return TEXLA_OK;
    for (int i = 0; i < n; i++)
      x[i] = signs[i];
    status = apply(user, true, x);
    int next = largestOf(x, n);
    if (status || next == at)
      return status;
    at = next;
    for (int i = 0; i < n; i++)
      x[i] = i == at;
  }
  return TEXLA_OK;
}

clStatus txNormEstimate(double *norm, int n, txApply apply, void *user, double *work) {
  *norm = 0;
  clStatus status = ascend(norm, n, apply, user, work, work + n);
  /* Higham's guard against cancellation */
  for (int i = 0; i < n; i++)
    work[i] = (i % 2 ? -1 : 1) * (1 + (n > 1 ? (double)i / (n - 1) : 0));
  if (!status)
    status = apply(user, false, work);
  *norm = fmax(*norm, 2 * sumOf(work, n) / (3.0 * n));
  return status;
}
