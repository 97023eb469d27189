/* What transport keeps: the energy of vortices, the bounds of a dye; and what is measured of
 * that. */

#include "texla/flow.h"

#include "one_context.h"

static const double pi = 3.14159265358979323846;
enum { N = 64 };

static clFlow *box(clFlowScheme scheme, double viscosity, double dt, double tolerance) {
  clFlowOptions o = {.nx = N, .ny = N, .viscosity = viscosity, .scheme = scheme, .dt = dt};
  o.tolerance = tolerance;
  o.stepping = scheme == TEXLA_FLOW_DONOR_CELL ? TEXLA_FLOW_MIDPOINT : TEXLA_FLOW_EULER;
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_FLOW_FREE_SLIP;
  clFlow *flow = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  return flow;
}

/* What is left of a vortex pair's energy after it has gone half a box at a viscosity of 1e-6 of its
 * speed times its size. */
static double kept(clFlowScheme scheme) {
  OWN(clFlow) *flow = box(scheme, 1e-7, 0.01, 0);
  double first = 0, last = 0;
  CHECK(clFlowSplat(flow, 0.3, 0.5, 0.1, 1, 0, 1));
  CHECK(clFlowStep(flow, 5));
  CHECK(clFlowEnergy(flow, &first));
  CHECK(clFlowStep(flow, 100));
  CHECK(clFlowEnergy(flow, &last));
  return last / first;
}

static void vorticesKeepTheirEnergy(void **state) {
  double semi = kept(TEXLA_FLOW_SEMI_LAGRANGIAN), mac = kept(TEXLA_FLOW_MACCORMACK),
         donor = kept(TEXLA_FLOW_DONOR_CELL);
  print_message("left of a vortex pair: %.3f semi-Lagrangian, %.3f MacCormack, %.3f central\n",
                semi, mac, donor);
  assert_true(mac > 0.9 && mac <= 1.001);
  assert_true(1 - mac < 0.25 * (1 - semi));
  assert_true(fabs(donor - 1) < 0.01);
}

/* A square of dye of 0 and 1 stays between both, with its sum and most of its edges, whatever
 * scheme the velocity has. */
static void dyeStaysWithinItsBounds(void **state) {
  for (int s = 0; s < 3; s++) {
    OWN(clFlow) *flow = box((clFlowScheme)s, 0, 0.01, 3e-6);
    FREED float *field = malloc(3 * N * N * sizeof *field);
    for (int c = 0; c < N * N; c++) {
      int i = c % N, j = c / N;
      field[c] = (float)(sin(pi * (i + 1) / N) * cos(pi * (j + 0.5) / N));
      field[N * N + c] = (float)(-cos(pi * (i + 0.5) / N) * sin(pi * (j + 1) / N));
      field[2 * N * N + c] = i > 16 && i < 32 && j > 12 && j < 28;
    }
    CHECK(clFlowUpload(flow, field, field + N * N, field + 2 * N * N));
    CHECK(clFlowStep(flow, 60));
    const clVector *dye = NULL;
    CHECK(clFlowGet(&dye, flow, TEXLA_FLOW_DYE));
    CHECK(clVectorDownload(dye, field));
    double squares = 0, sum = 0;
    float least = 0, most = 0;
    for (int c = 0; c < N * N; c++) {
      least = fminf(least, field[c]);
      most = fmaxf(most, field[c]);
      sum += (double)field[c];
      squares += (double)field[c] * (double)field[c];
    }
    print_message("scheme %d: %g .. 1 + %g, sum %.6f and squares %.1f of 225\n", s, (double)least,
                  (double)most - 1, sum, squares);
    /* what is left of divergence gathers dye */
    assert_true(least >= -1e-6f && most <= 1 + 1e-5f);
    assert_true(fabs(sum - 225) <= 225e-6);
    assert_true(squares >= 175);
  }
}

/* Dye that is washed around a disc with a smooth wall, whose cells are cut: none is lost or
 * made, and no value leaves those of the beginning. A dye that is the same everywhere stays so. */
