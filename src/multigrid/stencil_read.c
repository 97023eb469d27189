/* A nine-point operator from a matrix, if it is one. */
#include "multigrid/stencil.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/triplets.h"

#include <stdlib.h>
#include <string.h>

/* The step -1, 0 or 1 from i to k on an axis, 2 when there is none; one across the end makes it
 * periodic. */
static int stepBetween(int i, int k, int n, bool *wraps) {
  int d = k - i;
  *wraps = d > 1 || d < -1;
  if (d == n - 1 && *wraps)
    return -1;
  if (d == 1 - n && *wraps)
    return 1;
  if (*wraps)
    return 2;
  return d;
}

/* Reads row (i, j) from entry *k on into nine coefficients; false at an entry that no stencil
 * has. */
static bool readRow(double c[TX_STENCIL], bool periodic[2], const clTriplets *A, int64_t *k, int i,
                    int j, int nx, int ny) {
  int32_t row = (int32_t)((int64_t)j * nx + i);
  memset(c, 0, TX_STENCIL * sizeof *c);
  for (; *k < A->count && A->row[*k] == row; ++*k) {
    if (A->value[*k] == 0)
      continue;
    int32_t d = A->col[*k] - row;
    bool wraps[2] = {false, false};
    int dy = (d > 1) - (d < -1), dx = d - dy * nx;
    /* A step across an end is rare, and so is the division that finds it. */
    if (dx < -1 || dx > 1 || i + dx < 0 || i + dx >= nx) {
      int q = A->col[*k] / nx;
      dx = stepBetween(i, A->col[*k] - q * nx, nx, &wraps[0]);
      dy = stepBetween(j, q, ny, &wraps[1]);
    }
    if (dx == 2 || dy == 2)
      return false;
    periodic[0] |= wraps[0];
    periodic[1] |= wraps[1];
    c[3 * (dy + 1) + dx + 1] += A->value[*k];
  }
  return true;
}

/* The same in single precision. */
static bool readPoint(float c[TX_STENCIL], bool periodic[2], const clTriplets *A, int64_t *k, int i,
                      int j, int nx, int ny) {
  double sum[TX_STENCIL];
  bool is_stencil = readRow(sum, periodic, A, k, i, j, nx, ny);
  for (int e = 0; e < TX_STENCIL && is_stencil; e++)
    c[e] = (float)sum[e];
  return is_stencil;
}

/* What became of reading a matrix. DIFFER: points of one class have different coefficients. */
typedef enum filled { DONE, DIFFER, NO_STENCIL, NO_MEMORY } filled;

/* One pass over the matrix; where there is no stencil, *k is the entry. */
static filled stencilReadFill(txStencil *s, const txRows *rows, int64_t *k, const char *call,
                              clError *error) {
  char *seen = txAllocate(error, call, (size_t)txStencilPoints(s), 1, "the stencils of a grid");
  filled result = seen ? DONE : NO_MEMORY;
  int n = rows->A->rows;
  /* From the column `repeated` up to `last` only classes come that have been seen. */
  int repeated = 4 * (s->class[0].low + 2) + 1, last = 4 * s->class[0].high;
  txRun run = txRunAt(rows, 0, n);
  for (int j = 0, p = 0; j < s->n[1] && result == DONE; j++)
    for (int i = 0; i < s->n[0] && result == DONE; i++, p++) {
      if (p == run.row + run.count)
        run = txRunNext(rows, &run, n);
      int64_t like_before = 0;
      if (run.alike == run.count)
        like_before = run.row + run.count - p;
      if (i >= repeated && i < last && p > run.row && like_before > 0) {
        int64_t skipped = like_before < last - i ? like_before : last - i;
        i += (int)skipped - 1;
        p += (int)skipped - 1;
        continue;
      }
      float single[TX_STENCIL];
      *k = run.entry + (p - run.row) * run.length;
      if (!readPoint(single, s->periodic, rows->A, k, i, j, s->n[0], s->n[1])) {
        result = NO_STENCIL;
        break;
      }
      int64_t at = txStencilIndex(s, i, j);
      if (!seen[at]) {
        seen[at] = 1;
        memcpy(s->a + TX_STENCIL * at, single, sizeof single);
        s->nine |= txStencilHasCorner(single);
      } else if (memcmp(s->a + TX_STENCIL * at, single, sizeof single) != 0) {
        result = DIFFER;
      }
    }
  free(seen);
  return result;
}

