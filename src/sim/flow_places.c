/* What is measured of a flow at places: at its sides, behind obstacles, at points. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"
#include "vector/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static clStatus checkSide(const clFlow *flow, const void *out, clGridSide side, const char *call) {
  TRY(txFlowCheckResult(flow, out, call));
  if ((unsigned)side > TEXLA_SIDE_TOP)
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call, "there is no side %d", (int)side);
  return TEXLA_OK;
}

/* flow->host <- a field's values in a rectangle of cells, each at its own place there. Only the
 * texels that hold them are read. */
static clStatus bring(clFlow *flow, const clVector *field, txRect cells, const char *call) {
  const int first = cells.x / 4, columns = (cells.x + cells.width - 1) / 4 - first + 1,
            nx = flow->options.nx;
  float *texels = txAllocate(txFlowError(flow), call, (size_t)columns * (size_t)cells.height,
                             4 * sizeof *texels, "a part of a field");
  if (!texels)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(
      txTextureRead(field->texture, call, (txRect){first, cells.y, columns, cells.height}, texels));
  for (int k = 0; k < cells.width * cells.height; k++) {
    int i = cells.x + k % cells.width, row = k / cells.width;
    flow->host[(int64_t)(cells.y + row) * nx + i] = texels[4 * columns * row + i - 4 * first];
  }
cleanup:
  free(texels);
  return status;
}

/* The cell beside the k-th of a side's faces. */
static int64_t placeOf(const clFlowOptions *o, clGridSide side, int k) {
  const int last[] = {o->nx - 1, o->ny - 1};
  int axis = (int)side / 2, at[2];
  at[!axis] = k;
  at[axis] = (int)side % 2 * last[axis];
  return (int64_t)at[1] * o->nx + at[0];
}

/* flow->host <- a field's values in the cells beside a side. */
static clStatus bringSide(clFlow *flow, const clVector *field, clGridSide side, const char *call) {
  const clFlowOptions *o = &flow->options;
  int first = (int)placeOf(o, side, 0);
  txRect cells = {first % o->nx, first / o->nx, 1, o->ny};
  if (side >= 2) {
    cells.width = o->nx;
    cells.height = 1;
  }
  return bring(flow, field, cells, call);
}

/* True if that cell and the next one along the side are no obstacles. Behind the last cell of a row
 * lies the first one if the axis is periodic, and no obstacle if the flow passes there. */
static bool isFree(const clFlow *flow, clGridSide side, int k) {
  const clFlowOptions *o = &flow->options;
  int across = 1 - (int)side / 2, next = (k + 1) % txFlowAlong(o, (int)side);
  clFlowEdge end = o->side[2 * across + 1].edge;
  if (flow->solid[placeOf(o, side, k)])
    return false;
  if (next > 0 || txFlowPeriodic(o, across))
    return !flow->solid[placeOf(o, side, next)];
  return end == TEXLA_FLOW_INFLOW || end == TEXLA_FLOW_OUTFLOW;
}

/* The velocity along a side is half a cell away from it: nu du/dn = nu (u - wall) / (h / 2). */
clStatus clFlowShear(clFlow *flow, clGridSide side, float *values) {
  TRY(checkSide(flow, values, side, "clFlowShear"));
  const clFlowOptions *o = &flow->options;
  clVector *const along[] = {flow->v, flow->u};
  bool sticks = o->side[side].edge == TEXLA_FLOW_NO_SLIP;
  double wall = (double)o->side[side].velocity[1 - side / 2];
  TRY(bringSide(flow, along[side / 2], side, "clFlowShear"));
  for (int k = 0; k < txFlowAlong(o, (int)side); k++) {
    double slope = 2 * ((double)flow->host[placeOf(o, side, k)] - wall) / o->h;
    values[k] = 0;
    if (sticks && isFree(flow, side, k))
      values[k] = (float)(o->viscosity * slope);
  }
  return TEXLA_OK;
}

/* through[k] <- the velocity through the k-th face of a low side that is not periodic: such faces
 * are the rim's. */
