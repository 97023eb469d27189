/* What surrounds a flow: options, sides, obstacles. */
#include "sim/flow.h"
#include "core/allocate.h"
#include "core/try.h"
#include "sim/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rim's table has so many rows for each side; the number of a cell is an int. */
enum { ROWS = 5, MOST_CELLS = INT32_MAX };

/* See createCycles. */
static const double obstacle_leak = 1e-3;

/* Time steps must not outrun what sides will bring, even where nothing moves yet. */
double txFlowGiven(const clFlowOptions *o) {
  double most = 0;
  for (int s = 0; s < 4; s++)
    most = fmax(most, hypot((double)o->side[s].velocity[0], (double)o->side[s].velocity[1]));
  return most;
}

/* The component of a side's velocity through it (into the direction of the axis) at cell k along
 * it: zero but in the inflow's part, where t goes from 0 to 1. *inside <- is it there? */
static double through(const clFlowOptions *o, int s, int k, bool *inside) {
  const clFlowSide *side = &o->side[s];
  double from = (double)side->from, to = 1;
  if (side->to > 0)
    to = (double)side->to;
  double t = ((k + 0.5) / txFlowAlong(o, s) - from) / (to - from), value = 0;
  *inside = side->edge == TEXLA_FLOW_INFLOW && t > 0 && t < 1;
  if (*inside)
    value = (double)side->velocity[s / 2];
  if (side->parabolic)
    value = 4 * t * (1 - t) * value;
  return value;
}

double txFlowThrough(const clFlowOptions *o, int s, int k) {
  bool inside;
  return through(o, s, k, &inside);
}

static clStatus checkSide(const clFlowOptions *o, int s, clError *error, const char *call) {
  const char *name = txSideName(s);
  const clFlowSide *side = &o->side[s];
  const int cells[] = {o->nx, o->ny};
  if (side->edge > TEXLA_FLOW_PERIODIC)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s side has an unknown kind of edge %d",
                  name, (int)side->edge);
  if (side->edge == TEXLA_FLOW_PERIODIC && o->side[s ^ 1].edge != TEXLA_FLOW_PERIODIC)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the %s side is periodic, but not the %s one",
                  name, txSideName(s ^ 1));
  if (side->edge == TEXLA_FLOW_PERIODIC && cells[s / 2] < 4)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "a periodic axis needs 4 cells or more, not %d",
                  cells[s / 2]);
  if (!isfinite(side->velocity[0]) || !isfinite(side->velocity[1]) || !isfinite(side->dye))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "velocity and dye of the %s side must be finite",
                  name);
  if (!txIsPartOfSide((double)side->from, (double)side->to))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "the %s side's part from %g to %g must lie in 0..1", name, (double)side->from,
                  (double)side->to);
  return TEXLA_OK;
}

/* Without an outflow, what flows in must flow out. */
static clStatus checkBalance(const clFlowOptions *o, clError *error, const char *call) {
  double net = 0, gross = 0;
  for (int s = 0; s < 4; s++) {
    if (o->side[s].edge == TEXLA_FLOW_OUTFLOW)
      return TEXLA_OK;
    /* Through high sides what counts as in flows against the axis. */
    for (int k = 0; k < txFlowAlong(o, s); k++) {
      bool inside;
      double value = through(o, s, k, &inside);
      net += (1 - s % 2 * 2) * value;
      gross += fabs(value);
    }
  }
  if (fabs(net) > 1e-6 * gross)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "what flows in (%g in all) must flow out somewhere: make another side an outflow",
                  net);
  return TEXLA_OK;
}

/* Sizes and times, where zero means the default. */
static clStatus checkGrid(const clFlowOptions *o, clError *error, const char *call) {
  if (o->nx < 0 || o->ny < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the grid of %d x %d cells must not be negative",
                  o->nx, o->ny);
  if ((int64_t)o->nx * o->ny > MOST_CELLS)
    return txFail(error, TEXLA_TOO_LARGE, call, "%d x %d cells are more than %d", o->nx, o->ny,
                  MOST_CELLS);
  if (!txIsAtLeastZero(o->h) || !txIsAtLeastZero(o->dt) || !txIsAtLeastZero(o->cfl) ||
      !txIsAtLeastZero(o->dt_max))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "h (%g), dt (%g), cfl (%g) and dt_max (%g) must be positive and finite, or 0 for "
                  "the default",
                  o->h, o->dt, o->cfl, o->dt_max);
  return TEXLA_OK;
}

