/* Levels of cycles by matrices that are spread over the ranks: products, and little else. A rank
 * that fails in their midst ends all of them, as the others wait for its halo. */
#include "core/try.h"
#include "mpi/cycle.h"

clStatus txSpreadMatricesFinish(txSpreadLevel *l, txSpreadLevel *next) {
  txSpreadMatrices *m = &l->matrices;
  TRY(clMatrixCreateVector(&l->r, m->A->own, TEXLA_RANGE));
  TRY(clMatrixCreateVector(&m->t, m->A->own, TEXLA_RANGE));
  TRY(clMatrixCreateVector(&m->inverse, m->A->own, TEXLA_RANGE));
  TRY(clMatrixDiagonal(m->t, m->A->own));
  TRY(clVectorFill(l->r, 1));
  TRY(clVectorDivZ(m->inverse, l->r, m->t));
  TRY(clMatrixCreateVector(&next->b, m->R.own, TEXLA_RANGE));
  return clMatrixCreateVector(&next->x, m->R.own, TEXLA_RANGE);
}

void txSpreadMatricesDestroy(txSpreadMatrices *m) {
  clVectorDestroy(m->inverse);
  clVectorDestroy(m->t);
  txSpreadDestroy(&m->own);
  txSpreadDestroy(&m->P);
  txSpreadDestroy(&m->R);
}

/* x <- x + weight D^-1 (b - A x) */
static clStatus sweep(txSpreadLevel *l, double weight) {
  txSpreadMatrices *m = &l->matrices;
  TRY(txSpreadMultiply(m->A, l->r, l->x, l->right));
  TRY(clVectorMul(m->t, m->inverse, l->r));
  return clVectorAxpy(l->x, (float)weight, NULL, m->t);
}

/* The first sweep from zero finds x = weight D^-1 b. */
static clStatus smooth(void *level, txSmoothing part) {
  txSpreadLevel *l = level;
  txSpreadMatrices *m = &l->matrices;
  bool zero = part == TX_SMOOTH_FROM_ZERO;
  if (zero) {
    TRY(clVectorMul(m->t, m->inverse, l->right));
    TRY(clVectorScale(l->x, (float)l->weight[0], NULL, m->t));
  }
  for (int k = 1; k < TX_SPREAD_SWEEPS && zero; k++)
    TRY(sweep(l, l->weight[k]));
  for (int k = TX_SPREAD_SWEEPS - 1; k >= 0 && !zero; k--)
    TRY(sweep(l, l->weight[k]));
  return TEXLA_OK;
}

static clStatus restrictResidual(void *level) {
  txSpreadLevel *l = level, *next = l + 1;
  TRY(txSpreadMultiply(l->matrices.A, l->r, l->x, l->right));
  return txSpreadMultiply(&l->matrices.R, next->b, l->r, NULL);
}

static clStatus prolong(void *level, bool start) {
  txSpreadLevel *l = level, *next = l + 1;
  txSpreadMatrices *m = &l->matrices;
  (void)start;
  TRY(txSpreadMultiply(&m->P, m->t, next->x, NULL));
  return clVectorAxpy(l->x, 1, NULL, m->t);
}

const txLevelOps txMatrixLevel = {
    .smooth = smooth, .residual = restrictResidual, .prolong = prolong};
