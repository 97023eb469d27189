/* Multigrid and algebraic multigrid, as methods and as preconditioners, on systems that they cannot
 * solve: each ends with a reason of its own, what comes back is finite, and what was allocated on
 * the device is back. */
#include "problem.h"

enum { NX = 40, NY = 30, N = NX * NY };

static const clSolverOptions ways[] = {
    {.method = TEXLA_METHOD_MG},
    {.method = TEXLA_METHOD_AMG},
    {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_MG},
    {.method = TEXLA_METHOD_CG, .preconditioner = TEXLA_PRECONDITIONER_AMG},
    {.method = TEXLA_METHOD_BICGSTAB, .preconditioner = TEXLA_PRECONDITIONER_MG},
    {.method = TEXLA_METHOD_GMRES, .preconditioner = TEXLA_PRECONDITIONER_AMG},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Without a boundary condition: rows sum to zero. */
static clTriplets *neumann(int nx, int ny) {
  clTriplets *A = convection(nx, ny, 0, 0);
  for (int64_t k = 0; k < A->count; k++) {
    int i = A->row[k] % nx, j = A->row[k] / nx;
    if (A->row[k] == A->col[k])
      A->value[k] = (i > 0) + (i < nx - 1) + (j > 0) + (j < ny - 1);
  }
  return A;
}

/* A - shift I */
static clTriplets *shifted(double shift) {
  clTriplets *A = convection(NX, NY, 0, 0);
  for (int64_t k = 0; k < A->count; k++)
    A->value[k] -= A->row[k] == A->col[k] ? shift : 0;
  return A;
}

typedef struct outcome {
  clStatus status;
  clReason reason;
  double residual;
  int64_t iterations;
} outcome;

static outcome solve(clContext *context, const clTriplets *A, const double *b,
                     clSolverOptions way) {
  static double x[N];
  clSystemReport report = {0};
  size_t before = (size_t)clContextStatistics(context).bytes_used;
  memset(x, 0, sizeof x);
  way.grid_nx = way.grid_nx ? way.grid_nx : NX;
  way.grid_ny = way.grid_ny ? way.grid_ny : NY;
  way.max_iterations = 200;
  clStatus status = clSystemSolve(context, A, b, x, &(clSystemOptions){.solver = way}, &report);
  for (int i = 0; i < N; i++)
    assert_true(isfinite(x[i]));
  outcome o = {status, report.reason, report.residual, report.iterations};
  assert_true(isfinite(o.residual));
  /* the report tells the truth */
  if (status >= 0 && o.residual > 0)
    assert_true(fabs(clTripletsResidual(NULL, A, x, b) / sqrt(dot(b, b, N)) - o.residual) <=
                1e-3 * o.residual + 1e-14);
  clSystemReportClear(&report);
  assert_int_equal((size_t)clContextStatistics(context).bytes_used, before);
  return o;
}

static void fill(double *b, double mean) {
  uint64_t seed = 4;
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += b[i] = randomUnit(&seed);
  for (int i = 0; i < N; i++)
    b[i] += mean - sum / N;
}

static bool isMultigrid(const clSolverOptions *way) {
  return way->method == TEXLA_METHOD_MG || way->preconditioner == TEXLA_PRECONDITIONER_MG;
}

/* Singular is no harm while b has no mean; with one there is no solution. */
static void testSingular(void **state) {
  static double b[N];
  OWN(clTriplets) *A = neumann(NX, NY);
  for (int w = 0; w < WAYS; w++) {
    fill(b, 0);
    outcome good = solve(*state, A, b, ways[w]);
    assert_int_equal(good.reason, TEXLA_REASON_CONVERGED);
    assert_true(good.residual <= 1e-6);
    fill(b, 0.5);
    outcome bad = solve(*state, A, b, ways[w]);
    assert_int_equal(bad.status, TEXLA_NOT_CONVERGED);
    assert_int_equal(bad.reason, TEXLA_REASON_INCONSISTENT);
  }
}

/* Cycles grow; conjugate gradients say why; the other methods may take long, but are honest. */
static void testIndefinite(void **state) {
  /* a positive and a negative diagonal */
  static const double shift[] = {0.5, 6};
  static double b[N];
  fill(b, 0);
  for (int c = 0; c < 2; c++)
    for (int w = 0; w < WAYS; w++) {
      OWN(clTriplets) *A = shifted(shift[c]);
      outcome o = solve(*state, A, b, ways[w]);
      if (ways[w].method == TEXLA_METHOD_CG)
        assert_int_equal(o.reason, TEXLA_REASON_NOT_POSITIVE_DEFINITE);
      else if (ways[w].preconditioner == TEXLA_PRECONDITIONER_NONE)
        assert_true(o.reason == TEXLA_REASON_DIVERGED || o.reason == TEXLA_REASON_STAGNATED);
      else
        assert_true(o.reason != TEXLA_REASON_CONVERGED || o.residual <= 1e-6);
    }
}

static void testZeroDiagonal(void **state) {
  static double b[N];
  OWN(clTriplets) *A = convection(NX, NY, 0, 0);
  fill(b, 0);
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == 37 && A->col[k] == 37)
      A->value[k] = 0;
  for (int w = 0; w < WAYS; w++) {
    assert_int_equal(solve(*state, A, b, ways[w]).status, TEXLA_SINGULAR);
    assert_non_null(strstr(clContextError(*state)->message, "row 38"));
  }
}

/* A grid of another size, and one whose points are coupled otherwise; without a grid algebraic
 * multigrid does not mind the second. */
static void testGrids(void **state) {
  static double b[N];
  OWN(clTriplets) *A = convection(NX, NY, 0, 0);
  fill(b, 0);
  for (int w = 0; w < WAYS; w++) {
    clSolverOptions way = ways[w];
    way.grid_nx = 7;
    assert_int_equal(solve(*state, A, b, way).status, TEXLA_BAD_SHAPE);
    assert_non_null(strstr(clContextError(*state)->message, "7 x 30"));
    way.grid_nx = NY;
    way.grid_ny = NX;
    outcome o = solve(*state, A, b, way);
    if (isMultigrid(&way)) {
      assert_int_equal(o.status, TEXLA_BAD_SHAPE);
      assert_non_null(strstr(clContextError(*state)->message, "no neighbours"));
    } else {
      assert_int_equal(o.reason, TEXLA_REASON_CONVERGED);
    }
  }
}

static void testNotFinite(void **state) {
  static double b[N];
  OWN(clTriplets) *A = convection(NX, NY, 0, 0);
  fill(b, 0);
  b[5] = NAN;
  for (int w = 0; w < WAYS; w++)
    assert_int_equal(solve(*state, A, b, ways[w]).status, TEXLA_NOT_FINITE);
  b[5] = 1;
  /* not called unsymmetric or singular */
  A->value[1] = NAN;
  for (int w = 0; w < WAYS; w++) {
    assert_int_equal(solve(*state, A, b, ways[w]).status, TEXLA_NOT_FINITE);
    assert_non_null(strstr(clContextError(*state)->message, "entry (1, 2) of A is nan"));
  }
}

TEST_MAIN(testContextCreate, testContextDestroy, testSingular, testIndefinite, testZeroDiagonal,
          testGrids, testNotFinite)
