/* Geometric multigrid (K12): cycles as lists of passes. */
#include "solvers/multigrid.h"

#include <stdio.h>
#include <stdlib.h>

static const char cycle_call[] = "clMultigridCycle";

static clStatus setDefaults(clMultigridOptions *o, clContext *context, const char *call) {
  if (o->pre > TX_SWEEPS || o->post > TX_SWEEPS || o->coarsest < 0 || o->coarsest > 1024 || o->host_points < 0 ||
      !(o->damping >= 0) || o->cycle > TEXLA_CYCLE_F || o->smoother > TEXLA_SMOOTHER_HALVES ||
      o->transfer > TEXLA_TRANSFER_FILTER || o->setup > TEXLA_SETUP_DEVICE)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "at most %d sweeps, a coarsest grid of at most 1024 points, a damping and host points that are not "
                  "negative are needed, and a known cycle, smoother and transfer",
                  TX_SWEEPS);
  o->pre = o->pre < 0 ? 0 : o->pre ? o->pre : 2;
  o->post = o->post < 0 ? 0 : o->post ? o->post : 2;
  o->damping = o->damping > 0 ? o->damping : 0.8f;
  o->coarsest = o->coarsest ? o->coarsest : 256;
  return TEXLA_OK;
}

static void describe(clMultigrid *mg) {
  static const char *const cycle[] = {"V", "W", "F"}, *const smoother[] = {"Chebyshev", "Jacobi", "red-black"};
  static const char *const transfer[] = {"stencil", "matrix", "filter"};
  const clMultigridOptions *o = &mg->options;
  const txGrid *first = mg->level[0].grid;
  const int *last = mg->level[mg->levels - 1].n;
  int host = mg->levels;
  while (host > 0 && mg->level[host - 1].host)
    host--;
  char place[32] = "";
  if (host < mg->levels)
    snprintf(place, sizeof place, " (%d on the host)", mg->levels - host);
  snprintf(mg->description, sizeof mg->description,
           "%s(%d,%d) cycles, %s%s smoothing, %s transfer, %d grids%s from %d x %d to %d x %d%s%s", cycle[o->cycle],
           o->pre, mg->halves ? 1 : o->post, mg->halves ? "red-black (1,1), then " : "", smoother[o->smoother],
           transfer[o->transfer], mg->levels, place, first->n[0], first->n[1], last[0], last[1],
           first->uniform ? ", constant coefficients" : "", mg->singular ? ", singular" : "");
}

clStatus txMultigridCreate(clMultigrid **out, clContext *context, const txRows *rows, int nx, int ny,
                           const clMultigridOptions *options) {
  static const char call[] = "clMultigridCreate";
  clMultigridOptions o = options ? *options : (clMultigridOptions){0};
  clStatus status = setDefaults(&o, context, call);
  if (status)
    return status;
  clMultigrid *mg = calloc(1, sizeof *mg);
  if (!mg)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for multigrid");
  mg->context = context;
  mg->options = o;
  mg->halves = o.smoother == TEXLA_SMOOTHER_HALVES && o.transfer == TEXLA_TRANSFER_STENCIL;
  if (o.smoother == TEXLA_SMOOTHER_HALVES) /* but for the finest grid */
    mg->options.smoother = TEXLA_SMOOTHER_CHEBYSHEV;
  status = txMultigridSetUp(mg, rows, nx, ny, call);
  if (status) {
    clMultigridDestroy(mg);
    return status;
  }
  describe(mg);
  *out = mg;
  return TEXLA_OK;
}

void clMultigridDestroy(clMultigrid *mg) {
  if (!mg)
    return;
  for (int l = 0; l < TX_LEVELS; l++) {
    txLevel *level = &mg->level[l];
    txGridDestroy(level->grid);
    txHostGridDestroy(level->host);
    clVectorDestroy(level->x);
    clVectorDestroy(level->b);
    clVectorDestroy(level->r);
    clMatrixDestroy(level->P);
    clVectorDestroy(level->fine);
    clVectorDestroy(level->coarse);
  }
  txTextureDestroy(mg->inverse);
  free(mg);
}

int clMultigridLevels(const clMultigrid *mg) {
  return mg ? mg->levels : 0;
}

const char *clMultigridDescription(const clMultigrid *mg) {
  return mg ? mg->description : "";
}

/* The sweeps before a coarse correction. From zero the first two are one pass. */
static clStatus smoothBefore(const txLevel *level, clVector *x, const clVector *b, bool zero) {
  int k = 0;
  clStatus status = TEXLA_OK;
  if (zero && level->pre >= 2) {
    status = txGridSweep(cycle_call, x, level->grid, b, &level->before[1], &level->before[0]);
    k = 2;
  } else if (zero) {
    status = clVectorClear(x);
  }
  for (; k < level->pre && !status; k++)
    status = txGridSweep(cycle_call, x, level->grid, b, &level->before[k], NULL);
  return status;
}

static clStatus smoothAfter(const txLevel *level, clVector *x, const clVector *b, bool reversed) {
  clStatus status = TEXLA_OK;
  for (int k = 0; k < level->post && !status; k++)
    status = txGridSweep(cycle_call, x, level->grid, b, &level->after[reversed ? level->post - 1 - k : k], NULL);
  return status;
}

typedef struct cycle {
  clMultigrid *mg;
  bool symmetric;
} cycle;

static clStatus runCycle(const cycle *c, int l, clVector *x, const clVector *b, bool zero, clCycle kind);

