/* What happens in a window: keys, mouse, messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/show_private.h"
#include "core/error.h"

enum { MOST_STEPS = 256, KEEP_EVERY = 20, MOST_SCENES = 64 };

void demoShowSay(const demoShow *show, const char *what, const char *name) {
  if (!show->own->common.quiet)
    printf("%s: %s %s\n", show->program->name, what, name);
  fflush(stdout);
}

/* What went wrong is said, here and in the window for some seconds, and nothing ends. */
void demoShowComplain(demoShow *show, const char *what) {
  const double seconds = 6;
  demoPrivate *o = show->own;
  snprintf(o->notice, sizeof o->notice, "%.60s%s%s", what, *what ? ": " : "", show->error.message);
  o->noticed = demoSeconds() + seconds;
  demoShowSay(show, o->notice, "");
  show->error = (clError){0};
}

/* --- files --- */

static void saveScreenshot(demoShow *show) {
  demoPrivate *o = show->own;
  demoFrames shots;
  char folder[4096], name[64];
  snprintf(folder, sizeof folder, "%s", show->options.out);
  /* beside it */
  if (demoRecordIsFilm(folder)) {
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
  }
  o->shoots = false;
  snprintf(name, sizeof name, "%s-screenshot", demoSceneOf(show)->name);
  clStatus status = demoShowFit(show);
  if (!status)
    status = demoShowRead(show);
  if (!status)
    status = demoFramesOpen(&shots, *folder ? folder : "/", name, o->image.width, o->image.height,
                            &show->error);
  if (!status)
    status = demoFramesKeep(&shots, o->image.rgb, &show->error);
  if (status)
    demoShowComplain(show, "no screenshot");
  else
    demoShowSay(show, "saved", shots.last);
}

static void stopRecording(demoShow *show) {
  demoPrivate *o = show->own;
  bool was = o->record.open;
  const char *where = *o->record.path ? o->record.path : o->record.frames.folder;
  clError error = {0};
  if (demoRecordClose(&o->record, &error))
    demoShowSay(show, "recording failed:", error.message);
  else if (was)
    demoShowSay(show, "recorded", where);
}

/* A film with a number that is free; without ffmpeg pictures in the folder. What fails is said, and
 * nothing ends. */
static void startRecording(demoShow *show) {
  demoPrivate *o = show->own;
  const char *out = show->options.out;
  bool film = demoRecordIsFilm(out);
  int stem = (int)(film ? strrchr(out, '.') - out : (ptrdiff_t)strlen(out)), number = 0;
  demoFrames folder;
  clStatus status = TEXLA_OK;
  if (!film)
    status = demoFramesOpen(&folder, out, "", 1, 1, &show->error);
  do
    snprintf(o->film, sizeof o->film, "%.*s%s%s-%04d%s", stem, out, film ? "" : "/",
             film ? "" : demoSceneOf(show)->name, number++, film ? out + stem : ".mp4");
  while (access(o->film, F_OK) == 0);
  if (!status)
    status = demoShowStartRecord(show, o->film);
  if (status == TEXLA_UNSUPPORTED && !film) {
    demoShowComplain(show, "");
    status = demoShowStartRecord(show, out);
  }
  if (status)
    demoShowComplain(show, "");
  else
    demoShowSay(show, "recording into", *o->record.path ? o->film : out);
}

static clStatus record(demoShow *show) {
  demoPrivate *o = show->own;
  clStatus status = o->record.open ? demoShowRead(show) : TEXLA_OK;
  if (!status && o->record.open)
    status = demoRecordWrite(&o->record, o->image.rgb, &show->error);
  if (!status)
    return status;
  demoShowComplain(show, "");
  o->record.open = false;
  return TEXLA_OK;
}

/* --- keys --- */

static void pauseWith(demoShow *show, const char *why) {
  demoPrivate *o = show->own;
  o->paused = true;
  snprintf(o->message, sizeof o->message, "%s", why);
}

