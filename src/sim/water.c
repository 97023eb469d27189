/* clWater (B9): a step of the alternating scheme is, for each axis, a prediction, tridiagonal
 * systems for the change of the level, and two passes that take it. */
#include "sim/water.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void txWaterInput(clKernelRun *run, const char *name, const clVector *vector) {
  int k = 0;
  while (run->input[k].name)
    k++;
  run->input[k] = (clKernelInput){.name = name, .vector = vector};
}

void txWaterParameter(clKernelRun *run, const char *name, int count, double a, double b, double c,
                      double d) {
  int k = 0;
  while (run->parameter[k].name)
    k++;
  run->parameter[k] = (clKernelParameter){name, count, {(float)a, (float)b, (float)c, (float)d}};
}

/* Does water come in along an axis with a velocity of its own? */
static bool hasInflow(const clWaterOptions *o, int axis) {
  return o->advection != TEXLA_WATER_LINEAR &&
         (o->side[2 * axis].velocity > 0 || o->side[2 * axis + 1].velocity > 0);
}

clStatus txWaterKernel(clKernel **out, const clWater *water, const char *name, int axis,
                       const char *file) {
  static const char *const advection[] = {"#define STREAMLINES\n",
                                          "#define CONSERVING\n#define UPWIND\n", ""};
  const clWaterOptions *o = &water->options;
  char source[256];
  snprintf(source, sizeof source, "#define AXIS %d\n%s%s%s%s#include \"%s\"\n", axis,
           advection[o->advection], o->viscosity > 0 ? "#define VISCOSITY\n" : "",
           o->scheme == TEXLA_WATER_FIVE ? "#define FIVE\n" : "",
           hasInflow(o, axis) ? "#define INFLOW\n" : "", file);
  return clKernelCreate(out, water->context, name, source);
}

static clStatus createKernels(clWater *water) {
  static const char *const name[] = {"water predict", "water rows", "water correct",
                                     "water update"};
  static const char *const file[] = {"water_predict.frag", "water_rows.frag", "water_correct.frag",
                                     "water_update.frag"};
  static const char *const view[] = {"#define VIEW 0\n#include \"water_view.frag\"\n",
                                     "#define VIEW 1\n#include \"water_view.frag\"\n",
                                     "#define VIEW 2\n#include \"water_view.frag\"\n",
                                     "#define VIEW 3\n#include \"water_view.frag\"\n",
                                     "#define VIEW 4\n#include \"water_view.frag\"\n"};
  for (int k = 0; k < 2 * TX_WATER_STAGES; k++)
    TRY(txWaterKernel(&water->kernel[k % 2][k / 2], water, name[k / 2], k % 2, file[k / 2]));
  for (int k = 0; k < TX_WATER_VIEWS; k++)
    TRY(clKernelCreate(&water->view[k], water->context, "water view", view[k]));
  TRY(clKernelCreate(&water->settle, water->context, "water settle",
                     "#include \"water_settle.frag\"\n"));
  return clKernelCreate(&water->drop, water->context, "water drop",
                        "#include \"water_drop.frag\"\n");
}

static clStatus createVectors(clWater *water) {
  bool conserves = water->options.advection == TEXLA_WATER_CONSERVING;
  clVector **const own[] = {&water->z,           &water->before,     &water->velocity[0],
                            &water->velocity[1], &water->ground,     &water->sill[0],
                            &water->sill[1],     &water->flux[0][0], &water->flux[0][1],
                            &water->flux[1][0],  &water->flux[1][1]};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < (conserves ? 11 : 7) && !status; k++)
    status = clVectorCreateGrid(own[k], water->context, water->info.nx, water->info.ny);
  for (int k = 0; k < TX_WATER_VECTORS && !status; k++)
    status = clVectorCreateGrid(&water->work[k], water->context, water->info.nx, water->info.ny);
  return status ? status : clFloatCreate(&water->number, water->context);
}

static clStatus allocate(clWater *water, const char *call) {
  size_t n = (size_t)water->info.nx * (size_t)water->info.ny;
  clStatus status = createVectors(water);
  if (!status)
    status = createKernels(water);
  if (!status) {
    water->host =
        txAllocate(txContextError(water->context), call, 3 * n, sizeof *water->host, "the cells");
    status = water->host ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  }
  if (!status && water->options.scheme == TEXLA_WATER_FIVE)
    status = txWaterFiveCreate(water, call);
  for (int axis = 0; axis < 2 && !status && !water->five; axis++)
    status =
        clTridiagonalCreate(&water->lines[axis], water->context, water->info.nx, water->info.ny,
                            &(clTridiagonalOptions){.axis = axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X});
  return status ? status : clWaterGround(water, NULL, NULL, water->info.nx, water->info.ny);
}

