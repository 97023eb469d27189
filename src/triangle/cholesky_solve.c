/* What a Cholesky factor is good for: solutions on the device, condition, determinant, refinement
 * to double. */
#include "triangle/cholesky.h"
#include "core/allocate.h"
#include "core/try.h"
#include "triangle/cholesky_host.h"
#include "dense/triangular.h"

#include <math.h>
#include <stdlib.h>

/* Y <- S Y */
static clStatus scaleRows(const clCholesky *c, const char *call, clDense *Y) {
  txPass pass = {.kernel = "rows_scale",
                 .source = {{"a", Y->texture, TX_EDGE}, {"scale", c->scale, TX_EDGE}}};
  return txDenseRun(call, &pass, Y);
}

/* target[rect] <- rows of texels of `source`, as many, from row `from` on, in reverse order,
 * entries too */
static clStatus reverseRows(const char *call, txTexture *target, txRect rect,
                            const txTexture *source, int from) {
  txPass pass = {
      .kernel = "rows_reverse",
      .target = {target},
      .source = {{"a", source, TX_EDGE}},
      .uniform = {{"last", 1, {(float)(from + rect.height - 1 + rect.y)}, .integer = true}},
      .rect = rect};
  return txPassRun(target->context, call, &pass);
}

/* The solution with the turned part: it lies in the texture as an upper triangle, of which the rows
 * of Y, in reverse order, are the right-hand sides. */
static clStatus solveTurned(const clCholesky *c, const char *call, clTranspose op, clDense *Y,
                            int first, int texels) {
  txTriangular T = {
      c->factor, txCholeskyFactorOf(c).texels % 2, 0, texels, TEXLA_TRIANGLE_UPPER, false, op,
      NULL};
  txTexture *Z = NULL;
  int width = Y->texture->width;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTextureCreate(&Z, c->context, call, TX_RGBA32F, width, texels));
  txRect all = {0, 0, width, texels};
  TRY_CLEANUP(reverseRows(call, Z, all, Y->texture, first));
  TRY_CLEANUP(txTriangularSolve(call, &T, Z, all, 2 * texels, Y->cols));
  TRY_CLEANUP(reverseRows(call, Y->texture, (txRect){0, first, width, texels}, Z, 0));
cleanup:
  txTextureDestroy(Z);
  return status;
}

/* Rows [to, to + count) of Y -= op(L21) times rows [from, from + inner). */
static clStatus couple(const clCholesky *c, const char *call, clTranspose op, clDense *Y, int to,
                       int count, int from, int inner) {
  txLower L = txCholeskyFactorOf(c);
  txLowerPart left = txLowerPartOf(&L, 0);
  txRect rect = {0, to, Y->texture->width, count};
  txProduct p = {.target = Y->texture,
                 .rect = rect,
                 .rows = Y->rows,
                 .cols = Y->cols,
                 .alpha = -1,
                 .beta = 1,
                 .a = {c->factor, 0, left.y + left.cols, op},
                 .b = {Y->texture, 0, from, TEXLA_NO_TRANSPOSE},
                 .inner = inner,
                 .c = {Y->texture, rect.x, rect.y, TEXLA_NO_TRANSPOSE}};
  return txProductRun(c->context, call, &p, NULL);
}

/* Rows [0, texels) of Y <- op(L11)^-1 of them, with the part that is not turned. */
static clStatus solveLeft(const clCholesky *c, const char *call, clTranspose op, clDense *Y,
                          int texels) {
  txLower L = txCholeskyFactorOf(c);
  txTriangular T = {c->factor, 0,   txLowerPartOf(&L, 0).y, texels, TEXLA_TRIANGLE_LOWER, false,
                    op,        NULL};
  return txTriangularSolve(call, &T, Y->texture, (txRect){0, 0, Y->texture->width, texels}, Y->rows,
                           Y->cols);
}

/* Y <- L^-1 Y or L^-T Y, L the factor as it is held. */
static clStatus solveFactor(const clCholesky *c, const char *call, clTranspose op, clDense *Y) {
  txLower L = txCholeskyFactorOf(c);
  int left = txLowerPartOf(&L, 0).cols, right = txLowerPartOf(&L, 1).cols;
  if (!L.folded || right == 0)
    return solveLeft(c, call, op, Y, L.texels);
  if (op == TEXLA_TRANSPOSE) {
    TRY(solveTurned(c, call, op, Y, left, right));
    TRY(couple(c, call, op, Y, 0, left, left, right));
    return solveLeft(c, call, op, Y, left);
  }
  TRY(solveLeft(c, call, op, Y, left));
  TRY(couple(c, call, op, Y, left, right, 0, left));
  return solveTurned(c, call, op, Y, left, right);
}

