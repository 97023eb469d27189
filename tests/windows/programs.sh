#!/usr/bin/env bash
# programs.sh BUILD: programs for Windows beside those of Linux, on the same driver with the same variants of kernels: their files are
# the same, byte by byte. Names with umlauts and blanks, inputs with CRLF, real matrices (TEXLA_DATA_DIR), the demos' windows, Ctrl-C and
# a full disk are tried, too. Runs in tests/windows/run.sh, on its display.
set -uo pipefail
windows=$(cd "$1" && pwd)/bin
source=$(cd "$(dirname "$0")/../.." && pwd)
linux=$source/build/bin
export TEXLA_TUNING=$source/tests/tuning.txt
work=$(mktemp -d)
trap 'umount "$work/voll" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

# same WHAT FILE FILE
same() {
  if cmp -s "$2" "$3"; then
    echo "same: $1"
  else
    echo "DIFFERENT: $1 ($(cmp "$2" "$3" 2>&1))"
    failures=$((failures + 1))
  fi
}

# pictures PROGRAM ARGUMENT...: three of them
pictures() {
  local program=$1 folder="Bilder für $1"
  shift
  "$linux/$program" --headless --frames 3 --out linux "$@" >/dev/null 2>&1
  wine "$windows/$program.exe" --headless --frames 3 --out "$folder" "$@" >log 2>&1 || cat log
  [ -n "$(ls linux)" ] || { echo "DIFFERENT: $program has made no pictures"; failures=$((failures + 1)); }
  for file in linux/*; do
    same "$program ${file##*/}" "$file" "$folder/${file##*/}"
  done
  rm -rf linux
}

for program in navier-stokes wave shallow-water lab; do
  pictures "$program"
done

# A system, with the ends of lines that Windows writes; the answer's residual and the report without its times.
{
  echo '%%MatrixMarket matrix coordinate real general'
  echo '400 400 1198'
  for i in $(seq 400); do
    echo "$i $i $((4 + i % 3))"
    [ "$i" = 400 ] || printf '%d %d -1\n%d %d -1\n' "$i" $((i + 1)) $((i + 1)) "$i"
  done
} >matrix.mtx
sed 's/$/\r/' matrix.mtx >'Größe 1.mtx'
for method in cg bicgstab gmres plu; do
  "$linux/texla" solve matrix.mtx --solver "$method" --out linux.mtx >/dev/null 2>&1
  wine "$windows/texla.exe" solve 'Größe 1.mtx' --solver "$method" --out 'x ä.mtx' >log 2>&1 || cat log
  same "texla solve --solver $method" linux.mtx 'x ä.mtx'
  rm -f linux.mtx 'x ä.mtx'
done

# both FILE COMMAND ARGUMENT...: what the command of texla writes into FILE
both() {
  local file=$1
  shift
  "$linux/texla" "$@" >/dev/null 2>&1
  mv "$file" linux.out
  wine "$windows/texla.exe" "$@" >log 2>&1 || cat log
  same "texla $*" linux.out "$file"
  rm -f linux.out "$file"
}
"$linux/texla" solve matrix.mtx --solver plu --out 'b ü.mtx' >/dev/null 2>&1
both A.mtx gen poisson2d 20 --out A.mtx
both L.mtx factor matrix.mtx --out-l L.mtx
both U.mtx factor matrix.mtx --pivot complete --out-u U.mtx
both R.mtx factor matrix.mtx --method gauss-jordan --out-r R.mtx
both x.mtx lsq matrix.mtx 'b ü.mtx' --out x.mtx
both x.csv tridiag --random 50 37 1 --refine --out x.csv

# wrong WHAT: one failure more
wrong() {
  echo "WRONG: $1"
  failures=$((failures + 1))
}

# wait_for COMMAND...: until it succeeds, two minutes at most (the machine may be busy)
wait_for() {
  local end=$((SECONDS + 120))
  while [ "$SECONDS" -lt "$end" ]; do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  return 1
}

