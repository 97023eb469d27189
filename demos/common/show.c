#include "common/show.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/mask.h"
#include "common/show_private.h"
#include "core/allocate.h"
#include "core/try.h"
#include "core/output.h"
#include "platform/platform.h"

enum {
  HEADLESS_FRAMES = 60,
  /* wanted along the longer side */
  PIXELS = 960,
  LARGEST_SCALE = 5
};

/* --- for the programs --- */

const demoScene *demoSceneOf(const demoShow *show) {
  return show->program->scene;
}

int64_t demoSteps(const demoShow *show) {
  return show->options.steps ? show->options.steps : demoSceneOf(show)->steps;
}

int demoField(const demoShow *show) {
  return show->options.field >= 0 ? show->options.field : demoSceneOf(show)->field;
}

const char *demoShowField(const demoShow *show, int field) {
  const demoProgram *program = show->program;
  return program->fields[field] && program->called ? program->called(show->self, field)
                                                   : program->fields[field];
}

int demoScale(const demoShow *show) {
  return show->own->scale;
}

clStatus demoCheck(demoShow *show, clStatus status) {
  if (status < 0)
    show->error = *clContextError(show->context);
  return status < 0 ? status : TEXLA_OK;
}

clStatus demoOutOfMemory(demoShow *show) {
  return txFail(&show->error, TEXLA_OUT_OF_MEMORY, "the scene",
                "no memory for %d x %d points and their picture; a smaller --size needs less",
                show->own->nx, show->own->ny);
}

void demoVariables(const demoShow *show, double variable[DEMO_VARIABLES]) {
  const int *size = show->options.size;
  memset(variable, 0, DEMO_VARIABLES * sizeof *variable);
  variable[DEMO_W] = (double)size[0] / size[1];
  variable[DEMO_H] = 1. / size[1];
  variable[DEMO_SEED] = (double)show->options.seed;
  demoSceneParameters(demoSceneOf(show), variable);
}

/* --- the scene --- */

/* A software renderer's textures are in the machine's memory. */
static clStatus checkMemory(demoShow *show) {
  const demoPrivate *o = show->own;
  char scene[64];
  if (!clContextInspect(show->context)->software)
    return TEXLA_OK;
  snprintf(scene, sizeof scene, "a scene of %d x %d cells", o->nx, o->ny);
  return txProgramCheckMemory((double)o->nx * o->ny * show->program->cell_bytes, scene,
                              &show->error);
}

/* The height of a picture with such a field: flat ones leave room for text above and below. */
static int pictureHeight(int field) {
  const int least = 120;
  return field > least / 2 || field < least / 8 ? field : least;
}

/* The size of the grid and of its pictures. */
static void measureScene(demoShow *show) {
  demoPrivate *o = show->own;
  int size[2];
  demoShowGrid(show, size);
  int longer = size[0] > size[1] ? size[0] : size[1], fit = PIXELS / longer;
  o->scale = fit > 1 ? fit : 1;
  if (fit > LARGEST_SCALE)
    o->scale = LARGEST_SCALE;
  memmove(show->options.size, size, sizeof show->options.size);
  o->nx = size[0];
  o->ny = size[1];
  o->image.height = pictureHeight(o->scale * o->ny);
  demoTextFor(o->image.height);
  o->image.width = o->scale * o->nx + demoColorBarWidth();
}

/* Pictures and memory of the size that the scene has. */
static clStatus allocate(demoShow *show) {
  demoPrivate *o = show->own;
  measureScene(show);
  clStatus status = checkMemory(show);
  if (status)
    return status;
  size_t pixels = (size_t)o->image.width * (size_t)o->image.height;
  free(o->image.rgb);
  o->image.rgb = txAllocate(NULL, "the scene", 3 * pixels, 1, "its picture");
  demoPaintDestroy(o->paint);
  o->paint = NULL;
  if (!o->image.rgb)
    return demoOutOfMemory(show);
  TRY(demoShowClearObstacles(show));
  status =
      demoPaintCreate(&o->paint, show->context, o->nx, o->ny, o->scale * o->nx, o->scale * o->ny);
  return status == TEXLA_OUT_OF_MEMORY && !clContextError(show->context)->status
             ? demoOutOfMemory(show)
             : demoCheck(show, status);
}

