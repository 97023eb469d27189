/* Batches of tridiagonal systems with their solutions: by LAPACK's dgtsv; periodic ones by its
 * dgesv. */
#ifndef TEXLA_TESTS_DENSE_TRIDIAGONAL_BATCH_H
#define TEXLA_TESTS_DENSE_TRIDIAGONAL_BATCH_H

#include "oracle/vector.h"
#include "texla/tridiagonal.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "one_context.h"

/* Errors of x relative to the largest |x| of its system. The systems are dominant by a margin of at
 * least 0.2 of the diagonal, so that their condition numbers are below 20. */
static const double tolerance = 20 * FLT_EPSILON;

/* k systems of n rows: row i of system j is number j * n + i of each array. */
typedef struct batch {
  int k, n;
  bool periodic;
  float *sub, *main, *super, *rhs;
  double *x;
} batch;

static inline void solvePeriodic(batch *b, int j) {
  int n = b->n;
  double *dense = calloc((size_t)n * (size_t)n, sizeof *dense), *x = b->x + (size_t)j * (size_t)n;
  lapack_int *pivots = malloc((size_t)n * sizeof *pivots);
  for (int i = 0; i < n; i++) {
    size_t at = (size_t)j * (size_t)n + (size_t)i;
    dense[i * n + (i + n - 1) % n] += (double)b->sub[at];
    dense[i * n + i] += (double)b->main[at];
    dense[i * n + (i + 1) % n] += (double)b->super[at];
  }
  assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, dense, n, pivots, x, 1), 0);
  free(dense);
  free(pivots);
}

static inline void solveOpen(batch *b, int j) {
  size_t n = (size_t)b->n, first = (size_t)j * n;
  double *copy = malloc(3 * n * sizeof *copy);
  for (size_t i = 0; i < n; i++) {
    copy[i] = i + 1 < n ? (double)b->sub[first + i + 1] : 0;
    copy[n + i] = (double)b->main[first + i];
    copy[2 * n + i] = (double)b->super[first + i];
  }
  lapack_int ld = b->n;
  assert_int_equal(
      LAPACKE_dgtsv(LAPACK_COL_MAJOR, ld, 1, copy, copy + n, copy + 2 * n, b->x + first, ld), 0);
  free(copy);
}

static inline void solveOnHost(batch *b) {
  for (int i = 0; i < b->k * b->n; i++)
    b->x[i] = (double)b->rhs[i];
  for (int j = 0; j < b->k; j++)
    (b->periodic ? solvePeriodic : solveOpen)(b, j);
}

/* Couplings in [-1, 1), and diagonals of either sign that exceed their sum by a fifth or more; all
 * of a row times 2^-8 to 2^8. */
static inline batch newBatch(int k, int n, bool periodic, uint64_t seed) {
  size_t count = (size_t)k * (size_t)n;
  batch b = {k,
             n,
             periodic,
             oracleRandom((int64_t)count, seed),
             malloc(count * sizeof(float)),
             oracleRandom((int64_t)count, seed + 1),
             oracleRandom((int64_t)count, seed + 2),
             malloc(count * sizeof(double))};
  uint64_t state = seed + 3;
  for (size_t i = 0; i < count; i++) {
    double least = 1.25 * (fabs((double)b.sub[i]) + fabs((double)b.super[i])) + 0.1;
    float scale = ldexpf(1, (int)(8 * randomUnit(&state)));
    b.main[i] = scale * (float)(randomUnit(&state) < 0 ? -least : least);
    b.sub[i] *= scale;
    b.super[i] *= scale;
    b.rhs[i] *= scale;
  }
  solveOnHost(&b);
  return b;
}

static inline void freeBatch(batch *b) {
  free(b->sub);
  free(b->main);
  free(b->super);
  free(b->rhs);
  free(b->x);
}

