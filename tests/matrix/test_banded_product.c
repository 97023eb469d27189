/* Banded products, every operator and edge, against the oracle. */

#include "matrices.h"
#include "matrix/banded.h"
#include "vector/vector.h"
#include "oracle/matvec.h"
#include "oracle/vector.h"
#include "texla/texla.h"

#include "one_context.h"

/* |y_i - exact| <= (terms + 2) eps (|op(A)| |x| + |b|)_i: one rounding per term, product and sum
 * with b. */
static double tolerance(int terms) {
  return (terms + 2) * (double)FLT_EPSILON;
}

static uint64_t seed = 1;

/* One product against the oracle; `alias`: b is y. */
static void checkProduct(const clMatrix *A, const clTriplets *T, clMatrixOp op, bool transposed,
                         bool alias) {
  static const double ca[] = {1, 1, 1, -1}, cb[] = {0, 1, -1, 1};
  clMatrixSpace in = transposed ? TEXLA_RANGE : TEXLA_DOMAIN;
  clMatrixSpace out = transposed ? TEXLA_DOMAIN : TEXLA_RANGE;
  OWN(clVector) *x = NULL, *y = NULL, *b = NULL;
  CHECK(clMatrixCreateVector(&x, A, in));
  CHECK(clMatrixCreateVector(&y, A, out));
  CHECK(clMatrixCreateVector(&b, A, out));
  int64_t m = clVectorLength(x), n = clVectorLength(y);
  FREED float *xs = oracleRandom(m, seed++), *bs = oracleRandom(n, seed++);
  FREED double *exact = malloc((size_t)n * sizeof *exact),
               *bound = malloc((size_t)n * sizeof *bound);
  assert_true(exact && bound);
  CHECK(clVectorUpload(x, xs));
  CHECK(clVectorUpload(b, bs));
  /* also what a product must overwrite */
  CHECK(clVectorUpload(y, bs));
  int64_t readbacks = clContextStatistics(context).readbacks;
  clVector *third = alias ? y : b;
  if (op == TEXLA_OP_AX)
    third = NULL;
  CHECK(clMatrixVectorOp(y, op, A, transposed, x, third));
  assert_int_equal(clContextStatistics(context).readbacks, readbacks);
  oracleMatvec(exact, bound, ca[op], T, transposed, xs, cb[op], bs);
  assert_true(
      oracleHolds("y", y, exact, bound, tolerance(2 * ((const txBanded *)A->data)->diagonals)));
}

static void checkDiagonal(const clMatrix *A, const clTriplets *T) {
  OWN(clVector) *d = NULL;
  CHECK(clMatrixCreateVector(&d, A, TEXLA_RANGE));
  FREED double *exact = calloc((size_t)T->rows, sizeof *exact),
               *bound = calloc((size_t)T->rows, sizeof *bound);
  assert_true(exact && bound);
  for (int64_t e = 0; e < T->count; e++)
    if (T->row[e] == T->col[e])
      exact[T->row[e]] = (double)(float)T->value[e];
  CHECK(clVectorFill(d, 3));
  CHECK(clMatrixDiagonal(d, A));
  assert_true(oracleHolds("d", d, exact, bound, 0));
}

/* Every form, or one form each way: drivers take long to compile the many programs of small test
 * matrices. */
static void checkWith(const clTriplets *T, clMatrixOptions options, bool thorough) {
  OWN(clMatrix) *A = NULL;
  options.storage = TEXLA_STORAGE_BANDED;
  CHECK(clMatrixCreate(&A, context, T, &options));
  for (clMatrixOp op = TEXLA_OP_AX; thorough && op <= TEXLA_OP_B_MINUS_AX; op++) {
    checkProduct(A, T, op, false, op == TEXLA_OP_AX_MINUS_B);
    checkProduct(A, T, op, true, op == TEXLA_OP_AX_PLUS_B);
  }
  if (!thorough) {
    checkProduct(A, T, TEXLA_OP_AX, false, false);
    checkProduct(A, T, TEXLA_OP_B_MINUS_AX, true, true);
  }
  if (T->rows == T->cols)
    checkDiagonal(A, T);
}

/* With constant diagonals and, if thorough, without; consumes T. */
static void check(clTriplets *T, bool thorough) {
  CHECK(clTripletsCompress(T, NULL));
  checkWith(T, (clMatrixOptions){0}, thorough);
  if (thorough)
    checkWith(T, (clMatrixOptions){.general_diagonals = true}, thorough);
  clTripletsDestroy(T);
}

/* Diagonal k, where it lies inside: random, or constant. */
static void addDiagonal(clTriplets *T, int64_t k, bool constant) {
  double value = randomUnit(&seed) + 2;
  for (int32_t i = 0; i < T->rows; i++)
    if (i + k >= 0 && i + k < T->cols)
      CHECK(clTripletsAdd(T, i, (int32_t)(i + k), constant ? value : randomUnit(&seed), NULL));
}

