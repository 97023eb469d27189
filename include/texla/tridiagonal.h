/**
 * @file
 * clTridiagonal (B5): many tridiagonal systems at once.
 *
 *     sub_i x_(i-1) + main_i x_i + super_i x_(i+1) = rhs_i     for i = 0 .. n-1, in each system
 *
 * Operands are grids of nx * ny elements (clVectorCreateGrid). Along x each row of the grid is a
 * system (n = nx, k = ny, system j is row j), along y each column (n = ny, k = nx, system j is
 * column j). sub_0 and super_(n-1) are not used, except in periodic systems, where they couple x_0
 * and x_(n-1); a periodic system of n <= 2 adds up the couplings that meet.
 *
 * Systems are cut into blocks of rows, all blocks of all systems are eliminated at once, and what
 * couples the blocks is a batch of shorter systems (Wang 1981, "A parallel method for tridiagonal
 * equations", ACM TOMS 7; docs/tridiagonal.md). The pivots are those of Gaussian elimination
 * without row exchanges: right for diagonally dominant and for symmetric positive definite systems.
 * clTridiagonalSolveChecked is for all others.
 *
 * Results may alias operands. Nothing waits for the device unless a comment says so. A
 * clTridiagonal belongs to its context's thread.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL), TEXLA_BAD_SHAPE (an operand is not a grid of nx x ny),
 * TEXLA_FOREIGN_CONTEXT, TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY. A failed call leaves its outputs as
 * they were.
 *
 * Ownership: who creates a clTridiagonal destroys it; operands are not kept.
 *
 * @since 0.2 */
#ifndef TEXLA_TRIDIAGONAL_H
#define TEXLA_TRIDIAGONAL_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Many systems of one shape: create / solve, or factor / solve again / destroy. */
typedef struct clTridiagonal clTridiagonal;

/** The axis of a grid along which systems run. */
typedef enum clAxis { TEXLA_AXIS_X, TEXLA_AXIS_Y } clAxis;

/** Zero means default. */
typedef struct clTridiagonalOptions {
  /** along which systems run */
  clAxis axis;
  /** sub_0 couples x_0 to x_(n-1), super_(n-1) couples x_(n-1) to x_0 */
  bool periodic;
  /**
   * one system of nx * ny rows: each row of the grid continues the one before. Along x,
   * nx >= 2 */
  bool folded;
} clTridiagonalOptions;

/**
 * The three diagonals, each a grid or one number for all rows; or all of them and the right-hand
 * side in one vector. */
typedef struct clTridiagonalBands {
  /** NULL: the number below, in every row of every system */
  const clVector *sub, *main, *super;
  /** read where the vector is NULL */
  float sub_value, main_value, super_value;
  /**
   * not NULL: a grid of 4 nx * ny whose texels are (sub, main, super, rhs), so that element (4 j +
   * c, i) is component c of cell (j, i); the vectors above and the right-hand side must be NULL.
   * Along y this is the document's form, a system to a column of texels */
  const clVector *packed;
} clTridiagonalBands;

/** For systems on grids of nx * ny elements.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param nx  columns, at least 1
 * @param ny  rows, at least 1
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clTridiagonalCreate(clTridiagonal **out, clContext *context, int nx, int ny,
                                       const clTridiagonalOptions *options);
/** Ends a clTridiagonal, with the factorization that it holds.
 * @param T  NULL is allowed */
TEXLA_API void clTridiagonalDestroy(clTridiagonal *T);

/**
 * x <- A^-1 rhs for all systems, in one go (LAPACK's gtsv for many, cuSPARSE's gtsv2StridedBatch).
 * Keeps nothing; a factorization that T holds stays.
 * @param T  of their shape
 * @param x  the solutions; may be rhs or one of the bands
 * @param A  the bands; read during the call only
 * @param rhs  right-hand sides; NULL with packed bands
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clTridiagonalSolve(clTridiagonal *T, clVector *x, const clTridiagonalBands *A,
                                      const clVector *rhs);

/** What became of one system. */
typedef enum clTridiagonalState {
  /** x is its solution */
  TEXLA_TRIDIAGONAL_SOLVED,
  /** to working precision: row exchanges in double did not help either. There is no solution */
  TEXLA_TRIDIAGONAL_SINGULAR,
  /** NaN or Inf in a coefficient or in the right-hand side */
  TEXLA_TRIDIAGONAL_NOT_FINITE,
  /**
   * singular, too, but the right-hand side suits it: there are many solutions, and none is
   * chosen */
  TEXLA_TRIDIAGONAL_CONSISTENT
} clTridiagonalState;

