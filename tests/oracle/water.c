#include "oracle/water.h"

#include "choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double wall = 1e9;
/* of edges with a given level */
static const double stiffness = 1e3;

/* the first three and FLOW by axis */
enum { STAR, LINK, DEPTH, FLOW = 6, CHANGE = 8, PART, KNOWN, FIELDS };

static void setDefault(double *value, double otherwise) {
  *value = *value == 0 ? otherwise : *value;
}

static size_t cells(const oracleWater *w) {
  return (size_t)w->o.nx * (size_t)w->o.ny;
}

static double *zeros(const oracleWater *w) {
  return calloc(cells(w), sizeof(double));
}

oracleWater *oracleWaterCreate(const clWaterOptions *options, const float *ground,
                               const uint8_t *solid) {
  oracleWater *w = calloc(1, sizeof *w);
  clWaterOptions *o = &w->o;
  *o = *options;
  setDefault(&o->dx, 1);
  setDefault(&o->dy, o->dx);
  setDefault(&o->gravity, 9.81);
  setDefault(&o->theta, 1);
  setDefault(&o->roughness, o->friction == TEXLA_WATER_MANNING ? 0.03 : 50);
  setDefault(&o->wind_drag, 1.6e-6);
  setDefault(&o->dry, 1e-5);
  o->substeps = o->substeps ? o->substeps : 2;
  for (int s = 0; s < 4; s++)
    setDefault(&o->side[s].to, 1);
  w->ground = zeros(w);
  w->z = zeros(w);
  w->before = zeros(w);
  for (int axis = 0; axis < 2; axis++) {
    w->velocity[axis] = zeros(w);
    w->flux[axis][0] = zeros(w);
    w->flux[axis][1] = zeros(w);
  }
  for (int k = 0; k < FIELDS; k++)
    w->work[k] = zeros(w);
  for (size_t k = 0; k < cells(w); k++)
    if (solid && solid[k])
      w->ground[k] = wall;
    else if (ground)
      w->ground[k] = (double)ground[k];
  return w;
}

void oracleWaterDestroy(oracleWater *w) {
  free(w->ground);
  free(w->z);
  free(w->before);
  for (int axis = 0; axis < 2; axis++) {
    free(w->velocity[axis]);
    free(w->flux[axis][0]);
    free(w->flux[axis][1]);
  }
  for (int k = 0; k < FIELDS; k++)
    free(w->work[k]);
  free(w);
}

/* --- places. A place is (a, c): along the axis and across it. --- */

static int along(const oracleWater *w, int axis) {
  return axis ? w->o.ny : w->o.nx;
}

static bool isInside(const oracleWater *w, int axis, int a, int c) {
  return a >= 0 && c >= 0 && a < along(w, axis) && c < along(w, !axis);
}

static int element(const oracleWater *w, int axis, int a, int c) {
  return axis ? a * w->o.nx + c : c * w->o.nx + a;
}

/* A field's value, 0 outside of the grid. */
static double at(const oracleWater *w, const double *f, int axis, int a, int c) {
  return isInside(w, axis, a, c) ? f[element(w, axis, a, c)] : 0;
}

static double stepOf(const oracleWater *w, int axis) {
  return axis ? w->o.dy : w->o.dx;
}

static bool isOpen(const oracleWater *w, int s) {
  return w->o.side[s].edge != TEXLA_WATER_WALL;
}

/* The higher ground beside the face between (a, c) and (a + 1, c). */
static double sill(const oracleWater *w, int axis, int a, int c) {
  if (!isInside(w, axis, a, c) || !isInside(w, axis, a + 1, c))
    return wall;
  return fmax(at(w, w->ground, axis, a, c), at(w, w->ground, axis, a + 1, c));
}

