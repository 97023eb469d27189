/* What is drawn by hand, each stroke in a line of text that draws it again: obstacles, also moved,
 * and what the program paints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "common/strokes.h"
#include "common/walls.h"
#include "core/try.h"

/* The text of what is drawn gets a stroke more; without memory nothing of it is shared. */
static void note(demoShow *show, const demoStroke *stroke, bool joined) {
  demoPrivate *o = show->own;
  o->strokes = demoStrokeAppend(o->strokes, stroke, joined);
}

/* place <- x and y (in cells) in heights, as a text has them. */
static void roundPlace(const demoPrivate *o, double x, double y, double place[2]) {
  place[0] = demoStrokeRounded(x / o->ny);
  place[1] = demoStrokeRounded(y / o->ny);
}

/* The cell of a place; one beside the grid becomes one at its edge. */
static int cellAt(const demoPrivate *o, const double place[2], int *i, int *j) {
  *i = (int)fmin(fmax(place[0] * o->ny, 0), o->nx - 1);
  *j = (int)fmin(fmax(place[1] * o->ny, 0), o->ny - 1);
  return *j * o->nx + *i;
}

/* --- drawing --- */

/* How far (x, y) is from the way of a brush, in cells of which `cells` lie in a height; measured as
 * a square does, by the longer of both axes, or as a disc does. */
static double distanceFrom(double x, double y, const demoStroke *s, double cells) {
  double dx = cells * (s->to[0] - s->from[0]), dy = cells * (s->to[1] - s->from[1]);
  double length = dx * dx + dy * dy, t = 0;
  x -= cells * s->from[0];
  y -= cells * s->from[1];
  if (length > 0)
    t = fmin(fmax((x * dx + y * dy) / length, 0), 1);
  double a = fabs(x - t * dx), b = fabs(y - t * dy);
  if (s->square)
    return fmax(a, b);
  return hypot(a, b);
}

/* A cell that the brush may reach. */
static bool drawCell(demoShow *show, int k, double edge, bool erases) {
  if (erases)
    show->walls[k] = fmaxf(show->walls[k], (float)-edge);
  else
    show->walls[k] = fminf(show->walls[k], (float)edge);
  if (edge >= 0 || show->solid[k] != erases)
    return false;
  show->solid[k] = !erases;
  return true;
}

/* What is drawn is joined with what was there, what is erased is cut off; of the distances from
 * where obstacles end those count that lie near. True: something has changed. */
static bool drawStroke(demoShow *show, const demoStroke *s) {
  const demoPrivate *o = show->own;
  const double reach = s->radius + 3. / o->ny;
  double low[2], high[2];
  bool changed = false;
  int i0, j0, i1, j1;
  for (int axis = 0; axis < 2; axis++) {
    low[axis] = fmin(s->from[axis], s->to[axis]) - reach;
    high[axis] = fmax(s->from[axis], s->to[axis]) + reach;
  }
  cellAt(o, low, &i0, &j0);
  cellAt(o, high, &i1, &j1);
  for (int j = j0; j <= j1; j++)
    for (int i = i0; i <= i1; i++) {
      double edge = distanceFrom(i + 0.5, j + 0.5, s, o->ny) - s->radius * o->ny;
      changed |= drawCell(show, j * o->nx + i, edge, s->kind == DEMO_ERASE);
    }
  return changed;
}

/* The brush in one place, where a line begins. */
static bool drawDot(demoShow *show, const demoStroke *way) {
  demoStroke dot = *way;
  memcpy(dot.to, dot.from, sizeof dot.to);
  note(show, &dot, false);
  return drawStroke(show, &dot);
}

/* For undo: another stroke begins. */
static void keepBefore(demoShow *show) {
  demoShowKeepPlaced(show);
  show->own->own_solid = true;
  show->own->draws = false;
}

/* Whether the first place is an obstacle decides for the whole drag. */
static void beginStroke(demoShow *show, demoStroke *s) {
  int i, j;
  keepBefore(show);
  s->kind = DEMO_DRAW;
  if (show->solid[cellAt(show->own, s->to, &i, &j)])
    s->kind = DEMO_ERASE;
  memcpy(s->from, s->to, sizeof s->from);
}

/* The brush as it is now, from the last place on to (x, y). */
static demoStroke strokeTo(const demoPrivate *o, double x, double y) {
  const double least = 1e-4;
  demoStroke s = o->stroke;
  memcpy(s.from, s.to, sizeof s.from);
  s.square = o->square;
  s.radius = fmax(demoStrokeRounded(o->brush), least);
  roundPlace(o, x, y, s.to);
  return s;
}

