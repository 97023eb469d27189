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

/* z <- M r: a V cycle over all ranks for a grid; multigrid.c */
typedef struct txCycle txCycle;
clStatus txCycleCreate(txCycle **out, clClusterMatrix *A);
void txCycleDestroy(txCycle *cycle);
clStatus txCycleApply(void *cycle, clVector *z, const clVector *r);

#endif
