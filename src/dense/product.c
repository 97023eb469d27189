/* The product of dense matrices (B2), in 2 x 2 packing.
 *
 * Fragments walk along the inner index of op(A) and op(B). An operand whose inner index runs along
 * x is read where it lies. Others, whose next value is in another row of texels, are copied
 * (packed) first, turned so that they run along x, too; but not in the variants "in place" while
 * the inner dimension is short. The rows of a copy have an odd number of cache lines, because rows
 * of a power of two evict each other. By variant,
 *   1 x 1    every fragment computes one texel of C; with short stretches it is the documents'
 *            multi-pass product, in which every stretch of the inner dimension is one pass that
 *            accumulates by blending; the documents' single-pass product is 1 x 1 in place, in one
 *            stretch: the loop in the shader
 *   w x h    every fragment computes w x h texels that lie a tile apart, each into a target of its
 *            own, so that w + h fetches serve w h products; the targets, layers of one texture, are
 *            the tiles of C, which another pass puts into their places
 * Stretches shorten the sums that are rounded one after the other, so they are also more
 * accurate. */
#include "gl/tuning.h"
#include "core/numbers.h"
#include "core/try.h"
#include "dense/product.h"
#include "dense/view.h"
#include "vector/run.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const txProductVariant txProductVariants[TX_PRODUCT_VARIANTS] = {
    {TX_PRODUCT_TILES, 1, 1, .in_place = true},
    {TX_PRODUCT_TILES, 1, 1, .stretch = 4},
    {TX_PRODUCT_TILES, 1, 1, .stretch = 512},
    {TX_PRODUCT_TILES, 2, 2, .stretch = 512},
    {TX_PRODUCT_TILES, 4, 2, .stretch = 512},
    {TX_PRODUCT_TILES, 4, 2, .stretch = 128},
    {TX_PRODUCT_TILES, 2, 4, .stretch = 512},
    {TX_PRODUCT_TILES, 2, 4, .stretch = 128},
    {TX_PRODUCT_TILES, 4, 2, .stretch = 512, .in_place = true},
    {TX_PRODUCT_TILES, 2, 4, .stretch = 512, .in_place = true},
    {TX_PRODUCT_BLOCKS, .stretch = 1024},
    {TX_PRODUCT_BLOCKS, .stretch = 256},
};
enum { FALLBACK = 4, LINE = 4, FEW_ROWS = 64 };

/* The width of a packed operand: an odd number of cache lines (LINE texels each), where the device
 * allows it. */
static int packedWidth(const clContext *context, int inner) {
  int lines = txCeilDiv(inner, LINE), limit = clContextInspect(context)->max_texture_size;
  int width = LINE * (lines + (lines % 2 == 0));
  return txLeast(width, limit);
}

/* A copy of `count` of its rows, along x. */
static clStatus packOperand(clContext *context, const char *call, txProductOperand *o, int inner,
                            int count) {
  char text[64];
  snprintf(text, sizeof text, "%s%s", txWhen(!o->along_x, "#define TURNED\n"),
           txWhen(o->swapped, "#define SWAPPED\n"));
  txPass pass = {
      .kernel = "product_pack",
      .defines = text,
      .source = {{"a", o->texture, TX_EDGE}},
      .uniform = {
          {"from", 4, {(float)o->x, (float)o->y, (float)inner, (float)count}, .integer = true}}};
  TRY(txTextureCreate(&pass.target[0], context, call, TX_RGBA32F, packedWidth(context, inner),
                      count));
  *o = (txProductOperand){pass.target[0], 0, 0, true, false, pass.target[0]};
  return txPassRun(context, call, &pass);
}

/* What one product needs while it runs. */
typedef struct work {
  clContext *context;
  const char *call;
  const txProduct *product;
  const txProductVariant *shape;
  txProductOperand a, b;
  /* NULL for 1 x 1 */
  txTexture *tiles;
} work;

static void productRelease(work *w) {
  txTextureDestroy(w->a.packed);
  txTextureDestroy(w->b.packed);
  txTextureDestroy(w->tiles);
}

