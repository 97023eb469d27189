/* Factorizations and eliminations of dense matrices.
 *
 * Each makes an object of the library (clPlu, clQr, ...), factors, copies what is asked for into
 * the results, and destroys the object: factors are values like others, and nothing is kept that
 * nobody holds. Positions are counted from 1, as the toolbox and Fortran do. */
#include "queue/operations.h"
#include "core/numbers.h"
#include "core/try.h"
#include "texla/cholesky.h"
#include "texla/crout.h"
#include "texla/qr.h"

#include <stdlib.h>

/* That of a matrix without rows is 1, an empty product. */
clStatus txRunDeterminant(txCall *call) {
  clDense *A;
  double *out;
  clDeterminant determinant = {.value = 1};
  TRY(txResultHost(call, 0, &out));
  if (call->operand[0].shape.rows) {
    TRY(txOperandDense(call, 0, &A));
    TRY(txCallStatus(call, clDenseDeterminant(&determinant, A, NULL)));
  }
  *out = determinant.value;
  return TEXLA_OK;
}

/* Positions of pivots are counted from 1, and those beyond the rank are zeros. */
clStatus txRunRref(txCall *call) {
  clDense *A, *R;
  double *cols = NULL, *out = NULL;
  int rank = 0, most = (int)call->shape[1].cols;
  /* The rank of an empty matrix is 0. */
  if (!most && call->results > 2)
    return txResultHost(call, 2, &out);
  if (!most)
    return TEXLA_OK;
  clEliminationOptions options = {.tolerance = txOperandNumber(call, 1, 0)};
  int *pivots = txCallAllocate(call, (size_t)most, sizeof *pivots, "pivots");
  clStatus status = TEXLA_OK;
  if (!pivots)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(txOperandDense(call, 0, &A));
  TRY_CLEANUP(txResultDense(call, 0, &R));
  TRY_CLEANUP(txCallStatus(call, clDenseRref(R, A, &options, &rank, pivots)));
  if (call->results > 1)
    TRY_CLEANUP(txResultHost(call, 1, &cols));
  for (int k = 0; k < rank && cols; k++)
    cols[k] = pivots[k] + 1;
  if (call->results > 2)
    TRY_CLEANUP(txResultHost(call, 2, &out));
  if (out)
    *out = rank;
cleanup:
  free(pivots);
  return status;
}

/* The factors of a matrix that is not empty. */
static clStatus factorsFactorLu(txCall *call, clPlu **plu) {
  clDense *A, *L, *U = NULL;
  txShape a = call->operand[0].shape;
  TRY(txOperandDense(call, 0, &A));
  TRY(txCallStatus(call, clPluCreate(plu, call->context, (int)a.rows, (int)a.cols, NULL)));
  /* P A = L U also if the rank is deficient. */
  TRY(txCallStatus(call, clPluFactor(*plu, A, NULL)));
  TRY(txResultDense(call, 0, &L));
  if (call->results > 1)
    TRY(txResultDense(call, 1, &U));
  return txCallStatus(call, clPluSplit(*plu, L, U));
}

/* The third result is the row that each row of P A was, counted from 1. */
clStatus txRunLu(txCall *call) {
  clPlu *plu = NULL;
  double *p = NULL;
  txShape a = call->operand[0].shape;
  clStatus status = TEXLA_OK;
  if (!txShapeEmpty(a))
    TRY_CLEANUP(factorsFactorLu(call, &plu));
  if (call->results > 2)
    TRY_CLEANUP(txResultHost(call, 2, &p));
  for (int64_t i = 0; i < a.rows && p; i++) {
    p[i] = (double)(i + 1);
    if (plu)
      p[i] = clPluRows(plu)[i] + 1;
  }
cleanup:
  clPluDestroy(plu);
  return status;
}

