/* A context that is lost without a word: from the k-th call on draws are dropped, or reads, or
 * both, or the driver tells of a reset. The result is right all the same, or the call says what
 * happened, and so does every later one; nothing leaks. TEXLA_FAULTS is the number of losses tried
 * of each kind in each scenario; 0: all. */
#include "faults/all.h"
#include "faults/losses.h"

/* A run that is lost so. */
static clStatus runWith(const Scenario *s, clContext *context, Loss loss, long first,
                        double result[RESULTS]) {
  memset(result, 0, RESULTS * sizeof *result);
  lose(context, loss, first);
  clStatus status = s->run(context, result);
  from = 0;
  return status;
}

/* Every later call: the same status, also when draws arrive again. */
static void assertStaysLost(const Scenario *s, clContext *context, const char *what) {
  double result[RESULTS];
  clVector *x = NULL;
  if (s->run(context, result) != TEXLA_CONTEXT_LOST)
    fail_msg("%s: %s, and then it works", s->name, what);
  assertFails(context, clVectorCreate(&x, context, 8), TEXLA_CONTEXT_LOST, "create a new one");
  assertFails(context, clContextSynchronize(context), TEXLA_CONTEXT_LOST, "clContextSynchronize");
}

static void tryOne(clContext *context, const Scenario *s, Loss loss, long k, const double *wanted) {
  double result[RESULTS];
  char what[64];
  long bytes = (long)clContextStatistics(context).bytes_used;
  snprintf(what, sizeof what, "%s lost from call %ld on", lossNames[loss], k);
  clStatus status = runWith(s, context, loss, k, result);
  if (status < 0 && status != TEXLA_CONTEXT_LOST)
    fail_msg("%s: %s: status %d: %s", s->name, what, (int)status, clContextError(context)->message);
  if (status >= 0)
    assertSame(s, result, wanted, what);
  if (loss == RESET && !context->lost)
    fail_msg("%s: %s, and nobody notices", s->name, what);
  if (context->lost)
    assertStaysLost(s, context, what);
  if ((long)clContextStatistics(context).bytes_used != bytes)
    fail_msg("%s: %s, and %ld bytes of textures are left, not %ld", s->name, what,
             (long)clContextStatistics(context).bytes_used, bytes);
  /* OpenGL's is alive */
  context->lost = NULL;
}

/* Where one loss of each kind is tried, scenarios take turns: draws and resets, or reads and
 * both. */
static bool isSkipped(const Scenario *s, Loss loss, long most) {
  bool even = loss == DRAWS || loss == RESET;
  return most == 1 && even == ((s - scenarios) % 2 == 1);
}

static void contextsMayBeLost(void **state) {
  const Scenario *s = *state;
  clContext *context = scenarioContext();
  double wanted[RESULTS], result[RESULTS];
  assertOk(context, runWith(s, context, LOSSES, 0, wanted));
  long most = mostFaults(4);
  for (int loss = 0; loss < LOSSES; loss++) {
    if (isSkipped(s, (Loss)loss, most))
      continue;
    assertOk(context, runWith(s, context, (Loss)loss, 0, result));
    assert_true(calls[loss] > 0);
    long count = calls[loss], step = most > 0 && count > most ? (count + most - 1) / most : 1;
    for (long k = (step + 1) / 2; k <= count; k += step)
      tryOne(context, s, (Loss)loss, k, wanted);
  }
  assertOk(context, runWith(s, context, LOSSES, 0, result));
  assertSame(s, result, wanted, "all is well");
  scenarioContextDone(context);
}

/* The argument: only scenarios whose name is so; * stands for any characters. */
int main(int argc, char **argv) {
  struct CMUnitTest tests[SCENARIOS];
  for (int k = 0; k < SCENARIOS; k++)
    tests[k] = (struct CMUnitTest){scenarios[k].name, contextsMayBeLost, NULL, NULL,
                                   (void *)&scenarios[k]};
  /* the pointers are loaded */
  clContextDestroy(testContextWith((clContextOptions){0}));
  breakOpenGl();
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests_name("faults/lost", tests, NULL, sharedContextDestroy);
}
