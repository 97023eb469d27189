/* Gauss-Jordan against the echelon form in double: pivots, entries, rank; inverse and determinant
 * against LAPACK. */
#include "dense/dense_cases.h"

#include <lapacke.h>

/* entries agree to FACTOR n EPSILON of the largest, times the condition of the pivots' block */
static const double FACTOR = 100;

/* a <- its echelon form; the rank. Zeros are what `tolerance` leaves. */
static int reduceExactly(double *a, int m, int n, double tolerance, int *pivot_cols) {
  int rank = 0;
  for (int j = 0; j < n && rank < m; j++) {
    int p = rank;
    for (int i = rank; i < m; i++)
      p = fabs(a[i * n + j]) > fabs(a[p * n + j]) ? i : p;
    double pivot = a[p * n + j];
    for (int i = rank; i < m && fabs(pivot) <= tolerance; i++)
      a[i * n + j] = 0;
    if (fabs(pivot) <= tolerance)
      continue;
    for (int c = 0; c < n; c++) {
      double t = a[p * n + c];
      a[p * n + c] = a[rank * n + c];
      a[rank * n + c] = t / pivot;
    }
    for (int i = 0; i < m; i++) {
      double l = i == rank ? 0 : a[i * n + j];
      for (int c = 0; c < n && l != 0; c++)
        a[i * n + c] -= l * a[rank * n + c];
    }
    pivot_cols[rank++] = j;
  }
  return rank;
}

/* Pivot columns are unit vectors, exactly; what is left of a pivot and below the last one is zero,
 * exactly. */
static void assertEchelon(const float *r, int m, int n, int rank, const int *pivot_cols) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float v = r[i * n + j];
      if (i >= rank || j < pivot_cols[i])
        assert_true(v == 0);
      for (int k = 0; k < rank; k++)
        if (pivot_cols[k] == j)
          assert_true(v == (i == k ? 1.0f : 0.0f));
    }
}

/* A[:, j] = A[:, pivots] R[:, j]: max |difference| / max (|A| |R|) */
static double echelonError(const float *a, const float *r, int m, int n, int rank,
                           const int *pivot_cols) {
  double error = 0, size = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double d = (double)a[i * n + j], sum = fabs(d);
      for (int k = 0; k < rank; k++) {
        double term = (double)a[i * n + pivot_cols[k]] * (double)r[k * n + j];
        d -= term;
        sum += fabs(term);
      }
      error = fabs(d) <= error ? error : fabs(d);
      size = fmax(size, sum);
    }
  return size > 0 ? error / size : error;
}

static void checkRref(clContext *context, caseKind kind, int m, int n, clPivoting pivoting) {
  FREED float *a = caseValues(kind, m, n);
  double *exact = caseDoubles(a, (int64_t)m * n), size = caseLargest(a, (int64_t)m * n);
  int room = m < n ? m : n, rank = -1, *cols = malloc(2 * (size_t)room * sizeof *cols),
      *exact_cols = cols + room;
  int exact_rank = reduceExactly(exact, m, n, 10 * (m > n ? m : n) * EPSILON * size, exact_cols);
  OWN(clDense) *A = denseUpload(context, a, m, n), *R = NULL;
  assertOk(context, clDenseCreateLike(&R, A));
  clEliminationOptions o = {.pivoting = pivoting};
  assertOk(context, clDenseRref(R, A, &o, &rank, cols));
  FREED float *r = caseDownload(context, R);
  if (rank != exact_rank)
    fail_msg("%s, %d x %d, pivoting %s: rank %d, not %d", caseNames[kind], m, n,
             clPivotingName(pivoting), rank, exact_rank);
  for (int k = 0; k < rank; k++)
    assert_int_equal(cols[k], exact_cols[k]);
  assertEchelon(r, m, n, rank, cols);
  double error = echelonError(a, r, m, n, rank, cols);
  if (!(error <= FACTOR * (m > n ? m : n) * EPSILON))
    fail_msg("%s, %d x %d, pivoting %s: error %g", caseNames[kind], m, n, clPivotingName(pivoting),
             error);
  free(exact), free(cols);
}

