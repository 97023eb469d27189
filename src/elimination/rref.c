/* Gauss-Jordan (B3), blocked: a panel of columns is reduced, rows staying where they are, and what
 * that did to all rows is one product for the rest of the matrix: C <- C + E B, with B the rows of
 * the panel's pivots, cleared in C. In the end the pivots' rows are gathered in order. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "elimination/complete.h"
#include "elimination/elimination.h"
#include "elimination/panel.h"

#include <math.h>
#include <stdlib.h>

typedef struct reduction {
  const char *call;
  clDense *F;
  txPanels panels;
  /* panels */
  int count;
  float *moves;
  /* by rank: row of the pivot or -1, its column */
  int32_t *order, *pivot_col;
  int rank;
} reduction;

/* F: what is to be reduced, which is overwritten. */
static clStatus rrefCreate(reduction *r, clDense *F, clPivoting pivoting, float tolerance) {
  r->F = F;
  r->count = (F->cols + TX_PANEL - 1) / TX_PANEL;
  clError *error = txContextError(F->context);
  r->moves =
      txAllocate(error, r->call, (size_t)r->count * 4 * TX_PANEL, sizeof *r->moves, "a reduction");
  r->order = txAllocate(error, r->call, (size_t)F->rows, sizeof *r->order, "a reduction");
  r->pivot_col = txAllocate(error, r->call, (size_t)F->rows, sizeof *r->pivot_col, "a reduction");
  if (!r->moves || !r->order || !r->pivot_col)
    return TEXLA_OUT_OF_MEMORY;
  TRY(txPanelsCreate(&r->panels, F->context, r->call, F->rows, F->cols, F->cols, true, 0));
  r->panels.pivoting = pivoting;
  r->panels.tolerance = tolerance;
  return TEXLA_OK;
}

static void rrefRelease(reduction *r) {
  txPanelsDestroy(&r->panels);
  free(r->moves);
  free(r->order);
  free(r->pivot_col);
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
                 .a = {r->panels.transform, 0, 0, TEXLA_NO_TRANSPOSE},
                 .b = {r->panels.gathered, x, 0, TEXLA_NO_TRANSPOSE},
                 .inner = panel->width / 2,
                 .c = {F, x, 0, TEXLA_NO_TRANSPOSE}};
  return txProductRun(r->F->context, r->call, &p, NULL);
}

/* Panel by panel, each with its update of what is right of it. */
static clStatus reduceColumns(reduction *r) {
  for (int k = 0; k < r->count; k++) {
    int col = k * TX_PANEL, left = r->F->cols - col, steps = txLeast(left, TX_PANEL);
    txPanel panel = {k, 0, col, 2 * txHalf(steps), steps};
    TRY(txPanelEliminate(&r->panels, r->call, r->F->texture, &panel));
    TRY(applyPanel(r, &panel));
  }
  return TEXLA_OK;
}

/* The pivots by rank: row and column of each, from the records of the panels. */
static clStatus rrefReadPivots(reduction *r) {
  TRY(txPanelsRead(&r->panels, r->call, r->count, r->moves));
  for (int j = 0; j < r->F->cols; j++) {
    const float *record = r->moves + 4 * j;
    if (record[0] < 0 || record[3] == 0)
      continue;
    r->order[r->rank] = (int32_t)record[0];
    r->pivot_col[r->rank++] = j;
  }
  for (int i = r->rank; i < r->F->rows; i++)
    r->order[i] = -1;
  return TEXLA_OK;
}

/* F <- rows that span the same space, by complete pivoting; what is left of the others is zero. The
 * pivots' columns are not the first ones that could be: reduceColumns makes the echelon form of
 * it. */
static clStatus reduceFully(reduction *r, float tolerance) {
  int steps = txLeast(r->F->rows, r->F->cols);
  clError *error = txContextError(r->F->context);
  txCompletePivots pivots = {.row = r->order, .value = r->moves};
  pivots.col = txAllocate(error, r->call, (size_t)steps, sizeof *pivots.col, "a reduction");
  if (!pivots.col)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txCompleteEliminate(r->call, r->F, true, tolerance, &pivots));
  for (int i = pivots.count; i < r->F->rows; i++)
    r->order[i] = -1;
  TRY_CLEANUP(txDenseOrder(r->call, r->F, r->F, false, r->order));
cleanup:
  free(pivots.col);
  return status;
}

