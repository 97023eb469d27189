/* Dense matrices from vectors of their columns and back: any shapes, exact, zero padding,
 * refusals. */
#include "dense.h"
#include "one_context.h"
#include "texla/vector.h"

static void checkShape(int rows, int cols) {
  int n = rows * cols;
  FREED float *values = malloc((size_t)n * sizeof *values),
              *seen = malloc((size_t)n * sizeof *seen);
  for (int k = 0; k < n; k++)
    values[k] = (float)(k + 1);
  OWN(clVector) *x = NULL, *y = NULL;
  OWN(clDense) *A = NULL;
  CHECK(clVectorCreate(&x, context, n));
  CHECK(clVectorCreate(&y, context, n));
  CHECK(clDenseCreate(&A, context, rows, cols));
  CHECK(clVectorUpload(x, values));
  CHECK(clDenseFromVector(A, x));
  assertZeroPadding(A);
  CHECK(clDenseDownload(A, seen, cols));
  for (int k = 0; k < n; k++)
    assert_true(seen[k % rows * cols + k / rows] == values[k]);
  CHECK(clDenseToVector(y, A));
  CHECK(clVectorDownload(y, seen));
  assert_memory_equal(seen, values, (size_t)n * sizeof *seen);
  /* padding that is not zero would show here */
  OWN(clFloat) *sum = NULL;
  float total;
  CHECK(clVectorFill(x, 1));
  CHECK(clDenseFromVector(A, x));
  CHECK(clDenseToVector(y, A));
  CHECK(clFloatCreate(&sum, context));
  CHECK(clVectorSum(sum, y));
  CHECK(clFloatDownload(sum, &total));
  assert_true(total == (float)n);
}

static void testShapes(void **state) {
  static const int shapes[][2] = {{1, 1}, {1, 7},   {7, 1},    {2, 2},    {3, 5},    {4, 4},
                                  {5, 3}, {64, 65}, {4099, 3}, {3, 4099}, {1, 9000}, {9000, 1}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    checkShape(shapes[k][0], shapes[k][1]);
}

static void testRefusals(void **state) {
  OWN(clVector) *x = NULL, *grid = NULL;
  OWN(clDense) *A = NULL, *single = NULL;
  CHECK(clVectorCreate(&x, context, 12));
  CHECK(clVectorCreateGrid(&grid, context, 3, 5));
  CHECK(clDenseCreate(&A, context, 3, 5));
  CHECK(clDenseCreateWithPacking(&single, context, 3, 4, TEXLA_PACKING_1X1));
  assertFails(
      context, clDenseFromVector(A, x), TEXLA_BAD_SHAPE,
      "clDenseFromVector: A is 3 x 5 but x is linear of length 12 (need linear of length 15)");
  assertFails(context, clDenseToVector(grid, A), TEXLA_BAD_SHAPE, "grid 3 x 5");
  assertFails(context, clDenseToVector(x, single), TEXLA_UNSUPPORTED, "1x1 packing");
  assertFails(context, clDenseFromVector(A, NULL), TEXLA_BAD_ARGUMENT, "x must not be NULL");
  assertFails(context, clDenseFromVector(NULL, x), TEXLA_BAD_ARGUMENT, "A must not be NULL");
}

TEST_MAIN(setUp, testContextDestroy, testShapes, testRefusals)
