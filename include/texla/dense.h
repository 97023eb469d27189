/**
 * @file
 * clDense: a dense m x n matrix on the device, and the algebra on it (B1 - B4).
 *
 * **Packing** (how entries share texels; a register block, in the terms of GEMM kernels). In the
 * default one a texel holds a 2 x 2 sub-matrix: texel (j, i) rows 2i and 2i + 1 of columns 2j and
 * 2j + 1, R and G from the first row, B and A from the second. Lanes outside of the matrix always
 * hold zero. Element-wise calls and copies take every packing, all others the default one
 * (clDenseCopy converts). Arrays on the host are row-major. Rows and columns count from 0 in
 * arguments and results; messages count from 1.
 *
 * **Panels.** Factorizations are blocked: a panel is the group of columns that is factored by
 * itself (LAPACK's block size NB) before all that is right of it is updated by one product.
 *
 * **Aliasing.** Destinations come first and may be operands, too, unless a comment forbids it.
 *
 * **Ownership.** Who creates destroys. Operands are not kept by a call, but a clPlu owns what
 * clPluFactors and its other getters return.
 *
 * **Waiting.** Nothing waits for the device except downloads, calls that return numbers, and the
 * first call of a kind whose variants are measured (clContextTuning).
 *
 * **Errors.** All calls: TEXLA_BAD_ARGUMENT (NULL, a value that is not in its list),
 * TEXLA_BAD_SHAPE (sizes that do not fit), TEXLA_FOREIGN_CONTEXT (the message is in the
 * destination's context), TEXLA_UNSUPPORTED (another packing), TEXLA_TOO_LARGE,
 * TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR; comments name others. A call that returns a negative
 * status leaves its outputs as they were. A factor or a value to fill with that is NaN or Inf is
 * TEXLA_NOT_FINITE. Products and solutions that are beyond single precision become Inf on the
 * device; norms, factorizations and echelon forms notice.
 *
 * **Threads.** Objects belong to their context's thread.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_DENSE_H
#define TEXLA_DENSE_H

#include "texla/matrix.h"
#include "texla/scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A dense matrix on the device. */
typedef struct clDense clDense;

/** How entries share texels: rows x columns of the sub-matrix in one texel. */
typedef enum clPacking {
  /** RGBA, ceil(n / 2) x ceil(m / 2) texels */
  TEXLA_PACKING_2X2,
  /** one component, n x m */
  TEXLA_PACKING_1X1,
  /** RGBA, four rows of a column, n x ceil(m / 4) */
  TEXLA_PACKING_4X1,
  /** RGBA, four columns of a row, ceil(n / 4) x m */
  TEXLA_PACKING_1X4
} clPacking;
/** A packing's name: "2x2", "1x1", "4x1", "1x4".
 * @param packing  any value
 * @return a constant; "unknown" for values that are not in the list */
TEXLA_API const char *clPackingName(clPacking packing);

/* ---- Views ----------------------------------------------------------------------------------- */

/**
 * A block of a matrix (a submatrix; a slice without steps): rows row .. row + rows - 1, columns col
 * .. col + cols - 1, counted from 0. It is passed by value, owns nothing and is good for as long as
 * the matrix lives. Blocks that begin at even rows and columns and have even sizes, or end where
 * the matrix ends, are worked on where they are; others are copied on the device first.
 * @since 0.2 */
typedef struct clDenseView {
  /** a call writes to it only where the view is the call's output */
  clDense *matrix;
  /** where the block begins, and its shape */
  int row, col, rows, cols;
} clDenseView;
/** All of A as a view. Checks nothing.
 * @param A  NULL gives a view that calls refuse
 * @return the view
 * @since 0.2 */
TEXLA_API clDenseView clDenseViewAll(const clDense *A);
/** A block of A; whether it lies inside of A is checked by the calls that use it (TEXLA_BAD_SHAPE).
 * @param A  the matrix
 * @param row,col  its first row and column, from 0
 * @param rows,cols  its shape, both at least 1
 * @return the view
 * @since 0.2 */
TEXLA_API clDenseView clDenseViewBlock(const clDense *A, int row, int col, int rows, int cols);

