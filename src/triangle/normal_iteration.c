#include "triangle/normal_iteration.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/try.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* corrections that stall below it are rounding errors */
static const double ROUNDING = 1e-12;
/* until conjugate gradients start anew: beyond it recursive residuals mean little */
static const double GAIN = 1e-6;
/* plain corrections that shrink less: conjugate gradients need fewer */
static const double SLOW = 0.1;
/* a last correction by an inexact factor */
static const double SMALL = 1e-6;
/* steps without a smaller gradient */
enum { PATIENCE = 8 };
/* what is left of a column, relative to it, when it depends on others in double */
static const double DEPENDENT = 1e-13;
/* roundoffs beside those of A alone, in the bound on the error */
static const double SLACK = 2;

/* Three arrays, of each type one: all that an iteration needs. */
clStatus txNormalCreate(txNormal *f, const clTriplets *A, clError *error) {
  size_t m = (size_t)A->rows, n = (size_t)A->cols;
  static const char call[] = "clLeastSquaresCreate", what[] = "observations and unknowns";
  double *all = txAllocate(error, call, 3 * m + 5 * n, sizeof *all, what);
  long double *exact = txAllocate(error, call, m + 2 * n, sizeof *exact, what);
  int32_t *column = txAllocate(error, call, n, sizeof *column, what);
  if (!all || !exact || !column) {
    free(all);
    free(exact);
    free(column);
    return TEXLA_OUT_OF_MEMORY;
  }
  *f = (txNormal){.A = A,
                  .rows = A->rows,
                  .cols = A->cols,
                  .weight = all,
                  .r = all + m,
                  .q = all + 2 * m,
                  .exact = exact,
                  .sum = exact + m,
                  .best = exact + m + n,
                  .column = column};
  double **list[] = {&f->scale, &f->x, &f->z, &f->p, &f->y};
  for (size_t k = 0; k < 5; k++)
    *list[k] = all + 3 * m + k * n;
  for (size_t i = 0; i < m; i++)
    f->weight[i] = 1;
  txNormalScale(f);
  return TEXLA_OK;
}

void txNormalDestroy(txNormal *f) {
  free(f->weight);
  free(f->exact);
  free(f->column);
  free(f->L.value);
}

/* The scale of column j is the power of two near 1 / ||D a_j||, found without overflow. */
void txNormalScale(txNormal *f) {
  for (int j = 0; j < f->cols; j++)
    f->scale[j] = f->z[j] = 0;
  /* the largest entries, then sums of squares */
  for (int64_t k = 0; k < f->A->count; k++) {
    double v = fabs(f->weight[f->A->row[k]] * f->A->value[k]);
    f->scale[f->A->col[k]] = fmax(f->scale[f->A->col[k]], v);
  }
  for (int64_t k = 0; k < f->A->count; k++) {
    int j = f->A->col[k];
    if (!(f->scale[j] > 0))
      continue;
    double v = f->weight[f->A->row[k]] * f->A->value[k] / f->scale[j];
    f->z[j] += v * v;
  }
  for (int j = 0; j < f->cols; j++) {
    int largest = 0, e = 0;
    frexp(f->scale[j], &largest);
    frexp(sqrt(f->z[j]), &e);
    e = txMost(-900, txLeast(900, e + largest));
    if (f->scale[j] > 0)
      f->scale[j] = ldexp(1, -e);
    else
      f->scale[j] = 1;
  }
}

/* Row i of L is as long as column i of D A S: where weights have made that far from 1, powers of
 * two bring it back, so that nothing that is said of y = S^-1 x depends on their sizes. */
static void balance(txNormal *f) {
  for (int i = 0; i < f->L.order; i++) {
    double *row = txHostLowerRow(&f->L, i);
    int e = 0;
    frexp(txHostNorm(row, i + 1), &e);
    if (e >= -1 && e <= 2)
      continue;
    for (int j = 0; j <= i; j++)
      row[j] = ldexp(row[j], -e);
    f->scale[f->column[i]] = ldexp(f->scale[f->column[i]], -e);
  }
}

/* The columns of a factor that pivots come in their order; NULL: in A's own. */
void txNormalTake(txNormal *f, txHostLower *L, const int32_t *order) {
  free(f->L.value);
  f->L = *L;
  *L = (txHostLower){0};
  for (int j = 0; j < f->cols; j++) {
    f->column[j] = j;
    if (order)
      f->column[j] = order[j];
  }
  balance(f);
}

