/* Steps that wait for no look (clFlowOptions::late): the same flow within the tolerance, the same
 * in each run, and what changes it at once is looked at. */

#include "texla/flow.h"

#include "one_context.h"

enum { NX = 45, NY = 38, CELLS = NX * NY, STEPS = 40 };
static const double tolerance = 1e-4;

/* Smoke that rises past a stone: each step adds some of it. */
static clFlow *create(bool late, clFlowScheme scheme, double dt) {
  clFlowOptions o = {.nx = NX,
                     .ny = NY,
                     .scheme = scheme,
                     .gamma = 0.5,
                     .dt = dt,
                     .buoyancy = 2,
                     .dt_max = 0.02,
                     .tolerance = tolerance,
                     .late = late};
  uint8_t solid[CELLS] = {0};
  clFlow *flow = NULL;
  for (int k = 0; k < 5; k++)
    solid[20 * NX + 20 + k] = 1;
  o.side[TEXLA_SIDE_TOP].edge = TEXLA_FLOW_OUTFLOW;
  CHECK(clFlowCreate(&flow, context, &o));
  CHECK(clFlowObstacles(flow, solid));
  return flow;
}

/* The largest divergence that steps have said to have left. */
static double run(clFlow *flow, float *u, float *dye) {
  const clVector *field = NULL;
  double most = 0;
  for (int k = 0; k < STEPS; k++) {
    CHECK(clFlowSplat(flow, 0.5, 0.15, 0.1, 0.01, 0, 0.05));
    CHECK(clFlowStep(flow, 1));
    most = fmax(most, clFlowInspect(flow).divergence);
  }
  CHECK(clFlowGet(&field, flow, TEXLA_FLOW_U));
  CHECK(clVectorDownload(field, u));
  CHECK(clFlowGet(&field, flow, TEXLA_FLOW_DYE));
  CHECK(clVectorDownload(field, dye));
  return most;
}

static double difference(const float *a, const float *b) {
  double most = 0, largest = 0;
  for (int k = 0; k < CELLS; k++) {
    most = fmax(most, fabs((double)a[k] - (double)b[k]));
    largest = fmax(largest, fabs((double)b[k]));
  }
  return most / largest;
}

static void isTheSameFlow(void **state) {
  float u[3][CELLS], dye[3][CELLS];
  for (int scheme = 0; scheme < 3; scheme++) {
    double left[3], dt = scheme == TEXLA_FLOW_DONOR_CELL ? 0.01 : 0;
    clFlowInfo info[3];
    for (int k = 0; k < 3; k++) {
      OWN(clFlow) *flow = create(k > 0, (clFlowScheme)scheme, dt);
      left[k] = run(flow, u[k], dye[k]);
      info[k] = clFlowInspect(flow);
    }
    print_message("scheme %d: time %.4f and %.4f, divergence %.1e and %.1e, differences %.1e in u, "
                  "%.1e in the dye\n",
                  scheme, info[0].time, info[1].time, left[0], left[1], difference(u[1], u[0]),
                  difference(dye[1], dye[0]));
    assert_memory_equal(u[1], u[2], sizeof u[1]);
    assert_memory_equal(dye[1], dye[2], sizeof dye[1]);
    assert_true(info[1].time == info[0].time && left[0] <= tolerance && left[1] < 20 * tolerance);
    assert_true(difference(u[1], u[0]) < 1e-3 && difference(dye[1], dye[0]) < 1e-3);
  }
}

/* How many steps ago the speed was what the late flow takes it for, after its step k. */
static int ageOf(const clFlow *late, const double *speed, int k) {
  double seen = clFlowInspect(late).speed;
  int age = 0;
  while (age < k && fabs(seen - speed[k - age]) > 1e-3 * seen)
    age++;
  return age;
}

/* The speed is that of the last step before where splats push, and otherwise at most four steps
 * old, which spares read-backs. */
