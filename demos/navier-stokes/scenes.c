#include "scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/try.h"

static const char *const edges[] = {"wall", "slip", "inflow", "outflow", "periodic", NULL};
static const char *const schemes[] = {"semi-lagrangian", "donor-cell", "maccormack", NULL};

#define SIDE(s)                                                                                    \
  {                                                                                                \
    {.kind = DEMO_WORD, .offset = offsetof(Scene, edge[s]), .words = edges},                       \
        {"u", DEMO_SINGLE, offsetof(Scene, options.side[s].velocity[0])},                          \
        {"v", DEMO_SINGLE, offsetof(Scene, options.side[s].velocity[1])},                          \
        {"from", DEMO_SINGLE, offsetof(Scene, options.side[s].from), .least = 0, .most = 1},       \
        {"to", DEMO_SINGLE, offsetof(Scene, options.side[s].to), .least = 0, .most = 1},           \
        {"parabolic", DEMO_FLAG, offsetof(Scene, options.side[s].parabolic)},                      \
        {"dye", DEMO_SINGLE, offsetof(Scene, options.side[s].dye)},                                \
        {"holds", DEMO_FLAG, offsetof(Scene, options.side[s].holds_dye)}, {                        \
      0                                                                                            \
    }                                                                                              \
  }
static const demoEntry left[] = SIDE(0), right[] = SIDE(1), bottom[] = SIDE(2), top[] = SIDE(3);

static const demoEntry number[] = {{.kind = DEMO_NUMBER}, {0}};
static const demoEntry positive[] = {{.kind = DEMO_NUMBER, .least = 1e-9, .most = 1e9}, {0}};
static const demoEntry lengthEntries[] = {
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, length), .least = 1e-9, .most = 1e9},
    {.kind = DEMO_REST, .offset = offsetof(Scene, length_name)},
    {0}};
static const demoEntry speedEntries[] = {
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, speed), .least = 1e-9, .most = 1e9},
    {.kind = DEMO_REST, .offset = offsetof(Scene, speed_name)},
    {0}};
static const demoEntry schemeEntries[] = {
    {.kind = DEMO_WORD, .offset = offsetof(Scene, scheme), .words = schemes},
    {"gamma", DEMO_NUMBER, offsetof(Scene, options.gamma), .least = 0, .most = 1},
    {0}};
static const demoEntry stepEntries[] = {
    {"cfl", DEMO_NUMBER, offsetof(Scene, options.cfl), .least = 1e-3, .most = 100},
    {"most", DEMO_NUMBER, offsetof(Scene, options.dt_max), .least = 1e-9, .most = 1e9},
    {0}};
static const demoEntry forceEntries[] = {{"x", DEMO_NUMBER, offsetof(Scene, options.force[0])},
                                         {"y", DEMO_NUMBER, offsetof(Scene, options.force[1])},
                                         {0}};
static const demoEntry dyeEntries[] = {
    {"most", DEMO_NUMBER, offsetof(Scene, dye_most), .least = 1e-9, .most = 1e9},
    {"buoyancy", DEMO_NUMBER, offsetof(Scene, options.buoyancy)},
    {"ambient", DEMO_NUMBER, offsetof(Scene, options.ambient)},
    {"decay", DEMO_NUMBER, offsetof(Scene, options.decay), .least = 0, .most = 1e9},
    {"prandtl", DEMO_NUMBER, offsetof(Scene, prandtl), .least = 1e-6, .most = 1e9},
    {0}};
static const demoEntry formula[] = {{.kind = DEMO_FORMULAS}, {0}};
static const demoEntry behindEntries[] = {
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, behind[0]), .least = 0, .most = 1e3},
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, behind[1]), .least = 0, .most = 1},
    {0}};
static const demoEntry betweenEntries[] = {
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, between[0]), .least = 0, .most = 1e3},
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, between[1]), .least = 0, .most = 1},
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, between[2]), .least = 0, .most = 1e3},
    {.kind = DEMO_NUMBER, .offset = offsetof(Scene, between[3]), .least = 0, .most = 1},
    {0}};
static const demoEntry startEntries[] = {{"u", DEMO_FORMULAS, offsetof(Scene, u)},
                                         {"v", DEMO_FORMULAS, offsetof(Scene, v)},
                                         {"dye", DEMO_FORMULAS, offsetof(Scene, dye)},
                                         {0}};
