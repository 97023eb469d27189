/* L U of a panel on the host, column by column: what texels hold is copied into columns of numbers and back, because searches and steps then walk
 * along memory, eight rows at once. Rows stay in their places. The row of a pivot moves to `upper` and leaves zeros, so that neither steps nor
 * searches ask which rows have been taken. [2048 rows, 60 columns: 0.22 ms instead of 0.51 where texels were eliminated in place] */
#include "core/numbers.h"
#include "core/team.h"
#include "dense/host_panel.h"

#include <math.h>
#include <string.h>

#if defined __x86_64__ && defined __GNUC__
#define EVERYWHERE static inline __attribute__((always_inline)) /* into functions for other processors, too */
#else
#define EVERYWHERE static inline
#endif

enum {
  TERMS = 8, /* columns eliminated before a sweep over the rest */
  EIGHT = TX_HOST_PANEL_LINE,
  STRETCH = 512,  /* rows */
  WORTH = 1 << 15 /* entries: fewer are not worth several threads */
};

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
EVERYWHERE void load(const txHostPanel *p, int first, int end) {
  const quad *texels = (const quad *)p->texels, zero = {0};
  for (int y = first; y < end; y += 2)
    for (int x = 0; x < p->width; x++) {
      const quad *at = texels + (size_t)y * (size_t)p->width + x;
      quad a = at[0], b = y + 1 < p->height ? at[p->width] : zero;
      *(quad *)(columnOf(p, 2 * x) + 2 * y) = (quad){a[0], a[2], b[0], b[2]};
      *(quad *)(columnOf(p, 2 * x + 1) + 2 * y) = (quad){a[1], a[3], b[1], b[3]};
    }
  if (end < p->height)
    return;
  for (int j = 0, filled = (p->height + 1) / 2 * 4; j < 2 * p->width; j++)
    memset(columnOf(p, j) + filled, 0, (size_t)(p->lead - filled) * sizeof *p->columns);
}

EVERYWHERE void store(const txHostPanel *p, int first, int end) {
  quad *texels = (quad *)p->texels;
  for (int y = first; y < end; y += 2)
    for (int x = 0; x < p->width; x++) {
      quad *at = texels + (size_t)y * (size_t)p->width + x;
      quad a = *(quad *)(columnOf(p, 2 * x) + 2 * y), b = *(quad *)(columnOf(p, 2 * x + 1) + 2 * y);
      at[0] = (quad){a[0], b[0], a[1], b[1]};
      if (y + 1 < p->height)
        at[p->width] = (quad){a[2], b[2], a[3], b[3]};
    }
}

/* ---- Steps ---------------------------------------------------------------------------------------------------- */

/* The largest entries of a column so far, by row % EIGHT, and their rows: of equal ones the first. */
typedef struct candidates {
  eight most;
  mask at;
} candidates;

EVERYWHERE void look(candidates *c, const eight *entries, int row) {
  const mask magnitude = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  eight v = (eight)((mask)*entries & magnitude);
  mask larger = v > c->most;
  c->most = (eight)((larger & (mask)v) | (~larger & (mask)c->most));
  c->at = (larger & row) | (~larger & c->at);
}

EVERYWHERE candidates lookThrough(const txHostPanel *p, int k) {
  candidates c = {{0}, {0}};
  for (int i = 0; i < p->rows; i += EIGHT)
    look(&c, (const eight *)(columnOf(p, k) + i), i);
  return c;
}

/* The row of the largest entry, of equal ones the first; where none is larger than zero the first row that has been no pivot's. */
EVERYWHERE int choosePivot(const txHostPanel *p, const candidates *c) {
  int found = -1;
  float best = 0;
  for (int i = 0; i < EIGHT; i++)
    if (c->most[i] > best || (c->most[i] == best && best > 0 && c->at[i] + i < found)) {
      best = c->most[i];
      found = c->at[i] + i;
    }
  for (int i = 0; i < p->rows && found < 0; i++)
    found = p->step[i] == 0 ? i : -1;
  return found;
}

/* Column k becomes the multipliers; the `others` columns after it lose them times the pivot's row u, and the first of those is looked through. */
EVERYWHERE candidates takeStep(const txHostPanel *p, int k, int others, float pivot, const float *u) {
  float *l = columnOf(p, k);
  candidates c = {{0}, {0}};
  for (int i = 0; i < p->rows; i += EIGHT) {
    eight factor = *(const eight *)(l + i) / pivot;
    *(eight *)(l + i) = factor;
    for (int j = 1; j <= others; j++) {
      eight *at = (eight *)(l + i + (size_t)j * (size_t)p->lead);
      *at -= factor * u[k + j];
      if (j == 1)
        look(&c, at, i);
    }
  }
  return c;
}