static void looksBackSomeSteps(void **state) {
  enum { SPLATS = 20, MORE = STEPS - SPLATS };
  OWN(clFlow) *now = create(false, TEXLA_FLOW_MACCORMACK, 0),
              *late = create(true, TEXLA_FLOW_MACCORMACK, 0);
  double speed[STEPS];
  int oldest[2] = {0};
  int64_t reads = 0;
  for (int k = 0; k < STEPS; k++) {
    bool pushed = k < SPLATS;
    if (pushed) {
      CHECK(clFlowSplat(now, 0.5, 0.15, 0.1, 0.1, 0, 0.05));
      CHECK(clFlowSplat(late, 0.5, 0.15, 0.1, 0.1, 0, 0.05));
    }
    CHECK(clFlowStep(now, 1));
    reads -= clContextStatistics(context).readbacks;
    CHECK(clFlowStep(late, 1));
    reads += clContextStatistics(context).readbacks;
    if (pushed)
      reads = 0;
    speed[k] = clFlowInspect(now).speed;
    oldest[pushed] = (int)fmax(oldest[pushed], ageOf(late, speed, k));
  }
  print_message("speeds at most %d steps old with splats, %d without, where %lld steps of %d were "
                "read\n",
                oldest[1], oldest[0], (long long)reads, MORE);
  assert_true(oldest[1] == 1 && oldest[0] > 1 && oldest[0] <= 4 && reads <= MORE / 2);
  CHECK(clFlowSplat(late, 0.4, 0.5, 0.1, 5, 0, 0));
  CHECK(clFlowStep(late, 1));
  clFlowInfo info = clFlowInspect(late);
  assert_true(info.speed > 2 && info.divergence <= tolerance && info.dt * info.speed < 3. / NX);
}

/* Where one correction leaves a little too much and two far less, two are made: one is not tried
 * again and again. At some of these tolerances it would be. Tries that fail come ever later. */
static void staysWithWhatIsEnough(void **state) {
  enum { SOME = 80, MORE = 200 };
  clFlowOptions o = {.nx = NX, .ny = NY, .dt_max = 0.01, .tolerance = 1e-2, .late = true};
  for (int k = 0; k < 12; k++, o.tolerance /= 1.4) {
    clFlow *flow = NULL;
    int above = 0;
    CHECK(clFlowCreate(&flow, context, &o));
    for (int i = 0; i < MORE; i++) {
      CHECK(clFlowSplat(flow, 0.5, 0.15, 0.1, 0.05 * sin(0.1 * i), 0.05, 0));
      CHECK(clFlowStep(flow, 1));
      above += clFlowInspect(flow).divergence > o.tolerance;
      assert_true(above <= 2 || i >= SOME);
    }
    clFlowDestroy(flow);
    print_message("%d of %d steps left more than %.1e\n", above, MORE, o.tolerance);
    assert_true(above <= 5);
  }
}

/* What is restored is looked at, and a flow that runs away is told of, if later. */
static void looksWhereItMust(void **state) {
  float field[4][CELLS], low[NX + NY], u[CELLS], dye[CELLS];
  clFlowState kept = {.field = {field[0], field[1], field[2], field[3]}, .low = low};
  clFlow *flow = create(true, TEXLA_FLOW_MACCORMACK, 0);
  run(flow, u, dye);
  CHECK(clFlowSave(flow, &kept));
  CHECK(clFlowRestore(flow, &kept));
  CHECK(clFlowStep(flow, 1));
  assert_true(clFlowInspect(flow).divergence <= tolerance);
  clFlowDestroy(flow);
  flow = create(true, TEXLA_FLOW_DONOR_CELL, 20);
  CHECK(clFlowSplat(flow, 0.5, 0.15, 0.1, 1, 0, 1));
  clStatus status = TEXLA_OK;
  for (int k = 0; k < STEPS && status >= 0; k++)
    status = clFlowStep(flow, 1);
  assert_int_equal(status, TEXLA_NOT_FINITE);
  clFlowDestroy(flow);
}

TEST_MAIN(setUp, testContextDestroy, isTheSameFlow, looksBackSomeSteps, staysWithWhatIsEnough,
          looksWhereItMust)