/* ---- Life, transfer -------------------------------------------------------------------------- */

/** A matrix of zeros. Too large ones are refused before allocating.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param rows  at least 1
 * @param cols  at least 1
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseCreate(clDense **out, clContext *context, int rows, int cols);
/** A matrix of zeros in another packing.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param rows  at least 1
 * @param cols  at least 1
 * @param packing  one of the list
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseCreateWithPacking(clDense **out, clContext *context, int rows, int cols,
                                            clPacking packing);
/** Zeros in the shape and packing of another matrix.
 * @param out  the caller owns it; untouched where the call fails
 * @param A  the other one; not read
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseCreateLike(clDense **out, const clDense *A);
/** A copy: shape, packing and entries.
 * @param out  the caller owns it; untouched where the call fails
 * @param A  what is copied
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseClone(clDense **out, const clDense *A);
/** Ends a matrix; its texture waits for reuse.
 * @param A  NULL is allowed */
TEXLA_API void clDenseDestroy(clDense *A);

/** Rows of A.
 * @param A  NULL: 0
 * @return how many */
TEXLA_API int clDenseRows(const clDense *A);
/** Columns of A.
 * @param A  NULL: 0
 * @return how many */
TEXLA_API int clDenseCols(const clDense *A);
/** How entries of A share texels.
 * @param A  NULL: 2 x 2
 * @return the packing */
TEXLA_API clPacking clDensePacking(const clDense *A);
/** Where A lives.
 * @param A  NULL: NULL
 * @return the context that A was created on; not the caller's to destroy */
TEXLA_API clContext *clDenseContext(const clDense *A);

/** a_ij <- values[i * lead + j]. Returns when `values` may be reused.
 * @param A  the destination, in any packing
 * @param values  row by row
 * @param lead  numbers from one row to the next (the leading dimension), at least A's columns
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also: lead is too small), TEXLA_NOT_FINITE, with the
 *         position, where a value is NaN or Inf, or what the top of this file lists */
TEXLA_API clStatus clDenseUpload(clDense *A, const float *values, int64_t lead);
/** values[i * lead + j] <- a_ij; what lies between two rows stays. Blocks.
 * @param A  the source, in any packing
 * @param values  row by row
 * @param lead  numbers from one row to the next, at least A's columns
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also: lead is too small), or what the top of this file
 *         lists */
TEXLA_API clStatus clDenseDownload(const clDense *A, float *values, int64_t lead);
/** A <- T, rounded to single precision; entries at one position are summed.
 * @param A  the destination, of the shape of T, in any packing
 * @param T  need not be compressed
 * @return TEXLA_OK, TEXLA_NOT_FINITE, with the position, where a value or a sum is beyond single
 *         precision, or so small (below 2^-126) that devices take it for zero while its row or its
 *         column has nothing much larger; or what the top of this file lists */
TEXLA_API clStatus clDenseUploadTriplets(clDense *A, const clTriplets *T);
/** *out <- all entries of A, zeros too, row by row. Blocks.
 * @param out  the caller owns it; untouched where the call fails
 * @param A  the source, in any packing
 * @return TEXLA_OK, TEXLA_NOT_FINITE, with the position, where A holds NaN or Inf, or what the top
 *         of this file lists */
TEXLA_API clStatus clDenseDownloadTriplets(clTriplets **out, const clDense *A);

/**
 * A <- the matrix whose columns, one after the other, are x: a_ij = x_k with k = i + rows j. One
 * pass.
 * @param A  the destination, in the default packing
 * @param x  linear (clVectorCreate), with rows * cols elements
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseFromVector(clDense *A, const clVector *x);
/** x <- the columns of A, one after the other: x_k = a_ij with k = i + rows j. One pass.
 * @param x  the destination: linear, with rows * cols elements
 * @param A  the source, in the default packing
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseToVector(clVector *x, const clDense *A);
/** As clDenseFromVector, for blocks: a view of one row or column is a vector.
 * @param A  the block that is written; the rest of its matrix stays
 * @param x  of any layout, with rows * cols elements
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseViewFromVector(clDenseView A, const clVector *x);
/** x <- the columns of the block, one after the other.
 * @param x  the destination, of any layout, with rows * cols elements
 * @param A  the source
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseViewToVector(clVector *x, clDenseView A);

/* ---- Entries --------------------------------------------------------------------------------- */

