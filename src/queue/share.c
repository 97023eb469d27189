/* Load distribution: workers take tasks from one heap, and know when to stop. */
#include "queue/share.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  QUEUES = 8,
  THREADS = 2,
  /* tasks of a batch that tells how fast a way is */
  ENOUGH = 8,
  FEW = 3,
  AGAIN = 16
};

typedef struct batch {
  clShare *share;
  int n, count, next;
  txShareWay way;
  /* tasks that are left for workers who are not known, and all of them */
  int kept[TEXLA_SHARE_WORKERS], reserved;
  const float *const *A, *const *b;
  /* solutions or factors */
  float *const *x;
  int32_t *const *rows;
  txShareTimes *times;
  clShareReport *report;
  pthread_mutex_t lock;
  int failed_task;
  clStatus status;
  clError error;
} batch;

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

static clStatus byLapack(const batch *b, int task, clError *error) {
  int n = b->n, one = 1, info = 0;
  size_t size = (size_t)n * (size_t)n;
  float *a = txAllocate(error, "clShare", size + (size_t)n, sizeof *a, "a system"),
        *x = a ? a + size : NULL;
  int *exchange = a ? txAllocate(error, "clShare", (size_t)n, sizeof *exchange, "exchanges") : NULL;
  clStatus status = exchange ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status) {
    memcpy(a, b->A[task], size * sizeof *a);
    if (b->times->factor)
      b->share->factor(&n, &n, a, &n, exchange, &info);
    else {
      memcpy(x, b->b[task], (size_t)n * sizeof *x);
      b->share->solve(&n, &one, a, &n, exchange, x, &n, &info);
    }
    if (info)
      status = txFail(error, TEXLA_SINGULAR, "clShare", "task %d: pivot %d is zero", task, info);
  }
  if (!status && b->times->factor) {
    memcpy(b->x[task], a, size * sizeof *a);
    permutation(b->rows[task], exchange, n);
  } else if (!status)
    memcpy(b->x[task], x, (size_t)n * sizeof *x);
  free(a);
  free(exchange);
  return status;
}

static clHostMatrix floats(const float *values, int rows, int cols) {
  return (clHostMatrix){TEXLA_HOST_FLOAT, rows, cols, 0, 0, (void *)(uintptr_t)values};
}

static clStatus fetchResults(const batch *b, clQueue *q, int task, const clQueueId *result,
                             clError *error) {
  bool factor = b->times->factor;
  int n = b->n;
  float *rows = txAllocate(error, "clShare", (size_t)n, sizeof *rows, "the order of rows");
  clHostMatrix x = floats(b->x[task], n, factor ? n : 1), p = floats(rows, 1, n);
  clStatus status = rows ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = clQueueFetch(q, result[0], &x, -1, error);
  if (!status && factor)
    status = clQueueFetch(q, result[1], &p, -1, error);
  for (int i = 0; i < n && !status && factor; i++)
    b->rows[task][i] = (int32_t)rows[i] - 1;
  free(rows);
  return status;
}

static clStatus byQueue(const batch *b, clQueue *q, int task, clError *error) {
  bool factor = b->times->factor;
  clQueueId id[2] = {0}, result[2] = {0};
  clHostMatrix A = floats(b->A[task], b->n, b->n);
  clStatus status = clQueuePut(q, &id[0], &A, error);
  if (!status && !factor) {
    clHostMatrix right = floats(b->b[task], b->n, 1);
    status = clQueuePut(q, &id[1], &right, error);
  }
  clQueueOperand operand[] = {{id[0], 0}, {id[1], 0}};
  if (!status)
    status = clQueueSubmit(q, factor ? "factor" : "solve", operand, factor ? 1 : 2, result,
                           factor ? 2 : 1, error);
  if (!status)
    status = fetchResults(b, q, task, result, error);
  for (int k = 0; k < 2; k++) {
    if (id[k])
      clQueueRelease(q, id[k], NULL);
    if (result[k])
      clQueueRelease(q, result[k], NULL);
  }
  return status;
}

/* ---- Who takes it ---------------------------------------------------------------------------- */

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
  return b->count >= FEW * count ? count : 0;
}

/* Would this worker be done with a task before the others are with all that are left? They need at
 * least as long as the fastest of them for one, so the fastest of all always takes. */
static bool worthWhile(const batch *b, int worker) {
  const double *t = b->times->worker;
  double rate = 0, fastest = 0;
  for (int w = b->share->first; w < b->share->workers; w++)
    if (w != worker && t[w] > 0 && takesPart(b, w)) {
      rate += 1 / t[w];
      fastest = fastest > 0 && fastest < t[w] ? fastest : t[w];
    }
  if (t[worker] <= 0 || rate <= 0)
    return true;
  double rest = (b->count - b->next) / rate;
  return t[worker] <= (rest > fastest ? rest : fastest);
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
  *known = *known > 0 && seconds > *known / 2 ? (*known + seconds) / 2 : seconds;
}

