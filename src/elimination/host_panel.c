#include "elimination/host_panel.h"
#include "core/allocate.h"
#include "core/compiler.h"
#include "core/numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { TERMS = 8 /* columns eliminated before a sweep over the rest */ };

/* A texel: columns 2x, 2x + 1 of row 2y, then of row 2y + 1. */
typedef float quad TX_VECTOR(16);

clStatus txHostPanelCreate(txHostPanel *out, clError *error, const char *call, int rows,
                           int columns) {
  static const char what[] = "a panel";
  size_t height = (size_t)txHalf(rows), width = (size_t)txHalf(columns),
         lead = (size_t)rows + 4 * TX_HOST_PANEL_LINE;
  txHostPanel p = {
      .texels = txAllocate(error, call, height * width, sizeof(quad), what),
      .terms = txAllocate(error, call, TERMS * width, sizeof(quad), what),
      .columns = txAllocate(error, call, 2 * width * lead, sizeof *p.columns, what),
      .upper = txAllocate(error, call, 4 * width * width, sizeof *p.upper, what),
      .inverse = txAllocate(error, call, 2 * width * TX_HOST_PANEL_BLOCK, sizeof *p.inverse, what),
      .step = txAllocate(error, call, 2 * height, sizeof *p.step, what),
      .source = txAllocate(error, call, 2 * height, sizeof *p.source, what),
      .row = txAllocate(error, call, 2 * width, sizeof *p.row, what),
      .value = txAllocate(error, call, 2 * width, sizeof *p.value, what)};
  *out = p;
  if (!p.texels || !p.terms || !p.columns || !p.upper || !p.inverse || !p.step || !p.source ||
      !p.row || !p.value)
    return TEXLA_OUT_OF_MEMORY;
  return TEXLA_OK;
}

void txHostPanelDestroy(txHostPanel *p) {
  txTeamDestroy(p->team);
  free(p->texels);
  free(p->terms);
  free(p->columns);
  free(p->upper);
  free(p->inverse);
  free(p->step);
  free(p->source);
  free(p->row);
  free(p->value);
  *p = (txHostPanel){0};
}

static quad *hostPanelRowOf(const txHostPanel *p, int y) {
  return (quad *)p->texels + (size_t)y * (size_t)p->width;
}

static float *hostPanelEntryOf(const txHostPanel *p, int i, int j) {
  return p->texels + 4 * ((size_t)(i / 2) * (size_t)p->width + (size_t)(j / 2)) + 2 * (i % 2) +
         j % 2;
}

/* Texels [from, to) of a row of them -= sum l[t] u[x][t], over the TERMS steps. */
static void subtract(quad *row, const quad l[TERMS], const quad *u, int from, int to) {
  for (int x = from; x < to; x++) {
    const quad *v = u + TERMS * x;
    quad even = l[0] * v[0], odd = l[1] * v[1];
    for (int t = 2; t < TERMS; t += 2) {
      even += l[t] * v[t];
      odd += l[t + 1] * v[t + 1];
    }
    row[x] -= even + odd;
  }
}

/* Multipliers of both rows y of texels in columns [first, first + TERMS), each twice; zero where a
 * row takes no step, and from column `end` on. */
static void takeMultipliers(const txHostPanel *p, int y, int first, int end, bool upper, bool lower,
                            quad l[TERMS]) {
  const float *v = p->texels + 4 * ((size_t)y * (size_t)p->width + (size_t)(first / 2));
  for (int t = 0; t < TERMS; t++) {
    const float *at = v + 4 * (t / 2) + t % 2;
    float a = 0, b = 0;
    if (upper && first + t < end)
      a = at[0];
    if (lower && first + t < end)
      b = at[2];
    l[t] = (quad){a, a, b, b};
  }
}

/* A step on both rows y of texels, from texel x on up to texel `end`: column 2 x + lane becomes the
 * multipliers, and the columns after it lose them times u. Inlined for either lane. */
static inline void takeStep(quad *row, int x, int end, int lane, quad pivot, const quad *u) {
  quad c = row[x], l = (quad){c[lane], c[lane], c[2 + lane], c[2 + lane]} / pivot, d = c - l * u[0];
  row[x] = lane == 0 ? (quad){l[0], d[1], l[2], d[3]} : (quad){d[0], l[0], d[2], l[2]};
  for (int i = x + 1; i < end; i++)
    row[i] -= l * u[i - x];
}

/* ---- L L^T ----------------------------------------------------------------------------------- */

/* Column k of the rows below the block, and its products for the columns after it. */
static inline void takeStepsBelow(const txHostPanel *p, int k, int end, int lane, float root,
                                  const quad *u) {
  for (int y = end; y < p->height; y++)
    takeStep(hostPanelRowOf(p, y), k / 2, end, lane, (quad){root, root, root, root}, u);
}

/* Column k, and its products for the columns up to texel `end`; first the rows that are these
 * columns' own, entry by entry. */
static void hostPanelReduce(txHostPanel *p, int k, int end) {
  int x = k / 2, own = txLeast(2 * end, 2 * p->height);
  float pivot = *hostPanelEntryOf(p, k, k), root = 0;
  quad u[TERMS / 2] = {{0}};
  if (pivot > p->tolerance)
    root = sqrtf(pivot);
  *hostPanelEntryOf(p, k, k) = root;
  for (int i = k + 1; i < own; i++) {
    float *l = hostPanelEntryOf(p, i, k);
    if (root > 0)
      *l /= root;
    else
      *l = 0;
    u[i / 2 - x][i % 2] = u[i / 2 - x][2 + i % 2] = *l;
    for (int j = k + 1; j <= i; j++)
      *hostPanelEntryOf(p, i, j) -= *l * u[j / 2 - x][j % 2];
  }
  if (root > 0 && k % 2 == 0)
    takeStepsBelow(p, k, end, 0, root, u);
  else if (root > 0)
    takeStepsBelow(p, k, end, 1, root, u);
  for (int i = own; i < 2 * p->height && root == 0; i++)
    *hostPanelEntryOf(p, i, k) = 0;
}

/* TERMS columns, and then one sweep over the rest with all of them, so that texels are read and
 * written less often. */
void txHostPanelCholesky(txHostPanel *p) {
  quad *u = (quad *)p->terms;
  for (int first = 0; first < p->steps; first += TERMS) {
    int end = txLeast(first + TERMS, p->steps), x = txLeast((first + TERMS) / 2, p->width);
    for (int k = first; k < end; k++)
      hostPanelReduce(p, k, x);
    for (int y = x; y < p->height && x < p->width; y++) {
      quad l[TERMS];
      takeMultipliers(p, y, first, end, true, true, l);
      for (int t = 0; t < TERMS && y < p->width; t++)
        u[TERMS * y + t] = (quad){l[t][0], l[t][2], l[t][0], l[t][2]};
      subtract(hostPanelRowOf(p, y), l, u, x, txLeast(p->width, y + 1));
      if (y < p->width)
        hostPanelRowOf(p, y)[y][1] = 0;
    }
  }
}
