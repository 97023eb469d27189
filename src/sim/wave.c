/* clWave (K9, K10): the wave equation, one banded product per step, or one solve. Public operators
 * only. */
#include "sim/wave.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"
#include "sim/kernels.h"
#include "sim/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Systems and absorbing layers have vectors of their own, which other waves do without. */
static clStatus createVectors(clWave *wave) {
  clVector **const all[] = {&wave->now,  &wave->before,  &wave->work,   &wave->change,
                            &wave->pull, &wave->flux[0], &wave->flux[1]};
  bool implicit = txWaveImplicit(&wave->info), absorbs = wave->info.layer > 0;
  const bool needed[] = {true, true, true, implicit, implicit, absorbs, absorbs};
  for (int k = 0; k < (int)(sizeof all / sizeof *all); k++)
    if (needed[k])
      TRY(clVectorCreateLike(all[k], wave->medium));
  TRY(clFloatCreate(&wave->kinetic, wave->context));
  return clFloatCreate(&wave->potential, wave->context);
}

/* A kernel for layers only where an edge absorbs; that for sources comes with them. */
static clStatus createKernels(clWave *wave) {
  TRY(txWaveKernel(&wave->energy, wave, "wave energy", "#include \"wave_energy.frag\"\n"));
  if (wave->info.layer)
    TRY(txWaveKernel(&wave->layer, wave, "wave layer", "#include \"wave_layer.frag\"\n"));
  return TEXLA_OK;
}

/* All that a wave needs: the host's maps first, since the matrices are made of them, and vectors
 * are created like those that fit the matrices. */
static clStatus allocate(clWave *wave, const char *call) {
  size_t n = (size_t)wave->info.nx * (size_t)wave->info.ny;
  wave->solid = txAllocate(txWaveError(wave), call, n, 1, "the points of a wave");
  wave->speed = txAllocate(txWaveError(wave), call, n, sizeof *wave->speed, "the points of a wave");
  wave->host = txAllocate(txWaveError(wave), call, n, sizeof *wave->host, "the points of a wave");
  if (!wave->solid || !wave->speed || !wave->host)
    return TEXLA_OUT_OF_MEMORY;
  for (size_t k = 0; k < n; k++)
    wave->speed[k] = 1;
  TRY(txWaveBuild(wave, call));
  TRY(createVectors(wave));
  return createKernels(wave);
}

clStatus clWaveCreate(clWave **out, clContext *context, const clWaveOptions *options) {
  static const char call[] = "clWaveCreate";
  clWaveOptions o = {0};
  clWaveInfo info;
  if (!out || !context)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL");
  if (options)
    o = *options;
  txUsual(&o.tolerance, 1e-6);
  TRY(txWaveChoose(&info, context, call, &o));
  if ((int64_t)info.nx * info.ny > INT32_MAX)
    return txFail(txContextError(context), TEXLA_TOO_LARGE, call, "%d x %d points are more than %d",
                  info.nx, info.ny, INT32_MAX);
  clWave *wave = txAllocate(txContextError(context), call, 1, sizeof *wave, "a clWave");
  if (!wave)
    return TEXLA_OUT_OF_MEMORY;
  txShadersAdd(context, txSimShaderFiles);
  wave->context = context;
  wave->info = info;
  wave->solver = (clSolverOptions){
      .method = TEXLA_METHOD_CG, .tolerance = o.tolerance, .preconditioner = o.preconditioner};
  clStatus status = allocate(wave, call);
  if (status)
    clWaveDestroy(wave);
  else
    *out = wave;
  return status;
}

void clWaveDestroy(clWave *wave) {
  if (!wave)
    return;
  clVector *const vector[] = {wave->now,  wave->before,  wave->work,    wave->change,
                              wave->pull, wave->flux[0], wave->flux[1], wave->medium};
  clKernel *const kernel[] = {wave->force, wave->layer, wave->energy};
  for (int k = 0; k < (int)(sizeof vector / sizeof *vector); k++)
    clVectorDestroy(vector[k]);
  for (int k = 0; k < (int)(sizeof kernel / sizeof *kernel); k++)
    clKernelDestroy(kernel[k]);
  clFloatDestroy(wave->potential);
  clFloatDestroy(wave->kinetic);
  clSolverDestroy(wave->cg);
  clMatrixDestroy(wave->A);
  clMatrixDestroy(wave->B);
  free(wave->solid);
  free(wave->speed);
  free(wave->host);
  free(wave);
}

