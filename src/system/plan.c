#include "system/plan.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "vector/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unknowns from which a hierarchy pays, and from which 100 vectors are too many; iterations of a
 * first try with gmres. */
enum { SMALL = 3000, LARGE = 200000, TRY = 600 };
/* Up to so many unknowns a Cholesky factorization takes about as long as conjugate gradients for an
 * easy matrix, and far less for others. */
enum { FACTORED = 500 };
/* Up to so many the host may factor in double. */
enum { HOST_MOST = 1000 };
static const double basis_entries = 6e7;
/* Entries so small beside the diagonal are what is left of sums that should be zero. */
static const double rounding = 1e-14;

enum {
  POSITIVE,
  NEGATIVE,
  ZERO,
  WEAK,
  SAME,
  OFF
}; /* rows by their diagonal; entries off it, and those with its sign */

/* Row i, whose entries are [k, end); `count` rows are like it. */
static void lookAtRow(const clTriplets *A, int64_t i, int64_t k, int64_t end, double count,
                      double sum[TX_SUMS]) {
  double diagonal = 0, others = 0;
  for (int64_t e = k; e < end; e++)
    diagonal = A->col[e] == i ? A->value[e] : diagonal;
  for (; k < end; k++)
    if (A->col[k] != i && fabs(A->value[k]) > rounding * fabs(diagonal)) {
      others += fabs(A->value[k]);
      sum[SAME] += A->value[k] * diagonal > 0 ? count : 0;
      sum[OFF] += count;
    }
  sum[POSITIVE] += diagonal > 0 ? count : 0;
  sum[NEGATIVE] += diagonal < 0 ? count : 0;
  sum[ZERO] += diagonal == 0 ? count : 0;
  sum[WEAK] += fabs(diagonal) < others * (1 - 1e-6) ? count : 0;
}

static void lookAtRows(void *user, int64_t first, int64_t last, double sum[TX_SUMS]) {
  const txRows *rows = user;
  double own[TX_SUMS] = {0};
  for (txRun run = txRunAt(rows, first, last); run.row < last; run = txRunNext(rows, &run, last))
    for (int64_t i = 0, k = run.entry; i < run.count; i += run.alike, k += run.alike * run.length)
      lookAtRow(rows->A, run.row + i, k, k + run.length, (double)run.alike, own);
  for (int k = 0; k < TX_SUMS; k++)
    sum[k] += own[k];
}

static bool usesMultigrid(const clSolverOptions *o) {
  return o->method == TEXLA_METHOD_MG || o->preconditioner == TEXLA_PRECONDITIONER_MG;
}

void txMatrixLookAt(txMatrixFacts *f, const txRows *rows, const clSystemOptions *options) {
  const clSolverOptions *o = &options->solver;
  double sum[TX_SUMS], n = rows->A->rows;
  *f = (txMatrixFacts){.grid = o->grid_nx || options->matrix.grid_nx};
  /* neither the method nor the scaling depends on it */
  if (o->method != TEXLA_METHOD_AUTO && o->method != TEXLA_METHOD_CG && usesMultigrid(o))
    return;
  txParallel(rows->A->rows, lookAtRows, (void *)(uintptr_t)rows, sum);
  f->symmetric = txRowsSymmetric(rows, TX_SYMMETRIC);
  f->positive = sum[POSITIVE] == n;
  f->negative = sum[NEGATIVE] == n;
  f->zero_diagonal = sum[ZERO] > 0;
  f->m_matrix = sum[SAME] <= floor(sum[OFF] / 20);
  f->dominant = sum[WEAK] <= rows->A->rows / 20;
}

/* Why the plan is as it is, for the report. */
static void explain(txPlan *plan, const char *why) {
  const clSolverOptions *o = &plan->solver;
  size_t used = strlen(plan->because);
  used += (size_t)snprintf(plan->because + used, sizeof plan->because - used, "%s%s: %s",
                           txWhen(used, "; "), why, clMethodName(o->method));
  if (o->preconditioner && used < sizeof plan->because)
    snprintf(plan->because + used, sizeof plan->because - used, " with %s",
             clPreconditionerName(o->preconditioner));
  if (plan->on_host && used < sizeof plan->because)
    snprintf(plan->because + used, sizeof plan->because - used, " in double on the host");
}

/* Each method wants its own scaling: hierarchies compare rows, the others want numbers of one
 * size. */
static void setScaling(txPlan *plan, const txMatrixFacts *f) {
  const clSolverOptions *o = &plan->solver;
  bool definite = f->positive || f->negative || o->method == TEXLA_METHOD_CG;
  plan->scaling = TX_SCALE_ROWS_COLS;
  if (f->symmetric && definite)
    plan->scaling = TX_SCALE_DIAGONAL;
  if (usesMultigrid(o))
    plan->scaling = TX_SCALE_UNIFORM;
  /* Cholesky's matrix must be symmetric; pivots are chosen among rows of one size. */
  if (o->method == TEXLA_METHOD_CHOLESKY)
    plan->scaling = TX_SCALE_DIAGONAL;
  if (o->method == TEXLA_METHOD_PLU)
    plan->scaling = TX_SCALE_ROWS_COLS;
}

