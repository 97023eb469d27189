/* PLU (B4): P A = L U, right-looking and blocked.
 *
 * A step takes `panel` columns: it factors them, which moves rows of the whole matrix, solves for
 * the block row U12 = L11^-1 A12, and updates the rest, A22 -= L21 U12. The columns of a step are
 * factored in the same way, halved again and again until panels are left (elimination/panel.c);
 * so nearly all work is products. Pivots stay on the device: the host reads them once, when all
 * is done. Rows of the steps before follow then, all at once. */
#include "elimination/plu.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "elimination/complete.h"
#include "dense/triangular.h"
#include "dense/view.h"
#include "vector/run.h"
#include "gl/observe.h"
#include "gl/traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a factorization. */
static int pluBlocksOf(const clPlu *plu) {
  return (txLeast(plu->rows, plu->cols) + plu->panel - 1) / plu->panel;
}

/* The panels, for blocks of `panel` columns, 0: as many as suit the device. */
static clStatus createPanels(clPlu *plu, const char *call, int panel, int on_host) {
  const txTraits *traits = txContextTraits(plu->context);
  int steps = txLeast(plu->rows, plu->cols);
  plu->ahead = on_host && !traits->host_shades;
  if (!panel && plu->ahead)
    panel = TX_PANEL * on_host;
  else if (!panel)
    panel = TX_PANEL * traits->panel;
  TRY(txPanelsCreate(&plu->panels, plu->context, call, plu->rows, plu->cols, steps, false,
                     on_host));
  plu->panel = plu->panels.most * ((txLeast(panel, steps) - 1) / plu->panels.most + 1);
  return TEXLA_OK;
}

