/* y <- ca op(A) x + cb b in every storage against the double-precision oracle. */
#include "common.h"

#include <dirent.h>
#include <float.h>
#include <math.h>

#include "matrices.h"
#include "matrix/matrix.h"
#include "vector/vector.h"
#include "oracle/matvec.h"
#include "oracle/vector.h"
#include "texla/texla.h"

/* |y_i - exact| <= roundings * eps * (|op(A)| |x| + |b|)_i. Groups make the sums pairwise in
 * character, so that the roundings do not grow with a row's length, except where points or
 * diagonals add up one by one. */
static double roundings(clStorage storage, int64_t longest) {
  switch (storage) {
  case TEXLA_STORAGE_BANDED:
    return 4 + (double)longest;
  case TEXLA_STORAGE_POINTS:
    return 8 + (double)longest / 4;
  default:
    return 24;
  }
}
/* Products below the smallest normal number may lose all their digits. */
static const double tiny = 1e3 * (double)FLT_MIN;

/* All of them, and what auto chooses. */
#define STORAGE(name, text, summary) name,
static const clStorage storages[] = {TEXLA_STORAGE_LIST(STORAGE)};
enum { STORAGES = sizeof storages / sizeof *storages };

static uint64_t seed = 1;
static void add(clTriplets *T, int32_t i, int32_t j) {
  double value = ((int)(randomBits(&seed) % 2001) - 1000) / 700.0;
  assert_int_equal(clTripletsAdd(T, i, j, value, NULL), TEXLA_OK);
}

/* About `per_row` entries in a row, explicit zeros among them; empty rows and columns when there
 * are few. */
static clTriplets *randomMatrix(int32_t rows, int32_t cols, int per_row) {
  clTriplets *T = emptyMatrix(rows, cols);
  for (int32_t i = 0; i < rows; i++) {
    int n = (int)(randomBits(&seed) % (uint32_t)(2 * per_row + 1));
    for (int k = 0; k < n; k++)
      add(T, i, (int32_t)(randomBits(&seed) % (uint32_t)cols));
    if (n && i % 7 == 3)
      assert_int_equal(clTripletsAdd(T, i, (int32_t)(randomBits(&seed) % (uint32_t)cols), 0, NULL),
                       TEXLA_OK);
  }
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  return T;
}

/* Random ones of a point's neighbours, row by row: as many diagonals whatever the grid. (Each set
 * of diagonals is a program of its own.) */
static clTriplets *randomNeighbours(int nx, int ny) {
  clTriplets *T = emptyMatrix(nx * ny, nx * ny);
  for (int i = 0; i < nx * ny; i++)
    for (int k = -6; k <= 6; k++) {
      int j = i + k + nx * ((k > 2) - (k < -2));
      if (j >= 0 && j < nx * ny && randomBits(&seed) % 2)
        add(T, i, j);
    }
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  return T;
}

static int64_t longestLine(const clTriplets *T, bool transposed) {
  int32_t n = transposed ? T->cols : T->rows;
  int64_t *count = calloc((size_t)n, sizeof *count), longest = 0;
  assert_non_null(count);
  for (int64_t k = 0; k < T->count; k++) {
    int64_t *c = &count[transposed ? T->col[k] : T->row[k]];
    longest = ++*c > longest ? *c : longest;
  }
  free(count);
  return longest;
}

/* Operands of one product, on both sides. */
typedef struct Operands {
  clVector *x, *y, *b;
  float *xs, *bs;
  double *exact, *bound;
  int64_t n;
} Operands;

static Operands makeOperands(const clMatrix *A, bool transposed) {
  clContext *context = clMatrixContext(A);
  Operands o = {0};
  clMatrixSpace in = transposed ? TEXLA_RANGE : TEXLA_DOMAIN;
  clMatrixSpace out = transposed ? TEXLA_DOMAIN : TEXLA_RANGE;
  assertOk(context, clMatrixCreateVector(&o.x, A, in));
  assertOk(context, clMatrixCreateVector(&o.y, A, out));
  assertOk(context, clMatrixCreateVector(&o.b, A, out));
  int64_t m = clVectorLength(o.x);
  o.n = clVectorLength(o.y);
  o.xs = malloc((size_t)m * sizeof *o.xs);
  o.bs = malloc((size_t)o.n * sizeof *o.bs);
  o.exact = malloc((size_t)o.n * sizeof *o.exact);
  o.bound = malloc((size_t)o.n * sizeof *o.bound);
  assert_true(o.xs && o.bs && o.exact && o.bound);
  oracleFill(o.xs, m, randomBits(&seed), -1, 1);
  oracleFill(o.bs, o.n, randomBits(&seed), -1, 1);
  assertOk(context, clVectorUpload(o.x, o.xs));
  assertOk(context, clVectorUpload(o.b, o.bs));
  return o;
}

