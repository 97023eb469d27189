/* Conjugate gradients (K7) with any symmetric positive definite preconditioner M: two reductions an
 * iteration. */
#include "krylov/frame.h"
#include "core/try.h"

enum { R, P, Q, Z };
static const char call[] = "clSolver (cg)";

/* (r.z, r.r) of x_k */
static clStatus measure(clSolver *s, int64_t k) {
  txReduction products = {.source = {s->vector[R], s->vector[Z]},
                          .term = "vec4(dot(at(x, p), at(y, p)), dot(at(x, p), at(x, p)), 0., 0.)"};
  return txSolverReduce(s, call, &products, k, 0);
}

/* r <- b - A x, p <- M r */
static clStatus start(clSolver *s, clVector *x, const clVector *b) {
  TRY(txSolverResidual(s, s->vector[R], x, b));
  clVector *z = NULL;
  TRY(txSolverPrecondition(s, s->vector[Z], s->vector[R], &z));
  TRY(clVectorCopy(s->vector[P], z));
  TRY(txSolverDot(s, s->rr0, s->vector[R], s->vector[R]));
  return measure(s, 0);
}

/* x <- x + alpha p, r <- r - alpha q, z <- M r */
static clStatus advance(clSolver *s, clVector *x, int64_t k) {
  clVector *r = s->vector[R], *p = s->vector[P], *q = s->vector[Q], *z = s->vector[Z];
  txPass step = {.kernel = "cg_step",
                 .source = {{"x", x->texture, TX_EDGE},
                            {"r", r->texture, TX_EDGE},
                            {"p", p->texture, TX_EDGE},
                            {"q", q->texture, TX_EDGE}}};
  TRY(txSolverPass(s, call, &step, "#define STEP\n", k, (clVector *[]){x, r}, 2));
  return txSolverPrecondition(s, z, r, &z);
}

/* The direction p <- z + beta p comes last, when the next r.z is known. */
static clStatus step(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  (void)b;
  clVector *p = s->vector[P], *q = s->vector[Q], *z = s->vector[Z];
  /* q <- A p */
  TRY(clMatrixMulVector(q, s->A, p));
  txReduction pq = {.source = {p, q}, .term = "vec4(dot(at(x, p), at(y, p)), 0., 0., 0.)"};
  TRY(txSolverReduce(s, call, &pq, k, 1));
  TRY(advance(s, x, k));
  TRY(measure(s, k + 1));
  txPass direction = {.kernel = "cg_direction",
                      .source = {{"z", z->texture, TX_EDGE}, {"p", p->texture, TX_EDGE}}};
  return txSolverPass(s, call, &direction, "#define DIRECTION\n", k, &p, 1);
}

/* r.Mr <= 0 with a residual that is not zero: M is not positive definite, or not in single
 * precision. */
static clReason judge(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)s, (void)rr0;
  clReason reason = txJudgeCurvature(row0[0]);
  if (reason == TEXLA_REASON_NOT_POSITIVE_DEFINITE)
    return TEXLA_REASON_BAD_PRECONDITIONER;
  if (reason)
    return reason;
  return txJudgeCurvature(row1[0]);
}

const txMethod txCgPreconditioned = {
    .name = "cg", .vectors = 4, .start = start, .step = step, .judge = judge, .direction = P};
