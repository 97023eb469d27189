/* Mesa's llvmpipe reads the number of its worker threads from LP_NUM_THREADS when a display is
 * initialized, and never again: the contexts of a display share its threads. With none the calling
 * thread shades; a pass over 32 x 32 texels takes 4 us then, and 60 us where two workers must be
 * woken, which pays from about 512 x 512 on. So a process may have two displays with different
 * numbers: a device's and the surfaceless one (platform_egl.c).
 *
 * EGL takes the number from the environment alone. It is put there by putenv, with a string that
 * lives as long as the process, and taken out again; the environment's own array stays the C
 * library's, so that what other threads set meanwhile stays set. */
#define _GNU_SOURCE
#include "gl/displays.h"
#include "gl/platform.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 40 };
static const char variable[] = "LP_NUM_THREADS";

/* A display that this file has initialized. */
typedef struct openedDisplay {
  EGLDisplay display;
  int threads;
  /* Mesa 25 forgets it when the display is got a second time. */
  void *device;
  /* "LP_NUM_THREADS=2", as EGL found it. A thread that asks for the variable at that moment may
   * keep a pointer to it. */
  char setting[sizeof variable + 16];
} openedDisplay;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static openedDisplay list[MOST];
static int count;

void txDisplaysLock(void) {
  pthread_mutex_lock(&lock);
}

void txDisplaysUnlock(void) {
  pthread_mutex_unlock(&lock);
}

static const openedDisplay *displaysFind(EGLDisplay display) {
  for (int i = 0; i < count; i++)
    if (list[i].display == display)
      return &list[i];
  return NULL;
}

/* Of a display that the application has initialized only EGL knows. */
static bool isInitialized(EGLDisplay display) {
  bool yes = eglQueryString(display, EGL_VERSION) != NULL;
  if (!yes)
    eglGetError();
  return yes;
}

/* Initializes a display while the environment names the number of threads. The string "NAME=value"
 * that was there before goes back as it was: it begins in front of the value that getenv
 * returns. */
static bool initializeWith(EGLDisplay display, char *setting) {
  char *before = getenv(variable);
  if (putenv(setting))
    return false;
  bool ok = eglInitialize(display, NULL, NULL);
  if (before)
    putenv(before - sizeof variable);
  else
    unsetenv(variable);
  return ok;
}

/* What EGL says now. */
static void *displaysDeviceOf(EGLDisplay display) {
  PFNEGLQUERYDISPLAYATTRIBEXTPROC query =
      (PFNEGLQUERYDISPLAYATTRIBEXTPROC)eglGetProcAddress("eglQueryDisplayAttribEXT");
  EGLAttrib value = 0;
  if (!query || !query(display, EGL_DEVICE_EXT, &value))
    return NULL;
  return (void *)value;
}

void *txDisplayDevice(EGLDisplay display) {
  const openedDisplay *found = displaysFind(display);
  if (found)
    return found->device;
  return displaysDeviceOf(display);
}

bool txDisplayOpen(EGLDisplay display, int threads) {
  if (displaysFind(display))
    return true;
  if (count == MOST || isInitialized(display))
    return eglInitialize(display, NULL, NULL);
  openedDisplay *next = &list[count];
  next->display = display;
  next->threads = threads;
  snprintf(next->setting, sizeof next->setting, "%s=%d", variable, threads);
  if (!initializeWith(display, next->setting))
    return false;
  next->device = displaysDeviceOf(display);
  count++;
  return true;
}

int txDisplayThreads(EGLDisplay display) {
  const openedDisplay *found = displaysFind(display);
  if (found)
    return found->threads;
  if (isInitialized(display))
    return txThreadsUsual();
  return -1;
}
