/* wave: a pond, a double slit, a lens, a membrane. The two-dimensional wave equation, one banded
 * matrix-vector product per step (K9), in a window or, without a display, as pictures or a film. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/camera.h"
#include "common/plot.h"
#include "common/show.h"
#include "core/error.h"
#include "core/numbers.h"
#include "scenes.h"
#include "core/try.h"

typedef struct Program {
  demoShow *show;
  clWave *wave;
  /* edge: -1 is the scene's own */
  int scheme, solver, edge;
  /* what a lens looks like; NULL: none */
  clVector *glass;
  /* of the scene, until the mouse has changed some (`placed`) */
  clWaveSource source[TEXLA_WAVE_SOURCES];
  /* held: the one that the mouse has */
  int sources, held;
  bool placed;
  /* of energy: made for the first arrows, with ... */
  clKernel *flux;
  /* ... its results */
  clVector *momentum[2];
  /* of the view, when it is looked at; ... */
  clKernel *picture;
  clKernelRun run;
  /* ... with walls, and a ground far below */
  clVector *bed;
  /* parts of the scene's speed, as they have been drawn; NULL: none */
  float *medium;
  /* how well cells absorb, 0..1, likewise; ... */
  float *sponge;
  /* ... what the wave does not know yet of both */
  bool painted;
  /* of all waves, parts per time; 0: none */
  double fading;
  /* what a step leaves of the waves, where they fade or cells absorb; NULL: all */
  clVector *damping;
  clKernel *damp;
  clFloat *largest;
  double frequency;
  Scene scene;
} Program;

/* The scene that is shown, which the frame reads before it calls the program. */
static const Scene *sceneOf(const Program *p) {
  return p->show->program->scene;
}

enum { DROP_WAVES, PLACE_SOURCE, REMOVE_SOURCE, SLOW_DOWN, ABSORB, ERASE };

/* --- the wave --- */

/* The domain has the height 1, so that its cells are squares of 1 / ny. The absorbing layer is
 * about a tenth of the shortest way from edge to edge that it lies across, and no more than 16
 * cells on larger grids: what it lets through is too little to be seen then. */
static clWaveOptions waveOptions(const Program *p) {
  const demoOptions *options = &p->show->options;
  clWaveOptions o = {.nx = options->size[0], .ny = options->size[1], .dt = options->dt};
  int shorter = 160;
  o.h = 1. / o.ny;
  o.scheme = (clWaveScheme)p->scheme;
  o.preconditioner = (clPreconditioner)p->solver;
  for (int s = 0; s < 4; s++) {
    o.edge[s] = (clWaveEdge)sceneOf(p)->edge[s];
    if (p->edge >= 0)
      o.edge[s] = (clWaveEdge)p->edge;
    if (o.edge[s] == TEXLA_WAVE_EDGE_ABSORBING)
      shorter = txLeast(shorter, options->size[s / 2]);
  }
  o.layer = txLeast(shorter / 10 + 1, 16);
  return o;
}

/* A grid of the wave's size with these values. */
static clStatus setGrid(const Program *p, clWave *wave, clVector **grid, const float *values) {
  if (!*grid)
    TRY(demoCheck(p->show, clVectorCreateLike(grid, clWaveHeight(wave))));
  return demoCheck(p->show, clVectorUpload(*grid, values));
}

/* A step leaves exp(-r dt) of the waves, where r is what all of them lose and, within a sponge,
 * what that takes. Its strength rises from the edge on, so that waves hardly notice where it
 * begins. */
static clStatus setDamping(Program *p, clWave *wave, float *values) {
  /* per unit of time */
  const double strength = 30;
  size_t n = (size_t)p->show->options.size[0] * (size_t)p->show->options.size[1];
  if (!p->sponge && p->fading <= 0) {
    clVectorDestroy(p->damping);
    p->damping = NULL;
    return TEXLA_OK;
  }
  for (size_t k = 0; k < n; k++) {
    double rate = p->fading;
    if (p->sponge)
      rate += strength * (double)p->sponge[k];
    values[k] = (float)exp(-rate * clWaveInspect(wave).dt);
  }
  return setGrid(p, wave, &p->damping, values);
}

