/* The product of the storage slots: a pass per block of rows, then the long rows' rest (shaders/matrix/slots.frag). */
#include "objects/matrix_slots.h"
#include "ops/gather.h"
#include "ops/pack.h"

#include <math.h>
#include <stdio.h>

static clStatus multiplyBlock(const char *call, txTexture *target, float ca, const txSlots *s, const txSlotBlock *block,
                              const txTexture *x, float cb, const clVector *b) {
  float w = (float)s->value->width, h = (float)s->value->height, pitch = ldexpf(1, s->gather.shift);
  char defines[96];
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s%s", block->group,
           block->slots > block->group ? "#define GROUPS\n" : "", s->wide ? "#define WIDE\n" : "");
  txPass pass = {.kernel = "slots",
                 .target = {target},
                 .source = {{"value", s->value, TX_EDGE}, {"position", s->position, TX_EDGE}, {"x", x, TX_EDGE}},
                 .uniform = {{"place",
                              4,
                              {(float)target->width / w, (float)target->height / h, (float)block->left / w,
                               (float)(block->bottom - block->first) / h},
                              NULL,
                              false},
                             {"slot", 1, {(float)block->height / h}, NULL, false}},
                 .rect = {0, block->first, target->width, block->height},
                 .work = 6 * (int64_t)block->slots + 1};
  if (block->slots > block->group)
    txPassUniform(&pass, (txUniform){"groups", 1, {(float)(block->slots / block->group)}, NULL, true});
  if (s->wide)
    txPassUniform(&pass, (txUniform){"x_shift", 1, {(float)s->gather.shift}, NULL, true});
  else
    txPassUniform(&pass, (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  txCombine(&pass, defines, sizeof defines, ca, cb, b);
  return txPassRun(target->context, call, &pass);
}

static clStatus multiplyBlocks(const char *call, clVector *y, float ca, const txSlots *s, const clVector *x, float cb,
                               const clVector *b) {
  txTexture *unpacked = NULL;
  clStatus status = txUnpack(&unpacked, call, x);
  for (int k = 0; k < s->blocks && !status; k++)
    status = multiplyBlock(call, y->texture, ca, s, &s->block[k], unpacked, cb, b);
  txTextureDestroy(unpacked);
  return status;
}

/* Into a fresh texture, so that b may be y and a failed call leaves y as it was. */
static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed, const clVector *x,
                         float cb, const clVector *b) {
  clVector fresh = {y->context, y->layout, NULL};
  clStatus status = transposed ? txTransposed(call, A, &A) : TEXLA_OK;
  const txSlots *s = A->data;
  if (!status)
    status = txTextureCreate(&fresh.texture, y->context, call, TX_RGBA32F, y->layout.width, y->layout.height);
  if (!status)
    status = multiplyBlocks(call, &fresh, ca, s, x, cb, b);
  if (!status && s->rest)
    status = txCsrOps.multiply(call, &fresh, ca, s->rest, false, x, 1, &fresh);
  txTexture *unused = fresh.texture;
  if (!status) {
    unused = y->texture;
    y->texture = fresh.texture;
  }
  txTextureDestroy(unused);
  return status;
}

const txStorageOps txSlotsOps = {multiply, txGatherDiagonal};
