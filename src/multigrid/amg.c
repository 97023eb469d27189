#include "multigrid/amg.h"
#include "core/allocate.h"
#include "core/try.h"
#include "matrix/matrix.h"
#include "vector/vector.h"
#include "multigrid/aggregation.h"
#include "multigrid/chebyshev.h"
#include "multigrid/cycle.h"
#include "multigrid/host_inverse.h"
#include "multigrid/sparse_level.h"

#include <math.h>
#include <stdlib.h>

/* A matrix of at most COARSEST rows (coarsestOf) is inverted; one of at most INVERTED too, where it
 * cannot be coarsened. */
enum {
  LEVELS = 20,
  COARSEST = 300,
  COARSEST_ON_HOST = 100,
  INVERTED = 800,
  DEGREE = 2,
  SWEEPS_INSTEAD = 4
};
#define SMOOTHED_RATIO 4
static const double strength = 0.08;
static const char call[] = "clSolver (amg)";

/* One level of the hierarchy: its matrix A, which it owns (`own`) on all levels but the first.
 *
 * `coarser` is the next level and the way to it, on the host; its P is NULL on the coarsest. P and
 * R are the same way on the device. A level has a smoother or, where its system is solved
 * directly, the inverse. Levels that the host computes have `host` and nothing on the device. */
typedef struct level {
  const clMatrix *A;
  clMatrix *own;
  txAggregation coarser;
  clMatrix *P, *R;
  txChebyshev *smoother;
  clMatrix *inverse;
  /* On the first level x and b are the caller's; on the others b is `rhs`. */
  clVector *x;
  const clVector *b;
  clVector *rhs, *r;
  /* What the host finds, on the first level. */
  clVector *correction;
  /* What of this level the host begins with: its residual or b. */
  const clVector *down;
  txSparseLevel *host;
} level;

/* The hierarchy; `vectors` is the number of columns of its near null space, which `near` holds.
 * `whole`: the last setup did not fail on the way. */
struct txAmg {
  clContext *context;
  txCycle cycle;
  level level[LEVELS];
  int levels, vectors;
  txNearNull near;
  bool coarse_on_host, whole;
};

static void amgDestroyMatrix(clMatrix **A) {
  clMatrixDestroy(*A);
  *A = NULL;
}

static void amgDestroyLevel(txAmg *amg, int l) {
  level *v = &amg->level[l];
  txChebyshevDestroy(v->smoother);
  txAggregationDestroy(&v->coarser);
  clMatrixDestroy(v->own);
  clMatrixDestroy(v->P);
  clMatrixDestroy(v->R);
  clMatrixDestroy(v->inverse);
  if (l > 0)
    clVectorDestroy(v->x);
  clVectorDestroy(v->rhs);
  clVectorDestroy(v->r);
  clVectorDestroy(v->correction);
  txSparseLevelDestroy(v->host);
  *v = (level){0};
}

/* All that follows level l. */
static void destroyCoarser(txAmg *amg, int l) {
  level *v = &amg->level[l];
  txAggregationDestroy(&v->coarser);
  amgDestroyMatrix(&v->P);
  amgDestroyMatrix(&v->R);
  while (++l < LEVELS)
    amgDestroyLevel(amg, l);
}

void txAmgDestroy(txAmg *amg) {
  for (int l = 0; l < LEVELS && amg; l++)
    amgDestroyLevel(amg, l);
  if (amg)
    txNearNullForget(&amg->near);
  free(amg);
}

int txAmgLevels(const txAmg *amg) {
  return amg->levels;
}

/* ---- Operations of a level (multigrid/cycle.h) ----------------------------------------------- */

static clStatus amgSmooth(void *data, txSmoothing part) {
  level *v = data;
  return txChebyshevSmooth(v->smoother, v->x, v->b, part == TX_SMOOTH_FROM_ZERO);
}

/* b of the next level <- R (b - A x) */
static clStatus amgRestrictResidual(void *data) {
  level *v = data;
  TRY(clMatrixVectorOp(v->r, TEXLA_OP_B_MINUS_AX, v->A, TEXLA_NO_TRANSPOSE, v->x, v->b));
  v->down = v->r;
  if (v[1].host)
    return TEXLA_OK;
  return clMatrixMulVector(v[1].rhs, v->R, v->r);
}

static clStatus amgRestrictRightSide(void *data) {
  level *v = data;
  v->down = v->b;
  if (v[1].host)
    return TEXLA_OK;
  return clMatrixMulVector(v[1].rhs, v->R, v->b);
}