static double faceDepth(const oracleWater *w, int axis, int a, int c) {
  if (!isInside(w, axis, a, c) || !isInside(w, axis, a + 1, c))
    return 0;
  double zl = at(w, w->z, axis, a, c), zr = at(w, w->z, axis, a + 1, c), edge = sill(w, axis, a, c);
  double bl = at(w, w->ground, axis, a, c), br = at(w, w->ground, axis, a + 1, c);
  double velocity = at(w, w->velocity[axis], axis, a, c), depth;
  double deep =
      fmin(fmax((fmin(zl, zr) - edge) / (fmax(fabs(zl - zr), fabs(bl - br)) + 1e-6), 0), 1);
  if (w->o.advection == TEXLA_WATER_CONSERVING) {
    double level = velocity > 0 ? zl : zr;
    if (velocity == 0)
      level = fmax(zl, zr);
    depth = level - (deep * 0.5 * (bl + br) + (1 - deep) * edge);
  } else
    depth = deep * 0.5 * (zl + zr - bl - br) + (1 - deep) * (fmax(zl, zr) - edge);
  return depth > w->o.dry ? depth : 0;
}

/* --- transport --- */

static bool isBeside(const oracleWater *w, int s, int i, int j);

/* Does side s bring water with a velocity of its own to place c across? */
static bool brings(const oracleWater *w, int s, int c) {
  int axis = s / 2, a = s % 2 ? along(w, axis) - 1 : 0;
  swapIf(axis, &a, &c);
  return w->o.side[s].velocity > 0 && isBeside(w, s, a, c);
}

/* The velocity at a face, those of the rim too. */
static double face(const oracleWater *w, int axis, int a, int c) {
  if (a < 0)
    return brings(w, 2 * axis, c) ? w->o.side[2 * axis].velocity : 0;
  if (a == along(w, axis) - 1)
    return brings(w, 2 * axis + 1, c) ? -w->o.side[2 * axis + 1].velocity
                                      : at(w, w->velocity[axis], axis, a, c);
  return at(w, w->velocity[axis], axis, a, c);
}

/* Bilinear; places count from the field's first value, which is velocity `axis` of cell 0. At open
 * sides, where nothing is known of what lies beyond, the last face's value goes on; what inflows
 * bring is seen by velocities along the axis, `own`. */
static double sample(const oracleWater *w, int axis, double a, double c, bool own) {
  bool low = isOpen(w, 2 * axis) && !(own && w->o.side[2 * axis].velocity > 0);
  bool high = isOpen(w, 2 * axis + 1) && !(own && w->o.side[2 * axis + 1].velocity > 0);
  double last = fmax(along(w, axis) - (high ? 2 : 1), 0), value[4];
  a = fmin(fmax(a, low ? 0 : -1), last);
  c = fmin(fmax(c, 0), along(w, !axis) - 1);
  int i = (int)floor(a), j = (int)floor(c);
  int i1 = i + (i + 1 <= last), j1 = j + (j + 1 < along(w, !axis));
  double x = a - i, y = c - j;
  for (int k = 0; k < 4; k++) {
    int p = k % 2 ? i1 : i;
    int q = k / 2 ? j1 : j;
    value[k] = own ? face(w, axis, p, q) : at(w, w->velocity[axis], axis, p, q);
  }
  return (1 - y) * ((1 - x) * value[0] + x * value[1]) + y * ((1 - x) * value[2] + x * value[3]);
}

static double crossVelocity(const oracleWater *w, int axis, int a, int c) {
  const double *s = w->velocity[!axis];
  return 0.25 * (at(w, s, axis, a, c) + at(w, s, axis, a + 1, c) + at(w, s, axis, a, c - 1) +
                 at(w, s, axis, a + 1, c - 1));
}

/* Explicit steps back along the streamline. */
static double fromStreamline(const oracleWater *w, int axis, int a, int c, double dt) {
  double x = a, y = c, part = dt / w->o.substeps, d = stepOf(w, axis), e = stepOf(w, !axis);
  double wx = at(w, w->velocity[axis], axis, a, c), sx = crossVelocity(w, axis, a, c);
  for (int k = 0; k < w->o.substeps; k++) {
    x -= part / d * wx;
    y -= part / e * sx;
    wx = sample(w, axis, x, y, true);
    sx = sample(w, !axis, y - 0.5, x + 0.5, false);
  }
  return wx;
}

