/* Dense matrices: the product beside OpenBLAS and beside the plain single-pass shader. */
#include <stdlib.h>
#include <string.h>

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
#endif

#include "cpu.h"
#include "core/try.h"
#include "dense/entries.h"
#include "suite.h"

typedef struct Data {
  int n;
  clDense *A, *B, *C[2];
  float *a, *b, *c;
} Data;

static clStatus multiply(void *user, int64_t i) {
  const Data *d = user;
  return clDenseMultiply(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE, d->B, 0);
}

/* The single-pass shader as it stands in the documents; waited for, because peers are not. */
static clStatus multiplySingle(void *user, int64_t i) {
  const Data *d = user;
  TRY(txDenseMultiply("texla bench", d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE,
                      d->B, 0, TX_PRODUCT_SINGLE));
  return clContextSynchronize(clDenseContext(d->A));
}

#if TEXLA_HAVE_CBLAS
static clStatus multiplyBlas(void *user, int64_t i) {
  const Data *d = user;
  (void)i;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, d->n, d->n, d->n, 1, d->a, d->n, d->b,
              d->n, 0, d->c, d->n);
  return TEXLA_OK;
}
#endif

/* y <- M x in double */
static void multiplyVector(double *y, const float *M, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += (double)M[(int64_t)i * n + j] * x[j];
  }
}

/* ||C v - A (B v)|| / ||A (B v)||, v = 1, -1, 1, ... */
static clStatus vectorError(const Data *d, double *error) {
  double *v = malloc(4 * (size_t)d->n * sizeof *v), *w = v + d->n, *exact = w + d->n,
         *got = exact + d->n;
  float *rounded = malloc((size_t)d->n * sizeof *rounded);
  if (!v || !rounded) {
    free(v);
    free(rounded);
    return TEXLA_OUT_OF_MEMORY;
  }
  for (int i = 0; i < d->n; i++)
    v[i] = i & 1 ? -1 : 1;
  multiplyVector(w, d->b, v, d->n);
  multiplyVector(exact, d->a, w, d->n);
  multiplyVector(got, d->c, v, d->n);
  for (int i = 0; i < d->n; i++)
    rounded[i] = (float)got[i];
  *error = txBenchError(rounded, exact, d->n);
  free(v);
  free(rounded);
  return TEXLA_OK;
}

/* The product with a vector, in double, tells an error of the whole matrix. */
static clStatus check(void *user, bool peer, double *error) {
  Data *d = user;
  clStatus status = TEXLA_OK;
#if TEXLA_HAVE_CBLAS
  status = peer ? multiplyBlas(d, 0) : multiply(d, 0);
#else
  status = peer ? multiplySingle(d, 0) : multiply(d, 0);
  peer = false;
#endif
  if (!status && !peer)
    status = clDenseDownload(d->C[0], d->c, d->n);
  TRY(status);
  return vectorError(d, error);
}

static clStatus createData(txBench *bench, Data *d) {
  int64_t count = (int64_t)d->n * d->n;
  clDense **matrix[] = {&d->A, &d->B, &d->C[0], &d->C[1]};
  clStatus status = txBenchUse(bench, count);
  d->a = txBenchArray(count, 0);
  d->b = txBenchArray(count, 0);
  d->c = txBenchArray(count, 0);
  if (!d->a || !d->b || !d->c)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(d->a, count, 44, -1, 1);
  txBenchNoise(d->b, count, 45, -1, 1);
  for (int k = 0; k < 4 && !status; k++)
    status = clDenseCreate(matrix[k], bench->context, d->n, d->n);
  if (!status)
    status = clDenseUpload(d->A, d->a, d->n);
  TRY(status);
  return clDenseUpload(d->B, d->b, d->n);
}

static void destroyData(Data *d) {
  clDenseDestroy(d->A);
  clDenseDestroy(d->B);
  clDenseDestroy(d->C[0]);
  clDenseDestroy(d->C[1]);
  txBenchFree(d->a, 0);
  txBenchFree(d->b, 0);
  txBenchFree(d->c, 0);
}

/* One order: texla's product beside OpenBLAS and beside one without blocks. */
static clStatus runProduct(txBench *bench, int n, txBenchRow *row) {
  Data d = {.n = n};
  double flops = 2.0 * n * n * n;
  txBenchCase c = {
    .name = "product",
    .user = &d,
    .device = multiply,
#if TEXLA_HAVE_CBLAS
    .peer = {{"cpu_openblas", multiplyBlas}, {"single_texel", multiplySingle}},
#else
    .peer = {{"single_texel", multiplySingle}},
#endif
    .check = check,
    .work = flops,
    .unit = "GFLOP/s",
    /* a fragment computes at most 4 x 2 texels: 6 fetches of 16 bytes for 8 products of 16 flops */
    .needs = {4.0 * n * n, flops * 6 * 16 / (8 * 16), flops}
  };
  snprintf(c.size, sizeof c.size, "%d", n);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createData(bench, &d));
  TRY_CLEANUP(txBenchMeasure(bench, &c, row));
  txBenchReportRow(bench, row);
cleanup:
  destroyData(&d);
  return status;
}

/* A fit needs three orders at least. */
static clStatus runSizes(txBench *bench) {
  txBenchRow rows[TX_BENCH_DENSE_SIZES];
  double n[TX_BENCH_DENSE_SIZES];
  int count = txBenchDenseSizes(bench, n);
  clStatus status = TEXLA_OK;
  for (int k = 0; k < count && !status; k++)
    status = runProduct(bench, (int)n[k], &rows[k]);
  if (!status && count > 2)
    txBenchReportFit(bench, rows, n, count);
  return txBenchForgive(bench, "product", status);
}

clStatus txBenchDense(txBench *bench) {
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchProbesCreate(bench, (int64_t)1 << 22));
  TRY_CLEANUP(runSizes(bench));
  TRY_CLEANUP(txBenchBatch(bench));
  TRY_CLEANUP(txBenchEliminate(bench));
  TRY_CLEANUP(txBenchDenseErrors(bench));
cleanup:
  txBenchProbesDestroy(bench);
  return status;
}
