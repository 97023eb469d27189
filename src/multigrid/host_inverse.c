#include "multigrid/host_inverse.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The largest magnitude in columns [first, end) and in rows, of those that have not been exchanged
 * yet. */
static double findPivot(const double *a, int n, int first, int end, const int *column,
                        const int *row, int *p, int *q) {
  double largest = 0;
  for (int i = 0; i < n; i++)
    for (int j = first; j < end && column[i] < 0; j++)
      if (row[j] < 0 && fabs(a[i * n + j]) > largest) {
        largest = fabs(a[i * n + j]);
        *p = i;
        *q = j;
      }
  return largest;
}

/* y = a x, with y_p and x_q exchanged. */
static void hostInverseExchange(double *a, int n, int p, int q) {
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

/* Exchanges rows with columns as long as there are pivots; returns how many there were. Row i was
 * exchanged with column[i], column i with row[i], or with none where that is -1. */
static int exchangeAll(double *a, int n, double tolerance, int *column, int *row) {
  bool any_column = tolerance > 0;
  double first = 0;
  int rank = 0, p = 0, q = 0;
  for (int i = 0; i < n; i++) {
    column[i] = -1;
    row[i] = -1;
  }
  for (; rank < n; rank++) {
    int from = any_column ? 0 : rank;
    int to = any_column ? n : rank + 1;
    double largest = findPivot(a, n, from, to, column, row, &p, &q);
    if (rank == 0)
      first = largest;
    if (!(largest > tolerance * first))
      break;
    hostInverseExchange(a, n, p, q);
    column[p] = q;
    row[q] = p;
  }
  return rank;
}

clStatus txInvert(double *a, int n, double tolerance, int *rank, const char *call, clError *error) {
  size_t size = (size_t)n, entries = size * size;
  int *column = txAllocate(error, call, 2 * size, sizeof *column, "inverting a matrix"),
      *row = column + size;
  double *copy = txAllocate(error, call, entries, sizeof *copy, "inverting a matrix");
  clStatus status = TEXLA_OK;
  if (!column || !copy)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  *rank = exchangeAll(a, n, tolerance, column, row);
  /* What was not exchanged is zero in x, and left over in y. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (column[i] >= 0 && row[j] >= 0)
        copy[column[i] * n + row[j]] = a[i * n + j];
  memcpy(a, copy, entries * sizeof *copy);
cleanup:
  free(column);
  free(copy);
  return status;
}
