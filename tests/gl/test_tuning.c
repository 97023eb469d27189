/* The tuning table: measured, remembered, pinned, cached; files that are not right. */
#include "common.h"

#include "folder.h"
#include "gl/gl.h"
#include "gl/tuning.h"
#include "io/files.h"
#include "texla/version.h"

#include <dirent.h>
#include <sys/wait.h>
#include <time.h>

static void keepWarning(void *user, clLogLevel level, const char *message) {
  clError *heard = user;
  if (level == TEXLA_LOG_WARNING)
    snprintf(heard->message, sizeof heard->message, "%s", message);
}

static const int candidates[] = {1, 2, 3};

typedef struct Variants {
  int runs[4], slow_below, failing;
} Variants;

static clStatus runVariant(void *user, int value) {
  Variants *v = user;
  v->runs[value]++;
  if (value < v->slow_below)
    nanosleep(&(struct timespec){0, 3000000}, NULL);
  return value == v->failing ? TEXLA_DEVICE_ERROR : TEXLA_OK;
}

static int choose(clContext *context, const char *key, Variants *v) {
  int value = 0;
  assertOk(context, txTuningChoose(context, key, candidates, 3, runVariant, v, 2, &value));
  return value;
}

static int measured(const Variants *v) {
  return v->runs[1] + v->runs[2] + v->runs[3];
}

static clContext *newContext(const char *tuning, bool cached) {
  clContext *context = NULL;
  clError error = {0};
  const clContextOptions options = {.tuning = tuning, .no_tuning_cache = !cached};
  testOk(clContextCreate(&context, &options, &error), &error, "clContextCreate", __FILE__,
         __LINE__);
  return context;
}

static void theFastestIsRemembered(void **state) {
  clContext *context = *state;
  Variants v = {.slow_below = 3};
  assert_int_equal(choose(context, "test.fastest", &v), 3);
  assert_true(v.runs[1] >= 3 && v.runs[2] >= 3 && v.runs[3] >= 3);
  int runs = measured(&v);
  assert_int_equal(choose(context, "test.fastest", &v), 3);
  assert_int_equal(measured(&v), runs);
  const char *key = NULL;
  int value = 0, found = 0;
  for (int i = 0; clContextTuning(context, i, &key, &value); i++)
    found += !strcmp(key, "test.fastest") && value == 3;
  assert_int_equal(found, 1);
  assert_false(clContextTuning(context, -1, &key, &value));
  assert_false(clContextTuning(NULL, 0, &key, &value));
}

static void failingVariantsAreLeftOut(void **state) {
  clContext *context = *state;
  Variants v = {.slow_below = 3, .failing = 3};
  assert_int_not_equal(choose(context, "test.failing", &v), 3);
  int value = 0;
  Variants one = {.failing = 1};
  assertOk(context,
           txTuningChoose(context, "test.all failing", candidates, 1, runVariant, &one, 1, &value));
  assert_int_equal(value, 1);
  /* nothing was remembered */
  one.failing = one.runs[1] = 0;
  assertOk(context,
           txTuningChoose(context, "test.all failing", candidates, 1, runVariant, &one, 2, &value));
  assert_true(value == 1 && one.runs[1] > 0);
}

static void pinnedFile(void **state) {
  AT_END(folderDestroy) Folder folder;
  Variants v = {.slow_below = 3};
  folderCreate(&folder);
  folderWrite(&folder, "pinned", "# comment\n\ntest.a 1\n  test.b\t2  \r\ntest.odd 17\n");
  const char *path = folderPath(&folder, "pinned");
  clContext *context = newContext(path, false);
  /* though it is slow */
  assert_int_equal(choose(context, "test.a", &v), 1);
  assert_int_equal(choose(context, "test.b", &v), 2);
  assert_int_equal(measured(&v), 0);
  /* 17 is no candidate */
  assert_int_equal(choose(context, "test.odd", &v), 3);
  /* missing: measured and added */
  assert_int_equal(choose(context, "test.c", &v), 3);
  clContextDestroy(context);
  context = newContext(path, false);
  Variants none = {0};
  assert_int_equal(choose(context, "test.c", &none), 3);
  assert_int_equal(choose(context, "test.odd", &none), 3);
  assert_int_equal(choose(context, "test.a", &none), 1);
  assert_int_equal(measured(&none), 0);
  clContextDestroy(context);
}

