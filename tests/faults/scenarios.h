/* What the tests of injected faults run: each scenario creates, uses and destroys some objects, and
 * ends at the first call that fails. all.h lists them. */
#ifndef TEXLA_TESTS_FAULTS_SCENARIOS_H
#define TEXLA_TESTS_FAULTS_SCENARIOS_H

#include "matrices.h"

#include "texla/sim.h"

enum { RESULTS = 32 };

/* Of calls that know no context yet. */
static clError hostError;

/* A call that fails ends the function. */
#define TRY(call)                                                                                  \
  do {                                                                                             \
    clStatus try_status = (call);                                                                  \
    if (try_status)                                                                                \
      return try_status;                                                                           \
  } while (0)

/* OWN_ARRAY(clVector, 2) *x[2] = {NULL}: as OWN. */
#define OWN_ARRAY(type, count) AT_END(type##End##count) type
#define OWNED_ARRAY(type, count)                                                                   \
  static inline void type##End##count(type *(*objects)[count]) {                                   \
    for (int k = 0; k < (count); k++)                                                              \
      type##Destroy((*objects)[k]);                                                                \
  }
OWNED_ARRAY(clDouble, 3)
OWNED_ARRAY(clFloat, 5)
OWNED_ARRAY(clTriplets, 6)
OWNED_ARRAY(clVector, 2)

/* A scenario that is another one with arguments. */
#define VARIANT(name, call)                                                                        \
  static inline clStatus name(clContext *context, double result[RESULTS]) {                        \
    return call;                                                                                   \
  }

/* result <- numbers that tell whether the work was done right, when all of it was done; untouched
 * otherwise. */
typedef clStatus (*Run)(clContext *context, double result[RESULTS]);

typedef struct Scenario {
  const char *name;
  Run run;
} Scenario;

static inline void keep(double result[RESULTS], const float *values) {
  for (int k = 0; k < RESULTS; k++)
    result[k] = (double)values[k];
}

/* Its first elements. */
static inline clStatus keepVector(double result[RESULTS], const clVector *x) {
  static float values[4096];
  memset(values, 0, sizeof values);
  assert_true(clVectorLength(x) <= (int64_t)(sizeof values / sizeof *values));

  TRY(clVectorDownload(x, values));
  keep(result, values);
  return TEXLA_OK;
}

static inline clStatus vectors(clContext *context, double result[RESULTS]) {
  OWN(clVector) *x = NULL, *y = NULL;
  OWN(clFloat) *s = NULL;
  clRead *read = NULL;
  float values[100], sum = 0;
  for (int k = 0; k < 100; k++)
    values[k] = (float)(k % 7);
  TRY(clVectorCreate(&x, context, 100));
  TRY(clVectorUpload(x, values));
  TRY(clVectorClone(&y, x));
  TRY(clVectorAxpy(y, 2, NULL, x));
  TRY(clFloatCreate(&s, context));
  TRY(clVectorDot(s, x, y));
  TRY(clFloatDownload(s, &sum));
  TRY(clVectorReadStart(&read, y));
  TRY(clReadFinish(read, values));
  keep(result, values);
  result[0] = (double)sum;
  return TEXLA_OK;
}

static inline clStatus kernels(clContext *context, double result[RESULTS]) {
  OWN(clKernel) *kernel = NULL;
  OWN(clVector) *x = NULL;
  TRY(clKernelCreate(&kernel, context, "three", "vec4 kernel() { return vec4(3.); }"));
  TRY(clVectorCreate(&x, context, RESULTS));
  TRY(clKernelExecute(kernel, &(clKernelRun){.output = {x}}));
  return keepVector(result, x);
}

static inline clStatus matrixIn(clContext *context, clStorage storage, double result[RESULTS]) {
  OWN(clTriplets) *A = NULL;
  OWN(clMatrix) *matrix = NULL;
  OWN(clVector) *x = NULL, *y = NULL;
  TRY(clGeneratePoisson2d(&A, 8, 8, &hostError));
  TRY(clMatrixCreate(&matrix, context, A, &(clMatrixOptions){.storage = storage}));
  TRY(clMatrixCreateVector(&x, matrix, TEXLA_DOMAIN));
  TRY(clMatrixCreateVector(&y, matrix, TEXLA_RANGE));
  TRY(clVectorFill(x, 1));
  TRY(clMatrixMulVector(y, matrix, x));
  return keepVector(result, y);
}

