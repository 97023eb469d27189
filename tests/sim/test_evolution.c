/* clEvolution: each scheme's order in time, implicit parts whatever the step, edges, conservation,
 * what is refused. */

#include "one_context.h"
#include "texla/sim.h"

#define PI 3.14159265358979323846

/* along each axis */
static int cells = 32;

/* The eigenvalue of -lap for cos or sin (k pi x) with cells of h = 1 / cells. */
static double eigenvalue(int k) {
  double s = 2 * cells * sin(k * PI / (2 * cells));
  return s * s;
}

static clEvolution *create(const clEvolutionOptions *options) {
  clEvolution *e = NULL;
  CHECK(clEvolutionCreate(&e, context, options));
  return e;
}

typedef double (*Start)(double x, double y, int field);

static void upload(clEvolution *e, Start start) {
  clEvolutionInfo info = clEvolutionInspect(e);
  static float value[4][128 * 128];
  for (int f = 0; f < info.fields; f++)
    for (int k = 0; k < info.nx * info.ny; k++)
      value[f][k] = (float)start((k % info.nx + 0.5) * info.h, (k / info.nx + 0.5) * info.h, f);
  CHECK(clEvolutionUpload(e, (const float *const[]){value[0], value[1], value[2], value[3]}));
}

/* The largest distance from expected factor * start. */
static double errorOf(clEvolution *e, Start wanted, double factor, int field) {
  static float value[128 * 128];
  clEvolutionInfo info = clEvolutionInspect(e);
  double worst = 0;
  CHECK(clVectorDownload(clEvolutionField(e, field), value));
  for (int k = 0; k < info.nx * info.ny; k++)
    worst =
        fmax(worst, fabs((double)value[k] - factor * wanted((k % info.nx + 0.5) * info.h,
                                                            (k / info.nx + 0.5) * info.h, field)));
  return worst;
}

static double cosine(double x, double y, int field) {
  (void)field;
  return cos(2 * PI * x) * cos(PI * y);
}

static double sine(double x, double y, int field) {
  (void)field;
  return sin(PI * x) * sin(2 * PI * y);
}

static double around(double x, double y, int field) {
  return sin(2 * PI * x) * (field ? cos(4 * PI * y) : sin(4 * PI * y));
}

/* A mode of D lap - B lap lap decays as its eigenvalue says: by the scheme's own factor to
 * rounding, and in the limit exactly. Factors of the implicit part are one, complex or two. */
static void decay(clEvolutionEdge edge, Start start, double l) {
  clEvolutionOptions o = {.nx = cells, .ny = cells};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = edge;
  double g = 1 - sqrt(0.5);
  static const double D[] = {1, 0, 0.01, 1}, B[] = {0, 0.01, 0.01, 0.001};
  for (int k = 0; k < 3 * 2 * 4; k++) {
    const double step[] = {0.0002, 0.008, 0.32}, dt = step[k % 3];
    int scheme = k / 3 % 2, kind = k / 6;
    o.scheme = (clEvolutionScheme)scheme;
    o.dt = dt;
    o.diffusion[0] = D[kind];
    o.fourth[0] = B[kind];
    OWN(clEvolution) *e = create(&o);
    upload(e, start);
    CHECK(clEvolutionStep(e, 2));
    double z = dt * (D[kind] * l + B[kind] * l * l),
           factor = scheme ? 1 / (1 + z) : (1 - (1 - 2 * g) * z) / ((1 + g * z) * (1 + g * z));
    double error = errorOf(e, start, factor * factor, 0);
    if (!(error < 3e-5))
      fail_msg("scheme %d, D = %g, B = %g, dt = %g, %s: off by %g", scheme, D[kind], B[kind], dt,
               clEvolutionInspect(e).solver, error);
  }
}

/* Where rows end in the middle of a texel, too. */
static void testHeatDecays(void **state) {
  for (cells = 30; cells <= 32; cells++) {
    decay(TEXLA_EVOLUTION_NO_FLUX, cosine, eigenvalue(2) + eigenvalue(1));
    decay(TEXLA_EVOLUTION_FIXED, sine, eigenvalue(1) + eigenvalue(2));
    decay(TEXLA_EVOLUTION_PERIODIC, around, eigenvalue(2) + eigenvalue(4));
  }
}

/* u_t = -u^3 + D lap u from a constant: u = 1 / sqrt(1 + 2 t). */
static double one(double x, double y, int field) {
  (void)x, (void)y, (void)field;
  return 1;
}

static double cubic(clEvolutionScheme scheme, int steps) {
  OWN(clEvolution) *e =
      create(&(clEvolutionOptions){.nx = 4,
                                   .ny = 4,
                                   .h = 1,
                                   .dt = 1. / steps,
                                   .scheme = scheme,
                                   .diffusion = {0.3},
                                   .rate = "void rate(out vec4 f[FIELDS]) {\n"
                                           "  f[0] = -u(0, 0) * u(0, 0) * u(0, 0);\n}\n"});
  upload(e, one);
  CHECK(clEvolutionStep(e, steps));
  double error = errorOf(e, one, 1 / sqrt(3.), 0);
  return error;
}

static void testOrders(void **state) {
  double imex = cubic(TEXLA_EVOLUTION_IMEX, 8) / cubic(TEXLA_EVOLUTION_IMEX, 16);
  double euler = cubic(TEXLA_EVOLUTION_EULER, 32) / cubic(TEXLA_EVOLUTION_EULER, 64);
  double rk4 = cubic(TEXLA_EVOLUTION_RK4, 2) / cubic(TEXLA_EVOLUTION_RK4, 4);
  assert_true(imex > 3.4 && imex < 5);
  assert_true(euler > 1.9 && euler < 2.2);
  /* a constant of the error is small here: more than 16 */
  assert_true(rk4 > 12);
}

/* Orders for every form of term: errors of steps of dt and dt / 2 beside steps that are much
 * shorter, on the same grid, by the form's own scheme of fourth order where nothing is implicit. */
typedef struct Form {
  const char *name;
  int nx, fields;
  double diffusion[4], fourth[4], end;
  const char *rate;
} Form;

