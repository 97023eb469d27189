/* The platforms of this system. */
#include "gl/platform.h"

#include <stddef.h>

#if defined _WIN32
const txPlatformKind *const txPlatforms[] = {&txPlatformWgl, &txPlatformWindow, NULL};
#elif defined __APPLE__
const txPlatformKind *const txPlatforms[] = {&txPlatformWindow, NULL};
#elif defined __EMSCRIPTEN__
const txPlatformKind *const txPlatforms[] = {&txPlatformWeb, &txPlatformCanvas, NULL};
#else
const txPlatformKind *const txPlatforms[] = {&txPlatformEgl, &txPlatformGles, &txPlatformWindow,
                                             NULL};
#endif
