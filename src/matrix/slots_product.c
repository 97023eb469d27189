/* The product of the storage slots: a pass per block of rows, then the long rows' rest
 * (shaders/matrix/slots.frag). */
#include "matrix/slots.h"
#include "core/numbers.h"
#include "core/try.h"
#include "matrix/csr.h"
#include "matrix/multivector.h"
#include "vector/unpack.h"

#include <math.h>
#include <stdio.h>

/* uv runs over the whole vector, the slots of a block over a part of another texture. */
void txSlotsPlace(txPass *pass, const txSlotBlock *block, int width, int height, int left,
                  int bottom, int w, int h) {
  float slots = (float)block->slots,
        middle = 0.5f + (float)bottom - slots * (0.5f + (float)block->first);
  txPassUniform(pass, (txUniform){"place",
                                  4,
                                  {(float)width / (float)w, slots * (float)height / (float)h,
                                   (float)left / (float)w, middle / (float)h}});
  txPassUniform(pass, (txUniform){"slot", 1, {1 / (float)h}});
}

/* The rows of one block: groups of slots in a loop, each group unrolled. */
static clStatus multiplyBlock(const char *call, txTexture *target, float ca, const txSlots *s,
                              const txSlotBlock *block, const txTexture *x, float cb,
                              const clVector *b) {
  float pitch = ldexpf(1, s->gather.shift);
  char defines[96];
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s%s", block->group,
           txWhen(block->slots > block->group, "#define GROUPS\n"),
           txWhen(s->wide, "#define WIDE\n"));
  txPass pass = {.kernel = "slots",
                 .target = {target},
                 .source = {{"value", s->value, TX_EDGE},
                            {"position", s->position, TX_EDGE},
                            {"x", x, TX_EDGE}},
                 .rect = {0, block->first, target->width, block->height},
                 .work = 6 * (int64_t)block->slots + 1};
  txSlotsPlace(&pass, block, target->width, target->height, block->left, block->bottom,
               s->value->width, s->value->height);
  if (block->slots > block->group)
    txPassUniform(&pass,
                  (txUniform){"groups", 1, {(float)(block->slots / block->group)}, NULL, true});
  if (s->wide)
    txPassUniform(&pass, (txUniform){"x_shift", 1, {(float)s->gather.shift}, NULL, true});
  else
    txPassUniform(&pass,
                  (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  txCombine(&pass, defines, sizeof defines, ca, cb, b);
  return txPassRun(target->context, call, &pass);
}

/* x is unpacked once for all blocks. */
static clStatus multiplyBlocks(const char *call, clVector *y, float ca, const txSlots *s,
                               const clVector *x, float cb, const clVector *b) {
  txTexture *unpacked = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txUnpack(&unpacked, call, x));
  for (int k = 0; k < s->blocks; k++)
    TRY_CLEANUP(multiplyBlock(call, y->texture, ca, s, &s->block[k], unpacked, cb, b));
cleanup:
  txTextureDestroy(unpacked);
  return status;
}

/* Into a fresh texture, so that b may be y and a failed call leaves y as it was. */
clStatus txSlotsMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                         bool transposed, const clVector *x, float cb, const clVector *b) {
  clVector fresh = {y->context, y->layout, NULL};
  if (transposed)
    TRY(txTransposed(call, A, &A));
  const txSlots *s = A->data;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLayoutTexture(&fresh.texture, y->context, call, &y->layout));
  TRY_CLEANUP(multiplyBlocks(call, &fresh, ca, s, x, cb, b));
  if (s->rest)
    TRY_CLEANUP(txCsrMultiply(call, &fresh, ca, s->rest, false, x, 1, &fresh));
  txTextureExchange(&y->texture, &fresh.texture);
cleanup:
  txTextureDestroy(fresh.texture);
  return status;
}

/* The same with several vectors: a multivector already is one row to a texel, where the elements of
 * four vectors are found with one fetch. */

/* The block's entries with one row to a texel, kept: four rows to a texel would be fetched four
 * times. A belongs to its one thread, so that this is safe although it is const. */
static clStatus unpackEntries(const char *call, const txSlots *s, txSlotBlock *block, int width) {
  txTexture *entries = NULL;
  if (block->entries)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&entries, s->value->context, call, TX_RG32F, width,
                              txMost(1, block->slots * block->height)));
  txPass pass = {
      .kernel = "multivector_entries",
      .target = {entries},
      .source = {{"value", s->value, TX_EDGE}, {"position", s->position, TX_EDGE}},
      .uniform = {{"corner", 2, {(float)block->left, (float)block->bottom}, NULL, true}}};
  if (block->slots)
    TRY_CLEANUP(txPassRun(s->value->context, call, &pass));
  else
    TRY_CLEANUP(txTextureClear(entries, call));
  block->entries = entries;
  return TEXLA_OK;
cleanup:
  txTextureDestroy(entries);
  return status;
}

/* As above; the elements of four vectors are found with one fetch. */
static clStatus multiplyBlockSeveral(const char *call, const txSlots *s, txSlotBlock *block,
                                     const txMultiProduct *product) {
  const txTexture *x = product->x[0]->texture, *y = product->y[0]->texture;
  if (!s->wide)
    TRY(unpackEntries(call, s, block, y->width));
  float pitch = ldexpf(1, s->gather.shift);
  char defines[128];
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s", block->group,
           txWhen(s->wide, "#define WIDE\n"));
  txPass pass = {.kernel = "multivector_slots",
                 .rect = {0, block->first, y->width, block->height},
                 .work = (2 + product->groups) * (int64_t)block->slots + 1};
  txPassIntegers(&pass, "slots", 1, block->slots, 0);
  /* Where positions are integers, the four rows of a texel stay together, and a fragment takes its
   * own. */
  if (s->wide)
    txSlotsPlace(&pass, block, y->width, y->height, 4 * block->left, block->bottom,
                 4 * s->value->width, s->value->height);
  else
    txSlotsPlace(&pass, block, y->width, y->height, 0, 0, y->width, block->entries->height);
  if (s->wide) {
    pass.source[0] = (txSource){"value", s->value, TX_EDGE};
    pass.source[1] = (txSource){"position", s->position, TX_EDGE};
    txPassIntegers(&pass, "x_shift", 1, s->gather.shift, 0);
  } else {
    pass.source[0] = (txSource){"entries", block->entries, TX_EDGE};
    txPassUniform(&pass,
                  (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  }
  return txMultivectorDraw(call, &pass, defines, sizeof defines, product);
}

/* The rest in csr is added to what the blocks have left in y. */
clStatus txSlotsMultiplySeveral(const char *call, const txMultiProduct *product) {
  const txSlots *s = product->A->data;
  for (int k = 0; k < s->blocks; k++)
    TRY(multiplyBlockSeveral(call, s, &s->block[k], product));
  txMultiProduct rest = txMultivectorAdding(product);
  if (!s->rest)
    return TEXLA_OK;
  return txCsrMultiplySeveral(call, s->rest->data, &rest);
}
