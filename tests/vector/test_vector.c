/* clVector: layouts, life and transfer. */
#include "common.h"
#include "oracle/vector.h"

#include "vector/vector.h"

static void roundTripOnEveryShape(void **state) {
  clContext *context = *state;
  for (int s = 0; s < oracle_shape_count; s++) {
    int64_t n = oracleLength(oracle_shapes[s]);
    FREED float *values = malloc((size_t)n * sizeof *values),
                *back = malloc((size_t)(n + 1) * sizeof *back);
    FREED double *wanted = malloc((size_t)n * sizeof *wanted);
    oracleFill(values, n, (uint64_t)s, -1, 1);
    for (int64_t i = 0; i < n; i++)
      wanted[i] = (double)values[i];
    OWN(clVector) *x = NULL;
    assertOk(context, oracleCreate(&x, context, oracle_shapes[s]));
    assert_int_equal(clVectorLength(x), n);
    /* an upload must not leave anything of it */
    assertOk(context, clVectorFill(x, 3));
    assertOk(context, clVectorUpload(x, values));
    assert_true(oracleHolds("upload", x, wanted, NULL, 0));
    back[n] = 77;
    assertOk(context, clVectorDownload(x, back));
    assert_memory_equal(back, values, (size_t)n * sizeof *back);
    assert_true(back[n] == 77);
    memset(back, 0, (size_t)n * sizeof *back);
    clRead *read = NULL;
    assertOk(context, clVectorReadStart(&read, x));
    /* the read sees what was there when it started */
    assertOk(context, clVectorFill(x, 4));
    /* a browser answers anew once its script has returned */
    while (!testIsEs(context) && !clReadReady(read))
      ;
    assertOk(context, clReadFinish(read, back));
    assert_memory_equal(back, values, (size_t)n * sizeof *back);
    assert_true(back[n] == 77);
  }
}

static void newVectorsAreZero(void **state) {
  clContext *context = *state;
  for (int s = 0; s < oracle_shape_count; s++) {
    FREED double *zero = calloc((size_t)oracleLength(oracle_shapes[s]), sizeof *zero);
    /* the second one comes out of the pool */
    for (int k = 0; k < 2; k++) {
      OWN(clVector) *x = NULL;
      assertOk(context, oracleCreate(&x, context, oracle_shapes[s]));
      assert_true(oracleHolds("create", x, zero, NULL, 0));
      assertOk(context, clVectorFill(x, 5));
    }
  }
}

static void likeAndClone(void **state) {
  clContext *context = *state;
  static const OracleShape shapes[] = {{5, 0}, {5, 3}, {4099, 0}};
  for (int s = 0; s < 3; s++) {
    OWN(clVector) *x = NULL, *like = NULL, *clone = NULL;
    FREED double *zero = calloc((size_t)oracleLength(shapes[s]), sizeof *zero);
    FREED double *two = malloc((size_t)oracleLength(shapes[s]) * sizeof *two);
    for (int64_t i = 0; i < oracleLength(shapes[s]); i++)
      two[i] = 2;
    assertOk(context, oracleCreate(&x, context, shapes[s]));
    assertOk(context, clVectorFill(x, 2));
    assertOk(context, clVectorCreateLike(&like, x));
    assertOk(context, clVectorClone(&clone, x));
    assertOk(context, clVectorFill(x, 3));
    assert_int_equal(clVectorRowLength(like), clVectorRowLength(x));
    assert_true(clVectorContext(clone) == context);
    assert_true(oracleHolds("like", like, zero, NULL, 0));
    assert_true(oracleHolds("clone", clone, two, NULL, 0));
    /* same layout */
    assertOk(context, clVectorAxpy(like, 1, NULL, clone));
  }
}

