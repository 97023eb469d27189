/* Weighted least squares against LAPACK in double, and the NIST regressions against their certified
 * coefficients. */
#include <cblas.h>
#include <ctype.h>

#include "gl/traits.h"
#include "common.h"
#include "texla/least_squares.h"

#include "one_context.h"

extern void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
                    double *b, const int *ldb, int *jpvt, const double *rcond, int *rank,
                    double *work, const int *lwork, int *info);

typedef struct problem {
  int m, n;
  /* a: row by row; d: NULL for ones; x: LAPACK's */
  double *a, *b, *d, *x;
  clTriplets *A;
} problem;

static void createTriplets(problem *p) {
  CHECK(clTripletsCreate(&p->A, p->m, p->n, (int64_t)p->m * p->n, NULL));
  for (int i = 0; i < p->m; i++)
    for (int j = 0; j < p->n; j++)
      if (p->a[i * p->n + j] != 0)
        CHECK(clTripletsAdd(p->A, i, j, p->a[i * p->n + j], NULL));
  CHECK(clTripletsCompress(p->A, NULL));
}

static void solveByLapack(problem *p) {
  int one = 1, rank, info, lwork = 64 * (p->m + p->n);
  int m = p->m, n = p->n, *pivots = calloc((size_t)n, sizeof *pivots);
  int larger = m > n ? m : n;
  double *a = malloc((size_t)(m * n) * sizeof *a), *b = calloc((size_t)larger, sizeof *b),
         rcond = 1e-15;
  FREED double *work = malloc((size_t)lwork * sizeof *work);
  for (int i = 0; i < m; i++) {
    double d = p->d ? p->d[i] : 1;
    b[i] = d * p->b[i];
    for (int j = 0; j < n; j++)
      a[j * m + i] = d * p->a[i * n + j];
  }
  dgelsy_(&m, &n, &one, a, &m, b, &larger, pivots, &rcond, &rank, work, &lwork, &info);
  assert_int_equal(info, 0);
  memcpy(p->x, b, (size_t)n * sizeof *b);
  free(pivots), free(a), free(b);
}

static problem randomProblem(int m, int n, double noise) {
  problem p = {.m = m, .n = n};
  uint64_t random = (uint64_t)(m * 1000 + n);
  p.a = malloc((size_t)(m * n) * sizeof *p.a);
  p.b = calloc((size_t)m, sizeof *p.b);
  p.x = malloc((size_t)n * sizeof *p.x);
  for (int i = 0; i < m * n; i++)
    p.a[i] = randomUnit(&random);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      p.b[i] += p.a[i * n + j] * (1 + j % 3);
  for (int i = 0; i < m; i++)
    p.b[i] += noise * randomUnit(&random);
  return p;
}

static void release(problem *p) {
  free(p->a), free(p->b), free(p->d), free(p->x);
  clTripletsDestroy(p->A);
}

static double distance(const double *x, const double *y, int n) {
  double sum = 0, size = 0;
  for (int i = 0; i < n; i++) {
    sum += (x[i] - y[i]) * (x[i] - y[i]);
    size += y[i] * y[i];
  }
  return size > 0 ? sqrt(sum / size) : sqrt(sum);
}

static clLeastSquaresReport solveOnce(const problem *p, clLeastSquaresMethod method, double *x) {
  OWN(clLeastSquares) *s = NULL;
  clLeastSquaresReport report = {0};
  clLeastSquaresOptions o = {.method = method};
  CHECK(clLeastSquaresCreate(&s, context, p->A, &o));
  if (p->d)
    CHECK(clLeastSquaresWeigh(s, p->d));
  clStatus status = clLeastSquaresSolve(s, x, p->b, &report);
  /* what no residual in long double tells apart */
  bool hopeless = status == TEXLA_NOT_CONVERGED && report.condition > 1e8;
  if (status && !hopeless)
    fail_msg("%s: status %d (%s), %s after %d (%d) corrections, the last %g of x",
             clLeastSquaresMethodName(method), (int)status, clContextError(context)->message,
             clReasonText(report.reason), report.iterations, report.gradient_iterations,
             report.error_estimate);
  return report;
}

