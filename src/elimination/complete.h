/* Elimination with complete pivoting: every step searches all that is left. */
#ifndef TEXLA_ELIMINATION_COMPLETE_H
#define TEXLA_ELIMINATION_COMPLETE_H

#include "dense/entries.h"

/* What the steps have chosen: row and column of each, and its pivot; `count` of them. */
typedef struct txCompletePivots {
  int count;
  int32_t *row, *col;
  float *value;
} txCompletePivots;

/* Eliminates F in place, with at most min(m, n) steps; rows and columns stay where they are. LU:
 * multipliers below the pivots; `jordan`: also above, and pivots become ones. The arrays of *pivots
 * have room for min(m, n). Blocks when it ends. */
clStatus txCompleteEliminate(const char *call, clDense *F, bool jordan, float tolerance,
                             txCompletePivots *pivots);

#endif
