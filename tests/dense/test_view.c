/* Views: products, triangular solves and copies on blocks, against loops in double on the host;
 * what is refused. */

#include "dense.h"
#include "oracle/vector.h"

#include "one_context.h"

enum { N = 23 };
static const double TOLERANCE = 2e-5;
static float a[N * N], b[N * N], c[N * N], got[N * N];

static void refill(uint64_t seed) {
  oracleFill(a, N * N, seed, -1, 1);
  oracleFill(b, N * N, seed + 1, -1, 1);
  oracleFill(c, N * N, seed + 2, -1, 1);
}

static double at(const float *values, clTranspose op, int row, int col, int i, int j) {
  bool turned = op == TEXLA_TRANSPOSE;
  return (double)values[row * N + col + placeIn(turned, N, i, j)];
}

/* Inside of the block `wanted` (rows x cols), outside of it `old`, exactly. */
static void assertBlock(const clDense *C, const float *old, int row, int col, int rows, int cols,
                        const double *wanted) {
  CHECK(clDenseDownload(C, got, N));
  assertZeroPadding(C);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      bool inside = i >= row && i < row + rows && j >= col && j < col + cols;
      double v = (double)got[i * N + j];
      double w = inside ? wanted[(i - row) * cols + j - col] : (double)old[i * N + j];
      if (!(fabs(v - w) <= (inside ? TOLERANCE : 0)))
        fail_msg("entry (%d, %d) is %g, not %g", i, j, v, w);
    }
}

static clDenseView viewOf(const clDense *A, clTranspose op, int row, int col, int rows, int cols) {
  bool turned = op == TEXLA_TRANSPOSE;
  swapIf(turned, &rows, &cols);
  return clDenseViewBlock(A, row, col, rows, cols);
}

typedef struct place {
  int row, col;
} place;

/* C[at] <- alpha op(A)[at] op(B)[at] + beta C[at], m x n with inner dimension k; *C may be A or B,
 * then the values are theirs. */
static void checkProduct(const clDense *A, const clDense *B, clDense *C, const float *old, place pa,
                         place pb, place pc, int m, int n, int k, int ops, float alpha,
                         float beta) {
  clTranspose a_op = ops & 1 ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  clTranspose b_op = ops & 2 ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  const float *a_values = A == C ? c : a;
  const float *b_values = B == C ? c : b;
  double wanted[N * N];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += at(a_values, a_op, pa.row, pa.col, i, l) * at(b_values, b_op, pb.row, pb.col, l, j);
      wanted[i * n + j] =
          (double)alpha * sum + (double)beta * at(old, TEXLA_NO_TRANSPOSE, pc.row, pc.col, i, j);
    }
  CHECK(clDenseViewMultiply(clDenseViewBlock(C, pc.row, pc.col, m, n), alpha, a_op,
                            viewOf(A, a_op, pa.row, pa.col, m, k), b_op,
                            viewOf(B, b_op, pb.row, pb.col, k, n), beta));
  assertBlock(C, old, pc.row, pc.col, m, n, wanted);
}

static void testProducts(void **state) {
  static const int sizes[][3] = {{4, 6, 8}, {1, 1, 1}, {5, 3, 7}, {6, 5, 4}, {13, 2, 13}};
  static const place places[] = {{0, 0}, {2, 4}, {1, 0}, {0, 3}, {5, 7}, {8, 10}};
  static const float betas[] = {0, 1, -0.5f};
  for (int s = 0; s < 5; s++)
    for (int p = 0; p < 36; p++) {
      refill(100 + (uint64_t)p);
      OWN(clDense) *A = denseUpload(context, a, N, N), *B = denseUpload(context, b, N, N),
                   *C = denseUpload(context, c, N, N);
      checkProduct(A, B, C, c, places[p % 6], places[p / 6], places[(p + s) % 6], sizes[s][0],
                   sizes[s][1], sizes[s][2], p % 4, 2, betas[p % 3]);
    }
}

/* Blocks up to the odd edge of the matrix, and operands that are blocks of the output's matrix,
 * overlapping it or not. */
static void testProductsThatOverlap(void **state) {
  for (int p = 0; p < 12; p++) {
    refill(200 + (uint64_t)p);
    OWN(clDense) *B = denseUpload(context, b, N, N), *C = denseUpload(context, c, N, N);
    float beta = (const float[]){0, 1, 3}[p % 3];
    if (p < 6)
      checkProduct(C, B, C, c, (place){0, 2}, (place){2, 2}, (place){10, 10}, 13, 13, 7, p % 4, -1,
                   beta);
    else
      checkProduct(C, C, C, c, (place){2, 4}, (place){4, 2}, (place){4, 4}, 8, 8, 8, p % 4, 1,
                   beta);
  }
}

