/* The coarse operator P^T A P. */
#include "multigrid/stencil.h"
#include "core/parallel.h"

#include <string.h>

/* The step between coarse neighbours, which may lie across the end. */
static int coarseStep(const txStencil *s, int axis, int from, int to) {
  int d = to - from, n = txStencilCoarse(s, axis);
  if (d > 1)
    return d - n;
  if (d < -1)
    return d + n;
  return d;
}

/* c += factor * (the row of A at fine (i, j)) P, as a stencil around coarse (I, J) */
static void stencilGalerkinAddRow(double c[TX_STENCIL], const txStencil *s, double factor, int i,
                                  int j, int I, int J) {
  const float *a = s->a + TX_STENCIL * txStencilIndex(s, i, j);
  for (int k = 0; k < TX_STENCIL; k++) {
    int x = txStencilNeighbour(s, 0, i, k % 3 - 1), y = txStencilNeighbour(s, 1, j, k / 3 - 1),
        px[2], py[2];
    if (a[k] == 0 || x < 0 || y < 0)
      continue;
    const float *w = s->weight + 4 * txStencilIndex(s, x, y);
    txStencilParents(s, 0, x, &px[0], &px[1]);
    txStencilParents(s, 1, y, &py[0], &py[1]);
    for (int p = 0; p < 4; p++)
      if (w[p] != 0)
        c[3 * (coarseStep(s, 1, J, py[p >> 1]) + 1) + coarseStep(s, 0, I, px[p & 1]) + 1] +=
            factor * (double)a[k] * (double)w[p];
  }
}

/* c <- row (I, J) of P^T A P */
static void galerkinRow(double c[TX_STENCIL], const txStencil *s, int I, int J) {
  memset(c, 0, TX_STENCIL * sizeof *c);
  int reach[2], centre[2] = {s->coarsening[0].stride * I + s->coarsening[0].first,
                             s->coarsening[1].stride * J + s->coarsening[1].first};
  for (int axis = 0; axis < 2; axis++)
    reach[axis] = s->coarsening[axis].stride - 1;
  for (int dy = -reach[1]; dy <= reach[1]; dy++)
    for (int dx = -reach[0]; dx <= reach[0]; dx++) {
      int i = txStencilNeighbour(s, 0, centre[0], dx), j = txStencilNeighbour(s, 1, centre[1], dy);
      if (i < 0 || j < 0 || (dx && !txStencilBetween(s, 0, i)) ||
          (dy && !txStencilBetween(s, 1, j)))
        continue;
      /* Seen from a point on the low side this is its high parent. */
      int p = (dx < 0) + 2 * (dy < 0);
      double w = (double)s->weight[4 * txStencilIndex(s, i, j) + p];
      if (w != 0)
        stencilGalerkinAddRow(c, s, w, i, j, I, J);
    }
}

typedef struct product {
  const txStencil *s;
  txStencil *coarse;
} product;

static void coarsenPoints(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const product *l = user;
  for (int64_t at = first; at < last; at++) {
    int I, J;
    double c[TX_STENCIL];
    if (!txStencilPlace(l->coarse, at, &I, &J))
      continue;
    galerkinRow(c, l->s, I, J);
    float *to = l->coarse->a + TX_STENCIL * at;
    for (int k = 0; k < TX_STENCIL; k++)
      to[k] = (float)c[k];
    sum[0] += txStencilHasCorner(to);
  }
}

clStatus txStencilCoarsen(txStencil **out, const txStencil *s, const char *call, clError *error) {
  txStencil *coarse = txStencilMake(txStencilCoarse(s, 0), txStencilCoarse(s, 1), s->periodic,
                                    s->uniform, call, error);
  if (!coarse)
    return TEXLA_OUT_OF_MEMORY;
  double sum[TX_SUMS];
  txParallel(txStencilPoints(coarse), coarsenPoints, &(product){s, coarse}, sum);
  coarse->nine = sum[0] > 0;
  *out = coarse;
  return TEXLA_OK;
}