clWaveInfo clWaveInspect(const clWave *wave) {
  if (!wave)
    return (clWaveInfo){.storage = ""};
  return wave->info;
}

const clVector *clWaveHeight(const clWave *wave) {
  if (!wave)
    return NULL;
  return wave->now;
}

/* x <- values, and 0 in walls, where values may be anything, NaN, too */
static clStatus upload(clWave *wave, clVector *x, const float *values) {
  for (int64_t k = 0; k < clVectorLength(x); k++) {
    wave->host[k] = 0;
    if (!wave->solid[k])
      wave->host[k] = values[k];
  }
  return clVectorUpload(x, wave->host);
}

/* change <- A^-1 (-factor beta L z + dt^2 f), by conjugate gradients from zero; f only where it is
 * `forced` */
static clStatus solveChange(clWave *wave, const clVector *z, float factor, bool forced) {
  clSolverReport report = {0};
  wave->info.iterations = 0;
  wave->info.residual = 0;
  TRY(clVectorScale(wave->change, 2, NULL, z));
  TRY(clMatrixVectorOp(wave->pull, TEXLA_OP_AX_MINUS_B, wave->B, TEXLA_NO_TRANSPOSE, z,
                       wave->change));
  TRY(clVectorScale(wave->pull, factor, NULL, wave->pull));
  if (forced && wave->force)
    TRY(txWaveForce(wave, wave->pull));
  TRY(clVectorClear(wave->change));
  /* "Not converged" is passed on, and says in the report how far the solver came. */
  clStatus solved = clSolverSolve(wave->cg, wave->change, wave->pull, &report);
  wave->info.iterations = report.iterations;
  wave->info.residual = report.residual;
  return solved;
}

/* The same for the implicit schemes: before <- before + u + change / 2, with the change of u from
 * rest. A change that has not converged is taken as well. */
static clStatus addAtRestImplicit(clWave *wave) {
  clStatus solved = solveChange(wave, wave->work, 1, false);
  if (solved < 0)
    return solved;
  TRY(clVectorAxpy(wave->before, 1, NULL, wave->work));
  TRY(clVectorAxpy(wave->before, 0.5f, NULL, wave->change));
  return clVectorAxpy(wave->now, 1, NULL, wave->work);
}

/* before <- before + B work / 2: what was x(t-1) when x(t) = work had no velocity. Then work <- u,
 * now <- now + u. */
static clStatus addAtRest(clWave *wave, const float *u) {
  TRY(upload(wave, wave->work, u));
  if (wave->cg)
    return addAtRestImplicit(wave);
  TRY(clVectorScale(wave->work, 0.5f, NULL, wave->work));
  TRY(clMatrixVectorOp(wave->before, TEXLA_OP_AX_PLUS_B, wave->B, TEXLA_NO_TRANSPOSE, wave->work,
                       wave->before));
  return clVectorAxpy(wave->now, 2, NULL, wave->work);
}

/* values: NULL or one for each point; what they are in walls does not matter */
static clStatus checkFinite(const clWave *wave, const float *values, const char *what) {
  for (int64_t k = 0; values && k < clVectorLength(wave->now); k++)
    if (!isfinite(values[k]) && !wave->solid[k])
      return txFail(txWaveError(wave), TEXLA_NOT_FINITE, "clWaveUpload",
                    "the %s of point (%lld, %lld) is %g", what, (long long)(k % wave->info.nx),
                    (long long)(k / wave->info.nx), (double)values[k]);
  return TEXLA_OK;
}

/* Zeros in all that a step goes on from: nothing moves. */
static clStatus clear(clWave *wave) {
  clVector *state[TEXLA_WAVE_STATE];
  for (int count = clWaveState(wave, state), k = 0; k < count; k++)
    TRY(clVectorClear(state[k]));
  return TEXLA_OK;
}

