/* Solvers on the five-point Poisson matrix with a right-hand side of white noise. */
#include <math.h>
#include <stdlib.h>

#include "problem.h"
#include "texla/io.h"
#include "core/try.h"
#include "suite.h"

enum { SWEEPS = 200, MOST_ITERATIONS = 50000, LARGE = 1024, SMALL = 128 };
/* of the recursive residual */
static const double tolerance = 1e-5;

/* A system with its solver on the device, and what the loops need. */
typedef struct Job {
  txProblem problem;
  clMatrix *A;
  clSolver *solver;
  clVector *x, *b;
  /* the loops' b, x, r, p and q = A p; D^-1 of Jacobi's method */
  float *hb, *hx, *hr, *hp, *hq, *inverse;
  /* x, b, and what a residual needs */
  double *exact;
  /* what the loops multiply by */
  const txCpuMatrix *peer[TX_BENCH_PEERS];
  /* of the last repetition */
  int64_t iterations, peer_iterations, passes;
  clContext *context;
} Job;

/* Conjugate gradients. */

/* From zero to the tolerance each time; a residual above it at the limit is told by the check. */
static clStatus cgDevice(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  clSolverReport report;
  TRY(clVectorClear(j->x));
  clStatus status = clSolverSolve(j->solver, j->x, j->b, &report);
  if (status < 0)
    return status;
  j->iterations = report.iterations;
  j->passes = report.passes;
  return TEXLA_OK;
}

/* The iterations of the first peer stand beside the device's. */
static clStatus cgCpu(Job *j, int peer) {
  int64_t n = txCpuCg(j->peer[peer], j->hb, j->hx, j->hr, j->hp, j->hq, tolerance, MOST_ITERATIONS);
  if (peer == 0)
    j->peer_iterations = n;
  return TEXLA_OK;
}
/* As the first and the second peer of a case. */
static clStatus cgCpu0(void *user, int64_t i) {
  (void)i;
  return cgCpu(user, 0);
}
static clStatus cgCpu1(void *user, int64_t i) {
  (void)i;
  return cgCpu(user, 1);
}

/* The true residual of the last solution. */
static clStatus cgCheck(void *user, bool peer, double *error) {
  Job *j = user;
  int64_t n = j->problem.n;
  double *x = j->exact, *b = x + n, norm = 0;
  if (peer)
    TRY(cgCpu(j, 0));
  else
    TRY(clVectorDownload(j->x, j->hx));
  for (int64_t i = 0; i < n; i++) {
    x[i] = (double)j->hx[i];
    b[i] = (double)j->hb[i];
    norm += b[i] * b[i];
  }
  *error = clTripletsResidual(NULL, j->problem.A, x, b) / sqrt(norm);
  return TEXLA_OK;
}

/* Jacobi, SWEEPS iterations, nothing read back. */

/* Work is submitted and not waited for; the timing does that. */
static clStatus jacobiDevice(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  int64_t before = clContextStatistics(j->context).passes;
  TRY(clVectorClear(j->x));
  TRY(clSolverInit(j->solver, j->x, j->b));
  TRY(clSolverIterate(j->solver, SWEEPS));
  j->iterations = j->peer_iterations = SWEEPS;
  j->passes = clContextStatistics(j->context).passes - before;
  return TEXLA_OK;
}

/* Two sweeps a turn, so that x is where it began. */
static clStatus jacobiCpu(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  txCpuFill(j->hx, 0, j->problem.n);
  for (int k = 0; k < SWEEPS; k += 2) {
    txCpuJacobi(&j->problem.rows, j->hp, j->hx, j->hb, j->inverse);
    txCpuJacobi(&j->problem.rows, j->hx, j->hp, j->hb, j->inverse);
  }
  return TEXLA_OK;
}

/* The same sweeps in double; D = 4. */
static clStatus jacobiCheck(void *user, bool peer, double *error) {
  Job *j = user;
  int64_t n = j->problem.n;
  double *x = j->exact, *b = x + n, *r = b + n;
  if (peer)
    TRY(jacobiCpu(j, 0));
  else
    TRY(clVectorDownload(j->x, j->hx));
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0;
    b[i] = (double)j->hb[i];
  }
  for (int k = 0; k < SWEEPS; k++) {
    clTripletsResidual(r, j->problem.A, x, b);
    for (int64_t i = 0; i < n; i++)
      x[i] += r[i] / 4;
  }
  *error = txBenchError(j->hx, x, n);
  return TEXLA_OK;
}

/* White noise has all frequencies: smooth right-hand sides would flatter some methods. */
static clStatus createHost(Job *j, int32_t side) {
  clTriplets *A = NULL;
  int64_t n = (int64_t)side * side;
  TRY(clGeneratePoisson2d(&A, side, side, NULL));
  TRY(txProblemCreate(&j->problem, A));
  j->problem.stencil =
      (txCpuMatrix){.multiply = txCpuStencil, .rows = n, .cols = n, .nx = side, .ny = side};
  int64_t halo = j->problem.halo;
  j->hb = txBenchArray(n, 0);
  j->hx = txBenchArray(n, halo);
  j->hr = txBenchArray(n, 0);
  j->hp = txBenchArray(n, halo);
  j->hq = txBenchArray(n, 0);
  j->inverse = txBenchArray(n, 0);
  j->exact = calloc((size_t)n, 3 * sizeof *j->exact);
  if (!j->hb || !j->hx || !j->hr || !j->hp || !j->hq || !j->inverse || !j->exact)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(j->hb, n, 42, -1, 1);
  txCpuFill(j->inverse, 0.25f, n);
  return TEXLA_OK;
}

