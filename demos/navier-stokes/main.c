/* navier-stokes: smoke, wakes, jets and vortices. Incompressible flow on a staggered grid (K11), in
 * a window or, without a display, as pictures or a film. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/paint.h"
#include "common/show.h"
#include "common/walls.h"
#include "jets.h"
#include "scenes.h"

typedef struct Program {
  demoShow *show;
  clFlow *flow;
  /* made when they are looked at, as the inks are */
  clFlowStreaks *streaks;
  clFlowInks *inks;
  clKernel *ink_picture;
  /* 1 where there is one, for that picture */
  clVector *stones;
  clKernelRun ink_run;
  /* scheme, stepping: -1 is the scene's own */
  int scheme, stepping, solver;
  /* gamma, confinement: -1 is the scene's own */
  double re, tolerance, gamma, confinement;
  bool implicit;
  /* steps whose divergence stayed above the tolerance */
  int64_t missed;
  /* what the scheme makes of it; NaN: not known */
  double reynolds;
  /* that the mouse has placed */
  Jets jets;
  Scene scene;
} Program;

enum { STREAKS = TEXLA_FLOW_FIELDS, INKS, FIELDS };

static const Scene *sceneOf(const Program *p) {
  return p->show->program->scene;
}

/* --- the flow --- */

static clFlowOptions flowOptions(const Program *p) {
  const Scene *s = sceneOf(p);
  const demoOptions *options = &p->show->options;
  clFlowOptions o = sceneFlowOptions(s);
  o.nx = options->size[0];
  o.ny = options->size[1];
  o.h = 1. / o.ny;
  o.viscosity = sceneViscosity(s, p->re);
  o.diffusivity = sceneDiffusivity(s, p->re);
  o.dt = options->dt;
  o.tolerance = p->tolerance > 0 ? p->tolerance : o.tolerance;
  o.implicit = p->implicit;
  o.confinement = p->confinement >= 0 ? p->confinement : o.confinement;
  if (p->scheme >= 0)
    o.scheme = (clFlowScheme)p->scheme;
  bool donor = o.scheme == TEXLA_FLOW_DONOR_CELL;
  o.stepping = donor ? TEXLA_FLOW_MIDPOINT : TEXLA_FLOW_EULER;
  if (p->stepping >= 0)
    o.stepping = (clFlowStepping)p->stepping;
  /* central differences alone would run away */
  if (donor && o.viscosity == 0 && o.gamma == 0)
    o.gamma = 0.5;
  if (p->gamma >= 0)
    o.gamma = p->gamma;
  o.solver = (clFlowSolver)p->solver;
  return o;
}

static void destroy(void *self) {
  Program *p = self;
  clFlowStreaksDestroy(p->streaks);
  clFlowInksDestroy(p->inks);
  clKernelDestroy(p->ink_picture);
  clVectorDestroy(p->stones);
  clFlowDestroy(p->flow);
  p->streaks = NULL;
  p->inks = NULL;
  p->ink_picture = NULL;
  p->stones = NULL;
  p->flow = NULL;
}

/* show->walls and show->solid <- the scene's smooth wall, in the middle of cells. */
static void setWall(demoShow *show, const demoFormula *wall) {
  const int *size = show->options.size;
  double variable[DEMO_VARIABLES];
  demoVariables(show, variable);
  demoTabulate(show->walls, wall, variable, size, (double[]){0.5, 0.5});
  for (int k = 0; k < size[0] * size[1]; k++) {
    show->walls[k] *= (float)size[1];
    show->solid[k] = show->walls[k] <= 0;
  }
}

static clStatus create(void *self, demoShow *show) {
  Program *p = self;
  p->show = show;
  clFlowOptions o = flowOptions(p);
  clFlow *flow = NULL;
  clStatus status = demoCheck(show, clFlowCreate(&flow, show->context, &o));
  if (status)
    return status;
  destroy(p);
  p->flow = flow;
  double variable[DEMO_VARIABLES];
  demoVariables(show, variable);
  status = demoSolid(show, sceneOf(p)->solid, sceneOf(p)->solids, variable);
  if (!status && sceneOf(p)->wall.count)
    setWall(show, &sceneOf(p)->wall);
  return status;
}

