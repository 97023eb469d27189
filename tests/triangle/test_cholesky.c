/* Cholesky factorizations of every kind against LAPACK: full, packed, blocked;
 * solutions, condition, refinement. */
#include <cblas.h>
#include <float.h>
#include <math.h>

#include "gl/traits.h"
#include "triangle/cholesky.h"
#include "dense.h"
#include "oracle/vector.h"

#include "one_context.h"

extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);

static const double EPSILON = 1.1920929e-7;
/* |A - L L^T| <= FACTOR n EPSILON |l_i| |l_j| */
static const double FACTOR = 1;

typedef enum kind {
  RANDOM,
  CONDITION_10,
  CONDITION_1E4,
  CONDITION_1E7,
  GRADED,
  BANDED,
  HILBERT,
  KINDS
} kind;
static const char *const kind_names[] = {"random", "1e1",    "1e4",           "1e7",
                                         "graded", "banded", "hilbert + 1e-3"};

/* H D H with a reflection H = I - 2 v v^T: eigenvalues d_i */
static void withEigenvalues(double *a, int n, double condition) {
  double *v = malloc((size_t)n * 2 * sizeof *v), *d = v + n, norm = 0;
  uint64_t random = 17;
  for (int i = 0; i < n; i++) {
    v[i] = randomUnit(&random);
    norm += v[i] * v[i];
    d[i] = pow(condition, n > 1 ? -(double)i / (n - 1) : 0);
  }
  double vdv = 0;
  for (int i = 0; i < n; i++) {
    v[i] /= sqrt(norm);
    vdv += v[i] * d[i] * v[i];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = (i == j ? d[i] : 0) - 2 * v[i] * v[j] * (d[i] + d[j]) + 4 * vdv * v[i] * v[j];
  free(v);
}

static void fillRandom(double *a, int n) {
  double *b = malloc((size_t)n * (size_t)n * sizeof *b);
  uint64_t random = 5;
  for (int i = 0; i < n * n; i++)
    b[i] = randomUnit(&random);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = i == j ? 1 : 0;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1, b, n, b, n, 1, a, n);
  free(b);
}

static double entryOf(kind k, int n, int i, int j) {
  if (k == GRADED)
    return (i == j ? 2 : 1.0 / (1 + abs(i - j))) * pow(10, -15.0 * i / n) * pow(10, -15.0 * j / n);
  if (k == BANDED)
    return 2.001 * (i == j) - (abs(i - j) == 1);
  return 1.0 / (i + j + 1) + (i == j) * 1e-3;
}

/* Rounded to single precision, and symmetric. */
static float *valuesOf(kind k, int n) {
  static const double condition[] = {0, 10, 1e4, 1e7};
  double *a = malloc((size_t)n * (size_t)n * sizeof *a);
  float *f = malloc((size_t)n * (size_t)n * sizeof *f);
  if (k == RANDOM)
    fillRandom(a, n);
  else if (k <= CONDITION_1E7)
    withEigenvalues(a, n, condition[k]);
  else
    for (int i = 0; i < n * n; i++)
      a[i] = entryOf(k, n, i / n, i % n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      f[i * n + j] = f[j * n + i] = (float)a[i * n + j];
  free(a);
  return f;
}

static void assertFactor(const char *name, int n, const float *a, const float *L) {
  double *l = calloc((size_t)n * (size_t)n, sizeof *l),
         *r = malloc((size_t)n * (size_t)n * sizeof *r);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      r[i * n + j] = (double)a[i * n + j];
      l[i * n + j] = (double)L[i * n + j];
      if (j > i && L[i * n + j] != 0)
        fail_msg("%s, order %d: (%d, %d) above the diagonal is %g", name, n, i, j,
                 (double)L[i * n + j]);
    }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, -1, l, n, l, n, 1, r, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double scale = sqrt((double)a[i * n + i] * (double)a[j * n + j]);
      if (!(fabs(r[i * n + j]) <= FACTOR * (n + 4) * EPSILON * scale))
        fail_msg("%s, order %d: (A - L L^T)(%d, %d) = %g of %g", name, n, i, j, r[i * n + j],
                 scale);
    }
  free(l), free(r);
}

static clCholesky *factorOf(clDense *A, clCholeskyOptions o) {
  clCholesky *c = NULL;
  CHECK(clCholeskyCreate(&c, context, clDenseRows(A), &o));
  CHECK(clCholeskyFactor(c, A, NULL));
  return c;
}

static float *lowerOf(const clCholesky *c, int n) {
  clDense *L = NULL;
  float *l = malloc((size_t)n * (size_t)n * sizeof *l);
  CHECK(clDenseCreate(&L, context, n, n));
  CHECK(clCholeskyLower(c, L));
  CHECK(clDenseDownload(L, l, n));
  assertZeroPadding(L);
  clDenseDestroy(L);
  return l;
}

