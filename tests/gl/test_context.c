/* Contexts: choice of the device, several at once, counters, probes, debug checks, adopted OpenGL
 * contexts. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glew.h>

#include "common.h"
#include "folder.h"
#include "gl/context.h"
#include "gl/gl.h"
#include "oracle/vector.h"
#include "platform/platform.h"

#include "texla/dense.h"
#include "texla/kernel.h"
#include "texla/trace.h"

#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef EGL_PLATFORM_SURFACELESS_MESA
#define EGL_PLATFORM_SURFACELESS_MESA 0x31DD
#endif

static clStatus create(const char *device, clContext **out, clError *error) {
  const clContextOptions options = {.device = device, .no_tuning_cache = true};
  *out = NULL;
  return clContextCreate(out, &options, error);
}

/* A small computation, with its answer: |1 + 2 i| summed over i < 1000. */
static void compute(clContext *context) {
  float values[1000], sum = 0;
  clVector *x = NULL, *y = NULL;
  clFloat *s = NULL;
  for (int i = 0; i < 1000; i++)
    values[i] = (float)i;
  assertOk(context, clVectorCreateGrid(&x, context, 25, 40));
  assertOk(context, clVectorCreateLike(&y, x));
  assertOk(context, clFloatCreate(&s, context));
  assertOk(context, clVectorUpload(x, values));
  assertOk(context, clVectorFill(y, 1));
  assertOk(context, clVectorAxpy(y, 2, NULL, x));
  assertOk(context, clVectorSum(s, y));
  assertOk(context, clFloatDownload(s, &sum));
  assert_true(sum == 1000000);
  memset(values, 0, sizeof values);
  assertOk(context, clVectorDownload(y, values));
  for (int i = 0; i < 1000; i++)
    assert_true(values[i] == (float)(1 + 2 * i));
  clFloatDestroy(s);
  clVectorDestroy(x);
  clVectorDestroy(y);
}

static void devicesByName(void **state) {
  (void)state;
  static const char *const names[] = {"auto", "llvmpipe", "surfaceless", "0", "", NULL};
  int usable = 0;
  for (int i = 0; i < 6; i++) {
    clContext *context;
    clError error = {0};
    clStatus status = create(names[i], &context, &error);
    assert_true(status == TEXLA_OK || status == TEXLA_NO_DEVICE);
    assert_true(status == TEXLA_OK ? context != NULL : !context && error.message[0]);
    if (context) {
      const clContextInfo *info = clContextInspect(context);
      assert_true(i != 1 || info->software);
      /* another number of threads needs another display */
      bool surfaceless = i == 2 || info->software;
      bool chosen = !names[i] || !*names[i];
      assert_true(chosen || !strcmp(info->platform, "EGL device") ||
                  (surfaceless && !strcmp(info->platform, "EGL surfaceless")));
      assert_true(i != 2 || !strcmp(info->platform, "EGL surfaceless"));
      assert_true(info->max_texture_size >= 1024 && info->max_targets >= 8 &&
                  info->max_sources >= 16);
      assert_true(info->vendor[0] && info->renderer[0] && info->version[0] && info->glsl[0]);
      compute(context);
      usable++;
    }
    clContextDestroy(context);
  }
  assert_true(usable > 0);
}

static void badDeviceNames(void **state) {
  (void)state;
  clContext *context;
  clError error;
  testFails(create("gpu7", &context, &error), &error, TEXLA_BAD_ARGUMENT,
            "clContextCreate: unknown device \"gpu7\": use auto, llvmpipe, surfaceless, window, "
            "gles or an index below",
            "gpu7", __FILE__, __LINE__);
  testFails(create("1x", &context, &error), &error, TEXLA_BAD_ARGUMENT, "unknown device \"1x\"",
            "1x", __FILE__, __LINE__);
  testFails(create("9999", &context, &error), &error, TEXLA_NO_DEVICE,
            "there is no device 9999:", "9999", __FILE__, __LINE__);
  testFails(create("-1", &context, &error), &error, TEXLA_NO_DEVICE, "there is no device -1:", "-1",
            __FILE__, __LINE__);
  assert_null(context);
  assert_int_equal(create("gpu7", &context, NULL), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clContextCreate(NULL, NULL, NULL), TEXLA_BAD_ARGUMENT);
  clContextDestroy(NULL);
}

