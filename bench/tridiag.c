/* Batches of tridiagonal systems along both axes, beside LAPACK's sgtsv in a loop over the systems
 * and beside Thomas's algorithm for neighbouring systems in the lanes of a vector; all on several
 * threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "core/try.h"
#include "suite.h"

#if TEXLA_HAVE_CBLAS
/* LAPACK's */
extern void sgtsv_(const int *n, const int *columns, float *sub, float *main, float *super,
                   float *rhs, const int *ld, int *info);
#endif

/* sub, main, super, rhs */
enum { BANDS = 4 };

/* A batch on the device and, in two orders, on the host. */
typedef struct Job {
  /* systems, rows of each */
  int k, n;
  clAxis axis;
  /* factors are kept; row by row instead of blocks */
  bool factored, rows;
  clTridiagonal *T;
  clVector *band[BANDS], *x[2];
  /* row i of system j at j n + i: sgtsv's */
  float *along[BANDS];
  /* ... at i k + j: Thomas's */
  float *across[BANDS];
  /* of sgtsv, as `along` */
  float *solution;
  /* of Thomas, as `across` */
  float *lanes;
  /* k n */
  float *work;
  /* as `along` */
  double *exact;
} Job;

/* With factors that are kept, or from the bands anew. */
static clStatus onDevice(void *user, int64_t i) {
  const Job *j = user;
  clTridiagonalBands A = {.sub = j->band[0], .main = j->band[1], .super = j->band[2]};
  if (j->factored)
    return clTridiagonalSolveFactored(j->T, j->x[i & 1], j->band[3]);
  return clTridiagonalSolve(j->T, j->x[i & 1], &A, j->band[3]);
}

#if TEXLA_HAVE_CBLAS
/* A system after the other; LAPACK pivots, which these systems do not need. */
static clStatus loopOverSgtsv(void *user, int64_t i) {
  const Job *j = user;
  int failed = 0;
  (void)i;
#pragma omp parallel reduction(+ : failed)
  {
    const int one = 1, n = j->n;
    /* sgtsv overwrites its matrix: a copy that stays in a cache */
    float *own = malloc(4 * (size_t)n * sizeof *own);
    failed += own == NULL;
#pragma omp for schedule(static)
    for (int s = 0; s < j->k; s++) {
      size_t first = (size_t)s * (size_t)n, bytes = (size_t)n * sizeof *own;
      int info = 0;
      if (!own)
        continue;
      memcpy(own, j->along[0] + first + 1, bytes - sizeof *own);
      memcpy(own + n, j->along[1] + first, bytes);
      memcpy(own + 2 * n, j->along[2] + first, bytes);
      memcpy(j->solution + first, j->along[3] + first, bytes);
      sgtsv_(&n, &one, own, own + n, own + 2 * n, j->solution + first, &n, &info);
      failed += info != 0;
    }
    free(own);
  }
  if (failed)
    return TEXLA_SINGULAR;
  return TEXLA_OK;
}
#endif

/* Systems lie beside each other here: all in one row of a matrix. */
static clStatus thomas(void *user, int64_t i) {
  (void)i;
  const Job *j = user;
  txCpuThomas(j->lanes, j->work, (const float *const *)j->across, j->k, j->n);
  return TEXLA_OK;
}

/* The exact solution, in double. */
static void solveExactly(Job *j, double *super) {
  for (int s = 0; s < j->k; s++) {
    size_t first = (size_t)s * (size_t)j->n;
    const float *const *b = (const float *const *)j->along;
    double *x = j->exact + first;
    for (int i = 0; i < j->n; i++) {
      size_t at = first + (size_t)i;
      double pivot = (double)b[1][at], right = (double)b[3][at];
      if (i > 0) {
        pivot -= (double)b[0][at] * super[i - 1];
        right -= (double)b[0][at] * x[i - 1];
      }
      super[i] = (double)b[2][at] / pivot;
      x[i] = right / pivot;
    }
    for (int i = j->n - 2; i >= 0; i--)
      x[i] -= super[i] * x[i + 1];
  }
}

/* out <- the transpose of in. */
static void turn(float *out, const float *in, int rows, int cols) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++)
      out[(size_t)c * (size_t)rows + (size_t)r] = in[(size_t)r * (size_t)cols + (size_t)c];
}

/* solution <- what the device finds, system after system */
static clStatus takeSolution(Job *j) {
  TRY(onDevice(j, 0));
  if (j->axis == TEXLA_AXIS_X)
    return clVectorDownload(j->x[0], j->solution);
  TRY(clVectorDownload(j->x[0], j->lanes));
  turn(j->solution, j->lanes, j->n, j->k);
  return TEXLA_OK;
}

/* solution <- that of the first peer, likewise */
static clStatus solvePeer(Job *j) {
#if TEXLA_HAVE_CBLAS
  return loopOverSgtsv(j, 0);
#else
  TRY(thomas(j, 0));
  turn(j->solution, j->lanes, j->n, j->k);
  return TEXLA_OK;
#endif
}

/* ||x - exact|| / ||exact|| over all systems. */
static clStatus check(void *user, bool peer, double *error) {
  Job *j = user;
  if (peer)
    TRY(solvePeer(j));
  else
    TRY(takeSolution(j));
  *error = txBenchError(j->solution, j->exact, (int64_t)j->k * j->n);
  return TEXLA_OK;
}

