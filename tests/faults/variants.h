/* Further scenarios: what is set up once and kept, and the other ways in which a system is solved
 * or a simulation goes on. */
#ifndef TEXLA_TESTS_FAULTS_VARIANTS_H
#define TEXLA_TESTS_FAULTS_VARIANTS_H

#include "faults/scenarios.h"

VARIANT(damped, systemBy(context, TEXLA_METHOD_JACOBI, TEXLA_PRECONDITIONER_NONE, result))
VARIANT(incompleteCholesky, systemBy(context, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_IC0, result))
VARIANT(cycles, systemBy(context, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, result))
VARIANT(algebraicCycles, systemBy(context, TEXLA_METHOD_AMG, TEXLA_PRECONDITIONER_NONE, result))
VARIANT(factoredCholesky,
        systemBy(context, TEXLA_METHOD_CHOLESKY, TEXLA_PRECONDITIONER_NONE, result))
VARIANT(chosen, systemBy(context, TEXLA_METHOD_AUTO, TEXLA_PRECONDITIONER_NONE, result))

typedef struct Reports {
  clSystemReport of[5];
} Reports;

static inline void reportsClear(Reports *reports) {
  for (int k = 0; k < 5; k++)
    clSystemReportClear(&reports->of[k]);
}

/* Two right-hand sides, then new values on the same pattern. */
static inline clStatus keptWith(clContext *context, int side, const clSystemOptions *options,
                                double result[RESULTS]) {
  enum { MOST = 20 * 20 };
  OWN(clTriplets) *A = NULL;
  OWN(clSystem) *s = NULL;
  AT_END(reportsClear) Reports reports = {0};
  int n = side * side;
  double b[2 * MOST], x[2 * MOST] = {0}, values[5 * MOST];
  for (int k = 0; k < 2 * n; k++)
    b[k] = 1 + k / n;
  TRY(clGeneratePoisson2d(&A, side, side, &hostError));
  TRY(clSystemCreate(&s, context, A, 2, options));
  TRY(clSystemSolveWith(s, 2, b, x, reports.of));
  for (int64_t k = 0; k < A->count; k++)
    values[k] = 2 * A->value[k];
  TRY(clSystemUpdateValues(s, values));
  TRY(clSystemSolveWith(s, 1, b, x, NULL));
  /* of both */
  memcpy(result, x + n - RESULTS / 2, RESULTS * sizeof *x);
  return TEXLA_OK;
}

VARIANT(kept, keptWith(context, 8, NULL, result))

/* With what values and positions are kept apart for. */
static inline clStatus keptBy(clContext *context, int side, clPreconditioner preconditioner,
                              double result[RESULTS]) {
  const clSystemOptions options = {
      .solver = {.method = TEXLA_METHOD_CG, .preconditioner = preconditioner},
      .matrix = {.storage = TEXLA_STORAGE_SLOTS},
      .refine = true};
  return keptWith(context, side, &options, result);
}

VARIANT(keptHierarchy, keptBy(context, 20, TEXLA_PRECONDITIONER_AMG, result))
VARIANT(keptFactors, keptBy(context, 8, TEXLA_PRECONDITIONER_IC0, result))

/* Multigrid by hand; full multigrid comes first. */
static inline clStatus gridsBy(clContext *context, const clMultigridOptions *options,
                               double result[RESULTS]) {
  enum { NX = 24, NY = 24 };
  OWN(clTriplets) *A = NULL;
  OWN(clMultigrid) *multigrid = NULL;
  OWN(clVector) *x = NULL, *b = NULL;
  TRY(clGeneratePoisson2d(&A, NX, NY, &hostError));
  TRY(clMultigridCreate(&multigrid, context, A, NX, NY, options));
  TRY(clVectorCreateGrid(&x, context, NX, NY));
  TRY(clVectorCreateGrid(&b, context, NX, NY));
  TRY(clVectorFill(b, 1));
  TRY(clMultigridStart(multigrid, x, b));
  TRY(clMultigridCycle(multigrid, x, b));
  return keepVector(result, x);
}

