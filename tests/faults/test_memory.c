/* Every k-th allocation of texla's own code fails once, k = 1, 2, ...: the call says so, what was promised to stay stays, nothing
 * leaks on the host or the device, and the same work done again succeeds. The linker puts the functions below into the place of the
 * library's (--wrap). TEXLA_FAULTS is the number of failures tried in each scenario; 0: all. */
#include "faults/all.h"
#include "io/files.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
char *__real_strdup(const char *text);

static _Atomic long calls, failing = -1, live;

/* Is this the one that fails? It says why, as the C library does. */
static bool fails(void) {
  bool now = atomic_fetch_add(&calls, 1) + 1 == atomic_load(&failing);
  if (now)
    errno = ENOMEM;
  return now;
}

static void *counted(void *memory) {
  atomic_fetch_add(&live, memory != NULL);
  return memory;
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
  if (fails())
    return NULL;
  void *result = __real_realloc(memory, size);
  atomic_fetch_add(&live, result && !memory);
  return result;
}

char *__wrap_strdup(const char *text) {
  return fails() ? NULL : counted(__real_strdup(text));
}

void __wrap_free(void *memory) {
  atomic_fetch_sub(&live, memory != NULL);
  __real_free(memory);
}

/* result, and the number of allocations of a run in which number `which` fails (-1: none) */
static clStatus runWith(const Scenario *s, clContext *context, long which, double result[RESULTS], long *count) {
  atomic_store(&calls, 0);
  atomic_store(&failing, which);
  clStatus status = s->run(context, result);
  atomic_store(&failing, -1);
  *count = atomic_load(&calls);
  return status;
}

static void assertSame(const Scenario *s, const double *result, const double *wanted, const char *when) {
  for (int k = 0; k < RESULTS; k++)
    if (fabs(result[k] - wanted[k]) > 1e-4 * (1 + fabs(wanted[k])))
      fail_msg("%s: result %d is %g, not %g, %s", s->name, k, result[k], wanted[k], when);
}

static long most(void) {
  const char *text = getenv("TEXLA_FAULTS");
  return text ? strtol(text, NULL, 10) : 40;
}

/* What a first failure leaves may be kept for the next time (a program of another variant); what a second one leaves is lost. */
static void assertNothingIsLeft(clContext *context, const Scenario *s, long k, long before) {
  double result[RESULTS];
  long count, left = atomic_load(&live);
  if (left <= before)
    return;
  runWith(s, context, k, result, &count);
  if (atomic_load(&live) > left)
    fail_msg("%s: allocation %ld fails, and %ld blocks of the host are lost", s->name, k, atomic_load(&live) - left);
}

static void tryAll(clContext *context, const Scenario *s) {
  double wanted[RESULTS] = {0}, result[RESULTS] = {0};
  long count, again, wrong = 0, tries = most();
  assertOk(context, runWith(s, context, -1, wanted, &count));
  assertOk(context, runWith(s, context, -1, result, &count)); /* programs are compiled, traits measured */
  assertSame(s, result, wanted, "the second time");
  long bytes = (long)clContextCount(context).bytes_used;
  long step = tries > 0 && count > tries ? count / tries : 1;
  for (long k = 1; k <= count; k += step) {
    long before = atomic_load(&live);
    clStatus status = runWith(s, context, k, result, &again);
    if (status < 0 && status != TEXLA_OUT_OF_MEMORY)
      print_error("%s: allocation %ld of %ld fails: status %d: %s\n", s->name, k, count, (int)status,
                  clContextError(context)->message);
    wrong += status < 0 && status != TEXLA_OUT_OF_MEMORY;
    if (status == TEXLA_OUT_OF_MEMORY && !strstr(clContextError(context)->message, "memory") &&
        !strstr(hostError.message, "memory"))
      fail_msg("%s: allocation %ld fails without a message: %s", s->name, k, clContextError(context)->message);
    if (status == TEXLA_OK)
      assertSame(s, result, wanted, "in spite of a failure");
    assertNothingIsLeft(context, s, k, before);
    if ((long)clContextCount(context).bytes_used != bytes)
      fail_msg("%s: allocation %ld fails, and %ld bytes of textures are left, not %ld", s->name, k,
               (long)clContextCount(context).bytes_used, bytes);
  }
  assertOk(context, runWith(s, context, -1, result, &again));
  assertSame(s, result, wanted, "after the failures");
  assert_int_equal(wrong, 0);
}

static void everyAllocationMayFail(void **state) {
  const Scenario *s = *state;
  clContext *context = testContextWith((clContextOptions){0});
  tryAll(context, s);
  clContextDestroy(context);
}

