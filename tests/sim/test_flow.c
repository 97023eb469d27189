/* clFlow against plain loops in double precision (flow_loop.h), decaying vortices, and published
 * cavities. With the argument `slow`: the cavities on fine grids. */
#include "common.h"

#include "sim/flow_loop.h"
#include "texla/flow.h"

static const double pi = 3.14159265358979323846;
/* of a few steps, values of about 1, divergence left at 5e-6 */
static const double stepError = 3e-5;
/* of the rate of a decaying vortex, relative */
static const double decayError = 0.01;
/* of the mean velocity over tens of steps */
static const double driftError = 2e-6;
/* of the lid's speed, 33 x 33 */
static const double coarseCavity = 0.03;
static const double fineCavity = 0.015;

static clFlow *create(clContext *context, const clFlowOptions *options) {
  clFlow *flow = NULL;
  assertOk(context, clFlowCreate(&flow, context, options));
  return flow;
}

static float *get(clContext *context, clFlow *flow, clFlowField field) {
  const clVector *x = NULL;
  assertOk(context, clFlowGet(&x, flow, field));
  float *values = malloc((size_t)clVectorLength(x) * sizeof *values);
  assert_non_null(values);
  assertOk(context, clVectorDownload(x, values));
  return values;
}

typedef struct Case {
  const char *name;
  clFlowOptions options;
  /* left, right, bottom, top */
  int side[4];
  /* rows from the top, '#' is solid */
  const char *solid;
} Case;

enum { WALL, SLIP, OUT, ROUND, LID, PROFILE, JET, WIND, COLD, RISE };
static const clFlowSide kinds[] = {
    [WALL] = {TEXLA_FLOW_NO_SLIP},
    [SLIP] = {TEXLA_FLOW_FREE_SLIP},
    [OUT] = {TEXLA_FLOW_OUTFLOW},
    [ROUND] = {TEXLA_FLOW_PERIODIC},
    [LID] = {TEXLA_FLOW_NO_SLIP, {1, 0.5f}},
    [PROFILE] = {TEXLA_FLOW_INFLOW, {0.8f, 0.1f}, 0.2f, 0.9f, .parabolic = true, .dye = 0.6f},
    [JET] = {TEXLA_FLOW_INFLOW, {0.2f, 0.7f}, 0.3f, 0.7f, .dye = 1},
    [WIND] = {TEXLA_FLOW_INFLOW, {0.5f}},
    [RISE] = {TEXLA_FLOW_INFLOW, {0.3f, 0.4f}},
    [COLD] = {TEXLA_FLOW_NO_SLIP, {0.3f}, .dye = -0.4f, .holds_dye = true},
};

static const char island[] = ".........."
                             "......#..."
                             "...##.##.."
                             "...##....."
                             "..........";
static const char seam[] = "....##...."
                           "##........"
                           "##........"
                           ".........."
                           ".#........";
static const char pocket[] = ".........."
                             "..###....."
                             "..#.#....."
                             "..###....."
                             "..........";

static const Case cases[] = {
    {"lid, donor cell",
     {.nx = 9, .ny = 7, .h = 0.5, .dt = 0.1, .viscosity = 0.1, .scheme = 1},
     {WALL, WALL, WALL, LID}},
    {"lid, semi-Lagrangian",
     {.nx = 9, .ny = 7, .h = 0.5, .dt = 0.3, .viscosity = 0.1},
     {WALL, WALL, WALL, LID}},
    {"upwind, moving side walls",
     {.nx = 5, .ny = 8, .h = 0.5, .dt = 0.1, .gamma = 1, .scheme = 1},
     {LID, LID, SLIP, WALL}},
    {"channel",
     {.nx = 10,
      .ny = 6,
      .h = 0.5,
      .dt = 0.1,
      .viscosity = 0.05,
      .diffusivity = 0.1,
      .gamma = 0.4,
      .scheme = 1,
      .force = {0.1, -0.2},
      .buoyancy = 0.7,
      .ambient = 0.3,
      .decay = 0.5},
     {PROFILE, OUT, SLIP, COLD}},
    {"jet upwards, periodic across",
     {.nx = 10,
      .ny = 5,
      .h = 0.5,
      .dt = 0.25,
      .viscosity = 0.02,
      .diffusivity = 0.03,
      .buoyancy = 1},
     {ROUND, ROUND, JET, OUT},
     island},
    {"through",
     {.nx = 6, .ny = 9, .h = 0.5, .dt = 0.1, .gamma = 0.2, .scheme = 1, .viscosity = 0.01},
     {WIND, WIND, WALL, SLIP}},
    {"periodic, donor cell",
     {.nx = 7, .ny = 6, .h = 0.5, .dt = 0.1, .viscosity = 0.05, .gamma = 0.5, .scheme = 1},
     {ROUND, ROUND, ROUND, ROUND}},
    {"periodic, semi-Lagrangian",
     {.nx = 6, .ny = 9, .h = 0.5, .dt = 0.7, .diffusivity = 0.05},
     {ROUND, ROUND, ROUND, ROUND}},
    {"periodic upwards",
     {.nx = 6, .ny = 8, .h = 0.5, .dt = 0.3, .viscosity = 0.1},
     {LID, SLIP, ROUND, ROUND}},
    {"obstacles in a box",
     {.nx = 10, .ny = 5, .h = 0.5, .dt = 0.1, .viscosity = 0.1, .diffusivity = 0.2, .scheme = 1},
     {WALL, WALL, WALL, LID},
     island},
    {"obstacles, semi-Lagrangian",
     {.nx = 10, .ny = 5, .h = 0.5, .dt = 0.2, .viscosity = 0.1},
     {WALL, WALL, LID, LID},
     island},
    {"much diffusion of dye, implicit",
     {.nx = 9,
      .ny = 7,
      .h = 0.5,
      .dt = 0.3,
      .viscosity = 0.05,
      .diffusivity = 9,
      .implicit = true,
      .decay = 0.2},
     {COLD, WALL, WALL, LID}},
    {"a cell walled in",
     {.nx = 10, .ny = 5, .h = 0.5, .dt = 0.1, .scheme = 1},
     {WALL, WALL, WALL, LID},
     pocket},
    {"obstacles at the seams",
     {.nx = 10,
      .ny = 5,
      .h = 0.5,
      .dt = 0.1,
      .viscosity = 0.1,
      .diffusivity = 0.2,
      .scheme = 1,
      .gamma = 0.3},
     {ROUND, ROUND, ROUND, ROUND},
     seam},
    {"obstacles at a seam, semi-Lagrangian",
     {.nx = 10,
      .ny = 5,
      .h = 0.5,
      .dt = 0.2,
      .viscosity = 0.1,
      .diffusivity = 0.05,
      .implicit = true},
     {ROUND, ROUND, WALL, LID},
     seam},
    {"implicit diffusion",
     {.nx = 9,
      .ny = 6,
      .h = 0.25,
      .dt = 0.1,
      .viscosity = 0.4,
      .diffusivity = 0.6,
      .implicit = true},
     {WALL, OUT, SLIP, LID}},
    {"implicit diffusion, donor cell",
     {.nx = 10, .ny = 5, .h = 0.5, .dt = 0.1, .viscosity = 0.9, .implicit = true, .scheme = 1},
     {WALL, WALL, SLIP, LID},
     island},
    {"midpoint, channel",
     {.nx = 10,
      .ny = 6,
      .h = 0.5,
      .dt = 0.1,
      .viscosity = 0.8,
      .diffusivity = 0.7,
      .gamma = 0.4,
      .scheme = 1,
      .stepping = 1,
      .force = {0.1, -0.2},
      .buoyancy = 0.7,
      .ambient = 0.3,
      .decay = 0.5},
     {PROFILE, OUT, SLIP, COLD}},
    {"midpoint, obstacles at the seams",
     {.nx = 10, .ny = 5, .h = 0.5, .dt = 0.1, .viscosity = 0.1, .scheme = 1, .stepping = 1},
     {ROUND, ROUND, ROUND, ROUND},
     seam},
};
enum { CASES = sizeof cases / sizeof *cases };