/* F <- L - I + U. clPluFactors has both in one matrix, but those of the equilibrated A. */
static clStatus joinFactors(txCall *call, const clPlu *plu, clDense *F) {
  int rows = clDenseRows(F), cols = clDenseCols(F), steps = txLeast(rows, cols);
  clDense *L = NULL, *U = NULL, *below = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&L, call->context, rows, steps));
  TRY_CLEANUP(clDenseCreate(&U, call->context, steps, cols));
  TRY_CLEANUP(clDenseCreate(&below, call->context, rows, cols));
  TRY_CLEANUP(clPluSplit(plu, L, U));
  TRY_CLEANUP(clDenseViewCopy(clDenseViewBlock(below, 0, 0, rows, steps), TEXLA_NO_TRANSPOSE,
                              clDenseViewAll(L)));
  TRY_CLEANUP(clDenseIdentity(F, 1));
  TRY_CLEANUP(clDenseAdd(below, 1, below, -1, F));
  TRY_CLEANUP(clDenseFill(F, 0));
  TRY_CLEANUP(clDenseViewCopy(clDenseViewBlock(F, 0, 0, steps, cols), TEXLA_NO_TRANSPOSE,
                              clDenseViewAll(U)));
  TRY_CLEANUP(clDenseAdd(F, 1, below, 1, F));
cleanup:
  clDenseDestroy(L);
  clDenseDestroy(U);
  clDenseDestroy(below);
  return txCallStatus(call, status);
}

/* Both factors in one matrix, and the row that each row was, counted from 1. */
clStatus txRunFactor(txCall *call) {
  clDense *A, *F;
  clPlu *plu = NULL;
  double *p;
  txShape a = call->operand[0].shape;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandDense(call, 0, &A));
  TRY_CLEANUP(txCallStatus(call, clPluCreate(&plu, call->context, (int)a.rows, (int)a.cols, NULL)));
  TRY_CLEANUP(txCallStatus(call, clPluFactor(plu, A, NULL)));
  TRY_CLEANUP(txResultDense(call, 0, &F));
  TRY_CLEANUP(joinFactors(call, plu, F));
  if (call->results > 1)
    TRY_CLEANUP(txResultHost(call, 1, &p));
  for (int64_t i = 0; i < a.rows && call->results > 1; i++)
    p[i] = clPluRows(plu)[i] + 1;
cleanup:
  clPluDestroy(plu);
  return status;
}

/* Operands 2 to 5 of crout. */
static clStatus readCroutOptions(const txCall *call, clCroutOptions *options) {
  double section = txOperandNumber(call, 1, 0), order = txOperandNumber(call, 2, 0),
         sweep = txOperandNumber(call, 3, 0), tolerance = txOperandNumber(call, 4, 0);
  if (!(section >= 0 && section <= 1 << 20))
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "a section has %g rows, not 0 to 2^20", section);
  if ((order != 0 && order != 1) || (sweep != 0 && sweep != 1))
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "order and sweep are 0 or 1, not %g and %g", order,
                      sweep);
  if (!(tolerance >= 0))
    return txCallFail(call, TEXLA_BAD_ARGUMENT, "the tolerance is %g, not 0 or more", tolerance);
  *options = (clCroutOptions){.section = (int)section,
                              .order = (clCroutOrder)order,
                              .sweep = (clCroutSweep)sweep,
                              .tolerance = tolerance};
  return TEXLA_OK;
}

/* Z of A = L U without pivoting: L on and below the diagonal, U, with ones on its diagonal,
 * above. */
clStatus txRunCrout(txCall *call) {
  clDense *A, *Z;
  clCrout *crout = NULL;
  clCroutOptions options;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(readCroutOptions(call, &options));
  TRY_CLEANUP(txOperandDense(call, 0, &A));
  TRY_CLEANUP(
      txCallStatus(call, clCroutCreate(&crout, call->context, (int)call->shape[0].rows, &options)));
  TRY_CLEANUP(txCallStatus(call, clCroutFactor(crout, A, NULL)));
  TRY_CLEANUP(txResultDense(call, 0, &Z));
  TRY_CLEANUP(txCallStatus(call, clDenseCopy(Z, clCroutFactors(crout))));
cleanup:
  clCroutDestroy(crout);
  return status;
}

/* F <- the factor of A: L, or with T as scratch R = L^T of what A's upper triangle says. Where A is
 * not positive definite, *column <- the column that shows it; without `column` that is an error. */
