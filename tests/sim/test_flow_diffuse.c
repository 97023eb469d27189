/* Implicit diffusion over steps that are long: cycles of multigrid and sweeps give the same, and
 * the dye that they give solves its equation. */

#include "sim/flow.h"
#include "texla/flow.h"

#include "one_context.h"

enum { NX = 128, NY = 64, CELLS = NX * NY };
static const double h = 1. / NX, viscosity = 1, rate = 50;
/* Both leave 1e-5 of an error, in each of two steps, and the midpoint rule doubles it. */
static const double tolerance = 8e-5;

static float *noise(uint32_t seed, double size) {
  float *value = malloc(CELLS * sizeof *value);
  for (int k = 0; k < CELLS; k++) {
    seed = seed * 1664525 + 1013904223;
    value[k] = (float)(size * (seed / 2147483648. - 1));
  }
  return value;
}

static clFlowOptions optionsOf(clFlowStepping stepping, double dt) {
  clFlowOptions o = {.nx = NX,
                     .ny = NY,
                     .h = h,
                     .viscosity = viscosity,
                     .diffusivity = viscosity,
                     .implicit = true,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .stepping = stepping,
                     .tolerance = 1e-5,
                     .dt = dt};
  o.side[TEXLA_SIDE_LEFT] = (clFlowSide){.dye = 0.3f, .holds_dye = true};
  o.side[TEXLA_SIDE_TOP] = (clFlowSide){.velocity = {0.2f}};
  return o;
}

/* The fields of a flow from noise, after some steps. */
static void run(float *field[3], const clFlowOptions *o, int steps) {
  OWN(clFlow) *flow = NULL;
  CHECK(clFlowCreate(&flow, context, o));
  float *start[] = {noise(1, 0.1), noise(2, 0.1), noise(3, 1)};
  CHECK(clFlowUpload(flow, start[0], start[1], start[2]));
  assert_true(clFlowStep(flow, steps) >= 0);
  for (int k = 0; k < 3; k++) {
    static const clFlowField which[] = {TEXLA_FLOW_U, TEXLA_FLOW_V, TEXLA_FLOW_DYE};
    const clVector *vector = NULL;
    free(start[k]);
    CHECK(clFlowGet(&vector, flow, which[k]));
    field[k] = malloc(CELLS * sizeof *field[k]);
    CHECK(clVectorDownload(vector, field[k]));
  }
}

/* A wall at rest is an inflow of nothing, too: one of which a part is left out is no side for
 * cycles, so that sweeps diffuse there. */
static void cyclesAreSweeps(void **state) {
  for (int stepping = 0; stepping < 2; stepping++) {
    float *a[3], *b[3];
    clFlowOptions o =
        optionsOf((clFlowStepping)stepping, (1 + stepping) * rate * h * h / viscosity);
    run(a, &o, 2);
    o.side[TEXLA_SIDE_LEFT].edge = TEXLA_FLOW_INFLOW;
    o.side[TEXLA_SIDE_LEFT].to = 0.9999f;
    run(b, &o, 2);
    for (int k = 0; k < 3; k++) {
      double sum = 0, most = 0, size = k == 2 ? 1 : 0.1;
      for (int c = 0; c < CELLS; c++) {
        sum += pow((double)a[k][c] - (double)b[k][c], 2) / CELLS;
        most = fmax(most, fabs((double)a[k][c]));
      }
      print_message("stepping %d, field %d: difference %.1e, largest %.1e\n", stepping, k,
                    sqrt(sum) / size, most);
      assert_true(sqrt(sum) <= tolerance * size);
      free(a[k]);
      free(b[k]);
    }
  }
}

/* Nothing moves: (1 - l L) dye = the dye of before, with what the left side holds. */
static void dyeSolvesItsEquation(void **state) {
  clFlowOptions o = optionsOf(TEXLA_FLOW_EULER, rate * h * h / viscosity);
  o.side[TEXLA_SIDE_TOP].velocity[0] = 0;
  OWN(clFlow) *flow = NULL;
  FREED float *start = noise(3, 1), *dye = malloc(CELLS * sizeof *dye);
  const clVector *vector = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowUpload(flow, NULL, NULL, start));
  CHECK(clFlowStep(flow, 1));
  CHECK(clFlowGet(&vector, flow, TEXLA_FLOW_DYE));
  CHECK(clVectorDownload(vector, dye));
  double left = 0, before = 0;
  for (int c = 0; c < CELLS; c++) {
    int i = c % NX, j = c / NX;
    double defect[2];
    for (int k = 0; k < 2; k++) {
      const float *x = k ? start : dye;
      double own = (double)x[c], sum = -4 * own;
      sum += i > 0 ? (double)x[c - 1] : 0.6 - own;
      sum += i < NX - 1 ? (double)x[c + 1] : own;
      sum += j > 0 ? (double)x[c - NX] : own;
      sum += j < NY - 1 ? (double)x[c + NX] : own;
      defect[k] = (double)start[c] - own + rate * sum;
    }
    left += defect[0] * defect[0];
    before += defect[1] * defect[1];
  }
  print_message("left of the defect: %.1e\n", sqrt(left / before));
  assert_true(sqrt(left / before) <= tolerance);
}

static double apart(const float *a, const float *b) {
  double most = 0;
  for (int c = 0; c < CELLS; c++)
    most = fmax(most, fabs((double)a[c] - (double)b[c]));
  return most;
}

/* Beside a smooth wall, whose narrow faces make the matrix worse, sweeps come as close to the
 * solution as elsewhere: more and more of them find that. */
static void narrowFacesAreSweptAsWell(void **state) {
  static const double rates[] = {0.001, 0.005, 0.013, 0.05, 0.8};
  const int many = 8;
  clFlowOptions o = optionsOf(TEXLA_FLOW_EULER, 1e-6);
  clFlow *flow = NULL;
  float *distance = noise(1, 0), *start[] = {noise(1, 0.1), noise(2, 0.1)}, *one = noise(1, 0),
        *all = noise(1, 0);
  for (int c = 0; c < CELLS; c++)
    distance[c] = (float)(h * (hypot(c % NX + 0.5 - 50, c / NX + 0.5 - 32) - 17.3));
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowUpload(flow, start[0], start[1], NULL));
  CHECK(clFlowWalls(flow, distance));
  CHECK(txFlowStarts(flow));
  clVector *const field[] = {flow->u, flow->v, NULL};
  for (int k = 0; k < 2; k++)
    CHECK(clVectorCopy(flow->start[k], field[k]));
  CHECK(clVectorDownload(flow->u, start[0]));
  for (int r = 0; r < 5; r++) {
    for (int k = 0; k < 2; k++)
      CHECK(clVectorCopy(field[k], flow->start[k]));
    CHECK(txFlowDiffuse(flow, field, rates[r]));
    CHECK(clVectorDownload(flow->u, one));
    for (int k = 0; k < many; k++)
      CHECK(txFlowDiffuse(flow, field, rates[r]));
    CHECK(clVectorDownload(flow->u, all));
    double part = apart(one, all) / apart(start[0], all);
    print_message("rate %g: %.1e of the way is left\n", rates[r], part);
    assert_true(part <= 2e-5);
  }
  clFlowDestroy(flow);
  free(distance);
  free(start[0]);
  free(start[1]);
  free(one);
  free(all);
}

TEST_MAIN(setUp, testContextDestroy, cyclesAreSweeps, narrowFacesAreSweptAsWell,
          dyeSolvesItsEquation)
