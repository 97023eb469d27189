/* Load distribution from inside: who works, and what is known of how long tasks take. */
#ifndef TEXLA_QUEUE_SHARE_H
#define TEXLA_QUEUE_SHARE_H

#include "texla/share.h"

/* Who takes part in a batch. */
typedef enum txShareWay {
  TX_SHARE_LAPACK,
  TX_SHARE_QUEUES,
  TX_SHARE_TOGETHER,
  TX_SHARE_WAYS
} txShareWay;

/* Seconds for one kind and size of tasks; 0 where they are not known. `worker` has those for a task
 * of each worker, of which each has done `tasks`; `way` those of a batch, divided by its tasks;
 * `kept` what the file says of `way`. */
typedef struct txShareTimes {
  int n;
  bool factor;
  double worker[TEXLA_SHARE_WORKERS];
  int tasks[TEXLA_SHARE_WORKERS];
  double way[TX_SHARE_WAYS];
  int batches;
  double kept[TX_SHARE_WAYS];
} txShareTimes;

enum { TX_SHARE_SIZES = 32 };

typedef struct txShareTable {
  txShareTimes known[TX_SHARE_SIZES];
  int sizes;
} txShareTable;

typedef void (*txGesv)(const int *n, const int *nrhs, float *a, const int *lda, int *ipiv, float *b,
                       const int *ldb, int *info);
typedef void (*txGetrf)(const int *m, const int *n, float *a, const int *lda, int *ipiv, int *info);

/* The workers: number 0 is LAPACK, unless `first` is 1; each of the others has its queue. */
struct clShare {
  int workers;
  int first;
  clQueue *queue[TEXLA_SHARE_WORKERS];
  txGesv solve;
  txGetrf factor;
  txShareTable table;
  char remark[192];
};

/* The entry of that size, made if need be: the table holds the sizes that were met first, and one
 * more. */
txShareTimes *txShareTimesFor(txShareTable *table, int n, bool factor);

/* The table is kept in the tuning files of the queues' devices: each holds its own queue's times,
 * the first one also LAPACK's and those of the ways. Lines that make no sense do not count. Saves
 * only what is new or has changed much; neither waits for a busy queue (the next batch tries
 * again). */
void txShareLoad(clShare *share);
void txShareSave(clShare *share);

#endif