/** a_ij <- value
 * @param A  the destination, in any packing
 * @param value  finite
 * @return TEXLA_OK, TEXLA_NOT_FINITE, or what the top of this file lists */
TEXLA_API clStatus clDenseFill(clDense *A, float value);
/** a_ij <- value where i = j, else 0.
 * @param A  the destination, of any shape and packing
 * @param value  finite; 1 makes the identity
 * @return TEXLA_OK, TEXLA_NOT_FINITE, or what the top of this file lists */
TEXLA_API clStatus clDenseIdentity(clDense *A, float value);
/** C <- A; this is also the conversion between packings. One pass.
 * @param C  the destination, of A's shape; may be A, and then nothing happens
 * @param A  the source, in any packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseCopy(clDense *C, const clDense *A);
/** C <- A^T, any packings. One pass.
 * @param C  the destination, n x m; may be A where that is square
 * @param A  m x n
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseTranspose(clDense *C, const clDense *A);
/** C <- op(A) for blocks.
 * @param C  the block that is overwritten; the rest of its matrix stays
 * @param op  how A is read
 * @param A  any block of the shape of C (of C^T with TEXLA_TRANSPOSE); it may overlap C
 * @return TEXLA_OK, TEXLA_BAD_SHAPE where the shapes differ or a view reaches outside of its
 *         matrix, or what the top of this file lists. Any packings and offsets
 * @since 0.2 (clDenseCopyBlock before) */
TEXLA_API clStatus clDenseViewCopy(clDenseView C, clTranspose op, clDenseView A);
/** C <- a A + b B
 * @param C  the sum; may be A or B
 * @param a  the factor of A
 * @param A  of C's shape and packing
 * @param b  the factor of B
 * @param B  of C's shape and packing
 * @return TEXLA_OK, TEXLA_NOT_FINITE (a factor), or what the top of this file lists */
TEXLA_API clStatus clDenseAdd(clDense *C, float a, const clDense *A, float b, const clDense *B);
/** c_ij <- a_ij b_ij, entry by entry (Hadamard's product).
 * @param C  the result; may be A or B
 * @param A  of C's shape and packing
 * @param B  of C's shape and packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseMul(clDense *C, const clDense *A, const clDense *B);
/** Which entries of a matrix count: those on the diagonal, and below or above it. */
typedef enum clTriangle { TEXLA_TRIANGLE_LOWER, TEXLA_TRIANGLE_UPPER } clTriangle;
/** C <- the lower or upper triangle of A, zeros elsewhere.
 * @param C  of A's shape and packing, or with fewer columns (lower) or rows (upper): the L and U of
 *         a rectangular factorization. May be A
 * @param triangle  which one
 * @param unit  ones on the diagonal instead of A's
 * @param A  in any packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseTriangle(clDense *C, clTriangle triangle, bool unit, const clDense *A);

/** Norms of matrices. */
typedef enum clNorm {
  /** max |a_ij| */
  TEXLA_NORM_MAX,
  /** the largest column sum of |a_ij| */
  TEXLA_NORM_ONE,
  /** the largest row sum of |a_ij| */
  TEXLA_NORM_INF,
  /** sqrt(sum a_ij^2): entries beyond 1e19 overflow */
  TEXLA_NORM_FROBENIUS
} clNorm;
/**
 * s <- a norm of A, on the device. NaN or Inf in A give such a norm (NaN where the device keeps it:
 * clProbes).
 * @param s  the result
 * @param norm  which one
 * @param A  in the default packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseNorm(clFloat *s, clNorm norm, const clDense *A);

/* ---- Product (B2) ---------------------------------------------------------------------------- */

