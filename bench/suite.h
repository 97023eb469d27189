/* What the suites share: cases, measuring them beside their limits, rows of the report. */
#ifndef TEXLA_BENCH_SUITE_H
#define TEXLA_BENCH_SUITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/arguments.h"
#include "gl/texture.h"
#include "io/json.h"
#include "noise.h"
#include "texla/texla.h"

enum { TX_BENCH_PEERS = 2, TX_BENCH_LIMITS = 3 };
typedef enum txBenchLimit { TX_BENCH_FILL, TX_BENCH_FETCH, TX_BENCH_ARITHMETIC } txBenchLimit;

/* One repetition. On the device it only submits; it alternates its targets with i, because a driver may drop a draw that
 * the next one covers. */
typedef clStatus (*txBenchRun)(void *user, int64_t i);

typedef struct txBenchCase {
  const char *name;
  char size[32];
  void *user;
  txBenchRun device;
  const double *seconds; /* the device's part of its last repetition that counts; NULL: all */
  struct {
    const char *name; /* key in the report, "cpu_..." */
    txBenchRun run;
  } peer[TX_BENCH_PEERS]; /* the ratio is that to the first; none: no ratio */
  /* Runs once, on the device or as the first peer, and compares with double precision. */
  clStatus (*check)(void *user, bool peer, double *error);
  double work;                   /* of a repetition: bytes, flops or iterations */
  const char *unit;              /* "GB/s", "GFLOP/s", "iterations/s" */
  double needs[TX_BENCH_LIMITS]; /* bytes written, bytes fetched, flops, at least; 0: this limit does not apply */
} txBenchCase;

typedef struct txBenchTime {
  double min, median; /* seconds of a repetition */
  int runs;
} txBenchTime;

typedef struct txBenchRow {
  txBenchCase c;
  txBenchTime device, peer[TX_BENCH_PEERS];
  double limit[TX_BENCH_LIMITS]; /* seconds that the device's limits allow; 0: does not apply */
  double growth;                 /* time of twice the repetitions over time of one set: 2 when nothing is dropped */
  double check, peer_check;
  int64_t iterations, peer_iterations, passes; /* 0: not told */
  double setup;                                /* seconds, not in `device`; 0: not told */
} txBenchRow;

typedef struct txBenchProbes txBenchProbes; /* limits.c: the minimal passes */

typedef struct txBench {
  clContext *context;       /* what is being measured: one of the following (txBenchUse) */
  clContext *large, *small; /* a software renderer's, with worker threads and without; NULL: not opened */
  const txProgram *program;
  int64_t size; /* --size; 0: each suite's own */
  int runs;     /* --runs; 0: as many as fit */
  bool quick;
  bool table, json; /* rows are printed; rows are written to `writer`: to standard output, or for the page */
  const char *suite;
  const char *folder; /* of the suites crout and precond: their matrices; NULL: generated ones */
  int64_t seconds;    /* of the suite precond: after which a solution is stopped; 0: its own */
  int64_t most;       /* ... of at most so many rows; 0: the suite's own */
  const char *html;   /* the page's folder; NULL: none */
  FILE *figures;      /* what `writer` writes to for the page, */
  char *figures_text; /* and its text */
  size_t figures_size;
  txBenchProbes *probes;
  txJson writer;
} txBench;

/* bench.c: bench->context <- the one that suits work on vectors or matrices of so many numbers. Those of other sizes stay open. */
clStatus txBenchUse(txBench *bench, int64_t elements);

/* measure.c */
double txBenchNow(void);
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
/* The limits' own rows. */
clStatus txBenchLimitRows(txBench *bench);

/* problem.c: data that every machine has alike */
float *txBenchArray(int64_t n, int64_t halo); /* zeros, with halos; 64-byte aligned without them; txBenchFree */
void txBenchFree(float *x, int64_t halo);
/* ||x - exact||_2 / ||exact||_2 */
double txBenchError(const float *x, const double *exact, int64_t n);

/* dense.c, dense_fit.c: orders of the dense rows; what is told below these */
enum { TX_BENCH_DENSE_SIZES = 4 };
int txBenchDenseSizes(const txBench *bench, double n[TX_BENCH_DENSE_SIZES]); /* how many */
/* The documents' measure of speed: t = a + b n^3, of texla and of the first peer, and the ratio of b. */
void txBenchReportFit(txBench *bench, const txBenchRow *rows, const double *n, int count);
/* rref of n x (n + 1) by octave-cli, where that is installed. */
void txBenchReportOctave(txBench *bench, const txBenchRow *row, int n);

/* transfers.c: the ways between multigrid's grids, each with the time and the effect of a cycle. */
clStatus txBenchTransfers(txBench *bench, int32_t side);

/* libraries.c: solvers of other libraries on the Poisson problem of side x side, to the same true residual, by the program of bench/peers
 * where that was built; beside texla's `seconds`. */
clStatus txBenchLibraries(txBench *bench, int32_t side, double tolerance, double seconds);

/* The suites. */
clStatus txBenchVector(txBench *bench);
clStatus txBenchSpmv(txBench *bench);
clStatus txBenchSolve(txBench *bench);
clStatus txBenchColumns(txBench *bench);              /* the second part of solve */
clStatus txBenchPasses(txBench *bench, int32_t side); /* the third: an iteration pass by pass */
clStatus txBenchMultigrid(txBench *bench);
clStatus txBenchDense(txBench *bench);
clStatus txBenchWave(txBench *bench);
clStatus txBenchTridiag(txBench *bench);
clStatus txBenchWater(txBench *bench);
clStatus txBenchCrout(txBench *bench);
clStatus txBenchPrecond(txBench *bench);
clStatus txBenchShare(txBench *bench);
clStatus txBenchPrecision(txBench *bench);
clStatus txBenchBatch(txBench *bench);       /* the second part of dense */
clStatus txBenchEliminate(txBench *bench);   /* the third */
clStatus txBenchDenseErrors(txBench *bench); /* and the fourth */
clStatus txBenchTriangles(txBench *bench);
clStatus txBenchLeastSquares(txBench *bench); /* the second part of triangles */

#endif
