/* A scene begins, and time passes in it: steps, and what is measured after each of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/show_private.h"
#include "core/allocate.h"
#include "core/try.h"
#include "core/numbers.h"

enum {
  /* wanted along the longer side */
  PIXELS = 960,
  LARGEST_SCALE = 5
};

/* --- the beginning --- */

/* A software renderer's textures are in the machine's memory. */
static clStatus checkMemory(demoShow *show) {
  const demoPrivate *o = show->own;
  char scene[64];
  if (!clContextInspect(show->context)->software)
    return TEXLA_OK;
  snprintf(scene, sizeof scene, "a scene of %d x %d cells", o->nx, o->ny);
  return txProgramCheckMemory((double)o->nx * o->ny * show->program->cell_bytes, scene,
                              &show->error);
}

/* The height of a picture with such a field: flat ones leave room for text above and below. */
static int pictureHeight(int field) {
  const int least = 120;
  if (field < least / 8 || field > least / 2)
    return field;
  return least;
}

/* The size of the grid and of its pictures. */
void demoShowMeasure(demoShow *show) {
  demoPrivate *o = show->own;
  int size[2];
  demoShowGrid(show, size);
  o->scale = txWithin(PIXELS / txMost(size[0], size[1]), 1, LARGEST_SCALE);
  /* a coarser grid has the same shaders */
  for (int k = 0; k < 2 && o->rehearses; k++)
    size[k] = txMost(size[k] / 4, txLeast(size[k], 64));
  memmove(show->options.size, size, sizeof show->options.size);
  o->nx = size[0];
  o->ny = size[1];
  o->image.height = pictureHeight(o->scale * o->ny);
  demoTextFor(o->image.height);
  o->image.width = o->scale * o->nx + demoColorBarWidth();
}

/* Pictures and memory of the size that the scene has. */
static clStatus allocate(demoShow *show) {
  demoPrivate *o = show->own;
  demoShowMeasure(show);
  TRY(checkMemory(show));
  size_t pixels = (size_t)o->image.width * (size_t)o->image.height;
  free(o->image.rgb);
  o->image.rgb = txAllocate(NULL, "the scene", 3 * pixels, 1, "its picture");
  demoPaintDestroy(o->paint);
  o->paint = NULL;
  if (!o->image.rgb)
    return demoOutOfMemory(show);
  TRY(demoShowClearObstacles(show));
  clStatus status =
      demoPaintCreate(&o->paint, show->context, o->nx, o->ny, o->scale * o->nx, o->scale * o->ny);
  if (status == TEXLA_OUT_OF_MEMORY && !clContextError(show->context)->status)
    return demoOutOfMemory(show);
  return demoCheck(show, status);
}

/* What the scene's text draws, then what the user has drawn. */
static clStatus redraw(demoShow *show) {
  if (demoSceneOf(show)->strokes)
    TRY(demoShowRedraw(show, demoShowSceneText(show)));
  return demoShowRedraw(show, show->own->strokes);
}

clStatus demoShowStart(demoShow *show) {
  demoPrivate *o = show->own;
  clStatus status = demoShowReadScene(show);
  o->time = o->range = o->energy = 0;
  o->steps = o->frame = 0;
  o->change = INFINITY;
  o->over = o->drawn = o->valued = o->negative = false;
  demoProbesForget(&o->probes);
  o->curve_samples = 0;
  o->timings = 0;
  o->regridded = false;
  demoShowForget(show);
  demoShowForgetUndo(show);
  if (!o->own_solid) {
    free(o->strokes);
    o->strokes = NULL;
    o->draws = false;
  }
  TRY(status);
  TRY(allocate(show));
  TRY(show->program->create(show->self, show));
  if (show->options.obstacles)
    TRY(demoShowReadObstacles(show, show->options.obstacles));
  if (!show->program->paints_start)
    TRY(redraw(show));
  TRY(demoShowTakeObstacles(show));
  TRY(show->program->begin(show->self));
  if (show->program->paints_start)
    TRY(redraw(show));
  return TEXLA_OK;
}

/* --- steps --- */

/* A line of the statistics, and how much the energy changes. */
static clStatus measure(demoShow *show, double since) {
  demoPrivate *o = show->own;
  double values[DEMO_COLUMNS] = {0};
  int count = 1;
  if (!o->stats.path && show->options.steady <= 0 && !show->options.curves)
    return TEXLA_OK;
  TRY(show->program->measure(show->self, values));
  for (const char *c = show->program->columns; *c; c++)
    count += *c == ',';
  double energy = values[show->program->energy_column];
  o->change = INFINITY;
  if (energy > 0)
    o->change = fabs(energy - o->energy) / energy / (o->time - since);
  if (show->program->change_column)
    o->change = values[show->program->change_column];
  o->energy = energy;
  demoShowTakeCurves(show, values);
  if (!o->stats.path)
    return TEXLA_OK;
  return demoStatsLine(&o->stats, o->steps, o->time, values, count, &show->error);
}

static clStatus takeProbes(demoShow *show) {
  demoPrivate *o = show->own;
  demoFieldValues field = {0};
  if (!o->probes.count)
    return TEXLA_OK;
  TRY(demoShowValues(show, &field));
  if (field.value)
    demoProbesTake(&o->probes, o->time, &field);
  return TEXLA_OK;
}

clStatus demoShowStep(demoShow *show) {
  demoPrivate *o = show->own;
  double since = o->time;
  demoStatsBegin(&o->stats);
  clStatus status = show->program->step(show->self, &o->time);
  demoStatsEnd(&o->stats);
  o->valued = false;
  TRY(status);
  o->steps++;
  o->done++;
  TRY(measure(show, since));
  TRY(takeProbes(show));
  o->over = (show->options.end > 0 && o->time >= show->options.end) ||
            (show->options.steady > 0 && o->steps > 10 && o->change < show->options.steady);
  return TEXLA_OK;
}

/* A window paints after fewer steps than the scene has where these take long, so that it answers
 * the mouse; not where their number was given, nor in films, whose pictures lie equally far
 * apart. */
static bool mayHurry(const demoShow *show) {
  const demoPrivate *o = show->own;
  return (o->window || o->bench) && !show->options.steps && (!o->record.open || o->record.feed);
}

static bool isDue(const demoShow *show, double begin) {
  /* seconds: 60 pictures each, with painting */
  const double most = 0.012;
  const demoPrivate *o = show->own;
  double taken = demoSeconds() - begin;
  /* no further one where most of it would be too much */
  return o->made && mayHurry(show) && taken + 0.5 * taken / (double)o->made > most;
}

/* A graphics card takes steps faster than it computes them: who wants to know how long one takes
 * waits for it. A browser cannot. */
static clStatus takeStep(demoShow *show) {
  TRY(demoShowStep(show));
  if (!mayHurry(show) || clContextInspect(show->context)->software || demoPanelApart())
    return TEXLA_OK;
  return demoCheck(show, clContextSynchronize(show->context));
}

clStatus demoShowAdvance(demoShow *show) {
  demoPrivate *o = show->own;
  double begin = demoSeconds();
  clStatus status = TEXLA_OK;
  for (o->made = 0; o->made < demoSteps(show) && !status && !o->over && !isDue(show, begin);
       o->made++)
    status = takeStep(show);
  o->frame++;
  o->stepping += demoSeconds() - begin;
  return status;
}
