/* clFlow: what its files share. The equations, the staggered grid and the calls are described in
 * texla/flow.h. In this order files use those before them: run, diffuse, stages, measure, walls,
 * sides, project, carry, and flow.c, where steps begin. */
#ifndef TEXLA_SIM_FLOW_H
#define TEXLA_SIM_FLOW_H

#include "gl/context.h"
#include "sim/helmholtz.h"
#include "texla/double.h"
#include "texla/flow.h"
#include "texla/kernel.h"
#include "texla/multigrid.h"

#include <math.h>

enum { TX_FLOW_VIEWS = 3 };
enum {
  TX_FLOW_PREDICT,
  TX_FLOW_LEAP,
  TX_FLOW_DIFFUSE,
  TX_FLOW_PROJECT,
  TX_FLOW_SPLAT,
  TX_FLOW_STAGES
};

/* For how many rates of diffusion it is known what smooth walls do to sweeps. */
enum { TX_FLOW_RATES = 48 };
/* Of options.late: steps from one look to the next. */
enum { TX_FLOW_EVERY = 4 };
/* A look that the next step takes, after so many corrections of a step of this number. */
typedef struct txFlowLate {
  clRead *read;
  int corrections;
  int64_t step;
  /* When one correction less was tried last, and from when on that may be done again; `patience`:
   * so many steps it waits for that, 0: one correction more has never been needed. */
  int64_t tried, held;
  int patience;
} txFlowLate;

struct clFlow {
  clContext *context;
  clFlowOptions options;
  clFlowInfo info;
  clVector *u, *v, *p, *dye;
  /* see shaders/sim/flow.glsl */
  clVector *rim;
  /* the rim after a stage, and at its start: outflows at low sides only */
  clVector *gates[2];
  /* see shaders/sim/flow_predict.frag */
  clVector *open_u, *open_v, *fluid;
  /* of the pressure correction; rhs: -h div */
  clVector *rhs, *q, *z;
  /* the speed, or what clFlowGet returns */
  clVector *work;
  /* u, v and the dye before implicit diffusion: txFlowStarts */
  clVector *start[3];
  /* u and v after half a step; the rim beside them: src/sim/flow_stages.c */
  clVector *half[2], *held;
  /* u and v at `since`, of clFlowChange; NULL: not asked for yet */
  clVector *last[2];
  double since;
  /* of clFlowViscosity's last call; turning: sum of vorticity^2 */
  double energy, turning, energy_time;
  /* friction and what pressure presses on: src/sim/flow_walls.c; NULL: no obstacles yet */
  clVector *wall[2], *tilt[2];
  /* of the velocity, implicit or explicit, and of the dye, implicit; NULL: nothing to do */
  clKernel *diffuse, *spread, *diffuse_dye;
  /* what implicit diffusion has left to do, and cycles for that; NULL: not asked for yet */
  clKernel *defect, *defect_dye;
  txHelmholtz *helmholtz;
  /* the sides of a change of u, v and the dye; simple: they are the same from end to end, and there
   * is nothing else that those cycles know nothing of */
  txHelmholtzSide change[3][4];
  bool simple;
  /* the low sides' outflows; NULL: there are none */
  clKernel *gate[TX_FLOW_STAGES];
  /* leap: from half a step; guess: MacCormack's first */
  clKernel *predict, *leap, *guess, *confine;
  clKernel *carry, *divergence, *project, *splat, *view[TX_FLOW_VIEWS];
  /* what txFlowLook reads */
  clVector *seen;
  /* the last look that nobody waited for: options.late */
  txFlowLate late;
  /* How many corrections a step makes without waiting for a look; 0: it looks. */
  int planned;
  /* The last step whose speed is info.speed. */
  int64_t seen_step;
  /* what may have been added to info.speed: by splats since the last look and before it, and by the
   * flow itself in a step */
  double added[2], grown;
  /* alpha: how far a correction goes */
  clFloat *rz[2], *alpha;
  /* of txFlowDot; NULL: not asked for yet */
  clDouble *sum;
  clMultigrid *multigrid;
  /* beside multigrid: around obstacles only */
  clMatrix *A;
  clSolver *cg;
  uint8_t *solid;
  /* of txFlowFace, for both axes of each cell */
  float *face;
  /* 1 in regions whose inflow stands still: src/sim/flow_regions.c */
  uint8_t *shut;
  /* from smooth walls; NULL: obstacles are whole cells */
  float *distance;
  /* beside smooth walls: how far from 1 the eigenvalues of (1 - l L), divided by its diagonal, lie
   * at most, for l = txFlowRate(k) */
  double spreads[TX_FLOW_RATES];
  /* nx * ny */
  float *host;
  /* the most that flows through a cell's faces, in and out, as velocities: found with info.speed */
  double passing;
  /* info.speed is that of now: since its divergence was taken out nobody has changed the
   * velocity. */
  bool looked;
  /* there may be dye somewhere */
  bool dyed;
  char solver[256];
};

