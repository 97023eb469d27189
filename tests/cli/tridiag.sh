# texla tridiag: solutions, refinement, systems without a solution, bad tables.
source "$(dirname "$0")/common.sh"

# Two systems: x = (1, 2, 3) and (1, -1, 2); what lies outside of them does not count.
cat >batch.csv <<'END'
# sub,main,super,rhs
9, 2, -1, 0
-1, 2, -1, 0
-1, 2, 9, 4

0,1,1,0
1,0.5,1,2.5
1,4,0,7
END
expect 0 tridiag batch.csv --refine --out x.csv
prints '^2 systems of 3 rows: backward error [0-9.]+e-1[5-9]|^2 systems of 3 rows: backward error 0'
awk -F, 'function off(a, b) { return (a - b) ^ 2 > 1e-28 }
  NR == 1 && (off($1, 1) || off($2, 2) || off($3, 3)) || NR == 2 && (off($1, 1) || off($2, -1) || off($3, 2)) { exit 1 }
  END { exit NR != 2 }' x.csv || fail "wrong solutions: $(cat x.csv)"
expect 0 tridiag - --out - --quiet <batch.csv
[ "$(wc -l <"$log/out")" = 2 ] || fail "not two lines on standard output"
silent err 'tridiag --quiet'

# periodic: x = (1, 1, 1, 1)
printf '1,4,-1,4\n1,4,-1,4\n1,4,-1,4\n1,4,-1,4\n' | tee p.csv | "$TEXLA" tridiag - --periodic --quiet --out - >p.out || fail periodic
awk -F, '{ for (i = 1; i <= 4; i++) if (($i - 1) ^ 2 > 1e-12) exit 1 }' p.out || fail "wrong periodic solution: $(cat p.out)"

expect 0 tridiag --random 100 300 7 --json
valid_json
equals systems 100
equals rows 300
equals iterations 1
below "$(json backward_error)" 1e-6 || fail "backward error $(json backward_error)"
expect 0 tridiag --random 100 300 7 --refine --periodic --json
below "$(json backward_error)" 1e-15 || fail "refined backward error $(json backward_error)"

# Systems without a solution are named, the others solved; a zero on the diagonal needs an exchange.
printf '0,0,1,2\n1,0,0,1\n\n0,0,0,1\n0,1,0,1\n\n0,1,0,nan\n0,1,0,1\n' >bad.csv
expect 1 tridiag bad.csv --out x.csv
complains '2 of 3 systems could not be solved: 1 \(singular, no solution\), 2 \(not finite\)'
prints '3 solved again with row exchanges'
[ "$(cat x.csv)" = "$(printf '1,2\n0,0\n0,0')" ] || fail "wrong solutions: $(cat x.csv)"
expect 1 tridiag bad.csv --json
valid_json

# Insulated at both ends, and a ring: with a right-hand side of ones there is no solution, with one of sum 0 there are many.
printf '0,1,-1,1\n-1,2,-1,1\n-1,2,-1,1\n-1,1,0,1\n\n0,1,-1,1\n-1,2,-1,1\n-1,2,-1,-1\n-1,1,0,-1\n' >neumann.csv
printf -- '-1,2,-1,1\n-1,2,-1,1\n-1,2,-1,1\n-1,2,-1,1\n\n-1,2,-1,1\n-1,2,-1,1\n-1,2,-1,-1\n-1,2,-1,-1\n' >ring.csv
for refine in '' --refine; do
  expect 1 tridiag neumann.csv --out x.csv $refine
  complains '2 of 2 systems could not be solved: 0 \(singular, no solution\), 1 \(singular, many solutions\)'
  [ "$(cat x.csv)" = "$(printf '0,0,0,0\n0,0,0,0')" ] || fail "solutions of singular systems: $(cat x.csv)"
  expect 1 tridiag ring.csv --periodic $refine
  complains '0 \(singular, no solution\), 1 \(singular, many solutions\)'
done
expect 1 tridiag neumann.csv --json
valid_json
tr -d ' \n' <"$log/out" | grep -q '"singular":\[0,1\],"consistent":\[1\]' || fail "singular systems: $(cat "$log/out")"

refuses 'batch is needed' tridiag a b
refuses 'three numbers' tridiag --random 3
refuses 'random N' tridiag --random 3 0 1
refuses 'both write' tridiag batch.csv --json --out -
refuses 'missing.csv' tridiag missing.csv
printf '1,2,3\n' >short.csv
refuses 'short.csv:1: not a row of sub,main,super,rhs' tridiag short.csv --out y.csv
printf '1,2,3,4\n\n1,2,3,4\n1,2,3,4\n' >mixed.csv
refuses 'mixed.csv:4: system 1 ends after 2 rows, the first one has 1' tridiag mixed.csv
printf '# nothing\n\n' >empty.csv
refuses 'empty.csv holds no system' tridiag empty.csv
finish