static clStatus bringLow(const clFlow *flow, clGridSide side, float *through, const char *call) {
  const clFlowOptions *o = &flow->options;
  float *both =
      txAllocate(txFlowError(flow), call, (size_t)o->nx + (size_t)o->ny, sizeof *both, "two sides");
  if (!both)
    return TEXLA_OUT_OF_MEMORY;
  const float *const from[] = {both, both + o->ny};
  clStatus status = txFlowGetLow(flow, both);
  if (status == TEXLA_OK)
    memcpy(through, from[side / 2], (size_t)txFlowAlong(o, (int)side) * sizeof *through);
  free(both);
  return status;
}

/* through[k] <- the velocity through the k-th face of a side, in the direction of its axis;
 * flow->host is lost. A low side that is periodic is the high one. */
static clStatus bringThrough(clFlow *flow, clGridSide side, float *through, const char *call) {
  const clFlowOptions *o = &flow->options;
  clVector *const across[] = {flow->u, flow->v};
  clGridSide high = (clGridSide)(side | 1);
  if (side != high && !txFlowPeriodic(o, (int)side / 2))
    return bringLow(flow, side, through, call);
  TRY(bringSide(flow, across[side / 2], high, call));
  for (int k = 0; k < txFlowAlong(o, (int)side); k++)
    through[k] = flow->host[placeOf(o, high, k)];
  return TEXLA_OK;
}

/* *out <- those, which are the caller's. */
static clStatus throughSide(float **out, clFlow *flow, clGridSide side, const char *call) {
  size_t n = (size_t)txFlowAlong(&flow->options, (int)side);
  float *through = txAllocate(txFlowError(flow), call, n, sizeof *through, "a side");
  if (!through)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = bringThrough(flow, side, through, call);
  if (status)
    free(through);
  else
    *out = through;
  return status;
}

/* Outwards: h times the sum of the velocities, whose sign a low side turns. */
clStatus clFlowFlux(clFlow *flow, clGridSide side, double *flux) {
  float *through = NULL;
  TRY(checkSide(flow, flux, side, "clFlowFlux"));
  TRY(throughSide(&through, flow, side, "clFlowFlux"));
  double sum = 0;
  for (int k = 0; k < txFlowAlong(&flow->options, (int)side); k++)
    sum += (double)through[k];
  free(through);
  if (side % 2 == 0)
    sum = 0 - sum;
  *flux = sum * flow->options.h;
  return TEXLA_OK;
}

/* What flows out with the dye through the k-th face of a side, per length, where `out` is the
 * velocity out of it and q the dye beside it: shaders/sim/flow_carry.frag. */
static double dyeThrough(const clFlow *flow, clGridSide side, int k, double out, double q) {
  const clFlowOptions *o = &flow->options;
  double held = 0;
  if (!txFlowHolds(o, (int)side, k, &held))
    return out * q;
  double carried = q;
  if (out <= 0)
    carried = held;
  return out * carried + o->diffusivity * 2 * (q - held) / o->h;
}

clStatus clFlowDyeFlux(clFlow *flow, clGridSide side, double *flux) {
  static const char call[] = "clFlowDyeFlux";
  float *through = NULL;
  TRY(checkSide(flow, flux, side, call));
  const clFlowOptions *o = &flow->options;
  *flux = NAN;
  if (txFlowPeriodic(o, (int)side / 2))
    return TEXLA_OK;
  TRY(throughSide(&through, flow, side, call));
  clStatus status = TEXLA_OK;
  double sum = 0, outward = (int)side % 2 * 2 - 1;
  TRY_CLEANUP(bringSide(flow, flow->dye, side, call));
  for (int k = 0; k < txFlowAlong(o, (int)side); k++) {
    int64_t cell = placeOf(o, side, k);
    if (!flow->solid[cell])
      sum += dyeThrough(flow, side, k, outward * (double)through[k], (double)flow->host[cell]);
  }
  *flux = sum * o->h;
cleanup:
  free(through);
  return status;
}

/* The dye's (heat's) flux into the domain beside what would be conducted at rest, from one wall to
 * the other over as many cells as the side is long. Not a number where there are no two walls of
 * different temperatures. */
