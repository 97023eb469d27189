/* What is measured of a flow: sums over its fields. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/traits.h"

#include <math.h>
#include <stdlib.h>

/* *sum <- a . b in double on the host: where the device has no double-float. */
static clStatus dotOnHost(clFlow *flow, const clVector *a, const clVector *b, double *sum) {
  int64_t n = clVectorLength(a);
  float *other = txAllocate(txFlowError(flow), "clFlow", (size_t)n, sizeof *other, "a field");
  if (!other)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorDownload(a, flow->host));
  TRY_CLEANUP(clVectorDownload(b, other));
  *sum = 0;
  for (int64_t k = 0; k < n; k++)
    *sum += (double)flow->host[k] * (double)other[k];
cleanup:
  free(other);
  return status;
}

clStatus txFlowDot(clFlow *flow, const clVector *a, const clVector *b, double *sum) {
  if (!txContextTraits(flow->context)->double_float)
    return dotOnHost(flow, a, b, sum);
  if (!flow->sum)
    TRY(clDoubleCreate(&flow->sum, flow->context));
  TRY(clVectorDotDouble(flow->sum, a, b));
  return clDoubleDownload(flow->sum, sum);
}

/* *sum <- a . a + b . b */
static clStatus squares(clFlow *flow, const clVector *a, const clVector *b, double *sum) {
  double first = 0, second = 0;
  TRY(txFlowDot(flow, a, a, &first));
  TRY(txFlowDot(flow, b, b, &second));
  *sum = first + second;
  return TEXLA_OK;
}

clStatus txFlowCheckResult(const clFlow *flow, const void *out, const char *call) {
  if (flow && out)
    return TEXLA_OK;
  return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
                "flow and the place of the result must not be NULL");
}

/* 1/2 h^2 (u . u + v . v) */
clStatus clFlowEnergy(clFlow *flow, double *energy) {
  double sum = 0;
  TRY(txFlowCheckResult(flow, energy, "clFlowEnergy"));
  TRY(squares(flow, flow->u, flow->v, &sum));
  *energy = 0.5 * flow->options.h * flow->options.h * sum;
  return TEXLA_OK;
}

/* |u - u of the last call| / |u| per time; infinite at the first call, which has none before. */
clStatus clFlowChange(clFlow *flow, double *change) {
  double difference = 0, all = 0;
  TRY(txFlowCheckResult(flow, change, "clFlowChange"));
  clVector *const now[] = {flow->u, flow->v}, *const scratch[] = {flow->work, flow->z};
  bool first = !flow->last[0] || !flow->last[1];
  for (int k = 0; k < 2; k++) {
    if (!flow->last[k])
      TRY(clVectorCreateLike(&flow->last[k], now[k]));
    TRY(clVectorAdd(scratch[k], 1, NULL, now[k], -1, NULL, flow->last[k]));
    TRY(clVectorCopy(flow->last[k], now[k]));
  }
  TRY(squares(flow, flow->work, flow->z, &difference));
  TRY(squares(flow, flow->u, flow->v, &all));
  double passed = flow->info.time - flow->since;
  *change = 0;
  if (first || passed <= 0)
    *change = INFINITY;
  else if (all > 0)
    *change = sqrt(difference / all) / passed;
  flow->since = flow->info.time;
  return TEXLA_OK;
}

/* Does no energy come from outside? */
static bool isLeftAlone(const clFlowOptions *o) {
  bool alone = o->force[0] == 0 && o->force[1] == 0 && o->buoyancy == 0 && o->confinement == 0;
  for (int s = 0; s < 4; s++) {
    const clFlowSide *side = &o->side[s];
    alone &= side->edge != TEXLA_FLOW_INFLOW && side->edge != TEXLA_FLOW_OUTFLOW;
    alone &= side->edge != TEXLA_FLOW_NO_SLIP || side->velocity[1 - s / 2] == 0;
  }
  return alone;
}

/* Where nothing comes in, energy is lost to viscosity alone, dE/dt = -nu (integral of vorticity^2):
 * the nu that would lose what has been lost since the last call is what the flow really has, with
 * all that differences add to the option's. The mean over that time is taken of both ends. */
clStatus clFlowViscosity(clFlow *flow, double *viscosity) {
  double energy = 0, turning = 0;
  TRY(txFlowCheckResult(flow, viscosity, "clFlowViscosity"));
  if (!isLeftAlone(&flow->options)) {
    *viscosity = NAN;
    return TEXLA_OK;
  }
  TRY(clFlowEnergy(flow, &energy));
  TRY(txFlowView(flow, TEXLA_FLOW_VORTICITY - TEXLA_FLOW_SPEED));
  TRY(txFlowDot(flow, flow->work, flow->work, &turning));
  const clFlowInfo *i = &flow->info;
  double passed = i->time - flow->energy_time, mean = 0.5 * i->h * i->h * (turning + flow->turning);
  *viscosity = NAN;
  if (flow->energy > 0 && passed > 0)
    *viscosity = (flow->energy - energy) / (passed * mean);
  flow->energy = energy;
  flow->turning = turning;
  flow->energy_time = i->time;
  return TEXLA_OK;
}
