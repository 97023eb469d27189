/* A clMatrix that reads a clDense where it lies: the bridge from dense algebra to matrixVectorOp
 * and the solvers. */
#include "core/allocate.h"
#include "core/try.h"
#include "dense/dense.h"
#include "dense/gemv.h"
#include "matrix/storage.h"
#include "vector/run.h"

#include <stdio.h>
#include <stdlib.h>

static clDenseView viewOf(const clMatrix *A) {
  return *(const clDenseView *)A->data;
}

/* A dense matrix as clMatrix: the product is gemv's. */
static clStatus matrixMultiply(const char *call, clVector *y, float ca, const clMatrix *A,
                               bool transposed, const clVector *x, float cb, const clVector *b) {
  clTranspose op = txTransposeWhen(transposed);
  return txGemv(call, y, ca, op, viewOf(A), x, cb, b);
}

/* d_i <- a_ii */
static clStatus matrixDiagonal(const char *call, clVector *d, const clMatrix *A) {
  txOperand operand = {0};
  char width[32];
  TRY(txOperandOpen(&operand, call, viewOf(A)));
  clStatus status = TEXLA_OK;
  snprintf(width, sizeof width, "#define WIDTH %d\n", TX_LINEAR_WIDTH);
  txPass pass = {.kernel = "vector_from_diagonal",
                 .defines = width,
                 .source = {{"a", operand.texture, TX_EDGE}}};
  txPassIntegers(&pass, "corner", 2, operand.x, operand.y);
  TRY_CLEANUP(txVectorRun(call, &pass, d));
cleanup:
  txOperandClose(&operand);
  return status;
}

static void matrixDestroy(clMatrix *A) {
  free(A->data);
}

static const txStorage operations = {
    .destroy = matrixDestroy, .multiply = matrixMultiply, .diagonal = matrixDiagonal};

/* Only the view is kept: the clDense stays the caller's, and may change. */
static clStatus matrixFill(clMatrix *A, const char *call, clDenseView V) {
  clDenseView *view = txAllocate(txContextError(A->context), call, 1, sizeof *view, "a view");
  if (!view)
    return TEXLA_OUT_OF_MEMORY;
  *view = V;
  A->data = view;
  txMatrixDescribe(A, "dense: %d x %d of a clDense, where it lies", V.rows, V.cols);
  return txMatrixLayouts(A, call, &(clMatrixOptions){.linear = true});
}

clStatus clMatrixFromDense(clMatrix **out, clDenseView V) {
  static const char call[] = "clMatrixFromDense";
  clContext *context = clDenseContext(V.matrix);
  if (!out)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  TRY(txViewCheckPacked(call, context, "A", V));
  clStatus status = TEXLA_OK;
  clMatrix *A = txAllocate(txContextError(context), call, 1, sizeof *A, "a clMatrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  *A = (clMatrix){.context = context,
                  .rows = V.rows,
                  .cols = V.cols,
                  .count = (int64_t)V.rows * V.cols,
                  .storage = TEXLA_STORAGE_DENSE,
                  .operations = &operations};
  TRY_CLEANUP(matrixFill(A, call, V));
  *out = A;
  A = NULL;
cleanup:
  clMatrixDestroy(A);
  return status;
}