/* What fluid and forces are like. */
static clStatus checkFluid(const clFlowOptions *o, clError *error, const char *call) {
  if (!txIsAtLeastZero(o->confinement))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "confinement (%g) must be finite and not negative", o->confinement);
  if (!txIsAtLeastZero(o->viscosity) || !txIsAtLeastZero(o->diffusivity) ||
      !txIsAtLeastZero(o->decay))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "viscosity (%g), diffusivity (%g) and decay (%g) must be finite and not negative",
                  o->viscosity, o->diffusivity, o->decay);
  if (!isfinite(o->force[0]) || !isfinite(o->force[1]) || !isfinite(o->buoyancy) ||
      !isfinite(o->ambient))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "forces (%g, %g), buoyancy (%g) and ambient (%g) must be finite", o->force[0],
                  o->force[1], o->buoyancy, o->ambient);
  return TEXLA_OK;
}

/* Schemes, and how exactly the pressure is solved for. */
static clStatus checkSchemes(const clFlowOptions *o, clError *error, const char *call) {
  if (o->scheme > TEXLA_FLOW_MACCORMACK || o->solver > TEXLA_FLOW_CG ||
      !(o->gamma >= 0 && o->gamma <= 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "unknown scheme %d or solver %d, or gamma (%g) is not in 0..1", (int)o->scheme,
                  (int)o->solver, o->gamma);
  if (o->stepping > TEXLA_FLOW_MIDPOINT || (o->stepping && o->scheme != TEXLA_FLOW_DONOR_CELL))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "unknown stepping %d, or the midpoint rule with another scheme than donor cells",
                  (int)o->stepping);
  if (!txIsAtLeastZero(o->tolerance) || o->corrections < 0)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "tolerance (%g) and corrections (%d) must not be negative", o->tolerance,
                  o->corrections);
  return TEXLA_OK;
}

/* How many cells a step may cross: schemes that look back along paths do not mind, others do, the
 * more stages they have the less. */
static double usualCfl(const clFlowOptions *o) {
  if (o->stepping == TEXLA_FLOW_MIDPOINT)
    return 0.8;
  if (o->scheme == TEXLA_FLOW_DONOR_CELL)
    return 0.5;
  return 1;
}

clStatus txFlowChoose(clFlowOptions *o, clFlowInfo *info, clContext *context, const char *call) {
  clError *error = txContextError(context);
  TRY(checkGrid(o, error, call));
  TRY(checkFluid(o, error, call));
  TRY(checkSchemes(o, error, call));
  txUsualInteger(&o->nx, 128);
  txUsualInteger(&o->ny, 128);
  for (int s = 0; s < 4; s++)
    TRY(checkSide(o, s, error, call));
  TRY(checkBalance(o, error, call));
  txUsual(&o->h, 1. / o->nx);
  txUsual(&o->cfl, usualCfl(o));
  txUsual(&o->tolerance, 1e-3);
  o->implicit |= o->stepping == TEXLA_FLOW_MIDPOINT;
  double most = fmax(o->viscosity, o->diffusivity), stable = INFINITY;
  if (most > 0 && !o->implicit)
    stable = o->h * o->h / (4 * most);
  *info = (clFlowInfo){
      .nx = o->nx, .ny = o->ny, .h = o->h, .width = o->nx * o->h, .height = o->ny * o->h};
  info->dt = o->dt;
  info->dt_stable = stable;
  info->divergence = NAN;
  if (o->dt > stable * (1 + 1e-6))
    return txFail(
        error, TEXLA_BAD_ARGUMENT, call,
        "dt = %g is too long for explicit diffusion: at most h^2 / (4 nu) = %.9g is stable", o->dt,
        stable);
  return TEXLA_OK;
}

bool txFlowHolds(const clFlowOptions *o, int s, int k, double *dye) {
  const clFlowSide *side = &o->side[s];
  bool inside;
  through(o, s, k, &inside);
  *dye = (double)side->dye;
  return inside || (side->holds_dye && side->edge <= TEXLA_FLOW_FREE_SLIP);
}

/* Faces lie on the sides that they lead through, at low sides one cell before the first that the
 * grid holds; else sides are half a cell away from the middle of the outermost cells. */
static txHelmholtzSide changeAt(const clFlowOptions *o, int k, int s) {
  clFlowEdge edge = o->side[s].edge;
  txHelmholtzSide side = {edge == TEXLA_FLOW_NO_SLIP || edge == TEXLA_FLOW_INFLOW, 0.5};
  double dye;
  if (k == s / 2)
    side = (txHelmholtzSide){edge != TEXLA_FLOW_OUTFLOW, 1 - s % 2};
  if (k == 2)
    side.fixed = txFlowHolds(o, s, txFlowAlong(o, s) / 2, &dye);
  return side;
}