/* Where stones are, for the picture of inks; nothing before that is looked at. */
static clStatus setStones(Program *p) {
  int cells = p->show->options.size[0] * p->show->options.size[1];
  float *values = p->stones ? malloc((size_t)cells * sizeof *values) : NULL;
  clStatus status = p->stones && !values ? demoOutOfMemory(p->show) : TEXLA_OK;
  for (int k = 0; k < cells && values; k++)
    values[k] = demoPaintStone(p->show->walls[k]);
  if (values)
    status = demoCheck(p->show, clVectorUpload(p->stones, values));
  free(values);
  return status;
}

/* Edges that go through cells cut them. */
static clStatus setWalls(Program *p) {
  const demoShow *show = p->show;
  int cells = show->options.size[0] * show->options.size[1];
  if (!demoWallsCut(show->walls, cells))
    return clFlowObstacles(p->flow, show->solid);
  float *distance = malloc((size_t)cells * sizeof *distance);
  if (!distance)
    return demoOutOfMemory(p->show);
  for (int k = 0; k < cells; k++)
    distance[k] = show->walls[k] / (float)show->options.size[1];
  clStatus status = clFlowWalls(p->flow, distance);
  free(distance);
  return status;
}

static clStatus obstacles(void *self) {
  Program *p = self;
  clStatus status = demoCheck(p->show, setWalls(p));
  return status ? status : setStones(p);
}

static clStatus begin(void *self) {
  Program *p = self;
  return sceneBegin(sceneOf(p), p->flow, p->show);
}

static clStatus makeStreaks(Program *p) {
  const clFlowStreaksOptions o = {
      .scale = demoScale(p->show), .fade = sceneOf(p)->fade, .seed = (int)p->show->options.seed};
  return p->streaks ? TEXLA_OK : demoCheck(p->show, clFlowStreaksCreate(&p->streaks, p->flow, &o));
}

static clStatus makeInks(Program *p) {
  static const char source[] = "#define STONES\n#include \"ink_picture.frag\"\n";
  const clFlowOptions o = flowOptions(p);
  if (p->inks)
    return TEXLA_OK;
  /* otherwise finer than the flow */
  bool software = clContextInspect(p->show->context)->software;
  const clFlowInksOptions options = {.scale = software ? 1 : 2, .decay = o.decay};
  clStatus status =
      p->stones ? TEXLA_OK : clVectorCreateGrid(&p->stones, p->show->context, o.nx, o.ny);
  if (!status && !p->ink_picture)
    status = clKernelCreate(&p->ink_picture, p->show->context, "demo inks", source);
  if (!status)
    status = clFlowInksCreate(&p->inks, p->flow, &options);
  status = demoCheck(p->show, status);
  if (!status)
    status = setStones(p);
  return status ? status : sceneInks(sceneOf(p), p->inks, p->flow, p->show);
}

static clStatus step(void *self, double *time) {
  Program *p = self;
  clStatus status = demoField(p->show) == INKS ? makeInks(p) : TEXLA_OK;
  if (!status)
    status = sceneFeed(sceneOf(p), p->flow, p->inks, p->show);
  if (!status)
    status = demoCheck(p->show, jetsFeed(&p->jets, p->flow, clFlowInspect(p->flow).dt,
                                         0.8 * sceneOf(p)->dye_most));
  if (!status) {
    /* a divergence above its tolerance is said, not an end */
    clStatus stepped = clFlowStep(p->flow, 1);
    p->missed += stepped == TEXLA_NOT_CONVERGED;
    status = demoCheck(p->show, stepped);
  }
  *time = clFlowInspect(p->flow).time;
  if (!status && demoField(p->show) == STREAKS)
    status = makeStreaks(p);
  if (!status && demoField(p->show) == STREAKS)
    status = demoCheck(p->show, clFlowStreaksStep(p->streaks));
  if (!status && p->inks)
    status = demoCheck(p->show, clFlowInksStep(p->inks));
  return status;
}

enum { PUSH, PLACE_JET, REMOVE_JET };

