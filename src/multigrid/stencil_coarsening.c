/* Which axes are coarsened, and how fine points find their parents.
 *
 * Point smoothers reduce only that part of the error which oscillates along strong couplings, so a
 * grid may be coarsened along these alone (semicoarsening). */
#include "multigrid/stencil.h"

#include <math.h>

int txStencilCoarse(const txStencil *s, int axis) {
  const txAxisCoarsening *c = &s->coarsening[axis];
  return (s->n[axis] - 1 - c->first) / c->stride + 1;
}

/* The sums of all couplings towards x and towards y, relative to the diagonal. */
void txStencilCoupling(const txStencil *s, double mean[2]) {
  mean[0] = mean[1] = 0;
  for (int64_t p = 0; p < txStencilPoints(s); p++) {
    const float *c = s->a + TX_STENCIL * p;
    double scale = 1;
    if (c[TX_CENTRE] != 0)
      scale = fabs((double)c[TX_CENTRE]);
    mean[0] += fabs((double)(c[0] + c[3] + c[6]) + (double)(c[2] + c[5] + c[8])) / scale;
    mean[1] += fabs((double)(c[0] + c[1] + c[2]) + (double)(c[6] + c[7] + c[8])) / scale;
  }
}

/* Along an axis whose coupling is weak the error stays rough after smoothing, so that a coarser
 * grid could not represent it. */
bool txChooseCoarsening(txAxisCoarsening out[2], const int n[2], const bool periodic[2],
                        const double mean[2], bool full) {
  /* Each halving of an axis makes its coupling four times weaker: this is about the middle. */
  const double strong = 2.5;
  for (int axis = 0; axis < 2; axis++) {
    int other = 1 - axis;
    bool weak = !full && mean[axis] * strong < mean[other] && n[other] > 1;
    /* The ends of an odd ring are neighbours, and both stay. */
    bool odd_ring = periodic[axis] && n[axis] % 2;
    out[axis] = (txAxisCoarsening){2, !odd_ring};
    if (n[axis] == 1 || weak)
      out[axis] = (txAxisCoarsening){1, 0};
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
  int along = txStencilStep(axis), across = txStencilStep(1 - axis);
  double sum = 0;
  for (int k = TX_CENTRE - along; k <= TX_CENTRE + along; k += 2 * along)
    sum += fmax(-((double)c[k - across] + (double)c[k] + (double)c[k + across]), 0);
  return sum;
}

/* A direction is strong when its coupling is so many times the other one. It is the same over the
 * grid when at least the share `most` of all coupled points has it. */
bool txStencilTurns(const txStencil *s) {
  const double strong = 8, most = 0.98;
  double along_x = 0, along_y = 0, neither = 0;
  for (int64_t p = 0; p < txStencilPoints(s) && !s->uniform; p++) {
    double x = couplingAlong(s->a + TX_STENCIL * p, 0), y = couplingAlong(s->a + TX_STENCIL * p, 1);
    if (x > strong * y)
      along_x++;
    else if (y > strong * x)
      along_y++;
    else if (x != 0 || y != 0)
      neither++;
  }
  double largest = fmax(fmax(along_x, along_y), neither), sum = along_x + along_y + neither;
  return s->n[0] > 1 && s->n[1] > 1 && largest < most * sum;
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
