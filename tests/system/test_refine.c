/* Refinement, the choice of a method, bad systems, several right-hand sides: clSystemSolve beyond
 * conjugate gradients. */
#include "problem.h"

#include "system/refine.h"

static double norm(const double *v, int64_t n) {
  return sqrt(dot(v, v, n));
}

/* b = A * ones (plus `extra` on every element), from zero; the report's residual must be the true
 * one. */
static clSystemReport solveOnes(clContext *context, const clTriplets *A,
                                const clSystemOptions *options, double extra, double *error) {
  int64_t n = A->rows;
  double *v = calloc((size_t)(4 * n), sizeof *v), *ones = v, *b = v + n, *x = b + n, *r = x + n;
  for (int64_t i = 0; i < n; i++)
    ones[i] = 1;
  clTripletsMulVector(b, A, ones);
  for (int64_t i = 0; i < n; i++)
    b[i] += extra;
  clSystemReport report = {0};
  clStatus status = clSystemSolve(context, A, b, x, options, &report);
  if (status < 0)
    fail_msg("%s", clContextError(context)->message);
  assert_int_equal(status,
                   report.reason == TEXLA_REASON_CONVERGED ? TEXLA_OK : TEXLA_NOT_CONVERGED);
  double residual = clTripletsResidual(r, A, x, b) / norm(b, n);
  assert_true(isfinite(residual));
  assert_true(fabs(residual - report.residual) <= 1e-3 * residual + 1e-14);
  *error = 0;
  for (int64_t i = 0; i < n; i++)
    *error = fmax(*error, fabs(x[i] - 1));
  free(v);
  clSystemReportClear(&report);
  return report;
}

/* Every method and preconditioner to double accuracy. */
static void testEveryMethodRefines(void **state) {
  static const clSolverOptions options[] = {
      {.method = TEXLA_METHOD_CG},
      {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_JACOBI},
      {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_CHEBYSHEV},
      {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_MG},
      {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_AMG},
      {.method = TEXLA_METHOD_BICGSTAB},
      {.method = TEXLA_METHOD_BICGSTAB, .preconditioner = TEXLA_PRECONDITIONER_MG},
      {.method = TEXLA_METHOD_GMRES},
      {.method = TEXLA_METHOD_GMRES, .preconditioner = TEXLA_PRECONDITIONER_AMG},
      {.method = TEXLA_METHOD_JACOBI},
      {.method = TEXLA_METHOD_MG},
      {.method = TEXLA_METHOD_AMG},
      {.method = TEXLA_METHOD_AUTO},
  };
  OWN(clTriplets) *A = convection(37, 24, 0, 0);
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    double error;
    clSystemReport report =
        solveOnes(*state, A, &(clSystemOptions){.solver = options[k], .refine = true}, 0, &error);
    assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
    assert_true(report.residual <= 1e-12);
    assert_true(error <= 1e-9);
    assert_true(report.restarts >= 1);
    assert_int_equal(report.preconditioner, k + 1 < sizeof options / sizeof *options
                                                ? options[k].preconditioner
                                                : TEXLA_PRECONDITIONER_JACOBI);
  }
}

/* Rows and columns from 2^-60 to 2^60. */
static void testBadlyScaledUnsymmetric(void **state) {
  OWN(clTriplets) *A = convection(20, 15, 0.6, 0.3);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] = ldexp(A->value[k], (A->row[k] % 11 - 5) * 12);
  for (int m = TEXLA_METHOD_BICGSTAB; m <= TEXLA_METHOD_GMRES; m++) {
    double error;
    clSystemReport report = solveOnes(
        *state, A, &(clSystemOptions){.solver = {.method = (clMethod)m, .tolerance = 1e-10}}, 0,
        &error);
    assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
    assert_true(report.residual <= 1e-10);
  }
}

static void checkChoice(clContext *context, clTriplets *A, const clSolverOptions *solver,
                        clMethod method, clPreconditioner preconditioner, const char *because) {
  double error;
  clSystemOptions options = {.solver = *solver};
  options.solver.method = TEXLA_METHOD_AUTO;
  clSystemReport report = solveOnes(context, A, &options, 0, &error);
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_int_equal(report.method, method);
  assert_int_equal(report.preconditioner, preconditioner);
  if (!strstr(report.chosen_because, because))
    fail_msg("\"%s\" does not contain \"%s\"", report.chosen_because, because);
  clTripletsDestroy(A);
}

