/* Where the factor of a Cholesky factorization is, and how the host gets it. */
#include "triangle/cholesky_host.h"
#include "core/allocate.h"
#include "core/try.h"
#include "triangle/cholesky.h"

#include <stdlib.h>

/* Held in blocks of 2 x 2, whatever method has made it. */
txLower txCholeskyFactorOf(const clCholesky *c) {
  return (txLower){c->context, c->factor, c->order, (c->order + 1) / 2, c->options.packed, false};
}

/* Columns of one part of L = S^-1 times the factor, whose texels are `raw`. */
static void unpackPart(const clCholesky *c, const txLowerPart *p, const float *raw,
                       const txHostLower *out) {
  size_t width = (size_t)c->factor->width;
  for (int j = 2 * p->first; j < 2 * (p->first + p->cols) && j < c->order; j++)
    for (int i = j; i < c->order; i++) {
      int x = p->x + p->turn * (j / 2), y = p->y + p->turn * (i / 2), lane = i % 2 * 2 + j % 2;
      const float *texel = raw + 4 * ((size_t)y * width + (size_t)x);
      if (p->turn < 0)
        lane = 3 - lane;
      txHostLowerRow(out, i)[j] = (double)texel[lane] / c->scales[i];
    }
}

/* All texels at once; each part of the triangle then takes its columns from them. */
clStatus txCholeskyDownload(const clCholesky *c, const char *call, txHostLower *out) {
  size_t n = (size_t)c->order, texels = (size_t)c->factor->width * (size_t)c->factor->height;
  clError *error = txContextError(c->context);
  txLower L = txCholeskyFactorOf(c);
  txRect all = {0, 0, c->factor->width, c->factor->height};
  float *raw = txAllocate(error, call, texels * 4, sizeof *raw, "a factor");
  txHostLower result = {.order = c->order, .room = c->order};
  result.value = txAllocate(error, call, n * (n + 1) / 2, sizeof *result.value, "a factor");
  clStatus status = TEXLA_OUT_OF_MEMORY;
  *out = (txHostLower){0};
  if (!raw || !result.value)
    goto cleanup;
  TRY_CLEANUP(txTextureRead(c->factor, call, all, raw));
  for (int k = 0; k < TX_LOWER_PARTS; k++) {
    txLowerPart part = txLowerPartOf(&L, k);
    unpackPart(c, &part, raw, &result);
  }
  *out = result;
  result.value = NULL;
cleanup:
  free(raw);
  free(result.value);
  return status;
}
