/* Eliminations at the edges of single precision: huge and tiny entries, units of rows and columns,
 * growth that overflows, NaN on the device, wide and singular matrices. */
#include "dense/dense_cases.h"

#include <lapacke.h>

#include "texla/dense.h"

static void assertRank(clContext *context, const float *a, int m, int n, int wanted,
                       const char *name) {
  clDense *A = denseUpload(context, a, m, n), *R = NULL;
  clPlu *plu = NULL;
  clPluReport report = {0};
  int rank = -1;
  assertOk(context, clPluCreate(&plu, context, m, n, NULL));
  clStatus status = clPluFactor(plu, A, &report);
  if (status < 0)
    assertOk(context, status);
  if (report.rank != wanted)
    fail_msg("%s, %d x %d: PLU has rank %d, not %d", name, m, n, report.rank, wanted);
  assertOk(context, clDenseCreateLike(&R, A));
  assertOk(context, clDenseRref(R, A, NULL, &rank, NULL));
  if (rank != wanted)
    fail_msg("%s, %d x %d: the echelon form has rank %d, not %d", name, m, n, rank, wanted);
  float *r = caseDownload(context, R);
  for (int i = 0; i < m * n; i++)
    assert_true(isfinite(r[i]));
  clPluDestroy(plu);
  clDenseDestroy(A), clDenseDestroy(R);
  free(r);
}

/* Magnitudes near both ends of the range, alone or mixed. */
static void testMagnitudes(void **state) {
  static const float sizes[] = {1e38f, 3e38f, FLT_MAX, 1.2e-38f, 3e-36f, 1e20f, 1e-20f};
  for (int k = 0; k < 7; k++)
    assertRank(*state, &sizes[k], 1, 1, 1, "one entry");
  static const float swap[] = {0, 3e38f, 1e-37f, 0}, graded[] = {1e20f, 0, 0, 1e-20f},
                     column[] = {1e30f, 0, 1e30f, 1e-30f},
                     dependent[] = {3e38f, 1e38f, 3e38f, 1e38f};
  assertRank(*state, swap, 2, 2, 2, "swap");
  assertRank(*state, graded, 2, 2, 2, "graded");
  assertRank(*state, column, 2, 2, 2, "columns of different units");
  assertRank(*state, dependent, 2, 2, 1, "dependent");
}

static void testDeterminants(void **state) {
  static const struct {
    float a[4];
    double value;
  } cases[] = {{{1000, 1001, 1001, 1002}, -1},
               {{1e20f, 0, 0, 1e-20f}, 1},
               {{0, 3e38f, 3e38f, 0}, -9e76},
               {{1e38f, 1e38f, 1e38f, 1e38f}, 0}};
  for (int k = 0; k < 4; k++) {
    OWN(clDense) *A = denseUpload(*state, cases[k].a, 2, 2);
    clDeterminant d = {0};
    assertOk(*state, clDenseDeterminant(&d, A, NULL));
    if (!(fabs(d.value - cases[k].value) <= 0.1 * fabs(cases[k].value)))
      fail_msg("case %d: %g, not %g", k, d.value, cases[k].value);
  }
}

static void testWideRanks(void **state) {
  static const float first[] = {0, 1}, third[] = {0, 0, 1, 0, 0, 2}, zeros[] = {0, 0, 0, 0},
                     holes[] = {0, 1, 2, 0, 0, 3, 0, 0, 0, 0, 5, 1};
  assertRank(*state, first, 1, 2, 1, "[0 1]");
  assertRank(*state, first, 2, 1, 1, "[0 1]^T");
  assertRank(*state, third, 2, 3, 1, "third column");
  assertRank(*state, zeros, 1, 4, 0, "zeros");
  assertRank(*state, holes, 3, 4, 3, "zero columns");
  /* rows and columns of zeros at the start */
  for (int n = 2; n < 100; n += 13) {
    FREED float *a = caseValues(DEFICIENT, n, 2 * n + 1);
    for (int i = 0; i < n; i++)
      a[i * (2 * n + 1)] = a[i * (2 * n + 1) + 1] = 0;
    int wanted = caseRank(n, 2 * n + 1);
    assertRank(*state, a, n, 2 * n + 1, wanted < 2 * n - 1 ? wanted : 2 * n - 1, "wide");
  }
}

