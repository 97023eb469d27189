/* A whole system in double on the host, solved in single precision on the device.
 *
 * With R and C diagonal matrices of powers of two, the device solves (R A C) y = R r / ||R r||; x <- x + alpha C y is
 * summed in double (solvers/refine.h). The true residual r = b - A x decides whether another round follows. */
#include "solvers/plan.h"
#include "solvers/plu_system.h"
#include "solvers/refine.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char call[] = "clSystemSolve";

/* What a plan needs on the device. */
typedef struct solveSystem {
  clContext *context;
  const clTriplets *A;
  const clSystemOptions *options;
  clSystemReport *report;
  txMatrixFacts facts;
  txPlan plan;
  txScaling scale;
  txRefinement refinement;
  float *single; /* on its way to or from the device */
  clMatrix *matrix;
  clVector *device_x, *device_b;
  clSolver *solver;
  double target, floor; /* of the whole; what a round can be expected to give */
  int64_t budget;       /* iterations left */
} solveSystem;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool monitor(void *user, int64_t iteration, double residual) {
  solveSystem *s = user;
  const clSystemOptions *o = s->options;
  const txRefinement *ref = &s->refinement;
  int64_t done = s->report->iterations + iteration;
  double relative = ref->b_norm > 0 ? residual * ref->norm / ref->b_norm : residual;
  if (o->progress)
    o->progress(o->progress_user, done, relative);
  return !o->solver.monitor || o->solver.monitor(o->solver.monitor_user, done, relative);
}

/* The solver's part of the setup; what needs A on the host takes it scaled, as the device has it. */
static clStatus createSolver(solveSystem *s, const clTriplets *scaled) {
  int32_t n = s->A->rows;
  clSolverOptions o = s->plan.solver;
  double *near = malloc((size_t)n * sizeof *near);
  if (!near)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d unknowns", n);
  for (int32_t i = 0; i < n; i++)
    near[i] = 1 / s->scale.col[i]; /* A maps ones to something small, R A C maps these */
  o.host = scaled;
  o.near_kernel = near;
  o.absolute = 0;
  o.tolerance = 0.1; /* each round has its own */
  o.monitor = monitor;
  o.monitor_user = s;
  clStatus status = clSolverCreate(&s->solver, s->matrix, &o);
  if (!status)
    s->solver->from_zero = true;
  free(near);
  return status;
}

static void releaseDevice(solveSystem *s) {
  clSolverDestroy(s->solver);
  clVectorDestroy(s->device_x);
  clVectorDestroy(s->device_b);
  clMatrixDestroy(s->matrix);
  txScalingDestroy(&s->scale);
  s->solver = NULL;
  s->device_x = s->device_b = NULL;
  s->matrix = NULL;
}

static clStatus setUpDevice(solveSystem *s) {
  clTriplets *scaled = NULL;
  clMatrixOptions o = s->options->matrix;
  clError *error = txContextError(s->context);
  if (s->plan.solver.grid_nx || s->plan.solver.grid_ny) {
    o.grid_nx = s->plan.solver.grid_nx;
    o.grid_ny = s->plan.solver.grid_ny;
  }
  clStatus status = txScalingCreate(&s->scale, s->A, s->plan.scaling, error);
  if (!status)
    status = txScalingApply(&scaled, &s->scale, s->plan.sign, s->A, error);
  if (!status)
    status = clMatrixCreate(&s->matrix, s->context, scaled, &o);
  if (!status)
    status = clMatrixCreateVector(&s->device_x, s->matrix, TEXLA_SIDE_COLS);
  if (!status)
    status = clMatrixCreateVector(&s->device_b, s->matrix, TEXLA_SIDE_ROWS);
  if (!status)
    status = createSolver(s, scaled);
  clTripletsDestroy(scaled);
  return status;
}

static clStatus setUp(solveSystem *s) {
  size_t n = (size_t)s->A->rows;
  s->single = malloc(n * sizeof *s->single);
  if (!s->single)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %zu unknowns", n);
  txMatrixLookAt(&s->facts, s->A);
  s->facts.grid = s->options->solver.grid_nx || s->options->matrix.grid_nx;
  txPlanMake(&s->plan, &s->facts, s->A->rows, s->options);
  if (s->plan.solver.method == TEXLA_METHOD_CG && !s->facts.symmetric)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "A is not symmetric, but conjugate gradients need a symmetric positive definite matrix; bicgstab and "
                  "gmres do not");
  return setUpDevice(s);
}

