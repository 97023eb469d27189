/* A whole system in double on the host, solved in single precision on the device: plans that follow
 * each other, batches of right-hand sides, the public calls. */
#include "system/system.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/try.h"
#include "gl/observe.h"
#include "multigrid/aggregation.h"
#include "system/direct.h"
#include "platform/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clSystemSolve";

/* What solved a task, for its report. */
static void describe(const txSystem *s, const txTask *t) {
  clSystemReport *report = t->report;
  report->reason = t->reason;
  report->residual = txTaskResidual(t);
  report->method = s->plan.solver.method;
  report->preconditioner = s->plan.solver.preconditioner;
  snprintf(report->chosen_because, sizeof report->chosen_because, "%s", s->plan.because);
  txVerdictSay(report, s->target);
  if (txIsDirect(report->method)) {
    const char *factors = "P A = L U";
    if (report->method == TEXLA_METHOD_CHOLESKY)
      factors = "A = L L^T, packed,";
    report->storage = TEXLA_STORAGE_DENSE;
    snprintf(report->description, sizeof report->description,
             "dense, 2 x 2 entries in a texel, %s of %d x %d", factors, s->A->rows, s->A->cols);
    return;
  }
  report->storage = clMatrixStorage(s->matrix);
  snprintf(report->description, sizeof report->description, "%s", clMatrixDescription(s->matrix));
}

/* The plan for all tasks that are open. */
static clStatus solvePlan(txSystem *s) {
  TRY(txRoundsSolve(s));
  for (int j = 0; j < s->tasks; j++)
    if (s->task[j].ran)
      describe(s, &s->task[j]);
  return TEXLA_OK;
}

/* Beyond TX_DENSE unknowns a factorization is worth its memory and time only beside what iterations
 * may still take. */
static clStatus weighDirect(const txSystem *s, const txTask *t, bool *direct, char *cost,
                            size_t n) {
  int64_t max = s->options->solver.max_iterations, unknowns = s->A->rows;
  double done = (double)t->report->iterations, left = 10 * (double)unknowns;
  if (max > 0)
    left = (double)max;
  txDirectCost factoring;
  *direct = unknowns <= TX_DENSE;
  if (*direct)
    return TEXLA_OK;
  TRY(txDirectEstimate(&factoring, s->context, s->A->rows));
  double iterating = INFINITY;
  if (done > 0)
    iterating = s->seconds * left / done;
  *direct = factoring.fits && factoring.seconds < iterating;
  if (!factoring.fits)
    snprintf(cost, n, "plu would need %.3g GB", factoring.bytes / 1e9);
  else
    snprintf(cost, n, "plu needs %.2g GB and about %.2g s, %.0f iterations %.2g s",
             factoring.bytes / 1e9, factoring.seconds, left, iterating);
  return TEXLA_OK;
}

/* No plan follows. */
static bool ends(const txSystem *s, const txTask *t) {
  return txPlanEnds(t->reason) || txTaskBudget(s, t) < 1;
}

/* Is there another plan for one of the tasks? Then these are open again. A hierarchy with
 * aggregates of other values is no reason for another plan, but for one with its own. */
static clStatus nextPlan(txSystem *s, bool *next) {
  *next = false;
  for (int j = 0; j < s->tasks && s->reused; j++)
    *next = *next || !ends(s, &s->task[j]);
  s->reused = s->reused && !*next;
  for (int j = 0; j < s->tasks && !*next; j++) {
    const txTask *t = &s->task[j];
    char cost[128] = "";
    bool direct = false;
    if (ends(s, t))
      continue;
    if (txPlanAsksDirect(&s->plan, t->reason))
      TRY(weighDirect(s, t, &direct, cost, sizeof cost));
    if (s->failed)
      snprintf(cost, sizeof cost, "%s", clStatusText(s->failed));
    *next = txPlanNext(&s->plan, &s->facts, s->A->rows, t->reason, direct, *cost ? cost : NULL);
  }
  for (int j = 0; j < s->tasks && *next; j++)
    if (!ends(s, &s->task[j]))
      s->task[j].reason = TEXLA_REASON_NONE;
  return TEXLA_OK;
}

/* What the device holds is for the last plan. */
static clStatus setUpAnew(txSystem *s) {
  txDirectDestroy(s->direct);
  s->direct = NULL;
  txSystemReleaseDevice(s);
  clStatus status = txSystemSetUpDevice(s);
  for (int j = 0; j < s->tasks && s->scale.row; j++) {
    if (s->task[j].reason)
      continue;
    txTaskMeasure(s, &s->task[j]);
    txRefineRescale(&s->task[j].refinement, &s->scale);
  }
  return status;
}

