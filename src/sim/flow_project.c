/* The projection: velocities without divergence, which is what the pressure is for. With the field
 * q of (sum over open faces of) q - q' = -h div,
 *     u <- u - (q' - q),   p <- p + (h / dt) q
 * takes the divergence out as exactly as q is a solution; what is left is corrected again. */
#include "sim/flow.h"
#include "core/numbers.h"
#include "core/try.h"
#include "sim/kernels.h"
#include "vector/reduce.h"

#include <math.h>

enum { MOST_CORRECTIONS = 30 };

/* rhs <- -h div, work <- speed, z <- what flows through a cell's faces: one pass for what is to be
 * solved and what time steps are chosen from. */
static clStatus diverge(clFlow *flow) {
  clKernelRun run = txFlowInputs(flow);
  run.output[0] = flow->rhs;
  run.output[1] = flow->work;
  run.output[2] = flow->z;
  return txRunFields(flow->divergence, &run);
}

/* seen <- (max |rhs|, max work, max z, 0): what decides how a step goes on, for one read-back.
 * Padding is zero, and none is negative. */
static clStatus reduceAll(clFlow *flow) {
  const txReduction all = {.source = {flow->rhs, flow->work, flow->z},
                           .term = "vec4(largestOf(abs(at(x, p))), largestOf(at(y, p)), "
                                   "largestOf(at(z, p)), 0.)",
                           .combine = "larger(a, b)"};
  txPass final = {.kernel = "reduce_vec4", .target = {flow->seen->texture}};
  return txReduce("clFlowStep", &all, &final);
}

/* What a look has read. The divergence is relative: in units of the velocity that a cell's worth of
 * it would make. */
static clStatus understand(clFlow *flow, const float seen[4]) {
  float divergence = seen[0], speed = seen[1];
  if (!isfinite(divergence) || !isfinite(speed))
    return txFail(txFlowError(flow), TEXLA_NOT_FINITE, "clFlowStep",
                  "after %lld steps, at time %g, the flow is not finite any more: a smaller time "
                  "step than %g is needed",
                  (long long)flow->info.steps, flow->info.time, flow->info.dt);
  flow->info.speed = (double)speed;
  flow->passing = (double)seen[2];
  flow->info.divergence = 0;
  if (speed > 0)
    flow->info.divergence = (double)(divergence / speed);
  return TEXLA_OK;
}

clStatus txFlowLook(clFlow *flow) {
  float seen[4] = {0};
  txFlowForget(flow);
  TRY(diverge(flow));
  TRY(reduceAll(flow));
  TRY(clVectorDownload(flow->seen, seen));
  TRY(understand(flow, seen));
  flow->looked = true;
  return TEXLA_OK;
}

void txFlowForget(clFlow *flow) {
  clReadFinish(flow->late.read, NULL);
  flow->late = (txFlowLate){0};
  flow->added[0] = flow->added[1] = 0;
  flow->seen_step = flow->info.steps;
  flow->grown = 0;
  flow->planned = 0;
}

/* One correction more than the step had is needed where the look saw too much. Where it saw far
 * less, one less is tried; where that has proved too few at once, not again for some steps, which
 * are twice as many each time. */
static int nextPlan(clFlow *flow) {
  enum { LEAST = 8, MOST = 64 };
  const double far = 0.1;
  txFlowLate *late = &flow->late;
  double left = flow->info.divergence, tolerance = flow->options.tolerance;
  int64_t now = flow->info.steps;
  if (left > tolerance && late->corrections < MOST_CORRECTIONS) {
    bool failed = late->patience && now - late->tried < LEAST;
    if (failed)
      late->patience = txLeast(2 * late->patience, MOST);
    else
      late->patience = LEAST;
    late->held = now + late->patience;
    return late->corrections + 1;
  }
  if (left < far * tolerance && late->corrections > 1 && now >= late->held) {
    late->tried = now;
    return late->corrections - 1;
  }
  return late->corrections;
}

clStatus txFlowLookBack(clFlow *flow) {
  txFlowLate *late = &flow->late;
  double before = flow->info.speed;
  float seen[4] = {0};
  clRead *read = late->read;
  late->read = NULL;
  if (!read)
    return TEXLA_OK;
  TRY(clReadFinish(read, seen));
  TRY(understand(flow, seen));
  flow->grown = fmax(0, flow->info.speed - before) / (double)(late->step - flow->seen_step);
  flow->seen_step = late->step;
  flow->added[1] = 0;
  flow->planned = nextPlan(flow);
  return TEXLA_OK;
}

/* A look that the next step takes. */
static clStatus lookLater(clFlow *flow) {
  TRY(diverge(flow));
  TRY(reduceAll(flow));
  TRY(clVectorReadStart(&flow->late.read, flow->seen));
  flow->late.corrections = flow->info.corrections;
  flow->late.step = flow->info.steps;
  flow->added[1] = flow->added[0];
  flow->added[0] = 0;
  return TEXLA_OK;
}