/* The scene's speed and, on it, what was drawn; and what both look like. */
static clStatus setMedium(Program *p, clWave *wave) {
  size_t n = (size_t)p->show->options.size[0] * (size_t)p->show->options.size[1];
  const demoFormula one = {.count = 1, .operation = {{.value = 1}}};
  const demoFormula *speed = &one;
  if (sceneOf(p)->speed.count)
    speed = &sceneOf(p)->speed;
  float *values = malloc(n * sizeof *values);
  double variable[DEMO_VARIABLES];
  if (!values)
    return demoOutOfMemory(p->show);
  demoVariables(p->show, variable);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(setDamping(p, wave, values));
  demoTabulate(values, speed, variable, p->show->options.size, (double[]){0.5, 0.5});
  for (size_t k = 0; k < n && p->medium; k++)
    values[k] *= p->medium[k];
  TRY_CLEANUP(demoCheck(p->show, clWaveSpeed(wave, values)));
  for (size_t k = 0; k < n; k++) {
    values[k] = 2 * fminf(fmaxf(1 - values[k], 0), 0.5f);
    if (p->sponge)
      values[k] = fmaxf(values[k], 1.6f * p->sponge[k]);
  }
  TRY_CLEANUP(setGrid(p, wave, &p->glass, values));
cleanup:
  free(values);
  return status;
}

/* Coarse grids get longer waves of the same height: at least 8 points each. */
static clStatus setSources(const Program *p, clWave *wave) {
  clWaveSource list[TEXLA_WAVE_SOURCES];
  clWaveInfo info = clWaveInspect(wave);
  int count = 0;
  for (int k = 0; k < p->sources; k++) {
    clWaveSource s = p->source[k];
    double longer = fmax(s.frequency / (0.125 * info.c / info.h), 1);
    s.frequency /= longer;
    s.amplitude /= longer * longer;
    s.radius *= longer;
    if (s.amplitude != 0)
      list[count++] = s;
  }
  return demoCheck(p->show, clWaveSources(wave, list, count));
}

/* The scene's sources, or, once the mouse has changed one of them, the user's; at the frequency
 * that was asked for. */
static void takeSources(Program *p) {
  if (!p->placed) {
    p->sources = sceneOf(p)->sources;
    memcpy(p->source, sceneOf(p)->source, sizeof p->source);
  }
  for (int k = 0; k < p->sources && p->frequency > 0; k++) {
    clWaveSource *s = &p->source[k];
    if (s->frequency <= 0)
      continue;
    double ratio = p->frequency / s->frequency;
    /* waves along a line keep their height */
    s->amplitude *= ratio;
    s->frequency *= ratio;
  }
}

/* What was painted goes; the frame paints it anew. */
static void dropMedia(Program *p) {
  free(p->medium);
  free(p->sponge);
  p->medium = p->sponge = NULL;
  p->painted = false;
}

/* A wave with the scene's medium and sources. What was made of the grid of the one before goes
 * first. */
static clStatus createWave(Program *p, clWave **out) {
  clWaveOptions o = waveOptions(p);
  TRY(demoCheck(p->show, clWaveCreate(out, p->show->context, &o)));
  clVectorDestroy(p->glass);
  clVectorDestroy(p->damping);
  p->glass = p->damping = NULL;
  dropMedia(p);
  takeSources(p);
  if (sceneOf(p)->speed.count || p->fading > 0)
    TRY(setMedium(p, *out));
  if (!p->largest)
    TRY(demoCheck(p->show, clFloatCreate(&p->largest, p->show->context)));
  return setSources(p, *out);
}

/* The wave that runs is destroyed when the new one works: a scene that cannot be shown leaves what
 * is on the screen. */
