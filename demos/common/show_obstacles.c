/* Obstacles that are drawn, moved, and taken back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mask.h"
#include "common/show_private.h"
#include "common/walls.h"
#include "core/allocate.h"
#include "core/try.h"

static size_t cellsOf(const demoShow *show) {
  return (size_t)show->own->nx * (size_t)show->own->ny;
}

size_t demoShowObstacleBytes(const demoShow *show) {
  return cellsOf(show) * (sizeof *show->walls + sizeof *show->solid);
}

clStatus demoShowClearObstacles(demoShow *show) {
  size_t n = cellsOf(show);
  free(show->walls);
  show->walls = txAllocate(NULL, "the scene", demoShowObstacleBytes(show), 1, "its obstacles");
  show->solid = (uint8_t *)(show->walls + n);
  if (!show->walls)
    return demoOutOfMemory(show);
  for (size_t k = 0; k < n; k++)
    show->walls[k] = DEMO_FAR;
  return TEXLA_OK;
}

clStatus demoShowTakeObstacles(demoShow *show) {
  TRY(demoCheck(show, demoPaintSolid(show->own->paint, show->solid, show->walls)));
  return show->program->obstacles(show->self);
}

/* --- where they come from --- */

/* One more obstacle: cover <- what it covers of cells; the middle of all cells is known. Only cells
 * whose neighbours differ are looked at more closely. */
static void coverEdges(demoShow *show, float *cover, const demoFormula *formula,
                       const double variable[DEMO_VARIABLES]) {
  const demoPrivate *o = show->own;
  for (int k = 0; k < o->nx * o->ny; k++) {
    int i = k % o->nx, j = k / o->nx, same = 0, count = 0;
    for (int n = 0; n < 9; n++) {
      int x = i + n % 3 - 1, y = j + n / 3 - 1;
      bool inside = x >= 0 && x < o->nx && y >= 0 && y < o->ny;
      count += inside;
      same += inside && show->solid[y * o->nx + x] == show->solid[k];
    }
    if (same == count)
      continue;
    double sum = 0;
    for (int s = 0; s < DEMO_PLACES; s++) {
      double place[2];
      demoWallsPlace(place, s);
      place[0] += i;
      place[1] += j;
      sum += demoValueAt(formula, variable, show->options.size, place) != 0;
    }
    cover[k] = fmaxf(cover[k], (float)(sum / DEMO_PLACES));
  }
}

clStatus demoSolid(demoShow *show, const demoFormula *formulas, int count,
                   const double variable[DEMO_VARIABLES]) {
  const demoPrivate *o = show->own;
  size_t n = cellsOf(show);
  float *inside = txAllocate(NULL, "the scene", 2 * n, sizeof *inside, "its obstacles");
  if (!inside)
    return demoOutOfMemory(show);
  float *cover = inside + n;
  memset(show->solid, 0, n);
  for (int f = 0; f < count; f++) {
    demoTabulate(inside, &formulas[f], variable, show->options.size, (double[]){0.5, 0.5});
    for (size_t k = 0; k < n; k++)
      show->solid[k] |= inside[k] != 0;
  }
  for (size_t k = 0; k < n; k++)
    cover[k] = show->solid[k];
  for (int f = 0; f < count; f++)
    coverEdges(show, cover, &formulas[f], variable);
  demoWalls(show->walls, cover, o->nx, o->ny);
  free(inside);
  return TEXLA_OK;
}

clStatus demoShowReadObstacles(demoShow *show, const char *path) {
  const demoPrivate *o = show->own;
  size_t n = cellsOf(show);
  float *cover = txAllocate(NULL, "the scene", n, sizeof *cover, "its obstacles");
  if (!cover)
    return demoOutOfMemory(show);
  clStatus status = demoMaskRead(cover, o->nx, o->ny, path, &show->error);
  if (!status)
    demoWalls(show->walls, cover, o->nx, o->ny);
  for (size_t k = 0; k < n && !status; k++)
    show->solid[k] = cover[k] > 0.5f;
  free(cover);
  return status;
}

/* Of a state that knows whole cells only. */
static clStatus wallsOfCells(demoShow *show) {
  const demoPrivate *o = show->own;
  float *cover = malloc(cellsOf(show) * sizeof *cover);
  if (!cover)
    return demoOutOfMemory(show);
  demoWallsRounded(cover, show->solid, o->nx, o->ny);
  demoWalls(show->walls, cover, o->nx, o->ny);
  free(cover);
  return TEXLA_OK;
}

/* --- undo --- */

