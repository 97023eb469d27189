# texla-mpi wave and bench as a user runs them.
source "$(dirname "$0")/common.sh"

ranks 1 wave 70x50 --steps 20 --raw one
[ "$status" -eq 0 ] || fail "wave on one rank returned $status"
ranks 3 wave 70x50 --steps 20 --raw three --out picture.png --json
[ "$status" -eq 0 ] || fail "wave returned $status"
prints '"received_bytes": [1-9]'
cmp -s one three || fail "three ranks give another picture than one"
[ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || fail "no picture was written"
ranks 2 wave 70by50
[ "$status" -eq 2 ] || fail "wave 70by50 returned $status"

ranks 2 bench --n 64 --side 32 --block 16
[ "$status" -eq 0 ] || fail "bench returned $status"
prints '^ *64 +16 +1 x 2 '
prints '^ *32\^2 mg '
prints '^ *1024 '
ranks 2 wave 64 --steps 3 --quiet
[ "$status" -eq 0 ] && [ ! -s "$log/out" ] || fail "--quiet prints: $(cat "$log/out" "$log/err")"
finish