clStatus clWaterCreate(clWater **out, clContext *context, const clWaterOptions *options) {
  static const char call[] = "clWaterCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clWaterOptions o = options ? *options : (clWaterOptions){0};
  clWaterInfo info;
  clStatus status = txWaterChoose(&o, &info, context, call);
  if (status)
    return status;
  clWater *water = txAllocate(txContextError(context), call, 1, sizeof *water, "a clWater");
  if (!water)
    return TEXLA_OUT_OF_MEMORY;
  water->context = context;
  water->options = o;
  water->info = info;
  water->info.solver = "tridiagonal systems along rows and columns";
  status = allocate(water, call);
  if (status)
    clWaterDestroy(water);
  else
    *out = water;
  return status;
}

void clWaterDestroy(clWater *water) {
  if (!water)
    return;
  clVector *const vector[] = {water->z,           water->before,     water->velocity[0],
                              water->velocity[1], water->ground,     water->sill[0],
                              water->sill[1],     water->flux[0][0], water->flux[0][1],
                              water->flux[1][0],  water->flux[1][1]};
  txWaterFiveDestroy(water->five);
  for (int k = 0; k < (int)(sizeof vector / sizeof *vector); k++)
    clVectorDestroy(vector[k]);
  for (int axis = 0; axis < 2; axis++)
    clTridiagonalDestroy(water->lines[axis]);
  for (int k = 0; k < TX_WATER_VECTORS; k++)
    clVectorDestroy(water->work[k]);
  for (int k = 0; k < 2 * TX_WATER_STAGES; k++)
    clKernelDestroy(water->kernel[k % 2][k / 2]);
  for (int k = 0; k < TX_WATER_VIEWS; k++)
    clKernelDestroy(water->view[k]);
  clKernelDestroy(water->settle);
  clKernelDestroy(water->drop);
  clFloatDestroy(water->number);
  free(water->host);
  free(water);
}

/* --- what kernels read --- */

static double stepOf(const clWater *water, int axis) {
  return axis ? water->info.dy : water->info.dx;
}

/* A side as water_predict.frag and water.glsl want it: stiff, radiating, still, q. `stiff` is large
 * beside what a cell's neighbours do to it in a step, and small enough for single precision. */
static void sideAt(const clWater *water, int s, double time, double value[4]) {
  const double stiffness = 1e3;
  const clWaterSide *side = &water->options.side[s];
  double wave = side->amplitude;
  if (side->period > 0)
    wave *= cos(6.283185307179586 * (time / side->period + side->phase));
  memset(value, 0, 4 * sizeof *value);
  if (side->edge == TEXLA_WATER_OPEN) {
    value[1] = sqrt(water->info.gravity);
    value[2] = side->level + 2 * wave;
  } else if (side->edge == TEXLA_WATER_LEVEL) {
    value[0] = stiffness * stepOf(water, s / 2) / water->info.dt;
    value[2] = side->level + wave;
  } else if (side->edge == TEXLA_WATER_INFLOW)
    value[3] = -side->discharge;
}

void txWaterRim(clKernelRun *run, const clWater *water, double time, double duration) {
  static const char *const name[] = {"rim_left", "rim_right", "rim_bottom", "rim_top"};
  const clWaterOptions *o = &water->options;
  const clWaterSide *side = o->side;
  double v[4];
  for (int s = 0; s < 4; s++) {
    sideAt(water, s, time, v);
    txWaterParameter(run, name[s], 4, v[0], v[1], v[2], v[3]);
  }
  txWaterParameter(run, "parts_x", 4, side[0].from * o->ny, side[0].to * o->ny,
                   side[1].from * o->ny, side[1].to * o->ny);
  txWaterParameter(run, "parts_y", 4, side[2].from * o->nx, side[2].to * o->nx,
                   side[3].from * o->nx, side[3].to * o->nx);
  txWaterParameter(run, "shares", 2, duration / o->dx, duration / o->dy, 0, 0);
  bool any = side[0].edge || side[1].edge || side[2].edge || side[3].edge;
  txWaterParameter(run, "cells", 4, o->nx, o->ny, o->dry, any);
}

static bool isOpen(const clWater *water, int s) {
  return water->options.side[s].edge != TEXLA_WATER_WALL;
}

