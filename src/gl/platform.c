/* Headless OpenGL contexts through EGL: a device of the list, or Mesa's surfaceless platform. */
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gl/gl.h"
#include "core/allocate.h"
#include "gl/displays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EGL_PLATFORM_SURFACELESS_MESA
#define EGL_PLATFORM_SURFACELESS_MESA 0x31DD
#endif

enum { MAX_DEVICES = 32 };

struct txPlatform {
  EGLDisplay display;
  /* EGL_NO_CONTEXT where an application's context was not made by EGL. */
  EGLContext context;
  bool adopted;
};

/* What is to be opened, and where it goes. */
typedef struct request {
  txPlatform opened;
  /* wanted; but the driver has only contexts without */
  bool debug, plain;
  /* of a software renderer */
  int threads;
  const char *platform;
} request;

typedef struct deviceList {
  EGLDeviceEXT device[MAX_DEVICES];
  bool software[MAX_DEVICES];
  int count;
} deviceList;

static bool hasExtension(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *at = list; at && (at = strstr(at, name)); at += n)
    if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0))
      return true;
  return false;
}

static void listDevices(deviceList *list) {
  list->count = 0;
  PFNEGLQUERYDEVICESEXTPROC query =
      (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
  PFNEGLQUERYDEVICESTRINGEXTPROC text =
      (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
  EGLint count = 0;
  if (!query || !query(MAX_DEVICES, list->device, &count))
    return;
  list->count = count;
  for (int i = 0; i < count; i++)
    list->software[i] =
        text && hasExtension(text(list->device[i], EGL_EXTENSIONS), "EGL_MESA_device_software");
}

static EGLDisplay platformDisplay(EGLenum platform, void *device) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  return get ? get(platform, device, NULL) : EGL_NO_DISPLAY;
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
    return "EGL_BAD_MATCH: no OpenGL 3.3 core context on this device";
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
static EGLContext createContext(EGLDisplay display, bool debug, bool resets) {
  EGLint attributes[16] = {EGL_CONTEXT_MAJOR_VERSION,       3,
                           EGL_CONTEXT_MINOR_VERSION,       3,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
  int n = 6;
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

/* The display is never terminated: EGL does not count its users, and another clContext may live on
 * it. A driver that has no debug contexts (softpipe) gives an ordinary one. */
static clStatus openDisplay(request *r, EGLDisplay display, const char *what, clError *error) {
  char number[24];
  if (display == EGL_NO_DISPLAY || !txDisplayOpen(display, r->threads))
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "%s: cannot be initialized (%s)", what,
                  eglErrorText(number));
  EGLContext context = EGL_NO_CONTEXT;
  bool resets =
      hasExtension(eglQueryString(display, EGL_EXTENSIONS), "EGL_EXT_create_context_robustness");
  if (eglBindAPI(EGL_OPENGL_API)) {
    /* the most that the driver has */
    for (int k = 0; k < 4 && context == EGL_NO_CONTEXT; k++)
      if ((r->debug || k >= 2) && (resets || k % 2))
        context = createContext(display, k < 2, k % 2 == 0), r->plain = r->debug && k >= 2;
  }
  if (context == EGL_NO_CONTEXT)
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "%s: no OpenGL 3.3 core context (%s)",
                  what, eglErrorText(number));
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    clStatus status =
        txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
               "%s: its context cannot be made current (%s)", what, eglErrorText(number));
    eglDestroyContext(display, context);
    return status;
  }
  r->opened = (txPlatform){.display = display, .context = context};
  return TEXLA_OK;
}

static EGLDisplay surfacelessDisplay(void) {
  return platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
}

static bool isDisplayOf(EGLDisplay display, EGLDeviceEXT device) {
  PFNEGLQUERYDISPLAYATTRIBEXTPROC query =
      (PFNEGLQUERYDISPLAYATTRIBEXTPROC)eglGetProcAddress("eglQueryDisplayAttribEXT");
  EGLAttrib value = 0;
  return query && query(display, EGL_DEVICE_EXT, &value) && (EGLDeviceEXT)value == device;
}

/* Can the surfaceless display stand in for a software device's own one, which has another number of
 * threads? */
static bool hasThreads(EGLDisplay surfaceless, int threads, EGLDeviceEXT device) {
  int has = surfaceless == EGL_NO_DISPLAY ? threads + 1 : txDisplayThreads(surfaceless);
  return (has < 0 || has == threads) && txDisplayOpen(surfaceless, threads) &&
         isDisplayOf(surfaceless, device);
}

static clStatus openDevice(request *r, const deviceList *devices, int index, clError *error) {
  char what[32];
  snprintf(what, sizeof what, "EGL device %d", index);
  EGLDisplay display = platformDisplay(EGL_PLATFORM_DEVICE_EXT, devices->device[index]);
  r->platform = "EGL device";
  if (devices->software[index] && display != EGL_NO_DISPLAY) {
    int has = txDisplayThreads(display);
    EGLDisplay other = has < 0 || has == r->threads ? EGL_NO_DISPLAY : surfacelessDisplay();
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
  return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                "no %s among %d EGL devices%s%s; install Mesa's llvmpipe (libgl1-mesa-dri, "
                "libegl-mesa0) or choose "
                "with --device or TEXLA_DEVICE",
                software_only ? "software device (llvmpipe)" : "usable OpenGL 3.3 device",
                devices->count, first.message[0] ? "; first: " : "", first.message);
}