/* What crossed a face in the last step: two stages of the alternating scheme. */
static double flux(const oracleWater *w, int axis, int of, int a, int c) {
  double last = at(w, w->flux[of][0], axis, a, c);
  return w->o.scheme == TEXLA_WATER_FIVE ? last : last + at(w, w->flux[of][1], axis, a, c);
}

static double conserved(const oracleWater *w, int axis, int a, int c) {
  const double *f = w->velocity[axis];
  double here = at(w, f, axis, a, c), depth = 0, gain = 0, all = 0;
  for (int k = 0; k < 2; k++)
    depth += 0.5 * (at(w, w->z, axis, a + k, c) - at(w, w->ground, axis, a + k, c));
  double next =
      isOpen(w, 2 * axis + 1) && a >= along(w, axis) - 2 ? here : at(w, f, axis, a + 1, c);
  double last = isOpen(w, 2 * axis) && a == 0 ? here : at(w, f, axis, a - 1, c);
  double right = flux(w, axis, axis, a + 1, c), left = flux(w, axis, axis, a - 1, c),
         d = stepOf(w, axis);
  if (a == 0 && brings(w, 2 * axis, c)) {
    last = w->o.side[2 * axis].velocity;
    left = w->o.side[2 * axis].discharge * w->o.dt / d;
  }
  if (a >= along(w, axis) - 2 && brings(w, 2 * axis + 1, c)) {
    next = -w->o.side[2 * axis + 1].velocity;
    right = -w->o.side[2 * axis + 1].discharge * w->o.dt / d;
  }
  double from[] = {next, last, at(w, f, axis, a, c + 1), at(w, f, axis, a, c - 1)};
  double q[] = {-0.5 * (flux(w, axis, axis, a, c) + right),
                0.5 * (flux(w, axis, axis, a, c) + left),
                -0.5 * (flux(w, axis, !axis, a, c) + flux(w, axis, !axis, a + 1, c)),
                0.5 * (flux(w, axis, !axis, a, c - 1) + flux(w, axis, !axis, a + 1, c - 1))};
  for (int k = 0; k < 4; k++) {
    all += fmax(q[k], 0);
    gain += fmax(q[k], 0) * (from[k] - here);
  }
  all = fmax(all, depth);
  return all > 0 ? here + gain / all : here;
}

static double transported(const oracleWater *w, int axis, int a, int c, double dt) {
  if (w->o.advection == TEXLA_WATER_STREAMLINES)
    return fromStreamline(w, axis, a, c, dt);
  return w->o.advection == TEXLA_WATER_CONSERVING ? conserved(w, axis, a, c)
                                                  : at(w, w->velocity[axis], axis, a, c);
}

/* --- prediction --- */

/* The neighbour's velocity minus this one's; 0 where its face is closed. */
static double shear(const oracleWater *w, int axis, int a, int c, int da, int dc) {
  double level = fmax(at(w, w->z, axis, a + da, c + dc), at(w, w->z, axis, a + da + 1, c + dc));
  bool exists = isInside(w, axis, a + da, c + dc) && isInside(w, axis, a + da + 1, c + dc);
  /* the last face: a wall */
  if (!exists && isInside(w, axis, a + da, c + dc))
    return 0;
  /* outside: level 0 over a sill of 0 is closed */
  if (!isInside(w, axis, a + da, c + dc))
    return 0;
  if (level <= sill(w, axis, a + da, c + dc))
    return 0;
  return at(w, w->velocity[axis], axis, a + da, c + dc) - at(w, w->velocity[axis], axis, a, c);
}

static double frictionOf(const oracleWater *w, double speed, double depth) {
  double g = w->o.gravity, c = w->o.roughness;
  if (w->o.friction == TEXLA_WATER_CHEZY)
    return g * speed / (c * c * depth);
  return w->o.friction == TEXLA_WATER_MANNING ? g * c * c * speed / pow(depth, 4. / 3) : 0;
}

