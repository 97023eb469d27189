/* r <- b - A x in double-float. Each storage has a kernel that accumulates -A x and ends in
 * shaders/matrix/residual.glsl. */
#ifndef TEXLA_MATRIX_RESIDUAL_H
#define TEXLA_MATRIX_RESIDUAL_H

#include "matrix/storage.h"
#include "vector/double.h"

/* The result is `pair`, or `single` <- factor (b - A x), rounded. pair may be b, not x. Operands
 * were checked. */
struct txResidual {
  /* NULL: single */
  clDoubleVector *pair;
  clVector *single;
  float factor;
  const clMatrix *A;
  const clDoubleVector *x, *b;
};

/* Completes a pass: b, the factor, and the pass's own defines in `text` with those that
 * residual.glsl wants. */
void txResidualPass(txPass *pass, char *text, size_t n, const char *defines, const txResidual *r);
/* Completes and runs it, into the result. */
clStatus txResidualRun(const char *call, txPass *pass, const char *defines, const txResidual *r);

/* The residuals of the storages (txStorage.residual). */
clStatus txBandedResidual(const char *call, const txResidual *r);
clStatus txColumnsResidual(const char *call, const txResidual *r);
clStatus txCsrResidual(const char *call, const txResidual *r);
clStatus txSlotsResidual(const char *call, const txResidual *r);

/* factor (b - A x), rounded, with the lower parts that A keeps: clMatrixResidualRounded where
 * operands are known to fit. */
clStatus txMatrixResidual(const char *call, const txResidual *r);

/* For clMatrixOptions.double_float: A->low, and what the storage needs beside. */
clStatus txMatrixAddLow(clMatrix *A, const txRows *rows);

#endif
