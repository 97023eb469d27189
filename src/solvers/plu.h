/* clPlu inside. */
#ifndef TEXLA_SOLVERS_PLU_H
#define TEXLA_SOLVERS_PLU_H

#include "ops/panel.h"

struct clPlu {
  clContext *context;
  int rows, cols;
  clEliminationOptions options;
  int panel; /* columns between two updates of all that is right of them */
  clDense *factors;
  txPanels panels;
  txTexture *inverse; /* of L's diagonal blocks */
  float *moves;       /* of all panels, on the host */
  float *places;      /* of rows, by step */
  float *pivots;
  float scale; /* what was factored is A times this power of two */
  int32_t *row_order, *col_order, *scratch;
  double norm_one; /* ||A||_1 */
  clPluReport report;
  bool factored, singular;
};

/* What an elimination of A needs to know beforehand. Blocks. */
typedef struct txMagnitude {
  double largest;  /* max |a_ij| */
  float factor;    /* a power of two that brings it near 1 where it is far from it, else 1 */
  float tolerance; /* for the scaled matrix */
} txMagnitude;
clStatus txMagnitudeOf(const char *call, txMagnitude *out, const clDense *A, const clEliminationOptions *options);

clStatus txEliminationCheck(const char *call, const clContext *context, const clEliminationOptions *options);

/* Pivot i of A, as it came. */
double txPluPivot(const clPlu *plu, int i);

/* Fails unless there are factors to solve with. */
clStatus txPluReady(const clPlu *plu, const char *call);
/* x <- op(A)^-1 x, n numbers on the host, through `device`, n x 1. */
clStatus txPluSolveVector(const clPlu *plu, clDenseOp op, clDense *device, float *x);
/* *norm <- an estimate of ||op(A)^-1||_1, never above it but for rounding (Higham, Algorithm 15.4 with one column) */
clStatus txPluInverseNorm(const clPlu *plu, const char *call, clDenseOp op, double *norm);

#endif