static double slopeOf(const oracleWater *w, const double *z, int axis, int a, int c) {
  return at(w, z, axis, a + 1, c) - at(w, z, axis, a, c);
}

/* Conserving: the depth at the time of the slope, extrapolated, in depths of now. */
static double ratio(const oracleWater *w, int axis, int a, int c) {
  double lead = w->o.scheme == TEXLA_WATER_FIVE ? w->o.theta : 2 * w->o.theta - 1, change = 0,
         depth = 0;
  if (w->o.advection != TEXLA_WATER_CONSERVING)
    return 1;
  for (int k = 0; k < 2; k++) {
    change += 0.5 * (at(w, w->z, axis, a + k, c) - at(w, w->before, axis, a + k, c));
    depth += 0.5 * (at(w, w->z, axis, a + k, c) - at(w, w->ground, axis, a + k, c));
  }
  return fmin(fmax(1 + lead * change / fmax(depth, w->o.dry), 0.5), 2);
}

static void predictFace(oracleWater *w, int axis, int a, int c, double dt) {
  const clWaterOptions *o = &w->o;
  int k = element(w, axis, a, c);
  double depth = faceDepth(w, axis, a, c), d = stepOf(w, axis), e = stepOf(w, !axis);
  w->work[2 * STAR + axis][k] = w->work[2 * LINK + axis][k] = 0;
  w->work[2 * DEPTH + axis][k] = depth;
  if (depth == 0)
    return;
  double here = w->velocity[axis][k], s = crossVelocity(w, axis, a, c),
         wind = hypot(o->wind[0], o->wind[1]);
  double drag = o->wind_drag * wind / depth, gamma = frictionOf(w, hypot(here, s), depth);
  const double *old = o->scheme == TEXLA_WATER_FIVE ? w->z : w->before;
  double slope =
      o->theta * slopeOf(w, w->z, axis, a, c) + (1 - o->theta) * slopeOf(w, old, axis, a, c);
  double pressure = o->gravity * dt / d * ratio(w, axis, a, c),
         F = transported(w, axis, a, c, dt) - pressure * slope;
  F += dt * ((axis ? -o->coriolis : o->coriolis) * s + drag * o->wind[axis]);
  F += o->viscosity * dt / (d * d) * (shear(w, axis, a, c, 1, 0) + shear(w, axis, a, c, -1, 0));
  F += o->viscosity * dt / (e * e) * (shear(w, axis, a, c, 0, 1) + shear(w, axis, a, c, 0, -1));
  double weight = 1 / (1 + dt * (gamma + drag));
  w->work[2 * STAR + axis][k] = weight * F;
  w->work[2 * LINK + axis][k] = o->theta * pressure * weight;
}

static void predict(oracleWater *w, int axis, double dt) {
  for (int c = 0; c < along(w, !axis); c++)
    for (int a = 0; a < along(w, axis); a++)
      predictFace(w, axis, a, c, dt);
}

/* --- the rim --- */

static bool isBeside(const oracleWater *w, int s, int i, int j) {
  const clWaterSide *side = &w->o.side[s];
  double t = s < 2 ? (j + 0.5) / w->o.ny : (i + 0.5) / w->o.nx;
  bool near[] = {i == 0, i == w->o.nx - 1, j == 0, j == w->o.ny - 1};
  return near[s] && side->edge != TEXLA_WATER_WALL && t >= side->from && t < side->to;
}

