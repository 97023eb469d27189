/* What is measured of a flow at places: at its sides, behind obstacles, at points. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"
#include "vector/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static clStatus check(const clFlow *flow, const void *out, const char *call) {
  return flow && out ? TEXLA_OK
                     : txFail(flow ? txContextError(flow->context) : NULL, TEXLA_BAD_ARGUMENT, call,
                              "flow and the place of the result must not be NULL");
}

/* False, with *status, where a call cannot go on. */
static bool isSide(const clFlow *flow, const void *out, clGridSide side, const char *call,
                   clStatus *status) {
  *status = check(flow, out, call);
  bool exists = (unsigned)side <= TEXLA_SIDE_TOP;
  if (!*status && !exists)
    *status = txFail(txContextError(flow->context), TEXLA_BAD_ARGUMENT, call, "there is no side %d",
                     (int)side);
  return !*status && exists;
}

/* flow->host <- a field's values in a rectangle of cells, each at its own place there. */
static clStatus bring(clFlow *flow, const clVector *field, txRect cells, const char *call) {
  const int first = cells.x / 4, columns = (cells.x + cells.width - 1) / 4 - first + 1,
            nx = flow->options.nx;
  float *texels =
      txAllocate(txContextError(flow->context), call, (size_t)columns * (size_t)cells.height,
                 4 * sizeof *texels, "a part of a field");
  clStatus status = texels ? txTextureRead(field->texture, call,
                                           (txRect){first, cells.y, columns, cells.height}, texels)
                           : TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < cells.width * cells.height && !status; k++) {
    int i = cells.x + k % cells.width, row = k / cells.width;
    flow->host[(int64_t)(cells.y + row) * nx + i] = texels[4 * columns * row + i - 4 * first];
  }
  free(texels);
  return status;
}

/* The cell beside the k-th of a side's faces. */
static int64_t placeOf(const clFlowOptions *o, clGridSide side, int k) {
  int across = side % 2 ? (side < 2 ? o->nx : o->ny) - 1 : 0;
  return side < 2 ? (int64_t)k * o->nx + across : (int64_t)across * o->nx + k;
}

/* flow->host <- a field's values in the cells beside a side. */
static clStatus bringSide(clFlow *flow, const clVector *field, clGridSide side, const char *call) {
  const clFlowOptions *o = &flow->options;
  int first = (int)placeOf(o, side, 0), x = first % o->nx, y = first / o->nx;
  return bring(flow, field, side < 2 ? (txRect){x, y, 1, o->ny} : (txRect){x, y, o->nx, 1}, call);
}

/* Are that cell and the next one along the side no obstacles? */
static bool isFree(const clFlow *flow, clGridSide side, int k) {
  const clFlowOptions *o = &flow->options;
  int n = side < 2 ? o->ny : o->nx;
  return k + 1 < n && !flow->solid[placeOf(o, side, k)] && !flow->solid[placeOf(o, side, k + 1)];
}

clStatus clFlowShear(clFlow *flow, clGridSide side, float *values) {
  clStatus status;
  if (!isSide(flow, values, side, "clFlowShear", &status))
    return status;
  const clFlowOptions *o = &flow->options;
  bool sticks = o->side[side].edge == TEXLA_FLOW_NO_SLIP;
  double wall = (double)o->side[side].velocity[1 - side / 2];
  status = bringSide(flow, side < 2 ? flow->v : flow->u, side, "clFlowShear");
  for (int k = 0; k < (side < 2 ? o->ny : o->nx) && !status; k++) {
    double slope = 2 * ((double)flow->host[placeOf(o, side, k)] - wall) / o->h;
    values[k] = sticks && isFree(flow, side, k) ? (float)(o->viscosity * slope) : 0;
  }
  return status;
}

/* through[k] <- the velocity through the k-th face of a side, in the direction of its axis;
 * flow->host is lost. */
