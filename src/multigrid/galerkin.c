/* Sparse products and a generalized inverse on the host, in double: what algebraic multigrid is set up with. */
#include "core/allocate.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";

int64_t *txTripletsRowStarts(const clTriplets *A, clError *error) {
  int64_t *start = txAllocate(error, call, (size_t)A->rows + 1, sizeof *start, "the rows of a matrix");
  for (int64_t k = 0; k < A->count && start; k++)
    start[A->row[k] + 1]++;
  for (int32_t i = 0; i < A->rows && start; i++)
    start[i + 1] += start[i];
  return start;
}

clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B, clError *error) {
  clTriplets *C = NULL;
  double *sum = txAllocate(error, call, (size_t)B->cols, sizeof *sum, "a sparse product");
  int32_t *seen = txAllocate(error, call, (size_t)B->cols, sizeof *seen, "a sparse product");
  int32_t *list = txAllocate(error, call, (size_t)B->cols, sizeof *list, "a sparse product");
  int64_t *a = txTripletsRowStarts(A, error), *b = txTripletsRowStarts(B, error);
  clStatus status =
      sum && seen && list && a && b ? clTripletsCreate(&C, A->rows, B->cols, A->count, error) : TEXLA_OUT_OF_MEMORY;
  for (int32_t i = 0; i < A->rows && !status; i++) {
    int32_t count = 0;
    for (int64_t k = a[i]; k < a[i + 1]; k++)
      for (int64_t l = b[A->col[k]]; l < b[A->col[k] + 1]; l++) {
        int32_t j = B->col[l];
        if (seen[j] != i + 1) {
          seen[j] = i + 1;
          list[count++] = j;
          sum[j] = 0;
        }
        sum[j] += A->value[k] * B->value[l];
      }
    for (int32_t l = 0; l < count && !status; l++)
      status = clTripletsAdd(C, i, list[l], sum[list[l]], error);
  }
  if (!status)
    status = clTripletsCompress(C, error);
  free(sum);
  free(seen);
  free(list);
  free(a);
  free(b);
  if (status)
    clTripletsDestroy(C);
  else
    *out = C;
  return status;
}

/* The largest magnitude in rows and columns that have not been exchanged yet. */
static double findPivot(const double *a, int n, const int *column, const int *row, int *p, int *q) {
  double largest = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n && column[i] < 0; j++)
      if (row[j] < 0 && fabs(a[i * n + j]) > largest) {
        largest = fabs(a[i * n + j]);
        *p = i;
        *q = j;
      }
  return largest;
}

/* y = a x, with y_p and x_q exchanged. */
static void exchange(double *a, int n, int p, int q) {
  double pivot = 1 / a[p * n + q];
  for (int j = 0; j < n; j++)
    a[p * n + j] *= -pivot;
  for (int i = 0; i < n; i++) {
    double f = a[i * n + q];
    if (i == p || f == 0)
      continue;
    for (int j = 0; j < n; j++)
      a[i * n + j] += f * a[p * n + j];
    a[i * n + q] = f * pivot;
  }
  a[p * n + q] = pivot;
}

int txInvert(double *a, int n, double tolerance) {
  int *column = malloc(2 * (size_t)n * sizeof *column), *row = column + n, rank = 0, p = 0, q = 0;
  double *copy = malloc((size_t)n * (size_t)n * sizeof *copy), first = 0, largest;
  for (int i = 0; i < n && column; i++)
    column[i] = row[i] = -1; /* that row i, column i were exchanged with */
  for (; column && copy && rank < n; rank++) {
    largest = findPivot(a, n, column, row, &p, &q);
    first = rank ? first : largest;
    if (!(largest > tolerance * first))
      break;
    exchange(a, n, p, q);
    column[p] = q;
    row[q] = p;
  }
  bool done = column && copy;
  if (done)
    memset(copy, 0, (size_t)n * (size_t)n * sizeof *copy);
  for (int i = 0; i < n && done; i++) /* what was not exchanged is zero in x, and left over in y */
    for (int j = 0; j < n; j++)
      if (column[i] >= 0 && row[j] >= 0)
        copy[column[i] * n + row[j]] = a[i * n + j];
  if (done)
    memcpy(a, copy, (size_t)n * (size_t)n * sizeof *copy);
  free(column);
  free(copy);
  return done ? rank : -1;
}