/* Couplings and right-hand sides in [-1, 1), diagonals in [2.1, 4.1) */
static clStatus allocate(Job *j) {
  int64_t n = (int64_t)j->k * j->n;
  bool all = (j->exact = malloc((size_t)n * sizeof *j->exact)) != NULL;
  float **const arrays[] = {&j->solution, &j->lanes, &j->work};
  for (int v = 0; v < 3; v++)
    all = (*arrays[v] = txBenchArray(n, 0)) && all;
  for (int v = 0; v < BANDS; v++) {
    all = (j->along[v] = txBenchArray(n, 0)) && (j->across[v] = txBenchArray(n, 0)) && all;
    if (!all)
      break;
    /* The main diagonal dominates. */
    if (v == 1)
      txBenchNoise(j->along[v], n, 42 + (uint64_t)v, 2.1f, 4.1f);
    else
      txBenchNoise(j->along[v], n, 42 + (uint64_t)v, -1, 1);
    turn(j->across[v], j->along[v], j->k, j->n);
  }
  double *work = malloc((size_t)j->n * sizeof *work);
  if (all && work)
    solveExactly(j, work);
  free(work);
  if (all && work)
    return TEXLA_OK;
  return TEXLA_OUT_OF_MEMORY;
}

/* Also what has never been made. */
static void destroy(Job *j) {
  for (int v = 0; v < BANDS; v++) {
    clVectorDestroy(j->band[v]);
    txBenchFree(j->along[v], 0);
    txBenchFree(j->across[v], 0);
  }
  clVectorDestroy(j->x[0]);
  clVectorDestroy(j->x[1]);
  clTridiagonalDestroy(j->T);
  txBenchFree(j->solution, 0);
  txBenchFree(j->lanes, 0);
  txBenchFree(j->work, 0);
  free(j->exact);
}

/* Systems along x are rows of the grid, along y columns. */
static clStatus create(Job *j, txBench *bench) {
  int nx = j->n, ny = j->k;
  float *const *values = j->along;
  clTridiagonalOptions options = {.axis = j->axis, .method = TEXLA_TRIDIAGONAL_METHOD_BLOCKS};
  if (j->axis == TEXLA_AXIS_Y) {
    nx = j->k;
    ny = j->n;
    values = j->across;
  }
  if (j->rows)
    options.method = TEXLA_TRIDIAGONAL_METHOD_ROWS;
  TRY(allocate(j));
  for (int v = 0; v < BANDS; v++) {
    TRY(clVectorCreateGrid(&j->band[v], bench->context, nx, ny));
    TRY(clVectorUpload(j->band[v], values[v]));
  }
  for (int v = 0; v < 2; v++)
    TRY(clVectorCreateGrid(&j->x[v], bench->context, nx, ny));
  TRY(clTridiagonalCreate(&j->T, bench->context, nx, ny, &options));
  if (!j->factored)
    return TEXLA_OK;
  return clTridiagonalFactor(
      j->T, &(clTridiagonalBands){.sub = j->band[0], .main = j->band[1], .super = j->band[2]});
}

/* Four bands are read and x is written, each once: the least that a solution moves. */
static clStatus runCase(txBench *bench, const char *name, Job job) {
  double n = (double)job.k * job.n;
  txBenchCase c = {.name = name,
                   .user = &job,
                   .device = onDevice,
                   .peer =
                       {
#if TEXLA_HAVE_CBLAS
                           {"cpu_sgtsv", loopOverSgtsv},
#endif
                           {"cpu_thomas", thomas}},
                   .check = check,
                   .work = 4 * (BANDS + 1) * n,
                   .unit = "GB/s",
                   .needs = {4 * n, 4 * BANDS * n, 8 * n}};
  snprintf(c.size, sizeof c.size, "%d x %d", job.k, job.n);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(create(&job, bench));
  TRY_CLEANUP(txBenchRunCase(bench, &c));
cleanup:
  destroy(&job);
  return txBenchForgive(bench, c.name, status);
}

/* Row by row is for short systems: each row is a pass. */
static clStatus runSize(txBench *bench, int k, int n) {
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchUse(bench, (int64_t)k * n));
  TRY_CLEANUP(txBenchProbesCreate(bench, (int64_t)k * n));
  TRY_CLEANUP(runCase(bench, "along x", (Job){.k = k, .n = n}));
  TRY_CLEANUP(runCase(bench, "along y", (Job){.k = k, .n = n, .axis = TEXLA_AXIS_Y}));
  TRY_CLEANUP(runCase(bench, "along x, factored", (Job){.k = k, .n = n, .factored = true}));
  TRY_CLEANUP(runCase(bench, "along y, factored",
                      (Job){.k = k, .n = n, .axis = TEXLA_AXIS_Y, .factored = true}));
  if (n <= 1024)
    TRY_CLEANUP(runCase(bench, "along y, row by row",
                        (Job){.k = k, .n = n, .axis = TEXLA_AXIS_Y, .rows = true}));
cleanup:
  txBenchProbesDestroy(bench);
  return status;
}

/* From one that fits into a cache to one that does not. */
clStatus txBenchTridiag(txBench *bench) {
  static const int size[][2] = {{256, 256}, {1024, 1024}, {4096, 2048}};
  int side = (int)bench->size, count = bench->quick ? 1 : 3;
  if (side)
    return runSize(bench, side, side);
  for (int s = 0; s < count; s++)
    TRY(runSize(bench, size[s][0], size[s][1]));
  return TEXLA_OK;
}