static void assertSolution(problem *p, const char *name, double tolerance, bool any_method) {
  static const clLeastSquaresMethod methods[] = {TEXLA_LEAST_SQUARES_CHOLESKY,
                                                 TEXLA_LEAST_SQUARES_QR, TEXLA_LEAST_SQUARES_AUTO};
  FREED double *x = malloc((size_t)p->n * sizeof *x);
  createTriplets(p);
  solveByLapack(p);
  for (int t = any_method ? 0 : 1; t < 3; t++) {
    clLeastSquaresReport r = solveOnce(p, methods[t], x);
    double error = distance(x, p->x, p->n);
    if (!(error <= tolerance))
      fail_msg("%s, %d x %d, %s: error %g after %d (%d) iterations", name, p->m, p->n,
               clLeastSquaresMethodName(methods[t]), error, r.iterations, r.gradient_iterations);
    assert_int_equal(r.rank, p->n);
    assert_int_equal(r.reason, TEXLA_REASON_CONVERGED);
    /* good factors need no more than plain refinement */
    if (r.condition < 100)
      assert_int_equal(r.gradient_iterations, 0);
    assert_true(r.error_estimate >= 0 && r.error_estimate < (r.condition < 1e4 ? 1e-6 : 1e-2));
  }
}

static void solutionsAgreeWithLapack(void **state) {
  static const int shapes[][2] = {{1, 1},   {3, 1},   {2, 2},    {9, 5},
                                  {40, 40}, {67, 30}, {200, 66}, {520, 129}};
  for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++) {
    AT_END(release) problem p = randomProblem(shapes[s][0], shapes[s][1], 0.5);
    assertSolution(&p, "random", p.m == p.n ? 1e-10 : 1e-12, true);
  }
}

/* Squares of weights over eight orders of magnitude, as the paper's second table has them, and over
 * sixteen; some are zero. */
static void weights(void **state) {
  static const double of_orders[] = {4, 8, 0.5}, tolerances[] = {1e-10, 1e-7, 1e-10};
  for (int t = 0; t < 5; t++) {
    AT_END(release) problem p = randomProblem(160, 60, 0.5);
    double orders = of_orders[t / 2], tolerance = tolerances[t / 2];
    p.d = malloc((size_t)p.m * sizeof *p.d);
    for (int i = 0; i < p.m; i++)
      p.d[i] = t % 2 && i % 3 == 0 ? 0 : 1e3 * pow(10, orders * ((double)i / (p.m - 1) - 0.5));
    assertSolution(&p, t % 2 ? "zero weights" : "weights", tolerance, t / 2 != 1);
  }
}

/* The size of all weights together changes neither x nor what is said of its error. */
static void sizesOfWeights(void **state) {
  static const double sizes[] = {1, 1e-162, 1e-40, 1e-20, 1e20, 1e40, 1e154, 1e300};
  AT_END(release) problem p = randomProblem(70, 12, 0.5);
  double x[12], estimate[3] = {0}, residual[3] = {0};
  createTriplets(&p);
  p.d = malloc((size_t)p.m * sizeof *p.d);
  for (int i = 0; i < p.m; i++)
    p.d[i] = 1 + i % 3;
  solveByLapack(&p);
  for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++)
    for (int method = 0; method < 3; method++) {
      for (int i = 0; i < p.m; i++)
        p.d[i] = sizes[k] * (1 + i % 3);
      clLeastSquaresReport r = solveOnce(&p, (clLeastSquaresMethod)method, x);
      double error = distance(x, p.x, p.n);
      if (k == 0) {
        estimate[method] = r.error_estimate;
        residual[method] = r.residual_norm;
      }
      assert_true(error < 1e-13);
      assert_true(r.error_estimate < 100 * estimate[method] && 100 * r.error_estimate > error);
      assert_true(fabs(r.residual_norm / sizes[k] / residual[method] - 1) < 1e-12);
    }
}

