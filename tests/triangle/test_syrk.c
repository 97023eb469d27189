/* A D^2 A^T by its lower triangle: exact coverage for every size, and values against dsyrk. */
#include <cblas.h>
#include <math.h>

#include "dense.h"
#include "triangle/lower.h"
#include "gl/tuning.h"
#include "oracle/vector.h"

#include "one_context.h"

/* |error| <= UNITS (k + 8) 2^-24 |A| D^2 |A|^T, any order of summation. */
static const double UNITS = 2;

/* By halves, or by slabs, as products are computed: set as if measured. */
enum { WAYS = 2 };
static void takeWay(int way) {
  static const char *const keys[] = {"dense.product.tall", "dense.product.medium",
                                     "dense.product.update", "dense.product.large"};
  int place = 0;
  while (way == 1 && txProductVariants[place].kind != TX_PRODUCT_BLOCKS)
    place++;
  for (int k = 0; k < 4; k++)
    CHECK(txTuningAdd(context, keys[k], way ? place : 4));
}

/* With A a column of ones each entry of C counts how often its texel was drawn: 1 in the triangle,
 * and 0 above. */
static void assertCounts(int n, clPacking packing) {
  float *ones = malloc((size_t)n * sizeof *ones), *c = malloc((size_t)n * (size_t)n * sizeof *c);
  clDense *A = NULL, *C = NULL;
  for (int i = 0; i < n; i++)
    ones[i] = 1;
  A = denseUpload(context, ones, n, 1);
  CHECK(clDenseCreateWithPacking(&C, context, n, n, packing));
  CHECK(clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0));
  CHECK(clDenseDownload(C, c, n));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (c[i * n + j] != (float)(j <= i))
        fail_msg("order %d, %s: (%d, %d) was drawn %g times", n, clPackingName(packing), i, j,
                 (double)c[i * n + j]);
  assertZeroPadding(C);
  clDenseDestroy(A);
  clDenseDestroy(C);
  free(ones), free(c);
}

/* The packed texture itself: all of its numbers are 1, but those above the diagonal of blocks on
 * it, and padding. */
static void assertPackedCounts(int n, clPacking packing) {
  float *ones = malloc((size_t)n * sizeof *ones);
  clPacked *C = NULL;
  int width, height, side = packing == TEXLA_PACKING_1X1 ? 1 : 2, m = (n + side - 1) / side;
  for (int i = 0; i < n; i++)
    ones[i] = 1;
  clDense *A = denseUpload(context, ones, n, 1);
  CHECK(clPackedCreate(&C, context, n, packing));
  CHECK(clPackedSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0));
  clPackedTexels(C, &width, &height);
  assert_int_equal(width, (m + 1) / 2);
  assert_int_equal(height, m + (m + 1) % 2);
  assert_int_equal(width * height, m * (m + 1) / 2);
  size_t count = (size_t)width * (size_t)height * (size_t)(side * side), drawn = 0;
  float *texels = malloc(count * sizeof *texels);
  CHECK(txTextureRead(C->texture, "test", (txRect){0, 0, width, height}, texels));
  for (size_t k = 0; k < count; k++) {
    if (texels[k] != 0 && texels[k] != 1)
      fail_msg("order %d, %s: number %zu was drawn %g times", n, clPackingName(packing), k,
               (double)texels[k]);
    drawn += texels[k] == 1;
  }
  assert_int_equal(drawn, (size_t)n * (size_t)(n + 1) / 2);
  clDenseDestroy(A);
  clPackedDestroy(C);
  free(ones), free(texels);
}

static void everyTexelIsDrawnOnce(void **state) {
  (void)state;
  static const int large[] = {255, 256, 257, 1000, 2047};
  takeWay(0);
  for (int k = 1; k <= 65 + 5; k = testNextSize(k)) {
    int n = k <= 65 ? k : large[k - 66];
    assertCounts(n, TEXLA_PACKING_2X2);
    assertCounts(n, TEXLA_PACKING_1X1);
    assertPackedCounts(n, TEXLA_PACKING_2X2);
    assertPackedCounts(n, TEXLA_PACKING_1X1);
    for (int way = 1; way < WAYS && n > 65; way++) {
      takeWay(way);
      assertCounts(n, TEXLA_PACKING_2X2);
      assertPackedCounts(n, TEXLA_PACKING_2X2);
    }
    takeWay(0);
  }
}

