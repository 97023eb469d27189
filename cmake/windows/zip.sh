#!/usr/bin/env bash
# zip.sh BUILD: a folder that runs without installation, BUILD/texla-VERSION-windows, and its zip: programs, libraries for MinGW
# and MSVC, headers, examples, licences of all that is inside.
set -euo pipefail
cd "$1"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' CMakeCache.txt)
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' CMakeCache.txt)
name=texla-$version-windows
rm -rf "$name" "$name.zip"
for component in tools demos texla_library texla_sim_library texla_development texla_sim_development; do
  cmake --install . --prefix "$name" --component "$component" --strip >/dev/null
done
rm -f "$name"/lib/libtexla.a "$name"/lib/libtexla_sim.a # of MinGW alone, and larger than all else
for library in texla texla_sim; do
  cp "$name/lib/lib$library.dll.a" "$name/lib/$library.lib" # MSVC's linker takes it by this name
done
mkdir -p "$name/licences"
cp libraries/licences/* "$name/licences"
cp "$source/LICENSE" "$name/licences/texla.txt"
cp /usr/share/doc/gcc-mingw-w64-base/copyright "$name/licences/mingw-w64.txt" 2>/dev/null || true
cp "$source/README.md" "$source/CHANGELOG.md" "$name"
zip -qr9 "$name.zip" "$name"
du -k "$name.zip" | awk '{ printf "%s: %.1f MB\n", $2, $1 / 1000 }'
