/* Dense matrices: the product beside OpenBLAS and beside the plain single-pass shader; the other
 * parts of the suite are called from here. */
#include <stdlib.h>
#include <string.h>

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
#endif

#include "cpu.h"
#include "core/try.h"
#include "dense/entries.h"
#include "suite.h"

/* C <- A B, by the variant that the device was found to be fastest with. */
static clStatus multiply(void *user, int64_t i) {
  const txBenchSquares *d = user;
  return clDenseMultiply(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE, d->B, 0);
}

/* The single-pass shader as it stands in the documents; waited for, because peers are not. */
static clStatus multiplySingle(void *user, int64_t i) {
  const txBenchSquares *d = user;
  TRY(txDenseMultiply("texla bench", d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE,
                      d->B, 0, TX_PRODUCT_SINGLE));
  return clContextSynchronize(clDenseContext(d->A));
}

#if TEXLA_HAVE_CBLAS
/* The same by OpenBLAS, in single precision. */
static clStatus multiplyBlas(void *user, int64_t i) {
  const txBenchSquares *d = user;
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
static clStatus vectorError(const txBenchSquares *d, double *error) {
  double *v = malloc(4 * (size_t)d->n * sizeof *v), *w = v + d->n, *exact = w + d->n,
         *got = exact + d->n;
  float *rounded = malloc((size_t)d->n * sizeof *rounded);
  clStatus status = TEXLA_OK;
  if (!v || !rounded)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int i = 0; i < d->n; i++)
    v[i] = txBenchSign(i);
  multiplyVector(w, d->b, v, d->n);
  multiplyVector(exact, d->a, w, d->n);
  multiplyVector(got, d->c, v, d->n);
  for (int i = 0; i < d->n; i++)
    rounded[i] = (float)got[i];
  *error = txBenchError(rounded, exact, d->n);
cleanup:
  free(v);
  free(rounded);
  return status;
}

/* The product with a vector, in double, tells an error of the whole matrix. The first peer leaves
 * its result on the host where that is OpenBLAS. */
static clStatus check(void *user, bool peer, double *error) {
  const txBenchSquares *d = user;
#if TEXLA_HAVE_CBLAS
  if (peer) {
    TRY(multiplyBlas(user, 0));
    return vectorError(d, error);
  }
#else
  if (peer)
    TRY(multiplySingle(user, 0));
#endif
  if (!peer)
    TRY(multiply(user, 0));
  TRY(clDenseDownload(d->C[0], d->c, d->n));
  return vectorError(d, error);
}

/* One order: texla's product beside OpenBLAS and beside one without blocks. */
static clStatus runProduct(txBench *bench, int n, txBenchRow *row) {
  txBenchSquares d = {0};
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
  TRY_CLEANUP(txBenchSquaresCreate(bench, &d, n));
  TRY_CLEANUP(txBenchMeasure(bench, &c, row));
  txBenchReportRow(bench, row);
cleanup:
  txBenchSquaresDestroy(&d);
  return status;
}

/* A fit needs three orders at least. */
static clStatus runSizes(txBench *bench) {
  txBenchRow rows[TX_BENCH_DENSE_SIZES];
  double n[TX_BENCH_DENSE_SIZES];
  int count = txBenchDenseSizes(bench, n);
  for (int k = 0; k < count; k++) {
    clStatus status = runProduct(bench, (int)n[k], &rows[k]);
    if (status)
      return txBenchForgive(bench, "product", status);
  }
  if (count > 2)
    txBenchReportFit(bench, rows, n, count);
  return TEXLA_OK;
}

/* All parts of the suite. The limits' passes write as much as a matrix of order 2048. */
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
