/* PLU's part of refinement (refinement.h), and the estimate of the condition that its factors
 * allow. */
#include "elimination/plu.h"
#include "core/try.h"
#include "dense/dense.h"

#include <math.h>

/* 1 / (||S|| ||S^-1||), of the equilibrated matrix, which is what the factors are of. */
clStatus clPluCondition(const clPlu *plu, clNorm norm, double *rcond) {
  static const char call[] = "clPluCondition";
  double inverse = 0;
  TRY(txPluReady(plu, call));
  if (!rcond || (norm != TEXLA_NORM_ONE && norm != TEXLA_NORM_INF))
    return txFail(txContextError(plu->context), TEXLA_BAD_ARGUMENT, call,
                  "rcond must not be NULL, and the norm (%d) TEXLA_NORM_ONE or TEXLA_NORM_INF",
                  (int)norm);
  /* ||S^-1||_inf = ||S^-T||_1 */
  txFactor f = txPluFactor(plu, call);
  TRY(txFactorInverseNorm(&f, txTransposeWhen(norm != TEXLA_NORM_ONE), &inverse));
  double condition = inverse * plu->norm_inf;
  if (norm == TEXLA_NORM_ONE)
    condition = inverse * plu->norm_one;
  *rcond = 1;
  if (condition > 1)
    *rcond = 1 / condition;
  return TEXLA_OK;
}

static clStatus refine(const char *call, const clPlu *plu, clTranspose op, const clTriplets *A,
                       int count, double *x, const double *b, const clRefineOptions *options,
                       clRefineReport *reports) {
  TRY(txPluReady(plu, call));
  txFactor f = txPluFactor(plu, call);
  return txRefineTriplets(&f, op, A, count, x, b, options, reports);
}

clStatus clPluRefine(const clPlu *plu, clTranspose op, const clTriplets *A, double *x,
                     const double *b, const clRefineOptions *options, clRefineReport *report) {
  return refine("clPluRefine", plu, op, A, 1, x, b, options, report);
}

clStatus clPluRefineMany(const clPlu *plu, clTranspose op, const clTriplets *A, int count,
                         double *x, const double *b, const clRefineOptions *options,
                         clRefineReport *reports) {
  return refine("clPluRefineMany", plu, op, A, count, x, b, options, reports);
}

clStatus clPluRefineDense(const clPlu *plu, clTranspose op, const clDense *A, int count, double *x,
                          const double *b, const clRefineOptions *options,
                          clRefineReport *reports) {
  static const char call[] = "clPluRefineDense";
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txPluReady(plu, call));
  TRY_CLEANUP(txDenseCheck(call, plu->context, "A", A));
  TRY_CLEANUP(clDenseDownloadTriplets(&T, A));
  TRY_CLEANUP(clTripletsCompress(T, txContextError(plu->context)));
  TRY_CLEANUP(refine(call, plu, op, T, count, x, b, options, reports));
cleanup:
  clTripletsDestroy(T);
  return status;
}
