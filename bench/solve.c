/* Iterations: one right-hand side, several at once, and the passes of an iteration one by one. */
#include <string.h>

#include "suite.h"

enum { SWEEPS = 200, MOST_ITERATIONS = 50000, COLUMNS = 8 };
/* Of the recursive residual. */
static const double tolerance = 1e-5;

/* A matrix with a solver, right-hand sides and solutions. */
typedef struct Data {
  clTriplets *T;
  clMatrix *A;
  clSolver *solver;
  clVector *x[COLUMNS], *b[COLUMNS];
  float *hb;
  double *x64, *b64;
  /* Right-hand sides of a row, and iterations for each of them. */
  int count, iterations;
} Data;

/* What a row needs. */
typedef struct Plan {
  clMatrixOptions matrix;
  clMethod method;
  int count, iterations;
} Plan;

/* From zero to the tolerance. */
static clStatus solve(txBench *bench, void *data, int64_t i) {
  const Data *d = data;
  clSolverReport report;
  (void)i;
  TRY(clVectorClear(d->x[0]));
  clStatus status = clSolverSolve(d->solver, d->x[0], d->b[0], &report);
  bench->facts.iterations = report.iterations;
  bench->facts.passes = report.passes;
  return status < 0 ? status : TEXLA_OK;
}

/* A fixed number of iterations for all right-hand sides at once; nothing is read. */
static clStatus iterate(txBench *bench, void *data, int64_t i) {
  Data *d = data;
  int64_t before = clContextStatistics(bench->context).passes;
  (void)i;
  for (int k = 0; k < d->count; k++)
    TRY(clVectorClear(d->x[k]));
  if (d->count == 1)
    TRY(clSolverInit(d->solver, d->x[0], d->b[0]));
  else
    TRY(clSolverInitMany(d->solver, d->count, d->x, (const clVector *const *)d->b));
  TRY(clSolverIterate(d->solver, d->iterations));
  bench->facts.iterations = d->iterations;
  bench->facts.passes = clContextStatistics(bench->context).passes - before;
  return TEXLA_OK;
}

/* The same, one right-hand side after the other. */
static clStatus inTurn(txBench *bench, void *data, int64_t i) {
  Data *d = data;
  (void)i;
  for (int k = 0; k < d->count; k++) {
    TRY(clVectorClear(d->x[k]));
    TRY(clSolverInit(d->solver, d->x[k], d->b[k]));
    TRY(clSolverIterate(d->solver, d->iterations));
  }
  return clContextSynchronize(bench->context);
}

/* The true residual of the last solution. */
static clStatus check(txBench *bench, void *data, double *error) {
  Data *d = data;
  (void)bench;
  TRY(clVectorDownloadDouble(d->x[d->count - 1], d->x64));
  TRY(clVectorDownloadDouble(d->b[d->count - 1], d->b64));
  *error = txBenchResidual(d->T, d->x64, d->b64);
  return TEXLA_OK;
}

static const Plan cg = {{0}, TEXLA_METHOD_CG, 1, 0},
                  cg_general = {{.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true},
                                TEXLA_METHOD_CG,
                                1,
                                0},
                  cg_slots = {{.storage = TEXLA_STORAGE_SLOTS}, TEXLA_METHOD_CG, 1, 0},
                  jacobi = {{0}, TEXLA_METHOD_JACOBI, 1, SWEEPS};
static const txBenchCase cases[] = {
    {"cg, constant", solve, 1, "iterations/s", .check = check, .options = &cg},
    {"cg, general", solve, 1, "iterations/s", .check = check, .options = &cg_general},
    {"cg, slots", solve, 1, "iterations/s", .check = check, .options = &cg_slots},
    {"jacobi, 200 sweeps", iterate, 1, "iterations/s", .check = check, .options = &jacobi}};

/* A row counts iterations of all right-hand sides. */
#define COLUMN(name, store, k, times, largest)                                                     \
  {                                                                                                \
    name, iterate, 1, "iterations/s",                                                              \
        .peer = {{"in_turn", inTurn}}, .check = check,                                             \
        .options = &(const Plan){.matrix.storage = TEXLA_STORAGE_##store,                          \
                                 .matrix.general_diagonals = (times) == 20,                        \
                                 .method = TEXLA_METHOD_CG,                                        \
                                 .count = k,                                                       \
                                 .iterations = times},                                             \
        .most = largest                                                                            \
  }
#define COLUMNS_OF(name, store, times, largest)                                                    \
  COLUMN("cg x1, " name, store, 1, times, largest),                                                \
      COLUMN("cg x4, " name, store, 4, times, largest),                                            \
      COLUMN("cg x8, " name, store, 8, times, largest)
static const txBenchCase columns[] = {
    COLUMNS_OF("constant", BANDED, 40, 100), COLUMNS_OF("general", BANDED, 20, 0),
    COLUMNS_OF("slots", SLOTS, 20, 0), COLUMNS_OF("csr", CSR, 20, 0)};