static const Form forms[] = {
    {"D lap", 16, 1, {0.05}, {0}, 1, NULL},
    {"-B lap lap", 16, 1, {0}, {2e-4}, 1, NULL},
    {"-B lap lap, rows within texels", 18, 1, {0}, {2e-4}, 1, NULL},
    {"D lap - B lap lap, complex", 16, 1, {0.01}, {2e-4}, 1, NULL},
    {"D lap - B lap lap, real", 16, 1, {0.05}, {1e-5}, 1, NULL},
    {"D lap backwards - B lap lap", 16, 1, {-0.05}, {2e-4}, 1, NULL},
    {"-B lap lap beside D lap and nothing",
     16,
     3,
     {0, 0.05},
     {2e-4},
     1,
     "void rate(out vec4 f[FIELDS]) { f[0] = v(0, 0); f[1] = -u(0, 0); f[2] = u(0, 0) - w(0, 0); "
     "}"},
    {"a rate",
     16,
     1,
     {0.01},
     {0},
     1,
     "void rate(out vec4 f[FIELDS]) { f[0] = u(0, 0) - u(0, 0) * u(0, 0) * u(0, 0); }"},
    {"the time",
     16,
     1,
     {0.01},
     {0},
     1,
     "void rate(out vec4 f[FIELDS]) { f[0] = cos(3. * at_t) * u(0, 0); }"},
    {"div",
     16,
     1,
     {0.02},
     {0},
     0.5,
     "vec4 c(int i, int j) { return 0.01 * u(i, j) * u(i, j); }\n"
     "void rate(out vec4 f[FIELDS]) { f[0] = div(c, u); }"},
    {"lap of a function",
     16,
     1,
     {0},
     {5e-4},
     0.5,
     "vec4 c(int i, int j) { return 0.01 * u(i, j) * u(i, j); }\n"
     "void rate(out vec4 f[FIELDS]) { f[0] = lap(c); }"},
    {"a root",
     16,
     2,
     {0.01},
     {0},
     0.5,
     "void rate(out vec4 f[FIELDS]) { f[0] = rootlap_v(0, 0); f[1] = -rootlap_u(0, 0); }"}};

static double smooth(double x, double y, int field) {
  return 0.5 + 0.4 * sin(2 * PI * x) * cos(2 * PI * y) + 0.2 * field * cos(2 * PI * y);
}

enum { FORM_CELLS = 3 * 18 * 16 };

static void solveForm(const Form *form, clEvolutionScheme scheme, int steps,
                      float value[FORM_CELLS]) {
  clEvolutionOptions o = {.nx = form->nx,
                          .ny = 16,
                          .dt = form->end / steps,
                          .fields = form->fields,
                          .rate = form->rate,
                          .scheme = scheme};
  memcpy(o.diffusion, form->diffusion, sizeof o.diffusion);
  memcpy(o.fourth, form->fourth, sizeof o.fourth);
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_EVOLUTION_PERIODIC;
  OWN(clEvolution) *e = create(&o);
  upload(e, smooth);
  assert_true(clEvolutionStep(e, steps) >= 0);
  for (int f = 0; f < form->fields; f++)
    CHECK(clVectorDownload(clEvolutionField(e, f), value + f * form->nx * 16));
  for (int k = 0; k < form->fields * form->nx * 16; k++)
    assert_true(isfinite(value[k]));
}

static double between(const float *a, const float *b, int n) {
  double worst = 0;
  for (int k = 0; k < n; k++)
    worst = fmax(worst, fabs((double)a[k] - (double)b[k]));
  return worst;
}

static void testOrderOfEachForm(void **state) {
  static float exact[FORM_CELLS], coarse[FORM_CELLS], fine[FORM_CELLS];
  static const int steps[] = {8, 16, 4};
  static const double least[] = {3.3, 1.7, 11};
  for (int k = 0; k < (int)(sizeof forms / sizeof *forms); k++) {
    int n = forms[k].fields * forms[k].nx * 16;
    bool explicit = forms[k].diffusion[0] == 0.01 && forms[k].fourth[0] == 0;
    solveForm(&forms[k], TEXLA_EVOLUTION_RK4, 512, exact);
    for (int scheme = 0; scheme < 2 + explicit; scheme++) {
      solveForm(&forms[k], (clEvolutionScheme)scheme, steps[scheme], coarse);
      solveForm(&forms[k], (clEvolutionScheme)scheme, 2 * steps[scheme], fine);
      double before = between(coarse, exact, n), after = between(fine, exact, n);
      print_message("%s, scheme %d: %.2e, %.2e\n", forms[k].name, scheme, before, after);
      if (!(before / after > least[scheme]) && after > 3e-6)
        fail_msg("%s, scheme %d: %g, then %g", forms[k].name, scheme, before, after);
    }
  }
}

/* Values on edges: u = 1 left, 0 right ends as a straight line, from a single huge step on. */
static void testFixedEdges(void **state) {
  clEvolutionOptions o = {
      .nx = 12, .ny = 8, .h = 0.25, .dt = 1e4, .diffusion = {2}, .scheme = TEXLA_EVOLUTION_EULER};
  o.side[TEXLA_SIDE_LEFT] = (clEvolutionSide){TEXLA_EVOLUTION_FIXED, {1}};
  o.side[TEXLA_SIDE_RIGHT].edge = TEXLA_EVOLUTION_FIXED;
  OWN(clEvolution) *e = create(&o);
  float value[12 * 8];
  CHECK(clEvolutionStep(e, 2));
  CHECK(clVectorDownload(clEvolutionField(e, 0), value));
  for (int k = 0; k < 12 * 8; k++)
    assert_true(fabs((double)value[k] - (1 - (k % 12 + 0.5) / 12)) < 1e-3);
}

static double bump(double x, double y, int field) {
  return exp(-20 * ((x - 0.4) * (x - 0.4) + (y - 0.6) * (y - 0.6))) + field;
}

/* u_t = div((1 + v^2) grad u) explicitly, and D lap implicitly: nothing is lost or made, whatever
 * the edges let through. */
