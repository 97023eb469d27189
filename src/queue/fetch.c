/* What callers ask of a value: shape, waiting, copies, holding, cancelling.
 *
 * Each call takes the lock and finds the node of the id. A call that waits or copies uses the node
 * until it returns, so that the value stays when its last holder lets it go meanwhile. */
#include "queue/queue.h"

#include <stdlib.h>

#include "core/try.h"

/* The node of an id with the lock held; NULL, the lock free and *status set otherwise. */
static txNode *fetchEnter(clQueue *q, clQueueId id, const char *call, clError *error,
                          clStatus *status) {
  *status = TEXLA_BAD_ARGUMENT;
  if (!q) {
    txFail(error, *status, call, "queue must not be NULL");
    return NULL;
  }
  *status = txQueueLock(q, call, error);
  if (*status)
    return NULL;
  txNode *n = txNodeFind(q, id, call, error);
  if (!n) {
    *status = TEXLA_BAD_ARGUMENT;
    pthread_mutex_unlock(&q->lock);
  }
  return n;
}

/* The counterpart of enter. */
static clStatus fetchLeave(clQueue *q, clStatus status) {
  pthread_mutex_unlock(&q->lock);
  return status;
}

/* Shapes are known from the submission on. */
clStatus clQueueShape(clQueue *q, clQueueId id, int64_t *rows, int64_t *cols, clError *error) {
  clStatus status;
  txNode *n = fetchEnter(q, id, "clQueueShape", error, &status);
  if (!n)
    return status;
  if (rows)
    *rows = n->value.rows;
  if (cols)
    *cols = n->value.cols;
  return fetchLeave(q, TEXLA_OK);
}

/* What is on the host already needs no reading. */
clStatus clQueueRead(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  txNode *n = fetchEnter(q, id, "clQueueRead", error, &status);
  if (!n)
    return status;
  if (!txNodeOnHost(n))
    txNodeWantRead(q, n);
  return fetchLeave(q, TEXLA_OK);
}

/* Waits, with the lock held, until the node is there; `values`: on the host. */
static clStatus waitNode(clQueue *q, txNode *n, bool values, double seconds, const char *call,
                         clError *error) {
  struct timespec deadline;
  bool limited = txQueueDeadline(&deadline, seconds);
  for (;;) {
    if (n->state == TX_FAILED)
      return txNodeCause(n, error);
    /* A failed read is told once: then it may be tried again. */
    if (n->read_failed) {
      n->read_failed = false;
      return txNodeCause(n, error);
    }
    if (n->state == TX_DONE && (txNodeOnHost(n) || (!values && !n->wanted)))
      return TEXLA_OK;
    if (q->stopping)
      return txQueueStopped(error, call);
    if (values && n->state == TX_DONE)
      txNodeWantRead(q, n);
    if (!txQueueWaitChange(q, limited ? &deadline : NULL))
      return txFail(error, TEXLA_NOT_READY, call, "%lld x %lld is not there after %g s",
                    (long long)n->value.rows, (long long)n->value.cols, seconds);
  }
}

/* The node is used meanwhile, so that it stays when its last holder lets it go. */
clStatus clQueueWait(clQueue *q, clQueueId id, double seconds, clError *error) {
  static const char call[] = "clQueueWait";
  clStatus status;
  txNode *n = fetchEnter(q, id, call, error, &status);
  if (!n)
    return status;
  n->users++;
  status = waitNode(q, n, false, seconds, call, error);
  txNodeUnuse(q, n);
  return fetchLeave(q, status);
}

/* Copies what is published, without the lock: the caller uses the node, so that it stays. */
static void fetchCopyOut(clQueue *q, txNode *n, const clHostMatrix *out) {
  clHostMatrix to = txHostSteps(*out),
               from = {TEXLA_HOST_FLOAT, out->rows, out->cols, 1, out->rows, NULL};
  if (n->host) {
    from.type = TEXLA_HOST_DOUBLE;
    from.values = (void *)(uintptr_t)n->host;
  } else
    from.values = n->single ? (void *)(uintptr_t)n->single : n->copy;
  pthread_mutex_unlock(&q->lock);
  txHostCopy(&to, &from);
  pthread_mutex_lock(&q->lock);
}

