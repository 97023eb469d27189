/* The banded storage: which diagonals become constants, share a texture or a stencil. */
#include "matrices.h"
#include "matrix/banded.h"
#include "texla/texla.h"

#include "one_context.h"

static clMatrix *create(clTriplets *T, clMatrixOptions options) {
  clMatrix *A = NULL;
  options.storage = TEXLA_STORAGE_BANDED;
  if (clMatrixCreate(&A, context, T, &options))
    fail_msg("%s", clContextError(context)->message);
  clTripletsDestroy(T);
  return A;
}

static const txBanded *inside(const clMatrix *A) {
  return A->data;
}

static int constants(const clMatrix *A) {
  int n = 0;
  for (int i = 0; i < inside(A)->diagonals; i++)
    n += inside(A)->diagonal[i].texture < 0;
  return n;
}

/* Diagonal k with the values first + step * i. */
static void addDiagonal(clTriplets *T, int k, double first, double step) {
  for (int i = 0; i < T->rows; i++)
    if (i + k >= 0 && i + k < T->cols)
      assert_int_equal(clTripletsAdd(T, i, i + k, first + step * i, NULL), TEXLA_OK);
}

static void assertGrid(const clMatrix *A, int nx, int ny) {
  assert_true(A->row_layout.grid);
  assert_true(A->col_layout.grid);
  assert_int_equal(A->row_layout.row, nx);
  assert_int_equal(A->row_layout.height, ny);
}

static void fivePointStencilsBecomeUniforms(void **state) {
  const int sizes[][2] = {{3, 3}, {5, 7}, {13, 4}, {64, 64}, {101, 3}, {2, 50}};
  for (int i = 0; i < 6; i++) {
    OWN(clMatrix) *A = create(poisson(sizes[i][0], sizes[i][1]), (clMatrixOptions){0});
    assertGrid(A, sizes[i][0], sizes[i][1]);
    assert_int_equal(inside(A)->diagonals, 5);
    assert_int_equal(constants(A), 5);
    assert_int_equal(A->bytes, 0);
    assert_non_null(strstr(clMatrixDescription(A), "5 diagonals (all constant), grid"));
  }
}

static void ninePointStencilsToo(void **state) {
  clTriplets *T = NULL;
  assert_int_equal(clGenerateFemPlate(&T, 17, NULL), TEXLA_OK);
  OWN(clMatrix) *A = create(T, (clMatrixOptions){0});
  assertGrid(A, 17, 17);
  assert_int_equal(constants(A), 9);
}

static void oneDifferentEntryMakesADiagonalGeneral(void **state) {
  clTriplets *T = poisson(9, 8);
  for (int64_t e = 0; e < T->count; e++)
    if (T->row[e] == 30 && T->col[e] == 31)
      T->value[e] = -1.5;
  OWN(clMatrix) *A = create(T, (clMatrixOptions){0});
  assertGrid(A, 9, 8);
  assert_int_equal(constants(A), 4);
  assert_int_equal(inside(A)->textures, 1);
}