/* A X = B: the backward error of each column */
static void assertSolutions(const char *name, const clCholesky *c, int n, const float *a) {
  enum { COLUMNS = 3 };
  float *b = oracleRandom(n * COLUMNS, 23), *x = malloc((size_t)n * COLUMNS * sizeof *x);
  clDense *X = denseUpload(context, b, n, COLUMNS);
  CHECK(clCholeskySolve(c, X, X));
  CHECK(clDenseDownload(X, x, COLUMNS));
  assertZeroPadding(X);
  for (int k = 0; k < COLUMNS; k++) {
    double worst = 0, norm_x = 0, norm_a = 0;
    for (int i = 0; i < n; i++)
      norm_x = fmax(norm_x, sqrt((double)a[i * n + i]) * fabs((double)x[i * COLUMNS + k]));
    for (int i = 0; i < n; i++) {
      double s = sqrt((double)a[i * n + i]), r = (double)b[i * COLUMNS + k], row = 0;
      for (int j = 0; j < n; j++) {
        r -= (double)a[i * n + j] * (double)x[j * COLUMNS + k];
        row += fabs((double)a[i * n + j]) / s / sqrt((double)a[j * n + j]);
      }
      worst = fmax(worst, fabs(r) / s);
      norm_a = fmax(norm_a, row);
    }
    if (!(worst <= (n + 4) * EPSILON * norm_a * norm_x))
      fail_msg("%s, order %d: |b - A x| = %g of %g", name, n, worst, norm_a * norm_x);
  }
  clDenseDestroy(X);
  free(b), free(x);
}

static void assertCholesky(kind k, int n) {
  float *a = valuesOf(k, n);
  clDense *A = denseUpload(context, a, n, n);
  clPacked *P = NULL;
  /* pivots as small as rounding errors */
  clCholeskyOptions o = {.tolerance = -(k == CONDITION_1E7)};
  clCholesky *full = factorOf(A, o), *packed = NULL;
  o.packed = true;
  CHECK(clCholeskyCreate(&packed, context, n, &o));
  CHECK(clPackedCreate(&P, context, n, TEXLA_PACKING_2X2));
  CHECK(clPackedFromDense(P, A));
  CHECK(clCholeskyFactorPacked(packed, P, NULL));
  float *l = lowerOf(full, n), *m = lowerOf(packed, n);
  assertFactor(kind_names[k], n, a, l);
  assertFactor(kind_names[k], n, a, m);
  /* the same factor, but for the order in which products add */
  for (int i = 0; i < n * n; i++)
    if (!(fabsf(l[i] - m[i]) <= 1e-3f * fabsf(l[i / n * n + i / n])) && k != CONDITION_1E7 &&
        k != HILBERT)
      fail_msg("%s, order %d: full %g, packed %g", kind_names[k], n, (double)l[i], (double)m[i]);
  assertSolutions(kind_names[k], full, n, a);
  assertSolutions(kind_names[k], packed, n, a);
  clDenseDestroy(A), clPackedDestroy(P);
  clCholeskyDestroy(full), clCholeskyDestroy(packed);
  free(a), free(l), free(m);
}

static void smallOnes(void **state) {
  (void)state;
  for (int n = 1; n <= 67; n = testNextSize(n))
    for (int k = 0; k < KINDS; k++)
      if (n < 20 || k == n % KINDS)
        assertCholesky((kind)k, n);
}

static void largeOnes(void **state) {
  (void)state;
  for (int n = 255; n <= 257; n++)
    assertCholesky(RANDOM, n);
  assertCholesky(CONDITION_1E4, 256);
  assertCholesky(GRADED, 255);
  assertCholesky(RANDOM, 1000);
}

/* Full and packed take the same steps: bit for bit the same where no pass can be chosen
 * otherwise. */
static void packedIsTheSame(void **state) {
  (void)state;
  int n = 30;
  float *a = valuesOf(RANDOM, n);
  clDense *A = denseUpload(context, a, n, n);
  clCholesky *full = factorOf(A, (clCholeskyOptions){0}),
             *packed = factorOf(A, (clCholeskyOptions){.packed = true});
  float *l = lowerOf(full, n), *m = lowerOf(packed, n);
  assert_memory_equal(l, m, (size_t)(n * n) * sizeof *l);
  clCholeskyDestroy(full), clCholeskyDestroy(packed), clDenseDestroy(A);
  free(a), free(l), free(m);
}