/* All that a factorization needs: clPluFactor allocates nothing. */
static clStatus pluAllocate(clPlu *plu, const char *call, int panel, int on_host) {
  int steps = txLeast(plu->rows, plu->cols);
  TRY(txDenseCreate(&plu->factors, plu->context, call, plu->rows, plu->cols, TEXLA_PACKING_2X2,
                    false));
  TRY(createPanels(plu, call, panel, on_host));
  TRY(txEquilibrationCreate(&plu->scale, plu->context, call, plu->rows, plu->cols));
  static const char what[] = "a factorization";
  clError *error = txContextError(plu->context);
  size_t rows = (size_t)plu->rows, cols = (size_t)plu->cols, most = (size_t)plu->panels.most;
  size_t panels = ((size_t)steps + most - 1) / most;
  plu->moves = txAllocate(error, call, panels * 4 * most, sizeof *plu->moves, what);
  plu->places = txAllocate(error, call, (size_t)pluBlocksOf(plu) * 2 * ((rows + 1) / 2),
                           sizeof *plu->places, what);
  plu->pivots = txAllocate(error, call, (size_t)steps, sizeof *plu->pivots, what);
  plu->row_order = txAllocate(error, call, rows, sizeof *plu->row_order, what);
  plu->col_order = txAllocate(error, call, cols, sizeof *plu->col_order, what);
  plu->scratch = txAllocate(error, call, rows + cols + 2 * most, sizeof *plu->scratch, what);
  plu->row_scale = txAllocate(error, call, rows, sizeof *plu->row_scale, what);
  plu->col_scale = txAllocate(error, call, cols, sizeof *plu->col_scale, what);
  if (!plu->moves || !plu->places || !plu->pivots || !plu->row_order || !plu->col_order ||
      !plu->scratch || !plu->row_scale || !plu->col_scale)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

clStatus txPluCreate(clPlu **out, const char *call, clContext *context, int rows, int cols,
                     const clPluOptions *options, int on_host) {
  clPlu *plu = txAllocate(txContextError(context), call, 1, sizeof *plu, "a clPlu");
  if (!plu)
    return TEXLA_OUT_OF_MEMORY;
  *plu = (clPlu){.context = context, .rows = rows, .cols = cols, .options = options->elimination};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(pluAllocate(plu, call, options->panel, on_host));
  *out = plu;
  plu = NULL;
cleanup:
  clPluDestroy(plu);
  return status;
}

void clPluDestroy(clPlu *plu) {
  if (!plu)
    return;
  clDenseDestroy(plu->factors);
  txPanelsDestroy(&plu->panels);
  txEquilibrationDestroy(&plu->scale);
  free(plu->row_scale);
  free(plu->col_scale);
  free(plu->moves);
  free(plu->places);
  free(plu->pivots);
  free(plu->row_order);
  free(plu->col_order);
  free(plu->scratch);
  free(plu);
}

/* U12 = L11^-1 A12 and A22 -= L21 U12, for the block of `count` columns at `first` and the columns
 * [from, end). */
static clStatus applyBlock(clPlu *plu, const char *call, int first, int count, int from, int end) {
  txTexture *F = plu->factors->texture;
  int at = first / 2, inner = txHalf(count), left = txHalf(from), next = at + inner,
      width = txHalf(end) - left, height = F->height - next;
  if (width < 1)
    return TEXLA_OK;
  txTriangular L = {
      F, at, at, inner, TEXLA_TRIANGLE_LOWER, true, TEXLA_NO_TRANSPOSE, plu->panels.inverse};
  TRY(txTriangularSolve(call, &L, F, (txRect){left, at, width, inner}, plu->rows, plu->cols));
  if (height < 1)
    return TEXLA_OK;
  txProduct p = {.target = F,
                 .rect = {left, next, width, height},
                 .rows = plu->rows,
                 .cols = plu->cols,
                 .alpha = -1,
                 .beta = 1,
                 .a = {F, at, next, TEXLA_NO_TRANSPOSE},
                 .b = {F, left, at, TEXLA_NO_TRANSPOSE},
                 .inner = inner,
                 .c = {F, left, next, TEXLA_NO_TRANSPOSE}};
  return txProductRun(plu->context, call, &p, NULL);
}

/* The late update, of the columns before `end`. */
static clStatus catchUp(clPlu *plu, const char *call, int end) {
  int from = plu->late.from;
  end = txLeast(end, plu->cols);
  if (!plu->late.count || end <= from)
    return TEXLA_OK;
  plu->late.from = end;
  return applyBlock(plu, call, plu->late.first, plu->late.count, from, end);
}

/* While the host waits for a panel, the device takes its share of the late update. */
static clStatus pluFactorPanel(clPlu *plu, const char *call, int first, int count) {
  int left = 0;
  /* The rows of the blocks before this one follow when all is done (moveLeft). */
  if (!plu->ahead)
    left = first / plu->panel * plu->panel;
  txPanel panel = {first / plu->panels.most, first, first, 2 * txHalf(count), count, left};
  TRY(catchUp(plu, call, first + panel.width));
  if (plu->ahead)
    TRY(txPanelBegin(&plu->panels, call, plu->factors->texture, &panel));
  TRY(catchUp(plu, call, plu->late.from + plu->late.share));
  return txPanelEliminate(&plu->panels, call, plu->factors->texture, &panel);
}

/* Columns [first, first + count): all of their rows, and the moves of rows in the whole matrix. */
static clStatus pluFactorColumns(clPlu *plu, const char *call, int first, int count) {
  int most = plu->panels.most;
  if (count <= most)
    return pluFactorPanel(plu, call, first, count);
  int half = most * ((count / most + 1) / 2);
  TRY(pluFactorColumns(plu, call, first, half));
  TRY(catchUp(plu, call, first + count));
  TRY(applyBlock(plu, call, first, half, first + half, first + count));
  return pluFactorColumns(plu, call, first + half, count - half);
}

/* One block; the update of what is right of it is due. */
static clStatus factorBlock(clPlu *plu, const char *call, int first, int count) {
  int next = first + count, panels = (plu->panel + plu->panels.most - 1) / plu->panels.most;
  TRY(pluFactorColumns(plu, call, first, count));
  TRY(catchUp(plu, call, plu->cols));
  plu->late.first = first;
  plu->late.count = count;
  plu->late.from = next;
  plu->late.share = 2 * ((plu->cols - next) / (2 * panels) + 1);
  if (plu->ahead && next < txLeast(plu->rows, plu->cols))
    return TEXLA_OK;
  return catchUp(plu, call, plu->cols);
}

/* All blocks; the caller may end it between two of them. */
static clStatus factorBlocks(clPlu *plu, const char *call) {
  int steps = txLeast(plu->rows, plu->cols);
  plu->late.count = 0;
  for (int first = 0; first < steps; first += plu->panel) {
    clStatus status = TEXLA_CANCELLED;
    bool go_on = !plu->go_on || plu->go_on(plu->user);
    txScopeEnter(plu->context, "block", first / plu->panel);
    if (go_on)
      status = factorBlock(plu, call, first, txLeast(plu->panel, steps - first));
    txScopeLeave(plu->context, status);
    TRY(status);
  }
  return TEXLA_OK;
}

/* One panel's moves of rows, as shaders/elimination/panel_moves.frag has them. All sources are
 * those before any move. */
static void applyMoves(clPlu *plu, const float *moves, int first, int count) {
  int32_t *order = plu->row_order + first, *top = plu->scratch, *slot = plu->scratch + count;
  for (int t = 0; t < count; t++) {
    const float *move = moves + 4 * t;
    top[t] = order[t];
    slot[t] = -1;
    /* There is none where nothing but NaN was left. */
    if (move[0] >= 0)
      top[t] = order[(int)move[0]];
    if (move[1] >= 0)
      slot[t] = order[(int)move[2]];
  }
  for (int t = 0; t < count; t++) {
    order[t] = top[t];
    if (slot[t] >= 0)
      order[(int)moves[4 * t + 1]] = slot[t];
  }
}

/* The permutation and the pivots of all panels; places <- the permutation after each step. */
static clStatus pluReadPivots(clPlu *plu, const char *call) {
  int steps = txLeast(plu->rows, plu->cols), most = plu->panels.most;
  TRY(txPanelsRead(&plu->panels, call, (steps + most - 1) / most, plu->moves));
  for (int i = 0; i < plu->rows; i++)
    plu->row_order[i] = i;
  for (int first = 0; first < steps; first += most) {
    const float *moves = plu->moves + 4 * first;
    int count = txLeast(most, steps - first), end = first + count;
    applyMoves(plu, moves, first, count);
    for (int t = 0; t < count; t++)
      plu->pivots[first + t] = moves[4 * t + 3];
    if (end % plu->panel != 0 && end != steps)
      continue;
    float *places = plu->places + (int64_t)(first / plu->panel) * 2 * txHalf(plu->rows);
    for (int i = 0; i < plu->rows; i++)
      places[i] = (float)plu->row_order[i];
  }
  return TEXLA_OK;
}

/* The columns of each step still have their rows as they were after it: row i is the one where
 * row_order[i] stood then. */
static clStatus moveLeft(clPlu *plu, const char *call) {
  int blocks = pluBlocksOf(plu), width = 2 * txHalf(plu->rows);
  for (float *places = plu->places; places < plu->places + (int64_t)blocks * width;
       places += width) {
    for (int i = 0; i < plu->rows; i++)
      plu->scratch[(int)places[i]] = i;
    for (int i = 0; i < plu->rows; i++)
      places[i] = (float)plu->scratch[plu->row_order[i]];
    for (int i = plu->rows; i < width; i++)
      places[i] = -1;
  }
  if (blocks == 1 || plu->ahead)
    return TEXLA_OK;
  return txDenseOrderBlocks(call, plu->factors, plu->factors, false, plu->places, blocks,
                            plu->panel / 2);
}

/* Rows move panel by panel on the device; then the host learns where they went. */
static clStatus factorPartially(clPlu *plu, const char *call) {
  TRY(factorBlocks(plu, call));
  TRY(pluReadPivots(plu, call));
  return moveLeft(plu, call);
}

/* What was no pivot comes last. `order` begins with `count` pivots. */
static void completeOrder(int32_t *order, int count, int n, int32_t *scratch) {
  memset(scratch, 0, (size_t)n * sizeof *scratch);
  for (int i = 0; i < count; i++)
    scratch[order[i]] = 1;
  for (int i = 0; i < n; i++)
    if (!scratch[i])
      order[count++] = i;
}

/* By complete pivoting rows and columns stay where they are; they move when all pivots are
 * known. */
static clStatus factorFully(clPlu *plu, const char *call) {
  txCompletePivots p = {.row = plu->row_order, .col = plu->col_order, .value = plu->pivots};
  TRY(txCompleteEliminate(call, plu->factors, false, plu->panels.tolerance, &p));
  for (int i = p.count; i < txLeast(plu->rows, plu->cols); i++)
    plu->pivots[i] = 0;
  completeOrder(plu->row_order, p.count, plu->rows, plu->scratch);
  completeOrder(plu->col_order, p.count, plu->cols, plu->scratch);
  TRY(txDenseOrder(call, plu->factors, plu->factors, false, plu->row_order));
  return txDenseOrder(call, plu->factors, plu->factors, true, plu->col_order);
}

/* What the pivots tell. */
static void examine(clPlu *plu, float tolerance) {
  int steps = txLeast(plu->rows, plu->cols);
  clPluReport *r = &plu->report;
  *r = (clPluReport){.smallest_pivot = INFINITY};
  plu->zero_pivot = -1;
  for (int i = 0; i < steps; i++) {
    double pivot = fabs((double)plu->pivots[i]);
    r->rank += pivot > (double)tolerance;
    r->smallest_pivot = fmin(r->smallest_pivot, pivot);
    r->largest_pivot = fmax(r->largest_pivot, pivot);
    if (pivot == 0 && plu->zero_pivot < 0)
      plu->zero_pivot = i;
  }
}

/* Where a column has no pivot, its step has still taken a row: then the rank is that of the row
 * echelon form. Complete pivoting has taken the columns in another order. */
static clStatus estimateRank(clPlu *plu, const char *call, const clDense *A, float tolerance) {
  if (plu->report.rank == txLeast(plu->rows, plu->cols) ||
      plu->options.pivoting == TEXLA_PIVOT_COMPLETE)
    return TEXLA_OK;
  clDense *S = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreateLike(&S, A));
  TRY_CLEANUP(txEquilibrationApply(&plu->scale, call, S, A));
  TRY_CLEANUP(txEchelonRank(call, S, tolerance, &plu->report.rank));
  /* that column depends on those before it, however other rounding sees it */
  if (plu->zero_pivot >= 0 && plu->rows >= plu->cols)
    plu->report.rank = txLeast(plu->report.rank, plu->cols - 1);
cleanup:
  clDenseDestroy(S);
  return status;
}

