#include "multigrid/sparse_level.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/try.h"
#include "gl/observe.h"
#include "multigrid/chebyshev.h"
#include "vector/vector.h"

#include <math.h>
#include <stdlib.h>

static const char call[] = "clSolver (amg)";
enum { POWER_ITERATIONS = 8 };

/* A matrix in rows; its positions belong to an aggregation. */
typedef struct sparse {
  int32_t rows, cols;
  const int64_t *start;
  const int32_t *col;
  float *value;
} sparse;

/* x, b, the residual r and Chebyshev's direction d in `memory`; y is the next x. `fine` is a
 * vector of the finer level, for the first level on the host, which exchanges `down` and
 * `correction` with it. `inverted` is D^-1, `dense` the inverse of a coarsest matrix. */
struct txSparseLevel {
  sparse A, P, R;
  txSparseSmoother smoother;
  double largest;
  float *memory, *x, *y, *b, *r, *d, *inverted, *fine;
  float *dense;
  txSparseLevel *next;
  const clVector *const *down;
  clVector *correction;
};

/* ---- Loops over rows ------------------------------------------------------------------------- */

/* What the loops below work on: to <- ..., with Chebyshev's factors c. */
typedef struct loop {
  const sparse *A;
  const float *x, *b, *inverted;
  float *d, *to;
  float c[2];
} loop;

static inline float rowTimes(const sparse *A, int64_t i, const float *x) {
  float sum = 0;
  for (int64_t k = A->start[i], end = A->start[i + 1]; k < end; k++)
    sum += A->value[k] * x[A->col[k]];
  return sum;
}

/* to <- A x */
static void sparseLevelMultiplyRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->to[i] = rowTimes(l->A, i, l->x);
}

/* to <- to + A x */
static void sparseLevelAddRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->to[i] += rowTimes(l->A, i, l->x);
}

/* to <- b - A x */
static void residualRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    l->to[i] = l->b[i] - rowTimes(l->A, i, l->x);
}

/* d <- c_0 d + c_1 D^-1 (b - A x), to <- x + d */
static void stepRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++) {
    float r = l->b[i] - rowTimes(l->A, i, l->x);
    l->d[i] = l->c[0] * l->d[i] + l->c[1] * l->inverted[i] * r;
    l->to[i] = l->x[i] + l->d[i];
  }
}

/* The first step: d <- c_1 D^-1 (b - A x), which may hold anything before; x counts as zero where
 * it is NULL. */
static void firstRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  (void)sum;
  for (int64_t i = first; i < last; i++) {
    float before = 0, r = l->b[i];
    if (l->x) {
      before = l->x[i];
      r -= rowTimes(l->A, i, l->x);
    }
    l->d[i] = l->c[1] * l->inverted[i] * r;
    l->to[i] = before + l->d[i];
  }
}

/* to <- c_0 D^-1 A x, and its squares */
static void powerRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  for (int64_t i = first; i < last; i++) {
    float v = l->to[i] = l->c[0] * l->inverted[i] * rowTimes(l->A, i, l->x);
    sum[0] += (double)v * (double)v;
  }
}

/* ---- Setup ----------------------------------------------------------------------------------- */

typedef struct rounding {
  const double *from;
  float *to;
} rounding;

/* sum[0]: numbers that single precision cannot hold */
static void roundValues(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const rounding *r = user;
  for (int64_t k = first; k < last; k++) {
    r->to[k] = (float)r->from[k];
    sum[0] += !isfinite(r->to[k]);
  }
}

static float *sparseLevelAllocate(int64_t count, clError *error) {
  return txAllocate(error, call, (size_t)count, sizeof(float), "a level of algebraic multigrid");
}

/* M's values in single precision, with its positions. */
static clStatus sparseLevelTake(sparse *to, const clTriplets *M, const int64_t *start,
                                clError *error) {
  double beyond[TX_SUMS];
  if (!to->value)
    to->value = sparseLevelAllocate(M->count, error);
  if (!to->value)
    return TEXLA_OUT_OF_MEMORY;
  *to = (sparse){M->rows, M->cols, start, M->col, to->value};
  txParallel(M->count, roundValues, &(rounding){M->value, to->value}, beyond);
  if (beyond[0] > 0)
    return txFail(error, TEXLA_NOT_FINITE, call,
                  "%.0f entries of a coarser matrix are beyond single precision", beyond[0]);
  return TEXLA_OK;
}

