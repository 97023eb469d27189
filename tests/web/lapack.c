/* The few functions of BLAS and LAPACK that tests compare with, as their textbooks have them: slow
 * and obvious, for square factors. */
#include "cblas.h"
#include "lapacke.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Element (i, j) of a matrix. */
static size_t at(int order, int ld, int i, int j) {
  if (order == LAPACK_ROW_MAJOR)
    return (size_t)i * (size_t)ld + (size_t)j;
  return (size_t)j * (size_t)ld + (size_t)i;
}

/* C <- alpha op(A) op(B) + beta C */
void cblas_dgemm(CBLAS_ORDER order, CBLAS_TRANSPOSE at_, CBLAS_TRANSPOSE bt, int m, int n, int k,
                 double alpha, const double *a, int lda, const double *b, int ldb, double beta,
                 double *c, int ldc) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++) {
        double left = a[at_ == CblasTrans ? at((int)order, lda, l, i) : at((int)order, lda, i, l)];
        sum += left * b[bt == CblasTrans ? at((int)order, ldb, j, l) : at((int)order, ldb, l, j)];
      }
      double *y = &c[at((int)order, ldc, i, j)];
      *y = alpha * sum + (beta == 0 ? 0 : beta * *y);
    }
}

/* The largest sum of a column ('1') or a row ('I'). */
double LAPACKE_dlange(int order, char norm, int m, int n, const double *a, int lda) {
  double most = 0;
  int lines = norm == 'I' ? m : n;
  int length = norm == 'I' ? n : m;
  for (int i = 0; i < lines; i++) {
    double sum = 0;
    for (int j = 0; j < length; j++)
      sum += fabs(a[norm == 'I' ? at(order, lda, i, j) : at(order, lda, j, i)]);
    most = fmax(most, sum);
  }
  return most;
}

static void swapRows(int order, int cols, double *a, int lda, int i, int k) {
  for (int j = 0; j < cols && i != k; j++) {
    double *x = &a[at(order, lda, i, j)], *y = &a[at(order, lda, k, j)], keep = *x;
    *x = *y;
    *y = keep;
  }
}

/* P A = L U; pivots count from 1. */
int LAPACKE_dgetrf(int order, int m, int n, double *a, int lda, lapack_int *pivot) {
  int singular = 0;
  for (int k = 0; k < m && k < n; k++) {
    int p = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(a[at(order, lda, i, k)]) > fabs(a[at(order, lda, p, k)]))
        p = i;
    pivot[k] = p + 1;
    swapRows(order, n, a, lda, k, p);
    double head = a[at(order, lda, k, k)];
    if (head == 0 && !singular)
      singular = k + 1;
    for (int i = k + 1; i < m && head != 0; i++) {
      double l = a[at(order, lda, i, k)] /= head;
      for (int j = k + 1; j < n; j++)
        a[at(order, lda, i, j)] -= l * a[at(order, lda, k, j)];
    }
  }
  return singular;
}

/* x <- T^-1 x for column c of B: T is the lower triangle of A with a diagonal of ones, or the upper
 * one; with `turned` the transpose of A's. */
static void solveTriangle(int order, int n, const double *a, int lda, int lower, int turned,
                          double *b, int ldb, int c) {
  int unit = lower != turned;
  for (int step = 0; step < n; step++) {
    int i = lower ? step : n - 1 - step;
    double sum = b[at(order, ldb, i, c)];
    for (int j = lower ? 0 : i + 1; j < (lower ? i : n); j++)
      sum -= a[turned ? at(order, lda, j, i) : at(order, lda, i, j)] * b[at(order, ldb, j, c)];
    b[at(order, ldb, i, c)] = unit ? sum : sum / a[at(order, lda, i, i)];
  }
}

/* B <- A^-1 B, or A^-T B for 'T' */
int LAPACKE_dgetrs(int order, char transpose, int n, int count, const double *a, int lda,
                   const lapack_int *pivot, double *b, int ldb) {
  int turned = transpose == 'T';
  for (int k = 0; k < n && !turned; k++)
    swapRows(order, count, b, ldb, k, pivot[k] - 1);
  for (int c = 0; c < count; c++) {
    solveTriangle(order, n, a, lda, 1, turned, b, ldb, c);
    solveTriangle(order, n, a, lda, 0, turned, b, ldb, c);
  }
  for (int k = n - 1; k >= 0 && turned; k--)
    swapRows(order, count, b, ldb, k, pivot[k] - 1);
  return 0;
}

/* A <- A^-1 */
int LAPACKE_dgetri(int order, int n, double *a, int lda, const lapack_int *pivot) {
  double *x = calloc((size_t)n * (size_t)n, sizeof *x);
  for (int i = 0; i < n; i++)
    x[at(order, n, i, i)] = 1;
  LAPACKE_dgetrs(order, 'N', n, n, a, lda, pivot, x, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[at(order, lda, i, j)] = x[at(order, n, i, j)];
  free(x);
  return 0;
}

int LAPACKE_dgesv(int order, int n, int count, double *a, int lda, lapack_int *pivot, double *b,
                  int ldb) {
  int singular = LAPACKE_dgetrf(order, n, n, a, lda, pivot);
  if (!singular)
    LAPACKE_dgetrs(order, 'N', n, count, a, lda, pivot, b, ldb);
  return singular;
}
