/* How the dye (temperature) of a flow moves and spreads: fluxes through faces. */
#include "sim/flow.h"
#include "core/try.h"
#include "sim/kernels.h"

#include <math.h>

/* Explicit parts of half a step: diffusion that would need more is implicit; and parts at all. */
enum { MOST_EXPLICIT = 16, MOST_PARTS = 1000 };

/* to <- keep (w start + (1 - w) (from + dt (its transport and, at the rate l, its diffusion))), see
 * shaders/sim/flow_carry.frag */
static clStatus stage(clFlow *flow, clVector *to, const clVector *from, const float rates[4]) {
  clKernelRun run = txFlowInputs(flow);
  run.input[TX_FLOW_DYE].vector = from;
  txRunInput(&run, "dye_0", flow->dye);
  run.output[0] = to;
  run.parameter[1] = (clKernelParameter){"carry", 4, {rates[0], rates[1], rates[2], rates[3]}};
  return txRunFields(flow->carry, &run);
}

/* Heun's rule, of second order. Both stages have all terms, so that a dye that has come to rest
 * does not depend on dt. */
static clStatus carryExplicitly(clFlow *flow, double dt, double keep) {
  const clFlowOptions *o = &flow->options;
  float r = (float)(dt / o->h), l = (float)(o->diffusivity * dt / (o->h * o->h));
  TRY(stage(flow, flow->z, flow->dye, (float[]){r, l, 0, 1}));
  return stage(flow, flow->dye, flow->z, (float[]){r, l, 0.5f, (float)keep});
}

/* (1 - l L) dye <- dye + its transport in so many parts of dt: of first order in time, for any l */
static clStatus carryImplicitly(clFlow *flow, double dt, double keep, int parts) {
  const clFlowOptions *o = &flow->options;
  clVector *const field[] = {NULL, NULL, flow->dye};
  const float rates[] = {(float)(dt / o->h), 0, 0, (float)keep};
  TRY(txFlowStarts(flow));
  for (int k = 1; k < parts; k++)
    TRY(stage(flow, flow->dye, flow->dye, rates));
  TRY(stage(flow, flow->start[2], flow->dye, rates));
  return txFlowDiffuse(flow, field, o->diffusivity * parts * dt / (o->h * o->h));
}

/* Into how many parts a time is divided so that a stage makes no new extrema. A face's value lies
 * between the cell's own and that of a neighbour, so that with s through its faces, in and out, at
 * most r s of what the cell holds is replaced; and diffusion takes up to six parts (two neighbours
 * are walls, half a cell away):
 *     r s + 6 l <= 1 */
clStatus txFlowCarry(clFlow *flow, double dt) {
  const clFlowOptions *o = &flow->options;
  if (dt <= 0 || !flow->dyed)
    return TEXLA_OK;
  if (!txFlowKnown(flow))
    TRY(txFlowLook(flow));
  double way = txFlowPassing(flow) * dt / o->h;
  double spread = 6 * o->diffusivity * dt / (o->h * o->h);
  bool implicit = o->implicit && way + spread > MOST_EXPLICIT && spread > way;
  if (implicit)
    spread = 0;
  double parts = fmax(1, ceil(way + spread));
  if (parts > MOST_PARTS)
    return txFail(
        txFlowError(flow), TEXLA_NOT_FINITE, "clFlowStep",
        "after %lld steps, at time %g, the flow crosses %g cells in a step: a smaller time "
        "step than %g is needed",
        (long long)flow->info.steps, flow->info.time, txFlowFastest(flow) * dt / o->h,
        flow->info.dt);
  dt /= parts;
  double keep = exp(-o->decay * dt);
  if (implicit)
    return carryImplicitly(flow, dt, keep, (int)parts);
  for (int k = 1; k <= parts; k++)
    TRY(carryExplicitly(flow, dt, keep));
  return TEXLA_OK;
}
