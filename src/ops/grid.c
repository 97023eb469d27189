#include "ops/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer texels than this are not worth the extra passes around an interior. */
enum { LEAST_SPLIT = 8192 };

/* One texture over the classes: component `k` of `size` floats per stored point. */
static clStatus uploadClasses(txTexture **out, clContext *context, const txStencil *s, const float *values, int size,
                              int k, const char *call) {
  int64_t points = txStencilPoints(s);
  float *texels = malloc((size_t)points * sizeof *texels);
  if (!texels)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory to upload coefficients");
  for (int64_t p = 0; p < points; p++)
    texels[p] = values[size * p + k];
  txRect rect = {0, 0, txClassCount(&s->class[0]), txClassCount(&s->class[1])};
  clStatus status = txTextureCreate(out, context, call, TX_RGBA32F, rect.width, rect.height);
  if (!status)
    status = txTextureWrite(*out, call, rect, texels);
  free(texels);
  return status;
}

static clStatus uploadInverse(txGrid *grid, const txStencil *s, const char *call) {
  int64_t points = txStencilPoints(s);
  float *inverse = malloc((size_t)points * sizeof *inverse);
  if (!inverse)
    return txFail(txContextError(grid->context), TEXLA_OUT_OF_MEMORY, call, "no memory to upload a diagonal");
  for (int64_t p = 0; p < points; p++) {
    float d = s->a[TX_STENCIL * p + TX_CENTRE];
    inverse[p] = d != 0 ? 1 / d : 0;
  }
  clStatus status = uploadClasses(&grid->inverse_diagonal, grid->context, s, inverse, 1, 0, call);
  free(inverse);
  return status;
}

/* The weights with which the fine points around an interior coarse one count. */
static void interiorWeights(txGrid *grid, const txStencil *s) {
  for (int k = 0; k < TX_STENCIL; k++) {
    int d[2] = {k % 3 - 1, k / 3 - 1}, at[2], parent = (d[0] < 0) + 2 * (d[1] < 0);
    bool reached = true;
    for (int axis = 0; axis < 2; axis++) {
      const txCoarsening *c = &s->coarsening[axis];
      int base = s->class[axis].low * (axis ? 1 : 4); /* inside; a coarse point: */
      at[axis] = base + (c->stride > 1 ? (c->first + base) % 2 : 0) + d[axis];
      reached &= c->stride > 1 || d[axis] == 0;
    }
    int i = at[0] < s->class[0].low * 4 ? at[0] + 2 : at[0], j = at[1] < s->class[1].low ? at[1] + 2 : at[1];
    grid->weights[k] = reached ? s->weight[TX_CORNERS * txStencilIndex(s, i, j) + parent] : 0;
  }
}

static clStatus upload(txGrid *grid, const txStencil *s, const char *call) {
  clStatus status = uploadInverse(grid, s, call);
  for (int k = 0; k < TX_STENCIL && !status; k++)
    if (s->nine || k == TX_CENTRE || k % 2)
      status = uploadClasses(&grid->a[k], grid->context, s, s->a, TX_STENCIL, k, call);
  for (int p = 0; p < TX_CORNERS && !status && s->weight; p++)
    status = uploadClasses(&grid->weight[p], grid->context, s, s->weight, TX_CORNERS, p, call);
  if (s->uniform) {
    const float *a = s->a + TX_STENCIL * txStencilIndex(s, 4 * s->class[0].low, s->class[1].low);
    memcpy(grid->interior, a, TX_STENCIL * sizeof *a);
    memcpy(grid->inverse, a, TX_STENCIL * sizeof *a);
    grid->inverse[TX_CENTRE] = a[TX_CENTRE] != 0 ? 1 / a[TX_CENTRE] : 0;
    if (s->weight)
      interiorWeights(grid, s);
  }
  return status;
}

/* The weight of a point of `axis` for one of its parents: 1 at a coarse point, half of it between two. */
static double weightOf(const txStencil *s, int axis, int i, bool high) {
  int parent[2];
  txStencilParents(s, axis, i, &parent[0], &parent[1]);
  bool between = (i - s->coarsening[axis].first) % 2 != 0;
  return between ? (parent[high] < 0 ? 0 : 0.5) : !high;
}

static bool agree(double x, double y) {
  return fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

/* Is point (i, j) as those inside are, but for what lies beyond the boundary? */
static bool isPlainAt(const txStencil *s, const float *inside, int i, int j) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j), *w = s->weight + TX_CORNERS * txStencilIndex(s, i, j);
  bool plain = true;
  for (int k = 0; k < TX_STENCIL; k++) {
    int x = i + k % 3 - 1, y = j + k / 3 - 1;
    bool exists = x >= 0 && x < s->n[0] && y >= 0 && y < s->n[1];
    plain &= agree((double)c[k], exists ? (double)inside[k] : 0);
  }
  for (int p = 0; p < TX_CORNERS; p++)
    plain &= agree((double)w[p], weightOf(s, 0, i, p & 1) * weightOf(s, 1, j, p >> 1));
  return plain;
}

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
  return layout->width >= 8 && layout->height >= 16 && layout->width * layout->height >= LEAST_SPLIT;
}