static void theEnvironmentChooses(void **state) {
  (void)state;
  clContext *context;
  clError error;
  const char *before = getenv("TEXLA_DEVICE");
  char *kept = before ? strdup(before) : NULL;
  setenv("TEXLA_DEVICE", "nonsense", 1);
  testFails(create(NULL, &context, &error), &error, TEXLA_BAD_ARGUMENT,
            "unknown device \"nonsense\"", "TEXLA_DEVICE", __FILE__, __LINE__);
  /* the option is stronger */
  clStatus status = create("auto", &context, &error);
  assert_int_equal(status, TEXLA_OK);
  clContextDestroy(context);
  if (kept)
    setenv("TEXLA_DEVICE", kept, 1);
  else
    unsetenv("TEXLA_DEVICE");
  free(kept);
}

static void listOfDevices(void **state) {
  clContext *context = *state;
  clDevice devices[32];
  clError error = {0};
  int count = -1, again = -1;
  testOk(clDeviceList(NULL, 0, &count, &error), &error, "clDeviceList", __FILE__, __LINE__);
  testOk(clDeviceList(devices, 32, &again, &error), &error, "clDeviceList", __FILE__, __LINE__);
  assert_int_equal(count, again);
  for (int i = 0; i < count && i < 32; i++) {
    /* the name, or why it is not usable */
    assert_true(devices[i].renderer[0] != 0);
    if (devices[i].usable) {
      char index[16];
      clContext *made;
      snprintf(index, sizeof index, "%d", i);
      assert_int_equal(create(index, &made, &error), TEXLA_OK);
      assert_string_equal(clContextInspect(made)->vendor, devices[i].vendor);
      clContextDestroy(made);
    }
  }
  testFails(clDeviceList(NULL, 3, &count, &error), &error, TEXLA_BAD_ARGUMENT,
            "clDeviceList: count must not be NULL", "clDeviceList", __FILE__, __LINE__);
  assert_int_equal(clDeviceList(devices, 32, NULL, NULL), TEXLA_BAD_ARGUMENT);
  /* which was not current any more */
  compute(context);
}

static void severalInOneThread(void **state) {
  clContext *a = *state, *b = testContextWith((clContextOptions){0}),
            *c = testContextWith((clContextOptions){0});
  for (int round = 0; round < 2; round++) {
    compute(a);
    compute(b);
    compute(c);
  }
  clContextDestroy(b);
  compute(a);
  compute(c);
  clContextDestroy(c);
  compute(a);
}

static void *computeInThread(void *user) {
  clContext *context = testContextWith((clContextOptions){0});
  for (int round = 0; round < 5; round++)
    compute(context);
  clContextDestroy(context);
  return user;
}

/* Windows are made in the first thread alone, and EGL tells nothing of them. */
static void skipInWindow(const clContext *context) {
  if (!strcmp(clContextInspect(context)->platform, "window"))
    testSkip("contexts in windows belong to the first thread, and EGL knows none of them");
}

static void severalThreads(void **state) {
  clContext *context = *state;
  skipInWindow(context);
  pthread_t thread[3];
  for (int i = 0; i < 3; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, computeInThread, *state), 0);
  compute(context);
  for (int i = 0; i < 3; i++) {
    void *result = NULL;
    assert_int_equal(pthread_join(thread[i], &result), 0);
    /* a failed check would have ended the thread */
    assert_ptr_equal(result, *state);
  }
}

static void *useForeign(void *user) {
  clContext *context = user;
  return clContextSynchronize(context) == TEXLA_DEVICE_ERROR ? user : NULL;
}

static void anotherThreadsContextIsRefused(void **state) {
  clContext *context = *state;
  pthread_t thread;
  void *result = NULL;
  /* now it is current here */
  compute(context);
  assert_int_equal(pthread_create(&thread, NULL, useForeign, context), 0);
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_ptr_equal(result, context);
  assert_non_null(strstr(clContextError(context)->message,
                         "could not be made current; is it in use by another"));
  compute(context);
}

