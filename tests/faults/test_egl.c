/* EGL's calls fail, or refuse debug contexts: what a caller is told, that another way is taken
 * where there is one, and that no context of EGL's is left. */
#include "common.h"
#include "texla/vector.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

typedef enum Broken { NOTHING, INITIALIZE, BIND, CREATE, DEBUG_CREATE, CURRENT } Broken;

static Broken broken;
static EGLint code, pending = EGL_SUCCESS;
static long contexts;

static bool fails(bool now) {
  if (now)
    pending = code;
  return now;
}

EGLBoolean __real_eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor);
EGLBoolean __real_eglBindAPI(EGLenum api);
EGLContext __real_eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share,
                                   const EGLint *attributes);
EGLBoolean __real_eglDestroyContext(EGLDisplay display, EGLContext context);
EGLBoolean __real_eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read,
                                 EGLContext context);
EGLint __real_eglGetError(void);

EGLBoolean __wrap_eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor) {
  return fails(broken == INITIALIZE) ? EGL_FALSE : __real_eglInitialize(display, major, minor);
}

EGLBoolean __wrap_eglBindAPI(EGLenum api) {
  return fails(broken == BIND) ? EGL_FALSE : __real_eglBindAPI(api);
}

static bool wantsDebug(const EGLint *attributes) {
  for (; *attributes != EGL_NONE; attributes += 2)
    if (attributes[0] == EGL_CONTEXT_OPENGL_DEBUG && attributes[1])
      return true;
  return false;
}

EGLContext __wrap_eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share,
                                   const EGLint *attributes) {
  if (fails(broken == CREATE || (broken == DEBUG_CREATE && wantsDebug(attributes))))
    return EGL_NO_CONTEXT;
  EGLContext context = __real_eglCreateContext(display, config, share, attributes);
  contexts += context != EGL_NO_CONTEXT;
  return context;
}

EGLBoolean __wrap_eglDestroyContext(EGLDisplay display, EGLContext context) {
  contexts--;
  return __real_eglDestroyContext(display, context);
}

EGLBoolean __wrap_eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read,
                                 EGLContext context) {
  return fails(broken == CURRENT) ? EGL_FALSE : __real_eglMakeCurrent(display, draw, read, context);
}

EGLint __wrap_eglGetError(void) {
  EGLint error = pending;
  pending = EGL_SUCCESS;
  return error != EGL_SUCCESS ? error : __real_eglGetError();
}

typedef struct Log {
  int warnings;
  char last[512];
} Log;

static void keepLog(void *user, clLogLevel level, const char *message) {
  Log *log = user;
  log->warnings += level == TEXLA_LOG_WARNING;
  if (level == TEXLA_LOG_WARNING)
    snprintf(log->last, sizeof log->last, "%s", message);
}

static clStatus create(clContext **out, const char *device, bool debug, Log *log, clError *error) {
  const clContextOptions options = {.device = device,
                                    .debug = debug,
                                    .log = keepLog,
                                    .log_user = log,
                                    .no_tuning_cache = true,
                                    .elements = 4096};
  *out = NULL;
  return clContextCreate(out, &options, error);
}

/* What is expected of a context that works is asked of llvmpipe, which is not on every machine. */
static void needLlvmpipe(void) {
  Log log = {0};
  clError error = {0};
  clContext *context;
  clStatus status = create(&context, "llvmpipe", false, &log, &error);
  clContextDestroy(context);
  if (status == TEXLA_NO_DEVICE)
    testSkip("no llvmpipe here");
}

/* A fill by this context arrives. */
static void assertWorks(clContext *context) {
  float values[3] = {0};
  clVector *x = NULL;
  assertOk(context, clVectorCreate(&x, context, 3));
  assertOk(context, clVectorFill(x, 2));
  assertOk(context, clVectorDownload(x, values));
  assert_true(values[0] == 2 && values[2] == 2);
  clVectorDestroy(x);
}

static void refusedDebugContextsArePlainOnes(void **state) {
  needLlvmpipe();
  for (int refused = 0; refused < 2; refused++)
    for (int debug = 0; debug < 2; debug++) {
      Log log = {0};
      clContext *context = NULL;
      clError error = {0};
      broken = refused ? DEBUG_CREATE : NOTHING;
      code = EGL_BAD_ATTRIBUTE;
      testOk(create(&context, "llvmpipe", debug, &log, &error), &error, "create", __FILE__,
             __LINE__);
      broken = NOTHING;
      pending = EGL_SUCCESS;
      assertWorks(context);
      /* and says so, once */
      if (refused && debug)
        assert_string_equal(log.last, "the driver refuses debug contexts: it tells nothing, but "
                                      "errors are looked for after every pass");
      /* a driver may refuse by itself */
      if (refused || !debug)
        assert_int_equal(log.warnings, refused && debug);
      clContextDestroy(context);
      assert_int_equal(contexts, 0);
    }
}

