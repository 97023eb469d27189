/* The product of dense matrices (B2), in 2 x 2 packing.
 *
 * op(A) and op(B) are copied (packed), so that both run along x with the inner index: transposition costs nothing more, and the rows
 * of the copies have an odd number of cache lines, because rows of a power of two evict each other. Then, by variant,
 *   1 x 1    every fragment computes one texel of C: single-pass, the loop in the shader; with a short panel it is the documents'
 *            multi-pass product, in which every slab of the inner dimension is one pass that accumulates by blending
 *   single   the documents' single-pass product: the same without packing
 *   w x h    every fragment computes w x h texels that lie a tile apart, each into a target of its own, so that w + h fetches
 *            serve w h products; the targets are the tiles of C, and a pass for each puts it into its place
 * Panels shorten the sums that are rounded one after the other, so they are also more accurate. */
#include "gl/tuning.h"
#include "ops/dense.h"

#include <stdio.h>

/* A variant is a number, so that it fits the tuning table: 100 panel + 10 wide + high, panel in texels. */
static const int candidates[] = {TX_PRODUCT_VARIANTS};
enum {
  CANDIDATES = sizeof candidates / sizeof *candidates,
  MOST_TILES = 8,
  FALLBACK = 51242,
  PACKED_SINGLE = 51211,
  LINE = 4
};

typedef struct shapeOf {
  int wide, high, panel;
} shapeOf;

static shapeOf decode(int variant) {
  return (shapeOf){variant / 10 % 10, variant % 10, variant / 100};
}

static int ceilDiv(int a, int b) {
  return a / b + (a % b != 0);
}

/* Inner length of the packed operands: whole groups of four, an odd number of cache lines (LINE texels each). */
static int packedWidth(int inner) {
  int lines = ceilDiv(inner, LINE);
  return LINE * (lines + (lines % 2 == 0));
}

/* Packs a block whose rows of the result are `count` texels: rows of op(A), or (`columns`) columns of op(B). */
static clStatus packOperand(clContext *context, const char *call, txTexture **out, const txBlock *block, int inner,
                            int count, bool columns) {
  bool swapped = block->op == TEXLA_TRANSPOSED, turned = swapped != columns;
  char text[64];
  snprintf(text, sizeof text, "%s%s", turned ? "#define TURNED\n" : "", swapped ? "#define SWAPPED\n" : "");
  txPass pass = {
      .kernel = "product_pack",
      .defines = text,
      .source = {{"a", block->texture, TX_EDGE}},
      .uniform = {{"from", 4, {(float)block->x, (float)block->y, (float)inner, (float)count}, .integer = true}}};
  clStatus status = txTextureCreate(&pass.target[0], context, call, TX_RGBA32F, packedWidth(inner), count);
  if (status)
    return status;
  *out = pass.target[0];
  return txPassRun(context, call, &pass);
}

/* What one product needs while it runs. */
typedef struct work {
  clContext *context;
  const char *call;
  const txProduct *product;
  shapeOf shape;
  txTexture *a, *b;            /* packed */
  txTexture *tile[MOST_TILES]; /* not for 1 x 1 */
  int tile_width, tile_height;
} work;

static void release(work *w) {
  txTextureDestroy(w->a);
  txTextureDestroy(w->b);
  for (int t = 0; t < MOST_TILES; t++)
    txTextureDestroy(w->tile[t]);
}

static clStatus prepare(work *w) {
  const txProduct *p = w->product;
  clStatus status = packOperand(w->context, w->call, &w->a, &p->a, p->inner, p->rect.height, false);
  if (!status)
    status = packOperand(w->context, w->call, &w->b, &p->b, p->inner, p->rect.width, true);
  w->tile_width = ceilDiv(p->rect.width, w->shape.wide);
  w->tile_height = ceilDiv(p->rect.height, w->shape.high);
  int tiles = w->shape.wide * w->shape.high;
  for (int t = 0; t < tiles && tiles > 1 && !status; t++)
    status = txTextureCreate(&w->tile[t], w->context, w->call, TX_RGBA32F, w->tile_width, w->tile_height);
  return status;
}

/* C is added by blending where it is the target itself. */
static bool inPlace(const txProduct *p) {
  return p->c.texture == p->target;
}