/* op(T)^-1 B or B op(T)^-1 is checked by what it solves. */
static void checkTriangular(int bits, place pt, place pb, place px, int n, int k) {
  clDenseSide side = bits & 1 ? TEXLA_DENSE_RIGHT : TEXLA_DENSE_LEFT;
  clTriangle triangle = bits & 2 ? TEXLA_TRIANGLE_UPPER : TEXLA_TRIANGLE_LOWER;
  clTranspose op = bits & 4 ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  bool unit = bits & 8, left = side == TEXLA_DENSE_LEFT, lower = triangle == TEXLA_TRIANGLE_LOWER;
  int rows = k, cols = n;
  swapIf(left, &rows, &cols);
  refill(300 + (uint64_t)bits);
  for (int i = 0; i < N * N; i++)
    a[i] *= 0.25f;
  for (int i = 0; i < n; i++)
    a[(pt.row + i) * N + pt.col + i] += 2;
  OWN(clDense) *T = denseUpload(context, a, N, N), *B = denseUpload(context, b, N, N),
               *X = denseUpload(context, c, N, N);
  CHECK(clDenseViewTriangularSolve(clDenseViewBlock(X, px.row, px.col, rows, cols), side, triangle,
                                   unit, op, -3, clDenseViewBlock(T, pt.row, pt.col, n, n),
                                   clDenseViewBlock(B, pb.row, pb.col, rows, cols)));
  CHECK(clDenseDownload(X, got, N));
  assertZeroPadding(X);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      double sum = 3 * (double)b[(pb.row + i) * N + pb.col + j];
      for (int l = 0; l < n; l++) {
        /* entry (r, s) of op(T) */
        int r = l, s = j;
        if (left)
          r = i, s = l;
        swapIf(op == TEXLA_TRANSPOSE, &r, &s);
        double t = 0;
        if (lower ? r >= s : r <= s)
          t = (double)a[(pt.row + r) * N + pt.col + s];
        if (r == s && unit)
          t = 1;
        int row = i, col = l;
        if (left)
          row = l, col = j;
        sum += t * (double)got[(px.row + row) * N + px.col + col];
      }
      if (!(fabs(sum) <= TOLERANCE))
        fail_msg("bits %d, n = %d, k = %d: residual %g at (%d, %d)", bits, n, k, sum, i, j);
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (i < px.row || i >= px.row + rows || j < px.col || j >= px.col + cols)
        assert_true(got[i * N + j] == c[i * N + j]);
}

static void testTriangularSolves(void **state) {
  for (int bits = 0; bits < 16; bits++) {
    checkTriangular(bits, (place){0, 0}, (place){0, 0}, (place){0, 0}, N, N);
    checkTriangular(bits, (place){2, 4}, (place){4, 0}, (place){0, 2}, 8, 6);
    checkTriangular(bits, (place){1, 3}, (place){5, 0}, (place){3, 8}, 7, 5);
  }
}

/* What does not count is not read: a zero on a unit diagonal, the other triangle; with alpha = 0,
 * nothing. */
static void testWhatIsNotRead(void **state) {
  static const float t[] = {0, INFINITY, 2, 0}, one[] = {1, 1};
  OWN(clDense) *T = NULL, *B = denseUpload(context, one, 2, 1);
  float x[2];
  CHECK(clDenseCreate(&T, context, 2, 2));
  /* as an overflow on the device leaves it */
  CHECK(txTextureWrite(T->texture, "test", (txRect){0, 0, 1, 1}, t));
  CHECK(clDenseTriangularSolve(B, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, true, TEXLA_NO_TRANSPOSE,
                               1, T, B));
  CHECK(clDenseDownload(B, x, 1));
  assert_true(x[0] == 1 && x[1] == -1);
  CHECK(clDenseMultiply(T, 0, TEXLA_NO_TRANSPOSE, T, TEXLA_NO_TRANSPOSE, T, 0));
  assertZeroPadding(T);
  float zero[4];
  CHECK(clDenseDownload(T, zero, 2));
  assert_true(zero[0] == 0 && zero[1] == 0 && zero[2] == 0 && zero[3] == 0);
  CHECK(txTextureWrite(T->texture, "test", (txRect){0, 0, 1, 1}, t));
  CHECK(clDenseMultiply(B, 0, TEXLA_NO_TRANSPOSE, T, TEXLA_NO_TRANSPOSE, B, -2));
  CHECK(clDenseDownload(B, x, 1));
  assert_true(x[0] == -2 && x[1] == 2);
}

