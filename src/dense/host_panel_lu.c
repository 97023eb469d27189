/* L U of a panel on the host, column by column: what texels hold is copied into columns of numbers and back, because searches and steps then walk
 * along memory, eight rows at once. Rows stay in their places. The row of a pivot moves to `upper` and leaves zeros, so that neither steps nor
 * searches ask which rows have been taken. [2048 rows, 60 columns: 0.22 ms instead of 0.51 where texels were eliminated in place] */
#include "core/numbers.h"
#include "dense/host_panel.h"

#include <math.h>
#include <string.h>

#if defined __x86_64__ && defined __GNUC__
#define EVERYWHERE static inline __attribute__((always_inline)) /* into functions for other processors, too */
#else
#define EVERYWHERE static inline
#endif

enum { TERMS = 8 /* columns eliminated before a sweep over the rest */, EIGHT = TX_HOST_PANEL_LINE };

typedef float quad
    __attribute__((vector_size(16), aligned(4), may_alias)); /* a texel: two entries of a row, two of the next */
typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t mask __attribute__((vector_size(32), aligned(4), may_alias));

static float *columnOf(const txHostPanel *p, int j) {
  return p->columns + (size_t)j * (size_t)p->lead;
}

/* Right of its pivot: what row `pivot` of step k was when it was taken. */
static float *upperOf(const txHostPanel *p, int k) {
  return p->upper + (size_t)k * 2 * (size_t)p->width;
}

/* ---- Texels --------------------------------------------------------------------------------------------------- */

/* Two rows of texels are four rows of each column. */
EVERYWHERE void load(txHostPanel *p) {
  const quad *texels = (const quad *)p->texels, zero = {0};
  for (int y = 0; y < p->height; y += 2)
    for (int x = 0; x < p->width; x++) {
      const quad *at = texels + (size_t)y * (size_t)p->width + x;
      quad a = at[0], b = y + 1 < p->height ? at[p->width] : zero;
      *(quad *)(columnOf(p, 2 * x) + 2 * y) = (quad){a[0], a[2], b[0], b[2]};
      *(quad *)(columnOf(p, 2 * x + 1) + 2 * y) = (quad){a[1], a[3], b[1], b[3]};
    }
  for (int j = 0, end = (p->height + 1) / 2 * 4; j < 2 * p->width; j++)
    memset(columnOf(p, j) + end, 0, (size_t)(p->lead - end) * sizeof *p->columns);
}

EVERYWHERE void store(const txHostPanel *p) {
  quad *texels = (quad *)p->texels;
  for (int y = 0; y < p->height; y += 2)
    for (int x = 0; x < p->width; x++) {
      quad *at = texels + (size_t)y * (size_t)p->width + x;
      quad a = *(quad *)(columnOf(p, 2 * x) + 2 * y), b = *(quad *)(columnOf(p, 2 * x + 1) + 2 * y);
      at[0] = (quad){a[0], b[0], a[1], b[1]};
      if (y + 1 < p->height)
        at[p->width] = (quad){a[2], b[2], a[3], b[3]};
    }
}

/* ---- Steps ---------------------------------------------------------------------------------------------------- */

/* The row of the largest entry of a column, of equal ones the first; where none is larger than zero the first row that has been no pivot's. */
EVERYWHERE int findPivot(const txHostPanel *p, int k) {
  const float *column = columnOf(p, k);
  const mask magnitude = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  eight most = {0};
  mask at = {0}, row = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int i = 0; i < p->rows; i += EIGHT, row += EIGHT) {
    eight v = *(const eight *)(column + i);
    v = (eight)((mask)v & magnitude);
    mask larger = v > most;
    most = (eight)((larger & (mask)v) | (~larger & (mask)most));
    at = (larger & row) | (~larger & at);
  }
  int found = -1;
  float best = 0;
  for (int i = 0; i < EIGHT; i++)
    if (most[i] > best || (most[i] == best && best > 0 && at[i] < found)) {
      best = most[i];
      found = at[i];
    }
  for (int i = 0; i < p->rows && found < 0; i++)
    found = p->step[i] == 0 ? i : -1;
  return found;
}

