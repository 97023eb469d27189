/* navier-stokes: smoke, wakes, jets and vortices. Incompressible flow on a staggered grid (K11), in
 * a window or, without a display, as pictures or a film. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/paint.h"
#include "common/panel.h"
#include "common/show.h"
#include "common/walls.h"
#include "jets.h"
#include "scenes.h"
#include "core/numbers.h"
#include "core/try.h"

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
  /* of the scene, until the mouse has changed some */
  Jets jets;
  Scene scene;
} Program;

/* Two pictures stand behind the fields of the library. */
enum { STREAKS = TEXLA_FLOW_FIELDS, INKS, FIELDS };

/* The scene that is shown, which the frame reads before it calls the program. */
static const Scene *sceneOf(const Program *p) {
  return p->show->program->scene;
}

/* --- the flow --- */

/* The scene's options, and those of the command line in their place. The domain has the height 1; a
 * Reynolds number stands for the viscosity L U / Re of the scene's length and speed. */
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
  o.implicit = p->implicit;
  if (p->tolerance > 0)
    o.tolerance = p->tolerance;
  if (p->confinement >= 0)
    o.confinement = p->confinement;
  if (p->scheme >= 0)
    o.scheme = (clFlowScheme)p->scheme;
  bool donor = o.scheme == TEXLA_FLOW_DONOR_CELL;
  o.stepping = TEXLA_FLOW_EULER;
  if (donor)
    o.stepping = TEXLA_FLOW_MIDPOINT;
  if (p->stepping >= 0)
    o.stepping = (clFlowStepping)p->stepping;
  /* central differences alone would run away */
  if (donor && o.viscosity == 0 && o.gamma == 0)
    o.gamma = 0.5;
  if (p->gamma >= 0)
    o.gamma = p->gamma;
  o.solver = (clFlowSolver)p->solver;
  /* a page waits for its browser's other process, which costs more than a step */
  o.late = demoPanelApart();
  return o;
}

/* The pointers become NULL, since `create` calls this before it makes others. */
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

/* A flow of these options; the one that runs goes only when the new one works. */
static clStatus create(void *self, demoShow *show) {
  Program *p = self;
  p->show = show;
  clFlowOptions o = flowOptions(p);
  clFlow *flow = NULL;
  TRY(demoCheck(show, clFlowCreate(&flow, show->context, &o)));
  destroy(p);
  p->flow = flow;
  jetsTake(&p->jets, sceneOf(p)->jet, sceneOf(p)->jets);
  double variable[DEMO_VARIABLES];
  demoVariables(show, variable);
  TRY(demoSolid(show, sceneOf(p)->solid, sceneOf(p)->solids, variable));
  if (sceneOf(p)->wall.count)
    setWall(show, &sceneOf(p)->wall);
  return TEXLA_OK;
}

