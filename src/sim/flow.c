/* clFlow (K11): a step is a short list of kernels and a pressure solve. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/defines.h"
#include "gl/observe.h"
#include "sim/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A vector for each cell. */
static clStatus createField(clVector **out, const clFlow *flow) {
  return clVectorCreateGrid(out, flow->context, flow->options.nx, flow->options.ny);
}

/* Each scheme has what it needs: low outflows a second rim and the one before a stage, two stages
 * the velocity between both. The rim is as long as the longer side, five rows for each of the
 * four. */
static clStatus createVectors(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  clVector **const field[] = {&flow->u,      &flow->v,      &flow->p,     &flow->dye,
                              &flow->open_u, &flow->open_v, &flow->fluid, &flow->rhs,
                              &flow->q,      &flow->z,      &flow->work};
  for (int k = 0; k < (int)(sizeof field / sizeof *field); k++)
    TRY(createField(field[k], flow));
  TRY(clVectorCreateGrid(&flow->rim, flow->context, txFlowLonger(o), 20));
  if (txFlowGate(o, TEXLA_SIDE_LEFT) || txFlowGate(o, TEXLA_SIDE_BOTTOM)) {
    TRY(clVectorCreateLike(&flow->gates[0], flow->rim));
    TRY(clVectorCreateLike(&flow->gates[1], flow->rim));
    TRY(clVectorCreateLike(&flow->held, flow->rim));
  }
  if (o->stepping == TEXLA_FLOW_MIDPOINT || o->scheme == TEXLA_FLOW_MACCORMACK) {
    TRY(createField(&flow->half[0], flow));
    TRY(createField(&flow->half[1], flow));
  }
  clFloat **const number[] = {&flow->rz[0], &flow->rz[1], &flow->alpha};
  for (int k = 0; k < 3; k++)
    TRY(clFloatCreate(number[k], flow->context));
  return clVectorCreate(&flow->seen, flow->context, 4);
}

/* A kernel from shaders/sim, with what the flow's options define. FREE: there are no obstacles, so
 * that what has others all around it need not ask. */
static clStatus createKernel(const clFlow *flow, clKernel **out, const char *name,
                             const char *define, const char *file) {
  const clFlowOptions *o = &flow->options;
  txDefines source = {""};
  char include[64];
  bool asks = strcmp(file, "flow_carry") == 0 || strcmp(file, "flow_diffuse") == 0;
  txDefineText(&source, define);
  txDefineIf(&source, asks && !txFlowHasObstacles(flow), "FREE");
  txDefineIf(&source, txFlowFollows(o), "SEMI_LAGRANGIAN");
  txDefineIf(&source, o->scheme == TEXLA_FLOW_MACCORMACK, "MACCORMACK");
  txDefineIf(&source, txFlowSweeps(flow), "IMPLICIT");
  txDefineIf(&source, flow->distance, "CUT");
  snprintf(include, sizeof include, "#include \"%s.frag\"\n", file);
  txDefineText(&source, include);
  return clKernelCreate(out, flow->context, name, source.text);
}

/* What a stage does to cells it does to the velocities through low outflows as well, by a kernel on
 * the rim: they are faces that no cell of the grid owns. */
static clStatus createGates(clFlow *flow) {
  static const char *const stage[] = {"#define PREDICT\n", "#define LEAP\n#define PREDICT\n",
                                      "#define DIFFUSE\n", "#define PROJECT\n", "#define SPLAT\n"};
  for (int k = 0; k < TX_FLOW_STAGES && flow->gates[0]; k++)
    TRY(createKernel(flow, &flow->gate[k], "flow gate", stage[k], "flow_gate"));
  return TEXLA_OK;
}