static clStatus bringThrough(clFlow *flow, clGridSide side, float *through, const char *call) {
  const clFlowOptions *o = &flow->options;
  int n = side < 2 ? o->ny : o->nx;
  bool low = side % 2 == 0 && !txFlowPeriodic(o, (int)side / 2);
  /* a low side that is periodic is the high one */
  clGridSide from = (clGridSide)(side | 1);
  if (!low)
    TRY(bringSide(flow, side < 2 ? flow->u : flow->v, from, call));
  for (int k = 0; k < n && !low; k++)
    through[k] = flow->host[placeOf(o, from, k)];
  if (!low)
    return TEXLA_OK;
  float *both = txAllocate(txContextError(flow->context), call, (size_t)o->nx + (size_t)o->ny,
                           sizeof *both, "two sides");
  if (!both)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = txFlowGetLow(flow, both);
  if (!status)
    memcpy(through, side < 2 ? both : both + o->ny, (size_t)n * sizeof *through);
  free(both);
  return status;
}

/* The caller's, of bringThrough; NULL where memory ends, or *status says why not. */
static float *throughSide(clFlow *flow, clGridSide side, const char *call, clStatus *status) {
  size_t n = (size_t)(side < 2 ? flow->options.ny : flow->options.nx);
  float *through = txAllocate(txContextError(flow->context), call, n, sizeof *through, "a side");
  *status = through ? bringThrough(flow, side, through, call) : TEXLA_OUT_OF_MEMORY;
  if (!*status)
    return through;
  free(through);
  return NULL;
}

clStatus clFlowFlux(clFlow *flow, clGridSide side, double *flux) {
  clStatus status;
  if (!isSide(flow, flux, side, "clFlowFlux", &status))
    return status;
  float *through = throughSide(flow, side, "clFlowFlux", &status);
  if (!through)
    return status;
  double sum = 0;
  for (int k = 0; k < (side < 2 ? flow->options.ny : flow->options.nx); k++)
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
  clStatus status;
  if (!isSide(flow, flux, side, call, &status))
    return status;
  const clFlowOptions *o = &flow->options;
  *flux = NAN;
  if (txFlowPeriodic(o, (int)side / 2))
    return TEXLA_OK;
  float *through = throughSide(flow, side, call, &status);
  if (!through)
    return status;
  status = bringSide(flow, flow->dye, side, call);
  double sum = 0, outward = side % 2 ? 1 : -1;
  for (int k = 0; k < (side < 2 ? o->ny : o->nx) && !status; k++) {
    int64_t cell = placeOf(o, side, k);
    if (!flow->solid[cell])
      sum += dyeThrough(flow, side, k, outward * (double)through[k], (double)flow->host[cell]);
  }
  free(through);
  if (!status)
    *flux = sum * o->h;
  return status;
}

clStatus clFlowNusselt(clFlow *flow, clGridSide side, double *nusselt) {
  double flux = 0;
  clStatus status;
  if (!isSide(flow, nusselt, side, "clFlowNusselt", &status))
    return status;
  const clFlowOptions *o = &flow->options;
  const clFlowSide *near = &o->side[side], *far = &o->side[side ^ 1];
  bool walls = near->edge <= TEXLA_FLOW_FREE_SLIP && far->edge <= TEXLA_FLOW_FREE_SLIP;
  double difference = (double)near->dye - (double)far->dye;
  if (walls && near->holds_dye && far->holds_dye && o->diffusivity > 0 && difference != 0)
    status = clFlowDyeFlux(flow, side, &flux);
  else
    flux = NAN;
  /* at rest: from one wall to the other, as many cells wide as the side is long */
  double wide = side < 2 ? o->ny : o->nx, apart = side < 2 ? o->nx : o->ny;
  if (!status)
    *nusselt = -flux / (o->diffusivity * difference * wide / apart);
  return status;
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
    double a = k > 0 ? (double)value[k - 1] : 0, b = k < n ? (double)value[k] : 0;
    double zero = k == 0 ? -1 : k == n ? n - 1 : k - 1 + a / (a - b);
    from = now ? zero : from;
    if (!now && zero - from >= longest) {
      longest = zero - from;
      stretch[0] = from;
      stretch[1] = zero;
    }
  }
}

