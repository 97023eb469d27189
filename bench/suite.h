/* texla bench: a table of suites, each with a table of cases. The driver (bench.c) prepares the
 * data of a suite for each size, and measures its cases beside their peers and the device's
 * limits (measure.c). Objects belong to the run: what is made with TX_BENCH_MAKE is destroyed after
 * the case, or after the size, in which it was made. */
#ifndef TEXLA_BENCH_SUITE_H
#define TEXLA_BENCH_SUITE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "program/arguments.h"
#include "core/try.h"
#include "io/json.h"
#include "noise.h"
#include "texla/io.h"
#include "texla/sim.h"

enum { TX_BENCH_PEERS = 2, TX_BENCH_LIMITS = 3, TX_BENCH_SIZES = 5, TX_BENCH_KEPT = 256 };
typedef enum txBenchLimit { TX_BENCH_FILL, TX_BENCH_FETCH, TX_BENCH_ARITHMETIC } txBenchLimit;

typedef struct txBench txBench;

/* One repetition. On the device it only submits; it alternates its targets with i, because a driver
 * may drop a draw that the next one covers. */
typedef clStatus (*txBenchRun)(txBench *bench, void *data, int64_t i);

/* A row of the report. A repetition does `work`, which `unit` names: "GB/s" counts bytes,
 * "GFLOP/s" operations. It needs at least so many bytes written, bytes fetched and operations
 * (`needs`; 0: the limit does not apply). Tables give work and needs for an element, an entry or
 * n^3; the driver multiplies them by bench->measure. */
typedef struct txBenchCase {
  const char *name;
  txBenchRun run;
  double work;
  const char *unit;
  double needs[TX_BENCH_LIMITS];
  struct {
    const char *name;
    txBenchRun run;
  } peer[TX_BENCH_PEERS];
  /* Error of the last result of the device against double precision. */
  clStatus (*check)(txBench *bench, void *data, double *error);
  /* What the suite's `begin` takes: a storage, a method. */
  const void *options;
  /* The largest size that has this row; 0: all. */
  int32_t most;
  /* Seconds of the last repetition that count; NULL: all. */
  const double *seconds;
  char size[32];
} txBenchCase;

/* A table of cases on the same data. */
typedef struct txBenchSuite {
  const char *name, *help;
  /* The usual sizes, a zero ends them; the one of --quick. */
  int32_t size[TX_BENCH_SIZES], quick;
  size_t bytes;
  clStatus (*prepare)(txBench *bench, void *data, int32_t size);
  /* Before each case; c->run = NULL leaves it out. */
  clStatus (*begin)(txBench *bench, void *data, txBenchCase *c);
  clStatus (*end)(txBench *bench, void *data);
  const txBenchCase *cases;
  int count;
  /* Takes files: `prepare` is called for each number of one. */
  bool files;
} txBenchSuite;
#define TX_BENCH_CASES(list) .cases = (list), .count = (int)(sizeof(list) / sizeof *(list))

/* Seconds of a repetition, the shortest and the median of so many runs. */
typedef struct txBenchTime {
  double min, median;
  int runs;
} txBenchTime;

/* What a case says of its last repetition; 0: does not apply. */
typedef struct txBenchFacts {
  int64_t iterations, passes;
  double setup;
  /* Seconds on all processors. */
  double work;
} txBenchFacts;

/* What came out. `limit` has the seconds that the device's limits allow; `growth` is the time of
 * twice the repetitions over that of one set: 2 when the driver drops nothing. */
typedef struct txBenchRow {
  txBenchCase c;
  txBenchTime device, peer[TX_BENCH_PEERS];
  double limit[TX_BENCH_LIMITS], growth, check;
  txBenchFacts facts;
} txBenchRow;

/* The minimal passes (limits.c). */
typedef struct txBenchProbes txBenchProbes;

/* The state of the command. `context` is the one that is measured: `large`, or `small`, which
 * has no worker threads of a software renderer. `status` is the first failure of what was made. */
struct txBench {
  clContext *context, *large, *small;
  const txProgram *program;
  int64_t size, runs;
  bool quick, json;
  const char *suite;
  char **file;
  int files, at;
  double measure;
  txBenchProbes *probes;
  txBenchFacts facts;
  clStatus status;
  clError error;
  struct {
    void *object;
    void (*drop)(void *object);
  } kept[TX_BENCH_KEPT];
  int count;
  txJson writer;
};

/* ---- keep.c ---- */

/* bench->context <- the one for work on so many numbers. */
clStatus txBenchUse(txBench *bench, int64_t elements);
/* bench->context <- a new one that waits for every pass and reports it to the listener. */
clStatus txBenchProfile(txBench *bench, int64_t elements, clPassListener listener, void *data);
/* Keeps *place, made with this status, until the case or the size ends. The first failure is
 * bench->status. */
