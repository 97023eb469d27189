/* clWater against plain loops in double (oracle/water.h), water at rest, volumes, states, and what
 * is refused. */

#include "oracle/water.h"

#include "one_context.h"

/* Of levels, in depths: a step rounds levels, flows and the systems' solutions. Velocities: times
 * sqrt(g / H). */
static const double stepError = 50 * FLT_EPSILON;
/* of the five-diagonal scheme, solved to 1e-7 of a right-hand side with tides */
static const double systemError = 100 * FLT_EPSILON;
/* relative, over 1000 steps with flooding */
static const double volumeError = 1e-5;

typedef struct Case {
  clWaterOptions o;
  float *ground, *z, *u, *v;
  uint8_t *solid;
} Case;

static size_t cellsOf(const Case *c) {
  return (size_t)c->o.nx * (size_t)c->o.ny;
}

static float *allocate(size_t n) {
  float *values = calloc(n, sizeof *values);
  assert_non_null(values);
  return values;
}

/* A basin 8 deep with a smooth island (island: 1), a wave on it, currents. */
static Case createCase(clWaterOptions o, double island) {
  Case c = {o};
  size_t n = cellsOf(&c);
  c.ground = allocate(n);
  c.z = allocate(n);
  c.u = allocate(n);
  c.v = allocate(n);
  c.solid = calloc(n, 1);
  for (int j = 0; j < o.ny; j++)
    for (int i = 0; i < o.nx; i++) {
      double x = (i + 0.5) / o.nx - 0.45, y = (j + 0.5) / o.ny - 0.55;
      int k = j * o.nx + i;
      c.ground[k] = (float)(-8 + 6 * x * y + island * 11 * exp(-(x * x + y * y) / 0.03));
      c.z[k] = (float)(0.4 * sin(5 * x) * cos(4 * y));
      c.u[k] = (float)(0.5 + 0.4 * cos(6 * y));
      c.v[k] = (float)(-0.3 + 0.5 * sin(5 * x));
    }
  return c;
}

static void destroyCase(Case *c) {
  free(c->ground);
  free(c->z);
  free(c->u);
  free(c->v);
  free(c->solid);
}

static clWater *start(const Case *c) {
  clWater *water = NULL;
  CHECK(clWaterCreate(&water, context, &c->o));
  CHECK(clWaterGround(water, c->ground, c->solid, c->o.nx, c->o.ny));
  CHECK(clWaterUpload(water, c->z, c->u, c->v));
  return water;
}

/* The caller frees it. */
static float *fieldOf(clWater *water, clWaterField field) {
  const clVector *values = NULL;
  CHECK(clWaterGet(&values, water, field));
  float *copy = allocate((size_t)clVectorLength(values));
  CHECK(clVectorDownload(values, copy));
  return copy;
}

static clWaterTotals totalsOf(clWater *water) {
  clWaterTotals totals = {0};
  CHECK(clWaterMeasure(water, &totals));
  return totals;
}

static void assertField(clWater *water, clWaterField field, const double *wanted, double tolerance,
                        const char *what) {
  FREED float *got = fieldOf(water, field);
  clWaterInfo info = clWaterInspect(water);
  for (int k = 0; k < info.nx * info.ny; k++)
    if (!(fabs((double)got[k] - wanted[k]) <= tolerance))
      fail_msg(
          "%s: field %d at (%d, %d) after %lld steps (%d iterations, %g): %.9g instead of %.9g "
          "(tolerance %g)",
          what, (int)field, k % info.nx, k / info.nx, (long long)info.steps, (int)info.iterations,
          info.residual, (double)got[k], wanted[k], tolerance);
}

static void compare(Case *c, int steps, const char *what) {
  OWN(clWater) *water = start(c);
  clWaterOptions o = c->o;
  o.dt = clWaterInspect(water).dt;
  oracleWater *oracle = oracleWaterCreate(&o, c->ground, c->solid);
  oracleWaterUpload(oracle, c->z, c->u, c->v);
  const double depth = 10,
               tolerance = depth * (o.scheme == TEXLA_WATER_FIVE ? systemError : stepError);
  for (int k = 0; k < steps; k++) {
    CHECK(clWaterStep(water, 1));
    oracleWaterStep(oracle, 1);
    assertField(water, TEXLA_WATER_Z, oracle->z, tolerance, what);
    assertField(water, TEXLA_WATER_U, oracle->velocity[0], tolerance * sqrt(9.81 / depth), what);
    assertField(water, TEXLA_WATER_V, oracle->velocity[1], tolerance * sqrt(9.81 / depth), what);
  }
  oracleWaterDestroy(oracle);
}

