/* A whole system in double on the host, solved in single precision on the device.
 *
 * With R and C diagonal matrices of powers of two, the device solves (R A C) y = R r / ||R r||; x <- x + alpha C y is
 * summed in double (solvers/refine.h). The true residual r = b - A x decides whether another round follows. */
#include "objects/matrix.h"
#include "solvers/block.h"
#include "solvers/plan.h"
#include "solvers/plu_system.h"
#include "solvers/refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char call[] = "clSystemSolve";

/* A right-hand side. */
typedef struct task {
  clSystemReport *report;
  txRefinement refinement;
  clReason reason; /* TEXLA_REASON_NONE: open */
  double floor;    /* what a round can be expected to give */
  int64_t budget;  /* iterations left */
} task;

/* The right-hand sides of a batch, and what a plan needs on the device. */
typedef struct solveSystem {
  clContext *context;
  const clTriplets *A;
  const clSystemOptions *options;
  int count; /* right-hand sides in all */
  task task[TX_COLUMNS];
  int tasks, columns; /* in this batch; that the solver takes at once */
  txRows rows;
  txMatrixFacts facts;
  txPlan plan;
  txScaling scale;
  float *single; /* on its way to or from the device */
  clMatrix *matrix;
  clVector *device_x[TX_COLUMNS], *device_b[TX_COLUMNS];
  clSolver *solver;
  double target;
  int64_t done;  /* iterations before the round, for the monitor, */
  double factor; /* and what makes its residuals relative to b */
} solveSystem;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool monitor(void *user, int64_t iteration, double residual) {
  solveSystem *s = user;
  const clSystemOptions *o = s->options;
  int64_t done = s->done + iteration;
  double relative = residual * s->factor;
  if (o->progress)
    o->progress(o->progress_user, done, relative);
  return !o->solver.monitor || o->solver.monitor(o->solver.monitor_user, done, relative);
}

/* The solver's part of the setup; what needs A on the host takes it scaled, as the device has it. */
static clStatus createSolver(solveSystem *s, const txScaled *scaled, int columns) {
  int32_t n = s->A->rows;
  clSolverOptions o = s->plan.solver;
  bool amg = o.method == TEXLA_METHOD_AMG || o.preconditioner == TEXLA_PRECONDITIONER_AMG;
  double *near = amg ? malloc((size_t)n * sizeof *near) : NULL;
  if (amg && !near)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d unknowns", n);
  for (int32_t i = 0; i < n && amg; i++)
    near[i] = 1 / s->scale.col[i]; /* A maps ones to something small, R A C maps these */
  o.host = &scaled->A;
  o.near_kernel = near;
  o.absolute = 0;
  o.tolerance = 0.1; /* each round has its own */
  o.monitor = monitor;
  o.monitor_user = s;
  o.columns = columns;
  clStatus status = txSolverCreate(&s->solver, s->matrix, &o, &scaled->rows);
  if (!status)
    s->solver->from_zero = true;
  free(near);
  s->columns = columns;
  return status;
}

static clStatus createVectors(solveSystem *s, int columns) {
  clStatus status = TEXLA_OK;
  for (int j = 0; j < columns && !status; j++)
    if (!s->device_x[j] && !(status = clMatrixCreateVector(&s->device_x[j], s->matrix, TEXLA_SIDE_COLS)))
      status = clMatrixCreateVector(&s->device_b[j], s->matrix, TEXLA_SIDE_ROWS);
  return status;
}

static void destroyVectors(solveSystem *s, int first) {
  for (int j = first; j < TX_COLUMNS; j++) {
    clVectorDestroy(s->device_x[j]);
    clVectorDestroy(s->device_b[j]);
    s->device_x[j] = s->device_b[j] = NULL;
  }
}

