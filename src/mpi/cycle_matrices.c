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
static clStatus sweep(txSpreadLevel *l, clVector *x, const clVector *b, double weight) {
  txSpreadMatrices *m = &l->matrices;
  TRY(txSpreadMultiply(m->A, l->r, x, b));
  TRY(clVectorMul(m->t, m->inverse, l->r));
  return clVectorAxpy(x, (float)weight, NULL, m->t);
}

/* The first sweep finds x = weight D^-1 b. */
static clStatus down(txSpreadLevel *l, txSpreadLevel *next, clVector *x, const clVector *b) {
  txSpreadMatrices *m = &l->matrices;
  TRY(clVectorMul(m->t, m->inverse, b));
  TRY(clVectorScale(x, (float)l->weight[0], NULL, m->t));
  for (int k = 1; k < TX_SPREAD_SWEEPS; k++)
    TRY(sweep(l, x, b, l->weight[k]));
  TRY(txSpreadMultiply(m->A, l->r, x, b));
  return txSpreadMultiply(&m->R, next->b, l->r, NULL);
}

static clStatus up(txSpreadLevel *l, txSpreadLevel *next, clVector *x, const clVector *b) {
  txSpreadMatrices *m = &l->matrices;
  TRY(txSpreadMultiply(&m->P, m->t, next->x, NULL));
  TRY(clVectorAxpy(x, 1, NULL, m->t));
  for (int k = TX_SPREAD_SWEEPS - 1; k >= 0; k--)
    TRY(sweep(l, x, b, l->weight[k]));
  return TEXLA_OK;
}

const txSpreadSteps txMatrixSteps = {.down = down, .up = up};
