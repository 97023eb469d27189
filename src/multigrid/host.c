#include "multigrid/host_lines.h"
#include "core/allocate.h"
#include "core/compiler.h"
#include "core/try.h"
#include "gl/observe.h"
#include "multigrid/multigrid.h"

#include <stdlib.h>
#include <string.h>

/* Rows of coefficients: nine of the operator, the inverse of its diagonal, the weights of four
 * parents. */
enum { INVERSE = TX_STENCIL, WEIGHT, ROWS = WEIGHT + TX_CORNERS };

/* Left and right of a row of points: room for one ghost value, and more, so that rows begin where
 * texels do. */
enum { GHOSTS = 4 };

/* A level on the host. Grids have ghost values around them, and rows of whole texels. Both count
 * with coefficients of zero, so they may be anything, unless an axis is periodic: then the ghost
 * values are the points of the opposite side.
 *
 * A row of points takes `width` numbers with its padding, `stride` with its ghost values. Rows of
 * one class share their coefficients: `rows` has ROWS times `width` numbers for each class.
 *
 * x, y and b are point (0, 0) of three grids in `memory`; r and `spread` are one row each, and
 * `texels` is a grid on its way to or from the device. `halved`: along x every other point is a
 * coarse one, from `first` on, and no parent is across an end. parent[axis][0] and [1] are the low
 * and the high parents, -1 where there is none; along x any point serves there, with weight zero,
 * so that loops have no branch. `inverse` is the coarsest operator's, one column after the other;
 * lines[axis] may be NULL. */
struct txHostGrid {
  int n[2], width, stride;
  bool periodic[2], halved;
  int first;
  txClasses class;
  float *rows;
  float *memory;
  float *x, *y, *b, *r, *spread;
  float *texels;
  int *parent[2][2];
  float *inverse;
  txHostLines *lines[2];
};

static float *hostRowOf(const txHostGrid *g, float *v, int j) {
  return v + (int64_t)j * g->stride;
}

static const float *coefficients(const txHostGrid *g, int j, int k) {
  return g->rows + ((int64_t)txClassOf(&g->class, j) * ROWS + k) * g->width;
}

/* Coefficients along a row lie behind each other, one row for each of them, so that the compiler
 * can vectorize over points. */
static void hostFillRows(txHostGrid *g, const txStencil *s) {
  for (int c = 0; c < txClassCount(&g->class); c++)
    for (int i = 0, j = txClassPlace(&g->class, c); i < g->n[0]; i++) {
      int64_t at = txStencilIndex(s, i, j);
      float *to = g->rows + (int64_t)c * ROWS * g->width + i;
      for (int k = 0; k < TX_STENCIL; k++)
        to[k * g->width] = s->a[TX_STENCIL * at + k];
      to[INVERSE * g->width] = txInverse(s->a[TX_STENCIL * at + TX_CENTRE]);
      for (int p = 0; p < TX_CORNERS && s->weight; p++)
        to[(WEIGHT + p) * g->width] = s->weight[TX_CORNERS * at + p];
    }
}

static void fillParents(txHostGrid *g, const txStencil *s) {
  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < g->n[axis]; i++) {
      int low, high;
      txStencilParents(s, axis, i, &low, &high);
      if (axis == 0 && low < 0)
        low = high;
      else if (axis == 0 && high < 0)
        high = low;
      g->parent[axis][0][i] = low;
      g->parent[axis][1][i] = high;
    }
}