clStatus demoShowStart(demoShow *show) {
  demoPrivate *o = show->own;
  clStatus status = demoShowReadScene(show);
  o->time = o->range = o->energy = 0;
  o->steps = o->frame = 0;
  o->change = INFINITY;
  o->over = o->drawn = o->valued = o->negative = false;
  demoProbesForget(&o->probes);
  o->curve_samples = 0;
  o->timings = 0;
  demoShowForget(show);
  demoShowForgetUndo(show);
  if (!status)
    status = allocate(show);
  if (!status)
    status = show->program->create(show->self, show);
  if (!status && show->options.obstacles)
    status = demoShowReadObstacles(show, show->options.obstacles);
  if (!status)
    status = demoShowTakeObstacles(show);
  return status ? status : show->program->begin(show->self);
}

static clStatus openStats(demoShow *show) {
  clStatus status = txProgramCheckOutput(show->options.profile, &show->error);
  if (!status && show->options.probe_csv)
    status = demoProbesOpen(&show->own->probes, show->options.probe_csv, &show->error);
  if (!status)
    status = txProgramCheckOutput(show->options.save, &show->error);
  if (status || !show->options.stats)
    return status;
  return demoStatsOpen(&show->own->stats, show->program, show->options.stats, &show->error);
}

/* Where messages go. */
FILE *demoShowMessages(const demoShow *show) {
  return demoStatsToOutput(&show->own->stats) ? stderr : stdout;
}

static void describe(demoShow *show) {
  const demoPrivate *o = show->own;
  const char *name = show->program->name;
  const clContextInfo *device = clContextInspect(show->context);
  if (!o->common.quiet && o->no_window.status)
    fprintf(demoShowMessages(show), "%s: %s\n", name, o->no_window.message);
  if (!o->common.quiet)
    fprintf(demoShowMessages(show), "%s: %s, %d x %d cells, on %s\n", name,
            demoSceneOf(show)->title, o->nx, o->ny, device->renderer);
  if (!o->common.quiet && show->program->announce)
    show->program->announce(show->self, demoShowMessages(show));
  if (o->common.verbose) {
    fprintf(stderr, "%s: device: %s, %s, OpenGL %s, %s\n", name, device->vendor, device->renderer,
            device->version, device->platform);
    show->program->describe(show->self);
  }
  fflush(stdout);
}

static clStatus openContext(demoShow *show) {
  demoPrivate *o = show->own;
  clContextOptions options = {.elements = (int64_t)o->nx * o->ny};
  if (show->options.stats) {
    options.profile = true;
    options.listener = demoStatsListen;
    options.listener_user = &o->stats;
  }
  return txProgramOpenWith(&show->context, &o->cli, o->window != NULL, &options, &show->error);
}

/* Is there what --over asks for? */
static clStatus checkOver(demoShow *show) {
  demoVectors vectors = {0};
  if (show->options.over != DEMO_STREAMLINES || !show->program->vectors)
    return TEXLA_OK;
  clStatus status = show->program->vectors(show->self, &vectors);
  return status || vectors.closed ? status
                                  : txFail(&show->error, TEXLA_BAD_ARGUMENT, "--over",
                                           "streamlines need vectors without divergence, which %s "
                                           "has not: arrows can be shown",
                                           show->program->name);
}

static clStatus start(demoShow *show) {
  demoPrivate *o = show->own;
  measureScene(show);
  clStatus status = openContext(show);
  if (!status && o->window)
    status = demoShowSplash(show);
  if (!status)
    status = demoShowStart(show);
  if (!status)
    status = checkOver(show);
  if (!status && o->loaded)
    status = demoShowState(show, o->loaded);
  demoStateDestroy(o->loaded);
  o->loaded = NULL;
  if (!status)
    status = openStats(show);
  if (!status)
    describe(show);
  return status;
}

/* --- time --- */

/* A line of the statistics, and how much the energy changes. */
static clStatus measure(demoShow *show, double since) {
  demoPrivate *o = show->own;
  double values[DEMO_COLUMNS] = {0};
  int count = 1;
  if (!o->stats.path && show->options.steady <= 0 && !show->options.curves)
    return TEXLA_OK;
  clStatus status = show->program->measure(show->self, values);
  for (const char *c = show->program->columns; *c; c++)
    count += *c == ',';
  double energy = values[show->program->energy_column];
  o->change = energy > 0 ? fabs(energy - o->energy) / energy / (o->time - since) : INFINITY;
  if (show->program->change_column)
    o->change = values[show->program->change_column];
  o->energy = energy;
  demoShowTakeCurves(show, values);
  if (!status && o->stats.path)
    status = demoStatsLine(&o->stats, o->steps, o->time, values, count, &show->error);
  return status;
}

static clStatus takeProbes(demoShow *show) {
  demoPrivate *o = show->own;
  demoFieldValues field = {0};
  if (!o->probes.count)
    return TEXLA_OK;
  clStatus status = demoShowValues(show, &field);
  if (!status && field.value)
    demoProbesTake(&o->probes, o->time, &field);
  return status;
}