static const demoEntry splatEntries[] = {{"x", DEMO_FORMULAS, offsetof(Splat, x)},
                                         {"y", DEMO_FORMULAS, offsetof(Splat, y)},
                                         {"radius", DEMO_FORMULAS, offsetof(Splat, radius)},
                                         {"u", DEMO_FORMULAS, offsetof(Splat, u)},
                                         {"v", DEMO_FORMULAS, offsetof(Splat, v)},
                                         {"dye", DEMO_FORMULAS, offsetof(Splat, dye)},
                                         {0}};
static const demoEntry jetEntries[] = {
    {.kind = DEMO_NUMBER, .offset = offsetof(Jet, x)},
    {.kind = DEMO_NUMBER, .offset = offsetof(Jet, y)},
    {.kind = DEMO_NUMBER, .offset = offsetof(Jet, radius), .least = 1e-4, .most = 10},
    {"u", DEMO_NUMBER, offsetof(Jet, u)},
    {"v", DEMO_NUMBER, offsetof(Jet, v)},
    {0}};

#define LIST(entries, member, counter, most)                                                       \
#member, entries, offsetof(Scene, member), false, most, sizeof(((Scene *)0)->member[0]),         \
      offsetof(Scene, counter)

const demoRule sceneRules[] = {{"left", left},
                               {"right", right},
                               {"bottom", bottom},
                               {"top", top},
                               {"re", positive, offsetof(Scene, re)},
                               {"length", lengthEntries, .needed = true},
                               {"speed", speedEntries, .needed = true},
                               {"fade", number, offsetof(Scene, fade)},
                               {"scheme", schemeEntries},
                               {"step", stepEntries},
                               {"force", forceEntries},
                               {"wall", formula, offsetof(Scene, wall)},
                               {"behind", behindEntries},
                               {"between", betweenEntries},
                               {"confinement", positive, offsetof(Scene, options.confinement)},
                               {"tolerance", positive, offsetof(Scene, options.tolerance)},
                               {"tracer", dyeEntries},
                               {"start", startEntries},
                               {LIST(formula, solid, solids, SCENE_SOLIDS)},
                               {LIST(splatEntries, splat, splats, SCENE_SPLATS)},
                               {LIST(splatEntries, feed, feeds, SCENE_SPLATS)},
                               {LIST(jetEntries, jet, jets, JETS)},
                               DEMO_STROKE_RULES,
                               {0}};

double sceneDyeMost(const Scene *scene) {
  if (scene->dye_most <= 0)
    return 1;
  return scene->dye_most;
}

/* nu = L U / Re, of the length and the speed that the scene names; 0: none. */
double sceneViscosity(const Scene *scene, double re) {
  if (re <= 0)
    re = scene->re;
  if (re <= 0)
    return 0;
  return scene->length * scene->speed / re;
}

/* Of dye or heat: nu / Pr, with the Prandtl number of the scene. */
double sceneDiffusivity(const Scene *scene, double re) {
  if (scene->prandtl <= 0)
    return 0;
  return sceneViscosity(scene, re) / scene->prandtl;
}

/* What the lines of a scene say, in the form in which clFlowCreate takes it. */
clFlowOptions sceneFlowOptions(const Scene *scene) {
  clFlowOptions o = scene->options;
  o.scheme = (clFlowScheme)scene->scheme;
  for (int s = 0; s < 4; s++)
    o.side[s].edge = (clFlowEdge)scene->edge[s];
  return o;
}

/* Adds `part` of what the formulas say. */
static clStatus splat(const Splat *s, clFlow *flow, demoShow *show, const double *variable,
                      double part) {
  return demoCheck(
      show,
      clFlowSplat(flow, demoFormulaAt(&s->x, variable), demoFormulaAt(&s->y, variable),
                  demoFormulaAt(&s->radius, variable), part * demoFormulaAt(&s->u, variable),
                  part * demoFormulaAt(&s->v, variable), part * demoFormulaAt(&s->dye, variable)));
}

