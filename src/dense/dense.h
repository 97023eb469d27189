/* clDense inside: a shape, a packing and one texture. A pass that reads what it writes renders into
 * another texture of the pool and replaces this one (src/dense/entries.h). */
#ifndef TEXLA_DENSE_DENSE_H
#define TEXLA_DENSE_DENSE_H

#include "gl/texture.h"
#include "texla/dense.h"

struct clDense {
  clContext *context;
  int rows, cols;
  clPacking packing;
  /* RGBA32F, R32F for 1x1; the lanes outside of the matrix are zero */
  txTexture *texture;
};

static inline clTranspose txTransposeWhen(bool transposed) {
  return transposed ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE;
}

/* A texel holds rows x cols entries, row by row. */
typedef struct txPackingShape {
  int rows, cols, lanes;
  txFormat format;
} txPackingShape;
txPackingShape txPackingOf(clPacking packing);

/* A texture of the right format and size; its contents are undefined. */
clStatus txDenseTexture(txTexture **out, clContext *context, const char *call, int rows, int cols,
                        clPacking packing);

/* A matrix around such a texture: undefined, or with `cleared` zero. */
clStatus txDenseCreate(clDense **out, clContext *context, const char *call, int rows, int cols,
                       clPacking packing, bool cleared);

/* What a factorization of A returns that found it singular: TEXLA_NOT_FINITE, with a message, where
 * A holds NaN or Inf, else `status`. */
clStatus txDenseBlame(clStatus status, const char *call, const clDense *A);

#endif
