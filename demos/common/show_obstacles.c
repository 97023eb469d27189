/* Obstacles that are drawn, moved, and taken back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"

/* --- undo --- */

clStatus demoShowPlaced(demoShow *show, demoState *state) {
  const demoPrivate *o = show->own;
  demoStateBytes(state, "solid", show->solid, (size_t)o->nx * (size_t)o->ny);
  clStatus status = demoStateStatus(state);
  return status || !show->program->placed ? status : show->program->placed(show->self, state);
}

/* What cannot be kept cannot be taken back, and nothing else happens. */
void demoShowKeepPlaced(demoShow *show) {
  demoPrivate *o = show->own;
  demoState *state = NULL;
  if (demoStateCreate(&state, &show->error))
    return;
  if (demoShowPlaced(show, state)) {
    demoStateDestroy(state);
    return;
  }
  demoStateRewind(state, &show->error);
  if (o->undos == DEMO_UNDO) {
    demoStateDestroy(o->undo[0]);
    memmove(o->undo, o->undo + 1, (size_t)--o->undos * sizeof *o->undo);
  }
  o->undo[o->undos++] = state;
}

void demoShowForgetUndo(demoShow *show) {
  demoPrivate *o = show->own;
  while (o->undos > 0)
    demoStateDestroy(o->undo[--o->undos]);
}

/* --- drawing --- */

/* How far (x, y) is from the way between two places; measured as a square does, by the longer of
 * both axes, or as a disc does. */
static double distanceFrom(double x, double y, const double from[2], const double to[2],
                           bool square) {
  double dx = to[0] - from[0], dy = to[1] - from[1], length = dx * dx + dy * dy;
  double t = length > 0 ? ((x - from[0]) * dx + (y - from[1]) * dy) / length : 0;
  t = fmin(fmax(t, 0), 1);
  double a = fabs(x - from[0] - t * dx), b = fabs(y - from[1] - t * dy);
  return square ? fmax(a, b) : hypot(a, b);
}

bool demoShowDraw(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  double radius = o->brush * o->ny, to[2] = {x, y};
  bool changed = false;
  int i = (int)fmin(x, o->nx - 1), j = (int)fmin(y, o->ny - 1);
  if (first) {
    demoShowKeepPlaced(show);
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

/* --- moving --- */

/* moved <- the cells that hang together with the one at `grip`, side by side. */
static void findObstacle(demoPrivate *o, const uint8_t *solid) {
  memset(o->moved, 0, (size_t)o->nx * (size_t)o->ny);
  o->moved[o->grip[1] * o->nx + o->grip[0]] = solid[o->grip[1] * o->nx + o->grip[0]] != 0;
  /* sweeps from below and from above, in turns */
  for (bool grows = true, down = false; grows; down = !down) {
    grows = false;
    for (int n = o->nx * o->ny, t = 0; t < n; t++) {
      int k = down ? n - 1 - t : t, i = k % o->nx, j = k / o->nx;
      bool beside = (i && o->moved[k - 1]) || (i < o->nx - 1 && o->moved[k + 1]) ||
                    (j && o->moved[k - o->nx]) || (j < o->ny - 1 && o->moved[k + o->nx]);
      if (beside && solid[k] && !o->moved[k])
        o->moved[k] = grows = true;
    }
  }
}

/* Takes the obstacle at a cell; without memory, or where there is none, nothing. */
static void takeObstacle(demoShow *show) {
  demoPrivate *o = show->own;
  int n = o->nx * o->ny;
  o->rest = realloc(o->rest, (size_t)n);
  o->moved = realloc(o->moved, (size_t)n);
  if (!o->rest || !o->moved)
    return;
  demoShowKeepPlaced(show);
  o->own_solid = true;
  findObstacle(o, show->solid);
  for (int k = 0; k < n; k++)
    o->rest[k] = show->solid[k] && !o->moved[k];
}

bool demoShowMove(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  int i = (int)fmin(x, o->nx - 1), j = (int)fmin(y, o->ny - 1);
  if (first) {
    o->grip[0] = i;
    o->grip[1] = j;
    takeObstacle(show);
  }
  if (first || !o->rest || !o->moved)
    return false;
  memcpy(show->solid, o->rest, (size_t)o->nx * (size_t)o->ny);
  for (int k = 0; k < o->nx * o->ny; k++) {
    int a = k % o->nx + i - o->grip[0], b = k / o->nx + j - o->grip[1];
    if (o->moved[k] && a >= 0 && a < o->nx && b >= 0 && b < o->ny)
      show->solid[b * o->nx + a] = 1;
  }
  return true;
}