/* (A^T D^2 A) x = g with weights whose squares no double holds all of. */
static void sizesOfNormalEquations(void **state) {
  AT_END(release) problem p = randomProblem(30, 5, 0);
  double x[5], one[5] = {0}, g[5] = {1, -2, 3, 0.5, 2};
  createTriplets(&p);
  p.d = malloc((size_t)p.m * sizeof *p.d);
  static const double sizes[] = {1, 0x1p-100, 0x1p100};
  for (int k = 0; k < 3; k++) {
    double size = sizes[k];
    OWN(clLeastSquares) *s = NULL;
    for (int i = 0; i < p.m; i++)
      p.d[i] = size * (1 + i % 2);
    CHECK(clLeastSquaresCreate(&s, context, p.A, NULL));
    CHECK(clLeastSquaresWeigh(s, p.d));
    CHECK(clLeastSquaresSolveNormal(s, x, g, NULL));
    for (int j = 0; j < p.n; j++) {
      if (k == 0)
        one[j] = x[j];
      assert_true(fabs(x[j] * size * size - one[j]) <= 1e-12 * fabs(one[j]));
    }
  }
}

/* The solution in long double, by Gram and Schmidt, each column twice. */
static void solveInLongDouble(problem *p) {
  int m = p->m, n = p->n;
  long double *q = malloc((size_t)(m * n) * sizeof *q), *r = calloc((size_t)(n * n), sizeof *r);
  for (int k = 0; k < m * n; k++)
    q[k] = (long double)p->a[k];
  for (int j = 0; j < n; j++) {
    long double length = 0;
    for (int k = 0; k < 2 * j; k++) {
      long double along = 0;
      for (int i = 0; i < m; i++)
        along += q[i * n + k % j] * q[i * n + j];
      r[k % j * n + j] += along;
      for (int i = 0; i < m; i++)
        q[i * n + j] -= along * q[i * n + k % j];
    }
    for (int i = 0; i < m; i++)
      length += q[i * n + j] * q[i * n + j];
    r[j * n + j] = sqrtl(length);
    for (int i = 0; i < m; i++)
      q[i * n + j] /= r[j * n + j];
  }
  for (int j = n - 1; j >= 0; j--) {
    long double sum = 0;
    for (int i = 0; i < m; i++)
      sum += q[i * n + j] * (long double)p->b[i];
    for (int k = j + 1; k < n; k++)
      sum -= r[j * n + k] * (long double)p->x[k];
    p->x[j] = (double)(sum / r[j * n + j]);
  }
  free(q);
  free(r);
}

/* Singular values over some decades and a residual that no x makes small, as illc1033 has them:
 * what is said to have converged has, also in directions that gradients hardly see. */
static void gradedSingularValues(void **state) {
  for (int decades = 2; decades <= 5; decades++) {
    AT_END(release) problem p = randomProblem(300, 60, 0);
    int n = p.n;
    uint64_t random = 53;
    double x[60], *left = malloc((size_t)(p.m * n) * sizeof *left), right[60 * 60];
    memcpy(left, p.a, (size_t)(p.m * n) * sizeof *left);
    for (int k = 0; k < n * n; k++)
      right[k] = randomUnit(&random);
    for (int i = 0; i < p.m; i++)
      for (int j = 0; j < n; j++) {
        p.a[i * n + j] = 0;
        for (int k = 0; k < n; k++)
          p.a[i * n + j] += left[i * n + k] * pow(10, -decades * k / (n - 1.0)) * right[k * n + j];
      }
    for (int i = 0; i < p.m; i++)
      p.b[i] += 0.1 * randomUnit(&random);
    createTriplets(&p);
    solveInLongDouble(&p);
    clLeastSquaresReport r = solveOnce(&p, TEXLA_LEAST_SQUARES_AUTO, x);
    double error = distance(x, p.x, n);
    print_message("10^-%d: %s after %d (%d) corrections, error %.2g, estimate %.2g\n", decades,
                  clReasonText(r.reason), r.iterations, r.gradient_iterations, error,
                  r.error_estimate);
    assert_true(error < 1e-11 && r.iterations < 30);
    free(left);
  }
}

