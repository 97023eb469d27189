/* The iterative Crout method on the device (C2).
 *
 * Z is divided into square sections, which converge in groups. A section's sums over what lies
 * before it are final when its turn comes: they are taken from R by products once, and the sweeps
 * only sum within the section, and the section of the diagonal in its row or column.
 *
 * Sweeps of tiles draw a tile once, when all that it needs is final (crout_tiles.c). Sweeps of
 * entries draw all of a section from one texture of Z into the other
 * (shaders/crout/crout_sweep.frag). An entry depends on entries above it and to its left alone,
 * whatever the rounding, so that a section of s rows ends after 2 s - 1 sweeps on the diagonal and
 * s sweeps elsewhere, with the same bits in both textures: sections that have converged need not be
 * drawn nor copied any more. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "crout/crout.h"
#include "elimination/refinement.h"
#include "dense/entries.h"
#include "dense/triangular.h"

#include <math.h>
#include <stdlib.h>

/* sweeps between two looks at what has changed; beyond sweep LATE */
enum { LOOK = 4, LATE = 32, LATE_LOOK = 16 };

static clStatus checkOptions(clContext *context, const char *call, int n, const clCroutOptions *o) {
  if (n >= 1 && o->section >= 0 && o->max_sweeps >= 0 && o->tolerance >= 0 &&
      isfinite(o->tolerance) &&
      (o->order == TEXLA_CROUT_ANTIDIAGONALS || o->order == TEXLA_CROUT_SEQUENTIAL) &&
      (o->sweep == TEXLA_CROUT_TILES || o->sweep == TEXLA_CROUT_ENTRIES))
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                "n (%d), section (%d), max_sweeps (%d) and tolerance (%g) must not be negative, n "
                "at least 1, the order (%d) "
                "and the sweep (%d) of their lists",
                n, o->section, o->max_sweeps, o->tolerance, (int)o->order, (int)o->sweep);
}

clStatus clCroutCreate(clCrout **out, clContext *context, int n, const clCroutOptions *options) {
  static const char call[] = "clCroutCreate";
  clCroutOptions o = options ? *options : (clCroutOptions){0};
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clStatus status = checkOptions(context, call, n, &o);
  if (status)
    return status;
  clCrout *c = txAllocate(txContextError(context), call, 1, sizeof *c, "a clCrout");
  if (!c)
    return TEXLA_OUT_OF_MEMORY;
  *c = (clCrout){.context = context, .options = o, .n = n};
  status = txDenseCreate(&c->r, context, call, n, n, TEXLA_PACKING_2X2, false);
  for (int i = 0; i < 2 && !status; i++)
    status = txDenseCreate(&c->z[i], context, call, n, n, TEXLA_PACKING_2X2, true);
  if (!status)
    status = txCroutPlan(c, call);
  if (status)
    clCroutDestroy(c);
  else
    *out = c;
  return status;
}

void clCroutDestroy(clCrout *c) {
  if (!c)
    return;
  txCroutPlanDestroy(c);
  clDenseDestroy(c->r);
  clDenseDestroy(c->z[0]);
  clDenseDestroy(c->z[1]);
  free(c);
}

/* ---- Looking at what has changed ------------------------------------------------------------- */

/* A look at a group: texel i says whether section first + i changed. Read later. */
typedef struct look {
  txTexture *flags;
  txRead *read;
} look;

static clStatus lookStart(look *out, const clCrout *c, const char *call, const txSectionGroup *g,
                          const clDense *z, const clDense *before) {
  txTexture *rows = NULL;
  *out = (look){0};
  clStatus status = txTextureCreate(&rows, c->context, call, TX_R32F, g->count, c->side);
  if (!status)
    status = txTextureCreate(&out->flags, c->context, call, TX_R32F, g->count, 1);
  txPass changed = {.kernel = "crout_changed",
                    .target = {rows},
                    .source = {{"z", z->texture, TX_EDGE},
                               {"before", before->texture, TX_EDGE},
                               {"sections", c->table, TX_EDGE},
                               {"fill", c->fill, TX_EDGE}},
                    .uniform = {{"first", 1, {(float)g->first}},
                                {"tolerance", 1, {(float)c->options.tolerance}},
                                {"tile", 1, {(float)c->tile}, .integer = true}},
                    .work = 2 * c->side};
  if (!status)
    status = txPassRun(c->context, call, &changed);
  txPass any = {.kernel = "crout_any",
                .target = {out->flags},
                .source = {{"rows", rows, TX_EDGE}},
                .work = c->side};
  if (!status)
    status = txPassRun(c->context, call, &any);
  if (!status)
    status = txReadStart(&out->read, out->flags, call, (txRect){0, 0, g->count, 1});
  txTextureDestroy(rows);
  return status;
}

