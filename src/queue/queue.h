/* A queue from inside: the values and operations that callers put into it, and the lock between
 * them and the worker.
 *
 * One lock guards all of `clQueue` but the forms of values (value.h), which only the worker
 * touches; what callers may copy of a value is published in its node once it is there, and does not
 * change. A node lives while somebody holds its id, a job needs it or a caller copies from it
 * (`holders`, `users`); then the worker frees it, since textures belong to its thread.
 *
 * nodes.c keeps ids and values, submit.c what callers put in, worker.c the thread that computes,
 * fetch.c what callers ask for, queue.c begin and end. Every function
 * here is called with the lock held unless its comment says otherwise. */
#ifndef TEXLA_QUEUE_QUEUE_H
#define TEXLA_QUEUE_QUEUE_H

#include <pthread.h>
#include <time.h>

#include "queue/operations.h"

typedef enum txState { TX_WAITING, TX_DONE, TX_FAILED } txState;

typedef struct txJob txJob;

/* A value with an id.
 *
 * `holders` counts the ids that callers have not given back, `users` the jobs and calls that need
 * the value now. While it waits, `maker` is the job that makes it, and whether it will be sparse is
 * known already. `cause` says why it has failed, or why a read has. `bytes` are counted for it. */
typedef struct txNode {
  clQueueId id;
  txState state;
  txValue value;
  size_t bytes;
  bool sparse;
  int holders, users;
  clError *cause;
  txJob *maker;
  /* The host's forms, once callers may copy from them. */
  const double *host;
  const float *single;
  /* Reading back: the copy, how many calls wait for it, whether it is wanted and in a list. */
  float *copy;
  int fetching;
  bool wanted, listed, read_failed;
  clRead *read;
  /* The next one in the list of reads or of garbage. */
  struct txNode *next;
} txNode;

/* An operation or a function that waits or runs, with its operands, its results, and what it notes
 * although it succeeds. */
struct txJob {
  txCall call;
  char name[32];
  txNode *operand[TEXLA_QUEUE_OPERANDS], *result[TEXLA_QUEUE_RESULTS];
  bool running, cancelled;
  char note[TX_NOTE];
  /* of a formula: what the table has of others */
  txOperation own;
  char *formula;
  txJob *next;
};

/* Frees the job itself. */
void txJobFree(txJob *job);

/* Notes that nobody has taken yet; the oldest goes when there are more. */
enum { TX_NOTES = 16 };

/* Nodes in the order in which they came. */
typedef struct txList {
  txNode *first, *last;
} txList;

/* A queue. The condition `work` wakes the worker, `change` everybody else.
 *
 * `options` and `start` are for the worker's begin: what it is asked for, and why it failed. An
 * abandoned queue's worker ends without another call of OpenGL. */
struct clQueue {
  pthread_mutex_t lock;
  pthread_cond_t work, change;
  pthread_t thread;
  /* txForks when it was created. */
  int forks;
  clContext *context;
  const clContextOptions *options;
  clError start;
  bool started, stopping, joining, joined, held;
  bool abandoned;
  size_t limit;
  int pending_limit;
  double patience;
  /* The nodes by the lower bits of their ids, and the slots that are free. */
  txNode **slot;
  int *free_slot;
  int slots, free_slots;
  int64_t serial;
  txJob *first, *last, *current;
  /* Reads to start, reads under way, nodes to free. */
  txList wanted, reading, garbage;
  char note[TX_NOTES][TX_NOTE];
  int notes;
  clQueueStats stats;
  /* Only the worker touches its kernels. */
  txKernels kernels;
  /* The info has texts of its own, as the context ends with the worker. */
  clContextInfo info;
  char *text[5];
};

/* ---- Nodes (nodes.c) ------------------------------------------------------------------------- */

void txListAppend(txList *l, txNode *n);
/* Takes the first one out; NULL when there is none. */
txNode *txListTake(txList *l);

/* The value with that id; NULL, and the error of TEXLA_BAD_ARGUMENT, where nobody holds it. */
txNode *txNodeFind(clQueue *q, clQueueId id, const char *call, clError *error);
/* A node with one holder, of which `bytes` are counted; NULL without memory. */
txNode *txNodeCreate(clQueue *q, int64_t rows, int64_t cols, size_t bytes);
/* Counts `bytes` for it from now on. */
void txNodeCount(clQueue *q, txNode *n, size_t bytes);
/* One user less. Who has neither holders nor users, and does not wait to be computed, becomes
 * garbage, which the worker frees. */
void txNodeUnuse(clQueue *q, txNode *n);
void txNodeDrop(clQueue *q, txNode *n);
/* Frees what it holds; without the lock. */
void txNodeFree(txNode *n);
/* Can callers copy its values? */
bool txNodeOnHost(const txNode *n);
size_t txNodeCopyBytes(const txNode *n);
/* Shows callers what the worker has made of it. */
void txNodePublish(clQueue *q, txNode *n);
/* Asks for it to be read back once it is there. */
void txNodeWantRead(clQueue *q, txNode *n);
/* The status of a node that has failed, and why. */
clStatus txNodeCause(const txNode *n, clError *error);
void txNodeSetCause(txNode *n, const clError *cause);
void txNodeFail(clQueue *q, txNode *n, const clError *cause);

/* ---- Waiting (nodes.c) ----------------------------------------------------------------------- */

/* *out <- `seconds` from now; false: for ever. */
bool txQueueDeadline(struct timespec *out, double seconds);
/* Waits for a change; false when the time is over. NULL: for ever. */
bool txQueueWaitChange(clQueue *q, const struct timespec *deadline);
void txQueueChanged(clQueue *q);
clStatus txQueueStopped(clError *error, const char *call);
/* Takes the lock for a caller; TEXLA_CONTEXT_LOST, without the lock, if the process was forked
 * after the queue was created, because the worker does not exist there. */
clStatus txQueueLock(clQueue *q, const char *call, clError *error);

/* The thread's function: a clQueue until its end (worker.c). Without the lock. */
void *txQueueWorker(void *queue);

#endif
