/* clFlow's step as plain loops in double precision, cell by cell, with the boundary conditions
 * taken from the options. */
#ifndef TEXLA_TESTS_SIM_FLOW_LOOP_H
#define TEXLA_TESTS_SIM_FLOW_LOOP_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "choose.h"
#include "texla/flow.h"

typedef struct Loop {
  /* nx, ny, h, dt given */
  clFlowOptions o;
  const uint8_t *solid;
  double *u, *v, *p, *dye;
} Loop;

typedef double (*LoopField)(const Loop *l, const double *x, int i, int j);

static inline size_t loopCells(const Loop *l) {
  return (size_t)l->o.nx * (size_t)l->o.ny;
}

static inline double *loopCopy(const Loop *l, const double *x) {
  double *copy = calloc(loopCells(l), sizeof *copy);
  for (size_t k = 0; x && k < loopCells(l); k++)
    copy[k] = x[k];
  return copy;
}

static inline bool loopWraps(const Loop *l, int axis) {
  return l->o.side[2 * axis].edge == TEXLA_FLOW_PERIODIC;
}

static inline int loopWrap(int i, int n, bool wraps) {
  return wraps ? (i + n) % n : i;
}

/* A component of the velocity that side s gives at cell k; false where it is a wall at rest, or not
 * given at all. */
static inline bool loopGiven(const Loop *l, int s, int k, int component, double *value) {
  const clFlowSide *side = &l->o.side[s];
  double to = side->to > 0 ? (double)side->to : 1, from = (double)side->from;
  double t = ((k + 0.5) / (s < 2 ? l->o.ny : l->o.nx) - from) / (to - from);
  bool here = side->edge == TEXLA_FLOW_INFLOW && t > 0 && t < 1;
  *value = here ? (double)side->velocity[component] : 0;
  if (here && side->parabolic && component == s / 2)
    *value *= 4 * t * (1 - t);
  return here;
}

static inline double loopBeside(const Loop *l, int s, int k, double inner) {
  clFlowEdge edge = l->o.side[s].edge;
  double value;
  if (edge == TEXLA_FLOW_FREE_SLIP || edge == TEXLA_FLOW_OUTFLOW)
    return inner;
  loopGiven(l, s, k, 1 - s / 2, &value);
  if (edge == TEXLA_FLOW_NO_SLIP)
    value = (double)l->o.side[s].velocity[1 - s / 2];
  return 2 * value - inner;
}

static inline double loopU(const Loop *l, const double *x, int i, int j) {
  double value;
  i = loopWrap(i, l->o.nx, loopWraps(l, 0));
  j = loopWrap(j, l->o.ny, loopWraps(l, 1));
  int row = clampTo(j, l->o.ny), column = clampTo(i, l->o.nx);
  if (i < 0)
    loopGiven(l, TEXLA_SIDE_LEFT, row, 0, &value);
  else
    value = x[row * l->o.nx + column];
  if (j == row)
    return value;
  return loopBeside(l, j < 0 ? TEXLA_SIDE_BOTTOM : TEXLA_SIDE_TOP, column, value);
}

static inline double loopV(const Loop *l, const double *x, int i, int j) {
  double value;
  i = loopWrap(i, l->o.nx, loopWraps(l, 0));
  j = loopWrap(j, l->o.ny, loopWraps(l, 1));
  int row = clampTo(j, l->o.ny), column = clampTo(i, l->o.nx);
  if (j < 0)
    loopGiven(l, TEXLA_SIDE_BOTTOM, column, 1, &value);
  else
    value = x[row * l->o.nx + column];
  if (i == column)
    return value;
  return loopBeside(l, i < 0 ? TEXLA_SIDE_LEFT : TEXLA_SIDE_RIGHT, row, value);
}

