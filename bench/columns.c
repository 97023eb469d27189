/* Conjugate gradients for several right-hand sides at once, beside the same in turn: a fixed number
 * of iterations each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "core/try.h"
#include "suite.h"
#include "texla/io.h"

enum { MOST = 8, LARGE = 512 };

/* A system with several right-hand sides. */
typedef struct Job {
  txProblem problem;
  clContext *context;
  clMatrix *A;
  clSolver *solver;
  clVector *x[MOST], *b[MOST];
  /* the loop's: all right-hand sides one after the other; x, r, p and q = A p of one */
  float *hb, *hx, *hr, *hp, *hq;
  /* x, r, p and q in double */
  double *exact;
  /* right-hand sides of a row, and iterations for each of them */
  int count, iterations;
  /* of the last repetition */
  int64_t passes;
} Job;

/* All begin from zero. */
static clStatus clear(Job *j) {
  for (int k = 0; k < j->count; k++)
    TRY(clVectorClear(j->x[k]));
  return TEXLA_OK;
}

/* The fetches of the matrix are shared by all right-hand sides. */
static clStatus atOnce(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  int64_t before = clContextStatistics(j->context).passes;
  TRY(clear(j));
  TRY(clSolverInitMany(j->solver, j->count, j->x, (const clVector *const *)j->b));
  TRY(clSolverIterate(j->solver, j->iterations));
  j->passes = clContextStatistics(j->context).passes - before;
  return TEXLA_OK;
}

/* The same iterations, one right-hand side after the other. */
static clStatus inTurn(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  TRY(clear(j));
  for (int k = 0; k < j->count; k++) {
    TRY(clSolverInit(j->solver, j->x[k], j->b[k]));
    TRY(clSolverIterate(j->solver, j->iterations));
  }
  return clContextSynchronize(j->context);
}

/* One right-hand side after the other, by compressed rows; a tolerance of 0 is never met. */
static clStatus cpuRows(void *user, int64_t i) {
  (void)i;
  Job *j = user;
  for (int k = 0; k < j->count; k++)
    txCpuCg(&j->problem.rows, j->hb + k * j->problem.n, j->hx, j->hr, j->hp, j->hq, 0,
            j->iterations);
  return TEXLA_OK;
}

/* The same iterations in double, for the last right-hand side. */
static void iterateInDouble(Job *j, const float *b) {
  int64_t n = j->problem.n;
  double *x = j->exact, *r = x + n, *p = r + n, *q = p + n, rr = 0;
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0;
    p[i] = r[i] = (double)b[i];
    rr += r[i] * r[i];
  }
  for (int k = 0; k < j->iterations && rr > 0; k++) {
    double pq = 0, before = rr;
    clTripletsMulVector(q, j->problem.A, p);
    for (int64_t i = 0; i < n; i++)
      pq += p[i] * q[i];
    rr = 0;
    for (int64_t i = 0; i < n; i++) {
      x[i] += before / pq * p[i];
      r[i] -= before / pq * q[i];
      rr += r[i] * r[i];
    }
    for (int64_t i = 0; i < n; i++)
      p[i] = r[i] + rr / before * p[i];
  }
}

/* Of the last right-hand side, after the same iterations in double. */
static clStatus check(void *user, bool peer, double *error) {
  Job *j = user;
  int last = j->count - 1;
  if (peer)
    TRY(inTurn(user, 0));
  else
    TRY(atOnce(user, 0));
  TRY(clVectorDownload(j->x[last], j->hx));
  iterateInDouble(j, j->hb + last * j->problem.n);
  *error = txBenchError(j->hx, j->exact, j->problem.n);
  return TEXLA_OK;
}

/* A matrix, its storage, and how many iterations are timed. */
typedef struct Plan {
  const char *name;
  /* unknowns: its square */
  int32_t side;
  /* nine diagonals of finite elements, else the five-point matrix */
  bool plate;
  clMatrixOptions matrix;
  int iterations;
} Plan;

static const Plan plans[] = {
    {"constant", 32, false, {0}, 40},
    {"constant", 100, false, {0}, 100},
    {"general", LARGE, true, {.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true}, 20},
    {"slots", LARGE, true, {.storage = TEXLA_STORAGE_SLOTS}, 20},
    {"csr", LARGE, true, {.storage = TEXLA_STORAGE_CSR}, 20},
};

