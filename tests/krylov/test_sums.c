/* Sums over processes, of which there is one here: the same iterations, and each of its sums is
 * asked for. */
#include "one_context.h"

#include "texla/io.h"
#include "texla/solver.h"

static clStatus count(void *user, double *values, int number) {
  int *calls = user;
  ++*calls;
  return number > 0 && values ? TEXLA_OK : TEXLA_BAD_ARGUMENT;
}

static clStatus refuse(void *user, double *values, int number) {
  (void)user, (void)values, (void)number;
  return TEXLA_DEVICE_ERROR;
}

static int64_t solve(clMatrix *A, clMethod method, clSum sum, clStatus wanted) {
  clSolverOptions options = {.method = method, .tolerance = 1e-5, .sum = sum};
  clSolverReport report = {0};
  OWN(clSolver) *solver = NULL;
  OWN(clVector) *x = NULL, *b = NULL;
  CHECK(clMatrixCreateVector(&x, A, TEXLA_RANGE));
  CHECK(clMatrixCreateVector(&b, A, TEXLA_RANGE));
  CHECK(clVectorFill(b, 1));
  CHECK(clSolverCreate(&solver, A, &options));
  assert_int_equal(clSolverSolve(solver, x, b, &report), wanted);
  return report.iterations;
}

static void testSums(void **state) {
  static const clMethod method[] = {TEXLA_METHOD_CG, TEXLA_METHOD_BICGSTAB};
  OWN(clTriplets) *T = NULL;
  OWN(clMatrix) *A = NULL;
  clSolver *solver = NULL;
  assert_int_equal(clGeneratePoisson2d(&T, 20, 17, NULL), TEXLA_OK);
  CHECK(clMatrixCreate(&A, context, T, NULL));
  for (int k = 0; k < 2; k++) {
    int calls = 0;
    int64_t alone = solve(A, method[k], (clSum){0}, TEXLA_OK);
    assert_int_equal(solve(A, method[k], (clSum){count, &calls}, TEXLA_OK), alone);
    assert_true(calls >= alone + 2);
    solve(A, method[k], (clSum){refuse, NULL}, TEXLA_DEVICE_ERROR);
  }
  clSolverOptions gmres = {.method = TEXLA_METHOD_GMRES, .sum = {count, NULL}};
  assertFails(context, clSolverCreate(&solver, A, &gmres), TEXLA_UNSUPPORTED,
              "sums over processes");
}

TEST_MAIN(setUp, testContextDestroy, testSums)
