/* clDense: transfer, packings, copies and what touches every entry once, against plain loops on the
 * host. */

#include "dense.h"
#include "oracle/vector.h"

#include "one_context.h"

static const double EPSILON = 1.2e-7;

enum { MOST = 70, LEAD = 80 };
static float a[MOST * LEAD], b[MOST * LEAD], got[MOST * LEAD];

static const clPacking packings[] = {TEXLA_PACKING_2X2, TEXLA_PACKING_1X1, TEXLA_PACKING_4X1,
                                     TEXLA_PACKING_1X4};

static clDense *make(int rows, int cols, clPacking packing, const float *values) {
  clDense *A = NULL;
  CHECK(clDenseCreateWithPacking(&A, context, rows, cols, packing));
  if (values)
    CHECK(clDenseUpload(A, values, LEAD));
  return A;
}

/* C equals `expected` exactly, and its padding is zero. */
static void assertDense(const clDense *C, const float *expected) {
  memset(got, 0x7f, sizeof got);
  CHECK(clDenseDownload(C, got, LEAD));
  for (int i = 0; i < clDenseRows(C); i++)
    for (int j = 0; j < clDenseCols(C); j++)
      if (got[i * LEAD + j] != expected[i * LEAD + j])
        fail_msg("entry (%d, %d) of %d x %d is %g, not %g", i, j, clDenseRows(C), clDenseCols(C),
                 (double)got[i * LEAD + j], (double)expected[i * LEAD + j]);
  assertZeroPadding(C);
}

static void testTransfersEveryShape(void **state) {
  oracleFill(a, MOST * LEAD, 1, -1, 1);
  for (int p = 0; p < 4; p++)
    for (int rows = 1; rows <= 9; rows++)
      for (int cols = 1; cols <= 9; cols++) {
        OWN(clDense) *A = make(rows, cols, packings[p], NULL);
        static const float zeros[MOST * LEAD];
        assertDense(A, zeros);
        CHECK(clDenseUpload(A, a, LEAD));
        assertDense(A, a);
        /* not written */
        assert_true(isnan(got[(rows - 1) * LEAD + cols]) || got[(rows - 1) * LEAD + cols] > 1e30f);
      }
}

static void testConvertsBetweenPackings(void **state) {
  static const int shapes[][2] = {{1, 1}, {1, 7},   {7, 1},   {2, 3},  {5, 5},
                                  {8, 4}, {17, 31}, {64, 64}, {67, 66}};
  oracleFill(a, MOST * LEAD, 2, -1, 1);
  for (int s = 0; s < 9; s++)
    for (int from = 0; from < 4; from++)
      for (int to = 0; to < 4; to++) {
        OWN(clDense) *A = make(shapes[s][0], shapes[s][1], packings[from], a);
        OWN(clDense) *C = make(shapes[s][0], shapes[s][1], packings[to], b);
        CHECK(clDenseCopy(C, A));
        assertDense(C, a);
      }
}

static void testTransposes(void **state) {
  oracleFill(a, MOST * LEAD, 3, -1, 1);
  for (int rows = 1; rows <= 67; rows += rows < 6 ? 1 : 61)
    for (int cols = 1; cols <= 66; cols += cols < 6 ? 1 : 30)
      for (int p = 0; p < 16; p++) {
        OWN(clDense) *A = make(rows, cols, packings[p / 4], a),
                     *C = make(cols, rows, packings[p % 4], NULL);
        for (int i = 0; i < rows; i++)
          for (int j = 0; j < cols; j++)
            b[j * LEAD + i] = a[i * LEAD + j];
        CHECK(clDenseTranspose(C, A));
        assertDense(C, b);
      }
  OWN(clDense) *A = make(33, 33, TEXLA_PACKING_2X2, a);
  for (int i = 0; i < 33; i++)
    for (int j = 0; j < 33; j++)
      b[j * LEAD + i] = a[i * LEAD + j];
  CHECK(clDenseTranspose(A, A));
  assertDense(A, b);
}

