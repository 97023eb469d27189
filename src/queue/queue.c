/* The queue's threads: callers put nodes (values) and jobs (operations) into it, one worker owns the context and everything on it.
 *
 * One lock guards all of `clQueue` but the forms of values (value.h), which only the worker touches; what callers may copy of a value
 * is published in its node once it is there, and does not change. A node lives while somebody holds its id, a job needs it or a caller
 * copies from it (`holders`, `users`); then the worker frees it, since textures belong to its thread. */
#include "queue/operations.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOT_BITS = 20, SLOTS = 1 << SLOT_BITS, DEFAULT_PENDING = 1024 };

typedef enum state { WAITING, DONE, FAILED } state;

typedef struct job job;

typedef struct node {
  clQueueId id;
  state state;
  txValue value;
  size_t bytes;       /* counted for it */
  int holders, users; /* ids out there; jobs and calls that need it now */
  clError *cause;     /* of FAILED, or of a read that failed */
  job *maker;         /* while WAITING */
  /* the host's forms, once they may be copied from */
  const double *host;
  const float *single;
  /* reading back */
  float *copy;
  int fetching; /* calls that wait for the copy */
  bool wanted, listed, read_failed;
  clRead *read;
  struct node *next; /* in the list of reads or of garbage */
} node;

struct job {
  txCall call;
  char name[32];
  node *operand[TEXLA_QUEUE_OPERANDS], *result[TEXLA_QUEUE_RESULTS];
  bool running, cancelled;
  job *next;
};

typedef struct list {
  node *first, *last;
} list;

struct clQueue {
  pthread_mutex_t lock;
  pthread_cond_t work, change; /* for the worker; for everybody else */
  pthread_t thread;
  clContext *context;
  const clContextOptions *options; /* while the worker starts */
  clError start;
  bool started, stopping, joining, joined, held;
  bool abandoned; /* the worker ends without another call of OpenGL */
  size_t limit;
  int pending_limit;
  double patience;
  node **slot; /* by the lower bits of an id */
  int *free_slot;
  int slots, free_slots;
  int64_t serial;
  job *first, *last, *current;
  list wanted, reading, garbage; /* reads to start, reads under way, nodes to free */
  clQueueStats stats;
  clContextInfo info; /* with texts of its own: the context ends with the worker */
  char *text[5];
};

/* ---- Small things --------------------------------------------------------------------------------------------- */

static void append(list *l, node *n) {
  n->next = NULL;
  *(l->first ? &l->last->next : &l->first) = n;
  l->last = n;
}

static node *take(list *l) {
  node *n = l->first;
  if (n)
    l->first = n->next;
  return n;
}

static clStatus fail(clError *error, clStatus status, const char *call, const char *text) {
  return txFail(error, status, call, "%s", text);
}

static clStatus stopped(clError *error, const char *call) {
  return fail(error, TEXLA_CANCELLED, call, "the queue has been stopped");
}

static clStatus causeOf(const node *n, clError *error) {
  if (error && n->cause)
    *error = *n->cause;
  return n->cause ? n->cause->status : TEXLA_OUT_OF_MEMORY;
}

static void setCause(node *n, const clError *cause) {
  if (!n->cause)
    n->cause = malloc(sizeof *n->cause);
  if (n->cause)
    *n->cause = *cause;
}

/* `seconds` from now; false: for ever. */
static bool deadlineAfter(struct timespec *out, double seconds) {
  if (!(seconds >= 0 && seconds < 1e9))
    return false;
  clock_gettime(CLOCK_MONOTONIC, out);
  double whole = floor(seconds);
  out->tv_sec += (time_t)whole;
  out->tv_nsec += (long)((seconds - whole) * 1e9);
  if (out->tv_nsec >= 1000000000) {
    out->tv_sec++;
    out->tv_nsec -= 1000000000;
  }
  return true;
}

/* Waits for a change; false when the time is over. */
static bool waitChange(clQueue *q, const struct timespec *deadline) {
  if (!deadline)
    return pthread_cond_wait(&q->change, &q->lock) == 0;
  return pthread_cond_timedwait(&q->change, &q->lock, deadline) != ETIMEDOUT;
}

