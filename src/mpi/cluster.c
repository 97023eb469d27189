/* Ranks: a context and a device for each, agreement on failures, and counted communication. */
#include "core/try.h"
#include "gl/shader_files.h"
#include "mpi/cluster.h"
#include "core/processors.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The shaders of shaders/mpi, which this library has in it. */
extern const txEmbedded txMpiShaderFiles[];

static const char create_call[] = "clClusterCreate", exchange_call[] = "clCluster";
enum { DEVICES = 32 };

/* A rank that is a cluster of its own, beside others that may do the same. */
static bool isOneOfMany(const clCluster *c) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return c->size == 1 && ranks > 1;
}

/* Open MPI tells its ranks which binding its user has asked for; without that it binds each to a
 * core, whatever it is to do there. */
static bool mayRebind(const clCluster *c) {
  return !isOneOfMany(c) && !getenv("OMPI_MCA_hwloc_base_binding_policy");
}

/* *all <- what the node's ranks may use together: what they are bound to, or what their launcher
 * may use, where that is more. *bound <- whether a rank has less than all have together. */
static void findProcessors(clCluster *c, MPI_Comm node, const txProcessorSet *own,
                           txProcessorSet *all, bool *bound) {
  txProcessorSet launcher = *own;
  int least = txProcessorsCount(own);
  *all = *own;
  txProcessorsAllowed(&launcher, true);
  MPI_Allreduce(MPI_IN_PLACE, all->word, TX_PROCESSOR_WORDS, MPI_UINT64_T, MPI_BOR, node);
  MPI_Allreduce(MPI_IN_PLACE, launcher.word, TX_PROCESSOR_WORDS, MPI_UINT64_T, MPI_BAND, node);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, node);
  if (!txProcessorsContain(&launcher, all))
    launcher = *all;
  c->share = txProcessorsCount(&launcher) / c->node_size;
  if (mayRebind(c))
    *all = launcher;
  *bound = least < txProcessorsCount(all);
}

/* How many processors this rank uses: its share of the node's, also where the launcher has bound it
 * to fewer, which is changed then; or those that it is bound to, where that is to stay. */
static int chooseProcessors(clCluster *c, MPI_Comm node) {
  txProcessorSet own, all, share;
  bool bound;
  if (!txProcessorsAllowed(&own, false))
    return txProcessorsOnline() / c->node_size;
  findProcessors(c, node, &own, &all, &bound);
  int mine = txProcessorsCount(&own);
  if (!bound && !isOneOfMany(c))
    return mine / c->node_size;
  txProcessorsShare(&share, &all, c->node_rank, c->node_size);
  if (!mayRebind(c) || txProcessorsCount(&share) <= mine || !txProcessorsBind(&share))
    return mine;
  return txProcessorsCount(&share);
}

/* Nothing that a user has set is changed. Mesa reads it when the device is opened. One processor:
 * the calling thread itself draws. */
static void divideThreads(const clCluster *c) {
  char text[16];
  snprintf(text, sizeof text, "%d", c->processors > 1 ? c->processors : 0);
  setenv("LP_NUM_THREADS", text, 0);
}

int txClusterDevice(const clDevice *device, int count, int node_rank) {
  int gpu[DEVICES], gpus = 0;
  for (int i = 0; i < count && i < DEVICES; i++)
    if (device[i].usable && !device[i].software)
      gpu[gpus++] = i;
  if (!gpus)
    return -1;
  return gpu[node_rank % gpus];
}

/* The node's GPU for this rank, as an index of clDeviceList; llvmpipe where there is none. */
static const char *deviceOf(const clCluster *c, const char *wanted, char text[16]) {
  if (!wanted)
    wanted = getenv("TEXLA_DEVICE");
  if (wanted && *wanted && strcmp(wanted, "rank") != 0 && strcmp(wanted, "auto") != 0)
    return wanted;
  clDevice device[DEVICES];
  int count = 0, chosen = -1;
  if (clDeviceList(device, DEVICES, &count, NULL) == TEXLA_OK)
    chosen = txClusterDevice(device, count, c->node_rank);
  if (chosen < 0)
    return "llvmpipe";
  snprintf(text, 16, "%d", chosen);
  return text;
}

/* Which ranks share this node, the int that they share, and this one's processors. */
static void findNode(clCluster *c) {
  MPI_Comm node;
  MPI_Comm_split_type(c->comm, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &c->node_rank);
  MPI_Comm_size(node, &c->node_size);
  int *own = NULL, unit;
  MPI_Aint size;
  MPI_Win_allocate_shared(c->node_rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, node,
                          &own, &c->claim);
  MPI_Win_shared_query(c->claim, 0, &size, &unit, &own);
  if (c->node_rank == 0)
    *own = 0;
  c->claimed = own;
  MPI_Barrier(node);
  c->processors = chooseProcessors(c, node);
  MPI_Comm_free(&node);
}

