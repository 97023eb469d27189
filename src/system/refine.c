#include "system/refine.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/try.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows whose product with x is on the stack. */
enum { ROWS = 512 };

/* What the loops below work on; each uses what it needs. */
typedef struct loop {
  double scale, a;
  const double *row, *x, *b;
  const float *single;
  const txRows *rows;
  double *y;
  float *narrow;
} loop;

/* sum (scale a_i) (scale b_i); in lanes, as an addition that waits for the one before it takes
 * longer than all the rest. */
static double dotOf(const double *a, const double *b, double scale, int64_t n) {
  enum { LANES = 8 };
  double lane[LANES] = {0}, sum = 0;
  int64_t whole = n - n % LANES;
  for (int64_t i = 0; i < whole; i += LANES)
    for (int k = 0; k < LANES; k++)
      lane[k] += (scale * a[i + k]) * (scale * b[i + k]);
  for (int64_t i = whole; i < n; i++)
    sum += (scale * a[i]) * (scale * b[i]);
  for (int k = 0; k < LANES; k++)
    sum += lane[k];
  return sum;
}

static void addSquares(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  sum[0] += dotOf(l->x + first, l->x + first, l->scale, last - first);
}

double txNorm(const double *v, int64_t n) {
  loop l = {.x = v};
  return txParallelNorm(n, addSquares, &l, &l.scale, NULL);
}

static void addProducts(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  sum[0] += dotOf(l->x + first, l->row + first, 1, last - first);
}

/* On several processes an x needs the neighbours' elements before A can be multiplied. */
static void fetch(const txRefinement *ref, double *x) {
  if (ref->ranks)
    ref->ranks->fetch(ref->ranks->user, x);
}

/* Over all processes, if there are several. */
static void addUp(const txRefinement *ref, double *values, int count) {
  if (ref->ranks)
    ref->ranks->sum(ref->ranks->user, values, count);
}

static double dot(const txRefinement *ref, const double *a, const double *b) {
  double sum[TX_SUMS];
  txParallel(ref->A->rows, addProducts, &(loop){.x = a, .row = b}, sum);
  addUp(ref, sum, 1);
  return sum[0];
}

/* As txParallelNorm, over all processes. Of the sums, sum[1] is that of all. */
static double normOver(const txRefinement *ref, txLoop add, void *user, double *scale,
                       double sum[TX_SUMS]) {
  double norm = txParallelNorm(ref->A->rows, add, user, scale, sum),
         all[2] = {norm * norm, sum ? sum[1] : 0};
  if (!ref->ranks)
    return norm;
  addUp(ref, all, 2);
  if (sum)
    sum[1] = all[1];
  return sqrt(all[0]);
}

double txRefineNormOf(const txRefinement *ref, const double *v) {
  loop l = {.x = v};
  return normOver(ref, addSquares, &l, &l.scale, NULL);
}

static void addMultiple(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  const double *restrict x = l->x, a = l->a;
  double *restrict y = l->y;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    y[i] += a * x[i];
}

/* y <- y + a x */
static void axpy(double *y, double a, const double *x, int64_t n) {
  txParallel(n, addMultiple, &(loop){.y = y, .a = a, .x = x}, NULL);
}

/* y <- b - A x, and its squares. Without rows A x is zero. */
static void addUnscaled(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  for (int64_t at = first, n; at < last; at += n) {
    double *restrict y = l->y + at;
    n = txLeast64(ROWS, last - at);
    memset(y, 0, (size_t)n * sizeof *y);
    if (l->rows)
      txRowsMultiply(y, l->rows, l->x, at, at + n);
    for (int64_t i = 0; i < n; i++)
      y[i] = l->b[at + i] - y[i];
    sum[0] += dotOf(y, y, l->scale, n);
  }
}

/* y <- diag(row) (b - A x), and the squares without and with diag(row). Without rows A x is zero; y
 * NULL: not wanted */
static void addResidual(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  double r[ROWS], own[ROWS];
  for (int64_t at = first, n; at < last; at += n) {
    const double *b = l->b + at, *row = l->row + at;
    double *restrict y = l->y ? l->y + at : own;
    n = txLeast64(ROWS, last - at);
    memset(r, 0, sizeof r);
    if (l->rows)
      txRowsMultiply(r, l->rows, l->x, at, at + n);
    for (int64_t i = 0; i < n; i++) {
      r[i] = b[i] - r[i];
      y[i] = row[i] * r[i];
    }
    sum[0] += dotOf(r, r, l->scale, n);
    sum[1] += dotOf(y, y, 1, n);
  }
}

