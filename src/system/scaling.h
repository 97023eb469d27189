/* Scaling a matrix by powers of two, so that single precision can hold it and no row or column is
 * small beside the others. */
#ifndef TEXLA_SYSTEM_SCALING_H
#define TEXLA_SYSTEM_SCALING_H

#include "platform/companion.h"
#include "core/error.h"
#include "core/rows.h"

typedef enum txScalingKind {
  /* all of A by one factor: for methods that look at rows beside each other */
  TX_SCALE_UNIFORM,
  /* D A D with a diagonal near 1, where A has a zero there the row's largest magnitude */
  TX_SCALE_DIAGONAL,
  /* the largest magnitudes of rows and columns near 1 */
  TX_SCALE_ROWS_COLS
} txScalingKind;

/* The scaled matrix is diag(row) A diag(col). One factor for all of A is 1 where single precision
 * has room enough without. */
typedef struct txScaling {
  /* perhaps the same */
  double *row, *col;
  /* of A, borrowed */
  txRows rows;
  /* all are 1 */
  bool unit;
} txScaling;

/* A scaled matrix and the look at it: must stay where it is. It shares A's positions; its values
 * too where no factor is but 1. */
typedef struct txScaled {
  clTriplets A;
  /* NULL: A's */
  double *value;
  /* of the original without values of its own */
  txRows rows;
} txScaled;

/* The factor for a row and a column whose diagonal entry is v: 2^-e with 4^e near v; 1 for 0. */
TX_COMPANION double txScalingRoot(double v);
/* A factor of all of A may as well be 1 when it is not far from that. */
TX_COMPANION bool txScalingSpare(double factor);

/* The rows, and their matrix, must outlive the scaling. */
clStatus txScalingCreate(txScaling *out, const txRows *rows, txScalingKind kind, clError *error);
TX_COMPANION void txScalingDestroy(txScaling *scaling);

/* *out <- sign diag(row) A diag(col) */
TX_COMPANION clStatus txScalingApply(txScaled *out, const txScaling *scaling, double sign,
                                     clError *error);
TX_COMPANION void txScaledDestroy(txScaled *scaled);

#endif
