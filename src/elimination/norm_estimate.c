#include "elimination/norm_estimate.h"
#include "core/numbers.h"
#include "core/try.h"

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
    double sign = 1;
    if (x[i] < 0)
      sign = -1;
    changed |= sign != signs[i];
    signs[i] = sign;
  }
  return changed;
}

static int normEstimateLargestOf(const double *x, int n) {
  int at = 0;
  for (int i = 1; i < n; i++) {
    if (fabs(x[i]) > fabs(x[at]))
      at = i;
  }
  return at;
}

/* Hager's ascent: from the ones through unit vectors, each where the gradient is largest. x and
 * signs: n numbers each. */
static clStatus ascend(double *norm, int n, txApply apply, void *user, double *x, double *signs) {
  int at = -1;
  for (int i = 0; i < n; i++)
    x[i] = 1.0 / n;
  for (int step = 0; step < 5; step++) {
    TRY(apply(user, false, x));
    double sum = sumOf(x, n);
    if (step > 0 && sum <= *norm)
      return TEXLA_OK;
    *norm = sum;
    if (!takeSigns(x, signs, n, step == 0))
      return TEXLA_OK;
    for (int i = 0; i < n; i++)
      x[i] = signs[i];
    TRY(apply(user, true, x));
    int next = normEstimateLargestOf(x, n);
    if (next == at)
      return TEXLA_OK;
    at = next;
    for (int i = 0; i < n; i++)
      x[i] = i == at;
  }
  return TEXLA_OK;
}

/* The ascent may end at a saddle where terms cancel; one more product, with a vector of turning
 * signs, sees that. */
clStatus txNormEstimate(double *norm, int n, txApply apply, void *user, double *work) {
  *norm = 0;
  TRY(ascend(norm, n, apply, user, work, work + n));
  /* Higham's guard against cancellation: x_i = (-1)^i (1 + i / (n - 1)). */
  for (int i = 0; i < n; i++) {
    work[i] = 1 + (double)i / txMost(n - 1, 1);
    if (i % 2)
      work[i] = -work[i];
  }
  TRY(apply(user, false, work));
  *norm = fmax(*norm, 2 * sumOf(work, n) / (3.0 * n));
  return TEXLA_OK;
}
