/* PLU: P A - L U in double, solves against LAPACK in double, condition, refinement, what is
 * refused. */
#include "dense/dense_cases.h"

#include "elimination/plu.h"
#include "gl/traits.h"
#include "gl/tuning.h"

#include <lapacke.h>

#include "texla/dense.h"

/* backward errors stay below FACTOR n EPSILON growth */
static const double FACTOR = 10;

typedef struct factored {
  clContext *context;
  int m, n;
  /* A; L and U */
  float *a, *f;
  clDense *A;
  clPlu *plu;
  clPluReport report;
  clStatus status;
} factored;

static factored factorCase(clContext *context, float *a, int m, int n,
                           const clPluOptions *options) {
  factored s = {.context = context, .m = m, .n = n, .a = a, .A = denseUpload(context, a, m, n)};
  assertOk(context, clPluCreate(&s.plu, context, m, n, options));
  s.status = clPluFactor(s.plu, s.A, &s.report);
  if (s.status != TEXLA_RANK_DEFICIENT)
    assertOk(context, s.status);
  s.f = caseDownload(context, clPluFactors(s.plu));
  return s;
}

static void release(factored *s) {
  clDenseDestroy(s->A);
  clPluDestroy(s->plu);
  free(s->a);
  free(s->f);
}

/* Row i of P A is row p[i]; every row occurs once. */
static void assertPermutation(const int32_t *p, int n) {
  FREED char *seen = calloc((size_t)n, 1);
  for (int i = 0; i < n; i++) {
    assertWithin(p[i], 0, n - 1);
    assert_false(seen[p[i]]);
    seen[p[i]] = 1;
  }
}

/* Entry (i, j) of R A C, which was factored. */
static double scaledEntry(const factored *s, int i, int j) {
  return clPluRowScale(s->plu)[i] * (double)s->a[i * s->n + j] * clPluColScale(s->plu)[j];
}

static double largestScaled(const factored *s) {
  double largest = 0;
  for (int i = 0; i < s->m; i++)
    for (int j = 0; j < s->n; j++)
      largest = fmax(largest, fabs(scaledEntry(s, i, j)));
  return largest;
}

/* max |P R A C Q - L U| */
static double factorError(const factored *s) {
  int m = s->m, n = s->n, k = m < n ? m : n;
  const int32_t *p = clPluRows(s->plu), *q = clPluCols(s->plu);
  double *L = calloc((size_t)m * (size_t)k, sizeof *L),
         *U = calloc((size_t)k * (size_t)n, sizeof *U), worst = 0;
  FREED double *R = malloc((size_t)m * (size_t)n * sizeof *R);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double f = (double)s->f[i * n + j];
      R[i * n + j] = scaledEntry(s, p[i], q ? q[j] : j);
      if (j < k)
        L[i * k + j] = i > j ? f : i == j;
      if (i < k)
        U[i * n + j] = i <= j ? f : 0;
    }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, -1, L, k, U, n, 1, R, n);
  for (int64_t e = 0; e < (int64_t)m * n; e++)
    worst = fabs(R[e]) <= worst ? worst : fabs(R[e]);
  free(L), free(U);
  return worst;
}

static void assertFactors(const factored *s, const char *name, clPivoting pivoting) {
  int n = s->m > s->n ? s->m : s->n;
  double size = largestScaled(s), error = factorError(s);
  /* what is below the tolerance was dropped */
  double growth = s->report.growth + (s->status == TEXLA_RANK_DEFICIENT);
  assertPermutation(clPluRows(s->plu), s->m);
  if (!(error <= FACTOR * n * EPSILON * growth * size))
    fail_msg("%s, %d x %d, pivoting %s: max |P A - L U| = %g of %g, growth %g", name, s->m, s->n,
             clPivotingName(pivoting), error, size, s->report.growth);
  for (int i = 0; i < s->m; i++)
    for (int j = 0; j < i && j < s->n && pivoting == TEXLA_PIVOT_PARTIAL; j++)
      if (!(fabsf(s->f[i * s->n + j]) <= 1))
        fail_msg("%s, %d x %d: l(%d, %d) = %g", name, s->m, s->n, i, j, (double)s->f[i * s->n + j]);
}

