/* clEvolution: equations that a user types, by Runge-Kutta schemes whose stages are one pass, with
 * an implicit part. */
#include "sim/evolution.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 28, MOST_SOURCE = 1 << 18 };

/* --- options --- */

static clStatus checkSides(const clEvolutionOptions *o, clError *error, const char *call) {
  static const char *const name[] = {"left", "right", "bottom", "top"};
  for (int s = 0; s < 4; s++) {
    if ((unsigned)o->side[s].edge > TEXLA_EVOLUTION_FIXED)
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s edge is of an unknown kind %d",
                    name[s], (int)o->side[s].edge);
    if ((o->side[s].edge == TEXLA_EVOLUTION_PERIODIC) !=
        (o->side[s ^ 1].edge == TEXLA_EVOLUTION_PERIODIC))
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "of the %s and the %s edge only one is periodic", name[s], name[s ^ 1]);
    for (int f = 0; f < o->fields; f++)
      if (!isfinite((float)o->side[s].value[f]))
        return txFail(error, TEXLA_BAD_ARGUMENT, call,
                      "the value of field %d on the %s edge is not finite", f, name[s]);
  }
  return TEXLA_OK;
}

static clStatus checkParameters(const double parameter[TEXLA_EVOLUTION_PARAMETERS], clError *error,
                                const char *call) {
  for (int k = 0; k < TEXLA_EVOLUTION_PARAMETERS; k++)
    if (!isfinite((float)parameter[k]))
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "parameter %d is not finite in single precision (%g)", k, parameter[k]);
  return TEXLA_OK;
}

static clStatus check(const clEvolutionOptions *o, clError *error, const char *call) {
  if (o->fields < 1 || o->fields > TEXLA_EVOLUTION_FIELDS)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "%d fields: there may be 1 to %d", o->fields,
                  TEXLA_EVOLUTION_FIELDS);
  if (o->nx < 4 || o->ny < 4)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "a grid of %d x %d cells: it needs at least 4 x 4", o->nx, o->ny);
  if ((int64_t)o->nx * o->ny > MOST_CELLS)
    return txFail(error, TEXLA_TOO_LARGE, call, "%d x %d cells are more than %d", o->nx, o->ny,
                  MOST_CELLS);
  if (!(o->h > 0) || !isfinite(o->h) || !(o->dt > 0) || !isfinite(o->dt))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "h (%g) and dt (%g) must be positive and finite",
                  o->h, o->dt);
  if ((unsigned)o->scheme > TEXLA_EVOLUTION_RK4)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "unknown scheme %d", (int)o->scheme);
  for (int f = 0; f < o->fields; f++)
    if (!isfinite(o->diffusion[f]) || !isfinite(o->fourth[f]))
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "D (%g) and B (%g) of field %d must be finite",
                    o->diffusion[f], o->fourth[f], f);
  TRY(checkParameters(o->parameter, error, call));
  if (o->rate && strlen(o->rate) > MOST_SOURCE)
    return txFail(error, TEXLA_TOO_LARGE, call, "the rate's source has more than %d characters",
                  MOST_SOURCE);
  return checkSides(o, error, call);
}

/* --- schemes --- */

static txEvolutionScheme schemeOf(clEvolutionScheme scheme) {
  const double g = 1 - sqrt(0.5), d = 1 - 1 / (2 * g), a = (1 - g) / g;
  switch (scheme) {
  case TEXLA_EVOLUTION_EULER:
    return (txEvolutionScheme){1, 1, {{{1, 0, 0, 1}, {0}}}};
  case TEXLA_EVOLUTION_RK4:
    return (txEvolutionScheme){4,
                               0,
                               {{{1, 0, 0, 0.5}, {1, 0, 0, 1 / 6.}},
                                {{1, 0, 0, 0.5}, {0, 0, 1, 1 / 3.}},
                                {{1, 0, 0, 1}, {0, 0, 1, 1 / 3.}},
                                {{0, 0, 1, 1 / 6.}, {0}}}};
  /* g dt L(y1) = y1 - start - g dt N(start) has been put into the second stage's start + dt (d
   * N(start) + (1 - d) N(y1)) + (1 - g) dt L(y1) */
  default:
    return (txEvolutionScheme){
        2, g, {{{1, 0, 0, g}, {1 - a, 0, 0, d - (1 - g)}}, {{0, a, 1, 1 - d}, {0}}}};
  }
}

