/* Whole systems to a true residual, beside other libraries; ways between grids; preconditioners. Of
 * a system only the solving is timed, the setup is reported. */
#include <string.h>

#include "platform/platform.h"
#include "suite.h"

enum { MOST_ITERATIONS = 50000, USUAL = 1024 };
/* Of the true residual. */
static const double tolerance = 1e-5;

/* A method, and what of it is timed. */
typedef struct Plan {
  clMethod method;
  clPreconditioner preconditioner;
  /* Of texla; 0: the usual one. */
  double tolerance;
  /* One system for all solutions, of which the whole call is timed. */
  bool kept;
  /* Not 0: and of which new values are timed instead; by how much entries differ. */
  double spread;
  /* b is 1 everywhere, not noise. */
  bool smooth;
} Plan;

/* A system, and seconds of its last solution. */
typedef struct Data {
  clTriplets *A;
  const Plan *plan;
  clSystem *kept;
  float *noise;
  double *b, *x;
  double seconds, setup;
  int64_t repetitions;
} Data;

static clSystemOptions optionsOf(const Plan *plan) {
  return (clSystemOptions){
      .solver = {.method = plan->method,
                 .preconditioner = plan->preconditioner,
                 .tolerance = plan->tolerance > 0 ? plan->tolerance : tolerance,
                 .max_iterations = MOST_ITERATIONS}};
}

/* Each time another diagonal, of 4 to 4 (1 + spread). */
static void vary(Data *d) {
  if (d->plan->spread == 0)
    return;
  txBenchNoise(d->noise, d->A->rows, (uint64_t)d->repetitions++, 0, 1);
  for (int64_t k = 0; k < d->A->count; k++)
    if (d->A->row[k] == d->A->col[k])
      d->A->value[k] = 4 * (1 + d->plan->spread * (double)d->noise[d->A->row[k]]);
}

/* With a system that is kept only the solution counts, or only the update of its values. */
static clStatus solve(txBench *bench, void *data, int64_t i) {
  Data *d = data;
  clSystemReport report = {0};
  const clSystemOptions options = optionsOf(d->plan);
  clStatus status;
  (void)i;
  memset(d->x, 0, (size_t)d->A->rows * sizeof *d->x);
  vary(d);
  double start = txNow(), update = 0;
  if (d->plan->spread > 0)
    TRY(clSystemUpdateValues(d->kept, d->A->value));
  update = txNow() - start;
  if (d->kept) {
    status = clSystemSolveWith(d->kept, 1, d->b, d->x, &report);
    d->seconds = d->plan->spread > 0 ? update : txNow() - start;
  } else {
    status = clSystemSolve(bench->context, d->A, d->b, d->x, &options, &report);
    d->seconds = report.seconds_solve;
    d->setup = report.seconds_setup;
  }
  bench->facts = (txBenchFacts){report.iterations, report.passes, d->setup};
  clSystemReportClear(&report);
  /* Information is no failure: `check` shows what did not converge. */
  return status > 0 ? TEXLA_OK : status;
}

static clStatus check(txBench *bench, void *data, double *error) {
  const Data *d = data;
  (void)bench;
  *error = txBenchResidual(d->A, d->x, d->b);
  return TEXLA_OK;
}

static const Plan mg = {TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, false, 0, false},
                  mg_10 = {TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 1e-10, false, 0, false},
                  mg_kept = {TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, true, 0, false},
                  mg_smooth = {TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, true, 0, true},
                  mg_kept_10 = {TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 1e-10, true, 0, false},
                  cg_mg = {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_MG, 0, false, 0, false},
                  cg_amg = {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, 0, false, 0, false},
                  cg_values = {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, 0, true, 0.1, false},
                  cg_far = {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, 0, true, 2, false},
                  cg = {TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_NONE, 0, false, 0, false};
#define CASE(name, plan, largest)                                                                  \
  { name, solve, 1, "unknowns/s", .check = check, .options = &(plan), .most = largest }
static const txBenchCase cases[] = {CASE("mg", mg, 0),
                                    CASE("mg to 1e-10", mg_10, 2048),
                                    CASE("mg, kept", mg_kept, 2048),
                                    CASE("mg, kept, b = 1", mg_smooth, USUAL),
                                    CASE("mg, kept, 1e-10", mg_kept_10, USUAL),
                                    CASE("cg, mg", cg_mg, USUAL),
                                    CASE("cg, amg", cg_amg, USUAL),
                                    CASE("cg, amg: values", cg_values, USUAL),
                                    CASE("cg, amg: far values", cg_far, USUAL),
                                    CASE("cg", cg, USUAL)};

