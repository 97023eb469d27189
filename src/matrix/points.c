/* The storage points: vertex arrays. */
#include "matrix/points.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "gl/tuning.h"
#include "matrix/multivector.h"
#include "matrix/residual.h"
#include "vector/unpack.h"

#include <stdlib.h>

enum { FLOATS = 10, LARGEST = 1 << 24 };
static const int components[] = {4, 4, 2};

/* How many points row `row` takes: four entries to a point. */
static int64_t pointsOf(const int64_t *start, int32_t row) {
  return (start[row + 1] - start[row] + 3) / 4;
}

/* first[k + 1] <- how many points layers 0 to k have. */
static clStatus countLayers(txPoints *p, const clMatrix *A, const char *call,
                            const int64_t *start) {
  for (int32_t i = 0; i < A->rows; i++)
    if (pointsOf(start, i) > p->layers)
      p->layers = pointsOf(start, i);
  p->first = txAllocate(txContextError(A->context), call, (size_t)p->layers + 2, sizeof *p->first,
                        "points");
  if (!p->first)
    return TEXLA_OUT_OF_MEMORY;
  /* So far first[k] is the number of rows that have exactly k points. */
  for (int32_t i = 0; i < A->rows; i++)
    p->first[pointsOf(start, i)]++;
  int64_t rows = 0;
  for (int64_t k = p->layers; k > 0; k--) {
    rows += p->first[k];
    /* Rows of k points or more have one in layer k - 1. */
    p->first[k] = rows;
  }
  p->first[0] = 0;
  for (int64_t k = 0; k < p->layers; k++)
    p->first[k + 1] += p->first[k];
  return TEXLA_OK;
}

/* Point k of row i. Free pairs hold 0 and a position that is read anyway. */
static void fillPoint(float *point, const txPoints *p, const clMatrix *A, const clTriplets *T,
                      int64_t entry, int64_t end) {
  int32_t i = T->row[entry];
  for (int q = 0; q < 4; q++) {
    int64_t e = txLeast64(entry + q, end - 1);
    point[q] = (float)txGatherPosition(&p->gather, &A->col_layout, T->col[e]);
    point[4 + q] = 0;
    if (entry + q < end)
      point[4 + q] = (float)T->value[e];
  }
  point[8] = (float)(i % A->row_layout.row);
  point[9] = (float)(i / A->row_layout.row);
}

/* Rows one after the other; each of a row's points goes to the end of its layer. */
static clStatus fillPoints(txPoints *p, const clMatrix *A, const char *call, const clTriplets *T,
                           const int64_t *start) {
  int64_t count = p->first[p->layers];
  if (!count)
    return TEXLA_OK;
  float *data =
      txAllocate(txContextError(A->context), call, (size_t)count * FLOATS, sizeof *data, "points");
  int64_t *next =
      txAllocate(txContextError(A->context), call, (size_t)p->layers, sizeof *next, "points");
  clStatus status = TEXLA_OK;
  if (!data || !next)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t k = 0; k < p->layers; k++)
    next[k] = p->first[k];
  for (int32_t i = 0; i < A->rows; i++)
    for (int64_t k = 0; k < pointsOf(start, i); k++)
      fillPoint(data + FLOATS * next[k]++, p, A, T, start[i] + 4 * k, start[i + 1]);
  TRY_CLEANUP(txVerticesCreate(&p->vertices, A->context, call, data, count, components, 3));
cleanup:
  free(data);
  free(next);
  return status;
}

/* Positions are floats in the vertices, and results are accumulated one element to a texel where
 * points cannot be blended. */