static inline double loopDyeBeside(const Loop *l, int s, int k, double inner) {
  double ignored;
  const clFlowSide *side = &l->o.side[s];
  bool wall = side->edge == TEXLA_FLOW_NO_SLIP || side->edge == TEXLA_FLOW_FREE_SLIP;
  bool holds = loopGiven(l, s, k, 0, &ignored) || (wall && side->holds_dye);
  return holds ? 2 * (double)side->dye - inner : inner;
}

static inline double loopDye(const Loop *l, const double *x, int i, int j) {
  i = loopWrap(i, l->o.nx, loopWraps(l, 0));
  j = loopWrap(j, l->o.ny, loopWraps(l, 1));
  int row = clampTo(j, l->o.ny), column = clampTo(i, l->o.nx);
  double value = x[row * l->o.nx + column];
  if (i != column)
    value = loopDyeBeside(l, i < 0 ? TEXLA_SIDE_LEFT : TEXLA_SIDE_RIGHT, row, value);
  if (j == row)
    return value;
  return loopDyeBeside(l, j < 0 ? TEXLA_SIDE_BOTTOM : TEXLA_SIDE_TOP, column, value);
}

static inline bool loopSolid(const Loop *l, int i, int j) {
  i = loopWrap(i, l->o.nx, loopWraps(l, 0));
  j = loopWrap(j, l->o.ny, loopWraps(l, 1));
  bool inside = i >= 0 && j >= 0 && i < l->o.nx && j < l->o.ny;
  return inside && l->solid && l->solid[j * l->o.nx + i];
}

/* Does the right (axis 0) or top (axis 1) face of a cell carry flow that the pressure may
 * change? */
static inline bool loopOpen(const Loop *l, int i, int j, int axis) {
  int x = i + (axis == 0), y = j + (axis == 1);
  if (loopSolid(l, i, j) || loopSolid(l, x, y))
    return false;
  bool beyond = axis ? y == l->o.ny : x == l->o.nx;
  clFlowEdge edge = l->o.side[2 * axis + 1].edge;
  return !beyond || edge == TEXLA_FLOW_OUTFLOW || edge == TEXLA_FLOW_PERIODIC;
}

/* The velocity at a neighbouring face, or, within an obstacle, the mirror image of `here`. */
static inline double loopSeen(const Loop *l, const double *x, int i, int j, int axis, double here) {
  bool buried = loopSolid(l, i, j) && loopSolid(l, i + (axis == 0), j + (axis == 1));
  bool inside =
      (loopWraps(l, 0) || (i >= 0 && i < l->o.nx)) && (loopWraps(l, 1) || (j >= 0 && j < l->o.ny));
  if (buried && inside)
    return -here;
  return axis ? loopV(l, x, i, j) : loopU(l, x, i, j);
}

static inline double loopLaplaceU(const Loop *l, const double *u, int i, int j) {
  double c = loopU(l, u, i, j);
  return loopU(l, u, i + 1, j) + loopU(l, u, i - 1, j) + loopSeen(l, u, i, j + 1, 0, c) +
         loopSeen(l, u, i, j - 1, 0, c) - 4 * c;
}

static inline double loopLaplaceV(const Loop *l, const double *v, int i, int j) {
  double c = loopV(l, v, i, j);
  return loopV(l, v, i, j + 1) + loopV(l, v, i, j - 1) + loopSeen(l, v, i + 1, j, 1, c) +
         loopSeen(l, v, i - 1, j, 1, c) - 4 * c;
}

static inline double loopLaplaceDye(const Loop *l, const double *x, int i, int j) {
  double c = x[j * l->o.nx + i], sum = 0;
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (int k = 0; k < 4; k++)
    sum += loopSolid(l, i + way[k][0], j + way[k][1])
               ? 0
               : loopDye(l, x, i + way[k][0], j + way[k][1]) - c;
  return sum;
}

