#include "core/triplets.h"
#include "core/try.h"
#include "core/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/parallel.h"

#define TX_CAPACITY_MAX ((int64_t)(PTRDIFF_MAX / 16)) /* an entry has 16 bytes */

/* Makes room for `capacity` entries; after a failure A is as it was (perhaps with spare memory
 * behind an array). */
static clStatus reserve(clTriplets *A, int64_t capacity, const char *call, clError *error) {
  if (capacity > TX_CAPACITY_MAX)
    return txFail(error, TEXLA_TOO_LARGE, call, "%lld entries do not fit into memory",
                  (long long)capacity);
  size_t n = (size_t)capacity + !capacity;
  int32_t *row = txReallocate(error, call, A->row, n, sizeof *row, "entries");
  if (!row)
    return TEXLA_OUT_OF_MEMORY;
  A->row = row;
  int32_t *col = txReallocate(error, call, A->col, n, sizeof *col, "entries");
  if (!col)
    return TEXLA_OUT_OF_MEMORY;
  A->col = col;
  double *value = txReallocate(error, call, A->value, n, sizeof *value, "entries");
  if (!value)
    return TEXLA_OUT_OF_MEMORY;
  A->value = value;
  A->capacity = (int64_t)n;
  return TEXLA_OK;
}

/* Room is only reserved: more entries than `capacity` may be added. */
clStatus clTripletsCreate(clTriplets **out, int32_t rows, int32_t cols, int64_t capacity,
                          clError *error) {
  const char *call = "clTripletsCreate";
  if (!out || rows < 1 || cols < 1 || capacity < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "%d x %d with room for %lld entries: sizes must be positive", rows, cols,
                  (long long)capacity);
  clTriplets *A = txAllocate(error, call, 1, sizeof *A, "a matrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  A->rows = rows;
  A->cols = cols;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(reserve(A, capacity, call, error));
  *out = A;
  return TEXLA_OK;
cleanup:
  clTripletsDestroy(A);
  return status;
}

void clTripletsDestroy(clTriplets *A) {
  if (!A)
    return;
  free(A->row);
  free(A->col);
  free(A->value);
  free(A);
}

/* Room grows by half, so that adding one by one takes linear time. */
clStatus clTripletsAdd(clTriplets *A, int32_t i, int32_t j, double value, clError *error) {
  const char *call = "clTripletsAdd";
  if (!A)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the matrix is NULL");
  if (i < 0 || i >= A->rows || j < 0 || j >= A->cols)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "position (%d, %d) is outside the %d x %d matrix", i, j, A->rows, A->cols);
  if (!isfinite(value))
    return txFail(error, TEXLA_NOT_FINITE, call, "the value at (%d, %d) is %g", i, j, value);
  if (A->count == A->capacity) {
    int64_t half = A->capacity / 2 + 8;
    TRY(reserve(A, A->capacity + half, call, error));
  }
  A->row[A->count] = i;
  A->col[A->count] = j;
  A->value[A->count++] = value;
  return TEXLA_OK;
}

/* The first of the entries that cannot be added. */
static clStatus checkEntries(const clTriplets *A, int64_t count, const int32_t *row,
                             const int32_t *col, const double *value, const char *call,
                             clError *error) {
  for (int64_t k = 0; k < count; k++) {
    if (row[k] < 0 || row[k] >= A->rows || col[k] < 0 || col[k] >= A->cols)
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "entry %lld: position (%d, %d) is outside the %d x %d matrix", (long long)k,
                    row[k], col[k], A->rows, A->cols);
    if (!isfinite(value[k]))
      return txFail(error, TEXLA_NOT_FINITE, call, "entry %lld: the value at (%d, %d) is %g",
                    (long long)k, row[k], col[k], value[k]);
  }
  return TEXLA_OK;
}

/* All or none: the entries are checked before the first one is added. */
clStatus clTripletsAddMany(clTriplets *A, int64_t count, const int32_t *row, const int32_t *col,
                           const double *value, clError *error) {
  const char *call = "clTripletsAddMany";
  if (!A || count < 0 || (count && (!row || !col || !value)))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "A, row, col and value must not be NULL, count (%lld) not negative",
                  (long long)count);
  TRY(checkEntries(A, count, row, col, value, call, error));
  if (count > INT64_MAX / 4 - A->count)
    return txFail(error, TEXLA_TOO_LARGE, call, "%lld entries do not fit into memory",
                  (long long)count);
  if (count > A->capacity - A->count)
    TRY(reserve(A, A->count + count + A->capacity / 2, call, error));
  if (!count)
    return TEXLA_OK;
  memcpy(A->row + A->count, row, (size_t)count * sizeof *row);
  memcpy(A->col + A->count, col, (size_t)count * sizeof *col);
  memcpy(A->value + A->count, value, (size_t)count * sizeof *value);
  A->count += count;
  return TEXLA_OK;
}