/* Some diagonals of either kind, near, far and opposing; positions past the corner are left out. */
static clTriplets *mixed(int32_t rows, int32_t cols) {
  const int64_t k[] = {0, 1, -1, 2, -3, 6, -rows + 1, cols - 1, cols - 2, -(rows / 2), cols / 3};
  clTriplets *T = emptyMatrix(rows, cols);
  for (int i = 0; i < (int)(sizeof k / sizeof *k); i++) {
    bool twice = false;
    for (int j = 0; j < i; j++)
      twice |= k[i] == k[j];
    if (!twice)
      addDiagonal(T, k[i], i % 3 == 1);
  }
  return T;
}

static void squareSizes(void **state) {
  /* short: not the first six, and of the sizes of which all forms are tried only 3 and 7 */
  const int32_t n[] = {2, 4, 5, 31, 127, 8191, 1, 3, 7, 8, 61, 4095, 4096, 4097, 8192, 12289};
  for (int i = testLong() ? 0 : 6; i < (int)(sizeof n / sizeof *n); i++)
    check(mixed(n[i], n[i]), testLong() ? n[i] < 8 : n[i] == 3 || n[i] == 7);
}

static void aMillionAndThree(void **state) {
  OWN(clTriplets) *T = emptyMatrix(1000003, 1000003);
  addDiagonal(T, 0, false);
  addDiagonal(T, -4097, true);
  addDiagonal(T, 999990, false);
  /* opposes 999990 */
  addDiagonal(T, -13, false);
  CHECK(clTripletsCompress(T, NULL));
  checkWith(T, (clMatrixOptions){0}, false);
}

static void rectangular(void **state) {
  const int32_t shape[][2] = {{1, 9},     {9, 1},     {3, 5},       {5, 3},       {64, 61},
                              {61, 64},   {3, 4099},  {4099, 3},    {4096, 8191}, {8191, 4096},
                              {9000, 17}, {17, 9000}, {5000, 4999}, {4999, 5000}};
  for (int i = 0; i < (int)(sizeof shape / sizeof *shape); i++)
    check(mixed(shape[i][0], shape[i][1]), shape[i][0] < 6 && shape[i][1] < (testLong() ? 6 : 5));
}

static void singleFarDiagonals(void **state) {
  const int32_t n = 9001;
  const int64_t k[] = {-9000, -4097, -4096, -4095, -1024, -5,  3,
                       1023,  4095,  4096,  4097,  8192,  9000};
  /* short: every third, of which there are constant ones and others */
  for (int i = 0; i < (int)(sizeof k / sizeof *k); i += testLong() ? 1 : 3) {
    clTriplets *T = emptyMatrix(n, n);
    addDiagonal(T, k[i], i % 2);
    check(T, false);
  }
}

static void allDiagonals(void **state) {
  const int32_t shape[][2] = {{2, 2}, {3, 3}, {5, 5}, {16, 16}, {29, 29}, {12, 7}, {7, 12}};
  for (int i = 0; i < (int)(sizeof shape / sizeof *shape); i++) {
    clTriplets *T = emptyMatrix(shape[i][0], shape[i][1]);
    for (int64_t k = 1 - T->rows; k < T->cols; k++)
      addDiagonal(T, k, k % 4 == 0);
    check(T, testLong() ? i < 3 : i == 1);
  }
}

static void wideBands(void **state) {
  const int32_t n[] = {101, 4500};
  for (int i = 0; i < 2; i++) {
    clTriplets *T = emptyMatrix(n[i], n[i]);
    for (int64_t k = -23; k <= 22; k++)
      addDiagonal(T, k, k > 0 && k % 5 == 0);
    check(T, false);
  }
}

/* `count` diagonals anywhere, a third of them constant. */
static clTriplets *scattered(int32_t rows, int32_t cols, int count) {
  clTriplets *T = emptyMatrix(rows, cols);
  FREED char *taken = calloc((size_t)rows + (size_t)cols, 1);
  assert_non_null(taken);
  for (int k = 0; k < count; k++) {
    int64_t at = randomBits(&seed) % (uint32_t)(rows + cols - 1);
    if (!taken[at])
      addDiagonal(T, at - rows + 1, k % 3 == 0);
    taken[at] = 1;
  }
  return T;
}

/* From TX_BANDED_MANY on, programs do not depend on where the diagonals lie: another matrix of as
 * many needs hardly another one. */
static void manyDiagonals(void **state) {
  const int32_t shape[][2] = {{301, 301}, {9001, 9001}, {97, 300}, {300, 97}, {9000, 1300}};
  for (int i = 0; i < (int)(sizeof shape / sizeof *shape); i++)
    check(scattered(shape[i][0], shape[i][1], 150), i == 0);
  /* on a grid that it does not fit */
  clTriplets *T = scattered(33 * 31, 33 * 31, 150);
  CHECK(clTripletsCompress(T, NULL));
  checkWith(T, (clMatrixOptions){.grid_nx = 33, .grid_ny = 31}, testLong());
  clTripletsDestroy(T);
  int64_t programs = clContextStatistics(context).programs;
  for (int k = 0; k < (testLong() ? 4 : 2); k++)
    check(scattered(1000, 1000, 200), false);
  assertWithin(clContextStatistics(context).programs - programs, 0, 20);
}