/* The squares of b - A x, or of diag(row) (b - A x), alone. */
static void addResidualAlone(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  double r[ROWS];
  for (int64_t at = first, n; at < last; at += n) {
    n = txLeast64(ROWS, last - at);
    memset(r, 0, sizeof r);
    if (l->rows)
      txRowsMultiply(r, l->rows, l->x, at, at + n);
    for (int64_t i = 0; i < n; i++)
      r[i] = l->b[at + i] - r[i];
    for (int64_t i = 0; i < n && l->row; i++)
      r[i] *= l->row[at + i];
    sum[0] += dotOf(r, r, l->scale, n);
  }
}

double txRefineNormBy(const txRefinement *ref, const txScaling *s, const double *row, bool zero) {
  loop l = {.x = ref->x, .b = ref->b, .row = row};
  if (!zero)
    l.rows = &s->rows;
  return normOver(ref, addResidualAlone, &l, &l.scale, NULL);
}

/* The norm of the residual, or of the scaled one, alone. */
static double normAlone(const txRefinement *ref, const txScaling *s, bool scaled) {
  const double *row = NULL;
  if (scaled)
    row = s->row;
  return txRefineNormBy(ref, s, row, ref->at_zero);
}

/* Both norms in one sweep where the scaled residual is kept, too. */
static void measure(txRefinement *ref, const txScaling *s) {
  loop l = {.row = s->row, .x = ref->x, .b = ref->b, .y = ref->scaled};
  double sum[TX_SUMS];
  if (!ref->at_zero) {
    l.rows = &s->rows;
    fetch(ref, ref->x);
  }
  if (s->unit) {
    ref->norm = ref->b_norm;
    if (ref->scaled)
      ref->norm = normOver(ref, addUnscaled, &l, &l.scale, NULL);
    else if (!ref->at_zero)
      ref->norm = normAlone(ref, s, false);
    ref->scaled_norm = ref->norm;
    return;
  }
  ref->norm = normOver(ref, addResidual, &l, &l.scale, sum);
  ref->scaled_norm = sqrt(sum[1]);
  /* Squares are beyond double, or r = 0. */
  if (sum[1] > 1e-200 && sum[1] < 1e200)
    return;
  if (ref->scaled)
    ref->scaled_norm = txRefineNormOf(ref, ref->scaled);
  else
    ref->scaled_norm = normAlone(ref, s, true);
}

/* The scaled residual itself, from now on. */
static clStatus keepScaled(txRefinement *ref, const txScaling *s, clError *error) {
  if (ref->scaled)
    return TEXLA_OK;
  ref->scaled =
      txAllocate(error, "clSystemSolve", (size_t)ref->A->rows, sizeof(double), "the residual");
  if (!ref->scaled)
    return TEXLA_OUT_OF_MEMORY;
  measure(ref, s);
  return TEXLA_OK;
}

/* Is there an element that is not zero? */
static void findOther(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const double *x = ((const loop *)user)->x;
  for (int64_t i = first; i < last && sum[0] == 0; i++)
    sum[0] = x[i] != 0;
}

/* The best norm so far is that of x. */
static void remember(txRefinement *ref) {
  ref->least = ref->norm;
  ref->at_best = true;
}

/* Before x moves the best x is kept as it is: a move that is taken back leaves its rounding. */
static clStatus keepBest(txRefinement *ref, clError *error) {
  size_t n = (size_t)ref->A->rows;
  if (!ref->at_best)
    return TEXLA_OK;
  if (!ref->best)
    ref->best = txAllocate(error, "clSystemSolve", n, sizeof *ref->best, "the best x");
  if (!ref->best)
    return TEXLA_OUT_OF_MEMORY;
  memcpy(ref->best, ref->x, n * sizeof *ref->best);
  return TEXLA_OK;
}

void txRefineStart(txRefinement *ref, const clTriplets *A, const double *b, double b_norm,
                   double *x, bool zero, const txScaling *scaling, const txRanks *ranks) {
  *ref = (txRefinement){.A = A, .b = b, .x = x, .b_norm = b_norm, .at_zero = zero, .ranks = ranks};
  if (zero)
    measure(ref, scaling);
  else
    txRefineRescale(ref, scaling);
  remember(ref);
}

void txRefineRescale(txRefinement *ref, const txScaling *scaling) {
  double other[TX_SUMS];
  txParallel(ref->A->rows, findOther, &(loop){.x = ref->x}, other);
  addUp(ref, other, 1);
  ref->steps = 0;
  ref->at_zero = other[0] == 0;
  measure(ref, scaling);
}

