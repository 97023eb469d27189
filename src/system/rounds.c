/* Rounds of refinement: the true residual goes to the device, a correction comes back, until the
 * goal is met or nothing is gained.
 *
 * With R and C diagonal matrices of powers of two, the device solves (R A C) y = R r / ||R r||; x
 * <- x + alpha C y is summed in double (system/refine.h). The true residual r = b - A x decides
 * whether another round follows. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "gl/traits.h"
#include "krylov/cg_multivector.h"
#include "system/system.h"
#include "platform/platform.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A small backward error says little of a residual that is not small beside b: then x is large, as
 * that of a matrix next to a singular one is. */
static const double most_exact = 1e-3;
static const char call[] = "clSystemSolve";

/* From here on a row counts beside its own terms. The scaling that suits a method knows nothing of
 * x: if the rows' terms a_ij x_j differ by many orders of magnitude, rounding in the largest ends
 * the corrections of all. */
static clStatus weigh(const txSystem *s, txTask *t) {
  t->weight = txAllocate(txContextError(s->context), call, (size_t)s->A->rows, sizeof *t->weight,
                         "weights of rows");
  if (!t->weight)
    return TEXLA_OUT_OF_MEMORY;
  txRefineBest(&t->refinement, &t->metric);
  txRefineWeights(&t->refinement, t->weight);
  t->metric.row = t->weight;
  t->metric.unit = false;
  txRefineRescale(&t->refinement, &t->metric);
  return TEXLA_OK;
}

/* s->single <- what the solver is to correct: R r, divided by its length or largest element. */
static clStatus narrow(const txSystem *s, txTask *t) {
  clError *error = txContextError(s->context);
  if (t->weight)
    return txRefineNarrowFor(&t->refinement, &t->metric, s->scale.row, s->single, error);
  return txRefineNarrow(&t->refinement, &t->metric, s->single, error);
}

/* What makes residuals of a round relative to b. */
static double factorOf(const txTask *t) {
  if (!(t->goal.b_norm > 0))
    return 1;
  return t->refinement.norm / t->goal.b_norm;
}

/* What is left of b for all x, relative to b. */
static double outsideOf(const txTask *t) {
  return txGoalResidual(&t->goal, 0);
}

/* right[j] <- R r, of any length where it is on the device, else of length 1 in device_b; device_x
 * <- 0. */
static clStatus prepareRound(txSystem *s, txTask *const *open, int count, double *tolerance,
                             const clVector **right) {
  s->solver->options.max_iterations = INT64_MAX;
  s->done = 0;
  s->factor = s->outside = 0;
  for (int j = 0; j < count; j++) {
    txTask *t = open[j];
    txRefinement *ref = &t->refinement;
    tolerance[j] = txRefineTolerance(t->missing, t->floor);
    t->report->restarts += t->report->history_count > 0;
    if (t->budget < s->solver->options.max_iterations)
      s->solver->options.max_iterations = t->budget;
    if (t->report->iterations > s->done)
      s->done = t->report->iterations;
    s->factor = fmax(s->factor, factorOf(t));
    s->outside = fmax(s->outside, outsideOf(t));
    right[j] = txRefineOnDevice(ref);
    if (!right[j]) {
      TRY(narrow(s, t));
      TRY(clVectorUpload(s->device_b[j], s->single));
      right[j] = s->device_b[j];
    }
    TRY(clVectorClear(s->device_x[j]));
  }
  return TEXLA_OK;
}

/* Failures of an iteration that may be due to single precision: worth a restart while restarts
 * help. */
static bool mayRecover(clReason reason) {
  return reason == TEXLA_REASON_CONVERGED || reason == TEXLA_REASON_STAGNATED ||
         reason == TEXLA_REASON_BREAKDOWN || reason == TEXLA_REASON_DIVERGED ||
         reason == TEXLA_REASON_NOT_POSITIVE_DEFINITE;
}

/* Was the negative curvature that conjugate gradients met there in double, too? If not, single
 * precision is at its end: with M or without. Directions are in device_b. */
static clStatus checkCurvature(const txSystem *s, int j, clReason *reason) {
  if (*reason != TEXLA_REASON_NOT_POSITIVE_DEFINITE)
    return TEXLA_OK;
  TRY(clVectorDownload(s->device_b[j], s->single));
  if (!(txRefineCurvature(&s->task[j].refinement, &s->scale, s->single) * s->plan.sign > 0))
    return TEXLA_OK;
  *reason = TEXLA_REASON_BAD_PRECONDITIONER;
  if (s->plan.solver.preconditioner <= TEXLA_PRECONDITIONER_JACOBI)
    *reason = TEXLA_REASON_STAGNATED;
  return TEXLA_OK;
}

