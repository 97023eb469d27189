/* The rectangular packed format: where entries stand, transfers, conversions, products, memory. */

#include "dense.h"
#include "triangle/lower.h"
#include "oracle/vector.h"

#include "one_context.h"

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 31, 64, 67, 130};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const clPacking packings[] = {TEXLA_PACKING_2X2, TEXLA_PACKING_1X1};

static void assertLowerEqual(const float *got, const float *wanted, int n, float above) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      assert_float_equal(got[i * n + j], (j <= i ? wanted[i * n + j] : above), 0);
}

/* The paper's picture for m = 6 and m = 5, single entries: the triangle at the bottom right is
 * turned into the free corner. */
static void theFoldIsThePapers(void **state) {
  static const float six[7][3] = {{55, 54, 53}, {0, 44, 43},  {10, 11, 33}, {20, 21, 22},
                                  {30, 31, 32}, {40, 41, 42}, {50, 51, 52}};
  static const float five[5][3] = {
      {0, 44, 43}, {10, 11, 33}, {20, 21, 22}, {30, 31, 32}, {40, 41, 42}};
  for (int n = 5; n <= 6; n++) {
    float a[36], texels[21];
    OWN(clPacked) *P = NULL;
    for (int i = 0; i < n * n; i++)
      a[i] = (float)(10 * (i / n) + i % n);
    CHECK(clPackedCreate(&P, context, n, TEXLA_PACKING_1X1));
    CHECK(clPackedUpload(P, a, n));
    CHECK(txTextureRead(P->texture, "test", (txRect){0, 0, 3, n == 6 ? 7 : 5}, texels));
    if (n == 6)
      assert_memory_equal(texels, six, 21 * sizeof(float));
    else
      assert_memory_equal(texels, five, 15 * sizeof(float));
  }
}

static void transfersAndConversionsKeepEntries(void **state) {
  for (int t = 0; t < SIZES; t++) {
    int n = sizes[t];
    FREED float *a = oracleRandom(n * n, 7), *got = malloc((size_t)n * (size_t)n * sizeof *got);
    for (int p = 0; p < 4; p++) {
      OWN(clPacked) *P = NULL, *Q = NULL;
      OWN(clDense) *A = NULL;
      CHECK(clPackedCreate(&P, context, n, packings[p / 2]));
      CHECK(clPackedCreate(&Q, context, n, packings[p % 2]));
      CHECK(clDenseCreateWithPacking(&A, context, n, n, packings[p % 2]));
      CHECK(clDenseUpload(A, a, n));
      CHECK(clPackedFromDense(P, A));
      for (int i = 0; i < n * n; i++)
        got[i] = -5;
      CHECK(clPackedDownload(P, got, n));
      assertLowerEqual(got, a, n, -5);
      CHECK(clDenseFill(A, 3));
      CHECK(clPackedCopy(Q, P));
      CHECK(clPackedToDense(A, Q, false));
      CHECK(clDenseDownload(A, got, n));
      assertLowerEqual(got, a, n, 0);
      assertZeroPadding(A);
      CHECK(clPackedToDense(A, P, true));
      CHECK(clDenseDownload(A, got, n));
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          assert_float_equal(got[i * n + j], (i >= j ? a[i * n + j] : a[j * n + i]), 0);
      float value;
      CHECK(clPackedEntry(P, n / 2, n - 1, &value));
      assert_float_equal(value, a[(n - 1) * n + n / 2], 0);
      CHECK(clPackedEntry(P, n - 1, n - 1, &value));
      assert_float_equal(value, a[n * n - 1], 0);
      CHECK(clPackedEntry(P, n / 2, 0, &value));
      assert_float_equal(value, a[n / 2 * n], 0);
    }
  }
}

static void assertProduct(int n, clPacking packing) {
  FREED float *a = oracleRandom(n * n, 8), *x = oracleRandom(n, 9);
  FREED double *y = calloc((size_t)n, sizeof *y), *scale = calloc((size_t)n, sizeof *scale);
  OWN(clPacked) *P = NULL;
  OWN(clVector) *X = NULL;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double term = (double)(i >= j ? a[i * n + j] : a[j * n + i]) * (double)x[j];
      y[i] += term;
      scale[i] += fabs(term);
    }
  CHECK(clPackedCreate(&P, context, n, packing));
  CHECK(clPackedUpload(P, a, n));
  CHECK(clVectorCreate(&X, context, n));
  CHECK(clVectorUpload(X, x));
  CHECK(clPackedMulVector(X, P, X));
  assert_true(oracleHolds("packed product", X, y, scale, 2 * n * ldexp(1, -24)));
}

