/* Refinement on the device: x and b in double-float there, corrections added as they come while
 * they help much. What is harder is the host's (refine.h), and so is the last word: the residual
 * here serves to go on, never to end with. */
#ifndef TEXLA_SYSTEM_REFINE_DEVICE_H
#define TEXLA_SYSTEM_REFINE_DEVICE_H

#include "system/scaling.h"
#include "vector/double.h"
#include "texla/matrix.h"

/* B z = c, with B = sign diag(row) A diag(col) as the solver has it: z = diag(col)^-1 x, c = sign
 * diag(row) b. What is left of c is kept in double-float, and each correction takes its own product
 * away from that: x need not be known for it. So the first two corrections stay as they came, and
 * only further ones are added up in double-float. */
typedef struct txDeviceRefinement {
  const clMatrix *B;
  /* 2^exponent (c - B z); room for that after the next correction */
  clDoubleVector *rest, *next;
  /* the sum of what is not in `part`; NULL: nothing */
  clDoubleVector *z;
  /* corrections, each times 2^-at[i] */
  clVector *part[2];
  int parts, at[2];
  clVector *zero;
  clFloat *square;
  int exponent;
  /* ||c - B z|| */
  double norm;
} txDeviceRefinement;

/* From x (`at_zero`: it is zero), whose residual has that norm, or about that. NULL in *out where
 * the numbers or the memory do not suit. */
clStatus txDeviceRefineStart(txDeviceRefinement **out, const clMatrix *B, double sign,
                             const txScaling *scaling, const double *b, const double *x,
                             bool at_zero, double norm);
/* What the solver is to correct: the residual, rounded. */
const clVector *txDeviceRefineRight(const txDeviceRefinement *d);
/* z <- z + 2^-exponent y where that makes the residual `enough` times smaller, and y is anything
 * then; else nothing has changed and *gain is less. */
clStatus txDeviceRefineStep(txDeviceRefinement *d, clVector *y, double enough, double *gain);
/* x <- diag(col) z */
clStatus txDeviceRefineFinish(txDeviceRefinement *d, const txScaling *scaling, double *x);
/* NULL is allowed */
void txDeviceRefineDestroy(txDeviceRefinement *d);

#endif
