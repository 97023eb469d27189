/* What keys and buttons do in a window. */
#include <stdio.h>
#include <stdlib.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"

enum { MOST_STEPS = 256 };

static void pauseWith(demoShow *show, const char *why) {
  demoPrivate *o = show->own;
  o->paused = true;
  snprintf(o->message, sizeof o->message, "%s", why);
}

/* A simulation that is not finite any more is a pause with a message, not an end. */
clStatus demoShowSurvive(demoShow *show, clStatus status) {
  if (status != TEXLA_NOT_FINITE)
    return status;
  if (!*show->own->message)
    demoShowSay(show, "paused:", txProgramMessage(&show->error));
  pauseWith(show, txProgramMessage(&show->error));
  show->error = (clError){0};
  return TEXLA_OK;
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
  demoScene *scene = NULL;
  snprintf(o->notice, sizeof o->notice, "%s ...", o->scene_name);
  if (o->scene >= 0)
    scene = demoShowListScene(show, o->scene);
  if (scene)
    snprintf(o->notice, sizeof o->notice, "%s ...", scene->title);
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
  demoShowEndFilm(show);
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
  if (!demoShowField(show, field))
    field = 0;
  showField(show, field);
}

/* A key has nothing to do here. */
static void tellNothing(demoShow *show, const char *why) {
  txFail(&show->error, TEXLA_UNSUPPORTED, "nothing happens", "%s", why);
  demoShowComplain(show, "");
}

static void nextOver(demoShow *show) {
  demoVectors vectors = {0};
  if (show->program->vectors && !show->program->vectors(show->self, &vectors) && vectors.u)
    show->options.over = (show->options.over + 1) % (2 + vectors.closed);
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
static bool *switchOf(demoShow *show, char key) {
  demoPrivate *o = show->own;
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
    return &show->options.lines;
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

/* Keys that choose how the picture looks. */
static clStatus pressLook(demoShow *show, char key) {
  demoPrivate *o = show->own;
  switch (key) {
  case 'F':
    nextField(show);
    break;
  case 'C':
    return nextColormap(show);
  case 'M':
    o->mode++;
    if (!demoShowMode(show, o->mode))
      o->mode = 0;
    break;
  case 'A':
    nextOver(show);
    break;
  case 'E':
    nextCurves(show);
    break;
  }
  return TEXLA_OK;
}

/* Keys that make files, or texts for others; further ones belong to pressLook. */
static clStatus pressFile(demoShow *show, char key) {
  demoPrivate *o = show->own;
  switch (key) {
  case 'K':
    demoShowWriteCurves(show);
    break;
  case 'Y':
    demoShowCopy(show);
    break;
  case 'S':
    /* when what was asked for before is painted */
    o->shoots = true;
    break;
  case 'V':
    if (o->record.open)
      demoShowEndFilm(show);
    else
      demoShowBeginFilm(show);
    break;
  default:
    return pressLook(show, key);
  }
  return TEXLA_OK;
}

/* Keys of time and of the scene; further ones belong to pressFile. */
static clStatus pressTime(demoShow *show, char key) {
  demoPrivate *o = show->own;
  switch (key) {
  case ' ':
    pressSpace(o);
    break;
  case '.':
    o->paused = true;
    if (!*o->message)
      return demoShowSurvive(show, demoShowStep(show));
    break;
  case '+':
  case '=':
    show->options.steps = demoSteps(show);
    if (2 * demoSteps(show) <= MOST_STEPS)
      show->options.steps *= 2;
    break;
  case '-':
    show->options.steps = txMost64(demoSteps(show) / 2, 1);
    break;
  case ',':
    return goBack(show);
  case 'R':
    return demoShowRestart(show, false);
  case 'X':
    return demoShowRestart(show, true);
  case 'U':
    if (!o->undos)
      tellNothing(show, "there is nothing to undo; , goes back in time");
    return demoShowUndo(show);
  case 'N':
    return nextScene(show, 1);
  default:
    return pressFile(show, key);
  }
  return TEXLA_OK;
}

/* Switches, keys of the window, and all others. */
static clStatus pressKey(demoShow *show, char key) {
  demoPrivate *o = show->own;
  bool *on = switchOf(show, key);
  if (on)
    *on = !*on;
  switch (key) {
  case DEMO_ESCAPE:
    pressEscape(o);
    break;
  case DEMO_FULL:
    demoWindowFull(o->window);
    break;
  case 'H':
    o->help = !o->help;
    if (o->help && !o->common.quiet)
      printf("%s", o->cli.notes);
    break;
  default:
    return pressTime(show, key);
  }
  return TEXLA_OK;
}

/* By its place in the menu; the last one may be a blank one, whose form is shown. */
static clStatus chooseScene(demoShow *show, int place) {
  demoPrivate *o = show->own;
  bool blank = !show->program->scenes[place].name;
  o->scene = place;
  o->panel |= blank;
  if (blank) {
    o->scene = -1;
    TRY(demoShowBlank(show));
  }
  return startChosen(show);
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
    o->dock = (demoDock)(item - groups);
}

/* A button that was pressed, or an item of its menu. */
static clStatus pressButton(demoShow *show) {
  demoPrivate *o = show->own;
  char key = o->clicked;
  o->clicked = 0;
  if (o->tool)
    o->mode = o->tool - 1;
  else if (o->picked < 0)
    return pressKey(show, key);
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

clStatus demoShowReact(demoShow *show, demoInput *input) {
  int done = 0;
  if (show->own->clicked)
    TRY(pressButton(show));
  turnWheel(show, input);
  demoShowPointer(show, input);
  /* in the order in which they came */
  for (int k = 0; k < input->keys; done = input->before[k++]) {
    int scenes = 0;
    TRY(demoShowMouse(show, input, done, input->before[k]));
    while (k + scenes < input->keys && input->key[k + scenes] == 'N')
      scenes++;
    if (scenes)
      TRY(nextScene(show, scenes));
    else
      TRY(pressKey(show, input->key[k]));
    k += txMost(scenes - 1, 0);
  }
  TRY(demoShowMouse(show, input, done, input->points));
  fflush(stdout);
  return TEXLA_OK;
}
