/* Dense matrices and vectors: columns one after the other, to and from. */
#include "dense/gemv.h"
#include "core/try.h"
#include "vector/run.h"

#include <stdio.h>

/* Both exist, in one context; x is linear and as long as A has entries. */
static clStatus columnsCheck(const char *call, const clDense *A, const clVector *x) {
  if (!x)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
                  "x must not be NULL");
  TRY(txDenseCheckPacked(call, x->context, "A", A));
  if (x->layout.grid || x->layout.length != (int64_t)A->rows * A->cols) {
    char text[64];
    return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d but x is %s (need linear of length %lld)", A->rows, A->cols,
                  txLayoutText(&x->layout, text, sizeof text), (long long)A->rows * A->cols);
  }
  return TEXLA_OK;
}

/* Linear vectors are that many numbers wide. */
static const char *widthDefine(char text[32]) {
  snprintf(text, 32, "#define WIDTH %d\n", TX_LINEAR_WIDTH);
  return text;
}

clStatus clDenseFromVector(clDense *A, const clVector *x) {
  static const char call[] = "clDenseFromVector";
  TRY(columnsCheck(call, A, x));
  char width[32];
  txPass pass = {.kernel = "dense_from_vector",
                 .defines = widthDefine(width),
                 .source = {{"x", x->texture, TX_EDGE}}};
  return txDenseRun(call, &pass, A);
}

clStatus clDenseToVector(clVector *x, const clDense *A) {
  static const char call[] = "clDenseToVector";
  TRY(columnsCheck(call, A, x));
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&A, x->context, rows, cols));
  if (x->layout.grid)
    TRY_CLEANUP(clVectorCreate(&linear, x->context, x->layout.length));
  if (x->layout.grid)
    TRY_CLEANUP(clVectorCopy(linear, x));
  TRY_CLEANUP(clDenseFromVector(A, linear ? linear : x));
  *out = A;
  A = NULL;
cleanup:
  clVectorDestroy(linear);
  clDenseDestroy(A);
  return status;
}

/* x, of any layout, <- the columns of A. */
static clStatus intoVector(clVector *x, const clDense *A) {
  clVector *linear = NULL;
  if (!x->layout.grid)
    return clDenseToVector(x, A);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorCreate(&linear, x->context, x->layout.length));
  TRY_CLEANUP(clDenseToVector(linear, A));
  TRY_CLEANUP(clVectorCopy(x, linear));
cleanup:
  clVectorDestroy(linear);
  return status;
}

/* Through a matrix of whole texels, whatever the view is. */
clStatus clDenseViewFromVector(clDenseView A, const clVector *x) {
  static const char call[] = "clDenseViewFromVector";
  clContext *context = clDenseContext(A.matrix);
  clDense *taken = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txViewCheckPacked(call, context, "A", A));
  TRY_CLEANUP(txGemvCheckVector(call, context, "x", x, (int64_t)A.rows * A.cols));
  TRY_CLEANUP(matrixOf(&taken, x, A.rows, A.cols));
  TRY_CLEANUP(txViewPut(call, A, taken));
cleanup:
  clDenseDestroy(taken);
  return status;
}

/* The view as a matrix of its own, and then column after column. */
clStatus clDenseViewToVector(clVector *x, clDenseView A) {
  static const char call[] = "clDenseViewToVector";
  clContext *context = x ? x->context : clDenseContext(A.matrix);
  clDense *taken = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txViewCheckPacked(call, context, "A", A));
  TRY_CLEANUP(txGemvCheckVector(call, context, "x", x, (int64_t)A.rows * A.cols));
  TRY_CLEANUP(txViewTake(&taken, call, TEXLA_NO_TRANSPOSE, 1, A));
  TRY_CLEANUP(intoVector(x, taken));
cleanup:
  clDenseDestroy(taken);
  return status;
}