/* TEXLA_TUNING: what the file says is used, nothing is written to it, and a file that is named in
 * the options goes before. */
static void sharedFile(void **state) {
  static const char table[] = "# texla\ntest.a 1\n";
  AT_END(folderDestroy) Folder folder;
  Variants none = {0}, v = {.slow_below = 3};
  folderCreate(&folder);
  folderWrite(&folder, "shared", table);
  folderWrite(&folder, "own", "# texla\ntest.a 2\n");
  setenv("TEXLA_TUNING", folderPath(&folder, "shared"), 1);
  clContext *context = newContext(NULL, false);
  assert_int_equal(choose(context, "test.a", &none), 1);
  assert_int_equal(measured(&none), 0);
  assert_int_equal(choose(context, "test.missing", &v), 3);
  clContextDestroy(context);
  char *text = testReadFile(folderPath(&folder, "shared"), NULL);
  assert_string_equal(text, table);
  free(text);
  context = newContext(folderPath(&folder, "own"), false);
  assert_int_equal(choose(context, "test.a", &none), 2);
  clContextDestroy(context);
  unsetenv("TEXLA_TUNING");
}

static void missingPinnedFileIsBegun(void **state) {
  AT_END(folderDestroy) Folder folder;
  Variants v = {.slow_below = 2}, none = {0};
  folderCreate(&folder);
  clContext *context = newContext(folderPath(&folder, "new"), false);
  int choice = choose(context, "test.new", &v);
  clContextDestroy(context);
  context = newContext(folderPath(&folder, "new"), false);
  assert_int_equal(choose(context, "test.new", &none), choice);
  assert_int_equal(measured(&none), 0);
  clContextDestroy(context);
}

static void malformedPinnedFilesAreRefused(void **state) {
  static const struct {
    const char *text, *message;
  } cases[] = {{"test.a one\n", ":1: not a line of \"key value\""},
               {"# fine\ntest.a 1\ntest.b\n", ":3: not a line of"},
               {"test.a 1 2\n", ":1: not a line of"},
               {"test.a 1.5\n", ":1: not a line of"},
               {"\x7f"
                "ELF\x02\x01\x01",
                ":1: not a line of"}};
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    folderWrite(&folder, "pinned", cases[i].text);
    clContext *context = NULL;
    clError error = {0};
    const clContextOptions options = {.tuning = folderPath(&folder, "pinned")};
    testFails(clContextCreate(&context, &options, &error), &error, TEXLA_BAD_FILE, cases[i].message,
              "clContextCreate", __FILE__, __LINE__);
    assert_null(context);
  }
}

static void assertTuningRefused(const char *path, clStatus wanted, const char *message) {
  clContext *context = NULL;
  clError error = {0};
  const clContextOptions options = {.tuning = path};
  testFails(clContextCreate(&context, &options, &error), &error, wanted, message, path, __FILE__,
            __LINE__);
  assert_null(context);
}

/* 300 000 keys, as a table. */
static void writeManyKeys(const char *path) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (int k = 0; k < 300000; k++)
    fprintf(file, "test.%d 1\n", k);
  assert_int_equal(fclose(file), 0);
}

/* Nothing is waited for, read for ever or cut off: what is no small regular file is refused, with
 * the reason. */
