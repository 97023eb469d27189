#!/bin/bash
# run.sh BUILD JOBS SECONDS [TARGET...]: all targets of a build for libFuzzer (make fuzz), JOBS at a time, SECONDS each. Prints
# for each how many inputs it tried and how many edges they reach; what was found lies in BUILD. Fails if anything was found.
set -uo pipefail
build=$(realpath "$1") jobs=$2 seconds=$3
shift 3
[ $# -gt 0 ] || set -- "$build"/tests/fuzz_*
rm -f "$build"/{crash,leak,oom,timeout,slow-unit}-*
one() { # BUILD SECONDS TARGET
  local build=$1 seconds=$2 name corpus log
  name=$(basename "$3")
  corpus=$build/corpus/$name log=$build/$name.log
  mkdir -p "$corpus"
  "$build/tests/$name" --seeds="$corpus" || return 1
  "$build/tests/$name" "$corpus" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=4096 -timeout=20 \
    -artifact_prefix="$build/" -print_final_stats=1 >"$log" 2>&1
  local status=$?
  printf '%-22s %12s inputs %6s edges %s\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
    "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)" "$(grep -m1 -E 'ERROR|SUMMARY|not true' "$log")"
  return $status
}
export -f one
# shellcheck disable=SC2016
printf '%s\n' "$@" | grep -v '\.' | xargs -P "$jobs" -I{} bash -c 'one "$0" "$1" "$2"' "$build" "$seconds" {}
status=$?
find "$build" -maxdepth 1 \( -name 'crash-*' -o -name 'leak-*' -o -name 'oom-*' -o -name 'timeout-*' \)
exit $status
