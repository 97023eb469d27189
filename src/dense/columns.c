/* Dense matrices and vectors: columns one after the other, to and from. */
#include "dense/gemv.h"
#include "vector/run.h"

#include <stdio.h>

/* Both exist, in one context; x is linear and as long as A has entries. */
static clStatus check(const char *call, const clDense *A, const clVector *x) {
  if (!x)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
                  "x must not be NULL");
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
  txPass pass = {.kernel = "dense_from_vector",
                 .defines = widthDefine(width),
                 .source = {{"x", x->texture, TX_EDGE}}};
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

clStatus clDenseViewFromVector(clDenseView A, const clVector *x) {
  static const char call[] = "clDenseViewFromVector";
  clContext *context = clDenseContext(A.matrix);
  clDense *taken = NULL;
  clStatus status = txViewCheckPacked(call, context, "A", A);
  if (!status)
    status = txGemvCheckVector(call, context, "x", x, (int64_t)A.rows * A.cols);
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
    status = txGemvCheckVector(call, context, "x", x, (int64_t)A.rows * A.cols);
  if (!status)
    status = txViewTake(&taken, call, TEXLA_NO_TRANSPOSE, 1, A);
  if (!status)
    status = intoVector(x, taken);
  clDenseDestroy(taken);
  return status;
}
