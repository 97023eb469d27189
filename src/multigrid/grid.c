#include "multigrid/grid.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer texels than this are not worth the extra passes around an interior. */
enum { LEAST_SPLIT = 8192 };

/* One texture over the classes: component `k` of `size` floats per stored point. */
static clStatus uploadClasses(txTexture **out, clContext *context, const txStencil *s,
                              const float *values, int size, int k, const char *call) {
  int64_t points = txStencilPoints(s);
  float *texels = txAllocate(txContextError(context), call, (size_t)points, sizeof *texels,
                             "uploading coefficients");
  if (!texels)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t p = 0; p < points; p++)
    texels[p] = values[size * p + k];
  txRect rect = {0, 0, txClassCount(&s->class[0]), txClassCount(&s->class[1])};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(out, context, call, TX_RGBA32F, rect.width, rect.height));
  TRY_CLEANUP(txTextureWrite(*out, call, rect, texels));
cleanup:
  free(texels);
  return status;
}

static clStatus gridUploadInverse(txGrid *grid, const txStencil *s, const char *call) {
  int64_t points = txStencilPoints(s);
  float *inverse = txAllocate(txContextError(grid->context), call, (size_t)points, sizeof *inverse,
                              "uploading a diagonal");
  if (!inverse)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t p = 0; p < points; p++) {
    inverse[p] = txInverse(s->a[TX_STENCIL * p + TX_CENTRE]);
  }
  clStatus status = uploadClasses(&grid->inverse_diagonal, grid->context, s, inverse, 1, 0, call);
  free(inverse);
  return status;
}

/* A point of the interior at distance d from a coarse one, on one axis. */
static int interiorPlace(const txStencil *s, int axis, int d) {
  const txAxisCoarsening *c = &s->coarsening[axis];
  int points = axis == 0 ? 4 : 1, base = s->class[axis].low * points, place = base + d;
  if (c->stride > 1)
    place += (c->first + base) % 2;
  if (place < base)
    place += 2;
  return place;
}

/* The weights with which the fine points around an interior coarse one count: zero where an axis
 * that is not coarsened would have to be crossed. */
static void interiorWeights(txGrid *grid, const txStencil *s) {
  for (int k = 0; k < TX_STENCIL; k++) {
    int dx = k % 3 - 1, dy = k / 3 - 1, parent = (dx < 0) + 2 * (dy < 0);
    bool reached_x = s->coarsening[0].stride > 1 || dx == 0,
         reached_y = s->coarsening[1].stride > 1 || dy == 0;
    int64_t at = txStencilIndex(s, interiorPlace(s, 0, dx), interiorPlace(s, 1, dy));
    grid->weights[k] = 0;
    if (reached_x && reached_y)
      grid->weights[k] = s->weight[TX_CORNERS * at + parent];
  }
}

/* Corners of a five-point operator get no textures, and nothing is interpolated from the
 * coarsest grid. */
static clStatus gridUpload(txGrid *grid, const txStencil *s, const char *call) {
  TRY(gridUploadInverse(grid, s, call));
  for (int k = 0; k < TX_STENCIL; k++) {
    if (s->nine || k == TX_CENTRE || k % 2)
      TRY(uploadClasses(&grid->a[k], grid->context, s, s->a, TX_STENCIL, k, call));
  }
  for (int p = 0; p < TX_CORNERS && s->weight; p++)
    TRY(uploadClasses(&grid->weight[p], grid->context, s, s->weight, TX_CORNERS, p, call));
  if (s->uniform) {
    const float *a = s->a + TX_STENCIL * txStencilIndex(s, 4 * s->class[0].low, s->class[1].low);
    memcpy(grid->interior, a, TX_STENCIL * sizeof *a);
    memcpy(grid->inverse, a, TX_STENCIL * sizeof *a);
    grid->inverse[TX_CENTRE] = txInverse(a[TX_CENTRE]);
    if (s->weight)
      interiorWeights(grid, s);
  }
  return TEXLA_OK;
}

/* The weight of a point of `axis` for one of its parents: 1 at a coarse point, half of it between
 * two. */
static double gridWeightOf(const txStencil *s, int axis, int i, bool high) {
  int parent[2];
  txStencilParents(s, axis, i, &parent[0], &parent[1]);
  bool between = (i - s->coarsening[axis].first) % 2 != 0;
  if (!between)
    return !high;
  return parent[high] < 0 ? 0 : 0.5;
}

