/* A compressed matrix by runs of rows that repeat: each has the entries of the row before it, one column further. Matrices from grids
 * with constant coefficients consist of few runs, and a product then reads hardly anything but x. */
#ifndef TEXLA_CORE_ROWS_H
#define TEXLA_CORE_ROWS_H

#include "texla/triplets.h"

typedef struct txRows {
  const clTriplets *A; /* borrowed */
  int32_t runs;        /* 0: too many to be of use, or no memory */
  int32_t *first;      /* row of each run, and the number of rows */
  int64_t *entry;      /* where its first row begins in A */
} txRows;

void txRowsFind(txRows *out, const clTriplets *A);
void txRowsForget(txRows *rows);
/* y_i-first <- (A x)_i for the rows i of [first, last) */
void txRowsMultiply(double *y, const txRows *rows, const double *x, int64_t first, int64_t last);

#endif
