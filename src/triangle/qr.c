#include "triangle/qr.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "dense/entries.h"
#include "triangle/qr_panel.h"
#include "triangle/qr_pivot.h"
#include "gl/traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a panel ends where others may be this much longer */
static const double SHORTER = 0.25;

/* The reflectors of all panels. */
static void destroyPanels(txReflector *panel, int count) {
  for (int k = 0; k < count; k++) {
    clDenseDestroy(panel[k].V);
    clDenseDestroy(panel[k].T);
  }
  free(panel);
}

clStatus clQrCreate(clQr **out, clContext *context, int rows, int cols,
                    const clQrOptions *options) {
  static const char call[] = "clQrCreate";
  clQrOptions o = options ? *options : (clQrOptions){0};
  if (!out || !context || rows < 1 || cols < 1 || o.panel < 0 || !isfinite(o.tolerance))
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out and context must not be NULL, rows (%d) and cols (%d) at least 1, the panel "
                  "(%d) not negative, the tolerance (%g) finite",
                  rows, cols, o.panel, o.tolerance);
  if (!o.panel)
    o.panel = TX_QR_PANEL;
  o.panel = txLeast(o.panel + o.panel % 2, TX_QR_PANEL);
  if (o.tolerance == 0)
    o.tolerance = 16 * sqrt(txMost(rows, cols)) * ldexp(1, -23);
  clQr *qr = txAllocate(txContextError(context), call, 1, sizeof *qr, "a clQr");
  if (!qr)
    return TEXLA_OUT_OF_MEMORY;
  *qr = (clQr){.context = context, .rows = rows, .cols = cols, .options = o};
  *out = qr;
  return TEXLA_OK;
}

/* What a factorization holds, but not the object. */
static void forget(clQr *qr) {
  destroyPanels(qr->panel, qr->panels);
  free(qr->upper);
  free(qr->order);
}

void clQrDestroy(clQr *qr) {
  if (!qr)
    return;
  forget(qr);
  free(qr);
}

/* A factorization while it runs. */
typedef struct work {
  const char *call;
  /* what becomes of it; not the caller's */
  clQr *qr;
  clDense *A;
  /* room for rows x cols, or what is downloaded of it */
  float *values;
  /* of the columns' rest */
  double *length;
  /* what it was when it was computed, not only made smaller */
  double *trusted;
  /* scratch */
  int32_t *order;
  /* reflects the panels */
  bool on_host;
  txQrPanel panel;
  /* the panel, or its triangle */
  txQrTriangle pivoted;
  double zero;
} work;

static void *room(const work *w, size_t count, size_t size) {
  return txAllocate(txContextError(w->qr->context), w->call, count, size, "a factorization");
}

/* All that a factorization needs on the host; where the device reflects, it gets a panel of its
 * own. */
static clStatus allocate(work *w) {
  size_t m = (size_t)w->qr->rows, n = (size_t)w->qr->cols, width = (size_t)w->qr->options.panel;
  size_t height = width;
  if (w->on_host)
    height = m;
  w->values = room(w, m * n + width * width, sizeof *w->values);
  w->length = room(w, 2 * n, sizeof *w->length);
  w->order = room(w, 2 * n, sizeof *w->order);
  w->pivoted.a = room(w, (height + width + 1) * width, sizeof *w->pivoted.a);
  w->pivoted.order = room(w, width, sizeof *w->pivoted.order);
  w->qr->upper = room(w, (size_t)txLeast(w->qr->rows, w->qr->cols) * n, sizeof(float));
  w->qr->order = room(w, n, sizeof *w->qr->order);
  w->qr->panel = room(w, 2 * n, sizeof *w->qr->panel);
  if (!w->values || !w->length || !w->order || !w->pivoted.a || !w->pivoted.order ||
      !w->qr->upper || !w->qr->order || !w->qr->panel)
    return TEXLA_OUT_OF_MEMORY;
  w->trusted = w->length + n;
  w->pivoted.t = w->pivoted.a + height * width;
  w->pivoted.tau = w->pivoted.t + width * width;
  if (w->on_host)
    return TEXLA_OK;
  return txQrPanelCreate(&w->panel, w->qr->context, w->call, w->qr->rows);
}

