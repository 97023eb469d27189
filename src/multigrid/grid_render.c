#include "multigrid/grid_render.h"

#include <stdio.h>

clStatus txGridDraw(const char *call, clContext *context, txPass *pass, const char *variant, const char *more,
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

const char *txGridElements(const txGrid *grid) {
  return grid->periodic[0] || grid->periodic[1] ? elements : "";
}

void txGridFrame(txRect frame[4], const txGrid *grid, int left, int right, int below, int above) {
  int w = grid->layout.width, h = grid->layout.height;
  frame[0] = (txRect){0, 0, w, below};
  frame[1] = (txRect){0, h - above, w, above};
  frame[2] = (txRect){0, below, left, h - below - above};
  frame[3] = (txRect){w - right, below, right, h - below - above};
}

/* Where an operator on `grid` may differ from its interior. */
clStatus txGridDrawFrame(const char *call, txPass *pass, const txGrid *grid, const char *variant) {
  txRect frame[4];
  clStatus status = TEXLA_OK;
  txGridFrame(frame, grid, 1, 2, 4, 4);
  for (int i = 0; i < 4 && !status; i++)
    status = txGridDraw(call, grid->context, pass, variant, txGridElements(grid), frame[i]);
  return status;
}

txRect txGridInterior(const txGrid *grid) {
  return (txRect){1, 4, grid->layout.width - 3, grid->layout.height - 8};
}

clStatus txGridBegin(const char *call, const clVector *y, const txGrid *grid, txPass *pass) {
  return txLayoutTexture(&pass->target[0], y->context, call, &grid->layout);
}

clStatus txGridEnd(clVector *y, txPass *pass, clStatus status) {
  return txTextureReplace(&y->texture, pass->target[0], status);
}

clStatus txGridRender(const char *call, clVector *y, const txGrid *grid, txPass *pass, const char *variant,
                      bool uniform, bool plain) {
  clStatus status = txGridBegin(call, y, grid, pass);
  if (status)
    return status;
  if (!grid->split || !plain) {
    txRect all = {0, 0, grid->layout.width, grid->layout.height};
    status = txGridDraw(call, y->context, pass, variant, plain ? txGridElements(grid) : elements, all);
  } else {
    status = txGridDraw(call, y->context, pass, variant, uniform ? "#define UNIFORM\n" : "", txGridInterior(grid));
    if (!status)
      status = txGridDrawFrame(call, pass, grid, variant);
  }
  return txGridEnd(y, pass, status);
}

void txGridAddShape(txPass *pass, const txGrid *A) {
  const txClasses *c = A->class;
  txPassUniform(pass,
                (txUniform){"class_range", 4, {(float)c[0].low, (float)c[0].high, (float)c[1].low, (float)c[1].high}});
  txPassUniform(pass, (txUniform){"class_texel", 2, {1 / (float)txClassCount(&c[0]), 1 / (float)txClassCount(&c[1])}});
  txPassUniform(pass, (txUniform){.name = "grid",
                                  .count = 4,
                                  .value = {(float)A->n[0], (float)A->n[1], A->periodic[0], A->periodic[1]},
                                  .integer = true});
}

void txGridAddCoefficients(txPass *pass, const txGrid *A, bool residual) {
  static const char *const name[TX_STENCIL] = {"a0", "a1", "a2", "a3", "diagonal", "a5", "a6", "a7", "a8"};
  for (int k = 0; k < TX_STENCIL; k++) {
    txTexture *t = k == TX_CENTRE && !residual ? A->inverse_diagonal : A->a[k];
    if (t)
      txPassSource(pass, name[k], t, TX_EDGE);
  }
  txPassUniform(pass, (txUniform){"interior", 3, .array = residual ? A->interior : A->inverse});
  txGridAddShape(pass, A);
}
