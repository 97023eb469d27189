/* What clWater is given and what it shows: ground, levels, drops, tides; fields, totals, states. */
#include "sim/water.h"
#include "core/try.h"
#include "sim/options.h"

#include <math.h>
#include <string.h>

static size_t cellsOf(const clWater *water) {
  return (size_t)water->info.nx * (size_t)water->info.ny;
}

/* --- the ground --- */

/* Heights are far below that of walls, which is 1e9, and differences of them must stay exact to a
 * few digits in single precision. */
static clStatus checkGround(const clWater *water, const float *height, int nx, int ny,
                            const char *call) {
  clError *error = txWaterError(water);
  if (nx != water->info.nx || ny != water->info.ny)
    return txFail(error, TEXLA_BAD_SHAPE, call,
                  "the ground has %d x %d cells, but the water has %d x %d", nx, ny, water->info.nx,
                  water->info.ny);
  for (size_t k = 0; k < cellsOf(water) && height; k++)
    if (!(fabsf(height[k]) <= 1e8f))
      return txFail(error, TEXLA_NOT_FINITE, call,
                    "the ground's height %g at cell (%d, %d) is not between -1e8 and 1e8",
                    (double)height[k], (int)(k % (size_t)nx), (int)(k / (size_t)nx));
  return TEXLA_OK;
}

/* The ground with its walls, and the sills between neighbours along both axes, in three parts of
 * water->host. A sill is the higher one of two grounds: water passes a face above it only. */
static void buildGround(clWater *water, const float *height, const uint8_t *solid) {
  const int nx = water->info.nx, ny = water->info.ny;
  const size_t n = cellsOf(water);
  float *ground = water->host, *x = ground + n, *y = x + n;
  for (size_t k = 0; k < n; k++) {
    ground[k] = 0;
    if (solid && solid[k])
      ground[k] = TX_WATER_WALL;
    else if (height)
      ground[k] = height[k];
  }
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int k = j * nx + i;
      x[k] = y[k] = TX_WATER_WALL;
      if (i + 1 < nx)
        x[k] = fmaxf(ground[k], ground[k + 1]);
      if (j + 1 < ny)
        y[k] = fmaxf(ground[k], ground[k + nx]);
    }
}

/* Levels and velocities as they are over the ground and the sills in `next`. */
static clStatus settle(clWater *water, clVector *const next[3], bool keeps_dry) {
  clKernelRun run = {.output = {water->z, water->before, water->velocity[0], water->velocity[1]},
                     .input = {{"z", water->z},
                               {"before", water->before},
                               {"u", water->velocity[0]},
                               {"v", water->velocity[1]},
                               {"old_ground", water->ground},
                               {"ground", next[0]},
                               {"sill_x", next[1]},
                               {"sill_y", next[2]}},
                     .parameter = {{"cells", 3, {0, 0, (float)water->options.dry}},
                                   {"keeps_dry", 1, {keeps_dry}}}};
  return clKernelExecute(water->settle, &run);
}

/* The new ground is uploaded into vectors that a step writes, and trades places with the old one
 * when levels and velocities have been fitted to it. Before the first upload all cells are dry, and
 * need not stay so. */
clStatus clWaterGround(clWater *water, const float *height, const uint8_t *solid, int nx, int ny) {
  if (!water)
    return TEXLA_BAD_ARGUMENT;
  TRY(checkGround(water, height, nx, ny, "clWaterGround"));
  clVector **const place[] = {&water->ground, &water->sill[0], &water->sill[1]};
  clVector **const work = &water->work[TX_WATER_STAR];
  buildGround(water, height, solid);
  for (int k = 0; k < 3; k++)
    TRY(clVectorUpload(work[k], water->host + (size_t)k * cellsOf(water)));
  TRY(settle(water, work, water->info.dt > 0));
  for (int k = 0; k < 3; k++) {
    clVector *old = *place[k];
    *place[k] = work[k];
    work[k] = old;
  }
  return TEXLA_OK;
}

/* --- levels --- */

static clStatus checkStart(const clWater *water, const float *values, const char *what,
                           const char *call) {
  for (size_t k = 0; k < cellsOf(water) && values; k++)
    if (!(fabsf(values[k]) <= 1e8f))
      return txFail(txWaterError(water), TEXLA_NOT_FINITE, call,
                    "%s (%g) of cell (%d, %d) is not between -1e8 and 1e8", what, (double)values[k],
                    (int)(k % (size_t)water->info.nx), (int)(k / (size_t)water->info.nx));
  return TEXLA_OK;
}

