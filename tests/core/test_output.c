/* Outputs appear whole or not at all. */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "io/files.h"
#include "core/output.h"

/* What the library does to a file before and after it has its name; the linker puts these functions
 * into the place of the C library's. */
static int synced, renamed, sync_fails;
/* that were in the file */
static off_t synced_bytes;

int __real_fsync(int file);
int __real_rename(const char *from, const char *to);

int __wrap_fsync(int file) {
  struct stat info;
  synced++;
  synced_bytes = fstat(file, &info) == 0 ? info.st_size : -1;
  errno = sync_fails ? EIO : 0;
  return sync_fails ? -1 : __real_fsync(file);
}

int __wrap_rename(const char *from, const char *to) {
  renamed++;
  /* each on the disk before */
  assert_true(synced >= renamed);
  return __real_rename(from, to);
}

static clStatus writeText(const char *path, const char *text, clError *error) {
  txOutput output;
  clStatus status = txOutputOpen(&output, path, "caller", error);
  if (status != TEXLA_OK)
    return status;
  fputs(text, output.file);
  return txOutputCommit(&output, error);
}

static void assertFile(const char *path, const char *text) {
  FREED char *bytes = testReadFile(path, NULL);
  assert_string_equal(bytes, text);
}

static void commitReplacesTheFile(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "a");
  assert_int_equal(writeText(path, "old", NULL), TEXLA_OK);
  assert_int_equal(chmod(path, 0640), 0);
  txOutput output;
  assert_int_equal(txOutputOpen(&output, path, "caller", NULL), TEXLA_OK);
  fputs("new", output.file);
  fflush(output.file);
  /* until the commit */
  assertFile(path, "old");
  assert_int_equal(txOutputCommit(&output, NULL), TEXLA_OK);
  assertFile(path, "new");
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  /* harmless now */
  txOutputAbort(&output);
  assert_int_equal(testFolderCount(folder, true), 1);
}

static void abortLeavesNothing(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "a");
  txOutput output;
  for (int existing = 0; existing < 2; existing++) {
    if (existing)
      testWriteFile(path, "old", 3);
    assert_int_equal(txOutputOpen(&output, path, "caller", NULL), TEXLA_OK);
    fputs("new", output.file);
    txOutputAbort(&output);
    txOutputAbort(&output);
    assert_int_equal(testFolderCount(folder, false), existing);
  }
  assertFile(path, "old");
  testFolderCount(folder, true);
}

static void twoWritersDoNotMeet(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "a");
  txOutput first, second;
  assert_int_equal(txOutputOpen(&first, path, "caller", NULL), TEXLA_OK);
  assert_int_equal(txOutputOpen(&second, path, "caller", NULL), TEXLA_OK);
  fputs("first", first.file);
  fputs("second", second.file);
  assert_int_equal(txOutputCommit(&second, NULL), TEXLA_OK);
  assertFile(path, "second");
  assert_int_equal(txOutputCommit(&first, NULL), TEXLA_OK);
  assertFile(path, "first");
  assert_int_equal(testFolderCount(folder, true), 1);
}

