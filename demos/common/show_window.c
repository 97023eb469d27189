/* What happens in a window: keys, mouse, messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/show_private.h"
#include "core/error.h"

enum { MOST_STEPS = 256, KEEP_EVERY = 20 };

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
  if (!status)
    status = demoShowSign(show, shots.last);
  if (status) {
    demoShowComplain(show, "no screenshot");
    return;
  }
  demoShowSay(show, "saved", shots.last);
  demoWindowGive(o->window, shots.last);
}

/* What was written: where, how many pictures, how long they run. */
static void tellRecord(demoShow *show, const demoRecord *r) {
  char text[4300];
  int count = r->frames.count - r->first;
  if (*r->path)
    snprintf(text, sizeof text, "%s: %d pictures, %.1f seconds, %d x %d", r->path, count,
             (double)count / r->rate, r->frames.width, r->frames.height);
  else
    snprintf(text, sizeof text, "%s: %d pictures, %d x %d", r->frames.folder, count,
             r->frames.width, r->frames.height);
  demoShowSay(show, "recorded", text);
  snprintf(show->own->notice, sizeof show->own->notice, "recorded %.1000s", text);
  show->own->noticed = demoSeconds() + 4;
}

static void stopRecording(demoShow *show) {
  demoPrivate *o = show->own;
  bool was = o->record.open;
  clError error = {0};
  if (demoRecordClose(&o->record, &error))
    demoShowSay(show, "recording failed:", error.message);
  else if (was)
    tellRecord(show, &o->record);
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
    status = demoShowStartRecord(show, o->film, true);
  if (status == TEXLA_UNSUPPORTED && !film) {
    demoShowComplain(show, "");
    status = demoShowStartRecord(show, out, true);
  }
  if (status)
    demoShowComplain(show, "");
  else
    demoShowSay(show, "recording into", *o->record.path ? o->film : out);
}

/* The picture goes into the recording, where that wants one. */
static clStatus record(demoShow *show) {
  demoPrivate *o = show->own;
  if (!demoRecordDue(&o->record))
    return TEXLA_OK;
  clStatus status = demoShowRead(show);
  if (!status)
    status = demoRecordWrite(&o->record, o->image.rgb, &show->error);
  if (!status)
    return TEXLA_OK;
  demoShowComplain(show, "");
  demoRecordClose(&o->record, NULL);
  return TEXLA_OK;
}

/* Beside the screenshots. */
static void keepCurves(demoShow *show) {
  char path[4400];
  if (demoShowKeepCurves(show, path, sizeof path)) {
    demoShowComplain(show, "no curves");
    return;
  }
  demoShowSay(show, "saved", path);
  demoWindowGive(show->own->window, path);
}

static void copyCommand(demoShow *show) {
  char text[8192];
  if (demoShowCommand(show, text, sizeof text)) {
    demoShowComplain(show, "");
    return;
  }
  demoWindowCopy(show->own->window, text);
  demoShowSay(show, "copied:", text);
  snprintf(show->own->notice, sizeof show->own->notice, "copied: %.1100s", text);
  show->own->noticed = demoSeconds() + 4;
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
  size_t n = demoShowObstacleBytes(show);
  clError error;
  if (demoShowReadScene(show)) {
    demoShowComplain(show, "");
    return TEXLA_OK;
  }
  if (clear && show->program->clear)
    show->program->clear(show->self);
  o->own_solid &= !clear;
  float *drawn = o->own_solid ? malloc(n) : NULL;
  if (drawn)
    memcpy(drawn, show->walls, n);
  o->paused &= !o->over && !*o->message;
  *o->message = 0;
  clStatus status = demoShowStart(show);
  if (!status && drawn && n == demoShowObstacleBytes(show)) {
    memcpy(show->walls, drawn, n);
    status = demoShowTakeObstacles(show);
  }
  free(drawn);
  demoWindowPicture(o->window, o->image.width, o->image.height);
  error = show->error;
  show->error = status ? error : (clError){0};
  return status;
}

/* What belongs to the scene that ran: the next one begins with its own. */
static void forgetChoices(demoShow *show) {
  demoPrivate *o = show->own;
  demoOptions *options = &show->options;
  options->field = -1;
  options->steps = 0;
  options->dt = 0;
  o->paused = o->own_solid = false;
  *o->message = 0;
}

/* The start of a scene takes a while: what comes is said before that, over what is still shown. */
static clStatus announce(demoShow *show) {
  demoPrivate *o = show->own;
  demoScene *scene = o->scene < 0 ? NULL : demoShowListScene(show, o->scene);
  snprintf(o->notice, sizeof o->notice, "%s ...", scene ? scene->title : o->scene_name);
  free(scene);
  o->noticed = demoSeconds() + 1;
  clStatus status = demoShowPresent(show);
  o->noticed = 0;
  return status;
}