static void testConserves(void **state) {
  for (int edge = 0; edge < 2; edge++)
    for (int nx = 29; nx <= 32; nx += 3) {
      clEvolutionOptions o = {
          .nx = nx,
          .ny = 20,
          .dt = 1e-4,
          .fields = 2,
          .diffusion = {1, 50},
          .rate = "vec4 c(int i, int j) { return 1. + v(i, j) * v(i, j); }\n"
                  "void rate(out vec4 f[FIELDS]) {\n  f[0] = div(c, u);\n  f[1] = vec4(0.);\n}\n"};
      for (int s = 0; s < 4; s++)
        o.side[s].edge = edge ? TEXLA_EVOLUTION_PERIODIC : TEXLA_EVOLUTION_NO_FLUX;
      OWN(clEvolution) *e = create(&o);
      double before[4], after[4], square[2][4];
      upload(e, bump);
      CHECK(clEvolutionMeasure(e, before, square[0]));
      CHECK(clEvolutionStep(e, 40));
      CHECK(clEvolutionMeasure(e, after, square[1]));
      for (int f = 0; f < 2; f++) {
        assert_true(fabs(after[f] - before[f]) < 3e-5 * before[f]);
        assert_true(square[1][f] < 0.999 * square[0][f]);
      }
    }
}

/* Schroedinger's equation without a potential: the norm stays, a mode turns with k^2 / 2. */
static double turning(double x, double y, int field) {
  return field ? 0 : around(x, y, 0);
}

static void testSchroedinger(void **state) {
  cells = 32;
  clEvolutionOptions o = {
      .nx = cells,
      .ny = cells,
      .dt = 2e-4,
      .fields = 2,
      .scheme = TEXLA_EVOLUTION_RK4,
      .rate =
          "void rate(out vec4 f[FIELDS]) {\n  f[0] = -0.5 * lap(v);\n  f[1] = 0.5 * lap(u);\n}\n"};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_EVOLUTION_PERIODIC;
  OWN(clEvolution) *e = create(&o);
  double mean[4], square[2][4];
  double angle = 500 * o.dt * (eigenvalue(2) + eigenvalue(4)) / 2;
  upload(e, turning);
  CHECK(clEvolutionMeasure(e, mean, square[0]));
  CHECK(clEvolutionStep(e, 500));
  CHECK(clEvolutionMeasure(e, mean, square[1]));
  assert_true(fabs(square[1][0] + square[1][1] - square[0][0]) < 1e-4 * square[0][0]);
  assert_true(errorOf(e, turning, cos(angle), 0) < 1e-3);
}

/* u_t = -B lap lap u: a mode decays, for small steps as exp says, for huge ones at least not up;
 * where RK4 explodes. */
static void testFourth(void **state) {
  cells = 32;
  double l = eigenvalue(2) + eigenvalue(4), mean[4], square[2][4];
  clEvolutionOptions o = {.nx = cells, .ny = cells, .fourth = {1e-3}};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_EVOLUTION_PERIODIC;
  for (o.dt = 1e-5; o.dt < 1e3; o.dt *= 100) {
    OWN(clEvolution) *e = create(&o);
    upload(e, around);
    CHECK(clEvolutionMeasure(e, mean, square[0]));
    CHECK(clEvolutionStep(e, 10));
    if (o.dt < 1e-4)
      assert_true(errorOf(e, around, exp(-10 * o.dt * 1e-3 * l * l), 0) < 2e-3);
    CHECK(clEvolutionMeasure(e, mean, square[1]));
    assert_true(square[1][0] < square[0][0]);
  }
  o.dt = 1e-3;
  o.scheme = TEXLA_EVOLUTION_RK4;
  OWN(clEvolution) *e = create(&o);
  upload(e, bump);
  CHECK(clEvolutionStep(e, 60));
  assertFails(context, clEvolutionMeasure(e, mean, square[0]), TEXLA_NOT_FINITE,
              "u is not finite any more at time");
}

/* Four fields, parameters, places and the time; pictures; paint. */
static void testWhatRatesMayUse(void **state) {
  clEvolutionOptions o = {
      .nx = 5,
      .ny = 4,
      .h = 0.5,
      .dt = 0.25,
      .fields = 4,
      .parameter = {[0] = 2, [5] = 3, [11] = 7},
      .scheme = TEXLA_EVOLUTION_EULER,
      .rate = "void rate(out vec4 f[FIELDS]) {\n  f[0] = at_x(0, 0) + 10. * at_y(0, 0);\n"
              "  f[1] = vec4(parameter(0) + 10. * parameter(5) + 100. * parameter(11));\n"
              "  f[2] = vec4(at_t);\n  f[3] = dx(u) + 10. * dy(u);\n}\n"};
  OWN(clEvolution) *e = create(&o);
  float value[4][20];
  CHECK(clEvolutionStep(e, 2));
  for (int f = 0; f < 4; f++)
    CHECK(clVectorDownload(clEvolutionField(e, f), value[f]));
  for (int k = 0; k < 20; k++) {
    double x = (k % 5 + 0.5) * 0.5, y = (k / 5 + 0.5) * 0.5;
    assert_true(fabs((double)value[0][k] - 0.5 * (x + 10 * y)) < 1e-5);
    assert_true(value[1][k] == 366);
    assert_true(value[2][k] == 0.0625f);
    bool within[] = {k % 5 > 0 && k % 5 < 4, k / 5 > 0 && k / 5 < 3};
    double inside = 50.5 + 0.5 * within[0] + 50 * within[1];
    assert_true(fabs((double)value[3][k] - 0.25 * 0.25 * inside) < 1e-4);
  }
  const clVector *picture = NULL;
  CHECK(clEvolutionPicture(&picture, e, "vec4 picture() { return v(0, 0) + 1.; }"));
  CHECK(clVectorDownload(picture, value[0]));
  assert_true(value[0][19] == 367);
  CHECK(clEvolutionPaint(e, 0.25, 0.25, 1, (double[]){0, 4, 0, 0}));
  CHECK(clVectorDownload(clEvolutionField(e, 1), value[1]));
  assert_true(value[1][0] == 370 && fabs((double)value[1][1] - 366 - 4 * exp(-0.25)) < 1e-4);
}

/* v <- sqrt(-lap) u of a cosine, by one step: its wave number, also for grids whose rows end within
 * a texel. */