/* Rates of diffusion a factor of sqrt(2) apart. */
static inline double txFlowRate(int k) {
  return 0x1p-16 * pow(2, 0.5 * k);
}

/* Where messages about it go; NULL for none. */
static inline clError *txFlowError(const clFlow *flow) {
  return flow ? txContextError(flow->context) : NULL;
}

/* Does the scheme look back along the paths of the flow? */
static inline bool txFlowFollows(const clFlowOptions *o) {
  return o->scheme != TEXLA_FLOW_DONOR_CELL;
}
/* Is diffusion implicit? Beside smooth walls always, since there are faces that are hardly open. */
static inline bool txFlowSweeps(const clFlow *flow) {
  return flow->options.implicit || flow->distance;
}
/* Is the velocity diffused by itself, and not together with its transport? */
static inline bool txFlowDiffusesApart(const clFlow *flow) {
  return txFlowSweeps(flow) || txFlowFollows(&flow->options);
}

/* Is the axis (0: x, 1: y) periodic? */
static inline bool txFlowPeriodic(const clFlowOptions *o, int axis) {
  return o->side[2 * axis].edge == TEXLA_FLOW_PERIODIC;
}

/* Is side s (left or bottom) an outflow? */
static inline bool txFlowGate(const clFlowOptions *o, int side) {
  return side % 2 == 0 && o->side[side].edge == TEXLA_FLOW_OUTFLOW;
}

/* How many points the longer side of the grid has: what the rim's table has room for. */
static inline int txFlowLonger(const clFlowOptions *o) {
  return o->nx > o->ny ? o->nx : o->ny;
}

/* How many cells lie along side s. */
static inline int txFlowAlong(const clFlowOptions *o, int side) {
  return side < 2 ? o->ny : o->nx;
}

/* Checks the options and fills in what is zero; fills info. */
clStatus txFlowChoose(clFlowOptions *options, clFlowInfo *info, clContext *context,
                      const char *call);

/* What kernels may read, in this order; each takes what it names. Stages that read other vectors
 * under these names put them in their places. */
enum { TX_FLOW_U, TX_FLOW_V, TX_FLOW_P, TX_FLOW_DYE, TX_FLOW_RIM };
clKernelRun txFlowInputs(const clFlow *flow);

/* A stage of a step: a kernel on fields, and the same on the low sides' outflows, each from the old
 * values of both. */
clStatus txFlowStage(clFlow *flow, int stage, clKernel *kernel, const clKernelRun *fields);

/* u and v <- those after dt, but for the change of the pressure. */
clStatus txFlowPredict(clFlow *flow, double dt);

/* u and v without divergence, p with what that took: to the tolerance of the options
 * (TEXLA_NOT_CONVERGED), or by so many corrections. */
clStatus txFlowProject(clFlow *flow, double dt);

/* The dye moves and spreads for the time dt with the velocity of now: src/sim/flow_carry.c. */
clStatus txFlowCarry(clFlow *flow, double dt);

