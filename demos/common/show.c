#include "common/show.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/output.h"
#include "platform/platform.h"
#include "core/try.h"
#include "gl/context.h"
#include "gl/pass.h"

enum { HEADLESS_FRAMES = 60 };

static clStatus openStats(demoShow *show) {
  const demoOptions *o = &show->options;
  const char *film = o->unwritten || !demoRecordIsFilm(o->out) ? NULL : o->out;
  const char *outputs[] = {o->stats, o->profile, o->probe_csv, o->save, film};
  TRY(txProgramCheckOutputs(outputs, 5, &show->error));
  if (show->options.probe_csv)
    TRY(demoProbesOpen(&show->own->probes, show->options.probe_csv, &show->error));
  if (!show->options.stats)
    return TEXLA_OK;
  return demoStatsOpen(&show->own->stats, show->program, show->options.stats, &show->error);
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
  TRY(txProgramOpenWith(&show->context, &o->cli, o->window != NULL, &options, &show->error));
  txProgramsKeep(show->context);
  /* a page has no panel that draws into its window: it is texla's from now on, and the canvas
   * leaves it as it was */
  if (o->window && demoPanelApart())
    return demoCheck(show, txContextBorrow(show->context));
  return TEXLA_OK;
}

/* Is there what --over asks for? */
static clStatus checkOver(demoShow *show) {
  demoVectors vectors = {0};
  if (show->options.over != DEMO_STREAMLINES || !show->program->vectors)
    return TEXLA_OK;
  TRY(show->program->vectors(show->self, &vectors));
  if (vectors.closed)
    return TEXLA_OK;
  return txFail(
      &show->error, TEXLA_BAD_ARGUMENT, "--over",
      "streamlines need vectors without divergence, which %s has not: arrows can be shown",
      show->program->name);
}

static clStatus openAll(demoShow *show) {
  demoShowMeasure(show);
  TRY(openContext(show));
  if (show->own->window && !demoPanelApart())
    return demoShowSplash(show);
  return TEXLA_OK;
}

/* The scene, for the first time, and what is told of it and of the device. */
static clStatus begin(demoShow *show) {
  demoPrivate *o = show->own;
  TRY(demoShowStart(show));
  TRY(checkOver(show));
  if (o->loaded)
    TRY(demoShowState(show, o->loaded));
  demoStateDestroy(o->loaded);
  o->loaded = NULL;
  TRY(openStats(show));
  describe(show);
  return TEXLA_OK;
}

static clStatus writePicture(demoShow *show) {
  TRY(demoShowRead(show));
  double begin = demoSeconds();
  TRY(demoRecordWrite(&show->own->record, show->own->image.rgb, &show->error));
  show->own->stats.drawing += demoSeconds() - begin;
  return TEXLA_OK;
}

/* --- results --- */

