/* What the frame promises whatever the method: x never worse than the start, slow progress is
 * progress, preconditioners and operators of one's own. */
#include "problem.h"

#include "one_context.h"

/* A matrix on which BiCGStab wanders off: a network whose conductances vary by six orders of
 * magnitude. */
static clTriplets *network(int32_t n) {
  clTriplets *A = emptyMatrix(n, n);
  uint64_t seed = 3;
  FREED double *diagonal = calloc((size_t)n, sizeof *diagonal);
  for (int32_t i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      int32_t j = k ? (int32_t)((uint64_t)i * 7919 % (uint64_t)n) : (i + 1) % n;
      double g = pow(10, 3 * randomUnit(&seed));
      if (i == j)
        continue;
      diagonal[i] += g;
      diagonal[j] += g;
      CHECK(clTripletsAdd(A, i, j, -g, NULL));
      CHECK(clTripletsAdd(A, j, i, -g, NULL));
    }
  diagonal[0] += 1e-2;
  for (int32_t i = 0; i < n; i++)
    CHECK(clTripletsAdd(A, i, i, diagonal[i], NULL));
  CHECK(clTripletsCompress(A, NULL));
  return A;
}

/* Whatever ends it, the x that comes out is not worse than the one that went in. */
static void testNeverWorseThanTheStart(void **state) {
  static const clMethod methods[] = {TEXLA_METHOD_CG, TEXLA_METHOD_BICGSTAB, TEXLA_METHOD_GMRES,
                                     TEXLA_METHOD_JACOBI};
  for (int m = 0; m < 4; m++)
    for (int start = 0; start < 2; start++) {
      clTriplets *A = m == 3 ? convection(9, 7, 0, 0) : network(400);
      /* not dominant */
      for (int64_t k = 0; k < A->count && m == 3; k++)
        A->value[k] *= A->row[k] == A->col[k] ? 0.6 : 1;
      AT_END(problemDestroy) problem p = problemCreate(context, A, NULL);
      if (start)
        CHECK(clVectorUpload(p.x, p.host_b));
      double before = trueResidual(&p);
      clSolverReport report = problemSolve(&p, &(clSolverOptions){.method = methods[m],
                                                                  .tolerance = 1e-12,
                                                                  .max_iterations = 3000,
                                                                  .divergence = 10});
      double after = trueResidual(&p);
      assert_int_not_equal(report.reason, TEXLA_REASON_CONVERGED);
      if (report.reason == TEXLA_REASON_DIVERGED) {
        assert_true(after <= before * (1 + 1e-4));
        assert_true(report.residual <= before * (1 + 1e-4));
      }
      /* these do diverge */
      if (m == 1 || m == 3)
        assert_int_equal(report.reason, TEXLA_REASON_DIVERGED);
    }
}

/* The best on the way is much better than the start. */
static void testTheBestIsKept(void **state) {
  AT_END(problemDestroy) problem p = problemCreate(context, network(400), NULL);
  double before = trueResidual(&p);
  clSolverReport report =
      problemSolve(&p, &(clSolverOptions){.method = TEXLA_METHOD_BICGSTAB,
                                          .tolerance = 1e-12,
                                          .preconditioner = TEXLA_PRECONDITIONER_JACOBI});
  assert_int_not_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(report.residual < 0.5);
  assert_true(trueResidual(&p) < 0.5 * before);
}

/* M = A^-1 nearly, damped: the residual falls by 1.2 % an iteration, all the way. */
static void testSlowIsNotStagnated(void **state) {
  enum { NX = 24, NY = 24 };
  clTriplets *A = poisson(NX, NY);
  AT_END(problemDestroy)
  problem p = problemCreate(context, A, &(clMatrixOptions){.grid_nx = NX, .grid_ny = NY});
  clSolverOptions o = {.method = TEXLA_METHOD_MG,
                       .damping = 0.012F,
                       .max_iterations = 250,
                       .tolerance = 1e-6,
                       .host = A};
  clSolverReport report = problemSolve(&p, &o);
  assert_int_equal(report.reason, TEXLA_REASON_MAX_ITERATIONS);
  assert_int_equal(report.iterations, 250);
  assert_true(report.residual < 0.08);
  o.damping = 1;
  /* out of reach: that is stagnation */
  o.tolerance = 1e-12;
  report = problemSolve(&p, &o);
  assert_int_equal(report.reason, TEXLA_REASON_STAGNATED);
}

typedef struct diagonal {
  clVector *inverse;
  int calls;
  float factor;
  clStatus status;
} diagonal;

