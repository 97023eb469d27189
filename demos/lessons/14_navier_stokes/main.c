/* Lesson 14: the Navier-Stokes equations, and the vortices behind a cylinder. */
#include "lesson.h"

/* Cells along and across the channel, and steps. */
enum { NX = 128, NY = 48, STEPS = 500 };

/* A field of the flow as a picture of its name. */
static void picture(clFlow *flow, clFlowField field, clColormap map, float lo, float hi) {
  const clVector *values;
  OK(clFlowGet(&values, flow, field));
  lessonPicture(clFlowFieldName(field), values, NX, map, lo, hi);
}

int main(int argc, char **argv) {
  static uint8_t solid[NX * NY];
  clContext *context = lessonBegin(argc, argv);
  clFlow *flow;
  /* Lengths are in heights of the channel, speeds in that of the inflow: the Reynolds number of
   * the cylinder, 5/24 wide, is about 300. */
  clFlowOptions options = {
      .nx = NX,
      .ny = NY,
      .h = 1. / NY,
      .viscosity = 1. / 1500,
      .side = {[TEXLA_SIDE_LEFT] = {.edge = TEXLA_FLOW_INFLOW, .velocity = {1, 0}},
               [TEXLA_SIDE_RIGHT] = {.edge = TEXLA_FLOW_OUTFLOW},
               [TEXLA_SIDE_BOTTOM] = {.edge = TEXLA_FLOW_FREE_SLIP},
               [TEXLA_SIDE_TOP] = {.edge = TEXLA_FLOW_FREE_SLIP}},
      .scheme = TEXLA_FLOW_SEMI_LAGRANGIAN};
  /* a little off the middle, so that symmetry breaks soon */
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++)
      solid[j * NX + i] = hypot(i - 26, j - NY / 2 - 2) < 5;
  OK(clFlowCreate(&flow, context, &options));
  OK(clFlowObstacles(flow, solid));
  double begin = lessonSeconds();
  OK(clFlowStep(flow, STEPS));
  clFlowInfo info = clFlowInspect(flow);
  /* Numbers that tell whether the flow is what it should be. */
  double energy;
  OK(clFlowEnergy(flow, &energy));
  printf("%lld steps to time %.2f in %.1f s, fastest %.2f\n", (long long)info.steps, info.time,
         lessonSeconds() - begin, info.speed);
  printf("largest divergence, times h / speed: %.1e; iterations in the last step: %lld\n",
         info.divergence, (long long)info.iterations);
  printf("solver: %s\n", info.solver);
  picture(flow, TEXLA_FLOW_VORTICITY, TEXLA_COLORMAP_DIVERGING, -12, 12);
  picture(flow, TEXLA_FLOW_PRESSURE, TEXLA_COLORMAP_VIRIDIS, 0, 0);
  picture(flow, TEXLA_FLOW_SPEED, TEXLA_COLORMAP_MAGMA, 0, 1.8f);
  /* What the projection is for. */
  lessonExpect(info.divergence <= 1e-3, "the flow is free of divergence");
  lessonExpect(info.speed > 1.1 && info.speed < 4 && energy > 0,
               "it is faster beside the cylinder");
  clFlowDestroy(flow);
  return lessonEnd();
}