/* x(t-1) = x(t) - dt u_t + 1/2 dt^2 u_tt, and dt^2 u_tt = B x - 2 x */
clStatus clWaveUpload(clWave *wave, const float *height, const float *velocity) {
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  TRY(checkFinite(wave, height, "height"));
  TRY(checkFinite(wave, velocity, "velocity"));
  wave->info.steps = 0;
  wave->info.time = 0;
  TRY(clear(wave));
  if (height)
    TRY(addAtRest(wave, height));
  if (!velocity)
    return TEXLA_OK;
  TRY(upload(wave, wave->work, velocity));
  return clVectorAxpy(wave->before, -(float)wave->info.dt, NULL, wave->work);
}

/* The first and the last grid point (exclusive) of an axis that lie within `reach` of the point at;
 * in grid steps. On a periodic axis they may lie beyond its ends, once around at most. */
static void clip(int range[2], double at, double reach, int count, bool periodic) {
  double least = 0;
  if (periodic)
    least = floor(at - count / 2.);
  double most = least + count;
  range[0] = (int)fmin(fmax(ceil(at - reach), least), most);
  range[1] = (int)fmin(fmax(floor(at + reach) + 1, range[0]), most);
}

/* i modulo n, from 0: in C the remainder has the sign of i. */
static int wrap(int i, int n) {
  return (i % n + n) % n;
}

/* Where the point lies on an axis, in grid steps from the first point; on a periodic one within the
 * grid. */
static double positionOf(const clWaveInfo *info, int axis, double at) {
  const int n[] = {info->nx, info->ny};
  double i = at / info->h - 0.5;
  if (txWavePeriodic(info, axis))
    i -= n[axis] * floor(i / n[axis]);
  return i;
}

/* u = height exp(-r^2 / radius^2), r the distance from (x, y), where that is not negligible. */
static void drawDrop(float *u, const clWaveInfo *info, double x, double y, double radius,
                     double height) {
  /* exp(-reach^2) is below single precision's resolution */
  const double reach = 4.5;
  int columns[2], rows[2];
  double cx = positionOf(info, 0, x), cy = positionOf(info, 1, y), r = radius / info->h;
  clip(columns, cx, reach * r, info->nx, txWavePeriodic(info, 0));
  clip(rows, cy, reach * r, info->ny, txWavePeriodic(info, 1));
  for (int j = rows[0]; j < rows[1]; j++)
    for (int i = columns[0]; i < columns[1]; i++) {
      double dx = (i - cx) / r, dy = (j - cy) / r;
      u[(int64_t)wrap(j, info->ny) * info->nx + wrap(i, info->nx)] =
          (float)(height * exp(-(dx * dx + dy * dy)));
    }
}

/* A drop has no velocity, so that both levels of time change. It is drawn on the host, where it may
 * reach around periodic edges, and only there: as rare as drops are, a shader for them is not worth
 * its time to compile. */
clStatus clWaveDrop(clWave *wave, double x, double y, double radius, double height) {
  static const char call[] = "clWaveDrop";
  if (!wave)
    return TEXLA_BAD_ARGUMENT;
  if (!isfinite(x) || !isfinite(y) || !txIsPositive(radius) || !isfinite((float)height))
    return txFail(txWaveError(wave), TEXLA_BAD_ARGUMENT, call,
                  "x (%g), y (%g) and height (%g) must be finite, radius (%g) also positive", x, y,
                  height, radius);
  float *u =
      txAllocate(txWaveError(wave), call, (size_t)clVectorLength(wave->now), sizeof *u, "a drop");
  if (!u)
    return TEXLA_OUT_OF_MEMORY;
  drawDrop(u, &wave->info, x, y, radius, height);
  clStatus status = addAtRest(wave, u);
  free(u);
  return status;
}

/* before <- 2 now - before + change. What pulls is the average over time of the scheme: half of
 * 3 now - before, or now. */
