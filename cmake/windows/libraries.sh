#!/usr/bin/env bash
# libraries.sh FOLDER: what the build for Windows needs and Debian has no MinGW package of, compiled from Debian's source packages
# into FOLDER (headers, archives, pkg-config files, licences): GLEW, GLFW, libpng, cmocka. Does nothing where it is done.
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../sources.sh"
[ ! -e "$folder/done" ] || exit 0
mkdir -p "$folder/sources"
folder=$(cd "$folder" && pwd)
export PREFIX=$folder
cross=x86_64-w64-mingw32
toolchain=(-DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder"
  -DBUILD_SHARED_LIBS=OFF)

glew() {
  unpack_sources glew
  cd "$folder/sources/glew"
  "$cross-gcc" -O2 -DGLEW_STATIC -DGLEW_NO_GLU -Iinclude -c src/glew.c -o glew.o
  mkdir -p "$folder/lib" "$folder/include/GL" "$folder/licences"
  "$cross-ar" rcs "$folder/lib/glew32s.lib" glew.o
  cp include/GL/*.h "$folder/include/GL"
  cp LICENSE.txt "$folder/licences/GLEW.txt"
}

command -v "$cross-gcc-posix" >/dev/null || { echo "no $cross-gcc-posix (package gcc-mingw-w64-x86-64-posix)" >&2; exit 1; }
fetch_sources glew glfw3 libpng1.6 cmocka
glew
with_cmake glfw3 -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_DOCS=OFF
cp "$folder/sources/glfw3/LICENSE.md" "$folder/licences/GLFW.md"
with_cmake libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF
cp "$folder/sources/libpng1.6/LICENSE" "$folder/licences/libpng.txt"
with_cmake cmocka -DWITH_EXAMPLES=OFF -DUNIT_TESTING=OFF -DWITH_STATIC_LIB=ON
rm -f "$folder"/lib/libcmocka.dll.a "$folder"/bin/cmocka.dll # programs carry all that they need
cp "$folder/sources/cmocka/build/src/libcmocka-static.a" "$folder/lib/libcmocka.a"
cp "$folder/sources/cmocka/COPYING" "$folder/licences/cmocka.txt"
mkdir -p "$folder/include/stb"
cp /usr/include/stb/stb_*.h "$folder/include/stb"
cp "/usr/share/doc/libz-mingw-w64/copyright" "$folder/licences/zlib.txt"
touch "$folder/done"
