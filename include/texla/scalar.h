/**
 * @file
 * clFloat (K1): one float that stays on the device, as a 1 x 1 texture.
 *
 * Reductions end in a clFloat and later passes sample it (the scalars alpha and beta of BLAS, as
 * pointer mode "device" of cuBLAS has them), so that a solver needs no read-back. Nothing waits for
 * the device but clFloatDownload. Results may alias operands.
 *
 * Errors: TEXLA_BAD_ARGUMENT (NULL, an object whose context was destroyed), TEXLA_FOREIGN_CONTEXT
 * (operands of two contexts), TEXLA_OUT_OF_MEMORY, TEXLA_DEVICE_ERROR, TEXLA_CONTEXT_LOST. A failed
 * call leaves its outputs as they were.
 *
 * Ownership: who creates a clFloat destroys it; operands are not kept.
 *
 * Threads: a clFloat belongs to its context's thread.
 *
 * @since 0.1 */
#ifndef TEXLA_SCALAR_H
#define TEXLA_SCALAR_H

#include "texla/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A float on the device. */
typedef struct clFloat clFloat;

/** A new clFloat, holding 0.
 * @param out  the caller owns it; untouched where the call fails
 * @param context  must outlive all use of *out but its destruction
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatCreate(clFloat **out, clContext *context);
/** Gives its texture back.
 * @param s  NULL is allowed, and so is a clFloat whose context was destroyed */
TEXLA_API void clFloatDestroy(clFloat *s);

/** s <- value. Does not wait for the device.
 * @param s  the destination
 * @param value  any, also Inf and NaN
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatUpload(clFloat *s, float value);
/** *value <- s. Blocks until all that s depends on has been computed: one read-back.
 * @param s  the source
 * @param value  untouched where the call fails
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatDownload(const clFloat *s, float *value);
/** s <- a
 * @param s  the destination
 * @param a  the source; may be s
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatCopy(clFloat *s, const clFloat *a);

/* Arithmetic: one pass over one texel, nothing is waited for. All operands belong to one context
 * (else TEXLA_FOREIGN_CONTEXT); s may be a or b. */

/** s <- a + b
 * @param s  the result; may be a or b
 * @param a  the first operand
 * @param b  the second one; may be a
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatAdd(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a - b
 * @param s  the result; may be a or b
 * @param a  what b is subtracted from
 * @param b  what is subtracted
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatSub(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a b
 * @param s  the result; may be a or b
 * @param a  a factor
 * @param b  a factor; may be a
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatMul(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a / b; Inf or NaN where b = 0. Rounded as the device divides (clProbes.division_ulps).
 * @param s  the result; may be a or b
 * @param a  the dividend
 * @param b  the divisor
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatDiv(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a / b, but 0 where b = 0: a solver that has converged exactly goes on without NaN (K1).
 * @param s  the result; may be a or b
 * @param a  the dividend
 * @param b  the divisor
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatDivZ(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- sqrt(a), NaN where a < 0.
 * @param s  the result; may be a
 * @param a  the operand
 * @return TEXLA_OK, or what the top of this file lists */
TEXLA_API clStatus clFloatSqrt(clFloat *s, const clFloat *a);

#ifdef __cplusplus
}
#endif
#endif