/* Each rank traces into a folder of its own, DIR/rank-3, where the options or the environment ask
 * for a trace. */
static clStatus traceFolder(const clCluster *c, clContextOptions *o, char *folder, size_t size,
                            clError *error) {
  const char *parent = o->trace ? o->trace : getenv("TEXLA_TRACE");
  if (!parent || !*parent)
    return TEXLA_OK;
  if (snprintf(folder, size, "%s/rank-%d", parent, c->rank) >= (int)size)
    return txFail(error, TEXLA_BAD_ARGUMENT, create_call,
                  "the name of the trace's folder is too long");
  if (mkdir(parent, 0777) && errno != EEXIST)
    return txFail(error, TEXLA_IO_ERROR, create_call, "cannot make the folder %s for a trace: %s",
                  parent, strerror(errno));
  if (!o->trace)
    o->trace_choose = getenv("TEXLA_TRACE_CHOOSE");
  o->trace = folder;
  return TEXLA_OK;
}

/* A binding that the launcher's user has asked for stays; what it costs is said once. */
static void tellBinding(const clCluster *c) {
  if (c->rank == 0 && !isOneOfMany(c) && c->processors < c->share)
    txContextLog(c->context, TEXLA_LOG_WARNING,
                 "each rank is bound to %d of the %d processors that are its share: what the host "
                 "computes, such as panels of PLU, has %d threads with mpirun --bind-to none",
                 c->processors, c->share, c->share);
}

/* The context on this rank's device; what fails is agreed on afterwards. */
static clStatus createContext(clCluster *c, clContextOptions *o, clError *error) {
  char device[16], folder[4096];
  o->device = deviceOf(c, o->device, device);
  TRY(traceFolder(c, o, folder, sizeof folder, error));
  TRY(clContextCreate(&c->context, o, error));
  tellBinding(c);
  txShadersAdd(c->context, txMpiShaderFiles);
  return TEXLA_OK;
}

/* Collective: a rank whose context cannot be made ends the creation on all of them, with its
 * message. Only without any memory it ends the program, as there is nobody to agree with. */
clStatus clClusterCreate(clCluster **out, MPI_Comm comm, const clContextOptions *options,
                         clError *error) {
  clCluster *c = txAllocate(error, create_call, 1, sizeof *c, "a cluster");
  clError own = {0};
  if (!c)
    clClusterEnd(NULL, "texla", error);
  MPI_Comm_dup(comm, &c->comm);
  MPI_Comm_rank(c->comm, &c->rank);
  MPI_Comm_size(c->comm, &c->size);
  findNode(c);
  divideThreads(c);
  clContextOptions o = {0};
  if (options)
    o = *options;
  clStatus status = createContext(c, &o, &own);
  if (status == TEXLA_OK && !out)
    status = txFail(&own, TEXLA_BAD_ARGUMENT, create_call, "out must not be NULL");
  status = clClusterAgree(c, status, &own);
  c->traffic = (clTraffic){0};
  if (status == TEXLA_OK) {
    *out = c;
    return TEXLA_OK;
  }
  if (error)
    *error = own;
  clClusterDestroy(c);
  return status;
}

void clClusterDestroy(clCluster *c) {
  if (!c)
    return;
  clContextDestroy(c->context);
  MPI_Win_free(&c->claim);
  MPI_Comm_free(&c->comm);
  free(c);
}

int clClusterRank(const clCluster *c) {
  if (!c)
    return 0;
  return c->rank;
}

int clClusterSize(const clCluster *c) {
  if (!c)
    return 0;
  return c->size;
}

int clClusterProcessors(const clCluster *c) {
  if (!c)
    return 0;
  return c->processors;
}

clContext *clClusterContext(const clCluster *c) {
  if (!c)
    return NULL;
  return c->context;
}

const clError *clClusterError(const clCluster *c) {
  static const clError none = {0};
  if (!c)
    return &none;
  return &c->error;
}

clTraffic clClusterTraffic(const clCluster *c) {
  if (!c)
    return (clTraffic){0};
  return c->traffic;
}

/* The message of an error, also where nobody has kept it. */
static const char *messageOf(const clError *error) {
  if (!error)
    return "failed";
  return error->message;
}

