/* Reductions against double precision. */
#include "common.h"
#include "folder.h"
#include "gl/gl.h"
#include "oracle/vector.h"

/* A level joins groups of 8 and strips of up to 64 texels, the last one groups of 16: in eps * (sum
 * of magnitudes). */
static const double sum_tolerance = 16;
/* of 10^6 + 3 positive numbers; one after the other would give hundreds */
static const double long_sum_tolerance = 4;
static const double norm_tolerance = 10;
static const double eps = FLT_EPSILON;

typedef struct Reductions {
  clFloat *sum, *dot, *norm, *min, *max, *abs_max, *value, *row, *column;
} Reductions;
enum { RESULTS = sizeof(Reductions) / sizeof(clFloat *) };

static void createResults(Reductions *r, clContext *context) {
  for (int i = 0; i < RESULTS; i++) {
    ((clFloat **)r)[i] = NULL;
    assertOk(context, clFloatCreate(&((clFloat **)r)[i], context));
  }
}

static void destroyResults(Reductions *r) {
  for (int i = 0; i < RESULTS; i++)
    clFloatDestroy(((clFloat **)r)[i]);
}

static double get(clContext *context, const clFloat *s) {
  float value = -12345;
  assertOk(context, clFloatDownload(s, &value));
  return (double)value;
}

static void reduceAll(clContext *context, const Reductions *r, const clVector *x,
                      const clVector *y) {
  assertOk(context, clVectorSum(r->sum, x));
  assertOk(context, clVectorDot(r->dot, x, y));
  assertOk(context, clVectorNorm(r->norm, x));
  assertOk(context, clVectorMin(r->min, x));
  assertOk(context, clVectorMax(r->max, x));
  assertOk(context, clVectorAbsMax(r->abs_max, x));
  assertOk(context, clVectorArgMax(r->value, r->row, r->column, x));
}

static void checkSums(clContext *context, const Reductions *r, const float *x, const float *y,
                      int64_t n) {
  double sum = 0, magnitude = 0, dot = 0, dot_magnitude = 0, square = 0;
  for (int64_t i = 0; i < n; i++) {
    double a = (double)x[i], b = (double)y[i];
    sum += a;
    magnitude += fabs(a);
    dot += a * b;
    dot_magnitude += fabs(a * b);
    square += a * a;
  }
  assert_true(fabs(get(context, r->sum) - sum) <= sum_tolerance * eps * magnitude);
  assert_true(fabs(get(context, r->dot) - dot) <= sum_tolerance * eps * dot_magnitude);
  assert_true(fabs(get(context, r->norm) - sqrt(square)) <= norm_tolerance * eps * sqrt(square));
}

static void checkExtremes(clContext *context, const Reductions *r, const clVector *v,
                          const float *x, int64_t n) {
  int64_t largest = 0;
  float low = x[0], high = x[0];
  for (int64_t i = 1; i < n; i++) {
    low = fminf(low, x[i]);
    high = fmaxf(high, x[i]);
    if (fabsf(x[i]) > fabsf(x[largest]))
      largest = i;
  }
  assert_true(get(context, r->min) == (double)low);
  assert_true(get(context, r->max) == (double)high);
  assert_true(get(context, r->abs_max) == (double)fabsf(x[largest]));
  assert_true(get(context, r->value) == (double)x[largest]);
  int64_t at =
      (int64_t)get(context, r->row) * clVectorRowLength(v) + (int64_t)get(context, r->column);
  assert_int_equal(at, largest);
}

static void everyReductionOnEveryShape(void **state) {
  /* one sign alone: zeros of the padding would show */
  static const double range[][2] = {{-1, 1}, {0.5, 1}, {-3, -2}};
  clContext *context = *state;
  Reductions r;
  createResults(&r, context);
  for (int s = 0; s < oracle_shape_count; s++) {
    int64_t n = oracleLength(oracle_shapes[s]);
    FREED float *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    OWN(clVector) *vx = NULL, *vy = NULL;
    assertOk(context, oracleCreate(&vx, context, oracle_shapes[s]));
    assertOk(context, oracleCreate(&vy, context, oracle_shapes[s]));
    for (int k = 0; k < 3; k++) {
      oracleFill(x, n, (uint64_t)(s + 100 * k), range[k][0], range[k][1]);
      oracleFill(y, n, (uint64_t)(s + 100 * k + 50), -1, 1);
      assertOk(context, clVectorUpload(vx, x));
      assertOk(context, clVectorUpload(vy, y));
      reduceAll(context, &r, vx, vy);
      checkSums(context, &r, x, y, n);
      checkExtremes(context, &r, vx, x, n);
    }
  }
  destroyResults(&r);
}

