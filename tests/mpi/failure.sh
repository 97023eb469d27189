# A rank that fails ends all of them, within seconds, with one message and a status that is not zero.
source "$(dirname "$0")/common.sh"

# ends STATUS REGEX ARGUMENTS...: on 3 ranks
ends() {
  local want=$1 regex=$2
  shift 2
  ranks 3 "$@"
  [ "$status" -eq "$want" ] || fail "texla-mpi $* returned $status, not $want"
  [ "$(grep -c '^texla' "$log/err")" -eq 1 ] || fail "texla-mpi $*: not one message"
  complains "$regex"
}

ends 2 'cannot open' lu no-such-file.mtx --grid 1x3
ends 2 'there is no device 77' lu 64 --device 77
ends 2 'no memory' lu 3000000 --grid 1x3
ends 2 'needs more than the 3 ranks' lu 64 --grid 2x2
ends 2 "unknown option '--blok'" lu 64 --blok 3
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n' >short.mtx
ends 2 'holds 1 values' lu short.mtx
ends 2 'cannot write' lu 64 --out no/such/folder/x.mtx

# One rank is killed: the others do not wait for it.
"$TEXLA_MPI_RUN" -np 3 "$TEXLA_MPI" lu 3000 --block 32 >"$log/out" 2>"$log/err" &
run=$!
for ((i = 0; i < 100; i++)); do
  sleep 0.1
  victim=$(pgrep -P "$run" -f 'texla-mpi lu 3000' | sed -n 2p)
  [ -z "$victim" ] || break
done
sleep 1
if [ -n "$victim" ]; then
  kill -9 "$victim" || fail "the rank has ended too early"
  SECONDS=0
  wait "$run"
  status=$?
  [ "$status" -ne 0 ] || fail "a killed rank, but the run returned 0"
  [ "$SECONDS" -le 10 ] || fail "a rank was killed, and the run went on for $SECONDS s"
else
  wait "$run"
  echo "no rank was found to be killed (the launcher has other children)"
fi
finish
