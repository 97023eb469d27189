/* Small files are read whole; what is no such file is refused without waiting for it. */
#include "common.h"

#include <sys/stat.h>

#include "core/input.h"
#include "io/files.h"

static void contentComesWhole(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "a"), bytes[] = "one\0two\n";
  char *text = NULL;
  size_t length = 0;
  for (size_t size = 0; size <= sizeof bytes; size++) {
    testWriteFile(path, bytes, size);
    assert_int_equal(txInputRead(&text, &length, path, sizeof bytes, "caller", NULL), TEXLA_OK);
    assert_int_equal(length, size);
    assert_memory_equal(text, bytes, size);
    assert_int_equal(text[size], 0);
    free(text);
  }
  testFolderCount(folder, true);
}

static void noFileIsNoError(void **state) {
  char *text = (char *)"";
  assert_int_equal(txInputRead(&text, NULL, folderPath(*state, "none"), 10, "caller", NULL),
                   TEXLA_OK);
  assert_null(text);
}

static void assertRefused(const char *path, clStatus wanted, const char *why) {
  clError error = {0};
  char *text = NULL;
  assert_int_equal(txInputRead(&text, NULL, path, 100, "caller", &error), wanted);
  assert_null(text);
  assert_non_null(strstr(error.message, why));
}

static void otherThingsAreRefused(void **state) {
  Folder *folder = *state;
  char bytes[101] = "";
  const char *path = folderPath(folder, "a");
  assert_int_equal(mkfifo(path, 0600), 0);
  assertRefused(path, TEXLA_IO_ERROR, "it is not a regular file");
  testFolderCount(folder, true);
  assertRefused(folder->name, TEXLA_IO_ERROR, "it is not a regular file");
  assertRefused("/dev/zero", TEXLA_IO_ERROR, "it is not a regular file");
  testWriteFile(path, bytes, sizeof bytes);
  assertRefused(path, TEXLA_TOO_LARGE, "has 101 bytes, and at most 100 are expected");
  assert_int_equal(truncate(path, (off_t)3 << 30), 0);
  assertRefused(path, TEXLA_TOO_LARGE, "has 3221225472 bytes");
  assertRefused(folderPath(folder, "a/b"), TEXLA_IO_ERROR, "Not a directory");
  testFolderCount(folder, true);
}

TEST_MAIN(testFolderCreate, testFolderDestroy, contentComesWhole, noFileIsNoError,
          otherThingsAreRefused)
