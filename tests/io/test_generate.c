/* Test matrices, entry by entry. */
#include "common.h"

#include <lapacke.h>

#include "texla/io.h"

/* The entries of the finite element matrix are sums of four rounded terms of magnitude below 1. */
static const double assemblyTolerance = 16 * DBL_EPSILON;

static const int grids[][2] = {{1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 4}, {7, 3}, {13, 11}};
enum { GRIDS = sizeof grids / sizeof *grids };

/* The matrix as a dense array (the caller frees it); checks that it is compressed. */
static double *toDense(const clTriplets *A) {
  double *dense = calloc((size_t)A->rows * (size_t)A->cols, sizeof *dense);
  assert_non_null(dense);
  for (int64_t k = 0; k < A->count; k++) {
    int64_t position = (int64_t)A->row[k] * A->cols + A->col[k];
    assert_true(k == 0 || position > (int64_t)A->row[k - 1] * A->cols + A->col[k - 1]);
    dense[position] = A->value[k];
  }
  return dense;
}

/* Compares with the formula: two grid points interact when they are neighbours in x or in y. */
static void assertFivePoints(const clTriplets *A, int nx, int ny, double eps) {
  int n = nx * ny;
  assert_int_equal(A->rows, n);
  assert_int_equal(A->cols, n);
  assert_int_equal(A->count, 5 * n - 2 * nx - 2 * ny);
  FREED double *dense = toDense(A);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      int dx = abs(a % nx - b % nx), dy = abs(a / nx - b / nx);
      double expected = -eps * (dx == 1 && dy == 0) - (dx == 0 && dy == 1);
      if (a == b)
        expected = 2 + 2 * eps;
      assert_true(dense[a * n + b] == expected);
    }
}

static void fivePointMatrices(void **state) {
  for (int g = 0; g < GRIDS; g++) {
    int nx = grids[g][0], ny = grids[g][1];
    clTriplets *A = NULL;
    assert_int_equal(clGeneratePoisson2d(&A, nx, ny, NULL), TEXLA_OK);
    assertFivePoints(A, nx, ny, 1);
    clTripletsDestroy(A);
    assert_int_equal(clGenerateAnisotropic(&A, nx, ny, 0.01, NULL), TEXLA_OK);
    assertFivePoints(A, nx, ny, 0.01);
    clTripletsDestroy(A);
  }
}

static void largePoissonMatrix(void **state) {
  const int64_t n = 1024;
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clGeneratePoisson2d(&A, (int32_t)n, (int32_t)n, NULL), TEXLA_OK);
  assert_int_equal(A->count, 5 * n * n - 4 * n);
  /* every missing neighbour leaves 1 */
  double sum = 0;
  for (int64_t k = 0; k < A->count; k++)
    sum += A->value[k];
  assert_true(sum == (double)(4 * n));
  assert_true(clTripletsIsSymmetric(A, 0));
}

/* Assembles the bilinear element's matrix over all (n + 1)^2 squares; only interior nodes count. */
static double *assemblePlate(int n) {
  /* integral of grad phi_a . grad phi_b over a square, corners counterclockwise */
  /* times 1/6 */
  static const double element[4][4] = {
      {4, -1, -2, -1}, {-1, 4, -1, -2}, {-2, -1, 4, -1}, {-1, -2, -1, 4}};
  static const int cornerX[] = {0, 1, 1, 0}, cornerY[] = {0, 0, 1, 1};
  double *dense = calloc((size_t)(n * n) * (size_t)(n * n), sizeof *dense);
  assert_non_null(dense);
  for (int square = 0; square < (n + 1) * (n + 1); square++)
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++) {
        int ax = square % (n + 1) + cornerX[a] - 1, ay = square / (n + 1) + cornerY[a] - 1;
        int bx = square % (n + 1) + cornerX[b] - 1, by = square / (n + 1) + cornerY[b] - 1;
        if (ax >= 0 && ay >= 0 && bx >= 0 && by >= 0 && ax < n && ay < n && bx < n && by < n)
          dense[(ay * n + ax) * n * n + by * n + bx] += element[a][b] / 6;
      }
  return dense;
}

static void femPlateIsTheAssembledMatrix(void **state) {
  for (int n = 1; n <= 9; n++) {
    OWN(clTriplets) *A = NULL;
    assert_int_equal(clGenerateFemPlate(&A, n, NULL), TEXLA_OK);
    /* nine diagonals */
    assert_int_equal(A->count, (3 * n - 2) * (3 * n - 2));
    FREED double *dense = toDense(A), *oracle = assemblePlate(n);
    for (int k = 0; k < n * n * n * n; k++)
      assert_true(fabs(dense[k] - oracle[k]) <= assemblyTolerance);
  }
}

static void denseIsFullAndReproducible(void **state) {
  OWN(clTriplets) *A = NULL, *B = NULL, *C = NULL;
  const int n = 67;
  assert_int_equal(clGenerateDense(&A, n, 0, NULL), TEXLA_OK);
  assert_int_equal(clGenerateDense(&B, n, 0, NULL), TEXLA_OK);
  assert_int_equal(clGenerateDense(&C, n, 1, NULL), TEXLA_OK);
  assert_int_equal(A->count, n * n);
  double sum = 0, squares = 0;
  free(toDense(A));
  for (int k = 0; k < n * n; k++) {
    assert_true(A->value[k] != 0 && A->value[k] >= -1 && A->value[k] < 1);
    sum += A->value[k];
    squares += A->value[k] * A->value[k];
  }
  /* mean 0 and variance 1/3, each within five deviations */
  assert_true(fabs(sum / (n * n)) < 0.05);
  assert_true(fabs(squares / (n * n) - 1. / 3) < 0.03);
  /* the generator's published first numbers for seed 0 */
  const uint64_t first[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                            UINT64_C(0x06c45d188009454f)};
  for (int k = 0; k < 3; k++)
    assert_true(A->value[k] == ldexp((double)(first[k] >> 11), -52) - 1);
  assert_memory_equal(A->value, B->value, (size_t)(n * n) * sizeof *A->value);
  assert_memory_not_equal(A->value, C->value, (size_t)(n * n) * sizeof *A->value);
}

