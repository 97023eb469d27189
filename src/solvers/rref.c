/* Gauss-Jordan (B3), blocked: a panel of columns is reduced, rows staying where they are, and what that did to all rows is one product
 * for the rest of the matrix: C <- C + E B, with B the rows of the panel's pivots, cleared in C. In the end the pivots' rows are
 * gathered in order. */
#include "ops/equilibrate.h"
#include "ops/full.h"
#include "solvers/plu.h"

#include <math.h>
#include <stdlib.h>

typedef struct reduction {
  const char *call;
  clDense *F;
  txPanels panels;
  int count; /* panels */
  float *moves;
  float *col_factor, *row_factor; /* what was reduced is A times these, up to factors of rows; of R's rows */
  int32_t *order, *pivot_col;     /* by rank: row of the pivot or -1, its column */
  int rank;
} reduction;

static int halfOf(int n) {
  return n / 2 + n % 2;
}

static clStatus allocate(reduction *r, const clDense *A) {
  r->count = (A->cols + TX_PANEL - 1) / TX_PANEL;
  r->moves = malloc((size_t)r->count * 4 * TX_PANEL * sizeof *r->moves);
  r->order = malloc((size_t)A->rows * sizeof *r->order);
  r->pivot_col = malloc((size_t)A->rows * sizeof *r->pivot_col);
  r->col_factor = malloc((size_t)A->cols * sizeof *r->col_factor);
  r->row_factor = malloc((size_t)A->rows * sizeof *r->row_factor);
  if (!r->moves || !r->order || !r->pivot_col || !r->col_factor || !r->row_factor)
    return txFail(txContextError(A->context), TEXLA_OUT_OF_MEMORY, r->call, "no memory to reduce %d x %d", A->rows,
                  A->cols);
  clStatus status = txDenseCreate(&r->F, A->context, r->call, A->rows, A->cols, A->packing, false);
  return status ? status : txPanelsCreate(&r->panels, A->context, r->call, A->rows, A->cols, r->count, true);
}

static void release(reduction *r) {
  clDenseDestroy(r->F);
  txPanelsDestroy(&r->panels);
  free(r->moves);
  free(r->order);
  free(r->pivot_col);
  free(r->col_factor);
  free(r->row_factor);
}

/* The rest of the matrix: C += E B */
static clStatus applyPanel(const reduction *r, const txPanel *panel) {
  txTexture *F = r->F->texture;
  int x = (panel->col + panel->width) / 2;
  if (x >= F->width)
    return TEXLA_OK;
  txProduct p = {.target = F,
                 .rect = {x, 0, F->width - x, F->height},
                 .rows = r->F->rows,
                 .cols = r->F->cols,
                 .alpha = 1,
                 .beta = 1,
                 .a = {r->panels.transform, 0, 0, TEXLA_NORMAL},
                 .b = {r->panels.gathered, x, 0, TEXLA_NORMAL},
                 .inner = panel->width / 2,
                 .c = {F, x, 0, TEXLA_NORMAL}};
  return txProductRun(r->F->context, r->call, &p, -1);
}

static clStatus reduceColumns(reduction *r) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < r->count && !status; k++) {
    int col = k * TX_PANEL, left = r->F->cols - col, steps = left < TX_PANEL ? left : TX_PANEL;
    txPanel panel = {k, 0, col, 2 * halfOf(steps), steps};
    status = txPanelEliminate(&r->panels, r->call, r->F->texture, &panel);
    if (!status)
      status = applyPanel(r, &panel);
  }
  return status;
}

static clStatus readPivots(reduction *r) {
  clStatus status = txPanelsRead(&r->panels, r->call, r->count, r->moves);
  for (int j = 0; j < r->F->cols && !status; j++) {
    const float *record = r->moves + 4 * j;
    if (record[0] < 0 || record[3] == 0)
      continue;
    r->order[r->rank] = (int32_t)record[0];
    r->pivot_col[r->rank++] = j;
  }
  for (int i = r->rank; i < r->F->rows; i++)
    r->order[i] = -1;
  return status;
}

