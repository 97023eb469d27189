/* clSolver as callers see it: create, solve or iterate, destroy. */
#include "core/allocate.h"
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
static clStatus allocate(clSolver *s) {
  clFloat **scalar[] = {&s->bb, &s->rr0, &s->ww};
  clStatus status = TEXLA_OK;
  for (int i = 0; i < s->method->vectors && !status; i++)
    status = clMatrixCreateVector(&s->vector[i], s->A, TEXLA_SIDE_ROWS);
  if (!status)
    status = txTextureCreate(&s->history, s->context, create_call, TX_RGBA32F, TX_HISTORY,
                             s->columns > 1 ? TX_MAX_TARGETS : 2);
  if (!status)
    s->history->meaning.kind = "history";
  for (int i = 0; i < 3 && !status; i++)
    status = clFloatCreate(scalar[i], s->context);
  if (!status && (s->method->wanders || !s->from_zero))
    status = clMatrixCreateVector(&s->best, s->A, TEXLA_SIDE_COLS);
  if (!status && s->method->wanders)
    status = clMatrixCreateVector(&s->candidate, s->A, TEXLA_SIDE_COLS);
  if (!status && s->columns > 1)
    status = txManyCreate(s);
  return status || !s->method->create ? status : s->method->create(s);
}

/* A solver that knows its matrix and its options. */
static clStatus begin(clSolver **out, const clMatrix *A, const clSolverOptions *options) {
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

/* *out <- s, or nothing. */
static clStatus end(clSolver **out, clSolver *s, clStatus status) {
  forgetHost(s);
  if (status)
    clSolverDestroy(s);
  else
    *out = s;
  return status;
}

clStatus txSolverCreate(clSolver **out, const clMatrix *A, const clSolverOptions *options,
                        const txRows *rows, bool from_zero) {
  clSolver *s = NULL;
  clPreconditioner kind;
  clStatus status = begin(out ? &s : NULL, A, options);
  if (status)
    return status;
  s->from_zero = from_zero;
  status = txSolverChoose(s, &kind);
  if (!status)
    status = txSolverDefaults(s);
  if (!status)
    status = txPreconditionerCreate(&s->preconditioner, &s->inverse, A, kind, &s->options, rows);
  if (!status)
    status = allocate(s);
  return end(out, s, status);
}

clStatus txSolverUpdate(clSolver *s, const clMatrix *A, const clSolverOptions *options,
                        const txRows *rows) {
  clPreconditioner kind;
  s->A = A;
  s->options = *options;
  clStatus status = txSolverChoose(s, &kind);
  if (!status)
    status = txSolverDefaults(s);
  if (!status)
    status = txPreconditionerUpdate(&s->preconditioner, &s->inverse, A, kind, &s->options, rows);
  if (!status && s->many) {
    txManyDestroy(s->many);
    s->many = NULL;
    status = txManyCreate(s);
  }
  forgetHost(s);
  return status;
}

clStatus txSolverCreateWith(clSolver **out, const clMatrix *A, const clSolverOptions *options,
                            const txMethod *method, txPreconditioner M) {
  clSolver *s = NULL;
  clStatus status = begin(&s, A, options);
  if (status) {
    txPreconditionerDestroy(&M);
    return status;
  }
  s->method = method;
  s->preconditioner = M;
  status = txSolverDefaults(s);
  if (!status)
    status = allocate(s);
  return end(out, s, status);
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
  bool exists = s && column >= 0 && column < s->count;
  if (count)
    *count = exists ? s->column[column].residuals : 0;
  return exists ? s->column[column].residual : NULL;
}

const double *clSolverHistory(const clSolver *s, int64_t *count) {
  return clSolverHistoryOf(s, 0, count);
}

/* What the operands of one right-hand side are called in messages. */
static const char *nameOf(char *text, size_t n, const char *name, int j, int count) {
  snprintf(text, n, count > 1 ? "%s_%d" : "%s", name, j + 1);
  return text;
}

static clStatus checkVectors(const clSolver *s, const char *call, int count, clVector *const *x,
                             const clVector *const *b) {
  char name[16];
  clStatus status = TEXLA_OK;
  for (int j = 0; j < count && !status; j++) {
    status = txVectorsAgree(call, nameOf(name, sizeof name, "x", j, count), x[j], "A's vectors",
                            s->vector[0]);
    if (!status)
      status = txVectorsAgree(call, nameOf(name, sizeof name, "b", j, count), b[j], "A's vectors",
                              s->vector[0]);
  }
  for (int i = 0; i < count && !status; i++)
    for (int j = 0; j < count && !status; j++)
      if (x[i] == b[j] || (i < j && x[i] == x[j]))
        status = txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                        count > 1 ? "no x may be another x or a b" : "x and b must be two vectors");
  return status;
}