static int64_t passesOf(int n, int k) {
  clDense *A = NULL;
  clPacked *C = NULL;
  CHECK(clDenseCreate(&A, context, n, k));
  CHECK(clPackedCreate(&C, context, n, TEXLA_PACKING_2X2));
  int64_t before = clContextStatistics(context).passes;
  CHECK(clPackedSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0));
  int64_t passes = clContextStatistics(context).passes - before;
  clDenseDestroy(A), clPackedDestroy(C);
  return passes;
}

/* All blocks along the diagonal, of both triangles, are two passes. */
static void bothTrianglesAreOnePass(void **state) {
  (void)state;
  /* clear, op(A) D twice, the triangles' two, and the square between them: product and join; 100
   * texels */
  /* chooses variants */
  passesOf(200, 40);
  assertWithin(passesOf(200, 40), 5, 8);
}

/* Nothing is drawn above the diagonal: what stood there stays. */
static void whatIsAboveIsNotTouched(void **state) {
  (void)state;
  static const int sizes[] = {2, 63, 64, 130, 257, 514};
  for (int t = 0; t < 6 * WAYS; t++) {
    int n = sizes[t % 6];
    takeWay(t / 6);
    clDense *C = NULL, *A = NULL;
    txLowerRows rows = {0};
    float *c = malloc((size_t)n * (size_t)n * sizeof *c);
    CHECK(clDenseCreate(&C, context, n, n));
    CHECK(clDenseFill(C, 7));
    CHECK(clDenseCreate(&A, context, n, 3));
    CHECK(clDenseFill(A, 1));
    txLower lower = txLowerOfDense(C);
    CHECK(txLowerRowsScale(&rows, "test", &lower, TEXLA_NO_TRANSPOSE, A, NULL, 0, 2));
    CHECK(txLowerAdd("test", &lower, 1, &rows, 0, lower.texels));
    CHECK(clDenseDownload(C, c, n));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        assert_float_equal(c[i * n + j], (j <= i ? 10 : 7), 0);
    txLowerRowsDestroy(&rows);
    clDenseDestroy(C), clDenseDestroy(A);
    free(c);
  }
}

typedef struct sizes {
  int n, k;
  clTranspose op;
  bool scaled;
  float alpha, beta;
} sizes;

static double *scaledDoubles(const sizes *s, const float *a, const float *d, bool magnitudes) {
  double *S = malloc((size_t)s->n * (size_t)s->k * sizeof *S);
  bool turned = s->op == TEXLA_TRANSPOSE;
  int lead = turned ? s->n : s->k;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->k; k++) {
      double v = (double)a[placeIn(turned, lead, i, k)];
      if (s->scaled)
        v *= (double)d[k];
      S[i * s->k + k] = magnitudes ? fabs(v) : v;
    }
  return S;
}

static double *lowerOf(const sizes *s, const float *a, const float *d, const float *c,
                       bool magnitudes) {
  double *S = scaledDoubles(s, a, d, magnitudes),
         *C = malloc((size_t)s->n * (size_t)s->n * sizeof *C);
  for (int e = 0; e < s->n * s->n; e++)
    C[e] = magnitudes ? fabs((double)c[e]) : (double)c[e];
  double alpha = (double)s->alpha, beta = (double)s->beta;
  if (magnitudes)
    alpha = fabs(alpha), beta = fabs(beta);
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, s->n, s->k, alpha, S, s->k, beta, C, s->n);
  free(S);
  return C;
}

