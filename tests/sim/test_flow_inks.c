/* Inks: carried along by a uniform stream and by a vortex, within their bounds, in four colours
 * that know nothing of each other. */

#include "texla/flow.h"

#include "one_context.h"

static const double pi = 3.14159265358979323846;
enum { N = 24, SCALE = 3, FINE = N * SCALE, VALUES = 4 * FINE * FINE };

static clFlow *periodic(double dt) {
  clFlowOptions o = {.nx = N, .ny = N, .dt = dt, .scheme = TEXLA_FLOW_SEMI_LAGRANGIAN};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_FLOW_PERIODIC;
  clFlow *flow = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  return flow;
}

/* Squares of different sizes for the first three, nothing for the last one. */
static float *squares(void) {
  float *values = calloc(VALUES, sizeof *values);
  for (int k = 0; k < VALUES; k++) {
    int ink = k % 4, i = k / 4 % FINE, j = k / 4 / FINE;
    values[k] = ink < 3 && i >= 12 && i < 30 + 6 * ink && j >= 18 - 3 * ink && j < 40;
  }
  return values;
}

/* Twice around the box, once up: all is back where it was, nearly as sharp. */
static void comeBackWithAStream(void **state) {
  OWN(clFlow) *flow = periodic(0.02);
  OWN(clFlowInks) *inks = NULL;
  FREED float *u = malloc(2 * N * N * sizeof *u), *first = squares(),
              *last = malloc(VALUES * sizeof *last);
  double difference[4] = {0}, all[4] = {0};
  for (int k = 0; k < 2 * N * N; k++)
    u[k] = k < N * N ? 1 : 0.5f;
  CHECK(clFlowUpload(flow, u, u + N * N, NULL));
  CHECK(clFlowInksCreate(&inks, flow, &(clFlowInksOptions){.scale = SCALE}));
  assert_int_equal(clFlowInksLength(inks), VALUES);
  assert_int_equal(clVectorLength(clFlowInksValues(inks)), VALUES);
  CHECK(clFlowInksRestore(inks, first));
  for (int k = 0; k < 100; k++) {
    CHECK(clFlowStep(flow, 1));
    CHECK(clFlowInksStep(inks));
  }
  CHECK(clFlowInksSave(inks, last));
  for (int k = 0; k < VALUES; k++) {
    assert_true(last[k] >= -1e-6f && last[k] <= 1 + 1e-6f);
    difference[k % 4] += fabs((double)last[k] - (double)first[k]);
    all[k % 4] += (double)first[k];
  }
  for (int ink = 0; ink < 3; ink++)
    print_message("ink %d: %.3f of it is elsewhere\n", ink, difference[ink] / all[ink]);
  /* 0.69 by linear interpolation alone */
  for (int ink = 0; ink < 3; ink++)
    assert_true(difference[ink] < 0.54 * all[ink]);
  assert_true(difference[3] == 0);
}

/* A spot goes around in a vortex: it stays on its circle of the stream function, whose error falls
 * with the square of the step. */
static double strays(double dt, int steps) {
  OWN(clFlow) *flow = periodic(dt);
  OWN(clFlowInks) *inks = NULL;
  FREED float *u = malloc(2 * N * N * sizeof *u), *last = malloc(VALUES * sizeof *last);
  double sum = 0, mean = 0;
  for (int c = 0; c < N * N; c++) {
    double x = (c % N + 1.) / N, y = (c / N + 1.) / N, h = 0.5 / N;
    u[c] = (float)(sin(2 * pi * x) * cos(2 * pi * (y - h)));
    u[N * N + c] = (float)(-cos(2 * pi * (x - h)) * sin(2 * pi * y));
  }
  CHECK(clFlowInksCreate(&inks, flow, &(clFlowInksOptions){.scale = SCALE}));
  CHECK(clFlowInksSplat(inks, 0.25, 0.4, 0.06, (float[]){0, 1, 0, 0}));
  for (int k = 0; k < steps; k++) {
    /* the vortex of semi-Lagrangian transport would fade */
    CHECK(clFlowUpload(flow, u, u + N * N, NULL));
    CHECK(clFlowStep(flow, 1));
    CHECK(clFlowInksStep(inks));
  }
  CHECK(clFlowInksSave(inks, last));
  for (int k = 1; k < VALUES; k += 4) {
    double x = (k / 4 % FINE + 0.5) / FINE, y = (k / 4 / FINE + 0.5) / FINE, q = (double)last[k];
    sum += q;
    mean += q * sin(2 * pi * x) * sin(2 * pi * y);
  }
  return mean / sum;
}

static void stayOnTheirStreamline(void **state) {
  double start = strays(1e-6, 1), coarse = strays(0.05, 12), fine = strays(0.025, 24);
  print_message("mean stream function %.4f at first, %.4f and %.4f after a turn\n", start, coarse,
                fine);
  assert_true(fabs(coarse - start) < 0.012 && fabs(fine - start) < 0.012);
}