clStatus clFlowBackflow(clFlow *flow, clGridSide side, double stretch[2]) {
  static const char call[] = "clFlowBackflow";
  clStatus status;
  if (!isSide(flow, stretch, side, call, &status))
    return status;
  const clFlowOptions *o = &flow->options;
  int n = side < 2 ? o->ny : o->nx;
  float *shear =
      txAllocate(txContextError(flow->context), call, (size_t)n, sizeof *shear, "a side");
  if (!shear)
    return TEXLA_OUT_OF_MEMORY;
  status = clFlowShear(flow, side, shear);
  if (!status)
    longestNegative(shear, n, stretch);
  free(shear);
  for (int k = 0; k < 2 && !status; k++)
    stretch[k] = (stretch[k] + 1) * o->h;
  return status;
}

static clStatus checkPlace(const clFlow *flow, double x, double y, const void *out,
                           const char *call) {
  TRY(check(flow, out, call));
  const clFlowInfo *i = &flow->info;
  if (!(x >= 0 && x <= i->width) || !(y >= 0 && y <= i->height))
    return txFail(txContextError(flow->context), TEXLA_BAD_ARGUMENT, call,
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

clStatus clFlowWake(clFlow *flow, double x, double y, double *length) {
  static const char call[] = "clFlowWake";
  TRY(checkPlace(flow, x, y, length, call));
  const clFlowOptions *o = &flow->options;
  double row = fmin(fmax(y / o->h - 0.5, 0), o->ny - 1), u = 0, last = 0;
  int low = (int)row;
  TRY(bring(flow, flow->u, (txRect){0, low, o->nx, 1 + (low + 1 < o->ny)}, call));
  int k = (int)(x / o->h);
  while (k < o->nx && ((u = lineAt(flow, row, k)) < 0 || (last == 0 && !isClear(flow, row, k)))) {
    last = u < 0 ? u : 0;
    k++;
  }
  *length = last < 0 ? (k + (k < o->nx ? last / (last - u) : 0)) * o->h - x : 0;
  return TEXLA_OK;
}

enum { TERMS = 10, REACH = 4 };

/* x <- the solution of A x = x, of the first n, by elimination with pivots; false where A is
 * singular, nearly. */
static bool eliminate(double A[TERMS][TERMS], double x[TERMS], int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
    if (fabs(A[best][k]) < 1e-9)
      return false;
    for (int j = 0; j <= n; j++) {
      double *a = j < n ? &A[k][j] : &x[k], *b = j < n ? &A[best][j] : &x[best], t = *a;
      *a = *b;
      *b = t;
    }
    for (int i = 0; i < n; i++) {
      double factor = i == k ? 0 : A[i][k] / A[k][k];
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
typedef struct Fit {
  double A[TERMS][TERMS], b[TERMS];
  int cells;
} Fit;

static void addCell(Fit *fit, double dx, double dy, double value) {
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
static double valueOf(const Fit *fit) {
  static const int terms[] = {TERMS, 6, 3, 1};
  for (int k = 0; k < 4; k++) {
    Fit f = *fit;
    if ((f.cells >= 2 * terms[k] || (k == 3 && f.cells > 0)) && eliminate(f.A, f.b, terms[k]))
      return f.b[0];
  }
  return NAN;
}

clStatus clFlowPressure(clFlow *flow, double x, double y, double *pressure) {
  static const char call[] = "clFlowPressure";
  TRY(checkPlace(flow, x, y, pressure, call));
  const clFlowOptions *o = &flow->options;
  const int i = (int)(x / o->h), j = (int)(y / o->h);
  txRect near = {i > REACH ? i - REACH : 0, j > REACH ? j - REACH : 0, 0, 0};
  near.width = (i + REACH < o->nx ? i + REACH + 1 : o->nx) - near.x;
  near.height = (j + REACH < o->ny ? j + REACH + 1 : o->ny) - near.y;
  TRY(bring(flow, flow->p, near, call));
  Fit fit = {.cells = 0};
  for (int k = 0; k < near.width * near.height; k++) {
    int a = near.x + k % near.width, b = near.y + k / near.width;
    if (txFlowIsWhole(flow, a, b))
      addCell(&fit, a + 0.5 - x / o->h, b + 0.5 - y / o->h,
              (double)flow->host[(int64_t)b * o->nx + a]);
  }
  *pressure = valueOf(&fit);
  return TEXLA_OK;
}