/* Wilkinson's matrix of order n doubles its last column in each step. */
static void testGrowth(void **state) {
  clContext *context = *state;
  static const int sizes[] = {100, 128, 129, 140};
  for (int k = 0; k < 4; k++)
    for (int complete = 0; complete < 2; complete++) {
      int n = sizes[k];
      clPluOptions o = {.elimination.pivoting =
                            complete ? TEXLA_PIVOT_COMPLETE : TEXLA_PIVOT_PARTIAL};
      FREED float *a = caseValues(WILKINSON, n, n);
      OWN(clDense) *A = denseUpload(context, a, n, n), *B = NULL;
      OWN(clPlu) *plu = NULL;
      assertOk(context, clPluCreate(&plu, context, n, n, &o));
      assertOk(context, clDenseCreate(&B, context, n, 1));
      assertOk(context, clDenseFill(B, 1));
      if (n >= 129 && !complete) {
        assertFails(context, clPluFactor(plu, A, NULL), TEXLA_NOT_FINITE, "complete pivoting");
        assertFails(context, clPluSolve(plu, TEXLA_NO_TRANSPOSE, B, B), TEXLA_BAD_ARGUMENT,
                    "clPluFactor");
      } else {
        assertOk(context, clPluFactor(plu, A, NULL));
        FREED float *f = caseDownload(context, clPluFactors(plu));
        for (int i = 0; i < n * n; i++)
          assert_true(isfinite(f[i]));
      }
    }
}

/* A NaN that comes from the device: no upload lets one in. */
static void testNanOnTheDevice(void **state) {
  clContext *context = *state;
  clDense *A = NULL, *R = NULL;
  OWN(clPlu) *plu = NULL;
  OWN(clFloat) *s = NULL;
  clDeterminant d = {0};
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clPluCreate(&plu, context, 6, 6, NULL));
  for (int k = 0; k < 8; k++) {
    float lanes[4] = {1, 1, 1, 1};
    lanes[k % 4] = k < 4 ? NAN : -INFINITY;
    assertOk(context, clDenseCreate(&A, context, 6, 6));
    assertOk(context, clDenseIdentity(A, 2));
    assertOk(context, clDenseCreateLike(&R, A));
    assertOk(context, txTextureWrite(A->texture, "test", (txRect){1, k % 3, 1, 1}, lanes));
    assertFails(context, clPluFactor(plu, A, NULL), TEXLA_NOT_FINITE, "not finite");
    assertFails(context, clDenseRref(R, A, NULL, NULL, NULL), TEXLA_NOT_FINITE, "not finite");
    assertFails(context, clDenseInverse(R, A, NULL), TEXLA_NOT_FINITE, "not finite");
    assertFails(context, clDenseDeterminant(&d, A, NULL), TEXLA_NOT_FINITE, "not finite");
    for (clNorm norm = TEXLA_NORM_MAX; norm <= TEXLA_NORM_FROBENIUS; norm++) {
      float value = 0;
      assertOk(context, clDenseNorm(s, norm, A));
      assertOk(context, clFloatDownload(s, &value));
      assert_true(!isfinite(value));
    }
    clDenseDestroy(A), clDenseDestroy(R);
  }
}

/* Solutions of systems whose entries are near `size`, beside LAPACK's in double. */
static void testSolvesTinyAndHuge(void **state) {
  static const double sizes[] = {3e-36, 1e-37, 1e37, 1e30, 1};
  enum { N = 100 };
  for (int k = 0; k < 5; k++) {
    float *a = caseValues(RANDOM, N, N), b[N], x[N];
    double *exact = malloc(N * N * sizeof *exact), y[N], error = 0, size = 0;
    int32_t pivots[N];
    for (int i = 0; i < N * N; i++)
      exact[i] = (double)(a[i] = (float)(sizes[k] * (double)a[i]));
    for (int i = 0; i < N; i++)
      y[i] = (double)(b[i] = (float)(fmin(sizes[k], 1e30) * caseNoise(11, i, 0)));
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, N, 1, exact, N, pivots, y, 1), 0);
    OWN(clDense) *A = denseUpload(*state, a, N, N), *B = denseUpload(*state, b, N, 1);
    OWN(clPlu) *plu = NULL;
    assertOk(*state, clPluCreate(&plu, *state, N, N, NULL));
    assertOk(*state, clPluFactor(plu, A, NULL));
    assertOk(*state, clPluSolve(plu, TEXLA_NO_TRANSPOSE, B, B));
    assertOk(*state, clDenseDownload(B, x, 1));
    for (int i = 0; i < N; i++) {
      error = fmax(error, fabs((double)x[i] - y[i]));
      size = fmax(size, fabs(y[i]));
    }
    if (!(error <= 1e-3 * size))
      fail_msg("entries near %g: error %g of %g", sizes[k], error, size);
    free(a), free(exact);
  }
}

