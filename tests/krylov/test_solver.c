/* The iterative solvers against textbook iterations in double precision, and every reason why they
 * end. */
#include "problem.h"

#include "one_context.h"

/* Textbook CG with D^-1 (or the identity) from x = 0: x after `count` iterations, residual[k] =
 * ||r_k||. */
static void oracleCg(double *x, double *residual, const clTriplets *A, const float *b, bool jacobi,
                     int count) {
  int64_t n = A->rows;
  double *v = calloc((size_t)(5 * n), sizeof *v), *r = v, *p = v + n, *q = v + 2 * n,
         *z = v + 3 * n, *d = v + 4 * n;
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      d[A->row[k]] = jacobi ? A->value[k] : 1;
  for (int64_t i = 0; i < n; i++) {
    x[i] = 0;
    r[i] = b[i];
    p[i] = z[i] = r[i] / d[i];
  }
  double rz = dot(r, z, n);
  residual[0] = sqrt(dot(r, r, n));
  for (int k = 0; k < count; k++) {
    clTripletsMulVector(q, A, p);
    double alpha = rz / dot(p, q, n), old = rz;
    for (int64_t i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      z[i] = r[i] / d[i];
    }
    rz = dot(r, z, n);
    for (int64_t i = 0; i < n; i++)
      p[i] = z[i] + rz / old * p[i];
    residual[k + 1] = sqrt(dot(r, r, n));
  }
  free(v);
}

static void testCgSolvesPoisson(void **state) {
  static const int sizes[][2] = {{1, 1}, {2, 1},   {1, 3},   {3, 5},
                                 {4, 4}, {17, 13}, {31, 64}, {101, 67}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int jacobi = 0; jacobi < 2; jacobi++) {
      AT_END(problemDestroy)
      problem s = problemCreate(context, poisson(sizes[i][0], sizes[i][1]), NULL);
      clSolverOptions options = {.tolerance = 1e-5,
                                 .preconditioner = jacobi ? TEXLA_PRECONDITIONER_JACOBI
                                                          : TEXLA_PRECONDITIONER_NONE};
      clSolverReport report = problemSolve(&s, &options);
      assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
      assert_true(report.residual <= 1.001e-5);
      assert_true(trueResidual(&s) <= 1e-5 + 20 * eps * (double)report.iterations);
    }
}

/* The iterates themselves, while rounding has not yet pulled the two apart. */
static void testCgFollowsTheTextbook(void **state) {
  enum { COUNT = 12 };
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    clTriplets *A = poisson(23, 19);
    /* D A D: the diagonal varies */
    for (int64_t k = 0; k < A->count; k++)
      A->value[k] *= (1 + 0.1 * (A->row[k] % 7)) * (1 + 0.1 * (A->col[k] % 7));
    AT_END(problemDestroy) problem s = problemCreate(context, A, NULL);
    double *x = calloc((size_t)s.n, sizeof *x), residual[COUNT + 1];
    oracleCg(x, residual, A, s.host_b, jacobi, COUNT);
    clSolverOptions options = {.max_iterations = COUNT,
                               .tolerance = 1e-9,
                               .preconditioner = jacobi ? TEXLA_PRECONDITIONER_JACOBI
                                                        : TEXLA_PRECONDITIONER_NONE};
    clSolver *solver = NULL;
    clSolverReport report;
    CHECK(clSolverCreate(&solver, s.matrix, &options));
    assert_int_equal(clSolverSolve(solver, s.x, s.b, &report), TEXLA_NOT_CONVERGED);
    assert_int_equal(report.reason, TEXLA_REASON_MAX_ITERATIONS);
    assert_int_equal(report.iterations, COUNT);
    int64_t count;
    const double *history = clSolverHistory(solver, &count);
    assert_int_equal(count, COUNT + 1);
    for (int k = 0; k <= COUNT; k++)
      assert_true(fabs(history[k] - residual[k]) <= 200 * eps * residual[0]);
    CHECK(clVectorDownload(s.x, s.host_x));
    assert_true(largestError(s.host_x, x, s.n) <= 500 * eps);
    clSolverDestroy(solver);
    free(x);
  }
}

