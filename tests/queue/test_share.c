/* Batches on LAPACK and a queue together: right answers whoever computes, a report that adds up, software devices left out. */
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
    t->A[k] = t->a[k], t->B[k] = t->b[k], t->X[k] = t->x[k], t->F[k] = t->factors[k], t->P[k] = t->rows[k];
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
    assert_true(round == 0 ? planned == 0 : abs(planned - TASKS) <= report.workers);
    assert_true(report.workers >= least_workers && report.failed == 0 && report.seconds > 0);
    if (round == 0)
      for (int w = 0; w < report.workers && report.workers == 3; w++)
        assert_true(report.worker[w].done == 0 || report.worker[w].seconds > 0);
  }
  QCHECK(clShareFactor(s, N, TASKS, t->A, t->F, t->P, &report, &error));
  checkFactors(t);
  for (int i = 0; i < N * N; i++) /* one task fails: the others are done */
    t->a[7][i] = 1;
  memset(t->x, 0, sizeof t->x);
  QFAILS(clShareSolve(s, N, TASKS, t->A, t->B, t->X, &report, &error), TEXLA_SINGULAR, "clShareSolve: task 7 of 23");
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
    skip();
  }
  batch *t = createBatch();
  clShare *s = NULL;
  clShareReport report;
  QCHECK(clShareCreate(&s, &q, 1, NULL, &error));
  QCHECK(clShareSolve(s, N, TASKS, t->A, t->B, t->X, &report, &error));
  assert_int_equal(report.workers, 1);
  assert_string_equal(report.worker[0].name, "LAPACK");
  assert_non_null(strstr(report.remark, "the processor works alone: 1 queue is on a software device"));
  clShareDestroy(s);
  QFAILS(clShareCreate(&s, NULL, 0, &(clShareOptions){.no_processor = true}, &error), TEXLA_UNSUPPORTED, "neither");
  QFAILS(clShareSolve(NULL, N, TASKS, t->A, t->B, t->X, &report, &error), TEXLA_BAD_ARGUMENT, "clShareSolve");
  free(t);
  clQueueDestroy(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(testTogether), cmocka_unit_test(testSoftwareIsLeftOut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