/* Condition 1e6: LAPACK solves it in single precision, whatever the estimate of the rank says. */
static void testIllConditioned(void **state) {
  enum { N = 60 };
  float *q = caseValues(ORTHOGONAL, N, N), a[N * N], b[N], x[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int l = 0; l < N; l++)
        sum += caseEntry(ORTHOGONAL, N, N, i, l) * pow(1e-6, l / (N - 1.0)) *
               caseEntry(ORTHOGONAL, N, N, l, j);
      a[i * N + j] = (float)sum;
    }
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = 0; j < N; j++)
      sum += (double)a[i * N + j];
    b[i] = (float)sum;
  }
  OWN(clDense) *A = denseUpload(*state, a, N, N), *B = denseUpload(*state, b, N, 1);
  OWN(clPlu) *plu = NULL;
  double residual = 0;
  assertOk(*state, clPluCreate(&plu, *state, N, N, NULL));
  assertOk(*state, clPluFactor(plu, A, NULL));
  assertOk(*state, clPluSolve(plu, TEXLA_NO_TRANSPOSE, B, B));
  assertOk(*state, clDenseDownload(B, x, 1));
  for (int i = 0; i < N; i++) {
    double r = (double)b[i];
    for (int j = 0; j < N; j++)
      r -= (double)a[i * N + j] * (double)x[j];
    residual = fmax(residual, fabs(r));
  }
  assert_true(residual <= 1e-4);
  free(q);
}

/* Panels of any number of columns, down to the largest. */
static void testPanelSizes(void **state) {
  clContext *context = *state;
  static const int panels[] = {INT32_MAX, INT32_MAX - 28, INT32_MAX - 29, 1};
  for (int k = 0; k < 4; k++) {
    clPluOptions o = {.panel = panels[k]};
    OWN(clPlu) *plu = NULL;
    OWN(clDense) *A = NULL;
    assertOk(context, clDenseCreate(&A, context, 70, 70));
    assertOk(context, clDenseIdentity(A, 3));
    assertOk(context, clPluCreate(&plu, context, 70, 70, &o));
    assertOk(context, clPluFactor(plu, A, NULL));
  }
}

/* 2 x 2 blocks without a pivot leave single rows as pivots. */
static void testBlockPivotingOfEverything(void **state) {
  clContext *context = *state;
  static const float swap[] = {0, 1, 1, 0}, cycle[] = {0, 0, 1, 1, 0, 0, 0, 1, 0},
                     four[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0};
  static const struct {
    const float *a;
    int n;
  } cases[] = {{swap, 2}, {cycle, 3}, {four, 4}};
  for (int k = 0; k < 6; k++) {
    int n = cases[k / 2].n, rank = -1;
    clEliminationOptions o = {.pivoting = k % 2 ? TEXLA_PIVOT_BLOCK_HARM : TEXLA_PIVOT_BLOCK_GEOM};
    OWN(clDense) *A = denseUpload(context, cases[k / 2].a, n, n), *R = NULL;
    assertOk(context, clDenseCreateLike(&R, A));
    assertOk(context, clDenseRref(R, A, &o, &rank, NULL));
    assert_int_equal(rank, n);
    assertOk(context, clDenseInverse(R, A, &o));
    FREED float *x = caseDownload(context, R);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int l = 0; l < n; l++)
          sum += cases[k / 2].a[i * n + l] * x[l * n + j];
        assert_true(sum == (i == j ? 1.0f : 0.0f));
      }
  }
}

/* P A Q = L U with the L and U of A itself, whatever its units; clDenseSolve, P and the inverse
 * from the same factors. */
