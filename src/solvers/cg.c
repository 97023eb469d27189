/* Conjugate gradients (K7).
 *
 * Where the preconditioner M is diagonal or there is none, the products of a step are merged into one reduction (Meurant
 * 1987; the predict-and-recompute variants of Chen and Carson 2020): r.r and r.Mr are computed anew every iteration, and only
 * the next r.Mr, needed for beta, is predicted. An iteration is a matrix product, one reduction and one pass, for one vector
 * or for up to eight in bundles (solvers/block.h). */
#include "solvers/block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { R, P, Q, Z };
static const char call[] = "clSolver (cg)";

/* What a merged step works on: one vector of each, or bundles. */
typedef struct operands {
  int groups;
  clVector *const *r, *const *p, *const *q;
  const clVector *inverse;
} operands;

static operands operandsOf(const clSolver *s) {
  if (s->groups)
    return (operands){s->groups, s->block->r, s->block->p, s->block->q, s->block->inverse};
  return (operands){1, &s->vector[R], &s->vector[P], &s->vector[Q], s->inverse};
}

/* r <- b - A x, p <- M r */
static clStatus mergedStart(clSolver *s, clVector *x, const clVector *b) {
  operands o = operandsOf(s);
  clStatus status = s->groups ? txBlockResidual(s) : txSolverResidual(s, o.r[0], x, b);
  for (int g = 0; g < o.groups && !status; g++)
    status = o.inverse ? clVectorMul(o.p[g], o.inverse, o.r[g]) : clVectorCopy(o.p[g], o.r[g]);
  if (status)
    return status;
  return s->groups ? txBlockNorms(s, o.r, TX_NORM_R0) : clVectorDot(s->rr0, o.r[0], o.r[0]);
}

/* The sums of a group, p.q, r.r, q.Mq and r.Mr, each in the lanes of a texel. */
static void writeSums(char *term, size_t n, int groups, bool inverse) {
  size_t used = 0;
  for (int g = 0; g < groups; g++) {
    const int first = 3 * g, sum = (inverse ? 4 : 3) * g;
    used += (size_t)snprintf(
        term + used, n - used,
        "{ vec4 p_ = at(s%d, p), r = at(s%d, p), q = at(s%d, p); sum[%d] += p_ * q; sum[%d] += r * r; ", first,
        first + 1, first + 2, sum, sum + 1);
    if (inverse)
      used +=
          (size_t)snprintf(term + used, n - used, "vec4 m = at(s%d, p); sum[%d] += m * q * q; sum[%d] += m * r * r; }",
                           3 * groups, sum + 2, sum + 3);
    else
      used += (size_t)snprintf(term + used, n - used, "sum[%d] += q * q; }", sum + 2);
  }
}

/* q is that of the last product, so only r.r means something when it is called as `measure`. */
static clStatus mergedMeasure(clSolver *s, int64_t k) {
  operands o = operandsOf(s);
  char term[512];
  txReduction products = {.term = o.inverse ? "stepProducts(at(x, p), at(y, p), at(z, p), at(w, p))"
                                            : "stepProducts(at(x, p), at(y, p), at(z, p))"};
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
  products.sums = s->block->sums * o.groups;
  txPass final = {.kernel = "sums_final", .target = {s->history}, .rect = {(int)(k % TX_HISTORY), 0, 1, products.sums}};
  return txReduce(call, &products, &final);
}

/* q <- A p */
static clStatus multiply(const clSolver *s, const operands *o) {
  if (!s->groups)
    return clMatrixMulVector(o->q[0], s->A, o->p[0]);
  return txBundleMultiply(call, &(txBundleProduct){s->A, o->groups, o->q, o->p, NULL, 1, 0});
}

