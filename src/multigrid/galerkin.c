/* Sparse products and a generalized inverse on the host, in double: what algebraic multigrid is set
 * up with. */
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/triplets.h"
#include "core/try.h"
#include "multigrid/aggregation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSolverCreate";

int64_t *txTripletsRowStarts(const clTriplets *A, clError *error) {
  int64_t *start =
      txAllocate(error, call, (size_t)A->rows + 1, sizeof *start, "the rows of a matrix");
  for (int64_t k = 0; k < A->count && start; k++)
    start[A->row[k] + 1]++;
  for (int32_t i = 0; i < A->rows && start; i++)
    start[i + 1] += start[i];
  return start;
}

/* C = A B by Gustavson's algorithm (1978), row by row: first how long each row of C is, then its
 * columns in order, then its values. All three go over blocks of rows on several threads. */
typedef struct product {
  clTriplets *C;
  const clTriplets *A, *B;
  /* a[i], b[i] and c[i] are where row i of A, B and C begins. */
  int64_t *a, *b, *c;
} product;

/* seen[j] <- i + 1 for the columns j of row i of C; `column` (NULL: not wanted) <- these columns.
 * Returns how many there are. */
static int64_t findColumns(const product *p, int64_t i, int32_t *seen, int32_t *column) {
  int64_t count = 0;
  for (int64_t k = p->a[i]; k < p->a[i + 1]; k++) {
    int32_t inner = p->A->col[k];
    for (int64_t l = p->b[inner]; l < p->b[inner + 1]; l++) {
      int32_t j = p->B->col[l];
      if (seen[j] == i + 1)
        continue;
      seen[j] = (int32_t)i + 1;
      if (column)
        column[count] = j;
      count++;
    }
  }
  return count;
}

static int compareColumns(const void *a, const void *b) {
  const int32_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

/* Most rows are short, and those are sorted by insertion. */
static void sortColumns(int32_t *column, int64_t count) {
  const int64_t short_row = 64;
  if (count > short_row) {
    qsort(column, (size_t)count, sizeof *column, compareColumns);
    return;
  }
  for (int64_t k = 1; k < count; k++) {
    int32_t j = column[k];
    int64_t to = k;
    for (; to > 0 && column[to - 1] > j; to--)
      column[to] = column[to - 1];
    column[to] = j;
  }
}

/* c[i + 1] <- how many entries row i of C has; sum[0]: where memory was missing */
static void countRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const product *p = user;
  int32_t *seen = calloc((size_t)p->B->cols, sizeof *seen);
  sum[0] += seen == NULL;
  for (int64_t i = first; i < last && seen; i++)
    p->c[i + 1] = findColumns(p, i, seen, NULL);
  free(seen);
}

/* The positions of the rows [first, last) of C */
static void placeRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const product *p = user;
  clTriplets *C = p->C;
  int32_t *seen = calloc((size_t)p->B->cols, sizeof *seen);
  sum[0] += seen == NULL;
  for (int64_t i = first; i < last && seen; i++) {
    int64_t count = findColumns(p, i, seen, C->col + p->c[i]);
    sortColumns(C->col + p->c[i], count);
    for (int64_t k = p->c[i]; k < p->c[i + 1]; k++)
      C->row[k] = (int32_t)i;
  }
  free(seen);
}

/* The values of the rows [first, last) of C */
static void multiplyRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const product *p = user;
  const clTriplets *A = p->A, *B = p->B;
  clTriplets *C = p->C;
  double *row = calloc((size_t)B->cols, sizeof *row);
  sum[0] += row == NULL;
  for (int64_t i = first; i < last && row; i++) {
    for (int64_t k = p->a[i]; k < p->a[i + 1]; k++)
      for (int64_t l = p->b[A->col[k]]; l < p->b[A->col[k] + 1]; l++)
        row[B->col[l]] += A->value[k] * B->value[l];
    for (int64_t k = p->c[i]; k < p->c[i + 1]; k++) {
      C->value[k] = row[C->col[k]];
      row[C->col[k]] = 0;
    }
  }
  free(row);
}

