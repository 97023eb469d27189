#!/usr/bin/env bash
# drivers.sh BUILD [DRIVER...]: the tests of the rooms vector to sim on each driver that is installed (default: all of the list below),
# with their counts. A test that takes longer than LIMIT seconds (600) has no answer. DRIVERS_LOGS: the folder of what failed printed.
# Returns 1 if a test is wrong or crashes.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
rooms=${ROOMS:-vector matrix dense elimination triangle crout tridiagonal multigrid krylov system io trace queue sim}
limit=${LIMIT:-600}
all=(llvmpipe gles softpipe zink virpipe)
[ $# -gt 0 ] || set -- "${all[@]}"
logs=${DRIVERS_LOGS:-$build/drivers}
mkdir -p "$logs"
server=
trap '[ -z "$server" ] || kill "$server"' EXIT
export TEXLA_TUNING=$here/tuning.txt GALLIVM_PERF=${GALLIVM_PERF-nopt} LP_NUM_THREADS=${LP_NUM_THREADS-0} LIBGL_ALWAYS_SOFTWARE=1
export TEXLA_DATA_DIR=${TEXLA_DATA_DIR:-} XDG_CACHE_HOME=$logs/cache

# environment DRIVER: what chooses it
environment() {
  case $1 in
  llvmpipe) echo TEXLA_DEVICE=surfaceless GALLIUM_DRIVER=llvmpipe ;;
  gles) echo TEXLA_DEVICE=gles GALLIUM_DRIVER=llvmpipe ;;
  softpipe) echo TEXLA_DEVICE=surfaceless GALLIUM_DRIVER=softpipe ;;
  zink) echo TEXLA_DEVICE=surfaceless GALLIUM_DRIVER=zink VK_ICD_FILENAMES="$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)" ;;
  virpipe) echo TEXLA_DEVICE=surfaceless GALLIUM_DRIVER=virpipe ;;
  esac
}

# start DRIVER: the server that virpipe draws in, which is a process of its own
start() {
  [ "$1" = virpipe ] && [ -z "$server" ] && command -v virgl_test_server >/dev/null || return 0
  virgl_test_server --multi-clients --use-egl-surfaceless --use-gles >"$logs/server" 2>&1 & # at its usual socket
  server=$!
  for _ in 1 2 3 4 5; do
    sleep 1
    [ ! -S /tmp/.virgl_test ] || break
  done
}

# renderer DRIVER: the name that texla finds with it
renderer() {
  env $(environment "$1") timeout 60 "$build/bin/texla" info 2>/dev/null | sed -nE 's/^ *renderer *:? *//p' | head -n 1
}

# one DRIVER TEST: runs room/name, and prints one word and the test
one() {
  local room=${2%/*} name=${2#*/} log rc
  log=$logs/$1-$room-$name
  env $(environment "$1") timeout "$limit" "$build/tests/test_$room" "$name" >"$log" 2>&1
  rc=$?
  case $rc in
  0 | 77) rm -f "$log" ;;
  esac
  case $rc in
  0) echo "passed $2" ;;
  77) echo "skipped $2" ;;
  124) echo "time-out $2" ;;
  13[0-9] | 14[0-9]) echo "crash $2" ;;
  *) echo "wrong $2" ;;
  esac
}
export -f one environment
export logs limit build

list() {
  local room
  for room in $rooms; do
    "$build/tests/test_$room" 2>&1 | sed -nE "s,^ *([a-z0-9_]+)\$,$room/\\1,p"
  done
}

status=0
for driver; do
  start "$driver"
  name=$(renderer "$driver")
  if [ -z "$name" ]; then
    echo "$driver: not here"
    continue
  fi
  list | xargs -P "${JOBS:-2}" -I{} bash -c "one $driver {}" >"$logs/$driver.txt"
  printf '%s (%s):' "$driver" "$name"
  for word in passed wrong time-out crash skipped; do
    printf ' %d %s' "$(grep -c "^$word " "$logs/$driver.txt")" "$word"
  done
  echo
  grep -E '^(wrong|time-out|crash) ' "$logs/$driver.txt" | sed 's/^/  /'
  ! grep -qE '^(wrong|crash) ' "$logs/$driver.txt" || status=1
done
exit "$status"