static void checkFactors(clContext *context, caseKind kind, int m, int n, double tolerance) {
  clPluOptions o = {.elimination = {.tolerance = tolerance}};
  AT_END(release) factored s = factorCase(context, caseValues(kind, m, n), m, n, &o);
  assertFactors(&s, caseNames[kind], TEXLA_PIVOT_PARTIAL);
  int rank = m < n ? m : n;
  if (kind == DEFICIENT)
    rank = caseRank(m, n);
  if (kind == RANDOM || kind == ORTHOGONAL || kind == PERMUTATION ||
      (kind == DEFICIENT && tolerance == 0))
    assert_int_equal(s.report.rank, rank);
  /* a wide matrix of full rank may have a column without a pivot */
  if (m >= n && s.report.rank == n)
    assert_int_equal(s.status, TEXLA_OK);
  assert_int_equal(s.status, s.report.smallest_pivot == 0 ? TEXLA_RANK_DEFICIENT : TEXLA_OK);
}

static void testSmallSizes(void **state) {
  for (int n = 1; n <= 67; n = testNextSize(n))
    checkFactors(*state, RANDOM, n, n, 0);
}

static void testKinds(void **state) {
  static const int shapes[][2] = {{1, 1},   {2, 2},   {3, 3},   {7, 7},  {20, 20},
                                  {33, 33}, {64, 65}, {65, 34}, {34, 90}};
  for (int kind = 0; kind < CASE_KINDS; kind++)
    for (int k = 0; k < (int)(sizeof shapes / sizeof *shapes); k++) {
      int m = shapes[k][0], n = shapes[k][1];
      if (kind == PERMUTATION && n % 7 == 0)
        continue;
      if ((kind == ORTHOGONAL || kind == PERMUTATION || kind == WILKINSON) && (m != n || n > 40))
        continue;
      /* short: with and without a tolerance by turns */
      if (testTakes((size_t)(k + kind)))
        checkFactors(*state, (caseKind)kind, m, n, 0);
      if (testTakes((size_t)(k + kind + 1)))
        checkFactors(*state, (caseKind)kind, m, n, -1);
    }
}

static void testLargerSizes(void **state) {
  static const int shapes[][2] = {{255, 255},   {257, 257}, {512, 512}, {300, 77},  {130, 1000},
                                  {1023, 1023}, {256, 256}, {511, 511}, {513, 513}, {1000, 1000}};
  int count = testLong() ? (int)(sizeof shapes / sizeof *shapes) : 6;
  for (int k = 0; k < count; k++)
    checkFactors(*state, RANDOM, shapes[k][0], shapes[k][1], 0);
  checkFactors(*state, DEFICIENT, 257, 257, 0);
  checkFactors(*state, DEFICIENT, 100, 300, 0);
  checkFactors(*state, ORTHOGONAL, 255, 255, 0);
  checkFactors(*state, GRADED, 256, 256, -1);
}

/* Any number of columns between two updates gives a factorization. */
static void testPanels(void **state) {
  static const int panels[] = {1, 32, 64, 96, 1000};
  for (int k = 0; k < 5; k++) {
    clPluOptions o = {.panel = panels[k]};
    AT_END(release) factored s = factorCase(*state, caseValues(RANDOM, 203, 200), 203, 200, &o);
    assertFactors(&s, "panels", TEXLA_PIVOT_PARTIAL);
  }
}

/* Blocks of several panels each that the host takes: columns that wait for the last block's product
 * catch up before they are used. */
static void testBlocksOfPanels(void **state) {
  clContext *context = *state;
  static const int panels[] = {60, 120, 240};
  enum { M = 331, N = 330 };
  for (int k = 0; k < 3; k++) {
    clPluOptions o = {.panel = panels[k]};
    AT_END(release)
    factored s = {.context = context, .m = M, .n = N, .a = caseValues(RANDOM, M, N)};
    s.A = denseUpload(context, s.a, M, N);
    assertOk(context, txPluCreate(&s.plu, "test", context, M, N, &o, 1));
    assertOk(context, clPluFactor(s.plu, s.A, &s.report));
    s.f = caseDownload(context, clPluFactors(s.plu));
    assertFactors(&s, "blocks of panels", TEXLA_PIVOT_PARTIAL);
  }
}

