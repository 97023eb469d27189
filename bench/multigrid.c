/* Whole systems to a true residual: multigrid, and conjugate gradients with and without it, beside
 * plain V(2,2) cycles on the CPU and other libraries. Only the solving is timed, the setup is
 * told. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "cpu_multigrid.h"
#include "core/numbers.h"
#include "core/try.h"
#include "suite.h"
#include "texla/io.h"
#include "platform/platform.h"

enum { MOST_ITERATIONS = 50000 };
/* of the true residual */
static const double tolerance = 1e-5;

/* A system, and what its last solution has told. */
typedef struct Job {
  clContext *context;
  clTriplets *A;
  clSystemOptions options;
  /* NULL: each solution has its own setup */
  clSystem *kept;
  /* not 0: what is timed is not the solution, but that A gets other values before it */
  double spread;
  int64_t repetitions;
  txCpuMultigrid *peer;
  float *hb;
  double *b, *x;
  /* of the last system */
  double seconds, setup;
  int64_t n, iterations, peer_iterations, passes;
} Job;

/* Each time another diagonal, of 4 to 4 (1 + spread). */
static void vary(Job *j) {
  if (j->spread == 0)
    return;
  txBenchNoise(j->hb, j->n, (uint64_t)j->repetitions++, 0, 1);
  for (int64_t k = 0; k < j->A->count; k++)
    if (j->A->row[k] == j->A->col[k])
      j->A->value[k] = 4 * (1 + j->spread * (double)j->hb[j->A->row[k]]);
}

/* With a system that is kept only the solution counts, or only the update of its values. */
static clStatus runDevice(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  clSystemReport report = {0};
  for (int64_t k = 0; k < j->n; k++)
    j->x[k] = 0;
  vary(j);
  double start = txNow();
  if (j->spread > 0)
    TRY(clSystemUpdateValues(j->kept, j->A->value));
  double update = txNow() - start;
  clStatus status;
  if (j->kept) {
    status = clSystemSolveWith(j->kept, 1, j->b, j->x, &report);
    j->seconds = txNow() - start;
  } else {
    status = clSystemSolve(j->context, j->A, j->b, j->x, &j->options, &report);
    j->seconds = report.seconds_solve;
    j->setup = report.seconds_setup;
  }
  if (j->spread > 0)
    j->seconds = update;
  j->iterations = report.iterations;
  j->passes = report.passes;
  clSystemReportClear(&report);
  /* Information is no failure: `check` tells what did not converge. */
  if (status > 0)
    return TEXLA_OK;
  return status;
}

/* V(2,2) cycles until the residual is small enough. */
static clStatus runPeer(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  j->peer_iterations = txCpuMultigridSolve(j->peer, j->hb, tolerance, MOST_ITERATIONS);
  return TEXLA_OK;
}

/* The true residual of the last solution. */
static clStatus check(void *user, bool peer, double *error) {
  Job *j = user;
  double norm = 0;
  if (peer)
    txCpuMultigridSolution(j->peer, j->x);
  for (int64_t k = 0; k < j->n; k++)
    norm += j->b[k] * j->b[k];
  *error = clTripletsResidual(NULL, j->A, j->x, j->b) / sqrt(norm);
  return TEXLA_OK;
}