/* The matrix is made anew, as rows with other values change it. */
static clStatus begin(txBench *bench, void *data, txBenchCase *c) {
  Data *d = data;
  const clSystemOptions options = optionsOf(c->options);
  int32_t n = d->A->rows;
  d->plan = c->options;
  d->kept = NULL;
  for (int64_t k = 0; k < d->A->count; k++)
    if (d->A->row[k] == d->A->col[k])
      d->A->value[k] = 4;
  for (int32_t k = 0; k < n; k++)
    d->b[k] = d->plan->smooth ? 1 : (double)d->noise[n + k];
  vary(d);
  double start = txNow();
  if (d->plan->kept)
    TX_BENCH_MAKE(clSystem, &d->kept, bench->context, d->A, 1, &options);
  d->setup = txNow() - start;
  c->seconds = &d->seconds;
  snprintf(c->size, sizeof c->size, "%d", (int)n);
  return bench->status;
}

/* Noise for values first, that of b behind it. */
static clStatus prepare(txBench *bench, void *data, int32_t size) {
  Data *d = data;
  int64_t n = (int64_t)size * size;
  bench->measure = (double)n;
  TX_BENCH_GENERATE(&d->A, clGeneratePoisson2d(&d->A, size, size, NULL));
  d->noise = txBenchZeros(bench, 2 * n);
  d->b = txBenchDoubles(bench, n);
  d->x = txBenchDoubles(bench, n);
  TRY(bench->status);
  txBenchNoise(d->noise + n, n, 42, -1, 1);
  return TEXLA_OK;
}

/* Other libraries on 512^2 and 1024^2, beside one more solution by multigrid. */
static clStatus end(txBench *bench, void *data) {
  Data *d = data;
  if (d->A->rows > USUAL * USUAL && !bench->size)
    return TEXLA_OK;
  d->plan = &mg;
  d->kept = NULL;
  TRY(solve(bench, d, 0));
  txBenchLibraries(bench, (int32_t)lround(sqrt(d->A->rows)), tolerance, d->seconds);
  return TEXLA_OK;
}

const txBenchSuite txBenchMultigrid = {.name = "multigrid",
                                       .size = {512, USUAL, 2048, 4096},
                                       .quick = 64,
                                       .bytes = sizeof(Data),
                                       .prepare = prepare,
                                       .begin = begin,
                                       .end = end,
                                       TX_BENCH_CASES(cases)};

/* ---- Ways between grids: the time of a V(2,2) cycle, and what it leaves of the error ---- */

enum { CYCLES = 9, LATE = 4 };

typedef struct Cycles {
  int32_t side;
  clTriplets *A;
  clMultigrid *mg;
  clVector *x, *b;
  clFloat *norm;
  float *noise;
} Cycles;

static clStatus cycle(txBench *bench, void *data, int64_t i) {
  const Cycles *d = data;
  (void)bench, (void)i;
  return clMultigridCycle(d->mg, d->x, d->b);
}

/* For A x = 0 the error is x itself; the check of these rows is what a late cycle leaves of it. */
static clStatus reduction(txBench *bench, void *data, double *error) {
  const Cycles *d = data;
  float norm[CYCLES] = {0};
  TRY(clVectorUpload(d->x, d->noise));
  for (int k = 0; k < CYCLES; k++) {
    TRY(cycle(bench, data, k));
    TRY(clVectorNorm(d->norm, d->x));
    TRY(clFloatDownload(d->norm, &norm[k]));
  }
  *error = pow((double)norm[CYCLES - 1] / (double)norm[CYCLES - 1 - LATE], 1.0 / LATE);
  return TEXLA_OK;
}

static const clTransfer stencil = TEXLA_TRANSFER_STENCIL, matrix = TEXLA_TRANSFER_MATRIX,
                        filter = TEXLA_TRANSFER_FILTER;
static const txBenchCase transfers[] = {
    {"transfer: stencil", cycle, 1, "cycles/s", .check = reduction, .options = &stencil},
    {"transfer: matrix product", cycle, 1, "cycles/s", .check = reduction, .options = &matrix},
    {"transfer: bilinear filter", cycle, 1, "cycles/s", .check = reduction, .options = &filter}};

static clStatus beginTransfer(txBench *bench, void *data, txBenchCase *c) {
  Cycles *d = data;
  const clMultigridOptions options = {.transfer = *(const clTransfer *)c->options};
  TX_BENCH_MAKE(clMultigrid, &d->mg, bench->context, d->A, d->side, d->side, &options);
  TRY(bench->status);
  return clVectorUpload(d->x, d->noise);
}

static clStatus prepareTransfers(txBench *bench, void *data, int32_t size) {
  Cycles *d = data;
  d->side = size;
  TX_BENCH_GENERATE(&d->A, clGeneratePoisson2d(&d->A, size, size, NULL));
  d->noise = txBenchNoiseOf(bench, (int64_t)size * size, 42, -1, 1);
  d->x = txBenchVectorOf(bench, size, size, d->noise);
  d->b = txBenchVectorOf(bench, size, size, NULL);
  TX_BENCH_MAKE(clFloat, &d->norm, bench->context);
  return bench->status;
}

