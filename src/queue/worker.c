/* The worker: frees what nobody needs, reads back, executes one operation after the other. It owns
 * the context and everything on it.
 *
 * The lock is held but while something takes long: an operation, a read, freeing textures. */
#include "queue/queue.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/context.h"

#include <stdlib.h>
#include <string.h>

/* The oldest note makes room. */
static void keepNote(clQueue *q, const char *note) {
  if (!note[0])
    return;
  if (q->notes == TX_NOTES) {
    memmove(q->note[0], q->note[1], sizeof q->note - sizeof q->note[0]);
    q->notes--;
  }
  memcpy(q->note[q->notes], note, TX_NOTE);
  q->notes++;
}

/* What the job leaves behind: its results' state, and its hold on nodes. */
static void endJob(clQueue *q, txJob *j, clStatus status, const clError *cause) {
  for (int k = 0; k < j->call.results; k++) {
    txNode *n = j->result[k];
    if (n->state == TX_WAITING && status < 0)
      txNodeFail(q, n, cause);
    if (n->state == TX_WAITING) {
      n->state = TX_DONE;
      n->maker = NULL;
      txNodePublish(q, n);
      if (n->wanted)
        txNodeWantRead(q, n);
    }
    txNodeUnuse(q, n);
  }
  for (int k = 0; k < j->call.operands; k++)
    if (j->operand[k]) {
      txNodePublish(q, j->operand[k]);
      txNodeUnuse(q, j->operand[k]);
    }
  keepNote(q, j->note);
  if (status < 0)
    q->stats.failed++;
  else
    q->stats.done++;
  txJobFree(j);
  txQueueChanged(q);
}

/* The job itself uses its results once. */
static bool isUnwanted(const txJob *j) {
  for (int k = 0; k < j->call.results; k++)
    if (j->result[k]->holders || j->result[k]->users > 1)
      return false;
  return true;
}

/* Operands come as vectors, column after column. */
static clStatus runFunction(txCall *call) {
  const clVector *operand[TEXLA_QUEUE_OPERANDS];
  clVector *x, *out;
  for (int k = 0; k < call->operands; k++) {
    TRY(txOperandVector(call, k, &x));
    operand[k] = x;
  }
  TRY(txResultVector(call, 0, &out));
  txCallbackBegin(call->context);
  clStatus status = call->function(call->user, call->context, operand, out);
  return txCallStatus(call, txCallbackEnd(call->context, status, call->name, "the function"));
}

/* A function of the caller's, or an operation of the table. */
static clStatus workerRun(txCall *call) {
  if (call->function)
    return runFunction(call);
  return txOperationRun(call);
}

/* Runs the job without the lock; what a failed one has made is freed. */
static clStatus workerExecute(clQueue *q, txJob *j, clError *error) {
  txCall *call = &j->call;
  call->context = q->context;
  call->kernels = &q->kernels;
  call->error = error;
  call->note = j->note;
  for (int k = 0; k < call->operands; k++) {
    call->operand[k].value = NULL;
    if (j->operand[k])
      call->operand[k].value = &j->operand[k]->value;
  }
  for (int k = 0; k < call->results; k++)
    call->result[k] = &j->result[k]->value;
  clStatus status = workerRun(call);
  for (int k = 0; k < call->results && status < 0; k++)
    txValueClear(call->result[k]);
  return status;
}

/* A caller who replaces a matrix by what is written into it releases the old one just after the
 * operation has been submitted: that is waited for, a millisecond at most, since otherwise all of
 * the matrix must be copied. */
static bool isTakeable(clQueue *q, const txJob *j) {
  enum { MILLISECOND = 1 };
  struct timespec deadline;
  if (!j->call.operation || !j->call.operation->takes)
    return false;
  txNode *n = j->operand[0];
  txQueueDeadline(&deadline, 1e-3 * MILLISECOND);
  while (n && n->holders == 1 && n->users == 1 && !q->stopping)
    if (pthread_cond_timedwait(&q->work, &q->lock, &deadline))
      break;
  return n && !n->holders && n->users == 1 && n->state == TX_DONE;
}

/* The next job, with the lock held; it is let go while the job runs. */
static void runJob(clQueue *q) {
  bool take = isTakeable(q, q->first);
  txJob *j = q->first;
  j->call.take = take;
  q->first = j->next;
  q->stats.queued--;
  clError error = {0};
  for (int k = 0; k < j->call.operands && !error.status; k++)
    if (j->operand[k] && j->operand[k]->state == TX_FAILED)
      txNodeCause(j->operand[k], &error);
  bool unwanted = isUnwanted(j);
  if (unwanted || j->cancelled || q->stopping) {
    txFail(&error, TEXLA_CANCELLED, j->name, "cancelled before it was done");
    q->stats.skipped += unwanted;
  }
  if (!error.status) {
    q->current = j;
    q->stats.running = 1;
    j->running = true;
    pthread_mutex_unlock(&q->lock);
    clStatus status = workerExecute(q, j, &error);
    clContextCounters counters = clContextStatistics(q->context);
    pthread_mutex_lock(&q->lock);
    q->stats.device_bytes = counters.bytes_used + counters.bytes_pooled;
    q->stats.device_peak = counters.bytes_peak;
    q->stats.running = 0;
    q->current = NULL;
    error.status = status;
  }
  endJob(q, j, error.status, &error);
}