/* Searches as devices with long latencies want them: many rows and candidates at once. */
static void testSearchesAtOnce(void **state) {
  clContext *context = *state;
  static const int shapes[][2] = {{1, 1}, {3, 2}, {31, 40}, {150, 70}, {1100, 45}};
  for (int k = 0; k < 5; k++) {
    int m = shapes[k][0], n = shapes[k][1];
    AT_END(release)
    factored s = {.context = context, .m = m, .n = n, .a = caseValues(RANDOM, m, n)};
    s.A = denseUpload(context, s.a, m, n);
    assertOk(context, clPluCreate(&s.plu, context, m, n, NULL));
    s.plu->panels.rows_at_once = 4;
    s.plu->panels.candidates_at_once = 32;
    assertOk(context, clPluFactor(s.plu, s.A, &s.report));
    s.f = caseDownload(context, clPluFactors(s.plu));
    assertFactors(&s, "at once", TEXLA_PIVOT_PARTIAL);
  }
}

static factored factorInPairs(clContext *context, caseKind kind, int m, int n, bool in_pairs) {
  clPluOptions o = {.elimination = {.tolerance = kind == DEFICIENT ? 0 : -1}};
  factored s = {.context = context, .m = m, .n = n, .a = caseValues(kind, m, n)};
  s.A = denseUpload(context, s.a, m, n);
  assertOk(context, clPluCreate(&s.plu, context, m, n, &o));
  s.plu->panels.in_pairs = in_pairs;
  s.status = clPluFactor(s.plu, s.A, &s.report);
  s.f = caseDownload(context, clPluFactors(s.plu));
  return s;
}

/* Columns in pairs take the pivots that they take one by one, where several rows are as good, too,
 * and compute the same. */
static void checkPairs(clContext *context, caseKind kind, int m, int n) {
  factored s = factorInPairs(context, kind, m, n, true),
           t = factorInPairs(context, kind, m, n, false);
  double size = caseLargest(t.f, (int64_t)m * n);
  assert_int_equal(s.status, t.status);
  assert_memory_equal(clPluRows(s.plu), clPluRows(t.plu), (size_t)m * sizeof(int32_t));
  for (int e = 0; e < m * n; e++)
    if (!(fabs((double)s.f[e] - (double)t.f[e]) <= 4 * EPSILON * size))
      fail_msg("%s, %d x %d: %g at %d, but %g one by one", caseNames[kind], m, n, (double)s.f[e], e,
               (double)t.f[e]);
  release(&s), release(&t);
}

static void testPairs(void **state) {
  static const int shapes[][2] = {{300, 65}, {33, 90}, {1100, 31}, {90, 3}, {64, 64}};
  if (testIsEs(*state))
    testSkip("two columns at once take a geometry shader, which OpenGL ES 3 has not");
  int step = testLong() ? 7 : 15;
  for (int n = 1; n <= 67; n += n < 8 ? 1 : step)
    checkPairs(*state, RANDOM, n, n);
  /* short: random and deficient by turns */
  for (size_t k = 0; k < 5; k++) {
    if (testTakes(k))
      checkPairs(*state, RANDOM, shapes[k][0], shapes[k][1]);
    if (testTakes(k + 1))
      checkPairs(*state, DEFICIENT, shapes[k][0], shapes[k][1]);
  }
  checkPairs(*state, WILKINSON, 40, 40);
  checkPairs(*state, GRADED, 60, 60);
  checkPairs(*state, PERMUTATION, 40, 40);
}

