/* Steps of shallow water: a drop in a basin whose rim is a shore, by each scheme and each way of
 * transport; then the time of a step stage by stage. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"
#include "core/try.h"
#include "suite.h"

enum { STAGES = 5 };

/* Passes whose names begin like this, up to the next comma. */
static const struct {
  const char *name, *kernels;
} stage[STAGES] = {{"prediction", "water predict"},
                   {"systems", "water rows,water right,water matrix"},
                   {"solve", "tridiagonal,banded,cg,grid"},
                   {"update", "water correct,water update"},
                   {"others", NULL}};

/* A simulation on side x side cells. */
typedef struct Job {
  clWater *water;
  int side;
  /* at the start */
  double volume;
  /* seconds of each stage in the last step, on a context that is listened to */
  double spent[STAGES];
} Job;

/* One step. */
static clStatus onDevice(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  memset(j->spent, 0, sizeof j->spent);
  return clWaterStep(j->water, 1);
}

/* Does the kernel's name begin like one of the list, whose words are parted by commas? */
static bool belongs(const char *kernel, const char *list) {
  for (size_t n = 0; *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    if (strncmp(kernel, list, n) == 0)
      return true;
  }
  return false;
}

/* A pass that belongs to no stage is one of the others. */
static void listen(void *user, const clPassEvent *event) {
  Job *j = user;
  int k = 0;
  while (stage[k].kernels && !belongs(event->kernel, stage[k].kernels))
    k++;
  j->spent[k] += event->seconds;
}

/* A bowl 4 deep with a dry rim, and a hill of water in it. */
static clStatus begin(Job *j) {
  size_t n = (size_t)j->side * (size_t)j->side;
  float *ground = malloc(n * sizeof *ground), *z = malloc(n * sizeof *z);
  clStatus status = TEXLA_OK;
  if (!ground || !z)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int k = 0; k < j->side * j->side; k++) {
    double x = (k % j->side + 0.5) / j->side - 0.5, y = (k / j->side + 0.5) / j->side - 0.5;
    ground[k] = (float)(22 * (x * x + y * y) - 4);
    z[k] = (float)exp(-200 * ((x + 0.1) * (x + 0.1) + y * y));
  }
  TRY_CLEANUP(clWaterGround(j->water, ground, NULL, j->side, j->side));
  TRY_CLEANUP(clWaterUpload(j->water, z, NULL, NULL));
cleanup:
  free(ground);
  free(z);
  return status;
}

/* By how much the volume is off after a step, in parts of that at the start. */
static clStatus check(void *user, bool peer, double *error) {
  (void)peer;
  Job *j = user;
  clWaterTotals totals = {0};
  TRY(clWaterStep(j->water, 1));
  TRY(clWaterMeasure(j->water, &totals));
  *error = fabs(totals.volume / j->volume - 1);
  return TEXLA_OK;
}

/* A whole step, or the stage of it whose `seconds` count. */
static clStatus runRow(txBench *bench, Job *j, const char *name, const double *seconds) {
  double n = (double)j->side * j->side;
  txBenchCase c = {.name = name,
                   .user = j,
                   .device = onDevice,
                   .seconds = seconds,
                   .check = check,
                   .work = 1,
                   .unit = "steps/s"};
  /* At least a level and two velocities are written. */
  if (!seconds)
    c.needs[TX_BENCH_FILL] = 4 * 3 * n;
  snprintf(c.size, sizeof c.size, "%d x %d", j->side, j->side);
  return txBenchRunCase(bench, &c);
}

/* As at the start, with steps of one Courant number, whatever the scheme. */
static clStatus create(Job *j, clContext *context, clWaterOptions options) {
  clWaterTotals totals = {0};
  options.nx = options.ny = j->side;
  options.courant = 1;
  TRY(clWaterCreate(&j->water, context, &options));
  TRY(begin(j));
  TRY(clWaterMeasure(j->water, &totals));
  j->volume = totals.volume;
  return TEXLA_OK;
}

/* A row of whole steps. */
static clStatus runCase(txBench *bench, int side, const char *name, clWaterOptions options) {
  Job j = {.side = side};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&j, bench->context, options));
  TRY_CLEANUP(runRow(bench, &j, name, NULL));
cleanup:
  clWaterDestroy(j.water);
  return txBenchForgive(bench, name, status);
}

/* On a context of its own that waits for every pass: together they take longer than a step does
 * otherwise. */
static clStatus runStages(txBench *bench, int side, const char *name, clWaterOptions options) {
  Job j = {.side = side};
  clContext *usual = bench->context;
  clStatus status = TEXLA_OK;
  TRY(txBenchProfile(bench, 0, listen, &j));
  TRY_CLEANUP(create(&j, bench->context, options));
  for (int k = 0; stage[k].kernels; k++) {
    char text[64];
    snprintf(text, sizeof text, "%s: %s", name, stage[k].name);
    TRY_CLEANUP(runRow(bench, &j, text, &j.spent[k]));
  }
cleanup:
  clWaterDestroy(j.water);
  status = txBenchForgive(bench, name, status);
  clContextDestroy(bench->context);
  bench->context = usual;
  return status;
}

/* All schemes, then stages of the first and the last one. */
clStatus txBenchWater(txBench *bench) {
  static const struct {
    const char *name;
    clWaterOptions options;
  } row[] = {
      {"adi", {.friction = TEXLA_WATER_MANNING}},
      {"adi, conserving", {.friction = TEXLA_WATER_MANNING, .advection = TEXLA_WATER_CONSERVING}},
      {"five, jacobi", {.friction = TEXLA_WATER_MANNING, .scheme = TEXLA_WATER_FIVE}},
      {"five, mg",
       {.friction = TEXLA_WATER_MANNING,
        .scheme = TEXLA_WATER_FIVE,
        .preconditioner = TEXLA_PRECONDITIONER_MG}}};
  int side = (int)txBenchSide(bench, 128, 512);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchUse(bench, (int64_t)side * side));
  TRY_CLEANUP(txBenchProbesCreate(bench, (int64_t)side * side));
  for (int k = 0; k < 4; k++)
    TRY_CLEANUP(runCase(bench, side, row[k].name, row[k].options));
  for (int k = 0; k < 4; k += 3)
    TRY_CLEANUP(runStages(bench, side, row[k].name, row[k].options));
cleanup:
  txBenchProbesDestroy(bench);
  return status;
}
