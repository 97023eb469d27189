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
  bool forward = op == TEXLA_NO_TRANSPOSE;
  if (!L.folded || right == 0)
    return solveLeft(c, call, op, Y, L.texels);
  if (forward)
    TRY(solveLeft(c, call, op, Y, left));
  else
    TRY(solveTurned(c, call, op, Y, left, right));
  if (forward)
    TRY(couple(c, call, op, Y, left, right, 0, left));
  else
    TRY(couple(c, call, op, Y, 0, left, left, right));
  if (forward)
    TRY(solveTurned(c, call, op, Y, left, right));
  else
    TRY(solveLeft(c, call, op, Y, left));
  return TEXLA_OK;
}

/* Y <- (S^-1 L)^-1 Y, or turned (S^-1 L)^-T Y. */
static clStatus solveHalf(const void *factor, const char *call, clTranspose op, bool scaled,
                          clDense *Y) {
  bool turned = op == TEXLA_TRANSPOSE;
  clStatus status = turned || scaled ? TEXLA_OK : scaleRows(factor, call, Y);
  if (!status)
    status = solveFactor(factor, call, op, Y);
  return status || !turned || scaled ? status : scaleRows(factor, call, Y);
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

clStatus clCholeskySolveHalf(const clCholesky *cholesky, clTranspose op, clDense *X,
                             const clDense *B) {
  static const char call[] = "clCholeskySolveHalf";
  TRY(txCholeskyReady(cholesky, call));
  txFactor f = txCholeskyFactorization(cholesky, call);
  f.solve = solveHalf;
  return txFactorSolve(&f, op, X, B);
}

/* ---- On the host ----------------------------------------------------------------------------- */

/* Columns of one part of L = S^-1 times the factor, whose texels are `raw`. */
static void unpackPart(const clCholesky *c, const txLowerPart *p, const float *raw,
                       const txHostLower *out) {
  size_t width = (size_t)c->factor->width;
  for (int j = 2 * p->first; j < 2 * (p->first + p->cols) && j < c->order; j++)
    for (int i = j; i < c->order; i++) {
      int x = p->x + p->turn * (j / 2), y = p->y + p->turn * (i / 2), lane = i % 2 * 2 + j % 2;
      const float *texel = raw + 4 * ((size_t)y * width + (size_t)x);
      txHostLowerRow(out, i)[j] = (double)texel[p->turn < 0 ? 3 - lane : lane] / c->scales[i];
    }
}

clStatus txCholeskyDownload(const clCholesky *c, const char *call, txHostLower *out) {
  size_t n = (size_t)c->order, texels = (size_t)c->factor->width * (size_t)c->factor->height;
  clError *error = txContextError(c->context);
  txLower L = txCholeskyFactorOf(c);
  float *raw = txAllocate(error, call, texels * 4, sizeof *raw, "a factor");
  txHostLower result = {.order = c->order, .room = c->order};
  result.value =
      raw ? txAllocate(error, call, n * (n + 1) / 2, sizeof *result.value, "a factor") : NULL;
  clStatus status =
      result.value
          ? txTextureRead(c->factor, call, (txRect){0, 0, c->factor->width, c->factor->height}, raw)
          : TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < TX_LOWER_PARTS && !status; k++) {
    txLowerPart part = txLowerPartOf(&L, k);
    unpackPart(c, &part, raw, &result);
  }
  free(raw);
  if (status)
    free(result.value);
  *out = status ? (txHostLower){0} : result;
  return status;
}

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

clStatus clCholeskyCondition(const clCholesky *cholesky, double *rcond) {
  static const char call[] = "clCholeskyCondition";
  txHostLower L = {0};
  double norm = 0, inverse = 0;
  clStatus status = txCholeskyReady(cholesky, call);
  if (!status && !rcond)
    return txFail(txContextError(cholesky->context), TEXLA_BAD_ARGUMENT, call,
                  "rcond must not be NULL");
  if (!status)
    status = txCholeskyDownload(cholesky, call, &L);
  if (!status)
    status = estimateNorms(cholesky, call, &L, &inverse, &norm);
  free(L.value);
  if (status)
    return status;
  *rcond = norm * inverse > 1 ? 1 / (norm * inverse) : 1;
  return TEXLA_OK;
}

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