bool txPlanAsksForGrid(const txMatrixFacts *f, int32_t n, const clSystemOptions *options) {
  const clSolverOptions *o = &options->solver;
  const clMatrixOptions *m = &options->matrix;
  bool stored = m->storage == TEXLA_STORAGE_AUTO || m->storage == TEXLA_STORAGE_BANDED;
  bool chosen = o->preconditioner == (clPreconditioner)TX_PRECONDITIONER_CHOSEN ||
                (o->method == TEXLA_METHOD_AUTO && !o->preconditioner);
  return chosen && !o->near_null_space && n > SMALL && !f->grid && f->symmetric &&
         (f->positive || f->negative) && f->m_matrix && stored && !m->linear;
}

/* The hierarchy that suits a large matrix, else `simple`; *kind <- what it is known to be. */
static clPreconditioner chooseHierarchy(const txMatrixFacts *f, int32_t n, clPreconditioner simple,
                                        const char **kind) {
  *kind = "";
  if (n <= SMALL)
    return simple;
  if (f->seen[0]) {
    *kind = ", large, with the offsets of a grid";
    return TEXLA_PRECONDITIONER_MG;
  }
  if (f->grid) {
    *kind = ", large, on a grid";
    return TEXLA_PRECONDITIONER_MG;
  }
  *kind = ", large";
  if (!f->m_matrix)
    return simple;
  *kind = ", large, off-diagonal entries of one sign";
  return TEXLA_PRECONDITIONER_AMG;
}

/* `before`: why the plan before has ended; NONE: there was none. */
static void chooseSymmetric(txPlan *plan, const txMatrixFacts *f, int32_t n, clReason before) {
  clSolverOptions *o = &plan->solver;
  char why[224], ended[96] = "";
  const char *kind = "";
  if (before)
    snprintf(ended, sizeof ended, "%s ended with %s, ", clMethodName(o->method),
             clReasonText(before));
  o->method = TEXLA_METHOD_CG;
  plan->sign = 1;
  if (f->negative)
    plan->sign = -1;
  if (!o->preconditioner)
    o->preconditioner = chooseHierarchy(f, n, TEXLA_PRECONDITIONER_JACOBI, &kind);
  snprintf(why, sizeof why, "%ssymmetric with a %s diagonal%s%s", ended,
           f->negative ? "negative" : "positive", txWhen(f->negative, " (-A x = -b is solved)"),
           kind);
  explain(plan, why);
}

/* A preconditioner that was asked for wants an iteration. */
static bool chooseFactorization(txPlan *plan, const txMatrixFacts *f, int32_t n, bool exact) {
  if (n > FACTORED || plan->preconditioner_given)
    return false;
  /* only factors know a singular matrix whose b can be reached */
  if (exact) {
    plan->directly = true;
    plan->solver.method = TEXLA_METHOD_PLU;
    explain(plan, "small");
    return true;
  }
  if (!f->symmetric || !f->positive)
    return false;
  plan->solver.method = TEXLA_METHOD_CHOLESKY;
  explain(plan, "symmetric with a positive diagonal, small");
  return true;
}

/* GMRES keeps all its directions: beyond LARGE unknowns there is no room for enough of them. */
static void chooseGeneral(txPlan *plan, const txMatrixFacts *f, int32_t n, const char *why) {
  clSolverOptions *o = &plan->solver;
  o->method = TEXLA_METHOD_GMRES;
  if (n > LARGE)
    o->method = TEXLA_METHOD_BICGSTAB;
  clPreconditioner simple = TEXLA_PRECONDITIONER_NONE;
  if (f->dominant)
    simple = TEXLA_PRECONDITIONER_JACOBI;
  const char *kind;
  if (!o->preconditioner && !f->zero_diagonal)
    o->preconditioner = chooseHierarchy(f, n, simple, &kind);
  if (!o->restart)
    o->restart = txLeast(n, 100);
  plan->limit = 0;
  if (o->method == TEXLA_METHOD_GMRES && n > o->restart)
    plan->limit = TRY;
  explain(plan, why);
}

