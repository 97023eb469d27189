/* The iterative Crout method on the device (C2).
 *
 * Z is divided into square sections, which converge in groups. A section's sums over what lies
 * before it are final when its turn comes: they are taken from R by products once, and the sweeps
 * only sum within the section, and the section of the diagonal in its row or column.
 *
 * Sweeps of tiles draw a tile once, when all that it needs is final (src/crout/tiles.c). Sweeps of
 * entries draw all of a section from one texture of Z into the other
 * (shaders/crout/crout_sweep.frag). An entry depends on entries above it and to its left alone,
 * whatever the rounding, so that a section of s rows ends after 2 s - 1 sweeps on the diagonal and
 * s sweeps elsewhere, with the same bits in both textures: sections that have converged need not be
 * drawn nor copied any more. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "crout/crout.h"
#include "elimination/refinement.h"
#include "dense/entries.h"
#include "dense/triangular.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* sweeps between two looks at what has changed; beyond sweep LATE */
enum { LOOK = 4, LATE = 32, LATE_LOOK = 16 };

/* Fails where an option is out of its range. */
static clStatus checkOptions(clContext *context, const char *call, int n, const clCroutOptions *o) {
  if (n >= 1 && o->section >= 0 && o->max_sweeps >= 0 && o->tolerance >= 0 &&
      isfinite(o->tolerance) &&
      (o->order == TEXLA_CROUT_ORDER_ANTIDIAGONALS || o->order == TEXLA_CROUT_ORDER_SEQUENTIAL) &&
      (o->sweep == TEXLA_CROUT_SWEEP_TILES || o->sweep == TEXLA_CROUT_SWEEP_ENTRIES))
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                "n (%d), section (%d), max_sweeps (%d) and tolerance (%g) must not be negative, n "
                "at least 1, the order (%d) "
                "and the sweep (%d) of their lists",
                n, o->section, o->max_sweeps, o->tolerance, (int)o->order, (int)o->sweep);
}