/* The history and the scalars as they were when a run was interrupted. */
static clStatus resume(clSolver *s, const char *call, const txStand *stand) {
  int column = (int)(stand->iteration % TX_HISTORY);
  s->iteration = s->residuals = stand->iteration;
  clStatus status = txTextureWrite(s->history, call, (txRect){column, 0, 1, 2}, stand->history);
  return status ? status : clFloatUpload(s->rr0, stand->rr0);
}

/* `stand` NULL: a new run. */
static clStatus init(clSolver *s, const char *call, int count, clVector *const *x,
                     const clVector *const *b, const double *tolerance, const txStand *stand) {
  if (count < 1 || count > s->columns || !x || !b)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "count (%d) must be between 1 and the columns (%d) of the solver's options, x "
                  "and b not NULL",
                  count, s->columns);
  clStatus status = checkVectors(s, call, count, x, b);
  if (status)
    return status;
  for (int j = 0; j < count; j++) {
    s->x[j] = x[j];
    s->b[j] = b[j];
    s->column[j].tolerance = tolerance ? tolerance[j] : s->options.tolerance;
    s->column[j].residuals = 0;
  }
  s->count = count;
  s->groups = count > 1 ? (count + TX_MULTIVECTOR - 1) / TX_MULTIVECTOR : 0;
  s->iteration = 0;
  s->residuals = 0;
  status = txTextureClear(s->history, call);
  if (!status)
    status = s->groups ? txManyLoad(s) : txSolverDot(s, s->bb, b[0], b[0]);
  if (status)
    return status;
  return stand ? resume(s, call, stand) : s->method->start(s, x[0], b[0]);
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
  if (!s || !s->x[0] || count < 0)
    return txFail(s ? txContextError(s->context) : NULL, TEXLA_BAD_ARGUMENT, "clSolverIterate",
                  "clSolverInit comes first and count must not be negative");
  s->free_running = true;
  clStatus status = txIterateSubmit(s, count);
  return status ? status : txIterateDeliver(s);
}

static clStatus solveColumns(clSolver *s, const char *call, int count, clVector *const *x,
                             const clVector *const *b, const double *tolerance,
                             const txStand *stand, clSolverReport *reports) {
  clContextCounters before = clContextCount(s->context);
  txProgress p = {.copied = -1, .best = INFINITY};
  if (stand) {
    p.start = p.begun = stand->iteration;
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
  if (status)
    return status;
  clContextCounters after = clContextCount(s->context);
  for (int j = 0; j < count; j++) {
    const txStanding *at = &p.column[j];
    converged = converged && at->reason == TEXLA_REASON_CONVERGED;
    if (reports)
      reports[j] = (clSolverReport){.reason = at->reason,
                                    .iterations = at->iterations,
                                    .residual = txRelative(at),
                                    .passes = j ? 0 : after.passes - before.passes,
                                    .readbacks = j ? 0 : after.readbacks - before.readbacks};
  }
  return converged ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}

clStatus txSolverDirections(clSolver *s, int count, clVector *const *p) {
  return count > 1 ? txManyDirections(s, count, p)
                   : clVectorCopy(p[0], s->vector[s->method->direction]);
}

clStatus txSolverSolveColumns(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                              const double *tolerance, clSolverReport *reports) {
  return solveColumns(s, "clSolverSolveMany", count, x, b, tolerance, NULL, reports);
}

clStatus clSolverSolveMany(clSolver *s, int count, clVector *const *x, const clVector *const *b,
                           clSolverReport *reports) {
  return s ? solveColumns(s, "clSolverSolveMany", count, x, b, NULL, NULL, reports)
           : TEXLA_BAD_ARGUMENT;
}

clStatus clSolverSolve(clSolver *s, clVector *x, const clVector *b, clSolverReport *report) {
  return s ? solveColumns(s, "clSolverSolve", 1, &x, &b, NULL, NULL, report) : TEXLA_BAD_ARGUMENT;
}

clStatus txSolverStand(clSolver *s, txStand *stand) {
  static const char call[] = "clSolver";
  txStand now = {.iteration = s->iteration};
  int column = (int)(s->iteration % TX_HISTORY);
  clStatus status = clFloatDownload(s->rr0, &now.rr0);
  if (!status)
    status = txTextureRead(s->history, call, (txRect){column, 0, 1, 2}, now.history);
  if (!status)
    *stand = now;
  return status;
}

clStatus txSolverSolveFrom(clSolver *s, clVector *x, const clVector *b, const txStand *stand,
                           clSolverReport *report) {
  return solveColumns(s, "clSolverSolve", 1, &x, &b, NULL, stand, report);
}
