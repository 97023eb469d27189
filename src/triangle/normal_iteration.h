/* min ||D (b - A x)|| in double on the host, with an approximate factor: D A ~ Q L^T on some of the
 * columns.
 *
 * x = S y: the columns of A S are scaled by powers of two. Corrections solve L L^T z = (A S)^T D^2
 * r: plainly, as long as each is at most half of the one before, then by conjugate gradients on min
 * ||D (r - A S L^-T w)||. */
#ifndef TEXLA_TRIANGLE_NORMAL_ITERATION_H
#define TEXLA_TRIANGLE_NORMAL_ITERATION_H

#include "elimination/host_lower.h"
#include "texla/solver.h"
#include "texla/triplets.h"

#include <stdbool.h>

typedef struct txNormal {
  /* borrowed */
  const clTriplets *A;
  int rows, cols;
  /* no conjugate gradients */
  bool plain;
  /* D */
  double *weight;
  /* S */
  double *scale;
  /* the solution */
  double *x;
  /* owned */
  txHostLower L;
  /* column i of L^T is column[i] of A; the first L.order of `cols` count */
  int32_t *column;
  /* scratch: of rows numbers, the last three of cols */
  double *r, *q, *z, *p, *y;
  /* residuals and gradients, of rows and cols numbers; and the x so far: where long double is
   * longer than double, roundoffs of x do not limit what residuals say of it */
  long double *exact, *sum, *best;
} txNormal;

clStatus txNormalCreate(txNormal *normal, const clTriplets *A, clError *error);
void txNormalDestroy(txNormal *normal);

/* S <- powers of two that bring the columns of D A to lengths near 1. */
void txNormalScale(txNormal *normal);
/* The factor, which it owns from now on, and the order of its columns (NULL: as they are; all of
 * them, those that count first). */
void txNormalTake(txNormal *normal, txHostLower *L, const int32_t *order);
/* *dependent <- do the columns of D A depend on each other? L claims that they do not; where that
 * may be rounding in single precision, their smallest singular value is computed in double. */
clStatus txNormalDepends(txNormal *normal, bool *dependent, clError *error);
/* The columns that do not count, one by one: each is approximated by those that do, in double; what
 * is left is its entry on the diagonal of a larger factor, unless nothing is left. */
clStatus txNormalComplete(txNormal *normal, clError *error);

typedef struct txNormalReport {
  clReason reason;
  int iterations, gradient_iterations;
  double residual_norm, error_estimate, condition;
} txNormalReport;
/* normal->x <- argmin ||D (b - A x)||, or with b NULL (A^T D^2 A)^-1 g. Stops when a correction is
 * at most tolerance ||x||. */
clStatus txNormalSolve(txNormal *normal, const double *b, const double *g, double tolerance,
                       int most, txNormalReport *report, clError *error);

#endif