/* q <- D A S v, v in the order of the columns that count */
static void multiply(const txNormal *f, double *q, const double *v) {
  double *full = f->y;
  memset(full, 0, (size_t)f->cols * sizeof *full);
  for (int i = 0; i < f->L.order; i++)
    full[f->column[i]] = f->scale[f->column[i]] * v[i];
  clTripletsMulVector(q, f->A, full);
  for (int i = 0; i < f->rows; i++)
    q[i] *= f->weight[i];
}

/* v <- S A^T D r, in that order */
static void multiplyTransposed(const txNormal *f, double *v, const double *r) {
  double *full = f->y;
  memset(full, 0, (size_t)f->cols * sizeof *full);
  /* scales first: squares of small weights would vanish */
  for (int64_t k = 0; k < f->A->count; k++) {
    int i = f->A->row[k], j = f->A->col[k];
    full[j] += f->A->value[k] * (f->scale[j] * f->weight[i]) * r[i];
  }
  for (int i = 0; i < f->L.order; i++)
    v[i] = full[f->column[i]];
}

/* What is solved: b, with D, or g. */
typedef struct problem {
  /* NULL: g */
  const double *b;
  /* b NULL: this column of A is b; -1: none */
  int column;
  const double *g;
} problem;

/* exact <- D (b - A x) of the best x, and r the same rounded. The sums are longer than double where
 * long double is: what is orthogonal to A's columns would hide small gradients behind its rounding
 * errors. */
static void residual(txNormal *f, const problem *p) {
  long double *full = f->sum;
  memset(full, 0, (size_t)f->cols * sizeof *full);
  for (int i = 0; i < f->L.order; i++)
    full[f->column[i]] = -(long double)f->scale[f->column[i]] * f->best[i];
  if (p->column >= 0)
    full[p->column] += (long double)f->scale[p->column];
  for (int i = 0; i < f->rows; i++) {
    f->exact[i] = 0;
    if (p->b)
      f->exact[i] = (long double)p->b[i];
  }
  for (int64_t k = 0; k < f->A->count; k++)
    f->exact[f->A->row[k]] += (long double)f->A->value[k] * full[f->A->col[k]];
  for (int i = 0; i < f->rows; i++) {
    f->exact[i] *= (long double)f->weight[i];
    f->r[i] = (double)f->exact[i];
  }
}

/* z <- S A^T D exact (+ S g) */
static void exactGradient(txNormal *f, const problem *p, double *z) {
  long double *sum = f->sum;
  for (int j = 0; j < f->cols; j++) {
    sum[j] = 0;
    if (p->g)
      sum[j] = (long double)p->g[j];
  }
  for (int64_t k = 0; k < f->A->count; k++) {
    int i = f->A->row[k];
    sum[f->A->col[k]] += (long double)f->A->value[k] * ((long double)f->weight[i] * f->exact[i]);
  }
  for (int i = 0; i < f->L.order; i++)
    z[i] = (double)((long double)f->scale[f->column[i]] * sum[f->column[i]]);
}

/* A part of something that vanishes is infinite, unless it vanishes, too. */
static double relative(double part, double whole) {
  if (whole > 0)
    return part / whole;
  if (part > 0)
    return INFINITY;
  return 0;
}

/* What an iteration carries along. */
typedef struct iteration {
  const problem *p;
  double tolerance;
  int most, count, gradients;
  /* of the last correction, relative to x */
  double size;
  /* plain corrections shrink, if slowly */
  bool contracts;
  bool converged;
} iteration;

/* Of the best x; in the order of the columns that count. */
static double sizeOfBest(const txNormal *f) {
  for (int i = 0; i < f->L.order; i++)
    f->y[i] = (double)f->best[i];
  return txHostNorm(f->y, f->L.order);
}

/* z <- (L L^T)^-1 gradient of the best x; returns its length beside that of x. */
static double correct(txNormal *f, const problem *p) {
  residual(f, p);
  exactGradient(f, p, f->z);
  txHostLowerSolve(&f->L, f->z);
  txHostLowerSolveTransposed(&f->L, f->z);
  return relative(txHostNorm(f->z, f->L.order), sizeOfBest(f));
}

