/* clFloat (K1): one float that stays on the device, as a 1x1 texture.
 *
 * Reductions end in a clFloat and later passes sample it, so that a solver needs no read-back. All results may alias
 * the operands. */
#ifndef TEXLA_SCALAR_H
#define TEXLA_SCALAR_H

#include "texla/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clFloat clFloat;

/* A new clFloat, holding 0. The caller owns *out. */
TEXLA_API clStatus clFloatCreate(clFloat **out, clContext *context);
TEXLA_API void clFloatDestroy(clFloat *s); /* NULL is allowed */

TEXLA_API clStatus clFloatUpload(clFloat *s, float value);
TEXLA_API clStatus clFloatDownload(const clFloat *s, float *value); /* blocking: one read-back */
TEXLA_API clStatus clFloatCopy(clFloat *s, const clFloat *a);       /* s <- a */

TEXLA_API clStatus clFloatAdd(clFloat *s, const clFloat *a, const clFloat *b);
TEXLA_API clStatus clFloatSub(clFloat *s, const clFloat *a, const clFloat *b);
TEXLA_API clStatus clFloatMul(clFloat *s, const clFloat *a, const clFloat *b);
TEXLA_API clStatus clFloatDiv(clFloat *s, const clFloat *a, const clFloat *b);
/* s <- a / b, but 0 where b = 0: a solver that has converged exactly goes on without NaN. */
TEXLA_API clStatus clFloatDivZ(clFloat *s, const clFloat *a, const clFloat *b);
TEXLA_API clStatus clFloatSqrt(clFloat *s, const clFloat *a); /* NaN where a < 0 */

#ifdef __cplusplus
}
#endif
#endif
