# What Open MPI binds to a core is widened to the rank's share of the node, unless its user asked for a binding.
source "$(dirname "$0")/common.sh"

unset OMPI_MCA_hwloc_base_binding_policy LP_NUM_THREADS OMP_NUM_THREADS OMP_THREAD_LIMIT
all=$(nproc)
[[ "$("$TEXLA_MPI_RUN" --version 2>&1)" =~ OpenRTE|Open\ MPI ]] || skip "only Open MPI tells of bindings that were asked for"
[ "$all" -ge 2 ] || skip "one processor"

# uses RANKS PROCESSORS OPTIONS...: what rank 0 says
uses() {
  local ranks=$1 wanted=$2
  shift 2
  timeout 300 "$BASH" "$(dirname "$0")/launch.sh" "$TEXLA_MPI_RUN" "$@" -np "$ranks" "$TEXLA_MPI" lu 64 --json >"$log/out" 2>"$log/err" ||
    fail "lu on $ranks ranks: $(cat "$log/err")"
  prints "\"processors\": $wanted,"
}
uses 1 "$all"
uses 1 "$all" --bind-to none
! grep -q 'bind-to' "$log/err" || fail "says something of bindings where there is none"
uses 1 1 --bind-to core
complains "^texla-mpi lu: each rank is bound to 1 of the $all processors .* with mpirun --bind-to none"
uses 2 $((all / 2))
uses 2 $((all / 2)) --bind-to none
uses $((2 * all)) 0 --oversubscribe
finish
