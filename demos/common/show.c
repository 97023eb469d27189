#include "common/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mask.h"
#include "common/show_private.h"
#include "core/allocate.h"
#include "core/output.h"

enum { HEADLESS_FRAMES = 60, PIXELS = 960 /* wanted along the longer side */, LARGEST_SCALE = 5, MOST_COLUMNS = 16 };

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

int demoScale(const demoShow *show) {
  return show->own->image.width / show->own->nx;
}

clStatus demoCheck(demoShow *show, clStatus status) {
  if (status < 0)
    show->error = *clContextError(show->context);
  return status < 0 ? status : TEXLA_OK;
}

clStatus demoOutOfMemory(demoShow *show) {
  return txFail(&show->error, TEXLA_OUT_OF_MEMORY, "the scene",
                "no memory for %d x %d points and their picture; a smaller --size needs less", show->own->nx,
                show->own->ny);
}

void demoVariables(const demoShow *show, double variable[DEMO_VARIABLES]) {
  const int *size = show->options.size;
  memset(variable, 0, DEMO_VARIABLES * sizeof *variable);
  variable[DEMO_W] = (double)size[0] / size[1];
  variable[DEMO_H] = 1. / size[1];
  variable[DEMO_SEED] = (double)show->options.seed;
}

clStatus demoSolid(demoShow *show, const demoFormula *formulas, int count, const double variable[DEMO_VARIABLES]) {
  size_t n = (size_t)show->own->nx * (size_t)show->own->ny;
  float *inside = txAllocate(NULL, "the scene", n, sizeof *inside, "its obstacles");
  if (!inside)
    return demoOutOfMemory(show);
  memset(show->solid, 0, n);
  for (int f = 0; f < count; f++) {
    demoTabulate(inside, &formulas[f], variable, show->options.size, (double[]){0.5, 0.5});
    for (size_t k = 0; k < n; k++)
      show->solid[k] |= inside[k] != 0;
  }
  free(inside);
  return TEXLA_OK;
}

/* --- the scene --- */

/* A software renderer's textures are in the machine's memory. */
static clStatus checkMemory(demoShow *show) {
  const demoPrivate *o = show->own;
  char scene[64];
  if (!clContextInspect(show->context)->software)
    return TEXLA_OK;
  snprintf(scene, sizeof scene, "a scene of %d x %d cells", o->nx, o->ny);
  return txProgramCheckMemory((double)o->nx * o->ny * show->program->cell_bytes, scene, &show->error);
}

/* Pictures and memory of the size that the scene has. */
static clStatus allocate(demoShow *show) {
  demoPrivate *o = show->own;
  const int *size = o->sized ? show->options.size : demoSceneOf(show)->size;
  int longer = size[0] > size[1] ? size[0] : size[1], fit = PIXELS / longer;
  int scale = fit > LARGEST_SCALE ? LARGEST_SCALE : fit > 1 ? fit : 1;
  memmove(show->options.size, size, sizeof show->options.size);
  o->nx = size[0];
  o->ny = size[1];
  o->image.width = scale * o->nx;
  o->image.height = scale * o->ny;
  clStatus status = checkMemory(show);
  if (status)
    return status;
  size_t pixels = (size_t)o->image.width * (size_t)o->image.height;
  free(o->image.rgb);
  free(show->solid);
  o->image.rgb = txAllocate(NULL, "the scene", 3 * pixels, 1, "its picture");
  show->solid = txAllocate(NULL, "the scene", (size_t)o->nx * (size_t)o->ny, 1, "its obstacles");
  demoPaintDestroy(o->paint);
  o->paint = NULL;
  if (!o->image.rgb || !show->solid)
    return demoOutOfMemory(show);
  status = demoPaintCreate(&o->paint, show->context, o->nx, o->ny, o->image.width, o->image.height);
  return status == TEXLA_OUT_OF_MEMORY && !clContextError(show->context)->status ? demoOutOfMemory(show)
                                                                                 : demoCheck(show, status);
}

