/* Obstacles: which faces they close, how far, and what the flow feels of them.
 *
 * A mask closes whole cells. Smooth walls are given by their distance at the cells' centres;
 * between those it is interpolated. A face is then open on the part a of its length where the
 * distance is positive, its velocity is the mean over that part, and with links between velocities
 * and the wall's friction W (shaders/sim/flow_cut.glsl)
 *
 *     a du/dt = nu/h^2 (sum of c_k (u_k - u) - W u) - fluxes through open parts - a p_x
 *
 * W is such that a velocity that grows like the distance from the wall, phi, gets the Laplacian of
 * phi:
 *     W phi = sum of c_k (phi_k - phi) - a (sum of (phi_k - phi) over the grid)
 * where the second sum goes on beyond the wall. What the fluid loses by W u and by the pressure on
 * what is not open is the force on the obstacles, to rounding: momentum goes nowhere else. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>

static const double least_open = 0.05, most_friction = 1e4;

int64_t txFlowBehind(const clFlow *flow, int i, int j, int axis) {
  const clFlowOptions *o = &flow->options;
  int x = i + (axis == 0), y = j + (axis == 1);
  if (x >= o->nx || y >= o->ny) {
    if (o->side[2 * axis + 1].edge == TEXLA_FLOW_OUTFLOW)
      return -2;
    if (!txFlowPeriodic(o, axis))
      return -1;
  }
  return (int64_t)(y % o->ny) * o->nx + x % o->nx;
}

/* --- smooth walls: distances in cells --- */

/* A column or row beyond the grid: the one at the other end where the axis is periodic, else that
 * at the edge. */
static int held(int i, int n, bool periodic) {
  if (periodic)
    return (i + n) % n;
  if (i < 0)
    return 0;
  if (i >= n)
    return n - 1;
  return i;
}

static int column(const clFlow *flow, int i) {
  return held(i, flow->options.nx, txFlowPeriodic(&flow->options, 0));
}

static int row(const clFlow *flow, int j) {
  return held(j, flow->options.ny, txFlowPeriodic(&flow->options, 1));
}

static double distanceAt(const clFlow *flow, int i, int j) {
  const clFlowOptions *o = &flow->options;
  return (double)flow->distance[(int64_t)row(flow, j) * o->nx + column(flow, i)] / o->h;
}

/* At the ends of a face. */
static void endsOf(const clFlow *flow, int i, int j, int axis, double end[2]) {
  double here = distanceAt(flow, i, j) + distanceAt(flow, i + !axis, j + axis);
  for (int k = 0; k < 2; k++) {
    int d = 2 * k - 1, x = i + d * axis, y = j + d * !axis;
    end[k] = 0.25 * (here + distanceAt(flow, x, y) + distanceAt(flow, x + !axis, y + axis));
  }
}

/* The part of a face where the distance, linear between its ends, is positive. Of one that is
 * nearly closed nothing is open: its fluxes would be divided by next to nothing. */
static double openPart(const double end[2]) {
  double high = fmax(end[0], end[1]), low = fmin(end[0], end[1]);
  if (high <= 0)
    return 0;
  if (low > 0)
    return 1;
  double part = high / (high - low);
  if (part < least_open)
    return 0;
  return part;
}

/* In the middle of the face's open part, or of the whole face. */
static double middleOf(const double end[2], bool whole) {
  if (whole || fmin(end[0], end[1]) > 0)
    return 0.5 * (end[0] + end[1]);
  return 0.5 * fmax(end[0], end[1]);
}

/* --- faces --- */

/* What txFlowFace tells of the face of a smooth wall, of a mask. */
static double smoothFace(const clFlow *flow, int i, int j, int axis) {
  double end[2];
  endsOf(flow, i, j, axis, end);
  double part = openPart(end);
  if (part <= 0)
    return -1;
  if (txFlowBehind(flow, i, j, axis) == -1)
    return 0;
  return part;
}

static double stairFace(const clFlow *flow, int i, int j, int axis) {
  int64_t other = txFlowBehind(flow, i, j, axis);
  bool here = flow->solid[(int64_t)j * flow->options.nx + i], there = here;
  if (other >= 0)
    there = flow->solid[other];
  if (here && there)
    return -1;
  return !here && !there && other != -1;
}

/* They are asked for many times, also of neighbours, so that they are computed once. */
void txFlowFillFaces(clFlow *flow) {
  double (*const faceOf)(const clFlow *, int, int, int) = flow->distance ? smoothFace : stairFace;
  const int nx = flow->options.nx;
  for (int64_t k = 0; k < 2 * clVectorLength(flow->u); k++)
    flow->face[k] = (float)faceOf(flow, (int)(k / 2 % nx), (int)(k / 2 / nx), (int)(k % 2));
}

