/* The iteration frame: submit iterations, read their history a fixed lag behind, decide. */
#include "solvers/block.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *clReasonText(clReason reason) {
  switch (reason) {
#define TEXLA_REASON_CASE(name, text)                                                                                  \
  case name:                                                                                                           \
    return text;
    TEXLA_REASON_LIST(TEXLA_REASON_CASE)
#undef TEXLA_REASON_CASE
  }
  return "unknown";
}

const char *clMethodName(clMethod method) {
  switch (method) {
#define TEXLA_METHOD_CASE(name, text)                                                                                  \
  case name:                                                                                                           \
    return text;
    TEXLA_METHOD_LIST(TEXLA_METHOD_CASE)
#undef TEXLA_METHOD_CASE
  }
  return "unknown";
}

const char *clPreconditionerName(clPreconditioner preconditioner) {
  switch (preconditioner) {
#define TEXLA_PRECONDITIONER_CASE(name, text)                                                                          \
  case name:                                                                                                           \
    return text;
    TEXLA_PRECONDITIONER_LIST(TEXLA_PRECONDITIONER_CASE)
#undef TEXLA_PRECONDITIONER_CASE
  }
  return "unknown";
}

static clStatus setDefaults(clSolver *s) {
  clSolverOptions *o = &s->options;
  clError *error = txContextError(s->context);
  if (o->tolerance < 0 || o->absolute < 0 || o->max_iterations < 0 || !(o->tolerance < 1) || !(o->absolute >= 0))
    return txFail(error, TEXLA_BAD_ARGUMENT, "clSolverCreate",
                  "tolerance (%g) must be in [0, 1), absolute (%g) and max_iterations (%lld) not negative",
                  o->tolerance, o->absolute, (long long)o->max_iterations);
  if (!(o->damping >= 0))
    return txFail(error, TEXLA_BAD_ARGUMENT, "clSolverCreate", "damping (%g) must be positive", (double)o->damping);
  if (o->restart < 0 || o->restart > 1000 || o->degree < 0 || o->degree > 100)
    return txFail(error, TEXLA_BAD_ARGUMENT, "clSolverCreate",
                  "restart (%d) must be at most 1000, degree (%d) at most 100", o->restart, o->degree);
  if (o->columns < 0 || o->columns > TX_COLUMNS)
    return txFail(error, TEXLA_BAD_ARGUMENT, "clSolverCreate", "columns (%d) must be at most %d", o->columns,
                  TX_COLUMNS);
  if (o->columns > 1 && s->method != &txCgMerged)
    return txFail(error, TEXLA_UNSUPPORTED, "clSolverCreate",
                  "several right-hand sides at once (columns = %d) are for cg without a preconditioner or with jacobi",
                  o->columns);
  s->columns = o->columns ? o->columns : 1;
  if (o->tolerance == 0)
    o->tolerance = 1e-6;
  if (o->restart == 0)
    o->restart = 30;
  if (o->damping == 0)
    o->damping = 1;
  if (o->divergence == 0)
    o->divergence = 1e5;
  if (o->max_iterations == 0)
    o->max_iterations = 10 * (int64_t)clMatrixRows(s->A);
  return TEXLA_OK;
}

/* The methods that are nothing but their preconditioner have no other. */
static clStatus chooseMethod(clSolver *s, clPreconditioner *kind) {
  *kind = s->options.preconditioner;
  s->method = &txStationary;
  switch (s->options.method) {
  case TEXLA_METHOD_CG:
    s->method = *kind > TEXLA_PRECONDITIONER_JACOBI ? &txCgPreconditioned : &txCgMerged;
    return TEXLA_OK;
  case TEXLA_METHOD_BICGSTAB:
    s->method = &txBicgstab;
    return TEXLA_OK;
  case TEXLA_METHOD_GMRES:
    s->method = &txGmres;
    return TEXLA_OK;
  case TEXLA_METHOD_JACOBI:
    *kind = TEXLA_PRECONDITIONER_JACOBI;
    return TEXLA_OK;
  case TEXLA_METHOD_MG:
    *kind = TEXLA_PRECONDITIONER_MG;
    return TEXLA_OK;
  case TEXLA_METHOD_AMG:
    *kind = TEXLA_PRECONDITIONER_AMG;
    return TEXLA_OK;
  default:
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, "clSolverCreate",
                  "method %d is unknown, or (auto) for clSystemSolve only", (int)s->options.method);
  }
}