/* x += (L L^T)^-1 gradient, while that becomes smaller quickly. */
static void refinePlainly(txNormal *f, iteration *it) {
  int n = f->L.order;
  double last = INFINITY;
  while (it->count < it->most) {
    double size = correct(f, it->p);
    bool slow = !f->plain && it->count > 0 && !(size <= SLOW * last);
    double most = 0.5;
    if (f->plain)
      most = 1;
    if (it->count > 0 && !(size <= most * last) && !(size <= it->tolerance)) {
      it->converged = last <= ROUNDING;
      it->contracts = false;
      /* the first one was no better */
      if (it->count == 1 && size > last)
        memset(f->best, 0, (size_t)n * sizeof *f->best);
      return;
    }
    for (int i = 0; i < n; i++)
      f->best[i] += (long double)f->z[i];
    it->count++;
    it->size = relative(txHostNorm(f->z, n), sizeOfBest(f));
    it->converged = it->size <= it->tolerance;
    it->contracts = slow;
    if (it->converged || (slow && it->size > ROUNDING))
      return;
    last = it->size;
  }
}

/* A step along p: sum += alpha s and r -= alpha q with s = L^-T p, q = D A S s and
 * alpha = gamma / q . q; z <- the gradient that is left. False where q vanishes. */
static bool takeStep(txNormal *f, double gamma, const double *start, double *sum, double *s) {
  int n = f->L.order;
  memcpy(s, f->p, (size_t)n * sizeof *s);
  txHostLowerSolveTransposed(&f->L, s);
  multiply(f, f->q, s);
  double qq = txHostDot(f->q, f->q, f->rows);
  if (!(qq > 0))
    return false;
  double alpha = gamma / qq;
  for (int i = 0; i < n; i++)
    sum[i] += alpha * s[i];
  for (int i = 0; i < f->rows; i++)
    f->r[i] -= alpha * f->q[i];
  multiplyTransposed(f, f->z, f->r);
  for (int i = 0; i < n; i++)
    f->z[i] += start[i];
  txHostLowerSolve(&f->L, f->z);
  return true;
}

/* sum <- the correction of x by conjugate gradients on min ||D (r - A S L^-T w)||, until the
 * gradient is `gain` times as large; returns how much smaller it has become. */
static double runGradients(txNormal *f, iteration *it, double gain, double *sum, double *s) {
  int n = f->L.order;
  double *start = s + n;
  double first = 0, before = 0, smallest = INFINITY;
  int idle = 0;
  memset(sum, 0, (size_t)n * sizeof *sum);
  residual(f, it->p);
  exactGradient(f, it->p, f->z);
  /* from here on only what the correction changes is computed in double: roundoffs of a residual
   * that no x makes small would be as large as the gradient */
  memcpy(start, f->z, (size_t)n * sizeof *start);
  memset(f->r, 0, (size_t)f->rows * sizeof *f->r);
  txHostLowerSolve(&f->L, f->z);
  double gamma = 0;
  for (int k = 0; it->count < it->most && k < 4 * n + 20; k++) {
    gamma = txHostDot(f->z, f->z, n);
    if (k == 0)
      first = gamma;
    idle++;
    if (gamma < smallest) {
      idle = 0;
      smallest = gamma;
    }
    if (!(gamma > gain * gain * first) || !isfinite(gamma) || idle > PATIENCE)
      break;
    double beta = 0;
    if (k > 0)
      beta = gamma / before;
    else
      memset(f->p, 0, (size_t)n * sizeof *f->p);
    for (int i = 0; i < n; i++)
      f->p[i] = f->z[i] + beta * f->p[i];
    before = gamma;
    if (!takeStep(f, gamma, start, sum, s))
      break;
    it->count++;
    it->gradients++;
  }
  if (!(first > 0))
    return 0;
  return sqrt(gamma / first);
}

/* Restarted from the true residual, until a restart gains nothing. */
static clStatus refineByGradients(txNormal *f, iteration *it, clError *error) {
  size_t n = (size_t)f->L.order;
  double *sum = txAllocate(error, "clLeastSquaresSolve", 3 * n, sizeof *sum, "unknowns"),
         last = INFINITY;
  if (!sum)
    return TEXLA_OUT_OF_MEMORY;
  while (it->count < it->most && !it->converged) {
    double enough = 0;
    if (it->size > 0 && isfinite(it->size))
      enough = 1e-3 * it->tolerance / it->size;
    double gain = runGradients(f, it, fmax(GAIN, fmin(enough, 0.1)), sum, sum + n);
    double size = relative(txHostNorm(sum, (int)n), sizeOfBest(f));
    if (!isfinite(size) && sizeOfBest(f) > 0)
      break;
    /* rounding is all that is left */
    if (!(size <= 0.5 * last) && last < 1) {
      it->converged = last <= ROUNDING;
      it->size = last;
      break;
    }
    for (size_t i = 0; i < n; i++)
      f->best[i] += (long double)sum[i];
    last = relative(txHostNorm(sum, (int)n), sizeOfBest(f));
    /* what the next correction would be; but gradients hardly see some directions, so that only a
     * small correction tells that there is nothing left in them */
    it->size = last * fmin(gain, 1);
    it->converged = it->size <= it->tolerance && last <= fmax(ROUNDING, it->tolerance);
  }
  free(sum);
  return TEXLA_OK;
}