static void dropOperands(Operands *o) {
  clVectorDestroy(o->x);
  clVectorDestroy(o->y);
  clVectorDestroy(o->b);
  free(o->xs);
  free(o->bs);
  free(o->exact);
  free(o->bound);
}

/* One product; `alias`: b is y. The oracle also looks at the padding lanes. */
static void checkProduct(const clMatrix *A, const clTriplets *T, clMatrixOp op, bool transposed,
                         bool alias, const char *name) {
  static const double ca[] = {1, 1, 1, -1}, cb[] = {0, 1, -1, 1};
  clContext *context = clMatrixContext(A);
  Operands o = makeOperands(A, transposed);
  clVector *b = alias ? o.y : o.b;
  if (op == TEXLA_OP_AX)
    b = NULL;
  assertOk(context, clVectorUpload(o.y, o.bs));
  int64_t readbacks = clContextStatistics(context).readbacks;
  assertOk(context, clMatrixVectorOp(o.y, op, A, transposed, o.x, b));
  assert_int_equal(clContextStatistics(context).readbacks, readbacks);
  oracleMatvec(o.exact, o.bound, ca[op], T, transposed, o.xs, cb[op],
               op == TEXLA_OP_AX ? NULL : o.bs);
  double factor = roundings(clMatrixStorage(A), longestLine(T, transposed)) * (double)FLT_EPSILON;
  for (int64_t i = 0; i < o.n; i++)
    o.bound[i] = factor * o.bound[i] + tiny;
  char what[512];
  snprintf(what, sizeof what, "%s: %s, operation %d, transposed %d, aliased %d", name,
           clMatrixDescription(A), (int)op, transposed, alias);
  assert_true(oracleHolds(what, o.y, o.exact, o.bound, 1));
  dropOperands(&o);
}

static void checkDiagonal(const clMatrix *A, const clTriplets *T, const char *name) {
  clContext *context = clMatrixContext(A);
  clVector *d = NULL;
  double *exact = calloc((size_t)T->rows, sizeof *exact);
  assert_non_null(exact);
  for (int64_t k = 0; k < T->count; k++)
    if (T->row[k] == T->col[k])
      exact[T->row[k]] = (double)(float)T->value[k];
  assertOk(context, clMatrixCreateVector(&d, A, TEXLA_RANGE));
  assertOk(context, clVectorFill(d, 3));
  assertOk(context, clMatrixDiagonal(d, A));
  assert_true(oracleHolds(name, d, exact, NULL, 0));
  free(exact);
  clVectorDestroy(d);
}

/* All the forms, or, when not thorough, one of each direction. */
static void checkMatrix(clContext *context, const clTriplets *T, clMatrixOptions options,
                        bool thorough, const char *name) {
  clMatrix *A = NULL;
  clStatus status = clMatrixCreate(&A, context, T, &options);
  /* not made for every matrix */
  if (options.storage == TEXLA_STORAGE_BANDED &&
      (status == TEXLA_UNSUPPORTED || status == TEXLA_TOO_LARGE))
    return;
  assertOk(context, status);
  for (int transposed = 0; transposed < 2; transposed++)
    for (clMatrixOp op = TEXLA_OP_AX; op <= TEXLA_OP_B_MINUS_AX; op++)
      for (int alias = 0; alias < (op == TEXLA_OP_AX ? 1 : 2); alias++)
        if (thorough || (transposed ? op == TEXLA_OP_B_MINUS_AX && alias : op == TEXLA_OP_AX))
          checkProduct(A, T, op, transposed, alias, name);
  if (T->rows == T->cols)
    checkDiagonal(A, T, name);
  clMatrixDestroy(A);
}

