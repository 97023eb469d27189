/* What callers put into a queue: values, operations, functions of their own.
 *
 * The results get their ids at once, so that further operations can be submitted on them. Memory is
 * counted from then on: whoever submits faster than the device computes waits here (waitForRoom)
 * and not in the middle of something. */
#include "queue/queue.h"
#include "core/allocate.h"
#include "queue/shapes.h"
#include "core/try.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Waits until there is room for another job and `bytes` more; the lock is held. */
static clStatus waitForRoom(clQueue *q, size_t bytes, const char *call, clError *error) {
  struct timespec deadline;
  bool limited = txQueueDeadline(&deadline, q->patience);
  for (;;) {
    bool full = bytes > q->limit || q->stats.bytes > q->limit - bytes;
    if (q->stopping)
      return txQueueStopped(error, call);
    if (!full && q->stats.queued < q->pending_limit)
      return TEXLA_OK;
    if (bytes > q->limit ||
        (full && !q->first && !q->current && !q->garbage.first && !q->reading.first))
      return txFail(error, TEXLA_OUT_OF_MEMORY, call,
                    "values hold %zu bytes, %zu more are needed, and the limit is %zu",
                    q->stats.bytes, bytes, q->limit);
    if (!txQueueWaitChange(q, limited ? &deadline : NULL))
      return txFail(error, TEXLA_NOT_READY, call,
                    "no room: %lld operations wait, values hold %zu of %zu bytes",
                    (long long)q->stats.queued, q->stats.bytes, q->limit);
  }
}

/* Puts a value that is there already. Takes over its forms, also when it fails. */
static clStatus putValue(clQueue *q, clQueueId *out, txValue *value, const char *call,
                         clError *error) {
  clStatus status = txQueueLock(q, call, error);
  if (status) {
    txValueClear(value);
    return status;
  }
  size_t bytes = txValueBytes(value);
  txNode *n = NULL;
  status = waitForRoom(q, bytes, call, error);
  if (status)
    goto cleanup;
  n = txNodeCreate(q, value->rows, value->cols, bytes);
  if (!n)
    TRY_CLEANUP(txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for another value"));
  n->value = *value;
  n->state = TX_DONE;
  n->sparse = value->triplets != NULL;
  txNodePublish(q, n);
  *out = n->id;
cleanup:
  pthread_mutex_unlock(&q->lock);
  if (!n)
    txValueClear(value);
  return status;
}

/* The copy is made before the lock is taken. */
clStatus clQueuePut(clQueue *q, clQueueId *out, const clHostMatrix *A, clError *error) {
  static const char call[] = "clQueuePut";
  if (!q || !out || !txHostIsMatrix(A))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "queue and out must not be NULL, A a matrix of floats or doubles with sides from "
                  "0 to 2^31 - 1");
  size_t n = (size_t)A->rows * (size_t)A->cols;
  bool is_double = A->type == TEXLA_HOST_DOUBLE;
  txValue value = {A->rows, A->cols};
  size_t size = is_double ? sizeof(double) : sizeof(float);
  void *copy = NULL;
  if (n) {
    copy = txAllocate(error, call, n, size, "a matrix");
    if (!copy)
      return TEXLA_OUT_OF_MEMORY;
  }
  clHostMatrix from = txHostSteps(*A), to = {A->type, A->rows, A->cols, 1, A->rows, copy};
  txHostCopy(&to, &from);
  if (is_double)
    value.host = copy;
  else
    value.single = copy;
  return putValue(q, out, &value, call, error);
}

/* Triplets are copied as they are. */
clStatus clQueuePutTriplets(clQueue *q, clQueueId *out, const clTriplets *A, clError *error) {
  static const char call[] = "clQueuePutTriplets";
  if (!q || !out || !A)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "queue, out and A must not be NULL");
  txValue value = {A->rows, A->cols};
  TRY(clTripletsCreate(&value.triplets, A->rows, A->cols, A->count, error));
  clTriplets *T = value.triplets;
  T->count = A->count;
  if (A->count) {
    memcpy(T->row, A->row, (size_t)A->count * sizeof *T->row);
    memcpy(T->col, A->col, (size_t)A->count * sizeof *T->col);
    memcpy(T->value, A->value, (size_t)A->count * sizeof *T->value);
  }
  return putValue(q, out, &value, call, error);
}

