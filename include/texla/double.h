/**
 * @file double.h
 * Numbers and vectors of about 48 bits on the device: each is the unevaluated sum of two floats, hi
 * + lo ("double-float", "df64").
 *
 * The range is that of a float. With u = 2^-24, each operation below states its error. Where what
 * is multiplied, added or found lies near the smallest floats, lo loses what they cannot hold: to
 * each bound comes 2^-149 for each number and product, 2^-126 on devices that take subnormal
 * numbers for zero (clProbes.denormals). So the bounds alone count from about 2^-100 (1e-30) on, or
 * 2^-78 (3e-24). What is Inf or NaN in single precision is that here, with lo = 0.
 *
 * Operands agree in length, layout and context; results may alias operands; only Download waits. A
 * device whose compiler spoils such arithmetic is found at the start (trait.double_float of
 * clContextTuning, 0): there all calls that compute fail with TEXLA_UNSUPPORTED. Other errors are
 * those of clVector (vector.h). A failed call leaves its outputs as they were (fill, copies and
 * transfers, of which each half is one of clVector's, may have changed one half).
 * @since 0.2 */
#ifndef TEXLA_DOUBLE_H
#define TEXLA_DOUBLE_H

#include "texla/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One such number on the device. */
typedef struct clDouble clDouble;
/** A vector of them. */
typedef struct clDoubleVector clDoubleVector;

/** A new number, 0. The caller owns *out. */
TEXLA_API clStatus clDoubleCreate(clDouble **out, clContext *context);
/** NULL is allowed. */
TEXLA_API void clDoubleDestroy(clDouble *s);
/** s <- value, to 2^-48 |value|. Beyond a float's range: Inf. */
TEXLA_API clStatus clDoubleUpload(clDouble *s, double value);
/** *value <- s, exactly. Blocks (two read-backs). */
TEXLA_API clStatus clDoubleDownload(const clDouble *s, double *value);

/** A new vector of zeros, in the linear layout. The caller owns *out. */
TEXLA_API clStatus clDoubleVectorCreate(clDoubleVector **out, clContext *context, int64_t length);
/** The same in the grid layout. */
TEXLA_API clStatus clDoubleVectorCreateGrid(clDoubleVector **out, clContext *context, int nx,
                                            int ny);
/** Zeros with the length and layout of a single precision vector. */
TEXLA_API clStatus clDoubleVectorCreateLike(clDoubleVector **out, const clVector *x);
/** NULL is allowed. */
TEXLA_API void clDoubleVectorDestroy(clDoubleVector *x);
/** Elements; 0 for NULL. */
TEXLA_API int64_t clDoubleVectorLength(const clDoubleVector *x);

/**
 * x_i <- values_i, to 2^-48 |values_i|; finite numbers beyond a float's range become Inf, those
 * below 2^-126 floats. The 64 bits go to the device as they are and are taken apart there. Returns
 * when `values` may be reused.
 * @param values  clDoubleVectorLength(x) numbers */
TEXLA_API clStatus clDoubleVectorUpload(clDoubleVector *x, const double *values);
/** values_i <- x_i, rounded once to double. Blocks.
 * @param values  of a call that fails nothing is known of them */
TEXLA_API clStatus clDoubleVectorDownload(const clDoubleVector *x, double *values);

/** x_i <- value, to 2^-48 |value|. */
TEXLA_API clStatus clDoubleVectorFill(clDoubleVector *x, double value);
/** y <- x, exactly; layouts may differ, lengths not. */
TEXLA_API clStatus clDoubleVectorCopy(clDoubleVector *y, const clDoubleVector *x);
/** x <- y in double-float, exactly. */
TEXLA_API clStatus clDoubleVectorFromSingle(clDoubleVector *x, const clVector *y);
/** y <- x, rounded to single precision. */
TEXLA_API clStatus clDoubleVectorToSingle(clVector *y, const clDoubleVector *x);

/** z <- a alpha x + b beta y, to 20 u^2 (|a alpha x_i| + |b beta y_i|).
 * @param alpha, beta  NULL: 1 */
TEXLA_API clStatus clDoubleVectorAdd(clDoubleVector *z, double a, const clDouble *alpha,
                                     const clDoubleVector *x, double b, const clDouble *beta,
                                     const clDoubleVector *y);
/** y <- y + a alpha x, as clDoubleVectorAdd. */
TEXLA_API clStatus clDoubleVectorAxpy(clDoubleVector *y, double a, const clDouble *alpha,
                                      const clDoubleVector *x);
/** y <- y + a alpha x with x in single precision, as clDoubleVectorAdd. */
TEXLA_API clStatus clDoubleVectorAxpySingle(clDoubleVector *y, double a, const clDouble *alpha,
                                            const clVector *x);
/** y <- a alpha x, to 16 u^2 |a alpha x_i|. */
TEXLA_API clStatus clDoubleVectorScale(clDoubleVector *y, double a, const clDouble *alpha,
                                       const clDoubleVector *x);

/** s <- x.y, to (200 + n / 2^16) u^2 sum_i |x_i y_i|. */
TEXLA_API clStatus clDoubleVectorDot(clDouble *s, const clDoubleVector *x, const clDoubleVector *y);
/**
 * s <- ||x||_2, to (200 + n / 2^16) u^2 ||x||: elements beyond 1e19 overflow, below 1e-15 lose
 * digits. */
TEXLA_API clStatus clDoubleVectorNorm(clDouble *s, const clDoubleVector *x);
/** s <- x.y of vectors in single precision, whose products are exact: as clDoubleVectorDot. */
TEXLA_API clStatus clVectorDotDouble(clDouble *s, const clVector *x, const clVector *y);
/** s <- ||x||_2 of a vector in single precision: as clDoubleVectorNorm. */
TEXLA_API clStatus clVectorNormDouble(clDouble *s, const clVector *x);

#ifdef __cplusplus
}
#endif
#endif
