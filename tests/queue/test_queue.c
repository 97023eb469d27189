/* The queue: ids before values, waiting in three ways, reads ahead, first causes, cancelling,
 * holding, limits, shutdown. */
#include "folder.h"
#include "queue.h"

#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static clStatus failing(void *user, clContext *context, const clVector *const *operand,
                        clVector *result) {
  (void)user, (void)result;
  clVector *x = NULL;
  (void)operand;
  /* leaves a message of its own */
  return clVectorCreate(&x, context, -7);
}

static clStatus doubled(void *user, clContext *context, const clVector *const *operand,
                        clVector *result) {
  (void)context;
  return clVectorScale(result, *(float *)user, NULL, operand[0]);
}

static void testPipeline(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  double a[] = {1, 3, 2, 4}, b[] = {0, 1, 1, 0}, d[4];
  clQueueHold(q, true);
  clQueueId A = put(q, a, 2, 2), B = put(q, b, 2, 2);
  clQueueId C = submit2(q, "multiply", A, B), D = submit2(q, "multiply", C, C);
  QCHECK(clQueueRead(q, D, &error));
  QFAILS(clQueueWait(q, D, 0, &error), TEXLA_NOT_READY, "2 x 2 is not there");
  QFAILS(clQueueFetch(q, D, &(clHostMatrix){TEXLA_HOST_DOUBLE, 2, 2, 0, 0, d}, 0.01, &error),
         TEXLA_NOT_READY, "0.01 s");
  clQueueStats stats;
  clQueueStatistics(q, &stats);
  assert_int_equal(stats.queued, 2);
  /* operations that need them still do */
  QCHECK(clQueueRelease(q, A, &error));
  QCHECK(clQueueRelease(q, B, &error));
  QCHECK(clQueueRelease(q, C, &error));
  clQueueHold(q, false);
  QCHECK(clQueueWait(q, D, -1, &error));
  fetch(q, D, d, 2, 2);
  /* ([2 1; 4 3])^2 */
  const double wanted[] = {8, 20, 5, 13};
  for (int k = 0; k < 4; k++)
    assert_true(d[k] == wanted[k]);
  fetch(q, D, d, 2, 2);
  assert_true(d[3] == wanted[3]);
  QFAILS(clQueueShape(q, C, NULL, NULL, &error), TEXLA_BAD_ARGUMENT,
         "there is no value with the id");
  clQueueDestroy(q);
}

static void testHostForms(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  /* 2 x 3, row after row */
  float rows[] = {1, 2, 3, 4, 5, 6}, back[6];
  clHostMatrix A = {TEXLA_HOST_FLOAT, 2, 3, 3, 1, rows};
  clQueueId a = 0, empty = 0;
  QCHECK(clQueuePut(q, &a, &A, &error));
  double d[6];
  fetch(q, a, d, 2, 3);
  const double columns[] = {1, 4, 2, 5, 3, 6};
  assert_memory_equal(d, columns, sizeof d);
  clQueueId t = submit1(q, "transpose", a);
  clHostMatrix out = {TEXLA_HOST_FLOAT, 3, 2, 1, 3, back};
  QCHECK(clQueueFetch(q, t, &out, -1, &error));
  for (int k = 0; k < 6; k++)
    assert_true(back[k] == rows[k]);
  /* doubles that are only kept come back as they were */
  double fine = 1 + 0x1p-40;
  fetch(q, put(q, &fine, 1, 1), d, 1, 1);
  assert_true(d[0] == fine);
  double large = 1e300;
  clQueueId l = submit1(q, "abs", put(q, &large, 1, 1));
  QFAILS(clQueueWait(q, l, -1, &error), TEXLA_NOT_FINITE, "abs: entry (1, 1) is 1e+300");
  QCHECK(clQueuePut(q, &empty, &(clHostMatrix){TEXLA_HOST_DOUBLE, 0, 3, 0, 0, NULL}, &error));
  fetch(q, submit2(q, "plus", empty, empty), d, 0, 3);
  QFAILS(clQueueFetch(q, a, &out, -1, &error), TEXLA_BAD_SHAPE,
         "the value is 2 x 3 but out is 3 x 2");
  clQueueDestroy(q);
}

/* The worker's context is the queue's. */
static clStatus destroying(void *user, clContext *context, const clVector *const *operand,
                           clVector *result) {
  (void)user, (void)operand;
  clContextDestroy(context);
  return clVectorFill(result, 3);
}