/* F <- rows that span the same space, by full pivoting; what is left of the others is zero. The pivots' columns are not the first ones
 * that could be: reduceColumns makes the echelon form of it. */
static clStatus reduceFully(reduction *r, float tolerance) {
  int steps = r->F->rows < r->F->cols ? r->F->rows : r->F->cols;
  txFullPivots pivots = {.row = r->order, .col = malloc((size_t)steps * sizeof *pivots.col), .value = r->moves};
  if (!pivots.col)
    return txFail(txContextError(r->F->context), TEXLA_OUT_OF_MEMORY, r->call, "no memory for %d pivots", steps);
  clStatus status = txFullEliminate(r->call, r->F, true, tolerance, &pivots);
  for (int i = pivots.count; i < r->F->rows; i++)
    r->order[i] = -1;
  free(pivots.col);
  return status ? status : txDenseOrder(r->call, r->F, r->F, false, r->order);
}

/* F <- A, scaled: the rank should not depend on units. A tolerance that was given is for A as it is. */
static clStatus loadScaled(reduction *r, const clDense *A, const clEliminationOptions *options) {
  txMagnitude magnitude;
  clStatus status = txMagnitudeOf(r->call, &magnitude, A, options);
  if (!status)
    status = clDenseAdd(r->F, magnitude.factor, A, 0, A);
  for (int j = 0; j < A->cols; j++)
    r->col_factor[j] = 1;
  if (!status && options->tolerance == 0)
    status = txDenseEquilibrate(r->call, r->F, r->col_factor);
  if (!status && options->tolerance == 0)
    status = txMagnitudeOf(r->call, &magnitude, r->F, options);
  r->panels.pivoting = options->pivoting;
  r->panels.tolerance = magnitude.tolerance;
  return status;
}

/* R <- the rows of F in order, with the columns of A: r_ij c(pivot of row i) / c(j) */
static clStatus storeUnscaled(reduction *r, clDense *R) {
  for (int i = 0; i < R->rows; i++)
    r->row_factor[i] = i < r->rank ? r->col_factor[r->pivot_col[i]] : 1;
  for (int j = 0; j < R->cols; j++)
    r->col_factor[j] = 1 / r->col_factor[j];
  clStatus status = txDenseOrder(r->call, r->F, r->F, false, r->order);
  if (!status)
    status = txDenseScale(r->call, r->F, r->row_factor, r->col_factor);
  return status ? status : clDenseCopy(R, r->F);
}

static clStatus reduce(reduction *r, clDense *R, const clDense *A, const clEliminationOptions *options) {
  clStatus status = allocate(r, A);
  if (!status)
    status = loadScaled(r, A, options);
  if (!status && options->pivoting == TEXLA_PIVOT_FULL)
    status = reduceFully(r, r->panels.tolerance);
  if (!status)
    status = reduceColumns(r);
  if (!status)
    status = readPivots(r);
  return status ? status : storeUnscaled(r, R);
}

clStatus clDenseRref(clDense *R, const clDense *A, const clEliminationOptions *options, int *rank, int *pivot_cols) {
  static const char call[] = "clDenseRref";
  clEliminationOptions o = options ? *options : (clEliminationOptions){0};
  clStatus status = txDenseCheckPacked(call, clDenseContext(A), "R", R);
  if (!status)
    status = txDenseCheckPacked(call, R->context, "A", A);
  if (!status)
    status = txEliminationCheck(call, R->context, &o);
  if (status)
    return status;
  if (R->rows != A->rows || R->cols != A->cols)
    return txFail(txContextError(R->context), TEXLA_BAD_SHAPE, call, "R is %d x %d but A is %d x %d", R->rows, R->cols,
                  A->rows, A->cols);
  reduction r = {.call = call};
  status = reduce(&r, R, A, &o);
  if (!status && rank)
    *rank = r.rank;
  for (int i = 0; i < r.rank && !status && pivot_cols; i++)
    pivot_cols[i] = r.pivot_col[i];
  release(&r);
  return status;
}
