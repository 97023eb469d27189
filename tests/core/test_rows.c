/* Runs of rows that repeat; products and symmetry by them, against the entries. */
#include "core/rows.h"
#include "common.h"
#include "core/triplets.h"

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

/* Other values from row `first` on, before `last`; A stays symmetric where it is, but for the
 * borders of these rows. */
static clTriplets *vary(clTriplets *A, int first, int last) {
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] >= first && A->row[k] < last)
      A->value[k] *= 2 + sin(A->row[k] + A->col[k]) + sin(2. * A->row[k]) * sin(2. * A->col[k]);
  return A;
}

/* Each row is in one run, and has the first one's columns, further on; its values, too, unless they
 * vary. */
static void checkRuns(const txRows *rows, int64_t first, int64_t last) {
  const clTriplets *A = rows->A;
  int64_t i = first;
  for (txRun run = txRunAt(rows, first, last); run.row < last; run = txRunNext(rows, &run, last)) {
    assert_int_equal(run.row, i);
    assert_true(run.count > 0 && (run.alike == 1 || run.alike == run.count));
    for (int64_t k = 0; k < run.count * run.length; k++) {
      int64_t like = run.entry + k % run.length, at = run.entry + k;
      assert_int_equal(A->row[at], run.row + k / run.length);
      assert_int_equal(A->col[at], A->col[like] + k / run.length);
      assert_true(run.alike < run.count || A->value[at] == A->value[like]);
    }
    assert_true(run.entry == 0 || A->row[run.entry - 1] < run.row);
    assert_true(run.entry + run.count * run.length == A->count ||
                A->row[run.entry + run.count * run.length] >= run.row + run.count);
    i += run.count;
  }
  assert_int_equal(i, last);
}

/* Takes A over, in which there are so many runs; 0: of no use. */
static void check(clTriplets *A, int least, int most) {
  int32_t m = A->rows;
  double *v = calloc((size_t)A->cols + 2 * (size_t)m, sizeof *v), *x = v, *y = v + A->cols,
         *exact = y + m;
  for (int32_t j = 0; j < A->cols; j++)
    x[j] = sin(j);
  clTripletsMulVector(exact, A, x);
  txRows rows;
  assert_int_equal(txRowsFind(&rows, A, "test", NULL), TEXLA_OK);
  assertWithin(rows.runs, least, most);
  static const int cut[] = {1, 7, 100, 1 << 30};
  for (int c = 0; c < 4; c++)
    for (int64_t first = 0, last; first < m; first = last) {
      last = m - first > cut[c] ? first + cut[c] : m;
      checkRuns(&rows, first, last);
      txRowsMultiply(y, &rows, x, first, last);
      for (int64_t i = first; i < last; i++)
        assert_true(fabs(y[i - first] - exact[i]) <= 16 * DBL_EPSILON * 400);
    }
  txRowsForget(&rows);
  free(v);
  clTripletsDestroy(A);
}

static void testGrids(void **state) {
  /* both ends and the middle of each line, and where blocks begin */
  check(laplacian(100, 90, 4), 3 * 90, 3 * 90 + 64);
  check(laplacian(200, 150, 5), 3 * 150, 3 * 150 + 65);
  /* runs too short */
  check(laplacian(5, 400, 4), 0, 0);
}

/* Values change in some rows, or in all; the columns repeat nevertheless. */
static void testVaryingValues(void **state) {
  check(vary(laplacian(100, 90, 4), 0, 9000), 3 * 90, 3 * 90 + 64);
  check(vary(laplacian(100, 90, 4), 30, 7450), 3 * 90 + 1, 3 * 90 + 66);
  check(vary(laplacian(200, 10, 4), 520, 580), 32, 3 * 10 + 66);
  check(vary(laplacian(200, 10, 4), 520, 522), 32, 3 * 10 + 66);
}

/* Some rows begin like the one before, but go on. */
static void testLongerRows(void **state) {
  enum { N = 20000 };
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, N, N + 1, 0, NULL), TEXLA_OK);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < (i % 50 == 30 && i < N - 1 ? 2 : 1); j++)
      assert_int_equal(clTripletsAdd(A, i, j ? N : i, 2, NULL), TEXLA_OK);
  check(A, 1 + 2 * 400, 1 + 2 * 400 + 64);
}

/* Rows of the same values, many of them, are a run of their own. */
static void testAlikeAndVarying(void **state) {
  /* blocks of 100 rows */
  OWN(clTriplets) *A = vary(laplacian(6400, 1, 4), 40, 60);
  txRows rows;
  assert_int_equal(txRowsFind(&rows, A, "test", NULL), TEXLA_OK);
  txRun alike = txRunAt(&rows, 10, 100), varying = txRunAt(&rows, 50, 100),
        after = txRunAt(&rows, 70, 100);
  assert_true(alike.row == 10 && alike.count == 30 && alike.alike == 30);
  assert_true(varying.count == 10 && varying.alike == 1);
  assert_true(after.count == 30 && after.alike == 30);
  assert_int_equal(rows.first[after.index], 60);
  txRowsForget(&rows);
  /* that row alone */
  A->value[txTripletsRow(A, 80)] += 1;
  assert_int_equal(txRowsFind(&rows, A, "test", NULL), TEXLA_OK);
  assert_int_equal(txRunAt(&rows, 62, 100).count, 18);
  assert_int_equal(txRunAt(&rows, 82, 100).alike, 18);
  txRowsForget(&rows);
}

