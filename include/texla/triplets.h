/**
 * @file
 * clTriplets: a sparse matrix on the host, in coordinate form (COO: row, column, value) and double
 * precision.
 *
 * The common currency between files, generators, the storages of clMatrix and the double-precision
 * residual. It knows nothing of OpenGL and needs no context. After clTripletsCompress (readers and
 * generators do it) the entries are sorted by row, then column, and every position occurs once.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, positions out of range), TEXLA_NOT_FINITE, TEXLA_OUT_OF_MEMORY,
 * TEXLA_TOO_LARGE (more entries than memory can number). The message is in the caller's `error`,
 * which may be NULL. A failed call leaves its outputs and A as they were.
 *
 * Threads: any thread, one at a time for a matrix that is written; calls that only read one may run
 * at once. Residuals and symmetry use several threads themselves.
 *
 * Ownership: who creates a matrix destroys it; its arrays are its own.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_TRIPLETS_H
#define TEXLA_TRIPLETS_H

#include <stdbool.h>
#include <stdint.h>

#include "texla/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** op(A) = A or A^T, as TRANS = 'N' or 'T' in BLAS; for dense, sparse and triangular matrices. */
typedef enum clTranspose { TEXLA_NO_TRANSPOSE, TEXLA_TRANSPOSE } clTranspose;

/**
 * The matrix. A program may read and change its arrays itself; they were allocated by malloc, and
 * rows and columns count from 0. */
typedef struct clTriplets {
  /** the shape, both at least 1 */
  int32_t rows, cols;
  /** entries held, entries allocated */
  int64_t count, capacity;
  /** `count` numbers each: entry k is value[k] in row row[k] and column col[k] */
  int32_t *row, *col;
  /** finite */
  double *value;
} clTriplets;

/** An empty matrix.
 * @param out  the caller owns it
 * @param rows  at least 0 (1 before 0.3)
 * @param cols  at least 0 (1 before 0.3)
 * @param capacity  room for so many entries at first, at least 0; it grows
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clTripletsCreate(clTriplets **out, int32_t rows, int32_t cols, int64_t capacity,
                                    clError *error);
/** Frees the matrix with its arrays.
 * @param A  NULL is allowed */
TEXLA_API void clTripletsDestroy(clTriplets *A);

/** Appends the entry a_ij = value; duplicates are summed by clTripletsCompress.
 * @param A  grows
 * @param i  row, from 0
 * @param j  column, from 0
 * @param value  finite
 * @param error  says why it failed; NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (outside of the matrix), TEXLA_NOT_FINITE, TEXLA_TOO_LARGE,
 *         TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clTripletsAdd(clTriplets *A, int32_t i, int32_t j, double value, clError *error);

/** Appends many entries at once: a_{row_k, col_k} = value_k for k < count; all of them or none.
 * @param A  grows; unchanged where the call fails
 * @param count  at least 0; with 0 the arrays may be NULL
 * @param row,col  0-based positions, `count` each, in range
 * @param value  `count` finite numbers
 * @param error  NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (names the first position out of range), TEXLA_NOT_FINITE,
 *         TEXLA_TOO_LARGE, TEXLA_OUT_OF_MEMORY
 * @since 0.2 */
TEXLA_API clStatus clTripletsAddMany(clTriplets *A, int64_t count, const int32_t *row,
                                     const int32_t *col, const double *value, clError *error);

/**
 * A matrix from compressed rows (CSR): the entries of row i are those from start[i] to start[i + 1]
 * - 1. Columns may stand in any order within a row, and more than once (they are summed): *out is
 * compressed.
 * @param out  the caller owns it; untouched where the call fails
 * @param rows  at least 0 (1 before 0.3)
 * @param cols  at least 0 (1 before 0.3)
 * @param start  rows + 1 positions, from 0 on, never decreasing
 * @param col  start[rows] 0-based columns
 * @param value  start[rows] finite numbers
 * @param error  NULL is allowed
 * @return as clTripletsAddMany
 * @since 0.2 */
TEXLA_API clStatus clTripletsFromCsr(clTriplets **out, int32_t rows, int32_t cols,
                                     const int64_t *start, const int32_t *col, const double *value,
                                     clError *error);

/** The same way back, from a compressed matrix.
 * @param A  compressed
 * @param start  <- rows + 1 positions
 * @param col  <- A->count columns, ascending within a row; NULL: not wanted
 * @param value  <- A->count numbers; NULL: not wanted
 * @param error  NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (NULL, or A is not compressed)
 * @since 0.2 */
TEXLA_API clStatus clTripletsToCsr(const clTriplets *A, int64_t *start, int32_t *col, double *value,
                                   clError *error);

/**
 * Sorts by row, then column, and sums duplicates in the order in which they were added (stable,
 * O(count + rows + cols)). Explicit zeros are kept.
 * @param A  is changed in place
 * @param error  NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_NOT_FINITE (a sum overflows: A stays as it was),
 *         TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clTripletsCompress(clTriplets *A, clError *error);

/** *out <- A^T, sorted by row; compressed when no position of A occurs twice.
 * @param out  the caller owns it
 * @param A  need not be compressed
 * @param error  NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clTripletsTranspose(clTriplets **out, const clTriplets *A, clError *error);

/** y <- A x in double.
 * @param y  <- rows numbers; must not overlap x
 * @param A  need not be compressed; not NULL
 * @param x  cols numbers */
TEXLA_API void clTripletsMulVector(double *y, const clTriplets *A, const double *x);

/**
 * y <- b - A x in double, and its norm. Scaled so that the norm neither overflows nor underflows
 * needlessly.
 * @param y  <- rows numbers; must overlap neither b nor x. NULL: only the norm is wanted
 * @param A  compressed; not NULL
 * @param x  cols numbers
 * @param b  rows numbers
 * @return ||b - A x||_2; NaN where x holds NaN or Inf, also in a place that no entry meets */
TEXLA_API double clTripletsResidual(double *y, const clTriplets *A, const double *x,
                                    const double *b);

/** True if A is symmetric to a tolerance: |a_ij - a_ji| is at most `tolerance` times
 * max(|a_ij|, |a_ji|, sqrt(|a_ii a_jj|)) for all entries. A diagonal entry of zero stands for the
 * largest magnitude of its row. (The diagonal counts since 0.3: entries that rounding has left
 * beside it are zero.)
 * @param A  compressed
 * @param tolerance  0: exactly
 * @return false also where A is not square, and where there is no memory to find out */
TEXLA_API bool clTripletsIsSymmetric(const clTriplets *A, double tolerance);

#ifdef __cplusplus
}
#endif
#endif
