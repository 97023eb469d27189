/* Levels of V cycles over all ranks (multigrid/cycle.h), a preconditioner for conjugate gradients:
 * Chebyshev's sweeps before and after a coarse correction. Levels work by a grid's stencils
 * (multigrid.c) or by matrices of aggregates (aggregation.c). The last level is gathered on rank 0
 * and left to a preconditioner there. A cycle is symmetric where the matrix is. */
#ifndef TEXLA_MPI_CYCLE_H
#define TEXLA_MPI_CYCLE_H

#include "matrix/preconditioner.h"
#include "mpi/matrix.h"
#include "multigrid/cycle.h"
#include "multigrid/grid.h"

enum { TX_SPREAD_LEVELS = 20, TX_SPREAD_SWEEPS = 2 };

/* Matrices of a level and its transfers, each spread over the ranks. */
typedef struct txSpreadMatrices {
  /* A, where the matrix of the solver itself is not used. */
  txSpread own;
  txSpread *A;
  /* From the next coarser level, and to it. */
  txSpread P, R;
  /* 1 / diagonal, and scratch. */
  clVector *inverse, *t;
} txSpreadMatrices;

/* Stencils of this rank's rectangle, and what they need of other ranks: neighbours for A, fine
 * points for R, coarse points for P. */
typedef struct txSpreadGrid {
  /* NULL where this rank has no points. */
  txGrid *grid;
  txHalo neighbours, fine, coarse;
} txSpreadGrid;

/* The level after it is the coarser one. */
typedef struct txSpreadLevel {
  txNumbering numbering;
  /* The factors of the sweeps before; those after have them in reverse. */
  double weight[TX_SPREAD_SWEEPS];
  /* The iterate, on the finest level the caller's; room for a right-hand side; a residual. */
  clVector *x, *b, *r;
  /* The right-hand side: b or the caller's. */
  const clVector *right;
  /* One of both. */
  txSpreadMatrices matrices;
  txSpreadGrid stencils;
} txSpreadLevel;

typedef struct txSpreadCycle {
  clCluster *cluster;
  /* How many are spread over ranks. The one after them is gathered, and of its level only the
   * numbering, x and b are used. */
  int levels;
  txSpreadLevel level[TX_SPREAD_LEVELS];
  txCycle cycle;
  /* On rank 0: the gathered matrix, where `coarsest` needs it, and what solves with it. */
  clMatrix *matrix;
  txPreconditioner coarsest;
  clVector *x, *b;
  /* This rank's part of the gathered level, and on rank 0 all parts, one after the other. */
  float *mine, *all;
  int *count, *first;
  /* On rank 0: row after row. */
  float *ordered;
} txSpreadCycle;

/* *out <- cycles for a grid, for a matrix from a file. Collective. */
clStatus txGridCycleCreate(txSpreadCycle **out, clClusterMatrix *A);
clStatus txAggregationCycleCreate(txSpreadCycle **out, clClusterMatrix *A);
/* NULL is allowed. */
void txSpreadCycleDestroy(txSpreadCycle *cycle);
/* z <- M r */
clStatus txSpreadCycleApply(void *cycle, clVector *z, const clVector *r);

/* For those who set levels up: the weights of Chebyshev's sweeps where `largest` bounds the
 * eigenvalues of D^-1 A; the levels' operations, and this rank's room for the parts of the level
 * after the last one. */
void txSpreadWeights(txSpreadLevel *level, double largest);
clStatus txSpreadCycleParts(txSpreadCycle *cycle, const txLevelOps *ops);

/* By matrices (cycle_matrices.c). What a level needs beside A, P and R, and the next one's x and
 * b. */
extern const txLevelOps txMatrixLevel;
clStatus txSpreadMatricesFinish(txSpreadLevel *level, txSpreadLevel *next);
void txSpreadMatricesDestroy(txSpreadMatrices *matrices);

/* By stencils (cycle_grid.c). */
extern const txLevelOps txGridLevel;
void txSpreadGridDestroy(txSpreadGrid *grid);

#endif
