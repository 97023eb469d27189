/* What the suites share: cases, measuring them beside their limits, rows of the report. */
#ifndef TEXLA_BENCH_SUITE_H
#define TEXLA_BENCH_SUITE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "program/arguments.h"
#include "gl/texture.h"
#include "io/json.h"
#include "noise.h"
#include "texla/sim.h"

enum { TX_BENCH_PEERS = 2, TX_BENCH_LIMITS = 3 };
typedef enum txBenchLimit { TX_BENCH_FILL, TX_BENCH_FETCH, TX_BENCH_ARITHMETIC } txBenchLimit;

/* One repetition. On the device it only submits; it alternates its targets with i, because a driver
 * may drop a draw that the next one covers. */
typedef clStatus (*txBenchRun)(void *user, int64_t i);

typedef struct txBenchCase {
  const char *name;
  char size[32];
  void *user;
  txBenchRun device;
  /* the device's part of its last repetition that counts; NULL: all */
  const double *seconds;
  struct {
    /* key in the report, "cpu_..." */
    const char *name;
    txBenchRun run;
  } peer[TX_BENCH_PEERS]; /* the ratio is that to the first; none: no ratio */
  /* Runs once, on the device or as the first peer, and compares with double precision. */
  clStatus (*check)(void *user, bool peer, double *error);
  /* of a repetition: bytes, flops or iterations */
  double work;
  /* "GB/s", "GFLOP/s", "iterations/s" */
  const char *unit;
  /* bytes written, bytes fetched, flops, at least; 0: this limit does not apply */
  double needs[TX_BENCH_LIMITS];
} txBenchCase;

typedef struct txBenchTime {
  /* seconds of a repetition */
  double min, median;
  int runs;
} txBenchTime;

typedef struct txBenchRow {
  txBenchCase c;
  txBenchTime device, peer[TX_BENCH_PEERS];
  /* seconds that the device's limits allow; 0: does not apply */
  double limit[TX_BENCH_LIMITS];
  /* time of twice the repetitions over time of one set: 2 when nothing is dropped */
  double growth;
  double check, peer_check;
  /* 0: not told */
  int64_t iterations, peer_iterations, passes;
  /* seconds, not in `device`; 0: not told */
  double setup;
} txBenchRow;

/* limits.c: the minimal passes */
typedef struct txBenchProbes txBenchProbes;

typedef struct txBench {
  /* what is being measured: one of the following (txBenchUse) */
  clContext *context;
  /* a software renderer's, with worker threads and without; NULL: not opened */
  clContext *large, *small;
  const txProgram *program;
  /* --size; 0: each suite's own */
  int64_t size;
  /* --runs; 0: as many as fit */
  int runs;
  bool quick;
  /* rows are printed; rows are written to `writer`: to standard output, or for the page */
  bool table, json;
  const char *suite;
  /* of the suites crout and precond: their matrices; NULL: generated ones */
  const char *folder;
  /* of the suite precond: after which a solution is stopped; 0: its own */
  int64_t seconds;
  /* ... of at most so many rows; 0: the suite's own */
  int64_t most;
  /* the page's folder; NULL: none */
  const char *html;
  /* what `writer` writes to for the page, */
  FILE *figures;
  /* and its text */
  char *figures_text;
  size_t figures_size;
  txBenchProbes *probes;
  txJson writer;
} txBench;

/* The size of a problem: what --size asks for, else `quick` or the suite's usual one. */
static inline int64_t txBenchSide(const txBench *bench, int64_t quick, int64_t usual) {
  if (bench->size)
    return bench->size;
  return bench->quick ? quick : usual;
}

/* use.c: bench->context <- the one that suits work on vectors or matrices of so many numbers.
 * Those of other sizes stay open. */
clStatus txBenchUse(txBench *bench, int64_t elements);

/* measure.c */
/* Fills row->device, peer, limit, growth and both checks. */
clStatus txBenchMeasure(txBench *bench, const txBenchCase *c, txBenchRow *row);
/* Measures and reports. */
clStatus txBenchRunCase(txBench *bench, const txBenchCase *c);
/* What the device or this build does not offer is said on standard error, and no failure. */
clStatus txBenchForgive(const txBench *bench, const char *name, clStatus status);