static void strangePinnedFilesAreRefused(void **state) {
  AT_END(folderDestroy) Folder folder;
  char *name = calloc(5001, 1);
  folderCreate(&folder);
  assertTuningRefused(folder.name, TEXLA_IO_ERROR, "it is not a regular file");
  assertTuningRefused("/dev/zero", TEXLA_IO_ERROR,
                      "cannot read /dev/zero: it is not a regular file");
  assert_int_equal(mkfifo(folderPath(&folder, "fifo"), 0600), 0);
  assertTuningRefused(folderPath(&folder, "fifo"), TEXLA_IO_ERROR,
                      "fifo: it is not a regular file");
  folderWrite(&folder, "large", "");
  assert_int_equal(truncate(folderPath(&folder, "large"), (off_t)3 << 30), 0);
  assertTuningRefused(folderPath(&folder, "large"), TEXLA_TOO_LARGE,
                      "has 3221225472 bytes, and at most 65536");
  writeManyKeys(folderPath(&folder, "keys"));
  assertTuningRefused(folderPath(&folder, "keys"), TEXLA_TOO_LARGE,
                      "bytes, and at most 65536 are expected");
  assert_non_null(name);
  memset(name, 'x', 5000);
  assertTuningRefused(name, TEXLA_BAD_ARGUMENT, "the tuning file's name is too long: xxx");
  free(name);
}

/* A context may add to its pinned file; one that may not be written stays as it is, and that is
 * said. As root, who may write everything, another user's process does it. */
static void readOnlyPinnedFilesStay(void **state) {
  Folder folder;
  int status = 0;
  folderCreate(&folder);
  folderWrite(&folder, "pinned", "test.a 1\n");
  assert_int_equal(chmod(folderPath(&folder, "pinned"), 0444), 0);
  assert_int_equal(chmod(folder.name, 0777), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    /* the table needs no device */
    clContext *context = calloc(1, sizeof *context);
    clError heard = {0};
    if (!context || (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)))
      _exit(77);
    context->tuning_path = strdup(folderPath(&folder, "pinned"));
    context->info.renderer = context->info.version = "test";
    context->options.log = keepWarning;
    context->options.log_user = &heard;
    bool read = txTuningLoad(context) == TEXLA_OK && txTuningAdd(context, "test.b", 2) == TEXLA_OK;
    txTuningSave(context);
    _exit(read && strstr(heard.message, "the tuning table is not kept: ") &&
                  strstr(heard.message, "pinned: Permission denied")
              ? 0
              : 1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  char text[64] = "";
  FILE *file = fopen(folderPath(&folder, "pinned"), "r");
  assert_non_null(file);
  assert_int_equal(fread(text, 1, sizeof text - 1, file), 9);
  fclose(file);
  assert_string_equal(text, "test.a 1\n");
  folderDestroy(&folder);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    testSkip("no user without rights to try it as");
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The one file in <folder>/texla. */
static void cacheFile(Folder *folder, char *path, size_t n) {
  DIR *directory = opendir(folderPath(folder, "texla"));
  assert_non_null(directory);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory));)
    if (entry->d_name[0] != '.') {
      snprintf(path, n, "%s/texla/%s", folder->name, entry->d_name);
      count++;
    }
  closedir(directory);
  assert_int_equal(count, 1);
}

/* What another version of texla has measured is not taken over: a number may mean something
 * else. */
static void otherVersionsHaveTheirOwn(const char *path) {
  Variants v = {.slow_below = 3};
  char other[512];
  snprintf(other, sizeof other, "%s", path);
  char *version = strstr(other, TEXLA_VERSION);
  assert_non_null(version);
  *version = '9';
  assert_int_equal(rename(path, other), 0);
  clContext *context = newContext(NULL, true);
  choose(context, "test.after", &v);
  assert_true(measured(&v) > 0);
  clContextDestroy(context);
  assert_int_equal(access(path, F_OK), 0);
}

