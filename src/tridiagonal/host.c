/* Batches in double on the host: parts that fit into textures, rows scaled by powers of two, and
 * refinement: the device solves for what the residual, computed in double, asks for. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/try.h"
#include "tridiagonal/tridiagonal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDED_ROW = 16384, MOST_ELEMENTS = 1 << 22, DEFAULT_ITERATIONS = 20 };

static const double converged = 1e-15;
/* as in src/tridiagonal/check.c */
static const double solved = 1e-5;

/* Some systems of a batch, on their way. */
typedef struct part {
  clContext *context;
  const char *call;
  const clTridiagonalBatch *batch;
  /* of the batch's systems */
  int64_t first, count;
  bool folded;
  /* of the device's grids, systems along x */
  int nx, ny;
  clTridiagonal *T;
  /* sub, main, super, rhs */
  clVector *vector[4], *x;
  /* nx * ny */
  float *values;
  /* of each row: a power of two */
  double *scale;
  /* scaled by the row's */
  double *residual;
  /* the solution with the smallest error */
  double *best;
  /* of each system's residual: a power of two */
  double *size;
  /* of `best` */
  double *error;
  /* of the newest solution */
  double *last;
  bool *done;
  /* solved on the device, but perhaps singular */
  bool *doubtful;
  clTridiagonalState *states;
  bool exchanges;
  /* the system that is being solved on the host */
  int64_t retried;
} part;

/* What brings a size to [1, 2). */
static double powerOfTwo(double size) {
  if (size > 0 && isfinite(size))
    return ldexp(1, -ilogb(size));
  return 1;
}

/* The couplings of row i of system j of the part, without those that do not count. */
typedef struct coupling {
  double sub, main, super;
} coupling;

static coupling rowOf(const part *p, int64_t j, int64_t i) {
  const clTridiagonalBatch *b = p->batch;
  int64_t at = (p->first + j) * b->rows + i;
  coupling c = {.main = b->main[at]};
  if (i > 0 || b->periodic)
    c.sub = b->sub[at];
  if (i + 1 < b->rows || b->periodic)
    c.super = b->super[at];
  return c;
}

static double sizeOf(coupling c) {
  return fabs(c.sub) + fabs(c.main) + fabs(c.super);
}

/* residual_i <- scale_i (rhs - A x)_i, and the backward error of x, for the systems [first, last)
 * of the part */
static void residuals(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  part *p = user;
  (void)sum;
  int64_t n = p->batch->rows;
  for (int64_t j = first; j < last; j++) {
    const double *x = p->best + j * n, *rhs = p->batch->rhs + (p->first + j) * n;
    double most = 0, size = 0, worst = 0;
    bool finite = true;
    for (int64_t i = 0; i < n; i++) {
      coupling c = rowOf(p, j, i);
      double s = sizeOf(c),
             r = rhs[i] - c.sub * x[(i + n - 1) % n] - c.main * x[i] - c.super * x[(i + 1) % n];
      p->residual[j * n + i] = p->scale[j * n + i] * r;
      most = fmax(most, fabs(x[i]));
      if (rhs[i] != 0)
        size = fmax(size, fabs(rhs[i]) / s);
      if (r != 0)
        worst = fmax(worst, fabs(r) / s);
      finite = finite && isfinite(r);
    }
    p->last[j] = 0;
    if (!finite)
      p->last[j] = INFINITY;
    else if (worst > 0)
      p->last[j] = worst / (most + size);
  }
}

/* One diagonal or right-hand side, from the part's arrays by way of `values`. */
typedef float (*element)(const part *p, int64_t j, int64_t i);

static float subOf(const part *p, int64_t j, int64_t i) {
  return (float)(p->scale[j * p->batch->rows + i] * rowOf(p, j, i).sub);
}
static float mainOf(const part *p, int64_t j, int64_t i) {
  return (float)(p->scale[j * p->batch->rows + i] * rowOf(p, j, i).main);
}
static float superOf(const part *p, int64_t j, int64_t i) {
  return (float)(p->scale[j * p->batch->rows + i] * rowOf(p, j, i).super);
}
static float rhsOf(const part *p, int64_t j, int64_t i) {
  if (p->done[j])
    return 0;
  return (float)(p->size[j] * p->residual[j * p->batch->rows + i]);
}