static clStatus stepImplicit(clWave *wave) {
  const clVector *pulling = wave->now;
  float share = 1;
  if (wave->info.scheme == TEXLA_WAVE_CRANK_NICOLSON) {
    TRY(clVectorAdd(wave->work, 3, NULL, wave->now, -1, NULL, wave->before));
    pulling = wave->work;
    share = 0.5f;
  }
  clStatus solved = solveChange(wave, pulling, share, true);
  if (solved < 0)
    return solved;
  TRY(clVectorAdd(wave->before, 2, NULL, wave->now, -1, NULL, wave->before));
  TRY(clVectorAxpy(wave->before, 1, NULL, wave->change));
  return solved;
}

/* What the layers make of work = B now - before; before <- x(t+1). Damping grows with the square of
 * the depth in a layer, so that nothing is reflected where it begins; `rate` is such that over the
 * way through the layer and back the exponents sum up to `strength`. */
static clStatus runLayers(clWave *wave) {
  const clWaveInfo *info = &wave->info;
  /* exp(-strength) comes back at normal incidence, were there no grid */
  const double strength = 9;
  double n = info->layer,
         rate = 1.5 * strength / (n * n * n) * info->fastest * info->dt / info->h / 2;
  clKernelRun run = txWavePrepare(wave);
  run.output[0] = wave->before;
  run.output[1] = wave->flux[0];
  run.output[2] = wave->flux[1];
  run.input[3] = (clKernelInput){"p", wave->flux[0], false};
  run.input[4] = (clKernelInput){"q", wave->flux[1], false};
  run.input[5] = (clKernelInput){"next", wave->work, false};
  run.parameter[1] = (clKernelParameter){"rate", 1, {(float)rate}};
  run.parameter[2] = (clKernelParameter){"beta", 1, {(float)info->beta}};
  run.parameter[3] = (clKernelParameter){"layers", 4, {0}};
  for (int s = 0; s < 4; s++)
    if (info->edge[s] == TEXLA_WAVE_EDGE_ABSORBING)
      run.parameter[3].value[s] = (float)n;
  return clKernelExecute(wave->layer, &run);
}

/* before <- B now - before + dt^2 f, through the layers where there are some. */
static clStatus stepExplicit(clWave *wave) {
  clVector *y = wave->before;
  if (wave->layer)
    y = wave->work;
  TRY(clMatrixVectorOp(y, TEXLA_OP_AX_MINUS_B, wave->B, TEXLA_NO_TRANSPOSE, wave->now,
                       wave->before));
  if (wave->layer)
    TRY(runLayers(wave));
  if (wave->force)
    TRY(txWaveForce(wave, wave->before));
  return TEXLA_OK;
}

/* before <- x(t+1) */
static clStatus stepOnce(clWave *wave) {
  if (wave->cg)
    return stepImplicit(wave);
  return stepExplicit(wave);
}

static void countSteps(clWave *wave, int64_t steps) {
  wave->info.steps = steps;
  wave->info.time = (double)steps * wave->info.dt;
}

/* Levels of time change places after each step. A solver that has not converged is told at the end;
 * a step that fails leaves the levels as they were. */
clStatus clWaveStep(clWave *wave, int64_t count) {
  clStatus result = TEXLA_OK;
  if (!wave || count < 0)
    return txFail(txWaveError(wave), TEXLA_BAD_ARGUMENT, "clWaveStep",
                  "wave must not be NULL, count (%lld) not negative", (long long)count);
  txScopeEnter(wave->context, "clWaveStep", -1);
  for (; count > 0; count--) {
    txScopeEnter(wave->context, "step", wave->info.steps);
    clStatus status = txScopeLeave(wave->context, stepOnce(wave));
    if (status < 0)
      return txScopeLeave(wave->context, status);
    if (status > 0)
      result = status;
    clVector *next = wave->before;
    wave->before = wave->now;
    wave->now = next;
    countSteps(wave, wave->info.steps + 1);
  }
  return txScopeLeave(wave->context, result);
}