/* The uniform `place` of product.vert: from uv of a target to rows of packed a and b. `rect` is what is rendered there. */
static txUniform placeOf(const work *w, const txTexture *target, txRect rect) {
  float height = (float)w->a->height, width = (float)w->b->height;
  return (txUniform){
      "place",
      4,
      {(float)target->width / width, (float)target->height / height, -(float)rect.x / width, -(float)rect.y / height},
      NULL,
      false};
}

/* One panel of the inner dimension, [first, last) texels. */
static clStatus runPanel(const work *w, int first, int last) {
  const txProduct *p = w->product;
  bool direct = !w->tile[0], reads_c = direct && first == 0 && p->c.texture && !inPlace(p);
  char text[96];
  snprintf(text, sizeof text, "#define WIDE %d\n#define HIGH %d\n%s%s", w->shape.wide, w->shape.high,
           direct ? "#define DIRECT\n" : "", reads_c ? "#define C\n" : "");
  txPass pass = {.kernel = "product",
                 .vertex = "product",
                 .defines = text,
                 .source = {{"a", w->a, TX_EDGE}, {"b", w->b, TX_EDGE}, {"c", reads_c ? p->c.texture : w->a, TX_EDGE}},
                 .add = first > 0 || (direct && inPlace(p)),
                 .work = (int64_t)(last - first) * (w->shape.wide + w->shape.high)};
  if (direct) {
    pass.target[0] = p->target;
    pass.rect = p->rect;
  } else {
    pass.rect = (txRect){0, 0, w->tile_width, w->tile_height};
    for (int t = 0; t < w->shape.wide * w->shape.high; t++)
      pass.target[t] = w->tile[t];
  }
  txUniform uniforms[] = {
      {"inner", 3, {(float)first, (float)last, 1.0f / (float)w->a->width}},
      {"tile", 2, {(float)w->tile_height / (float)w->a->height, (float)w->tile_width / (float)w->b->height}},
      {"factor", 4, {p->alpha, p->beta, (float)(p->c.x - p->rect.x), (float)(p->c.y - p->rect.y)}},
      {"shape", 2, {(float)p->rows, (float)p->cols}},
      placeOf(w, pass.target[0], pass.rect)};
  for (int i = 0; i < 5; i++)
    pass.uniform[i] = uniforms[i];
  return txPassRun(w->context, w->call, &pass);
}

/* Tile (i, j) into its place. */
static clStatus joinTile(const work *w, int i, int j) {
  const txProduct *p = w->product;
  int x = j * w->tile_width, y = i * w->tile_height;
  int width = p->rect.width - x < w->tile_width ? p->rect.width - x : w->tile_width;
  int height = p->rect.height - y < w->tile_height ? p->rect.height - y : w->tile_height;
  if (width < 1 || height < 1)
    return TEXLA_OK;
  bool reads_c = p->c.texture && !inPlace(p);
  x += p->rect.x;
  y += p->rect.y;
  txPass pass = {
      .kernel = "product_join",
      .defines = reads_c ? "#define C\n" : NULL,
      .target = {p->target},
      .source = {{"a", w->tile[w->shape.wide * i + j], TX_EDGE}, {"c", reads_c ? p->c.texture : w->tile[0], TX_EDGE}},
      .uniform = {{"shift",
                   4,
                   {(float)-x, (float)-y, (float)(p->c.x - p->rect.x), (float)(p->c.y - p->rect.y)},
                   .integer = true},
                  {"factor", 2, {p->alpha, p->beta}},
                  {"shape", 2, {(float)p->rows, (float)p->cols}}},
      .rect = {x, y, width, height},
      .add = inPlace(p)};
  return txPassRun(w->context, w->call, &pass);
}

/* Where texels of a block lie: *start and, for one texel along the outer (xy) and the inner (zw) index of the product, *walk. */
static void walkOf(const txBlock *block, bool columns, txUniform *start, txUniform *walk) {
  float dx = 1.0f / (float)block->texture->width, dy = 1.0f / (float)block->texture->height;
  bool inner_along_x = (block->op == TEXLA_TRANSPOSED) == columns;
  start->value[0] = ((float)block->x + 0.5f) * dx;
  start->value[1] = ((float)block->y + 0.5f) * dy;
  walk->value[inner_along_x ? 2 : 0] = dx;
  walk->value[inner_along_x ? 1 : 3] = dy;
}

