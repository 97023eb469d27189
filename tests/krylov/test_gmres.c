/* Restarted GMRES against the least squares problem that defines it, in double precision. */
#include "problem.h"

#include <lapacke.h>

/* GMRES(m) from x = 0 by its definition: x_k minimizes ||r_0 - A M K c|| over an orthonormal basis
 * K of the Krylov space, found with LAPACK; M is D^-1 when `jacobi`. residual[k] = ||r_k||, x after
 * `count` iterations. */
static void oracle(double *x, double *residual, const clTriplets *A, const float *b, bool jacobi,
                   int m, int count) {
  int64_t n = A->rows;
  size_t columns = (size_t)m * (size_t)n;
  double *K = calloc(columns + (size_t)n, sizeof *K), *Z = calloc(columns, sizeof *Z),
         *AZ = calloc(columns, sizeof *AZ), *work = calloc(columns, sizeof *work),
         *v = calloc((size_t)(3 * n), sizeof *v), *r = v + n, *d = r + n;
  for (int64_t k = 0; k < A->count; k++)
    if (A->row[k] == A->col[k])
      d[A->row[k]] = jacobi ? A->value[k] : 1;
  for (int64_t i = 0; i < n; i++)
    r[i] = (double)b[i];
  residual[0] = sqrt(dot(r, r, n));
  for (int k = 0; k < count; k++) {
    int j = k % m;
    double *q = K + j * n, norm;
    if (j == 0)
      memcpy(q, r, (size_t)n * sizeof *q);
    for (int twice = 0; twice < 2; twice++)
      for (int l = 0; l < j; l++) {
        double h = dot(K + l * n, q, n);
        for (int64_t i = 0; i < n; i++)
          q[i] -= h * K[l * n + i];
      }
    norm = sqrt(dot(q, q, n));
    for (int64_t i = 0; i < n; i++) {
      q[i] /= norm;
      Z[j * n + i] = q[i] / d[i];
    }
    clTripletsMulVector(AZ + j * n, A, Z + j * n);
    memcpy(K + (j + 1) * n, AZ + j * n, (size_t)n * sizeof *K);
    memcpy(work, AZ, (size_t)(j + 1) * (size_t)n * sizeof *work);
    memcpy(v, r, (size_t)n * sizeof *v);
    assert_int_equal(
        LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', (int)n, j + 1, 1, work, (int)n, v, (int)n), 0);
    residual[k + 1] = sqrt(dot(v + j + 1, v + j + 1, n - j - 1));
    for (int l = 0; l <= j && (j + 1 == m || k + 1 == count); l++)
      for (int64_t i = 0; i < n; i++) {
        x[i] += v[l] * Z[l * n + i];
        r[i] -= v[l] * AZ[l * n + i];
      }
  }
  free(K);
  free(Z);
  free(AZ);
  free(work);
  free(v);
}

static void checkAgainstOracle(clContext *context, clTriplets *A, clStorage storage, bool jacobi,
                               int m, int count) {
  AT_END(problemDestroy)
  problem p = problemCreate(context, A, &(clMatrixOptions){.storage = storage});
  double *x = calloc((size_t)p.n, sizeof *x), residual[64];
  oracle(x, residual, A, p.host_b, jacobi, m, count);
  clSolverOptions options = {.method = TEXLA_METHOD_GMRES,
                             .restart = m,
                             .max_iterations = count,
                             .tolerance = 1e-9,
                             .preconditioner =
                                 jacobi ? TEXLA_PRECONDITIONER_JACOBI : TEXLA_PRECONDITIONER_NONE};
  clSolver *solver = NULL;
  int64_t kept;
  assertOk(context, clSolverCreate(&solver, p.matrix, &options));
  assert_int_equal(clSolverSolve(solver, p.x, p.b, NULL), TEXLA_NOT_CONVERGED);
  const double *history = clSolverHistory(solver, &kept);
  assert_int_equal(kept, count + 1);
  for (int k = 0; k <= count; k++)
    assert_true(fabs(history[k] - residual[k]) <= 100 * eps * residual[0]);
  assertOk(context, clVectorDownload(p.x, p.host_x));
  assert_true(largestError(p.host_x, x, p.n) <= 500 * eps);
  clSolverDestroy(solver);
  assertOk(context, clVectorClear(p.x));
  problemIterate(&p, &options, count);
  assert_true(largestError(p.host_x, x, p.n) <= 500 * eps);
  free(x);
}

static void testFollowsTheDefinition(void **state) {
  static const int cycles[][2] = {{5, 4}, {5, 5}, {5, 6}, {1, 3}, {4, 13}, {12, 12}, {30, 21}};
  for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
    checkAgainstOracle(*state, convection(23, 17, 0.9, 0.4),
                       i % 2 ? TEXLA_STORAGE_SLOTS : TEXLA_STORAGE_AUTO, i % 3 == 0, cycles[i][0],
                       cycles[i][1]);
}

static void testConverges(void **state) {
  static const int sizes[][2] = {{1, 1}, {2, 1}, {5, 3}, {31, 18}, {64, 65}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    AT_END(problemDestroy)
    problem p = problemCreate(*state, convection(sizes[i][0], sizes[i][1], 0.7, 0.2), NULL);
    clSolverReport report =
        problemSolve(&p, &(clSolverOptions){.method = TEXLA_METHOD_GMRES,
                                            .tolerance = 1e-5,
                                            .preconditioner = TEXLA_PRECONDITIONER_JACOBI});
    assert_int_equal(report.reason, TEXLA_REASON_CONVERGED);
    assert_true(trueResidual(&p) <= 2e-5);
  }
}

/* A cyclic shift: no progress before the last of n steps. Zeros on the diagonal do not matter. */
static void testCyclicShift(void **state) {
  enum { N = 9 };
  for (int restart = N - 2; restart <= N; restart += 2) {
    double a[N * N] = {0};
    for (int i = 0; i < N; i++)
      a[i * N + (i + 1) % N] = 1;
    AT_END(problemDestroy) problem p = problemCreate(*state, matrixOf(N, a), NULL);
    assertOk(*state, clVectorUpload(p.b, (float[N]){1}));
    clSolverReport report = problemSolve(&p, &(clSolverOptions){.method = TEXLA_METHOD_GMRES,
                                                                .restart = restart,
                                                                .max_iterations = 500});
    assert_int_equal(report.reason, restart == N ? TEXLA_REASON_CONVERGED : TEXLA_REASON_STAGNATED);
    assert_true(report.iterations <= N);
  }
}

static void testFixedCountBeyondConvergence(void **state) {
  AT_END(problemDestroy) problem p = problemCreate(*state, convection(5, 4, 0.3, 0.1), NULL);
  problemIterate(&p, &(clSolverOptions){.method = TEXLA_METHOD_GMRES}, 200);
  assert_true(trueResidual(&p) <= 30 * eps);
}

static void testReasons(void **state) {
  const clMethod m = TEXLA_METHOD_GMRES;
  assert_int_equal(reasonOf(*state, matrixOf(2, (double[]){1, 1, 1, 1}), (float[]){1, -1}, m, NULL),
                   TEXLA_REASON_STAGNATED);
  assert_int_equal(
      reasonOf(*state, matrixOf(2, (double[]){2, 1, 0, 3}), (float[]){1, NAN}, m, NULL),
      TEXLA_REASON_NAN);
  assert_int_equal(reasonOf(*state, matrixOf(2, (double[]){2, 1, 0, 3}), (float[]){0, 0}, m, NULL),
                   TEXLA_REASON_CONVERGED);
  assert_int_equal(
      reasonOf(*state, matrixOf(2, (double[]){1e30, 1e30, 0, -1e30}), (float[]){1, 2}, m, NULL),
      TEXLA_REASON_NAN);
}

TEST_MAIN(testContextCreate, testContextDestroy, testFollowsTheDefinition, testConverges,
          testCyclicShift, testFixedCountBeyondConvergence, testReasons)