/* Nearly dependent columns: Cholesky in single precision gives up, auto takes QR. */
static void illConditioned(void **state) {
  AT_END(release) problem p = randomProblem(80, 12, 0.01);
  double *x = malloc((size_t)p.n * sizeof *x);
  for (int i = 0; i < p.m; i++)
    p.a[i * p.n + 7] = p.a[i * p.n + 2] + p.a[i * p.n + 3] + 1e-9 * p.a[i * p.n + 7];
  createTriplets(&p);
  solveByLapack(&p);
  clLeastSquaresReport r = solveOnce(&p, TEXLA_LEAST_SQUARES_AUTO, x);
  assert_int_equal(r.rank, p.n);
  assert_true(distance(x, p.x, p.n) < 1e-5);
  free(x);
}

/* A column that depends on others does not count: the rank says so, and the residual is the
 * smallest there is. */
static void rankDeficient(void **state) {
  AT_END(release) problem p = randomProblem(50, 9, 0.3);
  double *x = malloc((size_t)p.n * sizeof *x), sum[2] = {0};
  for (int i = 0; i < p.m; i++) {
    p.a[i * p.n + 4] = 2 * p.a[i * p.n + 1] - p.a[i * p.n + 8];
    p.a[i * p.n + 6] = 0;
  }
  createTriplets(&p);
  solveByLapack(&p);
  clLeastSquaresReport r = solveOnce(&p, TEXLA_LEAST_SQUARES_AUTO, x);
  assert_int_equal(r.rank, p.n - 2);
  assert_int_equal(r.method, TEXLA_LEAST_SQUARES_QR);
  assert_true(x[6] == 0);
  for (int i = 0; i < p.m; i++) {
    double e[2] = {p.b[i], p.b[i]};
    for (int j = 0; j < p.n; j++) {
      e[0] -= p.a[i * p.n + j] * x[j];
      e[1] -= p.a[i * p.n + j] * p.x[j];
    }
    sum[0] += e[0] * e[0];
    sum[1] += e[1] * e[1];
  }
  assert_true(fabs(sqrt(sum[0] / sum[1]) - 1) < 1e-12);
  assert_true(fabs(r.residual_norm / sqrt(sum[0]) - 1) < 1e-12);
  clLeastSquares *s = NULL;
  clLeastSquaresOptions o = {.method = TEXLA_LEAST_SQUARES_CHOLESKY};
  CHECK(clLeastSquaresCreate(&s, context, p.A, &o));
  assertFails(context, clLeastSquaresSolve(s, x, p.b, NULL), TEXLA_SINGULAR,
              "not positive definite");
  clLeastSquaresDestroy(s);
  free(x);
}

/* Other weights on the device: nothing is uploaded, and the solution is that for them. (Panels that
 * the host factors would come back.) */
static void reweighting(void **state) {
  AT_END(release) problem p = randomProblem(90, 31, 0.5);
  double *x = malloc((size_t)p.n * sizeof *x);
  clLeastSquares *s = NULL;
  clVector *d = NULL;
  p.d = malloc((size_t)p.m * sizeof *p.d);
  createTriplets(&p);
  CHECK(clLeastSquaresCreate(&s, context, p.A, NULL));
  CHECK(clVectorCreate(&d, context, p.m));
  CHECK(clLeastSquaresSolve(s, x, p.b, NULL));
  for (int t = 1; t < 4; t++) {
    clLeastSquaresReport report;
    CHECK(clVectorFill(d, 0.25f * (float)t));
    for (int i = 0; i < p.m; i++)
      p.d[i] = 0.25 * t;
    int64_t before = clContextStatistics(context).uploads;
    CHECK(clLeastSquaresWeighVector(s, d));
    CHECK(clLeastSquaresSolve(s, x, p.b, &report));
    assert_int_equal(clContextStatistics(context).uploads, before);
    solveByLapack(&p);
    assert_true(distance(x, p.x, p.n) < 1e-12);
    assert_true(report.seconds_assemble > 0 && report.seconds_factor > 0);
  }
  for (int i = 0; i < p.m; i++)
    p.d[i] = 1 + i % 5;
  CHECK(clLeastSquaresWeigh(s, p.d));
  CHECK(clLeastSquaresSolve(s, x, p.b, NULL));
  solveByLapack(&p);
  assert_true(distance(x, p.x, p.n) < 1e-12);
  clLeastSquaresDestroy(s), clVectorDestroy(d);
  free(x);
}

