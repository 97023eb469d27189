/* Conjugate gradients (K7) where the preconditioner M is diagonal or there is none.
 *
 * The products of a step are merged into one reduction (Meurant 1987; the predict-and-recompute
 * variants of Chen and Carson 2020): r.r and r.Mr are computed anew every iteration, and only the
 * next r.Mr, needed for beta, is predicted. An iteration is a matrix product, one reduction and one
 * pass, for one vector or for up to eight in multivectors (krylov/cg_multivector.h). On a software
 * renderer it may be less: krylov/cg_partial.h. */
#include "krylov/cg_multivector.h"
#include "krylov/cg_partial.h"
#include "core/try.h"

#include <stdio.h>
#include <string.h>

enum { R, P, Q };
static const char call[] = "clSolver (cg)";

/* What a merged step works on: one vector of each, or multivectors. */
typedef struct operands {
  int groups;
  clVector *const *r, *const *p, *const *q;
  const clVector *inverse;
} operands;

static operands operandsOf(const clSolver *s) {
  if (s->groups)
    return (operands){s->groups, s->many->r, s->many->p, s->many->q, s->many->inverse};
  return (operands){1, &s->vector[R], &s->vector[P], &s->vector[Q], s->inverse};
}

/* r <- b - A x, p <- M r */
static clStatus cgMergedStart(clSolver *s, clVector *x, const clVector *b) {
  operands o = operandsOf(s);
  if (s->groups)
    TRY(txManyResidual(s));
  else
    TRY(txSolverResidual(s, o.r[0], x, b));
  for (int g = 0; g < o.groups; g++) {
    if (o.inverse)
      TRY(clVectorMul(o.p[g], o.inverse, o.r[g]));
    else
      TRY(clVectorCopy(o.p[g], o.r[g]));
  }
  if (s->groups)
    return txManyNorms(s, o.r, TX_NORM_R0);
  return txSolverDot(s, s->rr0, o.r[0], o.r[0]);
}

/* The sums of a group, p.q, r.r, q.Mq and r.Mr, each in the lanes of a texel. */
static void writeSums(char *term, size_t n, int groups, bool inverse) {
  size_t used = 0;
  for (int g = 0; g < groups; g++) {
    const int first = 3 * g, sum = (3 + inverse) * g;
    used += (size_t)snprintf(term + used, n - used,
                             "{ vec4 p_ = at(s%d, p), r = at(s%d, p), q = at(s%d, p); sum[%d] += "
                             "p_ * q; sum[%d] += r * r; ",
                             first, first + 1, first + 2, sum, sum + 1);
    if (inverse)
      used += (size_t)snprintf(term + used, n - used,
                               "vec4 m = at(s%d, p); sum[%d] += m * q * q; sum[%d] += m * r * r; }",
                               3 * groups, sum + 2, sum + 3);
    else
      used += (size_t)snprintf(term + used, n - used, "sum[%d] += q * q; }", sum + 2);
  }
}

/* q is that of the last product, so only r.r means something when it is called as `measure`. */
static clStatus cgMergedMeasure(clSolver *s, int64_t k) {
  operands o = operandsOf(s);
  char term[512];
  if (txPartialUsed(s))
    return txPartialMeasure(s, k);
  txReduction products = {.term = "stepProducts(at(x, p), at(y, p), at(z, p))"};
  if (o.inverse)
    products.term = "stepProducts(at(x, p), at(y, p), at(z, p), at(w, p))";
  for (int g = 0; g < o.groups; g++) {
    products.source[3 * g] = o.p[g];
    products.source[3 * g + 1] = o.r[g];
    products.source[3 * g + 2] = o.q[g];
  }
  products.source[3 * o.groups] = o.inverse;
  if (!s->groups)
    return txSolverReduce(s, call, &products, k, 0);
  writeSums(term, sizeof term, o.groups, o.inverse);
  products.term = term;
  products.sums = s->many->sums * o.groups;
  txPass final = {.kernel = "sums_final",
                  .target = {s->history},
                  .rect = {(int)(k % TX_HISTORY), 0, 1, products.sums}};
  return txReduce(call, &products, &final);
}

/* q <- A p, unless those who need it compute it */
static clStatus cgMergedMultiply(const clSolver *s, const operands *o) {
  if (txPartialStencil(s))
    return TEXLA_OK;
  if (!s->groups)
    return clMatrixMulVector(o->q[0], s->A, o->p[0]);
  return txMultivectorMultiply(call, &(txMultiProduct){s->A, o->groups, o->q, o->p, NULL, 1, 0});
}

/* The defines of a step: how many multivectors there are, and how many sums of each; a vector has
 * none. */
static void writeVariant(char *variant, size_t n, const clSolver *s, const operands *o,
                         const char *more) {
  const char *diagonal = o->inverse ? "#define DIAGONAL\n" : "", *sums = "";
  if (s->groups && s->many->sums == 4)
    sums = "#define MULTIVECTOR\n#define SUMS 4\n";
  else if (s->groups)
    sums = "#define MULTIVECTOR\n#define SUMS 3\n";
  snprintf(variant, n, "#define GROUPS %d\n%s%s%s", o->groups, diagonal, sums, more);
}

/* x, r and p are rendered together; each output replaces its source. */
static clStatus cgMergedStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  (void)b;
  static const char *const name[TX_GROUPS][4] = {{"x0", "r0", "p0", "q0"},
                                                 {"x1", "r1", "p1", "q1"}};
  operands o = operandsOf(s);
  clVector *output[3 * TX_GROUPS];
  txPass pass = {.kernel = "cg_merged"};
  TRY(cgMergedMultiply(s, &o));
  TRY(cgMergedMeasure(s, k));
  for (int g = 0; g < o.groups; g++) {
    clVector *const of[4] = {s->groups ? s->many->x[g] : x, o.r[g], o.p[g], o.q[g]};
    for (int i = 0; i < 4; i++)
      pass.source[4 * g + i] = (txSource){name[g][i], of[i]->texture, TX_EDGE};
    for (int i = 0; i < 3; i++)
      output[3 * g + i] = of[i];
  }
  int sources = 4 * o.groups;
  if (s->groups)
    pass.source[sources++] = (txSource){"norms", s->many->norms, TX_EDGE};
  if (o.inverse)
    pass.source[sources] = (txSource){"inverted", o.inverse->texture, TX_EDGE};
  const char *more = "";
  if (txPartialUsed(s))
    more = txPartialGive(s, &pass, k);
  char variant[80];
  writeVariant(variant, sizeof variant, s, &o, more);
  txSolverScalars(s, &pass, variant, k);
  float squares[TX_GROUPS][4];
  txManySquares(s, squares);
  pass.vertex = "cg_merged";
  txPassUniform(&pass, (txUniform){"tolerance", o.groups, .array = squares[0]});
  return txVectorsRun(call, &pass, output, 3 * o.groups);
}

/* r.Mr says of M what p.Ap says of A. A diagonal M that is not positive is a diagonal of A that is
 * not. */
static clReason cgMergedJudge(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)s, (void)row1, (void)rr0;
  clReason reason = txJudgeCurvature(row0[3]);
  if (reason)
    return reason;
  return txJudgeCurvature(row0[0]);
}

const txMethod txCgMerged = {.name = "cg",
                             .vectors = 3,
                             .start = cgMergedStart,
                             .step = cgMergedStep,
                             .measure = cgMergedMeasure,
                             .record = txPartialRecord,
                             .judge = cgMergedJudge,
                             .direction = P,
                             .create = txPartialCreate,
                             .destroy = txPartialDestroy};