/* x + rate L x, or the x with (1 - rate L) x = the old one, by many sweeps. */
static inline void loopDiffuse(const Loop *l, double **x, int kind, double rate) {
  double (*const laplace[])(const Loop *, const double *, int, int) = {loopLaplaceU, loopLaplaceV,
                                                                       loopLaplaceDye};
  FREED double *old = loopCopy(l, *x), *next = loopCopy(l, *x);
  int sweeps = l->o.implicit ? 400 + (int)(400 * rate) : 1;
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int k = 0; k < (int)loopCells(l); k++) {
      int i = k % l->o.nx, j = k / l->o.nx;
      if (kind == 2 ? loopSolid(l, i, j) : !loopOpen(l, i, j, kind))
        continue;
      double change = rate * laplace[kind](l, *x, i, j);
      next[k] =
          l->o.implicit ? (*x)[k] + (old[k] + change - (*x)[k]) / (1 + 8 * rate) : (*x)[k] + change;
    }
    for (size_t k = 0; k < loopCells(l); k++)
      (*x)[k] = next[k];
  }
}

static inline double loopInterpolate(const Loop *l, LoopField at, const double *x, double px,
                                     double py) {
  int i = (int)floor(px), j = (int)floor(py);
  double s = px - i, t = py - j;
  return (1 - t) * ((1 - s) * at(l, x, i, j) + s * at(l, x, i + 1, j)) +
         t * ((1 - s) * at(l, x, i, j + 1) + s * at(l, x, i + 1, j + 1));
}

/* Where the flow (a, b) with the derivatives g = {a_x, a_y, b_x, b_y} h brings (i, j) + offset
 * from; interpolated there. */
static inline double loopFrom(const Loop *l, LoopField at, const double *x, int i, int j,
                              const double offset[2], double a, double b, const double g[4]) {
  const int n[2] = {l->o.nx, l->o.ny};
  double r = l->o.dt / l->o.h, place[2];
  place[0] = i - r * (a - r / 2 * (a * g[0] + b * g[1]));
  place[1] = j - r * (b - r / 2 * (a * g[2] + b * g[3]));
  for (int k = 0; k < 2; k++)
    place[k] = loopWraps(l, k) ? place[k] - n[k] * floor((place[k] + 0.5) / n[k])
                               : fmin(fmax(place[k], -offset[k]), n[k] - offset[k]);
  return loopInterpolate(l, at, x, place[0], place[1]);
}

static inline double loopFlux(double gamma, double q, double a, double b) {
  return q / 2 * (a + b) / 2 + gamma * fabs(q) / 2 * (a - b) / 2;
}

static inline double loopMovedU(const Loop *l, int i, int j) {
  const double *u = l->u, *v = l->v;
  double c = u[j * l->o.nx + i], e = loopU(l, u, i + 1, j), w = loopU(l, u, i - 1, j);
  double n = loopSeen(l, u, i, j + 1, 0, c), s = loopSeen(l, u, i, j - 1, 0, c);
  double nw = loopV(l, v, i, j), ne = loopSeen(l, v, i + 1, j, 1, nw), sw = loopV(l, v, i, j - 1);
  double se = loopV(l, v, i + 1, j - 1), r = l->o.dt / l->o.h, gamma = l->o.gamma;
  if (l->o.scheme == TEXLA_FLOW_SEMI_LAGRANGIAN)
    return loopFrom(
        l, loopU, u, i, j, (double[]){1, 0.5}, c, (nw + ne + sw + se) / 4,
        (double[]){(e - w) / 2, (n - s) / 2, (ne + se - nw - sw) / 2, (ne + nw - se - sw) / 2});
  return c - r * (loopFlux(gamma, c + e, c, e) - loopFlux(gamma, w + c, w, c) +
                  loopFlux(gamma, nw + ne, c, n) - loopFlux(gamma, sw + se, s, c));
}