void txFlowSetChange(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  flow->simple = !flow->gates[0] && !txFlowHasObstacles(flow);
  for (int s = 0; s < 4; s++) {
    const clFlowSide *side = &o->side[s];
    bool part = side->from > 0 || (side->to > 0 && side->to < 1);
    flow->simple &= side->edge != TEXLA_FLOW_INFLOW || !part;
    for (int k = 0; k < 3; k++)
      flow->change[k][s] = changeAt(o, k, s);
  }
}

/* The cell beside side s, k cells along it. */
static int64_t beside(const clFlowOptions *o, int s, int k) {
  const int64_t first[] = {0, o->nx - 1, 0, (int64_t)(o->ny - 1) * o->nx};
  if (s < 2)
    return first[s] + (int64_t)k * o->nx;
  return first[s] + k;
}

/* The rows of side s at cell k along it: velocity through it, a and b of the one along it, a and b
 * of the dye. A value beyond the side is a + b times the one within, so that halfway between both
 * is a / 2 where b = -1, and nothing changes across the side where b = 1. */
static void describePoint(double row[ROWS], const clFlow *flow, int s, int k) {
  const clFlowOptions *o = &flow->options;
  const clFlowSide *side = &o->side[s];
  bool inside;
  double dye;
  row[0] = through(o, s, k, &inside);
  if (flow->shut[beside(o, s, k)])
    row[0] = 0;
  row[1] = 0;
  row[2] = -1;
  if (side->edge == TEXLA_FLOW_NO_SLIP || inside)
    row[1] = 2 * (double)side->velocity[1 - s / 2];
  if (side->edge == TEXLA_FLOW_FREE_SLIP || side->edge == TEXLA_FLOW_OUTFLOW)
    row[2] = 1;
  row[3] = 0;
  row[4] = 1;
  if (txFlowHolds(o, s, k, &dye)) {
    row[3] = 2 * dye;
    row[4] = -1;
  }
}

/* The k-th velocity through a low side that is an outflow. */
static double outflowAt(const clFlowOptions *o, int s, int k, const float *inner,
                        const float *low) {
  if (low)
    return (double)low[s / 2 * o->ny + k];
  if (inner)
    return (double)inner[beside(o, s, k)];
  return 0;
}

/* The rim is a small table that kernels read beside the fields: it is written on the host when
 * options, obstacles or fields change, and by the device, which computes what flows out low. */
clStatus txFlowSetRim(clFlow *flow, const float *u, const float *v, const float *low) {
  const clFlowOptions *o = &flow->options;
  const float *const inner[] = {u, v};
  int length = txFlowLonger(o);
  float *table =
      txAllocate(txFlowError(flow), "clFlow", (size_t)length * 4 * ROWS, sizeof *table, "the rim");
  if (!table)
    return TEXLA_OUT_OF_MEMORY;
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < txFlowAlong(o, s); k++) {
      double row[ROWS];
      describePoint(row, flow, s, k);
      if (txFlowGate(o, s) && !flow->solid[beside(o, s, k)])
        row[0] = outflowAt(o, s, k, inner[s / 2], low);
      for (int r = 0; r < ROWS; r++)
        table[(s * ROWS + r) * length + k] = (float)row[r];
    }
  clStatus status = clVectorUpload(flow->rim, table);
  free(table);
  return status;
}

/* First the left side's, then the bottom's, as clFlowState has them. */
clStatus txFlowGetLow(const clFlow *flow, float *low) {
  const clFlowOptions *o = &flow->options;
  int length = txFlowLonger(o);
  float *table =
      txAllocate(txFlowError(flow), "clFlow", (size_t)length * 4 * ROWS, sizeof *table, "the rim");
  if (!table)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = clVectorDownload(flow->rim, table);
  if (status == TEXLA_OK) {
    memcpy(low, table, (size_t)o->ny * sizeof *low);
    memcpy(low + o->ny, table + TEXLA_SIDE_BOTTOM * ROWS * length, (size_t)o->nx * sizeof *low);
  }
  free(table);
  return status;
}

/* What a closed face of a cell has: what is prescribed at the side where it is one of the rim's, 0
 * where it is an obstacle's. */
static double closedVelocity(const clFlow *flow, int i, int j, int axis) {
  const clFlowOptions *o = &flow->options;
  const int along[] = {j, i}, k = j * o->nx + i;
  if (txFlowBehind(flow, i, j, axis) != -1 || flow->solid[k] || flow->shut[k])
    return 0;
  return txFlowThrough(o, 2 * axis + 1, along[axis]);
}