static void testFailures(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  double one = 1, seen = 0;
  float factor = 2;
  clQueueId a = put(q, &one, 1, 1), bad = 0, good = 0;
  QCHECK(clQueueCall(q, "broken", failing, NULL, &a, 1, 1, 1, &bad, &error));
  QCHECK(clQueueCall(q, "twice", doubled, &factor, &a, 1, 1, 1, &good, &error));
  clQueueId destroyed = 0;
  QCHECK(clQueueCall(q, "destroy", destroying, NULL, &a, 1, 1, 1, &destroyed, &error));
  QFAILS(clQueueWait(q, destroyed, -1, &error), TEXLA_BAD_ARGUMENT,
         "destroy: the function has tried to destroy its context");
  clQueueId later = submit2(q, "plus", good, bad), last = submit1(q, "exp", later);
  QFAILS(clQueueWait(q, last, -1, &error), TEXLA_BAD_ARGUMENT,
         "broken: clVectorCreate: out and context must not be NULL");
  fetch(q, good, &seen, 1, 1);
  assert_true(seen == 2);
  double twos[] = {2, 2, 2, 2};
  clQueueId singular = submit1(q, "inverse", put(q, twos, 2, 2));
  QFAILS(clQueueWait(q, singular, -1, &error), TEXLA_SINGULAR, "inverse: ");
  QFAILS(
      clQueueSubmit(q, "multiply", (clQueueOperand[]){{a, 0}, {singular, 0}}, 2, &bad, 1, &error),
      TEXLA_BAD_SHAPE, "multiply: operands are 1 x 1 and 2 x 2 (inner sizes must agree)");
  QFAILS(clQueueSubmit(q, "divide", NULL, 0, &bad, 1, &error), TEXLA_BAD_ARGUMENT,
         "no operation called divide");
  QFAILS(clQueueSubmit(q, "plus", &(clQueueOperand){a, 0}, 1, &bad, 1, &error), TEXLA_BAD_ARGUMENT,
         "1 operands instead of 2");
  QFAILS(clQueueSubmit(q, "plus", (clQueueOperand[]){{a, 0}, {a + 1, 0}}, 2, &bad, 1, &error),
         TEXLA_BAD_ARGUMENT, "no value");
  clQueueDestroy(q);
}

static void testCancel(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  double one = 1, seen;
  clQueueId a = put(q, &one, 1, 1);
  clQueueHold(q, true);
  clQueueId b = submit1(q, "exp", a), c = submit1(q, "exp", b), d = submit1(q, "uminus", a);
  QFAILS(clQueueDrain(q, 0.01, &error), TEXLA_NOT_READY, "3 operations wait");
  QCHECK(clQueueCancel(q, b, &error));
  QFAILS(clQueueWait(q, b, 0, &error), TEXLA_CANCELLED, "exp: cancelled");
  clQueueHold(q, false);
  QFAILS(clQueueWait(q, c, -1, &error), TEXLA_CANCELLED, "exp: cancelled");
  fetch(q, d, &seen, 1, 1);
  assert_true(seen == -1);
  QCHECK(clQueueDrain(q, -1, &error));
  /* too late: it is done */
  QCHECK(clQueueCancel(q, d, &error));
  fetch(q, d, &seen, 1, 1);
  clQueueHold(q, true);
  /* nobody wants it: not executed */
  QCHECK(clQueueRelease(q, submit1(q, "exp", a), &error));
  clQueueHold(q, false);
  QCHECK(clQueueDrain(q, -1, &error));
  clQueueStats stats;
  clQueueStatistics(q, &stats);
  assert_int_equal(stats.skipped, 1);
  clQueueDestroy(q);
}

static void testLimits(void **state) {
  (void)state;
  enum { N = 100 };
  clQueue *q = queueWith(
      (clQueueOptions){.memory_limit = 3 * N * N * 8, .pending_limit = 4, .patience = 0.05});
  double *a = calloc(N * N, sizeof *a);
  /* 80 kB of 240 kB; 40 kB more once it is on the device */
  clQueueId A = put(q, a, N, N), B = 0, C = 0;
  clQueueHold(q, true);
  for (int k = 0; k < 3; k++)
    B = submit1(q, "abs", A);
  C = submit1(q, "abs", A);
  QFAILS(clQueueSubmit(q, "abs", &(clQueueOperand){A, 0}, 1, &B, 1, &error), TEXLA_NOT_READY,
         "no room: 4 operations wait");
  clQueueHold(q, false);
  QCHECK(clQueueWait(q, C, -1, &error));
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 10 && !status; k++)
    status = clQueueSubmit(q, "abs", &(clQueueOperand){A, 0}, 1, &B, 1, &error);
  QFAILS(status, TEXLA_OUT_OF_MEMORY, "and the limit is 240000");
  QCHECK(clQueueRelease(q, C, &error));
  clQueueStats stats;
  clQueueStatistics(q, &stats);
  /* forms made on the way are counted, not refused */
  assert_true(stats.bytes_peak <= 240000 + 4 * N * N * 4);
  clQueueDestroy(q);
  free(a);
}

static void *stopQueue(void *q) {
  clQueueStop(q);
  return NULL;
}

static clStatus stopping(void *user, clContext *context, const clVector *const *operand,
                         clVector *result) {
  (void)context, (void)operand, (void)result;
  clQueueStop(user);
  return TEXLA_OK;
}