static void testSplit(void **state) {
  clContext *context = *state;
  static const int shapes[][2] = {{1, 1}, {7, 7}, {33, 20}, {20, 33}, {64, 64}};
  for (int k = 0; k < 10; k++) {
    int m = shapes[k / 2][0], n = shapes[k / 2][1], steps = m < n ? m : n;
    clPluOptions o = {.elimination.pivoting = k % 2 ? TEXLA_PIVOT_COMPLETE : TEXLA_PIVOT_PARTIAL};
    FREED float *a = caseValues(RANDOM, m, n);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        a[i * n + j] = ldexpf(a[i * n + j], 7 * (i % 5) - 9 * (j % 3));
    OWN(clDense) *A = denseUpload(context, a, m, n), *L = NULL, *U = NULL, *P = NULL;
    OWN(clPlu) *plu = NULL;
    assertOk(context, clPluCreate(&plu, context, m, n, &o));
    assertFails(context, clPluSplit(plu, NULL, NULL), TEXLA_BAD_ARGUMENT, "clPluFactor");
    assertOk(context, clPluFactor(plu, A, NULL));
    assertOk(context, clDenseCreate(&L, context, m, steps));
    assertOk(context, clDenseCreate(&U, context, steps, n));
    assertOk(context, clDenseCreate(&P, context, m, n));
    assertOk(context, clPluSplit(plu, L, U));
    assertOk(context, clPluPermute(plu, TEXLA_NO_TRANSPOSE, P, A));
    FREED float *l = caseDownload(context, L), *u = caseDownload(context, U),
                *p = caseDownload(context, P);
    const int32_t *q = clPluCols(plu);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        double d = (double)p[i * n + (q ? q[j] : j)], size = fabs(d);
        for (int t = 0; t < steps; t++) {
          d -= (double)l[i * steps + t] * (double)u[t * n + j];
          size += fabs((double)l[i * steps + t] * (double)u[t * n + j]);
        }
        if (!(fabs(d) <= 20 * EPSILON * size * (m + n)))
          fail_msg("%d x %d: P A - L U is %g of %g at (%d, %d)", m, n, d, size, i, j);
      }
    assertOk(context, clPluPermute(plu, TEXLA_TRANSPOSE, P, P));
    FREED float *back = caseDownload(context, P);
    assert_memory_equal(back, a, (size_t)(m * n) * sizeof *a);
    if (m != n)
      assertFails(context, clPluSplit(plu, P, P), TEXLA_BAD_SHAPE, "need");
  }
}

/* A in units of very different size: one call for a system, and the inverse and determinant from
 * factors. */
static void testSystemsInUnits(void **state) {
  clContext *context = *state;
  enum { N = 35, K = 4 };
  float *a = caseValues(RANDOM, N, N), b[N * K];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i * N + j] = ldexpf(a[i * N + j] + (i == j ? 3 : 0), 11 * (i % 4) - 5 * (j % 7));
  for (int i = 0; i < N * K; i++)
    b[i] = (float)caseNoise(3, i, 1) * 1e25f;
  OWN(clDense) *A = denseUpload(context, a, N, N), *B = denseUpload(context, b, N, K), *X = NULL,
               *inverse = NULL;
  OWN(clPlu) *plu = NULL;
  clDeterminant d, e;
  assertOk(context, clDenseCreate(&X, context, N, K));
  assertOk(context, clDenseCreate(&inverse, context, N, N));
  assertOk(context, clDenseSolve(X, A, B, NULL));
  FREED float *x = caseDownload(context, X);
  for (int i = 0; i < N; i++)
    for (int c = 0; c < K; c++) {
      double r = (double)b[i * K + c], size = fabs(r);
      for (int j = 0; j < N; j++) {
        r -= (double)a[i * N + j] * (double)x[j * K + c];
        size += fabs((double)a[i * N + j] * (double)x[j * K + c]);
      }
      if (!(fabs(r) <= 1e-5 * size))
        fail_msg("residual %g of %g in row %d", r, size, i);
    }
  assertOk(context, clPluCreate(&plu, context, N, N, NULL));
  assertFails(context, clPluInverse(plu, inverse), TEXLA_BAD_ARGUMENT, "clPluFactor");
  assertOk(context, clPluFactor(plu, A, NULL));
  assertOk(context, clPluInverse(plu, inverse));
  assertOk(context,
           clDenseMultiply(inverse, 1, TEXLA_NO_TRANSPOSE, inverse, TEXLA_NO_TRANSPOSE, A, 0));
  FREED float *one = caseDownload(context, inverse);
  /* column j in the unit of column i */
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert_true(fabs((double)ldexpf(one[i * N + j], 5 * (j % 7) - 5 * (i % 7)) - (i == j)) <=
                  1e-4);
  assertOk(context, clPluDeterminant(&d, plu));
  assertOk(context, clDenseDeterminant(&e, A, NULL));
  assert_true(d.sign == e.sign && d.log_magnitude == e.log_magnitude);
  assertFails(context, clDenseSolve(B, A, A, NULL), TEXLA_BAD_SHAPE, "X 35 x 4");
  assertFails(context, clPluInverse(plu, X), TEXLA_BAD_SHAPE, "35 x 4");
  free(a);
}

TEST_MAIN(testContextCreate, testContextDestroy, testMagnitudes, testDeterminants, testWideRanks,
          testGrowth, testNanOnTheDevice, testSolvesTinyAndHuge, testIllConditioned, testPanelSizes,
          testBlockPivotingOfEverything, testSplit, testSystemsInUnits)