static void changed(clQueue *q) {
  pthread_cond_broadcast(&q->change);
}

/* ---- Nodes ---------------------------------------------------------------------------------------------------- */

static node *find(clQueue *q, clQueueId id, const char *call, clError *error) {
  int64_t slot = id & (SLOTS - 1);
  node *n = id > 0 && slot < q->slots ? q->slot[slot] : NULL;
  if (n && n->id == id && n->holders)
    return n;
  txFail(error, TEXLA_BAD_ARGUMENT, call, "there is no value with the id %lld, or it has been released", (long long)id);
  return NULL;
}

static bool growSlots(clQueue *q) {
  int more = q->slots ? 2 * q->slots : 64;
  if (more > SLOTS)
    return false;
  node **slot = realloc(q->slot, (size_t)more * sizeof *slot);
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

static void count(clQueue *q, node *n, size_t bytes) {
  q->stats.bytes += bytes - n->bytes;
  n->bytes = bytes;
  if (q->stats.bytes > q->stats.bytes_peak)
    q->stats.bytes_peak = q->stats.bytes;
}

/* A node with one holder; NULL without memory. */
static node *createNode(clQueue *q, int64_t rows, int64_t cols, size_t bytes) {
  node *n = q->free_slots || growSlots(q) ? calloc(1, sizeof *n) : NULL;
  if (!n)
    return NULL;
  int slot = q->free_slot[--q->free_slots];
  n->id = ++q->serial << SLOT_BITS | slot;
  n->value = (txValue){.rows = rows, .cols = cols};
  n->holders = 1;
  q->slot[slot] = n;
  q->stats.values++;
  count(q, n, bytes);
  return n;
}

/* Nobody can ask for it any more: the worker frees it. */
static void dropIfUnused(clQueue *q, node *n) {
  if (n->holders || n->users || n->state == WAITING)
    return;
  int slot = (int)(n->id & (SLOTS - 1));
  q->slot[slot] = NULL;
  q->free_slot[q->free_slots++] = slot;
  append(&q->garbage, n);
  pthread_cond_signal(&q->work);
}

static void unuse(clQueue *q, node *n) {
  n->users--;
  dropIfUnused(q, n);
}

static void freeNode(node *n) {
  txValueClear(&n->value);
  free(n->copy);
  free(n->cause);
  free(n);
}

static bool onHost(const node *n) {
  return n->host || n->single || n->copy || !txValueLength(&n->value);
}

static size_t copyBytes(const node *n) {
  return (size_t)txValueLength(&n->value) * sizeof *n->copy;
}

static void publish(clQueue *q, node *n) {
  n->host = n->value.host;
  n->single = n->value.single;
  count(q, n, txValueBytes(&n->value) + (n->copy ? copyBytes(n) : 0));
}

static void wantRead(clQueue *q, node *n) {
  n->wanted = true;
  if (n->state != DONE || onHost(n) || n->listed)
    return;
  n->listed = true;
  n->users++;
  append(&q->wanted, n);
  pthread_cond_signal(&q->work);
}

/* ---- The worker ----------------------------------------------------------------------------------------------- */

static void failResult(clQueue *q, node *n, const clError *cause) {
  setCause(n, cause);
  n->state = FAILED;
  n->maker = NULL;
  count(q, n, 0);
}

/* What the job leaves behind: its results' state, and its hold on nodes. */
static void endJob(clQueue *q, job *j, clStatus status, const clError *cause) {
  for (int k = 0; k < j->call.results; k++) {
    node *n = j->result[k];
    if (n->state == WAITING && status < 0)
      failResult(q, n, cause);
    if (n->state == WAITING) {
      n->state = DONE;
      n->maker = NULL;
      publish(q, n);
      if (n->wanted)
        wantRead(q, n);
    }
    unuse(q, n);
  }
  for (int k = 0; k < j->call.operands; k++)
    if (j->operand[k]) {
      publish(q, j->operand[k]);
      unuse(q, j->operand[k]);
    }
  *(status < 0 ? &q->stats.failed : &q->stats.done) += 1;
  free(j);
  changed(q);
}

static bool isUnwanted(const job *j) {
  for (int k = 0; k < j->call.results; k++)
    if (j->result[k]->holders || j->result[k]->users > 1)
      return false;
  return true;
}

static clStatus runFunction(txCall *call) {
  const clVector *operand[TEXLA_QUEUE_OPERANDS];
  clVector *x, *out;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < call->operands && !status; k++) {
    status = txOperandVector(call, k, &x);
    operand[k] = x;
  }
  if (!status)
    status = txResultVector(call, 0, &out);
  return status ? status : txCallStatus(call, call->function(call->user, call->context, operand, out));
}