static void release(work *w) {
  clDenseDestroy(w->A);
  free(w->values);
  free(w->length);
  free(w->order);
  free(w->pivoted.a);
  free(w->pivoted.order);
  txQrPanelDestroy(&w->panel);
}

/* values <- a block of A */
static clStatus downloadBlock(work *w, int row, int col, int rows, int cols) {
  clDense *block = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&block, w->qr->context, rows, cols));
  TRY_CLEANUP(clDenseViewCopy(clDenseViewAll(block), TEXLA_NO_TRANSPOSE,
                              clDenseViewBlock(w->A, row, col, rows, cols)));
  TRY_CLEANUP(clDenseDownload(block, w->values, cols));
cleanup:
  clDenseDestroy(block);
  return status;
}

/* The lengths of columns [from, n), from row `from` on. */
static clStatus measure(work *w, int from) {
  int rows = w->qr->rows - from, cols = w->qr->cols - from;
  if (rows < 1 || cols < 1)
    return TEXLA_OK;
  TRY(downloadBlock(w, from, from, rows, cols));
  for (int j = 0; j < cols; j++) {
    double largest = 0, sum = 0;
    for (int i = 0; i < rows; i++) {
      double size = fabs((double)w->values[(size_t)i * (size_t)cols + (size_t)j]);
      largest = txLarger(largest, size);
    }
    for (int i = 0; i < rows && largest > 0; i++) {
      double v = (double)w->values[(size_t)i * (size_t)cols + (size_t)j] / largest;
      sum += v * v;
    }
    w->length[from + j] = w->trusted[from + j] = largest * sqrt(sum);
    if (!isfinite(largest) || isnan(sum))
      return txFail(txContextError(w->qr->context), TEXLA_NOT_FINITE, w->call,
                    "column %d holds a value that is not finite", w->qr->order[from + j] + 1);
  }
  return TEXLA_OK;
}

/* Entries near the ends of single precision, whose products leave it, are factored in another
 * unit. */
static clStatus takeUnit(work *w) {
  enum { FAR = 40 };
  clQr *qr = w->qr;
  double longest = 0;
  int exponent = 0;
  for (int j = 0; j < qr->cols; j++)
    longest = fmax(longest, w->length[j]);
  frexp(longest, &exponent);
  if (abs(exponent) < FAR)
    return TEXLA_OK;
  qr->unit = ldexp(1, exponent);
  for (int j = 0; j < qr->cols; j++)
    w->length[j] = w->trusted[j] = w->length[j] / qr->unit;
  for (size_t k = 0; k < (size_t)qr->rows * (size_t)qr->cols; k++)
    w->values[k] = (float)((double)w->values[k] / qr->unit);
  return clDenseUpload(w->A, w->values, qr->cols);
}

/* order[0 .. count) <- the columns from `from` on that are longest, or the next ones; returns the
 * longest of the others. */
static double choose(work *w, int from, int count) {
  int n = w->qr->cols;
  double others = 0;
  for (int j = from; j < n; j++)
    w->order[j - from] = j;
  for (int k = 0; k < count && !w->qr->options.no_pivoting; k++) {
    int at = k;
    for (int j = k + 1; j < n - from; j++) {
      if (w->length[w->order[j]] > w->length[w->order[at]])
        at = j;
    }
    int32_t swap = w->order[k];
    w->order[k] = w->order[at];
    w->order[at] = swap;
  }
  for (int j = count; j < n - from; j++)
    others = fmax(others, w->length[w->order[j]]);
  return others;
}

/* The power of two that brings the chosen columns near length 1. */
static float unitOf(const work *w, int count) {
  double longest = 0;
  int exponent = 0;
  for (int k = 0; k < count; k++)
    longest = fmax(longest, w->length[w->order[k]]);
  frexp(longest, &exponent);
  return (float)ldexp(1, -txMost(-100, txLeast(100, exponent)));
}

/* pivoted.a <- the chosen columns of A, from row `from` on; where the device reflects, their
 * triangle. */
