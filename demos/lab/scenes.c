#include "scenes.h"

#include <math.h>

#include <string.h>

static const char *const edges[] = {"no-flux", "periodic", "fixed", NULL};
static const char *const kinds[] = {"value", "flux", NULL};
static const char *const schemes[] = {"imex", "euler", "rk4", NULL};
static const char *const maps[] = {"viridis", "magma", "turbo", "diverging", "grey", NULL};
static const char *const names[] = {"", "u", "v", "w", "q", NULL};
static const char *const ranges[] = {"by-values", "signed", "positive", "centred", NULL};

/* A number or a formula for each field. */
#define EACH(kind, offset)                                                                         \
  {"u", kind, (offset)}, {"v", kind, (offset) + EACH_##kind},                                      \
      {"w", kind, (offset) + 2 * EACH_##kind}, {                                                   \
    "q", kind, (offset) + 3 * EACH_##kind                                                          \
  }
#define GIVEN(name, s, f)                                                                          \
  { name, DEMO_EDGES, offsetof(Scene, given[s][f]), .words = kinds }
#define EACH_DEMO_NUMBER sizeof(double)
#define EACH_DEMO_FORMULAS sizeof(demoFormula)
#define SIDE(s)                                                                                    \
  {                                                                                                \
    {.kind = DEMO_WORD, .offset = offsetof(Scene, edge[s]), .words = edges, .optional = true},     \
        GIVEN("u", s, 0), GIVEN("v", s, 1), GIVEN("w", s, 2), GIVEN("q", s, 3), {                  \
      0                                                                                            \
    }                                                                                              \
  }
static const demoEntry left[] = SIDE(0), right[] = SIDE(1), bottom[] = SIDE(2), top[] = SIDE(3);
static const demoEntry rate[] = {{.kind = DEMO_RATES}, {0}};
static const demoEntry start[] = {EACH(DEMO_FORMULAS, 0), {0}};
static const demoEntry brush[] = {EACH(DEMO_NUMBER, 0), {0}};
static const demoEntry domain[] = {{.kind = DEMO_FORMULAS, .offset = offsetof(Scene, domain)},
                                   {"fixed", DEMO_FLAG, offsetof(Scene, domain_fixed)},
                                   {0}};
static const demoEntry length[] = {{.kind = DEMO_NUMBER, .least = 1e-9, .most = 1e9}, {0}};
static const demoEntry step[] = {
    {"dt", DEMO_NUMBER, offsetof(Scene, dt), .least = 1e-12, .most = 1e12},
    {"scheme", DEMO_WORD, offsetof(Scene, scheme), .words = schemes},
    {0}};
static const demoEntry arrows[] = {{.kind = DEMO_WORD, .words = names},
                                   {.kind = DEMO_WORD, .offset = sizeof(int), .words = names},
                                   {0}};
static const demoEntry colours[] = {
    {.kind = DEMO_WORD, .offset = offsetof(Scene, colours), .words = maps},
    {"from", DEMO_NUMBER, offsetof(Scene, low)},
    {"to", DEMO_NUMBER, offsetof(Scene, high)},
    {"range", DEMO_WORD, offsetof(Scene, range), .words = ranges},
    {"lit", DEMO_FLAG, offsetof(Scene, lit)},
    {0}};

const demoRule sceneRules[] = {{"u'", rate, offsetof(Scene, rate[0]), .needed = true},
                               {"v'", rate, offsetof(Scene, rate[1])},
                               {"w'", rate, offsetof(Scene, rate[2])},
                               {"q'", rate, offsetof(Scene, rate[3])},
                               {"start", start, offsetof(Scene, start)},
                               {"left", left},
                               {"right", right},
                               {"bottom", bottom},
                               {"top", top},
                               {"domain", domain},
                               {"height", length, offsetof(Scene, height)},
                               {"step", step},
                               {"picture", rate, offsetof(Scene, picture)},
                               {"arrows", arrows, offsetof(Scene, arrow)},
                               {"colours", colours},
                               {"brush", brush, offsetof(Scene, brush)},
                               DEMO_STROKE_RULE("paint"),
                               DEMO_STROKE_RULE("take"),
                               {0}};

/* The picture's formula of the fields as they begin, in the scene's own units. Without a range of
 * its own it is taken to lie between -1 or 0 and 1. */
void sceneSketch(const demoScene *any, const double variable[DEMO_VARIABLES], uint8_t rgb[3]) {
  const Scene *scene = (const Scene *)(const void *)any;
  double own[DEMO_VARIABLES], height = 1;
  if (scene->height > 0)
    height = scene->height;
  memcpy(own, variable, sizeof own);
  own[DEMO_W] *= height;
  own[DEMO_H] *= height;
  own[DEMO_X] *= height;
  own[DEMO_Y] *= height;
  for (int f = 0; f < TEXLA_EVOLUTION_FIELDS; f++)
    own[DEMO_FIELD + f] = demoFormulaAt(&scene->start[f], own);
  double value = own[DEMO_FIELD], low = scene->low, high = scene->high;
  if (scene->picture.count)
    value = demoFormulaAt(&scene->picture, own);
  if (low >= high) {
    high = 1;
    low = 0;
    if (scene->range != RANGE_POSITIVE)
      low = -1;
  }
  clColormapColor(rgb, (clColormap)scene->colours, fmin(fmax((value - low) / (high - low), 0), 1));
}
