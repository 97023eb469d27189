# One allocation of the program fails (faults/starve.c, preloaded), in one run after the other: it ends with a message, and what pictures there
# are, are those of a good run. TEXLA_FAULTS is the number of failures tried; 0: all.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
most=${TEXLA_FAULTS:-10} failed=0
run="--size 33x21 --frames 2 --steps-per-frame 2"

starving() { # NUMBER FOLDER
  # shellcheck disable=SC2086 # several words
  TEXLA_STARVE=$1 TEXLA_STARVE_COUNT=$log/count LD_PRELOAD=$STARVE "$TEXLA" $run --out "$2" >"$log/out" 2>"$log/err"
  status=$?
}

starving 0 good # it measures the device
starving 0 good
[ "$status" -eq 0 ] || fail "a good run returned $status"
count=$(cat "$log/count")
[ "$count" -gt 50 ] || fail "$count allocations in a run"
step=$((most > 0 ? (count + most - 1) / most : 1))
for ((k = (step + 1) / 2; k <= count; k += step)); do
  starving "$k" bad
  if [ "$status" -ne 0 ]; then
    failed=$((failed + 1))
    [ "$status" -le 2 ] || fail "allocation $k of $count: status $status"
    complains 'memory'
  else
    diff -r good bad >/dev/null || fail "allocation $k of $count: other pictures, and nothing is said"
  fi
  for picture in $(ls -A bad 2>/dev/null); do
    cmp -s "good/$picture" "bad/$picture" || fail "allocation $k of $count: $picture is another one"
  done
  rm -rf bad
done
echo "$failed runs failed"
finish
