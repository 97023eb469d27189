/* shallow-water: dam breaks, floods, tides and tsunamis (B9), in a window or, without a display, as
 * pictures or a film. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mask.h"
#include "common/show.h"
#include "common/text.h"
#include "core/error.h"
#include "gauges.h"
#include "core/output.h"
#include "scenes.h"
#include "core/numbers.h"
#include "core/try.h"

typedef struct Program {
  demoShow *show;
  clWater *water;
  /* the map, the view */
  clKernel *picture[2];
  clKernelRun run;
  /* of all levels */
  clFloat *sum;
  /* as the scene has it, without walls */
  float *ground;
  Gauges gauges;
  /* of the view */
  int scheme, advection, friction, solver;
  double theta, courant, roughness, coriolis, width, lowest, highest;
  const char *terrain, *gauge_places, *gauge_csv, *level_out;
} Program;

/* What the left button does, in the order of the menu (modes). */
enum { DRAW_WATER, RAISE_GROUND, LOWER_GROUND };

/* It is kept apart from the program, of which `create` makes a second one for a moment. */
static Scene theScene;

/* The scene that is shown, which the frame reads before it calls the program. */
static const Scene *sceneOf(const Program *p) {
  return p->show->program->scene;
}

/* Of the grid that runs, or is about to. */
static size_t cellsOf(const Program *p) {
  return (size_t)p->show->options.size[0] * (size_t)p->show->options.size[1];
}

/* --- the water --- */

/* An option's number, or, where it is not given, the scene's own. */
static double given(double option, double own) {
  if (option > 0)
    return option;
  return own;
}

/* The scene's options, and those of the command line in their place. Another law of friction has
 * another unit: then the scene's roughness does not count. */
static clWaterOptions waterOptions(const Program *p) {
  clWaterOptions o = sceneWaterOptions(sceneOf(p));
  const demoOptions *options = &p->show->options;
  o.nx = options->size[0];
  o.ny = options->size[1];
  o.dx = given(p->width, sceneOf(p)->width) / o.nx;
  o.dt = given(options->dt, o.dt);
  o.theta = given(p->theta, o.theta);
  o.courant = given(p->courant, o.courant);
  o.coriolis = p->coriolis;
  if (p->scheme >= 0)
    o.scheme = (clWaterScheme)p->scheme;
  if (p->advection >= 0)
    o.advection = (clWaterAdvection)p->advection;
  o.preconditioner = TEXLA_PRECONDITIONER_JACOBI;
  if (p->solver == 1)
    o.preconditioner = TEXLA_PRECONDITIONER_MG;
  /* Chezy's C is in m^(1/2)/s, Manning's n in s/m^(1/3). */
  if (p->friction >= 0) {
    o.friction = (clWaterFriction)p->friction;
    o.roughness = 0;
  }
  o.roughness = given(p->roughness, o.roughness);
  return o;
}

/* The pointers become NULL, so that it may be called twice. */
static void destroy(void *self) {
  Program *p = self;
  clWaterDestroy(p->water);
  for (int k = 0; k < 2; k++)
    clKernelDestroy(p->picture[k]);
  clFloatDestroy(p->sum);
  free(p->ground);
  gaugesDestroy(&p->gauges);
  p->water = NULL;
  p->picture[0] = p->picture[1] = NULL;
  p->sum = NULL;
  p->ground = NULL;
}

/* The place t in parts of n cells, between the middle of the first and of the last one. */
static double along(double t, int n) {
  return fmin(fmax(t * n - 0.5, 0), n - 1);
}

/* The height of a terrain at (x, y) in parts of it; where it has none, its lowest. */
static double heightAt(const clTerrain *t, double x, double y, double lowest) {
  double a = along(x, t->nx), b = along(y, t->ny), sum = 0;
  int i = (int)a, j = (int)b;
  const double across[] = {1 - a + i, a - i}, up[] = {1 - b + j, b - j};
  /* The four points around the place, each with its share. */
  for (int c = 0; c < 4; c++) {
    int i1 = txLeast(i + c % 2, t->nx - 1), j1 = txLeast(j + c / 2, t->ny - 1);
    double h = (double)t->height[(size_t)j1 * (size_t)t->nx + (size_t)i1];
    if (isnan(h))
      h = lowest;
    sum += across[c % 2] * up[c / 2] * h;
  }
  return sum;
}