static clFlowOptions optionsOf(const Case *c) {
  clFlowOptions o = c->options;
  for (int s = 0; s < 4; s++)
    o.side[s] = kinds[c->side[s]];
  return o;
}

/* NULL where there is none; the caller frees it. */
static uint8_t *solidOf(const Case *c) {
  int nx = c->options.nx, ny = c->options.ny;
  uint8_t *solid = c->solid ? calloc((size_t)(nx * ny), 1) : NULL;
  for (int k = 0; solid && k < nx * ny; k++)
    solid[k] = c->solid[(ny - 1 - k / nx) * nx + k % nx] == '#';
  return solid;
}

/* Puts what is prescribed at closed faces into the loop's u and v, which begin as the flow's are
 * uploaded. */
static void settle(Loop *l) {
  double *const field[] = {l->u, l->v};
  for (int axis = 0; axis < 2; axis++)
    for (int k = 0; k < (int)loopCells(l); k++) {
      int i = k % l->o.nx, j = k / l->o.nx;
      bool rim = axis ? j + 1 == l->o.ny : i + 1 == l->o.nx;
      if (loopOpen(l, i, j, axis))
        continue;
      field[axis][k] = 0;
      if (rim && !loopWraps(l, axis) && !loopSolid(l, i, j))
        loopGiven(l, 2 * axis + 1, axis ? i : j, axis, &field[axis][k]);
    }
}

static Loop start(clContext *context, clFlow *flow, const clFlowOptions *o, const uint8_t *solid) {
  Loop l = {.o = *o, .solid = solid};
  size_t n = loopCells(&l);
  uint64_t seed = 7;
  double **const field[] = {&l.u, &l.v, &l.dye, &l.p};
  float *values[3];
  for (int f = 0; f < 4; f++)
    *field[f] = loopCopy(&l, NULL);
  for (int f = 0; f < 3; f++) {
    values[f] = malloc(n * sizeof *values[f]);
    for (size_t k = 0; k < n; k++) {
      values[f][k] = (float)(0.5 * randomUnit(&seed));
      (*field[f])[k] = solid && f == 2 && solid[k] ? 0 : (double)values[f][k];
    }
  }
  settle(&l);
  assertOk(context, clFlowUpload(flow, values[0], values[1], values[2]));
  for (int f = 0; f < 3; f++)
    free(values[f]);
  return l;
}

static void endLoop(Loop *l) {
  free(l->u);
  free(l->v);
  free(l->p);
  free(l->dye);
}

static void compare(clContext *context, clFlow *flow, clFlowField field, const Loop *l,
                    const double *wanted, const char *name) {
  FREED float *values = get(context, flow, field);
  double shift = 0, count = 0;
  /* up to a constant */
  bool pressure = field == TEXLA_FLOW_PRESSURE;
  for (int k = 0; k < (int)loopCells(l) && pressure; k++)
    if (!loopSolid(l, k % l->o.nx, k / l->o.nx)) {
      shift += (double)values[k] - wanted[k];
      count++;
    }
  shift = pressure ? shift / count : 0;
  for (int k = 0; k < (int)loopCells(l); k++) {
    double error = fabs((double)values[k] - shift - wanted[k]), scale = pressure ? 100 : 1;
    bool counts = !pressure || !loopSolid(l, k % l->o.nx, k / l->o.nx);
    if (counts && !(error <= scale * stepError))
      fail_msg("%s: %s(%d, %d) = %.8g instead of %.8g", name, clFlowFieldName(field), k % l->o.nx,
               k / l->o.nx, (double)values[k] - shift, wanted[k]);
  }
}

/* Of the flow, computed here in double from what it returns: max |div u| h / U. */
static double divergenceOf(clContext *context, clFlow *flow, const Loop *l) {
  Loop now = {.o = l->o, .solid = l->solid};
  float *u = get(context, flow, TEXLA_FLOW_U), *v = get(context, flow, TEXLA_FLOW_V);
  now.u = loopCopy(l, NULL);
  now.v = loopCopy(l, NULL);
  double speed = 0, divergence = 0;
  for (size_t k = 0; k < loopCells(l); k++) {
    now.u[k] = (double)u[k];
    now.v[k] = (double)v[k];
    speed = fmax(speed, hypot(now.u[k], now.v[k]));
  }
  for (int k = 0; k < (int)loopCells(l); k++)
    if (!loopSolid(l, k % l->o.nx, k / l->o.nx))
      divergence = fmax(divergence, fabs(loopDivergence(&now, k % l->o.nx, k / l->o.nx)));
  free(u);
  free(v);
  free(now.u);
  free(now.v);
  return divergence / speed;
}

