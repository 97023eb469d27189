/* Headless OpenGL contexts through EGL: a device of the list, or Mesa's surfaceless platform. */
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "gl/gl.h"
#include "core/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EGL_PLATFORM_SURFACELESS_MESA
#define EGL_PLATFORM_SURFACELESS_MESA 0x31DD
#endif

enum { MAX_DEVICES = 32 };

struct txPlatform {
  EGLDisplay display;
  EGLContext context;
};

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
  PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
  PFNEGLQUERYDEVICESTRINGEXTPROC text = (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
  EGLint count = 0;
  if (!query || !query(MAX_DEVICES, list->device, &count))
    return;
  list->count = count;
  for (int i = 0; i < count; i++)
    list->software[i] = text && hasExtension(text(list->device[i], EGL_EXTENSIONS), "EGL_MESA_device_software");
}

static EGLDisplay platformDisplay(EGLenum platform, void *device) {
  PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  return get ? get(platform, device, NULL) : EGL_NO_DISPLAY;
}

static const char *eglErrorText(EGLint code) {
  switch (code) {
  case EGL_SUCCESS:
    return "no EGL error";
  case EGL_NOT_INITIALIZED:
    return "EGL_NOT_INITIALIZED: the driver could not open the device";
  case EGL_BAD_ACCESS:
    return "EGL_BAD_ACCESS: the device is not accessible (permissions, or a partitioned GPU without graphics)";
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
    return "an EGL error without a name";
  }
}

static EGLContext createContext(EGLDisplay display, bool debug) {
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               3,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               debug ? EGL_CONTEXT_OPENGL_DEBUG : EGL_NONE,
                               EGL_TRUE,
                               EGL_NONE};
  return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

/* The display is never terminated: EGL does not count its users, and another clContext may live on it. A driver that has no debug
 * contexts (softpipe) gives an ordinary one: errors are still checked after every pass. */
static clStatus openDisplay(txPlatform *out, EGLDisplay display, bool debug, const char *what, clError *error) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "%s: cannot be initialized (%s)", what,
                  eglErrorText(eglGetError()));
  EGLContext context = EGL_NO_CONTEXT;
  if (eglBindAPI(EGL_OPENGL_API)) {
    context = createContext(display, debug);
    if (context == EGL_NO_CONTEXT && debug)
      context = createContext(display, false);
  }
  if (context == EGL_NO_CONTEXT)
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "%s: no OpenGL 3.3 core context (%s)", what,
                  eglErrorText(eglGetError()));
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    clStatus status = txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "%s: its context cannot be made current (%s)",
                             what, eglErrorText(eglGetError()));
    eglDestroyContext(display, context);
    return status;
  }
  *out = (txPlatform){display, context};
  return TEXLA_OK;
}

static clStatus openDevice(txPlatform *out, const deviceList *list, int index, bool debug, clError *error) {
  char what[32];
  snprintf(what, sizeof what, "EGL device %d", index);
  return openDisplay(out, platformDisplay(EGL_PLATFORM_DEVICE_EXT, list->device[index]), debug, what, error);
}

static clStatus openSurfaceless(txPlatform *out, bool debug, clError *error) {
  return openDisplay(out, platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY), debug,
                     "EGL surfaceless platform", error);
}

/* Hardware first, then software, then surfaceless; `error` keeps the first cause. */
static clStatus openAuto(txPlatform *out, const deviceList *list, bool software_only, bool debug, const char **platform,
                         clError *error) {
  clError first = {0}, *where = &first, rest;
  for (int software = software_only; software < 2; software++)
    for (int i = 0; i < list->count; i++)
      if (list->software[i] == software) {
        if (openDevice(out, list, i, debug, where) == TEXLA_OK) {
          *platform = "EGL device";
          return TEXLA_OK;
        }
        where = &rest;
      }
  if (!software_only && openSurfaceless(out, debug, where) == TEXLA_OK) {
    *platform = "EGL surfaceless";
    return TEXLA_OK;
  }
  return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                "no %s among %d EGL devices%s%s; install Mesa's llvmpipe (libgl1-mesa-dri, libegl-mesa0) or choose "
                "with --device or TEXLA_DEVICE",
                software_only ? "software device (llvmpipe)" : "usable OpenGL 3.3 device", list->count,
                first.message[0] ? "; first: " : "", first.message);
}

static clStatus openIndex(txPlatform *out, const deviceList *list, const char *device, bool debug, clError *error) {
  char *end;
  long index = strtol(device, &end, 10);
  if (end == device || *end)
    return txFail(error, TEXLA_BAD_ARGUMENT, "clContextCreate",
                  "unknown device \"%s\": use auto, llvmpipe, surfaceless or an index below %d", device, list->count);
  if (index < 0 || index >= list->count)
    return txFail(error, TEXLA_NO_DEVICE, "clContextCreate", "there is no device %ld: %d EGL devices exist", index,
                  list->count);
  return openDevice(out, list, (int)index, debug, error);
}

clStatus txPlatformCreate(clContext *context, const char *device, clError *error) {
  deviceList list;
  listDevices(&list);
  txPlatform opened;
  bool debug = context->options.debug;
  clStatus status;
  context->info.platform = "EGL device";
  if (!strcmp(device, "auto") || !strcmp(device, "llvmpipe")) {
    status = openAuto(&opened, &list, device[0] == 'l', debug, &context->info.platform, error);
  } else if (!strcmp(device, "surfaceless")) {
    context->info.platform = "EGL surfaceless";
    status = openSurfaceless(&opened, debug, error);
  } else {
    status = openIndex(&opened, &list, device, debug, error);
  }
  if (status)
    return status;
  context->platform = txAllocate(error, "clContextCreate", 1, sizeof *context->platform, "the context");
  if (!context->platform) {
    eglMakeCurrent(opened.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(opened.display, opened.context);
    return TEXLA_OUT_OF_MEMORY;
  }
  *context->platform = opened;
  return TEXLA_OK;
}

bool txPlatformEnter(txPlatform *platform) {
  if (!platform || eglGetCurrentContext() == platform->context)
    return true;
  return eglBindAPI(EGL_OPENGL_API) &&
         eglMakeCurrent(platform->display, EGL_NO_SURFACE, EGL_NO_SURFACE, platform->context);
}

void txPlatformDestroy(txPlatform *platform) {
  if (!platform)
    return;
  if (eglGetCurrentContext() == platform->context)
    eglMakeCurrent(platform->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(platform->display, platform->context);
  free(platform);
}

clStatus clDeviceList(clDevice *devices, int capacity, int *count, clError *error) {
  if (!count || capacity < 0 || (capacity && !devices))
    return txFail(error, TEXLA_BAD_ARGUMENT, "clDeviceList",
                  "count must not be NULL; devices may be NULL only when capacity (%d) is 0", capacity);
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
    d->usable = clContextCreate(&context, &options, &why) == TEXLA_OK;
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
