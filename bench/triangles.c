/* A D^2 A^T, Cholesky and QR beside OpenBLAS and beside texla's own product and PLU; then least
 * squares (triangles_tables.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
extern void spotrf_(const char *uplo, const int *n, float *a, const int *lda, int *info);
extern void sgeqrf_(const int *m, const int *n, float *a, const int *lda, float *tau, float *work,
                    const int *lwork, int *info);
#endif

#include "suite.h"
#include "core/try.h"

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

/* In place, so that it begins with a copy, as the device does. */
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

/* y <- the lower triangle's part of C x for x = 1, -1, 1, ...: ||C x - A A^T x||, C symmetric */
static clStatus checkAssembly(void *user, bool peer, double *error) {
  const Data *d = user;
  int m = d->m, n = 2 * m;
  clStatus status = peer ? TEXLA_OK : assemblePacked(user, 0);
  double *w = calloc((size_t)n, sizeof *w), sum = 0, size = 0;
  if (!w)
    return TEXLA_OUT_OF_MEMORY;
#if TEXLA_HAVE_CBLAS
  if (peer)
    assembleBlas(user, 0);
#endif
  if (!peer && !status)
    status = clPackedDownload(d->P, d->work, m);
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++)
      w[k] += (double)d->a[(int64_t)i * n + k] * txBenchSign(i);
  for (int i = 0; i < m && !status; i++) {
    double exact = 0, got = 0;
    for (int k = 0; k < n; k++)
      exact += (double)d->a[(int64_t)i * n + k] * w[k];
    for (int j = 0; j < m; j++) {
      double entry = (double)d->work[(int64_t)j * m + i];
      if (i >= j)
        entry = (double)d->work[(int64_t)i * m + j];
      got += j & 1 ? -entry : entry;
    }
    sum += (got - exact) * (got - exact);
    size += exact * exact;
  }
  *error = txBenchRelative(sum, size);
  free(w);
  return status;
}

/* ||C x - L L^T x|| / ||C x|| for the same x */
static clStatus checkFactor(void *user, bool peer, double *error) {
  const Data *d = user;
  int m = d->m;
  clStatus status = peer ? TEXLA_OK : factorPacked(user, 0);
  double *u = calloc((size_t)m, sizeof *u), sum = 0, size = 0;
  clDense *L = NULL;
  if (!u)
    return TEXLA_OUT_OF_MEMORY;
  if (!peer && !status)
    status = clDenseCreateLike(&L, d->C[0]);
  if (!peer && !status)
    status = clCholeskyLower(d->packed, L);
  if (!peer && !status)
    status = clDenseDownload(L, d->work, m);
  clDenseDestroy(L);
#if TEXLA_HAVE_CBLAS
  if (peer)
    status = factorBlas(user, 0);
#endif
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      u[j] += (double)d->work[(int64_t)i * m + j] * txBenchSign(i);
  for (int i = 0; i < m && !status; i++) {
    double exact = 0, got = 0;
    for (int j = 0; j < m; j++)
      exact += (double)d->c[(int64_t)i * m + j] * txBenchSign(j);
    for (int j = 0; j <= i; j++)
      got += (double)d->work[(int64_t)i * m + j] * u[j];
    sum += (got - exact) * (got - exact);
    size += exact * exact;
  }
  *error = txBenchRelative(sum, size);
  free(u);
  return status;
}

/* work <- R, its columns in the order of B's, of the device or of the peer. */
static clStatus takeUpper(const Data *d, bool peer) {
  int m = d->m;
  clDense *R = NULL;
  if (peer) {
#if TEXLA_HAVE_CBLAS
    clStatus status = factorQrBlas((void *)(uintptr_t)d, 0);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        d->work[(int64_t)i * m + j] = i <= j ? d->b[(int64_t)j * 2 * m + i] : 0;
    return status;
#endif
  }
  clStatus status = clDenseCreateLike(&R, d->C[0]);
  if (!status)
    status = clQrFactor(d->qr[1], d->B, NULL);
  if (!status)
    status = clQrUpper(d->qr[1], R);
  if (!status)
    status = clDenseDownload(R, d->work, m);
  clDenseDestroy(R);
  return status;
}

/* ||A A^T x - R^T R x|| / ||A A^T x|| */
static clStatus checkQr(void *user, bool peer, double *error) {
  const Data *d = user;
  int m = d->m;
  double *u = calloc((size_t)m, sizeof *u), sum = 0, size = 0;
  clStatus status = u ? takeUpper(d, peer) : TEXLA_OUT_OF_MEMORY;
  for (int i = 0; i < m && !status; i++)
    for (int j = i; j < m; j++)
      u[i] += (double)d->work[(int64_t)i * m + j] * txBenchSign(j);
  for (int i = 0; i < m && !status; i++) {
    double exact = 0, got = 0;
    for (int j = 0; j < m; j++)
      exact += (double)d->c[(int64_t)i * m + j] * txBenchSign(j);
    for (int j = 0; j <= i; j++)
      got += (double)d->work[(int64_t)j * m + i] * u[j];
    sum += (got - exact) * (got - exact);
    size += exact * exact;
  }
  *error = txBenchRelative(sum, size);
  free(u);
  return status;
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
  clStatus status = createData(bench, &d);
  if (!status)
    status = runCase(bench, &d, "A D^2 A^T", assembleFull, true);
  if (!status)
    status = runCase(bench, &d, "A D^2 A^T, packed", assemblePacked, true);
  if (!status && m <= 512)
    status = runCase(bench, &d, "... by columns", assembleByColumns, true);
  /* what a product has left there */
  if (!status)
    status = clPackedToDense(d.C[0], d.P, true);
  if (!status)
    status = clPackedToDense(d.C[1], d.P, true);
  if (!status)
    status = runCase(bench, &d, "cholesky", factorFull, false);
  if (!status)
    status = runCase(bench, &d, "cholesky, packed", factorPacked, false);
  if (!status)
    status = runQr(bench, &d, "qr", factorQr);
  if (!status)
    status = runQr(bench, &d, "qr, pivoting", factorQrPivoting);
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