static void assertLower(const sizes *s, const char *what, const float *got, const double *expected,
                        const double *scale) {
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j <= i; j++) {
      int e = i * s->n + j;
      if (!(fabs((double)got[e] - expected[e]) <= UNITS * (s->k + 8) * ldexp(scale[e], -24)))
        fail_msg("%s, n %d, k %d, op %d: (%d, %d) is %.9g, not %.9g", what, s->n, s->k, (int)s->op,
                 i, j, (double)got[e], expected[e]);
    }
}

static void assertSyrk(const sizes *s, clPacking packing) {
  float *a = oracleRandom(s->n * s->k, 3), *d = oracleRandom(s->k, 4),
        *c = oracleRandom(s->n * s->n, 5);
  double *expected = lowerOf(s, a, d, c, false), *scale = lowerOf(s, a, d, c, true);
  int rows = s->n, cols = s->k;
  swapIf(s->op == TEXLA_TRANSPOSE, &rows, &cols);
  clDense *A = denseUpload(context, a, rows, cols), *C = NULL;
  clVector *D = NULL;
  clPacked *P = NULL;
  CHECK(clDenseCreateWithPacking(&C, context, s->n, s->n, packing));
  CHECK(clDenseUpload(C, c, s->n));
  CHECK(clPackedCreate(&P, context, s->n, packing));
  CHECK(clPackedUpload(P, c, s->n));
  if (s->scaled) {
    CHECK(clVectorCreate(&D, context, s->k));
    CHECK(clVectorUpload(D, d));
  }
  CHECK(clPackedSyrk(P, s->alpha, s->op, A, D, s->beta));
  CHECK(clDenseSyrk(C, s->alpha, s->op, A, D, s->beta));
  CHECK(clDenseDownload(C, c, s->n));
  assertLower(s, "full", c, expected, scale);
  assertZeroPadding(C);
  CHECK(clPackedDownload(P, c, s->n));
  assertLower(s, "packed", c, expected, scale);
  clDenseDestroy(A), clDenseDestroy(C), clVectorDestroy(D), clPackedDestroy(P);
  free(a), free(d), free(c), free(expected), free(scale);
}

static void valuesAgreeWithBlas(void **state) {
  (void)state;
  static const sizes cases[] = {
      {1, 1, TEXLA_NO_TRANSPOSE, true, 1, 0},    {2, 5, TEXLA_TRANSPOSE, true, -2, 1},
      {5, 2, TEXLA_NO_TRANSPOSE, false, 1, .5f}, {17, 33, TEXLA_TRANSPOSE, false, 1, 0},
      {64, 7, TEXLA_NO_TRANSPOSE, true, 1, 0},   {67, 130, TEXLA_NO_TRANSPOSE, true, .5f, -1},
      {129, 31, TEXLA_TRANSPOSE, true, 1, 0},    {257, 65, TEXLA_NO_TRANSPOSE, true, 1, 1},
      {259, 130, TEXLA_TRANSPOSE, true, .5f, 1}, {300, 4100, TEXLA_NO_TRANSPOSE, true, 1, 0}};
  for (int t = 0; t < (int)(sizeof cases / sizeof *cases); t++) {
    assertSyrk(&cases[t], TEXLA_PACKING_1X1);
    for (int way = 0; way < WAYS; way++) {
      takeWay(way);
      assertSyrk(&cases[t], TEXLA_PACKING_2X2);
    }
    takeWay(0);
  }
}

/* A itself may be the target: A <- A A^T. */
static void operandsMayBeTheTarget(void **state) {
  (void)state;
  float a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10}, c[9];
  const float expected[9] = {14, 0, 0, 32, 77, 0, 53, 128, 213};
  clDense *A = denseUpload(context, a, 3, 3);
  CHECK(clDenseSyrk(A, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0));
  CHECK(clDenseDownload(A, c, 3));
  assert_memory_equal(c, expected, sizeof c);
  clDenseDestroy(A);
}