/* F <- its echelon form, rows where they are. */
static clStatus rrefReduce(reduction *r) {
  if (r->panels.pivoting == TEXLA_PIVOT_COMPLETE)
    TRY(reduceFully(r, r->panels.tolerance));
  TRY(reduceColumns(r));
  return rrefReadPivots(r);
}

clStatus txEchelonRank(const char *call, const clDense *S, float tolerance, int *rank) {
  reduction r = {.call = call};
  clDense *F = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseClone(&F, S));
  TRY_CLEANUP(rrefCreate(&r, F, TEXLA_PIVOT_PARTIAL, tolerance));
  TRY_CLEANUP(rrefReduce(&r));
  *rank = r.rank;
cleanup:
  rrefRelease(&r);
  clDenseDestroy(F);
  return status;
}

/* The largest magnitude tells whether all values are finite. */
static clStatus rrefCheckFinite(const char *call, const clDense *R) {
  double largest = 0;
  TRY(txDenseNormRead(&largest, TEXLA_NORM_MAX, R));
  if (isfinite(largest))
    return TEXLA_OK;
  return txFail(txContextError(R->context), TEXLA_NOT_FINITE, call,
                "entries of the echelon form are beyond single precision");
}

/* F <- its rows in order, of A's columns: the row with its pivot in column p was multiplied by c_p
 * to have a one there, so r_ij = f_ij c_p / c_j */
static clStatus storeUnscaled(reduction *r, const txEquilibration *e) {
  txTexture *of_pivots = NULL;
  TRY(txDenseOrder(r->call, r->F, r->F, false, r->order));
  if (!e->scales)
    return TEXLA_OK;
  for (int i = 0; i < r->F->rows; i++) {
    e->row[i] = 0;
    if (i < r->rank)
      e->row[i] = e->col[r->pivot_col[i]];
  }
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txExponentsUpload(&of_pivots, r->F->context, r->call, e->row, r->F->rows));
  TRY_CLEANUP(
      txDenseScale(r->call, r->F, r->F, of_pivots, e->col_exponents, (const float[]){1, -1}));
cleanup:
  txTextureDestroy(of_pivots);
  return status;
}

/* The rank should not depend on units: rows and columns are equilibrated. A tolerance that was
 * given is for A as it is. */
static clStatus reduceScaled(reduction *r, clDense *F, const txEquilibration *e,
                             const clEliminationOptions *options) {
  double largest = 0;
  TRY(txDenseNormRead(&largest, TEXLA_NORM_MAX, F));
  TRY(rrefCreate(r, F, options->pivoting, txEliminationTolerance(options, e, largest)));
  TRY(rrefReduce(r));
  TRY(storeUnscaled(r, e));
  return rrefCheckFinite(r->call, F);
}

clStatus clDenseRref(clDense *R, const clDense *A, const clEliminationOptions *options, int *rank,
                     int *pivot_cols) {
  static const char call[] = "clDenseRref";
  clEliminationOptions o = options ? *options : (clEliminationOptions){0};
  TRY(txDenseCheckPacked(call, txDenseFirstContext(R, A), "R", R));
  TRY(txDenseCheckPacked(call, R->context, "A", A));
  TRY(txEliminationCheck(call, R->context, &o));
  if (R->rows != A->rows || R->cols != A->cols)
    return txFail(txContextError(R->context), TEXLA_BAD_SHAPE, call,
                  "R is %d x %d but A is %d x %d", R->rows, R->cols, A->rows, A->cols);
  reduction r = {.call = call};
  txEquilibration e = {0};
  clDense *F = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txEquilibrationCreate(&e, A->context, call, A->rows, A->cols));
  TRY_CLEANUP(txEquilibrationFind(&e, call, A, o.tolerance > 0));
  TRY_CLEANUP(clDenseCreateLike(&F, A));
  TRY_CLEANUP(txEquilibrationApply(&e, call, F, A));
  TRY_CLEANUP(reduceScaled(&r, F, &e, &o));
  TRY_CLEANUP(clDenseCopy(R, F));
  if (rank)
    *rank = r.rank;
  for (int i = 0; i < r.rank && pivot_cols; i++)
    pivot_cols[i] = r.pivot_col[i];
cleanup:
  rrefRelease(&r);
  txEquilibrationDestroy(&e);
  clDenseDestroy(F);
  return status;
}