void txBenchKeep(txBench *bench, clStatus status, const void *place, void (*drop)(void *object));
/* Destroys what was kept after the first `count` objects. */
void txBenchDrop(txBench *bench, int count);
#define TX_BENCH_MAKE(Type, place, ...)                                                            \
  txBenchKeep(bench, Type##Create(place, __VA_ARGS__), place, txDrop##Type)
#define TX_BENCH_DROP(Type)                                                                        \
  static inline void txDrop##Type(void *object) {                                                  \
    Type##Destroy(object);                                                                         \
  }
TX_BENCH_DROP(clContext)
TX_BENCH_DROP(clVector)
TX_BENCH_DROP(clFloat)
TX_BENCH_DROP(clTriplets)
TX_BENCH_DROP(clMatrix)
TX_BENCH_DROP(clSolver)
TX_BENCH_DROP(clSystem)
TX_BENCH_DROP(clMultigrid)
TX_BENCH_DROP(clDense)
TX_BENCH_DROP(clPlu)
TX_BENCH_DROP(clPacked)
TX_BENCH_DROP(clCholesky)
TX_BENCH_DROP(clQr)
TX_BENCH_DROP(clCrout)
TX_BENCH_DROP(clTridiagonal)
TX_BENCH_DROP(clLeastSquares)
TX_BENCH_DROP(clDoubleVector)
TX_BENCH_DROP(clDouble)
TX_BENCH_DROP(clWave)
TX_BENCH_DROP(clWater)

/* Numbers on the host: zeros, or noise in [least, most) of that seed. */
float *txBenchZeros(txBench *bench, int64_t n);
double *txBenchDoubles(txBench *bench, int64_t n);
float *txBenchNoiseOf(txBench *bench, int64_t n, uint64_t seed, float least, float most);
/* A vector of nx x ny (0: nx) numbers, with these values; NULL: zeros. */
clVector *txBenchVectorOf(txBench *bench, int32_t nx, int32_t ny, const float *values);
/* A dense matrix with these values, row after row. */
clDense *txBenchDenseOf(txBench *bench, int rows, int cols, const float *values);
/* The matrix of a file of the command line, which must be square. */
clTriplets *txBenchFile(txBench *bench, int number);
/* A matrix of a generator in *place. */
#define TX_BENCH_GENERATE(place, call) txBenchKeep(bench, call, place, txDropclTriplets)
/* ||b - A x|| / ||b|| */
double txBenchResidual(const clTriplets *A, const double *x, const double *b);
/* 1, -1, 1, ...: a vector that checks results by products, in double. */
static inline double txBenchSign(int64_t i) {
  return (double)(1 - 2 * (i & 1));
}
/* Where files may be made for a while: $TMPDIR, else /tmp. */
const char *txBenchTemporary(void);

/* ---- measure.c ---- */

clStatus txBenchMeasure(txBench *bench, const txBenchCase *c, void *data, txBenchRow *row);
/* Sorts in ascending order: the first value is the least, that in the middle the median. */
void txBenchSort(double *values, int count);

/* ---- report.c ---- */

void txBenchReportStart(txBench *bench);
void txBenchReportHead(txBench *bench);
void txBenchReportRow(txBench *bench, const txBenchRow *row);
/* Begins an object of the report that names the suite, for what is no row; NULL: no JSON. */
txJson *txBenchReportObject(txBench *bench);
void txBenchReportEnd(txBench *bench);

/* ---- limits.c: what the device's minimal passes reach: fill, fetch, multiply-add ---- */

clStatus txBenchProbesCreate(txBench *bench, int64_t elements);
clStatus txBenchProbeRun(txBench *bench, txBenchLimit kind, int64_t i);
/* The bytes or operations of a pass. */
double txBenchProbeWork(const txBenchProbes *probes, txBenchLimit kind);

/* ---- The suites ---- */

extern const txBenchSuite txBenchVector, txBenchPrecision, txBenchSpmvLarge, txBenchSpmv,
    txBenchPlate, txBenchFull, txBenchSolve, txBenchColumns, txBenchPasses, txBenchMultigrid,
    txBenchTransfers, txBenchPrecond, txBenchCrout, txBenchDense, txBenchBatch, txBenchTriangles,
    txBenchLeastSquares, txBenchWave, txBenchTridiag, txBenchWater, txBenchStages, txBenchFiles,
    txBenchPrograms;

/* libraries.c: solvers of other libraries on the Poisson problem of side x side, to the same true
 * residual, by the program of bench/peers if it was built; beside texla's `seconds`. */
void txBenchLibraries(txBench *bench, int32_t side, double tolerance, double seconds);

#endif
