/* OpenGL contexts of hidden windows, made by GLFW: for macOS, which has no other way, and for
 * displays whose driver has no EGL. GLFW is loaded when the first window is asked for, so that the
 * library does not need it.
 *
 * GLFW makes and destroys windows on a program's first thread alone. A window whose context dies in
 * another one is kept until the next window is made. GLFW itself is never terminated, since the
 * application may use it, too. (One that terminates it ends these windows.) */
#include "gl/platform.h"

#include "core/allocate.h"
#include "core/try.h"
#include "gl/glfw_platform.h"
#include "gl/gl.h"
#include "platform/platform.h"

static const char call[] = "clContextCreate";

#if TEXLA_HAVE_GLFW

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct windowPlatform windowPlatform;
struct windowPlatform {
  txPlatform base;
  GLFWwindow *window;
  /* The one that was kept before it. */
  windowPlatform *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static windowPlatform *kept;

/* Of GLFW, once it has been loaded. */
static struct {
  void *module;
  /* of GLFW 3.4 and later; NULL before */
  int (*supported)(int platform);
  void (*init_hint)(int hint, int value);
  int (*init)(void);
  int (*error)(const char **text);
  void (*default_hints)(void);
  void (*hint)(int hint, int value);
  GLFWwindow *(*create)(int width, int height, const char *title, GLFWmonitor *monitor,
                        GLFWwindow *share);
  void (*destroy)(GLFWwindow *window);
  void (*make_current)(GLFWwindow *window);
  GLFWwindow *(*current)(void);
} glfw;

static bool findFunctions(void *module) {
  return txModuleFind(module, "glfwInit", &glfw.init) &&
         txModuleFind(module, "glfwGetError", &glfw.error) &&
         txModuleFind(module, "glfwDefaultWindowHints", &glfw.default_hints) &&
         txModuleFind(module, "glfwWindowHint", &glfw.hint) &&
         txModuleFind(module, "glfwCreateWindow", &glfw.create) &&
         txModuleFind(module, "glfwDestroyWindow", &glfw.destroy) &&
         txModuleFind(module, "glfwMakeContextCurrent", &glfw.make_current) &&
         txModuleFind(module, "glfwGetCurrentContext", &glfw.current);
}

static clStatus load(clError *error) {
  static const char *const names[] = {"libglfw.so.3", "libglfw.3.dylib", "libglfw.dylib",
                                      "glfw3.dll"};
  for (size_t k = 0; k < sizeof names / sizeof *names && !glfw.module; k++) {
    void *module = txModuleOpen(names[k]);
    if (module && findFunctions(module))
      glfw.module = module;
    if (glfw.module && !(txModuleFind(module, "glfwPlatformSupported", &glfw.supported) &&
                         txModuleFind(module, "glfwInitHint", &glfw.init_hint)))
      glfw.supported = NULL;
  }
  if (glfw.module)
    return TEXLA_OK;
  return txFail(error, TEXLA_NO_DEVICE, call,
                "the device \"window\" needs GLFW 3.3 (libglfw), which is not installed");
}

static clStatus fail(const char *what, clError *error) {
  const char *text = NULL;
  glfw.error(&text);
  if (!text)
    text = "GLFW does not say why";
  return txFail(error, TEXLA_NO_DEVICE, call, "the device \"window\": %s: %s", what, text);
}

static void destroyKept(void) {
  pthread_mutex_lock(&lock);
  while (kept) {
    windowPlatform *next = kept->next;
    glfw.destroy(kept->window);
    free(kept);
    kept = next;
  }
  pthread_mutex_unlock(&lock);
}

/* macOS has core profiles for forward-compatible contexts alone. The hints are one for all of the
 * program: nothing stays of what is set here. */
static GLFWwindow *openWindow(bool debug) {
  glfw.default_hints();
  glfw.hint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfw.hint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfw.hint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfw.hint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfw.hint(GLFW_OPENGL_DEBUG_CONTEXT, debug);
  glfw.hint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfw.hint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow *window = glfw.create(16, 16, "texla", NULL, NULL);
  glfw.default_hints();
  return window;
}

static clStatus create(txPlatform **out, clContext *context, const char *device, clError *error) {
  (void)device;
  if (!txThreadIsMain())
    return txFail(error, TEXLA_NO_DEVICE, call,
                  "the device \"window\" can be opened on the program's first thread alone: create "
                  "the context there, or make an OpenGL context of the application's current in "
                  "this thread and adopt it (clContextOptions.adopt)");
  TRY(load(error));
  if (glfw.supported)
    txGlfwChoosePlatform(glfw.supported, glfw.init_hint);
  if (!glfw.init())
    return fail("no display", error);
  destroyKept();
  windowPlatform *platform = txAllocate(error, call, 1, sizeof *platform, "the context");
  if (!platform)
    return TEXLA_OUT_OF_MEMORY;
  platform->window = openWindow(context->options.debug);
  if (!platform->window) {
    free(platform);
    return fail("no OpenGL 3.3 core context", error);
  }
  glfw.make_current(platform->window);
  context->info.platform = "window";
  context->info.threads = txThreadsUsual();
  *out = &platform->base;
  return TEXLA_OK;
}

static void *current(void) {
  if (!glfw.module)
    return NULL;
  return glfw.current();
}

static bool isCurrent(const txPlatform *base) {
  return glfw.current() == ((const windowPlatform *)base)->window;
}

static void leave(void) {
  glfw.make_current(NULL);
}

/* X11 ends a program that asks for a context which is current in another thread; so windows stay
 * with the thread that made them. */
static bool enter(txPlatform *base) {
  const windowPlatform *platform = (const windowPlatform *)base;
  if (!txThreadIsMain())
    return false;
  glfw.make_current(platform->window);
  return isCurrent(base);
}

static void destroy(txPlatform *base) {
  windowPlatform *platform = (windowPlatform *)base;
  if (txThreadIsMain()) {
    glfw.destroy(platform->window);
    free(platform);
    return;
  }
  pthread_mutex_lock(&lock);
  platform->next = kept;
  kept = platform;
  pthread_mutex_unlock(&lock);
}

#else

static clStatus create(txPlatform **out, clContext *context, const char *device, clError *error) {
  (void)out, (void)context, (void)device;
  return txFail(error, TEXLA_NO_DEVICE, call,
                "the device \"window\" is missing: texla was built without GLFW's header");
}

static void *current(void) {
  return NULL;
}

static bool isCurrent(const txPlatform *platform) {
  (void)platform;
  return false;
}

static void leave(void) {
}

static bool enter(txPlatform *platform) {
  (void)platform;
  return false;
}

static void destroy(txPlatform *platform) {
  (void)platform;
}

#endif

const txPlatformKind txPlatformWindow = {.device = "window",
                                         .listed = "window",
                                         .create = create,
                                         .current = current,
                                         .isCurrent = isCurrent,
                                         .enter = enter,
                                         .leave = leave,
                                         .destroy = destroy};
