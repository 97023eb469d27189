/* Measurements of texla-mpi, and the model that is fitted to them. */
#ifndef TEXLA_BENCH_CLUSTER_BENCH_H
#define TEXLA_BENCH_CLUSTER_BENCH_H

#include "io/json.h"
#include "texla/mpi.h"

/* A factorization, measured: the faster of two. */
typedef struct txLuRun {
  int n, block, grid_rows, grid_cols;
  clBlockPluReport report;
  /* bytes, of the rank that receives most */
  double received;
  /* psgetrf's seconds; 0: not there */
  double peer;
} txLuRun;
clStatus txMeasureLu(txLuRun *run, clCluster *cluster, bool peer);

/* Conjugate gradients, measured. */
typedef struct txCgRun {
  int nx, ny;
  bool multigrid;
  int64_t iterations;
  double seconds, communication, received;
  /* hypre's; 0: not there */
  double peer_seconds;
  int peer_iterations;
} txCgRun;
clStatus txMeasureCg(txCgRun *run, clCluster *cluster, bool peer);

/* Costs in seconds: of a message, a byte of it, a pass with a transfer, a byte to the device and
 * back; of PLU's step and n^3; of an iteration and a point. */
typedef struct txModel {
  double latency, per_byte, pass, transfer;
  double lu_step, lu_cube;
  double cg_iteration, cg_point;
  int block;
  /* ranks for each processor where the devices are the host's processors, at least 1 */
  double share;
} txModel;
/* From runs of one process, and messages between ranks 0 and 1. Collective. */
clStatus txModelMeasure(txModel *model, clCluster *cluster, int n, int side, int block);
double txModelLu(const txModel *model, int n, int grid_rows, int grid_cols, double share);
/* of an iteration */
double txModelCg(const txModel *model, double nx, double ny, int ranks, double share);

#endif
