/* navier-stokes: smoke, wakes, jets and vortices. Incompressible flow on a staggered grid (K11), in a window or, without a
 * display, as numbered pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/program.h"
#include "common/frames.h"
#include "common/mask.h"
#include "common/options.h"
#include "common/text.h"
#include "common/window.h"
#include "core/error.h"
#include "scenes.h"

enum { HEADLESS_FRAMES = 60, PIXELS = 960 /* wanted along the longer side */, LARGEST_SCALE = 5 };

static const char keys[] = "In the window:\n"
                           "  left button   drag: push the flow and add dye\n"
                           "  right button  draw an obstacle; from an obstacle on: erase\n"
                           "  wheel         size of the brush\n"
                           "  space         pause, go on\n"
                           "  .             a single step\n"
                           "  + -           more or fewer steps per picture\n"
                           "  R             start anew\n"
                           "  N             next scene\n"
                           "  F             next field: dye, pressure, speed, vorticity, divergence\n"
                           "  C             next colours\n"
                           "  B             colour bar on, off\n"
                           "  T             text on, off\n"
                           "  S             save a screenshot\n"
                           "  H, F1         print this list\n"
                           "  escape        quit\n";

typedef struct Show {
  txProgram program;
  txCommon common;
  demoOptions options;
  int scene, scheme, solver, field; /* -1: the scene's own; field: clFlowField */
  double re, dt, end, steady, tolerance;
  const char *stats_path, *profile_path, *obstacles;
  clContext *context;
  clFlow *flow;
  uint8_t *solid;
  demoFrames frames;
  demoWindow *window;
  FILE *stats;
  float *values;
  demoImage image;
  int scale; /* pixels per cell */
  double range, brush;
  double energy, change; /* kinetic energy, and its relative change per time */
  double x, y;           /* of the last drag */
  bool paused, no_bar, no_text, erases, over;
  clError error, no_window;
} Show;

static const Scene *sceneOf(const Show *s) {
  return &sceneList[s->scene];
}

static clStatus check(Show *s, clStatus status) {
  if (status < 0)
    s->error = *clContextError(s->context);
  return status < 0 ? status : TEXLA_OK; /* a divergence above its tolerance is shown, not an end */
}

static clStatus outOfMemory(Show *s) {
  s->error = (clError){TEXLA_OUT_OF_MEMORY, "no memory for a picture"};
  return s->error.status;
}

/* --- the scene --- */

static clFlowOptions flowOptions(const Show *s) {
  const Scene *scene = sceneOf(s);
  clFlowOptions o = scene->options;
  double re = s->re > 0 ? s->re : scene->re;
  o.nx = s->options.size[0];
  o.ny = s->options.size[1];
  o.h = 1. / o.ny;
  o.viscosity = re > 0 ? scene->length / re : 0;
  o.dt = s->dt;
  o.tolerance = s->tolerance;
  if (s->scheme >= 0)
    o.scheme = (clFlowScheme)s->scheme;
  o.solver = (clFlowSolver)s->solver;
  return o;
}

static clStatus placeObstacles(Show *s) {
  const Scene *scene = sceneOf(s);
  clFlowInfo info = clFlowInspect(s->flow);
  for (int k = 0; k < info.nx * info.ny; k++)
    s->solid[k] = scene->solid && scene->solid((k % info.nx + 0.5) * info.h, (k / info.nx + 0.5) * info.h, info.width);
  if (s->obstacles) {
    clStatus status = demoMaskRead(s->solid, info.nx, info.ny, s->obstacles, &s->error);
    if (status)
      return status;
  }
  return check(s, clFlowObstacles(s->flow, s->solid));
}

static clStatus restart(Show *s) {
  s->range = 0;
  s->energy = 0;
  s->change = INFINITY;
  s->over = false;
  clStatus status = check(s, clFlowUpload(s->flow, NULL, NULL, NULL));
  if (!status)
    status = placeObstacles(s);
  return !status && sceneOf(s)->begin ? check(s, sceneOf(s)->begin(s->flow)) : status;
}

static clStatus createFlow(Show *s) {
  clFlowOptions o = flowOptions(s);
  clFlow *flow = NULL;
  clStatus status = check(s, clFlowCreate(&flow, s->context, &o));
  if (status)
    return status;
  clFlowDestroy(s->flow);
  s->flow = flow;
  return restart(s);
}

