/* A = L L^T (J3), right-looking and recursive: the left half of some columns, the update of the
 * right half, the right half. Panels end the recursion: of PANEL texels, one pass each, or of
 * HOST_PANEL texels and more, which are read, factored by the host (host_panel.h) and written back.
 * Nearly all work is products. A is scaled to S A S with ones or so on its diagonal. */
#include "triangle/cholesky_host.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "elimination/host_panel.h"
#include "gl/observe.h"
#include "gl/traits.h"
#include "vector/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  /* as in cholesky_panel.vert */
  PANEL = 4,
  HOST_PANEL = 16,
  /* texels of longer panels stay on a graphics card, whose passes cost less than their transfers */
  HOST_ROWS = 256,
  ACROSS = 64
};

clStatus clCholeskyCreate(clCholesky **out, clContext *context, int n,
                          const clCholeskyOptions *options) {
  static const char call[] = "clCholeskyCreate";
  clCholeskyOptions o = options ? *options : (clCholeskyOptions){0};
  clError *error = txContextError(context);
  if (!out || !context || n < 1 || !isfinite(o.tolerance))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, n (%d) at least 1, the tolerance (%g) finite",
                  n, o.tolerance);
  bool decides = o.tolerance == 0;
  if (decides)
    o.tolerance = fmax(4, sqrt(n)) * ldexp(1, -23);
  clCholesky *c = txAllocate(error, call, 1, sizeof *c, "a clCholesky");
  if (!c)
    return TEXLA_OUT_OF_MEMORY;
  *c = (clCholesky){.context = context, .order = n, .options = o, .decides = decides};
  *out = c;
  return TEXLA_OK;
}

/* The blocked factorization while it runs. */
typedef struct factoring {
  const char *call;
  const txLower *L;
  float tolerance;
  /* texels of a panel that the host factors, at most; 0: the device factors all */
  int host_panel;
  /* of up to so many rows of texels */
  int host_rows;
  txHostPanel host;
} factoring;

/* Columns [col, col + cols) of texels, cols <= PANEL, all rows: a fragment factors all columns of a
 * row into layers of `panel`, where rows follow each other ACROSS to a row of texels; then they go
 * to their places. */
static clStatus factorOnDevice(const factoring *f, const txLowerPart *part, int col, int cols) {
  const txLower *L = f->L;
  int rows = L->texels - col;
  txTexture *panel = NULL;
  TRY(txLayersCreate(&panel, L->context, f->call, TX_RGBA32F, ACROSS, (rows + ACROSS - 1) / ACROSS,
                     PANEL));
  float x = (float)(part->x + part->turn * col), y = (float)(part->y + part->turn * col),
        turn = (float)part->turn;
  txPass factor = {.kernel = "cholesky_panel",
                   .vertex = "cholesky_panel",
                   .target = {panel},
                   .source = {{"lower", L->texture, TX_EDGE}},
                   .uniform = {{"tolerance", 1, {f->tolerance}},
                               {"from", 4, {x, y, turn, ACROSS}, .integer = true}},
                   .work = 16};
  txPass store = {.kernel = "cholesky_store",
                  .source = {{"panel", panel, TX_EDGE}},
                  .uniform = {{"width", 1, {ACROSS}, .integer = true}, {"turn", 1, {turn}}}};
  txLowerPass(&store, L, part, &(txTrapezoid){col, cols, rows, col, rows});
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txPassRun(L->context, f->call, &factor));
  TRY_CLEANUP(txPassRun(L->context, f->call, &store));
cleanup:
  txTextureDestroy(panel);
  return status;
}

/* Turned by 180 degrees, entries too. */
static void turn(float *texels, size_t count) {
  for (size_t i = 0, j = count - 1; i < j; i++, j--) {
    float a = texels[i];
    texels[i] = texels[j];
    texels[j] = a;
  }
}

/* What is above the diagonal, in packed storage part of the other triangle, comes and goes with the
 * panel. */
