/* The coarsest grid: a dense inverse. */
#include "multigrid/grid.h"
#include "core/allocate.h"

#include <stdlib.h>

clStatus txGridDenseCreate(txTexture **out, const txGrid *A, const double *inverse, const char *call) {
  int texels = A->layout.width * A->layout.height;
  int64_t n = A->layout.length;
  float *values = txAllocate(txContextError(A->context), call, (size_t)texels * (size_t)texels, 16 * sizeof *values,
                             "the coarsest grid's inverse");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  int64_t row = 4 * (int64_t)A->layout.width, nx = A->layout.row; /* with padding, without */
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < n; k++) {
      int64_t from = k / nx * row + k % nx, to = i / nx * row + i % nx;
      values[from * 4 * texels + to] = (float)inverse[i * n + k];
    }
  txRect rect = {0, 0, texels, 4 * texels};
  clStatus status = txTextureCreate(out, A->context, call, TX_RGBA32F, rect.width, rect.height);
  if (!status)
    status = txTextureWrite(*out, call, rect, values);
  free(values);
  return status;
}

clStatus txGridDense(const char *call, clVector *x, const txTexture *inverse, const clVector *b) {
  txPass pass = {
      .kernel = "grid_dense",
      .source = {{"b", b->texture, TX_EDGE}, {"inverse", inverse, TX_EDGE}},
      .uniform = {
          {.name = "texels", .count = 2, .value = {(float)b->layout.width, (float)b->layout.height}, .integer = true}}};
  return txVectorRun(call, &pass, x);
}
