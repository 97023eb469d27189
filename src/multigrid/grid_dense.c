/* The coarsest grid: a dense inverse. */
#include "multigrid/grid.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>

clStatus txGridDenseCreate(txTexture **out, const txGrid *A, const double *inverse,
                           const char *call) {
  int texels = A->layout.width * A->layout.height;
  int64_t n = A->layout.length;
  float *values = txAllocate(txContextError(A->context), call, (size_t)texels * (size_t)texels,
                             16 * sizeof *values, "the coarsest grid's inverse");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  /* Rows of points take `row` numbers with padding, nx without. */
  int64_t row = 4 * (int64_t)A->layout.width, nx = A->layout.row;
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < n; k++) {
      int64_t from = k / nx * row + k % nx, to = i / nx * row + i % nx;
      values[from * 4 * texels + to] = (float)inverse[i * n + k];
    }
  txRect rect = {0, 0, texels, 4 * texels};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(out, A->context, call, TX_RGBA32F, rect.width, rect.height));
  TRY_CLEANUP(txTextureWrite(*out, call, rect, values));
cleanup:
  free(values);
  return status;
}

/* Two passes: a fragment that fetches all of a row waits for each fetch, and there are few of
 * them. */
clStatus txGridDense(const char *call, clVector *x, const txTexture *inverse, const clVector *b) {
  /* One fragment sums over so many texels of b. */
  enum { PART = 8 };
  int width = b->layout.width, texels = width * b->layout.height,
      parts = (texels + PART - 1) / PART;
  txTexture *partial = NULL;
  clStatus status = TEXLA_OK;
  txPass pass = {.kernel = "grid_dense",
                 .source = {{"b", b->texture, TX_EDGE}, {"inverted", inverse, TX_EDGE}},
                 .uniform = {{"texels", 3, {(float)width, (float)texels, PART}, .integer = true}}};
  TRY_CLEANUP(txPassInto(&partial, b->context, call, &pass, TX_RGBA32F, texels, parts));
  txPass sum = {.kernel = "grid_dense_sum",
                .source = {{"partial", partial, TX_EDGE}},
                .uniform = {{"texels", 2, {(float)width, (float)parts}, .integer = true}}};
  TRY_CLEANUP(txVectorRun(call, &sum, x));
cleanup:
  txTextureDestroy(partial);
  return status;
}
