/* Dense matrices and vectors: columns one after the other, to and from; products of a matrix and a vector, of two vectors. */
#include "dense/view.h"
#include "vector/run.h"

#include <stdio.h>

/* Both exist, in one context; x is linear and as long as A has entries. */
static clStatus check(const char *call, const clDense *A, const clVector *x) {
  if (!x)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call, "x must not be NULL");
  clStatus status = txDenseCheckPacked(call, x->context, "A", A);
  if (status)
    return status;
  if (x->layout.grid || x->layout.length != (int64_t)A->rows * A->cols) {
    char text[64];
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d but x is %s (need linear of length %lld)", A->rows, A->cols,
                  txLayoutText(&x->layout, text, sizeof text), (long long)A->rows * A->cols);
  }
  return TEXLA_OK;
}

static const char *widthDefine(char text[32]) {
  snprintf(text, 32, "#define WIDTH %d\n", TX_LINEAR_WIDTH);
  return text;
}

clStatus clDenseFromVector(clDense *A, const clVector *x) {
  static const char call[] = "clDenseFromVector";
  clStatus status = check(call, A, x);
  if (status)
    return status;
  char width[32];
  txPass pass = {.kernel = "dense_from_vector", .defines = widthDefine(width), .source = {{"x", x->texture, TX_EDGE}}};
  return txDenseRun(call, &pass, A);
}

clStatus clDenseToVector(clVector *x, const clDense *A) {
  static const char call[] = "clDenseToVector";
  clStatus status = check(call, A, x);
  if (status)
    return status;
  char width[32];
  txPass pass = {.kernel = "vector_from_dense",
                 .defines = widthDefine(width),
                 .source = {{"a", A->texture, TX_EDGE}},
                 .uniform = {{"rows", 1, {(float)A->rows}, .integer = true}}};
  return txVectorRun(call, &pass, x);
}

/* *out <- a rows x cols matrix whose columns are x, of any layout. */
static clStatus matrixOf(clDense **out, const clVector *x, int rows, int cols) {
  clVector *linear = NULL;
  clDense *A = NULL;
  clStatus status = clDenseCreate(&A, x->context, rows, cols);
  if (!status && x->layout.grid)
    status = clVectorCreate(&linear, x->context, x->layout.length);
  if (!status && x->layout.grid)
    status = clVectorCopy(linear, x);
  if (!status)
    status = clDenseFromVector(A, linear ? linear : x);
  clVectorDestroy(linear);
  if (status)
    clDenseDestroy(A);
  else
    *out = A;
  return status;
}

/* x, of any layout, <- the columns of A. */
static clStatus intoVector(clVector *x, const clDense *A) {
  clVector *linear = NULL;
  if (!x->layout.grid)
    return clDenseToVector(x, A);
  clStatus status = clVectorCreate(&linear, x->context, x->layout.length);
  if (!status)
    status = clDenseToVector(linear, A);
  if (!status)
    status = clVectorCopy(x, linear);
  clVectorDestroy(linear);
  return status;
}

/* A vector of `length` elements, in `context`, which keeps the message. */
static clStatus checkVector(const char *call, clContext *context, const char *name, const clVector *x, int64_t length) {
  if (!x)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "%s must not be NULL", name);
  clStatus status = txContextSame(context, x->context, call);
  if (status || x->layout.length == length)
    return status;
  return txFail(txContextError(context), TEXLA_BAD_SHAPE, call, "%s has %lld elements (need %lld)", name,
                (long long)x->layout.length, (long long)length);
}

clStatus clDenseViewFromVector(clDenseView A, const clVector *x) {
  static const char call[] = "clDenseViewFromVector";
  clContext *context = clDenseContext(A.matrix);
  clDense *taken = NULL;
  clStatus status = txViewCheckPacked(call, context, "A", A);
  if (!status)
    status = checkVector(call, context, "x", x, (int64_t)A.rows * A.cols);
  if (!status)
    status = matrixOf(&taken, x, A.rows, A.cols);
  if (!status)
    status = txViewPut(call, A, taken);
  clDenseDestroy(taken);
  return status;
}

clStatus clDenseViewToVector(clVector *x, clDenseView A) {
  static const char call[] = "clDenseViewToVector";
  clContext *context = x ? x->context : clDenseContext(A.matrix);
  clDense *taken = NULL;
  clStatus status = txViewCheckPacked(call, context, "A", A);
  if (!status)
    status = checkVector(call, context, "x", x, (int64_t)A.rows * A.cols);
  if (!status)
    status = txViewTake(&taken, call, TEXLA_DENSE_NORMAL, 1, A);
  if (!status)
    status = intoVector(x, taken);
  clDenseDestroy(taken);
  return status;
}

clStatus clDenseViewMulVector(clVector *y, float alpha, clDenseOp op, clDenseView A, const clVector *x, float beta) {
  static const char call[] = "clDenseViewMulVector";
  clContext *context = y ? y->context : clDenseContext(A.matrix);
  clDense *X = NULL, *Y = NULL;
  clStatus status = txViewCheckPacked(call, context, "A", A);
  if (!status)
    status = txDenseCheckOp(call, context, op);
  if (status)
    return status;
  txViewSize size = txViewSizeOf(op, A);
  status = checkVector(call, context, "y", y, size.rows);
  if (!status)
    status = checkVector(call, context, "x", x, size.cols);
  if (!status)
    status = matrixOf(&X, x, size.cols, 1);
  if (!status && beta != 0)
    status = matrixOf(&Y, y, size.rows, 1);
  else if (!status)
    status = clDenseCreate(&Y, context, size.rows, 1);
  if (!status)
    status = clDenseViewMultiply(clDenseViewAll(Y), alpha, op, A, TEXLA_DENSE_NORMAL, clDenseViewAll(X), beta);
  if (!status)
    status = intoVector(y, Y);
  clDenseDestroy(X);
  clDenseDestroy(Y);
  return status;
}

clStatus clDenseViewAddOuter(clDenseView A, float alpha, const clVector *x, const clVector *y) {
  static const char call[] = "clDenseViewAddOuter";
  clContext *context = clDenseContext(A.matrix);
  clDense *X = NULL, *Y = NULL;
  clStatus status = txViewCheckPacked(call, context, "A", A);
  if (!status)
    status = checkVector(call, context, "x", x, A.rows);
  if (!status)
    status = checkVector(call, context, "y", y, A.cols);
  if (!status)
    status = matrixOf(&X, x, A.rows, 1);
  if (!status)
    status = matrixOf(&Y, y, 1, A.cols);
  if (!status)
    status =
        clDenseViewMultiply(A, alpha, TEXLA_DENSE_NORMAL, clDenseViewAll(X), TEXLA_DENSE_NORMAL, clDenseViewAll(Y), 1);
  clDenseDestroy(X);
  clDenseDestroy(Y);
  return status;
}
