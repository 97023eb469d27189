/* Jacobi iteration (K8), damped: x <- x + damping D^-1 (b - A x). */
#include "solvers/solver.h"

enum { R };
static const char call[] = "clSolver (jacobi)";

static clStatus measure(clSolver *s, int64_t k) {
  txReduction rr = {.source = {s->vector[R]}, .term = "vec4(0., dot(at(x, p), at(x, p)), 0., 0.)"};
  return txSolverReduce(s, call, &rr, k, 0);
}

static clStatus residual(clSolver *s, clVector *x, const clVector *b) {
  return clMatrixVectorOp(s->vector[R], TEXLA_B_MINUS_AX, s->A, false, x, b);
}

static clStatus start(clSolver *s, clVector *x, const clVector *b) {
  clStatus status = residual(s, x, b);
  if (!status)
    status = clVectorDot(s->rr0, s->vector[R], s->vector[R]);
  return status ? status : measure(s, 0);
}

/* r is that of x_k already; afterwards it is that of x_k+1. */
static clStatus step(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  float damping = s->options.damping;
  txPass pass = {.kernel = "jacobi",
                 .source = {{"x", x->texture, TX_EDGE},
                            {"r", s->vector[R]->texture, TX_EDGE},
                            {"inverse", s->inverse->texture, TX_EDGE}},
                 .uniform = {{"damping", 1, {damping}}}};
  clStatus status = txSolverPass(s, call, &pass, "#define FIXED_POINT\n", k, &x, 1);
  if (!status)
    status = residual(s, x, b);
  return status || s->free_running ? status : measure(s, k + 1);
}

static clStatus nothing(clSolver *s, int64_t k) {
  (void)s, (void)k; /* the step has measured already */
  return TEXLA_OK;
}

const txMethod txJacobi = {"jacobi", 1, true, false, 0, start, step, nothing};
