#include "core/rows.h"
#include "core/try.h"
#include "core/allocate.h"
#include "core/error.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/triplets.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH = 16 /* rows of a run, on average; with the same values, to be a run of their own */ };
enum { ALIKE = 1, VARIES = 2 /* what kind of run begins at a row */ };
enum { RUNS, UNORDERED, ZEROS, TOO_BIG /* what is counted */ };

typedef struct search {
  const clTriplets *A;
  /* Whether a run begins at this row, and of which kind: 0, ALIKE or VARIES. */
  unsigned char *begins;
  /* The first entry of each row. */
  int64_t *start;
} search;

/* The end of row i, which begins at k; adds the entries that are out of order. */
static int64_t endOf(const clTriplets *A, int64_t k, int64_t i, double *unordered) {
  int64_t end = k;
  for (int32_t last = -1; end < A->count && A->row[end] == i; last = A->col[end++])
    *unordered += A->col[end] <= last;
  return end;
}

/* Whether row i, which begins at k, has the columns of the row of `length` entries that begins at
 * `before`; in *alike, its values, too. */
static bool repeats(const clTriplets *A, int64_t before, int64_t k, int64_t length, int64_t i,
                    bool *alike) {
  bool same = true, equal = true;
  if (length < 0 || k + length > A->count || (k + length < A->count && A->row[k + length] == i))
    return false;
  for (int64_t e = 0; e < length; e++) {
    same &= (A->row[k + e] == i) & (A->col[k + e] == A->col[before + e] + 1);
    equal &= A->value[k + e] == A->value[before + e];
  }
  *alike = same && equal;
  return same;
}

typedef struct values {
  int32_t zeros, too_big;
} values;

static values lookAtValues(const clTriplets *A, int64_t k, int64_t end) {
  values v = {0, 0};
  for (; k < end; k++) {
    double size = fabs(A->value[k]);
    v.zeros += (float)size == 0;
    v.too_big += !(size <= (double)FLT_MAX);
  }
  return v;
}

/* Where row i begins. The ends of A are known without a search, which finds neither where entries
 * lie outside of the matrix. */
static int64_t startOf(const clTriplets *A, int64_t i) {
  if (i == 0)
    return 0;
  if (i >= A->rows)
    return A->count;
  return txTripletsRow(A, (int32_t)i);
}

/* A block of rows: where runs begin. Many rows with the same values end a run in which they
 * vary. */
static void compareRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const search *s = user;
  const clTriplets *A = s->A;
  int64_t k = startOf(A, first), before = k, length = -1, run = first, alike = 0;
  values v = {0, 0};
  for (int64_t i = first; i < last; i++) {
    bool same = false, goes_on = repeats(A, before, k, length, i, &same);
    int64_t end = k + length, begin = i;
    if (!goes_on)
      end = endOf(A, k, i, &sum[UNORDERED]);
    sum[UNORDERED] += end > k && A->col[end - 1] >= A->cols;
    if (!same)
      v = lookAtValues(A, k, end);
    sum[ZEROS] += v.zeros;
    sum[TOO_BIG] += v.too_big;
    /* So many rows up to this one have the same values. */
    alike = 1 + same * alike;
    if (same && s->begins[run] == VARIES && alike == WORTH)
      begin = i + 1 - alike;
    else if (goes_on && (same || s->begins[run] == VARIES || i - run < WORTH))
      begin = run;
    if (begin != run || i == first) {
      s->begins[begin] = ALIKE;
      sum[RUNS]++;
    }
    run = begin;
    if (goes_on && !same && run < i)
      s->begins[run] = VARIES;
    length = end - k;
    before = k;
    k = end;
  }
  sum[UNORDERED] += k != startOf(A, last);
}

static void rowsFindStarts(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const search *s = user;
  int64_t k = txTripletsRow(s->A, (int32_t)first);
  (void)sum;
  for (int64_t i = first; i < last; i++)
    for (s->start[i] = k; k < s->A->count && s->A->row[k] == i;)
      k++;
}