/* The ground from an ESRI ASCII grid, stretched over the domain. */
static clStatus readGrid(Program *p, float *ground) {
  clTerrain t = {0};
  TRY(clTerrainRead(&t, p->terrain, &p->show->error));
  clStatus status = TEXLA_OK;
  double lowest = INFINITY;
  int nx = p->show->options.size[0], ny = p->show->options.size[1];
  /* fmin passes over places without a height, which are NaN */
  for (size_t k = 0; k < (size_t)t.nx * (size_t)t.ny; k++)
    lowest = fmin(lowest, (double)t.height[k]);
  if (!isfinite(lowest))
    status = txFail(&p->show->error, TEXLA_BAD_FILE, "--terrain", "%s has no heights at all",
                    p->terrain);
  for (int k = 0; k < nx * ny && !status; k++)
    ground[k] = (float)heightAt(&t, (k % nx + 0.5) / nx, (k / nx + 0.5) / ny, lowest);
  clTerrainFree(&t);
  return status;
}

/* x and y are parts of the domain here. */
static void tabulate(const Program *p, float *values, const demoFormula *formula, double shift) {
  double variable[DEMO_VARIABLES];
  demoVariables(p->show, variable);
  variable[DEMO_W] = 1;
  demoTabulate(values, formula, variable, p->show->options.size, (double[]){shift, 0.5});
}

/* A picture's grey goes from --lowest to --highest, a grid has heights in metres; else the scene's
 * formula says it. */
static clStatus makeGround(Program *p, float *ground) {
  int nx = p->show->options.size[0], ny = p->show->options.size[1];
  if (!p->terrain) {
    tabulate(p, ground, &sceneOf(p)->ground, 0.5);
    return TEXLA_OK;
  }
  const char *suffix = strrchr(p->terrain, '.');
  if (!suffix || strcmp(suffix, ".png") != 0)
    return readGrid(p, ground);
  TRY(demoMaskGrey(ground, nx, ny, p->terrain, "--terrain", &p->show->error));
  for (int k = 0; k < nx * ny; k++)
    ground[k] = (float)(p->lowest + (p->highest - p->lowest) * (double)ground[k]);
  return TEXLA_OK;
}

/* Two variants of one kernel: the map from above, and the surface from the side. */
static clStatus makePictures(Program *p) {
  TRY(clKernelCreate(&p->picture[0], p->show->context, "demo map",
                     "#define MAP\n#include \"water_picture.frag\"\n"));
  return clKernelCreate(&p->picture[1], p->show->context, "demo view",
                        "#include \"water_picture.frag\"\n");
}

/* The parts of a simulation; what was made is there also where the rest fails. */
static clStatus makeParts(Program *p) {
  demoShow *show = p->show;
  clWaterOptions o = waterOptions(p);
  p->ground = malloc(cellsOf(p) * sizeof *p->ground);
  if (!p->ground)
    return demoOutOfMemory(show);
  TRY(makeGround(p, p->ground));
  TRY(gaugesCreate(&p->gauges, sceneOf(p)->gauge, p->gauge_places, p->gauge_csv, &show->error));
  TRY(demoCheck(show, clWaterCreate(&p->water, show->context, &o)));
  return demoCheck(show, makePictures(p));
}

/* A second program is filled, and takes the place of the first one when all of it works. */
static clStatus create(void *self, demoShow *show) {
  Program *p = self, next = *p;
  next.show = p->show = show;
  /* What belongs to one simulation only; all else, the options foremost, is taken over. */
  next.water = NULL;
  next.picture[0] = next.picture[1] = NULL;
  next.sum = NULL;
  next.gauges = (Gauges){0};
  /* the new ones may write the same file */
  gaugesClose(&p->gauges, NULL);
  next.ground = NULL;
  clStatus status = makeParts(&next);
  if (status)
    destroy(&next);
  TRY(status);
  destroy(p);
  *p = next;
  return TEXLA_OK;
}

/* Obstacles stand out of the ground, so far that no water flows over them. */
static clStatus layGround(Program *p) {
  const int *size = p->show->options.size;
  return demoCheck(p->show, clWaterGround(p->water, p->ground, p->show->solid, size[0], size[1]));
}

/* Also called when a scene begins, and when the ground has been changed: there the ground is laid
 * first. */