static clStatus create(void *self, demoShow *show) {
  Program *p = self;
  clWave *wave = NULL;
  p->show = show;
  clStatus status = createWave(p, &wave);
  if (status)
    clWaveDestroy(wave);
  TRY(status);
  clWaveDestroy(p->wave);
  p->wave = wave;
  /* of another size, perhaps */
  for (int k = 0; k < 2; k++) {
    clVectorDestroy(p->momentum[k]);
    p->momentum[k] = NULL;
  }
  double variable[DEMO_VARIABLES];
  demoVariables(show, variable);
  return demoSolid(show, sceneOf(p)->solid, sceneOf(p)->solids, variable);
}

/* Walls reflect: there the height stays zero. The view's ground shows them, so it is made anew when
 * it is next looked at. */
static clStatus obstacles(void *self) {
  Program *p = self;
  clVectorDestroy(p->bed);
  p->bed = NULL;
  if (p->painted)
    TRY(setMedium(p, p->wave));
  p->painted = false;
  return demoCheck(p->show, clWaveWalls(p->wave, p->show->solid));
}

/* The height at time 0, from the scene's formula. */
static clStatus begin(void *self) {
  Program *p = self;
  return sceneBegin(sceneOf(p), p->wave, p->show);
}

/* Are all heights finite? */
static clStatus look(Program *p) {
  float largest = 0;
  clWaveInfo info = clWaveInspect(p->wave);
  if (!demoLooks(p->show, info.steps))
    return TEXLA_OK;
  TRY(demoCheck(p->show, clVectorAbsMax(p->largest, clWaveHeight(p->wave))));
  TRY(demoCheck(p->show, clFloatDownload(p->largest, &largest)));
  if (!isfinite(largest))
    return txFail(&p->show->error, TEXLA_NOT_FINITE, "clWaveStep",
                  "the heights are not finite any more at time %.4g", info.time);
  return TEXLA_OK;
}

/* What fading and sponges take out of a step: of the heights of now and of before alike. */
static clStatus damp(Program *p) {
  static const char source[] = "uniform sampler2D x, part;\nvec4 kernel() { return texel(x, "
                               "ivec2(0)) * texel(part, ivec2(0)); }\n";
  clVector *vector[TEXLA_WAVE_STATE];
  if (!p->damp)
    TRY(demoCheck(p->show, clKernelCreate(&p->damp, p->show->context, "wave damp", source)));
  clWaveState(p->wave, vector);
  for (int k = 0; k < 2; k++) {
    const clKernelRun run = {.output = {vector[k]},
                             .input = {{"x", vector[k], false}, {"part", p->damping, false}}};
    TRY(demoCheck(p->show, clKernelExecute(p->damp, &run)));
  }
  return TEXLA_OK;
}

/* What the scene adds at this time, one step of the scheme, and what fades out of it. */
static clStatus step(void *self, double *time) {
  Program *p = self;
  TRY(sceneFeed(sceneOf(p), p->wave, p->show));
  /* a system that is solved less well is shown, not an end */
  TRY(demoCheck(p->show, clWaveStep(p->wave, 1)));
  if (p->damping)
    TRY(damp(p));
  *time = clWaveInspect(p->wave).time;
  return look(p);
}

/* Calls for what has never been made are harmless: destroying NULL does nothing. */
static void destroy(void *self) {
  Program *p = self;
  clWaveDestroy(p->wave);
  clVectorDestroy(p->glass);
  clVectorDestroy(p->bed);
  clVectorDestroy(p->momentum[0]);
  clVectorDestroy(p->momentum[1]);
  clVectorDestroy(p->damping);
  clKernelDestroy(p->damp);
  clKernelDestroy(p->flux);
  clKernelDestroy(p->picture);
  clFloatDestroy(p->largest);
  dropMedia(p);
}

/* --- the mouse --- */

/* High enough to be seen beside the scene's own waves. */
static clStatus drop(Program *p, const demoTouch *t) {
  double radius = fmax(0.5 * t->brush, 2 * clWaveInspect(p->wave).h), height = 1;
  if (sceneOf(p)->most > 0)
    height = 2.5 * sceneOf(p)->most;
  if (!t->first)
    height *= 0.4;
  return demoCheck(p->show, sceneDrop(p->wave, t->x, t->y, radius, height));
}