/* Entries below 2^-126, of which devices make zeros, count: A is scaled by their bits. */
static void tinyOnes(void **state) {
  (void)state;
  static const float sizes[] = {5e-39f, 5e-41f, 2e-44f};
  for (int k = 0; k < 12; k++) {
    int n = 5 + k % 2;
    float *a = valuesOf(BANDED, n);
    for (int i = 0; i < n * n; i++)
      a[i] *= sizes[k / 4];
    clDense *A = denseUpload(context, a, n, n);
    clCholesky *c = factorOf(A, (clCholeskyOptions){.packed = k % 2});
    float *l = lowerOf(c, n);
    assertFactor("tiny", n, a, l);
    clCholeskyDestroy(c), clDenseDestroy(A);
    free(a), free(l);
  }
}

/* The column is named, and what was factored before stays. */
static void assertRefused(const float *a, int n, int column, int last) {
  clCholeskyOptions o = {0};
  for (int packed = 0; packed < 2; packed++) {
    char text[64];
    clCholeskyReport report = {0};
    clCholesky *c = NULL;
    o.packed = packed;
    clDense *A = denseUpload(context, a, n, n), *four = NULL, *X = NULL;
    CHECK(clDenseCreate(&four, context, n, n));
    CHECK(clDenseIdentity(four, 4));
    CHECK(clCholeskyCreate(&c, context, n, &o));
    CHECK(clCholeskyFactor(c, four, NULL));
    assert_int_equal(clCholeskyFactor(c, A, &report), TEXLA_SINGULAR);
    assertWithin(report.column, column, last);
    snprintf(text, sizeof text, "column %d has no positive pivot", report.column + 1);
    assert_non_null(strstr(clContextError(context)->message, text));
    CHECK(clDenseCreate(&X, context, n, 1));
    CHECK(clDenseFill(X, 8));
    CHECK(clCholeskySolve(c, X, X));
    float *x = malloc((size_t)n * sizeof *x);
    CHECK(clDenseDownload(X, x, 1));
    for (int i = 0; i < n; i++)
      assert_float_equal(x[i], 2, 1e-6);
    clDenseDestroy(A), clDenseDestroy(four), clDenseDestroy(X), clCholeskyDestroy(c);
    free(x);
  }
}

static void notPositiveDefinite(void **state) {
  (void)state;
  const float ones[4] = {1, 1, 1, 1}, negative[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1};
  const float zero[4] = {1, 0, 0, 0};
  assertRefused(ones, 2, 1, 1);
  assertRefused(negative, 3, 1, 1);
  assertRefused(zero, 2, 1, 1);
  /* rank n - 2, but for rounding */
  for (int n = 5; n < 60; n += 9) {
    float *a = malloc((size_t)(n * n) * sizeof *a);
    double *b = calloc((size_t)(n * n), sizeof *b), *c = calloc((size_t)(n * n), sizeof *c);
    uint64_t random = 3;
    /* so that all but two pivots are far from zero */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n - 2; j++)
        b[i * n + j] = randomUnit(&random) + 8 * (i == j);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1, b, n, b, n, 0, c, n);
    for (int i = 0; i < n * n; i++)
      a[i] = (float)c[i];
    assertRefused(a, n, n - 2, n - 1);
    free(a), free(b), free(c);
  }
}

static void conditionAndDeterminant(void **state) {
  (void)state;
  for (int t = 0; t < 2; t++) {
    double rcond = 0;
    clDeterminant det;
    int n = 40;
    float *a = valuesOf(CONDITION_1E4, n);
    clDense *A = denseUpload(context, a, n, n);
    clCholesky *c = factorOf(A, (clCholeskyOptions){.packed = t});
    CHECK(clCholeskyCondition(c, &rcond));
    assert_true(rcond < 1.2e-4 && rcond > 1e-6);
    CHECK(clCholeskyDeterminant(c, &det));
    assert_int_equal(det.sign, 1);
    assert_true(fabs(det.log_magnitude + log(1e4) * n / 2) < 0.01 * log(1e4) * n / 2);
    clDenseDestroy(A), clCholeskyDestroy(c);
    free(a);
  }
}

/* To double accuracy, where plain refinement suffices and where conjugate gradients have to
 * help. */
