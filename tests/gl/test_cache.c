/* Compiled programs do not fill the memory, and what is kept for reuse can be freed. */
#include "common.h"
#include "gl/pass.h"
#include "texla/kernel.h"
#include "texla/vector.h"

enum { MOST = 256 };

static clKernel *newKernel(clContext *context, int number) {
  char source[128];
  clKernel *kernel = NULL;
  snprintf(source, sizeof source, "vec4 kernel() { return vec4(%d.); }\n", number);
  assertOk(context, clKernelCreate(&kernel, context, "constant", source));
  return kernel;
}

static void runAndCheck(clContext *context, clKernel *kernel, clVector *x, int number) {
  float values[5];
  assertOk(context, clKernelExecute(kernel, &(clKernelRun){.output = {x}}));
  assertOk(context, clVectorDownload(x, values));
  for (int i = 0; i < 5; i++)
    assert_true(values[i] == (float)number);
}

static void aKernelsProgramsGoWithIt(void **state) {
  OWN(clVector) *x = NULL;
  assertOk(*state, clVectorCreate(&x, *state, 5));
  int64_t before = clContextStatistics(*state).programs_kept;
  for (int k = 0; k < 5; k++) {
    clKernel *kernel = newKernel(*state, k), *other = newKernel(*state, k + 10);
    runAndCheck(*state, kernel, x, k);
    runAndCheck(*state, other, x, k + 10);
    assert_int_equal(clContextStatistics(*state).programs_kept, before + 2);
    clKernelDestroy(kernel);
    assert_int_equal(clContextStatistics(*state).programs_kept, before + 1);
    runAndCheck(*state, other, x, k + 10);
    clKernelDestroy(other);
    assert_int_equal(clContextStatistics(*state).programs_kept, before);
  }
}

/* A context can keep them: then the same kernel, made anew, compiles nothing. */
static void keptProgramsStay(void **state) {
  OWN(clContext) *context = NULL;
  OWN(clVector) *x = NULL;
  clError error;
  assert_int_equal(clContextCreate(&context, NULL, &error), TEXLA_OK);
  txProgramsKeep(context);
  assertOk(context, clVectorCreate(&x, context, 5));
  for (int k = 0; k < 3; k++) {
    OWN(clKernel) *kernel = newKernel(context, 7);
    int64_t compiled = clContextStatistics(context).programs;
    runAndCheck(context, kernel, x, 7);
    assert_true(k == 0 || clContextStatistics(context).programs == compiled);
  }
}

/* The one that was not used for longest is compiled again when it is wanted. */
static void theCacheIsBounded(void **state) {
  enum { MORE = MOST + 20 };
  clKernel *kernel[MORE];
  OWN(clVector) *x = NULL;
  assertOk(*state, clVectorCreate(&x, *state, 5));
  for (int k = 0; k < MORE; k++) {
    kernel[k] = newKernel(*state, k);
    runAndCheck(*state, kernel[k], x, k);
    runAndCheck(*state, kernel[0], x, 0);
    assert_true(clContextStatistics(*state).programs_kept <= MOST);
  }
  assert_int_equal(clContextStatistics(*state).programs_kept, MOST);
  int64_t compiled = clContextStatistics(*state).programs;
  runAndCheck(*state, kernel[0], x, 0);
  assert_int_equal(clContextStatistics(*state).programs, compiled);
  runAndCheck(*state, kernel[1], x, 1);
  assert_int_equal(clContextStatistics(*state).programs, compiled + 1);
  for (int k = 0; k < MORE; k++)
    clKernelDestroy(kernel[k]);
}

static void trimFreesWhatIsKept(void **state) {
  clVector *x = NULL, *y = NULL;
  float values[5];
  assertOk(*state, clVectorCreate(&x, *state, 5));
  assertOk(*state, clVectorCreate(&y, *state, 100000));
  assertOk(*state, clVectorFill(x, 3));
  clVectorDestroy(y);
  clContextCounters before = clContextStatistics(*state);
  assert_true(before.bytes_pooled >= 400000 && before.programs_kept > 0);
  assertOk(*state, clContextTrim(*state));
  clContextCounters after = clContextStatistics(*state);
  assert_true(after.bytes_pooled == 0 && after.programs_kept == 0);
  assert_true(after.bytes_used <= before.bytes_used);
  assertOk(*state, clVectorScale(x, 2, NULL, x));
  assertOk(*state, clVectorDownload(x, values));
  assert_true(values[0] == 6 && values[4] == 6);
  clVectorDestroy(x);
  assert_int_equal(clContextTrim(NULL), TEXLA_BAD_ARGUMENT);
}

typedef struct Heard {
  int count[3];
} Heard;

static void hear(void *user, clLogLevel level, const char *message) {
  (void)message;
  ((Heard *)user)->count[level]++;
}

static void logsFilter(void **state) {
  for (int level = TEXLA_LOG_WARNING; level <= TEXLA_LOG_DEBUG; level++) {
    Heard heard = {0};
    OWN(clContext) *context = testContextWith(
        (clContextOptions){.log = hear, .log_user = &heard, .log_level = (clLogLevel)level});
    OWN(clVector) *x = NULL;
    assertOk(context, clVectorCreate(&x, context, 5));
    /* compiles: a message for debugging */
    assertOk(context, clVectorFill(x, 1));
    assert_true((heard.count[TEXLA_LOG_DEBUG] > 0) == (level == TEXLA_LOG_DEBUG));
  }
}

TEST_MAIN(testContextCreate, testContextDestroy, aKernelsProgramsGoWithIt, keptProgramsStay,
          theCacheIsBounded, trimFreesWhatIsKept, logsFilter)
