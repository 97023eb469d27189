/* Dense matrices on the device, and what every operation on them promises: lanes outside of the
 * matrix hold zero. */
#ifndef TEXLA_TESTS_DENSE_H
#define TEXLA_TESTS_DENSE_H

#include "common.h"

#include "dense/dense.h"

/* Row-major values. */
static inline clDense *denseUpload(clContext *context, const float *values, int rows, int cols) {
  clDense *A = NULL;
  assertOk(context, clDenseCreate(&A, context, rows, cols));
  assertOk(context, clDenseUpload(A, values, cols));
  return A;
}

static inline void assertZeroPadding(const clDense *A) {
  txPackingShape s = txPackingOf(A->packing);
  int width = A->texture->width, height = A->texture->height;
  FREED float *texels = malloc((size_t)width * (size_t)height * (size_t)s.lanes * sizeof *texels);
  assertOk(A->context, txTextureRead(A->texture, "test", (txRect){0, 0, width, height}, texels));
  for (int k = 0; k < width * height * s.lanes; k++) {
    int texel = k / s.lanes, lane = k % s.lanes;
    int i = texel / width * s.rows + lane / s.cols, j = texel % width * s.cols + lane % s.cols;
    if ((i >= A->rows || j >= A->cols) && texels[k] != 0)
      fail_msg("%d x %d: lane %d of texel (%d, %d) is %g", A->rows, A->cols, lane, texel % width,
               texel / width, (double)texels[k]);
  }
}

#endif
