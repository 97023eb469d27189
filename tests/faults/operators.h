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
  if (ny)
    TRY(clVectorCreateGrid(x, context, nx, ny));
  else
    TRY(clVectorCreate(x, context, nx));
  return clVectorUploadDouble(*x, values);
}

static inline clStatus reductions(clContext *context, double result[RESULTS]) {
  enum { NUMBERS = 5 };
  OWN(clVector) *x = NULL;
  OWN_ARRAY(clFloat, 5) * s[NUMBERS] = {NULL};
  float value[NUMBERS] = {0};
  TRY(someVector(&x, context, 9, 7));
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
  for (int k = 0; k < NUMBERS; k++)
    result[k] = (double)value[k];
  return TEXLA_OK;
}

static inline clStatus elements(clContext *context, double result[RESULTS]) {
  OWN(clVector) *x = NULL, *y = NULL, *z = NULL;
  double values[63];
  TRY(someVector(&x, context, 9, 7));
  TRY(someVector(&y, context, 18, 7));
  TRY(clVectorRescale(x, y));
  TRY(clVectorCreateLike(&z, x));
  TRY(clVectorClear(z));
  TRY(clVectorDivZ(z, x, z));
  TRY(clVectorAdd(z, 1, NULL, z, 2, NULL, x));
  TRY(clVectorDiv(z, x, z));
  TRY(clVectorCopy(x, z));
  TRY(clVectorDownloadDouble(x, values));
  memcpy(result, values, RESULTS * sizeof *values);
  return TEXLA_OK;
}

/* In double-float. */
static inline clStatus pairs(clContext *context, double result[RESULTS]) {
  OWN(clVector) *single = NULL;
  OWN(clDoubleVector) *x = NULL, *y = NULL;
  OWN_ARRAY(clDouble, 3) * s[3] = {NULL};
  double value[3] = {0};
  TRY(someVector(&single, context, 9, 7));
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
  memcpy(result, value, sizeof value);
  return TEXLA_OK;
}

static inline clStatus denseOperators(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *B = NULL, *C = NULL;
  OWN(clTriplets) *T = NULL;
  OWN(clVector) *x = NULL;
  OWN(clFloat) *s = NULL;
  float norm = 0;
  TRY(denseMatrix(&A, context));
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
  result[0] = (double)norm;
  return TEXLA_OK;
}

/* Blocks at odd places, which are copied first, and a matrix that is looked at where it lies. */
static inline clStatus views(clContext *context, double result[RESULTS]) {
  enum { N = 7 };
  OWN(clDense) *A = NULL, *B = NULL;
  OWN(clVector) *x = NULL, *y = NULL, *z = NULL;
  OWN(clMatrix) *matrix = NULL;
  TRY(denseMatrix(&A, context));
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
  return keepVector(result, y);
}

/* Lower triangles, in squares and packed. */
static inline clStatus triangles(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *C = NULL;
  OWN(clPacked) *P = NULL, *Q = NULL;
  OWN(clVector) *d = NULL;
  float values[DENSE * DENSE] = {0}, entry = 0;
  TRY(denseMatrix(&A, context));
  TRY(someVector(&d, context, DENSE, 0));
  TRY(clDenseCreateLike(&C, A));
  TRY(clDenseSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, d, 0));
  TRY(clDenseSyrk(C, 1, TEXLA_TRANSPOSE, A, NULL, 1));
  TRY(clPackedCreate(&P, context, DENSE, TEXLA_PACKING_1X1));
  TRY(clPackedFromDense(P, C));
  TRY(clPackedCreate(&Q, context, DENSE, TEXLA_PACKING_2X2));
  TRY(clPackedCopy(Q, P));
  TRY(clPackedSyrk(Q, 1, TEXLA_NO_TRANSPOSE, A, d, 1));
  TRY(clPackedMulVector(d, Q, d));
  TRY(clPackedDownload(Q, values, DENSE));
  TRY(clPackedUpload(P, values, DENSE));
  TRY(clPackedEntry(P, 3, 5, &entry));
  TRY(clPackedToDense(C, P, true));
  TRY(keepVector(result, d));
  result[RESULTS - 1] = (double)entry;
  TRY(clDenseDownload(C, values, DENSE));
  result[RESULTS - 2] = (double)values[DENSE - 1];
  return TEXLA_OK;
}

#endif