static void describe(const Show *s) {
  const char *name = s->program.name;
  clFlowInfo info = clFlowInspect(s->flow);
  if (!s->common.quiet && s->no_window.status)
    printf("%s: %s\n", name, s->no_window.message);
  if (!s->common.quiet)
    printf("%s: %s, %d x %d cells, on %s\n", name, sceneOf(s)->title, info.nx, info.ny,
           clContextInspect(s->context)->renderer);
  if (s->common.verbose)
    fprintf(stderr, "%s: device: %s\n%s: pressure: %s\n", name, clContextInspect(s->context)->platform, name,
            info.solver);
}

static clStatus openStats(Show *s) {
  clStatus status = txProgramCheckOutput(s->profile_path, &s->error);
  if (status || !s->stats_path)
    return status;
  s->stats = fopen(s->stats_path, "w");
  if (!s->stats)
    return txFail(&s->error, TEXLA_IO_ERROR, "--stats", "cannot write %s", s->stats_path);
  fprintf(s->stats, "step,time,dt,kinetic_energy,max_divergence,corrections,iterations,seconds\n");
  return TEXLA_OK;
}

/* Fields, picture and flow of one size that all scenes share. */
static clStatus start(Show *s) {
  const int *size = s->options.size;
  size_t n = (size_t)size[0] * (size_t)size[1];
  s->values = malloc(n * sizeof *s->values);
  s->solid = calloc(n, 1);
  s->image.rgb = malloc(3 * (size_t)s->image.width * (size_t)s->image.height);
  if (!s->values || !s->solid || !s->image.rgb)
    return outOfMemory(s);
  clStatus status = createFlow(s);
  if (!status)
    status = openStats(s);
  if (!status)
    describe(s);
  return status;
}

/* --- time --- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static clStatus record(Show *s, double spent) {
  double energy = 0;
  if (!s->stats && s->steady <= 0)
    return TEXLA_OK;
  clFlowInfo i = clFlowInspect(s->flow);
  clStatus status = check(s, clFlowEnergy(s->flow, &energy));
  s->change = energy > 0 ? fabs(energy - s->energy) / energy / i.dt : INFINITY;
  s->energy = energy;
  if (!status && s->stats)
    fprintf(s->stats, "%lld,%.9g,%.9g,%.9g,%.4g,%d,%lld,%.6f\n", (long long)i.steps, i.time, i.dt, energy, i.divergence,
            i.corrections, (long long)i.iterations, spent);
  return status;
}

static clStatus step(Show *s) {
  double begin = seconds();
  clStatus status = sceneOf(s)->feed ? check(s, sceneOf(s)->feed(s->flow)) : TEXLA_OK;
  if (!status)
    status = check(s, clFlowStep(s->flow, 1));
  if (!status)
    status = record(s, seconds() - begin);
  clFlowInfo info = clFlowInspect(s->flow);
  s->over = (s->end > 0 && info.time >= s->end) || (s->steady > 0 && info.steps > 10 && s->change < s->steady);
  return status;
}

static clStatus advance(Show *s) {
  int64_t steps = s->options.steps ? s->options.steps : sceneOf(s)->steps;
  clStatus status = TEXLA_OK;
  for (int64_t k = 0; k < steps && !status && !s->over; k++)
    status = step(s);
  return status;
}

/* --- pictures --- */

static clFlowField fieldOf(const Show *s) {
  return s->field >= 0 ? (clFlowField)s->field : sceneOf(s)->field;
}

static clColormap colormapOf(const Show *s) {
  static const clColormap own[TEXLA_FLOW_FIELDS] = {
      TEXLA_COLORMAP_DIVERGING, TEXLA_COLORMAP_DIVERGING, TEXLA_COLORMAP_DIVERGING, TEXLA_COLORMAP_MAGMA,
      TEXLA_COLORMAP_VIRIDIS,   TEXLA_COLORMAP_DIVERGING, TEXLA_COLORMAP_DIVERGING};
  return s->options.colormap >= 0 ? (clColormap)s->options.colormap : own[fieldOf(s)];
}

/* The values at the ends of the colours: fixed for dye, otherwise some deviations around the mean or around zero, that follow
 * the flow smoothly. */