/* The positions of the columns are checked with the entries; rows follow from `start`. */
clStatus clTripletsFromCsr(clTriplets **out, int32_t rows, int32_t cols, const int64_t *start,
                           const int32_t *col, const double *value, clError *error) {
  const char *call = "clTripletsFromCsr";
  if (!out || rows < 1 || cols < 1 || !start || start[0] != 0)
    return txFail(
        error, TEXLA_BAD_ARGUMENT, call,
        "out and start must not be NULL, rows (%d) and cols (%d) at least 1, start[0] must be 0",
        rows, cols);
  for (int32_t i = 0; i < rows; i++)
    if (start[i + 1] < start[i])
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "row %d ends at %lld, before it begins at %lld", i, (long long)start[i + 1],
                    (long long)start[i]);
  if (start[rows] && (!col || !value))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "col and value must not be NULL");
  clTriplets *A = NULL;
  TRY(clTripletsCreate(&A, rows, cols, start[rows], error));
  for (int32_t i = 0; i < rows; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      A->row[k] = i;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(checkEntries(A, start[rows], A->row, col, value, call, error));
  if (start[rows]) {
    memcpy(A->col, col, (size_t)start[rows] * sizeof *col);
    memcpy(A->value, value, (size_t)start[rows] * sizeof *value);
    A->count = start[rows];
    TRY_CLEANUP(clTripletsCompress(A, error));
  }
  *out = A;
  return TEXLA_OK;
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* An entry with its position as one number, so that sorting by row, then column, is sorting by
 * key. */
typedef struct entry {
  uint64_t key;
  double value;
} entry;

static uint64_t keyOf(int32_t i, int32_t j) {
  return (uint64_t)i << 32 | (uint32_t)j;
}

static bool isCompressed(const clTriplets *A) {
  for (int64_t k = 1; k < A->count; k++)
    if (keyOf(A->row[k - 1], A->col[k - 1]) >= keyOf(A->row[k], A->col[k]))
      return false;
  return true;
}

/* col and value may be NULL where only the starts are wanted. */
clStatus clTripletsToCsr(const clTriplets *A, int64_t *start, int32_t *col, double *value,
                         clError *error) {
  const char *call = "clTripletsToCsr";
  if (!A || !start)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "A and start must not be NULL");
  if (!isCompressed(A))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "A is not in order: call clTripletsCompress first");
  int64_t k = 0;
  for (int32_t i = 0; i < A->rows; i++) {
    start[i] = k;
    while (k < A->count && A->row[k] == i)
      k++;
  }
  start[A->rows] = A->count;
  if (col && A->count)
    memcpy(col, A->col, (size_t)A->count * sizeof *col);
  if (value && A->count)
    memcpy(value, A->value, (size_t)A->count * sizeof *value);
  return TEXLA_OK;
}

enum { TX_DIGIT_BITS = 11, TX_DIGITS = 1 << TX_DIGIT_BITS };

/* One stable counting pass: to <- from, sorted by the digit of the key at bit `shift`. */
static void sortByDigit(entry *to, const entry *from, int64_t count, int shift) {
  int64_t start[TX_DIGITS + 1] = {0};
  for (int64_t k = 0; k < count; k++)
    start[(from[k].key >> shift) % TX_DIGITS + 1]++;
  for (int d = 0; d < TX_DIGITS; d++)
    start[d + 1] += start[d];
  for (int64_t k = 0; k < count; k++)
    to[start[(from[k].key >> shift) % TX_DIGITS]++] = from[k];
}

/* Sorts entries[0..count) by the digits in which the columns, then the rows, can differ;
 * entries[count..2 count) is scratch. Returns the half that holds the result. */
static entry *sortEntries(entry *entries, const clTriplets *A) {
  const int32_t largest[2] = {A->cols - 1, A->rows - 1};
  entry *from = entries, *to = entries + A->count;
  for (int part = 0; part < 2; part++)
    for (int bit = 0; bit < 32 && largest[part] >> bit; bit += TX_DIGIT_BITS) {
      sortByDigit(to, from, A->count, 32 * part + bit);
      entry *swap = from;
      from = to;
      to = swap;
    }
  return from;
}

