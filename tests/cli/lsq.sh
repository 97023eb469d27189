# texla lsq: solutions, weights, rank, the report, bad input.
source "$(dirname "$0")/common.sh"

array() { # array FILE ROWS COLS NUMBERS...: column by column
  printf '%%%%MatrixMarket matrix array real general\n%s %s\n' "$2" "$3" >"$1"
  printf '%s\n' "${@:4}" >>"$1"
}
values() {
  grep -v '^%' "$1" | tail -n +2 | awk '{ printf "%.10g ", $1 }'
}

array A.mtx 4 2 1 1 1 1 0 1 2 3 # a line through (0, 1), (1, 3), (2, 5), (3, 8)
array b.mtx 4 1 1 3 5 8
expect 0 lsq A.mtx b.mtx --out x.mtx
prints '4 observations, 2 unknowns, by cholesky: rank 2, converged'
[ "$(values x.mtx)" = '0.8 2.3 ' ] || fail "wrong solution: $(cat x.mtx)"
array d.mtx 4 1 1 1 1 0 # without the last one: 1 + 2 t
for method in cholesky qr auto; do
  expect 0 lsq A.mtx b.mtx --weights d.mtx --method "$method" --out x.mtx --json
  valid_json
  [ "$(values x.mtx)" = '1 2 ' ] || fail "$method, weighted: wrong solution: $(cat x.mtx)"
  equals m 4
  equals n 2
  equals rank 2
  equals reason '"converged"'
  [ "$method" = auto ] || equals method "\"$method\""
  below "$(json residual_norm)" 1e-13 || fail "residual $(json residual_norm)"
  below "$(json error_estimate)" 1e-13 || fail "error estimate $(json error_estimate)"
  below 0 "$(json iterations)" || fail "no iterations"
  for key in seconds_assemble seconds_factor seconds_refine; do
    below "$(json $key)" 100 || fail "$key is $(json $key)"
  done
done
expect 0 lsq A.mtx - --quiet <b.mtx
silent out 'lsq --quiet'
expect 0 lsq A.mtx b.mtx --out -
prints '^0\.8'
array S.mtx 4 3 1 1 1 1 0 1 2 3 1 2 3 4 # the third column is the sum of the others
expect 1 lsq S.mtx b.mtx --out x.mtx --json
valid_json
equals rank 2
equals method '"qr"'
expect 2 lsq S.mtx b.mtx --method cholesky
complains 'not positive definite'
array H.mtx 6 3 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 1 1 1 # the first column is the sum of the others
array h.mtx 6 1 1 2 3 4 5 6
for method in auto qr; do
  expect 1 lsq H.mtx h.mtx --method $method --out x.mtx
  prints 'by qr: rank 2'
done
expect 2 lsq H.mtx h.mtx --method cholesky --out y.mtx
complains 'depend on each other|not positive definite'
[ ! -e y.mtx ] || fail 'a refused problem has written a solution'

# weights from 1e-4 to 1e4: gradients come to the solution, plain refinement stops before it
awk 'BEGIN { srand(3); print "%%MatrixMarket matrix array real general\n120 60"; for (k = 0; k < 7200; k++) print rand() }' >G.mtx
awk 'BEGIN { srand(4); print "%%MatrixMarket matrix array real general\n120 1"; for (k = 0; k < 120; k++) print rand() }' >g.mtx
for power in 2 4; do
  awk -v p=$power 'BEGIN { print "%%MatrixMarket matrix array real general\n120 1"; for (k = 0; k < 120; k++) print 10 ^ (-p + 2 * p * k / 119) }' >w.mtx
  expect 0 lsq G.mtx g.mtx --weights w.mtx --tol 1e-8 --out x.mtx --json
  [ $power = 2 ] || below 0 "$(json gradient_iterations)" || fail 'no gradients are needed'
  expect $((power / 4)) lsq G.mtx g.mtx --weights w.mtx --plain --tol 1e-8 --out y.mtx --json
  equals gradient_iterations 0
  paste <(sed 1,3d x.mtx) <(sed 1,3d y.mtx) | awk '{ d = $1 - $2; worst += d * d; sum += $1 * $1 }
    END { exit !(NR == 60 && worst < 1e-6 * sum) }' || fail 'plain refinement is far from the solution'
done

array W.mtx 2 3 1 2 3 4 5 6 # two observations of three unknowns: the shortest solution
array e.mtx 2 1 1 2
expect 0 lsq W.mtx e.mtx --out x.mtx
prints '2 observations, 3 unknowns, by cholesky: rank 2, converged'
values x.mtx | awk '{ exit !($1 - 5 / 6 < 1e-9 && 5 / 6 - $1 < 1e-9 && $2 - 1 / 3 < 1e-9 && $3 + 1 / 6 < 1e-9) }' ||
  fail "not the shortest solution: $(cat x.mtx)"

refuses 'argument' lsq A.mtx
refuses 'missing.mtx' lsq A.mtx missing.mtx
array c.mtx 3 1 1 2 3
refuses 'c.mtx: 3 numbers on the right-hand side, but A has 4 rows' lsq A.mtx c.mtx --out y.mtx
refuses 'c.mtx: 3 weights, but A has 4 rows' lsq A.mtx b.mtx --weights c.mtx
refuses 'fewer observations than unknowns' lsq W.mtx e.mtx --weights e.mtx --out y.mtx
array N.mtx 4 1 1 nan 3 4
refuses 'N.mtx:4: the value is NaN' lsq A.mtx N.mtx
refuses 'only one of' lsq - -
refuses 'standard output' lsq A.mtx b.mtx --json --out -
refuses 'tol' lsq A.mtx b.mtx --tol 2
refuses 'method' lsq A.mtx b.mtx --method svd
finish
