/* Every k-th allocation of texla's own code fails once, k = 1, 2, ...: the call says so, what was
 * promised to stay stays, nothing leaks on the host or the device, and the same work done again
 * succeeds. TEXLA_FAULTS is the number of failures tried in each scenario; 0: all. */
#include "faults/all.h"
#include "faults/allocations.h"
#include "faults/work_table.h"
#include "gl/gl.h"
#include "io/files.h"

#include <limits.h>

/* result, and the number of allocations of a run in which number `which` fails (0: none) */
static clStatus runWith(const Scenario *s, clContext *context, long which, double result[RESULTS],
                        long *count) {
  /* of an earlier failure */
  *context->error.message = 0;
  failAllocation(which);
  clStatus status = s->run(context, result);
  *count = allocationsDone();
  return status;
}

static long most(void) {
  return mostFaults(16);
}

/* What a first failure leaves may be kept for the next time (a program of another variant); what a
 * second one leaves is lost. */
static void assertNothingIsLeft(clContext *context, const Scenario *s, long k, long before) {
  double result[RESULTS];
  long count, left = blocksLeft();
  if (left <= before)
    return;
  runWith(s, context, k, result, &count);
  if (blocksLeft() > left)
    fail_msg("%s: allocation %ld fails, and %ld blocks of the host are lost", s->name, k,
             blocksLeft() - left);
}

static void tryAll(clContext *context, const Scenario *s) {
  double wanted[RESULTS] = {0}, result[RESULTS] = {0};
  long count, again, wrong = 0, tries = most();
  assertOk(context, runWith(s, context, 0, wanted, &count));
  /* programs are compiled, traits measured */
  assertOk(context, runWith(s, context, 0, result, &count));
  assertSame(s, result, wanted, "the second time");
  long bytes = (long)clContextStatistics(context).bytes_used;
  long step = tries > 0 && count > tries ? count / tries : 1;
  for (long k = 1; k <= count; k += step) {
    long before = blocksLeft();
    clStatus status = runWith(s, context, k, result, &again);
    if (status < 0 && status != TEXLA_OUT_OF_MEMORY)
      print_error("%s: allocation %ld of %ld fails: status %d: %s\n", s->name, k, count,
                  (int)status, clContextError(context)->message);
    wrong += status < 0 && status != TEXLA_OUT_OF_MEMORY;
    if (status == TEXLA_OUT_OF_MEMORY && !strstr(clContextError(context)->message, "memory") &&
        !strstr(hostError.message, "memory"))
      fail_msg("%s: allocation %ld fails without a message: %s", s->name, k,
               clContextError(context)->message);
    if (status == TEXLA_OK)
      assertSame(s, result, wanted, "in spite of a failure");
    assertNothingIsLeft(context, s, k, before);
    if ((long)clContextStatistics(context).bytes_used != bytes)
      fail_msg("%s: allocation %ld fails, and %ld bytes of textures are left, not %ld", s->name, k,
               (long)clContextStatistics(context).bytes_used, bytes);
  }
  assertOk(context, runWith(s, context, 0, result, &again));
  assertSame(s, result, wanted, "after the failures");
  assert_int_equal(wrong, 0);
}

static void everyAllocationMayFail(void **state) {
  const Scenario *s = *state;
  clContext *context = scenarioContext();
  tryAll(context, s);
  scenarioContextDone(context);
}

/* Contexts, too: all or nothing. */
static void contextsMayFail(void **state) {
  long count = 1;
  /* what libraries keep for themselves is there by now */
  clContext *context = testContextWith((clContextOptions){0});
  clContextDestroy(context);
  context = NULL;
  long kept = blocksLeft();
  for (long k = 1; k <= count + 1; k += count / 20 + 1) {
    clError error = {0};
    /* as testContextWith */
    const clContextOptions options = {.no_tuning_cache = true, .elements = 4096};
    failAllocation(k - 1);
    clStatus status = clContextCreate(&context, &options, &error);
    long done = allocationsDone();
    /* A run that fails ends early; the first one does not. */
    if (k == 1)
      count = done;
    if (!status)
      clContextDestroy(context);
    else
      assert_int_equal(status, TEXLA_OUT_OF_MEMORY);
    context = NULL;
    if (blocksLeft() != kept)
      fail_msg("allocation %ld of %ld: status %d, %ld blocks of the host are lost", k - 1, count,
               (int)status, blocksLeft() - kept);
  }
}

/* Their threads' allocations fail as well as their callers'. */
static void worksMayFail(void **state) {
  const Work *w = *state;
  double x[NUMBERS];
  clError error = {0};
  long count = 1, kept = 0, tries = most() > 0 ? most() / 2 + 1 : LONG_MAX;
  if (w->every && testLong())
    tries = LONG_MAX;
  /* what libraries keep for themselves is there afterwards */
  for (int k = 0; k < 2; k++) {
    testOk(w->run(x, &error), &error, w->name, __FILE__, __LINE__);
    kept = blocksLeft();
  }
  for (long k = 1; k <= count + 1; k += count / tries + 1) {
    memset(x, 0, sizeof x);
    failAllocation(k - 1);
    clStatus status = w->run(x, &error);
    /* Threads make the number of allocations vary, so that one that is still to fail may lie beyond
     * the last one; from here on, it must not. */
    long done = allocationsDone();
    /* A run that fails ends early; the first one does not. */
    if (k == 1)
      count = done;
    if (status && (status != TEXLA_OUT_OF_MEMORY || !strstr(error.message, "memory")))
      fail_msg("%s: allocation %ld of %ld: status %d: %s", w->name, k - 1, count, (int)status,
               error.message);
    for (int j = 0; j < NUMBERS; j++)
      if (x[j] != (status ? 0 : w->wanted[j]))
        fail_msg("%s: allocation %ld of %ld: status %d, number %d is %g", w->name, k - 1, count,
                 (int)status, j, x[j]);
    if (blocksLeft() > kept)
      fail_msg("%s: allocation %ld of %ld: status %d, %ld blocks of the host are lost", w->name,
               k - 1, count, (int)status, blocksLeft() - kept);
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
    long before = blocksLeft();
    failAllocation(k);
    clStatus status = clPngWrite(folderPath(folder, "a.png"), rgb, 64, 64, &error);
    long done = allocationsDone();
    count = k ? count : done;
    if (status != (k ? TEXLA_OUT_OF_MEMORY : TEXLA_OK) || (k && !strstr(error.message, "memory")))
      fail_msg("allocation %ld of %ld: status %d: %s", k, count, (int)status, error.message);
    /* the C library has allocated some of what is freed */
    assert_true(blocksLeft() <= before);
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
    tests[k] = (struct CMUnitTest){scenarios[k].name, everyAllocationMayFail, NULL, NULL,
                                   (void *)&scenarios[k]};
  for (int k = 0; k < WORKS; k++)
    tests[SCENARIOS + k] =
        (struct CMUnitTest){works[k].name, worksMayFail, NULL, NULL, (void *)&works[k]};
  tests[SCENARIOS + WORKS] = (struct CMUnitTest)cmocka_unit_test(contextsMayFail);
  tests[SCENARIOS + WORKS + 1] = (struct CMUnitTest)cmocka_unit_test_setup_teardown(
      picturesMayFail, testFolderCreate, testFolderDestroy);
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests_name("faults/memory", tests, NULL, sharedContextDestroy);
}