static clStatus fetchPanel(work *w, int from, int count) {
  txQrTriangle *p = &w->pivoted;
  clDense *P = NULL;
  int first = 0;
  p->rows = w->qr->rows - from;
  if (w->on_host)
    first = from;
  else
    p->rows = txLeast(count, p->rows);
  p->cols = count;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&P, w->qr->context, w->qr->rows, count));
  TRY_CLEANUP(txDenseOrder(w->call, P, w->A, true, w->order));
  if (w->on_host)
    TRY_CLEANUP(clDenseDownload(P, w->values, count));
  else
    TRY_CLEANUP(txQrPanelFactor(&w->panel, P, from, unitOf(w, count), w->values));
  for (int j = 0; j < count; j++)
    for (int i = 0; i < p->rows; i++)
      p->a[(size_t)j * (size_t)p->rows + (size_t)i] =
          (double)w->values[(size_t)(first + i) * (size_t)count + (size_t)j];
cleanup:
  clDenseDestroy(P);
  return status;
}

/* values[from ..] in another order. */
static void permute(void *values, size_t size, const int32_t *order, int from, int n,
                    void *scratch) {
  char *v = values, *s = scratch;
  memcpy(s, v, size * (size_t)n);
  for (int j = from; j < n; j++)
    memcpy(v + size * (size_t)j, s + size * (size_t)order[j], size);
}

/* The panel's columns come first, the others keep their order; everywhere. */
static clStatus moveColumns(work *w, int from, int steps) {
  int n = w->qr->cols;
  int32_t *place = w->order + n;
  bool moved = false;
  for (int j = 0; j < from; j++)
    place[j] = j;
  for (int k = 0; k < steps; k++)
    place[from + k] = w->order[w->pivoted.order[k]];
  for (int j = from, at = from + steps; j < n; j++) {
    bool taken = false;
    for (int k = 0; k < steps; k++)
      taken |= place[from + k] == j;
    if (!taken)
      place[at++] = j;
  }
  for (int j = 0; j < n; j++)
    moved |= place[j] != j;
  if (!moved)
    return TEXLA_OK;
  double *scratch = room(w, (size_t)n, sizeof *scratch);
  if (!scratch)
    return TEXLA_OUT_OF_MEMORY;
  permute(w->qr->order, sizeof *w->qr->order, place, from, n, scratch);
  permute(w->length, sizeof *w->length, place, from, n, scratch);
  permute(w->trusted, sizeof *w->trusted, place, from, n, scratch);
  for (int i = 0; i < from; i++)
    permute(w->qr->upper + (size_t)i * (size_t)n, sizeof(float), place, from, n, scratch);
  free(scratch);
  return txDenseOrder(w->call, w->A, w->A, true, place);
}

/* T of Q = I - V T V^T from G = V^T V: t_kk = 2 / g_kk, and above it -t_kk T g_k (in place, G's
 * upper triangle). */
static void fillT(float *g, int n) {
  for (int k = 0; k < n; k++) {
    double t = 2 / (double)g[k * n + k];
    /* from the top: g_jk, j > i, are still the products */
    for (int i = 0; i < k; i++) {
      double sum = 0;
      for (int j = i; j < k; j++)
        sum += (double)g[i * n + j] * (double)g[j * n + k];
      g[i * n + k] = (float)(-t * sum);
      g[k * n + i] = 0;
    }
    g[k * n + k] = (float)t;
  }
}

/* V and T of the panel. */
static clStatus makeReflector(work *w, int from) {
  clContext *context = w->qr->context;
  txReflector *r = &w->qr->panel[w->qr->panels++];
  int steps = txLeast(w->panel.cols, w->panel.rows);
  *r = (txReflector){.first = from, .cols = steps};
  TRY(clDenseCreate(&r->V, context, w->panel.rows, steps));
  TRY(txQrPanelVectors(&w->panel, r->V));
  TRY(clDenseCreate(&r->T, context, steps, steps));
  TRY(clDenseMultiply(r->T, 1, TEXLA_TRANSPOSE, r->V, TEXLA_NO_TRANSPOSE, r->V, 0));
  TRY(clDenseDownload(r->T, w->values, steps));
  fillT(w->values, steps);
  return clDenseUpload(r->T, w->values, steps);
}

