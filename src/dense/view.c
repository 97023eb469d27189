#include "dense/view.h"
#include "core/try.h"
#include "dense/triangular.h"

clDenseView clDenseViewAll(const clDense *A) {
  return (clDenseView){(clDense *)A, 0, 0, clDenseRows(A), clDenseCols(A)};
}

clDenseView clDenseViewBlock(const clDense *A, int row, int col, int rows, int cols) {
  return (clDenseView){(clDense *)A, row, col, rows, cols};
}

clStatus txViewCheck(const char *call, clContext *context, const char *name, clDenseView V) {
  TRY(txDenseCheck(call, context, name, V.matrix));
  const clDense *A = V.matrix;
  bool inside = V.rows >= 1 && V.cols >= 1 && V.row >= 0 && V.col >= 0 &&
                V.rows <= A->rows - V.row && V.cols <= A->cols - V.col;
  if (inside)
    return TEXLA_OK;
  return txFail(txContextError(context), TEXLA_BAD_SHAPE, call,
                "the view of %s, %d x %d from row %d and column %d on, is empty or reaches outside "
                "of the %d x %d matrix",
                name, V.rows, V.cols, V.row, V.col, A->rows, A->cols);
}

clStatus txViewCheckPacked(const char *call, clContext *context, const char *name, clDenseView V) {
  TRY(txDenseCheckPacked(call, context, name, V.matrix));
  return txViewCheck(call, context, name, V);
}

txViewSize txViewSizeOf(clTranspose op, clDenseView V) {
  return op == TEXLA_TRANSPOSE ? (txViewSize){V.cols, V.rows} : (txViewSize){V.rows, V.cols};
}

bool txViewIsWhole(clDenseView V) {
  return V.row == 0 && V.col == 0 && V.rows == V.matrix->rows && V.cols == V.matrix->cols;
}

bool txViewIsAligned(clDenseView V) {
  bool rows_end = V.rows % 2 == 0 || V.row + V.rows == V.matrix->rows;
  bool cols_end = V.cols % 2 == 0 || V.col + V.cols == V.matrix->cols;
  return V.row % 2 == 0 && V.col % 2 == 0 && rows_end && cols_end;
}

txRect txViewRect(clDenseView V) {
  return (txRect){V.col / 2, V.row / 2, V.cols / 2 + V.cols % 2, V.rows / 2 + V.rows % 2};
}

static clStatus copyView(clDense *C, clTranspose op, clDenseView V) {
  if (!txViewIsWhole(V))
    return clDenseViewCopy(clDenseViewAll(C), op, V);
  return op == TEXLA_TRANSPOSE ? clDenseTranspose(C, V.matrix) : clDenseCopy(C, V.matrix);
}

static clStatus scale(const char *call, clDense *A, float factor) {
  txPass pass = {.kernel = "scale",
                 .source = {{"x", A->texture, TX_EDGE}},
                 .uniform = {{"factor", 1, {factor}}}};
  return txDenseRun(call, &pass, A);
}

clStatus txViewTake(clDense **out, const char *call, clTranspose op, float factor, clDenseView V) {
  txViewSize shape = txViewSizeOf(op, V);
  clDense *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseCreate(&A, V.matrix->context, call, shape.rows, shape.cols, TEXLA_PACKING_2X2,
                            factor == 0));
  if (factor != 0)
    TRY_CLEANUP(copyView(A, op, V));
  if (factor != 0 && factor != 1)
    TRY_CLEANUP(scale(call, A, factor));
  *out = A;
  A = NULL;
cleanup:
  clDenseDestroy(A);
  return status;
}

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
