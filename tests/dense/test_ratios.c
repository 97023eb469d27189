/* LAPACK's test ratios for products and triangular systems: residuals entry by entry, beside the
 * same sums of magnitudes. */
#include "ratios.h"
#include "texla/vector.h"

#include "one_context.h"

enum { PRODUCT, VIEWS, BATCH, VECTOR, OUTER, TRIANGULAR, TRIANGULAR_VIEWS, CALLS };

/* Around blocks of larger matrices: what is there must stay. */
static const double frame = 99;

/* *A <- a matrix with the rows x cols numbers at (row, col) and `frame` around them; that block. */
static clDenseView framed(clDense **A, const double *a, int rows, int cols, int row, int col) {
  int height = row + rows + 1, width = col + cols + 2;
  FREED double *all = malloc((size_t)(height * width) * sizeof *all);
  for (int k = 0; k < height * width; k++) {
    int i = k / width - row, j = k % width - col;
    bool inside = i >= 0 && i < rows && j >= 0 && j < cols;
    all[k] = inside ? a[i * cols + j] : frame;
  }
  *A = ratioUpload(context, all, height, width);
  return clDenseViewBlock(*A, row, col, rows, cols);
}

/* The block again, whose surroundings have not changed. */
static double *unframed(const clDense *A, int rows, int cols, int row, int col) {
  double *all = ratioDownload(context, A), *a = malloc((size_t)(rows * cols) * sizeof *a);
  int width = clDenseCols(A);
  for (int k = 0; k < clDenseRows(A) * width; k++) {
    int i = k / width - row, j = k % width - col;
    if (i >= 0 && i < rows && j >= 0 && j < cols)
      a[i * cols + j] = all[k];
    else
      assert_true(all[k] == frame);
  }
  free(all);
  return a;
}

/* The worst |found - wanted| over size, entry by entry; terms: of a sum. */
static double worstRatio(const double *found, const double *wanted, const double *size, int count,
                         int terms) {
  double worst = 0;
  for (int k = 0; k < count; k++) {
    double ratio = ratioOf(fabs(found[k] - wanted[k]), size[k], terms);
    worst = ratio <= worst ? worst : ratio;
  }
  return worst;
}

static double *magnitudes(const double *a, int count) {
  double *b = malloc((size_t)count * sizeof *b);
  for (int k = 0; k < count; k++)
    b[k] = fabs(a[k]);
  return b;
}

/* Rows and columns of A and B, where op(A) is m x k and op(B) k x n. */
static void operandShapes(int m, int n, int k, const bool turn[2], int *rows, int *cols) {
  rows[0] = m, cols[0] = k, rows[1] = k, cols[1] = n;
  for (int s = 0; s < 2; s++)
    swapIf(turn[s], &rows[s], &cols[s]);
}

/* C <- -0.5 op(A) op(B) + 2 C */
static double productRatio(int m, int n, int k, int ops, ratioKind kind, uint64_t *random) {
  bool turn[2] = {ops & 1, ops & 2};
  int rows[2], cols[2];
  operandShapes(m, n, k, turn, rows, cols);
  double *a = ratioMatrix(rows[0], cols[0], kind, random);
  double *b = ratioMatrix(rows[1], cols[1], RATIO_RANDOM, random);
  double *c = ratioMatrix(m, n, kind, random), *size = magnitudes(c, m * n);
  double *a_size = magnitudes(a, m * k), *b_size = magnitudes(b, k * n);
  OWN(clDense) *A = ratioUpload(context, a, rows[0], cols[0]);
  OWN(clDense) *B = ratioUpload(context, b, rows[1], cols[1]);
  OWN(clDense) *C = ratioUpload(context, c, m, n);
  clTranspose op[2];
  for (int s = 0; s < 2; s++)
    op[s] = turn[s] ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  CHECK(clDenseMultiply(C, -0.5f, op[0], A, op[1], B, 2));
  ratioMultiply(c, m, n, k, -0.5, a, turn[0], b, turn[1], 2);
  ratioMultiply(size, m, n, k, 0.5, a_size, turn[0], b_size, turn[1], 2);
  double *found = ratioDownload(context, C), ratio = worstRatio(found, c, size, m * n, k + 1);
  double *const all[] = {a, b, c, size, a_size, b_size, found};
  for (int s = 0; s < 7; s++)
    free(all[s]);
  return ratio;
}

