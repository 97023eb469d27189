/* Between a grid and the next coarser one. */
#include "multigrid/grid_render.h"
#include "core/try.h"

#include <stdio.h>

/* Texels can be shifted between the grids where coarse points are the odd ones. */
static bool plainTransfer(const txGrid *A) {
  bool plain = true;
  for (int axis = 0; axis < 2; axis++)
    plain &= A->coarsening[axis].stride == 1 || A->coarsening[axis].first == 1;
  return plain;
}

/* What the transfer shaders read: P's weights, how the axes are coarsened, the size of the grid. */
static void gridTransferAddTransfer(txPass *pass, const txGrid *A, const txGrid *coarse) {
  static const char *const name[TX_CORNERS] = {"w0", "w1", "w2", "w3"};
  for (int p = 0; p < TX_CORNERS; p++)
    txPassSource(pass, name[p], A->weight[p], TX_EDGE);
  txPassUniform(pass, (txUniform){"weights", 3, .array = A->weights});
  txGridAddCoarsening(pass, A, coarse->n);
  txGridAddShape(pass, A);
}

/* The defines of a transfer: which axes are coarsened, and whether x counts as zero. */
static const char *halved(const txGrid *A, bool start, char *text, size_t n) {
  const char *x = A->coarsening[0].stride > 1 ? "#define HALF_X\n" : "";
  const char *y = A->coarsening[1].stride > 1 ? "#define HALF_Y\n" : "";
  const char *zero = start ? "#define START\n" : "";
  snprintf(text, n, "%s%s%s", x, y, zero);
  return text;
}

clStatus txGridRestrict(const char *call, clVector *y, const txGrid *A, const txGrid *coarse,
                        const clVector *r) {
  txPass pass = {.kernel = "grid_restrict", .source = {{"r", r->texture, TX_ZERO}}};
  char text[64];
  gridTransferAddTransfer(&pass, A, coarse);
  return txGridRender(call, y, coarse, &pass, halved(A, false, text, sizeof text),
                      A->uniform && coarse->uniform, plainTransfer(A));
}

/* The residual on the fine points that the coarse frame needs; elsewhere r is undefined. */
static clStatus frameResidual(const char *call, clVector *r, const txGrid *A, const txGrid *coarse,
                              const clVector *x, const clVector *b) {
  int left = 3, below = 9, width = 2 * (coarse->layout.width - 2) - left,
      height = 2 * (coarse->layout.height - 4) - below;
  txPass pass = {.kernel = "grid_sweep",
                 .source = {{"x", x->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}},
                 .inside = {left, below, width, height},
                 .around = true};
  txGridAddCoefficients(&pass, A, true);
  char more[TX_RIM_TEXT];
  txGridRim(more, txGridElements(A), true);
  TRY(txGridBegin(call, r, A, &pass));
  return txGridEnd(r, &pass, txGridDraw(call, r->context, &pass, txGridResidualVariant(A), more));
}

/* What grid_coarse computes inside, and grid_restrict around it. */
static clStatus drawFused(const char *call, const txGrid *A, const txGrid *coarse, txPass *inside,
                          txPass *around) {
  char text[64], more[TX_RIM_TEXT];
  const char *nine = A->nine ? "#define NINE\n" : "";
  txGridRim(more, txGridElements(coarse), true);
  TRY(txGridDraw(call, A->context, inside, nine, ""));
  return txGridDraw(call, A->context, around, halved(A, false, text, sizeof text), more);
}

/* The residual and its restriction in one pass over the interior, where both grids are uniform. */
static clStatus fusedResidual(const char *call, clVector *y, const txGrid *A, const txGrid *coarse,
                              const clVector *x, const clVector *b, clVector *r) {
  TRY(frameResidual(call, r, A, coarse, x, b));
  txPass inside = {
      .kernel = "grid_coarse",
      .source = {{"x", x->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}},
      .uniform = {{"interior", 3, .array = A->interior}, {"weights", 3, .array = A->weights}},
      .rect = txGridInterior(coarse),
      .work = 29};
  txPass around = {.kernel = "grid_restrict",
                   .source = {{"r", r->texture, TX_ZERO}},
                   .inside = txGridInterior(coarse),
                   .around = true};
  gridTransferAddTransfer(&around, A, coarse);
  TRY(txGridBegin(call, y, coarse, &inside));
  around.target[0] = inside.target[0];
  return txGridEnd(y, &inside, drawFused(call, A, coarse, &inside, &around));
}

clStatus txGridCoarseResidual(const char *call, clVector *y, const txGrid *A, const txGrid *coarse,
                              const clVector *x, const clVector *b, clVector *r) {
  bool both = A->coarsening[0].stride == 2 && A->coarsening[1].stride == 2 && plainTransfer(A);
  if (both && A->uniform && coarse->uniform && coarse->split)
    return fusedResidual(call, y, A, coarse, x, b, r);
  TRY(txGridResidual(call, r, A, x, b));
  return txGridRestrict(call, y, A, coarse, r);
}

clStatus txGridProlong(const char *call, clVector *x, const txGrid *A, const txGrid *coarse,
                       const clVector *e, bool start) {
  txPass pass = {.kernel = "grid_prolong",
                 .source = {{"x", x->texture, TX_EDGE}, {"e", e->texture, TX_EDGE}}};
  char text[64];
  gridTransferAddTransfer(&pass, A, coarse);
  return txGridRender(call, x, A, &pass, halved(A, start, text, sizeof text), A->uniform,
                      plainTransfer(A));
}