static clStatus execute(clQueue *q, job *j, clError *error) {
  txCall *call = &j->call;
  call->context = q->context;
  call->error = error;
  for (int k = 0; k < call->operands; k++)
    call->operand[k].value = j->operand[k] ? &j->operand[k]->value : NULL;
  for (int k = 0; k < call->results; k++)
    call->result[k] = &j->result[k]->value;
  clStatus status = call->function ? runFunction(call) : txOperationRun(call);
  for (int k = 0; k < call->results && status < 0; k++)
    txValueClear(call->result[k]);
  return status;
}

/* The next job, with the lock held; it is let go while the job runs. */
static void runJob(clQueue *q) {
  job *j = q->first;
  q->first = j->next;
  q->stats.queued--;
  clError error = {0};
  for (int k = 0; k < j->call.operands && !error.status; k++)
    if (j->operand[k] && j->operand[k]->state == FAILED)
      causeOf(j->operand[k], &error);
  bool unwanted = isUnwanted(j);
  if (unwanted || j->cancelled || q->stopping) {
    fail(&error, TEXLA_CANCELLED, j->name, "cancelled before it was done");
    q->stats.skipped += unwanted;
  }
  if (!error.status) {
    q->current = j;
    q->stats.running = 1;
    j->running = true;
    pthread_mutex_unlock(&q->lock);
    clStatus status = execute(q, j, &error);
    clContextCounters counters = clContextCount(q->context);
    pthread_mutex_lock(&q->lock);
    q->stats.device_bytes = counters.bytes_used + counters.bytes_pooled;
    q->stats.device_peak = counters.bytes_peak;
    q->stats.running = 0;
    q->current = NULL;
    error.status = status;
  }
  endJob(q, j, error.status, &error);
}

static void readFailed(clQueue *q, node *n, const clError *error) {
  n->read_failed = true;
  n->wanted = n->listed = false;
  setCause(n, error);
  unuse(q, n);
  changed(q);
}

static void startRead(clQueue *q) {
  node *n = take(&q->wanted);
  clError error = {0};
  clVector *x;
  pthread_mutex_unlock(&q->lock);
  clStatus status = txValueVector(&n->value, q->context, "clQueueRead", &x, &error);
  if (!status && (status = clVectorReadStart(&n->read, x)))
    error = *clContextError(q->context);
  pthread_mutex_lock(&q->lock);
  if (status)
    readFailed(q, n, &error);
  else
    append(&q->reading, n);
}

static void finishRead(clQueue *q) {
  node *n = take(&q->reading);
  pthread_mutex_unlock(&q->lock);
  clError error = {0};
  float *copy = malloc(copyBytes(n));
  clStatus status = clReadFinish(n->read, copy);
  if (status)
    error = *clContextError(q->context);
  else if (!copy)
    status = fail(&error, TEXLA_OUT_OF_MEMORY, "clQueueRead", "no memory for the result");
  pthread_mutex_lock(&q->lock);
  n->read = NULL;
  if (status) {
    free(copy);
    readFailed(q, n, &error);
    return;
  }
  n->copy = copy;
  n->wanted = n->listed = false;
  count(q, n, n->bytes + copyBytes(n));
  unuse(q, n);
  changed(q);
}

static void collect(clQueue *q) {
  node *n = take(&q->garbage);
  q->stats.bytes -= n->bytes;
  q->stats.values--;
  pthread_mutex_unlock(&q->lock);
  freeNode(n);
  pthread_mutex_lock(&q->lock);
  changed(q);
}

/* One thing to do; false when there is none. Reads that somebody waits for come first, those that are only wanted when they are ready
 * or nothing else is to be done. */
