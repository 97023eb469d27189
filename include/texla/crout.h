/**
 * @file
 * Crout's factorization A = L U without pivoting (C1, C2; Cejka 2022): L lower triangular, U upper
 * triangular with ones on its diagonal. Both stand in one matrix Z: L on and below the diagonal, U
 * above it, the ones are not stored.
 *
 *     z_ij = a_ij - sum over k < j of z_ik z_kj              for i >= j
 *     z_ij = (a_ij - sum over k < i of z_ik z_kj) / z_ii     for i <  j
 *
 * clCroutHost computes it in order, on the CPU. clCrout takes the same formulas as a fixed-point
 * iteration on the device: all entries of a section are computed at once from those of the sweep
 * before, again and again until nothing changes. An entry depends only on entries above it and to
 * its left, so that the iteration ends after finitely many sweeps with exactly the values that the
 * formulas define, whatever it started from; for a dense matrix that takes about as many sweeps as
 * it has rows, for a sparse one as many as its longest chain of dependencies. Tiles of 8 x 8
 * entries in place of entries make that an eighth of the sweeps, and tell beforehand after which
 * sweep each of them is final (clCroutSweep).
 *
 * Nothing is pivoted: only matrices whose leading principal minors differ from zero have such
 * factors (dominant and positive definite ones do). clPlu (dense.h) is for all others.
 *
 * Errors: each call lists its own. A failed call leaves its outputs as they were, but where a
 * comment says otherwise.
 *
 * Ownership: who creates destroys. Aliasing: as comments say, else destinations are no operands.
 *
 * Waiting: clCroutFactor and clCroutRefine block.
 *
 * Threads: a clCrout belongs to its context's thread; what takes arrays may be called by any
 * thread.
 *
 * @since 0.2 */
#ifndef TEXLA_CROUT_H
#define TEXLA_CROUT_H

#include "texla/dense.h"
#include "texla/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Scaling of a matrix by powers of two before it is factored; the factors are scaled back, so that
 * they are those of A. */
typedef enum clCroutScaling {
  /** A as it is (default) */
  TEXLA_CROUT_SCALE_NONE,
  /** the largest magnitude of each row is brought into [1/2, 1) */
  TEXLA_CROUT_SCALE_ROWS,
  /** of each column */
  TEXLA_CROUT_SCALE_COLS,
  /** of the rows, then of the columns */
  TEXLA_CROUT_SCALE_BOTH
} clCroutScaling;

/**
 * Z <- the factors of A by Crout's method (C1), in order, on one CPU core, in double. No context is
 * needed.
 *
 * @param Z      n x n numbers, row by row: z_ij = Z[i * n + j]. May be A.
 * @param A      n x n numbers, row by row
 * @param n      at least 1
 * @param scaling one of the list; an exact change of units, which keeps products from over- or
 *         underflowing
 * @param pivot  may be NULL; where the status is TEXLA_SINGULAR, the index (from 0) of the first
 *         pivot z_ii that is zero or not finite
 * @param error  may be NULL
 * @return TEXLA_OK; TEXLA_SINGULAR (Z then holds what was computed before that pivot);
 *         TEXLA_NOT_FINITE for NaN or Inf in A; TEXLA_BAD_ARGUMENT; TEXLA_OUT_OF_MEMORY
 * @since 0.2 */
TEXLA_API clStatus clCroutHost(double *Z, const double *A, int n, clCroutScaling scaling,
                               int *pivot, clError *error);
/** As clCroutHost, in single precision.
 * @param Z  n x n numbers, row by row. May be A
 * @param A  n x n numbers, row by row
 * @param n  at least 1
 * @param scaling  one of the list
 * @param pivot  <- where the status is TEXLA_SINGULAR, the index (from 0) of the first bad pivot;
 *         NULL is allowed
 * @param error  says why it failed; NULL is allowed
 * @return as clCroutHost
 * @since 0.2 */
TEXLA_API clStatus clCroutHostFloat(float *Z, const float *A, int n, clCroutScaling scaling,
                                    int *pivot, clError *error);

/**
 * L <- the lower triangle of Z with the diagonal, U <- the upper one with ones on its diagonal: A =
 * L U. No context is needed.
 *
 * @param L     n x n numbers, row by row; may be Z
 * @param U     n x n numbers; may be Z, but not L
 * @param Z     from clCroutHost
 * @param n     at least 1
 * @param error may be NULL
 * @return TEXLA_OK; TEXLA_BAD_ARGUMENT
 * @since 0.2 */
TEXLA_API clStatus clCroutHostSplit(double *L, double *U, const double *Z, int n, clError *error);
/** As clCroutHostSplit, in single precision.
 * @param L  n x n numbers, row by row; may be Z
 * @param U  n x n numbers; may be Z, but not L
 * @param Z  from clCroutHostFloat
 * @param n  at least 1
 * @param error  says why it failed; NULL is allowed
 * @return as clCroutHostSplit
 * @since 0.2 */
TEXLA_API clStatus clCroutHostFloatSplit(float *L, float *U, const float *Z, int n, clError *error);

/** In which order sections are made to converge. */
typedef enum clCroutOrder {
  /** all sections of an anti-diagonal at once (default) */
  TEXLA_CROUT_ORDER_ANTIDIAGONALS,
  /** as the document has it: a section of the diagonal, then pairs below and right of it */
  TEXLA_CROUT_ORDER_SEQUENTIAL
} clCroutOrder;