/* Of several results only the first one can be sparse. */
static bool isSparse(const txCall *call, int k) {
  return call->sparse && k == 0;
}

/* What a result will hold; of a sparse one that is known when it is there. */
static size_t promisedBytes(const txCall *call, int k) {
  if (isSparse(call, k))
    return 0;
  return (size_t)(call->shape[k].rows * call->shape[k].cols) * sizeof(float);
}

/* The job's results as nodes that wait for it. */
static clStatus createResults(clQueue *q, txJob *j, clError *error) {
  for (int k = 0; k < j->call.results; k++) {
    txShape s = j->call.shape[k];
    txNode *n = txNodeCreate(q, s.rows, s.cols, promisedBytes(&j->call, k));
    if (!n)
      return txFail(error, TEXLA_OUT_OF_MEMORY, j->name, "no memory for another value");
    n->users = 1;
    n->maker = j;
    n->sparse = isSparse(&j->call, k);
    j->result[k] = n;
  }
  return TEXLA_OK;
}

/* The job's results, and its place at the end; the lock is held. */
static clStatus enqueue(clQueue *q, txJob *j, clQueueId *result, clError *error) {
  size_t bytes = 0;
  for (int k = 0; k < j->call.results; k++)
    bytes += promisedBytes(&j->call, k);
  clStatus status = waitForRoom(q, bytes, j->name, error);
  if (status)
    return status;
  status = createResults(q, j, error);
  if (status) {
    for (int k = 0; k < j->call.results && j->result[k]; k++) {
      *j->result[k] =
          (txNode){.id = j->result[k]->id, .state = TX_FAILED, .bytes = j->result[k]->bytes};
      txNodeDrop(q, j->result[k]);
    }
    return status;
  }
  for (int k = 0; k < j->call.results; k++)
    result[k] = j->result[k]->id;
  if (q->first)
    q->last->next = j;
  else
    q->first = j;
  q->last = j;
  q->stats.queued++;
  pthread_cond_signal(&q->work);
  return TEXLA_OK;
}

/* Operand k of the job, which uses its node from now on: a number, or a value with that id. */
static clStatus setOperand(clQueue *q, txJob *j, int k, const clQueueOperand *operand,
                           clError *error) {
  j->call.operand[k] = (txOperand){.shape = {1, 1}, .is_number = true, .number = operand->number};
  if (!operand->id)
    return TEXLA_OK;
  txNode *n = txNodeFind(q, operand->id, j->name, error);
  if (!n)
    return TEXLA_BAD_ARGUMENT;
  n->users++;
  j->operand[k] = n;
  j->call.operand[k] = (txOperand){.shape = {n->value.rows, n->value.cols}, .sparse = n->sparse};
  return TEXLA_OK;
}

/* Finds the operands, checks, waits for room, enqueues; the lock is held. */
static clStatus submitPrepare(clQueue *q, txJob *j, const clQueueOperand *operand,
                              clQueueId *result, clError *error) {
  for (int k = 0; k < j->call.operands; k++)
    TRY(setOperand(q, j, k, &operand[k], error));
  if (j->call.operation)
    TRY(txOperationCheck(&j->call));
  return enqueue(q, j, result, error);
}

/* Takes over the job, also when it fails; then its operands are used by one less. */
static clStatus submit(clQueue *q, txJob *j, const clQueueOperand *operand, clQueueId *result,
                       clError *error) {
  j->call.name = j->name;
  j->call.error = error;
  clStatus status = txQueueLock(q, j->name, error);
  if (status) {
    txJobFree(j);
    return status;
  }
  if (q->stopping)
    status = txQueueStopped(error, j->name);
  else
    status = submitPrepare(q, j, operand, result, error);
  for (int k = 0; k < j->call.operands && status; k++)
    if (j->operand[k])
      txNodeUnuse(q, j->operand[k]);
  pthread_mutex_unlock(&q->lock);
  if (status)
    txJobFree(j);
  return status;
}

