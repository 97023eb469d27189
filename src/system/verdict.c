/* The verdict on an x: the order in which facts count, and the words for it; how far a right-hand
 * side is, and what is left of its budget. */
#include "system/verdict.h"
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "elimination/residuals.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A backward error of so many units of rounding is as small as double allows: x itself is rounded
 * to one half, and each term of a residual to as much. */
static const double exact_in_units = 8, exact = 8 * DBL_EPSILON;
static const double underflow = 0x1p-1068;

bool clReasonSolved(clReason reason) {
  return reason == TEXLA_REASON_CONVERGED || reason == TEXLA_REASON_EXACT;
}

clReason clSystemJudge(const clSystemFacts *f) {
  if (!f)
    return TEXLA_REASON_NONE;
  bool reached = f->residual <= f->limit && !(f->unit_residual > f->unit_limit);
  if (reached && f->inconsistent)
    return TEXLA_REASON_INCONSISTENT;
  if (reached)
    return TEXLA_REASON_CONVERGED;
  if (f->ended == TEXLA_REASON_STOPPED || f->ended == TEXLA_REASON_NONE)
    return f->ended;
  bool rounding = f->backward_error > 0 && f->backward_error <= exact;
  if (rounding && !f->inconsistent)
    return TEXLA_REASON_EXACT;
  if (f->least_squares || rounding)
    return TEXLA_REASON_INCONSISTENT;
  /* A method may believe so, but the true residual has the last word. */
  if (clReasonSolved(f->ended))
    return TEXLA_REASON_STAGNATED;
  return f->ended;
}

/* r and the sizes of its rows' terms take 2 n numbers of `room`. */
static double largestError(const txRefinement *ref, double *room) {
  int32_t n = ref->A->rows;
  double *size = room + n, most = 0;
  txResidualsFind(
      &(txResiduals){
          .A = ref->A, .count = 1, .x = {ref->x}, .b = {ref->b}, .r = {room}, .size = {size}},
      NULL);
  for (int32_t i = 0; i < n; i++) {
    double error = 0;
    /* what is left of the smallest numbers is not rounding, but the end of their range */
    if (fabs(room[i]) > underflow)
      error = fabs(room[i]) / size[i];
    /* NaN stays */
    if (!(error <= most))
      most = error;
  }
  return most;
}

/* All processes take part, also one without memory. */
double txBackwardError(const txRefinement *ref) {
  double most = INFINITY, *room = txAllocate(NULL, "clSystemSolve", 2 * (size_t)ref->A->rows,
                                             sizeof *room, "a residual");
  if (ref->ranks)
    ref->ranks->fetch(ref->ranks->user, ref->x);
  if (room)
    most = largestError(ref, room);
  free(room);
  if (ref->ranks)
    ref->ranks->most(ref->ranks->user, &most);
  /* 0 means that it is not known */
  return txLarger(most, DBL_EPSILON / 2);
}

/* The backward error that counts as rounding if A is known to `roundoff`, 0: as doubles. */
static double backwardErrorAsked(double roundoff) {
  return exact_in_units * txLarger(roundoff, DBL_EPSILON);
}

