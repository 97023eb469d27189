/* Particles that drift with a flow: their places are two vectors, a kernel moves them, and points
 * blend their ways into the trails. */
#include "vector/run.h"
#include "core/allocate.h"
#include "core/try.h"
#include "sim/flow.h"
#include "sim/options.h"

#include <math.h>
#include <stdlib.h>

/* place: where each particle is, by axis; way: how far its last step was; trails: what they have
 * left, which fades. */
struct clFlowStreaks {
  clFlow *flow;
  clFlowStreaksOptions options;
  clVector *place[2], *way[2], *trails;
  clKernel *drift;
  /* on each particle's way: samples, four corners each */
  txVertices *points;
  int samples;
};

/* splitmix64: 0 <= x < 1. The C library's rand() is another one on each system. */
static double uniform(uint64_t *seed) {
  uint64_t x = *seed += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* Places from the seed alone, so that a run can be repeated. */
static clStatus scatter(clFlowStreaks *s, const char *call) {
  const int cells[] = {s->flow->info.nx, s->flow->info.ny};
  uint64_t seed = (uint64_t)s->options.seed;
  float *at =
      txAllocate(txFlowError(s->flow), call, (size_t)s->options.count, sizeof *at, "the particles");
  if (!at)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  for (int axis = 0; axis < 2; axis++) {
    for (int k = 0; k < s->options.count; k++)
      at[k] = (float)(uniform(&seed) * cells[axis]);
    TRY_CLEANUP(clVectorUpload(s->place[axis], at));
  }
cleanup:
  free(at);
  return status;
}

/* Where in the texture each particle lives (column and row of the texel, lane), which part of its
 * way a sample is, and which of the four corners of the texels beside it: the vertex shader spreads
 * a sample over them as bilinear filtering would. */
static clStatus createPoints(clFlowStreaks *s, const char *call) {
  enum { FLOATS = 6 };
  int64_t count = (int64_t)s->options.count * s->samples * 4, row = s->place[0]->layout.width * 4;
  float *data =
      txAllocate(txFlowError(s->flow), call, (size_t)count * FLOATS, sizeof *data, "the particles");
  float *f = data;
  if (!data)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < count; k++) {
    int64_t particle = k / (4 * s->samples), column = particle % row, sample = k / 4 % s->samples;
    *f++ = (float)(column / 4);
    *f++ = (float)(particle / row);
    *f++ = (float)(column % 4);
    *f++ = ((float)sample + 0.5f) / (float)s->samples;
    *f++ = (float)(k & 1);
    *f++ = (float)(k >> 1 & 1);
  }
  clStatus status =
      txVerticesCreate(&s->points, s->flow->context, call, data, count, (int[]){3, 3}, 2);
  free(data);
  return status;
}

/* Places and ways are linear vectors, one element a particle; trails are a grid, as fine as asked
 * for. */
static clStatus allocate(clFlowStreaks *s, const char *call) {
  clContext *context = s->flow->context;
  const clFlowInfo *info = &s->flow->info;
  int scale = s->options.scale;
  for (int axis = 0; axis < 2; axis++) {
    TRY(clVectorCreate(&s->place[axis], context, s->options.count));
    TRY(clVectorCreate(&s->way[axis], context, s->options.count));
  }
  TRY(clVectorCreateGrid(&s->trails, context, scale * info->nx, scale * info->ny));
  TRY(clKernelCreate(&s->drift, context, "flow drift", "#include \"flow_drift.frag\"\n"));
  TRY(createPoints(s, call));
  return scatter(s, call);
}

/* As many particles as are neither lost nor crowded, trails of about 60 steps, and lives of four
 * trails, after which a particle begins somewhere else: else all would end where the flow
 * gathers. */
static clStatus choose(clFlowStreaksOptions *o, const clFlow *flow, const char *call) {
  const clFlowInfo *info = &flow->info;
  if (o->scale < 0 || o->scale > 64 || o->count < 0 || o->count > 1 << 22 || !(o->life >= 0) ||
      !(o->fade >= 0) || o->seed < 0)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
                  "scale (%d, at most 64), count (%d, at most %d), life (%g), fade (%g) and seed "
                  "(%d) must not be negative",
                  o->scale, o->count, 1 << 22, o->life, o->fade, o->seed);
  txUsualInteger(&o->scale, 1);
  double elements = (double)info->nx * info->ny * o->scale * o->scale, step = info->dt;
  txUsualInteger(&o->count, (int)fmin(fmax(elements / 250, 1), 1 << 20));
  txUsual(&step, info->h);
  txUsual(&o->fade, 60 * step);
  txUsual(&o->life, 4 * o->fade);
  return TEXLA_OK;
}

