/* What the mouse does in a window: it pushes, draws obstacles, places probes and a line. */
#include <math.h>
#include <string.h>

#include "common/show_private.h"

/* --- the left button --- */

enum { OWN_MODES = 4, MOVE = 2, DRAW = 3 };

/* The program's modes, then those of the frame. */
static int countModes(const demoShow *show) {
  int count = 0;
  while (show->program->modes && show->program->modes[count])
    count++;
  return count ? count : 1;
}

const char *demoShowMode(const demoShow *show, int mode) {
  static const char *const own[OWN_MODES] = {"place or remove a probe", "plot along a line",
                                             "move an obstacle", "draw an obstacle, or erase"};
  int count = countModes(show);
  if (mode < count)
    return show->program->modes ? show->program->modes[mode] : "as H says";
  return mode < count + OWN_MODES ? own[mode - count] : NULL;
}

static void probe(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  const double near = 0.02, place[2] = {x * o->nx / o->ny, y};
  if (o->mode == countModes(show)) {
    if (first)
      demoProbesToggle(&o->probes, place[0], place[1], near);
    return;
  }
  o->probes.lined = !first;
  memcpy(o->probes.line[1], place, sizeof place);
  if (first)
    memcpy(o->probes.line[0], place, sizeof place);
}

/* The left button, or a finger. *drew <- obstacles have changed. */
static clStatus touch(demoShow *show, double x, double y, bool first, int finger, bool *drew) {
  demoPrivate *o = show->own;
  if (o->mode == countModes(show) + MOVE && !o->aslant) {
    *drew |= show->program->erase_help && demoShowMove(show, x * o->nx, y * o->ny, first);
    return TEXLA_OK;
  }
  if (o->mode == countModes(show) + DRAW && !o->aslant) {
    *drew |= show->program->erase_help && demoShowDraw(show, x * o->nx, y * o->ny, first);
    return TEXLA_OK;
  }
  if (o->mode >= countModes(show) && !o->aslant) {
    probe(show, x, y, first);
    return TEXLA_OK;
  }
  if (first && o->mode > 0 && !o->aslant && show->program->placed)
    demoShowKeepPlaced(show);
  o->valued = false;
  demoTouch t = {.x = x,
                 .y = y,
                 .dx = first ? 0 : x - o->x[finger],
                 .dy = first ? 0 : y - o->y[finger],
                 first,
                 o->brush,
                 o->mode};
  o->x[finger] = x;
  o->y[finger] = y;
  return show->program->touch ? show->program->touch(show->self, &t) : TEXLA_OK;
}

/* What is drawn is seen at once; the simulation, which may have to set up its solver anew, takes it
 * after the drag, or at times during it. */
static clStatus takeObstacles(demoShow *show, bool drew) {
  /* of the time */
  const double share = 0.25;
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  clStatus status =
      drew ? demoCheck(show, demoPaintSolid(o->paint, show->solid, show->walls)) : TEXLA_OK;
  o->drawn |= drew;
  if (status || !o->drawn || (drew && begin < o->taken))
    return status;
  o->drawn = false;
  status = show->program->obstacles(show->self);
  o->taken = demoSeconds() + (demoSeconds() - begin) / share;
  return status;
}

clStatus demoShowTake(demoShow *show) {
  return takeObstacles(show, false);
}

clStatus demoShowUndo(demoShow *show) {
  demoPrivate *o = show->own;
  if (!o->undos)
    return TEXLA_OK;
  clStatus status = demoShowPlaced(show, o->undo[--o->undos]);
  demoStateDestroy(o->undo[o->undos]);
  o->taken = 0;
  if (!status)
    status = takeObstacles(show, true);
  return status ? status : takeObstacles(show, false);
}

void demoShowBrush(demoShow *show) {
  static const uint8_t ink[] = {255, 255, 255};
  enum { DOTS = 48 };
  demoPrivate *o = show->own;
  int at[2];
  if (!o->inside || o->aslant)
    return;
  for (int k = 0; k < DOTS; k++) {
    double angle = 6.283185307179586 * (k + 0.5) / DOTS, c = cos(angle), s = sin(angle);
    double r = o->square ? o->brush / fmax(fabs(c), fabs(s)) : o->brush;
    demoPlace(&o->overlay, o->cursor[0] + r * c, o->cursor[1] + r * s, at);
    demoShade(&o->overlay, at[0] - 1, at[1] - 1, at[0] + 2, at[1] + 2);
    demoFill(&o->overlay, at[0], at[1], at[0] + 1, at[1] + 1, ink);
  }
}

void demoShowPointer(demoShow *show, const demoInput *input) {
  demoPrivate *o = show->own;
  o->inside = input->inside;
  o->cursor[0] = input->cursor[0] * o->nx / o->ny;
  o->cursor[1] = input->cursor[1];
  o->brush = fmin(fmax(o->brush * pow(1.15, input->wheel), 1.5 / o->ny), 0.25);
}

clStatus demoShowMouse(demoShow *show, const demoInput *input, int from, int to) {
  demoPrivate *o = show->own;
  clStatus status = TEXLA_OK;
  bool drew = false;
  for (int k = from; k < to && !status; k++) {
    double x = input->point[k].x, y = input->point[k].y;
    if (!input->point[k].right)
      status = touch(show, x, y, input->point[k].first, input->point[k].finger, &drew);
    else if (show->program->erase_help && !o->aslant)
      drew |= demoShowDraw(show, x * o->nx, y * o->ny, input->point[k].first);
  }
  return status ? status : takeObstacles(show, drew);
}
