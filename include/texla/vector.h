/**
 * @file
 * clVector (K2): a vector as a 2D texture, four consecutive elements to a texel.
 *
 * Two layouts. Linear: rows of a fixed width, any length. Grid: nx * ny elements, every grid row
 * starts a texture row, so that a grid neighbour is a texel neighbour; element i = row * nx +
 * column. Operands of one call must agree in length, layout (clVectorCopy converts) and context.
 * Lanes beyond the length hold zero; after a factor that is Inf or NaN they hold NaN, as the
 * elements do not hold numbers either.
 *
 * Factors come in pairs: the factor is a * alpha, with a CPU float a and a clFloat alpha on the
 * device (NULL: 1). Results may alias operands unless a comment forbids it. Nothing here waits for
 * the device except Download and Finish, and the first long reduction of a context, which may
 * measure variants (see clContextTuning).
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, a length below 1, an object whose context was destroyed),
 * TEXLA_BAD_SHAPE, TEXLA_FOREIGN_CONTEXT, TEXLA_TOO_LARGE (textures), TEXLA_OUT_OF_MEMORY (the
 * context's memory limit too), TEXLA_DEVICE_ERROR. A failed call leaves its outputs as they were.
 *
 * Ownership: who creates a vector destroys it; arrays of the host and operands are not kept.
 *
 * Threads: a vector belongs to its context's thread.
 *
 * @since 0.1, but where a comment says otherwise */
#ifndef TEXLA_VECTOR_H
#define TEXLA_VECTOR_H

#include "texla/scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A vector on the device. */
typedef struct clVector clVector;

/** The sides of a grid: row 0 is at the bottom, column 0 at the left. */
typedef enum clGridSide {
  TEXLA_SIDE_LEFT,
  TEXLA_SIDE_RIGHT,
  TEXLA_SIDE_BOTTOM,
  TEXLA_SIDE_TOP
} clGridSide;

/** A linear vector of zeros.
 * @param out  the caller owns it
 * @param context  where it lives
 * @param length  at least 1
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorCreate(clVector **out, clContext *context, int64_t length);
/** A vector of zeros in the grid layout.
 * @param out  the caller owns it
 * @param context  where it lives
 * @param nx  columns, at least 1
 * @param ny  rows, at least 1
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorCreateGrid(clVector **out, clContext *context, int nx, int ny);
/** A vector of zeros of the length and layout of another one.
 * @param out  the caller owns it
 * @param x  the other one; not read
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorCreateLike(clVector **out, const clVector *x);
/** A copy: length, layout and values.
 * @param out  the caller owns it
 * @param x  what is copied
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorClone(clVector **out, const clVector *x);
/** Ends a vector; its texture waits for reuse.
 * @param x  NULL is allowed */
TEXLA_API void clVectorDestroy(clVector *x);

/** How many elements x has.
 * @param x  NULL: 0
 * @return elements, those of all rows of a grid */
TEXLA_API int64_t clVectorLength(const clVector *x);
/** Elements to a texture row.
 * @param x  NULL: 0
 * @return nx of a grid, the same number for all linear vectors of a device */
TEXLA_API int64_t clVectorRowLength(const clVector *x);
/** Where x lives.
 * @param x  NULL: NULL
 * @return the context that x was created on; not the caller's to destroy */
TEXLA_API clContext *clVectorContext(const clVector *x);

/** x <- values. Returns when `values` may be reused; waits for nothing.
 * @param x  the destination
 * @param values  clVectorLength(x) numbers; Inf and NaN are taken as they are
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorUpload(clVector *x, const float *values);
/** values <- x. Blocks: one read-back.
 * @param x  the source
 * @param values  room for clVectorLength(x) numbers
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorDownload(const clVector *x, float *values);

/**
 * x_i <- values_i, rounded to single precision.
 * @param x       the destination
 * @param values  clVectorLength(x) numbers; Inf and NaN are taken as they are
 * @return TEXLA_NOT_FINITE where a finite number is beyond single precision (x stays as it was);
 *         else as clVectorUpload
 * @since 0.2 */
TEXLA_API clStatus clVectorUploadDouble(clVector *x, const double *values);
/** values_i <- x_i. Blocks: one read-back.
 * @param x  the source
 * @param values  room for clVectorLength(x) numbers
 * @return TEXLA_OK, or what the top of this file lists
 * @since 0.2 */
TEXLA_API clStatus clVectorDownloadDouble(const clVector *x, double *values);

/**
 * Where a vector lives, for an application that draws from it in the OpenGL context that texla
 * adopted. Element i is component i % row % 4 of texel (i % row / 4, i / row); components beyond
 * the last element of a row are zero. No OpenGL type, so that this header needs none. */
typedef struct clVectorView {
  /** of a GL_TEXTURE_2D; texla owns it */
  unsigned name;
  /** its internal format: GL_RGBA32F (0x8814) */
  unsigned format;
  /** in texels */
  int width, height;
  /** elements to a texture row: nx of a grid */
  int64_t row;
  /** elements */
  int64_t length;
} clVectorView;
/**
 * Tells where x lives, until the next call that writes x or destroys it (results are rendered into
 * other textures and change places with them). Drawing that reads the texture must be submitted
 * before that call. The texture has no mipmaps: draw with GL_NEAREST or GL_LINEAR filters (a
 * sampler object, or texelFetch). What texla renders later waits for drawing by itself: both are in
 * one context.
 * @param out  untouched where the call fails
 * @param x    the vector
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_UNSUPPORTED where texla has an OpenGL context of its
 *         own (clContextOptions.adopt)
 * @since 0.2 */
