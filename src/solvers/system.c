/* A whole system in double on the host, solved in single precision on the device.
 *
 * With D = diag(2^-e_i), e_i chosen so that the diagonal of D A D is near 1, the device solves (D A D) y = D r / |D r|,
 * and x <- x + |D r| D y is summed in double. The true residual r = b - A x decides whether another round follows. */
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct solveSystem {
  clContext *context;
  const clTriplets *A;
  const double *b;
  const clSystemOptions *options;
  clSystemReport *report;
  double *scale;             /* D */
  double *x, *r, *candidate; /* iterate, residual, iterate to be tried */
  float *single;             /* on its way to or from the device */
  double b_norm, norm;       /* ||b||, ||r|| */
  double r_scaled;           /* ||D r|| */
  clMatrix *matrix;
  clVector *device_x, *device_b;
  clSolver *solver;
  int64_t budget; /* iterations left */
} solveSystem;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double norm2(const double *v, int64_t n) {
  double scale = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    scale = fmax(scale, fabs(v[i]));
  if (scale == 0 || isinf(scale))
    return scale;
  for (int64_t i = 0; i < n; i++)
    sum += (v[i] / scale) * (v[i] / scale);
  return scale * sqrt(sum);
}

/* d_i = 2^-e with 4^e near |a_ii|; near the row's largest magnitude where the diagonal is zero. */
static void chooseScale(double *d, const clTriplets *A) {
  for (int32_t i = 0; i < A->rows; i++)
    d[i] = 0;
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      d[A->row[k]] = fabs(A->value[k]);
  for (int64_t k = 0; k < A->count; k++) /* negative: the largest magnitude of a row without diagonal */
    if (d[A->row[k]] <= 0)
      d[A->row[k]] = fmin(d[A->row[k]], -fabs(A->value[k]));
  for (int32_t i = 0; i < A->rows; i++) {
    int e = 0;
    frexp(fabs(d[i]), &e);
    d[i] = d[i] == 0 ? 1 : ldexp(1, -(int)floor(e / 2.0));
  }
}

static clStatus createMatrix(solveSystem *s) {
  const clTriplets *A = s->A;
  clTriplets *scaled = NULL;
  clStatus status = clTripletsCreate(&scaled, A->rows, A->cols, A->count, txContextError(s->context));
  for (int64_t k = 0; k < A->count && !status; k++)
    status = clTripletsAdd(scaled, A->row[k], A->col[k], s->scale[A->row[k]] * A->value[k] * s->scale[A->col[k]],
                           txContextError(s->context));
  if (!status)
    status = clMatrixCreate(&s->matrix, s->context, scaled, &s->options->matrix);
  clTripletsDestroy(scaled);
  return status;
}

static clStatus setUp(solveSystem *s) {
  size_t n = (size_t)s->A->rows;
  s->scale = malloc(n * sizeof *s->scale);
  s->r = malloc(n * sizeof *s->r);
  s->candidate = malloc(n * sizeof *s->candidate);
  s->single = malloc(n * sizeof *s->single);
  if (!s->scale || !s->r || !s->candidate || !s->single)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory for %zu unknowns", n);
  chooseScale(s->scale, s->A);
  clStatus status = createMatrix(s);
  if (!status)
    status = clMatrixCreateVector(&s->device_x, s->matrix, TEXLA_SIDE_COLS);
  if (!status)
    status = clMatrixCreateVector(&s->device_b, s->matrix, TEXLA_SIDE_ROWS);
  return status;
}

static bool monitor(void *user, int64_t iteration, double residual) {
  solveSystem *s = user;
  const clSystemOptions *o = s->options;
  int64_t done = s->report->iterations + iteration;
  double relative = s->b_norm > 0 ? residual * s->norm / s->b_norm : residual;
  if (o->progress)
    o->progress(o->progress_user, done, relative);
  return !o->solver.monitor || o->solver.monitor(o->solver.monitor_user, done, relative);
}

/* The round's own tolerance: what is still missing of the whole, with some room for what single precision loses; never more than
 * it can give. */
static clStatus createSolver(solveSystem *s, double target) {
  clSolverOptions o = s->options->solver;
  double missing = target * s->b_norm / s->norm;
  o.tolerance = fmin(fmax(0.5 * missing, 1e-6), 0.1);
  o.absolute = 0;
  o.max_iterations = s->budget;
  o.monitor = monitor;
  o.monitor_user = s;
  clSolverDestroy(s->solver);
  s->solver = NULL;
  return clSolverCreate(&s->solver, s->matrix, &o);
}

/* device_b <- D r / ||D r||, device_x <- 0 */
static clStatus uploadResidual(solveSystem *s) {
  int64_t n = s->A->rows;
  for (int64_t i = 0; i < n; i++)
    s->candidate[i] = s->scale[i] * s->r[i];
  s->r_scaled = norm2(s->candidate, n);
  for (int64_t i = 0; i < n; i++)
    s->single[i] = (float)(s->r_scaled > 0 ? s->candidate[i] / s->r_scaled : 0);
  clStatus status = clVectorUpload(s->device_b, s->single);
  return status ? status : clVectorClear(s->device_x);
}

static clStatus appendHistory(solveSystem *s, bool first) {
  int64_t count = 0;
  const double *h = clSolverHistory(s->solver, &count);
  int64_t skip = first ? 0 : 1; /* a restart's first value is the last round's end, measured anew */
  clSystemReport *report = s->report;
  if (count <= skip)
    return TEXLA_OK;
  double *grown = realloc(report->history, (size_t)(report->history_count + count) * sizeof *grown);
  if (!grown)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, "clSystemSolve", "no memory for the history");
  report->history = grown;
  for (int64_t i = skip; i < count; i++)
    grown[report->history_count++] = s->b_norm > 0 ? h[i] * s->norm / s->b_norm : h[i];
  return TEXLA_OK;
}