/* flags: g->count numbers, or NULL: they are not wanted. Nothing happens where no look was
 * started. */
static clStatus lookFinish(look *l, const char *call, float *flags) {
  clStatus status = l->read ? txReadFinish(l->read, call, flags) : TEXLA_OK;
  txTextureDestroy(l->flags);
  *l = (look){0};
  return status;
}

/* ---- Products with what lies before ---------------------------------------------------------- */

static bool hasProduct(const clCrout *c, int row, int col, int k) {
  return !txSectionAt(c, row, k)->empty && !txSectionAt(c, k, col)->empty;
}

/* r -= z[row, k] z[k, col] for sections first <= k < end */
static clStatus subtract(clCrout *c, const char *call, const txSection *s, int first, int end) {
  const txTexture *z = c->z[c->current]->texture;
  txRect rect = {s->x, s->y, s->width, s->height};
  txProduct p = {.target = c->r->texture,
                 .rect = rect,
                 .rows = c->n,
                 .cols = c->n,
                 .alpha = -1,
                 .beta = 1,
                 .a = {z, first * c->side, s->y, TEXLA_NO_TRANSPOSE},
                 .b = {z, s->x, first * c->side, TEXLA_NO_TRANSPOSE},
                 .inner = (end - first) * c->side,
                 .c = {c->r->texture, s->x, s->y, TEXLA_NO_TRANSPOSE}};
  return txProductRun(c->context, call, &p, NULL);
}

static clStatus prepare(clCrout *c, const char *call, txSection *s) {
  clStatus status = TEXLA_OK;
  int k = 0, most = txLeast(s->row, s->col);
  s->open = !s->empty;
  s->sweeps = 0;
  while (k < most && !s->empty && !status) {
    int first = k;
    while (k < most && hasProduct(c, s->row, s->col, k))
      k++;
    if (k > first)
      status = subtract(c, call, s, first, k);
    else
      k++;
  }
  return status;
}

/* ---- Sweeps of entries, until nothing changes ------------------------------------------------ */

/* Sections first ..: `count` of them */
static clStatus sweepSections(clCrout *c, const char *call, int first, int count) {
  const txSection *from = &c->sections[first], *last = from + count - 1;
  const txTexture *z = c->z[c->current]->texture;
  txPass pass = {
      .kernel = "crout_sweep",
      .vertex = "crout_sweep",
      .target = {c->z[1 - c->current]->texture},
      .source = {{"r", c->r->texture, TX_EDGE}, {"z", z, TX_EDGE}, {"fill", c->fill, TX_EDGE}},
      .uniform = {{"shape", 2, {(float)c->n, (float)c->n}},
                  {"extent", 2, {(float)z->width, (float)z->height}},
                  {"tile", 1, {(float)c->tile}}},
      .shape = TX_TRIANGLES,
      .vertices = c->quads,
      .first = from->first,
      .count = last->first + last->vertices - from->first,
      .work = 2 * c->side};
  return txPassRun(c->context, call, &pass);
}

/* All open sections of the group, in as few passes as there are stretches of them. */
static clStatus sweep(clCrout *c, const char *call, const txSectionGroup *g) {
  clStatus status = TEXLA_OK;
  for (int i = g->first, end = g->first + g->count; i < end && !status; i++) {
    int first = i;
    while (i < end && c->sections[i].open)
      c->sections[i++].sweeps++;
    if (i > first)
      status = sweepSections(c, call, first, i - first);
  }
  c->current = 1 - c->current;
  return status;
}

/* After so many sweeps of a section its bits are the same in both textures, or not numbers. */
static int sweepsToEnd(const txSection *s) {
  int rows = 2 * (s->width > s->height ? s->width : s->height);
  return s->row == s->col ? 2 * rows : rows + 1;
}

static int mostSweeps(const clCrout *c, const txSectionGroup *g) {
  int most = 0;
  for (int i = g->first; i < g->first + g->count; i++)
    if (c->sections[i].open && sweepsToEnd(&c->sections[i]) > most)
      most = sweepsToEnd(&c->sections[i]);
  return c->options.max_sweeps ? txLeast(most, c->options.max_sweeps) : most;
}