/** What became of all systems. */
typedef struct clTridiagonalReport {
  /** systems that were solved again, or tried, with row exchanges */
  int exchanged;
  /** systems without a solution */
  int failed;
  /** the first of them; -1: none */
  int first;
  /** of clTridiagonalSolveHost: how often the device solved */
  int iterations;
  /**
   * Of the others, the largest: max |r_i| / s_i over max |x_i| + max |rhs_i| / s_i, where r = rhs -
   * A x and s_i is the sum of the magnitudes in row i of A. */
  double backward_error;
} clTridiagonalReport;

/**
 * As clTridiagonalSolve, but looks at the solutions: systems whose backward error is not small
 * (they were neither dominant nor definite, and a pivot was too small) are solved again with row
 * exchanges in double on the host. A singular system may have a solution with a small backward
 * error: systems that are not clearly dominant are solved for a second, random right-hand side, and
 * those whose solution is then 1e4 times as large are eliminated in double. A folded system is
 * system 0. Blocks (one read-back, more after exchanges).
 * @param T  of their shape
 * @param x  the solutions; may be rhs or one of the bands
 * @param A  the bands; read during the call only
 * @param rhs  right-hand sides; NULL with packed bands
 * @param report  <- what became of all, also where some are not solved; NULL is allowed
 * @param states  <- one for each system, also then; NULL is allowed
 * @return TEXLA_OK; TEXLA_SINGULAR or TEXLA_NOT_FINITE when some cannot be solved: the message
 *         names the first, their elements of x are zero, and the others are solved. Or what the top
 *         of this file lists */
TEXLA_API clStatus clTridiagonalSolveChecked(clTridiagonal *T, clVector *x,
                                             const clTridiagonalBands *A, const clVector *rhs,
                                             clTridiagonalReport *report,
                                             clTridiagonalState *states);

/**
 * Factors A, for any number of right-hand sides. Multipliers and inverse pivots, five numbers a
 * row, are computed by the first solution (for all systems, even or odd ones); from then on only
 * right-hand sides are eliminated.
 * @param T  of their shape; keeps what it needs. After a failure it has the factorization of before
 * @param A  the bands, not packed; they may change afterwards
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clTridiagonalFactor(clTridiagonal *T, const clTridiagonalBands *A);
/** x <- A^-1 rhs with the last factorization.
 * @param T  that has factored
 * @param x  the solutions; may be rhs
 * @param rhs  right-hand sides
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also: there is no factorization), or what the top of this
 *         file lists */
TEXLA_API clStatus clTridiagonalSolveFactored(clTridiagonal *T, clVector *x, const clVector *rhs);
/**
 * As clTridiagonalSolveFactored, for the systems first, first + 2, first + 4, ...; the others'
 * elements of x stay (zebra lines).
 * @param T  that has factored; not folded
 * @param x  the solutions; may be rhs
 * @param rhs  right-hand sides of all systems
 * @param first  0 or 1
 * @return as clTridiagonalSolveFactored */
TEXLA_API clStatus clTridiagonalSolveZebra(clTridiagonal *T, clVector *x, const clVector *rhs,
                                           int first);

/** k systems of n rows on the host: row i of system j is element j n + i of each array. */
typedef struct clTridiagonalBatch {
  /** k and n, at least 1 */
  int64_t systems, rows;
  /** as clTridiagonalOptions::periodic */
  bool periodic;
  /** k n numbers each; borrowed during the call */
  const double *sub, *main, *super, *rhs;
} clTridiagonalBatch;

/** Zero means default. */
typedef struct clTridiagonalHostOptions {
  /** to double accuracy: residuals in double on the host, corrections on the device */
  bool refine;
  /** 0: 20 */
  int max_iterations;
} clTridiagonalHostOptions;

/**
 * x <- the solutions, in the batch's order. Rows are scaled, so that any doubles will do; more
 * systems than one texture holds are solved one part after the other, longer ones folded (a
 * periodic one whose number of rows has no suitable divisor is eliminated on the host). Systems
 * that the device leaves unsolved are eliminated with row exchanges in double on the host. Blocks.
 * @param context  where
 * @param x  <- k n numbers; must not be part of the batch
 * @param batch  the systems
 * @param options  NULL: defaults
 * @param report  <- what became of all; its backward error is computed in double. NULL is allowed
 * @param states  <- one for each system; NULL is allowed
 * @return TEXLA_OK; TEXLA_SINGULAR and TEXLA_NOT_FINITE as clTridiagonalSolveChecked;
 *         TEXLA_NOT_CONVERGED when some system's backward error stays above 1e-15 after the last
 *         iteration: x is the best then; or what the top of this file lists */
TEXLA_API clStatus clTridiagonalSolveHost(clContext *context, double *x,
                                          const clTridiagonalBatch *batch,
                                          const clTridiagonalHostOptions *options,
                                          clTridiagonalReport *report, clTridiagonalState *states);

#ifdef __cplusplus
}
#endif
#endif