/* |a_ii| = 1 + the sum of the others; the same seed gives the same matrix. */
static void dominant(void **state) {
  OWN(clTriplets) *A = NULL;
  assert_int_equal(clGenerateDominant(&A, 17, 5, NULL), TEXLA_OK);
  assert_int_equal(A->count, 17 * 17);
  for (int i = 0; i < 17; i++) {
    double sum = 0;
    for (int j = 0; j < 17; j++)
      sum += i == j ? 0 : fabs(A->value[17 * i + j]);
    assert_true(fabs(A->value[18 * i] - 1 - sum) < 1e-12);
  }
}

/* The singular values are those that were asked for, by LAPACK; the symmetric form is so to the
 * last bit, and definite. */
static void conditioned(void **state) {
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (int n = 1; n <= 30; n += 29) {
      OWN(clTriplets) *A = NULL;
      double s[30], superb[30];
      assert_int_equal(clGenerateConditioned(&A, n, 1e5, symmetric, 3, NULL), TEXLA_OK);
      for (int i = 0; i < n && symmetric; i++)
        for (int j = 0; j < n; j++)
          assert_true(A->value[i * n + j] == A->value[j * n + i]);
      assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', n, n, A->value, n, s, NULL, 1,
                                      NULL, 1, superb),
                       0);
      assert_true(fabs(s[0] - 1) < 1e-12);
      assert_true(n == 1 || fabs(s[0] / s[n - 1] / 1e5 - 1) < 1e-8);
    }
  clError error = {0};
  clTriplets *A = NULL;
  assert_int_equal(clGenerateConditioned(&A, 4, 0.5, false, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGenerateConditioned(&A, 4, INFINITY, false, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_null(A);
}

static void bandedHasItsOffsets(void **state) {
  const int n = 12;
  const int32_t offsets[] = {3, 0, -11, 11, -1}, reordered[] = {-1, 11, 0, -11, 3};
  clTriplets *A = NULL, *B = NULL;
  assert_int_equal(clGenerateBanded(&A, n, offsets, 5, 42, NULL), TEXLA_OK);
  assert_int_equal(clGenerateBanded(&B, n, reordered, 5, 42, NULL), TEXLA_OK);
  assert_int_equal(A->count, 9 + 12 + 1 + 1 + 11);
  double *dense = toDense(A);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
      bool in = j - i == 3 || j - i == 0 || j - i == -11 || j - i == 11 || j - i == -1;
      assert_true((dense[i * n + j] != 0) == in);
      if (i != j)
        sum += fabs(dense[i * n + j]);
    }
    assert_true(dense[i * n + i] == 1 + sum);
  }
  assert_memory_equal(A->value, B->value, (size_t)A->count * sizeof *A->value);
  free(dense);
  clTripletsDestroy(A);
  clTripletsDestroy(B);
  /* no diagonal */
  assert_int_equal(clGenerateBanded(&A, 3, (int32_t[]){1, -2}, 2, 1, NULL), TEXLA_OK);
  assert_int_equal(A->count, 3);
  clTripletsDestroy(A);
}

static void badArgumentsAreRefused(void **state) {
  clTriplets *A = NULL;
  clError error = {0};
  assert_int_equal(clGeneratePoisson2d(&A, 0, 5, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGeneratePoisson2d(&A, 5, -1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGeneratePoisson2d(NULL, 5, 5, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGeneratePoisson2d(&A, 65536, 32768, &error), TEXLA_TOO_LARGE);
  assert_string_equal(error.message,
                      "clGeneratePoisson2d: 65536 x 32768 unknowns are more than 2147483647");
  const double eps[] = {0, -1, NAN, INFINITY, DBL_MAX};
  for (int k = 0; k < 5; k++)
    assert_int_equal(clGenerateAnisotropic(&A, 4, 4, eps[k], &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGenerateFemPlate(&A, 0, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGenerateDense(&A, 0, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGenerateBanded(&A, 4, (int32_t[]){1, 4}, 2, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_string_equal(error.message, "clGenerateBanded: offset 4 is outside a matrix of size 4");
  assert_int_equal(clGenerateBanded(&A, 4, (int32_t[]){-4}, 1, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGenerateBanded(&A, 4, (int32_t[]){2, 0, 2}, 3, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_string_equal(error.message, "clGenerateBanded: offset 2 occurs twice");
  assert_int_equal(clGenerateBanded(&A, 4, NULL, 1, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clGenerateBanded(&A, 4, (int32_t[]){0}, 0, 1, &error), TEXLA_BAD_ARGUMENT);
  assert_null(A);
}

TEST_MAIN(NULL, NULL, dominant, conditioned, fivePointMatrices, largePoissonMatrix,
          femPlateIsTheAssembledMatrix, denseIsFullAndReproducible, bandedHasItsOffsets,
          badArgumentsAreRefused)