/* One of the loops above over all rows of C */
static clStatus loopOverRows(product *p, txLoop loop, clError *error) {
  double missing[TX_SUMS];
  txParallel(p->A->rows, loop, p, missing);
  if (missing[0] > 0)
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for a row of a sparse product");
  return TEXLA_OK;
}

static clStatus findFactors(product *p, clError *error) {
  p->a = txTripletsRowStarts(p->A, error);
  p->b = txTripletsRowStarts(p->B, error);
  if (!p->a || !p->b)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

static void forget(product *p) {
  free(p->a);
  free(p->b);
  free(p->c);
}

/* p->C <- a matrix with room for exactly the entries of A B */
static clStatus createProduct(product *p, clError *error) {
  int32_t rows = p->A->rows;
  p->c = txAllocate(error, call, (size_t)rows + 1, sizeof *p->c, "the rows of a sparse product");
  if (!p->c)
    return TEXLA_OUT_OF_MEMORY;
  TRY(loopOverRows(p, countRows, error));
  for (int32_t i = 0; i < rows; i++)
    p->c[i + 1] += p->c[i];
  TRY(clTripletsCreate(&p->C, rows, p->B->cols, p->c[rows], error));
  p->C->count = p->c[rows];
  return TEXLA_OK;
}

clStatus txTripletsMultiply(clTriplets *C, const clTriplets *A, const clTriplets *B,
                            clError *error) {
  product p = {.C = C, .A = A, .B = B, .c = txTripletsRowStarts(C, error)};
  clStatus status = TEXLA_OK;
  if (!p.c)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(findFactors(&p, error));
  TRY_CLEANUP(loopOverRows(&p, multiplyRows, error));
cleanup:
  forget(&p);
  return status;
}

clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B,
                           clError *error) {
  product p = {.A = A, .B = B};
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(findFactors(&p, error));
  TRY_CLEANUP(createProduct(&p, error));
  TRY_CLEANUP(loopOverRows(&p, placeRows, error));
  TRY_CLEANUP(loopOverRows(&p, multiplyRows, error));
  *out = p.C;
  p.C = NULL;
cleanup:
  clTripletsDestroy(p.C);
  forget(&p);
  return status;
}

clStatus txTripletsTurn(clTriplets *T, const clTriplets *A, clError *error) {
  int64_t *next = txTripletsRowStarts(T, error);
  if (!next)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++)
    T->value[next[A->col[k]]++] = A->value[k];
  free(next);
  return TEXLA_OK;
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

/* Exchanges rows with columns as long as there are pivots; returns how many there were. Row i was
 * exchanged with column[i], column i with row[i], or with none where that is -1. */
static int exchangeAll(double *a, int n, double tolerance, int *column, int *row) {
  double first = 0;
  int rank = 0, p = 0, q = 0;
  for (int i = 0; i < n; i++) {
    column[i] = -1;
    row[i] = -1;
  }
  for (; rank < n; rank++) {
    double largest = findPivot(a, n, column, row, &p, &q);
    if (rank == 0)
      first = largest;
    if (!(largest > tolerance * first))
      break;
    exchange(a, n, p, q);
    column[p] = q;
    row[q] = p;
  }
  return rank;
}

int txInvert(double *a, int n, double tolerance) {
  int *column = malloc(2 * (size_t)n * sizeof *column), *row = column + n, rank = -1;
  double *copy = calloc((size_t)n * (size_t)n, sizeof *copy);
  if (column && copy) {
    rank = exchangeAll(a, n, tolerance, column, row);
    /* What was not exchanged is zero in x, and left over in y. */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (column[i] >= 0 && row[j] >= 0)
          copy[column[i] * n + row[j]] = a[i * n + j];
    memcpy(a, copy, (size_t)n * (size_t)n * sizeof *copy);
  }
  free(column);
  free(copy);
  return rank;
}
