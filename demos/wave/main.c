/* wave: drops on a pond. The two-dimensional wave equation, one banded matrix-vector product per step (K9), in a window
 * or, without a display, as numbered pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/program.h"
#include "common/frames.h"
#include "common/options.h"
#include "common/picture.h"
#include "common/window.h"
#include "core/error.h"
#include "texla/sim.h"

/* Nothing calms this water: in a window that nobody touches the rain begins anew before all is ripples. */
enum { HEADLESS_FRAMES = 60, SCENE_FRAMES = 360 };

static const char keys[] = "In the window:\n"
                           "  mouse      drop waves: click or drag\n"
                           "  space      pause, go on\n"
                           "  R          start anew\n"
                           "  S          save a screenshot\n"
                           "  H, F1      print this list\n"
                           "  escape     quit\n";

typedef struct Wave {
  txProgram program;
  txCommon common;
  demoOptions options;
  int edge;   /* clWaveEdge */
  int scheme; /* clWaveScheme */
  double dt;  /* 0: clWave's default */
  clContext *context;
  clWave *wave;
  demoFrames frames;
  float *field;
  uint8_t *rgb;
  double range; /* of the colours: mean +- range */
  int64_t frame;
  bool paused, touched;
  clError error;     /* what ends the program */
  clError no_window; /* why there is none, although one was wanted */
} Wave;

/* The rain of the first pictures: frame, place and radius as parts of the pond's smaller side, height. */
typedef struct Drop {
  int frame;
  double x, y, radius, height;
} Drop;
static const Drop rain[] = {
    {0, 0.30, 0.62, 0.030, 1.0},  {9, 0.72, 0.35, 0.022, 0.9},  {21, 0.52, 0.80, 0.026, 0.8},
    {33, 0.18, 0.22, 0.020, 1.0}, {42, 0.85, 0.70, 0.024, 0.8},
};

/* Keeps the message of a call on the context. */
static clStatus check(Wave *w, clStatus status) {
  if (status)
    w->error = *clContextError(w->context);
  return status;
}

/* x and y as parts of the pond, the radius of its smaller side. The water of a drop comes from around it: two bells, of
 * volume 0 together, so that the level stays and no trough remains behind the ring. */
static clStatus addDrop(Wave *w, double x, double y, double radius, double height) {
  clWaveInfo info = clWaveInspect(w->wave);
  double r = radius * fmin(info.width, info.height);
  clStatus status = clWaveDrop(w->wave, x * info.width, y * info.height, r, height);
  if (!status)
    status = clWaveDrop(w->wave, x * info.width, y * info.height, 2 * r, -height / 4);
  return check(w, status);
}

static clStatus advance(Wave *w) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < (int)(sizeof rain / sizeof *rain) && !status; k++)
    if (rain[k].frame == w->frame)
      status = addDrop(w, rain[k].x, rain[k].y, rain[k].radius, rain[k].height);
  w->frame++;
  if (!status)
    status = clWaveStep(w->wave, w->options.steps);
  return status < 0 ? check(w, status) : TEXLA_OK; /* a system that is solved less well is no end */
}

/* What the ends of the colour map stand for: some standard deviations around the mean. It follows a drop at once
 * and calms down smoothly. */
static double chooseRange(Wave *w) {
  const double deviations = 4, least = 0.02, inertia = 0.9;
  size_t n = (size_t)w->options.size[0] * (size_t)w->options.size[1];
  double sum = 0, squares = 0;
  for (size_t k = 0; k < n; k++) {
    sum += (double)w->field[k];
    squares += (double)w->field[k] * (double)w->field[k];
  }
  double mean = sum / (double)n, wanted = fmax(deviations * sqrt(fmax(squares / (double)n - mean * mean, 0)), least);
  double falling = w->paused ? w->range : inertia * w->range + (1 - inertia) * wanted;
  w->range = fmax(wanted, falling);
  return mean;
}