static bool step(clQueue *q) {
  if (q->garbage.first)
    collect(q);
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
  for (int k = 0; k < q->slots; k++)
    if (q->slot[k])
      txValueClearDevice(&q->slot[k]->value);
}

static void copyInfo(clQueue *q, const clContext *context) {
  q->info = *clContextInspect(context);
  const char **names[] = {&q->info.vendor, &q->info.renderer, &q->info.version, &q->info.glsl, &q->info.platform};
  for (int k = 0; k < 5; k++) {
    q->text[k] = strdup(*names[k]);
    *names[k] = q->text[k] ? q->text[k] : "";
  }
}

static void *worker(void *argument) {
  clQueue *q = argument;
  clContext *context = NULL;
  clContextCreate(&context, q->options, &q->start);
  pthread_mutex_lock(&q->lock);
  q->context = context;
  q->started = true;
  if (context)
    copyInfo(q, context);
  changed(q);
  while (context && !q->abandoned && (step(q) || !q->stopping))
    if (!q->stopping && !q->garbage.first && !q->wanted.first && !q->reading.first && (!q->first || q->held))
      pthread_cond_wait(&q->work, &q->lock);
  if (context && !q->abandoned)
    clearDevice(q);
  q->context = q->abandoned ? context : NULL;
  bool abandoned = q->abandoned;
  pthread_mutex_unlock(&q->lock);
  if (!abandoned)
    clContextDestroy(context);
  return NULL;
}

/* ---- Life ----------------------------------------------------------------------------------------------------- */

static void initialize(clQueue *q) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->work, &attributes);
  pthread_cond_init(&q->change, &attributes);
  pthread_condattr_destroy(&attributes);
}

/* Signals are for the application's threads. */
static bool startThread(clQueue *q) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = pthread_create(&q->thread, NULL, worker, q) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

