/* Further scenarios: the operators on numbers, vectors and dense matrices that the others have no
 * use for. */
#ifndef TEXLA_TESTS_FAULTS_OPERATORS_H
#define TEXLA_TESTS_FAULTS_OPERATORS_H

#include "faults/scenarios.h"

/* x_i <- 1 + i mod 5, in the linear layout, or on a grid where ny is not 0 */
static inline clStatus someVector(clVector **x, clContext *context, int nx, int ny) {
  double values[RESULTS * 4];
  int n = ny ? nx * ny : nx;
  assert_true(n <= RESULTS * 4);
  for (int k = 0; k < n; k++)
    values[k] = 1 + k % 5;
  clStatus status = ny ? clVectorCreateGrid(x, context, nx, ny) : clVectorCreate(x, context, nx);
  return status ? status : clVectorUploadDouble(*x, values);
}

static inline clStatus reductions(clContext *context, double result[RESULTS]) {
  enum { NUMBERS = 5 };
  clVector *x = NULL;
  clFloat *s[NUMBERS] = {NULL};
  float value[NUMBERS] = {0};
  clStatus status = someVector(&x, context, 9, 7);
  for (int k = 0; k < NUMBERS; k++)
    TRY(clFloatCreate(&s[k], context));
  TRY(clVectorSum(s[0], x));
  TRY(clVectorNorm(s[1], x));
  TRY(clFloatMul(s[0], s[0], s[1]));
  TRY(clVectorMin(s[2], x));
  TRY(clFloatAdd(s[0], s[0], s[2]));
  TRY(clVectorMax(s[2], x));
  TRY(clFloatSub(s[0], s[0], s[2]));
  TRY(clVectorAbsMax(s[2], x));
  TRY(clFloatDiv(s[0], s[0], s[2]));
  TRY(clFloatSqrt(s[0], s[0]));
  TRY(clVectorArgMax(s[1], s[2], s[3], x));
  TRY(clFloatUpload(s[4], 2));
  TRY(clFloatDivZ(s[4], s[1], s[4]));
  TRY(clFloatCopy(s[1], s[4]));
  for (int k = 0; k < NUMBERS; k++)
    TRY(clFloatDownload(s[k], &value[k]));
  for (int k = 0; k < NUMBERS && !status; k++)
    result[k] = (double)value[k];
  for (int k = 0; k < NUMBERS; k++)
    clFloatDestroy(s[k]);
  clVectorDestroy(x);
  return status;
}

static inline clStatus elements(clContext *context, double result[RESULTS]) {
  clVector *x = NULL, *y = NULL, *z = NULL;
  double values[63];
  clStatus status = someVector(&x, context, 9, 7);
  TRY(someVector(&y, context, 18, 7));
  TRY(clVectorRescale(x, y));
  TRY(clVectorCreateLike(&z, x));
  TRY(clVectorClear(z));
  TRY(clVectorDivZ(z, x, z));
  TRY(clVectorAdd(z, 1, NULL, z, 2, NULL, x));
  TRY(clVectorDiv(z, x, z));
  TRY(clVectorCopy(x, z));
  TRY(clVectorDownloadDouble(x, values));
  if (!status)
    memcpy(result, values, RESULTS * sizeof *values);
  clVectorDestroy(z);
  clVectorDestroy(y);
  clVectorDestroy(x);
  return status;
}

/* In double-float. */
static inline clStatus pairs(clContext *context, double result[RESULTS]) {
  clVector *single = NULL;
  clDoubleVector *x = NULL, *y = NULL;
  clDouble *s[3] = {NULL};
  double value[3] = {0};
  clStatus status = someVector(&single, context, 9, 7);
  TRY(clDoubleVectorCreateGrid(&x, context, 9, 7));
  TRY(clDoubleVectorFromSingle(x, single));
  TRY(clDoubleVectorCreateLike(&y, single));
  TRY(clDoubleVectorFill(y, 0.1));
  for (int k = 0; k < 3; k++)
    TRY(clDoubleCreate(&s[k], context));
  TRY(clDoubleUpload(s[0], 0.3));
  TRY(clDoubleVectorScale(y, 1, s[0], y));
  TRY(clDoubleVectorAdd(y, 1, s[0], x, 1, NULL, y));
  TRY(clDoubleVectorDot(s[0], x, y));
  TRY(clVectorDotDouble(s[1], single, single));
  TRY(clVectorNormDouble(s[2], single));
  TRY(clDoubleVectorCopy(x, y));
  TRY(clDoubleVectorToSingle(single, x));
  TRY(keepVector(result, single));
  for (int k = 0; k < 3; k++)
    TRY(clDoubleDownload(s[k], &value[k]));
  if (!status)
    memcpy(result, value, sizeof value);
  for (int k = 0; k < 3; k++)
    clDoubleDestroy(s[k]);
  clDoubleVectorDestroy(y);
  clDoubleVectorDestroy(x);
  clVectorDestroy(single);
  return status;
}

