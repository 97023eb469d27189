# texla multiply: the product itself, its report, bad input.
source "$(dirname "$0")/common.sh"

printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n' >A.mtx # 1 2 3; 4 5 6
printf '%%%%MatrixMarket matrix coordinate real general\n3 2 4\n1 1 1\n2 2 -1\n3 1 2\n3 2 0.5\n' >B.mtx
expect 0 multiply A.mtx B.mtx --out C.mtx
prints 'C = A B: 2 x 2, inner dimension 3'
[ "$(grep -v '^%' C.mtx)" = "$(printf '2 2 4\n1 1 7\n1 2 -0.5\n2 1 16\n2 2 -2')" ] || fail "wrong product: $(cat C.mtx)"
expect 0 multiply A.mtx B.mtx --json
valid_json
equals rows 2
equals cols 2
equals inner 3
equals residual 0 # small integers and halves are exact
for passes in 1 2 3 9; do # slices of the inner dimension; at most as many as it has
  expect 0 multiply A.mtx B.mtx --passes $passes --out S.mtx
  [ "$(grep -v '^%' S.mtx)" = "$(grep -v '^%' C.mtx)" ] || fail "wrong product in $passes passes: $(cat S.mtx)"
done
texla gen dense 41 3 --out D.mtx
expect 0 multiply D.mtx D.mtx --passes 7 --json
equals passes 7
below "$(json residual)" 1e-6 || fail "7 passes: residual $(json residual)"
refuses 'passes' multiply A.mtx B.mtx --passes 0
expect 0 multiply A.mtx B.mtx --out - --quiet
prints '^2 1 16$'
silent err 'multiply --quiet'

refuses 'A.mtx is 2 x 3 and A.mtx is 2 x 3' multiply A.mtx A.mtx --out D.mtx
refuses 'argument is missing' multiply A.mtx
refuses 'only one matrix' multiply - -
refuses 'both write to standard output' multiply A.mtx B.mtx --json --out -
refuses 'missing.mtx' multiply A.mtx missing.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n1e39\n2\n' >large.mtx
refuses '\(2, 1\) is 1e\+39' multiply A.mtx large.mtx
finish