/** The product C <- alpha op(A) op(B) + beta C (GEMM).
 * @param C  m x n; may be A or B. With beta = 0 its old values do not matter. Where beta is 0 or 1
 *         no second C is allocated
 * @param alpha  with 0, A and B are not read
 * @param a_op  A or its transpose; op(A) is m x k
 * @param A  an operand
 * @param b_op  B or its transpose; op(B) is k x n
 * @param B  an operand
 * @param beta  a factor of the old C
 * @return TEXLA_OK, or what the top of this file lists. The variant is measured at first use on a
 *         device. Integers whose sums stay below 2^24 multiply exactly */
TEXLA_API clStatus clDenseMultiply(clDense *C, float alpha, clTranspose a_op, const clDense *A,
                                   clTranspose b_op, const clDense *B, float beta);
/**
 * As clDenseMultiply, in several passes, each of which adds the terms of a slice of the inner
 * dimension (B2: Brodtkorb's virtual cube). Slower on all devices that were measured: every pass
 * reads and writes C.
 * @param C  m x n; not A or B. After a failure its values are undefined
 * @param alpha  with 0, A and B are not read
 * @param a_op  A or its transpose; op(A) is m x k
 * @param A  an operand
 * @param b_op  B or its transpose; op(B) is k x n
 * @param B  an operand
 * @param beta  a factor of the old C
 * @param passes  at least 1; no more than ceil(k / 2) are made, because a texel has two terms
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.3 */
TEXLA_API clStatus clDenseMultiplyPasses(clDense *C, float alpha, clTranspose a_op,
                                         const clDense *A, clTranspose b_op, const clDense *B,
                                         float beta, int passes);
/** As clDenseMultiply, for blocks.
 * @param C  m x n; the rest of its matrix stays; may overlap A and B
 * @param alpha  with 0, A and B are not read
 * @param a_op  A or its transpose; op(A) is m x k
 * @param A  an operand
 * @param b_op  B or its transpose; op(B) is k x n
 * @param B  an operand
 * @param beta  a factor of the old C
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseViewMultiply(clDenseView C, float alpha, clTranspose a_op, clDenseView A,
                                       clTranspose b_op, clDenseView B, float beta);

/**
 * Many small products at once, in one pass: C_ij <- alpha op(A_ij) op(B_ij) + beta C_ij for the
 * blocks of matrices that are grids of blocks (batched GEMM). For matrices of up to about 64 x 64;
 * a fragment reads both operands, so larger ones are faster one by one.
 * @param C  `down` x `across` blocks of m x n each: block (i, j) begins at row i m and column j n.
 *         It may be A or B. 2 x 2 packed, as A and B
 * @param alpha  a factor
 * @param a_op  how each block of A is read; op(A_ij) is m x k
 * @param A  as many blocks
 * @param b_op  how each block of B is read; op(B_ij) is k x n
 * @param B  as many blocks
 * @param beta  a factor of the old C; with 0 its values do not matter
 * @param down  rows of blocks, at least 1; with more than one, a block's number of rows must be
 *         even
 * @param across  columns of blocks, likewise
 * @return TEXLA_OK, TEXLA_BAD_SHAPE where blocks do not fill a matrix, are odd, or do not fit each
 *         other, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseMultiplyBatch(clDense *C, float alpha, clTranspose a_op, const clDense *A,
                                        clTranspose b_op, const clDense *B, float beta, int down,
                                        int across);

/** y <- alpha op(A) x + beta y (GEMV).
 * @param y  as many elements as op(A) has rows, of any layout; may be x. With beta = 0 its old
 *         values do not matter
 * @param alpha  with 0, A and x are not read
 * @param op  A or its transpose
 * @param A  the block
 * @param x  as many elements as op(A) has columns, of any layout
 * @param beta  a factor of the old y
 * @return TEXLA_OK, TEXLA_NOT_FINITE (a factor), or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseViewMulVector(clVector *y, float alpha, clTranspose op, clDenseView A,
                                        const clVector *x, float beta);
/** A <- A + alpha x y^T (GER).
 * @param A  the block that is changed
 * @param alpha  with 0 nothing happens
 * @param x  as many elements as A has rows, of any layout
 * @param y  as many elements as A has columns, of any layout; may be x
 * @return TEXLA_OK, TEXLA_NOT_FINITE (alpha), or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clDenseViewAddOuter(clDenseView A, float alpha, const clVector *x,
                                       const clVector *y);

/**
 * A clMatrix that reads a dense matrix where it lies, for clMatrixVectorOp and clSolver: nothing is
 * copied, and products see what has been written to A meanwhile. (A view that is not whole texels
 * is copied for each product: see clDenseView.)
 * @param out  the caller owns it; untouched where the call fails. Its vectors are linear, its
 *         storage is dense; right-hand sides are solved one at a time, and there is no residual in
 *         double-float
 * @param A  in the default packing; its matrix must outlive *out
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clMatrixFromDense(clMatrix **out, clDenseView A);

/* ---- Elimination (B3, B4) -------------------------------------------------------------------- */