/* candidate <- x + ||D r|| D y; becomes x when its true residual is smaller. */
static clStatus accept(solveSystem *s, double *gain) {
  int64_t n = s->A->rows;
  clStatus status = clVectorDownload(s->device_x, s->single);
  if (status)
    return status;
  for (int64_t i = 0; i < n; i++)
    s->candidate[i] = s->x[i] + s->r_scaled * s->scale[i] * (double)s->single[i];
  double norm = clTripletsResidual(NULL, s->A, s->candidate, s->b);
  *gain = norm > 0 ? s->norm / norm : INFINITY;
  if (!(norm < s->norm)) {
    *gain = 1;
    return TEXLA_OK;
  }
  memcpy(s->x, s->candidate, (size_t)n * sizeof *s->x);
  s->norm = clTripletsResidual(s->r, s->A, s->x, s->b);
  return TEXLA_OK;
}

/* One round on the device; *reason is TEXLA_REASON_NONE when another one is worth while. */
static clStatus solveRound(solveSystem *s, double target, bool first, clReason *reason) {
  clSolverReport inner = {0};
  double gain = 1;
  clStatus status = uploadResidual(s);
  if (!status)
    status = createSolver(s, target);
  if (!status)
    status = clSolverSolve(s->solver, s->device_x, s->device_b, &inner);
  if (status < 0)
    return status;
  status = appendHistory(s, first);
  s->report->iterations += inner.iterations;
  s->budget -= inner.iterations;
  if (!status)
    status = accept(s, &gain);
  if (status)
    return status;
  if (s->norm <= target * s->b_norm)
    *reason = TEXLA_REASON_CONVERGED;
  else if (inner.reason != TEXLA_REASON_CONVERGED)
    *reason = inner.reason;
  else if (gain < 2)
    *reason = TEXLA_REASON_STAGNATED;
  else if (s->budget < 1)
    *reason = TEXLA_REASON_MAX_ITERATIONS;
  return TEXLA_OK;
}

static clStatus solveRounds(solveSystem *s) {
  clSystemReport *report = s->report;
  double target = s->options->solver.tolerance > 0 ? s->options->solver.tolerance : 1e-6;
  int64_t max = s->options->solver.max_iterations;
  s->budget = max > 0 ? max : 10 * (int64_t)s->A->rows;
  s->norm = clTripletsResidual(s->r, s->A, s->x, s->b);
  clReason reason = s->norm <= target * s->b_norm ? TEXLA_REASON_CONVERGED : TEXLA_REASON_NONE;
  clStatus status = TEXLA_OK;
  for (int round = 0; !reason && !status; round++) {
    report->restarts = round;
    status = solveRound(s, target, round == 0, &reason);
  }
  report->reason = reason;
  report->residual = s->b_norm > 0 ? s->norm / s->b_norm : s->norm;
  return status;
}

static clStatus checkInput(const char *call, clContext *context, const clTriplets *A, const double *b, const double *x,
                           const clSystemOptions *o, const clSystemReport *report) {
  clError *error = txContextError(context);
  if (!context || !A || !b || !x || !report)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "context, A, b, x and report must not be NULL");
  if (A->rows != A->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d, not square", A->rows, A->cols);
  if (!(o->solver.tolerance >= 0) || !(o->solver.tolerance < 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the tolerance (%g) must be in [0, 1)", o->solver.tolerance);
  for (int32_t i = 0; i < A->rows; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return txFail(error, TEXLA_NOT_FINITE, call, "element %d of %s is not finite", i + 1,
                    isfinite(b[i]) ? "the start value" : "b");
  if (o->solver.method == TEXLA_METHOD_CG && !clTripletsIsSymmetric(A, 1e-6))
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "A is not symmetric, but conjugate gradients need a symmetric positive definite matrix");
  return TEXLA_OK;
}

static void release(solveSystem *s) {
  clSolverDestroy(s->solver);
  clVectorDestroy(s->device_x);
  clVectorDestroy(s->device_b);
  clMatrixDestroy(s->matrix);
  free(s->scale);
  free(s->r);
  free(s->candidate);
  free(s->single);
}

clStatus clSystemSolve(clContext *context, const clTriplets *A, const double *b, double *x,
                       const clSystemOptions *options, clSystemReport *report) {
  static const char call[] = "clSystemSolve";
  clSystemOptions o = options ? *options : (clSystemOptions){0};
  clStatus status = checkInput(call, context, A, b, x, &o, report);
  if (status)
    return status;
  clSystemReport result = {0};
  solveSystem s = {.context = context, .A = A, .b = b, .x = x, .options = &o, .report = &result};
  clContextCounters before = clContextCount(context);
  double start = now();
  s.b_norm = norm2(b, A->rows);
  status = setUp(&s);
  result.seconds_setup = now() - start;
  if (!status) {
    result.storage = clMatrixStorage(s.matrix);
    snprintf(result.description, sizeof result.description, "%s", clMatrixDescription(s.matrix));
    status = solveRounds(&s);
  }
  result.seconds_solve = now() - start - result.seconds_setup;
  result.passes = clContextCount(context).passes - before.passes;
  result.readbacks = clContextCount(context).readbacks - before.readbacks;
  release(&s);
  if (status < 0) {
    clSystemReportClear(&result);
    return status;
  }
  *report = result;
  return result.reason == TEXLA_REASON_CONVERGED ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}

void clSystemReportClear(clSystemReport *report) {
  if (!report)
    return;
  free(report->history);
  report->history = NULL;
  report->history_count = 0;
}