/* The documents' single pass, without packed operands. */
static clStatus runSingle(clContext *context, const char *call, const txProduct *p) {
  bool reads_c = p->c.texture && !inPlace(p);
  char text[96];
  snprintf(text, sizeof text, "%s%s%s", p->a.op == TEXLA_TRANSPOSED ? "#define A_SWAPPED\n" : "",
           p->b.op == TEXLA_TRANSPOSED ? "#define B_SWAPPED\n" : "", reads_c ? "#define C\n" : "");
  txPass pass = {
      .kernel = "product_single",
      .defines = text,
      .target = {p->target},
      .source = {{"a", p->a.texture, TX_EDGE},
                 {"b", p->b.texture, TX_EDGE},
                 {"c", reads_c ? p->c.texture : p->a.texture, TX_EDGE}},
      .uniform = {{"a_start", 2},
                  {"a_walk", 4},
                  {"b_start", 2},
                  {"b_walk", 4},
                  {"corner", 2, {(float)p->rect.x, (float)p->rect.y}},
                  {"inner", 1, {(float)p->inner}},
                  {"factor", 4, {p->alpha, p->beta, (float)(p->c.x - p->rect.x), (float)(p->c.y - p->rect.y)}},
                  {"shape", 2, {(float)p->rows, (float)p->cols}}},
      .rect = p->rect,
      .add = inPlace(p),
      .work = 2 * (int64_t)p->inner};
  walkOf(&p->a, false, &pass.uniform[0], &pass.uniform[1]);
  walkOf(&p->b, true, &pass.uniform[2], &pass.uniform[3]);
  return txPassRun(context, call, &pass);
}

static clStatus runVariant(clContext *context, const char *call, const txProduct *p, int variant) {
  bool aliased = p->a.texture == p->target || p->b.texture == p->target; /* fine with packed copies */
  if (variant == TX_PRODUCT_SINGLE && !aliased)
    return runSingle(context, call, p);
  if (variant == TX_PRODUCT_SINGLE)
    variant = PACKED_SINGLE;
  work w = {.context = context, .call = call, .product = p, .shape = decode(variant)};
  clStatus status = prepare(&w);
  int inner = LINE * ceilDiv(p->inner, LINE); /* the packed operands hold zeros beyond p->inner */
  for (int k = 0; k < inner && !status; k += w.shape.panel)
    status = runPanel(&w, k, k + w.shape.panel < inner ? k + w.shape.panel : inner);
  for (int i = 0; w.tile[0] && i < w.shape.high; i++)
    for (int j = 0; j < w.shape.wide && !status; j++)
      status = joinTile(&w, i, j);
  release(&w);
  return status;
}

/* Measured with a product of the same class: texels of C, texels of the inner dimension. */
typedef struct sizeClass {
  const char *key;
  int width, height, inner;
} sizeClass;
static const sizeClass small = {"dense.product.small", 32, 32, 32}, tall = {"dense.product.tall", 48, 512, 48},
                       wide = {"dense.product.wide", 512, 48, 48}, medium = {"dense.product.medium", 128, 128, 128},
                       large = {"dense.product.large", 256, 256, 256}, update = {"dense.product.update", 512, 512, 32};

/* Blocks of C are worth their joins from some work on. */
static const sizeClass *classOf(const txProduct *p) {
  int width = p->rect.width, height = p->rect.height, shorter = width < height ? width : height;
  if (shorter <= 64 && (shorter < 24 || p->inner < 24 || width + height < 5 * shorter))
    return &small;
  if (shorter <= 64)
    return width < height ? &tall : &wide;
  if (shorter <= 192)
    return &medium;
  return p->inner <= 64 ? &update : &large;
}

typedef struct tuningCase {
  clContext *context;
  const sizeClass *size;
  clDense *a, *b, *c;
} tuningCase;