static void testMemoryOfProducts(void **state) {
  enum { SIZE = 512 };
  OWN(clDense) *A = NULL, *B = NULL, *C = NULL;
  CHECK(clDenseCreate(&A, context, SIZE, 4));
  CHECK(clDenseCreate(&B, context, 4, SIZE));
  CHECK(clDenseCreate(&C, context, SIZE, SIZE));
  CHECK(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0));
  const txTexture *texture = C->texture;
  CHECK(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0));
  /* where nothing aliases, the product is rendered into C */
  assert_ptr_equal(texture, C->texture);
  CHECK(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 1));
  assert_ptr_equal(texture, C->texture);
}

static clVector *vectorOf(const float *values, int n, bool grid) {
  clVector *x = NULL;
  if (grid)
    CHECK(clVectorCreateGrid(&x, context, n, 1));
  else
    CHECK(clVectorCreate(&x, context, n));
  CHECK(clVectorUpload(x, values));
  return x;
}

/* gemv and ger on blocks, with vectors of both layouts. */
static void testVectors(void **state) {
  for (int p = 0; p < 16; p++) {
    refill(400 + (uint64_t)p);
    clTranspose op = p & 1 ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
    int row = (p >> 1 & 1) * 3, col = 1 + (p >> 2 & 1) * 3, m = 9, n = 7 + p % 3, rows = m,
        cols = n;
    swapIf(p & 1, &rows, &cols);
    float beta = p & 8 ? -0.5f : 0;
    OWN(clDense) *A = denseUpload(context, a, N, N);
    clDenseView V = clDenseViewBlock(A, row, col, m, n);
    OWN(clVector) *x = vectorOf(b, cols, p % 3 == 0), *y = vectorOf(c, rows, p % 3 == 1);
    CHECK(clDenseViewMulVector(y, 2, op, V, x, beta));
    CHECK(clVectorDownload(y, got));
    for (int i = 0; i < rows; i++) {
      double sum = (double)beta * (double)c[i];
      for (int j = 0; j < cols; j++)
        sum += 2 * at(a, op, row, col, i, j) * (double)b[j];
      assert_true(fabs(sum - (double)got[i]) <= TOLERANCE);
    }
    double wanted[N * N];
    /* m and n elements */
    clVector *const of[] = {y, x};
    const float *const values[] = {c, b};
    CHECK(clVectorUpload(y, c));
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        wanted[i * n + j] = (double)a[(row + i) * N + col + j] -
                            3 * (double)values[p & 1][i] * (double)values[!(p & 1)][j];
    CHECK(clDenseViewAddOuter(V, -3, of[p & 1], of[!(p & 1)]));
    assertBlock(A, a, row, col, m, n, wanted);
  }
}

/* Rows and columns as vectors, there and back. */
static void testRowsAndColumns(void **state) {
  refill(500);
  OWN(clDense) *A = denseUpload(context, a, N, N);
  OWN(clVector) *x = vectorOf(b, N, false), *y = vectorOf(b, N, true), *z = vectorOf(c, 6, false);
  CHECK(clDenseViewToVector(x, clDenseViewBlock(A, 5, 0, 1, N)));
  CHECK(clVectorDownload(x, got));
  for (int j = 0; j < N; j++)
    assert_true(got[j] == a[5 * N + j]);
  CHECK(clDenseViewToVector(y, clDenseViewBlock(A, 0, 8, N, 1)));
  CHECK(clVectorDownload(y, got));
  for (int i = 0; i < N; i++)
    assert_true(got[i] == a[i * N + 8]);
  CHECK(clDenseViewFromVector(clDenseViewBlock(A, 7, 3, 1, 6), z));
  CHECK(clDenseViewFromVector(clDenseViewBlock(A, 10, 20, 3, 2), z));
  for (int k = 0; k < 6; k++)
    a[7 * N + 3 + k] = a[(10 + k % 3) * N + 20 + k / 3] = c[k];
  assertBlock(A, a, 0, 0, 0, 0, NULL);
  assertFails(context, clDenseViewToVector(x, clDenseViewBlock(A, 0, 0, 2, N)), TEXLA_BAD_SHAPE,
              "need 46");
  assertFails(context, clDenseViewFromVector(clDenseViewBlock(A, 0, 0, 1, N), NULL),
              TEXLA_BAD_ARGUMENT, "x must");
  assertFails(context, clDenseViewMulVector(x, 1, TEXLA_NO_TRANSPOSE, clDenseViewAll(A), z, 0),
              TEXLA_BAD_SHAPE, "x has 6 elements (need 23)");
  assertFails(context, clDenseViewAddOuter(clDenseViewAll(A), 1, z, x), TEXLA_BAD_SHAPE, "x has 6");
}

