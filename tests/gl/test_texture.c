/* Textures: pool, byte counts, limits, transfers of every format. */
#include "common.h"

#include "gl/gl.h"
#include "gl/texture.h"

static const char call[] = "test";
static const int components[TX_FORMAT_COUNT] = {1, 2, 4, 1, 4, 2};

static void theLastOneFreedIsReused(void **state) {
  clContext *context = *state;
  txTexture *a = NULL, *b = NULL, *c = NULL;
  clContextCounters start = clContextStatistics(context);
  assertOk(context, txTextureCreate(&a, context, call, TX_RGBA32F, 17, 5));
  assertOk(context, txTextureCreate(&b, context, call, TX_RGBA32F, 17, 5));
  assert_int_equal(clContextStatistics(context).bytes_used, start.bytes_used + 2 * 17 * 5 * 16);
  unsigned name = a->name;
  txTextureDestroy(a);
  assert_int_equal(clContextStatistics(context).bytes_used, start.bytes_used + 17 * 5 * 16);
  assert_int_equal(clContextStatistics(context).bytes_pooled, start.bytes_pooled + 17 * 5 * 16);
  /* another format */
  assertOk(context, txTextureCreate(&c, context, call, TX_R32F, 17, 5));
  assert_int_not_equal(c->name, name);
  txTextureDestroy(c);
  /* another shape */
  assertOk(context, txTextureCreate(&c, context, call, TX_RGBA32F, 5, 17));
  assert_int_not_equal(c->name, name);
  txTextureDestroy(c);
  assertOk(context, txTextureCreate(&c, context, call, TX_RGBA32F, 17, 5));
  assert_int_equal(c->name, name);
  txTextureDestroy(c);
  txTextureDestroy(b);
  txTextureDestroy(NULL);
  assert_int_equal(clContextStatistics(context).bytes_used, start.bytes_used);
}

static void limitsAreCheckedBeforeAnythingIsAllocated(void **state) {
  OWN(clContext) *context = testContextWith((clContextOptions){.memory_limit = 100000});
  int limit = clContextInspect(context)->max_texture_size;
  clContextCounters start = clContextStatistics(context);
  txTexture *t = NULL;
  char text[160];
  snprintf(text, sizeof text,
           "test: needs a texture of %d x 1 texels, but the device's limit is %d x %d", limit + 1,
           limit, limit);
  assertFails(context, txTextureCreate(&t, context, call, TX_R32F, limit + 1, 1), TEXLA_TOO_LARGE,
              text);
  assertFails(context, txTextureCreate(&t, context, call, TX_R32F, 1, limit + 1), TEXLA_TOO_LARGE,
              "test: needs a");
  assertFails(context, txTextureCreate(&t, context, call, TX_R32F, 0, 4), TEXLA_BAD_ARGUMENT,
              "0 x 4 texels is empty");
  snprintf(text, sizeof text,
           "test: needs 102400 more bytes on the device, but %zu of 100000 are in use",
           start.bytes_used);
  assertFails(context, txTextureCreate(&t, context, call, TX_RGBA32F, 80, 80), TEXLA_OUT_OF_MEMORY,
              text);
  assert_null(t);
  clContextCounters end = clContextStatistics(context);
  assert_true(end.bytes_used == start.bytes_used && end.bytes_pooled == start.bytes_pooled);
  assert_true(end.bytes_peak == start.bytes_peak);
}

static void thePoolGivesWay(void **state) {
  OWN(clContext) *context = testContextWith((clContextOptions){.memory_limit = 100000});
  txTexture *t[9] = {0};
  for (int k = 0; k < 9; k++)
    assertOk(context, txTextureCreate(&t[k], context, call, TX_R32F, 50, 50 - k));
  for (int k = 0; k < 9; k++)
    txTextureDestroy(t[k]);
  clContextCounters count = clContextStatistics(context);
  assert_true(count.bytes_pooled > 0 && count.bytes_pooled <= 100000 / 4);
  txTexture *large = NULL;
  assertOk(context, txTextureCreate(&large, context, call, TX_R32F, 155, 160));
  count = clContextStatistics(context);
  assert_true(count.bytes_used + count.bytes_pooled <= 100000);
  assert_true(count.bytes_peak >= 155 * 160 * 4);
  txTextureDestroy(large);
}

/* Shapes that nobody takes again do not pile up. */
static void thePoolKeepsNoMoreThanWasUsed(void **state) {
  OWN(clContext) *context = testContextWith((clContextOptions){.memory_limit = (size_t)1 << 30});
  for (int k = 0; k < 6; k++) {
    txTexture *t = NULL;
    assertOk(context, txTextureCreate(&t, context, call, TX_RGBA32F, 1024 - k, 1024));
    txTextureDestroy(t);
  }
  clContextCounters count = clContextStatistics(context);
  assert_true(count.bytes_pooled > 0 && count.bytes_pooled <= (size_t)64 << 20);
}