static clStatus checkSizes(const txPoints *p, const clMatrix *A, const char *call) {
  int limit = clContextInspect(A->context)->max_texture_size;
  if (p->gather.positions > LARGEST)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "points holds columns as floats: %d columns are too many (the limit is %d); use "
                  "the storage csr or "
                  "slots",
                  A->cols, LARGEST);
  if (txUnpackedWidth(&A->row_layout) > limit)
    return txFail(txContextError(A->context), TEXLA_TOO_LARGE, call,
                  "points accumulates one element to a texel: %d rows need a texture %lld wide, "
                  "but the limit is %d",
                  A->rows, (long long)txUnpackedWidth(&A->row_layout), limit);
  return TEXLA_OK;
}

/* Points, and nothing else: the values are part of the vertices. */
static clStatus create(clMatrix *A, const char *call, const txRows *rows,
                       const clMatrixOptions *options) {
  (void)options;
  txPoints *p = A->data = txAllocate(txContextError(A->context), call, 1, sizeof *p, "points");
  if (!p)
    return TEXLA_OUT_OF_MEMORY;
  TRY(txGatherCreate(&p->gather, A, call, rows));
  TRY(checkSizes(p, A, call));
  int64_t *start = txRowStarts(A, call, rows);
  if (!start)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(countLayers(p, A, call, start));
  TRY_CLEANUP(fillPoints(p, A, call, rows->A, start));
  txMatrixDescribe(A, ", %d x %d, %lld entries in %lld points", A->rows, A->cols,
                   (long long)A->count, (long long)p->first[p->layers]);
cleanup:
  free(start);
  return status;
}

static void destroy(clMatrix *A) {
  txPoints *p = A->data;
  if (!p)
    return;
  txGatherDestroy(&p->gather);
  txVerticesDestroy(p->vertices);
  free(p->first);
  free(p);
}

/* The product of the storage points, in two variants: every point in one draw, blending adds them
 * up; or a draw per layer (no two points of a layer meet), each result added by a pass. */

enum { BLEND, LAYERS, MOST_LAYERS = 16 };

/* A point is drawn where its row lives. With `blend` it writes to one lane of the texel. */
static clStatus drawPoints(const char *call, txTexture *target, float ca, const txPoints *p,
                           const txTexture *x, int64_t first, int64_t count, bool blend) {
  txPass pass = {
      .kernel = "points",
      .vertex = "points",
      .defines = blend ? "#define LANES\n" : NULL,
      .target = {target},
      .source = {{"x", x, TX_EDGE}},
      .uniform = {{"factor", 1, {ca}, NULL, false},
                  {"cell", 2, {2 / (float)target->width, 2 / (float)target->height}, NULL, false},
                  {"x_shift", 1, {(float)p->gather.shift}, NULL, true}},
      .shape = TX_POINTS,
      .vertices = p->vertices,
      .first = first,
      .count = count,
      .add = blend,
  };
  return txPassRun(target->context, call, &pass);
}

/* y <- cb b */
static clStatus start(const char *call, clVector *y, float cb, const clVector *b) {
  if (!b)
    return txTextureClear(y->texture, call);
  txPass pass = {.kernel = "scale",
                 .source = {{"x", b->texture, TX_EDGE}},
                 .uniform = {{"factor", 1, {cb}, NULL, false}}};
  return txVectorRun(call, &pass, y);
}

static clStatus blendAll(const char *call, clVector *y, float ca, const txPoints *p,
                         const txTexture *x, float cb, const clVector *b) {
  TRY(start(call, y, cb, b));
  if (p->vertices)
    TRY(drawPoints(call, y->texture, ca, p, x, 0, 0, true));
  return TEXLA_OK;
}

static clStatus addLayer(const char *call, clVector *y, const txTexture *layer) {
  char defines[64] = "";
  txPass pass = {.kernel = "points_layer", .source = {{"s", layer, TX_EDGE}}};
  txCombine(&pass, defines, sizeof defines, 1, 1, y);
  return txVectorRun(call, &pass, y);
}

