/* PLU (B4): P A = L U, right-looking and blocked.
 *
 * A step takes `panel` columns: it factors them, which moves rows of the whole matrix, solves for the block row
 * U12 = L11^-1 A12, and updates the rest, A22 -= L21 U12. The columns of a step are factored in the same way, halved again and
 * again until panels of TX_PANEL columns are left (ops/panel.c); so nearly all work is products. Pivots stay on the device: the
 * host reads them once, when all is done. Rows of the steps before follow then, all at once. */
#include "solvers/plu.h"
#include "ops/full.h"
#include "ops/triangular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On a GPU few large products make up for more of them in all. */
enum { PANEL = 24 * TX_PANEL, SOFTWARE_PANEL = 8 * TX_PANEL };
_Static_assert(2 * TX_TRIANGLE == TX_PANEL, "one inverse for a panel");

static int least(int a, int b) {
  return a < b ? a : b;
}

static int halfOf(int n) {
  return n / 2 + n % 2;
}

clStatus txMagnitudeOf(const char *call, txMagnitude *out, const clDense *A, const clEliminationOptions *options) {
  clFloat *norm = NULL;
  float largest = 0;
  clStatus status = clFloatCreate(&norm, A->context);
  if (!status)
    status = clDenseNorm(norm, TEXLA_NORM_MAX, A);
  if (!status)
    status = clFloatDownload(norm, &largest);
  clFloatDestroy(norm);
  if (status)
    return status;
  if (!isfinite(largest))
    return txFail(txContextError(A->context), TEXLA_NOT_FINITE, call, "the matrix holds a value that is not finite");
  int e = 0;
  frexp((double)largest, &e);
  int size = A->rows > A->cols ? A->rows : A->cols;
  double tolerance =
      options->tolerance == 0 ? 10 * size * ldexp(1, -23) * (double)largest : fmax(options->tolerance, 0);
  out->largest = (double)largest;
  out->factor = e < -40 || e > 40 ? (float)ldexp(1, e < -126 ? 126 : -e) : 1;
  out->tolerance = (float)(tolerance * (double)out->factor);
  return TEXLA_OK;
}

clStatus txEliminationCheck(const char *call, const clContext *context, const clEliminationOptions *options) {
  if (options->pivoting >= TEXLA_PIVOT_PARTIAL && options->pivoting <= TEXLA_PIVOT_NONE && isfinite(options->tolerance))
    return TEXLA_OK;
  return txFail(txContextError((clContext *)context), TEXLA_BAD_ARGUMENT, call,
                "pivoting (%d) must be one of the list and the tolerance (%g) finite", (int)options->pivoting,
                options->tolerance);
}

const char *clPivotingName(clPivoting pivoting) {
  static const char *const names[] = {"partial", "full", "block-harm", "block-geom", "none"};
  return pivoting >= TEXLA_PIVOT_PARTIAL && pivoting <= TEXLA_PIVOT_NONE ? names[pivoting] : "unknown";
}

/* Steps of a factorization. */
static int blocksOf(const clPlu *plu) {
  return (least(plu->rows, plu->cols) + plu->panel - 1) / plu->panel;
}

static clStatus allocate(clPlu *plu, const char *call) {
  int steps = least(plu->rows, plu->cols), panels = (steps + TX_PANEL - 1) / TX_PANEL;
  clStatus status = txDenseCreate(&plu->factors, plu->context, call, plu->rows, plu->cols, TEXLA_PACKING_2X2, false);
  if (!status)
    status = txPanelsCreate(&plu->panels, plu->context, call, plu->rows, plu->cols, panels, false);
  if (!status)
    status =
        txTextureCreate(&plu->inverse, plu->context, call, TX_RGBA32F, TX_TRIANGLE, halfOf(plu->rows) + TX_TRIANGLE);
  if (status)
    return status;
  plu->moves = malloc((size_t)panels * 4 * TX_PANEL * sizeof *plu->moves);
  plu->places = malloc((size_t)blocksOf(plu) * 2 * (size_t)halfOf(plu->rows) * sizeof *plu->places);
  plu->row_order = malloc((size_t)plu->rows * sizeof *plu->row_order);
  plu->col_order = malloc((size_t)plu->cols * sizeof *plu->col_order);
  plu->scratch = malloc((size_t)(plu->rows > plu->cols ? plu->rows : plu->cols) * sizeof *plu->scratch);
  plu->pivots = malloc((size_t)steps * sizeof *plu->pivots);
  if (plu->moves && plu->places && plu->pivots && plu->row_order && plu->col_order && plu->scratch)
    return TEXLA_OK;
  return txFail(txContextError(plu->context), TEXLA_OUT_OF_MEMORY, call, "no memory for a factorization of %d x %d",
                plu->rows, plu->cols);
}

