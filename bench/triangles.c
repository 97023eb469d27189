/* A D^2 A^T, Cholesky and QR beside OpenBLAS and beside texla's own product and PLU; then least
 * squares (triangles_tables.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
/* LAPACK's, column-major: Cholesky, QR by Householder reflections */
extern void spotrf_(const char *uplo, const int *n, float *a, const int *lda, int *info);
extern void sgeqrf_(const int *m, const int *n, float *a, const int *lda, float *tau, float *work,
                    const int *lwork, int *info);
#endif

#include "suite.h"
#include "core/try.h"

/* One order: operands and factorizations on the device, and the same on the host. */
typedef struct Data {
  /* A is m x 2m */
  int m;
  clDense *A, *B, *C[2];
  clVector *d;
  clPacked *P;
  clCholesky *full, *packed;
  clPlu *plu;
  /* of B: pivoting, and columns as they come */
  clQr *qr[2];
  /* A; A A^T; a factor; B column by column, tau and scratch */
  float *a, *c, *work, *b;
} Data;

/* C <- A D^2 A^T with all of C; two results in turns. */
static clStatus assembleFull(void *user, int64_t i) {
  const Data *d = user;
  return clDenseSyrk(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, d->d, 0);
}

/* The lower triangle alone, in a rectangle of half the size. */
static clStatus assemblePacked(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clPackedSyrk(d->P, 1, TEXLA_NO_TRANSPOSE, d->A, d->d, 0);
}

/* The same by the variant that goes through columns. */
static clStatus assembleByColumns(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clPackedSyrkWith(d->P, 1, TEXLA_NO_TRANSPOSE, d->A, d->d, 0,
                          TEXLA_TRIANGLE_METHOD_COLUMNS);
}

/* C = L L^T in a square. */
static clStatus factorFull(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clCholeskyFactor(d->full, d->C[0], NULL);
}

/* ... in the packed triangle. */
static clStatus factorPacked(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clCholeskyFactorPacked(d->packed, d->P, NULL);
}

/* The device's own product and PLU; waited for, because peers are not. */
static clStatus multiply(void *user, int64_t i) {
  const Data *d = user;
  TRY(clDenseMultiply(d->C[i & 1], 1, TEXLA_NO_TRANSPOSE, d->A, TEXLA_NO_TRANSPOSE, d->B, 0));
  return clContextSynchronize(clDenseContext(d->A));
}

/* What a general elimination takes for the same matrix. */
static clStatus factorPlu(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clPluFactor(d->plu, d->C[1], NULL);
}

/* B = Q R with columns as they come. */
static clStatus factorQr(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clQrFactor(d->qr[1], d->B, NULL);
}

/* The largest column first, for columns that nearly depend on each other. */
static clStatus factorQrPivoting(void *user, int64_t i) {
  (void)i;
  const Data *d = user;
  return clQrFactor(d->qr[0], d->B, NULL);
}

#if TEXLA_HAVE_CBLAS
/* Without weights: D = 1. */
static clStatus assembleBlas(void *user, int64_t i) {
  const Data *d = user;
  (void)i;
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, d->m, 2 * d->m, 1, d->a, 2 * d->m, 0,
              d->work, d->m);
  return TEXLA_OK;
}

/* In place, so that it begins with a copy, as the device does. Row by row the lower triangle of
 * C is the upper one of LAPACK. */
static clStatus factorBlas(void *user, int64_t i) {
  const Data *d = user;
  int info = 0;
  (void)i;
  memcpy(d->work, d->c, (size_t)d->m * (size_t)d->m * sizeof *d->work);
  spotrf_("U", &d->m, d->work, &d->m, &info);
  if (info)
    return TEXLA_SINGULAR;
  return TEXLA_OK;
}

/* A row of A is a column of B. */
static clStatus factorQrBlas(void *user, int64_t i) {
  const Data *d = user;
  int info = 0, n = 2 * d->m, lwork = 64 * d->m;
  size_t count = (size_t)n * (size_t)d->m;
  (void)i;
  memcpy(d->b, d->a, count * sizeof *d->b);
  sgeqrf_(&n, &d->m, d->b, &n, d->b + count, d->b + count + d->m, &lwork, &info);
  if (info)
    return TEXLA_SINGULAR;
  return TEXLA_OK;
}
#endif

/* ||C x - A A^T x|| / ||A A^T x|| for x = 1, -1, 1, ..., where C is symmetric and its lower
 * triangle stands in `work`. Without OpenBLAS a peer leaves nothing there: what the device has
 * left counts. */