static void checkRoot(int nx, int ny, int kx, int ky, bool periodic) {
  static float u[96 * 64], v[96 * 64];
  double half = (1 + periodic) * PI, a = half * kx / nx, b = half * ky / ny, worst = 0;
  clEvolutionOptions o = {
      .nx = nx,
      .ny = ny,
      .h = 0.5,
      .dt = 1,
      .fields = 2,
      .scheme = TEXLA_EVOLUTION_EULER,
      .rate = "void rate(out vec4 f[FIELDS]) { f[0] = vec4(0); f[1] = rootlap_u(0, 0); }"};
  for (int s = 0; s < 4 && periodic; s++)
    o.side[s].edge = TEXLA_EVOLUTION_PERIODIC;
  clEvolution *e = create(&o);
  for (int k = 0; k < nx * ny; k++)
    u[k] = (float)(cos(a * (k % nx + 0.5)) * cos(b * (k / nx + 0.5)));
  CHECK(clEvolutionUpload(e, (const float *const[]){u, NULL, NULL, NULL}));
  CHECK(clEvolutionStep(e, 1));
  CHECK(clVectorDownload(clEvolutionField(e, 1), v));
  for (int k = 0; k < nx * ny; k++)
    worst = fmax(worst, fabs((double)v[k] - hypot(a, b) / o.h * (double)u[k]));
  clEvolutionDestroy(e);
  if (!(worst <= 0.006 * hypot(a, b) / o.h))
    fail_msg("%d x %d, mode %d, %d: off by %g of %g", nx, ny, kx, ky, worst, hypot(a, b) / o.h);
}

static void testRoot(void **state) {
  checkRoot(64, 64, 1, 0, false);
  checkRoot(64, 64, 7, 20, false);
  checkRoot(96, 33, 40, 3, false);
  checkRoot(33, 20, 2, 5, false);
  checkRoot(64, 32, 1, 0, true);
  checkRoot(32, 64, 5, 11, true);
  checkRoot(37, 18, 8, 1, true);
}

/* Texels far from the rim have a program of their own where there are many, and values from beyond
 * its reach (three texels and rows) are looked up like those beyond the edges. */
enum { LARGE = 260 * 136 };

static int folded(int i, int n, bool periodic) {
  if (periodic)
    return (i + n) % n;
  if (i < 0)
    return -1 - i;
  return i < n ? i : 2 * n - 1 - i;
}

static double near(const float *u, int nx, int ny, int i, int j, bool periodic) {
  return (double)u[folded(j, ny, periodic) * nx + folded(i, nx, periodic)];
}

static void checkLarge(int nx, bool periodic) {
  static float before[LARGE], after[LARGE];
  const int ny = 136, place[][2] = {{1, 0},  {0, -1}, {-12, 3}, {12, -3}, {-13, 0},
                                    {14, 1}, {2, 4},  {0, -7},  {-3, 2}};
  const int places = sizeof place / sizeof place[0];
  clEvolutionOptions o = {.nx = nx,
                          .ny = ny,
                          .h = 1,
                          .dt = 1,
                          .scheme = TEXLA_EVOLUTION_EULER,
                          .rate = "void rate(out vec4 f[FIELDS]) {\n"
                                  "  f[0] = u(1, 0) + 2. * u(0, -1) + 3. * u(-12, 3) +"
                                  " 4. * u(12, -3) + 5. * u(-13, 0) + 6. * u(14, 1) +"
                                  " 7. * u(2, 4) + 8. * u(0, -7) + 9. * u(-3, 2);\n"
                                  "}"};
  for (int s = 0; s < 4 && periodic; s++)
    o.side[s].edge = TEXLA_EVOLUTION_PERIODIC;
  for (int k = 0; k < nx * ny; k++)
    before[k] = (float)sin(k * 1.7);
  OWN(clEvolution) *e = create(&o);
  CHECK(clEvolutionUpload(e, (const float *const[TEXLA_EVOLUTION_FIELDS]){before}));
  CHECK(clEvolutionStep(e, 1));
  CHECK(clVectorDownload(clEvolutionField(e, 0), after));
  for (int k = 0; k < nx * ny; k++) {
    double wanted = (double)before[k];
    for (int p = 0; p < places; p++)
      wanted +=
          (p + 1) * near(before, nx, ny, k % nx + place[p][0], k / nx + place[p][1], periodic);
    assert_true(fabs((double)after[k] - wanted) < 2e-5);
  }
}

static void testLargeGrids(void **state) {
  for (int nx = 257; nx <= 260; nx += 3)
    for (int periodic = 0; periodic < 2; periodic++)
      checkLarge(nx, periodic);
}

/* u_t = p2 u + p9 halfway with other parameters, beside the scheme in double precision: each step
 * multiplies u - u* = u + p9 / p2 by a polynomial of z = p2 dt. What is refused changes nothing,
 * and pictures have the new values at once. */
static void testParameters(void **state) {
  static const double values[2][TEXLA_EVOLUTION_PARAMETERS] = {{[2] = -1.5, [9] = 0.5},
                                                               {[2] = -0.25, [9] = 3}};
  static float seen[16];
  const double dt = 0.05;
  for (int scheme = 0; scheme < 3; scheme++) {
    clEvolutionOptions o = {
        .nx = 4,
        .ny = 4,
        .dt = dt,
        .diffusion = {1},
        .scheme = (clEvolutionScheme)scheme,
        .rate = "void rate(out vec4 f[FIELDS]) { f[0] = parameter(2) * u(0, 0) + parameter(9); }"};
    o.h = 1;
    memcpy(o.parameter, values[0], sizeof o.parameter);
    OWN(clEvolution) *e = create(&o);
    const clVector *picture = NULL;
    double wanted = 1;
    upload(e, one);
    for (int part = 0; part < 2; part++) {
      const double *p = values[part], z = p[2] * dt, middle = -p[9] / p[2];
      const double factor[] = {1 + z + z * z / 2, 1 + z,
                               1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24};
      CHECK(clEvolutionParameters(e, p));
      assertFails(
          context,
          clEvolutionParameters(e, (const double[TEXLA_EVOLUTION_PARAMETERS]){[11] = INFINITY}),
          TEXLA_BAD_ARGUMENT, "parameter 11");
      CHECK(clEvolutionPicture(&picture, e, "vec4 picture() { return vec4(parameter(9)); }"));
      CHECK(clVectorDownload(picture, seen));
      assert_true(seen[5] == (float)p[9]);
      CHECK(clEvolutionStep(e, 20));
      wanted = middle + (wanted - middle) * pow(factor[scheme], 20);
      /* implicit stages are solved to 1e-5 */
      assert_true(errorOf(e, one, wanted, 0) < 5e-5);
    }
    assert_int_equal(clEvolutionInspect(e).steps, 40);
  }
}