/* Contexts, too: all or nothing. */
static void contextsMayFail(void **state) {
  (void)state;
  long count = 1;
  clContext *context = testContextWith((clContextOptions){0}); /* what libraries keep for themselves is there by now */
  clContextDestroy(context);
  context = NULL;
  long kept = atomic_load(&live);
  for (long k = 1; k <= count; k += count / 20 + 1) {
    clError error = {0};
    const clContextOptions options = {.no_tuning_cache = true, .elements = 4096}; /* as testContextWith */
    atomic_store(&calls, 0);
    atomic_store(&failing, k == 1 ? -1 : k - 1);
    clStatus status = clContextCreate(&context, &options, &error);
    atomic_store(&failing, -1);
    count = atomic_load(&calls);
    if (!status)
      clContextDestroy(context);
    else
      assert_int_equal(status, TEXLA_OUT_OF_MEMORY);
    context = NULL;
    if (atomic_load(&live) != kept)
      fail_msg("allocation %ld of %ld: status %d, %ld blocks of the host are lost", k - 1, count, (int)status,
               atomic_load(&live) - kept);
  }
}

/* What brings its own threads, or needs no device at all. A failed call leaves x as it was (zeros). */
enum { NUMBERS = 8 };
typedef struct Work {
  const char *name;
  clStatus (*run)(double x[NUMBERS], clError *error);
  double wanted[NUMBERS];
} Work;

static const clContextOptions plain = {.no_tuning_cache = true, .elements = 4096};

/* x <- A A, by a queue that is made for it. */
static clStatus runQueue(double x[NUMBERS], clError *error) {
  double values[] = {4, 1, 1, 3};
  const clHostMatrix A = {TEXLA_HOST_DOUBLE, 2, 2, 0, 0, values}, out = {TEXLA_HOST_DOUBLE, 2, 2, 0, 0, x};
  clQueue *queue = NULL;
  clQueueId a = 0, product = 0;
  clStatus status = clQueueCreate(&queue, &(clQueueOptions){.context = &plain}, error);
  if (!status)
    status = clQueuePut(queue, &a, &A, error);
  if (!status)
    status = clQueueSubmit(queue, "multiply", (clQueueOperand[]){{a, 0}, {a, 0}}, 2, &product, 1, error);
  if (!status)
    status = clQueueFetch(queue, product, &out, -1, error);
  clQueueDestroy(queue);
  return status;
}

/* Four systems of two unknowns, by LAPACK, a queue, or both. Where one of them fails the others may be solved. */
static clStatus runShare(double x[NUMBERS], clError *error) {
  enum { TASKS = NUMBERS / 2 };
  static const float a[4] = {4, 1, 1, 3}, b[2] = {5, 4};
  const float *A[TASKS], *B[TASKS];
  float solution[TASKS][2] = {{0}}, *X[TASKS];
  clQueue *queue = NULL;
  clShare *share = NULL;
  for (int k = 0; k < TASKS; k++)
    A[k] = a, B[k] = b, X[k] = solution[k];
  clStatus status = clQueueCreate(&queue, &(clQueueOptions){.context = &plain}, error);
  if (!status)
    status = clShareCreate(&share, &queue, 1, &(clShareOptions){.software_too = true}, error);
  if (!status)
    status = clShareSolve(share, 2, TASKS, A, B, X, NULL, error);
  for (int k = 0; k < NUMBERS; k++) {
    double value = (double)solution[k / 2][k % 2];
    assert_true(fabs(value - 1) < 1e-5 || value == 0);
    if (!status)
      x[k] = round(value);
  }
  clShareDestroy(share);
  clQueueDestroy(queue);
  return status;
}

/* A matrix, a vector and a terrain go through files. */
static clStatus runFiles(double x[NUMBERS], clError *error) {
  char name[3][64];
  const double values[3] = {1, 2, 3};
  float ground[4] = {4, 5, 6, 7};
  const clTerrain written = {.nx = 2, .ny = 2, .cell = 1, .height = ground};
  clTriplets *A = NULL, *B = NULL;
  double *y = NULL;
  int64_t count = 0;
  clTerrain terrain = {0};
  for (int k = 0; k < 3; k++)
    snprintf(name[k], sizeof name[k], "/tmp/texla-test-%ld-%d", (long)getpid(), k);
  clStatus status = clGeneratePoisson2d(&A, 3, 3, error);
  if (!status)
    status = clMatrixMarketWrite(name[0], A, true, NULL, error);
  if (!status)
    status = clMatrixMarketWriteVector(name[1], values, 3, NULL, error);
  if (!status)
    status = clTerrainWrite(name[2], &written, error);
  if (!status)
    status = clMatrixMarketRead(&B, name[0], error);
  if (!status)
    status = clMatrixMarketReadVector(&y, &count, name[1], error);
  if (!status)
    status = clTerrainRead(&terrain, name[2], error);
  if (!status) {
    x[0] = (double)B->count, x[1] = B->value[0];
    for (int k = 0; k < 3; k++)
      x[2 + k] = y[k];
    for (int k = 0; k < 3; k++)
      x[5 + k] = (double)terrain.height[k];
  }
  clTerrainFree(&terrain);
  free(y);
  clTripletsDestroy(B);
  clTripletsDestroy(A);
  for (int k = 0; k < 3; k++)
    remove(name[k]);
  return status;
}