/* The parts of a saved state that belong to the frame; then the program's. */
static clStatus visitState(demoShow *show, demoState *state) {
  demoPrivate *o = show->own;
  double unknown = -1; /* instead of an infinite change */
  double frame[] = {o->time,          o->range,        o->energy, isfinite(o->change) ? o->change : unknown,
                    (double)o->steps, (double)o->frame};
  demoStateBytes(state, "solid", show->solid, (size_t)o->nx * (size_t)o->ny);
  demoStateNumbers(state, "frame", frame, 6);
  if (demoStateLoads(state) && !demoStateStatus(state)) {
    o->time = frame[0];
    o->range = frame[1];
    o->energy = frame[2];
    o->change = frame[3] >= 0 ? frame[3] : INFINITY;
    o->steps = (int64_t)frame[4];
    o->frame = (int64_t)frame[5];
    clStatus status = demoPaintSolid(o->paint, show->solid);
    if (!status)
      status = show->program->obstacles(show->self);
    if (status)
      return status;
  }
  return demoStateStatus(state) ? demoStateStatus(state) : show->program->state(show->self, state);
}

clStatus demoShowStart(demoShow *show) {
  demoPrivate *o = show->own;
  o->time = o->range = o->energy = 0;
  o->steps = o->frame = 0;
  o->change = INFINITY;
  o->over = o->drawn = false;
  clStatus status = demoShowReadScene(show);
  if (!status)
    status = allocate(show);
  if (!status)
    status = show->program->create(show->self, show);
  if (!status && show->options.obstacles)
    status = demoMaskRead(show->solid, o->nx, o->ny, show->options.obstacles, &show->error);
  if (!status)
    status = demoCheck(show, demoPaintSolid(o->paint, show->solid));
  if (!status)
    status = show->program->obstacles(show->self);
  return status ? status : show->program->begin(show->self);
}

static clStatus openStats(demoShow *show) {
  clStatus status = txProgramCheckOutput(show->options.profile, &show->error);
  if (!status)
    status = txProgramCheckOutput(show->options.save, &show->error);
  if (status || !show->options.stats)
    return status;
  return demoStatsOpen(&show->own->stats, show->program, show->options.stats, &show->error);
}

/* Where messages go. */
static FILE *messages(const demoShow *show) {
  return demoStatsToOutput(&show->own->stats) ? stderr : stdout;
}

