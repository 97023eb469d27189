/* Batches on LAPACK and queues together: right answers whoever computes, a report that adds up,
 * software devices left out, several devices, times that are kept in the tuning file. */
#include "folder.h"
#include "queue.h"
#include "texla/share.h"

#include <math.h>

enum { N = 24, TASKS = 23 };

typedef struct batch {
  float a[TASKS][N * N], b[TASKS][N], x[TASKS][N], wanted[TASKS][N], factors[TASKS][N * N];
  int32_t rows[TASKS][N];
  const float *A[TASKS], *B[TASKS];
  float *X[TASKS], *F[TASKS];
  int32_t *P[TASKS];
} batch;

static batch *createBatch(void) {
  batch *t = calloc(1, sizeof *t);
  uint64_t random = 11;
  for (int k = 0; k < TASKS; k++) {
    for (int i = 0; i < N * N; i++)
      t->a[k][i] = (float)randomUnit(&random) + (i % (N + 1) == 0 ? 8 : 0);
    for (int j = 0; j < N; j++) {
      t->wanted[k][j] = (float)(j - k);
      for (int i = 0; i < N; i++)
        t->b[k][i] += t->a[k][i + N * j] * t->wanted[k][j];
    }
    t->A[k] = t->a[k], t->B[k] = t->b[k], t->X[k] = t->x[k], t->F[k] = t->factors[k],
    t->P[k] = t->rows[k];
  }
  return t;
}

static void checkSolutions(const batch *t) {
  for (int k = 0; k < TASKS; k++)
    for (int i = 0; i < N; i++)
      assert_true(fabs((double)(t->x[k][i] - t->wanted[k][i])) < 1e-3);
}

static void checkFactors(const batch *t) {
  for (int k = 0; k < TASKS; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int m = 0; m <= i && m <= j; m++)
          sum += (m == i ? 1 : (double)t->factors[k][i + N * m]) * (double)t->factors[k][m + N * j];
        assert_true(fabs(sum - (double)t->a[k][t->rows[k][i] + N * j]) < 1e-4);
      }
}

static void run(clQueue *q, clShareOptions options, int least_workers) {
  batch *t = createBatch();
  clShare *s = NULL;
  clShareReport report;
  QCHECK(clShareCreate(&s, &q, 1, &options, &error));
  for (int round = 0; round < 3; round++) {
    memset(t->x, 0, sizeof t->x);
    QCHECK(clShareSolve(s, N, TASKS, t->A, t->B, t->X, &report, &error));
    checkSolutions(t);
    int done = 0, planned = 0;
    for (int w = 0; w < report.workers; w++) {
      done += report.worker[w].done;
      planned += report.worker[w].planned;
      assert_true(strlen(report.worker[w].name) > 0);
    }
    assert_int_equal(done, TASKS);
    assert_true((round == 0 && planned == 0) || abs(planned - TASKS) <= report.workers);
    /* all have tried */
    for (int w = 0; w < report.workers; w++)
      assert_true(report.worker[w].seconds > 0);
    assert_true(report.workers >= least_workers && report.failed == 0 && report.seconds > 0);
  }
  QCHECK(clShareFactor(s, N, TASKS, t->A, t->F, t->P, &report, &error));
  checkFactors(t);
  /* one task fails: the others are done */
  for (int i = 0; i < N * N; i++)
    t->a[7][i] = 1;
  memset(t->x, 0, sizeof t->x);
  QFAILS(clShareSolve(s, N, TASKS, t->A, t->B, t->X, &report, &error), TEXLA_SINGULAR,
         "clShareSolve: task 7 of 23");
  assert_int_equal(report.failed, 1);
  assert_true(t->x[7][0] == 0);
  memcpy(t->x[7], t->wanted[7], sizeof t->x[7]);
  checkSolutions(t);
  clShareDestroy(s);
  free(t);
}

static void testTogether(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  run(q, (clShareOptions){.software_too = true}, 2);
  run(q, (clShareOptions){.no_processor = true}, 2);
  run(q, (clShareOptions){0}, 1);
  clQueueDestroy(q);
}

static void testSoftwareIsLeftOut(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  if (!clQueueInspect(q)->software) {
    clQueueDestroy(q);
    testSkip("the queue's device computes on no processor");
  }
  batch *t = createBatch();
  clShare *s = NULL;
  clShareReport report;
  QCHECK(clShareCreate(&s, &q, 1, NULL, &error));
  QCHECK(clShareSolve(s, N, TASKS, t->A, t->B, t->X, &report, &error));
  if (strstr(report.remark, "no LAPACK")) {
    clShareDestroy(s);
    free(t);
    clQueueDestroy(q);
    testSkip("no LAPACK on this machine");
  }
  assert_int_equal(report.workers, 1);
  assert_string_equal(report.worker[0].name, "LAPACK");
  assert_non_null(
      strstr(report.remark, "the processor works alone: 1 queue is on a software device"));
  clShareDestroy(s);
  QFAILS(clShareCreate(&s, NULL, 0, &(clShareOptions){.no_processor = true}, &error),
         TEXLA_UNSUPPORTED, "neither");
  QFAILS(clShareSolve(NULL, N, TASKS, t->A, t->B, t->X, &report, &error), TEXLA_BAD_ARGUMENT,
         "clShareSolve");
  free(t);
  clQueueDestroy(q);
}

