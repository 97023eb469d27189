/* The method cholesky of clSystemSolve: solved to double, and refused or named where A is not what
 * it needs. */

#include "matrices.h"
#include "texla/system.h"

#include "one_context.h"

static void solvesToDouble(void **state) {
  OWN(clTriplets) *A = poisson(17, 13);
  enum { N = 17 * 13 };
  double b[N], x[N] = {0}, ones[N];
  AT_END(clSystemReportClear) clSystemReport report = {0};
  for (int i = 0; i < N; i++)
    ones[i] = 1;
  clTripletsMulVector(b, A, ones);
  CHECK(clSystemSolve(context, A, b, x,
                      &(clSystemOptions){.solver.method = TEXLA_METHOD_CHOLESKY, .refine = true},
                      &report));
  assert_int_equal(report.method, TEXLA_METHOD_CHOLESKY);
  assert_int_equal(report.storage, TEXLA_STORAGE_DENSE);
  assert_non_null(strstr(report.description, "A = L L^T"));
  assert_true(report.residual <= 1e-12 && report.iterations <= 5);
  for (int i = 0; i < N; i++)
    assert_true(fabs(x[i] - 1) < 1e-9);
}

static void otherMatricesAreNamed(void **state) {
  const double indefinite[] = {1, 2, 2, 1}, skew[] = {1, 2, 0, 1};
  double b[2] = {1, 2}, x[2] = {0};
  clSystemOptions o = {.solver.method = TEXLA_METHOD_CHOLESKY};
  clSystemReport report = {0};
  OWN(clTriplets) *A = matrixOf(2, indefinite), *B = matrixOf(2, skew);
  assert_int_equal(clSystemSolve(context, A, b, x, &o, &report), TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_NOT_POSITIVE_DEFINITE);
  assert_true(x[0] == 0 && x[1] == 0);
  clSystemReportClear(&report);
  assertFails(context, clSystemSolve(context, B, b, x, &o, NULL), TEXLA_BAD_ARGUMENT,
              "not symmetric: plu takes it");
}

/* auto factors small ones, once for all right-hand sides. */
static void autoFactorsSmallOnes(void **state) {
  enum { N = 9 * 8, COUNT = 3 };
  OWN(clTriplets) *A = poisson(9, 8);
  double b[COUNT * N], x[COUNT * N] = {0};
  clSystemReport reports[COUNT] = {0};
  for (int i = 0; i < COUNT * N; i++)
    b[i] = 1 + i % 7;
  clSystemOptions o = {.solver.method = TEXLA_METHOD_AUTO, .refine = true};
  CHECK(clSystemSolveMany(context, A, COUNT, b, x, &o, reports));
  for (int k = 0; k < COUNT; k++) {
    double r[N];
    clTripletsResidual(r, A, x + k * N, b + k * N);
    for (int i = 0; i < N; i++)
      assert_true(fabs(r[i]) < 1e-10);
    assert_int_equal(reports[k].method, TEXLA_METHOD_CHOLESKY);
    assert_non_null(strstr(reports[k].chosen_because, "small: cholesky"));
  }
  assert_true(reports[1].iterations <= 5 && reports[2].iterations <= 5);
  for (int k = 0; k < COUNT; k++)
    clSystemReportClear(&reports[k]);
}

TEST_MAIN(setUp, testContextDestroy, solvesToDouble, autoFactorsSmallOnes, otherMatricesAreNamed)
