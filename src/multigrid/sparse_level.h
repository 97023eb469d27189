/* Levels of algebraic multigrid that the host computes, in C and single precision: where it shades,
 * too, it gathers along rows in a third of the time that a shader takes, and small levels need no
 * passes. The first of them gets its right-hand side from a vector on the device and leaves its
 * correction in one. */
#ifndef TEXLA_MULTIGRID_SPARSE_LEVEL_H
#define TEXLA_MULTIGRID_SPARSE_LEVEL_H

#include "multigrid/aggregation.h"
#include "multigrid/cycle.h"
#include "texla/vector.h"

typedef struct txSparseLevel txSparseLevel;

/* How a level is smoothed (multigrid/chebyshev.h). */
typedef struct txSparseSmoother {
  int degree, instead;
  double ratio;
} txSparseSmoother;

/* *level <- the coarser matrix of `way`, which stays where it is, with the way to it: a new level,
 * or other values at the positions that are there. A matrix of at most `small` rows gets no
 * smoother. `bounded`: as for txChebyshevUpdate. */
clStatus txSparseLevelSet(txSparseLevel **level, const txAggregation *way, int small, bool bounded,
                          const txSparseSmoother *smoother, clError *error);
/* The level is to be solved by this inverse of its matrix, n x n by rows; NULL: it is not. */
clStatus txSparseLevelInverse(txSparseLevel *level, const double *inverse, clError *error);
/* Which level follows: NULL where this is the coarsest. */
void txSparseLevelNext(txSparseLevel *level, txSparseLevel *next);
/* NULL is allowed */
void txSparseLevelDestroy(txSparseLevel *level);
/* As txChebyshevLargest. */
double txSparseLevelLargest(const txSparseLevel *level);

/* The first level on the host begins with R r of the vector *r, and leaves P x in `correction`:
 * both on the device. */
void txSparseLevelConnect(txSparseLevel *level, const clVector *const *r, clVector *correction);

/* The level is the txSparseLevel; of the first one, and of the others. */
extern const txLevelOps txSparseFirstOps, txSparseOps;

#endif
