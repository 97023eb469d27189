/* Many small products in one pass or two, against loops in double. */

#include "dense.h"
#include "oracle/vector.h"

#include "gl/tuning.h"
#include "one_context.h"

typedef struct shape {
  int down, across, m, n, k;
  clTranspose a_op, b_op;
  float alpha, beta;
  int variant;
} shape;

static uint32_t seed = 1;

/* Entry (i, j) of block (p, q) of a matrix whose blocks are rows x cols, or of the transposed
 * block. */
static double entry(const float *values, int across, int rows, int cols, clTranspose op, int p,
                    int q, int i, int j) {
  int row = i, col = j;
  swapIf(op == TEXLA_TRANSPOSE, &row, &col);
  return (double)values[(int64_t)(p * rows + row) * across * cols + q * cols + col];
}

static void runCase(const shape *s) {
  bool at = s->a_op == TEXLA_TRANSPOSE, bt = s->b_op == TEXLA_TRANSPOSE;
  int ar = s->m, ac = s->k, br = s->k, bc = s->n;
  swapIf(at, &ar, &ac);
  swapIf(bt, &br, &bc);
  int count = s->down * s->across, rows = s->down * s->m, cols = s->across * s->n;
  FREED float *a = oracleRandom(count * ar * ac, seed++),
              *b = oracleRandom(count * br * bc, seed++),
              *c = oracleRandom(count * s->m * s->n, seed++),
              *got = malloc((size_t)(rows * cols) * sizeof *got);
  OWN(clDense) *A = denseUpload(context, a, s->down * ar, s->across * ac),
               *B = denseUpload(context, b, s->down * br, s->across * bc),
               *C = denseUpload(context, c, rows, cols);
  int64_t passes = clContextStatistics(context).passes;
  bool tiled = s->variant && s->k >= 31 && s->m % 8 == 0 && s->n % 8 == 0;
  CHECK(clDenseMultiplyBatch(C, s->alpha, s->a_op, A, s->b_op, B, s->beta, s->down, s->across));
  assert_int_equal(clContextStatistics(context).passes, passes + 1 + tiled);
  CHECK(clDenseDownload(C, got, cols));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) {
      int p = i / s->m, q = j / s->n;
      double sum = 0, size = 1;
      for (int l = 0; l < s->k; l++) {
        double term = entry(a, s->across, ar, ac, s->a_op, p, q, i % s->m, l) *
                      entry(b, s->across, br, bc, s->b_op, p, q, l, j % s->n);
        sum += term;
        size += fabs(term);
      }
      double expected = (double)s->alpha * sum + (double)s->beta * (double)c[i * cols + j];
      if (!(fabs((double)got[i * cols + j] - expected) <= (s->k + 4) * size * 0x1p-22))
        fail_msg("%d x %d blocks of %d x %d x %d, ops %d %d: entry (%d, %d) is %.9g, not %.9g",
                 s->down, s->across, s->m, s->n, s->k, (int)s->a_op, (int)s->b_op, i, j,
                 (double)got[i * cols + j], expected);
    }
  assertZeroPadding(C);
}

static void everyShape(void **state) {
  static const int sizes[][5] = {{1, 1, 3, 5, 7},    {3, 5, 2, 2, 2},    {7, 1, 4, 3, 4},
                                 {1, 9, 5, 4, 6},    {4, 4, 4, 4, 4},    {5, 3, 8, 6, 10},
                                 {2, 3, 16, 16, 16}, {3, 2, 32, 34, 36}, {2, 2, 64, 64, 64},
                                 {33, 65, 4, 4, 4},  {3, 1, 8, 24, 18},  {1, 2, 40, 8, 70},
                                 {2, 1, 16, 8, 32}};
  /* all shapes of tiles with all operands */
  for (int k = 0; k < 13; k++)
    for (int variant = 0; variant < 16; variant++) {
      int ops = variant % 4, tiles = variant / 4;
      CHECK(txTuningAdd(context, "dense.batch", tiles));
      const int *z = sizes[k];
      static const float alphas[] = {1, 1, -0.5f, 1}, betas[] = {0, 0.75f, 0, 0};
      clTranspose a_op = (clTranspose)(ops & 1), b_op = (clTranspose)(ops >> 1);
      bool odd = (z[1] > 1 && a_op && z[2] % 2) || (z[0] > 1 && b_op && z[3] % 2) || z[4] % 2;
      /* a block of an operand would not be of whole texels */
      if (odd && (z[0] > 1 || z[1] > 1))
        continue;
      runCase(&(shape){z[0], z[1], z[2], z[3], z[4], a_op, b_op, alphas[ops], betas[ops], tiles});
    }
}

/* C may be an operand; what it held does not matter with beta = 0. */
static void inPlace(void **state) {
  enum { N = 12, SIDE = 4, BLOCKS = N / SIDE };
  float a[N * N], got[N * N];
  for (int i = 0; i < N * N; i++)
    a[i] = (float)(i * 7 % 11 - 5);
  OWN(clDense) *A = denseUpload(context, a, N, N);
  CHECK(clDenseMultiplyBatch(A, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_TRANSPOSE, A, 2, BLOCKS, BLOCKS));
  CHECK(clDenseDownload(A, got, N));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 2 * a[i * N + j];
      for (int l = 0; l < SIDE; l++)
        sum += a[i * N + j / SIDE * SIDE + l] *
               a[(i / SIDE * SIDE + j % SIDE) * N + j / SIDE * SIDE + l];
      assert_true(got[i * N + j] == sum);
    }
}

static void refusals(void **state) {
  FREED float *zeros = calloc(64 * 64, sizeof *zeros);
  OWN(clDense) *A = denseUpload(context, zeros, 12, 12), *B = denseUpload(context, zeros, 12, 10),
               *one = NULL;
  CHECK(clDenseCreateWithPacking(&one, context, 12, 12, TEXLA_PACKING_1X1));
  const clTranspose op = TEXLA_NO_TRANSPOSE;
  assertFails(context, clDenseMultiplyBatch(A, 1, op, A, op, A, 0, 5, 3), TEXLA_BAD_SHAPE,
              "equal blocks do not fill");
  assertFails(context, clDenseMultiplyBatch(A, 1, op, A, op, A, 0, 4, 4), TEXLA_BAD_SHAPE,
              "must be even");
  assertFails(context, clDenseMultiplyBatch(A, 1, op, A, op, B, 0, 1, 1), TEXLA_BAD_SHAPE,
              "but those of C");
  assertFails(context, clDenseMultiplyBatch(A, 1, op, A, op, A, 0, 0, 1), TEXLA_BAD_ARGUMENT,
              "at least 1");
  assertFails(context, clDenseMultiplyBatch(A, NAN, op, A, op, A, 0, 1, 1), TEXLA_NOT_FINITE,
              "alpha");
  assertFails(context, clDenseMultiplyBatch(A, 1, op, one, op, A, 0, 1, 1), TEXLA_UNSUPPORTED,
              "packing");
  assert_int_equal(clDenseMultiplyBatch(NULL, 1, op, A, op, A, 0, 1, 1), TEXLA_BAD_ARGUMENT);
}

TEST_MAIN(setUp, testContextDestroy, everyShape, inPlace, refusals)