static void testPivotings(void **state) {
  static const int sizes[] = {1, 2, 3, 8, 33, 64, 101};
  for (int p = 0; p <= TEXLA_PIVOT_NONE; p++)
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++) {
      /* short: half of the sizes, by turns */
      if (!testTakes((size_t)(p + k)))
        continue;
      int n = sizes[k];
      float *a = caseValues(RANDOM, n, n);
      /* so that no pivoting does, too */
      for (int i = 0; i < n && p != TEXLA_PIVOT_COMPLETE; i++)
        a[i * n + i] += (float)n;
      clPluOptions o = {.elimination = {.pivoting = (clPivoting)p}};
      AT_END(release) factored s = factorCase(*state, a, n, n, &o);
      assert_int_equal(s.status, TEXLA_OK);
      assertFactors(&s, "pivotings", (clPivoting)p);
      for (int i = 0; i < n && p == TEXLA_PIVOT_NONE; i++)
        assert_int_equal(clPluRows(s.plu)[i], i);
    }
}

/* What 2 x 2 blocks cannot factor, single rows can; and an odd matrix's last column counts as a
 * unit pivot. */
static void testBlockPivoting(void **state) {
  static const float swap[] = {0, 1, 1, 0},
                     rows[] = {0, 0, 2, 1, 0, 4, 1, 5, 3, 1, 2, 7, 0, 2, 1, 9};
  for (int p = TEXLA_PIVOT_BLOCK_HARM; p <= TEXLA_PIVOT_BLOCK_GEOM; p++) {
    clPluOptions o = {.elimination = {.pivoting = (clPivoting)p}};
    float *a = malloc(sizeof swap), *b = malloc(sizeof rows), *c = caseValues(RANDOM, 5, 5);
    memcpy(a, swap, sizeof swap);
    memcpy(b, rows, sizeof rows);
    factored s = factorCase(*state, a, 2, 2, &o), t = factorCase(*state, b, 4, 4, &o),
             u = factorCase(*state, c, 5, 5, &o);
    /* by single rows */
    assert_int_equal(s.status, TEXLA_OK);
    assertFactors(&s, "swap", (clPivoting)p);
    /* the blocks change places */
    assert_int_equal(t.status, TEXLA_OK);
    assert_int_equal(clPluRows(t.plu)[0], 2);
    assert_int_equal(u.status, TEXLA_OK);
    assertFactors(&t, "block", (clPivoting)p);
    assertFactors(&u, "odd block", (clPivoting)p);
    release(&s), release(&t), release(&u);
  }
}

/* ||b - op(A) x|| / (||A|| ||x|| + ||b||), largest over the columns, in the maximum norm */
static double solveError(const factored *s, bool turned, const float *x, const float *b, int cols) {
  int n = s->n;
  double worst = 0, size = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += fabs((double)s->a[turned ? j * n + i : i * n + j]);
    size = fmax(size, sum);
  }
  for (int c = 0; c < cols; c++) {
    double residual = 0, x_size = 0, b_size = 0;
    for (int i = 0; i < n; i++) {
      double r = (double)b[i * cols + c];
      b_size = fmax(b_size, fabs(r));
      x_size = fmax(x_size, fabs((double)x[i * cols + c]));
      for (int j = 0; j < n; j++)
        r -= (double)s->a[turned ? j * n + i : i * n + j] * (double)x[j * cols + c];
      residual = fabs(r) <= residual ? residual : fabs(r);
    }
    double error = residual / (size * x_size + b_size);
    worst = error <= worst ? worst : error;
  }
  return worst;
}

static void checkSolve(clContext *context, caseKind kind, int n, int cols) {
  clPluOptions o = {.elimination = {.tolerance = -1}};
  AT_END(release) factored s = factorCase(context, caseValues(kind, n, n), n, n, &o);
  FREED float *b = malloc((size_t)n * (size_t)cols * sizeof *b);
  for (int e = 0; e < n * cols; e++)
    b[e] = (float)caseNoise(17, e, 0);
  for (int turned = 0; turned < 2 && s.status == TEXLA_OK; turned++) {
    OWN(clDense) *B = denseUpload(context, b, n, cols);
    assertOk(context, clPluSolve(s.plu, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, B, B));
    FREED float *x = caseDownload(context, B);
    double error = solveError(&s, turned, x, b, cols);
    if (!(error <= FACTOR * n * EPSILON * s.report.growth))
      fail_msg("%s, n = %d, %d columns, op %d: backward error %g", caseNames[kind], n, cols, turned,
               error);
  }
}

