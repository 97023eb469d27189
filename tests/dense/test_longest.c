/* Matrices as long as a texture allows: the textures that operations make for themselves must fit,
 * too. */

#include "dense.h"
#include "dense/entries.h"
#include "texla/least_squares.h"
#include "texla/qr.h"
#include "texla/triangle.h"

#include "level.h"
#include "one_context.h"

enum { FEW = 5, COLUMNS = 8 };

/* Small integers: sums of their products are exact in any order. */
static float integerAt(int i, int j) {
  return (float)((7 * i + 3 * j + i / 11) % 5 - 2);
}

static int longest(void) {
  return 2 * clContextInspect(context)->max_texture_size;
}

static float *integers(int rows, int cols) {
  float *a = malloc((size_t)rows * (size_t)cols * sizeof *a);
  assert_non_null(a);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      a[(size_t)i * (size_t)cols + (size_t)j] = integerAt(i, j);
  return a;
}

static clDense *integerMatrix(int rows, int cols) {
  FREED float *a = integers(rows, cols);
  clDense *A = denseUpload(context, a, rows, cols);
  return A;
}

static double turnedAt(bool turned, int i, int j) {
  swapIf(turned, &i, &j);
  return (double)integerAt(i, j);
}

/* Entry (i, j) of op(A) op(B), whose inner dimension is n. */
static double productAt(bool a_turned, bool b_turned, int n, int i, int j) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += turnedAt(a_turned, i, k) * turnedAt(b_turned, k, j);
  return sum;
}

static void assertProduct(const clDense *C, bool a_turned, bool b_turned, int n, bool lower,
                          const char *what) {
  float got[FEW * FEW];
  CHECK(clDenseDownload(C, got, FEW));
  for (int i = 0; i < FEW; i++)
    for (int j = 0; j < (lower ? i + 1 : FEW); j++)
      if ((double)got[FEW * i + j] != productAt(a_turned, b_turned, n, i, j))
        fail_msg("%s: entry (%d, %d) is %g, not %g", what, i, j, (double)got[FEW * i + j],
                 productAt(a_turned, b_turned, n, i, j));
}

static void innerDimensionOfProducts(void **state) {
  int n = longest();
  OWN(clDense) *wide = integerMatrix(FEW, n), *tall = integerMatrix(n, FEW), *C = NULL;
  const clDense *of_a[] = {wide, tall}, *of_b[] = {tall, wide};
  static const clTranspose op[] = {TEXLA_NO_TRANSPOSE, TEXLA_TRANSPOSE};
  CHECK(clDenseCreate(&C, context, FEW, FEW));
  for (int ops = 0; ops < 4; ops++)
    for (int v = -1; v < TX_PRODUCT_VARIANTS; v++) {
      /* In the short form each variant meets one pair of operations, and the chosen one all. */
      if (!testLong() && v >= 0 && v % 4 != ops)
        continue;
      bool a = ops & 1, b = ops & 2;
      char what[64];
      snprintf(what, sizeof what, "operations %d, variant %d", ops, v);
      const txProductVariant *variant = v < 0 ? NULL : &txProductVariants[v];
      CHECK(txDenseMultiply("test", C, 1, op[a], of_a[a], op[b], of_b[b], 0, variant));
      assertProduct(C, a, b, n, false, what);
    }
}

/* A D^2 A^T, D = I, in both packings, full and packed. */
static void innerDimensionOfTriangles(void **state) {
  static const clPacking packings[] = {TEXLA_PACKING_2X2, TEXLA_PACKING_1X1};
  int n = longest();
  clDense *operand[2] = {integerMatrix(FEW, n), integerMatrix(n, FEW)};
  clVector *ones = NULL;
  CHECK(clVectorCreate(&ones, context, n));
  CHECK(clVectorFill(ones, 1));
  for (int k = 0; k < 8; k++) {
    bool turned = k & 1, scaled = k & 4;
    clTranspose op = turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
    char what[64];
    OWN(clDense) *C = NULL;
    OWN(clPacked) *P = NULL;
    CHECK(clDenseCreateWithPacking(&C, context, FEW, FEW, packings[k >> 1 & 1]));
    CHECK(clPackedCreate(&P, context, FEW, packings[k >> 1 & 1]));
    snprintf(what, sizeof what, "full triangle %d", k);
    CHECK(clDenseSyrk(C, 1, op, operand[turned], scaled ? ones : NULL, 0));
    assertProduct(C, turned, !turned, n, true, what);
    snprintf(what, sizeof what, "packed triangle %d", k);
    CHECK(clPackedSyrk(P, 1, op, operand[turned], scaled ? ones : NULL, 0));
    CHECK(clPackedToDense(C, P, true));
    assertProduct(C, turned, !turned, n, false, what);
  }
  clVectorDestroy(ones);
  clDenseDestroy(operand[0]), clDenseDestroy(operand[1]);
}

static void productsWithVectors(void **state) {
  int n = longest();
  for (int k = 0; k < 4; k++) {
    bool tall = k & 1, turned = k & 2, sums = tall == turned;
    int rows = FEW, cols = n;
    swapIf(tall, &rows, &cols);
    OWN(clDense) *A = integerMatrix(rows, cols);
    OWN(clVector) *x = NULL, *y = NULL;
    FREED float *value = integers(n, 1);
    CHECK(clVectorCreate(&x, context, sums ? n : FEW));
    CHECK(clVectorCreate(&y, context, sums ? FEW : n));
    CHECK(clVectorUpload(x, value));
    CHECK(clDenseViewMulVector(y, 1, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE,
                               clDenseViewAll(A), x, 0));
    CHECK(clVectorDownload(y, value));
    for (int i = 0; i < (sums ? FEW : n); i++) {
      double sum = 0;
      for (int j = 0; j < (sums ? n : FEW); j++)
        sum += (double)(turned ? integerAt(j, i) : integerAt(i, j)) * (double)integerAt(j, 0);
      if ((double)value[i] != sum)
        fail_msg("product %d: element %d is %g, not %g", k, i, (double)value[i], sum);
    }
  }
}