clStatus clQueueCreate(clQueue **out, const clQueueOptions *options, clError *error) {
  static const char call[] = "clQueueCreate";
  static const clContextOptions defaults;
  clQueueOptions o = options ? *options : (clQueueOptions){0};
  if (!out || o.pending_limit < 0 || !(o.patience >= 0) || (o.context && o.context->adopt))
    return fail(error, TEXLA_BAD_ARGUMENT, call,
                "out must not be NULL, limits not negative, and the context not an adopted one");
  clQueue *q = calloc(1, sizeof *q);
  if (!q)
    return fail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for a queue");
  initialize(q);
  q->options = o.context ? o.context : &defaults;
  q->pending_limit = o.pending_limit ? o.pending_limit : DEFAULT_PENDING;
  q->patience = o.patience > 0 ? o.patience : -1;
  if (!startThread(q)) {
    q->joined = true;
    clQueueDestroy(q);
    return fail(error, TEXLA_OUT_OF_MEMORY, call, "no thread could be started");
  }
  pthread_mutex_lock(&q->lock);
  while (!q->started)
    waitChange(q, NULL);
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

void clQueueStop(clQueue *q) {
  if (!q)
    return;
  pthread_mutex_lock(&q->lock);
  q->stopping = true;
  pthread_cond_signal(&q->work);
  changed(q);
  if (!q->joined && pthread_equal(pthread_self(), q->thread)) {
    pthread_mutex_unlock(&q->lock); /* a function of clQueueCall: the worker ends after it */
    return;
  }
  if (!q->joining && !q->joined) {
    q->joining = true;
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    pthread_mutex_lock(&q->lock);
    q->joined = true;
    changed(q);
  }
  while (!q->joined)
    waitChange(q, NULL);
  pthread_mutex_unlock(&q->lock);
}

void clQueueAbandon(clQueue *q) {
  if (!q)
    return;
  pthread_mutex_lock(&q->lock);
  q->abandoned = true;
  pthread_mutex_unlock(&q->lock);
  clQueueStop(q);
}

void clQueueDestroy(clQueue *q) {
  if (!q || q->abandoned)
    return;
  clQueueStop(q);
  for (int k = 0; k < q->slots; k++)
    if (q->slot[k])
      freeNode(q->slot[k]);
  for (node *n; (n = take(&q->garbage));)
    freeNode(n);
  for (int k = 0; k < 5; k++)
    free(q->text[k]);
  free(q->slot);
  free(q->free_slot);
  pthread_cond_destroy(&q->work);
  pthread_cond_destroy(&q->change);
  pthread_mutex_destroy(&q->lock);
  free(q);
}

/* ---- Submissions ---------------------------------------------------------------------------------------------- */

/* Waits until there is room for another job and `bytes` more; the lock is held. */
static clStatus waitForRoom(clQueue *q, size_t bytes, const char *call, clError *error) {
  struct timespec deadline;
  bool limited = deadlineAfter(&deadline, q->patience);
  for (;;) {
    bool full = bytes > q->limit || q->stats.bytes > q->limit - bytes;
    if (q->stopping)
      return stopped(error, call);
    if (!full && q->stats.queued < q->pending_limit)
      return TEXLA_OK;
    if (bytes > q->limit || (full && !q->first && !q->current && !q->garbage.first && !q->reading.first))
      return txFail(error, TEXLA_OUT_OF_MEMORY, call,
                    "values hold %zu bytes, %zu more are needed, and the limit is %zu", q->stats.bytes, bytes,
                    q->limit);
    if (!waitChange(q, limited ? &deadline : NULL))
      return txFail(error, TEXLA_NOT_READY, call, "no room: %lld operations wait, values hold %zu of %zu bytes",
                    (long long)q->stats.queued, q->stats.bytes, q->limit);
  }
}

/* Puts a value that is there already. Takes over its forms, also when it fails. */
static clStatus putValue(clQueue *q, clQueueId *out, txValue *value, const char *call, clError *error) {
  pthread_mutex_lock(&q->lock);
  size_t bytes = txValueBytes(value);
  clStatus status = waitForRoom(q, bytes, call, error);
  node *n = status ? NULL : createNode(q, value->rows, value->cols, bytes);
  if (!status && !n)
    status = fail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for another value");
  if (n) {
    n->value = *value;
    n->state = DONE;
    publish(q, n);
    *out = n->id;
  }
  pthread_mutex_unlock(&q->lock);
  if (!n)
    txValueClear(value);
  return status;
}

static bool isHostMatrix(const clHostMatrix *A) {
  return A && A->rows >= 0 && A->cols >= 0 && A->rows <= INT_MAX && A->cols <= INT_MAX &&
         (A->values || !A->rows || !A->cols) && (A->type == TEXLA_HOST_FLOAT || A->type == TEXLA_HOST_DOUBLE);
}

static clHostMatrix withSteps(clHostMatrix A) {
  if (!A.row_step && !A.col_step) {
    A.row_step = 1;
    A.col_step = A.rows;
  }
  return A;
}

clStatus clQueuePut(clQueue *q, clQueueId *out, const clHostMatrix *A, clError *error) {
  static const char call[] = "clQueuePut";
  if (!q || !out || !isHostMatrix(A))
    return fail(error, TEXLA_BAD_ARGUMENT, call,
                "queue and out must not be NULL, A a matrix of floats or doubles with sides from 0 to 2^31 - 1");
  size_t n = (size_t)A->rows * (size_t)A->cols;
  bool is_double = A->type == TEXLA_HOST_DOUBLE;
  txValue value = {A->rows, A->cols};
  void *copy = n ? malloc(n * (is_double ? sizeof(double) : sizeof(float))) : NULL;
  if (n && !copy)
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for a %lld x %lld matrix", (long long)A->rows,
                  (long long)A->cols);
  clHostMatrix from = withSteps(*A), to = {A->type, A->rows, A->cols, 1, A->rows, copy};
  txHostCopy(&to, &from);
  value.host = is_double ? copy : NULL;
  value.single = is_double ? NULL : copy;
  return putValue(q, out, &value, call, error);
}

clStatus clQueuePutTriplets(clQueue *q, clQueueId *out, const clTriplets *A, clError *error) {
  static const char call[] = "clQueuePutTriplets";
  if (!q || !out || !A)
    return fail(error, TEXLA_BAD_ARGUMENT, call, "queue, out and A must not be NULL");
  txValue value = {A->rows, A->cols};
  clStatus status = clTripletsCreate(&value.triplets, A->rows, A->cols, A->count, error);
  if (status)
    return status;
  clTriplets *T = value.triplets;
  T->count = A->count;
  if (A->count) {
    memcpy(T->row, A->row, (size_t)A->count * sizeof *T->row);
    memcpy(T->col, A->col, (size_t)A->count * sizeof *T->col);
    memcpy(T->value, A->value, (size_t)A->count * sizeof *T->value);
  }
  return putValue(q, out, &value, call, error);
}