void txRefineTake(txRefinement *ref, const double *x, double norm) {
  memcpy(ref->x, x, (size_t)ref->A->rows * sizeof *x);
  ref->norm = norm;
  ref->at_zero = false;
  ref->steps = 0;
  remember(ref);
}

void txRefineDestroy(txRefinement *ref) {
  txDeviceRefineDestroy(ref->device);
  free(ref->scaled);
  free(ref->best);
  for (int k = 0; k < TX_DIRECTIONS; k++) {
    free(ref->d[k]);
    free(ref->q[k]);
  }
  *ref = (txRefinement){0};
}

/* narrow <- a scale x */
static void toSingle(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  const double *x = l->x, a = l->a, scale = l->scale;
  float *restrict narrow = l->narrow;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    narrow[i] = (float)(a * (scale * x[i]));
}

/* Divided by its norm, so that it fits single precision. */
clStatus txRefineNarrow(txRefinement *ref, const txScaling *scaling, float *y, clError *error) {
  TRY(keepScaled(ref, scaling, error));
  loop l = {.narrow = y, .x = ref->scaled, .scale = 1};
  /* the inverse of a subnormal number is infinite */
  if (ref->scaled_norm < 0x1p-1000)
    l.scale = 0x1p100;
  if (ref->scaled_norm > 0)
    l.a = 1 / (l.scale * ref->scaled_norm);
  txParallel(ref->A->rows, toSingle, &l, NULL);
  ref->length = ref->scaled_norm;
  return TEXLA_OK;
}

/* Row i as the solver scales it, 0 if its residual is rounding of its terms: a solver that is not
 * exact would correct that instead of the others. */
static double narrowed(const txRefinement *ref, const txScaling *metric, const double *row,
                       int32_t i) {
  if (fabs(ref->scaled[i]) <= 2 * DBL_EPSILON)
    return 0;
  return ref->scaled[i] / metric->row[i] * row[i];
}

clStatus txRefineNarrowFor(txRefinement *ref, const txScaling *metric, const double *row, float *y,
                           clError *error) {
  TRY(keepScaled(ref, metric, error));
  double largest = 0, a = 0;
  for (int32_t i = 0; i < ref->A->rows; i++)
    largest = txLarger(largest, fabs(narrowed(ref, metric, row, i)));
  if (largest > 0)
    a = 1 / largest;
  for (int32_t i = 0; i < ref->A->rows; i++)
    y[i] = (float)(a * narrowed(ref, metric, row, i));
  ref->length = 0;
  return TEXLA_OK;
}

void txRefineWeights(const txRefinement *ref, double *row) {
  const clTriplets *A = ref->A;
  for (int32_t i = 0; i < A->rows; i++)
    row[i] = fabs(ref->b[i]);
  for (int64_t k = 0; k < A->count; k++)
    row[A->row[k]] += fabs(A->value[k] * ref->x[A->col[k]]);
  for (int32_t i = 0; i < A->rows; i++) {
    int exponent = 0;
    if (row[i] > 0 && isfinite(row[i]))
      frexp(row[i], &exponent);
    row[i] = ldexp(1, -txMost(exponent, -1000));
  }
}

/* y <- row single */
static void widen(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  const double *row = l->row;
  const float *single = l->single;
  double *restrict y = l->y;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    y[i] = row[i] * (double)single[i];
}

/* y <- diag(row) A x, its square and its product with b. y NULL: not wanted */
static void multiply(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  for (int64_t at = first, n; at < last; at += n) {
    const double *row = l->row + at;
    double own[ROWS], *restrict y = l->y ? l->y + at : own;
    n = txLeast64(ROWS, last - at);
    txRowsMultiply(y, l->rows, l->x, at, at + n);
    for (int64_t i = 0; i < n; i++)
      y[i] *= row[i];
    sum[0] += dotOf(y, y, l->scale, n);
    sum[1] += dotOf(y, l->b + at, 1, n);
  }
}

/* d = diag(col) y and q = diag(row) A d, q orthogonal to the others; the first q is not stored. The
 * length of q, 0 where nothing is left of it; *along <- its product with the scaled residual. */
