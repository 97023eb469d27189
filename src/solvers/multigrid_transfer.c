/* Between a grid and the next coarser one: three ways to do the same (clTransfer). */
#include "solvers/multigrid.h"

static const char call[] = "clMultigridCycle";

static clStatus multiplyTransposed(const txLevel *fine, clVector *y, const clVector *r) {
  clStatus status = clVectorCopy(fine->fine, r);
  if (!status)
    status = clMatrixVectorOp(fine->coarse, TEXLA_AX, fine->P, true, fine->fine, NULL);
  return status ? status : clVectorCopy(y, fine->coarse);
}

static clStatus multiply(const txLevel *fine, clVector *x, const clVector *e, bool start) {
  clStatus status = start ? clVectorClear(x) : TEXLA_OK;
  if (!status)
    status = clVectorCopy(fine->coarse, e);
  if (!status)
    status = clVectorCopy(fine->fine, x);
  if (!status)
    status = clMatrixVectorOp(fine->fine, TEXLA_AX_PLUS_B, fine->P, false, fine->coarse, fine->fine);
  return status ? status : clVectorCopy(x, fine->fine);
}

clStatus txMultigridRestrict(const clMultigrid *mg, int l, const clVector *r) {
  const txLevel *fine = &mg->level[l], *coarse = fine + 1;
  switch (mg->options.transfer) {
  case TEXLA_TRANSFER_MATRIX:
    return multiplyTransposed(fine, coarse->b, r);
  case TEXLA_TRANSFER_FILTER:
    return txFilterRestrict(call, coarse->b, fine->grid, coarse->grid, r);
  default:
    return txGridRestrict(call, coarse->b, fine->grid, coarse->grid, r);
  }
}

clStatus txMultigridProlong(const clMultigrid *mg, int l, clVector *x, bool start) {
  const txLevel *fine = &mg->level[l], *coarse = fine + 1;
  switch (mg->options.transfer) {
  case TEXLA_TRANSFER_MATRIX:
    return multiply(fine, x, coarse->x, start);
  case TEXLA_TRANSFER_FILTER:
    return txFilterProlong(call, x, fine->grid, coarse->grid, coarse->x, start);
  default:
    return txGridProlong(call, x, fine->grid, coarse->grid, coarse->x, start);
  }
}

clStatus txMultigridResidual(clMultigrid *mg, int l, const clVector *x, const clVector *b) {
  txLevel *fine = &mg->level[l], *coarse = fine + 1;
  if (mg->options.transfer == TEXLA_TRANSFER_STENCIL)
    return txGridCoarseResidual(call, coarse->b, fine->grid, coarse->grid, x, b, fine->r);
  clStatus status = txGridResidual(call, fine->r, fine->grid, x, b);
  return status ? status : txMultigridRestrict(mg, l, fine->r);
}
