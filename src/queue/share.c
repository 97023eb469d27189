/* Load distribution: workers take tasks from one heap, and know when to stop.
 *
 * Each worker takes the next task when it is done with one, so nobody has to know beforehand who is
 * how fast. Only the end of a batch needs that: a slow worker that takes one of the last tasks lets
 * all others wait. So a worker stops when the others would be done with all the rest before it is
 * done with one task, by the times of earlier tasks. */
#include "queue/share.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/try.h"
#include "platform/platform.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At most so many queues, with so many threads each. A batch of ENOUGH tasks tells how fast a way
 * is; tasks are kept for workers that are not known where there are FEW times as many; every so
 * many batches (AGAIN) the next best way is tried once more. */
enum { QUEUES = 8, THREADS = 2, ENOUGH = 8, FEW = 3, AGAIN = 16 };

/* The tasks of one call: `next` is the first that nobody has taken. kept[w] tasks are left for
 * worker w, who is not known yet, `reserved` for all of them. x are solutions or factors. */
typedef struct batch {
  clShare *share;
  int n, count, next;
  txShareWay way;
  int kept[TEXLA_SHARE_WORKERS], reserved;
  const float *const *A, *const *b;
  float *const *x;
  int32_t *const *rows;
  txShareTimes *times;
  clShareReport *report;
  pthread_mutex_t lock;
  int failed_task;
  clStatus status;
  clError error;
} batch;

/* What a worker's thread is given. */
typedef struct hand {
  batch *batch;
  int worker;
} hand;

/* ---- One task -------------------------------------------------------------------------------- */

/* LAPACK's exchanges, one after the other, as a permutation. */
static void permutation(int32_t *rows, const int *exchange, int n) {
  for (int i = 0; i < n; i++)
    rows[i] = i;
  for (int i = 0; i < n; i++) {
    int32_t other = rows[exchange[i] - 1];
    rows[exchange[i] - 1] = rows[i];
    rows[i] = other;
  }
}

/* A and b are copied, as LAPACK writes its results over them. */
static clStatus byLapack(const batch *b, int task, clError *error) {
  int n = b->n, one = 1, info = 0;
  size_t size = (size_t)n * (size_t)n;
  clStatus status = TEXLA_OK;
  float *a = txAllocate(error, "clShare", size + (size_t)n, sizeof *a, "a system");
  if (!a)
    return TEXLA_OUT_OF_MEMORY;
  float *x = a + size;
  int *exchange = txAllocate(error, "clShare", (size_t)n, sizeof *exchange, "exchanges");
  if (!exchange)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  memcpy(a, b->A[task], size * sizeof *a);
  if (b->times->factor)
    b->share->factor(&n, &n, a, &n, exchange, &info);
  else {
    memcpy(x, b->b[task], (size_t)n * sizeof *x);
    b->share->solve(&n, &one, a, &n, exchange, x, &n, &info);
  }
  if (info)
    TRY_CLEANUP(txFail(error, TEXLA_SINGULAR, "clShare", "task %d: pivot %d is zero", task, info));
  if (b->times->factor) {
    memcpy(b->x[task], a, size * sizeof *a);
    permutation(b->rows[task], exchange, n);
  } else
    memcpy(b->x[task], x, (size_t)n * sizeof *x);
cleanup:
  free(a);
  free(exchange);
  return status;
}

/* A matrix of the caller's, row after row, which the queue copies. */
static clHostMatrix floats(const float *values, int rows, int cols) {
  return (clHostMatrix){TEXLA_HOST_FLOAT, rows, cols, 0, 0, (void *)(uintptr_t)values};
}

/* The order of rows comes as floats, counted from 1. */
static clStatus fetchResults(const batch *b, clQueue *q, int task, const clQueueId *result,
                             clError *error) {
  bool factor = b->times->factor;
  int n = b->n;
  float *rows = txAllocate(error, "clShare", (size_t)n, sizeof *rows, "the order of rows");
  int cols = factor ? n : 1;
  clHostMatrix x = floats(b->x[task], n, cols), p = floats(rows, 1, n);
  clStatus status = TEXLA_OK;
  if (!rows)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(clQueueFetch(q, result[0], &x, -1, error));
  if (factor)
    TRY_CLEANUP(clQueueFetch(q, result[1], &p, -1, error));
  for (int i = 0; i < n && factor; i++)
    b->rows[task][i] = (int32_t)rows[i] - 1;
cleanup:
  free(rows);
  return status;
}