/* What the loops below work on. */
typedef struct reading {
  txStencil *s;
  const clTriplets *A;
} reading;

/* What is counted: points without a stencil, points with a corner, entries across an end. */
enum { NONE, NINE, ACROSS_X, ACROSS_Y };

/* Points that are all of their own class. */
static void readPoints(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const reading *r = user;
  int nx = r->s->n[0], ny = r->s->n[1];
  int64_t k = txTripletsRow(r->A, (int32_t)first);
  bool periodic[2] = {false, false}, nine = false, all = true;
  for (int64_t p = first; p < last && all; p++) {
    int j = (int)(p / nx), i = (int)(p - (int64_t)j * nx);
    float *c = r->s->a + TX_STENCIL * txStencilIndex(r->s, i, j);
    all = readPoint(c, periodic, r->A, &k, i, j, nx, ny);
    nine |= all && txStencilHasCorner(c);
  }
  sum[NONE] += !all;
  sum[NINE] += nine;
  sum[ACROSS_X] += periodic[0];
  sum[ACROSS_Y] += periodic[1];
}

static bool fillAll(txStencil *s, const clTriplets *A) {
  double sum[TX_SUMS];
  txParallel(A->rows, readPoints, &(reading){s, A}, sum);
  s->nine = sum[NINE] > 0;
  s->periodic[0] = sum[ACROSS_X] > 0;
  s->periodic[1] = sum[ACROSS_Y] > 0;
  return sum[NONE] == 0;
}

/* All stored points of the interior are the same. */
static bool interiorAgrees(const txStencil *s) {
  int i = 4 * s->class[0].low, j = s->class[1].low;
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 8; x++)
      if (memcmp(c, s->a + TX_STENCIL * txStencilIndex(s, i + x, j + y), TX_STENCIL * sizeof *c) !=
          0)
        return false;
  return true;
}

/* Tries with classes first; where points of one class differ, once more with all points on their
 * own. */
clStatus txStencilCreate(txStencil **out, const txRows *rows, int nx, int ny, bool general,
                         const char *call, clError *error) {
  const clTriplets *A = rows->A;
  static const bool bounded[2] = {false, false};
  if (nx < 1 || ny < 1 || A->rows != A->cols || (int64_t)nx * ny != A->rows)
    return txFail(error, TEXLA_BAD_SHAPE, call,
                  "A is %d x %d, but a grid of %d x %d has %lld points", A->rows, A->cols, nx, ny,
                  (long long)nx * ny);
  for (int uniform = !general; uniform >= 0; uniform--) {
    txStencil *s = txStencilMake(nx, ny, bounded, uniform, call, error);
    if (!s)
      return TEXLA_OUT_OF_MEMORY;
    int64_t k = 0;
    filled result = DIFFER;
    if (!uniform && fillAll(s, A))
      result = DONE;
    else if (!uniform || s->uniform)
      result = stencilReadFill(s, rows, &k, call, error);
    if (result == DONE && (!s->uniform || interiorAgrees(s))) {
      *out = s;
      return TEXLA_OK;
    }
    txStencilDestroy(s);
    if (result == NO_MEMORY)
      return TEXLA_OUT_OF_MEMORY;
    if (result == NO_STENCIL)
      return txFail(
          error, TEXLA_BAD_SHAPE, call,
          "the entry at (%d, %d) couples points of the %d x %d grid that are no neighbours",
          A->row[k], A->col[k], nx, ny);
  }
  /* This is never reached: points of classes of their own do not differ. */
  return TEXLA_OUT_OF_MEMORY;
}
