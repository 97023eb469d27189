#!/usr/bin/env bash
# libraries.sh FOLDER: what the build for browsers needs beside Emscripten, compiled from Debian's source packages into FOLDER (headers,
# archives, pkg-config files): zlib, and cmocka for the tests. Does nothing where it is done.
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../sources.sh"
[ ! -e "$folder/done" ] || exit 0
command -v emcc >/dev/null || { echo "no emcc (package emscripten)" >&2; exit 1; }
mkdir -p "$folder/sources"
folder=$(cd "$folder" && pwd)
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

# Each by one call of the compiler: checks of what the system has, one by one, would take minutes.
zlib() {
  unpack_sources zlib
  cd "$folder/sources/zlib"
  emcc -O2 -DHAVE_UNISTD_H -c adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
  emar rcs "$folder/lib/libz.a" ./*.o
  cp zlib.h zconf.h "$folder/include"
}

cmocka() {
  unpack_sources cmocka
  cd "$folder/sources/cmocka"
  local defines=-D_UINTPTR_T=1 # it has a wrong one of its own
  emcc -O2 $defines -DHAVE_INTTYPES_H=1 -DHAVE_MALLOC_H=1 -DHAVE_SIGNAL_H=1 -DHAVE_STRINGS_H=1 -DHAVE_STRUCT_TIMESPEC=1 -DHAVE_CLOCK_REALTIME=1 \
    -DHAVE_GCC_THREAD_LOCAL_STORAGE=1 -Iinclude -c src/cmocka.c -o cmocka.o
  emar rcs "$folder/lib/libcmocka.a" cmocka.o
  cp include/*.h "$folder/include"
  printf 'Name: cmocka\nDescription: tests\nVersion: 1.1.5\nLibs: -L%s -lcmocka\nCflags: -I%s %s\n' "$folder/lib" "$folder/include" \
    $defines >"$folder/lib/pkgconfig/cmocka.pc"
}

mkdir -p "$folder/lib/pkgconfig" "$folder/include/stb"
fetch_sources zlib cmocka
zlib
cmocka
cp /usr/include/stb/stb_*.h "$folder/include/stb"
touch "$folder/done"