/* Values that survive as floats and as integers alike, by their bits. */
static void fillBits(txFormat format, uint32_t *values, int count) {
  for (int i = 0; i < count; i++) {
    float f = (float)(i * 7 - 50) * 0.37f;
    int32_t n = i * 12345677 - 1000000007;
    memcpy(&values[i],
           format == TX_R32I || format == TX_RG32I || format == TX_RGBA32I ? (void *)&n
                                                                           : (void *)&f,
           4);
  }
}

static void everyFormatKeepsItsValues(void **state) {
  clContext *context = *state;
  for (int f = 0; f < TX_FORMAT_COUNT; f++) {
    enum { W = 7, H = 5 };
    int per = components[f];
    uint32_t values[W * H * 4], back[W * H * 4] = {0}, part[2 * 3 * 4];
    txTexture *t = NULL;
    txRead *read = NULL;
    assert_int_equal(txFormatBytes((txFormat)f), 4 * per);
    fillBits((txFormat)f, values, W * H * per);
    assertOk(context, txTextureCreate(&t, context, call, (txFormat)f, W, H));
    assertOk(context, txTextureWrite(t, call, (txRect){0, 0, W, H}, values));
    assertOk(context, txTextureRead(t, call, (txRect){0, 0, W, H}, back));
    assert_memory_equal(back, values, (size_t)(W * H * per) * 4);
    assertOk(context, txTextureRead(t, call, (txRect){3, 1, 2, 3}, part));
    for (int y = 0; y < 3; y++)
      assert_memory_equal(part + 2 * per * y, values + (W * (y + 1) + 3) * per,
                          (size_t)(2 * per) * 4);
    assertOk(context, txReadStart(&read, t, call, (txRect){3, 1, 2, 3}));
    /* after the read in the device's order */
    assertOk(context, txTextureClear(t, call));
    memset(part, 1, sizeof part);
    assertOk(context, txReadFinish(read, call, part));
    for (int y = 0; y < 3; y++)
      assert_memory_equal(part + 2 * per * y, values + (W * (y + 1) + 3) * per,
                          (size_t)(2 * per) * 4);
    assertOk(context, txTextureRead(t, call, (txRect){0, 0, W, H}, back));
    for (int i = 0; i < W * H * per; i++)
      assert_int_equal(back[i], 0);
    txTextureDestroy(t);
  }
}

static void asynchronousReadsEnd(void **state) {
  clContext *context = *state;
  txTexture *t = NULL;
  txRead *read[3] = {0};
  float values[4] = {1, 2, 3, 4}, back[4];
  size_t used = clContextStatistics(context).bytes_used;
  assertOk(context, txTextureCreate(&t, context, call, TX_RGBA32F, 1, 1));
  for (int k = 0; k < 3; k++) {
    values[0] = (float)k;
    assertOk(context, txTextureWrite(t, call, (txRect){0, 0, 1, 1}, values));
    assertOk(context, txReadStart(&read[k], t, call, (txRect){0, 0, 1, 1}));
  }
  /* and room for a texel of the canary */
  assert_int_equal(clContextStatistics(context).bytes_used, used + 16 + 3 * (16 + 16));
  /* any order */
  for (int k = 2; k >= 0; k--) {
    while (!testIsEs(context) && !txReadReady(read[k]))
      ;
    assertOk(context, txReadFinish(read[k], call, k == 1 ? NULL : back));
    assert_true(k == 1 || back[0] == (float)k);
  }
  txTextureDestroy(t);
  assert_int_equal(clContextStatistics(context).bytes_used, used);
  assert_int_equal(txReadFinish(NULL, call, NULL), TEXLA_OK);
}

static void transfersAreCounted(void **state) {
  clContext *context = *state;
  txTexture *t = NULL;
  txRead *read = NULL;
  float value = 1;
  assertOk(context, txTextureCreate(&t, context, call, TX_R32F, 1, 1));
  clContextCounters before = clContextStatistics(context);
  assertOk(context, txTextureWrite(t, call, (txRect){0, 0, 1, 1}, &value));
  assertOk(context, txTextureRead(t, call, (txRect){0, 0, 1, 1}, &value));
  assertOk(context, txReadStart(&read, t, call, (txRect){0, 0, 1, 1}));
  assertOk(context, txReadFinish(read, call, &value));
  clContextCounters after = clContextStatistics(context);
  assert_int_equal(after.uploads, before.uploads + 1);
  assert_int_equal(after.readbacks, before.readbacks + 2);
  txTextureDestroy(t);
}

static void glErrorsAreReported(void **state) {
  clContext *context = *state;
  txTexture *t = NULL;
  float values[4] = {0};
  assertOk(context, txTextureCreate(&t, context, call, TX_R32F, 2, 2));
  assertFails(context, txTextureWrite(t, call, (txRect){1, 1, 2, 2}, values), TEXLA_DEVICE_ERROR,
              "test: uploading: OpenGL error 0x0501");
  /* and are gone then */
  assertOk(context, txTextureWrite(t, call, (txRect){0, 0, 2, 2}, values));
  txTextureDestroy(t);
}

