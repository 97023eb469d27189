/* clFloat (K1): one float that stays on the device, as a 1x1 texture.
 *
 * Reductions end in a clFloat and later passes sample it, so that a solver needs no read-back. All
 * results may alias the operands. */
#ifndef TEXLA_SCALAR_H
#define TEXLA_SCALAR_H

#include "texla/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clFloat clFloat;

/** A new clFloat, holding 0.
 * @param out      the caller owns it; untouched where the call fails
 * @param context  must outlive all use of *out but its destruction
 * @return TEXLA_OK, TEXLA_BAD_ARGUMENT, TEXLA_OUT_OF_MEMORY */
TEXLA_API clStatus clFloatCreate(clFloat **out, clContext *context);
/** Gives its texture back. NULL is allowed, and so is a clFloat whose context was destroyed. */
TEXLA_API void clFloatDestroy(clFloat *s);

/** s <- value, which may be Inf or NaN. Does not wait for the device. */
TEXLA_API clStatus clFloatUpload(clFloat *s, float value);
/** *value <- s. Blocks until all that s depends on has been computed: one read-back.
 * @param value  untouched where the call fails */
TEXLA_API clStatus clFloatDownload(const clFloat *s, float *value);
/** s <- a */
TEXLA_API clStatus clFloatCopy(clFloat *s, const clFloat *a);

/* Arithmetic: one pass over one texel, nothing is waited for. All operands belong to one context
 * (else TEXLA_FOREIGN_CONTEXT); s may be a or b. */

/** s <- a + b */
TEXLA_API clStatus clFloatAdd(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a - b */
TEXLA_API clStatus clFloatSub(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a b */
TEXLA_API clStatus clFloatMul(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a / b; Inf or NaN where b = 0. Rounded as the device divides (clProbes.division_ulps). */
TEXLA_API clStatus clFloatDiv(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- a / b, but 0 where b = 0: a solver that has converged exactly goes on without NaN (K1). */
TEXLA_API clStatus clFloatDivZ(clFloat *s, const clFloat *a, const clFloat *b);
/** s <- sqrt(a), NaN where a < 0 */
TEXLA_API clStatus clFloatSqrt(clFloat *s, const clFloat *a);

#ifdef __cplusplus
}
#endif
#endif
