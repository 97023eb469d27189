/* Inks in several colours on a grid finer than the flow's: texel (i, j) of a vector in the grid
 * layout is a place with four of them. A step is two passes, which go there and back along the
 * paths of the flow (MacCormack's transport). */
#include "core/allocate.h"
#include "core/try.h"
#include "gl/defines.h"
#include "sim/flow.h"
#include "sim/options.h"

#include <math.h>
#include <stdlib.h>

/* inks: the four of each place; guess: what the way back of a step finds; ways: that way and the
 * one ahead from each place; velocity: of the flow's cells. The kernels of a step in a free flow,
 * and among obstacles: made when they are needed. */
struct clFlowInks {
  clFlow *flow;
  clFlowInksOptions options;
  clVector *inks, *guess, *ways, *velocity;
  clKernel *look, *go[2], *correct[2], *splat;
};

enum { INKS = 4, FINEST = 64 };

/* Grids of places: a texel each, so that they are four times as wide in elements. */
static clStatus create(clFlowInks *i) {
  clContext *context = i->flow->context;
  const clFlowInfo *info = &i->flow->info;
  clVector **const vector[] = {&i->inks, &i->guess, &i->ways};
  for (int k = 0; k < 3; k++)
    TRY(clVectorCreateGrid(vector[k], context, INKS * i->options.scale * info->nx,
                           i->options.scale * info->ny));
  TRY(clVectorCreateGrid(&i->velocity, context, INKS * info->nx, info->ny));
  TRY(clKernelCreate(&i->look, context, "flow inks",
                     "#define VELOCITY\n#include \"flow_inks.frag\"\n"));
  return clKernelCreate(&i->splat, context, "flow inks",
                        "#define SPLAT\n#include \"flow_inks.frag\"\n");
}

static clStatus createStep(clFlowInks *i, bool obstacles) {
  static const char *const define[] = {"#define GUESS\n", ""};
  clKernel **const kernel[] = {&i->go[obstacles], &i->correct[obstacles]};
  for (int k = 0; k < 2; k++) {
    txDefines source = {""};
    if (*kernel[k])
      continue;
    txDefineText(&source, define[k]);
    txDefineIf(&source, obstacles, "STONES");
    txDefineIf(&source, i->options.scale == 1, "ALIKE");
    txDefineText(&source, "#include \"flow_inks.frag\"\n");
    TRY(clKernelCreate(kernel[k], i->flow->context, "flow inks", source.text));
  }
  return TEXLA_OK;
}

/* What the texture of the inks must fit into is the device's. */
static clStatus checkSize(const clFlow *flow, int scale, const char *call) {
  int64_t most = clContextInspect(flow->context)->max_texture_size;
  if (scale * (int64_t)flow->info.nx <= most && scale * (int64_t)flow->info.ny <= most)
    return TEXLA_OK;
  return txFail(txFlowError(flow), TEXLA_TOO_LARGE, call,
                "%d x %d cells with %d places along each axis are more than the %lld texels on a "
                "side of the device's largest texture: a smaller scale is needed",
                flow->info.nx, flow->info.ny, scale, (long long)most);
}

clStatus clFlowInksCreate(clFlowInks **out, clFlow *flow, const clFlowInksOptions *options) {
  static const char call[] = "clFlowInksCreate";
  if (!out || !flow)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call, "out and flow must not be NULL");
  clFlowInksOptions o = {0};
  if (options)
    o = *options;
  txUsualInteger(&o.scale, 2);
  if (o.scale < 1 || o.scale > FINEST || !txIsAtLeastZero(o.decay))
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
                  "scale (%d) must be 1 to %d, decay (%g) finite and not negative", o.scale, FINEST,
                  o.decay);
  TRY(checkSize(flow, o.scale, call));
  clFlowInks *i = txAllocate(txFlowError(flow), call, 1, sizeof *i, "inks");
  if (!i)
    return TEXLA_OUT_OF_MEMORY;
  i->flow = flow;
  i->options = o;
  clStatus status = create(i);
  if (status)
    clFlowInksDestroy(i);
  else
    *out = i;
  return status;
}

void clFlowInksDestroy(clFlowInks *i) {
  if (!i)
    return;
  clVectorDestroy(i->inks);
  clVectorDestroy(i->guess);
  clVectorDestroy(i->ways);
  clVectorDestroy(i->velocity);
  clKernelDestroy(i->look);
  for (int k = 0; k < 2; k++) {
    clKernelDestroy(i->go[k]);
    clKernelDestroy(i->correct[k]);
  }
  clKernelDestroy(i->splat);
  free(i);
}