static const clWaterScheme schemes[] = {TEXLA_WATER_ADI, TEXLA_WATER_FIVE};
static const clWaterAdvection advections[] = {TEXLA_WATER_STREAMLINES, TEXLA_WATER_CONSERVING};

/* Everything at once, in every scheme and transport. */
static void agrees(void **state) {
  static const struct { int nx, ny; } sizes[] = {{16, 16}, {23, 17}, {5, 34}, {37, 3}};
  static const double thetas[] = {1, 0.6}, courants[] = {[TEXLA_WATER_STREAMLINES] = 2.5,
                                                         [TEXLA_WATER_LINEAR] = 2.5,
                                                         [TEXLA_WATER_CONSERVING] = 0.8};
  /* short: each size with every second pair of scheme and advection, by turns */
  for (int k = 0; k < 4 * 6; k++) {
    char what[80];
    if (!testTakes((size_t)(k + k / 6)))
      continue;
    int size = k / 6, advection = k % 3;
    clWaterOptions o = {.nx = sizes[size].nx,
                        .ny = sizes[size].ny,
                        .dx = 12,
                        .dy = 9,
                        .courant = courants[advection],
                        .theta = thetas[size % 2],
                        .scheme = schemes[k / 3 % 2],
                        .advection = (clWaterAdvection)advection,
                        .friction = (clWaterFriction)(k % 4 % 3),
                        .coriolis = 0.01,
                        .viscosity = 3 * (size == 1),
                        .wind = {9, -4},
                        .tolerance = 1e-7};
    AT_END(destroyCase) Case c = createCase(o, 0);
    snprintf(what, sizeof what, "%d x %d, scheme %d, advection %d", o.nx, o.ny, (int)o.scheme,
             advection);
    compare(&c, 8, what);
  }
}

/* Water that comes several cells in a step: streamlines leave what lies around a face. */
static void agreesWhereFast(void **state) {
  static const int substeps[] = {1, 2, 5};
  for (int k = 0; k < 3; k++) {
    char what[80];
    Case c =
        createCase((clWaterOptions){.nx = 23, .ny = 17, .courant = 2, .substeps = substeps[k]}, 0);
    for (int i = 0; i < 23 * 17; i++) {
      c.u[i] *= 6;
      c.v[i] *= 6;
    }
    snprintf(what, sizeof what, "fast, %d substeps", substeps[k]);
    compare(&c, 3, what);
    destroyCase(&c);
  }
}

static void agreesAtEdges(void **state) {
  /* short: every second of the cases below, by turns */
  for (int k = 0; k < 24; k++) {
    char what[80];
    if (!testTakes((size_t)(k + k / 12)))
      continue;
    clWaterOptions o = {.nx = 22,
                        .ny = 19,
                        .dx = 10,
                        .courant = 0.9,
                        .scheme = k / 6 % 2 ? TEXLA_WATER_FIVE : TEXLA_WATER_ADI,
                        .advection = (clWaterAdvection)(k % 3),
                        .tolerance = 1e-7,
                        .friction = TEXLA_WATER_MANNING};
    clWaterSide tide = {
        .edge = TEXLA_WATER_LEVEL, .level = 0.1, .amplitude = 0.3, .period = 30, .phase = 0.1};
    clWaterSide wave = {
        .edge = TEXLA_WATER_OPEN, .amplitude = 0.2, .period = 20, .from = 0.2, .to = 0.9};
    clWaterSide river = {.edge = TEXLA_WATER_INFLOW,
                         .discharge = 3,
                         .from = 0.3,
                         .to = 0.5,
                         .velocity = k / 12 * 1.2};
    clWaterSide first[4] = {tide, wave, river, {.edge = TEXLA_WATER_OPEN}};
    clWaterSide second[4] = {wave, river, {.edge = TEXLA_WATER_WALL}, tide};
    memcpy(o.side, k / 3 % 2 ? first : second, sizeof o.side);
    AT_END(destroyCase) Case c = createCase(o, 0);
    snprintf(what, sizeof what, "edges %d, scheme %d, advection %d, inflow at %g", k / 3 % 2,
             (int)o.scheme, k % 3, river.velocity);
    compare(&c, 8, what);
  }
}

