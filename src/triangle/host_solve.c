/* LU with partial pivoting, an estimate of the condition, and the complete orthogonal
 * factorization, in double, on matrices that lie column after column. */
#include "triangle/host_solve.h"
#include "core/allocate.h"
#include "core/try.h"
#include "elimination/host_lower.h"
#include "elimination/norm_estimate.h"
#include "triangle/qr_pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* P A = L U, with U on and above the diagonal of `a` and L below it; row k was exchanged with
 * row[k]. `work` is room for 2 n numbers. rcond estimates 1 / (||A||_1 ||A^-1||_1), and is 0
 * where a pivot is zero. */
typedef struct lu {
  int64_t n;
  double *a;
  int64_t *row;
  double *work;
  double rcond;
  const txHostSystem *of;
} lu;

static void *allocate(const txHostSystem *s, size_t count, size_t size, const char *what) {
  return txAllocate(s->error, s->call, count, size, what);
}

/* Two numbers change places. */
static void exchange(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

/* The 1-norm of a vector. */
static double sumOfMagnitudes(const double *x, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += fabs(x[i]);
  return sum;
}

/* The largest column sum. */
static double normOne(const double *a, int64_t n) {
  double norm = 0;
  for (int64_t j = 0; j < n; j++)
    norm = fmax(norm, sumOfMagnitudes(a + n * j, n));
  return norm;
}

/* Columns 0 to k - 1 of L take their part from column k, which is then exchanged and scaled. False
 * where its pivot is zero. */
static bool factorColumn(lu *f, int64_t k) {
  int64_t n = f->n, best = k;
  double *c = f->a + n * k;
  for (int64_t j = 0; j < k; j++)
    exchange(&c[j], &c[f->row[j]]);
  for (int64_t j = 0; j < k; j++) {
    const double *l = f->a + n * j;
    double factor = c[j];
    for (int64_t i = j + 1; i < n && factor != 0; i++)
      c[i] -= factor * l[i];
  }
  for (int64_t i = k + 1; i < n; i++)
    if (fabs(c[i]) > fabs(c[best]))
      best = i;
  f->row[k] = best;
  for (int64_t j = 0; j <= k; j++)
    exchange(&f->a[k + n * j], &f->a[best + n * j]);
  for (int64_t i = k + 1; i < n && c[k] != 0; i++)
    c[i] /= c[k];
  return c[k] != 0;
}

/* x <- A^-1 x */
static void solveLu(const lu *f, double *x) {
  int64_t n = f->n;
  for (int64_t k = 0; k < n; k++)
    exchange(&x[k], &x[f->row[k]]);
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = k + 1; i < n && x[k] != 0; i++)
      x[i] -= f->a[i + n * k] * x[k];
  for (int64_t k = n - 1; k >= 0; k--) {
    x[k] /= f->a[k + n * k];
    for (int64_t i = 0; i < k; i++)
      x[i] -= f->a[i + n * k] * x[k];
  }
}

/* x <- diag(factor) x; NULL: ones */
static void scale(double *x, const double *factor, int64_t n) {
  for (int64_t i = 0; i < n && factor; i++)
    x[i] *= factor[i];
}

/* The same of A itself. */
static void solveScaled(const lu *f, double *x) {
  scale(x, f->of->row, f->n);
  solveLu(f, x);
  scale(x, f->of->col, f->n);
}

/* x <- A^-T x */
static void solveLuTransposed(const lu *f, double *x) {
  int64_t n = f->n;
  for (int64_t k = 0; k < n; k++) {
    for (int64_t i = 0; i < k; i++)
      x[k] -= f->a[i + n * k] * x[i];
    x[k] /= f->a[k + n * k];
  }
  for (int64_t k = n - 1; k >= 0; k--)
    for (int64_t i = k + 1; i < n; i++)
      x[k] -= f->a[i + n * k] * x[i];
  for (int64_t k = n - 1; k >= 0; k--)
    exchange(&x[k], &x[f->row[k]]);
}