/* Also what has never been made. */
static void destroyHost(Job *j) {
  txBenchFree(j->hb, 0);
  txBenchFree(j->hx, j->problem.halo);
  txBenchFree(j->hr, 0);
  txBenchFree(j->hp, j->problem.halo);
  txBenchFree(j->hq, 0);
  txBenchFree(j->inverse, 0);
  free(j->exact);
  txProblemDestroy(&j->problem);
}

/* A context for problems of that size, and what the solver needs. */
static clStatus createDevice(txBench *bench, Job *j, const clMatrixOptions *matrix,
                             const clSolverOptions *solver) {
  TRY(txBenchUse(bench, j->problem.n));
  j->context = bench->context;
  TRY(clMatrixCreate(&j->A, bench->context, j->problem.A, matrix));
  TRY(clSolverCreate(&j->solver, j->A, solver));
  TRY(clMatrixCreateVector(&j->x, j->A, TEXLA_DOMAIN));
  TRY(clMatrixCreateVector(&j->b, j->A, TEXLA_RANGE));
  return clVectorUpload(j->b, j->hb);
}

/* Also what has never been made. */
static void destroyDevice(Job *j) {
  clVectorDestroy(j->x);
  clVectorDestroy(j->b);
  clSolverDestroy(j->solver);
  clMatrixDestroy(j->A);
}

/* A solver, a storage and a size. Stored diagonals are compared with stored diagonals, constant
 * ones with the stencil. */
typedef struct Plan {
  const char *name;
  int32_t side;
  clMatrixOptions matrix;
  /* diagonals: the second peer uses them, instead of the stencil */
  bool jacobi, diagonals;
} Plan;

static const Plan plans[] = {
    {"cg, constant", 32, {0}},
    {"cg, constant", 128, {0}},
    {"cg, constant", 512, {0}},
    {"cg, constant", 1024, {0}},
    {"cg, general",
     1024,
     {.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true},
     .diagonals = true},
    {"cg, slots", 1024, {.storage = TEXLA_STORAGE_SLOTS}},
    {"jacobi, 200 sweeps", 1024, {0}, .jacobi = true},
};

/* `rate` is of iterations; a device and a peer may need different numbers of them. */
static clStatus runPlan(txBench *bench, Job *j, const Plan *plan) {
  clSolverOptions options = {
      .method = TEXLA_METHOD_CG, .tolerance = tolerance, .max_iterations = MOST_ITERATIONS};
  txBenchCase c = {.name = plan->name,
                   .user = j,
                   .device = cgDevice,
                   .peer = {{"cpu_csr", cgCpu0}, {"cpu_stencil", cgCpu1}},
                   .check = cgCheck,
                   .unit = "iterations/s"};
  j->peer[0] = &j->problem.rows;
  j->peer[1] = &j->problem.stencil;
  if (plan->diagonals) {
    c.peer[1].name = "cpu_diagonals";
    j->peer[1] = &j->problem.diagonals;
  }
  if (plan->jacobi) {
    options.method = TEXLA_METHOD_JACOBI;
    c.device = jacobiDevice;
    c.peer[0].run = jacobiCpu;
    c.peer[1].run = NULL;
    c.check = jacobiCheck;
  }
  snprintf(c.size, sizeof c.size, "%lld", (long long)j->problem.n);
  txBenchRow row;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createDevice(bench, j, &plan->matrix, &options));
  TRY_CLEANUP(txBenchMeasure(bench, &c, &row));
  row.iterations = j->iterations;
  row.peer_iterations = j->peer_iterations;
  row.passes = j->passes;
  row.c.work = (double)j->iterations;
  txBenchReportRow(bench, &row);
cleanup:
  destroyDevice(j);
  return txBenchForgive(bench, plan->name, status);
}

/* One plan with arrays of its own. */
static clStatus runSide(txBench *bench, const Plan *plan, int32_t side) {
  Job job = {0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createHost(&job, side));
  TRY_CLEANUP(runPlan(bench, &job, plan));
cleanup:
  destroyHost(&job);
  return status;
}

/* Small systems show what a pass costs, the large one what memory does. */
clStatus txBenchSolve(txBench *bench) {
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
    int32_t side = plans[k].side;
    if (side == LARGE)
      side = (int32_t)txBenchSide(bench, 64, side);
    else if (bench->quick)
      continue;
    TRY(runSide(bench, &plans[k], side));
  }
  TRY(txBenchColumns(bench));
  /* Once with the worker threads of a software renderer, and once without. */
  TRY(txBenchPasses(bench, (int32_t)txBenchSide(bench, 64, LARGE)));
  if (!bench->quick)
    TRY(txBenchPasses(bench, SMALL));
  return TEXLA_OK;
}