/* The source nearest to a place; -1: none is near. */
static int findSource(const Program *p, double x, double y, double near) {
  int nearest = -1;
  for (int k = 0; k < p->sources; k++)
    if (hypot(p->source[k].x - x, p->source[k].y - y) < near) {
      near = hypot(p->source[k].x - x, p->source[k].y - y);
      nearest = k;
    }
  return nearest;
}

/* A point whose waves have about the height where the colours end, a third of the domain away. */
static clWaveSource newSource(const Program *p) {
  double frequency = 8, most = 4 * sceneOf(p)->least;
  if (p->frequency > 0)
    frequency = p->frequency;
  else if (p->sources && p->source[0].frequency > 0)
    frequency = p->source[0].frequency;
  if (sceneOf(p)->most > 0)
    most = sceneOf(p)->most;
  return (clWaveSource){.radius = 0.02,
                        .amplitude = 2e4 * most * sqrt(frequency / 10),
                        .frequency = frequency,
                        .ramp = 0.1};
}

/* A press takes the source there, or makes one while there may be more; a drag moves it. */
static clStatus placeSource(Program *p, const demoTouch *t, bool removes) {
  double height = clWaveInspect(p->wave).height, aspect = clWaveInspect(p->wave).width / height;
  double x = height * demoStrokeRounded(t->x * aspect), y = height * demoStrokeRounded(t->y);
  if (t->first)
    p->held = findSource(p, x, y, fmax(t->brush, 0.03));
  if (removes && t->first && p->held >= 0) {
    memmove(&p->source[p->held], &p->source[p->held + 1],
            (size_t)(--p->sources - p->held) * sizeof *p->source);
  } else if (!removes && p->held < 0 && t->first && p->sources < TEXLA_WAVE_SOURCES) {
    p->held = p->sources++;
    p->source[p->held] = newSource(p);
  }
  if (!removes && p->held >= 0) {
    p->source[p->held].x = x;
    p->source[p->held].y = y;
  }
  p->placed = true;
  return setSources(p, p->wave);
}

/* A drawn grid that is made where it is missing, with the same value everywhere; NULL: no
 * memory. */
static float *drawnGrid(const Program *p, float **grid, float value) {
  size_t n = (size_t)p->show->options.size[0] * (size_t)p->show->options.size[1];
  if (*grid)
    return *grid;
  *grid = malloc(n * sizeof **grid);
  for (size_t k = 0; k < n && *grid; k++)
    (*grid)[k] = value;
  return *grid;
}

/* Draws a slow medium or a sponge, or erases both. */
static clStatus paint(void *self, const demoTouch *t) {
  Program *p = self;
  const float slow = 0.6f;
  int nx = p->show->options.size[0], ny = p->show->options.size[1];
  /* rows that the brush may reach */
  int low = txWithin((int)((t->y - t->brush) * ny), 0, ny),
      high = txWithin((int)((t->y + t->brush) * ny) + 2, 0, ny);
  bool media = t->mode != ABSORB && (p->medium || t->mode == SLOW_DOWN);
  bool sponges = t->mode != SLOW_DOWN && (p->sponge || t->mode == ABSORB);
  if ((media && !drawnGrid(p, &p->medium, 1)) || (sponges && !drawnGrid(p, &p->sponge, 0)))
    return demoOutOfMemory(p->show);
  if (!media && !sponges)
    return TEXLA_OK;
  for (int k = low * nx; k < high * nx; k++) {
    double r = hypot(k % nx + 0.5 - t->x * nx, k / nx + 0.5 - t->y * ny) / (t->brush * ny);
    if (r >= 1)
      continue;
    if (t->mode == SLOW_DOWN)
      p->medium[k] = slow;
    else if (t->mode == ABSORB)
      p->sponge[k] = fmaxf(p->sponge[k], (float)(1 - r * r));
    if (t->mode == ERASE && media)
      p->medium[k] = 1;
    if (t->mode == ERASE && sponges)
      p->sponge[k] = 0;
  }
  p->painted = true;
  return TEXLA_OK;
}

