/* What follows a plan that has failed: cheaper or dearer, and never the same again. */
#include "common.h"

#include "system/direct.h"
#include "system/plan.h"

static txPlan planFor(int32_t n, const txMatrixFacts *facts, clPreconditioner preconditioner) {
  txPlan plan;
  clSystemOptions options = {
      .solver = {.method = TEXLA_METHOD_AUTO, .preconditioner = preconditioner}};
  txPlanMake(&plan, facts, n, &options);
  return plan;
}

/* gmres, a factorization where it can be afforded, two large bases, the end. */
static void testOrder(void **state) {
  enum { N = 8192 };
  const txMatrixFacts facts = {0};
  for (int afforded = 0; afforded < 2; afforded++) {
    txPlan plan = planFor(N, &facts, TEXLA_PRECONDITIONER_NONE);
    assert_int_equal(plan.solver.method, TEXLA_METHOD_GMRES);
    assert_true(txPlanAsksDirect(&plan, TEXLA_REASON_MAX_ITERATIONS));
    assert_false(txPlanAsksDirect(&plan, TEXLA_REASON_CONVERGED));
    assert_true(
        txPlanNext(&plan, &facts, N, TEXLA_REASON_MAX_ITERATIONS, afforded, "plu needs 1.3 GB"));
    assert_non_null(strstr(plan.because, "gmres ended with max_iterations, plu needs 1.3 GB: "));
    assert_int_equal(plan.solver.method, afforded ? TEXLA_METHOD_PLU : TEXLA_METHOD_GMRES);
    int more = 0;
    while (txPlanNext(&plan, &facts, N, TEXLA_REASON_STAGNATED, true, NULL)) {
      /* a factorization is tried once */
      assert_int_equal(plan.solver.method, TEXLA_METHOD_GMRES);
      assert_true(plan.solver.restart >= 1000);
      assert_true(++more < 4);
    }
    assert_int_equal(more, afforded ? 2 : 1);
  }
}

/* Reasons after which nothing follows, and methods that were asked for. */
static void testEnds(void **state) {
  const txMatrixFacts facts = {.symmetric = true, .positive = true};
  static const clReason ends[] = {TEXLA_REASON_CONVERGED, TEXLA_REASON_STOPPED,
                                  TEXLA_REASON_INCONSISTENT};
  for (int k = 0; k < 3; k++) {
    txPlan plan = planFor(100, &facts, TEXLA_PRECONDITIONER_NONE);
    assert_false(txPlanNext(&plan, &facts, 100, ends[k], true, NULL));
  }
  txPlan plan;
  txPlanMake(&plan, &facts, 100, &(clSystemOptions){.solver.method = TEXLA_METHOD_CG});
  assert_false(txPlanNext(&plan, &facts, 100, TEXLA_REASON_STAGNATED, true, NULL));
}

/* A preconditioner that broke is replaced, also where the method was asked for; once. */
static void testBrokenPreconditioner(void **state) {
  const txMatrixFacts facts = {.symmetric = true, .positive = true};
  txPlan plan;
  txPlanMake(&plan, &facts, 100,
             &(clSystemOptions){.solver = {.preconditioner = TEXLA_PRECONDITIONER_CHEBYSHEV}});
  assert_false(txPlanAsksDirect(&plan, TEXLA_REASON_BAD_PRECONDITIONER));
  assert_true(txPlanNext(&plan, &facts, 100, TEXLA_REASON_BAD_PRECONDITIONER, false, NULL));
  assert_int_equal(plan.solver.method, TEXLA_METHOD_CG);
  assert_int_equal(plan.solver.preconditioner, TEXLA_PRECONDITIONER_JACOBI);
  assert_string_equal(plan.because,
                      "chebyshev is not positive definite in single precision: cg with jacobi");
  assert_false(txPlanNext(&plan, &facts, 100, TEXLA_REASON_BAD_PRECONDITIONER, false, NULL));
}

/* A factorization's memory grows with n^2, its time with n^3, and both are limited by the
 * device. */
static void testCost(void **state) {
  txDirectCost small, large, huge;
  assertOk(*state, txDirectEstimate(&small, *state, 1000));
  assertOk(*state, txDirectEstimate(&large, *state, 4000));
  assertOk(*state, txDirectEstimate(&huge, *state, 2000000));
  assert_true(small.fits && small.seconds > 0);
  assert_true(large.bytes == 16 * small.bytes);
  /* at least the matrix itself */
  assert_true(small.bytes >= 4e6);
  assert_false(huge.fits);
}

TEST_MAIN(testContextCreate, testContextDestroy, testOrder, testEnds, testBrokenPreconditioner,
          testCost)