/* Makes flow->start where it is not there yet. */
clStatus txFlowStarts(clFlow *flow);
/* Diffusion by backward Euler: u and v, or the dye (both others NULL), which are a guess, <- the x
 * with (1 - l L) x = flow->start, within 1e-5 of the way from the guess to it. */
clStatus txFlowDiffuse(clFlow *flow, clVector *const field[3], double l);

/* Reads the largest speed and the largest divergence. */
clStatus txFlowLook(clFlow *flow);
/* Takes the look of the step before, if that was one that nobody waited for (options.late). */
clStatus txFlowLookBack(clFlow *flow);
/* Such looks say nothing any more: the next step waits for its own. */
void txFlowForget(clFlow *flow);

/* The largest speed that there may be now. */
static inline double txFlowFastest(const clFlow *flow) {
  double steps = (double)(flow->info.steps - flow->seen_step);
  return flow->info.speed + steps * flow->grown + flow->added[0] + flow->added[1];
}
/* The most that may flow through a cell's faces now: of what has been added, at most sqrt(2) times
 * as much flows in as fast as it is, and out. */
static inline double txFlowPassing(const clFlow *flow) {
  const double both_ways = 2 * 1.41421356237310;
  return flow->passing + both_ways * (txFlowFastest(flow) - flow->info.speed);
}
/* Does the next step go by what is known, and wait for no look? */
static inline bool txFlowKnown(const clFlow *flow) {
  return flow->looked || flow->planned;
}

/* work <- TEXLA_FLOW_SPEED + view */
clStatus txFlowView(clFlow *flow, int view);

/* Fails where what a measurement needs is NULL. */
clStatus txFlowCheckResult(const clFlow *flow, const void *out, const char *call);

/* *sum <- a . b, in double-float; in double on the host where the device has none. Waits. */
clStatus txFlowDot(clFlow *flow, const clVector *a, const clVector *b, double *sum);

/* The largest velocity that a side prescribes. */
double txFlowGiven(const clFlowOptions *options);

/* The velocity that side s prescribes through its k-th face, in the direction of the axis. */
double txFlowThrough(const clFlowOptions *options, int s, int k);

/* Is *dye given at side s, beside its k-th cell? */
bool txFlowHolds(const clFlowOptions *options, int s, int k, double *dye);

/* flow->change and flow->simple from the options and the obstacles. */
void txFlowSetChange(clFlow *flow);

/* flow->rim from the options, with the velocities through low outflows, left (ny values) and bottom
 * (nx): `low`, or those of the faces next to them in u and v (NULL: zeros). */
clStatus txFlowSetRim(clFlow *flow, const float *u, const float *v, const float *low);
/* low <- those velocities. */
clStatus txFlowGetLow(const clFlow *flow, float *low);

/* The right (axis 0) or the top face of a cell: the part that is open; 0: closed; -1: by smooth
 * walls, or within an obstacle. */
double txFlowFace(const clFlow *flow, int i, int j, int axis);
/* The cell behind it: its index, or -1 at a side that is closed, -2 at an outflow. */
int64_t txFlowBehind(const clFlow *flow, int i, int j, int axis);

/* Is a cell no obstacle, and not cut by a smooth wall? */
bool txFlowIsWhole(const clFlow *flow, int i, int j);

/* flow->solid from flow->distance: cells without an open face. */
void txFlowFillSolid(clFlow *flow);
/* flow->face from flow->solid or flow->distance. */
void txFlowFillFaces(clFlow *flow);
/* flow->shut from flow->face. */
clStatus txFlowFindShut(clFlow *flow);
bool txFlowHasObstacles(const clFlow *flow);

/* All maps of faces and cells from the options and the obstacles. */
clStatus txFlowSetFaces(clFlow *flow);

/* Uploads u and v with closed faces set to what is prescribed there (NULL: zeros elsewhere). */
clStatus txFlowPutVelocity(clFlow *flow, const float *u, const float *v);

/* The matrix of the pressure correction, links to open neighbours, and its solver. */
clStatus txFlowSetSolver(clFlow *flow);

#endif