/* As many right-hand sides at once as the method, the device's memory and the options allow and as are fast. */
static clStatus createSolvers(solveSystem *s, const txScaled *scaled) {
  const clSolverOptions *o = &s->plan.solver;
  int columns = s->count < TX_COLUMNS ? s->count : TX_COLUMNS;
  bool able = o->method == TEXLA_METHOD_CG && o->preconditioner <= TEXLA_PRECONDITIONER_JACOBI, worth = true;
  if (o->columns && o->columns < columns)
    columns = o->columns;
  clStatus status = createVectors(s, 1);
  if (!status && able && columns > 1) {
    clStatus several = createVectors(s, columns);
    if (!several)
      several = createSolver(s, scaled, columns);
    if (!several)
      several = txBlockWorthWhile(s->solver, columns, s->device_x, (const clVector *const *)s->device_b, &worth);
    if (!several && (worth || o->columns))
      return TEXLA_OK;
    clSolverDestroy(s->solver);
    s->solver = NULL;
    destroyVectors(s, 1);
  }
  return status ? status : createSolver(s, scaled, 1);
}

static void releaseDevice(solveSystem *s) {
  clSolverDestroy(s->solver);
  s->solver = NULL;
  destroyVectors(s, 0);
  clMatrixDestroy(s->matrix);
  txScalingDestroy(&s->scale);
  s->matrix = NULL;
}

static clStatus setUpDevice(solveSystem *s) {
  txScaled scaled = {0};
  clMatrixOptions o = s->options->matrix;
  clError *error = txContextError(s->context);
  if (s->plan.solver.grid_nx || s->plan.solver.grid_ny) {
    o.grid_nx = s->plan.solver.grid_nx;
    o.grid_ny = s->plan.solver.grid_ny;
  }
  clStatus status = txScalingCreate(&s->scale, &s->rows, s->plan.scaling, error);
  if (!status)
    status = txScalingApply(&scaled, &s->scale, s->plan.sign, error);
  if (!status)
    status = txMatrixCreate(&s->matrix, s->context, &scaled.rows, &o, false);
  if (!status)
    status = createSolvers(s, &scaled);
  txScaledDestroy(&scaled);
  return status;
}

static clStatus setUp(solveSystem *s) {
  size_t n = (size_t)s->A->rows;
  s->single = malloc(n * sizeof *s->single);
  if (!s->single)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %zu unknowns", n);
  clStatus status = txRowsFind(&s->rows, s->A, call, txContextError(s->context));
  if (status)
    return status;
  txMatrixLookAt(&s->facts, &s->rows, s->options);
  txPlanMake(&s->plan, &s->facts, s->A->rows, s->options);
  if (s->plan.solver.method == TEXLA_METHOD_CG && !s->facts.symmetric)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "A is not symmetric, but conjugate gradients need a symmetric positive definite matrix; bicgstab and "
                  "gmres do not");
  return setUpDevice(s);
}