/* Ids are given back whatever comes of the task. */
static clStatus byQueue(const batch *b, clQueue *q, int task, clError *error) {
  bool factor = b->times->factor;
  clQueueId id[2] = {0}, result[2] = {0};
  clHostMatrix A = floats(b->A[task], b->n, b->n);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clQueuePut(q, &id[0], &A, error));
  if (!factor) {
    clHostMatrix right = floats(b->b[task], b->n, 1);
    TRY_CLEANUP(clQueuePut(q, &id[1], &right, error));
  }
  clQueueOperand operand[] = {{id[0], 0}, {id[1], 0}};
  if (factor)
    TRY_CLEANUP(clQueueSubmit(q, "factor", operand, 1, result, 2, error));
  else
    TRY_CLEANUP(clQueueSubmit(q, "solve", operand, 2, result, 1, error));
  TRY_CLEANUP(fetchResults(b, q, task, result, error));
cleanup:
  for (int k = 0; k < 2; k++) {
    if (id[k])
      clQueueRelease(q, id[k], NULL);
    if (result[k])
      clQueueRelease(q, result[k], NULL);
  }
  return status;
}

/* ---- Who takes it ---------------------------------------------------------------------------- */

/* Worker 0 is the processor, the others are queues. */
static bool takesPart(const batch *b, int worker) {
  return b->way == TX_SHARE_TOGETHER || (b->way == TX_SHARE_LAPACK) == (worker == 0);
}

/* Tasks that are kept for workers which are not known yet, two for each, where there are enough. */
static int reserve(batch *b) {
  int count = 0;
  for (int w = b->share->first; w < b->share->workers; w++) {
    b->kept[w] = takesPart(b, w) && b->times->worker[w] <= 0 ? 2 : 0;
    count += b->kept[w];
  }
  if (b->count < FEW * count)
    return 0;
  return count;
}

/* Would this worker be done with a task before the others are with all that are left? They need at
 * least as long as the fastest of them for one, so the fastest of all always takes. */
static bool worthWhile(const batch *b, int worker) {
  const double *t = b->times->worker;
  double rate = 0, fastest = 0;
  for (int w = b->share->first; w < b->share->workers; w++)
    if (w != worker && t[w] > 0 && takesPart(b, w)) {
      rate += 1 / t[w];
      if (fastest <= 0 || t[w] < fastest)
        fastest = t[w];
    }
  if (t[worker] <= 0 || rate <= 0)
    return true;
  double rest = (b->count - b->next) / rate;
  return t[worker] <= rest || t[worker] <= fastest;
}

/* What is kept for others is not for this one. */
static bool takeTask(batch *b, int worker, int *task) {
  pthread_mutex_lock(&b->lock);
  int own = b->reserved < b->kept[worker] ? b->reserved : b->kept[worker];
  bool take = b->next < b->count - (b->reserved - own) && worthWhile(b, worker);
  if (take)
    *task = b->next++;
  if (take && own) {
    b->kept[worker]--;
    b->reserved--;
  }
  pthread_mutex_unlock(&b->lock);
  return take;
}

/* A mean that forgets; what is much faster than before was held up then. */
static void blend(double *known, double seconds) {
  if (*known > 0 && seconds > *known / 2)
    seconds = (*known + seconds) / 2;
  *known = seconds;
}

/* Of several failures the first task's is told, so that messages do not depend on who was
 * faster. */
static void taskDone(batch *b, int worker, int task, double seconds, clStatus status,
                     const clError *error) {
  pthread_mutex_lock(&b->lock);
  /* The first task of a size compiles and measures variants, so its time says nothing. */
  if (b->times->tasks[worker]++)
    blend(&b->times->worker[worker], seconds);
  b->report->worker[worker - b->share->first].done++;
  b->report->failed += status < 0;
  if (status < 0 && (!b->status || task < b->failed_task)) {
    b->status = status;
    b->error = *error;
    b->failed_task = task;
  }
  pthread_mutex_unlock(&b->lock);
}

/* A worker takes tasks until none is left that is worth its while. */
static void *work(void *argument) {
  hand *h = argument;
  batch *b = h->batch;
  clQueue *q = b->share->queue[h->worker];
  for (int task; takeTask(b, h->worker, &task);) {
    clError error = {0};
    double start = txNow();
    clStatus status;
    if (q)
      status = byQueue(b, q, task, &error);
    else
      status = byLapack(b, task, &error);
    taskDone(b, h->worker, task, txNow() - start, status, &error);
  }
  return NULL;
}

/* ---- Which way ------------------------------------------------------------------------------- */

/* Seconds for a task, as measured; where it has not been, less than can be: half of what the
 * workers' own times promise. */