static clStatus checkAssembly(void *user, bool peer, double *error) {
  const Data *d = user;
  int m = d->m, n = 2 * m;
  if (!peer) {
    TRY(assemblePacked(user, 0));
    TRY(clPackedDownload(d->P, d->work, m));
  }
#if TEXLA_HAVE_CBLAS
  if (peer)
    TRY(assembleBlas(user, 0));
#endif
  double *w = calloc((size_t)n, sizeof *w), sum = 0, size = 0;
  if (!w)
    return TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++)
      w[k] += (double)d->a[(int64_t)i * n + k] * txBenchSign(i);
  for (int i = 0; i < m; i++) {
    double exact = 0, got = 0;
    for (int k = 0; k < n; k++)
      exact += (double)d->a[(int64_t)i * n + k] * w[k];
    for (int j = 0; j < m; j++) {
      double entry = (double)d->work[(int64_t)j * m + i];
      if (i >= j)
        entry = (double)d->work[(int64_t)i * m + j];
      got += entry * txBenchSign(j);
    }
    sum += (got - exact) * (got - exact);
    size += exact * exact;
  }
  *error = txBenchRelative(sum, size);
  free(w);
  return TEXLA_OK;
}

/* ||C x - L L^T x|| / ||C x|| for the same x, C = A A^T. Entry (i, j) of L is work[i row + j
 * col]. */
static clStatus squareError(const Data *d, int64_t row, int64_t col, double *error) {
  int m = d->m;
  double *u = calloc((size_t)m, sizeof *u), sum = 0, size = 0;
  if (!u)
    return TEXLA_OUT_OF_MEMORY;
  /* u = L^T x */
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      u[j] += (double)d->work[i * row + j * col] * txBenchSign(i);
  for (int i = 0; i < m; i++) {
    double exact = 0, got = 0;
    for (int j = 0; j < m; j++)
      exact += (double)d->c[(int64_t)i * m + j] * txBenchSign(j);
    for (int j = 0; j <= i; j++)
      got += (double)d->work[i * row + j * col] * u[j];
    sum += (got - exact) * (got - exact);
    size += exact * exact;
  }
  *error = txBenchRelative(sum, size);
  free(u);
  return TEXLA_OK;
}

/* work <- L of the device */
static clStatus takeLower(const Data *d) {
  clDense *L = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clCholeskyFactorPacked(d->packed, d->P, NULL));
  TRY_CLEANUP(clDenseCreateLike(&L, d->C[0]));
  TRY_CLEANUP(clCholeskyLower(d->packed, L));
  TRY_CLEANUP(clDenseDownload(L, d->work, d->m));
cleanup:
  clDenseDestroy(L);
  return status;
}

/* C = L L^T, by either. */
static clStatus checkFactor(void *user, bool peer, double *error) {
  const Data *d = user;
  if (!peer)
    TRY(takeLower(d));
#if TEXLA_HAVE_CBLAS
  if (peer)
    TRY(factorBlas(user, 0));
#endif
  return squareError(d, d->m, 1, error);
}

/* work <- R of the device, its columns in the order of B's */
static clStatus takeUpper(const Data *d) {
  clDense *R = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreateLike(&R, d->C[0]));
  TRY_CLEANUP(clQrFactor(d->qr[1], d->B, NULL));
  TRY_CLEANUP(clQrUpper(d->qr[1], R));
  TRY_CLEANUP(clDenseDownload(R, d->work, d->m));
cleanup:
  clDenseDestroy(R);
  return status;
}

/* B = Q R, so that C = B^T B = R^T R: L is R^T. */
static clStatus checkQr(void *user, bool peer, double *error) {
  const Data *d = user;
  int64_t m = d->m;
  if (!peer)
    TRY(takeUpper(d));
#if TEXLA_HAVE_CBLAS
  if (peer) {
    TRY(factorQrBlas(user, 0));
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = i; j < m; j++)
        d->work[i * m + j] = d->b[j * 2 * m + i];
  }
#endif
  return squareError(d, 1, m, error);
}

/* A is m x 2m, B its transpose. */
static clStatus createMatrices(txBench *bench, Data *d) {
  int m = d->m, n = 2 * m;
  TRY(txBenchUse(bench, (int64_t)m * m));
  TRY(clDenseCreate(&d->A, bench->context, m, n));
  TRY(clDenseUpload(d->A, d->a, n));
  TRY(clDenseCreate(&d->B, bench->context, n, m));
  TRY(clDenseTranspose(d->B, d->A));
  for (int k = 0; k < 2; k++)
    TRY(clDenseCreate(&d->C[k], bench->context, m, m));
  TRY(clVectorCreate(&d->d, bench->context, n));
  TRY(clVectorFill(d->d, 1));
  return clPackedCreate(&d->P, bench->context, m, TEXLA_PACKING_2X2);
}

