#ifndef TEXLA_VECTOR_VECTOR_H
#define TEXLA_VECTOR_VECTOR_H

#include "gl/texture.h"
#include "vector/layout.h"
#include "texla/vector.h"

struct clVector {
  clContext *context;
  txLayout layout;
  /* layout.width x layout.height, RGBA32F; replaced by ping-pong */
  txTexture *texture;
};

/* A zero vector of a layout that was made for this context. */
clStatus txVectorCreate(clVector **out, clContext *context, const char *call,
                        const txLayout *layout);

/* Rows of a vector as the device has them, to and from `values`; count texels = width * height. */
clStatus txLayoutWrite(txTexture *texture, const char *call, const txLayout *layout,
                       const float *values);

#endif
