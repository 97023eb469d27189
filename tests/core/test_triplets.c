/* Matrices on the host against dense ones. */
#include "common.h"

#include "texla/triplets.h"

/* The values of the random matrices are multiples of 1/8, so that sums and products below are
 * exact. */
static const double exact = 0;
static const double normTolerance = 8 * DBL_EPSILON;

static void assertNear(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.17g instead of %.17g", value, expected);
}

typedef struct Shape {
  int32_t rows, cols;
  int entries;
} Shape;
static const Shape shapes[] = {{1, 1, 1},      {1, 1, 5},      {1, 7, 3},       {7, 1, 3},
                               {2, 2, 40},     {5, 3, 0},      {37, 41, 500},   {64, 64, 64},
                               {2053, 3, 900}, {3, 2053, 900}, {401, 397, 5000}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static clTriplets *create(int32_t rows, int32_t cols) {
  clTriplets *A = NULL;
  clError error = {0};
  assert_int_equal(clTripletsCreate(&A, rows, cols, 0, &error), TEXLA_OK);
  assert_non_null(A);
  return A;
}

static void add(clTriplets *A, int32_t i, int32_t j, double value) {
  assert_int_equal(clTripletsAdd(A, i, j, value, NULL), TEXLA_OK);
}

static double randomValue(void) {
  return (double)(rand() % 65 - 32) / 8;
}

/* A random matrix with duplicates and, row by row, the same as a dense array that the caller
 * frees. */
static clTriplets *createRandom(Shape shape, double **dense) {
  clTriplets *A = create(shape.rows, shape.cols);
  *dense = calloc((size_t)shape.rows * (size_t)shape.cols, sizeof **dense);
  assert_non_null(*dense);
  for (int k = 0; k < shape.entries; k++) {
    int32_t i = rand() % shape.rows, j = rand() % shape.cols;
    double value = randomValue();
    add(A, i, j, value);
    (*dense)[(int64_t)i * shape.cols + j] += value;
  }
  return A;
}

static void assertSortedOnce(const clTriplets *A) {
  for (int64_t k = 1; k < A->count; k++)
    assert_true(A->row[k - 1] < A->row[k] ||
                (A->row[k - 1] == A->row[k] && A->col[k - 1] < A->col[k]));
}

static void createChecksItsArguments(void **state) {
  clTriplets *A = NULL;
  clError error = {0};
  assert_int_equal(clTripletsCreate(&A, -1, 3, 0, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clTripletsCreate(&A, 3, -1, 0, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clTripletsCreate(&A, 3, 3, -1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clTripletsCreate(NULL, 3, 3, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clTripletsCreate(&A, 3, 3, INT64_MAX, &error), TEXLA_TOO_LARGE);
  assert_non_null(strstr(error.message, "clTripletsCreate: 9223372036854775807 entries"));
  assert_null(A);
  clTripletsDestroy(NULL);
}

static void addChecksItsArguments(void **state) {
  OWN(clTriplets) *A = create(3, 4);
  clError error = {0};
  add(A, 2, 3, 1);
  const int32_t outside[][2] = {{-1, 0}, {0, -1}, {3, 0}, {0, 4}, {INT32_MAX, 0}};
  for (size_t k = 0; k < sizeof outside / sizeof *outside; k++)
    assert_int_equal(clTripletsAdd(A, outside[k][0], outside[k][1], 1, &error), TEXLA_BAD_ARGUMENT);
  assert_string_equal(error.message,
                      "clTripletsAdd: position (2147483647, 0) is outside the 3 x 4 matrix");
  assert_int_equal(clTripletsAdd(A, 0, 0, NAN, &error), TEXLA_NOT_FINITE);
  assert_int_equal(clTripletsAdd(A, 0, 0, -INFINITY, &error), TEXLA_NOT_FINITE);
  assert_int_equal(clTripletsAdd(NULL, 0, 0, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clTripletsCompress(NULL, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(A->count, 1);
}

static void compressKeepsTheMatrix(void **state) {
  for (int s = 0; s < SHAPES; s++) {
    double *dense;
    OWN(clTriplets) *A = createRandom(shapes[s], &dense);
    assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
    assertSortedOnce(A);
    for (int64_t k = 0; k < A->count; k++) {
      double *oracle = &dense[(int64_t)A->row[k] * A->cols + A->col[k]];
      assertNear(A->value[k], *oracle, exact);
      *oracle = 0;
    }
    /* nothing was lost */
    for (int64_t k = 0; k < (int64_t)A->rows * A->cols; k++)
      assertNear(dense[k], 0, exact);
    free(dense);
  }
}

typedef struct numbered {
  int32_t row, col;
  int64_t number;
  double value;
} numbered;

static int compareNumbered(const void *a, const void *b) {
  const numbered *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->col != y->col)
    return x->col < y->col ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

/* Enough for all threads, in few and in many rows, thinly spread and with many duplicates, whose
 * sums depend on their order. */
static void manyEntriesAreSorted(void **state) {
  enum { N = 100000 };
  static const int32_t sizes[][2] = {{1, 50000}, {3, 40000},     {70, 90},
                                     {30000, 4}, {50000, 50000}, {INT32_MAX, 100}};
  FREED numbered *entries = calloc(N, sizeof *entries);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    OWN(clTriplets) *A = create(sizes[s][0], sizes[s][1]);
    for (int64_t k = 0; k < N; k++) {
      int32_t i = (int32_t)((rand() * INT64_C(0x7fff) + rand()) % sizes[s][0]);
      int32_t j = (int32_t)((rand() * INT64_C(0x7fff) + rand()) % sizes[s][1]);
      entries[k] = (numbered){i, j, k, rand() / 3.0};
      add(A, i, j, entries[k].value);
    }
    assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
    qsort(entries, N, sizeof *entries, compareNumbered);
    int64_t at = 0;
    for (int64_t k = 0; k < A->count; k++) {
      double sum = entries[at].value;
      assert_true(A->row[k] == entries[at].row && A->col[k] == entries[at].col);
      for (at++; at < N && entries[at].row == A->row[k] && entries[at].col == A->col[k]; at++)
        sum += entries[at].value;
      assert_true(A->value[k] == sum);
    }
    assert_int_equal(at, N);
  }
}

static void duplicatesAreSummedInOrder(void **state) {
  OWN(clTriplets) *A = create(2, 2);
  /* In this order the sum is 1; in the reverse order, or pairwise from the right, it is 0. */
  add(A, 1, 1, 1e20);
  add(A, 0, 0, 3);
  add(A, 1, 1, -1e20);
  add(A, 1, 1, 1);
  add(A, 0, 1, 0);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  /* the explicit zero stays */
  assert_int_equal(A->count, 3);
  assertNear(A->value[0], 3, exact);
  assertNear(A->value[1], 0, exact);
  assertNear(A->value[2], 1, exact);
}

static void compressDoesNotDependOnTheSizes(void **state) {
  OWN(clTriplets) *A = create(INT32_MAX, INT32_MAX);
  const int32_t far = INT32_MAX - 1;
  add(A, far, far, 1);
  add(A, far, 0, 2);
  add(A, 0, far, 3);
  add(A, 1 << 22, 1 << 11, 4);
  add(A, far, far, 5);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  const int32_t row[] = {0, 1 << 22, far, far}, col[] = {far, 1 << 11, 0, far};
  const double value[] = {3, 4, 2, 6};
  assert_int_equal(A->count, 4);
  assert_memory_equal(A->row, row, sizeof row);
  assert_memory_equal(A->col, col, sizeof col);
  assert_memory_equal(A->value, value, sizeof value);
}

static void overflowingSumIsAnError(void **state) {
  OWN(clTriplets) *A = create(2, 2);
  clError error = {0};
  add(A, 1, 0, DBL_MAX);
  add(A, 0, 0, 1);
  add(A, 1, 0, DBL_MAX);
  assert_int_equal(clTripletsCompress(A, &error), TEXLA_NOT_FINITE);
  assert_string_equal(error.message, "clTripletsCompress: the duplicates at (1, 0) sum to inf");
  assert_int_equal(A->count, 3);
  assert_int_equal(A->row[0], 1);
  assertNear(A->value[0], DBL_MAX, exact);
}

static void productAndResidualMatchTheDenseOracle(void **state) {
  for (int s = 0; s < SHAPES; s++) {
    double *dense;
    OWN(clTriplets) *A = createRandom(shapes[s], &dense);
    FREED double *x = calloc((size_t)A->cols, sizeof *x), *b = calloc((size_t)A->rows, sizeof *b);
    FREED double *y = calloc((size_t)A->rows, sizeof *y), *r = calloc((size_t)A->rows, sizeof *r);
    for (int32_t j = 0; j < A->cols; j++)
      x[j] = randomValue();
    for (int32_t i = 0; i < A->rows; i++)
      y[i] = b[i] = randomValue();
    /* not compressed: duplicates count */
    clTripletsMulVector(y, A, x);
    assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
    double norm = clTripletsResidual(r, A, x, b), square = 0;
    for (int32_t i = 0; i < A->rows; i++) {
      double oracle = 0;
      for (int32_t j = 0; j < A->cols; j++)
        oracle += dense[(int64_t)i * A->cols + j] * x[j];
      assertNear(y[i], oracle, exact);
      assertNear(r[i], b[i] - oracle, exact);
      square += r[i] * r[i];
    }
    assertNear(norm, sqrt(square), normTolerance * sqrt((double)A->rows) * sqrt(square));
    assertNear(clTripletsResidual(NULL, A, x, b), norm, exact);
    free(dense);
  }
}

static void residualIsScaled(void **state) {
  /* column 2 is empty */
  OWN(clTriplets) *A = create(2, 3);
  add(A, 0, 0, 1);
  add(A, 1, 1, 1);
  const double scale[] = {1, 1e300, 1e-300, DBL_MIN};
  for (int k = 0; k < 4; k++) {
    double x[] = {0, 0, 0}, b[] = {3 * scale[k], -4 * scale[k]};
    assertNear(clTripletsResidual(NULL, A, x, b) / scale[k], 5, 5 * normTolerance);
    double swapped[] = {b[1], b[0]};
    assertNear(clTripletsResidual(NULL, A, x, swapped) / scale[k], 5, 5 * normTolerance);
    double solution[] = {b[0], b[1], 7};
    assertNear(clTripletsResidual(NULL, A, solution, b), 0, exact);
  }
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 9; k++) {
    double x[] = {1, 1, 1}, b[] = {1, 2};
    x[k / 3] = bad[k % 3];
    assert_true(isnan(clTripletsResidual(NULL, A, x, b)));
    double good[] = {1, 1, 1};
    b[k / 3 % 2] = bad[k % 3];
    assert_true(isnan(clTripletsResidual(NULL, A, good, b)));
  }
}

static bool isSymmetric(int32_t rows, int32_t cols, const double *dense, double tolerance) {
  OWN(clTriplets) *A = create(rows, cols);
  for (int32_t i = 0; i < rows; i++)
    for (int32_t j = 0; j < cols; j++)
      if (dense[i * cols + j] != 0)
        add(A, i, j, dense[i * cols + j]);
  bool result = clTripletsIsSymmetric(A, tolerance);
  return result;
}

static void symmetryIsRelativeAndSeesMissingEntries(void **state) {
  assert_true(isSymmetric(3, 3, (double[]){1, 2, 0, 2, 0, -3, 0, -3, 5}, 0));
  assert_false(isSymmetric(3, 3, (double[]){1, 2, 0, 2, 0, -3, 0, 0, 5}, 1e-3));
  assert_false(isSymmetric(3, 3, (double[]){1, 2, 0, 0, 0, -3, 0, -3, 5}, 1e-3));
  assert_false(isSymmetric(3, 3, (double[]){1, 0, 0, 2, 0, -3, 0, -3, 5}, 1e-3));
  assert_false(isSymmetric(2, 2, (double[]){1, 2, -2, 1}, 1e-3));
  /* beside a diagonal of 1 both are zero; alone they are not */
  assert_true(isSymmetric(2, 2, (double[]){1, 1e-20, 1.01e-20, 1}, 1e-3));
  assert_false(isSymmetric(2, 2, (double[]){0, 1e-20, 1.01e-20, 0}, 1e-3));
  assert_false(isSymmetric(2, 2, (double[]){1e-20, 1e-20, 1.01e-20, 1e-20}, 1e-3));
  assert_true(isSymmetric(2, 2, (double[]){4, 1e-17, 0, 4}, 1e-6));
  assert_true(isSymmetric(2, 2, (double[]){4, 1e-17, -1e-17, 4}, 1e-6));
  assert_false(isSymmetric(2, 2, (double[]){4, 1e-17, -1e-17, 4}, 0));
  /* rows of very different sizes: each pair beside its own diagonals */
  assert_false(isSymmetric(3, 3, (double[]){1e20, 1, 0, 0, 1e-20, 0, 0, 0, 1}, 1e-6));
  assert_true(isSymmetric(3, 3, (double[]){1e20, 1e-8, 0, 0, 1e-20, 0, 0, 0, 1}, 1e-6));
  assert_true(isSymmetric(2, 2, (double[]){1, 1e-20, 1.0001e-20, 1}, 1e-3));
  assert_false(isSymmetric(2, 3, (double[]){1, 0, 0, 0, 1, 0}, 1));
  /* an explicit zero equals a missing entry */
  clTriplets *A = create(2, 2);
  add(A, 0, 1, 0);
  assert_true(clTripletsIsSymmetric(A, 0));
  add(A, 1, 0, 0);
  assert_true(clTripletsIsSymmetric(A, 0));
  clTripletsDestroy(A);
  A = create(2, 2);
  add(A, 1, 0, 0);
  assert_true(clTripletsIsSymmetric(A, 0));
  clTripletsDestroy(A);
}

/* The transpose is compressed, and transposing twice gives the matrix back. */
static void transposes(void **state) {
  for (int s = 0; s < SHAPES; s++) {
    double *dense;
    OWN(clTriplets) *A = createRandom(shapes[s], &dense), *T = NULL, *B = NULL;
    assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
    assert_int_equal(clTripletsTranspose(&T, A, NULL), TEXLA_OK);
    assert_int_equal(clTripletsTranspose(&B, T, NULL), TEXLA_OK);
    assert_int_equal(T->rows, A->cols);
    assert_int_equal(T->cols, A->rows);
    assert_int_equal(T->count, A->count);
    assert_int_equal(B->count, A->count);
    for (int64_t k = 0; k < A->count; k++) {
      assert_true(T->value[k] == dense[(int64_t)T->col[k] * A->cols + T->row[k]]);
      assert_true(k == 0 || T->row[k] > T->row[k - 1] ||
                  (T->row[k] == T->row[k - 1] && T->col[k] > T->col[k - 1]));
      assert_true(B->row[k] == A->row[k] && B->col[k] == A->col[k] && B->value[k] == A->value[k]);
    }
    free(dense);
  }
  clTriplets *unchanged = NULL;
  assert_int_equal(clTripletsTranspose(&unchanged, NULL, NULL), TEXLA_BAD_ARGUMENT);
  assert_null(unchanged);
}

TEST_MAIN(NULL, NULL, transposes, createChecksItsArguments, addChecksItsArguments,
          compressKeepsTheMatrix, manyEntriesAreSorted, duplicatesAreSummedInOrder,
          compressDoesNotDependOnTheSizes, overflowingSumIsAnError,
          productAndResidualMatchTheDenseOracle, residualIsScaled,
          symmetryIsRelativeAndSeesMissingEntries)