/* V and T of what has pivoted its triangle. */
static clStatus uploadReflector(work *w, int from) {
  const txQrTriangle *p = &w->pivoted;
  txReflector *r = &w->qr->panel[w->qr->panels++];
  int steps = p->steps;
  *r = (txReflector){.first = from, .cols = steps};
  for (int j = 0; j < steps; j++)
    for (int i = 0; i < p->rows; i++) {
      float *v = w->values + (size_t)i * (size_t)steps + (size_t)j;
      *v = (float)p->a[(size_t)j * (size_t)p->rows + (size_t)i];
      if (i < j)
        *v = 0;
      else if (i == j)
        *v = 1;
    }
  TRY(clDenseCreate(&r->V, w->qr->context, p->rows, steps));
  TRY(clDenseUpload(r->V, w->values, steps));
  for (int k = 0; k < steps * steps; k++)
    w->values[k] = (float)p->t[k / steps * p->cols + k % steps];
  TRY(clDenseCreate(&r->T, w->qr->context, steps, steps));
  return clDenseUpload(r->T, w->values, steps);
}

/* X[first ..] <- (I - V op(T) V^T) X[first ..], columns from col on */
static clStatus applyReflector(const txReflector *r, clTranspose op, clDense *X, int col) {
  int rows = clDenseRows(r->V), cols = clDenseCols(X) - col;
  clDense *W[2] = {NULL, NULL};
  clDenseView rest = clDenseViewBlock(X, r->first, col, rows, cols), V = clDenseViewAll(r->V);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clDenseCreate(&W[0], X->context, r->cols, cols));
  TRY_CLEANUP(clDenseCreate(&W[1], X->context, r->cols, cols));
  TRY_CLEANUP(clDenseViewMultiply(clDenseViewAll(W[0]), 1, TEXLA_TRANSPOSE, V, TEXLA_NO_TRANSPOSE,
                                  rest, 0));
  TRY_CLEANUP(clDenseMultiply(W[1], 1, op, r->T, TEXLA_NO_TRANSPOSE, W[0], 0));
  TRY_CLEANUP(clDenseViewMultiply(rest, -1, TEXLA_NO_TRANSPOSE, V, TEXLA_NO_TRANSPOSE,
                                  clDenseViewAll(W[1]), 1));
cleanup:
  clDenseDestroy(W[0]);
  clDenseDestroy(W[1]);
  return status;
}

static float *upperAt(const work *w, int i, int j) {
  return w->qr->upper + (size_t)i * (size_t)w->qr->cols + (size_t)j;
}

/* R's rows that the panel has finished, right of it; these columns are that much shorter then. */
static clStatus finishRows(work *w, int from, int steps) {
  int next = from + steps, right = w->qr->cols - next;
  if (right < 1)
    return TEXLA_OK;
  TRY(downloadBlock(w, from, next, steps, right));
  bool doubtful = false;
  for (int j = 0; j < right; j++) {
    double *length = &w->length[next + j];
    for (int i = 0; i < steps; i++) {
      float r = *upperAt(w, from + i, next + j) = w->values[(size_t)i * (size_t)right + (size_t)j];
      double rest = (*length - fabs((double)r)) * (*length + fabs((double)r));
      *length = 0;
      if (rest > 0)
        *length = sqrt(rest);
    }
    doubtful |= *length < 1e-2 * w->trusted[next + j] && w->trusted[next + j] > w->zero;
  }
  if (!doubtful)
    return TEXLA_OK;
  return measure(w, next);
}

/* The panel that begins with column `from`: *done columns are chosen and factored, 0 where none is
 * longer than rounding. */
static clStatus factorPanel(work *w, int from, int steps, int *done) {
  clQr *qr = w->qr;
  int count = txLeast(qr->options.panel, qr->cols - from);
  double others = choose(w, from, count);
  TRY(fetchPanel(w, from, count));
  w->pivoted.least = SHORTER * others;
  w->pivoted.zero = w->zero;
  txQrPivot(&w->pivoted, qr->options.no_pivoting);
  *done = txLeast(w->pivoted.steps, steps - from);
  if (*done == 0)
    return TEXLA_OK;
  TRY(moveColumns(w, from, *done));
  for (int j = 0; j < *done; j++)
    for (int i = 0; i <= j; i++)
      *upperAt(w, from + i, from + j) =
          (float)w->pivoted.a[(size_t)j * (size_t)w->pivoted.rows + (size_t)i];
  return TEXLA_OK;
}

/* A panel of chosen columns, its reflections applied to what is right of it, and so on until no
 * column is longer than rounding. */
