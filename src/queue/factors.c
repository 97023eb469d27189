/* Factorizations and eliminations of dense matrices. */
#include "queue/operations.h"
#include "texla/cholesky.h"
#include "texla/crout.h"
#include "texla/qr.h"

#include <stdlib.h>

clStatus txRunDeterminant(txCall *call) {
  clDense *A;
  double *out;
  clDeterminant determinant = {.value = 1};
  clStatus status = txResultHost(call, 0, &out);
  if (!status && call->operand[0].shape.rows) {
    status = txOperandDense(call, 0, &A);
    if (!status)
      status = txCallStatus(call, clDenseDeterminant(&determinant, A, NULL));
  }
  if (!status)
    *out = determinant.value;
  return status;
}

clStatus txRunRref(txCall *call) {
  clDense *A, *R;
  double *cols = NULL, *out = NULL;
  int rank = 0, most = (int)call->shape[1].cols;
  /* an empty matrix: its rank is 0 */
  if (!most)
    return call->results > 2 ? txResultHost(call, 2, &out) : TEXLA_OK;
  clEliminationOptions options = {.tolerance = txOperandNumber(call, 1, 0)};
  int *pivots = txCallAllocate(call, (size_t)most, sizeof *pivots, "pivots");
  clStatus status = pivots ? txOperandDense(call, 0, &A) : TEXLA_OUT_OF_MEMORY;
  if (!status)
    status = txResultDense(call, 0, &R);
  if (!status)
    status = txCallStatus(call, clDenseRref(R, A, &options, &rank, pivots));
  if (!status && call->results > 1)
    status = txResultHost(call, 1, &cols);
  for (int k = 0; k < rank && cols; k++)
    cols[k] = pivots[k] + 1;
  if (!status && call->results > 2)
    status = txResultHost(call, 2, &out);
  if (out)
    *out = rank;
  free(pivots);
  return status;
}

clStatus txRunLu(txCall *call) {
  clDense *A, *L, *U = NULL;
  clPlu *plu = NULL;
  double *p;
  txShape a = call->operand[0].shape;
  clStatus status = TEXLA_OK;
  if (!txShapeEmpty(a)) {
    status = txOperandDense(call, 0, &A);
    if (!status)
      status = txCallStatus(call, clPluCreate(&plu, call->context, (int)a.rows, (int)a.cols, NULL));
    if (!status)
      status = txCallStatus(call, clPluFactor(plu, A, NULL));
    /* P A = L U holds all the same */
    if (status == TEXLA_RANK_DEFICIENT)
      status = TEXLA_OK;
    if (!status)
      status = txResultDense(call, 0, &L);
    if (!status && call->results > 1)
      status = txResultDense(call, 1, &U);
    if (!status)
      status = txCallStatus(call, clPluSplit(plu, L, U));
  }
  if (!status && call->results > 2)
    status = txResultHost(call, 2, &p);
  for (int64_t i = 0; i < a.rows && !status && call->results > 2; i++)
    p[i] = plu ? clPluRows(plu)[i] + 1 : (double)(i + 1);
  clPluDestroy(plu);
  return status;
}

clStatus txRunFactor(txCall *call) {
  clDense *A, *F;
  clPlu *plu = NULL;
  double *p;
  txShape a = call->operand[0].shape;
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txCallStatus(call, clPluCreate(&plu, call->context, (int)a.rows, (int)a.cols, NULL));
  if (!status)
    status = txCallStatus(call, clPluFactor(plu, A, NULL));
  if (!status)
    status = txResultDense(call, 0, &F);
  if (!status)
    status = txCallStatus(call, clDenseCopy(F, clPluFactors(plu)));
  if (!status && call->results > 1)
    status = txResultHost(call, 1, &p);
  for (int64_t i = 0; i < a.rows && !status && call->results > 1; i++)
    p[i] = clPluRows(plu)[i] + 1;
  clPluDestroy(plu);
  return status;
}

/* Z of A = L U without pivoting: L on and below the diagonal, U, with ones on its diagonal,
 * above. */
