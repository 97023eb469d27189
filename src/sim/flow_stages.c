/* What happens to a flow before the projection: diffusion and prediction, in one stage or two. */
#include "sim/flow.h"
#include "core/try.h"
#include "sim/kernels.h"

#include <math.h>
#include <string.h>

clStatus txFlowView(clFlow *flow, int view) {
  clKernelRun run = txFlowInputs(flow);
  run.output[0] = flow->work;
  /* The speed is a velocity, the others are differences of velocities over h. */
  float factor = 1;
  if (view)
    factor = (float)(1 / flow->options.h);
  run.parameter[1] = (clKernelParameter){"factor", 1, {factor}};
  return txRunFields(flow->view[view], &run);
}

/* u, v += l L (u, v) */
static clStatus diffuseExplicitly(clFlow *flow, double velocity) {
  clKernelRun run = txFlowInputs(flow);
  run.output[0] = flow->u;
  run.output[1] = flow->v;
  run.parameter[1] = (clKernelParameter){"rates", 3, {(float)velocity, 0, 1}};
  return txFlowStage(flow, TX_FLOW_DIFFUSE, flow->spread, &run);
}

/* Parameters of a prediction over the time dt */
static void setPrediction(clKernelRun *run, const clFlow *flow, double dt) {
  const clFlowOptions *o = &flow->options;
  double rate = dt / o->h, viscosity = o->viscosity;
  if (txFlowDiffusesApart(flow))
    viscosity = 0;
  run->parameter[1] =
      (clKernelParameter){"rates", 3, {(float)dt, (float)rate, (float)(viscosity * rate / o->h)}};
  run->parameter[2] = (clKernelParameter){
      "forces", 4, {(float)o->force[0], (float)o->force[1], (float)o->buoyancy, (float)o->ambient}};
  /* How much of the pressure of before works here: MacCormack's has half of it in push(). */
  float pressure = 1;
  if (o->scheme == TEXLA_FLOW_MACCORMACK)
    pressure = 0.5f;
  run->parameter[3] = (clKernelParameter){
      "blend", 3, {(float)o->gamma, (float)(o->viscosity * rate / o->h), pressure}};
}

/* MacCormack's transport takes place between two halves of the pressure's work: so a parcel of
 * fluid feels it at both ends of its way, and the step is of second order. */
static clStatus push(clFlow *flow, double dt) {
  clKernelRun run = txFlowInputs(flow);
  run.output[0] = flow->u;
  run.output[1] = flow->v;
  run.output[2] = flow->p;
  run.parameter[1] = (clKernelParameter){"scale", 2, {(float)(dt / (2 * flow->options.h)), 0}};
  return txFlowStage(flow, TX_FLOW_PROJECT, flow->project, &run);
}

/* MacCormack's first pass, whose results become inputs of the second. */
static clStatus guess(clFlow *flow, clKernelRun *run) {
  static const char *const name[] = {"u_0", "v_0"};
  clKernelRun first = *run;
  /* a name that a kernel does not read may be there */
  for (int k = 0; k < 2; k++) {
    first.output[k] = flow->half[k];
    txRunInput(run, name[k], flow->half[k]);
  }
  return txRunFields(flow->guess, &first);
}

/* to <- u, v + dt (forces, transport and, where it is explicit, diffusion) - the pressure's work */
static clStatus predict(clFlow *flow, clVector *const to[2], double dt) {
  if (flow->guess)
    TRY(push(flow, dt));
  clKernelRun run = txFlowInputs(flow);
  for (int k = 0; k < 2; k++)
    run.output[k] = to[k];
  setPrediction(&run, flow, dt);
  if (flow->guess)
    TRY(guess(flow, &run));
  return txFlowStage(flow, TX_FLOW_PREDICT, flow->predict, &run);
}

/* u, v += dt e h (n x w): vorticity confinement (Fedkiw, Stam and Jensen 2001), which gives back to
 * vortices what differences take from them; n points to where |w| grows. */