static void assertDisorder(clTriplets *A, int64_t entry, const char *what) {
  clError error;
  char text[64];
  txRows rows = {.runs = -1};
  assert_int_equal(txRowsFind(&rows, A, "test", &error), TEXLA_BAD_ARGUMENT);
  snprintf(text, sizeof text, "test: entry %lld at", (long long)entry + 1);
  if (!strstr(error.message, text) || !strstr(error.message, what))
    fail_msg("%s instead of %s... %s", error.message, text, what);
  assert_int_equal(rows.runs, -1);
  assert_false(clTripletsIsSymmetric(A, 1));
}

/* Wherever it is: every entry once in another place. */
static void testOrder(void **state) {
  OWN(clTriplets) *A = laplacian(20, 10, 4);
  for (int64_t k = 0; k < A->count; k++) {
    int32_t i = A->row[k], j = A->col[k];
    A->row[k] = -1;
    assertDisorder(A, k, "out of range");
    A->row[k] = A->rows;
    assertDisorder(A, k, "out of range");
    A->row[k] = i;
    A->col[k] = -1;
    assertDisorder(A, k, "out of range");
    A->col[k] = A->cols;
    assertDisorder(A, k, "out of range");
    A->col[k] = j;
    if (!k)
      continue;
    A->row[k] = A->row[k - 1];
    A->col[k] = A->col[k - 1];
    assertDisorder(A, k, "out of order");
    A->row[k] = i;
    A->col[k] = j;
  }
}

/* Entries that single precision takes for zero, or cannot hold, are counted. */
static void testValues(void **state) {
  OWN(clTriplets) *A = laplacian(20, 10, 4);
  const double value[] = {0, 1e-60, 1e30, 1e39, -1e39, INFINITY, NAN};
  for (int k = 0; k < 7; k++)
    A->value[100 * k + 5] = value[k];
  txRows rows;
  assert_int_equal(txRowsFind(&rows, A, "test", NULL), TEXLA_OK);
  assert_int_equal(rows.zeros, 2);
  assert_int_equal(rows.too_big, 4);
  txRowsForget(&rows);
}

/* Symmetric, then with one entry of another value, or gone; A's runs may be of any kind. */
static void checkSymmetry(clTriplets *A) {
  assert_true(clTripletsIsSymmetric(A, 1e-12));
  for (int64_t k = 0; k < A->count; k += 1 + A->count / 50) {
    double value = A->value[k];
    bool diagonal = A->row[k] == A->col[k];
    A->value[k] = value * (1 + 1e-3);
    assert_int_equal(clTripletsIsSymmetric(A, 1e-4), diagonal);
    assert_true(clTripletsIsSymmetric(A, 1e-2));
    A->value[k] = 0;
    assert_int_equal(clTripletsIsSymmetric(A, 1e-4), diagonal);
    A->value[k] = value;
  }
  for (int64_t k = A->count - 1; k >= 0; k -= 1 + A->count / 20) {
    if (A->row[k] == A->col[k])
      continue;
    /* without entry k */
    clTriplets fewer = *A;
    double *value = A->value;
    int32_t *row = A->row, *col = A->col;
    fewer.count--;
    int32_t i = row[k], j = col[k];
    double v = value[k];
    for (int64_t e = k; e < fewer.count; e++) {
      row[e] = row[e + 1];
      col[e] = col[e + 1];
      value[e] = value[e + 1];
    }
    assert_false(clTripletsIsSymmetric(&fewer, 1e-4));
    for (int64_t e = fewer.count; e > k; e--) {
      row[e] = row[e - 1];
      col[e] = col[e - 1];
      value[e] = value[e - 1];
    }
    row[k] = i;
    col[k] = j;
    value[k] = v;
  }
  clTripletsDestroy(A);
}

static void symmetrize(clTriplets *A) {
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] != A->col[k])
      A->value[k] = -1 - abs(A->row[k] - A->col[k]);
}

static void testSymmetry(void **state) {
  /* runs, none, long ones */
  static const int shape[][2] = {{100, 30}, {5, 40}, {2000, 1}};
  for (int c = 0; c < 6; c++) {
    clTriplets *A = laplacian(shape[c / 2][0], shape[c / 2][1], 5);
    symmetrize(A);
    checkSymmetry(c % 2 ? vary(A, 0, A->rows) : A);
  }
}

static void testOthers(void **state) {
  check(irregular(400, 400), 0, 0);
  check(irregular(90, 700), 0, 0);
  clTriplets *empty = NULL;
  assert_int_equal(clTripletsCreate(&empty, 3000, 20, 0, NULL), TEXLA_OK);
  check(empty, 1, 64);
}

TEST_MAIN(NULL, NULL, testGrids, testVaryingValues, testAlikeAndVarying, testLongerRows, testOrder,
          testValues, testSymmetry, testOthers)