/* x <- x + P e, or P e with `start` */
static clStatus amgProlong(void *data, bool start) {
  level *v = data;
  if (v[1].host && start)
    return clVectorCopy(v->x, v->correction);
  if (v[1].host)
    return clVectorAxpy(v->x, 1, NULL, v->correction);
  if (start)
    return clMatrixMulVector(v->x, v->P, v[1].x);
  return clMatrixVectorOp(v->x, TEXLA_OP_AX_PLUS_B, v->P, TEXLA_NO_TRANSPOSE, v[1].x, v->x);
}

/* A matrix that can be neither coarsened nor inverted is smoothed only. */
static clStatus amgSolveCoarsest(void *data) {
  level *v = data;
  if (v->inverse)
    return clMatrixMulVector(v->x, v->inverse, v->b);
  for (int k = 0; k < SWEEPS_INSTEAD; k++)
    TRY(txChebyshevSmooth(v->smoother, v->x, v->b, k == 0));
  return TEXLA_OK;
}

static const txLevelOps operations = {
    amgSmooth, amgRestrictResidual, amgRestrictRightSide, amgProlong, amgSolveCoarsest, NULL, NULL};

static void prepareCycle(txAmg *amg) {
  amg->cycle.levels = amg->levels;
  for (int l = 0; l < amg->levels; l++) {
    level *v = &amg->level[l];
    amg->cycle.level[l] = (txCycleLevel){&operations, v};
    if (!v->host)
      continue;
    amg->cycle.level[l] = (txCycleLevel){l == 1 ? &txSparseFirstOps : &txSparseOps, v->host};
    txSparseLevelNext(v->host, v[1].host);
    txSparseLevelConnect(v->host, &v[-1].down, v[-1].correction);
  }
}

/* ---- Setup ----------------------------------------------------------------------------------- */

/* *out <- `a`, n x n numbers, as a dense matrix in the layout of the level's vectors. */
static clStatus uploadDense(clMatrix **out, clContext *context, const double *a, int n,
                            const txLayout *layout) {
  clTriplets *inverse = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&inverse, n, n, (int64_t)n * n, txContextError(context)));
  for (int64_t k = 0; k < (int64_t)n * n; k++)
    TRY_CLEANUP(
        clTripletsAdd(inverse, (int32_t)(k / n), (int32_t)(k % n), a[k], txContextError(context)));
  clMatrixOptions options = {.storage = TEXLA_STORAGE_DENSE, .linear = true};
  if (layout->grid)
    options = (clMatrixOptions){TEXLA_STORAGE_DENSE, .grid_nx = (int)layout->row,
                                .grid_ny = layout->height};
  TRY_CLEANUP(clMatrixCreate(out, context, inverse, &options));
cleanup:
  clTripletsDestroy(inverse);
  return status;
}

/* Where A is singular a generalized inverse will do: what it leaves out is in A's kernel. */
static clStatus amgInvert(const txAmg *amg, level *v, const clTriplets *A) {
  int n = A->rows, rank;
  clError *error = txContextError(amg->context);
  double *a = txAllocate(error, call, (size_t)n * (size_t)n, sizeof *a, "inverting a matrix");
  clStatus status = TEXLA_OK;
  if (!a)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++)
    a[(int64_t)A->row[k] * n + A->col[k]] = A->value[k];
  TRY_CLEANUP(txInvert(a, n, 1e-10, &rank, call, error));
  if (v->host)
    TRY_CLEANUP(txSparseLevelInverse(v->host, a, error));
  else
    TRY_CLEANUP(uploadDense(&v->inverse, amg->context, a, n, &v->A->row_layout));
cleanup:
  free(a);
  return status;
}

/* On the first level x and b come with each call. */
static clStatus amgCreateVectors(const txAmg *amg, level *v, bool first) {
  TRY(clMatrixCreateVector(&v->r, v->A, TEXLA_RANGE));
  if (amg->coarse_on_host)
    TRY(clMatrixCreateVector(&v->correction, v->A, TEXLA_RANGE));
  if (first)
    return TEXLA_OK;
  TRY(clMatrixCreateVector(&v->x, v->A, TEXLA_DOMAIN));
  TRY(clMatrixCreateVector(&v->rhs, v->A, TEXLA_RANGE));
  v->b = v->rhs;
  return TEXLA_OK;
}

/* P, R and the next level's matrix: new ones, or other values in those that are there. What storage
 * suits transfers is known: their rows are short, and they have no diagonals. */
