#!/usr/bin/env bash
# platforms.sh BUILD [ARGUMENTS OF CTEST...]: the tests of the library's rooms on three other ways to OpenGL: as macOS has it (4.1,
# forward compatible, no extensions that came later), OpenGL ES 3 as browsers have it, and in a hidden window (GLX under Xvfb).
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rooms='core|gl|vector|matrix|dense|elimination|triangle|crout|tridiagonal|multigrid|krylov|system|io|trace|sim|program'
status=0

echo "OpenGL 4.1 without later extensions:"
TEXLA_EXTENSIONS=none MESA_GL_VERSION_OVERRIDE=4.1FC MESA_GLSL_VERSION_OVERRIDE=410 \
  MESA_EXTENSION_OVERRIDE='-GL_KHR_debug -GL_ARB_derivative_control -GL_ARB_robustness -GL_KHR_robustness' \
  "$here/run.sh" "$@" -R "^($rooms|queue)/" || status=$?

echo "OpenGL ES 3:"
TEXLA_DEVICE=gles "$here/run.sh" "$@" -R "^($rooms|queue)/" || status=$?

# A queue opens its context in a thread of its own, where there are no windows.
if command -v xvfb-run >/dev/null && command -v xauth >/dev/null; then
  echo "A hidden window:"
  unset WAYLAND_DISPLAY
  TEXLA_DEVICE=window xvfb-run -a "$here/run.sh" "$@" -R "^($rooms)/" || status=$?
else
  echo "skipped: a hidden window (no xvfb-run or no xauth)"
fi
exit "$status"