/* Rows beyond the end of a folded system are x = 0. */
static clStatus upload(part *p, clVector *v, element at, float beyond) {
  int64_t n = p->batch->rows, room = (int64_t)p->nx * p->ny;
  for (int64_t j = 0; j < p->count; j++)
    for (int64_t i = 0; i < n; i++)
      p->values[j * n + i] = at(p, j, i);
  for (int64_t i = p->count * n; i < room; i++)
    p->values[i] = beyond;
  return clVectorUpload(v, p->values);
}

/* Room for a part of the batch on the host, and, unless it is eliminated on the host alone, its
 * vectors on the device. */
static clStatus createPart(part *p) {
  clError *error = txContextError(p->context);
  size_t count = (size_t)p->count, elements = count * (size_t)p->batch->rows;
  double **const rows[] = {&p->scale, &p->residual, &p->best},
                 **const systems[] = {&p->size, &p->error, &p->last};
  clTridiagonalOptions options = {.periodic = p->batch->periodic, .folded = p->folded};
  p->values = txAllocate(error, p->call, (size_t)p->nx * (size_t)p->ny + 1, sizeof *p->values,
                         "rows of systems");
  p->done = txAllocate(error, p->call, count, sizeof *p->done, "systems");
  p->doubtful = txAllocate(error, p->call, count, sizeof *p->doubtful, "systems");
  p->states = txAllocate(error, p->call, count, sizeof *p->states, "systems");
  bool fine = p->values && p->done && p->doubtful && p->states;
  for (int k = 0; k < 3; k++) {
    *rows[k] = txAllocate(error, p->call, elements, sizeof **rows[k], "rows of systems");
    *systems[k] = txAllocate(error, p->call, count, sizeof **systems[k], "systems");
    fine = fine && *rows[k] && *systems[k];
  }
  if (fine && !p->nx)
    return TEXLA_OK;
  if (!fine)
    return TEXLA_OUT_OF_MEMORY;
  TRY(clTridiagonalCreate(&p->T, p->context, p->nx, p->ny, &options));
  for (int k = 0; k < 4; k++)
    TRY(clVectorCreateGrid(&p->vector[k], p->context, p->nx, p->ny));
  return clVectorCreateGrid(&p->x, p->context, p->nx, p->ny);
}

/* All that a part of a batch holds, on the host and on the device. */
static void destroyPart(part *p) {
  void *const memory[] = {p->values, p->scale, p->residual, p->best,     p->size,
                          p->error,  p->last,  p->done,     p->doubtful, p->states};
  for (int k = 0; k < (int)(sizeof memory / sizeof *memory); k++)
    free(memory[k]);
  for (int k = 0; k < 4; k++)
    clVectorDestroy(p->vector[k]);
  clVectorDestroy(p->x);
  clTridiagonalDestroy(p->T);
}

/* The diagonals, each row scaled by a power of two so that single precision holds it. */
static clStatus uploadBands(part *p) {
  for (int64_t j = 0; j < p->count; j++)
    for (int64_t i = 0; i < p->batch->rows; i++)
      p->scale[j * p->batch->rows + i] = powerOfTwo(sizeOf(rowOf(p, j, i)));
  TRY(upload(p, p->vector[0], subOf, 0));
  TRY(upload(p, p->vector[1], mainOf, 1));
  return upload(p, p->vector[2], superOf, 0);
}

/* values <- A^-1 (size residual), for all systems that are not done; `*report` as the device gives
 * it. */
static clStatus solveOnDevice(part *p, bool check, clTridiagonalReport *report) {
  clTridiagonalBands A = {.sub = p->vector[0], .main = p->vector[1], .super = p->vector[2]};
  int64_t n = p->batch->rows;
  for (int64_t j = 0; j < p->count; j++) {
    double most = 0;
    for (int64_t i = 0; i < n; i++)
      most = fmax(most, fabs(p->residual[j * n + i]));
    p->size[j] = powerOfTwo(most);
  }
  TRY(upload(p, p->vector[3], rhsOf, 0));
  clStatus status;
  if (check)
    status =
        txTridiagonalChecked(p->T, p->call, p->x, &A, p->vector[3], report, p->states, p->doubtful);
  else
    status = clTridiagonalSolve(p->T, p->x, &A, p->vector[3]);
  /* Which systems have no solution is in the states. */
  if (status != TEXLA_SINGULAR && status != TEXLA_NOT_FINITE)
    TRY(status);
  return clVectorDownload(p->x, p->values);
}

/* best <- best + sign values / size for the systems that are not done */
static void addCorrection(part *p, int64_t j, double sign) {
  int64_t n = p->batch->rows;
  for (int64_t i = 0; i < n; i++)
    p->best[j * n + i] += sign * (double)p->values[j * n + i] / p->size[j];
}