static void counters(void **state) {
  (void)state;
  clContext *context = testContextWith((clContextOptions){0});
  clContextCounters c = clContextStatistics(context);
  assert_true(!c.passes && !c.draws && !c.uploads && !c.readbacks && !c.bytes_pooled);
  /* the constant 1, the texel that is read together with results */
  size_t own = 4 + 16;
  assert_true(c.bytes_used == own && c.bytes_peak == own);
  clVector *x = NULL;
  float values[12] = {0};
  assertOk(context, clVectorCreateGrid(&x, context, 3, 4));
  assertOk(context, clVectorUpload(x, values));
  assertOk(context, clVectorScale(x, 2, NULL, x));
  assertOk(context, clVectorDownload(x, values));
  c = clContextStatistics(context);
  assert_true(c.passes == 1 && c.draws == 1 && c.uploads == 1 && c.readbacks == 1);
  assert_true(c.bytes_used == own + 64 && c.bytes_peak == own + 128 && c.bytes_pooled == 64);
  clVectorDestroy(x);
  assert_int_equal(clContextStatistics(context).bytes_used, own);
  assert_int_equal(clContextStatistics(NULL).passes, 0);
  assert_null(clContextInspect(NULL));
  clContextDestroy(context);
}

static void errorsAreKept(void **state) {
  (void)state;
  clContext *context = testContextWith((clContextOptions){0});
  assert_int_equal(clContextError(context)->status, TEXLA_OK);
  assert_string_equal(clContextError(context)->message, "");
  clVector *x = NULL;
  assert_int_equal(clVectorCreate(&x, context, 0), TEXLA_BAD_ARGUMENT);
  assert_int_equal(clContextError(context)->status, TEXLA_BAD_ARGUMENT);
  assert_int_equal(clContextError(NULL)->status, TEXLA_BAD_ARGUMENT);
  assert_int_equal(clContextSynchronize(NULL), TEXLA_BAD_ARGUMENT);
  assertOk(context, clContextSynchronize(context));
  clContextDestroy(context);
}

/* What single precision on this device is known to do; elsewhere the probes only have to agree with
 * one another. */
static void probes(void **state) {
  const clContextInfo *info = clContextInspect(*state);
  const clProbes *p = &info->probes;
  assert_true(p->rgba32f_renderable && p->r32f_renderable);
  assert_true(p->division_ulps >= 0 && p->division_ulps < 4);
  if (!strstr(info->renderer, "llvmpipe"))
    return;
  assert_true(p->exact_division && p->division_ulps <= 0.5f);
  assert_true(p->large_integers && p->round_add && p->round_mul);
  assert_true(p->nan_kept && p->inf_kept);
  assert_true(p->filterable && p->blendable);
}

typedef struct Log {
  int count;
  char last[512];
} Log;

/* Answers of drivers to GL_NVX_gpu_memory_info: right ones and those of Mesa's software. */
static void memoryThatIsClaimed(void **state) {
  (void)state;
  const size_t gib = (size_t)1 << 30, machine = 16 * gib;
  assert_int_equal(txMemoryClaimed(8 << 20, 8 << 20, machine), 8 * gib);
  assert_int_equal(txMemoryClaimed(16 << 20, 16 << 20, machine), machine);
  assert_int_equal(txMemoryClaimed(16 << 20, (16 << 20) - 1, machine), 0);
  assert_int_equal(txMemoryClaimed(1 << 30, 1 << 30, machine), 0);
  static const int odd[] = {0, -1, INT_MIN, INT_MAX, 1, 475, 64 * 1024 - 1};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    assert_int_equal(txMemoryClaimed(odd[i], odd[i], machine), 0);
}

/* A limit that somebody has set holds; another is the same in every context, and as large as a
 * device's memory can be. */
static void limitOfMemory(void **state) {
  (void)state;
  size_t limit[2];
  for (int i = 0; i < 2; i++) {
    clContext *context = testContextWith((clContextOptions){.no_tuning_cache = true});
    limit[i] = clContextInspect(context)->memory_limit;
    if (clContextInspect(context)->software)
      assert_int_equal(limit[i], txMemory() / 4 * 3);
    clContextDestroy(context);
  }
  assert_int_equal(limit[0], limit[1]);
  assertWithin(limit[0], (size_t)57 << 20, txMemory());
  clContext *context = testContextWith((clContextOptions){.memory_limit = 12345678});
  assert_int_equal(clContextInspect(context)->memory_limit, 12345678);
  clContextDestroy(context);
}

static void keepLog(void *user, clLogLevel level, const char *message) {
  Log *log = user;
  if (level == TEXLA_LOG_WARNING)
    snprintf(log->last, sizeof log->last, "%d %s", ++log->count, message);
}