TEXLA_API clStatus clVectorTexture(clVectorView *out, const clVector *x);

/** A download that has been started. */
typedef struct clRead clRead;
/** Starts a download through a pixel buffer, and returns at once. Counts as one read-back.
 * @param out  the handle; clReadFinish releases it
 * @param x  the source, as it is now: later writes do not matter
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorReadStart(clRead **out, const clVector *x);
/** Asks without waiting. In a browser the answer stays what it is until the page's script returns:
 * ask once a frame there, not in a loop.
 * @param read  a download that has been started
 * @return true where clReadFinish will not wait, also where only that can say what is wrong */
TEXLA_API bool clReadReady(const clRead *read);
/** Waits if it must, copies, and releases the handle.
 * @param read  a download that has been started; gone afterwards, also after an error
 * @param values  room for all elements; NULL: only releases the handle
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clReadFinish(clRead *read, float *values);

/** x_i <- value
 * @param x  the destination
 * @param value  any, also Inf and NaN
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorFill(clVector *x, float value);
/** x_i <- 0
 * @param x  the destination
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorClear(clVector *x);
/** y <- x; this is also the conversion between layouts.
 * @param y  the destination, as long as x
 * @param x  the source, of any layout
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorCopy(clVector *y, const clVector *x);
/** y <- a alpha x
 * @param y  the destination; may be x
 * @param a  the factor on the host
 * @param alpha  the factor on the device; NULL: 1
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorScale(clVector *y, float a, const clFloat *alpha, const clVector *x);
/** y <- y + a alpha x
 * @param y  the sum; may be x
 * @param a  the factor on the host
 * @param alpha  the factor on the device; NULL: 1
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorAxpy(clVector *y, float a, const clFloat *alpha, const clVector *x);
/** z <- a alpha x + b beta y
 * @param z  the destination; may be x or y
 * @param a  the factor of x on the host
 * @param alpha  ... on the device; NULL: 1
 * @param x  the operand
 * @param b  the factor of y on the host
 * @param beta  ... on the device; NULL: 1
 * @param y  the operand, as x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorAdd(clVector *z, float a, const clFloat *alpha, const clVector *x,
                               float b, const clFloat *beta, const clVector *y);
/** z_i <- x_i y_i
 * @param z  the destination; may be x or y
 * @param x  the operand
 * @param y  the operand, as x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorMul(clVector *z, const clVector *x, const clVector *y);
/** z_i <- x_i / y_i; Inf or NaN where y_i = 0.
 * @param z  the destination; may be x or y
 * @param x  the operand
 * @param y  the operand, as x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorDiv(clVector *z, const clVector *x, const clVector *y);
/** z_i <- x_i / y_i, but 0 where y_i = 0.
 * @param z  the destination; may be x or y
 * @param x  the operand
 * @param y  the operand, as x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorDivZ(clVector *z, const clVector *x, const clVector *y);

/* Reductions: pairwise (tree) sums; the result stays on the device. NaN in x gives NaN, in min and
 * max too (where the device keeps NaN: clProbes). */

/** s <- the sum of x_i
 * @param s  the result
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorSum(clFloat *s, const clVector *x);
/** s <- the sum of x_i y_i
 * @param s  the result
 * @param x  the operand
 * @param y  the operand, as x; may be x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorDot(clFloat *s, const clVector *x, const clVector *y);
/** s <- sqrt(x.x): elements beyond 1e19 overflow, below 1e-19 vanish.
 * @param s  the result
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorNorm(clFloat *s, const clVector *x);
/** s <- the smallest x_i
 * @param s  the result
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorMin(clFloat *s, const clVector *x);
/** s <- the largest x_i
 * @param s  the result
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorMax(clFloat *s, const clVector *x);
/** s <- the largest magnitude of x_i
 * @param s  the result
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorAbsMax(clFloat *s, const clVector *x);
/**
 * The first element of largest magnitude (NaN is the largest). Its index is row * clVectorRowLength
 * + column: two floats, so that it is exact beyond 2^24. Each output may be NULL; no two may be the
 * same.
 * @param value  <- the element with its sign
 * @param row  <- its texture row
 * @param column  <- its place in that row
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorArgMax(clFloat *value, clFloat *row, clFloat *column, const clVector *x);

/**
 * Rescale (K13) between grid vectors by one textured quad and the device's bilinear filter;
 * cell-centred, any sizes. y <- x resampled to y's grid: y(c) is the bilinear interpolation of x at
 * the centre of y's cell c, so halving averages 2x2 cells; edges clamp. Weights are wrong by up to
 * n * 1e-7, and many devices round them to 1/256 (exact for halving and doubling).
 * @param y  the destination, a grid; not x
 * @param x  the source, a grid; its nx is at most the device's texture size
 * @return TEXLA_OK, TEXLA_UNSUPPORTED where the device cannot filter (clProbes), or what the top of
 *         this file lists */
TEXLA_API clStatus clVectorRescale(clVector *y, const clVector *x);

#ifdef __cplusplus
}
#endif
#endif
