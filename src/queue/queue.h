/* A queue from inside: the values and operations that callers put into it, and the lock between
 * them and the worker.
 *
 * One lock guards all of `clQueue` but the forms of values (value.h), which only the worker
 * touches; what callers may copy of a value is published in its node once it is there, and does not
 * change. A node lives while somebody holds its id, a job needs it or a caller copies from it
 * (`holders`, `users`); then the worker frees it, since textures belong to its thread.
 *
 * nodes.c keeps ids and values, submit.c what callers put in, worker.c the thread that computes,
 * fetch.c what callers ask for, wait.c waiting for changes, queue.c begin and end. Every function
 * here is called with the lock held unless its comment says otherwise. */
#ifndef TEXLA_QUEUE_QUEUE_H
#define TEXLA_QUEUE_QUEUE_H

#include <pthread.h>
#include <time.h>

#include "queue/operations.h"

typedef enum txState { TX_WAITING, TX_DONE, TX_FAILED } txState;

typedef struct txJob txJob;

typedef struct txNode {
  clQueueId id;
  txState state;
  txValue value;
  /* counted for it */
  size_t bytes;
  /* also while it waits */
  bool sparse;
  /* ids out there; jobs and calls that need it now */
  int holders, users;
  /* of TX_FAILED, or of a read that failed */
  clError *cause;
  /* while TX_WAITING */
  txJob *maker;
  /* the host's forms, once they may be copied from */
  const double *host;
  const float *single;
  /* reading back */
  float *copy;
  /* calls that wait for the copy */
  int fetching;
  bool wanted, listed, read_failed;
  clRead *read;
  /* in the list of reads or of garbage */
  struct txNode *next;
} txNode;

struct txJob {
  txCall call;
  char name[32];
  txNode *operand[TEXLA_QUEUE_OPERANDS], *result[TEXLA_QUEUE_RESULTS];
  bool running, cancelled;
  char note[TX_NOTE];
  txJob *next;
};

/* Notes that nobody has taken yet; the oldest goes when there are more. */
enum { TX_NOTES = 16 };

typedef struct txList {
  txNode *first, *last;
} txList;

struct clQueue {
  pthread_mutex_t lock;
  /* for the worker; for everybody else */
  pthread_cond_t work, change;
  pthread_t thread;
  clContext *context;
  /* while the worker starts */
  const clContextOptions *options;
  clError start;
  bool started, stopping, joining, joined, held;
  /* the worker ends without another call of OpenGL */
  bool abandoned;
  size_t limit;
  int pending_limit;
  double patience;
  /* by the lower bits of an id */
  txNode **slot;
  int *free_slot;
  int slots, free_slots;
  int64_t serial;
  txJob *first, *last, *current;
  /* reads to start, reads under way, nodes to free */
  txList wanted, reading, garbage;
  char note[TX_NOTES][TX_NOTE];
  int notes;
  clQueueStats stats;
  /* the worker's */
  txKernels kernels;
  /* with texts of its own: the context ends with the worker */
  clContextInfo info;
  char *text[5];
};

/* ---- Nodes (nodes.c) ------------------------------------------------------------------------- */

void txListAppend(txList *l, txNode *n);
/* the first; NULL when there is none */
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
/* without the lock */
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

/* ---- Waiting (wait.c) ------------------------------------------------------------------------ */

/* *out <- `seconds` from now; false: for ever. */
bool txQueueDeadline(struct timespec *out, double seconds);
/* Waits for a change; false when the time is over. NULL: for ever. */
bool txQueueWaitChange(clQueue *q, const struct timespec *deadline);
void txQueueChanged(clQueue *q);
clStatus txQueueStopped(clError *error, const char *call);

/* The thread's function: a clQueue until its end (worker.c). Without the lock. */
void *txQueueWorker(void *queue);

#endif
