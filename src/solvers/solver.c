/* The iteration frame: submit iterations, read their history a fixed lag behind, decide. */
#include "solvers/solver.h"

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
    s->method = *kind ? &txCgPreconditioned : &txCgMerged;
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

static clStatus allocate(clSolver *s, clPreconditioner kind) {
  static const char call[] = "clSolverCreate";
  clFloat **scalar[] = {&s->bb, &s->rr0, &s->ww};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < s->method->vectors && !status; i++)
    status = clMatrixCreateVector(&s->vector[i], s->A, TEXLA_SIDE_ROWS);
  if (!status)
    status = txPreconditionerCreate(&s->preconditioner, &s->inverse, s->A, kind, &s->options);
  if (!status)
    status = txTextureCreate(&s->history, s->context, call, TX_RGBA32F, TX_HISTORY, 2);
  for (int i = 0; i < 3 && !status; i++)
    status = clFloatCreate(scalar[i], s->context);
  return status || !s->method->create ? status : s->method->create(s);
}

clStatus clSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options) {
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
    status = allocate(s, kind);
  s->options.host = NULL;
  s->options.near_kernel = NULL;
  if (status)
    clSolverDestroy(s);
  else
    *out = s;
  return status;
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
  free(s->residual);
  free(s);
}

const double *clSolverHistory(const clSolver *s, int64_t *count) {
  if (count)
    *count = s ? s->residuals : 0;
  return s ? s->residual : NULL;
}

/* max is never reached by a square of a float */
static float squareOf(double v) {
  return v * v < (double)FLT_MAX ? (float)(v * v) : FLT_MAX;
}

clStatus txSolverPrecondition(clSolver *s, clVector *z, clVector *r, clVector **out) {
  *out = s->preconditioner.apply ? z : r;
  return s->preconditioner.apply ? s->preconditioner.apply(s->preconditioner.data, z, r) : TEXLA_OK;
}

clStatus txSolverResidual(clSolver *s, clVector *r, const clVector *x, const clVector *b) {
  return clMatrixVectorOp(r, TEXLA_B_MINUS_AX, s->A, false, x, b);
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
  txPassUniform(
      pass,
      (txUniform){
          "limit", 3, {squareOf(s->options.tolerance), squareOf(s->options.absolute), d < 0 ? FLT_MAX : squareOf(d)}});
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

static clStatus checkVectors(const clSolver *s, const char *call, const clVector *x, const clVector *b) {
  clStatus status = txVectorsAgree(call, "x", x, "A's vectors", s->vector[0]);
  if (!status)
    status = txVectorsAgree(call, "b", b, "A's vectors", s->vector[0]);
  if (!status && x == b)
    status = txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call, "x and b must be two vectors");
  return status;
}

static clStatus init(clSolver *s, const char *call, clVector *x, const clVector *b) {
  clStatus status = checkVectors(s, call, x, b);
  if (status)
    return status;
  s->x = x;
  s->b = b;
  s->iteration = 0;
  s->residuals = 0;
  status = txTextureClear(s->history, call);
  if (!status)
    status = clVectorDot(s->bb, b, b);
  return status ? status : s->method->start(s, x, b);
}

static clStatus submit(clSolver *s, int64_t count) {
  clStatus status = TEXLA_OK;
  for (int64_t i = 0; i < count && !status; i++, s->iteration++)
    status = s->method->step(s, s->x, s->b, s->iteration);
  return status;
}

clStatus clSolverInit(clSolver *s, clVector *x, const clVector *b) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  s->free_running = true;
  return init(s, "clSolverInit", x, b);
}

clStatus clSolverIterate(clSolver *s, int64_t count) {
  if (!s || !s->x || count < 0)
    return txFail(s ? txContextError(s->context) : NULL, TEXLA_BAD_ARGUMENT, "clSolverIterate",
                  "clSolverInit comes first and count must not be negative");
  s->free_running = true;
  clStatus status = submit(s, count);
  return status || !s->method->finish ? status : s->method->finish(s, s->x, s->iteration);
}

/* A stretch of iterations whose history is on its way to the host. */
typedef struct segment {
  txRead *read;
  int64_t first, count;
} segment;

typedef struct progress {
  clReason reason;
  int64_t iterations, begun; /* where it stands, and where it started last */
  double bb, rr0, last;      /* squares */
  txRead *bb_read;
} progress;

/* What iteration k's products say; TEXLA_REASON_NONE to go on. `slack` covers the last bit of the device's own test. */
static clReason judge(const clSolver *s, const progress *p, double rr) {
  const double slack = 1 + 1e-6;
  double limit = fmax((double)squareOf(s->options.tolerance) * p->bb, (double)squareOf(s->options.absolute));
  if (isnan(rr) || isinf(rr) || isnan(p->bb) || isinf(p->bb))
    return TEXLA_REASON_NAN;
  if (rr <= limit * slack)
    return TEXLA_REASON_CONVERGED;
  if (s->options.divergence > 0 && rr * slack > s->options.divergence * s->options.divergence * p->rr0)
    return TEXLA_REASON_DIVERGED;
  return TEXLA_REASON_NONE;
}

static clStatus record(clSolver *s, double rr) {
  if (s->residuals == s->residual_capacity) {
    int64_t capacity = 2 * s->residual_capacity + 1024;
    double *grown = realloc(s->residual, (size_t)capacity * sizeof *grown);
    if (!grown)
      return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, "clSolverSolve", "no memory for the history");
    s->residual = grown;
    s->residual_capacity = capacity;
  }
  s->residual[s->residuals++] = sqrt(rr);
  return TEXLA_OK;
}