static void testSolves(void **state) {
  static const int sizes[] = {1, 2, 3, 9, 32, 33, 66, 127, 260};
  static const int columns[] = {1, 2, 3, 50};
  for (int k = 0; k < 9; k++)
    checkSolve(*state, RANDOM, sizes[k], columns[k % 4]);
  checkSolve(*state, ORTHOGONAL, 100, 3);
  checkSolve(*state, GRADED, 60, 3);
  checkSolve(*state, HILBERT, 6, 2);
  checkSolve(*state, VANDERMONDE, 9, 2);
  checkSolve(*state, WILKINSON, 12, 2);
}

/* 1 / (||A|| ||A^-1||) from LAPACK's inverse in double; A is overwritten. */
static double exactCondition(double *a, int n, char norm) {
  FREED int32_t *pivots = malloc((size_t)n * sizeof *pivots);
  double size = LAPACKE_dlange(LAPACK_ROW_MAJOR, norm, n, n, a, n);
  assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, a, n, pivots), 0);
  assert_int_equal(LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, a, n, pivots), 0);
  return 1 / (size * LAPACKE_dlange(LAPACK_ROW_MAJOR, norm, n, n, a, n));
}

static void checkCondition(clContext *context, caseKind kind, int n) {
  double rcond = 0;
  clPluOptions o = {.elimination = {.tolerance = -1}};
  AT_END(release) factored s = factorCase(context, caseValues(kind, n, n), n, n, &o);
  double *a = malloc((size_t)(n * n) * sizeof *a);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n * n; i++)
      a[i] = scaledEntry(&s, i / n, i % n);
    double exact = exactCondition(a, n, k ? 'I' : '1');
    assertOk(context, clPluCondition(s.plu, k ? TEXLA_NORM_INF : TEXLA_NORM_ONE, &rcond));
    if (!(rcond >= 0.9 * exact && rcond <= 3 * exact))
      fail_msg("%s, n = %d: rcond %g, exactly %g", caseNames[kind], n, rcond, exact);
  }
  assertFails(context, clPluCondition(s.plu, TEXLA_NORM_MAX, &rcond), TEXLA_BAD_ARGUMENT,
              "TEXLA_NORM_INF");
  free(a);
}

static void testCondition(void **state) {
  checkCondition(*state, RANDOM, 1);
  checkCondition(*state, RANDOM, 2);
  checkCondition(*state, RANDOM, 100);
  checkCondition(*state, ORTHOGONAL, 33);
  checkCondition(*state, GRADED, 40);
  checkCondition(*state, HILBERT, 4);
}

static clTriplets *triplets(const float *a, int n) {
  clTriplets *T = NULL;
  assert_int_equal(clTripletsCreate(&T, n, n, (int64_t)n * n, NULL), TEXLA_OK);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      assert_int_equal(clTripletsAdd(T, i, j, (double)a[i * n + j], NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  return T;
}

/* The solution of A x = b by LAPACK. */
static void solveExactly(const float *a, bool turned, const double *b, double *x, int n) {
  FREED double *d = caseDoubles(a, (int64_t)n * n);
  FREED int32_t *pivots = malloc((size_t)n * sizeof *pivots);
  memcpy(x, b, (size_t)n * sizeof *x);
  assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, d, n, pivots), 0);
  assert_int_equal(LAPACKE_dgetrs(LAPACK_ROW_MAJOR, turned ? 'T' : 'N', n, 1, d, n, pivots, x, 1),
                   0);
}

