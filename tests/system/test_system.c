/* Whole systems: what clSystemSolve claims is measured again in double. */

#include "texla/io.h"
#include "texla/system.h"

#include "one_context.h"

static double norm(const double *v, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += v[i] * v[i];
  return sqrt(sum);
}

/* b = A * ones, solved from zero; the report's residual must be the true one. */
static clSystemReport solveOnes(const clTriplets *A, const clSystemOptions *options,
                                double *error) {
  int64_t n = A->rows;
  double *v = calloc((size_t)(4 * n), sizeof *v), *ones = v, *b = v + n, *x = v + 2 * n,
         *r = v + 3 * n;
  for (int64_t i = 0; i < n; i++)
    ones[i] = 1;
  clTripletsMulVector(b, A, ones);
  clSystemReport report = {0};
  clStatus status = clSystemSolve(context, A, b, x, options, &report);
  if (status < 0)
    fail_msg("%s", clContextError(context)->message);
  assert_int_equal(status,
                   report.reason == TEXLA_REASON_CONVERGED ? TEXLA_OK : TEXLA_NOT_CONVERGED);
  clTripletsMulVector(r, A, x);
  *error = 0;
  for (int64_t i = 0; i < n; i++) {
    r[i] -= b[i];
    *error = fmax(*error, fabs(x[i] - 1));
  }
  double residual = norm(r, n) / norm(b, n);
  assert_true(fabs(residual - report.residual) <= 1e-3 * residual + 1e-14);
  free(v);
  return report;
}

static void testReachesTheTrueTolerance(void **state) {
  static const double tolerances[] = {0, 1e-3, 1e-8, 1e-11};
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, 63, 41, NULL), TEXLA_OK);
  for (int i = 0; i < 4; i++) {
    double error, wanted = tolerances[i] > 0 ? tolerances[i] : 1e-6;
    clSystemOptions options = {.solver.tolerance = tolerances[i]};
    clSystemReport report = solveOnes(A, &options, &error);
    assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
    assert_true(report.residual <= wanted);
    assert_true(error <= 1e4 * wanted);
    assert_true(report.history_count >
                (report.method == TEXLA_METHOD_MG ? 1 : report.iterations - report.restarts));
    assert_true(report.iterations > 0 && report.passes > report.iterations && report.readbacks > 0);
    clSystemReportClear(&report);
    assert_null(report.history);
  }
}

/* Entries from 2^-100 to 2^100: p.Ap would overflow without scaling. */
static void testBadlyScaledSystem(void **state) {
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, 24, 24, NULL), TEXLA_OK);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] = ldexp(A->value[k], (A->row[k] % 9 + A->col[k] % 9 - 8) * 12);
  double error;
  AT_END(clSystemReportClear) clSystemReport report = solveOnes(A, NULL, &error);
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(report.residual <= 1e-6);
}

/* The Hilbert matrix of order 12: condition 1.7e16, single precision must say that it cannot go
 * on. */
static void testIllConditionedSystemIsNotCalledSolved(void **state) {
  enum { N = 12 };
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clTripletsCreate(&A, N, N, N * N, NULL), TEXLA_OK);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert_int_equal(clTripletsAdd(A, i, j, 1.0 / (i + j + 1), NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  double error;
  clSystemOptions options = {.solver.tolerance = 1e-15, .solver.max_iterations = 100000};
  AT_END(clSystemReportClear) clSystemReport report = solveOnes(A, &options, &error);
  assert_int_not_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(report.residual > 1e-15);
}

static void testIndefiniteAndLimitedRuns(void **state) {
  double error;
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, 16, 16, NULL), TEXLA_OK);
  clSystemReport limited = solveOnes(A, &(clSystemOptions){.solver.max_iterations = 3}, &error);
  assert_int_equal(limited.reason, TEXLA_REASON_MAX_ITERATIONS);
  assert_int_equal(limited.iterations, 3);
  /* what was reached is kept */
  assert_true(limited.residual < 1);
  clSystemReportClear(&limited);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] = -A->value[k];
  AT_END(clSystemReportClear) clSystemReport negative = solveOnes(A, NULL, &error);
  assert_int_equal(negative.reason, TEXLA_REASON_NOT_POSITIVE_DEFINITE);
}