clStatus txGridMake(txGrid **out, clContext *context, const int n[2], const bool periodic[2], const char *call) {
  txLayout layout;
  if (!txLayoutGrid(&layout, context, n[0], n[1]))
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                  "a grid of %d x %d needs a texture of %d x %d texels, but the device's limit is %d", n[0], n[1],
                  layout.width, layout.height, clContextInspect(context)->max_texture_size);
  txGrid *grid = calloc(1, sizeof *grid);
  if (!grid)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for a grid");
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
  clStatus status = txGridMake(&grid, context, s->n, s->periodic, call);
  if (status)
    return status;
  grid->nine = s->nine;
  grid->uniform = s->uniform;
  grid->plain = isPlain(s);
  grid->split |= s->uniform && worthSplitting(&grid->layout);
  for (int axis = 0; axis < 2; axis++) {
    grid->class[axis] = s->class[axis];
    grid->coarsening[axis] = s->coarsening[axis];
  }
  memcpy(grid->beyond, s->beyond, sizeof grid->beyond);
  status = upload(grid, s, call);
  if (status)
    txGridDestroy(grid);
  else
    *out = grid;
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

static clStatus draw(const char *call, clContext *context, txPass *pass, const char *variant, const char *more,
                     txRect rect) {
  char text[256];
  snprintf(text, sizeof text, "%s%s", variant, more);
  pass->defines = text;
  pass->rect = rect;
  clStatus status = txPassRun(context, call, pass);
  pass->defines = NULL;
  return status;
}

static const char elements[] = "#define ELEMENTS\n";

static bool isPeriodic(const txGrid *grid) {
  return grid->periodic[0] || grid->periodic[1];
}

/* The sides of a grid, `low` and `high` texels or rows wide. */
static void frameOf(txRect frame[4], const txGrid *grid, int left, int right, int below, int above) {
  int w = grid->layout.width, h = grid->layout.height;
  frame[0] = (txRect){0, 0, w, below};
  frame[1] = (txRect){0, h - above, w, above};
  frame[2] = (txRect){0, below, left, h - below - above};
  frame[3] = (txRect){w - right, below, right, h - below - above};
}

/* Where an operator on `grid` may differ from its interior. */
static clStatus drawFrame(const char *call, txPass *pass, const txGrid *grid, const char *variant) {
  txRect frame[4];
  clStatus status = TEXLA_OK;
  frameOf(frame, grid, 1, 2, 4, 4);
  for (int i = 0; i < 4 && !status; i++)
    status = draw(call, grid->context, pass, variant, isPeriodic(grid) ? elements : "", frame[i]);
  return status;
}

static txRect interiorOf(const txGrid *grid) {
  return (txRect){1, 4, grid->layout.width - 3, grid->layout.height - 8};
}

static clStatus begin(const char *call, const clVector *y, const txGrid *grid, txPass *pass) {
  return txTextureCreate(&pass->target[0], y->context, call, TX_RGBA32F, grid->layout.width, grid->layout.height);
}

/* y becomes what was rendered. */
static clStatus end(clVector *y, txPass *pass, clStatus status) {
  txTexture *old = y->texture;
  if (!status)
    y->texture = pass->target[0];
  txTextureDestroy(status ? pass->target[0] : old);
  return status;
}

/* Renders `y` on `grid`: the interior, then the frame around it, or all at once. `plain`: texels may be shifted, except at the ends of
 * a periodic axis. */
static clStatus render(const char *call, clVector *y, const txGrid *grid, txPass *pass, const char *variant,
                       bool uniform, bool plain) {
  clStatus status = begin(call, y, grid, pass);
  if (status)
    return status;
  if (!grid->split || !plain) {
    txRect all = {0, 0, grid->layout.width, grid->layout.height};
    status = draw(call, y->context, pass, variant, !plain || isPeriodic(grid) ? elements : "", all);
  } else {
    status = draw(call, y->context, pass, variant, uniform ? "#define UNIFORM\n" : "", interiorOf(grid));
    if (!status)
      status = drawFrame(call, pass, grid, variant);
  }
  return end(y, pass, status);
}