static bool gridAgree(double x, double y) {
  return fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

/* Is point (i, j) as those inside are, but for what lies beyond the boundary? */
static bool isPlainAt(const txStencil *s, const float *inside, int i, int j) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j),
              *w = s->weight + TX_CORNERS * txStencilIndex(s, i, j);
  bool plain = true;
  for (int k = 0; k < TX_STENCIL; k++) {
    int x = i + k % 3 - 1, y = j + k / 3 - 1;
    bool exists = x >= 0 && x < s->n[0] && y >= 0 && y < s->n[1];
    plain &= gridAgree((double)c[k], exists ? (double)inside[k] : 0);
  }
  for (int p = 0; p < TX_CORNERS; p++)
    plain &= gridAgree((double)w[p], gridWeightOf(s, 0, i, p & 1) * gridWeightOf(s, 1, j, p >> 1));
  return plain;
}

/* Compares every stored point with those inside, as colours with textures of their own are
 * computed without looking at the boundary. */
static bool isPlain(const txStencil *s) {
  bool plain = s->uniform && !s->nine && !s->periodic[0] && !s->periodic[1] && s->weight;
  for (int axis = 0; axis < 2; axis++)
    plain &= s->coarsening[axis].stride == 2 && s->coarsening[axis].first == 1;
  const float *inside = s->a + TX_STENCIL * txStencilIndex(s, 4 * s->class[0].low, s->class[1].low);
  for (int J = 0; J < txClassCount(&s->class[1]) && plain; J++)
    for (int I = 0; I < 4 * txClassCount(&s->class[0]) && plain; I++) {
      int i = 4 * txClassPlace(&s->class[0], I / 4) + I % 4;
      plain = i >= s->n[0] || isPlainAt(s, inside, i, txClassPlace(&s->class[1], J));
    }
  return plain;
}

static bool worthSplitting(const txLayout *layout) {
  return layout->width >= 8 && layout->height >= 16 &&
         layout->width * layout->height >= LEAST_SPLIT;
}

clStatus txGridMake(txGrid **out, clContext *context, const int n[2], const bool periodic[2],
                    const char *call) {
  txLayout layout;
  if (!txLayoutGrid(&layout, context, n[0], n[1]))
    return txFail(
        txContextError(context), TEXLA_TOO_LARGE, call,
        "a grid of %d x %d needs a texture of %d x %d texels, but the device's limit is %d", n[0],
        n[1], layout.width, layout.height, clContextInspect(context)->max_texture_size);
  txGrid *grid = txAllocate(txContextError(context), call, 1, sizeof *grid, "a grid");
  if (!grid)
    return TEXLA_OUT_OF_MEMORY;
  *grid = (txGrid){.context = context,
                   .layout = layout,
                   .n = {n[0], n[1]},
                   .periodic = {periodic[0], periodic[1]},
                   .nine = true,
                   .class = {{layout.width, layout.width, layout.width}, {n[1], n[1], n[1]}},
                   .coarsening = {{1, 0}, {1, 0}}};
  grid->split = (periodic[0] || periodic[1]) && worthSplitting(&layout);
  *out = grid;
  return TEXLA_OK;
}

clStatus txGridCreate(txGrid **out, clContext *context, const txStencil *s, const char *call) {
  txGrid *grid = NULL;
  TRY(txGridMake(&grid, context, s->n, s->periodic, call));
  clStatus status = TEXLA_OK;
  grid->nine = s->nine;
  grid->uniform = s->uniform;
  grid->plain = isPlain(s);
  grid->split |= s->uniform && worthSplitting(&grid->layout);
  for (int axis = 0; axis < 2; axis++) {
    grid->class[axis] = s->class[axis];
    grid->coarsening[axis] = s->coarsening[axis];
  }
  memcpy(grid->mirrored, s->mirrored, sizeof grid->mirrored);
  TRY_CLEANUP(gridUpload(grid, s, call));
  *out = grid;
  grid = NULL;
cleanup:
  txGridDestroy(grid);
  return status;
}

void txGridDestroy(txGrid *grid) {
  if (!grid)
    return;
  for (int k = 0; k < TX_STENCIL; k++)
    txTextureDestroy(grid->a[k]);
  for (int p = 0; p < TX_CORNERS; p++)
    txTextureDestroy(grid->weight[p]);
  txTextureDestroy(grid->inverse_diagonal);
  free(grid);
}
