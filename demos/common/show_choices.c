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

static void takeChoice(demoPrivate *o, const txEmbedded *scenes, const char *name, double value) {
  bool *switches[CHOICES];
  listSwitches(o, switches);
  for (int k = 0; k < CHOICES; k++)
    if (strcmp(name, names[k]) == 0)
      *switches[k] = value != 0;
  if (strcmp(name, "brush") == 0 && value > 0.001 && value < 0.25)
    o->brush = value;
  if (strcmp(name, "plots") == 0 && value >= 0 && value < DEMO_DOCKS)
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
enum { LEAST_SIDE = 64, SHARP = 8 };

/* seconds of a picture: a grid that takes more than 34 in a second let pass gives way to one that
 * leaves something for the rest of the machine */
static const double allowed = 1. / 34, budget = 1. / 40;

/* What of it does not depend on the grid, until it has been found out: most of it is the window. */
static const double window = 0.008;

static double cellsOf(const int size[2]) {
  return (double)size[0] * size[1];
}

/* A part of the scene's own grid in whole tiles, which multigrid likes. */
static void coarsen(const int own[2], double part, int size[2]) {
  double shorter = txLeast(own[0], own[1]);
  part = fmin(1, fmax(part, LEAST_SIDE / shorter));
  for (int k = 0; k < 2; k++)
    size[k] = part < 1 ? SHARP * (int)(part * own[k] / SHARP + 0.5) : own[k];
}

void demoShowGrid(const demoShow *show, int size[2]) {
  const demoPrivate *o = show->own;
  const int *own = demoSceneOf(show)->size;
  memcpy(size, own, 2 * sizeof *size);
  if (o->sized)
    memcpy(size, show->options.size, 2 * sizeof *size);
  else if (o->adapts && o->scene >= 0 && o->cost[o->scene].cell > 0) {
    const demoCost *c = &o->cost[o->scene];
    coarsen(own, sqrt(fmax(budget - c->picture, 0) / (c->cell * cellsOf(own))), size);
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The time of pictures on two grids tells what a cell costs, and what a picture does besides. */
static void learn(demoCost *c, double cells, double seconds) {
  double slope = 0;
  if (c->cells > 0 && c->cells != cells)
    slope = (c->seconds - seconds) / (c->cells - cells);
  c->picture = fmin(window, 0.5 * seconds);
  if (slope > 0)
    c->picture = fmin(fmax(seconds - slope * cells, 0.1 * seconds), 0.6 * seconds);
  c->cell = (seconds - c->picture) / cells;
  c->cells = cells;
  c->seconds = seconds;
}

bool demoShowTimed(demoShow *show, double seconds) {
  demoPrivate *o = show->own;
  const int first = 4, now[2] = {o->nx, o->ny};
  int next[2], k = o->timings++ - first;
  if (!o->adapts || o->sized || o->scene < 0 || k < 0 || k >= DEMO_TIMINGS)
    return false;
  o->timing[k] = seconds;
  if (k < DEMO_TIMINGS - 1)
    return false;
  qsort(o->timing, DEMO_TIMINGS, sizeof *o->timing, compare);
  double usual = o->timing[DEMO_TIMINGS / 2];
  learn(&o->cost[o->scene], cellsOf(now), usual);
  demoShowGrid(show, next);
  return usual > allowed && cellsOf(next) < cellsOf(now);
}
