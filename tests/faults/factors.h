/* Further scenarios: what can be done with factors, least squares, and solvers by hand. */
#ifndef TEXLA_TESTS_FAULTS_FACTORS_H
#define TEXLA_TESTS_FAULTS_FACTORS_H

#include "faults/operators.h"

/* The matrix on the device and on the host, and b_i <- 1 + i. */
static inline clStatus bothMatrices(clDense **A, clTriplets **T, double b[DENSE],
                                    clContext *context) {
  for (int i = 0; i < DENSE; i++)
    b[i] = 1 + i;
  TRY(denseMatrix(A, context));
  return clDenseDownloadTriplets(T, *A);
}

static inline clStatus factorsOfPlu(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *B = NULL, *C = NULL;
  OWN(clTriplets) *T = NULL;
  OWN(clPlu) *plu = NULL;
  clDeterminant determinant = {0};
  double b[DENSE], x[DENSE] = {0};
  TRY(bothMatrices(&A, &T, b, context));
  TRY(clDenseCreateLike(&B, A));
  TRY(clDenseCreateLike(&C, A));
  TRY(clPluCreate(&plu, context, DENSE, DENSE, NULL));
  TRY(clPluFactor(plu, A, NULL));
  TRY(clPluSplit(plu, B, C));
  TRY(clPluPermute(plu, TEXLA_TRANSPOSE, C, B));
  TRY(clPluInverse(plu, B));
  TRY(clPluDeterminant(&determinant, plu));
  TRY(clPluRefine(plu, TEXLA_NO_TRANSPOSE, T, x, b, NULL, NULL));
  TRY(clPluRefineMany(plu, TEXLA_TRANSPOSE, T, 1, x, b, NULL, NULL));
  TRY(clPluRefineDense(plu, TEXLA_NO_TRANSPOSE, A, 1, x, b, NULL, NULL));
  TRY(clDenseSolve(B, A, C, NULL));
  TRY(clDenseDeterminant(&determinant, C, NULL));
  TRY(keepDense(result, B));
  for (int k = 0; k < 8; k++)
    result[k] = x[k];
  return TEXLA_OK;
}

static inline clStatus factorsOfCholesky(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *L = NULL;
  OWN(clPacked) *P = NULL;
  OWN(clTriplets) *T = NULL;
  OWN(clCholesky) *cholesky = NULL;
  clDeterminant determinant = {0};
  double b[DENSE], x[DENSE] = {0}, rcond = 0;
  TRY(bothMatrices(&A, &T, b, context));
  TRY(clDenseCreateLike(&L, A));
  TRY(clPackedCreate(&P, context, DENSE, TEXLA_PACKING_2X2));
  TRY(clCholeskyCreate(&cholesky, context, DENSE, NULL));
  TRY(clCholeskyFactor(cholesky, A, NULL));
  TRY(clCholeskyLowerPacked(cholesky, P));
  TRY(clCholeskyLower(cholesky, L));
  TRY(clCholeskySolveHalf(cholesky, TEXLA_TRANSPOSE, L, A));
  TRY(clCholeskyCondition(cholesky, &rcond));
  TRY(clCholeskyDeterminant(cholesky, &determinant));
  TRY(clCholeskyRefine(cholesky, T, x, b, NULL, NULL));
  TRY(keepDense(result, L));
  for (int k = 0; k < 8; k++)
    result[k] = x[k];
  return TEXLA_OK;
}

/* In sections of 8 rows. */
static inline clStatus factorsOfCrout(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *L = NULL, *U = NULL;
  OWN(clTriplets) *T = NULL;
  OWN(clCrout) *crout = NULL;
  double b[DENSE], x[DENSE] = {0};
  TRY(bothMatrices(&A, &T, b, context));
  TRY(clDenseCreateLike(&L, A));
  TRY(clDenseCreateLike(&U, A));
  TRY(clCroutCreate(&crout, context, DENSE, &(clCroutOptions){.section = 8}));
  TRY(clCroutFactor(crout, A, NULL));
  TRY(clCroutSplit(crout, L, U));
  TRY(clCroutRefine(crout, TEXLA_TRANSPOSE, T, 1, x, b, NULL, NULL));
  TRY(keepDense(result, U));
  for (int k = 0; k < 8; k++)
    result[k] = x[k];
  return TEXLA_OK;
}

static inline clStatus factorsOfQr(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *R = NULL;
  OWN(clQr) *qr = NULL;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&R, A));
  TRY(clQrCreate(&qr, context, DENSE, DENSE, &(clQrOptions){.panel = 8}));
  TRY(clQrFactor(qr, A, NULL));
  TRY(clQrUpper(qr, R));
  /* A with its columns in another order */
  TRY(clQrApply(qr, TEXLA_NO_TRANSPOSE, R));
  return keepDense(result, R);
}

