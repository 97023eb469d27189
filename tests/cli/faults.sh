# One allocation of the program fails (faults/starve.c, preloaded), in one run after the other: it ends with the status 2 and a message, and all its
# files are as they were; or all of them are written. TEXLA_FAULTS is the number of failures tried of each command; 0: all.
source "$(dirname "$0")/common.sh"
most=${TEXLA_FAULTS:-8} failed=0

# starving NUMBER ARGUMENTS...
starving() {
  TEXLA_STARVE=$1 TEXLA_STARVE_COUNT=$log/count LD_PRELOAD=$STARVE "$TEXLA" "${@:2}" >"$log/out" 2>"$log/err"
  status=$?
}

# tries "FILES" ARGUMENTS...: the command writes these files
tries() {
  local files=$1 file old count step k
  shift
  starving 0 "$@"
  [ "$status" -eq 0 ] || fail "texla $* returned $status"
  count=$(cat "$log/count")
  [ "$count" -gt 5 ] || fail "$count allocations in texla $*"
  step=$((most > 0 ? (count + most - 1) / most : 1))
  for ((k = 1; k <= count; k += step)); do
    for file in $files; do
      echo old >"$file"
    done
    starving "$k" "$@"
    old=$(grep -lx old $files | wc -l)
    case $status in
    0) [ "$old" -eq 0 ] || fail "allocation $k of $count in texla $*: $old files are not written" ;;
    2)
      failed=$((failed + 1))
      [ "$old" -eq "$(wc -w <<<"$files")" ] || fail "allocation $k of $count in texla $*: some of the files are written"
      complains 'memory'
      ;;
    *) fail "allocation $k of $count in texla $*: status $status" ;;
    esac
    [ "$(ls -A | wc -l)" -eq "$entries" ] || fail "allocation $k of $count in texla $*: $(ls -A)"
  done
}

expect 0 gen dense 6 1 --out A.mtx
expect 0 gen poisson2d 5 --out P.mtx
touch L.mtx U.mtx p.mtx q.mtx x.mtx h.csv
entries=$(ls -A | wc -l)
tries "L.mtx U.mtx p.mtx q.mtx" factor A.mtx --pivot complete --out-l L.mtx --out-u U.mtx --out-p p.mtx --out-q q.mtx
tries "L.mtx" factor P.mtx --method cholesky --out-l L.mtx
tries "x.mtx h.csv" solve P.mtx --out x.mtx --history h.csv
tries "x.mtx" multiply A.mtx A.mtx --out x.mtx
tries "x.mtx" gen poisson2d 6 --out x.mtx
echo "$failed runs failed"
[ "$failed" -gt 8 ] || fail "only $failed runs failed"
finish
