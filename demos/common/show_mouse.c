/* What the mouse does in a window: it pushes, draws obstacles, places probes and a line. */
#include <math.h>
#include <string.h>

#include "common/show_private.h"
#include "core/numbers.h"
#include "core/try.h"

/* --- the left button --- */

enum { OWN_MODES = 4, MOVE = 2, DRAW = 3 };

/* The program's modes, then those of the frame. */
static int countModes(const demoShow *show) {
  int count = 0;
  while (show->program->modes && show->program->modes[count])
    count++;
  return txMost(count, 1);
}

const char *demoShowMode(const demoShow *show, int mode) {
  static const char *const own[OWN_MODES] = {"place or remove a probe", "plot along a line",
                                             "move an obstacle", "draw an obstacle, or erase"};
  int count = countModes(show);
  if (mode < count && show->program->modes)
    return show->program->modes[mode];
  if (mode < count)
    return "as H says";
  if (mode >= count + OWN_MODES)
    return NULL;
  return own[mode - count];
}

static void probe(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  const double near = 0.02;
  /* to the digits that a text has */
  const double place[2] = {demoStrokeRounded(x * o->nx / o->ny), demoStrokeRounded(y)};
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

/* Does the mode draw what becomes a part of the scene's text? */
static bool paints(const demoShow *show) {
  const demoPrivate *o = show->own;
  const demoProgram *program = show->program;
  return program->paints && o->mode < countModes(show) && program->paints[o->mode] &&
         !(program->paints_start && o->steps > 0);
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
  o->valued = false;
  if (paints(show) && !o->aslant) {
    *drew = true;
    return demoShowDab(show, x, y, first);
  }
  if (first && o->mode > 0 && !o->aslant && show->program->placed)
    demoShowKeepPlaced(show);
  demoTouch t = {.x = x, .y = y, .first = first, .brush = o->brush, .mode = o->mode};
  if (!first) {
    t.dx = x - o->x[finger];
    t.dy = y - o->y[finger];
  }
  o->x[finger] = x;
  o->y[finger] = y;
  if (!show->program->touch)
    return TEXLA_OK;
  return show->program->touch(show->self, &t);
}

/* What is drawn is seen at once; the simulation, which may have to set up its solver anew, takes it
 * after the drag, or at times during it. */
static clStatus takeObstacles(demoShow *show, bool drew) {
  /* of the time */
  const double share = 0.25;
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  o->drawn |= drew;
  if (drew)
    TRY(demoCheck(show, demoPaintSolid(o->paint, show->solid, show->walls)));
  if (!o->drawn || (drew && begin < o->taken))
    return TEXLA_OK;
  o->drawn = false;
  clStatus status = show->program->obstacles(show->self);
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
  TRY(status);
  TRY(takeObstacles(show, true));
  return takeObstacles(show, false);
}

void demoShowBrush(demoShow *show) {
  static const uint8_t ink[] = {255, 255, 255};
  enum { DOTS = 48 };
  demoPrivate *o = show->own;
  int at[2];
  if (!o->inside || o->aslant)
    return;
  for (int k = 0; k < DOTS; k++) {
    double angle = 6.283185307179586 * (k + 0.5) / (double)DOTS, c = cos(angle), s = sin(angle);
    double r = o->brush;
    if (o->square)
      r /= fmax(fabs(c), fabs(s));
    demoPlace(&o->overlay, o->cursor[0] + r * c, o->cursor[1] + r * s, at);
    demoShade(&o->overlay, at[0] - 1, at[1] - 1, at[0] + 2, at[1] + 2);
    demoFill(&o->overlay, at[0], at[1], at[0] + 1, at[1] + 1, ink);
  }
}

static bool isWithin(const demoArea *area, const double place[2]) {
  return place[0] >= area->left && place[0] < area->right && place[1] >= area->top &&
         place[1] < area->bottom;
}

static void takePlots(demoPrivate *o, const demoInput *input) {
  const demoArea *a = &o->overlay.plots;
  o->moves_plots = input->drag && isWithin(a, input->from);
  o->grip_plots[0] = 0.5 * (a->left + a->right) - input->from[0];
  o->grip_plots[1] = 0.5 * (a->top + a->bottom) - input->from[1];
  /* what stood at an edge is held in its middle */
  if (o->dock != DEMO_FLOATING)
    o->grip_plots[0] = o->grip_plots[1] = 0;
}

/* Plots stand where they are dragged: at an edge of the window that is near, otherwise over the
 * picture. */
static void movePlots(demoPrivate *o, const demoInput *input) {
  const double near = 0.12;
  double x = input->to[0] / o->overlay.width, y = input->to[1] / o->overlay.height;
  const double away[] = {
      [DEMO_BELOW] = 1 - y, [DEMO_RIGHT] = 1 - x, [DEMO_ABOVE] = y, [DEMO_LEFT] = x};
  if (input->drag != o->drag)
    takePlots(o, input);
  o->drag = input->drag;
  if (!o->moves_plots || !input->drag)
    return;
  demoDock nearest = DEMO_BELOW;
  for (demoDock dock = DEMO_BELOW; dock < DEMO_FLOATING; dock++)
    if (away[dock] < away[nearest])
      nearest = dock;
  if (away[nearest] > near)
    nearest = DEMO_FLOATING;
  o->dock = nearest;
  o->plots_middle[0] = fmin(fmax(x + o->grip_plots[0] / o->overlay.width, 0), 1);
  o->plots_middle[1] = fmin(fmax(y + o->grip_plots[1] / o->overlay.height, 0), 1);
}

void demoShowPointer(demoShow *show, const demoInput *input) {
  demoPrivate *o = show->own;
  movePlots(o, input);
  o->inside = input->inside;
  o->cursor[0] = input->cursor[0] * o->nx / o->ny;
  o->cursor[1] = input->cursor[1];
  o->brush = fmin(fmax(o->brush * pow(1.15, input->wheel), 1.5 / o->ny), 0.25);
}

clStatus demoShowMouse(demoShow *show, const demoInput *input, int from, int to) {
  demoPrivate *o = show->own;
  bool drew = false;
  for (int k = from; k < to; k++) {
    double x = input->point[k].x, y = input->point[k].y;
    if (!input->point[k].right)
      TRY(touch(show, x, y, input->point[k].first, input->point[k].finger, &drew));
    else if (show->program->erase_help && !o->aslant)
      drew |= demoShowDraw(show, x * o->nx, y * o->ny, input->point[k].first);
  }
  return takeObstacles(show, drew);
}
