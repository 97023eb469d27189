/* Singular systems: the null space of A, what of b is out of reach, and when a solution is reached.
 *
 * Where A v = 0 and A^T v = 0, no A x has a part along v. With V an orthonormal basis of such
 * vectors, b = b_r + V V^T b, and ||b - A x||^2 = ||b_r - A x||^2 + ||V^T b||^2: what is solved is
 * A x = b_r, and V^T b stays, whatever x is. */
#ifndef TEXLA_SYSTEM_NULL_SPACE_H
#define TEXLA_SYSTEM_NULL_SPACE_H

#include "platform/companion.h"
#include "core/error.h"
#include "system/refine.h"
#include "texla/system.h"

enum { TX_NULL_VECTORS = 8 };

typedef struct txNullSpace {
  int32_t n;
  int count;
  /* orthonormal, column after column; NULL: none is known */
  double *v;
} txNullSpace;

/* The one given in the options, which is checked, or the constant where A's rows and columns sum to
 * zero. */
clStatus txNullSpaceFind(txNullSpace *out, const txRows *rows, const clSystemOptions *options,
                         clError *error);
void txNullSpaceForget(txNullSpace *space);
/* Do the rows sum to zero, to working precision? *largest <- the largest sum of magnitudes of those
 * that were looked at. */
TX_COMPANION bool txRowsSumToZero(const clTriplets *A, double *largest);

/* A right-hand side, and when it counts as solved. */
typedef struct txGoal {
  /* the caller's b */
  const double *given;
  /* b_r: the same, or `own` */
  const double *b;
  /* NULL: nothing was projected out */
  double *own;
  /* ||b||, ||V^T b|| */
  double b_norm, outside;
  /* ||b_r|| */
  double norm;
  /* tolerance ||b|| */
  double wanted;
  /* what ||b_r - A x|| has to reach */
  double limit;
} txGoal;

/* b_norm: ||b|| where it is known, else negative. */
clStatus txGoalSet(txGoal *goal, const txNullSpace *space, const double *b, int32_t n,
                   double b_norm, double tolerance, clError *error);
/* Rows in which `unit` is zero have no entries: what b has there is out of reach, too. */
clStatus txGoalLeaveOut(txGoal *goal, const double *unit, int32_t n, clError *error);
void txGoalForget(txGoal *goal);
/* ||b - A x||, relative to b where that is not zero, from ||b_r - A x||. */
TX_COMPANION double txGoalResidual(const txGoal *goal, double norm);
/* What it means that the limit is met: converged or, with a part out of reach that is too large,
 * inconsistent. */
clReason txGoalReached(const txGoal *goal);

/* Is A^T r zero to working precision, r = b - A x with ||r|| > 0? Then no x has a smaller
 * residual. Over processes only known of an A that is symmetric. */
clStatus txIsLeastSquares(const txRefinement *ref, bool symmetric, bool *yes, clError *error);

#endif