static void checkRefinement(clContext *context, caseKind kind, int n, bool turned) {
  clPluOptions o = {.elimination = {.tolerance = -1}};
  AT_END(release) factored s = factorCase(context, caseValues(kind, n, n), n, n, &o);
  clTriplets *T = triplets(s.a, n);
  clRefineReport report = {0};
  double *b = malloc(3 * (size_t)n * sizeof *b), *x = b + n, *exact = x + n, error = 0, size = 0;
  for (int i = 0; i < n; i++) {
    b[i] = caseNoise(23, i, 1);
    x[i] = 0;
  }
  solveExactly(s.a, turned, b, exact, n);
  assertOk(context, clPluRefine(s.plu, turned ? TEXLA_TRANSPOSE : TEXLA_NO_TRANSPOSE, T, x, b, NULL,
                                &report));
  for (int i = 0; i < n; i++) {
    error = fmax(error, fabs(x[i] - exact[i]));
    size = fmax(size, fabs(exact[i]));
  }
  assert_true(report.backward_error <= 1e-15 && report.iterations >= 1);
  if (!(error / size <= report.forward_error + 1e-15) || !(report.forward_error < 1e-6))
    fail_msg("%s, n = %d: error %g, bound %g", caseNames[kind], n, error / size,
             report.forward_error);
  clTripletsDestroy(T);
  free(b);
}

static void testRefinement(void **state) {
  checkRefinement(*state, RANDOM, 1, false);
  checkRefinement(*state, RANDOM, 90, false);
  checkRefinement(*state, RANDOM, 90, true);
  checkRefinement(*state, GRADED, 50, false);
  checkRefinement(*state, HILBERT, 5, true);
}

/* Several right-hand sides, and the matrix as the device has it. */
static void testRefinementOfMany(void **state) {
  clContext *context = *state;
  enum { N = 40, K = 3 };
  AT_END(release) factored s = factorCase(context, caseValues(GRADED, N, N), N, N, NULL);
  clTriplets *T = triplets(s.a, N);
  double b[N * K], x[N * K] = {0}, y[N * K] = {0}, exact[N];
  clRefineReport reports[K] = {0};
  for (int i = 0; i < N * K; i++)
    b[i] = caseNoise(29, i, 1);
  assertOk(context, clPluRefineMany(s.plu, TEXLA_TRANSPOSE, T, K, x, b, NULL, reports));
  assertOk(context, clPluRefineDense(s.plu, TEXLA_TRANSPOSE, s.A, K, y, b, NULL, NULL));
  for (int k = 0; k < K; k++) {
    double size = 0;
    solveExactly(s.a, true, b + N * k, exact, N);
    for (int i = 0; i < N; i++)
      size = fmax(size, fabs(exact[i]));
    for (int i = 0; i < N; i++) {
      assert_true(fabs(x[N * k + i] - exact[i]) <= 1e-11 * size);
      assert_true(x[N * k + i] == y[N * k + i]);
    }
    assert_true(reports[k].iterations >= 1 && reports[k].backward_error <= 1e-15);
  }
  assertFails(context, clPluRefineMany(s.plu, TEXLA_NO_TRANSPOSE, T, 0, x, b, NULL, NULL),
              TEXLA_BAD_ARGUMENT, "count (0)");
  clTripletsDestroy(T);
}

static void testRefinementGivesUp(void **state) {
  clContext *context = *state;
  clPluOptions o = {.elimination = {.tolerance = -1}};
  AT_END(release) factored s = factorCase(context, caseValues(RANDOM, 40, 40), 40, 40, &o);
  /* not what was factored */
  float *other = caseValues(GRADED, 40, 40);
  clTriplets *T = triplets(other, 40);
  double b[40], x[40] = {0};
  for (int i = 0; i < 40; i++)
    b[i] = 1;
  clRefineReport report = {0};
  assert_int_equal(clPluRefine(s.plu, TEXLA_NO_TRANSPOSE, T, x, b, NULL, &report),
                   TEXLA_NOT_CONVERGED);
  assert_true(report.backward_error > 1e-3 && isfinite(x[0]));
  clTripletsDestroy(T);
  free(other);
}

