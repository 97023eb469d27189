/* The weights with which fine points are interpolated from their parents: P. */
#include "multigrid/stencil.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/triplets.h"

#include <math.h>
#include <stdlib.h>

static double rowSum(const txStencil *s, int i, int j) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  double sum = 0;
  for (int k = 0; k < TX_STENCIL; k++)
    sum += (double)c[k];
  return sum;
}

/* No coupling worth mentioning. */
static bool isAlone(const float *c) {
  double sum = -fabs((double)c[TX_CENTRE]);
  for (int k = 0; k < TX_STENCIL; k++)
    sum += fabs((double)c[k]);
  return sum <= 1e-6 * fabs((double)c[TX_CENTRE]);
}

/* A point between two coarse ones on `axis`: the row's other direction is lumped, and the weights
 * sum to one. Where one parent would lie beyond the boundary, the row's sum, as far as it exceeds
 * that of the next row inwards, couples with a ghost value of zero there. */
static void lineWeights(const txStencil *s, int axis, int i, int j, double *low, double *high) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  int along = axis ? 3 : 1, across = axis ? 1 : 3, parent[2];
  double side[2], ghost = 0;
  txStencilParents(s, axis, axis ? j : i, &parent[0], &parent[1]);
  for (int d = 0; d < 2; d++) {
    int k = TX_CENTRE + (d ? along : -along), inwards = d ? -1 : 1;
    side[d] = fmax(-((double)c[k - across] + (double)c[k] + (double)c[k + across]), 0);
    if (parent[d] < 0)
      ghost = fmax(rowSum(s, i, j) - rowSum(s, axis ? i : i + inwards, axis ? j + inwards : j), 0);
  }
  double tiny = 1e-6 * fabs((double)c[TX_CENTRE]);
  /* stretched cells: the row says nothing, unless it is alone */
  if (side[0] + side[1] <= tiny) {
    side[0] = side[1] = isAlone(c) ? 0 : 1;
    ghost = parent[0] < 0 || parent[1] < 0 ? 1 : 0;
  }
  for (int d = 0; d < 2; d++)
    side[d] = parent[d] < 0 ? 0 : side[d];
  double total = side[0] + side[1] + ghost;
  *low = total > 0 ? side[0] / total : 0;
  *high = total > 0 ? side[1] / total : 0;
}

/* A point amid four coarse ones: its row, with the four neighbours on lines replaced by their
 * interpolation. */
static void centreWeights(const txStencil *s, int i, int j, double w[4]) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  static const int corner[4] = {0, 2, 6, 8};
  double total = 0;
  bool all = true;
  for (int p = 0; p < 4; p++)
    w[p] = -(double)c[corner[p]];
  for (int side = 0; side < 2; side++) {
    double low = 0, high = 0;
    int x = txStencilNeighbour(s, 0, i, side ? 1 : -1),
        y = txStencilNeighbour(s, 1, j, side ? 1 : -1);
    if (x >= 0)
      lineWeights(s, 1, x, j, &low, &high);
    w[side] -= (double)c[side ? 5 : 3] * low;
    w[2 + side] -= (double)c[side ? 5 : 3] * high;
    low = high = 0;
    if (y >= 0)
      lineWeights(s, 0, i, y, &low, &high);
    w[2 * side] -= (double)c[side ? 7 : 1] * low;
    w[2 * side + 1] -= (double)c[side ? 7 : 1] * high;
    all &= x >= 0 && y >= 0;
  }
  for (int p = 0; p < 4; p++)
    total += w[p] = fmax(w[p], 0);
  double scale = all ? total : fmax((double)c[TX_CENTRE], total),
         tiny = 1e-6 * fabs((double)c[TX_CENTRE]);
  for (int p = 0; p < 4; p++)
    w[p] = total > tiny ? w[p] / scale : isAlone(c) ? 0 : 0.25;
}

