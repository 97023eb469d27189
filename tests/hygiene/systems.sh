# Systems that do not run here: clang reads the sources as for macOS, and as for Windows with MSVC's types and calls. Linux's headers
# stand in for Apple's and MinGW's for Microsoft's; nothing is linked and nothing run, so this finds what does not parse alone.
source "$(dirname "$0")/common.sh"
cd "$SOURCE"
clang=$(command -v clang || true)
[ -n "$clang" ] || skip "no clang"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings=(-std=c11 -fsyntax-only -Wall -Wextra -Wno-missing-field-initializers -Wno-unused-parameter)
folders=(-Iinclude -Isrc -I"$BINARY/generated" -isystem "$STB" -isystem "$work" -Idemos -Idemos/papers -Idemos/lessons -DTEXLA_HAVE_GLFW=1 -DTEXLA_HAVE_PNG=0 -DGLFW_INCLUDE_NONE=)

# read_as WITHOUT ARGUMENT...: what clang says of all sources of the library but those, and of the programs
read_as() {
  local without=$1
  shift
  git ls-files 'src/*.c' 'demos/*.c' ':!demos/lessons' 2>/dev/null | grep -vE "^src/(octave|mpi|cli-mpi)/|_web\.c$|$without" |
    complaints xargs -P 2 -n 20 "$clang" "$@" "${warnings[@]}" "${folders[@]}" | grep -E '(error|warning): |^xargs returns' | sort -u || true
}

git rev-parse >/dev/null 2>&1 || skip "no repository"

# reads32 FLAG...: as for 32-bit x86, with headers of the compiler alone
reads32() {
  "$clang" --target=i686-linux-gnu -std=c11 -ffreestanding "$@" -fsyntax-only -Isrc -x c - <<<'#include "core/compiler.h"' 2>&1 || true
}
grep -q 'x87 rounds results twice' <<<"$(reads32 -mno-sse)" || check "x87 is not refused" "$(reads32 -mno-sse)."
check "32-bit x86 with SSE is refused" "$(reads32 -msse2 -mfpmath=sse)"
[ "$(git ls-files 'src/*.c' | wc -l)" -gt 200 ] || check "too few sources found in" "src"
refuses "$clang" -fsyntax-only -x c -

# __nonnull is a word of Apple's clang and a macro of Linux's headers.
mkdir -p "$work/GL" "$work/GLFW"
cp /usr/include/GLFW/*.h "$work/GLFW" 2>/dev/null || true
: >"$work/Availability.h"
check "clang for macOS says" "$(read_as 'platform/windows|gl/platform_(wgl|egl|web)|gl/displays' --target=x86_64-apple-macos11 -U__nonnull \
  -D_DEFAULT_SOURCE -DGLEW_NO_GLU '-Dpthread_main_np()=1' -isystem /usr/include -isystem "/usr/include/$("$CC" -dumpmachine)")"

# MinGW's headers know GCC and Microsoft's compiler; clang says that it is both.
mingw=/usr/x86_64-w64-mingw32/include
if [ -e "$mingw/windows.h" ] && [ -e /usr/include/GL/wglew.h ]; then
  ln -s /usr/include/GL/glew.h /usr/include/GL/wglew.h "$work/GL"
  # MinGW's of POSIX that Microsoft does not have
  for header in unistd dirent strings; do
    echo "#error Windows has no $header.h: platform/platform.h" >"$work/$header.h"
  done
  check "clang for MSVC says" "$(read_as 'platform/posix|gl/platform_(egl|web)|gl/displays' --target=x86_64-pc-windows-msvc -fgnuc-version=4.9 \
    -D_UCRT -DGLEW_STATIC -DNOMINMAX -isystem "$work" -isystem "$mingw")"
else
  echo "not read as for MSVC: no headers of MinGW (package gcc-mingw-w64-x86-64-posix)"
fi
finish