VARIANT(banded, matrixIn(context, TEXLA_STORAGE_BANDED, result))
VARIANT(slots, matrixIn(context, TEXLA_STORAGE_SLOTS, result))
VARIANT(points, matrixIn(context, TEXLA_STORAGE_POINTS, result))
VARIANT(columns, matrixIn(context, TEXLA_STORAGE_DENSE, result))

/* A failed call leaves x as it was. */
static inline clStatus systemBy(clContext *context, clMethod method,
                                clPreconditioner preconditioner, double result[RESULTS]) {
  enum { N = 64 };
  OWN(clTriplets) *A = NULL;
  double b[N], x[N] = {0}, error = 0;
  AT_END(clSystemReportClear) clSystemReport report = {0};
  for (int k = 0; k < N; k++)
    b[k] = 1;
  const clSystemOptions options = {.solver = {.method = method, .preconditioner = preconditioner},
                                   .refine = true};
  TRY(clGeneratePoisson2d(&A, 8, 8, &hostError));
  clStatus status = clSystemSolve(context, A, b, x, &options, &report);
  for (int k = 0; k < N && status < 0; k++)
    assert_true(x[k] == 0);
  TRY(status);
  double r[N];
  clTripletsMulVector(r, A, x);
  for (int k = 0; k < N; k++)
    error = fmax(error, fabs(r[k] - b[k]));
  /* however it was reached */
  assert_true(error < 1e-10);
  result[0] = 1;
  return TEXLA_OK;
}

VARIANT(conjugateGradients, systemBy(context, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_JACOBI, result))
VARIANT(gmres, systemBy(context, TEXLA_METHOD_GMRES, TEXLA_PRECONDITIONER_ILU0, result))
VARIANT(bicgstab, systemBy(context, TEXLA_METHOD_BICGSTAB, TEXLA_PRECONDITIONER_CHEBYSHEV, result))
VARIANT(multigrid, systemBy(context, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_MG, result))
VARIANT(algebraicMultigrid, systemBy(context, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, result))
VARIANT(factored, systemBy(context, TEXLA_METHOD_PLU, TEXLA_PRECONDITIONER_NONE, result))

/* a_ij of a diagonally dominant, symmetric matrix */
enum { DENSE = 21 };

static inline clStatus denseMatrix(clDense **A, clContext *context) {
  float values[DENSE * DENSE];
  for (int i = 0; i < DENSE; i++)
    for (int j = 0; j < DENSE; j++)
      values[i * DENSE + j] = i == j ? DENSE : 1.f / (float)(1 + i + j);
  TRY(clDenseCreate(A, context, DENSE, DENSE));
  return clDenseUpload(*A, values, DENSE);
}

static inline clStatus keepDense(double result[RESULTS], const clDense *A) {
  float values[DENSE * DENSE];
  TRY(clDenseDownload(A, values, DENSE));
  keep(result, values);
  return TEXLA_OK;
}

static inline clStatus product(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *C = NULL;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&C, A));
  TRY(clDenseMultiply(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_TRANSPOSE, A, 0));
  TRY(clDenseMultiplyPasses(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_TRANSPOSE, A, 1, 2));
  return keepDense(result, C);
}

static inline clStatus plu(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *X = NULL;
  OWN(clPlu) *factors = NULL;
  double rcond;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&X, A));
  TRY(clPluCreate(&factors, context, DENSE, DENSE, NULL));
  TRY(clPluFactor(factors, A, NULL));
  TRY(clPluCondition(factors, TEXLA_NORM_ONE, &rcond));
  TRY(clPluSolve(factors, TEXLA_NO_TRANSPOSE, X, A));
  return keepDense(result, X);
}

static inline clStatus echelon(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *R = NULL;
  int rank = 0;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&R, A));
  TRY(clDenseRref(R, A, NULL, &rank, NULL));
  return keepDense(result, R);
}

static inline clStatus cholesky(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *X = NULL;
  OWN(clCholesky) *factor = NULL;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&X, A));
  TRY(clCholeskyCreate(&factor, context, DENSE, NULL));
  TRY(clCholeskyFactor(factor, A, NULL));
  TRY(clCholeskySolve(factor, X, A));
  return keepDense(result, X);
}

static inline clStatus householder(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *X = NULL;
  OWN(clQr) *factors = NULL;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&X, A));
  TRY(clQrCreate(&factors, context, DENSE, DENSE, NULL));
  TRY(clQrFactor(factors, A, NULL));
  TRY(clQrSolve(factors, X, A));
  return keepDense(result, X);
}