const txBenchSuite txBenchTransfers = {.name = "multigrid",
                                       .size = {USUAL},
                                       .quick = 64,
                                       .bytes = sizeof(Cycles),
                                       .prepare = prepareTransfers,
                                       .begin = beginTransfer,
                                       TX_BENCH_CASES(transfers)};

/* ---- Preconditioners on A x = A 1: conjugate gradients if A is symmetric with a positive
 * diagonal, else BiCGStab ---- */

enum { FEW_ITERATIONS = 2000 };

typedef struct Preconditioned {
  clTriplets *A;
  double *b, *x;
  clSystemOptions options;
  char name[32];
} Preconditioned;

/* Setup and solution. */
static clStatus precondition(txBench *bench, void *data, int64_t i) {
  Preconditioned *d = data;
  clSystemReport report = {0};
  clPreconditioner asked = d->options.solver.preconditioner;
  (void)i;
  memset(d->x, 0, (size_t)d->A->rows * sizeof *d->x);
  clStatus status = clSystemSolve(bench->context, d->A, d->b, d->x, &d->options, &report);
  if (status == TEXLA_OK && report.preconditioner != asked)
    status = TEXLA_NOT_CONVERGED;
  bench->facts = (txBenchFacts){report.iterations, report.passes, report.seconds_setup};
  clSystemReportClear(&report);
  return status;
}

static clStatus checkPreconditioned(txBench *bench, void *data, double *error) {
  const Preconditioned *d = data;
  (void)bench;
  *error = txBenchResidual(d->A, d->x, d->b);
  return TEXLA_OK;
}

static const clPreconditioner none = TEXLA_PRECONDITIONER_NONE,
                              jacobi = TEXLA_PRECONDITIONER_JACOBI,
                              incomplete = TEXLA_PRECONDITIONER_ILU0,
                              amg = TEXLA_PRECONDITIONER_AMG;
#define WAY(name, kind)                                                                            \
  { name, precondition, 1, "unknowns/s", .check = checkPreconditioned, .options = &(kind) }
static const txBenchCase ways[] = {WAY("none", none), WAY("jacobi", jacobi),
                                   WAY("ic0 or ilu0", incomplete), WAY("amg", amg)};

/* Incomplete Cholesky keeps the symmetry that conjugate gradients need. */
static clStatus beginWay(txBench *bench, void *data, txBenchCase *c) {
  Preconditioned *d = data;
  clPreconditioner kind = *(const clPreconditioner *)c->options;
  int64_t positive = 0;
  for (int64_t e = 0; e < d->A->count; e++)
    positive += d->A->row[e] == d->A->col[e] && d->A->value[e] > 0;
  clMethod method = TEXLA_METHOD_BICGSTAB;
  if (positive == d->A->rows && clTripletsIsSymmetric(d->A, 1e-12))
    method = TEXLA_METHOD_CG;
  if (method == TEXLA_METHOD_CG && kind == TEXLA_PRECONDITIONER_ILU0)
    kind = TEXLA_PRECONDITIONER_IC0;
  d->options.solver =
      (clSolverOptions){.method = method, .preconditioner = kind, .max_iterations = FEW_ITERATIONS};
  snprintf(c->size, sizeof c->size, "%d", (int)d->A->rows);
  snprintf(d->name, sizeof d->name, "%s, %s", clMethodName(method), clPreconditionerName(kind));
  c->name = d->name;
  return txBenchUse(bench, d->A->rows);
}

/* A grid of that many points along a side, or a file. */
static clStatus prepareWays(txBench *bench, void *data, int32_t size) {
  Preconditioned *d = data;
  if (bench->files)
    d->A = txBenchFile(bench, size);
  else
    TX_BENCH_GENERATE(&d->A, clGeneratePoisson2d(&d->A, size, size, NULL));
  TRY(bench->status);
  int32_t n = d->A->rows;
  bench->measure = n;
  d->b = txBenchDoubles(bench, n);
  d->x = txBenchDoubles(bench, n);
  TRY(bench->status);
  for (int32_t i = 0; i < n; i++)
    d->x[i] = 1;
  clTripletsMulVector(d->b, d->A, d->x);
  return TEXLA_OK;
}

const txBenchSuite txBenchPrecond = {.name = "precond",
                                     .size = {64},
                                     .quick = 16,
                                     .bytes = sizeof(Preconditioned),
                                     .prepare = prepareWays,
                                     .begin = beginWay,
                                     .files = true,
                                     TX_BENCH_CASES(ways)};