/* The same of blocks that begin at odd and even rows and columns. */
static double viewRatio(int m, int n, int k, int ops, ratioKind kind, uint64_t *random) {
  bool turn[2] = {ops & 1, ops & 2};
  int at = (m + n + k) % 4, rows[2], cols[2];
  operandShapes(m, n, k, turn, rows, cols);
  double *a = ratioMatrix(rows[0], cols[0], kind, random);
  double *b = ratioMatrix(rows[1], cols[1], RATIO_RANDOM, random);
  double *c = ratioMatrix(m, n, kind, random), *size = magnitudes(c, m * n);
  double *a_size = magnitudes(a, m * k), *b_size = magnitudes(b, k * n);
  clDense *A, *B, *C;
  clDenseView left = framed(&A, a, rows[0], cols[0], at, 1),
              right = framed(&B, b, rows[1], cols[1], 3, at), target = framed(&C, c, m, n, 1, at);
  clTranspose op[2];
  for (int s = 0; s < 2; s++)
    op[s] = turn[s] ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  CHECK(clDenseViewMultiply(target, -0.5f, op[0], left, op[1], right, 2));
  ratioMultiply(c, m, n, k, -0.5, a, turn[0], b, turn[1], 2);
  ratioMultiply(size, m, n, k, 0.5, a_size, turn[0], b_size, turn[1], 2);
  double *found = unframed(C, m, n, 1, at), ratio = worstRatio(found, c, size, m * n, k + 1);
  double *const all[] = {a, b, c, size, a_size, b_size, found};
  for (int s = 0; s < 7; s++)
    free(all[s]);
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(C);
  return ratio;
}

/* Block (i, j) of a grid of rows x cols blocks, ACROSS to a row. */
enum { DOWN = 3, ACROSS = 2 };
static void copyBlock(double *block, const double *grid, int rows, int cols, int number) {
  int top = number / ACROSS * rows, left = number % ACROSS * cols;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      block[i * cols + j] = grid[(top + i) * ACROSS * cols + left + j];
}

/* Six products at once, each against a loop of its own: sides are even, as several need them. */
static double batchRatio(int m, int n, int k, int ops, ratioKind kind, uint64_t *random) {
  bool turn[2] = {ops & 1, ops & 2};
  int rows[3] = {[2] = m}, cols[3] = {[2] = n};
  operandShapes(m, n, k, turn, rows, cols);
  double *grid[3], *block[3], *size[3], worst = 0;
  clDense *A[3];
  clTranspose op[2];
  for (int s = 0; s < 3; s++) {
    grid[s] = ratioMatrix(DOWN * rows[s], ACROSS * cols[s], s == 1 ? RATIO_RANDOM : kind, random);
    A[s] = ratioUpload(context, grid[s], DOWN * rows[s], ACROSS * cols[s]);
    block[s] = malloc((size_t)(rows[s] * cols[s]) * sizeof **block);
  }
  for (int s = 0; s < 2; s++)
    op[s] = turn[s] ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  CHECK(clDenseMultiplyBatch(A[2], -0.5f, op[0], A[0], op[1], A[1], 2, DOWN, ACROSS));
  FREED double *found = ratioDownload(context, A[2]), *one = malloc((size_t)(m * n) * sizeof *one);
  for (int number = 0; number < DOWN * ACROSS; number++) {
    for (int s = 0; s < 3; s++) {
      copyBlock(block[s], grid[s], rows[s], cols[s], number);
      size[s] = magnitudes(block[s], rows[s] * cols[s]);
    }
    ratioMultiply(block[2], m, n, k, -0.5, block[0], turn[0], block[1], turn[1], 2);
    ratioMultiply(size[2], m, n, k, 0.5, size[0], turn[0], size[1], turn[1], 2);
    copyBlock(one, found, m, n, number);
    worst = fmax(worst, worstRatio(one, block[2], size[2], m * n, k + 1));
    for (int s = 0; s < 3; s++)
      free(size[s]);
  }
  for (int s = 0; s < 3; s++) {
    free(grid[s]);
    free(block[s]);
    clDenseDestroy(A[s]);
  }
  return worst;
}

