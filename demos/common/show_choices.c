/* What users chose in the last window, in their folder for files that can be made again, a line
 * "NAME VALUE" each: which parts of the window are shown, the brush, and how fine a grid the device
 * holds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/output.h"
#include "platform/platform.h"
#include "core/numbers.h"

enum { PATH = 4096, CHOICES = 6, NAME = 64 };

/* What can be switched on and off. */
static const char *const names[CHOICES] = {"no-buttons",    "panel", "no-text",
                                           "no-colour-bar", "fills", "square-brush"};

/* Where the middle of floating plots is. */
static const char *const plots_at[2] = {"plots-x", "plots-y"};

static void listSwitches(demoPrivate *o, bool *switches[CHOICES]) {
  bool *const all[CHOICES] = {&o->no_buttons, &o->panel, &o->no_text,
                              &o->no_bar,     &o->fills, &o->square};
  memcpy(switches, all, sizeof all);
}

/* The file; false where there is no place for one. */
static bool findFile(const demoShow *show, char path[PATH], bool create) {
  if (!txFolderCache(path, PATH - NAME))
    return false;
  size_t folder = strlen(path);
  if (create)
    txFolderCreate(path);
  snprintf(path + folder, NAME, "/texla");
  if (create)
    txFolderCreate(path);
  snprintf(path + folder, NAME, "/texla/%s.window", show->program->name);
  return true;
}

/* What the command line or a picture says goes before it. */
static void takeChoice(demoPrivate *o, const txEmbedded *scenes, const char *name, double value) {
  bool *switches[CHOICES];
  listSwitches(o, switches);
  for (int k = 0; k < CHOICES; k++)
    if (strcmp(name, names[k]) == 0)
      *switches[k] |= value != 0;
  if (strcmp(name, "brush") == 0 && value > 0.001 && value < 0.25)
    o->brush = value;
  if (strcmp(name, "plots") == 0 && value >= 0 && value < (double)DEMO_DOCKS)
    o->dock = (demoDock)value;
  for (int axis = 0; axis < 2; axis++)
    if (strcmp(name, plots_at[axis]) == 0 && value >= 0 && value <= 1)
      o->plots_middle[axis] = value;
  for (int k = 0; scenes[k].name && k < DEMO_MOST_SCENES && value > 0; k++) {
    if (strncmp(name, "cost-", 5) == 0 && strcmp(name + 5, scenes[k].name) == 0)
      o->cost[k].cell = value;
    if (strncmp(name, "picture-", 8) == 0 && strcmp(name + 8, scenes[k].name) == 0)
      o->cost[k].picture = value;
  }
}

void demoShowRecall(demoShow *show) {
  char path[PATH], name[NAME];
  double value;
  FILE *file = findFile(show, path, false) ? fopen(path, "r") : NULL;
  if (!file)
    return;
  while (fscanf(file, "%63s %lf", name, &value) == 2)
    takeChoice(show->own, show->program->scenes, name, value);
  fclose(file);
}

/* What cannot be kept is no error: the next window begins as the first one did. */
void demoShowRemember(demoShow *show) {
  demoPrivate *o = show->own;
  char path[PATH];
  bool *switches[CHOICES];
  txOutput output;
  clError error;
  listSwitches(o, switches);
  if (!findFile(show, path, true) || txOutputOpen(&output, path, "choices", &error))
    return;
  for (int k = 0; k < CHOICES; k++)
    fprintf(output.file, "%s %d\n", names[k], *switches[k]);
  fprintf(output.file, "brush %.4g\nplots %d\n", o->brush, (int)o->dock);
  for (int axis = 0; axis < 2; axis++)
    fprintf(output.file, "%s %.4g\n", plots_at[axis], o->plots_middle[axis]);
  for (int k = 0; show->program->scenes[k].name && k < DEMO_MOST_SCENES; k++)
    if (o->cost[k].cell > 0)
      fprintf(output.file, "cost-%s %.4g\npicture-%s %.4g\n", show->program->scenes[k].name,
              o->cost[k].cell, show->program->scenes[k].name, o->cost[k].picture);
  txOutputCommit(&output, &error);
}

/* --- the grid --- */

/* cells along a side: a grid of fewer shows too little */
enum { LEAST_SIDE = 72, SHARP = 8 };

