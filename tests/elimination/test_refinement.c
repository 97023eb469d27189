/* Refinement to double with factors that are good, poor and of another matrix: PLU, Cholesky,
 * Crout; estimates of norms. */
#include <lapacke.h>

#include "dense.h"
#include "elimination/norm_estimate.h"
#include "texla/cholesky.h"
#include "texla/crout.h"

#include "one_context.h"

enum { N = 61, COLUMNS = 5 };

/* Random and symmetric, `dominance` on the diagonal; rounded to single precision, so that device
 * and host have the same. */
static float *matrix(double dominance, uint64_t seed) {
  float *a = malloc(sizeof *a * N * N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      a[i * N + j] = a[j * N + i] = (float)(randomUnit(&seed) + (i == j ? dominance : 0));
  return a;
}

static clTriplets *tripletsOf(const float *a) {
  clTriplets *T = NULL;
  CHECK(clTripletsCreate(&T, N, N, N * N, NULL));
  for (int e = 0; e < N * N; e++)
    CHECK(clTripletsAdd(T, e / N, e % N, (double)a[e], NULL));
  CHECK(clTripletsCompress(T, NULL));
  return T;
}

typedef struct problem {
  clTriplets *A;
  double b[N * COLUMNS], x[N * COLUMNS], exact[N * COLUMNS];
} problem;

/* One column is zero, and the others are of very different sizes. */
static void create(problem *p, const float *a) {
  uint64_t seed = 5;
  p->A = tripletsOf(a);
  for (int e = 0; e < N * COLUMNS; e++) {
    p->exact[e] = e / N == 3 ? 0 : ldexp(randomUnit(&seed), 300 * (e / N) - 500);
    p->x[e] = 0;
  }
  for (int k = 0; k < COLUMNS; k++)
    clTripletsMulVector(p->b + N * k, p->A, p->exact + N * k);
}

static void assertSolved(const problem *p, const clRefineReport *reports, double tolerance,
                         int most) {
  for (int k = 0; k < COLUMNS; k++) {
    double error = 0, size = 0;
    for (int i = N * k; i < N * (k + 1); i++) {
      error = fmax(error, fabs(p->x[i] - p->exact[i]));
      size = fmax(size, fabs(p->exact[i]));
    }
    if (!(error <= tolerance * size) || reports[k].iterations > most ||
        !(reports[k].backward_error <= 1e-15))
      fail_msg("column %d: error %g of %g, backward %g after %d corrections", k, error, size,
               reports[k].backward_error, reports[k].iterations);
    assert_true(reports[k].forward_error * size >= 0.1 * error);
  }
  assert_int_equal(reports[3].iterations, 0);
}

/* All columns at once: a correction is one upload, however many there are. */
static void allColumnsAtOnce(void **state) {
  FREED float *a = matrix(0, 3);
  clDense *A = denseUpload(context, a, N, N);
  problem p;
  clPlu *plu = NULL;
  clRefineReport reports[COLUMNS];
  create(&p, a);
  CHECK(clPluCreate(&plu, context, N, N, NULL));
  CHECK(clPluFactor(plu, A, NULL));
  int64_t before = clContextStatistics(context).uploads;
  CHECK(clPluRefineMany(plu, TEXLA_TRANSPOSE, p.A, COLUMNS, p.x, p.b, NULL, NULL));
  assert_true(clContextStatistics(context).uploads - before < 2 * 6);
  for (int i = 0; i < N * COLUMNS; i++)
    p.x[i] = 0;
  CHECK(clPluRefineMany(plu, TEXLA_NO_TRANSPOSE, p.A, COLUMNS, p.x, p.b, NULL, reports));
  assertSolved(&p, reports, 1e-11, 6);
  clDenseDestroy(A), clPluDestroy(plu), clTripletsDestroy(p.A);
}

/* The factors are those of another matrix, and plain refinement would diverge. */
static void poorFactors(void **state) {
  FREED float *a = matrix(12, 3), *other = matrix(12, 3), *noise = matrix(0, 9);
  for (int e = 0; e < N * N; e++)
    other[e] += (e / N < 3 || e % N < 3 ? 2.0f : 0.0f) * noise[e];
  clDense *A = denseUpload(context, other, N, N);
  problem p;
  clPlu *plu = NULL;
  clCrout *crout = NULL;
  clRefineReport reports[COLUMNS];
  create(&p, a);
  CHECK(clPluCreate(&plu, context, N, N, NULL));
  CHECK(clPluFactor(plu, A, NULL));
  CHECK(clPluRefineMany(plu, TEXLA_NO_TRANSPOSE, p.A, COLUMNS, p.x, p.b,
                        &(clRefineOptions){.max_iterations = 100}, reports));
  assertSolved(&p, reports, 1e-12, 60);
  assert_true(reports[0].iterations > 6);
  for (int i = 0; i < N * COLUMNS; i++)
    p.x[i] = 0;
  CHECK(clCroutCreate(&crout, context, N, NULL));
  CHECK(clCroutFactor(crout, A, NULL));
  CHECK(clCroutRefine(crout, TEXLA_TRANSPOSE, p.A, COLUMNS, p.x, p.b,
                      &(clRefineOptions){.max_iterations = 100}, reports));
  assertSolved(&p, reports, 1e-12, 60);
  clDenseDestroy(A), clPluDestroy(plu), clCroutDestroy(crout), clTripletsDestroy(p.A);
}

static void croutRefines(void **state) {
  FREED float *a = matrix(20, 7);
  /* not symmetric */
  for (int i = 0; i < N; i++)
    a[i * N + (i + 7) % N] += 3;
  OWN(clDense) *A = denseUpload(context, a, N, N);
  OWN(clCrout) *crout = NULL;
  CHECK(clCroutCreate(&crout, context, N, NULL));
  for (int turned = 0; turned < 2; turned++) {
    problem p;
    clRefineReport reports[COLUMNS];
    create(&p, a);
    assertFails(context, clCroutRefine(crout, TEXLA_NO_TRANSPOSE, p.A, 0, p.x, p.b, NULL, NULL),
                TEXLA_BAD_ARGUMENT, turned ? "count (0)" : "clCroutFactor must have gone well");
    CHECK(clCroutFactor(crout, A, NULL));
    clTriplets *T = NULL;
    CHECK(clTripletsTranspose(&T, p.A, NULL));
    for (int k = 0; k < COLUMNS && turned; k++)
      clTripletsMulVector(p.b + N * k, T, p.exact + N * k);
    CHECK(clCroutRefine(crout, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, p.A, COLUMNS, p.x,
                        p.b, NULL, reports));
    assertSolved(&p, reports, 1e-12, 4);
    clTripletsDestroy(T), clTripletsDestroy(p.A);
  }
}

/* A shifted by a tenth of its smallest eigenvalues' size: the factor of a good matrix refines one
 * that single precision could not factor. */
static void choleskyOfAnotherMatrix(void **state) {
  FREED float *a = matrix(16, 11), *shifted = malloc(sizeof *a * N * N);
  for (int e = 0; e < N * N; e++)
    shifted[e] = a[e] + (e / N == e % N && e / N % 3 ? 30.0f : 0.0f);
  clDense *A = denseUpload(context, shifted, N, N);
  problem p;
  clCholesky *c = NULL;
  clRefineReport report;
  create(&p, a);
  CHECK(clCholeskyCreate(&c, context, N, &(clCholeskyOptions){.packed = true}));
  CHECK(clCholeskyFactor(c, A, NULL));
  CHECK(clCholeskyRefine(c, p.A, p.x, p.b, &(clRefineOptions){.max_iterations = 100}, &report));
  assert_true(report.backward_error <= 1e-15 && report.iterations < 60);
  for (int i = 0; i < N; i++)
    assert_true(fabs(p.x[i] - p.exact[i]) <= ldexp(1e-11, -500));
  clDenseDestroy(A), clCholeskyDestroy(c), clTripletsDestroy(p.A);
}

enum { MOST = 130 };

/* 1 / (i + j + 1) + shift on the diagonal, with entries that single precision rounds; its condition
 * is about 1.5 / shift. */
static clTriplets *hilbert(int n, double shift) {
  clTriplets *T = NULL;
  CHECK(clTripletsCreate(&T, n, n, (int64_t)n * n, NULL));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      CHECK(clTripletsAdd(T, i, j, 1.0 / (i + 1.25 * j + 1) + (i == j ? shift : 0), NULL));
  CHECK(clTripletsCompress(T, NULL));
  return T;
}

static clDense *roundedOf(const clTriplets *T) {
  clDense *A = NULL;
  FREED float *a = calloc((size_t)T->rows * (size_t)T->cols, sizeof *a);
  for (int64_t k = 0; k < T->count; k++)
    a[T->row[k] * T->cols + T->col[k]] = (float)T->value[k];
  CHECK(clDenseCreate(&A, context, T->rows, T->cols));
  CHECK(clDenseUpload(A, a, T->cols));
  return A;
}

/* max_i |b - op(A) x|_i / (|op(A)| |x| + |b|)_i, in long double */
static double backwardError(const clTriplets *T, bool turned, const double *x, const double *b) {
  long double r[MOST], size[MOST], most = 0;
  for (int i = 0; i < T->rows; i++)
    r[i] = b[i], size[i] = fabsl(r[i]);
  for (int64_t k = 0; k < T->count; k++) {
    int i = T->row[k], j = T->col[k];
    swapIf(turned, &i, &j);
    r[i] -= (long double)T->value[k] * x[j];
    size[i] += fabsl((long double)T->value[k] * x[j]);
  }
  for (int i = 0; i < T->rows; i++)
    most = fmaxl(most, r[i] == 0 ? 0 : fabsl(r[i]) / size[i]);
  return (double)most;
}

/* Solves with `count` right-hand sides, and compares with LAPACK in double. Sizes of b differ by
 * hundreds of powers of two, and from the third on the start is not zero. */
static void checkRefined(int n, int count, double shift, clTranspose op, double tolerance) {
  bool turned = op == TEXLA_TRANSPOSE;
  uint64_t seed = 3;
  size_t numbers = (size_t)n * (size_t)count;
  OWN(clTriplets) *T = hilbert(n, shift);
  OWN(clDense) *A = roundedOf(T);
  OWN(clPlu) *plu = NULL;
  clRefineReport *reports = calloc((size_t)count, sizeof *reports);
  double *x = calloc(3 * numbers, sizeof *x), *b = x + numbers, *exact = b + numbers;
  FREED double *full = malloc(sizeof *full * (size_t)n * (size_t)n);
  lapack_int pivots[MOST];
  /* by columns */
  for (int64_t k = 0; k < T->count; k++)
    full[turned ? T->row[k] * n + T->col[k] : T->col[k] * n + T->row[k]] = T->value[k];
  for (size_t e = 0; e < numbers; e++) {
    exact[e] = b[e] = ldexp(randomUnit(&seed), 300 * ((int)e / n % 3) - 300);
    x[e] = (int)e / n < 2 ? 0 : b[e] / 3;
  }
  assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, count, full, n, pivots, exact, n), 0);
  CHECK(clPluCreate(&plu, context, n, n, NULL));
  CHECK(clPluFactor(plu, A, NULL));
  CHECK(clPluRefineMany(plu, op, T, count, x, b, NULL, reports));
  for (int k = 0; k < count; k++) {
    double error = 0, size = 0, backward = backwardError(T, turned, x + k * n, b + k * n);
    for (int i = n * k; i < n * (k + 1); i++) {
      error = fmax(error, fabs(x[i] - exact[i]));
      size = fmax(size, fabs(exact[i]));
    }
    if (!(backward <= 1.1e-15 && reports[k].backward_error <= 1e-15 && error <= tolerance * size))
      fail_msg("n %d, column %d of %d: backward error %g, reported %g, %g from dgesv", n, k, count,
               backward, reports[k].backward_error, error / size);
    assert_true(reports[k].iterations > 0 && reports[k].iterations <= 30);
  }
  free(x), free(reports);
}

