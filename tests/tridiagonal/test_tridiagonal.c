/* Batches of tridiagonal systems against LAPACK's dgtsv; periodic ones against a dense solution by
 * LAPACK's dgesv. */
#include "folder.h"
#include "batch.h"

static void solveBoth(int k, int n, bool periodic, clAxis axis) {
  batch b = newBatch(k, n, periodic, (uint64_t)(100 * k + n));
  operands o = prepare(&b, axis);
  CHECK(clTridiagonalSolve(o.T, o.x, &o.bands, o.rhs));
  assert_true(holds(&b, axis, o.x));
  clVector *packed = uploadPacked(&b, axis);
  CHECK(clVectorFill(o.x, 9));
  CHECK(clTridiagonalSolve(o.T, o.x, &(clTridiagonalBands){.packed = packed}, NULL));
  assert_true(holds(&b, axis, o.x));
  clVectorDestroy(packed);
  release(&o);
  freeBatch(&b);
}

/* All k and n in 1..67 meet, but not each k each n: their sum and their difference take turns. */
static void smallBatches(void **state) {
  (void)state;
  for (int n = 1; n <= 67; n = testNextSize(n))
    for (int step = 0; step < 3; step++)
      for (int axis = 0; axis < 2; axis++)
        solveBoth(1 + (n * (5 + step) + 22 * step) % 67, n, step == 1,
                  axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X);
}

static void largeOddSizes(void **state) {
  (void)state;
  static const int size[][2] = {{1, 4099}, {3, 1025}, {257, 129}, {511, 1023}, {1031, 67}};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    for (int axis = 0; axis < 2; axis++)
      solveBoth(size[i][0], size[i][1], false, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X);
  solveBoth(5, 513, true, TEXLA_AXIS_X);
  solveBoth(5, 513, true, TEXLA_AXIS_Y);
}

/* x may be any operand, and numbers may stand for vectors: the heat equation, implicitly. */
static void aliasesAndConstants(void **state) {
  (void)state;
  for (int axis = 0; axis < 2; axis++) {
    batch b = newBatch(21, 83, axis, 5);
    for (int i = 0; i < b.k * b.n; i++) {
      b.sub[i] = -1;
      b.main[i] = 2.75f;
      b.super[i] = -1.5f;
    }
    solveOnHost(&b);
    operands o = prepare(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X);
    clTridiagonalBands numbers = {.sub_value = -1, .main_value = 2.75f, .super_value = -1.5f};
    CHECK(clTridiagonalSolve(o.T, o.x, &numbers, o.rhs));
    assert_true(holds(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X, o.x));
    clTridiagonalBands mixed = {.sub_value = -1, .main = o.main, .super = o.super};
    CHECK(clTridiagonalSolve(o.T, o.main, &mixed, o.rhs));
    assert_true(holds(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X, o.main));
    CHECK(clTridiagonalSolve(o.T, o.rhs, &numbers, o.rhs));
    assert_true(holds(&b, axis ? TEXLA_AXIS_Y : TEXLA_AXIS_X, o.rhs));
    release(&o);
    freeBatch(&b);
  }
}

/* Blocks of 8 and of 32 rows, which measurements may choose for large batches; 263 x 1021 is just
 * large enough to be measured. */
static void otherBlocks(void **state) {
  (void)state;
  clContext *usual = context;
  Folder folder;
  folderCreate(&folder);
  folderWrite(&folder, "8", "tridiagonal-rows 8\ntridiagonal-packed 8\ntridiagonal-columns 8\n");
  folderWrite(&folder, "32",
              "tridiagonal-rows 32\ntridiagonal-packed 32\ntridiagonal-columns 32\n");
  for (int i = 0; i < 4; i++) {
    context =
        testContextWith((clContextOptions){.tuning = folderPath(&folder, i < 2 ? "8" : "32")});
    solveBoth(263, 1021, false, i % 2 ? TEXLA_AXIS_Y : TEXLA_AXIS_X);
    clContextDestroy(context);
  }
  /* and measured */
  context = testContextWith((clContextOptions){.tuning = folderPath(&folder, "new")});
  solveBoth(263, 1021, false, TEXLA_AXIS_X);
  const char *key = "";
  int value = 0;
  for (int i = 0; strcmp(key, "tridiagonal-rows") != 0; i++)
    assert_true(clContextTuning(context, i, &key, &value));
  assert_true(value == 8 || value == 16 || value == 32);
  clContextDestroy(context);
  folderDestroy(&folder);
  context = usual;
}

