/* One run of texla-mpi, measured, and beside it one of ScaLAPACK or hypre where they are there. */
#include <stdlib.h>

#include "cluster/bench.h"
#include "cli-mpi/commands.h"
#include "cluster/peers.h"
#include "platform/platform.h"

static bool measurePeer(txLuRun *run, const clBlockMatrix *A) {
  clBlockLayout l = clBlockMatrixLayout(A);
  size_t count = (size_t)l.rows * (size_t)l.cols;
  int desc[9], lead = l.rows > 0 ? l.rows : 1;
  double *values = calloc(count + 1, sizeof *values);
  float *local = calloc(count + 1, sizeof *local);
  bool good = values && local;
  if (good)
    clBlockMatrixDownload(A, values, lead);
  for (size_t i = 0; i < count && good; i++)
    local[i] = (float)values[i];
  clBlockMatrixDescriptor(A, 0, desc);
  good = good && txPeerGetrf(local, desc, l.n, l.rows, l.grid_rows, l.grid_cols, &run->peer);
  free(values);
  free(local);
  return good;
}

clStatus txMeasureLu(txLuRun *run, clCluster *c, bool peer) {
  clBlockMatrix *A = NULL;
  clStatus status = clBlockMatrixCreate(&A, c, run->n, run->block, run->grid_rows, run->grid_cols);
  if (!status)
    status = clBlockMatrixRandom(A, 1);
  /* the first one compiles, and chooses variants */
  for (int k = 0; k < 2 && status >= 0; k++) {
    clBlockPlu *plu = NULL;
    clBlockPluReport report;
    status = clBlockPluCreate(&plu, A, NULL, &report);
    if (status >= 0 && (k == 0 || report.seconds < run->report.seconds))
      run->report = report;
    clBlockPluDestroy(plu);
  }
  run->received = (double)run->report.received;
  if (status >= 0 && clClusterSize(c) > 1)
    MPI_Allreduce(MPI_IN_PLACE, &run->received, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (status >= 0 && peer)
    measurePeer(run, A);
  clBlockMatrixDestroy(A);
  return status;
}

static void measureCgPeer(txCgRun *run, const clClusterMatrix *A) {
  int64_t count = clClusterMatrixLocal(A);
  if (!count)
    return;
  int64_t first = clClusterMatrixNumber(A, 0), last = clClusterMatrixNumber(A, count - 1);
  int low[2] = {(int)(first % run->nx), (int)(first / run->nx)},
      high[2] = {(int)(last % run->nx), (int)(last / run->nx)};
  txPeerResult peer = {0};
  if (!txPeerHypre(run->nx, run->ny, low, high, run->multigrid, 1e-5, &peer))
    return;
  run->peer_seconds = peer.seconds;
  run->peer_iterations = peer.iterations;
}

static clStatus solveOnce(txCgRun *run, clClusterMatrix *A, clVector *x, const clVector *b) {
  clSolverOptions options = {.preconditioner = run->multigrid ? TEXLA_PRECONDITIONER_MG
                                                              : TEXLA_PRECONDITIONER_NONE,
                             .tolerance = 1e-5};
  clSolverReport report = {0};
  clStatus status = clVectorClear(x);
  double began = txNow();
  if (!status)
    status = clClusterSolve(A, x, b, &options, &report);
  run->seconds = txNow() - began;
  run->iterations = report.iterations;
  return status;
}

clStatus txMeasureCg(txCgRun *run, clCluster *c, bool peer) {
  clClusterMatrix *A = NULL;
  clVector *x = NULL, *b = NULL;
  clStatus status = clClusterPoisson2d(&A, c, run->nx, run->ny, 0, 0);
  int64_t n = clClusterMatrixLocal(A);
  float *value = calloc((size_t)n + 1, sizeof *value);
  for (int64_t i = 0; i < n && value; i++)
    value[i] = txMpiRightSide(clClusterMatrixNumber(A, i));
  if (!status && value)
    status = clClusterMatrixCreateVector(&x, A);
  if (!status)
    status = clClusterMatrixCreateVector(&b, A);
  if (!status)
    status = clVectorUpload(b, value);
  clTraffic before = {0};
  for (int k = 0; k < 2 && status >= 0; k++) {
    before = clClusterTraffic(c);
    status = solveOnce(run, A, x, b);
  }
  clTraffic after = clClusterTraffic(c);
  run->communication = (after.seconds - before.seconds) / run->seconds;
  run->received = (double)(after.bytes - before.bytes);
  if (status >= 0 && peer)
    measureCgPeer(run, A);
  free(value);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clClusterMatrixDestroy(A);
  return status;
}