/* What the left button does, by its mode. In the view every drag turns the surface. */
static clStatus touch(void *self, const demoTouch *t) {
  Program *p = self;
  /* a drag turns it */
  if (demoField(p->show) == FIELD_VIEW) {
    demoCameraTurn(&p->show->options.camera, t->dx, t->dy);
    return TEXLA_OK;
  }
  if (t->mode == DROP_WAVES)
    return drop(p, t);
  return placeSource(p, t, t->mode == REMOVE_SOURCE);
}

/* A grid that may be there: saved where it is, made or dropped as the state says. */
static clStatus drawnState(Program *p, demoState *state, const char *name, float **grid) {
  size_t n = (size_t)p->show->options.size[0] * (size_t)p->show->options.size[1];
  if (demoStateLoads(state) && !demoStateHas(state, name)) {
    free(*grid);
    *grid = NULL;
  } else if (demoStateLoads(state) && !drawnGrid(p, grid, 0))
    return demoOutOfMemory(p->show);
  if (*grid)
    demoStateFloats(state, name, *grid, n);
  return demoStateStatus(state);
}

/* Sources, media and sponges. */
static clStatus placed(void *self, demoState *state) {
  Program *p = self;
  bool loads = demoStateLoads(state), had = p->medium || p->sponge;
  double numbers[] = {p->placed, p->sources};
  if (loads && !demoStateHas(state, "placed"))
    return TEXLA_OK;
  demoStateNumbers(state, "placed", numbers, 2);
  demoStateNumbers(state, "sources", (double *)p->source, sizeof p->source / (sizeof(double)));
  TRY(drawnState(p, state, "medium", &p->medium));
  TRY(drawnState(p, state, "sponge", &p->sponge));
  if (!loads)
    return TEXLA_OK;
  p->placed = numbers[0] != 0;
  p->sources = (int)fmin(fmax(numbers[1], 0), TEXLA_WAVE_SOURCES);
  if (had || p->medium || p->sponge)
    TRY(setMedium(p, p->wave));
  p->painted = false;
  return setSources(p, p->wave);
}

/* Forgets what the mouse has placed, before another scene begins. */
static void clear(void *self) {
  ((Program *)self)->placed = false;
}

/* Sources that the mouse has changed stand for all of the scene's. */
static const char *list(void *self, FILE *file) {
  const Program *p = self;
  if (!p->placed)
    return NULL;
  if (file && !sceneOf(p)->marked)
    fprintf(file, "marks  sources\n");
  for (int k = 0; k < p->sources && file; k++)
    sceneWriteSource(file, &p->source[k]);
  return "source";
}

/* Sources that the mouse has placed are seen, also once they are the scene's. */
static void draw(void *self, demoOverlay *overlay) {
  const Program *p = self;
  clWaveInfo info = clWaveInspect(p->wave);
  if ((!p->placed && !sceneOf(p)->marked) || demoField(p->show) == FIELD_VIEW)
    return;
  for (int k = 0; k < p->sources; k++)
    demoPlotCross(overlay, p->source[k].x / info.height, p->source[k].y / info.height, k);
}

/* What an option amounts to that has not been given. */
static double own(void *self, const char *option) {
  const Program *p = self;
  if (strcmp(option, "dt") == 0)
    return clWaveInspect(p->wave).dt;
  if (strcmp(option, "frequency") == 0 && p->sources)
    return p->source[0].frequency;
  return 0;
}

/* --- what is seen --- */

/* Waves of height `most` at the sources' frequency have velocities and energies that are known,
 * too. */
static void chooseRange(const Program *p, int field, demoView *v) {
  const Scene *s = sceneOf(p);
  double omega = 6.283185307179586 * s->source[0].frequency;
  v->range = DEMO_SIGNED;
  v->falling = true;
  v->high = s->least;
  if (field == FIELD_ENERGY)
    v->range = DEMO_POSITIVE;
  if (s->most > 0) {
    v->range = DEMO_FIXED;
    v->high = s->most;
    /* where waves meet they are higher */
    v->clips = true;
  }
  if (s->most > 0 && field == FIELD_VELOCITY)
    v->high = omega * s->most;
  if (s->most > 0 && field == FIELD_ENERGY)
    v->high = pow(omega * s->most, 2);
  if (field != FIELD_ENERGY)
    v->low = -v->high;
}