/* Column k becomes the multipliers; columns up to `end` lose them times the pivot's row u. */
EVERYWHERE void takeStep(const txHostPanel *p, int k, int end, float pivot, const float *u) {
  float *l = columnOf(p, k);
  for (int i = 0; i < p->rows; i += EIGHT)
    *(eight *)(l + i) /= pivot;
  for (int j = k + 1; j < end; j++) {
    float *column = columnOf(p, j);
    for (int i = 0; i < p->rows; i += EIGHT)
      *(eight *)(column + i) -= *(const eight *)(l + i) * u[j];
  }
}

EVERYWHERE void eliminate(txHostPanel *p, int k, int end) {
  int pivot = findPivot(p, k);
  float *u = upperOf(p, k), value = columnOf(p, k)[pivot];
  value = fabsf(value) > p->tolerance ? value : 0;
  p->row[k] = pivot;
  p->value[k] = value;
  p->step[pivot] = k + 1;
  for (int j = k; j < end; j++) {
    u[j] = columnOf(p, j)[pivot];
    columnOf(p, j)[pivot] = 0;
  }
  if (value != 0)
    takeStep(p, k, end, value, u);
  else
    memset(columnOf(p, k), 0, (size_t)p->lead * sizeof *p->columns);
}

/* Columns from `from` on of the rows of pivots [first, end), which have missed the steps of those before them. */
static void finishPivots(const txHostPanel *p, int first, int end, int from) {
  for (int k = first; k < end; k++)
    for (int j = from; j < 2 * p->width; j++) {
      float *at = columnOf(p, j) + p->row[k], v = *at;
      for (int s = first; s < k; s++)
        v -= columnOf(p, s)[p->row[k]] * upperOf(p, s)[j];
      upperOf(p, k)[j] = v;
    }
}

/* Columns from `from` on -= sum l[t] u[t], over the steps [first, end). */
EVERYWHERE void sweep(const txHostPanel *p, int first, int end, int from) {
  for (int i = 0; i < p->rows; i += EIGHT) {
    eight l[TERMS];
    for (int t = 0; t < TERMS; t++)
      l[t] = first + t < end ? *(const eight *)(columnOf(p, first + t) + i) : (eight){0};
    for (int j = from; j < 2 * p->width; j++) {
      const float *u = p->terms + TERMS * (size_t)j;
      eight even = l[0] * u[0], odd = l[1] * u[1];
      for (int t = 2; t < TERMS; t += 2) {
        even += l[t] * u[t];
        odd += l[t + 1] * u[t + 1];
      }
      *(eight *)(columnOf(p, j) + i) -= even + odd;
    }
  }
}

EVERYWHERE void catchUp(const txHostPanel *p, int first, int end, int from) {
  finishPivots(p, first, end, from);
  for (int j = from; j < 2 * p->width; j++)
    for (int t = 0; t < TERMS; t++)
      p->terms[TERMS * (size_t)j + (size_t)t] = first + t < end ? upperOf(p, first + t)[j] : 0;
  sweep(p, first, end, from);
  for (int j = from; j < 2 * p->width; j++)
    for (int k = first; k < end; k++)
      columnOf(p, j)[p->row[k]] = 0;
}

EVERYWHERE void factor(txHostPanel *p) {
  p->lead =
      EIGHT * (((p->rows + 3) / EIGHT + 1) | 1); /* an odd number of parts: rows of a power of two evict each other */
  load(p);
  for (int i = 0; i < 2 * p->height; i++)
    p->step[i] = i < p->rows ? 0 : -1;
  for (int first = 0; first < p->steps; first += TERMS) {
    int end = txLeast(first + TERMS, p->steps), from = txLeast(first + TERMS, 2 * p->width);
    for (int k = first; k < end; k++)
      eliminate(p, k, from);
    catchUp(p, first, end, from);
  }
  for (int k = 0; k < p->steps; k++)
    for (int j = k; j < 2 * p->width; j++)
      columnOf(p, j)[p->row[k]] = upperOf(p, k)[j];
  store(p);
}

#if defined __x86_64__ && defined __GNUC__
/* No product is fused with a sum: the results are the same on all processors. */
__attribute__((target("avx2"))) static void factorWide(txHostPanel *p) {
  factor(p);
}
#endif

void txHostPanelLu(txHostPanel *p) {
#if defined __x86_64__ && defined __GNUC__
  if (__builtin_cpu_supports("avx2")) {
    factorWide(p);
    return;
  }
#endif
  factor(p);
}
