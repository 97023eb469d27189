/* clEvolution: equations that a user types, by Runge-Kutta schemes whose stages are one pass, with
 * an implicit part. */
#include "sim/evolution.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"
#include "gl/defines.h"
#include "sim/kernels.h"
#include "sim/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 28, MOST_SOURCE = 1 << 18, MOST_SEED = (1 << 24) - 1 };

/* --- options --- */

/* An axis is periodic as a whole: what leaves by one of its two edges comes in by the other. */
static clStatus checkSides(const clEvolutionOptions *o, clError *error, const char *call) {
  for (int s = 0; s < 4; s++) {
    if ((unsigned)o->side[s].edge > TEXLA_EVOLUTION_MIXED)
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s edge is of an unknown kind %d",
                    txSideName(s), (int)o->side[s].edge);
    if ((o->side[s].edge == TEXLA_EVOLUTION_PERIODIC) !=
        (o->side[s ^ 1].edge == TEXLA_EVOLUTION_PERIODIC))
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "of the %s and the %s edge only one is periodic", txSideName(s),
                    txSideName(s ^ 1));
    for (int f = 0; f < o->fields; f++)
      if (!isfinite((float)o->side[s].value[f]))
        return txFail(error, TEXLA_BAD_ARGUMENT, call,
                      "the value of field %d on the %s edge is not finite", f, txSideName(s));
  }
  return TEXLA_OK;
}

/* Parameters, as values at edges, reach the shaders in single precision. */
static clStatus checkParameters(const double parameter[TEXLA_EVOLUTION_PARAMETERS], clError *error,
                                const char *call) {
  for (int k = 0; k < TEXLA_EVOLUTION_PARAMETERS; k++)
    if (!isfinite((float)parameter[k]))
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "parameter %d is not finite in single precision (%g)", k, parameter[k]);
  return TEXLA_OK;
}

/* Diffusions may have either sign: some equations let long waves grow and calm short ones by their
 * fourth derivatives. Of zero fields and cells the defaults have been filled in before. */
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
  if (!txIsPositive(o->h) || !txIsPositive(o->dt))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "h (%g) and dt (%g) must be positive and finite",
                  o->h, o->dt);
  if (o->seed < 0 || o->seed > MOST_SEED)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "seed %d is not within 0 to %d", o->seed,
                  MOST_SEED);
  if ((unsigned)o->scheme > TEXLA_EVOLUTION_RK4)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "unknown scheme %d", (int)o->scheme);
  for (int f = 0; f < o->fields; f++)
    if (!isfinite(o->diffusion[f]) || !isfinite(o->fourth[f]))
      return txFail(error, TEXLA_BAD_ARGUMENT, call, "D (%g) and B (%g) of field %d must be finite",
                    o->diffusion[f], o->fourth[f], f);
  TRY(checkParameters(o->parameter, error, call));
  const char *const text[] = {o->rate,     o->edges,    o->total[0],
                              o->total[1], o->total[2], o->total[3]};
  for (int k = 0; k < (int)(sizeof text / sizeof *text); k++)
    if (text[k] && strlen(text[k]) > MOST_SOURCE)
      return txFail(error, TEXLA_TOO_LARGE, call, "a source has more than %d characters",
                    MOST_SOURCE);
  return checkSides(o, error, call);
}

static void setDefaults(clEvolutionOptions *o) {
  txUsualInteger(&o->nx, 128);
  txUsualInteger(&o->ny, 128);
  txUsual(&o->h, 1. / o->ny);
  txUsualInteger(&o->fields, 1);
}

/* --- schemes --- */

/* Euler's rule, y = start + dt k with all that is implicit at the end of the step; the classical
 * rule of Runge and Kutta; and by default the L-stable pair of Ascher, Ruuth and Spiteri (1997),
 * implicit diffusion and explicit rates of second order with g = 1 - 1 / sqrt(2). */