static void obstaclesHoldNone(void **state) {
  clFlowOptions o = {.nx = N, .ny = N, .dt = 0.01};
  OWN(clFlow) *flow = NULL;
  OWN(clFlowInks) *inks = NULL;
  uint8_t solid[N * N] = {0};
  FREED float *values = malloc(VALUES * sizeof *values);
  solid[7 * N + 5] = 1;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowObstacles(flow, solid));
  CHECK(clFlowInksCreate(&inks, flow, &(clFlowInksOptions){.scale = SCALE, .decay = 50}));
  CHECK(clFlowInksSplat(inks, 0.23, 0.31, 0.2, (float[]){1, 2, 3, 4}));
  CHECK(clFlowInksSave(inks, values));
  double before = (double)values[4 * (30 * FINE + 30) + 2];
  assert_true(before > 0.1);
  CHECK(clFlowStep(flow, 1));
  CHECK(clFlowInksStep(inks));
  CHECK(clFlowInksSave(inks, values));
  for (int k = 0; k < VALUES; k++) {
    int i = k / 4 % FINE / SCALE, j = k / 4 / FINE / SCALE;
    assert_true((values[k] == 0) == (i == 5 && j == 7));
  }
  assert_true(fabs((double)values[4 * (30 * FINE + 30) + 2] / before - exp(-0.5)) < 1e-4);
}

/* A stream along a wall aslant, 3 up for every 4 to the right: ink that depends on the distance
 * from the wall alone goes on doing so, since each of its lines is a streamline. */
enum { WIDE = 32, TALL = 24, COLUMNS = WIDE * SCALE, ROWS = TALL * SCALE };
static double fromWall(double x, double y) { /* all in cells */
  return fabs(remainder(0.8 * y - 0.6 * x, 0.8 * TALL)) - 1.5;
}
static double fromWallOf(int i, int j) {
  return fromWall((i + 0.5) / SCALE, (j + 0.5) / SCALE);
}

static clFlow *alongAWall(void) {
  const float force = 0.06f;
  clFlowOptions o = {.nx = WIDE,
                     .ny = TALL,
                     .h = 1,
                     .dt = 0.5,
                     .viscosity = 1,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .stepping = TEXLA_FLOW_MIDPOINT,
                     .force = {0.8f * force, 0.6f * force}};
  float distance[WIDE * TALL];
  clFlow *flow = NULL;
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_FLOW_PERIODIC;
  for (int k = 0; k < WIDE * TALL; k++)
    distance[k] = (float)fromWall(k % WIDE + 0.5, k / WIDE + 0.5);
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowWalls(flow, distance));
  CHECK(clFlowStep(flow, 60));
  return flow;
}

static void stayAlongAWall(void **state) {
  OWN(clFlow) *flow = alongAWall();
  OWN(clFlowInks) *inks = NULL;
  FREED float *ink = calloc(4 * COLUMNS * ROWS, sizeof *ink);
  double apart = 0;
  for (int k = 0; k < COLUMNS * ROWS; k++) {
    double d = fromWallOf(k % COLUMNS, k / COLUMNS) - 2;
    ink[4 * k] = (float)exp(-0.25 * d * d);
  }
  CHECK(clFlowInksCreate(&inks, flow, &(clFlowInksOptions){.scale = SCALE}));
  CHECK(clFlowInksRestore(inks, ink));
  for (int k = 0; k < 80; k++)
    CHECK(clFlowInksStep(inks));
  CHECK(clFlowInksSave(inks, ink));
  /* as far from the wall, at another place in its cell */
  for (int j = 0; j < ROWS - 3; j++)
    for (int i = 0; i < COLUMNS - 4; i++) {
      int here = j * COLUMNS + i, there = here + 3 * COLUMNS + 4;
      if (fromWallOf(i, j) > 0.6)
        apart = fmax(apart, fabs((double)ink[4 * here] - (double)ink[4 * there]));
    }
  print_message("ink along a wall aslant: places alike differ by %.4f\n", apart);
  assert_true(apart < 0.025);
}

static void refuseNonsense(void **state) {
  OWN(clFlow) *flow = periodic(0.01);
  OWN(clFlowInks) *inks = NULL;
  assert_int_equal(clFlowInksCreate(NULL, flow, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowInksCreate(&inks, NULL, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowInksCreate(&inks, flow, &(clFlowInksOptions){.scale = -1}),
                   TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowInksCreate(&inks, flow, &(clFlowInksOptions){.decay = NAN}),
                   TEXLA_BAD_ARGUMENT);
  CHECK(clFlowInksCreate(&inks, flow, NULL));
  assert_int_equal(clFlowInksLength(inks), 16 * N * N);
  assert_int_equal(clFlowInksSplat(inks, 0.5, 0.5, 0, (float[]){1, 1, 1, 1}), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowInksSplat(inks, 0.5, 0.5, 1, (float[]){1, 1, NAN, 1}), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowInksSplat(inks, 0.5, 0.5, 1, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowInksSave(inks, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowInksStep(NULL), TEXLA_BAD_ARGUMENT);
  clFlowInksDestroy(NULL);
}

TEST_MAIN(setUp, testContextDestroy, comeBackWithAStream, stayOnTheirStreamline, obstaclesHoldNone,
          stayAlongAWall, refuseNonsense)
