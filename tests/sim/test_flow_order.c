/* How flows converge with the time step: a vortex that is carried along, which no splitting of its
 * terms leaves alone. */

#include "texla/flow.h"

#include "one_context.h"

static const double pi = 3.14159265358979323846;
enum { N = 32 };
static const double viscosity = 0.02, carried = 1, end = 0.48;

/* Taylor and Green's vortex with the mean velocity (carried, carried / 2), after `steps` steps: u,
 * N * N values that the caller frees. */
static float *run(clFlowStepping stepping, int steps) {
  const double k = 2 * pi, h = 1. / N;
  clFlowOptions o = {.nx = N,
                     .ny = N,
                     .viscosity = viscosity,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .stepping = stepping,
                     .dt = end / steps,
                     .tolerance = 2e-6};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_FLOW_PERIODIC;
  OWN(clFlow) *flow = NULL;
  CHECK(clFlowCreate(&flow, context, &o));
  float *u = malloc(N * N * sizeof *u), *v = malloc(N * N * sizeof *v);
  for (int c = 0; c < N * N; c++) {
    int i = c % N, j = c / N;
    u[c] = (float)(carried + sin(k * (i + 1) * h) * cos(k * (j + 0.5) * h));
    v[c] = (float)(carried / 2 - cos(k * (i + 0.5) * h) * sin(k * (j + 1) * h));
  }
  CHECK(clFlowUpload(flow, u, v, NULL));
  clStatus status = clFlowStep(flow, steps);
  assert_true(status >= 0);
  const clVector *field = NULL;
  CHECK(clFlowGet(&field, flow, TEXLA_FLOW_U));
  CHECK(clVectorDownload(field, u));
  free(v);
  return u;
}

/* Root of the mean square of the difference to `reference`. */
static double errorOf(clFlowStepping stepping, int steps, const float *reference) {
  FREED float *u = run(stepping, steps);
  double sum = 0;
  for (int c = 0; c < N * N; c++)
    sum += pow((double)u[c] - (double)reference[c], 2);
  return sqrt(sum) / N;
}

static void errorsFallWithTheirOrder(void **state) {
  static const char *const name[] = {"Euler", "midpoint"};
  static const int coarsest[] = {48, 12};
  FREED float *reference = run(TEXLA_FLOW_MIDPOINT, 384);
  for (int stepping = 0; stepping < 2; stepping++) {
    double error[3];
    for (int k = 0; k < 3; k++)
      error[k] = errorOf((clFlowStepping)stepping, coarsest[stepping] << k, reference);
    double order = log2(error[0] / error[2]) / 2;
    print_message("%s: errors %.3g, %.3g, %.3g with %d, %d, %d steps: order %.2f\n", name[stepping],
                  error[0], error[1], error[2], coarsest[stepping], 2 * coarsest[stepping],
                  4 * coarsest[stepping], order);
    assert_true(stepping ? order > 1.8 && order < 2.3 : order > 0.8 && order < 1.3);
  }
}

/* What steps of ten times the length that explicit diffusion allows leave of a weak vortex at rest,
 * over what they should. */
static double leftByDiffusion(clFlowStepping stepping, double *wanted) {
  const double k = 2 * pi, h = 1. / N, nu = 0.1, dt = 10 * h * h / (4 * nu), weak = 1e-3;
  const double z = dt * nu * 8 / (h * h) * pow(sin(k * h / 2), 2);
  const int steps = 3;
  clFlowOptions o = {.nx = N,
                     .ny = N,
                     .viscosity = nu,
                     .scheme = TEXLA_FLOW_DONOR_CELL,
                     .stepping = stepping,
                     .dt = dt,
                     .tolerance = 1e-5};
  for (int s = 0; s < 4; s++)
    o.side[s].edge = TEXLA_FLOW_PERIODIC;
  clFlow *flow = NULL;
  double first, last;
  if (stepping == TEXLA_FLOW_EULER)
    assertFails(context, clFlowCreate(&flow, context, &o), TEXLA_BAD_ARGUMENT,
                "too long for explicit diffusion");
  o.implicit = true;
  CHECK(clFlowCreate(&flow, context, &o));
  float u[N * N], v[N * N];
  for (int c = 0; c < N * N; c++) {
    int i = c % N, j = c / N;
    u[c] = (float)(weak * sin(k * (i + 1) * h) * cos(k * (j + 0.5) * h));
    v[c] = (float)(-weak * cos(k * (i + 0.5) * h) * sin(k * (j + 1) * h));
  }
  CHECK(clFlowUpload(flow, u, v, NULL));
  CHECK(clFlowEnergy(flow, &first));
  CHECK(clFlowStep(flow, steps));
  CHECK(clFlowEnergy(flow, &last));
  clFlowDestroy(flow);
  *wanted = pow(stepping == TEXLA_FLOW_EULER ? 1 / (1 + z) : (1 - z / 2) / (1 + z / 2), steps);
  return sqrt(last / first);
}

/* Implicit diffusion: backward Euler's rule beside Euler's steps, Crank and Nicolson's within the
 * midpoint rule. */
static void diffusionHasNoLimit(void **state) {
  for (int stepping = 0; stepping < 2; stepping++) {
    double wanted, left = leftByDiffusion((clFlowStepping)stepping, &wanted);
    print_message("%s: %.6f of a vortex is left (%.6f)\n",
                  stepping ? "Crank-Nicolson" : "backward Euler", left, wanted);
    assert_true(fabs(left / wanted - 1) < 2e-4);
  }
}

TEST_MAIN(setUp, testContextDestroy, diffusionHasNoLimit, errorsFallWithTheirOrder)