static void testShapes(void **state) {
  static const int shapes[][2] = {{1, 1},   {1, 4},   {4, 1},    {2, 3},    {3, 2},
                                  {5, 9},   {31, 32}, {32, 33},  {33, 31},  {64, 64},
                                  {67, 20}, {20, 67}, {65, 130}, {257, 90}, {130, 300}};
  for (int k = 0; k < (int)(sizeof shapes / sizeof *shapes); k++) {
    checkRref(*state, RANDOM, shapes[k][0], shapes[k][1], TEXLA_PIVOT_PARTIAL);
    checkRref(*state, DEFICIENT, shapes[k][0], shapes[k][1], TEXLA_PIVOT_PARTIAL);
  }
}

static void testKinds(void **state) {
  checkRref(*state, ORTHOGONAL, 40, 40, TEXLA_PIVOT_PARTIAL);
  checkRref(*state, PERMUTATION, 33, 33, TEXLA_PIVOT_PARTIAL);
  checkRref(*state, WILKINSON, 12, 12, TEXLA_PIVOT_PARTIAL);
  checkRref(*state, HUGE_VALUES, 30, 40, TEXLA_PIVOT_PARTIAL);
  checkRref(*state, TINY_VALUES, 30, 40, TEXLA_PIVOT_PARTIAL);
}

static void testPivotings(void **state) {
  static const int shapes[][2] = {{1, 1}, {3, 3}, {5, 9}, {9, 5}, {34, 33}, {40, 70}};
  for (int p = 0; p <= TEXLA_PIVOT_NONE; p++)
    for (int k = 0; k < 6; k++) {
      checkRref(*state, RANDOM, shapes[k][0], shapes[k][1], (clPivoting)p);
      if (p == TEXLA_PIVOT_COMPLETE || p == TEXLA_PIVOT_PARTIAL)
        checkRref(*state, DEFICIENT, shapes[k][0], shapes[k][1], (clPivoting)p);
    }
}

static void testLarge(void **state) {
  checkRref(*state, RANDOM, 511, 513, TEXLA_PIVOT_PARTIAL);
  checkRref(*state, DEFICIENT, 300, 400, TEXLA_PIVOT_PARTIAL);
}

/* R may be A; columns of zeros, a zero matrix. */
static void testInPlaceAndZeros(void **state) {
  clContext *context = *state;
  static const float a[] = {0, 0, 2, 4, 0, 0, 1, 2, 0, 3, 0, 9},
                     expected[] = {0, 1, 0, 3, 0, 0, 1, 2, 0, 0, 0, 0};
  int rank = -1, cols[3];
  OWN(clDense) *A = denseUpload(context, a, 3, 4);
  assertOk(context, clDenseRref(A, A, NULL, &rank, cols));
  FREED float *r = caseDownload(context, A);
  assert_int_equal(rank, 2);
  assert_memory_equal(r, expected, sizeof expected);
  assert_true(cols[0] == 1 && cols[1] == 2);
  assertOk(context, clDenseFill(A, 0));
  assertOk(context, clDenseRref(A, A, NULL, &rank, NULL));
  assert_int_equal(rank, 0);
}

static void testInverse(void **state) {
  clContext *context = *state;
  static const int sizes[] = {1, 2, 5, 33, 100};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    FREED float *a = caseValues(RANDOM, n, n);
    double *exact = caseDoubles(a, (int64_t)n * n), size = 0, error = 0;
    FREED int32_t *pivots = malloc((size_t)n * sizeof *pivots);
    double a_norm = LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', n, n, exact, n);
    assert_int_equal(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, exact, n, pivots), 0);
    assert_int_equal(LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, exact, n, pivots), 0);
    size = LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', n, n, exact, n);
    OWN(clDense) *A = denseUpload(context, a, n, n);
    assertOk(context, clDenseInverse(A, A, NULL));
    FREED float *x = caseDownload(context, A);
    for (int e = 0; e < n * n; e++)
      error = fabs((double)x[e] - exact[e]) <= error ? error : fabs((double)x[e] - exact[e]);
    /* n eps cond ||A^-1|| */
    assert_true(error <= 10 * n * EPSILON * a_norm * size * size);
    free(exact);
  }
}