/* Within a layer no two points meet, so that nothing has to be blended. */
static clStatus addLayers(const char *call, clVector *y, float ca, const txPoints *p,
                          const txTexture *x, float cb, const clVector *b) {
  txTexture *layer = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(start(call, y, cb, b));
  TRY_CLEANUP(txTextureCreate(&layer, y->context, call, TX_R32F, (int)txUnpackedWidth(&y->layout),
                              y->layout.height));
  layer->meaning = (txMeaning){"unpacked", {y->layout.length, y->layout.row, y->layout.grid}};
  for (int64_t k = 0; k < p->layers; k++) {
    TRY_CLEANUP(txTextureClear(layer, call));
    TRY_CLEANUP(
        drawPoints(call, layer, ca, p, x, p->first[k], p->first[k + 1] - p->first[k], false));
    TRY_CLEANUP(addLayer(call, y, layer));
  }
cleanup:
  txTextureDestroy(layer);
  return status;
}

/* Into a fresh texture, so that b may be y and a failed call leaves y as it was. */
static clStatus multiplyWith(int variant, const char *call, clVector *y, float ca,
                             const clMatrix *A, const clVector *x, float cb, const clVector *b) {
  clVector fresh = {y->context, y->layout, NULL};
  txTexture *unpacked = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txLayoutTexture(&fresh.texture, y->context, call, &y->layout));
  TRY_CLEANUP(txUnpack(&unpacked, call, x));
  if (variant == BLEND)
    TRY_CLEANUP(blendAll(call, &fresh, ca, A->data, unpacked, cb, b));
  else
    TRY_CLEANUP(addLayers(call, &fresh, ca, A->data, unpacked, cb, b));
  txTextureExchange(&y->texture, &fresh.texture);
cleanup:
  txTextureDestroy(unpacked);
  txTextureDestroy(fresh.texture);
  return status;
}

/* The variants are measured with a matrix of 2^18 rows with nine entries. */
typedef struct tuningCase {
  clContext *context;
  clMatrix *A;
  clVector *x, *y;
} tuningCase;

/* A band matrix of nine diagonals whose rows fill three layers. */
static clStatus prepareCase(tuningCase *c) {
  enum { N = 1 << 18, OFFSET = 511 };
  clTriplets *T = NULL;
  txRows rows = {0};
  clError *error = txContextError(c->context);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&T, N, N, 9 * N, error));
  for (int32_t i = 0; i < N; i++)
    for (int32_t j = i - 4 * OFFSET; j <= i + 4 * OFFSET; j += OFFSET)
      if (j >= 0 && j < N)
        TRY_CLEANUP(clTripletsAdd(T, i, j, 1, error));
  TRY_CLEANUP(txRowsFind(&rows, T, "tuning", error));
  TRY_CLEANUP(txMatrixCreateAs(&c->A, c->context, &rows,
                               &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS},
                               &txPointsStorage, false));
  TRY_CLEANUP(clMatrixCreateVector(&c->x, c->A, TEXLA_DOMAIN));
  TRY_CLEANUP(clMatrixCreateVector(&c->y, c->A, TEXLA_RANGE));
cleanup:
  txRowsForget(&rows);
  clTripletsDestroy(T);
  return status;
}

static clStatus runCase(void *user, int variant) {
  tuningCase *c = user;
  if (!c->y)
    TRY(prepareCase(c));
  return multiplyWith(variant, "tuning", c->y, 1, c->A, c->x, 0, NULL);
}

/* Very many layers are never worth a pass each. */
static clStatus chooseVariant(const clMatrix *A, int *variant) {
  static const int candidates[] = {BLEND, LAYERS};
  const txPoints *p = A->data;
  if (!clContextInspect(A->context)->probes.blendable) {
    *variant = LAYERS;
    return TEXLA_OK;
  }
  if (p->layers > MOST_LAYERS) {
    *variant = BLEND;
    return TEXLA_OK;
  }
  tuningCase c = {.context = A->context};
  clStatus status =
      txTuningChoose(A->context, "points.accumulate", candidates, 2, runCase, &c, BLEND, variant);
  clMatrixDestroy(c.A);
  clVectorDestroy(c.x);
  clVectorDestroy(c.y);
  return status;
}