clStatus clPluCreate(clPlu **out, clContext *context, int rows, int cols, const clPluOptions *options) {
  static const char call[] = "clPluCreate";
  clPluOptions o = options ? *options : (clPluOptions){0};
  if (!out || !context || rows < 1 || cols < 1 || o.panel < 0)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, rows (%d) and cols (%d) at least 1, the panel (%d) not negative",
                  rows, cols, o.panel);
  clStatus status = txEliminationCheck(call, context, &o.elimination);
  clPlu *plu = status ? NULL : calloc(1, sizeof *plu);
  if (!status && !plu)
    status = txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for a clPlu");
  if (status)
    return status;
  *plu = (clPlu){.context = context, .rows = rows, .cols = cols, .options = o.elimination};
  int panel = o.panel ? o.panel : clContextInspect(context)->software ? SOFTWARE_PANEL : PANEL;
  plu->panel = TX_PANEL * ((panel + TX_PANEL - 1) / TX_PANEL);
  status = allocate(plu, call);
  if (status)
    clPluDestroy(plu);
  else
    *out = plu;
  return status;
}

void clPluDestroy(clPlu *plu) {
  if (!plu)
    return;
  clDenseDestroy(plu->factors);
  txPanelsDestroy(&plu->panels);
  txTextureDestroy(plu->inverse);
  free(plu->moves);
  free(plu->places);
  free(plu->pivots);
  free(plu->row_order);
  free(plu->col_order);
  free(plu->scratch);
  free(plu);
}

/* U12 = L11^-1 A12 and A22 -= L21 U12, for the block of `count` columns at `first` and the columns up to `end`. */
static clStatus applyBlock(clPlu *plu, const char *call, int first, int count, int end) {
  txTexture *F = plu->factors->texture;
  int at = first / 2, inner = halfOf(count), next = at + inner, width = halfOf(end) - next, height = F->height - next;
  if (width < 1)
    return TEXLA_OK;
  txTriangular L = {F, at, at, inner, TEXLA_LOWER, true, TEXLA_NORMAL, plu->inverse};
  clStatus status = txTriangularSolve(call, &L, F, (txRect){next, at, width, inner}, plu->rows, plu->cols);
  if (status || height < 1)
    return status;
  txProduct p = {.target = F,
                 .rect = {next, next, width, height},
                 .rows = plu->rows,
                 .cols = plu->cols,
                 .alpha = -1,
                 .beta = 1,
                 .a = {F, at, next, TEXLA_NORMAL},
                 .b = {F, next, at, TEXLA_NORMAL},
                 .inner = inner,
                 .c = {F, next, next, TEXLA_NORMAL}};
  return txProductRun(plu->context, call, &p, -1);
}

/* Columns [first, first + count): all of their rows, and the moves of rows in the whole matrix. */
static clStatus factorColumns(clPlu *plu, const char *call, int first, int count) {
  if (count <= TX_PANEL) {
    txPanel panel = {first / TX_PANEL, first, first, 2 * halfOf(count), count, first / plu->panel * plu->panel};
    clStatus status = txPanelEliminate(&plu->panels, call, plu->factors->texture, &panel);
    if (status || first + panel.width >= plu->cols)
      return status;
    return txTriangularInvert(call, plu->inverse, plu->factors->texture, first / 2, panel.width / 2);
  }
  int half = TX_PANEL * ((count / TX_PANEL + 1) / 2);
  clStatus status = factorColumns(plu, call, first, half);
  if (!status)
    status = applyBlock(plu, call, first, half, first + count);
  return status ? status : factorColumns(plu, call, first + half, count - half);
}

static clStatus factorBlocks(clPlu *plu, const char *call) {
  int steps = least(plu->rows, plu->cols);
  clStatus status = TEXLA_OK;
  for (int first = 0; first < steps && !status; first += plu->panel) {
    int count = least(plu->panel, steps - first);
    status = factorColumns(plu, call, first, count);
    if (!status)
      status = applyBlock(plu, call, first, count, plu->cols);
  }
  return status;
}

