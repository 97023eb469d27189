/* clFlow (K11): a step is a short list of kernels and a pressure solve. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORRECTIONS = 30 };

static clStatus createVectors(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  clVector **const field[] = {&flow->u,      &flow->v,      &flow->p,     &flow->dye,
                              &flow->open_u, &flow->open_v, &flow->fluid, &flow->rhs,
                              &flow->q,      &flow->z,      &flow->work};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < (int)(sizeof field / sizeof *field) && !status; k++)
    status = clVectorCreateGrid(field[k], flow->context, o->nx, o->ny);
  if (!status)
    status = clVectorCreateGrid(&flow->rim, flow->context, o->nx > o->ny ? o->nx : o->ny, 20);
  for (int k = 0;
       k < 2 && !status && (txFlowGate(o, TEXLA_SIDE_LEFT) || txFlowGate(o, TEXLA_SIDE_BOTTOM));
       k++)
    status = clVectorCreateLike(&flow->gates[k], flow->rim);
  if (flow->gates[1] && !status)
    status = clVectorCreateLike(&flow->held, flow->rim);
  for (int k = 0; k < 3 && !status && o->implicit; k++)
    status = clVectorCreateGrid(&flow->start[k], flow->context, o->nx, o->ny);
  for (int k = 0; k < 2 && !status &&
                  (o->stepping == TEXLA_FLOW_MIDPOINT || o->scheme == TEXLA_FLOW_MACCORMACK);
       k++)
    status = clVectorCreateGrid(&flow->half[k], flow->context, o->nx, o->ny);
  clFloat **const number[] = {&flow->number[0], &flow->number[1], &flow->rz[0], &flow->rz[1],
                              &flow->alpha};
  for (int k = 0; k < 5 && !status; k++)
    status = clFloatCreate(number[k], flow->context);
  return status;
}

/* A kernel from shaders/sim, with what the flow's options define. */
static clStatus createKernel(const clFlow *flow, clKernel **out, const char *name,
                             const char *define, const char *file) {
  const clFlowOptions *o = &flow->options;
  char source[320];
  snprintf(source, sizeof source, "%s%s%s%s%s#include \"%s.frag\"\n", define,
           txFlowFollows(o) ? "#define SEMI_LAGRANGIAN\n" : "",
           o->scheme == TEXLA_FLOW_MACCORMACK ? "#define MACCORMACK\n" : "",
           o->implicit ? "#define IMPLICIT\n" : "", flow->distance ? "#define CUT\n" : "", file);
  return clKernelCreate(out, flow->context, name, source);
}

static clStatus createGates(clFlow *flow) {
  static const char *const stage[] = {"#define PREDICT\n", "#define LEAP\n#define PREDICT\n",
                                      "#define DIFFUSE\n", "#define PROJECT\n", "#define SPLAT\n"};
  for (int k = 0; k < TX_FLOW_STAGES && flow->gates[0]; k++)
    TRY(createKernel(flow, &flow->gate[k], "flow gate", stage[k], "flow_gate"));
  return TEXLA_OK;
}

static void destroyKernels(clFlow *flow) {
  clKernel **const kernel[] = {&flow->predict, &flow->guess,      &flow->confine, &flow->leap,
                               &flow->carry,   &flow->divergence, &flow->project, &flow->splat,
                               &flow->diffuse, &flow->spread,     &flow->view[0], &flow->view[1],
                               &flow->view[2]};
  for (int k = 0; k < (int)(sizeof kernel / sizeof *kernel); k++) {
    clKernelDestroy(*kernel[k]);
    *kernel[k] = NULL;
  }
  for (int k = 0; k < TX_FLOW_STAGES; k++) {
    clKernelDestroy(flow->gate[k]);
    flow->gate[k] = NULL;
  }
}

