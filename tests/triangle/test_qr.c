/* QR with column pivoting: orthogonality, A P = Q R, rank, solutions against LAPACK. */
#include <cblas.h>

#include "dense/dense_cases.h"
#include "gl/traits.h"
#include "oracle/vector.h"
#include "texla/qr.h"

#include "one_context.h"

extern void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
                    double *b, const int *ldb, int *jpvt, const double *rcond, int *rank,
                    double *work, const int *lwork, int *info);

/* errors, in units of sqrt(m n) EPSILON times the largest column */
static const double FACTOR = 4;

/* Q, m x m, by applying it to the identity. */
static float *orthogonalOf(const clQr *qr, int m) {
  OWN(clDense) *Q = NULL;
  float *q = malloc((size_t)m * (size_t)m * sizeof *q);
  CHECK(clDenseCreate(&Q, context, m, m));
  CHECK(clDenseIdentity(Q, 1));
  CHECK(clQrApply(qr, TEXLA_NO_TRANSPOSE, Q));
  CHECK(clDenseDownload(Q, q, m));
  return q;
}

static void assertOrthogonal(const float *q, int m) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? -1 : 0;
      for (int k = 0; k < m; k++)
        sum += (double)q[k * m + i] * (double)q[k * m + j];
      assert_true(fabs(sum) < FACTOR * m * EPSILON);
    }
}

static clQrReport assertFactors(caseKind kind, int m, int n, const clQrOptions *options) {
  int steps = m < n ? m : n;
  FREED float *a = caseValues(kind, m, n), *r = malloc((size_t)steps * (size_t)n * sizeof *r);
  OWN(clDense) *A = denseUpload(context, a, m, n), *R = NULL;
  OWN(clQr) *qr = NULL;
  clQrReport report;
  double largest = 0;
  CHECK(clQrCreate(&qr, context, m, n, options));
  CHECK(clQrFactor(qr, A, &report));
  CHECK(clDenseCreate(&R, context, steps, n));
  CHECK(clQrUpper(qr, R));
  CHECK(clDenseDownload(R, r, n));
  FREED float *q = orthogonalOf(qr, m);
  assertOrthogonal(q, m);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      largest = fmax(largest, fabs((double)a[i * n + j]));
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = (double)a[i * n + clQrCols(qr)[j]];
      for (int k = 0; k < steps && k <= j; k++)
        sum -= (double)q[i * m + k] * (double)r[k * n + j];
      if (!(fabs(sum) <= 2 * FACTOR * sqrt((double)m * n) * sqrt(m) * EPSILON * largest))
        fail_msg("%s, %d x %d: (A P - Q R)(%d, %d) = %g of %g", caseNames[kind], m, n, i, j, sum,
                 largest);
      if (i < steps && i > j)
        assert_true(r[i * n + j] == 0);
    }
  return report;
}

/* Which of the two reflects panels is a trait of the device; both are tested. */
static int onHost(void **state) {
  ((txTraits *)(uintptr_t)txContextTraits(*state))->reflect_on_host = 1;
  return 0;
}
static int onDevice(void **state) {
  ((txTraits *)(uintptr_t)txContextTraits(*state))->reflect_on_host = 0;
  return 0;
}

static void factorsAndRank(void **state) {
  static const int shapes[][2] = {{1, 1},   {2, 1},   {1, 3},   {5, 3},    {4, 7},
                                  {33, 33}, {67, 40}, {40, 67}, {130, 70}, {100, 99}};
  for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++)
    for (int t = 0; t < 3; t++) {
      int m = shapes[s][0], n = shapes[s][1];
      clQrOptions options = {.panel = t == 1 ? 6 : 0, .no_pivoting = t == 2};
      assert_int_equal(assertFactors(RANDOM, m, n, &options).rank, m < n ? m : n);
      assertFactors(GRADED, m, n, &options);
      clQrReport report = assertFactors(DEFICIENT, m, n, &options);
      if (t < 2 && m > 1 && n > 1)
        assert_int_equal(report.rank, caseRank(m, n));
    }
}