static void compareCase(clContext *context, const Case *c, clFlowSolver solver) {
  clFlowOptions o = optionsOf(c);
  FREED uint8_t *solid = solidOf(c);
  o.tolerance = 5e-6;
  o.solver = solver;
  OWN(clFlow) *flow = create(context, &o);
  assertOk(context, clFlowObstacles(flow, solid));
  AT_END(endLoop) Loop l = start(context, flow, &o, solid);
  for (int step = 0; step < 3; step++) {
    assertOk(context, clFlowStep(flow, 1));
    loopStep(&l, step == 0);
    compare(context, flow, TEXLA_FLOW_DYE, &l, l.dye, c->name);
    compare(context, flow, TEXLA_FLOW_U, &l, l.u, c->name);
    compare(context, flow, TEXLA_FLOW_V, &l, l.v, c->name);
    /* whose inner cell's pressure is another constant */
    if (c->solid != pocket)
      compare(context, flow, TEXLA_FLOW_PRESSURE, &l, l.p, c->name);
    assert_true(clFlowInspect(flow).divergence <= o.tolerance);
    assert_true(divergenceOf(context, flow, &l) <= 2 * o.tolerance);
  }
}

static void stepsAreThoseOfLoops(void **state) {
  for (int c = 0; c < CASES; c++)
    compareCase(*state, &cases[c], TEXLA_FLOW_MULTIGRID);
}

static void stepsWithConjugateGradients(void **state) {
  for (int c = 0; c < CASES; c++)
    compareCase(*state, &cases[c], TEXLA_FLOW_CG);
}

/* The options of a flow in a mirror that turns axes round; inflows take whole sides. */
static clFlowOptions mirrored(const clFlowOptions *options, const bool turn[2]) {
  clFlowOptions o = *options;
  for (int s = 0; s < 4; s++) {
    o.side[s] = options->side[turn[s / 2] ? s ^ 1 : s];
    for (int axis = 0; axis < 2; axis++)
      o.side[s].velocity[axis] *= turn[axis] ? -1 : 1;
  }
  for (int axis = 0; axis < 2; axis++)
    o.force[axis] *= turn[axis] ? -1 : 1;
  return o;
}

/* The place of a value in the mirror: of a cell, or of the face behind it on `axis`; -1: where no
 * field holds it. */
static int placeOf(const clFlowOptions *o, int k, int axis, const bool turn[2]) {
  int at[] = {k % o->nx, k / o->nx}, n[] = {o->nx, o->ny};
  for (int a = 0; a < 2; a++)
    at[a] = turn[a] ? n[a] - 1 - at[a] - (a == axis) : at[a];
  return at[0] < 0 || at[1] < 0 ? -1 : at[1] * o->nx + at[0];
}

/* No change across the high sides: so the low ones begin. */
static void settleHigh(const clFlowOptions *o, float *values, int axis) {
  for (int k = 0; k < o->nx * o->ny; k++) {
    if (axis == 0 && k % o->nx == o->nx - 1)
      values[k] = values[k - 1];
    if (axis == 1 && k / o->nx == o->ny - 1)
      values[k] = values[k - o->nx];
  }
}

static void turnField(const clFlowOptions *o, float *to, const float *from, int axis,
                      const bool turn[2]) {
  for (int k = 0; k < o->nx * o->ny; k++) {
    int place = placeOf(o, k, axis, turn);
    if (place >= 0)
      to[place] = axis < 2 && turn[axis] ? -from[k] : from[k];
  }
  settleHigh(o, to, axis);
}

/* Uploads random fields, steps, and adds a splat; turned round for the mirror. */
static clFlow *runMirrored(clContext *context, const clFlowOptions *options, const uint8_t *solid,
                           const bool turn[2]) {
  clFlowOptions o = mirrored(options, turn);
  int n = o.nx * o.ny;
  uint64_t seed = 5;
  FREED float *fields = calloc((size_t)(3 * n), sizeof *fields),
              *drawn = calloc((size_t)n, sizeof *drawn);
  FREED uint8_t *stones = calloc((size_t)n, 1);
  for (int f = 0; f < 3; f++) {
    for (int k = 0; k < n; k++)
      drawn[k] = (float)(0.5 * randomUnit(&seed));
    settleHigh(&o, drawn, f);
    turnField(&o, fields + f * n, drawn, f, turn);
  }
  for (int k = 0; k < n && solid; k++)
    stones[placeOf(&o, k, 2, turn)] = solid[k];
  clFlow *flow = create(context, &o);
  assertOk(context, clFlowObstacles(flow, stones));
  assertOk(context, clFlowUpload(flow, fields, fields + n, fields + 2 * n));
  clFlowInfo i = clFlowInspect(flow);
  double x = i.width - 0.9, y = i.height - 0.3, u = 0.2, v = 0.1;
  if (turn[0])
    x = 0.9, u = -u;
  if (turn[1])
    y = 0.3, v = -v;
  for (int step = 0; step < 3; step++) {
    assertOk(context, clFlowSplat(flow, x, y, 0.7, u, v, 0.2));
    assertOk(context, clFlowStep(flow, 1));
  }
  return flow;
}

/* Outflows at the left and at the bottom are those at the right and at the top in a mirror. */
static void outflowsAreAlikeOnAllSides(void **state) {
  static const Case list[] = {
      {"donor cell",
       {.nx = 10,
        .ny = 5,
        .h = 0.5,
        .dt = 0.1,
        .viscosity = 0.1,
        .gamma = 0.4,
        .scheme = 1,
        .force = {0.2, -0.3}},
       {RISE, OUT, WALL, OUT},
       island},
      {"semi-Lagrangian",
       {.nx = 9, .ny = 7, .h = 0.5, .dt = 0.3, .viscosity = 0.05},
       {SLIP, OUT, RISE, OUT}},
      {"implicit",
       {.nx = 10, .ny = 5, .h = 0.5, .dt = 0.3, .viscosity = 0.4, .implicit = true},
       {WALL, OUT, OUT, OUT}},
      {"everywhere",
       {.nx = 10, .ny = 5, .h = 0.5, .dt = 0.2, .diffusivity = 0.1},
       {OUT, OUT, OUT, OUT},
       seam},
      {"periodic across",
       {.nx = 10, .ny = 6, .h = 0.5, .dt = 0.1, .scheme = 1},
       {ROUND, ROUND, LID, OUT}},
  };
  for (int c = 0; c < (int)(sizeof list / sizeof *list); c++)
    for (int way = 1; way < 4; way++) {
      bool turn[] = {(way & 1) != 0, (way & 2) != 0}, straight[] = {false, false};
      if (turn[0] && list[c].side[TEXLA_SIDE_LEFT] == ROUND)
        continue;
      clFlowOptions o = optionsOf(&list[c]);
      FREED uint8_t *solid = solidOf(&list[c]);
      o.tolerance = 1e-6;
      OWN(clFlow) *one = runMirrored(*state, &o, solid, straight),
                  *other = runMirrored(*state, &o, solid, turn);
      /* whose paths take derivatives at the right and the top face */
      for (int f = 0; f < TEXLA_FLOW_DYE; f++) {
        FREED float *a = get(*state, one, (clFlowField)f), *b = get(*state, other, (clFlowField)f);
        int axis = f < 2 ? f : 2;
        for (int k = 0; k < o.nx * o.ny; k++) {
          int place = placeOf(&o, k, axis, turn);
          double wanted = place < 0 ? 0 : (double)b[place];
          if (axis < 2 && turn[axis])
            wanted = -wanted;
          if (place >= 0 &&
              !(fabs((double)a[k] - wanted) <= (f == TEXLA_FLOW_PRESSURE ? 100 : 1) * stepError))
            fail_msg("%s, %d: %s(%d, %d) = %.8g, in the mirror %.8g", list[c].name, way,
                     clFlowFieldName((clFlowField)f), k % o.nx, k / o.nx, (double)a[k], wanted);
        }
      }
      assert_true(clFlowInspect(other).divergence <= o.tolerance);
    }
}

