/* Saved states: what of them belongs to the frame, files, and states kept for going back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/error.h"
#include "core/try.h"

clStatus demoStateVector(demoShow *show, demoState *state, const char *name, clVector *vector) {
  clStatus status = TEXLA_OK;
  size_t n = (size_t)clVectorLength(vector);
  float *values = malloc(n * sizeof *values);
  if (!values)
    return demoOutOfMemory(show);
  if (!demoStateLoads(state))
    TRY_CLEANUP(demoCheck(show, clVectorDownload(vector, values)));
  demoStateFloats(state, name, values, n);
  TRY_CLEANUP(demoStateStatus(state));
  if (demoStateLoads(state))
    TRY_CLEANUP(demoCheck(show, clVectorUpload(vector, values)));
cleanup:
  free(values);
  return status;
}

/* The parts of a saved state that belong to the frame; then the program's. */
clStatus demoShowState(demoShow *show, demoState *state) {
  demoPrivate *o = show->own;
  /* instead of an infinite change */
  double unknown = -1;
  double frame[] = {o->time,          o->range,
                    o->energy,        isfinite(o->change) ? o->change : unknown,
                    (double)o->steps, (double)o->frame};
  clStatus placed = demoShowPlaced(show, state);
  demoStateNumbers(state, "frame", frame, 6);
  demoStateCheck(state, "frame", frame, 2, 0, 0x1p53);
  demoStateCheck(state, "frame", frame + 4, 1, 0, 0x1p53);
  demoStateCheck(state, "frame", frame + 5, 1, 0, 1e9);
  double drawn = o->own_solid;
  if (!demoStateLoads(state) || demoStateHas(state, "drawn"))
    demoStateNumbers(state, "drawn", &drawn, 1);
  o->own_solid = drawn != 0;
  double shown = demoField(show);
  if (!demoStateLoads(state) || demoStateHas(state, "shown"))
    demoStateNumbers(state, "shown", &shown, 1);
  if (demoStateLoads(state) && !demoStateStatus(state)) {
    o->time = frame[0];
    o->range = frame[1];
    /* another field has another one */
    if (shown != demoField(show))
      o->range = 0;
    o->energy = frame[2];
    o->change = frame[3];
    if (o->change < 0)
      o->change = INFINITY;
    o->steps = (int64_t)frame[4];
    o->frame = (int64_t)frame[5];
    TRY(demoShowTakeObstacles(show));
  }
  TRY(placed);
  TRY(demoStateStatus(state));
  return show->program->state(show->self, state);
}

clStatus demoShowNow(demoShow *show, demoState **out) {
  demoState *state = NULL;
  TRY(demoStateCreate(&state, &show->error));
  clStatus status = demoShowState(show, state);
  if (status)
    demoStateDestroy(state);
  TRY(status);
  demoStateRewind(state, &show->error);
  *out = state;
  return TEXLA_OK;
}

/* --- files --- */

clStatus demoShowSave(demoShow *show) {
  demoState *state = NULL;
  if (!show->options.save)
    return TEXLA_OK;
  char name[32] = "";
  snprintf(name, sizeof name, "%s", show->program->name);
  TRY(demoStateCreate(&state, &show->error));
  demoStateBytes(state, "program", name, sizeof name);
  demoShowSaveScene(show, state);
  demoShowSaveOptions(show, state);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(demoShowState(show, state));
  TRY_CLEANUP(demoStateWrite(state, show->options.save, &show->error));
  if (!show->own->common.quiet)
    fprintf(demoShowMessages(show), "%s: saved time %.4g in %s\n", show->program->name,
            show->own->time, show->options.save);
cleanup:
  demoStateDestroy(state);
  return status;
}

clStatus demoShowLoad(demoShow *show) {
  demoPrivate *o = show->own;
  if (!show->options.load)
    return TEXLA_OK;
  if (show->options.obstacles)
    return txFail(&show->error, TEXLA_BAD_ARGUMENT, "--load",
                  "%s holds its obstacles: --obstacles cannot replace them", show->options.load);
  TRY(demoStateRead(&o->loaded, show->options.load, &show->error));
  const char *text = demoStateText(o->loaded, "program");
  if (!text)
    text = "?";
  if (strcmp(text, show->program->name) != 0)
    return txFail(&show->error, TEXLA_BAD_FILE, "--load",
                  "%s was saved by the program %s, not by %s", show->options.load, text,
                  show->program->name);
  TRY(demoShowLoadScene(show));
  text = demoStateText(o->loaded, "options");
  if (!text)
    return TEXLA_OK;
  return demoShowTakeOptions(show, show->options.load, text);
}

/* --- going back --- */

void demoShowForget(demoShow *show) {
  while (show->own->keeps > 0)
    demoStateDestroy(show->own->past[--show->own->keeps].state);
}

/* Drops the oldest states while there are too many of them. */
static void makeRoom(demoPrivate *o, size_t size) {
  const size_t most = (size_t)256 << 20;
  size_t room = most / (size + 1) + 1;
  while (o->keeps > 0 && (o->keeps >= DEMO_KEPT || (size_t)o->keeps >= room)) {
    demoStateDestroy(o->past[0].state);
    memmove(o->past, o->past + 1, (size_t)--o->keeps * sizeof *o->past);
  }
}

clStatus demoShowKeep(demoShow *show) {
  demoPrivate *o = show->own;
  demoState *state = NULL;
  if (o->keeps && o->time <= o->past[o->keeps - 1].time)
    return TEXLA_OK;
  TRY(demoShowNow(show, &state));
  makeRoom(o, demoStateSize(state));
  o->past[o->keeps].state = state;
  o->past[o->keeps++].time = o->time;
  return TEXLA_OK;
}

clStatus demoShowBack(demoShow *show) {
  demoPrivate *o = show->own;
  while (o->keeps > 0 && o->past[o->keeps - 1].time >= o->time)
    demoStateDestroy(o->past[--o->keeps].state);
  o->valued = o->over = false;
  if (!o->keeps)
    return TEXLA_OK;
  return demoShowState(show, o->past[o->keeps - 1].state);
}
