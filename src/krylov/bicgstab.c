/* BiCGStab (van der Vorst 1992), preconditioned from the right: A M u = b, x = M u.
 *
 * The scalars of a step come from two merged reductions. s is orthogonal to the shadow residual r^,
 * so that r^.r' = -omega r^.t and beta = (r^.r' / r^.r) (alpha / omega) = -r^.t / r^.v: nothing is
 * divided by omega. */
#include "krylov/frame.h"
#include "core/try.h"

#include <math.h>

enum { R, SHADOW, P, V, S, T, Y, Z };
static const char call[] = "clSolver (bicgstab)";

/* (r^.v, r.r, r^.r); v is that of the last product, so only r.r means something when it is called
 * as `measure`. */
static clStatus bicgstabMeasure(clSolver *s, int64_t k) {
  txReduction products = {
      .source = {s->vector[SHADOW], s->vector[V], s->vector[R]},
      .term =
          "vec4(dot(at(x, p), at(y, p)), dot(at(z, p), at(z, p)), dot(at(x, p), at(z, p)), 0.)"};
  return txSolverReduce(s, call, &products, k, 0);
}

/* The shadow residual r^ is the first residual, and stays. */
static clStatus bicgstabStart(clSolver *s, clVector *x, const clVector *b) {
  TRY(txSolverResidual(s, s->vector[R], x, b));
  TRY(clVectorCopy(s->vector[SHADOW], s->vector[R]));
  TRY(clVectorCopy(s->vector[P], s->vector[R]));
  return txSolverDot(s, s->rr0, s->vector[R], s->vector[R]);
}

/* y <- M p, v <- A y, s <- r - alpha v */
static clStatus firstHalf(clSolver *s, clVector **y, int64_t k) {
  clVector *v = s->vector[V];
  TRY(txSolverPrecondition(s, s->vector[Y], s->vector[P], y));
  TRY(clMatrixMulVector(v, s->A, *y));
  TRY(bicgstabMeasure(s, k));
  txPass pass = {.kernel = "bicgstab_half",
                 .source = {{"r", s->vector[R]->texture, TX_EDGE}, {"v", v->texture, TX_EDGE}}};
  return txSolverPass(s, call, &pass, "#define HALF\n", k, &s->vector[S], 1);
}

/* z <- M s, t <- A z and their products */
static clStatus secondHalf(clSolver *s, clVector **z, int64_t k) {
  clVector *t = s->vector[T];
  TRY(txSolverPrecondition(s, s->vector[Z], s->vector[S], z));
  TRY(clMatrixMulVector(t, s->A, *z));
  txReduction products = {
      .source = {t, s->vector[S], s->vector[SHADOW]},
      .term =
          "vec4(dot(at(x, p), at(y, p)), dot(at(x, p), at(x, p)), dot(at(x, p), at(z, p)), 0.)"};
  return txSolverReduce(s, call, &products, k, 1);
}

/* x <- x + alpha y + omega z, r <- s - omega t, p <- r + beta (p - omega v), in one pass */
static clStatus bicgstabStep(clSolver *s, clVector *x, const clVector *b, int64_t k) {
  (void)b;
  clVector *y = NULL, *z = NULL, *r = s->vector[R], *p = s->vector[P];
  TRY(firstHalf(s, &y, k));
  TRY(secondHalf(s, &z, k));
  txPass pass = {.kernel = "bicgstab_step",
                 .source = {{"x", x->texture, TX_EDGE},
                            {"y", y->texture, TX_EDGE},
                            {"z", z->texture, TX_EDGE},
                            {"s", s->vector[S]->texture, TX_EDGE},
                            {"t", s->vector[T]->texture, TX_EDGE},
                            {"p", p->texture, TX_EDGE},
                            {"v", s->vector[V]->texture, TX_EDGE},
                            {"r", r->texture, TX_EDGE}}};
  return txSolverPass(s, call, &pass, "#define STABILIZE\n", k, (clVector *[]){x, r, p}, 3);
}

/* The same tests as on the device (shaders/krylov/iteration.vert). */
static clReason bicgstabJudge(const clSolver *s, const float *row0, const float *row1, double rr0) {
  (void)s;
  double sv = (double)row0[0], rr = (double)row0[1], sr = (double)row0[2];
  for (int i = 0; i < 3; i++)
    if (!isfinite(row0[i]) || !isfinite(row1[i]))
      return TEXLA_REASON_NAN;
  bool sound =
      sr / rr * (sr / rr0) > 1e-15 && fabs(sr) < 1e15 * fabs(sv) && (row1[0] != 0 || row1[1] == 0);
  if (!sound)
    return TEXLA_REASON_BREAKDOWN;
  return TEXLA_REASON_NONE;
}

const txMethod txBicgstab = {.name = "bicgstab",
                             .vectors = 8,
                             .start = bicgstabStart,
                             .step = bicgstabStep,
                             .measure = bicgstabMeasure,
                             .judge = bicgstabJudge,
                             .wanders = true,
                             .restarts = true};
