/* Heat in flows: what one wall gives the other one takes, and how much that is in a cavity. */

#include "texla/flow.h"

#include "level.h"
#include "one_context.h"

/* The cavity of de Vahl Davis (1983): warm at the left, cold at the right, air; lengths in its
 * sides, velocities of free fall. */
static const double prandtl = 0.71;

static clFlow *cavity(int n, double rayleigh, clFlowScheme scheme, double dt) {
  clFlowOptions o = {.nx = n,
                     .ny = n,
                     .viscosity = sqrt(prandtl / rayleigh),
                     .diffusivity = 1 / sqrt(prandtl * rayleigh),
                     .buoyancy = 1,
                     .ambient = 0.5,
                     .scheme = scheme,
                     .dt = dt};
  if (scheme == TEXLA_FLOW_DONOR_CELL)
    o.stepping = TEXLA_FLOW_MIDPOINT;
  o.side[TEXLA_SIDE_LEFT] = (clFlowSide){.dye = 1, .holds_dye = true};
  o.side[TEXLA_SIDE_RIGHT] = (clFlowSide){.dye = 0, .holds_dye = true};
  clFlow *flow = NULL;
  FREED float *warm = malloc((size_t)(n * n) * sizeof *warm);
  for (int k = 0; k < n * n; k++)
    warm[k] = (float)(1 - (k % n + 0.5) / n);
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowUpload(flow, NULL, NULL, warm));
  return flow;
}

/* Until the velocity changes by less than a millionth in a unit of time. */
static void settle(clFlow *flow) {
  double change = INFINITY;
  while (change > 1e-6 && clFlowInspect(flow).time < 120) {
    assert_true(clFlowStep(flow, 50) >= 0);
    CHECK(clFlowChange(flow, &change));
  }
  print_message("after %.1f: change %.1e\n", clFlowInspect(flow).time, change);
  assert_true(change <= 1e-6);
}

/* The values of a field: the caller's. */
static float *valuesOf(clFlow *flow, clFlowField field) {
  const clVector *vector = NULL;
  CHECK(clFlowGet(&vector, flow, field));
  float *values = malloc((size_t)clVectorLength(vector) * sizeof *values);
  CHECK(clVectorDownload(vector, values));
  return values;
}

static double slope(double low, double high) {
  return low * high > 0 ? 2 * low * high / (low + high) : 0;
}

/* The Nusselt number of what crosses the middle, from the fields alone. */
static double acrossTheMiddle(clFlow *flow, double diffusivity) {
  const int n = clFlowInspect(flow).nx;
  FREED float *u = valuesOf(flow, TEXLA_FLOW_U), *dye = valuesOf(flow, TEXLA_FLOW_DYE);
  double sum = 0;
  for (int j = 0; j < n; j++) {
    double q[4], w = (double)u[j * n + n / 2 - 1];
    for (int k = 0; k < 4; k++)
      q[k] = (double)dye[j * n + n / 2 - 2 + k];
    double face = q[1] + slope(q[1] - q[0], q[2] - q[1]) / 2;
    if (w < 0)
      face = q[2] - slope(q[2] - q[1], q[3] - q[2]) / 2;
    sum += w * face / n - diffusivity * (q[2] - q[1]);
  }
  return sum / diffusivity;
}

/* Nusselt numbers of the warm and the cold wall, and of the middle. */
static void measure(double nusselt[3], int n, double rayleigh, clFlowScheme scheme, double dt) {
  clFlow *flow = cavity(n, rayleigh, scheme, dt);
  settle(flow);
  CHECK(clFlowNusselt(flow, TEXLA_SIDE_LEFT, &nusselt[0]));
  CHECK(clFlowNusselt(flow, TEXLA_SIDE_RIGHT, &nusselt[1]));
  nusselt[2] = acrossTheMiddle(flow, 1 / sqrt(prandtl * rayleigh));
  print_message("%d^2, Ra %g, scheme %d, dt %g: warm %.5f, cold %.5f, middle %.5f\n", n, rayleigh,
                (int)scheme, clFlowInspect(flow).dt, nusselt[0], nusselt[1], nusselt[2]);
  clFlowDestroy(flow);
  for (int k = 1; k < 3; k++)
    assert_true(fabs(nusselt[k] / nusselt[0] - 1) <= 5e-4);
}