/* The scene that has been chosen is started; in place of one that cannot be shown with the options
 * given, the next one is. */
static clStatus startChosen(demoShow *show) {
  demoPrivate *o = show->own;
  stopRecording(show);
  if (show->program->clear)
    show->program->clear(show->self);
  forgetChoices(show);
  clStatus status = announce(show);
  if (!status)
    status = demoShowStart(show);
  for (int k = 0; k < DEMO_MOST_SCENES; k++) {
    if (status != TEXLA_BAD_ARGUMENT && status != TEXLA_UNSUPPORTED)
      break;
    demoShowComplain(show, demoSceneOf(show)->title);
    forgetChoices(show);
    demoShowNextScene(show);
    status = demoShowStart(show);
  }
  demoWindowPicture(o->window, o->image.width, o->image.height);
  return status;
}

/* So many scenes on; only the last of them is started. */
static clStatus nextScene(demoShow *show, int count) {
  for (int k = 0; k < count; k++)
    demoShowNextScene(show);
  return startChosen(show);
}

static void showField(demoShow *show, int field) {
  show->options.field = field;
  show->own->range = 0;
  show->own->valued = false;
  demoProbesForget(&show->own->probes);
}

static void nextField(demoShow *show) {
  int field = demoField(show) + 1;
  showField(show, demoShowField(show, field) ? field : 0);
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

/* Groups of curves that have nothing to tell are left out. */
static void nextCurves(demoShow *show) {
  int next = show->options.curves + 1;
  if (!show->own->curve_groups[1])
    tellNothing(show, "this program has no curves over time; probes (M) plot values");
  while (show->own->curve_groups[next] && !demoShowHasCurves(show, next))
    next++;
  show->options.curves = 0;
  if (show->own->curve_groups[next])
    show->options.curves = next;
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
  case DEMO_TAB:
    return &o->no_buttons;
  default:
    return NULL;
  }
}