/* C's block from A's block, on the host; `old` may be C. */
static void copyOnHost(float *C, int row, int col, bool transposed, const float *A, int a_row,
                       int a_col, int rows, int cols) {
  static float block[MOST * LEAD];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      block[i * LEAD + j] =
          transposed ? A[(a_row + j) * LEAD + a_col + i] : A[(a_row + i) * LEAD + a_col + j];
  for (int i = 0; i < rows; i++)
    memcpy(C + (row + i) * LEAD + col, block + i * LEAD, (size_t)cols * sizeof *C);
}

/* q: row, col, a_row, a_col, rows, cols */
static clStatus copyViews(clDense *C, clTranspose op, const clDense *A, const int *q) {
  bool turned = op == TEXLA_TRANSPOSE;
  int rows = q[4], cols = q[5];
  swapIf(turned, &rows, &cols);
  clDenseView from = clDenseViewBlock(A, q[2], q[3], rows, cols);
  return clDenseViewCopy(clDenseViewBlock(C, q[0], q[1], q[4], q[5]), op, from);
}

static void testCopiesBlocks(void **state) {
  /* row, col, a_row, a_col, rows, cols */
  static const int blocks[][6] = {{0, 0, 0, 0, 1, 1}, {1, 2, 3, 4, 5, 6},   {0, 0, 1, 1, 13, 11},
                                  {7, 5, 0, 0, 6, 8}, {12, 12, 9, 9, 1, 1}, {3, 0, 2, 0, 2, 13},
                                  {4, 4, 2, 2, 9, 9}};
  for (int k = 0; k < 7; k++)
    for (int p = 0; p < 32; p++) {
      const int *q = blocks[k];
      bool transposed = p >= 16;
      clTranspose op = transposed ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
      oracleFill(a, MOST * LEAD, 4, -1, 1);
      oracleFill(b, MOST * LEAD, 5, -1, 1);
      OWN(clDense) *A = make(15, 14, packings[p / 4 % 4], a), *C = make(13, 13, packings[p % 4], b);
      int rows = q[4], cols = q[5];
      swapIf(transposed, &rows, &cols);
      if (q[2] + rows > 15 || q[3] + cols > 14) {
        assert_int_equal(copyViews(C, op, A, q), TEXLA_BAD_SHAPE);
      } else {
        CHECK(copyViews(C, op, A, q));
        copyOnHost(b, q[0], q[1], transposed, a, q[2], q[3], q[4], q[5]);
      }
      assertDense(C, b);
      assertDense(A, a);
    }
  /* overlapping blocks of one matrix */
  oracleFill(a, MOST * LEAD, 6, -1, 1);
  OWN(clDense) *A = make(21, 20, TEXLA_PACKING_2X2, a);
  CHECK(copyViews(A, TEXLA_NO_TRANSPOSE, A, (const int[]){2, 3, 1, 1, 15, 15}));
  copyOnHost(a, 2, 3, false, a, 1, 1, 15, 15);
  assertDense(A, a);
  CHECK(copyViews(A, TEXLA_TRANSPOSE, A, (const int[]){0, 0, 3, 1, 17, 18}));
  copyOnHost(a, 0, 0, true, a, 3, 1, 17, 18);
  assertDense(A, a);
}

static void testFillsAndIdentities(void **state) {
  for (int p = 0; p < 4; p++)
    for (int rows = 1; rows <= 7; rows += 2)
      for (int cols = 1; cols <= 8; cols++) {
        OWN(clDense) *A = make(rows, cols, packings[p], NULL);
        for (int k = 0; k < MOST * LEAD; k++)
          b[k] = -2.5f;
        CHECK(clDenseFill(A, -2.5f));
        assertDense(A, b);
        for (int k = 0; k < MOST * LEAD; k++)
          b[k] = k / LEAD == k % LEAD ? 3.0f : 0.0f;
        CHECK(clDenseIdentity(A, 3));
        assertDense(A, b);
      }
}

static void testAddsEntries(void **state) {
  static float c[MOST * LEAD];
  oracleFill(a, MOST * LEAD, 7, -1, 1);
  oracleFill(b, MOST * LEAD, 8, -1, 1);
  for (int p = 0; p < 4; p++) {
    OWN(clDense) *A = make(11, 13, packings[p], a), *B = make(11, 13, packings[p], b),
                 *C = make(11, 13, packings[p], NULL);
    /* exact factors: one rounding on both sides */
    for (int k = 0; k < MOST * LEAD; k++)
      c[k] = 2.0f * a[k] + -1.0f * b[k];
    CHECK(clDenseAdd(C, 2, A, -1, B));
    assertDense(C, c);
  }
}