static clStatus confine(clFlow *flow, double dt) {
  TRY(txFlowView(flow, TEXLA_FLOW_VORTICITY - TEXLA_FLOW_SPEED));
  clKernelRun run = txFlowInputs(flow);
  run.output[0] = flow->u;
  run.output[1] = flow->v;
  txRunInput(&run, "vorticity", flow->work);
  run.parameter[1] =
      (clKernelParameter){"push", 1, {(float)(flow->options.confinement * dt * flow->options.h)}};
  return txRunFields(flow->confine, &run);
}

/* The documents' step: diffusion where the prediction has none (semi-Lagrangian transport is stable
 * only beside its own). */
static clStatus predictOnce(clFlow *flow, double dt) {
  const clFlowOptions *o = &flow->options;
  double l = 0;
  if (txFlowDiffusesApart(flow))
    l = o->viscosity * dt / (o->h * o->h);
  clVector *const field[] = {flow->u, flow->v, NULL};
  if (flow->diffuse && l > 0) {
    TRY(txFlowStarts(flow));
    for (int k = 0; k < 2; k++)
      TRY(clVectorCopy(flow->start[k], field[k]));
    TRY(txFlowDiffuse(flow, field, l));
  } else if (flow->spread) {
    TRY(diffuseExplicitly(flow, l));
  }
  return predict(flow, field, dt);
}

/* u, v <- base + 2 half + dt (what half a step's velocity makes of itself) */
static clStatus predictFromHalf(clFlow *flow, double dt) {
  static const char *const name[] = {"u_0", "v_0"};
  clVector *const field[] = {flow->u, flow->v};
  clKernelRun run = txFlowInputs(flow);
  for (int k = 0; k < 2; k++) {
    run.input[k].vector = flow->half[k];
    txRunInput(&run, name[k], field[k]);
    run.output[k] = field[k];
  }
  setPrediction(&run, flow, dt);
  return txFlowStage(flow, TX_FLOW_LEAP, flow->leap, &run);
}

/* Two stages of second order. With N for all that is explicit,
 *     (1 - dt/2 nu L) u' = b = u + dt/2 N(u),     u* = u + dt (N(u') + nu L u') = u + dt N(u') + 2
 *                                                 (u' - b)
 * For N = 0 that is Crank-Nicolson's rule. The guess for u' is u: what has come to rest stays. */
static clStatus predictTwice(clFlow *flow, double dt) {
  const clFlowOptions *o = &flow->options;
  double rate = dt / (2 * o->h * o->h);
  clVector *const field[] = {flow->u, flow->v};
  clVector *const half[] = {flow->half[0], flow->half[1], NULL}, *const *b = half;
  if (flow->gates[1])
    TRY(clVectorCopy(flow->held, flow->rim));
  if (o->viscosity > 0) {
    TRY(txFlowStarts(flow));
    b = flow->start;
    for (int k = 0; k < 2; k++)
      TRY(clVectorCopy(half[k], field[k]));
  }
  TRY(predict(flow, b, dt / 2));
  for (int k = 0; k < 2; k++)
    TRY(clVectorAxpy(field[k], -2, NULL, b[k]));
  if (flow->gates[1])
    TRY(clVectorAxpy(flow->held, -2, NULL, flow->rim));
  if (o->viscosity > 0)
    TRY(txFlowDiffuse(flow, half, o->viscosity * rate));
  if (flow->gates[1])
    TRY(clVectorCopy(flow->gates[1], flow->held));
  return predictFromHalf(flow, dt);
}

clStatus txFlowPredict(clFlow *flow, double dt) {
  if (flow->confine)
    TRY(confine(flow, dt));
  if (flow->options.stepping == TEXLA_FLOW_MIDPOINT)
    return predictTwice(flow, dt);
  return predictOnce(flow, dt);
}
