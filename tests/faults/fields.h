/* Further scenarios: equations that users type, inks, and what can be asked of a flow. */
#ifndef TEXLA_TESTS_FAULTS_FIELDS_H
#define TEXLA_TESTS_FAULTS_FIELDS_H

#include "faults/states.h"

/* Two fields that react; a state is saved, another step follows, and it is taken again. */
static inline clStatus evolutionBy(clContext *context, const clEvolutionOptions *options,
                                   double result[RESULTS]) {
  OWN(clEvolution) *e = NULL;
  clVector *state[2];
  const clVector *picture = NULL;
  static float start[CELLS];
  double mean[TEXLA_EVOLUTION_FIELDS], square[TEXLA_EVOLUTION_FIELDS];
  const double amount[TEXLA_EVOLUTION_FIELDS] = {0.5, 0.2};
  const float *const values[TEXLA_EVOLUTION_FIELDS] = {start};
  for (int k = 0; k < CELLS; k++)
    start[k] = (float)(k % 5) / 5;
  TRY(clEvolutionCreate(&e, context, options));
  TRY(clEvolutionUpload(e, values));
  TRY(clEvolutionPaint(e, 0.4, 0.5, 0.2, amount));
  TRY(clEvolutionStep(e, 2));
  for (int f = 0; f < 2; f++)
    state[f] = clEvolutionField(e, f);
  TRY(throughTheHost(state, 2));
  TRY(clEvolutionResume(e, 2));
  TRY(clEvolutionParameters(e, (const double[TEXLA_EVOLUTION_PARAMETERS]){0.4}));
  TRY(clEvolutionStep(e, 1));
  TRY(clEvolutionMeasure(e, mean, square));
  TRY(clEvolutionPicture(&picture, e, "vec4 picture() { return u(0, 0) + v(0, 1); }"));
  TRY(keepVector(result, picture));
  result[0] = mean[0], result[1] = square[1];
  return TEXLA_OK;
}

static const char reaction[] = "void rate(out vec4 f[FIELDS]) {\n"
                               "  f[0] = u(0, 0) * (1. - u(0, 0)) - v(0, 0) * u(0, 0);\n"
                               "  f[1] = parameter(0) * u(0, 0) - v(0, 0) + dx(u);\n"
                               "}\n";

/* Sweeps of Jacobi's method suffice. */
VARIANT(evolution, evolutionBy(context,
                               &(clEvolutionOptions){.nx = SIDE,
                                                     .ny = SIDE,
                                                     .dt = 0.01,
                                                     .fields = 2,
                                                     .rate = reaction,
                                                     .diffusion = {0.1, 0.05},
                                                     .parameter = {0.3}},
                               result))

/* They do not: multigrid, for fourth derivatives too. */
VARIANT(stiffEvolution, evolutionBy(context,
                                    &(clEvolutionOptions){.nx = SIDE,
                                                          .ny = SIDE,
                                                          .dt = 2,
                                                          .fields = 2,
                                                          .diffusion = {5, 1},
                                                          .fourth = {0, 1},
                                                          .parameter = {0.3}},
                                    result))
VARIANT(explicitEvolution,
        evolutionBy(context,
                    &(clEvolutionOptions){.nx = SIDE,
                                          .ny = SIDE,
                                          .dt = 1e-3,
                                          .fields = 2,
                                          .rate = reaction,
                                          .diffusion = {0.1, 0.05},
                                          .scheme = TEXLA_EVOLUTION_RK4,
                                          .side = {{TEXLA_EVOLUTION_FIXED, .value = {1}}}},
                    result))

/* Waves on deep water: sqrt(-lap). */
static inline clStatus rootEvolution(clContext *context, double result[RESULTS]) {
  return evolutionBy(context,
                     &(clEvolutionOptions){.nx = SIDE,
                                           .ny = SIDE,
                                           .dt = 1e-2,
                                           .fields = 2,
                                           .rate = "void rate(out vec4 f[FIELDS]) {\n"
                                                   "  f[0] = rootlap_v(0, 0);\n"
                                                   "  f[1] = -u(0, 0);\n"
                                                   "}\n",
                                           .scheme = TEXLA_EVOLUTION_RK4},
                     result);
}

