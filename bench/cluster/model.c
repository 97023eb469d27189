/* The model of docs/cluster.md, time = work + latency messages + bytes / bandwidth: what it
 * takes is measured in this run, what it says stands beside what tables measure. PLU's part is
 * the library's own (mpi/plu_model.h), which chooses blocks and grids by it. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "cluster/bench.h"
#include "core/numbers.h"
#include "core/try.h"
#include "texla/solver.h"
#include "platform/platform.h"

/* Rank 0 and 1 throw a message to and fro. */
static double pingPong(clCluster *c, int bytes, int times) {
  char *data = calloc((size_t)bytes, 1);
  int rank = clClusterRank(c);
  MPI_Barrier(MPI_COMM_WORLD);
  double began = txNow();
  for (int k = 0; k < times && rank < 2 && data; k++)
    for (int side = 0; side < 2; side++)
      if (rank == side)
        MPI_Send(data, bytes, MPI_BYTE, 1 - side, 0, MPI_COMM_WORLD);
      else
        MPI_Recv(data, bytes, MPI_BYTE, side, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  double seconds = (txNow() - began) / (2 * times);
  MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(data);
  return seconds;
}

/* A short message costs the latency alone, a long one its bytes, too. */
static void measureMessages(txModel *m, clCluster *c) {
  enum { LARGE = 1 << 22 };
  if (clClusterSize(c) < 2)
    return;
  pingPong(c, 8, 10);
  m->latency = pingPong(c, 8, 200);
  m->per_byte = (pingPong(c, LARGE, 10) - m->latency) / LARGE;
}

/* A small pass whose result is waited for. */
static clStatus measurePass(txModel *m, clCluster *self) {
  enum { TIMES = 50 };
  clContext *context = clClusterContext(self);
  clVector *x = NULL;
  clFloat *s = NULL;
  float value;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorCreate(&x, context, 1024));
  TRY_CLEANUP(clFloatCreate(&s, context));
  double began = 0;
  for (int k = 0; k <= TIMES; k++) {
    /* The first one compiles. */
    if (k == 1)
      began = txNow();
    TRY_CLEANUP(clFloatUpload(s, 1));
    TRY_CLEANUP(clVectorScale(x, 1, s, x));
    TRY_CLEANUP(clFloatDownload(s, &value));
  }
  m->pass = (txNow() - began) / TIMES;
cleanup:
  clVectorDestroy(x);
  clFloatDestroy(s);
  return status;
}

/* A byte to the host and back. */
static clStatus measureTransfer(txModel *m, clCluster *self) {
  enum { ELEMENTS = 1 << 20, TIMES = 8 };
  clVector *x = NULL;
  float *values = calloc(ELEMENTS, sizeof *values);
  clStatus status = TEXLA_OK;
  if (!values)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(clVectorCreate(&x, clClusterContext(self), ELEMENTS));
  double began = 0;
  for (int k = 0; k <= TIMES; k++) {
    if (k == 1)
      began = txNow();
    TRY_CLEANUP(clVectorUpload(x, values));
    TRY_CLEANUP(clVectorDownload(x, values));
  }
  m->transfer = (txNow() - began) / TIMES / (ELEMENTS * sizeof *values);
cleanup:
  clVectorDestroy(x);
  free(values);
  return status;
}

/* Two runs: what does not grow with the work, and what does. An iteration on p points takes
 * cg_iteration + cg_point p; from two sizes both factors follow. */
static clStatus measureAlone(txModel *m, clCluster *self, int side) {
  txCgRun cg[2] = {{.nx = side / 4, .ny = side / 4}, {.nx = side, .ny = side}};
  TRY(measurePass(m, self));
  TRY(measureTransfer(m, self));
  TRY(txPluCostsFind(&m->lu_alone, self));
  for (int k = 0; k < 2; k++)
    TRY(txMeasureCg(&cg[k], self, false));
  double i0 = cg[0].seconds / (double)cg[0].iterations,
         i1 = cg[1].seconds / (double)cg[1].iterations;
  double p0 = (double)cg[0].nx * cg[0].ny, p1 = (double)cg[1].nx * cg[1].ny;
  m->cg_point = fmax(0, (i1 - i0) / (p1 - p0));
  m->cg_iteration = fmax(0, i0 - m->cg_point * p0);
  return TEXLA_OK;
}

/* Rank 0 measures alone on a cluster of its own; all ranks get its figures. */
clStatus txModelMeasure(txModel *m, clCluster *c, int side) {
  clCluster *self = NULL;
  clError error = {0};
  *m = (txModel){.share = 1};
  measureMessages(m, c);
  TRY(txPluCostsFind(&m->lu, c));
  clStatus status = clClusterCreate(&self, MPI_COMM_SELF, NULL, &error);
  /* the others leave the processors alone */
  if (status == TEXLA_OK && clClusterRank(c) == 0)
    status = measureAlone(m, self, side);
  if (status)
    error = *clClusterError(self);
  clClusterDestroy(self);
  TRY(clClusterAgree(c, status, &error));
  MPI_Bcast(m, (int)sizeof *m, MPI_BYTE, 0, MPI_COMM_WORLD);
  /* Messages are those of ranks that have each other. */
  m->lu_alone.meeting = m->lu.meeting;
  m->lu_alone.byte = m->lu.byte;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  /* Ranks that shade with the same processors take turns. */
  if (clContextInspect(clClusterContext(c))->software)
    m->share = fmax(1, clClusterSize(c) / (double)processors);
  return TEXLA_OK;
}

/* Of a tree of so many ranks: messages that follow each other when one is told to all. */
static double depth(int ranks) {
  return ceil(log2(ranks));
}

/* A rank's points are about a square; a neighbour gets a float of each point on the common side.
 * Two sums over all ranks for each iteration. */
double txModelCg(const txModel *m, double nx, double ny, int ranks, double share) {
  double side = sqrt(nx * ny / ranks);
  double halo = 0;
  if (ranks > 3)
    halo = 4 * side * 4;
  else if (ranks > 1)
    halo = side * 4;
  /* Parts of the sums and of the halo are passes with a transfer, two for each iteration. */
  double work = m->cg_iteration + m->cg_point * nx * ny / ranks + (ranks > 1) * 2 * m->pass;
  return work * share + 2 * depth(ranks) * m->latency + (ranks > 1) * 4 * m->latency +
         halo * (m->per_byte + m->transfer);
}