/* Where stones are, for the picture of inks; nothing before that is looked at. */
static clStatus setStones(Program *p) {
  int cells = p->show->options.size[0] * p->show->options.size[1];
  if (!p->stones)
    return TEXLA_OK;
  float *values = malloc((size_t)cells * sizeof *values);
  if (!values)
    return demoOutOfMemory(p->show);
  for (int k = 0; k < cells; k++)
    values[k] = demoPaintStone(p->show->walls[k]);
  clStatus status = demoCheck(p->show, clVectorUpload(p->stones, values));
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

/* The flow takes the obstacles, and the picture of inks its stones. */
static clStatus obstacles(void *self) {
  Program *p = self;
  TRY(demoCheck(p->show, setWalls(p)));
  return setStones(p);
}

/* Velocity and dye at time 0, from the scene's formulas. */
static clStatus begin(void *self) {
  Program *p = self;
  return sceneBegin(sceneOf(p), p->flow, p->show);
}

/* Particles whose trails are shown; they are made when they are first looked at, since each step
 * moves them. */
static clStatus makeStreaks(Program *p) {
  /* software enlarges faster than it paints, and each element fades in each step: fewer of them,
   * and more particles to each, so that pictures are as full */
  const int *size = p->show->options.size;
  const double room = 400;
  clFlowStreaksOptions o = {
      .scale = demoScale(p->show), .fade = sceneOf(p)->fade, .seed = (int)p->show->options.seed};
  if (clContextInspect(p->show->context)->software && o.scale > 2) {
    o.count = (int)((double)size[0] * size[1] * o.scale * o.scale / room);
    o.scale = (o.scale + 1) / 2;
  }
  if (p->streaks)
    return TEXLA_OK;
  return demoCheck(p->show, clFlowStreaksCreate(&p->streaks, p->flow, &o));
}

/* Inks on a grid of their own, and the kernel that makes a picture of their amounts. */
static clStatus makeInks(Program *p) {
  static const char source[] = "#define STONES\n#include \"ink_picture.frag\"\n";
  const clFlowOptions o = flowOptions(p);
  if (p->inks)
    return TEXLA_OK;
  /* finer than the flow where that costs little, and where a screen would show it */
  const int64_t fine = 768 * 768;
  clFlowInksOptions options = {.scale = 2, .decay = o.decay};
  if (clContextInspect(p->show->context)->software || (int64_t)o.nx * o.ny > fine)
    options.scale = 1;
  if (!p->stones)
    TRY(demoCheck(p->show, clVectorCreateGrid(&p->stones, p->show->context, o.nx, o.ny)));
  if (!p->ink_picture)
    TRY(demoCheck(p->show, clKernelCreate(&p->ink_picture, p->show->context, "demo inks", source)));
  TRY(demoCheck(p->show, clFlowInksCreate(&p->inks, p->flow, &options)));
  TRY(setStones(p));
  return sceneInks(sceneOf(p), p->inks, p->flow, p->show);
}

/* What the scene and the jets add, one step of the flow, then what drifts with it. */
static clStatus step(void *self, double *time) {
  Program *p = self;
  if (demoField(p->show) == INKS)
    TRY(makeInks(p));
  TRY(sceneFeed(sceneOf(p), p->flow, p->inks, p->show));
  TRY(demoCheck(p->show, jetsFeed(&p->jets, p->flow, clFlowInspect(p->flow).dt,
                                  0.8 * sceneDyeMost(sceneOf(p)))));
  /* a divergence above its tolerance is said, not an end */
  clStatus stepped = clFlowStep(p->flow, 1);
  p->missed += stepped == TEXLA_NOT_CONVERGED;
  TRY(demoCheck(p->show, stepped));
  *time = clFlowInspect(p->flow).time;
  if (demoField(p->show) == STREAKS) {
    TRY(makeStreaks(p));
    TRY(demoCheck(p->show, clFlowStreaksStep(p->streaks)));
  }
  if (p->inks)
    TRY(demoCheck(p->show, clFlowInksStep(p->inks)));
  return TEXLA_OK;
}

/* What the left button does, in the order of the menu (modes). */
enum { PUSH, PLACE_JET, REMOVE_JET };

/* A drag pushes with its own speed: so far within a picture's steps. */
static clStatus touch(void *self, const demoTouch *t) {
  Program *p = self;
  clFlowInfo info = clFlowInspect(p->flow);
  if (t->mode != PUSH) {
    jetsTouch(&p->jets, t, info.width / info.height, t->mode == REMOVE_JET);
    return TEXLA_OK;
  }
  /* The pointer's way since the last picture, over the time of that picture's steps; no faster than
   * three times the scene's unit, and a little of it only. */
  double dt = fmax(info.dt, 1e-4) * (double)demoSteps(p->show), most = 3;
  double u = fmax(-most, fmin(most, 0.3 * t->dx * info.width / dt));
  double v = fmax(-most, fmin(most, 0.3 * t->dy * info.height / dt));
  double x = t->x * info.width, y = t->y * info.height, radius = t->brush * info.height,
         dye = 0.35 * sceneDyeMost(sceneOf(p));
  float ink[4];
  sceneInk(0.2 * info.time, dye, ink);
  TRY(demoCheck(p->show, clFlowSplat(p->flow, x, y, radius, u, v, dye)));
  if (!p->inks)
    return TEXLA_OK;
  return demoCheck(p->show, clFlowInksSplat(p->inks, x, y, radius, ink));
}

/* Jets are what the mouse places. */
static clStatus placed(void *self, demoState *state) {
  return jetsPlaced(&((Program *)self)->jets, state);
}

/* Another scene begins with its own jets. */
static void clear(void *self) {
  ((Program *)self)->jets.placed = false;
}

/* Jets that the mouse has changed stand for all of the scene's. */
static const char *list(void *self, FILE *file) {
  const Program *p = self;
  if (!p->jets.placed)
    return NULL;
  if (file)
    jetsWrite(&p->jets, file);
  return "jet";
}

/* The jets, over the picture. */
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
  if (strcmp(option, "tolerance") != 0)
    return 0;
  if (o.tolerance > 0)
    return o.tolerance;
  return 1e-3;
}