/* Does one of the sides bring water, so that all may be dry at the start? */
static bool canFlowIn(const clWater *water) {
  for (int s = 0; s < 4; s++)
    if (water->options.side[s].edge != TEXLA_WATER_WALL)
      return true;
  return false;
}

/* dt for these levels; water->host has the ground. */
static clStatus chooseStep(clWater *water, const float *z, const char *call) {
  float deepest = 0;
  double tide = 0;
  for (size_t k = 0; k < cellsOf(water); k++) {
    float level = 0;
    if (z)
      level = z[k];
    if (water->host[k] < TX_WATER_WALL)
      deepest = fmaxf(deepest, level - water->host[k]);
  }
  if (deepest <= 0 && !canFlowIn(water))
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, call,
                  "all %d x %d cells are dry, and nothing can flow in: the levels lie below the "
                  "ground everywhere",
                  water->info.nx, water->info.ny);
  for (int s = 0; s < 4; s++)
    tide = fmax(tide, fabs(water->options.side[s].amplitude));
  return txWaterChooseStep(water, (double)deepest + tide, call);
}

/* Values that are not given (NULL) are zeros. */
static clStatus put(clVector *vector, const float *values) {
  if (values)
    return clVectorUpload(vector, values);
  return clVectorClear(vector);
}

/* What is made of the present water: the matrix of the five-diagonal scheme. */
static clStatus prepareSolver(clWater *water) {
  if (!water->five)
    return TEXLA_OK;
  return txWaterFivePrepare(water);
}

/* The level before the last change of it is the level itself, so that nothing has come from
 * anywhere; the flows of conserving advection begin with zero, as water that rests has none. */
clStatus clWaterUpload(clWater *water, const float *z, const float *u, const float *v) {
  static const char call[] = "clWaterUpload";
  if (!water)
    return TEXLA_BAD_ARGUMENT;
  TRY(checkStart(water, z, "the level", call));
  TRY(checkStart(water, u, "the velocity u", call));
  TRY(checkStart(water, v, "the velocity v", call));
  TRY(clVectorDownload(water->ground, water->host));
  TRY(chooseStep(water, z, call));
  TRY(put(water->z, z));
  TRY(clVectorCopy(water->before, water->z));
  TRY(put(water->velocity[0], u));
  TRY(put(water->velocity[1], v));
  for (int k = 0; k < 4 && water->flux[k / 2][k % 2]; k++)
    TRY(clVectorClear(water->flux[k / 2][k % 2]));
  clVector *const now[] = {water->ground, water->sill[0], water->sill[1]};
  TRY(settle(water, now, false));
  water->info.steps = 0;
  water->info.time = 0;
  return prepareSolver(water);
}

/* Level <- max(level + height exp(-r^2 / radius^2), ground) at both times: a drop has no velocity.
 * Places are handed over in cells. */
clStatus clWaterDrop(clWater *water, double x, double y, double radius, double height) {
  if (!water)
    return TEXLA_BAD_ARGUMENT;
  if (!isfinite(x) || !isfinite(y) || !txIsPositive(radius) || !isfinite((float)height))
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, "clWaterDrop",
                  "x (%g), y (%g) and height (%g) must be finite, radius (%g) also positive", x, y,
                  height, radius);
  const clWaterInfo *i = &water->info;
  clKernelRun run = {
      .output = {water->z, water->before},
      .input = {{"z", water->z}, {"before", water->before}, {"ground", water->ground}},
      .parameter = {{"place",
                     4,
                     {(float)(x / i->dx), (float)(y / i->dy), (float)(i->dx / radius),
                      (float)(i->dy / radius)}},
                    {"height", 1, {(float)height}}}};
  return clKernelExecute(water->drop, &run);
}

/* Only numbers change that a step hands to its kernels: nothing is compiled or uploaded. */
clStatus clWaterTide(clWater *water, clGridSide side, double level, double amplitude, double period,
                     double phase) {
  if (!water)
    return TEXLA_BAD_ARGUMENT;
  if ((unsigned)side > TEXLA_SIDE_TOP || !isfinite(level) || !isfinite(amplitude) ||
      !txIsAtLeastZero(period) || !isfinite(phase))
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, "clWaterTide",
                  "side %d must be one of clGridSide, level (%g), amplitude (%g), period (%g) and "
                  "phase (%g) finite, the period not negative",
                  (int)side, level, amplitude, period, phase);
  clWaterSide *s = &water->options.side[side];
  s->level = level;
  s->amplitude = amplitude;
  s->period = period;
  s->phase = phase;
  return TEXLA_OK;
}

/* --- what is seen --- */