/* Two levels of time are all that a step goes on from, and what layers remember of the flux. */
int clWaveState(clWave *wave, clVector *state[TEXLA_WAVE_STATE]) {
  if (!wave || !state)
    return 0;
  state[0] = wave->now;
  state[1] = wave->before;
  state[2] = wave->flux[0];
  state[3] = wave->flux[1];
  if (wave->info.layer)
    return 4;
  return 2;
}

/* The time follows from the number of steps, and with it where sources are. */
clStatus clWaveResume(clWave *wave, int64_t steps) {
  if (!wave || steps < 0)
    return txFail(txWaveError(wave), TEXLA_BAD_ARGUMENT, "clWaveResume",
                  "wave must not be NULL, steps (%lld) not negative", (long long)steps);
  countSteps(wave, steps);
  return TEXLA_OK;
}

const char *clWaveFieldName(clWaveField field) {
  static const char *const name[] = {"height", "velocity", "energy"};
  if ((unsigned)field >= TEXLA_WAVE_FIELDS)
    return "?";
  return name[field];
}

/* work <- the energy's density at each point, 1/2 (u_t^2 + s^2 |grad u|^2), halfway between both
 * levels of time; c^2 / h^2 is beta / dt^2. */
static clStatus viewEnergy(clWave *wave) {
  const clWaveInfo *i = &wave->info;
  clKernelRun run = txWavePrepare(wave);
  run.output[0] = wave->work;
  run.parameter[1] = (clKernelParameter){
      "factor", 2, {(float)(0.5 / (i->dt * i->dt)), (float)(i->beta / (i->dt * i->dt) / 16)}};
  return clKernelExecute(wave->energy, &run);
}

/* The height is there; others are computed into a vector that the next call of a wave may use. */
clStatus clWaveGet(const clVector **out, clWave *wave, clWaveField field) {
  if (!out || !wave || (unsigned)field >= TEXLA_WAVE_FIELDS)
    return txFail(txWaveError(wave), TEXLA_BAD_ARGUMENT, "clWaveGet",
                  "out and wave must not be NULL, and the field (%d) must be one of clWaveField",
                  (int)field);
  float rate = (float)(1 / wave->info.dt);
  const clVector *shown = wave->work;
  if (field == TEXLA_WAVE_VELOCITY)
    TRY(clVectorAdd(wave->work, rate, NULL, wave->now, -rate, NULL, wave->before));
  else if (field == TEXLA_WAVE_ENERGY)
    TRY(viewEnergy(wave));
  else
    shown = wave->now;
  *out = shown;
  return TEXLA_OK;
}

/* 1/2 (h / dt)^2 times the sum of (x - y)^2 - a . (B b - 2 b), with x and y now and before: for the
 * explicit scheme a = x and b = y, for implicit ones both are the mean of x and y. The differences
 * are formed before they are multiplied: the sums of squares would cancel. */
clStatus clWaveEnergy(clWave *wave, double *energy) {
  if (!wave || !energy)
    return txFail(txWaveError(wave), TEXLA_BAD_ARGUMENT, "clWaveEnergy",
                  "wave and energy must not be NULL");
  float sum = 0;
  const clVector *a = wave->now, *b = wave->before;
  if (wave->cg) {
    TRY(clVectorAdd(wave->change, 0.5f, NULL, a, 0.5f, NULL, b));
    a = b = wave->change;
  }
  TRY(clVectorScale(wave->work, 2, NULL, b));
  TRY(clMatrixVectorOp(wave->work, TEXLA_OP_AX_MINUS_B, wave->B, TEXLA_NO_TRANSPOSE, b,
                       wave->work));
  TRY(clVectorDot(wave->potential, a, wave->work));
  TRY(clVectorAdd(wave->work, 1, NULL, wave->now, -1, NULL, wave->before));
  TRY(clVectorDot(wave->kinetic, wave->work, wave->work));
  TRY(clFloatSub(wave->kinetic, wave->kinetic, wave->potential));
  TRY(clFloatDownload(wave->kinetic, &sum));
  double rate = wave->info.h / wave->info.dt;
  *energy = 0.5 * rate * rate * (double)sum;
  return TEXLA_OK;
}
