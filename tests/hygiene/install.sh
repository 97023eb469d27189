# Installs into a temporary prefix and builds a program outside the tree against it, in four ways.
source "$(dirname "$0")/common.sh"
unset MAKEFLAGS MAKELEVEL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

"$CMAKE" --install "$BINARY" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
library=$(find "$prefix" -name libtexla.a -printf '%h\n')
# docs/versions.md: structs may grow with the minor version, so the loader must tell minor versions apart.
version=$(sed -n 's/.*define TEXLA_VERSION "\([0-9]*\.[0-9]*\)\..*/\1/p' "$prefix/include/texla/version.h")
soname=$(objdump -p "$library/libtexla.so" | awk '/SONAME/ { print $2 }')
[ "$soname" = "libtexla.so.$version" ] || { echo "soname $soname instead of libtexla.so.$version"; exit 1; }
cat >"$work/main.c" <<'END'
#include <stdio.h>
#include <texla/texla.h>

int main(void) {
  clContext *context = NULL;
  clError error = {0};
  clStatus status = clContextCreate(&context, NULL, &error);
  printf("texla %s: %s %s\n", TEXLA_VERSION, clStatusText(status), error.message);
  clContextDestroy(context);
  return status;
}
END
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(outside LANGUAGES C)
find_package(texla 0.3 REQUIRED)
add_executable(cmake_shared main.c)
target_link_libraries(cmake_shared PRIVATE texla::texla)
add_executable(cmake_static main.c)
target_link_libraries(cmake_static PRIVATE texla::texla_static)
END

# runs NAME yes|no: the program runs, and needs libtexla.so or does not
runs() {
  local text shared=no
  text=$(LD_LIBRARY_PATH=$library "$work/$1" 2>&1) || true
  grep -q "^texla $VERSION: fine" <<<"$text" || check "$1 does not run" "${text:-no output}"
  LD_LIBRARY_PATH=$library ldd "$work/$1" | grep libtexla.so >/dev/null && shared=yes
  [ "$shared" = "$2" ] || check "$1 needs libtexla.so" "$shared instead of $2"
}

# builds NAME COMMAND...: the command succeeds
builds() {
  local name=$1
  shift
  "$@" >"$work/log" 2>&1 || { check "$name does not build" "$(cat "$work/log")"; return 1; }
}

cat >"$work/waves.c" <<'END'
#include <stdio.h>
#include <texla/sim.h>

int main(void) {
  clContext *context = NULL;
  clWave *wave = NULL;
  clError error = {0};
  clStatus status = clContextCreate(&context, NULL, &error);
  if (!status)
    status = clWaveCreate(&wave, context, &(clWaveOptions){.nx = 16, .ny = 16});
  printf("waves: %s\n", clStatusText(status));
  clWaveDestroy(wave);
  clContextDestroy(context);
  return status;
}
END
cat >>"$work/CMakeLists.txt" <<'END'
find_package(texla 0.3 REQUIRED COMPONENTS sim)
add_executable(cmake_sim_shared waves.c)
target_link_libraries(cmake_sim_shared PRIVATE texla::texla_sim)
add_executable(cmake_sim_static waves.c)
target_link_libraries(cmake_sim_static PRIVATE texla::texla_sim_static)
END

if [ -e "$library/cmake/texla/texlaMpiTargets.cmake" ]; then # a program on texla_mpi, where that was built; one rank needs no launcher
  cat >"$work/many.c" <<'END'
#include <stdio.h>
#include <texla/mpi.h>

int main(int argc, char **argv) {
  clCluster *cluster = NULL;
  clError error = {0};
  MPI_Init(&argc, &argv);
  clStatus status = clClusterCreate(&cluster, MPI_COMM_WORLD, NULL, &error);
  printf("%d of %d: %s %s\n", clClusterRank(cluster), clClusterSize(cluster), clStatusText(status), error.message);
  clClusterDestroy(cluster);
  MPI_Finalize();
  return status;
}
END
  cat >>"$work/CMakeLists.txt" <<'END'
find_package(texla 0.3 REQUIRED COMPONENTS mpi)
add_executable(cmake_mpi many.c)
target_link_libraries(cmake_mpi PRIVATE texla::texla_mpi)
add_executable(cmake_mpi_static many.c)
target_link_libraries(cmake_mpi_static PRIVATE texla::texla_mpi_static)
END
fi

outside() {
  "$CMAKE" -S "$work" -B "$work" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" \
    -DCMAKE_EXE_LINKER_FLAGS="$LDFLAGS" && "$CMAKE" --build "$work"
}
if builds "the CMake program" outside; then
  runs cmake_shared yes
  runs cmake_static no
  for program in cmake_sim_shared cmake_sim_static; do
    text=$(LD_LIBRARY_PATH=$library "$work/$program" 2>&1) || true
    [ "$text" = "waves: fine" ] || check "$program does not run" "${text:-no output}"
  done
  for program in cmake_mpi cmake_mpi_static; do
    [ -e "$work/$program" ] || continue
    text=$(LD_LIBRARY_PATH=$library "$work/$program" 2>&1) || true
    grep -q '^0 of 1: fine' <<<"$text" || check "$program does not run" "$text"
  done
fi

export PKG_CONFIG_PATH=$library/pkgconfig
[ "$(pkg-config --modversion texla)" = "$VERSION" ] || check "texla.pc's version is not" "$VERSION"
read -ra flags <<<"$CFLAGS $(pkg-config --cflags texla)"
read -ra shared <<<"$LDFLAGS $(pkg-config --libs texla)"
read -ra static <<<"$LDFLAGS $(pkg-config --static --libs texla | sed 's/-ltexla/-l:libtexla.a/')"
builds pkgconfig_shared "$CC" "${flags[@]}" "$work/main.c" -o "$work/pkgconfig_shared" "${shared[@]}" && runs pkgconfig_shared yes
builds pkgconfig_static "$CC" "${flags[@]}" "$work/main.c" -o "$work/pkgconfig_static" "${static[@]}" && runs pkgconfig_static no
read -ra shared <<<"$LDFLAGS $(pkg-config --libs texla-sim)"
builds pkgconfig_sim "$CC" "${flags[@]}" "$work/waves.c" -o "$work/pkgconfig_sim" "${shared[@]}" &&
  { text=$(LD_LIBRARY_PATH=$library "$work/pkgconfig_sim" 2>&1) || true
    [ "$text" = "waves: fine" ] || check "pkgconfig_sim does not run" "${text:-no output}"; }
if mpicc=$(command -v mpicc) && [ -e "$library/pkgconfig/texla-mpi.pc" ]; then
  read -ra shared <<<"$LDFLAGS $(pkg-config --libs texla-mpi)"
  builds pkgconfig_mpi "$mpicc" "${flags[@]}" "$work/many.c" -o "$work/pkgconfig_mpi" "${shared[@]}" &&
    { text=$(LD_LIBRARY_PATH=$library "$work/pkgconfig_mpi" 2>&1) || true
      grep -q '^0 of 1: fine' <<<"$text" || check "pkgconfig_mpi does not run" "$text"; }
fi
finish