static void testSingularIsRefused(void **state) {
  clContext *context = *state;
  static const float zeros[9] = {0}, nilpotent[4] = {0, 1, 0, 0};
  float *a = malloc(sizeof zeros), *b = malloc(sizeof nilpotent);
  memcpy(a, zeros, sizeof zeros);
  memcpy(b, nilpotent, sizeof nilpotent);
  factored s = factorCase(context, a, 3, 3, NULL), t = factorCase(context, b, 2, 2, NULL);
  clDense *B = denseUpload(context, zeros, 3, 2);
  double rcond;
  assert_int_equal(s.status, TEXLA_RANK_DEFICIENT);
  assert_int_equal(s.report.rank, 0);
  assert_int_equal(t.status, TEXLA_RANK_DEFICIENT);
  assert_int_equal(t.report.rank, 1);
  assertFails(context, clPluSolve(s.plu, TEXLA_NO_TRANSPOSE, B, B), TEXLA_SINGULAR, "rank 0");
  assertFails(context, clPluCondition(s.plu, TEXLA_NORM_ONE, &rcond), TEXLA_SINGULAR, "rank 0");
  clDenseDestroy(B);
  release(&s), release(&t);
}

static void testBadInput(void **state) {
  clContext *context = *state;
  OWN(clPlu) *plu = NULL, *tall = NULL;
  OWN(clDense) *A = NULL, *B = NULL, *W = NULL;
  clPluOptions o = {.elimination = {.pivoting = (clPivoting)9}};
  double x[4] = {0}, b[4] = {1, 2, (double)NAN, 4};
  assertOk(context, clDenseCreate(&A, context, 4, 4));
  assertOk(context, clDenseCreate(&B, context, 3, 4));
  assertOk(context, clDenseCreateWithPacking(&W, context, 4, 4, TEXLA_PACKING_1X1));
  assertFails(context, clPluCreate(&plu, context, 0, 4, NULL), TEXLA_BAD_ARGUMENT, "rows (0)");
  assertFails(context, clPluCreate(&plu, context, 4, 4, &o), TEXLA_BAD_ARGUMENT, "pivoting (9)");
  assertFails(context, clPluCreate(&plu, context, 1 << 30, 4, NULL), TEXLA_TOO_LARGE,
              "1073741824 x 4");
  assert_null(plu);
  assertOk(context, clPluCreate(&plu, context, 4, 4, NULL));
  assertFails(context, clPluSolve(plu, TEXLA_NO_TRANSPOSE, A, A), TEXLA_BAD_ARGUMENT,
              "clPluFactor");
  assertFails(context, clPluFactor(plu, B, NULL), TEXLA_BAD_SHAPE, "3 x 4");
  assertFails(context, clPluFactor(plu, W, NULL), TEXLA_UNSUPPORTED, "1x1");
  assertOk(context, clDenseIdentity(A, 2));
  assertOk(context, clPluFactor(plu, A, NULL));
  assertFails(context, clPluSolve(plu, TEXLA_NO_TRANSPOSE, B, B), TEXLA_BAD_SHAPE, "B 3 x 4");
  OWN(clTriplets) *T = NULL;
  assert_int_equal(clTripletsCreate(&T, 4, 4, 1, NULL), TEXLA_OK);
  assertFails(context, clPluRefine(plu, TEXLA_NO_TRANSPOSE, T, x, b, NULL, NULL), TEXLA_NOT_FINITE,
              "element 3 of b");
  assertOk(context, clPluCreate(&tall, context, 3, 4, NULL));
  assertOk(context, clDenseIdentity(B, 1));
  assertOk(context, clPluFactor(tall, B, NULL));
  assertFails(context, clPluSolve(tall, TEXLA_NO_TRANSPOSE, A, A), TEXLA_BAD_SHAPE, "not square");
}

/* Refused before anything is allocated, or with all of it given back. */
static void testMemory(void **state) {
  OWN(clContext) *context = testContextWith((clContextOptions){.memory_limit = (size_t)1 << 20});
  clPlu *plu = NULL;
  clDense *A = NULL;
  size_t used = clContextStatistics(context).bytes_used;
  assertFails(context, clPluCreate(&plu, context, 1000, 1000, NULL), TEXLA_OUT_OF_MEMORY,
              "clPluCreate");
  assertFails(context, clDenseCreate(&A, context, 1000, 1000), TEXLA_OUT_OF_MEMORY,
              "clDenseCreate");
  assert_true(!plu && !A && clContextStatistics(context).bytes_used == used);
}