/* u and v where they are: in the middle of right and top sides. */
static clStatus upload(const Scene *scene, clFlow *flow, demoShow *show, const double *variable) {
  const int *size = show->options.size;
  size_t n = (size_t)size[0] * (size_t)size[1];
  float *values = malloc(3 * n * sizeof *values);
  if (!values)
    return demoOutOfMemory(show);
  demoTabulate(values, &scene->u, variable, size, (double[]){1, 0.5});
  demoTabulate(values + n, &scene->v, variable, size, (double[]){0.5, 1});
  demoTabulate(values + 2 * n, &scene->dye, variable, size, (double[]){0.5, 0.5});
  clStatus status = demoCheck(show, clFlowUpload(flow, values, values + n, values + 2 * n));
  free(values);
  return status;
}

/* Velocity and dye at time 0 from the scene's formulas, then its splats, each all at once. */
clStatus sceneBegin(const Scene *scene, clFlow *flow, demoShow *show) {
  double variable[DEMO_VARIABLES];
  clStatus status = TEXLA_OK;
  demoVariables(show, variable);
  if (scene->u.count || scene->v.count || scene->dye.count)
    status = upload(scene, flow, show, variable);
  for (int k = 0; k < scene->splats && !status; k++)
    status = splat(&scene->splat[k], flow, show, variable, 1);
  return status;
}

/* A hue becomes amounts of three inks, whose peaks lie a third of a turn apart; the fourth one is
 * not used. */
void sceneInk(double hue, double amount, float ink[4]) {
  const double turn = 2 * 3.14159265358979323846;
  for (int k = 0; k < 3; k++)
    ink[k] = (float)(amount * pow(0.5 + 0.5 * cos(turn * (hue - k / 3.)), 1.5));
  ink[3] = 0;
}

/* What flows in with dye: its amount at place (x, y), in parts of the domain, and its hue there, in
 * bands. Beside a side that is no such inflow: 0. */
static double inflowAt(const clFlowSide *side, double along, double *hue) {
  enum { BANDS = 5 };
  double from = (double)side->from, to = 1;
  if (side->to > 0)
    to = (double)side->to;
  double part = (along - from) / (to - from);
  if (side->edge != TEXLA_FLOW_INFLOW || part < 0 || part > 1)
    return 0;
  *hue = 0.618 * floor((double)BANDS * part);
  return (double)side->dye;
}

/* ... at a cell, of the sides that are at most two cells away. */
static double inflowOf(const Scene *scene, const int size[2], double i, double j, double *hue) {
  const double near = 2, away[4] = {i, size[0] - i, j, size[1] - j}, x = i / size[0],
               y = j / size[1];
  clFlowOptions o = sceneFlowOptions(scene);
  const double along[] = {y, y, x, x};
  double dye = 0;
  for (int s = 0; s < 4; s++)
    if (away[s] < near)
      dye = fmax(dye, inflowAt(&o.side[s], along[s], hue));
  return dye;
}

/* Inks begin where the dye is, and beside sides through which it flows in. Their hue is the angle
 * around the domain's middle, or that of the inflow's bands, so that one sees what has come from
 * where. */
clStatus sceneInks(const Scene *scene, clFlowInks *inks, clFlow *flow, demoShow *show) {
  const int *size = show->options.size, nx = size[0], ny = size[1];
  int64_t length = clFlowInksLength(inks);
  int scale = (int)(sqrt((double)length / (4. * nx * ny)) + 0.5), columns = scale * nx;
  const clVector *dye = NULL;
  float *values = malloc((size_t)length * sizeof *values),
        *from = malloc((size_t)nx * (size_t)ny * sizeof *from);
  clStatus status = TEXLA_OK;
  if (!values || !from)
    TRY_CLEANUP(demoOutOfMemory(show));
  TRY_CLEANUP(demoCheck(show, clFlowGet(&dye, flow, TEXLA_FLOW_DYE)));
  TRY_CLEANUP(demoCheck(show, clVectorDownload(dye, from)));
  for (int64_t k = 0; k < length / 4; k++) {
    double i = ((double)(k % columns) + 0.5) / scale, j = ((double)(k / columns) + 0.5) / scale;
    double hue = atan2(j - 0.5 * ny, i - 0.5 * nx) / 6.283185307179586 + 0.58;
    double inflow = inflowOf(scene, size, i, j, &hue);
    sceneInk(hue, fmax(inflow, (double)from[(int)j * nx + (int)i]), values + 4 * k);
  }
  TRY_CLEANUP(demoCheck(show, clFlowInksRestore(inks, values)));
cleanup:
  free(values);
  free(from);
  return status;
}