/* A copy that was read back only for fetching is freed by the last one who fetches. */
clStatus clQueueFetch(clQueue *q, clQueueId id, const clHostMatrix *out, double seconds,
                      clError *error) {
  static const char call[] = "clQueueFetch";
  if (!txHostIsMatrix(out))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "out must be a matrix of floats or doubles");
  clStatus status;
  txNode *n = fetchEnter(q, id, call, error, &status);
  if (!n)
    return status;
  if (n->value.rows != out->rows || n->value.cols != out->cols)
    return fetchLeave(q, txFail(error, TEXLA_BAD_SHAPE, call,
                                "the value is %lld x %lld but out is %lld x %lld",
                                (long long)n->value.rows, (long long)n->value.cols,
                                (long long)out->rows, (long long)out->cols));
  n->users++;
  n->fetching++;
  /* A read that is under way is now waited for. */
  pthread_cond_signal(&q->work);
  status = waitNode(q, n, true, seconds, call, error);
  if (!status && txValueLength(&n->value))
    fetchCopyOut(q, n, out);
  n->fetching--;
  /* The copy has done its duty. */
  if (!status && !n->fetching && n->copy) {
    free(n->copy);
    n->copy = NULL;
    txNodeCount(q, n, n->bytes - txNodeCopyBytes(n));
  }
  txNodeUnuse(q, n);
  return fetchLeave(q, status);
}

/* An id that nobody holds is not sparse. */
bool clQueueIsSparse(clQueue *q, clQueueId id) {
  clStatus status;
  txNode *n = fetchEnter(q, id, "clQueueIsSparse", NULL, &status);
  if (!n)
    return false;
  bool sparse = n->sparse;
  fetchLeave(q, TEXLA_OK);
  return sparse;
}

/* A copy of what does not change any more, without the lock. */
static clStatus fetchCopyTriplets(clQueue *q, const clTriplets *A, clTriplets **out,
                                  clError *error) {
  pthread_mutex_unlock(&q->lock);
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&T, A->rows, A->cols, A->count, error));
  TRY_CLEANUP(clTripletsAddMany(T, A->count, A->row, A->col, A->value, error));
  *out = T;
  T = NULL;
cleanup:
  clTripletsDestroy(T);
  pthread_mutex_lock(&q->lock);
  return status;
}

/* The triplets of a value never change, so they are copied without the lock. */
clStatus clQueueFetchTriplets(clQueue *q, clQueueId id, clTriplets **out, double seconds,
                              clError *error) {
  static const char call[] = "clQueueFetchTriplets";
  if (!out)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  clStatus status;
  txNode *n = fetchEnter(q, id, call, error, &status);
  if (!n)
    return status;
  if (!n->sparse)
    return fetchLeave(q, txFail(error, TEXLA_BAD_ARGUMENT, call, "the value is not sparse"));
  n->users++;
  status = waitNode(q, n, false, seconds, call, error);
  if (!status)
    status = fetchCopyTriplets(q, n->value.triplets, out, error);
  txNodeUnuse(q, n);
  return fetchLeave(q, status);
}

/* One holder more. */
clStatus clQueueRetain(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  txNode *n = fetchEnter(q, id, "clQueueRetain", error, &status);
  if (!n)
    return status;
  n->holders++;
  return fetchLeave(q, TEXLA_OK);
}

/* One holder less; the last one lets the value go. */
clStatus clQueueRelease(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  txNode *n = fetchEnter(q, id, "clQueueRelease", error, &status);
  if (!n)
    return status;
  n->holders--;
  if (!n->holders && n->users)
    pthread_cond_signal(&q->work);
  txNodeDrop(q, n);
  return fetchLeave(q, TEXLA_OK);
}

/* What has begun goes on, as a pass cannot be taken back. */
clStatus clQueueCancel(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  txNode *n = fetchEnter(q, id, "clQueueCancel", error, &status);
  if (!n)
    return status;
  txJob *j = n->maker;
  if (j && !j->running) {
    clError cause;
    txFail(&cause, TEXLA_CANCELLED, j->name, "cancelled before it was done");
    j->cancelled = true;
    for (int k = 0; k < j->call.results; k++)
      txNodeFail(q, j->result[k], &cause);
    txQueueChanged(q);
  }
  return fetchLeave(q, TEXLA_OK);
}
