/* The dense product, every variant of it, against dgemm. */
#include <cblas.h>
#include <math.h>

#include "dense.h"
#include "dense/entries.h"
#include "oracle/vector.h"

#include "one_context.h"

/* |error| <= UNITS (k + 4) 2^-24 (|alpha| |A| |B| + |beta| |C|): the bound of any order of
 * summation, with room for devices that do not round to nearest. */
static const double UNITS = 2;

/* The measured one, all that are measured, and shapes that are not. */
enum { OTHERS = 4, VARIANTS = 1 + TX_PRODUCT_VARIANTS + OTHERS };
static const txProductVariant others[OTHERS] = {{TX_PRODUCT_TILES, 3, 1, .stretch = 4},
                                                {TX_PRODUCT_TILES, 1, 3, .stretch = 8},
                                                {TX_PRODUCT_TILES, 1, 2, .stretch = 4},
                                                {TX_PRODUCT_BLOCKS, .stretch = 64}};

static const txProductVariant *variantOf(int v) {
  if (v == 0)
    return NULL;
  return v <= TX_PRODUCT_VARIANTS ? &txProductVariants[v - 1]
                                  : &others[v - 1 - TX_PRODUCT_VARIANTS];
}

static uint32_t seed = 1;

static double *widen(const float *values, int count, bool magnitudes) {
  double *wide = malloc((size_t)count * sizeof *wide);
  for (int i = 0; i < count; i++)
    wide[i] = magnitudes ? fabs((double)values[i]) : (double)values[i];
  return wide;
}

typedef struct sizes {
  int m, n, k;
  clTranspose a_op, b_op;
  float alpha, beta;
} sizes;

static void operandShapes(const sizes *s, int *a_rows, int *a_cols, int *b_rows, int *b_cols) {
  *a_rows = s->m, *a_cols = s->k, *b_rows = s->k, *b_cols = s->n;
  swapIf(s->a_op == TEXLA_TRANSPOSE, a_rows, a_cols);
  swapIf(s->b_op == TEXLA_TRANSPOSE, b_rows, b_cols);
}

/* alpha op(A) op(B) + beta C in double; the same of magnitudes is the scale of the error. */
static double *multiplyOnHost(const sizes *s, const float *A, const float *B, const float *C,
                              bool magnitudes) {
  FREED double *a = widen(A, s->m * s->k, magnitudes), *b = widen(B, s->k * s->n, magnitudes);
  double *c = widen(C, s->m * s->n, magnitudes), alpha = (double)s->alpha, beta = (double)s->beta;
  static const CBLAS_TRANSPOSE op[] = {
      [TEXLA_NO_TRANSPOSE] = CblasNoTrans, [TEXLA_TRANSPOSE] = CblasTrans};
  int a_rows, a_cols, b_rows, b_cols;
  operandShapes(s, &a_rows, &a_cols, &b_rows, &b_cols);
  if (magnitudes)
    alpha = fabs(alpha), beta = fabs(beta);
  cblas_dgemm(CblasRowMajor, op[s->a_op], op[s->b_op], s->m, s->n, s->k, alpha, a, a_cols, b,
              b_cols, beta, c, s->n);
  return c;
}

static void assertProduct(const sizes *s, const clDense *C, const double *expected,
                          const double *scale, int variant) {
  float *got = malloc((size_t)s->m * (size_t)s->n * sizeof *got);
  CHECK(clDenseDownload(C, got, s->n));
  for (int i = 0; i < s->m * s->n; i++)
    if (!(fabs((double)got[i] - expected[i]) <= UNITS * (s->k + 4) * ldexp(scale[i], -24)))
      fail_msg("variant %d, %d x %d x %d, ops %d %d: entry (%d, %d) is %.9g, not %.9g", variant,
               s->m, s->n, s->k, (int)s->a_op, (int)s->b_op, i / s->n, i % s->n, (double)got[i],
               expected[i]);
  free(got);
  assertZeroPadding(C);
}

