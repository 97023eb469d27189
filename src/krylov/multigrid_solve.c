/* Multigrid as a solver: the stationary method of the iteration frame, with a clMultigrid for its
 * preconditioner and the finest grid for its matrix. A look at the residual after each cycle; none
 * is done in vain. */
#include "krylov/options.h"
#include "core/try.h"
#include "multigrid/multigrid.h"

static const char call[] = "clMultigridSolve";
enum { MOST_CYCLES = 100 };

/* What a solve makes; `projected` is b without its mean, when A is singular. */
typedef struct solve {
  clMultigrid *mg;
  clVector *zero, *projected;
  clMatrix *A;
  clSolver *solver;
} solve;

/* y <- A x = -(0 - A x) */
static clStatus multigridSolveMultiply(void *user, clVector *y, const clVector *x) {
  const solve *s = user;
  TRY(txGridResidual(call, y, s->mg->level[0].grid, x, s->zero));
  return clVectorScale(y, -1, NULL, y);
}

/* y <- x - mean(x) */
static clStatus multigridSolveProject(const solve *s, clVector *y, const clVector *x) {
  clFloat *sum = NULL;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(clFloatCreate(&sum, s->mg->context));
  TRY_CLEANUP(clVectorSum(sum, x));
  txPass pass = {.kernel = "shift",
                 .source = {{"x", x->texture, TX_EDGE}},
                 .scalar = {sum->texture},
                 .uniform = {{"factor", 1, {-1 / (float)x->layout.length}}}};
  TRY_CLEANUP(txVectorRun(call, &pass, y));
cleanup:
  clFloatDestroy(sum);
  return status;
}

/* The finest grid as a matrix of one's own (a shell), and a solver for it. */
static clStatus multigridSolveCreate(solve *s, const clVector *b, const clSolverOptions *options) {
  const int *n = s->mg->level[0].n;
  txPreconditioner M = txMultigridPreconditioner(s->mg);
  clSolverOptions o = {0};
  if (options)
    o = *options;
  o.damping = 0;
  o.columns = 0;
  if (o.max_iterations == 0)
    o.max_iterations = MOST_CYCLES;
  /* The multigrid is the caller's. */
  M.destroy = NULL;
  TRY(clVectorCreateLike(&s->zero, b));
  if (s->mg->singular)
    TRY(clVectorCreateLike(&s->projected, b));
  clShellOptions shell = {.product = {multigridSolveMultiply, s}, .grid_nx = n[0], .grid_ny = n[1]};
  TRY(clMatrixCreateShell(&s->A, s->mg->context, n[0] * n[1], n[0] * n[1], &shell));
  return txSolverCreateWith(&s->solver, s->A, &o, &txStationary, M);
}

/* Of the solutions of a singular system, the one whose mean is zero. */
static clStatus multigridSolveRun(solve *s, clVector *x, const clVector *b,
                                  clSolverReport *report) {
  if (s->mg->singular) {
    TRY(multigridSolveProject(s, s->projected, b));
    b = s->projected;
  }
  if (s->mg->options.full)
    TRY(clMultigridStart(s->mg, x, b));
  clStatus status = clSolverSolve(s->solver, x, b, report);
  if (s->mg->singular && status >= 0 && report->reason != TEXLA_REASON_NAN)
    TRY(multigridSolveProject(s, x, x));
  return status;
}

clStatus clMultigridSolve(clMultigrid *mg, clVector *x, const clVector *b,
                          const clSolverOptions *options, clSolverReport *report) {
  TRY(txMultigridCheck(mg, call, x, "x", b, "b"));
  solve s = {.mg = mg};
  clSolverReport own = {0};
  clContextCounters before = clContextStatistics(mg->context);
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(multigridSolveCreate(&s, b, options));
  /* That the iteration did not converge is information, and the report tells more. */
  status = multigridSolveRun(&s, x, b, &own);
  clContextCounters after = clContextStatistics(mg->context);
  own.passes = after.passes - before.passes;
  own.readbacks = after.readbacks - before.readbacks;
  if (report && status >= 0)
    *report = own;
cleanup:
  clSolverDestroy(s.solver);
  clMatrixDestroy(s.A);
  clVectorDestroy(s.projected);
  clVectorDestroy(s.zero);
  return status;
}
