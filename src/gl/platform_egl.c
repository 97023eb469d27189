/* Headless contexts through EGL, on a device of the list or Mesa's surfaceless platform: of OpenGL
 * 3.3, or (the device "gles") of OpenGL ES 3.0, which is what browsers have as WebGL 2. */
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gl/gl.h"
#include "core/try.h"
#include "core/allocate.h"
#include "gl/displays.h"
#include "gl/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EGL_PLATFORM_SURFACELESS_MESA
#define EGL_PLATFORM_SURFACELESS_MESA 0x31DD
#endif

typedef struct eglPlatform {
  txPlatform base;
  EGLDisplay display;
  EGLContext context;
  /* EGL_OPENGL_API or EGL_OPENGL_ES_API. */
  EGLenum api;
} eglPlatform;

/* What is to be opened, and where it goes. */
typedef struct request {
  EGLDisplay display;
  EGLContext context;
  EGLenum api;
  /* Whether a debug context is wanted, and whether the driver has only contexts without. */
  bool debug, plain;
  /* Worker threads of a software renderer. */
  int threads;
  const char *platform;
} request;

typedef struct deviceList {
  EGLDeviceEXT device[TX_MOST_DEVICES];
  bool software[TX_MOST_DEVICES];
  int count;
} deviceList;

static bool platformEglHasExtension(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *at = list; at && (at = strstr(at, name)); at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0))
      return true;
  return false;
}

/* Without the extensions there are no devices, only the surfaceless platform. */
static void listDevices(deviceList *list) {
  list->count = 0;
  PFNEGLQUERYDEVICESEXTPROC query =
      (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
  PFNEGLQUERYDEVICESTRINGEXTPROC text =
      (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
  EGLint count = 0;
  if (!query || !query(TX_MOST_DEVICES, list->device, &count))
    return;
  list->count = count;
  for (int i = 0; i < count; i++)
    list->software[i] = text && platformEglHasExtension(text(list->device[i], EGL_EXTENSIONS),
                                                        "EGL_MESA_device_software");
}

static int devices(bool *software, int most) {
  deviceList list;
  listDevices(&list);
  for (int i = 0; i < list.count && i < most; i++)
    software[i] = list.software[i];
  return list.count;
}

static EGLDisplay platformDisplay(EGLenum platform, void *device) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  if (!get)
    return EGL_NO_DISPLAY;
  return get(platform, device, NULL);
}

/* What EGL's last call failed with; `number` has room for a code without a name here. */
static const char *eglErrorText(char number[static 24]) {
  EGLint code = eglGetError();
  switch (code) {
  case EGL_SUCCESS:
    return "no EGL error";
  case EGL_NOT_INITIALIZED:
    return "EGL_NOT_INITIALIZED: the driver could not open the device";
  case EGL_BAD_ACCESS:
    return "EGL_BAD_ACCESS: the device is not accessible (permissions, or a partitioned GPU "
           "without graphics)";
  case EGL_BAD_ALLOC:
    return "EGL_BAD_ALLOC: the driver is out of resources";
  case EGL_BAD_MATCH:
    return "EGL_BAD_MATCH: no such context on this device";
  case EGL_BAD_ATTRIBUTE:
    return "EGL_BAD_ATTRIBUTE";
  case EGL_BAD_CONFIG:
    return "EGL_BAD_CONFIG";
  case EGL_BAD_DISPLAY:
    return "EGL_BAD_DISPLAY";
  case EGL_BAD_PARAMETER:
    return "EGL_BAD_PARAMETER";
  case EGL_CONTEXT_LOST:
    return "EGL_CONTEXT_LOST";
  default:
    snprintf(number, 24, "EGL error 0x%04x", (unsigned)code);
    return number;
  }
}

/* With `resets` it tells of resets of the device (glGetGraphicsResetStatus), after which it is
 * lost. */
static EGLContext platformEglCreateContext(EGLDisplay display, EGLenum api, bool debug,
                                           bool resets) {
  EGLint attributes[16] = {EGL_CONTEXT_MAJOR_VERSION, 3};
  int n = 2;
  if (api == EGL_OPENGL_API) {
    attributes[n++] = EGL_CONTEXT_MINOR_VERSION;
    attributes[n++] = 3;
    attributes[n++] = EGL_CONTEXT_OPENGL_PROFILE_MASK;
    attributes[n++] = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT;
  }
  if (resets) {
    attributes[n++] = EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
    attributes[n++] = EGL_LOSE_CONTEXT_ON_RESET;
  }
  if (debug) {
    attributes[n++] = EGL_CONTEXT_OPENGL_DEBUG;
    attributes[n++] = EGL_TRUE;
  }
  attributes[n] = EGL_NONE;
  return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

/* A context with as much as the driver has of what is wanted: messages for debugging (softpipe has
 * no debug contexts, and gives an ordinary one), and news of resets. */
static EGLContext platformEglCreateBest(request *r, EGLDisplay display) {
  EGLContext context = EGL_NO_CONTEXT;
  bool resets = platformEglHasExtension(eglQueryString(display, EGL_EXTENSIONS),
                                        "EGL_EXT_create_context_robustness");
  if (!eglBindAPI(r->api))
    return EGL_NO_CONTEXT;
  for (int debug = r->debug; debug >= 0; debug--)
    for (int tells = resets; tells >= 0 && context == EGL_NO_CONTEXT; tells--) {
      context = platformEglCreateContext(display, r->api, debug, tells);
      r->plain = r->debug && !debug;
    }
  return context;
}

static const char *platformEglNameOf(EGLenum api) {
  return api == EGL_OPENGL_API ? "OpenGL 3.3 core" : "OpenGL ES 3.0";
}

/* The display is never terminated: EGL does not count its users, and another clContext may live on
 * it. */
static clStatus openDisplay(request *r, EGLDisplay display, const char *what, clError *error) {
  char number[24];
  if (display == EGL_NO_DISPLAY || !txDisplayOpen(display, r->threads))
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "%s: cannot be initialized (%s)", what,
                  eglErrorText(number));
  EGLContext context = platformEglCreateBest(r, display);
  if (context == EGL_NO_CONTEXT)
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "%s: no %s context (%s)", what,
                  platformEglNameOf(r->api), eglErrorText(number));
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    r->display = display;
    r->context = context;
    return TEXLA_OK;
  }
  clStatus status =
      txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
             "%s: its context cannot be made current (%s)", what, eglErrorText(number));
  eglDestroyContext(display, context);
  return status;
}

