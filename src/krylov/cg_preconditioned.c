/* Conjugate gradients (K7) with any symmetric positive definite preconditioner M: two reductions
 * an iteration. A step begins with M, so that none is applied after the last residual has been
 * seen. */
#include "krylov/frame.h"
#include "core/try.h"

enum { R, P, Q, Z };
static const char call[] = "clSolver (cg)";

/* (-, r.r) of x_k, for a look before M is applied */
static clStatus cgPreconditionedMeasure(clSolver *s, int64_t k) {
  txReduction square = {.source = {s->vector[R]},
                        .term = "vec4(0., dot(at(x, p), at(x, p)), 0., 0.)"};
  return txSolverReduce(s, call, &square, k, 0);
}

/* r <- b - A x */
static clStatus cgPreconditionedStart(clSolver *s, clVector *x, const clVector *b) {
  return txSolverFirst(s, s->vector[R], x, b);
}

/* p <- z + beta p with z = M r, beta = r.z / the r.z before; at first there is no p */
static clStatus cgPreconditionedTurn(clSolver *s, int64_t k) {
  clVector *r = s->vector[R], *p = s->vector[P], *z = NULL;
  TRY(txSolverPrecondition(s, s->vector[Z], r, &z));
  txReduction products = {.source = {r, z},
                          .term = "vec4(dot(at(x, p), at(y, p)), dot(at(x, p), at(x, p)), 0., 0.)"};
  TRY(txSolverReduce(s, call, &products, k, 0));
  if (k == s->begun)
    return clVectorCopy(p, z);
  txPass direction = {.kernel = "cg_direction",
                      .source = {{"z", z->texture, TX_EDGE}, {"p", p->texture, TX_EDGE}}};
  return txSolverPass(s, call, &direction, "#define DIRECTION\n", k - 1, &p, 1);
}

/* x <- x + alpha p, r <- r - alpha q with q = A p, alpha = r.z / p.q */
static clStatus cgPreconditionedStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  (void)b;
  TRY(cgPreconditionedTurn(s, k));
  clVector *r = s->vector[R], *p = s->vector[P], *q = s->vector[Q];
  TRY(clMatrixMulVector(q, s->A, p));
  txReduction pq = {.source = {p, q}, .term = "vec4(dot(at(x, p), at(y, p)), 0., 0., 0.)"};
  TRY(txSolverReduce(s, call, &pq, k, 1));
  txPass advance = {.kernel = "cg_step",
                    .source = {{"x", x->texture, TX_EDGE},
                               {"r", r->texture, TX_EDGE},
                               {"p", p->texture, TX_EDGE},
                               {"q", q->texture, TX_EDGE}}};
  return txSolverPass(s, call, &advance, "#define STEP\n", k, (clVector *[]){x, r}, 2);
}

/* r.Mr <= 0 with a residual that is not zero: M is not positive definite, or not in single
 * precision. */
static clReason cgPreconditionedJudge(const clSolver *s, const float *row0, const float *row1,
                                      double rr0) {
  (void)s, (void)rr0;
  clReason reason = txJudgeCurvature(row0[0]);
  if (reason == TEXLA_REASON_NOT_POSITIVE_DEFINITE)
    return TEXLA_REASON_BAD_PRECONDITIONER;
  if (reason)
    return reason;
  return txJudgeCurvature(row1[0]);
}

const txMethod txCgPreconditioned = {.name = "cg",
                                     .vectors = 4,
                                     .start = cgPreconditionedStart,
                                     .step = cgPreconditionedStep,
                                     .measure = cgPreconditionedMeasure,
                                     .judge = cgPreconditionedJudge,
                                     .direction = P,
                                     .looks_back = true};
