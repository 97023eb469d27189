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

/* *out <- the positions of A B; all values are zero. */
static clStatus findProduct(clTriplets **out, const clTriplets *A, const clTriplets *B,
                            clError *error) {
  clTriplets *C = NULL;
  int32_t *seen = txAllocate(error, call, (size_t)B->cols, sizeof *seen, "a sparse product");
  int64_t *b = txTripletsRowStarts(B, error);
  clStatus status = TEXLA_OK;
  if (!seen || !b)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(clTripletsCreate(&C, A->rows, B->cols, A->count, error));
  for (int64_t k = 0; k < A->count; k++)
    for (int64_t l = b[A->col[k]]; l < b[A->col[k] + 1]; l++) {
      if (seen[B->col[l]] != A->row[k] + 1) {
        seen[B->col[l]] = A->row[k] + 1;
        TRY_CLEANUP(clTripletsAdd(C, A->row[k], B->col[l], 0, error));
      }
    }
  TRY_CLEANUP(clTripletsCompress(C, error));
  *out = C;
  C = NULL;
cleanup:
  free(seen);
  free(b);
  clTripletsDestroy(C);
  return status;
}

typedef struct product {
  clTriplets *C;
  const clTriplets *A, *B;
  /* b[i] is where row i of B begins. */
  const int64_t *b;
} product;

/* The rows [first, last) of C; sum[0]: where memory was missing */
static void multiplyRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const product *p = user;
  const clTriplets *A = p->A, *B = p->B, *C = p->C;
  double *row = calloc((size_t)B->cols, sizeof *row);
  int64_t k = txTripletsRow(A, (int32_t)first), c = txTripletsRow(C, (int32_t)first);
  sum[0] += row == NULL;
  for (int64_t i = first; i < last && row; i++) {
    for (; k < A->count && A->row[k] == i; k++)
      for (int64_t l = p->b[A->col[k]]; l < p->b[A->col[k] + 1]; l++)
        row[B->col[l]] += A->value[k] * B->value[l];
    for (; c < C->count && C->row[c] == i; c++) {
      C->value[c] = row[C->col[c]];
      row[C->col[c]] = 0;
    }
  }
  free(row);
}

clStatus txTripletsMultiply(clTriplets *C, const clTriplets *A, const clTriplets *B,
                            clError *error) {
  double missing[TX_SUMS];
  int64_t *b = txTripletsRowStarts(B, error);
  if (!b)
    return TEXLA_OUT_OF_MEMORY;
  txParallel(A->rows, multiplyRows, &(product){C, A, B, b}, missing);
  free(b);
  return missing[0] == 0
             ? TEXLA_OK
             : txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for a row of a sparse product");
}

clStatus txTripletsProduct(clTriplets **out, const clTriplets *A, const clTriplets *B,
                           clError *error) {
  clTriplets *C = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(findProduct(&C, A, B, error));
  TRY_CLEANUP(txTripletsMultiply(C, A, B, error));
  *out = C;
  C = NULL;
cleanup:
  clTripletsDestroy(C);
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
