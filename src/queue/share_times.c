/* What is known of how long tasks take, in memory and in the tuning files of the queues'
 * devices.
 *
 * A tuning file belongs to a context, and a context to its queue's thread: so times are loaded and
 * saved by functions that the queues run (clQueueCall). */
#include "queue/share.h"
#include "core/try.h"
#include "gl/tuning.h"
#include "queue/queue.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In seconds: what a number in the file stands for, and how long a queue may take to answer. */
static const double UNIT = 1e-7, PATIENCE = 0.2;

static const char *const way_names[TX_SHARE_WAYS] = {"alone", "queues", "together"};

/* A full table uses its last entry for whatever size comes. */
txShareTimes *txShareTimesFor(txShareTable *table, int n, bool factor) {
  for (int k = 0; k < table->sizes; k++)
    if (table->known[k].n == n && table->known[k].factor == factor)
      return &table->known[k];
  int place = TX_SHARE_SIZES - 1;
  if (table->sizes < TX_SHARE_SIZES)
    place = table->sizes++;
  table->known[place] = (txShareTimes){.n = n, .factor = factor};
  return &table->known[place];
}

/* What a queue's thread does for the table; `worker` is the first one of that queue. */
typedef struct talk {
  clShare *share;
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
  /* What is not of one queue is kept with the first. */
  if (!isFirst(t))
    return NULL;
  if (!strcmp(what, "lapack"))
    return &times->worker[0];
  for (int w = 0; w < TX_SHARE_WAYS; w++)
    if (!strcmp(what, way_names[w]))
      return &times->way[w];
  return NULL;
}

/* It runs in a queue's thread, where its tuning file is known. */
static clStatus load(void *user, clContext *context, const clVector *const *operand,
                     clVector *result) {
  const talk *t = user;
  const char *key;
  int value;
  (void)operand, (void)result;
  for (int k = 0; clContextTuning(context, k, &key, &value); k++) {
    if (value <= 0)
      continue;
    double *place = placeOf(t, key);
    if (place)
      *place = value * UNIT;
  }
  return TEXLA_OK;
}

/* Numbers in a tuning file are integers: tenths of microseconds. */
static clStatus keep(clContext *context, const txShareTimes *times, const char *what,
                     double seconds) {
  char key[64];
  double value = seconds / UNIT + 0.5;
  if (!(value >= 1 && value < INT_MAX))
    return TEXLA_OK;
  const char *kind = times->factor ? "factor" : "solve";
  snprintf(key, sizeof key, "share.%s.%d.%s", kind, times->n, what);
  return txTuningAdd(context, key, (int)value);
}

/* The last entry of a full table is whatever size came last: it is not kept, so that the file stays
 * bounded. */
static clStatus save(void *user, clContext *context, const clVector *const *operand,
                     clVector *result) {
  const talk *t = user;
  const txShareTable *table = &t->share->table;
  (void)operand, (void)result;
  for (int k = 0; k < table->sizes && k < TX_SHARE_SIZES - 1; k++) {
    const txShareTimes *times = &table->known[k];
    TRY(keep(context, times, "queue", times->worker[t->worker]));
    if (isFirst(t))
      TRY(keep(context, times, "lapack", times->worker[0]));
    for (int w = 0; w < TX_SHARE_WAYS && isFirst(t); w++)
      TRY(keep(context, times, way_names[w], times->way[w]));
  }
  txTuningSave(context);
  return TEXLA_OK;
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
    /* The function may just have begun; then the table must stay until it ends. */
    while (q->current)
      txQueueWaitChange(q, NULL);
    pthread_mutex_unlock(&q->lock);
  }
  clQueueRelease(q, id, NULL);
  return done;
}

/* A queue that is busy is not waited for long. */
static bool askAll(clShare *share, clQueueFunction function) {
  bool done = true;
  for (int w = 1; w < share->workers; w++)
    if (share->queue[w] != share->queue[w - 1])
      done = ask(share, w, function) && done;
  return done;
}

/* Each device knows the times of its own queue. */
void txShareLoad(clShare *share) {
  askAll(share, load);
  for (int k = 0; k < share->table.sizes; k++) {
    txShareTimes *times = &share->table.known[k];
    memcpy(times->kept, times->way, sizeof times->kept);
    /* The threads of one queue are alike. */
    for (int w = 2; w < share->workers; w++)
      if (share->queue[w] == share->queue[w - 1])
        times->worker[w] = times->worker[w - 1];
    for (int w = 0; w < share->workers; w++)
      times->tasks[w] = times->worker[w] > 0;
  }
}

/* Times of ways that have changed by half are worth a new file. */
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