static void longSumsArePairwise(void **state) {
  clContext *context = *state;
  const int n = 1000003;
  FREED float *x = malloc((size_t)n * sizeof *x);
  clVector *v = NULL;
  OWN(clFloat) *s = NULL;
  double sum = 0;
  oracleFill(x, n, 3, 0, 1);
  /* swallows one number after the other when they are added singly */
  x[0] = 4e6f;
  for (int i = 0; i < n; i++)
    sum += (double)x[i];
  assertOk(context, clVectorCreate(&v, context, n));
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clVectorUpload(v, x));
  assertOk(context, clVectorSum(s, v));
  assert_true(fabs(get(context, s) - sum) <= long_sum_tolerance * eps * sum);
  assertOk(context, clVectorFill(v, 0.1f));
  assertOk(context, clVectorSum(s, v));
  assert_true(fabs(get(context, s) - n * (double)0.1f) <= long_sum_tolerance * eps * n * 0.1);
  /* 1024 elements are left to one fragment: 1 and many numbers that are each lost beside it */
  clVectorDestroy(v);
  v = NULL;
  for (int i = 0; i < 1024; i++)
    x[i] = i % 4 ? 0 : 4e-8f;
  x[0] = 1;
  assertOk(context, clVectorCreate(&v, context, 1024));
  assertOk(context, clVectorUpload(v, x));
  assertOk(context, clVectorSum(s, v));
  assert_true(fabs(get(context, s) - (1 + 255 * 4e-8)) <= 16 * eps);
  clVectorDestroy(v);
}

/* One special element anywhere: in the first, a middle and the last texel, and among many. */
static void nanSurvives(void **state) {
  clContext *context = *state;
  if (!clContextInspect(context)->probes.nan_kept)
    testSkip("the device keeps no NaN");
  static const int sizes[] = {1, 3, 5, 4097, 100003};
  Reductions r;
  createResults(&r, context);
  for (int s = 0; s < 5; s++)
    for (int place = 0; place < 3; place++) {
      int n = sizes[s], places[] = {0, n / 2, n - 1}, at = places[place];
      FREED float *x = malloc((size_t)n * sizeof *x);
      OWN(clVector) *v = NULL;
      oracleFill(x, n, 8, -2, 2);
      x[at] = NAN;
      assertOk(context, clVectorCreate(&v, context, n));
      assertOk(context, clVectorUpload(v, x));
      reduceAll(context, &r, v, v);
      for (int i = 0; i < RESULTS - 2; i++)
        assert_true(isnan(get(context, ((clFloat **)&r)[i])));
      assert_int_equal(
          (int)get(context, r.row) * clVectorRowLength(v) + (int)get(context, r.column), at);
    }
  destroyResults(&r);
}

static void infinityAndOverflow(void **state) {
  clContext *context = *state;
  Reductions r;
  createResults(&r, context);
  clVector *v = NULL;
  assertOk(context, clVectorCreate(&v, context, 5));
  assertOk(context, clVectorUpload(v, (float[5]){1, -INFINITY, 3, INFINITY, 2}));
  reduceAll(context, &r, v, v);
  assert_true(isnan(get(context, r.sum)) && get(context, r.dot) == INFINITY);
  assert_true(get(context, r.min) == -INFINITY && get(context, r.max) == INFINITY);
  assert_true(get(context, r.value) == -INFINITY && get(context, r.column) == 1);
  assertOk(context, clVectorFill(v, 1e20f));
  assertOk(context, clVectorNorm(r.norm, v));
  assert_true(get(context, r.norm) == INFINITY);
  clVectorDestroy(v);
  destroyResults(&r);
}

