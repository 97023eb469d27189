/* A batch of factorizations P A = L U, shared between the processor and a device by the measured
 * ratio r = ceil(t_GPU / t_CPU) (or its inverse, if the device is faster): while the queue's thread
 * works on one task, the processor works on r others.
 *
 *     share_batch [N] [TASKS] [--software]
 *
 * On a software renderer both would compete for the same processor; the processor then works alone,
 * unless --software is given. With LAPACK (HAVE_LAPACK) the processor's part is sgetrf, else a
 * loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "texla/queue.h"

#if HAVE_LAPACK
extern void sgetrf_(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info);
#endif

/* A and its factors row by row (L below the diagonal of U), and the rows of A in the order of
 * P A. */
typedef struct Task {
  float *A, *LU;
  int *rows;
  clQueueId result[2];
} Task;

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each matrix is another one. */
static void fill(float *A, int n, unsigned seed) {
  for (int i = 0; i < n * n; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (float)(seed >> 8) * 0x1p-23f - 1;
  }
}

#if !HAVE_LAPACK
static void swapRows(float *A, int *rows, int n, int i, int j) {
  for (int k = 0; k < n; k++) {
    float other = A[i * n + k];
    A[i * n + k] = A[j * n + k];
    A[j * n + k] = other;
  }
  int row = rows[i];
  rows[i] = rows[j];
  rows[j] = row;
}
#endif

/* LAPACK's matrices are column-major: A is copied there and back. */
static void factorOnHost(Task *task, int n) {
  for (int i = 0; i < n; i++)
    task->rows[i] = i;
#if HAVE_LAPACK
  float *a = malloc((size_t)n * (size_t)n * sizeof *a);
  int *pivots = malloc((size_t)n * sizeof *pivots), info = 0;
  for (int i = 0; i < n * n; i++)
    a[i % n * n + i / n] = task->A[i];
  sgetrf_(&n, &n, a, &n, pivots, &info);
  for (int i = 0; i < n * n; i++)
    task->LU[i] = a[i % n * n + i / n];
  for (int i = 0; i < n; i++) {
    int row = task->rows[i];
    task->rows[i] = task->rows[pivots[i] - 1];
    task->rows[pivots[i] - 1] = row;
  }
  free(a);
  free(pivots);
#else
  float *A = memcpy(task->LU, task->A, (size_t)n * (size_t)n * sizeof *A);
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabsf(A[i * n + k]) > fabsf(A[pivot * n + k]))
        pivot = i;
    swapRows(A, task->rows, n, k, pivot);
    for (int i = k + 1; i < n; i++) {
      float factor = A[i * n + k] /= A[k * n + k];
      for (int j = k + 1; j < n; j++)
        A[i * n + j] -= factor * A[k * n + j];
    }
  }
#endif
}

/* Returns at once: the queue copies A and works in its own thread. */
static clStatus submit(clQueue *queue, Task *task, int n, clError *error) {
  clQueueId id = 0;
  clHostMatrix A = {TEXLA_HOST_FLOAT, n, n, n, 1, task->A};
  clStatus status = clQueuePut(queue, &id, &A, error);
  if (!status)
    status = clQueueSubmit(queue, "factor", &(clQueueOperand){id, 0}, 1, task->result, 2, error);
  clQueueRelease(queue, id, NULL);
  return status;
}

/* Waits for the factors. Rows come as floats, counted from 1. */
static clStatus fetch(clQueue *queue, Task *task, int n, clError *error) {
  float *rows = malloc((size_t)n * sizeof *rows);
  clHostMatrix LU = {TEXLA_HOST_FLOAT, n, n, n, 1, task->LU},
               P = {TEXLA_HOST_FLOAT, 1, n, 0, 0, rows};
  clStatus status = clQueueFetch(queue, task->result[0], &LU, -1, error);
  if (!status)
    status = clQueueFetch(queue, task->result[1], &P, -1, error);
  for (int i = 0; i < n && !status; i++)
    task->rows[i] = (int)rows[i] - 1;
  free(rows);
  for (int k = 0; k < 2; k++)
    clQueueRelease(queue, task->result[k], NULL);
  return status;
}

