/* The choice between Wayland and X11 by GLFW 3.4 and later. */
#ifndef TEXLA_GL_GLFW_PLATFORM_H
#define TEXLA_GL_GLFW_PLATFORM_H

#include <stdlib.h>

/* GLFW's numbers: its headers before 3.4 have no names for them. */
enum { TX_GLFW_PLATFORM = 0x50003, TX_GLFW_WAYLAND = 0x60003, TX_GLFW_X11 = 0x60004 };

/* GLFW tries Wayland before X11. Without XDG_RUNTIME_DIR Wayland cannot be reached, and its library
 * writes to standard error, so X11 is chosen. `supported` is glfwPlatformSupported, `init_hint`
 * glfwInitHint; before glfwInit. */
static inline void txGlfwChoosePlatform(int (*supported)(int), void (*init_hint)(int, int)) {
  if (!getenv("XDG_RUNTIME_DIR") && supported(TX_GLFW_WAYLAND) && supported(TX_GLFW_X11))
    init_hint(TX_GLFW_PLATFORM, TX_GLFW_X11);
}

#endif