/* What the bytes say, as lists. */
static void listRuns(txRows *rows, const unsigned char *begins) {
  int32_t n = rows->A->rows, run = 0;
  for (int32_t i = 0; i < n; i++)
    if (begins[i]) {
      rows->first[run] = i;
      rows->varies[run] = begins[i] == VARIES;
      rows->entry[run++] = txTripletsRow(rows->A, i);
    }
  rows->first[run] = n;
  rows->entry[run] = rows->A->count;
}

/* Lists of runs where there are few; otherwise only where each row begins. */
static clStatus rowsList(txRows *rows, const search *s, double runs, const char *call,
                         clError *error) {
  bool few = runs * WORTH <= s->A->rows;
  size_t n = (size_t)s->A->rows;
  if (few)
    n = (size_t)runs;
  rows->entry = txAllocate(error, call, n + 1, sizeof *rows->entry, "rows");
  if (few) {
    rows->first = txAllocate(error, call, n + 1, sizeof *rows->first, "rows");
    rows->varies = txAllocate(error, call, n, 1, "rows");
  }
  if (!rows->entry || (few && (!rows->first || !rows->varies)))
    return TEXLA_OUT_OF_MEMORY;
  if (few) {
    rows->runs = (int32_t)runs;
    listRuns(rows, s->begins);
    return TEXLA_OK;
  }
  txParallel(s->A->rows, rowsFindStarts, &(search){.A = s->A, .start = rows->entry}, NULL);
  rows->entry[n] = s->A->count;
  return TEXLA_OK;
}

/* The first entry that is out of order, or outside of the matrix, for the message. */
static clStatus outOfOrder(const clTriplets *A, const char *call, clError *error) {
  for (int64_t k = 0; k < A->count; k++) {
    int32_t i = A->row[k], j = A->col[k];
    bool inside = i >= 0 && i < A->rows && j >= 0 && j < A->cols;
    bool later = k == 0 || i > A->row[k - 1] || (i == A->row[k - 1] && j > A->col[k - 1]);
    if (!inside || !later)
      return txFail(error, TEXLA_BAD_ARGUMENT, call,
                    "entry %lld at (%d, %d) of the %d x %d matrix is out of %s", (long long)k + 1,
                    i + 1, j + 1, A->rows, A->cols,
                    inside ? "order: call clTripletsCompress first" : "range");
  }
  return TEXLA_OK;
}

/* One pass over the entries on several threads, in blocks of rows; a run may end where a block
 * does. */
clStatus txRowsFind(txRows *out, const clTriplets *A, const char *call, clError *error) {
  double sum[TX_SUMS] = {0};
  txRows rows = {.A = A};
  search s = {.A = A, .begins = txAllocate(error, call, (size_t)A->rows, 1, "rows")};
  if (!s.begins)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  txParallel(A->rows, compareRows, &s, sum);
  if (sum[UNORDERED] > 0)
    TRY_CLEANUP(outOfOrder(A, call, error));
  TRY_CLEANUP(rowsList(&rows, &s, sum[RUNS], call, error));
  rows.zeros = (int64_t)sum[ZEROS];
  rows.too_big = (int64_t)sum[TOO_BIG];
  *out = rows;
  free(s.begins);
  return TEXLA_OK;
cleanup:
  free(s.begins);
  txRowsForget(&rows);
  return status;
}

static void countValues(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  values v = lookAtValues(user, first, last);
  sum[ZEROS] += v.zeros;
  sum[TOO_BIG] += v.too_big;
}

txRows txRowsOf(const clTriplets *A, const int64_t *start) {
  double sum[TX_SUMS];
  txParallel(A->count, countValues, (void *)(uintptr_t)A, sum);
  return (txRows){.A = A,
                  .entry = (int64_t *)(uintptr_t)start,
                  .zeros = (int64_t)sum[ZEROS],
                  .too_big = (int64_t)sum[TOO_BIG]};
}

clStatus txRowsCheckFinite(const txRows *rows, const char *call, clError *error) {
  const clTriplets *A = rows->A;
  for (int64_t k = 0; k < A->count && rows->too_big; k++)
    if (!isfinite(A->value[k]))
      return txFail(error, TEXLA_NOT_FINITE, call, "entry (%d, %d) of A is %g", A->row[k] + 1,
                    A->col[k] + 1, A->value[k]);
  return TEXLA_OK;
}