static bool productHasTiles(const work *w) {
  return w->shape->wide * w->shape->high > 1;
}

/* A pass cannot read what it renders; and walks through rows only while they are few, or told to
 * (the documents' single pass). */
static bool needsCopy(const work *w, const txProductOperand *o) {
  bool in_place = w->shape->in_place && (w->product->inner <= FEW_ROWS || w->shape->stretch == 0);
  return (!o->along_x && !in_place) || (o->texture == w->product->target && !productHasTiles(w));
}

/* Copies of operands, and the layers that tiles are rendered into. */
static clStatus productPrepare(work *w) {
  const txProduct *p = w->product;
  w->a = txProductOperandOf(&p->a, false);
  w->b = txProductOperandOf(&p->b, true);
  if (needsCopy(w, &w->a))
    TRY(packOperand(w->context, w->call, &w->a, p->inner, p->rect.height));
  if (needsCopy(w, &w->b))
    TRY(packOperand(w->context, w->call, &w->b, p->inner, p->rect.width));
  if (!productHasTiles(w))
    return TEXLA_OK;
  return txLayersCreate(&w->tiles, w->context, w->call, TX_RGBA32F,
                        txCeilDiv(p->rect.width, w->shape->wide),
                        txCeilDiv(p->rect.height, w->shape->high), w->shape->wide * w->shape->high);
}

/* Where an operand's texels are, in its texture coordinates: *place <- (the first one; one row or
 * column on), *walk <- (one along the inner index; one tile on). */
static void describeOperand(const txProductOperand *o, int tile, txUniform *place,
                            txUniform *walk) {
  float dx = 1.0f / (float)o->texture->width, dy = 1.0f / (float)o->texture->height;
  /* 0 for x, 1 for y. */
  int inner = !o->along_x, outer = 1 - inner;
  const int first[2] = {o->x, o->y};
  float step[2] = {dx, dy};
  place->value[inner] = ((float)first[inner] + 0.5f) * step[inner];
  place->value[outer] = (float)first[outer] * step[outer];
  place->value[2 + outer] = walk->value[2 + outer] = step[outer];
  walk->value[inner] = step[inner];
  walk->value[2 + outer] *= (float)tile;
}

/* One stretch of the inner dimension, [first, last) texels. */
static clStatus runStretch(const work *w, int first, int last) {
  const txProduct *p = w->product;
  bool direct = !productHasTiles(w);
  bool reads_c = direct && first == 0 && p->c.texture && !txProductInPlace(p);
  char text[128];
  snprintf(text, sizeof text, "#define WIDE %d\n#define HIGH %d\n%s%s%s%s", w->shape->wide,
           w->shape->high, txWhen(direct, "#define DIRECT\n"), txWhen(reads_c, "#define C\n"),
           txWhen(w->a.swapped, "#define A_SWAPPED\n"),
           txWhen(w->b.swapped, "#define B_SWAPPED\n"));
  txPass pass = {.kernel = "product",
                 .vertex = "product",
                 .defines = text,
                 .source = {{"a", w->a.texture, TX_EDGE}, {"b", w->b.texture, TX_EDGE}},
                 .target = {p->target},
                 .rect = p->rect,
                 .add = first > 0 || (direct && txProductInPlace(p)),
                 .work = (int64_t)(last - first) * (w->shape->wide + w->shape->high)};
  if (reads_c)
    txPassSource(&pass, "c", p->c.texture, TX_EDGE);
  if (!direct) {
    pass.target[0] = w->tiles;
    pass.rect = (txRect){0, 0, w->tiles->width, w->tiles->height};
  }
  const txTexture *target = pass.target[0];
  txUniform uniforms[] = {
      {"inner", 2, {(float)first, (float)last}},
      {"factor", 4, {p->alpha, p->beta, (float)(p->c.x - p->rect.x), (float)(p->c.y - p->rect.y)}},
      {"shape", 2, {(float)p->rows, (float)p->cols}},
      {"target",
       4,
       {(float)target->width, (float)target->height, (float)pass.rect.x, (float)pass.rect.y}},
      {"a_place", 4},
      {"a_walk", 4},
      {"b_place", 4},
      {"b_walk", 4}};
  describeOperand(&w->a, target->height, &uniforms[4], &uniforms[5]);
  describeOperand(&w->b, target->width, &uniforms[6], &uniforms[7]);
  memcpy(pass.uniform, uniforms, sizeof uniforms);
  return txPassRun(w->context, w->call, &pass);
}