static clStatus hostAllocate(txHostGrid *g, bool coarsest, const char *call, clError *error) {
  static const char what[] = "a grid on the host";
  int64_t grid = (int64_t)(g->n[1] + 2) * g->stride, n = (int64_t)g->n[0] * g->n[1];
  g->rows = txAllocate(error, call, (size_t)txClassCount(&g->class) * ROWS * (size_t)g->width,
                       sizeof *g->rows, what);
  g->memory = txAllocate(error, call, (size_t)(4 * grid + 2 * g->stride), sizeof *g->memory, what);
  g->parent[0][0] = txAllocate(error, call, (size_t)(g->n[0] + g->n[1]) * 2, sizeof(int), what);
  if (coarsest)
    g->inverse = txAllocate(error, call, (size_t)(n * n), sizeof *g->inverse, what);
  if (!g->rows || !g->memory || !g->parent[0][0] || (coarsest && !g->inverse))
    return TEXLA_OUT_OF_MEMORY;
  g->x = g->memory + g->stride + GHOSTS;
  g->y = g->x + grid;
  g->b = g->y + grid;
  g->texels = g->memory + 3 * grid;
  g->r = g->texels + grid;
  g->spread = g->r + g->stride;
  g->parent[0][1] = g->parent[0][0] + g->n[0];
  g->parent[1][0] = g->parent[0][1] + g->n[0];
  g->parent[1][1] = g->parent[1][0] + g->n[1];
  return TEXLA_OK;
}

clStatus txHostGridCreate(txHostGrid **out, const txStencil *s, const double *inverse,
                          const char *call, clError *error) {
  int width = (s->n[0] + 3) / 4 * 4;
  txHostGrid *g = txAllocate(error, call, 1, sizeof *g, "a grid on the host");
  if (!g)
    return TEXLA_OUT_OF_MEMORY;
  *g = (txHostGrid){.n = {s->n[0], s->n[1]},
                    .width = width,
                    .stride = width + 2 * GHOSTS,
                    .periodic = {s->periodic[0], s->periodic[1]},
                    .halved = s->coarsening[0].stride == 2 && !s->periodic[0],
                    .first = s->coarsening[0].first,
                    .class = s->class[1]};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(hostAllocate(g, inverse, call, error));
  hostFillRows(g, s);
  fillParents(g, s);
  int64_t n = (int64_t)g->n[0] * g->n[1];
  for (int64_t i = 0; i < n && inverse; i++)
    for (int64_t k = 0; k < n; k++)
      g->inverse[k * n + i] = (float)inverse[i * n + k];
  *out = g;
  g = NULL;
cleanup:
  txHostGridDestroy(g);
  return status;
}

void txHostGridDestroy(txHostGrid *g) {
  if (!g)
    return;
  free(g->rows);
  free(g->memory);
  free(g->parent[0][0]);
  free(g->inverse);
  for (int axis = 0; axis < 2; axis++)
    txHostLinesDestroy(g->lines[axis]);
  free(g);
}

/* The ghost values around x, as far as an axis is periodic. */
static void fillGhosts(const txHostGrid *g) {
  for (int j = 0; j < g->n[1] && g->periodic[0]; j++) {
    float *x = hostRowOf(g, g->x, j);
    x[-1] = x[g->n[0] - 1];
    x[g->n[0]] = x[0];
  }
  if (!g->periodic[1])
    return;
  size_t bytes = (size_t)g->stride * sizeof *g->x;
  memcpy(hostRowOf(g, g->x, -1) - GHOSTS, hostRowOf(g, g->x, g->n[1] - 1) - GHOSTS, bytes);
  memcpy(hostRowOf(g, g->x, g->n[1]) - GHOSTS, hostRowOf(g, g->x, 0) - GHOSTS, bytes);
}

/* r <- b - A x on one row; x between south and north */
TX_INLINE void residualOf(float *restrict r, const float *restrict b, const float *restrict a,
                          const float *south, const float *x, const float *north, int width) {
  for (int i = 0; i < width; i++) {
    const float *c = a + i;
    float below = c[0] * south[i - 1] + c[width] * south[i] + c[2 * width] * south[i + 1];
    float here = c[3 * width] * x[i - 1] + c[4 * width] * x[i] + c[5 * width] * x[i + 1];
    float above =
        c[6 * width] * north[i - 1] + c[7 * width] * north[i] + c[8 * width] * north[i + 1];
    r[i] = b[i] - (here + (below + above));
  }
}

/* r <- b - A x on row j, which it returns */
TX_INLINE const float *residual(const txHostGrid *g, int j) {
  residualOf(g->r, hostRowOf(g, g->b, j), coefficients(g, j, 0), hostRowOf(g, g->x, j - 1),
             hostRowOf(g, g->x, j), hostRowOf(g, g->x, j + 1), g->width);
  return g->r;
}