bool demoShowDraw(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  demoStroke s = strokeTo(o, x, y);
  if (first)
    beginStroke(show, &s);
  bool joined = o->draws && s.square == o->stroke.square && s.radius == o->stroke.radius;
  bool changed = !joined && drawDot(show, &s);
  if (!first) {
    note(show, &s, true);
    changed |= drawStroke(show, &s);
  }
  o->stroke = s;
  o->draws = true;
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
  size_t bytes = (size_t)o->nx * (size_t)o->ny * sizeof *o->rest;
  o->rest = realloc(o->rest, bytes);
  o->moved = realloc(o->moved, bytes);
  if (!o->rest || !o->moved)
    return;
  findObstacle(o, show->solid);
  divideCover(show);
}

/* The obstacle that was taken, so many cells to the right and up. */
static bool putObstacle(demoShow *show, int right, int up) {
  const demoPrivate *o = show->own;
  int n = o->nx * o->ny;
  float *cover = NULL;
  if (o->rest && o->moved)
    cover = malloc((size_t)n * sizeof *cover);
  if (!cover)
    return false;
  for (int k = 0; k < n; k++) {
    int a = k % o->nx - right, b = k / o->nx - up;
    cover[k] = o->rest[k];
    if (a >= 0 && a < o->nx && b >= 0 && b < o->ny)
      cover[k] = fmaxf(cover[k], o->moved[b * o->nx + a]);
    show->solid[k] = cover[k] > 0.5f;
  }
  demoWalls(show->walls, cover, o->nx, o->ny);
  free(cover);
  return true;
}

bool demoShowMove(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  int i, j;
  if (first) {
    keepBefore(show);
    o->stroke = (demoStroke){.kind = DEMO_MOVE};
    roundPlace(o, x, y, o->stroke.from);
    cellAt(o, o->stroke.from, &o->grip[0], &o->grip[1]);
    takeObstacle(show);
    return false;
  }
  roundPlace(o, x, y, o->stroke.to);
  cellAt(o, o->stroke.to, &i, &j);
  if (!putObstacle(show, i - o->grip[0], j - o->grip[1]))
    return false;
  note(show, &o->stroke, o->draws);
  o->draws = true;
  return true;
}

/* --- painting, as the program does --- */

/* The program gets the stroke's end, from its text and from the mouse alike. */
static clStatus paintDab(demoShow *show, const demoStroke *s, int mode) {
  const demoPrivate *o = show->own;
  demoTouch t = {
      .y = s->to[1], .x = s->to[0] * o->ny / o->nx, .first = s->begins, .brush = s->radius};
  t.mode = mode;
  return show->program->paint(show->self, &t);
}

clStatus demoShowDab(demoShow *show, double x, double y, bool first) {
  demoPrivate *o = show->own;
  demoStroke s = strokeTo(o, x * o->nx, y * o->ny);
  s.kind = show->program->paints[o->mode];
  s.square = false;
  if (first && show->program->placed)
    demoShowKeepPlaced(show);
  bool joined = o->draws && !first && s.radius == o->stroke.radius && s.kind == o->stroke.kind;
  s.begins = !joined;
  if (s.begins)
    memcpy(s.from, s.to, sizeof s.from);
  o->draws = o->own_solid = true;
  o->stroke = s;
  note(show, &s, joined);
  return paintDab(show, &s, o->mode);
}

/* --- again, from their text --- */

typedef struct Redrawing {
  demoShow *show;
  clStatus status;
} Redrawing;

static void redraw(void *user, const demoStroke *s) {
  Redrawing *r = user;
  demoShow *show = r->show;
  demoPrivate *o = show->own;
  int i, j, mode = 0;
  if (s->kind > DEMO_MOVE) {
    while (show->program->paints[mode] != s->kind)
      mode++;
    if (!r->status)
      r->status = paintDab(show, s, mode);
    return;
  }
  if (s->kind != DEMO_MOVE) {
    drawStroke(show, s);
    return;
  }
  cellAt(o, s->from, &o->grip[0], &o->grip[1]);
  takeObstacle(show);
  cellAt(o, s->to, &i, &j);
  putObstacle(show, i - o->grip[0], j - o->grip[1]);
}

clStatus demoShowRedraw(demoShow *show, const char *text) {
  Redrawing r = {.show = show};
  while (text && *text) {
    size_t line = strcspn(text, "\n"), length = strcspn(text, "#\n");
    while (length > 0 && strchr(" \t\r", text[length - 1]))
      length--;
    demoStrokeRead(text, text + length, redraw, &r);
    text += line + (text[line] == '\n');
  }
  return r.status;
}