static void dyeIsKeptAtSmoothWalls(void **state) {
  for (int c = 0; c < 8; c++) {
    bool even = c >= 6, spreads = c % 2;
    clFlowOptions o = {.nx = N, .ny = N, .dt = 0.01, .tolerance = 1e-6, .viscosity = 1e-3};
    o.scheme = (clFlowScheme)(c / 2 % 3);
    o.stepping = TEXLA_FLOW_MIDPOINT;
    if (o.scheme != TEXLA_FLOW_DONOR_CELL)
      o.stepping = TEXLA_FLOW_EULER;
    if (spreads)
      o.diffusivity = 2e-3;
    OWN(clFlow) *flow = NULL;
    float *field = malloc(2 * N * N * sizeof *field), *dye = field + N * N;
    double before = 0, after = 0;
    float least = 1, most = 0;
    for (int k = 0; k < N * N; k++) {
      double x = (k % N + 0.5) / N, y = (k / N + 0.5) / N;
      field[k] = (float)(hypot(x - 0.53, y - 0.48) - 0.211);
      dye[k] = even || (field[k] > 0 && x < 0.4 && y > 0.3 && y < 0.7);
      before += (double)dye[k];
    }
    CHECK(clFlowCreate(&flow, context, &o));
    CHECK(clFlowWalls(flow, field));
    CHECK(clFlowUpload(flow, NULL, NULL, dye));
    CHECK(clFlowSplat(flow, 0.2, 0.5, 0.15, 3, 1.5, 0));
    CHECK(clFlowStep(flow, 80));
    const clVector *vector = NULL;
    CHECK(clFlowGet(&vector, flow, TEXLA_FLOW_DYE));
    CHECK(clVectorDownload(vector, dye));
    double moved = 0;
    for (int k = 0; k < N * N; k++) {
      after += (double)dye[k];
      if (k % N > N / 2)
        moved += (double)dye[k];
      most = fmaxf(most, dye[k]);
      if (field[k] > 1.5f / N)
        least = fminf(least, dye[k]);
    }
    print_message("scheme %d%s: %g .. 1 + %g, %.6f of %g, %.1f on the other half\n", (int)o.scheme,
                  spreads ? ", diffusion" : "", (double)least, (double)most - 1, after, before,
                  moved);
    /* where it is everywhere, what lies in the wall counts before */
    assert_true(even || fabs(after - before) <= 3e-6 * before);
    assert_true(most <= 1 + 1e-4f && least >= (even ? 1 - 1e-4f : -1e-6f));
    assert_true(even || moved > 1);
    free(field);
  }
}

/* The central scheme has the viscosity that was asked for, and the change is that of a vortex that
 * decays at a known rate. */
