/* clSolver as callers see it: create, solve or iterate, destroy. */
#include "core/allocate.h"
#include "core/try.h"
#include "gl/observe.h"
#include "krylov/cg_multivector.h"
#include "krylov/history.h"
#include "krylov/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char create_call[] = "clSolverCreate";

/* What the method needs beside its preconditioner. */
static clStatus solverAllocate(clSolver *s) {
  clFloat **scalar[] = {&s->bb, &s->rr0, &s->ww};
  int rows = s->columns > 1 ? TX_MAX_TARGETS : 2;
  for (int i = 0; i < s->method->vectors; i++)
    TRY(clMatrixCreateVector(&s->vector[i], s->A, TEXLA_RANGE));
  TRY(txTextureCreate(&s->history, s->context, create_call, TX_RGBA32F, TX_HISTORY, rows));
  s->history->meaning.kind = "history";
  for (int i = 0; i < 3; i++)
    TRY(clFloatCreate(scalar[i], s->context));
  if (s->method->wanders || !s->from_zero)
    TRY(clMatrixCreateVector(&s->best, s->A, TEXLA_DOMAIN));
  if (s->method->wanders)
    TRY(clMatrixCreateVector(&s->candidate, s->A, TEXLA_DOMAIN));
  if (s->columns > 1)
    TRY(txManyCreate(s));
  if (s->method->create)
    TRY(s->method->create(s));
  return TEXLA_OK;
}

/* A solver that knows its matrix and its options. */
static clStatus solverBegin(clSolver **out, const clMatrix *A, const clSolverOptions *options) {
  clContext *context = clMatrixContext(A);
  if (!out || !A)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, create_call,
                  "out and A must not be NULL");
  if (clMatrixRows(A) != clMatrixCols(A))
    return txFail(txContextError(context), TEXLA_BAD_SHAPE, create_call, "A is %d x %d, not square",
                  clMatrixRows(A), clMatrixCols(A));
  clSolver *s = txAllocate(txContextError(context), create_call, 1, sizeof *s, "a solver");
  if (!s)
    return TEXLA_OUT_OF_MEMORY;
  s->context = context;
  s->A = A;
  if (options)
    s->options = *options;
  *out = s;
  return TEXLA_OK;
}

/* What the options point to is the caller's. */
static void forgetHost(clSolver *s) {
  s->options.host = NULL;
  s->options.near_null_space = NULL;
}

/* Method and preconditioner as the options ask for them. */
static clStatus solverSetUp(clSolver *s, const clMatrix *A, const txRows *rows) {
  clPreconditioner kind;
  TRY(txSolverChoose(s, &kind));
  TRY(txSolverDefaults(s));
  TRY(txPreconditionerCreate(&s->preconditioner, &s->inverse, A, kind, &s->options, rows));
  return solverAllocate(s);
}

clStatus txSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options,
                        const txRows *rows, bool from_zero) {
  clSolver *s = NULL;
  clSolver **begun = out ? &s : NULL;
  TRY(solverBegin(begun, A, options));
  s->from_zero = from_zero;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(solverSetUp(s, A, rows));
  forgetHost(s);
  *out = s;
  s = NULL;
cleanup:
  clSolverDestroy(s);
  return status;
}

/* What is there gets other values; multivectors hold D^-1, and are made anew. */
static clStatus solverUpdate(clSolver *s, const clMatrix *A, const txRows *rows) {
  clPreconditioner kind;
  TRY(txSolverChoose(s, &kind));
  TRY(txSolverDefaults(s));
  TRY(txPreconditionerUpdate(&s->preconditioner, &s->inverse, A, kind, &s->options, rows));
  if (!s->many)
    return TEXLA_OK;
  txManyDestroy(s->many);
  s->many = NULL;
  return txManyCreate(s);
}

clStatus txSolverUpdate(clSolver *s, const clMatrix *A, const clSolverOptions *options,
                        const txRows *rows) {
  s->A = A;
  s->options = *options;
  clStatus status = solverUpdate(s, A, rows);
  forgetHost(s);
  return status;
}