static clStatus startRead(clSolver *s, segment *seg, int64_t first, int64_t count) {
  *seg = (segment){NULL, first, count};
  return txReadStart(&seg->read, s->history, "clSolverSolve", (txRect){(int)(first % TX_HISTORY), 0, (int)count, 2});
}

/* The ||b||^2 that iteration 0 needs, read together with the first segment. */
static clStatus readNorm(progress *p) {
  float bb = 0;
  if (!p->bb_read)
    return TEXLA_OK;
  clStatus status = txReadFinish(p->bb_read, "clSolverSolve", &bb);
  p->bb_read = NULL;
  p->bb = (double)bb;
  return status;
}

/* x_k's residual has come. */
static clStatus judgeResidual(clSolver *s, progress *p, int64_t k, double rr) {
  if (k == p->begun)
    p->rr0 = rr;
  p->last = rr;
  p->iterations = k;
  p->reason = judge(s, p, rr);
  return record(s, rr);
}

static bool goOn(const clSolver *s, const progress *p, int64_t k) {
  const clSolverOptions *o = &s->options;
  return !o->monitor || o->monitor(o->monitor_user, k, p->bb > 0 ? sqrt(p->last / p->bb) : sqrt(p->last));
}

/* Looks at a finished segment. A residual that is known already is passed over; an iteration that is not submitted yet holds nothing
 * else. */
static clStatus judgeSegment(clSolver *s, segment *seg, progress *p) {
  static const char call[] = "clSolverSolve";
  float *texels = malloc((size_t)seg->count * 8 * sizeof *texels);
  clStatus status = txReadFinish(seg->read, call, texels);
  seg->read = NULL;
  if (!status)
    status = readNorm(p);
  if (!texels)
    status = txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the history");
  for (int64_t i = 0; i < seg->count && !status && !p->reason; i++) {
    int64_t k = seg->first + i;
    bool fresh = k >= s->residuals;
    if (fresh)
      status = judgeResidual(s, p, k, (double)texels[4 * i + 1]);
    if (!p->reason && !status && s->method->judge && k < s->iteration)
      p->reason = s->method->judge(s, texels + 4 * i, texels + 4 * (i + seg->count), p->rr0);
    if (!p->reason && fresh && !goOn(s, p, k))
      p->reason = TEXLA_REASON_STOPPED;
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
  while (!status && !p->reason && s->iteration < max) {
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
  if (!status && !p->reason && pending.read)
    status = judgeSegment(s, &pending, p);
  if (pending.read)
    txReadFinish(pending.read, "clSolverSolve", NULL);
  return status;
}

/* An iteration that is a cycle of multigrid takes so long that waiting for one number costs little in comparison: none is done in
 * vain. The look before iteration k sees the residual of x_k, and what else step k - 1 has left. */
static clStatus iterateWaiting(clSolver *s, progress *p) {
  clStatus status = TEXLA_OK;
  while (!status && !p->reason && s->iteration < s->options.max_iterations) {
    segment look;
    int64_t k = s->iteration, count = k > p->begun && k % TX_HISTORY ? 2 : 1;
    status = s->method->measure ? s->method->measure(s, k) : TEXLA_OK;
    if (!status)
      status = startRead(s, &look, k + 1 - count, count);
    if (!status)
      status = judgeSegment(s, &look, p);
    if (!status && !p->reason)
      status = submit(s, 1);
  }
  return status;
}

static clStatus run(clSolver *s, progress *p) {
  return s->preconditioner.cycle ? iterateWaiting(s, p) : iterate(s, p);
}

/* After a breakdown, where the method can: from x_k on as at the start, as long as every start gains an iteration. */
static clStatus restart(clSolver *s, progress *p) {
  clStatus status = TEXLA_OK;
  while (!status && p->reason == TEXLA_REASON_BREAKDOWN && s->method->restarts && p->iterations > p->begun) {
    p->begun = s->iteration = s->residuals = p->iterations;
    p->reason = TEXLA_REASON_NONE;
    status = s->method->start(s, s->x, s->b);
    if (!status)
      status = run(s, p);
  }
  return status;
}

/* x_max's residual, when nothing was decided before. */
static clStatus finish(clSolver *s, progress *p) {
  segment last;
  int64_t max = s->options.max_iterations;
  clStatus status = s->method->measure ? s->method->measure(s, max) : TEXLA_OK;
  if (!status)
    status = startRead(s, &last, max, 1);
  if (!status)
    status = judgeSegment(s, &last, p);
  if (!status && !p->reason)
    p->reason = TEXLA_REASON_MAX_ITERATIONS;
  return status;
}

clStatus clSolverSolve(clSolver *s, clVector *x, const clVector *b, clSolverReport *report) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  clContextCounters before = clContextCount(s->context);
  progress p = {0};
  s->free_running = false;
  clStatus status = init(s, "clSolverSolve", x, b);
  if (!status)
    status = txReadStart(&p.bb_read, s->bb->texture, "clSolverSolve", (txRect){0, 0, 1, 1});
  if (!status)
    status = run(s, &p);
  if (!status)
    status = restart(s, &p);
  if (!status && !p.reason)
    status = finish(s, &p);
  if (!status && s->method->finish)
    status = s->method->finish(s, x, s->iteration);
  txReadFinish(p.bb_read, "clSolverSolve", NULL);
  s->x = NULL;
  s->b = NULL;
  if (status)
    return status;
  clContextCounters after = clContextCount(s->context);
  if (report)
    *report = (clSolverReport){.reason = p.reason,
                               .iterations = p.iterations,
                               .residual = p.bb > 0 ? sqrt(p.last / p.bb) : sqrt(p.last),
                               .passes = after.passes - before.passes,
                               .readbacks = after.readbacks - before.readbacks};
  return p.reason == TEXLA_REASON_CONVERGED ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}
