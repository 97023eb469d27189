/* Reflections with column pivoting on the host, in double: of a panel, or of the triangle that the device has made of its columns in the order in
 * which they came. */
#ifndef TEXLA_DENSE_QR_PIVOT_H
#define TEXLA_DENSE_QR_PIVOT_H

#include <stdbool.h>

/* Columns of `rows` numbers, one after the other. */
typedef struct txQrTriangle {
  int rows, cols;
  double *a;    /* in: the columns; out: reflections below the diagonal (1 on it), R on and above */
  double *t;    /* cols x cols, row by row: Q = I - V T V^T */
  double *tau;  /* cols */
  int *order;   /* column j is column order[j] of those that came */
  int steps;    /* columns that were factored */
  double zero;  /* columns up to that length are not */
  double least; /* nor, after an even number of them, those up to this one */
} txQrTriangle;

/* Factors columns, the longest of the rest first; with `in_order` all of them as they come. */
void txQrPivot(txQrTriangle *triangle, bool in_order);

#endif
