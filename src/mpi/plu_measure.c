/* What the parts of a factorization take on these ranks: measured by all of them at the same time,
 * since they may share processors, a device and the way between them. */
#include "core/try.h"
#include "gl/observe.h"
#include "gl/tuning.h"
#include "mpi/plu.h"
#include "mpi/plu_model.h"
#include "platform/platform.h"

#include <math.h>
#include <stdlib.h>

static const char call[] = "clBlockPlu";
/* Each part is run so often, after a first time that may compile programs; the shortest counts. */
enum { RUNS = 5 };

/* A part of the work. `run` does it once, and waits for the device. */
typedef struct part {
  clStatus (*run)(void *user);
  void *user;
} part;

static clStatus shortest(double *seconds, const part *p) {
  *seconds = INFINITY;
  TRY(p->run(p->user));
  for (int k = 0; k < RUNS; k++) {
    double began = txNow();
    TRY(p->run(p->user));
    *seconds = fmin(*seconds, txNow() - began);
  }
  return TEXLA_OK;
}

/* ---- The device ------------------------------------------------------------------------------ */

/* C -= A B with `inner` columns of A, all of them zeros, in texels of 2 x 2 entries; and `values`,
 * which are as many as C's. */
typedef struct device {
  clContext *context;
  txTexture *a, *b, *c;
  int side, inner;
  float *values;
} device;

static clStatus createOperand(txTexture **out, clContext *context, int width, int height) {
  TRY(txTextureCreate(out, context, call, TX_RGBA32F, width, height));
  return txTextureClear(*out, call);
}

static clStatus runUpdate(void *user) {
  device *d = user;
  int texels = d->side / 2;
  txProduct p = {.target = d->c,
                 .rect = {0, 0, texels, texels},
                 .rows = d->side,
                 .cols = d->side,
                 .alpha = -1,
                 .beta = 1,
                 .a = {d->a, 0, 0, TEXLA_NO_TRANSPOSE},
                 .b = {d->b, 0, 0, TEXLA_NO_TRANSPOSE},
                 .inner = d->inner / 2,
                 .c = {d->c, 0, 0, TEXLA_NO_TRANSPOSE}};
  TRY(txProductRun(d->context, call, &p, NULL));
  return clContextSynchronize(d->context);
}

/* Small ones, which together are waited for once. */
enum { SMALL = 16, MANY = 32 };
static clStatus runPasses(void *user) {
  device *d = user;
  for (int k = 0; k < MANY; k++)
    TRY(txTexelsCopy(call, d->c, (txRect){0, 0, SMALL, SMALL}, d->a, 0, 0));
  return clContextSynchronize(d->context);
}

static clStatus runSend(void *user) {
  device *d = user;
  TRY(txTextureWrite(d->c, call, (txRect){0, 0, d->side / 2, d->side / 2}, d->values));
  return clContextSynchronize(d->context);
}

static clStatus runFetch(void *user) {
  device *d = user;
  return txTextureRead(d->c, call, (txRect){0, 0, d->side / 2, d->side / 2}, d->values);
}

/* Seconds of an entry of an update with so many columns of L. */
static clStatus measureUpdate(double *seconds, device *d, int inner) {
  d->inner = inner;
  TRY(shortest(seconds, &(part){runUpdate, d}));
  *seconds /= (double)d->side * d->side;
  return TEXLA_OK;
}

/* Two updates tell what an entry takes by itself and what a multiplication takes. `inner`: of
 * the wider one; both are of the same class of products (dense/product.c), so that only one is
 * tuned. */
static clStatus measureDevice(txPluCosts *costs, device *d, int inner) {
  double narrow, wide, bytes = (double)d->side * d->side * (double)sizeof(float);
  TRY(createOperand(&d->c, d->context, d->side / 2, d->side / 2));
  TRY(createOperand(&d->a, d->context, inner / 2, d->side / 2));
  TRY(createOperand(&d->b, d->context, d->side / 2, inner / 2));
  TRY(measureUpdate(&narrow, d, inner / 2));
  TRY(measureUpdate(&wide, d, inner));
  /* Other work on the machine must not hide that the wider one multiplies twice as much: at least
   * half of its time are multiplications. */
  costs->multiply = fmin(fmax((wide - narrow) / (inner / 2), wide / 2 / inner), wide / inner);
  costs->entry = wide - inner * costs->multiply;
  TRY(shortest(&costs->pass, &(part){runPasses, d}));
  costs->pass /= MANY;
  TRY(shortest(&costs->send, &(part){runSend, d}));
  TRY(shortest(&costs->fetch, &(part){runFetch, d}));
  costs->send /= bytes;
  costs->fetch /= bytes;
  return TEXLA_OK;
}