static EGLDisplay surfacelessDisplay(void) {
  return platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
}

/* Can the surfaceless display stand in for a software device's own one, which has another number of
 * threads? */
static bool hasThreads(EGLDisplay surfaceless, int threads, EGLDeviceEXT device) {
  if (surfaceless == EGL_NO_DISPLAY)
    return false;
  int has = txDisplayThreads(surfaceless);
  return (has < 0 || has == threads) && txDisplayOpen(surfaceless, threads) &&
         txDisplayDevice(surfaceless) == (void *)device;
}

static clStatus openDevice(request *r, const deviceList *devices, int index, clError *error) {
  char what[32];
  snprintf(what, sizeof what, "EGL device %d", index);
  EGLDisplay display = platformDisplay(EGL_PLATFORM_DEVICE_EXT, devices->device[index]);
  r->platform = "EGL device";
  int has = -1;
  if (devices->software[index] && display != EGL_NO_DISPLAY)
    has = txDisplayThreads(display);
  if (has >= 0 && has != r->threads) {
    EGLDisplay other = surfacelessDisplay();
    if (hasThreads(other, r->threads, devices->device[index])) {
      r->platform = "EGL surfaceless";
      display = other;
    }
  }
  return openDisplay(r, display, what, error);
}

static clStatus openSurfaceless(request *r, clError *error) {
  r->platform = "EGL surfaceless";
  return openDisplay(r, surfacelessDisplay(), "EGL surfaceless platform", error);
}

/* Hardware first, then software, then surfaceless; `error` keeps the first cause. */
static clStatus openAuto(request *r, const deviceList *devices, bool software_only,
                         clError *error) {
  clError first = {0}, *where = &first, rest;
  for (int software = software_only; software < 2; software++)
    for (int i = 0; i < devices->count; i++)
      if (devices->software[i] == software) {
        if (openDevice(r, devices, i, where) == TEXLA_OK)
          return TEXLA_OK;
        where = &rest;
      }
  if (!software_only && openSurfaceless(r, where) == TEXLA_OK)
    return TEXLA_OK;
  const char *kind = "usable device for", *cause = "";
  if (software_only)
    kind = "software device (llvmpipe) for";
  if (first.message[0])
    cause = "; first: ";
  return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                "no %s %s among %d EGL devices%s%s; install Mesa's llvmpipe (libgl1-mesa-dri, "
                "libegl-mesa0) or choose with --device or TEXLA_DEVICE",
                kind, platformEglNameOf(r->api), devices->count, cause, first.message);
}

