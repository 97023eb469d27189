/* The language of shallow-water's scenes: the lines that may stand in one (demos/common/scene.h
 * reads them by these tables), and what the library gets of them. */
#include "scenes.h"

#include <math.h>

/* The words of lines, in the order of the library's enumerations. */
static const char *const edges[] = {"wall", "open", "level", "inflow", NULL};
static const char *const frictions[] = {"none", "chezy", "manning", NULL};
static const char *const advections[] = {"streamlines", "conserving", "linear", NULL};

/* A side's line: its kind, then numbers by name, each to its place in the scene. */
#define OF(s, name)                                                                                \
  { #name, DEMO_NUMBER, offsetof(Scene, options.side[s].name) }
#define SIDE(s)                                                                                    \
  {                                                                                                \
    {.kind = DEMO_WORD, .offset = offsetof(Scene, edge[s]), .words = edges}, OF(s, level),         \
        OF(s, amplitude), OF(s, period), OF(s, phase), OF(s, discharge), OF(s, from), OF(s, to),   \
        OF(s, velocity), {                                                                         \
      0                                                                                            \
    }                                                                                              \
  }
static const demoEntry left[] = SIDE(0), right[] = SIDE(1), bottom[] = SIDE(2), top[] = SIDE(3);

static const demoEntry formula[] = {{.kind = DEMO_FORMULAS}, {0}};
static const demoEntry length[] = {{.kind = DEMO_NUMBER, .least = 1e-6, .most = 1e9}, {0}};
static const demoEntry number[] = {{.kind = DEMO_NUMBER}, {0}};
static const demoEntry frictionEntries[] = {
    {.kind = DEMO_WORD, .offset = offsetof(Scene, friction), .words = frictions},
    {"roughness", DEMO_NUMBER, offsetof(Scene, options.roughness), .least = 1e-9, .most = 1e9},
    {0}};
static const demoEntry advectionEntries[] = {{.kind = DEMO_WORD, .words = advections}, {0}};
static const demoEntry stepEntries[] = {
    {"courant", DEMO_NUMBER, offsetof(Scene, options.courant), .least = 1e-6, .most = 1e6},
    {"theta", DEMO_NUMBER, offsetof(Scene, options.theta), .least = 0.5, .most = 1},
    {"dt", DEMO_NUMBER, offsetof(Scene, options.dt), .least = 1e-9, .most = 1e9},
    {"dry", DEMO_NUMBER, offsetof(Scene, options.dry), .least = 1e-9, .most = 1e3},
    {0}};
static const demoEntry gaugeEntries[] = {
    {.kind = DEMO_NUMBER, .least = 1e-6, .most = 0.999999},
    {.kind = DEMO_NUMBER, .offset = sizeof(double), .least = 1e-6, .most = 0.999999},
    {.kind = DEMO_REST, .offset = offsetof(Gauge, name), .optional = true},
    {0}};

const demoRule sceneRules[] = {{"left", left},
                               {"right", right},
                               {"bottom", bottom},
                               {"top", top},
                               {"width", length, offsetof(Scene, width), .needed = true},
                               {"waves", length, offsetof(Scene, waves), .needed = true},
                               {"land", number, offsetof(Scene, land)},
                               {"ground", formula, offsetof(Scene, ground), .needed = true},
                               {"level", formula, offsetof(Scene, level)},
                               {"current", formula, offsetof(Scene, current)},
                               {"friction", frictionEntries},
                               {"advection", advectionEntries, offsetof(Scene, advection)},
                               {"step", stepEntries},
                               {"gauge", gaugeEntries, offsetof(Scene, gauge), false, GAUGES,
                                sizeof(Gauge), offsetof(Scene, gauges)},
                               DEMO_STROKE_RULES,
                               DEMO_STROKE_RULE("raise"),
                               DEMO_STROKE_RULE("lower"),
                               {0}};

/* What the lines of a scene say, in the form in which clWaterCreate takes it. */
clWaterOptions sceneWaterOptions(const Scene *scene) {
  clWaterOptions o = scene->options;
  o.friction = (clWaterFriction)scene->friction;
  o.advection = (clWaterAdvection)scene->advection;
  for (int s = 0; s < 4; s++)
    o.side[s].edge = (clWaterEdge)scene->edge[s];
  return o;
}

/* Water over ground as a map has it: deeper water is darker, higher land lighter. */
void sceneSketch(const demoScene *any, const double variable[DEMO_VARIABLES], uint8_t rgb[3]) {
  const Scene *scene = (const Scene *)(const void *)any;
  double ground = demoFormulaAt(&scene->ground, variable),
         level = demoFormulaAt(&scene->level, variable), waves = 1, land = 1;
  if (scene->waves > 0)
    waves = scene->waves;
  if (scene->land > 0)
    land = scene->land;
  /* How high the wave is, how high the land, how deep the water; each 0..1 of what the scene shows.
   * */
  double wave = fmin(fmax(level / waves, -1), 1), high = fmin(fmax(ground / land, 0), 1);
  double deep = fmin(fmax((level - ground) / (10 * waves), 0), 1);
  const double water[3] = {60 + 70 * wave - 40 * deep, 130 + 70 * wave - 50 * deep,
                           190 + 60 * wave - 30 * deep},
               earth[3] = {110 + 100 * high, 130 + 40 * high, 80 + 60 * high};
  const double *seen = earth;
  if (level > ground)
    seen = water;
  for (int c = 0; c < 3; c++)
    rgb[c] = (uint8_t)fmin(fmax(seen[c], 0), 255);
}
