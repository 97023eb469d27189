/* LU with partial pivoting, an estimate of the condition, and the complete orthogonal
 * factorization, in double, on matrices that lie column after column. */
#include "queue/double_systems.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* P A = L U, with U on and above the diagonal of `a` and L below it; row k was exchanged with
 * row[k]. `work` is room for n numbers. rcond estimates 1 / (||A||_1 ||A^-1||_1), and is 0 where a
 * pivot is zero. */
typedef struct lu {
  int64_t n;
  double *a;
  int64_t *row;
  double *work;
  double rcond;
} lu;

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

/* An estimate of ||A^-1||_1 from below (Higham 1988, "FORTRAN codes for estimating the one-norm",
 * algorithm 674); x: n numbers. */
static double inverseNorm(const lu *f, double *x) {
  int64_t n = f->n, at = -1;
  double norm = 0;
  for (int64_t i = 0; i < n; i++)
    x[i] = 1. / (double)n;
  for (int round = 0; round < 5; round++) {
    solveLu(f, x);
    double now = sumOfMagnitudes(x, n);
    if (round && !(now > norm))
      break;
    norm = now;
    for (int64_t i = 0; i < n; i++)
      x[i] = copysign(1, x[i]);
    solveLuTransposed(f, x);
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
      if (fabs(x[i]) > fabs(x[best]))
        best = i;
    if (best == at)
      break;
    at = best;
    memset(x, 0, (size_t)n * sizeof *x);
    x[at] = 1;
  }
  for (int64_t i = 0; i < n; i++) {
    double size = 1 + (double)i / fmax((double)n - 1, 1);
    x[i] = size;
    if (i % 2 == 1)
      x[i] = -size;
  }
  solveLu(f, x);
  return fmax(norm, 2 * sumOfMagnitudes(x, n) / (3 * (double)n));
}

/* ---- Complete orthogonal factorization ------------------------------------------------------- */

/* Householder's reflections of an m x n matrix: R on and above the diagonal, the vectors below it
 * with v_k in column k, whose first entries are in `head`. */
typedef struct qr {
  int64_t m, n, steps;
  double *a, *head, *factor;
  int64_t *column;
} qr;

/* Scaled by the largest entry, so that squares neither overflow nor vanish. */
static double norm2(const double *x, int64_t n) {
  double largest = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(x[i]));
  for (int64_t i = 0; i < n && largest > 0; i++)
    sum += x[i] / largest * (x[i] / largest);
  return largest * sqrt(sum);
}

/* x <- (I - factor v v^T) x, with x from row k on. */
static void reflect(const qr *f, int64_t k, double *x) {
  const double *v = f->a + f->m * k;
  double sum = f->head[k] * x[k];
  for (int64_t i = k + 1; i < f->m; i++)
    sum += v[i] * x[i];
  sum *= f->factor[k];
  x[k] -= sum * f->head[k];
  for (int64_t i = k + 1; i < f->m; i++)
    x[i] -= sum * v[i];
}

/* The column whose rest is longest comes next (Businger and Golub 1965), and is exchanged as a
 * whole. */
static void pivotColumn(qr *f, int64_t k) {
  int64_t best = k;
  double largest = -1;
  for (int64_t j = k; j < f->n; j++) {
    double norm = norm2(f->a + k + f->m * j, f->m - k);
    if (norm > largest) {
      largest = norm;
      best = j;
    }
  }
  for (int64_t i = 0; i < f->m; i++)
    exchange(&f->a[i + f->m * k], &f->a[i + f->m * best]);
  int64_t kept = f->column[k];
  f->column[k] = f->column[best];
  f->column[best] = kept;
}

/* Factors until the next diagonal entry is at most `least` times the first one, or to the end;
 * f->steps is the number of reflections, the rank. */
static void factorQr(qr *f, bool pivot, double least) {
  f->steps = 0;
  for (int64_t k = 0; k < f->m && k < f->n; k++) {
    if (pivot)
      pivotColumn(f, k);
    double *c = f->a + f->m * k, norm = norm2(c + k, f->m - k);
    if (pivot && (norm == 0 || norm <= least * fabs(f->a[0])) && k)
      return;
    if (norm == 0)
      return;
    double diagonal = -copysign(norm, c[k]);
    f->head[k] = c[k] - diagonal;
    double tail = norm2(c + k + 1, f->m - k - 1);
    f->factor[k] = 2 / (f->head[k] * f->head[k] + tail * tail);
    f->steps++;
    for (int64_t j = k + 1; j < f->n; j++)
      reflect(f, k, f->a + f->m * j);
    c[k] = diagonal;
  }
}

static void freeQr(qr *f) {
  free(f->a);
  free(f->head);
  free(f->factor);
  free(f->column);
}