static clStatus allocate(clSolver *s, clPreconditioner kind, const txRows *rows) {
  static const char call[] = "clSolverCreate";
  clFloat **scalar[] = {&s->bb, &s->rr0, &s->ww};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < s->method->vectors && !status; i++)
    status = clMatrixCreateVector(&s->vector[i], s->A, TEXLA_SIDE_ROWS);
  if (!status)
    status = txPreconditionerCreate(&s->preconditioner, &s->inverse, s->A, kind, &s->options, rows);
  if (!status)
    status =
        txTextureCreate(&s->history, s->context, call, TX_RGBA32F, TX_HISTORY, s->columns > 1 ? TX_MAX_TARGETS : 2);
  for (int i = 0; i < 3 && !status; i++)
    status = clFloatCreate(scalar[i], s->context);
  if (!status && s->columns > 1)
    status = txBlockCreate(s);
  return status || !s->method->create ? status : s->method->create(s);
}

clStatus txSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options, const txRows *rows) {
  static const char call[] = "clSolverCreate";
  clContext *context = clMatrixContext(A);
  if (!out || !A)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call, "out and A must not be NULL");
  if (clMatrixRows(A) != clMatrixCols(A))
    return txFail(txContextError(context), TEXLA_BAD_SHAPE, call, "A is %d x %d, not square", clMatrixRows(A),
                  clMatrixCols(A));
  clSolver *s = calloc(1, sizeof *s);
  if (!s)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for a solver");
  s->context = context;
  s->A = A;
  if (options)
    s->options = *options;
  clPreconditioner kind;
  clStatus status = chooseMethod(s, &kind);
  if (!status)
    status = setDefaults(s);
  if (!status)
    status = allocate(s, kind, rows);
  s->options.host = NULL;
  s->options.near_kernel = NULL;
  if (status)
    clSolverDestroy(s);
  else
    *out = s;
  return status;
}

clStatus clSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options) {
  return txSolverCreate(out, A, options, NULL);
}

void clSolverDestroy(clSolver *s) {
  if (!s)
    return;
  if (s->method && s->method->destroy)
    s->method->destroy(s);
  for (int i = 0; i < TX_SOLVER_VECTORS; i++)
    clVectorDestroy(s->vector[i]);
  txPreconditionerDestroy(&s->preconditioner);
  clFloatDestroy(s->bb);
  clFloatDestroy(s->rr0);
  clFloatDestroy(s->ww);
  txTextureDestroy(s->history);
  txBlockDestroy(s->block);
  for (int j = 0; j < TX_COLUMNS; j++)
    free(s->column[j].residual);
  free(s);
}

const double *clSolverHistoryOf(const clSolver *s, int column, int64_t *count) {
  bool exists = s && column >= 0 && column < s->count;
  if (count)
    *count = exists ? s->column[column].residuals : 0;
  return exists ? s->column[column].residual : NULL;
}

const double *clSolverHistory(const clSolver *s, int64_t *count) {
  return clSolverHistoryOf(s, 0, count);
}

/* max is never reached by a square of a float */
float txSquareOf(double v) {
  return v * v < (double)FLT_MAX ? (float)(v * v) : FLT_MAX;
}

clStatus txSolverPrecondition(clSolver *s, clVector *z, clVector *r, clVector **out) {
  *out = s->preconditioner.apply ? z : r;
  return s->preconditioner.apply ? s->preconditioner.apply(s->preconditioner.data, z, r) : TEXLA_OK;
}

clStatus txSolverResidual(clSolver *s, clVector *r, const clVector *x, const clVector *b) {
  return clMatrixVectorOp(r, TEXLA_B_MINUS_AX, s->A, false, x, b);
}

clStatus txSolverFirst(clSolver *s, clVector *r, const clVector *x, const clVector *b) {
  clStatus status = s->from_zero ? clVectorCopy(r, b) : txSolverResidual(s, r, x, b);
  if (status)
    return status;
  return s->from_zero ? clFloatCopy(s->rr0, s->bb) : clVectorDot(s->rr0, r, r);
}

