/* Bundles times the storages that gather: a bundle already is one row to a texel, where they find the elements of four
 * vectors with one fetch. */
#include "objects/matrix_csr.h"
#include "objects/matrix_points.h"
#include "objects/matrix_slots.h"
#include "ops/bundle.h"

#include <math.h>
#include <stdio.h>

static void setInteger(txPass *pass, const char *name, int value) {
  txPassUniform(pass, (txUniform){name, 1, {(float)value}, NULL, true});
}

/* csr: level l of the sums. x are the bundles, or the sums of the level before. */
static void setLevel(txPass *pass, const txCsr *csr, int l, int x_shift) {
  pass->source[0] = (txSource){"start", csr->level[l].start.texture, TX_EDGE};
  setInteger(pass, "start_shift", csr->level[l].start.shift);
  setInteger(pass, "x_shift", x_shift);
  if (l)
    return;
  pass->source[1] = (txSource){"value", csr->value.texture, TX_EDGE};
  pass->source[2] = (txSource){"column", csr->column.texture, TX_EDGE};
  setInteger(pass, "item_shift", csr->value.shift);
}

static const char *levelText(int l) {
  return l ? "" : "#define PRODUCTS\n";
}

/* The sums of a level that is not the last, in bundles of their own. */
static clStatus sumParts(const char *call, const txCsr *csr, int l, const txBundleProduct *p, int x_shift,
                         txTable *sums) {
  clContext *context = p->A->context;
  int64_t count = csr->level[l].count;
  clVector part[TX_GROUPS] = {{.context = context}, {.context = context}}, *y[TX_GROUPS] = {&part[0], &part[1]};
  txBundleProduct inner = {p->A, p->groups, y, p->x, NULL, 1, 0};
  clStatus status = TEXLA_OK;
  char defines[128];
  for (int g = 0; g < p->groups && !status; g++) {
    status = txTableCreate(&sums[g], context, call, TX_RGBA32F, NULL, count);
    part[g].texture = sums[g].texture;
    part[g].layout = p->y[g]->layout;
  }
  if (status)
    return status;
  int mask = (1 << sums->shift) - 1;
  txPass pass = {.kernel = "bundle_csr", .work = TX_CSR_CHUNK * (int64_t)p->groups};
  snprintf(defines, sizeof defines, "#define PARTIAL\n%s", levelText(l));
  setLevel(&pass, csr, l, x_shift);
  setInteger(&pass, "sum_shift", sums->shift);
  txPassUniform(&pass, (txUniform){"end", 2, {(float)(count & mask), (float)(count >> sums->shift)}, NULL, true});
  return txBundleDraw(call, &pass, defines, sizeof defines, &inner);
}

static clStatus multiplyCsr(const char *call, const txCsr *csr, const txBundleProduct *product) {
  clVector item[TX_GROUPS], *items[TX_GROUPS] = {&item[0], &item[1]};
  txTable sums[TX_GROUPS] = {{0}}, next[TX_GROUPS] = {{0}};
  txBundleProduct p = *product;
  clStatus status = TEXLA_OK;
  int last = csr->levels - 1, shift = csr->gather.shift;
  for (int l = 0; l < last && !status; l++) {
    status = sumParts(call, csr, l, &p, shift, next);
    for (int g = 0; g < p.groups; g++) {
      txTextureDestroy(sums[g].texture);
      sums[g] = next[g];
      next[g] = (txTable){0};
      item[g] = (clVector){p.A->context, p.x[g]->layout, sums[g].texture};
    }
    p.x = items;
    shift = sums->shift;
  }
  if (!status) {
    char defines[128];
    txPass pass = {.kernel = "bundle_csr", .work = TX_CSR_CHUNK * (int64_t)p.groups};
    snprintf(defines, sizeof defines, "%s", levelText(last));
    setLevel(&pass, csr, last, shift);
    status = txBundleRun(call, &pass, defines, sizeof defines, &p);
  }
  for (int g = 0; g < p.groups; g++)
    txTextureDestroy(sums[g].texture);
  return status;
}

clStatus txBundleCsr(const char *call, const txBundleProduct *product) {
  return multiplyCsr(call, product->A->data, product);
}

/* The block's entries with one row to a texel, kept: four rows to a texel would be fetched four times. A belongs to its one
 * thread, so that this is safe although it is const. */
static clStatus unpackEntries(const char *call, const txSlots *s, txSlotBlock *block, int width) {
  txTexture *entries = NULL;
  if (block->entries)
    return TEXLA_OK;
  clStatus status = txTextureCreate(&entries, s->value->context, call, TX_RG32F, width,
                                    block->slots ? block->slots * block->height : 1);
  txPass pass = {.kernel = "bundle_entries",
                 .target = {entries},
                 .source = {{"value", s->value, TX_EDGE}, {"position", s->position, TX_EDGE}},
                 .uniform = {{"corner", 2, {(float)block->left, (float)block->bottom}, NULL, true}}};
  if (!status)
    status = block->slots ? txPassRun(s->value->context, call, &pass) : txTextureClear(entries, call);
  if (status)
    txTextureDestroy(entries);
  else
    block->entries = entries;
  return status;
}