static void describe(demoShow *show) {
  const demoPrivate *o = show->own;
  const char *name = show->program->name;
  const clContextInfo *device = clContextInspect(show->context);
  if (!o->common.quiet && o->no_window.status)
    fprintf(messages(show), "%s: %s\n", name, o->no_window.message);
  if (!o->common.quiet)
    fprintf(messages(show), "%s: %s, %d x %d cells, on %s\n", name, demoSceneOf(show)->title, o->nx, o->ny,
            device->renderer);
  if (o->common.verbose) {
    fprintf(stderr, "%s: device: %s, %s, OpenGL %s, %s\n", name, device->vendor, device->renderer, device->version,
            device->platform);
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

static clStatus start(demoShow *show) {
  demoPrivate *o = show->own;
  clStatus status = openContext(show);
  if (!status)
    status = demoShowStart(show);
  if (!status && o->loaded)
    status = visitState(show, o->loaded);
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
  double values[MOST_COLUMNS] = {0};
  int count = 1;
  if (!o->stats.path && show->options.steady <= 0)
    return TEXLA_OK;
  clStatus status = show->program->measure(show->self, values);
  for (const char *c = show->program->columns; *c; c++)
    count += *c == ',';
  double energy = values[show->program->energy_column];
  o->change = energy > 0 ? fabs(energy - o->energy) / energy / (o->time - since) : INFINITY;
  o->energy = energy;
  if (!status && o->stats.path)
    status = demoStatsLine(&o->stats, o->steps, o->time, values, count, &show->error);
  return status;
}

clStatus demoShowStep(demoShow *show) {
  demoPrivate *o = show->own;
  double since = o->time;
  demoStatsBegin(&o->stats);
  clStatus status = show->program->step(show->self, &o->time);
  demoStatsEnd(&o->stats);
  o->steps += !status;
  if (!status)
    status = measure(show, since);
  o->over = (show->options.end > 0 && o->time >= show->options.end) ||
            (show->options.steady > 0 && o->steps > 10 && o->change < show->options.steady);
  return status;
}

clStatus demoShowPicture(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  clStatus status = TEXLA_OK;
  for (int64_t k = demoSteps(show); k > 0 && !status && !o->over; k--)
    status = demoShowStep(show);
  o->frame++;
  o->stepping += demoSeconds() - begin;
  return status;
}

/* --- pictures --- */

clColormap demoShowColormap(demoShow *show, clColormap own) {
  return show->options.colormap >= 0 ? (clColormap)show->options.colormap : own;
}

/* How far the ends of the colours should be from their middle: all the way, where the values have one sign; a few deviations,
 * where others may be clipped; and otherwise between both. */
static double wantedRange(const demoView *view, const demoSpread *spread) {
  double some = 3 * (view->range == DEMO_CENTRED ? spread->around_mean : spread->around_zero);
  double all = spread->largest + (view->range == DEMO_CENTRED ? fabs(spread->mean) : 0);
  double wanted = view->range == DEMO_POSITIVE ? all : view->lit || view->clips ? some : sqrt(some * fmax(some, all));
  return fmax(wanted, view->high);
}

/* The values at the ends of the colours: given, or following the values. */
static clStatus chooseRange(demoShow *show, const demoView *view, double range[2]) {
  const double inertia = view->falling ? 0.9 : 0.8;
  demoPrivate *o = show->own;
  demoSpread spread;
  range[0] = view->low;
  range[1] = view->high;
  if (view->range == DEMO_FIXED)
    return TEXLA_OK;
  clStatus status = demoPaintMeasure(o->paint, view->values, &spread);
  double wanted = wantedRange(view, &spread), next = inertia * o->range + (1 - inertia) * wanted;
  if (!(o->range > 0) || !isfinite(o->range))
    o->range = wanted;
  else if (!o->paused)
    o->range = view->falling ? fmax(wanted, next) : next;
  double half = isfinite(o->range) && o->range > 0 ? o->range : 1;
  double middle = view->range == DEMO_CENTRED && isfinite(spread.mean) ? spread.mean : 0;
  range[0] = view->range == DEMO_POSITIVE ? 0 : middle - half;
  range[1] = middle + half;
  return demoCheck(show, status);
}

static void writeTexts(demoShow *show) {
  demoPrivate *o = show->own;
  char text[256];
  snprintf(text, sizeof text, "%s: %s", demoSceneOf(show)->title, show->program->fields[demoField(show)]);
  demoText(&o->overlay, 8, 8, text);
  show->program->tell(show->self, text, sizeof text);
  demoText(&o->overlay, 8, o->image.height - DEMO_LINE - 4, text);
}

clStatus demoShowPaint(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds(), range[2] = {0, 1};
  demoView view = {0};
  clStatus status = show->program->view(show->self, demoField(show), &view);
  if (!status && !view.kernel)
    status = chooseRange(show, &view, range);
  clColormap map = demoShowColormap(show, view.colormap);
  if (!status && view.kernel)
    status = demoCheck(show, demoPaintKernel(o->paint, view.kernel, view.run, view.half));
  else if (!status)
    status = demoCheck(show, demoPaintField(o->paint, view.values, map, range[0], range[1], view.lit));
  o->read = false;
  demoOverlayBegin(&o->overlay, o->image.width, o->image.height);
  if (!status && show->program->draw)
    show->program->draw(show->self, &o->overlay);
  if (!status && !o->no_bar && !view.kernel)
    demoColorBar(&o->overlay, map, range[0], range[1]);
  if (!status && !o->no_text)
    writeTexts(show);
  o->stats.drawing += demoSeconds() - begin;
  o->drawing += demoSeconds() - begin;
  return status;
}

clStatus demoShowRead(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  if (o->read)
    return TEXLA_OK;
  clStatus status =
      o->overlay.incomplete ? demoOutOfMemory(show) : demoCheck(show, demoPaintRead(o->paint, o->image.rgb));
  if (!status)
    demoOverlayApply(&o->overlay, o->image);
  o->read = !status;
  o->stats.drawing += demoSeconds() - begin;
  o->drawing += demoSeconds() - begin;
  return status;
}

clStatus demoShowStartRecord(demoShow *show, const char *out) {
  demoPrivate *o = show->own;
  return demoRecordOpen(&o->record, out, demoSceneOf(show)->name, o->image.width, o->image.height, (int)o->frame,
                        &show->error);
}

static clStatus writePicture(demoShow *show) {
  double begin = demoSeconds();
  clStatus status = demoRecordWrite(&show->own->record, show->own->image.rgb, &show->error);
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

static clStatus save(demoShow *show) {
  demoState *state = NULL;
  if (!show->options.save)
    return TEXLA_OK;
  char name[32] = "";
  snprintf(name, sizeof name, "%s", show->program->name);
  clStatus status = demoStateCreate(&state, &show->error);
  if (status)
    return status;
  demoStateBytes(state, "program", name, sizeof name);
  demoShowSaveScene(show, state);
  demoShowSaveOptions(show, state);
  status = visitState(show, state);
  if (!status)
    status = demoStateWrite(state, show->options.save, &show->error);
  demoStateDestroy(state);
  if (!status && !show->own->common.quiet)
    fprintf(messages(show), "%s: saved time %.4g in %s\n", show->program->name, show->own->time, show->options.save);
  return status;
}

static void tellEnd(demoShow *show, int64_t frames) {
  const demoPrivate *o = show->own;
  const char *name = show->program->name;
  if (*o->record.path)
    fprintf(messages(show), "%s: time %.4g, %lld pictures in %s", name, o->time, (long long)frames, o->record.path);
  else
    fprintf(messages(show), "%s: time %.4g, %lld pictures in %s, the last one is %s", name, o->time, (long long)frames,
            o->record.frames.folder, strrchr(o->record.frames.last, '/') + 1);
  fprintf(messages(show), " (%.1f steps and %.1f paintings a second)\n",
          (double)(frames * demoSteps(show)) / o->stepping, (double)frames / o->drawing);
}

static clStatus runHeadless(demoShow *show) {
  demoPrivate *o = show->own;
  bool bounded = show->options.end > 0 || show->options.steady > 0;
  int64_t frames = show->options.frames ? show->options.frames : bounded ? INT64_MAX : HEADLESS_FRAMES, f = 0;
  clStatus status = start(show);
  if (!status)
    status = demoShowStartRecord(show, show->options.out);
  for (; f < frames && !status && !o->over; f++) {
    status = demoShowPicture(show);
    if (!status)
      status = demoShowPaint(show);
    if (!status)
      status = demoShowRead(show);
    if (!status)
      status = writePicture(show);
  }
  clStatus closed = demoRecordClose(&o->record, status ? NULL : &show->error);
  status = status ? status : closed;
  if (!status && !o->common.quiet && f > 0)
    tellEnd(show, f);
  return status;
}

static clStatus finish(demoShow *show, clStatus status) {
  demoPrivate *o = show->own;
  if (!status)
    status = save(show);
  if (!status)
    status = writeProfile(show);
  if (!status && show->program->finish)
    status = show->program->finish(show->self);
  show->program->destroy(show->self);
  demoPaintDestroy(o->paint);
  demoStateDestroy(o->loaded);
  clContextDestroy(show->context); /* before the window: it lives on its device */
  demoWindowClose(o->window);
  clStatus closed = demoStatsClose(&o->stats, !status, status ? NULL : &show->error);
  demoOverlayClear(&o->overlay);
  free(o->image.rgb);
  free(o->scene_text);
  free(show->solid);
  return status ? status : closed;
}

static clStatus openWindow(demoShow *show) {
  demoPrivate *o = show->own;
  const char *device = o->common.device ? o->common.device : getenv("TEXLA_DEVICE");
  if (device && *device && strcmp(device, "auto") != 0)
    return txFail(&o->no_window, TEXLA_NO_DEVICE, "no window", "it would not compute on device %s", device);
  return demoWindowOpen(&o->window, show->program->name, 0, 0, &o->no_window);
}

static int run(demoShow *show) {
  demoPrivate *o = show->own;
  clStatus status = demoShowLoad(show);
  show->options.seed = show->options.seed < 0 ? 0 : show->options.seed;
  if (!status)
    status = demoShowFindScene(show);
  if (!status)
    status = demoShowReadScene(show); /* what is wrong in it is said before anything opens */
  o->sized = show->options.size[0] > 0;
  o->brush = 0.04;
  if (!status && !show->options.headless)
    openWindow(show);
  if (!status)
    status = o->window ? start(show) : runHeadless(show);
  if (!status && o->window)
    status = demoShowRunWindow(show);
  status = finish(show, status);
  return status ? txProgramFail(&o->cli, &show->error) : TX_EXIT_GOOD;
}

/* --- the program --- */

int demoMain(const demoProgram *program, void *self, int argc, char **argv) {
  demoPrivate own = {0};
  demoShow show = {.program = program, .self = self, .own = &own};
  show.options = (demoOptions){.field = -1, .colormap = -1, .seed = -1, .out = "frames"};
  for (int k = 0; k < TEXLA_COLORMAP_COUNT; k++)
    own.maps[k] = clColormapName((clColormap)k);
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
  status = run(&show);
  if (fflush(stdout) != 0 && !status) {
    perror("writing standard output failed");
    status = TX_EXIT_BAD;
  }
  return status;
}