/* Vortices that decay by themselves: u = sin(kx) cos(ky) e^(-2 nu k^2 t), v = -cos(kx) sin(ky) ...,
 * in one period or in a box of half a period without friction. The root mean square error of u at
 * time t. */
static double vortexError(clContext *context, int n, clFlowEdge edge, double t, double *rate) {
  const double nu = 0.02, k = edge == TEXLA_FLOW_PERIODIC ? 2 * pi : pi, h = 1. / n;
  int steps = (int)ceil(t * n * n);
  clFlowOptions o = {.nx = n,
                     .ny = n,
                     .viscosity = nu,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .dt = t / steps,
                     .tolerance = 1e-5};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = edge;
  OWN(clFlow) *flow = create(context, &o);
  FREED float *u = malloc((size_t)(n * n) * sizeof *u), *v = malloc((size_t)(n * n) * sizeof *v);
  for (int c = 0; c < n * n; c++) {
    int i = c % n, j = c / n;
    u[c] = (float)(sin(k * (i + 1) * h) * cos(k * (j + 0.5) * h));
    v[c] = (float)(-cos(k * (i + 0.5) * h) * sin(k * (j + 1) * h));
  }
  double first = 0, now = 0, error = 0, factor = exp(-2 * nu * k * k * t);
  assertOk(context, clFlowUpload(flow, u, v, NULL));
  assertOk(context, clFlowEnergy(flow, &first));
  assertOk(context, clFlowStep(flow, steps));
  assertOk(context, clFlowEnergy(flow, &now));
  FREED float *result = get(context, flow, TEXLA_FLOW_U);
  for (int c = 0; c < n * n; c++)
    error += pow((double)result[c] - factor * (double)u[c], 2);
  *rate = -log(now / first) / (4 * nu * k * k * t);
  return sqrt(error) / n;
}

static void vorticesDecayAtTheirRate(void **state) {
  static const clFlowEdge edges[] = {TEXLA_FLOW_PERIODIC, TEXLA_FLOW_FREE_SLIP};
  for (int e = 0; e < 2; e++) {
    double rate, coarse = vortexError(*state, 12, edges[e], 0.4, &rate);
    double fine = vortexError(*state, 24, edges[e], 0.4, &rate), order = log2(coarse / fine);
    if (!(fabs(rate - 1) <= decayError) || !(order > 1.85 && order < 2.3))
      fail_msg("edge %d: %.4f times the rate, errors %g and %g, order %.3f", (int)edges[e], rate,
               coarse, fine, order);
  }
}

static double meanOf(const float *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += (double)x[k];
  return sum / n;
}

/* Without walls the momentum stays, and a force adds to it: differences of fluxes lose nothing. */
static void momentumIsConserved(void **state) {
  enum { N = 24, STEPS = 40 };
  clFlowOptions o = {.nx = N,
                     .ny = N,
                     .h = 1,
                     .dt = 0.1,
                     .viscosity = 0.3,
                     .gamma = 0.5,
                     .scheme = 1,
                     .force = {0.5, 0}};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_FLOW_PERIODIC;
  OWN(clFlow) *flow = create(*state, &o);
  Loop l = start(*state, flow, &o, NULL);
  endLoop(&l);
  float *u = get(*state, flow, TEXLA_FLOW_U), *v = get(*state, flow, TEXLA_FLOW_V);
  double mu = meanOf(u, N * N), mv = meanOf(v, N * N);
  free(u);
  free(v);
  assertOk(*state, clFlowStep(flow, STEPS));
  u = get(*state, flow, TEXLA_FLOW_U);
  v = get(*state, flow, TEXLA_FLOW_V);
  assert_true(fabs(meanOf(u, N * N) - mu - 0.5 * STEPS * 0.1) <= driftError);
  assert_true(fabs(meanOf(v, N * N) - mv) <= driftError);
  free(u);
  free(v);
}

/* Layers that lie well do not move, however heavy: the pressure carries them. */
static void layersRest(void **state) {
  OWN(clFlow) *flow = create(
      *state, &(clFlowOptions){.nx = 20, .ny = 30, .buoyancy = 5, .ambient = 0.5, .dt = 0.01});
  float dye[600];
  for (int k = 0; k < 600; k++)
    dye[k] = (float)(k / 20) / 30;
  assertOk(*state, clFlowUpload(flow, NULL, NULL, dye));
  assertOk(*state, clFlowStep(flow, 60));
  /* free fall would make it 1.5 */
  assert_true(clFlowInspect(flow).speed <= 1e-4);
  /* p_y = buoyancy (dye - ambient) */
  FREED float *p = get(*state, flow, TEXLA_FLOW_PRESSURE);
  double rise = (double)(p[20 * 20 + 7] - p[19 * 20 + 7]) * 20, wanted = 5 * (19.5 / 30 - 0.5);
  assert_true(fabs(rise - wanted) <= 1e-2 * wanted);
}

