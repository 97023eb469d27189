/* Errors over size, as the documents draw them: product, Gauss-Jordan and PLU in single precision
 * against LAPACK in double, beside LAPACK in single. Errors are relative to the largest entry of
 * the exact result: the largest one, and their mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "core/try.h"
#include "texla/dense.h"

#if TEXLA_HAVE_CBLAS
#include <cblas.h>
extern void dgesv_(const int *n, const int *columns, double *a, const int *lda, int *pivots,
                   double *b, const int *ldb, int *info);
extern void sgesv_(const int *n, const int *columns, float *a, const int *lda, int *pivots,
                   float *b, const int *ldb, int *info);

/* right-hand sides of the systems */
enum { COLUMNS = 4 };

typedef struct Errors {
  double max, mean;
} Errors;

typedef struct Data {
  int n;
  /* n x n, n x n; row by row */
  float *a, *b;
  /* results in single precision, of n x n or n x COLUMNS */
  float *single;
  /* n x (n + COLUMNS) */
  float *work;
  /* n x n or n x COLUMNS */
  double *exact;
  /* n x n */
  double *wide[2];
  int *pivots;
} Data;

/* Largest and mean error, relative to the largest entry. */
static Errors compare(const float *x, const double *exact, int64_t count) {
  Errors e = {0, 0};
  double size = 0;
  for (int64_t k = 0; k < count; k++)
    size = fmax(size, fabs(exact[k]));
  for (int64_t k = 0; k < count; k++) {
    double d = fabs((double)x[k] - exact[k]) / size;
    e.max = d <= e.max ? e.max : d;
    e.mean += d / (double)count;
  }
  return e;
}

static void widen(double *wide, const float *x, int64_t count) {
  for (int64_t k = 0; k < count; k++)
    wide[k] = (double)x[k];
}

/* y (cols x rows) <- x^T */
static void transpose(float *y, const float *x, int rows, int cols) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      y[(int64_t)j * rows + i] = x[(int64_t)i * cols + j];
}

static clStatus upload(clDense **out, clContext *context, const float *x, int rows, int cols) {
  TRY(clDenseCreate(out, context, rows, cols));
  return clDenseUpload(*out, x, cols);
}

static clStatus compareProduct(clContext *context, Data *d, Errors errors[2]) {
  int n = d->n;
  int64_t count = (int64_t)n * n;
  clDense *A = NULL, *B = NULL;
  widen(d->wide[0], d->a, count);
  widen(d->wide[1], d->b, count);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, d->wide[0], n, d->wide[1], n,
              0, d->exact, n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, d->a, n, d->b, n, 0, d->single,
              n);
  errors[1] = compare(d->single, d->exact, count);
  clStatus status = upload(&A, context, d->a, n, n);
  if (!status)
    status = upload(&B, context, d->b, n, n);
  if (!status)
    status = clDenseMultiply(B, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0);
  if (!status)
    status = clDenseDownload(B, d->single, n);
  clDenseDestroy(A);
  clDenseDestroy(B);
  errors[0] = compare(d->single, d->exact, count);
  return status;
}

/* exact and the second of the errors: A X = B for the first COLUMNS columns of b, column by
 * column. */
static void solveOnHost(Data *d, Errors *error) {
  int n = d->n, columns = COLUMNS, info;
  int64_t count = (int64_t)n * COLUMNS;
  transpose(d->work, d->a, n, n);
  widen(d->wide[0], d->work, (int64_t)n * n);
  for (int64_t k = 0; k < count; k++)
    d->single[k] = d->b[k % n * n + k / n];
  widen(d->exact, d->single, count);
  dgesv_(&n, &columns, d->wide[0], &n, d->pivots, d->exact, &n, &info);
  sgesv_(&n, &columns, d->work, &n, d->pivots, d->single, &n, &info);
  *error = compare(d->single, d->exact, count);
}

/* x (n x COLUMNS inside of rows of `lead`, from column `first` on) against exact */
static Errors compareSolution(const Data *d, const float *x, int lead, int first) {
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j < COLUMNS; j++)
      d->single[(int64_t)j * d->n + i] = x[(int64_t)i * lead + first + j];
  return compare(d->single, d->exact, (int64_t)d->n * COLUMNS);
}

/* [A B] -> [I X] */
static clStatus compareJordan(clContext *context, Data *d, Errors errors[2]) {
  int n = d->n, cols = n + COLUMNS;
  clDense *A = NULL;
  solveOnHost(d, &errors[1]);
  for (int i = 0; i < n; i++) {
    memcpy(d->work + (int64_t)i * cols, d->a + (int64_t)i * n, (size_t)n * sizeof *d->work);
    memcpy(d->work + (int64_t)i * cols + n, d->b + (int64_t)i * n, COLUMNS * sizeof *d->work);
  }
  clStatus status = upload(&A, context, d->work, n, cols);
  if (!status)
    status = clDenseRref(A, A, NULL, NULL, NULL);
  if (!status)
    status = clDenseDownload(A, d->work, cols);
  clDenseDestroy(A);
  errors[0] = compareSolution(d, d->work, cols, n);
  return status;
}