/* The tiles into their places. */
static clStatus productJoinTiles(const work *w) {
  txPass pass = {
      .kernel = "product_join",
      .source = {{"tiles", w->tiles, TX_EDGE}},
      .uniform = {
          {"tile", 3, {(float)w->tiles->width, (float)w->tiles->height, (float)w->shape->wide}}}};
  txProductJoin(w->product, &pass);
  return txPassRun(w->context, w->call, &pass);
}

/* All stretches of the inner dimension, one pass each. */
static clStatus productRunTiles(clContext *context, const char *call, const txProduct *p,
                                const txProductVariant *variant) {
  work w = {.context = context, .call = call, .product = p, .shape = variant};
  int stretch = p->inner;
  if (variant->stretch)
    stretch = variant->stretch;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(productPrepare(&w));
  for (int k = 0, end; k < p->inner; k = end) {
    end = k + txLeast(p->inner - k, stretch);
    TRY_CLEANUP(runStretch(&w, k, end));
  }
  if (w.tiles)
    TRY_CLEANUP(productJoinTiles(&w));
cleanup:
  productRelease(&w);
  return status;
}

/* Blocks that do not fit the device's textures are left to tiles. */
static clStatus runVariant(clContext *context, const char *call, const txProduct *p,
                           const txProductVariant *variant) {
  if (variant->kind == TX_PRODUCT_TILES)
    return productRunTiles(context, call, p, variant);
  if (!txSlabsFit(context, p, variant))
    return productRunTiles(context, call, p, &txProductVariants[FALLBACK]);
  return txSlabsRun(context, call, p, variant);
}

/* Measured with a product of the same class: texels of C, texels of the inner dimension. */
typedef struct sizeClass {
  const char *key;
  int width, height, inner;
} sizeClass;
static const sizeClass small = {"dense.product.small", 16, 16, 16},
                       tall = {"dense.product.tall", 48, 512, 48},
                       wide = {"dense.product.wide", 512, 48, 48},
                       medium = {"dense.product.medium", 128, 128, 128},
                       large = {"dense.product.large", 256, 256, 256},
                       update = {"dense.product.update", 512, 512, 15},
                       block = {"dense.product.block", 384, 384, 40};

/* Blocks of C are worth their join from some work on; and where C is in the texture of A or B, 1 x
 * 1 has to copy those. */
static const sizeClass *productClassOf(const txProduct *p) {
  int width = p->rect.width, height = p->rect.height, shorter = txLeast(width, height);
  bool aliased = p->a.texture == p->target || p->b.texture == p->target;
  if (!aliased && (int64_t)width * height <= 32 * 32)
    return &small;
  if (shorter <= 64 && width < height)
    return &tall;
  if (shorter <= 64)
    return &wide;
  if (shorter <= 192)
    return &medium;
  if (p->inner <= 16)
    return &update;
  if (p->inner <= 64)
    return &block;
  return &large;
}

typedef struct tuningCase {
  clContext *context;
  const sizeClass *size;
  clDense *a, *b, *c;
} tuningCase;

/* A product of the class's size, for the tuning. */
static clStatus productRunCase(void *user, int variant) {
  static const char call[] = "tuning";
  tuningCase *t = user;
  int rows = 2 * t->size->height, cols = 2 * t->size->width, inner = 2 * t->size->inner;
  if (!t->a)
    TRY(txDenseCreate(&t->a, t->context, call, rows, inner, TEXLA_PACKING_2X2, true));
  if (!t->b)
    TRY(txDenseCreate(&t->b, t->context, call, inner, cols, TEXLA_PACKING_2X2, true));
  if (!t->c)
    TRY(txDenseCreate(&t->c, t->context, call, rows, cols, TEXLA_PACKING_2X2, true));
  txProduct p = {.target = t->c->texture,
                 .rect = {0, 0, t->size->width, t->size->height},
                 .rows = rows,
                 .cols = cols,
                 .alpha = 1,
                 .a = {.texture = t->a->texture},
                 .b = {.texture = t->b->texture},
                 .inner = t->size->inner};
  return runVariant(t->context, call, &p, &txProductVariants[variant]);
}