/* (A^T D^2 A) x = g for a g that is no A^T D^2 b of ours. */
static void normalEquations(void **state) {
  AT_END(release) problem p = randomProblem(70, 20, 0);
  double *x = malloc((size_t)p.n * sizeof *x), *g = calloc((size_t)p.n, sizeof *g), worst = 0;
  clLeastSquares *s = NULL;
  createTriplets(&p);
  for (int j = 0; j < p.n; j++)
    g[j] = j - 7.5;
  CHECK(clLeastSquaresCreate(&s, context, p.A, NULL));
  CHECK(clLeastSquaresSolveNormal(s, x, g, NULL));
  for (int j = 0; j < p.n; j++) {
    double r = g[j];
    for (int i = 0; i < p.m; i++)
      for (int k = 0; k < p.n; k++)
        r -= p.a[i * p.n + j] * p.a[i * p.n + k] * x[k];
    worst = fmax(worst, fabs(r));
  }
  assert_true(worst < 1e-11);
  clLeastSquaresDestroy(s);
  free(x), free(g);
}

/* Fewer observations than unknowns: the shortest solution, that of dgelsy; of A on the device, too,
 * which is not uploaded then. */
static void shortestSolutions(void **state) {
  static const int shapes[][2] = {{1, 3}, {7, 20}, {66, 67}, {40, 131}};
  for (int t = 0; t < 4; t++) {
    AT_END(release) problem p = randomProblem(shapes[t][0], shapes[t][1], 0);
    double *x = malloc((size_t)p.n * sizeof *x);
    createTriplets(&p);
    solveByLapack(&p);
    for (int method = 0; method < 3; method++) {
      clLeastSquaresReport r = solveOnce(&p, (clLeastSquaresMethod)method, x);
      if (!(distance(x, p.x, p.n) < 1e-10) || !(r.residual_norm < 1e-10))
        fail_msg("%d x %d, method %d: error %g, residual %g", p.m, p.n, method,
                 distance(x, p.x, p.n), r.residual_norm);
      assert_int_equal(r.rank, p.m);
    }
    free(x);
  }
}

/* Rows that depend on each other: b belongs to A, or it does not. LAPACK's solution is the shortest
 * with the least residual. */
static void dependentRows(void **state) {
  static const int shapes[][2] = {{2, 3}, {7, 20}, {30, 31}, {40, 90}, {3, 3000}};
  for (int t = 0; t < 5; t++)
    for (int fits = 0; fits < 2; fits++) {
      AT_END(release) problem p = randomProblem(shapes[t][0], shapes[t][1], 0);
      double *x = malloc((size_t)p.n * sizeof *x);
      for (int i = p.m - 1; i >= (p.m + 1) / 2; i--) {
        for (int j = 0; j < p.n; j++)
          p.a[i * p.n + j] = (1 + i % 3) * p.a[(p.m - 1 - i) * p.n + j];
        p.b[i] = fits ? (1 + i % 3) * p.b[p.m - 1 - i] : p.b[i] + 1;
      }
      createTriplets(&p);
      solveByLapack(&p);
      double least = clTripletsResidual(NULL, p.A, p.x, p.b);
      for (int method = 0; method < 3; method++) {
        if (method == TEXLA_LEAST_SQUARES_CHOLESKY)
          continue;
        clLeastSquaresReport r = solveOnce(&p, (clLeastSquaresMethod)method, x);
        if (!(distance(x, p.x, p.n) < 1e-10) || !(fabs(r.residual_norm - least) < 1e-10))
          fail_msg("%d x %d, method %d: error %g, residual %g, least %g", p.m, p.n, method,
                   distance(x, p.x, p.n), r.residual_norm, least);
        assert_int_equal(r.reason, TEXLA_REASON_CONVERGED);
      }
      free(x);
    }
}