VARIANT(redBlack,
        gridsBy(context,
                &(clMultigridOptions){.smoother = TEXLA_SMOOTHER_RED_BLACK, .cycle = TEXLA_CYCLE_W},
                result))
VARIANT(halves, gridsBy(context, &(clMultigridOptions){.smoother = TEXLA_SMOOTHER_HALVES}, result))
VARIANT(lines,
        gridsBy(context,
                &(clMultigridOptions){.lines = TEXLA_LINES_ALWAYS, .setup = TEXLA_SETUP_DEVICE},
                result))
VARIANT(transfers,
        gridsBy(context,
                &(clMultigridOptions){.transfer = TEXLA_TRANSFER_MATRIX, .cycle = TEXLA_CYCLE_F},
                result))

static inline clStatus doubles(clContext *context, double result[RESULTS]) {
  OWN(clDoubleVector) *x = NULL, *y = NULL;
  OWN(clDouble) *s = NULL;
  double values[100], norm = 0;
  for (int k = 0; k < 100; k++)
    values[k] = 1. / (1 + k);
  TRY(clDoubleVectorCreate(&x, context, 100));
  TRY(clDoubleVectorCreate(&y, context, 100));
  TRY(clDoubleVectorUpload(x, values));
  TRY(clDoubleVectorAxpy(y, 2, NULL, x));
  TRY(clDoubleCreate(&s, context));
  TRY(clDoubleVectorNorm(s, y));
  TRY(clDoubleDownload(s, &norm));
  TRY(clDoubleVectorDownload(y, values));
  memcpy(result, values, RESULTS * sizeof *values);
  result[0] = norm;
  return TEXLA_OK;
}

/* C <- A A^T in packed format, C = L L^T, X <- C^-1 A */
static inline clStatus packed(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL;
  OWN(clPacked) *C = NULL;
  OWN(clCholesky) *factor = NULL;
  TRY(denseMatrix(&A, context));
  TRY(clPackedCreate(&C, context, DENSE, TEXLA_PACKING_2X2));
  TRY(clPackedSyrk(C, 1, TEXLA_NO_TRANSPOSE, A, NULL, 0));
  TRY(clCholeskyCreate(&factor, context, DENSE, NULL));
  TRY(clCholeskyFactorPacked(factor, C, NULL));
  TRY(clCholeskySolve(factor, A, A));
  return keepDense(result, A);
}

/* X <- L^-1 A with A's lower triangle, then X <- X^-1 */
static inline clStatus inverse(clContext *context, double result[RESULTS]) {
  OWN(clDense) *A = NULL, *X = NULL;
  TRY(denseMatrix(&A, context));
  TRY(clDenseCreateLike(&X, A));
  TRY(clDenseTriangularSolve(X, TEXLA_DENSE_LEFT, TEXLA_TRIANGLE_LOWER, false, TEXLA_NO_TRANSPOSE,
                             1, A, A));
  TRY(clDenseInverse(A, X, NULL));
  return keepDense(result, A);
}

/* Some systems have zeros on the diagonal: rows are exchanged on the host. */
static inline clStatus exchanged(clContext *context, double result[RESULTS]) {
  enum { SYSTEMS = 8, ROWS = 9 };
  static float values[SYSTEMS * ROWS];
  OWN(clTridiagonal) *T = NULL;
  OWN(clVector) *x = NULL, *diagonal = NULL;
  for (int k = 0; k < SYSTEMS * ROWS; k++)
    values[k] = k % SYSTEMS == 3 && k / SYSTEMS == 0 ? 0 : 3;
  TRY(clTridiagonalCreate(&T, context, SYSTEMS, ROWS,
                          &(clTridiagonalOptions){.axis = TEXLA_AXIS_Y}));
  TRY(clVectorCreateGrid(&x, context, SYSTEMS, ROWS));
  TRY(clVectorCreateLike(&diagonal, x));
  TRY(clVectorUpload(diagonal, values));
  TRY(clVectorFill(x, 1));
  const clTridiagonalBands A = {.sub_value = -1, .main = diagonal, .super_value = -1};
  TRY(clTridiagonalSolveChecked(T, x, &A, x, NULL, NULL));
  return keepVector(result, x);
}