static const char *sentenceOf(const clSystemReport *report) {
  switch (report->reason) {
  case TEXLA_REASON_CONVERGED:
    return "the residual meets the tolerance";
  case TEXLA_REASON_EXACT:
    return "x is as exact as double allows: each row's residual is rounding of its own terms";
  case TEXLA_REASON_STAGNATED:
    if (report->method == TEXLA_METHOD_PLU || report->method == TEXLA_METHOD_CHOLESKY)
      return "corrections by the factors gain nothing more; a larger tolerance accepts the level "
             "reached";
    return "restarts gain nothing more; a larger tolerance accepts the level reached";
  case TEXLA_REASON_MAX_ITERATIONS:
    return "the limit of iterations was reached; try a larger one, the preconditioner jacobi, or "
           "the method auto";
  case TEXLA_REASON_DIVERGED:
    if (report->method == TEXLA_METHOD_JACOBI)
      return "the residual grew: Jacobi's iteration needs a dominant diagonal; try the method auto";
    if (report->method == TEXLA_METHOD_CG)
      return "the residual grew: cg needs a symmetric positive definite matrix; try the method "
             "auto";
    return "the residual grew; try another preconditioner, or the method auto";
  case TEXLA_REASON_BREAKDOWN:
    return "a division by zero in the iteration: the matrix may be singular, or have a zero on its "
           "diagonal";
  case TEXLA_REASON_NOT_POSITIVE_DEFINITE:
    return "the matrix is not positive definite, as cg and cholesky need it; try gmres";
  case TEXLA_REASON_BAD_PRECONDITIONER:
    return "the preconditioner is not positive definite in single precision; try jacobi, or the "
           "method auto";
  case TEXLA_REASON_SINGULAR:
    if (report->rank > 0)
      return "the matrix is singular to working precision; x is the shortest of those with the "
             "least residual";
    return "the matrix is singular: a pivot is zero";
  case TEXLA_REASON_INCONSISTENT:
    return "the matrix is singular and the right-hand side does not belong to it: no x has a "
           "smaller residual";
  case TEXLA_REASON_NAN:
    return "a value went beyond single precision";
  case TEXLA_REASON_STOPPED:
    return "interrupted";
  default:
    return "";
  }
}

void txVerdictSay(clSystemReport *report, double tolerance) {
  const char *text = sentenceOf(report);
  if (!clReasonSolved(report->reason) && report->residual <= tolerance &&
      report->reason != TEXLA_REASON_INCONSISTENT)
    text = "the residual meets the tolerance, but not in rows with small diagonals: the system "
           "scaled to a unit diagonal is not solved";
  snprintf(report->verdict, sizeof report->verdict, "%s", text);
}

/* ---- Right-hand sides ------------------------------------------------------------------------ */

clStatus txReportAppend(clSystemReport *report, const double *values, int64_t count, double factor,
                        clError *error) {
  int64_t skip = report->history_count != 0;
  if (count <= skip)
    return TEXLA_OK;
  double *grown =
      txReallocate(error, "clSystemSolve", report->history, (size_t)(report->history_count + count),
                   sizeof *grown, "the history");
  if (!grown)
    return TEXLA_OUT_OF_MEMORY;
  report->history = grown;
  for (int64_t i = skip; i < count; i++)
    grown[report->history_count++] = factor * values[i];
  return TEXLA_OK;
}

int64_t txTaskBudget(const txSystem *s, const txTask *t) {
  int64_t most = s->options->solver.max_iterations;
  if (most > 0)
    return most - t->report->iterations;
  return 10 * (int64_t)s->A->rows;
}

double txTaskResidual(const txTask *t) {
  return txGoalResidual(&t->goal, t->refinement.norm);
}

/* Both residuals are at their limits, and the backward error if that is asked for; t->missing <- by
 * how much the worst of them is not. */
clReason txTaskJudge(const txSystem *s, txTask *t, double norm) {
  double error = backwardErrorAsked(s->options->roundoff) / t->report->backward_error;
  t->missing = t->goal.limit / norm;
  if (!(norm <= t->goal.limit))
    return TEXLA_REASON_NONE;
  if (s->unit)
    t->missing = fmin(t->missing, t->unit_limit / t->unit_norm);
  if (s->options->roundoff > 0 && norm > 0)
    t->missing = fmin(t->missing, error);
  if (t->missing < 1)
    return TEXLA_REASON_NONE;
  return txGoalReached(&t->goal);
}

clReason txTaskReached(const txSystem *s, txTask *t) {
  const txRefinement *ref = &t->refinement;
  if (ref->norm <= t->goal.limit && s->unit)
    t->unit_norm = txRefineNormBy(ref, &s->scale, s->unit, ref->at_zero);
  if (ref->norm <= t->goal.limit && s->options->roundoff > 0)
    t->report->backward_error = txBackwardError(ref);
  return txTaskJudge(s, t, ref->norm);
}

void txTaskMeasure(const txSystem *s, txTask *t) {
  free(t->weight);
  t->weight = NULL;
  t->metric = s->scale;
}
