/* matrixVectorOp (K6): one entry point, one small table per storage. */
#ifndef TEXLA_OPS_MATVEC_H
#define TEXLA_OPS_MATVEC_H

#include "objects/matrix.h"
#include "ops/run.h"

typedef struct txStorageOps {
  /* y <- ca op(A) x + cb b. Operands were checked: contexts, lengths, layouts, x is not y. b is NULL when cb is 0; it may be y. */
  clStatus (*multiply)(const char *call, clVector *y, float ca, const clMatrix *A, bool transposed, const clVector *x,
                       float cb, const clVector *b);
  /* d_i <- a_ii of a square matrix */
  clStatus (*diagonal)(const char *call, clVector *d, const clMatrix *A);
} txStorageOps;

extern const txStorageOps txDenseOps, txBandedOps, txPointsOps, txCsrOps, txSlotsOps;

/* Column j of a dense matrix <- x, in one pass. x has the layout of A's columns and is not checked. */
clStatus txColumnsSet(const char *call, clMatrix *A, int32_t j, const clVector *x);

#endif
