/* Steps of the wave equation; steps of shallow water by each scheme, and their stages. */
#include <string.h>

#include "suite.h"

/* ---- x(t + 1) = B x(t) - x(t - 1): a product with five stored diagonals, and a constant stencil,
 * with the edges that their kernels are made for ---- */

typedef struct Waves {
  int side;
  clWave *wave;
  float *speed;
} Waves;

static clStatus stepWave(txBench *bench, void *data, int64_t i) {
  (void)bench, (void)i;
  return clWaveStep(((const Waves *)data)->wave, 1);
}

static const bool varies = true, constant = false;
static const txBenchCase waves[] = {
    {"step, matrix", stepWave, 10, "GFLOP/s", {4, 28, 10}, .options = &varies},
    {"step, stencil", stepWave, 7, "GFLOP/s", {4, 8, 7}, .options = &constant}};

static clStatus beginWave(txBench *bench, void *data, txBenchCase *c) {
  Waves *d = data;
  bool matrix = *(const bool *)c->options;
  clWaveOptions options = {.nx = d->side, .ny = d->side};
  clVector *state[TEXLA_WAVE_STATE];
  for (int s = 0; s < 4; s++)
    options.edge[s] = matrix ? TEXLA_WAVE_EDGE_REFLECTING : TEXLA_WAVE_EDGE_FIXED;
  TX_BENCH_MAKE(clWave, &d->wave, bench->context, &options);
  TRY(bench->status);
  if (matrix)
    TRY(clWaveSpeed(d->wave, d->speed));
  clWaveState(d->wave, state);
  for (int t = 0; t < 2; t++)
    TRY(clVectorUpload(state[t], d->speed));
  return TEXLA_OK;
}

static clStatus prepareWaves(txBench *bench, void *data, int32_t side) {
  Waves *d = data;
  int64_t n = (int64_t)side * side;
  d->side = side;
  bench->measure = (double)n;
  d->speed = txBenchNoiseOf(bench, n, 7, 0.5f, 1);
  TRY(bench->status);
  return txBenchProbesCreate(bench, n);
}

const txBenchSuite txBenchWave = {.name = "wave",
                                  .size = {2048},
                                  .quick = 256,
                                  .bytes = sizeof(Waves),
                                  .prepare = prepareWaves,
                                  .begin = beginWave,
                                  TX_BENCH_CASES(waves)};

/* ---- Shallow water: a hill of water in a bowl with a dry rim ---- */

enum { STAGES = 5 };

/* Passes whose names begin with one of these words. */
static const struct {
  const char *name, *kernels;
} stage[STAGES] = {{"prediction", "water predict"},
                   {"systems", "water rows,water right,water matrix"},
                   {"solve", "tridiagonal,banded,cg,grid"},
                   {"update", "water correct,water update"},
                   {"others", NULL}};

typedef struct Water {
  clWater *water;
  int side;
  float *ground, *level;
  /* At the start. */
  double volume;
  /* Seconds of each stage in the last step, if the context reports passes. */
  double spent[STAGES];
} Water;

static clStatus stepWater(txBench *bench, void *data, int64_t i) {
  Water *d = data;
  (void)bench, (void)i;
  memset(d->spent, 0, sizeof d->spent);
  return clWaterStep(d->water, 1);
}

/* True if the kernel's name begins with a word of the list. */
static bool belongs(const char *kernel, const char *list) {
  for (size_t n = 0; *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    if (strncmp(kernel, list, n) == 0)
      return true;
  }
  return false;
}

static void listen(void *user, const clPassEvent *event) {
  Water *d = user;
  int k = 0;
  while (stage[k].kernels && !belongs(event->kernel, stage[k].kernels))
    k++;
  d->spent[k] += event->seconds;
}