/* An error that somebody leaves behind: a context with `debug` finds it at the next pass. */
static void debugReportsGlErrors(void **state) {
  (void)state;
  for (int debug = 0; debug < 2; debug++) {
    Log log = {0};
    clContext *context =
        testContextWith((clContextOptions){.debug = debug, .log = keepLog, .log_user = &log});
    clVector *x = NULL;
    assertOk(context, clVectorCreate(&x, context, 5));
    glEnable(0x1234);
    if (debug) {
      assertFails(context, clVectorFill(x, 1), TEXLA_DEVICE_ERROR,
                  "clVectorFill: fill: OpenGL error 0x0500");
      const char *extensions = getenv("TEXLA_EXTENSIONS");
      bool quiet = testIsEs(context) || (extensions && *extensions);
      assert_true(log.count > 0 || quiet);
    } else {
      assertOk(context, clVectorFill(x, 1));
    }
    clVectorDestroy(x);
    clContextDestroy(context);
  }
}

/* An application's OpenGL context. */
typedef struct Application {
  EGLDisplay display;
  EGLContext context;
} Application;

static bool startApplication(Application *application) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                      3,
                                      EGL_CONTEXT_MINOR_VERSION,
                                      3,
                                      EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                      EGL_NONE};
  application->display =
      get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
  if (application->display == EGL_NO_DISPLAY || !eglInitialize(application->display, NULL, NULL))
    return false;
  eglBindAPI(EGL_OPENGL_API);
  application->context =
      eglCreateContext(application->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  return application->context != EGL_NO_CONTEXT &&
         eglMakeCurrent(application->display, EGL_NO_SURFACE, EGL_NO_SURFACE, application->context);
}

static void endApplication(Application *application) {
  eglMakeCurrent(application->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(application->display, application->context);
}

enum { UNITS = 16, BUFFERS = 8 };
static const GLenum integers[] = {GL_CURRENT_PROGRAM,
                                  GL_VERTEX_ARRAY_BINDING,
                                  GL_DRAW_FRAMEBUFFER_BINDING,
                                  GL_READ_FRAMEBUFFER_BINDING,
                                  GL_RENDERBUFFER_BINDING,
                                  GL_ACTIVE_TEXTURE,
                                  GL_VIEWPORT,
                                  GL_SCISSOR_BOX,
                                  GL_PIXEL_PACK_BUFFER_BINDING,
                                  GL_PIXEL_UNPACK_BUFFER_BINDING,
                                  GL_ARRAY_BUFFER_BINDING,
                                  GL_UNIFORM_BUFFER_BINDING,
                                  GL_PACK_ALIGNMENT,
                                  GL_PACK_ROW_LENGTH,
                                  GL_PACK_SKIP_ROWS,
                                  GL_PACK_SKIP_PIXELS,
                                  GL_PACK_SWAP_BYTES,
                                  GL_UNPACK_ALIGNMENT,
                                  GL_UNPACK_ROW_LENGTH,
                                  GL_UNPACK_SKIP_ROWS,
                                  GL_UNPACK_SKIP_PIXELS,
                                  GL_UNPACK_SWAP_BYTES,
                                  GL_BLEND_SRC_RGB,
                                  GL_BLEND_DST_RGB,
                                  GL_BLEND_SRC_ALPHA,
                                  GL_BLEND_DST_ALPHA,
                                  GL_BLEND_EQUATION_RGB,
                                  GL_BLEND_EQUATION_ALPHA,
                                  GL_CULL_FACE_MODE,
                                  GL_FRONT_FACE,
                                  GL_DEPTH_FUNC,
                                  GL_POLYGON_MODE,
                                  GL_LOGIC_OP_MODE,
                                  GL_CLAMP_READ_COLOR,
                                  GL_CLIP_ORIGIN,
                                  GL_CLIP_DEPTH_MODE,
                                  GL_POINT_SIZE,
                                  GL_COLOR_CLEAR_VALUE};
static const GLenum switches[] = {GL_BLEND,
                                  GL_DEPTH_TEST,
                                  GL_STENCIL_TEST,
                                  GL_SCISSOR_TEST,
                                  GL_CULL_FACE,
                                  GL_DITHER,
                                  GL_POLYGON_SMOOTH,
                                  GL_COLOR_LOGIC_OP,
                                  GL_CLIP_DISTANCE0,
                                  GL_CLIP_DISTANCE0 + 5,
                                  GL_SAMPLE_MASK,
                                  GL_DEPTH_CLAMP,
                                  GL_FRAMEBUFFER_SRGB,
                                  GL_RASTERIZER_DISCARD,
                                  GL_PROGRAM_POINT_SIZE};
enum {
  INTEGERS = sizeof integers / sizeof *integers,
  SWITCHES = sizeof switches / sizeof *switches
};

typedef struct Snapshot {
  GLint integer[INTEGERS][4], unit[UNITS][3], enabled[SWITCHES], blend[BUFFERS];
  GLboolean mask[BUFFERS][4];
} Snapshot;

static Snapshot snapshot(void) {
  Snapshot s;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < INTEGERS; i++)
    glGetIntegerv(integers[i], s.integer[i]);
  for (int i = 0; i < SWITCHES; i++)
    s.enabled[i] = glIsEnabled(switches[i]);
  for (int i = 0; i < BUFFERS; i++) {
    s.blend[i] = glIsEnabledi(GL_BLEND, (GLuint)i);
    glGetBooleani_v(GL_COLOR_WRITEMASK, (GLuint)i, s.mask[i]);
  }
  for (int i = 0; i < UNITS; i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &s.unit[i][0]);
    glGetIntegerv(GL_SAMPLER_BINDING, &s.unit[i][1]);
    glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &s.unit[i][2]);
  }
  glActiveTexture((GLenum)s.integer[5][0]);
  return s;
}

