/* Creation, questions, refusals and lives of matrices in the storages dense, points, csr and
 * slots. */
#include "common.h"

#include "matrices.h"
#include "matrix/matrix.h"
#include "matrix/slots.h"
#include "texla/texla.h"

static const clStorage storages[] = {TEXLA_STORAGE_DENSE, TEXLA_STORAGE_POINTS, TEXLA_STORAGE_CSR,
                                     TEXLA_STORAGE_SLOTS};
enum { STORAGES = sizeof storages / sizeof *storages };

static void add(clTriplets *T, int32_t i, int32_t j, double value) {
  assert_int_equal(clTripletsAdd(T, i, j, value, NULL), TEXLA_OK);
}

static void questions(void **state) {
  static const char *const descriptions[] = {
      "dense, 3 x 5, a texture of 1 x 5", "points, 3 x 5, 3 entries in 2 points",
      "csr, 3 x 5, 3 entries, longest row 2", "slots, 3 x 5, 3 entries, 2 slots a row"};
  OWN(clTriplets) *T = emptyMatrix(3, 5);
  add(T, 0, 4, 1);
  /* explicit zeros count */
  add(T, 2, 0, 0);
  add(T, 2, 1, 2);
  for (int s = 0; s < STORAGES; s++) {
    OWN(clMatrix) *A = NULL;
    OWN(clVector) *x = NULL, *y = NULL;
    assertOk(*state, clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = storages[s]}));
    assert_int_equal(clMatrixRows(A), 3);
    assert_int_equal(clMatrixCols(A), 5);
    assert_int_equal(clMatrixEntries(A), 3);
    assert_int_equal(clMatrixStorage(A), storages[s]);
    assert_ptr_equal(clMatrixContext(A), *state);
    assert_string_equal(clMatrixDescription(A), descriptions[s]);
    assertOk(*state, clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
    assertOk(*state, clMatrixCreateVector(&y, A, TEXLA_RANGE));
    assert_int_equal(clVectorLength(x), 5);
    assert_int_equal(clVectorLength(y), 3);
  }
}

static void badTriplets(void **state) {
  clMatrix *A = NULL;
  OWN(clTriplets) *T = emptyMatrix(4, 4);
  add(T, 2, 1, 1);
  add(T, 1, 3, 1);
  for (int s = 0; s < STORAGES; s++)
    assertFails(
        *state, clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = storages[s]}),
        TEXLA_BAD_ARGUMENT,
        "entry 2 at (2, 4) of the 4 x 4 matrix is out of order: call clTripletsCompress first");
  T->row[1] = 4;
  assertFails(*state, clMatrixCreate(&A, *state, T, NULL), TEXLA_BAD_ARGUMENT, "out of range");
  T->row[1] = 3;
  T->value[1] = 1e39;
  assertFails(*state, clMatrixCreate(&A, *state, T, NULL), TEXLA_NOT_FINITE,
              "entry (4, 4) is 1e+39");
  assert_null(A);
}

static void badArrays(void **state) {
  float values[6] = {1, 2, 3, 4, NAN, 6};
  OWN(clMatrix) *A = NULL;
  assertFails(*state, clMatrixCreateDense(&A, *state, 2, 2, values, 3), TEXLA_NOT_FINITE,
              "entry (2, 2) is nan");
  values[4] = INFINITY;
  assertFails(*state, clMatrixCreateDense(&A, *state, 2, 2, values, 3), TEXLA_NOT_FINITE,
              "entry (2, 2) is inf");
  assertFails(*state, clMatrixCreateDense(&A, *state, 2, 2, values, 1), TEXLA_BAD_ARGUMENT,
              "lead (1)");
  assertFails(*state, clMatrixCreateDense(&A, *state, 0, 2, values, 3), TEXLA_BAD_ARGUMENT,
              "rows (0)");
  assertFails(*state, clMatrixCreateDense(&A, *state, 2, 2, NULL, 3), TEXLA_BAD_ARGUMENT, "values");
  assert_int_equal(clMatrixCreateDense(&A, NULL, 2, 2, values, 3), TEXLA_BAD_ARGUMENT);
  assert_null(A);
  /* the gap between rows may hold anything */
  values[4] = 5;
  values[2] = values[5] = NAN;
  assertOk(*state, clMatrixCreateDense(&A, *state, 2, 2, values, 3));
  assert_int_equal(clMatrixEntries(A), 4);
}

/* Refused before anything is allocated, in the device's words and numbers. */
static void tooLarge(void **state) {
  int32_t limit = clContextInspect(*state)->max_texture_size;
  clMatrix *A = NULL;
  clTriplets *T = emptyMatrix(limit * 2, limit * 4);
  size_t used = clContextStatistics(*state).bytes_used;
  assertFails(*state,
              clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_DENSE}),
              TEXLA_TOO_LARGE, "do not fit into one texture");
  clTripletsDestroy(T);
  OWN(clContext) *small = testContextWith((clContextOptions){.memory_limit = 1 << 20});
  size_t small_used = clContextStatistics(small).bytes_used;
  assert_int_equal(clGeneratePoisson2d(&T, 200, 200, NULL), TEXLA_OK);
  for (int s = 1; s < STORAGES; s++)
    assertFails(small, clMatrixCreate(&A, small, T, &(clMatrixOptions){.storage = storages[s]}),
                TEXLA_OUT_OF_MEMORY, "more bytes on the device");
  assert_null(A);
  assert_int_equal(clContextStatistics(small).bytes_used, small_used);
  assert_int_equal(clContextStatistics(*state).bytes_used, used);
  clTripletsDestroy(T);
}

