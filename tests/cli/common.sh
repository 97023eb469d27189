# Sourced by the tests of the texla program (TEXLA). Each works in an empty folder of its own; failures are collected, so
# that one run names all.
set -uo pipefail
export LC_ALL=C
unset TEXLA_SHADER_DIR
failures=0
work=$(mktemp -d /tmp/texla-test-XXXXXX)
log=$(mktemp -d /tmp/texla-test-XXXXXX) # what the last command printed: $log/out, $log/err
export XDG_CACHE_HOME=$log/cache
export TEXLA_TUNING=${TEXLA_TUNING-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/tuning.txt}
trap 'rm -rf "$work" "$log"' EXIT
cd "$work" || exit 1

fail() {
  failures=$((failures + 1))
  echo "FAILED: $1"
  [ ! -s "$log/out" ] || head -n 5 "$log/out" | sed 's/^/  out: /'
  [ ! -s "$log/err" ] || head -n 30 "$log/err" | sed 's/^/  err: /'
  [ -z "${TEXLA_TEST_FIRST:-}" ] || exit 1 # the first failure is enough
}

skip() {
  echo "skipped: $1"
  exit 77
}

finish() {
  [ "$failures" -eq 0 ] && exit 0
  echo "$failures check(s) failed"
  exit 1
}

# whole: is this the long form?
whole() {
  [ "${TEXLA_TEST_LEVEL:-}" = long ]
}

# texla ARGUMENTS: runs the program; its exit status is in $status, what it printed in $log
texla() {
  "$TEXLA" "$@" >"$log/out" 2>"$log/err"
  status=$?
}

# expect STATUS ARGUMENTS...
expect() {
  local want=$1
  shift
  texla "$@"
  [ "$status" -eq "$want" ] || fail "texla $* returned $status, not $want"
}

# prints REGEX / complains REGEX: standard output / standard error holds a line like this
prints() {
  grep -qE -- "$1" "$log/out" || fail "no '$1' on standard output"
}
complains() {
  grep -qE -- "$1" "$log/err" || fail "no '$1' on standard error"
}
silent() {
  [ ! -s "$log/$1" ] || fail "unexpected text on standard $1: $2"
}

# refuses REGEX ARGUMENTS...: status 2, nothing on standard output, one message (and perhaps where the help is), nothing
# new in the folder
refuses() {
  local regex=$1 before
  shift
  before=$(ls -A)
  expect 2 "$@"
  complains "$regex"
  complains '^texla'
  silent out "texla $*"
  [ "$(grep -vc "^See '" "$log/err")" -le 1 ] || fail "texla $* complains in more than one line"
  [ "$(ls -A)" = "$before" ] || fail "texla $* left files: $(ls -A)"
}

# json KEY: the value that stands behind KEY in the JSON object on standard output
json() {
  sed -nE "s/^ *\"$1\": (.*)/\1/p" "$log/out" | sed 's/,$//' | head -n 1
}

# equals KEY VALUE
equals() {
  [ "$(json "$1")" = "$2" ] || fail "$1 is $(json "$1"), not $2"
}

# below A B: A < B as decimal numbers
below() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a != "null" && a + 0 < b + 0) }'
}

# valid_json: what stands on standard output is JSON and nothing else
valid_json() {
  if command -v python3 >/dev/null && python3 -c '' 2>/dev/null; then
    python3 -m json.tool <"$log/out" >/dev/null 2>"$log/json" || fail "invalid JSON: $(cat "$log/json")"
  else
    [ "$(head -c 1 "$log/out")$(tail -n 1 "$log/out")" = '{}' ] || fail "no JSON object"
  fi
}

# A device that is always full, or nothing. As root it is a node of our own: a broken writer could replace the system's.
full_device() {
  if [ "$(id -u)" -eq 0 ]; then
    mknod "$log/full" c 1 7 2>/dev/null && (: >"$log/full") 2>/dev/null && echo "$log/full"
  else
    ls /dev/full 2>/dev/null
  fi
}
