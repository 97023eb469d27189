/* Between four elements to a texel and one (B1). */
#ifndef TEXLA_VECTOR_UNPACK_H
#define TEXLA_VECTOR_UNPACK_H

#include "vector/run.h"

/* Renders x into `target`, R32F, min(row, 4 * width) x height: one element to a texel. */
clStatus txUnpackInto(const char *call, txTexture *target, const clVector *x);
/* The same into a new texture; the caller destroys it. */
clStatus txUnpack(txTexture **out, const char *call, const clVector *x);

#endif