/* max |u_ij|; fails where something overflowed. */
static clStatus largestOfU(const clPlu *plu, const char *call, double *largest) {
  clFloat *s = NULL;
  float value = 0;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clFloatCreate(&s, plu->context));
  TRY_CLEANUP(txDenseLargestUpper(call, s, plu->factors));
  TRY_CLEANUP(clFloatDownload(s, &value));
  *largest = (double)value;
  if (!isfinite(value))
    status =
        txFail(txContextError(plu->context), TEXLA_NOT_FINITE, call,
               "entries grew beyond single precision in the elimination of the %d x %d matrix%s",
               plu->rows, plu->cols,
               txWhen(plu->options.pivoting != TEXLA_PIVOT_COMPLETE,
                      "; complete pivoting keeps them small"));
cleanup:
  clFloatDestroy(s);
  return status;
}

/* factors <- S, and its norms. */
static clStatus loadScaled(clPlu *plu, const char *call, const clDense *A, double *largest) {
  TRY(txEquilibrationFind(&plu->scale, call, A, plu->options.tolerance > 0));
  TRY(txEquilibrationApply(&plu->scale, call, plu->factors, A));
  TRY(txDenseNormRead(largest, TEXLA_NORM_MAX, plu->factors));
  TRY(txDenseNormRead(&plu->norm_one, TEXLA_NORM_ONE, plu->factors));
  TRY(txDenseNormRead(&plu->norm_inf, TEXLA_NORM_INF, plu->factors));
  for (int i = 0; i < plu->rows; i++)
    plu->row_scale[i] = ldexp(1, plu->scale.row[i]);
  for (int j = 0; j < plu->cols; j++)
    plu->col_scale[j] = ldexp(1, plu->scale.col[j]);
  return TEXLA_OK;
}

