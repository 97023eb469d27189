/* What operators on clDense ask of their arguments. */
#include "core/try.h"
#include "dense/entries.h"

#include <math.h>

clStatus txDenseCheck(const char *call, clContext *context, const char *name, const clDense *A) {
  if (!A)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL", name);
  return txContextSame(context, A->context, call);
}

/* Kernels that compute with blocks of 2 x 2 read nothing else. */
clStatus txDenseCheckPacked(const char *call, clContext *context, const char *name,
                            const clDense *A) {
  TRY(txDenseCheck(call, context, name, A));
  if (A->packing == TEXLA_PACKING_2X2)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_UNSUPPORTED, call,
                "%s is in %s packing but must be in 2x2 (clDenseCopy converts)", name,
                clPackingName(A->packing));
}

clContext *txDenseFirstContext(const clDense *output, const clDense *operand) {
  if (output)
    return clDenseContext(output);
  return clDenseContext(operand);
}

clStatus txDenseCheckOp(const char *call, clContext *context, clTranspose op) {
  if (op == TEXLA_NO_TRANSPOSE || op == TEXLA_TRANSPOSE)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                "op is %d, neither TEXLA_NO_TRANSPOSE nor TEXLA_TRANSPOSE", (int)op);
}

clStatus txDenseCheckFactor(const char *call, clContext *context, const char *name, float factor) {
  if (isfinite(factor))
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_NOT_FINITE, call, "the factor %s is %g", name,
                (double)factor);
}