/* The velocities that inflows bring along an axis, and where. */
static void addInflow(clKernelRun *run, const clWater *water, int axis) {
  const clWaterSide *low = &water->options.side[2 * axis], *high = low + 1;
  double cells = axis ? water->options.nx : water->options.ny,
         share = water->info.dt / stepOf(water, axis);
  txWaterParameter(run, "inflow", 4, low->velocity,
                   share * (low->velocity > 0 ? low->discharge : 0), -high->velocity,
                   -share * (high->velocity > 0 ? high->discharge : 0));
  txWaterParameter(run, "inflow_parts", 4, low->from * cells, low->to * cells, high->from * cells,
                   high->to * cells);
}

void txWaterPredict(clKernelRun *run, const clWater *water, int axis, double dt) {
  const clWaterOptions *o = &water->options;
  double d = stepOf(water, axis), across = stepOf(water, !axis), g = o->gravity,
         strength = hypot(o->wind[0], o->wind[1]);
  double chezy = g / (o->roughness * o->roughness), manning = g * o->roughness * o->roughness;
  double friction = o->friction == TEXLA_WATER_CHEZY     ? chezy
                    : o->friction == TEXLA_WATER_MANNING ? manning
                                                         : 0;
  bool open[] = {isOpen(water, 2 * axis), isOpen(water, 2 * axis + 1), isOpen(water, 2 * !axis),
                 isOpen(water, 2 * !axis + 1)};
  int n = axis ? o->ny : o->nx, m = axis ? o->nx : o->ny;
  txWaterInput(run, "w", water->velocity[axis]);
  txWaterInput(run, "s", water->velocity[!axis]);
  txWaterInput(run, "z", water->z);
  txWaterInput(run, "before", water->before);
  txWaterInput(run, "ground", water->ground);
  txWaterInput(run, "sill", water->sill[axis]);
  txWaterInput(run, "sill_across", water->sill[!axis]);
  txWaterParameter(run, "cells", 4, o->nx, o->ny, o->dry, 0);
  txWaterParameter(run, "rates", 4, dt, dt / d, dt / across, g * dt / d);
  txWaterParameter(run, "forces", 4, axis ? -o->coriolis : o->coriolis, o->wind_drag * strength,
                   o->wind[axis], o->theta);
  txWaterParameter(run, "friction", 4, friction, o->friction == TEXLA_WATER_MANNING ? 4. / 3 : 1,
                   o->viscosity * dt / (d * d), o->viscosity * dt / (across * across));
  if (o->advection == TEXLA_WATER_STREAMLINES) {
    bool low = open[0] && !(o->side[2 * axis].velocity > 0),
         end = open[1] && !(o->side[2 * axis + 1].velocity > 0);
    txWaterParameter(run, "reach_w", 4, low ? 0 : -1, end ? fmax(n - 2, 0) : n - 1, 0, m - 1);
    txWaterParameter(run, "reach_s", 4, 0, n - 1, open[2] ? 0 : -1,
                     open[3] ? fmax(m - 2, 0) : m - 1);
    txWaterParameter(run, "substeps", 1, o->substeps, 0, 0, 0);
  }
  if (hasInflow(o, axis))
    addInflow(run, water, axis);
  if (o->advection == TEXLA_WATER_CONSERVING) {
    txWaterParameter(run, "open_ends", 2, open[0], open[1], 0, 0);
    txWaterInput(run, "earlier", water->before);
    txWaterParameter(run, "lead", 1, o->scheme == TEXLA_WATER_FIVE ? o->theta : 2 * o->theta - 1, 0,
                     0, 0);
    txWaterInput(run, "flux_a0", water->flux[axis][0]);
    txWaterInput(run, "flux_a1", water->flux[axis][1]);
    txWaterInput(run, "flux_c0", water->flux[!axis][0]);
    txWaterInput(run, "flux_c1", water->flux[!axis][1]);
  }
}

/* --- a step --- */

/* w*, link, the faces' depth and the flow across that is known */
static clStatus predict(clWater *water, int axis, double dt, double duration) {
  clKernelRun run = {{NULL}};
  txWaterPredict(&run, water, axis, dt);
  txWaterParameter(&run, "known", 1, duration / stepOf(water, !axis), 0, 0, 0);
  for (int k = 0; k < 4; k++)
    run.output[k] = water->work[TX_WATER_STAR + k];
  return clKernelExecute(water->kernel[axis][TX_WATER_PREDICT], &run);
}

