/* clTriplets: a sparse matrix on the host, in coordinate form and double precision.
 *
 * The common currency between files, generators, the storages of clMatrix and the double-precision residual. It knows
 * nothing of OpenGL and needs no context. After clTripletsCompress (readers and generators do it) the entries are
 * sorted by row, then column, and every position occurs once. */
#ifndef TEXLA_TRIPLETS_H
#define TEXLA_TRIPLETS_H

#include <stdbool.h>
#include <stdint.h>

#include "texla/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clTriplets {
  int32_t rows, cols;
  int64_t count, capacity; /* entries held, entries allocated */
  int32_t *row, *col;      /* 0-based */
  double *value;
} clTriplets;

/* An empty rows x cols matrix with room for `capacity` entries (it grows). The caller owns *out. */
TEXLA_API clStatus clTripletsCreate(clTriplets **out, int32_t rows, int32_t cols, int64_t capacity, clError *error);
/* NULL is allowed. */
TEXLA_API void clTripletsDestroy(clTriplets *A);

/* Appends the entry a_ij = value; duplicates are summed by clTripletsCompress. i and j must be in range and value
 * finite. */
TEXLA_API clStatus clTripletsAdd(clTriplets *A, int32_t i, int32_t j, double value, clError *error);

/* Sorts by row, then column, and sums duplicates in the order in which they were added (stable, O(count + rows +
 * cols)). Explicit zeros are kept. */
TEXLA_API clStatus clTripletsCompress(clTriplets *A, clError *error);

/* *out <- A^T, compressed when A is. The caller owns *out. */
TEXLA_API clStatus clTripletsTranspose(clTriplets **out, const clTriplets *A, clError *error);

/* y <- A x in double (y: rows, x: cols; no aliasing). */
TEXLA_API void clTripletsMulVector(double *y, const clTriplets *A, const double *x);

/* y <- b - A x in double and, as the result, ||b - A x||_2 (y may be NULL: then only the norm). Scaled so that it
 * neither overflows nor underflows needlessly; NaN or Inf in x gives NaN. A must be compressed. */
TEXLA_API double clTripletsResidual(double *y, const clTriplets *A, const double *x, const double *b);

/* True when A is square and |a_ij - a_ji| <= tolerance * max(|a_ij|, |a_ji|) for all entries (false also when there is no
 * memory to find out). A must be compressed. */
TEXLA_API bool clTripletsIsSymmetric(const clTriplets *A, double tolerance);

#ifdef __cplusplus
}
#endif
#endif