static void assertSame(const Snapshot *a, const Snapshot *b) {
  for (int i = 0; i < INTEGERS; i++) {
    if (memcmp(a->integer[i], b->integer[i], sizeof a->integer[i]) != 0)
      print_error("0x%04x: %d, was %d\n", integers[i], b->integer[i][0], a->integer[i][0]);
    assert_memory_equal(a->integer[i], b->integer[i], sizeof a->integer[i]);
  }
  for (int i = 0; i < SWITCHES; i++) {
    if (a->enabled[i] != b->enabled[i])
      print_error("0x%04x: %d\n", switches[i], b->enabled[i]);
    assert_int_equal(a->enabled[i], b->enabled[i]);
  }
  assert_memory_equal(a->blend, b->blend, sizeof a->blend);
  assert_memory_equal(a->mask, b->mask, sizeof a->mask);
  assert_memory_equal(a->unit, b->unit, sizeof a->unit);
}

static GLuint oddProgram(void) {
  const char *vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0.); }\n";
  const char *fragment = "#version 330 core\nout vec4 c;\nvoid main() { c = vec4(1.); }\n";
  GLuint program = glCreateProgram(),
         shader[2] = {glCreateShader(GL_VERTEX_SHADER), glCreateShader(GL_FRAGMENT_SHADER)};
  glShaderSource(shader[0], 1, &vertex, NULL);
  glShaderSource(shader[1], 1, &fragment, NULL);
  for (int i = 0; i < 2; i++) {
    glCompileShader(shader[i]);
    glAttachShader(program, shader[i]);
    glDeleteShader(shader[i]);
  }
  glLinkProgram(program);
  return program;
}