clStatus clFlowNusselt(clFlow *flow, clGridSide side, double *nusselt) {
  double flux = NAN;
  TRY(checkSide(flow, nusselt, side, "clFlowNusselt"));
  const clFlowOptions *o = &flow->options;
  const clFlowSide *near = &o->side[side], *far = &o->side[side ^ 1];
  bool walls = near->edge <= TEXLA_FLOW_FREE_SLIP && far->edge <= TEXLA_FLOW_FREE_SLIP;
  double difference = (double)near->dye - (double)far->dye;
  if (walls && near->holds_dye && far->holds_dye && o->diffusivity > 0 && difference != 0)
    TRY(clFlowDyeFlux(flow, side, &flux));
  double wide = txFlowAlong(o, (int)side), apart = txFlowAlong(o, (int)side ^ 2);
  *nusselt = -flux / (o->diffusivity * difference * wide / apart);
  return TEXLA_OK;
}

/* Where a line through the values crosses zero just before the k-th of n: at the ends of the side
 * where there is no value on one of both sides. */
static double crossingAt(const float *value, int k, int n) {
  if (k == 0)
    return -1;
  if (k == n)
    return n - 1;
  double a = (double)value[k - 1], b = (double)value[k];
  return k - 1 + a / (a - b);
}

/* stretch <- from .. to of the longest run of negative ones among n values; between two values
 * zeros are interpolated linearly. The k-th value's place is k, and the run may begin at -1, where
 * the side does. */
static void longestNegative(const float *value, int n, double stretch[2]) {
  double from = 0, longest = 0;
  stretch[0] = stretch[1] = NAN;
  for (int k = 0; k <= n; k++) {
    bool now = k < n && value[k]<0, before = k> 0 && value[k - 1] < 0;
    if (now == before)
      continue;
    double zero = crossingAt(value, k, n);
    if (now)
      from = zero;
    else if (zero - from >= longest) {
      longest = zero - from;
      stretch[0] = from;
      stretch[1] = zero;
    }
  }
}

clStatus clFlowBackflow(clFlow *flow, clGridSide side, double stretch[2]) {
  static const char call[] = "clFlowBackflow";
  TRY(checkSide(flow, stretch, side, call));
  const clFlowOptions *o = &flow->options;
  int n = txFlowAlong(o, (int)side);
  float *shear = txAllocate(txFlowError(flow), call, (size_t)n, sizeof *shear, "a side");
  if (!shear)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clFlowShear(flow, side, shear));
  longestNegative(shear, n, stretch);
  for (int k = 0; k < 2; k++)
    stretch[k] = (stretch[k] + 1) * o->h;
cleanup:
  free(shear);
  return status;
}

/* The domain with its edges; comparisons that a NaN fails. */
static clStatus checkPlace(const clFlow *flow, double x, double y, const void *out,
                           const char *call) {
  TRY(txFlowCheckResult(flow, out, call));
  const clFlowInfo *i = &flow->info;
  if (!(x >= 0 && x <= i->width) || !(y >= 0 && y <= i->height))
    return txFail(txFlowError(flow), TEXLA_BAD_ARGUMENT, call,
                  "the place %g, %g is not in the domain of %g x %g", x, y, i->width, i->height);
  return TEXLA_OK;
}

/* u at the right face of column k, between the rows' middles. */
static double lineAt(const clFlow *flow, double row, int k) {
  const clFlowOptions *o = &flow->options;
  int low = (int)row, high = low + (low + 1 < o->ny);
  double a = (double)flow->host[(int64_t)low * o->nx + k],
         b = (double)flow->host[(int64_t)high * o->nx + k];
  return a + (row - low) * (b - a);
}

/* Has the obstacle ended before that face? In what is open of a cell that a wall cuts, the velocity
 * is about zero and may have either sign. */
static bool isClear(const clFlow *flow, double row, int k) {
  int low = (int)row, high = low + (low + 1 < flow->options.ny);
  return txFlowIsWhole(flow, k, low) && txFlowIsWhole(flow, k, high);
}

/* From x to the right along the row through y: the wake ends where u is not negative any more, at
 * the zero of a line between the last two faces. */