/* Y <- (S^-1 L)^-1 Y, or turned (S^-1 L)^-T Y. */
static clStatus solveHalf(const void *factor, const char *call, clTranspose op, bool scaled,
                          clDense *Y) {
  if (scaled)
    return solveFactor(factor, call, op, Y);
  if (op == TEXLA_NO_TRANSPOSE) {
    TRY(scaleRows(factor, call, Y));
    return solveFactor(factor, call, op, Y);
  }
  TRY(solveFactor(factor, call, op, Y));
  return scaleRows(factor, call, Y);
}

/* A = S^-1 L L^T S^-1, its own transpose; scaled: L L^T alone */
static clStatus solveSymmetric(const void *factor, const char *call, clTranspose op, bool scaled,
                               clDense *Y) {
  (void)op;
  TRY(solveHalf(factor, call, TEXLA_NO_TRANSPOSE, scaled, Y));
  return solveHalf(factor, call, TEXLA_TRANSPOSE, scaled, Y);
}

txFactor txCholeskyFactorization(const clCholesky *c, const char *call) {
  return (txFactor){c->context, call, c->order, c, solveSymmetric, c->scales, c->scales};
}

clStatus clCholeskySolve(const clCholesky *cholesky, clDense *X, const clDense *B) {
  static const char call[] = "clCholeskySolve";
  TRY(txCholeskyReady(cholesky, call));
  txFactor f = txCholeskyFactorization(cholesky, call);
  return txFactorSolve(&f, TEXLA_NO_TRANSPOSE, X, B);
}

/* Of A = L L^T one half alone, L^-1 or L^-T. */
clStatus clCholeskySolveHalf(const clCholesky *cholesky, clTranspose op, clDense *X,
                             const clDense *B) {
  static const char call[] = "clCholeskySolveHalf";
  TRY(txCholeskyReady(cholesky, call));
  txFactor f = txCholeskyFactorization(cholesky, call);
  f.solve = solveHalf;
  return txFactorSolve(&f, op, X, B);
}

/* ---- Condition ------------------------------------------------------------------------------- */

/* Of A^-1, and of A as L L^T, which is A but for rounding. */
static clStatus estimateNorms(const clCholesky *c, const char *call, const txHostLower *L,
                              double *inverse, double *norm) {
  double *work = txAllocate(txContextError(c->context), call, 2 * (size_t)c->order, sizeof *work,
                            "vectors of the unknowns");
  if (!work)
    return TEXLA_OUT_OF_MEMORY;
  *inverse = txHostLowerInverseNorm(L, work);
  *norm = txHostLowerNorm(L, work);
  free(work);
  return TEXLA_OK;
}

/* 1 / (||A||_1 ||A^-1||_1), where A is the product of its factors. */
clStatus clCholeskyCondition(const clCholesky *cholesky, double *rcond) {
  static const char call[] = "clCholeskyCondition";
  txHostLower L = {0};
  double norm = 0, inverse = 0;
  TRY(txCholeskyReady(cholesky, call));
  if (!rcond)
    return txFail(txContextError(cholesky->context), TEXLA_BAD_ARGUMENT, call,
                  "rcond must not be NULL");
  TRY(txCholeskyDownload(cholesky, call, &L));
  clStatus status = estimateNorms(cholesky, call, &L, &inverse, &norm);
  free(L.value);
  TRY(status);
  *rcond = 1;
  if (norm * inverse > 1)
    *rcond = 1 / (norm * inverse);
  return TEXLA_OK;
}

/* det A = (prod l_ii)^2, as a logarithm first, which is never out of range. */
clStatus clCholeskyDeterminant(const clCholesky *cholesky, clDeterminant *out) {
  static const char call[] = "clCholeskyDeterminant";
  TRY(txCholeskyReady(cholesky, call));
  if (!out)
    return txFail(txContextError(cholesky->context), TEXLA_BAD_ARGUMENT, call,
                  "out must not be NULL");
  double sum = 0;
  for (int i = 0; i < cholesky->order; i++)
    sum += 2 * log(cholesky->diagonal[i]);
  *out = (clDeterminant){exp(sum), sum, 1};
  return TEXLA_OK;
}

/* ---- Refinement ------------------------------------------------------------------------------ */

clStatus clCholeskyRefine(const clCholesky *cholesky, const clTriplets *A, double *x,
                          const double *b, const clRefineOptions *options, clRefineReport *report) {
  static const char call[] = "clCholeskyRefine";
  TRY(txCholeskyReady(cholesky, call));
  txFactor f = txCholeskyFactorization(cholesky, call);
  return txRefineTriplets(&f, TEXLA_NO_TRANSPOSE, A, 1, x, b, options, report);
}