/** Which entry an elimination divides by. */
typedef enum clPivoting {
  /** the largest magnitude of the column; single rows change places */
  TEXLA_PIVOT_PARTIAL,
  /** the largest magnitude of what is left */
  TEXLA_PIVOT_COMPLETE,
  /**
   * 2 x 2 blocks (B3), largest |a11 a22 / (a11 + a22)|; single rows where no block has two
   * pivots */
  TEXLA_PIVOT_BLOCK_HARM,
  /** ... largest |a11 a22| */
  TEXLA_PIVOT_BLOCK_GEOM,
  /** the first row left: many regular matrices have no such factorization */
  TEXLA_PIVOT_NONE
} clPivoting;
/** A pivoting's name: "partial", "complete", "block-harm", "block-geom", "none".
 * @param pivoting  any value
 * @return a constant; "unknown" for values that are not in the list */
TEXLA_API const char *clPivotingName(clPivoting pivoting);

/** Zero means default. */
typedef struct clEliminationOptions {
  /** default: partial */
  clPivoting pivoting;
  /**
   * Pivots whose magnitude is not above it do not count for ranks. 0: 10 max(m, n) 2^-23 max
   * |s_ij|, where S is the equilibrated A; clPlu then still eliminates with all pivots but exact
   * zeros. Positive: for A as it is, which is not equilibrated then; such pivots are replaced by
   * zeros. Negative: only exact zeros. */
  double tolerance;
} clEliminationOptions;

/** R <- the reduced row echelon form of A (Gauss-Jordan, B3). Blocks when it ends.
 *
 * A is equilibrated first, so that the rank does not depend on units; R is that of A itself, for
 * every pivoting: complete pivoting permutes columns only while it works.
 * @param R  of the shape of A; may be A
 * @param A  any shape
 * @param options  NULL: defaults
 * @param rank  <- the number of pivots; NULL is allowed
 * @param pivot_cols  room for min(m, n); the first *rank are set to the columns of the pivots, from
 *         0; NULL is allowed
 * @return TEXLA_OK, TEXLA_NOT_FINITE where A holds NaN or Inf, or R would, or what the top of this
 *         file lists */
TEXLA_API clStatus clDenseRref(clDense *R, const clDense *A, const clEliminationOptions *options,
                               int *rank, int *pivot_cols);

/** X <- A^-1. Blocks.
 * @param X  of A's shape; may be A
 * @param A  square
 * @param options  NULL: defaults
 * @return TEXLA_OK, TEXLA_SINGULAR where a pivot is zero (or, with a tolerance, up to it),
 *         TEXLA_NOT_FINITE as clPluFactor, or what the top of this file lists */
TEXLA_API clStatus clDenseInverse(clDense *X, const clDense *A,
                                  const clEliminationOptions *options);

/** X <- A^-1 B in one call (LAPACK's gesv), any number of right-hand sides. Blocks.
 * @param X  of B's shape; may be B
 * @param A  square
 * @param B  as many rows as A
 * @param options  NULL: defaults
 * @return as clDenseInverse
 * @since 0.2 */
TEXLA_API clStatus clDenseSolve(clDense *X, const clDense *A, const clDense *B,
                                const clEliminationOptions *options);

/**
 * det A = sign * exp(log_magnitude). Sign is 0, and log_magnitude -Inf, when a pivot is zero; value
 * is 0 or Inf where it is out of range. */
