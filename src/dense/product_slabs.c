/* The product by slabs: a fragment computes four rows and eight columns, so that one fetched texel
 * of op(A) serves 32 multiply-adds. Both operands are copied first: op(A) into rectangles of
 * texels, one for each inner index, where a texel holds four rows (shaders/dense/slabs.glsl), and
 * op(B) into uniform blocks of eight columns, which all fragments of a draw share: a draw for each
 * eight columns and up to 2048 inner indices. Graphics cards broadcast them. Terms of further
 * indices are added by blending. The sums are eight layers of a texture, from which a last pass
 * makes blocks of 2 x 2.
 *
 * (The same with op(B) in flat varyings, a large point for each eight columns and a pass for each
 * 16 indices, is no faster than tiles on llvmpipe: its fetches have nothing in common with those of
 * their neighbours.) */
#include "dense/product.h"
#include "core/numbers.h"
#include "core/try.h"
#include "vector/run.h"

#include <stdio.h>

enum {
  /* as in slabs.glsl */
  STRIP = 128,
  LEAST_BLOCK = 16,
  COLUMNS = 8,
  ROWS = 4,
  MOST_BLOCK = 2048,
  WIDEST = 32
};

typedef struct slabs {
  clContext *context;
  const char *call;
  const txProduct *product;
  /* terms of a sum */
  int k;
  /* of columns */
  int eights;
  /* of a rectangle of A: of fragments */
  int width, height;
  /* inner indices in a block, number of blocks along the inner index */
  int block, blocks;
  /* rows before an eight of columns are left out */
  bool lower;
  txTexture *a, *b, *columns;
} slabs;

/* As wide as the texture of the sums allows: all eights of columns lie beside each other. */
static slabs planOf(clContext *context, const char *call, const txProduct *p,
                    const txProductVariant *variant) {
  slabs s = {.context = context, .call = call, .product = p, .k = 2 * p->inner};
  int fours = txCeilDiv(p->rect.height, ROWS / 2),
      limit = clContextInspect(context)->max_texture_size;
  int most = MOST_BLOCK;
  if (variant->stretch)
    most = txLeast(most, 2 * variant->stretch);
  /* A uniform block begins with a strip. */
  most = txMost(most, STRIP);
  s.eights = txCeilDiv(p->rect.width, COLUMNS / 2);
  s.width = WIDEST;
  if (variant->wide)
    s.width = variant->wide;
  while (s.width > 4 && (int64_t)s.eights * s.width > limit)
    s.width /= 2;
  s.height = txCeilDiv(fours, s.width);
  for (s.block = LEAST_BLOCK; s.block < s.k && s.block < most;)
    s.block *= 2;
  s.blocks = txCeilDiv(s.k, s.block);
  return s;
}

/* All textures that it needs must fit: sums, both operands, blocks. */
bool txSlabsFit(const clContext *context, const txProduct *p, const txProductVariant *variant) {
  slabs s = planOf((clContext *)context, "", p, variant);
  int64_t limit = clContextInspect(context)->max_texture_size;
  return (int64_t)s.eights * s.width <= limit &&
         (int64_t)txCeilDiv(s.k, STRIP) * s.height <= limit &&
         (int64_t)s.eights * s.blocks <= limit && 2 * s.block <= limit && s.width * STRIP <= limit;
}

static txUniform slabUniform(const slabs *s) {
  return (txUniform){"slab", 2, {(float)s->width, (float)s->height}, .integer = true};
}

/* *out <- the texels of an operand, `blocks`: as blocks. */
static clStatus productSlabsPack(const slabs *s, txTexture **out, const txBlock *block,
                                 bool blocks) {
  txProductOperand o = txProductOperandOf(block, blocks);
  txRect rect = s->product->rect;
  char text[64];
  snprintf(text, sizeof text, "%s%s", txWhen(o.along_x, "#define ALONG_X\n"),
           txWhen(blocks, "#define BLOCKS\n"));
  int width = s->width * txLeast(4 * txCeilDiv(s->k, 4), STRIP),
      height = s->height * txCeilDiv(s->k, STRIP);
  int outer = rect.height;
  if (blocks) {
    width = 2 * s->block;
    height = s->eights * s->blocks;
    outer = rect.width;
  }
  txPass pass = {.kernel = "slab_pack",
                 .defines = text,
                 .source = {{"a", o.texture, TX_EDGE}},
                 .uniform = {slabUniform(s),
                             {"from",
                              4,
                              {(float)o.x, (float)o.y, (float)s->product->inner, (float)outer},
                              .integer = true},
                             {"block", 2, {(float)s->eights, (float)s->block}, .integer = true}}};
  return txPassInto(out, s->context, s->call, &pass, TX_RGBA32F, width, height);
}

/* Both operands as they are read, and B in the context's uniform buffer. */
static clStatus productSlabsPrepare(slabs *s) {
  TRY(productSlabsPack(s, &s->a, &s->product->a, false));
  TRY(productSlabsPack(s, &s->b, &s->product->b, true));
  TRY(txBlocksFill(s->context, s->call, s->b));
  return txLayersCreate(&s->columns, s->context, s->call, TX_RGBA32F, s->eights * s->width,
                        s->height, COLUMNS);
}

/* The indices of block n: a draw for each eight columns. Zeros make the count a multiple of
 * four. */
static clStatus runBlock(const slabs *s, int n) {
  char text[32];
  int first = n * s->block, count = txLeast(s->k - first, s->block);
  snprintf(text, sizeof text, "#define BLOCK %d\n", s->block);
  int slope = 0;
  if (s->lower)
    slope = s->width * ROWS / COLUMNS;
  txPass pass = {
      .kernel = "slab_product",
      .defines = text,
      .target = {s->columns},
      .source = {{"a", s->a, TX_EDGE}},
      .uniform = {slabUniform(s),
                  {"inner", 2, {(float)first, (float)(4 * txCeilDiv(count, 4))}, .integer = true}},
      .rect = {0, 0, s->width, s->height},
      .blocks = {n * s->eights, s->eights, (size_t)s->block * COLUMNS * sizeof(float),
                 .slope = slope},
      .add = n > 0};
  return txPassRun(s->context, s->call, &pass);
}

/* Block after block of the inner dimension, the later ones added by blending. */
static clStatus productSlabsSum(slabs *s) {
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(productSlabsPrepare(s));
  for (int n = 0; n < s->blocks; n++)
    TRY_CLEANUP(runBlock(s, n));
cleanup:
  txTextureDestroy(s->a);
  txTextureDestroy(s->b);
  return status;
}

/* The sums as they are, for whoever joins them in another way (triangle/lower_add.c). */
clStatus txSlabsSum(txTexture **sums, txUniform *slab, clContext *context, const char *call,
                    const txProduct *p, const txProductVariant *variant, bool lower) {
  slabs s = planOf(context, call, p, variant);
  s.lower = lower;
  clStatus status = productSlabsSum(&s);
  *sums = s.columns;
  *slab = slabUniform(&s);
  return status;
}

/* The sums, and then blocks of 2 x 2 of them. */
clStatus txSlabsRun(clContext *context, const char *call, const txProduct *p,
                    const txProductVariant *variant) {
  txPass join = {.kernel = "slab_join"};
  txTexture *sums = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txSlabsSum(&sums, &join.uniform[0], context, call, p, variant, false));
  join.source[0] = (txSource){"columns", sums, TX_EDGE};
  txProductJoin(p, &join);
  TRY_CLEANUP(txPassRun(context, call, &join));
cleanup:
  txTextureDestroy(sums);
  return status;
}
