#include "core/rows.h"
#include "core/parallel.h"
#include "core/triplets.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH = 16 /* rows of a run, on average */ };

/* The end of row i, which begins at k. */
static int64_t endOf(const clTriplets *A, int64_t k, int64_t i) {
  while (k < A->count && A->row[k] == i)
    k++;
  return k;
}

typedef struct search {
  const clTriplets *A;
  unsigned char *begins; /* a run, at this row */
} search;

static bool repeats(const clTriplets *A, int64_t before, int64_t k, int64_t end) {
  for (int64_t e = k; e < end; e++)
    if (A->col[e] != A->col[before + e - k] + 1 || A->value[e] != A->value[before + e - k])
      return false;
  return true;
}

static void compareRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const search *s = user;
  const clTriplets *A = s->A;
  int64_t k = txTripletsRow(A, (int32_t)first), before = k, length = -1; /* the first row of a block begins a run */
  for (int64_t i = first; i < last; i++) {
    int64_t end = endOf(A, k, i);
    s->begins[i] = end - k != length || !repeats(A, before, k, end);
    sum[0] += s->begins[i];
    length = end - k;
    before = k;
    k = end;
  }
}

static void listRuns(txRows *rows, const unsigned char *begins) {
  int32_t n = rows->A->rows, run = 0;
  for (int32_t i = 0; i < n; i++)
    if (begins[i]) {
      rows->first[run] = i;
      rows->entry[run++] = txTripletsRow(rows->A, i);
    }
  rows->first[run] = n;
}

void txRowsFind(txRows *out, const clTriplets *A) {
  double runs[TX_SUMS] = {0};
  search s = {A, malloc((size_t)A->rows)};
  *out = (txRows){.A = A};
  if (s.begins)
    txParallel(A->rows, compareRows, &s, runs);
  if (s.begins && runs[0] * WORTH <= A->rows) {
    out->first = malloc((size_t)(runs[0] + 1) * sizeof *out->first);
    out->entry = malloc((size_t)runs[0] * sizeof *out->entry);
  }
  if (out->first && out->entry) {
    out->runs = (int32_t)runs[0];
    listRuns(out, s.begins);
  }
  free(s.begins);
}

void txRowsForget(txRows *rows) {
  free(rows->first);
  free(rows->entry);
  *rows = (txRows){0};
}

static void multiplyRows(double *restrict y, const clTriplets *A, const double *restrict x, int64_t first,
                         int64_t last) {
  int64_t k = txTripletsRow(A, (int32_t)first);
  for (int64_t i = first; i < last; i++) {
    double sum = 0;
    for (; k < A->count && A->row[k] == i; k++)
      sum += A->value[k] * x[A->col[k]];
    y[i - first] = sum;
  }
}

/* `count` rows from `row` on, as row `like`, which begins at k. */
static void multiplyRun(double *restrict y, const clTriplets *A, const double *restrict x, int64_t k, int64_t like,
                        int64_t row, int64_t count) {
  memset(y, 0, (size_t)count * sizeof *y);
  for (; k < A->count && A->row[k] == like; k++) {
    const double *restrict from = x + A->col[k] + row - like;
    double value = A->value[k];
    for (int64_t i = 0; i < count; i++)
      y[i] += value * from[i];
  }
}

/* The run that row i belongs to. */
static int32_t runOf(const txRows *rows, int64_t i) {
  int32_t low = 0, high = rows->runs;
  while (high - low > 1) {
    int32_t middle = low + (high - low) / 2;
    *(rows->first[middle] <= i ? &low : &high) = middle;
  }
  return low;
}

void txRowsMultiply(double *y, const txRows *rows, const double *x, int64_t first, int64_t last) {
  if (!rows->runs) {
    multiplyRows(y, rows->A, x, first, last);
    return;
  }
  int32_t run = runOf(rows, first);
  for (int64_t i = first, end; i < last; i = end, run++) {
    end = rows->first[run + 1] < last ? rows->first[run + 1] : last;
    multiplyRun(y + i - first, rows->A, x, rows->entry[run], rows->first[run], i, end - i);
  }
}
