/* Algebraic multigrid: its parts on the host against dense arithmetic, its cycles by how fast they are. */
#include "problem.h"

#include "solvers/aggregation.h"
#include "solvers/amg.h"

static double *denseOf(const clTriplets *A) {
  double *a = calloc((size_t)A->rows * (size_t)A->cols, sizeof *a);
  for (int64_t k = 0; k < A->count; k++)
    a[(int64_t)A->row[k] * A->cols + A->col[k]] += A->value[k];
  return a;
}

static clTriplets *randomMatrix(int rows, int cols, uint64_t seed) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, rows, cols, rows, NULL), TEXLA_OK);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      if (randomUnit(&seed) > 0.4)
        assert_int_equal(clTripletsAdd(A, i, j, randomUnit(&seed), NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  return A;
}

static void testProduct(void **state) {
  (void)state;
  clTriplets *A = randomMatrix(7, 11, 1), *B = randomMatrix(11, 5, 2), *C = NULL;
  assert_int_equal(txTripletsProduct(&C, A, B, NULL), TEXLA_OK);
  double *a = denseOf(A), *b = denseOf(B), *c = denseOf(C);
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 5; j++) {
      double sum = 0;
      for (int k = 0; k < 11; k++)
        sum += a[i * 11 + k] * b[k * 5 + j];
      assert_true(fabs(sum - c[i * 5 + j]) < 1e-14);
    }
  free(a);
  free(b);
  free(c);
  clTripletsDestroy(A);
  clTripletsDestroy(B);
  clTripletsDestroy(C);
}

/* ||A G A - A|| for G = txInvert(A): a generalized inverse, the inverse where there is one. */
static void checkInverse(double *a, int n, int rank) {
  size_t count = (size_t)n * (size_t)n;
  double *g = malloc(count * sizeof *g), *ag = calloc(count, sizeof *ag);
  memcpy(g, a, count * sizeof *g);
  assert_int_equal(txInvert(g, n, 1e-10), rank);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        ag[i * n + j] += a[i * n + k] * g[k * n + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += ag[i * n + k] * a[k * n + j];
      assert_true(fabs(sum - a[i * n + j]) < 1e-9);
      assert_true(rank < n || fabs(ag[i * n + j] - (i == j)) < 1e-9);
    }
  free(g);
  free(ag);
}

static void testInverse(void **state) {
  (void)state;
  clTriplets *A = randomMatrix(23, 23, 3);
  double *a = denseOf(A);
  checkInverse(a, 23, 23);
  for (int j = 0; j < 23; j++) /* two rows that depend on others */
    a[5 * 23 + j] = a[7 * 23 + j] - 2 * a[11 * 23 + j], a[3 * 23 + j] = a[7 * 23 + j];
  checkInverse(a, 23, 21);
  checkInverse((double[]){0, 1, 1, 0}, 2, 2);
  checkInverse((double[]){1, -1, -1, 1}, 2, 1);
  checkInverse((double[]){0}, 1, 0);
  free(a);
  clTripletsDestroy(A);
}

/* The graph Laplacian of a grid: rows sum to zero. */
static clTriplets *neumann(int nx, int ny) {
  clTriplets *A = convection(nx, ny, 0, 0);
  double *sum = calloc((size_t)A->rows, sizeof *sum);
  for (int64_t k = 0; k < A->count; k++)
    sum[A->row[k]] += A->value[k];
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      A->value[k] -= sum[A->row[k]];
  free(sum);
  return A;
}

/* Where A maps ones to zero, P interpolates them exactly, and R A P maps the coarse ones to zero. */
static void testCoarsening(void **state) {
  (void)state;
  clTriplets *A = neumann(13, 11);
  double ones[143], fine[143], coarse[143];
  for (int i = 0; i < 143; i++)
    ones[i] = 1;
  txCoarsening c;
  assert_int_equal(txCoarsen(&c, A, ones, 0.08, 2, NULL), TEXLA_OK);
  assert_true(c.A->rows >= 10 && c.A->rows <= 40);
  assert_true(clTripletsIsSymmetric(c.A, 1e-12));
  clTripletsMulVector(fine, c.P, c.near);
  clTripletsMulVector(coarse, c.A, c.near);
  for (int i = 0; i < 143; i++)
    assert_true(fabs(fine[i] - 1) < 1e-13);
  for (int i = 0; i < c.A->rows; i++)
    assert_true(fabs(coarse[i]) < 1e-12);
  txCoarseningDestroy(&c);
  clTripletsDestroy(A);
}

static void testNothingToCoarsen(void **state) {
  problem p = problemCreate(*state, matrixOf(3, (double[]){2, 0, 0, 0, 3, 0, 0, 0, 4}), NULL);
  txCoarsening c;
  assert_int_equal(txCoarsen(&c, p.A, (double[]){1, 1, 1}, 0.08, 1, NULL), TEXLA_OK);
  assert_null(c.P);
  clSolverReport report = problemSolve(&p, &(clSolverOptions){.method = TEXLA_METHOD_AMG, .host = p.A});
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_int_equal(report.iterations, 1);
  problemDestroy(&p);
}

static clTriplets *testMatrix(int kind, int n) {
  clTriplets *A = NULL;
  if (kind == 1)
    assert_int_equal(clGenerateFemPlate(&A, n, NULL), TEXLA_OK);
  else if (kind == 2)
    assert_int_equal(clGenerateAnisotropic(&A, n, n, 0.01, NULL), TEXLA_OK);
  return A ? A : convection(n, n, kind == 3 ? 0.5 : 0, 0);
}

