/**
 * @file
 * Triangles (J1, J2): symmetric matrices of which only the lower triangle is computed and, packed,
 * stored.
 *
 * A symmetric matrix is held by its lower triangle, in one of two ways:
 *   - a square clDense, zeros above the diagonal;
 *   - a clPacked, the rectangular packed format of Jung and O'Leary (2008): half the memory, no
 *     texel unused. With m rows of texels, the left w = ceil(m / 2) columns of the triangle keep
 *     their places (one row lower where m is even), and the triangle that is left at the bottom
 *     right is turned by 180 degrees into the free corner: w x (m + (m + 1) mod 2) texels in all.
 *
 * Entries share texels as 2 x 2 blocks (the default, at the full rate of products) or not at all
 * (TEXLA_PACKING_1X1, the paper's form). Rows and columns count from 0. Nothing waits for the
 * device except transfers to the host and clPackedEntry. A failed call leaves its outputs as they
 * were. Objects belong to their context's thread. @since 0.2 */
#ifndef TEXLA_TRIANGLE_H
#define TEXLA_TRIANGLE_H

#include "texla/dense.h"
#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A lower triangle, n x n, in rectangular packed format. */
typedef struct clPacked clPacked;

/** How the triangle is computed. */
typedef enum clTriangleMethod {
  /** products of blocks; only the blocks on the diagonal are triangles */
  TEXLA_TRIANGLE_BLOCKED,
  /**
   * as the paper has it: for each column of A one pass that adds an outer product to the whole
   * triangle */
  TEXLA_TRIANGLE_COLUMNS
} clTriangleMethod;

/**
 * C <- alpha op(A) D^2 op(A)^T + beta C, its lower triangle; zeros above (J1).
 * @param C n x n, in 2x2 or 1x1 packing; with beta = 0 its old values do not matter, otherwise its
 *         lower triangle counts. May be A.
 * @param op NORMAL: A is n x k; TRANSPOSED: k x n. A has 2x2 packing.
 * @param d k numbers, the diagonal of D; NULL: ones.
 * Errors: TEXLA_BAD_ARGUMENT, TEXLA_BAD_SHAPE, TEXLA_FOREIGN_CONTEXT, TEXLA_UNSUPPORTED (packings),
 * TEXLA_OUT_OF_MEMORY. */
TEXLA_API clStatus clDenseSyrk(clDense *C, float alpha, clTranspose op, const clDense *A,
                               const clVector *d, float beta);
/** The same by a method of choice. */
TEXLA_API clStatus clDenseSyrkWith(clDense *C, float alpha, clTranspose op, const clDense *A,
                                   const clVector *d, float beta, clTriangleMethod method);
/** The same for a packed triangle. */
TEXLA_API clStatus clPackedSyrk(clPacked *C, float alpha, clTranspose op, const clDense *A,
                                const clVector *d, float beta);
/** The same by a method of choice. */
TEXLA_API clStatus clPackedSyrkWith(clPacked *C, float alpha, clTranspose op, const clDense *A,
                                    const clVector *d, float beta, clTriangleMethod method);

/** Zeros, n x n. packing: 2x2 or 1x1. The caller owns *out. */
TEXLA_API clStatus clPackedCreate(clPacked **out, clContext *context, int n, clPacking packing);
/** NULL is allowed */
TEXLA_API void clPackedDestroy(clPacked *P);
TEXLA_API int clPackedOrder(const clPacked *P);
TEXLA_API clPacking clPackedPacking(const clPacked *P);
TEXLA_API clContext *clPackedContext(const clPacked *P);
/** The texture that holds it, in texels: `width` x `height`. Either may be NULL. */
TEXLA_API void clPackedTexels(const clPacked *P, int *width, int *height);

/**
 * The lower triangle of a row-major matrix: p_ij = values[i * lead + j], i >= j; lead >= n. NaN and
 * Inf are refused. */
TEXLA_API clStatus clPackedUpload(clPacked *P, const float *values, int64_t lead);
/** The lower triangle to values[i * lead + j], i >= j; what is above the diagonal stays. Blocks. */
TEXLA_API clStatus clPackedDownload(const clPacked *P, float *values, int64_t lead);
/** *value <- p_ij = p_ji. Blocks. */
TEXLA_API clStatus clPackedEntry(const clPacked *P, int i, int j, float *value);
/** P <- the lower triangle of the square A, in 2x2 or 1x1 packing: one pass. */
TEXLA_API clStatus clPackedFromDense(clPacked *P, const clDense *A);
/** A <- P: its lower triangle with zeros above, or with `symmetric` all of the symmetric matrix. */
TEXLA_API clStatus clPackedToDense(clDense *A, const clPacked *P, bool symmetric);
/** Q <- P, of any packings: the conversion between them, one pass. */
TEXLA_API clStatus clPackedCopy(clPacked *Q, const clPacked *P);
/** y <- P x, P symmetric; y and x have the layout of linear vectors of length n. y may be x. */
TEXLA_API clStatus clPackedMulVector(clVector *y, const clPacked *P, const clVector *x);

#ifdef __cplusplus
}
#endif
#endif
