#!/usr/bin/env bash
# run.sh [ROUNDS [OPERATION...]]: four operations of texla beside those of TensorFlow.js and GPU.js, and three simulations beside those of gpu-io (all from npm), in one
# page each of one browser (run.py). After `make web`; all that it needs and makes lies in build-web.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
grep -m 1 'model name' /proc/cpuinfo || true
cd "$source/build-web"
fetch() { # PACKAGE FILE: one file of a package
  [ -e "$2" ] && return
  mkdir -p peers/package
  tar -xzOf "$(npm pack --silent --pack-destination peers/package "$1" | sed 's|^|peers/package/|')" "package/dist/$(basename "$2")" >"$2"
}
compile() { # NAME LIBRARY...
  emcc -O2 -I"$source/include" "$source/web/bench/$1.c" "${@:2}" lib/libtexla.a libraries/lib/libz.a -o "$1.js" -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 \
    -sALLOW_MEMORY_GROWTH=1 -sSINGLE_FILE=1 --no-entry -sEXPORTED_RUNTIME_METHODS=UTF8ToString -sEXPORTED_FUNCTIONS=_malloc
  cp "$source/web/bench/$1.html" .
}
mkdir -p peers
fetch @tensorflow/tfjs@4 peers/tf.min.js
fetch gpu.js@2 peers/gpu-browser.min.js
fetch gpu-io@0.2 peers/gpu-io.min.js
compile bench
compile steps lib/libtexla_sim.a
rm -rf texla
cp -r "$source/build/web/texla" .
for page in bench steps; do
  python3 "$source/web/bench/run.py" . $page.html "$@"
done
