#include "solvers/scaling.h"

#include <math.h>
#include <stdlib.h>

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

/* out_i <- the power of two near 1 / max_j |a_ij| in_j over row i; with `transposed` over the columns. */
static void divideByLargest(double *out, const double *in, const clTriplets *A, bool transposed) {
  const int32_t *row = transposed ? A->col : A->row, *col = transposed ? A->row : A->col;
  int32_t n = transposed ? A->cols : A->rows;
  for (int32_t i = 0; i < n; i++)
    out[i] = 0;
  for (int64_t k = 0; k < A->count; k++)
    out[row[k]] = fmax(out[row[k]], fabs(A->value[k]) * in[col[k]]);
  for (int32_t i = 0; i < n; i++) {
    int e = 0;
    frexp(out[i], &e);
    out[i] = out[i] == 0 ? 1 : ldexp(1, 1 - e);
  }
}

/* Rows first, then columns, as LAPACK's geequb does it. */
static void equilibrate(const txScaling *s, const clTriplets *A) {
  for (int32_t j = 0; j < A->cols; j++)
    s->col[j] = 1;
  divideByLargest(s->row, s->col, A, false);
  divideByLargest(s->col, s->row, A, true);
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
  if (!s.row || !s.col) {
    txScalingDestroy(&s);
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory to scale %zu unknowns", n);
  }
  if (kind == TX_SCALE_UNIFORM)
    scaleUniformly(&s, A);
  else if (kind == TX_SCALE_DIAGONAL)
    scaleDiagonal(&s, A);
  else
    equilibrate(&s, A);
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
