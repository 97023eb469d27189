/* A queue's begin and end, and what is asked of it as a whole.
 *
 * A queue ends in two steps, as any thread may be waiting in one of its calls: clQueueStop lets all
 * of them return and joins the worker, clQueueDestroy, which nobody may call beside another call,
 * frees what is left. */
#include "queue/queue.h"
#include "core/allocate.h"
#include "core/try.h"
#include "platform/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operations that may wait, where the options do not say. */
enum { DEFAULT_PENDING = 1024 };

/* The lock and both conditions: there is work, something has changed. */
static void initialize(clQueue *q) {
  pthread_mutex_init(&q->lock, NULL);
  txConditionCreate(&q->work);
  txConditionCreate(&q->change);
}

/* For txThreadWithoutSignals. */
static bool startThread(void *user) {
  clQueue *q = user;
  return pthread_create(&q->thread, NULL, txQueueWorker, q) == 0;
}

/* The worker makes the context, since that belongs to its thread; its first error is the error
 * of this call. */
clStatus clQueueCreate(clQueue **out, const clQueueOptions *options, clError *error) {
  static const char call[] = "clQueueCreate";
  static const clContextOptions defaults;
  clQueueOptions o = {0};
  if (options)
    o = *options;
  if (!out || o.pending_limit < 0 || !(o.patience >= 0) || (o.context && o.context->adopt))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "out must not be NULL, limits not negative, and the context not an adopted one");
  clQueue *q = txAllocate(error, call, 1, sizeof *q, "a queue");
  if (!q)
    return TEXLA_OUT_OF_MEMORY;
  initialize(q);
  q->forks = txForks();
  q->options = o.context ? o.context : &defaults;
  q->pending_limit = o.pending_limit ? o.pending_limit : DEFAULT_PENDING;
  q->patience = o.patience > 0 ? o.patience : -1;
  if (!txThreadWithoutSignals(startThread, q)) {
    q->joined = true;
    clQueueDestroy(q);
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no thread could be started");
  }
  pthread_mutex_lock(&q->lock);
  while (!q->started)
    txQueueWaitChange(q, NULL);
  clContext *context = q->context;
  if (context)
    q->limit = o.memory_limit ? o.memory_limit : q->info.memory_limit;
  q->stats.bytes_limit = q->limit;
  q->options = NULL;
  pthread_mutex_unlock(&q->lock);
  if (context) {
    *out = q;
    return TEXLA_OK;
  }
  if (error)
    *error = q->start;
  clStatus status = q->start.status;
  clQueueDestroy(q);
  return status;
}

/* The first caller joins the thread, the others wait for that. */
void clQueueStop(clQueue *q) {
  if (!q || txQueueLock(q, "clQueueStop", NULL))
    return;
  q->stopping = true;
  pthread_cond_signal(&q->work);
  txQueueChanged(q);
  if (!q->joined && pthread_equal(pthread_self(), q->thread)) {
    /* A function of clQueueCall calls: the worker ends after it. */
    pthread_mutex_unlock(&q->lock);
    return;
  }
  if (!q->joining && !q->joined) {
    q->joining = true;
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    pthread_mutex_lock(&q->lock);
    q->joined = true;
    txQueueChanged(q);
  }
  while (!q->joined)
    txQueueWaitChange(q, NULL);
  pthread_mutex_unlock(&q->lock);
}

/* For a process that ends: the driver may have been taken down already. */
void clQueueAbandon(clQueue *q) {
  if (!q || txQueueLock(q, "clQueueAbandon", NULL))
    return;
  q->abandoned = true;
  pthread_mutex_unlock(&q->lock);
  clQueueStop(q);
}

/* An abandoned queue is left as it is, as its thread may still be in the driver; so is one that was
 * made before a fork, as the thread may have held the lock. */
void clQueueDestroy(clQueue *q) {
  if (!q || q->abandoned || q->forks != txForks())
    return;
  clQueueStop(q);
  for (int k = 0; k < q->slots; k++)
    if (q->slot[k])
      txNodeFree(q->slot[k]);
  for (txNode *n; (n = txListTake(&q->garbage));)
    txNodeFree(n);
  for (int k = 0; k < 5; k++)
    free(q->text[k]);
  free(q->slot);
  free(q->free_slot);
  pthread_cond_destroy(&q->work);
  pthread_cond_destroy(&q->change);
  pthread_mutex_destroy(&q->lock);
  free(q);
}

/* The oldest note goes first. */
bool clQueueNote(clQueue *q, char *text, size_t size) {
  if (!q || !text || !size || txQueueLock(q, "clQueueNote", NULL))
    return false;
  bool some = q->notes > 0;
  if (some) {
    snprintf(text, size, "%s", q->note[0]);
    q->notes--;
    memmove(q->note[0], q->note[1], sizeof q->note - sizeof q->note[0]);
  }
  pthread_mutex_unlock(&q->lock);
  return some;
}

/* ---- The queue as a whole -------------------------------------------------------------------- */

/* Reads are not waited for: whoever fetches does that. */
clStatus clQueueDrain(clQueue *q, double seconds, clError *error) {
  static const char call[] = "clQueueDrain";
  if (!q)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "queue must not be NULL");
  struct timespec deadline;
  bool limited = txQueueDeadline(&deadline, seconds);
  clStatus status = TEXLA_OK;
  TRY(txQueueLock(q, call, error));
  while (!status && (q->first || q->current || q->garbage.first)) {
    if (q->stopping)
      status = txQueueStopped(error, call);
    else if (!txQueueWaitChange(q, limited ? &deadline : NULL))
      status = txFail(error, TEXLA_NOT_READY, call, "%lld operations wait after %g s",
                      (long long)q->stats.queued, seconds);
  }
  pthread_mutex_unlock(&q->lock);
  return status;
}

/* Reads and garbage are not held. */
void clQueueHold(clQueue *q, bool hold) {
  if (!q || txQueueLock(q, "clQueueHold", NULL))
    return;
  q->held = hold;
  pthread_cond_signal(&q->work);
  pthread_mutex_unlock(&q->lock);
}

/* A copy of the numbers at this moment. */
void clQueueStatistics(clQueue *q, clQueueStats *out) {
  if (!q || !out)
    return;
  *out = (clQueueStats){0};
  if (txQueueLock(q, "clQueueStatistics", NULL))
    return;
  *out = q->stats;
  pthread_mutex_unlock(&q->lock);
}

const clContextInfo *clQueueInspect(const clQueue *q) {
  return q ? &q->info : NULL;
}