/* report.c */
void txBenchReportStart(txBench *bench);
void txBenchReportSuite(txBench *bench);
void txBenchReportRow(txBench *bench, const txBenchRow *row);
void txBenchReportEnd(txBench *bench);

/* page.c: --html. Open makes the folder; Close writes the files. */
clStatus txBenchPageOpen(txBench *bench, const char *folder, clError *error);
clStatus txBenchPageClose(txBench *bench, clError *error);

/* limits.c: what the device's minimal passes reach: fill, fetch, multiply-add. */
clStatus txBenchProbesCreate(txBench *bench, int64_t elements);
void txBenchProbesDestroy(txBench *bench);
clContext *txBenchProbeContext(const txBenchProbes *probes);
/* One minimal pass of a kind, and the bytes or flops of it. */
clStatus txBenchProbeRun(txBenchProbes *probes, txBenchLimit kind, int64_t i);
double txBenchProbeWork(const txBenchProbes *probes, txBenchLimit kind);
/* How many numbers a pass writes or fetches; and the CPU's arrays for the same, as many: x is
 * noise, z is written. */
int64_t txBenchProbeElements(const txBenchProbes *probes, txBenchLimit kind);
int64_t txBenchProbeArrays(const txBenchProbes *probes, float **x, float **z);

/* limit_rows.c: the limits' own rows. */
clStatus txBenchLimitRows(txBench *bench);

/* problem.c: data that every machine has alike */
/* zeros, with halos; 64-byte aligned without them; txBenchFree */
float *txBenchArray(int64_t n, int64_t halo);
void txBenchFree(float *x, int64_t halo);
/* ||x - exact||_2 / ||exact||_2 */
double txBenchError(const float *x, const double *exact, int64_t n);

/* 1, -1, 1, ...: a vector that checks results by products, in double. */
static inline double txBenchSign(int64_t i) {
  return (double)(1 - 2 * (i & 1));
}

/* sqrt(sum / size) of two sums of squares; 0 where there is nothing to compare with. */
static inline double txBenchRelative(double sum, double size) {
  return size > 0 ? sqrt(sum / size) : 0;
}

/* dense_fit.c: orders of the dense rows; what is told below these */
enum { TX_BENCH_DENSE_SIZES = 4 };
/* how many */
int txBenchDenseSizes(const txBench *bench, double n[TX_BENCH_DENSE_SIZES]);
/* The documents' measure of speed: t = a + b n^3, of texla and of the first peer, and the ratio of
 * b. */
void txBenchReportFit(txBench *bench, const txBenchRow *rows, const double *n, int count);
/* rref of n x (n + 1) by octave-cli, where that is installed. */
void txBenchReportOctave(txBench *bench, const txBenchRow *row, int n);

/* transfers.c: the ways between multigrid's grids, each with the time and the effect of a cycle. */
clStatus txBenchTransfers(txBench *bench, int32_t side);

/* libraries.c: solvers of other libraries on the Poisson problem of side x side, to the same true
 * residual, by the program of bench/peers where that was built; beside texla's `seconds`. */
clStatus txBenchLibraries(txBench *bench, int32_t side, double tolerance, double seconds);

/* The suites. */
clStatus txBenchVector(txBench *bench);
clStatus txBenchSpmv(txBench *bench);
clStatus txBenchSolve(txBench *bench);
/* the second part of solve */
clStatus txBenchColumns(txBench *bench);
/* the third: an iteration pass by pass */
clStatus txBenchPasses(txBench *bench, int32_t side);
clStatus txBenchMultigrid(txBench *bench);
clStatus txBenchDense(txBench *bench);
clStatus txBenchWave(txBench *bench);
clStatus txBenchTridiag(txBench *bench);
clStatus txBenchWater(txBench *bench);
clStatus txBenchCrout(txBench *bench);
clStatus txBenchPrecond(txBench *bench);
clStatus txBenchShare(txBench *bench);
clStatus txBenchPrecision(txBench *bench);
/* the second part of dense */
clStatus txBenchBatch(txBench *bench);
/* the third */
clStatus txBenchEliminate(txBench *bench);
/* and the fourth */
clStatus txBenchDenseErrors(txBench *bench);
clStatus txBenchTriangles(txBench *bench);
/* the second part of triangles */
clStatus txBenchLeastSquares(txBench *bench);

#endif
