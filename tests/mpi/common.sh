# Sourced by the tests of the texla-mpi program.
source "$(dirname "$0")/../cli/common.sh"

# ranks N ARGUMENTS...: runs texla-mpi; its exit status is in $status, what it printed in $log
ranks() {
  local n=$1
  shift
  timeout 300 "$BASH" "$(dirname "$0")/launch.sh" "$TEXLA_MPI_RUN" -np "$n" "$TEXLA_MPI" "$@" >"$log/out" 2>"$log/err"
  status=$?
}
