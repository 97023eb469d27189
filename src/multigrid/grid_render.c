#include "multigrid/grid_render.h"
#include "core/try.h"

#include <stdio.h>

clStatus txGridDraw(const char *call, clContext *context, txPass *pass, const char *variant,
                    const char *more) {
  char text[256];
  snprintf(text, sizeof text, "%s%s", variant, more);
  pass->defines = text;
  clStatus status = txPassRun(context, call, pass);
  pass->defines = NULL;
  return status;
}

static bool gridRenderIsPeriodic(const txGrid *grid) {
  return grid->periodic[0] || grid->periodic[1];
}

const char *txGridElements(const txGrid *grid) {
  return gridRenderIsPeriodic(grid) ? "#define RIM_ELEMENTS\n" : "";
}

const char *txGridResidualVariant(const txGrid *grid) {
  return grid->nine ? "#define NINE\n#define RESIDUAL\n" : "#define RESIDUAL\n";
}

void txGridRim(char text[TX_RIM_TEXT], const char *elements, bool uniform) {
  const char *inner = uniform ? "#define INNER_UNIFORM\n" : "";
  snprintf(text, TX_RIM_TEXT, "%s%s", elements, inner);
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

clStatus txGridRender(const char *call, clVector *y, const txGrid *grid, txPass *pass,
                      const char *variant, bool uniform, bool plain) {
  TRY(txGridBegin(call, y, grid, pass));
  char more[TX_RIM_TEXT];
  if (grid->split && plain)
    pass->inside = txGridInterior(grid);
  txGridRim(more, plain ? txGridElements(grid) : "#define RIM_ELEMENTS\n", plain && uniform);
  return txGridEnd(y, pass, txGridDraw(call, y->context, pass, variant, more));
}

void txGridAddSize(txPass *pass, const txGrid *A) {
  txPassUniform(
      pass, (txUniform){.name = "grid",
                        .count = 4,
                        .value = {(float)A->n[0], (float)A->n[1], A->periodic[0], A->periodic[1]},
                        .integer = true});
}

void txGridAddCoarsening(txPass *pass, const txGrid *A, const int coarse[2]) {
  const txAxisCoarsening *c = A->coarsening;
  txPassUniform(pass, (txUniform){.name = "coarsening",
                                  .count = 4,
                                  .value = {(float)c[0].stride, (float)c[1].stride,
                                            (float)c[0].first, (float)c[1].first},
                                  .integer = true});
  txPassUniform(pass, (txUniform){.name = "coarse",
                                  .count = 2,
                                  .value = {(float)coarse[0], (float)coarse[1]},
                                  .integer = true});
}

void txGridAddShape(txPass *pass, const txGrid *A) {
  const txClasses *c = A->class;
  txPassUniform(
      pass, (txUniform){"class_range",
                        4,
                        {(float)c[0].low, (float)c[0].high, (float)c[1].low, (float)c[1].high}});
  txPassUniform(pass,
                (txUniform){"class_texel",
                            2,
                            {1 / (float)txClassCount(&c[0]), 1 / (float)txClassCount(&c[1])}});
  txGridAddSize(pass, A);
}

void txGridAddCoefficients(txPass *pass, const txGrid *A, bool residual) {
  static const char *const name[TX_STENCIL] = {"a0", "a1", "a2", "a3", "diagonal",
                                               "a5", "a6", "a7", "a8"};
  for (int k = 0; k < TX_STENCIL; k++) {
    txTexture *t = k == TX_CENTRE && !residual ? A->inverse_diagonal : A->a[k];
    if (t)
      txPassSource(pass, name[k], t, TX_EDGE);
  }
  txPassUniform(pass, (txUniform){"interior", 3, .array = residual ? A->interior : A->inverse});
  txGridAddShape(pass, A);
}
