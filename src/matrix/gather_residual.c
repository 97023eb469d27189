/* Residuals in double-float of csr and slots: x is read from a texture with a number (hi, lo) to a
 * texel. */
#include "gl/traits.h"
#include "matrix/csr.h"
#include "matrix/residual.h"
#include "matrix/slots.h"

#include <math.h>
#include <stdio.h>

/* *sums <- the sums of level l, in place of those of the level before. */
static clStatus sumChunks(clContext *context, const char *call, const txCsr *csr, int l,
                          const txTexture *x, txTable *sums) {
  int64_t count = csr->level[l].count;
  char text[256];
  txTable next = {0};
  clStatus status = txTableCreate(&next, context, call, TX_RG32F, NULL, count);
  txPass pass = {
      .kernel = "csr_residual",
      .target = {next.texture},
      .defines = text,
      .uniform = {{"end",
                   2,
                   {(float)(count & ((1 << next.shift) - 1)), (float)(count >> next.shift)},
                   NULL,
                   true}},
      .work = TX_CSR_CHUNK};
  snprintf(text, sizeof text, "%s%s", txDoubleFloatDefine(context), l ? "" : "#define PRODUCTS\n");
  txCsrItems(&pass, csr, l, x, sums);
  txPassIntegers(&pass, "sum_shift", 1, next.shift, 0);
  if (!status)
    status = txPassRun(context, call, &pass);
  txTextureDestroy(sums->texture);
  *sums = next;
  return status;
}

static clStatus csrResidual(const char *call, const txResidual *r, const txCsr *csr,
                            const txTexture *x) {
  txTable sums = {0};
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1;
  for (int l = 0; l < last && !status; l++)
    status = sumChunks(r->A->context, call, csr, l, x, &sums);
  txPass pass = {.kernel = "csr_residual", .work = 4 * TX_CSR_CHUNK};
  txCsrItems(&pass, csr, last, x, &sums);
  if (!status)
    status =
        txResidualRun(call, &pass, last ? "#define ROWS\n" : "#define ROWS\n#define PRODUCTS\n", r);
  txTextureDestroy(sums.texture);
  return status;
}

clStatus txCsrResidual(const char *call, const txResidual *r) {
  txTexture *x = NULL;
  clStatus status = txDoubleUnpack(&x, call, r->x);
  if (!status)
    status = csrResidual(call, r, r->A->data, x);
  txTextureDestroy(x);
  return status;
}

static clStatus blockResidual(const char *call, txTexture *const target[2], const txResidual *r,
                              const txSlotBlock *block, const txTexture *x) {
  const txSlots *s = r->A->data;
  float pitch = ldexpf(1, s->gather.shift);
  char defines[96], text[512];
  txPass pass = {.kernel = "slots_residual",
                 .target = {target[0], target[1]},
                 .source = {{"value", s->value, TX_EDGE},
                            {"position", s->position, TX_EDGE},
                            {"x", x, TX_EDGE}},
                 .uniform = {{"extent", 3, {0}}},
                 .rect = {0, block->first, target[0]->width, block->height},
                 .work = 7 * (int64_t)block->slots + 2};
  txLayoutExtent(&r->b->high.layout, pass.uniform[0].value);
  txSlotsPlace(&pass, block, target[0]->width, target[0]->height, block->left, block->bottom,
               s->value->width, s->value->height);
  txPassIntegers(&pass, "groups", 1, block->group ? block->slots / block->group : 0, 0);
  if (s->wide)
    txPassIntegers(&pass, "x_shift", 1, s->gather.shift, 0);
  else
    txPassUniform(&pass,
                  (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s", block->group,
           s->wide ? "#define WIDE\n" : "");
  txResidualPass(&pass, text, sizeof text, defines, r);
  return txPassRun(r->A->context, call, &pass);
}

/* The blocks of rows, into the fresh textures. */
static clStatus blocksResidual(const char *call, txTexture *const target[2], const txResidual *r,
                               const txTexture *x) {
  const txSlots *s = r->A->data;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < s->blocks && !status; k++)
    status = blockResidual(call, target, r, &s->block[k], x);
  return status;
}

/* The long rows' rest is subtracted from what the slots leave. */
clStatus txSlotsResidual(const char *call, const txResidual *r) {
  const txSlots *s = r->A->data;
  txResidual slots = *r, rest = *r;
  clDoubleVector *fresh = NULL;
  txTexture *x = NULL;
  clStatus status = txDoubleVectorReserve(&fresh, r->A->context, call, &r->b->high.layout);
  if (!status)
    status = txDoubleUnpack(&x, call, r->x);
  if (!status && s->rest)
    slots.pair = fresh;
  if (!status)
    status = blocksResidual(
        call, (txTexture *const[2]){fresh->high.texture, slots.pair ? fresh->low.texture : NULL},
        &slots, x);
  if (!status && s->rest) {
    rest.A = s->rest;
    rest.b = fresh;
    status = csrResidual(call, &rest, s->rest->data, x);
  } else if (!status) {
    txTextureExchange(r->pair ? &r->pair->high.texture : &r->single->texture, &fresh->high.texture);
    if (r->pair)
      txTextureExchange(&r->pair->low.texture, &fresh->low.texture);
  }
  txTextureDestroy(x);
  clDoubleVectorDestroy(fresh);
  return status;
}
