#include "solvers/refine.h"

#include <math.h>
#include <stdlib.h>

double txNorm(const double *v, int64_t n) {
  double scale = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    scale = fmax(scale, fabs(v[i]));
  if (scale == 0 || isinf(scale))
    return scale;
  for (int64_t i = 0; i < n; i++)
    sum += (v[i] / scale) * (v[i] / scale);
  return scale * sqrt(sum);
}

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* y <- y + a x */
static void axpy(double *y, double a, const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    y[i] += a * x[i];
}

static void scaleBy(double *y, double a, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    y[i] *= a;
}

static void measure(txRefinement *ref, const double *row) {
  int64_t n = ref->A->rows;
  ref->norm = clTripletsResidual(ref->r, ref->A, ref->x, ref->b);
  for (int64_t i = 0; i < n; i++)
    ref->scaled[i] = row[i] * ref->r[i];
  ref->scaled_norm = txNorm(ref->scaled, n);
}

clStatus txRefineStart(txRefinement *ref, const clTriplets *A, const double *b, double *x, const double *row,
                       clError *error) {
  size_t n = (size_t)A->rows;
  *ref = (txRefinement){.A = A, .b = b, .x = x, .r = malloc(n * sizeof(double)), .scaled = malloc(n * sizeof(double))};
  if (!ref->r || !ref->scaled)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory for residuals of %zu unknowns", n);
  ref->b_norm = txNorm(b, A->rows);
  measure(ref, row);
  return TEXLA_OK;
}

void txRefineRescale(txRefinement *ref, const double *row) {
  ref->steps = 0;
  measure(ref, row);
}

void txRefineDestroy(txRefinement *ref) {
  free(ref->r);
  free(ref->scaled);
  for (int k = 0; k < TX_DIRECTIONS; k++) {
    free(ref->d[k]);
    free(ref->q[k]);
  }
  *ref = (txRefinement){0};
}

/* d = factor diag(col) y and q = diag(row) A d, orthonormal to the other q. False where nothing is left of it. */
static bool direct(const txRefinement *ref, const txScaling *s, double factor, const float *y, double *d, double *q) {
  int64_t n = ref->A->rows, kept = ref->steps < TX_DIRECTIONS ? ref->steps : TX_DIRECTIONS;
  for (int64_t i = 0; i < n; i++)
    d[i] = factor * s->col[i] * (double)y[i];
  clTripletsMulVector(q, ref->A, d);
  for (int64_t i = 0; i < n; i++)
    q[i] *= s->row[i];
  double before = txNorm(q, n);
  for (int64_t k = 0; k < kept; k++)
    if (ref->q[k] != q) {
      double h = dot(ref->q[k], q, n);
      axpy(q, -h, ref->q[k], n);
      axpy(d, -h, ref->d[k], n);
    }
  double after = txNorm(q, n);
  if (!(after > 1e-14 * before) || !isfinite(after))
    return false;
  scaleBy(q, 1 / after, n);
  scaleBy(d, 1 / after, n);
  return true;
}

clStatus txRefineStep(txRefinement *ref, const txScaling *scaling, double factor, const float *y, double *gain,
                      clError *error) {
  int64_t n = ref->A->rows, k = ref->steps % TX_DIRECTIONS;
  size_t bytes = (size_t)n * sizeof(double);
  double *d = ref->d[k] = ref->d[k] ? ref->d[k] : malloc(bytes);
  double *q = ref->q[k] = ref->q[k] ? ref->q[k] : malloc(bytes);
  if (!d || !q)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory for a correction of %lld unknowns",
                  (long long)n);
  *gain = 1;
  if (!direct(ref, scaling, factor, y, d, q))
    return TEXLA_OK;
  double before = ref->scaled_norm, alpha = dot(q, ref->scaled, n);
  axpy(ref->x, alpha, d, n);
  measure(ref, scaling->row);
  ref->steps++;
  *gain = ref->scaled_norm > 0 ? before / ref->scaled_norm : INFINITY;
  if (ref->scaled_norm < before)
    return TEXLA_OK;
  axpy(ref->x, -alpha, d, n); /* rounding has the last word */
  measure(ref, scaling->row);
  *gain = 1;
  return TEXLA_OK;
}