/* The published 4.519 from two grids, with errors of second order; and no step of time. */
static void cavityOfDeVahlDavis(void **state) {
  int n = testLong() ? 64 : 32;
  double coarse[3], fine[3], halved[3];
  measure(coarse, n / 2, 1e5, TEXLA_FLOW_DONOR_CELL, 0);
  measure(fine, n, 1e5, TEXLA_FLOW_DONOR_CELL, 0);
  double limit = fine[0] + (fine[0] - coarse[0]) / 3;
  print_message("for ever finer grids %.3f\n", limit);
  assert_true(fabs(limit / 4.519 - 1) <= (n == 64 ? 0.002 : 0.01));
  measure(halved, n / 2, 1e5, TEXLA_FLOW_DONOR_CELL, 0.03);
  assert_true(fabs(halved[0] / coarse[0] - 1) <= 1e-4);
}

/* Whatever moves the velocity. */
static void wallsBalance(void **state) {
  double nusselt[3];
  measure(nusselt, 24, 1e4, TEXLA_FLOW_MACCORMACK, 0.03);
  measure(nusselt, 24, 1e4, TEXLA_FLOW_SEMI_LAGRANGIAN, 0.03);
}

/* Through an inflow, an outflow and a cold wall, around an obstacle: what is in there changes by
 * what flows through the sides. */
static void fluxesMakeTheSum(void **state) {
  enum { NX = 24, NY = 16, CELLS = NX * NY };
  const double h = 0.5, dt = 1e-3;
  clFlowOptions o = {.nx = NX, .ny = NY, .h = h, .dt = dt, .diffusivity = 0.2, .viscosity = 0.1};
  o.tolerance = 1e-6;
  o.side[TEXLA_SIDE_LEFT] = (clFlowSide){
      .edge = TEXLA_FLOW_INFLOW, .velocity = {1}, .dye = 0.7f, .from = 0.2f, .to = 0.8f};
  o.side[TEXLA_SIDE_RIGHT].edge = TEXLA_FLOW_OUTFLOW;
  o.side[TEXLA_SIDE_TOP] = (clFlowSide){.dye = -0.5f, .holds_dye = true};
  uint8_t solid[CELLS] = {0};
  for (int j = 5; j < 9; j++)
    for (int i = 8; i < 11; i++)
      solid[j * NX + i] = 1;
  OWN(clFlow) *flow = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowObstacles(flow, solid));
  assert_true(clFlowStep(flow, 400) >= 0);
  double sum[2] = {0}, out[2] = {0}, flux;
  for (int k = 0; k < 2; k++) {
    float *dye = valuesOf(flow, TEXLA_FLOW_DYE);
    for (int c = 0; c < CELLS; c++)
      sum[k] += h * h * (double)dye[c];
    free(dye);
    for (int s = 0; s < 4; s++) {
      CHECK(clFlowDyeFlux(flow, (clGridSide)s, &flux));
      out[k] += flux;
    }
    if (k == 0)
      assert_true(clFlowStep(flow, 20) >= 0);
  }
  double gained = (sum[1] - sum[0]) / (20 * dt), mean = -(out[0] + out[1]) / 2;
  print_message("gained %.6f a unit of time, %.6f through the sides\n", gained, mean);
  assert_true(fabs(gained) > 0.5 && fabs(gained - mean) <= 2e-3 * fabs(gained));
  /* a wall beside which nothing is held, and no such side */
  double nusselt = 0;
  CHECK(clFlowNusselt(flow, TEXLA_SIDE_TOP, &nusselt));
  assert_true(isnan(nusselt));
  assert_int_equal(clFlowNusselt(flow, (clGridSide)7, &nusselt), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowDyeFlux(flow, TEXLA_SIDE_TOP, NULL), TEXLA_BAD_ARGUMENT);
}

TEST_MAIN(setUp, testContextDestroy, cavityOfDeVahlDavis, wallsBalance, fluxesMakeTheSum)