/* Walls may be NULL. */
static inline clStatus flowBy(clContext *context, const clFlowOptions *options, const float *walls,
                              double result[RESULTS]) {
  OWN(clFlow) *fluid = NULL;
  const clVector *u = NULL;
  clFlowForce force = {0};
  TRY(clFlowCreate(&fluid, context, options));
  if (walls)
    TRY(clFlowWalls(fluid, walls));
  TRY(clFlowSplat(fluid, 0.3, 0.3, 0.1, 1, 0.5, 1));
  TRY(clFlowStep(fluid, 2));
  if (walls)
    TRY(clFlowForces(fluid, &force));
  TRY(clFlowGet(&u, fluid, TEXLA_FLOW_SPEED));
  return keepVector(result, u);
}

VARIANT(maccormack, flowBy(context,
                           &(clFlowOptions){.nx = SIDE,
                                            .ny = SIDE,
                                            .dt = 0.02,
                                            .scheme = TEXLA_FLOW_MACCORMACK,
                                            .confinement = 2},
                           NULL, result))

/* A disc cuts cells. */
static inline clStatus midpoint(clContext *context, double result[RESULTS]) {
  float walls[SIDE * SIDE];
  for (int k = 0; k < SIDE * SIDE; k++)
    walls[k] = (float)hypot((k % SIDE + 0.5) / SIDE - 0.6, (k / SIDE + 0.5) / SIDE - 0.55) - 0.2f;
  return flowBy(context,
                &(clFlowOptions){.nx = SIDE,
                                 .ny = SIDE,
                                 .dt = 0.02,
                                 .viscosity = 0.01,
                                 .scheme = TEXLA_FLOW_DONOR_CELL,
                                 .stepping = TEXLA_FLOW_MIDPOINT},
                walls, result);
}

VARIANT(conjugateFlow, flowBy(context,
                              &(clFlowOptions){.nx = SIDE,
                                               .ny = SIDE,
                                               .dt = 0.02,
                                               .viscosity = 0.01,
                                               .implicit = true,
                                               .scheme = TEXLA_FLOW_DONOR_CELL,
                                               .solver = TEXLA_FLOW_CG},
                              NULL, result))

static inline clStatus openWave(clContext *context, double result[RESULTS]) {
  OWN(clWave) *waves = NULL;
  double energy = 0;
  TRY(clWaveCreate(
      &waves, context,
      &(clWaveOptions){.nx = SIDE, .ny = SIDE, .edge = {TEXLA_WAVE_EDGE_ABSORBING}, .layer = 4}));
  TRY(clWaveDrop(waves, 0.4, 0.5, 0.2, 1));
  TRY(clWaveStep(waves, 3));
  TRY(clWaveEnergy(waves, &energy));
  TRY(keepVector(result, clWaveHeight(waves)));
  result[0] = energy;
  return TEXLA_OK;
}

static inline clStatus fiveDiagonals(clContext *context, double result[RESULTS]) {
  OWN(clWater) *sea = NULL;
  clWaterTotals totals = {0};
  static float ground[SIDE * SIDE], level[SIDE * SIDE];
  for (int k = 0; k < SIDE * SIDE; k++)
    ground[k] = -1;
  const clWaterOptions options = {.nx = SIDE,
                                  .ny = SIDE,
                                  .scheme = TEXLA_WATER_FIVE,
                                  .advection = TEXLA_WATER_CONSERVING,
                                  .courant = 0.5};
  TRY(clWaterCreate(&sea, context, &options));
  TRY(clWaterGround(sea, ground, NULL, SIDE, SIDE));
  TRY(clWaterUpload(sea, level, NULL, NULL));
  TRY(clWaterDrop(sea, 0.4 * SIDE, 0.5 * SIDE, 0.2 * SIDE, 0.1));
  TRY(clWaterStep(sea, 2));
  TRY(clWaterMeasure(sea, &totals));
  result[0] = totals.energy;
  return TEXLA_OK;
}

#endif
