/* Sweeps over the points of a grid, residuals. */
#include "multigrid/grid_render.h"

#include <stdio.h>

static bool oneFactor(const txSweep *sweep) {
  bool same = true;
  for (int lane = 0; lane < 4; lane++)
    same &= sweep->even[lane] == sweep->even[0] && sweep->odd[lane] == sweep->even[0];
  return same;
}

static void addLanes(txPass *pass, const char *name, const float v[4]) {
  txPassUniform(pass, (txUniform){name, 4, {v[0], v[1], v[2], v[3]}});
}

clStatus txGridSweep(const char *call, clVector *x, const txGrid *A, const clVector *b,
                     const txSweep *sweep, const txSweep *start) {
  const clVector *from = start ? b : x;
  /* Without a start its factors are not read. */
  const txSweep *first = start ? start : sweep;
  bool coloured = !oneFactor(sweep) || !oneFactor(first);
  txPass pass = {.kernel = "grid_sweep",
                 .source = {{"x", from->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}},
                 .uniform = {{"factor", 1, {sweep->even[0]}}, {"start", 1, {first->even[0]}}}};
  addLanes(&pass, "factor_even", sweep->even);
  addLanes(&pass, "factor_odd", sweep->odd);
  addLanes(&pass, "start_even", first->even);
  addLanes(&pass, "start_odd", first->odd);
  txGridAddCoefficients(&pass, A, false);
  char variant[64];
  const char *nine = A->nine ? "#define NINE\n" : "";
  const char *zero = start ? "#define START\n" : "";
  const char *colours = coloured ? "#define COLOURED\n" : "";
  snprintf(variant, sizeof variant, "%s%s%s", nine, zero, colours);
  return txGridRender(call, x, A, &pass, variant, A->uniform, true);
}

clStatus txGridResidual(const char *call, clVector *r, const txGrid *A, const clVector *x,
                        const clVector *b) {
  txPass pass = {.kernel = "grid_sweep",
                 .source = {{"x", x->texture, TX_EDGE}, {"b", b->texture, TX_EDGE}}};
  txGridAddCoefficients(&pass, A, true);
  return txGridRender(call, r, A, &pass, txGridResidualVariant(A), A->uniform, true);
}