static clStatus comparePlu(clContext *context, Data *d, Errors errors[2]) {
  int n = d->n;
  clDense *A = NULL, *B = NULL;
  clPlu *plu = NULL;
  solveOnHost(d, &errors[1]);
  clStatus status = upload(&A, context, d->a, n, n);
  if (!status)
    status = clDenseCreate(&B, context, n, COLUMNS);
  if (!status)
    status = clDenseUpload(B, d->b, n);
  if (!status)
    status = clPluCreate(&plu, context, n, n, NULL);
  if (!status)
    status = clPluFactor(plu, A, NULL);
  if (!status)
    status = clPluSolve(plu, TEXLA_NO_TRANSPOSE, B, B);
  if (!status)
    status = clDenseDownload(B, d->work, COLUMNS);
  clDenseDestroy(A);
  clDenseDestroy(B);
  clPluDestroy(plu);
  errors[0] = compareSolution(d, d->work, COLUMNS, 0);
  return status;
}

static void report(txBench *bench, const char *name, int n, const Errors errors[2]) {
  if (bench->table) {
    printf("%-18s %9d %12.2e %12.2e  %-13s %12.2e %12.2e\n", name, n, errors[0].max, errors[0].mean,
           "openblas", errors[1].max, errors[1].mean);
  }
  if (!bench->json)
    return;
  txJson *json = &bench->writer;
  txJsonObject(json, NULL);
  txJsonString(json, "suite", bench->suite);
  txJsonString(json, "error", name);
  txJsonInteger(json, "n", n);
  txJsonNumber(json, "max", errors[0].max);
  txJsonNumber(json, "mean", errors[0].mean);
  txJsonString(json, "peer", "openblas");
  txJsonNumber(json, "peer_max", errors[1].max);
  txJsonNumber(json, "peer_mean", errors[1].mean);
  txJsonClose(json);
}

static clStatus allocate(Data *d, int n) {
  size_t count = (size_t)n * (size_t)(n + COLUMNS);
  d->n = n;
  d->a = txBenchArray((int64_t)count, 0);
  d->b = txBenchArray((int64_t)count, 0);
  d->single = txBenchArray((int64_t)count, 0);
  d->work = txBenchArray((int64_t)count, 0);
  d->exact = malloc(3 * count * sizeof *d->exact);
  d->pivots = malloc((size_t)n * sizeof *d->pivots);
  if (!d->a || !d->b || !d->single || !d->work || !d->exact || !d->pivots)
    return TEXLA_OUT_OF_MEMORY;
  d->wide[0] = d->exact + count;
  d->wide[1] = d->wide[0] + count;
  txBenchNoise(d->a, (int64_t)n * n, 47, -1, 1);
  txBenchNoise(d->b, (int64_t)n * n, 48, -1, 1);
  return TEXLA_OK;
}

static void release(Data *d) {
  txBenchFree(d->a, 0);
  txBenchFree(d->b, 0);
  txBenchFree(d->single, 0);
  txBenchFree(d->work, 0);
  free(d->exact);
  free(d->pivots);
}

typedef struct Kind {
  const char *name;
  clStatus (*compare)(clContext *context, Data *d, Errors errors[2]);
} Kind;

static clStatus runSize(txBench *bench, const Kind *kind, int n) {
  Data d = {0};
  Errors errors[2];
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(allocate(&d, n));
  TRY_CLEANUP(kind->compare(bench->context, &d, errors));
  report(bench, kind->name, n, errors);
cleanup:
  release(&d);
  return status;
}
#endif

/* Orders double, as errors grow with a power of them. */
clStatus txBenchDenseErrors(txBench *bench) {
  clStatus status = TEXLA_OK;
#if TEXLA_HAVE_CBLAS
  static const Kind kinds[] = {
      {"product", compareProduct}, {"gauss-jordan", compareJordan}, {"plu", comparePlu}};
  int last = (int)txBenchSide(bench, 256, 2048);
  if (bench->table)
    printf("\n%-18s %9s %12s %12s  %-13s %12s %12s\n", "error", "size", "max", "mean", "peer",
           "max", "mean");
  for (int k = 0; k < 3; k++)
    for (int n = bench->size ? last : 16; n <= last && !status; n *= 2)
      status = runSize(bench, &kinds[k], n);
#endif
  return txBenchForgive(bench, "error", status);
}