/* device_b <- R r / ||R r||, device_x <- 0 */
static clStatus uploadResidual(solveSystem *s) {
  txRefineNarrow(&s->refinement, s->single);
  clStatus status = clVectorUpload(s->device_b, s->single);
  return status ? status : clVectorClear(s->device_x);
}

/* A restart's first value is the last round's end, measured anew. */
static clStatus appendHistory(solveSystem *s, const double *values, int64_t count, double factor) {
  clSystemReport *report = s->report;
  int64_t skip = report->history_count ? 1 : 0;
  if (count <= skip)
    return TEXLA_OK;
  double *grown = realloc(report->history, (size_t)(report->history_count + count) * sizeof *grown);
  if (!grown)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for the history");
  report->history = grown;
  for (int64_t i = skip; i < count; i++)
    grown[report->history_count++] = factor * values[i];
  return TEXLA_OK;
}

/* The device's part of a round. Its tolerance is what is still missing of the whole, with some room for what single
 * precision loses, little where that is far; not much more than the last round has given. */
static clStatus solveOnDevice(solveSystem *s, clReason *reason) {
  const txRefinement *ref = &s->refinement;
  clSolverReport inner = {0};
  double missing = s->target * ref->b_norm / ref->norm;
  clStatus status = uploadResidual(s);
  if (status)
    return status;
  double room = missing > 30 * s->floor ? 0.9 : 0.5, tolerance = fmin(fmax(room * missing, s->floor), 0.1);
  s->solver->options.max_iterations = s->budget;
  status = txSolverSolveColumns(s->solver, 1, &s->device_x, (const clVector *const *)&s->device_b, &tolerance, &inner);
  if (status < 0)
    return status;
  *reason = inner.reason;
  int64_t count = 0;
  const double *history = clSolverHistory(s->solver, &count);
  status = appendHistory(s, history, count, ref->b_norm > 0 ? ref->norm / ref->b_norm : 1);
  s->report->iterations += inner.iterations;
  if (!s->options->refine)
    s->budget -= inner.iterations;
  return status ? status : clVectorDownload(s->device_x, s->single);
}

/* Failures of an iteration that may be due to single precision: worth a restart while restarts help. */
static bool mayRecover(clReason reason) {
  return reason == TEXLA_REASON_CONVERGED || reason == TEXLA_REASON_STAGNATED || reason == TEXLA_REASON_BREAKDOWN ||
         reason == TEXLA_REASON_DIVERGED || reason == TEXLA_REASON_NOT_POSITIVE_DEFINITE;
}

/* One round; *reason is TEXLA_REASON_NONE when another one is worth while. */
static clStatus solveRound(solveSystem *s, clReason *reason) {
  txRefinement *ref = &s->refinement;
  clReason inner = TEXLA_REASON_NONE;
  double gain = 1;
  clStatus status = solveOnDevice(s, &inner);
  if (!status)
    status = txRefineStep(ref, &s->scale, s->single, &gain, txContextError(s->context));
  if (status)
    return status;
  s->floor = fmax(s->floor, 0.3 / gain);
  if (ref->norm <= s->target * ref->b_norm)
    *reason = TEXLA_REASON_CONVERGED;
  else if (!mayRecover(inner))
    *reason = inner;
  else if (gain < 2)
    *reason = inner == TEXLA_REASON_CONVERGED ? TEXLA_REASON_STAGNATED : inner;
  else if (s->budget < 1)
    *reason = TEXLA_REASON_MAX_ITERATIONS;
  return TEXLA_OK;
}