static float entryOfTriangle(bool lower, bool unit, int i, int j) {
  if (i == j && unit)
    return 1;
  bool kept = lower ? i >= j : i <= j;
  return kept ? a[i * LEAD + j] : 0;
}

static void testTakesTriangles(void **state) {
  static const int shapes[][3] = {{1, 1, 1}, {5, 5, 5}, {6, 6, 6}, {5, 9, 5},
                                  {9, 4, 4}, {8, 8, 3}, {9, 12, 7}};
  static float c[MOST * LEAD];
  oracleFill(a, MOST * LEAD, 9, -1, 1);
  for (int s = 0; s < 7; s++)
    for (int k = 0; k < 16; k++) {
      bool lower = k & 1, unit = k & 2;
      int m = shapes[s][0], n = shapes[s][1], small = shapes[s][2];
      OWN(clDense) *A = make(m, n, packings[k / 4], a);
      int rows = lower ? m : small;
      int cols = lower ? small : n;
      OWN(clDense) *C = make(rows, cols, packings[k / 4], NULL);
      for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
          c[i * LEAD + j] = entryOfTriangle(lower, unit, i, j);
      CHECK(clDenseTriangle(C, lower ? TEXLA_TRIANGLE_LOWER : TEXLA_TRIANGLE_UPPER, unit, A));
      assertDense(C, c);
    }
}

static double normOnHost(clNorm norm, int m, int n) {
  double largest = 0, squares = 0;
  for (int k = 0; k < (norm == TEXLA_NORM_ONE ? n : m); k++) {
    double sum = 0;
    for (int l = 0; l < (norm == TEXLA_NORM_ONE ? m : n); l++) {
      double v = fabs((double)(norm == TEXLA_NORM_ONE ? a[l * LEAD + k] : a[k * LEAD + l]));
      sum = norm == TEXLA_NORM_MAX ? fmax(sum, v) : sum + v;
      squares += v * v;
    }
    largest = fmax(largest, sum);
  }
  return norm == TEXLA_NORM_FROBENIUS ? sqrt(squares) : largest;
}

static void testNorms(void **state) {
  static const int shapes[][2] = {{1, 1}, {2, 1}, {1, 2}, {3, 5}, {64, 64}, {70, 67}, {7, 70}};
  OWN(clFloat) *s = NULL;
  CHECK(clFloatCreate(&s, context));
  for (int k = 0; k < 7; k++)
    for (clNorm norm = TEXLA_NORM_MAX; norm <= TEXLA_NORM_FROBENIUS; norm++) {
      oracleFill(a, MOST * LEAD, 10 + (uint64_t)k, -1, 1);
      OWN(clDense) *A = make(shapes[k][0], shapes[k][1], TEXLA_PACKING_2X2, a);
      float value = -1;
      CHECK(clDenseNorm(s, norm, A));
      CHECK(clFloatDownload(s, &value));
      double expected = normOnHost(norm, shapes[k][0], shapes[k][1]);
      assert_true(fabs((double)value - expected) <= 16 * EPSILON * expected);
    }
}

static void testTriplets(void **state) {
  for (int p = 0; p < 4; p++) {
    clTriplets *T = NULL, *back = NULL;
    CHECK(clTripletsCreate(&T, 5, 7, 4, NULL));
    CHECK(clTripletsAdd(T, 0, 0, 1.5, NULL));
    CHECK(clTripletsAdd(T, 4, 6, -2, NULL));
    CHECK(clTripletsAdd(T, 3, 2, 0.1, NULL));
    OWN(clDense) *A = make(5, 7, packings[p], b);
    CHECK(clDenseUploadTriplets(A, T));
    CHECK(clDenseDownloadTriplets(&back, A));
    assert_int_equal(back->rows, 5);
    assert_int_equal(back->cols, 7);
    assert_int_equal(back->count, 35);
    double sum = 0;
    for (int64_t k = 0; k < back->count; k++) {
      if (back->row[k] == 3 && back->col[k] == 2)
        assert_true(back->value[k] == (double)0.1f);
      sum += back->value[k];
    }
    assert_true(sum == 1.5 - 2 + (double)0.1f);
    clTripletsDestroy(back);
    back = NULL;
    T->value[1] = 1e39;
    assert_int_equal(clDenseUploadTriplets(A, T), TEXLA_NOT_FINITE);
    assert_non_null(strstr(clContextError(context)->message, "(5, 7)"));
    clTripletsDestroy(T);
  }
}