static float *randoms(int rows, int cols) {
  uint64_t seed = 5;
  float *a = malloc((size_t)rows * (size_t)cols * sizeof *a);
  assert_non_null(a);
  for (size_t k = 0; k < (size_t)rows * (size_t)cols; k++)
    a[k] = (float)randomUnit(&seed);
  return a;
}

/* |P A Q - L U|, at most. */
static void assertFactors(const clPlu *plu, const float *a, int m, int n) {
  int steps = m < n ? m : n;
  FREED float *z = malloc((size_t)m * (size_t)n * sizeof *z);
  assert_non_null(z);
  CHECK(clDenseDownload(clPluFactors(plu), z, n));
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int row = clPluRows(plu)[i], col = clPluCols(plu) ? clPluCols(plu)[j] : j;
      double sum = 0, wanted = (double)a[(size_t)row * (size_t)n + (size_t)col] *
                               clPluRowScale(plu)[row] * clPluColScale(plu)[col];
      for (int k = 0; k < steps && k <= i && k <= j; k++)
        sum += (k == i ? 1 : (double)z[(size_t)i * (size_t)n + (size_t)k]) *
               (double)z[(size_t)k * (size_t)n + (size_t)j];
      if (!(fabs(sum - wanted) <= 1e-5))
        fail_msg("%d x %d: entry (%d, %d) of L U is %g, not %g", m, n, i, j, sum, wanted);
    }
}

static void eliminations(void **state) {
  static const clPivoting pivotings[] = {TEXLA_PIVOT_PARTIAL, TEXLA_PIVOT_COMPLETE};
  for (int k = 0; k < 3; k++) {
    bool tall = k != 1;
    int m = COLUMNS, n = longest(), rank = 0;
    swapIf(tall, &m, &n);
    FREED float *a = randoms(m, n);
    clEliminationOptions pivoting = {.pivoting = pivotings[k == 2]};
    clPluOptions o = {.elimination = pivoting};
    OWN(clDense) *A = denseUpload(context, a, m, n), *R = NULL;
    clPlu *plu = NULL;
    clPluReport report;
    CHECK(clPluCreate(&plu, context, m, n, &o));
    CHECK(clPluFactor(plu, A, &report));
    assert_int_equal(report.rank, COLUMNS);
    assertFactors(plu, a, m, n);
    clPluDestroy(plu);
    CHECK(clDenseCreateLike(&R, A));
    if (k < 2) {
      CHECK(clDenseRref(R, A, &pivoting, &rank, NULL));
      assert_int_equal(rank, COLUMNS);
    }
  }
}

/* Many right-hand sides of a small system. */
static void rightHandSides(void **state) {
  int n = longest();
  float a[FEW * FEW], *b = integers(FEW, n), *x = malloc((size_t)n * FEW * sizeof *x);
  for (int i = 0; i < FEW; i++)
    for (int j = 0; j < FEW; j++)
      a[FEW * i + j] = i == j ? 4 : 1;
  OWN(clDense) *A = denseUpload(context, a, FEW, FEW), *X = denseUpload(context, b, FEW, n),
               *B = denseUpload(context, b, FEW, n);
  CHECK(clDenseSolve(X, A, B, NULL));
  CHECK(clDenseDownload(X, x, n));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < FEW; i++) {
      double sum = 0;
      for (int k = 0; k < FEW; k++)
        sum += (double)a[FEW * i + k] * (double)x[(size_t)k * (size_t)n + (size_t)j];
      assert_true(fabs(sum - (double)integerAt(i, j)) <= 1e-5);
    }
  free(b);
  free(x);
}

/* min ||b - A x||: the residual is orthogonal to all columns. */
static void leastSquares(void **state) {
  int m = longest();
  FREED float *a = randoms(m, FEW);
  OWN(clDense) *A = denseUpload(context, a, m, FEW);
  double *b = malloc((size_t)m * sizeof *b), x[FEW] = {0};
  for (int i = 0; i < m; i++)
    b[i] = (double)integerAt(i, 1);
  for (int method = TEXLA_LEAST_SQUARES_CHOLESKY; method <= TEXLA_LEAST_SQUARES_QR; method++) {
    clLeastSquaresOptions o = {.method = (clLeastSquaresMethod)method};
    clLeastSquares *lsq = NULL;
    double gradient[FEW] = {0};
    CHECK(clLeastSquaresCreateDense(&lsq, A, &o));
    CHECK(clLeastSquaresSolve(lsq, x, b, NULL));
    clLeastSquaresDestroy(lsq);
    for (int i = 0; i < m; i++) {
      double r = b[i];
      for (int j = 0; j < FEW; j++)
        r -= (double)a[FEW * i + j] * x[j];
      for (int j = 0; j < FEW; j++)
        gradient[j] += (double)a[FEW * i + j] * r;
    }
    for (int j = 0; j < FEW; j++)
      if (!(fabs(gradient[j]) <= 1e-9 * m))
        fail_msg("method %d: column %d is not orthogonal to the residual, %g", method, j,
                 gradient[j]);
  }
  free(b);
}

TEST_MAIN(setUp, testContextDestroy, innerDimensionOfProducts, innerDimensionOfTriangles,
          productsWithVectors, eliminations, rightHandSides, leastSquares)
