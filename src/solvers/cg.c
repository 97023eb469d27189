/* Conjugate gradients (K7).
 *
 * Without a preconditioner the products of a step are merged into one reduction, as in the predict-and-recompute variant of
 * Chen and Carson (2020): r.r is computed anew every iteration, and only the next one, needed for beta, is predicted from
 * |r - alpha q|^2 = r.r - 2 alpha r.q + alpha^2 q.q. An iteration is a matrix product, one reduction and one pass. */
#include "solvers/solver.h"

enum { R, P, Q, Z };
static const char call[] = "clSolver (cg)";

static clStatus residual(clSolver *s, clVector *x, const clVector *b) {
  return clMatrixVectorOp(s->vector[R], TEXLA_B_MINUS_AX, s->A, false, x, b);
}

static clStatus mergedStart(clSolver *s, clVector *x, const clVector *b) {
  clStatus status = residual(s, x, b);
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
  clStatus status = residual(s, x, b);
  if (!status)
    status = clVectorMul(s->vector[Z], s->inverse, s->vector[R]);
  if (!status)
    status = clVectorCopy(s->vector[P], s->vector[Z]);
  if (!status)
    status = clVectorDot(s->rr0, s->vector[R], s->vector[R]);
  return status ? status : preconditionedMeasure(s, 0);
}

static clStatus advance(clSolver *s, clVector *x, int64_t k) {
  clVector *r = s->vector[R], *p = s->vector[P], *q = s->vector[Q], *z = s->vector[Z];
  txPass step = {.kernel = "cg_step",
                 .source = {{"x", x->texture, TX_EDGE},
                            {"r", r->texture, TX_EDGE},
                            {"p", p->texture, TX_EDGE},
                            {"q", q->texture, TX_EDGE},
                            {"inverse", s->inverse->texture, TX_EDGE}}};
  return txSolverPass(s, call, &step, "#define STEP\n", k, (clVector *[]){x, r, z}, 3);
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

static clStatus nothing(clSolver *s, int64_t k) {
  (void)s, (void)k; /* the step has measured already */
  return TEXLA_OK;
}

const txMethod txCgMerged = {"cg", 3, false, true, 0, mergedStart, mergedStep, mergedMeasure};
const txMethod txCgPreconditioned = {"cg", 4, true, true, 1, preconditionedStart, preconditionedStep, nothing};
