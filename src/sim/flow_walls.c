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
 *     W phi = sum of c_k (phi_k - phi) - a (sum of (phi_k - phi) over the grid, also beyond the wall)
 * What the fluid loses by W u and by the pressure on what is not open is the force on the
 * obstacles, to rounding: momentum goes nowhere else. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"

#include <math.h>
#include <stdlib.h>

static const double least_open = 0.05, most_friction = 1e4;

/* The cell behind the face of (i, j) on the axis: its index, or -1 at a side that is closed, -2 at
 * an outflow. */
static int64_t behind(const clFlowOptions *o, int i, int j, int axis) {
  int x = i + (axis == 0), y = j + (axis == 1);
  if (x < o->nx && y < o->ny)
    return (int64_t)y * o->nx + x;
  if (txFlowPeriodic(o, axis))
    return (int64_t)(axis ? 0 : y) * o->nx + (axis ? x : 0);
  return o->side[2 * axis + 1].edge == TEXLA_FLOW_OUTFLOW ? -2 : -1;
}

int64_t txFlowBehind(const clFlow *flow, int i, int j, int axis) {
  return behind(&flow->options, i, j, axis);
}

/* --- smooth walls: distances in cells --- */

static int held(int i, int n, bool periodic) {
  return periodic ? (i + n) % n : i < 0 ? 0 : i >= n ? n - 1 : i;
}

static double distanceAt(const clFlow *flow, int i, int j) {
  const clFlowOptions *o = &flow->options;
  int x = held(i, o->nx, txFlowPeriodic(o, 0)), y = held(j, o->ny, txFlowPeriodic(o, 1));
  return (double)flow->distance[(int64_t)y * o->nx + x] / o->h;
}

/* At the ends of a face. */
static void endsOf(const clFlow *flow, int i, int j, int axis, double end[2]) {
  double here = distanceAt(flow, i, j) + distanceAt(flow, i + !axis, j + axis);
  for (int k = 0; k < 2; k++) {
    int d = 2 * k - 1, x = i + d * axis, y = j + d * !axis;
    end[k] = 0.25 * (here + distanceAt(flow, x, y) + distanceAt(flow, x + !axis, y + axis));
  }
}

static double openPart(const double end[2]) {
  double high = fmax(end[0], end[1]), low = fmin(end[0], end[1]),
         part = low > 0 ? 1 : high / (high - low);
  return high <= 0 || part < least_open ? 0 : part;
}

/* In the middle of the face's open part, and of the whole face. */
static double middleOf(const double end[2], bool whole) {
  return whole || fmin(end[0], end[1]) > 0 ? 0.5 * (end[0] + end[1]) : 0.5 * fmax(end[0], end[1]);
}

/* --- faces --- */

static double smoothFace(const clFlow *flow, int i, int j, int axis) {
  double end[2];
  endsOf(flow, i, j, axis, end);
  double part = openPart(end);
  if (part <= 0)
    return -1;
  return behind(&flow->options, i, j, axis) == -1 ? 0 : part;
}

static double stairFace(const clFlow *flow, int i, int j, int axis) {
  int64_t other = behind(&flow->options, i, j, axis);
  bool here = flow->solid[(int64_t)j * flow->options.nx + i],
       there = other >= 0 ? flow->solid[other] : here;
  if (here && there)
    return -1;
  return !here && !there && other != -1;
}

void txFlowFillFaces(clFlow *flow) {
  const int nx = flow->options.nx;
  for (int64_t k = 0; k < 2 * clVectorLength(flow->u); k++) {
    int i = (int)(k / 2 % nx), j = (int)(k / 2 / nx), axis = (int)(k % 2);
    double open = flow->distance ? smoothFace(flow, i, j, axis) : stairFace(flow, i, j, axis);
    flow->face[k] = (float)open;
  }
}

double txFlowFace(const clFlow *flow, int i, int j, int axis) {
  return (double)flow->face[2 * ((int64_t)j * flow->options.nx + i) + axis];
}

/* How much of a face obstacles leave; 1 at and beyond sides that are closed. */
static double leftOpen(const clFlow *flow, int i, int j, int axis) {
  const clFlowOptions *o = &flow->options;
  if ((axis ? j : i) < 0 && !txFlowPeriodic(o, axis))
    return 1;
  int x = held(i, o->nx, txFlowPeriodic(o, 0)), y = held(j, o->ny, txFlowPeriodic(o, 1));
  double face = txFlowFace(flow, x, y, axis);
  return face == 0 && behind(o, x, y, axis) == -1 ? 1 : fmax(face, 0);
}

