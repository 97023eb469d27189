/* gemv and ger on long and wide blocks, against sums in double; a clMatrix that reads a clDense,
 * and a solver on it. */

#include "dense.h"
#include "oracle/vector.h"
#include "texla/texla.h"

#include "one_context.h"

/* of a rows x cols matrix */
typedef struct Block {
  int rows, cols, row, col, m, n;
} Block;
static const Block blocks[] = {
    {1, 1, 0, 0, 1, 1},         {5, 3, 0, 0, 5, 3},         {4101, 70, 0, 0, 4101, 70},
    {70, 4101, 0, 0, 70, 4101}, {90, 81, 2, 4, 80, 66},     {90, 81, 2, 4, 88, 77},
    {90, 81, 1, 3, 61, 50},     {9000, 19, 4, 2, 8996, 14}, {19, 9000, 4, 2, 14, 8996}};

static clVector *vectorOf(const float *values, int n) {
  clVector *x = NULL;
  CHECK(clVectorCreate(&x, context, n));
  CHECK(clVectorUpload(x, values));
  return x;
}

/* |got - exact| <= a few roundings of the sum of magnitudes, which is at most n */
static void assertNear(const char *what, int n, const float *got, const double *exact, int terms) {
  for (int i = 0; i < n; i++)
    if (!(fabs((double)got[i] - exact[i]) <= 8 * sqrt((double)terms + 1) * (double)FLT_EPSILON * 4))
      fail_msg("%s: element %d is %g, not %g", what, i, (double)got[i], exact[i]);
}

static float *valuesOf(const Block *b, uint64_t seed) {
  float *values = malloc((size_t)b->rows * (size_t)b->cols * sizeof *values);
  assert_non_null(values);
  oracleFill(values, (int64_t)b->rows * b->cols, seed, -1, 1);
  return values;
}

/* NaN everywhere but in the block, which a product must not meet. It gets into a matrix by
 * arithmetic only. */
static clDense *matrixOf(const Block *b, const float *values) {
  clDense *A = NULL, *inner = NULL;
  CHECK(clDenseCreate(&A, context, b->rows, b->cols));
  CHECK(clDenseFill(A, 3e38f));
  CHECK(clDenseAdd(A, 2, A, 0, A));
  CHECK(clDenseAdd(A, 1, A, -1, A));
  CHECK(clDenseCreate(&inner, context, b->m, b->n));
  CHECK(clDenseUpload(inner, values + (int64_t)b->row * b->cols + b->col, b->cols));
  CHECK(clDenseViewCopy(clDenseViewBlock(A, b->row, b->col, b->m, b->n), TEXLA_NO_TRANSPOSE,
                        clDenseViewAll(inner)));
  clDenseDestroy(inner);
  return A;
}

static void product(double *exact, const Block *b, const float *values, bool turned, const float *x,
                    double alpha, double beta, const float *y) {
  int rows = b->m, cols = b->n;
  swapIf(turned, &rows, &cols);
  const float *block = values + (int64_t)b->row * b->cols + b->col;
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < cols; j++)
      sum += (double)block[placeIn(turned, b->cols, i, j)] * (double)x[j];
    exact[i] = alpha * sum + beta * (double)y[i];
  }
}

/* As clDense sees it, and as the clMatrix that wraps it. */
static void checkBlock(const Block *b, bool turned) {
  int rows = b->m, cols = b->n;
  swapIf(turned, &rows, &cols);
  FREED float *values = valuesOf(b, 5), *xs = oracleRandom(cols, 6), *ys = oracleRandom(rows, 7),
              *got = oracleRandom(rows, 8);
  FREED double *exact = malloc((size_t)rows * sizeof *exact);
  clTranspose op = turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  OWN(clDense) *A = matrixOf(b, values);
  clDenseView V = clDenseViewBlock(A, b->row, b->col, b->m, b->n);
  OWN(clVector) *x = vectorOf(xs, cols), *y = vectorOf(ys, rows), *z = vectorOf(ys, rows);
  OWN(clMatrix) *M = NULL;
  assert_non_null(exact);
  product(exact, b, values, turned, xs, 0.5, -0.25, ys);
  CHECK(clDenseViewMulVector(y, 0.5f, op, V, x, -0.25f));
  CHECK(clVectorDownload(y, got));
  assertNear("gemv", rows, got, exact, cols);
  int64_t used = (int64_t)clContextStatistics(context).bytes_used;
  CHECK(clMatrixFromDense(&M, V));
  /* no copy */
  assert_int_equal(clContextStatistics(context).bytes_used, used);
  product(exact, b, values, turned, xs, -1, 1, ys);
  CHECK(clMatrixVectorOp(z, TEXLA_OP_B_MINUS_AX, M, op, x, z));
  CHECK(clVectorDownload(z, got));
  assertNear(clMatrixDescription(M), rows, got, exact, cols);
}

static void testProducts(void **state) {
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    checkBlock(&blocks[k], false);
    checkBlock(&blocks[k], true);
  }
}

