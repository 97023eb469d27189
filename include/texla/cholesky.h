/**
 * @file
 * Cholesky factorization (J3): A = L L^T for symmetric positive definite A, in full or in packed
 * storage, and what it is good for.
 *
 * create / factor / solve / condition / refine / determinant / destroy, in the manner of clPlu
 * (dense.h). Only the lower triangle of A is read. A is scaled symmetrically by powers of two so
 * that its diagonal is near 1, which costs no accuracy; so badly scaled matrices are factored as
 * well as others. A pivot that is not above the tolerance is reported with its column: A is not
 * positive definite, or not to single precision.
 *
 * Aliasing, ownership, threads and errors: as at the top of dense.h. TEXLA_BAD_ARGUMENT also where
 * nothing was factored yet.
 *
 * @since 0.2 */
#ifndef TEXLA_CHOLESKY_H
#define TEXLA_CHOLESKY_H

#include "texla/triangle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A factorization: create / factor / solve / destroy. */
typedef struct clCholesky clCholesky;

/** Zero means default. */
typedef struct clCholeskyOptions {
  /** L is held in rectangular packed format: half the memory, the same factor */
  bool packed;
  /**
   * pivots up to it, relative to A's diagonal entry, count as not positive; negative: 0. 0: max(4,
   * sqrt(n)) 2^-23; and where the factor's condition says that a positive pivot may be rounding, A
   * is factored once more on the host, in double, and is refused where a pivot vanishes there */
  double tolerance;
} clCholeskyOptions;

/** What a factorization has found. */
typedef struct clCholeskyReport {
  /** -1, or the column, from 0 on, whose pivot was not positive */
  int column;
  /** of L's diagonal, before the column that failed (INFINITY and 0 where that is the first) */
  double smallest_pivot, largest_pivot;
} clCholeskyReport;

/** A factorization for matrices of one order.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param n  rows and columns, at least 1
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, or what the top of dense.h lists */
TEXLA_API clStatus clCholeskyCreate(clCholesky **out, clContext *context, int n,
                                    const clCholeskyOptions *options);
/** Ends a factorization.
 * @param cholesky  NULL is allowed */
TEXLA_API void clCholeskyDestroy(clCholesky *cholesky);

/** Factors A (LAPACK's potrf); may be called again with another matrix. Blocks when it ends.
 * @param cholesky  of A's order. Where A is not positive definite, and after any other failure, the
 *         factor before stays as it was
 * @param A  n x n, in 2x2 or 1x1 packing; its lower triangle counts
 * @param report  <- what was found, also with TEXLA_SINGULAR; NULL is allowed
 * @return TEXLA_OK, TEXLA_SINGULAR with a message that has the column (from 1 on) where A is not
 *         positive definite, or what the top of dense.h lists */
TEXLA_API clStatus clCholeskyFactor(clCholesky *cholesky, const clDense *A,
                                    clCholeskyReport *report);
/** As clCholeskyFactor, of a packed A.
 * @param cholesky  of A's order
 * @param A  the triangle of a symmetric matrix, in any packing
 * @param report  <- what was found, also with TEXLA_SINGULAR; NULL is allowed
 * @return as clCholeskyFactor */
TEXLA_API clStatus clCholeskyFactorPacked(clCholesky *cholesky, const clPacked *A,
                                          clCholeskyReport *report);

/** L <- the factor, with zeros above the diagonal.
 * @param cholesky  that has factored
 * @param L  n x n, in 2x2 or 1x1 packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clCholeskyLower(const clCholesky *cholesky, clDense *L);
/** As clCholeskyLower, into a packed triangle.
 * @param cholesky  that has factored
 * @param L  of order n
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clCholeskyLowerPacked(const clCholesky *cholesky, clPacked *L);

/** X <- A^-1 B (LAPACK's potrs), any number of right-hand sides. Nothing is waited for.
 * @param cholesky  that has factored A
 * @param X  of B's shape; may be B
 * @param B  n rows, in 2x2 packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clCholeskySolve(const clCholesky *cholesky, clDense *X, const clDense *B);
/** X <- L^-1 B, or with TEXLA_TRANSPOSE L^-T B: half of a solution.
 * @param cholesky  that has factored
 * @param op  L or its transpose
 * @param X  of B's shape; may be B
 * @param B  n rows, in 2x2 packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clCholeskySolveHalf(const clCholesky *cholesky, clTranspose op, clDense *X,
                                       const clDense *B);

/**
 * *rcond <- an estimate of 1 / (||A||_1 ||A^-1||_1), by Higham's estimator (LAPACK's pocon), on the
 * host. Blocks: the factor is read back.
 * @param cholesky  that has factored A
 * @param rcond  <- the estimate, at most 1
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clCholeskyCondition(const clCholesky *cholesky, double *rcond);
/** *out <- det A = prod l_ii^2, whose sign is 1. Does not wait: the pivots are known.
 * @param cholesky  that has factored A
 * @param out  <- the determinant
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT */
TEXLA_API clStatus clCholeskyDeterminant(const clCholesky *cholesky, clDeterminant *out);

/** Iterative refinement of A x = b to double accuracy, as clPluRefine (dense.h). Blocks.
 * @param cholesky  that has factored A
 * @param A  both triangles, compressed, in double
 * @param x  n numbers; in: the start (zeros are fine), out: the solution. Not b
 * @param b  n numbers
 * @param options  NULL: defaults
 * @param report  <- what was reached; NULL is allowed
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED when the tolerance on the backward error was not met: x is
 *         the best reached. TEXLA_NOT_FINITE where x or b are not finite; or what the top of this
 *         file lists */
TEXLA_API clStatus clCholeskyRefine(const clCholesky *cholesky, const clTriplets *A, double *x,
                                    const double *b, const clRefineOptions *options,
                                    clRefineReport *report);

#ifdef __cplusplus
}
#endif
#endif