static void chooseRange(Show *s, double range[2]) {
  const double deviations = 3, inertia = 0.8;
  clFlowField field = fieldOf(s);
  double sum = 0, squares = 0, count = 0, middle = 0;
  for (size_t k = 0; k < (size_t)s->options.size[0] * (size_t)s->options.size[1]; k++)
    if (!s->solid[k]) {
      sum += (double)s->values[k];
      squares += (double)s->values[k] * (double)s->values[k];
      count++;
    }
  if (field == TEXLA_FLOW_PRESSURE && count > 0) {
    middle = sum / count;
    squares -= sum * sum / count;
  }
  double wanted = fmax(deviations * sqrt(fmax(squares, 0) / fmax(count, 1)), 1e-6);
  wanted = field == TEXLA_FLOW_SPEED ? 0.67 * wanted : wanted;
  s->range = s->range > 0 && !s->paused ? inertia * s->range + (1 - inertia) * wanted
             : s->range > 0             ? s->range
                                        : wanted;
  range[0] = field == TEXLA_FLOW_DYE || field == TEXLA_FLOW_SPEED ? 0 : middle - s->range;
  range[1] = field == TEXLA_FLOW_DYE ? sceneOf(s)->dye_most : middle + s->range;
}

/* The value at (x, y) in cells, bilinear between their centres. */
static double valueAt(const Show *s, double x, double y) {
  const int nx = s->options.size[0], ny = s->options.size[1];
  double px = fmin(fmax(x - 0.5, 0), nx - 1), py = fmin(fmax(y - 0.5, 0), ny - 1);
  int i = (int)px, j = (int)py, e = i + 1 < nx ? 1 : 0, n = j + 1 < ny ? nx : 0;
  const float *v = s->values + (size_t)j * (size_t)nx + i;
  double below = (double)v[0] + (px - i) * (double)(v[e] - v[0]);
  double above = (double)v[n] + (px - i) * (double)(v[n + e] - v[n]);
  return below + (py - j) * (above - below);
}

static void paintField(Show *s, const double range[2]) {
  static const uint8_t stone[] = {128, 132, 140};
  const int *size = s->options.size;
  uint8_t colour[1024][3], *p = s->image.rgb;
  for (int k = 0; k < 1024; k++)
    clColormapColor(colour[k], colormapOf(s), k / 1023.);
  for (int y = s->image.height - 1; y >= 0; y--)
    for (int x = 0; x < s->image.width; x++, p += 3) {
      bool solid = s->solid[(size_t)(y / s->scale) * (size_t)size[0] + (size_t)(x / s->scale)];
      double value = solid ? 0 : valueAt(s, (x + 0.5) / s->scale, (y + 0.5) / s->scale);
      double t = (value - range[0]) / (range[1] - range[0]);
      memcpy(p, solid ? stone : colour[(int)(1023 * (t > 0 ? fmin(t, 1) : 0) + 0.5)], 3);
    }
}

static clStatus paint(Show *s) {
  const clVector *field = NULL;
  double range[2];
  char text[256];
  clStatus status = check(s, clFlowGet(&field, s->flow, fieldOf(s)));
  if (!status)
    status = check(s, clVectorDownload(field, s->values));
  if (status)
    return status;
  chooseRange(s, range);
  paintField(s, range);
  clFlowInfo i = clFlowInspect(s->flow);
  if (!s->no_text) {
    snprintf(text, sizeof text, "%s: %s", sceneOf(s)->title, clFlowFieldName(fieldOf(s)));
    demoText(s->image, 8, 8, text);
    snprintf(text, sizeof text, "time %.2f  step %lld  dt %.4f  %lld iterations, divergence %.1e", i.time,
             (long long)i.steps, i.dt, (long long)i.iterations, i.divergence);
    demoText(s->image, 8, s->image.height - DEMO_LINE - 2, text);
  }
  if (!s->no_bar)
    demoColorBar(s->image, colormapOf(s), range[0], range[1]);
  return TEXLA_OK;
}

/* --- results --- */