clStatus demoShowStep(demoShow *show) {
  demoPrivate *o = show->own;
  double since = o->time;
  demoStatsBegin(&o->stats);
  clStatus status = show->program->step(show->self, &o->time);
  demoStatsEnd(&o->stats);
  o->steps += !status;
  o->done += !status;
  o->valued = false;
  if (!status)
    status = measure(show, since);
  if (!status)
    status = takeProbes(show);
  o->over = (show->options.end > 0 && o->time >= show->options.end) ||
            (show->options.steady > 0 && o->steps > 10 && o->change < show->options.steady);
  return status;
}

/* A window paints after fewer steps than the scene has where these take long, so that it answers
 * the mouse; not where their number was given, nor in films, whose pictures lie equally far
 * apart. */
static bool isDue(const demoShow *show, double begin) {
  /* seconds: 60 pictures each, with painting */
  const double most = 0.012;
  const demoPrivate *o = show->own;
  return o->made && o->window && !show->options.steps && (!o->record.open || o->record.feed) &&
         demoSeconds() - begin > most;
}

clStatus demoShowPicture(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  clStatus status = TEXLA_OK;
  for (o->made = 0; o->made < demoSteps(show) && !status && !o->over && !isDue(show, begin);
       o->made++)
    status = demoShowStep(show);
  o->frame++;
  o->stepping += demoSeconds() - begin;
  return status;
}

clStatus demoShowStartRecord(demoShow *show, const char *out, bool live) {
  demoPrivate *o = show->own;
  clStatus status = demoShowFit(show);
  if (status)
    return status;
  char *comment = demoShowDescribe(show);
  if (!comment)
    return demoOutOfMemory(show);
  status = demoRecordOpen(&o->record, out, demoSceneOf(show)->name, comment, o->image.width,
                          o->image.height, (int)o->frame, live, &show->error);
  free(comment);
  return status;
}

static clStatus writePicture(demoShow *show) {
  clStatus status = demoShowRead(show);
  double begin = demoSeconds();
  if (!status)
    status = demoRecordWrite(&show->own->record, show->own->image.rgb, &show->error);
  show->own->stats.drawing += demoSeconds() - begin;
  return status;
}

/* --- results --- */

static clStatus writeProfile(demoShow *show) {
  txOutput output;
  if (!show->options.profile)
    return TEXLA_OK;
  clStatus status = txOutputOpen(&output, show->options.profile, "--profile", &show->error);
  if (status)
    return status;
  status = show->program->profile(show->self, output.file);
  if (!status)
    return txOutputCommit(&output, &show->error);
  txOutputAbort(&output);
  return status;
}

static void tellEnd(demoShow *show, int64_t frames, double seconds) {
  const demoPrivate *o = show->own;
  const char *name = show->program->name;
  if (show->options.unwritten) {
    fprintf(demoShowMessages(show),
            "%s: time %.4g, %lld pictures painted, %.1f a second of %.3g steps each\n", name,
            o->time, (long long)frames, (double)frames / seconds, (double)o->done / (double)frames);
    return;
  }
  if (*o->record.path)
    fprintf(demoShowMessages(show), "%s: time %.4g, %lld pictures in %s", name, o->time,
            (long long)frames, o->record.path);
  else
    fprintf(demoShowMessages(show), "%s: time %.4g, %lld pictures in %s, the last one is %s", name,
            o->time, (long long)frames, o->record.frames.folder,
            strrchr(o->record.frames.last, '/') + 1);
  fprintf(demoShowMessages(show), " (%.1f steps and %.1f paintings a second)\n",
          (double)o->done / o->stepping, (double)frames / o->drawing);
}

/* --- a run that shall be saved ends well when it is interrupted --- */

static volatile sig_atomic_t interrupted;

static void onInterrupt(int number) {
  interrupted = number;
}

static void catchInterrupts(void) {
  txSignalCatch(SIGINT, onInterrupt);
  txSignalCatch(SIGTERM, onInterrupt);
}

static clStatus runHeadless(demoShow *show) {
  demoPrivate *o = show->own;
  bool bounded = show->options.end > 0 || show->options.steady > 0;
  int64_t frames = show->options.frames ? show->options.frames
                   : bounded            ? INT64_MAX
                                        : HEADLESS_FRAMES,
          f = 0;
  clStatus status = start(show);
  if (show->options.save)
    catchInterrupts();
  if (!status && !show->options.unwritten)
    status = demoShowStartRecord(show, show->options.out, false);
  double begin = demoSeconds();
  for (; f < frames && !status && !o->over && !interrupted; f++) {
    status = demoShowPicture(show);
    if (!status)
      status = demoShowPaint(show);
    if (!status && !show->options.unwritten)
      status = writePicture(show);
  }
  if (!status)
    status = demoCheck(show, clContextSynchronize(show->context));
  double seconds = demoSeconds() - begin;
  clStatus closed = demoRecordClose(&o->record, status ? NULL : &show->error);
  status = status ? status : closed;
  if (!status && !o->common.quiet && f > 0)
    tellEnd(show, f, seconds);
  return status;
}