/* Objects of a row: the solver takes as many columns as there are right-hand sides. */
static clStatus begin(txBench *bench, void *data, txBenchCase *c) {
  Data *d = data;
  const Plan *plan = c->options;
  int32_t n = d->T->rows;
  const clSolverOptions options = {.method = plan->method,
                                   .tolerance = tolerance,
                                   .max_iterations = MOST_ITERATIONS,
                                   .columns = plan->count};
  snprintf(c->size, sizeof c->size, "%d", (int)n);
  d->count = plan->count;
  d->iterations = plan->iterations;
  if (plan->iterations)
    c->work = plan->count * plan->iterations;
  TX_BENCH_MAKE(clMatrix, &d->A, bench->context, d->T, &plan->matrix);
  TRY(bench->status);
  TX_BENCH_MAKE(clSolver, &d->solver, d->A, &options);
  for (int k = 0; k < plan->count; k++) {
    txBenchKeep(bench, clMatrixCreateVector(&d->x[k], d->A, TEXLA_DOMAIN), &d->x[k],
                txDropclVector);
    txBenchKeep(bench, clMatrixCreateVector(&d->b[k], d->A, TEXLA_RANGE), &d->b[k], txDropclVector);
    TRY(bench->status);
    TRY(clVectorUpload(d->b[k], d->hb + (int64_t)k * n));
  }
  return TEXLA_OK;
}

/* White noise has all frequencies: smooth right-hand sides would flatter some methods. */
static clStatus prepare(txBench *bench, Data *d) {
  TRY(bench->status);
  d->hb = txBenchNoiseOf(bench, (int64_t)COLUMNS * d->T->rows, 42, -1, 1);
  d->x64 = txBenchDoubles(bench, d->T->rows);
  d->b64 = txBenchDoubles(bench, d->T->rows);
  return bench->status;
}
static clStatus preparePoisson(txBench *bench, void *data, int32_t size) {
  Data *d = data;
  TX_BENCH_GENERATE(&d->T, clGeneratePoisson2d(&d->T, size, size, NULL));
  return prepare(bench, d);
}
static clStatus preparePlate(txBench *bench, void *data, int32_t size) {
  Data *d = data;
  TX_BENCH_GENERATE(&d->T, clGenerateFemPlate(&d->T, size, NULL));
  return prepare(bench, d);
}

const txBenchSuite txBenchSolve = {.name = "solve",
                                   .size = {32, 128, 512, 1024},
                                   .quick = 64,
                                   .bytes = sizeof(Data),
                                   .prepare = preparePoisson,
                                   .begin = begin,
                                   TX_BENCH_CASES(cases)},
                   txBenchColumns = {.name = "solve",
                                     .size = {32, 100, 512},
                                     .quick = 64,
                                     .bytes = sizeof(Data),
                                     .prepare = preparePlate,
                                     .begin = begin,
                                     TX_BENCH_CASES(columns)};

/* ---- An iteration of conjugate gradients pass by pass, each waited for ---- */

enum { ITERATIONS = 80, PASSES = 5, FIRST_SUMS = 1, MORE_SUMS = 2 };
static const char *const kernels[PASSES] = {"banded", "reduce", "reduce", "reduce_vec4",
                                            "cg_merged"};

/* The system, and what the listener has seen: levels of sums since the last product, and the
 * shortest of each pass in a run. */
typedef struct Passes {
  Data data;
  int levels;
  double seconds[PASSES];
} Passes;

/* The kernel tells which pass it was; a second level of sums comes after the first. */
static void listen(void *user, const clPassEvent *event) {
  Passes *p = user;
  int k = 0;
  while (k < PASSES && strcmp(event->kernel, kernels[k]) != 0)
    k++;
  if (k == 0)
    p->levels = 0;
  if (k == FIRST_SUMS && p->levels++)
    k = MORE_SUMS;
  if (k < PASSES)
    p->seconds[k] = fmin(p->seconds[k], event->seconds);
}

/* The passes before the iterations do not count; 0: there was none of the kind. */
static clStatus listenToIterations(txBench *bench, void *data, int64_t i) {
  Passes *p = data;
  (void)bench, (void)i;
  TRY(clVectorClear(p->data.x[0]));
  TRY(clSolverInit(p->data.solver, p->data.x[0], p->data.b[0]));
  for (int k = 0; k < PASSES; k++)
    p->seconds[k] = INFINITY;
  TRY(clSolverIterate(p->data.solver, ITERATIONS));
  for (int k = 0; k < PASSES; k++)
    if (isinf(p->seconds[k]))
      p->seconds[k] = 0;
  return TEXLA_OK;
}

static const int place[PASSES] = {0, 1, 2, 3, 4};
static const txBenchCase passes[] = {
    {"pass: product", listenToIterations, 1, "passes/s", .options = &place[0]},
    {"pass: sums", listenToIterations, 1, "passes/s", .options = &place[1]},
    {"pass: more sums", listenToIterations, 1, "passes/s", .options = &place[2]},
    {"pass: history", listenToIterations, 1, "passes/s", .options = &place[3]},
    {"pass: x, r and p", listenToIterations, 1, "passes/s", .options = &place[4]}};

/* On a context of its own that waits for every pass: together they take longer than an iteration
 * does otherwise. */
static clStatus preparePasses(txBench *bench, void *data, int32_t size) {
  Passes *p = data;
  TRY(txBenchProfile(bench, (int64_t)size * size, listen, p));
  return preparePoisson(bench, &p->data, size);
}

static clStatus beginPass(txBench *bench, void *data, txBenchCase *c) {
  Passes *p = data;
  int k = *(const int *)c->options;
  c->options = &cg;
  TRY(begin(bench, &p->data, c));
  c->work = 1;
  c->seconds = &p->seconds[k];
  TRY(listenToIterations(bench, p, 0));
  if (p->seconds[k] == 0)
    c->run = NULL;
  return TEXLA_OK;
}

const txBenchSuite txBenchPasses = {.name = "solve",
                                    .size = {1024, 128},
                                    .quick = 64,
                                    .bytes = sizeof(Passes),
                                    .prepare = preparePasses,
                                    .begin = beginPass,
                                    TX_BENCH_CASES(passes)};