static void addGrid(txPass *pass, const txGrid *A) {
  const txClasses *c = A->class;
  txPassUniform(pass,
                (txUniform){"class_range", 4, {(float)c[0].low, (float)c[0].high, (float)c[1].low, (float)c[1].high}});
  txPassUniform(pass, (txUniform){"class_texel", 2, {1 / (float)txClassCount(&c[0]), 1 / (float)txClassCount(&c[1])}});
  txPassUniform(pass, (txUniform){.name = "grid",
                                  .count = 4,
                                  .value = {(float)A->n[0], (float)A->n[1], A->periodic[0], A->periodic[1]},
                                  .integer = true});
}

static void addCoefficients(txPass *pass, const txGrid *A, bool residual) {
  static const char *const name[TX_STENCIL] = {"a0", "a1", "a2", "a3", "diagonal", "a5", "a6", "a7", "a8"};
  int n = 0;
  while (pass->source[n].name)
    n++;
  for (int k = 0; k < TX_STENCIL; k++) {
    txTexture *t = k == TX_CENTRE && !residual ? A->inverse_diagonal : A->a[k];
    if (t)
      pass->source[n++] = (txSource){name[k], t, TX_EDGE};
  }
  txPassUniform(pass, (txUniform){"interior", 3, .array = residual ? A->interior : A->inverse});
  addGrid(pass, A);
}

static bool oneFactor(const txSweep *sweep) {
  bool same = true;
  for (int lane = 0; lane < 4; lane++)
    same &= sweep->even[lane] == sweep->even[0] && sweep->odd[lane] == sweep->even[0];
  return same;
}

static void addLanes(txPass *pass, const char *name, const float v[4]) {
  txPassUniform(pass, (txUniform){name, 4, {v[0], v[1], v[2], v[3]}});
}

clStatus txGridSweep(const char *call, clVector *x, const txGrid *A, const clVector *b, const txSweep *sweep,
                     const txSweep *start) {
  const clVector *from = start ? b : x;
  const txSweep *first = start ? start : sweep; /* or anything */
  bool coloured = !oneFactor(sweep) || !oneFactor(first);
  txPass pass = {.kernel = "grid_sweep",
                 .source = {{"x", from->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}},
                 .uniform = {{"factor", 1, {sweep->even[0]}}, {"start", 1, {first->even[0]}}}};
  addLanes(&pass, "factor_even", sweep->even);
  addLanes(&pass, "factor_odd", sweep->odd);
  addLanes(&pass, "start_even", first->even);
  addLanes(&pass, "start_odd", first->odd);
  addCoefficients(&pass, A, false);
  char variant[64];
  snprintf(variant, sizeof variant, "%s%s%s", A->nine ? "#define NINE\n" : "", start ? "#define START\n" : "",
           coloured ? "#define COLOURED\n" : "");
  return render(call, x, A, &pass, variant, A->uniform, true);
}

clStatus txGridResidual(const char *call, clVector *r, const txGrid *A, const clVector *x, const clVector *b) {
  txPass pass = {.kernel = "grid_sweep", .source = {{"x", x->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}}};
  addCoefficients(&pass, A, true);
  return render(call, r, A, &pass, A->nine ? "#define NINE\n#define RESIDUAL\n" : "#define RESIDUAL\n", A->uniform,
                true);
}

/* Texels can be shifted between the grids where coarse points are the odd ones. */
static bool plainTransfer(const txGrid *A) {
  bool plain = true;
  for (int axis = 0; axis < 2; axis++)
    plain &= A->coarsening[axis].stride == 1 || A->coarsening[axis].first == 1;
  return plain;
}

static void addTransfer(txPass *pass, const txGrid *A, const txGrid *coarse) {
  static const char *const name[TX_CORNERS] = {"w0", "w1", "w2", "w3"};
  const txCoarsening *c = A->coarsening;
  int n = 0;
  while (pass->source[n].name)
    n++;
  for (int p = 0; p < TX_CORNERS; p++)
    pass->source[n++] = (txSource){name[p], A->weight[p], TX_EDGE};
  txPassUniform(pass, (txUniform){"weights", 3, .array = A->weights});
  txPassUniform(pass,
                (txUniform){.name = "coarsening",
                            .count = 4,
                            .value = {(float)c[0].stride, (float)c[1].stride, (float)c[0].first, (float)c[1].first},
                            .integer = true});
  txPassUniform(
      pass,
      (txUniform){.name = "coarse", .count = 2, .value = {(float)coarse->n[0], (float)coarse->n[1]}, .integer = true});
  addGrid(pass, A);
}

static const char *halved(const txGrid *A, bool start, char *text, size_t n) {
  snprintf(text, n, "%s%s%s", A->coarsening[0].stride > 1 ? "#define HALF_X\n" : "",
           A->coarsening[1].stride > 1 ? "#define HALF_Y\n" : "", start ? "#define START\n" : "");
  return text;
}