/* Relative change of the volume. */
static clStatus checkVolume(txBench *bench, void *data, double *error) {
  const Water *d = data;
  clWaterTotals totals = {0};
  (void)bench;
  TRY(clWaterMeasure(d->water, &totals));
  *error = fabs(totals.volume / d->volume - 1);
  return TEXLA_OK;
}

static const clWaterOptions adi = {.friction = TEXLA_WATER_MANNING},
                            conserving = {.friction = TEXLA_WATER_MANNING,
                                          .advection = TEXLA_WATER_CONSERVING},
                            five = {.friction = TEXLA_WATER_MANNING, .scheme = TEXLA_WATER_FIVE},
                            five_mg = {.friction = TEXLA_WATER_MANNING,
                                       .scheme = TEXLA_WATER_FIVE,
                                       .preconditioner = TEXLA_PRECONDITIONER_MG};
#define CASE(name, way)                                                                            \
  { name, stepWater, 1, "steps/s", .check = checkVolume, .options = &(way) }
static const txBenchCase schemes[] = {CASE("adi", adi), CASE("adi, conserving", conserving),
                                      CASE("five, jacobi", five), CASE("five, mg", five_mg)};
static const txBenchCase stages[] = {CASE("adi: prediction", adi),
                                     CASE("adi: systems", adi),
                                     CASE("adi: solve", adi),
                                     CASE("adi: update", adi),
                                     CASE("five, mg: prediction", five_mg),
                                     CASE("five, mg: systems", five_mg),
                                     CASE("five, mg: solve", five_mg),
                                     CASE("five, mg: update", five_mg)};

/* Steps of one Courant number, whatever the scheme. */
static clStatus beginWater(txBench *bench, void *data, txBenchCase *c) {
  Water *d = data;
  clWaterOptions options = *(const clWaterOptions *)c->options;
  clWaterTotals totals = {0};
  options.nx = options.ny = d->side;
  options.courant = 1;
  TX_BENCH_MAKE(clWater, &d->water, bench->context, &options);
  TRY(bench->status);
  TRY(clWaterGround(d->water, d->ground, NULL, d->side, d->side));
  TRY(clWaterUpload(d->water, d->level, NULL, NULL));
  TRY(clWaterMeasure(d->water, &totals));
  d->volume = totals.volume;
  const char *part = strstr(c->name, ": ");
  for (int k = 0; part && k < STAGES; k++)
    if (!strcmp(part + 2, stage[k].name))
      c->seconds = &d->spent[k];
  return TEXLA_OK;
}

static clStatus prepareWater(txBench *bench, void *data, int32_t side) {
  Water *d = data;
  d->side = side;
  d->ground = txBenchZeros(bench, (int64_t)side * side);
  d->level = txBenchZeros(bench, (int64_t)side * side);
  TRY(bench->status);
  for (int k = 0; k < side * side; k++) {
    double x = (k % side + 0.5) / side - 0.5, y = (k / side + 0.5) / side - 0.5;
    d->ground[k] = (float)(22 * (x * x + y * y) - 4);
    d->level[k] = (float)exp(-200 * ((x + 0.1) * (x + 0.1) + y * y));
  }
  return TEXLA_OK;
}

/* On a context of its own that waits for every pass: together they take longer than a step does
 * otherwise. */
static clStatus prepareStages(txBench *bench, void *data, int32_t side) {
  TRY(txBenchProfile(bench, 0, listen, data));
  return prepareWater(bench, data, side);
}

const txBenchSuite txBenchWater = {.name = "water",
                                   .size = {512},
                                   .quick = 128,
                                   .bytes = sizeof(Water),
                                   .prepare = prepareWater,
                                   .begin = beginWater,
                                   TX_BENCH_CASES(schemes)},
                   txBenchStages = {.name = "water",
                                    .size = {512},
                                    .quick = 128,
                                    .bytes = sizeof(Water),
                                    .prepare = prepareStages,
                                    .begin = beginWater,
                                    TX_BENCH_CASES(stages)};
