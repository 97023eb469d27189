/* Matrix-vector products: every storage, beside CPU loops over diagonals, compressed rows and dense
 * rows. */
#include <stdlib.h>

#include "problem.h"
#include "core/numbers.h"
#include "core/try.h"
#include "texla/io.h"
#include "suite.h"

/* A matrix on the device and on the host, with x, y and the exact product. */
typedef struct Product {
  txProblem problem;
  clMatrix *A;
  clVector *x, *y[2];
  float *hx, *hy;
  double *exact;
  const txCpuMatrix *peer[TX_BENCH_PEERS];
} Product;

/* A storage, and what it is measured beside. */
typedef struct Plan {
  const char *name;
  clMatrixOptions options;
  /* peers beside compressed rows; the first that is given counts */
  bool diagonals, stencil;
  /* fetched beside the value of an entry, at least; negative: no value either */
  double index_bytes;
} Plan;

/* Into two results in turns. */
static clStatus onDevice(void *user, int64_t i) {
  Product *p = user;
  return clMatrixMulVector(p->y[i & 1], p->A, p->x);
}

/* A loop of the problem's; 0: it returns no scalar product. */
static clStatus onCpu(Product *p, int peer) {
  p->peer[peer]->multiply(p->peer[peer], p->hy, p->hx, 0);
  return TEXLA_OK;
}
/* As the first and the second peer of a case. */
static clStatus onCpu0(void *user, int64_t i) {
  (void)i;
  return onCpu(user, 0);
}
static clStatus onCpu1(void *user, int64_t i) {
  (void)i;
  return onCpu(user, 1);
}

/* The product in double is what both are compared with. */
static clStatus check(void *user, bool peer, double *error) {
  Product *p = user;
  if (peer)
    TRY(onCpu0(p, 0));
  else {
    TRY(onDevice(p, 0));
    TRY(clVectorDownload(p->y[0], p->hy));
  }
  *error = txBenchError(p->hy, p->exact, p->problem.n);
  return TEXLA_OK;
}

/* exact: the product, and behind it x in double. */
static clStatus createVectors(Product *p) {
  int64_t n = p->problem.n, halo = p->problem.halo;
  p->hx = txBenchArray(n, halo);
  p->hy = txBenchArray(n, 0);
  p->exact = calloc((size_t)n, 2 * sizeof *p->exact);
  if (!p->hx || !p->hy || !p->exact)
    return TEXLA_OUT_OF_MEMORY;
  txBenchNoise(p->hx, n, 42, -1, 1);
  for (int64_t i = 0; i < n; i++)
    p->exact[n + i] = (double)p->hx[i];
  clTripletsMulVector(p->exact, p->problem.A, p->exact + n);
  return TEXLA_OK;
}

/* What all plans of a family share. */
static void destroy(Product *p) {
  txBenchFree(p->hx, p->problem.halo);
  txBenchFree(p->hy, 0);
  free(p->exact);
  txProblemDestroy(&p->problem);
}

/* One storage of the matrix, with vectors of its layout. */
static clStatus createMatrix(txBench *bench, Product *p, const Plan *plan) {
  TRY(clMatrixCreate(&p->A, bench->context, p->problem.A, &plan->options));
  TRY(clMatrixCreateVector(&p->x, p->A, TEXLA_DOMAIN));
  for (int i = 0; i < 2; i++)
    TRY(clMatrixCreateVector(&p->y[i], p->A, TEXLA_RANGE));
  return clVectorUpload(p->x, p->hx);
}

/* For the next storage. */
static void destroyMatrix(Product *p) {
  clVectorDestroy(p->x);
  clVectorDestroy(p->y[0]);
  clVectorDestroy(p->y[1]);
  clMatrixDestroy(p->A);
  p->A = NULL;
  p->x = p->y[0] = p->y[1] = NULL;
}

/* The first peer is the one that `ratio` is of: the loop over the same storage. */
static void choosePeers(Product *p, const Plan *plan, txBenchCase *c) {
  int k = 0;
  bool dense = p->problem.dense.multiply;
  if (plan->diagonals) {
    p->peer[k] = &p->problem.diagonals;
    c->peer[k++].name = "cpu_diagonals";
  }
  p->peer[k] = &p->problem.rows;
  c->peer[k].name = "cpu_csr";
  if (dense) {
    p->peer[k] = &p->problem.dense;
    c->peer[k].name = "cpu_dense";
  }
  k++;
  if (plan->stencil) {
    p->peer[k] = &p->problem.stencil;
    c->peer[k++].name = "cpu_stencil";
  }
  c->peer[0].run = onCpu0;
  if (k > 1)
    c->peer[1].run = onCpu1;
}