static clStatus mergedStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  (void)b;
  static const char *const name[TX_GROUPS][4] = {{"x0", "r0", "p0", "q0"}, {"x1", "r1", "p1", "q1"}};
  operands o = operandsOf(s);
  clVector *output[3 * TX_GROUPS];
  txPass pass = {.kernel = "cg_merged"};
  clStatus status = multiply(s, &o);
  if (!status)
    status = mergedMeasure(s, k);
  if (status)
    return status;
  for (int g = 0; g < o.groups; g++) {
    clVector *const of[4] = {s->groups ? s->block->x[g] : x, o.r[g], o.p[g], o.q[g]};
    for (int i = 0; i < 4; i++)
      pass.source[4 * g + i] = (txSource){name[g][i], of[i]->texture, TX_EDGE};
    for (int i = 0; i < 3; i++)
      output[3 * g + i] = of[i];
  }
  int sources = 4 * o.groups;
  if (s->groups)
    pass.source[sources++] = (txSource){"norms", s->block->norms, TX_EDGE};
  if (o.inverse)
    pass.source[sources] = (txSource){"inverse", o.inverse->texture, TX_EDGE};
  char variant[80];
  snprintf(variant, sizeof variant, "#define GROUPS %d\n%s%s", o.groups, o.inverse ? "#define DIAGONAL\n" : "",
           !s->groups            ? ""
           : s->block->sums == 4 ? "#define BUNDLED\n#define SUMS 4\n"
                                 : "#define BUNDLED\n#define SUMS 3\n");
  txSolverScalars(s, &pass, variant, k);
  float squares[TX_GROUPS][4];
  txBlockSquares(s, squares);
  pass.vertex = "cg_merged";
  txPassUniform(&pass, (txUniform){"tolerance", o.groups, .array = squares[0]});
  return txVectorsRun(call, &pass, output, 3 * o.groups);
}

/* (r.z, r.r) of x_k */
static clStatus preconditionedMeasure(clSolver *s, int64_t k) {
  txReduction products = {.source = {s->vector[R], s->vector[Z]},
                          .term = "vec4(dot(at(x, p), at(y, p)), dot(at(x, p), at(x, p)), 0., 0.)"};
  return txSolverReduce(s, call, &products, k, 0);
}

static clStatus preconditionedStart(clSolver *s, clVector *x, const clVector *b) {
  clStatus status = txSolverResidual(s, s->vector[R], x, b);
  clVector *z = NULL;
  if (!status)
    status = txSolverPrecondition(s, s->vector[Z], s->vector[R], &z);
  if (!status)
    status = clVectorCopy(s->vector[P], z);
  if (!status)
    status = clVectorDot(s->rr0, s->vector[R], s->vector[R]);
  return status ? status : preconditionedMeasure(s, 0);
}

/* x <- x + alpha p, r <- r - alpha q, z <- M r */
static clStatus advance(clSolver *s, clVector *x, int64_t k) {
  clVector *r = s->vector[R], *p = s->vector[P], *q = s->vector[Q], *z = s->vector[Z];
  txPass step = {.kernel = "cg_step",
                 .source = {{"x", x->texture, TX_EDGE},
                            {"r", r->texture, TX_EDGE},
                            {"p", p->texture, TX_EDGE},
                            {"q", q->texture, TX_EDGE}}};
  clStatus status = txSolverPass(s, call, &step, "#define STEP\n", k, (clVector *[]){x, r}, 2);
  return status ? status : txSolverPrecondition(s, z, r, &z);
}

static clStatus preconditionedStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  (void)b;
  clVector *p = s->vector[P], *q = s->vector[Q], *z = s->vector[Z];
  clStatus status = clMatrixMulVector(q, s->A, p); /* q <- A p */
  txReduction pq = {.source = {p, q}, .term = "vec4(dot(at(x, p), at(y, p)), 0., 0., 0.)"};
  if (!status)
    status = txSolverReduce(s, call, &pq, k, 1);
  if (!status)
    status = advance(s, x, k);
  if (!status)
    status = preconditionedMeasure(s, k + 1);
  if (status)
    return status;
  txPass direction = {.kernel = "cg_direction", .source = {{"z", z->texture, TX_EDGE}, {"p", p->texture, TX_EDGE}}};
  return txSolverPass(s, call, &direction, "#define DIRECTION\n", k, &p, 1);
}

static clReason judgeCurvature(float pq) {
  return pq > 0      ? TEXLA_REASON_NONE
         : isnan(pq) ? TEXLA_REASON_NAN
         : pq < 0    ? TEXLA_REASON_NOT_POSITIVE_DEFINITE
                     : TEXLA_REASON_BREAKDOWN;
}

/* r.Mr says of M what p.Ap says of A. */
static clReason judgeMerged(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)s, (void)row1, (void)rr0;
  clReason reason = judgeCurvature(row0[3]);
  return reason ? reason : judgeCurvature(row0[0]);
}

static clReason judgePreconditioned(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)s, (void)rr0;
  clReason reason = judgeCurvature(row0[0]);
  return reason ? reason : judgeCurvature(row1[0]);
}

const txMethod txCgMerged = {.name = "cg",
                             .vectors = 3,
                             .start = mergedStart,
                             .step = mergedStep,
                             .measure = mergedMeasure,
                             .judge = judgeMerged};
const txMethod txCgPreconditioned = {
    .name = "cg", .vectors = 4, .start = preconditionedStart, .step = preconditionedStep, .judge = judgePreconditioned};
