/* The shared matrices by PLU: factored, solved, refined. Two tests take the small and the large
 * ones. */
#ifndef TEXLA_TESTS_PLU_MATRICES_H
#define TEXLA_TESTS_PLU_MATRICES_H

#include "dense/dense_cases.h"

#include <dirent.h>

#include "texla/io.h"
#include "texla/system.h"

/* ||P S v - L (U v)|| / ||S||_F ||v|| with S = R A C, which is max |P S - L U| spread out. */
static double spreadError(const clTriplets *A, const clPlu *plu, const float *f) {
  int m = A->rows, n = A->cols, k = m < n ? m : n;
  double *v = calloc((size_t)(n + 3 * m + k), sizeof *v), *w = v + n, *lu = w + m, *u = lu + m,
         sum = 0, size = 0, length = 0;
  for (int j = 0; j < n; j++) {
    v[j] = caseNoise(31, j, 2);
    length += v[j] * v[j];
  }
  const double *row = clPluRowScale(plu), *col = clPluColScale(plu);
  for (int64_t e = 0; e < A->count; e++)
    w[A->row[e]] += row[A->row[e]] * A->value[e] * col[A->col[e]] * v[A->col[e]];
  for (int i = 0; i < k; i++)
    for (int j = i; j < n; j++)
      u[i] += (double)f[(int64_t)i * n + j] * v[j];
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < i && j < k; j++)
      lu[i] += (double)f[(int64_t)i * n + j] * u[j];
    double d = w[clPluRows(plu)[i]] - lu[i] - (i < k ? u[i] : 0);
    sum += d * d;
  }
  for (int64_t e = 0; e < A->count; e++)
    size += pow(row[A->row[e]] * A->value[e] * col[A->col[e]], 2);
  free(v);
  return sqrt(sum) / (sqrt(size) * sqrt(length));
}

/* Returns the estimated rcond, or 0. */
static double factorMatrix(clContext *context, const char *name, const clTriplets *A) {
  OWN(clDense) *D = NULL;
  OWN(clPlu) *plu = NULL;
  clPluReport report = {0};
  double rcond = 0;
  assertOk(context, clDenseCreate(&D, context, A->rows, A->cols));
  assertOk(context, clDenseUploadTriplets(D, A));
  assertOk(context, clPluCreate(&plu, context, A->rows, A->cols, NULL));
  clStatus status = clPluFactor(plu, D, &report);
  assert_true(status == TEXLA_OK || status == TEXLA_RANK_DEFICIENT);
  FREED float *f = caseDownload(context, clPluFactors(plu));
  int n = A->rows > A->cols ? A->rows : A->cols;
  double error = spreadError(A, plu, f);
  if (!(error <= 10 * n * EPSILON * (1 + report.growth)))
    fail_msg("%s: error %g of L U, growth %g", name, error, report.growth);
  if (!status && A->rows == A->cols)
    assertOk(context, clPluCondition(plu, TEXLA_NORM_ONE, &rcond));
  return rcond;
}

/* Single precision can refine what is not too ill-conditioned, once it is scaled. */
static void solveMatrix(clContext *context, const char *name, const clTriplets *A, double rcond) {
  double *b = malloc(2 * (size_t)A->rows * sizeof *b), *x = b + A->rows;
  for (int i = 0; i < A->rows; i++)
    x[i] = 1;
  clTripletsMulVector(b, A, x);
  memset(x, 0, (size_t)A->rows * sizeof *x);
  clSystemOptions o = {.solver = {.method = TEXLA_METHOD_PLU}, .refine = true};
  AT_END(clSystemReportClear) clSystemReport report = {0};
  clStatus status = clSystemSolve(context, A, b, x, &o, &report);
  /* the residual of a matrix with rows of very different sizes says little */
  double error = 0;
  for (int i = 0; i < A->rows; i++)
    error = fabs(x[i] - 1) <= error ? error : fabs(x[i] - 1);
  if (rcond > 1e-6 && !(status >= 0 && error <= 1e-9) && (status || !(report.residual <= 1e-12)))
    fail_msg("%s: rcond %g, residual %g, error %g: %s", name, rcond, report.residual, error,
             clReasonText(report.reason));
  /* no worse than x = 0, whatever single precision knows of A */
  if (status != TEXLA_SINGULAR)
    assert_true(report.residual <= 1);
  free(b);
}

/* Every matrix with least <= max(m, n) <= most; how many there were. */
static int forMatrices(clContext *context, int least, int most) {
  const char *root = getenv("TEXLA_DATA_DIR");
  char folder[512], path[1024];
  int done = 0;
  snprintf(folder, sizeof folder, "%s/matrices", root ? root : TEXLA_SOURCE_DIR "/../shared/data");
  DIR *directory = opendir(folder);
  for (struct dirent *e = directory ? readdir(directory) : NULL; e; e = readdir(directory)) {
    size_t length = strlen(e->d_name);
    clTriplets *A = NULL;
    if (length < 4 || strcmp(e->d_name + length - 4, ".mtx") != 0)
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    /* a bad file, or a vector */
    if (clMatrixMarketRead(&A, path, NULL))
      continue;
    int n = A->rows > A->cols ? A->rows : A->cols;
    if (n >= least && n <= most && A->cols > 1) {
      double rcond = factorMatrix(context, e->d_name, A);
      if (A->rows == A->cols)
        solveMatrix(context, e->d_name, A, rcond);
      done++;
    }
    clTripletsDestroy(A);
  }
  if (directory)
    closedir(directory);
  return done;
}

#endif