static int64_t countDiagonals(const clTriplets *T) {
  int64_t n = (int64_t)T->rows + T->cols, count = 0;
  bool *used = calloc((size_t)n, sizeof *used);
  assert_non_null(used);
  for (int64_t k = 0; k < T->count; k++) {
    bool *d = &used[T->col[k] - T->row[k] + T->rows];
    count += !*d;
    *d = true;
  }
  free(used);
  return count;
}

static bool holds(clStorage storage, const clTriplets *T) {
  if (storage == TEXLA_STORAGE_DENSE)
    return (int64_t)T->rows * T->cols <= 5000000;
  return storage != TEXLA_STORAGE_BANDED || countDiagonals(T) <= 200;
}

/* In every storage that holds it in reasonable time. Consumes T. */
static void checkEverywhere(clContext *context, clTriplets *T, bool thorough, const char *name) {
  for (int s = 0; s < STORAGES; s++)
    if (holds(storages[s], T))
      checkMatrix(context, T, (clMatrixOptions){.storage = storages[s]}, thorough, name);
  clTripletsDestroy(T);
}

static void squareMatrices(void **state) {
  static const int32_t sizes[] = {1, 2, 3, 4, 5, 7, 31, 97, 1000};
  /* short: all forms for 3 and 7 only */
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    checkEverywhere(*state, randomMatrix(sizes[k], sizes[k], 5),
                    testLong() || sizes[k] == 3 || sizes[k] == 7, "square");
}

static void severalTextureRows(void **state) {
  static const int32_t sizes[] = {4095, 4096, 4097, 12301};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    checkEverywhere(*state, randomMatrix(sizes[k], sizes[k], 3), k == 2, "several texture rows");
}

static void rectangularMatrices(void **state) {
  static const int32_t sizes[][2] = {{1, 7},    {7, 1},    {5, 300},   {300, 5},
                                     {4097, 9}, {9, 4097}, {1, 20011}, {20011, 1}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    checkEverywhere(*state, randomMatrix(sizes[k][0], sizes[k][1], 4), k < (testLong() ? 4 : 2),
                    "rectangular");
}

static void sparsities(void **state) {
  static const int per_row[] = {1, 9, 17, 40, 130};
  for (size_t k = 0; k < sizeof per_row / sizeof *per_row; k++)
    checkEverywhere(*state, randomMatrix(601, 701, per_row[k]), false, "sparsity");
}

static void emptyMatrices(void **state) {
  checkEverywhere(*state, emptyMatrix(1, 1), true, "empty");
  checkEverywhere(*state, emptyMatrix(513, 6), true, "empty");
}

static void longRows(void **state) {
  for (int dense_row = 0; dense_row < 3; dense_row++) {
    /* the chunks of a row make rows that are cut again */
    int32_t n = 70001;
    clTriplets *T = emptyMatrix(n, n);
    for (int32_t i = 0; i < n; i++)
      if (i == dense_row * (n / 2))
        for (int32_t j = 0; j < n; j++)
          add(T, i, j);
      else if (i % 3)
        add(T, i, i);
    checkEverywhere(*state, T, false, "one dense row");
  }
}

static void fullMatrix(void **state) {
  clTriplets *T = emptyMatrix(300, 1300);
  for (int32_t i = 0; i < T->rows; i++)
    for (int32_t j = 0; j < T->cols; j++)
      add(T, i, j);
  checkEverywhere(*state, T, false, "no zeros");
}

static void aMillionRows(void **state) {
  checkEverywhere(*state, randomMatrix(1000003, 1000003, 3), false, "a million rows");
}

/* Positions beyond 2^24 are no longer floats. */
static void wideMatrix(void **state) {
  int32_t cols = (1 << 24) + 4099;
  clTriplets *T = emptyMatrix(9, cols);
  for (int32_t i = 0; i < T->rows; i++)
    for (int k = 0; k < 6; k++)
      add(T, i, cols - 1 - (int32_t)(randomBits(&seed) % 8192));
  assert_int_equal(clTripletsCompress(T, NULL), TEXLA_OK);
  clMatrix *A = NULL;
  assertFails(*state,
              clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS}),
              TEXLA_TOO_LARGE, "16781315 columns are too many");
  assert_null(A);
  for (clStorage s = TEXLA_STORAGE_CSR; s <= TEXLA_STORAGE_SLOTS; s++) {
    assertOk(*state, clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = s}));
    checkProduct(A, T, TEXLA_OP_AX, false, false, "wide");
    clMatrixDestroy(A);
    A = NULL;
  }
  clTripletsDestroy(T);
}