/* The job's results as nodes that wait, and its place at the end; the lock is held. */
static clStatus enqueue(clQueue *q, job *j, clQueueId *result, clError *error) {
  size_t bytes = 0;
  for (int k = 0; k < j->call.results; k++)
    bytes += (size_t)(j->call.shape[k].rows * j->call.shape[k].cols) * sizeof(float);
  clStatus status = waitForRoom(q, bytes, j->name, error);
  for (int k = 0; k < j->call.results && !status; k++) {
    txShape s = j->call.shape[k];
    node *n = createNode(q, s.rows, s.cols, (size_t)(s.rows * s.cols) * sizeof(float));
    if (!n)
      status = fail(error, TEXLA_OUT_OF_MEMORY, j->name, "no memory for another value");
    else {
      n->users = 1;
      n->maker = j;
      j->result[k] = n;
    }
  }
  if (status) {
    for (int k = 0; k < j->call.results && j->result[k]; k++) {
      *j->result[k] = (node){.id = j->result[k]->id, .state = FAILED, .bytes = j->result[k]->bytes};
      dropIfUnused(q, j->result[k]);
    }
    return status;
  }
  for (int k = 0; k < j->call.results; k++)
    result[k] = j->result[k]->id;
  *(q->first ? &q->last->next : &q->first) = j;
  q->last = j;
  q->stats.queued++;
  pthread_cond_signal(&q->work);
  return TEXLA_OK;
}

/* Finds the operands, checks, waits for room, enqueues. Takes over the job. */
static clStatus submit(clQueue *q, job *j, const clQueueOperand *operand, clQueueId *result, clError *error) {
  clStatus status = TEXLA_OK;
  j->call.name = j->name;
  j->call.error = error;
  pthread_mutex_lock(&q->lock);
  if (q->stopping)
    status = stopped(error, j->name);
  for (int k = 0; k < j->call.operands && !status; k++) {
    node *n = operand[k].id ? find(q, operand[k].id, j->name, error) : NULL;
    if (operand[k].id && !n)
      status = TEXLA_BAD_ARGUMENT;
    j->operand[k] = n;
    j->call.operand[k] = (txOperand){{1, 1}, true, operand[k].number, NULL};
    if (n) {
      n->users++;
      j->call.operand[k] = (txOperand){{n->value.rows, n->value.cols}, false, 0, NULL};
    }
  }
  if (!status && j->call.operation)
    status = txOperationCheck(&j->call);
  if (!status)
    status = enqueue(q, j, result, error);
  for (int k = 0; k < j->call.operands && status; k++)
    if (j->operand[k])
      unuse(q, j->operand[k]);
  pthread_mutex_unlock(&q->lock);
  if (status)
    free(j);
  return status;
}

static job *createJob(const char *name, clError *error) {
  job *j = calloc(1, sizeof *j);
  if (j)
    strncpy(j->name, name, sizeof j->name - 1);
  else
    fail(error, TEXLA_OUT_OF_MEMORY, name, "no memory for an operation");
  return j;
}

clStatus clQueueSubmit(clQueue *q, const char *operation, const clQueueOperand *operand, int operands,
                       clQueueId *result, int results, clError *error) {
  static const char call[] = "clQueueSubmit";
  const txOperation *o = txOperationFind(operation);
  if (!q || !operation || operands < 0 || operands > TEXLA_QUEUE_OPERANDS || (operands && !operand) || !result)
    return fail(error, TEXLA_BAD_ARGUMENT, call, "queue, operation, operands and result must not be NULL");
  if (!o)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "there is no operation called %s (clQueueOperation lists them)",
                  operation);
  if (results < 1 || results > o->results)
    return txFail(error, TEXLA_BAD_ARGUMENT, operation, "%d results instead of 1 to %d", results, o->results);
  job *j = createJob(operation, error);
  if (!j)
    return TEXLA_OUT_OF_MEMORY;
  j->call.operation = o;
  j->call.operands = operands;
  j->call.results = results;
  return submit(q, j, operand, result, error);
}

