/* Obstacles: where they come from, and how they are taken back. */
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

clStatus demoShowClearObstacles(demoShow *show) {
  size_t n = cellsOf(show), bytes = n * (sizeof *show->walls + sizeof *show->solid);
  free(show->walls);
  /* both are one piece of memory */
  show->walls = txAllocate(NULL, "the scene", bytes, 1, "its obstacles");
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
    cover[k] = fmaxf(cover[k], (float)(sum / (double)DEMO_PLACES));
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(demoMaskRead(cover, o->nx, o->ny, path, &show->error));
  demoWalls(show->walls, cover, o->nx, o->ny);
  for (size_t k = 0; k < n; k++)
    show->solid[k] = cover[k] > 0.5f;
cleanup:
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

/* The lines that say what has been drawn; states of older versions have none. */
static clStatus placeStrokes(demoShow *show, demoState *state) {
  demoPrivate *o = show->own;
  char none[] = "", *strokes = o->strokes;
  if (!strokes)
    strokes = none;
  if (!demoStateLoads(state)) {
    demoStateBytes(state, "strokes", strokes, strlen(strokes));
    return demoStateStatus(state);
  }
  free(o->strokes);
  o->strokes = NULL;
  o->draws = false;
  if (!demoStateHas(state, "strokes"))
    return TEXLA_OK;
  const char *text = demoStateText(state, "strokes");
  if (text)
    o->strokes = strdup(text);
  if (!o->strokes)
    return demoOutOfMemory(show);
  return TEXLA_OK;
}

clStatus demoShowPlaced(demoShow *show, demoState *state) {
  demoStateBytes(state, "solid", show->solid, cellsOf(show));
  if (!demoStateLoads(state) || demoStateHas(state, "walls"))
    demoStateFloats(state, "walls", show->walls, cellsOf(show));
  else
    TRY(wallsOfCells(show));
  TRY(demoStateStatus(state));
  TRY(placeStrokes(show, state));
  if (!show->program->placed)
    return TEXLA_OK;
  return show->program->placed(show->self, state);
}

clStatus demoShowPlacedNow(demoShow *show, demoState **out) {
  demoState *state = NULL;
  TRY(demoStateCreate(&state, &show->error));
  clStatus status = demoShowPlaced(show, state);
  if (status)
    demoStateDestroy(state);
  TRY(status);
  demoStateRewind(state, &show->error);
  *out = state;
  return TEXLA_OK;
}

/* What cannot be kept cannot be taken back, and nothing else happens. */
void demoShowKeepPlaced(demoShow *show) {
  demoPrivate *o = show->own;
  demoState *state = NULL;
  if (demoShowPlacedNow(show, &state))
    return;
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
