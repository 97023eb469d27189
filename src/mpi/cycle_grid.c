/* Levels of cycles by stencils: each rank draws the passes of src/multigrid on its rectangle, as if
 * there were zeros around it, and adds to the rim what other ranks' points contribute. A rank that
 * fails in their midst ends all of them, as the others wait for its halo. */
#include "core/try.h"
#include "mpi/cycle.h"

static const char call[] = "clClusterSolve (mg)";

void txSpreadGridDestroy(txSpreadGrid *g) {
  txGridDestroy(g->grid);
  txHaloDestroy(&g->neighbours);
  txHaloDestroy(&g->fine);
  txHaloDestroy(&g->coarse);
}

static txSweep sweepOf(double weight) {
  txSweep sweep = {.kind = TX_RELAX_POINTS};
  for (int lane = 0; lane < 4; lane++)
    sweep.even[lane] = sweep.odd[lane] = (float)weight;
  return sweep;
}

/* The first two sweeps from zero are one pass, in which x counts as w D^-1 b: so b is what the
 * neighbours exchange, and their entries are weighted with D^-1 on both sides. */
_Static_assert(TX_SPREAD_SWEEPS == 2, "the sweeps from zero are one pass");
static clStatus sweepFromZero(txSpreadLevel *l, clVector *x, const clVector *b) {
  txSpreadGrid *g = &l->stencils;
  txSweep first = sweepOf(l->weight[0]), second = sweepOf(l->weight[1]);
  txHaloStart(&g->neighbours, b);
  if (g->grid)
    TRY(txGridSweep(call, x, g->grid, b, &second, &first));
  txHaloFinish(&g->neighbours, TX_HALO_STARTED, x, (float)(-l->weight[0] * l->weight[1]));
  return TEXLA_OK;
}

/* x <- x + weight D^-1 (b - A x) */
static clStatus sweep(txSpreadLevel *l, clVector *x, const clVector *b, double weight) {
  txSpreadGrid *g = &l->stencils;
  txSweep one = sweepOf(weight);
  txHaloStart(&g->neighbours, x);
  if (g->grid)
    TRY(txGridSweep(call, x, g->grid, b, &one, NULL));
  txHaloFinish(&g->neighbours, TX_HALO_SCALED, x, (float)-weight);
  return TEXLA_OK;
}

/* next->b <- R (b - A x). Without neighbours the residual need not be stored. */
static clStatus restrictResidual(txSpreadLevel *l, txSpreadLevel *next, const clVector *x,
                                 const clVector *b) {
  txSpreadGrid *g = &l->stencils;
  const txGrid *coarse = next->stencils.grid;
  if (g->grid && txHaloEmpty(&g->neighbours))
    return txGridCoarseResidual(call, next->b, g->grid, coarse, x, b, l->r);
  txHaloStart(&g->neighbours, x);
  if (g->grid)
    TRY(txGridResidual(call, l->r, g->grid, x, b));
  txHaloFinish(&g->neighbours, TX_HALO_PLAIN, l->r, -1);
  txHaloStart(&g->fine, l->r);
  if (g->grid)
    TRY(txGridRestrict(call, next->b, g->grid, coarse, l->r));
  txHaloFinish(&g->fine, TX_HALO_PLAIN, next->b, 1);
  return TEXLA_OK;
}

static clStatus down(txSpreadLevel *l, txSpreadLevel *next, clVector *x, const clVector *b) {
  TRY(sweepFromZero(l, x, b));
  return restrictResidual(l, next, x, b);
}

static clStatus up(txSpreadLevel *l, txSpreadLevel *next, clVector *x, const clVector *b) {
  txSpreadGrid *g = &l->stencils;
  txHaloStart(&g->coarse, next->x);
  if (g->grid)
    TRY(txGridProlong(call, x, g->grid, next->stencils.grid, next->x, false));
  txHaloFinish(&g->coarse, TX_HALO_PLAIN, x, 1);
  for (int k = TX_SPREAD_SWEEPS - 1; k >= 0; k--)
    TRY(sweep(l, x, b, l->weight[k]));
  return TEXLA_OK;
}

const txSpreadSteps txGridSteps = {.down = down, .up = up};
