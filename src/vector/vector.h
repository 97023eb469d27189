#ifndef TEXLA_VECTOR_VECTOR_H
#define TEXLA_VECTOR_VECTOR_H

#include "gl/texture.h"
#include "vector/layout.h"
#include "texla/vector.h"

struct clVector {
  clContext *context;
  txLayout layout;
  /* layout.width x layout.height texels, RGBA32F. An operator that reads and writes the same vector
   * renders into another texture and puts it here. */
  txTexture *texture;
};

/* Where calls on this vector leave their message; NULL for NULL. */
static inline clError *txVectorError(const clVector *x) {
  return x ? txContextError(x->context) : NULL;
}

/* A zero vector of a layout that was made for this context. */
clStatus txVectorCreate(clVector **out, clContext *context, const char *call,
                        const txLayout *layout);

/* Rows of a vector as the device has them, to and from `values`; count texels = width * height. */
clStatus txLayoutWrite(txTexture *texture, const char *call, const txLayout *layout,
                       const float *values);

#endif