/* One measurement for each class of sizes, kept in the tuning table. */
clStatus txProductChoose(clContext *context, const txProduct *p, const txProductVariant **variant) {
  tuningCase t = {.context = context, .size = productClassOf(p)};
  int place[TX_PRODUCT_VARIANTS], chosen = FALLBACK;
  for (int i = 0; i < TX_PRODUCT_VARIANTS; i++)
    place[i] = i;
  clStatus status = txTuningChoose(context, t.size->key, place, TX_PRODUCT_VARIANTS, productRunCase,
                                   &t, FALLBACK, &chosen);
  *variant = &txProductVariants[chosen];
  clDenseDestroy(t.a);
  clDenseDestroy(t.b);
  clDenseDestroy(t.c);
  return status;
}

clStatus txProductRun(clContext *context, const char *call, const txProduct *product,
                      const txProductVariant *variant) {
  if (!variant)
    TRY(txProductChoose(context, product, &variant));
  return runVariant(context, call, product, variant);
}

/* Fails unless the shapes make a product. */
static clStatus checkProduct(const char *call, clDenseView C, clTranspose a_op, clDenseView A,
                             clTranspose b_op, clDenseView B) {
  clContext *context = txDenseFirstContext(C.matrix, A.matrix);
  TRY(txViewCheckPacked(call, context, "C", C));
  TRY(txViewCheckPacked(call, context, "A", A));
  TRY(txViewCheckPacked(call, context, "B", B));
  TRY(txDenseCheckOp(call, context, a_op));
  TRY(txDenseCheckOp(call, context, b_op));
  txViewSize a = txViewSizeOf(a_op, A), b = txViewSizeOf(b_op, B);
  if (a.cols == b.rows && C.rows == a.rows && C.cols == b.cols)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_SHAPE, call,
                "op(A) is %d x %d and op(B) %d x %d, but C is %d x %d", a.rows, a.cols, b.rows,
                b.cols, C.rows, C.cols);
}

/* V <- factor V */
static clStatus scaleView(const char *call, clDenseView V, float factor) {
  clDense *scaled = NULL;
  if (factor == 1)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txViewTake(&scaled, call, TEXLA_NO_TRANSPOSE, factor, V));
  TRY_CLEANUP(txViewPut(call, V, scaled));
cleanup:
  clDenseDestroy(scaled);
  return status;
}

/* T <- the product, and beta times what c is; T is a view of whole texels. */
static clStatus multiplyInto(const char *call, clDenseView T, txProduct *p, const txOperand *c,
                             const txProductVariant *variant) {
  p->target = T.matrix->texture;
  p->rect = txViewRect(T);
  p->rows = T.matrix->rows;
  p->cols = T.matrix->cols;
  if (p->beta != 0)
    p->c = (txBlock){c->texture, c->x, c->y, TEXLA_NO_TRANSPOSE};
  return txProductRun(T.matrix->context, call, p, variant);
}

/* Where C consists of whole texels and is overwritten or added to, the product is rendered where C
 * is; it may be A or B, too: a product is complete before it is written, or has copies of the
 * operands. Otherwise it goes through a matrix of its own. */
static clStatus multiplyViews(const char *call, clDenseView C, txProduct *p,
                              const txProductVariant *variant) {
  txOperand c = {0};
  clDense *result = NULL;
  clStatus status = TEXLA_OK;
  if (txViewIsAligned(C) && (p->beta == 0 || p->beta == 1)) {
    txRect rect = txViewRect(C);
    return multiplyInto(call, C, p, &(txOperand){C.matrix->texture, rect.x, rect.y, NULL}, variant);
  }
  if (p->beta != 0)
    TRY_CLEANUP(txOperandOpen(&c, call, C));
  TRY_CLEANUP(
      txDenseCreate(&result, C.matrix->context, call, C.rows, C.cols, TEXLA_PACKING_2X2, false));
  TRY_CLEANUP(multiplyInto(call, clDenseViewAll(result), p, &c, variant));
  TRY_CLEANUP(txViewPut(call, C, result));
cleanup:
  clDenseDestroy(result);
  txOperandClose(&c);
  return status;
}

