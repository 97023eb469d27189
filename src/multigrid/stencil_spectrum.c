/* The largest eigenvalue of D^-1 A, which smoothers need. */
#include "multigrid/stencil.h"

#include <math.h>
#include <stdlib.h>

double txStencilBound(const txStencil *s) {
  double bound = 0;
  for (int64_t p = 0; p < txStencilPoints(s); p++) {
    const float *c = s->a + TX_STENCIL * p;
    double sum = 0;
    for (int k = 0; k < TX_STENCIL; k++)
      sum += fabs((double)c[k]);
    if (c[TX_CENTRE] != 0)
      bound = fmax(bound, sum / fabs((double)c[TX_CENTRE]));
  }
  return bound;
}

/* max over theta of |sum_k a_k e^(i theta . d_k)| / a_centre */
static double largestSymbol(const float *a) {
  enum { ANGLES = 8 };
  const double pi = 3.14159265358979323846;
  double largest = 0;
  for (int p = 0; p <= ANGLES; p++)
    for (int q = -ANGLES; q <= ANGLES; q++) {
      double re = 0, im = 0;
      for (int k = 0; k < TX_STENCIL; k++) {
        double angle = (q * (k % 3 - 1) + p * (k / 3 - 1)) * pi / ANGLES;
        re += (double)a[k] * cos(angle);
        im += (double)a[k] * sin(angle);
      }
      largest = fmax(largest, hypot(re, im));
    }
  if (a[TX_CENTRE] == 0)
    return 0;
  return largest / fabs((double)a[TX_CENTRE]);
}

/* y <- D^-1 A x; returns the largest |y_i|. */
static double applyScaled(float *y, const txStencil *s, const float *x) {
  double largest = 0;
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++) {
      const float *a = s->a + TX_STENCIL * txStencilIndex(s, i, j);
      double sum = 0;
      for (int k = 0; k < TX_STENCIL; k++) {
        int u = txStencilNeighbour(s, 0, i, k % 3 - 1), v = txStencilNeighbour(s, 1, j, k / 3 - 1);
        if (u >= 0 && v >= 0 && a[k] != 0)
          sum += (double)a[k] * (double)x[(int64_t)v * s->n[0] + u];
      }
      if (a[TX_CENTRE] == 0)
        sum = 0;
      else
        sum /= (double)a[TX_CENTRE];
      y[(int64_t)j * s->n[0] + i] = (float)sum;
      largest = fmax(largest, fabs(sum));
    }
  return largest;
}

/* The norm grows towards the largest eigenvalue from below. */
static double stencilSpectrumPowerIteration(const txStencil *s) {
  enum { STEPS = 8 };
  int64_t n = (int64_t)s->n[0] * s->n[1];
  float *x = malloc((size_t)(2 * n) * sizeof *x), *y = x + n;
  double ratio = 0, norm[2] = {0, 0};
  uint32_t seed = 1;
  if (!x)
    return txStencilBound(s);
  /* Noise is where the large eigenvalues are. */
  for (int64_t p = 0; p < n; p++) {
    seed = seed * 1664525u + 1013904223u;
    x[p] = (float)((int32_t)seed >> 8);
  }
  for (int step = 0; step < STEPS; step++) {
    double scale = applyScaled(y, s, x);
    norm[0] = norm[1] = 0;
    for (int64_t p = 0; p < n; p++) {
      norm[0] += (double)x[p] * (double)x[p];
      norm[1] += (double)y[p] * (double)y[p];
      x[p] = scale > 0 ? (float)((double)y[p] / scale) : 0;
    }
    ratio = norm[0] > 0 ? sqrt(norm[1] / norm[0]) : 0;
  }
  free(x);
  return ratio;
}

/* Five points have eigenvalues up to the bound; nine may stay far below it. */
double txStencilLargest(const txStencil *s) {
  double bound = txStencilBound(s);
  if (s->uniform)
    return largestSymbol(s->a +
                         TX_STENCIL * txStencilIndex(s, 4 * s->class[0].low, s->class[1].low));
  if (!s->nine)
    return bound;
  return fmin(bound, 1.1 * stencilSpectrumPowerIteration(s));
}
