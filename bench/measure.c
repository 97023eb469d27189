/* Measuring: the device, its peers on the CPU and the device's own limits take turns, so that what
 * disturbs the machine disturbs them alike. Every repetition on the device is waited for; one that
 * is too short to be timed (below 1 ms) is a set of several submissions with alternating
 * targets. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "suite.h"

enum {
  ROUNDS = 3,
  MOST_RUNS = 60,
  MOST_BATCH = 64,
  RUNNERS = 1 + TX_BENCH_PEERS + TX_BENCH_LIMITS
};
/* seconds for one runner, without --runs */
static const double enough = 0.4;
/* seconds of a set on the CPU; on the device, whose set ends with waiting: */
static const double shortest = 1e-3;
static const double longest_wait = 3e-3;
/* seconds of a repetition that is not repeated for its growth */
static const double long_run = 0.5;
/* OpenMP's threads may spin so long after a loop */
static const double spin_seconds = 0.02;

typedef struct Runner {
  txBenchRun run;
  void *user;
  /* to wait for; NULL: the CPU */
  clContext *context;
  /* seconds of the last repetition that count; NULL: all */
  const double *clock;
  /* repetitions in a set */
  int batch;
  int runs, done;
  double seconds[MOST_RUNS];
  int64_t i;
} Runner;

typedef struct Probe {
  txBenchProbes *probes;
  txBenchLimit kind;
} Probe;

double txBenchNow(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause(double seconds) {
  nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *seconds, int count) {
  qsort(seconds, (size_t)count, sizeof *seconds, compareDoubles);
  return seconds[count / 2];
}

/* *seconds <- the time of `count` repetitions, waited for together. */
static clStatus timeSet(Runner *r, int count, double *seconds) {
  clStatus status = TEXLA_OK;
  double start = txBenchNow(), counted = 0;
  for (int k = 0; k < count && !status; k++) {
    status = r->run(r->user, r->i++);
    counted += r->clock ? *r->clock : 0;
  }
  if (!status && r->context)
    status = clContextSynchronize(r->context);
  *seconds = r->clock ? counted : txBenchNow() - start;
  return status;
}

/* How many repetitions make a set, and how many sets are taken. */
static clStatus plan(const txBench *bench, Runner *r) {
  double seconds = 0;
  clStatus status = TEXLA_OK;
  /* compile and tune */
  for (int k = 0; k < 2 && !status && seconds < long_run; k++)
    status = timeSet(r, 1, &seconds);
  if (!status && seconds < long_run)
    status = timeSet(r, 1, &seconds);
  double least = r->context ? longest_wait : shortest, batch = ceil(least / fmax(seconds, 1e-9));
  /* without what waiting takes */
  if (r->context && batch > 1 && !status) {
    int count = (int)fmin(batch, MOST_BATCH);
    status = timeSet(r, count, &seconds);
    seconds /= count;
    batch = ceil(least / fmax(seconds, 1e-9));
  }
  r->batch = batch > MOST_BATCH ? MOST_BATCH : (int)batch;
  double runs = enough / (seconds * r->batch);
  r->runs = bench->runs ? bench->runs : bench->quick ? ROUNDS : (int)fmin(fmax(runs, 5), MOST_RUNS);
  if (!bench->runs && seconds > 4 * long_run)
    r->runs = ROUNDS;
  if (r->runs > MOST_RUNS)
    r->runs = MOST_RUNS;
  return status;
}

/* This round's share of a runner's runs. */
static clStatus runShare(Runner *r, int round) {
  clStatus status = TEXLA_OK;
  int end = r->runs * (round + 1) / ROUNDS;
  while (r->done < end && !status) {
    status = timeSet(r, r->batch, &r->seconds[r->done]);
    r->seconds[r->done++] /= r->batch;
  }
  return status;
}

static txBenchTime timeOf(Runner *r) {
  txBenchTime t = {.runs = r->done};
  if (r->done) {
    t.median = median(r->seconds, r->done);
    t.min = r->seconds[0];
  }
  return t;
}

/* Time of two sets in one go over time of one. */
static clStatus measureGrowth(Runner *r, double *growth) {
  enum { RUNS = 5 };
  double one[RUNS], two[RUNS];
  clStatus status = TEXLA_OK;
  for (int k = 0; k < RUNS && !status; k++) {
    status = timeSet(r, r->batch, &one[k]);
    if (!status)
      status = timeSet(r, 2 * r->batch, &two[k]);
  }
  if (!status)
    *growth = median(two, RUNS) / median(one, RUNS);
  return status;
}

static clStatus runProbe(void *user, int64_t i) {
  const Probe *probe = user;
  return txBenchProbeRun(probe->probes, probe->kind, i);
}

/* All that takes part: the device first, then peers and limits; those without a run are left
 * out. */
static void gather(const txBench *bench, const txBenchCase *c, Runner *runner, Probe *probe) {
  runner[0] =
      (Runner){.run = c->device, .user = c->user, .context = bench->context, .clock = c->seconds};
  for (int k = 0; k < TX_BENCH_PEERS; k++)
    runner[1 + k] = (Runner){.run = c->peer[k].run, .user = c->user};
  for (int k = 0; k < TX_BENCH_LIMITS; k++) {
    probe[k] = (Probe){bench->probes, (txBenchLimit)k};
    runner[1 + TX_BENCH_PEERS + k] = (Runner){.run = c->needs[k] > 0 ? runProbe : NULL,
                                              .user = &probe[k],
                                              .context = txBenchProbeContext(bench->probes)};
  }
}

static clStatus takeTurns(const txBench *bench, Runner *runner) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < RUNNERS && !status; k++)
    if (runner[k].run)
      status = plan(bench, &runner[k]);
  for (int round = 0; round < ROUNDS && !status; round++) {
    bool cpu = true;
    for (int k = 0; k < RUNNERS && !status; k++) {
      if (!runner[k].run)
        continue;
      if (cpu && runner[k].context)
        pause(spin_seconds);
      cpu = !runner[k].context;
      status = runShare(&runner[k], round);
    }
  }
  return status;
}

