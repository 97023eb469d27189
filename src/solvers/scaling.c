#include "solvers/scaling.h"
#include "core/parallel.h"

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
    largest = fabs(A->value[k]) > largest ? fabs(A->value[k]) : largest;
  double factor = inverseRoot(largest);
  for (int32_t i = 0; i < A->rows; i++)
    s->row[i] = s->col[i] = factor;
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
  txRowsFind(&s.rows, A);
  *out = s;
  return TEXLA_OK;
}

void txScalingDestroy(txScaling *s) {
  txRowsForget(&s->rows);
  free(s->row);
  free(s->col);
  *s = (txScaling){0};
}

typedef struct product {
  clTriplets *out;
  const clTriplets *A;
  const txScaling *scaling;
  double sign;
} product;

static void scaleEntries(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const product *p = user;
  const clTriplets *A = p->A;
  clTriplets *out = p->out;
  for (int64_t k = first; k < last; k++) {
    out->row[k] = A->row[k];
    out->col[k] = A->col[k];
    out->value[k] = p->sign * p->scaling->row[A->row[k]] * A->value[k] * p->scaling->col[A->col[k]];
    sum[0] += !isfinite(out->value[k]);
  }
}

clStatus txScalingApply(clTriplets **out, const txScaling *s, double sign, const clTriplets *A, clError *error) {
  clTriplets *scaled = NULL;
  double unusable[TX_SUMS];
  clStatus status = clTripletsCreate(&scaled, A->rows, A->cols, A->count, error);
  if (status)
    return status;
  txParallel(A->count, scaleEntries, &(product){scaled, A, s, sign}, unusable);
  scaled->count = A->count;
  if (unusable[0] > 0) {
    clTripletsDestroy(scaled);
    return txFail(error, TEXLA_NOT_FINITE, "clSystemSolve", "%.0f entries of A are not finite when A is scaled",
                  unusable[0]);
  }
  *out = scaled;
  return TEXLA_OK;
}
