/* Regions of a flow: cells that hang together through open faces.
 *
 * Fluid that nobody can leave cannot take any: where obstacles cut an inflow off from all outflows,
 * it stands still, unless its region gives as much through other inflows. */
#include "sim/flow.h"
#include "core/allocate.h"

#include <math.h>
#include <stdlib.h>

/* A region as it grows from its first cell. */
typedef struct flooding {
  /* cells, in the order in which they were found */
  int32_t *cell;
  int32_t cells;
  /* into it, and all that is given without its sign */
  double net, gross;
  bool leaks;
} flooding;

/* The side `s` of a cell, and the cell behind it: its index, -1 at a closed side or face, -2 at an
 * outflow. */
static int64_t beyond(const clFlow *flow, int32_t k, int s) {
  const clFlowOptions *o = &flow->options;
  int i = k % o->nx, j = k / o->nx, axis = s / 2;
  if (s % 2) {
    if (txFlowFace(flow, i, j, axis) > 0)
      return txFlowBehind(flow, i, j, axis);
    return -1;
  }
  int x = i - !axis, y = j - axis;
  if (x < 0 || y < 0) {
    if (txFlowGate(o, s))
      return -2;
    if (!txFlowPeriodic(o, axis))
      return -1;
    x = (x + o->nx) % o->nx;
    y = (y + o->ny) % o->ny;
  }
  if (txFlowFace(flow, x, y, axis) > 0)
    return (int64_t)y * o->nx + x;
  return -1;
}

/* Is that side of a cell one of the grid's? */
static bool isRim(const clFlowOptions *o, int32_t k, int s) {
  const int place[] = {k % o->nx, o->nx - 1 - k % o->nx, k / o->nx, o->ny - 1 - k / o->nx};
  return place[s] == 0;
}

/* Takes in the neighbours of a cell that nobody has seen yet, and what sides give it. */
static void addCell(flooding *region, const clFlow *flow, uint8_t *seen, int32_t k) {
  const int along[] = {k / flow->options.nx, k % flow->options.nx};
  for (int s = 0; s < 4; s++) {
    int64_t other = beyond(flow, k, s);
    region->leaks |= other == -2;
    if (other >= 0 && !seen[other]) {
      seen[other] = 1;
      region->cell[region->cells++] = (int32_t)other;
    }
    if (!isRim(&flow->options, k, s))
      continue;
    double given = txFlowThrough(&flow->options, s, along[s / 2]);
    region->gross += fabs(given);
    if (s % 2)
      given = -given;
    region->net += given;
  }
}

clStatus txFlowFindShut(clFlow *flow) {
  clError *error = txFlowError(flow);
  const int32_t n = (int32_t)clVectorLength(flow->u);
  int32_t *cell = txAllocate(error, "clFlow", (size_t)n, sizeof *cell, "the regions of the flow");
  uint8_t *seen = txAllocate(error, "clFlow", (size_t)n, 1, "the regions of the flow");
  clStatus status = TEXLA_OUT_OF_MEMORY;
  if (!cell || !seen)
    goto cleanup;
  for (int32_t start = 0; start < n; start++) {
    if (seen[start] || flow->solid[start])
      continue;
    flooding region = {.cell = cell};
    seen[start] = 1;
    cell[region.cells++] = start;
    for (int32_t k = 0; k < region.cells; k++)
      addCell(&region, flow, seen, cell[k]);
    bool shut = !region.leaks && fabs(region.net) > 1e-6 * region.gross;
    for (int32_t k = 0; k < region.cells; k++)
      flow->shut[cell[k]] = shut;
  }
  status = TEXLA_OK;
cleanup:
  free(cell);
  free(seen);
  return status;
}
