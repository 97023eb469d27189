/* C += alpha S S^T on parts of a lower triangle, in one of two ways.
 *
 * By halves: triangles are halved, two of half the size, and the square between them, which is a
 * product like any other. What is left in the end are a few leaves, triangles of texels along the
 * diagonal, and all of them, those of both parts of a packed triangle, are drawn in one pass
 * (shaders/dense/leaves.vert).
 *
 * By slabs: the product by slabs (product_slabs.c) draws eight columns at a time; here each draw
 * begins where they meet the diagonal. Then a pass for each part puts the texels into their
 * places. */
#include "core/numbers.h"
#include "core/try.h"
#include "triangle/lower.h"
#include "dense/product.h"
#include "vector/run.h"

#include <stdio.h>

enum {
  /* columns of up to so many texels are one pass, a texel in each fragment */
  NARROW = 16,
  LEAF = 64,
  /* least texels of a leaf; most leaves of a part */
  LEAVES = 4,
  MOST = LEAVES * TX_LOWER_PARTS,
  WIDE = 4,
  /* texels that a fragment of a leaf computes */
  HIGH = 2,
  /* columns of texels that are always added by halves */
  FEW = 64
};

typedef struct addition {
  const char *call;
  const txLower *lower;
  float alpha;
  const txLowerRows *rows;
  struct {
    const txLowerPart *part;
    int col, cols;
  } leaf[MOST];
  int leaves;
} addition;

/* ---- Triangles in one pass ------------------------------------------------------------------- */

/* What leaves.vert reads of a triangle with `rows` rows: the outer corner of its first texel in the
 * target, 1 or, turned by 180 degrees, -1, rows; its first texel in a row of scratch, its first row
 * in S. */
static void describeTriangle(float out[8], float x, float y, int turn, int rows, int offset,
                             int first) {
  float values[8] = {x, y, (float)turn, (float)rows, (float)offset, (float)first};
  for (int i = 0; i < 8; i++)
    out[i] = values[i];
}

/* A triangle of C, from the texel (col, col) on. */
static void describePlace(float out[8], const addition *a, const txLowerPart *part, int col,
                          int rows, int offset) {
  float edge = txLowerEdge(part);
  describeTriangle(out, (float)(part->x + part->turn * col) + edge,
                   (float)(part->y + part->turn * col) + edge, part->turn, rows, offset,
                   col - a->rows->first);
}

/* Draws `count` triangles into pass->target; what it cuts off does not count. */
static clStatus drawTriangles(const addition *a, txPass *pass, const float *triangles, int count) {
  const txTexture *target = pass->target[0];
  pass->vertex = "leaves";
  pass->shape = TX_TRIANGLES;
  pass->count = 3 * count;
  txPassUniform(pass, (txUniform){"triangles", 2 * MOST, .array = triangles});
  txPassUniform(pass, (txUniform){"extent",
                                  4,
                                  {(float)target->width, (float)target->height,
                                   1 / (float)a->rows->straight->width,
                                   1 / (float)a->rows->straight->height}});
  return txPassRun(a->lower->context, a->call, pass);
}