clStatus clCroutCreate(clCrout **out, clContext *context, int n, const clCroutOptions *options) {
  static const char call[] = "clCroutCreate";
  clCroutOptions o = {0};
  if (options)
    o = *options;
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  TRY(checkOptions(context, call, n, &o));
  clStatus status = TEXLA_OK;
  clCrout *c = txAllocate(txContextError(context), call, 1, sizeof *c, "a clCrout");
  if (!c)
    return TEXLA_OUT_OF_MEMORY;
  *c = (clCrout){.context = context, .options = o, .n = n};
  TRY_CLEANUP(txDenseCreate(&c->r, context, call, n, n, TEXLA_PACKING_2X2, false));
  for (int i = 0; i < 2; i++)
    TRY_CLEANUP(txDenseCreate(&c->z[i], context, call, n, n, TEXLA_PACKING_2X2, true));
  TRY_CLEANUP(txCroutPlan(c, call));
  *out = c;
  c = NULL;
cleanup:
  clCroutDestroy(c);
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

/* Nothing is left in *out if it fails. */
static clStatus lookStart(look *out, const clCrout *c, const char *call, const txSectionGroup *g,
                          const clDense *z, const clDense *before) {
  txTexture *rows = NULL, *flags = NULL;
  clStatus status = TEXLA_OK;
  *out = (look){0};
  TRY_CLEANUP(txTextureCreate(&rows, c->context, call, TX_R32F, g->count, c->side));
  TRY_CLEANUP(txTextureCreate(&flags, c->context, call, TX_R32F, g->count, 1));
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
  TRY_CLEANUP(txPassRun(c->context, call, &changed));
  txPass any = {.kernel = "crout_any",
                .target = {flags},
                .source = {{"rows", rows, TX_EDGE}},
                .work = c->side};
  TRY_CLEANUP(txPassRun(c->context, call, &any));
  TRY_CLEANUP(txReadStart(&out->read, flags, call, (txRect){0, 0, g->count, 1}));
  out->flags = flags;
  flags = NULL;
cleanup:
  txTextureDestroy(flags);
  txTextureDestroy(rows);
  return status;
}

/* flags: g->count numbers, or NULL: they are not wanted. Nothing happens where no look was
 * started. */
static clStatus lookFinish(look *l, const char *call, float *flags) {
  clStatus status = TEXLA_OK;
  if (l->read)
    status = txReadFinish(l->read, call, flags);
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

/* R of a section: what the factors before it leave of A. */
static clStatus prepare(clCrout *c, const char *call, txSection *s) {
  int k = 0, most = txLeast(s->row, s->col);
  s->open = !s->empty;
  s->sweeps = 0;
  while (k < most && !s->empty) {
    int first = k;
    while (k < most && hasProduct(c, s->row, s->col, k))
      k++;
    if (k > first)
      TRY(subtract(c, call, s, first, k));
    else
      k++;
  }
  return TEXLA_OK;
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
  for (int i = g->first, end = g->first + g->count; i < end; i++) {
    int first = i;
    while (i < end && c->sections[i].open)
      c->sections[i++].sweeps++;
    if (i > first)
      TRY(sweepSections(c, call, first, i - first));
  }
  c->current = 1 - c->current;
  return TEXLA_OK;
}

/* After so many sweeps of a section its bits are the same in both textures, or not numbers. */
static int sweepsToEnd(const txSection *s) {
  int texels = s->height;
  if (s->width > s->height)
    texels = s->width;
  int rows = 2 * texels;
  if (s->row == s->col)
    return 2 * rows;
  return rows + 1;
}

static int mostSweeps(const clCrout *c, const txSectionGroup *g) {
  int most = 0;
  for (int i = g->first; i < g->first + g->count; i++)
    if (c->sections[i].open && sweepsToEnd(&c->sections[i]) > most)
      most = sweepsToEnd(&c->sections[i]);
  if (c->options.max_sweeps)
    return txLeast(most, c->options.max_sweeps);
  return most;
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

static bool isLookDue(int sweep) {
  if (sweep < LATE)
    return sweep % LOOK == 0;
  return sweep % LATE_LOOK == 0;
}

/* Finishes a look, if one was started, and closes what has not changed. */
static clStatus lookClose(look *l, clCrout *c, const char *call, const txSectionGroup *g,
                          float *flags, int *open) {
  if (!l->read)
    return TEXLA_OK;
  TRY(lookFinish(l, call, flags));
  *open = closeSections(c, g, flags);
  return TEXLA_OK;
}

/* Sweeps until a look, which is read one look later, says that nothing changes. *open <- sections
 * that still do. */
static clStatus iterate(clCrout *c, const char *call, const txSectionGroup *g, float *flags,
                        int *open) {
  look last = {0}, next = {0};
  clStatus status = TEXLA_OK;
  int most = mostSweeps(c, g);
  *open = most > 0;
  for (int k = 1; k <= most && *open; k++) {
    TRY_CLEANUP(sweep(c, call, g));
    if (!isLookDue(k) && k < most)
      continue;
    TRY_CLEANUP(lookStart(&next, c, call, g, c->z[c->current], c->z[1 - c->current]));
    TRY_CLEANUP(lookClose(&last, c, call, g, flags, open));
    last = next;
    next = (look){0};
  }
  if (*open)
    TRY_CLEANUP(lookClose(&last, c, call, g, flags, open));
cleanup:
  /* What was started is finished even where nobody wants to know any more. */
  lookFinish(&last, call, NULL);
  lookFinish(&next, call, NULL);
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
  for (int i = g->first; i < g->first + g->count; i++) {
    const txSection *s = &c->sections[i];
    if (!s->empty)
      TRY(txTexelsCopy(call, c->z[1 - c->current]->texture,
                       (txRect){s->x, s->y, s->width, s->height}, c->z[c->current]->texture, s->x,
                       s->y));
  }
  return TEXLA_OK;
}

/* Below 2^-126 / 2^-24 what underflows is no longer small beside a number; devices may take it for
 * zeros. */
static const float least_pivot = 0x1p-102f;

/* The first of the pivots that is zero or not finite; 0 where all are so small that A's other
 * entries may have been taken for zeros; -1: none. */
static int badPivot(const float *pivot, int n) {
  float largest = 0;
  for (int i = 0; i < n; i++) {
    if (!(fabsf(pivot[i]) >= FLT_MIN) || !isfinite(pivot[i]))
      return i;
    largest = fmaxf(largest, fabsf(pivot[i]));
  }
  if (largest < least_pivot)
    return 0;
  return -1;
}

/* report.pivot <- the first bad one of texels x .. x + width of the diagonal, -1: none. Blocks. */
static clStatus checkPivots(clCrout *c, const char *call, int x, int width) {
  float *values = NULL;
  int n = txLeast(2 * width, c->n - 2 * x);
  c->report.pivot = -1;
  TRY(txDiagonalRead(&values, call, c->z[c->current]->texture, x, x, n));
  int bad = badPivot(values, n);
  if (bad >= 0)
    c->report.pivot = 2 * x + bad;
  free(values);
  return TEXLA_OK;
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
  for (int i = g->first; i < g->first + g->count; i++)
    TRY(prepare(c, call, &c->sections[i]));
  return TEXLA_OK;
}

/* ---- All groups, by sweeps of entries -------------------------------------------------------- */

static clStatus runGroup(clCrout *c, const char *call, const txSectionGroup *g, float *flags) {
  int open = 0;
  TRY(prepareGroup(c, call, g));
  TRY(iterate(c, call, g, flags, &open));
  if (c->options.tolerance > 0 || open)
    TRY(settle(c, call, g));
  for (int i = g->first; i < g->first + g->count; i++) {
    const txSection *s = &c->sections[i];
    if (s->row == s->col)
      TRY(checkPivots(c, call, s->x, s->width));
  }
  judge(c, open, c->options.max_sweeps && c->options.max_sweeps < 4 * c->side);
  return TEXLA_OK;
}

static clStatus runEntries(clCrout *c, const char *call, float *flags) {
  for (int i = 0; i < c->group_count && !c->report.reason; i++)
    TRY(runGroup(c, call, &c->groups[i], flags));
  return TEXLA_OK;
}

/* ---- All groups, by sweeps of tiles ---------------------------------------------------------- */

/* *open <- the sections that hold values that are not finite: what has changed beside itself.
 * Blocks. */
static clStatus countNotFinite(clCrout *c, const char *call, float *flags, int *open) {
  const txSectionGroup all = {.first = 0, .count = c->count};
  look last = {0};
  *open = 0;
  TRY(lookStart(&last, c, call, &all, c->z[0], c->z[0]));
  TRY(lookFinish(&last, call, flags));
  for (int i = 0; i < c->count; i++)
    *open += flags[i] != 0;
  return TEXLA_OK;
}

/* The number of sweeps is known: all that can go wrong is looked at once, at the end. */
static clStatus runTiles(clCrout *c, const char *call, float *flags) {
  int most = c->side, open = 0;
  bool cut = false;
  if (c->options.max_sweeps)
    most = c->options.max_sweeps;
  for (int i = 0; i < c->group_count && !cut; i++) {
    const txSectionGroup *g = &c->groups[i];
    TRY(prepareGroup(c, call, g));
    TRY(txCroutTilesSweep(c, call, g, most));
    cut = g->levels > most;
  }
  if (!cut)
    TRY(checkPivots(c, call, 0, c->r->texture->width));
  if (!cut)
    TRY(countNotFinite(c, call, flags, &open));
  if (cut)
    open = 1;
  judge(c, open, cut);
  return TEXLA_OK;
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
  bool entries = c->options.sweep == TEXLA_CROUT_SWEEP_ENTRIES;
  c->current = 0;
  TRY(copyTexture(call, c->r, A));
  TRY(copyTexture(call, c->z[0], A));
  if (entries)
    TRY(copyTexture(call, c->z[1], A));
  TRY(txCroutFill(c, call, A));
  if (entries)
    TRY(runEntries(c, call, flags));
  else
    TRY(runTiles(c, call, flags));
  if (!c->report.reason)
    c->report.reason = TEXLA_REASON_CONVERGED;
  return TEXLA_OK;
}

static clStatus statusOf(const clCrout *c, const char *call) {
  switch (c->report.reason) {
  case TEXLA_REASON_CONVERGED:
    return TEXLA_OK;
  case TEXLA_REASON_MAX_ITERATIONS:
    return TEXLA_NOT_CONVERGED;
  case TEXLA_REASON_BREAKDOWN:
    return txFail(txContextError(c->context), TEXLA_SINGULAR, call,
                  "pivot %d of %d is zero, not finite, or so small that single precision "
                  "underflows: A has no "
                  "factors without pivoting (clPlu pivots), or wants other units",
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
  TRY(txDenseCheckPacked(call, c->context, "A", A));
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
  clStatus status = run(c, call, A, flags);
  free(flags);
  TRY(status);
  count(c);
  c->report.passes = clContextStatistics(c->context).passes - passes;
  c->factored = true;
  if (report)
    *report = c->report;
  return txDenseBlame(statusOf(c, call), call, A);
}

/* ---- What the factors are good for ----------------------------------------------------------- */

const clDense *clCroutFactors(const clCrout *c) {
  if (!c || !c->factored)
    return NULL;
  return c->z[c->current];
}

static clStatus checkFactors(const clCrout *c, const char *call) {
  if (c && c->factored && c->report.reason == TEXLA_REASON_CONVERGED)
    return TEXLA_OK;
  return txFail(c ? txContextError(c->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                "crout must not be NULL and clCroutFactor must have gone well");
}

clStatus clCroutSplit(const clCrout *c, clDense *L, clDense *U) {
  static const char call[] = "clCroutSplit";
  TRY(checkFactors(c, call));
  TRY(clDenseTriangle(L, TEXLA_TRIANGLE_LOWER, false, clCroutFactors(c)));
  return clDenseTriangle(U, TEXLA_TRIANGLE_UPPER, true, clCroutFactors(c));
}

/* Y <- op(L)^-1 Y or op(U)^-1 Y */
static clStatus solveFactor(const clCrout *c, const char *call, clDense *Y, clTriangle triangle,
                            clTranspose op) {
  const txTexture *z = clCroutFactors(c)->texture;
  txTriangular T = {z, 0, 0, z->height, triangle, triangle == TEXLA_TRIANGLE_UPPER, op, NULL};
  return txTriangularSolve(call, &T, Y->texture,
                           (txRect){0, 0, Y->texture->width, Y->texture->height}, Y->rows, Y->cols);
}

/* Y <- op(A)^-1 Y = U^-1 L^-1 Y, of A^T L^-T U^-T Y; nothing is scaled. */
static clStatus solveInPlace(const void *crout, const char *call, clTranspose op, bool scaled,
                             clDense *Y) {
  clTriangle first = TEXLA_TRIANGLE_LOWER, second = TEXLA_TRIANGLE_UPPER;
  (void)scaled;
  if (op == TEXLA_TRANSPOSE) {
    first = TEXLA_TRIANGLE_UPPER;
    second = TEXLA_TRIANGLE_LOWER;
  }
  TRY(solveFactor(crout, call, Y, first, op));
  return solveFactor(crout, call, Y, second, op);
}

static txFactor factorization(const clCrout *c, const char *call) {
  return (txFactor){
      .context = c->context, .call = call, .n = c->n, .factor = c, .solve = solveInPlace};
}

clStatus clCroutRefine(const clCrout *crout, clTranspose op, const clTriplets *A, int count,
                       double *x, const double *b, const clRefineOptions *options,
                       clRefineReport *reports) {
  static const char call[] = "clCroutRefine";
  TRY(checkFactors(crout, call));
  txFactor f = factorization(crout, call);
  return txRefineTriplets(&f, op, A, count, x, b, options, reports);
}

clStatus clCroutSolve(const clCrout *crout, clTranspose op, clDense *X, const clDense *B) {
  static const char call[] = "clCroutSolve";
  TRY(checkFactors(crout, call));
  txFactor f = factorization(crout, call);
  return txFactorSolve(&f, op, X, B);
}
