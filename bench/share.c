/* Load distribution: a batch of systems by the queue and the processor together, by each alone. */
#include <math.h>
#include <stdlib.h>

#include "suite.h"
#include "core/try.h"
#include "texla/share.h"

/* Systems in a batch; together, processor alone, queue alone; rounds that count. */
enum { TASKS = 24, WAYS = 3, ROUNDS = 5 };

/* Systems of one order with dense matrices. */
typedef struct Batch {
  int n;
  /* all tasks have the same matrix, in memory of their own */
  float *a, *b, *x;
  const float *A[TASKS], *B[TASKS];
  float *X[TASKS];
} Batch;

/* Dominant diagonals, so that all systems are regular. */
static clStatus create(Batch *t, int n) {
  size_t size = (size_t)n * (size_t)n;
  t->n = n;
  t->a = malloc(TASKS * size * sizeof *t->a);
  t->b = malloc(TASKS * (size_t)n * sizeof *t->b);
  t->x = malloc(TASKS * (size_t)n * sizeof *t->x);
  if (!t->a || !t->b || !t->x)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < TASKS; k++) {
    float *a = t->a + (size_t)k * size, *b = t->b + (size_t)(k * n);
    txBenchNoise(a, (int64_t)size, (uint64_t)k, -1, 1);
    txBenchNoise(b, n, 99, -1, 1);
    for (int i = 0; i < n; i++)
      a[(size_t)i * (size_t)(n + 1)] += (float)n;
    t->A[k] = a;
    t->B[k] = b;
    t->X[k] = t->x + (size_t)(k * n);
  }
  return TEXLA_OK;
}

/* Also what has never been made. */
static void destroy(Batch *t) {
  free(t->a);
  free(t->b);
  free(t->x);
}

/* Together and each alone, in turns; the first round, in which times are learnt, does not count.
 * Medians to `seconds`; 0: not possible. */
static clStatus measure(clShare *const *share, const Batch *t, double *seconds,
                        clShareReport *together) {
  double all[WAYS][ROUNDS];
  for (int round = -1; round < ROUNDS; round++)
    for (int way = 0; way < WAYS; way++) {
      clShareReport report = {0};
      /* the second one finds what it reads in the caches */
      for (int again = 0; again < 2 && share[way]; again++)
        TRY(clShareSolve(share[way], t->n, TASKS, t->A, t->B, t->X, &report, NULL));
      if (round >= 0)
        all[way][round] = report.seconds;
      if (!way)
        *together = report;
    }
  for (int way = 0; way < WAYS; way++) {
    txBenchSort(all[way], ROUNDS);
    seconds[way] = all[way][ROUNDS / 2];
  }
  return TEXLA_OK;
}

/* Beside the better one of both alone: below 1 sharing has cost more than it has gained. */
static void report(txBench *bench, int n, const double *seconds, const clShareReport *r) {
  double best = seconds[2];
  if (seconds[1] > 0 && (seconds[1] < best || !(best > 0)))
    best = seconds[1];
  if (bench->table) {
    printf("  %d systems of order %4d: together %8.3f ms, processor alone %8.3f, queue alone "
           "%8.3f; the better one / together %.2f\n",
           TASKS, n, seconds[0] * 1e3, seconds[1] * 1e3, seconds[2] * 1e3, best / seconds[0]);
    for (int w = 0; w < r->workers; w++)
      printf("    %-40s planned %2d, done %2d, %8.3f ms a task\n", r->worker[w].name,
             r->worker[w].planned, r->worker[w].done, r->worker[w].seconds * 1e3);
    if (r->remark[0])
      printf("    %s\n", r->remark);
  }
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "name", "solve a batch");
  txJsonInteger(json, "size", n);
  txJsonNumber(json, "seconds_together", seconds[0]);
  txJsonNumber(json, "seconds_processor", seconds[1]);
  txJsonNumber(json, "seconds_queue", seconds[2]);
  txJsonNumber(json, "ratio", best / seconds[0]);
  txJsonString(json, "remark", r->remark);
  txJsonClose(json);
}

/* One order, with a batch of its own. */
static clStatus runSize(txBench *bench, clShare *const *share, int n) {
  Batch t = {0};
  clShareReport together;
  double seconds[WAYS];
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&t, n));
  TRY_CLEANUP(measure(share, &t, seconds, &together));
  report(bench, n, seconds, &together);
cleanup:
  destroy(&t);
  return status;
}

/* The queue is on the device that TEXLA_DEVICE names. */
clStatus txBenchShare(txBench *bench) {
  static const int sizes[] = {64, 128, 256, 512};
  const clShareOptions queue_alone = {.no_processor = true};
  clQueue *queue = NULL;
  clShare *share[WAYS] = {NULL};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clQueueCreate(&queue, NULL, NULL));
  TRY_CLEANUP(clShareCreate(&share[0], &queue, 1, NULL, NULL));
  /* Without LAPACK this one stays NULL, and its column 0. */
  clShareCreate(&share[1], NULL, 0, NULL, NULL);
  TRY_CLEANUP(clShareCreate(&share[2], &queue, 1, &queue_alone, NULL));
  int count = bench->quick ? 2 : 4;
  if (bench->size)
    TRY_CLEANUP(runSize(bench, share, (int)bench->size));
  for (int k = 0; k < count && !bench->size; k++)
    TRY_CLEANUP(runSize(bench, share, sizes[k]));
cleanup:
  for (int way = 0; way < WAYS; way++)
    clShareDestroy(share[way]);
  clQueueDestroy(queue);
  return status;
}