/* --- what is seen --- */

/* The picture of inks is a kernel of its own: the amounts in a place become one colour, and what
 * there is more of stands higher, in light from the upper left. */
static clStatus viewInks(Program *p, demoView *v) {
  const int *size = p->show->options.size;
  TRY(makeInks(p));
  const clVector *values = clFlowInksValues(p->inks);
  float columns = (float)clVectorRowLength(values) / 4, cells = 1 / (float)demoScale(p->show),
        places = cells * columns / (float)size[0];
  v->half = clContextInspect(p->show->context)->software && places <= 0.5f;
  float larger = 1 + (float)v->half;
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

/* The range and the colours of each field: what has a sign lies around 0, pressure around its mean,
 * since only its differences mean anything. */
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
  if (field == INKS)
    return viewInks(p, v);
  *v = own[field];
  v->high = 1e-6;
  if (field == STREAKS) {
    TRY(makeStreaks(p));
    v->high = 1;
    v->values = clFlowStreaksTrails(p->streaks);
    return TEXLA_OK;
  }
  if (field == TEXLA_FLOW_DYE) {
    v->high = sceneDyeMost(sceneOf(p));
    v->clips = v->high < 1;
  }
  return demoCheck(p->show, clFlowGet(&v->values, p->flow, (clFlowField)field));
}

/* Velocities on the faces of cells, without divergence: streamlines can be drawn. */
static clStatus vectors(void *self, demoVectors *vectors) {
  Program *p = self;
  vectors->faces = vectors->closed = true;
  TRY(demoCheck(p->show, clFlowGet(&vectors->u, p->flow, TEXLA_FLOW_U)));
  return demoCheck(p->show, clFlowGet(&vectors->v, p->flow, TEXLA_FLOW_V));
}

/* p->reynolds: of what the scheme makes of the viscosity, where energy comes from nowhere else. */
static clStatus measureViscosity(Program *p) {
  double viscosity = NAN;
  p->reynolds = NAN;
  TRY(demoCheck(p->show, clFlowViscosity(p->flow, &viscosity)));
  if (viscosity > 0)
    p->reynolds = sceneOf(p)->length * sceneOf(p)->speed / viscosity;
  return TEXLA_OK;
}

/* The line below the picture; what the scheme makes of the Reynolds number has two digits, as it is
 * an estimate. */
static void tell(void *self, char *text, size_t size) {
  Program *p = self;
  clFlowInfo i = clFlowInspect(p->flow);
  char reynolds[40] = "", divergence[40] = "";
  /* nobody knows it before the first step */
  if (!isnan(i.divergence))
    snprintf(divergence, sizeof divergence, ", divergence %.1e", i.divergence);
  if (!measureViscosity(p) && p->reynolds > 0) {
    /* two digits */
    double unit = pow(10, floor(log10(p->reynolds)) - 1);
    snprintf(reynolds, sizeof reynolds, "  effective Re %g", unit * round(p->reynolds / unit));
  }
  snprintf(text, size, "time %.2f  step %lld  dt %.4f  %lld iteration%.*s%s%s", i.time,
           (long long)i.steps, i.dt, (long long)i.iterations, i.iterations != 1, "s", divergence,
           reynolds);
}

/* Which length and speed the Reynolds number is of. */
static void announce(void *self, FILE *file) {
  const Program *p = self;
  const Scene *s = sceneOf(p);
  double re = s->re;
  if (p->re > 0)
    re = p->re;
  char number[40] = "no viscosity; --re would be";
  if (re > 0)
    snprintf(number, sizeof number, "Reynolds number %g", re);
  fprintf(file, "navier-stokes: %s of %s (%g) and the speed %s (%g)\n", number, s->length_name,
          s->length, s->speed_name, s->speed);
}