/* A drag pushes with its own speed: so far within a picture's steps. */
static clStatus touch(void *self, const demoTouch *t) {
  Program *p = self;
  clFlowInfo info = clFlowInspect(p->flow);
  if (t->mode != PUSH) {
    jetsTouch(&p->jets, t, info.width / info.height, t->mode == REMOVE_JET);
    return TEXLA_OK;
  }
  double dt = fmax(info.dt, 1e-4) * (double)demoSteps(p->show), most = 3;
  double u = fmax(-most, fmin(most, 0.3 * t->dx * info.width / dt));
  double v = fmax(-most, fmin(most, 0.3 * t->dy * info.height / dt));
  double x = t->x * info.width, y = t->y * info.height, radius = t->brush * info.height,
         dye = 0.35 * sceneOf(p)->dye_most;
  float ink[4];
  sceneInk(0.2 * info.time, dye, ink);
  clStatus status = demoCheck(p->show, clFlowSplat(p->flow, x, y, radius, u, v, dye));
  return status || !p->inks ? status
                            : demoCheck(p->show, clFlowInksSplat(p->inks, x, y, radius, ink));
}

static clStatus placed(void *self, demoState *state) {
  return jetsPlaced(&((Program *)self)->jets, state);
}

static void clear(void *self) {
  ((Program *)self)->jets.count = 0;
}

static void draw(void *self, demoOverlay *overlay) {
  jetsDraw(&((Program *)self)->jets, overlay);
}

/* What an option amounts to that has not been given. */
static double own(void *self, const char *option) {
  const Program *p = self;
  clFlowOptions o = flowOptions(p);
  if (strcmp(option, "re") == 0)
    return sceneOf(p)->re;
  if (strcmp(option, "dt") == 0)
    return clFlowInspect(p->flow).dt;
  if (strcmp(option, "gamma") == 0)
    return o.gamma;
  if (strcmp(option, "confinement") == 0)
    return o.confinement;
  if (strcmp(option, "tolerance") == 0 && o.tolerance > 0)
    return o.tolerance;
  return strcmp(option, "tolerance") == 0 ? 1e-3 : 0;
}

/* --- what is seen --- */

static clStatus viewInks(Program *p, demoView *v) {
  const int *size = p->show->options.size;
  clStatus status = makeInks(p);
  if (status)
    return status;
  const clVector *values = clFlowInksValues(p->inks);
  float columns = (float)clVectorRowLength(values) / 4, cells = 1 / (float)demoScale(p->show),
        places = cells * columns / (float)size[0];
  v->half = clContextInspect(p->show->context)->software && places <= 0.5f;
  float larger = v->half ? 2 : 1;
  p->ink_run = (clKernelRun){.input = {{"inks", values, true}, {"solid", p->stones, true}},
                             .parameter = {{"sizes",
                                            4,
                                            {columns, columns / (float)size[0] * (float)size[1],
                                             larger * places, larger * cells}},
                                           {"light", 1, {3}}}};
  v->kernel = p->ink_picture;
  v->run = &p->ink_run;
  return TEXLA_OK;
}

