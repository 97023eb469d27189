/* Elimination with full pivoting: every step searches all that is left. */
#ifndef TEXLA_OPS_FULL_H
#define TEXLA_OPS_FULL_H

#include "ops/dense.h"

/* What the steps have chosen: row and column of each, and its pivot; `count` of them. */
typedef struct txFullPivots {
  int count;
  int32_t *row, *col;
  float *value;
} txFullPivots;

/* Eliminates F in place, with at most min(m, n) steps; rows and columns stay where they are. LU: multipliers below the pivots;
 * `jordan`: also above, and pivots become ones. The arrays of *pivots have room for min(m, n). Blocks when it ends. */
clStatus txFullEliminate(const char *call, clDense *F, bool jordan, float tolerance, txFullPivots *pivots);

#endif
