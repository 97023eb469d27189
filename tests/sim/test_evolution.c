/* clEvolution: each scheme's order in time, implicit parts whatever the step, edges, conservation, what is refused. */
#include <math.h>

#include "one_context.h"
#include "texla/texla.h"

#define PI 3.14159265358979323846

static int cells = 32; /* along each axis */

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
    worst = fmax(worst, fabs((double)value[k] -
                             factor * wanted((k % info.nx + 0.5) * info.h, (k / info.nx + 0.5) * info.h, field)));
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

/* A mode of the heat equation decays as its eigenvalue says: by the scheme's own factor to rounding, and in the limit exactly. */
static void decay(clEvolutionEdge edge, Start start, double l) {
  clEvolutionOptions o = {.nx = cells, .ny = cells, .dt = 0.004, .diffusion = {1}};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = edge;
  double g = 1 - sqrt(0.5);
  for (int scheme = 0; scheme < 2; scheme++)
    for (double dt = 0.0002; dt < 3; dt *= 40) {
      o.scheme = (clEvolutionScheme)scheme;
      o.dt = dt;
      clEvolution *e = create(&o);
      upload(e, start);
      CHECK(clEvolutionStep(e, 2));
      double z = dt * l, factor = scheme ? 1 / (1 + z) : (1 - (1 - 2 * g) * z) / ((1 + g * z) * (1 + g * z));
      assert_true(errorOf(e, start, factor * factor, 0) < 3e-5);
      clEvolutionDestroy(e);
    }
}

/* Where rows end in the middle of a texel, too. */
static void testHeatDecays(void **state) {
  (void)state;
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
  clEvolution *e = create(&(clEvolutionOptions){.nx = 4,
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
  clEvolutionDestroy(e);
  return error;
}

static void testOrders(void **state) {
  (void)state;
  double imex = cubic(TEXLA_EVOLUTION_IMEX, 8) / cubic(TEXLA_EVOLUTION_IMEX, 16);
  double euler = cubic(TEXLA_EVOLUTION_EULER, 32) / cubic(TEXLA_EVOLUTION_EULER, 64);
  double rk4 = cubic(TEXLA_EVOLUTION_RK4, 2) / cubic(TEXLA_EVOLUTION_RK4, 4);
  assert_true(imex > 3.4 && imex < 5);
  assert_true(euler > 1.9 && euler < 2.2);
  assert_true(rk4 > 12); /* a constant of the error is small here: more than 16 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testHeatDecays),
      cmocka_unit_test(testOrders),
  };
  return cmocka_run_group_tests(tests, setUp, testContextDestroy);
}