static clStatus obstacles(void *self) {
  return layGround(self);
}

/* Levels in the middle of cells, currents on the faces between them; over a terrain of the user's
 * the water lies still at level 0. */
static clStatus begin(void *self) {
  Program *p = self;
  /* Levels, then currents, in one piece. */
  size_t n = cellsOf(p);
  float *values = malloc(2 * n * sizeof *values);
  if (!values)
    return demoOutOfMemory(p->show);
  const demoFormula none = {0}, *level = &sceneOf(p)->level, *current = &sceneOf(p)->current;
  if (p->terrain)
    level = current = &none;
  tabulate(p, values, level, 0.5);
  tabulate(p, values + n, current, 1);
  clStatus status = demoCheck(p->show, clWaterUpload(p->water, values, values + n, NULL));
  free(values);
  return status;
}

/* Gauges are read after every step; water that is not finite any more is found after the last one
 * of a picture (demoLooks): one sum, which takes a velocity that is not finite with it a step
 * later. Totals are made only for their message: they would take many programs. */
static clStatus look(Program *p) {
  float sum = 0;
  const clVector *z = NULL;
  clWaterTotals totals;
  TRY(demoCheck(p->show, gaugesRead(&p->gauges, p->water)));
  if (!demoLooks(p->show, clWaterInspect(p->water).steps))
    return TEXLA_OK;
  if (!p->sum)
    TRY(demoCheck(p->show, clFloatCreate(&p->sum, p->show->context)));
  TRY(demoCheck(p->show, clWaterGet(&z, p->water, TEXLA_WATER_Z)));
  TRY(demoCheck(p->show, clVectorSum(p->sum, z)));
  TRY(demoCheck(p->show, clFloatDownload(p->sum, &sum)));
  if (isfinite(sum))
    return TEXLA_OK;
  return demoCheck(p->show, clWaterMeasure(p->water, &totals));
}

/* One step of the scheme, then the gauges. */
static clStatus step(void *self, double *time) {
  Program *p = self;
  /* a system that is solved less well is no end */
  TRY(demoCheck(p->show, clWaterStep(p->water, 1)));
  *time = clWaterInspect(p->water).time;
  return look(p);
}

/* --- the mouse --- */

/* Raises or lowers the ground around a place, by a bit of what the scene shows. */
static clStatus paint(void *self, const demoTouch *t) {
  Program *p = self;
  int nx = p->show->options.size[0], ny = p->show->options.size[1];
  double radius = fmax(t->brush * ny, 1),
         amount = 0.06 * (sceneOf(p)->land + 4 * sceneOf(p)->waves);
  if (t->mode == LOWER_GROUND)
    amount = -amount;
  /* beyond four radii nothing is left of it */
  int low = txWithin((int)(t->y * ny - 4 * radius), 0, ny),
      high = txWithin((int)(t->y * ny + 4 * radius) + 2, 0, ny);
  for (int k = low * nx; k < high * nx; k++) {
    double x = (k % nx + 0.5 - t->x * nx) / radius, y = (k / nx + 0.5 - t->y * ny) / radius;
    p->ground[k] += (float)(amount * exp(-x * x - y * y));
  }
  return TEXLA_OK;
}

/* The ground is what the mouse changes. */
static clStatus placed(void *self, demoState *state) {
  const Program *p = self;
  demoStateFloats(state, "ground", p->ground, cellsOf(p));
  return demoStateStatus(state);
}

/* Gauges of the command line stand for the scene's. */
static const char *list(void *self, FILE *file) {
  const Program *p = self;
  if (!p->gauge_places)
    return NULL;
  if (file)
    gaugesWrite(&p->gauges, file);
  return "gauge";
}

/* In the view a drag turns it. */
static clStatus touch(void *self, const demoTouch *t) {
  Program *p = self;
  clWaterInfo info = clWaterInspect(p->water);
  if (demoField(p->show) == FIELD_VIEW) {
    demoCameraTurn(&p->show->options.camera, t->dx, t->dy);
    return TEXLA_OK;
  }
  double radius = fmax(t->brush * info.height, 2 * info.dx), height = 0.7 * sceneOf(p)->waves;
  if (t->first)
    height = 2 * sceneOf(p)->waves;
  return demoCheck(p->show,
                   clWaterDrop(p->water, t->x * info.width, t->y * info.height, radius, height));
}

