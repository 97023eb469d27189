/* Particles that drift with a flow: their places are two vectors, a kernel moves them, and points
 * blend their ways into the trails. */
#include "vector/run.h"
#include "core/allocate.h"
#include "core/try.h"
#include "sim/flow.h"

#include <math.h>
#include <stdlib.h>

struct clFlowStreaks {
  clFlow *flow;
  clFlowStreaksOptions options;
  clVector *place[2], *way[2], *trails;
  clKernel *drift;
  /* on each particle's way: samples, four corners each */
  txVertices *points;
  int samples;
};

/* splitmix64: 0 <= x < 1 */
static double uniform(uint64_t *seed) {
  uint64_t x = *seed += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static clStatus scatter(clFlowStreaks *s, const char *call) {
  const clFlowInfo *info = &s->flow->info;
  uint64_t seed = (uint64_t)s->options.seed;
  float *at = txAllocate(txContextError(s->flow->context), call, (size_t)s->options.count,
                         sizeof *at, "the particles");
  clStatus status = at ? TEXLA_OK : TEXLA_OUT_OF_MEMORY;
  for (int axis = 0; axis < 2 && !status; axis++) {
    for (int k = 0; k < s->options.count; k++)
      at[k] = (float)(uniform(&seed) * (axis ? info->ny : info->nx));
    status = clVectorUpload(s->place[axis], at);
  }
  free(at);
  return status;
}

/* Where in the texture each particle lives, and the parts of its way. */
static clStatus createPoints(clFlowStreaks *s, const char *call) {
  enum { FLOATS = 6 };
  int64_t count = (int64_t)s->options.count * s->samples * 4, row = s->place[0]->layout.width * 4;
  float *data = txAllocate(txContextError(s->flow->context), call, (size_t)count * FLOATS,
                           sizeof *data, "the particles");
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

static clStatus choose(clFlowStreaksOptions *o, const clFlow *flow, const char *call) {
  const clFlowInfo *info = &flow->info;
  if (o->scale < 0 || o->scale > 64 || o->count < 0 || o->count > 1 << 22 || !(o->life >= 0) ||
      !(o->fade >= 0) || o->seed < 0)
    return txFail(txContextError(flow->context), TEXLA_BAD_ARGUMENT, call,
                  "scale (%d, at most 64), count (%d, at most %d), life (%g), fade (%g) and seed "
                  "(%d) must not be "
                  "negative",
                  o->scale, o->count, 1 << 22, o->life, o->fade, o->seed);
  o->scale = o->scale ? o->scale : 1;
  double elements = (double)info->nx * info->ny * o->scale * o->scale;
  o->count = o->count ? o->count : (int)fmin(fmax(elements / 250, 1), 1 << 20);
  o->fade = o->fade > 0 ? o->fade : 60 * (info->dt > 0 ? info->dt : info->h);
  o->life = o->life > 0 ? o->life : 4 * o->fade;
  return TEXLA_OK;
}

clStatus clFlowStreaksCreate(clFlowStreaks **out, clFlow *flow,
                             const clFlowStreaksOptions *options) {
  static const char call[] = "clFlowStreaksCreate";
  if (!out || !flow)
    return txFail(flow ? txContextError(flow->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                  "out and flow must not be NULL");
  if (!clContextInspect(flow->context)->probes.blendable)
    return txFail(txContextError(flow->context), TEXLA_UNSUPPORTED, call,
                  "this device cannot blend into float textures");
  clFlowStreaksOptions o = options ? *options : (clFlowStreaksOptions){0};
  clStatus status = choose(&o, flow, call);
  if (status)
    return status;
  clFlowStreaks *s = txAllocate(txContextError(flow->context), call, 1, sizeof *s, "streaks");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->flow = flow;
  s->options = o;
  /* that a way crosses, about */
  double cells = flow->options.dt > 0 ? 1 : flow->options.cfl;
  s->samples = (int)fmin(fmax(ceil(cells * o.scale), 1), 16);
  status = allocate(s, call);
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
  return s ? s->trails : NULL;
}

int64_t clFlowStreaksLength(const clFlowStreaks *s) {
  return s ? 2 * (int64_t)s->options.count + clVectorLength(s->trails) : 0;
}

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