/* One more solution on the device; what does not halve a system's error ends its refinement, and is
 * taken back if it was worse. */
static clStatus refineOnce(part *p, bool first, clTridiagonalReport *report, bool *more) {
  clTridiagonalReport own = {0};
  TRY(solveOnDevice(p, first || p->exchanges, &own));
  if (first && own.exchanged) {
    p->exchanges = true;
    report->exchanged += own.exchanged;
  }
  for (int64_t j = 0; j < p->count; j++) {
    if (!p->done[j])
      addCorrection(p, j, 1);
  }
  txParallel(p->count, residuals, p, NULL);
  *more = false;
  bool again = false;
  for (int64_t j = 0; j < p->count; j++) {
    if (p->done[j])
      continue;
    bool worse = !first && !(p->last[j] < p->error[j]);
    p->done[j] = worse || p->last[j] <= converged || !(p->last[j] <= solved) ||
                 (!first && p->last[j] > 0.5 * p->error[j]);
    if (worse)
      addCorrection(p, j, -1);
    else
      p->error[j] = p->last[j];
    again = again || worse;
    *more = *more || !p->done[j];
  }
  if (again && *more)
    txParallel(p->count, residuals, p, NULL);
  return TEXLA_OK;
}

static void givenRow(const void *user, int64_t i, double row[4]) {
  const part *p = user;
  coupling c = rowOf(p, p->retried, i);
  double values[] = {c.sub, c.main, c.super,
                     p->batch->rhs[(p->first + p->retried) * p->batch->rows + i]};
  memcpy(row, values, sizeof values);
}

static bool isFinite(const part *p, int64_t j) {
  bool finite = true;
  for (int64_t i = 0; i < p->batch->rows; i++)
    finite = finite && isfinite(sizeOf(rowOf(p, j, i))) &&
             isfinite(p->batch->rhs[(p->first + j) * p->batch->rows + i]);
  return finite;
}

/* What the device has not solved, in double on the host; and the states, from the errors. */
static clStatus judge(part *p, clTridiagonalReport *report) {
  int64_t n = p->batch->rows;
  for (int64_t j = 0; j < p->count; j++) {
    bool on_device = p->nx && p->states[j] == TEXLA_TRIDIAGONAL_SOLVED && p->error[j] <= solved;
    if (on_device && !p->doubtful[j])
      continue;
    p->retried = j;
    p->states[j] = TEXLA_TRIDIAGONAL_NOT_FINITE;
    p->error[j] = INFINITY;
    if (isFinite(p, j))
      TRY(txTridiagonalPivots(p->context, p->call, p->best + j * n, &p->states[j], n,
                              p->batch->periodic, givenRow, p));
    if (p->states[j] == TEXLA_TRIDIAGONAL_SOLVED) {
      residuals(p, j, j + 1, NULL);
      p->error[j] = p->last[j];
      report->exchanged += !p->nx;
      if (!(p->error[j] <= solved))
        p->states[j] = TEXLA_TRIDIAGONAL_SINGULAR;
    }
    if (p->states[j] != TEXLA_TRIDIAGONAL_SOLVED)
      memset(p->best + j * n, 0, (size_t)n * sizeof *p->best);
  }
  return TEXLA_OK;
}

/* The batch's report counts systems over all parts. */
static void addToReport(const part *p, clTridiagonalReport *report) {
  for (int64_t j = 0; j < p->count; j++) {
    if (p->states[j] == TEXLA_TRIDIAGONAL_SOLVED)
      report->backward_error = fmax(report->backward_error, p->error[j]);
    else if (!report->failed++)
      report->first = (int)(p->first + j);
  }
}

/* Solves a part: single precision on the device, residuals and corrections in double here, until
 * corrections gain nothing or, without `refine`, once. */
static clStatus solvePart(part *p, const clTridiagonalHostOptions *o, double *x,
                          clTridiagonalReport *report, clTridiagonalState *states) {
  int most = 1;
  if (o->refine && o->max_iterations > 0)
    most = o->max_iterations;
  else if (o->refine)
    most = DEFAULT_ITERATIONS;
  TRY(createPart(p));
  bool more = p->nx > 0;
  if (more)
    TRY(uploadBands(p));
  /* of x = 0 */
  if (more)
    txParallel(p->count, residuals, p, NULL);
  int iterations = 0;
  while (iterations < most && more)
    TRY(refineOnce(p, iterations++ == 0, report, &more));
  report->iterations = txMost(iterations, report->iterations);
  TRY(judge(p, report));
  addToReport(p, report);
  size_t n = (size_t)p->batch->rows;
  memcpy(x + (size_t)p->first * n, p->best, (size_t)p->count * n * sizeof *x);
  if (states)
    memcpy(states + p->first, p->states, (size_t)p->count * sizeof *states);
  return TEXLA_OK;
}