/* x <- A^-1 x or A^-T x, for the estimate of a norm. */
static clStatus applyInverse(void *user, bool transposed, double *x) {
  if (transposed)
    solveLuTransposed(user, x);
  else
    solveLu(user, x);
  return TEXLA_OK;
}

/* ---- Complete orthogonal factorization ------------------------------------------------------- */

/* Also what createQr has left half done. */
static void freeQr(txQrTriangle *f) {
  free(f->a);
  free(f->tau);
  free(f->order);
}

/* There is room for one column more than needed, so that nothing is empty. */
static clStatus createQr(const txHostSystem *s, txQrTriangle *f, int64_t m, int64_t n) {
  size_t columns = (size_t)n + 1;
  *f = (txQrTriangle){.rows = (int)m, .cols = (int)n};
  f->a = allocate(s, (size_t)m * columns, sizeof *f->a, "a matrix in double");
  f->tau = allocate(s, columns, sizeof *f->tau, "reflections");
  f->order = allocate(s, columns, sizeof *f->order, "reflections");
  if (!f->a || !f->tau || !f->order)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* x <- the shortest solution of min ||b - A x||: A P = Q [R S; 0 0], [R S]^T = Q' R', and
 * x = P Q' R'^-T (Q^T b). work: m + n numbers. */
static void solveComplete(const txQrTriangle *f, const txQrTriangle *turned, const double *b,
                          double *x, double *work) {
  double *c = work, *y = work + f->rows;
  int rank = f->steps;
  memcpy(c, b, (size_t)f->rows * sizeof *c);
  for (int k = 0; k < rank; k++)
    txQrReflect(f, k, c);
  memset(y, 0, (size_t)f->cols * sizeof *y);
  for (int k = 0; k < rank; k++) {
    const double *r = turned->a + (int64_t)turned->rows * k;
    y[k] = (c[k] - txHostDot(r, y, k)) / r[k];
  }
  for (int k = rank - 1; k >= 0; k--)
    txQrReflect(turned, k, y);
  for (int j = 0; j < f->cols; j++)
    x[f->order[j]] = y[j];
}

/* Columns whose rest is not longer than `eps` of the longest column, in the larger dimension, are
 * no part of the rank. */
static void factorByRank(txQrTriangle *f, double eps) {
  double longest = 0;
  for (int j = 0; j < f->cols; j++)
    longest = fmax(longest, txHostNorm(f->a + (int64_t)f->rows * j, f->rows));
  f->zero = eps * fmax(f->rows, f->cols) * longest;
  txQrPivot(f, false);
}

/* All columns of X, the shortest of the solutions of least squares each. */
static clStatus shortest(txHostSystem *s, int64_t count, const double *B, double *X) {
  txQrTriangle f = {0}, turned = {0};
  double *work = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createQr(s, &f, s->rows, s->cols));
  memcpy(f.a, s->A, (size_t)(s->rows * s->cols) * sizeof *s->A);
  factorByRank(&f, s->eps);
  s->rank = f.steps;
  TRY_CLEANUP(createQr(s, &turned, s->cols, f.steps));
  for (int64_t k = 0; k < f.steps; k++)
    for (int64_t j = k; j < s->cols; j++)
      turned.a[j + s->cols * k] = f.a[k + s->rows * j];
  txQrPivot(&turned, true);
  work = allocate(s, (size_t)(s->rows + s->cols), sizeof *work, "a column");
  if (!work)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t j = 0; j < count; j++)
    solveComplete(&f, &turned, B + s->rows * j, X + s->cols * j, work);
cleanup:
  freeQr(&f);
  freeQr(&turned);
  free(work);
  return status;
}

/* ---- Square systems -------------------------------------------------------------------------- */