/* Variants [first, end). */
static void runCase(const sizes *s, int first, int end) {
  int a_rows, a_cols, b_rows, b_cols;
  operandShapes(s, &a_rows, &a_cols, &b_rows, &b_cols);
  FREED float *a = oracleRandom(s->m * s->k, seed++), *b = oracleRandom(s->k * s->n, seed++),
              *c = oracleRandom(s->m * s->n, seed++);
  FREED double *expected = multiplyOnHost(s, a, b, c, false),
               *scale = multiplyOnHost(s, a, b, c, true);
  OWN(clDense) *A = denseUpload(context, a, a_rows, a_cols),
               *B = denseUpload(context, b, b_rows, b_cols);
  for (int v = first; v < end; v++) {
    OWN(clDense) *C = denseUpload(context, c, s->m, s->n);
    CHECK(txDenseMultiply("test", C, s->alpha, s->a_op, A, s->b_op, B, s->beta, variantOf(v)));
    assertProduct(s, C, expected, scale, v);
  }
}

static void testAllSmallShapes(void **state) {
  (void)state;
  static const int some[] = {5, 2, 11, 12};
  for (int m = 1; m <= 17; m++)
    for (int n = 1; n <= 17; n += m % 3 ? 2 : 1)
      for (int k = 1; k <= 17; k += (m + n) % 3 ? 5 : 4) {
        sizes s = {m, n, k, (clTranspose)(k & 1), (clTranspose)(n & 1), 1, 0};
        runCase(&s, some[(m + n + k) % 4], some[(m + n + k) % 4] + 1);
      }
}

static void testAllVariantsAndOps(void **state) {
  (void)state;
  static const int shapes[][3] = {{1, 1, 1},  {1, 37, 5},   {37, 1, 9},
                                  {2, 2, 67}, {31, 29, 23}, {67, 65, 66}};
  for (int k = 0; k < 6; k++)
    for (int ops = 0; ops < 4; ops++) {
      sizes s = {
          shapes[k][0], shapes[k][1], shapes[k][2], (clTranspose)(ops & 1), (clTranspose)(ops >> 1),
          -0.75f,       1.5f};
      runCase(&s, 0, VARIANTS);
    }
}

static void testFactors(void **state) {
  (void)state;
  static const float factors[][2] = {{1, 0}, {1, 1},        {-1, 1}, {0, 1},
                                     {0, 0}, {2.5f, -0.5f}, {0, 3}};
  for (int k = 0; k < 7; k++) {
    sizes s = {19, 22, 25, TEXLA_NO_TRANSPOSE, TEXLA_NO_TRANSPOSE, factors[k][0], factors[k][1]};
    runCase(&s, 0, VARIANTS);
  }
}

static void testLargerSizes(void **state) {
  (void)state;
  static const int some[] = {0, 6, 8, 11, 12, 16};
  static const int shapes[][3] = {{255, 256, 257}, {256, 257, 255}, {257, 255, 256},
                                  {521, 3, 64},    {3, 521, 130},   {2, 2, 1301}};
  for (int k = 0; k < 6; k++) {
    sizes s = {shapes[k][0],
               shapes[k][1],
               shapes[k][2],
               (clTranspose)(k & 1),
               (clTranspose)(k >> 1 & 1),
               1,
               0};
    for (int v = 0; v < 6; v++)
      runCase(&s, some[v], some[v] + 1);
  }
}

/* Sums below 2^24 have no rounding errors, in whatever order they are added. */
static void testIntegersMultiplyExactly(void **state) {
  (void)state;
  enum { N = 127 };
  FREED float *a = oracleRandom(N * N, seed++), *b = oracleRandom(N * N, seed++),
              *got = malloc(sizeof(float) * N * N);
  for (int i = 0; i < N * N; i++) {
    a[i] = floorf(a[i] * 360);
    /* 127 * 360^2 < 2^24 */
    b[i] = floorf(b[i] * 360);
  }
  OWN(clDense) *A = denseUpload(context, a, N, N), *B = denseUpload(context, b, N, N),
               *C = denseUpload(context, a, N, N);
  for (int v = 0; v < VARIANTS; v++) {
    CHECK(
        txDenseMultiply("test", C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_TRANSPOSE, B, 0, variantOf(v)));
    CHECK(clDenseDownload(C, got, N));
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        int64_t sum = 0;
        for (int k = 0; k < N; k++)
          sum += (int64_t)a[i * N + k] * (int64_t)b[j * N + k];
        assert_true((int64_t)got[i * N + j] == sum);
      }
  }
}