/* C += alpha S S^T in both parts, entry by entry: inner indices [from, to). */
static clStatus addParts(const addition *a, int from, int to) {
  float triangles[8 * MOST] = {0};
  int count = 0;
  for (int k = 0; k < TX_LOWER_PARTS; k++) {
    txLowerPart part = txLowerPartOf(a->lower, k);
    /* the first one of a square reaches to its end */
    if (part.cols > 0 && (k == 0 || a->lower->folded))
      describePlace(triangles + 8 * count++, a, &part, part.first, a->lower->texels - part.first,
                    0);
  }
  txPass pass = {
      .kernel = "lower_add",
      .defines = txWhen(a->lower->single, "#define SINGLE\n"),
      .target = {a->lower->texture},
      .source = {{"s", a->rows->straight, TX_EDGE}},
      .uniform = {{"inner", 3, {(float)from, (float)to, 1 / (float)a->rows->straight->width}},
                  {"factor", 1, {a->alpha}}},
      .add = true,
      .work = 2 * (int64_t)(to - from)};
  return drawTriangles(a, &pass, triangles, count);
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

/* Blocks of WIDE x HIGH texels on and below the diagonal, each in a fragment; then the texels to
 * their places. */
static clStatus drawLeaves(const addition *a) {
  float blocks[8 * MOST] = {0}, texels[8 * MOST] = {0};
  int width = 0, height = 0;
  for (int k = 0; k < a->leaves; k++) {
    int col = a->leaf[k].col, cols = a->leaf[k].cols;
    describeTriangle(blocks + 8 * k, (float)width, 0, 1, txCeilDiv(cols, HIGH), width,
                     col - a->rows->first);
    describePlace(texels + 8 * k, a, a->leaf[k].part, col, cols, width);
    width += txCeilDiv(cols, WIDE);
    height = txMost(height, txCeilDiv(cols, HIGH));
  }
  char text[2][64];
  for (int k = 0; k < 2; k++)
    snprintf(text[k], sizeof text[k], "#define WIDE %d\n#define HIGH %d\n%s", WIDE, HIGH,
             txWhen(k == 0, "#define PRODUCT\n"));
  txTexture *sums = NULL;
  clStatus status = TEXLA_OK;
  TRY(txLayersCreate(&sums, a->lower->context, a->call, TX_RGBA32F, width, height, WIDE * HIGH));
  txPass product = {.kernel = "leaves_product",
                    .defines = text[0],
                    .target = {sums},
                    .source = {{"s", a->rows->straight, TX_EDGE}},
                    .uniform = {{"inner", 1, {(float)a->rows->inner}}},
                    .work = (WIDE + HIGH) * (int64_t)a->rows->inner};
  txPass join = {.kernel = "leaves_join",
                 .defines = text[1],
                 .target = {a->lower->texture},
                 .source = {{"sums", sums, TX_EDGE}},
                 .uniform = {{"factor", 1, {a->alpha}}},
                 .add = true};
  TRY_CLEANUP(drawTriangles(a, &product, blocks, a->leaves));
  TRY_CLEANUP(drawTriangles(a, &join, texels, a->leaves));
cleanup:
  txTextureDestroy(sums);
  return status;
}

/* A block below the diagonal, by the product. */
static clStatus addBlock(const addition *a, const txLowerPart *part, int col, int cols, int row,
                         int count) {
  const txLower *lower = a->lower;
  const txTexture *S = a->rows->straight;
  /* The row of S for texel i is i - first, or, turned, texels - 1 - i. */
  int row_in_s = row - a->rows->first, col_in_s = col - a->rows->first;
  if (part->turn < 0) {
    S = a->rows->turned;
    row_in_s = lower->texels - row - count;
    col_in_s = lower->texels - col - cols;
  }
  txRect rect = txLowerPlace(part, col, cols, row, count);
  txProduct p = {.target = lower->texture,
                 .rect = rect,
                 .rows = 2 * lower->texture->height,
                 .cols = 2 * lower->texture->width,
                 .alpha = a->alpha,
                 .beta = 1,
                 .a = {S, 0, row_in_s, TEXLA_NO_TRANSPOSE},
                 .b = {S, 0, col_in_s, TEXLA_TRANSPOSE},
                 .inner = a->rows->inner,
                 .c = {lower->texture, rect.x, rect.y, TEXLA_NO_TRANSPOSE}};
  return txProductRun(lower->context, a->call, &p, NULL);
}

/* The triangle of columns and rows [col, col + cols): two of half the size and the block between
 * them. */
static clStatus addTriangle(addition *a, const txLowerPart *part, int col, int cols, int leaf) {
  if (cols <= leaf) {
    a->leaf[a->leaves].part = part;
    a->leaf[a->leaves].col = col;
    a->leaf[a->leaves++].cols = cols;
    return TEXLA_OK;
  }
  int half = leaf;
  while (2 * half < cols)
    half *= 2;
  TRY(addTriangle(a, part, col, half, leaf));
  TRY(addBlock(a, part, col, half, col + half, cols - half));
  return addTriangle(a, part, col + half, cols - half, leaf);
}

/* Few columns: a trapezoid, a texel in each fragment. */
static clStatus addNarrow(const addition *a, const txLowerPart *part, int col, int cols) {
  txPass pass = {
      .kernel = "lower_add",
      .source = {{"s", a->rows->straight, TX_EDGE}},
      .uniform = {{"inner", 3, {0, (float)a->rows->inner, 1 / (float)a->rows->straight->width}},
                  {"factor", 1, {a->alpha}}},
      .add = true,
      .work = 2 * (int64_t)a->rows->inner};
  txTrapezoid shape = {col, cols, a->lower->texels - col, a->rows->first,
                       a->rows->straight->height};
  txLowerPass(&pass, a->lower, part, &shape);
  return txPassRun(a->lower->context, a->call, &pass);
}

/* A part's columns: those beside the diagonal as leaves, halves and blocks, and what is below
 * them as one product. */
static clStatus addToPart(addition *a, const txLowerPart *part, int col, int cols) {
  int below = a->lower->texels - col - cols, leaf = LEAF;
  if (cols <= NARROW)
    return addNarrow(a, part, col, cols);
  while (LEAVES * leaf < cols)
    leaf *= 2;
  TRY(addTriangle(a, part, col, cols, leaf));
  if (below < 1)
    return TEXLA_OK;
  return addBlock(a, part, col, cols, col + cols, below);
}

/* Leaves wait until all parts have theirs, so that one pass draws them together. */
static clStatus addByHalves(addition *a, int col, int cols) {
  txLowerPart part[TX_LOWER_PARTS];
  for (int k = 0; k < TX_LOWER_PARTS; k++) {
    part[k] = txLowerPartOf(a->lower, k);
    int first = txMost(col, part[k].first), end = txLeast(col + cols, part[k].first + part[k].cols);
    if (first < end)
      TRY(addToPart(a, &part[k], first, end - first));
  }
  if (a->leaves == 0)
    return TEXLA_OK;
  return drawLeaves(a);
}

/* ---- Slabs ----------------------------------------------------------------------------------- */

/* The sums of columns [col, ...) into one part. */
static clStatus joinPart(const addition *a, const txTexture *sums, txUniform slab, int col,
                         const txLowerPart *part, int first, int end) {
  txPass pass = {.kernel = "lower_join",
                 .source = {{"columns", sums, TX_EDGE}},
                 .uniform = {slab,
                             {"factor", 1, {a->alpha}},
                             {"skipped", 1, {(float)(first - col)}, .integer = true}},
                 .add = true};
  txTrapezoid shape = {first, end - first, a->lower->texels - first, a->rows->first,
                       a->rows->straight->height};
  txLowerPass(&pass, a->lower, part, &shape);
  return txPassRun(a->lower->context, a->call, &pass);
}

/* The trapezoid as a product of all its rows with those of its columns. */
static txProduct productOf(const txLower *lower, const txLowerRows *rows, int col, int cols) {
  txBlock S = {rows->straight, 0, col - rows->first, TEXLA_NO_TRANSPOSE}, turned = S;
  turned.op = TEXLA_TRANSPOSE;
  return (txProduct){
      .rect = {0, 0, cols, lower->texels - col}, .a = S, .b = turned, .inner = rows->inner};
}

/* Sums by slabs (product_slabs.c), more than the triangle needs; what is above the diagonal is
 * left out when they are joined. */
static clStatus addBySlabs(const addition *a, int col, int cols, const txProductVariant *variant) {
  txTexture *sums = NULL;
  txUniform slab;
  txProduct p = productOf(a->lower, a->rows, col, cols);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txSlabsSum(&sums, &slab, a->lower->context, a->call, &p, variant, true));
  for (int k = 0; k < TX_LOWER_PARTS; k++) {
    txLowerPart part = txLowerPartOf(a->lower, k);
    int first = txMost(col, part.first), end = txLeast(col + cols, part.first + part.cols);
    if (first < end)
      TRY_CLEANUP(joinPart(a, sums, slab, col, &part, first, end));
  }
cleanup:
  txTextureDestroy(sums);
  return status;
}

/* ---- The choice ------------------------------------------------------------------------------ */

/* Where a product of that size is computed by slabs, so is its triangle; with narrow rectangles,
 * because a draw leaves out whole rows of them. (On an H200, A D^2 A^T with n = 2048 and twice as
 * many columns reaches 0.82 of the product's rate so, 0.78 with rectangles as wide as the
 * product's, and 0.69 by halves.) */
clStatus txLowerAdd(const char *call, const txLower *lower, float alpha, const txLowerRows *rows,
                    int col, int cols) {
  static const txProductVariant slabs = {TX_PRODUCT_BLOCKS, .wide = 8, .stretch = 1024};
  const txProductVariant *chosen = NULL;
  addition a = {.call = call, .lower = lower, .alpha = alpha, .rows = rows};
  if (lower->single)
    return addParts(&a, 0, rows->inner);
  txProduct p = productOf(lower, rows, col, cols);
  if (cols > FEW)
    TRY(txProductChoose(lower->context, &p, &chosen));
  if (chosen && chosen->kind == TX_PRODUCT_BLOCKS && txSlabsFit(lower->context, &p, &slabs))
    return addBySlabs(&a, col, cols, &slabs);
  return addByHalves(&a, col, cols);
}