clStatus clFlowWake(clFlow *flow, double x, double y, double *length) {
  static const char call[] = "clFlowWake";
  TRY(checkPlace(flow, x, y, length, call));
  const clFlowOptions *o = &flow->options;
  double row = fmin(fmax(y / o->h - 0.5, 0), o->ny - 1), u = 0, last = 0;
  int low = (int)row;
  TRY(bring(flow, flow->u, (txRect){0, low, o->nx, 1 + (low + 1 < o->ny)}, call));
  int k = (int)(x / o->h);
  for (; k < o->nx; k++) {
    u = lineAt(flow, row, k);
    if (!(u < 0) && (last != 0 || isClear(flow, row, k)))
      break;
    last = fmin(u, 0);
  }
  *length = 0;
  if (last < 0 && k < o->nx)
    *length = (k + last / (last - u)) * o->h - x;
  else if (last < 0)
    *length = k * o->h - x;
  return TEXLA_OK;
}

enum { TERMS = 10, REACH = 4 };

static void swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}

/* x <- the solution of A x = x, of the first n, by Gauss-Jordan elimination with pivots; false
 * where A is singular, nearly. */
static bool eliminate(double A[TERMS][TERMS], double x[TERMS], int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i][k]) > fabs(A[best][k]))
        best = i;
    if (fabs(A[best][k]) < 1e-9)
      return false;
    for (int j = 0; j < n; j++)
      swap(&A[k][j], &A[best][j]);
    swap(&x[k], &x[best]);
    for (int i = 0; i < n; i++) {
      if (i == k)
        continue;
      double factor = A[i][k] / A[k][k];
      for (int j = k; j < n; j++)
        A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (int k = 0; k < n; k++)
    x[k] /= A[k][k];
  return true;
}

/* What a polynomial of degree three and those below are fitted to: A x = b. */
typedef struct fitting {
  double A[TERMS][TERMS], b[TERMS];
  int cells;
} fitting;

/* Near cells count most: weights fall with the eighth power of the distance. */
static void addCell(fitting *fit, double dx, double dy, double value) {
  const double term[TERMS] = {1,       dx,           dy,           dx * dx,      dx * dy,
                              dy * dy, dx * dx * dx, dx * dx * dy, dx * dy * dy, dy * dy * dy};
  double weight = pow(1 + dx * dx + dy * dy, -4);
  for (int a = 0; a < TERMS; a++) {
    for (int b = 0; b < TERMS; b++)
      fit->A[a][b] += weight * term[a] * term[b];
    fit->b[a] += weight * term[a] * value;
  }
  fit->cells++;
}

/* At dx = dy = 0, of the highest degree that twice as many cells as it has terms allow. */
static double valueOf(const fitting *fit) {
  static const int terms[] = {TERMS, 6, 3, 1};
  for (int k = 0; k < 4; k++) {
    fitting f = *fit;
    if ((f.cells >= 2 * terms[k] || (k == 3 && f.cells > 0)) && eliminate(f.A, f.b, terms[k]))
      return f.b[0];
  }
  return NAN;
}

/* From the cells around the place, up to REACH of them in each direction, that no obstacle cuts: so
 * pressure is found at walls as well, from one of their sides. */
clStatus clFlowPressure(clFlow *flow, double x, double y, double *pressure) {
  static const char call[] = "clFlowPressure";
  TRY(checkPlace(flow, x, y, pressure, call));
  const clFlowOptions *o = &flow->options;
  const int i = (int)(x / o->h), j = (int)(y / o->h);
  txRect near = {(int)fmax(i - REACH, 0), (int)fmax(j - REACH, 0), 0, 0};
  near.width = (int)fmin(i + REACH + 1, o->nx) - near.x;
  near.height = (int)fmin(j + REACH + 1, o->ny) - near.y;
  TRY(bring(flow, flow->p, near, call));
  fitting fit = {.cells = 0};
  for (int k = 0; k < near.width * near.height; k++) {
    int a = near.x + k % near.width, b = near.y + k / near.width;
    if (txFlowIsWhole(flow, a, b))
      addCell(&fit, a + 0.5 - x / o->h, b + 0.5 - y / o->h,
              (double)flow->host[(int64_t)b * o->nx + a]);
  }
  *pressure = valueOf(&fit);
  return TEXLA_OK;
}
