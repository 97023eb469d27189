# texla-mpi bench as a user runs it.
source "$(dirname "$0")/common.sh"

ranks 2 bench --n 64 --side 32 --block 16
[ "$status" -eq 0 ] || fail "bench returned $status"
prints '^ *64 +16 +1 x 2 '
prints '^ *32\^2 mg '
ranks 2 bench --n 64 --side 32 --block 16 --json
[ "$status" -eq 0 ] || fail "bench --json returned $status"
prints '"received_bytes": [1-9]'
ranks 1 wave 64
[ "$status" -eq 2 ] || fail "a command that is gone returned $status"
finish