static txEvolutionScheme schemeOf(clEvolutionScheme scheme) {
  const double g = 1 - sqrt(0.5), d = 1 - 1 / (2 * g), a = (1 - g) / g;
  switch (scheme) {
  case TEXLA_EVOLUTION_EULER:
    return (txEvolutionScheme){1, 1, {{0, {0, 0, 1}, {0}}}};
  case TEXLA_EVOLUTION_RK4:
    return (txEvolutionScheme){4,
                               0,
                               {{0, {0, 0, 0.5}, {0, 1 / 6.}},
                                {0.5, {0, 0, 0.5}, {1, 1 / 3.}},
                                {0.5, {0, 0, 1}, {1, 1 / 3.}},
                                {1, {0, 1, 1 / 6.}, {0}}}};
  /* The first stage knows g dt L(y1) = y1 - start - g dt N(start), so that the second one, whose
   * right-hand side is
   *     start + dt (d N(start) + (1 - d) N(y1)) + (1 - g) dt L(y1),
   * need not compute L(y1): with a = (1 - g) / g it takes a times that, a (y1 - start) and the sum
   * (d - (1 - g)) dt N(start). */
  default:
    return (txEvolutionScheme){2, g, {{0, {0, 0, g}, {0, d - (1 - g)}}, {g, {a, 1, 1 - d}, {0}}}};
  }
}

/* --- kernels --- */

/* Only what some field has is compiled: roots of the Laplacian, and second and fourth derivatives
 * that are explicit. */
static txDefines derivativesOf(const clEvolution *e) {
  static const char *const root[] = {"ROOT_U", "ROOT_V", "ROOT_W", "ROOT_Q"};
  txDefines defines = {""};
  bool second = false, fourth = false;
  for (int f = 0; f < e->options.fields; f++) {
    second |= e->second[f] != 0;
    fourth |= e->fourth[f] != 0;
    txDefineIf(&defines, e->root[f] != NULL, root[f]);
  }
  txDefineIf(&defines, second, "SECOND");
  txDefineIf(&defines, fourth, "FOURTH");
  return defines;
}

/* The user's rate stands between the fields and the stage; its lines count from 1, so that the
 * compiler's messages name the lines that the user typed. */
static clStatus createStage(clEvolution *e, const char *rate) {
  txDefines defines = derivativesOf(e);
  txDefineIf(&defines, rate && strstr(rate, "noise("), "NOISE");
  if (!rate)
    rate = "void rate(out vec4 f[FIELDS]) {\n"
           "  for (int i = 0; i < FIELDS; i++)\n"
           "    f[i] = vec4(0.);\n"
           "}";
  size_t size = strlen(rate) + 128;
  char *source = txAllocate(txEvolutionError(e), "clEvolutionCreate", size, 1, "a shader");
  if (!source)
    return TEXLA_OUT_OF_MEMORY;
  snprintf(source, size, "#line 1\n%s\n#include \"sim/evolution_stage.frag\"\n", rate);
  clStatus status = txEvolutionKernel(&e->stage, e, "rate", defines.text, source);
  free(source);
  return status;
}

/* --- life --- */

/* Four vectors a field: at the start of a step, after its stages, the right-hand side of what is
 * implicit, and the sum that stages after this one add to. */
static clStatus createVectors(clEvolution *e) {
  for (int f = 0; f < e->options.fields; f++) {
    clVector **const all[] = {&e->now[f], &e->next[f], &e->right[f], &e->sum[f]};
    for (int k = 0; k < 4; k++)
      TRY(clVectorCreateGrid(all[k], e->context, e->options.nx, e->options.ny));
  }
  for (int k = 0; k < 2; k++)
    TRY(clVectorCreateGrid(&e->work[k], e->context, e->options.nx, e->options.ny));
  TRY(clFloatCreate(&e->norm, e->context));
  return clFloatCreate(&e->number, e->context);
}

/* A step from zeros compiles the rate now, not later. Later steps read none of its numbers, which
 * are not finite if the rate is undefined at 0. */
static clStatus tryStep(clEvolution *e) {
  clStatus status = clEvolutionStep(e, 1);
  if (status < 0)
    return status;
  for (int f = 0; f < e->options.fields; f++)
    TRY(clVectorClear(e->now[f]));
  e->info.iterations = 0;
  e->info.residual = 0;
  return clEvolutionResume(e, 0);
}

/* The order matters: what is solved implicitly and which roots are asked for decides what the
 * stage's kernel has to compute. */