/* The host gets the product that the device has made, so that both factor the same matrix. */
static clStatus createData(txBench *bench, Data *d) {
  int64_t m = d->m;
  clCholeskyOptions packed = {.packed = true};
  d->a = txBenchArray(2 * m * m, 0);
  d->c = txBenchArray(m * m, 0);
  d->work = txBenchArray(m * m, 0);
  d->b = txBenchArray(2 * m * m + 65 * m, 0);
  if (!d->a || !d->c || !d->work || !d->b)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(d->a, 2 * m * m, 49, -1, 1);
  TRY(createMatrices(bench, d));
  TRY(assemblePacked(d, 0));
  for (int k = 0; k < 2; k++)
    TRY(clPackedToDense(d->C[k], d->P, true));
  TRY(clDenseDownload(d->C[1], d->c, m));
  TRY(clCholeskyCreate(&d->full, bench->context, d->m, NULL));
  TRY(clCholeskyCreate(&d->packed, bench->context, d->m, &packed));
  for (int k = 0; k < 2; k++)
    TRY(clQrCreate(&d->qr[k], bench->context, 2 * d->m, d->m, &(clQrOptions){.no_pivoting = k}));
  return clPluCreate(&d->plu, bench->context, d->m, d->m, NULL);
}

/* Also what has never been made. */
static void destroyData(Data *d) {
  clDenseDestroy(d->A);
  clDenseDestroy(d->B);
  clDenseDestroy(d->C[0]);
  clDenseDestroy(d->C[1]);
  clVectorDestroy(d->d);
  clPackedDestroy(d->P);
  clCholeskyDestroy(d->full);
  clCholeskyDestroy(d->packed);
  clPluDestroy(d->plu);
  clQrDestroy(d->qr[0]);
  clQrDestroy(d->qr[1]);
  txBenchFree(d->a, 0);
  txBenchFree(d->b, 0);
  txBenchFree(d->c, 0);
  txBenchFree(d->work, 0);
}

/* An assembly beside a product of the same shape, a factorization beside PLU. */
static clStatus runCase(txBench *bench, Data *d, const char *name, txBenchRun run, bool assembly) {
  double m = d->m;
  int peers = 0;
  txBenchCase c = {.name = name, .user = d, .device = run, .unit = "GFLOP/s"};
  if (assembly) {
    c.check = checkAssembly;
    /* Half of what the product of m x 2m and 2m x m takes. */
    c.work = 2 * m * m * m;
#if TEXLA_HAVE_CBLAS
    c.peer[peers].name = "cpu_openblas_ssyrk";
    c.peer[peers++].run = assembleBlas;
#endif
    c.peer[peers].name = "product";
    c.peer[peers].run = multiply;
  } else {
    c.check = checkFactor;
    c.work = m * m * m / 3;
#if TEXLA_HAVE_CBLAS
    c.peer[peers].name = "cpu_openblas_spotrf";
    c.peer[peers++].run = factorBlas;
#endif
    c.peer[peers].name = "plu";
    c.peer[peers].run = factorPlu;
  }
  snprintf(c.size, sizeof c.size, "%d", d->m);
  return txBenchRunCase(bench, &c);
}

/* 2 n m^2 - 2/3 m^3 operations with n = 2 m. */
static clStatus runQr(txBench *bench, Data *d, const char *name, txBenchRun run) {
  double m = d->m;
  txBenchCase c = {.name = name,
                   .user = d,
                   .device = run,
                   .check = checkQr,
                   /* of 2m x m */
                   .work = 10 * m * m * m / 3,
                   .unit = "GFLOP/s"};
#if TEXLA_HAVE_CBLAS
  c.peer[0].name = "cpu_openblas_sgeqrf";
  c.peer[0].run = factorQrBlas;
#endif
  snprintf(c.size, sizeof c.size, "%d", d->m);
  return txBenchRunCase(bench, &c);
}

/* The column variant is for small triangles: with larger ones it only takes long. */
static clStatus runSize(txBench *bench, int m) {
  Data d = {.m = m};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createData(bench, &d));
  TRY_CLEANUP(runCase(bench, &d, "A D^2 A^T", assembleFull, true));
  TRY_CLEANUP(runCase(bench, &d, "A D^2 A^T, packed", assemblePacked, true));
  if (m <= 512)
    TRY_CLEANUP(runCase(bench, &d, "... by columns", assembleByColumns, true));
  /* The product that stood beside assemblies has left other entries in C. */
  for (int k = 0; k < 2; k++)
    TRY_CLEANUP(clPackedToDense(d.C[k], d.P, true));
  TRY_CLEANUP(runCase(bench, &d, "cholesky", factorFull, false));
  TRY_CLEANUP(runCase(bench, &d, "cholesky, packed", factorPacked, false));
  TRY_CLEANUP(runQr(bench, &d, "qr", factorQr));
  TRY_CLEANUP(runQr(bench, &d, "qr, pivoting", factorQrPivoting));
cleanup:
  destroyData(&d);
  return txBenchForgive(bench, "triangles", status);
}

/* The sizes of the dense suites, then weighted least squares. */
clStatus txBenchTriangles(txBench *bench) {
  double sizes[TX_BENCH_DENSE_SIZES];
  int count = txBenchDenseSizes(bench, sizes);
  for (int k = 0; k < count; k++)
    TRY(runSize(bench, (int)sizes[k]));
  return txBenchLeastSquares(bench);
}