/* With alpha = 0 neither A nor B is read: they may hold NaN. */
static clStatus productMultiply(const char *call, clDenseView C, float alpha, clTranspose a_op,
                                clDenseView A, clTranspose b_op, clDenseView B, float beta,
                                const txProductVariant *variant) {
  txOperand a = {0}, b = {0};
  TRY(checkProduct(call, C, a_op, A, b_op, B));
  TRY(txDenseCheckFactor(call, C.matrix->context, "alpha", alpha));
  TRY(txDenseCheckFactor(call, C.matrix->context, "beta", beta));
  if (alpha == 0)
    return scaleView(call, C, beta);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandOpen(&a, call, A));
  TRY_CLEANUP(txOperandOpen(&b, call, B));
  txProduct p = {.alpha = alpha,
                 .beta = beta,
                 .a = {a.texture, a.x, a.y, a_op},
                 .b = {b.texture, b.x, b.y, b_op},
                 .inner = txHalf(txViewSizeOf(a_op, A).cols)};
  TRY_CLEANUP(multiplyViews(call, C, &p, variant));
cleanup:
  txOperandClose(&a);
  txOperandClose(&b);
  return status;
}

clStatus txDenseMultiply(const char *call, clDense *C, float alpha, clTranspose a_op,
                         const clDense *A, clTranspose b_op, const clDense *B, float beta,
                         const txProductVariant *variant) {
  return productMultiply(call, clDenseViewAll(C), alpha, a_op, clDenseViewAll(A), b_op,
                         clDenseViewAll(B), beta, variant);
}

clStatus clDenseMultiply(clDense *C, float alpha, clTranspose a_op, const clDense *A,
                         clTranspose b_op, const clDense *B, float beta) {
  return txDenseMultiply("clDenseMultiply", C, alpha, a_op, A, b_op, B, beta, NULL);
}

clStatus clDenseViewMultiply(clDenseView C, float alpha, clTranspose a_op, clDenseView A,
                             clTranspose b_op, clDenseView B, float beta) {
  return productMultiply("clDenseViewMultiply", C, alpha, a_op, A, b_op, B, beta, NULL);
}

/* Terms [first, first + count) of the inner dimension. */
static clDenseView productSlice(const clDense *A, bool rows, int first, int count) {
  if (rows)
    return clDenseViewBlock(A, first, 0, count, A->cols);
  return clDenseViewBlock(A, 0, first, A->rows, count);
}

/* A sum of products of slices, which meet at whole texels. */
clStatus clDenseMultiplyPasses(clDense *C, float alpha, clTranspose a_op, const clDense *A,
                               clTranspose b_op, const clDense *B, float beta, int passes) {
  static const char call[] = "clDenseMultiplyPasses";
  clDenseView c = clDenseViewAll(C);
  TRY(checkProduct(call, c, a_op, clDenseViewAll(A), b_op, clDenseViewAll(B)));
  if (passes < 1 || C == A || C == B)
    return txFail(txContextError(C->context), TEXLA_BAD_ARGUMENT, call,
                  "passes (%d) must be at least 1, and C neither A nor B", passes);
  int inner = txViewSizeOf(a_op, clDenseViewAll(A)).cols;
  int step = 2 * txHalf(txCeilDiv(inner, passes));
  for (int k = 0; k < inner; k += step, beta = 1) {
    int count = txLeast(step, inner - k);
    TRY(productMultiply(call, c, alpha, a_op, productSlice(A, a_op == TEXLA_TRANSPOSE, k, count),
                        b_op, productSlice(B, b_op == TEXLA_NO_TRANSPOSE, k, count), beta, NULL));
  }
  return TEXLA_OK;
}