static inline double loopMovedV(const Loop *l, int i, int j) {
  const double *u = l->u, *v = l->v;
  double c = v[j * l->o.nx + i], n = loopV(l, v, i, j + 1), s = loopV(l, v, i, j - 1);
  double e = loopSeen(l, v, i + 1, j, 1, c), w = loopSeen(l, v, i - 1, j, 1, c);
  double es = loopU(l, u, i, j), en = loopSeen(l, u, i, j + 1, 0, es), ws = loopU(l, u, i - 1, j);
  double wn = loopU(l, u, i - 1, j + 1), r = l->o.dt / l->o.h, gamma = l->o.gamma;
  if (l->o.scheme == TEXLA_FLOW_SEMI_LAGRANGIAN)
    return loopFrom(
        l, loopV, v, i, j, (double[]){0.5, 1}, (es + en + ws + wn) / 4, c,
        (double[]){(es + en - ws - wn) / 2, (en + wn - es - ws) / 2, (e - w) / 2, (n - s) / 2});
  return c - r * (loopFlux(gamma, es + en, c, e) - loopFlux(gamma, ws + wn, w, c) +
                  loopFlux(gamma, c + n, c, n) - loopFlux(gamma, s + c, s, c));
}

/* The pressure behind the right (axis 0) or the top face. */
static inline double loopPressureBehind(const Loop *l, const double *p, int i, int j, int axis) {
  int x = loopWrap(i + (axis == 0), l->o.nx, loopWraps(l, 0)),
      y = loopWrap(j + (axis == 1), l->o.ny, loopWraps(l, 1));
  return x < l->o.nx && y < l->o.ny ? p[y * l->o.nx + x] : 0;
}

static inline void loopPredict(Loop *l) {
  const clFlowOptions *o = &l->o;
  double *F = loopCopy(l, l->u), *G = loopCopy(l, l->v), rate = o->dt / (o->h * o->h);
  double nu = o->scheme == TEXLA_FLOW_DONOR_CELL && !o->implicit ? o->viscosity * rate : 0,
         r = o->dt / o->h;
  for (int k = 0; k < (int)loopCells(l); k++) {
    int i = k % o->nx, j = k / o->nx;
    double lift = o->buoyancy * ((l->dye[k] + loopDye(l, l->dye, i, j + 1)) / 2 - o->ambient);
    if (loopOpen(l, i, j, 0))
      F[k] = loopMovedU(l, i, j) + nu * loopLaplaceU(l, l->u, i, j) + o->dt * o->force[0] -
             r * (loopPressureBehind(l, l->p, i, j, 0) - l->p[k]);
    if (loopOpen(l, i, j, 1))
      G[k] = loopMovedV(l, i, j) + nu * loopLaplaceV(l, l->v, i, j) + o->dt * (o->force[1] + lift) -
             r * (loopPressureBehind(l, l->p, i, j, 1) - l->p[k]);
  }
  free(l->u);
  free(l->v);
  l->u = F;
  l->v = G;
}

/* h div */
static inline double loopDivergence(const Loop *l, int i, int j) {
  int k = j * l->o.nx + i;
  return l->u[k] - loopU(l, l->u, i - 1, j) + l->v[k] - loopV(l, l->v, i, j - 1);
}

/* Takes the divergence out of one cell through its open faces; the cells take turns. */
static inline void loopRelax(Loop *l, int i, int j) {
  int nx = l->o.nx, k = j * nx + i, west = loopWrap(i - 1, nx, loopWraps(l, 0));
  int south = loopWrap(j - 1, l->o.ny, loopWraps(l, 1));
  bool e = loopOpen(l, i, j, 0), n = loopOpen(l, i, j, 1);
  bool w = west >= 0 && loopOpen(l, west, j, 0), s = south >= 0 && loopOpen(l, i, south, 1);
  int faces = e + n + w + s;
  if (!faces)
    return;
  double q = -loopDivergence(l, i, j) / faces;
  l->u[k] += e ? q : 0;
  l->v[k] += n ? q : 0;
  if (w)
    l->u[j * nx + west] -= q;
  if (s)
    l->v[south * nx + i] -= q;
  l->p[k] += q * l->o.h / l->o.dt;
}