void txPlanMake(txPlan *plan, const txMatrixFacts *f, int32_t n, const clSystemOptions *options) {
  *plan =
      (txPlan){.solver = options->solver,
               .sign = 1,
               .automatic = options->solver.method == TEXLA_METHOD_AUTO,
               .preconditioner_given = options->solver.preconditioner != TEXLA_PRECONDITIONER_NONE};
  if (plan->solver.preconditioner == (clPreconditioner)TX_PRECONDITIONER_CHOSEN) {
    const char *kind;
    clPreconditioner simple = TEXLA_PRECONDITIONER_JACOBI;
    if (f->zero_diagonal)
      simple = TEXLA_PRECONDITIONER_NONE;
    plan->preconditioner_given = false;
    plan->solver.preconditioner = chooseHierarchy(f, n, simple, &kind);
  }
  if (f->seen[0]) {
    plan->solver.grid_nx = f->seen[0];
    plan->solver.grid_ny = f->seen[1];
  }
  bool definite = f->symmetric && (f->positive || f->negative), exact = options->roundoff > 0;
  if (plan->automatic && !chooseFactorization(plan, f, n, exact) && definite)
    chooseSymmetric(plan, f, n, TEXLA_REASON_NONE);
  else if (plan->solver.method == TEXLA_METHOD_AUTO)
    chooseGeneral(plan, f, n,
                  f->symmetric ? "symmetric, but the diagonal's sign changes" : "not symmetric");
  plan->host_most = HOST_MOST;
  if (options->roundoff > 0 && options->solver.method == TEXLA_METHOD_PLU)
    plan->host_most = TX_DENSE;
  setScaling(plan, f);
}

/* GMRES with as many vectors as make sense, with the diagonal and, next time, without. */
static void chooseLargeBasis(txPlan *plan, const txMatrixFacts *f, int32_t n, bool first) {
  clSolverOptions *o = &plan->solver;
  bool diagonal = first == f->dominant && !f->zero_diagonal;
  o->method = TEXLA_METHOD_GMRES;
  o->restart = (int)fmax(30, fmin(fmin(n, 1000), basis_entries / n));
  if (plan->preconditioner_given)
    return;
  o->preconditioner = TEXLA_PRECONDITIONER_NONE;
  if (diagonal)
    o->preconditioner = TEXLA_PRECONDITIONER_JACOBI;
}

bool txPlanEnds(clReason reason) {
  return clReasonSolved(reason) || reason == TEXLA_REASON_STOPPED ||
         reason == TEXLA_REASON_INCONSISTENT;
}

bool txPlanAsksDirect(const txPlan *plan, clReason reason) {
  return plan->automatic && !txPlanEnds(reason) && reason != TEXLA_REASON_BAD_PRECONDITIONER &&
         !plan->directly && plan->solver.method != TEXLA_METHOD_CHOLESKY;
}

/* The same method with a preconditioner that nothing can break. */
static bool replacePreconditioner(txPlan *plan, const txMatrixFacts *f) {
  clSolverOptions *o = &plan->solver;
  char why[96];
  if (o->preconditioner <= TEXLA_PRECONDITIONER_JACOBI)
    return false;
  snprintf(why, sizeof why, "%s is not positive definite in single precision",
           clPreconditionerName(o->preconditioner));
  o->preconditioner = TEXLA_PRECONDITIONER_JACOBI;
  if (f->zero_diagonal)
    o->preconditioner = TEXLA_PRECONDITIONER_NONE;
  explain(plan, why);
  setScaling(plan, f);
  return true;
}

bool txPlanHostFollows(const txPlan *plan, int32_t n) {
  return n <= plan->host_most && !plan->on_host;
}

/* Of a method that was asked for. */
static bool namedMethodFollows(const txPlan *plan, int32_t n) {
  clMethod method = plan->solver.method;
  return txPlanHostFollows(plan, n) && (method == TEXLA_METHOD_PLU || method == TEXLA_METHOD_GMRES);
}

/* First a factorization, where that can be afforded; then GMRES with as many directions as make
 * sense. */
bool txPlanNext(txPlan *plan, const txMatrixFacts *f, int32_t n, clReason reason, bool direct,
                const char *cost) {
  clSolverOptions *o = &plan->solver;
  char why[192];
  if (reason == TEXLA_REASON_BAD_PRECONDITIONER && replacePreconditioner(plan, f))
    return true;
  bool asks = txPlanAsksDirect(plan, reason), first = plan->bases == 0;
  if (txPlanEnds(reason) || plan->on_host || (!plan->automatic && !namedMethodFollows(plan, n)))
    return false;
  if (o->method == TEXLA_METHOD_CHOLESKY) {
    chooseSymmetric(plan, f, n, reason);
    setScaling(plan, f);
    return true;
  }
  plan->directly = true;
  direct = direct && asks;
  plan->on_host = !direct && txPlanHostFollows(plan, n);
  if (!direct && !plan->on_host &&
      (plan->bases > 1 || (!first && (plan->preconditioner_given || f->zero_diagonal))))
    return false;
  plan->limit = 0;
  snprintf(why, sizeof why, "%s ended with %s%s%s", clMethodName(o->method), clReasonText(reason),
           txWhen(cost, ", "), txWhen(cost, cost));
  if (direct || plan->on_host) {
    plan->sign = 1;
    o->method = TEXLA_METHOD_PLU;
    o->preconditioner = TEXLA_PRECONDITIONER_NONE;
  } else {
    plan->bases++;
    chooseLargeBasis(plan, f, n, first);
  }
  explain(plan, why);
  setScaling(plan, f);
  return true;
}