static void noDiagonals(void **state) {
  check(emptyMatrix(6, 6), true);
  check(emptyMatrix(5, 9), true);
}

/* A stencil of reach 1 or 2 on a grid; constant, or with one entry that differs on every second
 * diagonal. */
static clTriplets *stencil(int nx, int ny, int reach, bool nine, bool vary, bool periodic) {
  clTriplets *T = emptyMatrix(nx * ny, nx * ny);
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
          int cx = x + dx, cy = y + dy;
          if (periodic) {
            cx = (cx + nx) % nx;
            cy = (cy + ny) % ny;
          }
          if ((!nine && dx && dy) || cx < 0 || cx >= nx || cy < 0 || cy >= ny)
            continue;
          double value = vary && dx >= 0 ? randomUnit(&seed) : 3 * dy + dx + 0.25;
          CHECK(clTripletsAdd(T, y * nx + x, cy * nx + cx, value, NULL));
        }
  return T;
}

static void grids(void **state) {
  const int size[][2] = {{3, 3}, {5, 4}, {8, 8}, {7, 9}, {13, 31}, {64, 3}, {130, 67}, {4097, 5}};
  for (int i = 0; i < (int)(sizeof size / sizeof *size); i++)
    for (int kind = 0; kind < 4 && testTakes((size_t)i); kind++)
      check(stencil(size[i][0], size[i][1], kind == 3 ? 2 : 1, kind & 1, kind & 2, false), i == 4);
}

/* So large that all but the rim has a program without tests for it. */
static void largeGrids(void **state) {
  /* the last texel of a row begins a block of 2 x 2, or ends one */
  const int nx[] = {1030, 1032, 1032, 1028, 1028};
  for (int kind = 0; kind < 5; kind++)
    check(stencil(nx[kind], 261, kind == 1 || kind == 2 ? 2 : 1, kind == 1 || kind == 4, kind == 2,
                  false),
          false);
}

static void periodicGrids(void **state) {
  const int size[][2] = {{3, 3}, {9, 7}, {16, 12}, {31, 33}};
  for (int i = 0; i < (int)(sizeof size / sizeof *size); i++)
    check(stencil(size[i][0], size[i][1], 1, i & 1, i & 2, true), i == 1);
}

/* Any matrix works on any grid: diagonals that step over its border have two shifts. */
static void forcedGrids(void **state) {
  const int size[][2] = {{60, 1}, {1, 60}, {7, 9}, {12, 5}, {33, 31}};
  for (int i = 0; i < (int)(sizeof size / sizeof *size); i++) {
    OWN(clTriplets) *T = mixed(size[i][0] * size[i][1], size[i][0] * size[i][1]);
    CHECK(clTripletsCompress(T, NULL));
    clMatrixOptions options = {.grid_nx = size[i][0], .grid_ny = size[i][1]};
    checkWith(T, options, i == 2);
    options.general_diagonals = true;
    checkWith(T, options, false);
  }
}

static void sumsInPlace(void **state) {
  clTriplets *all[] = {stencil(13, 7, 1, false, true, false),
                       stencil(1030, 261, 1, false, false, false), mixed(4099, 4099),
                       mixed(61, 4098), mixed(4098, 61)};
  for (int k = 0; k < (int)(sizeof all / sizeof *all); k++) {
    clMatrix *A = NULL;
    CHECK(clTripletsCompress(all[k], NULL));
    CHECK(clMatrixCreate(&A, context, all[k], &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED}));
    for (clMatrixOp op = TEXLA_OP_AX_PLUS_B; op <= TEXLA_OP_B_MINUS_AX; op++)
      for (int transposed = 0; transposed < 2; transposed++)
        checkProduct(A, all[k], op, transposed, true);
    clMatrixDestroy(A);
    clTripletsDestroy(all[k]);
  }
}

static void onePassWherePossible(void **state) {
  OWN(clTriplets) *T = NULL;
  OWN(clMatrix) *A = NULL;
  OWN(clVector) *x = NULL, *y = NULL;
  CHECK(clGeneratePoisson2d(&T, 20, 20, NULL));
  CHECK(clMatrixCreate(
      &A, context, T,
      &(clMatrixOptions){.storage = TEXLA_STORAGE_BANDED, .general_diagonals = true}));
  CHECK(clMatrixCreateVector(&x, A, TEXLA_DOMAIN));
  CHECK(clMatrixCreateVector(&y, A, TEXLA_RANGE));
  for (int transposed = 0; transposed < 2; transposed++) {
    int64_t passes = clContextStatistics(context).passes;
    CHECK(clMatrixVectorOp(y, TEXLA_OP_B_MINUS_AX, A, (clTranspose)transposed, x, y));
    assert_int_equal(clContextStatistics(context).passes, passes + 1);
  }
}

TEST_MAIN(setUp, testContextDestroy, squareSizes, aMillionAndThree, rectangular, allDiagonals,
          singleFarDiagonals, wideBands, noDiagonals, grids, periodicGrids, forcedGrids, largeGrids,
          onePassWherePossible, sumsInPlace, manyDiagonals)