static void layouts(void **state) {
  clContext *context = *state;
  int limit = clContextInspect(context)->max_texture_size;
  txLayout l;
  assert_true(txLayoutLinear(&l, context, 4096) && l.width == 1024 && l.height == 1 &&
              l.row == 4096);
  assert_true(txLayoutLinear(&l, context, 4097) && l.width == 1024 && l.height == 2 &&
              l.row == 4096);
  assert_true(txLayoutLinear(&l, context, 5) && l.width == 2 && l.height == 1 && l.row == 4096);
  assert_true(txLayoutLinear(&l, context, 4096 * (int64_t)limit) && l.width == 1024 &&
              l.height == limit);
  assert_true(txLayoutLinear(&l, context, 4096 * (int64_t)limit + 1) && l.width == limit &&
              l.height <= limit);
  assert_true(txLayoutLinear(&l, context, clContextInspect(context)->max_vector_length) &&
              l.height <= limit);
  assert_false(txLayoutLinear(&l, context, clContextInspect(context)->max_vector_length + 1));
  assert_true(txLayoutGrid(&l, context, 5, 3) && l.width == 2 && l.height == 3 && l.row == 5 &&
              l.length == 15);
  assert_false(txLayoutGrid(&l, context, 5, limit + 1));
  assert_false(txLayoutGrid(&l, context, 4 * limit + 1, 1));
}

static void wrongSizes(void **state) {
  clContext *context = *state;
  const clContextInfo *info = clContextInspect(context);
  clContextCounters before = clContextStatistics(context);
  clVector *x = NULL;
  char text[200];
  assertFails(context, clVectorCreate(&x, context, 0), TEXLA_BAD_ARGUMENT, "clVectorCreate: ");
  assertFails(context, clVectorCreate(&x, context, -3), TEXLA_BAD_ARGUMENT,
              "length (-3) at least 1");
  assertFails(context, clVectorCreateGrid(&x, context, 0, 4), TEXLA_BAD_ARGUMENT,
              "nx (0) and ny (4) at least 1");
  snprintf(text, sizeof text,
           "clVectorCreate: a vector of length %lld does not fit into one texture; the device's "
           "limit is %lld",
           (long long)info->max_vector_length + 1, (long long)info->max_vector_length);
  assertFails(context, clVectorCreate(&x, context, info->max_vector_length + 1), TEXLA_TOO_LARGE,
              text);
  assertFails(context, clVectorCreate(&x, context, INT64_MAX), TEXLA_TOO_LARGE,
              "clVectorCreate: a vector of length");
  snprintf(text, sizeof text,
           "clVectorCreateGrid: a grid of 8 x %d needs a texture of 2 x %d texels, but",
           info->max_texture_size + 1, info->max_texture_size + 1);
  assertFails(context, clVectorCreateGrid(&x, context, 8, info->max_texture_size + 1),
              TEXLA_TOO_LARGE, text);
  assertFails(context, clVectorCreateGrid(&x, context, INT32_MAX, INT32_MAX), TEXLA_TOO_LARGE,
              "clVectorCreateGrid: ");
  assert_null(x);
  assert_int_equal(clContextStatistics(context).bytes_used, before.bytes_used);
}

static void memoryLimit(void **state) {
  OWN(clContext) *context = testContextWith((clContextOptions){.memory_limit = 1 << 20});
  clVector *x = NULL, *y = NULL;
  clRead *read = NULL;
  assertOk(context, clVectorCreate(&x, context, 200000));
  assertFails(context, clVectorCreate(&y, context, 100000), TEXLA_OUT_OF_MEMORY,
              "clVectorCreate: needs 40");
  assertFails(context, clVectorClone(&y, x), TEXLA_OUT_OF_MEMORY, "clVectorClone: needs 80");
  assertFails(context, clVectorReadStart(&read, x), TEXLA_OUT_OF_MEMORY,
              "clVectorReadStart: needs 80");
  assert_true(!y && !read);
  assertOk(context, clVectorFill(x, 1));
  /* ping-pong */
  assertFails(context, clVectorScale(x, 2, NULL, x), TEXLA_OUT_OF_MEMORY,
              "clVectorScale: needs 80");
  FREED float *values = calloc(200000, sizeof *values);
  assertOk(context, clVectorDownload(x, values));
  for (int i = 0; i < 200000; i++)
    assert_true(values[i] == 1);
  clVectorDestroy(x);
  x = NULL;
  /* what the pool holds gives way */
  assertOk(context, clVectorCreate(&y, context, 250000));
  assert_true(clContextStatistics(context).bytes_pooled + clContextStatistics(context).bytes_used <=
              1 << 20);
  clVectorDestroy(y);
}