static clStatus check(const txBenchCase *c, txBenchRow *row) {
  clStatus status = c->check ? c->check(c->user, false, &row->check) : TEXLA_OK;
  if (!status && c->check && c->peer[0].run)
    status = c->check(c->user, true, &row->peer_check);
  return status;
}

clStatus txBenchMeasure(txBench *bench, const txBenchCase *c, txBenchRow *row) {
  Runner *runner = malloc(RUNNERS * sizeof *runner);
  Probe probe[TX_BENCH_LIMITS];
  if (!runner)
    return TEXLA_OUT_OF_MEMORY;
  gather(bench, c, runner, probe);
  *row = (txBenchRow){.c = *c};
  clStatus status = takeTurns(bench, runner);
  row->device = timeOf(&runner[0]);
  for (int k = 0; k < TX_BENCH_PEERS; k++)
    row->peer[k] = timeOf(&runner[1 + k]);
  for (int k = 0; k < TX_BENCH_LIMITS && bench->probes; k++)
    row->limit[k] = timeOf(&runner[1 + TX_BENCH_PEERS + k]).median * c->needs[k] /
                    txBenchProbeWork(bench->probes, (txBenchLimit)k);
  if (!status && !c->seconds && row->device.median < long_run) {
    pause(spin_seconds);
    status = measureGrowth(&runner[0], &row->growth);
  }
  free(runner);
  return status ? status : check(c, row);
}

clStatus txBenchRunCase(txBench *bench, const txBenchCase *c) {
  txBenchRow row;
  clStatus status = txBenchMeasure(bench, c, &row);
  if (!status)
    txBenchReportRow(bench, &row);
  return status;
}

clStatus txBenchForgive(const txBench *bench, const char *name, clStatus status) {
  if (status != TEXLA_UNSUPPORTED && status != TEXLA_TOO_LARGE)
    return status;
  fprintf(stderr, "texla bench: %s is left out: %s\n", name,
          clContextError(bench->context)->message);
  return TEXLA_OK;
}
