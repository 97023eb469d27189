/* Many small products in one pass or two: the matrices are grids of blocks. */
#include "dense/view.h"
#include "core/try.h"
#include "gl/tuning.h"
#include "vector/run.h"

#include <stdio.h>

enum {
  /* texels: programs for the inner dimensions up to 32 */
  MOST_UNROLLED = 16,
  /* texels: from here on tiles are considered */
  LONG = 16
};

typedef struct side {
  /* of a block, in entries */
  int rows, cols;
} side;

typedef struct batch {
  const char *call;
  int down, across;
  side a, b, c;
  bool a_turned, b_turned;
} batch;

/* A block's shape; blocks that are not alone must consist of whole texels. */
static clStatus batchDivide(const batch *m, const char *name, const clDense *A, side *block) {
  clError *error = txContextError(A->context);
  *block = (side){A->rows / m->down, A->cols / m->across};
  if (A->rows % m->down || A->cols % m->across)
    return txFail(error, TEXLA_BAD_SHAPE, m->call,
                  "%s is %d x %d, which %d x %d equal blocks do not fill", name, A->rows, A->cols,
                  m->down, m->across);
  if ((m->down > 1 && block->rows % 2) || (m->across > 1 && block->cols % 2))
    return txFail(
        error, TEXLA_BAD_SHAPE, m->call,
        "blocks of %s are %d x %d: rows and columns must be even; add a row or column of zeros",
        name, block->rows, block->cols);
  return TEXLA_OK;
}

/* Fails unless all three matrices divide into as many blocks, whose shapes make a product. */
static clStatus batchCheck(batch *m, clDense *C, float alpha, clTranspose a_op, const clDense *A,
                           clTranspose b_op, const clDense *B, float beta) {
  clContext *context = txDenseFirstContext(C, A);
  TRY(txDenseCheckPacked(m->call, context, "C", C));
  TRY(txDenseCheckPacked(m->call, context, "A", A));
  TRY(txDenseCheckPacked(m->call, context, "B", B));
  TRY(txDenseCheckOp(m->call, context, a_op));
  TRY(txDenseCheckOp(m->call, context, b_op));
  TRY(txDenseCheckFactor(m->call, context, "alpha", alpha));
  TRY(txDenseCheckFactor(m->call, context, "beta", beta));
  if (m->down < 1 || m->across < 1)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, m->call,
                  "%d x %d blocks: both must be at least 1", m->down, m->across);
  TRY(batchDivide(m, "A", A, &m->a));
  TRY(batchDivide(m, "B", B, &m->b));
  return batchDivide(m, "C", C, &m->c);
}

static side turnIf(bool turned, side s) {
  if (turned)
    return (side){s.cols, s.rows};
  return s;
}

static float texels(int entries) {
  return (float)((entries + 1) / 2);
}

/* How many texels a fragment computes. */
typedef struct shapeOf {
  int wide, high;
} shapeOf;
static const shapeOf shapes[] = {{1, 1}, {2, 2}, {4, 2}, {2, 4}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* A product, and its shape. */
typedef struct work {
  const batch *batch;
  clDense *C;
  const clDense *A, *B;
  float alpha, beta;
  /* texels */
  int inner;
  shapeOf shape;
} work;

static bool batchHasTiles(const work *w) {
  return w->shape.wide * w->shape.high > 1;
}

/* A block's size in fragments, and one over it, for coordinates inside of a block. */
static txUniform batchBlocksOf(const work *w) {
  float width = texels(w->batch->c.cols) / (float)w->shape.wide,
        height = texels(w->batch->c.rows) / (float)w->shape.high;
  return (txUniform){"blocks", 4, {width, height, 1 / width, 1 / height}};
}

static txUniform termsOf(const work *w) {
  return (txUniform){"terms", 3, {w->alpha, w->beta, (float)w->inner}};
}

/* Into C, or into the layers of `tiles`. */
static clStatus batchMultiply(const work *w, txTexture *tiles) {
  char text[160];
  const batch *m = w->batch;
  bool direct = !tiles, adds = direct && w->beta != 0;
  int n = 0;
  if (w->inner <= MOST_UNROLLED)
    n = snprintf(text, sizeof text, "#define INNER %d\n", w->inner);
  if (tiles)
    n += snprintf(text + n, sizeof text - (size_t)n, "#define WIDE %d\n#define HIGH %d\n",
                  w->shape.wide, w->shape.high);
  snprintf(text + n, sizeof text - (size_t)n, "%s%s%s",
           txWhen(m->a_turned, "#define A_TRANSPOSED\n"),
           txWhen(m->b_turned, "#define B_TRANSPOSED\n"), txWhen(adds, "#define C\n"));
  txPass pass = {
      .kernel = "batch",
      .defines = text,
      .source = {{"a", w->A->texture, TX_EDGE}, {"b", w->B->texture, TX_EDGE}},
      .uniform = {batchBlocksOf(w),
                  {"sides",
                   4,
                   {texels(m->a.cols), texels(m->a.rows), texels(m->b.cols), texels(m->b.rows)}},
                  termsOf(w)},
      .work = (int64_t)w->inner * (w->shape.wide + w->shape.high)};
  if (adds)
    txPassSource(&pass, "c", w->C->texture, TX_EDGE);
  if (direct)
    return txDenseRun(m->call, &pass, w->C);
  pass.target[0] = tiles;
  return txPassRun(w->C->context, m->call, &pass);
}

/* The layers into C, as the product of whole matrices does it. */
static clStatus batchJoinTiles(const work *w, const txTexture *tiles) {
  char text[64];
  snprintf(text, sizeof text, "#define WIDE %d\n#define HIGH %d\n%s", w->shape.wide, w->shape.high,
           txWhen(w->beta != 0, "#define C\n"));
  txPass pass = {.kernel = "batch_join",
                 .defines = text,
                 .source = {{"tiles", tiles, TX_EDGE}},
                 .uniform = {batchBlocksOf(w), termsOf(w)}};
  if (w->beta != 0)
    txPassSource(&pass, "c", w->C->texture, TX_EDGE);
  return txDenseRun(w->batch->call, &pass, w->C);
}

/* One pass where a fragment computes one texel; else layers, which another pass joins. */
static clStatus batchRun(const work *w) {
  if (!batchHasTiles(w))
    return batchMultiply(w, NULL);
  const txTexture *c = w->C->texture;
  txTexture *tiles = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLayersCreate(&tiles, w->C->context, w->batch->call, TX_RGBA32F,
                             c->width / w->shape.wide, c->height / w->shape.high,
                             w->shape.wide * w->shape.high));
  TRY_CLEANUP(batchMultiply(w, tiles));
  TRY_CLEANUP(batchJoinTiles(w, tiles));
cleanup:
  txTextureDestroy(tiles);
  return status;
}

