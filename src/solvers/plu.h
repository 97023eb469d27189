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
  float *moves; /* of all panels, on the host */
  int32_t *row_order, *col_order, *scratch;
  double norm_one; /* ||A||_1 */
  clPluReport report;
  bool factored, singular;
};

/* What an elimination of A needs to know beforehand. Blocks. */
typedef struct txScaling {
  double largest;  /* max |a_ij| */
  float factor;    /* a power of two that brings it near 1 where it is far from it, else 1 */
  float tolerance; /* for the scaled matrix */
} txScaling;
clStatus txScalingOf(const char *call, txScaling *out, const clDense *A, const clEliminationOptions *options);

/* Columns [first, first + count) of one panel or more: eliminates them and applies their transformation to them. */
clStatus txEliminationCheck(const char *call, const clContext *context, const clEliminationOptions *options);

#endif