/* The pointers become NULL: kernels are made again when obstacles come, become smooth or go. */
static void destroyKernels(clFlow *flow) {
  clKernel **const kernel[] = {
      &flow->predict,    &flow->guess,      &flow->confine,     &flow->leap,
      &flow->carry,      &flow->divergence, &flow->project,     &flow->splat,
      &flow->diffuse,    &flow->spread,     &flow->diffuse_dye, &flow->defect,
      &flow->defect_dye, &flow->view[0],    &flow->view[1],     &flow->view[2]};
  for (int k = 0; k < (int)(sizeof kernel / sizeof *kernel); k++) {
    clKernelDestroy(*kernel[k]);
    *kernel[k] = NULL;
  }
  for (int k = 0; k < TX_FLOW_STAGES; k++) {
    clKernelDestroy(flow->gate[k]);
    flow->gate[k] = NULL;
  }
}

/* The kernels of these options; others stay NULL, and a step skips what it has none for. */
static clStatus createKernels(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  bool twice = o->stepping == TEXLA_FLOW_MIDPOINT, sweeps = txFlowSweeps(flow);
  bool apart = txFlowDiffusesApart(flow) && o->viscosity > 0;
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
      {&flow->diffuse, sweeps && o->viscosity > 0, "flow diffuse", "#define SWEEP\n",
       "flow_diffuse"},
      {&flow->diffuse_dye, sweeps && o->diffusivity > 0, "flow diffuse", "#define DYE\n",
       "flow_diffuse"},
      {&flow->defect, sweeps && o->viscosity > 0, "flow diffuse", "#define SWEEP\n#define DEFECT\n",
       "flow_diffuse"},
      {&flow->defect_dye, sweeps && o->diffusivity > 0, "flow diffuse",
       "#define DYE\n#define DEFECT\n", "flow_diffuse"},
      {&flow->spread, apart && !sweeps, "flow diffuse", "", "flow_diffuse"},
      {&flow->divergence, true, "flow divergence", "", "flow_divergence"},
      {&flow->project, true, "flow project", "", "flow_project"},
      {&flow->splat, true, "flow splat", "", "flow_splat"},
      {&flow->view[0], true, "flow view", "#define VIEW 0\n", "flow_view"},
      {&flow->view[1], true, "flow view", "#define VIEW 1\n", "flow_view"},
      {&flow->view[2], true, "flow view", "#define VIEW 2\n", "flow_view"},
  };
  for (int k = 0; k < (int)(sizeof list / sizeof *list); k++)
    if (list[k].wanted)
      TRY(createKernel(flow, list[k].kernel, list[k].name, list[k].define, list[k].file));
  return createGates(flow);
}

/* All that a flow has; one without obstacles gets the faces and the solver of none. */
static clStatus allocate(clFlow *flow) {
  size_t n = (size_t)flow->options.nx * (size_t)flow->options.ny;
  TRY(createVectors(flow));
  TRY(createKernels(flow));
  flow->host = txAllocate(txFlowError(flow), "clFlowCreate", n, sizeof *flow->host, "cells");
  if (!flow->host)
    return TEXLA_OUT_OF_MEMORY;
  return clFlowObstacles(flow, NULL);
}

/* Does a side bring or hold dye? While there is none anywhere, steps need not carry it. */
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
  clFlowOptions o = {0};
  clFlowInfo info;
  if (options)
    o = *options;
  TRY(txFlowChoose(&o, &info, context, call));
  clFlow *flow = txAllocate(txContextError(context), call, 1, sizeof *flow, "a clFlow");
  if (!flow)
    return TEXLA_OUT_OF_MEMORY;
  txShadersAdd(context, txSimShaderFiles);
  flow->context = context;
  flow->options = o;
  flow->info = info;
  flow->dyed = hasDye(&o);
  clStatus status = allocate(flow);
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
                              flow->z,      flow->work,   flow->held,  flow->seen};
  clFloat *const number[] = {flow->rz[0], flow->rz[1], flow->alpha};
  txFlowForget(flow);
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
  txHelmholtzDestroy(flow->helmholtz);
  freeObstacles(flow);
  free(flow->host);
  free(flow);
}

