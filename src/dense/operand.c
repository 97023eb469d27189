/* Views as operands of passes: where they lie, if they consist of whole texels, or as copies. */
#include "core/try.h"
#include "dense/view.h"

/* C <- op(V) */
static clStatus copyView(clDense *C, clTranspose op, clDenseView V) {
  if (!txViewIsWhole(V))
    return clDenseViewCopy(clDenseViewAll(C), op, V);
  if (op == TEXLA_TRANSPOSE)
    return clDenseTranspose(C, V.matrix);
  return clDenseCopy(C, V.matrix);
}

/* A <- factor A */
static clStatus operandScale(const char *call, clDense *A, float factor) {
  txPass pass = {.kernel = "scale",
                 .source = {{"x", A->texture, TX_EDGE}},
                 .uniform = {{"factor", 1, {factor}}}};
  return txDenseRun(call, &pass, A);
}

/* With factor 0 the view is not even read: it may hold NaN. */
clStatus txViewTake(clDense **out, const char *call, clTranspose op, float factor, clDenseView V) {
  txViewSize shape = txViewSizeOf(op, V);
  clDense *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseCreate(&A, V.matrix->context, call, shape.rows, shape.cols, TEXLA_PACKING_2X2,
                            factor == 0));
  if (factor != 0)
    TRY_CLEANUP(copyView(A, op, V));
  if (factor != 0 && factor != 1)
    TRY_CLEANUP(operandScale(call, A, factor));
  *out = A;
  A = NULL;
cleanup:
  clDenseDestroy(A);
  return status;
}

/* A matrix that replaces all of another gives it its texture. */
clStatus txViewPut(const char *call, clDenseView V, clDense *A) {
  if (txViewIsWhole(V)) {
    txTexture *old = V.matrix->texture;
    V.matrix->texture = A->texture;
    A->texture = old;
    return TEXLA_OK;
  }
  if (txViewIsAligned(V))
    return txTexelsCopy(call, V.matrix->texture, txViewRect(V), A->texture, 0, 0);
  return clDenseViewCopy(V, TEXLA_NO_TRANSPOSE, clDenseViewAll(A));
}

/* A copy only where texels reach over the view's edge. */
clStatus txOperandOpen(txOperand *out, const char *call, clDenseView V) {
  *out = (txOperand){0};
  if (txViewIsAligned(V)) {
    *out = (txOperand){V.matrix->texture, V.col / 2, V.row / 2, NULL};
    return TEXLA_OK;
  }
  TRY(txViewTake(&out->copy, call, TEXLA_NO_TRANSPOSE, 1, V));
  out->texture = out->copy->texture;
  return TEXLA_OK;
}

void txOperandClose(txOperand *operand) {
  clDenseDestroy(operand->copy);
}
