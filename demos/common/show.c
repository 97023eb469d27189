#include "common/show.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/output.h"
#include "platform/platform.h"

enum { HEADLESS_FRAMES = 60 };

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
  demoShowMeasure(show);
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