static clStatus factorOnHost(factoring *f, const txLowerPart *part, int col, int cols) {
  const txLower *L = f->L;
  txHostPanel *h = &f->host;
  h->height = L->texels - col;
  h->width = cols;
  h->rows = 2 * h->height;
  h->steps = 2 * cols;
  h->tolerance = f->tolerance;
  txRect rect = txLowerPlace(part, col, cols, col, h->height);
  size_t count = 4 * (size_t)h->width * (size_t)h->height;
  txPass step = {.kernel = "columns_on_host",
                 .shape = TX_HOST,
                 .source = {{"lower", L->texture, TX_EDGE}},
                 .target = {L->texture},
                 .rect = rect};
  txHostBegin(L->context, f->call, &step);
  TRY(txTextureRead(L->texture, f->call, rect, h->texels));
  if (part->turn < 0)
    turn(h->texels, count);
  txHostPanelCholesky(h);
  if (part->turn < 0)
    turn(h->texels, count);
  clStatus status = txTextureWrite(L->texture, f->call, rect, h->texels);
  txHostEnd(L->context);
  return status;
}

/* Columns [to, to + cols), from row `to` on, -= L L^T, L the columns [col, col + inner). */
static clStatus update(const char *call, const txLower *L, int col, int inner, int to, int cols) {
  txLowerRows rows = {0};
  if (cols < 1)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(
      txLowerRowsLoad(&rows, call, L, col, inner, to, to + cols > txLowerPartOf(L, 1).first));
  TRY_CLEANUP(txLowerAdd(call, L, -1, &rows, to, cols));
cleanup:
  txLowerRowsDestroy(&rows);
  return status;
}

/* Columns [col, col + cols) of a part, halved again and again until panels are left, so that nearly
 * all work is products. Panels that are short enough are the host's. */
static clStatus factorColumns(factoring *f, const txLowerPart *part, int col, int cols) {
  bool on_host = f->host_panel && f->L->texels - col <= f->host_rows;
  int half = PANEL;
  if (on_host)
    half = f->host_panel;
  if (cols <= half && on_host)
    return factorOnHost(f, part, col, cols);
  if (cols <= half)
    return factorOnDevice(f, part, col, cols);
  while (2 * half < cols)
    half *= 2;
  TRY(factorColumns(f, part, col, half));
  TRY(update(f->call, f->L, col, half, col + half, cols - half));
  return factorColumns(f, part, col + half, cols - half);
}

/* Both parts of a folded triangle: the second one begins where the first one's columns end, and
 * lacks their products until then. */
static clStatus factorBlocked(const char *call, const txLower *L, float tolerance) {
  txLowerPart left = txLowerPartOf(L, 0), right = txLowerPartOf(L, 1);
  const txTraits *traits = txContextTraits(L->context);
  factoring f = {.call = call,
                 .L = L,
                 .tolerance = tolerance,
                 .host_panel = HOST_PANEL * traits->panels_on_host,
                 .host_rows = HOST_ROWS};
  if (traits->host_shades)
    f.host_rows = L->texels;
  clStatus status = TEXLA_OK;
  if (f.host_panel)
    TRY_CLEANUP(txHostPanelCreate(&f.host, txContextError(L->context), call,
                                  2 * txLeast(f.host_rows, L->texels), 2 * f.host_panel));
  TRY_CLEANUP(factorColumns(&f, &left, 0, left.cols));
  if (right.cols > 0) {
    TRY_CLEANUP(update(call, L, 0, left.cols, right.first, right.cols));
    TRY_CLEANUP(factorColumns(&f, &right, right.first, right.cols));
  }
cleanup:
  txHostPanelDestroy(&f.host);
  return status;
}

/* ---- Factorization --------------------------------------------------------------------------- */

/* Texel k <- entries 2k, 2k + 1 of the diagonal; with SCALE the powers of two that bring them near
 * 1. */