static void agreesAroundWalls(void **state) {
  for (int k = 0; k < 6; k++) {
    clWaterOptions o = {.nx = 26,
                        .ny = 21,
                        .dx = 10,
                        .courant = 0.9,
                        .scheme = k / 3 ? TEXLA_WATER_FIVE : TEXLA_WATER_ADI,
                        .advection = (clWaterAdvection)(k % 3),
                        .viscosity = 1,
                        .tolerance = 1e-7};
    AT_END(destroyCase) Case c = createCase(o, 0);
    for (int j = 5; j < 9; j++)
      memset(c.solid + j * o.nx + 7, 1, 6);
    memset(c.solid + 17 * o.nx, 1, 20);
    compare(&c, 8, "walls");
  }
}

/* Wet and dry, rough ground, pools above the level of others, walls: nothing moves. */
static void staysAtRest(void **state) {
  for (int k = 0; k < 12; k++) {
    clWaterOptions o = {.nx = 37,
                        .ny = 29,
                        .dx = 5,
                        .courant = 4,
                        .theta = 1 - 0.5 * (k / 6),
                        .scheme = schemes[k / 3 % 2],
                        .advection = (clWaterAdvection)(k % 3),
                        .friction = TEXLA_WATER_CHEZY,
                        .coriolis = 1e-2};
    AT_END(destroyCase) Case c = createCase(o, 1);
    uint64_t seed = 7;
    for (size_t i = 0; i < cellsOf(&c); i++) {
      c.ground[i] += (float)(0.7 * randomUnit(&seed));
      c.z[i] = 0.3f;
      c.u[i] = c.v[i] = 0;
    }
    c.ground[3 * 37 + 3] = 2;
    memset(c.solid + 11 * o.nx, 1, 9);
    clWater *water = start(&c);
    float *before = fieldOf(water, TEXLA_WATER_Z);
    CHECK(clWaterStep(water, 50));
    float *after = fieldOf(water, TEXLA_WATER_Z);
    assert_memory_equal(before, after, cellsOf(&c) * sizeof *before);
    assert_true(totalsOf(water).speed == 0);
    free(before);
    free(after);
    clWaterDestroy(water);
  }
}

/* A wave floods an island and runs off again: the volume stays, no depth is negative. */
static void keepsVolume(void **state) {
  for (int k = 0; k < 6; k++) {
    clWaterOptions o = {.nx = 41,
                        .ny = 33,
                        .dx = 10,
                        .courant = k % 3 == TEXLA_WATER_CONSERVING ? 0.7 : 3,
                        .scheme = schemes[k / 3],
                        .advection = (clWaterAdvection)(k % 3),
                        .friction = TEXLA_WATER_MANNING,
                        .tolerance = 1e-4};
    AT_END(destroyCase) Case c = createCase(o, 1);
    for (size_t i = 0; i < cellsOf(&c); i++)
      c.z[i] = i % 41 < 12 ? 2.5f : 0;
    clWater *water = start(&c);
    double volume = totalsOf(water).volume;
    int wet[2] = {0, 0};
    int parts = testLong() ? 10 : 3;
    for (int part = 0; part < parts; part++) {
      CHECK(clWaterStep(water, 100));
      FREED float *depth = fieldOf(water, TEXLA_WATER_DEPTH);
      int count = 0;
      for (size_t i = 0; i < cellsOf(&c); i++) {
        assert_true(depth[i] >= 0);
        count += depth[i] > 1e-5f;
      }
      if (!part || count < wet[0])
        wet[0] = count;
      wet[1] = count > wet[1] ? count : wet[1];
    }
    double now = totalsOf(water).volume;
    if (!(fabs(now - volume) <= volumeError * volume))
      fail_msg("scheme %d, advection %d: volume %.9g instead of %.9g", (int)o.scheme, k % 3, now,
               volume);
    clWaterDestroy(water);
  }
}