/* For --verbose: how the pressure is solved for. */
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
  float *shear = calloc((size_t)i.nx, sizeof *shear);
  if (!shear)
    return demoOutOfMemory(p->show);
  clStatus status = demoCheck(p->show, clFlowShear(p->flow, side, shear));
  *friction = 0;
  for (int k = 0; k < i.nx; k++)
    *friction += (double)shear[k] * i.h;
  free(shear);
  TRY(status);
  return demoCheck(p->show, clFlowBackflow(p->flow, side, backflow));
}

/* What flows through a side, and the heat. */
static clStatus measureSide(Program *p, clGridSide side, double *values) {
  TRY(demoCheck(p->show, clFlowFlux(p->flow, side, &values[FLUX + (int)side])));
  TRY(demoCheck(p->show, clFlowDyeFlux(p->flow, side, &values[DYE_FLUX + (int)side])));
  return demoCheck(p->show, clFlowNusselt(p->flow, side, &values[NUSSELT + (int)side]));
}

/* What takes many read-backs. */
static clStatus measurePlaces(Program *p, double *values) {
  const Scene *s = sceneOf(p);
  const double *at = s->between;
  double pressure[2] = {NAN, NAN};
  for (int k = 0; k < 2 && (at[0] > 0 || at[2] > 0); k++)
    TRY(demoCheck(p->show, clFlowPressure(p->flow, at[2 * k], at[2 * k + 1], &pressure[k])));
  values[DIFFERENCE] = pressure[0] - pressure[1];
  values[WAKE] = NAN;
  if (s->behind[0] > 0)
    TRY(demoCheck(p->show, clFlowWake(p->flow, s->behind[0], s->behind[1], &values[WAKE])));
  for (int k = 0; k < 4; k++)
    TRY(measureSide(p, (clGridSide)k, values));
  for (int k = 0; k < 2; k++)
    TRY(measureWall(p, (clGridSide)(TEXLA_SIDE_BOTTOM + k), &values[FRICTION + k],
                    &values[BACKFLOW + 2 * k]));
  return TEXLA_OK;
}

/* A line of --stats. Forces are told as coefficients, 2 F / (U^2 L), of the scene's speed and
 * length. */
static clStatus measure(void *self, double *values) {
  Program *p = self;
  const Scene *s = sceneOf(p);
  clFlowInfo i = clFlowInspect(p->flow);
  values[DT] = i.dt;
  values[DIVERGENCE] = i.divergence;
  values[CORRECTIONS] = i.corrections;
  values[ITERATIONS] = (double)i.iterations;
  clFlowForce f = {0};
  TRY(demoCheck(p->show, clFlowEnergy(p->flow, &values[ENERGY])));
  TRY(demoCheck(p->show, clFlowChange(p->flow, &values[CHANGE])));
  TRY(measureViscosity(p));
  TRY(demoCheck(p->show, clFlowForces(p->flow, &f)));
  /* U^2 L / 2: what coefficients are in parts of. */
  double dynamic = 0.5 * s->speed * s->speed * s->length;
  values[EFFECTIVE_RE] = p->reynolds;
  values[DRAG] = (f.pressure[0] + f.friction[0]) / dynamic;
  values[LIFT] = (f.pressure[1] + f.friction[1]) / dynamic;
  if (!p->show->options.stats && p->show->options.curves <= FREE_CURVES)
    return TEXLA_OK;
  return measurePlaces(p, values);
}

/* Said once at the end, since a window would print it at every step. */
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
  const int length[] = {info.ny, info.ny, info.nx, info.nx};
  float *values = malloc((size_t)txMost(info.nx, info.ny) * sizeof *values);
  clStatus status = TEXLA_OK;
  if (!values)
    return demoOutOfMemory(p->show);
  for (int s = 0; s < 4; s++) {
    TRY_CLEANUP(demoCheck(p->show, clFlowShear(p->flow, (clGridSide)s, values)));
    bool holds = flowOptions(p).side[s].edge == TEXLA_FLOW_NO_SLIP;
    for (int k = 0; k < length[s] && holds; k++)
      fprintf(file, "shear(s;%s),%.9g,%.9g\n", name[s], (k + 1) * info.h, (double)values[k]);
  }
cleanup:
  free(values);
  return status;
}

