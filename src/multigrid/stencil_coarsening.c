/* Which axes are coarsened, and how fine points find their parents. */
#include "multigrid/stencil.h"

#include <math.h>

int txStencilCoarse(const txStencil *s, int axis) {
  const txAxisCoarsening *c = &s->coarsening[axis];
  return (s->n[axis] - 1 - c->first) / c->stride + 1;
}

void txStencilCoupling(const txStencil *s, double mean[2]) {
  mean[0] = mean[1] = 0;
  for (int64_t p = 0; p < txStencilPoints(s); p++) {
    const float *c = s->a + TX_STENCIL * p;
    double scale = c[TX_CENTRE] != 0 ? fabs((double)c[TX_CENTRE]) : 1;
    mean[0] += fabs((double)(c[0] + c[3] + c[6]) + (double)(c[2] + c[5] + c[8])) / scale;
    mean[1] += fabs((double)(c[0] + c[1] + c[2]) + (double)(c[6] + c[7] + c[8])) / scale;
  }
}

bool txChooseCoarsening(txAxisCoarsening out[2], const int n[2], const bool periodic[2],
                        const double mean[2], bool full) {
  /* each halving of an axis makes its coupling four times weaker */
  const double strong = 2.5;
  for (int axis = 0; axis < 2; axis++) {
    int other = 1 - axis;
    bool weak = !full && mean[axis] * strong < mean[other] && n[other] > 1;
    /* its ends are neighbours: keep both */
    bool odd_ring = periodic[axis] && n[axis] % 2;
    out[axis] = n[axis] == 1 || weak ? (txAxisCoarsening){1, 0} : (txAxisCoarsening){2, !odd_ring};
  }
  return out[0].stride * out[1].stride > 1;
}

bool txStencilChooseCoarsening(txStencil *s, bool full) {
  double mean[2];
  txStencilCoupling(s, mean);
  return txChooseCoarsening(s->coarsening, s->n, s->periodic, mean, full);
}

/* How strongly a point is coupled along an axis. */
static double couplingAlong(const float *c, int axis) {
  int along = axis ? 3 : 1, across = axis ? 1 : 3;
  double sum = 0;
  for (int k = TX_CENTRE - along; k <= TX_CENTRE + along; k += 2 * along)
    sum += fmax(-((double)c[k - across] + (double)c[k] + (double)c[k + across]), 0);
  return sum;
}

bool txStencilTurns(const txStencil *s) {
  /* one coupling over the other; the share of points that agree */
  const double strong = 8, most = 0.98;
  /* points coupled strongly along x, along y, in no direction */
  int64_t count[3] = {0, 0, 0}, sum = 0;
  for (int64_t p = 0; p < txStencilPoints(s) && !s->uniform; p++) {
    double x = couplingAlong(s->a + TX_STENCIL * p, 0), y = couplingAlong(s->a + TX_STENCIL * p, 1);
    if (x == 0 && y == 0)
      continue;
    count[x > strong * y ? 0 : y > strong * x ? 1 : 2]++;
    sum++;
  }
  int64_t largest = count[0] > count[1] ? count[0] : count[1];
  largest = largest > count[2] ? largest : count[2];
  return s->n[0] > 1 && s->n[1] > 1 && (double)largest < most * (double)sum;
}

void txStencilParents(const txStencil *s, int axis, int i, int *low, int *high) {
  const txAxisCoarsening *c = &s->coarsening[axis];
  int coarse = txStencilCoarse(s, axis), t = i - c->first;
  if (c->stride == 1 || t % 2 == 0) {
    *low = t / c->stride;
    *high = -1;
    return;
  }
  *low = (t + 1) / 2 - 1;
  *high = *low + 1;
  if (*low < 0)
    *low = s->periodic[axis] ? coarse - 1 : -1;
  if (*high >= coarse)
    *high = s->periodic[axis] ? 0 : -1;
}

bool txStencilBetween(const txStencil *s, int axis, int i) {
  return s->coarsening[axis].stride > 1 && (i - s->coarsening[axis].first) % 2 != 0;
}