/* What a round says about t. TEXLA_REASON_NONE: another round is worth while. */
static clReason judgeRound(const txSystem *s, txTask *t, clReason reason, double gain, bool cut) {
  clReason reached = txTaskReached(s, t);
  if (reached)
    return reached;
  if (!mayRecover(reason) && !cut)
    return reason;
  bool stopped = gain < 2 && !cut;
  if (stopped && reason != TEXLA_REASON_CONVERGED)
    return reason;
  /* a limit may end a round before it has gained what it would */
  if (t->budget < 1)
    return TEXLA_REASON_MAX_ITERATIONS;
  if (stopped)
    return TEXLA_REASON_STAGNATED;
  return TEXLA_REASON_NONE;
}

/* A limit that was given is one on all that a solution takes; without one each correction has its
 * own. */
static void spend(const txSystem *s, txTask *t, int64_t iterations) {
  if (!s->options->refine || s->options->solver.max_iterations > 0)
    t->budget -= iterations;
}

/* What device_x[j] has done for t. */
static clStatus finishRound(txSystem *s, txTask *t, int j, const clSolverReport *inner) {
  double gain = 1;
  int64_t count = 0;
  clError *error = txContextError(s->context);
  const double *history = clSolverHistoryOf(s->solver, j, &count);
  /* by another's budget */
  bool cut = inner->reason == TEXLA_REASON_MAX_ITERATIONS && inner->iterations < t->budget;
  clReason reason = inner->reason;
  t->reason = TEXLA_REASON_NONE;
  t->report->iterations += inner->iterations;
  spend(s, t, inner->iterations);
  TRY(txReportAppend(t->report, history, count, factorOf(t), error));
  TRY(txRefineStepFrom(&t->refinement, &t->metric, s->device_x[j], TX_ENOUGH, s->single, &gain,
                       error));
  TRY(checkCurvature(s, j, &reason));
  t->floor = fmax(t->floor, 0.3 / gain);
  t->reason = judgeRound(s, t, reason, gain, cut);
  /* Rows of very different sizes: those that are hidden by rounding in others may yet gain. */
  if (t->reason == TEXLA_REASON_STAGNATED && s->unit && !t->weight && t->budget > 0) {
    TRY(weigh(s, t));
    t->reason = TEXLA_REASON_NONE;
  }
  return TEXLA_OK;
}

/* Cycles that make up for what is missing when one makes the residual `rate` times as large, but
 * few enough for single precision; 0: it takes more, or is not worth while without a look. */
static int cyclesFor(const txTask *t, double rate) {
  enum { MOST = 3 };
  double missing = t->missing, slowest = 0.2;
  int count = 1;
  while (count < MOST && pow(rate, count) > fmax(missing, 1e-4))
    count++;
  while (count < MOST && pow(rate, count) > 0.5 / TX_ENOUGH)
    count++;
  if (rate <= slowest)
    return count;
  return 0;
}

/* A round on the device of cycles that converge so well that their residuals are not worth their
 * time: the one in double-float at its end says all. */
static clStatus solveCycles(txSystem *s, txTask *t) {
  txRefinement *ref = &t->refinement;
  clSystemReport *report = t->report;
  const clSolverOptions *o = &s->solver->options;
  double before = ref->norm, gain = 1;
  int count = (int)fmin(t->cycles, (double)t->budget);
  clError *error = txContextError(s->context);
  s->done = report->iterations;
  s->factor = factorOf(t);
  s->outside = outsideOf(t);
  report->restarts += report->history_count > 0;
  TRY(txStationaryRun(s->solver, s->device_x[0], txRefineOnDevice(ref), count));
  TRY(txRefineStepFrom(ref, &s->scale, s->device_x[0], 2, s->single, &gain, error));
  double reached = ref->norm / before;
  TRY(txReportAppend(report, (const double[]){1, reached}, 2, s->factor, error));
  report->iterations += count;
  spend(s, t, count);
  t->reason = judgeRound(s, t, TEXLA_REASON_CONVERGED, gain, false);
  if (!t->reason && !o->monitor(o->monitor_user, count, reached))
    t->reason = TEXLA_REASON_STOPPED;
  t->cycles = cyclesFor(t, pow(gain, -1.0 / count));
  return TEXLA_OK;
}

/* One round for the first open tasks, as many as the solver takes; *any <- was there one? */
static clStatus solveRound(txSystem *s, bool *any) {
  txTask *open[TX_COLUMNS];
  clSolverReport inner[TX_COLUMNS] = {{0}};
  const clVector *right[TX_COLUMNS];
  double tolerance[TX_COLUMNS];
  int count = 0;
  bool indefinite = false;
  for (int j = 0; j < s->tasks && count < s->columns; j++)
    if (!s->task[j].reason)
      open[count++] = &s->task[j];
  *any = count > 0;
  if (!count)
    return TEXLA_OK;
  if (count == 1 && open[0]->cycles && txRefineOnDevice(&open[0]->refinement))
    return solveCycles(s, open[0]);
  TRY(prepareRound(s, open, count, tolerance, right));
  TRY(txSolverSolveColumns(s->solver, count, s->device_x, right, tolerance, inner));
  for (int j = 0; j < count; j++)
    indefinite = indefinite || inner[j].reason == TEXLA_REASON_NOT_POSITIVE_DEFINITE;
  if (indefinite)
    TRY(txSolverDirections(s->solver, count, s->device_b));
  for (int j = 0; j < count; j++)
    TRY(finishRound(s, open[j], j, &inner[j]));
  return TEXLA_OK;
}