/* Cycles alone, cycles that precondition conjugate directions, or conjugate gradients alone. */
static void describeSolver(clFlow *flow) {
  const char *by = "";
  if (flow->multigrid && flow->A)
    by = "conjugate directions by ";
  if (flow->multigrid)
    snprintf(flow->solver, sizeof flow->solver, "%smultigrid: %s", by,
             clMultigridDescription(flow->multigrid));
  else
    snprintf(flow->solver, sizeof flow->solver, "cg: %s", clMatrixDescription(flow->A));
  flow->info.solver = flow->solver;
}

/* The maps of the obstacles on the host, what follows from them, and the solver for them. */
static clStatus createSolid(clFlow *flow, const uint8_t *solid, const float *distance,
                            const char *call) {
  const size_t n = (size_t)flow->options.nx * (size_t)flow->options.ny;
  clError *error = txFlowError(flow);
  flow->solid = txAllocate(error, call, n, 1, "the obstacles");
  flow->shut = txAllocate(error, call, n, 1, "the obstacles");
  flow->face = txAllocate(error, call, 2 * n, sizeof *flow->face, "the obstacles");
  if (!flow->solid || !flow->shut || !flow->face)
    return TEXLA_OUT_OF_MEMORY;
  for (size_t k = 0; k < n && solid; k++)
    flow->solid[k] = solid[k] != 0;
  if (distance) {
    flow->distance = txAllocate(error, call, n, sizeof *distance, "the walls");
    if (!flow->distance)
      return TEXLA_OUT_OF_MEMORY;
    memcpy(flow->distance, distance, n * sizeof *distance);
    txFlowFillSolid(flow);
  }
  txFlowFillFaces(flow);
  TRY(txFlowFindShut(flow));
  return txFlowSetSolver(flow);
}

/* New obstacles, before anything on the device knows. Fails without an effect. */
static clStatus setSolid(clFlow *flow, const uint8_t *solid, const float *distance,
                         const char *call) {
  clFlow old = *flow;
  flow->solid = flow->shut = NULL;
  flow->face = flow->distance = NULL;
  flow->multigrid = NULL;
  flow->cg = NULL;
  flow->A = NULL;
  clStatus status = createSolid(flow, solid, distance, call);
  if (status) {
    destroySolver(flow);
    freeObstacles(flow);
    *flow = old;
    return status;
  }
  destroySolver(&old);
  freeObstacles(&old);
  return TEXLA_OK;
}

/* u, v and the velocities through low outflows, as they are with what is solid now. */
static clStatus closeFaces(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  size_t n = (size_t)clVectorLength(flow->u);
  float *u = txAllocate(txFlowError(flow), "clFlowObstacles", 2 * n + (size_t)(o->nx + o->ny),
                        sizeof *u, "the obstacles");
  if (!u)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clVectorDownload(flow->u, u));
  TRY_CLEANUP(clVectorDownload(flow->v, u + n));
  TRY_CLEANUP(txFlowGetLow(flow, u + 2 * n));
  TRY_CLEANUP(txFlowSetFaces(flow));
  TRY_CLEANUP(txFlowPutVelocity(flow, u, u + n));
  TRY_CLEANUP(txFlowSetRim(flow, NULL, NULL, u + 2 * n));
cleanup:
  free(u);
  return status;
}

/* Which kernels these obstacles need: those of none, of whole cells or of smooth walls. */
static int kindOf(const clFlow *flow) {
  if (flow->distance)
    return 2;
  return txFlowHasObstacles(flow);
}

/* What has been set lasts: faces, fields and kernels follow. */
static clStatus takeObstacles(clFlow *flow, int before) {
  flow->looked = false;
  txFlowForget(flow);
  describeSolver(flow);
  txFlowSetChange(flow);
  TRY(closeFaces(flow));
  TRY(clVectorMul(flow->dye, flow->dye, flow->fluid));
  TRY(clVectorMul(flow->p, flow->p, flow->fluid));
  if (before != kindOf(flow)) {
    destroyKernels(flow);
    TRY(createKernels(flow));
  }
  return TEXLA_OK;
}