/* The variant that was measured to be faster on this device. */
static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A,
                         bool transposed, const clVector *x, float cb, const clVector *b) {
  int variant = BLEND;
  if (transposed)
    TRY(txTransposed(call, A, &A));
  TRY(chooseVariant(A, &variant));
  return multiplyWith(variant, call, y, ca, A, x, cb, b);
}

/* The same with several vectors: a multivector already is one row to a texel, where the elements of
 * four vectors are found with one fetch. */

/* The same points, whose fragments compute with all lanes of the multivectors. */
static clStatus drawSeveral(const char *call, const txPoints *p, const txMultiProduct *product,
                            int64_t first, int64_t count) {
  const txTexture *target = product->y[0]->texture;
  char defines[64] = "";
  txPass pass = {
      .kernel = "multivector_points",
      .vertex = "multivector_points",
      .uniform = {{"factor", 1, {product->ca}, NULL, false},
                  {"cell", 2, {2 / (float)target->width, 2 / (float)target->height}, NULL, false}},
      .shape = TX_POINTS,
      .vertices = p->vertices,
      .first = first,
      .count = count,
      .add = !count};
  txPassIntegers(&pass, "x_shift", 1, p->gather.shift, 0);
  return txMultivectorDraw(call, &pass, defines, sizeof defines, product);
}

/* Without blending: layer after layer, in which no two points meet, each added by a pass. */
static clStatus addSeveralLayers(const char *call, const txPoints *p,
                                 const txMultiProduct *product) {
  clVector layer[TX_GROUPS] = {{0}}, *layers[TX_GROUPS] = {&layer[0], &layer[1]};
  txMultiProduct drawn = *product, added = txMultivectorAdding(product);
  drawn.y = layers;
  drawn.b = NULL;
  clStatus status = TEXLA_OK;
  for (int g = 0; g < product->groups; g++) {
    layer[g] = *product->y[g];
    TRY_CLEANUP(txLayoutTexture(&layer[g].texture, layer[g].context, call, &layer[g].layout));
  }
  added.x = layers;
  added.ca = 1;
  for (int64_t k = 0; k < p->layers; k++) {
    char defines[64] = "#define SUM multivectorsAt(uv)\n";
    for (int g = 0; g < product->groups; g++)
      TRY_CLEANUP(txTextureClear(layer[g].texture, call));
    TRY_CLEANUP(drawSeveral(call, p, &drawn, p->first[k], p->first[k + 1] - p->first[k]));
    txPass pass = {.kernel = "multivector_scale"};
    TRY_CLEANUP(txMultivectorRun(call, &pass, defines, sizeof defines, &added));
  }
cleanup:
  for (int g = 0; g < product->groups; g++)
    if (layer[g].texture != product->y[g]->texture)
      txTextureDestroy(layer[g].texture);
  return status;
}

/* y <- cb b first, then the points are added. */
static clStatus multiplySeveral(const char *call, const txMultiProduct *product) {
  const txPoints *p = product->A->data;
  char defines[64] = "#define SUM MULTIVECTORS(0.)\n";
  /* y <- cb b */
  txPass start = {.kernel = "multivector_scale"};
  TRY(txMultivectorRun(call, &start, defines, sizeof defines, product));
  if (!p->vertices)
    return TEXLA_OK;
  if (!clContextInspect(product->A->context)->probes.blendable)
    return addSeveralLayers(call, p, product);
  return drawSeveral(call, p, product, 0, 0);
}

const txStorage txPointsStorage = {
    .create = create,
    .destroy = destroy,
    .multiply = multiply,
    .multiplySeveral = multiplySeveral,
    .residual = txTwinResidual,
    .diagonal = txGatherDiagonal,
    .cost = NULL,
    .reason = NULL,
};
