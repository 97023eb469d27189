/* OpenGL contexts on Windows (WGL). Each has a hidden window of its own, made in its own thread:
 * so contexts of several threads work side by side. Windows chooses the GPU; programs can ask for
 * the faster of two (platform/windows_program.c). A window belongs to the thread that made it, and
 * goes with that thread where its context is destroyed in another one. */
#include "gl/platform.h"

#include "core/allocate.h"
#include "core/try.h"
#include "gl/gl.h"

#include <GL/wglew.h>
#include <stdlib.h>
#include <string.h>

static const char call[] = "clContextCreate";

typedef struct wglPlatform {
  txPlatform base;
  HWND window;
  HDC device;
  HGLRC context;
} wglPlatform;

static clStatus fail(const char *what, clError *error) {
  return txFail(error, TEXLA_NO_DEVICE, call, "%s (Windows' error %lu)", what, GetLastError());
}

/* A window of 16 x 16 pixels that is never shown, and gets no input. */
static HWND makeWindow(void) {
  const char *name = "texla";
  HINSTANCE program = GetModuleHandleA(NULL);
  WNDCLASSA class = {.style = CS_OWNDC,
                     .lpfnWndProc = DefWindowProcA,
                     .hInstance = program,
                     .lpszClassName = name};
  /* Fails where the class is there already. */
  RegisterClassA(&class);
  return CreateWindowExA(0, name, name, WS_POPUP | WS_DISABLED, 0, 0, 16, 16, NULL, NULL, program,
                         NULL);
}

static bool setPixelFormat(HDC device) {
  PIXELFORMATDESCRIPTOR wanted = {.nSize = sizeof wanted,
                                  .nVersion = 1,
                                  .dwFlags = PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL,
                                  .iPixelType = PFD_TYPE_RGBA,
                                  .cColorBits = 24};
  int format = ChoosePixelFormat(device, &wanted);
  return format && SetPixelFormat(device, format, &wanted);
}

/* The call that makes core profiles; it is asked of an old context, which is not kept. */
static PFNWGLCREATECONTEXTATTRIBSARBPROC findCreate(HDC device) {
  PFNWGLCREATECONTEXTATTRIBSARBPROC create = NULL;
  HGLRC old = wglCreateContext(device);
  if (old && wglMakeCurrent(device, old)) {
    PROC found = wglGetProcAddress("wglCreateContextAttribsARB");
    memcpy(&create, &found, sizeof found);
  }
  wglMakeCurrent(NULL, NULL);
  if (old)
    wglDeleteContext(old);
  return create;
}

/* With `resets` it tells of resets of the device, after which it is lost. */
static HGLRC createCore(PFNWGLCREATECONTEXTATTRIBSARBPROC create, HDC device, bool debug,
                        bool resets) {
  int flags = 0, n = 6;
  int attributes[16] = {WGL_CONTEXT_MAJOR_VERSION_ARB, 3,
                        WGL_CONTEXT_MINOR_VERSION_ARB, 3,
                        WGL_CONTEXT_PROFILE_MASK_ARB,  WGL_CONTEXT_CORE_PROFILE_BIT_ARB};
  if (debug)
    flags |= WGL_CONTEXT_DEBUG_BIT_ARB;
  if (resets) {
    flags |= WGL_CONTEXT_ROBUST_ACCESS_BIT_ARB;
    attributes[n++] = WGL_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB;
    attributes[n++] = WGL_LOSE_CONTEXT_ON_RESET_ARB;
  }
  attributes[n++] = WGL_CONTEXT_FLAGS_ARB;
  attributes[n] = flags;
  return create(device, NULL, attributes);
}

/* As much as the driver has of what is wanted. */
static HGLRC createBest(HDC device, bool wants_debug) {
  PFNWGLCREATECONTEXTATTRIBSARBPROC create = findCreate(device);
  HGLRC context = NULL;
  if (!create)
    return NULL;
  for (int debug = wants_debug; debug >= 0 && !context; debug--)
    for (int resets = 1; resets >= 0 && !context; resets--)
      context = createCore(create, device, debug, resets);
  return context;
}

static bool isCurrent(const txPlatform *base) {
  return wglGetCurrentContext() == ((const wglPlatform *)base)->context;
}

static void leave(void) {
  wglMakeCurrent(NULL, NULL);
}

static bool enter(txPlatform *base) {
  const wglPlatform *platform = (const wglPlatform *)base;
  return wglMakeCurrent(platform->device, platform->context);
}

static void *current(void) {
  return wglGetCurrentContext();
}

/* Also what has been opened of one half. */
static void destroy(txPlatform *base) {
  wglPlatform *platform = (wglPlatform *)base;
  if (platform->context && isCurrent(base))
    leave();
  if (platform->context)
    wglDeleteContext(platform->context);
  if (platform->window)
    DestroyWindow(platform->window);
  free(platform);
}

static clStatus openPlatform(wglPlatform *platform, bool debug, clError *error) {
  platform->window = makeWindow();
  if (!platform->window)
    return fail("no window can be made", error);
  platform->device = GetDC(platform->window);
  if (!setPixelFormat(platform->device))
    return fail("the display has no OpenGL", error);
  platform->context = createBest(platform->device, debug);
  if (!platform->context)
    return fail("the driver has no OpenGL 3.3 core context: install the graphics card's own "
                "driver, or Mesa's opengl32.dll beside the program",
                error);
  if (!enter(&platform->base))
    return fail("the context cannot be made current", error);
  return TEXLA_OK;
}

/* There is one device: Windows chooses. Its number, and a software renderer that it happens to be,
 * may be asked for. */
static clStatus checkName(const char *device, clError *error) {
  const char *renderer = (const char *)glGetString(GL_RENDERER);
  bool software = renderer && !strncmp(renderer, "llvmpipe", 8);
  if (!strcmp(device, "auto") || !strcmp(device, "0") || (software && !strcmp(device, "llvmpipe")))
    return TEXLA_OK;
  if (!strcmp(device, "llvmpipe"))
    return txFail(error, TEXLA_NO_DEVICE, call, "the OpenGL here is %s, not llvmpipe", renderer);
  return txFail(error, TEXLA_BAD_ARGUMENT, call,
                "unknown device \"%s\": Windows chooses the GPU, so use auto, or window", device);
}

static clStatus create(txPlatform **out, clContext *context, const char *device, clError *error) {
  wglPlatform *platform = txAllocate(error, call, 1, sizeof *platform, "the context");
  if (!platform)
    return TEXLA_OUT_OF_MEMORY;
  clStatus status = TEXLA_OK;
  TRY_CLEANUP(openPlatform(platform, context->options.debug, error));
  TRY_CLEANUP(checkName(device, error));
  context->info.platform = "WGL";
  context->info.threads = txThreadsUsual();
  *out = &platform->base;
  return TEXLA_OK;
cleanup:
  destroy(&platform->base);
  return status;
}

const txPlatformKind txPlatformWgl = {.listed = "WGL",
                                      .create = create,
                                      .current = current,
                                      .isCurrent = isCurrent,
                                      .enter = enter,
                                      .leave = leave,
                                      .destroy = destroy};
