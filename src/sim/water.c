/* clWater (B9): a step of the alternating scheme is, for each axis, a prediction, tridiagonal
 * systems for the change of the level, and two passes that take it. */
#include "sim/water.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"
#include "sim/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four stages along each axis, the pictures, and what fits water to a new ground or adds drops. */
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

/* What a step goes on from, and what it writes and reads again. The flows of two stages are for
 * conserving advection only; they are the last of these. */
static clStatus createVectors(clWater *water) {
  clVector **const own[] = {&water->z,           &water->before,     &water->velocity[0],
                            &water->velocity[1], &water->ground,     &water->sill[0],
                            &water->sill[1],     &water->flux[0][0], &water->flux[0][1],
                            &water->flux[1][0],  &water->flux[1][1]};
  int count = 11;
  if (water->options.advection != TEXLA_WATER_CONSERVING)
    count = 7;
  for (int k = 0; k < count; k++)
    TRY(clVectorCreateGrid(own[k], water->context, water->info.nx, water->info.ny));
  for (int k = 0; k < TX_WATER_VECTORS; k++)
    TRY(clVectorCreateGrid(&water->work[k], water->context, water->info.nx, water->info.ny));
  return clFloatCreate(&water->number, water->context);
}

/* The alternating scheme's systems lie along rows and along columns. */
static clStatus createLines(clWater *water) {
  static const clTridiagonalOptions along[] = {{.axis = TEXLA_AXIS_X}, {.axis = TEXLA_AXIS_Y}};
  for (int axis = 0; axis < 2; axis++)
    TRY(clTridiagonalCreate(&water->lines[axis], water->context, water->info.nx, water->info.ny,
                            &along[axis]));
  return TEXLA_OK;
}

/* All that a water has, over flat ground and dry: levels come by clWaterUpload, dt with them. */
static clStatus allocate(clWater *water, const char *call) {
  size_t n = (size_t)water->info.nx * (size_t)water->info.ny;
  TRY(createVectors(water));
  TRY(createKernels(water));
  water->host = txAllocate(txWaterError(water), call, 3 * n, sizeof *water->host, "the cells");
  if (!water->host)
    return TEXLA_OUT_OF_MEMORY;
  if (water->options.scheme == TEXLA_WATER_FIVE)
    TRY(txWaterFiveCreate(water, call));
  else
    TRY(createLines(water));
  return clWaterGround(water, NULL, NULL, water->info.nx, water->info.ny);
}

clStatus clWaterCreate(clWater **out, clContext *context, const clWaterOptions *options) {
  static const char call[] = "clWaterCreate";
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  clWaterOptions o = {0};
  clWaterInfo info;
  if (options)
    o = *options;
  TRY(txWaterChoose(&o, &info, context, call));
  clWater *water = txAllocate(txContextError(context), call, 1, sizeof *water, "a clWater");
  if (!water)
    return TEXLA_OUT_OF_MEMORY;
  txShadersAdd(context, txSimShaderFiles);
  water->context = context;
  water->options = o;
  water->info = info;
  water->info.solver = "tridiagonal systems along rows and columns";
  clStatus status = allocate(water, call);
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

/* --- a step --- */

/* w*, link, the faces' depth and the flow across that is known */
static clStatus predict(clWater *water, int axis, double dt, double duration) {
  clKernelRun run = {{NULL}};
  txWaterPredict(&run, water, axis, dt);
  txRunParameter(&run, "known", 1, duration / txWaterSpacing(water, !axis), 0, 0, 0);
  for (int k = 0; k < 4; k++)
    run.output[k] = water->work[TX_WATER_STAR + k];
  return txWaterRun(water, water->kernel[axis][TX_WATER_PREDICT], &run);
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
  txRunParameter(&run, "share", 1, duration / txWaterSpacing(water, axis), 0, 0, 0);
  txWaterRim(&run, water, time, duration);
  return run;
}

/* The change of the level: a tridiagonal system for each row or column, which a pass writes; it
 * cannot read the change, which is not there yet. */
static clStatus solve(clWater *water, int axis, double time, double duration) {
  clKernelRun run = prepare(water, axis, time, duration);
  for (int k = 0; k < 4; k++)
    run.output[k] = water->work[TX_WATER_LOWER + k];
  run.input[6] = (clKernelInput){NULL};
  const clTridiagonalBands A = {.sub = water->work[TX_WATER_LOWER],
                                .main = water->work[TX_WATER_MAIN],
                                .super = water->work[TX_WATER_UPPER]};
  TRY(txWaterRun(water, water->kernel[axis][TX_WATER_ROWS], &run));
  return clTridiagonalSolve(water->lines[axis], water->work[TX_WATER_CHANGE], &A,
                            water->work[TX_WATER_RHS]);
}

/* The new velocities, flows and the part that each cell can give; then the new level. */
static clStatus take(clWater *water, int axis, double time, double duration) {
  clKernelRun run = prepare(water, axis, time, duration);
  run.output[0] = water->velocity[axis];
  run.output[1] = water->work[TX_WATER_FLOW];
  run.output[2] = water->work[TX_WATER_PART];
  TRY(txWaterRun(water, water->kernel[axis][TX_WATER_CORRECT], &run));
  run = prepare(water, axis, time, duration);
  txRunInput(&run, "w", water->velocity[axis]);
  txRunInput(&run, "flow", water->work[TX_WATER_FLOW]);
  txRunInput(&run, "part", water->work[TX_WATER_PART]);
  run.output[0] = water->before;
  run.output[1] = water->velocity[axis];
  if (water->options.advection == TEXLA_WATER_CONSERVING) {
    run.output[2] = water->flux[axis][1];
    run.output[3] = water->flux[!axis][1];
  }
  TRY(txWaterRun(water, water->kernel[axis][TX_WATER_UPDATE], &run));
  txWaterAccept(water);
  return TEXLA_OK;
}

/* Half a step for the level, a whole one for the velocity along the axis, which the other half
 * leaves alone. The first u belongs to time 0, all others to the middle of a step. */
static clStatus half(clWater *water, int axis) {
  const double dt = water->info.dt, duration = dt / 2,
               time = water->info.time + (1 + axis) * duration;
  double since = dt;
  if (axis == 0 && water->info.steps == 0)
    since = dt / 2;
  TRY(predict(water, axis, since, duration));
  TRY(solve(water, axis, time, duration));
  return take(water, axis, time, duration);
}

/* Along x, then along y; or both at once. */
static clStatus stepOnce(clWater *water) {
  if (water->five)
    return txWaterFiveStep(water);
  TRY(half(water, 0));
  return half(water, 1);
}

/* A solver that has not converged is told at the end, and does not stop the steps; what fails
 * does. */
clStatus clWaterStep(clWater *water, int64_t count) {
  static const char call[] = "clWaterStep";
  if (!water || count < 0)
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, call,
                  "water must not be NULL, count (%lld) not negative", (long long)count);
  if (water->info.dt == 0)
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, call,
                  "there is no water yet: clWaterUpload comes first");
  clStatus result = TEXLA_OK;
  txScopeEnter(water->context, "clWaterStep", -1);
  for (; count > 0 && result >= 0; count--) {
    txScopeEnter(water->context, "step", water->info.steps);
    clStatus status = txScopeLeave(water->context, stepOnce(water));
    if (status != TEXLA_OK)
      result = status;
    if (status >= 0) {
      water->info.steps++;
      water->info.time += water->info.dt;
    }
  }
  return txScopeLeave(water->context, result);
}

clWaterInfo clWaterInspect(const clWater *water) {
  if (!water)
    return (clWaterInfo){.solver = ""};
  return water->info;
}