/* sum[0]: rows whose diagonal is zero */
static void invertRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  txSparseLevel *v = user;
  const sparse *A = &v->A;
  for (int64_t i = first; i < last; i++) {
    float d = 0;
    for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
      if (A->col[k] == i)
        d = A->value[k];
    sum[0] += d == 0;
    v->inverted[i] = 1 / d;
  }
}

static clStatus invertDiagonal(txSparseLevel *v, clError *error) {
  double zeros[TX_SUMS];
  int64_t i = 0;
  txParallel(v->A.rows, invertRows, v, zeros);
  if (zeros[0] == 0)
    return TEXLA_OK;
  while (isfinite(v->inverted[i]))
    i++;
  return txFail(error, TEXLA_SINGULAR, call,
                "the diagonal of a coarser matrix is zero in row %lld: no smoother applies",
                (long long)i + 1);
}

/* The largest eigenvalue of D^-1 A, as multigrid/chebyshev.c estimates it. */
static clStatus sparseLevelEstimateLargest(txSparseLevel *v, clError *error) {
  double square[TX_SUMS], norm = 1;
  loop l = {.A = &v->A, .inverted = v->inverted};
  txRandomNumbers(v->x, v->A.rows);
  for (int k = 0; k < POWER_ITERATIONS; k++) {
    float *from = k % 2 ? v->y : v->x;
    l.x = from;
    l.to = k % 2 ? v->x : v->y;
    l.c[0] = (float)(1 / norm);
    txParallel(v->A.rows, powerRows, &l, square);
    norm = sqrt(square[0]);
  }
  if (!(isfinite(norm) && norm > 0))
    return txFail(error, TEXLA_SINGULAR, call,
                  "the largest eigenvalue of D^-1 A seems to be %g on a coarser level: no "
                  "polynomial can be made for it",
                  norm);
  v->largest = 1.1 * norm;
  return TEXLA_OK;
}

/* Vectors of the level, and of the finer one, in one block of memory. */
static clStatus sparseLevelCreateVectors(txSparseLevel *v, clError *error) {
  int64_t n = v->A.rows;
  float **const vector[] = {&v->x, &v->y, &v->b, &v->r, &v->d, &v->inverted, &v->fine};
  if (v->memory)
    return TEXLA_OK;
  v->memory = sparseLevelAllocate(6 * n + v->P.rows, error);
  if (!v->memory)
    return TEXLA_OUT_OF_MEMORY;
  for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
    *vector[k] = v->memory + (int64_t)k * n;
  return TEXLA_OK;
}

/* The way to the level, where it is not as it was. */
static clStatus takeWay(txSparseLevel *v, const txAggregation *way, clError *error) {
  if (way->stays)
    return TEXLA_OK;
  TRY(sparseLevelTake(&v->P, way->P, way->at.P, error));
  return sparseLevelTake(&v->R, way->R, way->at.R, error);
}

static clStatus sparseLevelSet(txSparseLevel *v, const txAggregation *way, int small, bool bounded,
                               clError *error) {
  TRY(sparseLevelTake(&v->A, way->A, way->at.A, error));
  TRY(takeWay(v, way, error));
  TRY(sparseLevelCreateVectors(v, error));
  if (v->A.rows <= small)
    return TEXLA_OK;
  TRY(invertDiagonal(v, error));
  if (bounded)
    return TEXLA_OK;
  return sparseLevelEstimateLargest(v, error);
}

clStatus txSparseLevelSet(txSparseLevel **level, const txAggregation *way, int small, bool bounded,
                          const txSparseSmoother *smoother, clError *error) {
  if (!*level)
    *level = txAllocate(error, call, 1, sizeof **level, "a level of algebraic multigrid");
  if (!*level)
    return TEXLA_OUT_OF_MEMORY;
  (*level)->smoother = *smoother;
  return sparseLevelSet(*level, way, small, bounded, error);
}

clStatus txSparseLevelInverse(txSparseLevel *v, const double *inverse, clError *error) {
  int64_t n = v->A.rows;
  free(v->dense);
  v->dense = NULL;
  if (!inverse)
    return TEXLA_OK;
  v->dense = sparseLevelAllocate(n * n, error);
  if (!v->dense)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < n * n; k++)
    v->dense[k] = (float)inverse[k];
  return TEXLA_OK;
}

void txSparseLevelNext(txSparseLevel *v, txSparseLevel *next) {
  v->next = next;
}

void txSparseLevelConnect(txSparseLevel *v, const clVector *const *r, clVector *correction) {
  v->down = r;
  v->correction = correction;
}