/* Rates that are not finite at 0, where nothing has been uploaded yet; without an implicit part,
 * with one by sweeps, by cycles for a constant c, by those for a matrix, and with a fourth
 * derivative. After a step too long for it (u^2 runs away) an upload starts anew, bit for bit. */
static const struct {
  int nx;
  double dt, diffusion, fourth;
} implicitParts[] = {{32, 0.01, 0, 0},      {32, 0.01, 0.01, 0}, {32, 0.01, 10, 0},
                     {30, 0.01, 10, 0},     {32, 0.01, 0, 1e-6}, {32, 0.01, 0, 0.1},
                     {30, 0.01, 0.01, 1e-6}};
enum { IMPLICIT_PARTS = sizeof implicitParts / sizeof *implicitParts };

static clEvolution *createImplicit(int part, int scheme, const char *rate) {
  clEvolutionOptions o = {.nx = implicitParts[part].nx,
                          .ny = 32,
                          .dt = implicitParts[part].dt,
                          .fields = 2,
                          .scheme = (clEvolutionScheme)scheme,
                          .rate = rate};
  if (scheme != TEXLA_EVOLUTION_RK4) {
    o.diffusion[0] = o.diffusion[1] = implicitParts[part].diffusion;
    o.fourth[0] = implicitParts[part].fourth;
  }
  return create(&o);
}

static double two(double x, double y, int field) {
  (void)x, (void)y, (void)field;
  return 2;
}

static void testNotFiniteAtZero(void **state) {
  static const char *const rates[] = {
      "void rate(out vec4 f[FIELDS]) { f[0] = 1. / u(0, 0); f[1] = u(0, 0) / v(0, 0) - 1.; }",
      "vec4 c(int i, int j) { return 1. / u(i, j); }\n"
      "void rate(out vec4 f[FIELDS]) { f[0] = div(c, u) + 1. / u(0, 0); f[1] = lap(v) / v(0, 0); }",
      "void rate(out vec4 f[FIELDS]) { f[0] = log(u(0, 0)) / (log(u(0, 0)) * u(0, 0));\n"
      "  f[1] = u(0, 0) * u(0, 0) / (v(0, 0) * v(0, 0)) - u(0, 0) / v(0, 0) + 2. - v(0, 0); }"};
  for (int part = 0; part < IMPLICIT_PARTS; part++)
    for (int scheme = 0; scheme < 3; scheme++) {
      OWN(clEvolution) *e = createImplicit(part, scheme, rates[part % 3]);
      upload(e, two);
      CHECK(clEvolutionStep(e, 10));
      /* u = sqrt(4 + 2 t), which forward Euler misses by 3e-5 */
      if (!(errorOf(e, one, sqrt(4.2), 0) < 1e-4))
        fail_msg("part %d, scheme %d: off by %g", part, scheme, errorOf(e, one, sqrt(4.2), 0));
      assert_true(errorOf(e, two, 1, 1) < 0.2);
    }
}

static void testUploadStartsAnew(void **state) {
  static float first[32 * 32], again[32 * 32];
  for (int part = 0; part < IMPLICIT_PARTS; part++)
    for (int scheme = 0; scheme < 3; scheme++) {
      OWN(clEvolution) *e = createImplicit(
          part, scheme,
          "void rate(out vec4 f[FIELDS]) { f[0] = 9. * u(0, 0) * u(0, 0); f[1] = vec4(0.); }");
      double mean[4], square[4];
      int64_t n = (int64_t)implicitParts[part].nx * 32;
      upload(e, two);
      CHECK(clEvolutionStep(e, 2));
      CHECK(clVectorDownload(clEvolutionField(e, 0), first));
      assert_true(clEvolutionStep(e, 60) >= 0);
      assertFails(context, clEvolutionMeasure(e, mean, square), TEXLA_NOT_FINITE, "any more");
      upload(e, two);
      CHECK(clEvolutionStep(e, 2));
      CHECK(clVectorDownload(clEvolutionField(e, 0), again));
      if (memcmp(first, again, (size_t)n * sizeof *first) != 0)
        fail_msg("part %d, scheme %d: %g after %g", part, scheme, (double)again[5],
                 (double)first[5]);
    }
}

/* u_t = noise: a sum of normal numbers of variance t, whatever dt; v_t = -v + noise settles at the
 * variance 1 / 2. Cells, noises and seeds are independent, and a seed repeats. */
static void noise(float value[2][64 * 64], clEvolutionScheme scheme, double dt, int steps,
                  int seed) {
  OWN(clEvolution) *e = create(
      &(clEvolutionOptions){.nx = 64,
                            .ny = 64,
                            .h = 1,
                            .dt = dt,
                            .fields = 2,
                            .scheme = scheme,
                            .seed = seed,
                            .rate = "void rate(out vec4 f[FIELDS]) {\n  f[0] = noise(0, 0, 0);\n"
                                    "  f[1] = noise(1, 0, 0) - v(0, 0);\n}\n"});
  CHECK(clEvolutionStep(e, steps));
  for (int f = 0; f < 2; f++)
    CHECK(clVectorDownload(clEvolutionField(e, f), value[f]));
}

static double product(const float *a, const float *b, int shift) {
  double sum = 0;
  for (int k = 0; k + shift < 64 * 64; k++)
    sum += (double)a[k] * (double)b[k + shift] / (64 * 64);
  return sum;
}

