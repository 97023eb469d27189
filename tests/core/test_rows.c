/* Products by runs of rows that repeat, against the product by entries. */
#include "core/rows.h"
#include "common.h"

#include <float.h>
#include <math.h>

static clTriplets *laplacian(int nx, int ny, double corner) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, nx * ny, nx * ny, 5 * (int64_t)nx * ny, NULL), TEXLA_OK);
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int at = j * nx + i;
      assert_int_equal(clTripletsAdd(A, at, at, at ? 4 : corner, NULL), TEXLA_OK);
      if (i > 0)
        assert_int_equal(clTripletsAdd(A, at, at - 1, -1, NULL), TEXLA_OK);
      if (i < nx - 1)
        assert_int_equal(clTripletsAdd(A, at, at + 1, -1.25, NULL), TEXLA_OK);
      if (j > 0)
        assert_int_equal(clTripletsAdd(A, at, at - nx, -1.5, NULL), TEXLA_OK);
      if (j < ny - 1)
        assert_int_equal(clTripletsAdd(A, at, at + nx, -1.75, NULL), TEXLA_OK);
    }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

/* Rows of every length, empty ones too, no two alike. */
static clTriplets *irregular(int m, int n) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, m, n, 0, NULL), TEXLA_OK);
  for (int i = 0; i < m; i++)
    for (int k = 0; k < i % 7; k++)
      assert_int_equal(clTripletsAdd(A, i, (i * 31 + k * 17) % n, i - 3.5 * k, NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

/* Takes A over, in which there are so many runs; 0: of no use. */
static void check(clTriplets *A, int least, int most) {
  int32_t m = A->rows;
  double *v = calloc((size_t)A->cols + 2 * (size_t)m, sizeof *v), *x = v, *y = v + A->cols, *exact = y + m;
  for (int32_t j = 0; j < A->cols; j++)
    x[j] = sin(j);
  clTripletsMulVector(exact, A, x);
  txRows rows;
  txRowsFind(&rows, A);
  assert_in_range(rows.runs, least, most);
  static const int cut[] = {1, 7, 100, 1 << 30};
  for (int c = 0; c < 4; c++)
    for (int64_t first = 0, last; first < m; first = last) {
      last = m - first > cut[c] ? first + cut[c] : m;
      txRowsMultiply(y, &rows, x, first, last);
      for (int64_t i = first; i < last; i++)
        assert_true(fabs(y[i - first] - exact[i]) <= 16 * DBL_EPSILON * 400);
    }
  txRowsForget(&rows);
  free(v);
  clTripletsDestroy(A);
}

static void testGrids(void **state) {
  (void)state;
  check(laplacian(100, 90, 4), 3 * 90, 3 * 90 + 64); /* both ends and the middle of each line, and where blocks begin */
  check(laplacian(200, 150, 5), 3 * 150, 3 * 150 + 65);
  check(laplacian(5, 400, 4), 0, 0); /* runs too short */
}

static void testOthers(void **state) {
  (void)state;
  check(irregular(400, 400), 0, 0);
  check(irregular(90, 700), 0, 0);
  clTriplets *empty = NULL;
  assert_int_equal(clTripletsCreate(&empty, 3000, 20, 0, NULL), TEXLA_OK);
  check(empty, 1, 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testGrids), cmocka_unit_test(testOthers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
