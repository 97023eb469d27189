/* The context of a queue's worker is lost without a word, while operations wait: each value is
 * right all the same, or whoever asks for it is told that it is lost; nobody waits for ever,
 * nothing is left, and another queue works. TEXLA_FAULTS is the number of losses tried of each
 * kind; 0: all. */
#include "faults/losses.h"
#include "faults/most.h"
#include "queue/queue.h"

typedef struct Plan {
  Loss loss;
  long first;
} Plan;

/* Called by the queue's worker: from here on its context is lost. */
static clStatus begin(void *user, clContext *context, const clVector *const *operand,
                      clVector *result) {
  const Plan *plan = user;
  (void)operand;
  clStatus status = clVectorFill(result, 1);
  lose(context, plan->loss, plan->first);
  return status;
}

enum { FUTURES = 4, ELEMENTS = 4 };
static double four[ELEMENTS] = {4, 1, 1, 3};
static const double right[FUTURES][ELEMENTS] = {
    {17, 7, 7, 10}, {75, 38, 38, 37}, {3. / 11, -1. / 11, -1. / 11, 4. / 11}, {4, 1, 1, 3}};

/* A value is right, or the call says that it is lost and leaves `out` alone. */
static bool fetchOrLost(clQueue *q, clQueueId id, const double *wanted, const char *what) {
  double values[ELEMENTS] = {-7, -7, -7, -7};
  const clHostMatrix out = doubles(values, 2, 2);
  clStatus status = clQueueFetch(q, id, &out, 60, &error);
  if (status && (status != TEXLA_CONTEXT_LOST || !strstr(error.message, "create a new one")))
    fail_msg("%s: status %d: %s", what, (int)status, error.message);
  for (int k = 0; k < ELEMENTS; k++)
    if (!(fabs(values[k] - (status ? -7 : wanted[k])) <= 1e-4 * fabs(wanted[k])))
      fail_msg("%s: status %d, element %d is %g", what, (int)status, k, values[k]);
  return status == TEXLA_CONTEXT_LOST;
}

/* Everything that needs the device says so, also when draws arrive again; what lies on the host is
 * still there. */
static void assertQueueStaysLost(clQueue *q, clQueueId a, const char *what) {
  clQueueId product = submit2(q, "multiply", a, a);
  QFAILS(clQueueWait(q, product, 60, &error), TEXLA_CONTEXT_LOST, "create a new one");
  assert_true(fetchOrLost(q, product, right[0], what));
  assert_false(fetchOrLost(q, a, four, what));
  QCHECK(clQueueRelease(q, product, &error));
}

/* Operations that wait while the context is lost, one of them wanted on the host already, and one
 * that needs another's result. */
static long tryQueue(Plan plan) {
  clQueue *q = queueWith((clQueueOptions){0});
  clQueueId a = put(q, four, 2, 2), id[FUTURES], begun;
  char what[64];
  bool gone = false;
  snprintf(what, sizeof what, "a queue: %s lost from call %ld on", lossNames[plan.loss],
           plan.first);
  clQueueHold(q, true);
  QCHECK(clQueueCall(q, "begin", begin, &plan, NULL, 0, 1, 1, &begun, &error));
  id[0] = submit2(q, "multiply", a, a);
  id[1] = submit2(q, "multiply", id[0], a);
  id[2] = submit1(q, "inverse", a);
  id[3] = submit1(q, "transpose", a);
  QCHECK(clQueueRead(q, id[1], &error));
  clQueueHold(q, false);
  for (int k = 0; k < FUTURES; k++)
    gone |= fetchOrLost(q, id[k], right[k], what);
  QCHECK(clQueueDrain(q, 60, &error));
  long count = calls[plan.loss];
  if (plan.loss == RESET && plan.first && !gone)
    fail_msg("%s, and nobody notices", what);
  from = 0;
  if (gone)
    assertQueueStaysLost(q, a, what);
  for (int k = 0; k < FUTURES; k++)
    QCHECK(clQueueRelease(q, id[k], &error));
  QCHECK(clQueueRelease(q, begun, &error));
  QCHECK(clQueueRelease(q, a, &error));
  QCHECK(clQueueDrain(q, 60, &error));
  clQueueStats stats;
  clQueueStatistics(q, &stats);
  if (stats.values || stats.bytes)
    fail_msg("%s, and %ld values of %zu bytes are left", what, (long)stats.values, stats.bytes);
  clQueueDestroy(q);
  return count;
}

static void queuesMayLoseTheirContext(void **state) {
  for (int loss = 0; loss < LOSSES; loss++) {
    long count = tryQueue((Plan){(Loss)loss, 0}), tries = mostFaults(6);
    assert_true(count > 0);
    long step = tries > 0 && count > tries ? (count + tries - 1) / tries : 1;
    for (long k = (step + 1) / 2; k <= count; k += step)
      tryQueue((Plan){(Loss)loss, k});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(queuesMayLoseTheirContext)};
  /* the pointers are loaded */
  clContextDestroy(testContextWith((clContextOptions){0}));
  breakOpenGl();
  return cmocka_run_group_tests_name("faults/lost_queue", tests, NULL, NULL);
}