/* S, its factors, and what they tell of it. */
static clStatus factor(clPlu *plu, const char *call, const clDense *A) {
  double largest = 0, largest_of_u = 0;
  TRY(loadScaled(plu, call, A, &largest));
  float tolerance = txEliminationTolerance(&plu->options, &plu->scale, largest);
  plu->panels.pivoting = plu->options.pivoting;
  plu->panels.tolerance = 0;
  if (plu->options.tolerance > 0)
    plu->panels.tolerance = tolerance;
  if (plu->options.pivoting == TEXLA_PIVOT_COMPLETE)
    TRY(factorFully(plu, call));
  else
    TRY(factorPartially(plu, call));
  TRY(largestOfU(plu, call, &largest_of_u));
  examine(plu, tolerance);
  plu->report.growth = 1;
  if (largest > 0)
    plu->report.growth = largest_of_u / largest;
  return estimateRank(plu, call, A, tolerance);
}

clStatus clPluFactor(clPlu *plu, const clDense *A, clPluReport *report) {
  static const char call[] = "clPluFactor";
  if (!plu)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
                  "plu must not be NULL");
  TRY(txDenseCheckPacked(call, plu->context, "A", A));
  if (A->rows != plu->rows || A->cols != plu->cols)
    return txFail(txContextError(plu->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d but the factorization was made for %d x %d", A->rows, A->cols,
                  plu->rows, plu->cols);
  plu->factored = false;
  TRY(factor(plu, call, A));
  if (plu->zero_pivot >= 0 && plu->options.pivoting == TEXLA_PIVOT_NONE)
    return txFail(txContextError(plu->context), TEXLA_SINGULAR, call,
                  "pivot %d is zero: without pivoting there is no factorization",
                  plu->zero_pivot + 1);
  plu->factored = true;
  if (report)
    *report = plu->report;
  if (plu->zero_pivot >= 0)
    return TEXLA_RANK_DEFICIENT;
  return TEXLA_OK;
}