static clStatus uploadTransfer(txAmg *amg, level *v) {
  const clMatrixOptions linear = {.linear = true};
  const txAggregation *c = &v->coarser;
  clContext *context = amg->context;
  const txRows P = txRowsOf(c->P, c->at.P), R = txRowsOf(c->R, c->at.R);
  TRY(txMatrixSet(&v[1].own, context, c->A, &linear));
  if (c->stays)
    return TEXLA_OK;
  const txLayout *fine = &v->A->row_layout, *coarse = &v[1].own->row_layout;
  TRY(txMatrixSetBetween(&v->P, context, &P, TEXLA_STORAGE_SLOTS, fine, coarse));
  return txMatrixSetBetween(&v->R, context, &R, TEXLA_STORAGE_SLOTS, coarse, fine);
}

/* As the level's smoother knows it. */
static double amgLargestOf(const level *v) {
  if (v->host)
    return txSparseLevelLargest(v->host);
  return txChebyshevLargest(v->smoother);
}

/* What is coarser than level l, whose matrix A is: with the aggregates that are there if they still
 * suit it, else with others. None where aggregates are hardly fewer than unknowns. */
static clStatus amgCoarsen(txAmg *amg, int l, const clTriplets *A, const txNearNull *near) {
  level *v = &amg->level[l];
  clError *error = txContextError(amg->context);
  bool fits = true;
  if (v->coarser.P)
    TRY(txAggregationUpdate(&v->coarser, A, near, amgLargestOf(v), &fits, error));
  if (!fits)
    destroyCoarser(amg, l);
  if (v->coarser.P)
    return TEXLA_OK;
  TRY(txAggregate(&v->coarser, A, near, strength * pow(0.5, l), amgLargestOf(v), error));
  if (v->coarser.P && v->coarser.A->rows > 0.8 * A->rows)
    txAggregationDestroy(&v->coarser);
  return TEXLA_OK;
}

/* On the host a level more costs less than to invert its matrix. [1024^2 points: new values take
 * 108 instead of 127 ms] */
static int coarsestOf(const txAmg *amg, int l) {
  if (l > 0 && amg->coarse_on_host)
    return COARSEST_ON_HOST;
  return COARSEST;
}

/* New values often leave the eigenvalues of D^-1 A below what was estimated for the old ones: a
 * look at them takes the place of a power iteration. */
static bool isBounded(level *v, const clTriplets *A) {
  bool bounded = false;
  if (v->coarser.P)
    txAggregationLook(&v->coarser, A, amgLargestOf(v), &bounded);
  return bounded;
}

static clStatus setSmoother(level *v, bool bounded) {
  if (v->smoother)
    return txChebyshevUpdate(v->smoother, v->A, bounded);
  return txChebyshevCreate(&v->smoother, v->A, DEGREE, SMOOTHED_RATIO);
}

/* What the level itself has where the device computes it. */
static clStatus setOnDevice(txAmg *amg, int l, bool small, bool bounded) {
  level *v = &amg->level[l];
  if (l > 0)
    v->A = v->own;
  amgDestroyMatrix(&v->inverse);
  if (!v->r)
    TRY(amgCreateVectors(amg, v, l == 0));
  if (small)
    return TEXLA_OK;
  return setSmoother(v, bounded);
}

/* The same where the host does. */
static clStatus setOnHost(txAmg *amg, int l, bool bounded) {
  static const txSparseSmoother smoother = {
      .degree = DEGREE, .instead = SWEEPS_INSTEAD, .ratio = SMOOTHED_RATIO};
  level *v = &amg->level[l];
  clError *error = txContextError(amg->context);
  TRY(txSparseLevelSet(&v->host, &v[-1].coarser, coarsestOf(amg, l), bounded, &smoother, error));
  return txSparseLevelInverse(v->host, NULL, error);
}

/* The level's smoother and the way to the next one, or its inverse where it is solved directly;
 * what is there already gets other values. */
static clStatus setLevel(txAmg *amg, int l, const clTriplets *A, const txNearNull *near) {
  level *v = &amg->level[l];
  bool small = A->rows <= coarsestOf(amg, l), bounded = isBounded(v, A);
  amg->levels = l + 1;
  if (l > 0 && amg->coarse_on_host)
    TRY(setOnHost(amg, l, bounded));
  else
    TRY(setOnDevice(amg, l, small, bounded));
  if (!small && l + 1 < LEVELS)
    TRY(amgCoarsen(amg, l, A, near));
  if (v->coarser.P && amg->coarse_on_host)
    return TEXLA_OK;
  if (v->coarser.P)
    return uploadTransfer(amg, v);
  if (A->rows > INVERTED)
    return TEXLA_OK;
  return amgInvert(amg, v, A);
}