clStatus txFlowPutVelocity(clFlow *flow, const float *u, const float *v) {
  const clFlowOptions *o = &flow->options;
  const float *const from[] = {u, v};
  clVector *const to[] = {flow->u, flow->v};
  for (int axis = 0; axis < 2; axis++) {
    for (int k = 0; k < o->nx * o->ny; k++) {
      int i = k % o->nx, j = k / o->nx;
      flow->host[k] = 0;
      if (txFlowFace(flow, i, j, axis) <= 0)
        flow->host[k] = (float)closedVelocity(flow, i, j, axis);
      else if (from[axis])
        flow->host[k] = from[axis][k];
    }
    TRY(clVectorUpload(to[axis], flow->host));
  }
  return TEXLA_OK;
}

/* Beyond the outflows at the left and at the bottom q = 0. */
static clStatus addGates(clTriplets *A, const clFlow *flow, clError *error) {
  const clFlowOptions *o = &flow->options;
  for (int s = 0; s < 4; s += 2)
    for (int k = 0; k < txFlowAlong(o, s) && txFlowGate(o, s); k++) {
      int32_t cell = (int32_t)beside(o, s, k);
      if (!flow->solid[cell])
        TRY(clTripletsAdd(A, cell, cell, 1, error));
    }
  return TEXLA_OK;
}

/* One equation per cell: (sum of open faces) q - (q of open neighbours, each times how far its face
 * is open) = rhs. Faces within the grid that are closed get the link `closed`. */
static clStatus fillMatrix(clTriplets *A, const clFlow *flow, double closed, clError *error) {
  const clFlowOptions *o = &flow->options;
  for (int k = 0; k < A->rows; k++)
    for (int axis = 0; axis < 2; axis++) {
      int64_t other = txFlowBehind(flow, k % o->nx, k / o->nx, axis);
      double open = txFlowFace(flow, k % o->nx, k / o->nx, axis);
      if (other >= 0)
        open = fmax(open, closed);
      if (open <= 0)
        continue;
      TRY(clTripletsAdd(A, k, k, open, error));
      if (other < 0)
        continue;
      TRY(clTripletsAdd(A, (int32_t)other, (int32_t)other, open, error));
      TRY(clTripletsAdd(A, k, (int32_t)other, -open, error));
      TRY(clTripletsAdd(A, (int32_t)other, k, -open, error));
    }
  return addGates(A, flow, error);
}

static clStatus createMatrix(clTriplets **out, const clFlow *flow, double closed) {
  clError *error = txFlowError(flow);
  int32_t n = (int32_t)clVectorLength(flow->u);
  clTriplets *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clTripletsCreate(&A, n, n, 5 * (int64_t)n, error));
  TRY_CLEANUP(fillMatrix(A, flow, closed, error));
  TRY_CLEANUP(clTripletsCompress(A, error));
  *out = A;
  return TEXLA_OK;
cleanup:
  clTripletsDestroy(A);
  return status;
}

/* Cycles for obstacles that let a little through. With them as walls coarse grids would have points
 * without a link, and each region of the flow a pressure that is known but for a constant; this way
 * all hang together, the diffusion has coefficients that jump, which the cycles are made for, and
 * with A itself conjugate directions take out what the leak is wrong by. */
static clStatus createCycles(clFlow *flow) {
  double leak = 0;
  if (txFlowHasObstacles(flow))
    leak = obstacle_leak;
  clTriplets *A = NULL;
  TRY(createMatrix(&A, flow, leak));
  clStatus status = clMultigridCreate(&flow->multigrid, flow->context, A, flow->options.nx,
                                      flow->options.ny, NULL);
  clTripletsDestroy(A);
  return status;
}

/* Without obstacles cycles do it alone. Around obstacles A itself is needed, too, for conjugate
 * directions; and by choice conjugate gradients on A alone. */
clStatus txFlowSetSolver(clFlow *flow) {
  const clFlowOptions *o = &flow->options;
  bool cycles = o->solver == TEXLA_FLOW_MULTIGRID;
  if (cycles)
    TRY(createCycles(flow));
  if (cycles && !txFlowHasObstacles(flow))
    return TEXLA_OK;
  const clMatrixOptions matrix = {
      .storage = TEXLA_STORAGE_BANDED, .grid_nx = o->nx, .grid_ny = o->ny};
  const clSolverOptions solver = {.method = TEXLA_METHOD_CG, .tolerance = 1e-2};
  clTriplets *A = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(createMatrix(&A, flow, 0));
  TRY_CLEANUP(clMatrixCreate(&flow->A, flow->context, A, &matrix));
  if (!cycles)
    TRY_CLEANUP(clSolverCreate(&flow->cg, flow->A, &solver));
cleanup:
  clTripletsDestroy(A);
  return status;
}
