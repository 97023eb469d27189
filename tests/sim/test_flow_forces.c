/* Forces on obstacles: smooth walls, whole cells, and the balance of momentum. */

#include "texla/flow.h"

#include "one_context.h"

/* Case 2D-1 of Schaefer and Turek (1996) on a coarse grid, in heights of the channel and mean
 * speeds: Re 20. */
enum { NY = 41, NX = 220 };
static const double diameter = 0.1 / 0.41, centre = 0.2 / 0.41, drag = 5.5795, lift = 0.0106,
                    difference = 2.938;

static double *distances(void) {
  double *distance = malloc(NX * NY * sizeof *distance);
  for (int k = 0; k < NX * NY; k++)
    distance[k] = hypot((k % NX + 0.5) / NY - centre, (k / NX + 0.5) / NY - centre) - diameter / 2;
  return distance;
}

static void setWalls(clFlow *flow, bool smooth) {
  FREED double *distance = distances();
  FREED float *values = malloc(NX * NY * sizeof *values);
  FREED uint8_t *solid = malloc(NX * NY);
  for (int k = 0; k < NX * NY; k++) {
    values[k] = (float)distance[k];
    solid[k] = distance[k] < 0;
  }
  CHECK(smooth ? clFlowWalls(flow, values) : clFlowObstacles(flow, solid));
}

static clFlow *channel(void) {
  clFlowOptions o = {.nx = NX,
                     .ny = NY,
                     .h = 1. / NY,
                     .viscosity = diameter / 20,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .stepping = TEXLA_FLOW_MIDPOINT,
                     .tolerance = 1e-4};
  o.side[TEXLA_SIDE_LEFT] = (clFlowSide){TEXLA_FLOW_INFLOW, {1.5f}, .parabolic = true};
  o.side[TEXLA_SIDE_RIGHT].edge = TEXLA_FLOW_OUTFLOW;
  clFlow *flow = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  return flow;
}

static void dragOf(bool smooth, double error, double lift_error) {
  OWN(clFlow) *flow = channel();
  clFlowForce f;
  double front, back;
  setWalls(flow, smooth);
  while (clFlowInspect(flow).time < 2.5)
    CHECK(clFlowStep(flow, 10));
  CHECK(clFlowForces(flow, &f));
  CHECK(clFlowPressure(flow, centre - diameter / 2, centre, &front));
  CHECK(clFlowPressure(flow, centre + diameter / 2, centre, &back));
  double d = 2 * (f.pressure[0] + f.friction[0]) / diameter,
         l = 2 * (f.pressure[1] + f.friction[1]) / diameter;
  print_message("2D-1, 10 cells per diameter, %s: drag %.4f (%.4f), lift %.4f (%.4f), pressure "
                "difference %.3f (%.3f)\n",
                smooth ? "cut cells" : "stairs", d, drag, l, lift, front - back, difference);
  assert_true(!smooth || fabs(front - back - difference) < 0.07);
  assert_true(fabs(d / drag - 1) <= error && fabs(l - lift) <= lift_error);
}

static void cylinderInAChannel(void **state) {
  dragOf(true, 0.01, 0.004);
  dragOf(false, 0.05, 0.02);
}

/* Smooth walls come and go; a step after that is one of the same flow without them. */
static void wallsGoAgain(void **state) {
  OWN(clFlow) *flow = channel(), *other = channel();
  const clVector *u = NULL;
  FREED float *a = malloc(NX * NY * sizeof *a), *b = malloc(NX * NY * sizeof *b);
  setWalls(flow, true);
  setWalls(flow, false);
  setWalls(other, false);
  CHECK(clFlowStep(flow, 2));
  CHECK(clFlowStep(other, 2));
  CHECK(clFlowGet(&u, flow, TEXLA_FLOW_U));
  CHECK(clVectorDownload(u, a));
  CHECK(clFlowGet(&u, other, TEXLA_FLOW_U));
  CHECK(clVectorDownload(u, b));
  for (int k = 0; k < NX * NY; k++)
    assert_true(a[k] == b[k]);
}

/* Poiseuille's flow between walls, pushed by a force: shear at both walls, and what flows through
 * the sides. */
