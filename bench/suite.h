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

/* What is measured, on the device and by its peers.
 *
 * A repetition does `work`, which `unit` names: "GB/s" counts bytes, "GFLOP/s" flops,
 * "iterations/s" iterations. It needs at least so many bytes written, bytes fetched and flops
 * (`needs`); 0 where a limit does not apply. The ratio of a row is that to the first peer. Where
 * only a part of a repetition counts, `seconds` is the time of that part in the last one. */
typedef struct txBenchCase {
  const char *name;
  char size[32];
  void *user;
  txBenchRun device;
  const double *seconds;
  /* The name is the key in the report, "cpu_...". */
  struct {
    const char *name;
    txBenchRun run;
  } peer[TX_BENCH_PEERS];
  /* Runs once, on the device or as the first peer, and compares with double precision. */
  clStatus (*check)(void *user, bool peer, double *error);
  double work;
  const char *unit;
  double needs[TX_BENCH_LIMITS];
} txBenchCase;

/* Seconds of a repetition, the shortest and the median of so many runs. */
typedef struct txBenchTime {
  double min, median;
  int runs;
} txBenchTime;

/* What came out. `limit` has the seconds that the device's limits allow. `growth` is the time of
 * twice the repetitions over that of one set: 2 when the driver drops nothing. `setup` is not part
 * of the device's time. 0 stands for what does not apply or is not told. */
typedef struct txBenchRow {
  txBenchCase c;
  txBenchTime device, peer[TX_BENCH_PEERS];
  double limit[TX_BENCH_LIMITS];
  double growth;
  double check, peer_check;
  int64_t iterations, peer_iterations, passes;
  double setup;
} txBenchRow;

/* The minimal passes (limits.c). */
typedef struct txBenchProbes txBenchProbes;

/* The state of the command: its context, its options, and where rows go.
 *
 * `context` is what is being measured: `large` or, of a software renderer, also `small`, without
 * worker threads (txBenchUse). The options are 0 or NULL where they are not given: `size` and
 * `most` rows, `runs`, `seconds` after which the suite precond stops a solution, the `folder` with
 * the matrices of crout and precond, and the page's folder `html`.
 *
 * Rows are printed with `table`; with `json` they are written to `writer`, which writes to standard
 * output or, for the page, to `figures`, a file in memory. */
typedef struct txBench {
  clContext *context;
  clContext *large, *small;
  const txProgram *program;
  int64_t size;
  int runs;
  bool quick;
  bool table, json;
  const char *suite;
  const char *folder;
  int64_t seconds;
  int64_t most;
  const char *html;
  FILE *figures;
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

/* use.c: bench->context <- a new one that waits for every pass and tells it to the listener, for
 * problems of so many numbers (0: any). After a failure, which is told, it is the one before;
 * otherwise the caller destroys it and puts back what was there. */
clStatus txBenchProfile(txBench *bench, int64_t elements, clPassListener listener, void *user);

/* measure.c */
/* Fills row->device, peer, limit, growth and both checks. */
clStatus txBenchMeasure(txBench *bench, const txBenchCase *c, txBenchRow *row);
/* Measures and reports. */
clStatus txBenchRunCase(txBench *bench, const txBenchCase *c);
/* Sorts in ascending order: the first value is the least, that in the middle the median. */
void txBenchSort(double *values, int count);
/* What the device or this build does not offer is said on standard error, and no failure. */
clStatus txBenchForgive(const txBench *bench, const char *name, clStatus status);

/* report.c */
void txBenchReportStart(txBench *bench);
void txBenchReportSuite(txBench *bench);
void txBenchReportRow(txBench *bench, const txBenchRow *row);
/* Begins an object of the report that names the suite, for what is no row: the caller adds to it
 * and closes it. NULL: no JSON was asked for. */
txJson *txBenchReportObject(txBench *bench);
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
/* Zeros, with halos on both sides; 64-byte aligned without them. txBenchFree gives it back. */
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

/* squares.c: the operands of products of order n. A and B hold noise, on the device and, row by
 * row, as a and b on the host; C[2] takes the device's results in turns, c the host's. */
typedef struct txBenchSquares {
  int n;
  clDense *A, *B, *C[2];
  float *a, *b, *c;
} txBenchSquares;
/* In a context for matrices of that size; txBenchSquaresDestroy, also after a failure. */
clStatus txBenchSquaresCreate(txBench *bench, txBenchSquares *s, int n);
void txBenchSquaresDestroy(txBenchSquares *s);

/* dense_fit.c: orders of the dense rows; what is told below these */
enum { TX_BENCH_DENSE_SIZES = 4 };
/* How many orders there are, and which. */
int txBenchDenseSizes(const txBench *bench, double n[TX_BENCH_DENSE_SIZES]);
/* The documents' measure of speed: t = a + b n^3, of texla and of the first peer, and the ratio of
 * b. */
void txBenchReportFit(txBench *bench, const txBenchRow *rows, const double *n, int count);
/* rref of n x (n + 1) by octave-cli, where that is installed. */
void txBenchReportOctave(txBench *bench, const txBenchRow *row, int n);

/* Where files may be made for a while: $TMPDIR, else /tmp. */
const char *txBenchTemporary(void);

/* transfers.c: the ways between multigrid's grids, each with the time and the effect of a cycle. */
clStatus txBenchTransfers(txBench *bench, int32_t side);

/* libraries.c: solvers of other libraries on the Poisson problem of side x side, to the same true
 * residual, by the program of bench/peers where that was built; beside texla's `seconds`. */
clStatus txBenchLibraries(txBench *bench, int32_t side, double tolerance, double seconds);

/* The suites; parts of a suite stand below it. */
clStatus txBenchVector(txBench *bench);
clStatus txBenchSpmv(txBench *bench);
clStatus txBenchSolve(txBench *bench);
/* The second part of solve: several right-hand sides at once. */
clStatus txBenchColumns(txBench *bench);
/* The third: an iteration pass by pass. */
clStatus txBenchPasses(txBench *bench, int32_t side);
clStatus txBenchMultigrid(txBench *bench);
clStatus txBenchFiles(txBench *bench);
clStatus txBenchPrograms(txBench *bench);
clStatus txBenchDense(txBench *bench);
clStatus txBenchWave(txBench *bench);
clStatus txBenchTridiag(txBench *bench);
clStatus txBenchWater(txBench *bench);
clStatus txBenchCrout(txBench *bench);
clStatus txBenchPrecond(txBench *bench);
clStatus txBenchShare(txBench *bench);
clStatus txBenchPrecision(txBench *bench);
/* The second part of dense: many small products in a pass. */
clStatus txBenchBatch(txBench *bench);
/* The third: Gauss-Jordan and PLU. */
clStatus txBenchEliminate(txBench *bench);
/* The fourth: errors over size. */
clStatus txBenchDenseErrors(txBench *bench);
clStatus txBenchTriangles(txBench *bench);
/* The second part of triangles: the tables of Jung and O'Leary. */
clStatus txBenchLeastSquares(txBench *bench);

#endif
