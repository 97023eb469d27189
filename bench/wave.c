/* Explicit steps of the wave equation, x(t+1) = B x(t) - x(t-1): as a product with five stored
 * diagonals where the speed varies, and as a constant stencil, beside the same as loops over
 * diagonals and over a stencil. */
#include <math.h>
#include <stdlib.h>

#include "cpu.h"
#include "core/try.h"
#include "suite.h"

/* A wave on the device, and the same as arrays. */
typedef struct Job {
  clWave *wave;
  double beta;
  int64_t nx, n;
  /* NULL: 1 */
  float *speed;
  /* B's: south, west, own, east, north; NULL: constant */
  float *diagonal[5];
  /* x(t), x(t-1) of the check */
  float *start[2];
  /* the peer's, with halos */
  float *x[2];
  double *exact;
} Job;

/* One step a call. */
static clStatus onDevice(void *user, int64_t i) {
  (void)i;
  return clWaveStep(((Job *)user)->wave, 1);
}

/* The older heights become the newer ones in place. */
static clStatus onCpu(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  if (j->speed)
    txCpuWaveDiagonals(j->x[1], (const float *const *)j->diagonal, j->x[0], j->nx, j->n);
  else
    txCpuWaveStencil(j->x[1], (float)j->beta, j->x[0], j->nx, j->n / j->nx);
  float *next = j->x[1];
  j->x[1] = j->x[0];
  j->x[0] = next;
  return TEXLA_OK;
}

/* The neighbour of point k in a direction of B's diagonals; -1: it would be outside. */
static int64_t neighbourOf(const Job *j, int64_t k, int direction) {
  const int64_t step[] = {-j->nx, -1, 0, 1, j->nx}, other = k + step[direction];
  bool outside = other < 0 || other >= j->n || (step[direction] == -1 && k % j->nx == 0) ||
                 (step[direction] == 1 && other % j->nx == 0);
  if (outside)
    return -1;
  return other;
}

/* beta times the weight of the link from k to a neighbour, 0 where there is none: the harmonic mean
 * of the speeds' squares, or, where the speed is 1, one at all edges too (they are fixed). */
static double linkOf(const Job *j, int64_t k, int64_t other) {
  if (!j->speed)
    return j->beta;
  if (other < 0)
    return 0;
  double a = (double)j->speed[k] * (double)j->speed[k],
         b = (double)j->speed[other] * (double)j->speed[other];
  return 2 * j->beta * a * b / (a + b);
}

/* One step from the start in double, and B's diagonals by the way. The diagonal 2, B's own, is 2
 * less all links. */
static void solve(Job *j) {
  static const int directions[] = {0, 1, 3, 4};
  for (int64_t k = 0; k < j->n; k++) {
    double own = (double)j->start[0][k], sum = 2 * own - (double)j->start[1][k];
    for (int i = 0; i < 4; i++) {
      int64_t other = neighbourOf(j, k, directions[i]);
      double weight = linkOf(j, k, other), height = 0;
      if (other >= 0)
        height = (double)j->start[0][other];
      sum += weight * (height - own);
      if (j->speed)
        j->diagonal[directions[i]][k] = (float)weight;
    }
    j->exact[k] = sum;
  }
  for (int64_t k = 0; k < j->n && j->speed; k++)
    j->diagonal[2][k] =
        2 - j->diagonal[0][k] - j->diagonal[1][k] - j->diagonal[3][k] - j->diagonal[4][k];
}

/* Both at the same two heights. */
static clStatus restart(Job *j) {
  clVector *state[TEXLA_WAVE_STATE];
  clWaveState(j->wave, state);
  for (int t = 0; t < 2; t++) {
    txCpuCopy(j->x[t], j->start[t], j->n);
    TRY(clVectorUpload(state[t], j->start[t]));
  }
  return TEXLA_OK;
}

/* After one step from the start. */
static clStatus check(void *user, bool peer, double *error) {
  Job *j = user;
  TRY(restart(j));
  if (peer)
    TRY(onCpu(j, 0));
  else {
    TRY(onDevice(j, 0));
    TRY(clVectorDownload(clWaveHeight(j->wave), j->x[0]));
  }
  *error = txBenchError(j->x[0], j->exact, j->n);
  return TEXLA_OK;
}