static int64_t iterationsOf(clContext *context, int kind, int n, const clSolverOptions *options, clStorage storage) {
  clTriplets *A = testMatrix(kind, n);
  problem p = problemCreate(context, A, &(clMatrixOptions){.storage = storage});
  clSolverOptions o = *options;
  o.host = A;
  o.tolerance = 1e-5;
  clSolverReport report = problemSolve(&p, &o);
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(trueResidual(&p) <= 2e-5);
  problemDestroy(&p);
  return report.iterations;
}

/* The number of iterations hardly grows with the grid. */
/* One level only, on a grid: its inverse must have the grid's layout. */
static void testSmallGrid(void **state) {
  clTriplets *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, 17, 17, NULL), TEXLA_OK);
  problem p = problemCreate(*state, A, &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED});
  clSolverReport report =
      problemSolve(&p, &(clSolverOptions){.method = TEXLA_METHOD_AMG, .host = A, .tolerance = 1e-5});
  assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
  assert_true(report.iterations <= 2);
  problemDestroy(&p);
}

static void testIterationsStayFew(void **state) {
  static const clSolverOptions options[] = {
      {.preconditioner = TEXLA_PRECONDITIONER_AMG},
      {.preconditioner = TEXLA_PRECONDITIONER_AMG, .cycle = TEXLA_CYCLE_W},
      {.preconditioner = TEXLA_PRECONDITIONER_AMG, .cycle = TEXLA_CYCLE_F},
      {.method = TEXLA_METHOD_AMG},
  };
  static const int most[] = {12, 10, 10, 20};
  for (int kind = 0; kind < 3; kind++)
    for (int k = 0; k < 4; k++) {
      int64_t small = iterationsOf(*state, kind, 32, &options[k], TEXLA_STORAGE_AUTO);
      int64_t large = iterationsOf(*state, kind, 101, &options[k], TEXLA_STORAGE_AUTO);
      assert_true(large <= most[k]);
      assert_true(large <= small + 6);
    }
}

static void testOtherMethodsAndStorages(void **state) {
  const clSolverOptions gmres = {.method = TEXLA_METHOD_GMRES, .preconditioner = TEXLA_PRECONDITIONER_AMG};
  const clSolverOptions bicgstab = {.method = TEXLA_METHOD_BICGSTAB, .preconditioner = TEXLA_PRECONDITIONER_AMG};
  assert_true(iterationsOf(*state, 3, 60, &gmres, TEXLA_STORAGE_AUTO) <= 20);
  assert_true(iterationsOf(*state, 3, 60, &bicgstab, TEXLA_STORAGE_SLOTS) <= 14);
  assert_true(iterationsOf(*state, 0, 60, &gmres, TEXLA_STORAGE_CSR) <= 14);
}

/* u.Mv = v.Mu, u.Mu > 0: a preconditioner for conjugate gradients. Reads nothing back. */
static void testSymmetric(void **state) {
  problem p = problemCreate(*state, testMatrix(1, 45), NULL);
  txAmg *amg = NULL;
  clVector *z = NULL;
  clFloat *s = NULL;
  float uMv, vMu, uMu;
  uint64_t seed = 5;
  assertOk(*state, txAmgCreate(&amg, p.matrix, p.A, NULL, TEXLA_CYCLE_V));
  assert_true(txAmgLevels(amg) >= 2);
  assertOk(*state, clVectorCreateLike(&z, p.x));
  assertOk(*state, clFloatCreate(&s, *state));
  for (int64_t i = 0; i < p.n; i++)
    p.host_x[i] = (float)randomUnit(&seed);
  assertOk(*state, clVectorUpload(p.x, p.host_x));
  int64_t before = clContextCount(*state).readbacks;
  assertOk(*state, txAmgApply(amg, z, p.x));
  assert_int_equal(clContextCount(*state).readbacks, before);
  assertOk(*state, clVectorDot(s, z, p.b));
  assertOk(*state, clFloatDownload(s, &uMv));
  assertOk(*state, clVectorDot(s, z, p.x));
  assertOk(*state, clFloatDownload(s, &uMu));
  assertOk(*state, txAmgApply(amg, z, p.b));
  assertOk(*state, clVectorDot(s, z, p.x));
  assertOk(*state, clFloatDownload(s, &vMu));
  assert_true(uMu > 0);
  assert_true(fabs((double)uMv - (double)vMu) <= 1e-4 * (double)uMu);
  txAmgDestroy(amg);
  clVectorDestroy(z);
  clFloatDestroy(s);
  problemDestroy(&p);
}

static void testErrors(void **state) {
  problem p = problemCreate(*state, convection(4, 4, 0, 0), NULL);
  clSolver *solver = NULL;
  assertFails(*state, clSolverCreate(&solver, p.matrix, &(clSolverOptions){.method = TEXLA_METHOD_AMG}),
              TEXLA_BAD_ARGUMENT, "A there");
  clTriplets *other = convection(3, 3, 0, 0);
  assertFails(*state, clSolverCreate(&solver, p.matrix, &(clSolverOptions){.method = TEXLA_METHOD_AMG, .host = other}),
              TEXLA_BAD_ARGUMENT, "A there");
  assert_null(solver);
  clTripletsDestroy(other);
  problemDestroy(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testProduct),           cmocka_unit_test(testInverse),
      cmocka_unit_test(testCoarsening),        cmocka_unit_test(testNothingToCoarsen),
      cmocka_unit_test(testIterationsStayFew), cmocka_unit_test(testOtherMethodsAndStorages),
      cmocka_unit_test(testSymmetric),         cmocka_unit_test(testErrors),
      cmocka_unit_test(testSmallGrid),
  };
  return cmocka_run_group_tests(tests, testContextCreate, testContextDestroy);
}