/* The message is the context's, as long as there is a factorization that knows it. */
clStatus txPluFactored(const clPlu *plu, const char *call) {
  if (plu && plu->factored)
    return TEXLA_OK;
  clError *error = NULL;
  if (plu)
    error = txContextError(plu->context);
  return txFail(error, TEXLA_BAD_ARGUMENT, call,
                "plu must not be NULL and clPluFactor must have gone well");
}

const clDense *clPluFactors(const clPlu *plu) {
  return plu ? plu->factors : NULL;
}

const int32_t *clPluRows(const clPlu *plu) {
  return plu ? plu->row_order : NULL;
}

const int32_t *clPluCols(const clPlu *plu) {
  if (!plu || plu->options.pivoting != TEXLA_PIVOT_COMPLETE)
    return NULL;
  return plu->col_order;
}

const double *clPluRowScale(const clPlu *plu) {
  return plu ? plu->row_scale : NULL;
}

const double *clPluColScale(const clPlu *plu) {
  return plu ? plu->col_scale : NULL;
}

/* exponent[k] <- sign * of[order[k]]; order NULL: of[k] */
static clStatus uploadOrdered(txTexture **out, const clPlu *plu, const char *call,
                              const int32_t *of, int sign, const int32_t *order, int n) {
  for (int k = 0; k < n; k++) {
    int at = k;
    if (order)
      at = order[k];
    plu->scratch[k] = sign * of[at];
  }
  return txExponentsUpload(out, plu->context, call, plu->scratch, n);
}

