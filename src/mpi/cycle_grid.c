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
static clStatus sweepFromZero(txSpreadLevel *l) {
  txSpreadGrid *g = &l->stencils;
  txSweep first = sweepOf(l->weight[0]), second = sweepOf(l->weight[1]);
  txHaloStart(&g->neighbours, l->right);
  if (g->grid)
    TRY(txGridSweep(call, l->x, g->grid, l->right, &second, &first));
  txHaloFinish(&g->neighbours, TX_HALO_STARTED, l->x, (float)(-l->weight[0] * l->weight[1]));
  return TEXLA_OK;
}

/* x <- x + weight D^-1 (b - A x) */
static clStatus sweep(txSpreadLevel *l, double weight) {
  txSpreadGrid *g = &l->stencils;
  txSweep one = sweepOf(weight);
  txHaloStart(&g->neighbours, l->x);
  if (g->grid)
    TRY(txGridSweep(call, l->x, g->grid, l->right, &one, NULL));
  txHaloFinish(&g->neighbours, TX_HALO_SCALED, l->x, (float)-weight);
  return TEXLA_OK;
}

static clStatus smooth(void *level, txSmoothing part) {
  txSpreadLevel *l = level;
  if (part == TX_SMOOTH_FROM_ZERO)
    return sweepFromZero(l);
  for (int k = TX_SPREAD_SWEEPS - 1; k >= 0; k--)
    TRY(sweep(l, l->weight[k]));
  return TEXLA_OK;
}

/* Without neighbours the residual need not be stored. */
static clStatus restrictResidual(void *level) {
  txSpreadLevel *l = level, *next = l + 1;
  txSpreadGrid *g = &l->stencils;
  const txGrid *coarse = next->stencils.grid;
  if (g->grid && txHaloEmpty(&g->neighbours))
    return txGridCoarseResidual(call, next->b, g->grid, coarse, l->x, l->right, l->r);
  txHaloStart(&g->neighbours, l->x);
  if (g->grid)
    TRY(txGridResidual(call, l->r, g->grid, l->x, l->right));
  txHaloFinish(&g->neighbours, TX_HALO_PLAIN, l->r, -1);
  txHaloStart(&g->fine, l->r);
  if (g->grid)
    TRY(txGridRestrict(call, next->b, g->grid, coarse, l->r));
  txHaloFinish(&g->fine, TX_HALO_PLAIN, next->b, 1);
  return TEXLA_OK;
}

static clStatus prolong(void *level, bool start) {
  txSpreadLevel *l = level, *next = l + 1;
  txSpreadGrid *g = &l->stencils;
  txHaloStart(&g->coarse, next->x);
  if (g->grid)
    TRY(txGridProlong(call, l->x, g->grid, next->stencils.grid, next->x, start));
  txHaloFinish(&g->coarse, TX_HALO_PLAIN, l->x, 1);
  return TEXLA_OK;
}

const txLevelOps txGridLevel = {.smooth = smooth, .residual = restrictResidual, .prolong = prolong};