static void productsWithVectors(void **state) {
  for (int t = 0; t < SIZES; t++) {
    assertProduct(sizes[t], TEXLA_PACKING_2X2);
    assertProduct(sizes[t], TEXLA_PACKING_1X1);
  }
  assertProduct(1001, TEXLA_PACKING_2X2);
}

/* m (m + 1) / 2 texels, no byte more. */
static void memoryIsHalf(void **state) {
  for (int n = 500; n < 504; n++)
    for (int p = 0; p < 2; p++) {
      clPacked *P = NULL;
      size_t m = (size_t)(p ? n : (n + 1) / 2), before = clContextStatistics(context).bytes_used;
      CHECK(clPackedCreate(&P, context, n, packings[p]));
      assert_int_equal(clContextStatistics(context).bytes_used - before,
                       m * (m + 1) / 2 * (p ? 4 : 16));
      clPackedDestroy(P);
      assert_int_equal(clContextStatistics(context).bytes_used, before);
    }
}

static void wrongArgumentsAreErrors(void **state) {
  clPacked *P = NULL, *Q = NULL;
  clDense *A = NULL, *wide = NULL;
  clVector *x = NULL, *grid = NULL;
  float values[9] = {1, 2, 3, 4, NAN, 6, 7, 8, 9}, value;
  assertFails(context, clPackedCreate(&P, context, 0, TEXLA_PACKING_2X2), TEXLA_BAD_ARGUMENT,
              "n (0)");
  assertFails(context, clPackedCreate(&P, context, 3, TEXLA_PACKING_4X1), TEXLA_BAD_ARGUMENT,
              "2x2 or 1x1");
  assertFails(context, clPackedCreate(&P, context, 1000000, TEXLA_PACKING_2X2), TEXLA_TOO_LARGE,
              "1000000");
  assert_null(P);
  CHECK(clPackedCreate(&P, context, 3, TEXLA_PACKING_2X2));
  CHECK(clPackedCreate(&Q, context, 4, TEXLA_PACKING_2X2));
  CHECK(clDenseCreate(&A, context, 3, 4));
  CHECK(clDenseCreateWithPacking(&wide, context, 3, 3, TEXLA_PACKING_1X4));
  CHECK(clVectorCreate(&x, context, 4));
  CHECK(clVectorCreateGrid(&grid, context, 3, 1));
  assertFails(context, clPackedUpload(P, values, 3), TEXLA_NOT_FINITE, "(2, 2)");
  assertFails(context, clPackedUpload(P, values, 2), TEXLA_BAD_ARGUMENT, "leading dimension 2");
  assertFails(context, clPackedDownload(P, NULL, 3), TEXLA_BAD_ARGUMENT, "NULL");
  assertFails(context, clPackedEntry(P, 3, 0, &value), TEXLA_BAD_ARGUMENT, "(3, 0)");
  assertFails(context, clPackedFromDense(P, A), TEXLA_BAD_SHAPE, "3 x 4");
  assertFails(context, clPackedToDense(wide, P, false), TEXLA_UNSUPPORTED, "1x4");
  assertFails(context, clPackedCopy(Q, P), TEXLA_BAD_SHAPE, "order 4");
  assertFails(context, clPackedMulVector(x, P, x), TEXLA_BAD_SHAPE, "length 4");
  assertFails(context, clPackedMulVector(grid, P, grid), TEXLA_BAD_SHAPE, "on a grid");
  assert_int_equal(clPackedCopy(NULL, P), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clPackedOrder(NULL), 0);
  clPackedDestroy(P), clPackedDestroy(Q), clDenseDestroy(A), clDenseDestroy(wide),
      clVectorDestroy(x);
  clVectorDestroy(grid);
}

TEST_MAIN(setUp, testContextDestroy, theFoldIsThePapers, transfersAndConversionsKeepEntries,
          productsWithVectors, memoryIsHalf, wrongArgumentsAreErrors)