/* A dam breaks over dry ground that rises: cells fall wet. */
static void floods(void **state) {
  for (int k = 0; k < 4; k++) {
    clWaterOptions o = {.nx = 60,
                        .ny = 4,
                        .dx = 2,
                        .courant = 0.6,
                        .scheme = schemes[k / 2],
                        .advection = advections[k % 2],
                        .friction = TEXLA_WATER_MANNING};
    AT_END(destroyCase) Case c = createCase(o, 0);
    for (size_t i = 0; i < cellsOf(&c); i++) {
      int x = (int)(i % 60);
      c.ground[i] = x < 20 ? 0 : 0.03f * (float)(x - 20);
      c.z[i] = x < 20 ? 4 : -1;
      c.u[i] = c.v[i] = 0;
    }
    clWater *water = start(&c);
    double volume = totalsOf(water).volume;
    CHECK(clWaterStep(water, 150));
    float *depth = fieldOf(water, TEXLA_WATER_DEPTH);
    for (int i = 0; i < 60; i++)
      assert_true(depth[i] >= 0);
    assert_true(depth[40] > 0.05f);
    assert_true(fabs(totalsOf(water).volume - volume) < volumeError * volume);
    free(depth);
    clWaterDestroy(water);
  }
}

/* --- states, drops, ground --- */

static void goesOn(void **state) {
  for (int k = 0; k < 4; k++) {
    clWaterOptions o = {.nx = 21,
                        .ny = 18,
                        .dx = 10,
                        .courant = 0.8,
                        .theta = 0.6,
                        .scheme = schemes[k / 2],
                        .advection = advections[k % 2]};
    AT_END(destroyCase) Case c = createCase(o, 1);
    clWater *one = start(&c), *other = start(&c);
    clVector *from[TEXLA_WATER_STATE], *to[TEXLA_WATER_STATE];
    CHECK(clWaterStep(one, 7));
    int count = clWaterState(one, from);
    assert_int_equal(clWaterState(other, to), count);
    for (int i = 0; i < count; i++)
      CHECK(clVectorCopy(to[i], from[i]));
    clWaterInfo info = clWaterInspect(one);
    CHECK(clWaterResume(other, info.steps, info.time, info.dt));
    CHECK(clWaterStep(one, 6));
    CHECK(clWaterStep(other, 6));
    for (int f = 0; f < TEXLA_WATER_STORED; f++) {
      FREED float *a = fieldOf(one, (clWaterField)f), *b = fieldOf(other, (clWaterField)f);
      assert_memory_equal(a, b, cellsOf(&c) * sizeof *a);
    }
    clWaterDestroy(one);
    clWaterDestroy(other);
  }
}

static void takesDropsAndGround(void **state) {
  AT_END(destroyCase) Case c = createCase((clWaterOptions){.nx = 30, .ny = 20, .dx = 1}, 0);
  for (size_t i = 0; i < cellsOf(&c); i++) {
    c.ground[i] = -2;
    c.z[i] = c.u[i] = c.v[i] = 0;
  }
  memset(c.solid, 1, 30);
  clWater *water = start(&c);
  double volume = totalsOf(water).volume;
  assert_true(fabs(volume - 2 * 30 * 19) < 1e-3);
  CHECK(clWaterDrop(water, 15, 10, 2, 0.5));
  assert_true(fabs(totalsOf(water).volume - volume - 0.5 * 3.14159265 * 4) < 0.01);
  /* down to the ground, not further */
  CHECK(clWaterDrop(water, 15, 10, 1, -9));
  float *depth = fieldOf(water, TEXLA_WATER_DEPTH);
  for (size_t i = 0; i < cellsOf(&c); i++)
    assert_true(depth[i] >= 0);
  free(depth);

  /* The ground rises out of the water in one place and falls below in another; a wall comes and
   * goes. */
  CHECK(clWaterUpload(water, c.z, NULL, NULL));
  c.ground[10 * 30 + 10] = 1;
  c.ground[10 * 30 + 20] = -5;
  c.solid[15 * 30 + 15] = 1;
  CHECK(clWaterGround(water, c.ground, c.solid, 30, 20));
  float *z = fieldOf(water, TEXLA_WATER_Z);
  assert_true(z[10 * 30 + 10] == 1);
  assert_true(z[10 * 30 + 20] == 0);
  assert_true(z[15 * 30 + 15] > 1e8f);
  free(z);
  c.solid[15 * 30 + 15] = 0;
  CHECK(clWaterGround(water, c.ground, c.solid, 30, 20));
  z = fieldOf(water, TEXLA_WATER_Z);
  /* dry at first */
  assert_true(z[15 * 30 + 15] == -2);
  assert_true(z[10 * 30 + 10] == 1);
  free(z);
  CHECK(clWaterStep(water, 20));
  /* the hole fills */
  assert_true(totalsOf(water).speed > 0);
  clWaterDestroy(water);
}