/* The velocity along the two centre lines: s, u(1/2, s), v(s, 1/2), with s from 0 to 1 along each. */
static clStatus writeProfile(Show *s) {
  if (!s->profile_path)
    return TEXLA_OK;
  const int nx = s->options.size[0], ny = s->options.size[1];
  const clVector *field = NULL;
  FILE *file = fopen(s->profile_path, "w");
  if (!file)
    return txFail(&s->error, TEXLA_IO_ERROR, "--profile", "cannot write %s", s->profile_path);
  clStatus status = TEXLA_OK;
  fprintf(file, "line,s,velocity\n");
  for (int axis = 0; axis < 2 && !status; axis++) {
    int n = axis ? nx : ny, across = axis ? ny : nx;
    status = check(s, clFlowGet(&field, s->flow, axis ? TEXLA_FLOW_V : TEXLA_FLOW_U));
    if (!status)
      status = check(s, clVectorDownload(field, s->values));
    for (int k = 0; k < n && !status; k++) {
      int low = (across - 1) / 2 - (across % 2 ? 1 : 0), high = (across - 1) / 2; /* faces beside the middle */
      low = low < 0 ? 0 : low;
      double a = (double)(axis ? s->values[low * nx + k] : s->values[k * nx + low]);
      double b = (double)(axis ? s->values[high * nx + k] : s->values[k * nx + high]);
      fprintf(file, "%s,%.9g,%.9g\n", axis ? "v(s;y=0.5)" : "u(s;x=0.5)", (k + 0.5) / n, (a + b) / 2);
    }
  }
  if (fclose(file) != 0 && !status)
    status = txFail(&s->error, TEXLA_IO_ERROR, "--profile", "cannot write %s", s->profile_path);
  return status;
}

static clStatus runHeadless(Show *s) {
  bool bounded = s->end > 0 || s->steady > 0;
  int64_t frames = s->options.frames ? s->options.frames : bounded ? INT64_MAX : HEADLESS_FRAMES, f = 0;
  clStatus status = txProgramOpen(&s->context, &s->program, &s->error);
  if (!status)
    status = start(s);
  if (!status)
    status = demoFramesOpen(&s->frames, s->options.out, sceneOf(s)->name, s->image.width, s->image.height, &s->error);
  for (; f < frames && !status && !s->over; f++) {
    status = advance(s);
    if (!status)
      status = paint(s);
    if (!status)
      status = demoFramesWrite(&s->frames, s->image.rgb, &s->error);
  }
  if (!status)
    status = writeProfile(s);
  if (!status && !s->common.quiet)
    printf("%s: time %.4g, %lld pictures in %s, the last one is %s\n", s->program.name, clFlowInspect(s->flow).time,
           (long long)f, s->frames.folder, strrchr(s->frames.last, '/') + 1);
  return status;
}

/* --- the window --- */

static clStatus saveScreenshot(Show *s) {
  demoFrames shots;
  char name[64];
  snprintf(name, sizeof name, "%s-screenshot", sceneOf(s)->name);
  clStatus status = demoFramesOpen(&shots, s->options.out, name, s->image.width, s->image.height, &s->error);
  if (!status)
    status = demoFramesKeep(&shots, s->image.rgb, &s->error);
  if (!status && !s->common.quiet)
    printf("%s: saved %s\n", s->program.name, shots.last);
  return status;
}

static void nextField(Show *s) {
  s->field = (int)fieldOf(s) + 1;
  if (s->field >= TEXLA_FLOW_FIELDS)
    s->field = TEXLA_FLOW_PRESSURE;
  s->range = 0;
}

static clStatus pressKey(Show *s, char key) {
  int64_t steps = s->options.steps ? s->options.steps : sceneOf(s)->steps;
  switch (key) {
  case ' ':
    s->paused = !s->paused;
    break;
  case '.':
    s->paused = true;
    return step(s);
  case '+':
  case '=':
    s->options.steps = steps < 256 ? 2 * steps : steps;
    break;
  case '-':
    s->options.steps = steps > 1 ? steps / 2 : 1;
    break;
  case 'R':
    s->paused &= !s->over && !s->error.status;
    return restart(s);
  case 'N':
    s->scene = (s->scene + 1) % SCENES;
    s->field = -1;
    s->options.steps = 0;
    s->paused = false;
    return createFlow(s);
  case 'F':
    nextField(s);
    break;
  case 'C':
    s->options.colormap = ((int)colormapOf(s) + 1) % TEXLA_COLORMAP_COUNT;
    break;
  case 'B':
    s->no_bar = !s->no_bar;
    break;
  case 'T':
    s->no_text = !s->no_text;
    break;
  case 'S':
    return saveScreenshot(s);
  case 'H':
    if (!s->common.quiet)
      printf("%s", keys);
    break;
  }
  return TEXLA_OK;
}