typedef struct clDeterminant {
  /** the number itself, and the natural logarithm of its magnitude */
  double value, log_magnitude;
  /** -1, 0, 1 */
  int sign;
} clDeterminant;
/** *out <- det A. Blocks.
 * @param out  <- the determinant; untouched where the call fails
 * @param A  square
 * @param options  NULL: defaults
 * @return TEXLA_OK, also where a pivot is zero; TEXLA_NOT_FINITE as clPluFactor; TEXLA_SINGULAR
 *         only where, without pivoting, there are no factors; or what the top of this file lists
 * @since 0.1; options 0.2 */
TEXLA_API clStatus clDenseDeterminant(clDeterminant *out, const clDense *A,
                                      const clEliminationOptions *options);

/** On which side of the unknown a matrix stands. @since 0.2 */
typedef enum clDenseSide { TEXLA_DENSE_LEFT, TEXLA_DENSE_RIGHT } clDenseSide;

/**
 * Solves with a triangular matrix (TRSM): X <- alpha op(T)^-1 B (TEXLA_DENSE_LEFT) or X <- alpha B
 * op(T)^-1 (TEXLA_DENSE_RIGHT).
 * @param X  n x k (left) or k x n (right); may be B or T
 * @param side  where T stands
 * @param triangle  which triangle of T counts; the other one is not read
 * @param unit  T's diagonal counts as ones, and is not read
 * @param op  T or its transpose
 * @param alpha  with 0, X becomes zero
 * @param T  n x n
 * @param B  of the shape of X
 * @return TEXLA_OK, TEXLA_SINGULAR when the diagonal has a zero (for which this call waits for the
 *         device), or what the top of this file lists
 * @since 0.1; side and alpha 0.2 */
TEXLA_API clStatus clDenseTriangularSolve(clDense *X, clDenseSide side, clTriangle triangle,
                                          bool unit, clTranspose op, float alpha, const clDense *T,
                                          const clDense *B);
/** As clDenseTriangularSolve, for blocks.
 * @param X  n x k (left) or k x n (right); the rest of its matrix stays; may overlap B and T
 * @param side  where T stands
 * @param triangle  which triangle of T counts; the other one is not read
 * @param unit  T's diagonal counts as ones, and is not read
 * @param op  T or its transpose
 * @param alpha  with 0, X becomes zero
 * @param T  n x n
 * @param B  of the shape of X
 * @return as clDenseTriangularSolve
 * @since 0.2 */
TEXLA_API clStatus clDenseViewTriangularSolve(clDenseView X, clDenseSide side, clTriangle triangle,
                                              bool unit, clTranspose op, float alpha, clDenseView T,
                                              clDenseView B);

/**
 * PLU (B4), blocked, for any m x n; create / factor / solve / get / destroy.
 *
 * What is factored is the equilibrated matrix S = R A C, with diagonal matrices R and C of powers
 * of two: P S = L U, with complete pivoting P S Q = L U. R and C are identities where the rows and
 * columns of A are of about one, moderate size (their largest entries within a factor of 8, and
 * between 2^-40 and 2^40). Solutions, inverse, determinant and refinement are those of A. */
typedef struct clPlu clPlu;

/** How a matrix is factored. Zero means default. */
typedef struct clPluOptions {
  /** pivoting and tolerance */
  clEliminationOptions elimination;
  /**
   * columns between two updates of all that is right of them, rounded up to multiples of 30; 0:
   * what suits the device */
  int panel;
} clPluOptions;

/** What a factorization of S has found. */
typedef struct clPluReport {
  /** an estimate: pivots above the tolerance; where some are not, those of the row echelon form */
  int rank;
  /** max |u_ij| / max |s_ij| */
  double growth;
  /** the magnitudes of the pivots of S */
  double smallest_pivot, largest_pivot;
} clPluReport;

/** A factorization for matrices of one shape. All memory is allocated here.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param rows  at least 1
 * @param cols  at least 1
 * @param options  NULL: defaults; copied
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPluCreate(clPlu **out, clContext *context, int rows, int cols,
                               const clPluOptions *options);
/** Ends a factorization, with all that its getters have returned.
 * @param plu  NULL is allowed */
