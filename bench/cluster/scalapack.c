/* ScaLAPACK's psgetrf on the blocks of a clBlockMatrix, whose descriptor is ScaLAPACK's; and what
 * stands in place of peers that were not found. */
#include "cluster/peers.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#if TEXLA_HAVE_SCALAPACK
/* Neither library brings a header. */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int cols);
void Cblacs_gridexit(int context);
void psgetrf_(const int *m, const int *n, float *a, const int *ia, const int *ja, const int *desc,
              int *pivots, int *info);

/* BLACS makes a grid of the first ranks, row after row; the others only wait. */
bool txPeerGetrf(float *local, const int desc[9], int n, int rows, int grid_rows, int grid_cols,
                 double *seconds) {
  int blacs, own[9], info = 0, one = 1, rank;
  int *pivots = calloc((size_t)(rows + desc[4]), sizeof *pivots);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Cblacs_get(-1, 0, &blacs);
  Cblacs_gridinit(&blacs, "Row", grid_rows, grid_cols);
  memcpy(own, desc, sizeof own);
  /* The descriptor's second number is the grid's handle. */
  own[1] = blacs;
  MPI_Barrier(MPI_COMM_WORLD);
  double began = MPI_Wtime();
  if (pivots && rank < grid_rows * grid_cols)
    psgetrf_(&n, &n, local, &one, &one, own, pivots, &info);
  MPI_Barrier(MPI_COMM_WORLD);
  *seconds = MPI_Wtime() - began;
  if (rank < grid_rows * grid_cols)
    Cblacs_gridexit(blacs);
  /* info > 0 tells of a pivot that is exactly zero. */
  bool good = pivots && info == 0;
  free(pivots);
  return good;
}
#else
bool txPeerGetrf(float *local, const int desc[9], int n, int rows, int grid_rows, int grid_cols,
                 double *seconds) {
  (void)local, (void)desc, (void)n, (void)rows, (void)grid_rows, (void)grid_cols, (void)seconds;
  return false;
}
#endif

#if !TEXLA_HAVE_HYPRE
bool txPeerHypre(int nx, int ny, const int low[2], const int high[2], bool multigrid,
                 double tolerance, txPeerResult *result) {
  (void)nx, (void)ny, (void)low, (void)high, (void)multigrid, (void)tolerance, (void)result;
  return false;
}
#endif