static clStatus create(clEvolution *e, const clEvolutionOptions *o) {
  TRY(createVectors(e));
  TRY(txEvolutionCreateEdges(e, o->edges));
  TRY(txEvolutionCreateRoots(e, o->rate));
  TRY(txEvolutionCreateGiven(e, &(clEvolutionOptions){.nx = e->options.nx,
                                                      .ny = e->options.ny,
                                                      .fields = e->options.fields,
                                                      .given = {o->given[0], o->given[1]},
                                                      .domain = o->domain}));
  TRY(txEvolutionCreateTotals(e, o));
  TRY(txEvolutionSetSolver(e));
  TRY(createStage(e, o->rate));
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
  setDefaults(&o);
  TRY(check(&o, txContextError(context), call));
  clEvolution *e = txAllocate(txContextError(context), call, 1, sizeof *e, "a clEvolution");
  if (!e)
    return TEXLA_OUT_OF_MEMORY;
  txShadersAdd(context, txSimShaderFiles);
  e->context = context;
  e->options = o;
  /* The texts belong to the caller, who may free them after this call. */
  e->options.rate = e->options.edges = NULL;
  memset(e->options.total, 0, sizeof e->options.total);
  memset(e->options.given, 0, sizeof e->options.given);
  e->options.domain = NULL;
  e->scheme = schemeOf(o.scheme);
  e->info = (clEvolutionInfo){.nx = o.nx,
                              .ny = o.ny,
                              .fields = o.fields,
                              .h = o.h,
                              .width = o.nx * o.h,
                              .height = o.ny * o.h,
                              .dt = o.dt,
                              .solver = e->solver};
  clStatus status = create(e, options);
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
  for (int f = 0; f < TEXLA_EVOLUTION_FIELDS; f++) {
    clVectorDestroy(e->root[f]);
    clVectorDestroy(e->imaginary[f]);
  }
  for (int k = 0; k < TEXLA_EVOLUTION_TOTALS; k++) {
    clFloatDestroy(e->total[k]);
    clKernelDestroy(e->total_kernel[k]);
  }
  for (int k = 0; k < TEXLA_EVOLUTION_GIVEN; k++)
    clVectorDestroy(e->given[k]);
  clVectorDestroy(e->domain);
  clVectorDestroy(e->edge);
  txHelmholtzDestroy(e->helmholtz);
  clKernel *const kernel[] = {e->smooth[0],   e->smooth[1],     e->smooth[2],       e->stage,
                              e->paint,       e->picture,       e->sweep,           e->residual,
                              e->sweep_begin, e->sweep_complex, e->residual_fourth, e->edge_kernel};
  for (int k = 0; k < (int)(sizeof kernel / sizeof *kernel); k++)
    clKernelDestroy(kernel[k]);
  clVectorDestroy(e->work[0]);
  clVectorDestroy(e->work[1]);
  clFloatDestroy(e->number);
  clFloatDestroy(e->norm);
  free(e->picture_text);
  free(e);
}

clEvolutionInfo clEvolutionInspect(const clEvolution *e) {
  if (!e)
    return (clEvolutionInfo){.solver = ""};
  return e->info;
}

clVector *clEvolutionField(clEvolution *e, int field) {
  if (!e || field < 0 || field >= e->options.fields)
    return NULL;
  return e->now[field];
}

/* Values that are not given (NULL) are zeros. */
static clStatus put(clVector *field, const float *value) {
  if (value)
    return clVectorUpload(field, value);
  return clVectorClear(field);
}

/* All values are looked at before the first field changes. */
clStatus clEvolutionUpload(clEvolution *e, const float *const value[TEXLA_EVOLUTION_FIELDS]) {
  static const char call[] = "clEvolutionUpload";
  if (!e || !value)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, call,
                  "evolution and value must not be NULL");
  int64_t n = (int64_t)e->options.nx * e->options.ny;
  for (int f = 0; f < e->options.fields; f++)
    for (int64_t k = 0; value[f] && k < n; k++)
      if (!isfinite(value[f][k]))
        return txFail(txEvolutionError(e), TEXLA_NOT_FINITE, call,
                      "%c of cell (%lld, %lld) is %g at the start", "uvwq"[f],
                      (long long)(k % e->options.nx), (long long)(k / e->options.nx),
                      (double)value[f][k]);
  for (int f = 0; f < e->options.fields; f++)
    TRY(put(e->now[f], value[f]));
  return clEvolutionResume(e, 0);
}

/* Each field += its amount times a bell around (x, y), in place. */
clStatus clEvolutionPaint(clEvolution *e, double x, double y, double radius,
                          const double amount[TEXLA_EVOLUTION_FIELDS]) {
  static const char call[] = "clEvolutionPaint";
  if (!e || !amount)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, call,
                  "evolution and amount must not be NULL");
  if (!isfinite(x) || !isfinite(y) || !txIsPositive(radius))
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, call,
                  "x (%g) and y (%g) must be finite, radius (%g) also positive", x, y, radius);
  clKernelRun run = txEvolutionRun(e, e->now);
  run.parameter[TX_EVOLUTION_SHARED] =
      (clKernelParameter){"bell", 3, {(float)x, (float)y, (float)radius}};
  run.parameter[TX_EVOLUTION_SHARED + 1] = (clKernelParameter){"amount", 4, {0}};
  for (int f = 0; f < e->options.fields; f++) {
    run.parameter[TX_EVOLUTION_SHARED + 1].value[f] = (float)amount[f];
    run.output[f] = e->now[f];
    if (!isfinite((float)amount[f]))
      return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, call, "amount %d (%g) is not finite",
                    f, amount[f]);
  }
  return clKernelExecute(e->paint, &run);
}