clStatus txSolverCreateWith(clSolver **out, const clMatrix *A, const clSolverOptions *options,
                            const txMethod *method, txPreconditioner M) {
  clSolver *s = NULL;
  clStatus status = solverBegin(&s, A, options);
  if (status) {
    txPreconditionerDestroy(&M);
    return status;
  }
  s->method = method;
  s->preconditioner = M;
  TRY_CLEANUP(txSolverDefaults(s));
  TRY_CLEANUP(solverAllocate(s));
  forgetHost(s);
  *out = s;
  s = NULL;
cleanup:
  clSolverDestroy(s);
  return status;
}

clStatus clSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options) {
  return txSolverCreate(out, A, options, NULL, false);
}

void clSolverDestroy(clSolver *s) {
  if (!s)
    return;
  if (s->method && s->method->destroy)
    s->method->destroy(s);
  for (int i = 0; i < TX_SOLVER_VECTORS; i++)
    clVectorDestroy(s->vector[i]);
  clVectorDestroy(s->best);
  clVectorDestroy(s->candidate);
  txPreconditionerDestroy(&s->preconditioner);
  clFloatDestroy(s->bb);
  clFloatDestroy(s->rr0);
  clFloatDestroy(s->ww);
  txTextureDestroy(s->history);
  txManyDestroy(s->many);
  for (int j = 0; j < TX_COLUMNS; j++)
    free(s->column[j].residual);
  free(s);
}

const double *clSolverHistoryOf(const clSolver *s, int column, int64_t *count) {
  static const txColumn none = {0};
  const txColumn *of = &none;
  if (s && column >= 0 && column < s->count)
    of = &s->column[column];
  if (count)
    *count = of->residuals;
  return of->residual;
}

const double *clSolverHistory(const clSolver *s, int64_t *count) {
  return clSolverHistoryOf(s, 0, count);
}

/* What the operands of one right-hand side are called in messages. */
static const char *solverNameOf(char *text, size_t n, const char *name, int j, int count) {
  if (count > 1)
    snprintf(text, n, "%s_%d", name, j + 1);
  else
    snprintf(text, n, "%s", name);
  return text;
}

/* All of the solver's size, and no x another operand. */
static clStatus checkVectors(const clSolver *s, const char *call, int count, clVector *const *x,
                             const clVector *const *b) {
  char name[16];
  const char *rule = count > 1 ? "no x may be another x or a b" : "x and b must be two vectors";
  for (int j = 0; j < count; j++) {
    TRY(txVectorsAgree(call, solverNameOf(name, sizeof name, "x", j, count), x[j], "A's vectors",
                       s->vector[0]));
    TRY(txVectorsAgree(call, solverNameOf(name, sizeof name, "b", j, count), b[j], "A's vectors",
                       s->vector[0]));
  }
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      if (x[i] == b[j] || (i < j && x[i] == x[j]))
        return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call, "%s", rule);
    }
  return TEXLA_OK;
}

/* The column of the history that the next step reads. */
static int solverColumnOf(const clSolver *s, int64_t iteration) {
  int64_t back = s->method->looks_back;
  return (int)((iteration + TX_HISTORY - back) % TX_HISTORY);
}

/* The history and the scalars as they were when a run was interrupted. */
static clStatus solverResume(clSolver *s, const char *call, const txStand *stand) {
  int column = solverColumnOf(s, stand->iteration);
  s->iteration = stand->iteration;
  s->residuals = stand->iteration;
  TRY(txTextureWrite(s->history, call, (txRect){column, 0, 1, 2}, stand->history));
  return clFloatUpload(s->rr0, stand->rr0);
}

/* A run begins or, from where `stand` says, goes on. The tolerances are those of the options where
 * `tolerance` is NULL. */
static clStatus init(clSolver *s, const char *call, int count, clVector *const *x,
                     const clVector *const *b, const double *tolerance, const txStand *stand) {
  if (count < 1 || count > s->columns || !x || !b)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "count (%d) must be between 1 and the columns (%d) of the solver's options, x "
                  "and b not NULL",
                  count, s->columns);
  TRY(checkVectors(s, call, count, x, b));
  for (int j = 0; j < count; j++) {
    s->x[j] = x[j];
    s->b[j] = b[j];
    s->column[j].tolerance = tolerance ? tolerance[j] : s->options.tolerance;
    s->column[j].residuals = 0;
  }
  s->count = count;
  s->groups = 0;
  if (count > 1)
    s->groups = (count + TX_MULTIVECTOR - 1) / TX_MULTIVECTOR;
  s->iteration = 0;
  s->begun = 0;
  s->residuals = 0;
  TRY(txTextureClear(s->history, call));
  if (s->groups)
    TRY(txManyLoad(s));
  else
    TRY(txSolverDot(s, s->bb, b[0], b[0]));
  if (stand)
    return solverResume(s, call, stand);
  return s->method->start(s, x[0], b[0]);
}