static inline clStatus weighted(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL;
  OWN(clVector) *d = NULL;
  OWN(clLeastSquares) *lsq = NULL;
  double weight[DENSE], b[DENSE], x[DENSE] = {0};
  for (int i = 0; i < DENSE; i++)
    b[i] = 1 + i, weight[i] = 1 + i % 2;
  TRY(denseMatrix(&A, context));
  TRY(clLeastSquaresCreateDense(&lsq, A, NULL));
  TRY(clLeastSquaresWeigh(lsq, weight));
  TRY(clLeastSquaresSolve(lsq, x, b, NULL));
  TRY(someVector(&d, context, DENSE, 0));
  TRY(clLeastSquaresWeighVector(lsq, d));
  TRY(clLeastSquaresSolveNormal(lsq, x, b, NULL));
  memcpy(result, x, sizeof x);
  return TEXLA_OK;
}

/* Two right-hand sides of which both are begun by hand, and one is solved afterwards. */
static inline clStatus byHand(clContext *context, double result[RESULTS]) {
  enum { N = 20 };
  float values[N * N];
  OWN(clMatrix) *A = NULL;
  OWN_ARRAY(clVector, 2) * x[2] = {NULL}, *b[2] = {NULL};
  OWN(clSolver) *solver = NULL;
  for (int k = 0; k < N * N; k++)
    values[k] = k % (N + 1) == 0 ? N : 1.f / (float)(1 + k / N + k % N);
  TRY(clMatrixCreateDense(&A, context, N, N, values, N));
  for (int k = 0; k < 2; k++) {
    TRY(someVector(&x[k], context, N, 0));
    TRY(someVector(&b[k], context, N, 0));
  }
  TRY(clSolverCreate(&solver, A, &(clSolverOptions){.method = TEXLA_METHOD_CG, .columns = 2}));
  TRY(clSolverInitMany(solver, 2, x, (const clVector *const *)b));
  TRY(clSolverIterate(solver, 3));
  TRY(clSolverInit(solver, x[0], b[0]));
  TRY(clSolverIterate(solver, 2));
  TRY(clSolverSolve(solver, x[1], b[1], NULL));
  TRY(clVectorAxpy(x[1], 1, NULL, x[0]));
  return keepVector(result, x[1]);
}

static inline clStatus gridsToTheEnd(clContext *context, double result[RESULTS]) {
  enum { NX = 10, NY = 12 };
  OWN(clTriplets) *A = NULL;
  OWN(clMultigrid) *multigrid = NULL;
  OWN(clVector) *x = NULL, *b = NULL;
  TRY(clGenerateAnisotropic(&A, NX, NY, 0.5, &hostError));
  TRY(clMultigridCreate(&multigrid, context, A, NX, NY, &(clMultigridOptions){.coarsest = 16}));
  TRY(someVector(&x, context, NX, NY));
  TRY(someVector(&b, context, NX, NY));
  TRY(clMultigridApply(multigrid, x, b));
  TRY(clMultigridSolve(multigrid, x, b, &(clSolverOptions){.tolerance = 1e-5}, NULL));
  return keepVector(result, x);
}

/* Lines of both colours; then some on the host, to double accuracy. */
static inline clStatus zebra(clContext *context, double result[RESULTS]) {
  enum { SYSTEMS = 6, ROWS = 9, ALL = SYSTEMS * ROWS };
  double band[3][ALL], y[ALL] = {0};
  OWN(clTridiagonal) *T = NULL;
  OWN(clVector) *x = NULL, *rhs = NULL;
  const clTridiagonalBands A = {.sub_value = -1, .main_value = 3, .super_value = -1};
  for (int k = 0; k < ALL; k++)
    band[0][k] = -1, band[1][k] = 3, band[2][k] = 1 + k;
  const clTridiagonalBatch batch = {.systems = SYSTEMS,
                                    .rows = ROWS,
                                    .sub = band[0],
                                    .main = band[1],
                                    .super = band[0],
                                    .rhs = band[2]};
  TRY(clTridiagonalCreate(&T, context, SYSTEMS, ROWS,
                          &(clTridiagonalOptions){.axis = TEXLA_AXIS_Y}));
  TRY(someVector(&x, context, SYSTEMS, ROWS));
  TRY(someVector(&rhs, context, SYSTEMS, ROWS));
  TRY(clTridiagonalSolve(T, x, &A, rhs));
  TRY(clTridiagonalFactor(T, &A));
  for (int first = 0; first < 2; first++)
    TRY(clTridiagonalSolveZebra(T, x, x, first));
  TRY(clTridiagonalSolveHost(context, y, &batch, &(clTridiagonalHostOptions){.refine = true}, NULL,
                             NULL));
  TRY(keepVector(result, x));
  for (int k = 0; k < 8; k++)
    result[k] = y[k];
  return TEXLA_OK;
}

#endif