/* --- what is refused --- */

static void refuses(const clWaterOptions *o, clStatus status, const char *message) {
  clWater *water = NULL;
  assertFails(context, clWaterCreate(&water, context, o), status, message);
  assert_null(water);
}

/* Totals from the fields, in double: u and v belong to faces, and their squares are averaged over
 * the two of a cell. */
static void measures(void **state) {
  AT_END(destroyCase)
  Case c = createCase((clWaterOptions){.nx = 23, .ny = 17, .dx = 10, .dy = 7}, 1);
  clWater *water = start(&c);
  CHECK(clWaterStep(water, 2));
  clWaterTotals t = totalsOf(water);
  float *z = fieldOf(water, TEXLA_WATER_Z), *b = fieldOf(water, TEXLA_WATER_GROUND);
  float *u = fieldOf(water, TEXLA_WATER_U), *v = fieldOf(water, TEXLA_WATER_V);
  double volume = 0, energy = 0, deepest = 0;
  for (int k = 0; k < 23 * 17; k++) {
    double e = (double)u[k], w = 0, n = (double)v[k], s = 0;
    if (k % 23)
      w = (double)u[k - 1];
    if (k >= 23)
      s = (double)v[k - 23];
    double level = (double)z[k], depth = level - (double)b[k], bed = fmax((double)b[k], 0);
    volume += 70 * depth;
    energy +=
        35 * (0.5 * depth * (e * e + w * w + n * n + s * s) + 9.81 * (level * level - bed * bed));
    deepest = fmax(deepest, depth);
  }
  assert_true(fabs(t.volume / volume - 1) < 1e-6);
  assert_true(fabs(t.energy / energy - 1) < 1e-5);
  assert_true(fabs(t.deepest / deepest - 1) < 1e-6);
  free(z);
  free(b);
  free(u);
  free(v);
  clWaterDestroy(water);
}

