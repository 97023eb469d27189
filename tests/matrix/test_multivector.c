/* Products with multivectors, y_j <- ca A x_j + cb b_j for up to eight vectors, in every storage
 * against the oracle. */
#include "common.h"

#include <float.h>

#include "matrices.h"
#include "vector/vector.h"
#include "matrix/multivector.h"
#include "oracle/matvec.h"
#include "oracle/vector.h"
#include "texla/texla.h"

/* |y - exact| <= roundings * eps * (|A| |x| + |b|): a serial sum in a panel of a dense matrix, of a
 * row's points or diagonals; groups elsewhere. */
static double roundings(clStorage storage, int64_t longest) {
  return storage == TEXLA_STORAGE_CSR || storage == TEXLA_STORAGE_SLOTS ? 24 : 8 + (double)longest;
}
static const double tiny = 1e3 * (double)FLT_MIN;

/* All of them, and what auto chooses. */
#define STORAGE(name, text, summary) name,
static const clStorage storages[] = {TEXLA_STORAGE_LIST(STORAGE)};
enum { STORAGES = sizeof storages / sizeof *storages, MOST = TX_MULTIVECTOR * TX_GROUPS };

static uint64_t seed = 7;
static double randomValue(void) {
  return ((int)(randomBits(&seed) % 2001) - 1000) / 700.0;
}