static clStatus view(void *self, int field, demoView *v) {
  static const demoView own[FIELDS] = {
      [TEXLA_FLOW_U] = {.range = DEMO_SIGNED, .colormap = TEXLA_COLORMAP_DIVERGING, .clips = true},
      [TEXLA_FLOW_V] = {.range = DEMO_SIGNED, .colormap = TEXLA_COLORMAP_DIVERGING, .clips = true},
      [TEXLA_FLOW_PRESSURE] = {.range = DEMO_CENTRED,
                               .colormap = TEXLA_COLORMAP_DIVERGING,
                               .clips = true},
      [TEXLA_FLOW_DYE] = {.range = DEMO_FIXED, .colormap = TEXLA_COLORMAP_MAGMA},
      [TEXLA_FLOW_SPEED] = {.range = DEMO_POSITIVE,
                            .colormap = TEXLA_COLORMAP_VIRIDIS,
                            .clips = true},
      [TEXLA_FLOW_VORTICITY] = {.range = DEMO_SIGNED,
                                .colormap = TEXLA_COLORMAP_DIVERGING,
                                .clips = true},
      [TEXLA_FLOW_DIVERGENCE] = {.range = DEMO_SIGNED,
                                 .colormap = TEXLA_COLORMAP_DIVERGING,
                                 .clips = true},
      [STREAKS] = {.range = DEMO_FIXED, .colormap = TEXLA_COLORMAP_MAGMA}};
  Program *p = self;
  *v = own[field];
  v->high = field == STREAKS ? 1 : 1e-6;
  if (field == TEXLA_FLOW_DYE)
    v->high = sceneOf(p)->dye_most;
  v->clips |= field == TEXLA_FLOW_DYE && v->high < 1;
  if (field == INKS)
    return viewInks(p, v);
  clStatus status = field == STREAKS ? makeStreaks(p) : TEXLA_OK;
  v->values = status ? NULL : clFlowStreaksTrails(p->streaks);
  if (field == STREAKS)
    return status;
  return demoCheck(p->show, clFlowGet(&v->values, p->flow, (clFlowField)field));
}

static clStatus vectors(void *self, demoVectors *vectors) {
  Program *p = self;
  vectors->faces = vectors->closed = true;
  clStatus status = clFlowGet(&vectors->u, p->flow, TEXLA_FLOW_U);
  if (!status)
    status = clFlowGet(&vectors->v, p->flow, TEXLA_FLOW_V);
  return demoCheck(p->show, status);
}

/* p->reynolds: of what the scheme makes of the viscosity, where energy comes from nowhere else. */
static clStatus measureViscosity(Program *p) {
  double viscosity = NAN;
  clStatus status = demoCheck(p->show, clFlowViscosity(p->flow, &viscosity));
  p->reynolds = viscosity > 0 ? sceneOf(p)->length * sceneOf(p)->speed / viscosity : NAN;
  return status;
}

static void tell(void *self, char *text, size_t size) {
  Program *p = self;
  clFlowInfo i = clFlowInspect(p->flow);
  char reynolds[40] = "";
  if (!measureViscosity(p) && p->reynolds > 0) {
    /* two digits */
    double unit = pow(10, floor(log10(p->reynolds)) - 1);
    snprintf(reynolds, sizeof reynolds, "  effective Re %g", unit * round(p->reynolds / unit));
  }
  snprintf(text, size, "time %.2f  step %lld  dt %.4f  %lld %s, divergence %.1e%s", i.time,
           (long long)i.steps, i.dt, (long long)i.iterations,
           i.iterations == 1 ? "iteration" : "iterations", i.divergence, reynolds);
}

/* Which length and speed the Reynolds number is of. */
static void announce(void *self, FILE *file) {
  const Program *p = self;
  const Scene *s = sceneOf(p);
  double re = p->re > 0 ? p->re : s->re;
  char number[40] = "no viscosity; --re would be";
  if (re > 0)
    snprintf(number, sizeof number, "Reynolds number %g", re);
  fprintf(file, "navier-stokes: %s of %s (%g) and the speed %s (%g)\n", number, s->length_name,
          s->length, s->speed_name, s->speed);
}

static void describe(void *self) {
  fprintf(stderr, "navier-stokes: pressure: %s\n", clFlowInspect(((Program *)self)->flow).solver);
}

/* --- results --- */

/* The columns of --stats, in this order. */
enum {
  DT,
  ENERGY,
  DIVERGENCE,
  CORRECTIONS,
  ITERATIONS,
  CHANGE,
  EFFECTIVE_RE,
  DRAG,
  LIFT,
  DIFFERENCE,
  WAKE,
  /* of four sides */
  FLUX,
  /* at the bottom, at the top */
  FRICTION = FLUX + 4,
  /* from, to; at the bottom, at the top */
  BACKFLOW = FRICTION + 2,
  /* of four sides, both */
  DYE_FLUX = BACKFLOW + 2 * 2,
  NUSSELT = DYE_FLUX + 4,
  COLUMNS = NUSSELT + 4
};
_Static_assert((int)COLUMNS <= (int)DEMO_COLUMNS, "a line of --stats must hold all columns");
static const char columns[] =
    "dt,kinetic_energy,max_divergence,corrections,iterations,velocity_change,effective_re,"
    "drag,lift,pressure_difference,"
    "wake_length,flux_left,flux_right,flux_bottom,flux_top,friction_bottom,friction_top,back_"
    "bottom_from,back_bottom_to,"
    "back_top_from,back_top_to,dye_left,dye_right,dye_bottom,dye_top,nusselt_left,nusselt_right,"
    "nusselt_bottom,nusselt_top";
