/* Private to src/gl: EGL's displays, each initialized once in a process, and how many threads a
 * software renderer has on them. */
#ifndef TEXLA_GL_DISPLAYS_H
#define TEXLA_GL_DISPLAYS_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdbool.h>

/* Held from the choice of a display to its context, and for all that follows. */
void txDisplaysLock(void);
void txDisplaysUnlock(void);

/* Initializes a display with so many worker threads, unless it has been: then the number stays what
 * it was. False where it cannot be; eglGetError says why. */
bool txDisplayOpen(EGLDisplay display, int threads);

/* The number of worker threads that a display was initialized with; -1: it has not been. */
int txDisplayThreads(EGLDisplay display);

/* The device (EGLDeviceEXT) of a display that is initialized; NULL if EGL does not say. */
void *txDisplayDevice(EGLDisplay display);

#endif