static void testKeepsValuesOnErrors(void **state) {
  static float c[MOST * LEAD];
  oracleFill(a, MOST * LEAD, 30, -1, 1);
  memcpy(c, a, sizeof a);
  clDense *A = make(9, 8, TEXLA_PACKING_2X2, a), *B = make(8, 9, TEXLA_PACKING_2X2, b), *C = NULL;
  c[6 * LEAD + 3] = NAN;
  assert_int_equal(clDenseUpload(A, c, LEAD), TEXLA_NOT_FINITE);
  assert_non_null(strstr(clContextError(context)->message, "(7, 4)"));
  c[6 * LEAD + 3] = -INFINITY;
  assert_int_equal(clDenseUpload(A, c, LEAD), TEXLA_NOT_FINITE);
  assert_int_equal(clDenseUpload(A, c, 7), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clDenseFill(A, INFINITY), TEXLA_NOT_FINITE);
  assert_int_equal(clDenseCopy(A, B), TEXLA_BAD_SHAPE);
  assert_int_equal(clDenseAdd(A, 1, A, 1, B), TEXLA_BAD_SHAPE);
  assert_int_equal(clDenseTranspose(A, A), TEXLA_BAD_SHAPE);
  assert_int_equal(clDenseCopy(A, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clDenseCopy(NULL, A), TEXLA_BAD_ARGUMENT);
  assertDense(A, a);
  assert_int_equal(clDenseCreate(&C, context, 0, 3), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clDenseCreate(&C, NULL, 3, 3), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clDenseCreateLike(&C, NULL), TEXLA_BAD_ARGUMENT);
  size_t before = clContextStatistics(context).bytes_used;
  int limit = clContextInspect(context)->max_texture_size;
  assert_int_equal(clDenseCreate(&C, context, 2 * limit + 1, 2), TEXLA_TOO_LARGE);
  assert_int_equal(clDenseCreateWithPacking(&C, context, 1, limit + 1, TEXLA_PACKING_1X1),
                   TEXLA_TOO_LARGE);
  assert_int_equal(clDenseCreate(&C, context, INT32_MAX, INT32_MAX), TEXLA_TOO_LARGE);
  assert_null(C);
  assert_int_equal(clContextStatistics(context).bytes_used, before);
  clDenseDestroy(A);
  clDenseDestroy(B);
  clDenseDestroy(NULL);
}

static void testRefusesForeignContexts(void **state) {
  OWN(clContext) *other = NULL;
  clContextOptions options = {.no_tuning_cache = true};
  CHECK(clContextCreate(&other, &options, NULL));
  OWN(clDense) *A = make(3, 3, TEXLA_PACKING_2X2, a), *B = NULL;
  CHECK(clDenseCreate(&B, other, 3, 3));
  assert_int_equal(clDenseCopy(A, B), TEXLA_FOREIGN_CONTEXT);
  assert_int_equal(clDenseMultiply(A, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_NO_TRANSPOSE, B, 0),
                   TEXLA_FOREIGN_CONTEXT);
}

static void testClones(void **state) {
  oracleFill(a, MOST * LEAD, 40, -1, 1);
  for (int p = 0; p < 4; p++) {
    OWN(clDense) *A = make(6, 11, packings[p], a), *C = NULL;
    CHECK(clDenseClone(&C, A));
    CHECK(clDenseFill(A, 0));
    assert_int_equal((int)C->packing, packings[p]);
    assert_ptr_equal(clDenseContext(C), context);
    assertDense(C, a);
  }
}

TEST_MAIN(setUp, testContextDestroy, testTransfersEveryShape, testConvertsBetweenPackings,
          testTransposes, testCopiesBlocks, testFillsAndIdentities, testAddsEntries,
          testTakesTriangles, testNorms, testTriplets, testKeepsValuesOnErrors,
          testRefusesForeignContexts, testClones)