/* What lies over the picture goes first. */
static void pressEscape(demoPrivate *o) {
  if (demoWindowCloseMenu(o->window))
    return;
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
  case DEMO_FULL:
    demoWindowFull(o->window);
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
    return nextScene(show, 1);
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
  case 'K':
    keepCurves(show);
    break;
  case 'Y':
    copyCommand(show);
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

/* By its place in the menu; the last one may be a blank one, whose form is shown. */
static clStatus chooseScene(demoShow *show, int place) {
  demoPrivate *o = show->own;
  bool blank = !show->program->scenes[place].name;
  clStatus status = TEXLA_OK;
  o->scene = place;
  if (blank)
    o->scene = -1;
  if (blank)
    status = demoShowBlank(show);
  o->panel |= blank;
  return status ? status : startChosen(show);
}

/* A group of curves, or, behind these, where plots stand. */
static void chooseCurves(demoShow *show, int item) {
  demoPrivate *o = show->own;
  int groups = 0;
  while (o->curve_groups[groups])
    groups++;
  if (item < groups)
    show->options.curves = item;
  else
    o->plots_right = item > groups;
}

/* A button that was pressed, or an item of its menu. */
static clStatus pressButton(demoShow *show) {
  demoPrivate *o = show->own;
  char key = o->clicked;
  o->clicked = 0;
  if (o->tool)
    o->mode = o->tool - 1;
  else if (o->picked < 0)
    return key ? pressKey(show, key) : TEXLA_OK;
  else if (key == 'F')
    showField(show, o->picked);
  else if (key == 'C')
    show->options.colormap = o->picked;
  else if (key == 'E')
    chooseCurves(show, o->picked);
  else if (key == 'N')
    return chooseScene(show, o->picked);
  return TEXLA_OK;
}

/* The wheel sizes the brush, or moves the help. */
static void turnWheel(demoShow *show, demoInput *input) {
  demoPrivate *o = show->own;
  if (!o->help)
    return;
  o->help_line -= (int)(3 * input->wheel);
  input->wheel = 0;
}

static clStatus react(demoShow *show, demoInput *input) {
  clStatus status = show->own->clicked ? pressButton(show) : TEXLA_OK;
  int done = 0;
  turnWheel(show, input);
  demoShowPointer(show, input);
  /* in the order in which they came */
  for (int k = 0; k < input->keys && !status; done = input->before[k++]) {
    int more = 0;
    status = demoShowMouse(show, input, done, input->before[k]);
    while (input->key[k] == 'N' && k + more + 1 < input->keys && input->key[k + more + 1] == 'N')
      more++;
    if (!status)
      status = more ? nextScene(show, more + 1) : pressKey(show, input->key[k]);
    k += more;
  }
  if (!status)
    status = demoShowMouse(show, input, done, input->points);
  fflush(stdout);
  return status;
}

/* --verbose: what the window cost; read-backs are the solver's and the range's, never the picture's
 * unless it is recorded. */
static void tellFrames(demoShow *show, int64_t shown, double seconds) {
  if (show->own->common.verbose)
    fprintf(stderr,
            "%s: %lld pictures in the window, %.1f a second, the first one after %.2f s, %lld "
            "read-backs\n",
            show->program->name, (long long)shown, (double)shown / seconds, show->own->first_shown,
            (long long)clContextStatistics(show->context).readbacks);
}

/* The scene as it begins, before the shaders of its steps are compiled. It is no picture of the
 * run: what is recorded is the same with it and without. */
static clStatus showBeginning(demoShow *show) {
  demoPrivate *o = show->own;
  demoWindowPicture(o->window, o->image.width, o->image.height);
  clStatus status = demoShowPaint(show);
  if (!status)
    status = demoShowPresent(show);
  o->range = 0;
  if (o->first_shown == 0)
    o->first_shown = demoSeconds() - o->began;
  return status;
}

/* --- --bench-window --- */

/* A touch in the middle now and then, as a mouse makes it just after a picture has been shown. */
static void touchSometimes(demoShow *show, demoInput *input, int64_t shown) {
  const int every = 10;
  demoPrivate *o = show->own;
  if (!o->bench || shown % every != 0 || input->points)
    return;
  input->points = 1;
  input->point[0].x = input->point[0].y = 0.5;
  input->point[0].first = true;
  input->point[0].right = false;
  o->touched = o->last_shown;
}

static void takeAnswer(demoPrivate *o) {
  o->last_shown = demoSeconds();
  if (o->touched <= 0)
    return;
  double seconds = o->last_shown - o->touched;
  o->answered += seconds;
  o->slowest = fmax(o->slowest, seconds);
  o->touches++;
  o->touched = 0;
}

static void tellBench(const demoShow *show, int64_t shown, double seconds) {
  const demoPrivate *o = show->own;
  if (!o->bench || shown < 1)
    return;
  double answer = o->touches ? o->answered / o->touches : 0;
  printf("%s: %s, %d x %d: window %.2f s, first picture %.2f s, %.1f pictures a second, mouse to "
         "picture %.0f ms (at most %.0f)\n",
         show->program->name, demoSceneOf(show)->name, o->nx, o->ny, o->opened, o->first_shown,
         (double)shown / seconds, 1e3 * answer, 1e3 * o->slowest);
}

/* --- the run --- */

/* What a picture has taken that began then. A browser's device works on after it: there it is the
 * time between two. */
static double secondsOf(demoPrivate *o, double begin) {
  double seconds = demoSeconds() - begin, between = begin - o->looked;
  o->looked = begin;
  return demoPanelApart() ? fmax(seconds, between) : seconds;
}

/* One look at what the user does, one picture. */
static clStatus runOnce(demoShow *show, demoInput *input, int64_t shown) {
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  touchSometimes(show, input, shown);
  clStatus status = react(show, input);
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
  /* a film shows the pause, too, and what is done in it */
  if (!status && (runs || o->record.feed))
    status = record(show);
  if (!status)
    status = demoShowPresent(show);
  takeAnswer(o);
  bool quiet = runs && !o->record.open && !o->own_solid && !input->keys && !o->panel && !o->edits;
  double seconds = secondsOf(o, begin);
  if (!status && quiet && demoShowTimed(show, seconds))
    status = restart(show, false);
  return status;
}

/* The pictures that have been shown, and how it goes. */
typedef struct Run {
  demoShow *show;
  demoInput input;
  int64_t shown, most;
  double begin;
  clStatus status;
  int (*end)(demoShow *show, clStatus status);
} Run;

/* The loop's body, for the desktop and the browser alike. */
static bool nextPicture(void *user) {
  Run *run = user;
  if (run->status || (run->most && run->shown >= run->most) ||
      !demoWindowNext(run->show->own->window, &run->input))
    return false;
  run->status = runOnce(run->show, &run->input, run->shown++);
  return !run->status;
}

static int endRun(void *user) {
  Run *run = user;
  double seconds = demoSeconds() - run->begin;
  tellFrames(run->show, run->shown, seconds);
  tellBench(run->show, run->shown, seconds);
  if (!run->status)
    stopRecording(run->show);
  if (!run->status)
    run->status = demoShowTake(run->show);
  return run->end(run->show, run->status);
}

int demoShowRunWindow(demoShow *show, int (*end)(demoShow *show, clStatus status)) {
  demoPrivate *o = show->own;
  Run run = {.show = show, .most = o->bench ? o->bench : show->options.frames, .end = end};
  run.status = showBeginning(show);
  if (!run.status && show->options.record)
    run.status = demoShowStartRecord(show, show->options.out, false);
  run.begin = demoSeconds();
  return demoWindowRun(o->window, nextPicture, endRun, &run);
}