clStatus clQueueCall(clQueue *q, const char *name, clQueueFunction function, void *user, const clQueueId *operand,
                     int operands, int64_t rows, int64_t cols, clQueueId *result, clError *error) {
  static const char call[] = "clQueueCall";
  if (!q || !name || !function || !result || operands < 0 || operands > TEXLA_QUEUE_OPERANDS ||
      (operands && !operand) || rows < 1 || cols < 1 || rows > INT_MAX || cols > INT_MAX)
    return fail(error, TEXLA_BAD_ARGUMENT, call,
                "queue, name, function and result must not be NULL, sides at least 1, operands at most 8");
  clQueueOperand operands_by_id[TEXLA_QUEUE_OPERANDS] = {{0}};
  for (int k = 0; k < operands; k++) {
    operands_by_id[k].id = operand[k];
    if (!operand[k])
      return fail(error, TEXLA_BAD_ARGUMENT, call, "operands must be ids");
  }
  job *j = createJob(name, error);
  if (!j)
    return TEXLA_OUT_OF_MEMORY;
  j->call.function = function;
  j->call.user = user;
  j->call.operands = operands;
  j->call.results = 1;
  j->call.shape[0] = (txShape){rows, cols};
  return submit(q, j, operands_by_id, result, error);
}

/* ---- Values --------------------------------------------------------------------------------------------------- */

/* The node of an id with the lock held; NULL, the lock free and *status set otherwise. */
static node *enter(clQueue *q, clQueueId id, const char *call, clError *error, clStatus *status) {
  *status = TEXLA_BAD_ARGUMENT;
  if (!q) {
    fail(error, *status, call, "queue must not be NULL");
    return NULL;
  }
  pthread_mutex_lock(&q->lock);
  node *n = find(q, id, call, error);
  if (n)
    *status = TEXLA_OK;
  else
    pthread_mutex_unlock(&q->lock);
  return n;
}

static clStatus leave(clQueue *q, clStatus status) {
  pthread_mutex_unlock(&q->lock);
  return status;
}

clStatus clQueueShape(clQueue *q, clQueueId id, int64_t *rows, int64_t *cols, clError *error) {
  clStatus status;
  node *n = enter(q, id, "clQueueShape", error, &status);
  if (!n)
    return status;
  if (rows)
    *rows = n->value.rows;
  if (cols)
    *cols = n->value.cols;
  return leave(q, TEXLA_OK);
}

clStatus clQueueRead(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  node *n = enter(q, id, "clQueueRead", error, &status);
  if (!n)
    return status;
  if (!onHost(n))
    wantRead(q, n);
  return leave(q, TEXLA_OK);
}

/* Waits, with the lock held, until the node is there; `values`: on the host. */
static clStatus waitNode(clQueue *q, node *n, bool values, double seconds, const char *call, clError *error) {
  struct timespec deadline;
  bool limited = deadlineAfter(&deadline, seconds);
  for (;;) {
    if (n->state == FAILED)
      return causeOf(n, error);
    if (n->state == DONE && (onHost(n) || (!values && !n->wanted)))
      return TEXLA_OK;
    if (n->read_failed) {
      n->read_failed = false;
      return causeOf(n, error);
    }
    if (q->stopping)
      return stopped(error, call);
    if (values && n->state == DONE)
      wantRead(q, n);
    if (!waitChange(q, limited ? &deadline : NULL))
      return txFail(error, TEXLA_NOT_READY, call, "%lld x %lld is not there after %g s", (long long)n->value.rows,
                    (long long)n->value.cols, seconds);
  }
}

clStatus clQueueWait(clQueue *q, clQueueId id, double seconds, clError *error) {
  static const char call[] = "clQueueWait";
  clStatus status;
  node *n = enter(q, id, call, error, &status);
  if (!n)
    return status;
  n->users++;
  status = waitNode(q, n, false, seconds, call, error);
  unuse(q, n);
  return leave(q, status);
}

