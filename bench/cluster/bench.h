/* Measurements of texla-mpi (measure.c), and the model that is fitted to them (model.c). They are
 * collective: each rank makes them. */
#ifndef TEXLA_BENCH_CLUSTER_BENCH_H
#define TEXLA_BENCH_CLUSTER_BENCH_H

#include "io/json.h"
#include "mpi/plu_model.h"
#include "texla/mpi.h"

/* A factorization, measured: the faster of two. */
typedef struct txLuRun {
  /* what is asked for: order, block size, process grid */
  int n, block, grid_rows, grid_cols;
  clBlockPluReport report;
  /* bytes, of the rank that receives most */
  double received;
  /* psgetrf's seconds; 0: not there */
  double peer;
} txLuRun;
/* With `peer` psgetrf factors the same matrix afterwards. */
clStatus txMeasureLu(txLuRun *run, clCluster *cluster, bool peer);

/* Conjugate gradients, measured. */
typedef struct txCgRun {
  /* what is asked for: the grid, and whether multigrid is the preconditioner */
  int nx, ny;
  bool multigrid;
  int64_t iterations;
  /* the second of two; the part of it in MPI; bytes that this rank has received */
  double seconds, communication, received;
  /* hypre's; 0: not there */
  double peer_seconds;
  int peer_iterations;
} txCgRun;
/* With `peer` hypre solves the same system afterwards. */
clStatus txMeasureCg(txCgRun *run, clCluster *cluster, bool peer);

/* Costs in seconds: of PLU's parts on all ranks, and on ranks with a device and processors of their
 * own; of a message, a byte of it, a pass with a transfer, a byte to the device and back; of an
 * iteration of conjugate gradients and a point. */
typedef struct txModel {
  txPluCosts lu, lu_alone;
  double latency, per_byte, pass, transfer;
  double cg_iteration, cg_point;
  /* ranks for each processor where the devices are the host's processors, at least 1 */
  double share;
} txModel;
/* From measurements of all ranks and of one process, and messages between ranks 0 and 1.
 * Collective. */
clStatus txModelMeasure(txModel *model, clCluster *cluster, int side);
/* Seconds of an iteration on nx x ny points. */
double txModelCg(const txModel *model, double nx, double ny, int ranks, double share);

#endif
