/* Ways to an OpenGL context beside EGL's devices: a hidden window, where there is a display, and
 * OpenGL 3.3 without extensions. */
#include "common.h"

#include "gl/gl.h"
#include "texla/vector.h"

#include <pthread.h>

static clStatus openWindow(clContext **out, clError *error) {
  const clContextOptions options = {.device = "window", .no_tuning_cache = true};
  *out = NULL;
  return clContextCreate(out, &options, error);
}

/* Skips the test where there is no window to be had. */
static clContext *windowOrSkip(void) {
  clContext *context = NULL;
  clError error = {0};
  clStatus status = openWindow(&context, &error);
  if (status == TEXLA_OK)
    return context;
  assert_int_equal(status, TEXLA_NO_DEVICE);
  assert_non_null(strstr(error.message, "the device \"window\""));
  assert_null(context);
  testSkip("no display for a window");
  return NULL;
}

/* sum of 3 + 2 i, i < 100 */
static void compute(clContext *context) {
  float values[100], sum = 0;
  for (int i = 0; i < 100; i++)
    values[i] = (float)i;
  OWN(clVector) *x = NULL, *y = NULL;
  OWN(clFloat) *s = NULL;
  assertOk(context, clVectorCreate(&x, context, 100));
  assertOk(context, clVectorCreateLike(&y, x));
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clVectorUpload(x, values));
  assertOk(context, clVectorFill(y, 3));
  assertOk(context, clVectorAxpy(y, 2, NULL, x));
  assertOk(context, clVectorSum(s, y));
  assertOk(context, clFloatDownload(s, &sum));
  assert_true(sum == 300 + 9900);
}

static void windowsComputeSideBySide(void **state) {
  clContext *window = windowOrSkip(),
            *other = testContextWith((clContextOptions){.device = "auto"});
  OWN(clContext) *second = windowOrSkip();
  assert_string_equal(clContextInspect(window)->platform, "window");
  for (int round = 0; round < 2; round++) {
    compute(window);
    compute(other);
    compute(second);
  }
  clContextDestroy(other);
  compute(window);
  clContextDestroy(window);
  compute(second);
}

typedef struct Elsewhere {
  clContext *context;
  clStatus created, used;
  clError error;
} Elsewhere;

/* In another thread: opens a window, uses the first thread's, and destroys that one. */
static void *workElsewhere(void *user) {
  Elsewhere *e = user;
  clContext *made;
  e->created = openWindow(&made, &e->error);
  e->used = clContextSynchronize(e->context);
  clContextDestroy(e->context);
  return NULL;
}

static void windowsStayInTheFirstThread(void **state) {
  for (int round = 0; round < 3; round++) {
    pthread_t thread;
    Elsewhere e = {.context = windowOrSkip()};
    compute(e.context);
    assert_int_equal(pthread_create(&thread, NULL, workElsewhere, &e), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    testFails(e.created, &e.error, TEXLA_NO_DEVICE,
              "clContextCreate: the device \"window\" can be opened on the program's first thread "
              "alone: create the context there, or make",
              "window", __FILE__, __LINE__);
    assert_non_null(strstr(e.error.message, "clContextOptions.adopt"));
    assert_int_equal(e.used, TEXLA_DEVICE_ERROR);
  }
  /* The windows that died elsewhere are gone now. */
  OWN(clContext) *last = windowOrSkip();
  compute(last);
}

static int tabled(const clContext *context, const char *wanted) {
  const char *key = NULL;
  int value = 0;
  for (int i = 0; clContextTuning(context, i, &key, &value); i++)
    if (!strcmp(key, wanted))
      return value;
  fail_msg("no %s in the table", wanted);
  return 0;
}

static void extensionsCanBeLeftOut(void **state) {
  const char *before = getenv("TEXLA_EXTENSIONS");
  FREED char *kept = before ? strdup(before) : NULL;
  setenv("TEXLA_EXTENSIONS", "none", 1);
  clContext *context = testContextWith((clContextOptions){.debug = true});
  assert_true(context->plain);
  /* fma is an extension's */
  assert_true(tabled(context, "trait.double_float") < 2);
  compute(context);
  clContextDestroy(context);
  setenv("TEXLA_EXTENSIONS", "some", 1);
  clError error = {0};
  testFails(clContextCreate(&context, NULL, &error), &error, TEXLA_BAD_ARGUMENT,
            "clContextCreate: TEXLA_EXTENSIONS is \"some\"", "TEXLA_EXTENSIONS", __FILE__,
            __LINE__);
  if (kept)
    setenv("TEXLA_EXTENSIONS", kept, 1);
  else
    unsetenv("TEXLA_EXTENSIONS");
}

/* One output of one location, declared under two conditions with two types: OpenGL ES compiles the
 * translation whichever holds. */
static const char two_declarations[] = "#if TX_ARRAY\n"
                                       "layout(location = 0) out vec4 y[2];\n"
                                       "#else\n"
                                       "layout(location = 0) out float y;\n"
                                       "#endif\n"
                                       "void main() {\n"
                                       "#if TX_ARRAY\n"
                                       "  for (int i = 0; i < 2; i++)\n"
                                       "    y[i] = vec4(float(i));\n"
                                       "#else\n"
                                       "  y = 1.;\n"
                                       "#endif\n"
                                       "}\n";

static void embeddedShadersHaveAnyOutput(void **state) {
  OWN(clContext) *context = NULL;
  const clContextOptions options = {.device = "gles", .no_tuning_cache = true};
  clStatus status = clContextCreate(&context, &options, NULL);
  /* on Windows, and where Mesa is told to do without extensions, also those of OpenGL ES */
  if (status == TEXLA_NO_DEVICE || status == TEXLA_BAD_ARGUMENT ||
      getenv("MESA_EXTENSION_OVERRIDE"))
    testSkip("no OpenGL ES here");
  assert_int_equal(status, TEXLA_OK);
  assert_true(context->es);
  char *text = NULL;
  assertOk(context,
           txDialectTranslate(&text, context, "test", GL_FRAGMENT_SHADER, two_declarations));
  for (int array = 0; array < 2; array++) {
    char define[32], log[1024] = "";
    snprintf(define, sizeof define, "#define TX_ARRAY %d\n", array);
    const char *parts[] = {txDialectHead, define, text};
    GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    GLint compiled = 0;
    glShaderSource(shader, 3, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glDeleteShader(shader);
    if (!compiled)
      fail_msg("with TX_ARRAY %d:\n%s\n%s", array, log, text);
  }
  free(text);
  compute(context);
}

TEST_MAIN(NULL, NULL, windowsComputeSideBySide, windowsStayInTheFirstThread, extensionsCanBeLeftOut,
          embeddedShadersHaveAnyOutput)
