/* Geometric multigrid (K12): a list of levels, each with its table of operations
 * (multigrid/cycle.h). */
#include "multigrid/multigrid.h"
#include "core/allocate.h"
#include "core/try.h"

#include <stdio.h>
#include <stdlib.h>

/* Refuses options that make no sense, and fills in what is zero. */
static clStatus multigridSetDefaults(clMultigridOptions *o, clContext *context, const char *call) {
  if (o->pre > TX_SWEEPS || o->post > TX_SWEEPS || o->coarsest < 0 || o->coarsest > 1024 ||
      o->host_points < 0 || !(o->damping >= 0) || o->cycle > TEXLA_CYCLE_F ||
      o->smoother > TEXLA_SMOOTHER_HALVES || o->transfer > TEXLA_TRANSFER_FILTER ||
      o->lines > TEXLA_LINES_ALWAYS || o->setup > TEXLA_SETUP_DEVICE)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "at most %d sweeps, a coarsest grid of at most 1024 points, a damping and host "
                  "points that are not "
                  "negative are needed, and a known cycle, smoother and transfer",
                  TX_SWEEPS);
  if (o->damping == 0)
    o->damping = 0.8f;
  if (o->coarsest == 0)
    o->coarsest = 256;
  return TEXLA_OK;
}

/* One line of text for clMultigridDescription. */
static void multigridDescribe(clMultigrid *mg) {
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
  const char *finest = mg->halves ? "red-black (1,1), then " : "";
  const char *lines = mg->lined ? " of lines along x and y" : "";
  const char *constant = first->uniform ? ", constant coefficients" : "";
  const char *singular = mg->singular ? ", singular" : "";
  int post = mg->halves ? 1 : o->post;
  snprintf(
      mg->description, sizeof mg->description,
      "%s(%d,%d) cycles, %s%s smoothing%s, %s transfer, %d grids%s from %d x %d to %d x %d%s%s",
      cycle[o->cycle], o->pre, post, finest, smoother[o->smoother], lines, transfer[o->transfer],
      mg->levels, place, first->n[0], first->n[1], last[0], last[1], constant, singular);
}

static const txLevelOps *operationsOf(const clMultigrid *mg, int l) {
  if (mg->level[l].host)
    return txHostOperations();
  if (l == 0 && mg->halves)
    return &txColoursLevel;
  return &txDeviceLevel[mg->options.transfer];
}

/* Which kind of level each is. */
static void addOperations(clMultigrid *mg) {
  mg->cycle.levels = mg->levels;
  mg->cycle.kind = mg->options.cycle;
  mg->cycle.context = mg->context;
  for (int l = 0; l < mg->levels; l++)
    mg->cycle.level[l] = (txCycleLevel){operationsOf(mg, l), &mg->level[l]};
}

static clStatus multigridCreate(clMultigrid **out, clContext *context,
                                const clMultigridOptions *options, const char *call) {
  clMultigridOptions o = {0};
  if (options)
    o = *options;
  TRY(multigridSetDefaults(&o, context, call));
  clMultigrid *mg = txAllocate(txContextError(context), call, 1, sizeof *mg, "multigrid");
  if (!mg)
    return TEXLA_OUT_OF_MEMORY;
  mg->context = context;
  mg->options = o;
  mg->halves = o.smoother == TEXLA_SMOOTHER_HALVES && o.transfer == TEXLA_TRANSFER_STENCIL;
  /* Only the finest grid has its colours apart. */
  if (o.smoother == TEXLA_SMOOTHER_HALVES)
    mg->options.smoother = TEXLA_SMOOTHER_CHEBYSHEV;
  *out = mg;
  return TEXLA_OK;
}

clStatus txMultigridCreateOf(clMultigrid **out, clContext *context, txStencil *s,
                             const clMultigridOptions *options) {
  static const char call[] = "clMultigridCreate";
  clMultigrid *mg = NULL;
  clStatus status = multigridCreate(&mg, context, options, call);
  if (status) {
    txStencilDestroy(s);
    return status;
  }
  TRY_CLEANUP(txMultigridSetUp(mg, s, call));
  addOperations(mg);
  multigridDescribe(mg);
  *out = mg;
  mg = NULL;
cleanup:
  clMultigridDestroy(mg);
  return status;
}

clStatus txMultigridCreate(clMultigrid **out, clContext *context, const txRows *rows, int nx,
                           int ny, const clMultigridOptions *options) {
  txStencil *s = NULL;
  TRY(txStencilCreate(&s, rows, nx, ny, false, "clMultigridCreate", txContextError(context)));
  return txMultigridCreateOf(out, context, s, options);
}

