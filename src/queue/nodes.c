/* Ids and values: slots, who needs a node, what callers may see of it.
 *
 * An id is a slot's number in its lower 20 bits with a serial number above. It is found without a
 * search, and an id that was released is told from the one that has its slot now.
 *
 * There is one condition for all changes; a call that waits looks after each whether it is the one
 * that it waits for. */
#include "queue/queue.h"
#include "platform/platform.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { SLOT_BITS = 20, SLOTS = 1 << SLOT_BITS };

/* A node is in one list at a time. */
void txListAppend(txList *l, txNode *n) {
  n->next = NULL;
  if (l->first)
    l->last->next = n;
  else
    l->first = n;
  l->last = n;
}

/* Nodes come out in the order in which they went in. */
txNode *txListTake(txList *l) {
  txNode *n = l->first;
  if (n)
    l->first = n->next;
  return n;
}

/* An id has its slot in the lower bits and a serial number above, so that the id of a value that
 * has gone is not that of the next one in its slot. */
txNode *txNodeFind(clQueue *q, clQueueId id, const char *call, clError *error) {
  int64_t slot = id & (SLOTS - 1);
  txNode *n = NULL;
  if (id > 0 && slot < q->slots)
    n = q->slot[slot];
  if (n && n->id == id && n->holders)
    return n;
  txFail(error, TEXLA_BAD_ARGUMENT, call,
         "there is no value with the id %lld, or it has been released", (long long)id);
  return NULL;
}

/* Twice as many slots; what was reallocated is kept also where the other one fails. */
static bool growSlots(clQueue *q) {
  int more = q->slots ? 2 * q->slots : 64;
  if (more > SLOTS)
    return false;
  txNode **slot = realloc(q->slot, (size_t)more * sizeof *slot);
  if (slot)
    q->slot = slot;
  int *free_slot = realloc(q->free_slot, (size_t)more * sizeof *free_slot);
  if (free_slot)
    q->free_slot = free_slot;
  if (!slot || !free_slot)
    return false;
  for (int k = more - 1; k >= q->slots; k--) {
    q->slot[k] = NULL;
    q->free_slot[q->free_slots++] = k;
  }
  q->slots = more;
  return true;
}

/* The peak is what limits are chosen by. */
void txNodeCount(clQueue *q, txNode *n, size_t bytes) {
  q->stats.bytes += bytes - n->bytes;
  n->bytes = bytes;
  if (q->stats.bytes > q->stats.bytes_peak)
    q->stats.bytes_peak = q->stats.bytes;
}

/* The slot is taken when nothing can fail any more. */
txNode *txNodeCreate(clQueue *q, int64_t rows, int64_t cols, size_t bytes) {
  if (!q->free_slots && !growSlots(q))
    return NULL;
  txNode *n = calloc(1, sizeof *n);
  if (!n)
    return NULL;
  int slot = q->free_slot[--q->free_slots];
  n->id = ++q->serial << SLOT_BITS | slot;
  n->value = (txValue){.rows = rows, .cols = cols};
  n->holders = 1;
  q->slot[slot] = n;
  q->stats.values++;
  txNodeCount(q, n, bytes);
  return n;
}

/* The worker frees it, as textures belong to the worker's thread. */
void txNodeDrop(clQueue *q, txNode *n) {
  if (n->holders || n->users || n->state == TX_WAITING)
    return;
  int slot = (int)(n->id & (SLOTS - 1));
  q->slot[slot] = NULL;
  q->free_slot[q->free_slots++] = slot;
  txListAppend(&q->garbage, n);
  pthread_cond_signal(&q->work);
}

/* The last user of a node that nobody holds makes it garbage. */
void txNodeUnuse(clQueue *q, txNode *n) {
  n->users--;
  txNodeDrop(q, n);
}

/* Without the lock, since it may take long. */
void txNodeFree(txNode *n) {
  txValueClear(&n->value);
  free(n->copy);
  free(n->cause);
  free(n);
}

bool txNodeOnHost(const txNode *n) {
  return n->host || n->single || n->copy || !txValueLength(&n->value);
}

size_t txNodeCopyBytes(const txNode *n) {
  return (size_t)txValueLength(&n->value) * sizeof *n->copy;
}

/* From here on callers may copy the forms on the host, without the lock. */
void txNodePublish(clQueue *q, txNode *n) {
  n->host = n->value.host;
  n->single = n->value.single;
  size_t bytes = txValueBytes(&n->value);
  if (n->copy)
    bytes += txNodeCopyBytes(n);
  txNodeCount(q, n, bytes);
}

/* The list of reads uses the node, so that it stays until it was read. */
void txNodeWantRead(clQueue *q, txNode *n) {
  n->wanted = true;
  if (n->state != TX_DONE || txNodeOnHost(n) || n->listed)
    return;
  n->listed = true;
  n->users++;
  txListAppend(&q->wanted, n);
  pthread_cond_signal(&q->work);
}

/* Where memory ended there may be no cause but that. */
clStatus txNodeCause(const txNode *n, clError *error) {
  if (!n->cause)
    return TEXLA_OUT_OF_MEMORY;
  if (error)
    *error = *n->cause;
  return n->cause->status;
}

/* An older cause makes room. */
void txNodeSetCause(txNode *n, const clError *cause) {
  if (!n->cause)
    n->cause = malloc(sizeof *n->cause);
  if (n->cause)
    *n->cause = *cause;
}

/* What depends on it fails with the same cause. */
void txNodeFail(clQueue *q, txNode *n, const clError *cause) {
  txNodeSetCause(n, cause);
  n->state = TX_FAILED;
  n->maker = NULL;
  txNodeCount(q, n, 0);
}

/* ---- Waiting --------------------------------------------------------------------------------- */

/* What all calls return once the queue is about to end. */
clStatus txQueueStopped(clError *error, const char *call) {
  return txFail(error, TEXLA_CANCELLED, call, "the queue has been stopped");
}

clStatus txQueueLock(clQueue *q, const char *call, clError *error) {
  if (q->forks != txForks())
    return txFail(error, TEXLA_CONTEXT_LOST, call,
                  "the queue was made before fork, and its thread does not exist in this process: "
                  "use it in the parent, or start the child by posix_spawn");
  pthread_mutex_lock(&q->lock);
  return TEXLA_OK;
}

/* False: there is none, the call waits for ever. Times go by the conditions' own clock. */
bool txQueueDeadline(struct timespec *out, double seconds) {
  if (!(seconds >= 0 && seconds < 1e9))
    return false;
  txConditionNow(out);
  double whole = floor(seconds);
  out->tv_sec += (time_t)whole;
  out->tv_nsec += (long)((seconds - whole) * 1e9);
  if (out->tv_nsec >= 1000000000) {
    out->tv_sec++;
    out->tv_nsec -= 1000000000;
  }
  return true;
}

/* It may return without a change, so callers look again. */
bool txQueueWaitChange(clQueue *q, const struct timespec *deadline) {
  if (!deadline)
    return pthread_cond_wait(&q->change, &q->lock) == 0;
  return pthread_cond_timedwait(&q->change, &q->lock, deadline) != ETIMEDOUT;
}

/* Everyone who waits looks again. */
void txQueueChanged(clQueue *q) {
  pthread_cond_broadcast(&q->change);
}
