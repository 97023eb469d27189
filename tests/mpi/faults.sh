# Memory ends on one of two ranks: all ranks tell the same and go on, or all end with one line and the status 2. None waits for the other.
# TEXLA_FAULTS is the number of failures tried; 0: all.
source "$(dirname "$0")/common.sh"
tries=${TEXLA_FAULTS:-6}
told=0 ended=0

failing() {
  timeout 120 "$TEXLA_MPI_RUN" -np 2 "$TEXLA_FAULTS_PROGRAM" "$1" >"$log/out" 2>"$log/err"
  status=$?
}

failing 0
count=$(sed -n 's/ allocations$//p' "$log/out")
[ "$status" -eq 0 ] && [ "${count:-0}" -gt 20 ] || fail "a good run returned $status and has '$count' allocations"
step=$((tries > 0 ? (${count:-0} + tries - 1) / tries : 1))
for ((k = 1; k <= ${count:-0}; k += step)); do
  failing "$k"
  case $status in
  0) told=$((told + 1)) ;;
  2)
    ended=$((ended + 1))
    [ "$(grep -c '^texla: rank 1: .*memory' "$log/err")" -eq 1 ] || fail "allocation $k: not one line that tells why"
    ;;
  *) fail "allocation $k of $count on one rank: status $status" ;;
  esac
done
echo "$count allocations: told $told, ended $ended"
finish