/* Are these the obstacles that are there already? Then no solver has to be set up anew. */
static bool isSolid(const clFlow *flow, const uint8_t *solid) {
  const size_t n = (size_t)flow->options.nx * (size_t)flow->options.ny;
  if (!flow->solid || flow->distance)
    return false;
  size_t k = 0;
  while (k < n && flow->solid[k] == (solid && solid[k]))
    k++;
  return k == n;
}

/* A mask closes whole cells; NULL: none. Distances of before are forgotten. */
clStatus clFlowObstacles(clFlow *flow, const uint8_t *solid) {
  if (!flow)
    return TEXLA_BAD_ARGUMENT;
  if (isSolid(flow, solid))
    return TEXLA_OK;
  int before = kindOf(flow);
  TRY(setSolid(flow, solid, NULL, "clFlowObstacles"));
  return takeObstacles(flow, before);
}

/* Cut cells may be so small that explicit friction would not be stable: beside these walls
 * diffusion is implicit (txFlowSweeps). */
clStatus clFlowWalls(clFlow *flow, const float *distance) {
  static const char call[] = "clFlowWalls";
  if (!flow || !distance)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
                  "flow and distance must not be NULL");
  for (int64_t k = 0; k < clVectorLength(flow->u); k++)
    if (!isfinite(distance[k]))
      return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
                    "the distance of cell %lld is not finite", (long long)k);
  int before = kindOf(flow);
  TRY(setSolid(flow, NULL, distance, call));
  return takeObstacles(flow, before);
}

/* values: NULL or one for each cell */
static clStatus checkFinite(const clFlow *flow, const float *values, const char *what) {
  for (int64_t k = 0; values && k < clVectorLength(flow->u); k++)
    if (!isfinite(values[k]))
      return txFail(txFlowError(flow), TEXLA_NOT_FINITE, "clFlowUpload",
                    "%s of cell (%lld, %lld) is %g at the start", what,
                    (long long)(k % flow->options.nx), (long long)(k / flow->options.nx),
                    (double)values[k]);
  return TEXLA_OK;
}

/* The fields at the start; p begins with zero, and obstacles hold no dye. */
static clStatus upload(clFlow *flow, const float *u, const float *v, const float *dye) {
  TRY(txFlowPutVelocity(flow, u, v));
  TRY(txFlowSetRim(flow, u, v, NULL));
  TRY(clVectorClear(flow->p));
  if (dye)
    TRY(clVectorUpload(flow->dye, dye));
  else
    TRY(clVectorClear(flow->dye));
  return clVectorMul(flow->dye, flow->dye, flow->fluid);
}

/* Nobody has looked at these velocities: their speed and divergence are unknown, and the first step
 * will look, or take out whatever divergence they have. */
clStatus clFlowUpload(clFlow *flow, const float *u, const float *v, const float *dye) {
  if (!flow)
    return TEXLA_BAD_ARGUMENT;
  TRY(checkFinite(flow, u, "u"));
  TRY(checkFinite(flow, v, "v"));
  TRY(checkFinite(flow, dye, "the dye"));
  clStatus status = upload(flow, u, v, dye);
  flow->looked = false;
  txFlowForget(flow);
  flow->dyed = dye || hasDye(&flow->options);
  flow->info.steps = 0;
  flow->info.time = 0;
  flow->info.speed = flow->passing = 0;
  flow->info.dt = flow->options.dt;
  flow->info.divergence = NAN;
  return status;
}

/* What a splat may have added to the largest speed; one that is pulled towards an amount does not
 * pass it. Where that is far more than what is known, the next step waits for a look. */
