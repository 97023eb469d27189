/* Solution of exercise 14: honey in a channel takes the shape of a parabola. */
#include "lesson.h"

/* Cells; the flow depends on y alone, so that few along x will do. */
enum { NX = 8, NY = 16, STEPS = 1500 };

int main(int argc, char **argv) {
  static float u[NX * NY];
  clContext *context = lessonBegin(argc, argv);
  clFlow *flow;
  /* A force instead of a pressure gradient; the steps are as long as explicit diffusion allows. */
  const double nu = .5, force = 1;
  clFlowOptions options = {.nx = NX,
                           .ny = NY,
                           .h = 1. / NY,
                           .viscosity = nu,
                           .force = {force, 0},
                           .dt = 1. / NY / NY / (5 * nu),
                           .scheme = TEXLA_FLOW_DONOR_CELL,
                           .side = {[TEXLA_SIDE_LEFT] = {.edge = TEXLA_FLOW_PERIODIC},
                                    /* no-slip walls: zero means default */
                                    [TEXLA_SIDE_RIGHT] = {.edge = TEXLA_FLOW_PERIODIC}}};
  OK(clFlowCreate(&flow, context, &options));
  OK(clFlowStep(flow, STEPS));
  const clVector *field;
  OK(clFlowGet(&field, flow, TEXLA_FLOW_U));
  OK(clVectorDownload(field, u));
  double worst = 0;
  for (int j = 0; j < NY; j++) {
    /* 0 = force + nu u'' with u = 0 at both walls. */
    double y = (j + .5) / NY, exact = force / (2 * nu) * y * (1 - y);
    worst = fmax(worst, fabs((double)u[j * NX] - exact));
    if (j % 5 == 2)
      printf("y = %.3f: u = %.5f, exact %.5f\n", y, u[j * NX], exact);
  }
  printf("largest error: %.1e\n", worst);
  lessonExpect(worst < 2e-3, "the profile is a parabola");
  clFlowDestroy(flow);
  return lessonEnd();
}