/* Can another plan do better after this error? */
static bool endsPlanOnly(const txSystem *s, clStatus status) {
  return status < 0 && s->plan.automatic && status != TEXLA_CONTEXT_LOST &&
         status != TEXLA_DEVICE_ERROR && status != TEXLA_SHADER_ERROR && status != TEXLA_CANCELLED;
}

/* A plan that ended with an error keeps what was reached: open tasks get the reason of the plan
 * before, or a breakdown. */
static clStatus survive(txSystem *s, clStatus status) {
  if (!endsPlanOnly(s, status) || !s->scale.row)
    return status;
  s->failed = status;
  for (int j = 0; j < s->tasks; j++) {
    txTask *t = &s->task[j];
    if (t->reason)
      continue;
    clStatus left = txRefineLeaveDevice(&t->refinement, &t->metric);
    if (left && !endsPlanOnly(s, left))
      return left;
    txRefineBest(&t->refinement, &t->metric);
    txRefineRescale(&t->refinement, &t->metric);
    t->reason = TEXLA_REASON_BREAKDOWN;
    if (t->report->reason) {
      char *because = t->report->chosen_because;
      size_t used = strlen(because);
      t->reason = t->report->reason;
      t->report->residual = txTaskResidual(t);
      snprintf(because + used, sizeof t->report->chosen_because - used, "; %s ended with %s",
               clMethodName(s->plan.solver.method), clStatusText(status));
    }
  }
  return TEXLA_OK;
}

/* An error is what comes of a task that no plan has worked on. */
static clStatus checkWorked(const txSystem *s) {
  for (int j = 0; j < s->tasks; j++)
    if (!s->task[j].report->reason)
      return s->failed;
  return TEXLA_OK;
}

/* The plan, and those that follow when it fails; later right-hand sides begin with the last one. */
static clStatus solvePlans(txSystem *s) {
  bool next = false;
  s->failed = TEXLA_OK;
  clStatus status = solvePlan(s);
  TRY(survive(s, status));
  TRY(nextPlan(s, &next));
  while (next) {
    s->failed = TEXLA_OK;
    status = setUpAnew(s);
    if (!status)
      status = solvePlan(s);
    TRY(survive(s, status));
    TRY(nextPlan(s, &next));
  }
  return checkWorked(s);
}

/* How long a hierarchy takes with its own values, and whether it takes much longer with those that
 * came after them. */
static void watch(txSystem *s, const txTask *t) {
  enum { FEW = 4 };
  static const double much = 1.5;
  const clSystemReport *report = t->report;
  double digits = 0;
  if (report->history_count && report->residual > 0)
    digits = log10(report->history[0] / report->residual);
  if (report->iterations < FEW || !(digits > 1))
    return;
  double effort = (double)report->iterations / digits;
  if (!s->reused && (s->effort == 0 || effort < s->effort))
    s->effort = effort;
  s->worn = s->worn || (s->reused && s->effort > 0 && effort > much * s->effort);
}

/* As many right-hand sides as the solver takes. What they share is part of the first report. */
static clStatus solveBatch(txSystem *s, const double *b, double *x, clSystemReport *reports) {
  clContextCounters before = clContextStatistics(s->context);
  double start = txNow();
  int64_t n = s->A->rows;
  clStatus status = TEXLA_OK;
  for (int j = 0; j < s->tasks; j++) {
    s->task[j] = (txTask){.report = &reports[j]};
    txTask *t = &s->task[j];
    TRY_CLEANUP(txGoalSet(&t->goal, &s->null_space, b + j * n, s->A->rows, s->b_norm, s->target,
                          txContextError(s->context)));
    if (s->zero_rows)
      TRY_CLEANUP(txGoalLeaveOut(&t->goal, s->unit, s->A->rows, txContextError(s->context)));
    txRefineStart(&t->refinement, s->A, t->goal.b, t->goal.norm, x + j * n, s->from_zero, &s->scale,
                  NULL);
    txTaskMeasure(s, t);
    if (s->unit)
      t->unit_limit = s->target * txRefineNormBy(&t->refinement, &s->scale, s->unit, true);
  }
  TRY_CLEANUP(solvePlans(s));
cleanup:
  for (int j = 0; j < s->tasks; j++) {
    if (status == TEXLA_OK)
      watch(s, &s->task[j]);
    txRefineDestroy(&s->task[j].refinement);
    free(s->task[j].weight);
    txGoalForget(&s->task[j].goal);
    s->task[j] = (txTask){0};
  }
  reports->seconds_solve = txNow() - start;
  reports->passes += clContextStatistics(s->context).passes - before.passes;
  reports->readbacks += clContextStatistics(s->context).readbacks - before.readbacks;
  return status;
}

