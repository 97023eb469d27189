/* The product of the storage dense. A row of fragments is too few for a device and a whole row of A too long for a loop and
 * for a serial sum: both directions make partial sums, in panels that lie one above the other, and then join them. */
#include "objects/matrix_dense.h"
#include "ops/gather.h"

#include <stdio.h>

enum { FRAGMENTS = 8192, LONGEST = 64, SHORTEST = 4, JOINED = 64 };

static int least(int64_t a, int64_t b) {
  return (int)(a < b ? a : b);
}

static int ceilDiv(int64_t a, int64_t b) {
  return (int)((a + b - 1) / b);
}

static void setIntegers(txPass *pass, const char *name, int count, int a, int b) {
  txPassUniform(pass, (txUniform){name, count, {(float)a, (float)b}, NULL, true});
}

static int shiftOf(const txLayout *linear) {
  int shift = 0;
  while ((int64_t)4 << shift < linear->row)
    shift++;
  return shift;
}

static void setMatrix(txPass *pass, const clMatrix *A) {
  const txDense *dense = A->data;
  pass->source[0] = (txSource){"A", dense->texture, TX_EDGE};
  if (dense->across) {
    pass->defines = "#define ACROSS\n";
    setIntegers(pass, "across", 1, dense->across, 0);
  }
  setIntegers(pass, "image", 2, A->row_layout.width, A->row_layout.height);
}

/* y <- ca (the sum of `panels` images in `partial`) + cb b; destroys partial. */
static clStatus joinPanels(const char *call, clVector *y, float ca, txTexture *partial, int panels, float cb,
                           const clVector *b) {
  clStatus status = TEXLA_OK;
  int height = y->layout.height;
  while (!status) {
    bool last = panels <= JOINED;
    int span = last ? panels : JOINED / 2, joined = ceilDiv(panels, span);
    txTexture *target = NULL;
    char defines[64] = "#define LAST\n";
    txPass pass = {.kernel = "panels", .source = {{"partial", partial, TX_EDGE}}, .work = span};
    setIntegers(&pass, "height", 1, height, 0);
    setIntegers(&pass, "panels", 1, panels, 0);
    setIntegers(&pass, "span", 1, span, 0);
    if (last) {
      txCombine(&pass, defines, sizeof defines, ca, cb, b);
      status = txVectorRun(call, &pass, y);
    } else {
      status = txTextureCreate(&target, y->context, call, TX_RGBA32F, partial->width, joined * height);
      pass.target[0] = target;
      if (!status)
        status = txPassRun(y->context, call, &pass);
    }
    txTextureDestroy(partial);
    partial = target;
    panels = joined;
    if (last)
      break;
  }
  if (status)
    txTextureDestroy(partial);
  return status;
}

/* Runs the pass of partial sums into `panels` images of y, then joins them. */
static clStatus runPanels(const char *call, clVector *y, float ca, txPass *pass, int panels, float cb,
                          const clVector *b) {
  clStatus status =
      txTextureCreate(&pass->target[0], y->context, call, TX_RGBA32F, y->layout.width, y->layout.height * panels);
  if (!status)
    status = txPassRun(y->context, call, pass);
  if (status) {
    txTextureDestroy(pass->target[0]);
    return status;
  }
  return joinPanels(call, y, ca, pass->target[0], panels, cb, b);
}

/* y <- ca A x + cb b; x is linear. */
static clStatus forward(const char *call, clVector *y, float ca, const clMatrix *A, const clVector *x, float cb,
                        const clVector *b) {
  int limit = clContextInspect(A->context)->max_texture_size;
  int64_t count = (x->layout.length + 3) / 4, texels = (int64_t)y->layout.width * y->layout.height;
  int panels = ceilDiv(count, LONGEST), wanted = least(ceilDiv(FRAGMENTS, texels), ceilDiv(count, SHORTEST));
  panels = least(panels > wanted ? panels : wanted, limit / y->layout.height);
  int span = ceilDiv(count, panels);
  txPass pass = {.kernel = "columns", .work = 5 * (int64_t)span};
  setMatrix(&pass, A);
  pass.source[1] = (txSource){"x", x->texture, TX_EDGE};
  setIntegers(&pass, "x_shift", 1, shiftOf(&x->layout), 0);
  setIntegers(&pass, "x_count", 1, (int)count, 0);
  setIntegers(&pass, "span", 1, span, 0);
  return runPanels(call, y, ca, &pass, ceilDiv(count, span), cb, b);
}