/* One system on rows of a grid that continue each other; also where the last blocks of rows have
 * one row. */
static void foldedSystems(void **state) {
  (void)state;
  static const int size[][2] = {{2, 1}, {2, 9}, {7, 5}, {17, 3}, {33, 40}, {64, 21}, {300, 65}};
  for (int i = 0; i < 14; i++) {
    int nx = size[i / 2][0], ny = size[i / 2][1];
    bool periodic = i % 2 && nx * ny < 2000;
    batch b = newBatch(1, nx * ny, periodic, (uint64_t)i), shape = {.k = ny, .n = nx};
    operands o = {.x = newGrid(&shape, TEXLA_AXIS_X, 1)};
    clVector **const to[] = {&o.sub, &o.main, &o.super, &o.rhs};
    const float *const from[] = {b.sub, b.main, b.super, b.rhs};
    for (int k = 0; k < 4; k++)
      *to[k] = upload(&shape, TEXLA_AXIS_X, from[k]);
    CHECK(clTridiagonalCreate(&o.T, context, nx, ny,
                              &(clTridiagonalOptions){.periodic = periodic, .folded = true}));
    CHECK(clTridiagonalSolve(
        o.T, o.x, &(clTridiagonalBands){.sub = o.sub, .main = o.main, .super = o.super}, o.rhs));
    assert_true(holds(&b, TEXLA_AXIS_X, o.x));
    clTridiagonalReport report;
    CHECK(clVectorFill(o.x, 9));
    CHECK(clTridiagonalSolveChecked(
        o.T, o.x, &(clTridiagonalBands){.sub = o.sub, .main = o.main, .super = o.super}, o.rhs,
        &report, NULL));
    assert_true(holds(&b, TEXLA_AXIS_X, o.x) && report.failed == 0 && report.exchanged == 0);
    assert_true(report.backward_error >= 0 && report.backward_error < 1e-6);
    release(&o);
    freeBatch(&b);
  }
}

/* Row i of system j; a[i][1] of x_i, its neighbours beside it. */
static double residualOf(const batch *b, const float *x, int j, int i, double *sum) {
  int n = b->n, at = j * n + i, before = (i + n - 1) % n, after = (i + 1) % n;
  double left = 0, right = 0;
  if (i || b->periodic)
    left = (double)b->sub[at];
  if (i + 1 < n || b->periodic)
    right = (double)b->super[at];
  *sum = fabs(left) + fabs((double)b->main[at]) + fabs(right);
  return fabs((double)b->rhs[at] - left * (double)x[j * n + before] -
              (double)b->main[at] * (double)x[at] - right * (double)x[j * n + after]);
}

/* The backward error of system j, as the header has it, in double. */
static double errorOf(const batch *b, const float *x, int j) {
  double r = 0, most = 0, size = 0;
  for (int i = 0; i < b->n; i++) {
    double sum, residual = residualOf(b, x, j, i, &sum);
    r = fmax(r, residual / sum);
    most = fmax(most, fabs((double)x[j * b->n + i]));
    size = fmax(size, fabs((double)b->rhs[j * b->n + i]) / sum);
  }
  return r / (most + size);
}

static float *download(const batch *b, clAxis axis, const clVector *x) {
  float *turned = malloc((size_t)(b->k * b->n) * sizeof *turned),
        *values = malloc((size_t)(b->k * b->n) * sizeof *values);
  CHECK(clVectorDownload(x, turned));
  for (int j = 0; j < b->k; j++)
    for (int i = 0; i < b->n; i++)
      values[j * b->n + i] = turned[placeOf(b, axis, j, i)];
  free(turned);
  return values;
}

/* Every third system has a diagonal of zeros and 1e-9 (0.75 where periodic), every fifth one row of
 * zeros, every seventh a NaN; the rest are dominant. */