static clStatus paint(Wave *w) {
  clStatus status = check(w, clVectorDownload(clWaveHeight(w->wave), w->field));
  if (status)
    return status;
  double mean = chooseRange(w);
  demoPictureSurface(w->rgb, (clColormap)w->options.colormap, w->field, w->options.size[0], w->options.size[1], mean,
                     w->range);
  return TEXLA_OK;
}

static void describe(const Wave *w) {
  const char *name = w->program.name;
  const clContextInfo *device = clContextInspect(w->context);
  clWaveInfo info = clWaveInspect(w->wave);
  if (!w->common.quiet && w->no_window.status)
    printf("%s: %s\n", name, w->no_window.message);
  if (!w->common.quiet)
    printf("%s: %d x %d points, beta = %.3g, on %s\n", name, info.nx, info.ny, info.beta, device->renderer);
  if (w->common.verbose) {
    fprintf(stderr, "%s: device: %s, %s, OpenGL %s, %s\n", name, device->vendor, device->renderer, device->version,
            device->platform);
    fprintf(stderr, "%s: matrix: %s\n", name, info.storage);
    fprintf(stderr, "%s: h = %g, c = %g, dt = %g (largest stable: %g)\n", name, info.h, info.c, info.dt, info.dt_max);
  }
}

static clStatus start(Wave *w) {
  const int *size = w->options.size;
  size_t n = (size_t)size[0] * (size_t)size[1];
  clWaveOptions options = {.nx = size[0], .ny = size[1], .dt = w->dt, .scheme = (clWaveScheme)w->scheme};
  for (int s = 0; s < 4; s++)
    options.edge[s] = (clWaveEdge)w->edge;
  clStatus status = check(w, clWaveCreate(&w->wave, w->context, &options));
  if (status)
    return status;
  w->field = malloc(n * sizeof *w->field);
  w->rgb = malloc(3 * n);
  if (!w->field || !w->rgb) {
    w->error = (clError){TEXLA_OUT_OF_MEMORY, "no memory for a picture"};
    return w->error.status;
  }
  describe(w);
  return TEXLA_OK;
}

static clStatus runHeadless(Wave *w) {
  int64_t frames = w->options.frames ? w->options.frames : HEADLESS_FRAMES;
  clStatus status = txProgramOpen(&w->context, &w->program, &w->error);
  if (!status)
    status = start(w);
  if (!status)
    status = demoFramesOpen(&w->frames, w->options.out, "wave", w->options.size[0], w->options.size[1], &w->error);
  for (int64_t f = 0; f < frames && !status; f++) {
    status = advance(w);
    if (!status)
      status = paint(w);
    if (!status)
      status = demoFramesWrite(&w->frames, w->rgb, &w->error);
  }
  if (!status && !w->common.quiet)
    printf("%s: %lld pictures in %s, the last one is %s\n", w->program.name, (long long)frames, w->frames.folder,
           strrchr(w->frames.last, '/') + 1);
  return status;
}

static clStatus saveScreenshot(Wave *w) {
  demoFrames shots;
  clStatus status =
      demoFramesOpen(&shots, w->options.out, "wave-screenshot", w->options.size[0], w->options.size[1], &w->error);
  if (!status)
    status = demoFramesKeep(&shots, w->rgb, &w->error);
  if (!status && !w->common.quiet)
    printf("%s: saved %s\n", w->program.name, shots.last);
  return status;
}

static clStatus restart(Wave *w) {
  w->frame = 0;
  w->range = 0;
  w->touched = false;
  return check(w, clWaveUpload(w->wave, NULL, NULL));
}

static clStatus pressKey(Wave *w, char key) {
  if (key == ' ')
    w->paused = !w->paused;
  if (key == 'H' && !w->common.quiet)
    printf("%s", keys);
  if (key == 'R')
    return restart(w);
  return key == 'S' ? saveScreenshot(w) : TEXLA_OK;
}