void txSolverScalars(clSolver *s, txPass *pass, const char *variant, int64_t k) {
  snprintf(s->defines, sizeof s->defines, "%s%s", variant, s->free_running ? "#define FREE\n" : "");
  int i = 0;
  while (pass->source[i].name)
    i++;
  pass->source[i] = (txSource){"history", s->history, TX_EDGE};
  pass->scalar[0] = s->bb->texture;
  pass->scalar[1] = s->rr0->texture;
  pass->scalar[2] = s->ww->texture;
  pass->vertex = "iteration";
  pass->defines = s->defines;
  txPassUniform(pass,
                (txUniform){"slot", 2, {(float)(k % TX_HISTORY), (float)((k + 1) % TX_HISTORY)}, .integer = true});
  double d = s->options.divergence;
  txPassUniform(pass, (txUniform){"limit",
                                  3,
                                  {txSquareOf(s->column[0].tolerance), txSquareOf(s->options.absolute),
                                   d < 0 ? FLT_MAX : txSquareOf(d)}});
}

clStatus txSolverPass(clSolver *s, const char *call, txPass *pass, const char *variant, int64_t k,
                      clVector *const *output, int count) {
  txSolverScalars(s, pass, variant, k);
  return txVectorsRun(call, pass, output, count);
}

clStatus txSolverReduce(clSolver *s, const char *call, const txReduction *reduction, int64_t k, int row) {
  txPass final = {.kernel = "reduce_vec4", .target = {s->history}, .rect = {(int)(k % TX_HISTORY), row, 1, 1}};
  return txReduce(call, reduction, &final);
}

/* What the operands of one right-hand side are called in messages. */
static const char *nameOf(char *text, size_t n, const char *name, int j, int count) {
  snprintf(text, n, count > 1 ? "%s[%d]" : "%s", name, j);
  return text;
}

static clStatus checkVectors(const clSolver *s, const char *call, int count, clVector *const *x,
                             const clVector *const *b) {
  char name[16];
  clStatus status = TEXLA_OK;
  for (int j = 0; j < count && !status; j++) {
    status = txVectorsAgree(call, nameOf(name, sizeof name, "x", j, count), x[j], "A's vectors", s->vector[0]);
    if (!status)
      status = txVectorsAgree(call, nameOf(name, sizeof name, "b", j, count), b[j], "A's vectors", s->vector[0]);
  }
  for (int i = 0; i < count && !status; i++)
    for (int j = 0; j < count && !status; j++)
      if (x[i] == b[j] || (i < j && x[i] == x[j]))
        status = txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                        count > 1 ? "no x may be another x or a b" : "x and b must be two vectors");
  return status;
}

static clStatus init(clSolver *s, const char *call, int count, clVector *const *x, const clVector *const *b,
                     const double *tolerance) {
  if (count < 1 || count > s->columns || !x || !b)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "count (%d) must be between 1 and the columns (%d) of the solver's options, x and b not NULL", count,
                  s->columns);
  clStatus status = checkVectors(s, call, count, x, b);
  if (status)
    return status;
  for (int j = 0; j < count; j++) {
    s->x[j] = x[j];
    s->b[j] = b[j];
    s->column[j].tolerance = tolerance ? tolerance[j] : s->options.tolerance;
    s->column[j].residuals = 0;
  }
  s->count = count;
  s->groups = count > 1 ? (count + TX_BUNDLE - 1) / TX_BUNDLE : 0;
  s->iteration = 0;
  s->residuals = 0;
  status = txTextureClear(s->history, call);
  if (!status)
    status = s->groups ? txBlockLoad(s) : clVectorDot(s->bb, b[0], b[0]);
  return status ? status : s->method->start(s, x[0], b[0]);
}

static clStatus submit(clSolver *s, int64_t count) {
  clStatus status = TEXLA_OK;
  for (int64_t i = 0; i < count && !status; i++, s->iteration++)
    status = s->method->step(s, s->x[0], s->b[0], s->iteration);
  return status;
}

/* The caller's x, where steps leave it elsewhere. */
static clStatus deliver(clSolver *s) {
  if (s->groups)
    return txBlockStore(s);
  return s->method->finish ? s->method->finish(s, s->x[0], s->iteration) : TEXLA_OK;
}

