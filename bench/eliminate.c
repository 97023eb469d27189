/* PLU and Gauss-Jordan beside OpenBLAS's sgetrf and beside texla's own product. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "core/try.h"
#include "texla/dense.h"

#if TEXLA_HAVE_CBLAS
/* LAPACK's, column-major */
extern void sgetrf_(const int *m, const int *n, float *a, const int *lda, int *ipiv, int *info);
#endif

/* A matrix, what is made of it on the device and on the host, and the operands of the product that
 * stands beside eliminations. */
typedef struct Data {
  /* cols: n, or n + 1 for Gauss-Jordan */
  int n, cols;
  clDense *A, *R, *B, *C[2];
  clPlu *plu;
  /* A row by row; what LAPACK overwrites; L and U, or R, from the device */
  float *a, *work, *f;
  int *pivots;
} Data;

/* P A = L U */
static clStatus factor(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clPluFactor(d->plu, d->A, NULL);
}

/* [A b] -> [I x] */
static clStatus reduce(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clDenseRref(d->R, d->A, NULL, NULL, NULL);
}

/* Waited for, because peers are not. */
static clStatus multiply(void *user, int64_t i) {
  const Data *d = user;
  TRY(clDenseMultiply(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->B, TEXLA_NO_TRANSPOSE, d->B, 0));
  return clContextSynchronize(clDenseContext(d->A));
}

#if TEXLA_HAVE_CBLAS
/* LAPACK overwrites its matrix, so that it begins with a copy. Rows are columns for it: what it
 * factors is A^T, in the same time. */
static clStatus factorBlas(void *user, int64_t i) {
  Data *d = user;
  int info = 0;
  (void)i;
  memcpy(d->work, d->a, (size_t)d->n * (size_t)d->n * sizeof *d->work);
  sgetrf_(&d->n, &d->n, d->work, &d->n, d->pivots, &info);
  if (info)
    return TEXLA_SINGULAR;
  return TEXLA_OK;
}
#endif

/* ||P A v - L (U v)|| / ||P A v||, v = 1, -1, 1, ... */
static clStatus checkPlu(void *user, bool peer, double *error) {
  Data *d = user;
  int n = d->n;
  double sum = 0, size = 0;
  *error = 0;
  if (peer)
    return TEXLA_OK;
  TRY(factor(d, 0));
  TRY(clDenseDownload(clPluFactors(d->plu), d->f, n));
  double *u = calloc((size_t)n, sizeof *u);
  if (!u)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      u[i] += (double)d->f[(int64_t)i * n + j] * txBenchSign(j);
  for (int i = 0; i < n; i++) {
    const float *row = d->a + (int64_t)clPluRows(d->plu)[i] * n;
    double exact = 0, got = u[i];
    for (int j = 0; j < n; j++)
      exact += (double)row[j] * txBenchSign(j);
    for (int j = 0; j < i; j++)
      got += (double)d->f[(int64_t)i * n + j] * u[j];
    sum += (got - exact) * (got - exact);
    size += exact * exact;
  }
  *error = txBenchRelative(sum, size);
  free(u);
  return TEXLA_OK;
}

/* R's last column x solves: ||A x - b|| / ||b|| */
static clStatus checkRref(void *user, bool peer, double *error) {
  Data *d = user;
  double sum = 0, size = 0;
  *error = 0;
  if (peer)
    return TEXLA_OK;
  TRY(reduce(d, 0));
  TRY(clDenseDownload(d->R, d->f, d->cols));
  for (int i = 0; i < d->n; i++) {
    const float *row = d->a + (int64_t)i * d->cols;
    double r = (double)row[d->n];
    size += r * r;
    for (int j = 0; j < d->n; j++)
      r -= (double)row[j] * (double)d->f[(int64_t)j * d->cols + d->n];
    sum += r * r;
  }
  *error = txBenchRelative(sum, size);
  return TEXLA_OK;
}

/* The product that stands beside has operands of one value, since its time depends on none. */
static clStatus createData(txBench *bench, Data *d) {
  int64_t count = (int64_t)d->n * d->cols;
  clDense **square[] = {&d->B, &d->C[0], &d->C[1]};
  d->a = txBenchArray(count, 0);
  d->work = txBenchArray(count, 0);
  d->f = txBenchArray(count, 0);
  d->pivots = malloc((size_t)d->n * sizeof *d->pivots);
  if (!d->a || !d->work || !d->f || !d->pivots)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(d->a, count, 46, -1, 1);
  TRY(txBenchUse(bench, (int64_t)d->n * d->n));
  TRY(clDenseCreate(&d->A, bench->context, d->n, d->cols));
  TRY(clDenseUpload(d->A, d->a, d->cols));
  for (int k = 0; k < 3; k++)
    TRY(clDenseCreate(square[k], bench->context, d->n, d->n));
  TRY(clDenseFill(d->B, 1));
  TRY(clPluCreate(&d->plu, bench->context, d->n, d->n, NULL));
  return clDenseCreateLike(&d->R, d->A);
}

/* Also what has never been made. */
static void destroyData(Data *d) {
  clDense *matrix[] = {d->A, d->R, d->B, d->C[0], d->C[1]};
  for (int k = 0; k < 5; k++)
    clDenseDestroy(matrix[k]);
  clPluDestroy(d->plu);
  txBenchFree(d->a, 0);
  txBenchFree(d->work, 0);
  txBenchFree(d->f, 0);
  free(d->pivots);
}

/* What LAPACK's elimination leaves is taken for right (checkPlu, checkRref). Counted are n^3
 * operations for Gauss and Jordan, and two thirds of them for PLU. */
static clStatus runCase(txBench *bench, int n, bool jordan, txBenchRow *row) {
  Data d = {.n = n, .cols = n + jordan};
  double cube = (double)n * n * n;
  txBenchCase c = {
    .name = "plu",
    .user = &d,
    .device = factor,
#if TEXLA_HAVE_CBLAS
    .peer = {{"cpu_openblas_lu", factorBlas}, {"product", multiply}},
#else
    .peer = {{"product", multiply}},
#endif
    .check = checkPlu,
    .work = 2 * cube / 3,
    .unit = "GFLOP/s"
  };
  if (jordan) {
    c.name = "gauss-jordan";
    c.device = reduce;
    c.check = checkRref;
    c.work = cube;
  }
  snprintf(c.size, sizeof c.size, "%d", n);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createData(bench, &d));
  TRY_CLEANUP(txBenchMeasure(bench, &c, row));
  txBenchReportRow(bench, row);
cleanup:
  destroyData(&d);
  return status;
}

/* The order that the documents compare with Octave's rref has a line more. */
static clStatus runSizes(txBench *bench, bool jordan) {
  txBenchRow rows[TX_BENCH_DENSE_SIZES];
  double n[TX_BENCH_DENSE_SIZES];
  int count = txBenchDenseSizes(bench, n);
  for (int k = 0; k < count; k++) {
    TRY(runCase(bench, (int)n[k], jordan, &rows[k]));
    if (jordan && n[k] == 1024)
      txBenchReportOctave(bench, &rows[k], (int)n[k]);
  }
  if (count > 2)
    txBenchReportFit(bench, rows, n, count);
  return TEXLA_OK;
}

/* Both methods, as far as the device offers them. */
clStatus txBenchEliminate(txBench *bench) {
  TRY(txBenchForgive(bench, "gauss-jordan", runSizes(bench, true)));
  return txBenchForgive(bench, "plu", runSizes(bench, false));
}