static void linksStayLinks(void **state) {
  Folder *folder = *state;
  testWriteFile(folderPath(folder, "target"), "old", 3);
  assert_int_equal(symlink("target", folderPath(folder, "link")), 0);
  assert_int_equal(writeText(folderPath(folder, "link"), "new", NULL), TEXLA_OK);
  assertFile(folderPath(folder, "target"), "new");
  struct stat info;
  assert_int_equal(lstat(folderPath(folder, "link"), &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  testFolderCount(folder, true);
}

static void linksThatLeadNowhereAreRefused(void **state) {
  Folder *folder = *state;
  clError error = {0};
  const char *link = folderPath(folder, "link");
  assert_int_equal(symlink("missing/file", link), 0);
  assert_int_equal(writeText(link, "new", &error), TEXLA_IO_ERROR);
  struct stat info;
  assert_true(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
  assert_int_equal(unlink(link), 0);
}

static void pipesAreWrittenDirectly(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "pipe");
  assert_int_equal(mkfifo(path, 0600), 0);
  int reader = open(path, O_RDONLY | O_NONBLOCK);
  assert_true(reader >= 0);
  assert_int_equal(writeText(path, "text", NULL), TEXLA_OK);
  char bytes[8] = "";
  assert_int_equal(read(reader, bytes, sizeof bytes), 4);
  assert_string_equal(bytes, "text");
  close(reader);
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assert_true(S_ISFIFO(info.st_mode));
  assert_int_equal(testFolderCount(folder, true), 1);
}

static void aFullDeviceIsAnError(void **state) {
  char path[512], message[600];
  if (!testFullDevice(*state, path))
    testSkip("no /dev/full");
  clError error = {0};
  assert_int_equal(writeText(path, "text", &error), TEXLA_IO_ERROR);
  snprintf(message, sizeof message, "caller: writing %s failed: No space left on device", path);
  assert_string_equal(error.message, message);
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assert_true(S_ISCHR(info.st_mode));
  testFolderCount(*state, true);
}

static void unwritablePathsAreErrors(void **state) {
  Folder *folder = *state;
  clError error = {0};
  assert_int_equal(writeText(folder->name, "text", &error), TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "Is a directory"));
  assert_int_equal(writeText(folderPath(folder, "no/such/file"), "text", &error), TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "No such file or directory"));
  assert_int_equal(writeText("", "text", &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(writeText(NULL, "text", &error), TEXLA_BAD_ARGUMENT);
  const char *path = folderPath(folder, "a");
  testWriteFile(path, "old", 3);
  assert_int_equal(chmod(path, 0400), 0);
  /* root may write everything */
  if (geteuid() != 0) {
    assert_int_equal(writeText(path, "new", &error), TEXLA_IO_ERROR);
    assertFile(path, "old");
  }
  assert_int_equal(testFolderCount(folder, true), 1);
}

static void aFullDiskLeavesTheOldFile(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "a");
  testWriteFile(path, "old", 3);
  struct rlimit old, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 10000;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  clError error = {0};
  txOutput output;
  assert_int_equal(txOutputOpen(&output, path, "caller", &error), TEXLA_OK);
  for (int k = 0; k < 100000; k++)
    fputs("0123456789", output.file);
  clStatus status = txOutputCommit(&output, &error);
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "failed"));
  assertFile(path, "old");
  assert_int_equal(testFolderCount(folder, true), 1);
}

static void openAll(Folder *folder, txOutput output[3]) {
  const char *const name[] = {"a", "b", "c"};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(txOutputOpen(&output[k], folderPath(folder, name[k]), "caller", NULL),
                     TEXLA_OK);
    fprintf(output[k].file, "new %s", name[k]);
  }
}

static void severalAppearTogether(void **state) {
  Folder *folder = *state;
  /* the last one was not asked for */
  txOutput output[4] = {0};
  testWriteFile(folderPath(folder, "b"), "old", 3);
  openAll(folder, output);
  assert_int_equal(txOutputCommitAll(output, 4, NULL), TEXLA_OK);
  assertFile(folderPath(folder, "a"), "new a");
  assertFile(folderPath(folder, "b"), "new b");
  assertFile(folderPath(folder, "c"), "new c");
  assert_int_equal(testFolderCount(folder, true), 3);
}

/* The last of three cannot take its name: a folder has it by now. */
static void orNoneOfThem(void **state) {
  Folder *folder = *state;
  clError error = {0};
  txOutput output[3];
  testWriteFile(folderPath(folder, "a"), "old", 3);
  openAll(folder, output);
  assert_int_equal(mkdir(folderPath(folder, "c"), 0700), 0);
  assert_int_equal(txOutputCommitAll(output, 3, &error), TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "caller: writing "));
  assertFile(folderPath(folder, "a"), "old");
  assert_int_not_equal(access(folderPath(folder, "b"), F_OK), 0);
  assert_int_equal(rmdir(folderPath(folder, "c")), 0);
  assert_int_equal(testFolderCount(folder, true), 1);
}