/* A device by its place in the list. */
static clStatus openIndex(request *r, const deviceList *devices, const char *device,
                          clError *error) {
  char *end;
  long index = strtol(device, &end, 10);
  if (end == device || *end)
    return txFail(error, TEXLA_BAD_ARGUMENT, "clContextCreate",
                  "unknown device \"%s\": use auto, llvmpipe, surfaceless, window, gles or an "
                  "index below %d%s",
                  device, devices->count,
                  strcmp(device, "rank") ? "" : "; rank is for texla-mpi alone");
  if (index < 0 || index >= devices->count)
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                  "there is no device %ld: %d EGL devices exist", index, devices->count);
  return openDevice(r, devices, (int)index, error);
}

static clStatus openNamed(request *r, const char *device, clError *error) {
  deviceList devices;
  listDevices(&devices);
  if (!strcmp(device, "auto") || !strcmp(device, "llvmpipe") || r->api == EGL_OPENGL_ES_API)
    return openAuto(r, &devices, device[0] == 'l', error);
  if (!strcmp(device, "surfaceless"))
    return openSurfaceless(r, error);
  return openIndex(r, &devices, device, error);
}

static clStatus createOf(txPlatform **out, clContext *context, EGLenum api, const char *device,
                         clError *error) {
  int pinned = -1;
  txTuningKnown(context, "trait.threads", &pinned);
  eglPlatform *platform = txAllocate(error, "clContextCreate", 1, sizeof *platform, "the context");
  if (!platform)
    return TEXLA_OUT_OF_MEMORY;
  txDisplaysLock();
  request r = {.api = api,
               .debug = context->options.debug,
               .threads = txThreadsWanted(&context->options, pinned)};
  clStatus status = openNamed(&r, device, error);
  if (!status)
    context->info.threads = txDisplayThreads(r.display);
  txDisplaysUnlock();
  context->info.platform = r.platform;
  if (status) {
    free(platform);
    return status;
  }
  if (r.plain)
    txContextLog(context, TEXLA_LOG_WARNING,
                 "the driver refuses debug contexts: it tells nothing, but errors are looked for "
                 "after every pass");
  platform->display = r.display;
  platform->context = r.context;
  platform->api = api;
  *out = &platform->base;
  return TEXLA_OK;
}

static clStatus platformEglCreate(txPlatform **out, clContext *context, const char *device,
                                  clError *error) {
  return createOf(out, context, EGL_OPENGL_API, device, error);
}

static clStatus createEs(txPlatform **out, clContext *context, const char *device, clError *error) {
  return createOf(out, context, EGL_OPENGL_ES_API, device, error);
}

static void *platformEglCurrent(void) {
  return eglGetCurrentContext();
}

static bool platformEglIsCurrent(const txPlatform *base) {
  return eglGetCurrentContext() == ((const eglPlatform *)base)->context;
}

static void platformEglLeave(void) {
  eglMakeCurrent(eglGetCurrentDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

static bool platformEglEnter(txPlatform *base) {
  const eglPlatform *platform = (const eglPlatform *)base;
  return eglBindAPI(platform->api) &&
         eglMakeCurrent(platform->display, EGL_NO_SURFACE, EGL_NO_SURFACE, platform->context);
}

static bool platformEglIsLost(void) {
  return eglGetError() == EGL_CONTEXT_LOST;
}

static void platformEglDestroy(txPlatform *base) {
  eglPlatform *platform = (eglPlatform *)base;
  if (platformEglIsCurrent(base))
    platformEglLeave();
  eglDestroyContext(platform->display, platform->context);
  free(platform);
}

const txPlatformKind txPlatformEgl = {.listed = "EGL device",
                                      .devices = devices,
                                      .create = platformEglCreate,
                                      .current = platformEglCurrent,
                                      .isCurrent = platformEglIsCurrent,
                                      .enter = platformEglEnter,
                                      .leave = platformEglLeave,
                                      .isLost = platformEglIsLost,
                                      .destroy = platformEglDestroy};
const txPlatformKind txPlatformGles = {.device = "gles",
                                       .listed = "OpenGL ES",
                                       .create = createEs,
                                       .current = platformEglCurrent,
                                       .isCurrent = platformEglIsCurrent,
                                       .enter = platformEglEnter,
                                       .leave = platformEglLeave,
                                       .isLost = platformEglIsLost,
                                       .destroy = platformEglDestroy};