static void testFixedCountReadsNothing(void **state) {
  enum { COUNT = 9 };
  AT_END(problemDestroy) problem s = problemCreate(context, poisson(33, 21), NULL);
  double *x = calloc((size_t)s.n, sizeof *x), residual[COUNT + 1];
  oracleCg(x, residual, s.A, s.host_b, false, COUNT);
  clSolver *solver = NULL;
  CHECK(clSolverCreate(&solver, s.matrix, NULL));
  int64_t before = clContextStatistics(context).readbacks;
  CHECK(clSolverInit(solver, s.x, s.b));
  CHECK(clSolverIterate(solver, 4));
  CHECK(clSolverIterate(solver, COUNT - 4));
  assert_int_equal(clContextStatistics(context).readbacks, before);
  CHECK(clVectorDownload(s.x, s.host_x));
  assert_true(largestError(s.host_x, x, s.n) <= 500 * eps);
  clSolverDestroy(solver);
  free(x);
}

/* A long fixed run goes on where x is exact: no division by zero, no NaN. */
static void testFixedCountBeyondConvergence(void **state) {
  static const clSolverOptions choices[] = {
      {.method = TEXLA_METHOD_CG},
      {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_JACOBI},
      {.method = TEXLA_METHOD_JACOBI}};
  for (int choice = 0; choice < 3; choice++) {
    AT_END(problemDestroy) problem s = problemCreate(context, poisson(5, 4), NULL);
    clSolverOptions options = choices[choice];
    clSolver *solver = NULL;
    CHECK(clSolverCreate(&solver, s.matrix, &options));
    CHECK(clSolverInit(solver, s.x, s.b));
    CHECK(clSolverIterate(solver, 400));
    assert_true(trueResidual(&s) <= 30 * eps);
    clSolverDestroy(solver);
  }
}

static void testJacobiFollowsTheFormula(void **state) {
  enum { COUNT = 25 };
  static const float dampings[] = {0, 0.8f};
  for (int k = 0; k < 2; k++) {
    AT_END(problemDestroy) problem s = problemCreate(context, poisson(14, 11), NULL);
    double damping = dampings[k] > 0 ? (double)dampings[k] : 1;
    double *x = calloc((size_t)s.n, sizeof *x), *q = calloc((size_t)s.n, sizeof *q);
    for (int it = 0; it < COUNT; it++) {
      clTripletsMulVector(q, s.A, x);
      for (int64_t i = 0; i < s.n; i++)
        x[i] += damping * ((double)s.host_b[i] - q[i]) / 4;
    }
    clSolverOptions options = {.method = TEXLA_METHOD_JACOBI, .damping = dampings[k]};
    clSolver *solver = NULL;
    CHECK(clSolverCreate(&solver, s.matrix, &options));
    int64_t before = clContextStatistics(context).readbacks;
    CHECK(clSolverInit(solver, s.x, s.b));
    CHECK(clSolverIterate(solver, COUNT));
    assert_int_equal(clContextStatistics(context).readbacks, before);
    CHECK(clVectorDownload(s.x, s.host_x));
    assert_true(largestError(s.host_x, x, s.n) <= 20 * COUNT * eps);
    clSolverDestroy(solver);
    free(x);
    free(q);
  }
}

static void testJacobiConverges(void **state) {
  AT_END(problemDestroy) problem s = problemCreate(context, poisson(9, 7), NULL);
  clSolverOptions options = {.method = TEXLA_METHOD_JACOBI, .tolerance = 1e-4};
  clSolverReport report = problemSolve(&s, &options);
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(report.iterations > 20);
  assert_true(trueResidual(&s) <= 1.1e-4);
}