/* All right-hand sides are different noise. */
static clStatus createHost(Job *j, const Plan *plan, int32_t side) {
  clTriplets *A = NULL;
  if (plan->plate)
    TRY(clGenerateFemPlate(&A, side, NULL));
  else
    TRY(clGeneratePoisson2d(&A, side, side, NULL));
  TRY(txProblemCreate(&j->problem, A));
  int64_t n = j->problem.n, halo = j->problem.halo;
  j->iterations = plan->iterations;
  j->hb = txBenchArray(MOST * n, 0);
  j->hx = txBenchArray(n, halo);
  j->hr = txBenchArray(n, 0);
  j->hp = txBenchArray(n, halo);
  j->hq = txBenchArray(n, 0);
  j->exact = calloc((size_t)n, 4 * sizeof *j->exact);
  if (!j->hb || !j->hx || !j->hr || !j->hp || !j->hq || !j->exact)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(j->hb, MOST * n, 42, -1, 1);
  return TEXLA_OK;
}

/* One solver for up to MOST right-hand sides, whose columns may be fewer. */
static clStatus createDevice(txBench *bench, Job *j, const Plan *plan) {
  TRY(txBenchUse(bench, j->problem.n));
  j->context = bench->context;
  TRY(clMatrixCreate(&j->A, bench->context, j->problem.A, &plan->matrix));
  TRY(clSolverCreate(&j->solver, j->A, &(clSolverOptions){.columns = MOST}));
  for (int k = 0; k < MOST; k++) {
    TRY(clMatrixCreateVector(&j->x[k], j->A, TEXLA_DOMAIN));
    TRY(clMatrixCreateVector(&j->b[k], j->A, TEXLA_RANGE));
    TRY(clVectorUpload(j->b[k], j->hb + k * j->problem.n));
  }
  return TEXLA_OK;
}

/* Also what has never been made. */
static void destroy(Job *j) {
  for (int k = 0; k < MOST; k++) {
    clVectorDestroy(j->x[k]);
    clVectorDestroy(j->b[k]);
  }
  clSolverDestroy(j->solver);
  clMatrixDestroy(j->A);
  txBenchFree(j->hb, 0);
  txBenchFree(j->hx, j->problem.halo);
  txBenchFree(j->hr, 0);
  txBenchFree(j->hp, j->problem.halo);
  txBenchFree(j->hq, 0);
  free(j->exact);
  txProblemDestroy(&j->problem);
}

/* A repetition is `iterations` for each of the right-hand sides. */
static clStatus runRow(txBench *bench, Job *j, const Plan *plan) {
  char name[32];
  snprintf(name, sizeof name, "cg x%d, %s", j->count, plan->name);
  txBenchCase c = {.name = name,
                   .user = j,
                   .device = atOnce,
                   .peer = {{"in_turn", inTurn}, {"cpu_csr", cpuRows}},
                   .check = check,
                   .work = (double)(j->count * j->iterations),
                   .unit = "iterations/s"};
  snprintf(c.size, sizeof c.size, "%lld", (long long)j->problem.n);
  txBenchRow row;
  TRY(txBenchMeasure(bench, &c, &row));
  row.iterations = row.peer_iterations = j->iterations;
  row.passes = j->passes;
  txBenchReportRow(bench, &row);
  return TEXLA_OK;
}

/* A row for each number of right-hand sides. A storage that the device has no room for is left
 * out. */
static clStatus runPlan(txBench *bench, const Plan *plan, int32_t side) {
  static const int counts[] = {1, 4, MOST};
  Job job = {.count = 0};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createHost(&job, plan, side));
  TRY_CLEANUP(createDevice(bench, &job, plan));
  for (int k = 0; k < 3; k++) {
    job.count = counts[k];
    TRY_CLEANUP(runRow(bench, &job, plan));
  }
cleanup:
  destroy(&job);
  return txBenchForgive(bench, plan->name, status);
}

/* On grids where passes are cheap and where they are not; --size and --quick are for the latter. */
clStatus txBenchColumns(txBench *bench) {
  for (size_t p = 0; p < sizeof plans / sizeof *plans; p++) {
    int32_t side = plans[p].side;
    if (side == LARGE)
      side = (int32_t)txBenchSide(bench, 64, side);
    else if (bench->quick)
      continue;
    TRY(runPlan(bench, &plans[p], side));
  }
  return TEXLA_OK;
}