/* How high the scene's waves are seen well. */
static double wavesOf(const Program *p) {
  if (sceneOf(p)->most > 0)
    return 1.3 * sceneOf(p)->most;
  return 2 * sceneOf(p)->least;
}

/* The picture's kernel, and the ground: walls stand out of it. */
static clStatus prepareView(Program *p) {
  const float wall = 1e9f, deep = (float)(-3 * wavesOf(p));
  size_t n = (size_t)p->show->options.size[0] * (size_t)p->show->options.size[1];
  if (!p->picture)
    TRY(demoCheck(p->show, clKernelCreate(&p->picture, p->show->context, "demo view",
                                          "#include \"water_picture.frag\"\n")));
  if (p->bed)
    return TEXLA_OK;
  float *values = malloc(n * sizeof *values);
  if (!values)
    return demoOutOfMemory(p->show);
  for (size_t k = 0; k < n; k++) {
    values[k] = deep;
    if (p->show->solid[k])
      values[k] = wall;
  }
  clStatus status = setGrid(p, p->wave, &p->bed, values);
  free(values);
  return status;
}

/* The heights as a surface that turns (shallow-water's picture). */
static clStatus viewSurface(Program *p, demoView *v) {
  clWaveInfo info = clWaveInspect(p->wave);
  TRY(prepareView(p));
  double scale = demoScale(p->show), waves = wavesOf(p);
  const double pixels[] = {scale * info.nx / 2, scale * info.ny / 2};
  const double heights[] = {-3 * waves, waves, 0.5 * waves, 3 * waves};
  p->run = (clKernelRun){.input = {{"z", clWaveHeight(p->wave), true}, {"ground", p->bed, true}}};
  demoCameraAim(&p->show->options.camera, &p->run, (int[]){info.nx, info.ny}, pixels, heights,
                0.035 * info.ny / waves, 10);
  v->kernel = p->picture;
  v->run = &p->run;
  v->half = v->aslant = true;
  return TEXLA_OK;
}

/* For probes in the view. */
static clStatus valuesInView(void *self, const clVector **values) {
  *values = clWaveHeight(((Program *)self)->wave);
  return TEXLA_OK;
}

/* Which vector is shown and with which colours. The surface is lit by its slopes, which are small
 * where the water is calm: it takes the scene's own colours. */
static clStatus view(void *self, int field, demoView *v) {
  static const clWaveField fields[FIELDS] = {TEXLA_WAVE_HEIGHT, TEXLA_WAVE_HEIGHT,
                                             TEXLA_WAVE_VELOCITY, TEXLA_WAVE_ENERGY};
  static const clColormap maps[FIELDS] = {[FIELD_HEIGHT] = TEXLA_COLORMAP_DIVERGING,
                                          [FIELD_VELOCITY] = TEXLA_COLORMAP_DIVERGING,
                                          [FIELD_ENERGY] = TEXLA_COLORMAP_MAGMA};
  Program *p = self;
  if (field == FIELD_VIEW)
    return viewSurface(p, v);
  chooseRange(p, field, v);
  v->colormap = maps[field];
  /* what looks well in light is not a signed map */
  if (field == FIELD_SURFACE ||
      (field == FIELD_HEIGHT && demoSceneOf(p->show)->field != FIELD_SURFACE))
    v->colormap = (clColormap)sceneOf(p)->colours;
  v->lit = field == FIELD_SURFACE;
  v->tint = p->glass;
  return demoCheck(p->show, clWaveGet(&v->values, p->wave, fields[field]));
}