static void splatsAreBells(void **state) {
  clFlowOptions o = optionsOf(&cases[4]);
  FREED uint8_t *solid = solidOf(&cases[4]);
  OWN(clFlow) *flow = create(*state, &o);
  assertOk(*state, clFlowObstacles(flow, solid));
  float *u0 = get(*state, flow, TEXLA_FLOW_U), *v0 = get(*state, flow, TEXLA_FLOW_V);
  assertOk(*state, clFlowSplat(flow, 1.9, 1.1, 0.8, 2, -1, 3));
  float *u = get(*state, flow, TEXLA_FLOW_U), *v = get(*state, flow, TEXLA_FLOW_V),
        *d = get(*state, flow, TEXLA_FLOW_DYE);
  Loop l = {.o = o, .solid = solid};
  for (int k = 0; k < o.nx * o.ny; k++) {
    int i = k % o.nx, j = k / o.nx;
    double x = (i + 0.5) * 0.5 - 1.9, y = (j + 0.5) * 0.5 - 1.1, r = 0.64;
    double bu = exp(-((x + 0.25) * (x + 0.25) + y * y) / r),
           bv = exp(-(x * x + (y + 0.25) * (y + 0.25)) / r);
    assert_true(fabs((double)(u[k] - u0[k]) - (loopOpen(&l, i, j, 0) ? 2 * bu : 0)) <= 1e-5);
    assert_true(fabs((double)(v[k] - v0[k]) + (loopOpen(&l, i, j, 1) ? bv : 0)) <= 1e-5);
    assert_true(fabs((double)d[k] - (solid[k] ? 0 : 3 * exp(-(x * x + y * y) / r))) <= 1e-5);
  }
  float *const all[] = {u0, v0, u, v, d};
  for (int k = 0; k < 5; k++)
    free(all[k]);
}

/* Speed, vorticity and divergence at the centres, from the loop's velocities. */
static void viewsAreThoseOfLoops(void **state) {
  clFlowOptions o = optionsOf(&cases[4]);
  FREED uint8_t *solid = solidOf(&cases[4]);
  OWN(clFlow) *flow = create(*state, &o);
  assertOk(*state, clFlowObstacles(flow, solid));
  AT_END(endLoop) Loop l = start(*state, flow, &o, solid);
  float *view[3];
  for (int f = 0; f < 3; f++)
    view[f] = get(*state, flow, (clFlowField)(TEXLA_FLOW_SPEED + f));
  for (int k = 0; k < o.nx * o.ny; k++) {
    int i = k % o.nx, j = k / o.nx;
    double u = (loopU(&l, l.u, i, j) + loopU(&l, l.u, i - 1, j)) / 2, curl = 0;
    double v = (loopV(&l, l.v, i, j) + loopV(&l, l.v, i, j - 1)) / 2;
    for (int a = -1; a <= 0; a++)
      curl += loopV(&l, l.v, i + 1, j + a) - loopV(&l, l.v, i - 1, j + a) -
              loopU(&l, l.u, i + a, j + 1) + loopU(&l, l.u, i + a, j - 1);
    double wanted[] = {hypot(u, v), curl / 4 / o.h, loopDivergence(&l, i, j) / o.h};
    for (int f = 0; f < 3; f++)
      assert_true(fabs((double)view[f][k] - (solid[k] ? 0 : wanted[f])) <= 1e-5);
  }
  for (int f = 0; f < 3; f++)
    free(view[f]);
}

/* A fixed number of corrections and a fixed step read nothing where there is no dye, whose parts
 * depend on the speed. */
static void fixedStepsReadNothing(void **state) {
  clFlowOptions o = {.nx = 40, .ny = 30, .dt = 0.01, .corrections = 2, .buoyancy = 1};
  OWN(clFlow) *flow = create(*state, &o);
  assertOk(*state, clFlowSplat(flow, 0.5, 0.2, 0.1, 0, 1, 0));
  assertOk(*state, clFlowStep(flow, 1));
  clContextCounters before = clContextStatistics(*state);
  assertOk(*state, clFlowStep(flow, 10));
  assert_int_equal(clContextStatistics(*state).readbacks, before.readbacks);
  clFlowInfo info = clFlowInspect(flow);
  assert_int_equal(info.steps, 11);
  assert_true(fabs(info.time - 0.11) < 1e-12 && isnan(info.divergence) && info.corrections == 2);
  assertOk(*state, clFlowSplat(flow, 0.5, 0.2, 0.1, 0, 0, 1));
  before = clContextStatistics(*state);
  assertOk(*state, clFlowStep(flow, 10));
  assert_int_equal(clContextStatistics(*state).readbacks - before.readbacks, 10);
}

static clFlowState allocateState(float **all, const clFlowOptions *o) {
  size_t n = (size_t)(o->nx * o->ny), low = (size_t)(o->nx + o->ny);
  *all = calloc(TEXLA_FLOW_STORED * n + low, sizeof **all);
  return (clFlowState){.field = {*all, *all + n, *all + 2 * n, *all + 3 * n}, .low = *all + 4 * n};
}

/* A flow that goes on from a saved state repeats the other bit for bit. */
static void goesOnExactly(void **state) {
  clFlowOptions o = {.nx = 21, .ny = 13, .buoyancy = 1, .viscosity = 0.001};
  o.side[TEXLA_SIDE_BOTTOM].edge = o.side[TEXLA_SIDE_LEFT].edge = o.side[TEXLA_SIDE_TOP].edge =
      TEXLA_FLOW_OUTFLOW;
  uint8_t solid[21 * 13] = {[21 * 6 + 9] = 1, [21 * 7 + 9] = 1};
  clFlow *flow[2];
  float *all[3];
  clFlowState saved = allocateState(&all[0], &o),
              end[] = {allocateState(&all[1], &o), allocateState(&all[2], &o)};
  for (int f = 0; f < 2; f++) {
    flow[f] = create(*state, &o);
    assertOk(*state, clFlowObstacles(flow[f], solid));
  }
  assertOk(*state, clFlowSplat(flow[0], 0.3, 0.2, 0.1, 0.5, 1, 1));
  assertOk(*state, clFlowStep(flow[0], 5));
  assertOk(*state, clFlowSave(flow[0], &saved));
  assertOk(*state, clFlowRestore(flow[1], &saved));
  for (int f = 0; f < 2; f++) {
    assertOk(*state, clFlowStep(flow[f], 5));
    assertOk(*state, clFlowSave(flow[f], &end[f]));
    clFlowDestroy(flow[f]);
  }
  size_t bytes = (4 * 21 * 13 + 21 + 13) * sizeof(float);
  assert_memory_equal(all[1], all[2], bytes);
  assert_memory_not_equal(all[0], all[1], bytes);
  assert_true(end[0].steps == 10 && end[1].steps == 10 && end[0].time == end[1].time &&
              end[0].dt == end[1].dt);
  flow[0] = create(*state, &o);
  assertFails(*state, clFlowSave(flow[0], &(clFlowState){{NULL}}), TEXLA_BAD_ARGUMENT,
              "must not be NULL");
  clFlowDestroy(flow[0]);
  for (int k = 0; k < 3; k++)
    free(all[k]);
}

/* In a uniform flow all particles go the same way, round the periodic domain, and leave as much as
 * their ways are long. */