static void testNoise(void **state) {
  static float value[2][64 * 64], other[2][64 * 64];
  /* of 4096 numbers, 4.5 standard deviations */
  const double most = 0.07, spread = 0.1;
  for (int scheme = 0; scheme < 3; scheme++)
    for (int k = 1; k <= 4; k *= 4) {
      double sum = 0, fourth = 0;
      noise(value, (clEvolutionScheme)scheme, 0.1 / k, 40 * k, 7);
      for (int c = 0; c < 64 * 64; c++) {
        sum += (double)value[0][c] / (64 * 64);
        fourth += pow((double)value[0][c], 4) / (64 * 64);
      }
      double variance = product(value[0], value[0], 0) / 4;
      assert_true(fabs(sum) < 2 * most && fabs(variance - 1) < spread);
      assert_true(fabs(fourth / (16 * variance * variance) - 3) < 0.5);
      assert_true(fabs(product(value[1], value[1], 0) - 0.5) < 0.5 * spread + 0.03);
      assert_true(fabs(product(value[0], value[1], 0)) < 4 * most);
      for (int shift = 1; shift <= 64; shift += 3)
        assert_true(fabs(product(value[0], value[0], shift)) < 4 * most);
    }
  noise(value, TEXLA_EVOLUTION_EULER, 0.1, 40, 7);
  noise(other, TEXLA_EVOLUTION_EULER, 0.1, 40, 7);
  assert_memory_equal(value, other, sizeof value);
  noise(other, TEXLA_EVOLUTION_EULER, 0.1, 40, 8);
  assert_true(fabs(product(value[0], other[0], 0)) < 4 * most);
}

/* u = 1 on the left and u_n = -u on the right settle at 1 - x / 2; v_n = 3 on the left, -3 on the
 * right, and w = y on all sides: straight lines, which the edges meet exactly. By sweeps, by cycles
 * for a constant c and for a matrix, and explicitly. */
static double lines(double x, double y, int field) {
  const double value[] = {1 - x / 2, -3 * x, y};
  return value[field];
}

static double linesNear(double x, double y, int field) {
  return lines(x, y, field) + (field == 1 ? 0 : 0.1 * sin(PI * x) * sin(PI * y));
}

static void testEdges(void **state) {
  static const char edges[] = "vec4 edge(int side, int field) {\n"
                              "  return field == 2 ? at_y(0, 0) : vec4(0.);\n}\n";
  for (int n = 30; n <= 32; n++)
    for (int k = 0; k < 4; k++) {
      clEvolutionOptions o = {.nx = n, .ny = n, .fields = 3, .diffusion = {1, 1, 1}};
      const double steps[] = {0.3 / n / n, 0.01, 0.5, 1}, dt = steps[k];
      o.dt = dt;
      o.edges = edges;
      o.scheme = k == 0 ? TEXLA_EVOLUTION_RK4 : TEXLA_EVOLUTION_IMEX;
      for (int s = 0; s < 4; s++)
        o.side[s] = (clEvolutionSide){TEXLA_EVOLUTION_MIXED, .weight = {0, 0, 1}, .slope = {1, 1}};
      o.side[0] = (clEvolutionSide){TEXLA_EVOLUTION_MIXED, .value = {1, 3}, .weight = {1, 0, 1},
                                    .slope = {0, 1}};
      o.side[1] = (clEvolutionSide){TEXLA_EVOLUTION_MIXED, .value = {0, -3}, .weight = {1, 0, 1},
                                    .slope = {1, 1}};
      OWN(clEvolution) *e = create(&o);
      upload(e, linesNear);
      CHECK(clEvolutionStep(e, k ? 40 : 4000));
      for (int f = 0; f < 3; f++)
        if (!(errorOf(e, lines, 1, f) < (k == 1 ? 0.03 : 1e-3)))
          fail_msg("field %d, %d cells, dt = %g, %s: off by %g", f, n, dt,
                   clEvolutionInspect(e).solver, errorOf(e, lines, 1, f));
    }
  clEvolution *e = NULL;
  clEvolutionOptions bad = {.dt = 1, .side = {{.edge = TEXLA_EVOLUTION_MIXED}}};
  assertFails(context, clEvolutionCreate(&e, context, &bad), TEXLA_BAD_ARGUMENT, "not both 0");
  bad.side[0].weight[0] = 1;
  bad.side[0].slope[0] = -1;
  assertFails(context, clEvolutionCreate(&e, context, &bad), TEXLA_BAD_ARGUMENT, "of one sign");
}

/* u = t^4 on all edges of u_t = lap u + 4 t^3: the order in time, which stiff edges reduce somewhat
 * (Sanz-Serna, Verwer, Hundsdorfer 1987). */
static double swinging(clEvolutionScheme scheme, int steps) {
  clEvolutionOptions o = {.nx = 32, .ny = 32, .dt = 1. / steps, .diffusion = {1}};
  o.scheme = scheme;
  o.edges = "vec4 edge(int side, int field) { return vec4(at_t * at_t * at_t * at_t); }";
  o.rate = "void rate(out vec4 f[FIELDS]) { f[0] = vec4(4. * at_t * at_t * at_t); }";
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_EVOLUTION_FIXED;
  OWN(clEvolution) *e = create(&o);
  CHECK(clEvolutionStep(e, steps));
  double error = errorOf(e, one, 1, 0);
  return error;
}

static void testOrderAtEdges(void **state) {
  double coarse = swinging(TEXLA_EVOLUTION_IMEX, 20), fine = swinging(TEXLA_EVOLUTION_IMEX, 40);
  if (!(coarse < 0.01 && coarse / fine > 2.4))
    fail_msg("second order: %g, %g", coarse, fine);
  coarse = swinging(TEXLA_EVOLUTION_EULER, 20);
  fine = swinging(TEXLA_EVOLUTION_EULER, 40);
  if (!(coarse < 0.2 && coarse / fine > 1.8))
    fail_msg("first order: %g, %g", coarse, fine);
}

/* u_t = -mean(u) u: the mean m becomes m / (1 + m t); v_t = max(u) - min(u) + 0 v, w_t = the total
 * of a total. */