# Real matrices: the same solution, and the same report but for times, devices and names.
report() { # standard error has how far a long run is
  sed -E 's/\r$//; /^ *(time|solution|device|matrix|setup)/d'
}
data=${TEXLA_DATA_DIR:-$source/../shared/data}/matrices
for name in LF10 bcsstk01 bcsstk09 bcsstk20 494_bus 662_bus arc130 bfwa62 cage5 Trefethen_500; do
  if [ ! -e "$data/$name.mtx" ]; then
    echo "skipped: no $name.mtx (TEXLA_DATA_DIR)"
    continue
  fi
  "$linux/texla" solve "$data/$name.mtx" --solver auto --out linux.mtx 2>/dev/null | report >linux.txt
  wine "$windows/texla.exe" solve "$data/$name.mtx" --solver auto --out windows.mtx 2>/dev/null | report >windows.txt
  same "solution of $name" linux.mtx windows.mtx
  same "report on $name: $(grep -m 1 "^ *residual" linux.txt)" linux.txt windows.txt
  rm -f linux.* windows.*
done

# A window of each demo, and a screenshot by its key.
find_window() {
  window=$(xdotool search --onlyvisible --name "^$1: ")
}
has_screenshot() {
  [ -n "$(find "$1" -name '*-screenshot-0000.png' -size +10k 2>/dev/null)" ]
}
press_s() { # again where it was missed
  timeout 1 xdotool windowfocus --sync "$window"
  xdotool key s
  sleep 0.5
  has_screenshot "$1"
}
# in_window PROGRAM key|button: a window, a screenshot, and the end: by its key, or as its button for closing ends it
in_window() {
  local program=$1 folder="Fenster für $1 $2" child status=0
  wine "$windows/$program.exe" --out "$folder" >log 2>&1 &
  child=$!
  if wait_for find_window "$program" && wait_for press_s "$folder"; then
    if [ "$2" = key ]; then
      xdotool key Escape
    else
      wine taskkill /im "$program.exe" >/dev/null 2>&1 # a message to its windows, WM_CLOSE
    fi
    timeout 120 tail --pid="$child" -f /dev/null || kill "$child"
    wait "$child" || status=$?
    [ "$status" = 0 ] || wrong "$program, closed by its $2, ends with $status: $(cat log)"
    echo "window: $program,$(file -b "$folder"/*-screenshot-0000.png 2>/dev/null | cut -d, -f2), closed by its $2"
  else
    wrong "$program shows no window, or makes no screenshot of it: $(cat log)"
    kill "$child" 2>/dev/null
  fi
}
if command -v xdotool >/dev/null && [ -n "${DISPLAY:-}" ]; then
  for program in navier-stokes wave shallow-water lab; do
    in_window "$program" key
    in_window "$program" button
  done
else
  echo "skipped: windows (no xdotool, or no display)"
fi

# A reader that goes away early: no word, or one that says so, but not the C library's.
for arguments in '--help' 'gen poisson2d 200 --out -'; do
  wine "$windows/texla.exe" $arguments 2>log | :
  ! grep -v 'Broken pipe' log || wrong "texla $arguments, into a closed pipe: $(cat log)"
done

# Ctrl-C in a long run: what there is is saved, and nothing unfinished is left.
wine "$windows/navier-stokes.exe" --headless --frames 100000 --size 64x64 --out lang --save 'Stand ü' >log 2>&1 &
child=$!
wait_for test -s lang/vortices-0003.png || wrong "navier-stokes makes no pictures"
kill -INT "$child"
wait "$child" || wrong "navier-stokes does not end well upon Ctrl-C"
grep -q 'saved time' log && [ -s 'Stand ü' ] || wrong "navier-stokes saves nothing upon Ctrl-C"
left=$(find . -name '*.tmp[0-9]*')
[ -z "$left" ] || wrong "files are left: $left"

# A full disk: it is said so, what stood there stays, and nothing unfinished is left.
mkdir voll
if mount -t tmpfs -o size=16k none voll 2>/dev/null; then
  echo before >voll/x.mtx
  wine "$windows/texla.exe" gen poisson2d 64 --out voll/x.mtx >log 2>&1 && wrong "a full disk is not noticed"
  grep -q 'writing .* failed: ' log || wrong "a full disk is not named: $(cat log)"
  [ "$(ls voll) $(cat voll/x.mtx)" = "x.mtx before" ] || wrong "a full disk: $(ls -la voll)"
  echo "full disk: $(tr -d '\r' <log | tail -n 1)"
  umount voll
else
  echo "skipped: a full disk (no right to mount one)"
fi
[ "$failures" = 0 ] || echo "$failures failure(s)"
[ "$failures" = 0 ]