/* The least to be moved: x and y once, and each entry with its index. */
static clStatus runPlan(txBench *bench, Product *p, const Plan *plan) {
  double n = (double)p->problem.n, entries = (double)p->problem.A->count;
  double bytes = entries * (4 + plan->index_bytes);
  if (plan->index_bytes < 0)
    bytes = 0;
  txBenchCase c = {.name = plan->name,
                   .user = p,
                   .device = onDevice,
                   .check = check,
                   .work = 2 * entries,
                   .unit = "GFLOP/s",
                   .needs = {4 * n, 4 * n + bytes, 2 * entries}};
  snprintf(c.size, sizeof c.size, "%lld", (long long)p->problem.n);
  choosePeers(p, plan, &c);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createMatrix(bench, p, plan));
  TRY_CLEANUP(txBenchRunCase(bench, &c));
cleanup:
  destroyMatrix(p);
  return txBenchForgive(bench, plan->name, status);
}

/* A matrix and the storages in which it is multiplied. */
typedef struct Family {
  clStatus (*generate)(clTriplets **out, int32_t n, clError *error);
  /* without --size; with it, at most */
  int64_t size, most;
  bool five_point, full;
  const Plan *plan;
  int plans;
} Family;

/* The generators of n points along a side, and of n rows. */
static clStatus poisson(clTriplets **out, int32_t n, clError *error) {
  return clGeneratePoisson2d(out, n, n, error);
}
static clStatus dense(clTriplets **out, int32_t n, clError *error) {
  return clGenerateDense(out, n, 42, error);
}

/* Banded vectors need no indices; slots and compressed rows hold a column (and rows), points a
 * target too. */
static const Plan bands[] = {
    {"5-point, general",
     {.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true},
     .diagonals = true},
    {"5-point, constant", {.storage = TEXLA_STORAGE_BANDED}, .stencil = true, .index_bytes = -1}};
static const Plan sparse[] = {
    {"5-point, general",
     {.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true},
     .diagonals = true},
    {"5-point, constant", {.storage = TEXLA_STORAGE_BANDED}, .stencil = true, .index_bytes = -1},
    {"5-point, slots", {.storage = TEXLA_STORAGE_SLOTS}, .index_bytes = 4},
    {"5-point, csr", {.storage = TEXLA_STORAGE_CSR}, .index_bytes = 4},
    {"5-point, points", {.storage = TEXLA_STORAGE_POINTS}, .index_bytes = 4}};
static const Plan plate[] = {
    {"9-point, general",
     {.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true},
     .diagonals = true},
    {"9-point, constant", {.storage = TEXLA_STORAGE_BANDED}, .diagonals = true, .index_bytes = -1}};
static const Plan full[] = {{"dense", {.storage = TEXLA_STORAGE_DENSE}}};

/* Matrices whose size is the number of grid points along a side, and one whose rows it counts. */
#define PLANS(list) list, sizeof(list) / sizeof *(list)
static const Family families[] = {{poisson, 2048, 16384, true, false, PLANS(bands)},
                                  {poisson, 1024, 4096, true, false, PLANS(sparse)},
                                  {clGenerateFemPlate, 1024, 4096, false, false, PLANS(plate)},
                                  {dense, 2048, 4096, false, true, PLANS(full)}};

/* The matrix is made once; a plan that the device has no memory for is left out. */
static clStatus runFamily(txBench *bench, const Family *f) {
  int64_t size = txBenchSide(bench, 256, f->size);
  int64_t n = txLeast64(size, f->most);
  Product p = {0};
  clTriplets *A = NULL;
  clStatus status = TEXLA_OK;
  TRY(f->generate(&A, (int32_t)n, NULL));
  TRY_CLEANUP(txProblemCreate(&p.problem, A));
  if (f->five_point)
    p.problem.stencil =
        (txCpuMatrix){.multiply = txCpuStencil, .rows = n * n, .cols = n * n, .nx = n, .ny = n};
  if (f->full)
    p.problem.dense =
        (txCpuMatrix){.multiply = txCpuDense, .rows = n, .cols = n, .value = p.problem.value};
  TRY_CLEANUP(createVectors(&p));
  for (int k = 0; k < f->plans; k++)
    TRY_CLEANUP(runPlan(bench, &p, &f->plan[k]));
cleanup:
  destroy(&p);
  return status;
}

/* Families, each with the storages that suit it. */
clStatus txBenchSpmv(txBench *bench) {
  int64_t side = txBenchSide(bench, 256, 2048);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txBenchUse(bench, side * side));
  TRY_CLEANUP(txBenchProbesCreate(bench, side * side));
  TRY_CLEANUP(txBenchLimitRows(bench));
  for (size_t k = 0; k < sizeof families / sizeof *families; k++)
    TRY_CLEANUP(runFamily(bench, &families[k]));
cleanup:
  txBenchProbesDestroy(bench);
  return status;
}