/* --- kernels --- */

static bool isPeriodic(const clEvolution *e, int axis) {
  return e->options.side[2 * axis].edge == TEXLA_EVOLUTION_PERIODIC;
}

clStatus txEvolutionKernel(clKernel **out, const clEvolution *e, const char *name,
                           const char *defines, const char *source) {
  size_t size = strlen(defines) + strlen(source) + 256;
  char *text = txAllocate(txContextError(e->context), name, size, 1, "a shader");
  if (!text)
    return TEXLA_OUT_OF_MEMORY;
  snprintf(text, size, "#define FIELDS %d\n%s%s%s%s#include \"sim/evolution.glsl\"\n%s",
           e->options.fields, isPeriodic(e, 0) ? "#define PERIODIC_X\n" : "",
           isPeriodic(e, 1) ? "#define PERIODIC_Y\n" : "",
           e->options.nx % 4 ? "#define PARTIAL\n" : "", defines, source);
  clStatus status = clKernelCreate(out, e->context, name, text);
  free(text);
  return status;
}

clKernelRun txEvolutionRun(const clEvolution *e, clVector *const field[]) {
  static const char *const now[] = {"now_u", "now_v", "now_w", "now_q"};
  static const char *const beyond[] = {"beyond_u", "beyond_v", "beyond_w", "beyond_q"};
  static const char *const parameter[] = {"parameter_0", "parameter_1", "parameter_2"};
  const clEvolutionOptions *o = &e->options;
  clKernelRun run = {
      .parameter = {{"grid", 4, {(float)o->nx, (float)o->ny, (float)o->h, (float)e->info.time}},
                    {"mirror", 4}},
      .keeps_zero = o->nx % 4 == 0};
  for (int f = 0; f < TEXLA_EVOLUTION_FIELDS; f++)
    run.parameter[2 + f] = (clKernelParameter){beyond[f], 4, {0}};
  for (int s = 0; s < 4; s++) {
    bool fixed = o->side[s].edge == TEXLA_EVOLUTION_FIXED;
    run.parameter[1].value[s] = fixed ? -1 : 1;
    for (int f = 0; f < TEXLA_EVOLUTION_FIELDS && fixed; f++)
      run.parameter[2 + f].value[s] = (float)(2 * o->side[s].value[f]);
  }
  for (int k = 0; k < TEXLA_EVOLUTION_PARAMETERS; k++) {
    run.parameter[6 + k / 4].name = parameter[k / 4];
    run.parameter[6 + k / 4].count = 4;
    run.parameter[6 + k / 4].value[k % 4] = (float)o->parameter[k];
  }
  for (int f = 0; f < o->fields; f++)
    run.input[f] = (clKernelInput){now[f], field[f]};
  return run;
}

/* The user's rate stands between the fields and the stage; its lines count from 1. */
static clStatus createStage(clEvolution *e, const char *rate) {
  static const char none[] = "void rate(out vec4 f[FIELDS]) {\n  for (int i = 0; i < FIELDS; "
                             "i++)\n    f[i] = vec4(0.);\n}";
  char defines[128];
  bool second = false, fourth = false;
  for (int f = 0; f < e->options.fields; f++) {
    second |= e->options.diffusion[f] != 0 || e->times[f] == 2;
    fourth |= e->options.fourth[f] != 0 && e->times[f] != 2;
  }
  char roots[4][24] = {""};
  for (int f = 0; f < e->options.fields; f++)
    if (e->root[f])
      snprintf(roots[f], sizeof roots[f], "#define ROOT_%c\n", "UVWQ"[f]);
  snprintf(defines, sizeof defines, "%s%s%s%s%s%s", roots[0], roots[1], roots[2], roots[3],
           second ? "#define SECOND\n" : "", fourth ? "#define FOURTH\n" : "");
  size_t size = strlen(rate ? rate : none) + 128;
  char *source = txAllocate(txContextError(e->context), "clEvolutionCreate", size, 1, "a shader");
  if (!source)
    return TEXLA_OUT_OF_MEMORY;
  snprintf(source, size, "#line 1\n%s\n#include \"sim/evolution_stage.frag\"\n",
           rate ? rate : none);
  clStatus status = txEvolutionKernel(&e->stage, e, "rate", defines, source);
  free(source);
  return status;
}

