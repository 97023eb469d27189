#include "dense/lower.h"
#include "core/numbers.h"
#include "vector/run.h"

#include <stdio.h>
#include <string.h>

/* A triangle of up to LEAF texels is one pass that computes a texel in each fragment, at about a third of the rate of a large product; so
 * it should be a small part of the whole, and products not too many. Columns of up to NARROW texels are one pass, too. */
enum { LEAF = 32, MOST_LEAF = 64, NARROW = 16, LINE = 4 };

static int largest(int a, int b) {
  return a > b ? a : b;
}

txLower txLowerOfDense(const clDense *C) {
  bool single = C->packing == TEXLA_PACKING_1X1;
  return (txLower){C->context, C->texture, C->rows, single ? C->rows : txHalf(C->rows), false, single};
}

txLower txLowerOfPacked(const clPacked *P) {
  bool single = P->packing == TEXLA_PACKING_1X1;
  return (txLower){P->context, P->texture, P->order, single ? P->order : txHalf(P->order), true, single};
}

clStatus txLowerTexture(txTexture **out, clContext *context, const char *call, int order, clPacking packing,
                        bool folded) {
  if (!folded)
    return txDenseTexture(out, context, call, order, order, packing);
  int m = packing == TEXLA_PACKING_1X1 ? order : txHalf(order), height = m + 1 - m % 2;
  int limit = clContextInspect(context)->max_texture_size;
  if (height > limit)
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "a packed triangle of order %d needs a texture of %d x %d texels, but the device's limit is %d",
                  order, txHalf(m), height, limit);
  return txTextureCreate(out, context, call, txPackingOf(packing).format, txHalf(m), height);
}