static clStatus openIndex(request *r, const deviceList *devices, const char *device,
                          clError *error) {
  char *end;
  long index = strtol(device, &end, 10);
  if (end == device || *end)
    return txFail(error, TEXLA_BAD_ARGUMENT, "clContextCreate",
                  "unknown device \"%s\": use auto, llvmpipe, surfaceless or an index below %d%s",
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
  if (!strcmp(device, "auto") || !strcmp(device, "llvmpipe"))
    return openAuto(r, &devices, device[0] == 'l', error);
  if (!strcmp(device, "surfaceless"))
    return openSurfaceless(r, error);
  return openIndex(r, &devices, device, error);
}

clStatus txPlatformCreate(clContext *context, const char *device, clError *error) {
  int pinned = -1;
  txTuningKnown(context, "trait.threads", &pinned);
  txDisplaysLock();
  request r = {.debug = context->options.debug,
               .threads = txThreadsWanted(&context->options, pinned)};
  clStatus status = openNamed(&r, device, error);
  if (!status)
    context->info.threads = txDisplayThreads(r.opened.display);
  txDisplaysUnlock();
  context->info.platform = r.platform;
  if (status)
    return status;
  if (r.plain)
    txContextLog(context, TEXLA_LOG_WARNING,
                 "the driver refuses debug contexts: it tells nothing, but errors are looked for "
                 "after every pass");
  context->platform =
      txAllocate(error, "clContextCreate", 1, sizeof *context->platform, "the context");
  if (!context->platform) {
    eglMakeCurrent(r.opened.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(r.opened.display, r.opened.context);
    return TEXLA_OUT_OF_MEMORY;
  }
  *context->platform = r.opened;
  return TEXLA_OK;
}

clStatus txPlatformAdopt(clContext *context, clError *error) {
  txPlatform *platform = txAllocate(error, "clContextCreate", 1, sizeof *platform, "the context");
  if (!platform)
    return TEXLA_OUT_OF_MEMORY;
  platform->context = eglGetCurrentContext();
  platform->adopted = true;
  context->platform = platform;
  return TEXLA_OK;
}

/* Of a context that GLX or another system made, EGL knows nothing: then any that is current will
 * have to do. Without one OpenGL's calls do nothing, and say nothing. */
static bool isAdoptedCurrent(const txPlatform *platform) {
  if (eglGetCurrentContext() != platform->context)
    return false;
  return platform->context != EGL_NO_CONTEXT || glGetString(GL_VERSION) != NULL;
}

bool txPlatformEnter(txPlatform *platform) {
  if (platform->adopted)
    return isAdoptedCurrent(platform);
  if (eglGetCurrentContext() == platform->context)
    return true;
  return eglBindAPI(EGL_OPENGL_API) &&
         eglMakeCurrent(platform->display, EGL_NO_SURFACE, EGL_NO_SURFACE, platform->context);
}

bool txPlatformLost(const txPlatform *platform) {
  return !platform->adopted && eglGetError() == EGL_CONTEXT_LOST;
}

void txPlatformDestroy(txPlatform *platform) {
  if (!platform)
    return;
  if (!platform->adopted) {
    if (eglGetCurrentContext() == platform->context)
      eglMakeCurrent(platform->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(platform->display, platform->context);
  }
  free(platform);
}

clStatus clDeviceList(clDevice *devices, int capacity, int *count, clError *error) {
  if (!count || capacity < 0 || (capacity && !devices))
    return txFail(error, TEXLA_BAD_ARGUMENT, "clDeviceList",
                  "count must not be NULL; devices may be NULL only when capacity (%d) is 0",
                  capacity);
  deviceList list;
  listDevices(&list);
  *count = list.count;
  for (int i = 0; i < list.count && i < capacity; i++) {
    clDevice *d = &devices[i];
    *d = (clDevice){.platform = "EGL device", .software = list.software[i]};
    char index[16];
    snprintf(index, sizeof index, "%d", i);
    clContext *context = NULL;
    clError why = {0};
    clContextOptions options = {.device = index, .no_tuning_cache = true};
    d->usable = txContextCreate(&context, &options, &why) == TEXLA_OK;
    if (d->usable) {
      snprintf(d->vendor, sizeof d->vendor, "%s", clContextInspect(context)->vendor);
      snprintf(d->renderer, sizeof d->renderer, "%s", clContextInspect(context)->renderer);
      clContextDestroy(context);
    } else {
      snprintf(d->renderer, sizeof d->renderer, "%.120s", why.message);
    }
  }
  return TEXLA_OK;
}
