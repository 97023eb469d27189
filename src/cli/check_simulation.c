/* Cases of simulations: steps of waves and flows, beside loops over points and cells. */
#include <math.h>

#include "cli/check.h"
#include "core/try.h"
#include "texla/sim.h"

enum { STEPS = 4 };

/* ---- Waves ----------------------------------------------------------------------------------- */

static const struct {
  clWaveEdge edge;
  int nx, ny;
} waves[] = {{TEXLA_WAVE_EDGE_REFLECTING, 33, 18}, {TEXLA_WAVE_EDGE_REFLECTING, 64, 70},
             {TEXLA_WAVE_EDGE_FIXED, 33, 18},      {TEXLA_WAVE_EDGE_FIXED, 64, 70},
             {TEXLA_WAVE_EDGE_PERIODIC, 33, 18},   {TEXLA_WAVE_EDGE_PERIODIC, 64, 70}};
enum { WAVES = sizeof waves / sizeof *waves };
static const char *const edge_names[] = {"reflecting", "fixed", "absorbing", "periodic"};

/* The height beside a point, where that lies outside, too. */
static double heightAt(const clWaveInfo *w, const double *u, int i, int j, double here) {
  if (w->edge[0] == TEXLA_WAVE_EDGE_PERIODIC)
    return u[(j + w->ny) % w->ny * w->nx + (i + w->nx) % w->nx];
  if (i >= 0 && j >= 0 && i < w->nx && j < w->ny)
    return u[j * w->nx + i];
  return w->edge[0] == TEXLA_WAVE_EDGE_FIXED ? -here : here;
}

/* h^2 Laplace u */
static double laplace(const clWaveInfo *w, const double *u, int k) {
  int i = k % w->nx, j = k / w->nx;
  return heightAt(w, u, i - 1, j, u[k]) + heightAt(w, u, i + 1, j, u[k]) +
         heightAt(w, u, i, j - 1, u[k]) + heightAt(w, u, i, j + 1, u[k]) - 4 * u[k];
}

/* Steps from x at rest: the height of before is the one of after. */
static void waveOnHost(txTrial *t, const clWaveInfo *w) {
  const int n = w->nx * w->ny;
  double *now = t->x, *before = t->y;
  for (int k = 0; k < n; k++)
    before[k] = now[k] + w->beta / 2 * laplace(w, now, k);
  for (int s = 0; s < STEPS; s++) {
    for (int k = 0; k < n; k++)
      before[k] = 2 * now[k] - before[k] + w->beta * laplace(w, now, k);
    double *next = before;
    before = now;
    now = next;
  }
  for (int k = 0; k < n; k++)
    t->wanted[k] = now[k];
}

static clStatus tryWave(txTrial *t, int index) {
  const int nx = waves[index].nx, ny = waves[index].ny;
  const clWaveEdge edge = waves[index].edge;
  clWave *wave = NULL;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "%d steps, %s edges, %d x %d", STEPS, edge_names[edge], nx, ny);
  txTrialFill(t->x, nx * ny);
  for (int k = 0; k < nx * ny; k++)
    t->single[k] = (float)t->x[k];
  TRY_CLEANUP(clWaveCreate(&wave, t->context,
                           &(clWaveOptions){.nx = nx, .ny = ny, .edge = {edge, edge, edge, edge}}));
  TRY_CLEANUP(clWaveUpload(wave, t->single, NULL));
  TRY_CLEANUP(clWaveStep(wave, STEPS));
  TRY_CLEANUP(clVectorDownloadDouble(clWaveHeight(wave), t->got));
  clWaveInfo info = clWaveInspect(wave);
  waveOnHost(t, &info);
  txTrialCompare(t, nx * ny, 1e-5);
cleanup:
  clWaveDestroy(wave);
  return status;
}

/* ---- Flows ----------------------------------------------------------------------------------- */

/* Cells on the host: u on right faces, v on top faces; F, G and q = dt / h p, for a step. */
enum { MOST_CELLS = 1024 };
typedef struct Cells {
  int nx, ny;
  bool periodic;
  /* of the box's upper wall; dt / h; nu dt / h^2; of the donor cell scheme */
  double lid, ratio, friction, gamma;
  double u[MOST_CELLS], v[MOST_CELLS], F[MOST_CELLS], G[MOST_CELLS], q[MOST_CELLS];
} Cells;