/* As little as possible is left at its default. */
static void setOddState(void) {
  GLuint vertex_array, buffer[3], framebuffer[2], texture[3], sampler, renderbuffer;
  glGenVertexArrays(1, &vertex_array);
  glGenBuffers(3, buffer);
  glGenFramebuffers(2, framebuffer);
  glGenTextures(3, texture);
  glGenSamplers(1, &sampler);
  glGenRenderbuffers(1, &renderbuffer);
  glUseProgram(oddProgram());
  glBindVertexArray(vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer[1]);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer[2]);
  glBindBuffer(GL_UNIFORM_BUFFER, buffer[0]);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer[0]);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer[1]);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  for (int i = 0; i < UNITS; i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glBindTexture(GL_TEXTURE_2D, texture[i % 2]);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture[2]);
    glBindSampler((GLuint)i, i % 3 ? sampler : 0);
  }
  glActiveTexture(GL_TEXTURE7);
  glViewport(3, 4, 5, 6);
  glScissor(1, 1, 2, 2);
  for (int i = 0; i < SWITCHES; i++)
    glEnable(switches[i]);
  glDisablei(GL_BLEND, 1);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_DST_COLOR, GL_ZERO);
  glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_MAX);
  glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE);
  glColorMaski(2, GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
  glCullFace(GL_FRONT_AND_BACK);
  glFrontFace(GL_CW);
  glDepthFunc(GL_NEVER);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glLogicOp(GL_CLEAR);
  glPointSize(9);
  glClampColor(GL_CLAMP_READ_COLOR, GL_TRUE);
  if (GLEW_ARB_clip_control)
    glClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
  glClearColor(0.5f, 0.25f, 0.125f, 1);
  const GLenum store[] = {GL_PACK_ROW_LENGTH,   GL_PACK_SKIP_ROWS,   GL_PACK_SKIP_PIXELS,
                          GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS};
  for (int i = 0; i < 6; i++)
    glPixelStorei(store[i], 3 + i);
  const GLenum harmless[] = {GL_FRAMEBUFFER_SRGB, GL_PRIMITIVE_RESTART, GL_DEPTH_CLAMP,
                             GL_LINE_SMOOTH, GL_POLYGON_OFFSET_FILL};
  for (int i = 0; i < 5; i++)
    glEnable(harmless[i]);
  glPrimitiveRestartIndex(0);
  glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 5);
  glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 8);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_SWAP_BYTES, GL_TRUE);
  glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
  assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Everything that texla does with OpenGL: passes, blending, several targets, transfers, pools,
 * failing calls. */
static void useEverything(clContext *context) {
  clVector *x = NULL, *y = NULL;
  clKernel *kernel = NULL, *wrong = NULL;
  clRead *read = NULL;
  clFloat *s[3] = {0};
  clDense *A = NULL;
  clPlu *plu = NULL;
  float values[7] = {1, 2, 3, 4, 5, 6, -7}, back[7] = {0};
  compute(context);
  assertOk(context, clDenseCreate(&A, context, 2, 3));
  assertOk(context, clDenseUpload(A, values, 3));
  assertOk(context, clPluCreate(&plu, context, 2, 3, NULL));
  /* parts of targets; in software a geometry shader */
  assertOk(context, clPluFactor(plu, A, NULL));
  clPluDestroy(plu);
  clDenseDestroy(A);
  assertOk(context, clVectorCreate(&x, context, 7));
  assertOk(context, clVectorClone(&y, x));
  assertOk(context, clVectorUpload(x, values));
  assertOk(
      context,
      clKernelCreate(&kernel, context, "two",
                     "uniform sampler2D x;\n"
                     "void kernel(out vec4 y[OUTPUTS]) { y[0] = texel(x); y[1] = -texel(x); }\n"));
  const clKernelRun run = {.output = {x, y}, .input = {{"x", x}}};
  assertOk(context, clKernelExecute(kernel, &run));
  assertOk(context, clVectorReadStart(&read, y));
  assertOk(context, clReadFinish(read, back));
  for (int i = 0; i < 7; i++)
    assert_true(back[i] == -values[i]);
  for (int k = 0; k < 3; k++)
    assertOk(context, clFloatCreate(&s[k], context));
  assertOk(context, clVectorArgMax(s[0], s[1], s[2], x));
  assertOk(context, clFloatDownload(s[2], &back[0]));
  assert_true(back[0] == 6);
  assertOk(context, clKernelCreate(&wrong, context, "wrong", "vec4 kernel() { return no; }\n"));
  assertFails(context, clKernelExecute(wrong, &run), TEXLA_SHADER_ERROR, "wrong:1");
  assertOk(context, clContextSynchronize(context));
  for (int k = 0; k < 3; k++)
    clFloatDestroy(s[k]);
  clKernelDestroy(kernel);
  clKernelDestroy(wrong);
  clVectorDestroy(x);
  clVectorDestroy(y);
}

