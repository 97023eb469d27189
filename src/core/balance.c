#include "core/balance.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
  NONE = -1,
  FAR = INT32_MAX,
  /* A row's power of two times a column's is still a number in double precision. */
  MOST = 480,
  /* A search is given up where all of them have looked at every entry so often, and so many more:
   * what is left has no column of its own. In dense matrices elimination takes as much. */
  MOST_LOOKS = 64,
  FREE_LOOKS = 1 << 27
};

clStatus txSizesCreate(txSizes *out, int32_t rows, int32_t cols, int64_t count, const char *call,
                       clError *error) {
  static const char what[] = "the sizes of entries";
  txSizes s = {.rows = rows, .cols = cols};
  s.start = txAllocate(error, call, (size_t)rows + 1, sizeof *s.start, what);
  s.col = txAllocate(error, call, (size_t)count + 1, sizeof *s.col, what);
  s.exponent = txAllocate(error, call, (size_t)count + 1, sizeof *s.exponent, what);
  *out = s;
  if (s.start && s.col && s.exponent)
    return TEXLA_OK;
  txSizesDestroy(out);
  return TEXLA_OUT_OF_MEMORY;
}

void txSizesDestroy(txSizes *s) {
  free(s->start);
  free(s->col);
  free(s->exponent);
  *s = (txSizes){0};
}

/* A column that a path has come to, and how far that is. */
typedef struct stop {
  int32_t distance, col;
} stop;

/* Costs -(exponent + row + col) >= 0 are zero along the permutation as far as it goes. */
typedef struct assignment {
  const txSizes *s;
  int32_t *row, *col;
  /* the column of each row and the row of each column; NONE */
  int32_t *of_row, *of_col;
  /* of a search: distances to columns, the rows they are reached from, those that are settled */
  int32_t *distance, *from, *settled;
  int32_t count;
  /* what is not settled yet, the nearest first: a heap, in which a column may stand again */
  stop *heap;
  int64_t waiting;
  /* entries that may still be looked at */
  int64_t looks;
} assignment;

static int32_t costOf(const assignment *a, int32_t i, int64_t e) {
  return -(a->s->exponent[e] + a->row[i] + a->col[a->s->col[e]]);
}