static clStatus diagonalPass(txTexture *target, const char *call, const txLower *A,
                             const char *more) {
  char text[96];
  snprintf(text, sizeof text, "%s%s%s", txWhen(A->folded, "#define FOLDED\n"),
           txWhen(A->single, "#define SINGLE\n"), more);
  txPass pass = {
      .kernel = "lower_diagonal",
      .defines = text,
      .target = {target},
      .source = {{"lower", A->texture, TX_EDGE}},
      .uniform = {{"triangle", 2, {(float)A->texels, (float)A->order}, .integer = true}}};
  return txPassRun(A->context, call, &pass);
}

/* Reads a row of pairs. */
static clStatus readPairs(const txTexture *t, const char *call, int n, double *values) {
  float *pairs =
      txAllocate(txContextError(t->context), call, (size_t)t->width, 2 * sizeof *pairs, "pivots");
  if (!pairs)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureRead(t, call, (txRect){0, 0, t->width, 1}, pairs));
  for (int i = 0; i < n; i++)
    values[i] = (double)pairs[i];
cleanup:
  free(pairs);
  return status;
}

/* Reads pivots and scales; the report's column is the first one that is not positive. */
static clStatus readPivots(clCholesky *c, const char *call, const txLower *L,
                           clCholeskyReport *report) {
  txTexture *diagonal = NULL;
  c->diagonal = txAllocate(txContextError(c->context), call, 2 * (size_t)c->order,
                           sizeof *c->diagonal, "pivots");
  if (!c->diagonal)
    return TEXLA_OUT_OF_MEMORY;
  c->scales = c->diagonal + c->order;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&diagonal, c->context, call, TX_RG32F, c->scale->width, 1));
  TRY_CLEANUP(diagonalPass(diagonal, call, L, ""));
  TRY_CLEANUP(readPairs(diagonal, call, c->order, c->diagonal));
  TRY_CLEANUP(readPairs(c->scale, call, c->order, c->scales));
  *report = (clCholeskyReport){.column = -1, .smallest_pivot = INFINITY};
  for (int i = 0; i < c->order && report->column < 0; i++) {
    double pivot = c->diagonal[i] /= c->scales[i];
    if (!(pivot > 0 && isfinite(pivot))) {
      report->column = i;
      break;
    }
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    report->largest_pivot = fmax(report->largest_pivot, pivot);
  }
cleanup:
  txTextureDestroy(diagonal);
  return status;
}

/* Scales, factors and looks at the pivots, small ones once more in double. */
static clStatus factor(clCholesky *c, const char *call, const txLower *A,
                       clCholeskyReport *report) {
  txLower L = txCholeskyFactorOf(c);
  float tolerance = (float)fmax(c->options.tolerance, 0);
  TRY(txTextureCreate(&c->scale, c->context, call, TX_RG32F, txHalf(c->order), 1));
  TRY(diagonalPass(c->scale, call, A, "#define SCALE\n"));
  TRY(txLowerTexture(&c->factor, c->context, call, c->order, TEXLA_PACKING_2X2, c->options.packed));
  L.texture = c->factor;
  TRY(txLowerCopyScaled(call, &L, A, c->scale, false));
  TRY(factorBlocked(call, &L, tolerance));
  TRY(readPivots(c, call, &L, report));
  if (report->column >= 0)
    return TEXLA_OK;
  if (c->decides)
    return txCholeskyDecide(c, call, A, &report->column);
  return TEXLA_OK;
}

/* What a factorization holds, but not the object. */
static void forget(clCholesky *c) {
  txTextureDestroy(c->factor);
  txTextureDestroy(c->scale);
  free(c->diagonal);
}