/* seconds of a picture: a grid that takes more than 34 in a second let pass gives way to one that
 * leaves something for the rest of the machine */
static const double allowed = 1. / 34, budget = 1. / 40;

/* What of it does not depend on the grid, until it has been found out: most of it is the window. */
static const double window = 0.008;

static double cellsOf(const int size[2]) {
  return (double)size[0] * size[1];
}

static bool isPowerOfTwo(int n) {
  return (n & (n - 1)) == 0;
}

/* A part of the scene's own grid in whole tiles, which multigrid likes. llvmpipe compiles a program
 * once more for textures with a side that is a power of two: with `like`, all grids are like those
 * that have none, so that another one needs no other programs. */
static void coarsen(const int own[2], double part, bool like, int size[2]) {
  double shorter = txLeast(own[0], own[1]);
  part = fmin(1, fmax(part, (double)LEAST_SIDE / shorter));
  for (int k = 0; k < 2; k++) {
    size[k] = own[k];
    if (part < 1)
      size[k] = SHARP * (int)(part * own[k] / (double)SHARP + 0.5);
    if (like && size[k] > LEAST_SIDE && isPowerOfTwo(size[k]))
      size[k] -= SHARP;
  }
}

/* What the scene's pictures cost: those of the program's own scene from which it was made, unless
 * it has another size. NULL: its grid does not follow the device's speed. */
static demoCost *costOf(const demoShow *show) {
  demoPrivate *o = show->own;
  if (!o->adapts || o->sized)
    return NULL;
  if (o->scene >= 0)
    return &o->cost[o->scene];
  if (o->basis < 0)
    return NULL;
  demoScene *basis = demoShowListScene(show, o->basis);
  bool same = basis && memcmp(basis->size, demoSceneOf(show)->size, sizeof basis->size) == 0;
  free(basis);
  if (!same)
    return NULL;
  return &o->cost[o->basis];
}

void demoShowGrid(const demoShow *show, int size[2]) {
  const demoPrivate *o = show->own;
  const int *own = demoSceneOf(show)->size;
  const demoCost *c = costOf(show);
  double part = 1;
  if (c && c->cell > 0)
    part = sqrt(fmax(budget - c->picture, 0) / (c->cell * cellsOf(own)));
  bool like = c && show->context && clContextInspect(show->context)->software;
  coarsen(own, part, like, size);
  if (o->sized)
    memcpy(size, show->options.size, 2 * sizeof *size);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The time of pictures on two grids tells what a cell costs, and what a picture does besides; but
 * something else may have taken time meanwhile, so that it is not believed to be far from usual. */
static void learn(demoCost *c, double cells, double seconds) {
  double picture = window;
  if (c->cells > 0 && c->cells != cells)
    picture = seconds - (c->seconds - seconds) / (c->cells - cells) * cells;
  picture = fmin(fmax(picture, 0.5 * window), 1.5 * window);
  c->picture = fmin(picture, 0.5 * seconds);
  c->cell = (seconds - c->picture) / cells;
  c->cells = cells;
  c->seconds = seconds;
}

/* How many of the timings so far count, after picture number k; 0: there is nothing to decide. Soon
 * at first, since what is shown begins anew. */
static int counting(int k) {
  const int few = 5;
  if (k == few - 1)
    return few;
  if (k % DEMO_TIMINGS == DEMO_TIMINGS - 1)
    return DEMO_TIMINGS;
  return 0;
}

bool demoShowTimed(demoShow *show, double seconds) {
  demoPrivate *o = show->own;
  const int first = 3, now[2] = {o->nx, o->ny};
  /* a grid that has so many more cells is worth a beginning */
  const double much = 1.5;
  int next[2], k = o->timings++ - first;
  if (k < 0)
    return false;
  o->timing[k % DEMO_TIMINGS] = seconds;
  int count = counting(k);
  demoCost *cost = count ? costOf(show) : NULL;
  if (!cost)
    return false;
  qsort(o->timing, (size_t)count, sizeof *o->timing, compare);
  double usual = o->timing[count / 2];
  learn(cost, cellsOf(now), usual);
  demoShowGrid(show, next);
  /* later it is for the next time only */
  if (k >= DEMO_TIMINGS)
    return false;
  if (usual > allowed)
    return cellsOf(next) < cellsOf(now);
  return !o->regridded && cellsOf(next) > much * cellsOf(now);
}