/* --- what is seen --- */

/* The ground's range where it is shown: walls and far lands lie outside. */
static double lowestGround(const Program *p) {
  double lowest = 0;
  for (size_t k = 0; k < cellsOf(p); k++)
    lowest = fmin(lowest, (double)p->ground[k]);
  return lowest;
}

/* Map and view share a kernel. Heights are exaggerated so that land, waves and ground together make
 * up about a sixth of the picture. */
static void viewWater(Program *p, int field, demoView *v) {
  clWaterInfo info = clWaterInspect(p->water);
  const clVector *z = NULL, *ground = NULL;
  clWaterGet(&z, p->water, TEXLA_WATER_Z);
  clWaterGet(&ground, p->water, TEXLA_WATER_GROUND);
  bool map = field == FIELD_MAP;
  double scale = demoScale(p->show), low = lowestGround(p), land = sceneOf(p)->land,
         waves = sceneOf(p)->waves;
  /* What lies deeper than eight waves would leave no room for the waves. */
  double exaggeration = 0.16 * info.ny / (land + 6 * waves + fmin(-low, 8 * waves));
  /* A view is painted at half the size. Heights: the lowest ground shown, the highest land,
   * that of waves, and the depth at which water is darkest. */
  const double pixels[] = {scale * info.nx / 2, scale * info.ny / 2};
  const double heights[] = {fmax(low, -8 * waves), land, waves, fmax(-low, 4 * waves)};
  p->run = (clKernelRun){.input = {{"z", z, true}, {"ground", ground, true}}};
  demoCameraAim(&p->show->options.camera, &p->run, (int[]){info.nx, info.ny}, pixels, heights,
                exaggeration, 10 + 2 * map);
  /* software enlarges faster than it paints: a map, too, as long as no cell is lost by that */
  v->half = !map || (clContextInspect(p->show->context)->software && scale >= 2);
  if (map)
    p->run.parameter[3].value[1] = (float)((1 + v->half) / scale);
  v->kernel = p->picture[!map];
  v->run = &p->run;
  v->aslant = !map;
}

/* Fields besides map and view have colours of their own: what has a sign lies around 0. */
static clStatus view(void *self, int field, demoView *v) {
  static const clWaterField fields[FIELDS] = {[FIELD_LEVEL] = TEXLA_WATER_LEVELS,
                                              [FIELD_DEPTH] = TEXLA_WATER_DEPTH,
                                              [FIELD_SPEED] = TEXLA_WATER_SPEED,
                                              [FIELD_VORTICITY] = TEXLA_WATER_VORTICITY};
  static const clColormap maps[FIELDS] = {[FIELD_LEVEL] = TEXLA_COLORMAP_DIVERGING,
                                          [FIELD_DEPTH] = TEXLA_COLORMAP_VIRIDIS,
                                          [FIELD_SPEED] = TEXLA_COLORMAP_MAGMA,
                                          [FIELD_VORTICITY] = TEXLA_COLORMAP_DIVERGING};
  Program *p = self;
  if (field <= FIELD_VIEW) {
    viewWater(p, field, v);
    return TEXLA_OK;
  }
  *v = (demoView){.range = DEMO_POSITIVE,
                  .high = 1e-6,
                  .colormap = maps[field],
                  .falling = true,
                  .clips = field == FIELD_VORTICITY};
  if (field == FIELD_LEVEL || field == FIELD_VORTICITY)
    v->range = DEMO_SIGNED;
  return demoCheck(p->show, clWaterGet(&v->values, p->water, fields[field]));
}

/* For probes in map and view: the level. */
static clStatus valuesInView(void *self, const clVector **values) {
  Program *p = self;
  return demoCheck(p->show, clWaterGet(values, p->water, TEXLA_WATER_LEVELS));
}

/* Velocities on faces; they have divergence where the level changes, so arrows only. */
static clStatus vectors(void *self, demoVectors *vectors) {
  Program *p = self;
  vectors->faces = true;
  TRY(demoCheck(p->show, clWaterGet(&vectors->u, p->water, TEXLA_WATER_U)));
  return demoCheck(p->show, clWaterGet(&vectors->v, p->water, TEXLA_WATER_V));
}

