/* What is changed while a window is open: the simulation starts anew, and goes on from where it was
 * as far as that fits. */
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/try.h"

/* A scene that has just begun goes on from that state, where it fits; obstacles and what is placed
 * are those of its text and of what has been drawn, but where an old state has not told how. */
static clStatus goOn(demoShow *show, demoState *state) {
  demoPrivate *o = show->own;
  demoState *placed = NULL;
  clStatus status = TEXLA_OK;
  if (!o->own_solid || o->strokes)
    TRY(demoShowPlacedNow(show, &placed));
  if (demoShowState(show, state)) {
    show->error = (clError){0};
    status = demoShowStart(show);
  } else if (placed) {
    TRY_CLEANUP(demoShowPlaced(show, placed));
    TRY_CLEANUP(demoShowTakeObstacles(show));
  }
cleanup:
  demoStateDestroy(placed);
  return status;
}

/* Starts anew, then goes on from that state. `go_on` false: from the beginning. */
static clStatus startWith(demoShow *show, demoState *state, bool go_on) {
  demoPrivate *o = show->own;
  /* what is not finite stays so */
  go_on &= !*o->message;
  clStatus status = demoShowStart(show);
  if (!status && go_on)
    status = goOn(show, state);
  demoWindowPicture(o->window, o->image.width, o->image.height);
  o->paused &= !*o->message;
  *o->message = 0;
  return status;
}

static clStatus apply(demoShow *show, const txOption *option, const void *old) {
  demoState *state = NULL;
  clStatus status = demoShowNow(show, &state);
  if (!status)
    status = startWith(show, state, true);
  if (status && state) {
    demoShowComplain(show, option->name);
    memcpy(option->target, old, demoShowOptionSize(option));
    status = startWith(show, state, true);
  }
  demoStateDestroy(state);
  return status;
}

clStatus demoShowChange(demoShow *show, const txOption *option, const void *old) {
  demoPrivate *o = show->own;
  for (int k = 0; o->table[k].name; k++)
    o->given[k] |= option == &o->table[k];
  o->range = 0;
  o->valued = false;
  if (option->target == &show->options.field)
    demoProbesForget(&o->probes);
  const void *const seen[] = {&show->options.field,      &show->options.colormap,
                              &show->options.steps,      &show->options.over,
                              &show->options.curves,     &show->options.camera.azimuth,
                              &show->options.camera.tilt};
  bool only = false;
  for (int k = 0; k < 7; k++)
    only |= option->target == seen[k];
  if (only)
    return TEXLA_OK;
  return apply(show, option, old);
}

/* Starts anew with the obstacles that have been drawn, or, `clear`, without them. A scene that
 * cannot be read leaves what is shown. */
clStatus demoShowRestart(demoShow *show, bool clear) {
  demoPrivate *o = show->own;
  if (demoShowReadScene(show)) {
    demoShowComplain(show, "");
    return TEXLA_OK;
  }
  if (clear && show->program->clear)
    show->program->clear(show->self);
  o->own_solid &= !clear;
  o->paused &= !o->over && !*o->message;
  *o->message = 0;
  clStatus status = demoShowStart(show);
  demoWindowPicture(o->window, o->image.width, o->image.height);
  if (!status)
    show->error = (clError){0};
  return status;
}

/* --- the scene's text --- */

static void complainOfText(demoShow *show) {
  demoPrivate *o = show->own;
  snprintf(o->complaint, sizeof o->complaint, "%s", show->error.message);
  demoShowComplain(show, "");
}

clStatus demoShowRunText(demoShow *show, const char *text, bool go_on) {
  demoPrivate *o = show->own;
  char *before = strdup(demoShowSceneText(show));
  demoState *state = NULL;
  clStatus status = TEXLA_OK;
  if (!before)
    return demoOutOfMemory(show);
  TRY_CLEANUP(demoShowNow(show, &state));
  *o->complaint = 0;
  if (demoShowTypeScene(show, text)) {
    complainOfText(show);
  } else if (startWith(show, state, go_on)) {
    o->wrong[1] = 0;
    complainOfText(show);
    TRY_CLEANUP(demoShowTypeScene(show, before));
    TRY_CLEANUP(startWith(show, state, true));
  } else {
    o->edited = false;
    demoShowSay(show, "runs", "what was typed");
  }
cleanup:
  demoStateDestroy(state);
  free(before);
  return status;
}