static void testPreconditioningHelps(void **state) {
  clSolverReport report[2];
  for (int jacobi = 0; jacobi < 2; jacobi++) {
    clTriplets *A = poisson(16, 16);
    for (int64_t k = 0; k < A->count; k++)
      A->value[k] *= pow(10, A->row[k] % 3) * pow(10, A->col[k] % 3);
    AT_END(problemDestroy) problem s = problemCreate(context, A, NULL);
    clSolverOptions options = {.tolerance = 1e-4,
                               .max_iterations = 2000,
                               .preconditioner = jacobi ? TEXLA_PRECONDITIONER_JACOBI
                                                        : TEXLA_PRECONDITIONER_NONE};
    report[jacobi] = problemSolve(&s, &options);
  }
  assert_int_equal(report[1].reason, TEXLA_REASON_CONVERGED);
  assert_true(report[1].iterations * 2 < report[0].iterations);
}

static void testReasons(void **state) {
  float x[2];
  assert_int_equal(
      reasonOf(context, matrixOf(2, (double[]){-2, 0, 0, -3}), (float[]){1, 1}, TEXLA_METHOD_CG, x),
      TEXLA_REASON_NOT_POSITIVE_DEFINITE);
  assert_int_equal(
      reasonOf(context, matrixOf(2, (double[]){0, 1, 1, 0}), (float[]){1, 0}, TEXLA_METHOD_CG, x),
      TEXLA_REASON_BREAKDOWN);
  assert_int_equal(
      reasonOf(context, matrixOf(2, (double[]){2, 0, 0, 3}), (float[]){1, NAN}, TEXLA_METHOD_CG, x),
      TEXLA_REASON_NAN);
  assert_true(x[0] == 0 && x[1] == 0);
  assert_int_equal(reasonOf(context, matrixOf(2, (double[]){2, 0, 0, 3}), (float[]){1, INFINITY},
                            TEXLA_METHOD_CG, x),
                   TEXLA_REASON_NAN);
  assert_int_equal(reasonOf(context, matrixOf(2, (double[]){1, 3, 3, 1}), (float[]){1, 2},
                            TEXLA_METHOD_JACOBI, x),
                   TEXLA_REASON_DIVERGED);
  assert_int_equal(
      reasonOf(context, matrixOf(2, (double[]){2, 1, 1, 3}), (float[]){0, 0}, TEXLA_METHOD_CG, x),
      TEXLA_REASON_CONVERGED);
  assert_true(x[0] == 0 && x[1] == 0);
}

static bool stopAtFive(void *user, int64_t iteration, double residual) {
  int64_t *last = user;
  assert_true(residual > 0);
  /* every iteration once, in order */
  assert_int_equal(iteration, *last + 1);
  *last = iteration;
  return iteration < 5;
}

static void testMonitorStops(void **state) {
  AT_END(problemDestroy) problem s = problemCreate(context, poisson(40, 40), NULL);
  int64_t last = -1;
  clSolverOptions options = {.monitor = stopAtFive, .monitor_user = &last};
  clSolverReport report = problemSolve(&s, &options);
  assert_int_equal(report.reason, TEXLA_REASON_STOPPED);
  assert_int_equal(report.iterations, 5);
  assert_int_equal(last, 5);
}

static void testAbsoluteToleranceAndStartValue(void **state) {
  AT_END(problemDestroy) problem s = problemCreate(context, poisson(12, 9), NULL);
  clSolverOptions options = {.tolerance = 1e-5};
  clSolverReport first = problemSolve(&s, &options);
  /* x is there already */
  options.tolerance = 1e-4;
  clSolverReport again = problemSolve(&s, &options);
  assert_true(first.iterations > 5);
  assert_int_equal(again.iterations, 0);
  assert_int_equal(again.reason, TEXLA_REASON_CONVERGED);
  CHECK(clVectorClear(s.x));
  options = (clSolverOptions){.tolerance = 1e-7, .absolute = 0.5};
  clSolverReport loose = problemSolve(&s, &options);
  assert_int_equal(loose.reason, TEXLA_REASON_CONVERGED);
  assert_true(loose.iterations < first.iterations);
}

