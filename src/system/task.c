/* A right-hand side between its plans: what is left of its budget, how far it is, its history. */
#include "core/allocate.h"
#include "core/numbers.h"
#include "core/try.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>

static const char call[] = "clSystemSolve";

clStatus txReportAppend(clSystemReport *report, const double *values, int64_t count, double factor,
                        clError *error) {
  int64_t skip = report->history_count != 0;
  if (count <= skip)
    return TEXLA_OK;
  double *grown =
      txReallocate(error, call, report->history, (size_t)(report->history_count + count),
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
  double error = txBackwardErrorAsked(s->options->roundoff) / t->report->backward_error;
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

clStatus txTaskWeigh(const txSystem *s, txTask *t) {
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

clStatus txTaskNarrow(const txSystem *s, txTask *t) {
  clError *error = txContextError(s->context);
  if (t->weight)
    return txRefineNarrowFor(&t->refinement, &t->metric, s->scale.row, s->single, error);
  return txRefineNarrow(&t->refinement, &t->metric, s->single, error);
}
