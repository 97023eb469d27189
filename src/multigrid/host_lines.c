#include "multigrid/host_lines.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdlib.h>

/* T = L U: with inverse_k = 1 / (main_k - sub_k ratio_(k-1)) and ratio_k = super_k inverse_k,
 *     forward   y_k = (b_k - sub_k y_(k-1)) inverse_k,        backward   x_k = y_k - ratio_k
 *               x_(k+1).
 * A periodic line is T + u v^T with u = (gamma, 0 .., 0, super_last) and v = (1, 0 .., 0, sub_0 /
 * gamma), where T lacks gamma in its first diagonal entry and u_last v_last in the last one
 * (Sherman and Morrison); z = T^-1 u / (1 + v^T T^-1 u).
 *
 * Equation k of line l is entry k count + l, so that the loops over lines are the inner ones. */
struct txHostLines {
  /* `count` lines of `length` equations each. In a grid, neighbours of a line are `along` numbers
   * apart, lines `across`. */
  int length, count;
  int64_t along, across;
  float *sub, *inverse, *ratio;
  /* z is NULL where lines are not periodic; v_last has one number a line. */
  float *z, *v_last;
};

/* One line on the way to its factors, in double. */
typedef struct line {
  double *sub, *main, *super, *z;
} line;

static void hostLinesReadLine(line *t, const txStencil *s, int axis, int l) {
  int step = txStencilStep(axis), place[2];
  for (int k = 0; k < s->n[axis]; k++) {
    place[axis] = k;
    place[1 - axis] = l;
    const float *a = s->a + TX_STENCIL * txStencilIndex(s, place[0], place[1]);
    t->sub[k] = (double)a[TX_CENTRE - step];
    t->main[k] = (double)a[TX_CENTRE] * (1 + TX_LINE_SHIFT);
    t->super[k] = (double)a[TX_CENTRE + step];
  }
}

/* What couples the ends leaves T; returns the last entry of v. Lines of one or two points have no
 * ends to couple. */
static double cutRing(line *t, int n) {
  double gamma = -t->main[0], first = t->sub[0], last = t->super[n - 1];
  for (int k = 0; k < n; k++)
    t->z[k] = 0;
  t->sub[0] = 0;
  t->super[n - 1] = 0;
  if (n == 1) {
    t->main[0] += first + last;
    return 0;
  }
  if (n == 2) {
    t->super[0] += first;
    t->sub[1] += last;
    return 0;
  }
  t->main[0] -= gamma;
  t->main[n - 1] -= last * first / gamma;
  t->z[0] = gamma;
  t->z[n - 1] = last;
  return first / gamma;
}

/* main <- inverse, super <- ratio */
static void hostLinesFactor(line *t, int n) {
  for (int k = 0; k < n; k++) {
    double pivot = t->main[k];
    if (k > 0)
      pivot -= t->sub[k] * t->super[k - 1];
    t->main[k] = pivot != 0 ? 1 / pivot : 0;
    t->super[k] *= t->main[k];
  }
}

/* z <- T^-1 z / (1 + v^T T^-1 z) */
static void finishRing(line *t, int n, double v_last) {
  t->z[0] *= t->main[0];
  for (int k = 1; k < n; k++)
    t->z[k] = (t->z[k] - t->sub[k] * t->z[k - 1]) * t->main[k];
  for (int k = n - 2; k >= 0; k--)
    t->z[k] -= t->super[k] * t->z[k + 1];
  double sum = 1 + t->z[0] + v_last * t->z[n - 1];
  for (int k = 0; k < n; k++)
    t->z[k] = sum != 0 ? t->z[k] / sum : 0;
}

/* In single precision, with the loop over lines as the inner one. */
static void storeLine(txHostLines *lines, const line *t, int l) {
  for (int k = 0; k < lines->length; k++) {
    int64_t at = (int64_t)k * lines->count + l;
    lines->sub[at] = (float)t->sub[k];
    lines->inverse[at] = (float)t->main[k];
    lines->ratio[at] = (float)t->super[k];
    if (lines->z)
      lines->z[at] = (float)t->z[k];
  }
}