static double direct(const txRefinement *ref, const txScaling *s, const float *y, double *d,
                     double *q, double *along) {
  int64_t n = ref->A->rows, kept = txLeast64(ref->steps, TX_DIRECTIONS);
  loop product = {.rows = &s->rows, .row = s->row, .x = d, .y = kept ? q : NULL, .b = ref->scaled};
  double sum[TX_SUMS];
  txParallel(n, widen, &(loop){.y = d, .row = s->col, .single = y}, NULL);
  fetch(ref, d);
  double before = normOver(ref, multiply, &product, &product.scale, sum), after = before;
  for (int64_t k = 0; k < kept; k++)
    if (ref->q[k] != q) {
      double h = dot(ref, ref->q[k], q) / ref->q_norm[k] / ref->q_norm[k];
      axpy(q, -h, ref->q[k], n);
      axpy(d, -h, ref->d[k], n);
      after = txRefineNormOf(ref, q);
    }
  *along = sum[1];
  if (kept > 0)
    *along = dot(ref, q, ref->scaled);
  if (after > 1e-14 * before)
    return after;
  return 0;
}

void txRefineBest(txRefinement *ref, const txScaling *scaling) {
  /* Where norms differ by no more than rounding, the scaled residual, which only becomes smaller,
   * decides. */
  bool only_rounding = ref->least <= 1e-8 * ref->b_norm && ref->norm <= 4 * ref->least;
  if (ref->at_best || only_rounding)
    return;
  memcpy(ref->x, ref->best, (size_t)ref->A->rows * sizeof *ref->best);
  ref->at_best = true;
  txRefineRescale(ref, scaling);
}

/* d^T A d in double, for the direction d that single precision found to be of negative
 * curvature. */
double txRefineCurvature(const txRefinement *ref, const txScaling *s, const float *p) {
  int64_t n = ref->A->rows, columns = ref->A->cols;
  double *d = txAllocate(NULL, "clSystemSolve", (size_t)(n + columns), sizeof *d, "a direction"),
         *q, sum = 0;
  if (!d)
    return NAN;
  q = d + columns;
  txParallel(n, widen, &(loop){.y = d, .row = s->col, .single = p}, NULL);
  fetch(ref, d);
  txParallel(n, multiply, &(loop){.rows = &s->rows, .row = s->row, .x = d, .y = q, .b = d}, NULL);
  for (int64_t i = 0; i < n; i++)
    sum += (double)p[i] * q[i];
  free(d);
  addUp(ref, &sum, 1);
  return sum;
}

/* Corrections need not be better than what is missing; where much is, they can be looser. */
double txRefineTolerance(double missing, double floor) {
  double room = 0.5;
  if (missing > 30 * floor)
    room = 0.9;
  return fmin(fmax(room * missing, floor), 0.3);
}

/* x <- x + a diag(row) single */
static void addSingle(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const loop *l = user;
  const double *row = l->row, a = l->a;
  const float *single = l->single;
  double *restrict x = l->y;
  (void)sum;
  for (int64_t i = first; i < last; i++)
    x[i] += a * row[i] * (double)single[i];
}

/* x <- x + diag(col) y as long as the residual that y corrects, which is all that a good correction
 * needs: its product with A is not computed to find the best length. *gain <- what it gains; where
 * that is not much, x stays as it was, and no further correction is tried so. */
static bool takeAll(txRefinement *ref, const txScaling *scaling, const float *y, double *gain) {
  int64_t n = ref->A->rows;
  double before = ref->scaled_norm;
  loop l = {.y = ref->x, .a = ref->length, .row = scaling->col, .single = y};
  bool was_zero = ref->at_zero;
  if (!scaling->unit || ref->steps || ref->poor || !(ref->length > 0))
    return false;
  txParallel(n, addSingle, &l, NULL);
  ref->at_zero = false;
  measure(ref, scaling);
  *gain = INFINITY;
  if (ref->scaled_norm > 0)
    *gain = before / ref->scaled_norm;
  if (*gain > TX_ENOUGH && ref->norm <= ref->least) {
    remember(ref);
    return true;
  }
  ref->poor = true;
  l.a = -ref->length;
  txParallel(n, addSingle, &l, NULL);
  ref->at_zero = was_zero;
  measure(ref, scaling);
  return false;
}

