/* Private to src/gl: the ways to an OpenGL context, one file each (platform_*.c). A device's name
 * (clContextOptions.device) chooses one of them. */
#ifndef TEXLA_GL_PLATFORM_H
#define TEXLA_GL_PLATFORM_H

#include <stdbool.h>

#include "texla/context.h"

typedef struct txPlatform txPlatform;

typedef struct txPlatformKind {
  /* The name of the device that asks for it. NULL: all names that no other platform takes, which
   * the first one of the list does. */
  const char *device;
  /* What clDeviceList calls its devices. */
  const char *listed;
  /* How many devices there are, and which of the first `most` render on the host; NULL: one. */
  int (*devices)(bool *software, int most);
  /* Makes a context of texla's own on a device, current in this thread, and sets the fields
   * `platform` and `threads` of its clContextInfo. */
  clStatus (*create)(txPlatform **out, clContext *context, const char *device, clError *error);
  /* The OpenGL context that is current in this thread; NULL where there is none, or one that is not
   * of this platform. */
  void *(*current)(void);
  /* Is it current in this thread? Asked for every pass. */
  bool (*isCurrent)(const txPlatform *platform);
  /* Makes it current, where no other platform's context is. NULL: an application does that. */
  bool (*enter)(txPlatform *platform);
  /* Leaves this thread without a context of this platform. */
  void (*leave)(void);
  /* After `enter` has failed: has the driver lost the context? NULL: it does not tell. */
  bool (*isLost)(void);
  void (*destroy)(txPlatform *platform);
} txPlatformKind;

/* What an open context begins with. */
struct txPlatform {
  const txPlatformKind *kind;
  /* txForks when it was opened. */
  int forks;
};

/* platform_list.c: those of this system. The first is the one that "auto" means and applications'
 * contexts are asked of; NULL ends the list. */
extern const txPlatformKind *const txPlatforms[];
extern const txPlatformKind txPlatformEgl, txPlatformGles, txPlatformWgl, txPlatformWindow;
extern const txPlatformKind txPlatformWeb, txPlatformCanvas;

/* platform.c: a context of texla's own. */
clStatus txPlatformCreate(clContext *context, const char *device, clError *error);
/* Remembers the OpenGL context that is current. */
clStatus txPlatformAdopt(clContext *context, clError *error);
/* Makes a context of texla's own current. An adopted one is the application's to make current:
 * false where it is not. */
bool txPlatformEnter(txPlatform *platform);
/* True if the process was forked after the platform was opened: then the driver must not be called,
 * because its threads do not exist here. NULL: false. */
bool txPlatformForked(const txPlatform *platform);
void txPlatformDestroy(txPlatform *platform);

/* threads.c: how many worker threads a software renderer begins with when it is not told. */
int txThreadsUsual(void);
/* The worker threads that the options, the environment, a tuning file (-1: it says nothing) and the
 * expected size ask for, in this order. */
int txThreadsWanted(const clContextOptions *options, int pinned);

enum { TX_MOST_DEVICES = 32 };

#endif