static void argMaxTakesTheFirst(void **state) {
  clContext *context = *state;
  static const struct {
    OracleShape shape;
    int first, second;
  } cases[] = {{{5, 0}, 1, 4},         {{100003, 0}, 40000, 40001}, {{100003, 0}, 99999, 100002},
               {{30, 40}, 31, 59},     {{30, 40}, 29, 30},          {{1, 700}, 3, 699},
               {{5000, 2}, 4999, 5000}};
  OWN(clFloat) *value = NULL, *row = NULL, *column = NULL;
  assertOk(context, clFloatCreate(&value, context));
  assertOk(context, clFloatCreate(&row, context));
  assertOk(context, clFloatCreate(&column, context));
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    int64_t n = oracleLength(cases[c].shape);
    FREED float *x = malloc((size_t)n * sizeof *x);
    OWN(clVector) *v = NULL;
    oracleFill(x, n, 4, -1, 1);
    x[cases[c].first] = -5;
    x[cases[c].second] = 5;
    assertOk(context, oracleCreate(&v, context, cases[c].shape));
    assertOk(context, clVectorUpload(v, x));
    assertOk(context, clVectorArgMax(value, row, column, v));
    assert_true(get(context, value) == -5);
    assert_int_equal((int)get(context, row) * clVectorRowLength(v) + (int)get(context, column),
                     cases[c].first);
    /* all the same: the first */
    assertOk(context, clVectorClear(v));
    assertOk(context, clVectorArgMax(NULL, row, column, v));
    assert_true(get(context, row) == 0 && get(context, column) == 0);
  }
}

static void argMaxOutputsAreOptional(void **state) {
  clContext *context = *state;
  OWN(clVector) *v = NULL;
  OWN(clFloat) *s = NULL;
  assertOk(context, clVectorCreate(&v, context, 6));
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clVectorUpload(v, (float[6]){1, 2, 3, -9, 4, 5}));
  assertOk(context, clVectorArgMax(s, NULL, NULL, v));
  assert_true(get(context, s) == -9);
  assertOk(context, clVectorArgMax(NULL, s, NULL, v));
  assert_true(get(context, s) == 0);
  assertOk(context, clVectorArgMax(NULL, NULL, s, v));
  assert_true(get(context, s) == 3);
  assertOk(context, clVectorArgMax(NULL, NULL, NULL, v));
  assertFails(context, clVectorArgMax(s, s, NULL, v), TEXLA_BAD_ARGUMENT, "clVectorArgMax: ");
  assert_true(get(context, s) == 3);
}

static void reductionsReadNothingBack(void **state) {
  clContext *context = *state;
  Reductions r;
  createResults(&r, context);
  clVector *v = NULL;
  assertOk(context, clVectorCreate(&v, context, 300000));
  assertOk(context, clVectorFill(v, 1));
  reduceAll(context, &r, v, v);
  clContextCounters before = clContextStatistics(context);
  reduceAll(context, &r, v, v);
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.readbacks, before.readbacks);
  assert_int_equal(after.uploads, before.uploads);
  assert_int_equal(after.programs, before.programs);
  assert_int_equal(after.bytes_used, before.bytes_used);
  clVectorDestroy(v);
  destroyResults(&r);
}

/* Tuning must not take memory that the reduction itself does not need. */
static void littleMemory(void **state) {
  OWN(clContext) *context = testContextWith((clContextOptions){.memory_limit = 3 * 1024 * 1024});
  OWN(clVector) *v = NULL;
  OWN(clFloat) *s = NULL;
  assertOk(context, clVectorCreate(&v, context, 500000));
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clVectorFill(v, 2));
  assertOk(context, clVectorSum(s, v));
  assert_true(get(context, s) == 1000000);
  assert_int_equal(clContextError(context)->status, TEXLA_OK);
}

/* The measured shapes of a reduction (src/vector/reduce.c), one after the other, on a vector of
 * several levels and on a short one. */
static void everyShape(void **state) {
  enum { SHAPES = 18, LONG = 1000003 };
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  float *values = malloc(LONG * sizeof *values);
  for (int k = 0; k < SHAPES; k++)
    for (int n = 301; n <= LONG; n += LONG - 301) {
      char text[64];
      double sum = 0;
      snprintf(text, sizeof text, "reduce.shape %d\n", k);
      folderWrite(&folder, "pinned", text);
      OWN(clContext) *context =
          testContextWith((clContextOptions){.tuning = folderPath(&folder, "pinned")});
      OWN(clVector) *v = NULL;
      OWN(clFloat) *s = NULL, *row = NULL;
      for (int i = 0; i < n; i++)
        sum += (double)(values[i] = (float)(1 + i % 7));
      values[n - 2] = -9;
      sum -= 1 + (n - 2) % 7 + 9;
      assertOk(context, clVectorCreate(&v, context, n));
      assertOk(context, clFloatCreate(&s, context));
      assertOk(context, clFloatCreate(&row, context));
      assertOk(context, clVectorUpload(v, values));
      assertOk(context, clVectorSum(s, v));
      assert_true((double)get(context, s) == sum);
      assertOk(context, clVectorMin(s, v));
      assert_true(get(context, s) == -9);
      assertOk(context, clVectorMax(s, v));
      assert_true(get(context, s) == 7);
      assertOk(context, clVectorArgMax(s, row, NULL, v));
      assert_true(get(context, s) == -9 && get(context, row) == (float)((n - 2) / 4096));
    }
  free(values);
}