clStatus demoShowPlaced(demoShow *show, demoState *state) {
  demoStateBytes(state, "solid", show->solid, cellsOf(show));
  if (!demoStateLoads(state) || demoStateHas(state, "walls"))
    demoStateFloats(state, "walls", show->walls, cellsOf(show));
  else
    TRY(wallsOfCells(show));
  TRY(demoStateStatus(state));
  if (!show->program->placed)
    return TEXLA_OK;
  return show->program->placed(show->self, state);
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
  double t = 0;
  if (length > 0)
    t = fmin(fmax(((x - from[0]) * dx + (y - from[1]) * dy) / length, 0), 1);
  double a = fabs(x - from[0] - t * dx), b = fabs(y - from[1] - t * dy);
  if (square)
    return fmax(a, b);
  return hypot(a, b);
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
  for (int k = 0; k < o->nx * o->ny; k++) {
    /* of the stroke's edge: what is drawn is joined with what was there, what is erased cut off */
    double edge = distanceFrom(k % o->nx + 0.5, k / o->nx + 0.5, o->stroke, to, o->square) - radius;
    if (o->erases)
      show->walls[k] = fmaxf(show->walls[k], (float)-edge);
    else
      show->walls[k] = fminf(show->walls[k], (float)edge);
    if (edge < 0 && show->solid[k] == o->erases) {
      show->solid[k] = !o->erases;
      changed = true;
    }
  }
  memcpy(o->stroke, to, sizeof to);
  return changed;
}

/* --- moving --- */

/* moved <- 1 in the cells that hang together with the one at `grip`, side by side. */
static void findObstacle(demoPrivate *o, const uint8_t *solid) {
  memset(o->moved, 0, (size_t)o->nx * (size_t)o->ny * sizeof *o->moved);
  o->moved[o->grip[1] * o->nx + o->grip[0]] = solid[o->grip[1] * o->nx + o->grip[0]] != 0;
  /* sweeps from below and from above, in turns */
  for (bool grows = true, down = false; grows; down = !down) {
    grows = false;
    for (int n = o->nx * o->ny, t = 0; t < n; t++) {
      int k = t;
      if (down)
        k = n - 1 - t;
      int i = k % o->nx, j = k / o->nx;
      bool beside = (i && o->moved[k - 1] > 0) || (i < o->nx - 1 && o->moved[k + 1] > 0) ||
                    (j && o->moved[k - o->nx] > 0) || (j < o->ny - 1 && o->moved[k + o->nx] > 0);
      if (beside && solid[k] && o->moved[k] == 0) {
        o->moved[k] = 1;
        grows = true;
      }
    }
  }
}

/* Is a cell one of an obstacle's, or beside one? */
static bool isNear(const demoPrivate *o, int k) {
  for (int n = 0; n < 9; n++) {
    int i = k % o->nx + n % 3 - 1, j = k / o->nx + n / 3 - 1;
    if (i >= 0 && i < o->nx && j >= 0 && j < o->ny && o->moved[j * o->nx + i] == 1)
      return true;
  }
  return false;
}

/* What all obstacles cover becomes two parts, of which `moved` names the cells of one: what it
 * covers of the cells beside them is its own. */
static void divideCover(demoShow *show) {
  demoPrivate *o = show->own;
  int n = o->nx * o->ny;
  demoWallsCover(o->rest, show->walls, n);
  for (int k = 0; k < n; k++)
    if (o->moved[k] == 0 && isNear(o, k))
      o->moved[k] = 0.5f;
  for (int k = 0; k < n; k++) {
    bool own = o->moved[k] > 0;
    o->moved[k] = 0;
    if (own) {
      o->moved[k] = o->rest[k];
      o->rest[k] = 0;
    }
  }
}

/* Takes the obstacle at a cell; without memory, or where there is none, nothing. */
static void takeObstacle(demoShow *show) {
  demoPrivate *o = show->own;
  size_t bytes = cellsOf(show) * sizeof *o->rest;
  o->rest = realloc(o->rest, bytes);
  o->moved = realloc(o->moved, bytes);
  if (!o->rest || !o->moved)
    return;
  demoShowKeepPlaced(show);
  o->own_solid = true;
  findObstacle(o, show->solid);
  divideCover(show);
}

bool demoShowMove(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  int i = (int)fmin(x, o->nx - 1), j = (int)fmin(y, o->ny - 1), n = o->nx * o->ny;
  if (first) {
    o->grip[0] = i;
    o->grip[1] = j;
    takeObstacle(show);
  }
  if (first || !o->rest || !o->moved)
    return false;
  float *cover = malloc((size_t)n * sizeof *cover);
  if (!cover)
    return false;
  for (int k = 0; k < n; k++) {
    int a = k % o->nx - i + o->grip[0], b = k / o->nx - j + o->grip[1];
    cover[k] = o->rest[k];
    if (a >= 0 && a < o->nx && b >= 0 && b < o->ny)
      cover[k] = fmaxf(cover[k], o->moved[b * o->nx + a]);
    show->solid[k] = cover[k] > 0.5f;
  }
  demoWalls(show->walls, cover, o->nx, o->ny);
  free(cover);
  return true;
}