static inline void loopProject(Loop *l) {
  double largest = 1;
  for (int sweep = 0; sweep < 20000 && largest > 1e-12; sweep++) {
    largest = 0;
    for (int k = 0; k < (int)loopCells(l); k++)
      loopRelax(l, k % l->o.nx, k / l->o.nx);
    for (int k = 0; k < (int)loopCells(l); k++)
      if (!loopSolid(l, k % l->o.nx, k / l->o.nx))
        largest = fmax(largest, fabs(loopDivergence(l, k % l->o.nx, k / l->o.nx)));
  }
}

/* Half of a step that stands for the whole: predicted and diffused, into h. */
static inline Loop loopHalf(const Loop *l, double *b[2]) {
  Loop h = {.o = l->o, .solid = l->solid};
  h.u = loopCopy(l, l->u);
  h.v = loopCopy(l, l->v);
  h.p = loopCopy(l, l->p);
  h.dye = loopCopy(l, l->dye);
  h.o.dt /= 2;
  loopPredict(&h);
  b[0] = loopCopy(l, h.u);
  b[1] = loopCopy(l, h.v);
  double nu = h.o.viscosity * h.o.dt / (h.o.h * h.o.h);
  loopDiffuse(&h, &h.u, 0, nu);
  loopDiffuse(&h, &h.v, 1, nu);
  return h;
}

/* u + dt N(u') + 2 (u' - b), where the prediction makes u' + dt N(u') of u'. */
static inline void loopLeap(Loop *l, Loop *h, double *b[2]) {
  double *const old[] = {l->u, l->v};
  h->o.dt = l->o.dt;
  loopPredict(h);
  double *const next[] = {h->u, h->v};
  for (int axis = 0; axis < 2; axis++)
    for (int k = 0; k < (int)loopCells(l); k++)
      if (loopOpen(l, k % l->o.nx, k / l->o.nx, axis))
        old[axis][k] += next[axis][k] - b[axis][k] + b[axis + 2][k] - b[axis][k];
}

/* The midpoint rule; diffusion by Crank-Nicolson's. */
static inline void loopMidpoint(Loop *l) {
  double *b[4];
  l->o.implicit = true;
  Loop h = loopHalf(l, b);
  b[2] = loopCopy(l, h.u);
  b[3] = loopCopy(l, h.v);
  loopLeap(l, &h, b);
  for (int k = 0; k < 4; k++)
    free(b[k]);
  free(h.u);
  free(h.v);
  free(h.p);
  free(h.dye);
}

/* Euler's step for u and v, but for the projection. */
static inline void loopEuler(Loop *l) {
  double rate = l->o.dt / (l->o.h * l->o.h);
  if (l->o.implicit || l->o.scheme == TEXLA_FLOW_SEMI_LAGRANGIAN) {
    loopDiffuse(l, &l->u, 0, l->o.viscosity * rate);
    loopDiffuse(l, &l->v, 1, l->o.viscosity * rate);
  }
  loopPredict(l);
}

/* The dye's slope, per cell, along an axis. */
static inline double loopSlope(const Loop *l, const double *x, int i, int j, int axis) {
  const int di = axis == 0, dj = axis == 1;
  double q = loopDye(l, x, i, j), low = 0, high = 0;
  if (!loopSolid(l, i - di, j - dj))
    low = q - loopDye(l, x, i - di, j - dj);
  if (!loopSolid(l, i + di, j + dj))
    high = loopDye(l, x, i + di, j + dj) - q;
  return low * high > 0 ? 2 * low * high / (low + high) : 0;
}

/* What flows through the right (axis 0) or top face of a cell, which may lie one beyond the low
 * side, in h per time: advection and, at the rate k / h, diffusion. */