static clVector *vectorOf(const double *x, int n) {
  clVector *v = NULL;
  FREED float *single = malloc((size_t)n * sizeof *single);
  for (int k = 0; k < n; k++)
    single[k] = (float)x[k];
  CHECK(clVectorCreate(&v, context, n));
  CHECK(clVectorUpload(v, single));
  return v;
}

/* y <- 3 op(A) x - y */
static double vectorRatio(int m, int n, bool turned, ratioKind kind, uint64_t *random) {
  int rows = m, cols = n;
  swapIf(turned, &rows, &cols);
  double *a = ratioMatrix(m, n, kind, random), *x = ratioMatrix(cols, 1, RATIO_RANDOM, random);
  double *y = ratioMatrix(rows, 1, RATIO_RANDOM, random), *size = magnitudes(y, rows);
  double *a_size = magnitudes(a, m * n), *x_size = magnitudes(x, cols);
  OWN(clDense) *A = ratioUpload(context, a, m, n);
  OWN(clVector) *X = vectorOf(x, cols), *Y = vectorOf(y, rows);
  CHECK(clDenseViewMulVector(Y, 3, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, clDenseViewAll(A),
                             X, -1));
  ratioMultiply(y, rows, 1, cols, 3, a, turned, x, false, -1);
  ratioMultiply(size, rows, 1, cols, 3, a_size, turned, x_size, false, 1);
  FREED float *single = malloc((size_t)rows * sizeof *single);
  CHECK(clVectorDownload(Y, single));
  double worst = 0;
  for (int k = 0; k < rows; k++) {
    double ratio = ratioOf(fabs((double)single[k] - y[k]), size[k], cols + 1);
    worst = ratio <= worst ? worst : ratio;
  }
  double *const all[] = {a, x, y, size, a_size, x_size};
  for (int s = 0; s < 6; s++)
    free(all[s]);
  return worst;
}

/* A <- A - 2 x y^T */
static double outerRatio(int m, int n, ratioKind kind, uint64_t *random) {
  double *a = ratioMatrix(m, n, kind, random), *size = magnitudes(a, m * n);
  double *x = ratioMatrix(m, 1, RATIO_RANDOM, random), *y = ratioMatrix(n, 1, RATIO_RANDOM, random);
  OWN(clDense) *A = ratioUpload(context, a, m, n);
  OWN(clVector) *X = vectorOf(x, m), *Y = vectorOf(y, n);
  CHECK(clDenseViewAddOuter(clDenseViewAll(A), -2, X, Y));
  for (int k = 0; k < m * n; k++) {
    a[k] -= 2 * x[k / n] * y[k % n];
    size[k] += 2 * fabs(x[k / n] * y[k % n]);
  }
  double *found = ratioDownload(context, A), ratio = worstRatio(found, a, size, m * n, 2);
  double *const all[] = {a, size, x, y, found};
  for (int s = 0; s < 5; s++)
    free(all[s]);
  return ratio;
}

/* op(T) X = B, or X op(T) = B on the right: what is left of B, beside |op(T)| |X| + |B|. Other
 * entries are divided by n, so that solutions stay within single precision. */
