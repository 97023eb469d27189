/* By PLU: the inverse, the determinant, the solution of a system in one call. */
#include "core/numbers.h"
#include "core/try.h"
#include "dense/view.h"
#include "elimination/plu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fails unless A is square. */
static clStatus inverseCheckSquare(const char *call, clContext *context, const clDense *A) {
  TRY(txDenseCheckPacked(call, context, "A", A));
  if (A->rows == A->cols)
    return TEXLA_OK;
  return txFail(txContextError(A->context), TEXLA_BAD_SHAPE, call, "A is %d x %d, not square",
                A->rows, A->cols);
}

/* *plu <- a factorization that solves systems. */
static clStatus createFactored(const char *call, clPlu **plu, const clDense *A,
                               const clEliminationOptions *options) {
  clPluOptions o = {0};
  if (options)
    o.elimination = *options;
  TRY(clPluCreate(plu, A->context, A->rows, A->cols, &o));
  TRY(clPluFactor(*plu, A, NULL));
  return txPluReady(*plu, call);
}

/* Fails unless X has room for the inverse. */
static clStatus checkInverse(const char *call, const clDense *X, clContext *context, int rows,
                             int cols) {
  TRY(txDenseCheckPacked(call, context, "X", X));
  if (X->rows == rows && X->cols == cols)
    return TEXLA_OK;
  return txFail(txContextError(X->context), TEXLA_BAD_SHAPE, call, "A is %d x %d but X is %d x %d",
                rows, cols, X->rows, X->cols);
}

/* X <- A^-1, as the solution of A X = I. */
static clStatus invert(const char *call, const clPlu *plu, clDense *X) {
  clDense *Y = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreateLike(&Y, X));
  TRY_CLEANUP(clDenseIdentity(Y, 1));
  TRY_CLEANUP(txPluSolveInPlace(plu, call, TEXLA_NO_TRANSPOSE, false, Y));
  TRY_CLEANUP(txViewPut(call, clDenseViewAll(X), Y));
cleanup:
  clDenseDestroy(Y);
  return status;
}

clStatus clPluInverse(const clPlu *plu, clDense *X) {
  static const char call[] = "clPluInverse";
  TRY(txPluReady(plu, call));
  TRY(checkInverse(call, X, plu->context, plu->rows, plu->cols));
  return invert(call, plu, X);
}

clStatus clDenseInverse(clDense *X, const clDense *A, const clEliminationOptions *options) {
  static const char call[] = "clDenseInverse";
  clPlu *plu = NULL;
  clContext *context = txDenseFirstContext(X, A);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(inverseCheckSquare(call, context, A));
  TRY_CLEANUP(checkInverse(call, X, context, A->rows, A->cols));
  TRY_CLEANUP(createFactored(call, &plu, A, options));
  TRY_CLEANUP(invert(call, plu, X));
cleanup:
  clPluDestroy(plu);
  return status;
}

clStatus clDenseSolve(clDense *X, const clDense *A, const clDense *B,
                      const clEliminationOptions *options) {
  static const char call[] = "clDenseSolve";
  clPlu *plu = NULL;
  clContext *context = txDenseFirstContext(X, A);
  TRY(inverseCheckSquare(call, context, A));
  TRY(txDenseCheckPacked(call, context, "X", X));
  TRY(txDenseCheckPacked(call, context, "B", B));
  if (B->rows != A->rows || X->rows != B->rows || X->cols != B->cols)
    return txFail(txContextError(context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d, B %d x %d and X %d x %d", A->rows, A->cols, B->rows, B->cols,
                  X->rows, X->cols);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createFactored(call, &plu, A, options));
  TRY_CLEANUP(clPluSolve(plu, TEXLA_NO_TRANSPOSE, X, B));
cleanup:
  clPluDestroy(plu);
  return status;
}

/* 1 for an even permutation, -1 for an odd one: every exchange that sorts a copy of it turns the
 * sign. */
static int inverseSignOf(const int32_t *permutation, int32_t *copy, int n) {
  int sign = 1;
  for (int i = 0; permutation && i < n; i++)
    copy[i] = permutation[i];
  for (int i = 0; permutation && i < n; i++)
    while (copy[i] != i) {
      int32_t other = copy[i];
      copy[i] = copy[other];
      copy[other] = other;
      sign = -sign;
    }
  return sign;
}

/* det A = det P det Q prod u_ii / (prod r_i prod c_i), as mantissa * 2^exponent: no product on the
 * way is out of range. */
static clDeterminant determinantOf(const clPlu *plu) {
  double mantissa = inverseSignOf(plu->row_order, plu->scratch, plu->rows) *
                    inverseSignOf(clPluCols(plu), plu->scratch, plu->rows);
  int64_t exponent = 0;
  if (plu->zero_pivot >= 0)
    return (clDeterminant){0, -INFINITY, 0};
  for (int i = 0; i < plu->rows; i++) {
    int e = 0;
    mantissa = frexp(mantissa * (double)plu->pivots[i], &e);
    exponent += e - plu->scale.row[i] - plu->scale.col[i];
  }
  clDeterminant d = {.log_magnitude = log(fabs(mantissa)) + (double)exponent * log(2), .sign = -1};
  if (mantissa > 0)
    d.sign = 1;
  /* Beyond these bounds it is out of double's range anyhow, and an int holds them. */
  int bounded = (int)txMost64(-5000, txLeast64(5000, exponent));
  d.value = ldexp(mantissa, bounded);
  return d;
}

/* A singular matrix has a determinant, too. */
clStatus clPluDeterminant(clDeterminant *out, const clPlu *plu) {
  static const char call[] = "clPluDeterminant";
  clStatus status = txPluReady(plu, call);
  if (status && status != TEXLA_SINGULAR)
    return status;
  if (!out)
    return txFail(txContextError(plu->context), TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  *out = determinantOf(plu);
  return TEXLA_OK;
}

clStatus clDenseDeterminant(clDeterminant *out, const clDense *A,
                            const clEliminationOptions *options) {
  static const char call[] = "clDenseDeterminant";
  clPlu *plu = NULL;
  TRY(inverseCheckSquare(call, clDenseContext(A), A));
  if (!out)
    return txFail(txContextError(A->context), TEXLA_BAD_ARGUMENT, call, "out must not be NULL");
  clStatus status = createFactored(call, &plu, A, options);
  /* A zero pivot is an answer; the lack of factors, without pivoting, is not. */
  bool has_factors = plu && plu->factored;
  if (!status || (status == TEXLA_SINGULAR && has_factors))
    status = clPluDeterminant(out, plu);
  clPluDestroy(plu);
  return status;
}