static void testOuterProducts(void **state) {
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    const Block *b = &blocks[k];
    FREED float *values = valuesOf(b, 9), *xs = oracleRandom(b->m, 10),
                *ys = oracleRandom(b->n, 11);
    OWN(clDense) *A = denseUpload(context, values, b->rows, b->cols);
    OWN(clVector) *x = vectorOf(xs, b->m), *y = vectorOf(ys, b->n);
    CHECK(clDenseViewAddOuter(clDenseViewBlock(A, b->row, b->col, b->m, b->n), 2, x, y));
    assertZeroPadding(A);
    FREED float *got = malloc((size_t)b->rows * (size_t)b->cols * sizeof *got);
    assert_non_null(got);
    CHECK(clDenseDownload(A, got, b->cols));
    for (int i = 0; i < b->rows; i++)
      for (int j = 0; j < b->cols; j++) {
        int p = i - b->row, q = j - b->col;
        bool inside = p >= 0 && p < b->m && q >= 0 && q < b->n;
        double old = (double)values[(int64_t)i * b->cols + j];
        double exact = inside ? old + 2 * (double)xs[p] * (double)ys[q] : old;
        assert_true(fabs((double)got[(int64_t)i * b->cols + j] - exact) <= (inside ? 6e-7 : 0));
      }
  }
}

/* The padding stays zero whatever the vectors hold; factors must be numbers; with alpha = 0 nothing
 * is read. */
static void testEdges(void **state) {
  float three[] = {INFINITY, 1, 2}, got[3];
  OWN(clDense) *A = NULL;
  CHECK(clDenseCreate(&A, context, 3, 3));
  OWN(clVector) *x = vectorOf(three, 3), *y = vectorOf((float[]){1, 2, 3}, 3);
  assertFails(context, clDenseViewAddOuter(clDenseViewAll(A), NAN, y, y), TEXLA_NOT_FINITE,
              "alpha");
  assertFails(context,
              clDenseViewMulVector(y, 1, TEXLA_NO_TRANSPOSE, clDenseViewAll(A), y, INFINITY),
              TEXLA_NOT_FINITE, "beta");
  CHECK(clDenseViewAddOuter(clDenseViewAll(A), 0, x, x));
  CHECK(clDenseViewMulVector(y, 0, TEXLA_NO_TRANSPOSE, clDenseViewAll(A), x, 2));
  CHECK(clVectorDownload(y, got));
  for (int i = 0; i < 3; i++)
    assert_true(got[i] == 2.f * (float)(i + 1));
  CHECK(clDenseViewAddOuter(clDenseViewAll(A), 1, x, y));
  assertZeroPadding(A);
}

/* cg with jacobi on a clDense: a diagonally dominant matrix, of which a block in the middle is
 * solved. */
static void testSolver(void **state) {
  enum { N = 130, FROM = 2, PART = 120 };
  static float values[N * N], got[PART], ones[PART];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      values[i * N + j] = i == j ? 4.f + (float)i : 1.f / (float)(1 + (i - j) * (i - j));
  for (int i = 0; i < PART; i++)
    ones[i] = 1;
  OWN(clDense) *A = denseUpload(context, values, N, N);
  OWN(clMatrix) *M = NULL;
  clSolver *solver = NULL;
  clSolverReport report;
  CHECK(clMatrixFromDense(&M, clDenseViewBlock(A, FROM, FROM, PART, PART)));
  OWN(clVector) *x = vectorOf(ones, PART), *b = vectorOf(ones, PART), *d = vectorOf(ones, PART);
  CHECK(clMatrixDiagonal(d, M));
  CHECK(clVectorDownload(d, got));
  for (int i = 0; i < PART; i++)
    assert_true(got[i] == 4.f + (float)(i + FROM));
  CHECK(clMatrixVectorOp(b, TEXLA_OP_AX, M, TEXLA_NO_TRANSPOSE, x, NULL));
  CHECK(clVectorClear(x));
  clSolverOptions o = {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_JACOBI};
  CHECK(clSolverCreate(&solver, M, &o));
  CHECK(clSolverSolve(solver, x, b, &report));
  CHECK(clVectorDownload(x, got));
  for (int i = 0; i < PART; i++)
    assert_true(fabs((double)got[i] - 1) < 1e-4);
  clSolverDestroy(solver);
  o.columns = 4;
  assertFails(context, clSolverCreate(&solver, M, &o), TEXLA_UNSUPPORTED,
              "one right-hand side at a time");
}

static void testBadInput(void **state) {
  OWN(clDense) *A = NULL, *packed = NULL;
  clMatrix *M = NULL;
  CHECK(clDenseCreate(&A, context, 4, 4));
  CHECK(clDenseCreateWithPacking(&packed, context, 4, 4, TEXLA_PACKING_4X1));
  assertFails(context, clMatrixFromDense(NULL, clDenseViewAll(A)), TEXLA_BAD_ARGUMENT, "out");
  assertFails(context, clMatrixFromDense(&M, clDenseViewAll(packed)), TEXLA_UNSUPPORTED, "2x2");
  assertFails(context, clMatrixFromDense(&M, clDenseViewBlock(A, 2, 2, 3, 1)), TEXLA_BAD_SHAPE,
              "outside");
  assert_null(M);
}

TEST_MAIN(setUp, testContextDestroy, testProducts, testOuterProducts, testEdges, testSolver,
          testBadInput)
