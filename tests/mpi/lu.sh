# texla-mpi lu as a user runs it.
source "$(dirname "$0")/common.sh"

ranks 4 lu 100 --grid 2x2 --block 16 --json --out x.mtx
[ "$status" -eq 0 ] || fail "lu returned $status"
prints '"status": "converged"'
prints '"grid_rows": 2'
[ "$(sed -n '/"received_bytes"/,/]/p' "$log/out" | tail -n +2)" = "$(sed -n '/"predicted_bytes"/,/]/p' "$log/out" | tail -n +2)" ] ||
  fail "the volume of communication is not what the formula says"
grep -q '^100 1$' x.mtx || fail "no solution was written"
ranks 9 lu 90 --grid 3x3 --block 8 --json
[ "$status" -eq 0 ] || fail "lu on 9 ranks returned $status"
prints '"status": "converged"'
printf '%%%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n' >swap.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n3\n5\n' >b.mtx
ranks 2 lu swap.mtx --grid 2x1 --block 1 --rhs b.mtx --out y.mtx
[ "$status" -eq 0 ] || fail "lu swap.mtx returned $status"
[ "$(tail -n 2 y.mtx | tr '\n' ' ')" = "5 3 " ] || fail "the solution of swap.mtx is $(tail -n 2 y.mtx)"
ranks 2 lu swap.mtx --grid 2x1 --block 1 --pivoting inside
[ "$status" -eq 2 ] || fail "lu --pivoting inside returned $status"
complains 'no pivot inside'
ranks 2 lu 64 --quiet
[ "$status" -eq 0 ] && [ ! -s "$log/out" ] || fail "--quiet prints: $(cat "$log/out" "$log/err")"
ranks 2 lu 64 --grid 0x2
[ "$status" -eq 2 ] || fail "lu --grid 0x2 returned $status"
complains "^texla-mpi lu: --grid must be two positive integers PxQ, such as 4x2, not '0x2'"
finish