/* What the ground's friction takes where no roughness is given. */
static double ownRoughness(const clWaterOptions *o) {
  if (o->roughness > 0)
    return o->roughness;
  if (o->friction == TEXLA_WATER_CHEZY)
    return 50;
  if (o->friction == TEXLA_WATER_MANNING)
    return 0.03;
  return 0;
}

/* What an option amounts to that has not been given. */
static double own(void *self, const char *option) {
  const Program *p = self;
  clWaterOptions o = waterOptions(p);
  clWaterInfo info = clWaterInspect(p->water);
  if (strcmp(option, "dt") == 0)
    return info.dt;
  if (strcmp(option, "theta") == 0)
    return info.theta;
  if (strcmp(option, "courant") == 0)
    return given(o.courant, 2);
  if (strcmp(option, "width") == 0)
    return info.width;
  if (strcmp(option, "roughness") == 0)
    return ownRoughness(&o);
  return 0;
}

/* Gauges; in the view their places cannot be marked. */
static void draw(void *self, demoOverlay *overlay) {
  Program *p = self;
  gaugesDraw(&p->gauges, overlay, demoField(p->show) == FIELD_VIEW);
}

/* The line below the picture; only scheme five iterates. */
static void tell(void *self, char *text, size_t size) {
  clWaterInfo i = clWaterInspect(((Program *)self)->water);
  int n = snprintf(text, size, "time %.5g  step %lld  dt %.4g", i.time, (long long)i.steps, i.dt);
  if (i.iterations && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, "  %lld iterations, residual %.1e",
             (long long)i.iterations, i.residual);
}

/* For --verbose: the solver, the domain in metres, the step in seconds. */
static void describe(void *self) {
  clWaterInfo i = clWaterInspect(((Program *)self)->water);
  fprintf(stderr, "shallow-water: %s\n", i.solver);
  fprintf(stderr, "shallow-water: %g x %g, cells of %g, dt = %g\n", i.width, i.height, i.dx, i.dt);
}

/* --- results --- */

/* A line of --stats: volume and energy are sums over the cells that hold water. */
static clStatus measure(void *self, double *values) {
  Program *p = self;
  clWaterTotals t = {0};
  clStatus status = demoCheck(p->show, clWaterMeasure(p->water, &t));
  clWaterInfo i = clWaterInspect(p->water);
  const double all[] = {
      i.dt, t.volume, t.energy, t.deepest, t.speed, t.courant, (double)i.iterations, i.residual};
  memcpy(values, all, sizeof all);
  return status;
}

/* Ground, level and velocities along the two centre lines. */
static clStatus profile(void *self, FILE *file) {
  /* Both lines are walks through the same memory: where they begin, and how far the next cell is.
   * */
  static const char *const line[] = {"(s;y=0.5)", "(x=0.5;s)"};
  Program *p = self;
  clWaterInfo info = clWaterInspect(p->water);
  const int length[] = {info.nx, info.ny};
  const double width[] = {info.dx, info.dy};
  const int begin[] = {info.ny / 2 * info.nx, info.nx / 2}, stride[] = {1, info.nx};
  size_t n = cellsOf(p);
  float *values = malloc(TEXLA_WATER_STORED * n * sizeof *values);
  const clVector *field = NULL;
  clStatus status = TEXLA_OK;
  if (!values)
    return demoOutOfMemory(p->show);
  for (size_t f = 0; f < TEXLA_WATER_STORED; f++) {
    TRY_CLEANUP(demoCheck(p->show, clWaterGet(&field, p->water, (clWaterField)f)));
    TRY_CLEANUP(demoCheck(p->show, clVectorDownload(field, values + f * n)));
  }
  fprintf(file, "line,s,ground,level,u,v\n");
  for (int axis = 0; axis < 2; axis++)
    for (int k = 0; k < length[axis]; k++) {
      const float *at = values + begin[axis] + k * stride[axis];
      fprintf(file, "%s,%.9g,%.9g,%.9g,%.9g,%.9g\n", line[axis], (k + 0.5) * width[axis],
              (double)at[TEXLA_WATER_GROUND * n], (double)at[0], (double)at[n], (double)at[2 * n]);
    }
cleanup:
  free(values);
  return status;
}

