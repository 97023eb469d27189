#!/usr/bin/env bash
# launch.sh MPIRUN ARGUMENTS...: runs it; once more where the launcher alone has failed. When ranks end, Open MPI's (PMIx_Finalize) wait two
# seconds for an answer of mpirun; where that gets no processor meanwhile, it says that good ranks were "exiting improperly".
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
for try in 1 2; do
  "$@" >"$log/out" 2>"$log/err"
  status=$?
  [ "$status" -ne 0 ] && grep -q 'exiting improperly' "$log/err" || break
done
cat "$log/out"
cat "$log/err" >&2
exit "$status"