/* Where row i of system j stands in a grid. */
static inline int64_t placeOf(const batch *b, clAxis axis, int j, int i) {
  return axis == TEXLA_AXIS_X ? (int64_t)j * b->n + i : (int64_t)i * b->k + j;
}

static inline clVector *newGrid(const batch *b, clAxis axis, int components) {
  clVector *v = NULL;
  int nx = b->k, ny = b->n;
  swapIf(axis == TEXLA_AXIS_X, &nx, &ny);
  CHECK(clVectorCreateGrid(&v, context, components * nx, ny));
  return v;
}

static inline clVector *upload(const batch *b, clAxis axis, const float *values) {
  clVector *v = newGrid(b, axis, 1);
  float *turned = malloc((size_t)(b->k * b->n) * sizeof *turned);
  for (int j = 0; j < b->k; j++)
    for (int i = 0; i < b->n; i++)
      turned[placeOf(b, axis, j, i)] = values[j * b->n + i];
  CHECK(clVectorUpload(v, turned));
  free(turned);
  return v;
}

static inline clVector *uploadPacked(const batch *b, clAxis axis) {
  clVector *v = newGrid(b, axis, 4);
  float *turned = malloc((size_t)(4 * b->k * b->n) * sizeof *turned);
  for (int j = 0; j < b->k; j++)
    for (int i = 0; i < b->n; i++) {
      int from = j * b->n + i;
      float row[4] = {b->sub[from], b->main[from], b->super[from], b->rhs[from]};
      memcpy(turned + 4 * placeOf(b, axis, j, i), row, sizeof row);
    }
  CHECK(clVectorUpload(v, turned));
  free(turned);
  return v;
}

/* x is the solution, and what lies beside the grid is zero. */
static inline bool holds(const batch *b, clAxis axis, const clVector *x) {
  size_t count = (size_t)b->k * (size_t)b->n;
  double *wanted = malloc(count * sizeof *wanted), *scale = malloc(count * sizeof *scale);
  for (int j = 0; j < b->k; j++) {
    double most = 0;
    for (int i = 0; i < b->n; i++)
      most = fmax(most, fabs(b->x[j * b->n + i]));
    for (int i = 0; i < b->n; i++) {
      wanted[placeOf(b, axis, j, i)] = b->x[j * b->n + i];
      scale[placeOf(b, axis, j, i)] = most;
    }
  }
  char what[80];
  snprintf(what, sizeof what, "%d systems of %d rows along %c%s", b->k, b->n,
           "yx"[axis == TEXLA_AXIS_X], b -> periodic ? ", periodic" : "");
  bool fine = oracleHolds(what, x, wanted, scale, tolerance);
  free(wanted);
  free(scale);
  return fine;
}

/* Operands of a batch on the device. */
typedef struct operands {
  clTridiagonal *T;
  clVector *sub, *main, *super, *rhs, *x;
  clTridiagonalBands bands;
} operands;

static inline operands prepare(const batch *b, clAxis axis) {
  operands o = {.sub = upload(b, axis, b->sub),
                .main = upload(b, axis, b->main),
                .super = upload(b, axis, b->super),
                .rhs = upload(b, axis, b->rhs),
                .x = newGrid(b, axis, 1)};
  clTridiagonalOptions options = {.axis = axis, .periodic = b->periodic};
  int nx = b->k, ny = b->n;
  swapIf(axis == TEXLA_AXIS_X, &nx, &ny);
  CHECK(clTridiagonalCreate(&o.T, context, nx, ny, &options));
  CHECK(clVectorFill(o.x, 9));
  o.bands = (clTridiagonalBands){.sub = o.sub, .main = o.main, .super = o.super};
  return o;
}

static inline void release(operands *o) {
  clVector *const all[] = {o->sub, o->main, o->super, o->rhs, o->x};
  for (int i = 0; i < 5; i++)
    clVectorDestroy(all[i]);
  clTridiagonalDestroy(o->T);
}

#endif
