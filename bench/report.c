/* Rows as an aligned table or as a list of JSON objects. */
#include <math.h>
#include <string.h>

#include "cpu.h"
#include "suite.h"

/* Keys in JSON, in the order of txBenchLimit. */
static const char *const limit_name[TX_BENCH_LIMITS] = {"fill", "fetch", "arithmetic"};

/* Of the context that is being measured, which may be another one for small problems. */
static const char *deviceName(const txBench *bench) {
  return clContextInspect(bench->context)->renderer;
}

/* Bytes and flops are counted by the thousand million. */
static double rateOf(const txBenchRow *row) {
  double rate = row->c.work / row->device.median;
  if (row->c.unit[0] == 'G')
    return rate * 1e-9;
  return rate;
}

/* Above 1 the device is faster than the first peer. */
static double ratioOf(const txBenchRow *row) {
  return row->peer[0].median / row->device.median;
}

/* The same of the undisturbed runs, on a machine that others use too. */
static double bestRatioOf(const txBenchRow *row) {
  return row->peer[0].min / row->device.min;
}

/* The part of its slowest limit's speed that the operation reaches; 0 when none applies. */
static double shareOf(const txBenchRow *row) {
  double slowest = 0;
  for (int k = 0; k < TX_BENCH_LIMITS; k++)
    slowest = fmax(slowest, row->limit[k]);
  return slowest / row->device.median;
}

/* JSON is one array, whose objects are written as they come. */
void txBenchReportStart(txBench *bench) {
  FILE *out = stdout;
  if (bench->figures)
    out = bench->figures;
  if (bench->json) {
    txJsonStart(&bench->writer, out);
    txJsonArray(&bench->writer, NULL);
  }
  if (bench->table) {
    printf("%s; CPU loops with %d thread%s\n", deviceName(bench), txCpuThreads(),
           txCpuThreads() > 1 ? "s" : "");
  }
}

txJson *txBenchReportObject(txBench *bench) {
  if (!bench->json)
    return NULL;
  txJsonObject(&bench->writer, NULL);
  txJsonString(&bench->writer, "suite", bench->suite);
  return &bench->writer;
}

/* The array is closed. */
void txBenchReportEnd(txBench *bench) {
  if (bench->json)
    txJsonClose(&bench->writer);
}

/* A head for each suite; `ratio` and `best` are peer / device, `device` the share of the slowest
 * limit. */
void txBenchReportSuite(txBench *bench) {
  if (bench->table)
    printf("\n%-18s %9s %9s %9s %8s %-12s  %-13s %9s %9s %6s %6s %6s %6s %8s\n", bench->suite,
           "size", "min ms", "median ms", "rate", "", "peer", "min ms", "median ms", "ratio",
           "best", "device", "growth", "check");
}

/* A peer that is not there leaves dashes, so that columns stay. */
static void printPeer(const txBenchRow *row, int k) {
  const txBenchTime *peer = &row->peer[k], *device = &row->device;
  if (!row->c.peer[k].run) {
    printf("  %-13s %9s %9s %6s %6s", "-", "-", "-", "-", "-");
    return;
  }
  printf("  %-13s %9.3f %9.3f %6.2f %6.2f", row->c.peer[k].name, peer->min * 1e3,
         peer->median * 1e3, peer->median / device->median, peer->min / device->min);
}

/* Lines below a row: further peers, iterations, setup. */
static void printExtra(const txBenchRow *row) {
  for (int k = 1; k < TX_BENCH_PEERS; k++)
    if (row->c.peer[k].run) {
      printf("%-70s", "");
      printPeer(row, k);
      printf("\n");
    }
  const char *peer = row->c.peer[0].run ? row->c.peer[0].name : NULL;
  if (row->iterations) {
    printf("  %lld iterations", (long long)row->iterations);
    if (peer)
      printf(" (%s: %lld)", peer, (long long)row->peer_iterations);
    printf(", %lld passes, %.1f us a pass\n", (long long)row->passes,
           row->device.median / (double)row->passes * 1e6);
  }
  if (row->setup > 0) {
    printf("  setup %.1f ms, %.1f ns an unknown", row->setup * 1e3,
           row->device.median / row->c.work * 1e9);
    if (peer)
      printf(", true residual of %s %.1e", peer, row->peer_check);
    printf("\n");
  }
}

/* Times are in milliseconds; each row is seen when it is done. */
static void printRow(const txBenchRow *row) {
  const txBenchCase *c = &row->c;
  char share[16] = "-", growth[16] = "-";
  if (shareOf(row) > 0)
    snprintf(share, sizeof share, "%.2f", shareOf(row));
  if (row->growth > 0)
    snprintf(growth, sizeof growth, "%.2f", row->growth);
  printf("%-18s %9s %9.3f %9.3f %8.4g %-12s", c->name, c->size, row->device.min * 1e3,
         row->device.median * 1e3, rateOf(row), c->unit);
  printPeer(row, 0);
  printf(" %6s %6s %8.1e\n", share, growth, row->check);
  printExtra(row);
  fflush(stdout);
}

/* Seconds that the device's limits and the peers would take for the same work. */
static void writeLimits(txJson *json, const txBenchRow *row) {
  txJsonObject(json, "limit");
  for (int k = 0; k < TX_BENCH_PEERS; k++)
    if (row->c.peer[k].run)
      txJsonNumber(json, row->c.peer[k].name, row->peer[k].median);
  for (int k = 0; k < TX_BENCH_LIMITS; k++)
    if (row->limit[k] > 0)
      txJsonNumber(json, limit_name[k], row->limit[k]);
  txJsonClose(json);
}

/* Of solvers only. */
static void writeIterations(txJson *json, const txBenchRow *row) {
  if (!row->iterations)
    return;
  txJsonInteger(json, "iterations", row->iterations);
  txJsonInteger(json, "peer_iterations", row->peer_iterations);
  txJsonInteger(json, "passes", row->passes);
  if (row->setup > 0)
    txJsonNumber(json, "seconds_setup", row->setup);
}

/* One object; what does not apply is left out. */
static void writeRow(txBench *bench, const txBenchRow *row) {
  txJson *json = txBenchReportObject(bench);
  if (!json)
    return;
  txJsonString(json, "name", row->c.name);
  txJsonString(json, "size", row->c.size);
  txJsonString(json, "precision", "single");
  txJsonString(json, "device", deviceName(bench));
  txJsonInteger(json, "runs", row->device.runs);
  txJsonNumber(json, "seconds_min", row->device.min);
  txJsonNumber(json, "seconds_median", row->device.median);
  txJsonNumber(json, "rate", rateOf(row));
  txJsonString(json, "unit", row->c.unit);
  writeLimits(json, row);
  const bool peer = row->c.peer[0].run != NULL;
  if (peer) {
    txJsonString(json, "peer", row->c.peer[0].name);
    txJsonInteger(json, "peer_threads", txCpuThreads());
    txJsonNumber(json, "ratio", ratioOf(row));
    txJsonNumber(json, "ratio_min", bestRatioOf(row));
  }
  if (shareOf(row) > 0)
    txJsonNumber(json, "device_ratio", shareOf(row));
  if (row->growth > 0)
    txJsonNumber(json, "growth", row->growth);
  writeIterations(json, row);
  txJsonNumber(json, "check", row->check);
  if (peer)
    txJsonNumber(json, "peer_check", row->peer_check);
  txJsonClose(json);
}

/* Both forms may be asked for. */
void txBenchReportRow(txBench *bench, const txBenchRow *row) {
  writeRow(bench, row);
  if (bench->table)
    printRow(row);
}