/* Two devices, here two contexts of one: both compute. */
static void testSeveralDevices(void **state) {
  (void)state;
  clQueue *q[2] = {queueWith((clQueueOptions){0}), queueWith((clQueueOptions){0})};
  batch *t = createBatch();
  for (int lapack = 0; lapack < 2; lapack++) {
    clShare *s = NULL;
    clShareReport report;
    clQueueStats before[2], after[2];
    for (int k = 0; k < 2; k++)
      clQueueStatistics(q[k], &before[k]);
    QCHECK(clShareCreate(&s, q, 2, &(clShareOptions){.no_processor = !lapack, .software_too = true},
                         &error));
    memset(t->x, 0, sizeof t->x);
    QCHECK(clShareSolve(s, N, TASKS, t->A, t->B, t->X, &report, &error));
    checkSolutions(t);
    int done = 0;
    for (int w = 0; w < report.workers; w++)
      done += report.worker[w].done;
    assert_int_equal(done, TASKS);
    /* each queue has done what its two threads say */
    for (int k = 0; k < 2; k++) {
      const clShareWorker *r = &report.worker[report.workers - 4 + 2 * k];
      clQueueStatistics(q[k], &after[k]);
      assert_true(after[k].done - before[k].done >= r[0].done + r[1].done);
    }
    /* two threads for each queue */
    if (!lapack)
      assert_true(report.worker[0].done + report.worker[1].done > 0 &&
                  report.worker[2].done + report.worker[3].done > 0);
    assert_true(report.workers == 4 || (lapack && report.workers == 5));
    clShareDestroy(s);
  }
  free(t);
  for (int k = 0; k < 2; k++)
    clQueueDestroy(q[k]);
}

/* A batch on a queue that keeps its tuning in `file`; the tasks that were planned from what the
 * file knows. */
static int plannedFrom(const char *file, int n, int tasks, int batches) {
  clContextOptions context = {.tuning = file};
  clQueueOptions options = {.context = &context};
  clQueue *q = NULL;
  clShare *s = NULL;
  clShareReport report;
  int planned = 0;
  batch *t = createBatch();
  QCHECK(clQueueCreate(&q, &options, &error));
  QCHECK(clShareCreate(&s, &q, 1, &(clShareOptions){.software_too = true}, &error));
  for (int k = 0; k < batches; k++) {
    QCHECK(clShareSolve(s, n, tasks, t->A, t->B, t->X, &report, &error));
    for (int w = 0; w < report.workers && k == 0; w++)
      planned += report.worker[w].planned;
  }
  clShareDestroy(s);
  clQueueDestroy(q);
  free(t);
  return planned;
}

static int linesOf(const char *file, const char *start) {
  char line[256];
  int count = 0;
  FILE *f = fopen(file, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f))
    count += !strncmp(line, start, strlen(start));
  fclose(f);
  return count;
}

static void testTimesAreKept(void **state) {
  (void)state;
  Folder folder;
  folderCreate(&folder);
  const char *file = folderPath(&folder, "tuning");
  assert_int_equal(plannedFrom(file, N, TASKS, 3), 0);
  int lines = linesOf(file, "share.solve.24.");
  assert_true(lines >= 2 && lines <= 5);
  assert_true(abs(plannedFrom(file, N, TASKS, 1) - TASKS) <= 3);
  /* another size */
  assert_int_equal(plannedFrom(file, 5, TASKS, 1), 0);
  folderWrite(&folder, "tuning",
              "share.solve.24.lapack 0\nshare.solve.24.queue -3\nshare.solve.24.nothing "
              "7\nshare.solve.x.queue 3\n"
              "share.solve.-1.queue 5\nshare.other.24.queue 5\nshare.solve.24.queuex "
              "5\nshare.solve.24.queue.5 5\n");
  /* none of them makes sense */
  assert_int_equal(plannedFrom(file, N, TASKS, 1), 0);
  folderRemove(folder.name);
}

/* However many sizes there are: the file holds a few. */
static void testTableIsBounded(void **state) {
  (void)state;
  Folder folder;
  folderCreate(&folder);
  const char *file = folderPath(&folder, "tuning");
  clContextOptions context = {.tuning = file};
  clQueueOptions options = {.context = &context};
  clQueue *q = NULL;
  clShare *s = NULL;
  batch *t = createBatch();
  float a[40 * 40] = {0}, b[40] = {1};
  static float x[TASKS][40];
  QCHECK(clQueueCreate(&q, &options, &error));
  QCHECK(clShareCreate(&s, &q, 1, &(clShareOptions){.no_processor = true}, &error));
  for (int n = 1; n <= 40; n++) {
    for (int k = 0; k < n * n; k++)
      a[k] = k % (n + 1) == 0;
    for (int k = 0; k < TASKS; k++)
      t->A[k] = a, t->B[k] = b, t->X[k] = x[k];
    for (int round = 0; round < 2; round++)
      QCHECK(clShareSolve(s, n, 8, t->A, t->B, t->X, NULL, &error));
    assert_true(x[0][0] == 1 && x[7][0] == 1);
  }
  clShareDestroy(s);
  clQueueDestroy(q);
  int lines = linesOf(file, "share.");
  /* of a worker, of the queues alone */
  assert_true(lines >= 31 && lines <= 2 * 31);
  free(t);
  folderRemove(folder.name);
}

/* A queue that does not answer, or has been stopped, has no times; nothing waits for it. */
static void testNoAnswer(void **state) {
  (void)state;
  clQueue *q = queueWith((clQueueOptions){0});
  for (int stopped = 0; stopped < 2; stopped++) {
    clShare *s = NULL;
    clQueueHold(q, true);
    if (stopped)
      clQueueStop(q);
    QCHECK(clShareCreate(&s, &q, 1, &(clShareOptions){.no_processor = true}, &error));
    clShareDestroy(s);
  }
  clQueueDestroy(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testTogether),       cmocka_unit_test(testSoftwareIsLeftOut),
      cmocka_unit_test(testSeveralDevices), cmocka_unit_test(testTimesAreKept),
      cmocka_unit_test(testTableIsBounded), cmocka_unit_test(testNoAnswer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