/* The cell's index; a periodic axis goes on at its other end. */
static int cellAt(const Cells *c, int i, int j) {
  return (j + c->ny) % c->ny * c->nx + (i + c->nx) % c->nx;
}

/* Walls let nothing through and hold what flows along them. */
static double uAt(const Cells *c, int i, int j) {
  if (c->periodic || (i >= 0 && j >= 0 && j < c->ny))
    return c->u[cellAt(c, i, j)];
  if (i < 0)
    return 0;
  return j < 0 ? -c->u[cellAt(c, i, 0)] : 2 * c->lid - c->u[cellAt(c, i, j - 1)];
}

static double vAt(const Cells *c, int i, int j) {
  if (c->periodic || (j >= 0 && i >= 0 && i < c->nx))
    return c->v[cellAt(c, i, j)];
  if (j < 0)
    return 0;
  if (i < 0)
    i = 1;
  return -c->v[cellAt(c, i - 1, j)];
}

/* Carried through a face between a and b by half of the speed w. */
static double flux(const Cells *c, double w, double a, double b) {
  return (w * (a + b) + c->gamma * fabs(w) * (a - b)) / 4;
}

static bool closedRight(const Cells *c, int i) {
  return !c->periodic && i == c->nx - 1;
}

static bool closedTop(const Cells *c, int j) {
  return !c->periodic && j == c->ny - 1;
}

/* F <- u + dt (nu Laplace u - (u u)_x - (u v)_y), G likewise; closed faces keep 0. */
static void predict(Cells *c, int i, int j) {
  double u = uAt(c, i, j), ue = uAt(c, i + 1, j), uw = uAt(c, i - 1, j), un = uAt(c, i, j + 1);
  double v = vAt(c, i, j), vn = vAt(c, i, j + 1), vs = vAt(c, i, j - 1), ve = vAt(c, i + 1, j);
  double us = uAt(c, i, j - 1), uwn = uAt(c, i - 1, j + 1);
  double vw = vAt(c, i - 1, j), ves = vAt(c, i + 1, j - 1);
  double carried_u = flux(c, u + ue, u, ue) - flux(c, uw + u, uw, u) + flux(c, v + ve, u, un) -
                     flux(c, vs + ves, us, u);
  double carried_v = flux(c, u + un, v, ve) - flux(c, uw + uwn, vw, v) + flux(c, v + vn, v, vn) -
                     flux(c, vs + v, vs, v);
  double *F = &c->F[cellAt(c, i, j)], *G = &c->G[cellAt(c, i, j)];
  *F = *G = 0;
  if (!closedRight(c, i))
    *F = u + c->friction * (ue + uw + un + us - 4 * u) - c->ratio * carried_u;
  if (!closedTop(c, j))
    *G = v + c->friction * (ve + vw + vn + vs - 4 * v) - c->ratio * carried_v;
}

/* One sweep of Gauss-Seidel for q; F and G are those of the faces around the cell. */
static void relax(Cells *c, int i, int j) {
  const int here = cellAt(c, i, j), west = cellAt(c, i - 1, j), south = cellAt(c, i, j - 1);
  double sum = -(c->F[here] - c->F[west] + c->G[here] - c->G[south]), open = 0;
  const bool closed[4] = {closedRight(c, i), closedTop(c, j), !c->periodic && i == 0,
                          !c->periodic && j == 0};
  const int beside[4] = {cellAt(c, i + 1, j), cellAt(c, i, j + 1), west, south};
  for (int s = 0; s < 4; s++)
    if (!closed[s]) {
      sum += c->q[beside[s]];
      open++;
    }
  c->q[here] = sum / open;
}

/* u <- F - q_x and v <- G - q_y, free of divergence */
static void stepOnHost(Cells *c) {
  const int n = c->nx * c->ny;
  for (int k = 0; k < n; k++)
    predict(c, k % c->nx, k / c->nx);
  for (int sweep = 0; sweep < 2000; sweep++)
    for (int k = 0; k < n; k++)
      relax(c, k % c->nx, k / c->nx);
  for (int k = 0; k < n; k++) {
    int i = k % c->nx, j = k / c->nx;
    c->u[k] = closedRight(c, i) ? 0 : c->F[k] - (c->q[cellAt(c, i + 1, j)] - c->q[k]);
    c->v[k] = closedTop(c, j) ? 0 : c->G[k] - (c->q[cellAt(c, i, j + 1)] - c->q[k]);
  }
}