static inline clStatus crout(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *X = NULL;
  OWN(clCrout) *factors = NULL;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&X, A));
  TRY(clCroutCreate(&factors, context, DENSE, NULL));
  TRY(clCroutFactor(factors, A, NULL));
  TRY(clCroutSolve(factors, TEXLA_NO_TRANSPOSE, X, A));
  return keepDense(result, X);
}

/* n + 1 observations of n unknowns */
static inline clStatus leastSquares(clContext *context, clLeastSquaresMethod method,
                                    double result[RESULTS]) {
  enum { N = 12 };
  OWN(clTriplets) *A = NULL;
  OWN(clLeastSquares) *lsq = NULL;
  clLeastSquaresReport report;
  double b[N + 1], x[N] = {0};
  TRY(clTripletsCreate(&A, N + 1, N, 3 * N, &hostError));
  for (int i = 0; i <= N; i++)
    b[i] = i % 3;
  for (int j = 0; j < N; j++) {
    TRY(clTripletsAdd(A, j, j, 4, &hostError));
    TRY(clTripletsAdd(A, j + 1, j, 1, &hostError));
  }
  TRY(clTripletsCompress(A, &hostError));
  TRY(clLeastSquaresCreate(&lsq, context, A, &(clLeastSquaresOptions){.method = method}));
  TRY(clLeastSquaresSolve(lsq, x, b, &report));
  memcpy(result, x, sizeof x);
  return TEXLA_OK;
}

VARIANT(normalEquations, leastSquares(context, TEXLA_LEAST_SQUARES_CHOLESKY, result))
VARIANT(orthogonal, leastSquares(context, TEXLA_LEAST_SQUARES_QR, result))

enum { SIDE = 12 };

static inline clStatus wave(clContext *context, double result[RESULTS]) {
  OWN(clWave) *waves = NULL;
  TRY(clWaveCreate(&waves, context,
                   &(clWaveOptions){.nx = SIDE, .ny = SIDE, .scheme = TEXLA_WAVE_CONSERVING}));
  TRY(clWaveDrop(waves, 0.4, 0.5, 0.2, 1));
  TRY(clWaveStep(waves, 3));
  return keepVector(result, clWaveHeight(waves));
}

static inline clStatus flow(clContext *context, double result[RESULTS]) {
  OWN(clFlow) *fluid = NULL;
  const clVector *u = NULL;
  TRY(clFlowCreate(&fluid, context, &(clFlowOptions){.nx = SIDE, .ny = SIDE}));
  TRY(clFlowSplat(fluid, 0.4, 0.5, 0.2, 1, 0.5, 1));
  TRY(clFlowStep(fluid, 2));
  TRY(clFlowGet(&u, fluid, TEXLA_FLOW_SPEED));
  return keepVector(result, u);
}

static inline clStatus water(clContext *context, double result[RESULTS]) {
  OWN(clWater) *sea = NULL;
  const clVector *z = NULL;
  static float ground[SIDE * SIDE], level[SIDE * SIDE];
  for (int k = 0; k < SIDE * SIDE; k++)
    ground[k] = -1;
  TRY(clWaterCreate(&sea, context, &(clWaterOptions){.nx = SIDE, .ny = SIDE}));
  TRY(clWaterGround(sea, ground, NULL, SIDE, SIDE));
  TRY(clWaterUpload(sea, level, NULL, NULL));
  TRY(clWaterDrop(sea, 0.4, 0.5, 0.2, 0.1));
  TRY(clWaterStep(sea, 2));
  TRY(clWaterGet(&z, sea, TEXLA_WATER_DEPTH));
  return keepVector(result, z);
}

/* Systems of 40 rows, so that blocks are eliminated more than once. */
static inline clStatus tridiagonal(clContext *context, double result[RESULTS]) {
  enum { SYSTEMS = 8, ROWS = 40 };
  OWN(clTridiagonal) *T = NULL;
  OWN(clVector) *x = NULL;
  const clTridiagonalBands A = {.sub_value = -1, .main_value = 3, .super_value = -1};
  TRY(clTridiagonalCreate(&T, context, SYSTEMS, ROWS,
                          &(clTridiagonalOptions){.axis = TEXLA_AXIS_Y}));
  TRY(clVectorCreateGrid(&x, context, SYSTEMS, ROWS));
  TRY(clVectorFill(x, 1));
  TRY(clTridiagonalFactor(T, &A));
  TRY(clTridiagonalSolveFactored(T, x, x));
  return keepVector(result, x);
}

#endif