static void measuresViscosityAndChange(void **state) {
  const double nu = 0.01, dt = 0.02, rate = 2 * nu * pi * pi;
  OWN(clFlow) *flow = box(TEXLA_FLOW_DONOR_CELL, nu, dt, 0);
  FREED float *field = malloc(2 * N * N * sizeof *field);
  double viscosity = 0, change = 0;
  for (int c = 0; c < N * N; c++) {
    int i = c % N, j = c / N;
    field[c] = (float)(sin(pi * (i + 1) / N) * cos(pi * (j + 0.5) / N));
    field[N * N + c] = (float)(-cos(pi * (i + 0.5) / N) * sin(pi * (j + 1) / N));
  }
  CHECK(clFlowUpload(flow, field, field + N * N, NULL));
  CHECK(clFlowStep(flow, 1));
  CHECK(clFlowViscosity(flow, &viscosity));
  CHECK(clFlowChange(flow, &change));
  assert_true(isnan(viscosity) && isinf(change));
  CHECK(clFlowStep(flow, 10));
  CHECK(clFlowViscosity(flow, &viscosity));
  CHECK(clFlowChange(flow, &change));
  print_message("viscosity %.5f (%.5f), change %.5f (%.5f)\n", viscosity, nu, change, rate);
  assert_true(fabs(viscosity / nu - 1) < 0.02);
  assert_true(fabs(change / ((exp(rate * 10 * dt) - 1) / (10 * dt)) - 1) < 0.02);
  assert_int_equal(clFlowViscosity(flow, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowChange(NULL, &change), TEXLA_BAD_ARGUMENT);
}

/* Confinement adds energy to what turns, and nothing at rest. */
static void confinementPushes(void **state) {
  double energy[2];
  for (int k = 0; k < 2; k++) {
    clFlowOptions o = {
        .nx = N, .ny = N, .scheme = TEXLA_FLOW_MACCORMACK, .dt = 0.01, .confinement = 4 * k};
    OWN(clFlow) *flow = NULL;
    CHECK(clFlowCreate(&flow, context, &o));
    CHECK(clFlowStep(flow, 2));
    CHECK(clFlowEnergy(flow, &energy[k]));
    assert_true(energy[k] == 0);
    CHECK(clFlowSplat(flow, 0.3, 0.5, 0.1, 1, 0, 1));
    CHECK(clFlowStep(flow, 60));
    CHECK(clFlowEnergy(flow, &energy[k]));
  }
  assert_true(energy[1] > 1.02 * energy[0]);
}

/* A wave with an overtone along an axis of n cells. */
static double wave(int k, int n, double phase) {
  double t = 2 * pi * k / n;
  return sin(t + phase) + 0.5 * cos(3 * t - phase);
}

/* u, v and the dye after some steps of a periodic flow that begins `by` cells farther on. */
static float *carried(clFlowOptions o, const int by[2]) {
  const int n = o.nx * o.ny;
  float *field = malloc(3 * (size_t)n * sizeof *field);
  OWN(clFlow) *flow = NULL;
  for (int c = 0; c < n; c++) {
    int i = (c % o.nx + by[0]) % o.nx, j = (c / o.nx + by[1]) % o.ny;
    field[c] = (float)(0.3 + 0.4 * wave(j, o.ny, 1));
    field[n + c] = (float)(0.2 + 0.4 * wave(i, o.nx, 2));
    field[2 * n + c] = (float)(wave(i, o.nx, 0) * wave(j, o.ny, 3));
  }
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowUpload(flow, field, field + n, field + 2 * n));
  CHECK(clFlowStep(flow, 3));
  static const clFlowField kept[] = {TEXLA_FLOW_U, TEXLA_FLOW_V, TEXLA_FLOW_DYE};
  for (int k = 0; k < 3; k++) {
    const clVector *values = NULL;
    CHECK(clFlowGet(&values, flow, kept[k]));
    CHECK(clVectorDownload(values, field + k * n));
  }
  return field;
}

/* The interior of a large grid has a program of its own. Without walls, what it makes of a flow is
 * what the rim's makes of the same flow farther on: explicit diffusion of the dye and implicit. */
static void interiorDoesAsTheRim(void **state) {
  const int by[] = {131, 65};
  for (int scheme = 0; scheme < 3; scheme++) {
    clFlowOptions o = {
        .nx = 262, .ny = 130, .h = 1, .dt = 0.5, .viscosity = 0.1, .scheme = (clFlowScheme)scheme};
    o.diffusivity = 0.1;
    o.tolerance = 1e-5;
    if (scheme == TEXLA_FLOW_DONOR_CELL) {
      o.stepping = TEXLA_FLOW_MIDPOINT;
      /* so much that it is implicit */
      o.diffusivity = 12;
    }
    for (int s = 0; s < 4; s++)
      o.side[s].edge = TEXLA_FLOW_PERIODIC;
    FREED float *here = carried(o, (int[]){0, 0}), *there = carried(o, by);
    double worst = 0;
    for (int c = 0; c < 3 * o.nx * o.ny; c++) {
      int i = (c % o.nx + by[0]) % o.nx, j = c / o.nx % o.ny, k = c / (o.nx * o.ny);
      worst =
          fmax(worst, fabs((double)(there[c] - here[(k * o.ny + (j + by[1]) % o.ny) * o.nx + i])));
    }
    print_message("scheme %d: %g\n", scheme, worst);
    assert_true(worst < 5e-5);
  }
}

TEST_MAIN(setUp, testContextDestroy, vorticesKeepTheirEnergy, dyeStaysWithinItsBounds,
          dyeIsKeptAtSmoothWalls, measuresViscosityAndChange, confinementPushes,
          interiorDoesAsTheRim)
