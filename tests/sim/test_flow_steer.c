/* clFlowSteer: values that are known, halves that make a whole, and a jet that does not depend on
 * the time step. */

#include "texla/flow.h"

#include "one_context.h"

enum { NX = 37, NY = 22, CELLS = NX * NY };
static const double given[3] = {0.7, -0.2, 0.5}, place_x = 0.31, place_y = 0.24, radius = 0.11,
                    h = 1. / NX;

static clFlow *create(double dt, const uint8_t *solid) {
  clFlowOptions o = {.nx = NX, .ny = NY, .scheme = TEXLA_FLOW_MACCORMACK, .dt = dt};
  o.side[TEXLA_SIDE_LEFT].edge = o.side[TEXLA_SIDE_RIGHT].edge = TEXLA_FLOW_OUTFLOW;
  clFlow *flow = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowObstacles(flow, solid));
  return flow;
}

static void steer(clFlow *flow, double strength) {
  CHECK(clFlowSteer(flow, place_x, place_y, radius, given[0], given[1], given[2], strength));
}

static void download(clFlow *flow, clFlowField field, float *values) {
  const clVector *vector = NULL;
  CHECK(clFlowGet(&vector, flow, field));
  CHECK(clVectorDownload(vector, values));
}

static void pullsAsTheEquationDoes(void **state) {
  static const clFlowField field[] = {TEXLA_FLOW_U, TEXLA_FLOW_V, TEXLA_FLOW_DYE};
  static const double offset[][2] = {{1, 0.5}, {0.5, 1}, {0.5, 0.5}};
  const double strength = 3;
  uint8_t solid[CELLS] = {0};
  float once[CELLS], twice[CELLS];
  solid[8 * NX + 12] = 1;
  OWN(clFlow) *a = create(0.01, solid), *b = create(0.01, solid);
  steer(a, strength);
  steer(a, 0);
  steer(b, strength / 2);
  steer(b, strength / 2);
  for (int f = 0; f < 3; f++) {
    download(a, field[f], once);
    download(b, field[f], twice);
    for (int k = 0; k < CELLS; k++) {
      int i = k % NX, j = k / NX;
      double dx = (i + offset[f][0]) * h - place_x, dy = (j + offset[f][1]) * h - place_y;
      bool closed = solid[k] || (f == 0 && i + 1 < NX && solid[k + 1]) ||
                    (f == 1 && (j + 1 == NY || solid[k + NX]));
      double wanted =
          closed ? 0
                 : given[f] * (1 - exp(-strength * exp(-(dx * dx + dy * dy) / (radius * radius))));
      assert_true(fabs((double)once[k] - wanted) < 2e-6 && fabs((double)twice[k] - wanted) < 2e-6);
    }
  }
}

/* The speed in the middle of a jet that is held for half a unit of time. */
static double jet(double dt) {
  OWN(clFlow) *flow = create(dt, NULL);
  float u[CELLS];
  for (int k = 0; k < (int)(0.5 / dt + 0.5); k++) {
    steer(flow, 100 * dt);
    clStatus status = clFlowStep(flow, 1);
    assert_true(status >= 0);
  }
  download(flow, TEXLA_FLOW_U, u);
  return (double)u[(int)(place_y / h) * NX + (int)(place_x / h) - 1];
}

static void holdsItsVelocity(void **state) {
  double coarse = jet(0.02), fine = jet(0.005);
  print_message("a jet of 0.7: %.3f with dt = 0.02, %.3f with 0.005\n", coarse, fine);
  assert_true(fabs(coarse - given[0]) < 0.07 && fabs(fine - given[0]) < 0.07);
}

static void refusesWhatIsWrong(void **state) {
  OWN(clFlow) *flow = create(0.01, NULL);
  assertFails(context, clFlowSteer(flow, 0, 0, 0, 1, 1, 1, 1), TEXLA_BAD_ARGUMENT, "clFlowSteer");
  assertFails(context, clFlowSteer(flow, 0, 0, 1, 1, 1, 1, -1), TEXLA_BAD_ARGUMENT, "strength");
  assertFails(context, clFlowSteer(flow, 0, NAN, 1, 1, 1, 1, 1), TEXLA_BAD_ARGUMENT, "finite");
  assert_int_equal(clFlowSteer(NULL, 0, 0, 1, 1, 1, 1, 1), TEXLA_BAD_ARGUMENT);
}

TEST_MAIN(setUp, testContextDestroy, pullsAsTheEquationDoes, holdsItsVelocity, refusesWhatIsWrong)