/* Closes what has not changed. Returns how many are open still. */
static int closeSections(clCrout *c, const txSectionGroup *g, const float *flags) {
  int open = 0;
  for (int i = 0; i < g->count; i++) {
    txSection *s = &c->sections[g->first + i];
    s->open = s->open && flags[i] != 0;
    open += s->open;
  }
  return open;
}

/* Sweeps until a look, which is read one look later, says that nothing changes. *open <- sections
 * that still do. */
static clStatus iterate(clCrout *c, const char *call, const txSectionGroup *g, float *flags,
                        int *open) {
  look last = {0}, next = {0};
  clStatus status = TEXLA_OK;
  int most = mostSweeps(c, g);
  *open = most > 0;
  for (int k = 1; k <= most && *open && !status; k++) {
    status = sweep(c, call, g);
    if (status || (k % (k < LATE ? LOOK : LATE_LOOK) && k < most))
      continue;
    bool seen = last.read;
    status = lookStart(&next, c, call, g, c->z[c->current], c->z[1 - c->current]);
    clStatus read = lookFinish(&last, call, flags);
    status = status ? status : read;
    if (seen && !status)
      *open = closeSections(c, g, flags);
    last = next;
  }
  bool seen = last.read;
  clStatus read = lookFinish(&last, call, flags);
  status = status ? status : read;
  if (seen && !status && *open)
    *open = closeSections(c, g, flags);
  return status;
}

/* ---- The end of a group ---------------------------------------------------------------------- */

static clStatus copyTexture(const char *call, clDense *to, const clDense *from) {
  return txTexelsCopy(call, to->texture, (txRect){0, 0, to->texture->width, to->texture->height},
                      from->texture, 0, 0);
}

/* With a tolerance both textures differ a little: sections that follow must not care which one they
 * read. */
static clStatus settle(clCrout *c, const char *call, const txSectionGroup *g) {
  clStatus status = TEXLA_OK;
  for (int i = g->first; i < g->first + g->count && !status; i++) {
    const txSection *s = &c->sections[i];
    if (!s->empty)
      status = txTexelsCopy(call, c->z[1 - c->current]->texture,
                            (txRect){s->x, s->y, s->width, s->height}, c->z[c->current]->texture,
                            s->x, s->y);
  }
  return status;
}

/* report.pivot <- the first one of texels x .. x + width of the diagonal that is zero or not
 * finite, -1: none. Blocks. */
static clStatus checkPivots(clCrout *c, const char *call, int x, int width) {
  txTexture *diagonal = NULL;
  float *values =
      txAllocate(txContextError(c->context), call, (size_t)width, 2 * sizeof *values, "pivots");
  clStatus status = values ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = txTextureCreate(&diagonal, c->context, call, TX_RG32F, width, 1);
  txPass pass = {.kernel = "dense_diagonal",
                 .target = {diagonal},
                 .source = {{"a", c->z[c->current]->texture, TX_EDGE}},
                 .uniform = {{"corner", 2, {(float)x, (float)x}, .integer = true}}};
  if (!status)
    status = txPassRun(c->context, call, &pass);
  if (!status)
    status = txTextureRead(diagonal, call, (txRect){0, 0, width, 1}, values);
  c->report.pivot = -1;
  for (int i = 0; i < 2 * width && 2 * x + i < c->n && !status && c->report.pivot < 0; i++)
    if (values[i] == 0 || !isfinite(values[i]))
      c->report.pivot = 2 * x + i;
  txTextureDestroy(diagonal);
  free(values);
  return status;
}

/* What the end of a group or of all means, where `open` sections have not converged: reason NONE to
 * go on. */
static void judge(clCrout *c, int open, bool cut) {
  if (open && cut)
    c->report.reason = TEXLA_REASON_MAX_ITERATIONS;
  else if (c->report.pivot >= 0)
    c->report.reason = TEXLA_REASON_BREAKDOWN;
  else if (open)
    c->report.reason = TEXLA_REASON_DIVERGED;
}

static clStatus prepareGroup(clCrout *c, const char *call, const txSectionGroup *g) {
  clStatus status = TEXLA_OK;
  for (int i = g->first; i < g->first + g->count && !status; i++)
    status = prepare(c, call, &c->sections[i]);
  return status;
}