/* One panel's moves of rows, as shaders/dense/panel_moves.frag has them. */
static void applyMoves(clPlu *plu, const float *moves, int first, int count) {
  int32_t *order = plu->row_order + first, *old = plu->scratch + first;
  memcpy(plu->scratch, plu->row_order, (size_t)plu->rows * sizeof *order);
  for (int t = 0; t < count; t++) {
    order[t] = old[(int)moves[4 * t]];
    if (moves[4 * t + 1] >= 0)
      order[(int)moves[4 * t + 1]] = old[(int)moves[4 * t + 2]];
  }
}

double txPluPivot(const clPlu *plu, int i) {
  return (double)plu->pivots[i] / (double)plu->scale;
}

/* The permutation and the pivots of all panels; places <- the permutation after each step. */
static clStatus readPivots(clPlu *plu, const char *call) {
  int steps = least(plu->rows, plu->cols);
  clStatus status = txPanelsRead(&plu->panels, call, (steps + TX_PANEL - 1) / TX_PANEL, plu->moves);
  for (int i = 0; i < plu->rows; i++)
    plu->row_order[i] = i;
  for (int first = 0; first < steps && !status; first += TX_PANEL) {
    const float *moves = plu->moves + 4 * first;
    float *places = plu->places + (int64_t)(first / plu->panel) * 2 * halfOf(plu->rows);
    int count = least(TX_PANEL, steps - first);
    applyMoves(plu, moves, first, count);
    for (int t = 0; t < count; t++)
      plu->pivots[first + t] = moves[4 * t + 3];
    for (int i = 0; i < plu->rows; i++)
      places[i] = (float)plu->row_order[i];
  }
  return status;
}

/* The columns of each step still have their rows as they were after it: row i is the one where row_order[i] stood then. */
static clStatus moveLeft(clPlu *plu, const char *call) {
  int blocks = blocksOf(plu), width = 2 * halfOf(plu->rows);
  for (float *places = plu->places; places < plu->places + (int64_t)blocks * width; places += width) {
    for (int i = 0; i < plu->rows; i++)
      plu->scratch[(int)places[i]] = i;
    for (int i = 0; i < width; i++)
      places[i] = i < plu->rows ? (float)plu->scratch[plu->row_order[i]] : -1;
  }
  if (blocks == 1)
    return TEXLA_OK;
  return txDenseOrderBlocks(call, plu->factors, plu->factors, false, plu->places, blocks, plu->panel / 2);
}