static void asDgesv(void **state) {
  checkRefined(1, 1, 1, TEXLA_NO_TRANSPOSE, 1e-15);
  checkRefined(2, 5, 1, TEXLA_TRANSPOSE, 1e-14);
  checkRefined(63, 1, 1e-2, TEXLA_TRANSPOSE, 1e-12);
  checkRefined(MOST, 9, 1e-2, TEXLA_NO_TRANSPOSE, 1e-12);
  checkRefined(38, 3, 1e-6, TEXLA_TRANSPOSE, 1e-8);
}

/* Nothing converges to 1e-30: what is told is told of the x that is returned, not of the last one
 * that was tried. */
static void reportsAreOfTheBest(void **state) {
  enum { M = 63 };
  uint64_t seed = 7;
  OWN(clTriplets) *T = hilbert(M, 1e-2);
  OWN(clDense) *A = roundedOf(T);
  OWN(clPlu) *plu = NULL;
  CHECK(clPluCreate(&plu, context, M, M, NULL));
  CHECK(clPluFactor(plu, A, NULL));
  for (int run = 0; run < 6; run++) {
    clRefineReport report;
    double x[M] = {0}, b[M], square = 0, b_square = 0;
    for (int i = 0; i < M; i++)
      b[i] = randomUnit(&seed);
    assert_int_equal(clPluRefine(plu, TEXLA_NO_TRANSPOSE, T, x, b,
                                 &(clRefineOptions){.tolerance = 1e-30}, &report),
                     TEXLA_NOT_CONVERGED);
    for (int i = 0; i < M; i++) {
      double r = b[i];
      for (int j = 0; j < M; j++)
        r -= T->value[i * M + j] * x[j];
      square += r * r;
      b_square += b[i] * b[i];
    }
    double residual = sqrt(square / b_square);
    if (!(fabs(residual - report.residual) <= 1e-6 * residual))
      fail_msg("run %d: residual %g, reported %g", run, residual, report.residual);
  }
}

