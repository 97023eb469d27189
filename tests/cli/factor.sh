# texla factor: P A = L U and the echelon form themselves, the report, bad input.
source "$(dirname "$0")/common.sh"

printf '%%%%MatrixMarket matrix array real general\n3 3\n0\n4\n2\n1\n8\n0\n2\n4\n3\n' >A.mtx # 0 1 2; 4 8 4; 2 0 3
expect 0 factor A.mtx --out-l L.mtx --out-u U.mtx --out-p p.mtx
prints 'P A = L U of 3 x 3, partial pivoting: rank 3'
[ "$(grep -v '^%' p.mtx | tr '\n' ' ')" = '3 1 2 3 1 ' ] || fail "wrong order: $(cat p.mtx)"
[ "$(grep -v '^%' L.mtx | tail -n +2 | tr '\n' ' ')" = '1 1 1 2 1 0.5 2 2 1 3 2 -0.25 3 3 1 ' ] || fail "wrong L: $(cat L.mtx)"
[ "$(grep -v '^%' U.mtx | tail -n +2 | tr '\n' ' ')" = '1 1 4 1 2 8 1 3 4 2 2 -4 2 3 1 3 3 2.25 ' ] || fail "wrong U: $(cat U.mtx)"
for pivot in partial complete none block-harm block-geom; do
  texla gen dense 37 5 --out D.mtx
  expect 0 factor D.mtx --pivot "$pivot" --json
  valid_json
  equals rows 37
  equals rank 37
  equals pivot "\"$pivot\""
  [ "$pivot" = none ] || below "$(json backward_error)" 1e-4 || fail "--pivot $pivot: residual $(json backward_error)"
done
while read -r method rows cols; do # the check itself: on several threads, in tiles and groups
  awk -v m="$rows" -v n="$cols" 'BEGIN { print "%%MatrixMarket matrix array real general"; print m, n; srand(1)
    for (k = 0; k < m * n; k++) print rand() - 0.5 }' >W.mtx
  expect 0 factor W.mtx --method "$method" --json
  below "$(json backward_error)" 1e-3 || fail "$method of $rows x $cols: residual $(json backward_error)"
done <<<'plu 41 1001
gauss-jordan 41 1001
plu 1 130'
expect 0 factor D.mtx --pivot complete --out-q q.mtx --quiet
silent out 'factor --quiet'
expect 2 factor A.mtx --pivot none # 0 stands first: no factors, nothing to write
complains 'pivot 1 is zero'

printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n2\n2\n4\n3\n7\n' >B.mtx # 1 2 3; 2 4 7
expect 0 factor B.mtx --method gauss-jordan --out-r R.mtx
prints 'echelon form of 2 x 3, partial pivoting: rank 2'
[ "$(grep -v '^%' R.mtx | tail -n +2 | tr '\n' ' ')" = '1 1 1 1 2 2 2 3 1 ' ] || fail "wrong R: $(cat R.mtx)"
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n4\n' >S.mtx
expect 1 factor S.mtx --json
valid_json
equals rank 1
equals method '"plu"'

printf '%%%%MatrixMarket matrix array real general\n3 3\n4\n2\n-2\n2\n10\n2\n-2\n2\n6\n' >C.mtx # L = 2 0 0; 1 3 0; -1 1 2
texla gen poisson2d 9 --out Q.mtx
for method in cholesky cholesky-packed; do
  expect 0 factor C.mtx --method $method --out-l L.mtx
  prints 'A = L L\^T of 3 x 3'
  [ "$(grep -v '^%' L.mtx | tail -n +2 | tr '\n' ' ')" = '1 1 2 2 1 1 2 2 3 3 1 -1 3 2 1 3 3 2 ' ] || fail "wrong L: $(cat L.mtx)"
  expect 0 factor Q.mtx --method $method --json
  valid_json
  equals method "\"$method\""
  equals rank 81
  below "$(json backward_error)" 1e-6 || fail "$method: residual $(json backward_error)"
  below 0 "$(json rcond)" || fail "rcond $(json rcond)"
  expect 2 factor A.mtx --method $method
  complains 'not symmetric: --method plu'
done
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n1\n' >G.mtx
expect 2 factor G.mtx --method cholesky --out-l L3.mtx
complains 'not positive definite .*column 2'
# Crout: L = 4 0 0; 2 9 0; -2 3 4, U = 1 .5 -.5; 0 1 1/3; 0 0 1, by the iteration and in order
for how in '' '--section 2 --order sequential --sweep entries --tolerance 0' '--precision double'; do
  # shellcheck disable=SC2086
  expect 0 factor C.mtx --method crout $how --out-l L.mtx --out-u U.mtx --out-z Z.mtx
  prints 'A = L U \(Crout\) of 3 x 3'
  [ "$(grep -v '^%' L.mtx | tail -n +2 | tr '\n' ' ')" = '1 1 4 2 1 2 2 2 9 3 1 -2 3 2 3 3 3 4 ' ] || fail "wrong L: $(cat L.mtx)"
  [ "$(grep -v '^%' U.mtx | grep -v '^2 3' | tail -n +2 | tr '\n' ' ')" = '1 1 1 1 2 0.5 1 3 -0.5 2 2 1 3 3 1 ' ] || fail "wrong U: $(cat U.mtx)"
  [ "$(grep -v '^%' Z.mtx | grep -v '^2 3' | tail -n +2 | tr '\n' ' ')" = '1 1 4 1 2 0.5 1 3 -0.5 2 1 2 2 2 9 3 1 -2 3 2 3 3 3 4 ' ] ||
    fail "wrong Z: $(cat Z.mtx)"