/* One step of the generalized conjugate residual method, with y as the preconditioned residual. */
clStatus txRefineStep(txRefinement *ref, const txScaling *scaling, const float *y, double *gain,
                      clError *error) {
  int64_t n = ref->A->rows, k = ref->steps % TX_DIRECTIONS;
  size_t rows = (size_t)n, columns = (size_t)ref->A->cols;
  TRY(keepScaled(ref, scaling, error));
  if (takeAll(ref, scaling, y, gain))
    return TEXLA_OK;
  if (!ref->d[k])
    ref->d[k] = txAllocate(error, "clSystemSolve", columns, sizeof **ref->d, "a correction");
  if (!ref->q[k])
    ref->q[k] = txAllocate(error, "clSystemSolve", rows, sizeof **ref->q, "a correction");
  double *d = ref->d[k], *q = ref->q[k];
  if (!d || !q)
    return TEXLA_OUT_OF_MEMORY;
  *gain = 1;
  double along, length = ref->q_norm[k] = direct(ref, scaling, y, d, q, &along);
  if (length == 0)
    return TEXLA_OK;
  double before = ref->scaled_norm, alpha = along / length / length;
  TRY(keepBest(ref, error));
  ref->at_zero = false;
  axpy(ref->x, alpha, d, n);
  measure(ref, scaling);
  ref->steps++;
  *gain = INFINITY;
  if (ref->scaled_norm > 0)
    *gain = before / ref->scaled_norm;
  if (*gain > TX_ENOUGH)
    ref->steps = 0;
  else {
    if (ref->steps == 1)
      /* others are to be orthogonal to it */
      txParallel(n, multiply,
                 &(loop){.rows = &scaling->rows, .row = scaling->row, .x = d, .y = q, .b = d},
                 NULL);
  }
  if (ref->scaled_norm < before) {
    if (ref->norm <= ref->least)
      remember(ref);
    else
      ref->at_best = false;
    return TEXLA_OK;
  }
  /* rounding has the last word */
  if (ref->at_best)
    memcpy(ref->x, ref->best, (size_t)n * sizeof *ref->x);
  else
    axpy(ref->x, -alpha, d, n);
  measure(ref, scaling);
  *gain = 1;
  return TEXLA_OK;
}

/* Where the residual is zero, or good enough, there is nothing to do on the device. */
clStatus txRefineEnterDevice(txRefinement *ref, const txScaling *scaling, const clMatrix *B,
                             double sign, double limit) {
  if (ref->device || ref->steps || ref->norm <= limit || !(ref->scaled_norm > 0))
    return TEXLA_OK;
  size_t n = (size_t)ref->A->rows;
  /* norms with and without scaling may part: where x ends up worse, the start counts */
  if (!scaling->unit) {
    if (!ref->best)
      ref->best = txAllocate(NULL, "clSystemSolve", n, sizeof *ref->best, "the best x");
    if (!ref->best)
      return TEXLA_OK;
    memcpy(ref->best, ref->x, n * sizeof *ref->best);
  }
  ref->limit = limit;
  ref->ratio = ref->norm / ref->scaled_norm;
  return txDeviceRefineStart(&ref->device, B, sign, scaling, ref->b, ref->x, ref->at_zero,
                             ref->scaled_norm);
}

/* x comes back, and its residual is computed anew in double. */
clStatus txRefineLeaveDevice(txRefinement *ref, const txScaling *scaling) {
  if (!ref->device)
    return TEXLA_OK;
  clStatus status = txDeviceRefineFinish(ref->device, scaling, ref->x);
  txDeviceRefineDestroy(ref->device);
  ref->device = NULL;
  TRY(status);
  ref->steps = 0;
  ref->at_zero = false;
  measure(ref, scaling);
  ref->at_best = ref->norm <= ref->least || !ref->best;
  if (ref->at_best)
    ref->least = ref->norm;
  return TEXLA_OK;
}

const clVector *txRefineOnDevice(const txRefinement *ref) {
  return ref->device ? txDeviceRefineRight(ref->device) : NULL;
}

/* *done <- the correction has been taken. Then x may be good enough, which the host finds out. */
static clStatus stepOnDevice(txRefinement *ref, const txScaling *scaling, clVector *y,
                             double enough, double *gain, bool *done) {
  double before = ref->norm;
  TRY(txDeviceRefineStep(ref->device, y, enough, gain));
  *done = *gain >= enough;
  if (*done) {
    ref->norm = ref->ratio * ref->device->norm;
    ref->scaled_norm = ref->device->norm;
    if (ref->norm > ref->limit)
      return TEXLA_OK;
  }
  TRY(txRefineLeaveDevice(ref, scaling));
  if (*done && ref->norm > 0)
    *gain = before / ref->norm;
  return TEXLA_OK;
}

clStatus txRefineStepFrom(txRefinement *ref, const txScaling *scaling, clVector *y, double enough,
                          float *single, double *gain, clError *error) {
  bool done = false;
  if (ref->device)
    TRY(stepOnDevice(ref, scaling, y, enough, gain, &done));
  if (done)
    return TEXLA_OK;
  TRY(clVectorDownload(y, single));
  return txRefineStep(ref, scaling, single, gain, error);
}