static void refusesOptions(void **state) {
  refuses(&(clWaterOptions){.nx = -1}, TEXLA_BAD_ARGUMENT, "-1 x 0 cells");
  refuses(&(clWaterOptions){.gravity = -9.81}, TEXLA_BAD_ARGUMENT, "gravity (-9.81)");
  refuses(&(clWaterOptions){.gravity = 1e-42}, TEXLA_BAD_ARGUMENT, "gravity (1e-42)");
  refuses(&(clWaterOptions){.dt = NAN}, TEXLA_BAD_ARGUMENT, "time step");
  refuses(&(clWaterOptions){.dt = -1}, TEXLA_BAD_ARGUMENT, "time step -1");
  refuses(&(clWaterOptions){.dx = INFINITY}, TEXLA_BAD_ARGUMENT, "dx (inf)");
  refuses(&(clWaterOptions){.theta = 0.3}, TEXLA_BAD_ARGUMENT, "theta (0.3)");
  refuses(&(clWaterOptions){.wind = {0, NAN}}, TEXLA_BAD_ARGUMENT, "wind (0, ");
  refuses(&(clWaterOptions){.side[2] = {.edge = (clWaterEdge)7}}, TEXLA_BAD_ARGUMENT,
          "the bottom side");
  refuses(&(clWaterOptions){.side[1] = {.from = 0.5, .to = 0.5}}, TEXLA_BAD_ARGUMENT,
          "the right side's part");
  refuses(&(clWaterOptions){.side[0] = {.level = NAN}}, TEXLA_BAD_ARGUMENT,
          "of the left side must be finite");
  refuses(&(clWaterOptions){.side[3] = {.edge = TEXLA_WATER_INFLOW, .velocity = -2}},
          TEXLA_BAD_ARGUMENT, "velocity -2 of the top side");
  refuses(&(clWaterOptions){.side[3] = {.edge = TEXLA_WATER_OPEN, .velocity = 2}},
          TEXLA_BAD_ARGUMENT, "0 where it is not an inflow");
  refuses(&(clWaterOptions){.scheme = (clWaterScheme)2}, TEXLA_BAD_ARGUMENT, "unknown scheme 2");
  refuses(&(clWaterOptions){.preconditioner = TEXLA_PRECONDITIONER_AMG}, TEXLA_UNSUPPORTED,
          "jacobi or mg");
  refuses(&(clWaterOptions){.nx = 1 << 17, .ny = 1 << 17}, TEXLA_TOO_LARGE, "131072 x 131072");
  assert_int_equal(clWaterCreate(NULL, context, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clWaterStep(NULL, 1), TEXLA_BAD_ARGUMENT);
}

static void refusesInput(void **state) {
  AT_END(destroyCase) Case c = createCase((clWaterOptions){.nx = 12, .ny = 10, .dx = 10}, 0);
  clWater *water = NULL;
  CHECK(clWaterCreate(&water, context, &c.o));
  assertFails(context, clWaterStep(water, 1), TEXLA_BAD_ARGUMENT, "no water yet");
  CHECK(clWaterGround(water, c.ground, NULL, 12, 10));
  CHECK(clWaterUpload(water, c.z, c.u, c.v));
  CHECK(clWaterStep(water, 3));
  float *before = fieldOf(water, TEXLA_WATER_Z), *ground = fieldOf(water, TEXLA_WATER_GROUND);

  assertFails(context, clWaterGround(water, c.ground, NULL, 10, 12), TEXLA_BAD_SHAPE,
              "10 x 12 cells, but the water has 12 x 10");
  c.ground[2 * 12 + 7] = NAN;
  assertFails(context, clWaterGround(water, c.ground, NULL, 12, 10), TEXLA_NOT_FINITE,
              "cell (7, 2)");
  c.z[5 * 12 + 1] = INFINITY;
  assertFails(context, clWaterUpload(water, c.z, NULL, NULL), TEXLA_NOT_FINITE,
              "the level (inf) of cell (1, 5)");
  c.v[4] = NAN;
  assertFails(context, clWaterUpload(water, NULL, NULL, c.v), TEXLA_NOT_FINITE, "the velocity v");
  for (size_t k = 0; k < cellsOf(&c); k++)
    c.z[k] = -100;
  assertFails(context, clWaterUpload(water, c.z, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "all 12 x 10 cells are dry");
  assertFails(context, clWaterDrop(water, 1, 1, 0, 1), TEXLA_BAD_ARGUMENT, "radius (0)");
  assertFails(context, clWaterDrop(water, 1, 1, 1, NAN), TEXLA_BAD_ARGUMENT, "height (");
  assertFails(context, clWaterStep(water, -1), TEXLA_BAD_ARGUMENT, "count (-1)");
  assertFails(context, clWaterResume(water, 1, 1, 0), TEXLA_BAD_ARGUMENT, "dt (0)");
  const clVector *field = NULL;
  assertFails(context, clWaterGet(&field, water, TEXLA_WATER_FIELDS), TEXLA_BAD_ARGUMENT,
              "clWaterField");

  float *after = fieldOf(water, TEXLA_WATER_Z), *still = fieldOf(water, TEXLA_WATER_GROUND);
  assert_memory_equal(before, after, cellsOf(&c) * sizeof *before);
  assert_memory_equal(ground, still, cellsOf(&c) * sizeof *ground);
  assert_int_equal(clWaterInspect(water).steps, 3);
  clWaterDestroy(water);

  water = NULL;
  CHECK(clWaterCreate(&water, context, &(clWaterOptions){.nx = 12, .ny = 10, .dx = 10, .dt = 1e9}));
  CHECK(clWaterGround(water, ground, NULL, 12, 10));
  assertFails(context, clWaterUpload(water, NULL, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "at most 10000 are allowed");
  clWaterDestroy(water);
  water = NULL;
  CHECK(clWaterCreate(&water, context,
                      &(clWaterOptions){.nx = 12, .ny = 10, .dx = 10, .viscosity = 50, .dt = 1}));
  CHECK(clWaterGround(water, ground, NULL, 12, 10));
  assertFails(context, clWaterUpload(water, NULL, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "unstable with eddies of viscosity 50");
  clWaterDestroy(water);
  free(before);
  free(after);
  free(ground);
  free(still);
}

int main(int argc, char **argv) {
  /* one test by name */
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees),
                                     cmocka_unit_test(agreesWhereFast),
                                     cmocka_unit_test(agreesAtEdges),
                                     cmocka_unit_test(agreesAroundWalls),
                                     cmocka_unit_test(staysAtRest),
                                     cmocka_unit_test(keepsVolume),
                                     cmocka_unit_test(floods),
                                     cmocka_unit_test(goesOn),
                                     cmocka_unit_test(takesDropsAndGround),
                                     cmocka_unit_test(measures),
                                     cmocka_unit_test(refusesOptions),
                                     cmocka_unit_test(refusesInput)};
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
