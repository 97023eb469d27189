/* Solves with the factors of P A Q = L U, and the estimate of the condition that they allow. */
#include "dense/triangular.h"
#include "core/allocate.h"
#include "dense/plu.h"

#include <math.h>
#include <stdlib.h>

clStatus txPluReady(const clPlu *plu, const char *call) {
  clError *error = plu ? txContextError(plu->context) : NULL;
  if (!plu || !plu->factored)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "plu must not be NULL and clPluFactor must have gone well");
  if (plu->rows != plu->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "the matrix is %d x %d, not square", plu->rows, plu->cols);
  if (plu->zero_pivot >= 0)
    return txFail(error, TEXLA_SINGULAR, call, "pivot %d of the %d x %d matrix is zero (estimated rank %d)",
                  plu->zero_pivot + 1, plu->rows, plu->cols, plu->report.rank);
  return TEXLA_OK;
}

/* Y <- T^-1 Y or T^-T Y for one of the factors */
static clStatus solveFactor(const clPlu *plu, const char *call, clDense *Y, clTriangle triangle, clDenseOp op) {
  const txTexture *F = plu->factors->texture;
  txTriangular T = {F, 0, 0, F->height, triangle, triangle == TEXLA_TRIANGLE_LOWER, op, NULL};
  return txTriangularSolve(call, &T, Y->texture, (txRect){0, 0, Y->texture->width, Y->texture->height}, Y->rows,
                           Y->cols);
}

/* Y[i] <- X[order[i]], or with `back` Y[order[i]] <- X[i]; NULL: nothing moves. */
static clStatus permute(const clPlu *plu, const char *call, clDense *Y, const clDense *X, const int32_t *order,
                        bool back) {
  if (!order)
    return clDenseCopy(Y, X);
  for (int i = 0; back && i < plu->rows; i++)
    plu->scratch[order[i]] = i;
  return txDenseOrder(call, Y, X, false, back ? plu->scratch : order);
}

/* S = P^T L U Q^T: Y <- Q U^-1 L^-1 P Y; S^T = Q U^T L^T P: Y <- P^T L^-T U^-T Q^T Y */
static clStatus solveScaled(const clPlu *plu, const char *call, clDenseOp op, clDense *Y) {
  bool turned = op == TEXLA_DENSE_TRANSPOSED;
  clStatus status = permute(plu, call, Y, Y, turned ? clPluCols(plu) : plu->row_order, false);
  if (!status)
    status = solveFactor(plu, call, Y, turned ? TEXLA_TRIANGLE_UPPER : TEXLA_TRIANGLE_LOWER, op);
  if (!status)
    status = solveFactor(plu, call, Y, turned ? TEXLA_TRIANGLE_LOWER : TEXLA_TRIANGLE_UPPER, op);
  return status ? status : permute(plu, call, Y, Y, turned ? plu->row_order : clPluCols(plu), true);
}

/* S = R A C: op(A)^-1 Y = C S^-1 R Y, or R S^-T C Y. Each column of R Y is brought to a largest entry near 1 meanwhile, so that nothing
 * overflows on the way to a solution that does not. */
clStatus txPluSolveInPlace(const clPlu *plu, const char *call, clDenseOp op, bool scaled, clDense *Y) {
  const txEquilibration *e = &plu->scale;
  if (scaled || !e->scales)
    return solveScaled(plu, call, op, Y);
  const txTexture *before = e->row_exponents, *after = e->col_exponents;
  if (op == TEXLA_DENSE_TRANSPOSED) {
    before = e->col_exponents;
    after = e->row_exponents;
  }
  txTexture *sizes = NULL;
  clStatus status = txDenseExponents(call, &sizes, Y, true, before);
  if (!status)
    status = txDenseScale(call, Y, Y, before, sizes, (const float[]){1, -1});
  if (!status)
    status = solveScaled(plu, call, op, Y);
  if (!status)
    status = txDenseScale(call, Y, Y, after, sizes, (const float[]){1, 1});
  txTextureDestroy(sizes);
  return status;
}

clStatus clPluSolve(const clPlu *plu, clDenseOp op, clDense *X, const clDense *B) {
  static const char call[] = "clPluSolve";
  clStatus status = txPluReady(plu, call);
  if (!status)
    status = txDenseCheckPacked(call, plu->context, "X", X);
  if (!status)
    status = txDenseCheckPacked(call, plu->context, "B", B);
  if (!status)
    status = txDenseCheckOp(call, plu->context, op);
  if (status)
    return status;
  if (B->rows != plu->rows || X->rows != B->rows || X->cols != B->cols)
    return txFail(txContextError(plu->context), TEXLA_BAD_SHAPE, call, "A is %d x %d, B %d x %d and X %d x %d",
                  plu->rows, plu->cols, B->rows, B->cols, X->rows, X->cols);
  clDense *Y = NULL;
  status = clDenseClone(&Y, B);
  if (!status)
    status = txPluSolveInPlace(plu, call, op, false, Y);
  if (!status) {
    txTexture *old = X->texture;
    X->texture = Y->texture;
    Y->texture = old;
  }
  clDenseDestroy(Y);
  return status;
}

static clStatus solveVector(const clPlu *plu, clDenseOp op, bool scaled, clDense *device, float *x) {
  clStatus status = clDenseUpload(device, x, 1);
  if (!status)
    status = txPluSolveInPlace(plu, "clPluSolve", op, scaled, device);
  return status ? status : clDenseDownload(device, x, 1);
}