done
texla gen spd 70 1 --out Q70.mtx
expect 0 factor Q70.mtx --method crout --json
valid_json
equals sections 1
below "$(json backward_error)" 1e-6 || fail "crout: residual $(json backward_error)"
expect 0 factor Q70.mtx --method crout --precision double --json
valid_json
below "$(json backward_error)" 1e-14 || fail "crout in double: residual $(json backward_error)"
expect 2 factor A.mtx --method crout # 0 stands first
complains 'pivot'
expect 2 factor A.mtx --method crout --precision double
complains 'pivot 1 of 3'
expect 2 factor B.mtx --method crout --out-l L3.mtx
complains 'not square: --method plu'
refuses 'for plu' factor C.mtx --method crout --pivot complete
refuses 'for --method crout' factor C.mtx --out-z L3.mtx
refuses 'tiles are exact' factor C.mtx --method crout --tolerance 0.005
refuses 'in order' factor C.mtx --method crout --precision double --section 2
# semidefinite, in single precision, too, and only in double
printf '%%%%MatrixMarket matrix array real general\n3 3\n6\n3\n3\n3\n3\n0\n3\n0\n3\n' >H.mtx
printf '%%%%MatrixMarket matrix array real general\n3 3\n.6\n.3\n.3\n.3\n.3\n0\n.3\n0\n.3\n' >T.mtx
for matrix in H.mtx T.mtx; do
  for method in cholesky cholesky-packed; do
    expect 2 factor $matrix --method $method
    complains 'not positive definite .*column 3'
  done
done
refuses 'for plu' factor C.mtx --method cholesky --out-u L3.mtx
refuses 'for plu' factor C.mtx --method cholesky --pivot complete

refuses 'argument is missing' factor
refuses 'missing.mtx' factor missing.mtx
refuses '--out-r is for' factor A.mtx --out-r R2.mtx
refuses '--out-l' factor A.mtx --method gauss-jordan --out-l L2.mtx
refuses '--out-q is for' factor A.mtx --out-q q2.mtx
refuses 'standard output' factor A.mtx --json --out-l -
refuses "pivot" factor A.mtx --pivot diagonal
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\nnan\n' >N.mtx
refuses 'N\.mtx:4: the value is NaN' factor N.mtx --out-u U2.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n2 3 1e39\n' >I.mtx
expect 1 factor I.mtx --out-u U.mtx
prints 'rank 2'
grep -q '1e+39$' U.mtx || fail "wrong U: $(cat U.mtx)"
# what single precision does not hold is scaled: [4 1 0; 1 3 1; 0 1 2] times a number; in the short form half of the methods, by turns
methods='plu cholesky crout' others='gauss-jordan cholesky-packed'
! whole || methods="$methods $others" others=$methods
for size in 1e-300 1e-100 1e-44 1e-38 1e38 1e100 1e300; do
  awk -v s=$size 'BEGIN { print "%%MatrixMarket matrix array real general\n3 3"; n = split("4 1 0 1 3 1 0 1 2", a, " ")
    for (i = 1; i <= n; i++) printf "%.17g\n", a[i] * s }' >Y.mtx
  for method in $methods; do
    expect 0 factor Y.mtx --method $method --json
    equals rank 3
    below "$(json backward_error)" 1e-6 || fail "$size, $method: backward error $(json backward_error)"
  done
  turn=$methods methods=$others others=$turn
done
# subnormal doubles, whose inverses are infinite: 4, 1, 3, 2 times 1012 times the smallest number
printf '%%%%MatrixMarket matrix array real general\n3 3\n2e-320\n5e-321\n0\n5e-321\n1.5e-320\n5e-321\n0\n5e-321\n1e-320\n' >Y.mtx
for method in plu gauss-jordan cholesky cholesky-packed; do
  expect 0 factor Y.mtx --method $method --json
  equals rank 3
  below "$(json backward_error)" 1e-3 || fail "subnormal, $method: backward error $(json backward_error)"
done
expect 0 factor Y.mtx --out-u U.mtx
grep -q '^1 1 1\.9999.*e-320$' U.mtx || fail "U of subnormal numbers: $(cat U.mtx)"
printf '%%%%MatrixMarket matrix array real general\n0 3\n' >Z.mtx
refuses 'sizes must be positive' factor Z.mtx --out-u U2.mtx
if [ "$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE)))" -lt 1000000000000 ]; then
  printf '%%%%MatrixMarket matrix coordinate real general\n200000 200000 1\n1 1 1\n' >endless.mtx
  refuses 'this factorization takes about 2236 GiB' factor endless.mtx --out-u U2.mtx
fi
[ ! -e U2.mtx ] || fail 'a refused factorization has written a file'
expect 0 solve S.mtx --solver plu
prints 'plu ended with singular: plu in double on the host'
expect 1 solve G.mtx --solver cholesky
prints 'not_positive_definite|not positive definite'
expect 2 solve A.mtx --solver cholesky
complains 'not symmetric: plu takes it'
expect 0 solve Q.mtx --solver cholesky --refine --json
equals solver '"cholesky"'
below "$(json residual)" 1e-12 || fail "cholesky: residual $(json residual)"
expect 0 solve A.mtx --solver plu --refine --json
valid_json
equals solver '"plu"'
# All files or none: the last one meets a full device.
full=$(full_device)
if [ -n "$full" ]; then
  expect 0 gen dense 9 1 --out A.mtx
  echo old >L.mtx
  expect 2 factor A.mtx --out-l L.mtx --out-p none.mtx --out-u "$full"
  complains "writing .* failed: No space left on device"
  [ "$(cat L.mtx)" = old ] && [ ! -e none.mtx ] || fail "some of the files were written: $(ls)"
fi
finish