static void refinement(void **state) {
  (void)state;
  static const struct {
    kind k;
    int n;
  } cases[] = {{RANDOM, 33}, {CONDITION_1E4, 60}, {CONDITION_1E7, 50},
               {GRADED, 31}, {BANDED, 64},        {HILBERT, 9}};
  for (int t = 0; t < 6; t++) {
    int n = cases[t].n;
    float *a = valuesOf(cases[t].k, n);
    double *x = calloc((size_t)n, sizeof *x), *b = calloc((size_t)n, sizeof *b);
    clTriplets *T = NULL;
    clRefineReport report = {0};
    CHECK(clTripletsCreate(&T, n, n, n * n, NULL));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        CHECK(clTripletsAdd(T, i, j, (double)a[i * n + j], NULL));
        /* x_j = 1 / sqrt(a_jj) */
        b[i] += (double)a[i * n + j] / sqrt((double)a[j * n + j]);
      }
    CHECK(clTripletsCompress(T, NULL));
    clDense *A = denseUpload(context, a, n, n);
    clCholesky *c = factorOf(A, (clCholeskyOptions){.packed = t % 2, .tolerance = -1});
    clStatus status = clCholeskyRefine(c, T, x, b, NULL, &report);
    if (status || report.backward_error > 1e-15)
      fail_msg("%s: status %d, backward error %g after %d iterations", kind_names[cases[t].k],
               (int)status, report.backward_error, report.iterations);
    for (int i = 0; i < n; i++)
      assert_true(fabs(x[i] * sqrt((double)a[i * n + i]) - 1) < 1e-8);
    assert_true(report.iterations >= 1 && report.iterations <= 20);
    clDenseDestroy(A), clCholeskyDestroy(c), clTripletsDestroy(T);
    free(a), free(x), free(b);
  }
}

static void wrongArgumentsAreErrors(void **state) {
  (void)state;
  clCholesky *c = NULL;
  clDense *A = NULL, *B = NULL;
  double rcond;
  assertFails(context, clCholeskyCreate(&c, context, 0, NULL), TEXLA_BAD_ARGUMENT, "n (0)");
  CHECK(clCholeskyCreate(&c, context, 3, NULL));
  CHECK(clDenseCreate(&A, context, 3, 4));
  CHECK(clDenseCreate(&B, context, 2, 2));
  assertFails(context, clCholeskyFactor(c, A, NULL), TEXLA_BAD_SHAPE, "3 x 4");
  assertFails(context, clCholeskyFactor(c, NULL, NULL), TEXLA_BAD_ARGUMENT, "A must not be NULL");
  assertFails(context, clCholeskyFactorPacked(c, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "A must not be NULL");
  assertFails(context, clCholeskySolve(c, A, A), TEXLA_BAD_ARGUMENT,
              "clCholeskyFactor must have gone well");
  assertFails(context, clCholeskyCondition(c, &rcond), TEXLA_BAD_ARGUMENT, "clCholeskyFactor");
  assert_int_equal(clCholeskyFactor(NULL, A, NULL), TEXLA_BAD_ARGUMENT);
  clDenseDestroy(A);
  CHECK(clDenseCreate(&A, context, 3, 3));
  CHECK(clDenseIdentity(A, 1));
  CHECK(clCholeskyFactor(c, A, NULL));
  assertFails(context, clCholeskySolve(c, B, B), TEXLA_BAD_SHAPE, "B 2 x 2");
  assertFails(context, clCholeskySolveHalf(c, (clTranspose)7, A, A), TEXLA_BAD_ARGUMENT, "op is 7");
  assertFails(context, clCholeskyCondition(c, NULL), TEXLA_BAD_ARGUMENT, "rcond");
  assertFails(context, clCholeskyDeterminant(c, NULL), TEXLA_BAD_ARGUMENT, "out");
  assertFails(context, clCholeskyRefine(c, NULL, &rcond, &rcond, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "NULL");
  clDenseDestroy(A), clDenseDestroy(B), clCholeskyDestroy(c);
}

/* The device factors panels, or the host, narrow or wide ones: a trait of the device, of which all
 * are tested. */
static int panelsOnHost(void **state, int panels) {
  ((txTraits *)(uintptr_t)txContextTraits(*state))->panels_on_host = panels;
  return 0;
}
static int onDevice(void **state) {
  return setUp(state) || panelsOnHost(state, 0);
}
static int onHost(void **state) {
  return panelsOnHost(state, 1);
}
static int severalOnHost(void **state) {
  return panelsOnHost(state, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(smallOnes),
                                     cmocka_unit_test(largeOnes),
                                     cmocka_unit_test(packedIsTheSame),
                                     cmocka_unit_test(tinyOnes),
                                     cmocka_unit_test(notPositiveDefinite),
                                     cmocka_unit_test(conditionAndDeterminant),
                                     cmocka_unit_test(refinement),
                                     cmocka_unit_test(wrongArgumentsAreErrors),
                                     cmocka_unit_test_setup(smallOnes, onHost),
                                     cmocka_unit_test_setup(largeOnes, onHost),
                                     cmocka_unit_test_setup(packedIsTheSame, onHost),
                                     cmocka_unit_test_setup(notPositiveDefinite, onHost),
                                     cmocka_unit_test_setup(largeOnes, severalOnHost),
                                     cmocka_unit_test_setup(notPositiveDefinite, severalOnHost)};
  return cmocka_run_group_tests(tests, onDevice, testContextDestroy);
}