static void matricesOnTheDevice(void **state) {
  for (int wide = 0; wide < 2; wide++) {
    int m = 50, n = 21;
    swapIf(wide, &m, &n);
    AT_END(release) problem p = randomProblem(m, n, 0.5);
    double *x = malloc((size_t)p.n * sizeof *x), *y = malloc((size_t)p.n * sizeof *y);
    float *a = malloc((size_t)(p.m * p.n) * sizeof *a);
    for (int e = 0; e < p.m * p.n; e++)
      p.a[e] = (double)(a[e] = (float)p.a[e]);
    createTriplets(&p);
    solveOnce(&p, TEXLA_LEAST_SQUARES_AUTO, y);
    clDense *A = NULL;
    clLeastSquares *s = NULL;
    CHECK(clDenseCreate(&A, context, p.m, p.n));
    CHECK(clDenseUpload(A, a, p.n));
    int64_t before = clContextStatistics(context).uploads;
    CHECK(clLeastSquaresCreateDense(&s, A, NULL));
    /* it was copied */
    CHECK(clDenseFill(A, 7));
    CHECK(clLeastSquaresSolve(s, x, p.b, NULL));
    /* the powers of two that scale it */
    assert_true(clContextStatistics(context).uploads - before <= 2);
    assert_true(distance(x, y, p.n) < 1e-12);
    clLeastSquaresDestroy(s), clDenseDestroy(A);
    free(x), free(y), free(a);
  }
  clLeastSquares *s = NULL;
  assert_int_equal(clLeastSquaresCreateDense(&s, NULL, NULL), TEXLA_BAD_ARGUMENT);
}

static void wrongArgumentsAreErrors(void **state) {
  clLeastSquares *s = NULL;
  clVector *d = NULL;
  double x[3], b[4] = {1, 2, NAN, 4};
  problem wide = randomProblem(2, 3, 0), p = randomProblem(4, 3, 0);
  createTriplets(&wide), createTriplets(&p);
  CHECK(clVectorCreate(&d, context, 3));
  CHECK(clLeastSquaresCreate(&s, context, wide.A, NULL));
  assertFails(context, clLeastSquaresWeigh(s, NULL), TEXLA_BAD_SHAPE, "fewer observations");
  assertFails(context, clLeastSquaresSolveNormal(s, x, x, NULL), TEXLA_BAD_SHAPE,
              "A^T A is singular");
  clLeastSquaresDestroy(s);
  assertFails(context, clLeastSquaresCreate(&s, context, NULL, NULL), TEXLA_BAD_ARGUMENT,
              "A must not be NULL");
  assertFails(context,
              clLeastSquaresCreate(&s, context, p.A, &(clLeastSquaresOptions){.tolerance = -1}),
              TEXLA_BAD_ARGUMENT, "tolerance (-1)");
  CHECK(clLeastSquaresCreate(&s, context, p.A, NULL));
  assertFails(context, clLeastSquaresSolve(s, x, b, NULL), TEXLA_NOT_FINITE, "element 3");
  assertFails(context, clLeastSquaresSolve(s, NULL, b, NULL), TEXLA_BAD_ARGUMENT, "NULL");
  assertFails(context, clLeastSquaresWeigh(s, b), TEXLA_NOT_FINITE, "weight 3");
  assertFails(context, clLeastSquaresWeighVector(s, d), TEXLA_BAD_SHAPE, "4 observations");
  assert_int_equal(clLeastSquaresSolve(NULL, x, b, NULL), TEXLA_BAD_ARGUMENT);
  assert_string_equal(clLeastSquaresMethodName(TEXLA_LEAST_SQUARES_QR), "qr");
  clLeastSquaresDestroy(s), clVectorDestroy(d);
  release(&wide), release(&p);
}

/* ---- NIST ------------------------------------------------------------------------------------ */

static FILE *openNist(const char *name, const char *what) {
  char path[512];
  const char *folder = getenv("TEXLA_DATA_DIR");
  snprintf(path, sizeof path, "%s/nist/%s%s.csv",
           folder ? folder : TEXLA_SOURCE_DIR "/../shared/data", name, what);
  return fopen(path, "r");
}

