/* Chebyshev's polynomial against its recurrence in double, and as a preconditioner. */
#include "problem.h"

#include "multigrid/chebyshev.h"

/* x after `degree` steps from zero: the polynomial that is T_degree on [low, largest], by its
 * roots. */
static void oracle(double *x, const clTriplets *A, const double *d, const float *b, int degree,
                   double low, double largest) {
  const double pi = acos(-1);
  int64_t n = A->rows;
  double *r = calloc((size_t)n, sizeof *r);
  for (int64_t i = 0; i < n; i++)
    x[i] = 0;
  for (int k = 0; k < degree; k++) {
    double root = (largest + low) / 2 + (largest - low) / 2 * cos(pi * (k + 0.5) / degree);
    clTripletsMulVector(r, A, x);
    for (int64_t i = 0; i < n; i++)
      x[i] += ((double)b[i] - r[i]) / (d[i] * root);
  }
  free(r);
}

static void testFollowsTheFormula(void **state) {
  const double ratio = 10;
  for (int degree = 1; degree <= 6; degree++) {
    clTriplets *A = convection(19, 14, 0, 0);
    for (int64_t k = 0; k < A->count; k++)
      A->value[k] *= (1 + 0.1 * (A->row[k] % 7)) * (1 + 0.1 * (A->col[k] % 7));
    AT_END(problemDestroy) problem p = problemCreate(*state, A, NULL);
    double *x = calloc(2 * (size_t)p.n, sizeof *x), *d = x + p.n;
    for (int64_t k = 0; k < A->count; k++)
      if (A->row[k] == A->col[k])
        d[A->row[k]] = A->value[k];
    txChebyshev *c = NULL;
    assertOk(*state, txChebyshevCreate(&c, p.matrix, degree, ratio));
    double largest = txChebyshevLargest(c);
    /* 1.98: the exact one is 1 + cos(pi / 20) / 2 + cos(pi / 15) / 2 */
    assert_true(largest > 1.98 && largest < 2.2);
    oracle(x, A, d, p.host_b, degree, largest / ratio, largest);
    int64_t before = clContextStatistics(*state).readbacks;
    assertOk(*state, txChebyshevSmooth(c, p.x, p.b, true));
    assert_int_equal(clContextStatistics(*state).readbacks, before);
    assertOk(*state, clVectorDownload(p.x, p.host_x));
    assert_true(largestError(p.host_x, x, p.n) <= 50 * eps);
    /* from an x that is zero: the same */
    assertOk(*state, clVectorClear(p.x));
    assertOk(*state, txChebyshevSmooth(c, p.x, p.b, false));
    assertOk(*state, clVectorDownload(p.x, p.host_x));
    assert_true(largestError(p.host_x, x, p.n) <= 50 * eps);
    txChebyshevDestroy(c);
    free(x);
  }
}

static void testPreconditions(void **state) {
  static const clMethod methods[] = {TEXLA_METHOD_CG, TEXLA_METHOD_BICGSTAB, TEXLA_METHOD_GMRES};
  for (int m = 0; m < 3; m++) {
    int64_t iterations[2];
    for (int k = 0; k < 2; k++) {
      AT_END(problemDestroy)
      problem p = problemCreate(*state, convection(48, 53, m ? 0.2 : 0, 0), NULL);
      clSolverReport report =
          problemSolve(&p, &(clSolverOptions){.method = methods[m],
                                              .tolerance = 1e-5,
                                              .preconditioner = k ? TEXLA_PRECONDITIONER_CHEBYSHEV
                                                                  : TEXLA_PRECONDITIONER_NONE});
      assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
      assert_true(trueResidual(&p) <= 5e-5);
      iterations[k] = report.iterations;
    }
    assert_true(2 * iterations[1] < iterations[0]);
  }
}

static void testFixedCountReadsNothing(void **state) {
  AT_END(problemDestroy) problem p = problemCreate(*state, convection(21, 17, 0, 0), NULL);
  problemIterate(&p, &(clSolverOptions){.preconditioner = TEXLA_PRECONDITIONER_CHEBYSHEV}, 60);
  assert_true(trueResidual(&p) <= 30 * eps);
}

static void testErrors(void **state) {
  AT_END(problemDestroy)
  problem p = problemCreate(*state, matrixOf(2, (double[]){0, 1, 1, 2}), NULL);
  clSolver *solver = NULL;
  clSolverOptions options = {.preconditioner = TEXLA_PRECONDITIONER_CHEBYSHEV};
  assertFails(*state, clSolverCreate(&solver, p.matrix, &options), TEXLA_SINGULAR, "row 1");
  options.degree = 101;
  assertFails(*state, clSolverCreate(&solver, p.matrix, &options), TEXLA_BAD_ARGUMENT,
              "degree (101)");
  options = (clSolverOptions){.preconditioner = (clPreconditioner)99};
  assertFails(*state, clSolverCreate(&solver, p.matrix, &options), TEXLA_BAD_ARGUMENT,
              "preconditioner 99");
  assert_null(solver);
}

TEST_MAIN(testContextCreate, testContextDestroy, testFollowsTheFormula, testPreconditions,
          testFixedCountReadsNothing, testErrors)