/* NaN would make every comparison of pivots false. */
static bool allFinite(const double *a, int64_t n) {
  for (int64_t k = 0; k < n; k++)
    if (!isfinite(a[k]))
      return false;
  return true;
}

/* The estimate of the condition is zero where a pivot is. */
static void factorLu(lu *f) {
  int64_t n = f->n;
  bool regular = true;
  memcpy(f->a, f->of->A, (size_t)(n * n) * sizeof *f->a);
  for (int64_t j = 0; j < n; j++) {
    scale(f->a + n * j, f->of->row, n);
    for (int64_t i = 0; i < n && f->of->col; i++)
      f->a[i + n * j] *= f->of->col[j];
  }
  double norm = normOne(f->a, n);
  for (int64_t k = 0; k < n && regular; k++)
    regular = factorColumn(f, k);
  double inverse_norm = 0;
  f->rcond = 0;
  if (!regular)
    return;
  txNormEstimate(&inverse_norm, (int)n, applyInverse, f, f->work);
  f->rcond = 1 / (norm * inverse_norm);
}

/* Also what createLu has left half done. */
static void freeLu(lu *f) {
  free(f->a);
  free(f->row);
  free(f->work);
}

/* Factors; what it holds is freed by freeLu, also when it fails. */
static clStatus createLu(txHostSystem *s, lu *f) {
  int64_t n = s->rows;
  *f = (lu){.n = n, .of = s};
  f->a = allocate(s, (size_t)(n * n), sizeof *f->a, "factors in double");
  f->row = allocate(s, (size_t)n, sizeof *f->row, "pivots");
  f->work = allocate(s, 2 * (size_t)n, sizeof *f->work, "a column");
  if (!f->a || !f->row || !f->work)
    return TEXLA_OUT_OF_MEMORY;
  factorLu(f);
  s->rcond = f->rcond;
  s->rank = (int)n;
  return TEXLA_OK;
}

/* x <- A^-1 b, corrected once: then the componentwise backward error is rounding (Skeel 1980). */
static void solveColumn(const txHostSystem *s, const lu *f, const double *b, double *x) {
  int64_t n = f->n;
  double *r = f->work;
  memcpy(x, b, (size_t)n * sizeof *x);
  solveScaled(f, x);
  memcpy(r, b, (size_t)n * sizeof *r);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n && x[j] != 0; i++)
      r[i] -= s->A[i + n * j] * x[j];
  solveScaled(f, r);
  for (int64_t i = 0; i < n; i++)
    x[i] += r[i];
}

clStatus txHostSolve(txHostSystem *s, int64_t count, const double *B, double *X) {
  int64_t n = s->rows;
  lu f = {0};
  if (!allFinite(s->A, s->rows * s->cols) || !allFinite(B, s->rows * count))
    return txFail(s->error, TEXLA_NOT_FINITE, s->call, "the system holds NaN or Inf");
  s->rcond = 1;
  if (s->rows != s->cols)
    return shortest(s, count, B, X);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createLu(s, &f));
  if (!(f.rcond >= s->eps))
    TRY_CLEANUP(shortest(s, count, B, X));
  else
    for (int64_t j = 0; j < count; j++)
      solveColumn(s, &f, B + n * j, X + n * j);
cleanup:
  freeLu(&f);
  return status;
}

clStatus txHostInvert(txHostSystem *s, double *X) {
  int64_t n = s->rows;
  lu f = {0};
  if (!allFinite(s->A, n * n))
    return txFail(s->error, TEXLA_NOT_FINITE, s->call, "the matrix holds NaN or Inf");
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createLu(s, &f));
  double empty = 0;
  if (f.rcond == 0)
    empty = INFINITY;
  for (int64_t k = 0; k < n * n; k++)
    X[k] = empty;
  for (int64_t j = 0; j < n && f.rcond > 0; j++) {
    X[j + n * j] = 1;
    solveLu(&f, X + n * j);
  }
cleanup:
  freeLu(&f);
  return status;
}
