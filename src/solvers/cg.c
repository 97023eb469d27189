/* Conjugate gradients (K7).
 *
 * Without a preconditioner the products of a step are merged into one reduction, as in the predict-and-recompute variant of
 * Chen and Carson (2020): r.r is computed anew every iteration, and only the next one, needed for beta, is predicted from
 * |r - alpha q|^2 = r.r - 2 alpha r.q + alpha^2 q.q. An iteration is a matrix product, one reduction and one pass. */
#include "solvers/solver.h"

#include <math.h>

enum { R, P, Q, Z };
static const char call[] = "clSolver (cg)";

static clStatus mergedStart(clSolver *s, clVector *x, const clVector *b) {
  clStatus status = txSolverResidual(s, s->vector[R], x, b);
  if (!status)
    status = clVectorCopy(s->vector[P], s->vector[R]);
  return status ? status : clVectorDot(s->rr0, s->vector[R], s->vector[R]);
}

/* (p.q, r.r, r.q, q.q); q is that of the last product, so only r.r means something when it is called as `measure`. */
static clStatus mergedMeasure(clSolver *s, int64_t k) {
  txReduction products = {.source = {s->vector[P], s->vector[R], s->vector[Q]},
                          .term = "stepProducts(at(x, p), at(y, p), at(z, p))"};
  return txSolverReduce(s, call, &products, k, 0);
}

static clStatus mergedStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  (void)b;
  clVector *r = s->vector[R], *p = s->vector[P], *q = s->vector[Q];
  clStatus status = clMatrixMulVector(q, s->A, p); /* q <- A p */
  if (!status)
    status = mergedMeasure(s, k);
  if (status)
    return status;
  txPass pass = {.kernel = "cg_merged",
                 .source = {{"x", x->texture, TX_EDGE},
                            {"r", r->texture, TX_EDGE},
                            {"p", p->texture, TX_EDGE},
                            {"q", q->texture, TX_EDGE}}};
  return txSolverPass(s, call, &pass, "#define MERGED\n", k, (clVector *[]){x, r, p}, 3);
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
  if (s->inverse) {
    step.source[4] = (txSource){"inverse", s->inverse->texture, TX_EDGE};
    return txSolverPass(s, call, &step, "#define STEP\n#define DIAGONAL\n", k, (clVector *[]){x, r, z}, 3);
  }
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

static clReason judgeMerged(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)s, (void)row1, (void)rr0;
  return judgeCurvature(row0[0]);
}

/* r.Mr says of M what p.Ap says of A. */
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