/* The lowest rank that has failed has the word: its status and message become those of all. */
clStatus clClusterAgree(clCluster *c, clStatus status, clError *error) {
  clError message = {0};
  int first = INT_MAX, result = (int)status;
  if (status < 0)
    first = c->rank;
  txAllreduce(c, &first, 1, MPI_INT, MPI_MIN, c->comm);
  if (first == INT_MAX)
    return TEXLA_OK;
  if (first == c->rank)
    snprintf(message.message, sizeof message.message, "rank %d: %.*s", c->rank,
             (int)sizeof message.message - 24, messageOf(error));
  txBcast(c, &result, 1, MPI_INT, first, c->comm);
  txBcast(c, message.message, (int)sizeof message.message, MPI_CHAR, first, c->comm);
  memcpy(c->error.message, message.message, sizeof message.message);
  if (error)
    memcpy(error->message, message.message, sizeof message.message);
  return (clStatus)result;
}

/* One rank of a node prints, and all end: what failed cannot be agreed on, since other ranks may
 * wait for messages of this one. */
void clClusterEnd(clCluster *c, const char *name, const clError *error) {
  const char *message = messageOf(error);
  if (!c || __sync_bool_compare_and_swap(c->claimed, 0, 1)) {
    if (c && strncmp(message, "rank ", 5) != 0)
      fprintf(stderr, "%s: rank %d: %s\n", name, c->rank, message);
    else
      fprintf(stderr, "%s: %s\n", name, message);
    fflush(stderr);
  } else {
    /* whoever came first has the word, and ends this rank too */
    sleep(1);
  }
  MPI_Abort(c ? c->comm : MPI_COMM_WORLD, 2);
  /* not reached */
  abort();
}

/* For calls in the middle of what ranks do together. Information is no failure. */
void txClusterMust(clCluster *c, clStatus status) {
  if (status < 0)
    clClusterEnd(c, "texla", clContextError(c->context));
}

/* For memory in the middle of what ranks do together: where there is none, all end. */
void *txClusterAllocate(clCluster *c, size_t count, size_t size, const char *what) {
  void *memory = txAllocate(txContextError(c->context), "clCluster", count, size, what);
  if (!memory)
    txClusterMust(c, TEXLA_OUT_OF_MEMORY);
  return memory;
}

void *txClusterReserve(clCluster *c, const char *call, size_t count, size_t size,
                       const char *what) {
  void *memory = txAllocate(&c->error, call, count, size, what);
  if (clClusterAgree(c, memory ? TEXLA_OK : TEXLA_OUT_OF_MEMORY, &c->error) == TEXLA_OK)
    return memory;
  free(memory);
  return NULL;
}

/* ---- Communication --------------------------------------------------------------------------- */

/* MPI looks for messages all the time, and some implementations never stop to: with more ranks than
 * processors, those that wait would keep those from computing that they wait for. */
void txWaitall(clCluster *c, int count, MPI_Request *request) {
  if (c->processors > 0) {
    MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
    return;
  }
  for (int done = 0; !done;) {
    MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE);
    if (!done)
      sched_yield();
  }
}

void txAllreduce(clCluster *c, void *values, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm) {
  MPI_Request request;
  if (c->processors > 0) {
    MPI_Allreduce(MPI_IN_PLACE, values, count, type, op, comm);
    return;
  }
  MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, comm, &request);
  txWaitall(c, 1, &request);
}

void txBcast(clCluster *c, void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  MPI_Request request;
  if (c->processors > 0) {
    MPI_Bcast(data, count, type, root, comm);
    return;
  }
  MPI_Ibcast(data, count, type, root, comm, &request);
  txWaitall(c, 1, &request);
}

double txTrafficBegin(void) {
  return txNow();
}

void txTrafficEnd(clCluster *c, double began, int64_t bytes) {
  c->traffic.seconds += txNow() - began;
  c->traffic.bytes += bytes;
  c->traffic.messages++;
}

/* Then there is nobody to talk to. */
static bool alone(MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  return size == 1;
}

void txBroadcast(clCluster *c, void *data, size_t bytes, int root, MPI_Comm comm) {
  int rank;
  if (alone(comm) || !bytes)
    return;
  MPI_Comm_rank(comm, &rank);
  double began = txTrafficBegin();
  /* counts are int */
  const int64_t most = (int64_t)1 << 30;
  int64_t received = (int64_t)bytes;
  for (int64_t at = 0; at < received; at += most)
    txBcast(c, (char *)data + at, (int)txLeast64(received - at, most), MPI_BYTE, root, comm);
  if (rank == root)
    received = 0;
  txTrafficEnd(c, began, received);
}