static void hostClear(const txHostGrid *g, float *v) {
  for (int j = 0; j < g->n[1]; j++)
    memset(hostRowOf(g, v, j), 0, (size_t)g->width * sizeof *v);
}

/* The factors of a sweep in row j, by column modulo four. */
static const float *rowFactor(const txSweep *s, int j) {
  return j & 1 ? s->odd : s->even;
}

/* y <- x + factor D^-1 r */
TX_INLINE void update(float *restrict y, const float *restrict x, const float *restrict inverse,
                      const float *restrict r, const float factor[4], int width) {
  for (int i = 0; i < width; i += 4)
    for (int lane = 0; lane < 4; lane++)
      y[i + lane] = x[i + lane] + factor[lane] * inverse[i + lane] * r[i + lane];
}

/* y <- factor D^-1 b, the same from x = 0 */
TX_INLINE void updateFromZero(float *restrict y, const float *restrict inverse,
                              const float *restrict b, const float factor[4], int width) {
  for (int i = 0; i < width; i += 4)
    for (int lane = 0; lane < 4; lane++)
      y[i + lane] = factor[lane] * inverse[i + lane] * b[i + lane];
}

clStatus txHostGridLines(txHostGrid *g, const txStencil *s, const char *call, clError *error) {
  for (int axis = 0; axis < 2; axis++)
    TRY(txHostLinesCreate(&g->lines[axis], s, axis, g->stride, call, error));
  return TEXLA_OK;
}

/* x <- x + sweep T^-1 (b - A x), where T is what A couples within lines */
TX_INLINE void sweepLines(txHostGrid *g, const txSweep *s, bool zero) {
  if (zero)
    hostClear(g, g->x);
  else
    fillGhosts(g);
  for (int j = 0; j < g->n[1]; j++) {
    const float *r = hostRowOf(g, g->b, j);
    if (!zero)
      r = residual(g, j);
    memcpy(hostRowOf(g, g->y, j), r, (size_t)g->width * sizeof *g->y);
  }
  txHostLinesSolve(g->lines[s->kind == TX_RELAX_LINES_Y], g->y);
  for (int j = 0; j < g->n[1]; j++) {
    float *restrict x = hostRowOf(g, g->x, j);
    const float *restrict y = hostRowOf(g, g->y, j), *factor = rowFactor(s, j);
    for (int i = 0; i < g->width; i++)
      x[i] += factor[i & 3] * y[i];
  }
}

/* x <- x + sweep D^-1 (b - A x) */
TX_INLINE void sweepPoints(txHostGrid *g, const txSweep *s, bool zero) {
  if (!zero)
    fillGhosts(g);
  for (int j = 0; j < g->n[1]; j++) {
    const float *inverse = coefficients(g, j, INVERSE), *factor = rowFactor(s, j);
    float *y = hostRowOf(g, g->y, j);
    if (zero)
      updateFromZero(y, inverse, hostRowOf(g, g->b, j), factor, g->width);
    else
      update(y, hostRowOf(g, g->x, j), inverse, residual(g, j), factor, g->width);
  }
  float *x = g->x;
  g->x = g->y;
  g->y = x;
}

TX_INLINE void sweep(txHostGrid *g, const txSweep *s, bool zero) {
  if (s->kind == TX_RELAX_POINTS)
    sweepPoints(g, s, zero);
  else
    sweepLines(g, s, zero);
}

TX_INLINE clStatus smoothWith(void *level, txSmoothing part) {
  txLevel *v = level;
  bool zero = part == TX_SMOOTH_FROM_ZERO, before = zero || part == TX_SMOOTH_BEFORE;
  if (zero && v->pre == 0)
    hostClear(v->host, v->host->x);
  for (int k = 0; k < v->pre && before; k++)
    sweep(v->host, &v->before[k], zero && k == 0);
  for (int k = 0; k < v->post && !before; k++) {
    int next = part == TX_SMOOTH_REVERSED ? v->post - 1 - k : k;
    sweep(v->host, &v->after[next], false);
  }
  return TEXLA_OK;
}

