/* Scaling a matrix by powers of two, so that single precision can hold it and no row or column is small beside the others. */
#ifndef TEXLA_SOLVERS_SCALING_H
#define TEXLA_SOLVERS_SCALING_H

#include "core/error.h"
#include "core/rows.h"

typedef enum txScalingKind {
  TX_SCALE_UNIFORM,  /* all of A by one factor: for methods that look at rows beside each other */
  TX_SCALE_DIAGONAL, /* D A D with a diagonal near 1, where A has a zero there the row's largest magnitude */
  TX_SCALE_ROWS_COLS /* the largest magnitudes of rows and columns near 1 */
} txScalingKind;

/* The scaled matrix is diag(row) A diag(col). */
typedef struct txScaling {
  double *row, *col;
  txRows rows; /* of A */
} txScaling;

/* A is kept, and must outlive the scaling. */
clStatus txScalingCreate(txScaling *out, const clTriplets *A, txScalingKind kind, clError *error);
void txScalingDestroy(txScaling *scaling);

/* *out <- sign diag(row) A diag(col) */
clStatus txScalingApply(clTriplets **out, const txScaling *scaling, double sign, const clTriplets *A, clError *error);

#endif
