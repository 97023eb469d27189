#!/usr/bin/env bash
# run.sh BUILD [ARGUMENTS OF CTEST...]: runs the tests of a build folder. One line a room as it is finished; after the last one what
# the failures printed, what was skipped and why, and the command that repeats only the failures. Returns ctest's status.
set -uo pipefail
cd "$1" || exit 2
build=$1
shift
export LC_ALL=C
# In the short form llvmpipe compiles shaders without optimizing them, in half the time; what they compute is the same.
# It draws in the test's own thread: as many tests as there are processors run beside each other, and small passes cost more to
# hand over than to draw. With more threads it runs in the long form and in gl/threads.
if [ "${TEXLA_TEST_LEVEL:-}" != long ]; then
  export GALLIVM_PERF=${GALLIVM_PERF-nopt} LP_NUM_THREADS=${LP_NUM_THREADS-0}
fi
if [ -z "${TEXLA_DATA_DIR:-}" ]; then # the real matrices, where they lie beside the sources
  source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' CMakeCache.txt)
  for folder in "$source/../data" "$source/../shared/data"; do
    [ -d "$folder/matrices" ] && TEXLA_DATA_DIR=$(cd "$folder" && pwd) && export TEXLA_DATA_DIR
  done
fi
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
log=Testing/Temporary/LastTest.log
# mawk (Debian's awk) reads a pipe in blocks unless it is told to read lines
lines_at_once=
case $(awk -W version 2>&1 </dev/null) in mawk*) lines_at_once="-W interactive" ;; esac

# What ctest prints: how many tests each room has, and a line for every test that ends.
{
  ctest -N "$@"
  ctest "$@"
  echo "status $?"
} 2>&1 </dev/null | tee "$lines" | awk $lines_at_once '
  $1 == "Test" && $2 ~ /^#[0-9]+:/ || $1 == "Test" && $2 == "#" { room = $NF; sub(/\/.*/, "", room); count[room]++ }
  $1 ~ /^[0-9]+\/[0-9]+$/ && $2 == "Test" {
    match($0, /[^ ]+ \.\.+/)
    name = $0; sub(/^[^:]*: */, "", name); sub(/ .*/, "", name)
    room = name; sub(/\/.*/, "", room)
    done[room]++; seconds[room] += $(NF - 1)
    if ($0 ~ /Passed +[0-9.]+ sec/) passed[room]++
    else if ($0 ~ /\*\*\*Skipped/) skipped[room] = skipped[room] " " name
    else failed[room] = failed[room] " " name
    if (done[room] == count[room]) {
      line = sprintf("%-14s %3d passed %7.1f s", room, passed[room], seconds[room])
      if (skipped[room]) line = line "  skipped:" skipped[room]
      if (failed[room]) line = line "  FAILED:" failed[room]
      print line; fflush()
    }
  }
  /^No tests were found/ { print; fflush() }'

# section NAME: what a test printed
section() {
  awk -v name="$1" '
    $2 == "Testing:" { inside = $3 == name; shown = 0 }
    inside && /^<end of output>$/ { inside = 0 }
    inside && /^Test time =/ { inside = 0 }
    inside && shown { print }
    inside && /^-----/ { shown = 1 }' "$log"
}

# names REGEX: of the tests whose line says so
names() {
  sed -nE "s@^ *[0-9]+/[0-9]+ Test +#[0-9]+: ([^ ]+) .*\*\*\*($1).*@\1@p" "$lines"
}

status=$(sed -n 's/^status //p' "$lines")
failed=$(names 'Failed|Timeout|Not Run|Exception.*|Bad.*|Subprocess.*|Could.*')
for name in $failed; do
  echo
  echo "--- $name"
  section "$name" | tail -n 60
done
skipped=$(names Skipped)
[ -z "$skipped" ] || printf '\nSkipped:\n'
for name in $skipped; do
  echo "  $name: $(section "$name" | sed -n 's/^skipped: //p' | head -n 1)"
done
# Cases of programs that went on without them: cmocka says which, the line before it why.
cases=$(awk '$2 == "Testing:" { name = $3; why = "" } /^skipped: / { why = ": " substr($0, 10) }
  /^\[ RUN      \]/ { why = "" }
  /^\[  SKIPPED \] [A-Za-z0-9_]+$/ && !seen[name, $NF]++ { print "  " name ", the case " $NF why }' "$log" 2>/dev/null)
[ -z "$cases" ] || printf '\nCases skipped:\n%s\n' "$cases"
echo
grep -E '^[0-9]+% tests passed|^Total Test time' "$lines"
if [ -n "$failed" ] && [ -n "${TEXLA_TEST_AGAIN:-}" ]; then
  echo
  echo "Once more, alone:"
  ctest -R "^($(echo $failed | tr ' ' '|'))\$" --output-on-failure </dev/null && status=0
  [ "$status" = 0 ] && echo "UNSTABLE: failed beside others and passed alone:" $failed
elif [ -n "$failed" ]; then
  echo "To repeat only what failed:"
  echo "  tests/run.sh $build -R '^($(echo $failed | tr ' ' '|'))\$'"
fi
exit "$status"