static void testRunsRepeatBitForBit(void **state) {
  enum { N = 37 * 29 };
  float x[2][N];
  int64_t iterations[2];
  for (int run = 0; run < 2; run++) {
    AT_END(problemDestroy) problem s = problemCreate(context, poisson(37, 29), NULL);
    clSolverReport report = problemSolve(&s, NULL);
    CHECK(clVectorDownload(s.x, x[run]));
    iterations[run] = report.iterations;
  }
  assert_int_equal(iterations[0], iterations[1]);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/* Longer than the ring of the history on the device. */
static void testLongHistory(void **state) {
  AT_END(problemDestroy) problem s = problemCreate(context, poisson(60, 60), NULL);
  clSolverOptions options = {
      .method = TEXLA_METHOD_JACOBI, .max_iterations = 2500, .tolerance = 1e-7};
  clSolver *solver = NULL;
  clSolverReport report;
  CHECK(clSolverCreate(&solver, s.matrix, &options));
  clSolverSolve(solver, s.x, s.b, &report);
  int64_t count;
  const double *history = clSolverHistory(solver, &count);
  assert_int_equal(report.iterations, 2500);
  assert_int_equal(count, 2501);
  for (int64_t k = 1; k < count; k++)
    assert_true(history[k] <= history[k - 1] * (1 + 100 * eps));
  clSolverDestroy(solver);
}

static void testAllStoragesAgree(void **state) {
  static const clStorage storages[] = {TEXLA_STORAGE_DENSE, TEXLA_STORAGE_BANDED,
                                       TEXLA_STORAGE_POINTS, TEXLA_STORAGE_CSR,
                                       TEXLA_STORAGE_SLOTS};
  for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
    clMatrixOptions options = {.storage = storages[i]};
    AT_END(problemDestroy) problem s = problemCreate(context, poisson(13, 15), &options);
    clSolverReport report = problemSolve(&s, &(clSolverOptions){.tolerance = 1e-5});
    assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
    assert_true(trueResidual(&s) <= 2e-5);
  }
}

static void testErrors(void **state) {
  clSolver *solver = NULL;
  AT_END(problemDestroy)
  problem s = problemCreate(context, matrixOf(2, (double[]){0, 1, 1, 2}), NULL);
  assert_int_equal(clSolverCreate(NULL, s.matrix, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clSolverCreate(&solver, NULL, NULL), TEXLA_BAD_ARGUMENT);
  clSolverOptions options = {.method = TEXLA_METHOD_JACOBI};
  assert_int_equal(clSolverCreate(&solver, s.matrix, &options), TEXLA_SINGULAR);
  assert_non_null(strstr(clContextError(context)->message, "row 1"));
  options = (clSolverOptions){.tolerance = -1};
  assert_int_equal(clSolverCreate(&solver, s.matrix, &options), TEXLA_BAD_ARGUMENT);
  options = (clSolverOptions){.tolerance = NAN};
  assert_int_equal(clSolverCreate(&solver, s.matrix, &options), TEXLA_BAD_ARGUMENT);
  assert_null(solver);
  clSolverDestroy(NULL);
  CHECK(clSolverCreate(&solver, s.matrix, NULL));
  /* Init comes first */
  assert_int_equal(clSolverIterate(solver, 1), TEXLA_BAD_ARGUMENT);
  clVector *longer = NULL;
  CHECK(clVectorCreate(&longer, context, 3));
  assert_int_equal(clSolverSolve(solver, longer, s.b, NULL), TEXLA_BAD_SHAPE);
  assert_int_equal(clSolverSolve(solver, s.x, longer, NULL), TEXLA_BAD_SHAPE);
  assert_int_equal(clSolverSolve(solver, s.x, s.x, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clSolverSolve(solver, NULL, s.b, NULL), TEXLA_BAD_ARGUMENT);
  clVectorDestroy(longer);
  clSolverDestroy(solver);
}

TEST_MAIN(setUp, testContextDestroy, testCgSolvesPoisson, testCgFollowsTheTextbook,
          testFixedCountReadsNothing, testFixedCountBeyondConvergence, testJacobiFollowsTheFormula,
          testJacobiConverges, testPreconditioningHelps, testReasons, testMonitorStops,
          testAbsoluteToleranceAndStartValue, testRunsRepeatBitForBit, testLongHistory,
          testAllStoragesAgree, testErrors)