/* The value stays, and may be asked for again. */
static void readFailed(clQueue *q, txNode *n, const clError *error) {
  n->read_failed = true;
  n->wanted = false;
  n->listed = false;
  txNodeSetCause(n, error);
  txNodeUnuse(q, n);
  txQueueChanged(q);
}

/* Without the lock. */
static clStatus startVectorRead(clQueue *q, txNode *n, clError *error) {
  clVector *x;
  TRY(txValueVector(&n->value, q->context, "clQueueRead", &x, error));
  clStatus status = clVectorReadStart(&n->read, x);
  if (status)
    *error = *clContextError(q->context);
  return status;
}

/* A sparse value is only spread out on the host. */
static void startRead(clQueue *q) {
  static const char call[] = "clQueueRead";
  txNode *n = txListTake(&q->wanted);
  bool sparse = n->value.triplets != NULL;
  clError error = {0};
  double *host;
  clStatus status;
  pthread_mutex_unlock(&q->lock);
  if (sparse)
    status = txValueHost(&n->value, q->context, call, &host, &error);
  else
    status = startVectorRead(q, n, &error);
  pthread_mutex_lock(&q->lock);
  if (status) {
    readFailed(q, n, &error);
  } else if (sparse) {
    n->wanted = false;
    n->listed = false;
    txNodePublish(q, n);
    txNodeUnuse(q, n);
    txQueueChanged(q);
  } else {
    txListAppend(&q->reading, n);
  }
}

/* Waits for the device without the lock. */
static void finishRead(clQueue *q) {
  txNode *n = txListTake(&q->reading);
  pthread_mutex_unlock(&q->lock);
  clError error = {0};
  float *copy = txAllocate(&error, "clQueueRead", 1, txNodeCopyBytes(n), "the result");
  clStatus status = clReadFinish(n->read, copy);
  if (!copy)
    status = TEXLA_OUT_OF_MEMORY;
  else if (status)
    error = *clContextError(q->context);
  pthread_mutex_lock(&q->lock);
  n->read = NULL;
  if (status) {
    free(copy);
    readFailed(q, n, &error);
    return;
  }
  n->copy = copy;
  n->wanted = false;
  n->listed = false;
  txNodeCount(q, n, n->bytes + txNodeCopyBytes(n));
  txNodeUnuse(q, n);
  txQueueChanged(q);
}

/* Freeing textures may take a while, so others go on meanwhile. */
static void workerCollect(clQueue *q) {
  txNode *n = txListTake(&q->garbage);
  q->stats.bytes -= n->bytes;
  q->stats.values--;
  pthread_mutex_unlock(&q->lock);
  txNodeFree(n);
  pthread_mutex_lock(&q->lock);
  txQueueChanged(q);
}

/* One thing to do; false when there is none. Reads that somebody waits for come first, those that
 * are only wanted when they are ready or nothing else is to be done. */
static bool workerStep(clQueue *q) {
  if (q->garbage.first)
    workerCollect(q);
  else if (q->reading.first && (q->reading.first->fetching || clReadReady(q->reading.first->read)))
    finishRead(q);
  else if (q->wanted.first)
    startRead(q);
  else if (q->first && (!q->held || q->stopping))
    runJob(q);
  else if (q->reading.first)
    finishRead(q);
  else
    return false;
  return true;
}

/* Nothing on the device outlives the worker. */
static void clearDevice(clQueue *q) {
  txKernelsClear(&q->kernels);
  for (int k = 0; k < q->slots; k++)
    if (q->slot[k])
      txValueClearDevice(&q->slot[k]->value);
}

/* The context's texts end with it, and callers may ask later. */
static void copyInfo(clQueue *q, const clContext *context) {
  q->info = *clContextInspect(context);
  const char **names[] = {&q->info.vendor, &q->info.renderer, &q->info.version, &q->info.glsl,
                          &q->info.platform};
  for (int k = 0; k < 5; k++) {
    q->text[k] = strdup(*names[k]);
    *names[k] = "";
    if (q->text[k])
      *names[k] = q->text[k];
  }
}

/* It begins with the context, and ends with it. */
void *txQueueWorker(void *argument) {
  clQueue *q = argument;
  clContext *context = NULL;
  clContextCreate(&context, q->options, &q->start);
  pthread_mutex_lock(&q->lock);
  q->context = context;
  q->started = true;
  if (context)
    copyInfo(q, context);
  txQueueChanged(q);
  while (context && !q->abandoned && (workerStep(q) || !q->stopping))
    if (!q->stopping && !q->garbage.first && !q->wanted.first && !q->reading.first &&
        (!q->first || q->held))
      pthread_cond_wait(&q->work, &q->lock);
  if (context && !q->abandoned)
    clearDevice(q);
  bool abandoned = q->abandoned;
  if (!abandoned)
    q->context = NULL;
  pthread_mutex_unlock(&q->lock);
  if (!abandoned)
    clContextDestroy(context);
  return NULL;
}
