/* Multigrid as a solver: the stationary method of the iteration frame, with a clMultigrid for its
 * preconditioner and the finest grid for its matrix. A look at the residual after each cycle; none
 * is done in vain. */
#include "krylov/options.h"
#include "multigrid/multigrid.h"

static const char call[] = "clMultigridSolve";
enum { MOST_CYCLES = 100 };

typedef struct solve {
  clMultigrid *mg;
  /* projected: b without its mean, when A is singular */
  clVector *zero, *projected;
  clMatrix *A;
  clSolver *solver;
} solve;

/* y <- A x = -(0 - A x) */
static clStatus multiply(void *user, clVector *y, const clVector *x) {
  const solve *s = user;
  clStatus status = txGridResidual(call, y, s->mg->level[0].grid, x, s->zero);
  return status ? status : clVectorScale(y, -1, NULL, y);
}

/* y <- x - mean(x) */
static clStatus project(const solve *s, clVector *y, const clVector *x) {
  clFloat *sum = NULL;
  clStatus status = clFloatCreate(&sum, s->mg->context);
  if (!status)
    status = clVectorSum(sum, x);
  if (!status) {
    txPass pass = {.kernel = "shift",
                   .source = {{"x", x->texture, TX_EDGE}},
                   .scalar = {sum->texture},
                   .uniform = {{"factor", 1, {-1 / (float)x->layout.length}}}};
    status = txVectorRun(call, &pass, y);
  }
  clFloatDestroy(sum);
  return status;
}

static clStatus create(solve *s, const clVector *b, const clSolverOptions *options) {
  const int *n = s->mg->level[0].n;
  txPreconditioner M = txMultigridPreconditioner(s->mg);
  clSolverOptions o = options ? *options : (clSolverOptions){0};
  o.damping = 0;
  o.columns = 0;
  o.max_iterations = o.max_iterations ? o.max_iterations : MOST_CYCLES;
  /* the multigrid is the caller's */
  M.destroy = NULL;
  clStatus status = clVectorCreateLike(&s->zero, b);
  if (!status && s->mg->singular)
    status = clVectorCreateLike(&s->projected, b);
  clShellOptions shell = {.product = {multiply, s}, .grid_nx = n[0], .grid_ny = n[1]};
  if (!status)
    status = clMatrixCreateShell(&s->A, s->mg->context, n[0] * n[1], n[0] * n[1], &shell);
  return status ? status : txSolverCreateWith(&s->solver, s->A, &o, &txStationary, M);
}

static clStatus run(solve *s, clVector *x, const clVector *b, clSolverReport *report) {
  clStatus status = TEXLA_OK;
  if (s->mg->singular) {
    status = project(s, s->projected, b);
    b = s->projected;
  }
  if (!status && s->mg->options.full)
    status = clMultigridStart(s->mg, x, b);
  if (status)
    return status;
  status = clSolverSolve(s->solver, x, b, report);
  clStatus after = s->mg->singular && status >= 0 && report->reason != TEXLA_REASON_NAN
                       ? project(s, x, x)
                       : TEXLA_OK;
  return after ? after : status;
}

clStatus clMultigridSolve(clMultigrid *mg, clVector *x, const clVector *b,
                          const clSolverOptions *options, clSolverReport *report) {
  clStatus status = txMultigridCheck(mg, call, x, "x", b, "b");
  if (status)
    return status;
  solve s = {.mg = mg};
  clSolverReport own = {0};
  clContextCounters before = clContextCount(mg->context);
  status = create(&s, b, options);
  if (!status)
    status = run(&s, x, b, &own);
  clContextCounters after = clContextCount(mg->context);
  own.passes = after.passes - before.passes;
  own.readbacks = after.readbacks - before.readbacks;
  if (report && status >= 0)
    *report = own;
  clSolverDestroy(s.solver);
  clMatrixDestroy(s.A);
  clVectorDestroy(s.projected);
  clVectorDestroy(s.zero);
  return status;
}
