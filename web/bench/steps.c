/* Steps of the simulation classes in a browser, beside those of gpu-io on the same page
 * (steps.html): Gray-Scott's equations, waves and a fluid on N x N cells. */
#include <emscripten.h>
#include <stdlib.h>

#include "texla/sim.h"

enum { N = 1024 };
/* FLUID_ONCE: one cycle a step, and nobody looks at what it has left. */
enum { GRAY_SCOTT, WAVES, FLUID, FLUID_ONCE };

static clError error;
static clContext *context;
static clEvolution *evolution;
static clWave *wave;
static clFlow *flow, *flow_once;
static clFloat *most;

EMSCRIPTEN_KEEPALIVE const char *stepsMessage(void) {
  return error.message[0] ? error.message : clContextError(context)->message;
}

/* Feed and removal vary over the domain, as in gpu-io's example; all of it is explicit. */
static const char gray_scott[] =
    "void rate(out vec4 f[FIELDS]) {\n"
    "  vec4 a = u(0, 0), b = v(0, 0), reaction = a * b * b;\n"
    "  vec4 feed = mix(vec4(.016), vec4(.044), at_y(0, 0) / grid.y);\n"
    "  vec4 removal = mix(vec4(.05), vec4(.066), at_x(0, 0) / grid.x);\n"
    "  f[0] = .2097 * lap(u) - reaction + feed * (1. - a);\n"
    "  f[1] = .105 * lap(v) + reaction - (removal + feed) * b;\n"
    "}\n";

static clStatus create(void) {
  clEvolutionOptions equations = {.nx = N,
                                  .ny = N,
                                  .h = 1,
                                  .dt = 1,
                                  .fields = 2,
                                  .rate = gray_scott,
                                  .scheme = TEXLA_EVOLUTION_EULER};
  clWaveOptions water = {.nx = N, .ny = N, .h = 1, .c = .15, .dt = 1};
  clFlowOptions fluid = {.nx = N, .ny = N, .h = 1, .dt = 1};
  for (int s = 0; s < 4; s++) {
    water.edge[s] = TEXLA_WAVE_EDGE_PERIODIC;
    fluid.side[s].edge = TEXLA_FLOW_PERIODIC;
  }
  clStatus status = clContextCreate(&context, NULL, &error);
  if (!status)
    status = clFloatCreate(&most, context);
  if (!status)
    status = clEvolutionCreate(&evolution, context, &equations);
  if (!status)
    status = clWaveCreate(&wave, context, &water);
  if (!status)
    status = clFlowCreate(&flow, context, &fluid);
  fluid.corrections = 1;
  if (!status)
    status = clFlowCreate(&flow_once, context, &fluid);
  return status;
}

EMSCRIPTEN_KEEPALIVE int stepsOpen(void) {
  return create();
}

static clFlow *flowOf(int what) {
  return what == FLUID ? flow : flow_once;
}

/* Starts anew from fields of N x N numbers: a and b of the equations, the height, u and v. */
EMSCRIPTEN_KEEPALIVE int stepsStart(int what, const float *a, const float *b) {
  if (what == GRAY_SCOTT)
    return clEvolutionUpload(evolution, (const float *const[TEXLA_EVOLUTION_FIELDS]){a, b});
  if (what == WAVES)
    return clWaveUpload(wave, a, b);
  return clFlowUpload(flowOf(what), a, b, NULL);
}

static const clVector *field(int what) {
  if (what == GRAY_SCOTT)
    return clEvolutionField(evolution, 1);
  if (what == WAVES)
    return clWaveHeight(wave);
  const clVector *u = NULL;
  return clFlowGet(&u, flowOf(what), TEXLA_FLOW_U) ? NULL : u;
}

/* So many steps, until a number of the last one is here. */
EMSCRIPTEN_KEEPALIVE int stepsRun(int what, int times) {
  clStatus status;
  float value;
  if (what == GRAY_SCOTT)
    status = clEvolutionStep(evolution, times);
  else if (what == WAVES)
    status = clWaveStep(wave, times);
  else
    status = clFlowStep(flowOf(what), times);
  if (!status)
    status = clVectorMax(most, field(what));
  return status ? status : clFloatDownload(most, &value);
}

/* The second field of the equations, the height, or u. */
EMSCRIPTEN_KEEPALIVE int stepsRead(int what, float *values) {
  return clVectorDownload(field(what), values);
}

/* max |div u| h / max |u| of the fluid now, with h = 1. */
EMSCRIPTEN_KEEPALIVE double stepsDivergence(int what) {
  static const clFlowField asked[] = {TEXLA_FLOW_DIVERGENCE, TEXLA_FLOW_SPEED};
  float largest[2] = {0};
  for (int k = 0; k < 2; k++) {
    const clVector *values = NULL;
    clStatus status = clFlowGet(&values, flowOf(what), asked[k]);
    if (!status)
      status = clVectorAbsMax(most, values);
    if (status || clFloatDownload(most, &largest[k]))
      return -1;
  }
  return (double)(largest[0] / largest[1]);
}
EMSCRIPTEN_KEEPALIVE int stepsCycles(int what) {
  return (int)clFlowInspect(flowOf(what)).iterations;
}