static void gridLayouts(void **state) {
  static const int grids[][2] = {{1, 5}, {5, 1}, {3, 4}, {13, 11}, {64, 33}, {70, 41}};
  for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
    int nx = grids[k][0], ny = grids[k][1];
    clTriplets *T = k < 3 ? randomMatrix(nx * ny, nx * ny, 5) : randomNeighbours(nx, ny);
    for (int s = 0; s < STORAGES; s++)
      checkMatrix(*state, T,
                  (clMatrixOptions){.storage = storages[s], .grid_nx = nx, .grid_ny = ny}, k == 3,
                  "grid");
    clTripletsDestroy(T);
  }
}

/* Positive terms: a serial sum would err by hundreds of eps. */
static void longSumsStayAccurate(void **state) {
  enum { N = 2000 };
  float *values = malloc(sizeof(float) * N * N);
  assert_non_null(values);
  oracleFill(values, N * N, 5, 0, 1);
  clTriplets *T = emptyMatrix(N, N);
  for (int32_t i = 0; i < N; i++)
    for (int32_t j = 0; j < N; j++)
      assert_int_equal(clTripletsAdd(T, i, j, (double)values[i * N + j], NULL), TEXLA_OK);
  clMatrix *A = NULL;
  assertOk(*state, clMatrixCreateDense(&A, *state, N, N, values, N));
  Operands o = makeOperands(A, false);
  assertOk(*state, clVectorFill(o.x, 0.7f));
  for (int i = 0; i < N; i++)
    o.xs[i] = 0.7f;
  for (int transposed = 0; transposed < 2; transposed++) {
    assertOk(*state, clMatrixVectorOp(o.y, TEXLA_OP_AX, A, (clTranspose)transposed, o.x, NULL));
    oracleMatvec(o.exact, o.bound, 1, T, transposed, o.xs, 0, NULL);
    assert_true(oracleHolds("positive terms", o.y, o.exact, o.bound, 3 * (double)FLT_EPSILON));
  }
  dropOperands(&o);
  clMatrixDestroy(A);
  clTripletsDestroy(T);
  free(values);
}

/* A leading dimension beyond the columns, and both factors of a tall and a wide shape. */
static void denseArrays(void **state) {
  static const int32_t sizes[][3] = {{1, 1, 1},      {5, 3, 8},         {4, 4, 4},
                                     {300003, 5, 7}, {6, 50021, 50023}, {1030, 1025, 1031}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int32_t rows = sizes[k][0], cols = sizes[k][1], lead = sizes[k][2];
    float *values = malloc(sizeof(float) * (size_t)lead * (size_t)rows);
    assert_non_null(values);
    oracleFill(values, (int64_t)lead * rows, k, -1, 1);
    clTriplets *T = emptyMatrix(rows, cols);
    for (int32_t i = 0; i < rows; i++)
      for (int32_t j = 0; j < cols; j++)
        assert_int_equal(clTripletsAdd(T, i, j, (double)values[(int64_t)i * lead + j], NULL),
                         TEXLA_OK);
    clMatrix *A = NULL;
    assertOk(*state, clMatrixCreateDense(&A, *state, rows, cols, values, lead));
    for (int transposed = 0; transposed < 2; transposed++)
      checkProduct(A, T, TEXLA_OP_B_MINUS_AX, transposed, false, "dense array");
    clMatrixDestroy(A);
    clTripletsDestroy(T);
    free(values);
  }
}

