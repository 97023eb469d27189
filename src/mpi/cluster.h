/* clCluster inside: ranks, their context, and the few MPI calls that texla makes, each of which
 * counts what it receives. */
#ifndef TEXLA_MPI_CLUSTER_H
#define TEXLA_MPI_CLUSTER_H

#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "gl/context.h"
#include "texla/mpi.h"

struct clCluster {
  MPI_Comm comm;
  int rank, size;
  /* on this rank's node */
  int node_rank, node_size;
  /* of this rank: its share of the node's, or those that it was bound to by the user's wish; 0:
   * less than one */
  int processors;
  /* its share of what the launcher may use, which is more where a binding was asked for */
  int share;
  /* one int of the node's shared memory: whether one of its ranks has said why all end */
  MPI_Win claim;
  volatile int *claimed;
  clContext *context;
  clError error;
  clTraffic traffic;
};

/* Which of the node's devices is this rank's: the GPU of its number on the node, modulo how many of
 * them are usable; negative: there is none. */
int txClusterDevice(const clDevice *device, int count, int node_rank);

/* A failure that the others cannot be told of: ends all ranks. Returns where the status is not
 * negative. */
void txClusterMust(clCluster *cluster, clStatus status);
/* Memory in the midst of a computation, all zero; ends all ranks where there is none. */
void *txClusterAllocate(clCluster *cluster, size_t count, size_t size, const char *what);
/* Memory, all zero, on all ranks or on none: NULL, with a message, where one has none.
 * Collective. */
void *txClusterReserve(clCluster *cluster, const char *call, size_t count, size_t size,
                       const char *what);

/* Counted communication. A communicator of one rank costs nothing. */
void txBroadcast(clCluster *cluster, void *data, size_t bytes, int root, MPI_Comm comm);
/* everybody gets the sums */
void txSum(clCluster *cluster, double *values, int count, MPI_Comm comm);
void txMaximum(clCluster *cluster, double *values, int count, MPI_Comm comm);
void txReduceTo(clCluster *cluster, double *values, int count, int root, MPI_Comm comm);
/* data[i] of `count[i]` bytes for rank i; what comes stands in *out (to be freed), rank after rank,
 * *bytes in all; `came` (NULL: not wanted) says how much from each. Collective: the status is that
 * of all ranks. */
clStatus txExchange(clCluster *cluster, void *const *data, const size_t *count, void **out,
                    size_t *bytes, size_t *came);
/* Like the functions of MPI, but a rank that has no processor of its own gives it to others while
 * it waits. */
void txAllreduce(clCluster *cluster, void *values, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm);
void txBcast(clCluster *cluster, void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);
void txWaitall(clCluster *cluster, int count, MPI_Request *request);
/* Around other calls of MPI. */
double txTrafficBegin(void);
void txTrafficEnd(clCluster *cluster, double began, int64_t bytes);

#endif
