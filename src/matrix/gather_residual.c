/* Residuals in double-float of csr and slots: x is read from a texture with a number (hi, lo) to a
 * texel. */
#include "core/numbers.h"
#include "gl/traits.h"
#include "core/try.h"
#include "matrix/csr.h"
#include "matrix/residual.h"
#include "matrix/slots.h"

#include <math.h>
#include <stdio.h>

/* As the product: level after level, the last of which subtracts from b. */
static clStatus csrResidual(const char *call, const txResidual *r, const txCsr *csr,
                            const txTexture *x) {
  txTable sums = {0};
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1;
  TRY_CLEANUP(txCsrSums(&sums, r->A->context, call, csr, x, true));
  txPass pass = {.kernel = "csr_residual", .work = 4 * TX_CSR_CHUNK};
  txCsrItems(&pass, csr, last, x, &sums);
  const char *defines = last ? "#define ROWS\n" : "#define ROWS\n#define PRODUCTS\n";
  TRY_CLEANUP(txResidualRun(call, &pass, defines, r));
cleanup:
  txTextureDestroy(sums.texture);
  return status;
}

clStatus txCsrResidual(const char *call, const txResidual *r) {
  txTexture *x = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDoubleUnpack(&x, call, r->x));
  TRY_CLEANUP(csrResidual(call, r, r->A->data, x));
cleanup:
  txTextureDestroy(x);
  return status;
}

/* The rows of one block; each has the same number of slots. */
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
  txPassIntegers(&pass, "groups", 1, block->slots / txMost(1, block->group), 0);
  if (s->wide)
    txPassIntegers(&pass, "x_shift", 1, s->gather.shift, 0);
  else
    txPassUniform(&pass,
                  (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s", block->group,
           txWhen(s->wide, "#define WIDE\n"));
  txResidualPass(&pass, text, sizeof text, defines, r);
  return txPassRun(r->A->context, call, &pass);
}

/* The blocks of rows, into the fresh textures. */
static clStatus blocksResidual(const char *call, txTexture *const target[2], const txResidual *r,
                               const txTexture *x) {
  const txSlots *s = r->A->data;
  for (int k = 0; k < s->blocks; k++)
    TRY(blockResidual(call, target, r, &s->block[k], x));
  return TEXLA_OK;
}

/* The long rows' rest is subtracted from what the slots leave. */
static clStatus addRest(const char *call, const txResidual *r, clDoubleVector *fresh,
                        const txTexture *x) {
  const txSlots *s = r->A->data;
  txResidual slots = *r, rest = *r;
  slots.pair = fresh;
  rest.A = s->rest;
  rest.b = fresh;
  TRY(blocksResidual(call, (txTexture *const[2]){fresh->high.texture, fresh->low.texture}, &slots,
                     x));
  return csrResidual(call, &rest, s->rest->data, x);
}

/* Without such a rest the fresh textures become the result's. */
static clStatus replaceResult(const char *call, const txResidual *r, clDoubleVector *fresh,
                              const txTexture *x) {
  txTexture *target[2] = {fresh->high.texture, NULL};
  if (r->pair)
    target[1] = fresh->low.texture;
  TRY(blocksResidual(call, target, r, x));
  if (r->pair) {
    txTextureExchange(&r->pair->high.texture, &fresh->high.texture);
    txTextureExchange(&r->pair->low.texture, &fresh->low.texture);
  } else {
    txTextureExchange(&r->single->texture, &fresh->high.texture);
  }
  return TEXLA_OK;
}

clStatus txSlotsResidual(const char *call, const txResidual *r) {
  const txSlots *s = r->A->data;
  clDoubleVector *fresh = NULL;
  txTexture *x = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDoubleVectorReserve(&fresh, r->A->context, call, &r->b->high.layout));
  TRY_CLEANUP(txDoubleUnpack(&x, call, r->x));
  if (s->rest)
    TRY_CLEANUP(addRest(call, r, fresh, x));
  else
    TRY_CLEANUP(replaceResult(call, r, fresh, x));
cleanup:
  txTextureDestroy(x);
  clDoubleVectorDestroy(fresh);
  return status;
}