static clStatus runCase(void *user, int variant) {
  static const char call[] = "tuning";
  tuningCase *t = user;
  int rows = 2 * t->size->height, cols = 2 * t->size->width, inner = 2 * t->size->inner;
  clStatus status = TEXLA_OK;
  if (!t->a)
    status = txDenseCreate(&t->a, t->context, call, rows, inner, TEXLA_PACKING_2X2, true);
  if (!status && !t->b)
    status = txDenseCreate(&t->b, t->context, call, inner, cols, TEXLA_PACKING_2X2, true);
  if (!status && !t->c)
    status = txDenseCreate(&t->c, t->context, call, rows, cols, TEXLA_PACKING_2X2, true);
  if (status)
    return status;
  txProduct p = {.target = t->c->texture,
                 .rect = {0, 0, t->size->width, t->size->height},
                 .rows = rows,
                 .cols = cols,
                 .alpha = 1,
                 .a = {.texture = t->a->texture},
                 .b = {.texture = t->b->texture},
                 .inner = t->size->inner};
  return runVariant(t->context, call, &p, variant);
}

static clStatus chooseVariant(clContext *context, const txProduct *p, int *variant) {
  tuningCase t = {.context = context, .size = classOf(p)};
  clStatus status = txTuningChoose(context, t.size->key, candidates, CANDIDATES, runCase, &t, FALLBACK, variant);
  clDenseDestroy(t.a);
  clDenseDestroy(t.b);
  clDenseDestroy(t.c);
  return status;
}

clStatus txProductRun(clContext *context, const char *call, const txProduct *product, int variant) {
  clStatus status = TEXLA_OK;
  if (variant < 0)
    status = chooseVariant(context, product, &variant);
  return status ? status : runVariant(context, call, product, variant);
}

/* op(A)'s rows and columns */
static int rowsOf(clDenseOp op, const clDense *A) {
  return op == TEXLA_TRANSPOSED ? A->cols : A->rows;
}

static int colsOf(clDenseOp op, const clDense *A) {
  return op == TEXLA_TRANSPOSED ? A->rows : A->cols;
}

static clStatus checkOperands(const char *call, const clDense *C, clDenseOp a_op, const clDense *A, clDenseOp b_op,
                              const clDense *B) {
  clStatus status = txDenseCheckPacked(call, clDenseContext(A), "C", C);
  if (!status)
    status = txDenseCheckPacked(call, C->context, "A", A);
  if (!status)
    status = txDenseCheckPacked(call, C->context, "B", B);
  if (status)
    return status;
  if (colsOf(a_op, A) == rowsOf(b_op, B) && C->rows == rowsOf(a_op, A) && C->cols == colsOf(b_op, B))
    return TEXLA_OK;
  return txFail(txContextError(C->context), TEXLA_BAD_SHAPE, call,
                "op(A) is %d x %d and op(B) %d x %d, but C is %d x %d", rowsOf(a_op, A), colsOf(a_op, A),
                rowsOf(b_op, B), colsOf(b_op, B), C->rows, C->cols);
}

clStatus txDenseMultiply(const char *call, clDense *C, float alpha, clDenseOp a_op, const clDense *A, clDenseOp b_op,
                         const clDense *B, float beta, int variant) {
  clStatus status = checkOperands(call, C, a_op, A, b_op, B);
  txProduct p = {.alpha = alpha, .beta = beta};
  if (status)
    return status;
  p.rect = (txRect){0, 0, C->texture->width, C->texture->height};
  p.rows = C->rows;
  p.cols = C->cols;
  p.a = (txBlock){A->texture, 0, 0, a_op};
  p.b = (txBlock){B->texture, 0, 0, b_op};
  p.inner = ceilDiv(colsOf(a_op, A), 2);
  if (beta != 0)
    p.c.texture = C->texture;
  /* into a fresh texture, so that a failed call leaves C as it was, whatever it aliases */
  status = txDenseTexture(&p.target, C->context, call, C->rows, C->cols, C->packing);
  if (!status)
    status = txProductRun(C->context, call, &p, variant);
  txTexture *old = status ? p.target : C->texture;
  if (!status)
    C->texture = p.target;
  txTextureDestroy(old);
  return status;
}

clStatus clDenseMultiply(clDense *C, float alpha, clDenseOp a_op, const clDense *A, clDenseOp b_op, const clDense *B,
                         float beta) {
  return txDenseMultiply("clDenseMultiply", C, alpha, a_op, A, b_op, B, beta, -1);
}