/* The application reads a vector where it lives. */
static void checkView(clContext *context) {
  static const float values[6] = {1, 2, 3, 4, 5, 6};
  clVector *x = NULL;
  clVectorView view = {0};
  float texels[2][2][4];
  assertOk(context, clVectorCreateGrid(&x, context, 5, 2));
  assertOk(context, clVectorClear(x));
  assertOk(context, clVectorTexture(&view, x));
  assert_true(view.width == 2 && view.height == 2 && view.row == 5 && view.length == 10 &&
              view.format == GL_RGBA32F);
  clVectorDestroy(x);
  x = NULL;
  assertOk(context, clVectorCreateGrid(&x, context, 3, 2));
  assertOk(context, clVectorUpload(x, values));
  assertOk(context, clVectorScale(x, 10, NULL, x));
  assertOk(context, clVectorTexture(&view, x));
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glBindTexture(GL_TEXTURE_2D, view.name);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texels);
  glBindTexture(GL_TEXTURE_2D, (GLuint)bound);
  assert_true(texels[0][0][2] == 30 && texels[0][0][3] == 0 && texels[0][1][0] == 40 &&
              texels[0][1][2] == 60);
  clVectorDestroy(x);
}

static void adoptedContextsKeepTheirState(void **state) {
  (void)state;
  Application application = {0};
  if (!startApplication(&application))
    testSkip("EGL gives the application no context without a window");
  Log log = {0};
  clContext *context =
      testContextWith((clContextOptions){.adopt = true, .log = keepLog, .log_user = &log});
  assert_string_equal(clContextInspect(context)->platform, "adopted");
  checkView(context);
  setOddState();
  Snapshot before = snapshot(), after;
  useEverything(context);
  after = snapshot();
  assertSame(&before, &after);
  /* the same where all that is touched is saved once */
  assertOk(context, txContextBorrow(context));
  useEverything(context);
  useEverything(context);
  txContextGiveBack(context);
  after = snapshot();
  assertSame(&before, &after);
  assertOk(context, txContextBorrow(context));
  txContextGiveBack(context);
  useEverything(context);
  after = snapshot();
  assertSame(&before, &after);
  /* creation and end, too */
  clContext *second = testContextWith((clContextOptions){.adopt = true, .debug = true});
  useEverything(second);
  clContextDestroy(second);
  after = snapshot();
  assertSame(&before, &after);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  /* the application's own error fails none of texla's calls */
  glEnable(0x1234);
  useEverything(context);
  assert_non_null(strstr(log.last, "the application had left the OpenGL error 0x0500"));
  clContextDestroy(context);
  after = snapshot();
  assertSame(&before, &after);
  assert_ptr_equal(eglGetCurrentContext(), application.context);
  endApplication(&application);
}

/* An application that draws with another context, or with none, is told so by every call, and
 * all is as it was once the adopted one is current again. */
static void adoptedButNotCurrent(void **state) {
  static const char message[] = "the adopted OpenGL context is not current in this thread";
  Application application = {0};
  skipInWindow(*state);
  if (!startApplication(&application))
    testSkip("EGL gives the application no context without a window");
  clContext *context = testContextWith((clContextOptions){.adopt = true});
  clVector *x = NULL, *y = NULL, *none = NULL;
  float value[5] = {0};
  assertOk(context, clVectorCreate(&x, context, 5));
  assertOk(context, clVectorCreate(&y, context, 5));
  assertOk(context, clVectorFill(x, 2));
  for (int other = 0; other < 2; other++) {
    eglMakeCurrent(application.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (other)
      compute(*state);
    assertFails(context, clVectorFill(x, 3), TEXLA_DEVICE_ERROR, message);
    assertFails(context, clVectorAxpy(x, 1, NULL, y), TEXLA_DEVICE_ERROR, message);
    assertFails(context, clVectorCreate(&none, context, 700), TEXLA_DEVICE_ERROR, message);
    assertFails(context, clVectorDownload(x, value), TEXLA_DEVICE_ERROR, message);
    assert_null(none);
    eglMakeCurrent(application.display, EGL_NO_SURFACE, EGL_NO_SURFACE, application.context);
    assertOk(context, clVectorAxpy(x, 1, NULL, y));
    assertOk(context, clVectorDownload(x, value));
    assert_true(value[0] == 2 && value[4] == 2);
    compute(context);
  }
  clVectorDestroy(x);
  clVectorDestroy(y);
  clContextDestroy(context);
  endApplication(&application);
}

/* A trace reads textures and times passes: the application sees nothing of it, not even one that
 * measures by itself. */
static void tracedInAnApplication(void **state) {
  (void)state;
  Application application = {0};
  Folder folder;
  GLuint query, done = 0;
  if (!startApplication(&application))
    testSkip("EGL gives the application no context without a window");
  folderCreate(&folder);
  clContext *context =
      testContextWith((clContextOptions){.adopt = true, .trace = folder.name, .debug = true});
  setOddState();
  Snapshot before = snapshot(), after;
  compute(context);
  glGenQueries(1, &query);
  glBeginQuery(GL_TIME_ELAPSED, query);
  useEverything(context);
  glEndQuery(GL_TIME_ELAPSED);
  glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &done);
  after = snapshot();
  assertSame(&before, &after);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  clTraceReport report;
  assertOk(context, clTraceFinish(context, &report));
  assert_true(report.pictured > 0 && report.pictured == report.recorded);
  clContextDestroy(context);
  after = snapshot();
  assertSame(&before, &after);
  assert_int_equal(glGetError(), GL_NO_ERROR);
  glDeleteQueries(1, &query);
  endApplication(&application);
  folderDestroy(&folder);
}

