/* The product of the storage csr: level after level of sums over ranges (shaders/matrix/csr.frag). */
#include "objects/matrix_csr.h"
#include "ops/gather.h"
#include "ops/pack.h"

#include <stdio.h>

static void setInteger(txPass *pass, const char *name, int value) {
  txPassUniform(pass, (txUniform){name, 1, {(float)value}, NULL, true});
}

/* What level l reads: the products or the sums of the level before. */
static void setItems(txPass *pass, const txCsr *csr, int l, const txTexture *x, const txTable *sums) {
  pass->source[0] = (txSource){"start", csr->level[l].start.texture, TX_EDGE};
  setInteger(pass, "start_shift", csr->level[l].start.shift);
  setInteger(pass, "item_shift", l ? sums->shift : csr->value.shift);
  if (l) {
    pass->source[1] = (txSource){"items", sums->texture, TX_EDGE};
    return;
  }
  pass->source[1] = (txSource){"value", csr->value.texture, TX_EDGE};
  pass->source[2] = (txSource){"column", csr->column.texture, TX_EDGE};
  pass->source[3] = (txSource){"x", x, TX_EDGE};
  setInteger(pass, "x_shift", csr->gather.shift);
}

/* *sums <- the sums of level l, in place of those of the level before. */
static clStatus sumChunks(clContext *context, const char *call, const txCsr *csr, int l, const txTexture *x,
                          txTable *sums) {
  int64_t count = csr->level[l].count;
  txTable next = {0};
  clStatus status = txTableCreate(&next, context, call, TX_R32F, NULL, count);
  txPass pass = {
      .kernel = "csr",
      .target = {next.texture},
      .defines = l ? NULL : "#define PRODUCTS\n",
      .uniform = {{"end", 2, {(float)(count & ((1 << next.shift) - 1)), (float)(count >> next.shift)}, NULL, true}},
      .work = TX_CSR_CHUNK};
  setItems(&pass, csr, l, x, sums);
  setInteger(&pass, "sum_shift", next.shift);
  if (!status)
    status = txPassRun(context, call, &pass);
  txTextureDestroy(sums->texture);
  *sums = next;
  return status;
}

static clStatus multiplyUnpacked(const char *call, clVector *y, float ca, const txCsr *csr, const txTexture *x,
                                 float cb, const clVector *b) {
  txTable sums = {0};
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1;
  for (int l = 0; l < last && !status; l++)
    status = sumChunks(y->context, call, csr, l, x, &sums);
  if (!status) {
    char defines[128];
    snprintf(defines, sizeof defines, "#define ROWS\n%s", last ? "" : "#define PRODUCTS\n");
    txPass pass = {.kernel = "csr", .work = 4 * TX_CSR_CHUNK};
    setItems(&pass, csr, last, x, &sums);
    txCombine(&pass, defines, sizeof defines, ca, cb, b);
    status = txVectorRun(call, &pass, y);
  }
  txTextureDestroy(sums.texture);
  return status;
}

static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed, const clVector *x,
                         float cb, const clVector *b) {
  txTexture *unpacked = NULL;
  clStatus status = transposed ? txTransposed(call, A, &A) : TEXLA_OK;
  if (!status)
    status = txUnpack(&unpacked, call, x);
  if (!status)
    status = multiplyUnpacked(call, y, ca, A->data, unpacked, cb, b);
  txTextureDestroy(unpacked);
  return status;
}

const txStorageOps txCsrOps = {multiply, txGatherDiagonal};