/* With a loop for each number of columns. */
EVERYWHERE candidates takeStepOf(const txHostPanel *p, int k, int others, float pivot, const float *u) {
  switch (others) {
  case 0:
    return takeStep(p, k, 0, pivot, u);
  case 1:
    return takeStep(p, k, 1, pivot, u);
  case 2:
    return takeStep(p, k, 2, pivot, u);
  case 3:
    return takeStep(p, k, 3, pivot, u);
  case 4:
    return takeStep(p, k, 4, pivot, u);
  case 5:
    return takeStep(p, k, 5, pivot, u);
  case 6:
    return takeStep(p, k, 6, pivot, u);
  default:
    return takeStep(p, k, 7, pivot, u);
  }
}

/* Steps [first, last), in columns up to `end`, at most TERMS. */
EVERYWHERE void eliminate(txHostPanel *p, int first, int last, int end) {
  candidates c = {{0}, {0}};
  for (int k = first; k < last; k++) {
    if (k == first || p->value[k - 1] == 0)
      c = lookThrough(p, k);
    int pivot = choosePivot(p, &c);
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
      c = takeStepOf(p, k, end - k - 1, value, u);
    else
      memset(columnOf(p, k), 0, (size_t)p->lead * sizeof *p->columns);
  }
}

/* Columns [from, to) of the rows of pivots [first, end), which have missed the steps of those before them. */
static void finishPivots(const txHostPanel *p, int first, int end, int from, int to) {
  for (int k = first; k < end; k++)
    for (int j = from; j < to; j++) {
      float *at = columnOf(p, j) + p->row[k], v = *at;
      for (int s = first; s < k; s++)
        v -= columnOf(p, s)[p->row[k]] * upperOf(p, s)[j];
      upperOf(p, k)[j] = v;
    }
}

/* Rows [top, bottom) of a column -= sum l[t] u[t]; l[t] is column t of those from l on. */
EVERYWHERE void subtract(float *column, const float *l, size_t lead, const float u[TERMS], int top, int bottom) {
  for (int i = top; i < bottom; i += EIGHT) {
    const float *at = l + i;
    eight even = *(const eight *)at * u[0], odd = *(const eight *)(at + lead) * u[1];
    for (int t = 2; t < TERMS; t += 2) {
      even += *(const eight *)(at + (size_t)t * lead) * u[t];
      odd += *(const eight *)(at + (size_t)(t + 1) * lead) * u[t + 1];
    }
    *(eight *)(column + i) -= even + odd;
  }
}

/* Columns [from, to) -= sum l[t] u[t], over the steps [first, first + TERMS): some rows at a time, whose l stay in the first cache. Behind the last
 * step u is zero. */
EVERYWHERE void sweep(const txHostPanel *p, int first, int from, int to) {
  for (int top = 0; top < p->rows; top += STRETCH)
    for (int j = from; j < to; j++) {
      float u[TERMS];
      memcpy(u, p->terms + TERMS * (size_t)j, sizeof u);
      subtract(columnOf(p, j), columnOf(p, first), (size_t)p->lead, u, top, txLeast(top + STRETCH, p->rows));
    }
}

/* Columns [from, to) take the steps [first, end). */
EVERYWHERE void catchUp(const txHostPanel *p, int first, int end, int from, int to) {
  finishPivots(p, first, end, from, to);
  for (int j = from; j < to; j++)
    for (int t = 0; t < TERMS; t++)
      p->terms[TERMS * (size_t)j + (size_t)t] = first + t < end ? upperOf(p, first + t)[j] : 0;
  sweep(p, first, from, to);
  for (int j = from; j < to; j++)
    for (int k = first; k < end; k++)
      columnOf(p, j)[p->row[k]] = 0;
}

/* ---- A team --------------------------------------------------------------------------------------------------- */

/* Where part i of n things that are shared out among so many begins; a multiple of `unit`. */
static int partOf(int n, int i, int members, int unit) {
  int units = (n + unit - 1) / unit;
  return txLeast(n, (int)((int64_t)units * i / members) * unit);
}

