/* The inverse and the determinant, by PLU. */
#include "solvers/plu.h"

#include <math.h>

static clStatus checkSquare(const char *call, const clContext *context, const clDense *A) {
  clStatus status = txDenseCheckPacked(call, context, "A", A);
  if (status || A->rows == A->cols)
    return status;
  return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call, "A is %d x %d, not square", A->rows, A->cols);
}

static clStatus createFactored(clPlu **plu, const clDense *A, const clEliminationOptions *options) {
  clPluOptions o = {.elimination = options ? *options : (clEliminationOptions){0}};
  clStatus status = clPluCreate(plu, A->context, A->rows, A->cols, &o);
  return status ? status : clPluFactor(*plu, A, NULL);
}

clStatus clDenseInverse(clDense *X, const clDense *A, const clEliminationOptions *options) {
  static const char call[] = "clDenseInverse";
  clPlu *plu = NULL;
  clDense *I = NULL;
  clStatus status = txDenseCheckPacked(call, clDenseContext(A), "X", X);
  if (!status)
    status = checkSquare(call, X->context, A);
  if (!status && (X->rows != A->rows || X->cols != A->cols))
    status = txFail(txContextError(X->context), TEXLA_BAD_SHAPE, call, "A is %d x %d but X is %d x %d", A->rows,
                    A->cols, X->rows, X->cols);
  if (!status)
    status = createFactored(&plu, A, options);
  if (!status)
    status = clDenseCreateLike(&I, A);
  if (!status)
    status = clDenseIdentity(I, 1);
  if (!status)
    status = clPluSolve(plu, TEXLA_NORMAL, X, I);
  clPluDestroy(plu);
  clDenseDestroy(I);
  return status;
}

/* 1 for an even permutation, -1 for an odd one; every cycle of even length turns the sign. Leaves the identity in `order`. */
static int signOf(int32_t *order, int n) {
  int sign = 1;
  for (int i = 0; order && i < n; i++)
    while (order[i] != i) {
      int32_t other = order[i];
      order[i] = order[other];
      order[other] = other;
      sign = -sign;
    }
  return sign;
}

clStatus clDenseDeterminant(clDeterminant *out, const clDense *A) {
  static const char call[] = "clDenseDeterminant";
  clPlu *plu = NULL;
  clStatus status = checkSquare(call, NULL, A);
  if (!status && !out)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  if (!status)
    status = createFactored(&plu, A, NULL);
  if (status == TEXLA_SINGULAR) {
    *out = (clDeterminant){0, -INFINITY, 0};
    status = TEXLA_OK;
  } else if (!status) {
    double log_magnitude = 0;
    int sign = signOf(plu->row_order, A->rows);
    for (int i = 0; i < A->rows; i++) {
      double pivot = txPluPivot(plu, i);
      sign = pivot < 0 ? -sign : sign;
      log_magnitude += log(fabs(pivot));
    }
    *out = (clDeterminant){sign * exp(log_magnitude), log_magnitude, sign};
  }
  clPluDestroy(plu);
  return status;
}