static bool isTough(int j) {
  return j % 3 == 1;
}
static clTridiagonalState stateOf(int j) {
  if (j % 7 == 3)
    return TEXLA_TRIDIAGONAL_NOT_FINITE;
  return j % 5 == 2 ? TEXLA_TRIDIAGONAL_SINGULAR : TEXLA_TRIDIAGONAL_SOLVED;
}

static void spoil(batch *b) {
  for (int j = 0; j < b->k; j++) {
    int first = j * b->n;
    for (int i = 0; i < b->n && isTough(j); i++) {
      float small = b->periodic ? 0.75f : 1e-9f;
      b->main[first + i] = i % 2 ? 0 : small;
      b->sub[first + i] = b->super[first + i] = 1;
    }
    float *spoilt = j % 2 ? b->main : b->rhs;
    if (stateOf(j) == TEXLA_TRIDIAGONAL_NOT_FINITE)
      spoilt[first + b->n / 2] = j % 4 < 2 ? NAN : INFINITY;
    if (stateOf(j) == TEXLA_TRIDIAGONAL_SINGULAR)
      b->sub[first + b->n / 3] = b->main[first + b->n / 3] = b->super[first + b->n / 3] = 0;
    /* not part of the systems */
    if (!b->periodic)
      b->sub[first] = b->super[first + b->n - 1] = NAN;
  }
}

static void badSystems(clAxis axis, bool periodic) {
  /* even: an odd number of rows with a zero diagonal is singular */
  enum { K = 43, N = 54 };
  batch b = newBatch(K, N, periodic, 12);
  spoil(&b);
  operands o = prepare(&b, axis);
  clTridiagonalReport report = {0};
  clTridiagonalState states[K];
  assertFails(context, clTridiagonalSolveChecked(o.T, o.x, &o.bands, o.rhs, &report, states),
              TEXLA_SINGULAR, "system 2 is singular to working precision; 14 of 43");
  float *x = download(&b, axis, o.x);
  int failed = 0;
  for (int j = 0; j < K; j++) {
    assert_int_equal(states[j], stateOf(j));
    failed += stateOf(j) != TEXLA_TRIDIAGONAL_SOLVED;
    for (int i = 0; i < N && stateOf(j); i++)
      assert_true(x[j * N + i] == 0);
    if (!stateOf(j) && !(errorOf(&b, x, j) < tolerance))
      fail_msg("system %d: backward error %g", j, errorOf(&b, x, j));
  }
  assert_int_equal(report.failed, failed);
  assert_int_equal(report.first, 2);
  assert_true(report.backward_error < tolerance && report.backward_error > 0);
  assert_true(report.exchanged > failed && report.exchanged < K / 2 + failed);
  free(x);
  release(&o);
  freeBatch(&b);
}

static void singularAndNotFinite(void **state) {
  (void)state;
  static const clAxis axes[] = {TEXLA_AXIS_X, TEXLA_AXIS_Y};
  for (int i = 0; i < 4; i++)
    badSystems(axes[i % 2], i / 2);
}

/* Doubles of all sizes: every row of the batch times a power of two, up to 2^+-200, and so is each
 * solution. */
static void hostBatch(int k, int n, bool periodic) {
  batch b = newBatch(k, n, periodic, 77);
  size_t count = (size_t)k * (size_t)n;
  double *wide[5];
  for (int v = 0; v < 5; v++)
    wide[v] = malloc(count * sizeof *wide[v]);
  uint64_t state = 5;
  for (size_t i = 0; i < count; i++) {
    double scale = ldexp(1, (int)(200 * randomUnit(&state))),
           size = ldexp(1, (int)(i / (size_t)n % 300) - 150);
    wide[0][i] = scale * (double)b.sub[i];
    wide[1][i] = scale * (double)b.main[i];
    wide[2][i] = scale * (double)b.super[i];
    wide[3][i] = scale * size * (double)b.rhs[i];
    wide[4][i] = 7;
    b.x[i] *= size;
  }
  clTridiagonalBatch given = {k, n, periodic, wide[0], wide[1], wide[2], wide[3]};
  for (int refine = 0; refine < 2; refine++) {
    clTridiagonalReport report = {0};
    clTridiagonalHostOptions options = {.refine = refine};
    CHECK(clTridiagonalSolveHost(context, wide[4], &given, &options, &report, NULL));
    /* the rows of the batch, 2^-8 to 2^8, cost dgtsv some digits, too */
    double limit = refine ? 1e-12 : tolerance;
    assert_true(report.backward_error < (refine ? 1e-15 : tolerance) && report.failed == 0 &&
                report.first == -1);
    assertWithin(report.iterations, 1 + refine, refine ? 5 : 1);
    for (int j = 0; j < k; j++) {
      double most = 0;
      for (int i = 0; i < n; i++)
        most = fmax(most, fabs(b.x[j * n + i]));
      for (int i = 0; i < n; i++)
        if (!(fabs(wide[4][j * n + i] - b.x[j * n + i]) <= limit * most))
          fail_msg("refined %d: %d of %d: %.17g, not %.17g, the largest %g", refine, i, j,
                   wide[4][j * n + i], b.x[j * n + i], most);
    }
  }
  for (int v = 0; v < 5; v++)
    free(wide[v]);
  freeBatch(&b);
}