/* Is ||(R A C)^T R r|| nearly zero? Then no x has a smaller residual than this one. */
static bool isLeastSquares(const solveSystem *s, double *work) {
  const clTriplets *A = s->A;
  const double *r = s->refinement.scaled;
  double largest = 0;
  memset(work, 0, (size_t)A->cols * sizeof *work);
  for (int64_t k = 0; k < A->count; k++) {
    double v = s->scale.row[A->row[k]] * A->value[k] * s->scale.col[A->col[k]];
    largest = fmax(largest, fabs(v));
    work[A->col[k]] += v * r[A->row[k]];
  }
  return txNorm(work, A->cols) <= 1e-5 * largest * s->refinement.scaled_norm;
}

static clStatus checkConsistency(const solveSystem *s, clReason *reason) {
  if (*reason == TEXLA_REASON_CONVERGED || *reason == TEXLA_REASON_STOPPED || !isfinite(s->refinement.scaled_norm))
    return TEXLA_OK;
  double *work = malloc((size_t)s->A->cols * sizeof *work);
  if (!work)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d unknowns", s->A->cols);
  if (isLeastSquares(s, work))
    *reason = TEXLA_REASON_INCONSISTENT;
  free(work);
  return TEXLA_OK;
}

static clStatus solveRounds(solveSystem *s, clReason *reason) {
  const txRefinement *ref = &s->refinement;
  int64_t max = s->options->solver.max_iterations;
  s->budget = max > 0 ? max : 10 * (int64_t)s->A->rows;
  if (s->plan.limit && s->plan.limit < s->budget)
    s->budget = s->plan.limit;
  s->floor = s->solver->method == &txStationary ? 1e-3 : 1e-6; /* that one sees the rounding of its residual */
  *reason = ref->norm <= s->target * ref->b_norm ? TEXLA_REASON_CONVERGED : TEXLA_REASON_NONE;
  clStatus status = TEXLA_OK;
  while (!*reason && !status) {
    s->report->restarts += s->report->history_count > 0;
    status = solveRound(s, reason);
  }
  return status ? status : checkConsistency(s, reason);
}

/* The plan that is direct: from the x that was reached. A singular matrix is the end of this plan only. */
static clStatus solveDirectly(solveSystem *s, clReason *reason) {
  const txRefinement *ref = &s->refinement;
  clSystemReport direct = {0};
  clStatus status = txPluSystemSolve(s->context, s->A, 1, ref->b, ref->x, s->target, s->options, &direct);
  if (status == TEXLA_SINGULAR) {
    *reason = TEXLA_REASON_BREAKDOWN;
    status = TEXLA_OK;
  } else if (!status) {
    *reason = direct.reason;
    status = appendHistory(s, direct.history, direct.history_count, 1);
    s->report->iterations += direct.iterations;
    s->report->storage = direct.storage;
    snprintf(s->report->description, sizeof s->report->description, "%s", direct.description);
  }
  clSystemReportClear(&direct);
  txRefineRescale(&s->refinement, s->scale.row);
  return status;
}

/* What the device holds now is for the last plan. */
static clStatus solveAnew(solveSystem *s, clReason *reason) {
  releaseDevice(s);
  clStatus status = setUpDevice(s);
  if (status)
    return status;
  txRefineRescale(&s->refinement, s->scale.row);
  return solveRounds(s, reason);
}

/* The plan, and those that follow when it fails; later right-hand sides begin with the last one. */
static clStatus solvePlans(solveSystem *s) {
  clReason reason = TEXLA_REASON_NONE;
  bool direct = s->plan.solver.method == TEXLA_METHOD_PLU;
  clStatus status = direct ? solveDirectly(s, &reason) : solveRounds(s, &reason);
  while (!status && txPlanNext(&s->plan, &s->facts, s->A->rows, reason)) {
    direct = s->plan.solver.method == TEXLA_METHOD_PLU;
    status = direct ? solveDirectly(s, &reason) : solveAnew(s, &reason);
  }
  s->report->reason = reason;
  return status;
}

static void describe(const solveSystem *s, clSystemReport *report) {
  const txRefinement *ref = &s->refinement;
  report->residual = ref->b_norm > 0 ? ref->norm / ref->b_norm : ref->norm;
  report->method = s->plan.solver.method;
  report->preconditioner = s->plan.solver.preconditioner;
  snprintf(report->chosen_because, sizeof report->chosen_because, "%s", s->plan.because);
  if (report->method == TEXLA_METHOD_PLU)
    return;
  report->storage = clMatrixStorage(s->matrix);
  snprintf(report->description, sizeof report->description, "%s", clMatrixDescription(s->matrix));
}