void txSparseLevelDestroy(txSparseLevel *v) {
  if (!v)
    return;
  free(v->A.value);
  free(v->P.value);
  free(v->R.value);
  free(v->memory);
  free(v->dense);
  free(v);
}

double txSparseLevelLargest(const txSparseLevel *v) {
  return v->largest;
}

/* ---- Operations of a level (multigrid/cycle.h) ----------------------------------------------- */

/* `zero`: x counts as zero, whatever it holds. */
static void smoothFrom(txSparseLevel *v, bool zero) {
  loop l = {.A = &v->A, .b = v->b, .inverted = v->inverted, .d = v->d};
  txChebyshevSteps steps = txChebyshevBegin(v->largest, v->smoother.ratio);
  for (int k = 0; k < v->smoother.degree; k++) {
    float *next = v->y;
    l.x = zero && k == 0 ? NULL : v->x;
    l.to = next;
    txChebyshevNext(&steps, l.c);
    txParallel(v->A.rows, k == 0 ? firstRows : stepRows, &l, NULL);
    v->y = v->x;
    v->x = next;
  }
}

static clStatus sparseLevelSmooth(void *level, txSmoothing part) {
  smoothFrom(level, part == TX_SMOOTH_FROM_ZERO);
  return TEXLA_OK;
}

static clStatus sparseLevelRestrictResidual(void *level) {
  txSparseLevel *v = level, *next = v->next;
  loop residual = {.A = &v->A, .x = v->x, .b = v->b, .to = v->r};
  txParallel(v->A.rows, residualRows, &residual, NULL);
  txParallel(next->R.rows, sparseLevelMultiplyRows,
             &(loop){.A = &next->R, .x = v->r, .to = next->b}, NULL);
  return TEXLA_OK;
}

static clStatus sparseLevelRestrictRightSide(void *level) {
  txSparseLevel *v = level, *next = v->next;
  txParallel(next->R.rows, sparseLevelMultiplyRows,
             &(loop){.A = &next->R, .x = v->b, .to = next->b}, NULL);
  return TEXLA_OK;
}

static clStatus sparseLevelProlong(void *level, bool start) {
  txSparseLevel *v = level, *next = v->next;
  loop product = {.A = &next->P, .x = next->x, .to = v->x};
  txParallel(v->A.rows, start ? sparseLevelMultiplyRows : sparseLevelAddRows, &product, NULL);
  return TEXLA_OK;
}

/* A matrix that can be neither coarsened nor inverted is smoothed only. */
static clStatus sparseLevelSolveCoarsest(void *level) {
  txSparseLevel *v = level;
  int64_t n = v->A.rows;
  for (int64_t i = 0; i < n && v->dense; i++) {
    float sum = 0;
    for (int64_t k = 0; k < n; k++)
      sum += v->dense[i * n + k] * v->b[k];
    v->x[i] = sum;
  }
  for (int k = 0; k < v->smoother.instead && !v->dense; k++)
    smoothFrom(v, k == 0);
  return TEXLA_OK;
}

static clStatus sparseLevelEnter(void *level) {
  txSparseLevel *v = level;
  const clVector *r = *v->down, *to = v->correction;
  txPass step = {.kernel = "levels_on_host",
                 .shape = TX_HOST,
                 .source = {{"r", r->texture, TX_EDGE}},
                 .target = {to->texture},
                 .rect = {0, 0, to->layout.width, to->layout.height}};
  txHostBegin(to->context, call, &step);
  TRY(clVectorDownload(r, v->fine));
  txParallel(v->R.rows, sparseLevelMultiplyRows, &(loop){.A = &v->R, .x = v->fine, .to = v->b},
             NULL);
  return TEXLA_OK;
}

static clStatus sparseLevelLeave(void *level) {
  txSparseLevel *v = level;
  txParallel(v->P.rows, sparseLevelMultiplyRows, &(loop){.A = &v->P, .x = v->x, .to = v->fine},
             NULL);
  clStatus status = clVectorUpload(v->correction, v->fine);
  txHostEnd(v->correction->context);
  return status;
}

const txLevelOps txSparseFirstOps = {sparseLevelSmooth,
                                     sparseLevelRestrictResidual,
                                     sparseLevelRestrictRightSide,
                                     sparseLevelProlong,
                                     sparseLevelSolveCoarsest,
                                     sparseLevelEnter,
                                     sparseLevelLeave},
                 txSparseOps = {sparseLevelSmooth,
                                sparseLevelRestrictResidual,
                                sparseLevelRestrictRightSide,
                                sparseLevelProlong,
                                sparseLevelSolveCoarsest,
                                NULL,
                                NULL};