/* Entries at one position are summed; a sum that overflows is refused as a value is. */
static void testTripletsThatOverflow(void **state) {
  clTriplets *T = NULL;
  OWN(clDense) *A = denseUpload(context, a, 4, 4);
  CHECK(clTripletsCreate(&T, 4, 4, 2, NULL));
  CHECK(clTripletsAdd(T, 2, 1, 3e38, NULL));
  CHECK(clTripletsAdd(T, 2, 1, 3e38, NULL));
  assertFails(context, clDenseUploadTriplets(A, T), TEXLA_NOT_FINITE, "(3, 2)");
  clTripletsDestroy(T);
  T = NULL;
  CHECK(clDenseFill(A, 3e38f));
  CHECK(clDenseAdd(A, 2, A, 0, A));
  assertFails(context, clDenseDownloadTriplets(&T, A), TEXLA_NOT_FINITE, "(1, 1)");
  assert_null(T);
}

static void testBadInput(void **state) {
  OWN(clContext) *other = testContextWith((clContextOptions){0});
  OWN(clDense) *A = denseUpload(context, a, 4, 4), *F = denseUpload(other, a, 4, 4);
  clDenseView all = clDenseViewAll(A), none = clDenseViewAll(NULL);
  assertFails(context, clDenseViewCopy(all, TEXLA_NO_TRANSPOSE, clDenseViewBlock(A, 1, 0, 4, 4)),
              TEXLA_BAD_SHAPE, "A, 4 x 4 from row 1 and column 0");
  assertFails(context, clDenseViewCopy(clDenseViewBlock(A, 0, 0, 0, 4), TEXLA_NO_TRANSPOSE, all),
              TEXLA_BAD_SHAPE, "empty");
  assertFails(context,
              clDenseViewCopy(clDenseViewBlock(A, 2, 2, INT32_MAX, 1), TEXLA_NO_TRANSPOSE, all),
              TEXLA_BAD_SHAPE, "outside");
  assertFails(context,
              clDenseViewCopy(clDenseViewBlock(A, 0, 0, 2, 3), TEXLA_TRANSPOSE,
                              clDenseViewBlock(A, 0, 0, 2, 3)),
              TEXLA_BAD_SHAPE, "2 x 3 but that of op(A) 3 x 2");
  assertFails(context, clDenseViewCopy(all, (clTranspose)2, all), TEXLA_BAD_ARGUMENT, "op is 2");
  assertFails(context, clDenseViewCopy(none, TEXLA_NO_TRANSPOSE, all), TEXLA_BAD_ARGUMENT,
              "C must not be NULL");
  assertFails(context,
              clDenseViewMultiply(all, 1, (clTranspose)-1, all, TEXLA_NO_TRANSPOSE, all, 0),
              TEXLA_BAD_ARGUMENT, "op is -1");
  assertFails(context,
              clDenseViewMultiply(all, NAN, TEXLA_NO_TRANSPOSE, all, TEXLA_NO_TRANSPOSE, all, 0),
              TEXLA_NOT_FINITE, "alpha");
  /* in the context of the output, not in the foreign operand's */
  assertFails(context, clDenseMultiply(A, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, F, 0),
              TEXLA_FOREIGN_CONTEXT, "clDenseMultiply");
  assertFails(context, clDenseAdd(A, 1, A, 1, F), TEXLA_FOREIGN_CONTEXT, "clDenseAdd");
  assertFails(context, clDenseAdd(A, INFINITY, A, 1, A), TEXLA_NOT_FINITE, "factor a");
  assert_string_equal(clContextError(other)->message, "");
  assertFails(context,
              clDenseTriangularSolve(A, (clDenseSide)5, TEXLA_TRIANGLE_LOWER, true,
                                     TEXLA_NO_TRANSPOSE, 1, A, A),
              TEXLA_BAD_ARGUMENT, "side (5)");
  assertFails(
      context,
      clDenseTriangularSolve(A, TEXLA_DENSE_LEFT, (clTriangle)5, true, TEXLA_NO_TRANSPOSE, 1, A, A),
      TEXLA_BAD_ARGUMENT, "triangle (5)");
  assertFails(context, clDenseTriangle(A, (clTriangle)5, true, A), TEXLA_BAD_ARGUMENT,
              "triangle is 5");
  assertFails(context,
              clDenseViewTriangularSolve(clDenseViewBlock(A, 0, 0, 2, 3), TEXLA_DENSE_RIGHT,
                                         TEXLA_TRIANGLE_LOWER, true, TEXLA_NO_TRANSPOSE, 1,
                                         clDenseViewBlock(A, 0, 0, 2, 2),
                                         clDenseViewBlock(A, 0, 0, 2, 3)),
              TEXLA_BAD_SHAPE, "k x n");
}

TEST_MAIN(setUp, testContextDestroy, testProducts, testProductsThatOverlap, testTriangularSolves,
          testWhatIsNotRead, testMemoryOfProducts, testVectors, testRowsAndColumns,
          testTripletsThatOverflow, testBadInput)
