/* What counts as symmetric: rounding beside the diagonal is zero, and what is neither symmetric nor
 * clearly not is solved by auto. */

#include "matrices.h"
#include "texla/system.h"

#include "one_context.h"

/* Poisson's equation with other entries: `noise` at random places of both triangles, each entry off
 * the diagonal times 1 + `apart` in one of them; then rows and columns are scaled by powers of two,
 * up to 2^spread. */
static clTriplets *nearlySymmetric(int nx, int ny, double noise, double apart, int spread) {
  clTriplets *P = poisson(nx, ny), *A = emptyMatrix(nx * ny, nx * ny);
  uint64_t seed = 3;
  uint32_t n = (uint32_t)(nx * ny);
  for (uint32_t k = 0; k < n && noise > 0; k++) {
    int32_t i = (int32_t)(randomBits(&seed) % n), j = (int32_t)(randomBits(&seed) % n);
    assert_int_equal(clTripletsAdd(A, i, j, noise * randomUnit(&seed), NULL), TEXLA_OK);
  }
  for (int64_t k = 0; k < P->count; k++) {
    double v = P->value[k];
    if (P->row[k] < P->col[k])
      v *= 1 + apart;
    assert_int_equal(clTripletsAdd(A, P->row[k], P->col[k], v, NULL), TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(A, NULL), TEXLA_OK);
  for (int64_t k = 0; k < A->count && spread; k++)
    A->value[k] = ldexp(A->value[k], A->row[k] % (2 * spread + 1) - spread +
                                         A->col[k] % (2 * spread + 1) - spread);
  clTripletsDestroy(P);
  return A;
}

static clSystemReport solved(const clTriplets *A, clMethod method, clPreconditioner preconditioner,
                             double tolerance) {
  clSystemReport report = {0};
  double *x = calloc(2 * (size_t)A->rows, sizeof *x), *b = x + A->rows;
  assert_non_null(x);
  for (int32_t i = 0; i < A->rows; i++)
    b[i] = 1 + i % 3;
  clSystemOptions o = {
      .solver = {.method = method, .preconditioner = preconditioner, .tolerance = tolerance},
      .refine = true};
  CHECK(clSystemSolve(context, A, b, x, &o, &report));
  assert_true(clTripletsResidual(NULL, A, x, b) <= 1.01 * tolerance * sqrt(14.0 / 3 * A->rows));
  clSystemReportClear(&report);
  free(x);
  return report;
}

/* 1e-17 beside 4 is zero, in rows of any size: the methods for symmetric matrices take it, and auto
 * sees the grid that is behind it. */
static void roundingIsZero(void **state) {
  for (int spread = 0; spread < 7; spread += 3) {
    OWN(clTriplets) *A = nearlySymmetric(20, 18, 1e-17, 0, spread);
    solved(A, TEXLA_METHOD_CG, TEXLA_PRECONDITIONER_JACOBI, 1e-8);
    solved(A, TEXLA_METHOD_CHOLESKY, TEXLA_PRECONDITIONER_NONE, 1e-8);
    assert_int_equal(solved(A, TEXLA_METHOD_AUTO, TEXLA_PRECONDITIONER_NONE, 1e-8).method,
                     TEXLA_METHOD_CHOLESKY);
  }
  OWN(clTriplets) *A = nearlySymmetric(64, 60, 1e-17, 0, 0);
  clSystemReport report = solved(A, TEXLA_METHOD_AUTO, TEXLA_PRECONDITIONER_NONE, 1e-8);
  assert_int_equal(report.method, TEXLA_METHOD_CG);
  assert_true(report.preconditioner >= TEXLA_PRECONDITIONER_MG && report.iterations < 30);
}

/* From rounding to clearly not symmetric, small and large: never an error. */
static void nothingIsBetween(void **state) {
  for (int k = -13; k <= -3; k++) {
    OWN(clTriplets) *A = nearlySymmetric(9, 7, 0, pow(10, k), k % 3);
    solved(A, TEXLA_METHOD_AUTO, TEXLA_PRECONDITIONER_NONE, 1e-10);
  }
  for (int k = -10; k <= -4; k += 3) {
    OWN(clTriplets) *A = nearlySymmetric(60, 52, 0, pow(10, k), 0);
    solved(A, TEXLA_METHOD_AUTO, TEXLA_PRECONDITIONER_NONE, 1e-10);
  }
}

TEST_MAIN(setUp, testContextDestroy, roundingIsZero, nothingIsBetween)