txLowerPart txLowerPartOf(const txLower *lower, int number) {
  int m = lower->texels, odd = m % 2, w = txHalf(m);
  txLowerPart part = number == 0 ? (txLowerPart){0, w, 0, 0, 1} : (txLowerPart){w, m - w, 0, 0, 1};
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

int txLowerRowsWidth(int inner) {
  int lines = (inner + LINE - 1) / LINE;
  return LINE * (lines + (lines % 2 == 0));
}

static txFormat formatOf(const txLower *lower) {
  return lower->single ? TX_R32F : TX_RGBA32F;
}

static const char *singleDefine(const txLower *lower) {
  return lower->single ? "#define SINGLE\n" : "";
}

static clStatus createRows(txTexture **out, const char *call, const txLower *lower, int inner, int count) {
  return txTextureCreate(out, lower->context, call, formatOf(lower), txLowerRowsWidth(inner), count);
}

/* One of the two copies: `count` rows from `first` on. */
static clStatus scaleRows(txTexture **out, const char *call, const txLower *lower, int first, int count, int inner,
                          bool reversed, clDenseOp op, const clDense *A, const clVector *d) {
  char text[128];
  snprintf(text, sizeof text, "%s%s%s%s", singleDefine(lower), reversed ? "#define REVERSED\n" : "",
           op == TEXLA_DENSE_TRANSPOSED ? "#define TRANSPOSED\n" : "", d ? "#define SCALED\n" : "");
  txPass pass = {.kernel = "lower_scale",
                 .defines = text,
                 .source = {{"a", A->texture, TX_EDGE}, {d ? "d" : NULL, d ? d->texture : NULL, TX_EDGE}},
                 .uniform = {{"rows", 3, {(float)first, (float)count, (float)inner}, .integer = true}}};
  if (d)
    txPassUniform(&pass, (txUniform){"row_of_d", 1, {(float)d->layout.row}, .integer = true});
  clStatus status = createRows(out, call, lower, inner, count);
  pass.target[0] = *out;
  return status ? status : txPassRun(lower->context, call, &pass);
}

clStatus txLowerRowsScale(txLowerRows *rows, const char *call, const txLower *lower, clDenseOp op, const clDense *A,
                          const clVector *d) {
  int entries = op == TEXLA_DENSE_TRANSPOSED ? A->rows : A->cols, middle = txLowerPartOf(lower, 1).first;
  *rows = (txLowerRows){.inner = lower->single ? entries : txHalf(entries)};
  clStatus status = scaleRows(&rows->straight, call, lower, 0, lower->texels, rows->inner, false, op, A, d);
  if (!status && lower->folded && middle < lower->texels)
    status = scaleRows(&rows->turned, call, lower, middle, lower->texels - middle, rows->inner, true, op, A, d);
  if (status)
    txLowerRowsDestroy(rows);
  return status;
}

/* Texels from column `col` and row `row` on, of one part; reversed: upwards. */
static clStatus load(txTexture *target, const char *call, const txLower *lower, int col, int row, bool reversed,
                     txRect rect) {
  char text[64];
  txLowerPart part = txLowerPartOf(lower, 1);
  if (col < part.first || part.cols == 0)
    part = txLowerPartOf(lower, 0);
  snprintf(text, sizeof text, "%s%s", part.turn < 0 && !lower->single ? "#define TURNED\n" : "",
           reversed && !lower->single ? "#define REVERSED\n" : "");
  txUniform from = {"from",
                    4,
                    {(float)(part.x + part.turn * col), (float)(part.y + part.turn * row), (float)part.turn,
                     (float)(reversed ? -part.turn : part.turn)},
                    .integer = true};
  txPass pass = {.kernel = "lower_load",
                 .defines = text,
                 .target = {target},
                 .source = {{"lower", lower->texture, TX_EDGE}},
                 .uniform = {from},
                 .rect = rect};
  return txPassRun(lower->context, call, &pass);
}

clStatus txLowerLoad(txTexture *target, const char *call, const txLower *lower, int col, int row, txRect rect) {
  return load(target, call, lower, col, row, false, rect);
}

clStatus txLowerRowsLoad(txLowerRows *rows, const char *call, const txLower *lower, int col, int cols, int first,
                         bool turned) {
  int count = lower->texels - first, middle = largest(txLowerPartOf(lower, 1).first, first);
  *rows = (txLowerRows){.first = first, .inner = cols};
  clStatus status = createRows(&rows->straight, call, lower, cols, count);
  if (!status)
    status = load(rows->straight, call, lower, col, first, false, (txRect){0, 0, cols, count});
  count = lower->texels - middle;
  if (!status && turned && lower->folded && count > 0) {
    status = createRows(&rows->turned, call, lower, cols, count);
    if (!status)
      status = load(rows->turned, call, lower, col, lower->texels - 1, true, (txRect){0, 0, cols, count});
  }
  if (status)
    txLowerRowsDestroy(rows);
  return status;
}

/* Where columns and rows of texels of a part are. */
static txRect placeOf(const txLowerPart *part, int col, int cols, int row, int rows) {
  if (part->turn > 0)
    return (txRect){part->x + col, part->y + row, cols, rows};
  return (txRect){part->x - (col + cols - 1), part->y - (row + rows - 1), cols, rows};
}

void txLowerPass(txPass *pass, const txLower *lower, const txLowerPart *part, const txTrapezoid *shape) {
  float edge = part->turn > 0 ? 0 : 1;
  pass->target[0] = lower->texture;
  pass->vertex = "lower";
  pass->rect = placeOf(part, shape->col, shape->cols, shape->col, shape->rows);
  txPassUniform(
      pass, (txUniform){"corner",
                        4,
                        {(float)(part->x + part->turn * shape->col) + edge,
                         (float)(part->y + part->turn * shape->col) + edge, (float)part->turn, (float)shape->rows}});
  txPassUniform(pass, (txUniform){"places",
                                  4,
                                  {(float)lower->texture->width, (float)lower->texture->height,
                                   (float)(shape->col - shape->first), (float)shape->height}});
}

/* A triangle or trapezoid directly: inner indices [from, to). */
static clStatus addDirectly(const char *call, const txLower *lower, float alpha, const txLowerRows *rows,
                            const txLowerPart *part, int col, int cols, int end, int from, int to) {
  txPass pass = {.kernel = "lower_add",
                 .defines = lower->single ? "#define SINGLE\n" : NULL,
                 .source = {{"s", rows->straight, TX_EDGE}},
                 .uniform = {{"inner", 3, {(float)from, (float)to, 1 / (float)rows->straight->width}},
                             {"factor", 1, {alpha}},
                             {"turn", 1, {(float)part->turn}}},
                 .add = true,
                 .work = 2 * (int64_t)(to - from)};
  txLowerPass(&pass, lower, part, &(txTrapezoid){col, cols, end - col, rows->first, rows->straight->height});
  return txPassRun(lower->context, call, &pass);
}

/* A block below the diagonal, by the product; single entries by the kernel of triangles, a column at a time. */
static clStatus addBlock(const char *call, const txLower *lower, float alpha, const txLowerRows *rows,
                         const txLowerPart *part, int col, int cols, int row, int count) {
  bool turned = part->turn < 0;
  const txTexture *S = turned ? rows->turned : rows->straight;
  int last = lower->texels; /* the row of S for texel i: i - first, or last - 1 - i */
  txRect rect = placeOf(part, col, cols, row, count);
  txProduct p = {.target = lower->texture,
                 .rect = rect,
                 .rows = 2 * lower->texture->height,
                 .cols = 2 * lower->texture->width,
                 .alpha = alpha,
                 .beta = 1,
                 .a = {S, 0, turned ? last - row - count : row - rows->first, TEXLA_DENSE_NORMAL},
                 .b = {S, 0, turned ? last - col - cols : col - rows->first, TEXLA_DENSE_TRANSPOSED},
                 .inner = rows->inner,
                 .c = {lower->texture, rect.x, rect.y, TEXLA_DENSE_NORMAL}};
  return txProductRun(lower->context, call, &p, -1);
}

/* The triangle of columns and rows [col, col + cols): two of half the size and the block between them. */
static clStatus addTriangle(const char *call, const txLower *lower, float alpha, const txLowerRows *rows,
                            const txLowerPart *part, int col, int cols, int leaf) {
  if (cols <= leaf)
    return addDirectly(call, lower, alpha, rows, part, col, cols, col + cols, 0, rows->inner);
  int half = leaf;
  while (2 * half < cols)
    half *= 2;
  clStatus status = addTriangle(call, lower, alpha, rows, part, col, half, leaf);
  if (!status)
    status = addBlock(call, lower, alpha, rows, part, col, half, col + half, cols - half);
  return status ? status : addTriangle(call, lower, alpha, rows, part, col + half, cols - half, leaf);
}

static clStatus addToPart(const char *call, const txLower *lower, float alpha, const txLowerRows *rows,
                          const txLowerPart *part, int col, int cols) {
  int below = lower->texels - col - cols, leaf = cols >= 16 * LEAF ? MOST_LEAF : LEAF;
  if (cols <= NARROW || lower->single)
    return addDirectly(call, lower, alpha, rows, part, col, cols, lower->texels, 0, rows->inner);
  clStatus status = addTriangle(call, lower, alpha, rows, part, col, cols, leaf);
  if (status || below < 1)
    return status;
  return addBlock(call, lower, alpha, rows, part, col, cols, col + cols, below);
}

clStatus txLowerAdd(const char *call, const txLower *lower, float alpha, const txLowerRows *rows, int col, int cols) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < TX_LOWER_PARTS && !status; k++) {
    txLowerPart part = txLowerPartOf(lower, k);
    int first = largest(col, part.first), end = txLeast(col + cols, part.first + part.cols);
    if (first < end)
      status = addToPart(call, lower, alpha, rows, &part, first, end - first);
  }
  return status;
}