/* f->best <- the solution, scaled and in the order of the columns. After gradients to double
 * accuracy a plain correction takes off what they leave in directions that they hardly see. */
static clStatus iterate(txNormal *f, iteration *it, clError *error) {
  memset(f->best, 0, (size_t)f->cols * sizeof *f->best);
  refinePlainly(f, it);
  if (!it->converged && !f->plain)
    TRY(refineByGradients(f, it, error));
  if (!it->contracts || !it->gradients || !it->converged || it->tolerance > ROUNDING ||
      it->count >= it->most)
    return TEXLA_OK;
  double size = correct(f, it->p);
  for (int i = 0; i < f->L.order && size <= SMALL; i++)
    f->best[i] += (long double)f->z[i];
  it->count++;
  return TEXLA_OK;
}

/* The estimated condition of D A S, its columns brought to length 1: the factor's. */
static clStatus conditionOf(const txNormal *f, double *condition, clError *error) {
  int n = f->L.order;
  double *work =
      txAllocate(error, "clLeastSquaresSolve", 2 * (size_t)n + 1, sizeof *work, "unknowns");
  if (!work)
    return TEXLA_OUT_OF_MEMORY;
  /* || |L L^T| ||_1 <= max_j sum_i |l_i| |l_j|; rows of L are columns of D A S */
  double sum = 0, largest = 0;
  for (int i = 0; i < n; i++) {
    double length = txHostNorm(txHostLowerRow(&f->L, i), i + 1);
    sum += length;
    largest = fmax(largest, length);
  }
  *condition = 1;
  if (n > 0)
    *condition = sqrt(sum * largest * txHostLowerInverseNorm(&f->L, work));
  free(work);
  return TEXLA_OK;
}

/* ---- Rank ------------------------------------------------------------------------------------ */

/* What L claims of the smallest singular value may be rounding in single precision. */
static bool isDoubtful(const txNormal *f, double condition) {
  const double limit = 16 * fmax(4, sqrt(f->L.order)) * ldexp(1, -23);
  return !(condition * condition * limit < 1);
}

/* v <- v / ||v||; returns that norm. */
static double normalize(double *v, int n) {
  double length = txHostNorm(v, n);
  for (int i = 0; i < n && length > 0; i++)
    v[i] /= length;
  return length;
}

/* w <- (L L^T)^-1 (A S)^T D q without its part along v, of length 1. */
static double steepest(const txNormal *f, double *w, const double *q, const double *v) {
  int n = f->L.order;
  multiplyTransposed(f, w, q);
  txHostLowerSolve(&f->L, w);
  txHostLowerSolveTransposed(&f->L, w);
  /* twice is enough */
  for (int k = 0; k < 2; k++) {
    normalize(w, n);
    double along = txHostDot(v, w, n);
    for (int i = 0; i < n; i++)
      w[i] -= along * v[i];
  }
  return normalize(w, n);
}

/* The t for which ||q + t s||^2 / (1 + t^2) is least, q = M v, s = M w, v and w orthonormal. */
static double bestStep(const double *q, const double *s, int m) {
  double qq = txHostDot(q, q, m), qs = txHostDot(q, s, m), ss = txHostDot(s, s, m);
  double apart = ss - qq, root = hypot(apart, 2 * qs);
  if (apart + root == 0)
    return 0;
  return -2 * qs / (apart + root);
}

/* The smallest singular value of M = D A S in double: inverse iteration with L, then Rayleigh and
 * Ritz's best of v and a preconditioned gradient, until M v is rounding error or no longer becomes
 * shorter. */
