/* clClusterMatrix inside. */
#ifndef TEXLA_MPI_MATRIX_H
#define TEXLA_MPI_MATRIX_H

#include "mpi/spread.h"

struct clClusterMatrix {
  clCluster *cluster;
  txNumbering numbering;
  txSpread spread;
  clMatrix *shell; /* the product over all ranks as an operator, for solvers */
  bool grid;       /* five points, -1 and 4, on a grid with u = 0 around it */
};

/* A->spread.host <- A in double, if it is not there. Collective. */
clStatus txClusterMatrixKeep(clClusterMatrix *A);

#endif