clStatus txRunCrout(txCall *call) {
  clDense *A, *Z;
  clCrout *crout = NULL;
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status =
        txCallStatus(call, clCroutCreate(&crout, call->context, (int)call->shape[0].rows, NULL));
  if (!status)
    status = txCallStatus(call, clCroutFactor(crout, A, NULL));
  if (!status)
    status = txResultDense(call, 0, &Z);
  if (!status)
    status = txCallStatus(call, clDenseCopy(Z, clCroutFactors(crout)));
  clCroutDestroy(crout);
  return status;
}

/* The factor of A, of which the upper triangle counts: R with A = R^T R; with operand 2 the lower
 * one, and L with A = L L^T. Where A is not positive definite, the second result is the column that
 * shows it and the first one zero; nobody asks for a second one: an error. */
clStatus txRunCholesky(txCall *call) {
  clDense *A, *F, *T = NULL;
  double *column = NULL;
  bool lower = txOperandNumber(call, 1, 0) != 0;
  clCholesky *cholesky = NULL;
  clCholeskyReport report = {.column = -1};
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txCallStatus(
        call, clCholeskyCreate(&cholesky, call->context, (int)call->shape[0].rows, NULL));
  if (!status)
    status = txCallStatus(call, clDenseCreateLike(&T, A));
  if (!status && !lower)
    status = txCallStatus(call, clDenseTranspose(T, A));
  if (!status)
    status = txResultDense(call, 0, &F);
  if (!status && call->results > 1)
    status = txResultHost(call, 1, &column);
  if (!status) {
    status = txCallStatus(call, clCholeskyFactor(cholesky, lower ? A : T, &report));
    if (status == TEXLA_SINGULAR && column && report.column >= 0)
      *column = report.column + 1, status = TEXLA_OK;
    else if (!status)
      status = txCallStatus(call, clCholeskyLower(cholesky, lower ? F : T));
    if (!status && report.column < 0 && !lower)
      status = txCallStatus(call, clDenseTranspose(F, T));
  }
  clDenseDestroy(T);
  clCholeskyDestroy(cholesky);
  return status;
}

/* R, k x n, in the first rows of the result. */
static clStatus qrUpper(txCall *call, const clQr *qr) {
  txShape a = call->operand[0].shape;
  int m = (int)a.rows, n = (int)a.cols, k = m < n ? m : n;
  clDense *R, *T = NULL;
  clStatus status = txResultDense(call, 1, &R);
  if (!status && call->shape[1].rows == k)
    return txCallStatus(call, clQrUpper(qr, R));
  if (!status)
    status = txCallStatus(call, clDenseCreate(&T, call->context, k, n));
  if (!status)
    status = txCallStatus(call, clQrUpper(qr, T));
  if (!status)
    status = txCallStatus(call, clDenseViewCopy(clDenseViewBlock(R, 0, 0, k, n), TEXLA_DENSE_NORMAL,
                                                clDenseViewAll(T)));
  clDenseDestroy(T);
  return status;
}

clStatus txRunQr(txCall *call) {
  clDense *A, *Q;
  clQr *qr = NULL;
  double *p;
  txShape a = call->operand[0].shape;
  const clQrOptions options = {.no_pivoting = txOperandNumber(call, 1, 0) == 0, .tolerance = -1};
  clStatus status = txOperandDense(call, 0, &A);
  if (!status)
    status = txCallStatus(call, clQrCreate(&qr, call->context, (int)a.rows, (int)a.cols, &options));
  if (!status)
    status = txCallStatus(call, clQrFactor(qr, A, NULL));
  if (!status)
    status = txResultDense(call, 0, &Q);
  if (!status)
    status = txCallStatus(call, clDenseIdentity(Q, 1));
  if (!status)
    status = txCallStatus(call, clQrApply(qr, TEXLA_DENSE_NORMAL, Q));
  if (!status && call->results > 1)
    status = qrUpper(call, qr);
  if (!status && call->results > 2)
    status = txResultHost(call, 2, &p);
  for (int64_t j = 0; j < a.cols && !status && call->results > 2; j++)
    p[j] = clQrCols(qr)[j] + 1;
  clQrDestroy(qr);
  return status;
}