static void solutionsAgreeWithLapack(void **state) {
  static const int shapes[][2] = {{7, 3}, {60, 60}, {120, 45}};
  for (int s = 0; s < 3; s++) {
    int m = shapes[s][0], n = shapes[s][1], one = 1, rank, info, lwork = 100000;
    FREED float *a = caseValues(RANDOM, m, n), *b = oracleRandom(m, 3),
                *x = malloc((size_t)n * sizeof *x);
    double *wide = malloc((size_t)(m * n) * sizeof *wide), *y = caseDoubles(b, m), rcond = 1e-12;
    double *scratch = malloc((size_t)lwork * sizeof *scratch), error = 0, size = 0;
    FREED int *pivots = calloc((size_t)n, sizeof *pivots);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        wide[j * m + i] = (double)a[i * n + j];
    dgelsy_(&m, &n, &one, wide, &m, y, &m, pivots, &rcond, &rank, scratch, &lwork, &info);
    OWN(clDense) *A = denseUpload(context, a, m, n), *B = denseUpload(context, b, m, 1), *X = NULL;
    OWN(clQr) *qr = NULL;
    CHECK(clDenseCreate(&X, context, n, 1));
    CHECK(clQrCreate(&qr, context, m, n, NULL));
    CHECK(clQrFactor(qr, A, NULL));
    CHECK(clQrSolve(qr, X, B));
    CHECK(clDenseDownload(X, x, 1));
    for (int i = 0; i < n; i++) {
      error = fmax(error, fabs((double)x[i] - y[i]));
      size = fmax(size, fabs(y[i]));
    }
    if (!(error <= 2e-4 * size))
      fail_msg("%d x %d: error %g of %g", m, n, error, size);
    free(wide), free(y), free(scratch);
  }
}

/* Products of entries near the ends of single precision are beyond them; every second row is 2^-12
 * times as large as the others. */
static void solvesNearTheEnds(void **state) {
  enum { SIDE = 24 };
  static const int exponents[] = {-119, -70, 100};
  for (int e = 0; e < 3; e++) {
    float *a = caseValues(RANDOM, SIDE, SIDE), x[SIDE], b[SIDE];
    for (int i = 0; i < SIDE; i++) {
      double sum = 0;
      for (int j = 0; j < SIDE; j++) {
        a[i * SIDE + j] += i == j ? 4.0f : 0;
        a[i * SIDE + j] = ldexpf(a[i * SIDE + j], exponents[e] - 12 * (i % 2));
        sum += (double)a[i * SIDE + j] * (1 + j % 3);
      }
      b[i] = (float)sum;
    }
    OWN(clDense) *A = denseUpload(context, a, SIDE, SIDE), *B = denseUpload(context, b, SIDE, 1),
                 *X = NULL;
    OWN(clQr) *qr = NULL;
    clQrReport report;
    CHECK(clDenseCreate(&X, context, SIDE, 1));
    CHECK(clQrCreate(&qr, context, SIDE, SIDE, NULL));
    CHECK(clQrFactor(qr, A, &report));
    assert_int_equal(report.rank, SIDE);
    CHECK(clQrSolve(qr, X, B));
    CHECK(clDenseDownload(X, x, 1));
    for (int j = 0; j < SIDE; j++)
      if (!(fabs((double)x[j] - (1 + j % 3)) <= 0.1))
        fail_msg("2^%d: unknown %d is %g", exponents[e], j, (double)x[j]);
    free(a);
  }
}

/* The first columns of A P span it: a column that is a sum of others comes last, and its unknown is
 * zero. */
