/* Stationary iteration, x <- x + damping M (b - A x): Jacobi's (K8) with M = D^-1, or multigrid
 * cycles. */
#include "krylov/frame.h"
#include "core/try.h"

#include <math.h>

enum { R, Z, WINDOW = 8 };
static const char call[] = "clSolver (stationary)";

static clStatus measure(clSolver *s, int64_t k) {
  txReduction rr = {.source = {s->vector[R]}, .term = "vec4(0., dot(at(x, p), at(x, p)), 0., 0.)"};
  return txSolverReduce(s, call, &rr, k, 0);
}

/* While x is zero, b is its own residual: where M takes it as it is, there is nothing to
 * compute. */
static bool startsFromB(const clSolver *s) {
  return s->from_zero && s->preconditioner.correct;
}

/* The history of iteration 0 and rr0 from b.b, which is there already. */
static clStatus startFromB(clSolver *s) {
  txPass first = {.kernel = "history_first",
                  .target = {s->history},
                  .scalar = {s->bb->texture},
                  .rect = {0, 0, 1, 1}};
  TRY(clFloatCopy(s->rr0, s->bb));
  return txPassRun(s->context, call, &first);
}

static clStatus start(clSolver *s, clVector *x, const clVector *b) {
  if (startsFromB(s))
    return startFromB(s);
  TRY(txSolverFirst(s, s->vector[R], x, b));
  return measure(s, 0);
}

/* x <- a better start than M b, where x is zero and M knows of one; *begun: it does */
static clStatus begin(clSolver *s, clVector *x, const clVector *b, bool *begun) {
  const txPreconditioner *M = &s->preconditioner;
  *begun = false;
  if (!M->begin || !s->from_zero || s->free_running || s->options.damping != 1)
    return TEXLA_OK;
  return M->begin(M->data, x, b, begun);
}

/* x <- x + damping M r; the first M r from zero is M b, where M takes b as it is */
static clStatus correct(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  clVector *z = s->vector[R];
  bool first = k == 0 && startsFromB(s);
  const txPreconditioner *M = &s->preconditioner;
  if (M->correct)
    return M->correct(M->data, x, !first, s->options.damping, first ? b : z);
  if (!s->inverse)
    TRY(txSolverPrecondition(s, s->vector[Z], s->vector[R], &z));
  txPass pass = {.kernel = "stationary",
                 .source = {{"x", x->texture, TX_EDGE}, {"z", z->texture, TX_EDGE}},
                 .uniform = {{"damping", 1, {s->options.damping}}}};
  const char *variant = "#define FIXED_POINT\n";
  if (s->inverse) {
    pass.source[2] = (txSource){"inverted", s->inverse->texture, TX_EDGE};
    variant = "#define FIXED_POINT\n#define DIAGONAL\n";
  }
  return txSolverPass(s, call, &pass, variant, k, &x, 1);
}

bool txStationaryCycles(const clSolver *s) {
  return s->method == &txStationary && s->from_zero && s->preconditioner.cycle;
}

clStatus txStationaryRun(clSolver *s, clVector *x, const clVector *b, int count) {
  if (!startsFromB(s)) {
    TRY(clVectorClear(x));
    TRY(clVectorCopy(s->vector[R], b));
  }
  s->free_running = true;
  for (int k = 0; k < count; k++) {
    if (k > 0)
      TRY(txSolverResidual(s, s->vector[R], x, b));
    TRY(correct(s, x, b, k));
  }
  return TEXLA_OK;
}

/* r is that of x_k already; afterwards it is that of x_k+1. */
static clStatus step(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  bool begun = false;
  if (k == 0)
    TRY(begin(s, x, b, &begun));
  if (!begun)
    TRY(correct(s, x, b, k));
  TRY(txSolverResidual(s, s->vector[R], x, b));
  if (s->free_running)
    return TEXLA_OK;
  return measure(s, k + 1);
}

/* Cycles that gain less than a tenth of a per cent each have met the rounding of b - A x, and so
 * has a single one that gains less than a factor of two where those before it gained more than four
 * each: slow modes show themselves one after the other. Jacobi's iteration may be that slow all the
 * time. */
static clReason judge(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)row0, (void)row1, (void)rr0;
  const double *r = s->column[0].residual;
  int64_t k = s->residuals - 1;
  bool slow = k >= WINDOW && r[k] > 0.99 * r[k - WINDOW];
  bool sudden = k >= 2 && r[k] > 0.5 * r[k - 1] && r[k - 1] < pow(0.25, (double)(k - 1)) * r[0];
  if (!s->inverse && (slow || sudden))
    return TEXLA_REASON_STAGNATED;
  return TEXLA_REASON_NONE;
}

const txMethod txStationary = {
    .name = "stationary", .vectors = 2, .start = start, .step = step, .judge = judge};