/* ---- The host -------------------------------------------------------------------------------- */

/* A panel of a matrix that is no larger, on a rank of its own. */
typedef struct host {
  clBlockPlu plu;
  clBlockMatrix matrix;
} host;

static clStatus runPanel(void *user) {
  host *h = user;
  txStep s = txStepOf(&h->plu, 0);
  txPluPanel(&h->plu, &s, h->plu.arrived);
  return TEXLA_OK;
}

static clStatus measurePanel(double *seconds, host *h, int rows) {
  h->matrix.layout.n = h->matrix.layout.rows = rows;
  h->matrix.row_blocks = rows / h->matrix.layout.block;
  return shortest(seconds, &(part){runPanel, h});
}

/* What a panel of `rows` and one of half of them take tells what a column takes by itself and what
 * a multiplication takes. */
static clStatus measureHost(txPluCosts *costs, host *h, int rows) {
  double half, whole, b = h->matrix.layout.block, multiplications = rows * b * b / 2;
  for (int k = 0; k < rows * h->matrix.pitch; k++)
    h->plu.arrived[k] = (float)((uint32_t)k * 2654435761u) * 0x1p-31f - 1;
  TRY(measurePanel(&half, h, rows / 2));
  TRY(measurePanel(&whole, h, rows));
  costs->eliminate = fmax(0, whole - half) / (multiplications / 2);
  costs->column = fmax(0, whole - costs->eliminate * multiplications) / b;
  return TEXLA_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* A panel of so many rows, and the team that factors it. */
static clStatus createHost(host *h, clCluster *c, int rows, int block) {
  clError *error = txContextError(c->context);
  size_t texels = (size_t)rows * (size_t)block, top = (size_t)block * (size_t)block;
  h->matrix = (clBlockMatrix){.cluster = c,
                              .layout = {.block = block, .grid_rows = 1, .grid_cols = 1},
                              .pitch = block,
                              .blocks = 1,
                              .col_blocks = 1};
  h->plu = (clBlockPlu){.cluster = c, .A = &h->matrix};
  h->plu.pivots = txAllocate(error, call, (size_t)block, sizeof(int), "a measurement");
  h->plu.panel = txAllocate(error, call, 3 * texels + top, sizeof(float), "a measurement");
  h->plu.team = txTeamCreate(txPluThreads(c));
  if (!h->plu.pivots || !h->plu.panel || !h->plu.team)
    return txFail(error, TEXLA_OUT_OF_MEMORY, call, "no memory for a measurement");
  h->plu.arrived = h->plu.panel + texels;
  h->plu.l21 = h->plu.arrived + texels;
  h->plu.top = h->plu.l21 + texels;
  return TEXLA_OK;
}

/* What a rank measures without the others. Software is given less to do. */
static clStatus measureAlone(txPluCosts *costs, clCluster *c, device *d, host *h) {
  int rows = 4096, block = 128, inner = 512;
  costs->software = clContextInspect(c->context)->software;
  *d = (device){.context = c->context, .side = 2048};
  if (costs->software > 0) {
    d->side = 512;
    rows = 2048;
    block = 64;
    inner = 128;
  }
  d->values = txAllocate(txContextError(c->context), call, (size_t)d->side * (size_t)d->side,
                         sizeof *d->values, "a measurement");
  if (!d->values)
    return TEXLA_OUT_OF_MEMORY;
  TRY(createHost(h, c, rows, block));
  TRY(measureDevice(costs, d, inner));
  return measureHost(costs, h, rows);
}

/* A sum as long as two rows of a panel, and a long message. Collective. */
static void measureMessages(txPluCosts *costs, clCluster *c, float *data, size_t bytes) {
  enum { ROWS = 256, TIMES = 20 };
  double depth = ceil(log2(c->size)), began = 0;
  if (c->size == 1)
    return;
  for (int k = 0; k <= TIMES; k++) {
    if (k == 1)
      began = txNow();
    txAllreduce(c, data, ROWS, MPI_FLOAT, MPI_MAX, c->comm);
  }
  costs->meeting = (txNow() - began) / TIMES / depth;
  for (int k = 0; k <= RUNS; k++) {
    if (k == 1)
      began = txNow();
    txBcast(c, data, (int)bytes, MPI_BYTE, 0, c->comm);
  }
  costs->byte = (txNow() - began) / RUNS / ((double)bytes * depth);
}

static clStatus measure(txPluCosts *costs, clCluster *c) {
  device d = {0};
  host h = {0};
  /* What is tried out is no part of the work that somebody watches. */
  txObserver *observer = txContextObserver(c->context);
  txContextObserve(c->context, NULL);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clClusterAgree(c, measureAlone(costs, c, &d, &h), txContextError(c->context)));
  measureMessages(costs, c, d.values, (size_t)d.side * (size_t)d.side * sizeof *d.values);
cleanup:
  txContextObserve(c->context, observer);
  txTextureDestroy(d.a);
  txTextureDestroy(d.b);
  txTextureDestroy(d.c);
  free(d.values);
  free(h.plu.panel);
  free(h.plu.pivots);
  txTeamDestroy(h.plu.team);
  return status;
}

