/* Singular systems: what is out of reach is projected out, and "no x has a smaller residual" is
 * said only where it is so. */

#include "texla/io.h"
#include "texla/system.h"

#include "matrices.h"

#include "one_context.h"

enum { NX = 20, NY = 14, N = NX * NY };

/* -Laplace on a grid without boundary values, in `parts` that do not touch: the constant on each is
 * in the null space. */
static clTriplets *neumann(int parts) {
  clTriplets *A = emptyMatrix(N, N);
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      int32_t at = j * NX + i;
      double diagonal = 0;
      const int neighbour[4] = {at - 1, at + 1, at - NX, at + NX};
      const bool beside[4] = {i % (NX / parts) > 0, i + 1 < NX && (i + 1) % (NX / parts) > 0, j > 0,
                              j + 1 < NY};
      for (int k = 0; k < 4; k++)
        if (beside[k]) {
          CHECK(clTripletsAdd(A, at, neighbour[k], -1, NULL));
          diagonal += 1;
        }
      CHECK(clTripletsAdd(A, at, at, diagonal, NULL));
    }
  CHECK(clTripletsCompress(A, NULL));
  return A;
}

static double norm(const double *v) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += v[i] * v[i];
  return sqrt(sum);
}

/* ||A^T (b - A x)|| / ||b|| for a symmetric A. */
static double gradient(const clTriplets *A, const double *b, const double *x) {
  static double r[N], g[N];
  clTripletsMulVector(r, A, x);
  for (int i = 0; i < N; i++)
    r[i] = b[i] - r[i];
  clTripletsMulVector(g, A, r);
  return norm(g) / norm(b);
}

static void fillRandom(double *b, double mean) {
  uint64_t seed = 11;
  for (int i = 0; i < N; i++)
    b[i] = randomUnit(&seed) + mean;
}

static const clSolverOptions ways[] = {
    {.method = TEXLA_METHOD_CG},
    {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_JACOBI},
    {.method = TEXLA_METHOD_BICGSTAB},
    {.method = TEXLA_METHOD_GMRES},
    {.method = TEXLA_METHOD_MG, .grid_nx = NX, .grid_ny = NY},
    {.method = TEXLA_METHOD_AMG},
    {.method = TEXLA_METHOD_AUTO}};
enum { WAYS = sizeof ways / sizeof *ways };

static bool keepLeast(void *user, int64_t iteration, double residual) {
  double *least = user;
  (void)iteration;
  *least = fmin(*least, residual);
  return true;
}

/* All methods reach the least residual, and say so. */
static void testInconsistent(void **state) {
  static double b[N], x[N];
  OWN(clTriplets) *A = neumann(1);
  fillRandom(b, 0.3);
  double mean = 0;
  for (int i = 0; i < N; i++)
    mean += b[i] / N;
  for (int w = 0; w < WAYS; w++) {
    AT_END(clSystemReportClear) clSystemReport report = {0};
    memset(x, 0, sizeof x);
    double seen = 2;
    clSystemOptions options = {.solver = ways[w]};
    options.solver.monitor = keepLeast;
    options.solver.monitor_user = &seen;
    assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_NOT_CONVERGED);
    assert_int_equal(report.reason, TEXLA_REASON_INCONSISTENT);
    /* progress never tells what no x can reach */
    assert_true(seen >= report.residual * (1 - 1e-12));
    double least = fabs(mean) * sqrt(N) / norm(b);
    assert_true(report.residual >= least * (1 - 1e-12) && report.residual < least * (1 + 1e-6));
    assert_true(gradient(A, b, x) < 1e-4);
  }
}

/* b without a mean: solved to double accuracy. */
static void testConsistent(void **state) {
  static double b[N], x[N], y[N];
  OWN(clTriplets) *A = neumann(1);
  fillRandom(y, 0);
  clTripletsMulVector(b, A, y);
  for (int w = 0; w < WAYS; w++) {
    AT_END(clSystemReportClear) clSystemReport report = {0};
    memset(x, 0, sizeof x);
    clSystemOptions options = {.solver = ways[w], .refine = true};
    assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_OK);
    assert_true(report.residual <= 1e-12);
  }
}

/* Two pieces: the constant alone does not show what is out of reach, a null space that is given
 * does. */
static void testGivenNullSpace(void **state) {
  static double b[N], x[N], space[2 * N];
  OWN(clTriplets) *A = neumann(2);
  fillRandom(b, 0);
  double sum[2] = {0};
  for (int i = 0; i < N; i++) {
    int part = i % NX >= NX / 2;
    space[part * N + i] = 2;
    sum[part] += b[i];
  }
  /* no mean in all, but one in each piece */
  for (int i = 0; i < N; i++)
    b[i] -= sum[i % NX >= NX / 2] / (N / 2) + (i % NX >= NX / 2 ? 0.2 : -0.2);
  for (int w = 0; w < 4; w++) {
    clSystemReport report = {0};
    memset(x, 0, sizeof x);
    clSystemOptions options = {.solver = ways[w], .null_space = space, .null_count = 2};
    assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_NOT_CONVERGED);
    assert_int_equal(report.reason, TEXLA_REASON_INCONSISTENT);
    assert_true(fabs(report.residual - 0.2 * sqrt(N) / norm(b)) < 1e-6);
    clSystemReportClear(&report);
    /* unknown: no claim unless A^T r shows it */
    options.null_space = NULL;
    options.null_count = 0;
    memset(x, 0, sizeof x);
    assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_NOT_CONVERGED);
    if (report.reason == TEXLA_REASON_INCONSISTENT)
      assert_true(gradient(A, b, x) < 1e-6);
    clSystemReportClear(&report);
  }
  /* belongs to the other piece */
  space[N + 3] = 1;
  clSystemOptions wrong = {.null_space = space, .null_count = 2};
  assertFails(context, clSystemSolve(context, A, b, x, &wrong, NULL), TEXLA_BAD_ARGUMENT,
              "column 2 of null_space");
  wrong.null_count = 9;
  assertFails(context, clSystemSolve(context, A, b, x, &wrong, NULL), TEXLA_BAD_ARGUMENT,
              "null_count (9)");
}

