#include "solvers/amg.h"
#include "objects/matrix.h"
#include "objects/vector.h"
#include "solvers/aggregation.h"
#include "solvers/chebyshev.h"

#include <math.h>
#include <stdlib.h>

/* A matrix of at most COARSEST rows is inverted; one of at most INVERTED too, where it cannot be coarsened. */
enum { LEVELS = 20, COARSEST = 300, INVERTED = 800, DEGREE = 2, SWEEPS_INSTEAD = 4 };
static const double smoothed_ratio = 4, strength = 0.08;
static const char call[] = "clSolver (amg)";

typedef struct level {
  const clMatrix *A;
  clMatrix *own;         /* A, on all levels but the first */
  clMatrix *P, *R;       /* to and from the next level */
  txChebyshev *smoother; /* NULL where the inverse is */
  clMatrix *inverse;
  clVector *x, *b, *r; /* x and b of the first level are the caller's */
  clVector *linear;    /* r for R where A's vectors are a grid */
} level;

struct txAmg {
  clContext *context;
  clCycle kind;
  level level[LEVELS];
  int levels;
};

void txAmgDestroy(txAmg *amg) {
  if (!amg)
    return;
  for (int l = 0; l < LEVELS; l++) {
    level *v = &amg->level[l];
    txChebyshevDestroy(v->smoother);
    clMatrixDestroy(v->own);
    clMatrixDestroy(v->P);
    clMatrixDestroy(v->R);
    clMatrixDestroy(v->inverse);
    clVectorDestroy(v->x);
    clVectorDestroy(v->b);
    clVectorDestroy(v->r);
    clVectorDestroy(v->linear);
  }
  free(amg);
}

int txAmgLevels(const txAmg *amg) {
  return amg->levels;
}

/* ---- Setup ---- */

/* In the layout of the level's vectors. */
static clStatus fillDense(double *a, clMatrix **out, clContext *context, const clTriplets *A, const txLayout *layout) {
  int n = A->rows;
  for (int64_t k = 0; k < A->count; k++)
    a[(int64_t)A->row[k] * n + A->col[k]] = A->value[k];
  int rank = txInvert(a, n, 1e-10);
  if (rank < 0)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory to invert %d x %d", n, n);
  clTriplets *inverse = NULL;
  clStatus status = clTripletsCreate(&inverse, n, n, (int64_t)n * n, txContextError(context));
  for (int64_t k = 0; k < (int64_t)n * n && !status; k++)
    status = clTripletsAdd(inverse, (int32_t)(k / n), (int32_t)(k % n), a[k], txContextError(context));
  clMatrixOptions options = {.storage = TEXLA_STORAGE_DENSE, .linear = true};
  if (layout->grid)
    options = (clMatrixOptions){TEXLA_STORAGE_DENSE, .grid_nx = (int)layout->row, .grid_ny = layout->height};
  if (!status)
    status = clMatrixCreate(out, context, inverse, &options);
  clTripletsDestroy(inverse);
  return status;
}

/* Where A is singular a generalized inverse will do: what it leaves out is in A's kernel. */
static clStatus invert(level *v, const clTriplets *A) {
  clContext *context = v->A->context;
  double *a = calloc((size_t)A->rows * (size_t)A->rows, sizeof *a);
  clStatus status =
      a ? fillDense(a, &v->inverse, context, A, &v->A->row_layout)
        : txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory to invert %d x %d", A->rows, A->rows);
  free(a);
  return status;
}

static clStatus createVectors(level *v, bool first) {
  clStatus status = clMatrixCreateVector(&v->r, v->A, TEXLA_SIDE_ROWS);
  if (!status && v->A->row_layout.grid)
    status = clVectorCreate(&v->linear, v->A->context, v->A->rows);
  if (!status && !first)
    status = clMatrixCreateVector(&v->x, v->A, TEXLA_SIDE_COLS);
  return status || first ? status : clMatrixCreateVector(&v->b, v->A, TEXLA_SIDE_ROWS);
}

static clStatus uploadTransfer(txAmg *amg, level *v, const txCoarsening *c) {
  const clMatrixOptions linear = {.linear = true};
  clStatus status = clMatrixCreate(&v->P, amg->context, c->P, &linear);
  if (!status)
    status = clMatrixCreate(&v->R, amg->context, c->R, &linear);
  return status ? status : clMatrixCreate(&v[1].own, amg->context, c->A, &linear);
}

/* The level's smoother and the way to the next one; `next` stays empty where the matrix is solved directly or cannot be coarsened. */
static clStatus addLevel(txAmg *amg, const clTriplets *A, const double *near, txCoarsening *next) {
  int l = amg->levels++;
  level *v = &amg->level[l];
  v->A = l ? v->own : v->A;
  clStatus status = createVectors(v, l == 0);
  if (status)
    return status;
  if (A->rows <= COARSEST)
    return invert(v, A);
  status = txChebyshevCreate(&v->smoother, v->A, DEGREE, smoothed_ratio);
  if (!status && l + 1 < LEVELS)
    status =
        txCoarsen(next, A, near, strength * pow(0.5, l), txChebyshevLargest(v->smoother), txContextError(amg->context));
  if (!status && next->P && next->A->rows > 0.8 * A->rows)
    txCoarseningDestroy(next);
  if (!status && next->P)
    return uploadTransfer(amg, v, next);
  return status || A->rows > INVERTED ? status : invert(v, A);
}