/* The velocity at place k of a centre line: the mean of the faces on both sides of the line. */
static double onCentreLine(const float *values, const int size[2], int along, int k) {
  const int stride[] = {1, size[0]}, across = 1 - along;
  int high = (size[across] - 1) / 2, low = txMost(high - size[across] % 2, 0);
  const float *place = values + k * stride[along];
  return ((double)place[low * stride[across]] + (double)place[high * stride[across]]) / 2;
}

/* The velocity across the two centre lines, and the walls' shear, with the place s in heights. */
static clStatus profile(void *self, FILE *file) {
  static const char *const line[] = {"u(s;x=0.5)", "v(s;y=0.5)"};
  static const clFlowField across[] = {TEXLA_FLOW_U, TEXLA_FLOW_V};
  Program *p = self;
  const int *size = p->show->options.size;
  const clVector *field = NULL;
  float *values = malloc((size_t)size[0] * (size_t)size[1] * sizeof *values);
  clStatus status = TEXLA_OK;
  if (!values)
    return demoOutOfMemory(p->show);
  fprintf(file, "line,s,velocity\n");
  for (int f = 0; f < 2; f++) {
    /* u is told along y, v along x: what crosses the line. */
    int along = 1 - f;
    TRY_CLEANUP(demoCheck(p->show, clFlowGet(&field, p->flow, across[f])));
    TRY_CLEANUP(demoCheck(p->show, clVectorDownload(field, values)));
    for (int k = 0; k < size[along]; k++)
      fprintf(file, "%s,%.9g,%.9g\n", line[f], (k + 0.5) / size[1],
              onCentreLine(values, size, along, k));
  }
  TRY_CLEANUP(profileShear(p, file));
cleanup:
  free(values);
  return status;
}

/* Streaks and inks as they are; where a state has none they begin anew. */
static clStatus streaksState(Program *p, demoState *state) {
  static const char name[] = "streaks";
  clStatus status = TEXLA_OK;
  if (demoField(p->show) != STREAKS || (demoStateLoads(state) && !demoStateHas(state, name)))
    return TEXLA_OK;
  TRY(makeStreaks(p));
  size_t length = (size_t)clFlowStreaksLength(p->streaks);
  float *values = malloc(length * sizeof *values);
  if (!values)
    return demoOutOfMemory(p->show);
  TRY_CLEANUP(demoCheck(p->show, clFlowStreaksSave(p->streaks, values)));
  demoStateFloats(state, name, values, length);
  TRY_CLEANUP(demoStateStatus(state));
  if (demoStateLoads(state))
    TRY_CLEANUP(demoCheck(p->show, clFlowStreaksRestore(p->streaks, values)));
cleanup:
  free(values);
  return status;
}

/* The inks likewise. */
static clStatus inksState(Program *p, demoState *state) {
  static const char name[] = "inks";
  clStatus status = TEXLA_OK;
  if (demoField(p->show) != INKS || (demoStateLoads(state) && !demoStateHas(state, name)))
    return TEXLA_OK;
  TRY(makeInks(p));
  size_t length = (size_t)clFlowInksLength(p->inks);
  float *values = malloc(length * sizeof *values);
  if (!values)
    return demoOutOfMemory(p->show);
  TRY_CLEANUP(demoCheck(p->show, clFlowInksSave(p->inks, values)));
  demoStateFloats(state, name, values, length);
  TRY_CLEANUP(demoStateStatus(state));
  if (demoStateLoads(state))
    TRY_CLEANUP(demoCheck(p->show, clFlowInksRestore(p->inks, values)));
cleanup:
  free(values);
  return status;
}

/* All that a step reads: the fields, velocities through outflows at the low sides, and the clock
 * with what the choice of the next time step depends on. */
