/**
 * @file
 * Triangles (J1, J2): symmetric matrices of which only the lower triangle is computed and, packed,
 * stored.
 *
 * A symmetric matrix is held by its lower triangle, in one of two ways:
 * - a square clDense, zeros above the diagonal;
 * - a clPacked, the rectangular packed format of Jung and O'Leary (2008; near LAPACK's RFP, half
 *   the memory as its packed storage): no texel is unused. With m rows of texels, the left w =
 *   ceil(m / 2) columns of the triangle keep their places (one row lower where m is even), and the
 *   triangle that is left at the bottom right is turned by 180 degrees into the free corner: w x (m
 *   + (m + 1) mod 2) texels in all.
 *
 * Entries share texels as 2 x 2 blocks (the default, at the full rate of products) or not at all
 * (TEXLA_PACKING_1X1, the paper's form). Rows and columns count from 0. Nothing waits for the
 * device except transfers to the host and clPackedEntry.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, factors that are not finite, a value that is not in its list),
 * TEXLA_BAD_SHAPE, TEXLA_FOREIGN_CONTEXT, TEXLA_UNSUPPORTED (packings), TEXLA_TOO_LARGE,
 * TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR. A failed call leaves its outputs as they were.
 *
 * Threads: objects belong to their context's thread.
 *
 * Ownership: who creates a triangle destroys it; operands are not kept. Aliasing: as comments say,
 * else destinations are no operands.
 *
 * @since 0.2 */
#ifndef TEXLA_TRIANGLE_H
#define TEXLA_TRIANGLE_H

#include "texla/dense.h"
#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A lower triangle, n x n, in rectangular packed format. */
typedef struct clPacked clPacked;

/**
 * C <- alpha op(A) D^2 op(A)^T + beta C, its lower triangle; zeros above (J1; BLAS' syrk, with a
 * diagonal matrix D).
 * @param C  n x n, in 2x2 or 1x1 packing; with beta = 0 its old values do not matter, otherwise its
 *         lower triangle counts. May be A
 * @param alpha  a factor
 * @param op  TEXLA_NO_TRANSPOSE: A is n x k; TEXLA_TRANSPOSE: k x n
 * @param A  in 2x2 packing
 * @param d  k numbers, the diagonal of D, linear; NULL: ones
 * @param beta  a factor of the old C
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDenseSyrk(clDense *C, float alpha, clTranspose op, const clDense *A,
                               const clVector *d, float beta);
/** As clDenseSyrk, for a packed triangle.
 * @param C  of order n; with beta = 0 its old values do not matter
 * @param alpha  a factor
 * @param op  TEXLA_NO_TRANSPOSE: A is n x k; TEXLA_TRANSPOSE: k x n
 * @param A  in 2x2 packing
 * @param d  k numbers, linear; NULL: ones
 * @param beta  a factor of the old C
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPackedSyrk(clPacked *C, float alpha, clTranspose op, const clDense *A,
                                const clVector *d, float beta);
/** A triangle of zeros.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  where it lives
 * @param n  rows and columns, at least 1
 * @param packing  TEXLA_PACKING_2X2 or TEXLA_PACKING_1X1
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPackedCreate(clPacked **out, clContext *context, int n, clPacking packing);
/** Ends a triangle; its texture waits for reuse.
 * @param P  NULL is allowed */
TEXLA_API void clPackedDestroy(clPacked *P);
/** Rows and columns of P.
 * @param P  NULL: 0
 * @return n */
TEXLA_API int clPackedOrder(const clPacked *P);
/** Where P lives.
 * @param P  NULL: NULL
 * @return the context that P was created on; not the caller's to destroy */
TEXLA_API clContext *clPackedContext(const clPacked *P);
/** The size of the texture that holds it, in texels.
 * @param P  NULL: 0 x 0
 * @param width  <- its width; NULL is allowed
 * @param height  <- its height; NULL is allowed */
TEXLA_API void clPackedTexels(const clPacked *P, int *width, int *height);

/** The lower triangle of a row-major matrix: p_ij <- values[i * lead + j], i >= j.
 * @param P  the destination
 * @param values  what is above the diagonal is not read
 * @param lead  numbers from one row to the next, at least n
 * @return TEXLA_OK, TEXLA_NOT_FINITE (NaN or Inf, with the place), or what the top of this file
 *         lists */
TEXLA_API clStatus clPackedUpload(clPacked *P, const float *values, int64_t lead);
/** values[i * lead + j] <- p_ij, i >= j; what is above the diagonal stays. Blocks.
 * @param P  the source
 * @param values  room for n rows
 * @param lead  numbers from one row to the next, at least n
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPackedDownload(const clPacked *P, float *values, int64_t lead);
/** *value <- p_ij = p_ji. Blocks: one read-back.
 * @param P  the source
 * @param i  row, from 0
 * @param j  column, from 0; also above the diagonal
 * @param value  <- the entry
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT (also a position outside), or what the top of this file
 *         lists */
TEXLA_API clStatus clPackedEntry(const clPacked *P, int i, int j, float *value);
/** P <- the lower triangle of A: one pass.
 * @param P  of A's order
 * @param A  square, in 2x2 or 1x1 packing
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPackedFromDense(clPacked *P, const clDense *A);
/** A <- P: one pass.
 * @param A  square, in 2x2 or 1x1 packing
 * @param P  of A's order
 * @param symmetric  true: all of the symmetric matrix; false: the lower triangle with zeros above
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPackedToDense(clDense *A, const clPacked *P, bool symmetric);
/** Q <- P; this is also the conversion between packings. One pass.
 * @param Q  of P's order; may be P, and then nothing happens
 * @param P  the source
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPackedCopy(clPacked *Q, const clPacked *P);
/** y <- P x, with P symmetric (BLAS' spmv). One pass.
 * @param y  linear, of length n; may be x
 * @param P  of order n
 * @param x  linear, of length n
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clPackedMulVector(clVector *y, const clPacked *P, const clVector *x);

#ifdef __cplusplus
}
#endif
#endif