static void testAliases(void **state) {
  (void)state;
  enum { N = 35 };
  sizes s = {N, N, N, TEXLA_NO_TRANSPOSE, TEXLA_TRANSPOSE, 1, 0.5f};
  FREED float *a = oracleRandom(N * N, seed++);
  FREED double *expected = multiplyOnHost(&s, a, a, a, false),
               *scale = multiplyOnHost(&s, a, a, a, true);
  for (int v = 0; v < VARIANTS; v++) {
    OWN(clDense) *A = denseUpload(context, a, N, N);
    CHECK(txDenseMultiply("test", A, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_TRANSPOSE, A, 0.5f,
                          variantOf(v)));
    assertProduct(&s, A, expected, scale, v);
  }
}

/* With beta = 0, what C held does not matter: here the Inf - Inf of an overflow. */
static void testBetaZeroForgetsC(void **state) {
  (void)state;
  float huge[9], ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, got[9];
  for (int i = 0; i < 9; i++)
    huge[i] = 3e38f;
  OWN(clDense) *A = denseUpload(context, huge, 3, 3), *B = denseUpload(context, ones, 3, 3),
               *C = denseUpload(context, ones, 3, 3);
  CHECK(clDenseAdd(C, 2, A, -2, A));
  CHECK(clDenseDownload(C, got, 3));
  for (int v = 0; v < VARIANTS; v++) {
    CHECK(clDenseAdd(C, 2, A, 2, A));
    CHECK(clDenseAdd(C, 1, C, -1, C));
    CHECK(clDenseDownload(C, got, 3));
    assert_true(isnan(got[4]));
    CHECK(txDenseMultiply("test", C, 1, TEXLA_NO_TRANSPOSE, B, TEXLA_NO_TRANSPOSE, B, 0,
                          variantOf(v)));
    CHECK(clDenseDownload(C, got, 3));
    for (int i = 0; i < 9; i++)
      assert_true(got[i] == 3);
    CHECK(clDenseAdd(C, 2, A, 2, A));
    /* Inf stays out of the padding */
    CHECK(txDenseMultiply("test", C, 1, TEXLA_NO_TRANSPOSE, C, TEXLA_NO_TRANSPOSE, B, 0,
                          variantOf(v)));
    assertZeroPadding(C);
  }
}

/* target[block] <- C[block] - A[block] B[block], the step of a factorization: into another texture,
 * or into C itself. */
static void testUpdatesBlocks(void **state) {
  (void)state;
  enum { N = 61, W = 31 };
  FREED float *a = oracleRandom(N * N, seed++), *expected = malloc(sizeof(float) * N * N),
              *got = malloc(sizeof(float) * N * N);
  for (int v = 0; v < 2 * VARIANTS; v++) {
    bool in_place = v & 1;
    OWN(clDense) *A = denseUpload(context, a, N, N), *T = denseUpload(context, a, N, N);
    /* entries */
    int k = 8, nb = 6, r = 16, c = 20;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = (double)a[i * N + j];
        for (int l = k; l < k + nb && i >= r && j >= c; l++)
          sum -= (double)a[i * N + l] * (double)a[l * N + j];
        expected[i * N + j] = (float)sum;
      }
    txProduct p = {.target = T->texture,
                   .rect = {c / 2, r / 2, W - c / 2, W - r / 2},
                   .rows = N,
                   .cols = N,
                   .alpha = -1,
                   .beta = 1,
                   .a = {A->texture, k / 2, r / 2, TEXLA_NO_TRANSPOSE},
                   .b = {A->texture, c / 2, k / 2, TEXLA_NO_TRANSPOSE},
                   .inner = nb / 2,
                   .c = {in_place ? T->texture : A->texture, c / 2, r / 2, TEXLA_NO_TRANSPOSE}};
    CHECK(txProductRun(context, "test", &p, variantOf(v / 2)));
    CHECK(clDenseDownload(T, got, N));
    for (int i = 0; i < N * N; i++)
      assert_true(fabs((double)got[i] - (double)expected[i]) <= 1e-6);
    assertZeroPadding(T);
  }
}