static void streaksFollowTheFlow(void **state) {
  enum { NX = 30, NY = 20, COUNT = 37, SCALE = 3, LENGTH = 2 * COUNT + SCALE * SCALE * NX * NY };
  const double way[] = {0.4, -0.7};
  clFlowOptions o = {.nx = NX, .ny = NY, .h = 1, .dt = 1, .corrections = 1};
  float u[NX * NY], v[NX * NY], before[LENGTH], after[LENGTH], again[LENGTH];
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_FLOW_PERIODIC;
  for (int k = 0; k < NX * NY; k++) {
    u[k] = (float)way[0];
    v[k] = (float)way[1];
  }
  OWN(clFlow) *flow = create(*state, &o);
  assertOk(*state, clFlowUpload(flow, u, v, NULL));
  clFlowStreaks *streaks = NULL;
  clFlowStreaksOptions so = {.scale = SCALE, .count = COUNT, .life = 1e6, .fade = 5, .seed = 3};
  assertOk(*state, clFlowStreaksCreate(&streaks, flow, &so));
  assert_int_equal(clFlowStreaksLength(streaks), LENGTH);
  assertOk(*state, clFlowStreaksSave(streaks, before));
  assertOk(*state, clFlowStep(flow, 1));
  assertOk(*state, clFlowStreaksStep(streaks));
  assertOk(*state, clFlowStreaksSave(streaks, after));
  double sum = 0, inside = COUNT * SCALE * hypot(way[0], way[1]);
  for (int k = 0; k < 2 * COUNT; k++) {
    int n = k < COUNT ? NX : NY;
    double wanted = fmod((double)before[k] + way[k / COUNT] + n, n),
           error = fabs((double)after[k] - wanted);
    assert_true(fmin(error, n - error) <= 1e-4);
  }
  for (int k = 2 * COUNT; k < LENGTH; k++)
    sum += (double)after[k];
  /* what crosses an edge is lost */
  assert_true(sum > 0.9 * inside && sum < 1.0001 * inside);
  const clVector *trails = clFlowStreaksTrails(streaks);
  assert_int_equal(clVectorLength(trails), LENGTH - 2 * COUNT);
  assert_int_equal(clVectorRowLength(trails), SCALE * NX);
  assertOk(*state, clVectorDownload(trails, again));
  assert_memory_equal(again, after + 2 * COUNT, (LENGTH - 2 * COUNT) * sizeof *again);
  assertOk(*state, clFlowStreaksRestore(streaks, before));
  assertOk(*state, clFlowStreaksStep(streaks));
  assertOk(*state, clFlowStreaksSave(streaks, again));
  assert_memory_equal(again, after, sizeof after);
  clFlowStreaksDestroy(streaks);
  streaks = NULL;
  so.count = -1;
  assertFails(*state, clFlowStreaksCreate(&streaks, flow, &so), TEXLA_BAD_ARGUMENT,
              "must not be negative");
  assertFails(*state, clFlowStreaksCreate(&streaks, NULL, NULL), TEXLA_BAD_ARGUMENT, "");
  assert_null(streaks);
  clFlowStreaksDestroy(NULL);
}

/* A chosen step keeps the flow from crossing more than `cfl` cells, and uploading starts anew. */
static void stepsFollowTheSpeed(void **state) {
  OWN(clFlow) *flow = create(*state, &(clFlowOptions){.nx = 32, .ny = 32, .cfl = 0.7});
  assertOk(*state, clFlowSplat(flow, 0.5, 0.5, 0.2, 3, 0, 0));
  for (int k = 0; k < 5; k++) {
    assertOk(*state, clFlowStep(flow, 1));
    clFlowInfo info = clFlowInspect(flow);
    assert_true(info.speed > 0.3 && info.dt * 0.3 < 0.7 / 32);
    assert_true(info.divergence <= 1e-3);
  }
  assertOk(*state, clFlowUpload(flow, NULL, NULL, NULL));
  assert_int_equal(clFlowInspect(flow).steps, 0);
  double energy = 1;
  assertOk(*state, clFlowStep(flow, 1));
  assertOk(*state, clFlowEnergy(flow, &energy));
  assert_true(energy == 0);
}

static void runsAwayWithAMessage(void **state) {
  clFlowOptions o = {.nx = 32, .ny = 32, .dt = 1, .scheme = 1};
  OWN(clFlow) *flow = create(*state, &o);
  assertOk(*state, clFlowSplat(flow, 0.5, 0.5, 0.2, 30, 0, 0));
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 300 && status >= 0; k++)
    status = clFlowStep(flow, 1);
  assert_int_equal(status, TEXLA_NOT_FINITE);
  assert_non_null(strstr(clContextError(*state)->message, "a smaller time step than 1 is needed"));
}

static void badArguments(void **state) {
  static const struct {
    clFlowOptions options;
    const char *text;
  } bad[] = {
      {{.nx = -1}, "must not be negative"},
      {{.h = NAN}, "must be positive and finite"},
      {{.dt = -1}, "must be positive and finite"},
      {{.viscosity = -1}, "not negative"},
      {{.force = {INFINITY}}, "must be finite"},
      {{.scheme = 1, .gamma = 1.5}, "is not in 0..1"},
      {{.solver = (clFlowSolver)9}, "unknown scheme"},
      {{.tolerance = -1}, "must not be negative"},
      {{.nx = 10, .viscosity = 1, .dt = 0.0026}, "at most h^2 / (4 nu) = 0.0025 is stable"},
      {{.side[TEXLA_SIDE_TOP].edge = TEXLA_FLOW_PERIODIC},
       "the top side is periodic, but not the bottom one"},
      {{.side[TEXLA_SIDE_LEFT] = {TEXLA_FLOW_INFLOW, {1}}}, "must flow out somewhere"},
      {{.side[TEXLA_SIDE_TOP] = {TEXLA_FLOW_INFLOW, {1}, 0.5f, 0.2f}}, "must lie in 0..1"},
      {{.side[TEXLA_SIDE_TOP].velocity[0] = NAN}, "must be finite"},
      {{.side[TEXLA_SIDE_TOP].edge = (clFlowEdge)7}, "unknown kind of edge 7"},
  };
  OWN(clFlow) *flow = NULL;
  for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++) {
    assertFails(*state, clFlowCreate(&flow, *state, &bad[k].options), TEXLA_BAD_ARGUMENT,
                bad[k].text);
    assert_null(flow);
  }
  /* Sizes are looked at before all cells of a side are gone through, which here would find another
   * mistake. */
  const clFlowOptions large = {
      .nx = INT32_MAX, .ny = INT32_MAX, .side[TEXLA_SIDE_LEFT] = {TEXLA_FLOW_INFLOW, {1}}};
  assertFails(*state, clFlowCreate(&flow, *state, &large), TEXLA_TOO_LARGE,
              "2147483647 x 2147483647 cells are more than");
  assert_null(flow);
  assertFails(*state, clFlowCreate(NULL, *state, NULL), TEXLA_BAD_ARGUMENT, "must not be NULL");
  flow = create(*state, NULL);
  assert_int_equal(clFlowInspect(flow).nx, 128);
  const clVector *x = NULL;
  assertFails(*state, clFlowGet(&x, flow, TEXLA_FLOW_FIELDS), TEXLA_BAD_ARGUMENT,
              "must be one of clFlowField");
  assertFails(*state, clFlowStep(flow, -1), TEXLA_BAD_ARGUMENT, "not negative");
  assertFails(*state, clFlowSplat(flow, 0, 0, 0, 0, 0, 0), TEXLA_BAD_ARGUMENT,
              "radius (0) also positive");
  assert_int_equal(clFlowStep(NULL, 1), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFlowEnergy(NULL, NULL), TEXLA_BAD_ARGUMENT);
  clFlowDestroy(NULL);
}