/* Adds up neighbours with equal keys and returns how many entries are left. */
static int64_t sumDuplicates(entry *entries, int64_t count) {
  int64_t last = 0;
  for (int64_t k = 1; k < count; k++) {
    if (entries[k].key == entries[last].key)
      entries[last].value += entries[k].value;
    else
      entries[++last] = entries[k];
  }
  return last + 1;
}

/* A radix sort by column and row, then neighbours with equal positions are added up. A sum that
 * overflows leaves A as it was. */
clStatus clTripletsCompress(clTriplets *A, clError *error) {
  const char *call = "clTripletsCompress";
  if (!A)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the matrix is NULL");
  if (isCompressed(A))
    return TEXLA_OK;
  entry *entries =
      txAllocate(error, call, 2 * (size_t)A->count, sizeof *entries, "sorting the entries");
  if (!entries)
    return TEXLA_OUT_OF_MEMORY;
  for (int64_t k = 0; k < A->count; k++)
    entries[k] = (entry){keyOf(A->row[k], A->col[k]), A->value[k]};
  entry *sorted = sortEntries(entries, A);
  int64_t count = sumDuplicates(sorted, A->count);
  clStatus status = TEXLA_OK;
  for (int64_t k = 0; k < count; k++)
    if (!isfinite(sorted[k].value))
      TRY_CLEANUP(txFail(error, TEXLA_NOT_FINITE, call, "the duplicates at (%d, %d) sum to %g",
                         (int32_t)(sorted[k].key >> 32), (int32_t)sorted[k].key, sorted[k].value));
  for (int64_t k = 0; k < count; k++) {
    A->row[k] = (int32_t)(sorted[k].key >> 32);
    A->col[k] = (int32_t)(sorted[k].key & INT32_MAX);
    A->value[k] = sorted[k].value;
  }
  A->count = count;
cleanup:
  free(entries);
  return status;
}

/* A counting sort by columns; it is stable, so rows stay in order within a column. */
clStatus clTripletsTranspose(clTriplets **out, const clTriplets *A, clError *error) {
  const char *call = "clTripletsTranspose";
  if (!out || !A)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "out and A must not be NULL");
  int64_t *next = txAllocate(error, call, (size_t)A->cols + 1, sizeof *next, "sorting by columns");
  if (!next)
    return TEXLA_OUT_OF_MEMORY;
  clTriplets *T = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&T, A->cols, A->rows, A->count, error));
  for (int64_t k = 0; k < A->count; k++)
    next[A->col[k] + 1]++;
  for (int32_t j = 0; j < A->cols; j++)
    next[j + 1] += next[j];
  for (int64_t k = 0; k < A->count; k++) {
    int64_t at = next[A->col[k]]++;
    T->row[at] = A->col[k];
    T->col[at] = A->row[k];
    T->value[at] = A->value[k];
  }
  T->count = A->count;
  *out = T;
cleanup:
  free(next);
  return status;
}

void clTripletsMulVector(double *y, const clTriplets *A, const double *x) {
  memset(y, 0, (size_t)A->rows * sizeof *y);
  for (int64_t k = 0; k < A->count; k++)
    y[A->row[k]] += A->value[k] * x[A->col[k]];
}

/* Bisection, as A is in order. */
int64_t txTripletsRow(const clTriplets *A, int32_t i) {
  int64_t low = 0, high = A->count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (A->row[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct residual {
  const clTriplets *A;
  const double *x, *b;
  double *y, scale;
} residual;

/* A block of rows of r = b - A x, and the sum of the squares of scale r. */
static void addResidual(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const residual *s = user;
  const clTriplets *A = s->A;
  int64_t k = txTripletsRow(A, (int32_t)first);
  for (int64_t i = first; i < last; i++) {
    double r = s->b[i];
    for (; k < A->count && A->row[k] == i; k++)
      r -= A->value[k] * s->x[A->col[k]];
    sum[0] += (s->scale * r) * (s->scale * r);
    if (s->y)
      s->y[i] = r;
  }
}

static void countUnusable(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const double *x = user;
  for (int64_t j = first; j < last; j++)
    sum[0] += !isfinite(x[j]);
}

double clTripletsResidual(double *y, const clTriplets *A, const double *x, const double *b) {
  residual s = {A, x, b, y, 1};
  double norm = txParallelNorm(A->rows, addResidual, &s, &s.scale, NULL), unusable[TX_SUMS];
  /* An x_j that no entry meets must be a number, too. */
  txParallel(A->cols, countUnusable, (void *)(uintptr_t)x, unusable);
  return unusable[0] > 0 ? NAN : norm;
}
