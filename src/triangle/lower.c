#include "triangle/lower.h"
#include "core/numbers.h"
#include "core/try.h"
#include "vector/run.h"

#include <stdio.h>
#include <string.h>

/* texels of a cache line */
enum { LINE = 4 };

/* The height of a triangle in texels: of one entry, or of two rows of two. */
static int texelsOf(int order, clPacking packing) {
  if (packing == TEXLA_PACKING_1X1)
    return order;
  return txHalf(order);
}

/* A square matrix of which only the lower triangle is looked at. */
txLower txLowerOfDense(const clDense *C) {
  bool single = C->packing == TEXLA_PACKING_1X1;
  return (txLower){C->context, C->texture, C->rows, texelsOf(C->rows, C->packing), false, single};
}

/* A packed triangle (J2): its right part is turned by 180 degrees (lower.h). */
txLower txLowerOfPacked(const clPacked *P) {
  bool single = P->packing == TEXLA_PACKING_1X1;
  return (txLower){P->context, P->texture, P->order, texelsOf(P->order, P->packing), true, single};
}

/* Folded, m columns of texels take half a square: (m + 1) / 2 columns, and an odd number of
 * rows. */
clStatus txLowerTexture(txTexture **out, clContext *context, const char *call, int order,
                        clPacking packing, bool folded) {
  if (!folded)
    return txDenseTexture(out, context, call, order, order, packing);
  int m = texelsOf(order, packing), height = m + 1 - m % 2;
  int limit = clContextInspect(context)->max_texture_size;
  if (height > limit)
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "a packed triangle of order %d needs a texture of %d x %d texels, but the "
                  "device's limit is %d",
                  order, txHalf(m), height, limit);
  TRY(txTextureCreate(out, context, call, txPackingOf(packing).format, txHalf(m), height));
  (*out)->meaning = (txMeaning){"packed", {order, m}};
  return TEXLA_OK;
}

/* The left part holds the first half of the columns; in the folded texture the right one is
 * turned, so that both fill a rectangle. */
txLowerPart txLowerPartOf(const txLower *lower, int number) {
  int m = lower->texels, odd = m % 2, w = txHalf(m);
  txLowerPart part = {0, w, 0, 0, 1};
  if (number == 1)
    part = (txLowerPart){w, m - w, 0, 0, 1};
  if (lower->folded && number == 0)
    part.y = 1 - odd;
  if (lower->folded && number == 1) {
    part.x = m - 1 + odd;
    part.y = m - 1;
    part.turn = -1;
  }
  return part;
}

void txLowerRowsDestroy(txLowerRows *rows) {
  txTextureDestroy(rows->straight);
  txTextureDestroy(rows->turned);
  *rows = (txLowerRows){0};
}

/* An odd number of cache lines, because rows of a power of two evict each other; where the device
 * allows it. */
static int rowsWidth(const clContext *context, int inner) {
  int lines = (inner + LINE - 1) / LINE;
  return txLeast(LINE * (lines + (lines % 2 == 0)), clContextInspect(context)->max_texture_size);
}

/* A texel holds one entry, or 2 x 2 of them. */
static txFormat formatOf(const txLower *lower) {
  if (lower->single)
    return TX_R32F;
  return TX_RGBA32F;
}

/* Kernels of triangles compute with blocks of 2 x 2 unless they are told otherwise. */
static const char *singleDefine(const txLower *lower) {
  return txWhen(lower->single, "#define SINGLE\n");
}

/* A copy of `count` rows with `inner` texels each. */
static clStatus createRows(txTexture **out, const char *call, const txLower *lower, int inner,
                           int count) {
  return txTextureCreate(out, lower->context, call, formatOf(lower),
                         rowsWidth(lower->context, inner), count);
}

/* One of the two copies: `count` rows from `first` on, `inner` texels from `from` on. */
static clStatus scaleRows(txTexture **out, const char *call, const txLower *lower, int first,
                          int count, int from, int inner, bool reversed, clTranspose op,
                          const clDense *A, const clVector *d) {
  char text[128];
  snprintf(text, sizeof text, "%s%s%s%s", singleDefine(lower),
           txWhen(reversed, "#define REVERSED\n"),
           txWhen(op == TEXLA_TRANSPOSE, "#define TRANSPOSED\n"), txWhen(d, "#define SCALED\n"));
  txPass pass = {
      .kernel = "lower_scale",
      .defines = text,
      .source = {{"a", A->texture, TX_EDGE}},
      .uniform = {
          {"rows", 4, {(float)first, (float)count, (float)inner, (float)from}, .integer = true}}};
  if (d) {
    txPassSource(&pass, "d", d->texture, TX_EDGE);
    txPassUniform(&pass, (txUniform){"row_of_d", 1, {(float)d->layout.row}, .integer = true});
  }
  TRY(createRows(out, call, lower, inner, count));
  pass.target[0] = *out;
  return txPassRun(lower->context, call, &pass);
}

/* op(A) D for products with its own transpose; the second copy, with rows in reverse, is for the
 * part that is turned. */
clStatus txLowerRowsScale(txLowerRows *rows, const char *call, const txLower *lower, clTranspose op,
                          const clDense *A, const clVector *d, int from, int inner) {
  int middle = txLowerPartOf(lower, 1).first;
  *rows = (txLowerRows){.inner = inner};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(
      scaleRows(&rows->straight, call, lower, 0, lower->texels, from, inner, false, op, A, d));
  if (lower->folded && middle < lower->texels)
    TRY_CLEANUP(scaleRows(&rows->turned, call, lower, middle, lower->texels - middle, from, inner,
                          true, op, A, d));
  return TEXLA_OK;
cleanup:
  txLowerRowsDestroy(rows);
  return status;
}

