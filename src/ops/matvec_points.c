/* The product of the storage points, in two variants: every point in one draw, blending adds them up; or a draw per layer
 * (no two points of a layer meet), each result added by a pass. */
#include "gl/tuning.h"
#include "objects/matrix_points.h"
#include "ops/gather.h"
#include "ops/pack.h"

#include <stdlib.h>

enum { BLEND, LAYERS, MOST_LAYERS = 16 };

static clStatus drawPoints(const char *call, txTexture *target, float ca, const txPoints *p, const txTexture *x,
                           int64_t first, int64_t count, bool blend) {
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
  txPass pass = {
      .kernel = "scale", .source = {{"x", b->texture, TX_EDGE}}, .uniform = {{"factor", 1, {cb}, NULL, false}}};
  return txVectorRun(call, &pass, y);
}

static clStatus blendAll(const char *call, clVector *y, float ca, const txPoints *p, const txTexture *x, float cb,
                         const clVector *b) {
  clStatus status = start(call, y, cb, b);
  if (!status && p->vertices)
    status = drawPoints(call, y->texture, ca, p, x, 0, 0, true);
  return status;
}

static clStatus addLayer(const char *call, clVector *y, const txTexture *layer) {
  char defines[64] = "";
  txPass pass = {.kernel = "points_layer", .source = {{"s", layer, TX_EDGE}}};
  txCombine(&pass, defines, sizeof defines, 1, 1, y);
  return txVectorRun(call, &pass, y);
}

static clStatus addLayers(const char *call, clVector *y, float ca, const txPoints *p, const txTexture *x, float cb,
                          const clVector *b) {
  txTexture *layer = NULL;
  clStatus status = start(call, y, cb, b);
  if (!status)
    status = txTextureCreate(&layer, y->context, call, TX_R32F, (int)txUnpackedWidth(&y->layout), y->layout.height);
  for (int64_t k = 0; k < p->layers && !status; k++) {
    status = txTextureClear(layer, call);
    if (!status)
      status = drawPoints(call, layer, ca, p, x, p->first[k], p->first[k + 1] - p->first[k], false);
    if (!status)
      status = addLayer(call, y, layer);
  }
  txTextureDestroy(layer);
  return status;
}

/* Into a fresh texture, so that b may be y and a failed call leaves y as it was. */
static clStatus multiplyWith(int variant, const char *call, clVector *y, float ca, const clMatrix *A, const clVector *x,
                             float cb, const clVector *b) {
  clVector fresh = {y->context, y->layout, NULL};
  txTexture *unpacked = NULL;
  clStatus status = txTextureCreate(&fresh.texture, y->context, call, TX_RGBA32F, y->layout.width, y->layout.height);
  if (!status)
    status = txUnpack(&unpacked, call, x);
  if (!status)
    status = (variant == BLEND ? blendAll : addLayers)(call, &fresh, ca, A->data, unpacked, cb, b);
  txTextureDestroy(unpacked);
  txTexture *unused = fresh.texture;
  if (!status) {
    unused = y->texture;
    y->texture = fresh.texture;
  }
  txTextureDestroy(unused);
  return status;
}

/* The variants are measured with a matrix of 2^18 rows with nine entries. */
typedef struct tuningCase {
  clContext *context;
  clMatrix *A;
  clVector *x, *y;
} tuningCase;

static clStatus prepareCase(tuningCase *c) {
  enum { N = 1 << 18, OFFSET = 511 };
  clTriplets *T = NULL;
  clError *error = txContextError(c->context);
  clStatus status = clTripletsCreate(&T, N, N, 9 * N, error);
  for (int32_t i = 0; i < N && !status; i++)
    for (int32_t j = i - 4 * OFFSET; j <= i + 4 * OFFSET && !status; j += OFFSET)
      if (j >= 0 && j < N)
        status = clTripletsAdd(T, i, j, 1, error);
  if (!status)
    status = clMatrixCreate(&c->A, c->context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS});
  clTripletsDestroy(T);
  if (!status)
    status = clMatrixCreateVector(&c->x, c->A, TEXLA_SIDE_COLS);
  return status ? status : clMatrixCreateVector(&c->y, c->A, TEXLA_SIDE_ROWS);
}

static clStatus runCase(void *user, int variant) {
  tuningCase *c = user;
  clStatus status = c->y ? TEXLA_OK : prepareCase(c);
  return status ? status : multiplyWith(variant, "tuning", c->y, 1, c->A, c->x, 0, NULL);
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
  clStatus status = txTuningChoose(A->context, "points.accumulate", candidates, 2, runCase, &c, BLEND, variant);
  clMatrixDestroy(c.A);
  clVectorDestroy(c.x);
  clVectorDestroy(c.y);
  return status;
}

static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed, const clVector *x,
                         float cb, const clVector *b) {
  int variant = BLEND;
  clStatus status = transposed ? txTransposed(call, A, &A) : TEXLA_OK;
  if (!status)
    status = chooseVariant(A, &variant);
  return status ? status : multiplyWith(variant, call, y, ca, A, x, cb, b);
}

const txStorageOps txPointsOps = {multiply, txGatherDiagonal};
