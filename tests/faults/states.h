/* Further scenarios: simulations that are saved and go on, streaks, media and sources; several
 * right-hand sides, batches, traces. */
#ifndef TEXLA_TESTS_FAULTS_STATES_H
#define TEXLA_TESTS_FAULTS_STATES_H

#include "faults/variants.h"
#include "folder.h"

enum { CELLS = SIDE * SIDE };

/* Steps after a flow has gone back to a state of before, which it does not leave when that
 * fails. */
static inline clStatus savedFlow(clContext *context, double result[RESULTS]) {
  static float field[TEXLA_FLOW_STORED][CELLS], low[2 * SIDE];
  uint8_t solid[CELLS] = {
      [5 * SIDE + 5] = 1, [5 * SIDE + 6] = 1, [6 * SIDE + 5] = 1, [6 * SIDE + 6] = 1};
  OWN(clFlow) *fluid = NULL;
  const clVector *u = NULL;
  clFlowState state = {.low = low};
  double flux = 0, energy = 0, heat = 0, nusselt = 0;
  float shear[SIDE];
  for (int k = 0; k < TEXLA_FLOW_STORED; k++)
    state.field[k] = field[k];
  const clFlowOptions options = {
      .nx = SIDE,
      .ny = SIDE,
      .dt = 0.02,
      .viscosity = 0.01,
      .diffusivity = 0.01,
      .side = {{TEXLA_FLOW_INFLOW, .velocity = {1, 0}, .parabolic = true, .dye = 1},
               {TEXLA_FLOW_OUTFLOW},
               {.dye = 1, .holds_dye = true},
               {.dye = 0, .holds_dye = true}}};
  TRY(clFlowCreate(&fluid, context, &options));
  TRY(clFlowObstacles(fluid, solid));
  TRY(clFlowStep(fluid, 1));
  TRY(clFlowSave(fluid, &state));
  TRY(clFlowStep(fluid, 1));
  TRY(clFlowRestore(fluid, &state));
  TRY(clFlowStep(fluid, 1));
  TRY(clFlowFlux(fluid, TEXLA_SIDE_RIGHT, &flux));
  TRY(clFlowDyeFlux(fluid, TEXLA_SIDE_LEFT, &heat));
  TRY(clFlowNusselt(fluid, TEXLA_SIDE_TOP, &nusselt));
  TRY(clFlowShear(fluid, TEXLA_SIDE_TOP, shear));
  TRY(clFlowEnergy(fluid, &energy));
  TRY(clFlowGet(&u, fluid, TEXLA_FLOW_VORTICITY));
  TRY(keepVector(result, u));
  result[0] = flux, result[1] = energy, result[2] = (double)shear[3] + heat + nusselt;
  return TEXLA_OK;
}

static inline clStatus streaks(clContext *context, double result[RESULTS]) {
  OWN(clFlow) *fluid = NULL;
  OWN(clFlowStreaks) *s = NULL;
  static float values[8 * 4 * CELLS];
  TRY(clFlowCreate(&fluid, context, &(clFlowOptions){.nx = SIDE, .ny = SIDE, .dt = 0.02}));
  TRY(clFlowSplat(fluid, 0.4, 0.5, 0.2, 1, 0.5, 1));
  TRY(clFlowStreaksCreate(&s, fluid, &(clFlowStreaksOptions){.scale = 2, .count = 20}));
  assert_true(clFlowStreaksLength(s) <= (int64_t)(sizeof values / sizeof *values));
  TRY(clFlowStreaksSave(s, values));
  for (int k = 0; k < 2; k++) {
    TRY(clFlowStep(fluid, 1));
    TRY(clFlowStreaksStep(s));
    if (k == 0)
      TRY(clFlowStreaksRestore(s, values));
  }
  TRY(clFlowStreaksSave(s, values));
  for (int k = 0; k < RESULTS; k++)
    result[k] = (double)values[k];
  return TEXLA_OK;
}

/* Copies vectors of a simulation out and back. */
static inline clStatus throughTheHost(clVector *const *state, int count) {
  static float values[4 * CELLS];
  for (int k = 0; k < count; k++) {
    assert_true(clVectorLength(state[k]) <= 4 * CELLS);
    TRY(clVectorDownload(state[k], values));
    TRY(clVectorUpload(state[k], values));
  }
  return TEXLA_OK;
}

