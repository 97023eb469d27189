/* Solves with the factors of P A Q = L U, and the estimate of the condition that they allow. */
#include "ops/triangular.h"
#include "solvers/plu.h"

#include <math.h>
#include <stdlib.h>

clStatus txPluReady(const clPlu *plu, const char *call) {
  clError *error = plu ? txContextError(plu->context) : NULL;
  if (!plu || !plu->factored)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "plu must not be NULL and clPluFactor must have gone well");
  if (plu->rows != plu->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "the matrix is %d x %d, not square", plu->rows, plu->cols);
  if (plu->singular)
    return txFail(error, TEXLA_SINGULAR, call, "the %d x %d matrix has rank %d only", plu->rows, plu->cols,
                  plu->report.rank);
  return TEXLA_OK;
}

/* Y <- T^-1 Y or T^-T Y for one of the factors */
static clStatus solveFactor(const clPlu *plu, const char *call, clDense *Y, clTriangle triangle, clDenseOp op) {
  const txTexture *F = plu->factors->texture;
  txTriangular T = {F, 0, 0, F->height, triangle, triangle == TEXLA_LOWER, op, NULL};
  return txTriangularSolve(call, &T, Y->texture, (txRect){0, 0, Y->texture->width, Y->texture->height}, Y->rows,
                           Y->cols);
}

/* Y[i] <- Y[order[i]], or with `back` Y[order[i]] <- Y[i]; NULL: nothing to do. */
static clStatus permute(const clPlu *plu, const char *call, clDense *Y, const int32_t *order, bool back) {
  if (!order)
    return TEXLA_OK;
  for (int i = 0; back && i < plu->rows; i++)
    plu->scratch[order[i]] = i;
  return txDenseOrder(call, Y, Y, false, back ? plu->scratch : order);
}

/* A = P^T L U Q^T: X = Q U^-1 L^-1 P B; A^T = Q U^T L^T P: X = P^T L^-T U^-T Q^T B */
static clStatus solveInPlace(const clPlu *plu, const char *call, clDenseOp op, clDense *Y) {
  bool turned = op == TEXLA_TRANSPOSED;
  clStatus status = permute(plu, call, Y, turned ? clPluCols(plu) : plu->row_order, false);
  if (!status)
    status = solveFactor(plu, call, Y, turned ? TEXLA_UPPER : TEXLA_LOWER, op);
  if (!status)
    status = solveFactor(plu, call, Y, turned ? TEXLA_LOWER : TEXLA_UPPER, op);
  return status ? status : permute(plu, call, Y, turned ? plu->row_order : clPluCols(plu), true);
}

clStatus clPluSolve(const clPlu *plu, clDenseOp op, clDense *X, const clDense *B) {
  static const char call[] = "clPluSolve";
  clStatus status = txPluReady(plu, call);
  if (!status)
    status = txDenseCheckPacked(call, plu->context, "X", X);
  if (!status)
    status = txDenseCheckPacked(call, plu->context, "B", B);
  if (status)
    return status;
  if (B->rows != plu->rows || X->rows != B->rows || X->cols != B->cols)
    return txFail(txContextError(plu->context), TEXLA_BAD_SHAPE, call, "A is %d x %d, B %d x %d and X %d x %d",
                  plu->rows, plu->cols, B->rows, B->cols, X->rows, X->cols);
  clDense *Y = NULL;
  status = clDenseClone(&Y, B);
  if (!status)
    status = solveInPlace(plu, call, op, Y);
  if (!status) {
    txTexture *old = X->texture;
    X->texture = Y->texture;
    Y->texture = old;
  }
  clDenseDestroy(Y);
  return status;
}

clStatus txPluSolveVector(const clPlu *plu, clDenseOp op, clDense *device, float *x) {
  clStatus status = clDenseUpload(device, x, 1);
  if (!status)
    status = clPluSolve(plu, op, device, device);
  return status ? status : clDenseDownload(device, x, 1);
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
  clStatus status = txPluSolveVector(plu, op, device, x);
  *estimate = fmax(*estimate, 2 * sumOf(x, n) / (3.0 * n));
  return status;
}

/* Hager's ascent: from the ones through unit vectors, each where the gradient is largest. */
static clStatus ascend(const clPlu *plu, clDenseOp op, clDense *device, float *x, float *signs, double *estimate) {
  int n = plu->rows, at = -1;
  clDenseOp other = op == TEXLA_NORMAL ? TEXLA_TRANSPOSED : TEXLA_NORMAL;
  for (int i = 0; i < n; i++)
    x[i] = 1 / (float)n;
  for (int k = 0; k < 5; k++) {
    clStatus status = txPluSolveVector(plu, op, device, x);
    double norm = sumOf(x, n);
    if (status || (k > 0 && norm <= *estimate))
      return status;
    *estimate = norm;
    if (!takeSigns(x, signs, n))
      return TEXLA_OK;
    status = txPluSolveVector(plu, other, device, x);
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
  float *x = calloc(2 * n, sizeof *x);
  clStatus status = x ? clDenseCreate(&device, plu->context, plu->rows, 1)
                      : txFail(txContextError(plu->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %zu numbers", n);
  *norm = 0;
  if (!status)
    status = ascend(plu, op, device, x, x + n, norm);
  if (!status)
    status = alternating(plu, op, device, x, norm);
  clDenseDestroy(device);
  free(x);
  return status;
}

clStatus clPluCondition(const clPlu *plu, double *rcond) {
  static const char call[] = "clPluCondition";
  double inverse = 0;
  clStatus status = txPluReady(plu, call);
  if (!status && !rcond)
    return txFail(txContextError(plu->context), TEXLA_BAD_ARGUMENT, call, "rcond must not be NULL");
  if (!status)
    status = txPluInverseNorm(plu, call, TEXLA_NORMAL, &inverse);
  if (status)
    return status;
  double condition = inverse * plu->norm_one;
  *rcond = condition > 1 ? 1 / condition : 1;
  return TEXLA_OK;
}