static inline double loopDyeFlux(const Loop *l, const double *x, int i, int j, int axis) {
  const int e = i + (axis == 0), n = j + (axis == 1), count = axis ? l->o.ny : l->o.nx;
  const int at = axis ? j : i;
  if (loopSolid(l, i, j) || loopSolid(l, e, n))
    return 0;
  double w = axis ? loopV(l, l->v, i, j) : loopU(l, l->u, i, j);
  double low = loopDye(l, x, i, j), high = loopDye(l, x, e, n), q;
  bool lower = at < 0 && !loopWraps(l, axis), upper = at == count - 1 && !loopWraps(l, axis);
  if (w > 0)
    q = upper ? low : low + loopSlope(l, x, i, j, axis) / 2;
  else
    q = lower ? high : high - loopSlope(l, x, e, n, axis) / 2;
  if (w > 0 ? lower : upper)
    q = (low + high) / 2;
  return w * q - l->o.diffusivity / l->o.h * (high - low);
}

/* next <- x + what flows in during dt, in fluid. */
static inline void loopDyeStage(const Loop *l, double *next, const double *x, double dt) {
  for (int k = 0; k < (int)loopCells(l); k++) {
    int i = k % l->o.nx, j = k / l->o.nx;
    double out = loopDyeFlux(l, x, i, j, 0) - loopDyeFlux(l, x, i - 1, j, 0) +
                 loopDyeFlux(l, x, i, j, 1) - loopDyeFlux(l, x, i, j - 1, 1);
    next[k] = loopSolid(l, i, j) ? 0 : x[k] - dt / l->o.h * out;
  }
}

/* The most that flows through a cell's faces, in and out. */
static inline double loopPassing(const Loop *l) {
  double most = 0;
  for (int k = 0; k < (int)loopCells(l); k++) {
    int i = k % l->o.nx, j = k / l->o.nx;
    double across = fabs(l->u[k]) + fabs(loopU(l, l->u, i - 1, j));
    double along = fabs(l->v[k]) + fabs(loopV(l, l->v, i, j - 1));
    most = fmax(most, across + along);
  }
  return most;
}

/* The dye moves and spreads for the time dt, in as many parts as the flow and its diffusivity
 * ask for, each by Heun's rule; where that were too many, diffusion by backward Euler. */
static inline void loopCarry(Loop *l, double dt) {
  double way = loopPassing(l) * dt / l->o.h;
  double spread = 6 * l->o.diffusivity * dt / (l->o.h * l->o.h);
  bool apart = l->o.implicit && way + spread > 32 && spread > way;
  int parts = (int)fmax(1, ceil(apart ? way : way + spread));
  double diffusivity = l->o.diffusivity, part = dt / parts, keep = exp(-l->o.decay * part);
  FREED double *first = loopCopy(l, NULL), *second = loopCopy(l, NULL);
  for (int p = 0; p < parts; p++) {
    l->o.diffusivity = apart ? 0 : diffusivity;
    loopDyeStage(l, first, l->dye, part);
    loopDyeStage(l, second, first, part);
    for (size_t k = 0; k < loopCells(l); k++)
      l->dye[k] = keep * (apart ? first[k] : (l->dye[k] + second[k]) / 2);
    l->o.diffusivity = diffusivity;
    if (apart)
      loopDiffuse(l, &l->dye, 2, diffusivity * part / (l->o.h * l->o.h));
  }
}

/* The first step's velocity has a divergence: all of the dye's step lies behind it. */
static inline void loopStep(Loop *l, bool first) {
  double before = first ? 0 : l->o.dt / 2;
  if (!first)
    loopCarry(l, before);
  if (l->o.stepping == TEXLA_FLOW_MIDPOINT)
    loopMidpoint(l);
  else
    loopEuler(l);
  loopProject(l);
  loopCarry(l, l->o.dt - before);
}

#endif