/* --level-out: the level as an ESRI grid, without data where it is dry. */
static clStatus writeLevel(Program *p) {
  const float dry = 1e-5f;
  clWaterInfo info = clWaterInspect(p->water);
  const clVector *z = NULL, *depth = NULL;
  float *values = malloc(2 * cellsOf(p) * sizeof *values);
  clStatus status = TEXLA_OK;
  if (!values)
    return demoOutOfMemory(p->show);
  float *deep = values + cellsOf(p);
  TRY_CLEANUP(demoCheck(p->show, clWaterGet(&z, p->water, TEXLA_WATER_Z)));
  TRY_CLEANUP(demoCheck(p->show, clVectorDownload(z, values)));
  TRY_CLEANUP(demoCheck(p->show, clWaterGet(&depth, p->water, TEXLA_WATER_DEPTH)));
  TRY_CLEANUP(demoCheck(p->show, clVectorDownload(depth, deep)));
  for (size_t k = 0; k < cellsOf(p); k++)
    if (!(deep[k] > dry))
      values[k] = NAN;
  const clTerrain level = {info.nx, info.ny, 0, 0, info.dx, values};
  status = clTerrainWrite(p->level_out, &level, &p->show->error);
cleanup:
  free(values);
  return status;
}

/* What the end of a run writes. */
static clStatus finish(void *self) {
  Program *p = self;
  TRY(gaugesClose(&p->gauges, &p->show->error));
  if (!p->level_out)
    return TEXLA_OK;
  return writeLevel(p);
}

/* All that a step reads besides the ground: levels, velocities, flows, and what the gauges have
 * seen. */
static clStatus state(void *self, demoState *state) {
  static const char *const name[TEXLA_WATER_STATE] = {
      "z", "before", "u", "v", "flow x 0", "flow x 1", "flow y 0", "flow y 1"};
  Program *p = self;
  clVector *vector[TEXLA_WATER_STATE];
  clWaterInfo info = clWaterInspect(p->water);
  double clock[] = {(double)info.steps, info.time, info.dt};
  demoStateNumbers(state, "clock", clock, 3);
  double samples = p->gauges.samples;
  demoStateNumbers(state, "samples", &samples, 1);
  demoStateFloats(state, "gauges", p->gauges.level[0], (size_t)GAUGES * GAUGE_SAMPLES);
  TRY(demoStateStatus(state));
  if (demoStateLoads(state))
    p->gauges.samples = (int)fmin(fmax(samples, 0), 1e9);
  for (int count = clWaterState(p->water, vector), k = 0; k < count; k++)
    TRY(demoStateVector(p->show, state, name[k], vector[k]));
  if (!demoStateLoads(state))
    return TEXLA_OK;
  return demoCheck(p->show, clWaterResume(p->water, (int64_t)clock[0], clock[1], clock[2]));
}

/* The frame leaves room for plots while there are gauges. */
static bool plots(void *self) {
  return ((const Program *)self)->gauges.count > 0;
}

/* --- the program --- */

/* What options and menus may be; NULL stands behind the last one. */
static const char *const schemes[] = {"adi", "five", NULL};
static const char *const advections[] = {"streamlines", "conserving", "linear", NULL};
static const char *const frictions[] = {"none", "chezy", "manning", NULL}, *const solvers[] = {
                                                                               "cg", "mg", NULL};
/* The first two are pictures, the others fields of the library. */
static const char *const fields[] = {"map", "view", "level", "depth", "speed", "vorticity", NULL};
static const char *const modes[] = {"add water", "raise the ground", "lower the ground", NULL};
static const demoStrokeKind paints[] = {[RAISE_GROUND] = DEMO_RAISE, [LOWER_GROUND] = DEMO_LOWER};
static const char *const curves[] = {"energy", "volume", "deepest,speed", NULL};
/* Columns of --stats with the seconds of passes whose names begin so. */
static const demoStage stages[] = {{"prediction", "water predict"},
                                   {"systems", "water rows,water right,water matrix"},
                                   {"solve", "tridiagonal,banded,cg,grid"},
                                   {"update", "water correct,water update"},
                                   {"totals", "water view,reduce"},
                                   {"others", NULL},
                                   {NULL, NULL}};
static Program theProgram = {
    .scheme = -1, .advection = -1, .friction = -1, .lowest = -10, .highest = 5};