/* A simulation that is not finite any more is a pause with a message, not an end. */
static clStatus survive(demoShow *show, clStatus status) {
  if (status != TEXLA_NOT_FINITE)
    return status;
  if (!*show->own->message)
    demoShowSay(show, "paused:", txProgramMessage(&show->error));
  pauseWith(show, txProgramMessage(&show->error));
  show->error = (clError){0};
  return TEXLA_OK;
}

/* Starts anew with the obstacles that have been drawn, or, `clear`, without them. A scene that
 * cannot be read leaves what is shown. */
static clStatus restart(demoShow *show, bool clear) {
  demoPrivate *o = show->own;
  size_t n = (size_t)o->nx * (size_t)o->ny;
  clError error;
  if (demoShowReadScene(show)) {
    demoShowComplain(show, "");
    return TEXLA_OK;
  }
  if (clear && show->program->clear)
    show->program->clear(show->self);
  o->own_solid &= !clear;
  uint8_t *drawn = o->own_solid ? malloc(n) : NULL;
  if (drawn)
    memcpy(drawn, show->solid, n);
  o->paused &= !o->over && !*o->message;
  *o->message = 0;
  clStatus status = demoShowStart(show);
  if (!status && drawn && n == (size_t)o->nx * (size_t)o->ny) {
    memcpy(show->solid, drawn, n);
    status = demoCheck(show, demoPaintSolid(o->paint, show->solid));
    if (!status)
      status = show->program->obstacles(show->self);
  }
  free(drawn);
  demoWindowPicture(o->window, o->image.width, o->image.height);
  error = show->error;
  show->error = status ? error : (clError){0};
  return status;
}

/* One that cannot be shown with the options given is left out. */
static clStatus nextScene(demoShow *show) {
  demoPrivate *o = show->own;
  demoOptions *options = &show->options;
  clStatus status = TEXLA_BAD_ARGUMENT;
  stopRecording(show);
  if (show->program->clear)
    show->program->clear(show->self);
  for (int k = 0; k <= MOST_SCENES && (status == TEXLA_BAD_ARGUMENT || status == TEXLA_UNSUPPORTED);
       k++) {
    if (k)
      demoShowComplain(show, demoSceneOf(show)->title);
    options->field = -1;
    options->steps = 0;
    options->dt = 0;
    o->paused = o->own_solid = false;
    *o->message = 0;
    demoShowNextScene(show);
    status = demoShowStart(show);
  }
  demoWindowPicture(o->window, o->image.width, o->image.height);
  return status;
}

static void nextField(demoShow *show) {
  int field = demoField(show) + 1;
  show->options.field = demoShowField(show, field) ? field : 0;
  show->own->range = 0;
  show->own->valued = false;
  demoProbesForget(&show->own->probes);
}

/* A key has nothing to do here. */
static void tellNothing(demoShow *show, const char *why) {
  txFail(&show->error, TEXLA_UNSUPPORTED, "nothing happens", "%s", why);
  demoShowComplain(show, "");
}

static void nextOver(demoShow *show) {
  demoVectors vectors = {0};
  if (show->program->vectors && !show->program->vectors(show->self, &vectors) && vectors.u)
    show->options.over = (show->options.over + 1) % (vectors.closed ? 3 : 2);
  else
    tellNothing(show, "this scene has no vectors for arrows");
}

static void nextCurves(demoShow *show) {
  int next = show->options.curves + 1;
  if (!show->own->curve_groups[1])
    tellNothing(show, "this program has no curves over time; probes (M) plot values");
  show->options.curves = show->own->curve_groups[next] ? next : 0;
}

static clStatus nextColormap(demoShow *show) {
  demoView view = {0};
  clStatus status = show->program->view(show->self, demoField(show), &view);
  show->options.colormap = ((int)demoShowColormap(show, view.colormap) + 1) % TEXLA_COLORMAP_COUNT;
  return status;
}

static void pressSpace(demoPrivate *o) {
  /* what is not finite stays so */
  o->paused = !o->paused || *o->message;
}

/* To a state kept before; what was not finite is finite again. */
static clStatus goBack(demoShow *show) {
  demoPrivate *o = show->own;
  o->paused = true;
  if (!o->keeps)
    tellNothing(show, "no state has been kept yet to go back to");
  if (!o->keeps)
    return TEXLA_OK;
  *o->message = 0;
  return demoShowBack(show);
}