static clStatus react(Wave *w, const demoInput *input) {
  clStatus status = TEXLA_OK;
  w->touched |= input->points > 0;
  if (w->frame >= SCENE_FRAMES && !w->touched)
    status = restart(w);
  for (int k = 0; k < input->points && !status; k++)
    if (!input->point[k].right)
      status = addDrop(w, input->point[k].x, input->point[k].y, 0.02, input->point[k].first ? 1 : 0.4);
  for (int k = 0; k < input->keys && !status; k++)
    status = pressKey(w, input->key[k]);
  fflush(stdout);
  return status;
}

static void showTitle(const Wave *w, demoWindow *window) {
  char title[160];
  clWaveInfo info = clWaveInspect(w->wave);
  snprintf(title, sizeof title, "%s: %.0f frames/s, time %.2f, beta %.3f%s", w->program.name, demoWindowRate(window),
           info.time, info.beta, w->paused ? " (paused: space goes on)" : "  (H: help)");
  demoWindowTitle(window, title);
}

static clStatus runWindow(Wave *w, demoWindow *window) {
  demoInput input = {0};
  clStatus status = txProgramAdopt(&w->context, &w->program, &w->error);
  if (!status)
    status = start(w);
  if (!status)
    status = paint(w);
  int64_t shown = 0;
  while (!status && demoWindowNext(window, &input) && (!w->options.frames || shown++ < w->options.frames)) {
    status = react(w, &input);
    if (!status && !w->paused)
      status = advance(w);
    if (!status)
      status = paint(w);
    demoWindowShow(window, w->rgb);
    showTitle(w, window);
  }
  return status;
}

static void finish(Wave *w) {
  clWaveDestroy(w->wave);
  clContextDestroy(w->context);
  free(w->field);
  free(w->rgb);
}

/* A window computes on the device that draws it; who asks for another one gets pictures. */
static clStatus openWindow(const Wave *w, demoWindow **window, clError *why) {
  const char *device = w->common.device ? w->common.device : getenv("TEXLA_DEVICE");
  if (device && *device && strcmp(device, "auto") != 0)
    return txFail(why, TEXLA_NO_DEVICE, "no window", "it would not compute on device %s", device);
  return demoWindowOpen(window, "wave", w->options.size[0], w->options.size[1], why);
}

static int run(Wave *w) {
  demoWindow *window = NULL;
  if (!w->options.headless)
    openWindow(w, &window, &w->no_window);
  clStatus status = window ? runWindow(w, window) : runHeadless(w);
  finish(w); /* before the window: it lives on its device */
  demoWindowClose(window);
  return status ? txProgramFail(&w->program, &w->error) : TX_EXIT_GOOD;
}

int main(int argc, char **argv) {
  static const char *const schemes[] = {"explicit", "crank-nicolson", "conserving", NULL};
  static const char *const edges[] = {"reflecting", "fixed", NULL};
  Wave w = {.options = {.size = {512, 384}, .steps = 6, .out = "frames", .colormap = TEXLA_COLORMAP_VIRIDIS}};
  txOption options[DEMO_OPTIONS + 4] = {
      [DEMO_OPTIONS] = {"edge", TX_OPTION_CHOICE, &w.edge, NULL,
                        "walls that reflect (default), or water held at its level", .choices = edges},
      {"scheme", TX_OPTION_CHOICE, &w.scheme, NULL,
       "explicit (default), or implicit: damped, or without loss of energy", .choices = schemes},
      {"dt", TX_OPTION_REAL, &w.dt, "T",
       "time step (default 0.9 of the largest stable one); a wave crosses the pond in time 1", 0, INFINITY}};
  demoOptionsTable(options, &w.options);
  w.program = (txProgram){.name = "wave",
                          .summary = "Drops on a pond: the two-dimensional wave equation, in a window, or as numbered "
                                     "PNG pictures where there is no display or --device asks for another device than "
                                     "the window's.",
                          .options = options,
                          .common = &w.common,
                          .notes = keys};
  int status;
  if (!txArgumentsParse(&w.program, &argc, argv, &status))
    return status;
  status = run(&w);
  if (fflush(stdout) != 0 && !status) {
    perror("wave: writing standard output failed");
    status = TX_EXIT_BAD;
  }
  return status;
}