static void entriesAcrossTheBorderForbidTheGrid(void **state) {
  clTriplets *T = poisson(9, 8);
  assert_int_equal(clTripletsAdd(T, 8, 9, 1, NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  OWN(clMatrix) *A = create(T, (clMatrixOptions){0});
  assert_false(A->row_layout.grid);
}

static void zerosAcrossTheBorderDoNot(void **state) {
  clTriplets *T = poisson(9, 8);
  assert_int_equal(clTripletsAdd(T, 8, 9, 0, NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  OWN(clMatrix) *A = create(T, (clMatrixOptions){0});
  assertGrid(A, 9, 8);
  assert_int_equal(constants(A), 5);
}

static void narrowGridsStayLinear(void **state) {
  clMatrix *A = create(poisson(8, 600), (clMatrixOptions){0});
  assert_false(A->row_layout.grid);
  clMatrixDestroy(A);
  A = create(poisson(600, 8), (clMatrixOptions){0});
  assertGrid(A, 600, 8);
  clMatrixDestroy(A);
}

static void optionsAreHonoured(void **state) {
  clMatrix *A = create(poisson(12, 6), (clMatrixOptions){.linear = true});
  assert_false(A->row_layout.grid);
  /* the two that stop at grid rows' ends are not */
  assert_int_equal(constants(A), 3);
  clMatrixDestroy(A);
  A = create(poisson(12, 6), (clMatrixOptions){.general_diagonals = true});
  assertGrid(A, 12, 6);
  assert_int_equal(constants(A), 0);
  assert_int_equal(inside(A)->textures, 5);
  clMatrixDestroy(A);
  A = create(poisson(12, 6), (clMatrixOptions){.grid_nx = 8, .grid_ny = 9});
  assertGrid(A, 8, 9);
  clMatrixDestroy(A);
}

/* Products take the number instead of what is stored; a diagonal that is not there cannot become
 * one. */
static void mainDiagonalsMayBecomeConstant(void **state) {
  float ones[72], once[72], y[72];
  OWN(clVector) *x = NULL, *z = NULL;
  OWN(clMatrix) *A = create(poisson(12, 6), (clMatrixOptions){.general_diagonals = true}),
                *B = create(poisson(12, 6), (clMatrixOptions){0});
  for (int i = 0; i < 72; i++)
    ones[i] = (float)(1 + i % 5);
  assert_true(txBandedMain(A, 7));
  assert_int_equal(constants(A), 1);
  assert_false(txBandedMain(A, 7));
  assert_false(txBandedMain(B, 7));
  assertOk(*state, clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  assertOk(*state, clMatrixCreateVector(&z, A, TEXLA_RANGE));
  assertOk(*state, clVectorUpload(x, ones));
  assertOk(*state, clMatrixMulVector(z, A, x));
  assertOk(*state, clVectorDownload(z, y));
  assertOk(*state, clMatrixMulVector(z, B, x));
  assertOk(*state, clVectorDownload(z, once));
  /* Poisson's is 4 */
  for (int i = 0; i < 72; i++)
    assert_true(y[i] == once[i] + 3 * ones[i]);
}

static void tridiagonalsAreConstantInTheLinearLayout(void **state) {
  clTriplets *T = emptyMatrix(5000, 5000);
  addDiagonal(T, -1, -1, 0);
  addDiagonal(T, 0, 2, 0);
  addDiagonal(T, 1, -1, 0);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  OWN(clMatrix) *A = create(T, (clMatrixOptions){0});
  assert_false(A->row_layout.grid);
  assert_int_equal(constants(A), 3);
  assert_int_equal(A->bytes, 0);
}

static void opposingDiagonalsShareAVector(void **state) {
  const int n = 21;
  clTriplets *T = emptyMatrix(n, n);
  for (int k = 1 - n; k < n; k++)
    addDiagonal(T, k, 1, 0.5);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  OWN(clMatrix) *A = create(T, (clMatrixOptions){.general_diagonals = true, .linear = true});
  assert_int_equal(inside(A)->diagonals, 2 * n - 1);
  assert_int_equal(inside(A)->textures, n);
}

static void zeroMatricesNeedNothing(void **state) {
  OWN(clMatrix) *A = create(emptyMatrix(6, 4), (clMatrixOptions){0});
  assert_int_equal(inside(A)->diagonals, 0);
  assert_int_equal(A->bytes, 0);
}

static void tooManyDiagonalsAreRefusedBeforeAllocation(void **state) {
  OWN(clContext) *small = NULL;
  clContextOptions options = {.no_tuning_cache = true, .memory_limit = (size_t)1 << 20};
  assert_int_equal(clContextCreate(&small, &options, NULL), TEXLA_OK);
  OWN(clTriplets) *T = emptyMatrix(40000, 40000);
  for (int k = 0; k < 10; k++)
    addDiagonal(T, k * k, 1, 1);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  clMatrix *A = NULL;
  clMatrixOptions banded = {.storage = TEXLA_STORAGE_BANDED};
  size_t used = clContextStatistics(small).bytes_used;
  assert_int_equal(clMatrixCreate(&A, small, T, &banded), TEXLA_OUT_OF_MEMORY);
  assert_null(A);
  assert_non_null(
      strstr(clContextError(small)->message, "10 stored diagonals of the 40000 x 40000 matrix"));
  assert_int_equal(clContextStatistics(small).bytes_used, used);
}

TEST_MAIN(setUp, testContextDestroy, fivePointStencilsBecomeUniforms, ninePointStencilsToo,
          oneDifferentEntryMakesADiagonalGeneral, entriesAcrossTheBorderForbidTheGrid,
          zerosAcrossTheBorderDoNot, narrowGridsStayLinear, optionsAreHonoured,
          mainDiagonalsMayBecomeConstant, tridiagonalsAreConstantInTheLinearLayout,
          opposingDiagonalsShareAVector, zeroMatricesNeedNothing,
          tooManyDiagonalsAreRefusedBeforeAllocation)