static const char column_words[] =
    "  velocity_change        |u - u'| / (|u| dt), over all faces\n"
    "  effective_re           what the scheme makes of --re, where energy comes from\n"
    "                         nowhere else\n"
    "  drag, lift             of all obstacles: 2 F / (U^2 L), of the scene's speed U\n"
    "                         and length L\n"
    "  pressure_difference    between the two places of the scene's line 'between'\n"
    "  wake_length            how far the flow goes back behind the scene's place\n"
    "                         'behind'\n"
    "  flux_left ...          what flows out through a side, area per time\n"
    "  friction_bottom ...    shear stress along a wall, summed up\n"
    "  back_bottom_from, ...  the longest part of a wall where the flow beside it goes\n"
    "                         back: where it separates and lies down again\n"
    "  dye_left, ...          what flows out through a side with the dye (heat): carried\n"
    "                         and conducted\n"
    "  nusselt_left, ...      of walls that hold their dye opposite each other: the flux\n"
    "                         in parts of what would be conducted at rest\n"
    "  lengths in heights of the domain, stresses and pressures per density, empty where\n"
    "  there is nothing to measure\n";

/* Groups of columns that are plotted over time; those behind the first few are of measurePlaces. */
enum { FREE_CURVES = 4 };
static const char *const curves[] = {"drag,lift",
                                     "kinetic_energy",
                                     "velocity_change",
                                     "effective_re",
                                     "friction_bottom,friction_top",
                                     "flux_left,flux_right,flux_bottom,flux_top",
                                     "back_bottom_to,back_top_from,back_top_to",
                                     "nusselt_left,nusselt_right,nusselt_bottom,nusselt_top",
                                     "wake_length",
                                     "pressure_difference",
                                     NULL};

/* Drag and lift are of obstacles, the wake behind one too. */
static bool hasCurves(void *self, int group) {
  const Program *p = self;
  int cells = p->show->options.size[0] * p->show->options.size[1], k = 0;
  if (strcmp(curves[group], "drag,lift") != 0 && strcmp(curves[group], "wake_length") != 0)
    return true;
  while (k < cells && !p->show->solid[k])
    k++;
  return k < cells;
}

/* What the two walls along the stream feel. */
static clStatus measureWall(Program *p, clGridSide side, double *friction, double *backflow) {
  clFlowInfo i = clFlowInspect(p->flow);
  float *shear = malloc((size_t)i.nx * sizeof *shear);
  clStatus status =
      shear ? demoCheck(p->show, clFlowShear(p->flow, side, shear)) : demoOutOfMemory(p->show);
  *friction = 0;
  for (int k = 0; k < i.nx && !status; k++)
    *friction += (double)shear[k] * i.h;
  free(shear);
  return status ? status : demoCheck(p->show, clFlowBackflow(p->flow, side, backflow));
}

/* What flows through a side, and the heat. */
static clStatus measureSide(Program *p, clGridSide side, double *values) {
  clStatus status = demoCheck(p->show, clFlowFlux(p->flow, side, &values[FLUX + (int)side]));
  if (!status)
    status = demoCheck(p->show, clFlowDyeFlux(p->flow, side, &values[DYE_FLUX + (int)side]));
  if (status)
    return status;
  return demoCheck(p->show, clFlowNusselt(p->flow, side, &values[NUSSELT + (int)side]));
}