/* ---- All groups, by sweeps of entries -------------------------------------------------------- */

static clStatus runGroup(clCrout *c, const char *call, const txSectionGroup *g, float *flags) {
  int open = 0;
  clStatus status = prepareGroup(c, call, g);
  if (!status)
    status = iterate(c, call, g, flags, &open);
  if (!status && (c->options.tolerance > 0 || open))
    status = settle(c, call, g);
  for (int i = g->first; i < g->first + g->count && !status; i++) {
    const txSection *s = &c->sections[i];
    if (s->row == s->col)
      status = checkPivots(c, call, s->x, s->width);
  }
  if (!status)
    judge(c, open, c->options.max_sweeps && c->options.max_sweeps < 4 * c->side);
  return status;
}

static clStatus runEntries(clCrout *c, const char *call, float *flags) {
  clStatus status = TEXLA_OK;
  for (int i = 0; i < c->group_count && !status && !c->report.reason; i++)
    status = runGroup(c, call, &c->groups[i], flags);
  return status;
}

/* ---- All groups, by sweeps of tiles ---------------------------------------------------------- */

/* *open <- the sections that hold values that are not finite: what has changed beside itself.
 * Blocks. */
static clStatus countNotFinite(clCrout *c, const char *call, float *flags, int *open) {
  const txSectionGroup all = {.first = 0, .count = c->count};
  look last = {0};
  *open = 0;
  clStatus status = lookStart(&last, c, call, &all, c->z[0], c->z[0]);
  clStatus read = lookFinish(&last, call, flags);
  for (int i = 0; i < c->count && !status && !read; i++)
    *open += flags[i] != 0;
  return status ? status : read;
}

/* The number of sweeps is known: all that can go wrong is looked at once, at the end. */
static clStatus runTiles(clCrout *c, const char *call, float *flags) {
  int most = c->options.max_sweeps ? c->options.max_sweeps : c->side, open = 0;
  bool cut = false;
  clStatus status = TEXLA_OK;
  for (int i = 0; i < c->group_count && !status && !cut; i++) {
    const txSectionGroup *g = &c->groups[i];
    status = prepareGroup(c, call, g);
    if (!status)
      status = txCroutTilesSweep(c, call, g, most);
    cut = g->levels > most;
  }
  if (!status && !cut)
    status = checkPivots(c, call, 0, c->r->texture->width);
  if (!status && !cut)
    status = countNotFinite(c, call, flags, &open);
  if (!status)
    judge(c, cut ? 1 : open, cut);
  return status;
}

/* ---- The factorization ----------------------------------------------------------------------- */

static void count(clCrout *c) {
  for (int i = 0; i < c->count; i++) {
    const txSection *s = &c->sections[i];
    c->report.skipped += s->empty;
    c->report.sweeps += s->sweeps;
    if (s->sweeps > c->report.most_sweeps)
      c->report.most_sweeps = s->sweeps;
  }
}

static clStatus run(clCrout *c, const char *call, const clDense *A, float *flags) {
  bool entries = c->options.sweep == TEXLA_CROUT_ENTRIES;
  c->current = 0;
  clStatus status = copyTexture(call, c->r, A);
  if (!status)
    status = copyTexture(call, c->z[0], A);
  if (!status && entries)
    status = copyTexture(call, c->z[1], A);
  if (!status)
    status = txCroutFill(c, call, A);
  if (!status)
    status = entries ? runEntries(c, call, flags) : runTiles(c, call, flags);
  if (!status && !c->report.reason)
    c->report.reason = TEXLA_REASON_CONVERGED;
  return status;
}

static clStatus statusOf(const clCrout *c, const char *call) {
  switch (c->report.reason) {
  case TEXLA_REASON_CONVERGED:
    return TEXLA_OK;
  case TEXLA_REASON_MAX_ITERATIONS:
    return TEXLA_NOT_CONVERGED;
  case TEXLA_REASON_BREAKDOWN:
    return txFail(
        txContextError(c->context), TEXLA_SINGULAR, call,
        "pivot %d of %d is zero or not finite: A has no factors without pivoting (clPlu pivots)",
        c->report.pivot + 1, c->n);
  default:
    return txFail(txContextError(c->context), TEXLA_SINGULAR, call,
                  "the factors of the %d x %d matrix overflow: without pivoting they grow too "
                  "large (clPlu pivots)",
                  c->n, c->n);
  }
}

