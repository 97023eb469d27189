/* texla solve: the report, for programs and for readers. Nothing here changes what it tells of; of
 * several right-hand sides the one that is furthest from being solved stands for all. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/solve.h"
#include "core/numbers.h"
#include "io/json.h"

/* What --max-iter is if it is not given. */
static int64_t iterationLimit(const txSolve *solve) {
  if (solve->max_iterations)
    return solve->max_iterations;
  return 10 * (int64_t)solve->A->rows;
}

/* What --tol is if it is not given: residuals that single precision reaches, or that refinement
 * does. */
static double tolerance(const txSolve *solve) {
  if (solve->tolerance > 0)
    return solve->tolerance;
  if (solve->refine)
    return 1e-12;
  return 1e-6;
}

/* max |x_i - 1| where b was made for x = ones; else NaN, null in JSON. */
static double knownError(const txSolve *solve) {
  double error = 0;
  if (solve->rhs)
    return (double)NAN;
  for (int32_t k = 0; k < solve->A->cols; k++)
    error = txLarger(error, fabs(solve->x[k] - 1));
  return error;
}

/* Each right-hand side. */
static void writeColumns(const txSolve *solve, txJson *json) {
  txJsonArray(json, "columns");
  for (int j = 0; j < solve->columns; j++) {
    const clSystemReport *report = &solve->reports[j];
    txJsonObject(json, NULL);
    txJsonString(json, "reason", clReasonText(report->reason));
    txJsonString(json, "solver", clMethodName(report->method));
    txJsonString(json, "precond", clPreconditionerName(report->preconditioner));
    txJsonInteger(json, "iterations", report->iterations);
    txJsonInteger(json, "restarts", report->restarts);
    txJsonNumber(json, "residual", report->residual);
    txJsonClose(json);
  }
  txJsonClose(json);
}

/* One object, so that scripts need not parse sentences; its keys stay from version to version. */
void txSolveWriteJson(const txSolve *solve, FILE *file) {
  const clSystemReport *report = &solve->report;
  const char *chosen = NULL;
  if (*report->chosen_because)
    chosen = report->chosen_because;
  txJson json;
  txJsonStart(&json, file);
  txJsonObject(&json, NULL);
  /* What was asked for. */
  txJsonString(&json, "matrix", solve->matrix);
  txJsonString(&json, "rhs", solve->rhs);
  txJsonInteger(&json, "rows", solve->A->rows);
  txJsonInteger(&json, "cols", solve->A->cols);
  txJsonInteger(&json, "nnz", solve->A->count);
  /* How it was solved. */
  txJsonString(&json, "storage", clStorageName(report->storage));
  txJsonString(&json, "storage_description", report->description);
  txJsonString(&json, "solver", clMethodName(report->method));
  txJsonString(&json, "precond", clPreconditionerName(report->preconditioner));
  txJsonString(&json, "chosen_because", chosen);
  txJsonBool(&json, "refine", solve->refine);
  txJsonNumber(&json, "tolerance", tolerance(solve));
  txJsonInteger(&json, "max_iterations", iterationLimit(solve));
  /* How far it came. */
  txJsonInteger(&json, "iterations", report->iterations);
  txJsonInteger(&json, "restarts", report->restarts);
  txJsonString(&json, "reason", clReasonText(report->reason));
  txJsonString(&json, "verdict", report->verdict);
  txJsonNumber(&json, "residual", report->residual);
  txJsonNumber(&json, "backward_error", report->backward_error);
  txJsonNumber(&json, "error", knownError(solve));
  /* What it cost. */
  txJsonNumber(&json, "seconds_setup", report->seconds_setup);
  txJsonNumber(&json, "seconds_solve", report->seconds_solve);
  txJsonString(&json, "device", clContextInspect(solve->context)->renderer);
  txJsonInteger(&json, "passes", report->passes);
  txJsonInteger(&json, "readbacks", report->readbacks);
  writeColumns(solve, &json);
  txJsonClose(&json);
}

/* What a reader calls "-". */
static const char *sourceName(const char *path) {
  if (strcmp(path, "-") == 0)
    return "standard input";
  return path;
}

/* The first lines: solved or not, what it was, and why not. */
static void writeVerdict(const txSolve *solve, FILE *file) {
  clReason reason = solve->report.reason;
  if (clReasonSolved(reason))
    fprintf(file, "Solved %s", sourceName(solve->matrix));
  else
    fprintf(file, "Not converged: %s (%s)", sourceName(solve->matrix), clReasonText(reason));
  fprintf(file, ": %d unknowns, %" PRId64 " entries, ", solve->A->rows, solve->A->count);
  if (solve->columns > 1)
    fprintf(file, "%d right-hand sides", solve->columns);
  else
    fprintf(file, "b");
  if (solve->rhs)
    fprintf(file, " from %s\n", sourceName(solve->rhs));
  else
    fprintf(file, " = A * ones\n");
  if (reason != TEXLA_REASON_CONVERGED && *solve->report.verdict)
    fprintf(file, "  reason      %s\n", solve->report.verdict);
}

/* One line a right-hand side, where there are several; they count from 1, as columns of files
 * do. */
static void writeColumnLines(const txSolve *solve, FILE *file) {
  for (int j = 0; j < solve->columns && solve->columns > 1; j++) {
    const clSystemReport *report = &solve->reports[j];
    fprintf(file, "  column %-4d %s, %" PRId64 " iterations, residual %.3g\n", j + 1,
            clReasonText(report->reason), report->iterations, report->residual);
  }
}

/* For people: what was done, how far it came, how long it took. */
void txSolveWriteSummary(const txSolve *solve, FILE *file) {
  const clSystemReport *report = &solve->report;
  writeVerdict(solve, file);
  fprintf(file, "  solver      %s", clMethodName(report->method));
  if (report->preconditioner)
    fprintf(file, ", preconditioned by %s", clPreconditionerName(report->preconditioner));
  fprintf(file, "\n");
  if (report->chosen_because[0])
    fprintf(file, "  chosen      %s\n", report->chosen_because);
  fprintf(file, "  storage     %s\n", report->description);
  fprintf(file, "  device      %s\n", clContextInspect(solve->context)->renderer);
  fprintf(file, "  iterations  %" PRId64, report->iterations);
  if (solve->max_iterations)
    fprintf(file, " of at most %" PRId64, solve->max_iterations);
  if (report->restarts > 0)
    fprintf(file, ", %" PRId64 " restart%s from the true residual", report->restarts,
            txPlural(report->restarts));
  fprintf(file, "\n  residual    %.3g = ||b - A x|| / ||b|| in double precision (tolerance %g)\n",
          report->residual, tolerance(solve));
  /* Without --rhs the solution is known: ones. */
  if (!solve->rhs) {
    fprintf(file, "  error       %.3g = largest |x_i - 1|", knownError(solve));
    /* An error far above the residual: the condition number is at least their quotient. */
    if (knownError(solve) > 1e4 * report->residual)
      fprintf(file, ": the matrix is ill-conditioned");
    fprintf(file, "\n");
  }
  writeColumnLines(solve, file);
  fprintf(file, "  time        %.3f s setup, %.3f s solving\n", report->seconds_setup,
          report->seconds_solve);
  if (solve->common.verbose)
    fprintf(file, "  passes      %" PRId64 ", %" PRId64 " read-backs\n", report->passes,
            report->readbacks);
  if (solve->out)
    fprintf(file, "  solution    %s\n", solve->out);
  if (solve->history)
    fprintf(file, "  history     %s\n", solve->history);
}