/* The dye of a source as ink: each has its colour, which changes slowly. */
static clStatus feedInk(const Splat *s, int place, clFlowInks *inks, demoShow *show,
                        const double *variable, double part) {
  float ink[4];
  sceneInk(0.618 * place + 0.07 * variable[DEMO_T], part * demoFormulaAt(&s->dye, variable), ink);
  return demoCheck(show, clFlowInksSplat(inks, demoFormulaAt(&s->x, variable),
                                         demoFormulaAt(&s->y, variable),
                                         demoFormulaAt(&s->radius, variable), ink));
}

/* How much of a splat is in the variables' place. */
static double bellAt(const Splat *s, const double *variable) {
  double x = variable[DEMO_X] - demoFormulaAt(&s->x, variable),
         y = variable[DEMO_Y] - demoFormulaAt(&s->y, variable),
         radius = demoFormulaAt(&s->radius, variable);
  return exp(-(x * x + y * y) / (radius * radius));
}

/* For the small picture of a scene: does one of its obstacles cover the place? */
static bool isStone(const Scene *scene, const double *variable) {
  bool stone = scene->wall.count && demoFormulaAt(&scene->wall, variable) < 0;
  for (int k = 0; k < scene->solids; k++)
    stone |= demoFormulaAt(&scene->solid[k], variable) != 0;
  return stone;
}

/* Ink on dark paper, as the program shows it: the dye at the beginning, what is fed, and a little
 * blue where the flow is fast; stones are grey. */
void sceneSketch(const demoScene *any, const double variable[DEMO_VARIABLES], uint8_t rgb[3]) {
  const Scene *scene = (const Scene *)(const void *)any;
  const double paper[3] = {10, 11, 16}, pi = 3.14159265358979323846;
  double u = demoFormulaAt(&scene->u, variable), v = demoFormulaAt(&scene->v, variable);
  double dye = fabs(demoFormulaAt(&scene->dye, variable)) / sceneDyeMost(scene), amount[3] = {0};
  double hue = atan2(variable[DEMO_Y] - 0.5, variable[DEMO_X] - 0.5 * variable[DEMO_W]) / (2 * pi);
  float ink[4];
  if (isStone(scene, variable)) {
    memcpy(rgb, (uint8_t[]){88, 92, 104}, 3);
    return;
  }
  for (int k = 0; k < scene->splats; k++) {
    double bell = bellAt(&scene->splat[k], variable);
    u += bell * demoFormulaAt(&scene->splat[k].u, variable);
    v += bell * demoFormulaAt(&scene->splat[k].v, variable);
    dye += bell * demoFormulaAt(&scene->splat[k].dye, variable) / sceneDyeMost(scene);
  }
  for (int k = 0; k < scene->feeds; k++) {
    sceneInk(0.618 * k, bellAt(&scene->feed[k], variable), ink);
    for (int c = 0; c < 3; c++)
      amount[c] += (double)ink[c];
  }
  sceneInk(hue + 0.58, fmin(dye, 2), ink);
  double flow = fmin(hypot(u, v) / scene->speed, 1.5);
  const double wind[3] = {0.04, 0.1, 0.2};
  for (int c = 0; c < 3; c++) {
    double sum = amount[c] + (double)ink[c] + wind[c] * flow;
    rgb[c] = (uint8_t)(paper[c] + (255 - paper[c]) * (1 - exp(-2 * sum)));
  }
}

/* What sources add within the next step: its length times what their lines say per unit of time. */
clStatus sceneFeed(const Scene *scene, clFlow *flow, clFlowInks *inks, demoShow *show) {
  /* of the steps that are fed in full */
  const double longest = 0.05;
  clFlowInfo info = clFlowInspect(flow);
  double variable[DEMO_VARIABLES];
  demoVariables(show, variable);
  variable[DEMO_T] = info.time;
  variable[DEMO_N] = (double)info.steps;
  double part = 0.005;
  if (info.dt > 0)
    part = fmin(info.dt, longest);
  for (int k = 0; k < scene->feeds; k++) {
    TRY(splat(&scene->feed[k], flow, show, variable, part));
    if (inks)
      TRY(feedInk(&scene->feed[k], k, inks, show, variable, part));
  }
  return TEXLA_OK;
}