/* In a browser a read-back waits until all that has been asked for is computed, so that nothing is
 * prepared meanwhile. Not all steps are looked at whose number of corrections has proved right, and
 * before which nobody has pushed the flow much. */
static bool lookIsDue(const clFlow *flow) {
  const double much = 0.05;
  return flow->planned != flow->late.corrections || flow->added[0] > much * flow->info.speed ||
         flow->info.steps - flow->seen_step >= TX_FLOW_EVERY;
}

/* q <- M rhs, one cycle. Around obstacles a step of conjugate gradients, whose residual is the
 * divergence itself:
 *     q <- M rhs + beta q,  beta = (rhs . M rhs) / (the last one),  alpha <- (rhs . M rhs) / (q . A
 *                           q) */
static clStatus cycle(clFlow *flow) {
  bool first = flow->info.iterations++ == 0;
  if (!flow->A)
    return clMultigridApply(flow->multigrid, flow->q, flow->rhs);
  clVector *z = flow->z;
  if (first)
    z = flow->q;
  clFloat *old = flow->rz[1];
  flow->rz[1] = flow->rz[0];
  flow->rz[0] = old;
  TRY(clMultigridApply(flow->multigrid, z, flow->rhs));
  TRY(clVectorMul(z, z, flow->fluid));
  TRY(clVectorDot(flow->rz[0], flow->rhs, z));
  if (!first) {
    TRY(clFloatDivZ(flow->alpha, flow->rz[0], flow->rz[1]));
    TRY(clVectorAdd(flow->q, 1, NULL, z, 1, flow->alpha, flow->q));
  }
  TRY(clMatrixMulVector(flow->work, flow->A, flow->q));
  TRY(clVectorDot(flow->alpha, flow->q, flow->work));
  return clFloatDivZ(flow->alpha, flow->rz[0], flow->alpha);
}

/* Without cycles plain conjugate gradients. That they have not converged is no failure: whether
 * there is another correction is decided by the divergence. */
static clStatus solve(clFlow *flow) {
  flow->info.corrections++;
  if (flow->multigrid)
    return cycle(flow);
  clSolverReport report = {0};
  TRY(clVectorClear(flow->q));
  clStatus status = clSolverSolve(flow->cg, flow->q, flow->rhs, &report);
  flow->info.iterations += report.iterations;
  if (status == TEXLA_NOT_CONVERGED)
    return TEXLA_OK;
  return status;
}

/* u, v and p take a correction of the divergence in rhs: all of q, or alpha times it where q is a
 * conjugate direction. */
static clStatus correct(clFlow *flow, double dt) {
  TRY(solve(flow));
  clKernelRun run = txFlowInputs(flow);
  run.input[TX_FLOW_P].vector = flow->q;
  run.output[0] = flow->u;
  run.output[1] = flow->v;
  run.output[2] = flow->p;
  if (flow->multigrid && flow->A)
    run.scalar[0] = flow->alpha;
  run.parameter[1] = (clKernelParameter){"scale", 2, {1, (float)(flow->options.h / dt)}};
  return txFlowStage(flow, TX_FLOW_PROJECT, flow->project, &run);
}

/* So many corrections, without a look at the divergence: nothing is read back. */
static clStatus correctOften(clFlow *flow, double dt, int corrections) {
  for (int k = 0; k < corrections; k++) {
    TRY(diverge(flow));
    TRY(correct(flow, dt));
  }
  return TEXLA_OK;
}

/* So many as looks of before have asked for. */
static clStatus projectLate(clFlow *flow, double dt) {
  TRY(correctOften(flow, dt, flow->planned));
  if (lookIsDue(flow))
    TRY(lookLater(flow));
  flow->looked = true;
  return TEXLA_OK;
}

clStatus txFlowProject(clFlow *flow, double dt) {
  const clFlowOptions *o = &flow->options;
  flow->info.corrections = 0;
  flow->info.iterations = 0;
  if (o->corrections) {
    clStatus status = correctOften(flow, dt, o->corrections);
    flow->looked = false;
    flow->info.divergence = NAN;
    return status;
  }
  if (flow->planned)
    return projectLate(flow, dt);
  TRY(diverge(flow));
  do {
    TRY(correct(flow, dt));
    TRY(txFlowLook(flow));
  } while (flow->info.divergence > o->tolerance && flow->info.corrections < MOST_CORRECTIONS);
  if (flow->info.divergence > o->tolerance)
    return TEXLA_NOT_CONVERGED;
  if (o->late)
    flow->planned = flow->info.corrections;
  return TEXLA_OK;
}
