#!/usr/bin/env bash
# launch.sh MPIRUN ARGUMENTS...: runs it; once more where the launcher alone has failed, which is said. When ranks end, Open MPI's
# (PMIx_Finalize) wait two seconds, a number in its code, for an answer of mpirun; where that gets no processor meanwhile, it says that good
# ranks were "exiting improperly". A rank that fails says something itself, or calls MPI_Abort, or is killed: then nothing is repeated, and
# neither is a rank that leaves without MPI_Finalize each time.
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
for try in 1 2; do
  "$@" >"$log/out" 2>"$log/err"
  status=$?
  [ "$status" -ne 0 ] && [ "$try" -eq 1 ] && grep -q 'exiting improperly' "$log/err" || break
  ! grep -qE 'MPI_ABORT|on signal|^texla|rank [0-9]+( of [0-9]+)?:|ERROR: ' "$log/err" || break
  echo "launch.sh: mpirun alone has failed (exiting improperly): once more" >&2
done
cat "$log/out"
cat "$log/err" >&2
exit "$status"