/* What comes from the next level, whose b is there. */
static clStatus solveCoarse(const cycle *c, int l, clCycle kind) {
  const txLevel *coarse = &c->mg->level[l + 1];
  clStatus status = runCycle(c, l + 1, coarse->x, coarse->b, true, kind);
  if (status || l + 1 == c->mg->levels - 1 || kind == TEXLA_CYCLE_V)
    return status;
  /* an F cycle's second visit is a V cycle */
  return runCycle(c, l + 1, coarse->x, coarse->b, false, kind == TEXLA_CYCLE_W ? TEXLA_CYCLE_W : TEXLA_CYCLE_V);
}

/* x += P (coarse solution of P^T (b - A x)) */
static clStatus correct(const cycle *c, int l, clVector *x, const clVector *b, clCycle kind) {
  clStatus status = txMultigridResidual(c->mg, l, x, b);
  if (!status)
    status = solveCoarse(c, l, kind);
  return status ? status : txMultigridProlong(c->mg, l, x, false);
}

/* x <- factor M b on the finest grid, or x + factor M b */
static clStatus runHalves(const cycle *c, clVector *x, const clVector *b, clCycle kind, float factor, bool add) {
  const txLevel *fine = &c->mg->level[0], *coarse = fine + 1;
  txTexture *black = NULL;
  clStatus status = txColoursBefore(cycle_call, &black, fine->grid, coarse->b, b);
  if (!status)
    status = solveCoarse(c, 0, kind);
  if (!status)
    status = txColoursAfter(cycle_call, x, fine->grid, &black, coarse->x, b, factor, add);
  txTextureDestroy(black);
  return status;
}

static clStatus cycleInHalves(const cycle *c, clVector *x, const clVector *b, bool zero, clCycle kind) {
  const txLevel *fine = &c->mg->level[0];
  if (zero)
    return runHalves(c, x, b, kind, 1, false);
  clStatus status = txGridResidual(cycle_call, fine->r, fine->grid, x, b);
  return status ? status : runHalves(c, x, fine->r, kind, 1, true);
}

/* `zero`: x counts as zero, whatever it holds. */
static clStatus runCycle(const cycle *c, int l, clVector *x, const clVector *b, bool zero, clCycle kind) {
  const txLevel *level = &c->mg->level[l];
  if (level->host)
    return txHostCycle(c->mg, l, x, b, zero, kind, c->symmetric);
  if (l == c->mg->levels - 1)
    return txGridDense(cycle_call, x, c->mg->inverse, b);
  if (l == 0 && c->mg->halves)
    return cycleInHalves(c, x, b, zero, kind);
  clStatus status = smoothBefore(level, x, b, zero);
  if (!status)
    status = correct(c, l, x, b, kind);
  return status ? status : smoothAfter(level, x, b, c->symmetric);
}

clStatus txMultigridCheck(const clMultigrid *mg, const char *call, const clVector *x, const char *x_name,
                          const clVector *b, const char *b_name) {
  clError *error = txContextError(mg ? mg->context : clVectorContext(x));
  char text[64];
  if (!mg || !x || !b || x == b)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "multigrid, %s and %s must not be NULL, and two vectors", x_name,
                  b_name);
  clStatus status = txContextSame(mg->context, x->context, call);
  if (!status && !txLayoutEqual(&x->layout, &mg->level[0].grid->layout))
    status =
        txFail(error, TEXLA_BAD_SHAPE, call, "%s is %s, but the matrix has grid %d x %d (clVectorCreateGrid)", x_name,
               txLayoutText(&x->layout, text, sizeof text), mg->level[0].grid->n[0], mg->level[0].grid->n[1]);
  return status ? status : txVectorsAgree(call, x_name, x, b_name, b);
}

clStatus clMultigridCycle(clMultigrid *mg, clVector *x, const clVector *b) {
  clStatus status = txMultigridCheck(mg, cycle_call, x, "x", b, "b");
  return status ? status : runCycle(&(cycle){mg, false}, 0, x, b, false, mg->options.cycle);
}

clStatus clMultigridApply(clMultigrid *mg, clVector *z, const clVector *r) {
  clStatus status = txMultigridCheck(mg, "clMultigridApply", z, "z", r, "r");
  return status ? status : runCycle(&(cycle){mg, true}, 0, z, r, true, mg->options.cycle);
}

static clStatus start(const cycle *c, int l, clVector *x, const clVector *b) {
  const txLevel *coarse = &c->mg->level[l + 1];
  if (c->mg->level[l].host)
    return txHostStart(c->mg, l, x, b);
  if (l == c->mg->levels - 1)
    return txGridDense(cycle_call, x, c->mg->inverse, b);
  clStatus status = txMultigridRestrict(c->mg, l, b);
  if (!status)
    status = start(c, l + 1, coarse->x, coarse->b);
  if (!status)
    status = txMultigridProlong(c->mg, l, x, true);
  return status ? status : runCycle(c, l, x, b, false, c->mg->options.cycle);
}

clStatus clMultigridStart(clMultigrid *mg, clVector *x, const clVector *b) {
  clStatus status = txMultigridCheck(mg, "clMultigridStart", x, "x", b, "b");
  return status ? status : start(&(cycle){mg, false}, 0, x, b);
}

static clStatus applyMultigrid(void *data, clVector *z, const clVector *r) {
  return clMultigridApply(data, z, r);
}

static clStatus correctWithHalves(void *data, clVector *x, float damping, const clVector *r) {
  clMultigrid *mg = data;
  return runHalves(&(cycle){mg, false}, x, r, mg->options.cycle, damping, true);
}

static void destroyMultigrid(void *data) {
  clMultigridDestroy(data);
}

txPreconditioner txMultigridPreconditioner(clMultigrid *mg) {
  return (txPreconditioner){applyMultigrid, destroyMultigrid, mg, true, mg->halves ? correctWithHalves : NULL};
}