/* A chain that is stiff at one end: far from solved, A^T r is small beside ||A|| ||r||, and yet a
 * better x exists. */
static void testNoFalseClaims(void **state) {
  static double b[N], x[N];
  OWN(clTriplets) *A = emptyMatrix(N, N);
  for (int i = 0; i < N; i++) {
    double stiffness = i < 3 ? 1e7 : 1;
    CHECK(clTripletsAdd(A, i, i, 2 * stiffness, NULL));
    if (i + 1 < N && i != 2) {
      CHECK(clTripletsAdd(A, i, i + 1, -stiffness, NULL));
      CHECK(clTripletsAdd(A, i + 1, i, -stiffness, NULL));
    }
  }
  CHECK(clTripletsCompress(A, NULL));
  for (int i = 0; i < N; i++)
    b[i] = i < 3 ? 0 : 1;
  for (int w = 0; w < 4; w++) {
    AT_END(clSystemReportClear) clSystemReport report = {0};
    memset(x, 0, sizeof x);
    clSystemOptions options = {.solver = ways[w]};
    options.solver.max_iterations = 4;
    assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_NOT_CONVERGED);
    assert_int_not_equal(report.reason, TEXLA_REASON_INCONSISTENT);
  }
}

/* One status for singular systems, whatever the method. */
static void testSingularDirectly(void **state) {
  double b[2] = {1, 2}, x[2] = {3, 4};
  clSystemReport report = {0};
  OWN(clTriplets) *A = emptyMatrix(2, 2);
  CHECK(clTripletsAdd(A, 0, 0, 1, NULL));
  CHECK(clTripletsAdd(A, 0, 1, 1, NULL));
  CHECK(clTripletsAdd(A, 1, 0, 1, NULL));
  CHECK(clTripletsAdd(A, 1, 1, 1, NULL));
  CHECK(clTripletsCompress(A, NULL));
  clSystemOptions options = {.solver.method = TEXLA_METHOD_PLU};
  assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_INCONSISTENT);
  assert_int_equal(report.rank, 1);
  assert_true(fabs(x[0] - 0.75) < 1e-15 && fabs(x[1] - 0.75) < 1e-15);
  clSystemReportClear(&report);
  /* the method that is named has the host's last word, too */
  x[0] = x[1] = 0;
  options.solver.method = TEXLA_METHOD_GMRES;
  assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_INCONSISTENT);
  clSystemReportClear(&report);
  options.solver.method = TEXLA_METHOD_CG;
  assert_int_equal(clSystemSolve(context, A, b, x, &options, NULL), TEXLA_NOT_CONVERGED);
}

/* Rows from 2^-30 to 2^30: the corrections make the scaled residual smaller, not the one that
 * counts. */
static void testNeverWorseThanTheStart(void **state) {
  static double b[N], x[N];
  static const clMethod methods[] = {TEXLA_METHOD_BICGSTAB, TEXLA_METHOD_GMRES, TEXLA_METHOD_PLU};
  for (int m = 0; m < 3; m++)
    for (int most = 1; most < 6; most++) {
      OWN(clTriplets) *A = poisson(NX, NY);
      AT_END(clSystemReportClear) clSystemReport report = {0};
      for (int64_t k = 0; k < A->count; k++)
        A->value[k] =
            ldexp(A->value[k] + (A->col[k] > A->row[k] ? 0.3 : 0), (A->row[k] * 7 % 61) - 30);
      fillRandom(b, 0);
      memset(x, 0, sizeof x);
      clSystemOptions options = {
          .solver = {.method = methods[m], .max_iterations = most, .tolerance = 1e-14}};
      assert_true(clSystemSolve(context, A, b, x, &options, &report) >= 0);
      assert_true(report.residual <= 1);
    }
}

static bool stopAtOnce(void *user, int64_t iteration, double residual) {
  assert_int_equal(iteration, 0);
  *(double *)user = residual;
  return false;
}

/* The monitor is asked while A is being factored, not only afterwards, when it would see the
 * residual of the start. */
static void testStopsAFactorization(void **state) {
  static double b[N], x[N];
  double seen = -1;
  AT_END(clSystemReportClear) clSystemReport report = {0};
  OWN(clTriplets) *A = poisson(NX, NY);
  fillRandom(b, 0);
  for (int i = 0; i < N; i++)
    x[i] = 2;
  clSystemOptions options = {
      .solver = {.method = TEXLA_METHOD_PLU, .monitor = stopAtOnce, .monitor_user = &seen}};
  assert_int_equal(clSystemSolve(context, A, b, x, &options, &report), TEXLA_NOT_CONVERGED);
  assert_int_equal(report.reason, TEXLA_REASON_STOPPED);
  assert_int_equal(report.iterations, 0);
  assert_true(seen == 1 && report.residual > 1.1);
  assert_true(x[0] == 2 && x[N - 1] == 2);
}

TEST_MAIN(setUp, testContextDestroy, testInconsistent, testConsistent, testGivenNullSpace,
          testNoFalseClaims, testSingularDirectly, testNeverWorseThanTheStart,
          testStopsAFactorization)