/* ---- The tuning table ------------------------------------------------------------------------ */

/* The table holds whole numbers: so many of these units, in the order of txPluCosts. */
typedef struct entry {
  const char *name;
  double unit;
} entry;
static const entry entries[] = {
    {"pass", 1e-9},   {"entry", 1e-15},     {"multiply", 1e-15}, {"fetch", 1e-15}, {"send", 1e-15},
    {"column", 1e-9}, {"eliminate", 1e-15}, {"meeting", 1e-9},   {"byte", 1e-15},  {"software", 1}};
enum { ENTRIES = sizeof entries / sizeof *entries };
_Static_assert(sizeof(txPluCosts) == ENTRIES * sizeof(double), "each cost has its entry");

/* Costs are those of so many ranks, in all and on a node, with so many processors each. */
static void nameKey(char key[64], const clCluster *c, int k) {
  snprintf(key, 64, "plu.%s.%d-%d-%d", entries[k].name, c->size, c->node_size, c->processors);
}

static bool recall(double *cost, const clCluster *c) {
  char key[64];
  for (int k = 0; k < ENTRIES; k++) {
    int value;
    nameKey(key, c, k);
    if (!txTuningKnown(c->context, key, &value) || value < 0)
      return false;
    cost[k] = value * entries[k].unit;
  }
  return true;
}

/* The costs become what the table holds of them, so that they are the same when they are
 * recalled. */
static clStatus remember(double *cost, const clCluster *c) {
  char key[64];
  for (int k = 0; k < ENTRIES; k++) {
    int value = (int)fmin(round(cost[k] / entries[k].unit), 2e9);
    nameKey(key, c, k);
    TRY(txTuningAdd(c->context, key, value));
    cost[k] = value * entries[k].unit;
  }
  txTuningSave(c->context);
  return TEXLA_OK;
}

/* What rank 0 knows counts for all of them; where it does not, all measure. */
clStatus txPluCostsFind(txPluCosts *out, clCluster *c) {
  txPluCosts costs = {0};
  double *cost = (double *)&costs;
  int known = c->rank == 0 && recall(cost, c);
  txBcast(c, &known, 1, MPI_INT, 0, c->comm);
  if (!known) {
    clStatus status = TEXLA_OK;
    TRY(measure(&costs, c));
    txMaximum(c, cost, ENTRIES, c->comm);
    if (c->rank == 0)
      status = remember(cost, c);
    TRY(clClusterAgree(c, status, txContextError(c->context)));
  }
  txBroadcast(c, cost, sizeof costs, 0, c->comm);
  *out = costs;
  return TEXLA_OK;
}
