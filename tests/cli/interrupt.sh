# Ctrl-C stops the iteration; the results are written all the same.
source "$(dirname "$0")/common.sh"
set -m # or the shell makes its children ignore Ctrl-C
"$TEXLA" gen poisson2d 256 --out A.mtx || fail 'gen'
: >"$log/err"
"$TEXLA" solve A.mtx --solver jacobi --max-iter 1000000000 --verbose --json --out x.mtx --history h.csv \
  >"$log/out" 2>"$log/err" &
pid=$!
for ((k = 0; k < 1000; k++)); do # until it says that it has begun
  grep -q 'solving on' "$log/err" || ! kill -0 $pid 2>/dev/null && break
  sleep 0.1
done
sleep 0.3
kill -INT $pid
wait $pid
status=$?
[ $status -eq 1 ] || fail "an interrupted run returned $status, not 1"
valid_json
equals reason '"stopped"'
[ "$(wc -l <x.mtx)" -eq 65539 ] || fail 'no solution was written'
[ "$(wc -l <h.csv)" -eq "$(($(json iterations) + 2))" ] || fail 'the history does not fit the iterations'

# A factorization stops, too: long before it would have ended.
"$TEXLA" gen banded 6000 -20 -1 0 3 40 --out D.mtx || fail 'gen'
: >"$log/err"
"$TEXLA" solve D.mtx --solver plu --verbose --json --out y.mtx >"$log/out" 2>"$log/err" &
pid=$!
for ((k = 0; k < 1000; k++)); do
  grep -q 'solving on' "$log/err" || ! kill -0 $pid 2>/dev/null && break
  sleep 0.1
done
sleep 0.3
kill -INT $pid
wait $pid
status=$?
[ $status -eq 1 ] || fail "an interrupted factorization returned $status, not 1"
valid_json
equals reason '"stopped"'
equals iterations 0
[ "$(wc -l <y.mtx)" -eq 6003 ] || fail 'no start value was written'
finish