static void testStop(void **state) {
  (void)state;
  for (int round = 0; round < 2; round++) {
    clQueue *q = queueWith((clQueueOptions){0});
    double a[16] = {1};
    clQueueId A = put(q, a, 4, 4), B = A, S = 0;
    clQueueHold(q, round == 0);
    if (round == 1)
      QCHECK(clQueueCall(q, "stop", stopping, q, NULL, 0, 1, 1, &S, &error));
    for (int k = 0; k < 20 && !clQueueSubmit(q, "multiply", (clQueueOperand[]){{B, 0}, {A, 0}}, 2,
                                             &B, 1, &error);
         k++) {
    }
    pthread_t thread[2];
    for (int k = 0; k < 2; k++)
      pthread_create(&thread[k], NULL, stopQueue, q);
    clQueueStop(q);
    clStatus status = clQueueWait(q, B, -1, &error);
    assert_true(status == TEXLA_CANCELLED || (round == 1 && status == TEXLA_OK));
    QFAILS(clQueueSubmit(q, "abs", &(clQueueOperand){A, 0}, 1, &B, 1, &error), TEXLA_CANCELLED,
           "has been stopped");
    for (int k = 0; k < 2; k++)
      pthread_join(thread[k], NULL);
    clQueueStop(q);
    clQueueDestroy(q);
  }
  clQueueDestroy(NULL);
}

static void testNoDevice(void **state) {
  (void)state;
  clQueue *q = NULL;
  clContextOptions context = {.device = "no such device"};
  assert_true(clQueueCreate(&q, &(clQueueOptions){.context = &context}, &error) < 0);
  assert_null(q);
  assert_true(strlen(error.message) > 0);
}

/* Values that come and go leave nothing behind. Buffers for uploads, which a graphics card gets
 * more of as it is behind, would hide that. */
static void testFlat(void **state) {
  (void)state;
  Folder folder;
  folderCreate(&folder);
  folderWriteTuning(&folder, "tuning", "trait.upload_buffers 0\n");
  const clContextOptions context = {.tuning = folderPath(&folder, "tuning")};
  clQueue *q = NULL;
  QCHECK(clQueueCreate(&q, &(clQueueOptions){.context = &context}, &error));
  double a[64 * 64] = {1}, seen[64 * 64];
  clQueueStats first = {0}, last;
  for (int k = 0; k < 1000; k++) {
    clQueueId A = put(q, a, 64, 64), B = submit2(q, "multiply", A, A), C = submit2(q, "plus", B, A);
    if (k % 50 == 0)
      fetch(q, C, seen, 64, 64);
    QCHECK(clQueueRelease(q, A, &error));
    QCHECK(clQueueRelease(q, B, &error));
    QCHECK(clQueueRelease(q, C, &error));
    if (k == 100) {
      QCHECK(clQueueDrain(q, -1, &error));
      clQueueStatistics(q, &first);
    }
  }
  QCHECK(clQueueDrain(q, -1, &error));
  clQueueStatistics(q, &last);
  assert_true(last.device_bytes <= first.device_bytes + 100 * 64 * 64 * 4);
  assert_true(last.values <= 3);
  clQueueDestroy(q);
  folderDestroy(&folder);
}

/* 0 if no call of a child waits for the worker, which does not exist there. */
static int lookAfterFork(clQueue *q, clQueueId id) {
  clQueueStats stats;
  double one = 1, back = 0;
  clHostMatrix A = {TEXLA_HOST_DOUBLE, 1, 1, 0, 0, &one},
               out = {TEXLA_HOST_DOUBLE, 1, 1, 0, 0, &back};
  clQueueId other = 0;
  alarm(60);
  if (clQueueFetch(q, id, &out, -1, &error) != TEXLA_CONTEXT_LOST ||
      !strstr(error.message, "before fork") ||
      clQueuePut(q, &other, &A, &error) != TEXLA_CONTEXT_LOST ||
      clQueueSubmit(q, "abs", (clQueueOperand[]){{id}}, 1, &other, 1, &error) !=
          TEXLA_CONTEXT_LOST ||
      clQueueDrain(q, -1, &error) != TEXLA_CONTEXT_LOST)
    return 1;
  clQueueStatistics(q, &stats);
  clQueueHold(q, true);
  clQueueStop(q);
  clQueueAbandon(q);
  clQueueDestroy(q);
  return stats.values != 0;
}

static void testFork(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  double one = 1, back = 0;
  clQueueId id = put(q, &one, 1, 1);
  int status = -1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    _exit(lookAfterFork(q, id));
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  fetch(q, submit1(q, "abs", id), &back, 1, 1);
  assert_true(back == 1);
  clQueueDestroy(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testPipeline), cmocka_unit_test(testHostForms),
      cmocka_unit_test(testFailures), cmocka_unit_test(testCancel),
      cmocka_unit_test(testLimits),   cmocka_unit_test(testStop),
      cmocka_unit_test(testNoDevice), cmocka_unit_test(testFlat),
      cmocka_unit_test(testFork)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