static void testTotals(void **state) {
  for (cells = 30; cells <= 32; cells += 2) {
    clEvolutionOptions o = {.nx = cells, .ny = cells, .dt = 0.01, .fields = 2};
    o.scheme = TEXLA_EVOLUTION_RK4;
    o.total[0] = "vec4 picture() { return u(0, 0); }";
    o.total[1] = o.total[2] = o.total[0];
    o.total[3] = "vec4 picture() { return vec4(total(0)); }";
    o.total_kind[1] = TEXLA_EVOLUTION_LEAST;
    o.total_kind[2] = o.total_kind[3] = TEXLA_EVOLUTION_MOST;
    o.rate = "void rate(out vec4 f[FIELDS]) {\n"
             "  float mean = total(0) / (grid.x * grid.y);\n"
             "  f[0] = -mean * u(0, 0);\n"
             "  f[1] = vec4((total(2) - total(1)) * total(3) / (grid.x * grid.y));\n}\n";
    OWN(clEvolution) *e = create(&o);
    upload(e, linesNear);
    double before[4], after[4], square[4];
    CHECK(clEvolutionMeasure(e, before, square));
    CHECK(clEvolutionStep(e, 1));
    CHECK(clEvolutionMeasure(e, after, square));
    /* start: from 1 / (2 cells) to 1 - 1 / (2 cells), and a bump that adds nothing there */
    float u[32 * 32], least = INFINITY, most = -INFINITY;
    upload(e, linesNear);
    CHECK(clVectorDownload(clEvolutionField(e, 0), u));
    for (int k = 0; k < cells * cells; k++) {
      least = fminf(least, u[k]);
      most = fmaxf(most, u[k]);
    }
    assert_true(fabs(after[0] / before[0] - 1 / (1 + 0.01 * before[0])) < 1e-6);
    double m = before[0], integral = 0.01 * m - 0.0001 * m * m;
    assert_true(fabs((after[1] - before[1]) / (double)(most - least) - integral) < 3e-6);
    const clVector *picture = NULL;
    CHECK(clEvolutionPicture(&picture, e, "vec4 picture() { return u(0, 0) - total(1); }"));
    CHECK(clVectorDownload(picture, u));
    for (int k = 0; k < cells * cells; k++)
      assert_true(u[k] >= 0 && u[k] <= most - least);
  }
  cells = 32;
}

/* A domain of random cells: rates beside slow loops, in which nothing passes walls. */
static float randomDomain[32 * 32];

static double domainStart(double x, double y, int field) {
  return sin(7 * x + 3 * y * y + field) + 2 * field;
}

static double seen(const float *u, int n, int i, int j, int k, int l) {
  bool outside = k < 0 || l < 0 || k >= n || l >= n;
  if (outside || randomDomain[j * n + i] == 0 || randomDomain[l * n + k] == 0)
    return (double)u[j * n + i];
  return (double)u[l * n + k];
}

/* div(v, u) + 0.3 lap u, and dx(v) + 2 dy(v), where h = 1 / n */
static double domainRate(const float *u, const float *v, int n, int i, int j, int field) {
  static const int around[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    int a = i + around[k][0], b = j + around[k][1];
    double here = (double)v[j * n + i], there = seen(v, n, i, j, a, b);
    double face = (here + there) / 2 + 0.3;
    if (field == 0)
      sum += n * n * face * (seen(u, n, i, j, a, b) - (double)u[j * n + i]);
    else
      sum += n * there * (around[k][0] + 2 * around[k][1]) / 2;
  }
  return sum * (double)randomDomain[j * n + i];
}

static void testDomain(void **state) {
  static float before[2][32 * 32], after[2][32 * 32];
  for (int n = 30; n <= 32; n++)
    for (int scheme = 0; scheme < 3; scheme++) {
      for (int k = 0; k < n * n; k++)
        randomDomain[k] = (k * 7919 % 104729) % 5 > 0;
      const double dt = 5e-7;
      clEvolutionOptions o = {.nx = n, .ny = n, .dt = dt, .fields = 2, .diffusion = {0.3}};
      o.scheme = (clEvolutionScheme)scheme;
      o.domain = randomDomain;
      o.total[0] = "vec4 picture() { return vec4(1.); }";
      o.total[1] = "vec4 picture() { return u(0, 0); }";
      o.total_kind[1] = TEXLA_EVOLUTION_MOST;
      o.rate = "void rate(out vec4 f[FIELDS]) {\n"
               "  f[0] = div(v, u);\n  f[1] = dx(v) + 2. * dy(v);\n}\n";
      OWN(clEvolution) *e = create(&o);
      upload(e, domainStart);
      for (int f = 0; f < 2; f++)
        CHECK(clVectorDownload(clEvolutionField(e, f), before[f]));
      const clVector *picture = NULL;
      static float cells_within[32 * 32];
      CHECK(clEvolutionPicture(&picture, e, "vec4 picture() { return vec4(total(0)); }"));
      CHECK(clVectorDownload(picture, cells_within));
      double within = 0;
      for (int k = 0; k < n * n; k++)
        within += (double)randomDomain[k];
      assert_true((double)cells_within[0] == within);
      CHECK(clEvolutionStep(e, 1));
      for (int f = 0; f < 2; f++)
        CHECK(clVectorDownload(clEvolutionField(e, f), after[f]));
      for (int f = 0; f < 2; f++)
        for (int k = 0; k < n * n; k++) {
          double wanted = domainRate(before[0], before[1], n, k % n, k / n, f);
          double rate = (double)(after[f][k] - before[f][k]) / dt;
          if (!(fabs(rate - wanted) < 1.2 + 0.02 * fabs(wanted)))
            fail_msg("scheme %d, %d cells, field %d, cell %d: %g, not %g", scheme, n, f, k, rate,
                     wanted);
        }
    }
  /* Forty times as long as explicit steps: a domain in two halves keeps two means. */
  for (int fixed = 0; fixed < 2; fixed++) {
    clEvolutionOptions o = {.nx = 32, .ny = 32, .dt = 0.01, .diffusion = {1}};
    for (int k = 0; k < 32 * 32; k++)
      randomDomain[k] = k % 32 < 15 || k % 32 > 16;
    o.domain = randomDomain;
    o.domain_fixed = fixed != 0;
    OWN(clEvolution) *e = create(&o);
    upload(e, lines);
    CHECK(clEvolutionStep(e, 400));
    float u[32 * 32];
    CHECK(clVectorDownload(clEvolutionField(e, 0), u));
    for (int k = 0; k < 32 * 32; k++) {
      double x = (k % 32 + 0.5) / 32, wanted = 1 - (x < 0.5 ? 7.5 : 24.5) / 64;
      if (fixed)
        wanted = 1 - (x < 0.5 ? 15.5 : 16.5) / 64;
      if (randomDomain[k] != 0 && !(fabs((double)u[k] - wanted) < 1e-2))
        fail_msg("%d, cell %d: %g, not %g", fixed, k, (double)u[k], wanted);
    }
  }
  clEvolution *e = NULL;
  float none[16] = {0};
  clEvolutionOptions bad = {.nx = 4, .ny = 4, .dt = 1, .domain = none};
  assertFails(context, clEvolutionCreate(&e, context, &bad), TEXLA_BAD_ARGUMENT, "no cell");
  none[3] = 0.5F;
  assertFails(context, clEvolutionCreate(&e, context, &bad), TEXLA_BAD_ARGUMENT, "must be 0 or 1");
}

