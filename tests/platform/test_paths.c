/* What a path leads to, and whether two lead to the same file. */
#include "common.h"
#include "folder.h"

#include "platform/platform.h"

#include <errno.h>

static void writeFile(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void inFolder(Folder *folder, const char *name, char path[600]) {
  snprintf(path, 600, "%s", folderPath(folder, name));
}

static void kindsAreTold(void **state) {
  Folder *folder = *state;
  char path[600];
  unsigned mode = 0;
  inFolder(folder, "kinds", path);
  errno = 0;
  assert_int_equal(txPathLook(path, NULL), TX_PATH_NOTHING);
  assert_int_equal(errno, ENOENT);
  writeFile(path, "text");
  assert_int_equal(txPathLook(path, &mode), TX_PATH_FILE);
  assert_true(mode != 0);
  assert_true(txPathReadable(path) && txPathWritable(path));
  inFolder(folder, "deeper", path);
  assert_false(txPathReadable(path));
  assert_false(txPathWritable(path));
  assert_true(txFolderCreate(path));
  assert_int_equal(txPathLook(path, NULL), TX_PATH_FOLDER);
}

/* Files with the same content are two; a second name, and another spelling, are one. */
static void sameIsTheFileAndNotItsContent(void **state) {
  Folder *folder = *state;
  char one[600], two[600], second[600], around[700];
  inFolder(folder, "one", one);
  inFolder(folder, "two", two);
  inFolder(folder, "second", second);
  inFolder(folder, ".", around);
  snprintf(around + strlen(around), 90, "/one");
  writeFile(one, "text");
  writeFile(two, "text");
  assert_false(txPathSame(one, two));
  assert_true(txPathSame(one, one));
  assert_true(txPathSame(one, around));
  assert_true(txFileLink(one, second));
  assert_true(txPathSame(one, second));
  assert_false(txPathSame(two, second));
  inFolder(folder, "none", second);
  assert_false(txPathSame(second, second));
  inFolder(folder, ".", second);
  assert_false(txPathSame(second, second));
}

static void filesAreReadToTheirEnd(void **state) {
  Folder *folder = *state;
  char path[600], bytes[16] = "";
  uint64_t size = 0;
  inFolder(folder, "read", path);
  writeFile(path, "1\r\n2\n\x1a");
  int file = txFileOpen(path);
  assert_true(file >= 0);
  assert_int_equal(txFileLook(file, &size), TX_PATH_FILE);
  assert_int_equal(size, 6);
  assert_int_equal(txFileRead(file, bytes, sizeof bytes), 6);
  assert_memory_equal(bytes, "1\r\n2\n\x1a", 6);
  assert_int_equal(txFileRead(file, bytes, sizeof bytes), 0);
  txFileClose(file);
}

typedef struct seen {
  int files, calls, most;
} seen;

static bool count(void *user, const char *name) {
  seen *s = user;
  s->files += !strncmp(name, "listed", 6);
  return ++s->calls < s->most;
}

static void foldersAreListed(void **state) {
  Folder *folder = *state;
  char path[600];
  for (int i = 0; i < 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "listed%d", i);
    inFolder(folder, name, path);
    writeFile(path, "");
  }
  inFolder(folder, ".", path);
  seen s = {.most = 1000};
  txFolderList(path, count, &s);
  assert_int_equal(s.files, 3);
  s = (seen){.most = 1};
  txFolderList(path, count, &s);
  assert_int_equal(s.calls, 1);
  inFolder(folder, "nowhere", path);
  s = (seen){.most = 1000};
  txFolderList(path, count, &s);
  assert_int_equal(s.calls, 0);
}

static void lettersCompareWithoutCase(void **state) {
  assert_int_equal(txCompareLetters("NODATA_value", "nodata_VALUE"), 0);
  assert_true(txCompareLetters("a", "B") < 0);
  assert_true(txCompareLetters("ab", "A") > 0);
}

static int enterFolder(void **state) {
  static Folder folder;
  folderCreate(&folder);
  *state = &folder;
  return 0;
}

static int leaveFolder(void **state) {
  folderDestroy(*state);
  return 0;
}

TEST_MAIN(enterFolder, leaveFolder, kindsAreTold, sameIsTheFileAndNotItsContent,
          filesAreReadToTheirEnd, foldersAreListed, lettersCompareWithoutCase)