static void testRefusesWrongOperands(void **state) {
  (void)state;
  float *a = oracleRandom(6 * 6, seed++), got[36];
  OWN(clDense) *A = denseUpload(context, a, 4, 6), *B = denseUpload(context, a, 6, 3),
               *C = denseUpload(context, a, 4, 3), *P = NULL;
  CHECK(clDenseCreateWithPacking(&P, context, 6, 3, TEXLA_PACKING_1X1));
  assert_int_equal(clDenseMultiply(C, 1, TEXLA_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0),
                   TEXLA_BAD_SHAPE);
  assert_int_equal(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_TRANSPOSE, B, 0),
                   TEXLA_BAD_SHAPE);
  assert_int_equal(clDenseMultiply(B, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0),
                   TEXLA_BAD_SHAPE);
  assert_int_equal(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, P, 0),
                   TEXLA_UNSUPPORTED);
  assert_int_equal(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, NULL, TEXLA_NO_TRANSPOSE, B, 0),
                   TEXLA_BAD_ARGUMENT);
  assert_int_equal(clDenseMultiply(NULL, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0),
                   TEXLA_BAD_ARGUMENT);
  CHECK(clDenseDownload(C, got, 3));
  assert_memory_equal(got, a, 12 * sizeof *a);
  free(a);
}

/* Slices of the inner dimension, added one after the other, are the product. */
static void inPasses(void **state) {
  (void)state;
  static const sizes cases[] = {{5, 7, 9, TEXLA_NO_TRANSPOSE, TEXLA_NO_TRANSPOSE, 1, 0},
                                {33, 18, 70, TEXLA_TRANSPOSE, TEXLA_NO_TRANSPOSE, -2, 1},
                                {16, 31, 64, TEXLA_TRANSPOSE, TEXLA_TRANSPOSE, 1, .5f},
                                {1, 1, 1, TEXLA_NO_TRANSPOSE, TEXLA_TRANSPOSE, 1, 0}};
  static const int passes[] = {1, 2, 3, 1000};
  for (int t = 0; t < 16; t++) {
    const sizes *s = &cases[t / 4];
    int a_size[] = {s->m, s->k}, b_size[] = {s->k, s->n};
    swapIf(s->a_op == TEXLA_TRANSPOSE, &a_size[0], &a_size[1]);
    swapIf(s->b_op == TEXLA_TRANSPOSE, &b_size[0], &b_size[1]);
    float *a = oracleRandom(s->m * s->k, 1), *b = oracleRandom(s->k * s->n, 2),
          *c = oracleRandom(s->m * s->n, 3);
    clDense *A = denseUpload(context, a, a_size[0], a_size[1]),
            *B = denseUpload(context, b, b_size[0], b_size[1]),
            *C = denseUpload(context, c, s->m, s->n);
    double *expected = multiplyOnHost(s, a, b, c, false), *scale = multiplyOnHost(s, a, b, c, true);
    CHECK(clDenseMultiplyPasses(C, s->alpha, s->a_op, A, s->b_op, B, s->beta, passes[t % 4]));
    assertProduct(s, C, expected, scale, passes[t % 4]);
    clDenseDestroy(A), clDenseDestroy(B), clDenseDestroy(C);
    free(a), free(b), free(c), free(expected), free(scale);
  }
  clDense *A = NULL, *wide = NULL;
  CHECK(clDenseCreate(&A, context, 4, 4));
  CHECK(clDenseCreate(&wide, context, 4, 6));
  const clTranspose no = TEXLA_NO_TRANSPOSE;
  assertFails(context, clDenseMultiplyPasses(A, 1, no, A, no, A, 0, 2), TEXLA_BAD_ARGUMENT,
              "C neither A nor B");
  assertFails(context, clDenseMultiplyPasses(wide, 1, no, A, no, wide, 0, 0), TEXLA_BAD_ARGUMENT,
              "passes (0)");
  assertFails(context, clDenseMultiplyPasses(A, 1, no, wide, no, wide, 0, 2), TEXLA_BAD_SHAPE,
              "clDenseMultiplyPasses");
  clDenseDestroy(A), clDenseDestroy(wide);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAllSmallShapes),
      cmocka_unit_test(testAllVariantsAndOps),
      cmocka_unit_test(testFactors),
      cmocka_unit_test(testLargerSizes),
      cmocka_unit_test(testIntegersMultiplyExactly),
      cmocka_unit_test(testAliases),
      cmocka_unit_test(testBetaZeroForgetsC),
      cmocka_unit_test(testUpdatesBlocks),
      cmocka_unit_test(testRefusesWrongOperands),
      cmocka_unit_test(inPasses),
  };
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