/* The first plan that can be set up. */
static clStatus setUpPlans(txSystem *s) {
  clStatus status = txSystemSetUpDevice(s);
  bool direct = s->A->rows <= TX_DENSE;
  while (endsPlanOnly(s, status) &&
         txPlanNext(&s->plan, &s->facts, s->A->rows, TEXLA_REASON_BREAKDOWN, direct,
                    clStatusText(status)))
    status = setUpAnew(s);
  return status;
}

/* A looked at and sent to the device, or factored; what that takes is part of the next report. */
static clStatus setUp(txSystem *s) {
  s->ready = !s->A->rows;
  if (s->ready)
    return TEXLA_OK;
  clContextCounters before = clContextStatistics(s->context);
  double start = txNow();
  txScopeEnter(s->context, "clSystem set-up", -1);
  clStatus status = txSystemLookAt(s);
  if (!status)
    status = setUpPlans(s);
  txScopeLeave(s->context, status);
  s->setup_seconds = txNow() - start;
  s->setup_passes = clContextStatistics(s->context).passes - before.passes;
  s->setup_readbacks = clContextStatistics(s->context).readbacks - before.readbacks;
  s->ready = !status;
  return status;
}

/* What setUp has made, but for the matrix and the solver on the device: other values may follow at
 * the same positions. */
static void takeDown(txSystem *s) {
  txDirectDestroy(s->direct);
  txScalingDestroy(&s->scale);
  txNullSpaceForget(&s->null_space);
  txRowsForget(&s->rows);
  free(s->unit);
  s->direct = NULL;
  s->unit = NULL;
  s->rows = (txRows){0};
  s->ready = false;
}

static void finish(txSystem *s) {
  txSystemReleaseDevice(s);
  takeDown(s);
  clMatrixDestroy(s->matrix);
  free(s->single);
  s->matrix = NULL;
  s->single = NULL;
}

/* As many right-hand sides at once as the solver has columns. */
static clStatus solveInBatches(txSystem *s, int count, const double *b, double *x,
                               clSystemReport *reports) {
  clStatus status = TEXLA_OK;
  int64_t n = s->A->rows;
  for (int k = 0; k < count && !n; k++) {
    reports[k].reason = TEXLA_REASON_CONVERGED;
    txVerdictSay(&reports[k], s->target);
  }
  if (!n)
    return TEXLA_OK;
  s->task = txAllocate(txContextError(s->context), call, (size_t)txLeast(count, TX_DIRECT_COLUMNS),
                       sizeof *s->task, "solutions");
  if (!s->task)
    return TEXLA_OUT_OF_MEMORY;
  for (int k = 0; k < count && !status; k += s->tasks) {
    s->tasks = txLeast(count - k, s->columns);
    status = solveBatch(s, b + k * n, x + k * n, &reports[k]);
  }
  free(s->task);
  s->task = NULL;
  s->tasks = 0;
  return status;
}

/* Operands were checked. x stays as it was where anything fails on the way: zeros can be made anew,
 * else a copy is worked on. */