/* A restart's first value is the last round's end, measured anew. */
static clStatus appendHistory(const solveSystem *s, clSystemReport *report, const double *values, int64_t count,
                              double factor) {
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

/* What makes residuals of a round relative to b. */
static double factorOf(const task *t) {
  return t->refinement.b_norm > 0 ? t->refinement.norm / t->refinement.b_norm : 1;
}

/* device_b <- R r / ||R r||, device_x <- 0. The round's tolerance is what is still missing of the whole, with some room for
 * what single precision loses, little where that is far; not much more than the last round has given. */
static clStatus prepareRound(solveSystem *s, task *const *open, int count, double *tolerance) {
  clStatus status = TEXLA_OK;
  s->solver->options.max_iterations = INT64_MAX;
  s->done = 0;
  s->factor = 0;
  for (int j = 0; j < count && !status; j++) {
    task *t = open[j];
    const txRefinement *ref = &t->refinement;
    double missing = s->target * ref->b_norm / ref->norm, room = missing > 30 * t->floor ? 0.9 : 0.5;
    tolerance[j] = fmin(fmax(room * missing, t->floor), 0.1);
    t->report->restarts += t->report->history_count > 0;
    if (t->budget < s->solver->options.max_iterations)
      s->solver->options.max_iterations = t->budget;
    if (t->report->iterations > s->done)
      s->done = t->report->iterations;
    s->factor = fmax(s->factor, factorOf(t));
    txRefineNarrow(ref, s->single);
    status = clVectorUpload(s->device_b[j], s->single);
    if (!status)
      status = clVectorClear(s->device_x[j]);
  }
  return status;
}

/* Failures of an iteration that may be due to single precision: worth a restart while restarts help. */
static bool mayRecover(clReason reason) {
  return reason == TEXLA_REASON_CONVERGED || reason == TEXLA_REASON_STAGNATED || reason == TEXLA_REASON_BREAKDOWN ||
         reason == TEXLA_REASON_DIVERGED || reason == TEXLA_REASON_NOT_POSITIVE_DEFINITE;
}

/* What device_x[j] has done for t; its reason stays TEXLA_REASON_NONE when another round is worth while. */
static clStatus finishRound(solveSystem *s, task *t, int j, const clSolverReport *inner) {
  txRefinement *ref = &t->refinement;
  double gain = 1;
  int64_t count = 0;
  const double *history = clSolverHistoryOf(s->solver, j, &count);
  bool cut = inner->reason == TEXLA_REASON_MAX_ITERATIONS && inner->iterations < t->budget; /* by another's budget */
  clStatus status = appendHistory(s, t->report, history, count, factorOf(t));
  t->report->iterations += inner->iterations;
  if (!s->options->refine)
    t->budget -= inner->iterations;
  if (!status)
    status = clVectorDownload(s->device_x[j], s->single);
  if (!status)
    status = txRefineStep(ref, &s->scale, s->single, &gain, txContextError(s->context));
  if (status)
    return status;
  t->floor = fmax(t->floor, 0.3 / gain);
  if (ref->norm <= s->target * ref->b_norm)
    t->reason = TEXLA_REASON_CONVERGED;
  else if (!mayRecover(inner->reason) && !cut)
    t->reason = inner->reason;
  else if (gain < 2 && !cut)
    t->reason = inner->reason == TEXLA_REASON_CONVERGED ? TEXLA_REASON_STAGNATED : inner->reason;
  else if (t->budget < 1)
    t->reason = TEXLA_REASON_MAX_ITERATIONS;
  return TEXLA_OK;
}

/* One round for the first open tasks, as many as the solver takes; *any <- was there one? */
static clStatus solveRound(solveSystem *s, bool *any) {
  task *open[TX_COLUMNS];
  clSolverReport inner[TX_COLUMNS] = {{0}};
  double tolerance[TX_COLUMNS];
  int count = 0;
  for (int j = 0; j < s->tasks && count < s->columns; j++)
    if (!s->task[j].reason)
      open[count++] = &s->task[j];
  *any = count > 0;
  if (!count)
    return TEXLA_OK;
  clStatus status = prepareRound(s, open, count, tolerance);
  if (!status)
    status =
        txSolverSolveColumns(s->solver, count, s->device_x, (const clVector *const *)s->device_b, tolerance, inner);
  if (status > 0) /* not converged is no failure here */
    status = TEXLA_OK;
  for (int j = 0; j < count && !status; j++)
    status = finishRound(s, open[j], j, &inner[j]);
  return status;
}

/* Is ||(R A C)^T R r|| nearly zero? Then no x has a smaller residual than this one. */
static bool isLeastSquares(const solveSystem *s, const txRefinement *ref, double *work) {
  const clTriplets *A = s->A;
  double largest = 0;
  memset(work, 0, (size_t)A->cols * sizeof *work);
  for (int64_t k = 0; k < A->count; k++) {
    double v = s->scale.row[A->row[k]] * A->value[k] * s->scale.col[A->col[k]];
    largest = fmax(largest, fabs(v));
    work[A->col[k]] += v * ref->scaled[A->row[k]];
  }
  return txNorm(work, A->cols) <= 1e-5 * largest * ref->scaled_norm;
}

/* Do A's rows sum to zero, but not b? Then no x leaves less of the residual than the mean of b. */
static bool isOutOfReach(const solveSystem *s, const txRefinement *ref, double *work) {
  const clTriplets *A = s->A;
  double largest = 0, rows = 0, sum = 0;
  memset(work, 0, (size_t)A->cols * sizeof *work);
  for (int64_t k = 0; k < A->count; k++) {
    largest = fmax(largest, fabs(A->value[k]));
    work[A->col[k]] += A->value[k];
  }
  for (int32_t j = 0; j < A->cols; j++)
    rows = fmax(rows, fabs(work[j]));
  for (int32_t i = 0; i < A->rows; i++)
    sum += ref->b[i];
  return rows <= 1e-10 * largest && fabs(sum) / sqrt(A->rows) > s->target * ref->b_norm;
}

static clStatus checkConsistency(const solveSystem *s, task *t) {
  const txRefinement *ref = &t->refinement;
  if (t->reason == TEXLA_REASON_CONVERGED || t->reason == TEXLA_REASON_STOPPED || !isfinite(ref->scaled_norm))
    return TEXLA_OK;
  double *work = malloc((size_t)s->A->cols * sizeof *work);
  if (!work)
    return txFail(txContextError(s->context), TEXLA_OUT_OF_MEMORY, call, "no memory for %d unknowns", s->A->cols);
  if (isLeastSquares(s, ref, work) || isOutOfReach(s, ref, work))
    t->reason = TEXLA_REASON_INCONSISTENT;
  free(work);
  return TEXLA_OK;
}

static void startRounds(const solveSystem *s, task *t) {
  const txRefinement *ref = &t->refinement;
  int64_t max = s->options->solver.max_iterations;
  t->budget = max > 0 ? max : 10 * (int64_t)s->A->rows;
  if (s->plan.limit && s->plan.limit < t->budget)
    t->budget = s->plan.limit;
  t->floor = s->solver->method == &txStationary ? 1e-3 : 1e-6; /* that one sees the rounding of its residual */
  t->reason = ref->norm <= s->target * ref->b_norm ? TEXLA_REASON_CONVERGED : TEXLA_REASON_NONE;
}

static clStatus solveRounds(solveSystem *s) {
  bool ran[TX_COLUMNS], any = true;
  clStatus status = TEXLA_OK;
  for (int j = 0; j < s->tasks; j++) {
    ran[j] = !s->task[j].reason;
    if (ran[j])
      startRounds(s, &s->task[j]);
  }
  while (any && !status)
    status = solveRound(s, &any);
  for (int j = 0; j < s->tasks && !status; j++)
    if (ran[j])
      status = checkConsistency(s, &s->task[j]);
  return status;
}

/* The plan that is direct: from the x that was reached. A singular matrix is the end of this plan only. */
static clStatus solveDirectly(const solveSystem *s, task *t) {
  const txRefinement *ref = &t->refinement;
  clSystemReport direct = {0};
  clStatus status = txPluSystemSolve(s->context, s->A, 1, ref->b, ref->x, s->target, s->options, &direct);
  if (status == TEXLA_SINGULAR) {
    t->reason = TEXLA_REASON_BREAKDOWN;
    status = TEXLA_OK;
  } else if (!status) {
    t->reason = direct.reason;
    status = appendHistory(s, t->report, direct.history, direct.history_count, 1);
    t->report->iterations += direct.iterations;
    t->report->storage = direct.storage;
    snprintf(t->report->description, sizeof t->report->description, "%s", direct.description);
  }
  clSystemReportClear(&direct);
  txRefineRescale(&t->refinement, &s->scale);
  return status;
}

static void describe(const solveSystem *s, const task *t) {
  clSystemReport *report = t->report;
  report->reason = t->reason;
  report->residual = t->refinement.b_norm > 0 ? factorOf(t) : t->refinement.norm;
  report->method = s->plan.solver.method;
  report->preconditioner = s->plan.solver.preconditioner;
  snprintf(report->chosen_because, sizeof report->chosen_because, "%s", s->plan.because);
  if (report->method == TEXLA_METHOD_PLU)
    return;
  report->storage = clMatrixStorage(s->matrix);
  snprintf(report->description, sizeof report->description, "%s", clMatrixDescription(s->matrix));
}

/* The plan for all tasks that are open. */
static clStatus solvePlan(solveSystem *s) {
  bool direct = s->plan.solver.method == TEXLA_METHOD_PLU, ran[TX_COLUMNS];
  clStatus status = TEXLA_OK;
  for (int j = 0; j < s->tasks; j++)
    ran[j] = !s->task[j].reason;
  for (int j = 0; j < s->tasks && direct && !status; j++)
    if (ran[j])
      status = solveDirectly(s, &s->task[j]);
  if (!direct)
    status = solveRounds(s);
  for (int j = 0; j < s->tasks && !status; j++)
    if (ran[j])
      describe(s, &s->task[j]);
  return status;
}

/* Is there another plan for one of the tasks? Then these are open again. */
static bool nextPlan(solveSystem *s) {
  bool next = false;
  for (int j = 0; j < s->tasks && !next; j++)
    next = txPlanNext(&s->plan, &s->facts, s->A->rows, s->task[j].reason);
  for (int j = 0; j < s->tasks && next; j++)
    if (!txPlanEnds(s->task[j].reason))
      s->task[j].reason = TEXLA_REASON_NONE;
  return next;
}

/* What the device holds is for the last plan. */
static clStatus setUpAnew(solveSystem *s) {
  if (s->plan.solver.method == TEXLA_METHOD_PLU)
    return TEXLA_OK;
  releaseDevice(s);
  clStatus status = setUpDevice(s);
  for (int j = 0; j < s->tasks && !status; j++)
    if (!s->task[j].reason)
      txRefineRescale(&s->task[j].refinement, &s->scale);
  return status;
}

/* The plan, and those that follow when it fails; later right-hand sides begin with the last one. */
static clStatus solvePlans(solveSystem *s) {
  clStatus status = solvePlan(s);
  while (!status && nextPlan(s)) {
    status = setUpAnew(s);
    if (!status)
      status = solvePlan(s);
  }
  return status;
}

/* As many right-hand sides as the solver takes. What they share is part of the first report. */
static clStatus solveBatch(solveSystem *s, const double *b, double *x, clSystemReport *reports) {
  clContextCounters before = clContextCount(s->context);
  double start = now();
  int64_t n = s->A->rows;
  clStatus status = TEXLA_OK;
  for (int j = 0; j < s->tasks && !status; j++) {
    s->task[j] = (task){.report = &reports[j]};
    status = txRefineStart(&s->task[j].refinement, s->A, b + j * n, x + j * n, &s->scale, txContextError(s->context));
  }
  if (!status)
    status = solvePlans(s);
  for (int j = 0; j < s->tasks; j++) {
    txRefineDestroy(&s->task[j].refinement);
    s->task[j] = (task){0};
  }
  reports->seconds_solve = now() - start;
  reports->passes += clContextCount(s->context).passes - before.passes;
  reports->readbacks += clContextCount(s->context).readbacks - before.readbacks;
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
  if (o->solver.columns < 0 || o->solver.columns > TX_COLUMNS)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "columns (%d) must be between 0 and %d", o->solver.columns,
                  TX_COLUMNS);
  for (int64_t i = 0; i < (int64_t)A->rows * count; i++)
    if (!isfinite(b[i]) || !isfinite(x[i]))
      return txFail(error, TEXLA_NOT_FINITE, call, "element %lld of %s is not finite", (long long)i + 1,
                    isfinite(b[i]) ? "the start value" : "b");
  return TEXLA_OK;
}

/* With one setup, which is part of the first report. */
static clStatus solveMany(clContext *context, const clTriplets *A, int count, const double *b, double *x, double target,
                          const clSystemOptions *options, clSystemReport *results) {
  solveSystem s = {.context = context, .A = A, .options = options, .count = count, .target = target};
  clContextCounters before = clContextCount(context);
  double start = now();
  clStatus status = setUp(&s);
  results->seconds_setup = now() - start;
  results->passes = clContextCount(context).passes - before.passes;
  results->readbacks = clContextCount(context).readbacks - before.readbacks;
  for (int k = 0; k < count && !status; k += s.tasks) {
    s.tasks = count - k < s.columns ? count - k : s.columns;
    status = solveBatch(&s, b + (int64_t)k * A->rows, x + (int64_t)k * A->rows, &results[k]);
  }
  releaseDevice(&s);
  txRowsForget(&s.rows);
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
