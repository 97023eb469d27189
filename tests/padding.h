/* What every operation on 2 x 2 packed matrices promises: lanes outside of the matrix hold zero. */
#ifndef TEXLA_TESTS_PADDING_H
#define TEXLA_TESTS_PADDING_H

#include "common.h"

#include "objects/dense.h"

static inline void assertZeroPadding(const clDense *A) {
  int width = A->texture->width, height = A->texture->height;
  float *texels = malloc((size_t)width * (size_t)height * 4 * sizeof *texels);
  assertOk(A->context, txTextureRead(A->texture, "test", (txRect){0, 0, width, height}, texels));
  for (int t = 0; t < width * height; t++)
    for (int lane = 0; lane < 4; lane++)
      if (2 * (t / width) + lane / 2 >= A->rows || 2 * (t % width) + lane % 2 >= A->cols)
        if (texels[4 * t + lane] != 0)
          fail_msg("%d x %d: lane %d of texel (%d, %d) is %g", A->rows, A->cols, lane, t % width, t / width,
                   (double)texels[4 * t + lane]);
  free(texels);
}

#endif
