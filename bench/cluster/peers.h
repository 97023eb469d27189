/* What `texla-mpi bench` compares with, in the same run; false where it is not built in. */
#ifndef TEXLA_BENCH_CLUSTER_PEERS_H
#define TEXLA_BENCH_CLUSTER_PEERS_H

#include <stdbool.h>

/* Seconds of the solution and of what comes before it. */
typedef struct txPeerResult {
  double seconds, setup;
  int iterations;
} txPeerResult;

/* ScaLAPACK's psgetrf on this rank's local array (column after column), which it overwrites. */
bool txPeerGetrf(float *local, const int desc[9], int n, int rows, int grid_rows, int grid_cols,
                 double *seconds);

/* hypre's conjugate gradients for Poisson's equation in double, with PFMG as preconditioner or
 * without one; this rank has the points from low to high, both included. */
bool txPeerHypre(int nx, int ny, const int low[2], const int high[2], bool multigrid,
                 double tolerance, txPeerResult *result);

#endif