double txFlowFace(const clFlow *flow, int i, int j, int axis) {
  return (double)flow->face[2 * ((int64_t)j * flow->options.nx + i) + axis];
}

/* How much of a face obstacles leave; 1 at and beyond sides that are closed. */
static double leftOpen(const clFlow *flow, int i, int j, int axis) {
  const int at[] = {i, j};
  if (at[axis] < 0 && !txFlowPeriodic(&flow->options, axis))
    return 1;
  int x = column(flow, i), y = row(flow, j);
  double face = txFlowFace(flow, x, y, axis);
  if (face == 0 && txFlowBehind(flow, x, y, axis) == -1)
    return 1;
  return fmax(face, 0);
}

/* The link from a face to the one (dx, dy) away: as in flow_cut.glsl, but at sides none. The
 * members are c_k, phi_k - phi, and the same from middle to middle of whole faces. */
typedef struct coupling {
  double weight, rise, whole;
} coupling;

static bool isInside(const clFlowOptions *o, int i, int j) {
  return (txFlowPeriodic(o, 0) || (i >= 0 && i < o->nx)) &&
         (txFlowPeriodic(o, 1) || (j >= 0 && j < o->ny));
}

/* The weight of a link along the face: through the two faces of the other axis between both, whose
 * parts a and b are open. */
static double weightAlong(const clFlow *flow, int i, int j, int axis, int dx, int dy, double a,
                          double b) {
  int low_x = 0, low_y = 0;
  if (axis && dx < 0)
    low_x = -1;
  if (!axis && dy < 0)
    low_y = -1;
  return 0.5 *
         (leftOpen(flow, i + low_x, j + low_y, !axis) +
          leftOpen(flow, column(flow, i + !axis) + low_x, row(flow, j + axis) + low_y, !axis)) /
         (1 - 0.5 * fabs(a - b));
}

static coupling linkTo(const clFlow *flow, int i, int j, int axis, int dx, int dy) {
  if (!isInside(&flow->options, i + dx, j + dy))
    return (coupling){0};
  const int way[] = {dx, dy};
  int x = column(flow, i + dx), y = row(flow, j + dy);
  double here[2], there[2];
  endsOf(flow, i, j, axis, here);
  endsOf(flow, x, y, axis, there);
  double a = leftOpen(flow, i, j, axis), b = leftOpen(flow, x, y, axis), weight = 0.5 * (a + b);
  if (way[!axis] != 0)
    weight = weightAlong(flow, i, j, axis, dx, dy, a, b);
  if (!(b > 0))
    weight = 0;
  return (coupling){weight, middleOf(there, false) - middleOf(here, false),
                    middleOf(there, true) - middleOf(here, true)};
}

/* W of the formula on top, kept within what a step bears. Far from walls there is none. */
static double smoothFriction(const clFlow *flow, int i, int j, int axis) {
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  double end[2], sum = 0;
  endsOf(flow, i, j, axis, end);
  if (middleOf(end, true) > 4)
    return 0;
  for (int k = 0; k < 4; k++) {
    coupling link = linkTo(flow, i, j, axis, way[k][0], way[k][1]);
    sum += link.weight * link.rise - openPart(end) * link.whole;
  }
  return fmin(fmax(sum / middleOf(end, false), 0), most_friction);
}

/* Of a mask: a neighbour on its surface is a cell away, the mirror image within it twice as
 * different. */
static double stairFriction(const clFlow *flow, int i, int j, int axis) {
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    if (!isInside(&flow->options, i + way[k][0], j + way[k][1]))
      continue;
    int x = column(flow, i + way[k][0]), y = row(flow, j + way[k][1]);
    double face = txFlowFace(flow, x, y, axis);
    if (face < 0)
      sum += 2;
    else if (face == 0 && txFlowBehind(flow, x, y, axis) != -1)
      sum += 1;
  }
  return sum;
}

static double frictionOf(const clFlow *flow, int i, int j, int axis) {
  if (txFlowFace(flow, i, j, axis) <= 0)
    return 0;
  if (flow->distance)
    return smoothFriction(flow, i, j, axis);
  return stairFriction(flow, i, j, axis);
}

/* --- sweeps of diffusion --- */

/* What links a face that is open by a to others: the sum of c_k. Beyond a side at most that of a
 * face that is open. */
static double linksOf(const clFlow *flow, int i, int j, int axis, double a) {
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    if (isInside(&flow->options, i + way[k][0], j + way[k][1]))
      sum += linkTo(flow, i, j, axis, way[k][0], way[k][1]).weight;
    else
      sum += 2 / (1 + a);
  }
  return sum;
}

