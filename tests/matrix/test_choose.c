/* Which storage a matrix gets, and why. */
#include "common.h"

#include "matrices.h"
#include "matrix/matrix.h"
#include "texla/texla.h"

/* T's storage and a word of the reason; consumes T. */
static void assertChoice(clContext *context, clTriplets *T, clStorage expected,
                         const char *reason) {
  char why[128] = "";
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  txRows rows;
  assert_int_equal(txRowsFind(&rows, T, "test", NULL), TEXLA_OK);
  clStorage storage;
  assertOk(context, txStorageChoose(&storage, context, "test", &rows, why, sizeof why));
  txRowsForget(&rows);
  if (storage != expected || !strstr(why, reason))
    fail_msg("%s (%s) instead of %s (%s)", clStorageName(storage), why, clStorageName(expected),
             reason);
  clTripletsDestroy(T);
}

/* `count` entries in random columns of every row. */
static void scatter(clTriplets *T, int count) {
  for (int32_t i = 0; i < T->rows; i++)
    for (int k = 0; k < count; k++)
      assert_int_equal(
          clTripletsAdd(T, i, (int32_t)((unsigned)rand() % (unsigned)T->cols), 1, NULL), TEXLA_OK);
}

static void fullMatricesAreDense(void **state) {
  clTriplets *T = NULL;
  assert_int_equal(clGenerateDense(&T, 300, 1, NULL), TEXLA_OK);
  assertChoice(*state, T, TEXLA_STORAGE_DENSE, "100 % full");
}

static void stencilsAreBanded(void **state) {
  clTriplets *T = NULL;
  assert_int_equal(clGeneratePoisson2d(&T, 100, 90, NULL), TEXLA_OK);
  assertChoice(*state, T, TEXLA_STORAGE_BANDED, "5 diagonals, 99 % full");
}

static void scatteredRowsOfOneLengthGetSlots(void **state) {
  clTriplets *T = emptyMatrix(20000, 20000);
  scatter(T, 5);
  assertChoice(*state, T, TEXLA_STORAGE_SLOTS, "rows of up to 5 entries, 5.0 on average");
}

static void aFewLongRowsGetCsr(void **state) {
  clTriplets *T = emptyMatrix(200000, 200000);
  for (int k = 0; k < 60000; k++)
    assert_int_equal(clTripletsAdd(T, 1000 * (k % 10), 3 * k, 1, NULL), TEXLA_OK);
  assertChoice(*state, T, TEXLA_STORAGE_CSR, "few long rows of up to 6000 entries");
}

/* 200 x 200 full needs more than the 64 KiB of this context; the gathering storages say so
 * themselves. */
static void whatDoesNotFitIsNotChosen(void **state) {
  OWN(clContext) *small = NULL;
  clContextOptions options = {.no_tuning_cache = true, .memory_limit = (size_t)1 << 16};
  assert_int_equal(clContextCreate(&small, &options, NULL), TEXLA_OK);
  clTriplets *T = NULL;
  assert_int_equal(clGenerateDense(&T, 200, 1, NULL), TEXLA_OK);
  assertChoice(small, T, TEXLA_STORAGE_SLOTS, "200");
}

static void emptyMatricesAreChosenFor(void **state) {
  assertChoice(*state, emptyMatrix(1000, 1000), TEXLA_STORAGE_BANDED, "0 diagonals");
}

TEST_MAIN(testContextCreate, testContextDestroy, fullMatricesAreDense, stencilsAreBanded,
          scatteredRowsOfOneLengthGetSlots, aFewLongRowsGetCsr, whatDoesNotFitIsNotChosen,
          emptyMatricesAreChosenFor)
