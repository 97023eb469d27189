/* LU with partial pivoting, an estimate of the condition, and the complete orthogonal
 * factorization, in double, on matrices that lie column after column. */
#include "queue/double_systems.h"
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
} lu;

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
static clStatus createQr(const txCall *call, txQrTriangle *f, int64_t m, int64_t n) {
  size_t columns = (size_t)n + 1;
  *f = (txQrTriangle){.rows = (int)m, .cols = (int)n};
  f->a = txCallAllocate(call, (size_t)m * columns, sizeof *f->a, "a matrix in double");
  f->tau = txCallAllocate(call, columns, sizeof *f->tau, "reflections");
  f->order = txCallAllocate(call, columns, sizeof *f->order, "reflections");
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
static clStatus shortest(txCall *call, txShape s, const double *A, int64_t count, const double *B,
                         double *X, double eps) {
  txQrTriangle f = {0}, turned = {0};
  double *work = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createQr(call, &f, s.rows, s.cols));
  memcpy(f.a, A, (size_t)(s.rows * s.cols) * sizeof *A);
  factorByRank(&f, eps);
  TRY_CLEANUP(createQr(call, &turned, s.cols, f.steps));
  for (int64_t k = 0; k < f.steps; k++)
    for (int64_t j = k; j < s.cols; j++)
      turned.a[j + s.cols * k] = f.a[k + s.rows * j];
  txQrPivot(&turned, true);
  work = txCallAllocate(call, (size_t)(s.rows + s.cols), sizeof *work, "a column");
  if (!work)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  for (int64_t j = 0; j < count; j++)
    solveComplete(&f, &turned, B + s.rows * j, X + s.cols * j, work);
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
static void factorLu(lu *f, const double *A) {
  int64_t n = f->n;
  bool regular = true;
  memcpy(f->a, A, (size_t)(n * n) * sizeof *A);
  for (int64_t k = 0; k < n && regular; k++)
    regular = factorColumn(f, k);
  double inverse_norm = 0;
  f->rcond = 0;
  if (!regular)
    return;
  txNormEstimate(&inverse_norm, (int)n, applyInverse, f, f->work);
  f->rcond = 1 / (normOne(A, n) * inverse_norm);
}

/* Also what createLu has left half done. */
static void freeLu(lu *f) {
  free(f->a);
  free(f->row);
  free(f->work);
}

/* Factors; what it holds is freed by freeLu, also when it fails. */
static clStatus createLu(const txCall *call, lu *f, int64_t n, const double *A) {
  *f = (lu){.n = n};
  f->a = txCallAllocate(call, (size_t)(n * n), sizeof *f->a, "factors in double");
  f->row = txCallAllocate(call, (size_t)n, sizeof *f->row, "pivots");
  f->work = txCallAllocate(call, 2 * (size_t)n, sizeof *f->work, "a column");
  if (!f->a || !f->row || !f->work)
    return TEXLA_OUT_OF_MEMORY;
  factorLu(f, A);
  return TEXLA_OK;
}

/* A factored matrix that eps calls singular. */
static clStatus judge(const txCall *call, const lu *f, txSingular singular) {
  if (f->rcond >= singular.eps)
    return TEXLA_OK;
  if (!singular.tolerated)
    return txCallFail(call, TEXLA_SINGULAR, "the matrix is singular, rcond = %.3g", f->rcond);
  txCallNoteSingular(call, f->rcond);
  return TEXLA_OK;
}

/* Square systems by LU as long as that is regular to `singular.eps`; others, and those of
 * singular matrices where they are tolerated, by the shortest least squares solution. */
clStatus txDoubleSolve(txCall *call, txShape a, const double *A, int64_t count, const double *B,
                       double *X, txSingular singular) {
  if (!allFinite(A, a.rows * a.cols) || !allFinite(B, a.rows * count))
    return txCallFail(call, TEXLA_NOT_FINITE, "the system holds NaN or Inf");
  if (a.rows != a.cols)
    return shortest(call, a, A, count, B, X, singular.eps);
  int64_t n = a.rows;
  lu f;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createLu(call, &f, n, A));
  TRY_CLEANUP(judge(call, &f, singular));
  if (f.rcond >= singular.eps) {
    memcpy(X, B, (size_t)(n * count) * sizeof *X);
    for (int64_t j = 0; j < count; j++)
      solveLu(&f, X + n * j);
  } else
    TRY_CLEANUP(shortest(call, a, A, count, B, X, singular.eps));
cleanup:
  freeLu(&f);
  return status;
}

/* Column by column; a singular matrix that is tolerated has an inverse of infinities, as in
 * Octave. */
clStatus txDoubleInverse(txCall *call, int64_t n, const double *A, double *X, txSingular singular) {
  if (!allFinite(A, n * n))
    return txCallFail(call, TEXLA_NOT_FINITE, "the matrix holds NaN or Inf");
  lu f;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createLu(call, &f, n, A));
  TRY_CLEANUP(judge(call, &f, singular));
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
