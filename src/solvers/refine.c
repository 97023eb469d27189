#include "solvers/refine.h"
#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>

/* After a round that gains so much the next one need not know of it. */
static const double enough = 10;

/* Rows whose product with x is on the stack. */
enum { ROWS = 512 };

/* What the loops below work on; each uses what it needs. */
typedef struct loop {
  double scale, a;
  const double *row, *x, *b;
  const float *single;
  const txRows *rows;
  double *y;
  float *narrow;
} loop;

static void addSquares(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  for (int64_t i = first; i < last; i++)
    sum[0] += (l->scale * l->x[i]) * (l->scale * l->x[i]);
}

double txNorm(const double *v, int64_t n) {
  loop l = {.x = v};
  return txParallelNorm(n, addSquares, &l, &l.scale, NULL);
}

static void addProducts(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  for (int64_t i = first; i < last; i++)
    sum[0] += l->x[i] * l->row[i];
}

static double dot(const double *a, const double *b, int64_t n) {
  double sum[TX_SUMS];
  txParallel(n, addProducts, &(loop){.x = a, .row = b}, sum);
  return sum[0];
}

static void addMultiple(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->y[i] += l->a * l->x[i];
}

/* y <- y + a x */
static void axpy(double *y, double a, const double *x, int64_t n) {
  txParallel(n, addMultiple, &(loop){.y = y, .a = a, .x = x}, NULL);
}

/* y <- diag(row) (b - A x), and the squares without and with diag(row). Without rows A x is zero. */
static void addResidual(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  double product[ROWS] = {0};
  for (int64_t at = first, end; at < last; at = end) {
    end = at + ROWS < last ? at + ROWS : last;
    if (l->rows)
      txRowsMultiply(product, l->rows, l->x, at, end);
    for (int64_t i = at; i < end; i++) {
      double r = l->b[i] - product[i - at], v = l->row[i] * r;
      l->y[i] = v;
      sum[0] += (l->scale * r) * (l->scale * r);
      sum[1] += v * v;
    }
  }
}

static void measure(txRefinement *ref, const txScaling *s) {
  int64_t n = ref->A->rows;
  loop l = {.row = s->row, .x = ref->x, .b = ref->b, .y = ref->scaled, .rows = ref->at_zero ? NULL : &s->rows};
  double sum[TX_SUMS];
  ref->norm = txParallelNorm(n, addResidual, &l, &l.scale, sum);
  ref->scaled_norm = sum[1] > 1e-200 && sum[1] < 1e200 ? sqrt(sum[1]) : txNorm(ref->scaled, n);
}

clStatus txRefineStart(txRefinement *ref, const clTriplets *A, const double *b, double *x, const txScaling *scaling,
                       clError *error) {
  size_t n = (size_t)A->rows;
  *ref = (txRefinement){.A = A, .b = b, .x = x, .scaled = malloc(n * sizeof(double))};
  if (!ref->scaled)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory for the residual of %zu unknowns", n);
  ref->b_norm = txNorm(b, A->rows);
  txRefineRescale(ref, scaling);
  return TEXLA_OK;
}

void txRefineRescale(txRefinement *ref, const txScaling *scaling) {
  ref->steps = 0;
  ref->at_zero = txNorm(ref->x, ref->A->cols) == 0;
  measure(ref, scaling);
}

void txRefineDestroy(txRefinement *ref) {
  free(ref->scaled);
  for (int k = 0; k < TX_DIRECTIONS; k++) {
    free(ref->d[k]);
    free(ref->q[k]);
  }
  *ref = (txRefinement){0};
}

/* narrow <- a x */
static void toSingle(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->narrow[i] = (float)(l->a * l->x[i]);
}

void txRefineNarrow(const txRefinement *ref, float *y) {
  double a = ref->scaled_norm > 0 ? 1 / ref->scaled_norm : 0;
  txParallel(ref->A->rows, toSingle, &(loop){.narrow = y, .a = a, .x = ref->scaled}, NULL);
}

/* y <- row single */
static void widen(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->y[i] = l->row[i] * (double)l->single[i];
}

/* y <- diag(row) A x, and its square */
static void multiply(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  for (int64_t at = first, end; at < last; at = end) {
    end = at + ROWS < last ? at + ROWS : last;
    txRowsMultiply(l->y + at, l->rows, l->x, at, end);
    for (int64_t i = at; i < end; i++) {
      double v = l->y[i] = l->row[i] * l->y[i];
      sum[0] += (l->scale * v) * (l->scale * v);
    }
  }
}

/* d = diag(col) y and q = diag(row) A d, q orthogonal to the others. The length of q; 0 where nothing is left of it. */
static double direct(const txRefinement *ref, const txScaling *s, const float *y, double *d, double *q) {
  int64_t n = ref->A->rows, kept = ref->steps < TX_DIRECTIONS ? ref->steps : TX_DIRECTIONS;
  loop product = {.rows = &s->rows, .row = s->row, .x = d, .y = q};
  txParallel(n, widen, &(loop){.y = d, .row = s->col, .single = y}, NULL);
  double before = txParallelNorm(n, multiply, &product, &product.scale, NULL), after = before;
  for (int64_t k = 0; k < kept; k++)
    if (ref->q[k] != q) {
      double h = dot(ref->q[k], q, n) / ref->q_norm[k] / ref->q_norm[k];
      axpy(q, -h, ref->q[k], n);
      axpy(d, -h, ref->d[k], n);
      after = txNorm(q, n);
    }
  return after > 1e-14 * before ? after : 0;
}

clStatus txRefineStep(txRefinement *ref, const txScaling *scaling, const float *y, double *gain, clError *error) {
  int64_t n = ref->A->rows, k = ref->steps % TX_DIRECTIONS;
  size_t bytes = (size_t)n * sizeof(double);
  double *d = ref->d[k] = ref->d[k] ? ref->d[k] : malloc(bytes);
  double *q = ref->q[k] = ref->q[k] ? ref->q[k] : malloc(bytes);
  if (!d || !q)
    return txFail(error, TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory for a correction of %lld unknowns",
                  (long long)n);
  *gain = 1;
  double length = ref->q_norm[k] = direct(ref, scaling, y, d, q);
  if (length == 0)
    return TEXLA_OK;
  double before = ref->scaled_norm, alpha = dot(q, ref->scaled, n) / length / length;
  ref->at_zero = false;
  axpy(ref->x, alpha, d, n);
  measure(ref, scaling);
  ref->steps++;
  *gain = ref->scaled_norm > 0 ? before / ref->scaled_norm : INFINITY;
  if (*gain > enough)
    ref->steps = 0;
  if (ref->scaled_norm < before)
    return TEXLA_OK;
  axpy(ref->x, -alpha, d, n); /* rounding has the last word */
  measure(ref, scaling);
  *gain = 1;
  return TEXLA_OK;
}