/* There is room for one column more than needed, so that nothing is empty. */
static clStatus createQr(const txCall *call, qr *f, int64_t m, int64_t n) {
  size_t columns = (size_t)n + 1;
  *f = (qr){.m = m, .n = n};
  f->a = txCallAllocate(call, (size_t)m * columns, sizeof *f->a, "a matrix in double");
  f->head = txCallAllocate(call, columns, sizeof *f->head, "reflections");
  f->factor = txCallAllocate(call, columns, sizeof *f->factor, "reflections");
  f->column = txCallAllocate(call, columns, sizeof *f->column, "reflections");
  for (int64_t j = 0; j < n && f->column; j++)
    f->column[j] = j;
  if (!f->a || !f->head || !f->factor || !f->column)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

/* x <- the shortest solution of min ||b - A x||: A P = Q [R S; 0 0], [R S]^T = Q' R', and
 * x = P Q' R'^-T (Q^T b). work: m + n numbers. */
static void solveComplete(const qr *f, const qr *turned, const double *b, double *x, double *work) {
  double *c = work, *y = work + f->m;
  int64_t rank = f->steps;
  memcpy(c, b, (size_t)f->m * sizeof *c);
  for (int64_t k = 0; k < rank; k++)
    reflect(f, k, c);
  memset(y, 0, (size_t)f->n * sizeof *y);
  for (int64_t k = 0; k < rank; k++) {
    y[k] = c[k];
    for (int64_t i = 0; i < k; i++)
      y[k] -= turned->a[i + turned->m * k] * y[i];
    y[k] /= turned->a[k + turned->m * k];
  }
  for (int64_t k = rank - 1; k >= 0; k--)
    reflect(turned, k, y);
  for (int64_t j = 0; j < f->n; j++)
    x[f->column[j]] = y[j];
}

/* All columns of X, the shortest of the solutions of least squares each. */
static clStatus shortest(txCall *call, txShape s, const double *A, int64_t count, const double *B,
                         double *X, double eps) {
  qr f = {0}, turned = {0};
  double *work = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createQr(call, &f, s.rows, s.cols));
  memcpy(f.a, A, (size_t)(s.rows * s.cols) * sizeof *A);
  factorQr(&f, true, eps * fmax((double)s.rows, (double)s.cols));
  TRY_CLEANUP(createQr(call, &turned, s.cols, f.steps));
  for (int64_t k = 0; k < f.steps; k++)
    for (int64_t j = k; j < s.cols; j++)
      turned.a[j + s.cols * k] = f.a[k + s.rows * j];
  factorQr(&turned, false, 0);
  work = txCallAllocate(call, (size_t)(s.rows + s.cols), sizeof *work, "a column");
  if (!work) {
    status = TEXLA_OUT_OF_MEMORY;
    goto cleanup;
  }
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
  f->rcond = 0;
  if (regular)
    f->rcond = 1 / (normOne(A, n) * inverseNorm(f, f->work));
}

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
  f->work = txCallAllocate(call, (size_t)n, sizeof *f->work, "a column");
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

clStatus txDoubleSolve(txCall *call, txShape a, const double *A, int64_t count, const double *B,
                       double *X, txSingular singular) {
  if (!allFinite(A, a.rows * a.cols) || !allFinite(B, a.rows * count))
    return txCallFail(call, TEXLA_NOT_FINITE, "the system holds NaN or Inf");
  if (a.rows != a.cols)
    return shortest(call, a, A, count, B, X, singular.eps);
  int64_t n = a.rows;
  lu f;
  clStatus status = createLu(call, &f, n, A);
  if (!status)
    status = judge(call, &f, singular);
  if (!status && !(f.rcond >= singular.eps))
    status = shortest(call, a, A, count, B, X, singular.eps);
  else if (!status) {
    memcpy(X, B, (size_t)(n * count) * sizeof *X);
    for (int64_t j = 0; j < count; j++)
      solveLu(&f, X + n * j);
  }
  freeLu(&f);
  return status;
}

clStatus txDoubleInverse(txCall *call, int64_t n, const double *A, double *X, txSingular singular) {
  if (!allFinite(A, n * n))
    return txCallFail(call, TEXLA_NOT_FINITE, "the matrix holds NaN or Inf");
  lu f;
  clStatus status = createLu(call, &f, n, A);
  if (!status)
    status = judge(call, &f, singular);
  for (int64_t k = 0; k < n * n && !status; k++) {
    X[k] = 0;
    if (f.rcond == 0)
      X[k] = INFINITY;
  }
  for (int64_t j = 0; j < n && !status && f.rcond > 0; j++) {
    X[j + n * j] = 1;
    solveLu(&f, X + n * j);
  }
  freeLu(&f);
  return status;
}
