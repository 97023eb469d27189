/* Scaling by powers of two: what it leaves of a matrix, and when it leaves it alone. */
#include "system/scaling.h"
#include "common.h"

enum { N = 60 };

/* Tridiagonal with magnitudes 2^(step i), which are far apart; a zero on the diagonal of row 7. */
static clTriplets *graded(int step, double factor) {
  clTriplets *A = NULL;
  assert_int_equal(clTripletsCreate(&A, N, N, 3 * N, NULL), TEXLA_OK);
  for (int i = 0; i < N; i++)
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < N && (step == 0 || i != 7 || j != 7))
        assert_int_equal(clTripletsAdd(A, i, j, factor * ldexp(i == j ? 3.5 : -20, step * i), NULL),
                         TEXLA_OK);
  return A;
}

static bool isPower(double v) {
  int e;
  return frexp(v, &e) == 0.5;
}

/* *scaled <- sign R A C; every value is that, the factors are powers of two. Frees A's look. */
static void scale(txScaled *scaled, const clTriplets *A, txScalingKind kind, double sign) {
  txRows rows;
  txScaling s;
  assert_int_equal(txRowsFind(&rows, A, "test", NULL), TEXLA_OK);
  assert_int_equal(txScalingCreate(&s, &rows, kind, NULL), TEXLA_OK);
  assert_int_equal(txScalingApply(scaled, &s, sign, NULL), TEXLA_OK);
  assert_true(scaled->rows.A == &scaled->A && scaled->A.count == A->count);
  for (int64_t k = 0; k < A->count; k++) {
    double r = s.row[A->row[k]], c = s.col[A->col[k]];
    assert_true(isPower(r) && isPower(c) && scaled->A.value[k] == sign * r * A->value[k] * c);
  }
  assert_int_equal(s.unit, s.row[0] * s.col[0] == 1 && kind == TX_SCALE_UNIFORM);
  txScalingDestroy(&s);
  txRowsForget(&rows);
}

static double sizeOf(const clTriplets *A, int row, int col) {
  double size = 0;
  for (int64_t k = 0; k < A->count; k++)
    if ((A->row[k] == row || row < 0) && (A->col[k] == col || col < 0))
      size = fmax(size, fabs(A->value[k]));
  return size;
}

/* The diagonal, or rows and columns, near 1; with one factor all of A. */
static void testSizes(void **state) {
  OWN(clTriplets) *A = graded(4, 1);
  txScaled scaled;
  scale(&scaled, A, TX_SCALE_DIAGONAL, 1);
  for (int i = 0; i < N; i++)
    if (i != 7)
      assert_true(sizeOf(&scaled.A, i, i) >= 0.5 && sizeOf(&scaled.A, i, i) < 2);
  txScaledDestroy(&scaled);
  scale(&scaled, A, TX_SCALE_ROWS_COLS, -1);
  for (int i = 0; i < N; i++) {
    assert_true(sizeOf(&scaled.A, i, -1) >= 0.5 && sizeOf(&scaled.A, i, -1) <= 4);
    assert_true(sizeOf(&scaled.A, -1, i) >= 0.5 && sizeOf(&scaled.A, -1, i) <= 4);
  }
  txScaledDestroy(&scaled);
  scale(&scaled, A, TX_SCALE_UNIFORM, 1);
  assert_true(sizeOf(&scaled.A, -1, -1) >= 0.5 && sizeOf(&scaled.A, -1, -1) < 2);
  txScaledDestroy(&scaled);
}

/* One factor that single precision does not need is left out, and nothing is copied; with another
 * sign or far from 1 it is not. */
static void testSpareFactors(void **state) {
  static const struct {
    double factor, sign;
    bool shared;
  } cases[] = {{1, 1, true},   {1e5, 1, true},  {1e-5, 1, true},
               {1, -1, false}, {1e9, 1, false}, {1e-9, 1, false}};
  for (int c = 0; c < 6; c++) {
    OWN(clTriplets) *A = graded(0, cases[c].factor);
    txScaled scaled;
    scale(&scaled, A, TX_SCALE_UNIFORM, cases[c].sign);
    assert_int_equal(scaled.A.value == A->value, cases[c].shared);
    assert_true(scaled.A.row == A->row && scaled.A.col == A->col);
    double size = sizeOf(&scaled.A, -1, -1);
    assert_true(cases[c].shared || cases[c].sign < 0 || (size >= 0.5 && size < 2));
    txScaledDestroy(&scaled);
  }
}

static void testNotFinite(void **state) {
  OWN(clTriplets) *A = graded(0, 1);
  A->value[5] = INFINITY;
  /* off the diagonal, by which A need not be scaled */
  A->value[10] = NAN;
  clError error;
  txRows rows;
  txScaling s;
  txScaled scaled;
  assert_int_equal(txRowsFind(&rows, A, "test", NULL), TEXLA_OK);
  assert_int_equal(txScalingCreate(&s, &rows, TX_SCALE_DIAGONAL, &error), TEXLA_OK);
  assert_int_equal(txScalingApply(&scaled, &s, 1, &error), TEXLA_NOT_FINITE);
  assert_non_null(strstr(error.message, "2 entries of A are not finite"));
  txScaledDestroy(&scaled);
  txScalingDestroy(&s);
  txRowsForget(&rows);
}

TEST_MAIN(NULL, NULL, testSizes, testSpareFactors, testNotFinite)