clStatus clSolverInitMany(clSolver *s, int count, clVector *const *x, const clVector *const *b) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  s->free_running = true;
  return init(s, "clSolverInitMany", count, x, b, NULL);
}

clStatus clSolverInit(clSolver *s, clVector *x, const clVector *b) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  s->free_running = true;
  return init(s, "clSolverInit", 1, &x, &b, NULL);
}

clStatus clSolverIterate(clSolver *s, int64_t count) {
  if (!s || !s->x[0] || count < 0)
    return txFail(s ? txContextError(s->context) : NULL, TEXLA_BAD_ARGUMENT, "clSolverIterate",
                  "clSolverInit comes first and count must not be negative");
  s->free_running = true;
  clStatus status = submit(s, count);
  return status ? status : deliver(s);
}

/* A stretch of iterations whose history is on its way to the host. */
typedef struct segment {
  txRead *read;
  int64_t first, count;
} segment;

/* Of one right-hand side. */
typedef struct standing {
  clReason reason;
  int64_t iterations;
  double bb, rr0, last; /* squares */
} standing;

typedef struct progress {
  standing column[TX_COLUMNS];
  int64_t begun; /* where the iteration started last */
  txRead *bb_read;
} progress;

static bool isOpen(const clSolver *s, const progress *p) {
  bool open = false;
  for (int j = 0; j < s->count; j++)
    open = open || !p->column[j].reason;
  return open;
}

static void endAll(const clSolver *s, progress *p, clReason reason) {
  for (int j = 0; j < s->count; j++)
    if (!p->column[j].reason)
      p->column[j].reason = reason;
}

/* What a residual says; TEXLA_REASON_NONE to go on. `slack` covers the last bit of the device's own test. */
static clReason judge(const clSolver *s, const standing *at, double tolerance, double rr) {
  const double slack = 1 + 1e-6;
  double limit = fmax((double)txSquareOf(tolerance) * at->bb, (double)txSquareOf(s->options.absolute));
  if (isnan(rr) || isinf(rr) || isnan(at->bb) || isinf(at->bb))
    return TEXLA_REASON_NAN;
  if (rr <= limit * slack)
    return TEXLA_REASON_CONVERGED;
  if (s->options.divergence > 0 && rr * slack > s->options.divergence * s->options.divergence * at->rr0)
    return TEXLA_REASON_DIVERGED;
  return TEXLA_REASON_NONE;
}

static clStatus record(clSolver *s, txColumn *column, int64_t k, double rr) {
  if (k >= column->capacity) {
    int64_t capacity = 2 * column->capacity + 1024;
    double *grown = realloc(column->residual, (size_t)capacity * sizeof *grown);
    if (!grown)
      return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, "clSolverSolve", "no memory for the history");
    column->residual = grown;
    column->capacity = capacity;
  }
  column->residual[k] = sqrt(rr);
  column->residuals = k + 1;
  return TEXLA_OK;
}

static int historyRows(const clSolver *s) {
  return s->groups ? s->block->sums * s->groups : 2;
}

static clStatus startRead(clSolver *s, segment *seg, int64_t first, int64_t count) {
  *seg = (segment){NULL, first, count};
  return txReadStart(&seg->read, s->history, "clSolverSolve",
                     (txRect){(int)(first % TX_HISTORY), 0, (int)count, historyRows(s)});
}

/* The ||b||^2 that iteration 0 needs, read together with the first segment. */
static clStatus startNorm(const clSolver *s, progress *p) {
  return txReadStart(&p->bb_read, s->groups ? s->block->norms : s->bb->texture, "clSolverSolve",
                     (txRect){0, 0, 1, s->groups ? s->groups : 1});
}

static clStatus readNorm(const clSolver *s, progress *p) {
  float bb[TX_COLUMNS] = {0};
  if (!p->bb_read)
    return TEXLA_OK;
  clStatus status = txReadFinish(p->bb_read, "clSolverSolve", bb);
  p->bb_read = NULL;
  for (int j = 0; j < s->count; j++)
    p->column[j].bb = (double)bb[j];
  return status;
}