/* What takes many read-backs. */
static clStatus measurePlaces(Program *p, double *values) {
  const Scene *s = sceneOf(p);
  const double *at = s->between;
  double pressure[2] = {NAN, NAN};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 2 && (at[0] > 0 || at[2] > 0) && !status; k++)
    status = demoCheck(p->show, clFlowPressure(p->flow, at[2 * k], at[2 * k + 1], &pressure[k]));
  values[DIFFERENCE] = pressure[0] - pressure[1];
  values[WAKE] = NAN;
  if (s->behind[0] > 0 && !status)
    status = demoCheck(p->show, clFlowWake(p->flow, s->behind[0], s->behind[1], &values[WAKE]));
  for (int k = 0; k < 4 && !status; k++)
    status = measureSide(p, (clGridSide)k, values);
  for (int k = 0; k < 2 && !status; k++)
    status = measureWall(p, (clGridSide)(TEXLA_SIDE_BOTTOM + k), &values[FRICTION + k],
                         &values[BACKFLOW + 2 * k]);
  return status;
}

static clStatus measure(void *self, double *values) {
  Program *p = self;
  const Scene *s = sceneOf(p);
  clFlowInfo i = clFlowInspect(p->flow);
  values[DT] = i.dt;
  values[DIVERGENCE] = i.divergence;
  values[CORRECTIONS] = i.corrections;
  values[ITERATIONS] = (double)i.iterations;
  clFlowForce f = {0};
  clStatus status = demoCheck(p->show, clFlowEnergy(p->flow, &values[ENERGY]));
  if (!status)
    status = demoCheck(p->show, clFlowChange(p->flow, &values[CHANGE]));
  if (!status)
    status = measureViscosity(p);
  if (!status)
    status = demoCheck(p->show, clFlowForces(p->flow, &f));
  double dynamic = 0.5 * s->speed * s->speed * s->length;
  values[EFFECTIVE_RE] = p->reynolds;
  values[DRAG] = (f.pressure[0] + f.friction[0]) / dynamic;
  values[LIFT] = (f.pressure[1] + f.friction[1]) / dynamic;
  bool places = p->show->options.stats || p->show->options.curves > FREE_CURVES;
  return status || !places ? status : measurePlaces(p, values);
}

static clStatus finish(void *self) {
  Program *p = self;
  if (p->missed)
    fprintf(stderr,
            "navier-stokes: %lld steps left more divergence than the tolerance: --tolerance or "
            "--dt is too ambitious\n",
            (long long)p->missed);
  return TEXLA_OK;
}

/* The shear stress at the walls, with its place in heights: where it changes its sign the flow
 * separates or lies down again. */
static clStatus profileShear(Program *p, FILE *file) {
  static const char *const name[] = {"left", "right", "bottom", "top"};
  clFlowInfo info = clFlowInspect(p->flow);
  float *values = malloc((size_t)(info.nx > info.ny ? info.nx : info.ny) * sizeof *values);
  clStatus status = values ? TEXLA_OK : demoOutOfMemory(p->show);
  for (int s = 0; s < 4 && !status; s++) {
    status = demoCheck(p->show, clFlowShear(p->flow, (clGridSide)s, values));
    for (int k = 0; k < (s < 2 ? info.ny : info.nx) && !status &&
                    flowOptions(p).side[s].edge == TEXLA_FLOW_NO_SLIP;
         k++)
      fprintf(file, "shear(s;%s),%.9g,%.9g\n", name[s], (k + 1) * info.h, (double)values[k]);
  }
  free(values);
  return status;
}

/* The velocity along the two centre lines: s, u(1/2, s), v(s, 1/2), with s from 0 to 1 along each;
 * and the walls' shear. */
