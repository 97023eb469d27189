#ifndef TEXLA_VECTOR_SCALAR_H
#define TEXLA_VECTOR_SCALAR_H

#include "gl/texture.h"
#include "texla/scalar.h"

struct clFloat {
  clContext *context;
  /* The texture has one texel, R32F. */
  txTexture *texture;
};

#endif