static clStatus solveOne(solveSystem *s, const double *b, double *x, clSystemReport *report) {
  clContextCounters before = clContextCount(s->context);
  double start = now();
  s->report = report;
  clStatus status = txRefineStart(&s->refinement, s->A, b, x, s->scale.row, txContextError(s->context));
  if (!status)
    status = solvePlans(s);
  if (!status)
    describe(s, report);
  report->seconds_solve = now() - start;
  report->passes += clContextCount(s->context).passes - before.passes;
  report->readbacks += clContextCount(s->context).readbacks - before.readbacks;
  txRefineDestroy(&s->refinement);
  return status;
}

static clStatus checkInput(clContext *context, const clTriplets *A, int count, const double *b, const double *x,
                           const clSystemOptions *o, const clSystemReport *reports) {
  clError *error = txContextError(context);
  if (!context || !A || !b || !x || !reports || count < 1)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "context, A, b, x and report must not be NULL");
  if (A->rows != A->cols)
    return txFail(error, TEXLA_BAD_SHAPE, call, "A is %d x %d, not square", A->rows, A->cols);
  if (!(o->solver.tolerance >= 0) || !(o->solver.tolerance < 1))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "the tolerance (%g) must be in [0, 1)", o->solver.tolerance);
  for (int64_t i = 0; i < (int64_t)A->rows * count; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return txFail(error, TEXLA_NOT_FINITE, call, "element %lld of %s is not finite", (long long)i + 1,
                    isfinite(b[i]) ? "the start value" : "b");
  return TEXLA_OK;
}

/* One after the other with one setup, which is part of the first report. */
static clStatus solveMany(clContext *context, const clTriplets *A, int count, const double *b, double *x, double target,
                          const clSystemOptions *options, clSystemReport *results) {
  solveSystem s = {.context = context, .A = A, .options = options, .report = results, .target = target};
  clContextCounters before = clContextCount(context);
  double start = now();
  clStatus status = setUp(&s);
  results->seconds_setup = now() - start;
  results->passes = clContextCount(context).passes - before.passes;
  results->readbacks = clContextCount(context).readbacks - before.readbacks;
  for (int k = 0; k < count && !status; k++)
    status = solveOne(&s, b + (int64_t)k * A->rows, x + (int64_t)k * A->rows, &results[k]);
  releaseDevice(&s);
  free(s.single);
  return status;
}

clStatus clSystemSolveMany(clContext *context, const clTriplets *A, int count, const double *b, double *x,
                           const clSystemOptions *options, clSystemReport *reports) {
  clSystemOptions o = options ? *options : (clSystemOptions){0};
  clStatus status = checkInput(context, A, count, b, x, &o, reports);
  if (status)
    return status;
  clSystemReport *results = calloc((size_t)count, sizeof *results);
  if (!results)
    return txFail(txContextError(context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d reports", count);
  double target = o.solver.tolerance > 0 ? o.solver.tolerance : o.refine ? 1e-12 : 1e-6;
  bool direct = o.solver.method == TEXLA_METHOD_PLU, converged = true;
  status = (direct ? txPluSystemSolve : solveMany)(context, A, count, b, x, target, &o, results);
  for (int k = 0; k < count; k++)
    converged = converged && results[k].reason == TEXLA_REASON_CONVERGED;
  for (int k = 0; k < count && status; k++)
    clSystemReportClear(&results[k]);
  if (!status)
    memcpy(reports, results, (size_t)count * sizeof *results);
  free(results);
  return status ? status : converged ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}

clStatus clSystemSolve(clContext *context, const clTriplets *A, const double *b, double *x,
                       const clSystemOptions *options, clSystemReport *report) {
  return clSystemSolveMany(context, A, 1, b, x, options, report);
}

void clSystemReportClear(clSystemReport *report) {
  if (!report)
    return;
  free(report->history);
  report->history = NULL;
  report->history_count = 0;
}
