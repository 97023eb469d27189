#include "scenes.h"

#include <math.h>

static double bell(double x, double y, double cx, double cy, double r) {
  return exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (r * r));
}

/* 0 before a, 1 behind b, smoothly. */
static double rise(double x, double a, double b) {
  double t = fmin(fmax((x - a) / (b - a), 0), 1);
  return t * t * (3 - 2 * t);
}

/* --- dam break: a reservoir behind a wall with a gap, a valley with three hills --- */

static double damGround(double x, double y) {
  double wall = fabs(x - 0.3) < 0.012 && fabs(y - 0.5) > 0.09 ? 14 : 0;
  double hills = 7 * bell(x, y, 0.55, 0.62, 0.06) + 6 * bell(x, y, 0.62, 0.3, 0.07) + 8 * bell(x, y, 0.82, 0.52, 0.06);
  return fmax(hills + 3 * rise(fabs(y - 0.5), 0.35, 0.5), wall);
}

static double damLevel(double x, double y) {
  (void)y;
  return x < 0.3 ? 10 : 0.3;
}

/* --- drop in a basin --- */

static double basinGround(double x, double y) {
  double edge = fmax(fabs(x - 0.5), fabs(y - 0.5));
  return -4 + 5.5 * rise(edge, 0.36, 0.5);
}

static double basinLevel(double x, double y) {
  return 1.5 * bell(x, y, 0.4, 0.55, 0.06);
}

/* --- island: a solitary wave runs up a cone --- */

static double islandGround(double x, double y) {
  double r = hypot(x - 0.55, (y - 0.5) * 2 / 3);
  return fmax(-32, 14 - 46 * r / 0.16);
}

static double islandLevel(double x, double y) {
  (void)y;
  return 4 / pow(cosh((x - 0.15) / 0.045), 2);
}

static double islandCurrent(double x, double y) {
  double z = islandLevel(x, y);
  return z * sqrt(9.81 / (32 + z));
}

/* --- harbour: a basin behind two moles, a tide from the left --- */

static double harbourGround(double x, double y) {
  double land = -9 + 12 * rise(x, 0.55, 0.9) * (1 - 0.55 * bell(y, 0, 0.5, 0, 0.2));
  double flat = fabs(y - 0.5) > 0.36 ? rise(fabs(y - 0.5), 0.36, 0.48) * 6 * rise(x, 0.3, 0.5) : 0;
  bool mole = (fabs(x - 0.42) < 0.011 && fabs(y - 0.5) > 0.07 && fabs(y - 0.5) < 0.4);
  return mole ? 3 : land + flat;
}

/* --- river: bends through a plain and floods its meadows --- */

static double riverBed(double x) {
  return 0.5 + 0.16 * sin(6.2831853 * 1.1 * x);
}

static double riverGround(double x, double y) {
  double off = fabs(y - riverBed(x)), plain = 3.4 + 5 * rise(off, 0.17, 0.34), fall = -4 * x;
  return fall + plain - 3 * (1 - rise(off, 0.035, 0.075));
}

static double riverLevel(double x, double y) {
  (void)y;
  return -4 * x + 2.4;
}

/* --- tsunami: from the deep over a shelf to a coast with a bay --- */

static double coast(double x, double y) {
  double bay = 0.07 * bell(y, 0, 0.45, 0, 0.1);
  double shelf = -3000 + 2820 * rise(x, 0.3, 0.55), beach = rise(x, 0.72 + bay, 0.97 + bay);
  return shelf + 250 * beach + 20 * sin(25 * y) * beach;
}

static double tsunamiLevel(double x, double y) {
  double along = rise(y, 0.1, 0.4) * (1 - rise(y, 0.6, 0.95));
  return along * (7 * exp(-pow((x - 0.19) / 0.03, 2)) - 4 * exp(-pow((x - 0.12) / 0.03, 2)));
}

/* --- the document's case: see docs/shallow-water.md --- */

static double caseGround(double x, double y) {
  (void)x;
  (void)y;
  return -1;
}

static double caseLevel(double x, double y) {
  return 0.1 * bell(x, y, 0.5, 0.5, 0.06);
}

