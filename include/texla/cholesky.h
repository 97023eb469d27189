/**
 * @file
 * Cholesky factorization (J3): A = L L^T for symmetric positive definite A, in full or in packed
 * storage, and what it is good for.
 *
 * create / factor / solve / condition / refine / determinant / destroy, in the manner of clPlu.
 * Only the lower triangle of A is read. A is scaled symmetrically by powers of two so that its
 * diagonal is near 1, which costs no accuracy; so badly scaled matrices are factored as well as
 * others. A pivot that is not above the tolerance is reported with its column: A is not positive
 * definite, or not to single precision. Objects belong to their context's thread. @since 0.2 */
#ifndef TEXLA_CHOLESKY_H
#define TEXLA_CHOLESKY_H

#include "texla/triangle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clCholesky clCholesky;

/** Zero means default. */
typedef struct clCholeskyOptions {
  /** L is held in rectangular packed format: half the memory, the same factor */
  bool packed;
  /**
   * BLOCKED; or COLUMNS: for each column the paper's three kernels (square root, normalization,
   * subtraction of an outer product over one or two triangles), single entries in texels */
  clTriangleMethod method;
  /**
   * pivots up to it, relative to A's diagonal entry, count as not positive; negative: 0. 0: max(4,
   * sqrt(n)) 2^-23; and where the factor's condition says that a positive pivot may be rounding, A
   * is factored once more on the host, in double, and is refused where a pivot vanishes there */
  double tolerance;
} clCholeskyOptions;

typedef struct clCholeskyReport {
  /** -1, or the column, from 0 on, whose pivot was not positive */
  int column;
  /** of L's diagonal, before the column that failed */
  double smallest_pivot, largest_pivot;
} clCholeskyReport;

/** For matrices of order n. The caller owns *out. `options` may be NULL. */
TEXLA_API clStatus clCholeskyCreate(clCholesky **out, clContext *context, int n,
                                    const clCholeskyOptions *options);
/** NULL is allowed */
TEXLA_API void clCholeskyDestroy(clCholesky *cholesky);

/**
 * Factors A, in 2x2 or 1x1 packing; may be called again. TEXLA_SINGULAR, a message with the column
 * (from 1 on) and the report's column where A is not positive definite; then, and after any other
 * failure, the factor before stays as it was. `report` may be NULL. Blocks when it ends. */
TEXLA_API clStatus clCholeskyFactor(clCholesky *cholesky, const clDense *A,
                                    clCholeskyReport *report);
/** The same of a packed A. */
TEXLA_API clStatus clCholeskyFactorPacked(clCholesky *cholesky, const clPacked *A,
                                          clCholeskyReport *report);

/** L <- the factor: n x n, zeros above the diagonal, in 2x2 or 1x1 packing. */
TEXLA_API clStatus clCholeskyLower(const clCholesky *cholesky, clDense *L);
/** The same into a packed triangle. */
TEXLA_API clStatus clCholeskyLowerPacked(const clCholesky *cholesky, clPacked *L);

/** X <- A^-1 B, any number of right-hand sides. X may be B. */
TEXLA_API clStatus clCholeskySolve(const clCholesky *cholesky, clDense *X, const clDense *B);
/** X <- L^-1 B, or with op TRANSPOSED L^-T B: half of a solution. */
TEXLA_API clStatus clCholeskySolveHalf(const clCholesky *cholesky, clTranspose op, clDense *X,
                                       const clDense *B);

/** *rcond <- an estimate of 1 / (||A||_1 ||A^-1||_1), Higham's estimator. Blocks. */
TEXLA_API clStatus clCholeskyCondition(const clCholesky *cholesky, double *rcond);
/** det A = prod l_ii^2, sign 1. Blocks. */
TEXLA_API clStatus clCholeskyDeterminant(const clCholesky *cholesky, clDeterminant *out);

/**
 * Iterative refinement as clPluRefine: A, both triangles, compressed, in double, b and x on the
 * host; x: in: start value, out: solution. TEXLA_NOT_CONVERGED when the tolerance on the backward
 * error was not met; x is the best reached. */
TEXLA_API clStatus clCholeskyRefine(const clCholesky *cholesky, const clTriplets *A, double *x,
                                    const double *b, const clRefineOptions *options,
                                    clRefineReport *report);

#ifdef __cplusplus
}
#endif
#endif