static clStatus applyDiagonal(void *user, clVector *z, const clVector *r) {
  diagonal *d = user;
  d->calls++;
  clStatus status = clVectorMul(z, d->inverse, r);
  if (!status)
    status = clVectorScale(z, d->factor, NULL, z);
  return d->status ? d->status : status;
}

static diagonal createDiagonal(const problem *p) {
  diagonal d = {.factor = 1};
  CHECK(clMatrixCreateVector(&d.inverse, p->matrix, TEXLA_RANGE));
  for (int64_t k = 0; k < p->A->count; k++)
    if (p->A->row[k] == p->A->col[k])
      p->host_x[p->A->row[k]] = (float)(1 / p->A->value[k]);
  CHECK(clVectorUpload(d.inverse, p->host_x));
  return d;
}

/* A callback that does what jacobi does ends where jacobi ends, in every Krylov method. */
static void testPreconditionerOfOnesOwn(void **state) {
  static const clMethod methods[] = {TEXLA_METHOD_CG, TEXLA_METHOD_BICGSTAB, TEXLA_METHOD_GMRES};
  for (int m = 0; m < 3; m++) {
    clTriplets *A = poisson(21, 17);
    /* symmetric, with rows of different sizes */
    for (int64_t k = 0; k < A->count; k++)
      A->value[k] *= (1 + A->row[k] % 5) * (1 + A->col[k] % 5);
    AT_END(problemDestroy) problem p = problemCreate(context, A, NULL);
    clSolverReport jacobi =
        problemSolve(&p, &(clSolverOptions){.method = methods[m],
                                            .preconditioner = TEXLA_PRECONDITIONER_JACOBI});
    assert_int_equal(jacobi.reason, TEXLA_REASON_CONVERGED);
    diagonal d = createDiagonal(&p);
    CHECK(clVectorClear(p.x));
    clSolverReport own =
        problemSolve(&p, &(clSolverOptions){.method = methods[m], .shell = {applyDiagonal, &d}});
    assert_int_equal(own.reason, TEXLA_REASON_CONVERGED);
    assert_true(trueResidual(&p) < 1e-5);
    assert_true(llabs(own.iterations - jacobi.iterations) <= 3 + jacobi.iterations / 10);
    assert_true(d.calls >= own.iterations);
    clVectorDestroy(d.inverse);
  }
}

/* -M for M: A is positive definite, and that is what must not be doubted. What the callback returns
 * is handed on. */
static void testBadPreconditioner(void **state) {
  clSolver *solver = NULL;
  AT_END(problemDestroy) problem p = problemCreate(context, poisson(12, 12), NULL);
  diagonal d = createDiagonal(&p);
  clSolverOptions o = {.shell = {applyDiagonal, &d}};
  d.factor = -1;
  clSolverReport report = problemSolve(&p, &o);
  assert_int_equal(report.reason, TEXLA_REASON_BAD_PRECONDITIONER);
  assert_string_equal(clReasonText(report.reason), "bad_preconditioner");
  d.status = TEXLA_UNSUPPORTED;
  CHECK(clSolverCreate(&solver, p.matrix, &o));
  assert_int_equal(clSolverSolve(solver, p.x, p.b, NULL), TEXLA_UNSUPPORTED);
  clSolverDestroy(solver);
  o.preconditioner = TEXLA_PRECONDITIONER_JACOBI;
  assertFails(context, clSolverCreate(&solver, p.matrix, &o), TEXLA_BAD_ARGUMENT, "excludes");
  clVectorDestroy(d.inverse);
}

/* An operator that multiplies by a stored matrix behind the scenes. */
typedef struct hidden {
  const clMatrix *A;
  int calls;
} hidden;

static clStatus multiplyHidden(void *user, clVector *y, const clVector *x) {
  hidden *h = user;
  h->calls++;
  return clMatrixMulVector(y, h->A, x);
}

static clStatus transposeHidden(void *user, clVector *y, const clVector *x) {
  hidden *h = user;
  return clMatrixVectorOp(y, TEXLA_OP_AX, h->A, TEXLA_TRANSPOSE, x, NULL);
}

static clStatus diagonalOfHidden(void *user, clVector *y, const clVector *x) {
  hidden *h = user;
  assert_null(x);
  return clMatrixDiagonal(y, h->A);
}

/* Products and solvers with an operator give what the matrix behind it gives, bit for bit where
 * nothing is added. */