TEXLA_API void clPluDestroy(clPlu *plu);

/** Factors A, which stays as it is; may be called again with another matrix. Blocks when it ends.
 * @param plu  of A's shape; after a negative status it has no factors
 * @param A  any matrix
 * @param report  <- what was found; NULL is allowed; set where the status is not negative
 * @return TEXLA_OK: no pivot is zero, and a square A can be solved with, however small the estimate
 *         of the rank is (clPluCondition and refinement tell what the solutions are worth).
 *         TEXLA_RANK_DEFICIENT: a pivot is zero; the factors hold all the same. TEXLA_NOT_FINITE: A
 *         holds NaN or Inf, or entries grew beyond single precision. TEXLA_SINGULAR: without
 *         pivoting, a pivot is zero. Or what the top of this file lists
 * @since 0.1; equilibration and the status 0.2 */
TEXLA_API clStatus clPluFactor(clPlu *plu, const clDense *A, clPluReport *report);

/**
 * L (unit, below the diagonal) and U (on and above) of S in one matrix, as LAPACK's getrf has them.
 * @param plu  NULL: NULL
 * @return m x n, owned by the factorization; overwritten by the next clPluFactor, and nothing
 *         before the first one */
TEXLA_API const clDense *clPluFactors(const clPlu *plu);
/** The permutation of rows: row i of P S is row p[i] of S. (LAPACK's IPIV lists exchanges instead.)
 * @param plu  NULL: NULL
 * @return m numbers p, owned by the factorization */
TEXLA_API const int32_t *clPluRows(const clPlu *plu);
/** The permutation of columns: column j of S Q is column q[j] of S.
 * @param plu  NULL: NULL
 * @return n numbers q, owned by the factorization; NULL unless pivoting is complete */
TEXLA_API const int32_t *clPluCols(const clPlu *plu);
/** The diagonal of R.
 * @param plu  NULL: NULL
 * @return m powers of two, owned by the factorization
 * @since 0.2 */
TEXLA_API const double *clPluRowScale(const clPlu *plu);
/** The diagonal of C.
 * @param plu  NULL: NULL
 * @return n powers of two, owned by the factorization
 * @since 0.2 */
TEXLA_API const double *clPluColScale(const clPlu *plu);
/** L and U of A itself: P A Q = L U. Blocks.
 * @param plu  factors of A
 * @param L  <- m x min(m, n), unit lower triangular; NULL: not wanted
 * @param U  <- min(m, n) x n, upper triangular; NULL: not wanted
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (there are no factors), TEXLA_NOT_FINITE where they are
 *         beyond single precision, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clPluSplit(const clPlu *plu, clDense *L, clDense *U);
/** C <- P B, or with TEXLA_TRANSPOSE P^T B.
 * @param plu  factors of a matrix with m rows
 * @param op  P or its transpose
 * @param C  of B's shape; may be B
 * @param B  m rows, in the default packing
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (there are no factors), or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clPluPermute(const clPlu *plu, clTranspose op, clDense *C, const clDense *B);

/** X <- op(A)^-1 B (LAPACK's getrs), any number of right-hand sides. Nothing is waited for.
 * @param plu  factors of a square A
 * @param op  A or its transpose
 * @param X  of B's shape; may be B
 * @param B  as many rows as A
 * @return TEXLA_OK, TEXLA_SINGULAR where a pivot is zero, TEXLA_BAD_ARGUMENT (there are no
 *         factors), or what the top of this file lists */
TEXLA_API clStatus clPluSolve(const clPlu *plu, clTranspose op, clDense *X, const clDense *B);
/** X <- A^-1
 * @param plu  factors of a square A
 * @param X  of A's shape
 * @return as clPluSolve
 * @since 0.2 */
TEXLA_API clStatus clPluInverse(const clPlu *plu, clDense *X);
/** *out <- det A. Does not wait: the pivots are known.
 * @param out  <- the determinant; a zero pivot makes it zero
 * @param plu  factors of a square A
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (there are no factors), TEXLA_BAD_SHAPE (A is not square)
 * @since 0.2 */