/* Long rows among short ones do not pad them all. */
static void slotsFollowTheRows(void **state) {
  int32_t n = 200000;
  OWN(clTriplets) *T = emptyMatrix(n, n);
  for (int32_t i = 0; i < n; i++) {
    if (i % 50000 == 7)
      for (int32_t j = 0; j < 3000; j++)
        add(T, i, j * 3, 1);
    else if (i >= n / 2)
      for (int32_t j = 0; j < 11; j++)
        add(T, i, j, 1);
    else
      add(T, i, i, 1);
  }
  OWN(clMatrix) *A = NULL;
  assertOk(*state,
           clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_SLOTS}));
  const txSlots *slots = A->data;
  assert_non_null(slots->rest);
  assert_null(slots->rest->host);
  assert_true(slots->blocks > 1);
  assert_true((int64_t)slots->value->width * slots->value->height * 4 < 2 * T->count);
  assert_non_null(strstr(clMatrixDescription(A), "1 to 12 slots a row, 11"));
}

static void nothingLeaks(void **state) {
  OWN(clTriplets) *T = NULL;
  assert_int_equal(clGenerateBanded(&T, 500, (const int32_t[]){-7, 0, 3}, 3, 1, NULL), TEXLA_OK);
  for (int s = 0; s < STORAGES; s++) {
    size_t used = clContextStatistics(*state).bytes_used;
    clMatrix *A = NULL;
    clVector *x = NULL, *y = NULL;
    assertOk(*state, clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = storages[s]}));
    assertOk(*state, clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
    assertOk(*state, clMatrixCreateVector(&y, A, TEXLA_RANGE));
    for (int transposed = 0; transposed < 2; transposed++)
      assertOk(*state, clMatrixVectorOp(y, TEXLA_OP_AX_PLUS_B, A, (clTranspose)transposed, x, y));
    assert_true(clContextStatistics(*state).bytes_used > used);
    clMatrixDestroy(A);
    clVectorDestroy(x);
    clVectorDestroy(y);
    assert_int_equal(clContextStatistics(*state).bytes_used, used);
  }
}

static void badOperands(void **state) {
  OWN(clContext) *other = testContextWith((clContextOptions){0});
  OWN(clTriplets) *T = emptyMatrix(6, 9);
  add(T, 3, 3, 1);
  for (int s = 0; s < STORAGES; s++) {
    OWN(clMatrix) *A = NULL;
    OWN(clVector) *x = NULL, *y = NULL, *foreign = NULL;
    assertOk(*state, clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = storages[s]}));
    assertOk(*state, clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
    assertOk(*state, clMatrixCreateVector(&y, A, TEXLA_RANGE));
    assertOk(other, clVectorCreate(&foreign, other, 9));
    assertFails(*state, clMatrixMulVector(y, A, foreign), TEXLA_FOREIGN_CONTEXT,
                "clMatrixMulVector");
    assertFails(*state, clMatrixMulVector(x, A, y), TEXLA_BAD_SHAPE, "linear of length");
    assertFails(*state, clMatrixVectorOp(y, TEXLA_OP_AX_PLUS_B, A, TEXLA_NO_TRANSPOSE, x, NULL),
                TEXLA_BAD_ARGUMENT, "b must not be NULL");
    assertFails(*state, clMatrixDiagonal(y, A), TEXLA_BAD_SHAPE, "6 x 9, not square");
  }
}

/* Objects may outlive their context, to be destroyed. */
static void contextsMayGoFirst(void **state) {
  OWN(clTriplets) *T = NULL;
  assert_int_equal(clGeneratePoisson2d(&T, 30, 30, NULL), TEXLA_OK);
  /* the transposed matrix is another one */
  T->value[0] = 9;
  for (int s = 0; s < STORAGES; s++) {
    clContext *context = testContextWith((clContextOptions){0});
    OWN(clMatrix) *A = NULL;
    OWN(clVector) *x = NULL, *y = NULL;
    assertOk(context, clMatrixCreate(&A, context, T, &(clMatrixOptions){.storage = storages[s]}));
    assertOk(context, clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
    assertOk(context, clMatrixCreateVector(&y, A, TEXLA_RANGE));
    assertOk(context, clMatrixVectorOp(y, TEXLA_OP_AX, A, TEXLA_TRANSPOSE, x, NULL));
    clContextDestroy(context);
    assert_int_not_equal(clMatrixMulVector(y, A, x), TEXLA_OK);
    assert_int_equal(clMatrixRows(A), 900);
  }
}

TEST_MAIN(testContextCreate, testContextDestroy, questions, badTriplets, badArrays, tooLarge,
          nothingLeaks, badOperands, slotsFollowTheRows, contextsMayGoFirst)
