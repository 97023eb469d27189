/* Measures: the device, its peers and the device's own limits alternate, so that a disturbance
 * meets all of them. Each repetition on the device is waited for; a short one is a set of several
 * submissions with alternating targets. */
#include <stdlib.h>
#include <time.h>

#include "core/numbers.h"
#include "platform/platform.h"
#include "suite.h"

enum {
  ROUNDS = 3,
  MOST_RUNS = 100,
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

/* One participant: its function, the size of its sets, and their times. */
typedef struct Runner {
  txBenchRun run;
  void *data;
  /* The context to wait for; NULL: the CPU. */
  clContext *context;
  /* Seconds of the last repetition that count; NULL: all. */
  const double *clock;
  /* Repetitions in a set; sets that are planned, and timed. */
  int batch, runs, done;
  /* Seconds of a repetition, by set. */
  double seconds[MOST_RUNS];
  /* Number of the next repetition, by which targets alternate. */
  int64_t i;
} Runner;

/* Below a second. */
static void pause(double seconds) {
  nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

/* For qsort, in ascending order. */
static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void txBenchSort(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compareDoubles);
}

/* Sorts, too: afterwards the first one is the shortest. */
static double median(double *seconds, int count) {
  txBenchSort(seconds, count);
  return seconds[count / 2];
}

/* *seconds <- the time of `count` repetitions, waited for together. */
static clStatus timeSet(txBench *bench, Runner *r, int count, double *seconds) {
  double start = txNow(), counted = 0;
  for (int k = 0; k < count; k++) {
    TRY(r->run(bench, r->data, r->i++));
    if (r->clock)
      counted += *r->clock;
  }
  if (r->context)
    TRY(clContextSynchronize(r->context));
  *seconds = counted;
  if (!r->clock)
    *seconds = txNow() - start;
  return TEXLA_OK;
}

/* How many sets are taken, when `fitting` of them fit into the time. */
static int runsOf(const txBench *bench, double seconds, double fitting) {
  if (bench->runs)
    return (int)bench->runs;
  if (bench->quick || seconds > 4 * long_run)
    return ROUNDS;
  return (int)fmin(fmax(fitting, 5), MOST_RUNS);
}

/* How many repetitions make a set, and how many sets are taken. */
static clStatus plan(txBench *bench, Runner *r) {
  double seconds = 0;
  /* The first two compile and tune. */
  for (int k = 0; k < 2 && seconds < long_run; k++)
    TRY(timeSet(bench, r, 1, &seconds));
  if (seconds < long_run)
    TRY(timeSet(bench, r, 1, &seconds));
  double least = shortest;
  if (r->context)
    least = longest_wait;
  double batch = ceil(least / fmax(seconds, 1e-9));
  /* A set of the device is timed once more, without what waiting takes. */
  if (r->context && batch > 1) {
    int count = (int)fmin(batch, MOST_BATCH);
    TRY(timeSet(bench, r, count, &seconds));
    seconds /= count;
    batch = ceil(least / fmax(seconds, 1e-9));
  }
  r->batch = (int)fmin(batch, MOST_BATCH);
  r->runs = runsOf(bench, seconds, enough / (seconds * r->batch));
  return TEXLA_OK;
}

/* This round's share of a runner's runs. */
static clStatus runShare(txBench *bench, Runner *r, int round) {
  int end = r->runs * (round + 1) / ROUNDS;
  while (r->done < end) {
    TRY(timeSet(bench, r, r->batch, &r->seconds[r->done]));
    r->seconds[r->done++] /= r->batch;
  }
  return TEXLA_OK;
}

/* Sorted by the median, the first run is the shortest. */
static txBenchTime timeOf(Runner *r) {
  txBenchTime t = {.runs = r->done};
  if (r->done) {
    t.median = median(r->seconds, r->done);
    t.min = r->seconds[0];
  }
  return t;
}

/* Time of two sets in one go over time of one. */
static clStatus measureGrowth(txBench *bench, Runner *r, double *growth) {
  enum { RUNS = 5 };
  double one[RUNS], two[RUNS];
  for (int k = 0; k < RUNS; k++) {
    TRY(timeSet(bench, r, r->batch, &one[k]));
    TRY(timeSet(bench, r, 2 * r->batch, &two[k]));
  }
  *growth = median(two, RUNS) / median(one, RUNS);
  return TEXLA_OK;
}

static clStatus runProbe(txBench *bench, void *kind, int64_t i) {
  return txBenchProbeRun(bench, *(const txBenchLimit *)kind, i);
}

/* All participants: the device first, then peers and limits; those without a run are left out. */
static void gather(const txBench *bench, const txBenchCase *c, void *data, Runner *runner) {
  static txBenchLimit kinds[TX_BENCH_LIMITS] = {TX_BENCH_FILL, TX_BENCH_FETCH, TX_BENCH_ARITHMETIC};
  runner[0] = (Runner){.run = c->run, .data = data, .context = bench->context, .clock = c->seconds};
  for (int k = 0; k < TX_BENCH_PEERS; k++)
    runner[1 + k] = (Runner){.run = c->peer[k].run, .data = data};
  for (int k = 0; k < TX_BENCH_LIMITS; k++) {
    Runner *r = &runner[1 + TX_BENCH_PEERS + k];
    *r = (Runner){.data = &kinds[k], .context = bench->context};
    if (bench->probes && c->needs[k] > 0)
      r->run = runProbe;
  }
}

/* A pause before the device's turn lets OpenMP's threads go to sleep. */
static clStatus takeTurns(txBench *bench, Runner *runner) {
  for (int k = 0; k < RUNNERS; k++) {
    if (runner[k].run)
      TRY(plan(bench, &runner[k]));
  }
  for (int round = 0; round < ROUNDS; round++) {
    bool cpu = true;
    for (int k = 0; k < RUNNERS; k++) {
      if (!runner[k].run)
        continue;
      if (cpu && runner[k].context)
        pause(spin_seconds);
      cpu = !runner[k].context;
      TRY(runShare(bench, &runner[k], round));
    }
  }
  return TEXLA_OK;
}

/* Growth is measured last, when the sizes of sets are known. */
clStatus txBenchMeasure(txBench *bench, const txBenchCase *c, void *data, txBenchRow *row) {
  Runner *runner = malloc(RUNNERS * sizeof *runner);
  if (!runner)
    return TEXLA_OUT_OF_MEMORY;
  gather(bench, c, data, runner);
  *row = (txBenchRow){.c = *c};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(takeTurns(bench, runner));
  row->device = timeOf(&runner[0]);
  for (int k = 0; k < TX_BENCH_PEERS; k++)
    row->peer[k] = timeOf(&runner[1 + k]);
  for (int k = 0; k < TX_BENCH_LIMITS && bench->probes; k++)
    row->limit[k] = timeOf(&runner[1 + TX_BENCH_PEERS + k]).median * c->needs[k] /
                    txBenchProbeWork(bench->probes, (txBenchLimit)k);
  if (!c->seconds && row->device.median < long_run) {
    pause(spin_seconds);
    TRY_CLEANUP(measureGrowth(bench, &runner[0], &row->growth));
  }
  if (c->check)
    TRY_CLEANUP(c->check(bench, data, &row->check));
  row->facts = bench->facts;
cleanup:
  free(runner);
  return status;
}