/* A published table: lines of numbers; returns their count. */
enum { COLUMNS = 4, LINES = 32 };
static int readTable(const char *name, double table[LINES][COLUMNS]) {
  const char *folder = getenv("TEXLA_DATA_DIR");
  char path[4096], line[256];
  snprintf(path, sizeof path, "%s/tables/%s", folder ? folder : TEXLA_SOURCE_DIR "/../shared/data",
           name);
  FILE *file = fopen(path, "r");
  int lines = 0;
  if (!file)
    testSkip("no published tables (TEXLA_DATA_DIR)");
  while (lines < LINES && fgets(line, sizeof line, file)) {
    double *t = table[lines];
    t[3] = 0;
    lines += sscanf(line, "%lf,%lf,%lf,%lf", &t[0], &t[1], &t[2], &t[3]) >= 3;
  }
  fclose(file);
  return lines;
}

/* The velocity across (axis 0: u along x = 1/2; 1: v along y = 1/2) at s = 0..1; n is odd or
 * even. */
static double centreLine(const float *x, int n, int axis, double s) {
  double at = s * n - 0.5, t;
  int k = (int)floor(at);
  double value[2];
  for (int e = 0; e < 2; e++) {
    int q = clampTo(k + e, n);
    /* the centre is a face, or in the middle of two */
    double sum = 0;
    for (int d = 0; d < 2; d++) {
      int face = (n - d) / 2 - 1 + (d && n % 2 ? 1 : 0);
      sum += (double)(axis ? x[face * n + q] : x[q * n + face]);
    }
    value[e] = sum / 2;
  }
  t = at - k;
  /* of the lid, of the others */
  double wall = axis == 0 && s > 0.5 ? 1 : 0;
  if (k < 0)
    return wall + (value[1] - wall) * s * n * 2;
  if (k + 1 >= n)
    return wall + (value[0] - wall) * (1 - s) * n * 2;
  return (1 - t) * value[0] + t * value[1];
}

static double compareLine(const float *x, int n, int axis, const double *at, const double *value,
                          int stride, int lines) {
  double worst = 0;
  for (int k = 0; k < lines; k++)
    worst = fmax(worst, fabs(centreLine(x, n, axis, at[k * stride]) - value[k * stride]));
  return worst;
}

/* Runs a cavity until nothing changes; the caller frees u and v. */
static void runCavity(clContext *context, int n, double reynolds, double gamma, float **u,
                      float **v) {
  clFlowOptions o = {.nx = n,
                     .ny = n,
                     .viscosity = 1 / reynolds,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .gamma = gamma,
                     .tolerance = 1e-4,
                     .side[TEXLA_SIDE_TOP] = {TEXLA_FLOW_NO_SLIP, {1}}};
  OWN(clFlow) *flow = create(context, &o);
  double before = 0, energy = 0, change = 1;
  while (change > 2e-5 && clFlowInspect(flow).time < 100) {
    double time = clFlowInspect(flow).time;
    assertOk(context, clFlowStep(flow, 100));
    assertOk(context, clFlowEnergy(flow, &energy));
    change = fabs(energy - before) / energy / (clFlowInspect(flow).time - time);
    before = energy;
  }
  clFlowInfo info = clFlowInspect(flow);
  print_message("cavity %d x %d, Re %g: time %.1f, %lld steps\n", n, n, reynolds, info.time,
                (long long)info.steps);
  assert_true(change <= 2e-5);
  *u = get(context, flow, TEXLA_FLOW_U);
  *v = get(context, flow, TEXLA_FLOW_V);
}

/* The worst difference to the table, in lid speeds. */
static double cavityError(clContext *context, int n, double reynolds) {
  double us[LINES][COLUMNS], vs[LINES][COLUMNS];
  float *u, *v;
  bool ghia = reynolds < 500;
  const char *both = "botella_peyret1998_Re1000.csv";
  int lines = readTable(ghia ? "ghia1982_u_x0.5.csv" : both, us);
  int more = readTable(ghia ? "ghia1982_v_y0.5.csv" : both, vs);
  int c = ghia ? 0 : 2;
  assert_true(lines > 10 && more == lines);
  runCavity(context, n, reynolds, 0, &u, &v);
  double worst_u = compareLine(u, n, 0, &us[0][0], &us[0][1], COLUMNS, lines);
  double worst_v = compareLine(v, n, 1, &vs[0][c], &vs[0][c + 1], COLUMNS, lines);
  print_message("  u off by %.4f, v by %.4f of the lid's speed\n", worst_u, worst_v);
  free(u);
  free(v);
  return fmax(worst_u, worst_v);
}

static void cavityOnACoarseGrid(void **state) {
  assert_true(cavityError(*state, 33, 100) <= coarseCavity);
}

/* The 1982 table is itself off by up to 0.8 %. */
static void cavityAtReynolds100(void **state) {
  assert_true(cavityError(*state, 129, 100) <= fineCavity);
}

static void cavityAtReynolds1000(void **state) {
  double coarse = cavityError(*state, 129, 1000), fine = cavityError(*state, 257, 1000);
  assert_true(coarse <= fineCavity);
  assert_true(fine <= fineCavity && fine < coarse);
}

/* Does the face touch an obstacle? */
static bool stopped(const Loop *l, int i, int j, int axis) {
  return loopSolid(l, i, j) || loopSolid(l, i + (axis == 0), j + (axis == 1));
}

/* The momentum that an open face gives to a neighbouring one on the obstacle, (dx, dy) away:
 * friction and transport. */
