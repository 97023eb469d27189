/**
 * @file
 * Weighted linear least squares (J4): min over x of ||D (b - A x)||_2, to double accuracy.
 *
 * A holds observations x unknowns in double. On the device, in single precision, A^T D^2 A is
 * assembled and factored by Cholesky, or D A by QR; on the host, in double, the residuals b - A x
 * of the observations and corrections with the factor: plain refinement while it gains, then
 * conjugate gradients with the factor as preconditioner, which converge as long as the factor
 * resembles A at all. Where Cholesky finds A^T D^2 A not positive definite in single precision, or
 * its factor does not lead to a solution, `auto` takes QR with column pivoting; columns that depend
 * on others to single precision are then looked at in double, one by one, and count unless they
 * depend in double, too.
 *
 * A stays on the device: other weights cost an assembly and a factorization, and no upload when
 * they are a clVector (an interior-point method changes them in every step).
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, options out of their range), TEXLA_BAD_SHAPE, TEXLA_NOT_FINITE
 * (NaN or Inf in what is given), TEXLA_FOREIGN_CONTEXT, TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY,
 * TEXLA_DEVICE_ERROR. A failed call leaves its outputs as they were.
 *
 * Threads: objects belong to their context's thread.
 *
 * Ownership: who creates destroys. Weights and an A of the device are copied, an A of the host is
 * borrowed.
 *
 * Aliasing: x and b are two arrays.
 *
 * @since 0.2 */
#ifndef TEXLA_LEAST_SQUARES_H
#define TEXLA_LEAST_SQUARES_H

#include "texla/dense.h"
#include "texla/solver.h"
#include "texla/triplets.h"
#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A problem: create / weigh / solve / destroy. */
typedef struct clLeastSquares clLeastSquares;

/** What is factored, and how. */
typedef enum clLeastSquaresMethod {
  /** Cholesky, and QR where that does not do */
  TEXLA_LEAST_SQUARES_AUTO,
  /** TEXLA_SINGULAR where A^T D^2 A is not positive definite in single precision */
  TEXLA_LEAST_SQUARES_CHOLESKY,
  /** D A, by QR with column pivoting */
  TEXLA_LEAST_SQUARES_QR
} clLeastSquaresMethod;
/** A method's name: "auto", "cholesky", "qr".
 * @param method  any value
 * @return a constant; "unknown" for values that are not in the list */
TEXLA_API const char *clLeastSquaresMethodName(clLeastSquaresMethod method);

/** Zero means default. */
typedef struct clLeastSquaresOptions {
  /** what is factored, and how */
  clLeastSquaresMethod method;
  /** on the last correction, relative to x; 0: 1e-14 */
  double tolerance;
  /** of refinement, both kinds together; 0: 200 */
  int max_iterations;
  /**
   * plain refinement alone, as the paper's algorithm 1: slow, or stagnating, on ill-conditioned
   * problems (since 0.3) */
  bool plain;
} clLeastSquaresOptions;

/** What came of a solution. */
typedef struct clLeastSquaresReport {
  /** columns that count; the others' unknowns are zero */
  int rank;
  /** the one that led to the solution */
  clLeastSquaresMethod method;
  /** converged, or why not */
  clReason reason;
  /** corrections in all; and those by conjugate gradients among them */
  int iterations, gradient_iterations;
  /** ||D (b - A x)||_2 */
  double residual_norm;
  /** of ||x - x*|| / ||x*||: the last correction and what rounding in double leaves */
  double error_estimate;
  /** estimated, of D A with columns of length 1 */
  double condition;
  /** wall clock: A^T D^2 A, its factorization or that of D A, corrections */
  double seconds_assemble, seconds_factor, seconds_refine;
} clLeastSquaresReport;

/** Uploads A. Weights are ones at first.
 *
 * Where A has fewer rows than columns there are many solutions; then it is the shortest one of A x
 * = b, x = A^T y with (A A^T) y = b, factored and refined in the same way. Weights make no
 * difference to it and are refused (TEXLA_BAD_SHAPE), and so is clLeastSquaresSolveNormal; the rank
 * is that of the rows: where it is below their number, those that depend on others are left out,
 * and the residual tells whether x meets them.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param A  compressed; borrowed, it must outlive the object
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clLeastSquaresCreate(clLeastSquares **out, clContext *context,
                                        const clTriplets *A, const clLeastSquaresOptions *options);
/**
 * As clLeastSquaresCreate, for an A that is on the device: nothing of it is uploaded. It is copied
 * there, and read back once for the residuals.
 * @param out  the caller owns it; untouched where the call fails
 * @param A  in 2x2 packing; not kept
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, TEXLA_UNSUPPORTED (another packing), or what the top of this file lists */
TEXLA_API clStatus clLeastSquaresCreateDense(clLeastSquares **out, const clDense *A,
                                             const clLeastSquaresOptions *options);
/** Ends a problem.
 * @param lsq  NULL is allowed */
TEXLA_API void clLeastSquaresDestroy(clLeastSquares *lsq);

/** D <- diag(d), for the solutions that follow; zeros leave observations out. Uploads d.
 * @param lsq  the problem, with at least as many rows as columns
 * @param d  as many as A has rows; copied. NULL: ones
 * @return TEXLA_OK, TEXLA_NOT_FINITE, or what the top of this file lists */
TEXLA_API clStatus clLeastSquaresWeigh(clLeastSquares *lsq, const double *d);
/**
 * As clLeastSquaresWeigh, with weights that are on the device: nothing is uploaded. Blocks: d is
 * read back once.
 * @param lsq  the problem, with at least as many rows as columns
 * @param d  as many as A has rows; copied
 * @return TEXLA_OK, TEXLA_NOT_FINITE, or what the top of this file lists */
TEXLA_API clStatus clLeastSquaresWeighVector(clLeastSquares *lsq, const clVector *d);

/**
 * x <- argmin ||D (b - A x)||_2. Blocks. A rank below the number of columns is no error: the report
 * has it.
 * @param lsq  the problem; it keeps the factor until weights change
 * @param x  <- as many numbers as A has columns; no start value is wanted
 * @param b  as many numbers as A has rows
 * @param report  <- what came of it; NULL is allowed
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED where the tolerance was not met (x is the best reached),
 *         TEXLA_SINGULAR with the method CHOLESKY, or what the top of this file lists */
TEXLA_API clStatus clLeastSquaresSolve(clLeastSquares *lsq, double *x, const double *b,
                                       clLeastSquaresReport *report);
/**
 * x <- (A^T D^2 A)^-1 g: normal equations with any right-hand side, as interior-point methods have
 * them. Blocks.
 * @param lsq  the problem, with at least as many rows as columns
 * @param x  <- as many numbers as A has columns
 * @param g  as many numbers as A has columns
 * @param report  <- what came of it; NULL is allowed
 * @return as clLeastSquaresSolve */
TEXLA_API clStatus clLeastSquaresSolveNormal(clLeastSquares *lsq, double *x, const double *g,
                                             clLeastSquaresReport *report);

#ifdef __cplusplus
}
#endif
#endif