/* What flows out of a cell through the rim is q + a (change of z). */
static void rimFlow(const oracleWater *w, int i, int j, double time, double duration, double *a,
                    double *q) {
  int k = j * w->o.nx + i;
  *a = *q = 0;
  for (int s = 0; s < 4; s++) {
    const clWaterSide *side = &w->o.side[s];
    if (!isBeside(w, s, i, j) || w->ground[k] >= wall)
      continue;
    double wave = side->amplitude *
                  (side->period > 0 ? cos(8 * atan(1) * (time / side->period + side->phase)) : 1);
    double depth = w->z[k] - w->ground[k], share = duration / stepOf(w, s / 2), pull = 0;
    double still = side->level + (side->edge == TEXLA_WATER_OPEN ? 2 * wave : wave);
    if (side->edge == TEXLA_WATER_OPEN)
      pull = share * sqrt(w->o.gravity * depth);
    else if (side->edge == TEXLA_WATER_LEVEL)
      pull = duration * stiffness / w->o.dt;
    *a += pull;
    *q += pull * (w->z[k] - fmax(still, w->ground[k])) -
          (side->edge == TEXLA_WATER_INFLOW ? share * side->discharge : 0);
  }
}

/* --- systems --- */

/* One line of n cells by elimination; a, b, c, d are overwritten, x comes out in d. */
static void eliminate(int n, double *a, double *b, double *c, double *d) {
  for (int i = 1; i < n; i++) {
    b[i] -= a[i] / b[i - 1] * c[i - 1];
    d[i] -= a[i] / b[i - 1] * d[i - 1];
  }
  for (int i = n - 1; i >= 0; i--)
    d[i] = (d[i] - (i + 1 < n ? c[i] * d[i + 1] : 0)) / b[i];
}

/* What flows through a face whatever the level does; what a difference of changes of the level
 * adds. */
static double starFlow(const oracleWater *w, int axis, int a, int c, double share) {
  return share * at(w, w->work[2 * DEPTH + axis], axis, a, c) *
         at(w, w->work[2 * STAR + axis], axis, a, c);
}
static double pullOf(const oracleWater *w, int axis, int a, int c, double share) {
  return share * at(w, w->work[2 * DEPTH + axis], axis, a, c) *
         at(w, w->work[2 * LINK + axis], axis, a, c);
}

static void solveLines(oracleWater *w, int axis, double time, double duration) {
  int n = along(w, axis);
  double share = duration / stepOf(w, axis), *rows = malloc((size_t)n * 4 * sizeof *rows);
  double *A = rows, *B = A + n, *C = B + n, *D = C + n;
  for (int c = 0; c < along(w, !axis); c++) {
    for (int a = 0; a < n; a++) {
      double up = pullOf(w, axis, a, c, share), down = pullOf(w, axis, a - 1, c, share), rim, q;
      int i = a, j = c;
      swapIf(axis, &i, &j);
      rimFlow(w, i, j, time, duration, &rim, &q);
      A[a] = -down;
      B[a] = 1 + up + down + rim;
      C[a] = -up;
      D[a] = starFlow(w, axis, a - 1, c, share) - starFlow(w, axis, a, c, share) - q +
             at(w, w->work[KNOWN], axis, a, c - 1) - at(w, w->work[KNOWN], axis, a, c);
    }
    eliminate(n, A, B, C, D);
    for (int a = 0; a < n; a++)
      w->work[CHANGE][element(w, axis, a, c)] = D[a];
  }
  free(rows);
}

/* y <- x - div(pull grad x) + rim x */
static void applyFive(const oracleWater *w, double *y, const double *x, const double share[2],
                      const double *rim) {
  for (int j = 0; j < w->o.ny; j++)
    for (int i = 0; i < w->o.nx; i++) {
      int k = j * w->o.nx + i;
      double here = x[k], sum = (1 + rim[k]) * here;
      for (int axis = 0; axis < 2; axis++) {
        int a = i, c = j;
        swapIf(axis, &a, &c);
        sum += pullOf(w, axis, a, c, share[axis]) * (here - at(w, x, axis, a + 1, c));
        sum += pullOf(w, axis, a - 1, c, share[axis]) * (here - at(w, x, axis, a - 1, c));
      }
      y[k] = sum;
    }
}

static double dot(const double *x, const double *y, size_t n) {
  double sum = 0;
  for (size_t k = 0; k < n; k++)
    sum += x[k] * y[k];
  return sum;
}