/* A residual of which one row is beyond double, and the others are zero, is no solution. */
static void residualsBeyondDouble(void **state) {
  OWN(clTriplets) *T = NULL;
  OWN(clDense) *A = NULL;
  OWN(clPlu) *plu = NULL;
  double x[2] = {1e300, 1e300}, b[2] = {1, 1e300};
  CHECK(clTripletsCreate(&T, 2, 2, 3, NULL));
  CHECK(clTripletsAdd(T, 0, 0, 1e300, NULL));
  CHECK(clTripletsAdd(T, 0, 1, -1e300, NULL));
  CHECK(clTripletsAdd(T, 1, 1, 1, NULL));
  CHECK(clTripletsCompress(T, NULL));
  CHECK(clDenseCreate(&A, context, 2, 2));
  CHECK(clDenseIdentity(A, 1));
  CHECK(clPluCreate(&plu, context, 2, 2, NULL));
  CHECK(clPluFactor(plu, A, NULL));
  assert_int_equal(clPluRefine(plu, TEXLA_NO_TRANSPOSE, T, x, b, NULL, NULL), TEXLA_NOT_FINITE);
  assert_true(x[0] == 1e300 && x[1] == 1e300);
}

static clStatus multiply(void *user, bool transposed, double *x) {
  const float *a = user;
  double y[N] = {0};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      y[i] += (double)a[placeIn(transposed, N, i, j)] * x[j];
  memcpy(x, y, sizeof y);
  return TEXLA_OK;
}

/* Never above the norm, and not far below. */
static void estimatesOfNorms(void **state) {
  for (uint64_t seed = 1; seed < 6; seed++) {
    FREED float *a = matrix(0, seed);
    double norm = 0, estimate = 0, work[2 * N];
    /* one column counts */
    for (int e = 0; e < N * N; e++)
      a[e] *= e % N == 3 ? 50 : 1;
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int i = 0; i < N; i++)
        sum += fabs((double)a[i * N + j]);
      norm = fmax(norm, sum);
    }
    CHECK(txNormEstimate(&estimate, N, multiply, a, work));
    if (!(estimate <= norm * (1 + 1e-12)) || !(estimate >= norm / 2))
      fail_msg("estimate %g of %g", estimate, norm);
  }
}

TEST_MAIN(setUp, testContextDestroy, allColumnsAtOnce, poorFactors, croutRefines,
          choleskyOfAnotherMatrix, estimatesOfNorms, asDgesv, reportsAreOfTheBest,
          residualsBeyondDouble)