/* In a medium, behind walls, with a source. */
static inline clStatus savedWave(clContext *context, double result[RESULTS]) {
  OWN(clWave) *waves = NULL;
  clVector *state[TEXLA_WAVE_STATE];
  const clVector *u = NULL;
  float speed[CELLS];
  uint8_t solid[CELLS] = {[3 * SIDE + 4] = 1, [3 * SIDE + 5] = 1};
  const clWaveSource source = {.x = 0.2, .y = 0.7, .radius = 0.1, .amplitude = 1, .frequency = 3};
  for (int k = 0; k < CELLS; k++)
    speed[k] = k % SIDE < SIDE / 2 ? 1 : 0.5f;
  TRY(clWaveCreate(&waves, context, &(clWaveOptions){.nx = SIDE, .ny = SIDE}));
  TRY(clWaveSpeed(waves, speed));
  TRY(clWaveWalls(waves, solid));
  TRY(clWaveSources(waves, &source, 1));
  TRY(clWaveDrop(waves, 0.4, 0.5, 0.2, 1));
  TRY(clWaveStep(waves, 2));
  TRY(throughTheHost(state, clWaveState(waves, state)));
  TRY(clWaveResume(waves, 2));
  TRY(clWaveStep(waves, 2));
  TRY(clWaveGet(&u, waves, TEXLA_WAVE_HEIGHT));
  return keepVector(result, u);
}

static inline clStatus savedWater(clContext *context, double result[RESULTS]) {
  OWN(clWater) *sea = NULL;
  clVector *state[TEXLA_WATER_STATE];
  const clVector *z = NULL;
  static float ground[CELLS], level[CELLS];
  for (int k = 0; k < CELLS; k++)
    ground[k] = -1;
  TRY(clWaterCreate(&sea, context, &(clWaterOptions){.nx = SIDE, .ny = SIDE, .dt = 0.01}));
  TRY(clWaterGround(sea, ground, NULL, SIDE, SIDE));
  TRY(clWaterUpload(sea, level, NULL, NULL));
  TRY(clWaterDrop(sea, 0.4, 0.5, 0.2, 0.1));
  TRY(clWaterStep(sea, 1));
  TRY(throughTheHost(state, clWaterState(sea, state)));
  TRY(clWaterResume(sea, 1, 0.01, 0.01));
  TRY(clWaterStep(sea, 1));
  TRY(clWaterGet(&z, sea, TEXLA_WATER_Z));
  return keepVector(result, z);
}

VARIANT(filtered,
        gridsBy(context, &(clMultigridOptions){.transfer = TEXLA_TRANSFER_FILTER}, result))

/* Five at once, one by one where that is chosen. */
static inline clStatus several(clContext *context, double result[RESULTS]) {
  enum { N = 64, COLUMNS = 5 };
  OWN(clTriplets) *A = NULL;
  AT_END(reportsClear) Reports reports = {0};
  double b[COLUMNS * N], x[COLUMNS * N] = {0};
  for (int k = 0; k < COLUMNS * N; k++)
    b[k] = 1 + k / N + k % 3;
  const clSystemOptions options = {.solver = {.method = TEXLA_METHOD_CG}, .refine = true};
  TRY(clGeneratePoisson2d(&A, 8, 8, &hostError));
  TRY(clSystemSolveMany(context, A, COLUMNS, b, x, &options, reports.of));
  memcpy(result, x + (COLUMNS - 1) * N - RESULTS / 2, RESULTS * sizeof *x);
  return TEXLA_OK;
}

/* 3 x 2 blocks of 4 x 4, and a product with all of A as a vector's matrix. */
static inline clStatus batch(clContext *context, double result[RESULTS]) {
  enum { M = 4, DOWN = 3, ACROSS = 2 };
  float values[M * DOWN * M * ACROSS];
  OWN(clDense) *A = NULL, *C = NULL;
  OWN(clVector) *x = NULL, *y = NULL;
  for (int k = 0; k < M * DOWN * M * ACROSS; k++)
    values[k] = (float)(k % 7) - 3;
  TRY(clDenseCreateWithPacking(&A, context, M * DOWN, M * ACROSS, TEXLA_PACKING_2X2));
  TRY(clDenseCreateLike(&C, A));
  TRY(clDenseUpload(A, values, M * ACROSS));
  TRY(clDenseMultiplyBatch(C, 1, TEXLA_NO_TRANSPOSE, A, TEXLA_TRANSPOSE, A, 0, DOWN, ACROSS));
  TRY(clVectorCreate(&x, context, M * ACROSS));
  TRY(clVectorFill(x, 1));
  TRY(clVectorCreate(&y, context, M * DOWN));
  TRY(clDenseViewMulVector(y, 1, TEXLA_NO_TRANSPOSE, clDenseViewAll(C), x, 0));
  TRY(clDenseViewAddOuter(clDenseViewAll(C), 1, y, x));
  TRY(clDenseDownload(C, values, M * ACROSS));
  keep(result, values);
  return TEXLA_OK;
}

