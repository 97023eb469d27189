# On one of two ranks memory ends, or a call of OpenGL fails: all ranks tell the same and go on, or all end with one line and the status 2. None
# waits for the other. TEXLA_FAULTS is the number of failures tried of each kind; 0: all.
source "$(dirname "$0")/common.sh"
export TEXLA_FAULTS_FOLDER=$log
told=0 ended=0

failing() { # KIND NUMBER
  timeout 120 "$TEXLA_MPI_RUN" -np 2 "$TEXLA_FAULTS_PROGRAM" "$@" </dev/null >"$log/out" 2>"$log/err"
  status=$?
}

# tries KIND COUNT USUALLY
tries() {
  local kind=$1 count=$2 most=${TEXLA_FAULTS:-$3} k
  local step=$((most > 0 && count > most ? (count + most - 1) / most : 1))
  for ((k = (step + 1) / 2; k <= count; k += step)); do
    failing "$kind" "$k"
    case $status in
    0) told=$((told + 1)) ;;
    2)
      ended=$((ended + 1))
      [ "$(grep -c '^texla: rank 1: .' "$log/err")" -eq 1 ] || fail "$kind $k: not one line that tells why"
      [ "$kind" != memory ] || complains '^texla: rank 1: .*memory'
      ;;
    *) fail "$kind $k of $count on one rank: status $status" ;;
    esac
  done
}

failing
[ "$status" -eq 0 ] && [ "$(wc -l <"$log/out")" -gt 8 ] || fail "a good run returned $status"
mv "$log/out" "$log/counts"
cat "$log/counts"
while read -r kind count; do
  [ "$kind" = memory ] && usually=6 || usually=1
  tries "$kind" "$count" "$usually"
done <"$log/counts"
echo "told $told, ended $ended"
[ "$((told + ended))" -gt 12 ] || fail "only so few failures were tried"
finish