/* What a task begins a run of rounds with. */
static clStatus startRounds(const txSystem *s, txTask *t) {
  txRefinement *ref = &t->refinement;
  if (s->plan.limit && s->plan.limit < t->budget)
    t->budget = s->plan.limit;
  t->floor = 1e-6;
  /* That one sees the rounding of its residual. */
  if (s->solver->method == &txStationary)
    t->floor = 1e-3;
  if (txStationaryApart(s->solver))
    t->floor = 1e-7;
  t->cycles = 0;
  if (s->columns == 1 && txStationaryCycles(s->solver))
    t->cycles = 2;
  t->reason = txTaskReached(s, t);
  if (!s->refines_on_device)
    return TEXLA_OK;
  clStatus status = txRefineEnterDevice(ref, &s->scale, s->matrix, s->plan.sign, t->goal.limit);
  /* then the host refines */
  return status == TEXLA_OUT_OF_MEMORY ? TEXLA_OK : status;
}

/* Where precision is given, that is the verdict of the host, whatever is left of b. */
static bool isSingular(const txSystem *s, const txTask *t) {
  return s->options->roundoff > 0 && s->plan.on_host && t->reason == TEXLA_REASON_SINGULAR;
}

/* x is the best that was reached; is a better one possible? */
static clStatus endRounds(const txSystem *s, txTask *t) {
  const txRefinement *ref = &t->refinement;
  TRY(txRefineLeaveDevice(&t->refinement, &t->metric));
  txRefineBest(&t->refinement, &t->metric);
  if (t->reason == TEXLA_REASON_CONVERGED || t->reason == TEXLA_REASON_STOPPED ||
      isSingular(s, t) || !isfinite(ref->norm))
    return TEXLA_OK;
  txTaskReached(s, t);
  clSystemFacts facts = {.residual = ref->norm,
                         .limit = t->goal.limit,
                         .unit_residual = t->unit_norm,
                         .unit_limit = t->unit_limit,
                         .ended = t->reason,
                         .inconsistent = txGoalReached(&t->goal) == TEXLA_REASON_INCONSISTENT};
  TRY(txIsLeastSquares(ref, s->facts.symmetric, &facts.least_squares, txContextError(s->context)));
  facts.backward_error = t->report->backward_error = txBackwardError(ref);
  if (s->options->roundoff > 0)
    facts.backward_error *= DBL_EPSILON / fmax(s->options->roundoff, DBL_EPSILON);
  if (ref->norm > fmax(most_exact * t->goal.norm, DBL_MIN))
    facts.backward_error = 0;
  clReason reason = clSystemJudge(&facts);
  bool inexact = s->options->roundoff > 0 && reason == TEXLA_REASON_CONVERGED;
  if (inexact && txPlanHostFollows(&s->plan, s->A->rows))
    reason = TEXLA_REASON_STAGNATED;
  t->reason = reason;
  return TEXLA_OK;
}

/* Where memory on the device ends during a round, what refinement holds there is given back; true
 * when there was something. */
static bool giveBack(txSystem *s, clStatus *status) {
  bool given = false;
  clStatus left = TEXLA_OK;
  for (int j = 0; j < s->tasks && *status == TEXLA_OUT_OF_MEMORY; j++)
    if (txRefineOnDevice(&s->task[j].refinement)) {
      clStatus one = txRefineLeaveDevice(&s->task[j].refinement, &s->scale);
      if (!left)
        left = one;
      given = true;
    }
  if (!given)
    return false;
  *status = left;
  s->refines_on_device = false;
  return left == TEXLA_OK;
}

clStatus txRoundsSolve(txSystem *s) {
  bool direct = s->plan.on_host || txIsDirect(s->plan.solver.method), any = !direct;
  double start = txNow();
  for (int j = 0; j < s->tasks; j++) {
    txTask *t = &s->task[j];
    t->ran = !t->reason;
    t->budget = txTaskBudget(s, t);
    if (t->ran && !direct)
      TRY(startRounds(s, t));
  }
  if (s->plan.on_host)
    TRY(txHostRounds(s));
  else if (direct)
    TRY(txDirectRounds(s));
  while (any) {
    clStatus status = solveRound(s, &any);
    any = giveBack(s, &status) || any;
    TRY(status);
  }
  s->seconds = txNow() - start;
  for (int j = 0; j < s->tasks; j++)
    if (s->task[j].ran)
      TRY(endRounds(s, &s->task[j]));
  return TEXLA_OK;
}