static clStatus createKernels(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  bool split = o->implicit || txFlowFollows(o), twice = o->stepping == TEXLA_FLOW_MIDPOINT;
  bool apart = split && o->viscosity > 0;
  const struct {
    clKernel **kernel;
    bool wanted;
    const char *name, *define, *file;
  } list[] = {
      {&flow->predict, true, "flow predict", "", "flow_predict"},
      {&flow->leap, twice, "flow predict", "#define LEAP\n", "flow_predict"},
      {&flow->guess, o->scheme == TEXLA_FLOW_MACCORMACK, "flow predict", "#define GUESS\n",
       "flow_predict"},
      {&flow->confine, o->confinement > 0, "flow confine", "", "flow_confine"},
      {&flow->carry, true, "flow carry", "", "flow_carry"},
      {&flow->diffuse, o->implicit && (o->viscosity > 0 || o->diffusivity > 0), "flow diffuse",
       "#define SWEEP\n", "flow_diffuse"},
      {&flow->spread, apart && !o->implicit, "flow diffuse", "", "flow_diffuse"},
      {&flow->divergence, true, "flow divergence", "", "flow_divergence"},
      {&flow->project, true, "flow project", "", "flow_project"},
      {&flow->splat, true, "flow splat", "", "flow_splat"},
      {&flow->view[0], true, "flow view", "#define VIEW 0\n", "flow_view"},
      {&flow->view[1], true, "flow view", "#define VIEW 1\n", "flow_view"},
      {&flow->view[2], true, "flow view", "#define VIEW 2\n", "flow_view"},
  };
  clStatus status = TEXLA_OK;
  for (int k = 0; k < (int)(sizeof list / sizeof *list) && !status; k++)
    if (list[k].wanted)
      status = createKernel(flow, list[k].kernel, list[k].name, list[k].define, list[k].file);
  return status ? status : createGates(flow);
}

static clStatus allocate(clFlow *flow) {
  size_t n = (size_t)flow->options.nx * (size_t)flow->options.ny;
  clStatus status = createVectors(flow);
  if (!status)
    status = createKernels(flow);
  flow->host = status ? NULL
                      : txAllocate(txContextError(flow->context), "clFlowCreate", n,
                                   sizeof *flow->host, "cells");
  if (!status && !flow->host)
    status = TEXLA_OUT_OF_MEMORY;
  return status ? status : clFlowObstacles(flow, NULL);
}

/* Does a side bring or hold dye? */
static bool hasDye(const clFlowOptions *o) {
  for (int s = 0; s < 4; s++)
    if (o->side[s].dye != 0)
      return true;
  return false;
}

clStatus clFlowCreate(clFlow **out, clContext *context, const clFlowOptions *options) {
  static const char call[] = "clFlowCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clFlowOptions o = options ? *options : (clFlowOptions){0};
  clFlowInfo info;
  clStatus status = txFlowChoose(&o, &info, context, call);
  if (status)
    return status;
  clFlow *flow = txAllocate(txContextError(context), call, 1, sizeof *flow, "a clFlow");
  if (!flow)
    return TEXLA_OUT_OF_MEMORY;
  flow->context = context;
  flow->options = o;
  flow->info = info;
  flow->dyed = hasDye(&o);
  status = allocate(flow);
  if (status)
    clFlowDestroy(flow);
  else
    *out = flow;
  return status;
}

static void destroySolver(clFlow *flow) {
  clMultigridDestroy(flow->multigrid);
  clSolverDestroy(flow->cg);
  clMatrixDestroy(flow->A);
  flow->multigrid = NULL;
  flow->cg = NULL;
  flow->A = NULL;
}

static void freeObstacles(clFlow *flow) {
  free(flow->solid);
  free(flow->shut);
  free(flow->face);
  free(flow->distance);
}

void clFlowDestroy(clFlow *flow) {
  if (!flow)
    return;
  clVector *const vector[] = {flow->u,      flow->v,      flow->p,     flow->dye, flow->rim,
                              flow->open_u, flow->open_v, flow->fluid, flow->rhs, flow->q,
                              flow->z,      flow->work,   flow->held};
  clFloat *const number[] = {flow->number[0], flow->number[1], flow->rz[0], flow->rz[1],
                             flow->alpha};
  destroySolver(flow);
  destroyKernels(flow);
  for (int k = 0; k < (int)(sizeof vector / sizeof *vector); k++)
    clVectorDestroy(vector[k]);
  for (int k = 0; k < 3; k++)
    clVectorDestroy(flow->start[k]);
  for (int k = 0; k < 2; k++) {
    clVectorDestroy(flow->half[k]);
    clVectorDestroy(flow->gates[k]);
    clVectorDestroy(flow->last[k]);
    clVectorDestroy(flow->wall[k]);
    clVectorDestroy(flow->tilt[k]);
  }
  for (int k = 0; k < (int)(sizeof number / sizeof *number); k++)
    clFloatDestroy(number[k]);
  clDoubleDestroy(flow->sum);
  freeObstacles(flow);
  free(flow->host);
  free(flow);
}