static inline clStatus denseOperators(clContext *context, double result[RESULTS]) {
  clDense *A = NULL, *B = NULL, *C = NULL;
  clTriplets *T = NULL;
  clVector *x = NULL;
  clFloat *s = NULL;
  float norm = 0;
  clStatus status = denseMatrix(&A, context);
  TRY(clDenseClone(&B, A));
  TRY(clDenseCreateLike(&C, A));
  TRY(clDenseFill(C, 0.5f));
  TRY(clDenseAdd(B, 2, B, 1, C));
  TRY(clDenseIdentity(C, 3));
  /* element by element */
  TRY(clDenseMul(B, B, A));
  TRY(clDenseTranspose(C, B));
  TRY(clDenseTriangle(B, TEXLA_TRIANGLE_UPPER, true, C));
  TRY(clDenseCopy(C, B));
  TRY(clDenseDownloadTriplets(&T, C));
  TRY(clDenseUploadTriplets(B, T));
  TRY(clVectorCreate(&x, context, DENSE * DENSE));
  TRY(clDenseToVector(x, B));
  TRY(clDenseFromVector(C, x));
  TRY(clFloatCreate(&s, context));
  TRY(clDenseNorm(s, TEXLA_NORM_INF, C));
  TRY(clFloatDownload(s, &norm));
  TRY(keepDense(result, C));
  if (!status)
    result[0] = (double)norm;
  clFloatDestroy(s);
  clVectorDestroy(x);
  clTripletsDestroy(T);
  clDenseDestroy(C);
  clDenseDestroy(B);
  clDenseDestroy(A);
  return status;
}

/* Blocks at odd places, which are copied first, and a matrix that is looked at where it lies. */
static inline clStatus views(clContext *context, double result[RESULTS]) {
  enum { N = 7 };
  clDense *A = NULL, *B = NULL;
  clVector *x = NULL, *y = NULL, *z = NULL;
  clMatrix *matrix = NULL;
  clStatus status = denseMatrix(&A, context);
  clDenseView left = clDenseViewBlock(A, 1, 2, N, N), right = clDenseViewBlock(A, 10, 11, N, N);
  TRY(clDenseClone(&B, A));
  clDenseView out = clDenseViewBlock(B, 3, 4, N, N);
  TRY(clDenseViewMultiply(out, 1, TEXLA_NO_TRANSPOSE, left, TEXLA_TRANSPOSE, right, 0.5f));
  TRY(clDenseViewCopy(clDenseViewBlock(B, 12, 12, N, N), TEXLA_TRANSPOSE, out));
  TRY(clDenseViewTriangularSolve(out, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, true,
                                 TEXLA_NO_TRANSPOSE, 1, right, out));
  TRY(clVectorCreate(&x, context, N));
  TRY(clVectorCreate(&y, context, DENSE));
  TRY(clVectorFill(y, 1));
  TRY(clDenseViewToVector(x, clDenseViewBlock(B, 3, 5, N, 1)));
  TRY(clDenseViewFromVector(clDenseViewBlock(B, 0, 0, 1, N), x));
  TRY(clMatrixFromDense(&matrix, clDenseViewAll(B)));
  TRY(clVectorClone(&z, y));
  TRY(clMatrixVectorOp(y, TEXLA_OP_B_MINUS_AX, matrix, TEXLA_NO_TRANSPOSE, z, y));
  TRY(keepVector(result, y));
  clMatrixDestroy(matrix);
  clVectorDestroy(z);
  clVectorDestroy(y);
  clVectorDestroy(x);
  clDenseDestroy(B);
  clDenseDestroy(A);
  return status;
}

/* Lower triangles, in squares and packed. */
static inline clStatus triangles(clContext *context, double result[RESULTS]) {
  clDense *A = NULL, *C = NULL;
  clPacked *P = NULL, *Q = NULL;
  clVector *d = NULL;
  float values[DENSE * DENSE] = {0}, entry = 0;
  clStatus status = denseMatrix(&A, context);
  TRY(someVector(&d, context, DENSE, 0));
  TRY(clDenseCreateLike(&C, A));
  TRY(clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, d, 0));
  TRY(clDenseSyrk(C, 1, TEXLA_TRANSPOSE, A, NULL, 1));
  TRY(clPackedCreate(&P, context, DENSE, TEXLA_PACKING_1X1));
  TRY(clPackedFromDense(P, C));
  TRY(clPackedCreate(&Q, context, DENSE, TEXLA_PACKING_2X2));
  TRY(clPackedCopy(Q, P));
  TRY(clPackedSyrkWith(Q, 1, TEXLA_NO_TRANSPOSE, A, d, 1, TEXLA_TRIANGLE_METHOD_COLUMNS));
  TRY(clPackedMulVector(d, Q, d));
  TRY(clPackedDownload(Q, values, DENSE));
  TRY(clPackedUpload(P, values, DENSE));
  TRY(clPackedEntry(P, 3, 5, &entry));
  TRY(clPackedToDense(C, P, true));
  TRY(keepVector(result, d));
  if (!status)
    result[RESULTS - 1] = (double)entry;
  TRY(clDenseDownload(C, values, DENSE));
  if (!status)
    result[RESULTS - 2] = (double)values[DENSE - 1];
  clVectorDestroy(d);
  clPackedDestroy(Q);
  clPackedDestroy(P);
  clDenseDestroy(C);
  clDenseDestroy(A);
  return status;
}

#endif
