/* Triangular solves against substitution in double: every triangle, diagonal and op, any shape. */
#include "dense.h"

#include "dense/triangular.h"
#include "oracle/vector.h"

/* |b - op(T) x| <= FACTOR n EPSILON |op(T)| |x| */
static const double EPSILON = 1.2e-7, FACTOR = 4;

typedef struct kind {
  clTriangle triangle;
  bool unit;
  clTranspose op;
} kind;

/* Entry (i, j) of op(T), where only the triangle and, with `unit`, only what is off the diagonal
 * counts. */
static double entry(const kind *k, const float *t, int n, int i, int j) {
  int row = i, col = j;
  swapIf(k->op == TEXLA_TRANSPOSE, &row, &col);
  if (row == col && k->unit)
    return 1;
  bool kept = k->triangle == TEXLA_TRIANGLE_LOWER ? row >= col : row <= col;
  return kept ? (double)t[row * n + col] : 0;
}

static void assertSolved(const kind *k, const float *t, const float *x, const float *b, int n,
                         int m) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < m; c++) {
      double residual = (double)b[i * m + c], size = fabs(residual);
      for (int j = 0; j < n; j++) {
        double term = entry(k, t, n, i, j) * (double)x[j * m + c];
        residual -= term;
        size += fabs(term);
      }
      if (!(fabs(residual) <= FACTOR * n * EPSILON * size))
        fail_msg("n = %d, m = %d: residual %g of %g at (%d, %d)", n, m, residual, size, i, c);
    }
}

static void solveCase(clContext *context, const kind *k, int n, int m) {
  FREED float *t = oracleRandom(n * n, (uint32_t)(n + m)), *b = oracleRandom(n * m, 7u),
              *x = malloc((size_t)(n * m) * sizeof *x);
  for (int i = 0; i < n * n; i++)
    t[i] *= i % (n + 1) ? 2.0f / (float)n : 1;
  for (int i = 0; i < n; i++)
    t[i * (n + 1)] += t[i * (n + 1)] < 0 ? -1.0f : 1.0f;
  OWN(clDense) *T = denseUpload(context, t, n, n), *B = denseUpload(context, b, n, m), *X = NULL;
  assertOk(context, clDenseCreateLike(&X, B));
  assertOk(context,
           clDenseTriangularSolve(X, TEXLA_DENSE_LEFT, k->triangle, k->unit, k->op, 1, T, B));
  assertZeroPadding(X);
  assertOk(context, clDenseDownload(X, x, m));
  assertSolved(k, t, x, b, n, m);
  /* in place */
  assertOk(context,
           clDenseTriangularSolve(B, TEXLA_DENSE_LEFT, k->triangle, k->unit, k->op, 1, T, B));
  FREED float *y = malloc((size_t)(n * m) * sizeof *y);
  assertOk(context, clDenseDownload(B, y, m));
  assert_memory_equal(x, y, (size_t)(n * m) * sizeof *x);
}

static void testShapes(void **state) {
  static const int sizes[] = {1, 2, 3, 5, 8, 31, 32, 33, 34, 63, 65, 67, 100, 257};
  static const int columns[] = {1, 2, 7, 40};
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
    for (int i = 0; i < 8; i++)
      solveCase(*state, &(kind){(clTriangle)(i & 1), i & 2, (clTranspose)(i >> 2)}, sizes[s],
                columns[(s + i) % 4]);
}

static void testZeroDiagonal(void **state) {
  clContext *context = *state;
  float t[9] = {1, 5, 5, 5, 0, 5, 5, 5, 2}, b[3] = {1, 2, 3}, x[3] = {0};
  OWN(clDense) *T = denseUpload(context, t, 3, 3), *B = denseUpload(context, b, 3, 1);
  assertFails(context,
              clDenseTriangularSolve(B, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, false,
                                     TEXLA_NO_TRANSPOSE, 1, T, B),
              TEXLA_SINGULAR, "(2, 2)");
  assertOk(context, clDenseDownload(B, x, 1));
  assert_memory_equal(x, b, sizeof x);
  assertOk(context, clDenseTriangularSolve(B, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, true,
                                           TEXLA_NO_TRANSPOSE, 1, T, B));
}

static void testBadShapes(void **state) {
  clContext *context = *state;
  float v[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  OWN(clDense) *T = denseUpload(context, v, 3, 3), *B = denseUpload(context, v, 2, 3),
               *W = denseUpload(context, v, 3, 4);
  assertFails(context,
              clDenseTriangularSolve(B, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, true,
                                     TEXLA_NO_TRANSPOSE, 1, T, B),
              TEXLA_BAD_SHAPE, "3 x 3");
  assertFails(context,
              clDenseTriangularSolve(W, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, true,
                                     TEXLA_NO_TRANSPOSE, 1, W, W),
              TEXLA_BAD_SHAPE, "3 x 4");
  assertFails(context,
              clDenseTriangularSolve(W, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, true,
                                     TEXLA_NO_TRANSPOSE, 1, NULL, W),
              TEXLA_BAD_ARGUMENT, "T");
}

TEST_MAIN(testContextCreate, testContextDestroy, testShapes, testZeroDiagonal, testBadShapes)
