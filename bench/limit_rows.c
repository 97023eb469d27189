/* The rows of the device's limits: its minimal passes beside the same loops on the CPU. */
#include "cpu.h"
#include "core/try.h"
#include "suite.h"

/* A minimal pass of each kind, as measure.c calls it. */
static clStatus deviceFill(void *user, int64_t i) {
  return txBenchProbeRun(user, TX_BENCH_FILL, i);
}

static clStatus deviceFetch(void *user, int64_t i) {
  return txBenchProbeRun(user, TX_BENCH_FETCH, i);
}

static clStatus deviceArithmetic(void *user, int64_t i) {
  return txBenchProbeRun(user, TX_BENCH_ARITHMETIC, i);
}

/* As many numbers are written; another one each time, so that no repetition is superfluous. */
static clStatus cpuFill(void *user, int64_t i) {
  float *x, *z;
  int64_t n = txBenchProbeArrays(user, &x, &z);
  txCpuFill(z, (float)(i & 1), n);
  return TEXLA_OK;
}

/* Sums are kept, so that no loop is left out. */
static clStatus cpuFetch(void *user, int64_t i) {
  float *x, *z;
  int64_t n = txBenchProbeArrays(user, &x, &z);
  (void)i;
  z[0] = (float)txCpuSum(x, n);
  return TEXLA_OK;
}

/* As many operations as the device's pass has, divided between the threads. */
static clStatus cpuArithmetic(void *user, int64_t i) {
  float *x, *z;
  double flops = txBenchProbeWork(user, TX_BENCH_ARITHMETIC);
  (void)i;
  txBenchProbeArrays(user, &x, &z);
  z[0] = (float)txCpuArithmetic(
      (int64_t)(flops / (2.0 * TX_CPU_LANES * TX_CPU_CHAINS * txCpuThreads())));
  return TEXLA_OK;
}

/* The same work on the CPU is what the device's limits are compared with. */
clStatus txBenchLimitRows(txBench *bench) {
  txBenchCase cases[] = {{.name = "limit: fill",
                          .device = deviceFill,
                          .peer = {{"cpu_openmp", cpuFill}},
                          .unit = "GB/s"},
                         {.name = "limit: fetch",
                          .device = deviceFetch,
                          .peer = {{"cpu_openmp", cpuFetch}},
                          .unit = "GB/s"},
                         {.name = "limit: arithmetic",
                          .device = deviceArithmetic,
                          .peer = {{"cpu_openmp", cpuArithmetic}},
                          .unit = "GFLOP/s"}};
  for (int kind = 0; kind < TX_BENCH_LIMITS; kind++) {
    txBenchCase *c = &cases[kind];
    c->user = bench->probes;
    c->work = txBenchProbeWork(bench->probes, (txBenchLimit)kind);
    snprintf(c->size, sizeof c->size, "%lld",
             (long long)txBenchProbeElements(bench->probes, (txBenchLimit)kind));
    TRY(txBenchRunCase(bench, c));
  }
  return TEXLA_OK;
}
