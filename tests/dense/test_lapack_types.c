/* PLU on the eleven types of matrices of LAPACK's test program for linear systems (xCHKGE), judged
 * by its ratios: each is an error over what rounding explains, and LAPACK's own threshold is 30.
 * Next to ours stand those of LAPACK's single precision, on the same matrices.
 *
 *   1 diagonal, 2 upper and 3 lower triangular, 4 random with condition 2, 5 first, 6 last, 7 last
 *     half of the columns zero,
 *   8 condition sqrt(0.1 / eps), 9 condition 0.1 / eps, 10 scaled near underflow, 11 near
 * overflow */
#include "dense/dense_cases.h"

#include <lapacke.h>

#include "one_context.h"
#include "texla/texla.h"

enum { TYPES = 11, MOST = 50, RHS = 2 };
static const double THRESHOLD = 30;
static const int orders[] = {1, 2, 3, 5, 10, 50};

/* n x n, row by row */
typedef double Square[MOST * MOST];

/* Q <- orthogonal: that of a random matrix's QR factorization. */
static void orthogonal(double *Q, int n, uint32_t seed) {
  double tau[MOST];
  for (int k = 0; k < n * n; k++)
    Q[k] = caseNoise(seed, k, 3);
  assert_int_equal(LAPACKE_dgeqrf(LAPACK_ROW_MAJOR, n, n, Q, n, tau), 0);
  assert_int_equal(LAPACKE_dorgqr(LAPACK_ROW_MAJOR, n, n, n, Q, n, tau), 0);
}

static void multiply(double *C, const double *A, const double *B, int n) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A, n, B, n, 0, C, n);
}

/* Singular values from `norm` down to norm / condition, in a geometric row. */
static void randomMatrix(double *A, int n, double norm, double condition, uint32_t seed) {
  static Square U, V;
  orthogonal(U, n, seed);
  orthogonal(V, n, seed + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      U[i * n + j] *= norm * pow(condition, n > 1 ? -(double)j / (n - 1) : 0);
  multiply(A, U, V, n);
}

static void makeMatrix(float *a, int type, int n) {
  static Square A;
  const double eps = (double)FLT_EPSILON, small = 0.25 * (double)FLT_MIN / eps;
  const double conditions[] = {[8] = sqrt(0.1 / eps), [9] = 0.1 / eps, [11] = 0},
               norms[] = {[10] = small, [11] = 1 / small};
  double condition = conditions[type] > 0 ? conditions[type] : 2;
  double norm = norms[type] > 0 ? norms[type] : 1;
  randomMatrix(A, n, norm, condition, 100u * (uint32_t)type + (uint32_t)n);
  /* columns of zeros */
  const int zeros_from[] = {[5] = 0, [6] = n - 1, [7] = n == 1 ? 0 : n - n / 2};
  int zero_from = type >= 5 && type <= 7 ? zeros_from[type] : n;
  int zero_to = type == 5 ? 1 : n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      bool zero = (type == 1 && i != j) || (type == 2 && i > j) || (type == 3 && i < j);
      zero = zero || (j >= zero_from && j < zero_to);
      double v = type <= 3 && i == j ? 0.5 + 0.5 / (i + 1) : A[i * n + j];
      a[i * n + j] = zero ? 0 : (float)v;
    }
}

static double norm1(const double *A, int n) {
  double norm = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += fabs(A[i * n + j]);
    norm = fmax(norm, sum);
  }
  return norm;
}

/* ||P S - L U|| / (n ||S|| eps): test 1. S is A, scaled by rows and columns (NULL: not). */
static double ratioOfFactors(const float *a, const float *f, const int32_t *rows, const double *r,
                             const double *c, int n) {
  static Square S, E;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k <= i && k <= j; k++)
        sum += (k == i ? 1 : (double)f[i * n + k]) * (double)f[k * n + j];
      S[i * n + j] = (double)a[rows[i] * n + j] * (r ? r[rows[i]] * c[j] : 1);
      E[i * n + j] = S[i * n + j] - sum;
    }
  double size = norm1(S, n);
  return size > 0 ? norm1(E, n) / (n * size * (double)FLT_EPSILON) : norm1(E, n);
}