/* Reads, closes and factors each line. */
static clStatus hostLinesFill(txHostLines *lines, const txStencil *s, int axis, const char *call,
                              clError *error) {
  int n = lines->length;
  double *memory = txAllocate(error, call, (size_t)n * 4, sizeof *memory, "a line of a grid");
  if (!memory)
    return TEXLA_OUT_OF_MEMORY;
  line t = {memory, memory + n, memory + 2 * n, memory + 3 * n};
  for (int l = 0; l < lines->count; l++) {
    hostLinesReadLine(&t, s, axis, l);
    if (lines->z) {
      double v_last = cutRing(&t, n);
      hostLinesFactor(&t, n);
      finishRing(&t, n, v_last);
      lines->v_last[l] = (float)v_last;
    } else {
      hostLinesFactor(&t, n);
    }
    storeLine(lines, &t, l);
  }
  free(memory);
  return TEXLA_OK;
}

clStatus txHostLinesCreate(txHostLines **out, const txStencil *s, int axis, int stride,
                           const char *call, clError *error) {
  size_t points = (size_t)s->n[0] * (size_t)s->n[1];
  size_t arrays = s->periodic[axis] ? 4 : 3, room = points * arrays + (size_t)s->n[1 - axis];
  int64_t steps[2] = {1, stride};
  clStatus status = TEXLA_OK;
  txHostLines *lines = txAllocate(error, call, 1, sizeof *lines, "the lines of a grid");
  if (!lines)
    return TEXLA_OUT_OF_MEMORY;
  float *memory = txAllocate(error, call, room, sizeof *memory, "the lines of a grid");
  if (!memory)
    TRY_CLEANUP(TEXLA_OUT_OF_MEMORY);
  *lines = (txHostLines){.length = s->n[axis],
                         .count = s->n[1 - axis],
                         .along = steps[axis],
                         .across = steps[1 - axis],
                         .v_last = memory,
                         .sub = memory + s->n[1 - axis]};
  lines->inverse = lines->sub + points;
  lines->ratio = lines->inverse + points;
  if (s->periodic[axis])
    lines->z = lines->ratio + points;
  TRY_CLEANUP(hostLinesFill(lines, s, axis, call, error));
  *out = lines;
  lines = NULL;
cleanup:
  txHostLinesDestroy(lines);
  return status;
}

void txHostLinesDestroy(txHostLines *lines) {
  if (!lines)
    return;
  free(lines->v_last);
  free(lines);
}

/* y_k <- (y_k - sub_k y_(k-1)) inverse_k */
static void hostLinesForward(const txHostLines *t, float *v, int k) {
  const float *sub = t->sub + (int64_t)k * t->count, *inverse = t->inverse + (int64_t)k * t->count;
  float *y = v + k * t->along;
  if (k == 0) {
    for (int l = 0; l < t->count; l++)
      y[l * t->across] *= inverse[l];
    return;
  }
  const float *before = y - t->along;
  for (int l = 0; l < t->count; l++)
    y[l * t->across] = (y[l * t->across] - sub[l] * before[l * t->across]) * inverse[l];
}

/* x_k <- y_k - ratio_k x_(k+1) */
static void hostLinesBackward(const txHostLines *t, float *v, int k) {
  const float *ratio = t->ratio + (int64_t)k * t->count;
  float *x = v + k * t->along;
  const float *after = x + t->along;
  for (int l = 0; l < t->count; l++)
    x[l * t->across] -= ratio[l] * after[l * t->across];
}

/* x <- x - z v^T x */
static void closeRing(const txHostLines *t, float *v) {
  float *first = v, *last = v + (t->length - 1) * t->along;
  for (int l = 0; l < t->count; l++) {
    float product = first[l * t->across] + t->v_last[l] * last[l * t->across];
    for (int k = 0; k < t->length; k++)
      v[k * t->along + l * t->across] -= t->z[(int64_t)k * t->count + l] * product;
  }
}

void txHostLinesSolve(const txHostLines *lines, float *v) {
  for (int k = 0; k < lines->length; k++)
    hostLinesForward(lines, v, k);
  for (int k = lines->length - 2; k >= 0; k--)
    hostLinesBackward(lines, v, k);
  if (lines->z)
    closeRing(lines, v);
}