/* Strips in blocks, as software renderers have them, that end in another row than they begin, in
 * one column of blocks and in several. */
static void stripsGoOnInTheNextRow(void **state) {
  enum { NX = 1037, NY = 301, N = NX * NY, FEW = 64 };
  AT_END(folderDestroy) Folder folder;
  folderCreate(&folder);
  folderWrite(&folder, "pinned", "reduce.shape 17\ntrait.host_shades 1\n");
  clContext *context = testContextWith((clContextOptions){.tuning = folderPath(&folder, "pinned")});
  float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  clVector *vx = NULL, *vy = NULL;
  Reductions r;
  oracleFill(x, N, 5, -3, -2);
  oracleFill(y, N, 6, -1, 1);
  x[N - 1] = -1;
  createResults(&r, context);
  assertOk(context, clVectorCreateGrid(&vx, context, NX, NY));
  assertOk(context, clVectorCreateLike(&vy, vx));
  assertOk(context, clVectorUpload(vx, x));
  assertOk(context, clVectorUpload(vy, y));
  for (int columns = 0; columns < 2; columns++) {
    if (columns)
      context->info.max_texture_size = FEW;
    reduceAll(context, &r, vx, vy);
    checkSums(context, &r, x, y, N);
    checkExtremes(context, &r, vx, x, N);
  }
  destroyResults(&r);
  clVectorDestroy(vx);
  clVectorDestroy(vy);
  free(x);
  free(y);
  clContextDestroy(context);
}

static void wrongOperands(void **state) {
  clContext *context = *state, *other = testContextWith((clContextOptions){0});
  clVector *x = NULL, *longer = NULL, *foreign = NULL;
  clFloat *s = NULL, *t = NULL;
  assertOk(context, clVectorCreate(&x, context, 4));
  assertOk(context, clVectorCreate(&longer, context, 5));
  assertOk(other, clVectorCreate(&foreign, other, 4));
  assertOk(context, clFloatCreate(&s, context));
  assertOk(other, clFloatCreate(&t, other));
  assertOk(context, clFloatUpload(s, 17));
  assertFails(context, clVectorDot(s, x, longer), TEXLA_BAD_SHAPE,
              "clVectorDot: x is linear of length 4 but y is linear of length 5");
  assertFails(context, clVectorDot(s, x, NULL), TEXLA_BAD_ARGUMENT,
              "clVectorDot: y must not be NULL");
  assertFails(context, clVectorDot(s, NULL, x), TEXLA_BAD_ARGUMENT,
              "clVectorDot: x must not be NULL");
  assertFails(context, clVectorDot(NULL, x, x), TEXLA_BAD_ARGUMENT,
              "clVectorDot: s must not be NULL");
  assertFails(context, clVectorDot(s, x, foreign), TEXLA_FOREIGN_CONTEXT,
              "clVectorDot: the operands");
  assertFails(context, clVectorSum(t, x), TEXLA_FOREIGN_CONTEXT, "clVectorSum: the operands");
  assertFails(context, clVectorArgMax(NULL, t, NULL, x), TEXLA_FOREIGN_CONTEXT,
              "clVectorArgMax: the operands");
  assert_int_equal(clVectorNorm(s, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorMax(NULL, NULL), TEXLA_BAD_ARGUMENT);
  assert_true(get(context, s) == 17);
  clVectorDestroy(x);
  clVectorDestroy(longer);
  clVectorDestroy(foreign);
  clFloatDestroy(s);
  clFloatDestroy(t);
  clContextDestroy(other);
}

TEST_MAIN(testContextCreate, testContextDestroy, everyReductionOnEveryShape, longSumsArePairwise,
          nanSurvives, infinityAndOverflow, argMaxTakesTheFirst, argMaxOutputsAreOptional,
          reductionsReadNothingBack, littleMemory, everyShape, stripsGoOnInTheNextRow,
          wrongOperands)