static void describeSolver(clFlow *flow) {
  if (flow->multigrid)
    snprintf(flow->solver, sizeof flow->solver, "%smultigrid: %s",
             flow->A ? "conjugate directions by " : "", clMultigridDescription(flow->multigrid));
  else
    snprintf(flow->solver, sizeof flow->solver, "cg: %s", clMatrixDescription(flow->A));
  flow->info.solver = flow->solver;
}

/* What follows from obstacles on the host. */
static clStatus setSolver(clFlow *flow) {
  txFlowFillFaces(flow);
  TRY(txFlowFindShut(flow));
  return txFlowSetSolver(flow);
}

/* New obstacles, before anything on the device knows. Fails without an effect. */
static clStatus setSolid(clFlow *flow, const uint8_t *solid, const float *distance,
                         const char *call) {
  const size_t n = (size_t)flow->options.nx * (size_t)flow->options.ny;
  clFlow old = *flow;
  clError *error = txContextError(flow->context);
  flow->solid = txAllocate(error, call, n, 1, "the obstacles");
  flow->shut = txAllocate(error, call, n, 1, "the obstacles");
  flow->face = txAllocate(error, call, 2 * n, sizeof *flow->face, "the obstacles");
  flow->distance =
      distance ? txAllocate(error, call, n, sizeof *flow->distance, "the walls") : NULL;
  flow->multigrid = NULL;
  flow->cg = NULL;
  flow->A = NULL;
  bool allocated = flow->solid && flow->shut && flow->face && (flow->distance || !distance);
  clStatus status = allocated ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  for (size_t k = 0; k < n && !status && solid; k++)
    flow->solid[k] = solid[k] != 0;
  if (!status && distance) {
    memcpy(flow->distance, distance, n * sizeof *distance);
    txFlowFillSolid(flow);
  }
  if (!status)
    status = setSolver(flow);
  clFlow *drop = status ? flow : &old;
  destroySolver(drop);
  freeObstacles(drop);
  if (status)
    *flow = old;
  return status;
}

/* u, v and the velocities through low outflows, as they are with what is solid now. */
static clStatus closeFaces(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  size_t n = (size_t)clVectorLength(flow->u);
  float *u = txAllocate(txContextError(flow->context), "clFlowObstacles",
                        2 * n + (size_t)(o->nx + o->ny), sizeof *u, "the obstacles");
  if (!u)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clVectorDownload(flow->u, u);
  if (!status)
    status = clVectorDownload(flow->v, u + n);
  if (!status)
    status = txFlowGetLow(flow, u + 2 * n);
  if (!status)
    status = txFlowSetFaces(flow);
  if (!status)
    status = txFlowPutVelocity(flow, u, u + n);
  if (!status)
    status = txFlowSetRim(flow, NULL, NULL, u + 2 * n);
  free(u);
  return status;
}

/* What has been set lasts: faces, fields and kernels follow. */
static clStatus takeObstacles(clFlow *flow, bool were_smooth) {
  flow->looked = false;
  describeSolver(flow);
  TRY(closeFaces(flow));
  TRY(clVectorMul(flow->dye, flow->dye, flow->fluid));
  TRY(clVectorMul(flow->p, flow->p, flow->fluid));
  if (were_smooth != (flow->distance != NULL)) {
    destroyKernels(flow);
    TRY(createKernels(flow));
  }
  return TEXLA_OK;
}

clStatus clFlowObstacles(clFlow *flow, const uint8_t *solid) {
  if (!flow)
    return TEXLA_BAD_ARGUMENT;
  bool smooth = flow->distance;
  TRY(setSolid(flow, solid, NULL, "clFlowObstacles"));
  return takeObstacles(flow, smooth);
}