static clStatus finish(demoShow *show, clStatus status) {
  demoPrivate *o = show->own;
  if (!status)
    status = demoShowSave(show);
  if (!status)
    status = writeProfile(show);
  if (!status && show->program->finish)
    status = show->program->finish(show->self);
  show->program->destroy(show->self);
  demoPaintDestroy(o->paint);
  demoStateDestroy(o->loaded);
  /* before the window: it lives on its device */
  clContextDestroy(show->context);
  demoWindowClose(o->window);
  demoShowForget(show);
  free(o->values);
  free(o->rest);
  free(o->moved);
  demoShowForgetUndo(show);
  clStatus written = demoProbesClose(&o->probes, !status, &show->error);
  status = status ? status : written;
  clStatus closed = demoStatsClose(&o->stats, !status, status ? NULL : &show->error);
  demoOverlayClear(&o->overlay);
  free(o->image.rgb);
  free(o->scene_text);
  free(o->editor);
  demoShowForgetTitles(o);
  free(show->walls);
  return status ? status : closed;
}

static clStatus openWindow(demoShow *show) {
  demoPrivate *o = show->own;
  const char *device = o->common.device ? o->common.device : getenv("TEXLA_DEVICE");
  if (device && *device && strcmp(device, "auto") != 0)
    return txFail(&o->no_window, TEXLA_NO_DEVICE, "no window", "it would not compute on device %s",
                  device);
  return demoWindowOpen(&o->window, show->program->name, 0, 0, &o->no_window);
}

/* After the run, however that went: the exit status. */
static int end(demoShow *show, clStatus status) {
  if (!status && show->own->window)
    demoShowRemember(show);
  status = finish(show, status);
  /* the shell shall know */
  if (interrupted && !status)
    raise(interrupted);
  return status ? txProgramFail(&show->own->cli, &show->error) : TX_EXIT_GOOD;
}

static int run(demoShow *show) {
  demoPrivate *o = show->own;
  clStatus status = demoShowLoad(show);
  if (!status)
    status = demoShowFindScene(show);
  /* what is wrong in it is said before anything opens */
  if (!status)
    status = demoShowReadScene(show);
  o->sized = show->options.size[0] > 0;
  o->brush = 0.04;
  o->lines = show->options.lines;
  if (!status && show->options.probes)
    status = demoProbesRead(&o->probes, show->options.probes, &show->error);
  if (!status && !show->options.headless)
    openWindow(show);
  /* what is recorded does not depend on it */
  const demoOptions *asked = &show->options;
  if (o->window && !asked->record && !asked->frames)
    demoShowRecall(show);
  o->adapts = o->window && !o->sized && !asked->record && !asked->frames && !asked->stats &&
              !asked->probe_csv && !asked->save && !asked->load && !asked->profile;
  if (!status)
    status = o->window ? start(show) : runHeadless(show);
  return status || !o->window ? end(show, status) : demoShowRunWindow(show, end);
}

/* --- the program --- */

int demoMain(const demoProgram *program, void *self, int argc, char **argv) {
  demoPrivate own = {0};
  demoShow show = {.program = program, .self = self, .own = &own};
  own.began = demoSeconds();
  show.options = (demoOptions){.field = -1, .colormap = -1, .out = "frames"};
  for (int k = 0; k < TEXLA_COLORMAP_COUNT; k++)
    own.maps[k] = clColormapName((clColormap)k);
  own.curve_groups[0] = "none";
  for (int k = 0; k < DEMO_GROUPS && program->curves && program->curves[k]; k++)
    own.curve_groups[k + 1] = program->curves[k];
  char notes[4096], details[4096];
  demoShowWriteDetails(&show, details, sizeof details);
  demoShowWriteNotes(&show, notes, sizeof notes);
  demoShowListOptions(&show);
  own.cli = (txProgram){.name = program->name,
                        .summary = program->summary,
                        .details = details,
                        .options = own.table,
                        .common = &own.common,
                        .notes = notes};
  int status;
  if (!txArgumentsParse(&own.cli, &argc, argv, &status))
    return status;
  return txProgramEnd(program->name, run(&show));
}