clStatus txGridRestrict(const char *call, clVector *y, const txGrid *A, const txGrid *coarse, const clVector *r) {
  txPass pass = {.kernel = "grid_restrict", .source = {{"r", r->texture, TX_ZERO}}};
  char text[64];
  addTransfer(&pass, A, coarse);
  return render(call, y, coarse, &pass, halved(A, false, text, sizeof text), A->uniform && coarse->uniform,
                plainTransfer(A));
}

/* The residual on the fine points that the coarse frame needs; elsewhere r is undefined. */
static clStatus frameResidual(const char *call, clVector *r, const txGrid *A, const txGrid *coarse, const clVector *x,
                              const clVector *b) {
  txRect frame[4];
  txPass pass = {.kernel = "grid_sweep", .source = {{"x", x->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}}};
  addCoefficients(&pass, A, true);
  clStatus status = begin(call, r, A, &pass);
  if (status)
    return status;
  frameOf(frame, A, 3, A->layout.width - 2 * (coarse->layout.width - 2), 9,
          A->layout.height - 2 * (coarse->layout.height - 4));
  for (int i = 0; i < 4 && !status; i++)
    status = draw(call, r->context, &pass, A->nine ? "#define NINE\n#define RESIDUAL\n" : "#define RESIDUAL\n",
                  isPeriodic(A) ? elements : "", frame[i]);
  return end(r, &pass, status);
}

static clStatus fusedResidual(const char *call, clVector *y, const txGrid *A, const txGrid *coarse, const clVector *x,
                              const clVector *b, clVector *r) {
  clStatus status = frameResidual(call, r, A, coarse, x, b);
  if (status)
    return status;
  txPass inside = {.kernel = "grid_coarse",
                   .source = {{"x", x->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}},
                   .uniform = {{"interior", 3, .array = A->interior}, {"weights", 3, .array = A->weights}},
                   .work = 29};
  txPass around = {.kernel = "grid_restrict", .source = {{"r", r->texture, TX_ZERO}}};
  char text[64];
  addTransfer(&around, A, coarse);
  status = begin(call, y, coarse, &inside);
  if (status)
    return status;
  around.target[0] = inside.target[0];
  status = draw(call, y->context, &inside, A->nine ? "#define NINE\n" : "", "", interiorOf(coarse));
  if (!status)
    status = drawFrame(call, &around, coarse, halved(A, false, text, sizeof text));
  return end(y, &inside, status);
}

clStatus txGridCoarseResidual(const char *call, clVector *y, const txGrid *A, const txGrid *coarse, const clVector *x,
                              const clVector *b, clVector *r) {
  bool both = A->coarsening[0].stride == 2 && A->coarsening[1].stride == 2 && plainTransfer(A);
  if (both && A->uniform && coarse->uniform && coarse->split)
    return fusedResidual(call, y, A, coarse, x, b, r);
  clStatus status = txGridResidual(call, r, A, x, b);
  return status ? status : txGridRestrict(call, y, A, coarse, r);
}

clStatus txGridProlong(const char *call, clVector *x, const txGrid *A, const txGrid *coarse, const clVector *e,
                       bool start) {
  txPass pass = {.kernel = "grid_prolong", .source = {{"x", x->texture, TX_EDGE}, {"e", e->texture, TX_EDGE}}};
  char text[64];
  addTransfer(&pass, A, coarse);
  return render(call, x, A, &pass, halved(A, start, text, sizeof text), A->uniform, plainTransfer(A));
}

clStatus txGridDenseCreate(txTexture **out, const txGrid *A, const double *inverse, const char *call) {
  int texels = A->layout.width * A->layout.height;
  int64_t n = A->layout.length;
  float *values = calloc((size_t)texels * (size_t)texels, 16 * sizeof *values);
  if (!values)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the coarsest grid's inverse");
  int64_t row = 4 * (int64_t)A->layout.width, nx = A->layout.row; /* with padding, without */
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < n; k++) {
      int64_t from = k / nx * row + k % nx, to = i / nx * row + i % nx;
      values[from * 4 * texels + to] = (float)inverse[i * n + k];
    }
  txRect rect = {0, 0, texels, 4 * texels};
  clStatus status = txTextureCreate(out, A->context, call, TX_RGBA32F, rect.width, rect.height);
  if (!status)
    status = txTextureWrite(*out, call, rect, values);
  free(values);
  return status;
}

clStatus txGridDense(const char *call, clVector *x, const txTexture *inverse, const clVector *b) {
  txPass pass = {
      .kernel = "grid_dense",
      .source = {{"b", b->texture, TX_EDGE}, {"inverse", inverse, TX_EDGE}},
      .uniform = {
          {.name = "texels", .count = 2, .value = {(float)b->layout.width, (float)b->layout.height}, .integer = true}}};
  return txVectorRun(call, &pass, x);
}