/** What a sweep over a section computes. */
typedef enum clCroutSweep {
  /**
   * tiles of 8 x 8 entries all of whose inputs are final, each to its own fixed point; as many
   * sweeps as the longest chain of tiles, known beforehand from the pattern (default) */
  TEXLA_CROUT_SWEEP_TILES,
  /**
   * as the document has it: every entry from the entries of the sweep before, until nothing
   * changes */
  TEXLA_CROUT_SWEEP_ENTRIES
} clCroutSweep;

/** Zero means default everywhere. @since 0.2 */
typedef struct clCroutOptions {
  /**
   * rows of a square section, rounded up to an even number; 0: n / 10, but at least 256 and at most
   * 1024 */
  int section;
  /** of the sections */
  clCroutOrder order;
  /** of tiles or of entries */
  clCroutSweep sweep;
  /** entries: a section has converged when none changes by more; 0: when none changes at all */
  double tolerance;
  /** of a section; 0: as many as can change anything (entries: 2 s - 1 for a section of s rows) */
  int max_sweeps;
} clCroutOptions;

/** What a factorization took. */
typedef struct clCroutReport {
  /**
   * converged; max_iterations; breakdown: a zero pivot; diverged: values that are not finite and
   * stay so */
  clReason reason;
  /**
   * breakdown, diverged: index (from 0) of the first pivot that is zero (or below 2^-126) or not
   * finite, or of the first one where all are below 2^-102, so that what underflows is not small
   * beside them; otherwise -1 */
  int pivot;
  /** rows of a section */
  int section;
  /** how many there are */
  int sections;
  /** sections that were never drawn, since A and its factors are zero there */
  int skipped;
  /** of any section */
  int most_sweeps;
  /** of all sections together */
  int64_t sweeps;
  /** of this factorization */
  int64_t passes;
} clCroutReport;

/** A factorization on the device: create / factor / get / solve / destroy. */
typedef struct clCrout clCrout;

/** Allocates for n x n matrices: three textures of their size.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives, and whose thread uses it
 * @param n  rows and columns, at least 1
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY
 * @since 0.2 */
TEXLA_API clStatus clCroutCreate(clCrout **out, clContext *context, int n,
                                 const clCroutOptions *options);
/** Ends a factorization, with what clCroutFactors has returned.
 * @param crout  NULL is allowed */
TEXLA_API void clCroutDestroy(clCrout *crout);

/** Factors A; may be called again with another matrix. Blocks.
 * @param crout  from clCroutCreate
 * @param A  n x n in 2 x 2 packing, which stays as it is
 * @param report  <- what it took; NULL is allowed
 * @return TEXLA_OK; TEXLA_SINGULAR for the reasons breakdown and diverged (also where A holds NaN
 *         or Inf); TEXLA_NOT_CONVERGED for max_iterations (clCroutFactors then has what was
 *         reached); TEXLA_BAD_ARGUMENT, TEXLA_BAD_SHAPE, TEXLA_FOREIGN_CONTEXT, TEXLA_UNSUPPORTED
 *         (another packing), TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clCroutFactor(clCrout *crout, const clDense *A, clCroutReport *report);

/** Z, as the top of this file has it.
 * @param crout  NULL: NULL
 * @return n x n, owned by the factorization, valid until the next one; NULL before clCroutFactor */
TEXLA_API const clDense *clCroutFactors(const clCrout *crout);

/**
 * L <- the lower triangle with the diagonal, U <- the upper one with ones on its diagonal. On the
 * device.
 * @param crout  whose factorization has converged
 * @param L  n x n in 2 x 2 packing; where only U is wrong it is written all the same
 * @param U  n x n in 2 x 2 packing; not L
 * @return TEXLA_OK; TEXLA_BAD_ARGUMENT (also: there are no factors), TEXLA_BAD_SHAPE,
 *         TEXLA_FOREIGN_CONTEXT, TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clCroutSplit(const clCrout *crout, clDense *L, clDense *U);

/** X <- op(A)^-1 B, any number of right-hand sides (columns). Nothing is waited for.
 * @param crout  whose factorization has converged
 * @param op  A or its transpose
 * @param X  of B's shape; may be B
 * @param B  n rows, in 2 x 2 packing
 * @return TEXLA_OK; TEXLA_BAD_ARGUMENT (also: there are no factors), TEXLA_BAD_SHAPE,
 *         TEXLA_FOREIGN_CONTEXT, TEXLA_UNSUPPORTED (another packing), TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clCroutSolve(const clCrout *crout, clTranspose op, clDense *X, const clDense *B);

/**
 * Iterative refinement to double accuracy of op(A) x = b for `count` right-hand sides, with the
 * factors in single precision, as clPluRefineMany (dense.h), which see for the meaning of all but
 * the factors; corrections that do not halve the error become search directions, so that also
 * factors of little accuracy, of a matrix that wanted pivoting, lead to a solution. Blocks.
 * @param crout   factors of A
 * @param op      A or its transpose
 * @param A       what was factored, in double, compressed
 * @param count   right-hand sides, one after the other in x and b
 * @param x       in: start values, out: solutions
 * @param b       n * count numbers
 * @param options may be NULL
 * @param reports `count` of them; may be NULL
 * @return TEXLA_NOT_CONVERGED where the tolerance is not met by all; x is then the best that was
 *         reached
 * @since 0.2 */
TEXLA_API clStatus clCroutRefine(const clCrout *crout, clTranspose op, const clTriplets *A,
                                 int count, double *x, const double *b,
                                 const clRefineOptions *options, clRefineReport *reports);

#ifdef __cplusplus
}
#endif
#endif
