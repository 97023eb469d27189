/* V cycles over all ranks, a preconditioner for conjugate gradients: Chebyshev's sweeps before and
 * after, and what sets levels up, stencils of a grid (multigrid.c) or aggregates of a matrix from a
 * file (aggregation.c), gives the matrices. The last level is gathered on rank 0 and left to a
 * preconditioner there. A cycle is symmetric where the matrix is. */
#ifndef TEXLA_MPI_CYCLE_H
#define TEXLA_MPI_CYCLE_H

#include "matrix/preconditioner.h"
#include "mpi/matrix.h"

enum { TX_SPREAD_LEVELS = 20, TX_SPREAD_SWEEPS = 2 };

typedef struct txSpreadLevel {
  txNumbering numbering;
  /* A, where the matrix itself is not used */
  txSpread own;
  txSpread *A;
  /* from the next coarser level, and to it */
  txSpread P, R;
  /* 1 / diagonal; scratch */
  clVector *inverse, *x, *b, *r, *t;
  double weight[TX_SPREAD_SWEEPS];
} txSpreadLevel;

typedef struct txSpreadCycle {
  clCluster *cluster;
  /* that are spread over ranks; the one after them is gathered, and of its level only the
   * numbering, x and b are used */
  int levels;
  txSpreadLevel level[TX_SPREAD_LEVELS];
  /* on rank 0: the gathered one, where `coarsest` needs it */
  clMatrix *matrix;
  txPreconditioner coarsest;
  /* of it */
  clVector *x, *b;
  /* this rank's part of it, and on rank 0 all parts */
  float *mine, *all;
  int *count, *first;
  /* on rank 0: row after row */
  float *ordered;
} txSpreadCycle;

/* *out <- cycles for a grid, for a matrix from a file. Collective. */
clStatus txGridCycleCreate(txSpreadCycle **out, clClusterMatrix *A);
clStatus txAggregationCycleCreate(txSpreadCycle **out, clClusterMatrix *A);
/* NULL is allowed */
void txSpreadCycleDestroy(txSpreadCycle *cycle);
/* z <- M r */
clStatus txSpreadCycleApply(void *cycle, clVector *z, const clVector *r);

/* For those who set levels up: what a level needs beside A, P and R; `largest` bounds the
 * eigenvalues of D^-1 A. The next level's x and b. */
clStatus txSpreadLevelFinish(txSpreadLevel *level, double largest);
clStatus txSpreadLevelEnds(const txSpreadLevel *level, txSpreadLevel *next);
/* Room for the parts of the level after the last one. */
void txSpreadCycleParts(txSpreadCycle *cycle);

#endif