/* The parents of row j on one side: weights of the low and of the high ones in x, and the row of
 * `v` that they belong to; NULL: none. */
static float *parents(const txHostGrid *fine, const txHostGrid *coarse, int j, int side, float *v,
                      const float *w[2]) {
  int J = fine->parent[1][side][j];
  for (int p = 0; p < 2; p++)
    w[p] = coefficients(fine, j, WEIGHT + 2 * side + p);
  if (J < 0)
    return NULL;
  return hostRowOf(coarse, v, J);
}

/* b += the row r of a halved axis: what each point adds to its low parent, and what it adds to the
 * high one at the next place, so that a coarse point finds its sum at two places. */
TX_INLINE void addHalved(float *restrict b, float *restrict spread, const float *const w[2],
                         const float *restrict r, const txHostGrid *fine, int coarse) {
  const float *restrict low = w[0], *restrict high = w[1];
  int n = fine->n[0];
  for (int i = 0; i < n; i++)
    spread[i] = low[i] * r[i];
  spread[n] = 0;
  for (int i = 0; i < n; i++)
    spread[i + 1] += high[i] * r[i];
  const float *from = spread + fine->first;
  for (int i = 0; i < coarse; i++)
    b[i] += from[2 * i] + from[2 * i + 1];
}

/* coarse->b += P^T r, where r is row j */
TX_INLINE void addRestricted(const txHostGrid *fine, const txHostGrid *coarse, int j,
                             const float *r) {
  const int *low = fine->parent[0][0], *high = fine->parent[0][1];
  for (int side = 0; side < 2; side++) {
    const float *w[2];
    float *b = parents(fine, coarse, j, side, coarse->b, w);
    if (b && fine->halved)
      addHalved(b, fine->spread, w, r, fine, coarse->n[0]);
    for (int i = 0; i < fine->n[0] && b && !fine->halved; i++) {
      b[low[i]] += w[0][i] * r[i];
      b[high[i]] += w[1][i] * r[i];
    }
  }
}

TX_INLINE clStatus residualToCoarseWith(void *level) {
  txLevel *v = level;
  txHostGrid *fine = v->host, *coarse = v[1].host;
  hostClear(coarse, coarse->b);
  fillGhosts(fine);
  for (int j = 0; j < fine->n[1]; j++) {
    addRestricted(fine, coarse, j, residual(fine, j));
  }
  return TEXLA_OK;
}

static clStatus restrictToCoarse(void *level) {
  txLevel *v = level;
  txHostGrid *fine = v->host, *coarse = v[1].host;
  hostClear(coarse, coarse->b);
  for (int j = 0; j < fine->n[1]; j++)
    addRestricted(fine, coarse, j, hostRowOf(fine, fine->b, j));
  return TEXLA_OK;
}

/* x += one row of P e on a halved axis, the other way round: the low parent of point i comes to
 * place i, so that the high one is at place i + 1. */
TX_INLINE void prolongHalved(float *restrict x, float *restrict spread, const float *const w[2],
                             const float *restrict e, const txHostGrid *fine, int coarse) {
  const float *restrict low = w[0], *restrict high = w[1];
  float *to = spread + fine->first;
  int n = fine->n[0];
  spread[0] = 0;
  spread[n] = 0;
  for (int i = 0; i < coarse; i++) {
    to[2 * i] = e[i];
    to[2 * i + 1] = e[i];
  }
  for (int i = 0; i < n; i++)
    x[i] += low[i] * spread[i] + high[i] * spread[i + 1];
}

/* x <- x + P e, one row of x after the other; `start` lets it begin from zero. */
TX_INLINE clStatus prolongWith(void *level, bool start) {
  txLevel *v = level;
  txHostGrid *fine = v->host, *coarse = v[1].host;
  const int *low = fine->parent[0][0], *high = fine->parent[0][1];
  if (start)
    hostClear(fine, fine->x);
  for (int j = 0; j < fine->n[1]; j++)
    for (int side = 0; side < 2; side++) {
      const float *w[2], *e = parents(fine, coarse, j, side, coarse->x, w);
      float *x = hostRowOf(fine, fine->x, j);
      if (e && fine->halved)
        prolongHalved(x, fine->spread, w, e, fine, coarse->n[0]);
      for (int i = 0; i < fine->n[0] && e && !fine->halved; i++)
        x[i] += w[0][i] * e[low[i]] + w[1][i] * e[high[i]];
    }
  return TEXLA_OK;
}

