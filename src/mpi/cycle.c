/* What cycles do, whoever has set their levels up. */
#include "mpi/cycle.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clClusterSolve";

/* ---- Setup ----------------------------------------------------------------------------------- */

/* 1 over the roots of Chebyshev's polynomial on the upper three quarters of D^-1 A's spectrum. */
void txSpreadWeights(txSpreadLevel *l, double largest) {
  double middle = largest * (1 + 0.25) / 2, half = largest * (1 - 0.25) / 2;
  for (int k = 0; k < TX_SPREAD_SWEEPS; k++)
    l->weight[k] =
        1 / (middle + half * cos(3.14159265358979323846 * (2 * k + 1) / (2 * TX_SPREAD_SWEEPS)));
}

static clStatus solveGathered(void *cycle);
static const txLevelOps gathered = {.solve = solveGathered};

/* Where the parts of the coarsest level begin in the gathered vector, and how long they are. */
clStatus txSpreadCycleParts(txSpreadCycle *c, const txLevelOps *ops) {
  const txNumbering *n = &c->level[c->levels].numbering;
  clCluster *cluster = c->cluster;
  for (int k = 0; k < c->levels; k++) {
    c->cycle.level[k] = (txCycleLevel){ops, &c->level[k]};
    c->level[k + 1].right = c->level[k + 1].b;
  }
  c->cycle.level[c->levels] = (txCycleLevel){&gathered, c};
  c->cycle.levels = c->levels + 1;
  size_t ranks = (size_t)cluster->size, points = (size_t)n->nx * (size_t)n->ny;
  c->count = txAllocate(&cluster->error, call, 2 * ranks, sizeof *c->count, "multigrid");
  if (!c->count)
    return TEXLA_OUT_OF_MEMORY;
  c->first = c->count + ranks;
  for (int r = 0, at = 0; r < cluster->size; r++) {
    txRectangle part = txNumberingPart(n, r);
    c->count[r] = part.nx * part.ny;
    c->first[r] = at;
    at += c->count[r];
  }
  size_t mine = (size_t)c->count[cluster->rank] + 1;
  if (cluster->rank)
    points = 0;
  c->mine = txAllocate(&cluster->error, call, mine, sizeof *c->mine, "multigrid");
  c->all = txAllocate(&cluster->error, call, points, sizeof *c->all, "multigrid");
  c->ordered = txAllocate(&cluster->error, call, points, sizeof *c->ordered, "multigrid");
  if (!c->mine || !c->all || !c->ordered)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

void txSpreadCycleDestroy(txSpreadCycle *c) {
  if (!c)
    return;
  for (int k = 0; k < TX_SPREAD_LEVELS; k++) {
    txSpreadLevel *l = &c->level[k];
    clVectorDestroy(l->x);
    clVectorDestroy(l->b);
    clVectorDestroy(l->r);
    txSpreadMatricesDestroy(&l->matrices);
    txSpreadGridDestroy(&l->stencils);
    txNumberingDestroy(&l->numbering);
  }
  if (c->coarsest.destroy)
    c->coarsest.destroy(c->coarsest.data);
  clMatrixDestroy(c->matrix);
  clVectorDestroy(c->x);
  clVectorDestroy(c->b);
  free(c->count);
  free(c->mine);
  free(c->all);
  free(c->ordered);
  free(c);
}

/* ---- A cycle --------------------------------------------------------------------------------- */

typedef enum direction { TO_ROWS, TO_PARTS } direction;

/* Rank after rank to row after row, or the other way. */
static void order(const txSpreadCycle *c, direction to) {
  const txNumbering *n = &c->level[c->levels].numbering;
  for (int r = 0; r < c->cluster->size; r++) {
    txRectangle part = txNumberingPart(n, r);
    size_t bytes = (size_t)part.nx * sizeof(float);
    for (int j = 0; j < part.ny; j++) {
      float *row = c->ordered + (size_t)(part.y + j) * (size_t)n->nx + part.x;
      float *packed = c->all + c->first[r] + (size_t)j * (size_t)part.nx;
      if (to == TO_ROWS)
        memcpy(row, packed, bytes);
      else
        memcpy(packed, row, bytes);
    }
  }
}

/* On rank 0: the parts of b become those of the coarsest grid's correction. */
static clStatus solveAll(txSpreadCycle *c) {
  order(c, TO_ROWS);
  TRY(clVectorUpload(c->b, c->ordered));
  TRY(c->coarsest.apply(c->coarsest.data, c->x, c->b));
  TRY(clVectorDownload(c->x, c->ordered));
  order(c, TO_PARTS);
  return TEXLA_OK;
}

/* x <- the coarsest grid's correction for b, by way of rank 0. A rank that fails ends all. */
static clStatus solveGathered(void *cycle) {
  txSpreadCycle *c = cycle;
  clCluster *k = c->cluster;
  const txSpreadLevel *l = &c->level[c->levels];
  const txNumbering *n = &l->numbering;
  int own = c->count[k->rank];
  bool root = k->rank == 0;
  MPI_Request request;
  txClusterMust(k, clVectorDownload(l->right, c->mine));
  double began = txTrafficBegin();
  MPI_Igatherv(c->mine, own, MPI_FLOAT, c->all, c->count, c->first, MPI_FLOAT, 0, k->comm,
               &request);
  txWaitall(k, 1, &request);
  txTrafficEnd(k, began, root ? 4 * ((int64_t)n->nx * n->ny - own) : 0);
  if (root)
    txClusterMust(k, solveAll(c));
  began = txTrafficBegin();
  MPI_Iscatterv(c->all, c->count, c->first, MPI_FLOAT, c->mine, own, MPI_FLOAT, 0, k->comm,
                &request);
  txWaitall(k, 1, &request);
  txTrafficEnd(k, began, root ? 0 : 4 * own);
  return clVectorUpload(l->x, c->mine);
}

/* z <- M r, as solvers call a preconditioner: vectors of the finest level for one cycle. */
clStatus txSpreadCycleApply(void *data, clVector *z, const clVector *r) {
  txSpreadCycle *c = data;
  txSpreadLevel *l = c->level;
  clVector *own = l->x;
  l->x = z;
  l->right = r;
  clStatus status = txCycleRun(&c->cycle, true, true);
  l->x = own;
  return status;
}
