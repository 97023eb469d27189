#include "ops/equilibrate.h"

#include <math.h>
#include <stdlib.h>

static int halfOf(int n) {
  return n / 2 + n % 2;
}

/* A texture of pairs from n factors. */
static clStatus createFactors(txTexture **out, clContext *context, const char *call, const float *factor, int n) {
  int texels = halfOf(n);
  float *pairs = malloc((size_t)texels * 2 * sizeof *pairs);
  if (!pairs)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d factors", n);
  for (int i = 0; i < 2 * texels; i++)
    pairs[i] = factor && i < n ? factor[i] : 1;
  clStatus status = txTextureCreate(out, context, call, TX_RG32F, texels, 1);
  if (!status)
    status = txTextureWrite(*out, call, (txRect){0, 0, texels, 1}, pairs);
  free(pairs);
  return status;
}

clStatus txDenseScale(const char *call, clDense *A, const float *row, const float *col) {
  txTexture *rows = NULL, *cols = NULL;
  clStatus status = createFactors(&rows, A->context, call, row, A->rows);
  if (!status)
    status = createFactors(&cols, A->context, call, col, A->cols);
  if (!status) {
    txPass pass = {.kernel = "dense_scale",
                   .source = {{"a", A->texture, TX_EDGE}, {"row", rows, TX_EDGE}, {"col", cols, TX_EDGE}}};
    status = txDenseRun(call, &pass, A);
  }
  txTextureDestroy(rows);
  txTextureDestroy(cols);
  return status;
}

/* factor[i] <- a power of two near 1 / sum of magnitudes of row (column) i; 1 where that is zero */
static clStatus readFactors(const char *call, const clDense *A, bool columns, float *factor) {
  int n = columns ? A->cols : A->rows, texels = halfOf(n);
  float *sums = malloc((size_t)texels * 4 * sizeof *sums);
  if (!sums)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d sums", n);
  txTexture *texture = NULL;
  clStatus status = txDenseSums(call, &texture, A->texture, columns);
  if (!status)
    status = txTextureRead(texture, call, (txRect){0, 0, texture->width, texture->height}, sums);
  txTextureDestroy(texture);
  for (int i = 0; i < n && !status; i++) {
    float sum = sums[4 * (i / 2) + i % 2 * (columns ? 1 : 2)];
    factor[i] = sum > 0 && isfinite(sum) ? ldexpf(1, -ilogbf(sum)) : 1;
  }
  free(sums);
  return status;
}

clStatus txDenseEquilibrate(const char *call, clDense *A, float *col) {
  float *row = malloc((size_t)A->rows * sizeof *row);
  if (!row)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d factors", A->rows);
  clStatus status = readFactors(call, A, false, row);
  if (!status)
    status = txDenseScale(call, A, row, NULL);
  if (!status)
    status = readFactors(call, A, true, col);
  free(row);
  return status ? status : txDenseScale(call, A, NULL, col);
}
