/* Stationary iteration, x <- x + damping M (b - A x): Jacobi's (K8) with M = D^-1, or multigrid
 * cycles. */
#include "krylov/frame.h"
#include "core/try.h"

#include <math.h>

enum { R, Z, WINDOW = 8 };
static const char call[] = "clSolver (stationary)";

/* r.r into the history, and z.z where it is wanted. */
static clStatus stationaryMeasure(clSolver *s, const clVector *r, const clVector *z, int64_t k) {
  txReduction sums = {.source = {r, z}, .term = "vec4(0., dot(at(x, p), at(x, p)), 0., 0.)"};
  if (z)
    sums.term = "vec4(0., dot(at(x, p), at(x, p)), dot(at(y, p), at(y, p)), 0.)";
  return txSolverReduce(s, call, &sums, k, 0);
}

/* The preconditioner's own iteration, where it has one and takes whole steps; else NULL. */
static const txIteration *iterationOf(const clSolver *s) {
  if (s->options.damping != 1)
    return NULL;
  return s->preconditioner.iteration;
}

/* What follows is for the residual r. */
static void goApart(clSolver *s, const clVector *r) {
  if (!iterationOf(s))
    return;
  s->apart = r;
  iterationOf(s)->begin(s->preconditioner.data, r);
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

/* While x is zero, b is its own residual: an iteration takes it as it is. */
static clStatus stationaryStart(clSolver *s, clVector *x, const clVector *b) {
  const clVector *r = s->vector[R];
  if (s->from_zero && iterationOf(s)) {
    goApart(s, b);
    return startFromB(s);
  }
  TRY(txSolverFirst(s, s->vector[R], x, b));
  goApart(s, r);
  return stationaryMeasure(s, r, NULL, 0);
}

/* x <- a better start than M b, where x is zero and M knows of one; *begun: it does */
static clStatus stationaryBegin(clSolver *s, clVector *x, const clVector *b, bool *begun) {
  const txPreconditioner *M = &s->preconditioner;
  *begun = false;
  if (!M->begin || !s->from_zero || s->free_running || s->options.damping != 1)
    return TEXLA_OK;
  return M->begin(M->data, x, b, begun);
}

/* x <- x + damping M r */
static clStatus stationaryCorrect(clSolver *s, clVector *x, int64_t k) {
  clVector *z = s->vector[R];
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

bool txStationaryApart(const clSolver *s) {
  return s->method == &txStationary && s->from_zero && iterationOf(s);
}

bool txStationaryCycles(const clSolver *s) {
  return s->method == &txStationary && s->from_zero && s->preconditioner.cycle;
}

/* The same by the preconditioner's own iteration. */
static clStatus runApart(const clSolver *s, clVector *x, const clVector *b, int count) {
  const txIteration *iteration = iterationOf(s);
  void *data = s->preconditioner.data;
  iteration->begin(data, b);
  for (int k = 0; k < count; k++)
    TRY(iteration->step(data));
  return iteration->finish(data, x, false);
}

clStatus txStationaryRun(clSolver *s, clVector *x, const clVector *b, int count) {
  s->free_running = true;
  if (iterationOf(s))
    return runApart(s, x, b, count);
  TRY(clVectorClear(x));
  TRY(clVectorCopy(s->vector[R], b));
  for (int k = 0; k < count; k++) {
    if (k > 0)
      TRY(txSolverResidual(s, s->vector[R], x, b));
    TRY(stationaryCorrect(s, x, k));
  }
  return TEXLA_OK;
}

/* A step of the preconditioner's own iteration; after a look at x it begins anew. */
static clStatus stepApart(clSolver *s, const clVector *x, const clVector *b, int64_t k) {
  const txIteration *iteration = iterationOf(s);
  const clVector *left = NULL, *found = NULL;
  void *data = s->preconditioner.data;
  if (!s->apart) {
    TRY(txSolverResidual(s, s->vector[R], x, b));
    goApart(s, s->vector[R]);
  }
  TRY(iteration->step(data));
  if (s->free_running)
    return TEXLA_OK;
  TRY(iteration->residual(data, &left, &found));
  return stationaryMeasure(s, left, found, k + 1);
}

/* r is that of x_k already; afterwards it is that of x_k+1. */
static clStatus stationaryStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  bool begun = false;
  if (k == 0)
    TRY(stationaryBegin(s, x, b, &begun));
  if (!begun && iterationOf(s))
    return stepApart(s, x, b, k);
  if (!begun)
    TRY(stationaryCorrect(s, x, k));
  TRY(txSolverResidual(s, s->vector[R], x, b));
  goApart(s, s->vector[R]);
  if (s->free_running)
    return TEXLA_OK;
  return stationaryMeasure(s, s->vector[R], begun ? x : NULL, k + 1);
}

/* x was zero where the iteration began with b. */
static clStatus stationaryFinish(clSolver *s, clVector *x, int64_t k) {
  const clVector *from = s->apart;
  (void)k;
  s->apart = NULL;
  if (!from)
    return TEXLA_OK;
  return iterationOf(s)->finish(s->preconditioner.data, x, from != s->b[0]);
}

/* Rounding x to single precision changes b - A x by about 2^-24 D x. Where a residual that does not
 * see this is less than so many times as large, refinement gains more by a true one than by one
 * more cycle. [Poisson, noise as b: 512^2 takes one round of four cycles instead of two rounds,
 * 1024^2 two in any case] */
static bool meetsRounding(const clSolver *s, const float *row0) {
  const double enough = 20, rounding = 0x1p-24;
  if (!s->apart || !s->from_zero)
    return false;
  double unseen = rounding * iterationOf(s)->diagonal(s->preconditioner.data);
  return (double)row0[1] < pow(enough * unseen, 2) * (double)row0[2];
}

/* Cycles that gain less than a tenth of a per cent each have met the rounding of b - A x, and so
 * has a single one that gains less than a factor of two where those before it gained more than four
 * each: slow modes show themselves one after the other. Jacobi's iteration may be that slow all the
 * time. */
static clReason stationaryJudge(const clSolver *s, const float *row0, const float *row1,
                                double rr0) {
  (void)row1, (void)rr0;
  if (meetsRounding(s, row0))
    return TEXLA_REASON_STAGNATED;
  const double *r = s->column[0].residual;
  int64_t k = s->residuals - 1;
  bool slow = k >= WINDOW && r[k] > 0.99 * r[k - WINDOW];
  bool sudden = k >= 2 && r[k] > 0.5 * r[k - 1] && r[k - 1] < pow(0.25, (double)(k - 1)) * r[0];
  if (!s->inverse && (slow || sudden))
    return TEXLA_REASON_STAGNATED;
  return TEXLA_REASON_NONE;
}

const txMethod txStationary = {.name = "stationary",
                               .vectors = 2,
                               .start = stationaryStart,
                               .step = stationaryStep,
                               .judge = stationaryJudge,
                               .ahead = true,
                               .finish = stationaryFinish};