static void onTheHost(void **state) {
  (void)state;
  hostBatch(1, 1, false);
  hostBatch(320, 17, false);
  hostBatch(11, 129, true);
  /* longer than a texture's row of 16384 texels: folded */
  hostBatch(1, 70001, false);
  /* more than it has rows */
  hostBatch(20011, 3, false);
}

/* Systems that need row exchanges, singular ones and NaN; refined all the same. */
static void toughOnTheHost(void **state) {
  (void)state;
  enum { K = 43, N = 54 };
  batch b = newBatch(K, N, false, 12);
  spoil(&b);
  double *wide[5];
  const float *from[] = {b.sub, b.main, b.super, b.rhs};
  for (int v = 0; v < 5; v++) {
    wide[v] = malloc(K * N * sizeof *wide[v]);
    for (int i = 0; i < K * N && v < 4; i++)
      wide[v][i] = (double)from[v][i];
  }
  clTridiagonalBatch given = {K, N, false, wide[0], wide[1], wide[2], wide[3]};
  clTridiagonalState states[K];
  clTridiagonalReport report = {0};
  assertFails(context,
              clTridiagonalSolveHost(context, wide[4], &given,
                                     &(clTridiagonalHostOptions){.refine = true}, &report, states),
              TEXLA_SINGULAR, "system 2 is singular to working precision; 14 of 43 systems");
  for (int j = 0; j < K; j++) {
    assert_int_equal(states[j], stateOf(j));
    for (int i = 0; i < N && stateOf(j); i++)
      assert_true(wide[4][j * N + i] == 0);
  }
  assert_true(report.failed == 14 && report.first == 2 && report.exchanged > 14 &&
              report.backward_error < 1e-15);
  assertFails(context, clTridiagonalSolveHost(context, NULL, &given, NULL, NULL, NULL),
              TEXLA_BAD_ARGUMENT, "must not be NULL");
  given.rows = 0;
  assertFails(context, clTridiagonalSolveHost(context, wide[4], &given, NULL, NULL, NULL),
              TEXLA_BAD_ARGUMENT, "43 systems of 0 rows");
  given.rows = (int64_t)1 << 60;
  assertFails(context, clTridiagonalSolveHost(context, wide[4], &given, NULL, NULL, NULL),
              TEXLA_TOO_LARGE, "too many");
  given.rows = (int64_t)1 << 40;
  assertFails(context, clTridiagonalSolveHost(context, wide[4], &given, NULL, NULL, NULL),
              TEXLA_TOO_LARGE, "too long");
  for (int v = 0; v < 5; v++)
    free(wide[v]);
  freeBatch(&b);
}