static inline clStatus inks(clContext *context, double result[RESULTS]) {
  OWN(clFlow) *fluid = NULL;
  OWN(clFlowInks) *i = NULL;
  static float values[4 * 4 * CELLS];
  const float amount[4] = {1, 0.5f, 0, 0.25f};
  TRY(clFlowCreate(&fluid, context, &(clFlowOptions){.nx = SIDE, .ny = SIDE, .dt = 0.02}));
  TRY(clFlowSplat(fluid, 0.4, 0.5, 0.2, 1, 0.5, 1));
  TRY(clFlowSteer(fluid, 0.5, 0.4, 0.2, 1, 0.5, 1, 2));
  TRY(clFlowInksCreate(&i, fluid, NULL));
  TRY(clFlowInksSplat(i, 0.4, 0.5, 0.3, amount));
  assert_true(clFlowInksLength(i) <= (int64_t)(sizeof values / sizeof *values));
  TRY(clFlowInksSave(i, values));
  for (int k = 0; k < 2; k++) {
    TRY(clFlowStep(fluid, 1));
    TRY(clFlowInksStep(i));
    if (k == 0)
      TRY(clFlowInksRestore(i, values));
  }
  TRY(clFlowInksSave(i, values));
  keep(result, values + 4 * 4 * CELLS / 2);
  return TEXLA_OK;
}

/* All that is asked of a flow while it goes on. */
static inline clStatus measuredFlow(clContext *context, double result[RESULTS]) {
  static float u[CELLS], v[CELLS];
  OWN(clFlow) *fluid = NULL;
  double change = 0, viscosity = 0, pressure = 0, wake = 0, stretch[2];
  for (int k = 0; k < CELLS; k++)
    u[k] = (float)(k / SIDE) / SIDE;
  TRY(clFlowCreate(&fluid, context,
                   &(clFlowOptions){.nx = SIDE, .ny = SIDE, .dt = 0.02, .viscosity = 0.01}));
  TRY(clFlowUpload(fluid, u, v, NULL));
  for (int k = 0; k < 2; k++) {
    TRY(clFlowChange(fluid, &change));
    TRY(clFlowViscosity(fluid, &viscosity));
    TRY(clFlowStep(fluid, 1));
  }
  TRY(clFlowChange(fluid, &change));
  TRY(clFlowViscosity(fluid, &viscosity));
  TRY(clFlowPressure(fluid, 0.3, 0.4, &pressure));
  TRY(clFlowWake(fluid, 0.3, 0.4, &wake));
  TRY(clFlowBackflow(fluid, TEXLA_SIDE_BOTTOM, stretch));
  const double numbers[] = {change, viscosity, pressure, wake};
  memcpy(result, numbers, sizeof numbers);
  return TEXLA_OK;
}

/* A sea with a tide at its left side, and waves with a velocity at the start. */
static inline clStatus tides(clContext *context, double result[RESULTS]) {
  static float height[CELLS], ground[CELLS];
  OWN(clWater) *sea = NULL;
  OWN(clWave) *waves = NULL;
  const clVector *z = NULL;
  double numbers[RESULTS];
  for (int k = 0; k < CELLS; k++)
    height[k] = (float)(k % SIDE) / SIDE, ground[k] = -1;
  TRY(clWaterCreate(
      &sea, context,
      &(clWaterOptions){.nx = SIDE, .ny = SIDE, .dt = 0.01, .side = {{TEXLA_WATER_LEVEL}}}));
  TRY(clWaterGround(sea, ground, NULL, SIDE, SIDE));
  TRY(clWaterUpload(sea, NULL, NULL, NULL));
  TRY(clWaterTide(sea, TEXLA_SIDE_LEFT, 0.1, 0.05, 1, 0));
  TRY(clWaterStep(sea, 2));
  TRY(clWaterGet(&z, sea, TEXLA_WATER_Z));
  TRY(keepVector(numbers, z));
  TRY(clWaveCreate(&waves, context, &(clWaveOptions){.nx = SIDE, .ny = SIDE}));
  TRY(clWaveUpload(waves, height, ground));
  TRY(clWaveStep(waves, 2));
  TRY(keepVector(result, clWaveHeight(waves)));
  memcpy(result, numbers, RESULTS / 2 * sizeof *numbers);
  return TEXLA_OK;
}

#endif
