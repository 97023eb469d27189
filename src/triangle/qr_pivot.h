/* Reflections with column pivoting on the host, in double: of a panel, or of the triangle that the
 * device has made of its columns in the order in which they came. */
#ifndef TEXLA_TRIANGLE_QR_PIVOT_H
#define TEXLA_TRIANGLE_QR_PIVOT_H

#include <stdbool.h>

/* Columns of `rows` numbers, one after the other. */
typedef struct txQrTriangle {
  int rows, cols;
  /* in: the columns; out: reflections below the diagonal (1 on it), R on and above */
  double *a;
  /* cols x cols, row by row: Q = I - V T V^T. NULL: not wanted */
  double *t;
  /* cols */
  double *tau;
  /* column j is column order[j] of those that came */
  int *order;
  /* columns that were factored */
  int steps;
  /* columns up to that length are not */
  double zero;
  /* nor, after an even number of them, those up to this one */
  double least;
} txQrTriangle;

/* Factors columns, the longest of the rest first; with `in_order` all of them as they come. */
void txQrPivot(txQrTriangle *triangle, bool in_order);
/* x <- (I - tau v v^T) x, with v the reflection of column k; x has `rows` numbers. */
void txQrReflect(const txQrTriangle *triangle, int k, double *x);

#endif
