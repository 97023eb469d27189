/* Solves with the factors of P A Q = L U. */
#include "dense/triangular.h"
#include "core/try.h"
#include "elimination/plu.h"

clStatus txPluReady(const clPlu *plu, const char *call) {
  TRY(txPluFactored(plu, call));
  clError *error = txContextError(plu->context);
  if (plu->rows != plu->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "the matrix is %d x %d, not square", plu->rows,
                  plu->cols);
  if (plu->zero_pivot >= 0)
    return txFail(error, TEXLA_SINGULAR, call,
                  "pivot %d of the %d x %d matrix is zero (estimated rank %d)", plu->zero_pivot + 1,
                  plu->rows, plu->cols, plu->report.rank);
  return TEXLA_OK;
}

/* Y <- T^-1 Y or T^-T Y for one of the factors */
static clStatus pluSolveSolveFactor(const clPlu *plu, const char *call, clDense *Y,
                                    clTriangle triangle, clTranspose op) {
  const txTexture *F = plu->factors->texture;
  txTriangular T = {F, 0, 0, F->height, triangle, triangle == TEXLA_TRIANGLE_LOWER, op, NULL};
  return txTriangularSolve(call, &T, Y->texture,
                           (txRect){0, 0, Y->texture->width, Y->texture->height}, Y->rows, Y->cols);
}

/* Y[i] <- X[order[i]], or with `back` Y[order[i]] <- X[i]; NULL: nothing moves. */
static clStatus pluSolvePermute(const clPlu *plu, const char *call, clDense *Y, const clDense *X,
                                const int32_t *order, bool back) {
  if (!order)
    return clDenseCopy(Y, X);
  if (!back)
    return txDenseOrder(call, Y, X, false, order);
  for (int i = 0; i < plu->rows; i++)
    plu->scratch[order[i]] = i;
  return txDenseOrder(call, Y, X, false, plu->scratch);
}

/* S = P^T L U Q^T: Y <- Q U^-1 L^-1 P Y; S^T = Q U^T L^T P: Y <- P^T L^-T U^-T Q^T Y */
static clStatus solveScaled(const clPlu *plu, const char *call, clTranspose op, clDense *Y) {
  const int32_t *before = plu->row_order, *after = clPluCols(plu);
  clTriangle first = TEXLA_TRIANGLE_LOWER, second = TEXLA_TRIANGLE_UPPER;
  if (op == TEXLA_TRANSPOSE) {
    before = clPluCols(plu);
    after = plu->row_order;
    first = TEXLA_TRIANGLE_UPPER;
    second = TEXLA_TRIANGLE_LOWER;
  }
  TRY(pluSolvePermute(plu, call, Y, Y, before, false));
  TRY(pluSolveSolveFactor(plu, call, Y, first, op));
  TRY(pluSolveSolveFactor(plu, call, Y, second, op));
  return pluSolvePermute(plu, call, Y, Y, after, true);
}

/* S = R A C: op(A)^-1 Y = C S^-1 R Y, or R S^-T C Y. Each column of R Y is brought to a largest
 * entry near 1 meanwhile, so that nothing overflows on the way to a solution that does not. */
clStatus txPluSolveInPlace(const clPlu *plu, const char *call, clTranspose op, bool scaled,
                           clDense *Y) {
  const txEquilibration *e = &plu->scale;
  if (scaled || !e->scales)
    return solveScaled(plu, call, op, Y);
  const txTexture *before = e->row_exponents, *after = e->col_exponents;
  if (op == TEXLA_TRANSPOSE) {
    before = e->col_exponents;
    after = e->row_exponents;
  }
  txTexture *sizes = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txDenseExponents(call, &sizes, Y, true, before));
  TRY_CLEANUP(txDenseScale(call, Y, Y, before, sizes, (const float[]){1, -1}));
  TRY_CLEANUP(solveScaled(plu, call, op, Y));
  TRY_CLEANUP(txDenseScale(call, Y, Y, after, sizes, (const float[]){1, 1}));
cleanup:
  txTextureDestroy(sizes);
  return status;
}

/* txFactor.solve */
static clStatus pluSolveSolve(const void *factor, const char *call, clTranspose op, bool scaled,
                              clDense *Y) {
  return txPluSolveInPlace(factor, call, op, scaled, Y);
}

txFactor txPluFactor(const clPlu *plu, const char *call) {
  return (txFactor){plu->context,  call,           plu->rows,     plu,
                    pluSolveSolve, plu->row_scale, plu->col_scale};
}

clStatus clPluSolve(const clPlu *plu, clTranspose op, clDense *X, const clDense *B) {
  static const char call[] = "clPluSolve";
  TRY(txPluReady(plu, call));
  txFactor f = txPluFactor(plu, call);
  return txFactorSolve(&f, op, X, B);
}

clStatus clPluPermute(const clPlu *plu, clTranspose op, clDense *C, const clDense *B) {
  static const char call[] = "clPluPermute";
  TRY(txPluFactored(plu, call));
  TRY(txDenseCheckPacked(call, plu->context, "C", C));
  TRY(txDenseCheckPacked(call, plu->context, "B", B));
  TRY(txDenseCheckOp(call, plu->context, op));
  if (B->rows != plu->rows || C->rows != B->rows || C->cols != B->cols)
    return txFail(txContextError(plu->context), TEXLA_BAD_SHAPE, call,
                  "P is %d x %d, B %d x %d and C %d x %d", plu->rows, plu->rows, B->rows, B->cols,
                  C->rows, C->cols);
  return pluSolvePermute(plu, call, C, B, plu->row_order, op == TEXLA_TRANSPOSE);
}