static void shearAndFluxOfAChannel(void **state) {
  enum { N = 16 };
  clFlowOptions o = {.nx = 8,
                     .ny = N,
                     .h = 1. / N,
                     .viscosity = 0.5,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .stepping = TEXLA_FLOW_MIDPOINT,
                     .force = {1, 0},
                     .dt = 0.05};
  o.side[TEXLA_SIDE_LEFT].edge = o.side[TEXLA_SIDE_RIGHT].edge = TEXLA_FLOW_PERIODIC;
  OWN(clFlow) *flow = NULL;
  float low[8], high[8];
  double right, left, bottom;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowStep(flow, 100));
  CHECK(clFlowShear(flow, TEXLA_SIDE_BOTTOM, low));
  CHECK(clFlowShear(flow, TEXLA_SIDE_TOP, high));
  CHECK(clFlowFlux(flow, TEXLA_SIDE_RIGHT, &right));
  CHECK(clFlowFlux(flow, TEXLA_SIDE_LEFT, &left));
  CHECK(clFlowFlux(flow, TEXLA_SIDE_BOTTOM, &bottom));
  print_message("shear %.5f, %.5f (0.5), flux %.5f (0.16667)\n", (double)low[3], (double)high[3],
                right);
  /* force / 2 */
  for (int k = 0; k < 8; k++)
    assert_true(fabs((double)low[k] - 0.5) < 0.002 && fabs((double)high[k] - 0.5) < 0.002);
  /* force / (12 nu) */
  assert_true(fabs(right - 1. / 6) < 0.002 && fabs(right + left) < 1e-6 && bottom == 0);
  assert_int_equal(clFlowShear(flow, (clGridSide)4, low), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowFlux(flow, TEXLA_SIDE_LEFT, NULL), TEXLA_BAD_ARGUMENT);
}

/* The last face of a wall lies in an outflow, and has its shear, too. */
static void shearReachesTheOutflow(void **state) {
  enum { N = 8 };
  static float u[N * N], v[N * N], low[N];
  clFlowOptions o = {.nx = N, .ny = N, .h = 1. / N, .viscosity = 0.5, .dt = 0.005};
  o.side[TEXLA_SIDE_LEFT] = (clFlowSide){.edge = TEXLA_FLOW_INFLOW, .velocity = {1, 0}};
  o.side[TEXLA_SIDE_RIGHT].edge = TEXLA_FLOW_OUTFLOW;
  OWN(clFlow) *flow = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  for (int k = 0; k < N * N; k++)
    u[k] = 1;
  CHECK(clFlowUpload(flow, u, v, NULL));
  CHECK(clFlowShear(flow, TEXLA_SIDE_BOTTOM, low));
  for (int k = 0; k < N; k++)
    assert_true(fabs((double)low[k] - N) < 1e-3);
}

/* A velocity and a pressure that are put in: u = x - 0.45 turns at 0.45, the pressure is a
 * quadratic polynomial, which is found exactly, also on walls. */
static double pressureAt(double x, double y) {
  return 1 + 2 * x - y + 3 * x * x - x * y + 0.5 * y * y;
}

static void placesWhereTheFlowTurns(void **state) {
  enum { N = 20 };
  clFlowOptions o = {.nx = N, .ny = N, .viscosity = 0.1};
  OWN(clFlow) *flow = NULL;
  FREED float *field = calloc((TEXLA_FLOW_STORED + 1) * N * N, sizeof *field);
  uint8_t solid[N * N] = {0};
  clFlowState s = {.low = field + TEXLA_FLOW_STORED * N * N};
  double stretch[2], length = 0, pressure = 0;
  for (int k = 0; k < N * N; k++) {
    field[k] = (float)((k % N + 1.) / N - 0.45);
    field[2 * N * N + k] = (float)pressureAt((k % N + 0.5) / N, (k / N + 0.5) / N);
    /* a wall at x = 0.6 .. 0.65, not down to the bottom */
    solid[k] = k % N == 12 && k / N > 3;
  }
  for (int k = 0; k < TEXLA_FLOW_STORED; k++)
    s.field[k] = field + k * N * N;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowObstacles(flow, solid));
  CHECK(clFlowRestore(flow, &s));
  CHECK(clFlowBackflow(flow, TEXLA_SIDE_BOTTOM, stretch));
  assert_true(stretch[0] == 0 && fabs(stretch[1] - 0.45) < 1e-5);
  CHECK(clFlowBackflow(flow, TEXLA_SIDE_LEFT, stretch));
  assert_true(isnan(stretch[0]) && isnan(stretch[1]));
  CHECK(clFlowWake(flow, 0.1, 0.52, &length));
  assert_true(fabs(length - 0.35) < 1e-5);
  CHECK(clFlowWake(flow, 0.5, 0.52, &length));
  assert_true(length == 0);
  static const double place[][2] = {{0.31, 0.47}, {0, 0.5}, {0.6, 0.7}, {0.65, 1}, {1, 0}};
  for (int k = 0; k < 5; k++) {
    CHECK(clFlowPressure(flow, place[k][0], place[k][1], &pressure));
    assert_true(fabs(pressure - pressureAt(place[k][0], place[k][1])) < 2e-5);
  }
  assert_int_equal(clFlowPressure(flow, 1.1, 0.5, &pressure), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowWake(flow, 0.5, NAN, &length), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowBackflow(flow, TEXLA_SIDE_LEFT, NULL), TEXLA_BAD_ARGUMENT);
}