static void balancePush(assignment *a, stop added) {
  int64_t at = a->waiting++;
  while (at > 0 && a->heap[(at - 1) / 2].distance > added.distance) {
    a->heap[at] = a->heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  a->heap[at] = added;
}

static stop pop(assignment *a) {
  stop first = a->heap[0], last = a->heap[--a->waiting];
  int64_t at = 0;
  for (int64_t next = 1; next < a->waiting; next = 2 * at + 1) {
    if (next + 1 < a->waiting && a->heap[next + 1].distance < a->heap[next].distance)
      next++;
    if (a->heap[next].distance >= last.distance)
      break;
    a->heap[at] = a->heap[next];
    at = next;
  }
  a->heap[at] = last;
  return first;
}

/* From row i on, which is `base` away. */
static void look(assignment *a, int32_t i, int32_t base) {
  a->looks -= a->s->start[i + 1] - a->s->start[i];
  for (int64_t e = a->s->start[i]; e < a->s->start[i + 1]; e++) {
    int32_t j = a->s->col[e], distance = base + costOf(a, i, e);
    if (distance >= a->distance[j])
      continue;
    a->distance[j] = distance;
    a->from[j] = i;
    balancePush(a, (stop){distance, j});
  }
}

/* The nearest column without a row that a path from row i leads to; NONE: no path does. */
static int32_t balanceSearch(assignment *a, int32_t i) {
  for (int32_t j = 0; j < a->s->cols; j++)
    a->distance[j] = FAR;
  a->count = 0;
  a->waiting = 0;
  look(a, i, 0);
  while (a->waiting > 0 && a->looks > 0) {
    stop next = pop(a);
    if (next.distance > a->distance[next.col])
      continue;
    /* the other ways to it are as long or longer */
    a->settled[a->count++] = next.col;
    if (a->of_col[next.col] == NONE)
      return next.col;
    look(a, a->of_col[next.col], next.distance);
  }
  return NONE;
}

/* Costs along the path become zero, none negative; then its rows take the columns that it goes
 * to. */
static void augment(assignment *a, int32_t i, int32_t end) {
  int32_t length = a->distance[end];
  a->row[i] += length;
  for (int32_t k = 0; k < a->count; k++) {
    int32_t j = a->settled[k], left = length - a->distance[j];
    if (j != end)
      a->row[a->of_col[j]] += left;
    a->col[j] -= left;
  }
  while (end != NONE) {
    int32_t owner = a->from[end], next = a->of_row[owner];
    a->of_row[owner] = end;
    a->of_col[end] = owner;
    end = next;
  }
}

/* Largest entries of rows, then of columns, are 1. */
static void balanceBegin(assignment *a) {
  const txSizes *s = a->s;
  for (int32_t j = 0; j < s->cols; j++) {
    a->col[j] = 0;
    a->of_col[j] = NONE;
    a->distance[j] = FAR;
  }
  for (int32_t i = 0; i < s->rows; i++) {
    int32_t least = FAR;
    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
      if (-s->exponent[e] < least)
        least = -s->exponent[e];
    a->row[i] = least == FAR ? 0 : least;
    a->of_row[i] = NONE;
    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
      if (costOf(a, i, e) < a->distance[s->col[e]])
        a->distance[s->col[e]] = costOf(a, i, e);
  }
  for (int32_t j = 0; j < s->cols; j++)
    a->col[j] = a->distance[j] == FAR ? 0 : a->distance[j];
}

/* Rows take what costs nothing. */
static void takeFree(assignment *a) {
  for (int32_t i = 0; i < a->s->rows; i++)
    for (int64_t e = a->s->start[i]; e < a->s->start[i + 1] && a->of_row[i] == NONE; e++) {
      int32_t j = a->s->col[e];
      if (a->of_col[j] != NONE || costOf(a, i, e) != 0)
        continue;
      a->of_row[i] = j;
      a->of_col[j] = i;
    }
}

/* Rows that have found no column, too, have an entry near 1. */
static void raiseOthers(assignment *a) {
  for (int32_t i = 0; i < a->s->rows; i++) {
    int32_t least = FAR;
    for (int64_t e = a->s->start[i]; e < a->s->start[i + 1]; e++)
      if (costOf(a, i, e) < least)
        least = costOf(a, i, e);
    if (least != FAR)
      a->row[i] += least;
  }
}

static void assign(assignment *a) {
  balanceBegin(a);
  takeFree(a);
  a->looks = FREE_LOOKS + MOST_LOOKS * a->s->start[a->s->rows];
  for (int32_t i = 0; i < a->s->rows; i++) {
    if (a->of_row[i] != NONE || a->looks <= 0)
      continue;
    int32_t end = balanceSearch(a, i);
    if (end != NONE)
      augment(a, i, end);
  }
  raiseOthers(a);
}

static bool allWithin(const int32_t *exponent, int32_t count, int32_t most) {
  for (int32_t i = 0; i < count; i++)
    if (exponent[i] < -most || exponent[i] > most)
      return false;
  return true;
}

clStatus txBalance(int32_t *row, int32_t *col, const txSizes *sizes, const char *call,
                   clError *error) {
  static const char what[] = "a scaling";
  size_t m = (size_t)sizes->rows, n = (size_t)sizes->cols;
  clStatus status = TEXLA_OK;
  assignment a = {.s = sizes, .row = row, .col = col};
  a.of_row = txAllocate(error, call, m + 1, sizeof *a.of_row, what);
  a.of_col = txAllocate(error, call, 4 * n + 1, sizeof *a.of_col, what);
  a.heap = txAllocate(error, call, (size_t)sizes->start[m] + 1, sizeof *a.heap, what);
  if (!a.of_row || !a.of_col || !a.heap)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  a.distance = a.of_col + n;
  a.from = a.distance + n;
  a.settled = a.from + n;
  assign(&a);
  if (!allWithin(row, sizes->rows, MOST) || !allWithin(col, sizes->cols, MOST))
    balanceBegin(&a);
cleanup:
  free(a.of_row);
  free(a.of_col);
  free(a.heap);
  return status;
}
