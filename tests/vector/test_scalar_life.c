/* clFloat: life and transfer. */
#include "common.h"

#include "texla/scalar.h"

static void startsAtZero(void **state) {
  clContext *context = *state;
  clFloat *s = NULL;
  float value = 5;
  /* the second one comes out of the pool */
  for (int k = 0; k < 2; k++) {
    assertOk(context, clFloatCreate(&s, context));
    assertOk(context, clFloatDownload(s, &value));
    assert_true(value == 0);
    assertOk(context, clFloatUpload(s, 3));
    clFloatDestroy(s);
  }
  clFloatDestroy(NULL);
}

static void keepsEveryValue(void **state) {
  static const float values[] = {1,        -1,       0.1f,     1e38f,     -1e-37f,
                                 16777216, 16777215, INFINITY, -INFINITY, 0};
  clContext *context = *state;
  OWN(clFloat) *s = NULL;
  assertOk(context, clFloatCreate(&s, context));
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    float value = -5;
    assertOk(context, clFloatUpload(s, values[i]));
    assertOk(context, clFloatDownload(s, &value));
    assert_true(value == values[i]);
  }
  float value = 0;
  assertOk(context, clFloatUpload(s, NAN));
  assertOk(context, clFloatDownload(s, &value));
  assert_true(isnan(value));
}

static void transfersAreCounted(void **state) {
  clContext *context = *state;
  OWN(clFloat) *s = NULL;
  float value;
  assertOk(context, clFloatCreate(&s, context));
  clContextCounters before = clContextStatistics(context);
  assertOk(context, clFloatUpload(s, 1));
  assertOk(context, clFloatDownload(s, &value));
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.uploads, before.uploads + 1);
  assert_int_equal(after.readbacks, before.readbacks + 1);
  assert_int_equal(after.passes, before.passes);
}

static void wrongArguments(void **state) {
  clContext *context = *state;
  OWN(clFloat) *s = NULL;
  float value;
  assertFails(context, clFloatCreate(NULL, context), TEXLA_BAD_ARGUMENT,
              "clFloatCreate: out and context must not be");
  assert_int_equal(clFloatCreate(&s, NULL), TEXLA_BAD_ARGUMENT);
  assert_null(s);
  assertOk(context, clFloatCreate(&s, context));
  assertFails(context, clFloatDownload(s, NULL), TEXLA_BAD_ARGUMENT,
              "clFloatDownload: s and value must not be NULL");
  assert_int_equal(clFloatDownload(NULL, &value), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clFloatUpload(NULL, 1), TEXLA_BAD_ARGUMENT);
}

static void outlivesItsContext(void **state) {
  clContext *context = testContextWith((clContextOptions){0});
  OWN(clFloat) *s = NULL, *t = NULL;
  float value = 7;
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clFloatCreate(&t, context));
  clContextDestroy(context);
  assertFails(context, clFloatUpload(s, 1), TEXLA_BAD_ARGUMENT,
              "clFloatUpload: the context of this object was destr");
  assertFails(context, clFloatDownload(s, &value), TEXLA_BAD_ARGUMENT,
              "clFloatDownload: the context of this object");
  assertFails(context, clFloatAdd(s, s, t), TEXLA_BAD_ARGUMENT,
              "clFloatAdd: the context of this object was destr");
  assert_true(value == 7);
}

TEST_MAIN(testContextCreate, testContextDestroy, startsAtZero, keepsEveryValue, transfersAreCounted,
          wrongArguments, outlivesItsContext)