static clStatus setUp(txAmg *amg, const clTriplets *host, const double *near) {
  txCoarsening current = {0}, next = {0};
  clStatus status = addLevel(amg, host, near, &next);
  while (!status && next.P) {
    txCoarseningDestroy(&current);
    current = next;
    next = (txCoarsening){0};
    status = addLevel(amg, current.A, current.near, &next);
  }
  txCoarseningDestroy(&current);
  txCoarseningDestroy(&next);
  return status;
}

clStatus txAmgCreate(txAmg **out, const clMatrix *A, const clTriplets *host, const double *near, clCycle kind) {
  clError *error = txContextError(A->context);
  if (!host || host->rows != A->rows || host->cols != A->cols)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "algebraic multigrid is set up on the host: the options need A there");
  txAmg *amg = calloc(1, sizeof *amg);
  double *ones = malloc((size_t)A->rows * sizeof *ones);
  clStatus status =
      amg && ones ? TEXLA_OK : txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for algebraic multigrid");
  for (int32_t i = 0; i < A->rows && ones; i++)
    ones[i] = 1;
  if (!status) {
    amg->context = A->context;
    amg->kind = kind;
    amg->level[0].A = A;
    status = setUp(amg, host, near ? near : ones);
  }
  free(ones);
  if (status)
    txAmgDestroy(amg);
  else
    *out = amg;
  return status;
}

/* ---- Cycles ---- */

static clStatus cycle(txAmg *amg, int l, clVector *x, const clVector *b, bool zero, clCycle kind);

/* b of the next level <- R (b - A x) */
static clStatus restrictResidual(level *v, const clVector *x, const clVector *b) {
  clStatus status = clMatrixVectorOp(v->r, TEXLA_B_MINUS_AX, v->A, false, x, b);
  if (!status && v->linear)
    status = clVectorCopy(v->linear, v->r);
  return status ? status : clMatrixMulVector(v[1].b, v->R, v->linear ? v->linear : v->r);
}

/* x <- x + P (x of the next level) */
static clStatus prolongCorrection(level *v, clVector *x) {
  if (!v->linear)
    return clMatrixVectorOp(x, TEXLA_AX_PLUS_B, v->P, false, v[1].x, x);
  clStatus status = clMatrixMulVector(v->linear, v->P, v[1].x);
  if (!status)
    status = clVectorCopy(v->r, v->linear);
  return status ? status : clVectorAxpy(x, 1, NULL, v->r);
}

/* What a matrix gets that can be neither coarsened nor inverted. */
static clStatus smoothOnly(level *v, clVector *x, const clVector *b, bool zero) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < SWEEPS_INSTEAD && !status; k++)
    status = txChebyshevSmooth(v->smoother, x, b, zero && k == 0);
  return status;
}

static clStatus correct(txAmg *amg, int l, clVector *x, const clVector *b, clCycle kind) {
  level *v = &amg->level[l];
  clStatus status = restrictResidual(v, x, b);
  if (!status)
    status = cycle(amg, l + 1, v[1].x, v[1].b, true, kind);
  if (!status && kind != TEXLA_CYCLE_V && !v[1].inverse) /* an F cycle's second visit is a V cycle */
    status = cycle(amg, l + 1, v[1].x, v[1].b, false, kind == TEXLA_CYCLE_W ? kind : TEXLA_CYCLE_V);
  return status ? status : prolongCorrection(v, x);
}

/* `zero`: x counts as zero, whatever it holds. */
static clStatus cycle(txAmg *amg, int l, clVector *x, const clVector *b, bool zero, clCycle kind) {
  level *v = &amg->level[l];
  if (v->inverse)
    return clMatrixMulVector(x, v->inverse, b);
  if (!v->P)
    return smoothOnly(v, x, b, zero);
  clStatus status = txChebyshevSmooth(v->smoother, x, b, zero);
  if (!status)
    status = correct(amg, l, x, b, kind);
  return status ? status : txChebyshevSmooth(v->smoother, x, b, false);
}

clStatus txAmgApply(txAmg *amg, clVector *z, const clVector *r) {
  return cycle(amg, 0, z, r, true, amg->kind);
}

static clStatus apply(void *data, clVector *z, const clVector *r) {
  return txAmgApply(data, z, r);
}

static void destroy(void *data) {
  txAmgDestroy(data);
}

txPreconditioner txAmgPreconditioner(txAmg *amg) {
  return (txPreconditioner){apply, destroy, amg, true};
}