void txRowsForget(txRows *rows) {
  free(rows->first);
  free(rows->varies);
  free(rows->entry);
  *rows = (txRows){0};
}

/* The run that row i belongs to. */
static int32_t runOf(const txRows *rows, int64_t i) {
  int32_t low = 0, high = rows->runs;
  if (!high)
    return (int32_t)i;
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    if (rows->first[middle] <= i)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Run `index` from `row` on, before `last`. */
static txRun cut(const txRows *rows, int32_t index, int64_t row, int64_t last) {
  if (row >= last)
    return (txRun){.row = last};
  int64_t first = index, end = index + 1;
  bool varies = false;
  if (rows->runs) {
    first = rows->first[index];
    end = rows->first[index + 1];
    varies = rows->varies[index];
  }
  int64_t length = rows->entry[index + 1] - rows->entry[index];
  if (end - first > 1)
    length /= end - first;
  int64_t count = txLeast64(end, last) - row;
  return (txRun){.index = index,
                 .row = row,
                 .count = count,
                 .entry = rows->entry[index] + (row - first) * length,
                 .length = length,
                 .alike = varies ? 1 : count};
}

txRun txRunAt(const txRows *rows, int64_t first, int64_t last) {
  if (first >= last)
    return (txRun){.row = last};
  return cut(rows, runOf(rows, first), first, last);
}

txRun txRunNext(const txRows *rows, const txRun *run, int64_t last) {
  return cut(rows, run->index + 1, run->row + run->count, last);
}

static void rowsMultiplyRows(double *restrict y, const txRows *rows, const double *restrict x,
                             int64_t first, int64_t last) {
  const clTriplets *A = rows->A;
  for (int64_t i = first; i < last; i++) {
    double sum = 0;
    for (int64_t k = rows->entry[i]; k < rows->entry[i + 1]; k++)
      sum += A->value[k] * x[A->col[k]];
    y[i - first] = sum;
  }
}

/* A run whose values stay. */
static void multiplyRun(double *restrict y, const clTriplets *A, const double *restrict x,
                        const txRun *run) {
  memset(y, 0, (size_t)run->count * sizeof *y);
  for (int64_t k = run->entry; k < run->entry + run->length; k++) {
    const double *restrict from = x + A->col[k];
    double value = A->value[k];
    for (int64_t i = 0; i < run->count; i++)
      y[i] += value * from[i];
  }
}

/* Each row has the first one's columns, further on. */
static void multiplyVarying(double *restrict y, const clTriplets *A, const double *restrict x,
                            const txRun *run) {
  const double *restrict value = A->value + run->entry;
  const int32_t *restrict col = A->col + run->entry;
  for (int64_t i = 0; i < run->count; i++, value += run->length) {
    double sum = 0;
    for (int64_t e = 0; e < run->length; e++)
      sum += value[e] * x[col[e] + i];
    y[i] = sum;
  }
}

/* A run whose rows have the same values reads them once. */
void txRowsMultiply(double *y, const txRows *rows, const double *x, int64_t first, int64_t last) {
  if (!rows->runs) {
    rowsMultiplyRows(y, rows, x, first, last);
    return;
  }
  for (txRun run = txRunAt(rows, first, last); run.row < last; run = txRunNext(rows, &run, last))
    if (run.alike == run.count)
      multiplyRun(y + run.row - first, rows->A, x, &run);
    else
      multiplyVarying(y + run.row - first, rows->A, x, &run);
}

/* Where row run->row has column j, among the entries from run->entry on; -1: nowhere. No branch
 * depends on what is found. */
static int64_t rowsFind(const clTriplets *A, const txRun *run, int64_t j) {
  int64_t low = run->entry;
  for (int64_t left = run->length, half; left > 1; left -= half) {
    half = left / 2;
    low += half * (A->col[low + half - 1] < j);
  }
  if (run->length && A->col[low] == j)
    return low;
  return -1;
}

typedef struct comparison {
  const txRows *rows;
  double tolerance;
  /* The entries below the diagonal are compared, instead of those above. */
  bool lower;
} comparison;

enum {
  UNLIKE,
  OPPOSITE,
  /* What is counted: entries that differ from those opposite, entries that have one opposite, and
   * those on the other side of the diagonal. */
  OTHERS
};

/* What row i measures its entries by: the diagonal, or the largest entry where that is zero. */
static double rowsSizeOfRow(const txRows *rows, int64_t i) {
  const clTriplets *A = rows->A;
  txRun run = txRunAt(rows, i, i + 1);
  int64_t diagonal = rowsFind(A, &run, i);
  double size = 0;
  if (diagonal >= 0)
    size = fabs(A->value[diagonal]);
  if (size > 0)
    return size;
  for (int64_t k = run.entry; k < run.entry + run.length; k++)
    size = fmax(size, fabs(A->value[k]));
  return size;
}

/* Entries at (i, j) and (j, i): they may differ by rounding of their own, or of their rows'. */
static bool differs(const comparison *s, double a, double mirror, int64_t i, int64_t j) {
  double apart = fabs(a - mirror);
  if (a == mirror || apart <= s->tolerance * fmax(fabs(a), fabs(mirror)))
    return false;
  double size = sqrt(rowsSizeOfRow(s->rows, i)) * sqrt(rowsSizeOfRow(s->rows, j));
  return !(apart <= s->tolerance * size);
}

/* A run's entries in the place of entry k, its first row's. Those opposite are in several runs,
 * perhaps. */
static void compareEntries(const comparison *s, const txRun *run, int64_t k, double sum[TX_SUMS]) {
  static const double nothing = 0;
  const clTriplets *A = s->rows->A;
  int64_t j = A->col[k], last = j + run->count;
  for (txRun other = txRunAt(s->rows, j, last); other.row < last;
       other = txRunNext(s->rows, &other, last)) {
    int64_t offset = other.row - j, mirror = rowsFind(A, &other, run->row + offset);
    int64_t alike = 1;
    if (run->alike == run->count && other.alike == other.count)
      alike = other.count;
    const double *a = A->value + k + offset * run->length, *b = &nothing;
    int64_t step = 0;
    if (mirror >= 0) {
      b = A->value + mirror;
      step = other.length;
      sum[OPPOSITE] += (double)other.count;
    }
    for (int64_t i = 0; i < other.count; i += alike)
      sum[UNLIKE] +=
          differs(s, a[i * run->length], b[i * step], run->row + offset + i, other.row + i);
  }
}

/* Rows [first, last): the entries on one side of the diagonal with those opposite. */
static void compareSides(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const comparison *s = user;
  const clTriplets *A = s->rows->A;
  for (txRun run = txRunAt(s->rows, first, last); run.row < last;
       run = txRunNext(s->rows, &run, last))
    for (int64_t k = run.entry; k < run.entry + run.length && sum[UNLIKE] == 0; k++)
      if (s->lower ? A->col[k] < run.row : A->col[k] > run.row)
        compareEntries(s, &run, k, sum);
      else if (A->col[k] != run.row)
        sum[OTHERS] += (double)run.count;
}

/* The entries above the diagonal; those below it only where some of them are not opposite to
 * any. */
bool txRowsSymmetric(const txRows *rows, double tolerance) {
  double sum[TX_SUMS];
  if (rows->A->rows != rows->A->cols)
    return false;
  txParallel(rows->A->rows, compareSides, &(comparison){rows, tolerance, false}, sum);
  if (sum[UNLIKE] == 0 && sum[OPPOSITE] < sum[OTHERS])
    txParallel(rows->A->rows, compareSides, &(comparison){rows, tolerance, true}, sum);
  return sum[UNLIKE] == 0;
}

clStatus txTripletsSymmetric(bool *out, const clTriplets *A, double tolerance, const char *call,
                             clError *error) {
  txRows rows;
  TRY(txRowsFind(&rows, A, call, error));
  *out = txRowsSymmetric(&rows, tolerance);
  txRowsForget(&rows);
  return TEXLA_OK;
}

bool clTripletsIsSymmetric(const clTriplets *A, double tolerance) {
  bool symmetric = false;
  return !txTripletsSymmetric(&symmetric, A, tolerance, "clTripletsIsSymmetric", NULL) && symmetric;
}