/* The next eight columns take the steps [first, end), and their own; the other members meanwhile let those after them take the former. */
EVERYWHERE void takeSteps(txHostPanel *p, int first, int end, int member, int members) {
  int width = 2 * p->width, next = txLeast(first + TERMS, width), after = txLeast(next + TERMS, width);
  if (member == 0) {
    catchUp(p, first, end, next, members == 1 ? width : after);
    eliminate(p, next, txLeast(after, p->steps), after);
  } else {
    int part = width - after;
    catchUp(p, first, end, after + partOf(part, member - 1, members - 1, 1),
            after + partOf(part, member, members - 1, 1));
  }
}

EVERYWHERE void factor(txHostPanel *p, txTeam *team, int member, int members) {
  int top = partOf(p->height, member, members, 2), bottom = partOf(p->height, member + 1, members, 2);
  load(p, top, bottom);
  for (int i = 2 * top; i < 2 * bottom; i++)
    p->step[i] = i < p->rows ? 0 : -1;
  txTeamMeet(team);
  if (member == 0)
    eliminate(p, 0, txLeast(TERMS, p->steps), txLeast(TERMS, 2 * p->width));
  for (int first = 0; first < p->steps; first += TERMS) {
    txTeamMeet(team);
    takeSteps(p, first, txLeast(first + TERMS, p->steps), member, members);
  }
  txTeamMeet(team);
  for (int k = member; k < p->steps; k += members)
    for (int j = k; j < 2 * p->width; j++)
      columnOf(p, j)[p->row[k]] = upperOf(p, k)[j];
  txTeamMeet(team);
  store(p, top, bottom);
}

/* ---- Inverses ------------------------------------------------------------------------------------------------- */

/* L's diagonal blocks, row by row, where U was kept: number b begins in row and column b * block. */
static void gatherBlocks(const txHostPanel *p, int member, int members) {
  for (int t = member; t < p->steps; t += members)
    for (int s = t / p->block * p->block; s < t; s++)
      upperOf(p, t)[s] = columnOf(p, s)[p->row[t]];
}

/* Columns [c, c + EIGHT) of the inverse of the diagonal block that they are in. */
EVERYWHERE void invertColumns(const txHostPanel *p, int c) {
  eight x[TX_HOST_PANEL_BLOCK];
  int first = c / p->block * p->block, end = txLeast(first + p->block, 2 * p->width), lanes = txLeast(EIGHT, end - c);
  for (int t = c; t < end; t++) {
    eight v = {0}, w = {0};
    for (int k = 0; k < lanes; k++)
      v[k] = t == c + k;
    const float *l = upperOf(p, t);
    int s = c, last = t < p->steps ? t : c; /* rows that are no pivot's: the identity */
    for (; s + 1 < last; s += 2) {
      v -= l[s] * x[s - first];
      w -= l[s + 1] * x[s + 1 - first];
    }
    if (s < last)
      v -= l[s] * x[s - first];
    x[t - first] = v += w;
    float *to = p->inverse + 2 * ((size_t)(t / 2) * (size_t)p->block + (size_t)(t % 2)); /* texels of two columns */
    for (int k = 0; k < lanes; k++)
      to[4 * ((c - first + k) / 2) + k % 2] = v[k];
  }
}

EVERYWHERE void invert(const txHostPanel *p, txTeam *team, int member, int members) {
  txTeamMeet(team);
  gatherBlocks(p, member, members);
  txTeamMeet(team);
  for (int first = 0, number = 0; first < 2 * p->width; first += p->block)
    for (int c = first; c < txLeast(first + p->block, 2 * p->width); c += EIGHT, number++)
      if (number % members == member)
        invertColumns(p, c);
}

EVERYWHERE void work(txHostPanel *p, txTeam *team, int member, int members) {
  factor(p, team, member, members);
  if (p->block)
    invert(p, team, member, members);
}

static void factorBy(void *user, txTeam *team, int member, int members) {
  work(user, team, member, members);
}

#if defined __x86_64__ && defined __GNUC__
/* No product is fused with a sum: the results are the same on all processors. */
__attribute__((target("avx2"))) static void factorWide(void *user, txTeam *team, int member, int members) {
  work(user, team, member, members);
}
#endif

void txHostPanelLu(txHostPanel *p) {
  int64_t entries = (int64_t)p->rows * 2 * p->width;
  txTeamWork run = factorBy;
#if defined __x86_64__ && defined __GNUC__
  if (__builtin_cpu_supports("avx2"))
    run = factorWide;
#endif
  p->lead =
      EIGHT * (((p->rows + 3) / EIGHT + 1) | 1); /* an odd number of parts: rows of a power of two evict each other */
  txTeamRun(entries < WORTH ? 1 : p->threads, run, p);
}