/* u_t = 1 + D lap u from a constant, on a grid that cannot be halved: t is added, whatever D. */
static void testConstantsOfLargeSteps(void **state) {
  for (int edge = TEXLA_EVOLUTION_NO_FLUX; edge <= TEXLA_EVOLUTION_PERIODIC; edge++)
    for (double D = 100; D < 3e6; D *= 5) {
      clEvolutionOptions o = {.nx = 65, .ny = 97, .h = 1, .dt = 1, .diffusion = {D}};
      o.rate = "void rate(out vec4 f[FIELDS]) { f[0] = vec4(1.); }";
      for (int s = 0; s < 4; s++)
        o.side[s].edge = (clEvolutionEdge)edge;
      OWN(clEvolution) *e = create(&o);
      upload(e, two);
      CHECK(clEvolutionStep(e, 3));
      if (!(errorOf(e, one, 5, 0) < 1e-5))
        fail_msg("edge %d, D = %g: off by %g", edge, D, errorOf(e, one, 5, 0));
    }
}

static void testRefuses(void **state) {
  OWN(clEvolution) *e = NULL;
  clEvolutionOptions o = {.dt = 1};
#define REFUSES(status, text, ...)                                                                 \
  do {                                                                                             \
    clEvolutionOptions bad = {__VA_ARGS__};                                                        \
    assertFails(context, clEvolutionCreate(&e, context, &bad), status, text);                      \
    assert_null(e);                                                                                \
  } while (0)
  REFUSES(TEXLA_BAD_ARGUMENT, "dt (0) must be positive", .nx = 8);
  REFUSES(TEXLA_BAD_ARGUMENT, "dt (nan) must be positive", .dt = NAN);
  REFUSES(TEXLA_BAD_ARGUMENT, "at least 4 x 4", .dt = 1, .nx = 3);
  REFUSES(TEXLA_TOO_LARGE, "cells are more than", .dt = 1, .nx = 1 << 20, .ny = 1 << 20);
  REFUSES(TEXLA_BAD_ARGUMENT, "seed -1 is not", .dt = 1, .seed = -1);
  REFUSES(TEXLA_BAD_ARGUMENT, "5 fields", .dt = 1, .fields = 5);
  REFUSES(TEXLA_BAD_ARGUMENT, "D (inf) and B (0) of field 0", .dt = 1, .diffusion = {INFINITY});
  REFUSES(TEXLA_BAD_ARGUMENT, "too large for single precision", .dt = 1, .diffusion = {1e39});
  REFUSES(TEXLA_BAD_ARGUMENT, "only one is periodic", .dt = 1,
          .side = {{TEXLA_EVOLUTION_PERIODIC, {0}}});
  REFUSES(TEXLA_BAD_ARGUMENT, "parameter 1 is not finite", .dt = 1, .parameter = {0, 1e300});
  REFUSES(TEXLA_BAD_ARGUMENT, "rootlap needs edges that are periodic", .dt = 1,
          .side = {{TEXLA_EVOLUTION_FIXED, {0}}},
          .rate = "void rate(out vec4 f[FIELDS]) { f[0] = rootlap_u(0, 0); }");
  REFUSES(TEXLA_SHADER_ERROR, "rate:2", .dt = 1,
          .rate = "void rate(out vec4 f[FIELDS]) {\n  f[0] = nonsense;\n}\n");
  e = create(&o);
  const float bad[128 * 128] = {[300] = NAN};
  assertFails(context, clEvolutionUpload(e, (const float *const[]){bad, NULL, NULL, NULL}),
              TEXLA_NOT_FINITE, "u of cell (44, 2) is nan");
  assertFails(context, clEvolutionPaint(e, 0, NAN, 1, (double[4]){0}), TEXLA_BAD_ARGUMENT,
              "must be finite");
  double parameter[TEXLA_EVOLUTION_PARAMETERS] = {[3] = NAN};
  assertFails(context, clEvolutionParameters(e, parameter), TEXLA_BAD_ARGUMENT,
              "parameter 3 is not finite");
  parameter[3] = 1e39;
  assertFails(context, clEvolutionParameters(e, parameter), TEXLA_BAD_ARGUMENT,
              "parameter 3 is not finite");
  assertFails(context, clEvolutionParameters(e, NULL), TEXLA_BAD_ARGUMENT, "must not be NULL");
  assertFails(context, clEvolutionStep(e, -1), TEXLA_BAD_ARGUMENT, "not negative");
  assert_null(clEvolutionField(e, 1));
  clEvolutionDestroy(NULL);
}

TEST_MAIN(setUp, testContextDestroy, testHeatDecays, testOrders, testFixedEdges, testConserves,
          testSchroedinger, testFourth, testWhatRatesMayUse, testRoot, testParameters,
          testLargeGrids, testOrderOfEachForm, testNoise, testNotFiniteAtZero, testUploadStartsAnew,
          testRefuses, testConstantsOfLargeSteps, testEdges, testOrderAtEdges, testTotals,
          testDomain)
