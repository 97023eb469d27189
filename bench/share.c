/* Load distribution: a batch of systems by the queue and the processor together, by each alone. */
#include <math.h>
#include <stdlib.h>

#include "suite.h"
#include "core/try.h"
#include "texla/share.h"

enum { TASKS = 24, WAYS = 3, ROUNDS = 5 };

/* Systems of one order with dense matrices. */
typedef struct Batch {
  int n;
  /* all tasks have the same matrix, in memory of their own */
  float *a, *b, *x;
  const float *A[TASKS], *B[TASKS];
  float *X[TASKS];
} Batch;

/* Dominant diagonals, so that all systems are regular; false: no memory. */
static bool create(Batch *t, int n) {
  size_t size = (size_t)n * (size_t)n;
  t->n = n;
  t->a = malloc(TASKS * size * sizeof *t->a);
  t->b = malloc(TASKS * (size_t)n * sizeof *t->b);
  t->x = malloc(TASKS * (size_t)n * sizeof *t->x);
  for (int k = 0; k < TASKS && t->a && t->b && t->x; k++) {
    float *a = t->a + (size_t)k * size, *b = t->b + (size_t)(k * n);
    txBenchNoise(a, (int64_t)size, (uint64_t)k, -1, 1);
    txBenchNoise(b, n, 99, -1, 1);
    for (int i = 0; i < n; i++)
      a[(size_t)i * (size_t)(n + 1)] += (float)n;
    t->A[k] = a;
    t->B[k] = b;
    t->X[k] = t->x + (size_t)(k * n);
  }
  return t->a && t->b && t->x;
}

/* Also what has never been made. */
static void destroy(Batch *t) {
  free(t->a);
  free(t->b);
  free(t->x);
}

/* For qsort. */
static int byTime(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
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
    qsort(all[way], ROUNDS, sizeof **all, byTime);
    seconds[way] = all[way][ROUNDS / 2];
  }
  return TEXLA_OK;
}

/* Beside the better one of both alone: below 1 sharing has cost more than it has gained. */
static void report(txBench *bench, int n, const double *seconds, const clShareReport *r) {
  double best =
      seconds[1] > 0 && (seconds[1] < seconds[2] || !(seconds[2] > 0)) ? seconds[1] : seconds[2];
  if (bench->table) {
    printf("  %d systems of order %4d: together %8.3f ms, processor alone %8.3f, queue alone "
           "%8.3f; the better one / "
           "together "
           "%.2f\n",
           TASKS, n, seconds[0] * 1e3, seconds[1] * 1e3, seconds[2] * 1e3, best / seconds[0]);
    for (int w = 0; w < r->workers; w++)
      printf("    %-40s planned %2d, done %2d, %8.3f ms a task\n", r->worker[w].name,
             r->worker[w].planned, r->worker[w].done, r->worker[w].seconds * 1e3);
    if (r->remark[0])
      printf("    %s\n", r->remark);
  }
  if (!bench->json)
    return;
  txJson *json = &bench->writer;
  txJsonObject(json, NULL);
  txJsonString(json, "suite", bench->suite);
  txJsonString(json, "name", "solve a batch");
  txJsonInteger(json, "size", n);
  txJsonNumber(json, "seconds_together", seconds[0]);
  txJsonNumber(json, "seconds_processor", seconds[1]);
  txJsonNumber(json, "seconds_queue", seconds[2]);
  txJsonNumber(json, "ratio", best / seconds[0]);
  txJsonString(json, "remark", r->remark);
  txJsonClose(json);
}

/* The queue is on the device that TEXLA_DEVICE names. */
clStatus txBenchShare(txBench *bench) {
  static const int sizes[] = {64, 128, 256, 512};
  clQueue *queue = NULL;
  clShare *share[WAYS] = {NULL};
  clStatus status = clQueueCreate(&queue, NULL, NULL);
  if (!status)
    status = clShareCreate(&share[0], &queue, 1, NULL, NULL);
  /* without LAPACK: left out */
  if (!status)
    clShareCreate(&share[1], NULL, 0, NULL, NULL);
  if (!status)
    status = clShareCreate(&share[2], &queue, 1, &(clShareOptions){.no_processor = true}, NULL);
  int count = bench->quick ? 2 : 4;
  for (int k = 0; k < count && !status; k++) {
    Batch t = {0};
    clShareReport together;
    double seconds[WAYS];
    int n = bench->size && !k ? (int)bench->size : sizes[k];
    status = create(&t, n) ? measure(share, &t, seconds, &together) : TEXLA_OUT_OF_MEMORY;
    if (!status)
      report(bench, n, seconds, &together);
    destroy(&t);
    if (bench->size)
      break;
  }
  for (int way = 0; way < WAYS; way++)
    clShareDestroy(share[way]);
  clQueueDestroy(queue);
  return status;
}
