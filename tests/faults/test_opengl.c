/* Every k-th call of an OpenGL function fails once: no memory, a shader that is not made or does
 * not compile or link, a framebuffer that is not complete, a fence that cannot be made or waited
 * for. The call says so, or another way leads to the same result; nothing leaks, and the same work
 * done again succeeds. TEXLA_FAULTS is the number of failures tried of each kind in each scenario;
 * 0: all. */
#include "faults/calls.h"
#include "faults/all.h"
#include "faults/work_table.h"
#include "gl/gl.h"

/* A run in which call number `which` fails (0: none); textures are made anew. */
static clStatus runWith(const Scenario *s, clContext *context, Fault fault, long which,
                        double result[RESULTS]) {
  assertOk(context, clContextTrim(context));
  /* of an earlier failure */
  *context->error.message = 0;
  failCall(fault, which);
  clStatus status = s->run(context, result);
  failingCall = 0;
  if (pending)
    fail_msg("%s: %s %ld fails, and its error is left for the next call", s->name,
             faultNames[fault], which);
  return status;
}

static void tryOne(clContext *context, const Scenario *s, Fault fault, long k,
                   const double *wanted) {
  double result[RESULTS] = {0};
  char what[64];
  long bytes = (long)clContextStatistics(context).bytes_used;
  snprintf(what, sizeof what, "%s %ld fails", faultNames[fault], k);
  clStatus status = runWith(s, context, fault, k, result);
  if (status < 0 && !*clContextError(context)->message)
    fail_msg("%s: %s without a message", s->name, what);
  if (status >= 0)
    assertSame(s, result, wanted, what);
  if ((long)clContextStatistics(context).bytes_used != bytes)
    fail_msg("%s: %s, and %ld bytes of textures are left, not %ld", s->name, what,
             (long)clContextStatistics(context).bytes_used, bytes);
  memset(result, 0, sizeof result);
  status = runWith(s, context, fault, 0, result);
  if (status)
    fail_msg("%s: %s, and afterwards: status %d: %s", s->name, what, (int)status,
             clContextError(context)->message);
  assertSame(s, result, wanted, "afterwards");
}

static long most(void) {
  return mostFaults(2);
}

static bool isOnce(Fault fault) {
  return fault == SHADER || fault == COMPILE || fault == LINK;
}

/* The failures that need programs to be compiled again meet the same few lines of src/gl/programs.c
 * in each scenario: where one failure of each kind is tried, every fourth scenario (or work) has
 * one of these three kinds, by turns. */
static bool isSkipped(long number, Fault fault) {
  return isOnce(fault) && most() == 1 && number % 12 != 4 * (long)(fault - SHADER);
}

/* A context whose programs are all to be compiled again, which they are once in a context: a new
 * one, or the shared one without them. */
static clContext *contextWithoutPrograms(clContext *context) {
  if (testLong())
    return testContextWith((clContextOptions){0});
  txProgramsDestroy(context);
  return context;
}

/* Failures of programs that are compiled take the most time: half as many are tried. */
static void tryFault(clContext *context, const Scenario *s, Fault fault, const double *wanted,
                     long count) {
  bool once = isOnce(fault);
  long tries = once ? (most() + 1) / 2 : most();
  long step = tries > 0 && count > tries ? (count + tries - 1) / tries : 1;
  for (long k = (step + 1) / 2; k <= count; k += step) {
    clContext *used = once ? contextWithoutPrograms(context) : context;
    tryOne(used, s, fault, k, wanted);
    if (used != context)
      clContextDestroy(used);
  }
}

static void everyCallMayFail(void **state) {
  const Scenario *s = *state;
  clContext *context = scenarioContext();
  double wanted[RESULTS] = {0}, result[RESULTS];
  long count[FAULTS], again[FAULTS];
  txProgramsDestroy(context);
  assertOk(context, runWith(s, context, FAULTS, 0, wanted));
  /* compilations, too */
  for (int fault = 0; fault < FAULTS; fault++)
    count[fault] = callsMade[fault];
  assertOk(context, runWith(s, context, FAULTS, 0, result));
  for (int fault = 0; fault < FAULTS; fault++)
    again[fault] = callsMade[fault];
  for (int fault = 0; fault < FAULTS; fault++)
    if (!isSkipped(s - scenarios, (Fault)fault))
      tryFault(context, s, (Fault)fault, wanted,
               isOnce((Fault)fault) ? count[fault] : again[fault]);
  scenarioContextDone(context);
}

static void assertWorks(const Work *w) {
  double x[NUMBERS] = {0};
  clError error = {0};
  testOk(w->run(x, &error), &error, w->name, __FILE__, __LINE__);
  assert_memory_equal(x, w->wanted, sizeof x);
}

/* What brings its own threads, and in them its own contexts, which are created with a call that
 * fails, too. */
static void tryWork(const Work *w, Fault fault, long k) {
  double x[NUMBERS] = {0};
  clError error = {0};
  failCall(fault, k);
  clStatus status = w->run(x, &error);
  callsDone(fault);
  if (status < 0 && !*error.message)
    fail_msg("%s: %s %ld fails without a message", w->name, faultNames[fault], k);
  for (int j = 0; j < NUMBERS; j++)
    if (x[j] != (status ? 0 : w->wanted[j]))
      fail_msg("%s: %s %ld fails: status %d, number %d is %g: %s", w->name, faultNames[fault], k,
               (int)status, j, x[j], error.message);
  if (testLong())
    assertWorks(w);
}

static void worksMayFail(void **state) {
  const Work *w = *state;
  long count[FAULTS];
  failCall(FAULTS, 0);
  assertWorks(w);
  for (int fault = 0; fault < FAULTS; fault++)
    count[fault] = callsMade[fault];
  for (int fault = 0; fault < FAULTS; fault++) {
    if (isSkipped(w - works, (Fault)fault))
      continue;
    long step = most() > 0 && count[fault] > most() ? (count[fault] + most() - 1) / most() : 1;
    for (long k = (step + 1) / 2; k <= count[fault]; k += step)
      tryWork(w, (Fault)fault, k);
  }
  /* each failure alone is followed by this in the long form */
  assertWorks(w);
}

/* The argument: only scenarios whose name is so; * stands for any characters. */
int main(int argc, char **argv) {
  struct CMUnitTest tests[SCENARIOS + WORKS];
  for (int k = 0; k < SCENARIOS; k++)
    tests[k] =
        (struct CMUnitTest){scenarios[k].name, everyCallMayFail, NULL, NULL, (void *)&scenarios[k]};
  for (int k = 0; k < WORKS; k++)
    tests[SCENARIOS + k] =
        (struct CMUnitTest){works[k].name, worksMayFail, NULL, NULL, (void *)&works[k]};
  /* the pointers are loaded */
  clContextDestroy(testContextWith((clContextOptions){0}));
  breakOpenGl();
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests_name("faults/opengl", tests, NULL, sharedContextDestroy);
}
