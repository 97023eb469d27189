/* What the mouse does in a window: it pushes, draws obstacles, places probes and a line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"

/* How far (x, y) is from the way between two places; measured as a square does, by the longer of both axes, or as a disc does. */
static double distanceFrom(double x, double y, const double from[2], const double to[2], bool square) {
  double dx = to[0] - from[0], dy = to[1] - from[1], length = dx * dx + dy * dy;
  double t = length > 0 ? ((x - from[0]) * dx + (y - from[1]) * dy) / length : 0;
  t = fmin(fmax(t, 0), 1);
  double a = fabs(x - from[0] - t * dx), b = fabs(y - from[1] - t * dy);
  return square ? fmax(a, b) : hypot(a, b);
}

/* What is drawn can be taken back, the last strokes first. */
static void keepForUndo(demoShow *show) {
  demoPrivate *o = show->own;
  size_t n = (size_t)o->nx * (size_t)o->ny;
  if (o->undos == DEMO_UNDO) {
    free(o->undo[0]);
    memmove(o->undo, o->undo + 1, (size_t)--o->undos * sizeof *o->undo);
  }
  uint8_t *copy = malloc(n);
  if (!copy)
    return;
  memcpy(copy, show->solid, n);
  o->undo[o->undos++] = copy;
}

/* Draws or erases a stroke from the last place on (all lengths in cells); true when something changed. */
static bool drawObstacle(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  double radius = o->brush * o->ny, to[2] = {x, y};
  bool changed = false;
  int i = (int)fmin(x, o->nx - 1), j = (int)fmin(y, o->ny - 1);
  if (first) {
    keepForUndo(show);
    o->own_solid = true;
    o->erases = show->solid[j * o->nx + i];
    memcpy(o->stroke, to, sizeof to);
  }
  for (int k = 0; k < o->nx * o->ny; k++)
    if (distanceFrom(k % o->nx + 0.5, k / o->nx + 0.5, o->stroke, to, o->square) < radius &&
        show->solid[k] == o->erases) {
      show->solid[k] = !o->erases;
      changed = true;
    }
  memcpy(o->stroke, to, sizeof to);
  return changed;
}

/* --- the left button --- */

enum { OWN_MODES = 2 };

/* The program's modes, then two of the frame. */
static int countModes(const demoShow *show) {
  int count = 0;
  while (show->program->modes && show->program->modes[count])
    count++;
  return count ? count : 1;
}

const char *demoShowMode(const demoShow *show, int mode) {
  static const char *const own[OWN_MODES] = {"place or remove a probe", "plot along a line"};
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

static clStatus touch(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  if (o->mode >= countModes(show)) {
    probe(show, x, y, first);
    return TEXLA_OK;
  }
  o->valued = false;
  demoTouch t = {.x = x, .y = y, .dx = first ? 0 : x - o->x, .dy = first ? 0 : y - o->y, first, o->brush, o->mode};
  o->x = x;
  o->y = y;
  return show->program->touch ? show->program->touch(show->self, &t) : TEXLA_OK;
}

/* What is drawn is seen at once; the simulation, which may have to set up its solver anew, takes it after the drag, or at
 * times during it. */
static clStatus takeObstacles(demoShow *show, bool drew) {
  const double share = 0.25; /* of the time */
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  clStatus status = drew ? demoCheck(show, demoPaintSolid(o->paint, show->solid)) : TEXLA_OK;
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
  memcpy(show->solid, o->undo[--o->undos], (size_t)o->nx * (size_t)o->ny);
  free(o->undo[o->undos]);
  o->taken = 0;
  clStatus status = takeObstacles(show, true);
  return status ? status : takeObstacles(show, false);
}

void demoShowBrush(demoShow *show) {
  static const uint8_t ink[] = {255, 255, 255};
  enum { DOTS = 48 };
  demoPrivate *o = show->own;
  double height = o->image.height, radius = o->brush * height;
  if (!o->inside)
    return;
  for (int k = 0; k < DOTS; k++) {
    double angle = 6.283185307179586 * (k + 0.5) / DOTS, c = cos(angle), s = sin(angle);
    double r = o->square ? radius / fmax(fabs(c), fabs(s)) : radius;
    int x = (int)(o->cursor[0] * height + r * c), y = (int)((1 - o->cursor[1]) * height + r * s);
    demoShade(&o->overlay, x - 1, y - 1, x + 2, y + 2);
    demoFill(&o->overlay, x, y, x + 1, y + 1, ink);
  }
}

clStatus demoShowMouse(demoShow *show, const demoInput *input) {
  demoPrivate *o = show->own;
  clStatus status = TEXLA_OK;
  bool drew = false;
  o->inside = input->inside;
  o->cursor[0] = input->cursor[0] * o->nx / o->ny;
  o->cursor[1] = input->cursor[1];
  o->brush = fmin(fmax(o->brush * pow(1.15, input->wheel), 1.5 / o->ny), 0.25);
  for (int k = 0; k < input->points && !status; k++) {
    double x = input->point[k].x, y = input->point[k].y;
    if (!input->point[k].right)
      status = touch(show, x, y, input->point[k].first);
    else if (show->program->erase_help)
      drew |= drawObstacle(show, x * o->nx, y * o->ny, input->point[k].first);
  }
  if (!status)
    status = takeObstacles(show, drew);
  return status;
}