/* The link from a face to the one (dx, dy) away: as in flow_cut.glsl, but at sides none. */
typedef struct Link {
  /* c_k, phi_k - phi, the same from middle to middle of whole faces */
  double weight, rise, whole;
} Link;

static bool isInside(const clFlowOptions *o, int i, int j) {
  return (txFlowPeriodic(o, 0) || (i >= 0 && i < o->nx)) &&
         (txFlowPeriodic(o, 1) || (j >= 0 && j < o->ny));
}

static Link linkTo(const clFlow *flow, int i, int j, int axis, int dx, int dy) {
  const clFlowOptions *o = &flow->options;
  if (!isInside(o, i + dx, j + dy))
    return (Link){0};
  int x = held(i + dx, o->nx, txFlowPeriodic(o, 0)), y = held(j + dy, o->ny, txFlowPeriodic(o, 1));
  double here[2], there[2];
  endsOf(flow, i, j, axis, here);
  endsOf(flow, x, y, axis, there);
  double a = leftOpen(flow, i, j, axis), b = leftOpen(flow, x, y, axis), weight = 0.5 * (a + b);
  /* along the face: through the two faces of the other axis between both */
  if (axis ? dx : dy) {
    int low_x = axis && dx < 0 ? -1 : 0, low_y = !axis && dy < 0 ? -1 : 0;
    weight = 0.5 *
             (leftOpen(flow, i + low_x, j + low_y, !axis) +
              leftOpen(flow, held(i + !axis, o->nx, txFlowPeriodic(o, 0)) + low_x,
                       held(j + axis, o->ny, txFlowPeriodic(o, 1)) + low_y, !axis)) /
             (1 - 0.5 * fabs(a - b));
  }
  return (Link){b > 0 ? weight : 0, middleOf(there, false) - middleOf(here, false),
                middleOf(there, true) - middleOf(here, true)};
}

static double smoothFriction(const clFlow *flow, int i, int j, int axis) {
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  double end[2], sum = 0;
  endsOf(flow, i, j, axis, end);
  if (middleOf(end, true) > 4)
    return 0;
  for (int k = 0; k < 4; k++) {
    Link link = linkTo(flow, i, j, axis, way[k][0], way[k][1]);
    sum += link.weight * link.rise - openPart(end) * link.whole;
  }
  return fmin(fmax(sum / middleOf(end, false), 0), most_friction);
}

/* Of a mask: a neighbour on its surface is a cell away, the mirror image within it twice as
 * different. */
static double stairFriction(const clFlow *flow, int i, int j, int axis) {
  static const int way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const clFlowOptions *o = &flow->options;
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    if (!isInside(o, i + way[k][0], j + way[k][1]))
      continue;
    int x = held(i + way[k][0], o->nx, txFlowPeriodic(o, 0)),
        y = held(j + way[k][1], o->ny, txFlowPeriodic(o, 1));
    double face = txFlowFace(flow, x, y, axis);
    sum += face < 0 ? 2 : face == 0 && behind(o, x, y, axis) != -1;
  }
  return sum;
}

static double frictionOf(const clFlow *flow, int i, int j, int axis) {
  if (txFlowFace(flow, i, j, axis) <= 0)
    return 0;
  return flow->distance ? smoothFriction(flow, i, j, axis) : stairFriction(flow, i, j, axis);
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
    flow->host[k] = flow->solid[k] ? 0 : 1;
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
  int64_t n = clVectorLength(flow->u), k = 0;
  while (k < n && !flow->solid[k])
    k++;
  return k < n || flow->distance;
}

clStatus clFlowForces(clFlow *flow, clFlowForce *force) {
  if (!flow || !force)
    return txFail(flow ? txContextError(flow->context) : NULL, TEXLA_BAD_ARGUMENT, "clFlowForces",
                  "flow and force must not be NULL");
  const clVector *const velocity[] = {flow->u, flow->v};
  double sum[4] = {0};
  clStatus status = TEXLA_OK;
  for (int k = 0; k < 4 && !status && txFlowHasObstacles(flow); k++) {
    status = k < 2 ? txFlowDot(flow, flow->wall[k], velocity[k], &sum[k])
                   : txFlowDot(flow, flow->tilt[k - 2], flow->p, &sum[k]);
    sum[k] *= k < 2 ? flow->options.viscosity : flow->options.h;
  }
  if (!status)
    *force = (clFlowForce){.friction = {sum[0], sum[1]}, .pressure = {sum[2], sum[3]}};
  return status;
}