static void wrongOperands(void **state) {
  (void)state;
  clContext *other = testContextWith((clContextOptions){0});
  clTridiagonal *T = NULL, *none = NULL;
  clVector *x = NULL, *small = NULL, *foreign = NULL;
  clTridiagonalBands A = {.main_value = 1};
  assertFails(context, clTridiagonalCreate(&none, context, 0, 3, NULL), TEXLA_BAD_ARGUMENT,
              "nx (0) and ny (3)");
  assertFails(context, clTridiagonalCreate(NULL, context, 3, 3, NULL), TEXLA_BAD_ARGUMENT,
              "must not be NULL");
  assertFails(context, clTridiagonalCreate(&none, context, 3, 1 << 24, NULL), TEXLA_TOO_LARGE,
              "does not fit");
  assertFails(context,
              clTridiagonalCreate(&none, context, 3, 3, &(clTridiagonalOptions){.axis = (clAxis)7}),
              TEXLA_BAD_ARGUMENT, "no axis 7");
  assertFails(context,
              clTridiagonalCreate(&none, context, 1, 3, &(clTridiagonalOptions){.folded = true}),
              TEXLA_BAD_ARGUMENT, "rows of at least 2 (1)");
  assert_null(none);
  assert_int_equal(clTridiagonalCreate(&none, NULL, 3, 3, NULL), TEXLA_BAD_ARGUMENT);
  CHECK(clTridiagonalCreate(&T, context, 6, 5, NULL));
  CHECK(clVectorCreateGrid(&x, context, 6, 5));
  CHECK(clVectorCreateGrid(&small, context, 5, 6));
  CHECK(clVectorCreateGrid(&foreign, other, 6, 5));
  CHECK(clVectorFill(x, 3));
  assert_int_equal(clTridiagonalSolve(NULL, x, &A, x), TEXLA_BAD_ARGUMENT);
  assertFails(context, clTridiagonalSolve(T, x, NULL, x), TEXLA_BAD_ARGUMENT,
              "T and A must not be NULL");
  assertFails(context, clTridiagonalSolve(T, NULL, &A, x), TEXLA_BAD_ARGUMENT,
              "x must not be NULL");
  assertFails(context, clTridiagonalSolve(T, x, &A, NULL), TEXLA_BAD_ARGUMENT,
              "rhs must not be NULL");
  assertFails(context, clTridiagonalSolve(T, x, &A, small), TEXLA_BAD_SHAPE,
              "grid 6 x 5 but rhs is grid 5 x 6");
  assertFails(context, clTridiagonalSolve(T, x, &A, foreign), TEXLA_FOREIGN_CONTEXT,
              "clTridiagonalSolve");
  assertFails(context, clTridiagonalSolve(T, x, &(clTridiagonalBands){.main = small}, x),
              TEXLA_BAD_SHAPE, "main is grid 5 x 6");
  assertFails(context, clTridiagonalSolve(T, x, &(clTridiagonalBands){.packed = x}, NULL),
              TEXLA_BAD_SHAPE, "the packed system is grid 24 x 5 but packed is grid 6 x 5");
  assertFails(context, clTridiagonalSolve(T, x, &(clTridiagonalBands){.packed = x}, x),
              TEXLA_BAD_ARGUMENT, "packed bands hold the right-hand side");
  assertFails(context, clTridiagonalSolveFactored(T, x, x), TEXLA_BAD_ARGUMENT,
              "clTridiagonalFactor first");
  assertFails(context, clTridiagonalSolveZebra(T, x, x, 2), TEXLA_BAD_ARGUMENT,
              "first (2) must be 0 or 1");
  assertFails(context, clTridiagonalFactor(T, &(clTridiagonalBands){.packed = x}),
              TEXLA_BAD_ARGUMENT, "not packed");
  assertFails(context, clTridiagonalFactor(T, &(clTridiagonalBands){.sub = small}), TEXLA_BAD_SHAPE,
              "sub is grid 5 x 6");
  float values[30];
  CHECK(clVectorDownload(x, values));
  for (int i = 0; i < 30; i++)
    assert_true(values[i] == 3);
  clTridiagonalDestroy(T);
  clTridiagonalDestroy(NULL);
  clVectorDestroy(x);
  clVectorDestroy(small);
  clVectorDestroy(foreign);
  clContextDestroy(other);
}

int main(int argc, char **argv) {
  /* one test by name */
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smallBatches),        cmocka_unit_test(largeOddSizes),
      cmocka_unit_test(aliasesAndConstants), cmocka_unit_test(otherBlocks),
      cmocka_unit_test(foldedSystems),       cmocka_unit_test(singularAndNotFinite),
      cmocka_unit_test(onTheHost),           cmocka_unit_test(toughOnTheHost),
      cmocka_unit_test(wrongOperands)};
  return cmocka_run_group_tests_name("tridiagonal", tests, setUp, testContextDestroy);
}