static clStatus profile(void *self, FILE *file) {
  Program *p = self;
  clFlowInfo info = clFlowInspect(p->flow);
  const int nx = info.nx, ny = info.ny;
  const clVector *field = NULL;
  float *values = malloc((size_t)nx * (size_t)ny * sizeof *values);
  clStatus status = values ? TEXLA_OK : demoOutOfMemory(p->show);
  fprintf(file, "line,s,velocity\n");
  for (int axis = 0; axis < 2 && !status; axis++) {
    int n = axis ? nx : ny, across = axis ? ny : nx;
    status = demoCheck(p->show, clFlowGet(&field, p->flow, axis ? TEXLA_FLOW_V : TEXLA_FLOW_U));
    if (!status)
      status = demoCheck(p->show, clVectorDownload(field, values));
    for (int k = 0; k < n && !status; k++) {
      /* faces beside the middle */
      int low = (across - 1) / 2 - (across % 2 ? 1 : 0), high = (across - 1) / 2;
      low = low < 0 ? 0 : low;
      double a = (double)(axis ? values[low * nx + k] : values[k * nx + low]);
      double b = (double)(axis ? values[high * nx + k] : values[k * nx + high]);
      fprintf(file, "%s,%.9g,%.9g\n", axis ? "v(s;y=0.5)" : "u(s;x=0.5)", (k + 0.5) / n,
              (a + b) / 2);
    }
  }
  free(values);
  return status ? status : profileShear(p, file);
}

/* Values that a program has beside the flow's: copied out, or put in. */
static clStatus moreState(Program *p, demoState *state, const char *name, int64_t length,
                          bool inks) {
  float *values = malloc((size_t)length * sizeof *values);
  clStatus status = values ? TEXLA_OK : demoOutOfMemory(p->show);
  if (!status)
    status = demoCheck(p->show, inks ? clFlowInksSave(p->inks, values)
                                     : clFlowStreaksSave(p->streaks, values));
  if (!status) {
    demoStateFloats(state, name, values, (size_t)length);
    status = demoStateStatus(state);
  }
  if (!status && demoStateLoads(state))
    status = demoCheck(p->show, inks ? clFlowInksRestore(p->inks, values)
                                     : clFlowStreaksRestore(p->streaks, values));
  free(values);
  return status;
}

static clStatus streaksState(Program *p, demoState *state) {
  static const char name[] = "streaks";
  if (demoField(p->show) != STREAKS || (demoStateLoads(state) && !demoStateHas(state, name)))
    return TEXLA_OK;
  clStatus status = makeStreaks(p);
  return status ? status : moreState(p, state, name, clFlowStreaksLength(p->streaks), false);
}

static clStatus inksState(Program *p, demoState *state) {
  static const char name[] = "inks";
  if (demoField(p->show) != INKS || (demoStateLoads(state) && !demoStateHas(state, name)))
    return TEXLA_OK;
  clStatus status = makeInks(p);
  return status ? status : moreState(p, state, name, clFlowInksLength(p->inks), true);
}

static clStatus state(void *self, demoState *state) {
  Program *p = self;
  size_t n = (size_t)p->show->options.size[0] * (size_t)p->show->options.size[1];
  size_t low = (size_t)p->show->options.size[0] + (size_t)p->show->options.size[1],
         count = TEXLA_FLOW_STORED * n + low;
  clFlowState s = {{NULL}};
  float *values = malloc(count * sizeof *values);
  clStatus status = values ? TEXLA_OK : demoOutOfMemory(p->show);
  for (int k = 0; k < TEXLA_FLOW_STORED && values; k++)
    s.field[k] = values + (size_t)k * n;
  s.low = values ? values + TEXLA_FLOW_STORED * n : NULL;
  if (!status)
    status = demoCheck(p->show, clFlowSave(p->flow, &s));
  double clock[] = {(double)s.steps, s.time, s.dt, s.speed, s.divergence, s.looked};
  if (!status) {
    demoStateNumbers(state, "clock", clock, 6);
    demoStateFloats(state, "u, v, pressure, dye, rim", values, count);
    status = demoStateStatus(state);
  }
  if (!status && demoStateLoads(state)) {
    s.steps = (int64_t)clock[0];
    s.time = clock[1];
    s.dt = clock[2];
    s.speed = clock[3];
    s.divergence = clock[4];
    s.looked = clock[5] != 0;
    status = demoCheck(p->show, clFlowRestore(p->flow, &s));
  }
  free(values);
  if (!status)
    status = streaksState(p, state);
  return status ? status : inksState(p, state);
}

static const demoStage stages[] = {{"advection", "flow predict,flow gate,flow confine,flow carry"},
                                   {"diffusion", "flow diffuse"},
                                   {"projection", "flow divergence,flow project"},
                                   {"splats", "flow splat"},
                                   {"streaks", "flow drift,points,flow inks"},
                                   {"reductions", "reduce"},
                                   {"pressure", NULL},
                                   {NULL, NULL}};
