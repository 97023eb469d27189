#ifndef TEXLA_VECTOR_VECTOR_H
#define TEXLA_VECTOR_VECTOR_H

#include "gl/texture.h"
#include "vector/layout.h"
#include "texla/vector.h"

/* A vector owns its texture: txVectorCreate takes it from the pool (gl/pool.c), clVectorDestroy
 * gives it back. clVectorView lends its name to the caller and owns nothing. A few operators
 * make clVectors on the stack around textures of other objects (matrix/csr_product.c): those are
 * never destroyed. */
struct clVector {
  clContext *context;
  txLayout layout;
  /* layout.width x layout.height texels, RGBA32F. An operator that reads and writes the same
   * vector renders into another texture and puts it here, so that the name of a vector's texture
   * changes. */
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