/* T <- the triangle of the factors, and then 2^(-r_p(i)) T 2^(...): of columns r_p(j) for L,
 * -c_q(j) for U. */
static clStatus splitTriangle(const clPlu *plu, const char *call, clDense *T, clTriangle triangle) {
  bool lower = triangle == TEXLA_TRIANGLE_LOWER;
  const txEquilibration *e = &plu->scale;
  txTexture *row = NULL, *col = NULL;
  TRY(clDenseTriangle(T, triangle, lower, plu->factors));
  if (!e->scales)
    return TEXLA_OK;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(uploadOrdered(&row, plu, call, e->row, -1, plu->row_order, T->rows));
  if (lower)
    TRY_CLEANUP(uploadOrdered(&col, plu, call, e->row, 1, plu->row_order, T->cols));
  else
    TRY_CLEANUP(uploadOrdered(&col, plu, call, e->col, -1, clPluCols(plu), T->cols));
  TRY_CLEANUP(txDenseScale(call, T, T, row, col, (const float[]){1, 1}));
cleanup:
  txTextureDestroy(row);
  txTextureDestroy(col);
  return status;
}

/* *out <- the triangle, checked. */
static clStatus createTriangle(clDense **out, const clPlu *plu, const char *call,
                               clTriangle triangle) {
  int steps = txLeast(plu->rows, plu->cols);
  bool lower = triangle == TEXLA_TRIANGLE_LOWER;
  double largest = 0;
  int rows = steps, cols = plu->cols;
  if (lower) {
    rows = plu->rows;
    cols = steps;
  }
  TRY(clDenseCreate(out, plu->context, rows, cols));
  TRY(splitTriangle(plu, call, *out, triangle));
  TRY(txDenseNormRead(&largest, TEXLA_NORM_MAX, *out));
  if (!isfinite(largest))
    return txFail(txContextError(plu->context), TEXLA_NOT_FINITE, call,
                  "the factors of the matrix as it came are beyond single precision: use those "
                  "of clPluFactors");
  return TEXLA_OK;
}

/* Fails where a triangle is wanted that has another shape. */
static clStatus pluCheckTriangle(const clPlu *plu, const char *call, const char *name,
                                 const clDense *T, int rows, int cols) {
  if (!T)
    return TEXLA_OK;
  TRY(txDenseCheckPacked(call, plu->context, name, T));
  if (T->rows == rows && T->cols == cols)
    return TEXLA_OK;
  return txFail(txContextError(plu->context), TEXLA_BAD_SHAPE, call, "%s is %d x %d (need %d x %d)",
                name, T->rows, T->cols, rows, cols);
}

clStatus clPluSplit(const clPlu *plu, clDense *L, clDense *U) {
  static const char call[] = "clPluSplit";
  TRY(txPluFactored(plu, call));
  int steps = txLeast(plu->rows, plu->cols);
  clDense *lower = NULL, *upper = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(pluCheckTriangle(plu, call, "L", L, plu->rows, steps));
  TRY_CLEANUP(pluCheckTriangle(plu, call, "U", U, steps, plu->cols));
  if (L)
    TRY_CLEANUP(createTriangle(&lower, plu, call, TEXLA_TRIANGLE_LOWER));
  if (U)
    TRY_CLEANUP(createTriangle(&upper, plu, call, TEXLA_TRIANGLE_UPPER));
  if (L)
    TRY_CLEANUP(txViewPut(call, clDenseViewAll(L), lower));
  if (U)
    TRY_CLEANUP(txViewPut(call, clDenseViewAll(U), upper));
cleanup:
  clDenseDestroy(lower);
  clDenseDestroy(upper);
  return status;
}