/* Rows of a periodic system cannot be filled up: their number has to divide it. 0: none does. */
static int64_t foldedLines(const part *p, int64_t limit) {
  int64_t n = p->batch->rows, lines = (n + FOLDED_ROW - 1) / FOLDED_ROW;
  while (p->batch->periodic && lines <= limit && n % lines)
    lines++;
  if (lines > limit)
    return 0;
  return lines;
}

/* How many systems go at once, and the grid for them: systems along x, one below the other, or one
 * folded system. A periodic one that cannot be folded has no grid (nx = 0) and is eliminated on the
 * host. False: too long for the device. */
static bool shapePart(part *p) {
  int64_t limit = clContextInspect(p->context)->max_texture_size, n = p->batch->rows;
  p->folded = n > 4 * limit;
  if (!p->folded) {
    int64_t fit = txLeast64(limit, txMost64(MOST_ELEMENTS / n, 1));
    p->count = txLeast64(fit, p->batch->systems - p->first);
    p->nx = (int)n;
    p->ny = (int)p->count;
    return true;
  }
  int64_t lines = foldedLines(p, limit);
  p->count = 1;
  p->ny = (int)lines;
  p->nx = 0;
  if (lines && p->batch->periodic)
    p->nx = (int)(n / lines);
  else if (lines)
    p->nx = FOLDED_ROW;
  return (n + FOLDED_ROW - 1) / FOLDED_ROW <= limit;
}

/* Fails where an argument is not what it must be; numbers are looked at system by system. */
static clStatus checkBatch(clContext *context, const char *call, const double *x,
                           const clTridiagonalBatch *b) {
  clError *error = txContextError(context);
  if (!context || !x || !b || !b->sub || !b->main || !b->super || !b->rhs)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "context, x, batch and its arrays must not be NULL");
  if (b->systems < 1 || b->rows < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "%lld systems of %lld rows: at least one of each is needed",
                  (long long)b->systems, (long long)b->rows);
  if (b->systems > INT32_MAX || b->rows > INT64_MAX / 64 / b->systems)
    return txFail(error, TEXLA_TOO_LARGE, call, "%lld systems of %lld rows are too many",
                  (long long)b->systems, (long long)b->rows);
  return txContextEnter(context, call);
}

/* Systems that have no solution outweigh those that were not refined far enough. */
static clStatus conclude(clContext *context, const char *call, const clTridiagonalBatch *b,
                         const clTridiagonalReport *r, clTridiagonalState first, bool refined) {
  clStatus status = TEXLA_SINGULAR;
  if (first == TEXLA_TRIDIAGONAL_NOT_FINITE)
    status = TEXLA_NOT_FINITE;
  if (r->failed)
    return txFail(txContextError(context), status, call,
                  "system %d %s; %d of %lld systems could not be solved and have zeros for "
                  "solutions, the others are solved",
                  r->first, txTridiagonalStateText(first), r->failed, (long long)b->systems);
  if (refined && r->backward_error > converged)
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

clStatus clTridiagonalSolveHost(clContext *context, double *x, const clTridiagonalBatch *batch,
                                const clTridiagonalHostOptions *options,
                                clTridiagonalReport *report, clTridiagonalState *states) {
  static const char call[] = "clTridiagonalSolveHost";
  clTridiagonalHostOptions o = {0};
  if (options)
    o = *options;
  clTridiagonalReport r = {.first = -1};
  clTridiagonalState first = TEXLA_TRIDIAGONAL_SOLVED;
  TRY(checkBatch(context, call, x, batch));
  for (int64_t at = 0; at < batch->systems;) {
    part p = {.context = context, .call = call, .batch = batch, .first = at};
    if (!shapePart(&p))
      return txFail(txContextError(context), TEXLA_TOO_LARGE, call,
                    "systems of %lld rows are too long for the device", (long long)batch->rows);
    bool none = r.failed == 0;
    clStatus status = solvePart(&p, &o, x, &r, states);
    if (!status && none && r.failed)
      first = p.states[r.first - p.first];
    destroyPart(&p);
    TRY(status);
    at += p.count;
  }
  if (report)
    *report = r;
  return conclude(context, call, batch, &r, first, o.refine);
}