static double triangularRatio(int n, int columns, int choice, bool views, ratioKind kind,
                              uint64_t *random) {
  bool upper = choice & 1, turned = choice & 2, unit = choice & 4, right = choice & 8;
  int rows = n, cols = columns, count = n * columns, at = n % 3;
  swapIf(right, &rows, &cols);
  double *t = ratioMatrix(n, n, kind, random), *b = ratioMatrix(rows, cols, RATIO_RANDOM, random);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *v = &t[i * n + j];
      if (i == j)
        *v = unit ? 1 : *v;
      else if ((j > i) != upper)
        *v = 0;
      else
        *v /= n;
      *v = (double)(float)*v;
    }
  clDenseSide side = right ? TEXLA_DENSE_RIGHT : TEXLA_DENSE_LEFT;
  clTriangle triangle = upper ? TEXLA_TRIANGLE_UPPER : TEXLA_TRIANGLE_LOWER;
  clTranspose op = turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
  clDense *T, *X;
  double *x;
  if (views) {
    clDenseView triangular = framed(&T, t, n, n, 1, at), block = framed(&X, b, rows, cols, at, 1);
    CHECK(clDenseViewTriangularSolve(block, side, triangle, unit, op, 1, triangular, block));
    x = unframed(X, rows, cols, at, 1);
  } else {
    T = ratioUpload(context, t, n, n);
    X = ratioUpload(context, b, rows, cols);
    CHECK(clDenseTriangularSolve(X, side, triangle, unit, op, 1, T, X));
    x = ratioDownload(context, X);
  }
  double *zero = calloc((size_t)count, sizeof *zero);
  double *size = magnitudes(b, count), *t_size = magnitudes(t, n * n),
         *x_size = magnitudes(x, count);
  if (right) {
    ratioMultiply(b, rows, cols, n, -1, x, false, t, turned, 1);
    ratioMultiply(size, rows, cols, n, 1, x_size, false, t_size, turned, 1);
  } else {
    ratioMultiply(b, rows, cols, n, -1, t, turned, x, false, 1);
    ratioMultiply(size, rows, cols, n, 1, t_size, turned, x_size, false, 1);
  }
  double ratio = worstRatio(b, zero, size, count, n);
  double *const all[] = {t, b, x, zero, size, t_size, x_size};
  for (int s = 0; s < 7; s++)
    free(all[s]);
  clDenseDestroy(T);
  clDenseDestroy(X);
  return ratio;
}

static void ratios(void **state) {
  static const int orders[] = {1, 2, 3, 5, 17, 32, 33, 66, 130};
  ratioTally t[CALLS] = {[PRODUCT] = {.call = "clDenseMultiply"},
                         [VIEWS] = {.call = "clDenseViewMultiply"},
                         [BATCH] = {.call = "clDenseMultiplyBatch"},
                         [VECTOR] = {.call = "clDenseViewMulVector"},
                         [OUTER] = {.call = "clDenseViewAddOuter"},
                         [TRIANGULAR] = {.call = "clDenseTriangularSolve"},
                         [TRIANGULAR_VIEWS] = {.call = "clDenseViewTriangularSolve"}};
  uint64_t random = 11;
  for (int c = 0; c < 9 * RATIO_KINDS; c++) {
    int m = orders[c / RATIO_KINDS], n = orders[(c * 5 + 2) % 9], k = orders[(c * 7 + 4) % 9];
    ratioKind kind = (ratioKind)(c % RATIO_KINDS);
    for (int ops = 0; ops < 4; ops++) {
      ratioCount(&t[PRODUCT], productRatio(m, n, k, ops, kind, &random), kind, m, n);
      ratioCount(&t[VIEWS], viewRatio(m, n, k, ops, kind, &random), kind, m, n);
      /* even sides, up to 34 */
      int even[3] = {m % 33 / 2 * 2 + 2, n % 33 / 2 * 2 + 2, k % 33 / 2 * 2 + 2};
      ratioCount(&t[BATCH], batchRatio(even[0], even[1], even[2], ops, kind, &random), kind,
                 even[0], even[1]);
    }
    for (int turned = 0; turned < 2; turned++)
      ratioCount(&t[VECTOR], vectorRatio(m, n, turned, kind, &random), kind, m, n);
    ratioCount(&t[OUTER], outerRatio(m, n, kind, &random), kind, m, n);
    /* nearly equal entries make triangles whose solutions grow without bound */
    for (int choice = 0; choice < 16 && kind < RATIO_ROWS; choice++) {
      /* a unit diagonal suits random entries alone */
      if (choice & 4 && kind != RATIO_RANDOM)
        continue;
      ratioCount(&t[TRIANGULAR], triangularRatio(m, n, choice, false, kind, &random), kind, m, n);
      ratioCount(&t[TRIANGULAR_VIEWS], triangularRatio(m, n, choice, true, kind, &random), kind, m,
                 n);
    }
  }
  ratioAssert(t, CALLS);
}

TEST_MAIN(setUp, testContextDestroy, ratios)
