#include "core/triplets.h"
#include "core/try.h"
#include "core/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/parallel.h"

#define TX_CAPACITY_MAX ((int64_t)(PTRDIFF_MAX / 16)) /* an entry has 16 bytes */

clStatus txTripletsReserve(clTriplets *A, int64_t capacity, const char *call, clError *error) {
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
  if (!out || rows < 0 || cols < 0 || capacity < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "%d x %d with room for %lld entries: sizes must not be negative", rows, cols,
                  (long long)capacity);
  clTriplets *A = txAllocate(error, call, 1, sizeof *A, "a matrix");
  if (!A)
    return TEXLA_OUT_OF_MEMORY;
  A->rows = rows;
  A->cols = cols;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(txTripletsReserve(A, capacity, call, error));
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
    TRY(txTripletsReserve(A, A->capacity + half, call, error));
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
    TRY(txTripletsReserve(A, A->count + count + A->capacity / 2, call, error));
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
  if (!out || rows < 0 || cols < 0 || !start || start[0] != 0)
    return txFail(
        error, TEXLA_BAD_ARGUMENT, call,
        "out and start must not be NULL, rows (%d) and cols (%d) at least 0, start[0] must be 0",
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

static bool isBefore(const clTriplets *A, int64_t k, int64_t l) {
  return A->row[k] < A->row[l] || (A->row[k] == A->row[l] && A->col[k] < A->col[l]);
}

/* sum[0]: entries [first, last) that do not come after the one before them. */
static void countUnordered(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const clTriplets *A = user;
  for (int64_t k = first + !first; k < last; k++)
    sum[0] += !isBefore(A, k - 1, k);
}

static bool isCompressed(const clTriplets *A) {
  double unordered[TX_SUMS];
  txParallel(A->count, countUnordered, (void *)(uintptr_t)A, unordered);
  return unordered[0] == 0;
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

/* ---- Sorting --------------------------------------------------------------------------------- */

/* An entry with its position as one number: by row, then column. */
typedef struct entry {
  uint64_t key;
  double value;
} entry;

static int32_t tripletsRowOf(const entry *e) {
  return (int32_t)(e->key >> 32);
}

static int32_t colOf(const entry *e) {
  return (int32_t)(e->key & INT32_MAX);
}

/* Entries are dealt out to buckets of 2^shift rows each, which are then sorted one by one. All of
 * it keeps the order of entries with the same position, whatever the number of threads.
 *
 * place[p][b] is how many entries part p of A has for bucket b, then where the next one goes;
 * bucket b is entries[begin[b]] to entries[begin[b + 1]], of which kept[b] are left when
 * duplicates have been added up. */
typedef struct sorting {
  clTriplets *A;
  int shift;
  entry *entries;
  int64_t place[TX_PARTS][TX_PARTS], begin[TX_PARTS + 1], kept[TX_PARTS];
} sorting;

static void countBuckets(void *user, int64_t part, int64_t end, double sum[TX_SUMS]) {
  sorting *s = user;
  int64_t last = txPartBegin(s->A->count, end, TX_PARTS);
  (void)sum;
  for (int64_t k = txPartBegin(s->A->count, part, TX_PARTS); k < last; k++)
    s->place[part][s->A->row[k] >> s->shift]++;
}

/* A bucket has what part 0 has for it, then what part 1 has, and so on. */
static void placeBuckets(sorting *s) {
  int64_t at = 0;
  for (int b = 0; b < TX_PARTS; b++) {
    s->begin[b] = at;
    for (int p = 0; p < TX_PARTS; p++) {
      int64_t count = s->place[p][b];
      s->place[p][b] = at;
      at += count;
    }
  }
  s->begin[TX_PARTS] = at;
}

static void fillBuckets(void *user, int64_t part, int64_t end, double sum[TX_SUMS]) {
  sorting *s = user;
  const clTriplets *A = s->A;
  int64_t last = txPartBegin(A->count, end, TX_PARTS);
  (void)sum;
  for (int64_t k = txPartBegin(A->count, part, TX_PARTS); k < last; k++)
    s->entries[s->place[part][A->row[k] >> s->shift]++] =
        (entry){(uint64_t)A->row[k] << 32 | (uint32_t)A->col[k], A->value[k]};
}

/* Sorts entries by their positions; `spare` has room for as many. */
static void sortEntries(entry *entries, int64_t count, entry *spare) {
  enum { SHORT = 32 };
  int64_t half = count / 2, left = 0, right = half;
  if (count <= SHORT) {
    for (int64_t k = 1; k < count; k++) {
      entry e = entries[k];
      int64_t to = k;
      for (; to > 0 && entries[to - 1].key > e.key; to--)
        entries[to] = entries[to - 1];
      entries[to] = e;
    }
    return;
  }
  sortEntries(entries, half, spare);
  sortEntries(entries + half, count - half, spare);
  memcpy(spare, entries, (size_t)count * sizeof *entries);
  for (int64_t k = 0; k < count; k++) {
    bool from_left = right == count || (left < half && spare[left].key <= spare[right].key);
    entries[k] = from_left ? spare[left++] : spare[right++];
  }
}

/* to <- `count` entries, those with the same position added up; returns how many are left. */
static int64_t addDuplicates(entry *to, const entry *from, int64_t count) {
  int64_t kept = 0;
  for (int64_t k = 0; k < count; k++) {
    if (kept > 0 && to[kept - 1].key == from[k].key)
      to[kept - 1].value += from[k].value;
    else
      to[kept++] = from[k];
  }
  return kept;
}

/* sorted <- bucket b by a counting sort over its rows, and each row by columns; `next` has a place
 * for each row and one more. */
static void sortByRows(const sorting *s, int64_t b, entry *sorted, int64_t *next) {
  entry *bucket = s->entries + s->begin[b];
  int64_t count = s->begin[b + 1] - s->begin[b], first = b << s->shift, rows = 1 << s->shift;
  for (int64_t k = 0; k < count; k++)
    next[tripletsRowOf(&bucket[k]) - first + 1]++;
  for (int64_t i = 0; i < rows; i++)
    next[i + 1] += next[i];
  for (int64_t k = 0; k < count; k++)
    sorted[next[tripletsRowOf(&bucket[k]) - first]++] = bucket[k];
  /* Now next[i] is where row i ends. */
  for (int64_t i = 0, begin = 0; i < rows; begin = next[i++])
    sortEntries(sorted + begin, next[i] - begin, bucket);
}

/* sum[0]: buckets for which there was no memory. One with fewer entries than rows is not worth a
 * number for each row. */
static void sortBuckets(void *user, int64_t b, int64_t end, double sum[TX_SUMS]) {
  sorting *s = user;
  entry *bucket = s->entries + s->begin[b];
  int64_t count = s->begin[end] - s->begin[b], rows = 1 << s->shift, *next = NULL;
  entry *sorted = malloc((size_t)(count + 1) * sizeof *sorted);
  if (count >= rows)
    next = calloc((size_t)rows + 1, sizeof *next);
  if (sorted && next) {
    sortByRows(s, b, sorted, next);
    s->kept[b] = addDuplicates(bucket, sorted, count);
  } else if (sorted && count < rows) {
    sortEntries(bucket, count, sorted);
    s->kept[b] = addDuplicates(bucket, bucket, count);
  }
  sum[0] += !sorted || (!next && count >= rows);
  free(sorted);
  free(next);
}

/* The first sum that is not finite. */
static clStatus checkSums(const sorting *s, const char *call, clError *error) {
  for (int b = 0; b < TX_PARTS; b++)
    for (int64_t k = 0; k < s->kept[b]; k++) {
      const entry *e = &s->entries[s->begin[b] + k];
      if (!isfinite(e->value))
        return txFail(error, TEXLA_NOT_FINITE, call, "the duplicates at (%d, %d) sum to %g",
                      tripletsRowOf(e), colOf(e), e->value);
    }
  return TEXLA_OK;
}

/* A bucket goes back into A, where all kept entries of the buckets before it have their places. */
static void emptyBuckets(void *user, int64_t b, int64_t end, double sum[TX_SUMS]) {
  const sorting *s = user;
  int64_t to = 0;
  (void)end, (void)sum;
  for (int64_t before = 0; before < b; before++)
    to += s->kept[before];
  for (int64_t k = 0; k < s->kept[b]; k++, to++) {
    const entry *e = &s->entries[s->begin[b] + k];
    s->A->row[to] = tripletsRowOf(e);
    s->A->col[to] = colOf(e);
    s->A->value[to] = e->value;
  }
}

static clStatus sort(sorting *s, const char *call, clError *error) {
  double missing[TX_SUMS];
  while ((s->A->rows - 1) >> s->shift >= TX_PARTS)
    s->shift++;
  txParallelParts(s->A->count, TX_PARTS, countBuckets, s, NULL);
  placeBuckets(s);
  txParallelParts(s->A->count, TX_PARTS, fillBuckets, s, NULL);
  txParallelParts(s->A->count, TX_PARTS, sortBuckets, s, missing);
  if (missing[0] > 0)
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for sorting the entries");
  TRY(checkSums(s, call, error));
  txParallelParts(s->A->count, TX_PARTS, emptyBuckets, s, NULL);
  s->A->count = 0;
  for (int b = 0; b < TX_PARTS; b++)
    s->A->count += s->kept[b];
  return TEXLA_OK;
}

/* A sum that overflows leaves A as it was. */
clStatus clTripletsCompress(clTriplets *A, clError *error) {
  const char *call = "clTripletsCompress";
  if (!A)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the matrix is NULL");
  if (isCompressed(A))
    return TEXLA_OK;
  sorting *s = txAllocate(error, call, 1, sizeof *s, "sorting the entries");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  s->A = A;
  s->entries =
      txReallocate(error, call, NULL, (size_t)A->count, sizeof *s->entries, "sorting the entries");
  if (!s->entries)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  TRY_CLEANUP(sort(s, call, error));
cleanup:
  free(s->entries);
  free(s);
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
static void tripletsAddResidual(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
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
  double norm = txParallelNorm(A->rows, tripletsAddResidual, &s, &s.scale, NULL), unusable[TX_SUMS];
  /* An x_j that no entry meets must be a number, too. */
  txParallel(A->cols, countUnusable, (void *)(uintptr_t)x, unusable);
  return unusable[0] > 0 ? NAN : norm;
}