/* y <- ca A^T x + cb b; y is linear. */
static clStatus backward(const char *call, clVector *y, float ca, const clMatrix *A, const clVector *x, float cb,
                         const clVector *b) {
  int limit = clContextInspect(A->context)->max_texture_size, w = x->layout.width, h = x->layout.height;
  int most = limit / y->layout.height; /* panels */
  int span_x = least(w, LONGEST), span_y = least(h, LONGEST / span_x);
  while ((int64_t)ceilDiv(w, span_x) * ceilDiv(h, span_y) > most)
    if (span_y < h)
      span_y = least(h, 2 * (int64_t)span_y);
    else
      span_x = least(w, 2 * (int64_t)span_x);
  txPass pass = {.kernel = "columns_transposed", .work = 5 * (int64_t)span_x * span_y};
  setMatrix(&pass, A);
  pass.source[1] = (txSource){"x", x->texture, TX_EDGE};
  setIntegers(&pass, "span", 2, span_x, span_y);
  setIntegers(&pass, "panels_x", 1, ceilDiv(w, span_x), 0);
  setIntegers(&pass, "y_shift", 1, shiftOf(&y->layout), 0);
  setIntegers(&pass, "y_height", 1, y->layout.height, 0);
  return runPanels(call, y, ca, &pass, ceilDiv(w, span_x) * ceilDiv(h, span_y), cb, b);
}

/* x in the linear layout that the kernels want. */
static clStatus forwardFromGrid(const char *call, clVector *y, float ca, const clMatrix *A, const clVector *x, float cb,
                                const clVector *b) {
  const txDense *dense = A->data;
  clVector *linear = NULL;
  clStatus status = txVectorCreate(&linear, A->context, call, &dense->columns);
  if (!status)
    status = clVectorCopy(linear, x);
  if (!status)
    status = forward(call, y, ca, A, linear, cb, b);
  clVectorDestroy(linear);
  return status;
}

static clStatus backwardToGrid(const char *call, clVector *y, float ca, const clMatrix *A, const clVector *x, float cb,
                               const clVector *b) {
  const txDense *dense = A->data;
  clVector *linear = NULL, *grid = NULL;
  clStatus status = txVectorCreate(&linear, A->context, call, &dense->columns);
  if (!status)
    status = txVectorCreate(&grid, A->context, call, &A->col_layout);
  if (!status)
    status = backward(call, linear, 1, A, x, 0, NULL);
  if (!status)
    status = clVectorCopy(grid, linear);
  if (!status)
    status = b ? clVectorAdd(y, ca, NULL, grid, cb, NULL, b) : clVectorScale(y, ca, NULL, grid);
  clVectorDestroy(linear);
  clVectorDestroy(grid);
  return status;
}

static clStatus multiply(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed, const clVector *x,
                         float cb, const clVector *b) {
  bool grid = A->col_layout.grid;
  if (transposed)
    return (grid ? backwardToGrid : backward)(call, y, ca, A, x, cb, b);
  return (grid ? forwardFromGrid : forward)(call, y, ca, A, x, cb, b);
}

static clStatus diagonal(const char *call, clVector *d, const clMatrix *A) {
  txPass pass = {.kernel = "columns_diagonal", .work = 4};
  setMatrix(&pass, A);
  return txVectorRun(call, &pass, d);
}

clStatus txColumnsSet(const char *call, clMatrix *A, int32_t j, const clVector *x) {
  const txDense *dense = A->data;
  int w = A->row_layout.width, h = A->row_layout.height, left = (j & ((1 << dense->across) - 1)) * w,
      bottom = (j >> dense->across) * h;
  txPass pass = {.kernel = "columns_set",
                 .target = {dense->texture},
                 .source = {{"x", x->texture, TX_EDGE}},
                 .rect = {left, bottom, w, h}};
  setIntegers(&pass, "corner", 2, left, bottom);
  return txPassRun(A->context, call, &pass);
}

const txStorageOps txDenseOps = {multiply, diagonal};