/* change <- the solution for the right-hand side in r, by conjugate gradients */
static void solveFive(oracleWater *w, double *r, const double share[2], const double *rim) {
  size_t n = cells(w);
  double *x = w->work[CHANGE], *p = malloc(2 * n * sizeof *p), *y = p + n, rr = dot(r, r, n),
         first = rr;
  memset(x, 0, n * sizeof *x);
  memcpy(p, r, n * sizeof *p);
  for (size_t step = 0; step < 20 * n && rr > 1e-28 * first; step++) {
    applyFive(w, y, p, share, rim);
    double alpha = rr / dot(p, y, n), old = rr;
    for (size_t k = 0; k < n; k++) {
      x[k] += alpha * p[k];
      r[k] -= alpha * y[k];
    }
    rr = dot(r, r, n);
    for (size_t k = 0; k < n; k++)
      p[k] = r[k] + rr / old * p[k];
  }
  free(p);
}

/* --- taking it --- */

/* w <- w* - link d(change) along an axis, and what flows. */
static void correct(oracleWater *w, int axis, double share) {
  for (int c = 0; c < along(w, !axis); c++)
    for (int a = 0; a < along(w, axis); a++) {
      int k = element(w, axis, a, c);
      double rise = at(w, w->work[CHANGE], axis, a + 1, c) - w->work[CHANGE][k];
      w->velocity[axis][k] = w->work[2 * STAR + axis][k] - w->work[2 * LINK + axis][k] * rise;
      w->work[FLOW + axis][k] += share * w->work[2 * DEPTH + axis][k] * w->velocity[axis][k];
    }
}

/* z from the flows in FLOW, cut to what cells have; the velocities of `axes` (bits) with them. */
static void update(oracleWater *w, double time, double duration, int axes) {
  const double *fx = w->work[FLOW], *fy = w->work[FLOW + 1], *change = w->work[CHANGE];
  double *rim = w->work[KNOWN], *part = w->work[PART];
  for (int j = 0; j < w->o.ny; j++)
    for (int i = 0; i < w->o.nx; i++) {
      int k = j * w->o.nx + i;
      double a, q, depth = w->z[k] - w->ground[k];
      rimFlow(w, i, j, time, duration, &a, &q);
      rim[k] = q + a * change[k];
      double out = fmax(fx[k], 0) + fmax(-at(w, fx, 0, i - 1, j), 0) + fmax(fy[k], 0) +
                   fmax(-at(w, fy, 0, i, j - 1), 0) + fmax(rim[k], 0);
      part[k] = out > depth ? depth / out : 1;
    }
  for (int axis = 0; axis < 2; axis++)
    for (int c = 0; c < along(w, !axis); c++)
      for (int a = 0; a < along(w, axis); a++) {
        int k = element(w, axis, a, c);
        double *flow = &w->work[FLOW + axis][k],
               cut = *flow > 0 ? part[k] : at(w, part, axis, a + 1, c);
        *flow *= cut;
        if (axes & (1 << axis))
          w->velocity[axis][k] *= cut;
      }
  memcpy(w->before, w->z, cells(w) * sizeof *w->z);
  for (int j = 0; j < w->o.ny; j++)
    for (int i = 0; i < w->o.nx; i++) {
      int k = j * w->o.nx + i;
      double out = fx[k] - at(w, fx, 0, i - 1, j) + fy[k] - at(w, fy, 0, i, j - 1);
      w->z[k] = fmax(w->z[k] - out - rim[k] * (rim[k] > 0 ? part[k] : 1), w->ground[k]);
    }
  for (int axis = 0; axis < 2; axis++) {
    double *old = w->flux[axis][1];
    memcpy(old, w->work[FLOW + axis], cells(w) * sizeof *old);
    w->flux[axis][1] = w->flux[axis][0];
    w->flux[axis][0] = old;
  }
}