/* Draws or erases a disc; true when something changed. */
static bool drawObstacle(Show *s, double x, double y, bool first) {
  clFlowInfo info = clFlowInspect(s->flow);
  bool changed = false;
  int i = (int)fmin(x / info.h, info.nx - 1), j = (int)fmin(y / info.h, info.ny - 1);
  if (first)
    s->erases = s->solid[j * info.nx + i];
  for (int k = 0; k < info.nx * info.ny; k++)
    if (hypot((k % info.nx + 0.5) * info.h - x, (k / info.nx + 0.5) * info.h - y) < s->brush &&
        s->solid[k] == s->erases) {
      s->solid[k] = !s->erases;
      changed = true;
    }
  return changed;
}

/* A drag pushes with its own speed: so far within a picture's steps. */
static clStatus push(Show *s, double x, double y, bool first) {
  int64_t steps = s->options.steps ? s->options.steps : sceneOf(s)->steps;
  double dt = fmax(clFlowInspect(s->flow).dt, 1e-4) * (double)steps, most = 3;
  double u = first ? 0 : fmax(-most, fmin(most, 0.3 * (x - s->x) / dt));
  double v = first ? 0 : fmax(-most, fmin(most, 0.3 * (y - s->y) / dt));
  s->x = x;
  s->y = y;
  return check(s, clFlowSplat(s->flow, x, y, s->brush, u, v, 0.35 * sceneOf(s)->dye_most));
}

static clStatus react(Show *s, const demoInput *input) {
  clFlowInfo info = clFlowInspect(s->flow);
  clStatus status = TEXLA_OK;
  bool drawn = false;
  s->brush = fmin(fmax(s->brush * pow(1.15, input->wheel), 1.5 * info.h), 0.25);
  for (int k = 0; k < input->points && !status; k++) {
    double x = input->point[k].x * info.width, y = input->point[k].y * info.height;
    if (input->point[k].right)
      drawn |= drawObstacle(s, x, y, input->point[k].first);
    else
      status = push(s, x, y, input->point[k].first);
  }
  if (drawn && !status)
    status = check(s, clFlowObstacles(s->flow, s->solid));
  for (int k = 0; k < input->keys && !status; k++)
    status = pressKey(s, input->key[k]);
  fflush(stdout);
  return status;
}

static void showTitle(const Show *s) {
  char title[200];
  clFlowInfo i = clFlowInspect(s->flow);
  snprintf(title, sizeof title, "%s: %s, %.0f frames/s, time %.2f, %s%s", s->program.name, sceneOf(s)->title,
           demoWindowRate(s->window), i.time, clFlowFieldName(fieldOf(s)),
           s->error.status ? " (not finite any more: R starts anew)"
           : s->paused     ? " (paused: space goes on)"
                           : "  (H: help)");
  demoWindowTitle(s->window, title);
}

/* A flow that is not finite any more is a pause with a message, not an end. */
static clStatus survive(Show *s, clStatus status) {
  if (status != TEXLA_NOT_FINITE)
    return status;
  if (!s->paused)
    printf("%s: %s\n", s->program.name, s->error.message);
  s->paused = true;
  return TEXLA_OK;
}

static clStatus runWindow(Show *s) {
  demoInput input = {0};
  clStatus status = txProgramAdopt(&s->context, &s->program, &s->error);
  if (!status)
    status = start(s);
  if (!status)
    status = paint(s);
  int64_t shown = 0;
  while (!status && demoWindowNext(s->window, &input) && (!s->options.frames || shown++ < s->options.frames)) {
    status = survive(s, react(s, &input));
    if (!s->paused)
      s->error = (clError){0};
    if (!status && !s->paused)
      status = survive(s, advance(s));
    s->paused |= s->over;
    if (!status)
      status = paint(s);
    demoWindowShow(s->window, s->image.rgb);
    showTitle(s);
  }
  return status ? status : writeProfile(s);
}

static clStatus finish(Show *s, clStatus status) {
  clFlowDestroy(s->flow);
  clContextDestroy(s->context); /* before the window: it lives on its device */
  demoWindowClose(s->window);
  free(s->values);
  free(s->solid);
  free(s->image.rgb);
  if (s->stats && fclose(s->stats) != 0 && !status)
    return txFail(&s->error, TEXLA_IO_ERROR, "--stats", "cannot write %s", s->stats_path);
  return status;
}