static clStatus solve(txSystem *s, int count, const double *b, double *x, clSystemReport *reports) {
  bool zero = s->from_zero;
  size_t unknowns = (size_t)s->A->rows * (size_t)count;
  clSystemReport *results =
      txAllocate(txContextError(s->context), call, (size_t)count, sizeof *results, "reports");
  double *found =
      zero ? x : txAllocate(txContextError(s->context), call, unknowns, sizeof *found, "solutions");
  bool converged = true;
  if (!results || (unknowns && !found)) {
    free(results);
    if (found != x)
      free(found);
    return TEXLA_OUT_OF_MEMORY;
  }
  if (!zero)
    memcpy(found, x, unknowns * sizeof *x);
  results->passes = s->setup_passes;
  results->readbacks = s->setup_readbacks;
  txScopeEnter(s->context, "clSystem solve", -1);
  clStatus status = solveInBatches(s, count, b, found, results);
  txScopeLeave(s->context, status);
  results->seconds_setup = s->setup_seconds;
  for (int k = 0; k < count; k++)
    converged = converged && clReasonSolved(results[k].reason);
  for (int k = 0; k < count && (status || !reports); k++)
    clSystemReportClear(&results[k]);
  if (!status && reports)
    memcpy(reports, results, (size_t)count * sizeof *results);
  if (zero && status)
    memset(x, 0, unknowns * sizeof *x);
  if (!zero && !status)
    memcpy(x, found, unknowns * sizeof *x);
  if (!zero)
    free(found);
  free(results);
  s->setup_seconds = 0;
  s->setup_passes = s->setup_readbacks = 0;
  TRY(status);
  if (!converged)
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

/* The options are copied: callers may forget theirs. */
static void begin(txSystem *s, clContext *context, const clTriplets *A, int count,
                  const clSystemOptions *o) {
  double target = o->solver.tolerance;
  if (!(target > 0) && o->refine)
    target = 1e-12;
  else if (!(target > 0))
    target = 1e-6;
  *s = (txSystem){.context = context,
                  .A = A,
                  .kept = *o,
                  .options = &s->kept,
                  .count = count,
                  .target = target};
}

clStatus clSystemSolveMany(clContext *context, const clTriplets *A, int count, const double *b,
                           double *x, const clSystemOptions *options, clSystemReport *reports) {
  clSystemOptions o = options ? *options : (clSystemOptions){0};
  TRY(txSystemCheck(context, A, count, &o));
  txSystem s;
  begin(&s, context, A, count, &o);
  TRY(txSystemCheckVectors(&s, A, count, b, x));
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(setUp(&s));
  TRY_CLEANUP(solve(&s, count, b, x, reports));
cleanup:
  finish(&s);
  return status;
}

clStatus clSystemSolve(clContext *context, const clTriplets *A, const double *b, double *x,
                       const clSystemOptions *options, clSystemReport *report) {
  return clSystemSolveMany(context, A, 1, b, x, options, report);
}

/* The entries in compressed order, which belong to the system from then on. */
static clStatus copyOf(clTriplets **out, const clTriplets *A, clError *error) {
  size_t n = (size_t)A->count;
  TRY(clTripletsCreate(out, A->rows, A->cols, A->count, error));
  if (n) {
    memcpy((*out)->row, A->row, n * sizeof *A->row);
    memcpy((*out)->col, A->col, n * sizeof *A->col);
    memcpy((*out)->value, A->value, n * sizeof *A->value);
  }
  (*out)->count = A->count;
  return TEXLA_OK;
}

/* All that a system holds but its context. */
static void forget(clSystem *s) {
  finish(&s->system);
  clTripletsDestroy(s->A);
  free(s);
}

clStatus clSystemCreate(clSystem **out, clContext *context, const clTriplets *A, int count,
                        const clSystemOptions *options) {
  clSystemOptions o = options ? *options : (clSystemOptions){0};
  clError *error = txContextError(context);
  if (!out)
    return txFail(error, TEXLA_BAD_ARGUMENT, "clSystemCreate", "out must not be NULL");
  TRY(txSystemCheck(context, A, count, &o));
  clSystem *s = txAllocate(error, "clSystemCreate", 1, sizeof *s, "a system");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  begin(&s->system, context, NULL, count, &o);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(copyOf(&s->A, A, error));
  s->system.A = s->A;
  TRY_CLEANUP(setUp(&s->system));
  txContextRetain(context);
  *out = s;
  s = NULL;
cleanup:
  if (s)
    forget(s);
  return status;
}

clStatus clSystemSolveWith(clSystem *s, int count, const double *b, double *x,
                           clSystemReport *reports) {
  static const char name[] = "clSystemSolveWith";
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  TRY(txContextEnter(s->system.context, name));
  if (!s->system.ready)
    return txFail(txContextError(s->system.context), TEXLA_BAD_ARGUMENT, name,
                  "the last clSystemUpdateValues failed: other values come first");
  TRY(txSystemCheckVectors(&s->system, s->A, count, b, x));
  return solve(&s->system, count, b, x, reports);
}

clStatus clSystemUpdateValues(clSystem *s, const double *values) {
  static const char name[] = "clSystemUpdateValues";
  if (!s || !values)
    return txFail(s ? txContextError(s->system.context) : NULL, TEXLA_BAD_ARGUMENT, name,
                  "the system and values must not be NULL");
  TRY(txContextEnter(s->system.context, name));
  takeDown(&s->system);
  txParallelCopy(s->A->value, values, s->A->count * (int64_t)sizeof *values);
  clStatus status = setUp(&s->system);
  if (status)
    txSystemReleaseDevice(&s->system);
  return status;
}

void clSystemDestroy(clSystem *s) {
  if (!s)
    return;
  clContext *context = s->system.context;
  forget(s);
  txContextRelease(context);
}

void clSystemReportClear(clSystemReport *report) {
  if (!report)
    return;
  free(report->history);
  report->history = NULL;
  report->history_count = 0;
}
