/* Many triplets at once, and compressed rows in and out. */
#include "common.h"
#include "texla/triplets.h"

static const int64_t start[] = {0, 3, 3, 5};
static const int32_t col[] = {3, 0, 3, 2, 1};
static const double value[] = {1, 2, 4, 8, 16};

static void rowsInAndOut(void **state) {
  clTriplets *A = NULL;
  clError error = {0};
  int64_t begins[4];
  int32_t columns[4];
  double values[4];
  static const int64_t sorted_begins[] = {0, 2, 2, 4};
  static const int32_t sorted_columns[] = {0, 3, 1, 2};
  /* 1 + 4 in one place */
  static const double sorted_values[] = {2, 5, 16, 8};
  testOk(clTripletsFromCsr(&A, 3, 4, start, col, value, &error), &error, "from", __FILE__,
         __LINE__);
  assert_int_equal(A->count, 4);
  testOk(clTripletsToCsr(A, begins, columns, values, &error), &error, "to", __FILE__, __LINE__);
  assert_memory_equal(begins, sorted_begins, sizeof begins);
  assert_memory_equal(columns, sorted_columns, sizeof columns);
  assert_memory_equal(values, sorted_values, sizeof values);
  assert_int_equal(clTripletsToCsr(A, begins, NULL, NULL, NULL), TEXLA_OK);
  clTripletsDestroy(A);
  static const int64_t nothing[] = {0, 0, 0};
  testOk(clTripletsFromCsr(&A, 2, 2, nothing, NULL, NULL, &error), &error, "empty", __FILE__,
         __LINE__);
  assert_int_equal(A->count, 0);
  testOk(clTripletsToCsr(A, begins, columns, values, &error), &error, "to", __FILE__, __LINE__);
  assert_true(begins[0] == 0 && begins[2] == 0);
  clTripletsDestroy(A);
}

static void badRows(void **state) {
  clTriplets *A = NULL;
  clError e = {0};
  static const int64_t falling[] = {0, 3, 2, 5}, late[] = {1, 3, 3, 5};
  static const int32_t outside[] = {3, 0, 4, 2, 1};
  static const double infinite[] = {1, 2, 4, 8, INFINITY};
#define FAILS(call, status, text) testFails(call, &e, status, text, #call, __FILE__, __LINE__)
  FAILS(clTripletsFromCsr(&A, 3, 4, falling, col, value, &e), TEXLA_BAD_ARGUMENT,
        "row 1 ends at 2");
  FAILS(clTripletsFromCsr(&A, 3, 4, late, col, value, &e), TEXLA_BAD_ARGUMENT, "start[0]");
  FAILS(clTripletsFromCsr(&A, 3, 4, start, outside, value, &e), TEXLA_BAD_ARGUMENT,
        "entry 2: position (0, 4)");
  FAILS(clTripletsFromCsr(&A, 3, 4, start, col, infinite, &e), TEXLA_NOT_FINITE, "entry 4");
  FAILS(clTripletsFromCsr(&A, -1, 4, start, col, value, &e), TEXLA_BAD_ARGUMENT, "rows (-1)");
  FAILS(clTripletsFromCsr(&A, 3, 4, start, NULL, value, &e), TEXLA_BAD_ARGUMENT, "NULL");
  FAILS(clTripletsToCsr(NULL, NULL, NULL, NULL, &e), TEXLA_BAD_ARGUMENT, "NULL");
  assert_null(A);
}

static void manyAtOnce(void **state) {
  OWN(clTriplets) *A = NULL;
  clError e = {0};
  int64_t begins[4];
  static const int32_t row[] = {2, 0, 2, 1, 1}, outside[] = {2, 0, 3, 1, 1};
  testOk(clTripletsCreate(&A, 3, 4, 1, &e), &e, "create", __FILE__, __LINE__);
  for (int i = 0; i < 3; i++)
    testOk(clTripletsAddMany(A, 5, row, col, value, &e), &e, "add", __FILE__, __LINE__);
  assert_int_equal(A->count, 15);
  assert_int_equal(A->row[5], 2);
  FAILS(clTripletsAddMany(A, 5, outside, col, value, &e), TEXLA_BAD_ARGUMENT,
        "entry 2: position (3, 3)");
  FAILS(clTripletsAddMany(A, -1, row, col, value, &e), TEXLA_BAD_ARGUMENT, "count (-1)");
  assert_int_equal(clTripletsAddMany(A, 0, NULL, NULL, NULL, &e), TEXLA_OK);
  assert_int_equal(A->count, 15);
  FAILS(clTripletsToCsr(A, begins, NULL, NULL, &e), TEXLA_BAD_ARGUMENT, "clTripletsCompress");
  testOk(clTripletsCompress(A, &e), &e, "compress", __FILE__, __LINE__);
  /* two share a place */
  assert_int_equal(A->count, 4);
  assert_true(A->value[0] == 6 && A->value[3] == 15);
}

/* So many rows that several threads take them: what comes out is what entries one by one give, and
 * the first of two entries that cannot be is told. */
static void manyRows(void **state) {
  enum { ROWS = 70001, MOST = 4 * ROWS };
  static int64_t begins[ROWS + 1];
  static int32_t columns[MOST];
  static double values[MOST];
  clTriplets *A = NULL, *B = NULL;
  clError e = {0};
  testOk(clTripletsCreate(&B, ROWS, ROWS, 0, &e), &e, "create", __FILE__, __LINE__);
  for (int32_t i = 0; i < ROWS; i++) {
    begins[i + 1] = begins[i] + i % 5;
    for (int64_t k = begins[i]; k < begins[i + 1]; k++) {
      columns[k] = (int32_t)(k * 40503 % ROWS);
      values[k] = 1 + (double)k / 3;
      testOk(clTripletsAdd(B, i, columns[k], values[k], &e), &e, "add", __FILE__, __LINE__);
    }
  }
  testOk(clTripletsCompress(B, &e), &e, "compress", __FILE__, __LINE__);
  testOk(clTripletsFromCsr(&A, ROWS, ROWS, begins, columns, values, &e), &e, "from", __FILE__,
         __LINE__);
  assert_int_equal(A->count, B->count);
  assert_memory_equal(A->row, B->row, (size_t)B->count * sizeof *B->row);
  assert_memory_equal(A->col, B->col, (size_t)B->count * sizeof *B->col);
  assert_memory_equal(A->value, B->value, (size_t)B->count * sizeof *B->value);
  clTripletsDestroy(A);
  A = NULL;
  columns[130000] = ROWS;
  values[60000] = INFINITY;
  FAILS(clTripletsFromCsr(&A, ROWS, ROWS, begins, columns, values, &e), TEXLA_NOT_FINITE,
        "entry 60000");
  values[60000] = 0;
  FAILS(clTripletsFromCsr(&A, ROWS, ROWS, begins, columns, values, &e), TEXLA_BAD_ARGUMENT,
        "entry 130000: position (");
  assert_null(A);
  clTripletsDestroy(B);
}

TEST_MAIN(NULL, NULL, rowsInAndOut, badRows, manyAtOnce, manyRows)