static void errorsHaveTheirCode(void **state) {
  static const struct {
    Broken broken;
    EGLint code;
    const char *message;
  } cases[] = {
      {INITIALIZE, EGL_NOT_INITIALIZED,
       "EGL surfaceless platform: cannot be initialized (EGL_NOT_INITIALIZED: the driver could not "
       "open the device)"},
      {INITIALIZE, EGL_BAD_ALLOC,
       "cannot be initialized (EGL_BAD_ALLOC: the driver is out of resources)"},
      {BIND, EGL_BAD_PARAMETER, "no OpenGL 3.3 core context (EGL_BAD_PARAMETER)"},
      {CREATE, EGL_BAD_MATCH,
       "no OpenGL 3.3 core context (EGL_BAD_MATCH: no such context on this device)"},
      {CREATE, EGL_BAD_ACCESS,
       "no OpenGL 3.3 core context (EGL_BAD_ACCESS: the device is not accessible"},
      {CREATE, EGL_BAD_CONFIG, "no OpenGL 3.3 core context (EGL_BAD_CONFIG)"},
      {CREATE, EGL_BAD_NATIVE_WINDOW, "no OpenGL 3.3 core context (EGL error 0x300b)"},
      {CURRENT, EGL_CONTEXT_LOST, "its context cannot be made current (EGL_CONTEXT_LOST)"},
      {CURRENT, 0x31ff, "its context cannot be made current (EGL error 0x31ff)"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int debug = 0; debug < 2; debug++) {
      Log log = {0};
      clContext *context = NULL;
      clError error = {0};
      broken = cases[k].broken;
      code = cases[k].code;
      testFails(create(&context, "surfaceless", debug, &log, &error), &error, TEXLA_NO_DEVICE,
                cases[k].message, "create", __FILE__, __LINE__);
      broken = NOTHING;
      pending = EGL_SUCCESS;
      assert_null(context);
      assert_int_equal(contexts, 0);
    }
}

/* The list tells the same of each device. */
static void theListTellsWhy(void **state) {
  clDevice devices[32];
  clError error = {0};
  int count = 0;
  broken = CREATE;
  code = EGL_BAD_ACCESS;
  testOk(clDeviceList(devices, 32, &count, &error), &error, "clDeviceList", __FILE__, __LINE__);
  broken = NOTHING;
  pending = EGL_SUCCESS;
  for (int k = 0; k < count && k < 32; k++) {
    assert_false(devices[k].usable);
    assert_non_null(strstr(devices[k].renderer, "EGL_BAD_ACCESS"));
  }
}

/* Of a context that works; every call says so until it can be made current again. */
static void aContextThatCannotBeMadeCurrent(void **state) {
  clContext *one = NULL, *other = NULL;
  clVector *x = NULL;
  clError error = {0};
  Log log = {0};
  needLlvmpipe();
  testOk(create(&one, "llvmpipe", false, &log, &error), &error, "create", __FILE__, __LINE__);
  testOk(create(&other, "llvmpipe", false, &log, &error), &error, "create", __FILE__, __LINE__);
  broken = CURRENT;
  code = EGL_BAD_ACCESS;
  assertFails(one, clVectorCreate(&x, one, 3), TEXLA_DEVICE_ERROR,
              "the context could not be made current; is it in use by another thread?");
  broken = NOTHING;
  assertWorks(one);
  assertWorks(other);
  broken = CURRENT;
  code = EGL_CONTEXT_LOST;
  assertFails(one, clVectorCreate(&x, one, 3), TEXLA_CONTEXT_LOST,
              "the driver has lost the context");
  broken = NOTHING;
  assertFails(one, clVectorCreate(&x, one, 3), TEXLA_CONTEXT_LOST,
              "the driver has lost the context");
  assertWorks(other);
  clContextDestroy(one);
  clContextDestroy(other);
  assert_int_equal(contexts, 0);
}

TEST_MAIN(NULL, NULL, refusedDebugContextsArePlainOnes, errorsHaveTheirCode, theListTellsWhy,
          aContextThatCannotBeMadeCurrent)