/* By way of buffers: slices, rectangles that are not whole, no memory for buffers. */
static void largeUploadsArriveWhole(void **state) {
  enum { W = 1500, H = 900, LEFT = 3, BELOW = 2 };
  clContext *context = *state;
  txTraits before = context->traits;
  FREED float *values = malloc((size_t)W * H * 4 * sizeof *values),
              *back = malloc((size_t)W * H * 4 * sizeof *back);
  txTexture *t = NULL;
  assert_true(values && back);
  for (int i = 0; i < W * H * 4; i++)
    values[i] = (float)(i % 1000003);
  context->traits.upload_buffers = 1;
  assertOk(context, txTextureCreate(&t, context, call, TX_RGBA32F, W + LEFT + 1, H + BELOW + 1));
  for (int round = 0; round < 3; round++) {
    size_t limit = context->info.memory_limit;
    if (round == 2) {
      assertOk(context, clContextTrim(context));
      context->info.memory_limit = clContextStatistics(context).bytes_used + 1000;
    }
    assertOk(context, txTextureClear(t, call));
    assertOk(context, txTextureWrite(t, call, (txRect){LEFT, BELOW, W, H}, values));
    assert_true(round == 2 ? !txUploadsBytes(context)
                           : clContextStatistics(context).bytes_pooled >= 4 << 20);
    context->info.memory_limit = limit;
    assertOk(context, txTextureRead(t, call, (txRect){LEFT, BELOW, W, H}, back));
    assert_memory_equal(values, back, (size_t)W * H * 4 * sizeof *values);
    assertOk(context, txTextureRead(t, call, (txRect){0, 0, W, BELOW}, back));
    for (int i = 0; i < 4 * W * BELOW; i++)
      assert_true(back[i] == 0);
  }
  context->traits = before;
  txTextureDestroy(t);
}

typedef struct Taken {
  const float *expected;
  size_t bytes;
  bool same;
} Taken;

static void compare(void *user, const void *texels) {
  Taken *t = user;
  t->same = !memcmp(texels, t->expected, t->bytes);
}

/* Textures of several sizes through the one buffer, and no memory for it. */
static void mappedReadsSeeAllTexels(void **state) {
  static const int side[] = {30, 300, 17};
  clContext *context = *state;
  if (testIsEs(context))
    testSkip("OpenGL ES maps nothing here");
  FREED float *values = malloc(300 * 300 * 2 * sizeof *values);
  assert_non_null(values);
  for (int i = 0; i < 300 * 300 * 2; i++)
    values[i] = (float)i;
  for (int k = 0; k < 3; k++) {
    Taken taken = {values, (size_t)side[k] * (size_t)(side[k] + 1) * 2 * sizeof *values, false};
    txTexture *t = NULL;
    taken.bytes = k == 1 ? 300 * 300 * 2 * sizeof *values : taken.bytes;
    assertOk(context,
             txTextureCreate(&t, context, call, TX_RG32F, side[k], k == 1 ? 300 : side[k] + 1));
    assertOk(context, txTextureWrite(t, call, (txRect){0, 0, t->width, t->height}, values));
    assertOk(context, txTextureReadMapped(t, call, compare, &taken));
    assert_true(taken.same);
    txTextureDestroy(t);
  }
  assert_true(clContextStatistics(context).bytes_pooled >= 300 * 300 * 8);
  assertOk(context, clContextTrim(context));
  txTexture *t = NULL;
  size_t limit = context->info.memory_limit, used = clContextStatistics(context).bytes_used;
  assertOk(context, txTextureCreate(&t, context, call, TX_RG32F, 30, 30));
  context->info.memory_limit = clContextStatistics(context).bytes_used + 1000;
  assertFails(context, txTextureReadMapped(t, call, compare, &(Taken){0}), TEXLA_OUT_OF_MEMORY,
              "more bytes");
  context->info.memory_limit = limit;
  txTextureDestroy(t);
  assert_int_equal(clContextStatistics(context).bytes_used, used);
}

/* What was rendered becomes the result, or goes, and nothing stays behind. */
static void resultsReplaceTextures(void **state) {
  clContext *context = *state;
  txTexture *result = NULL, *rendered = NULL;
  size_t before = clContextStatistics(context).bytes_used;
  assertOk(context, txTextureCreate(&result, context, call, TX_RGBA32F, 3, 2));
  for (int failed = 0; failed < 2; failed++) {
    assertOk(context, txTextureCreate(&rendered, context, call, TX_RGBA32F, 3, 2));
    const txTexture *wanted = failed ? result : rendered;
    clStatus status = failed ? TEXLA_OUT_OF_MEMORY : TEXLA_OK;
    assert_int_equal(txTextureReplace(&result, rendered, status), status);
    assert_ptr_equal(result, wanted);
    assert_int_equal(clContextStatistics(context).bytes_used, before + 3 * 2 * 16);
  }
  txTextureDestroy(result);
}

TEST_MAIN(testContextCreate, testContextDestroy, theLastOneFreedIsReused,
          limitsAreCheckedBeforeAnythingIsAllocated, thePoolGivesWay, thePoolKeepsNoMoreThanWasUsed,
          everyFormatKeepsItsValues, asynchronousReadsEnd, transfersAreCounted, glErrorsAreReported,
          largeUploadsArriveWhole, resultsReplaceTextures, mappedReadsSeeAllTexels)