clStatus txLowerAddColumns(const char *call, const txLower *lower, float alpha, const txLowerRows *rows) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < rows->inner && !status; k++)
    for (int number = 0; number < TX_LOWER_PARTS && !status; number++) {
      txLowerPart part = txLowerPartOf(lower, number);
      if (part.cols > 0)
        status = addDirectly(call, lower, alpha, rows, &part, part.first, part.cols, lower->texels, k, k + 1);
    }
  return status;
}

static clStatus copy(const char *call, const txLower *lower, float factor, const txLower *from, const char *more,
                     const txTexture *scale) {
  char text[224];
  snprintf(text, sizeof text, "#define ROWS %d\n%s%s%s%s%s", lower->single ? 1 : 2, singleDefine(from),
           from->folded ? "#define FOLDED\n" : "", lower->folded ? "#define TARGET_FOLDED\n" : "",
           !lower->single && !from->single ? "#define BLOCKS\n" : "", more);
  txPass pass = {.kernel = "lower_copy",
                 .defines = text,
                 .target = {lower->texture},
                 .source = {{"lower", from->texture, TX_EDGE}, {scale ? "scale" : NULL, scale, TX_EDGE}},
                 .uniform = {{"triangle", 2, {(float)from->texels, (float)from->order}, .integer = true},
                             {"factor", 1, {factor}},
                             {"side", 1, {(float)lower->texels}, .integer = true}}};
  return txPassRun(lower->context, call, &pass);
}

clStatus txLowerCopy(const char *call, const txLower *lower, float factor, const txLower *from, bool symmetric) {
  if (!from)
    return txTextureClear(lower->texture, call);
  return copy(call, lower, factor, from, symmetric ? "#define SYMMETRIC\n" : "", NULL);
}

clStatus txLowerCopyScaled(const char *call, const txLower *lower, const txLower *from, const txTexture *scale,
                           bool unscale) {
  return copy(call, lower, 1, from, unscale ? "#define UNSCALED\n" : "#define SCALED\n", scale);
}