/* At six places around a cylinder of radius 0.2 in the middle of N x N cells, the largest error of
 * a pressure that is put in; cells that are cut hold one that is wrong by h, as those of a flow
 * are. */
static double pressureError(int n) {
  const double h = 1. / n, radius = 0.2;
  clFlowOptions o = {.nx = n,
                     .ny = n,
                     .viscosity = 0.1,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .stepping = TEXLA_FLOW_MIDPOINT};
  OWN(clFlow) *flow = NULL;
  float *field = calloc((size_t)((TEXLA_FLOW_STORED + 2) * n * n), sizeof *field),
        *distance = field + 5 * n * n;
  clFlowState s = {.low = field + 4 * n * n};
  for (int k = 0; k < n * n; k++) {
    double x = (k % n + 0.5) * h, y = (k / n + 0.5) * h;
    distance[k] = (float)(hypot(x - 0.5, y - 0.5) - radius);
    field[2 * n * n + k] =
        (float)(exp(x) * cos(3 * y) + (fabs((double)distance[k]) < h / sqrt(2) ? h : 0));
  }
  for (int k = 0; k < TEXLA_FLOW_STORED; k++)
    s.field[k] = field + k * n * n;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowWalls(flow, distance));
  CHECK(clFlowRestore(flow, &s));
  double worst = 0;
  for (int k = 0; k < 6; k++) {
    double x = 0.5 + radius * cos(k + 0.3), y = 0.5 + radius * sin(k + 0.3), pressure = 0;
    CHECK(clFlowPressure(flow, x, y, &pressure));
    worst = fmax(worst, fabs(pressure - exp(x) * cos(3 * y)));
  }
  free(field);
  return worst;
}

static void pressureAtASmoothWall(void **state) {
  double coarse = pressureError(21), fine = pressureError(63), order = log(coarse / fine) / log(3.);
  print_message("pressure at a wall: errors %.2g and %.2g, order %.1f\n", coarse, fine, order);
  assert_true(order > 2.5 && fine < 1e-4);
}

static void badWalls(void **state) {
  float distance[16] = {NAN};
  clFlowForce f;
  clFlow *flow = NULL;
  clFlowOptions o = {.nx = 4, .ny = 4, .scheme = TEXLA_FLOW_DONOR_CELL};
  CHECK(clFlowCreate(&flow, context, &o));
  /* Euler */
  assert_int_equal(clFlowWalls(flow, distance), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowWalls(NULL, distance), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowForces(flow, NULL), TEXLA_BAD_ARGUMENT);
  CHECK(clFlowForces(flow, &f));
  assert_true(f.pressure[0] == 0 && f.friction[1] == 0);
  clFlowDestroy(flow);
  o.stepping = TEXLA_FLOW_MIDPOINT;
  CHECK(clFlowCreate(&flow, context, &o));
  /* not finite */
  assert_int_equal(clFlowWalls(flow, distance), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowWalls(flow, NULL), TEXLA_BAD_ARGUMENT);
  clFlowDestroy(flow);
}

TEST_MAIN(setUp, testContextDestroy, cylinderInAChannel, wallsGoAgain, shearAndFluxOfAChannel,
          shearReachesTheOutflow, placesWhereTheFlowTurns, pressureAtASmoothWall, badWalls)
