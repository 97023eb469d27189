/* V cycles over all ranks, a preconditioner for conjugate gradients: Chebyshev's sweeps before and
 * after a coarse correction. What sets levels up says how they go down and up: by a grid's stencils
 * (multigrid.c) or by matrices of aggregates (aggregation.c). The last level is gathered on rank 0
 * and left to a preconditioner there. A cycle is symmetric where the matrix is. */
#ifndef TEXLA_MPI_CYCLE_H
#define TEXLA_MPI_CYCLE_H

#include "matrix/preconditioner.h"
#include "mpi/matrix.h"
#include "multigrid/grid.h"

enum { TX_SPREAD_LEVELS = 20, TX_SPREAD_SWEEPS = 2 };

typedef struct txSpreadLevel txSpreadLevel;

/* A level's part of a cycle; `next` is the coarser level. */
typedef struct txSpreadSteps {
  /* x <- what sweeps make of zero; next->b <- R (b - A x) */
  clStatus (*down)(txSpreadLevel *level, txSpreadLevel *next, clVector *x, const clVector *b);
  /* x <- x + P next->x, then sweeps */
  clStatus (*up)(txSpreadLevel *level, txSpreadLevel *next, clVector *x, const clVector *b);
} txSpreadSteps;

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

struct txSpreadLevel {
  const txSpreadSteps *steps;
  txNumbering numbering;
  /* The factors of the sweeps before; those after have them in reverse. */
  double weight[TX_SPREAD_SWEEPS];
  /* The iterate and the right-hand side, which on the finest level are the caller's; a residual. */
  clVector *x, *b, *r;
  /* One of both. */
  txSpreadMatrices matrices;
  txSpreadGrid stencils;
};

typedef struct txSpreadCycle {
  clCluster *cluster;
  /* How many are spread over ranks. The one after them is gathered, and of its level only the
   * numbering, x and b are used. */
  int levels;
  txSpreadLevel level[TX_SPREAD_LEVELS];
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
 * eigenvalues of D^-1 A, and this rank's room for the parts of the level after the last one. */
void txSpreadWeights(txSpreadLevel *level, double largest);
clStatus txSpreadCycleParts(txSpreadCycle *cycle);

/* By matrices (cycle_matrices.c). What a level needs beside A, P and R, and the next one's x and
 * b. */
extern const txSpreadSteps txMatrixSteps;
clStatus txSpreadMatricesFinish(txSpreadLevel *level, txSpreadLevel *next);
void txSpreadMatricesDestroy(txSpreadMatrices *matrices);

/* By stencils (cycle_grid.c). */
extern const txSpreadSteps txGridSteps;
void txSpreadGridDestroy(txSpreadGrid *grid);

#endif