static const Work works[] = {
    {"queue", runQueue, {17, 7, 7, 10}},
    {"share", runShare, {1, 1, 1, 1, 1, 1, 1, 1}},
    {"files", runFiles, {33, 4, 1, 2, 3, 4, 5, 6}},
};
enum { WORKS = sizeof works / sizeof *works };

/* Their threads' allocations fail as well as their callers'. */
static void worksMayFail(void **state) {
  const Work *w = *state;
  double x[NUMBERS];
  clError error = {0};
  long count = 1, kept = 0, tries = most() > 0 ? most() / 2 + 1 : LONG_MAX;
  for (int k = 0; k < 2; k++) { /* what libraries keep for themselves is there afterwards */
    testOk(w->run(x, &error), &error, w->name, __FILE__, __LINE__);
    kept = atomic_load(&live);
  }
  for (long k = 1; k <= count; k += count / tries + 1) {
    memset(x, 0, sizeof x);
    atomic_store(&calls, 0);
    atomic_store(&failing, k == 1 ? -1 : k - 1);
    clStatus status = w->run(x, &error);
    atomic_store(&failing, -1);
    count = atomic_load(&calls);
    if (status && (status != TEXLA_OUT_OF_MEMORY || !strstr(error.message, "memory")))
      fail_msg("%s: allocation %ld of %ld: status %d: %s", w->name, k - 1, count, (int)status, error.message);
    for (int j = 0; j < NUMBERS; j++)
      if (x[j] != (status ? 0 : w->wanted[j]))
        fail_msg("%s: allocation %ld of %ld: status %d, number %d is %g", w->name, k - 1, count, (int)status, j, x[j]);
    if (atomic_load(&live) > kept)
      fail_msg("%s: allocation %ld of %ld: status %d, %ld blocks of the host are lost", w->name, k - 1, count,
               (int)status, atomic_load(&live) - kept);
  }
}

/* An older picture stays, and nothing lies beside it. */
static void picturesMayFail(void **state) {
  static const uint8_t rgb[3 * 64 * 64] = {255};
  Folder *folder = *state;
  long count = 1;
  for (long k = 0; k <= count; k++) {
    clError error = {0};
    folderWrite(folder, "a.png", "old");
    long before = atomic_load(&live);
    atomic_store(&calls, 0);
    atomic_store(&failing, k ? k : -1);
    clStatus status = clPngWrite(folderPath(folder, "a.png"), rgb, 64, 64, &error);
    atomic_store(&failing, -1);
    count = k ? count : atomic_load(&calls);
    if (status != (k ? TEXLA_OUT_OF_MEMORY : TEXLA_OK) || (k && !strstr(error.message, "memory")))
      fail_msg("allocation %ld of %ld: status %d: %s", k, count, (int)status, error.message);
    assert_true(atomic_load(&live) <= before); /* the C library has allocated some of what is freed */
    char *text = testReadFile(folderPath(folder, "a.png"), NULL);
    assert_true((strcmp(text, "old") == 0) == (k > 0));
    free(text);
  }
  assert_true(count > 1);
}

/* The argument: only scenarios whose name is so; * stands for any characters. */
int main(int argc, char **argv) {
  struct CMUnitTest tests[SCENARIOS + WORKS + 2];
  for (int k = 0; k < SCENARIOS; k++)
    tests[k] = (struct CMUnitTest){scenarios[k].name, everyAllocationMayFail, NULL, NULL, (void *)&scenarios[k]};
  for (int k = 0; k < WORKS; k++)
    tests[SCENARIOS + k] = (struct CMUnitTest){works[k].name, worksMayFail, NULL, NULL, (void *)&works[k]};
  tests[SCENARIOS + WORKS] = (struct CMUnitTest)cmocka_unit_test(contextsMayFail);
  tests[SCENARIOS + WORKS + 1] =
      (struct CMUnitTest)cmocka_unit_test_setup_teardown(picturesMayFail, testFolderCreate, testFolderDestroy);
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests_name("faults/memory", tests, NULL, NULL);
}