/* x <- A^-1 b on the coarsest grid: the sum of the inverse's columns, each with its number of b. */
static clStatus hostSolve(void *level) {
  const txHostGrid *g = ((txLevel *)level)->host;
  const float *column = g->inverse;
  hostClear(g, g->x);
  for (int l = 0; l < g->n[1]; l++)
    for (int k = 0; k < g->n[0]; k++) {
      float b = hostRowOf(g, g->b, l)[k];
      for (int j = 0; j < g->n[1]; j++, column += g->n[0]) {
        float *restrict x = hostRowOf(g, g->x, j);
        for (int i = 0; i < g->n[0]; i++)
          x[i] += b * column[i];
      }
    }
  return TEXLA_OK;
}

static const char call[] = "clMultigridCycle";

static clStatus hostDownload(const txHostGrid *g, float *to, const clVector *v) {
  TRY(txTextureRead(v->texture, call, (txRect){0, 0, g->width / 4, g->n[1]}, g->texels));
  for (int j = 0; j < g->n[1]; j++)
    memcpy(hostRowOf(g, to, j), g->texels + (int64_t)j * g->width, (size_t)g->width * sizeof *to);
  return TEXLA_OK;
}

/* The padding of `texels` is zero since the download. */
static clStatus hostUpload(clVector *v, const txHostGrid *g) {
  for (int j = 0; j < g->n[1]; j++)
    memcpy(g->texels + (int64_t)j * g->width, hostRowOf(g, g->x, j),
           (size_t)g->n[0] * sizeof *g->texels);
  return txTextureWrite(v->texture, call, (txRect){0, 0, g->width / 4, g->n[1]}, g->texels);
}

/* The first level on the host has vectors on the device, through which it exchanges b and x with
 * the finer level. */
static clStatus hostEnter(void *level) {
  txLevel *v = level;
  if (!v->b)
    return TEXLA_OK;
  txPass step = {.kernel = "grids_on_host",
                 .shape = TX_HOST,
                 .source = {{"b", v->b->texture, TX_EDGE}},
                 .target = {v->x->texture},
                 .rect = {0, 0, v->x->layout.width, v->x->layout.height}};
  txHostBegin(v->b->context, call, &step);
  return hostDownload(v->host, v->host->b, v->b);
}

static clStatus hostLeave(void *level) {
  txLevel *v = level;
  if (!v->x)
    return TEXLA_OK;
  clStatus status = hostUpload(v->x, v->host);
  txHostEnd(v->x->context);
  return status;
}

static clStatus hostSmooth(void *level, txSmoothing part) {
  return smoothWith(level, part);
}

static clStatus residualToCoarse(void *level) {
  return residualToCoarseWith(level);
}

static clStatus hostProlong(void *level, bool start) {
  return prolongWith(level, start);
}

static const txLevelOps usual = {hostSmooth, residualToCoarse, restrictToCoarse, hostProlong,
                                 hostSolve,  hostEnter,        hostLeave};

#if TX_TARGETS
/* The same for processors with wider vectors; not a bit is another one. */
TX_TARGET("avx2") static clStatus smoothWide(void *level, txSmoothing part) {
  return smoothWith(level, part);
}

TX_TARGET("avx2") static clStatus residualToCoarseWide(void *level) {
  return residualToCoarseWith(level);
}

TX_TARGET("avx2") static clStatus prolongWide(void *level, bool start) {
  return prolongWith(level, start);
}

static const txLevelOps wide = {
    smoothWide, residualToCoarseWide, restrictToCoarse, prolongWide, hostSolve, hostEnter,
    hostLeave};
#endif

const txLevelOps *txHostOperations(void) {
#if TX_TARGETS
  if (TX_SUPPORTS("avx2"))
    return &wide;
#endif
  return &usual;
}