static clStatus flowState(Program *p, demoState *state) {
  size_t nx = (size_t)p->show->options.size[0], ny = (size_t)p->show->options.size[1];
  size_t count = TEXLA_FLOW_STORED * nx * ny + nx + ny;
  float *values = malloc(count * sizeof *values);
  clStatus status = TEXLA_OK;
  if (!values)
    return demoOutOfMemory(p->show);
  /* One piece of memory, so that the state is one part of the file. */
  clFlowState s = {.low = values + TEXLA_FLOW_STORED * nx * ny};
  for (size_t k = 0; k < TEXLA_FLOW_STORED; k++)
    s.field[k] = values + k * nx * ny;
  TRY_CLEANUP(demoCheck(p->show, clFlowSave(p->flow, &s)));
  double clock[] = {(double)s.steps, s.time, s.dt, s.speed, s.divergence, s.looked};
  demoStateNumbers(state, "clock", clock, 6);
  demoStateFloats(state, "u, v, pressure, dye, rim", values, count);
  TRY_CLEANUP(demoStateStatus(state));
  if (demoStateLoads(state)) {
    s.steps = (int64_t)clock[0];
    s.time = clock[1];
    s.dt = clock[2];
    s.speed = clock[3];
    s.divergence = clock[4];
    s.looked = clock[5] != 0;
    TRY_CLEANUP(demoCheck(p->show, clFlowRestore(p->flow, &s)));
  }
cleanup:
  free(values);
  return status;
}

/* The flow, then what drifts with it. */
static clStatus state(void *self, demoState *state) {
  Program *p = self;
  TRY(flowState(p, state));
  TRY(streaksState(p, state));
  return inksState(p, state);
}

/* --- the program --- */

/* Columns of --stats with the seconds of passes whose names begin so. */
static const demoStage stages[] = {{"advection", "flow predict,flow gate,flow confine,flow carry"},
                                   {"diffusion", "flow diffuse"},
                                   {"projection", "flow divergence,flow project"},
                                   {"splats", "flow splat"},
                                   {"streaks", "flow drift,points,flow inks"},
                                   {"reductions", "reduce"},
                                   {"pressure", NULL},
                                   {NULL, NULL}};
/* What options and menus may be; NULL stands behind the last one. */
static const char *const schemes[] = {"semi-lagrangian", "donor-cell", "maccormack", NULL},
                         *const solvers[] = {"mg", "cg", NULL};
static const char *const steppings[] = {"euler", "midpoint", NULL};
static const char *const modes[] = {"push the flow and add dye", "place, turn or move a jet",
                                    "remove a jet", NULL};
/* those of a flow are named by the library, when the program begins */
static const char *fields[FIELDS + 1] = {[STREAKS] = "streaks", [INKS] = "inks"};
static Program theProgram = {.scheme = -1, .stepping = -1, .gamma = -1, .confinement = -1};
/* A number of 0 or below, or a choice of -1, leaves what the scene says. */
static const txOption options[] = {
    {"re", TX_OPTION_REAL, &theProgram.re, "RE",
     "Reynolds number, of the length and speed that the scene names at its start", 0, INFINITY},
    {"scheme", TX_OPTION_CHOICE, &theProgram.scheme, NULL, "transport of the velocity",
     .choices = schemes},
    {"stepping", TX_OPTION_CHOICE, &theProgram.stepping, NULL,
     "of first or second order in time, the latter for donor-cell (default: the higher one)",
     .choices = steppings},
    {"gamma", TX_OPTION_REAL, &theProgram.gamma, "GAMMA",
     "donor-cell: central differences 0 ... 1 upwind (default: the scene's)", -1e-9, 1.000001},
    {"implicit", TX_OPTION_FLAG, &theProgram.implicit, NULL,
     "euler: diffusion without a limit of the step (midpoint: always)"},
    {"confinement", TX_OPTION_REAL, &theProgram.confinement, "E",
     "an effect, not physics: keep small vortices turning; 1 to 10 are seen (default: the scene's)",
     -1e-9, 1e6},
    {"solver", TX_OPTION_CHOICE, &theProgram.solver, NULL, "of the pressure (default mg)",
     .choices = solvers},
    {"tolerance", TX_OPTION_REAL, &theProgram.tolerance, "TOL",
     "max |div u| h / U after a step (default 1e-3)", 0, 1},
    {0}};
/* What the frame needs to know: the texts of --help, and what to call when. */
static const demoProgram program = {
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
    .scene = &theProgram.scene,
    .scene_size = sizeof theProgram.scene,
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
    .list = list,
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

int main(int argc, char **argv) {
  for (int k = 0; k < TEXLA_FLOW_FIELDS; k++)
    fields[k] = clFlowFieldName((clFlowField)k);
  return demoMain(&program, &theProgram, argc, argv);
}