static clStatus eliminate(work *w) {
  clQr *qr = w->qr;
  int steps = txLeast(qr->rows, qr->cols), from = 0, done = 0;
  for (; from < steps; from += done) {
    int first = qr->panels;
    TRY(factorPanel(w, from, steps, &done));
    if (done == 0)
      break;
    if (!w->on_host)
      TRY(makeReflector(w, from));
    TRY(uploadReflector(w, from));
    for (int k = first; k < qr->panels && from + done < qr->cols; k++)
      TRY(applyReflector(&qr->panel[k], TEXLA_TRANSPOSE, w->A, from + done));
    TRY(finishRows(w, from, done));
  }
  qr->report = (clQrReport){.rank = from, .smallest = INFINITY};
  for (int i = 0; i < from; i++) {
    qr->report.largest = fmax(qr->report.largest, fabs(txQrUpperAt(qr, i, i)));
    qr->report.smallest = fmin(qr->report.smallest, fabs(txQrUpperAt(qr, i, i)));
  }
  return TEXLA_OK;
}

/* The longest column decides what counts as zero. */
static clStatus factor(work *w, const clDense *A) {
  TRY(allocate(w));
  for (int j = 0; j < w->qr->cols; j++)
    w->qr->order[j] = j;
  TRY(clDenseClone(&w->A, A));
  TRY(measure(w, 0));
  TRY(takeUnit(w));
  for (int j = 0; j < w->qr->cols; j++)
    w->zero = fmax(w->zero, w->length[j]);
  w->zero *= fmax(w->qr->options.tolerance, 0);
  return eliminate(w);
}

/* In a fresh object, so that a factorization that fails leaves the one before. */
clStatus clQrFactor(clQr *qr, const clDense *A, clQrReport *report) {
  static const char call[] = "clQrFactor";
  if (!qr)
    return txFail(txContextError(clDenseContext(A)), TEXLA_BAD_ARGUMENT, call,
                  "qr must not be NULL");
  TRY(txDenseCheckPacked(call, qr->context, "A", A));
  if (A->rows != qr->rows || A->cols != qr->cols)
    return txFail(txContextError(qr->context), TEXLA_BAD_SHAPE, call,
                  "A is %d x %d but the factorization was made for %d x %d", A->rows, A->cols,
                  qr->rows, qr->cols);
  clQr fresh = {.context = qr->context,
                .rows = qr->rows,
                .cols = qr->cols,
                .options = qr->options,
                .unit = 1};
  work w = {.call = call, .qr = &fresh, .on_host = txContextTraits(qr->context)->reflect_on_host};
  clStatus status = factor(&w, A);
  release(&w);
  if (status) {
    forget(&fresh);
    return status;
  }
  forget(qr);
  *qr = fresh;
  if (report)
    *report = qr->report;
  return TEXLA_OK;
}

const int32_t *clQrCols(const clQr *qr) {
  return qr ? qr->order : NULL;
}

static clStatus checkReady(const clQr *qr, const char *call) {
  if (qr && qr->order)
    return TEXLA_OK;
  return txFail(qr ? txContextError(qr->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                "qr must not be NULL and clQrFactor must have gone well");
}

clStatus clQrUpper(const clQr *qr, clDense *R) {
  static const char call[] = "clQrUpper";
  TRY(checkReady(qr, call));
  TRY(txDenseCheck(call, qr->context, "R", R));
  if (R->rows != txLeast(qr->rows, qr->cols) || R->cols != qr->cols)
    return txFail(txContextError(qr->context), TEXLA_BAD_SHAPE, call,
                  "R is %d x %d but must be %d x %d", R->rows, R->cols, txLeast(qr->rows, qr->cols),
                  qr->cols);
  if (qr->unit == 1)
    return clDenseUpload(R, qr->upper, qr->cols);
  size_t count = (size_t)R->rows * (size_t)R->cols;
  float *values = txAllocate(txContextError(qr->context), call, count, sizeof *values, "R");
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++)
    values[k] = (float)(qr->unit * (double)qr->upper[k]);
  clStatus status = clDenseUpload(R, values, qr->cols);
  free(values);
  return status;
}

/* In place. */
static clStatus applyAll(const clQr *qr, clTranspose op, clDense *X) {
  bool turned = op == TEXLA_TRANSPOSE;
  for (int k = 0; k < qr->panels; k++)
    TRY(applyReflector(&qr->panel[turned ? k : qr->panels - 1 - k], op, X, 0));
  return TEXLA_OK;
}