/* Gershgorin's circles: a row of (1 - l L) has a + l (C + W) on its diagonal, with C the sum of all
 * c_k, and l C beside it in all. Where no wall is near, C = 4 and W = 0. */
static void findSpreads(clFlow *flow) {
  const int nx = flow->options.nx;
  for (int r = 0; r < TX_FLOW_RATES; r++)
    flow->spreads[r] = 4 * txFlowRate(r) / (1 + 4 * txFlowRate(r));
  for (int64_t k = 0; k < 2 * clVectorLength(flow->u); k++) {
    int i = (int)(k / 2 % nx), j = (int)(k / 2 / nx), axis = (int)(k % 2);
    double a = txFlowFace(flow, i, j, axis), far = 4;
    if (a <= 0 || distanceAt(flow, i, j) > far)
      continue;
    double c = linksOf(flow, i, j, axis, a), w = smoothFriction(flow, i, j, axis);
    for (int r = 0; r < TX_FLOW_RATES; r++)
      flow->spreads[r] = fmax(flow->spreads[r], c / (a / txFlowRate(r) + c + w));
  }
}

bool txFlowIsWhole(const clFlow *flow, int i, int j) {
  bool whole = !flow->solid[(int64_t)j * flow->options.nx + i];
  for (int side = 0; side < 4 && flow->distance; side++) {
    double end[2];
    endsOf(flow, i - (side == 1), j - (side == 3), side / 2, end);
    whole &= openPart(end) == 1;
  }
  return whole;
}

/* What the pressure of a cell presses on: along the axis, its lower face open and the upper one
 * closed count 1. */
static double tiltOf(const clFlow *flow, int i, int j, int axis) {
  if (flow->solid[(int64_t)j * flow->options.nx + i])
    return 0;
  return leftOpen(flow, i - !axis, j - axis, axis) - leftOpen(flow, i, j, axis);
}

/* --- what the device gets --- */

static clStatus upload(clFlow *flow, clVector *to, double (*value)(const clFlow *, int, int, int),
                       int axis) {
  const int nx = flow->options.nx;
  for (int64_t k = 0; k < clVectorLength(to); k++)
    flow->host[k] = (float)value(flow, (int)(k % nx), (int)(k / nx), axis);
  return clVectorUpload(to, flow->host);
}

clStatus txFlowSetFaces(clFlow *flow) {
  clVector *const open[] = {flow->open_u, flow->open_v};
  for (int axis = 0; axis < 2; axis++)
    TRY(upload(flow, open[axis], txFlowFace, axis));
  for (int axis = 0; axis < 2 && txFlowHasObstacles(flow); axis++) {
    if (!flow->wall[axis])
      TRY(clVectorCreateLike(&flow->wall[axis], flow->u));
    if (!flow->tilt[axis])
      TRY(clVectorCreateLike(&flow->tilt[axis], flow->u));
    TRY(upload(flow, flow->wall[axis], frictionOf, axis));
    TRY(upload(flow, flow->tilt[axis], tiltOf, axis));
  }
  for (int64_t k = 0; k < clVectorLength(flow->fluid); k++)
    flow->host[k] = !flow->solid[k];
  if (flow->distance)
    findSpreads(flow);
  return clVectorUpload(flow->fluid, flow->host);
}

void txFlowFillSolid(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  for (int64_t k = 0; k < clVectorLength(flow->u); k++) {
    int i = (int)(k % o->nx), j = (int)(k / o->nx);
    double end[2], open = 0;
    /* the faces on both sides, also those of the grid's rim */
    for (int side = 0; side < 4; side++) {
      endsOf(flow, i - (side == 1), j - (side == 3), side / 2, end);
      open += openPart(end);
    }
    flow->solid[k] = open == 0;
  }
}

bool txFlowHasObstacles(const clFlow *flow) {
  int64_t n = 0, k = 0;
  if (flow->solid)
    n = clVectorLength(flow->u);
  while (k < n && !flow->solid[k])
    k++;
  return k < n || flow->distance;
}

/* friction <- nu (W . u), pressure <- h (tilt . p), each along both axes. */
clStatus clFlowForces(clFlow *flow, clFlowForce *force) {
  if (!flow || !force)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, "clFlowForces",
                  "flow and force must not be NULL");
  const clVector *const velocity[] = {flow->u, flow->v};
  clFlowForce f = {0};
  for (int axis = 0; axis < 2 && txFlowHasObstacles(flow); axis++) {
    TRY(txFlowDot(flow, flow->wall[axis], velocity[axis], &f.friction[axis]));
    TRY(txFlowDot(flow, flow->tilt[axis], flow->p, &f.pressure[axis]));
    f.friction[axis] *= flow->options.viscosity;
    f.pressure[axis] *= flow->options.h;
  }
  *force = f;
  return TEXLA_OK;
}