static clStatus setLevels(txAmg *amg, const clTriplets *host, const txNearNull *near) {
  TRY(setLevel(amg, 0, host, near));
  for (int l = 0; amg->level[l].coarser.P; l++)
    TRY(setLevel(amg, l + 1, amg->level[l].coarser.A, &amg->level[l].coarser.near));
  return TEXLA_OK;
}

/* The cycle always runs over the levels that are there, even after an update that failed. */
static clStatus amgSetUp(txAmg *amg, const clTriplets *host) {
  clStatus status = setLevels(amg, host, &amg->near);
  prepareCycle(amg);
  amg->whole = !status;
  return status;
}

/* The near null space that is given, or ones. */
static clStatus setNear(txAmg *amg, const clTriplets *A, const double *given) {
  txNearNull *near = &amg->near;
  clError *error = txContextError(amg->context);
  size_t n = (size_t)A->rows * (size_t)amg->vectors;
  near->vectors = amg->vectors;
  if (!near->v)
    near->v = txAllocate(error, call, n, sizeof *near->v, "the near null space");
  if (!near->v)
    return TEXLA_OUT_OF_MEMORY;
  near->same = amg->whole;
  for (size_t i = 0; i < n; i++) {
    double v = given ? given[i] : 1;
    near->same = near->same && near->v[i] == v;
    near->v[i] = v;
  }
  if (near->vectors == 1 || near->first)
    return TEXLA_OK;
  return txNodesFind(near, A, error);
}

/* The near null space comes from outside, so it is looked at before anything is changed. */
static clStatus checkNear(clError *error, int32_t n, const double *near, int vectors) {
  if (vectors < 1 || vectors > TX_NEAR_VECTORS || (vectors > 1 && !near))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "near_null_count (%d) must be between 1 and %d, near_null_space not NULL",
                  vectors, TX_NEAR_VECTORS);
  for (int64_t i = 0; i < (int64_t)n * vectors && near; i++)
    if (!isfinite(near[i]))
      return txFail(error, TEXLA_NOT_FINITE, call,
                    "element %lld of column %lld of the near null space is not finite",
                    (long long)(i % n) + 1, (long long)(i / n) + 1);
  return TEXLA_OK;
}

clStatus txAmgUpdate(txAmg *amg, const clMatrix *A, const clTriplets *host, const double *near) {
  amg->level[0].A = A;
  TRY(checkNear(txContextError(A->context), A->rows, near, amg->vectors));
  TRY(setNear(amg, host, near));
  return amgSetUp(amg, host);
}

clStatus txAmgCreate(txAmg **out, const clMatrix *A, const clTriplets *host, const double *near,
                     int vectors, clCycle kind, bool coarse_on_host) {
  clError *error = txContextError(A->context);
  if (!host || host->rows != A->rows || host->cols != A->cols)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "algebraic multigrid is set up on the host: the options need A there");
  txAmg *amg = txAllocate(error, call, 1, sizeof *amg, "algebraic multigrid");
  if (!amg)
    return TEXLA_OUT_OF_MEMORY;
  amg->context = amg->cycle.context = A->context;
  amg->cycle.kind = kind;
  amg->vectors = vectors;
  amg->coarse_on_host = coarse_on_host;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txAmgUpdate(amg, A, host, near));
  *out = amg;
  amg = NULL;
cleanup:
  txAmgDestroy(amg);
  return status;
}

/* ---- Use ------------------------------------------------------------------------------------- */

clStatus txAmgApply(txAmg *amg, clVector *z, const clVector *r) {
  amg->level[0].x = z;
  amg->level[0].b = r;
  return txCycleRun(&amg->cycle, true, true);
}

static clStatus amgApply(void *data, clVector *z, const clVector *r) {
  return txAmgApply(data, z, r);
}

static void amgDestroy(void *data) {
  txAmgDestroy(data);
}

static clStatus amgUpdate(void *data, const clMatrix *A, const clTriplets *host,
                          const double *near) {
  return txAmgUpdate(data, A, host, near);
}

txPreconditioner txAmgPreconditioner(txAmg *amg) {
  return (txPreconditioner){
      .apply = amgApply, .destroy = amgDestroy, .update = amgUpdate, .data = amg, .cycle = true};
}
