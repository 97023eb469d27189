/* clClusterMatrix inside. */
#ifndef TEXLA_MPI_MATRIX_H
#define TEXLA_MPI_MATRIX_H

#include "mpi/spread.h"
#include "system/scaling.h"

struct clClusterMatrix {
  clCluster *cluster;
  txNumbering numbering;
  /* R A R on the device, with powers of two R where the diagonal varies; A itself on the host */
  txSpread spread;
  /* the product R A R over all ranks as an operator, for solvers */
  clMatrix *shell;
  /* R; NULL: all are 1 */
  clVector *factor;
  /* the same for what works on the host: txClusterMatrixKeep */
  txScaling scale;
  /* five points, -1 and 4, on a grid with u = 0 around it */
  bool grid;
  /* A = A^T, once clClusterSolve has looked */
  bool symmetric, looked;
};

/* A->spread.host <- A in double, and A->scale, if they are not there. Collective. */
clStatus txClusterMatrixKeep(clClusterMatrix *A);

/* Sets A->symmetric, if nobody has: x . A y = y . A x for two random vectors, in double.
 * Collective. */
clStatus txClusterMatrixLook(clClusterMatrix *A);

#endif