/* Parameters are uniforms, so that nothing is compiled again: they may follow a slider. */
clStatus clEvolutionParameters(clEvolution *e, const double value[TEXLA_EVOLUTION_PARAMETERS]) {
  static const char call[] = "clEvolutionParameters";
  if (!e || !value)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, call,
                  "evolution and value must not be NULL");
  TRY(checkParameters(value, txEvolutionError(e), call));
  memcpy(e->options.parameter, value, sizeof e->options.parameter);
  return TEXLA_OK;
}

/* --- time --- */

/* Stage k as one pass over all fields, from the values y that the stage before it has made (or the
 * step began with). The last stage has no sum to hand on, so that its kernel has half as many
 * outputs. Where something is implicit the result is not y yet, but a right-hand side. */
static clStatus runStage(clEvolution *e, int k, clVector *const y[]) {
  static const char *const start[] = {"start_u", "start_v", "start_w", "start_q"};
  static const char *const sum[] = {"sum_u", "sum_v", "sum_w", "sum_q"};
  static const char *const root[] = {"root_u", "root_v", "root_w", "root_q"};
  const txEvolutionStage *stage = &e->scheme.stage[k];
  const double dt = e->options.dt;
  clKernelRun run = txEvolutionRun(e, y);
  int fields = e->options.fields;
  bool last = k + 1 == e->scheme.stages;
  run.parameter[0].value[3] = (float)(e->info.time + stage->at * dt);
  clKernelParameter *parameter = run.parameter + TX_EVOLUTION_SHARED;
  parameter[0] = (clKernelParameter){
      "to", 3, {(float)stage->to[0], (float)stage->to[1], (float)(dt * stage->to[2])}};
  parameter[1] =
      (clKernelParameter){"onto", 2, {(float)stage->onto[0], (float)(dt * stage->onto[1])}};
  parameter[2] = (clKernelParameter){"second", 4, {0}};
  parameter[3] = (clKernelParameter){"fourth", 4, {0}};
  parameter[6] = (clKernelParameter){"free", 4, {0}};
  for (int f = 0; f < fields; f++) {
    parameter[2].value[f] = (float)e->second[f];
    parameter[3].value[f] = (float)e->fourth[f];
    parameter[6].value[f] = (float)e->implicit[f];
  }
  int inputs = 3 * fields;
  /* A sum that has the factor 0 may hold what a step before has left, also infinities. */
  bool sums = stage->to[1] != 0 || stage->onto[0] != 0;
  int64_t steps = e->info.steps, part = 1 << 20;
  parameter[5] = (clKernelParameter){"noise_key",
                                     4,
                                     {(float)(1 / sqrt(dt)), (float)(steps % part),
                                      (float)(steps / part % part), (float)e->options.seed}};
  parameter[4] = (clKernelParameter){"root_near", 3, {0}};
  txEvolutionRootNear(e, parameter[4].value);
  for (int f = 0; f < fields; f++) {
    run.input[fields + f] = (clKernelInput){start[f], e->now[f]};
    run.input[2 * fields + f] = (clKernelInput){sum[f], sums ? e->sum[f] : e->now[f]};
    if (e->root[f])
      run.input[inputs++] = (clKernelInput){root[f], e->root[f]};
    run.output[f] = e->next[f];
    if (e->scheme.implicit > 0)
      run.output[f] = e->right[f];
    if (!last)
      run.output[fields + f] = e->sum[f];
  }
  return txEvolutionExecute(e, e->stage, &run);
}

/* What is made of the fields y before their rates are. */
static clStatus prepare(clEvolution *e, clVector *const y[], double time) {
  TRY(txEvolutionTotals(e, y, time));
  TRY(txEvolutionEdges(e, y, time));
  return txEvolutionRoots(e, y);
}

/* The fields of now stay until all stages are done, so that a step that fails changes nothing. A
 * solver that has not converged is no failure: the step counts, and the caller is told. */