/* max over the right-hand sides of ||b - op(A) x|| / (||A|| ||x|| eps): test 3. X and B are n x
 * RHS. */
static double ratioOfSolution(const double *A, bool turned, const float *X, const float *B, int n) {
  double worst = 0, size = 0;
  /* the 1-norm of op(A) */
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += fabs(turned ? A[j * n + i] : A[i * n + j]);
    size = fmax(size, sum);
  }
  for (int q = 0; q < RHS; q++) {
    double residual = 0, x = 0;
    for (int i = 0; i < n; i++) {
      double sum = (double)B[i * RHS + q];
      for (int j = 0; j < n; j++)
        sum -= (turned ? A[j * n + i] : A[i * n + j]) * (double)X[j * RHS + q];
      residual += fabs(sum);
      x += fabs((double)X[i * RHS + q]);
    }
    worst = fmax(worst, residual / (size * x * (double)FLT_EPSILON));
  }
  return worst;
}

/* ||I - A X|| / (n ||A|| ||X|| eps): test 2. */
static double ratioOfInverse(const double *A, const float *inverse, int n) {
  static Square X, E;
  for (int k = 0; k < n * n; k++)
    X[k] = (double)inverse[k];
  multiply(E, A, X, n);
  for (int i = 0; i < n; i++)
    E[i * n + i] -= 1;
  return norm1(E, n) / (n * norm1(A, n) * norm1(X, n) * (double)FLT_EPSILON);
}

/* 1 / (||A|| ||A^-1||), from an inverse in double. */
static double trueCondition(const double *A, int n) {
  static Square X;
  lapack_int pivots[MOST];
  memcpy(X, A, (size_t)(n * n) * sizeof *X);
  assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, X, n, pivots), 0);
  assert_int_equal(LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, X, n, pivots), 0);
  return 1 / (norm1(A, n) * norm1(X, n));
}

static void judge(const char *what, int type, int n, double ours, double lapack) {
  if (!(ours <= THRESHOLD))
    fail_msg("type %d, n = %d: the ratio of %s is %g (LAPACK's is %g)", type, n, what, ours,
             lapack);
}

/* LAPACK's factors and the ratio of test 1. */
static double lapackFactors(float *f, lapack_int *pivots, const float *a, int n) {
  int32_t rows[MOST];
  memcpy(f, a, (size_t)(n * n) * sizeof *f);
  assert_true(LAPACKE_sgetrf(LAPACK_ROW_MAJOR, n, n, f, n, pivots) >= 0);
  for (int i = 0; i < n; i++)
    rows[i] = i;
  for (int i = 0; i < n; i++) {
    int32_t other = rows[pivots[i] - 1];
    rows[pivots[i] - 1] = rows[i];
    rows[i] = other;
  }
  return ratioOfFactors(a, f, rows, NULL, NULL, n);
}

static void checkSolutions(int type, int n, const double *A, const clPlu *plu, const float *lapack,
                           const lapack_int *pivots) {
  float b[MOST * RHS], x[MOST * RHS], y[MOST * RHS], exact[MOST * RHS];
  OWN(clDense) *X = NULL;
  CHECK(clDenseCreate(&X, context, n, RHS));
  for (int turned = 0; turned < 2; turned++) {
    for (int k = 0; k < n * RHS; k++)
      exact[k] = (float)caseNoise(77, k, n);
    for (int i = 0; i < n; i++)
      for (int q = 0; q < RHS; q++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
          sum += (turned ? A[j * n + i] : A[i * n + j]) * (double)exact[j * RHS + q];
        b[i * RHS + q] = y[i * RHS + q] = (float)sum;
      }
    CHECK(clDenseUpload(X, b, RHS));
    CHECK(clPluSolve(plu, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, X, X));
    CHECK(clDenseDownload(X, x, RHS));
    assert_int_equal(
        LAPACKE_sgetrs(LAPACK_ROW_MAJOR, turned ? 'T' : 'N', n, RHS, lapack, n, pivots, y, RHS), 0);
    judge(turned ? "A^T x = b" : "A x = b", type, n, ratioOfSolution(A, turned, x, b, n),
          ratioOfSolution(A, turned, y, b, n));
  }
}