clStatus clFlowStreaksCreate(clFlowStreaks **out, clFlow *flow,
                             const clFlowStreaksOptions *options) {
  static const char call[] = "clFlowStreaksCreate";
  if (!out || !flow)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call, "out and flow must not be NULL");
  if (!clContextInspect(flow->context)->probes.blendable)
    return txFail(txFlowError(flow), TEXLA_UNSUPPORTED, call,
                  "this device cannot blend into float textures");
  clFlowStreaksOptions o = {0};
  if (options)
    o = *options;
  TRY(choose(&o, flow, call));
  clFlowStreaks *s = txAllocate(txFlowError(flow), call, 1, sizeof *s, "streaks");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->flow = flow;
  s->options = o;
  /* About as many samples as a way crosses elements of the trails, without gaps. */
  double cells = flow->options.cfl;
  if (flow->options.dt > 0)
    cells = 1;
  s->samples = (int)fmin(fmax(ceil(cells * o.scale), 1), 16);
  clStatus status = allocate(s, call);
  if (status)
    clFlowStreaksDestroy(s);
  else
    *out = s;
  return status;
}

void clFlowStreaksDestroy(clFlowStreaks *s) {
  if (!s)
    return;
  for (int axis = 0; axis < 2; axis++) {
    clVectorDestroy(s->place[axis]);
    clVectorDestroy(s->way[axis]);
  }
  clVectorDestroy(s->trails);
  clKernelDestroy(s->drift);
  txVerticesDestroy(s->points);
  free(s);
}

/* A step of all particles. Those whose life ends in it begin again where a hash of their number and
 * the step says; the clock is counted in lives. */
static clStatus drift(clFlowStreaks *s) {
  const clFlow *flow = s->flow;
  const clFlowInfo *i = &flow->info;
  double life = s->options.life;
  clKernelRun run = {
      .output = {s->place[0], s->place[1], s->way[0], s->way[1]},
      .input = {{"place_x", s->place[0]},
                {"place_y", s->place[1]},
                {"u", flow->u, true},
                {"v", flow->v, true},
                {"rim", flow->rim, true},
                {"fluid", flow->fluid, true}},
      .parameter = {{"cells",
                     4,
                     {(float)i->nx, (float)i->ny, (float)txFlowPeriodic(&flow->options, 0),
                      (float)txFlowPeriodic(&flow->options, 1)}},
                    {"clock",
                     4,
                     {(float)(i->dt / i->h), (float)(i->steps & 0xffffff),
                      (float)((i->time - i->dt) / life), (float)(i->time / life)}},
                    {"seed", 1, {(float)(s->options.seed & 0xffffff)}}}};
  return clKernelExecute(s->drift, &run);
}

/* Particles move, trails fade, and points along each particle's way are blended into them. */
clStatus clFlowStreaksStep(clFlowStreaks *s) {
  static const char call[] = "clFlowStreaksStep";
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  TRY(drift(s));
  TRY(clVectorScale(s->trails, (float)exp(-s->flow->info.dt / s->options.fade), NULL, s->trails));
  txTexture *target = s->trails->texture;
  txPass pass = {
      .kernel = "points",
      .vertex = "flow_streaks",
      .target = {target},
      .source = {{"place_x", s->place[0]->texture, TX_EDGE},
                 {"place_y", s->place[1]->texture, TX_EDGE},
                 {"way_x", s->way[0]->texture, TX_EDGE},
                 {"way_y", s->way[1]->texture, TX_EDGE}},
      .uniform = {{"sizes",
                   4,
                   {(float)s->options.scale, (float)(s->options.scale * s->flow->info.nx),
                    2 / (float)target->width, 2 / (float)target->height},
                   NULL,
                   false},
                  {"weight", 1, {1 / (float)s->samples}, NULL, false}},
      .shape = TX_POINTS,
      .vertices = s->points,
      .add = true};
  return txPassRun(s->flow->context, call, &pass);
}

const clVector *clFlowStreaksTrails(const clFlowStreaks *s) {
  if (!s)
    return NULL;
  return s->trails;
}

int64_t clFlowStreaksLength(const clFlowStreaks *s) {
  if (!s)
    return 0;
  return 2 * (int64_t)s->options.count + clVectorLength(s->trails);
}

/* All places, x before y, then the trails; ways are only of use within a step. */
clStatus clFlowStreaksSave(const clFlowStreaks *s, float *values) {
  if (!s || !values)
    return TEXLA_BAD_ARGUMENT;
  TRY(clVectorDownload(s->place[0], values));
  TRY(clVectorDownload(s->place[1], values + s->options.count));
  return clVectorDownload(s->trails, values + 2 * (int64_t)s->options.count);
}

clStatus clFlowStreaksRestore(clFlowStreaks *s, const float *values) {
  if (!s || !values)
    return TEXLA_BAD_ARGUMENT;
  TRY(clVectorUpload(s->place[0], values));
  TRY(clVectorUpload(s->place[1], values + s->options.count));
  return clVectorUpload(s->trails, values + 2 * (int64_t)s->options.count);
}