clStatus txPluSolveVector(const clPlu *plu, clDenseOp op, clDense *device, float *x) {
  return solveVector(plu, op, false, device, x);
}

static double sumOf(const float *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += fabs((double)x[i]);
  return sum;
}

/* x <- the signs of x; false when they were `signs` already */
static bool takeSigns(float *x, float *signs, int n) {
  bool changed = false;
  for (int i = 0; i < n; i++) {
    float sign = x[i] < 0 ? -1.0f : 1.0f;
    changed |= sign != signs[i];
    x[i] = signs[i] = sign;
  }
  return changed;
}

static int largestOf(const float *x, int n) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (fabsf(x[i]) > fabsf(x[at]))
      at = i;
  return at;
}

/* Higham's guard against cancellation: x_i = (-1)^i (1 + i / (n - 1)), with 2 |A^-1 x|_1 / (3 n) */
static clStatus alternating(const clPlu *plu, clDenseOp op, clDense *device, float *x, double *estimate) {
  int n = plu->rows;
  for (int i = 0; i < n; i++)
    x[i] = (i % 2 ? -1.0f : 1.0f) * (1 + (n > 1 ? (float)i / (float)(n - 1) : 0));
  clStatus status = solveVector(plu, op, true, device, x);
  *estimate = fmax(*estimate, 2 * sumOf(x, n) / (3.0 * n));
  return status;
}

/* Hager's ascent: from the ones through unit vectors, each where the gradient is largest. */
static clStatus ascend(const clPlu *plu, clDenseOp op, clDense *device, float *x, float *signs, double *estimate) {
  int n = plu->rows, at = -1;
  clDenseOp other = op == TEXLA_DENSE_NORMAL ? TEXLA_DENSE_TRANSPOSED : TEXLA_DENSE_NORMAL;
  for (int i = 0; i < n; i++)
    x[i] = 1 / (float)n;
  for (int k = 0; k < 5; k++) {
    clStatus status = solveVector(plu, op, true, device, x);
    double norm = sumOf(x, n);
    if (status || (k > 0 && norm <= *estimate))
      return status;
    *estimate = norm;
    if (!takeSigns(x, signs, n))
      return TEXLA_OK;
    status = solveVector(plu, other, true, device, x);
    int next = largestOf(x, n);
    if (status || next == at)
      return status;
    at = next;
    for (int i = 0; i < n; i++)
      x[i] = i == at;
  }
  return TEXLA_OK;
}

clStatus txPluInverseNorm(const clPlu *plu, const char *call, clDenseOp op, double *norm) {
  clDense *device = NULL;
  size_t n = (size_t)plu->rows;
  float *x = txAllocate(txContextError(plu->context), call, 2 * n, sizeof *x, "the numbers of a matrix");
  clStatus status = x ? clDenseCreate(&device, plu->context, plu->rows, 1) : TEXLA_OUT_OF_MEMORY;
  *norm = 0;
  if (!status)
    status = ascend(plu, op, device, x, x + n, norm);
  if (!status)
    status = alternating(plu, op, device, x, norm);
  clDenseDestroy(device);
  free(x);
  return status;
}

clStatus clPluCondition(const clPlu *plu, clNorm norm, double *rcond) {
  static const char call[] = "clPluCondition";
  double inverse = 0;
  clStatus status = txPluReady(plu, call);
  if (!status && (!rcond || (norm != TEXLA_NORM_ONE && norm != TEXLA_NORM_INF)))
    return txFail(txContextError(plu->context), TEXLA_BAD_ARGUMENT, call,
                  "rcond must not be NULL, and the norm (%d) TEXLA_NORM_ONE or TEXLA_NORM_INF", (int)norm);
  if (!status) /* ||S^-1||_inf = ||S^-T||_1 */
    status =
        txPluInverseNorm(plu, call, norm == TEXLA_NORM_ONE ? TEXLA_DENSE_NORMAL : TEXLA_DENSE_TRANSPOSED, &inverse);
  if (status)
    return status;
  double condition = inverse * (norm == TEXLA_NORM_ONE ? plu->norm_one : plu->norm_inf);
  *rcond = condition > 1 ? 1 / condition : 1;
  return TEXLA_OK;
}

clStatus clPluPermute(const clPlu *plu, clDenseOp op, clDense *C, const clDense *B) {
  static const char call[] = "clPluPermute";
  if (!plu || !plu->factored)
    return txFail(plu ? txContextError(plu->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "plu must not be NULL and clPluFactor must have gone well");
  clStatus status = txDenseCheckPacked(call, plu->context, "C", C);
  if (!status)
    status = txDenseCheckPacked(call, plu->context, "B", B);
  if (!status)
    status = txDenseCheckOp(call, plu->context, op);
  if (status)
    return status;
  if (B->rows != plu->rows || C->rows != B->rows || C->cols != B->cols)
    return txFail(txContextError(plu->context), TEXLA_BAD_SHAPE, call, "P is %d x %d, B %d x %d and C %d x %d",
                  plu->rows, plu->rows, B->rows, B->cols, C->rows, C->cols);
  return permute(plu, call, C, B, plu->row_order, op == TEXLA_DENSE_TRANSPOSED);
}