int main(int argc, char **argv) {
  static const char *const schemes[] = {"semi-lagrangian", "donor-cell", "maccormack", NULL},
                           *const solvers[] = {"mg", "cg", NULL};
  static const char *const steppings[] = {"euler", "midpoint", NULL};
  static const char *const modes[] = {"push the flow and add dye", "place, turn or move a jet",
                                      "remove a jet", NULL};
  const char *fields[FIELDS + 1] = {NULL};
  for (int k = 0; k < TEXLA_FLOW_FIELDS; k++)
    fields[k] = clFlowFieldName((clFlowField)k);
  fields[STREAKS] = "streaks";
  fields[INKS] = "inks";
  static Program p = {.scheme = -1, .stepping = -1, .gamma = -1, .confinement = -1};
  const txOption options[] = {
      {"re", TX_OPTION_REAL, &p.re, "RE",
       "Reynolds number, of the length and speed that the scene names at its start", 0, INFINITY},
      {"scheme", TX_OPTION_CHOICE, &p.scheme, NULL, "transport of the velocity",
       .choices = schemes},
      {"stepping", TX_OPTION_CHOICE, &p.stepping, NULL,
       "of first or second order in time, the latter for donor-cell (default: the higher one)",
       .choices = steppings},
      {"gamma", TX_OPTION_REAL, &p.gamma, "GAMMA",
       "donor-cell: central differences 0 ... 1 upwind (default: the scene's)", -1e-9, 1.000001},
      {"implicit", TX_OPTION_FLAG, &p.implicit, NULL,
       "euler: diffusion without a limit of the step (midpoint: always)"},
      {"confinement", TX_OPTION_REAL, &p.confinement, "E",
       "an effect, not physics: keep small vortices turning; 1 to 10 are seen (default: the "
       "scene's)",
       -1e-9, 1e6},
      {"solver", TX_OPTION_CHOICE, &p.solver, NULL, "of the pressure (default mg)",
       .choices = solvers},
      {"tolerance", TX_OPTION_REAL, &p.tolerance, "TOL",
       "max |div u| h / U after a step (default 1e-3)", 0, 1},
      {0}};
  const demoProgram program = {
      .name = "navier-stokes",
      .summary = "Smoke, wakes, jets and vortices: incompressible flow on a staggered grid, in "
                 "a window, or as numbered PNG pictures or a film where there is no display "
                 "or --device asks for another device than the window's.",
      .examples =
          "  navier-stokes                       colliding vortices, in a window\n"
          "  navier-stokes --scene cylinder --headless --frames 300 --out wake.mp4\n"
          "  navier-stokes --scene obstacle --obstacles car.png --field streaks\n"
          "  navier-stokes --scene cavity --until-steady 1e-3 --headless --profile lines.csv\n"
          "  navier-stokes --save smoke.state; navier-stokes --load smoke.state\n",
      .scenes = demoScenes,
      .rules = sceneRules,
      .scene = &p.scene,
      .scene_size = sizeof p.scene,
      .fields = fields,
      .options = options,
      .modes = modes,
      .touch_help = "drag: push the flow and add dye; or jets (see M)",
      .erase_help = "draw an obstacle; from an obstacle on: erase",
      .cell_bytes = 450,
      .columns = columns,
      .column_words = column_words,
      .curves = curves,
      .has_curves = hasCurves,
      .energy_column = ENERGY,
      .change_column = CHANGE,
      .stages = stages,
      .create = create,
      .obstacles = obstacles,
      .begin = begin,
      .step = step,
      .view = view,
      .vectors = vectors,
      .touch = touch,
      .placed = placed,
      .clear = clear,
      .sketch = sceneSketch,
      .draw = draw,
      .own = own,
      .measure = measure,
      .tell = tell,
      .announce = announce,
      .describe = describe,
      .finish = finish,
      .profile = profile,
      .state = state,
      .destroy = destroy};
  return demoMain(&program, &p, argc, argv);
}
