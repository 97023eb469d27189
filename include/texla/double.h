/**
 * @file
 * Numbers and vectors of about 48 bits on the device: each is the unevaluated sum of two floats, hi
 * + lo ("double-float", also called df64 or double-single).
 *
 * The range is that of a float. With u = 2^-24, each operation below states its error. Where what
 * is multiplied, added or found lies near the smallest floats, lo loses what they cannot hold: to
 * each bound comes 2^-149 for each number and product, 2^-126 on devices that take subnormal
 * numbers for zero (clProbes.denormals). So the bounds alone count from about 2^-100 (1e-30) on, or
 * 2^-78 (3e-24). What is Inf or NaN in single precision is that here, with lo = 0.
 *
 * Operands agree in length, layout and context; results may alias operands; only Download waits,
 * and the first long reduction of a context, as in vector.h. Ownership, threads: as in vector.h.
 * Where a factor is a * alpha, a is a number of the host and alpha one on the device (NULL: 1).
 *
 * Errors: TEXLA_UNSUPPORTED from all calls that compute (sums, scalings, dot products, norms) where
 * the device's compiler spoils such arithmetic (trait.double_float of clContextTuning, 0: found at
 * the start); else those of clVector (vector.h). A failed call leaves its outputs as they were
 * (fill, copies and transfers, of which each half is one of clVector's, may have changed one half).
 *
 * @since 0.2 */
#ifndef TEXLA_DOUBLE_H
#define TEXLA_DOUBLE_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One such number on the device. */
typedef struct clDouble clDouble;
/** A vector of such numbers. */
typedef struct clDoubleVector clDoubleVector;

/** A new number, 0.
 * @param out  the caller owns it
 * @param context  where it lives
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleCreate(clDouble **out, clContext *context);
/** Ends a number; its textures wait for reuse.
 * @param s  NULL is allowed */
TEXLA_API void clDoubleDestroy(clDouble *s);
/** s <- value, to 2^-48 |value|. Beyond a float's range: Inf.
 * @param s  the destination
 * @param value  any, also Inf and NaN
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleUpload(clDouble *s, double value);
/** *value <- s, exactly. Blocks: two read-backs.
 * @param s  the source
 * @param value  untouched where the call fails
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleDownload(const clDouble *s, double *value);

/** A vector of zeros in the linear layout.
 * @param out  the caller owns it
 * @param context  where it lives
 * @param length  at least 1
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorCreate(clDoubleVector **out, clContext *context, int64_t length);
/** A vector of zeros in the grid layout.
 * @param out  the caller owns it
 * @param context  where it lives
 * @param nx  columns, at least 1
 * @param ny  rows, at least 1
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorCreateGrid(clDoubleVector **out, clContext *context, int nx,
                                            int ny);
/** Zeros with the length and layout of a single precision vector.
 * @param out  the caller owns it
 * @param x  the other one; not read
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorCreateLike(clDoubleVector **out, const clVector *x);
/** Ends a vector; its textures wait for reuse.
 * @param x  NULL is allowed */
TEXLA_API void clDoubleVectorDestroy(clDoubleVector *x);
/** How many elements x has.
 * @param x  NULL: 0
 * @return elements, those of all rows of a grid */
TEXLA_API int64_t clDoubleVectorLength(const clDoubleVector *x);

/**
 * x_i <- values_i, to 2^-48 |values_i|; finite numbers beyond a float's range become Inf, those
 * below 2^-126 floats. The 64 bits go to the device as they are and are taken apart there. Returns
 * when `values` may be reused.
 * @param x  the destination
 * @param values  clDoubleVectorLength(x) numbers; Inf and NaN are taken as they are
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorUpload(clDoubleVector *x, const double *values);
/** values_i <- x_i, rounded once to double. Blocks.
 * @param x  the source
 * @param values  room for clDoubleVectorLength(x) numbers; of a call that fails nothing is known of
 *         them
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorDownload(const clDoubleVector *x, double *values);

/** x_i <- value, to 2^-48 |value|.
 * @param x  the destination
 * @param value  any, also Inf and NaN
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorFill(clDoubleVector *x, double value);
/** y <- x, exactly; this is also the conversion between layouts.
 * @param y  the destination, as long as x
 * @param x  the source, of any layout; may be y
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorCopy(clDoubleVector *y, const clDoubleVector *x);
/** x <- y, exactly.
 * @param x  the destination, as long as y, of any layout
 * @param y  the source, in single precision
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorFromSingle(clDoubleVector *x, const clVector *y);
/** y <- x, rounded to single precision.
 * @param y  the destination, as long as x, of any layout
 * @param x  the source
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorToSingle(clVector *y, const clDoubleVector *x);

/** z <- a alpha x + b beta y, to 20 u^2 (|a alpha x_i| + |b beta y_i|).
 * @param z  the destination; may be x or y
 * @param a  the factor of x on the host
 * @param alpha  ... on the device; NULL: 1
 * @param x  the operand
 * @param b  the factor of y on the host
 * @param beta  ... on the device; NULL: 1
 * @param y  the operand, as x; may be x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorAdd(clDoubleVector *z, double a, const clDouble *alpha,
                                     const clDoubleVector *x, double b, const clDouble *beta,
                                     const clDoubleVector *y);
/** y <- y + a alpha x, as clDoubleVectorAdd.
 * @param y  the sum; may be x
 * @param a  the factor on the host
 * @param alpha  the factor on the device; NULL: 1
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorAxpy(clDoubleVector *y, double a, const clDouble *alpha,
                                      const clDoubleVector *x);
/** y <- a alpha x, to 16 u^2 |a alpha x_i|.
 * @param y  the destination; may be x
 * @param a  the factor on the host
 * @param alpha  the factor on the device; NULL: 1
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorScale(clDoubleVector *y, double a, const clDouble *alpha,
                                       const clDoubleVector *x);

/** s <- x.y, to (200 + n / 2^16) u^2 sum_i |x_i y_i|.
 * @param s  the result
 * @param x  the operand
 * @param y  the operand, as x; may be x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorDot(clDouble *s, const clDoubleVector *x, const clDoubleVector *y);
/**
 * s <- ||x||_2, to (200 + n / 2^16) u^2 ||x||: elements beyond 1e19 overflow, below 1e-15 lose
 * digits.
 * @param s  the result
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clDoubleVectorNorm(clDouble *s, const clDoubleVector *x);
/** s <- x.y of vectors in single precision, whose products are exact: as clDoubleVectorDot.
 * @param s  the result
 * @param x  the operand
 * @param y  the operand, as x; may be x
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorDotDouble(clDouble *s, const clVector *x, const clVector *y);
/** s <- ||x||_2 of a vector in single precision: as clDoubleVectorNorm.
 * @param s  the result
 * @param x  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clVectorNormDouble(clDouble *s, const clVector *x);

#ifdef __cplusplus
}
#endif
#endif
