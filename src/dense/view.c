#include "dense/view.h"
#include "core/try.h"

clDenseView clDenseViewAll(const clDense *A) {
  return (clDenseView){(clDense *)A, 0, 0, clDenseRows(A), clDenseCols(A)};
}

clDenseView clDenseViewBlock(const clDense *A, int row, int col, int rows, int cols) {
  return (clDenseView){(clDense *)A, row, col, rows, cols};
}

/* Fails where the view is empty or reaches outside of its matrix. */
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
  if (op == TEXLA_TRANSPOSE)
    return (txViewSize){V.cols, V.rows};
  return (txViewSize){V.rows, V.cols};
}

bool txViewIsWhole(clDenseView V) {
  return V.row == 0 && V.col == 0 && V.rows == V.matrix->rows && V.cols == V.matrix->cols;
}

/* Two rows and two columns to a texel; the last texel may be half empty where the matrix ends. */
bool txViewIsAligned(clDenseView V) {
  bool rows_end = V.rows % 2 == 0 || V.row + V.rows == V.matrix->rows;
  bool cols_end = V.cols % 2 == 0 || V.col + V.cols == V.matrix->cols;
  return V.row % 2 == 0 && V.col % 2 == 0 && rows_end && cols_end;
}

txRect txViewRect(clDenseView V) {
  return (txRect){V.col / 2, V.row / 2, V.cols / 2 + V.cols % 2, V.rows / 2 + V.rows % 2};
}