static void wrongArgumentsAreErrors(void **state) {
  (void)state;
  clDense *A = NULL, *C = NULL, *wide = NULL, *other = NULL;
  clVector *d = NULL;
  clPacked *P = NULL;
  CHECK(clDenseCreate(&A, context, 4, 6));
  CHECK(clDenseCreate(&C, context, 4, 4));
  CHECK(clDenseCreateWithPacking(&wide, context, 4, 4, TEXLA_PACKING_1X4));
  CHECK(clVectorCreate(&d, context, 5));
  CHECK(clPackedCreate(&P, context, 3, TEXLA_PACKING_2X2));
  assertFails(context, clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, NULL, NULL, 0), TEXLA_BAD_ARGUMENT,
              "A must not be NULL");
  assertFails(context, clDenseSyrk(NULL, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0), TEXLA_BAD_ARGUMENT,
              "C must not be NULL");
  assertFails(context, clPackedSyrk(NULL, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0), TEXLA_BAD_ARGUMENT,
              "C must not be NULL");
  assertFails(context, clDenseSyrk(A, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0), TEXLA_BAD_SHAPE,
              "not square");
  assertFails(context, clDenseSyrk(C, 1, TEXLA_TRANSPOSE, A, NULL, 0), TEXLA_BAD_SHAPE,
              "op(A) is 6 x 4");
  assertFails(context, clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, d, 0), TEXLA_BAD_SHAPE,
              "d 6 long, which it is not");
  assertFails(context, clPackedSyrk(P, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0), TEXLA_BAD_SHAPE,
              "4 x 4, not 3");
  assertFails(context, clDenseSyrk(wide, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0), TEXLA_UNSUPPORTED,
              "1x4");
  assertFails(context, clDenseSyrk(C, NAN, TEXLA_NO_TRANSPOSE, A, NULL, 0), TEXLA_BAD_ARGUMENT,
              "finite");
  clContext *foreign = testContextWith((clContextOptions){0});
  assertOk(foreign, clDenseCreate(&other, foreign, 4, 6));
  assertFails(context, clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, other, NULL, 0), TEXLA_FOREIGN_CONTEXT,
              "clDenseSyrk");
  clDenseDestroy(other);
  clContextDestroy(foreign);
  clDenseDestroy(A), clDenseDestroy(C), clDenseDestroy(wide), clVectorDestroy(d),
      clPackedDestroy(P);
}

/* Without a factor A is not read: it may hold anything. */
static void alphaZero(void **state) {
  (void)state;
  enum { N = 9 };
  float huge[N * N], c[N * N], out[N * N];
  clDense *A = NULL, *B = NULL, *C = NULL;
  clPacked *P = NULL;
  for (int i = 0; i < N * N; i++) {
    huge[i] = i % 2 ? 3e38f : -3e38f;
    c[i] = (float)(1 + i);
  }
  CHECK(clDenseCreate(&A, context, N, N));
  CHECK(clDenseCreate(&B, context, N, N));
  CHECK(clDenseCreate(&C, context, N, N));
  CHECK(clDenseUpload(A, huge, N));
  /* Inf - Inf */
  CHECK(clDenseMultiply(B, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, A, 0));
  CHECK(clDenseUpload(C, c, N));
  CHECK(clDenseSyrk(C, 0, TEXLA_NO_TRANSPOSE, B, NULL, 2));
  CHECK(clDenseDownload(C, out, N));
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      assert_true(out[i * N + j] == 2 * c[i * N + j]);
  CHECK(clPackedCreate(&P, context, N, TEXLA_PACKING_2X2));
  CHECK(clPackedUpload(P, c, N));
  CHECK(clPackedSyrk(P, 0, TEXLA_NO_TRANSPOSE, B, NULL, 1));
  CHECK(clPackedDownload(P, out, N));
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      assert_true(out[i * N + j] == c[i * N + j]);
  clPackedDestroy(P);
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(C);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(everyTexelIsDrawnOnce),
                                     cmocka_unit_test(bothTrianglesAreOnePass),
                                     cmocka_unit_test(whatIsAboveIsNotTouched),
                                     cmocka_unit_test(valuesAgreeWithBlas),
                                     cmocka_unit_test(operandsMayBeTheTarget),
                                     cmocka_unit_test(wrongArgumentsAreErrors),
                                     cmocka_unit_test(alphaZero)};
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