/* What the stages after the prediction read. */
static clKernelRun prepare(const clWater *water, int axis, double time, double duration) {
  clKernelRun run = {.input = {{"z", water->z},
                               {"ground", water->ground},
                               {"star", water->work[TX_WATER_STAR]},
                               {"link", water->work[TX_WATER_LINK]},
                               {"depth", water->work[TX_WATER_DEPTH]},
                               {"known", water->work[TX_WATER_KNOWN]},
                               {"change", water->work[TX_WATER_CHANGE]}}};
  txWaterParameter(&run, "share", 1, duration / stepOf(water, axis), 0, 0, 0);
  txWaterRim(&run, water, time, duration);
  return run;
}

static clStatus solve(clWater *water, int axis, double time, double duration) {
  clKernelRun run = prepare(water, axis, time, duration);
  for (int k = 0; k < 4; k++)
    run.output[k] = water->work[TX_WATER_LOWER + k];
  run.input[6] = (clKernelInput){NULL};
  const clTridiagonalBands A = {.sub = water->work[TX_WATER_LOWER],
                                .main = water->work[TX_WATER_MAIN],
                                .super = water->work[TX_WATER_UPPER]};
  TRY(clKernelExecute(water->kernel[axis][TX_WATER_ROWS], &run));
  return clTridiagonalSolve(water->lines[axis], water->work[TX_WATER_CHANGE], &A,
                            water->work[TX_WATER_RHS]);
}

static void swap(clVector **a, clVector **b) {
  clVector *c = *a;
  *a = *b;
  *b = c;
}

void txWaterAccept(clWater *water) {
  swap(&water->z, &water->before);
  swap(&water->flux[0][0], &water->flux[0][1]);
  swap(&water->flux[1][0], &water->flux[1][1]);
}

/* The new velocities, flows and the part that each cell can give; then the new level. */
static clStatus take(clWater *water, int axis, double time, double duration) {
  clKernelRun run = prepare(water, axis, time, duration);
  run.output[0] = water->velocity[axis];
  run.output[1] = water->work[TX_WATER_FLOW];
  run.output[2] = water->work[TX_WATER_PART];
  clStatus status = clKernelExecute(water->kernel[axis][TX_WATER_CORRECT], &run);
  if (status)
    return status;
  run = prepare(water, axis, time, duration);
  txWaterInput(&run, "w", water->velocity[axis]);
  txWaterInput(&run, "flow", water->work[TX_WATER_FLOW]);
  txWaterInput(&run, "part", water->work[TX_WATER_PART]);
  run.output[0] = water->before;
  run.output[1] = water->velocity[axis];
  if (water->options.advection == TEXLA_WATER_CONSERVING) {
    run.output[2] = water->flux[axis][1];
    run.output[3] = water->flux[!axis][1];
  }
  status = clKernelExecute(water->kernel[axis][TX_WATER_UPDATE], &run);
  if (!status)
    txWaterAccept(water);
  return status;
}

/* Half a step for the level, a whole one for the velocity along the axis, which the other half
 * leaves alone. The first u belongs to time 0, all others to the middle of a step. */
static clStatus half(clWater *water, int axis) {
  const double dt = water->info.dt, duration = dt / 2,
               time = water->info.time + (axis ? dt : dt / 2);
  clStatus status =
      predict(water, axis, axis == 0 && water->info.steps == 0 ? dt / 2 : dt, duration);
  if (!status)
    status = solve(water, axis, time, duration);
  return status ? status : take(water, axis, time, duration);
}

clStatus clWaterStep(clWater *water, int64_t count) {
  static const char call[] = "clWaterStep";
  if (!water || count < 0)
    return txFail(water ? txContextError(water->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "water must not be NULL, count (%lld) not negative", (long long)count);
  if (water->info.dt == 0)
    return txFail(txContextError(water->context), TEXLA_BAD_ARGUMENT, call,
                  "there is no water yet: clWaterUpload comes first");
  clStatus result = TEXLA_OK;
  txScopeEnter(water->context, "clWaterStep", -1);
  for (; count > 0 && result >= 0; count--) {
    txScopeEnter(water->context, "step", water->info.steps);
    clStatus status = water->five ? txWaterFiveStep(water) : half(water, 0);
    if (!status && !water->five)
      status = half(water, 1);
    txScopeLeave(water->context, status);
    result = status ? status : result;
    if (status >= 0) {
      water->info.steps++;
      water->info.time += water->info.dt;
    }
  }
  return txScopeLeave(water->context, result);
}

clWaterInfo clWaterInspect(const clWater *water) {
  return water ? water->info : (clWaterInfo){.solver = ""};
}