/* What the first transposed product builds is kept, and the entries on the host are not. */
static void transposeIsBuiltOnce(void **state) {
  for (clStorage s = TEXLA_STORAGE_POINTS; s <= TEXLA_STORAGE_SLOTS; s++)
    for (int symmetric = 0; symmetric < 2; symmetric++) {
      clTriplets *T = NULL;
      clMatrix *A = NULL;
      assert_int_equal(clGeneratePoisson2d(&T, 9, 5, NULL), TEXLA_OK);
      if (!symmetric)
        T->value[1] = -7;
      assertOk(*state, clMatrixCreate(&A, *state, T, &(clMatrixOptions){.storage = s}));
      checkProduct(A, T, TEXLA_OP_AX, true, false, "first");
      const clMatrix *kept = A->transpose;
      assert_true(symmetric ? kept == A : kept != A);
      assert_null(A->host);
      int64_t uploads = clContextStatistics(*state).uploads;
      checkProduct(A, T, TEXLA_OP_AX, true, false, "second");
      assert_ptr_equal(A->transpose, kept);
      /* x, b and y of the test */
      assert_int_equal(clContextStatistics(*state).uploads - uploads, 3);
      clMatrixDestroy(A);
      clTripletsDestroy(T);
    }
}

/* Without blending of floats points are refused, and another storage is named. */
static void pointsNeedBlending(void **state) {
  (void)state;
  clContext *context = testContextWith((clContextOptions){.debug = true});
  clTriplets *T = randomMatrix(5003, 4999, 12);
  clMatrix *A = NULL;
  int64_t passes = clContextStatistics(context).passes;
  assertOk(context,
           clMatrixCreate(&A, context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS}));
  checkProduct(A, T, TEXLA_OP_AX, false, false, "points");
  assert_true(clContextStatistics(context).passes - passes < 5);
  clMatrixDestroy(A);
  ((clContextInfo *)(uintptr_t)clContextInspect(context))->probes.blendable = false;
  assertFails(context,
              clMatrixCreate(&A, context, T, &(clMatrixOptions){.storage = TEXLA_STORAGE_POINTS}),
              TEXLA_UNSUPPORTED, "use the storage csr or slots");
  clTripletsDestroy(T);
  clContextDestroy(context);
}

static bool endsWith(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

/* Products must stay within single precision. */
static bool fits(const clTriplets *T) {
  double sum = 0;
  for (int64_t k = 0; k < T->count; k++)
    sum += fabs(T->value[k]);
  return sum < (double)FLT_MAX;
}

static void realMatrices(void **state) {
  const char *data = getenv("TEXLA_DATA_DIR");
  char folder[512], path[1024];
  snprintf(folder, sizeof folder, "%s/matrices", data ? data : TEXLA_SOURCE_DIR "/../shared/data");
  DIR *list = opendir(folder);
  if (!list)
    testSkip("no real matrices (TEXLA_DATA_DIR)");
  int checked = 0;
  for (const struct dirent *entry; (entry = readdir(list));) {
    clTriplets *T = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (!endsWith(path, ".mtx") || clMatrixMarketRead(&T, path, NULL))
      continue;
    if (T->rows > 20000 || !fits(T)) {
      clTripletsDestroy(T);
      continue;
    }
    /* short: in half of the storages, by turns with the number of entries */
    for (size_t s = 0; s < STORAGES; s++)
      if (testTakes((size_t)T->count + s) && holds(storages[s], T))
        checkMatrix(*state, T, (clMatrixOptions){.storage = storages[s]}, false, entry->d_name);
    clTripletsDestroy(T);
    checked++;
  }
  closedir(list);
  assert_true(checked > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(squareMatrices),       cmocka_unit_test(severalTextureRows),
      cmocka_unit_test(rectangularMatrices),  cmocka_unit_test(sparsities),
      cmocka_unit_test(emptyMatrices),        cmocka_unit_test(longRows),
      cmocka_unit_test(fullMatrix),           cmocka_unit_test(aMillionRows),
      cmocka_unit_test(wideMatrix),           cmocka_unit_test(gridLayouts),
      cmocka_unit_test(longSumsStayAccurate), cmocka_unit_test(denseArrays),
      cmocka_unit_test(transposeIsBuiltOnce), cmocka_unit_test(pointsNeedBlending),
      cmocka_unit_test(realMatrices),
  };
  return cmocka_run_group_tests(tests, testContextCreate, testContextDestroy);
}