clStatus clFlowWalls(clFlow *flow, const float *distance) {
  static const char call[] = "clFlowWalls";
  if (!flow || !distance)
    return txFail(flow ? txContextError(flow->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "flow and distance must not be NULL");
  if (flow->options.stepping != TEXLA_FLOW_MIDPOINT)
    return txFail(txContextError(flow->context), TEXLA_BAD_ARGUMENT, call,
                  "smooth walls need the midpoint rule (the option stepping)");
  for (int64_t k = 0; k < clVectorLength(flow->u); k++)
    if (!isfinite(distance[k]))
      return txFail(txContextError(flow->context), TEXLA_BAD_ARGUMENT, call,
                    "the distance of cell %lld is not finite", (long long)k);
  bool smooth = flow->distance;
  TRY(setSolid(flow, NULL, distance, call));
  return takeObstacles(flow, smooth);
}

/* values: NULL or one for each cell */
static clStatus checkFinite(const clFlow *flow, const float *values, const char *what) {
  for (int64_t k = 0; values && k < clVectorLength(flow->u); k++)
    if (!isfinite(values[k]))
      return txFail(txContextError(flow->context), TEXLA_NOT_FINITE, "clFlowUpload",
                    "%s of cell (%lld, %lld) is %g at the start", what,
                    (long long)(k % flow->options.nx), (long long)(k / flow->options.nx),
                    (double)values[k]);
  return TEXLA_OK;
}

clStatus clFlowUpload(clFlow *flow, const float *u, const float *v, const float *dye) {
  if (!flow)
    return TEXLA_BAD_ARGUMENT;
  TRY(checkFinite(flow, u, "u"));
  TRY(checkFinite(flow, v, "v"));
  TRY(checkFinite(flow, dye, "the dye"));
  clStatus status = txFlowPutVelocity(flow, u, v);
  if (!status)
    status = txFlowSetRim(flow, u, v, NULL);
  if (!status)
    status = clVectorClear(flow->p);
  if (!status)
    status = dye ? clVectorUpload(flow->dye, dye) : clVectorClear(flow->dye);
  if (!status)
    status = clVectorMul(flow->dye, flow->dye, flow->fluid);
  flow->looked = false;
  flow->dyed = dye || hasDye(&flow->options);
  flow->info.steps = 0;
  flow->info.time = 0;
  flow->info.speed = 0;
  flow->info.dt = flow->options.dt;
  flow->info.divergence = NAN;
  return status;
}

/* shaders/sim/flow_splat.frag */
static clStatus splat(clFlow *flow, const char *call, const double place[3], const double amount[3],
                      double pull) {
  if (!flow)
    return TEXLA_BAD_ARGUMENT;
  bool good = isfinite(pull) && pull >= 0 && place[2] > 0;
  for (int k = 0; k < 3; k++)
    good = good && isfinite(place[k]) && isfinite((float)amount[k]);
  if (!good)
    return txFail(
        txContextError(flow->context), TEXLA_BAD_ARGUMENT, call,
        "x (%g), y (%g), u (%g), v (%g) and dye (%g) must be finite, radius (%g) also positive%s",
        place[0], place[1], amount[0], amount[1], amount[2], place[2],
        pull >= 0 ? "" : ", strength not negative");
  double h = flow->options.h;
  clKernelRun run = txFlowInputs(flow);
  run.output[0] = flow->u;
  run.output[1] = flow->v;
  run.output[2] = flow->dye;
  run.parameter[1] = (clKernelParameter){
      "place", 3, {(float)(place[0] / h), (float)(place[1] / h), (float)(place[2] / h)}};
  run.parameter[2] =
      (clKernelParameter){"amount", 3, {(float)amount[0], (float)amount[1], (float)amount[2]}};
  run.parameter[3] = (clKernelParameter){"pull", 1, {(float)pull}};
  flow->looked = false;
  flow->dyed |= amount[2] != 0;
  return txFlowStage(flow, TX_FLOW_SPLAT, flow->splat, &run);
}

clStatus clFlowSplat(clFlow *flow, double x, double y, double radius, double u, double v,
                     double dye) {
  return splat(flow, "clFlowSplat", (double[]){x, y, radius}, (double[]){u, v, dye}, 0);
}

clStatus clFlowSteer(clFlow *flow, double x, double y, double radius, double u, double v,
                     double dye, double strength) {
  return flow && strength == 0 ? TEXLA_OK
                               : splat(flow, "clFlowSteer", (double[]){x, y, radius},
                                       (double[]){u, v, dye}, strength);
}

/* rhs <- -h div, work <- speed */
static clStatus diverge(clFlow *flow) {
  clKernelRun run = txFlowInputs(flow);
  run.output[0] = flow->rhs;
  run.output[1] = flow->work;
  return txFlowRun(flow->divergence, &run);
}

clStatus txFlowLook(clFlow *flow) {
  float divergence = 0, speed = 0;
  TRY(diverge(flow));
  TRY(clVectorAbsMax(flow->number[0], flow->rhs));
  TRY(clVectorMax(flow->number[1], flow->work));
  TRY(clFloatDownload(flow->number[0], &divergence));
  TRY(clFloatDownload(flow->number[1], &speed));
  if (!isfinite(divergence) || !isfinite(speed))
    return txFail(txContextError(flow->context), TEXLA_NOT_FINITE, "clFlowStep",
                  "after %lld steps, at time %g, the flow is not finite any more: a smaller time "
                  "step than %g is needed",
                  (long long)flow->info.steps, flow->info.time, flow->info.dt);
  flow->info.speed = (double)speed;
  flow->info.divergence = speed > 0 ? (double)(divergence / speed) : 0;
  flow->looked = true;
  return TEXLA_OK;
}

/* The longest step for a flow of speed U that may gain a dt:  dt (U + a dt) = cfl h, and the limits
 * of differences that a viscosity nu' = nu + gamma U h / 2 has to calm: with forward Euler dt <= 2
 * nu' / U^2; the midpoint rule lets waves grow by (U dt / h)^4 / 8 and the viscosity take 2 nu' dt
 * / h^2, so that (U dt / h)^3 <= 16 nu' / (U h), half of that in two dimensions. */
static double chooseStep(const clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  double U = fmax(flow->info.speed, txFlowGiven(o)), way = o->cfl * o->h, slack = 0.9;
  double a = hypot(o->force[0], o->force[1]) + fabs(o->buoyancy);
  double dt = fmin(slack * flow->info.dt_stable,
                   a > 0 ? (sqrt(U * U + 4 * a * way) - U) / (2 * a) : way / U);
  double viscosity = o->viscosity + o->gamma * U * o->h / 2;
  if (o->scheme == TEXLA_FLOW_DONOR_CELL && viscosity > 0)
    dt = fmin(dt, o->stepping == TEXLA_FLOW_MIDPOINT
                      ? slack * cbrt(8 * viscosity * o->h * o->h / U) / U
                      : slack * 2 * viscosity / (U * U));
  if (o->dt_max > 0)
    dt = fmin(dt, o->dt_max);
  return isfinite(dt) && dt > 0 ? dt : o->h;
}

/* q <- M rhs, one cycle. Around obstacles a step of conjugate gradients, whose residual is the
 * divergence itself:
 *     q <- M rhs + beta q,  beta = (rhs . M rhs) / (the last one),  alpha <- (rhs . M rhs) / (q . A
 *                           q) */
static clStatus cycle(clFlow *flow) {
  bool first = flow->info.iterations++ == 0;
  if (!flow->A)
    return clMultigridApply(flow->multigrid, flow->q, flow->rhs);
  clVector *z = first ? flow->q : flow->z;
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

static clStatus solve(clFlow *flow) {
  flow->info.corrections++;
  if (flow->multigrid)
    return cycle(flow);
  clSolverReport report = {0};
  clStatus status = clVectorClear(flow->q);
  if (!status)
    status = clSolverSolve(flow->cg, flow->q, flow->rhs, &report);
  flow->info.iterations += report.iterations;
  /* the divergence decides */
  return status == TEXLA_NOT_CONVERGED ? TEXLA_OK : status;
}

/* u, v and p take a correction of the divergence in rhs */
static clStatus correct(clFlow *flow, double dt) {
  TRY(solve(flow));
  clKernelRun run = txFlowInputs(flow);
  run.input[2].vector = flow->q;
  run.output[0] = flow->u;
  run.output[1] = flow->v;
  run.output[2] = flow->p;
  run.scalar[0] = flow->multigrid && flow->A ? flow->alpha : NULL;
  run.parameter[1] = (clKernelParameter){"scale", 2, {1, (float)(flow->options.h / dt)}};
  return txFlowStage(flow, TX_FLOW_PROJECT, flow->project, &run);
}

static clStatus project(clFlow *flow, double dt) {
  const clFlowOptions *o = &flow->options;
  clStatus status = diverge(flow);
  flow->info.corrections = 0;
  flow->info.iterations = 0;
  if (o->corrections) {
    for (int k = 0; k < o->corrections && !status; k++) {
      status = k ? diverge(flow) : TEXLA_OK;
      if (!status)
        status = correct(flow, dt);
    }
    flow->looked = false;
    flow->info.divergence = NAN;
    return status;
  }
  do {
    if (!status)
      status = correct(flow, dt);
    if (!status)
      status = txFlowLook(flow);
  } while (!status && flow->info.divergence > o->tolerance &&
           flow->info.corrections < MOST_CORRECTIONS);
  return status ? status : flow->info.divergence > o->tolerance ? TEXLA_NOT_CONVERGED : TEXLA_OK;
}

/* Half of the dye's way lies before, half behind the velocity's step, so that both take from each
 * other what they are in the middle. A velocity that has been changed may have a divergence, which
 * would gather dye: then all of it lies behind. */
static clStatus step(clFlow *flow) {
  clStatus status = TEXLA_OK;
  bool touched = !flow->looked;
  if (flow->options.dt == 0 && touched)
    status = txFlowLook(flow);
  if (status)
    return status;
  flow->info.dt = flow->options.dt > 0 ? flow->options.dt : chooseStep(flow);
  double dt = flow->info.dt, before = touched ? 0 : dt / 2;
  status = txFlowCarry(flow, before);
  if (!status)
    status = txFlowPredict(flow, dt);
  if (!status)
    status = project(flow, dt);
  if (status < 0)
    return status;
  flow->info.steps++;
  flow->info.time += dt;
  clStatus carried = txFlowCarry(flow, dt - before);
  return carried ? carried : status;
}

clStatus clFlowStep(clFlow *flow, int64_t count) {
  if (!flow || count < 0)
    return txFail(flow ? txContextError(flow->context) : NULL, TEXLA_BAD_ARGUMENT, "clFlowStep",
                  "flow must not be NULL, count (%lld) not negative", (long long)count);
  clStatus result = TEXLA_OK;
  txScopeEnter(flow->context, "clFlowStep", -1);
  for (; count > 0 && result >= 0; count--) {
    txScopeEnter(flow->context, "step", flow->info.steps);
    clStatus status = txScopeLeave(flow->context, step(flow));
    result = status ? status : result;
  }
  return txScopeLeave(flow->context, result);
}

clFlowInfo clFlowInspect(const clFlow *flow) {
  return flow ? flow->info : (clFlowInfo){.solver = ""};
}

const char *clFlowFieldName(clFlowField field) {
  static const char *const name[] = {"u",     "v",         "pressure",  "dye",
                                     "speed", "vorticity", "divergence"};
  return (unsigned)field < TEXLA_FLOW_FIELDS ? name[field] : "?";
}

clStatus clFlowGet(const clVector **out, clFlow *flow, clFlowField field) {
  if (!out || !flow || (unsigned)field >= TEXLA_FLOW_FIELDS)
    return txFail(flow ? txContextError(flow->context) : NULL, TEXLA_BAD_ARGUMENT, "clFlowGet",
                  "out and flow must not be NULL, and the field (%d) must be one of clFlowField",
                  (int)field);
  const clVector *const stored[] = {flow->u,    flow->v,    flow->p,   flow->dye,
                                    flow->work, flow->work, flow->work};
  clStatus status =
      field >= TEXLA_FLOW_SPEED ? txFlowView(flow, (int)field - TEXLA_FLOW_SPEED) : TEXLA_OK;
  if (!status)
    *out = stored[field];
  return status;
}

static clStatus checkState(const clFlow *flow, const clFlowState *state, const char *call) {
  for (int k = 0; k < TEXLA_FLOW_STORED; k++)
    if (!flow || !state || !state->field[k] || !state->low)
      return txFail(flow ? txContextError(flow->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                    "flow, state and its fields must not be NULL");
  return TEXLA_OK;
}

clStatus clFlowSave(const clFlow *flow, clFlowState *state) {
  TRY(checkState(flow, state, "clFlowSave"));
  for (int k = 0; k < TEXLA_FLOW_STORED; k++) {
    const clVector *const field[] = {flow->u, flow->v, flow->p, flow->dye};
    TRY(clVectorDownload(field[k], state->field[k]));
  }
  TRY(txFlowGetLow(flow, state->low));
  const clFlowInfo *i = &flow->info;
  state->steps = i->steps;
  state->time = i->time;
  state->dt = i->dt;
  state->speed = i->speed;
  state->divergence = i->divergence;
  state->looked = flow->looked;
  return TEXLA_OK;
}

clStatus clFlowRestore(clFlow *flow, const clFlowState *state) {
  TRY(checkState(flow, state, "clFlowRestore"));
  for (int k = 0; k < TEXLA_FLOW_STORED; k++) {
    clVector *const field[] = {flow->u, flow->v, flow->p, flow->dye};
    TRY(clVectorUpload(field[k], state->field[k]));
  }
  TRY(txFlowSetRim(flow, NULL, NULL, state->low));
  clFlowInfo *i = &flow->info;
  i->steps = state->steps;
  i->time = state->time;
  i->dt = state->dt;
  i->speed = state->speed;
  i->divergence = state->divergence;
  flow->looked = state->looked;
  flow->dyed = true;
  return TEXLA_OK;
}