clStatus clMultigridCreate(clMultigrid **out, clContext *context, const clTriplets *A, int nx,
                           int ny, const clMultigridOptions *options) {
  static const char call[] = "clMultigridCreate";
  if (!out || !context || !A)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "out, context and A must not be NULL");
  txRows rows;
  TRY(txRowsFind(&rows, A, call, txContextError(context)));
  clStatus status = txMultigridCreate(out, context, &rows, nx, ny, options);
  txRowsForget(&rows);
  return status;
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
    txColoursBegin(&level->colours, NULL);
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
  TRY(txContextSame(mg->context, x->context, call));
  if (!txLayoutEqual(&x->layout, &mg->level[0].grid->layout))
    return txFail(error, TEXLA_BAD_SHAPE, call,
                  "%s is %s, but the matrix has grid %d x %d (clVectorCreateGrid)", x_name,
                  txLayoutText(&x->layout, text, sizeof text), mg->level[0].grid->n[0],
                  mg->level[0].grid->n[1]);
  return txVectorsAgree(call, x_name, x, b_name, b);
}

/* The finest level gets its operands. */
static txCycle *with(clMultigrid *mg, clVector *x, const clVector *b) {
  txLevel *finest = &mg->level[0];
  finest->x = x;
  finest->b = b;
  finest->iterating = false;
  return &mg->cycle;
}

clStatus clMultigridCycle(clMultigrid *mg, clVector *x, const clVector *b) {
  TRY(txMultigridCheck(mg, "clMultigridCycle", x, "x", b, "b"));
  return txCycleRun(with(mg, x, b), false, false);
}

clStatus clMultigridApply(clMultigrid *mg, clVector *z, const clVector *r) {
  TRY(txMultigridCheck(mg, "clMultigridApply", z, "z", r, "r"));
  return txCycleRun(with(mg, z, r), true, true);
}

clStatus clMultigridStart(clMultigrid *mg, clVector *x, const clVector *b) {
  TRY(txMultigridCheck(mg, "clMultigridStart", x, "x", b, "b"));
  return txCycleStart(with(mg, x, b));
}

static clStatus applyMultigrid(void *data, clVector *z, const clVector *r) {
  return clMultigridApply(data, z, r);
}

/* An iteration with the colours apart. */
static void beginIteration(void *data, const clVector *r) {
  clMultigrid *mg = data;
  mg->level[0].iterating = true;
  txColoursBegin(&mg->level[0].colours, r);
}

static clStatus stepIteration(void *data) {
  return txCycleRun(&((clMultigrid *)data)->cycle, true, false);
}

static clStatus findLeft(void *data, const clVector **left, const clVector **found) {
  txLevel *finest = ((clMultigrid *)data)->level;
  *left = &finest->colours.left;
  *found = &finest->colours.sum;
  return txColoursResidual("clMultigridCycle", &finest->colours, finest->grid);
}

static double multigridDiagonalOf(void *data) {
  return (double)((clMultigrid *)data)->level[0].grid->interior[TX_CENTRE];
}

static clStatus finishIteration(void *data, clVector *x, bool add) {
  txLevel *finest = ((clMultigrid *)data)->level;
  if (!finest->colours.sum.texture)
    return TEXLA_OK;
  return txColoursFinish("clMultigridCycle", &finest->colours, finest->grid, x, add);
}

/* The sums of squares of two rows, and of products of neighbours along and across them, where there
 * are such. */
static void multigridAddRows(double sum[2], const float *row, int width) {
  const float *next = row + width;
  for (int i = 0; i + 1 < width; i++) {
    double here = (double)row[i];
    sum[0] += here * here;
    sum[1] += 0.5 * here * ((double)row[i + 1] + (double)next[i]);
  }
}

/* Does an element of b say much about its neighbours? Correlations in three bands of two rows. */
static clStatus findSmooth(bool *smooth, const clVector *b, const char *call) {
  enum { BANDS = 3 };
  int width = b->layout.width, height = b->layout.height;
  float *rows = txAllocate(txContextError(b->context), call, (size_t)width * 8, sizeof *rows,
                           "rows of the right-hand side");
  double sum[2] = {0};
  clStatus status = TEXLA_OK;
  if (!rows)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 1; k <= BANDS && height > BANDS; k++) {
    TRY_CLEANUP(txTextureRead(b->texture, call,
                              (txRect){0, k * (height - 1) / (BANDS + 1), width, 2}, rows));
    multigridAddRows(sum, rows, 4 * width);
  }
  *smooth = sum[1] > 0.5 * sum[0];
cleanup:
  free(rows);
  return status;
}

/* Full multigrid takes the time of two cycles, nearly, and leaves of the residual of a smooth b
 * what two cycles leave, but less of the error; for noise it is no better than one. */
static clStatus beginFull(void *data, clVector *x, const clVector *b, bool *begun) {
  clMultigrid *mg = data;
  *begun = false;
  if (mg->levels > 1)
    TRY(findSmooth(begun, b, "clMultigridStart"));
  if (!*begun)
    return TEXLA_OK;
  return clMultigridStart(mg, x, b);
}

static void destroyMultigrid(void *data) {
  clMultigridDestroy(data);
}

txPreconditioner txMultigridPreconditioner(clMultigrid *mg) {
  static const txIteration colours = {beginIteration, stepIteration, findLeft, multigridDiagonalOf,
                                      finishIteration};
  return (txPreconditioner){.apply = applyMultigrid,
                            .destroy = destroyMultigrid,
                            .data = mg,
                            .cycle = true,
                            .iteration = mg->halves ? &colours : NULL,
                            .begin = beginFull};
}
