/* What is known of how long tasks take, in memory and in the tuning files of the queues'
 * devices. */
#include "queue/share.h"
#include "gl/tuning.h"
#include "queue/queue.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* seconds: of a number in the file; for a queue to answer */
static const double UNIT = 1e-7, PATIENCE = 0.2;

static const char *const way_names[TX_SHARE_WAYS] = {"alone", "queues", "together"};

txShareTimes *txShareTimesFor(txShareTable *table, int n, bool factor) {
  for (int k = 0; k < table->sizes; k++)
    if (table->known[k].n == n && table->known[k].factor == factor)
      return &table->known[k];
  int place = table->sizes < TX_SHARE_SIZES ? table->sizes++ : TX_SHARE_SIZES - 1;
  table->known[place] = (txShareTimes){.n = n, .factor = factor};
  return &table->known[place];
}

/* What a queue's thread does for the table. */
typedef struct talk {
  clShare *share;
  /* the first of that queue */
  int worker;
} talk;

static bool isFirst(const talk *t) {
  return t->worker == 1;
}

/* "share.solve.64.together" -> where its number belongs; NULL: nowhere. */
static double *placeOf(const talk *t, const char *key) {
  char kind[8], what[16];
  int n, end = 0;
  if (sscanf(key, "share.%7[a-z].%d.%15[a-z]%n", kind, &n, what, &end) != 3 || key[end] || n < 1)
    return NULL;
  bool factor = !strcmp(kind, "factor");
  txShareTable *table = &t->share->table;
  bool room = table->sizes < TX_SHARE_SIZES - 1;
  for (int k = 0; k < table->sizes; k++)
    room = room || (table->known[k].n == n && table->known[k].factor == factor);
  if ((!factor && strcmp(kind, "solve") != 0) || !room)
    return NULL;
  txShareTimes *times = txShareTimesFor(table, n, factor);
  if (!strcmp(what, "queue"))
    return &times->worker[t->worker];
  if (!strcmp(what, "lapack"))
    return isFirst(t) ? &times->worker[0] : NULL;
  for (int w = 0; w < TX_SHARE_WAYS; w++)
    if (!strcmp(what, way_names[w]))
      return isFirst(t) ? &times->way[w] : NULL;
  return NULL;
}

static clStatus load(void *user, clContext *context, const clVector *const *operand,
                     clVector *result) {
  const talk *t = user;
  const char *key;
  int value;
  (void)operand, (void)result;
  for (int k = 0; clContextTuning(context, k, &key, &value); k++) {
    double *place = value > 0 ? placeOf(t, key) : NULL;
    if (place)
      *place = value * UNIT;
  }
  return TEXLA_OK;
}

static clStatus keep(clContext *context, const txShareTimes *times, const char *what,
                     double seconds) {
  char key[64];
  double value = seconds / UNIT + 0.5;
  if (!(value >= 1 && value < INT_MAX))
    return TEXLA_OK;
  snprintf(key, sizeof key, "share.%s.%d.%s", times->factor ? "factor" : "solve", times->n, what);
  return txTuningAdd(context, key, (int)value);
}

/* The last entry of a full table is whatever size came last: it is not kept, so that the file stays
 * bounded. */
static clStatus save(void *user, clContext *context, const clVector *const *operand,
                     clVector *result) {
  const talk *t = user;
  const txShareTable *table = &t->share->table;
  clStatus status = TEXLA_OK;
  (void)operand, (void)result;
  for (int k = 0; k < table->sizes && k < TX_SHARE_SIZES - 1 && !status; k++) {
    const txShareTimes *times = &table->known[k];
    status = keep(context, times, "queue", times->worker[t->worker]);
    if (!status && isFirst(t))
      status = keep(context, times, "lapack", times->worker[0]);
    for (int w = 0; w < TX_SHARE_WAYS && !status && isFirst(t); w++)
      status = keep(context, times, way_names[w], times->way[w]);
  }
  if (!status)
    txTuningSave(context);
  return status;
}

/* The function in the queue's thread, unless that is busy. When it has not been done, nobody will
 * do it any more. */
static bool ask(clShare *share, int worker, clQueueFunction function) {
  talk t = {share, worker};
  clQueue *q = share->queue[worker];
  clQueueId id = 0;
  if (clQueueCall(q, "clShare", function, &t, NULL, 0, 1, 1, &id, NULL))
    return false;
  bool done = clQueueWait(q, id, PATIENCE, NULL) == TEXLA_OK;
  if (!done) {
    clQueueCancel(q, id, NULL);
    pthread_mutex_lock(&q->lock);
    /* it may just have begun */
    while (q->current)
      txQueueWaitChange(q, NULL);
    pthread_mutex_unlock(&q->lock);
  }
  clQueueRelease(q, id, NULL);
  return done;
}

static bool askAll(clShare *share, clQueueFunction function) {
  bool done = true;
  for (int w = 1; w < share->workers; w++)
    if (share->queue[w] != share->queue[w - 1])
      done = ask(share, w, function) && done;
  return done;
}

void txShareLoad(clShare *share) {
  askAll(share, load);
  for (int k = 0; k < share->table.sizes; k++) {
    txShareTimes *times = &share->table.known[k];
    memcpy(times->kept, times->way, sizeof times->kept);
    /* the threads of one queue are alike */
    for (int w = 2; w < share->workers; w++)
      if (share->queue[w] == share->queue[w - 1])
        times->worker[w] = times->worker[w - 1];
    for (int w = 0; w < share->workers; w++)
      times->tasks[w] = times->worker[w] > 0;
  }
}

void txShareSave(clShare *share) {
  bool changed = false;
  for (int k = 0; k < share->table.sizes && k < TX_SHARE_SIZES - 1; k++)
    for (int w = 0; w < TX_SHARE_WAYS; w++) {
      const txShareTimes *times = &share->table.known[k];
      double now = times->way[w], then = times->kept[w];
      changed = changed || (now > 0 && !(now < 1.5 * then && then < 1.5 * now));
    }
  if (!changed || !askAll(share, save))
    return;
  for (int k = 0; k < share->table.sizes; k++)
    memcpy(share->table.known[k].kept, share->table.known[k].way,
           sizeof share->table.known[k].kept);
}
