/* How a context's OpenGL context is reached: by one of the system's platforms, or it is an
 * application's. Every entry into src/gl comes by here. */
#include "gl/platform.h"
#include "core/allocate.h"
#include "core/try.h"
#include "gl/gl.h"
#include "platform/platform.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* An application's context. */
typedef struct adoptedPlatform {
  txPlatform base;
  /* NULL where another platform than the system's first has made it, as GLX. */
  const void *current;
} adoptedPlatform;

static const txPlatformKind *platformChoose(const char *device) {
  for (int i = 1; txPlatforms[i]; i++)
    if (!strcmp(device, txPlatforms[i]->device))
      return txPlatforms[i];
  return txPlatforms[0];
}

/* One platform refuses to make a context current, or X11 ends the program, where another one's
 * is. */
static void leaveOthers(const txPlatformKind *kind) {
  for (int i = 0; txPlatforms[i]; i++)
    if (txPlatforms[i] != kind && txPlatforms[i]->current())
      txPlatforms[i]->leave();
}

/* Drivers keep displays and threads for a process's whole life. A child of a process with a display
 * would wait for threads that it does not have: Mesa's, for instance, when the child exits. */
static clStatus refuseAfterFork(clError *error) {
  static atomic_int opened = -1;
  int first = -1;
  if (atomic_compare_exchange_strong(&opened, &first, txForks()) || first == txForks())
    return TEXLA_OK;
  return txFail(error, TEXLA_NO_DEVICE, "clContextCreate",
                "this process was forked from one that has opened a device, whose driver cannot "
                "be used here: fork before the first context, or start the child by posix_spawn");
}

clStatus txPlatformCreate(clContext *context, const char *device, clError *error) {
  const txPlatformKind *kind = platformChoose(device);
  TRY(refuseAfterFork(error));
  leaveOthers(kind);
  TRY(kind->create(&context->platform, context, device, error));
  context->platform->kind = kind;
  context->platform->forks = txForks();
  return TEXLA_OK;
}

/* Of a context that GLX or another system made, EGL knows nothing: then any that is current will
 * have to do. Without one OpenGL's calls do nothing, and say nothing. */
static bool isAdoptedCurrent(const txPlatform *base) {
  const adoptedPlatform *platform = (const adoptedPlatform *)base;
  if (txPlatforms[0]->current() != platform->current)
    return false;
  return platform->current || glGetString(GL_VERSION) != NULL;
}

static void destroyAdopted(txPlatform *platform) {
  free(platform);
}

static const txPlatformKind adopted = {.isCurrent = isAdoptedCurrent, .destroy = destroyAdopted};

clStatus txPlatformAdopt(clContext *context, clError *error) {
  adoptedPlatform *platform =
      txAllocate(error, "clContextCreate", 1, sizeof *platform, "the context");
  if (!platform)
    return TEXLA_OUT_OF_MEMORY;
  platform->base.kind = &adopted;
  platform->base.forks = txForks();
  platform->current = txPlatforms[0]->current();
  context->platform = &platform->base;
  return TEXLA_OK;
}

bool txPlatformForked(const txPlatform *platform) {
  return platform && platform->forks != txForks();
}

bool txPlatformEnter(txPlatform *platform) {
  const txPlatformKind *kind = platform->kind;
  if (txPlatformForked(platform))
    return false;
  if (kind->isCurrent(platform))
    return true;
  if (!kind->enter)
    return false;
  leaveOthers(kind);
  return kind->enter(platform);
}

void txPlatformDestroy(txPlatform *platform) {
  if (txPlatformForked(platform))
    free(platform);
  else if (platform)
    platform->kind->destroy(platform);
}

/* A context that cannot be used is named before OpenGL is called. */
clStatus txContextEnter(clContext *context, const char *call) {
  if (!context)
    return TEXLA_BAD_ARGUMENT;
  if (context->closed)
    return txFail(&context->error, TEXLA_BAD_ARGUMENT, call,
                  "the context of this object was destroyed");
  if (context->lost)
    return txContextLose(context, call, context->lost);
  if (txPlatformEnter(context->platform))
    return TEXLA_OK;
  if (txPlatformForked(context->platform))
    return txFail(&context->error, TEXLA_CONTEXT_LOST, call,
                  "the context was made before fork, and its device cannot be used in this "
                  "process: use it in the parent, or start the child by posix_spawn");
  const txPlatformKind *kind = context->platform->kind;
  if (kind->isLost && kind->isLost())
    return txContextLose(context, call, "the driver has lost the context");
  if (context->options.adopt)
    return txFail(&context->error, TEXLA_DEVICE_ERROR, call,
                  "the adopted OpenGL context is not current in this thread; make it current "
                  "(as with eglMakeCurrent, glfwMakeContextCurrent) and call again");
  return txFail(&context->error, TEXLA_DEVICE_ERROR, call,
                "the context could not be made current; is it in use by another thread?");
}