static clStatus factorPartially(clPlu *plu, const char *call) {
  clStatus status = factorBlocks(plu, call);
  if (!status)
    status = readPivots(plu, call);
  return status ? status : moveLeft(plu, call);
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

static clStatus factorFully(clPlu *plu, const char *call) {
  txFullPivots p = {.row = plu->row_order, .col = plu->col_order, .value = plu->pivots};
  clStatus status = txFullEliminate(call, plu->factors, false, plu->panels.tolerance, &p);
  if (status)
    return status;
  for (int i = p.count; i < least(plu->rows, plu->cols); i++)
    plu->pivots[i] = 0;
  completeOrder(plu->row_order, p.count, plu->rows, plu->scratch);
  completeOrder(plu->col_order, p.count, plu->cols, plu->scratch);
  status = txDenseOrder(call, plu->factors, plu->factors, false, plu->row_order);
  return status ? status : txDenseOrder(call, plu->factors, plu->factors, true, plu->col_order);
}

/* What the pivots tell. Where a column had none, its step has still taken a row: the rank is that of the echelon form, which may say that
 * A is regular, but badly scaled. */
static clStatus examine(clPlu *plu, const clDense *A, bool *regular) {
  int steps = least(plu->rows, plu->cols), rank = 0;
  clPluReport *r = &plu->report;
  *regular = false;
  *r = (clPluReport){.smallest_pivot = INFINITY};
  for (int i = 0; i < steps; i++) {
    double pivot = fabs(txPluPivot(plu, i));
    r->rank += pivot > 0;
    r->smallest_pivot = fmin(r->smallest_pivot, pivot);
    r->largest_pivot = fmax(r->largest_pivot, pivot);
  }
  plu->singular = r->rank < steps;
  if (!plu->singular)
    return TEXLA_OK;
  clEliminationOptions o = {.tolerance = plu->options.tolerance};
  clDense *R = NULL;
  clStatus status = clDenseCreateLike(&R, A);
  if (!status)
    status = clDenseRref(R, A, &o, &rank, NULL);
  clDenseDestroy(R);
  *regular = rank == steps;
  r->rank = least(rank, steps - 1);
  return status;
}

/* max |u_ij| */
static clStatus largestOfU(const clPlu *plu, const char *call, double *largest) {
  clFloat *s = NULL;
  float value = 0;
  clStatus status = clFloatCreate(&s, plu->context);
  if (!status)
    status = txDenseLargestUpper(call, s, plu->factors);
  if (!status)
    status = clFloatDownload(s, &value);
  clFloatDestroy(s);
  *largest = (double)value;
  return status;
}

static clStatus normOne(const clDense *A, double *norm) {
  clFloat *s = NULL;
  float value = 0;
  clStatus status = clFloatCreate(&s, A->context);
  if (!status)
    status = clDenseNorm(s, TEXLA_NORM_ONE, A);
  if (!status)
    status = clFloatDownload(s, &value);
  clFloatDestroy(s);
  *norm = (double)value;
  return status;
}

static clStatus unscale(clPlu *plu, const char *call, float factor) {
  if (factor == 1)
    return TEXLA_OK;
  txPass pass = {.kernel = "dense_upper",
                 .source = {{"a", plu->factors->texture, TX_EDGE}},
                 .uniform = {{"factor", 1, {1 / factor}}}};
  return txDenseRun(call, &pass, plu->factors);
}

static clStatus factorWith(clPlu *plu, const char *call, const clDense *A, float tolerance) {
  plu->panels.tolerance = tolerance;
  clStatus status = clDenseAdd(plu->factors, plu->scale, A, 0, A);
  if (!status)
    status = plu->options.pivoting == TEXLA_PIVOT_FULL ? factorFully(plu, call) : factorPartially(plu, call);
  return status ? status : unscale(plu, call, plu->scale);
}

static clStatus factor(clPlu *plu, const char *call, const clDense *A) {
  txMagnitude magnitude;
  double largest = 0;
  bool regular = false;
  clStatus status = txMagnitudeOf(call, &magnitude, A, &plu->options);
  if (!status)
    status = normOne(A, &plu->norm_one);
  if (status)
    return status;
  plu->scale = magnitude.factor;
  plu->panels.pivoting = plu->options.pivoting;
  status = factorWith(plu, call, A, magnitude.tolerance);
  if (!status)
    status = examine(plu, A, &regular);
  if (!status && regular && plu->options.tolerance == 0) { /* small pivots are due to its units */
    status = factorWith(plu, call, A, 0);
    if (!status)
      status = examine(plu, A, &regular);
  }
  if (!status)
    status = largestOfU(plu, call, &largest);
  plu->report.growth = magnitude.largest > 0 ? largest / magnitude.largest : 1;
  return status;
}

clStatus clPluFactor(clPlu *plu, const clDense *A, clPluReport *report) {
  static const char call[] = "clPluFactor";
  if (!plu)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call, "plu must not be NULL");
  clStatus status = txDenseCheckPacked(call, plu->context, "A", A);
  if (status)
    return status;
  if (A->rows != plu->rows || A->cols != plu->cols)
    return txFail(txContextError(plu->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d but the factorization was made for %d x %d", A->rows, A->cols, plu->rows, plu->cols);
  plu->factored = false;
  status = factor(plu, call, A);
  if (status)
    return status;
  plu->factored = true;
  if (report)
    *report = plu->report;
  if (!plu->singular)
    return TEXLA_OK;
  return txFail(txContextError(plu->context), TEXLA_SINGULAR, call, "the %d x %d matrix has rank %d only", plu->rows,
                plu->cols, plu->report.rank);
}

const clDense *clPluFactors(const clPlu *plu) {
  return plu ? plu->factors : NULL;
}

const int32_t *clPluRows(const clPlu *plu) {
  return plu ? plu->row_order : NULL;
}

const int32_t *clPluCols(const clPlu *plu) {
  return plu && plu->options.pivoting == TEXLA_PIVOT_FULL ? plu->col_order : NULL;
}