/* --- life --- */

static clStatus createVectors(clEvolution *e) {
  for (int f = 0; f < e->options.fields; f++) {
    clVector **const all[] = {&e->now[f], &e->next[f], &e->right[f], &e->sum[f]};
    for (int k = 0; k < 4; k++)
      TRY(clVectorCreateGrid(all[k], e->context, e->options.nx, e->options.ny));
  }
  for (int k = 0; k < 2; k++)
    TRY(clVectorCreateGrid(&e->work[k], e->context, e->options.nx, e->options.ny));
  return clFloatCreate(&e->number, e->context);
}

/* A step from zeros: the compiler looks at the rate now, not later. Where 0 is no place to be, the
 * numbers do not matter. */
static clStatus tryStep(clEvolution *e) {
  clStatus status = clEvolutionStep(e, 1);
  for (int f = 0; f < e->options.fields && status >= 0; f++)
    status = clVectorClear(e->now[f]);
  return status < 0 ? status : clEvolutionResume(e, 0);
}

static clStatus create(clEvolution *e, const char *rate) {
  TRY(createVectors(e));
  TRY(txEvolutionSetSolver(e));
  TRY(txEvolutionCreateRoots(e, rate));
  TRY(createStage(e, rate));
  TRY(txEvolutionKernel(&e->paint, e, "evolution paint", "",
                        "#include \"sim/evolution_paint.frag\"\n"));
  return tryStep(e);
}

clStatus clEvolutionCreate(clEvolution **out, clContext *context,
                           const clEvolutionOptions *options) {
  static const char call[] = "clEvolutionCreate";
  if (!out || !context || !options)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out, context and options must not be NULL");
  clEvolutionOptions o = *options;
  o.nx = o.nx ? o.nx : 128;
  o.ny = o.ny ? o.ny : 128;
  o.h = o.h != 0 ? o.h : 1. / o.ny;
  o.fields = o.fields ? o.fields : 1;
  o.rate = NULL;
  clStatus status = check(&o, txContextError(context), call);
  if (status)
    return status;
  clEvolution *e = txAllocate(txContextError(context), call, 1, sizeof *e, "a clEvolution");
  if (!e)
    return TEXLA_OUT_OF_MEMORY;
  e->context = context;
  e->options = o;
  e->scheme = schemeOf(o.scheme);
  e->info = (clEvolutionInfo){.nx = o.nx,
                              .ny = o.ny,
                              .fields = o.fields,
                              .h = o.h,
                              .width = o.nx * o.h,
                              .height = o.ny * o.h,
                              .dt = o.dt,
                              .solver = e->solver};
  status = create(e, options->rate);
  if (status)
    clEvolutionDestroy(e);
  else
    *out = e;
  return status;
}

void clEvolutionDestroy(clEvolution *e) {
  if (!e)
    return;
  for (int f = 0; f < TEXLA_EVOLUTION_FIELDS; f++) {
    clVector *const vector[] = {e->now[f], e->next[f], e->right[f], e->sum[f]};
    for (int k = 0; k < 4; k++)
      clVectorDestroy(vector[k]);
    clMultigridDestroy(e->multigrid[f]);
  }
  for (int f = 0; f < TEXLA_EVOLUTION_FIELDS; f++)
    clVectorDestroy(e->root[f]);
  clKernel *const kernel[] = {e->smooth, e->stage, e->paint, e->picture, e->sweep, e->residual};
  for (int k = 0; k < (int)(sizeof kernel / sizeof *kernel); k++)
    clKernelDestroy(kernel[k]);
  clVectorDestroy(e->work[0]);
  clVectorDestroy(e->work[1]);
  clFloatDestroy(e->number);
  free(e->picture_text);
  free(e);
}