/* The momentum of the waves, which carries their energy. */
static clStatus vectors(void *self, demoVectors *vectors) {
  Program *p = self;
  const clVector *velocity = NULL;
  if (!p->flux)
    TRY(demoCheck(p->show, clKernelCreate(&p->flux, p->show->context, "wave flux",
                                          "#include \"wave_flux.frag\"\n")));
  for (int k = 0; k < 2 && !p->momentum[k]; k++)
    TRY(demoCheck(p->show, clVectorCreateLike(&p->momentum[k], clWaveHeight(p->wave))));
  TRY(demoCheck(p->show, clWaveGet(&velocity, p->wave, TEXLA_WAVE_VELOCITY)));
  const clKernelRun run = {
      .output = {p->momentum[0], p->momentum[1]},
      .input = {{"height", clWaveHeight(p->wave), false}, {"velocity", velocity, false}}};
  *vectors = (demoVectors){.u = p->momentum[0], .v = p->momentum[1]};
  return demoCheck(p->show, clKernelExecute(p->flux, &run));
}

/* The line below the picture; how often an implicit scheme has iterated stands there, too. */
static void tell(void *self, char *text, size_t size) {
  clWaveInfo i = clWaveInspect(((Program *)self)->wave);
  int n = snprintf(text, size, "time %.2f  step %lld  dt %.5f (beta %.3f)", i.time,
                   (long long)i.steps, i.dt, i.beta);
  if (i.scheme != TEXLA_WAVE_EXPLICIT && n > 0 && (size_t)n < size)
    snprintf(text + n, size - (size_t)n, "  %lld iteration%.*s, residual %.1e",
             (long long)i.iterations, i.iterations != 1, "s", i.residual);
}

/* For --verbose: how the product is stored, and the bound of the time step, c dt / h <= 1 /
 * sqrt(2). */
static void describe(void *self) {
  clWaveInfo i = clWaveInspect(((Program *)self)->wave);
  fprintf(stderr, "wave: matrix: %s\n", i.storage);
  fprintf(stderr, "wave: h = %g, c = %g, dt = %g (largest stable: %g)\n", i.h, i.c, i.dt, i.dt_max);
}

/* --- results --- */

/* A line of --stats: dt, energy, iterations, residual. */
static clStatus measure(void *self, double *values) {
  Program *p = self;
  clWaveInfo i = clWaveInspect(p->wave);
  values[0] = i.dt;
  values[2] = (double)i.iterations;
  values[3] = i.residual;
  return demoCheck(p->show, clWaveEnergy(p->wave, &values[1]));
}

/* The mean of the heights on both sides of a centre line: place k of the line along x (axis 0) or
 * y. */
static double onCentreLine(const float *u, const int size[2], int axis, int k) {
  const int stride[] = {1, size[0]}, across = 1 - axis;
  int low = (size[across] - 1) / 2, high = size[across] / 2, at = k * stride[axis];
  return ((double)u[at + low * stride[across]] + (double)u[at + high * stride[across]]) / 2;
}

/* The height along the two centre lines, with its place s in heights of the domain. */
static clStatus profile(void *self, FILE *file) {
  static const char *const line[] = {"u(s;y=0.5)", "u(x=0.5;s)"};
  Program *p = self;
  const int *size = p->show->options.size;
  float *u = malloc((size_t)size[0] * (size_t)size[1] * sizeof *u);
  if (!u)
    return demoOutOfMemory(p->show);
  clStatus status = demoCheck(p->show, clVectorDownload(clWaveHeight(p->wave), u));
  fprintf(file, "line,s,height\n");
  for (int axis = 0; axis < 2 && !status; axis++)
    for (int k = 0; k < size[axis]; k++)
      fprintf(file, "%s,%.9g,%.9g\n", line[axis], (k + 0.5) / size[1],
              onCentreLine(u, size, axis, k));
  free(u);
  return status;
}

/* All that a step reads: two heights, and what the absorbing layer remembers of both axes. */
static clStatus state(void *self, demoState *state) {
  static const char *const name[TEXLA_WAVE_STATE] = {"now", "before", "layer x", "layer y"};
  Program *p = self;
  clVector *vector[TEXLA_WAVE_STATE];
  double steps = (double)clWaveInspect(p->wave).steps;
  demoStateNumbers(state, "clock", &steps, 1);
  for (int count = clWaveState(p->wave, vector), k = 0; k < count; k++)
    TRY(demoStateVector(p->show, state, name[k], vector[k]));
  if (!demoStateLoads(state))
    return TEXLA_OK;
  return demoCheck(p->show, clWaveResume(p->wave, (int64_t)steps));
}