static void dependentColumnsComeLast(void **state) {
  const float a[] = {1, 1, 2, 0, 1, 1, 0, 2, 2, 3, 0, 3}, b[] = {1, 2, 3, 4};
  float x[3];
  clQrReport report;
  OWN(clQr) *qr = NULL;
  OWN(clDense) *A = denseUpload(context, a, 4, 3), *B = denseUpload(context, b, 4, 1), *X = NULL;
  CHECK(clDenseCreate(&X, context, 3, 1));
  CHECK(clQrCreate(&qr, context, 4, 3, NULL));
  CHECK(clQrFactor(qr, A, &report));
  assert_int_equal(report.rank, 2);
  /* the longest */
  assert_int_equal(clQrCols(qr)[0], 2);
  CHECK(clQrSolve(qr, X, B));
  CHECK(clDenseDownload(X, x, 1));
  assert_float_equal(x[clQrCols(qr)[2]], 0, 0);
}

/* NaN in a column of zeros, at every place; it comes from the device, as no upload lets one in. */
static void nanIsNamed(void **state) {
  for (int place = 0; place < 4; place++) {
    const float a[] = {0, 1, 0, 2, 0, 3, 0, 4};
    float texel[4];
    memcpy(texel, a + place / 2 * 4, sizeof texel);
    OWN(clQr) *qr = NULL;
    OWN(clDense) *A = denseUpload(context, a, 4, 2);
    texel[place % 2 * 2] = NAN;
    CHECK(txTextureWrite(A->texture, "test", (txRect){0, place / 2, 1, 1}, texel));
    CHECK(clQrCreate(&qr, context, 4, 2, NULL));
    assertFails(context, clQrFactor(qr, A, NULL), TEXLA_NOT_FINITE, "column 1");
  }
}

static void wrongArgumentsAreErrors(void **state) {
  OWN(clQr) *qr = NULL;
  OWN(clDense) *A = NULL, *B = NULL;
  assertFails(context, clQrCreate(&qr, context, 3, 0, NULL), TEXLA_BAD_ARGUMENT, "cols (0)");
  CHECK(clQrCreate(&qr, context, 4, 3, NULL));
  CHECK(clDenseCreate(&A, context, 4, 3));
  CHECK(clDenseCreate(&B, context, 3, 1));
  assertFails(context, clQrSolve(qr, B, A), TEXLA_BAD_ARGUMENT, "clQrFactor must have gone well");
  assertFails(context, clQrFactor(qr, B, NULL), TEXLA_BAD_SHAPE, "3 x 1");
  assertFails(context, clQrFactor(qr, NULL, NULL), TEXLA_BAD_ARGUMENT, "A must not be NULL");
  clQrReport report;
  /* zeros */
  CHECK(clQrFactor(qr, A, &report));
  assert_int_equal(report.rank, 0);
  assertFails(context, clQrSolve(qr, B, B), TEXLA_BAD_SHAPE, "B is 3 x 1");
  assertFails(context, clQrSolve(qr, A, A), TEXLA_BAD_SHAPE, "X is 4 x 3");
  assertFails(context, clQrUpper(qr, B), TEXLA_BAD_SHAPE, "R is 3 x 1");
  assertFails(context, clQrApply(qr, TEXLA_NO_TRANSPOSE, NULL), TEXLA_BAD_ARGUMENT,
              "X must not be NULL");
  assert_null(clQrCols(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(factorsAndRank, onHost),
                                     cmocka_unit_test_setup(factorsAndRank, onDevice),
                                     cmocka_unit_test_setup(solutionsAgreeWithLapack, onHost),
                                     cmocka_unit_test_setup(solutionsAgreeWithLapack, onDevice),
                                     cmocka_unit_test_setup(solvesNearTheEnds, onHost),
                                     cmocka_unit_test_setup(solvesNearTheEnds, onDevice),
                                     cmocka_unit_test_setup(dependentColumnsComeLast, onHost),
                                     cmocka_unit_test_setup(dependentColumnsComeLast, onDevice),
                                     cmocka_unit_test_setup(nanIsNamed, onHost),
                                     cmocka_unit_test_setup(nanIsNamed, onDevice),
                                     cmocka_unit_test(wrongArgumentsAreErrors)};
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
