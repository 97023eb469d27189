/* Rows and columns of dense matrices scaled by powers of two. */
#ifndef TEXLA_OPS_EQUILIBRATE_H
#define TEXLA_OPS_EQUILIBRATE_H

#include "ops/dense.h"

/* A <- diag(row) A diag(col); NULL stands for ones. In place. */
clStatus txDenseScale(const char *call, clDense *A, const float *row, const float *col);

/* A <- diag(row) A diag(col) with sums of magnitudes near 1, first of rows, then of columns; col: room for A's columns. Reads the sums
 * back: blocks. */
clStatus txDenseEquilibrate(const char *call, clDense *A, float *col);

#endif