static double expected(const clShare *s, const txShareTimes *t, txShareWay way) {
  double rate = 0;
  if (t->way[way] > 0)
    return t->way[way];
  for (int w = s->first; w < s->workers; w++) {
    bool takes_part = way == TX_SHARE_TOGETHER || (way == TX_SHARE_LAPACK) == (w == 0);
    if (takes_part && t->worker[w] > 0)
      rate += 1 / t->worker[w];
  }
  return rate > 0 ? 0.5 / rate : 0;
}

/* The fastest way, as far as is known: transfers and waiting cost LAPACK's processor time, so that
 * all together may be slower than one alone. Now and then the next best one, if it is not much
 * slower: loads change. */
static txShareWay chooseWay(const clShare *s, txShareTimes *t, int count) {
  if (s->first == 1)
    return TX_SHARE_QUEUES;
  if (s->workers == 1)
    return TX_SHARE_LAPACK;
  for (int w = 0; w < s->workers; w++)
    if (t->worker[w] <= 0 || count < ENOUGH)
      return TX_SHARE_TOGETHER;
  txShareWay best = TX_SHARE_TOGETHER, next = TX_SHARE_TOGETHER;
  for (txShareWay way = TX_SHARE_LAPACK; way < TX_SHARE_WAYS; way = (txShareWay)(way + 1)) {
    double seconds = expected(s, t, way);
    if (seconds < expected(s, t, best)) {
      next = best;
      best = way;
    } else if (way != best && (next == best || seconds < expected(s, t, next)))
      next = way;
  }
  bool again = ++t->batches % AGAIN == 0 && expected(s, t, next) < 3 * expected(s, t, best);
  return again ? next : best;
}

/* Small batches say little about the way. */
static void learn(batch *b, double seconds) {
  if (b->count >= ENOUGH && !b->status)
    blend(&b->times->way[b->way], seconds / b->count);
}

/* What is expected of each worker, for the report. */
static void plan(batch *b) {
  clShare *s = b->share;
  double rate = 0;
  for (int w = s->first; w < s->workers; w++)
    if (b->times->worker[w] > 0 && takesPart(b, w))
      rate += 1 / b->times->worker[w];
  for (int w = s->first; w < s->workers; w++) {
    clShareWorker *r = &b->report->worker[w - s->first];
    double t = b->times->worker[w];
    const char *name = "LAPACK";
    if (s->queue[w])
      name = clQueueInspect(s->queue[w])->renderer;
    r->planned = 0;
    if (t > 0 && takesPart(b, w))
      r->planned = (int)((double)b->count / t / rate + 0.5);
    snprintf(r->name, sizeof r->name, "%.63s", name);
  }
  b->report->workers = s->workers - s->first;
  static const char *const remarks[TX_SHARE_WAYS] = {
      "the processor works alone: that was measured to be faster than sharing",
      "queues work alone: that was measured to be faster than sharing", ""};
  bool chosen = !s->first && s->workers > 1;
  snprintf(b->report->remark, sizeof b->report->remark, "%s", chosen ? remarks[b->way] : s->remark);
}

/* The calling thread is a worker, too: the first one that takes part. Threads are started for those
 * only who will take a task. */
static void runBatch(batch *b) {
  clShare *s = b->share;
  pthread_t thread[TEXLA_SHARE_WORKERS];
  hand hands[TEXLA_SHARE_WORKERS];
  int list[TEXLA_SHARE_WORKERS], count = 0, started = 1;
  for (int w = s->first; w < s->workers; w++)
    if (takesPart(b, w) && worthWhile(b, w))
      list[count++] = w;
  for (int k = 0; k < count; k++)
    hands[k] = (hand){b, list[k]};
  while (started < count && !pthread_create(&thread[started], NULL, work, &hands[started]))
    started++;
  work(&hands[0]);
  for (int k = 1; k < started; k++)
    pthread_join(thread[k], NULL);
  /* Whoever has not begun by now could not be started. */
  b->reserved = 0;
}

/* Reserved tasks make a batch untypical, so its time is not learnt from. */
static clStatus run(batch *b, const char *call, clError *error) {
  clShareReport own = {0};
  if (!b->report)
    b->report = &own;
  *b->report = (clShareReport){0};
  double start = txNow();
  pthread_mutex_init(&b->lock, NULL);
  b->way = chooseWay(b->share, b->times, b->count);
  b->reserved = reserve(b);
  bool learns = b->reserved == 0;
  plan(b);
  /* Once more where all have left the rest to one whose time has changed since. */
  while (b->next < b->count)
    runBatch(b);
  pthread_mutex_destroy(&b->lock);
  b->report->seconds = txNow() - start;
  for (int w = b->share->first; w < b->share->workers; w++)
    b->report->worker[w - b->share->first].seconds = b->times->worker[w];
  if (learns)
    learn(b, b->report->seconds);
  txShareSave(b->share);
  if (!b->status)
    return TEXLA_OK;
  return txFail(error, b->status, call, "task %d of %d: %s", b->failed_task, b->count,
                b->error.message);
}