static void checkDeterminant(clContext *context, const float *a, int n, double exact,
                             double log_exact) {
  OWN(clDense) *A = denseUpload(context, a, n, n);
  clDeterminant d = {0};
  assertOk(context, clDenseDeterminant(&d, A, NULL));
  assert_int_equal(d.sign, (exact > 0) - (exact < 0));
  if (exact == 0)
    assert_true(d.value == 0 && isinf(d.log_magnitude) && d.log_magnitude < 0);
  else
    assert_true(fabs(d.log_magnitude - log_exact) <= 10 * n * n * EPSILON);
  if (fabs(log_exact) < 700 && exact != 0)
    assert_true(fabs(d.value / exact - 1) <= 10 * n * n * EPSILON);
}

static void testDeterminant(void **state) {
  static const float swap[] = {0, 1, 1, 0}, cycle[] = {0, 0, 2, 3, 0, 0, 0, 4, 0},
                     singular[] = {1, 2, 2, 4}, odd[] = {-3};
  checkDeterminant(*state, swap, 2, -1, 0);
  checkDeterminant(*state, cycle, 3, 24, log(24));
  checkDeterminant(*state, singular, 2, 0, 0);
  checkDeterminant(*state, odd, 1, -3, log(3));
  /* its value is beyond double */
  FREED float *a = calloc(200 * 200, sizeof *a);
  for (int i = 0; i < 200; i++)
    a[i * 201] = i ? 1e10f : -1e10f;
  checkDeterminant(*state, a, 200, -INFINITY, 200 * log(1e10));
}

static void testBadInput(void **state) {
  clContext *context = *state;
  OWN(clDense) *A = NULL, *B = NULL, *P = NULL;
  clDeterminant d;
  clEliminationOptions o = {.tolerance = (double)NAN};
  assertOk(context, clDenseCreate(&A, context, 3, 4));
  assertOk(context, clDenseCreate(&B, context, 4, 3));
  assertOk(context, clDenseCreateWithPacking(&P, context, 3, 4, TEXLA_PACKING_1X4));
  assertFails(context, clDenseRref(B, A, NULL, NULL, NULL), TEXLA_BAD_SHAPE,
              "R is 4 x 3 but A is 3 x 4");
  assertFails(context, clDenseRref(P, A, NULL, NULL, NULL), TEXLA_UNSUPPORTED, "1x4");
  assertFails(context, clDenseRref(NULL, A, NULL, NULL, NULL), TEXLA_BAD_ARGUMENT, "R must not");
  assertFails(context, clDenseRref(A, A, &o, NULL, NULL), TEXLA_BAD_ARGUMENT, "finite");
  assertFails(context, clDenseInverse(A, A, NULL), TEXLA_BAD_SHAPE, "3 x 4");
  assertFails(context, clDenseDeterminant(&d, A, NULL), TEXLA_BAD_SHAPE, "3 x 4");
  OWN(clDense) *S = NULL;
  assertOk(context, clDenseCreate(&S, context, 3, 3));
  assertOk(context, clDenseFill(S, 2));
  assertFails(context, clDenseInverse(S, S, NULL), TEXLA_SINGULAR, "rank 1");
  FREED float *kept = caseDownload(context, S);
  assert_true(kept[0] == 2 && kept[8] == 2);
}

TEST_MAIN(testContextCreate, testContextDestroy, testShapes, testKinds, testPivotings, testLarge,
          testInPlaceAndZeros, testInverse, testDeterminant, testBadInput)