static void operatorWeights(const txStencil *s, int i, int j, double w[4]) {
  bool x = txStencilBetween(s, 0, i), y = txStencilBetween(s, 1, j);
  w[0] = 1;
  w[1] = w[2] = w[3] = 0;
  if (x && y)
    centreWeights(s, i, j, w);
  else if (x)
    lineWeights(s, 0, i, j, &w[0], &w[1]);
  else if (y)
    lineWeights(s, 1, i, j, &w[0], &w[2]);
}

/* Weights of the parents of i on one axis. */
static void halves(const txStencil *s, int axis, int i, double w[2]) {
  int parent[2];
  txStencilParents(s, axis, i, &parent[0], &parent[1]);
  w[0] = 1;
  w[1] = 0;
  if (!txStencilBetween(s, axis, i))
    return;
  for (int side = 0; side < 2; side++)
    w[side] = parent[side] < 0 ? 0 : parent[1 - side] < 0 && s->mirrored[axis][1 - side] ? 1 : 0.5;
}

static void bilinearWeights(const txStencil *s, int i, int j, double w[4]) {
  double x[2], y[2];
  halves(s, 0, i, x);
  halves(s, 1, j, y);
  for (int p = 0; p < 4; p++)
    w[p] = x[p & 1] * y[p >> 1];
}

/* The ghost values beyond a boundary, seen from the middle of that side: zero, or those inside
 * again? */
static void findGhosts(txStencil *s) {
  for (int axis = 0; axis < 2; axis++)
    for (int side = 0; side < 2; side++) {
      int at[2] = {s->n[0] / 2, s->n[1] / 2};
      double w[2];
      at[axis] = side ? s->n[axis] - 1 : 0;
      s->mirrored[axis][side] = false;
      if (!txStencilBetween(s, axis, at[axis]))
        continue;
      lineWeights(s, axis, at[0], at[1], &w[0], &w[1]);
      s->mirrored[axis][side] = w[0] + w[1] > 0.75;
    }
}

typedef struct interpolation {
  txStencil *s;
  txInterpolation kind;
} interpolation;

static void interpolatePoints(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const interpolation *l = user;
  (void)sum;
  for (int64_t at = first; at < last; at++) {
    int i, j;
    double w[4];
    if (!txStencilPlace(l->s, at, &i, &j))
      continue;
    if (l->kind == TX_INTERPOLATE_OPERATOR)
      operatorWeights(l->s, i, j, w);
    else
      bilinearWeights(l->s, i, j, w);
    for (int p = 0; p < 4; p++)
      l->s->weight[4 * at + p] = (float)w[p];
  }
}

clStatus txStencilInterpolate(txStencil *s, txInterpolation kind, const char *call,
                              clError *error) {
  s->weight = txAllocate(error, call, (size_t)txStencilPoints(s), 4 * sizeof *s->weight,
                         "the stencils of a grid");
  if (!s->weight)
    return TEXLA_OUT_OF_MEMORY;
  findGhosts(s);
  txParallel(txStencilPoints(s), interpolatePoints, &(interpolation){s, kind}, NULL);
  return TEXLA_OK;
}

clStatus txStencilProlongation(clTriplets **out, const txStencil *s, clError *error) {
  int nx = txStencilCoarse(s, 0), ny = txStencilCoarse(s, 1);
  clTriplets *P = NULL;
  clStatus status =
      clTripletsCreate(&P, s->n[0] * s->n[1], nx * ny, 4 * (int64_t)s->n[0] * s->n[1], error);
  for (int32_t row = 0; !status && row < P->rows; row++) {
    int j = row / s->n[0], i = row - j * s->n[0], px[2], py[2];
    const float *w = s->weight + 4 * txStencilIndex(s, i, j);
    txStencilParents(s, 0, i, &px[0], &px[1]);
    txStencilParents(s, 1, j, &py[0], &py[1]);
    for (int p = 0; p < 4 && !status; p++)
      if (w[p] != 0)
        status = clTripletsAdd(P, row, py[p >> 1] * nx + px[p & 1], (double)w[p], error);
  }
  if (!status)
    status = clTripletsCompress(P, error);
  if (status)
    clTripletsDestroy(P);
  else
    *out = P;
  return status;
}