static void nothingToAdopt(void **state) {
  skipInWindow(*state);
  clContext *context = NULL;
  clError error = {0};
  const clContextOptions options = {.adopt = true, .no_tuning_cache = true};
  eglMakeCurrent(eglGetCurrentDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  testFails(clContextCreate(&context, &options, &error), &error, TEXLA_NO_DEVICE,
            "clContextCreate: ", "adopt", __FILE__, __LINE__);
  assert_null(context);
  compute(*state);
}

/* What a child of this process must see; 0 if all of it holds. The parent's trace stays. */
static int lookAfterFork(clContext *context, clVector *x, const char *page) {
  clContext *other = NULL;
  clError error = {0};
  float value = 1;
  alarm(60);
  if (clVectorUpload(x, &value) != TEXLA_CONTEXT_LOST ||
      clContextSynchronize(context) != TEXLA_CONTEXT_LOST ||
      !strstr(clContextError(context)->message, "before fork"))
    return 1;
  if (clContextCreate(&other, NULL, &error) != TEXLA_NO_DEVICE || other ||
      !strstr(error.message, "posix_spawn"))
    return 2;
  clVectorDestroy(x);
  clContextDestroy(context);
  return access(page, F_OK) == 0 ? 3 : 0;
}

/* The driver's worker threads do not exist in a child, which would wait for them for ever. */
static void childrenAreRefused(void **state) {
  (void)state;
  Folder folder;
  folderCreate(&folder);
  char trace[600];
  snprintf(trace, sizeof trace, "%s/trace", folder.name);
  const clContextOptions options = {.threads = 2, .no_tuning_cache = true, .trace = trace};
  clContext *context = NULL;
  clVector *x = NULL;
  assert_int_equal(clContextCreate(&context, &options, NULL), TEXLA_OK);
  assertOk(context, clVectorCreate(&x, context, 1));
  fflush(NULL);
  int status = -1;
  pid_t child = fork();
  if (child == 0)
    _exit(lookAfterFork(context, x, folderPath(&folder, "trace/index.html")));
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  compute(context);
  clVectorDestroy(x);
  clContextDestroy(context);
  assert_int_equal(access(folderPath(&folder, "trace/index.html"), F_OK), 0);
  folderDestroy(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(devicesByName),
                                     cmocka_unit_test(badDeviceNames),
                                     cmocka_unit_test(theEnvironmentChooses),
                                     cmocka_unit_test(listOfDevices),
                                     cmocka_unit_test(severalInOneThread),
                                     cmocka_unit_test(severalThreads),
                                     cmocka_unit_test(anotherThreadsContextIsRefused),
                                     cmocka_unit_test(counters),
                                     cmocka_unit_test(errorsAreKept),
                                     cmocka_unit_test(probes),
                                     cmocka_unit_test(memoryThatIsClaimed),
                                     cmocka_unit_test(limitOfMemory),
                                     cmocka_unit_test(debugReportsGlErrors),
                                     cmocka_unit_test(adoptedContextsKeepTheirState),
                                     cmocka_unit_test(adoptedButNotCurrent),
                                     cmocka_unit_test(tracedInAnApplication),
                                     cmocka_unit_test(nothingToAdopt),
                                     cmocka_unit_test(childrenAreRefused)};
  return cmocka_run_group_tests_name("context", tests, testContextCreate, testContextDestroy);
}