/* ---- Life, calls ----------------------------------------------------------------------------- */

/* At run time, so that texla depends on no LAPACK. */
static void loadLapack(clShare *s) {
  static const char *const names[] = {"libopenblas.so.0", "liblapack.so.3",    "libopenblas.so",
                                      "liblapack.so",     "libopenblas.dylib", "libopenblas.dll"};
  for (size_t k = 0; k < sizeof names / sizeof *names && !s->solve; k++) {
    void *library = txModuleOpen(names[k]);
    if (!library || !txModuleFind(library, "sgetrf_", &s->factor) ||
        !txModuleFind(library, "sgesv_", &s->solve))
      s->solve = NULL;
  }
}

/* A queue has two workers, so that one transfers while the device works for the other. */
static void addQueues(clShare *s, clQueue *const *queue, int count, const clShareOptions *options) {
  bool lapack = s->solve != NULL;
  int left_out = 0;
  for (int k = 0; k < count; k++) {
    if (lapack && clQueueInspect(queue[k])->software && !options->software_too) {
      left_out++;
      continue;
    }
    for (int t = 0; t < THREADS; t++)
      s->queue[s->workers++] = queue[k];
  }
  const char *are = left_out == 1 ? " is" : "s are";
  const char *reason =
      options->no_processor ? "as was asked for" : "no LAPACK was found on this system";
  if (left_out)
    snprintf(
        s->remark, sizeof s->remark,
        "the processor works alone: %d queue%s on a software device, which would compete for it",
        left_out, are);
  else if (!lapack)
    snprintf(s->remark, sizeof s->remark, "queues alone: %s", reason);
}

/* Without LAPACK the workers begin with number 1. */
clStatus clShareCreate(clShare **out, clQueue *const *queue, int count,
                       const clShareOptions *options, clError *error) {
  static const char call[] = "clShareCreate";
  clShareOptions o = {0};
  if (options)
    o = *options;
  if (!out || count < 0 || count > QUEUES || (count && !queue))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "out and queue must not be NULL, the number of queues (%d) 0 to %d", count,
                  QUEUES);
  for (int k = 0; k < count; k++)
    if (!queue[k])
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "queue %d is NULL", k);
  clShare *s = txAllocate(error, call, 1, sizeof *s, "a clShare");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  if (!o.no_processor)
    loadLapack(s);
  s->first = s->solve ? 0 : 1;
  s->workers = 1;
  addQueues(s, queue, count, &o);
  if (s->workers == s->first) {
    free(s);
    return txFail(error, TEXLA_UNSUPPORTED, call,
                  "there is neither a queue nor LAPACK to work with");
  }
  txShareLoad(s);
  *out = s;
  return TEXLA_OK;
}

void clShareDestroy(clShare *share) {
  free(share);
}

/* The list, and all that it points to. */
static bool allThere(const void *const *list, int count) {
  for (int k = 0; k < count && list; k++)
    if (!list[k])
      return false;
  return list != NULL;
}
#define ALL_THERE(list) allThere((const void *const *)(uintptr_t)(list), count)

/* Each task is one system with one right-hand side. */
clStatus clShareSolve(clShare *share, int n, int count, const float *const *A,
                      const float *const *b, float *const *x, clShareReport *report,
                      clError *error) {
  static const char call[] = "clShareSolve";
  if (!share || n < 1 || count < 1 || !ALL_THERE(A) || !ALL_THERE(b) || !ALL_THERE(x))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "nothing may be NULL, the size (%d) and the number of tasks (%d) at least 1", n,
                  count);
  batch work_left = {
      .share = share, .n = n, .count = count, .A = A, .b = b, .x = x, .report = report};
  work_left.times = txShareTimesFor(&share->table, n, false);
  return run(&work_left, call, error);
}

/* Each task is one factorization with row exchanges. */
clStatus clShareFactor(clShare *share, int n, int count, const float *const *A,
                       float *const *factors, int32_t *const *rows, clShareReport *report,
                       clError *error) {
  static const char call[] = "clShareFactor";
  if (!share || n < 1 || count < 1 || !ALL_THERE(A) || !ALL_THERE(factors) || !ALL_THERE(rows))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "nothing may be NULL, the size (%d) and the number of tasks (%d) at least 1", n,
                  count);
  batch work_left = {
      .share = share, .n = n, .count = count, .A = A, .x = factors, .rows = rows, .report = report};
  work_left.times = txShareTimesFor(&share->table, n, true);
  return run(&work_left, call, error);
}