/* Speeds from 1/2 to 1 where the medium varies. */
static clStatus allocate(Job *j, bool varies) {
  j->exact = calloc((size_t)j->n, sizeof *j->exact);
  bool all = j->exact != NULL;
  for (int t = 0; t < 2; t++) {
    all = (j->start[t] = txBenchArray(j->n, 0)) && (j->x[t] = txBenchArray(j->n, j->nx)) && all;
    if (j->start[t])
      txBenchNoise(j->start[t], j->n, 42 + (uint64_t)t, -1, 1);
  }
  for (int d = 0; d < 5 && varies; d++)
    all = (j->diagonal[d] = txBenchArray(j->n, 0)) && all;
  if (varies)
    all = (j->speed = txBenchArray(j->n, 0)) && all;
  if (all && varies)
    txBenchNoise(j->speed, j->n, 7, 0.5f, 1);
  if (all)
    return TEXLA_OK;
  return TEXLA_OUT_OF_MEMORY;
}

/* Also what has never been made. */
static void destroy(Job *j) {
  clWaveDestroy(j->wave);
  for (int d = 0; d < 5; d++)
    txBenchFree(j->diagonal[d], 0);
  for (int t = 0; t < 2; t++) {
    txBenchFree(j->start[t], 0);
    txBenchFree(j->x[t], j->nx);
  }
  txBenchFree(j->speed, 0);
  free(j->exact);
}

/* Reflecting edges where the speed varies, fixed ones where it does not: these are the edges that
 * the two kernels are made for. */
static clStatus create(Job *j, txBench *bench, bool varies) {
  clWaveOptions options = {.nx = (int)j->nx, .ny = (int)j->nx};
  for (int s = 0; s < 4; s++)
    options.edge[s] = varies ? TEXLA_WAVE_EDGE_REFLECTING : TEXLA_WAVE_EDGE_FIXED;
  TRY(allocate(j, varies));
  TRY(clWaveCreate(&j->wave, bench->context, &options));
  if (varies)
    TRY(clWaveSpeed(j->wave, j->speed));
  j->beta = clWaveInspect(j->wave).beta;
  solve(j);
  return restart(j);
}

/* The medium decides which kernel steps and which loop stands beside it. */
static clStatus runCase(txBench *bench, int side, bool varies) {
  Job j = {.nx = side, .n = (int64_t)side * side};
  clStatus status = TEXLA_OK;
  /* a constant stencil: 2 x + beta (sum - 4 x) - x(t-1) */
  double n = (double)j.n, flops = 7;
  txBenchCase c = {.name = "step, stencil",
                   .user = &j,
                   .device = onDevice,
                   .peer = {{"cpu_stencil", onCpu}},
                   .check = check,
                   .unit = "GFLOP/s",
                   .needs = {4 * n, 8 * n}};
  if (varies) {
    flops = 10;
    c.name = "step, matrix";
    c.peer[0].name = "cpu_diagonals";
    c.needs[TX_BENCH_FETCH] += 20 * n;
  }
  c.work = flops * n;
  c.needs[TX_BENCH_ARITHMETIC] = flops * n;
  snprintf(c.size, sizeof c.size, "%d^2", side);
  TRY_CLEANUP(create(&j, bench, varies));
  TRY_CLEANUP(txBenchRunCase(bench, &c));
cleanup:
  destroy(&j);
  return txBenchForgive(bench, c.name, status);
}

/* First with a varying medium, then with a constant one. */
clStatus txBenchWave(txBench *bench) {
  int side = (int)txBenchSide(bench, 256, 2048);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchUse(bench, (int64_t)side * side));
  TRY_CLEANUP(txBenchProbesCreate(bench, (int64_t)side * side));
  TRY_CLEANUP(txBenchLimitRows(bench));
  for (int varies = 1; varies >= 0; varies--)
    TRY_CLEANUP(runCase(bench, side, varies));
cleanup:
  txBenchProbesDestroy(bench);
  return status;
}