TEXLA_API clStatus clPluDeterminant(clDeterminant *out, const clPlu *plu);

/**
 * *rcond <- an estimate of 1 / (||S|| ||S^-1||), by Higham's estimator: a few solves (LAPACK's
 * gecon). Blocks.
 * @param plu  factors of a square A
 * @param norm  TEXLA_NORM_ONE or TEXLA_NORM_INF
 * @param rcond  <- the estimate, at most 1
 * @return TEXLA_OK, TEXLA_SINGULAR where a pivot is zero, or what the top of this file lists
 * @since 0.1; the norm 0.2 */
TEXLA_API clStatus clPluCondition(const clPlu *plu, clNorm norm, double *rcond);

/** What refinement has reached. */
typedef struct clRefineReport {
  /** corrections that were made */
  int iterations;
  /** ||b - A x||_2 / ||b||_2 */
  double residual;
  /** max_i |b - A x|_i / (|A| |x| + |b|)_i */
  double backward_error;
  /** a bound of max |x - x*| / max |x|, from the residual and the factors */
  double forward_error;
} clRefineReport;
/** Zero means default. */
typedef struct clRefineOptions {
  /** on backward_error; 0: 1e-15 */
  double tolerance;
  /** 0: 30 */
  int max_iterations;
} clRefineOptions;
/**
 * Iterative refinement to double accuracy of op(A) x = b, with the factors of A in single precision
 * (mixed precision, as LAPACK's dsgesv). Residuals are computed in double; where a correction does
 * not halve the backward error, because the factors are too inexact, corrections become search
 * directions of a generalized conjugate residual method (GCR). Blocks.
 * @param plu  factors of a square A
 * @param op  A or its transpose
 * @param A  what was factored, in double, compressed
 * @param x  n numbers; in: the start (zeros are fine), out: the solution. Not b
 * @param b  n numbers
 * @param options  NULL: defaults
 * @param report  <- what was reached; NULL is allowed
 * @return TEXLA_OK, TEXLA_NOT_CONVERGED when the correction stops shrinking before the tolerance is
 *         met: x is the best reached. TEXLA_NOT_FINITE where x or b are not finite; TEXLA_SINGULAR
 *         where a pivot is zero; or what the top of this file lists */
TEXLA_API clStatus clPluRefine(const clPlu *plu, clTranspose op, const clTriplets *A, double *x,
                               const double *b, const clRefineOptions *options,
                               clRefineReport *report);
/** As clPluRefine, for several right-hand sides, corrected all at once.
 * @param plu  factors of a square A
 * @param op  A or its transpose
 * @param A  what was factored, in double, compressed
 * @param count  right-hand sides, at least 1
 * @param x  n * count numbers, one vector after the other; in: the start, out: the solutions. Not b
 * @param b  n * count numbers, likewise
 * @param options  NULL: defaults
 * @param reports  <- `count` of them; NULL: none are wanted
 * @return TEXLA_NOT_CONVERGED where one of them has not; else as clPluRefine
 * @since 0.2 */
TEXLA_API clStatus clPluRefineMany(const clPlu *plu, clTranspose op, const clTriplets *A, int count,
                                   double *x, const double *b, const clRefineOptions *options,
                                   clRefineReport *reports);
/**
 * As clPluRefineMany, with A as it is on the device: the solution of that matrix, of
 * single-precision entries, to double accuracy. A is read back.
 * @param plu  factors of a square A
 * @param op  A or its transpose
 * @param A  what was factored
 * @param count  right-hand sides, at least 1
 * @param x  n * count numbers, one vector after the other; in: the start, out: the solutions. Not b
 * @param b  n * count numbers, likewise
 * @param options  NULL: defaults
 * @param reports  <- `count` of them; NULL: none are wanted
 * @return as clPluRefineMany
 * @since 0.2 */
TEXLA_API clStatus clPluRefineDense(const clPlu *plu, clTranspose op, const clDense *A, int count,
                                    double *x, const double *b, const clRefineOptions *options,
                                    clRefineReport *reports);

#ifdef __cplusplus
}
#endif
#endif
