/* The tables of methods, checks of what the options ask for, and defaults. */
#include "krylov/options.h"
#include "core/try.h"
#include "matrix/storage.h"

static const char call[] = "clSolverCreate";

#define COLUMN(name, ...) __VA_ARGS__,
static const char *const reasons[] = {TEXLA_REASON_LIST(COLUMN)};
#undef COLUMN

/* Name and help stand behind each other. */
#define COLUMN(name, text, help) {text, help},
static const char *const methods[][2] = {TEXLA_METHOD_LIST(COLUMN)};
static const char *const preconditioners[][2] = {TEXLA_PRECONDITIONER_LIST(COLUMN)};
#undef COLUMN

#define COUNT(table) (sizeof(table) / sizeof *(table))

const char *clReasonText(clReason reason) {
  if ((size_t)reason >= COUNT(reasons))
    return "unknown";
  return reasons[reason];
}

const char *clMethodName(clMethod method) {
  if ((size_t)method >= COUNT(methods))
    return "unknown";
  return methods[method][0];
}

const char *clMethodHelp(clMethod method) {
  if ((size_t)method >= COUNT(methods))
    return "";
  return methods[method][1];
}

const char *clPreconditionerName(clPreconditioner preconditioner) {
  if ((size_t)preconditioner >= COUNT(preconditioners))
    return "unknown";
  return preconditioners[preconditioner][0];
}

const char *clPreconditionerHelp(clPreconditioner preconditioner) {
  if ((size_t)preconditioner >= COUNT(preconditioners))
    return "";
  return preconditioners[preconditioner][1];
}

/* Conjugate gradients with a preconditioner that is not diagonal become txCgPreconditioned. */
static const txMethodEntry entries[COUNT(methods)] = {
    [TEXLA_METHOD_CG] = {&txCgMerged, TEXLA_PRECONDITIONER_NONE},
    [TEXLA_METHOD_JACOBI] = {&txStationary, TEXLA_PRECONDITIONER_JACOBI},
    [TEXLA_METHOD_BICGSTAB] = {&txBicgstab, TEXLA_PRECONDITIONER_NONE},
    [TEXLA_METHOD_GMRES] = {&txGmres, TEXLA_PRECONDITIONER_NONE},
    [TEXLA_METHOD_MG] = {&txStationary, TEXLA_PRECONDITIONER_MG},
    [TEXLA_METHOD_AMG] = {&txStationary, TEXLA_PRECONDITIONER_AMG},
};

const txMethodEntry *txMethodFind(clMethod method) {
  if ((size_t)method >= COUNT(entries))
    return NULL;
  return &entries[method];
}

clStatus txSolverChoose(clSolver *s, clPreconditioner *kind) {
  const clSolverOptions *o = &s->options;
  const txMethodEntry *entry = txMethodFind(o->method);
  if (!entry || !entry->method)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "method %d (%s) is unknown, or for clSystemSolve only", (int)o->method,
                  clMethodName(o->method));
  *kind = o->preconditioner;
  if (entry->own)
    *kind = entry->own;
  s->method = entry->method;
  if (o->shell.apply && *kind)
    return txFail(txContextError(s->context), TEXLA_BAD_ARGUMENT, call,
                  "a preconditioner of one's own (shell) excludes another one (%s)",
                  clPreconditionerName(*kind));
  if (s->method == &txCgMerged && (o->shell.apply || *kind > TEXLA_PRECONDITIONER_JACOBI))
    s->method = &txCgPreconditioned;
  return TEXLA_OK;
}

/* Numbers that make no sense, and what methods cannot do together. */
static clStatus checkRanges(const clSolver *s) {
  const clSolverOptions *o = &s->options;
  clError *error = txContextError(s->context);
  if (!(o->tolerance >= 0) || !(o->tolerance < 1) || !(o->absolute >= 0) || o->max_iterations < 0)
    return txFail(
        error, TEXLA_BAD_ARGUMENT, call,
        "tolerance (%g) must be in [0, 1), absolute (%g) and max_iterations (%lld) not negative",
        o->tolerance, o->absolute, (long long)o->max_iterations);
  if (!(o->damping >= 0))
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "damping (%g) must be positive",
                  (double)o->damping);
  if (o->restart < 0 || o->restart > 1000 || o->degree < 0 || o->degree > 100 || o->sweeps < 0 ||
      o->sweeps > 100)
    return txFail(error, TEXLA_BAD_ARGUMENT, call,
                  "restart (%d) must be at most 1000, degree (%d) and sweeps (%d) at most 100",
                  o->restart, o->degree, o->sweeps);
  if (o->columns < 0 || o->columns > TX_COLUMNS)
    return txFail(error, TEXLA_BAD_ARGUMENT, call, "columns (%d) must be at most %d", o->columns,
                  TX_COLUMNS);
  if (o->sum.apply && (o->columns > 1 || s->method == &txGmres))
    return txFail(
        error, TEXLA_UNSUPPORTED, call,
        "sums over processes are for cg and bicgstab with one right-hand side (columns = %d)",
        o->columns);
  if (o->columns > 1 && s->method != &txCgMerged)
    return txFail(error, TEXLA_UNSUPPORTED, call,
                  "several right-hand sides at once (columns = %d) are for cg without a "
                  "preconditioner or with jacobi",
                  o->columns);
  if (o->columns > 1 && !s->A->operations->multiplySeveral)
    return txFail(error, TEXLA_UNSUPPORTED, call,
                  "A takes one right-hand side at a time (columns = %d): it is an operator of "
                  "one's own, a clDense, or points",
                  o->columns);
  return TEXLA_OK;
}

clStatus txSolverDefaults(clSolver *s) {
  clSolverOptions *o = &s->options;
  TRY(checkRanges(s));
  s->columns = o->columns ? o->columns : 1;
  if (o->tolerance == 0)
    o->tolerance = 1e-6;
  if (o->restart == 0)
    o->restart = 30;
  if (o->damping == 0)
    o->damping = 1;
  if (o->divergence == 0)
    o->divergence = 1e5;
  if (o->max_iterations == 0)
    o->max_iterations = 10 * (int64_t)clMatrixRows(s->A);
  return TEXLA_OK;
}
