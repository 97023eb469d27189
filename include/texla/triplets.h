/* clTriplets: a sparse matrix on the host, in coordinate form and double precision.
 *
 * The common currency between files, generators, the storages of clMatrix and the double-precision
 * residual. It knows nothing of OpenGL and needs no context. After clTripletsCompress (readers and
 * generators do it) the entries are sorted by row, then column, and every position occurs once. */
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

typedef struct clTriplets {
  int32_t rows, cols;
  /* entries held, entries allocated */
  int64_t count, capacity;
  /* 0-based */
  int32_t *row, *col;
  double *value;
} clTriplets;

/* An empty rows x cols matrix with room for `capacity` entries (it grows). The caller owns *out. */
TEXLA_API clStatus clTripletsCreate(clTriplets **out, int32_t rows, int32_t cols, int64_t capacity,
                                    clError *error);
/* NULL is allowed. */
TEXLA_API void clTripletsDestroy(clTriplets *A);

/* Appends the entry a_ij = value; duplicates are summed by clTripletsCompress. i and j must be in
 * range and value finite. */
TEXLA_API clStatus clTripletsAdd(clTriplets *A, int32_t i, int32_t j, double value, clError *error);

/**
 * Appends many entries at once: a_{row_k, col_k} = value_k for k < count.
 * @param A      grows; unchanged where the call fails
 * @param count  at least 0
 * @param row,col  0-based positions, `count` each, in range
 * @param value  `count` finite numbers
 * @param error  NULL is allowed
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (names the first position out of range), TEXLA_NOT_FINITE,
 *         TEXLA_OUT_OF_MEMORY
 * @since 0.2 */
TEXLA_API clStatus clTripletsAddMany(clTriplets *A, int64_t count, const int32_t *row,
                                     const int32_t *col, const double *value, clError *error);

/**
 * A matrix from compressed rows: the entries of row i are those from start[i] to start[i + 1] - 1.
 * Columns may stand in any order within a row, and more than once (they are summed): *out is
 * compressed.
 * @param out    the caller owns it; untouched where the call fails
 * @param start  rows + 1 positions, from 0 on, never decreasing
 * @param col    start[rows] 0-based columns
 * @param value  start[rows] finite numbers
 * @return as clTripletsAddMany
 * @since 0.2 */
TEXLA_API clStatus clTripletsFromCsr(clTriplets **out, int32_t rows, int32_t cols,
                                     const int64_t *start, const int32_t *col, const double *value,
                                     clError *error);

/** The same way back, from a compressed matrix.
 * @param start  rows + 1 positions are written
 * @param col    A->count columns, ascending within a row; NULL: not wanted
 * @param value  A->count numbers; NULL: not wanted
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (NULL, or A is not compressed)
 * @since 0.2 */
TEXLA_API clStatus clTripletsToCsr(const clTriplets *A, int64_t *start, int32_t *col, double *value,
                                   clError *error);

/* Sorts by row, then column, and sums duplicates in the order in which they were added (stable,
 * O(count + rows + cols)). Explicit zeros are kept. */
TEXLA_API clStatus clTripletsCompress(clTriplets *A, clError *error);

/* *out <- A^T, compressed when A is. The caller owns *out. */
TEXLA_API clStatus clTripletsTranspose(clTriplets **out, const clTriplets *A, clError *error);

/* y <- A x in double (y: rows, x: cols; no aliasing). */
TEXLA_API void clTripletsMulVector(double *y, const clTriplets *A, const double *x);

/* y <- b - A x in double and, as the result, ||b - A x||_2 (y may be NULL: then only the norm).
 * Scaled so that it neither overflows nor underflows needlessly; NaN or Inf in x gives NaN. A must
 * be compressed. */
TEXLA_API double clTripletsResidual(double *y, const clTriplets *A, const double *x,
                                    const double *b);

/* True when A is square and |a_ij - a_ji| <= tolerance * max(|a_ij|, |a_ji|) for all entries (false
 * also when there is no memory to find out). A must be compressed. */
TEXLA_API bool clTripletsIsSymmetric(const clTriplets *A, double tolerance);

#ifdef __cplusplus
}
#endif
#endif