static void aReasonThatWasForgottenIsFound(void **state) {
  char path[512];
  clError error = {0};
  txOutput output;
  if (!testFullDevice(*state, path))
    testSkip("no /dev/full");
  assert_int_equal(txOutputOpen(&output, path, "caller", NULL), TEXLA_OK);
  for (int k = 0; k < 100000; k++)
    fputs("0123456789", output.file);
  errno = 0;
  assert_int_equal(txOutputCommit(&output, &error), TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "No space left on device"));
  testFolderCount(*state, true);
}

/* A program that is killed in the middle leaves the old file and nothing else. */
static void aKilledProgramLeavesNothing(void **state) {
  Folder *folder = *state;
  int status = 0;
  testWriteFile(folderPath(folder, "a"), "old", 3);
  pid_t child = fork();
  if (child == 0) {
    txOutput output[3];
    openAll(folder, output);
    bool unnamed = output[0].unnamed;
    for (int k = 0; k < 3; k++)
      fflush(output[k].file);
    if (unnamed)
      raise(SIGKILL);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assertFile(folderPath(folder, "a"), "old");
  int count = testFolderCount(folder, true);
  if (!WIFSIGNALED(status))
    testSkip("the system makes no files without names");
  assert_int_equal(count, 1);
}

/* A crash of the machine leaves the old content or the new one: all of it is on the disk before it
 * takes the name. */
static void contentIsOnTheDiskBeforeItHasItsName(void **state) {
  Folder *folder = *state;
  const char *path = folderPath(folder, "a");
  txOutput output[3];
  clError error = {0};
  testWriteFile(path, "old", 3);
  synced = renamed = 0;
  assert_int_equal(writeText(path, "new text", NULL), TEXLA_OK);
  assert_true(synced == 1 && synced_bytes == 8 && renamed == 1);
  synced = renamed = 0;
  openAll(folder, output);
  assert_int_equal(txOutputCommitAll(output, 3, NULL), TEXLA_OK);
  assert_true(synced == 3 && renamed >= 3);
  testFolderCount(folder, true);
  testWriteFile(folderPath(folder, "a"), "old", 3);
  synced = renamed = 0;
  sync_fails = 1;
  clStatus status = writeText(folderPath(folder, "a"), "new", &error);
  sync_fails = 0;
  assert_int_equal(status, TEXLA_IO_ERROR);
  assert_non_null(strstr(error.message, "a failed: Input/output error"));
  assert_true(synced == 1 && renamed == 0);
  assertFile(folderPath(folder, "a"), "old");
  assert_int_equal(testFolderCount(folder, true), 1);
}

/* As another user than root, who may write everything. */
static void sealedFilesStay(void **state) {
  Folder *folder = *state;
  int status = 0;
  testWriteFile(folderPath(folder, "a"), "old", 3);
  assert_int_equal(chmod(folderPath(folder, "a"), 0444), 0);
  assert_int_equal(chmod(folder->name, 0777), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    clError error = {0};
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
      _exit(77);
    bool refused = writeText(folderPath(folder, "a"), "new", &error) == TEXLA_IO_ERROR;
    _exit(refused && strstr(error.message, "cannot write ") &&
                  strstr(error.message, "Permission denied")
              ? 0
              : 1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assertFile(folderPath(folder, "a"), "old");
  assert_int_equal(testFolderCount(folder, true), 1);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    testSkip("no user without rights to try it as");
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_MAIN(testFolderCreate, testFolderDestroy, contentIsOnTheDiskBeforeItHasItsName,
          sealedFilesStay, commitReplacesTheFile, abortLeavesNothing, twoWritersDoNotMeet,
          linksStayLinks, linksThatLeadNowhereAreRefused, pipesAreWrittenDirectly,
          aFullDeviceIsAnError, unwritablePathsAreErrors, aFullDiskLeavesTheOldFile,
          severalAppearTogether, orNoneOfThem, aReasonThatWasForgottenIsFound,
          aKilledProgramLeavesNothing)