/* Lines of numbers behind the comments and the heading; the first field of a line may be a name. */
static int readNumbers(FILE *file, double *values, int per_line) {
  char line[1024];
  /* the heading */
  int lines = -1;
  while (fgets(line, sizeof line, file)) {
    char *at = line;
    if (*line == '#' || !strchr(line, ',') ||
        (lines >= 0 && isalpha((unsigned char)*line) && *line != 'B'))
      continue;
    if (lines >= 0)
      for (int k = 0; k < per_line; k++) {
        if (isalpha((unsigned char)*at))
          at = strchr(at, ',') + 1;
        values[lines * per_line + k] = strtod(at, &at);
        at += *at == ',';
      }
    lines++;
  }
  return lines;
}

typedef struct nist {
  const char *name;
  /* columns of x; of a polynomial in the only one */
  int variables, degree;
  bool constant;
  double digits;
} nist;

static void assertNist(const nist *t, int method) {
  double raw[100 * 8], certified[2 * 12], x[12], worst = INFINITY;
  FILE *data = openNist(t->name, ""), *values = openNist(t->name, "_certified");
  if (!data || !values)
    testSkip("no certified values (TEXLA_DATA_DIR)");
  AT_END(release)
  problem p = {.m = readNumbers(data, raw, 1 + t->variables),
               .n = readNumbers(values, certified, 2)};
  fclose(data), fclose(values);
  p.a = malloc((size_t)(p.m * p.n) * sizeof *p.a);
  p.b = malloc((size_t)p.m * sizeof *p.b);
  for (int i = 0; i < p.m; i++) {
    const double *row = raw + (1 + t->variables) * i;
    p.b[i] = row[0];
    for (int j = 0; j < p.n; j++) {
      int power = j + !t->constant;
      if (t->degree)
        p.a[i * p.n + j] = pow(row[1], power);
      else
        p.a[i * p.n + j] = power == 0 ? 1 : row[power];
    }
  }
  createTriplets(&p);
  clLeastSquaresReport r = solveOnce(&p, (clLeastSquaresMethod)method, x);
  for (int j = 0; j < p.n; j++)
    worst = fmin(worst, -log10(fabs(x[j] - certified[2 * j]) / fabs(certified[2 * j]) + 1e-17));
  print_message("%-9s %-8s rank %d, condition %.1e, %d corrections, %d by gradients: %.1f digits\n",
                t->name, clLeastSquaresMethodName(r.method), r.rank, r.condition, r.iterations,
                r.gradient_iterations, worst);
  if (!(worst >= t->digits))
    fail_msg("%s, %s: %.2f digits, not %.1f", t->name, clLeastSquaresMethodName(r.method), worst,
             t->digits);
}

static void nistRegressions(void **state) {
  static const nist list[] = {
      {"Norris", 1, 1, true, 8},   {"Pontius", 1, 2, true, 8},  {"NoInt1", 1, 1, false, 8},
      {"NoInt2", 1, 1, false, 8},  {"Longley", 6, 0, true, 8},  {"Wampler1", 1, 5, true, 8},
      {"Wampler2", 1, 5, true, 8}, {"Wampler3", 1, 5, true, 8}, {"Wampler4", 1, 5, true, 8},
      {"Wampler5", 1, 5, true, 8}, {"Filip", 1, 10, true, 6}};
  for (int k = 0; k < (int)(sizeof list / sizeof *list); k++) {
    assertNist(&list[k], TEXLA_LEAST_SQUARES_AUTO);
    assertNist(&list[k], TEXLA_LEAST_SQUARES_QR);
  }
}

static int panelsOnDevice(void **state) {
  int failed = setUp(state);
  ((txTraits *)(uintptr_t)txContextTraits(*state))->panels_on_host = 0;
  return failed;
}

TEST_MAIN(panelsOnDevice, testContextDestroy, solutionsAgreeWithLapack, weights, sizesOfWeights,
          sizesOfNormalEquations, gradedSingularValues, illConditioned, rankDeficient, reweighting,
          normalEquations, shortestSolutions, dependentRows, matricesOnTheDevice,
          wrongArgumentsAreErrors, nistRegressions)