/* Whatever becomes of the page: the numbers are right, or the call tells. */
static inline clStatus traced(clContext *context, double result[RESULTS]) {
  char folder[64];
  double values[RESULTS] = {0};
  clTraceReport report;
  snprintf(folder, sizeof folder, "/tmp/texla-test-trace-%ld", (long)getpid());
  TRY(clTraceStart(context, &(clTraceOptions){.folder = folder, .choose = "pictures"}));
  clTraceEnter(context, "step", 1);
  clStatus status = vectors(context, values);
  clTraceLeave(context);
  clStatus end = clTraceFinish(context, &report);
  folderRemove(folder);
  TRY(status);
  TRY(end);
  memcpy(result, values, sizeof values);
  return TEXLA_OK;
}

/* x <- A^-1 b by conjugate gradients, for one right-hand side or two at once. */
static inline clStatus solveBy(const clMatrix *A, int columns, double result[RESULTS]) {
  enum { N = 64 };
  OWN_ARRAY(clVector, 2) * x[2] = {NULL}, *b[2] = {NULL};
  OWN(clSolver) *solver = NULL;
  for (int k = 0; k < columns; k++) {
    TRY(clMatrixCreateVector(&x[k], A, TEXLA_DOMAIN));
    TRY(clMatrixCreateVector(&b[k], A, TEXLA_RANGE));
    TRY(clVectorFill(b[k], (float)(1 + k)));
  }
  TRY(clSolverCreate(&solver, A,
                     &(clSolverOptions){.method = TEXLA_METHOD_CG, .columns = columns}));
  TRY(clSolverSolveMany(solver, columns, x, (const clVector *const *)b, NULL));
  return keepVector(result, x[columns - 1]);
}

static inline clStatus twoColumns(clContext *context, double result[RESULTS]) {
  OWN(clTriplets) *T = NULL;
  OWN(clMatrix) *A = NULL;
  TRY(clGeneratePoisson2d(&T, 8, 8, &hostError));
  TRY(clMatrixCreate(&A, context, T, NULL));
  TRY(solveBy(A, 2, result));
  return TEXLA_OK;
}

/* A matrix that is an operator of one's own: y <- 2 x. */
static inline clStatus twice(void *user, clVector *y, const clVector *x) {
  (void)user;
  return clVectorScale(y, 2, NULL, x);
}

static inline clStatus shell(clContext *context, double result[RESULTS]) {
  OWN(clMatrix) *A = NULL;
  TRY(clMatrixCreateShell(&A, context, 64, 64, &(clShellOptions){.product = {twice, NULL}}));
  TRY(solveBy(A, 1, result));
  return TEXLA_OK;
}

VARIANT(rows, matrixIn(context, TEXLA_STORAGE_CSR, result))

/* A in double: b - A x by the device, and the diagonal. */
static inline clStatus residuals(clContext *context, double result[RESULTS]) {
  enum { N = 64 };
  OWN(clTriplets) *T = NULL;
  OWN(clMatrix) *A = NULL;
  OWN(clDoubleVector) *x = NULL, *b = NULL;
  OWN(clVector) *r = NULL, *d = NULL;
  double values[N];
  for (int k = 0; k < N; k++)
    values[k] = 1. / (1 + k);
  TRY(clGeneratePoisson2d(&T, 8, 8, &hostError));
  TRY(clMatrixCreate(&A, context, T, &(clMatrixOptions){.double_float = true}));
  TRY(clMatrixCreateVector(&r, A, TEXLA_RANGE));
  TRY(clMatrixCreateVector(&d, A, TEXLA_RANGE));
  TRY(clDoubleVectorCreateLike(&x, r));
  TRY(clDoubleVectorCreateLike(&b, r));
  TRY(clDoubleVectorUpload(x, values));
  TRY(clMatrixResidualDouble(b, A, x, b));
  TRY(clMatrixResidualRounded(r, 1, A, x, b));
  TRY(clMatrixDiagonal(d, A));
  TRY(clVectorMul(r, r, d));
  return keepVector(result, r);
}

#endif