/* Measured with blocks of 64 x 64. */
enum { TUNING = 1024, TUNING_BLOCK = 64 };
typedef struct tuningCase {
  clContext *context;
  clDense *matrix[3];
} tuningCase;

/* One shape of fragments, for the tuning. */
static clStatus batchRunCase(void *user, int place) {
  tuningCase *t = user;
  const side block = {TUNING_BLOCK, TUNING_BLOCK};
  batch m = {"tuning", TUNING / TUNING_BLOCK, TUNING / TUNING_BLOCK, block, block, block, false,
             false};
  for (int i = 0; i < 3; i++) {
    if (!t->matrix[i])
      TRY(txDenseCreate(&t->matrix[i], t->context, m.call, TUNING, TUNING, TEXLA_PACKING_2X2,
                        true));
  }
  return batchRun(
      &(work){&m, t->matrix[0], t->matrix[1], t->matrix[2], 1, 0, TUNING_BLOCK / 2, shapes[place]});
}

/* Tiles are worth their join from some terms on; a block must consist of whole ones. */
static clStatus batchChooseShape(work *w) {
  const batch *m = w->batch;
  int place[SHAPES] = {0, 1, 2, 3}, chosen = 0;
  w->shape = shapes[0];
  if (w->inner < LONG || m->c.cols % 8 || m->c.rows % 8)
    return TEXLA_OK;
  tuningCase t = {.context = w->C->context};
  clStatus status =
      txTuningChoose(t.context, "dense.batch", place, SHAPES, batchRunCase, &t, 0, &chosen);
  for (int i = 0; i < 3; i++)
    clDenseDestroy(t.matrix[i]);
  w->shape = shapes[chosen];
  return status;
}

clStatus clDenseMultiplyBatch(clDense *C, float alpha, clTranspose a_op, const clDense *A,
                              clTranspose b_op, const clDense *B, float beta, int down,
                              int across) {
  batch m = {.call = "clDenseMultiplyBatch",
             .down = down,
             .across = across,
             .a_turned = a_op == TEXLA_TRANSPOSE,
             .b_turned = b_op == TEXLA_TRANSPOSE};
  TRY(batchCheck(&m, C, alpha, a_op, A, b_op, B, beta));
  side a = turnIf(m.a_turned, m.a), b = turnIf(m.b_turned, m.b);
  if (a.cols != b.rows || m.c.rows != a.rows || m.c.cols != b.cols)
    return txFail(txContextError(C->context), TEXLA_BAD_SHAPE, m.call,
                  "blocks of op(A) are %d x %d and of op(B) %d x %d, but those of C %d x %d",
                  a.rows, a.cols, b.rows, b.cols, m.c.rows, m.c.cols);
  work w = {
      .batch = &m, .C = C, .A = A, .B = B, .alpha = alpha, .beta = beta, .inner = (a.cols + 1) / 2};
  TRY(batchChooseShape(&w));
  return batchRun(&w);
}
