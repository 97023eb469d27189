/* The wave equation u_tt = lap u over the ranks of an MPI run, on the public halo: each step is
 * u(t + 1) = 2 u(t) - u(t - 1) - beta A u(t), where A is the five-point matrix, dealt out by
 * clClusterPoisson2d; its product exchanges the points at the rims. Edges are fixed.
 *
 *     mpirun -np 4 mpi_wave [NX] [NY] [STEPS]
 *
 * Rank 0 prints the largest height and a sum over all points, the same to rounding on any number of
 * ranks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "texla/mpi.h"
#include "texla/texla.h"

/* A drop, as a formula of the place, so that each rank makes its own part. */
static float drop(int64_t number, int nx, int ny) {
  double x = (double)(number % nx) / nx - 0.4, y = (double)(number / nx) / ny - 0.6;
  return (float)exp(-400 * (x * x + y * y));
}

/* At rest: u(-1) = u(0). */
static clStatus start(clClusterMatrix *A, clVector **u, int nx, int ny) {
  int64_t count = clClusterMatrixLocal(A);
  float *height = calloc((size_t)count + 1, sizeof *height);
  clStatus status = height ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  for (int64_t i = 0; i < count && !status; i++)
    height[i] = drop(clClusterMatrixNumber(A, i), nx, ny);
  for (int k = 0; k < 3 && !status; k++)
    status = clClusterMatrixCreateVector(&u[k], A);
  for (int k = 0; k < 2 && !status; k++)
    status = clVectorUpload(u[k], height);
  free(height);
  return status;
}

/* u[1] is u(t), u[0] u(t - 1), which becomes u(t + 1); u[2] = A u(t). */
static clStatus step(clClusterMatrix *A, clVector **u) {
  const float beta = 0.25f;
  clStatus status = clClusterMatrixMultiply(u[2], A, u[1]);
  if (!status)
    status = clVectorAdd(u[0], -1, NULL, u[0], 2, NULL, u[1]);
  if (!status)
    status = clVectorAxpy(u[0], -beta, NULL, u[2]);
  clVector *next = u[0];
  u[0] = u[1];
  u[1] = next;
  return status;
}

/* All heights on rank 0, row after row. */
static clStatus report(clCluster *cluster, clClusterMatrix *A, const clVector *u) {
  size_t count = (size_t)clClusterMatrixRows(A);
  double *all = calloc(count, sizeof *all), largest = 0, sum = 0;
  clStatus status = all ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  status = clClusterAgree(cluster, status, NULL);
  if (!status)
    status = clClusterVectorGather(A, u, all);
  for (size_t k = 0; k < count && !status; k++) {
    largest = fmax(largest, fabs(all[k]));
    sum += all[k] * (double)(k % 97);
  }
  if (!status && clClusterRank(cluster) == 0)
    printf("largest height %.4f, sum %.3e\n", largest, sum);
  free(all);
  return status;
}

int main(int argc, char **argv) {
  int nx = argc > 1 ? atoi(argv[1]) : 256, ny = argc > 2 ? atoi(argv[2]) : nx;
  int steps = argc > 3 ? atoi(argv[3]) : 400;
  clCluster *cluster = NULL;
  clClusterMatrix *A = NULL;
  clVector *u[3] = {NULL};
  clError error = {0};
  MPI_Init(&argc, &argv);
  clStatus status = clClusterCreate(&cluster, MPI_COMM_WORLD, NULL, &error);
  if (!status)
    status = clClusterPoisson2d(&A, cluster, nx, ny, 0, 0);
  if (!status)
    status = start(A, u, nx, ny);
  for (int k = 0; k < steps && !status; k++)
    status = step(A, u);
  if (!status)
    status = report(cluster, A, u[1]);
  if (status)
    fprintf(stderr, "mpi_wave: %s\n", cluster ? clClusterError(cluster)->message : error.message);
  for (int k = 0; k < 3; k++)
    clVectorDestroy(u[k]);
  clClusterMatrixDestroy(A);
  clClusterDestroy(cluster);
  MPI_Finalize();
  return status ? 1 : 0;
}