/* The device has tasks 0, step, 2 step, ... (step 0: none), or all but these (inverse). *seconds <-
 * the time of the batch. */
static clStatus run(clQueue *queue, Task *task, int tasks, int n, int step, int inverse,
                    double *seconds, clError *error) {
  double start = now();
  clStatus status = TEXLA_OK;
  for (int k = 0; k < tasks && !status; k++)
    if (step && (k % step == 0) != inverse)
      status = submit(queue, &task[k], n, error);
  for (int k = 0; k < tasks && !status; k++)
    if (!step || (k % step == 0) == inverse)
      factorOnHost(&task[k], n);
  for (int k = 0; k < tasks && !status; k++)
    if (step && (k % step == 0) != inverse)
      status = fetch(queue, &task[k], n, error);
  *seconds = now() - start;
  return status;
}

/* max |P A - L U| */
static double errorOf(const Task *task, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = -(double)task->A[task->rows[i] * n + j];
      for (int k = 0; k <= j && k <= i; k++)
        sum += (k < i ? (double)task->LU[i * n + k] : 1) * (double)task->LU[k * n + j];
      worst = fmax(worst, fabs(sum));
    }
  return worst;
}

/* Both alone, then together by the ratio of their times. */
static clStatus share(clQueue *queue, Task *task, int tasks, int n, int software, clError *error) {
  double device = 0, host = 0, together = 0, worst = 0;
  clStatus status = run(queue, task, 1, n, 1, 0, &device, error); /* compiles */
  if (!status)
    status = run(queue, task, tasks, n, 1, 0, &device, error);
  if (!status)
    status = run(queue, task, tasks, n, 0, 0, &host, error);
  int inverse = device < host;
  int r = (int)ceil(inverse ? host / device : device / host), step = r + 1;
  printf("t_GPU %.3f ms, t_CPU %.3f ms a task, ratio %s = %d\n", 1e3 * device / tasks,
         1e3 * host / tasks, inverse ? "ceil(t_CPU / t_GPU)" : "ceil(t_GPU / t_CPU)", r);
  if (clQueueInspect(queue)->software && !software) {
    printf("software renderer: the processor works alone (--software shares all the same)\n");
    step = inverse = 0;
  }
  if (!status)
    status = run(queue, task, tasks, n, step, inverse, &together, error);
  int shared = 0;
  for (int k = 0; k < tasks; k++) {
    worst = fmax(worst, errorOf(&task[k], n));
    shared += step && (k % step == 0) != inverse;
  }
  if (!status)
    printf("%d tasks of order %d: %d by the device, %d by the processor: %.3f ms; alone %.3f and "
           "%.3f ms\n"
           "max |P A - L U| = %.1e\n",
           tasks, n, shared, tasks - shared, 1e3 * together, 1e3 * device, 1e3 * host, worst);
  return status;
}

int main(int argc, char **argv) {
  int software = argc > 1 && !strcmp(argv[argc - 1], "--software");
  int n = argc - software > 1 ? atoi(argv[1]) : 128,
      tasks = argc - software > 2 ? atoi(argv[2]) : 25;
  clError error = {0};
  clQueue *queue = NULL;
  if (n < 1 || n > 4096 || tasks < 1 || tasks > 1000) {
    fprintf(stderr, "usage: share_batch [N] [TASKS] [--software]\n");
    return 2;
  }
  size_t count = (size_t)n * (size_t)n;
  Task *task = calloc((size_t)tasks, sizeof *task);
  clStatus status = clQueueCreate(&queue, NULL, &error);
  for (int k = 0; k < tasks; k++) {
    task[k] = (Task){.A = malloc(count * sizeof(float)),
                     .LU = malloc(count * sizeof(float)),
                     .rows = malloc((size_t)n * sizeof(int))};
    fill(task[k].A, n, (unsigned)k + 1);
  }
  if (!status)
    status = share(queue, task, tasks, n, software, &error);
  if (status)
    fprintf(stderr, "share_batch: %s\n", error.message);
  for (int k = 0; k < tasks; k++) {
    free(task[k].A);
    free(task[k].LU);
    free(task[k].rows);
  }
  free(task);
  clQueueDestroy(queue);
  return status ? 1 : 0;
}