static clTriplets *negated(clTriplets *A) {
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] = -A->value[k];
  return A;
}

/* The same unknowns in another order, which hides a grid; `step` and their number have no common
 * divisor. */
static clTriplets *renumbered(clTriplets *A, int step) {
  for (int64_t k = 0; k < A->count; k++) {
    A->row[k] = A->row[k] * step % A->rows;
    A->col[k] = A->col[k] * step % A->cols;
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

/* -Laplace - shift: indefinite, with a positive diagonal. */
static clTriplets *shifted(int nx, int ny, double shift) {
  clTriplets *A = convection(nx, ny, 0, 0);
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      A->value[k] -= shift;
  return A;
}

static void testChoices(void **state) {
  const clSolverOptions none = {0};
  checkChoice(*state, convection(20, 20, 0, 0), &none, TEXLA_METHOD_CHOLESKY,
              TEXLA_PRECONDITIONER_NONE, "positive diagonal, small");
  checkChoice(*state, convection(30, 20, 0, 0), &none, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_JACOBI,
              "positive diagonal");
  checkChoice(*state, negated(convection(20, 20, 0, 0)), &none, TEXLA_METHOD_CG,
              TEXLA_PRECONDITIONER_JACOBI, "-A x = -b");
  checkChoice(*state, renumbered(convection(70, 60, 0, 0), 11), &none, TEXLA_METHOD_CG,
              TEXLA_PRECONDITIONER_AMG, "one sign");
  checkChoice(*state, convection(70, 60, 0, 0), &none, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_MG,
              "the offsets of a grid");
  checkChoice(*state, convection(70, 60, 0, 0), &(clSolverOptions){.grid_nx = 70, .grid_ny = 60},
              TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_MG, "on a grid");
  checkChoice(*state, convection(20, 20, 0, 0),
              &(clSolverOptions){.preconditioner = TEXLA_PRECONDITIONER_CHEBYSHEV}, TEXLA_METHOD_CG,
              TEXLA_PRECONDITIONER_CHEBYSHEV, "chebyshev");
  checkChoice(*state, convection(20, 20, 0.5, 0), &none, TEXLA_METHOD_GMRES,
              TEXLA_PRECONDITIONER_JACOBI, "not symmetric");
  checkChoice(*state, matrixOf(3, (double[]){0, 1, 0, 0, 0, 2, 3, 0, 0}), &none, TEXLA_METHOD_GMRES,
              TEXLA_PRECONDITIONER_NONE, "not symmetric");
  checkChoice(*state, shifted(12, 11, 1.3), &none, TEXLA_METHOD_PLU, TEXLA_PRECONDITIONER_NONE,
              "cholesky ended with not_positive_definite, symmetric with a positive diagonal: cg "
              "with jacobi; cg ended "
              "with not_positive_definite");
}

static clReason reasonOfSystem(clContext *context, clTriplets *A, clSystemOptions options,
                               double extra) {
  double error;
  clSystemReport report = solveOnes(context, A, &options, extra, &error);
  clTripletsDestroy(A);
  return report.reason;
}

/* Periodic: rows sum to zero. */
static clTriplets *ring(int n) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, n, n, 3 * n, NULL), TEXLA_OK);
  for (int i = 0; i < n; i++) {
    assert_int_equal(clTripletsAdd(A, i, i, 2, NULL), TEXLA_OK);
    assert_int_equal(clTripletsAdd(A, i, (i + 1) % n, -1, NULL), TEXLA_OK);
    assert_int_equal(clTripletsAdd(A, i, (i + n - 1) % n, -1, NULL), TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

/* A right-hand side outside of the range: the best residual is reached, and called what it is. */
static void testInconsistent(void **state) {
  static const clMethod methods[] = {TEXLA_METHOD_CG, TEXLA_METHOD_GMRES, TEXLA_METHOD_BICGSTAB,
                                     TEXLA_METHOD_AUTO};
  for (int m = 0; m < 4; m++)
    assert_int_equal(
        reasonOfSystem(*state, ring(50),
                       (clSystemOptions){.solver = {.method = methods[m], .max_iterations = 500}},
                       1),
        TEXLA_REASON_INCONSISTENT);
}

static void testBadSystems(void **state) {
  clSystemOptions cg = {.solver.max_iterations = 1000},
                  gmres = {.solver.method = TEXLA_METHOD_GMRES};
  assert_int_equal(reasonOfSystem(*state, shifted(12, 11, 1.3), cg, 0),
                   TEXLA_REASON_NOT_POSITIVE_DEFINITE);
  gmres.solver.restart = 3;
  gmres.solver.max_iterations = 300;
  clReason reason = reasonOfSystem(*state, shifted(12, 11, 1.3), gmres, 0);
  assert_true(reason == TEXLA_REASON_STAGNATED || reason == TEXLA_REASON_MAX_ITERATIONS);
  double b[4] = {1, 2, 3, 4}, x[4] = {0};
  clSystemReport report = {.iterations = 77};
  clTriplets *A = matrixOf(4, (double[]){1, 2, 0, 0, 2, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1});
  const clSystemOptions jacobi = {.solver.method = TEXLA_METHOD_JACOBI};
  const clSystemOptions grid = {
      .solver = {.preconditioner = TEXLA_PRECONDITIONER_MG, .grid_nx = 3, .grid_ny = 2}};
  const clSystemOptions coupled = {
      .solver = {.preconditioner = TEXLA_PRECONDITIONER_MG, .grid_nx = 1, .grid_ny = 4}};
  assertFails(*state, clSystemSolve(*state, A, b, x, &jacobi, &report), TEXLA_SINGULAR, "row 2");
  assertFails(*state, clSystemSolve(*state, A, b, x, &grid, &report), TEXLA_BAD_SHAPE, "3 x 2");
  clTripletsDestroy(A);
  /* two rows away */
  A = matrixOf(4, (double[]){3, 0, 1, 0, 0, 3, 0, 1, 1, 0, 3, 0, 0, 1, 0, 3});
  assertFails(*state, clSystemSolve(*state, A, b, x, &coupled, &report), TEXLA_BAD_SHAPE, "");
  assert_int_equal(report.iterations, 77);
  assert_true(x[0] == 0 && x[3] == 0);
  clTripletsDestroy(A);
}

/* What was allocated on the device is back after successes and failures. */
static void testNothingLeaks(void **state) {
  double error;
  size_t before = (size_t)clContextStatistics(*state).bytes_used;
  clTriplets *A = convection(30, 30, 0.1, 0);
  for (int m = TEXLA_METHOD_BICGSTAB; m <= TEXLA_METHOD_PLU; m++)
    solveOnes(*state, A,
              &(clSystemOptions){
                  .solver = {.method = (clMethod)m, .max_iterations = 30, .tolerance = 1e-9}},
              0, &error);
  clTripletsDestroy(A);
  assert_int_equal((size_t)clContextStatistics(*state).bytes_used, before);
}

static void testManyRightHandSides(void **state) {
  enum { N = 17 * 13, COUNT = 3 };
  OWN(clTriplets) *A = convection(17, 13, 0.4, 0);
  static double exact[N * COUNT], b[N * COUNT], x[N * COUNT];
  clSystemReport reports[COUNT];
  uint64_t seed = 9;
  for (int i = 0; i < N * COUNT; i++)
    exact[i] = randomUnit(&seed);
  for (int k = 0; k < COUNT; k++)
    clTripletsMulVector(b + k * N, A, exact + k * N);
  clSystemOptions options = {.solver.method = TEXLA_METHOD_AUTO, .refine = true};
  assertOk(*state, clSystemSolveMany(*state, A, COUNT, b, x, &options, reports));
  for (int k = 0; k < COUNT; k++) {
    assert_int_equal(reports[k].reason, TEXLA_REASON_CONVERGED);
    assert_true(k == 0 || reports[k].seconds_setup == 0);
    clSystemReportClear(&reports[k]);
  }
  for (int i = 0; i < N * COUNT; i++)
    assert_true(fabs(x[i] - exact[i]) < 1e-10);
  assertFails(*state, clSystemSolveMany(*state, A, 0, b, x, &options, reports), TEXLA_BAD_ARGUMENT,
              "");
}

/* Real matrices, condition below 1e7 (positive or negative definite) or 1e6; the slowest are left
 * to the program's tests. */
static void testRealMatrices(void **state) {
  static const char *const names[] = {
      "LF10",      "bcsstk01", "mesh1e1",  "bcsstk02",         "bcsstk03",  "494_bus",  "662_bus",
      "nos3",      "bcsstk09", "bcsstm26", "Trefethen_500",    "pyamg_bar", "sherman1", "cage5",
      "bfwa62",    "west0067", "rajat11",  "fidap001",         "cage8",     "hor_131",  "olm500",
      "rail_5177", "jagmesh7", "arc130",   "pyamg_recirc_flow"};
  const char *folder = getenv("TEXLA_DATA_DIR");
  char path[512];
  int found = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    OWN(clTriplets) *A = NULL;
    double error;
    snprintf(path, sizeof path, "%s/matrices/%s.mtx",
             folder ? folder : TEXLA_SOURCE_DIR "/../shared/data", names[k]);
    if (clMatrixMarketRead(&A, path, NULL))
      continue;
    found++;
    clSystemOptions options = {.solver = {.method = TEXLA_METHOD_AUTO, .tolerance = 1e-10},
                               .refine = true};
    clSystemReport report = solveOnes(*state, A, &options, 0, &error);
    if (report.reason != TEXLA_REASON_CONVERGED || report.residual > 1e-10)
      fail_msg("%s: %s, residual %g (%s)", names[k], clReasonText(report.reason), report.residual,
               report.chosen_because);
  }
  if (!found)
    testSkip("no real matrices (TEXLA_DATA_DIR)");
}

/* Poor corrections become orthogonal directions, and the norms are those of b and of b - A x. */
static void testDirections(void **state) {
  enum { STEPS = 4, NX = 9, NY = 7, N = NX * NY };
  OWN(clTriplets) *A = convection(NX, NY, 0.3, 0.1);
  clError *error = (clError *)clContextError(*state);
  txRows rows;
  txScaling scale;
  txRefinement ref;
  double b[N], x[N] = {0}, r[N], product[N];
  float y[N];
  uint64_t seed = 5;
  for (int i = 0; i < N; i++)
    b[i] = randomUnit(&seed);
  assertOk(*state, txRowsFind(&rows, A, "test", error));
  assertOk(*state, txScalingCreate(&scale, &rows, TX_SCALE_DIAGONAL, error));
  txRefineStart(&ref, A, b, norm(b, N), x, false, &scale, NULL);
  for (int k = 0; k < STEPS; k++) {
    double gain, before = ref.scaled_norm;
    for (int i = 0; i < N; i++)
      y[i] = (float)randomUnit(&seed);
    assertOk(*state, txRefineStep(&ref, &scale, y, &gain, error));
    assert_true(gain > 1 && gain < 10 && fabs(before / ref.scaled_norm - gain) <= 1e-14 * gain);
    assert_true(fabs(clTripletsResidual(r, A, x, b) - ref.norm) <= 1e-14 * ref.norm);
  }
  assert_int_equal(ref.steps, STEPS);
  for (int k = 0; k < STEPS; k++) {
    clTripletsMulVector(product, A, ref.d[k]);
    for (int i = 0; i < N; i++)
      assert_true(fabs(scale.row[i] * product[i] - ref.q[k][i]) <= 1e-13 * ref.q_norm[k]);
    for (int j = 0; j < k; j++)
      assert_true(fabs(dot(ref.q[j], ref.q[k], N)) <= 1e-13 * ref.q_norm[j] * ref.q_norm[k]);
    assert_true(fabs(dot(ref.q[k], ref.scaled, N)) <= 1e-13 * ref.q_norm[k] * norm(ref.scaled, N));
  }
  txRefineDestroy(&ref);
  txScalingDestroy(&scale);
  txRowsForget(&rows);
}

/* Norms of vectors whose squares over- or underflow, of any length. */
static void testNorms(void **state) {
  static const double size[] = {1, 1e-180, 1e180, 1e300};
  /* the loop's blocks are n / 64 elements */
  enum { MOST = 1400 };
  double v[MOST];
  for (int n = 1; n <= MOST; n += 97)
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
      for (int i = 0; i < n; i++)
        v[i] = i % 2 ? -size[k] : size[k];
      assert_true(fabs(txNorm(v, n) / (size[k] * sqrt(n)) - 1) <= 1e-14);
    }
  v[3] = NAN;
  assert_true(isnan(txNorm(v, MOST)));
}

TEST_MAIN(testContextCreate, testContextDestroy, testEveryMethodRefines, testBadlyScaledUnsymmetric,
          testChoices, testInconsistent, testBadSystems, testNothingLeaks, testManyRightHandSides,
          testRealMatrices, testDirections, testNorms)