static void addSpeed(clFlow *flow, double amount, bool pulled) {
  const double far = 1.5;
  double fastest = txFlowFastest(flow);
  if (pulled)
    amount = fmax(0, amount - fastest);
  flow->added[0] += amount;
  flow->looked = false;
  if (fastest + amount > far * flow->info.speed)
    txFlowForget(flow);
}

/* u, v and the dye += amount times a bell, or they are pulled towards the amounts at the rate
 * `pull`: shaders/sim/flow_splat.frag. */
static clStatus splat(clFlow *flow, const char *call, const double place[3], const double amount[3],
                      double pull) {
  if (!flow)
    return TEXLA_BAD_ARGUMENT;
  bool good = isfinite(pull) && pull >= 0 && place[2] > 0;
  for (int k = 0; k < 3; k++)
    good = good && isfinite(place[k]) && isfinite((float)amount[k]);
  const char *strength = ", strength not negative";
  if (pull >= 0)
    strength = "";
  if (!good)
    return txFail(
        txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
        "x (%g), y (%g), u (%g), v (%g) and dye (%g) must be finite, radius (%g) also positive%s",
        place[0], place[1], amount[0], amount[1], amount[2], place[2], strength);
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
  addSpeed(flow, hypot(amount[0], amount[1]), pull > 0);
  flow->dyed |= amount[2] != 0;
  return txFlowStage(flow, TX_FLOW_SPLAT, flow->splat, &run);
}

/* Once, as a drop of dye or the stroke of a hand. */
clStatus clFlowSplat(clFlow *flow, double x, double y, double radius, double u, double v,
                     double dye) {
  return splat(flow, "clFlowSplat", (double[]){x, y, radius}, (double[]){u, v, dye}, 0);
}

/* In each step, as a fan or a source does: called again and again it tends to the amounts. */
clStatus clFlowSteer(clFlow *flow, double x, double y, double radius, double u, double v,
                     double dye, double strength) {
  if (flow && strength == 0)
    return TEXLA_OK;
  return splat(flow, "clFlowSteer", (double[]){x, y, radius}, (double[]){u, v, dye}, strength);
}

/* The longest step for a flow of speed U that may gain a dt:  dt (U + a dt) = cfl h, and the limits
 * of differences that a viscosity nu' = nu + gamma U h / 2 has to calm: with forward Euler dt <= 2
 * nu' / U^2; the midpoint rule lets waves grow by (U dt / h)^4 / 8 and the viscosity take 2 nu' dt
 * / h^2, so that (U dt / h)^3 <= 16 nu' / (U h), half of that in two dimensions. */
static double chooseStep(const clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  double U = fmax(txFlowFastest(flow), txFlowGiven(o)), way = o->cfl * o->h, slack = 0.9;
  double a = hypot(o->force[0], o->force[1]) + fabs(o->buoyancy);
  double dt = way / U;
  if (a > 0)
    dt = (sqrt(U * U + 4 * a * way) - U) / (2 * a);
  dt = fmin(slack * flow->info.dt_stable, dt);
  double viscosity = o->viscosity + o->gamma * U * o->h / 2, calmed = INFINITY;
  if (o->scheme == TEXLA_FLOW_DONOR_CELL && viscosity > 0) {
    calmed = slack * 2 * viscosity / (U * U);
    if (o->stepping == TEXLA_FLOW_MIDPOINT)
      calmed = slack * cbrt(8 * viscosity * o->h * o->h / U) / U;
  }
  dt = fmin(dt, calmed);
  if (o->dt_max > 0)
    dt = fmin(dt, o->dt_max);
  /* Nothing moves, and nothing will: any step is as good. */
  if (!isfinite(dt) || dt <= 0)
    return o->h;
  return dt;
}

/* Half of the dye's way lies before, half behind the velocity's step, so that both take from each
 * other what they are in the middle. A velocity that has been changed may have a divergence, which
 * would gather dye: then all of it lies behind. */