/* About `per_row` entries in a row, one row with very many. */
static clTriplets *randomMatrix(int32_t rows, int32_t cols, int per_row) {
  clTriplets *T = emptyMatrix(rows, cols);
  for (int32_t i = 0; i < rows; i++) {
    int n =
        i == rows / 2 ? 8 * per_row + 300 : (int)(randomBits(&seed) % (uint32_t)(2 * per_row + 1));
    for (int k = 0; k < n; k++)
      assert_int_equal(
          clTripletsAdd(T, i, (int32_t)(randomBits(&seed) % (uint32_t)cols), randomValue(), NULL),
          TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  return T;
}

/* Diagonals at these offsets, every other one constant; NULL-terminated by 0 after the first, which
 * is the main one. */
static clTriplets *bandedMatrix(int32_t rows, int32_t cols, const int32_t *offset, int count) {
  clTriplets *T = emptyMatrix(rows, cols);
  for (int k = 0; k < count; k++) {
    double constant = randomValue() + 2;
    for (int32_t i = 0; i < rows; i++) {
      int64_t j = (int64_t)i + offset[k];
      if (j >= 0 && j < cols)
        assert_int_equal(clTripletsAdd(T, i, (int32_t)j, k % 2 ? constant : randomValue(), NULL),
                         TEXLA_OK);
    }
  }
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  return T;
}

static int64_t longestRow(const clTriplets *T) {
  int64_t *count = calloc((size_t)T->rows, sizeof *count), longest = 0;
  assert_non_null(count);
  for (int64_t k = 0; k < T->count; k++) {
    int64_t *c = &count[T->row[k]];
    longest = ++*c > longest ? *c : longest;
  }
  free(count);
  return longest;
}

/* `count` vectors of a side and the multivectors of them. */
typedef struct Side {
  clVector *vector[MOST], *multivector[TX_GROUPS];
  float *value[MOST];
} Side;

static Side makeSide(const clMatrix *A, clMatrixSpace which, int count) {
  clContext *context = clMatrixContext(A);
  Side s = {{0}};
  for (int k = 0; k < count; k++) {
    assertOk(context, clMatrixCreateVector(&s.vector[k], A, which));
    int64_t n = clVectorLength(s.vector[k]);
    s.value[k] = malloc((size_t)n * sizeof(float));
    assert_non_null(s.value[k]);
    oracleFill(s.value[k], n, randomBits(&seed), -1, 1);
    assertOk(context, clVectorUpload(s.vector[k], s.value[k]));
  }
  for (int g = 0; 4 * g < count; g++) {
    int n = count - 4 * g < 4 ? count - 4 * g : 4;
    assertOk(context,
             txMultivectorCreate(&s.multivector[g], context, "test", &s.vector[0]->layout));
    assertOk(context, txMultivectorGather("test", s.multivector[g],
                                          (const clVector *const *)&s.vector[4 * g], n));
  }
  return s;
}

static void dropSide(Side *s) {
  for (int k = 0; k < MOST; k++) {
    clVectorDestroy(s->vector[k]);
    free(s->value[k]);
  }
  for (int g = 0; g < TX_GROUPS; g++)
    clVectorDestroy(s->multivector[g]);
}

static void checkProduct(const clMatrix *A, const clTriplets *T, int count, float ca, float cb) {
  clContext *context = clMatrixContext(A);
  Side x = makeSide(A, TEXLA_DOMAIN, count), y = makeSide(A, TEXLA_RANGE, count),
       b = makeSide(A, TEXLA_RANGE, count);
  txMultiProduct product = {
      A, (count + 3) / 4, y.multivector, x.multivector, cb == 0 ? NULL : b.multivector, ca, cb};
  int64_t n = T->rows, readbacks = clContextStatistics(context).readbacks;
  assertOk(context, txMultivectorMultiply("test", &product));
  assert_int_equal(clContextStatistics(context).readbacks, readbacks);
  double *exact = malloc((size_t)n * sizeof *exact), *bound = malloc((size_t)n * sizeof *bound);
  assert_true(exact && bound);
  double factor = roundings(clMatrixStorage(A), longestRow(T)) * (double)FLT_EPSILON;
  for (int g = 0; 4 * g < count; g++)
    assertOk(context,
             txMultivectorScatter("test", &y.vector[4 * g], count - 4 * g < 4 ? count - 4 * g : 4,
                                  y.multivector[g]));
  for (int k = 0; k < count; k++) {
    oracleMatvec(exact, bound, (double)ca, T, false, x.value[k], (double)cb,
                 cb == 0 ? NULL : b.value[k]);
    for (int64_t i = 0; i < n; i++)
      bound[i] = factor * bound[i] + tiny;
    char what[512];
    snprintf(what, sizeof what, "%s, vector %d of %d", clMatrixDescription(A), k, count);
    assert_true(oracleHolds(what, y.vector[k], exact, bound, 1));
  }
  free(exact);
  free(bound);
  dropSide(&x);
  dropSide(&y);
  dropSide(&b);
}

/* Consumes T. */
static void checkEverywhere(clContext *context, clTriplets *T, clMatrixOptions options,
                            bool few_diagonals) {
  static const int counts[] = {3, 8, 1, 6};
  for (int s = 0; s < STORAGES; s++) {
    clMatrix *A = NULL;
    options.storage = storages[s];
    if (options.storage == TEXLA_STORAGE_POINTS ||
        (options.storage == TEXLA_STORAGE_DENSE && (int64_t)T->rows * T->cols > 3000000) ||
        (options.storage == TEXLA_STORAGE_BANDED && !few_diagonals))
      continue;
    assertOk(context, clMatrixCreate(&A, context, T, &options));
    int few = T->rows < 100 && T->cols < 100 ? 4 : 2;
    for (int k = 0; k < few; k++)
      checkProduct(A, T, counts[k], 1.5f - 2.5f * (float)(k % 2), (float)(k % 2));
    clMatrixDestroy(A);
  }
  clTripletsDestroy(T);
}

static void sizes(void **state) {
  static const int32_t size[][2] = {{1, 1}, {2, 2}, {3, 3}, {5, 5}, {97, 97}, {30, 71}, {71, 30}};
  for (size_t k = 0; k < sizeof size / sizeof *size; k++)
    checkEverywhere(*state, randomMatrix(size[k][0], size[k][1], 3), (clMatrixOptions){0}, true);
}

static void severalTextureRows(void **state) {
  checkEverywhere(*state, randomMatrix(4097, 4097, 3), (clMatrixOptions){0}, false);
  checkEverywhere(*state, randomMatrix(12301, 12301, 5), (clMatrixOptions){0}, false);
}

static void diagonals(void **state) {
  static const int32_t few[] = {0, 1, -1, 64, -64}, far[] = {0, -4095, 4096, 4097, -5000, 3, 8191},
                       many[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, -1,
                                 -2, -3, -4, -5, -6, -7, -8, -9, 20, 21, 22, 23, 24, 25, 26};
  static const int32_t size[][2] = {{61, 61}, {8200, 8200}, {40, 5000}, {5000, 40}};
  checkEverywhere(*state, bandedMatrix(size[0][0], size[0][1], few, 5), (clMatrixOptions){0}, true);
  for (size_t k = 1; k < sizeof size / sizeof *size; k++)
    checkEverywhere(*state, bandedMatrix(size[k][0], size[k][1], far, 7), (clMatrixOptions){0},
                    true);
  clTriplets *general = bandedMatrix(501, 501, many, 30);
  checkEverywhere(*state, general, (clMatrixOptions){.general_diagonals = true}, true);
}

static void grids(void **state) {
  static const int grid[][2] = {{1, 5}, {5, 1}, {13, 11}, {64, 33}};
  for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) {
    int nx = grid[k][0], ny = grid[k][1];
    const int32_t offset[] = {0, 1, -1, nx, -nx, nx + 1};
    clMatrixOptions options = {.grid_nx = nx, .grid_ny = ny};
    checkEverywhere(*state, randomMatrix(nx * ny, nx * ny, 4), options, nx * ny < 200);
    checkEverywhere(*state, bandedMatrix(nx * ny, nx * ny, offset, 6), options, true);
  }
}

/* A row that is cut into parts, which are cut again. */
static void longRows(void **state) {
  int32_t n = 70001;
  clTriplets *T = randomMatrix(n, n, 1);
  for (int32_t j = 0; j < n; j++)
    assert_int_equal(clTripletsAdd(T, 5, j, randomValue(), NULL), TEXLA_OK);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  checkEverywhere(*state, T, (clMatrixOptions){0}, false);
}

/* Positions beyond 2^24 are no longer floats. */
static void wideMatrix(void **state) {
  int32_t cols = (1 << 24) + 4099;
  clTriplets *T = NULL;
  assert_int_equal(clTripletsCreate(&T, 9, cols, 0, NULL), TEXLA_OK);
  for (int32_t i = 0; i < 9; i++)
    for (int k = 0; k < 6; k++)
      assert_int_equal(
          clTripletsAdd(T, i, cols - 1 - (int32_t)(randomBits(&seed) % 8192), randomValue(), NULL),
          TEXLA_OK);
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  for (clStorage s = TEXLA_STORAGE_CSR; s <= TEXLA_STORAGE_SLOTS; s++) {
    clMatrix *A = NULL;
    assertOk(*state, clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = s}));
    checkProduct(A, T, 1, 1, 0);
    clMatrixDestroy(A);
  }
  clTripletsDestroy(T);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes), cmocka_unit_test(severalTextureRows), cmocka_unit_test(diagonals),
      cmocka_unit_test(grids), cmocka_unit_test(longRows),           cmocka_unit_test(wideMatrix),
  };
  return cmocka_run_group_tests(tests, testContextCreate, testContextDestroy);
}