static void readsCountAndRelease(void **state) {
  clContext *context = *state;
  OWN(clVector) *x = NULL;
  clRead *read = NULL;
  float values[5];
  assertOk(context, clVectorCreate(&x, context, 5));
  clContextCounters before = clContextStatistics(context);
  assertOk(context, clVectorReadStart(&read, x));
  /* only releases */
  assertOk(context, clReadFinish(read, NULL));
  assertOk(context, clVectorDownload(x, values));
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.readbacks, before.readbacks + 2);
  assert_int_equal(after.bytes_used, before.bytes_used);
}

static void wrongArguments(void **state) {
  clContext *context = *state;
  clVector *x = NULL, *out = NULL;
  clRead *read = NULL;
  float values[4] = {0};
  assertOk(context, clVectorCreate(&x, context, 4));
  assertFails(context, clVectorCreate(NULL, context, 4), TEXLA_BAD_ARGUMENT,
              "clVectorCreate: out and context must");
  assertFails(context, clVectorCreateLike(NULL, x), TEXLA_BAD_ARGUMENT,
              "clVectorCreateLike: out and x must not be");
  assertFails(context, clVectorClone(NULL, x), TEXLA_BAD_ARGUMENT,
              "clVectorClone: out and x must not be NULL");
  assertFails(context, clVectorUpload(x, NULL), TEXLA_BAD_ARGUMENT,
              "clVectorUpload: x and values must not be NULL");
  assertFails(context, clVectorDownload(x, NULL), TEXLA_BAD_ARGUMENT,
              "clVectorDownload: x and values must not be");
  assertFails(context, clVectorReadStart(NULL, x), TEXLA_BAD_ARGUMENT,
              "clVectorReadStart: out and x must not be");
  assert_int_equal(clVectorCreate(&out, NULL, 4), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorCreateGrid(&out, NULL, 4, 4), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorCreateLike(&out, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorClone(&out, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorUpload(NULL, values), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorDownload(NULL, values), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clVectorReadStart(&read, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clReadFinish(NULL, values), TEXLA_BAD_ARGUMENT);
  assert_true(clReadReady(NULL));
  assert_true(!out && !read);
  assert_int_equal(clVectorLength(NULL), 0);
  assert_int_equal(clVectorRowLength(NULL), 0);
  assert_null(clVectorContext(NULL));
  clVectorDestroy(NULL);
  clVectorDestroy(x);
}

static void outlivesItsContext(void **state) {
  clContext *context = testContextWith((clContextOptions){0});
  clVector *x = NULL, *y = NULL;
  clRead *read = NULL, *dropped = NULL;
  float values[5] = {1, 2, 3, 4, 5};
  assertOk(context, clVectorCreate(&x, context, 5));
  assertOk(context, clVectorReadStart(&read, x));
  assertOk(context, clVectorReadStart(&dropped, x));
  clContextDestroy(context);
  /* already destroyed, still alive for x: nothing happens */
  clContextDestroy(context);
  assertFails(context, clVectorUpload(x, values), TEXLA_BAD_ARGUMENT,
              "clVectorUpload: the context of this object");
  assertFails(context, clVectorDownload(x, values), TEXLA_BAD_ARGUMENT,
              "clVectorDownload: the context of this");
  assertFails(context, clVectorClone(&y, x), TEXLA_BAD_ARGUMENT,
              "clVectorClone: the context of this object was");
  assertFails(context, clVectorFill(x, 1), TEXLA_BAD_ARGUMENT,
              "clVectorFill: the context of this object was");
  assertFails(context, clVectorCreate(&y, clVectorContext(x), 3), TEXLA_BAD_ARGUMENT,
              "was destroyed");
  assert_true(clReadReady(read));
  assertFails(context, clReadFinish(read, values), TEXLA_BAD_ARGUMENT,
              "clReadFinish: the context of this object");
  assert_true(values[0] == 1 && values[4] == 5 && !y);
  clVectorDestroy(x);
  /* the last reference */
  assert_int_equal(clReadFinish(dropped, NULL), TEXLA_BAD_ARGUMENT);
}

TEST_MAIN(testContextCreate, testContextDestroy, roundTripOnEveryShape, newVectorsAreZero,
          likeAndClone, layouts, wrongSizes, memoryLimit, readsCountAndRelease, wrongArguments,
          outlivesItsContext)