static clStatus factorsFactorCholesky(txCall *call, clCholesky *cholesky, clDense *F,
                                      const clDense *A, clDense *T, double *column) {
  bool lower = txOperandNumber(call, 1, 0) != 0;
  clCholeskyReport report = {.column = -1};
  if (!lower) {
    TRY(txCallStatus(call, clDenseTranspose(T, A)));
    A = T;
  }
  clStatus status = clCholeskyFactor(cholesky, A, &report);
  if (status == TEXLA_SINGULAR && column && report.column >= 0) {
    *column = report.column + 1;
    return TEXLA_OK;
  }
  TRY(txCallStatus(call, status));
  if (lower)
    return txCallStatus(call, clCholeskyLower(cholesky, F));
  TRY(txCallStatus(call, clCholeskyLower(cholesky, T)));
  return txCallStatus(call, clDenseTranspose(F, T));
}

/* The factor of A, of which the upper triangle counts: R with A = R^T R; with operand 2 the lower
 * one, and L with A = L L^T. Where A is not positive definite, the second result is the column that
 * shows it and the first one zero; where nobody asks for a second one that is an error. */
clStatus txRunCholesky(txCall *call) {
  clDense *A, *F, *T = NULL;
  double *column = NULL;
  clCholesky *cholesky = NULL;
  int n = (int)call->shape[0].rows;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandDense(call, 0, &A));
  TRY_CLEANUP(txCallStatus(call, clCholeskyCreate(&cholesky, call->context, n, NULL)));
  TRY_CLEANUP(txCallStatus(call, clDenseCreateLike(&T, A)));
  TRY_CLEANUP(txResultDense(call, 0, &F));
  if (call->results > 1)
    TRY_CLEANUP(txResultHost(call, 1, &column));
  TRY_CLEANUP(factorsFactorCholesky(call, cholesky, F, A, T, column));
cleanup:
  clDenseDestroy(T);
  clCholeskyDestroy(cholesky);
  return status;
}

/* R, k x n, in the first rows of the result. */
static clStatus qrUpper(txCall *call, const clQr *qr) {
  txShape a = call->operand[0].shape;
  int m = (int)a.rows, n = (int)a.cols, k = m < n ? m : n;
  clDense *R, *T = NULL;
  TRY(txResultDense(call, 1, &R));
  if (call->shape[1].rows == k)
    return txCallStatus(call, clQrUpper(qr, R));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txCallStatus(call, clDenseCreate(&T, call->context, k, n)));
  TRY_CLEANUP(txCallStatus(call, clQrUpper(qr, T)));
  TRY_CLEANUP(txCallStatus(call, clDenseViewCopy(clDenseViewBlock(R, 0, 0, k, n),
                                                 TEXLA_NO_TRANSPOSE, clDenseViewAll(T))));
cleanup:
  clDenseDestroy(T);
  return status;
}

/* Q is the identity with all reflections applied to it. */
clStatus txRunQr(txCall *call) {
  clDense *A, *Q;
  clQr *qr = NULL;
  double *p;
  txShape a = call->operand[0].shape;
  const clQrOptions options = {.no_pivoting = txOperandNumber(call, 1, 0) == 0, .tolerance = -1};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txOperandDense(call, 0, &A));
  TRY_CLEANUP(
      txCallStatus(call, clQrCreate(&qr, call->context, (int)a.rows, (int)a.cols, &options)));
  TRY_CLEANUP(txCallStatus(call, clQrFactor(qr, A, NULL)));
  TRY_CLEANUP(txResultDense(call, 0, &Q));
  TRY_CLEANUP(txCallStatus(call, clDenseIdentity(Q, 1)));
  TRY_CLEANUP(txCallStatus(call, clQrApply(qr, TEXLA_NO_TRANSPOSE, Q)));
  if (call->results > 1)
    TRY_CLEANUP(qrUpper(call, qr));
  if (call->results > 2)
    TRY_CLEANUP(txResultHost(call, 2, &p));
  for (int64_t j = 0; j < a.cols && call->results > 2; j++)
    p[j] = clQrCols(qr)[j] + 1;
cleanup:
  clQrDestroy(qr);
  return status;
}
