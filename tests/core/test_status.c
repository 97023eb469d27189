/* Status codes and messages. */
#include "common.h"

#include "core/error.h"

static const clStatus statuses[] = {
#define NAME(name, value, text) name,
    TEXLA_STATUS_LIST(NAME)
#undef NAME
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

static void everyStatusHasItsOwnText(void **state) {
  for (int a = 0; a < STATUSES; a++) {
    assert_true(strlen(clStatusText(statuses[a])) > 0);
    assert_string_not_equal(clStatusText(statuses[a]), clStatusText((clStatus)-1000));
    for (int b = 0; b < a; b++) {
      assert_int_not_equal(statuses[a], statuses[b]);
      assert_string_not_equal(clStatusText(statuses[a]), clStatusText(statuses[b]));
    }
  }
  assert_int_equal(TEXLA_OK, 0);
  assert_true(TEXLA_NOT_CONVERGED > 0 && TEXLA_BAD_ARGUMENT < 0);
  assert_string_equal(clStatusText((clStatus)4711), "unknown status");
}

static void failureNamesCallAndSizes(void **state) {
  clError error = {0};
  clStatus status = txFail(&error, TEXLA_BAD_SHAPE, "clMatrixMulVector", "A is %d x %d", 512, 256);
  assert_int_equal(status, TEXLA_BAD_SHAPE);
  assert_int_equal(error.status, TEXLA_BAD_SHAPE);
  assert_string_equal(error.message, "clMatrixMulVector: A is 512 x 256");
  assert_int_equal(txFail(NULL, TEXLA_IO_ERROR, "call", "%s", "text"), TEXLA_IO_ERROR);
}

static void longMessagesAreCut(void **state) {
  char text[3000];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = 0;
  struct {
    clError error;
    char guard;
  } box = {.guard = 42};
  txFail(&box.error, TEXLA_IO_ERROR, "call", "%s", text);
  assert_int_equal(strlen(box.error.message), sizeof box.error.message - 1);
  assert_memory_equal(box.error.message, "call: xxx", 9);
  txFail(&box.error, TEXLA_IO_ERROR, text, "%s", text);
  assert_int_equal(strlen(box.error.message), sizeof box.error.message - 1);
  assert_int_equal(box.guard, 42);
}

static void messagesHoldNoControlCharacters(void **state) {
  clError error = {0};
  txFail(&error, TEXLA_BAD_FILE, "call", "%s",
         "a\x1b]0;b\x07\r\x7f\xc2\x9b"
         "c\xc3\xa9\t\nd\xc2");
  assert_string_equal(error.message, "call: a?]0;b?????c\xc3\xa9\t\nd\xc2");
}

TEST_MAIN(NULL, NULL, everyStatusHasItsOwnText, failureNamesCallAndSizes, longMessagesAreCut,
          messagesHoldNoControlCharacters)