static clStatus step(clFlow *flow) {
  TRY(txFlowLookBack(flow));
  bool touched = !flow->looked;
  if (flow->options.dt == 0 && !txFlowKnown(flow))
    TRY(txFlowLook(flow));
  double dt = flow->options.dt, before = 0;
  if (dt == 0)
    dt = chooseStep(flow);
  if (!touched)
    before = dt / 2;
  flow->info.dt = dt;
  TRY(txFlowCarry(flow, before));
  TRY(txFlowPredict(flow, dt));
  clStatus projected = txFlowProject(flow, dt);
  if (projected < 0)
    return projected;
  flow->info.steps++;
  flow->info.time += dt;
  TRY(txFlowCarry(flow, dt - before));
  return projected;
}

/* A projection that has not converged is told at the end, and does not stop the steps; what fails
 * does. */
clStatus clFlowStep(clFlow *flow, int64_t count) {
  if (!flow || count < 0)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, "clFlowStep",
                  "flow must not be NULL, count (%lld) not negative", (long long)count);
  clStatus result = TEXLA_OK;
  txScopeEnter(flow->context, "clFlowStep", -1);
  for (; count > 0 && result >= 0; count--) {
    txScopeEnter(flow->context, "step", flow->info.steps);
    clStatus status = txScopeLeave(flow->context, step(flow));
    if (status != TEXLA_OK)
      result = status;
  }
  return txScopeLeave(flow->context, result);
}

clFlowInfo clFlowInspect(const clFlow *flow) {
  if (!flow)
    return (clFlowInfo){.solver = ""};
  return flow->info;
}

const char *clFlowFieldName(clFlowField field) {
  static const char *const name[] = {"u",     "v",         "pressure",  "dye",
                                     "speed", "vorticity", "divergence"};
  if ((unsigned)field >= TEXLA_FLOW_FIELDS)
    return "?";
  return name[field];
}

/* The first four fields are there; the others are computed when they are asked for. */
clStatus clFlowGet(const clVector **out, clFlow *flow, clFlowField field) {
  if (!out || !flow || (unsigned)field >= TEXLA_FLOW_FIELDS)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, "clFlowGet",
                  "out and flow must not be NULL, and the field (%d) must be one of clFlowField",
                  (int)field);
  const clVector *const stored[] = {flow->u,    flow->v,    flow->p,   flow->dye,
                                    flow->work, flow->work, flow->work};
  if (field >= TEXLA_FLOW_SPEED)
    TRY(txFlowView(flow, (int)field - TEXLA_FLOW_SPEED));
  *out = stored[field];
  return TEXLA_OK;
}

static clStatus checkState(const clFlow *flow, const clFlowState *state, const char *call) {
  for (int k = 0; k < TEXLA_FLOW_STORED; k++)
    if (!flow || !state || !state->field[k] || !state->low)
      return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
                    "flow, state and its fields must not be NULL");
  return TEXLA_OK;
}

/* What a step goes on from: the fields, the velocities through low outflows, and what is known of
 * them. A state that is restored goes on bit for bit as the flow would have. */
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
  state->looked = flow->looked && !flow->planned;
  return TEXLA_OK;
}

/* There may be dye, which nobody has looked for. */
clStatus clFlowRestore(clFlow *flow, const clFlowState *state) {
  TRY(checkState(flow, state, "clFlowRestore"));
  for (int k = 0; k < TEXLA_FLOW_STORED; k++) {
    clVector *const field[] = {flow->u, flow->v, flow->p, flow->dye};
    TRY(clVectorUpload(field[k], state->field[k]));
  }
  TRY(txFlowSetRim(flow, NULL, NULL, state->low));
  clFlowInfo *i = &flow->info;
  txFlowForget(flow);
  i->steps = state->steps;
  i->time = state->time;
  i->dt = state->dt;
  i->speed = state->speed;
  i->divergence = state->divergence;
  flow->looked = false;
  flow->dyed = true;
  /* what flows through cells belongs to what was known */
  if (state->looked)
    return txFlowLook(flow);
  return TEXLA_OK;
}