/* x_k's residual has come. */
static clStatus judgeResidual(clSolver *s, progress *p, int j, int64_t k, double rr) {
  standing *at = &p->column[j];
  if (k == p->begun)
    at->rr0 = rr;
  at->last = rr;
  at->iterations = k;
  at->reason = judge(s, at, s->column[j].tolerance, rr);
  return record(s, &s->column[j], k, rr);
}

static double relative(const standing *at) {
  return at->bb > 0 ? sqrt(at->last / at->bb) : sqrt(at->last);
}

/* Of several right-hand sides, the monitor sees the largest residual that still counts. */
static bool goOn(const clSolver *s, const progress *p, int64_t k) {
  const clSolverOptions *o = &s->options;
  double largest = 0;
  for (int j = 0; j < s->count; j++)
    if (!p->column[j].reason)
      largest = fmax(largest, relative(&p->column[j]));
  return !o->monitor || o->monitor(o->monitor_user, k, largest);
}

/* Iteration k, texel i of those that were read, for right-hand side j. */
static clStatus judgeColumn(clSolver *s, progress *p, int j, const float *texels, const segment *seg, int64_t i,
                            bool fresh) {
  int64_t k = seg->first + i;
  float products[4];
  const float *row0 = texels + 4 * i, *row1 = texels + 4 * (i + seg->count);
  clStatus status = TEXLA_OK;
  if (s->groups) {
    txBlockProducts(s, texels, seg->count, i, j, products);
    row0 = row1 = products;
  }
  if (fresh)
    status = judgeResidual(s, p, j, k, (double)row0[1]);
  if (!p->column[j].reason && !status && s->method->judge && k < s->iteration)
    p->column[j].reason = s->method->judge(s, row0, row1, p->column[j].rr0);
  return status;
}

/* Looks at a finished segment. A residual that is known already is passed over; an iteration that is not submitted yet holds
 * nothing else. */
static clStatus judgeSegment(clSolver *s, segment *seg, progress *p) {
  static const char call[] = "clSolverSolve";
  float *texels = malloc((size_t)(seg->count * historyRows(s)) * 4 * sizeof *texels);
  clStatus status = txReadFinish(seg->read, call, texels);
  seg->read = NULL;
  if (!status)
    status = readNorm(s, p);
  if (!texels)
    status = txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the history");
  for (int64_t i = 0; i < seg->count && !status && isOpen(s, p); i++) {
    int64_t k = seg->first + i;
    bool fresh = k >= s->residuals;
    if (fresh)
      s->residuals = k + 1;
    for (int j = 0; j < s->count && !status; j++)
      if (!p->column[j].reason)
        status = judgeColumn(s, p, j, texels, seg, i, fresh);
    if (isOpen(s, p) && !status && fresh && !goOn(s, p, k))
      endAll(s, p, TEXLA_REASON_STOPPED);
  }
  free(texels);
  return status;
}

/* How many iterations from k on go to the device before the next look: a few at first, then an eighth of what was done,
 * never across the end of the ring. A function of k alone, so that runs repeat. */
static int64_t segmentLength(const clSolver *s, int64_t k) {
  int64_t least = s->preconditioner.apply && !s->inverse ? 1 : 4, max = s->options.max_iterations;
  int64_t n = k / 8 < least ? least : k / 8 < 64 ? k / 8 : 64;
  if (n > max - k)
    n = max - k;
  return n < TX_HISTORY - k % TX_HISTORY ? n : TX_HISTORY - k % TX_HISTORY;
}

/* Segments overlap: while one is on its way to the host, the next is being computed. */
static clStatus iterate(clSolver *s, progress *p) {
  segment pending = {0}, next = {0};
  int64_t max = s->options.max_iterations;
  clStatus status = TEXLA_OK;
  while (!status && isOpen(s, p) && s->iteration < max) {
    int64_t first = s->iteration;
    status = submit(s, segmentLength(s, first));
    if (!status)
      status = startRead(s, &next, first, s->iteration - first);
    if (!status && pending.read)
      status = judgeSegment(s, &pending, p);
    if (pending.read)
      txReadFinish(pending.read, "clSolverSolve", NULL);
    pending = next;
    next = (segment){0};
  }
  if (!status && isOpen(s, p) && pending.read)
    status = judgeSegment(s, &pending, p);
  if (pending.read)
    txReadFinish(pending.read, "clSolverSolve", NULL);
  return status;
}

