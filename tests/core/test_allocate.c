/* What an allocation says that fails. */
#include "common.h"
#include "core/allocate.h"

static void testZeroed(void **state) {
  clError error = {0};
  unsigned char *bytes = txAllocate(&error, "clTest", 100, 3, "bytes");
  assert_non_null(bytes);
  for (int i = 0; i < 300; i++)
    assert_int_equal(bytes[i], 0);
  free(bytes);
  free(txAllocate(&error, "clTest", 0, 8, "nothing"));
  assert_int_equal(error.status, TEXLA_OK);
}

/* A product beyond SIZE_MAX must not wrap into a small one. */
static void testTooMuch(void **state) {
  clError error = {0};
  assert_null(txAllocate(&error, "clTest", SIZE_MAX / 2, 16, "pivots"));
  assert_int_equal(error.status, TEXLA_OUT_OF_MEMORY);
  assert_memory_equal(error.message, "clTest: no memory for pivots (", 30);
  assert_null(txAllocate(NULL, "clTest", SIZE_MAX / 2, 16, "pivots"));
}

static void testReallocate(void **state) {
  clError error = {0};
  FREED int *numbers = txReallocate(&error, "clTest", NULL, 2, sizeof *numbers, "numbers");
  assert_non_null(numbers);
  numbers[0] = 7;
  assert_null(txReallocate(&error, "clTest", numbers, SIZE_MAX / 2, sizeof *numbers, "numbers"));
  assert_int_equal(error.status, TEXLA_OUT_OF_MEMORY);
  assert_int_equal(numbers[0], 7);
}

static void testCopyText(void **state) {
  FREED char *copy = txCopyText(NULL, "clTest", "texla", "a name");
  assert_string_equal(copy, "texla");
}

TEST_MAIN(NULL, NULL, testZeroed, testTooMuch, testReallocate, testCopyText)
