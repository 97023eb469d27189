/* Refinement: a solution in double from corrections that a solver finds in single precision.
 *
 * The corrections are treated as search directions of the generalized conjugate residual method
 * (GCR): each is made orthogonal to the last ones in the scaled residual, and taken as far as it
 * helps. That is plain iterative refinement while a correction is good to a few digits, cannot
 * diverge when it is not, and converges where plain refinement only crawls. */
#ifndef TEXLA_SYSTEM_REFINE_H
#define TEXLA_SYSTEM_REFINE_H

#include "platform/companion.h"
#include "system/refine_device.h"

enum { TX_DIRECTIONS = 6 };

/* The processes that a system is spread over: each has some of the rows, all with the same number
 * of columns as it has rows, and behind them columns of other processes. x has room for those
 * elements, too. */
typedef struct txRanks {
  /* x[rows ..] <- the other processes' elements */
  void (*fetch)(void *user, double *x);
  /* values <- their sums over all processes; value <- the largest of theirs */
  void (*sum)(void *user, double *values, int count);
  void (*most)(void *user, double *value);
  void *user;
} txRanks;

typedef struct txRefinement {
  const clTriplets *A;
  const double *b;
  /* NULL: there is one process */
  const txRanks *ranks;
  /* the caller's */
  double *x;
  /* diag(row) r, r = b - A x; NULL until it is needed */
  double *scaled;
  /* of b, r, scaled */
  double b_norm, norm, scaled_norm;
  /* directions; diag(row) A d, orthogonal */
  double *d[TX_DIRECTIONS], *q[TX_DIRECTIONS];
  double q_norm[TX_DIRECTIONS];
  int64_t steps;
  /* x is 0, so that r is b */
  bool at_zero;
  /* What the residual was divided by when the solver got it, so that what it returns is to be
   * multiplied by that; 0: not known. `poor`: a correction so taken did not help enough. */
  double length;
  bool poor;
  /* the x with the least norm, where that is not `x`: rows and columns of different sizes are
   * corrected in another norm */
  double *best;
  /* that norm */
  double least;
  /* it is x */
  bool at_best;
  /* NULL: x is here */
  txDeviceRefinement *device;
  /* there: ||r|| beside the norm of the scaled residual; what ||r|| has to reach */
  double ratio, limit;
} txRefinement;

/* Begins with x as it is; b_norm is ||b||; zero: x is known to be zero; ranks: NULL or what
 * outlives `ref`. Frees nothing that `ref` held: Destroy it first. */
TX_COMPANION void txRefineStart(txRefinement *ref, const clTriplets *A, const double *b,
                                double b_norm, double *x, bool zero, const txScaling *scaling,
                                const txRanks *ranks);
/* From here on x is on the device, with B = sign diag(row) A diag(col), where numbers and memory
 * suit it: until ||r|| <= limit there, or a correction helps little. */
clStatus txRefineEnterDevice(txRefinement *ref, const txScaling *scaling, const clMatrix *B,
                             double sign, double limit);
/* x and its residual are those of the host again. */
clStatus txRefineLeaveDevice(txRefinement *ref, const txScaling *scaling);
/* What the solver is to correct: y <- diag(row) r / ||diag(row) r||; 0 where r is. */
clStatus txRefineNarrow(txRefinement *ref, const txScaling *scaling, float *y, clError *error);
/* The same where the residual is measured by `metric` and the solver's matrix has the rows `row`: y
 * <- diag(row) r, divided by its largest element, without rows of which `metric`, the weights of
 * txRefineWeights, says that their residual is rounding. */
clStatus txRefineNarrowFor(txRefinement *ref, const txScaling *metric, const double *row, float *y,
                           clError *error);
/* row_i <- a power of two near 1 / (|A| |x| + |b|)_i, 1 where that is 0: rows so scaled have
 * residuals as large as their backward errors (Oettli and Prager). */
void txRefineWeights(const txRefinement *ref, double *row);
/* The same on the device, where x is there: that vector itself. Else NULL. */
const clVector *txRefineOnDevice(const txRefinement *ref);
/* x <- x + alpha d with the best alpha, d = diag(col) y. *gain <- how many times smaller diag(row)
 * r has become, 1 where y is of no use. */
clStatus txRefineStep(txRefinement *ref, const txScaling *scaling, const float *y, double *gain,
                      clError *error);
/* The same with a correction that is on the device, and that is anything afterwards; `single` has
 * room for it. Where x is on the device, too, it stays there if the residual becomes `enough` times
 * smaller. */
clStatus txRefineStepFrom(txRefinement *ref, const txScaling *scaling, clVector *y, double enough,
                          float *single, double *gain, clError *error);
/* After a round that gains so much the next one need not know of it. */
#define TX_ENOUGH 10.0
/* x <- the one with the least norm of r so far: never worse than at the start. */
void txRefineBest(txRefinement *ref, const txScaling *scaling);
/* p^T (diag(row) A diag(col)) p in double; NaN where there is no memory. */
double txRefineCurvature(const txRefinement *ref, const txScaling *scaling, const float *p);
/* What to ask of the next correction: what is still missing of the whole, with some room for what
 * single precision loses, little where that is far; not much more than corrections have given so
 * far (floor). */
double txRefineTolerance(double missing, double floor);
/* ||diag(row) (b - A x)||, `zero`: with x = 0. */
double txRefineNormBy(const txRefinement *ref, const txScaling *scaling, const double *row,
                      bool zero);
/* ||v|| of what has an element for each row */
double txRefineNormOf(const txRefinement *ref, const double *v);
/* x, of which ||b - A x|| = norm, is the best now. */
void txRefineTake(txRefinement *ref, const double *x, double norm);
/* The scaling has changed: directions are forgotten. */
void txRefineRescale(txRefinement *ref, const txScaling *scaling);
TX_COMPANION void txRefineDestroy(txRefinement *ref);

/* ||v||_2 without overflow */
TX_COMPANION double txNorm(const double *v, int64_t n);

#endif