/* What a key switches on and off; NULL: it does something else. */
static bool *switchOf(demoPrivate *o, char key) {
  switch (key) {
  case 'P':
    return &o->panel;
  case 'D':
    return &o->edits;
  case 'I':
    return &o->looks;
  case 'O':
    return &o->square;
  case 'B':
    return &o->no_bar;
  case 'L':
    return &o->lines;
  case 'T':
    return &o->no_text;
  case 'W':
    return &o->fills;
  default:
    return NULL;
  }
}

/* What lies over the picture goes first. */
static void pressEscape(demoPrivate *o) {
  if (!o->panel && !o->edits && !o->help)
    demoWindowLeave(o->window);
  o->panel = o->edits = o->help = false;
}

static clStatus pressKey(demoShow *show, char key) {
  demoPrivate *o = show->own;
  bool *on = switchOf(o, key);
  if (on)
    *on = !*on;
  switch (key) {
  case DEMO_ESCAPE:
    pressEscape(o);
    break;
  case ' ':
    pressSpace(o);
    break;
  case '.':
    o->paused = true;
    return *o->message ? TEXLA_OK : survive(show, demoShowStep(show));
  case '+':
  case '=':
    show->options.steps = 2 * demoSteps(show) <= MOST_STEPS ? 2 * demoSteps(show) : demoSteps(show);
    break;
  case '-':
    show->options.steps = demoSteps(show) > 1 ? demoSteps(show) / 2 : 1;
    break;
  case 'R':
    return restart(show, false);
  case 'X':
    return restart(show, true);
  case ',':
    return goBack(show);
  case 'U':
    if (!o->undos)
      tellNothing(show, "there is nothing to undo; , goes back in time");
    return demoShowUndo(show);
  case 'N':
    return nextScene(show);
  case 'F':
    nextField(show);
    break;
  case 'C':
    return nextColormap(show);
  case 'M':
    o->mode = demoShowMode(show, o->mode + 1) ? o->mode + 1 : 0;
    break;
  case 'A':
    nextOver(show);
    break;
  case 'E':
    nextCurves(show);
    break;
  case 'S':
    /* when what was asked for before is painted */
    o->shoots = true;
    break;
  case 'V':
    if (o->record.open)
      stopRecording(show);
    else
      startRecording(show);
    break;
  case 'H':
    o->help = !o->help;
    if (o->help && !o->common.quiet)
      printf("%s", o->cli.notes);
    break;
  }
  return TEXLA_OK;
}

static clStatus react(demoShow *show, const demoInput *input) {
  clStatus status = TEXLA_OK;
  int done = 0;
  demoShowPointer(show, input);
  /* in the order in which they came */
  for (int k = 0; k < input->keys && !status; done = input->before[k++]) {
    status = demoShowMouse(show, input, done, input->before[k]);
    if (!status)
      status = pressKey(show, input->key[k]);
  }
  if (!status)
    status = demoShowMouse(show, input, done, input->points);
  fflush(stdout);
  return status;
}

/* --- what only a window shows --- */

static void showTitle(const demoShow *show) {
  char title[256];
  const demoPrivate *o = show->own;
  snprintf(title, sizeof title, "%s: %s, %.0f frames/s, time %.2f, %s%s", show->program->name,
           demoSceneOf(show)->title, demoWindowRate(o->window), o->time,
           demoShowField(show, demoField(show)),
           *o->message ? " (not finite any more: R starts anew)"
           : o->paused ? " (paused: space goes on)"
                       : "  (H: help)");
  demoWindowTitle(o->window, title);
}

