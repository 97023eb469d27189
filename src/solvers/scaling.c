#include "solvers/scaling.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 3 };

/* 2^-e with 4^e near v; 1 for 0 */
static double inverseRoot(double v) {
  int e = 0;
  frexp(v, &e);
  return v == 0 ? 1 : ldexp(1, -(int)floor(e / 2.0));
}

/* From the diagonal; from the row's largest magnitude where the diagonal is zero. */
static void scaleDiagonal(const txScaling *s, const clTriplets *A) {
  double *d = s->row;
  for (int32_t i = 0; i < A->rows; i++)
    d[i] = 0;
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      d[A->row[k]] = fabs(A->value[k]);
  for (int64_t k = 0; k < A->count; k++) /* negative: the largest magnitude of a row without diagonal */
    if (d[A->row[k]] <= 0)
      d[A->row[k]] = fmin(d[A->row[k]], -fabs(A->value[k]));
  for (int32_t i = 0; i < A->rows; i++)
    s->row[i] = s->col[i] = inverseRoot(fabs(d[i]));
}

/* Ruiz (2001): rows and columns are divided by the root of their largest magnitude, a few times. */
static void equilibrate(const txScaling *s, const clTriplets *A, double *largest) {
  int32_t m = A->rows, n = A->cols;
  for (int32_t i = 0; i < m; i++)
    s->row[i] = 1;
  for (int32_t j = 0; j < n; j++)
    s->col[j] = 1;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (int64_t k = 0; k < (int64_t)m + n; k++)
      largest[k] = 0;
    for (int64_t k = 0; k < A->count; k++) {
      double v = fabs(s->row[A->row[k]] * A->value[k] * s->col[A->col[k]]);
      double *r = &largest[A->row[k]], *c = &largest[m + A->col[k]];
      *r = fmax(*r, v);
      *c = fmax(*c, v);
    }
    for (int32_t i = 0; i < m; i++)
      s->row[i] *= inverseRoot(largest[i]);
    for (int32_t j = 0; j < n; j++)
      s->col[j] *= inverseRoot(largest[m + j]);
  }
}

static void scaleUniformly(const txScaling *s, const clTriplets *A) {
  double largest = 0;
  for (int64_t k = 0; k < A->count; k++)
    largest = fmax(largest, fabs(A->value[k]));
  for (int32_t i = 0; i < A->rows; i++)
    s->row[i] = s->col[i] = inverseRoot(largest);
}

clStatus txScalingCreate(txScaling *out, const clTriplets *A, txScalingKind kind, clError *error) {
  size_t m = (size_t)A->rows, n = (size_t)A->cols;
  txScaling s = {.row = malloc(m * sizeof(double)), .col = malloc(n * sizeof(double))};
  double *work = malloc((m + n) * sizeof *work);
  if (!s.row || !s.col || !work) {
    free(work);
    txScalingDestroy(&s);
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory to scale %zu unknowns", n);
  }
  if (kind == TX_SCALE_UNIFORM)
    scaleUniformly(&s, A);
  else if (kind == TX_SCALE_DIAGONAL)
    scaleDiagonal(&s, A);
  else
    equilibrate(&s, A, work);
  free(work);
  *out = s;
  return TEXLA_OK;
}

void txScalingDestroy(txScaling *s) {
  free(s->row);
  free(s->col);
  *s = (txScaling){0};
}

clStatus txScalingApply(clTriplets **out, const txScaling *s, double sign, const clTriplets *A, clError *error) {
  clTriplets *scaled = NULL;
  clStatus status = clTripletsCreate(&scaled, A->rows, A->cols, A->count, error);
  for (int64_t k = 0; k < A->count && !status; k++)
    status =
        clTripletsAdd(scaled, A->row[k], A->col[k], sign * s->row[A->row[k]] * A->value[k] * s->col[A->col[k]], error);
  if (!status)
    status = clTripletsCompress(scaled, error); /* already in order */
  if (status)
    clTripletsDestroy(scaled);
  else
    *out = scaled;
  return status;
}