static void checkRegular(int type, int n, const float *a, const clPlu *plu, const float *lapack,
                         const lapack_int *pivots) {
  static Square A, S;
  static float inverse[MOST * MOST], theirs[MOST * MOST];
  OWN(clDense) *X = NULL;
  double rcond = 0;
  const double *r = clPluRowScale(plu), *c = clPluColScale(plu);
  for (int k = 0; k < n * n; k++) {
    A[k] = (double)a[k];
    S[k] = A[k] * r[k / n] * c[k % n];
  }
  checkSolutions(type, n, A, plu, lapack, pivots);
  CHECK(clDenseCreate(&X, context, n, n));
  CHECK(clPluInverse(plu, X));
  CHECK(clDenseDownload(X, inverse, n));
  memcpy(theirs, lapack, (size_t)(n * n) * sizeof *theirs);
  assert_int_equal(LAPACKE_sgetri(LAPACK_ROW_MAJOR, n, theirs, n, pivots), 0);
  judge("the inverse", type, n, ratioOfInverse(A, inverse, n), ratioOfInverse(A, theirs, n));
  CHECK(clPluCondition(plu, TEXLA_NORM_ONE, &rcond));
  double exact = trueCondition(S, n),
         ratio = fmax(rcond, exact) / fmin(rcond, exact) - (1 - (double)FLT_EPSILON);
  judge("rcond", type, n, ratio, 0);
}

/* Zero columns: the rank says how many, nothing is solved, the factors are good all the same. */
static void checkSingular(int type, int n, const clPlu *plu, const clPluReport *report) {
  int zeros = type == 7 && n > 1 ? n / 2 : 1;
  double rcond = 7;
  OWN(clDense) *X = NULL;
  CHECK(clDenseCreate(&X, context, n, n));
  assert_int_equal(report->rank, n - zeros);
  assertFails(context, clPluInverse(plu, X), TEXLA_SINGULAR, "");
  assertFails(context, clPluCondition(plu, TEXLA_NORM_ONE, &rcond), TEXLA_SINGULAR, "");
  assert_true(rcond == 7);
}

static void checkType(int type, int n) {
  static float a[MOST * MOST], lapack[MOST * MOST];
  lapack_int pivots[MOST];
  OWN(clPlu) *plu = NULL;
  clPluReport report = {0};
  makeMatrix(a, type, n);
  OWN(clDense) *D = denseUpload(context, a, n, n);
  CHECK(clPluCreate(&plu, context, n, n, NULL));
  clStatus status = clPluFactor(plu, D, &report);
  assert_int_equal(status, type >= 5 && type <= 7 ? TEXLA_RANK_DEFICIENT : TEXLA_OK);
  FREED float *f = caseDownload(context, clPluFactors(plu));
  double theirs = lapackFactors(lapack, pivots, a, n);
  judge("P S - L U", type, n,
        ratioOfFactors(a, f, clPluRows(plu), clPluRowScale(plu), clPluColScale(plu), n), theirs);
  if (status == TEXLA_OK)
    checkRegular(type, n, a, plu, lapack, pivots);
  else
    checkSingular(type, n, plu, &report);
}

static void testTypes(void **state) {
  for (int type = 1; type <= TYPES; type++)
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
      checkType(type, orders[k]);
}

TEST_MAIN(setUp, testContextDestroy, testTypes)
