/* Geometric multigrid (K12): a list of levels, each with its table of operations
 * (multigrid/cycle.h). */
#include "multigrid/multigrid.h"
#include "core/allocate.h"

#include <stdio.h>
#include <stdlib.h>

static clStatus setDefaults(clMultigridOptions *o, clContext *context, const char *call) {
  if (o->pre > TX_SWEEPS || o->post > TX_SWEEPS || o->coarsest < 0 || o->coarsest > 1024 ||
      o->host_points < 0 || !(o->damping >= 0) || o->cycle > TEXLA_CYCLE_F ||
      o->smoother > TEXLA_SMOOTHER_HALVES || o->transfer > TEXLA_TRANSFER_FILTER ||
      o->lines > TEXLA_LINES_ALWAYS || o->setup > TEXLA_SETUP_DEVICE)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "at most %d sweeps, a coarsest grid of at most 1024 points, a damping and host "
                  "points that are not "
                  "negative are needed, and a known cycle, smoother and transfer",
                  TX_SWEEPS);
  o->damping = o->damping > 0 ? o->damping : 0.8f;
  o->coarsest = o->coarsest ? o->coarsest : 256;
  return TEXLA_OK;
}

static void describe(clMultigrid *mg) {
  static const char *const cycle[] = {"V", "W", "F"}, *const smoother[] = {"Chebyshev", "Jacobi",
                                                                           "red-black"};
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
  snprintf(
      mg->description, sizeof mg->description,
      "%s(%d,%d) cycles, %s%s smoothing%s, %s transfer, %d grids%s from %d x %d to %d x %d%s%s",
      cycle[o->cycle], o->pre, mg->halves ? 1 : o->post, mg->halves ? "red-black (1,1), then " : "",
      smoother[o->smoother], mg->lined ? " of lines along x and y" : "", transfer[o->transfer],
      mg->levels, place, first->n[0], first->n[1], last[0], last[1],
      first->uniform ? ", constant coefficients" : "", mg->singular ? ", singular" : "");
}

/* Which kind of level each is. */
static void addOperations(clMultigrid *mg) {
  mg->cycle.levels = mg->levels;
  mg->cycle.kind = mg->options.cycle;
  mg->cycle.context = mg->context;
  for (int l = 0; l < mg->levels; l++) {
    bool colours = l == 0 && mg->halves;
    const txLevelOps *ops = colours ? &txColoursLevel : &txDeviceLevel[mg->options.transfer];
    mg->cycle.level[l] = (txCycleLevel){mg->level[l].host ? &txHostLevel : ops, &mg->level[l]};
  }
}

clStatus txMultigridCreate(clMultigrid **out, clContext *context, const txRows *rows, int nx,
                           int ny, const clMultigridOptions *options) {
  static const char call[] = "clMultigridCreate";
  clMultigridOptions o = options ? *options : (clMultigridOptions){0};
  clStatus status = setDefaults(&o, context, call);
  if (status)
    return status;
  clMultigrid *mg = txAllocate(txContextError(context), call, 1, sizeof *mg, "multigrid");
  if (!mg)
    return TEXLA_OUT_OF_MEMORY;
  mg->context = context;
  mg->options = o;
  mg->halves = o.smoother == TEXLA_SMOOTHER_HALVES && o.transfer == TEXLA_TRANSFER_STENCIL;
  /* but for the finest grid */
  if (o.smoother == TEXLA_SMOOTHER_HALVES)
    mg->options.smoother = TEXLA_SMOOTHER_CHEBYSHEV;
  status = txMultigridSetUp(mg, rows, nx, ny, call);
  if (status) {
    clMultigridDestroy(mg);
    return status;
  }
  addOperations(mg);
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
    if (l > 0)
      clVectorDestroy(level->x);
    clVectorDestroy(level->rhs);
    clVectorDestroy(level->r);
    txTextureDestroy(level->inverse);
    clTridiagonalDestroy(level->lines[0]);
    clTridiagonalDestroy(level->lines[1]);
    txTextureDestroy(level->colours.black);
    clMatrixDestroy(level->P);
    clVectorDestroy(level->fine);
    clVectorDestroy(level->coarse);
  }
  free(mg);
}

int clMultigridLevels(const clMultigrid *mg) {
  return mg ? mg->levels : 0;
}

const char *clMultigridDescription(const clMultigrid *mg) {
  return mg ? mg->description : "";
}

clStatus txMultigridCheck(const clMultigrid *mg, const char *call, const clVector *x,
                          const char *x_name, const clVector *b, const char *b_name) {
  clError *error = txContextError(mg ? mg->context : clVectorContext(x));
  char text[64];
  if (!mg || !x || !b || x == b)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "multigrid, %s and %s must not be NULL, and two vectors", x_name, b_name);
  clStatus status = txContextSame(mg->context, x->context, call);
  if (!status && !txLayoutEqual(&x->layout, &mg->level[0].grid->layout))
    status = txFail(error, TEXLA_BAD_SHAPE, call,
                    "%s is %s, but the matrix has grid %d x %d (clVectorCreateGrid)", x_name,
                    txLayoutText(&x->layout, text, sizeof text), mg->level[0].grid->n[0],
                    mg->level[0].grid->n[1]);
  return status ? status : txVectorsAgree(call, x_name, x, b_name, b);
}

/* The finest level gets its operands. */
static txCycle *with(clMultigrid *mg, clVector *x, const clVector *b) {
  txLevel *finest = &mg->level[0];
  finest->x = x;
  finest->b = b;
  finest->colours.factor = 1;
  finest->colours.add = false;
  return &mg->cycle;
}

clStatus clMultigridCycle(clMultigrid *mg, clVector *x, const clVector *b) {
  clStatus status = txMultigridCheck(mg, "clMultigridCycle", x, "x", b, "b");
  return status ? status : txCycleRun(with(mg, x, b), false, false);
}

clStatus clMultigridApply(clMultigrid *mg, clVector *z, const clVector *r) {
  clStatus status = txMultigridCheck(mg, "clMultigridApply", z, "z", r, "r");
  return status ? status : txCycleRun(with(mg, z, r), true, true);
}

clStatus clMultigridStart(clMultigrid *mg, clVector *x, const clVector *b) {
  clStatus status = txMultigridCheck(mg, "clMultigridStart", x, "x", b, "b");
  return status ? status : txCycleStart(with(mg, x, b));
}

static clStatus applyMultigrid(void *data, clVector *z, const clVector *r) {
  return clMultigridApply(data, z, r);
}

/* x <- x + damping M r by colours apart; without `add` x counts as zero */
static clStatus correctWithColours(void *data, clVector *x, bool add, float damping,
                                   const clVector *r) {
  clMultigrid *mg = data;
  txCycle *cycle = with(mg, x, r);
  mg->level[0].colours.factor = damping;
  mg->level[0].colours.add = add;
  return txCycleRun(cycle, true, false);
}

static void destroyMultigrid(void *data) {
  clMultigridDestroy(data);
}

txPreconditioner txMultigridPreconditioner(clMultigrid *mg) {
  return (txPreconditioner){.apply = applyMultigrid,
                            .destroy = destroyMultigrid,
                            .data = mg,
                            .cycle = true,
                            .correct = mg->halves ? correctWithColours : NULL};
}