/* Copies what is published, without the lock: the caller uses the node, so that it stays. */
static void copyOut(clQueue *q, node *n, const clHostMatrix *out) {
  clHostMatrix to = withSteps(*out), from = {TEXLA_HOST_FLOAT, out->rows, out->cols, 1, out->rows, NULL};
  if (n->host) {
    from.type = TEXLA_HOST_DOUBLE;
    from.values = (void *)(uintptr_t)n->host;
  } else
    from.values = n->single ? (void *)(uintptr_t)n->single : n->copy;
  pthread_mutex_unlock(&q->lock);
  txHostCopy(&to, &from);
  pthread_mutex_lock(&q->lock);
}

clStatus clQueueFetch(clQueue *q, clQueueId id, const clHostMatrix *out, double seconds, clError *error) {
  static const char call[] = "clQueueFetch";
  if (!isHostMatrix(out))
    return fail(error, TEXLA_BAD_ARGUMENT, call, "out must be a matrix of floats or doubles");
  clStatus status;
  node *n = enter(q, id, call, error, &status);
  if (!n)
    return status;
  if (n->value.rows != out->rows || n->value.cols != out->cols)
    return leave(q, txFail(error, TEXLA_BAD_SHAPE, call, "the value is %lld x %lld but out is %lld x %lld",
                           (long long)n->value.rows, (long long)n->value.cols, (long long)out->rows,
                           (long long)out->cols));
  n->users++;
  n->fetching++;
  pthread_cond_signal(&q->work); /* a read that is under way is now waited for */
  status = waitNode(q, n, true, seconds, call, error);
  if (!status && txValueLength(&n->value))
    copyOut(q, n, out);
  n->fetching--;
  if (!status && !n->fetching && n->copy) { /* it has done its duty */
    free(n->copy);
    n->copy = NULL;
    count(q, n, n->bytes - copyBytes(n));
  }
  unuse(q, n);
  return leave(q, status);
}

clStatus clQueueRetain(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  node *n = enter(q, id, "clQueueRetain", error, &status);
  if (!n)
    return status;
  n->holders++;
  return leave(q, TEXLA_OK);
}

clStatus clQueueRelease(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  node *n = enter(q, id, "clQueueRelease", error, &status);
  if (!n)
    return status;
  n->holders--;
  dropIfUnused(q, n);
  return leave(q, TEXLA_OK);
}

clStatus clQueueCancel(clQueue *q, clQueueId id, clError *error) {
  clStatus status;
  node *n = enter(q, id, "clQueueCancel", error, &status);
  if (!n)
    return status;
  job *j = n->maker;
  if (j && !j->running) {
    clError cause;
    fail(&cause, TEXLA_CANCELLED, j->name, "cancelled before it was done");
    j->cancelled = true;
    for (int k = 0; k < j->call.results; k++)
      failResult(q, j->result[k], &cause);
    changed(q);
  }
  return leave(q, TEXLA_OK);
}

clStatus clQueueDrain(clQueue *q, double seconds, clError *error) {
  static const char call[] = "clQueueDrain";
  if (!q)
    return fail(error, TEXLA_BAD_ARGUMENT, call, "queue must not be NULL");
  struct timespec deadline;
  bool limited = deadlineAfter(&deadline, seconds);
  clStatus status = TEXLA_OK;
  pthread_mutex_lock(&q->lock);
  while (!status && (q->first || q->current || q->garbage.first)) {
    if (q->stopping)
      status = stopped(error, call);
    else if (!waitChange(q, limited ? &deadline : NULL))
      status =
          txFail(error, TEXLA_NOT_READY, call, "%lld operations wait after %g s", (long long)q->stats.queued, seconds);
  }
  return leave(q, status);
}

void clQueueHold(clQueue *q, bool hold) {
  if (!q)
    return;
  pthread_mutex_lock(&q->lock);
  q->held = hold;
  pthread_cond_signal(&q->work);
  pthread_mutex_unlock(&q->lock);
}

void clQueueCount(clQueue *q, clQueueStats *out) {
  if (!q || !out)
    return;
  pthread_mutex_lock(&q->lock);
  *out = q->stats;
  pthread_mutex_unlock(&q->lock);
}

const clContextInfo *clQueueInspect(const clQueue *q) {
  return q ? &q->info : NULL;
}