static clStatus openWindow(Show *s) {
  const char *device = s->common.device ? s->common.device : getenv("TEXLA_DEVICE");
  if (device && *device && strcmp(device, "auto") != 0)
    return txFail(&s->no_window, TEXLA_NO_DEVICE, "no window", "it would not compute on device %s", device);
  return demoWindowOpen(&s->window, s->program.name, s->image.width, s->image.height, &s->no_window);
}

static int run(Show *s) {
  int *size = s->options.size;
  if (!size[0])
    memcpy(size, sceneOf(s)->size, sizeof s->options.size);
  int longer = size[0] > size[1] ? size[0] : size[1];
  s->scale = PIXELS / longer > LARGEST_SCALE ? LARGEST_SCALE : PIXELS / longer > 1 ? PIXELS / longer : 1;
  s->image.width = s->scale * size[0];
  s->image.height = s->scale * size[1];
  s->brush = 0.04;
  if (!s->options.headless)
    openWindow(s);
  clStatus status = finish(s, s->window ? runWindow(s) : runHeadless(s));
  return status ? txProgramFail(&s->program, &s->error) : TX_EXIT_GOOD;
}

int main(int argc, char **argv) {
  static const char *const schemes[] = {"semi-lagrangian", "donor-cell", NULL}, *const solvers[] = {"mg", "cg", NULL};
  const char *scenes[SCENES + 1] = {NULL}, *fields[TEXLA_FLOW_FIELDS + 1] = {NULL};
  Show s = {.options = {.out = "frames", .colormap = -1}, .scheme = -1, .field = -1};
  for (int k = 0; k < SCENES; k++)
    scenes[k] = sceneList[k].name;
  for (int k = 0; k < TEXLA_FLOW_FIELDS; k++)
    fields[k] = clFlowFieldName((clFlowField)k);
  txOption options[DEMO_OPTIONS + 13] = {
      [DEMO_OPTIONS] = {"scene", TX_OPTION_CHOICE, &s.scene, NULL, "what is shown (default smoke)", .choices = scenes},
      {"re", TX_OPTION_REAL, &s.re, "RE", "Reynolds number, of the scene's own length and speed 1", 0, INFINITY},
      {"scheme", TX_OPTION_CHOICE, &s.scheme, NULL, "transport of the velocity", .choices = schemes},
      {"solver", TX_OPTION_CHOICE, &s.solver, NULL, "of the pressure (default mg)", .choices = solvers},
      {"tolerance", TX_OPTION_REAL, &s.tolerance, "TOL", "max |div u| h / U after a step (default 1e-3)", 0, 1},
      {"dt", TX_OPTION_REAL, &s.dt, "T", "time step (default: from the speed)", 0, INFINITY},
      {"time", TX_OPTION_REAL, &s.end, "T", "end at this time of the flow", 0, INFINITY},
      {"until-steady", TX_OPTION_REAL, &s.steady, "TOL", "end when the kinetic energy changes by less, per time", 0,
       INFINITY},
      {"field", TX_OPTION_CHOICE, &s.field, NULL, "what is coloured (default: the scene's own)", .choices = fields},
      {"obstacles", TX_OPTION_TEXT, &s.obstacles, "FILE.png", "obstacles instead of the scene's: what is dark"},
      {"profile", TX_OPTION_TEXT, &s.profile_path, "FILE.csv", "write the velocities on the centre lines at the end"},
      {"stats", TX_OPTION_TEXT, &s.stats_path, "FILE.csv",
       "write a line per step: energy, divergence, iterations, ..."}};
  demoOptionsTable(options, &s.options);
  options[0].help = "cells, columns x rows (default: the scene's own)";
  s.program = (txProgram){.name = "navier-stokes",
                          .summary = "Smoke, wakes, jets and vortices: incompressible flow on a staggered grid, in a "
                                     "window, or as numbered PNG pictures where there is no display or --device asks "
                                     "for another device than the window's.",
                          .options = options,
                          .common = &s.common,
                          .notes = keys};
  int status;
  if (!txArgumentsParse(&s.program, &argc, argv, &status))
    return status;
  status = run(&s);
  if (fflush(stdout) != 0 && !status) {
    perror("navier-stokes: writing standard output failed");
    status = TX_EXIT_BAD;
  }
  return status;
}
