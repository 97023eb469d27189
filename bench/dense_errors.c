/* Errors over size, as the documents draw them: product, Gauss-Jordan and PLU in single precision
 * against LAPACK in double, beside LAPACK in single. Errors are relative to the largest entry of
 * the exact result: the largest one, and their mean. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "core/numbers.h"
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

/* Of a result's entries, in parts of the largest exact one. */
typedef struct Errors {
  double max, mean;
} Errors;

/* One order: the operands, what texla and LAPACK make of them in single precision, and the exact
 * results. */
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
    e.max = txLarger(e.max, d);
    e.mean += d / (double)count;
  }
  return e;
}

/* Single precision is exact in double: both factor the same matrix. */
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

/* *out <- a matrix of the device with these entries, row by row. */
static clStatus upload(clDense **out, clContext *context, const float *x, int rows, int cols) {
  TRY(clDenseCreate(out, context, rows, cols));
  return clDenseUpload(*out, x, cols);
}

/* C = A B: errors[0] of the device, errors[1] of OpenBLAS in single precision. */
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(upload(&A, context, d->a, n, n));
  TRY_CLEANUP(upload(&B, context, d->b, n, n));
  TRY_CLEANUP(clDenseMultiply(B, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0));
  TRY_CLEANUP(clDenseDownload(B, d->single, n));
  errors[0] = compare(d->single, d->exact, count);
cleanup:
  clDenseDestroy(A);
  clDenseDestroy(B);
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(upload(&A, context, d->work, n, cols));
  TRY_CLEANUP(clDenseRref(A, A, NULL, NULL, NULL));
  TRY_CLEANUP(clDenseDownload(A, d->work, cols));
  errors[0] = compareSolution(d, d->work, cols, n);
cleanup:
  clDenseDestroy(A);
  return status;
}

/* A X = B with P A = L U */
static clStatus comparePlu(clContext *context, Data *d, Errors errors[2]) {
  int n = d->n;
  clDense *A = NULL, *B = NULL;
  clPlu *plu = NULL;
  solveOnHost(d, &errors[1]);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(upload(&A, context, d->a, n, n));
  TRY_CLEANUP(clDenseCreate(&B, context, n, COLUMNS));
  TRY_CLEANUP(clDenseUpload(B, d->b, n));
  TRY_CLEANUP(clPluCreate(&plu, context, n, n, NULL));
  TRY_CLEANUP(clPluFactor(plu, A, NULL));
  TRY_CLEANUP(clPluSolve(plu, TEXLA_NO_TRANSPOSE, B, B));
  TRY_CLEANUP(clDenseDownload(B, d->work, COLUMNS));
  errors[0] = compareSolution(d, d->work, COLUMNS, 0);
cleanup:
  clDenseDestroy(A);
  clDenseDestroy(B);
  clPluDestroy(plu);
  return status;
}

/* A row: the device's errors beside OpenBLAS's. */
static void report(txBench *bench, const char *name, int n, const Errors errors[2]) {
  if (bench->table)
    printf("%-18s %9d %12.2e %12.2e  %-13s %12.2e %12.2e\n", name, n, errors[0].max, errors[0].mean,
           "openblas", errors[1].max, errors[1].mean);
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "error", name);
  txJsonInteger(json, "n", n);
  txJsonNumber(json, "max", errors[0].max);
  txJsonNumber(json, "mean", errors[0].mean);
  txJsonString(json, "peer", "openblas");
  txJsonNumber(json, "peer_max", errors[1].max);
  txJsonNumber(json, "peer_mean", errors[1].mean);
  txJsonClose(json);
}

/* Room for n x (n + COLUMNS) entries in each, so that all comparisons find their places. */
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

/* A comparison by name. */
typedef struct Kind {
  const char *name;
  clStatus (*compare)(clContext *context, Data *d, Errors errors[2]);
} Kind;

/* One order of one comparison, with operands of its own. */
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
#if TEXLA_HAVE_CBLAS
  static const Kind kinds[] = {
      {"product", compareProduct}, {"gauss-jordan", compareJordan}, {"plu", comparePlu}};
  int last = (int)txBenchSide(bench, 256, 2048), first = 16;
  if (bench->size)
    first = last;
  if (bench->table)
    printf("\n%-18s %9s %12s %12s  %-13s %12s %12s\n", "error", "size", "max", "mean", "peer",
           "max", "mean");
  for (int k = 0; k < 3; k++)
    for (int n = first; n <= last; n *= 2) {
      clStatus status = runSize(bench, &kinds[k], n);
      if (status)
        return txBenchForgive(bench, "error", status);
    }
#endif
  return TEXLA_OK;
}