const char *clWaterFieldName(clWaterField field) {
  static const char *const name[] = {"level", "u",         "v",      "ground", "depth",
                                     "speed", "vorticity", "energy", "levels"};
  if ((unsigned)field >= TEXLA_WATER_FIELDS)
    return "?";
  return name[field];
}

/* The first fields are there; the others are computed when they are asked for. */
clStatus clWaterGet(const clVector **out, clWater *water, clWaterField field) {
  if (!out || !water || (unsigned)field >= TEXLA_WATER_FIELDS)
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, "clWaterGet",
                  "out and water must not be NULL, and the field (%d) must be one of clWaterField",
                  (int)field);
  const clVector *const stored[] = {water->z, water->velocity[0], water->velocity[1],
                                    water->ground};
  const clWaterInfo *i = &water->info;
  clVector *work = water->work[TX_WATER_WORK];
  if (field < TEXLA_WATER_STORED) {
    *out = stored[field];
    return TEXLA_OK;
  }
  clKernelRun run = {
      .output = {work},
      .input = {{"z", water->z},
                {"ground", water->ground},
                {"u", water->velocity[0]},
                {"v", water->velocity[1]}},
      .parameter = {{"factors", 3, {(float)i->gravity, (float)(1 / i->dx), (float)(1 / i->dy)}},
                    {"cells", 3, {(float)i->nx, (float)i->ny, (float)water->options.dry}}}};
  TRY(clKernelExecute(water->view[field - TEXLA_WATER_STORED], &run));
  *out = work;
  return TEXLA_OK;
}

typedef clStatus (*Reduction)(clFloat *, const clVector *);

/* *result <- the reduction of a field: its sum or its largest value. */
static clStatus reduce(clWater *water, clWaterField field, Reduction reduction, double *result) {
  const clVector *values = NULL;
  float number = 0;
  TRY(clWaterGet(&values, water, field));
  TRY(reduction(water->number, values));
  TRY(clFloatDownload(water->number, &number));
  *result = (double)number;
  return TEXLA_OK;
}

/* Sums over cells times their area. The Courant number is that of waves over the deepest water,
 * sqrt(g depth) dt / d; what is not finite any more is told here, where somebody looks. */
clStatus clWaterMeasure(clWater *water, clWaterTotals *totals) {
  if (!water || !totals)
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, "clWaterMeasure",
                  "water and totals must not be NULL");
  clWaterTotals t;
  double area = water->info.dx * water->info.dy;
  TRY(reduce(water, TEXLA_WATER_DEPTH, clVectorSum, &t.volume));
  TRY(reduce(water, TEXLA_WATER_DEPTH, clVectorMax, &t.deepest));
  TRY(reduce(water, TEXLA_WATER_SPEED, clVectorMax, &t.speed));
  TRY(reduce(water, TEXLA_WATER_ENERGY, clVectorSum, &t.energy));
  t.volume *= area;
  t.energy *= area;
  t.courant =
      sqrt(water->info.gravity * t.deepest) * water->info.dt / fmin(water->info.dx, water->info.dy);
  if (!isfinite(t.volume) || !isfinite(t.speed) || !isfinite(t.energy))
    return txFail(txWaterError(water), TEXLA_NOT_FINITE, "clWaterMeasure",
                  "after %lld steps, at time %g, the water is not finite any more: a smaller time "
                  "step than %g is needed",
                  (long long)water->info.steps, water->info.time, water->info.dt);
  *totals = t;
  return TEXLA_OK;
}

/* --- states --- */

/* All that a step goes on from; flows of two stages are there with conserving advection only. */
int clWaterState(clWater *water, clVector *state[TEXLA_WATER_STATE]) {
  if (!water || !state)
    return 0;
  clVector *const all[] = {water->z,           water->before,     water->velocity[0],
                           water->velocity[1], water->flux[0][0], water->flux[0][1],
                           water->flux[1][0],  water->flux[1][1]};
  int count = 4;
  if (water->flux[0][0])
    count = 8;
  memcpy(state, all, (size_t)count * sizeof *all);
  return count;
}

/* The time is given and not counted: dt may have changed on the way. */
clStatus clWaterResume(clWater *water, int64_t steps, double time, double dt) {
  if (!water || steps < 0 || !isfinite(time) || !txIsPositive(dt))
    return txFail(txWaterError(water), TEXLA_BAD_ARGUMENT, "clWaterResume",
                  "water must not be NULL, steps (%lld) not negative, time (%g) finite, dt (%g) "
                  "positive and finite",
                  (long long)steps, time, dt);
  water->info.steps = steps;
  water->info.time = time;
  water->info.dt = dt;
  return prepareSolver(water);
}