/* --- the program --- */

/* What options and menus may be; NULL stands behind the last one. */
static const char *const schemes[] = {"explicit", "crank-nicolson", "conserving", NULL};
static const char *const edges[] = {"reflecting", "fixed", "absorbing", "periodic", NULL};
static const char *const fields[] = {"height", "surface", "velocity", "energy", "view", NULL};
static const char *const solvers[] = {"cg", "jacobi", "chebyshev", "mg", NULL};
static const char *const modes[] = {"drop waves",
                                    "place or move a source",
                                    "remove a source",
                                    "draw a slow medium",
                                    "draw what absorbs",
                                    "erase media",
                                    NULL};
static const demoStrokeKind paints[] = {
    [SLOW_DOWN] = DEMO_SLOW, [ABSORB] = DEMO_ABSORB, [ERASE] = DEMO_CLEAR};
static const char *const curves[] = {"energy", "iterations,residual", NULL};
/* Columns of --stats with the seconds of passes whose names begin so. */
static const demoStage stages[] = {{"product", "banded"},     {"layers", "wave layer"},
                                   {"sources", "wave force"}, {"reductions", "reduce"},
                                   {"others", NULL},          {NULL, NULL}};
static Program theProgram = {.edge = -1};
static const txOption options[] = {
    {"edge", TX_OPTION_CHOICE, &theProgram.edge, NULL, "all four edges (default: the scene's own)",
     .choices = edges},
    {"frequency", TX_OPTION_REAL, &theProgram.frequency, "F",
     "of all sources (default: the scene's own)", 0, INFINITY, .unit = "1/s"},
    {"damping", TX_OPTION_REAL, &theProgram.fading, "R",
     "waves fade everywhere, as exp(-R t) (default 0: they do not)", -1e-9, INFINITY,
     .unit = "1/s"},
    {"scheme", TX_OPTION_CHOICE, &theProgram.scheme, NULL,
     "explicit (default), or implicit: damped, or without loss of energy", .choices = schemes},
    {"solver", TX_OPTION_CHOICE, &theProgram.solver, NULL,
     "of the implicit schemes: conjugate gradients, plain (default) or with a preconditioner",
     .choices = solvers},
    {0}};
/* What the frame needs to know: the texts of --help, and what to call when. */
static const demoProgram program = {
    .name = "wave",
    .summary = "A pond, a double slit, a lens, a membrane: the two-dimensional wave "
               "equation, in a window, or as numbered PNG pictures or a film where there is "
               "no display or --device asks for another device than the window's.",
    .examples = "  wave                                a drop in a pond, in a window\n"
                "  wave --scene double-slit --headless --frames 300 --out slit.mp4\n"
                "  wave --scene lens --field surface --colormap viridis\n"
                "  wave --scheme conserving --solver mg --dt 0.02 --stats energy.csv\n"
                "  wave --obstacles harbour.png --size 640x480 --edge absorbing\n",
    .scenes = demoScenes,
    .rules = sceneRules,
    .scene = &theProgram.scene,
    .scene_size = sizeof theProgram.scene,
    .fields = fields,
    .options = options,
    .modes = modes,
    .touch_help = "drop waves; or sources, media (see M); in the view: turn it",
    .erase_help = "draw a wall; from a wall on: erase",
    .cell_bytes = 140,
    .time_unit = "s",
    .columns = "dt,energy,iterations,residual",
    .curves = curves,
    .energy_column = 1,
    .stages = stages,
    .create = create,
    .obstacles = obstacles,
    .begin = begin,
    .step = step,
    .view = view,
    .vectors = vectors,
    .values = valuesInView,
    .touch = touch,
    .paints = paints,
    .paint = paint,
    .placed = placed,
    .clear = clear,
    .list = list,
    .own = own,
    .sketch = sceneSketch,
    .measure = measure,
    .draw = draw,
    .tell = tell,
    .describe = describe,
    .profile = profile,
    .state = state,
    .destroy = destroy};

int main(int argc, char **argv) {
  return demoMain(&program, &theProgram, argc, argv);
}