static clStatus writeProfile(demoShow *show) {
  txOutput output;
  clStatus status = TEXLA_OK;
  if (!show->options.profile)
    return TEXLA_OK;
  TRY(txOutputOpen(&output, show->options.profile, "--profile", &show->error));
  TRY_CLEANUP(show->program->profile(show->self, output.file));
  return txOutputCommit(&output, &show->error);
cleanup:
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

/* How many pictures are made where nothing else ends the run. */
static int64_t framesOf(const demoOptions *options) {
  if (options->frames)
    return options->frames;
  if (options->end > 0 || options->steady > 0)
    return INT64_MAX;
  return HEADLESS_FRAMES;
}

/* All pictures of a run without a window; *made <- how many, also of a run that fails. */
static clStatus makePictures(demoShow *show, int64_t *made) {
  const int64_t frames = framesOf(&show->options);
  if (!show->options.unwritten)
    TRY(demoShowStartRecord(show, show->options.out, false));
  /* One picture at least, or there would be no film. */
  for (; *made < frames && !show->own->over && !(demoShowInterrupted() && *made); ++*made) {
    TRY(demoShowAdvance(show));
    TRY(demoShowPaint(show));
    if (!show->options.unwritten)
      TRY(writePicture(show));
  }
  return demoCheck(show, clContextSynchronize(show->context));
}

static clStatus runHeadless(demoShow *show) {
  demoPrivate *o = show->own;
  int64_t made = 0;
  TRY(openAll(show));
  TRY(begin(show));
  if (o->bench)
    return demoShowBench(show);
  demoShowCatch();
  double begin = demoSeconds();
  clStatus status = makePictures(show, &made);
  double seconds = demoSeconds() - begin;
  if (status)
    demoRecordClose(&o->record, NULL);
  TRY(status);
  TRY(demoRecordClose(&o->record, &show->error));
  if (!o->common.quiet && made > 0)
    tellEnd(show, made, seconds);
  return TEXLA_OK;
}

/* What a run that went well writes at its end. */
static clStatus writeResults(demoShow *show) {
  TRY(demoShowSave(show));
  TRY(writeProfile(show));
  if (show->program->finish)
    TRY(show->program->finish(show->self));
  return TEXLA_OK;
}

/* The files that grow with a run become whole, or, `good` false, are given up: then why is known.
 * */
static clStatus closeFiles(demoShow *show, bool good) {
  demoPrivate *o = show->own;
  clError ignored;
  if (!good) {
    demoProbesClose(&o->probes, false, &ignored);
    demoStatsClose(&o->stats, false, &ignored);
    return TEXLA_OK;
  }
  clStatus status = demoProbesClose(&o->probes, true, &show->error);
  if (status)
    demoStatsClose(&o->stats, false, &ignored);
  else
    status = demoStatsClose(&o->stats, true, &show->error);
  return status;
}

static clStatus finish(demoShow *show, clStatus status) {
  demoPrivate *o = show->own;
  if (!status)
    status = writeResults(show);
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
  free(o->strokes);
  demoShowForgetUndo(show);
  clStatus closed = closeFiles(show, !status);
  demoOverlayClear(&o->overlay);
  free(o->image.rgb);
  free(o->scene_text);
  free(o->editor);
  demoShowForgetTitles(o);
  free(show->walls);
  TRY(status);
  return closed;
}

static clStatus openWindow(demoShow *show) {
  demoPrivate *o = show->own;
  const char *device = o->common.device;
  if (!device)
    device = getenv("TEXLA_DEVICE");
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
  /* The shell sees the signal; what was printed is not lost. */
  int number = demoShowInterrupted();
  if (number && !status) {
    fflush(stdout);
    raise(number);
  }
  if (status)
    return txProgramFail(&show->own->cli, &show->error);
  return TX_EXIT_GOOD;
}

/* What is asked for; what is wrong in it is said before anything opens. */
static clStatus readInputs(demoShow *show) {
  TRY(demoShowLoad(show));
  TRY(demoShowFindScene(show));
  TRY(demoShowReadScene(show));
  demoProbesOf(&show->own->probes, demoSceneOf(show));
  if (show->options.probes)
    TRY(demoProbesRead(&show->own->probes, show->options.probes, &show->error));
  return TEXLA_OK;
}

static int run(demoShow *show) {
  demoPrivate *o = show->own;
  clStatus status = readInputs(show);
  if (status)
    return end(show, status);
  o->sized = show->options.size[0] > 0;
  o->brush = 0.04;
  o->plots_middle[0] = o->plots_middle[1] = 0.5;
  if (!show->options.headless)
    openWindow(show);
  if (!o->window)
    return end(show, runHeadless(show));
  /* what is recorded does not depend on it */
  const demoOptions *asked = &show->options;
  if (!asked->record && !asked->frames)
    demoShowRecall(show);
  o->adapts = !o->sized && !asked->record && !asked->frames && !asked->stats && !asked->probe_csv &&
              !asked->save && !asked->load && !asked->profile;
  status = openAll(show);
  if (status)
    return end(show, status);
  demoShowCatch();
  return demoShowRunWindow(show, begin, end);
}

/* --- the program --- */

int demoMain(const demoProgram *program, void *self, int argc, char **argv) {
  demoPrivate own = {.basis = -1};
  demoShow show = {.program = program, .self = self, .own = &own};
  own.began = demoSeconds();
  show.options = (demoOptions){.field = -1, .colormap = -1, .camera = DEMO_CAMERA, .out = "frames"};
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
