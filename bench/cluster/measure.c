/* One run of texla-mpi, measured, and beside it one of ScaLAPACK or hypre where they are there. The
 * tables (bench.c) and the model (model.c) are made of these. */
#include <stdlib.h>

#include "cluster/bench.h"
#include "cli-mpi/commands.h"
#include "cluster/peers.h"
#include "core/numbers.h"
#include "core/try.h"
#include "platform/platform.h"

/* The same blocks in ScaLAPACK's layout, in single precision. A leading dimension is at least 1,
 * also where a rank has no rows. */
static bool measurePeer(txLuRun *run, const clBlockMatrix *A) {
  clBlockLayout l = clBlockMatrixLayout(A);
  size_t count = (size_t)l.rows * (size_t)l.cols;
  int desc[9], lead = txMost(l.rows, 1);
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

/* A positive status is information (the matrix has no full rank), with which the run goes on.
 * What was received is that of the rank that receives most. */
clStatus txMeasureLu(txLuRun *run, clCluster *c, bool peer) {
  clBlockMatrix *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clBlockMatrixCreate(&A, c, run->n, run->block, run->grid_rows, run->grid_cols));
  TRY_CLEANUP(clBlockMatrixRandom(A, 1));
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
cleanup:
  clBlockMatrixDestroy(A);
  return status;
}

/* A rank's points are a rectangle of the grid: the first and the last one are its corners. */
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

/* From zero, to |r| <= 1e-5 |b|. */
static clStatus solveOnce(txCgRun *run, clClusterMatrix *A, clVector *x, const clVector *b) {
  clSolverOptions options = {.tolerance = 1e-5};
  clSolverReport report = {0};
  if (run->multigrid)
    options.preconditioner = TEXLA_PRECONDITIONER_MG;
  TRY(clVectorClear(x));
  double began = txNow();
  clStatus status = clClusterSolve(A, x, b, &options, &report);
  run->seconds = txNow() - began;
  run->iterations = report.iterations;
  return status;
}

/* A system is made anew for each run. */
clStatus txMeasureCg(txCgRun *run, clCluster *c, bool peer) {
  clClusterMatrix *A = NULL;
  clVector *x = NULL, *b = NULL;
  float *value = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterPoisson2d(&A, c, run->nx, run->ny, 0, 0));
  int64_t n = clClusterMatrixLocal(A);
  value = calloc((size_t)n + 1, sizeof *value);
  if (!value)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t i = 0; i < n; i++)
    value[i] = txMpiRightSide(clClusterMatrixNumber(A, i));
  TRY_CLEANUP(clClusterMatrixCreateVector(&x, A));
  TRY_CLEANUP(clClusterMatrixCreateVector(&b, A));
  TRY_CLEANUP(clVectorUpload(b, value));
  clTraffic before = {0};
  /* The first one compiles; traffic is counted since the cluster was made. */
  for (int k = 0; k < 2 && status >= 0; k++) {
    before = clClusterTraffic(c);
    status = solveOnce(run, A, x, b);
  }
  clTraffic after = clClusterTraffic(c);
  run->communication = (after.seconds - before.seconds) / run->seconds;
  run->received = (double)(after.bytes - before.bytes);
  if (status >= 0 && peer)
    measureCgPeer(run, A);
cleanup:
  free(value);
  clVectorDestroy(x);
  clVectorDestroy(b);
  clClusterMatrixDestroy(A);
  return status;
}