/* The device eliminates panels, or the host, one panel or several at once: a trait of the device,
 * of which all are tested. */
static int panelsOnHost(void **state, int panels) {
  ((txTraits *)(uintptr_t)txContextTraits(*state))->panels_on_host = panels;
  return 0;
}
static int onDevice(void **state) {
  return testContextCreate(state) || panelsOnHost(state, 0);
}
static int onHost(void **state) {
  return panelsOnHost(state, 1);
}
static int severalOnHost(void **state) {
  return panelsOnHost(state, 3);
}

/* As on a graphics card: the host factors panels while what is right of the next one is still being
 * updated, on several threads. */
static int ahead(void **state) {
  ((txTraits *)(uintptr_t)txContextTraits(*state))->host_shades = 0;
  return panelsOnHost(state, 1);
}
static int inTurn(void **state) {
  ((txTraits *)(uintptr_t)txContextTraits(*state))->host_shades = 1;
  return panelsOnHost(state, 0);
}

/* On a graphics card the host takes short panels; for long ones it is measured once, and both sides
 * must be able to. */
static void testSides(void **state) {
  txTraits *traits = (txTraits *)(uintptr_t)txContextTraits(*state);
  const txTraits kept = *traits;
  int panels = -1, chosen = -1;
  *traits = (txTraits){.panels_on_host = 2, .panel = kept.panel};
  assertOk(*state, txPluSide(&panels, *state, 100, 80));
  assert_int_equal(panels, 8);
  assertOk(*state, txPluSide(&panels, *state, 100, 1));
  assert_int_equal(panels, 1);
  assertOk(*state, txPluSide(&panels, *state, 2000, 8));
  assert_true(txTuningKnown(*state, "dense.panels_on_host", &chosen));
  assert_int_equal(panels, 8 * chosen);
  traits->panels_on_host = 0;
  assertOk(*state, txPluSide(&panels, *state, 100, 8));
  assert_int_equal(panels, 0);
  *traits = kept;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testSmallSizes),
      cmocka_unit_test(testKinds),
      cmocka_unit_test(testLargerSizes),
      cmocka_unit_test(testPanels),
      cmocka_unit_test(testSearchesAtOnce),
      cmocka_unit_test(testPairs),
      cmocka_unit_test(testPivotings),
      cmocka_unit_test(testBlockPivoting),
      cmocka_unit_test(testSolves),
      cmocka_unit_test(testCondition),
      cmocka_unit_test(testRefinement),
      cmocka_unit_test(testRefinementOfMany),
      cmocka_unit_test(testRefinementGivesUp),
      cmocka_unit_test(testSingularIsRefused),
      cmocka_unit_test(testBadInput),
      cmocka_unit_test(testMemory),
      cmocka_unit_test(testSides),
      cmocka_unit_test_setup(testSmallSizes, onHost),
      cmocka_unit_test_setup(testKinds, onHost),
      cmocka_unit_test_setup(testLargerSizes, onHost),
      cmocka_unit_test_setup(testPanels, onHost),
      cmocka_unit_test_setup(testBlocksOfPanels, onHost),
      cmocka_unit_test_setup(testSingularIsRefused, onHost),
      cmocka_unit_test_setup(testKinds, severalOnHost),
      cmocka_unit_test_setup(testLargerSizes, severalOnHost),
      cmocka_unit_test_setup(testPanels, severalOnHost),
      cmocka_unit_test_setup_teardown(testSmallSizes, ahead, inTurn),
      cmocka_unit_test_setup_teardown(testKinds, ahead, inTurn),
      cmocka_unit_test_setup_teardown(testLargerSizes, ahead, inTurn),
      cmocka_unit_test_setup_teardown(testPanels, ahead, inTurn),
      cmocka_unit_test_setup_teardown(testBlocksOfPanels, ahead, inTurn),
      cmocka_unit_test_setup_teardown(testSingularIsRefused, ahead, inTurn)};
  return cmocka_run_group_tests(tests, onDevice, testContextDestroy);
}