static const struct {
  const char *name;
  clFlowScheme scheme;
  bool periodic;
  int nx, ny;
} flows[] = {{"periodic", TEXLA_FLOW_DONOR_CELL, true, 18, 13},
             {"periodic", TEXLA_FLOW_DONOR_CELL, true, 12, 29},
             {"box with a moving lid", TEXLA_FLOW_DONOR_CELL, false, 18, 13},
             {"box with a moving lid", TEXLA_FLOW_DONOR_CELL, false, 12, 29},
             {"semi-Lagrangian", TEXLA_FLOW_SEMI_LAGRANGIAN, true, 18, 13},
             {"semi-Lagrangian", TEXLA_FLOW_SEMI_LAGRANGIAN, true, 21, 8}};
enum { FLOWS = sizeof flows / sizeof *flows };

static clStatus createFlow(clFlow **out, txTrial *t, int index) {
  clFlowOptions options = {.nx = flows[index].nx,
                           .ny = flows[index].ny,
                           .h = 1,
                           .scheme = flows[index].scheme,
                           .dt = 1,
                           .tolerance = 1e-5};
  if (options.scheme == TEXLA_FLOW_DONOR_CELL) {
    options.gamma = 0.25;
    options.viscosity = 0.125;
  }
  for (int s = 0; s < 4 && flows[index].periodic; s++)
    options.side[s].edge = TEXLA_FLOW_PERIODIC;
  options.side[TEXLA_SIDE_TOP].velocity[0] = 0.25f;
  return clFlowCreate(out, t->context, &options);
}

/* x, y <- velocities at the start, wanted <- u, then v after STEPS steps: by loops, or with numbers
 * in columns that go on by a cell a step. */
static void flowOnHost(txTrial *t, int index) {
  static Cells c;
  const int nx = flows[index].nx, n = nx * flows[index].ny;
  bool loops = flows[index].scheme == TEXLA_FLOW_DONOR_CELL;
  c = (Cells){nx, flows[index].ny, flows[index].periodic, 0.25, 1, 0.125, 0.25};
  for (int k = 0; k < n; k++) {
    t->x[k] = loops ? 0.25 * txTrialRandom((uint64_t)k) : 1;
    t->y[k] = 0.25 * txTrialRandom((uint64_t)(loops ? k + 5000 : k % nx));
    t->wanted[k] = 1;
    t->wanted[n + k] = 0.25 * txTrialRandom((uint64_t)((k + STEPS * (nx - 1)) % nx));
    c.u[k] = closedRight(&c, k % nx) ? 0 : t->x[k];
    c.v[k] = closedTop(&c, k / nx) ? 0 : t->y[k];
  }
  for (int s = 0; s < STEPS && loops; s++)
    stepOnHost(&c);
  for (int k = 0; k < n && loops; k++) {
    t->wanted[k] = c.u[k];
    t->wanted[n + k] = c.v[k];
  }
}

static clStatus tryFlow(txTrial *t, int index) {
  const int n = flows[index].nx * flows[index].ny;
  clFlow *flow = NULL;
  const clVector *u, *v;
  clStatus status = TEXLA_OK;
  snprintf(t->name, sizeof t->name, "%d steps, %s, %d x %d", STEPS, flows[index].name,
           flows[index].nx, flows[index].ny);
  flowOnHost(t, index);
  for (int k = 0; k < n; k++) {
    t->single[k] = (float)t->x[k];
    t->single[n + k] = (float)t->y[k];
  }
  TRY_CLEANUP(createFlow(&flow, t, index));
  TRY_CLEANUP(clFlowUpload(flow, t->single, t->single + n, NULL));
  TRY_CLEANUP(clFlowStep(flow, STEPS));
  TRY_CLEANUP(clFlowGet(&u, flow, TEXLA_FLOW_U));
  TRY_CLEANUP(clVectorDownloadDouble(u, t->got));
  TRY_CLEANUP(clFlowGet(&v, flow, TEXLA_FLOW_V));
  TRY_CLEANUP(clVectorDownloadDouble(v, t->got + n));
  txTrialCompare(t, 2 * n, 1e-4);
cleanup:
  clFlowDestroy(flow);
  return status;
}

const txTrialGroup *txTrialsSimulation(int index) {
  static const txTrialGroup groups[] = {{"waves", WAVES, tryWave}, {"flows", FLOWS, tryFlow}};
  return index < (int)(sizeof groups / sizeof *groups) ? &groups[index] : NULL;
}
