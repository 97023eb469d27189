/* Levels on the device: every operation is a pass or two. Three ways to transfer between grids
 * (clTransfer), and the finest level once more with the colours of a red-black smoother in textures
 * of their own. */
#include "multigrid/filter.h"
#include "core/try.h"
#include "multigrid/multigrid.h"

static const char call[] = "clMultigridCycle";

static txUniform lanes(const char *name, const float v[4]) {
  return (txUniform){name, 4, {v[0], v[1], v[2], v[3]}};
}

/* Every other line only (zebra): then even and odd lines have different factors, one of them 0. */
static bool isZebra(const txSweep *sweep) {
  return sweep->even[0] != sweep->even[1] || sweep->even[0] != sweep->odd[0];
}

/* x <- x + sweep T^-1 (b - A x), where T is what A couples within lines; `zero`: x counts as
 * zero. */
static clStatus sweepLines(txLevel *v, const txSweep *sweep, bool zero) {
  clTridiagonal *T = v->lines[sweep->kind == TX_RELAX_LINES_Y];
  const clVector *rhs = zero ? v->b : v->r;
  if (!zero)
    TRY(txGridResidual(call, v->r, v->grid, v->x, v->b));
  /* Lines that are not solved keep what is in r: that must not be from an earlier cycle. */
  if (isZebra(sweep) && zero)
    TRY(clVectorCopy(v->r, v->b));
  if (isZebra(sweep))
    TRY(clTridiagonalSolveZebra(T, v->r, rhs, sweep->even[0] == 0));
  else
    TRY(clTridiagonalSolveFactored(T, v->r, rhs));
  txPass pass = {.kernel = "line_update",
                 .source = {{"r", v->r->texture, TX_EDGE}},
                 .uniform = {lanes("even", sweep->even), lanes("odd", sweep->odd)}};
  if (zero)
    pass.defines = "#define START\n";
  else
    pass.source[1] = (txSource){"x", v->x->texture, TX_EDGE};
  return txVectorRun(call, &pass, v->x);
}

static clStatus sweep(txLevel *v, const txSweep *s, bool zero) {
  if (s->kind != TX_RELAX_POINTS)
    return sweepLines(v, s, zero);
  if (zero)
    TRY(clVectorClear(v->x));
  return txGridSweep(call, v->x, v->grid, v->b, s, NULL);
}

/* From zero the first two sweeps over points are one pass. */
static clStatus smoothBefore(txLevel *v, bool zero) {
  int k = 0;
  if (zero && v->pre >= 2 && v->before[0].kind == TX_RELAX_POINTS) {
    TRY(txGridSweep(call, v->x, v->grid, v->b, &v->before[1], &v->before[0]));
    k = 2;
  } else {
    if (zero && v->pre == 0) {
      TRY(clVectorClear(v->x));
    }
  }
  for (; k < v->pre; k++)
    TRY(sweep(v, &v->before[k], zero && k == 0));
  return TEXLA_OK;
}

static clStatus deviceSmooth(void *level, txSmoothing part) {
  txLevel *v = level;
  if (part == TX_SMOOTH_FROM_ZERO || part == TX_SMOOTH_BEFORE)
    return smoothBefore(v, part == TX_SMOOTH_FROM_ZERO);
  for (int k = 0; k < v->post; k++) {
    int next = part == TX_SMOOTH_REVERSED ? v->post - 1 - k : k;
    TRY(sweep(v, &v->after[next], false));
  }
  return TEXLA_OK;
}

static clStatus deviceSolve(void *level) {
  txLevel *v = level;
  return txGridDense(call, v->x, v->inverse, v->b);
}

/* ---- Transfer by passes written for the purpose ---------------------------------------------- */

static clStatus residualByStencil(void *level) {
  txLevel *v = level;
  return txGridCoarseResidual(call, v[1].rhs, v->grid, v[1].grid, v->x, v->b, v->r);
}

static clStatus restrictByStencil(void *level) {
  txLevel *v = level;
  return txGridRestrict(call, v[1].rhs, v->grid, v[1].grid, v->b);
}

static clStatus prolongByStencil(void *level, bool start) {
  txLevel *v = level;
  return txGridProlong(call, v->x, v->grid, v[1].grid, v[1].x, start);
}