static void writeHelp(demoShow *show) {
  demoPrivate *o = show->own;
  const int top = 8 + 3 * DEMO_LINE;
  char line[DEMO_KEY_LINE], key[DEMO_KEY_COLUMN + 1];
  int count = 0;
  while (demoShowKeys(show, count, line))
    count++;
  int column = 8 * DEMO_LINE, width = 0;
  for (int k = 0; k < count && demoShowKeys(show, k, line); k++)
    width = (int)fmax(width, demoTextWidth(line + DEMO_KEY_COLUMN));
  demoShade(&o->overlay, 4, top - 6, column + width + 8, top + count * DEMO_LINE + 6);
  for (int k = 0; k < count; k++) {
    demoShowKeys(show, k, line);
    snprintf(key, sizeof key, "%.*s", DEMO_KEY_COLUMN, line);
    demoTextBare(&o->overlay, 10, top + k * DEMO_LINE, key);
    demoTextBare(&o->overlay, column, top + k * DEMO_LINE, line + DEMO_KEY_COLUMN);
  }
}

static void writeHints(demoShow *show) {
  demoPrivate *o = show->own;
  char text[160];
  snprintf(text, sizeof text,
           "H: help  P: panel  left button: %s  brush %.3f  %lld steps each%s  %.0f frames/s",
           o->aslant ? "turn the view" : demoShowMode(show, o->mode), o->brush, (long long)o->made,
           o->record.open ? "  recording" : "", demoWindowRate(o->window));
  if (!o->no_text)
    demoText(&o->overlay, 8, 8 + DEMO_LINE, text);
  if (*o->message) {
    demoText(&o->overlay, 8, o->overlay.height / 2, o->message);
    demoText(&o->overlay, 8, o->overlay.height / 2 + DEMO_LINE, "R starts anew");
  } else if (o->paused && !o->no_text)
    demoText(&o->overlay, 8, o->overlay.height / 2,
             o->over ? "the end: R starts anew" : "paused: space goes on");
  if (demoSeconds() < o->noticed)
    demoText(&o->overlay, 8, 8 + 3 * DEMO_LINE, o->notice);
  if (o->help)
    writeHelp(show);
}

/* The window draws from the texture that holds the picture: nothing is read back. */
static clStatus present(demoShow *show) {
  demoPrivate *o = show->own;
  clVectorView picture;
  int size[2];
  demoWindowSize(o->window, size);
  demoTextDensity(demoWindowDensity(o->window));
  demoFrame field = demoShowFrame(show, size);
  clStatus status = demoShowOverlay(show, size, &field);
  writeHints(show);
  demoShowBrush(show);
  demoTextDensity(1);
  if (!status)
    status = demoCheck(show, clVectorTexture(&picture, demoPaintPicture(o->paint)));
  if (!status)
    status = demoWindowDraw(o->window, &picture, &o->overlay, &show->error);
  if (!status && (o->panel || o->edits))
    status = demoShowPanel(show);
  if (!status)
    demoWindowShow(o->window);
  showTitle(show);
  return status;
}

/* --verbose: what the window cost; read-backs are the solver's and the range's, never the picture's
 * unless it is recorded. */
static void tellFrames(demoShow *show, int64_t shown, double seconds) {
  if (show->own->common.verbose)
    fprintf(stderr, "%s: %lld pictures in the window, %.1f a second, %lld read-backs\n",
            show->program->name, (long long)shown, (double)shown / seconds,
            (long long)clContextStatistics(show->context).readbacks);
}

clStatus demoShowRunWindow(demoShow *show) {
  demoPrivate *o = show->own;
  demoInput input = {0};
  demoWindowPicture(o->window, o->image.width, o->image.height);
  clStatus status = show->options.record ? demoShowStartRecord(show, show->options.out) : TEXLA_OK;
  int64_t shown = 0;
  double begin = demoSeconds();
  for (; !status && (!show->options.frames || shown < show->options.frames) &&
         demoWindowNext(o->window, &input);
       shown++) {
    status = react(show, &input);
    bool runs = !o->paused;
    if (!status && runs)
      status = survive(show, demoShowPicture(show));
    if (!status && runs && !*o->message && shown % KEEP_EVERY == KEEP_EVERY - 1)
      status = demoShowKeep(show);
    o->paused |= o->over;
    if (!status)
      status = demoShowPaint(show);
    if (!status && o->shoots)
      saveScreenshot(show);
    if (!status && runs)
      status = record(show);
    if (!status)
      status = present(show);
  }
  tellFrames(show, shown, demoSeconds() - begin);
  if (!status)
    stopRecording(show);
  return status ? status : demoShowTake(show);
}