/* One matrix for all right-hand sides and tolerances. */
static clStatus create(Job *j, txBench *bench, int32_t side) {
  *j = (Job){.n = (int64_t)side * side};
  TRY(txBenchUse(bench, j->n));
  j->context = bench->context;
  TRY(clGeneratePoisson2d(&j->A, side, side, NULL));
  j->peer = txCpuMultigridCreate(side);
  j->hb = txBenchArray(j->n, 0);
  j->b = calloc((size_t)j->n, sizeof *j->b);
  j->x = calloc((size_t)j->n, sizeof *j->x);
  if (!j->peer || !j->hb || !j->b || !j->x)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* The right-hand side: white noise, or with `smooth` ones. */
static void fill(Job *j, bool smooth) {
  txBenchNoise(j->hb, j->n, 42, -1, 1);
  if (smooth)
    txCpuFill(j->hb, 1, j->n);
  for (int64_t k = 0; k < j->n; k++)
    j->b[k] = (double)j->hb[k];
}

/* The kept system first: it knows the matrix. */
static void destroy(Job *j) {
  clSystemDestroy(j->kept);
  clTripletsDestroy(j->A);
  txCpuMultigridDestroy(j->peer);
  txBenchFree(j->hb, 0);
  free(j->b);
  free(j->x);
}

/* A method, a size, and what of it is timed. */
typedef struct Plan {
  const char *name;
  int32_t side;
  clMethod method;
  clPreconditioner preconditioner;
  /* of texla; the peer's is always the usual one. 0: that */
  double tolerance;
  /* one system for all solutions, of which the whole call is timed */
  bool kept;
  /* not 0: and of which other values are timed instead, beside its setup; by how much entries
     differ */
  double spread;
  /* b is 1 everywhere, not noise */
  bool smooth;
} Plan;

static const Plan plans[] = {
    {"mg", 512, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, false},
    {"mg", 1024, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, false},
    {"mg", 2048, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, false},
    {"mg", 4096, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, false},
    {"mg to 1e-10", 1024, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 1e-10, false},
    {"mg to 1e-10", 2048, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 1e-10, false},
    {"mg, kept", 512, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, true},
    {"mg, kept", 1024, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, true},
    {"mg, kept, b = 1", 1024, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, true, 0, true},
    {"mg, kept", 2048, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 0, true},
    {"mg, kept, 1e-10", 1024, TEXLA_METHOD_MG, TEXLA_PRECONDITIONER_NONE, 1e-10, true},
    {"cg, mg", 1024, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_MG, 0, false},
    {"cg, amg", 1024, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, 0, false},
    {"cg, amg: values", 1024, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, 0, true, 0.1},
    {"cg, amg: far values", 1024, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_AMG, 0, true, 2},
    {"cg", 512, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_NONE, 0, false},
    {"cg", 1024, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_NONE, 0, false},
};

/* *seconds <- the median. */
static clStatus runPlan(txBench *bench, Job *j, const Plan *plan, double *seconds) {
  j->options.solver = (clSolverOptions){.method = plan->method,
                                        .preconditioner = plan->preconditioner,
                                        .tolerance = tolerance,
                                        .max_iterations = MOST_ITERATIONS};
  if (plan->tolerance > 0)
    j->options.solver.tolerance = plan->tolerance;
  j->spread = plan->spread;
  if (plan->kept) {
    vary(j);
    double start = txNow();
    clStatus status = clSystemCreate(&j->kept, j->context, j->A, 1, &j->options);
    j->setup = txNow() - start;
    if (status)
      return txBenchForgive(bench, plan->name, status);
  }
  txBenchCase c = {.name = plan->name,
                   .user = j,
                   .device = runDevice,
                   .seconds = &j->seconds,
                   .check = check,
                   .work = (double)j->n,
                   .unit = "unknowns/s"};
  if (plan->spread == 0) {
    c.peer[0].name = "cpu_multigrid";
    c.peer[0].run = runPeer;
  }
  snprintf(c.size, sizeof c.size, "%lld", (long long)j->n);
  txBenchRow row;
  clStatus status = txBenchMeasure(bench, &c, &row);
  if (status)
    return txBenchForgive(bench, plan->name, status);
  row.iterations = j->iterations;
  row.peer_iterations = j->peer_iterations;
  row.passes = j->passes;
  row.setup = j->setup;
  *seconds = row.device.median;
  txBenchReportRow(bench, &row);
  return TEXLA_OK;
}

/* Only the usual side follows the options; other ones are left out then. */
static int32_t sideOf(const txBench *bench, const Plan *plan) {
  if (plan->side == 1024)
    return (int32_t)txBenchSide(bench, 64, 1024);
  if (bench->size || bench->quick)
    return 0;
  return plan->side;
}

/* One plan on one grid, all made anew. */
static clStatus runSide(txBench *bench, const Plan *plan, int32_t side, double *seconds) {
  Job job;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&job, bench, side));
  fill(&job, plan->smooth);
  TRY_CLEANUP(runPlan(bench, &job, plan, seconds));
cleanup:
  destroy(&job);
  return status;
}

/* Is it the row that other libraries stand beside? */
static bool isUsual(const Plan *plan) {
  return !strcmp(plan->name, "mg");
}

/* Other libraries are timed last, each grid's beside its row `mg`: 1024^2 (or what the options
 * say), and 512^2. */
clStatus txBenchMultigrid(txBench *bench) {
  enum { SIDES = 2 };
  const int32_t sides[SIDES] = {512, (int32_t)txBenchSide(bench, 64, 1024)};
  double seconds = 0, mg[SIDES] = {0};
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
    int32_t side = sideOf(bench, &plans[k]);
    if (!side)
      continue;
    TRY(runSide(bench, &plans[k], side, &seconds));
    for (int i = 0; i < SIDES; i++)
      if (isUsual(&plans[k]) && side == sides[i])
        mg[i] = seconds;
  }
  /* Once where both are the same. */
  if (sides[0] == sides[1])
    mg[0] = 0;
  TRY(txBenchTransfers(bench, sides[SIDES - 1]));
  for (int i = 0; i < SIDES; i++)
    if (mg[i] > 0)
      TRY(txBenchLibraries(bench, sides[i], tolerance, mg[i]));
  return TEXLA_OK;
}