/* ---- Transfer by products with a sparse matrix, which works on linear vectors ---------------- */

static clStatus deviceMultiplyTransposed(txLevel *v, const clVector *r) {
  TRY(clVectorCopy(v->fine, r));
  TRY(clMatrixVectorOp(v->coarse, TEXLA_OP_AX, v->P, TEXLA_TRANSPOSE, v->fine, NULL));
  return clVectorCopy(v[1].rhs, v->coarse);
}

static clStatus residualByMatrix(void *level) {
  txLevel *v = level;
  TRY(txGridResidual(call, v->r, v->grid, v->x, v->b));
  return deviceMultiplyTransposed(v, v->r);
}

static clStatus restrictByMatrix(void *level) {
  txLevel *v = level;
  return deviceMultiplyTransposed(v, v->b);
}

static clStatus prolongByMatrix(void *level, bool start) {
  txLevel *v = level;
  if (start)
    TRY(clVectorClear(v->x));
  TRY(clVectorCopy(v->coarse, v[1].x));
  TRY(clVectorCopy(v->fine, v->x));
  TRY(clMatrixVectorOp(v->fine, TEXLA_OP_AX_PLUS_B, v->P, TEXLA_NO_TRANSPOSE, v->coarse, v->fine));
  return clVectorCopy(v->x, v->fine);
}

/* ---- Transfer by the bilinear filter --------------------------------------------------------- */

static clStatus residualByFilter(void *level) {
  txLevel *v = level;
  TRY(txGridResidual(call, v->r, v->grid, v->x, v->b));
  return txFilterRestrict(call, v[1].rhs, v->grid, v[1].grid, v->r);
}

static clStatus restrictByFilter(void *level) {
  txLevel *v = level;
  return txFilterRestrict(call, v[1].rhs, v->grid, v[1].grid, v->b);
}

static clStatus prolongByFilter(void *level, bool start) {
  txLevel *v = level;
  return txFilterProlong(call, v->x, v->grid, v[1].grid, v[1].x, start);
}

const txLevelOps txDeviceLevel[] = {
    [TEXLA_TRANSFER_STENCIL] = {deviceSmooth, residualByStencil, restrictByStencil,
                                prolongByStencil, deviceSolve, NULL, NULL},
    [TEXLA_TRANSFER_MATRIX] = {deviceSmooth, residualByMatrix, restrictByMatrix, prolongByMatrix,
                               deviceSolve, NULL, NULL},
    [TEXLA_TRANSFER_FILTER] = {deviceSmooth, residualByFilter, restrictByFilter, prolongByFilter,
                               deviceSolve, NULL, NULL},
};

/* ---- The colours apart ----------------------------------------------------------------------- */

/* From another x the cycle is for the residual, and what it finds is added. */
static clStatus beginColours(txLevel *v, bool zero) {
  txColoursBegin(&v->colours, zero ? v->b : v->r);
  if (zero)
    return TEXLA_OK;
  return txGridResidual(call, v->r, v->grid, v->x, v->b);
}

static clStatus smoothColours(void *level, txSmoothing part) {
  txLevel *v = level;
  txColours *c = &v->colours;
  bool before = part == TX_SMOOTH_FROM_ZERO || part == TX_SMOOTH_BEFORE;
  if (before && v->iterating)
    return txColoursResidual(call, c, v->grid);
  if (before)
    return beginColours(v, part == TX_SMOOTH_FROM_ZERO);
  TRY(txColoursRed(call, c, v->grid));
  if (v->iterating)
    return TEXLA_OK;
  return txColoursFinish(call, c, v->grid, v->x, c->b == v->r);
}

static clStatus residualOfColours(void *level) {
  txLevel *v = level;
  return txColoursBefore(call, &v->colours, v->grid, v[1].rhs);
}

static clStatus prolongColours(void *level, bool start) {
  txLevel *v = level;
  if (start)
    return prolongByStencil(level, true);
  return txColoursProlong(call, &v->colours, v->grid, v[1].x);
}

const txLevelOps txColoursLevel = {
    smoothColours, residualOfColours, restrictByStencil, prolongColours, deviceSolve, NULL, NULL};