static void taskDone(batch *b, int worker, int task, double seconds, clStatus status,
                     const clError *error) {
  pthread_mutex_lock(&b->lock);
  /* the first one of a size compiles and measures variants */
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

static void *work(void *argument) {
  hand *h = argument;
  batch *b = h->batch;
  clQueue *q = b->share->queue[h->worker];
  for (int task; takeTask(b, h->worker, &task);) {
    clError error = {0};
    double start = txNow();
    clStatus status = q ? byQueue(b, q, task, &error) : byLapack(b, task, &error);
    taskDone(b, h->worker, task, txNow() - start, status, &error);
  }
  return NULL;
}

/* ---- Which way ------------------------------------------------------------------------------- */

/* Seconds for a task, as measured; where it has not been, less than can be: half of what the
 * workers' own times promise. */
static double expected(const clShare *s, const txShareTimes *t, txShareWay way) {
  double rate = 0;
  for (int w = s->first; w < s->workers; w++)
    if (way == TX_SHARE_TOGETHER || (way == TX_SHARE_LAPACK) == (w == 0))
      rate += t->worker[w] > 0 ? 1 / t->worker[w] : 0;
  return t->way[way] > 0 ? t->way[way] : rate > 0 ? 0.5 / rate : 0;
}

/* The fastest way, as far as is known: transfers and waiting cost LAPACK's processor time, so that
 * all together may be slower than one alone. Now and then the next best one, if it is not much
 * slower: loads change. */
static txShareWay chooseWay(const clShare *s, txShareTimes *t, int count) {
  if (s->first == 1 || s->workers == 1)
    return s->first == 1 ? TX_SHARE_QUEUES : TX_SHARE_LAPACK;
  for (int w = 0; w < s->workers; w++)
    if (t->worker[w] <= 0 || count < ENOUGH)
      return TX_SHARE_TOGETHER;
  txShareWay best = TX_SHARE_TOGETHER, next = TX_SHARE_TOGETHER;
  for (txShareWay way = TX_SHARE_LAPACK; way < TX_SHARE_WAYS; way = (txShareWay)(way + 1)) {
    double seconds = expected(s, t, way);
    if (seconds < expected(s, t, best))
      next = best, best = way;
    else if (way != best && (next == best || seconds < expected(s, t, next)))
      next = way;
  }
  bool again = ++t->batches % AGAIN == 0 && expected(s, t, next) < 3 * expected(s, t, best);
  return again ? next : best;
}

static void learn(batch *b, double seconds) {
  if (b->count >= ENOUGH && !b->status)
    blend(&b->times->way[b->way], seconds / b->count);
}

static void plan(batch *b) {
  clShare *s = b->share;
  double rate = 0;
  for (int w = s->first; w < s->workers; w++)
    rate += b->times->worker[w] > 0 && takesPart(b, w) ? 1 / b->times->worker[w] : 0;
  for (int w = s->first; w < s->workers; w++) {
    clShareWorker *r = &b->report->worker[w - s->first];
    double t = b->times->worker[w];
    r->planned = t > 0 && takesPart(b, w) ? (int)((double)b->count / t / rate + 0.5) : 0;
    snprintf(r->name, sizeof r->name, "%.63s",
             s->queue[w] ? clQueueInspect(s->queue[w])->renderer : "LAPACK");
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
  /* whoever has not begun could not be started */
  b->reserved = 0;
}

static clStatus run(batch *b, const char *call, clError *error) {
  clShareReport own = {0};
  b->report = b->report ? b->report : &own;
  *b->report = (clShareReport){0};
  double start = txNow();
  pthread_mutex_init(&b->lock, NULL);
  b->way = chooseWay(b->share, b->times, b->count);
  b->reserved = reserve(b);
  bool learns = b->reserved == 0;
  plan(b);
  /* again where all left the rest to one whose time has changed since */
  while (b->next < b->count)
    runBatch(b);
  pthread_mutex_destroy(&b->lock);
  b->report->seconds = txNow() - start;
  for (int w = b->share->first; w < b->share->workers; w++)
    b->report->worker[w - b->share->first].seconds = b->times->worker[w];
  if (learns)
    learn(b, b->report->seconds);
  txShareSave(b->share);
  return b->status ? txFail(error, b->status, call, "task %d of %d: %s", b->failed_task, b->count,
                            b->error.message)
                   : TEXLA_OK;
}

/* ---- Life, calls ----------------------------------------------------------------------------- */

static void loadLapack(clShare *s) {
  static const char *const names[] = {"libopenblas.so.0", "liblapack.so.3", "libopenblas.so",
                                      "liblapack.so", "libopenblas.dylib"};
  for (size_t k = 0; k < sizeof names / sizeof *names && !s->solve; k++) {
    /* stays open: its threads may outlive us */
    void *library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    void *solve = library ? dlsym(library, "sgesv_") : NULL,
         *factor = library ? dlsym(library, "sgetrf_") : NULL;
    if (solve && factor) {
      memcpy(&s->solve, &solve, sizeof solve);
      memcpy(&s->factor, &factor, sizeof factor);
    }
  }
}

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
  if (left_out)
    snprintf(
        s->remark, sizeof s->remark,
        "the processor works alone: %d queue%s on a software device, which would compete for it",
        left_out, left_out == 1 ? " is" : "s are");
  else if (!lapack)
    snprintf(s->remark, sizeof s->remark, "queues alone: %s",
             options->no_processor ? "as was asked for" : "no LAPACK was found on this system");
}

clStatus clShareCreate(clShare **out, clQueue *const *queue, int count,
                       const clShareOptions *options, clError *error) {
  static const char call[] = "clShareCreate";
  clShareOptions o = options ? *options : (clShareOptions){0};
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

static bool allThere(const void *const *list, int count) {
  for (int k = 0; k < count && list; k++)
    if (!list[k])
      return false;
  return list != NULL;
}
#define ALL_THERE(list) allThere((const void *const *)(uintptr_t)(list), count)

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