clStatus txNormalDepends(txNormal *f, bool *dependent, clError *error) {
  enum { MOST = 60, FIRST = 4 };
  int n = f->L.order, m = f->rows;
  double condition = 0, before = INFINITY, *v = f->p, *w = f->z;
  TRY(conditionOf(f, &condition, error));
  *dependent = false;
  if (!isDoubtful(f, condition))
    return TEXLA_OK;
  for (int i = 0; i < n; i++) {
    v[i] = 1 + 0.5 * i / n;
    if (i % 2)
      v[i] = 1 - 0.5 * i / n;
  }
  for (int k = 0; k < 3; k++) {
    txHostLowerSolve(&f->L, v);
    txHostLowerSolveTransposed(&f->L, v);
    normalize(v, n);
  }
  for (int k = 0; k < MOST && !*dependent; k++) {
    multiply(f, f->q, v);
    double length = txHostNorm(f->q, m);
    *dependent = length <= DEPENDENT;
    if (k > FIRST && !(length <= 0.7 * before))
      break;
    before = length;
    if (!(steepest(f, w, f->q, v) > 0))
      break;
    multiply(f, f->r, w);
    double step = bestStep(f->q, f->r, m);
    for (int i = 0; i < n; i++)
      v[i] += step * w[i];
    normalize(v, n);
  }
  return TEXLA_OK;
}

/* x from the iteration, and what can be said of its error. */
clStatus txNormalSolve(txNormal *f, const double *b, const double *g, double tolerance, int most,
                       txNormalReport *report, clError *error) {
  problem p = {b, -1, g};
  iteration it = {.p = &p, .tolerance = tolerance, .most = most};
  TRY(iterate(f, &it, error));
  TRY(conditionOf(f, &report->condition, error));
  residual(f, &p);
  report->residual_norm = 0;
  if (b)
    report->residual_norm = txHostNorm(f->r, f->rows);
  memset(f->x, 0, (size_t)f->cols * sizeof *f->x);
  for (int i = 0; i < f->L.order; i++)
    f->x[f->column[i]] = (double)((long double)f->scale[f->column[i]] * f->best[i]);
  report->iterations = it.count;
  report->gradient_iterations = it.gradients;
  double size = sizeOfBest(f);
  /* Wedin: cond (1 + cond ||r|| / (||A|| ||x||)) times the unit roundoff of residuals, columns of
   * length 1 */
  double sensitivity =
      report->condition * (1 + report->condition * relative(report->residual_norm, size));
  double roundoff = (double)LDBL_EPSILON * (f->rows + f->cols);
  report->error_estimate =
      it.size + SLACK * (DBL_EPSILON + fmin(roundoff, DBL_EPSILON) * sensitivity);
  if (size == 0)
    report->error_estimate = 0;
  report->reason = TEXLA_REASON_STAGNATED;
  if (it.converged)
    report->reason = TEXLA_REASON_CONVERGED;
  else if (!isfinite(size))
    report->reason = TEXLA_REASON_NAN;
  else if (it.count >= most)
    report->reason = TEXLA_REASON_MAX_ITERATIONS;
  return TEXLA_OK;
}

/* Appends a row to L: (L^T best)^T and the length of what is left of the column. */
static void append(txNormal *f, double left) {
  int n = f->L.order;
  double *row = txHostLowerRow(&f->L, n);
  for (int i = 0; i < n; i++)
    row[i] = (double)f->best[i];
  txHostLowerMulTransposed(&f->L, row);
  row[n] = left;
  f->L.order = n + 1;
}

/* Columns that single precision took for dependent: each is tried in double, and appended to L
 * if more than rounding is left of it. */
clStatus txNormalComplete(txNormal *f, clError *error) {
  int waiting = f->cols - f->L.order;
  for (int k = 0; k < waiting; k++) {
    int n = f->L.order, j = f->column[n];
    problem p = {NULL, j, NULL};
    iteration it = {.p = &p, .tolerance = 1e-15, .most = 20 + 4 * n};
    memset(f->best, 0, (size_t)f->cols * sizeof *f->best);
    residual(f, &p);
    double length = txHostNorm(f->r, f->rows);
    TRY(iterate(f, &it, error));
    residual(f, &p);
    double left = txHostNorm(f->r, f->rows);
    if (left > DEPENDENT * length) {
      append(f, left);
      continue;
    }
    /* to the end */
    memmove(f->column + n, f->column + n + 1, (size_t)(f->cols - n - 1) * sizeof *f->column);
    f->column[f->cols - 1] = j;
  }
  return TEXLA_OK;
}