/* A number of 0, or a choice of -1, leaves what the scene says. */
static const txOption options[] = {
    {"scheme", TX_OPTION_CHOICE, &theProgram.scheme, NULL,
     "adi: lines in turn (default), or five: both axes at once, by conjugate gradients",
     .choices = schemes},
    {"advection", TX_OPTION_CHOICE, &theProgram.advection, NULL,
     "transport of the velocities (default: the scene's own)", .choices = advections},
    {"friction", TX_OPTION_CHOICE, &theProgram.friction, NULL,
     "on the ground (default: the scene's own)", .choices = frictions},
    {"roughness", TX_OPTION_REAL, &theProgram.roughness, "C|N", "Chezy's C or Manning's n", 0,
     INFINITY},
    {"solver", TX_OPTION_CHOICE, &theProgram.solver, NULL,
     "of scheme five: the preconditioner, Jacobi's (default cg) or mg", .choices = solvers},
    {"theta", TX_OPTION_REAL, &theProgram.theta, "T",
     "weight of the new time: 1 damps, 0.5 is of second order", 0.4999, 1.0001},
    {"courant", TX_OPTION_REAL, &theProgram.courant, "C", "cells that a wave passes in a step", 0,
     INFINITY},
    {"coriolis", TX_OPTION_REAL, &theProgram.coriolis, "F", "Coriolis parameter, 1/s", -INFINITY,
     INFINITY, .unit = "1/s"},
    {"width", TX_OPTION_REAL, &theProgram.width, "M", "of the domain in metres", 0, INFINITY,
     .unit = "m"},
    {"terrain", TX_OPTION_TEXT, &theProgram.terrain, "FILE",
     "ground from a PNG (grey) or an ESRI ASCII grid; water up to level 0"},
    {"lowest", TX_OPTION_REAL, &theProgram.lowest, "M", "height of a PNG's black (default -10)",
     -INFINITY, INFINITY, .unit = "m"},
    {"highest", TX_OPTION_REAL, &theProgram.highest, "M", "height of a PNG's white (default 5)",
     -INFINITY, INFINITY, .unit = "m"},
    {"gauges", TX_OPTION_TEXT, &theProgram.gauge_places, "X,Y;...",
     "up to 4 places whose level is plotted, in parts of the domain"},
    {"gauge-csv", TX_OPTION_TEXT, &theProgram.gauge_csv, "FILE",
     "writes the gauges' levels, a line per step"},
    {"level-out", TX_OPTION_TEXT, &theProgram.level_out, "FILE",
     "writes the last level as an ESRI ASCII grid"},
    {0}};
/* What the frame needs to know: the texts of --help, and what to call when. */
static const demoProgram program = {
    .name = "shallow-water",
    .summary = "Dam breaks, floods, tides and tsunamis: the shallow water equations over any "
               "ground, in a window, or as numbered PNG pictures or a film where there is no "
               "display or --device asks for another device than the window's.",
    .examples =
        "  shallow-water                          a dam breaks, in a window\n"
        "  shallow-water --scene tsunami --headless --frames 300 --out tsunami.mp4\n"
        "  shallow-water --scene island --gauges \"0.3,0.5;0.7,0.5\" --gauge-csv levels.csv\n"
        "  shallow-water --terrain valley.asc --width 5000 --scene river --level-out flood.asc\n",
    .scenes = demoScenes,
    .rules = sceneRules,
    .scene = &theScene,
    .scene_size = sizeof theScene,
    .fields = fields,
    .options = options,
    .modes = modes,
    .paints = paints,
    .paint = paint,
    .placed = placed,
    .list = list,
    .touch_help = "add water or change the ground (see M); in the view: turn it",
    .erase_help = "draw a wall; from a wall on: erase",
    .cell_bytes = 155,
    .curves = curves,
    .columns = "dt,volume,energy,deepest,speed,courant,iterations,residual",
    .time_unit = "s",
    .units = "s,m^3,m^5/s^2,m,m/s,,,",
    .plots = plots,
    .sketch = sceneSketch,
    .energy_column = 2,
    .stages = stages,
    .create = create,
    .obstacles = obstacles,
    .begin = begin,
    .step = step,
    .view = view,
    .vectors = vectors,
    .values = valuesInView,
    .touch = touch,
    .own = own,
    .measure = measure,
    .draw = draw,
    .finish = finish,
    .tell = tell,
    .describe = describe,
    .profile = profile,
    .state = state,
    .destroy = destroy};

int main(int argc, char **argv) {
  return demoMain(&program, &theProgram, argc, argv);
}
