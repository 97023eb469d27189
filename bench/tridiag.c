/* Batches of tridiagonal systems along both axes, beside LAPACK's sgtsv in a loop over the systems,
 * on several threads. */
#include <stdlib.h>
#include <string.h>

#if TEXLA_HAVE_CBLAS
/* LAPACK's. */
extern void sgtsv_(const int *n, const int *columns, float *sub, float *main, float *super,
                   float *rhs, const int *ld, int *info);
#endif

#include "suite.h"

/* sub, main, super, rhs */
enum { BANDS = 4 };

/* How a row solves its systems. */
typedef struct Plan {
  clAxis axis;
  /* Factors are kept. */
  bool factored;
} Plan;

/* k systems of n rows each. Row i of system j is at j n + i on the host. */
typedef struct Data {
  int k, n;
  const Plan *plan;
  clTridiagonal *T;
  clVector *band[BANDS], *x[2];
  float *along[BANDS], *across[BANDS], *solution;
} Data;

static clStatus onDevice(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  clTridiagonalBands A = {.sub = d->band[0], .main = d->band[1], .super = d->band[2]};
  (void)bench;
  if (d->plan->factored)
    return clTridiagonalSolveFactored(d->T, d->x[i & 1], d->band[3]);
  return clTridiagonalSolve(d->T, d->x[i & 1], &A, d->band[3]);
}

#if TEXLA_HAVE_CBLAS
/* LAPACK pivots, which these systems do not need, and overwrites its matrix: a copy that stays in a
 * cache. */
static clStatus loopOverSgtsv(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  int failed = 0;
  (void)bench, (void)i;
#pragma omp parallel reduction(+ : failed)
  {
    const int one = 1, n = d->n;
    float *own = malloc(4 * (size_t)n * sizeof *own);
    failed += own == NULL;
#pragma omp for schedule(static)
    for (int s = 0; s < d->k; s++) {
      size_t first = (size_t)s * (size_t)n, bytes = (size_t)n * sizeof *own;
      int info = 0;
      if (!own)
        continue;
      memcpy(own, d->along[0] + first + 1, bytes - sizeof *own);
      memcpy(own + n, d->along[1] + first, bytes);
      memcpy(own + 2 * n, d->along[2] + first, bytes);
      memcpy(d->solution + first, d->along[3] + first, bytes);
      sgtsv_(&n, &one, own, own + n, own + 2 * n, d->solution + first, &n, &info);
      failed += info != 0;
    }
    free(own);
  }
  return failed ? TEXLA_SINGULAR : TEXLA_OK;
}
#define PEER .peer = {{"sgtsv", loopOverSgtsv}}
#else
#define PEER .peer = {{NULL, NULL}}
#endif

/* The true residual ||b - A x|| / ||b|| of all systems, in double. */
static clStatus check(txBench *bench, void *data, double *error) {
  const Data *d = data;
  double off = 0, size = 0;
  bool along = d->plan->axis == TEXLA_AXIS_X;
  float *const *b = along ? d->along : d->across;
  int64_t step = along ? 1 : d->k;
  TRY(onDevice(bench, data, 0));
  TRY(clVectorDownload(d->x[0], d->solution));
  for (int64_t e = 0; e < (int64_t)d->k * d->n; e++) {
    int64_t row = along ? e % d->n : e / d->k;
    const float *x = d->solution + e;
    double r = (double)b[3][e] - (double)b[1][e] * (double)*x;
    if (row > 0)
      r -= (double)b[0][e] * (double)x[-step];
    if (row < d->n - 1)
      r -= (double)b[2][e] * (double)x[step];
    off += r * r;
    size += (double)b[3][e] * (double)b[3][e];
  }
  *error = sqrt(off / size);
  return TEXLA_OK;
}

/* Four bands are read and x is written, each once: the least that a solution moves. */
static const Plan x = {TEXLA_AXIS_X, false}, y = {TEXLA_AXIS_Y, false},
                  x_factored = {TEXLA_AXIS_X, true}, y_factored = {TEXLA_AXIS_Y, true};
#define CASE(name, way, largest)                                                                   \
  { name, onDevice, 4 * (BANDS + 1), "GB/s", {4, 4 * BANDS, 8}, PEER, check, &(way), largest }
static const txBenchCase cases[] = {CASE("along x", x, 0), CASE("along y", y, 0),
                                    CASE("along x, factored", x_factored, 0),
                                    CASE("along y, factored", y_factored, 0)};

/* Systems along x are rows of the grid, along y columns. */
static clStatus begin(txBench *bench, void *data, txBenchCase *c) {
  Data *d = data;
  d->plan = c->options;
  bool along = d->plan->axis == TEXLA_AXIS_X;
  int nx = d->k, ny = d->n;
  float *const *values = d->across;
  if (along) {
    nx = d->n;
    ny = d->k;
    values = d->along;
  }
  const clTridiagonalOptions options = {.axis = d->plan->axis};
  for (int v = 0; v < BANDS; v++)
    d->band[v] = txBenchVectorOf(bench, nx, ny, values[v]);
  for (int v = 0; v < 2; v++)
    d->x[v] = txBenchVectorOf(bench, nx, ny, NULL);
  TX_BENCH_MAKE(clTridiagonal, &d->T, bench->context, nx, ny, &options);
  snprintf(c->size, sizeof c->size, "%d x %d", d->k, d->n);
  TRY(bench->status);
  const clTridiagonalBands A = {.sub = d->band[0], .main = d->band[1], .super = d->band[2]};
  return d->plan->factored ? clTridiagonalFactor(d->T, &A) : TEXLA_OK;
}

/* Dominant diagonals; twice as many systems as rows if they do not fit into a cache. */
static clStatus prepare(txBench *bench, void *data, int32_t size) {
  static const float least[BANDS] = {-1, 3, -1, -1}, spread[BANDS] = {2, 1, 2, 2};
  Data *d = data;
  d->n = size;
  d->k = size == 2048 ? 2 * size : size;
  int64_t count = (int64_t)d->k * d->n;
  bench->measure = (double)count;
  for (int v = 0; v < BANDS; v++) {
    d->along[v] = txBenchNoiseOf(bench, count, 60 + (uint64_t)v, least[v], least[v] + spread[v]);
    d->across[v] = txBenchZeros(bench, count);
    TRY(bench->status);
    for (int64_t e = 0; e < count; e++)
      d->across[v][e % d->n * d->k + e / d->n] = d->along[v][e];
  }
  d->solution = txBenchZeros(bench, count);
  TRY(bench->status);
  return txBenchProbesCreate(bench, count);
}

const txBenchSuite txBenchTridiag = {.name = "tridiag",
                                     .size = {256, 1024, 2048},
                                     .quick = 256,
                                     .bytes = sizeof(Data),
                                     .prepare = prepare,
                                     .begin = begin,
                                     TX_BENCH_CASES(cases)};