static double caseCurrent(double x, double y) {
  (void)x;
  (void)y;
  return 0.1;
}

#define MANNING .friction = TEXLA_WATER_MANNING

const Scene sceneList[SCENES] = {
    {.scene = {.name = "dam-break", .title = "dam break", .size = {240, 160}, .steps = 2, .field = FIELD_MAP},
     .width = 480,
     .options = {MANNING, .advection = TEXLA_WATER_CONSERVING, .courant = 0.5, .theta = 0.6,
                 .side = {[1] = {.edge = TEXLA_WATER_OPEN}}},
     .ground = damGround,
     .level = damLevel,
     .waves = 1.5,
     .land = 12,
     .gauge = {{0.2, 0.5}, {0.45, 0.5}, {0.7, 0.45}}},
    {.scene = {.name = "basin", .title = "drop in a basin", .size = {200, 200}, .steps = 2, .field = FIELD_VIEW},
     .width = 200,
     .options = {MANNING, .roughness = 0.01, .theta = 0.55, .courant = 1},
     .ground = basinGround,
     .level = basinLevel,
     .waves = 0.3,
     .land = 2,
     .gauge = {{0.5, 0.5}, {0.7, 0.7}}},
    {.scene = {.name = "island", .title = "wave around an island", .size = {240, 160}, .steps = 2, .field = FIELD_VIEW},
     .width = 3000,
     .options = {MANNING, .roughness = 0.02, .theta = 0.55, .courant = 1, .side = {[1] = {.edge = TEXLA_WATER_OPEN}}},
     .ground = islandGround,
     .level = islandLevel,
     .current = islandCurrent,
     .waves = 3,
     .land = 14,
     .gauge = {{0.3, 0.5}, {0.4, 0.5}, {0.73, 0.5}}},
    {.scene = {.name = "harbour", .title = "harbour and tide", .size = {240, 160}, .steps = 8, .field = FIELD_MAP},
     .width = 2400,
     .options = {MANNING, .roughness = 0.025, .courant = 2,
                 .side = {{.edge = TEXLA_WATER_LEVEL, .amplitude = 2, .period = 2400, .phase = 0.25}}},
     .ground = harbourGround,
     .waves = 0.5,
     .land = 6,
     .gauge = {{0.1, 0.5}, {0.55, 0.5}, {0.7, 0.5}}},
    {.scene = {.name = "river", .title = "river in flood", .size = {240, 160}, .steps = 8, .field = FIELD_MAP},
     .width = 2400,
     .options = {MANNING, .roughness = 0.03, .courant = 1.5,
                 .side = {{.edge = TEXLA_WATER_INFLOW, .discharge = 9, .from = 0.43, .to = 0.57},
                          {.edge = TEXLA_WATER_OPEN, .level = -2.2}}},
     .ground = riverGround,
     .level = riverLevel,
     .waves = 1,
     .land = 10,
     .gauge = {{0.2, 0.657}, {0.5, 0.45}, {0.9, 0.5}}},
    {.scene = {.name = "tsunami", .title = "tsunami over a shelf", .size = {256, 160}, .steps = 2, .field = FIELD_VIEW},
     .width = 160000,
     .options = {MANNING, .roughness = 0.025, .theta = 0.6, .courant = 0.8, .dry = 1e-3,
                 .side = {{.edge = TEXLA_WATER_OPEN}, {0}, {.edge = TEXLA_WATER_OPEN}, {.edge = TEXLA_WATER_OPEN}}},
     .ground = coast,
     .level = tsunamiLevel,
     .waves = 5,
     .land = 100,
     .gauge = {{0.4, 0.45}, {0.65, 0.45}, {0.78, 0.45}}},
    {.scene = {.name = "document",
               .title = "121 x 121, a wave in a current",
               .size = {121, 121},
               .steps = 2,
               .field = FIELD_VIEW},
     .width = 1000,
     .options = {.friction = TEXLA_WATER_CHEZY, .roughness = 50, .dt = 1},
     .ground = caseGround,
     .level = caseLevel,
     .current = caseCurrent,
     .waves = 0.05,
     .land = 0.2,
     .gauge = {{0.5, 0.5}, {0.7, 0.5}}},
};
