/* BiCGStab against the textbook in double precision. */
#include "problem.h"

/* van der Vorst's algorithm from x = 0, preconditioned from the right by the diagonal when
 * `jacobi`. */
static void oracle(double *x, double *residual, const clTriplets *A, const float *b, bool jacobi,
                   int count) {
  int64_t n = A->rows;
  double *work = calloc((size_t)(9 * n), sizeof *work), *r = work, *shadow = r + n, *p = shadow + n,
         *v = p + n, *s = v + n, *t = s + n, *y = t + n, *z = y + n, *d = z + n, rho = 1, alpha = 1,
         omega = 1;
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      d[A->row[k]] = jacobi ? A->value[k] : 1;
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0;
    r[i] = shadow[i] = (double)b[i];
  }
  residual[0] = sqrt(dot(r, r, n));
  for (int k = 0; k < count; k++) {
    double next = dot(shadow, r, n), beta = next / rho * (alpha / omega);
    rho = next;
    for (int64_t i = 0; i < n; i++) {
      p[i] = r[i] + (k ? beta * (p[i] - omega * v[i]) : 0);
      y[i] = p[i] / d[i];
    }
    clTripletsMulVector(v, A, y);
    alpha = rho / dot(shadow, v, n);
    for (int64_t i = 0; i < n; i++) {
      s[i] = r[i] - alpha * v[i];
      z[i] = s[i] / d[i];
    }
    clTripletsMulVector(t, A, z);
    omega = dot(t, s, n) / dot(t, t, n);
    for (int64_t i = 0; i < n; i++) {
      x[i] += alpha * y[i] + omega * z[i];
      r[i] = s[i] - omega * t[i];
    }
    residual[k + 1] = sqrt(dot(r, r, n));
  }
  free(work);
}

static void testFollowsTheTextbook(void **state) {
  enum { COUNT = 6 };
  static const clStorage storages[] = {TEXLA_STORAGE_AUTO, TEXLA_STORAGE_SLOTS};
  for (int i = 0; i < 4; i++) {
    clTriplets *A = convection(23, 17, 0.9, 0.4);
    for (int64_t k = 0; k < A->count; k++)
      A->value[k] *= 1 + 0.1 * (A->row[k] % 7);
    AT_END(problemDestroy)
    problem p = problemCreate(*state, A, &(clMatrixOptions){.storage = storages[i / 2]});
    double *x = calloc((size_t)p.n, sizeof *x), residual[COUNT + 1];
    oracle(x, residual, A, p.host_b, i % 2, COUNT);
    clSolverOptions options = {.method = TEXLA_METHOD_BICGSTAB,
                               .max_iterations = COUNT,
                               .tolerance = 1e-9,
                               .preconditioner =
                                   i % 2 ? TEXLA_PRECONDITIONER_JACOBI : TEXLA_PRECONDITIONER_NONE};
    clSolver *solver = NULL;
    int64_t count;
    assertOk(*state, clSolverCreate(&solver, p.matrix, &options));
    assert_int_equal(clSolverSolve(solver, p.x, p.b, NULL), TEXLA_NOT_CONVERGED);
    const double *history = clSolverHistory(solver, &count);
    assert_int_equal(count, COUNT + 1);
    for (int k = 0; k <= COUNT; k++)
      assert_true(fabs(history[k] - residual[k]) <= 500 * eps * residual[0]);
    assertOk(*state, clVectorDownload(p.x, p.host_x));
    assert_true(largestError(p.host_x, x, p.n) <= 1000 * eps);
    clSolverDestroy(solver);
    assertOk(*state, clVectorClear(p.x));
    problemIterate(&p, &options, COUNT);
    assert_true(largestError(p.host_x, x, p.n) <= 1000 * eps);
    free(x);
  }
}

static void testConverges(void **state) {
  static const int sizes[][2] = {{1, 1}, {2, 1}, {5, 3}, {31, 18}, {64, 65}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int jacobi = 0; jacobi < 2; jacobi++) {
      AT_END(problemDestroy)
      problem p = problemCreate(*state, convection(sizes[i][0], sizes[i][1], 0.7, 0.2), NULL);
      clSolverReport report = problemSolve(
          &p, &(clSolverOptions){.method = TEXLA_METHOD_BICGSTAB,
                                 .tolerance = 1e-5,
                                 .preconditioner = jacobi ? TEXLA_PRECONDITIONER_JACOBI
                                                          : TEXLA_PRECONDITIONER_NONE});
      assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
      assert_true(trueResidual(&p) <= 5e-5);
    }
}

/* From an x far away, rounding errors of the first residual are larger than what the recursion says
 * in the end. */
static void testConvergesFromFar(void **state) {
  static const clMethod methods[] = {TEXLA_METHOD_BICGSTAB, TEXLA_METHOD_GMRES, TEXLA_METHOD_CG};
  uint64_t seed = 7;
  for (int i = 0; i < 6; i++) {
    clMethod method = methods[i / 2];
    double wind = method == TEXLA_METHOD_CG ? 0 : 0.7;
    AT_END(problemDestroy)
    problem p = problemCreate(*state, convection(31, 18, wind, wind / 3), NULL);
    for (int64_t k = 0; k < p.n; k++)
      p.host_x[k] = 1000 * (float)randomUnit(&seed);
    assertOk(*state, clVectorUpload(p.x, p.host_x));
    clSolverReport report =
        problemSolve(&p, &(clSolverOptions){.method = method,
                                            .tolerance = 1e-5,
                                            .preconditioner = i % 2 ? TEXLA_PRECONDITIONER_JACOBI
                                                                    : TEXLA_PRECONDITIONER_NONE});
    assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
    assert_true(trueResidual(&p) <= 2e-5);
  }
}

/* On and on where x is exact: nothing is divided by zero. */
static void testFixedCountBeyondConvergence(void **state) {
  AT_END(problemDestroy) problem p = problemCreate(*state, convection(5, 4, 0.3, 0.1), NULL);
  problemIterate(&p, &(clSolverOptions){.method = TEXLA_METHOD_BICGSTAB}, 200);
  assert_true(trueResidual(&p) <= 100 * eps);
}

static void testReasons(void **state) {
  const clMethod m = TEXLA_METHOD_BICGSTAB;
  assert_int_equal(reasonOf(*state, matrixOf(2, (double[]){0, 1, -1, 0}), (float[]){1, 1}, m, NULL),
                   TEXLA_REASON_BREAKDOWN);
  assert_int_equal(
      reasonOf(*state, matrixOf(2, (double[]){2, 1, 0, 3}), (float[]){1, NAN}, m, NULL),
      TEXLA_REASON_NAN);
  assert_int_equal(reasonOf(*state, matrixOf(2, (double[]){2, 1, 0, 3}), (float[]){0, 0}, m, NULL),
                   TEXLA_REASON_CONVERGED);
  assert_int_equal(
      reasonOf(*state, matrixOf(2, (double[]){1e30, 1e30, 0, -1e30}), (float[]){1, 2}, m, NULL),
      TEXLA_REASON_NAN);
}

TEST_MAIN(testContextCreate, testContextDestroy, testFollowsTheTextbook, testConverges,
          testConvergesFromFar, testFixedCountBeyondConvergence, testReasons)