void txJobFree(txJob *job) {
  free(job->formula);
  free(job);
}

/* A longer name is cut in messages. */
static txJob *createJob(const char *name, clError *error) {
  txJob *j = txAllocate(error, name, 1, sizeof *j, "an operation");
  if (j)
    strncpy(j->name, name, sizeof j->name - 1);
  return j;
}

/* What is wrong with the operands themselves is found when they are looked at. */
clStatus clQueueSubmit(clQueue *q, const char *operation, const clQueueOperand *operand,
                       int operands, clQueueId *result, int results, clError *error) {
  static const char call[] = "clQueueSubmit";
  const txOperation *o = txOperationFind(operation);
  if (!q || !operation || operands < 0 || operands > TEXLA_QUEUE_OPERANDS ||
      (operands && !operand) || !result)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "queue, operation, operands and result must not be NULL");
  if (!o)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "there is no operation called %s (clQueueOperation lists them)", operation);
  if (results < 1 || results > o->results)
    return txFail(error, TEXLA_BAD_ARGUMENT, operation, "%d results instead of 1 to %d", results,
                  o->results);
  txJob *j = createJob(operation, error);
  if (!j)
    return TEXLA_OUT_OF_MEMORY;
  j->call.operation = o;
  j->call.operands = operands;
  j->call.results = results;
  return submit(q, j, operand, result, error);
}

/* An operation that lives as long as its job: entry by entry, by a shader that is made of the
 * text. */
clStatus clQueueFormula(clQueue *q, const char *formula, const clQueueOperand *operand,
                        int operands, clQueueId *result, clError *error) {
  static const char call[] = "clQueueFormula";
  enum { MOST = 3, LONGEST = 4000 };
  if (!q || !formula || !operand || !result || operands < 1 || operands > MOST ||
      strlen(formula) > LONGEST)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "queue, formula, operand and result must not be NULL, 1 to %d operands, at most "
                  "%d characters",
                  MOST, LONGEST);
  txJob *j = createJob("formula", error);
  if (!j)
    return TEXLA_OUT_OF_MEMORY;
  j->formula = strdup(formula);
  if (!j->formula) {
    txJobFree(j);
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for a formula");
  }
  j->own = (txOperation){.name = "formula",
                         .operands = &"mmm"[MOST - operands],
                         .results = 1,
                         .shape = txShapeBroadcast,
                         .run = txRunMap,
                         .text = j->formula};
  j->call.operation = &j->own;
  j->call.operands = operands;
  j->call.results = 1;
  return submit(q, j, operand, result, error);
}

/* A function of the caller's is a job like others, which runs in the worker's thread. */
clStatus clQueueCall(clQueue *q, const char *name, clQueueFunction function, void *user,
                     const clQueueId *operand, int operands, int64_t rows, int64_t cols,
                     clQueueId *result, clError *error) {
  static const char call[] = "clQueueCall";
  if (!q || !name || !function || !result || operands < 0 || operands > TEXLA_QUEUE_OPERANDS ||
      (operands && !operand) || rows < 1 || cols < 1 || rows > INT_MAX || cols > INT_MAX)
    return txFail(
        error, TEXLA_BAD_ARGUMENT, call,
        "queue, name, function and result must not be NULL, sides at least 1, operands at most 8");
  clQueueOperand operands_by_id[TEXLA_QUEUE_OPERANDS] = {{0}};
  for (int k = 0; k < operands; k++) {
    operands_by_id[k].id = operand[k];
    if (!operand[k])
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "operands must be ids");
  }
  txJob *j = createJob(name, error);
  if (!j)
    return TEXLA_OUT_OF_MEMORY;
  j->call.function = function;
  j->call.user = user;
  j->call.operands = operands;
  j->call.results = 1;
  j->call.shape[0] = (txShape){rows, cols};
  return submit(q, j, operands_by_id, result, error);
}
