# The interior-point program: known optima, of a small linear program and of a real one.
source "$(dirname "$0")/../cli/common.sh"

printf '%%%%MatrixMarket matrix coordinate real general\n3 7 11\n1 1 2\n1 4 1\n1 5 -1\n2 2 3\n2 4 1\n2 6 -2\n3 3 1\n3 4 1\n3 7 1\n3 1 1\n2 7 1\n' >A.mtx
expect 0 A.mtx
prints '3 constraints, 7 variables'
prints '^optimum .* error [0-9.e-]+$'
expect 0 A.mtx --quiet --tol 1e-6
[ "$(wc -l <"$log/out")" -eq 1 ] || fail '--quiet prints more than the optimum'
expect 2 missing.mtx
complains '^interior-point: .*missing.mtx'
expect 2 A.mtx --tol 2
complains '^interior-point: .*tol'
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n' >tall.mtx
expect 2 tall.mtx --quiet
complains '^interior-point: .*fewer observations than unknowns'
real=${TEXLA_DATA_DIR:-$SOURCE/../shared/data}/matrices/lp_share1b.mtx
if [ -e "$real" ]; then
  expect 0 "$real"
  prints '117 constraints, 253 variables'
  prints '^optimum .* error [0-9.e-]+$'
fi
finish