static void cacheOfTheUser(void **state) {
  AT_END(folderDestroy) Folder folder;
  Variants v = {.slow_below = 3}, none = {0};
  char path[512];
  folderCreate(&folder);
  /* cannot be made: no error */
  setenv("XDG_CACHE_HOME", folderPath(&folder, "not/yet"), 1);
  clContext *context = newContext(NULL, true);
  assert_int_equal(choose(context, "test.cached", &v), 3);
  clContextDestroy(context);
  setenv("XDG_CACHE_HOME", folder.name, 1);
  /* neither reads nor writes */
  context = newContext(NULL, false);
  assert_int_equal(choose(context, "test.cached", &v), 3);
  clContextDestroy(context);
  assert_int_equal(access(folderPath(&folder, "texla"), F_OK), -1);
  context = newContext(NULL, true);
  assert_int_equal(choose(context, "test.cached", &v), 3);
  clContextDestroy(context);
  context = newContext(NULL, true);
  assert_int_equal(choose(context, "test.cached", &none), 3);
  assert_int_equal(measured(&none), 0);
  clContextDestroy(context);
  cacheFile(&folder, path, sizeof path);
  FILE *file = fopen(path, "a");
  assert_non_null(file);
  fputs("garbage\n\xff\xfe 1 2 3\nreduce.strip 0\ntest.after 2\n", file);
  fclose(file);
  /* what is not understood is skipped */
  context = newContext(NULL, true);
  assert_int_equal(choose(context, "test.cached", &none), 3);
  assert_int_equal(choose(context, "test.after", &none), 2);
  assert_int_equal(measured(&none), 0);
  clContextDestroy(context);
  otherVersionsHaveTheirOwn(path);
  unsetenv("XDG_CACHE_HOME");
}

/* A cache that is no small regular file is not read; a folder whose name is too long is not
 * replaced by another one. */
static void strangeCaches(void **state) {
  AT_END(folderDestroy) Folder folder;
  Variants v = {.slow_below = 3}, again = v;
  char path[512], *name = calloc(5001, 1);
  folderCreate(&folder);
  setenv("XDG_CACHE_HOME", folder.name, 1);
  clContext *context = newContext(NULL, true);
  assert_int_equal(choose(context, "test.cached", &v), 3);
  clContextDestroy(context);
  cacheFile(&folder, path, sizeof path);
  assert_int_equal(truncate(path, (off_t)3 << 30), 0);
  context = newContext(NULL, true);
  /* measured anew, and kept: the file is whole again */
  assert_int_equal(choose(context, "test.cached", &again), 3);
  assert_true(measured(&again) > 0);
  clContextDestroy(context);
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assertWithin(info.st_size, 1, 60000);
  writeManyKeys(path);
  /* not read either, and no time is lost with it */
  context = newContext(NULL, true);
  const char *key = NULL;
  int value = 0;
  for (int i = 0; clContextTuning(context, i, &key, &value); i++)
    assert_int_not_equal(strncmp(key, "test.", 5), 0);
  clContextDestroy(context);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0600), 0);
  /* does not wait for a writer */
  context = newContext(NULL, true);
  clContextDestroy(context);
  assert_int_equal(unlink(path), 0);
  assert_non_null(name);
  /* cut off anywhere it would still be a folder, */
  for (size_t k = 0; k < 2500; k++)
    memcpy(name + 2 * k, "/.", 2);
  memcpy(name, folder.name, strlen(folder.name));
  setenv("XDG_CACHE_HOME", name, 1);
  context = newContext(NULL, true);
  assert_int_equal(choose(context, "test.cached", &v), 3);
  clContextDestroy(context);
  /* which gets nothing */
  assert_int_equal(access(path, F_OK), -1);
  free(name);
  unsetenv("XDG_CACHE_HOME");
}

int main(void) {
  unsetenv("TEXLA_TUNING");
  const struct CMUnitTest tests[] = {cmocka_unit_test(theFastestIsRemembered),
                                     cmocka_unit_test(failingVariantsAreLeftOut),
                                     cmocka_unit_test(pinnedFile),
                                     cmocka_unit_test(sharedFile),
                                     cmocka_unit_test(missingPinnedFileIsBegun),
                                     cmocka_unit_test(malformedPinnedFilesAreRefused),
                                     cmocka_unit_test(strangePinnedFilesAreRefused),
                                     cmocka_unit_test(readOnlyPinnedFilesStay),
                                     cmocka_unit_test(cacheOfTheUser),
                                     cmocka_unit_test(strangeCaches)};
  return cmocka_run_group_tests_name("tuning", tests, testContextCreate, testContextDestroy);
}