clStatus clSolverInitMany(clSolver *s, int count, clVector *const *x, const clVector *const *b) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  s->free_running = true;
  return init(s, "clSolverInitMany", count, x, b, NULL, NULL);
}

clStatus clSolverInit(clSolver *s, clVector *x, const clVector *b) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  s->free_running = true;
  return init(s, "clSolverInit", 1, &x, &b, NULL, NULL);
}

clStatus clSolverIterate(clSolver *s, int64_t count) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  if (!s->x[0] || count < 0)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, "clSolverIterate",
                  "clSolverInit comes first and count must not be negative");
  s->free_running = true;
  TRY(txIterateSubmit(s, count));
  return txIterateDeliver(s);
}

/* All of a solve: x and b are forgotten when it is over, as they are the caller's. */
static clStatus solverSolveColumns(clSolver *s, const char *call, int count, clVector *const *x,
                                   const clVector *const *b, const double *tolerance,
                                   const txStand *stand, clSolverReport *reports) {
  clContextCounters before = clContextStatistics(s->context);
  txProgress p = {.copied = -1, .best = INFINITY};
  if (stand) {
    p.start = stand->iteration;
    p.begun = stand->iteration;
    p.column[0].rr0 = (double)stand->rr0;
  }
  bool converged = true;
  s->free_running = false;
  txScopeEnter(s->context, s->method->name, -1);
  clStatus status = init(s, call, count, x, b, tolerance, stand);
  if (!status)
    status = txIterateSolve(s, &p);
  txScopeLeave(s->context, status);
  txReadFinish(p.bb_read, call, NULL);
  memset(s->x, 0, sizeof s->x);
  memset(s->b, 0, sizeof s->b);
  TRY(status);
  clContextCounters after = clContextStatistics(s->context);
  for (int j = 0; j < count; j++) {
    const txStanding *at = &p.column[j];
    converged = converged && at->reason == TEXLA_REASON_CONVERGED;
    if (reports)
      reports[j] = (clSolverReport){
          .reason = at->reason, .iterations = at->iterations, .residual = txRelative(at)};
  }
  /* The passes are those of all right-hand sides, and counted once. */
  if (reports) {
    reports[0].passes = after.passes - before.passes;
    reports[0].readbacks = after.readbacks - before.readbacks;
  }
  if (!converged)
    return TEXLA_NOT_CONVERGED;
  return TEXLA_OK;
}

clStatus txSolverDirections(clSolver *s, int count, clVector *const *p) {
  if (count > 1)
    return txManyDirections(s, count, p);
  return clVectorCopy(p[0], s->vector[s->method->direction]);
}

clStatus txSolverSolveColumns(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                              const double *tolerance, clSolverReport *reports) {
  return solverSolveColumns(s, "clSolverSolveMany", count, x, b, tolerance, NULL, reports);
}

clStatus clSolverSolveMany(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                           clSolverReport *reports) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  return solverSolveColumns(s, "clSolverSolveMany", count, x, b, NULL, NULL, reports);
}

clStatus clSolverSolve(clSolver *s, clVector *x, const clVector *b, clSolverReport *report) {
  if (!s)
    return TEXLA_BAD_ARGUMENT;
  return solverSolveColumns(s, "clSolverSolve", 1, &x, &b, NULL, NULL, report);
}

clStatus txSolverStand(clSolver *s, txStand *stand) {
  static const char call[] = "clSolver";
  txStand now = {.iteration = s->iteration};
  int column = solverColumnOf(s, s->iteration);
  TRY(clFloatDownload(s->rr0, &now.rr0));
  TRY(txTextureRead(s->history, call, (txRect){column, 0, 1, 2}, now.history));
  *stand = now;
  return TEXLA_OK;
}

clStatus txSolverSolveFrom(clSolver *s, clVector *x, const clVector *b, const txStand *stand,
                           clSolverReport *report) {
  return solverSolveColumns(s, "clSolverSolve", 1, &x, &b, NULL, stand, report);
}
