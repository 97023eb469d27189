/* The weights with which fine points are interpolated from their parents: P. */
#include "multigrid/stencil.h"
#include "core/allocate.h"
#include "core/parallel.h"
#include "core/triplets.h"
#include "core/try.h"

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

/* The coupling with a ghost value beyond side d of `axis`: how far the row's sum exceeds that of
 * the next row inwards. */
static double ghostCoupling(const txStencil *s, int axis, int d, int i, int j) {
  int inwards[2] = {i, j};
  inwards[axis] += 1 - 2 * d;
  return fmax(rowSum(s, i, j) - rowSum(s, inwards[0], inwards[1]), 0);
}

/* A point between two coarse ones on `axis`: the row's other direction is lumped, and the weights
 * sum to one. Where one parent would lie beyond the boundary, a ghost value of zero takes its share
 * there. */
static void lineWeights(const txStencil *s, int axis, int i, int j, double *low, double *high) {
  const float *c = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  int along = txStencilStep(axis), across = txStencilStep(1 - axis), place[2] = {i, j}, parent[2];
  double side[2], ghost = 0;
  txStencilParents(s, axis, place[axis], &parent[0], &parent[1]);
  for (int d = 0; d < 2; d++) {
    int k = TX_CENTRE + (2 * d - 1) * along;
    side[d] = fmax(-((double)c[k - across] + (double)c[k] + (double)c[k + across]), 0);
    if (parent[d] < 0)
      ghost = ghostCoupling(s, axis, d, i, j);
  }
  double tiny = 1e-6 * fabs((double)c[TX_CENTRE]);
  /* Of stretched cells the row says nothing, unless it is alone. */
  if (side[0] + side[1] <= tiny) {
    side[0] = !isAlone(c);
    side[1] = side[0];
    ghost = parent[0] < 0 || parent[1] < 0;
  }
  for (int d = 0; d < 2; d++)
    if (parent[d] < 0)
      side[d] = 0;
  double total = side[0] + side[1] + ghost;
  *low = total > 0 ? side[0] / total : 0;
  *high = total > 0 ? side[1] / total : 0;
}

/* w -= coupling times the weights with which a neighbour on a line is interpolated: from the
 * corners `low` and `high`. A neighbour that does not exist takes nothing. */
static void replaceNeighbour(const txStencil *s, int axis, const int place[2], double coupling,
                             double *low, double *high) {
  double weight[2] = {0, 0};
  if (place[0] >= 0 && place[1] >= 0)
    lineWeights(s, axis, place[0], place[1], &weight[0], &weight[1]);
  *low -= coupling * weight[0];
  *high -= coupling * weight[1];
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
    int d = 2 * side - 1, x = txStencilNeighbour(s, 0, i, d), y = txStencilNeighbour(s, 1, j, d);
    double across_x = (double)c[TX_CENTRE + d], across_y = (double)c[TX_CENTRE + 3 * d];
    replaceNeighbour(s, 1, (int[]){x, j}, across_x, &w[side], &w[2 + side]);
    replaceNeighbour(s, 0, (int[]){i, y}, across_y, &w[2 * side], &w[2 * side + 1]);
    all &= x >= 0 && y >= 0;
  }
  for (int p = 0; p < 4; p++) {
    w[p] = fmax(w[p], 0);
    total += w[p];
  }
  /* Weights sum to one, but at a boundary they may sum to less. */
  double scale = total;
  if (!all)
    scale = fmax((double)c[TX_CENTRE], total);
  bool says_nothing = !(total > 1e-6 * fabs((double)c[TX_CENTRE]));
  double instead = isAlone(c) ? 0 : 0.25;
  for (int p = 0; p < 4; p++)
    w[p] = says_nothing ? instead : w[p] / scale;
}

/* Dendy's weights: from the row of A at (i, j). */
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
  for (int side = 0; side < 2; side++) {
    int other = 1 - side;
    w[side] = 0.5;
    if (parent[side] < 0)
      w[side] = 0;
    else if (parent[other] < 0 && s->mirrored[axis][other])
      w[side] = 1;
  }
}

/* The product of the weights along both axes. */
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
      at[axis] = side * (s->n[axis] - 1);
      s->mirrored[axis][side] = false;
      if (!txStencilBetween(s, axis, at[axis]))
        continue;
      lineWeights(s, axis, at[0], at[1], &w[0], &w[1]);
      s->mirrored[axis][side] = w[0] + w[1] > 0.75;
    }
}

/* What the loop over stored points works on. */
typedef struct interpolation {
  txStencil *s;
  txInterpolation kind;
} interpolation;

/* One part of the loop over stored points, on its thread. */
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
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(
      clTripletsCreate(&P, s->n[0] * s->n[1], nx * ny, 4 * (int64_t)s->n[0] * s->n[1], error));
  for (int32_t row = 0; row < P->rows; row++) {
    int j = row / s->n[0], i = row - j * s->n[0], px[2], py[2];
    const float *w = s->weight + 4 * txStencilIndex(s, i, j);
    txStencilParents(s, 0, i, &px[0], &px[1]);
    txStencilParents(s, 1, j, &py[0], &py[1]);
    for (int p = 0; p < 4; p++) {
      if (w[p] != 0)
        TRY_CLEANUP(clTripletsAdd(P, row, py[p >> 1] * nx + px[p & 1], (double)w[p], error));
    }
  }
  TRY_CLEANUP(clTripletsCompress(P, error));
  *out = P;
  P = NULL;
cleanup:
  clTripletsDestroy(P);
  return status;
}