/* In a fresh object, whose factor replaces the one before only when it is good. */
clStatus txCholeskyFactor(clCholesky *c, const char *call, const txLower *A,
                          clCholeskyReport *report) {
  clCholesky fresh = {
      .context = c->context, .order = c->order, .options = c->options, .decides = c->decides};
  clCholeskyReport result = {.column = -1};
  if (A->order != c->order)
    return txFail(txContextError(c->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d but the factorization was made for %d x %d", A->order, A->order,
                  c->order, c->order);
  clStatus status = factor(&fresh, call, A, &result);
  if (status || result.column >= 0) {
    forget(&fresh);
  } else {
    forget(c);
    *c = fresh;
  }
  TRY(status);
  if (report)
    *report = result;
  if (result.column < 0)
    return TEXLA_OK;
  return txFail(txContextError(c->context), TEXLA_SINGULAR, call,
                "the %d x %d matrix is not positive definite (to single precision): column %d has "
                "no positive pivot",
                c->order, c->order, result.column + 1);
}

void clCholeskyDestroy(clCholesky *c) {
  if (!c)
    return;
  forget(c);
  free(c);
}

static clStatus checkOwn(const clCholesky *c, const char *call) {
  if (!c)
    return txFail(NULL, TEXLA_BAD_ARGUMENT, call, "cholesky must not be NULL");
  return TEXLA_OK;
}

/* A square matrix that can be read or written as a triangle. */
static clStatus checkDense(const clCholesky *c, const char *call, const char *name,
                           const clDense *A) {
  TRY(checkOwn(c, call));
  TRY(txDenseCheck(call, c->context, name, A));
  if (A->packing != TEXLA_PACKING_2X2 && A->packing != TEXLA_PACKING_1X1)
    return txFail(txContextError(c->context), TEXLA_UNSUPPORTED, call,
                  "%s is in %s packing but must be in 2x2 or 1x1", name, clPackingName(A->packing));
  if (A->rows == c->order && A->cols == c->order)
    return TEXLA_OK;
  return txFail(txContextError(c->context), TEXLA_BAD_SHAPE, call,
                "%s is %d x %d but the factorization was made for %d x %d", name, A->rows, A->cols,
                c->order, c->order);
}

/* A packed triangle of this factorization's order. */
static clStatus checkTriangle(const clCholesky *c, const char *call, const char *name,
                              const clPacked *A) {
  TRY(checkOwn(c, call));
  if (!A)
    return txFail(txContextError(c->context), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL",
                  name);
  TRY(txContextSame(c->context, A->context, call));
  if (A->order == c->order)
    return TEXLA_OK;
  return txFail(txContextError(c->context), TEXLA_BAD_SHAPE, call,
                "%s has order %d but the factorization %d", name, A->order, c->order);
}

clStatus clCholeskyFactor(clCholesky *cholesky, const clDense *A, clCholeskyReport *report) {
  static const char call[] = "clCholeskyFactor";
  TRY(checkDense(cholesky, call, "A", A));
  txLower lower = txLowerOfDense(A);
  return txDenseBlame(txCholeskyFactor(cholesky, call, &lower, report), call, A);
}

clStatus clCholeskyFactorPacked(clCholesky *cholesky, const clPacked *A, clCholeskyReport *report) {
  static const char call[] = "clCholeskyFactorPacked";
  TRY(checkTriangle(cholesky, call, "A", A));
  txLower lower = txLowerOfPacked(A);
  return txCholeskyFactor(cholesky, call, &lower, report);
}

clStatus txCholeskyReady(const clCholesky *c, const char *call) {
  TRY(checkOwn(c, call));
  if (c->factor)
    return TEXLA_OK;
  return txFail(txContextError(c->context), TEXLA_BAD_ARGUMENT, call,
                "clCholeskyFactor must have gone well");
}

/* L = S^-1 times the factor that is held, which is of S A S. */
clStatus clCholeskyLower(const clCholesky *cholesky, clDense *L) {
  static const char call[] = "clCholeskyLower";
  TRY(txCholeskyReady(cholesky, call));
  TRY(checkDense(cholesky, call, "L", L));
  txLower target = txLowerOfDense(L), from = txCholeskyFactorOf(cholesky);
  return txLowerCopyScaled(call, &target, &from, cholesky->scale, true);
}

clStatus clCholeskyLowerPacked(const clCholesky *cholesky, clPacked *L) {
  static const char call[] = "clCholeskyLowerPacked";
  TRY(txCholeskyReady(cholesky, call));
  TRY(checkTriangle(cholesky, call, "L", L));
  txLower target = txLowerOfPacked(L), from = txCholeskyFactorOf(cholesky);
  return txLowerCopyScaled(call, &target, &from, cholesky->scale, true);
}