/* X <- X / unit, by way of the host, whose numbers have no least normal one in single precision. */
static clStatus divide(const clQr *qr, const char *call, clDense *X) {
  size_t count = (size_t)X->rows * (size_t)X->cols;
  float *values =
      txAllocate(txContextError(qr->context), call, count, sizeof *values, "right-hand sides");
  clStatus status = TEXLA_OK;
  if (!values)
    return TEXLA_OUT_OF_MEMORY;
  TRY_CLEANUP(clDenseDownload(X, values, X->cols));
  for (size_t k = 0; k < count; k++)
    values[k] = (float)((double)values[k] / qr->unit);
  TRY_CLEANUP(clDenseUpload(X, values, X->cols));
cleanup:
  free(values);
  return status;
}

/* *Y <- op(Q) X, or op(Q) X / unit. */
static clStatus applyTo(const clQr *qr, const char *call, clTranspose op, const char *name,
                        bool in_units, clDense **Y, const clDense *X) {
  TRY(checkReady(qr, call));
  TRY(txDenseCheckPacked(call, qr->context, name, X));
  if (X->rows != qr->rows)
    return txFail(txContextError(qr->context), TEXLA_BAD_SHAPE, call, "%s is %d x %d but Q %d x %d",
                  name, X->rows, X->cols, qr->rows, qr->rows);
  TRY(clDenseClone(Y, X));
  if (in_units && qr->unit != 1)
    TRY(divide(qr, call, *Y));
  return applyAll(qr, op, *Y);
}

clStatus clQrApply(const clQr *qr, clTranspose op, clDense *X) {
  clDense *Y = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(applyTo(qr, "clQrApply", op, "X", false, &Y, X));
  txTextureExchange(&X->texture, &Y->texture);
cleanup:
  clDenseDestroy(Y);
  return status;
}

/* x <- the basic solution of R x = y, y the first numbers of Q^T b. */
static void substitute(const clQr *qr, const float *y, float *x, int stride, double *z) {
  for (int j = 0; j < qr->cols; j++)
    x[(size_t)j * (size_t)stride] = 0;
  for (int i = qr->report.rank - 1; i >= 0; i--) {
    z[i] = qr->unit * (double)y[(size_t)i * (size_t)stride];
    for (int j = i + 1; j < qr->report.rank; j++)
      z[i] -= txQrUpperAt(qr, i, j) * z[j];
    z[i] /= txQrUpperAt(qr, i, i);
    x[(size_t)qr->order[i] * (size_t)stride] = (float)z[i];
  }
}

/* The basic solution: unknowns without a pivot are zero. */
clStatus clQrSolve(const clQr *qr, clDense *X, const clDense *B) {
  static const char call[] = "clQrSolve";
  clDense *Y = NULL;
  float *y = NULL, *x = NULL;
  double *z = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(checkReady(qr, call));
  TRY_CLEANUP(txDenseCheck(call, qr->context, "X", X));
  TRY_CLEANUP(applyTo(qr, call, TEXLA_TRANSPOSE, "B", true, &Y, B));
  if (X->rows != qr->cols || X->cols != B->cols)
    TRY_CLEANUP(txFail(txContextError(qr->context), TEXLA_BAD_SHAPE, call,
                       "X is %d x %d but must be %d x %d", X->rows, X->cols, qr->cols, B->cols));
  size_t count = (size_t)B->cols;
  clError *error = txContextError(qr->context);
  y = txAllocate(error, call, (size_t)qr->rows * count, sizeof *y, "right-hand sides");
  x = txAllocate(error, call, (size_t)qr->cols * count, sizeof *x, "solutions");
  z = txAllocate(error, call, (size_t)qr->cols, sizeof *z, "a solution");
  if (!x || !y || !z)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(clDenseDownload(Y, y, B->cols));
  for (int k = 0; k < B->cols; k++)
    substitute(qr, y + k, x + k, B->cols, z);
  TRY_CLEANUP(clDenseUpload(X, x, B->cols));
cleanup:
  clDenseDestroy(Y);
  free(y);
  free(x);
  free(z);
  return status;
}