/* What all kernels may read. Those of the flow are of another shape: they are fetched by cell. */
static clKernelRun inputs(const clFlowInks *i) {
  const clFlow *flow = i->flow;
  const clFlowInfo *info = &flow->info;
  float scale = (float)i->options.scale;
  const char *walls[] = {"wall_u", "wall_v"};
  /* the list of inputs ends before maps that are not there */
  if (!flow->wall[0])
    walls[0] = walls[1] = NULL;
  return (clKernelRun){
      .input = {{"inks", i->inks},
                {"guess", i->guess},
                {"ways", i->ways},
                {"velocity", i->velocity, true},
                {"u", flow->u, true},
                {"v", flow->v, true},
                {"rim", flow->rim, true},
                {"fluid", flow->fluid, true},
                {walls[0], flow->wall[0], true},
                {walls[1], flow->wall[1], true}},
      .parameter = {{"cells",
                     4,
                     {(float)info->nx, (float)info->ny, (float)txFlowPeriodic(&flow->options, 0),
                      (float)txFlowPeriodic(&flow->options, 1)}},
                    {"grid",
                     4,
                     {scale * (float)info->nx, scale * (float)info->ny, scale,
                      (float)(info->dt / info->h)}}}};
}

/* MacCormack's transport: q^ is what comes from where the flow does; carried on from there again it
 * should be q, and half of what it differs by is the error of q^, which the second pass takes off.
 * With decay that pass also multiplies by exp(-decay dt). */
clStatus clFlowInksStep(clFlowInks *i) {
  if (!i)
    return TEXLA_BAD_ARGUMENT;
  bool obstacles = txFlowHasObstacles(i->flow);
  TRY(createStep(i, obstacles));
  clKernelRun run = inputs(i);
  for (int k = 0; k < 3; k++)
    run.input[k].any_layout = true;
  run.output[0] = i->velocity;
  TRY(clKernelExecute(i->look, &run));
  run = inputs(i);
  run.output[0] = i->guess;
  run.output[1] = i->ways;
  TRY(clKernelExecute(i->go[obstacles], &run));
  run.output[0] = i->inks;
  run.output[1] = NULL;
  run.parameter[2] =
      (clKernelParameter){"decay", 1, {(float)exp(-i->options.decay * i->flow->info.dt)}};
  return clKernelExecute(i->correct[obstacles], &run);
}

/* Inks += amount times a bell around (x, y), whose numbers the shader wants in places. */
clStatus clFlowInksSplat(clFlowInks *i, double x, double y, double radius, const float amount[4]) {
  if (!i || !amount)
    return TEXLA_BAD_ARGUMENT;
  bool finite = isfinite(x) && isfinite(y) && txIsPositive(radius);
  for (int k = 0; k < INKS; k++)
    finite = finite && isfinite(amount[k]);
  if (!finite)
    return txFail(txFlowError(i->flow), TEXLA_BAD_ARGUMENT, "clFlowInksSplat",
                  "x (%g), y (%g) and the amounts must be finite, radius (%g) also positive", x, y,
                  radius);
  double texel = i->flow->info.h / i->options.scale;
  clKernelRun run = inputs(i);
  run.output[0] = i->inks;
  run.parameter[2] = (clKernelParameter){
      "place", 3, {(float)(x / texel), (float)(y / texel), (float)(radius / texel)}};
  run.parameter[3] = (clKernelParameter){"amount", 4, {amount[0], amount[1], amount[2], amount[3]}};
  return clKernelExecute(i->splat, &run);
}

const clVector *clFlowInksValues(const clFlowInks *i) {
  if (!i)
    return NULL;
  return i->inks;
}

int64_t clFlowInksLength(const clFlowInks *i) {
  if (!i)
    return 0;
  return clVectorLength(i->inks);
}

clStatus clFlowInksSave(const clFlowInks *i, float *values) {
  if (!i || !values)
    return TEXLA_BAD_ARGUMENT;
  return clVectorDownload(i->inks, values);
}

clStatus clFlowInksRestore(clFlowInks *i, const float *values) {
  if (!i || !values)
    return TEXLA_BAD_ARGUMENT;
  return clVectorUpload(i->inks, values);
}