clEvolutionInfo clEvolutionInspect(const clEvolution *e) {
  return e ? e->info : (clEvolutionInfo){.solver = ""};
}

clVector *clEvolutionField(clEvolution *e, int field) {
  return e && field >= 0 && field < e->options.fields ? e->now[field] : NULL;
}

clStatus clEvolutionUpload(clEvolution *e, const float *const value[TEXLA_EVOLUTION_FIELDS]) {
  static const char call[] = "clEvolutionUpload";
  if (!e || !value)
    return txFail(e ? txContextError(e->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "evolution and value must not be NULL");
  int64_t n = (int64_t)e->options.nx * e->options.ny;
  for (int f = 0; f < e->options.fields; f++)
    for (int64_t k = 0; value[f] && k < n; k++)
      if (!isfinite(value[f][k]))
        return txFail(txContextError(e->context), TEXLA_NOT_FINITE, call,
                      "%c of cell (%lld, %lld) is %g at the start", "uvwq"[f],
                      (long long)(k % e->options.nx), (long long)(k / e->options.nx),
                      (double)value[f][k]);
  clStatus status = TEXLA_OK;
  for (int f = 0; f < e->options.fields && !status; f++)
    status = value[f] ? clVectorUpload(e->now[f], value[f]) : clVectorClear(e->now[f]);
  return status ? status : clEvolutionResume(e, 0);
}

clStatus clEvolutionPaint(clEvolution *e, double x, double y, double radius,
                          const double amount[TEXLA_EVOLUTION_FIELDS]) {
  static const char call[] = "clEvolutionPaint";
  if (!e || !amount)
    return txFail(e ? txContextError(e->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "evolution and amount must not be NULL");
  if (!isfinite(x) || !isfinite(y) || !(radius > 0) || !isfinite(radius))
    return txFail(txContextError(e->context), TEXLA_BAD_ARGUMENT, call,
                  "x (%g) and y (%g) must be finite, radius (%g) also positive", x, y, radius);
  clKernelRun run = txEvolutionRun(e, e->now);
  run.parameter[TX_EVOLUTION_SHARED] =
      (clKernelParameter){"bell", 3, {(float)x, (float)y, (float)radius}};
  run.parameter[TX_EVOLUTION_SHARED + 1] = (clKernelParameter){"amount", 4, {0}};
  for (int f = 0; f < e->options.fields; f++) {
    run.parameter[TX_EVOLUTION_SHARED + 1].value[f] = (float)amount[f];
    run.output[f] = e->now[f];
    if (!isfinite((float)amount[f]))
      return txFail(txContextError(e->context), TEXLA_BAD_ARGUMENT, call,
                    "amount %d (%g) is not finite", f, amount[f]);
  }
  return clKernelExecute(e->paint, &run);
}

clStatus clEvolutionParameters(clEvolution *e, const double value[TEXLA_EVOLUTION_PARAMETERS]) {
  static const char call[] = "clEvolutionParameters";
  if (!e || !value)
    return txFail(e ? txContextError(e->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "evolution and value must not be NULL");
  TRY(checkParameters(value, txContextError(e->context), call));
  memcpy(e->options.parameter, value, sizeof e->options.parameter);
  return TEXLA_OK;
}

/* --- time --- */

/* The part of D lap and -B lap lap that is explicit. */
static void setDerivatives(const clEvolution *e, float second[4], float fourth[4]) {
  const clEvolutionOptions *o = &e->options;
  double dt = e->scheme.implicit * o->dt;
  for (int f = 0; f < o->fields; f++) {
    double implicit = e->times[f] == 2 ? 2 * e->c[f] * o->h * o->h / dt
                      : e->times[f]    ? o->diffusion[f]
                                       : 0;
    second[f] = (float)(o->diffusion[f] - implicit);
    fourth[f] = e->times[f] == 2 ? 0 : (float)-o->fourth[f];
  }
}

static clStatus runStage(clEvolution *e, int k, clVector *const y[]) {
  static const char *const start[] = {"start_u", "start_v", "start_w", "start_q"};
  static const char *const sum[] = {"sum_u", "sum_v", "sum_w", "sum_q"};
  static const char *const root[] = {"root_u", "root_v", "root_w", "root_q"};
  static const char *const name[] = {"to", "onto", "second", "fourth"};
  const txEvolutionStage *stage = &e->scheme.stage[k];
  clKernelRun run = txEvolutionRun(e, y);
  int fields = e->options.fields;
  bool last = k + 1 == e->scheme.stages;
  clKernelParameter *parameter = run.parameter + TX_EVOLUTION_SHARED;
  for (int i = 0; i < 4; i++) {
    double factor = i == 3 ? e->options.dt : 1;
    parameter[i].name = name[i];
    parameter[i].count = 4;
    parameter[0].value[i] = (float)(factor * stage->to[i]);
    parameter[1].value[i] = (float)(factor * stage->onto[i]);
  }
  int inputs = 3 * fields;
  setDerivatives(e, parameter[2].value, parameter[3].value);
  parameter[4] = (clKernelParameter){"root_near", 3, {0}};
  txEvolutionRootNear(e, parameter[4].value);
  for (int f = 0; f < fields; f++) {
    run.input[fields + f] = (clKernelInput){start[f], e->now[f]};
    run.input[2 * fields + f] = (clKernelInput){sum[f], e->sum[f]};
    if (e->root[f])
      run.input[inputs++] = (clKernelInput){root[f], e->root[f]};
    run.output[f] = e->scheme.implicit > 0 ? e->right[f] : e->next[f];
    if (!last)
      run.output[fields + f] = e->sum[f];
  }
  return clKernelExecute(e->stage, &run);
}

static clStatus stepOnce(clEvolution *e) {
  clVector *const *y = e->now;
  clStatus status = TEXLA_OK, solved = TEXLA_OK;
  e->info.iterations = 0;
  for (int k = 0; k < e->scheme.stages && !status; k++, y = e->next) {
    status = txEvolutionRoots(e, y);
    if (!status)
      status = runStage(e, k, y);
    if (!status && e->scheme.implicit > 0)
      status = txEvolutionSolve(e, y);
    solved = status > 0 ? status : solved;
    status = status > 0 ? TEXLA_OK : status;
  }
  for (int f = 0; f < e->options.fields && !status; f++) {
    clVector *old = e->now[f];
    e->now[f] = e->next[f];
    e->next[f] = old;
  }
  return status ? status : solved;
}

clStatus clEvolutionStep(clEvolution *e, int64_t count) {
  static const char call[] = "clEvolutionStep";
  if (!e || count < 0)
    return txFail(e ? txContextError(e->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "evolution must not be NULL, count (%lld) not negative", (long long)count);
  clStatus result = TEXLA_OK;
  txScopeEnter(e->context, call, -1);
  for (; count > 0 && result >= 0; count--) {
    txScopeEnter(e->context, "step", e->info.steps);
    clStatus status = txScopeLeave(e->context, stepOnce(e));
    result = status ? status : result;
    if (status >= 0)
      clEvolutionResume(e, e->info.steps + 1);
  }
  return txScopeLeave(e->context, result);
}

clStatus clEvolutionResume(clEvolution *e, int64_t steps) {
  if (!e || steps < 0)
    return txFail(e ? txContextError(e->context) : NULL, TEXLA_BAD_ARGUMENT, "clEvolutionResume",
                  "evolution must not be NULL, steps (%lld) not negative", (long long)steps);
  e->info.steps = steps;
  e->info.time = (double)steps * e->options.dt;
  return TEXLA_OK;
}

/* --- results --- */

/* The mean over all cells of what e->number is the sum of. */
static clStatus meanOf(const clEvolution *e, double *mean) {
  float value = 0;
  TRY(clFloatDownload(e->number, &value));
  *mean = (double)value / ((double)e->options.nx * e->options.ny);
  return TEXLA_OK;
}

/* Says why a field is not finite any more. Of diffusion backwards, D < 0 without a B > 0 that calms
 * short waves, no step makes a problem that has a solution. */
static clStatus failAsNotFinite(clEvolution *e, int field, const char *call) {
  const clEvolutionOptions *o = &e->options;
  char name = "uvwq"[field];
  bool backwards = o->fourth[field] < 0 || (o->fourth[field] == 0 && o->diffusion[field] < 0);
  if (backwards)
    return txFail(txContextError(e->context), TEXLA_NOT_FINITE, call,
                  "%c is not finite any more at time %.6g, after %lld steps of dt = %g: its "
                  "diffusion runs backwards (D = %g, B = %g), so that the shorter a wave is the "
                  "faster it grows, whatever dt",
                  name, e->info.time, (long long)e->info.steps, o->dt, o->diffusion[field],
                  o->fourth[field]);
  return txFail(txContextError(e->context), TEXLA_NOT_FINITE, call,
                "%c is not finite any more at time %.6g, after %lld steps of dt = %g; a smaller dt "
                "may help",
                name, e->info.time, (long long)e->info.steps, o->dt);
}

clStatus clEvolutionMeasure(clEvolution *e, double mean[TEXLA_EVOLUTION_FIELDS],
                            double square[TEXLA_EVOLUTION_FIELDS]) {
  static const char call[] = "clEvolutionMeasure";
  if (!e || !mean || !square)
    return txFail(e ? txContextError(e->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "evolution, mean and square must not be NULL");
  for (int f = 0; f < TEXLA_EVOLUTION_FIELDS; f++)
    mean[f] = square[f] = 0;
  for (int f = 0; f < e->options.fields; f++) {
    TRY(clVectorSum(e->number, e->now[f]));
    TRY(meanOf(e, &mean[f]));
    TRY(clVectorDot(e->number, e->now[f], e->now[f]));
    TRY(meanOf(e, &square[f]));
    if (!isfinite(square[f]))
      return failAsNotFinite(e, f, call);
  }
  return TEXLA_OK;
}

/* e->picture for this text */
static clStatus setPicture(clEvolution *e, const char *text) {
  static const char call[] = "clEvolutionPicture",
                    end[] = "\n#line 1\nvec4 kernel() { return picture(); }\n";
  if (e->picture && strcmp(e->picture_text, text) == 0)
    return TEXLA_OK;
  size_t size = strlen(text) + sizeof end + 16;
  char *source = txAllocate(txContextError(e->context), call, size, 1, "a shader");
  char *copy = txCopyText(txContextError(e->context), call, text, "a shader");
  clKernel *kernel = NULL;
  clStatus status = source && copy ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  if (!status) {
    snprintf(source, size, "#line 1\n%s%s", text, end);
    status = txEvolutionKernel(&kernel, e, "picture", "", source);
  }
  free(source);
  if (status) {
    free(copy);
    return status;
  }
  clKernelDestroy(e->picture);
  free(e->picture_text);
  e->picture = kernel;
  e->picture_text = copy;
  return TEXLA_OK;
}

clStatus clEvolutionPicture(const clVector **out, clEvolution *e, const char *picture) {
  if (!out || !e || !picture)
    return txFail(e ? txContextError(e->context) : NULL, TEXLA_BAD_ARGUMENT, "clEvolutionPicture",
                  "out, evolution and picture must not be NULL");
  TRY(setPicture(e, picture));
  clKernelRun run = txEvolutionRun(e, e->now);
  run.output[0] = e->work[0];
  TRY(clKernelExecute(e->picture, &run));
  *out = e->work[0];
  return TEXLA_OK;
}
