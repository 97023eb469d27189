/* Multigrid as a solver: cycles, with a look at the residual after each. A cycle is so much work that waiting for one number
 * costs nothing in comparison, and none is done in vain. */
#include "solvers/multigrid.h"

#include <math.h>

static const char call[] = "clMultigridSolve";

/* After so many cycles without a better residual there is nothing more to gain. */
enum { PATIENCE = 3, MOST_CYCLES = 100 };

typedef struct solve {
  clMultigrid *mg;
  clSolverOptions options;
  clVector *x, *projected; /* projected: b without its mean, when A is singular */
  const clVector *b;
  clFloat *number;
  double bb, r0, last, best; /* norms; bb: of b */
  int64_t iterations;
  int idle; /* cycles since the best residual */
} solve;

/* y <- x - mean(x) */
static clStatus project(solve *s, clVector *y, const clVector *x) {
  clStatus status = clVectorSum(s->number, x);
  txPass pass = {.kernel = "shift",
                 .source = {{"x", x->texture, TX_EDGE}},
                 .scalar = {s->number->texture},
                 .uniform = {{"factor", 1, {-1 / (float)x->layout.length}}}};
  return status ? status : txVectorRun(call, &pass, y);
}

static clStatus norm(solve *s, const clVector *v, double *out) {
  float value = 0;
  clStatus status = clVectorNorm(s->number, v);
  if (!status)
    status = clFloatDownload(s->number, &value);
  *out = (double)value;
  return status;
}

static clStatus residual(solve *s) {
  txLevel *finest = &s->mg->level[0];
  clStatus status = txGridResidual(call, finest->r, finest->grid, s->x, s->b);
  return status ? status : norm(s, finest->r, &s->last);
}

static clReason judge(solve *s) {
  const clSolverOptions *o = &s->options;
  double relative = s->bb > 0 ? s->last / s->bb : s->last;
  if (!isfinite(s->last) || !isfinite(s->bb))
    return TEXLA_REASON_NAN;
  if (s->last <= fmax(o->tolerance * s->bb, o->absolute))
    return TEXLA_REASON_CONVERGED;
  if (o->divergence > 0 && s->last > o->divergence * s->r0)
    return TEXLA_REASON_DIVERGED;
  s->idle = s->last < 0.9 * s->best ? 0 : s->idle + 1;
  s->best = fmin(s->best, s->last);
  if (s->iterations && s->idle >= PATIENCE)
    return TEXLA_REASON_STAGNATED;
  if (o->monitor && !o->monitor(o->monitor_user, s->iterations, relative))
    return TEXLA_REASON_STOPPED;
  return s->iterations >= o->max_iterations ? TEXLA_REASON_MAX_ITERATIONS : TEXLA_REASON_NONE;
}

static clStatus begin(solve *s) {
  clStatus status = clFloatCreate(&s->number, s->mg->context);
  if (!status && s->mg->singular)
    status = clVectorCreateLike(&s->projected, s->b);
  if (!status && s->mg->singular)
    status = project(s, s->projected, s->b);
  if (!status && s->mg->singular)
    s->b = s->projected;
  if (!status)
    status = norm(s, s->b, &s->bb);
  if (!status && s->mg->options.full && isfinite(s->bb))
    status = clMultigridStart(s->mg, s->x, s->b);
  if (!status)
    status = residual(s);
  s->r0 = s->best = s->last;
  return status;
}

static clStatus iterate(solve *s, clReason *reason) {
  clStatus status = begin(s);
  while (!status && (*reason = judge(s)) == TEXLA_REASON_NONE) {
    status = clMultigridCycle(s->mg, s->x, s->b);
    s->iterations++;
    if (!status)
      status = residual(s);
  }
  if (!status && s->mg->singular && *reason != TEXLA_REASON_NAN)
    status = project(s, s->x, s->x);
  return status;
}

static clStatus setDefaults(clSolverOptions *o, clContext *context) {
  if (!(o->tolerance >= 0) || !(o->tolerance < 1) || !(o->absolute >= 0) || o->max_iterations < 0)
    return txFail(txContextError(context), TEXLA_BAD_ARGUMENT, call,
                  "tolerance (%g) must be in [0, 1), absolute (%g) and max_iterations (%lld) not negative",
                  o->tolerance, o->absolute, (long long)o->max_iterations);
  o->tolerance = o->tolerance > 0 ? o->tolerance : 1e-6;
  o->divergence = o->divergence == 0 ? 1e5 : o->divergence;
  o->max_iterations = o->max_iterations ? o->max_iterations : MOST_CYCLES;
  return TEXLA_OK;
}

clStatus clMultigridSolve(clMultigrid *mg, clVector *x, const clVector *b, const clSolverOptions *options,
                          clSolverReport *report) {
  clStatus status = txMultigridCheck(mg, call, x, "x", b, "b");
  if (status)
    return status;
  solve s = {.mg = mg, .options = options ? *options : (clSolverOptions){0}, .x = x, .b = b};
  clContextCounters before = clContextCount(mg->context);
  clReason reason = TEXLA_REASON_NONE;
  status = setDefaults(&s.options, mg->context);
  if (!status)
    status = iterate(&s, &reason);
  clVectorDestroy(s.projected);
  clFloatDestroy(s.number);
  if (status)
    return status;
  clContextCounters after = clContextCount(mg->context);
  if (report)
    *report = (clSolverReport){.reason = reason,
                               .iterations = s.iterations,
                               .residual = s.bb > 0 ? s.last / s.bb : s.last,
                               .passes = after.passes - before.passes,
                               .readbacks = after.readbacks - before.readbacks};
  return reason == TEXLA_REASON_CONVERGED ? TEXLA_OK : TEXLA_NOT_CONVERGED;
}