/* Sums of one rank are what they are. */
static void combine(clCluster *c, double *values, int count, MPI_Op op, MPI_Comm comm) {
  if (alone(comm))
    return;
  double began = txTrafficBegin();
  txAllreduce(c, values, count, MPI_DOUBLE, op, comm);
  txTrafficEnd(c, began, (int64_t)count * (int64_t)sizeof *values);
}

void txSum(clCluster *c, double *values, int count, MPI_Comm comm) {
  combine(c, values, count, MPI_SUM, comm);
}

void txMaximum(clCluster *c, double *values, int count, MPI_Comm comm) {
  combine(c, values, count, MPI_MAX, comm);
}

void txReduceTo(clCluster *c, double *values, int count, int root, MPI_Comm comm) {
  int rank;
  if (alone(comm))
    return;
  MPI_Comm_rank(comm, &rank);
  double began = txTrafficBegin();
  const void *mine = values;
  int64_t received = 0;
  if (rank == root) {
    mine = MPI_IN_PLACE;
    received = (int64_t)count * (int64_t)sizeof *values;
  }
  MPI_Request request;
  MPI_Ireduce(mine, values, count, MPI_DOUBLE, MPI_SUM, root, comm, &request);
  txWaitall(c, 1, &request);
  txTrafficEnd(c, began, received);
}

/* An exchange: how much goes to each rank and comes from it, and what comes. */
typedef struct exchange {
  unsigned long long *sent, *got;
  MPI_Request *request;
  char *all;
} exchange;

static clStatus beginExchange(exchange *x, clCluster *c, const size_t *count) {
  size_t size = (size_t)c->size;
  x->sent = txAllocate(&c->error, exchange_call, 2 * size, sizeof *x->sent, "an exchange");
  x->request = txAllocate(&c->error, exchange_call, 2 * size, sizeof *x->request, "an exchange");
  if (!x->sent || !x->request)
    return TEXLA_OUT_OF_MEMORY;
  x->got = x->sent + size;
  for (int i = 0; i < c->size; i++) {
    x->sent[i] = count[i];
    if (count[i] > INT_MAX)
      return txFail(&c->error, TEXLA_TOO_LARGE, exchange_call,
                    "a message of more than 2 GiB to one rank: use more ranks");
  }
  return TEXLA_OK;
}

/* *bytes <- what comes in all, for which there is room then. */
static clStatus makeRoom(exchange *x, clCluster *c, size_t *bytes, size_t *came) {
  MPI_Request counts;
  MPI_Ialltoall(x->sent, 1, MPI_UNSIGNED_LONG_LONG, x->got, 1, MPI_UNSIGNED_LONG_LONG, c->comm,
                &counts);
  txWaitall(c, 1, &counts);
  *bytes = 0;
  for (int i = 0; i < c->size; i++) {
    *bytes += (size_t)x->got[i];
    if (came)
      came[i] = (size_t)x->got[i];
  }
  x->all = txAllocate(&c->error, exchange_call, *bytes + 1, 1, "an exchange");
  if (!x->all)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* All messages, in the order of the ranks; what stays here is copied. */
static void sendAll(exchange *x, clCluster *c, void *const *data) {
  enum { TAG = 7 };
  int requests = 0;
  char *at = x->all;
  for (int i = 0; i < c->size; at += x->got[i++])
    if (i == c->rank && x->got[i])
      memcpy(at, data[i], (size_t)x->got[i]);
    else if (x->got[i])
      MPI_Irecv(at, (int)x->got[i], MPI_BYTE, i, TAG, c->comm, &x->request[requests++]);
  for (int i = 0; i < c->size; i++)
    if (i != c->rank && x->sent[i])
      MPI_Isend(data[i], (int)x->sent[i], MPI_BYTE, i, TAG, c->comm, &x->request[requests++]);
  txWaitall(c, requests, x->request);
}

/* First all tell each other how much comes, then it comes; before either they agree that all have
 * memory for it, so that none waits for one that has failed. */
clStatus txExchange(clCluster *c, void *const *data, const size_t *count, void **out, size_t *bytes,
                    size_t *came) {
  double began = txTrafficBegin();
  exchange x = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, beginExchange(&x, c, count), &c->error));
  TRY_CLEANUP(clClusterAgree(c, makeRoom(&x, c, bytes, came), &c->error));
  sendAll(&x, c, data);
  txTrafficEnd(c, began, (int64_t)(*bytes - (size_t)x.got[c->rank]));
  *out = x.all;
  x.all = NULL;
cleanup:
  free(x.all);
  free(x.request);
  free(x.sent);
  return status;
}