/* Texels from column `col` and row `row` on, of one part; reversed: upwards. */
static clStatus load(txTexture *target, const char *call, const txLower *lower, int col, int row,
                     bool reversed, txRect rect) {
  char text[64];
  txLowerPart part = txLowerPartOf(lower, 1);
  if (col < part.first || part.cols == 0)
    part = txLowerPartOf(lower, 0);
  snprintf(text, sizeof text, "%s%s", txWhen(part.turn < 0 && !lower->single, "#define TURNED\n"),
           txWhen(reversed && !lower->single, "#define REVERSED\n"));
  int upwards = part.turn;
  if (reversed)
    upwards = -part.turn;
  txUniform from = {"from",
                    4,
                    {(float)(part.x + part.turn * col), (float)(part.y + part.turn * row),
                     (float)part.turn, (float)upwards},
                    .integer = true};
  txPass pass = {.kernel = "lower_load",
                 .defines = text,
                 .target = {target},
                 .source = {{"lower", lower->texture, TX_EDGE}},
                 .uniform = {from},
                 .rect = rect};
  return txPassRun(lower->context, call, &pass);
}

/* The same from columns of the triangle itself. */
clStatus txLowerRowsLoad(txLowerRows *rows, const char *call, const txLower *lower, int col,
                         int cols, int first, bool turned) {
  int count = lower->texels - first, middle = txMost(txLowerPartOf(lower, 1).first, first);
  *rows = (txLowerRows){.first = first, .inner = cols};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createRows(&rows->straight, call, lower, cols, count));
  TRY_CLEANUP(load(rows->straight, call, lower, col, first, false, (txRect){0, 0, cols, count}));
  count = lower->texels - middle;
  if (turned && lower->folded && count > 0) {
    txRect all = {0, 0, cols, count};
    TRY_CLEANUP(createRows(&rows->turned, call, lower, cols, count));
    TRY_CLEANUP(load(rows->turned, call, lower, col, lower->texels - 1, true, all));
  }
  return TEXLA_OK;
cleanup:
  txLowerRowsDestroy(rows);
  return status;
}

float txLowerEdge(const txLowerPart *part) {
  if (part->turn > 0)
    return 0;
  return 1;
}

txRect txLowerPlace(const txLowerPart *part, int col, int cols, int row, int rows) {
  if (part->turn > 0)
    return (txRect){part->x + col, part->y + row, cols, rows};
  return (txRect){part->x - (col + cols - 1), part->y - (row + rows - 1), cols, rows};
}

/* A trapezoid of a part: the vertex shader lower.vert leaves out what is above the diagonal. */
void txLowerPass(txPass *pass, const txLower *lower, const txLowerPart *part,
                 const txTrapezoid *shape) {
  float edge = txLowerEdge(part);
  pass->target[0] = lower->texture;
  pass->vertex = "lower";
  pass->rect = txLowerPlace(part, shape->col, shape->cols, shape->col, shape->rows);
  txPassUniform(pass, (txUniform){"corner",
                                  4,
                                  {(float)(part->x + part->turn * shape->col) + edge,
                                   (float)(part->y + part->turn * shape->col) + edge,
                                   (float)part->turn, (float)shape->rows}});
  txPassUniform(pass, (txUniform){"places",
                                  4,
                                  {(float)lower->texture->width, (float)lower->texture->height,
                                   (float)(shape->col - shape->first), (float)shape->height}});
}

/* Any two layouts of a triangle, with entries times a factor, or times powers of two of rows and
 * columns. */
static clStatus copy(const char *call, const txLower *lower, float factor, const txLower *from,
                     const char *more, const txTexture *scale) {
  char text[224];
  int rows = 2;
  if (lower->single)
    rows = 1;
  snprintf(text, sizeof text, "#define ROWS %d\n%s%s%s%s%s", rows, singleDefine(from),
           txWhen(from->folded, "#define FOLDED\n"),
           txWhen(lower->folded, "#define TARGET_FOLDED\n"),
           txWhen(!lower->single && !from->single, "#define BLOCKS\n"), more);
  txPass pass = {
      .kernel = "lower_copy",
      .defines = text,
      .target = {lower->texture},
      .source = {{"lower", from->texture, TX_EDGE}},
      .uniform = {{"triangle", 2, {(float)from->texels, (float)from->order}, .integer = true},
                  {"factor", 1, {factor}},
                  {"side", 1, {(float)lower->texels}, .integer = true}}};
  if (scale)
    txPassSource(&pass, "scale", scale, TX_EDGE);
  return txPassRun(lower->context, call, &pass);
}

clStatus txLowerCopy(const char *call, const txLower *lower, float factor, const txLower *from,
                     bool symmetric) {
  if (!from)
    return txTextureClear(lower->texture, call);
  return copy(call, lower, factor, from, txWhen(symmetric, "#define SYMMETRIC\n"), NULL);
}

/* lower <- S from S, or with `unscale` S^-1 from: both powers of two. */
clStatus txLowerCopyScaled(const char *call, const txLower *lower, const txLower *from,
                           const txTexture *scale, bool unscale) {
  const char *more = "#define SCALED\n";
  if (unscale)
    more = "#define UNSCALED\n";
  return copy(call, lower, 1, from, more, scale);
}
