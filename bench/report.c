/* Rows as an aligned table or as a list of JSON objects. */
#include <string.h>

#include "suite.h"

/* Keys in JSON, in the order of txBenchLimit. */
static const char *const limit_name[TX_BENCH_LIMITS] = {"fill", "fetch", "arithmetic"};

/* The context that is measured, which may be another one for small problems. */
static const char *deviceName(const txBench *bench) {
  return clContextInspect(bench->context)->renderer;
}

/* Bytes and operations are counted by 10^9. */
static double rateOf(const txBenchRow *row) {
  double rate = row->c.work / row->device.median;
  return row->c.unit[0] == 'G' ? rate * 1e-9 : rate;
}

/* The part of its slowest limit's speed that the operation reaches; 0 if none applies. */
static double shareOf(const txBenchRow *row) {
  double slowest = 0;
  for (int k = 0; k < TX_BENCH_LIMITS; k++)
    slowest = fmax(slowest, row->limit[k]);
  return slowest / row->device.median;
}

/* JSON is one array, whose objects are written as they come. */
void txBenchReportStart(txBench *bench) {
  if (bench->json) {
    txJsonStart(&bench->writer, stdout);
    txJsonArray(&bench->writer, NULL);
  } else {
    printf("%s\n", deviceName(bench));
  }
}

txJson *txBenchReportObject(txBench *bench) {
  if (!bench->json)
    return NULL;
  txJsonObject(&bench->writer, NULL);
  txJsonString(&bench->writer, "suite", bench->suite);
  if (bench->files)
    txJsonString(&bench->writer, "file", bench->file[bench->at]);
  return &bench->writer;
}

void txBenchReportEnd(txBench *bench) {
  if (bench->json)
    txJsonClose(&bench->writer);
}

void txBenchReportHead(txBench *bench) {
  if (!bench->json)
    printf("\n%-22s %9s %9s %9s %8s %-12s  %-13s %9s %9s %6s %6s %6s %6s %8s\n", bench->suite,
           "size", "min ms", "median ms", "rate", "", "peer", "min ms", "median ms", "ratio",
           "best", "device", "growth", "check");
}

/* A peer that is not there leaves dashes. */
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
  const txBenchFacts *facts = &row->facts;
  for (int k = 1; k < TX_BENCH_PEERS; k++)
    if (row->c.peer[k].run) {
      printf("%-74s", "");
      printPeer(row, k);
      printf("\n");
    }
  if (facts->iterations)
    printf("  %lld iterations, %lld passes\n", (long long)facts->iterations,
           (long long)facts->passes);
  if (facts->setup > 0)
    printf("  setup %.1f ms, %.1f ns an unknown\n", facts->setup * 1e3,
           row->device.median / row->c.work * 1e9);
  if (facts->work > 0)
    printf("  processors %.1f ms\n", facts->work * 1e3);
}

/* Times are in milliseconds; each row is printed when it is done. */
static void printRow(const txBenchRow *row) {
  char share[16] = "-", growth[16] = "-", check[16] = "-";
  if (shareOf(row) > 0)
    snprintf(share, sizeof share, "%.2f", shareOf(row));
  if (row->growth > 0)
    snprintf(growth, sizeof growth, "%.2f", row->growth);
  if (row->c.check)
    snprintf(check, sizeof check, "%.1e", row->check);
  printf("%-22s %9s %9.3f %9.3f %8.4g %-12s", row->c.name, row->c.size, row->device.min * 1e3,
         row->device.median * 1e3, rateOf(row), row->c.unit);
  printPeer(row, 0);
  printf(" %6s %6s %8s\n", share, growth, check);
  printExtra(row);
  fflush(stdout);
}

/* Seconds that the device's limits and the peers take for the same work. */
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

static void writePositive(txJson *json, const char *key, double value) {
  if (value > 0)
    txJsonNumber(json, key, value);
}

/* One object; what does not apply is left out. */
static void writeRow(txBench *bench, const txBenchRow *row) {
  txJson *json = txBenchReportObject(bench);
  txJsonString(json, "name", row->c.name);
  txJsonString(json, "size", row->c.size);
  txJsonString(json, "device", deviceName(bench));
  txJsonInteger(json, "runs", row->device.runs);
  txJsonNumber(json, "seconds_min", row->device.min);
  txJsonNumber(json, "seconds_median", row->device.median);
  txJsonNumber(json, "rate", rateOf(row));
  txJsonString(json, "unit", row->c.unit);
  writeLimits(json, row);
  if (row->c.peer[0].run) {
    txJsonString(json, "peer", row->c.peer[0].name);
    txJsonNumber(json, "ratio", row->peer[0].median / row->device.median);
    txJsonNumber(json, "ratio_min", row->peer[0].min / row->device.min);
  }
  writePositive(json, "device_ratio", shareOf(row));
  writePositive(json, "growth", row->growth);
  writePositive(json, "iterations", (double)row->facts.iterations);
  writePositive(json, "passes", (double)row->facts.passes);
  writePositive(json, "seconds_setup", row->facts.setup);
  writePositive(json, "seconds_processors", row->facts.work);
  if (row->c.check)
    txJsonNumber(json, "check", row->check);
  txJsonClose(json);
}

void txBenchReportRow(txBench *bench, const txBenchRow *row) {
  if (bench->json)
    writeRow(bench, row);
  else
    printRow(row);
}