static double givenAway(const Loop *l, int i, int j, int axis, int dx, int dy) {
  double here = axis ? loopV(l, l->v, i, j) : loopU(l, l->u, i, j);
  double there = loopSeen(l, axis ? l->v : l->u, i + dx, j + dy, axis, here),
         through = here + there;
  int low = (dx < 0 || dy < 0) ? -1 : 0;
  if (axis == 0 && dy)
    through = loopV(l, l->v, i, j + low) + loopV(l, l->v, i + 1, j + low);
  if (axis == 1 && dx)
    through = loopU(l, l->u, i + low, j) + loopU(l, l->u, i + low, j + 1);
  return l->o.viscosity * (here - there) +
         (dx + dy) * l->o.h * loopFlux(l->o.gamma, through, here, there);
}

/* The force of the flow on the obstacle, per density: pressure on its faces, and what open faces
 * give to those on it. */
static void forceOn(const Loop *l, double force[2]) {
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  force[0] = force[1] = 0;
  for (int k = 0; k < (int)loopCells(l); k++)
    for (int w = 0; w < 4; w++) {
      int i = k % l->o.nx, j = k / l->o.nx, dx = way[w][0], dy = way[w][1];
      if (!loopSolid(l, i, j) && loopSolid(l, i + dx, j + dy))
        force[w / 2] += (dx + dy) * l->p[k] * l->o.h;
      for (int axis = 0; axis < 2; axis++)
        if (loopOpen(l, i, j, axis) && stopped(l, i + dx, j + dy, axis))
          force[axis] += givenAway(l, i, j, axis, dx, dy);
    }
}

/* Coefficients over time. */
typedef struct Wake {
  /* largest ones, and of the lift */
  double drag, lift, period;
} Wake;

static void copyField(clContext *context, clFlow *flow, clFlowField field, double *to, size_t n) {
  FREED float *values = get(context, flow, field);
  for (size_t k = 0; k < n; k++)
    to[k] = (double)values[k];
}

/* Case 2D-2 of Schaefer and Turek: a channel of 2.2 x 0.41, a cylinder of diameter 0.1 in (0.2,
 * 0.2), Re 100. */
static Wake runWake(clContext *context, int ny) {
  const double height = 0.41, begin = 5, end = 8;
  int nx = (int)(2.2 / height * ny);
  Loop l = {.o = {.nx = nx,
                  .ny = ny,
                  .h = height / ny,
                  .viscosity = 1e-3,
                  .scheme = TEXLA_FLOW_DONOR_CELL,
                  .tolerance = 1e-4}};
  l.o.side[TEXLA_SIDE_LEFT] = (clFlowSide){TEXLA_FLOW_INFLOW, {1.5f}, .parabolic = true};
  l.o.side[TEXLA_SIDE_RIGHT].edge = TEXLA_FLOW_OUTFLOW;
  size_t n = loopCells(&l);
  uint8_t *solid = calloc(n, 1);
  for (size_t k = 0; k < n; k++)
    solid[k] = hypot(((double)(k % (size_t)nx) + 0.5) * l.o.h - 0.2,
                     ((double)(k / (size_t)nx) + 0.5) * l.o.h - 0.2) < 0.05;
  l.solid = solid;
  double **const field[] = {&l.u, &l.v, &l.p};
  for (int f = 0; f < 3; f++)
    *field[f] = loopCopy(&l, NULL);
  clFlow *flow = create(context, &l.o);
  assertOk(context, clFlowObstacles(flow, solid));
  Wake wake = {0};
  double last = 0, first_up = 0, last_up = 0, before = 0;
  int ups = 0;
  while (clFlowInspect(flow).time < end) {
    assertOk(context, clFlowStep(flow, 8));
    double time = clFlowInspect(flow).time, force[2];
    if (time < begin)
      continue;
    for (int f = 0; f < 3; f++)
      copyField(context, flow, (clFlowField)(TEXLA_FLOW_U + f), *field[f], n);
    forceOn(&l, force);
    wake.drag = fmax(wake.drag, 20 * force[0]);
    wake.lift = fmax(wake.lift, 20 * force[1]);
    /* upwards through zero */
    if (before < 0 && force[1] >= 0) {
      last_up = last + (time - last) * before / (before - force[1]);
      first_up = ups++ ? first_up : last_up;
    }
    before = force[1];
    last = time;
  }
  assert_true(ups > 4);
  wake.period = (last_up - first_up) / (ups - 1);
  clFlowDestroy(flow);
  free(solid);
  for (int f = 0; f < 3; f++)
    free(*field[f]);
  return wake;
}

static void wakeOfACylinder(void **state) {
  Wake wake = runWake(*state, 164);
  double strouhal = 0.1 / wake.period;
  print_message(
      "cylinder 2D-2: drag %.4f (3.2274), lift %.4f (1.0), Strouhal number %.4f (0.3018)\n",
      wake.drag, wake.lift, strouhal);
  assert_true(fabs(wake.drag / 3.2274 - 1) <= 0.05);
  assert_true(fabs(wake.lift / 1.0 - 1) <= 0.15);
  assert_true(fabs(strouhal / 0.3018 - 1) <= 0.05);
}

int main(int argc, char **argv) {
  /* slow NAME: that test alone */
  if (argc > 2)
    cmocka_set_test_filter(argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stepsAreThoseOfLoops),
      cmocka_unit_test(stepsWithConjugateGradients),
      cmocka_unit_test(outflowsAreAlikeOnAllSides),
      cmocka_unit_test(vorticesDecayAtTheirRate),
      cmocka_unit_test(momentumIsConserved),
      cmocka_unit_test(layersRest),
      cmocka_unit_test(splatsAreBells),
      cmocka_unit_test(viewsAreThoseOfLoops),
      cmocka_unit_test(fixedStepsReadNothing),
      cmocka_unit_test(goesOnExactly),
      cmocka_unit_test(streaksFollowTheFlow),
      cmocka_unit_test(stepsFollowTheSpeed),
      cmocka_unit_test(runsAwayWithAMessage),
      cmocka_unit_test(badArguments),
      cmocka_unit_test(cavityOnACoarseGrid),
  };
  const struct CMUnitTest slow[] = {
      cmocka_unit_test(cavityAtReynolds100),
      cmocka_unit_test(cavityAtReynolds1000),
      cmocka_unit_test(wakeOfACylinder),
  };
  return argc > 1 ? cmocka_run_group_tests(slow, testContextCreate, testContextDestroy)
                  : cmocka_run_group_tests(tests, testContextCreate, testContextDestroy);
}