static void testOperatorOfOnesOwn(void **state) {
  static const clSolverOptions ways[] = {
      {.method = TEXLA_METHOD_CG},
      {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_JACOBI},
      {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_CHEBYSHEV},
      {.method = TEXLA_METHOD_BICGSTAB},
      {.method = TEXLA_METHOD_GMRES},
      {.method = TEXLA_METHOD_JACOBI, .max_iterations = 20000},
  };
  for (int w = 0; w < 6; w++) {
    problem p =
        problemCreate(context, poisson(19, 13), &(clMatrixOptions){.grid_nx = 19, .grid_ny = 13});
    clMatrix *stored = p.matrix, *shell = NULL;
    hidden h = {stored, 0};
    clShellOptions o = {.product = {multiplyHidden, &h},
                        .diagonal = {diagonalOfHidden, &h},
                        .grid_nx = 19,
                        .grid_ny = 13};
    CHECK(clMatrixCreateShell(&shell, context, 247, 247, &o));
    clSolverReport reference = problemSolve(&p, &ways[w]);
    assert_int_equal(reference.reason, TEXLA_REASON_CONVERGED);
    CHECK(clVectorClear(p.x));
    p.matrix = shell;
    clSolverReport report = problemSolve(&p, &ways[w]);
    assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
    assert_true(llabs(report.iterations - reference.iterations) <= 2 + reference.iterations / 20);
    assert_true(trueResidual(&p) < 1e-5);
    assert_true(h.calls > report.iterations);
    p.matrix = stored;
    clMatrixDestroy(shell);
    problemDestroy(&p);
  }
}

static void testProductsWithAnOperator(void **state) {
  problem p =
      problemCreate(context, convection(9, 8, 0.7, 0.3), &(clMatrixOptions){.linear = true});
  clMatrix *shell = NULL, *other = NULL;
  clVector *y = NULL, *wanted = NULL;
  clFloat *norm = NULL;
  float difference = 1;
  hidden h = {p.matrix, 0};
  clShellOptions o = {.product = {multiplyHidden, &h}, .transposed = {transposeHidden, &h}};
  CHECK(clMatrixCreateShell(&shell, context, 72, 72, &o));
  CHECK(clVectorCreateLike(&y, p.x));
  CHECK(clVectorCreateLike(&wanted, p.x));
  CHECK(clFloatCreate(&norm, context));
  for (int op = 0; op < 4; op++)
    for (int transposed = 0; transposed < 2; transposed++) {
      /* y may be b, but not x */
      CHECK(clVectorCopy(y, p.b));
      CHECK(clVectorScale(p.x, 2, NULL, p.b));
      CHECK(clMatrixVectorOp(y, (clMatrixOp)op, shell,
                             transposed ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, p.x, y));
      CHECK(clMatrixVectorOp(wanted, (clMatrixOp)op, p.matrix,
                             transposed ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, p.x, p.b));
      CHECK(clVectorAxpy(y, -1, NULL, wanted));
      CHECK(clVectorNorm(norm, y));
      CHECK(clFloatDownload(norm, &difference));
      assert_true(difference < 1e-5F);
    }
  assert_string_equal(clStorageName(clMatrixStorage(shell)), "shell");
  assertFails(context, clMatrixDiagonal(y, shell), TEXLA_UNSUPPORTED, "without a diagonal");
  clSolver *solver = NULL;
  assertFails(context, clSolverCreate(&solver, shell, &(clSolverOptions){.columns = 2}),
              TEXLA_UNSUPPORTED, "one right");
  clMatrixDestroy(shell);
  o.transposed.apply = NULL;
  CHECK(clMatrixCreateShell(&shell, context, 72, 72, &o));
  assertFails(context, clMatrixVectorOp(y, TEXLA_OP_AX, shell, TEXLA_TRANSPOSE, p.x, NULL),
              TEXLA_UNSUPPORTED, "without a transposed product");
  assertFails(context, clMatrixCreateShell(&other, context, 72, 72, &(clShellOptions){0}),
              TEXLA_BAD_ARGUMENT, "product");
  o.grid_nx = 5, o.grid_ny = 5;
  assertFails(context, clMatrixCreateShell(&other, context, 72, 72, &o), TEXLA_BAD_SHAPE,
              "grid of 5 x 5");
  assert_null(other);
  clMatrixDestroy(shell);
  clVectorDestroy(y);
  clVectorDestroy(wanted);
  clFloatDestroy(norm);
  problemDestroy(&p);
}

TEST_MAIN(setUp, testContextDestroy, testNeverWorseThanTheStart, testTheBestIsKept,
          testSlowIsNotStagnated, testPreconditionerOfOnesOwn, testBadPreconditioner,
          testOperatorOfOnesOwn, testProductsWithAnOperator)