/* work[f] of an axis <- share depth velocity */
static void flowOf(oracleWater *w, double *f, int axis, double share) {
  for (int c = 0; c < along(w, !axis); c++)
    for (int a = 0; a < along(w, axis); a++)
      f[element(w, axis, a, c)] =
          share * faceDepth(w, axis, a, c) * at(w, w->velocity[axis], axis, a, c);
}

static void half(oracleWater *w, int axis) {
  double dt = w->o.dt, duration = dt / 2, time = w->time + (axis ? dt : dt / 2);
  predict(w, axis, axis == 0 && w->steps == 0 ? dt / 2 : dt);
  flowOf(w, w->work[KNOWN], !axis, duration / stepOf(w, !axis));
  solveLines(w, axis, time, duration);
  memcpy(w->work[FLOW + !axis], w->work[KNOWN], cells(w) * sizeof(double));
  memset(w->work[FLOW + axis], 0, cells(w) * sizeof(double));
  correct(w, axis, duration / stepOf(w, axis));
  update(w, time, duration, 1 << axis);
}

static void five(oracleWater *w) {
  double dt = w->o.dt, theta = w->o.theta, time = w->time + theta * dt;
  double share[] = {theta * dt / w->o.dx, theta * dt / w->o.dy}, *rim = w->work[PART],
         *r = w->work[KNOWN];
  double *u = w->velocity[0];
  for (int axis = 0; axis < 2; axis++) {
    predict(w, axis, dt);
    flowOf(w, w->work[FLOW + axis], axis, (1 - theta) * dt / stepOf(w, axis));
    /* v feels the u that is predicted */
    w->velocity[0] = w->work[2 * STAR];
  }
  w->velocity[0] = u;
  for (int j = 0; j < w->o.ny; j++)
    for (int i = 0; i < w->o.nx; i++) {
      int k = j * w->o.nx + i;
      double q;
      rimFlow(w, i, j, time, dt, &rim[k], &q);
      r[k] = -q;
      for (int axis = 0; axis < 2; axis++) {
        int a = i, c = j;
        swapIf(axis, &a, &c);
        r[k] += starFlow(w, axis, a - 1, c, share[axis]) - starFlow(w, axis, a, c, share[axis]) +
                at(w, w->work[FLOW + axis], axis, a - 1, c) -
                at(w, w->work[FLOW + axis], axis, a, c);
      }
    }
  solveFive(w, r, share, rim);
  for (int axis = 0; axis < 2; axis++)
    correct(w, axis, share[axis]);
  update(w, time, dt, 3);
}

void oracleWaterStep(oracleWater *w, int64_t count) {
  for (; count > 0; count--) {
    if (w->o.scheme == TEXLA_WATER_FIVE)
      five(w);
    else {
      half(w, 0);
      half(w, 1);
    }
    w->steps++;
    w->time += w->o.dt;
  }
}

void oracleWaterUpload(oracleWater *w, const float *z, const float *u, const float *v) {
  const float *values[] = {u, v};
  for (size_t k = 0; k < cells(w); k++) {
    double level = z ? (double)z[k] : 0;
    w->z[k] = w->before[k] = fmax(level, w->ground[k]);
  }
  for (int axis = 0; axis < 2; axis++) {
    memset(w->flux[axis][0], 0, cells(w) * sizeof(double));
    memset(w->flux[axis][1], 0, cells(w) * sizeof(double));
    for (int c = 0; c < along(w, !axis); c++)
      for (int a = 0; a < along(w, axis); a++) {
        int k = element(w, axis, a, c);
        bool open =
            fmax(at(w, w->z, axis, a, c), at(w, w->z, axis, a + 1, c)) > sill(w, axis, a, c);
        w->velocity[axis][k] = open && values[axis] ? (double)values[axis][k] : 0;
      }
  }
  w->steps = 0;
  w->time = 0;
}

double oracleWaterVolume(const oracleWater *w) {
  double sum = 0;
  for (size_t k = 0; k < cells(w); k++)
    sum += w->z[k] - w->ground[k];
  return sum * w->o.dx * w->o.dy;
}