static clStatus stepOnce(clEvolution *e) {
  clVector *const *y = e->now;
  clStatus solved = TEXLA_OK;
  e->info.iterations = 0;
  for (int k = 0; k < e->scheme.stages; k++, y = e->next) {
    double end = 1, dt = e->options.dt;
    if (k + 1 < e->scheme.stages)
      end = e->scheme.stage[k + 1].at;
    TRY(prepare(e, y, e->info.time + e->scheme.stage[k].at * dt));
    TRY(runStage(e, k, y));
    if (e->scheme.implicit <= 0)
      continue;
    TRY(txEvolutionEdges(e, y, e->info.time + end * dt));
    clStatus status = txEvolutionSolve(e, y);
    TRY(status);
    if (status > 0)
      solved = status;
  }
  for (int f = 0; f < e->options.fields; f++) {
    clVector *old = e->now[f];
    e->now[f] = e->next[f];
    e->next[f] = old;
  }
  return solved;
}

/* The time is computed from the number of steps, and not added up, so that it has no rounding
 * errors of its own and a resumed run has the same. */
clStatus clEvolutionStep(clEvolution *e, int64_t count) {
  static const char call[] = "clEvolutionStep";
  if (!e || count < 0)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, call,
                  "evolution must not be NULL, count (%lld) not negative", (long long)count);
  clStatus result = TEXLA_OK;
  txScopeEnter(e->context, call, -1);
  for (; count > 0 && result >= 0; count--) {
    txScopeEnter(e->context, "step", e->info.steps);
    clStatus status = txScopeLeave(e->context, stepOnce(e));
    if (status != TEXLA_OK)
      result = status;
    if (status >= 0)
      clEvolutionResume(e, e->info.steps + 1);
  }
  return txScopeLeave(e->context, result);
}

clStatus clEvolutionResume(clEvolution *e, int64_t steps) {
  if (!e || steps < 0)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionResume",
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
    return txFail(txEvolutionError(e), TEXLA_NOT_FINITE, call,
                  "%c is not finite any more at time %.6g, after %lld steps of dt = %g: its "
                  "diffusion runs backwards (D = %g, B = %g), so that the shorter a wave is the "
                  "faster it grows, whatever dt",
                  name, e->info.time, (long long)e->info.steps, o->dt, o->diffusion[field],
                  o->fourth[field]);
  return txFail(txEvolutionError(e), TEXLA_NOT_FINITE, call,
                "%c is not finite any more at time %.6g, after %lld steps of dt = %g; a smaller dt "
                "may help",
                name, e->info.time, (long long)e->info.steps, o->dt);
}

/* The mean of each field and of its square, by one reduction each. The square is what finds values
 * that are not finite: in a mean infinities of both signs might hide behind a NaN of no origin. */
clStatus clEvolutionMeasure(clEvolution *e, double mean[TEXLA_EVOLUTION_FIELDS],
                            double square[TEXLA_EVOLUTION_FIELDS]) {
  static const char call[] = "clEvolutionMeasure";
  if (!e || !mean || !square)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, call,
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

/* e->picture for this text; it is kept with the text, so that the same picture again and again
 * compiles once. A text that does not compile leaves the picture that was there. */
static clStatus setPicture(clEvolution *e, const char *text) {
  if (e->picture && strcmp(e->picture_text, text) == 0)
    return TEXLA_OK;
  clKernel *kernel = NULL;
  TRY(txEvolutionPictureKernel(&kernel, e, text, NULL));
  char *copy = txCopyText(txEvolutionError(e), "clEvolutionPicture", text, "a shader");
  if (!copy) {
    clKernelDestroy(kernel);
    return TEXLA_OUT_OF_MEMORY;
  }
  clKernelDestroy(e->picture);
  free(e->picture_text);
  e->picture = kernel;
  e->picture_text = copy;
  return TEXLA_OK;
}

/* The picture is a pass of its own over the fields of now, into a vector that solving uses, too. */
clStatus clEvolutionPicture(const clVector **out, clEvolution *e, const char *picture) {
  if (!out || !e || !picture)
    return txFail(txEvolutionError(e), TEXLA_BAD_ARGUMENT, "clEvolutionPicture",
                  "out, evolution and picture must not be NULL");
  TRY(setPicture(e, picture));
  TRY(txEvolutionTotals(e, e->now, e->info.time));
  TRY(txEvolutionEdges(e, e->now, e->info.time));
  clKernelRun run = txEvolutionRun(e, e->now);
  run.output[0] = e->work[0];
  TRY(txEvolutionExecute(e, e->picture, &run));
  *out = e->work[0];
  return TEXLA_OK;
}