clStatus clCroutFactor(clCrout *c, const clDense *A, clCroutReport *report) {
  static const char call[] = "clCroutFactor";
  if (!c)
    return txFail(A ? txContextError(A->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "crout must not be NULL");
  clStatus status = txDenseCheckPacked(call, c->context, "A", A);
  if (status)
    return status;
  if (A->rows != c->n || A->cols != c->n)
    return txFail(txContextError(c->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d, but the factorization was created for %d x %d", A->rows, A->cols,
                  c->n, c->n);
  float *flags =
      txAllocate(txContextError(c->context), call, (size_t)c->count, sizeof *flags, "sections");
  if (!flags)
    return TEXLA_OUT_OF_MEMORY;
  int64_t passes = clContextStatistics(c->context).passes;
  c->factored = false;
  c->report = (clCroutReport){.pivot = -1, .section = 2 * c->side, .sections = c->count};
  for (int i = 0; i < c->count; i++)
    c->sections[i].sweeps = 0;
  status = run(c, call, A, flags);
  free(flags);
  if (status)
    return status;
  count(c);
  c->report.passes = clContextStatistics(c->context).passes - passes;
  c->factored = true;
  if (report)
    *report = c->report;
  return txDenseBlame(statusOf(c, call), call, A);
}

/* ---- What the factors are good for ----------------------------------------------------------- */

const clDense *clCroutFactors(const clCrout *c) {
  return c && c->factored ? c->z[c->current] : NULL;
}

static clStatus checkFactors(const clCrout *c, const char *call) {
  if (c && c->factored && c->report.reason == TEXLA_REASON_CONVERGED)
    return TEXLA_OK;
  return txFail(c ? txContextError(c->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                "crout must not be NULL and clCroutFactor must have gone well");
}

clStatus clCroutSplit(const clCrout *c, clDense *L, clDense *U) {
  static const char call[] = "clCroutSplit";
  clStatus status = checkFactors(c, call);
  if (status)
    return status;
  status = clDenseTriangle(L, TEXLA_TRIANGLE_LOWER, false, clCroutFactors(c));
  return status ? status : clDenseTriangle(U, TEXLA_TRIANGLE_UPPER, true, clCroutFactors(c));
}

/* Y <- op(L)^-1 Y or op(U)^-1 Y */
static clStatus solveFactor(const clCrout *c, const char *call, clDense *Y, clTriangle triangle,
                            clTranspose op) {
  const txTexture *z = clCroutFactors(c)->texture;
  txTriangular T = {z, 0, 0, z->height, triangle, triangle == TEXLA_TRIANGLE_UPPER, op, NULL};
  return txTriangularSolve(call, &T, Y->texture,
                           (txRect){0, 0, Y->texture->width, Y->texture->height}, Y->rows, Y->cols);
}

/* Y <- op(A)^-1 Y; nothing is scaled. */
static clStatus solveInPlace(const void *crout, const char *call, clTranspose op, bool scaled,
                             clDense *Y) {
  bool turned = op == TEXLA_TRANSPOSE;
  (void)scaled;
  clStatus status =
      solveFactor(crout, call, Y, turned ? TEXLA_TRIANGLE_UPPER : TEXLA_TRIANGLE_LOWER, op);
  return status ? status
                : solveFactor(crout, call, Y, turned ? TEXLA_TRIANGLE_LOWER : TEXLA_TRIANGLE_UPPER,
                              op);
}

static txFactor factorization(const clCrout *c, const char *call) {
  return (txFactor){
      .context = c->context, .call = call, .n = c->n, .factor = c, .solve = solveInPlace};
}

clStatus clCroutRefine(const clCrout *crout, clTranspose op, const clTriplets *A, int count,
                       double *x, const double *b, const clRefineOptions *options,
                       clRefineReport *reports) {
  static const char call[] = "clCroutRefine";
  clStatus status = checkFactors(crout, call);
  if (status)
    return status;
  txFactor f = factorization(crout, call);
  return txRefineTriplets(&f, op, A, count, x, b, options, reports);
}

clStatus clCroutSolve(const clCrout *crout, clTranspose op, clDense *X, const clDense *B) {
  static const char call[] = "clCroutSolve";
  clStatus status = checkFactors(crout, call);
  if (status)
    return status;
  txFactor f = factorization(crout, call);
  return txFactorSolve(&f, op, X, B);
}