static clStatus multiplyBlock(const char *call, const txSlots *s, txSlotBlock *block, const txBundleProduct *product) {
  const txTexture *x = product->x[0]->texture, *y = product->y[0]->texture;
  clStatus status = s->wide ? TEXLA_OK : unpackEntries(call, s, block, y->width);
  if (status)
    return status;
  /* images of the block, one above the other: where they begin, and what they lie in */
  float left = s->wide ? (float)block->left : 0, bottom = s->wide ? (float)block->bottom : 0;
  float w = s->wide ? 4 * (float)s->value->width : (float)y->width;
  float h = (float)(s->wide ? s->value : block->entries)->height, pitch = ldexpf(1, s->gather.shift);
  char defines[128];
  snprintf(defines, sizeof defines, "#define GROUP %d\n%s", block->group, s->wide ? "#define WIDE\n" : "");
  txPass pass = {
      .kernel = "bundle_slots",
      .uniform = {{"place",
                   4,
                   {(float)y->width / w, (float)y->height / h, 4 * left / w, (bottom - (float)block->first) / h}},
                  {"slot", 1, {(float)block->height / h}}},
      .rect = {0, block->first, y->width, block->height},
      .work = (2 + product->groups) * (int64_t)block->slots + 1};
  setInteger(&pass, "slots", block->slots);
  if (s->wide) {
    pass.source[0] = (txSource){"value", s->value, TX_EDGE};
    pass.source[1] = (txSource){"position", s->position, TX_EDGE};
    setInteger(&pass, "x_shift", s->gather.shift);
  } else {
    pass.source[0] = (txSource){"entries", block->entries, TX_EDGE};
    txPassUniform(&pass, (txUniform){"pitch", 2, {1 / pitch, pitch / (float)x->width}, NULL, false});
  }
  return txBundleDraw(call, &pass, defines, sizeof defines, product);
}

clStatus txBundleSlots(const char *call, const txBundleProduct *product) {
  const txSlots *s = product->A->data;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < s->blocks && !status; k++)
    status = multiplyBlock(call, s, &s->block[k], product);
  txBundleProduct rest = txBundleAdding(product);
  return status || !s->rest ? status : multiplyCsr(call, s->rest->data, &rest);
}

static clStatus drawPoints(const char *call, const txPoints *p, const txBundleProduct *product, int64_t first,
                           int64_t count) {
  const txTexture *target = product->y[0]->texture;
  char defines[64] = "";
  txPass pass = {.kernel = "bundle_points",
                 .vertex = "bundle_points",
                 .uniform = {{"factor", 1, {product->ca}, NULL, false},
                             {"cell", 2, {2 / (float)target->width, 2 / (float)target->height}, NULL, false}},
                 .shape = TX_POINTS,
                 .vertices = p->vertices,
                 .first = first,
                 .count = count,
                 .add = !count};
  setInteger(&pass, "x_shift", p->gather.shift);
  return txBundleDraw(call, &pass, defines, sizeof defines, product);
}

/* Without blending: layer after layer, in which no two points meet, each added by a pass. */
static clStatus addLayers(const char *call, const txPoints *p, const txBundleProduct *product) {
  clVector layer[TX_GROUPS] = {{0}}, *layers[TX_GROUPS] = {&layer[0], &layer[1]};
  txBundleProduct drawn = *product, added = txBundleAdding(product);
  drawn.y = layers;
  drawn.b = NULL;
  clStatus status = TEXLA_OK;
  for (int g = 0; g < product->groups && !status; g++) {
    layer[g] = *product->y[g];
    status = txTextureCreate(&layer[g].texture, layer[g].context, call, TX_RGBA32F, layer[g].layout.width,
                             layer[g].layout.height);
  }
  added.x = layers;
  added.ca = 1;
  for (int64_t k = 0; k < p->layers && !status; k++) {
    char defines[64] = "#define SUM bundlesAt(uv)\n";
    for (int g = 0; g < product->groups && !status; g++)
      status = txTextureClear(layer[g].texture, call);
    if (!status)
      status = drawPoints(call, p, &drawn, p->first[k], p->first[k + 1] - p->first[k]);
    txPass pass = {.kernel = "bundle_scale"};
    if (!status)
      status = txBundleRun(call, &pass, defines, sizeof defines, &added);
  }
  for (int g = 0; g < product->groups; g++)
    if (layer[g].texture != product->y[g]->texture)
      txTextureDestroy(layer[g].texture);
  return status;
}

clStatus txBundlePoints(const char *call, const txBundleProduct *product) {
  const txPoints *p = product->A->data;
  char defines[64] = "#define SUM BUNDLES(0.)\n";
  txPass start = {.kernel = "bundle_scale"}; /* y <- cb b */
  clStatus status = txBundleRun(call, &start, defines, sizeof defines, product);
  if (status || !p->vertices)
    return status;
  return clContextInspect(product->A->context)->probes.blendable ? drawPoints(call, p, product, 0, 0)
                                                                 : addLayers(call, p, product);
}