/* An iteration that is a cycle of multigrid takes so long that waiting for one number costs little in comparison: none is done in
 * vain. The look before iteration k sees the residual of x_k, and what else step k - 1 has left. */
static clStatus iterateWaiting(clSolver *s, progress *p) {
  clStatus status = TEXLA_OK;
  while (!status && isOpen(s, p) && s->iteration < s->options.max_iterations) {
    segment look;
    int64_t k = s->iteration, count = k > p->begun && k % TX_HISTORY ? 2 : 1;
    status = s->method->measure ? s->method->measure(s, k) : TEXLA_OK;
    if (!status)
      status = startRead(s, &look, k + 1 - count, count);
    if (!status)
      status = judgeSegment(s, &look, p);
    if (!status && isOpen(s, p))
      status = submit(s, 1);
  }
  return status;
}

static clStatus run(clSolver *s, progress *p) {
  return s->preconditioner.cycle ? iterateWaiting(s, p) : iterate(s, p);
}

/* After a breakdown, where the method can: from x_k on as at the start, as long as every start gains an iteration. */
static clStatus restart(clSolver *s, progress *p) {
  standing *at = &p->column[0];
  clStatus status = TEXLA_OK;
  while (!status && at->reason == TEXLA_REASON_BREAKDOWN && s->method->restarts && at->iterations > p->begun) {
    p->begun = s->iteration = s->residuals = at->iterations;
    at->reason = TEXLA_REASON_NONE;
    status = s->method->start(s, s->x[0], s->b[0]);
    if (!status)
      status = run(s, p);
  }
  return status;
}

/* x_max's residual, where nothing was decided before. */
static clStatus finish(clSolver *s, progress *p) {
  segment last;
  int64_t max = s->options.max_iterations;
  clStatus status = s->method->measure ? s->method->measure(s, max) : TEXLA_OK;
  if (!status)
    status = startRead(s, &last, max, 1);
  if (!status)
    status = judgeSegment(s, &last, p);
  if (!status)
    endAll(s, p, TEXLA_REASON_MAX_ITERATIONS);
  return status;
}

static clStatus solve(clSolver *s, progress *p) {
  clStatus status = startNorm(s, p);
  if (!status)
    status = run(s, p);
  if (!status)
    status = restart(s, p);
  if (!status && isOpen(s, p))
    status = finish(s, p);
  return status ? status : deliver(s);
}

static clStatus solveColumns(clSolver *s, const char *call, int count, clVector *const *x, const clVector *const *b,
                             const double *tolerance, clSolverReport *reports) {
  clContextCounters before = clContextCount(s->context);
  progress p = {.begun = 0};
  bool converged = true;
  s->free_running = false;
  clStatus status = init(s, call, count, x, b, tolerance);
  if (!status)
    status = solve(s, &p);
  txReadFinish(p.bb_read, call, NULL);
  memset(s->x, 0, sizeof s->x);
  memset(s->b, 0, sizeof s->b);
  if (status)
    return status;
  clContextCounters after = clContextCount(s->context);
  for (int j = 0; j < count; j++) {
    const standing *at = &p.column[j];
    converged = converged && at->reason == TEXLA_REASON_CONVERGED;
    if (reports)
      reports[j] = (clSolverReport){.reason = at->reason,
                                    .iterations = at->iterations,
                                    .residual = relative(at),
                                    .passes = j ? 0 : after.passes - before.passes,
                                    .readbacks = j ? 0 : after.readbacks - before.readbacks};
  }
  return converged ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}

clStatus txSolverSolveColumns(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                              const double *tolerance, clSolverReport *reports) {
  return solveColumns(s, "clSolverSolveMany", count, x, b, tolerance, reports);
}

clStatus clSolverSolveMany(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                           clSolverReport *reports) {
  return s ? solveColumns(s, "clSolverSolveMany", count, x, b, NULL, reports) : TEXLA_BAD_ARGUMENT;
}

clStatus clSolverSolve(clSolver *s, clVector *x, const clVector *b, clSolverReport *report) {
  return s ? solveColumns(s, "clSolverSolve", 1, &x, &b, NULL, report) : TEXLA_BAD_ARGUMENT;
}