static void testJacobiSystem(void **state) {
  double error;
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clGenerateBanded(&A, 500, (const int32_t[]){-20, -1, 0, 3, 40}, 5, 7, NULL),
                   TEXLA_OK);
  clSystemOptions options = {.solver.method = TEXLA_METHOD_JACOBI, .solver.tolerance = 1e-9};
  AT_END(clSystemReportClear) clSystemReport report = solveOnes(A, &options, &error);
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(report.residual <= 1e-9);
  assert_true(error <= 1e-6);
}

/* 0 x 0 systems are solved, by all methods and ways. */
static void testNoUnknowns(void **state) {
  OWN(clTriplets) *A = NULL;
  OWN(clSystem) *kept = NULL;
  assert_int_equal(clTripletsCreate(&A, 0, 0, 0, NULL), TEXLA_OK);
  for (int method = TEXLA_METHOD_CG; method <= TEXLA_METHOD_AUTO; method++) {
    clSystemReport report[2] = {{0}};
    const clSystemOptions options = {.solver.method = (clMethod)method, .roundoff = method * 1e-16};
    assert_int_equal(clSystemSolveMany(context, A, 2, NULL, NULL, &options, report), TEXLA_OK);
    assert_true(clReasonSolved(report[1].reason) && report[1].verdict[0]);
  }
  assert_int_equal(clSystemCreate(&kept, context, A, 1, NULL), TEXLA_OK);
  assert_int_equal(clSystemSolveWith(kept, 1, NULL, NULL, NULL), TEXLA_OK);
  assert_int_equal(clSystemUpdateValues(kept, A->value), TEXLA_OK);
  assert_int_equal(clSystemSolveWith(kept, 1, NULL, NULL, NULL), TEXLA_OK);
}

static clStatus apply(void *user, clVector *y, const clVector *x) {
  (void)user;
  return clVectorCopy(y, x);
}

static void testErrors(void **state) {
  OWN(clTriplets) *A = NULL, *wide = NULL;
  double b[4] = {1, 2, 3, 4}, x[4] = {0};
  clSystemReport report = {.iterations = 77};
  assert_int_equal(clGeneratePoisson2d(&A, 2, 2, NULL), TEXLA_OK);
  assert_int_equal(clSystemSolve(context, NULL, b, x, NULL, &report), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clSystemSolve(context, A, NULL, x, NULL, &report), TEXLA_BAD_ARGUMENT);
  b[2] = NAN;
  assert_int_equal(clSystemSolve(context, A, b, x, NULL, &report), TEXLA_NOT_FINITE);
  assert_non_null(strstr(clContextError(context)->message, "element 3 of b"));
  b[2] = 3;
  assert_int_equal(clTripletsCreate(&wide, 2, 3, 1, NULL), TEXLA_OK);
  assert_int_equal(clSystemSolve(context, wide, b, x, NULL, &report), TEXLA_BAD_SHAPE);
  /* no longer symmetric */
  A->value[1] = 5;
  assert_int_equal(clSystemSolve(context, A, b, x, NULL, &report), TEXLA_BAD_ARGUMENT);
  assert_non_null(strstr(clContextError(context)->message, "not symmetric"));
  assert_int_equal(report.iterations, 77);
  assert_true(x[0] == 0 && x[3] == 0);
  assert_int_equal(clSystemSolveMany(context, A, 1, b, x,
                                     &(clSystemOptions){.solver.shell = {apply, NULL}}, &report),
                   TEXLA_UNSUPPORTED);
  A->value[1] = A->value[A->count - 2];
  /* a report is not needed */
  assert_int_equal(clSystemSolve(context, A, b, x, NULL, NULL), TEXLA_OK);
  clSystemReportClear(NULL);
}

TEST_MAIN(setUp, testContextDestroy, testReachesTheTrueTolerance, testBadlyScaledSystem,
          testIllConditionedSystemIsNotCalledSolved, testIndefiniteAndLimitedRuns, testJacobiSystem,
          testNoUnknowns, testErrors)
