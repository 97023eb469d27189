/* What cycles do, whoever has set their levels up. */
#include "mpi/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Setup ----------------------------------------------------------------------------------- */

/* 1 over the roots of Chebyshev's polynomial on the upper three quarters of D^-1 A's spectrum. */
static void chooseWeights(txSpreadLevel *l, double largest) {
  double middle = largest * (1 + 0.25) / 2, half = largest * (1 - 0.25) / 2;
  for (int k = 0; k < TX_SPREAD_SWEEPS; k++)
    l->weight[k] =
        1 / (middle + half * cos(3.14159265358979323846 * (2 * k + 1) / (2 * TX_SPREAD_SWEEPS)));
}

clStatus txSpreadLevelFinish(txSpreadLevel *l, double largest) {
  clVector **vector[] = {&l->inverse, &l->x, &l->b, &l->r, &l->t};
  clStatus status = TEXLA_OK;
  chooseWeights(l, largest);
  for (int k = 0; k < 5 && !status; k++)
    if (!*vector[k])
      status = clMatrixCreateVector(vector[k], l->A->own, TEXLA_RANGE);
  if (!status)
    status = clMatrixDiagonal(l->t, l->A->own);
  if (!status)
    status = clVectorFill(l->r, 1);
  return status ? status : clVectorDivZ(l->inverse, l->r, l->t);
}

clStatus txSpreadLevelEnds(const txSpreadLevel *l, txSpreadLevel *next) {
  clStatus status = clMatrixCreateVector(&next->b, l->R.own, TEXLA_RANGE);
  return status ? status : clMatrixCreateVector(&next->x, l->R.own, TEXLA_RANGE);
}

void txSpreadCycleParts(txSpreadCycle *c) {
  const txNumbering *n = &c->level[c->levels].numbering;
  clCluster *cluster = c->cluster;
  size_t ranks = (size_t)cluster->size, points = (size_t)n->nx * (size_t)n->ny;
  c->count = txClusterAllocate(cluster, 2 * ranks, sizeof *c->count, "multigrid");
  c->first = c->count + ranks;
  for (int r = 0, at = 0; r < cluster->size; r++) {
    txRectangle part = txNumberingPart(n, r);
    c->count[r] = part.nx * part.ny;
    c->first[r] = at;
    at += c->count[r];
  }
  c->mine =
      txClusterAllocate(cluster, (size_t)c->count[cluster->rank] + 1, sizeof *c->mine, "multigrid");
  c->all = txClusterAllocate(cluster, cluster->rank ? 0 : points, sizeof *c->all, "multigrid");
  c->ordered =
      txClusterAllocate(cluster, cluster->rank ? 0 : points, sizeof *c->ordered, "multigrid");
}

void txSpreadCycleDestroy(txSpreadCycle *c) {
  if (!c)
    return;
  for (int k = 0; k < TX_SPREAD_LEVELS; k++) {
    txSpreadLevel *l = &c->level[k];
    clVector *const vector[] = {l->inverse, l->x, l->b, l->r, l->t};
    for (int v = 0; v < 5; v++)
      clVectorDestroy(vector[v]);
    txSpreadDestroy(&l->own);
    txSpreadDestroy(&l->P);
    txSpreadDestroy(&l->R);
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

/* Rank after rank to row after row, or the other way. */
static void order(const txSpreadCycle *c, bool back) {
  const txNumbering *n = &c->level[c->levels].numbering;
  for (int r = 0; r < c->cluster->size; r++) {
    txRectangle part = txNumberingPart(n, r);
    for (int j = 0; j < part.ny; j++) {
      float *row = c->ordered + (size_t)(part.y + j) * (size_t)n->nx + part.x;
      float *packed = c->all + c->first[r] + (size_t)j * (size_t)part.nx;
      memcpy(back ? packed : row, back ? row : packed, (size_t)part.nx * sizeof *row);
    }
  }
}

/* x <- the coarsest grid's correction for b, by way of rank 0 */
static clStatus solveGathered(txSpreadCycle *c, clVector *x, const clVector *b) {
  clCluster *k = c->cluster;
  int own = c->count[k->rank];
  clStatus status = clVectorDownload(b, c->mine);
  double began = txTrafficBegin();
  MPI_Request request;
  MPI_Igatherv(c->mine, own, MPI_FLOAT, c->all, c->count, c->first, MPI_FLOAT, 0, k->comm,
               &request);
  txWaitall(k, 1, &request);
  const txNumbering *n = &c->level[c->levels].numbering;
  txTrafficEnd(k, began, k->rank ? 0 : 4 * ((int64_t)n->nx * n->ny - own));
  if (!status && k->rank == 0) {
    order(c, false);
    status = clVectorUpload(c->b, c->ordered);
    if (!status)
      status = c->coarsest.apply(c->coarsest.data, c->x, c->b);
    if (!status)
      status = clVectorDownload(c->x, c->ordered);
    order(c, true);
  }
  txClusterMust(k, status);
  began = txTrafficBegin();
  MPI_Iscatterv(c->all, c->count, c->first, MPI_FLOAT, c->mine, own, MPI_FLOAT, 0, k->comm,
                &request);
  txWaitall(k, 1, &request);
  txTrafficEnd(k, began, k->rank ? 4 * own : 0);
  return clVectorUpload(x, c->mine);
}

/* x <- x + weight D^-1 (b - A x), where x may be zero */
static clStatus sweep(txSpreadLevel *l, clVector *x, const clVector *b, double weight, bool zero) {
  clStatus status = zero ? TEXLA_OK : txSpreadMultiply(l->A, l->r, x, b);
  if (!status)
    status = clVectorMul(l->t, l->inverse, zero ? b : l->r);
  if (status)
    return status;
  return zero ? clVectorScale(x, (float)weight, NULL, l->t)
              : clVectorAxpy(x, (float)weight, NULL, l->t);
}

static clStatus cycle(txSpreadCycle *c, int at, clVector *x, const clVector *b) {
  if (at == c->levels)
    return solveGathered(c, x, b);
  txSpreadLevel *l = &c->level[at], *next = l + 1;
  clStatus status = TEXLA_OK;
  for (int k = 0; k < TX_SPREAD_SWEEPS && !status; k++)
    status = sweep(l, x, b, l->weight[k], k == 0);
  if (!status)
    status = txSpreadMultiply(l->A, l->r, x, b);
  if (!status)
    status = txSpreadMultiply(&l->R, next->b, l->r, NULL);
  if (!status)
    status = cycle(c, at + 1, next->x, next->b);
  if (!status)
    status = txSpreadMultiply(&l->P, l->t, next->x, NULL);
  if (!status)
    status = clVectorAxpy(x, 1, NULL, l->t);
  for (int k = TX_SPREAD_SWEEPS - 1; k >= 0 && !status; k--)
    status = sweep(l, x, b, l->weight[k], false);
  return status;
}

/* The caller's vectors are grids, those of the levels linear. */
clStatus txSpreadCycleApply(void *data, clVector *z, const clVector *r) {
  txSpreadCycle *c = data;
  if (c->levels == 0)
    return solveGathered(c, z, r);
  txSpreadLevel *l = &c->level[0];
  clStatus status = clVectorCopy(l->b, r);
  if (!status)
    status = cycle(c, 0, l->x, l->b);
  return status ? status : clVectorCopy(z, l->x);
}
