#!/usr/bin/env bash
# libraries.sh FOLDER: what the build for Windows needs and Debian has no MinGW package of, compiled from Debian's source packages
# into FOLDER (headers, archives, pkg-config files, licences): GLEW, GLFW, libpng, cmocka. Does nothing where it is done.
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
[ ! -e "$folder/done" ] || exit 0
mkdir -p "$folder/sources"
folder=$(cd "$folder" && pwd)
export PREFIX=$folder
cross=x86_64-w64-mingw32
toolchain=(-DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder"
  -DBUILD_SHARED_LIBS=OFF)

# Source packages come from the mirror that apt takes packages from, by a list of our own: the system's stay as they are.
fetch() {
  cd "$folder/sources"
  mkdir -p parts lists/partial cache/archives/partial
  local suite mirror
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' | sed -n "s/ $suite\$//p" | head -n 1)
  [ -n "$(ls ./*.dsc 2>/dev/null)" ] && return
  [ -n "$mirror" ] || { echo "apt knows no mirror for $suite: apt-get update first" >&2; exit 1; }
  echo "deb-src $mirror $suite main" >parts/texla.list
  local options=(-qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$PWD/parts" -o Dir::State::Lists="$PWD/lists"
    -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=)
  apt-get "${options[@]}" update
  apt-get "${options[@]}" source --download-only glew glfw3 libpng1.6 cmocka
}

# unpack NAME: NAME's sources, as their authors released them, in sources/NAME
unpack() {
  rm -rf "$folder/sources/$1"
  mkdir -p "$folder/sources/$1"
  tar -xf "$folder"/sources/"$1"_*.orig.tar.[gx]z -C "$folder/sources/$1" --strip-components=1
}

glew() {
  unpack glew
  cd "$folder/sources/glew"
  "$cross-gcc" -O2 -DGLEW_STATIC -DGLEW_NO_GLU -Iinclude -c src/glew.c -o glew.o
  mkdir -p "$folder/lib" "$folder/include/GL" "$folder/licences"
  "$cross-ar" rcs "$folder/lib/glew32s.lib" glew.o
  cp include/GL/*.h "$folder/include/GL"
  cp LICENSE.txt "$folder/licences/GLEW.txt"
}

# with_cmake NAME OPTION...
with_cmake() {
  local name=$1
  shift
  unpack "$name"
  cmake -S "$folder/sources/$name" -B "$folder/sources/$name/build" "${toolchain[@]}" "$@" >/dev/null
  cmake --build "$folder/sources/$name/build" -j"${JOBS:-2}" >/dev/null
  cmake --install "$folder/sources/$name/build" >/dev/null
}

command -v "$cross-gcc-posix" >/dev/null || { echo "no $cross-gcc-posix (package gcc-mingw-w64-x86-64-posix)" >&2; exit 1; }
fetch
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
