# texla solve: reports, files, storages, exit status.
source "$(dirname "$0")/common.sh"
"$TEXLA" gen poisson2d 32 --out A.mtx || fail 'gen'

# From standard input, in JSON.
"$TEXLA" gen poisson2d 32 | texla solve - --json
"$TEXLA" gen poisson2d 32 >"$log/matrix"
expect 0 solve - --json <"$log/matrix"
valid_json
silent err 'solve --json'
for pair in rows=1024 cols=1024 nnz=4992 'solver="cg"' 'precond="none"' 'reason="converged"' max_iterations=10240; do
  equals "${pair%%=*}" "${pair#*=}"
done
for key in storage storage_description iterations restarts residual error seconds_setup seconds_solve device passes \
  readbacks tolerance; do
  [ -n "$(json $key)" ] || fail "no key $key"
done
below "$(json residual)" 1.0000001e-6 || fail 'converged, but the residual is too large'
below "$(json error)" 1e-4 || fail 'the error is too large'

# For a reader; nothing but that, and not even that with --quiet.
expect 0 solve A.mtx
prints '^Solved A\.mtx: 1024 unknowns, 4992 entries, b = A \* ones$'
prints '^  residual +[0-9.e-]+ = '
prints '^  error +[0-9.e-]+ = '
prints '^  storage +[a-z]'
silent err 'solve, piped'
expect 0 solve A.mtx --quiet
silent out 'solve --quiet'
silent err 'solve --quiet'
expect 0 solve A.mtx --verbose
complains 'A\.mtx read, 1024 unknowns'

# Every storage and solver gives the same x.
expect 0 solve A.mtx --storage dense --tol 1e-6 --out reference.mtx
for storage in auto banded points csr slots; do
  expect 0 solve A.mtx --storage $storage --json --out x.mtx
  [ $storage = auto ] || equals storage "\"$storage\""
  paste <(sed 1,3d reference.mtx) <(sed 1,3d x.mtx) |
    awk '{ d = $1 - $2; if (d * d > worst) worst = d * d } END { exit !(NR == 1024 && worst < 1e-8) }' ||
    fail "$storage and dense disagree"
done
expect 0 solve A.mtx --precond jacobi --json
equals precond '"jacobi"'
expect 0 solve A.mtx --solver jacobi --json
equals solver '"jacobi"'
below "$(json error)" 1e-3 || fail 'the error of Jacobi is too large'

# Every other solver, and --refine, on an unsymmetric matrix too.
"$TEXLA" gen banded 400 -20 -1 0 3 40 --out B.mtx || fail 'gen banded'
for solver in bicgstab gmres auto; do
  for matrix in A B; do
    expect 0 solve $matrix.mtx --solver $solver --refine --json
    valid_json
    equals refine true
    equals tolerance 9.9999999999999998e-13
    below "$(json residual)" 1.0000001e-12 || fail "$solver on $matrix: the residual is $(json residual)"
    [ $solver = auto ] || equals solver "\"$solver\""
    [ $solver = auto ] || equals chosen_because null
  done
done
expect 0 solve B.mtx --solver auto --json
equals solver '"gmres"'
[ "$(json chosen_because)" != null ] || fail 'auto does not explain itself'
expect 0 solve A.mtx --solver auto
prints '^  chosen +symmetric with a positive diagonal'
expect 0 solve B.mtx --solver gmres --restart 7 --precond jacobi --json
equals precond '"jacobi"'
rm B.mtx

# Cycles of multigrid in passes alone: W visits coarse grids more often than V; a trace shows all of them.
texla gen poisson2d 128 --out P.mtx
passes=()
for cycle in v w; do
  expect 0 solve P.mtx --solver mg --cycle $cycle --host-levels no --json
  passes[${#passes[@]}]=$(json passes)
done
[ "${passes[1]}" -gt "$((passes[0] * 5 / 4))" ] || fail "a V-cycle's solution takes ${passes[0]} passes, a W-cycle's ${passes[1]}"
expect 0 solve P.mtx --solver mg --cycle w --trace t --json
equals passes "${passes[1]}"
refuses '--host-levels are for' solve A.mtx --host-levels no
rm -r P.mtx t

# A right-hand side: then the error is not known.
sed 's/^% .*/% ones/' reference.mtx >b.mtx
expect 0 solve A.mtx --rhs b.mtx --json --out x.mtx
equals error null
equals rhs '"b.mtx"'
expect 0 solve A.mtx --rhs b.mtx
prints ', b from b\.mtx$'
expect 0 solve A.mtx --rhs - --json <b.mtx
equals rhs '"-"'

# Several right-hand sides, as an array or by coordinates: each as it is alone; zero, ones and a point.
{
  echo '%%MatrixMarket matrix array real general'
  echo 1024 3
  awk 'BEGIN { for (j = 0; j < 3; j++) for (i = 0; i < 1024; i++) print j == 1 || (j == 2 && i == 77) ? 1 : 0 }'
} >B.mtx
{
  echo '%%MatrixMarket matrix coordinate real general'
  echo 1024 3 1025
  awk 'BEGIN { for (i = 1; i <= 1024; i++) print i, 2, 1; print 78, 3, 1 }'
} >C.mtx
{
  echo '%%MatrixMarket matrix array real general'
  echo 1024 1
  awk 'BEGIN { for (i = 0; i < 1024; i++) print 1 }'
} >one.mtx
expect 0 solve A.mtx --rhs one.mtx --tol 1e-8 --json --out alone.mtx
[ "$(grep -c '"reason"' "$log/out")" -eq 2 ] || fail 'not one column in the report'
for rhs in B C; do
  expect 0 solve A.mtx --rhs $rhs.mtx --tol 1e-8 --json --out X.mtx --history h.csv
  valid_json
  [ "$(grep -c '"reason": "converged"' "$log/out")" -eq 4 ] || fail "not three columns and a summary: $(cat "$log/out")"
  below "$(json residual)" 1.0000001e-8 || fail 'several right-hand sides: the residual is too large'
  [ "$(sed -n 3p X.mtx)" = '1024 3' ] || fail "X.mtx has the sizes $(sed -n 3p X.mtx)"
  paste <(sed 1,1027d X.mtx) <(sed 1,3d alone.mtx) |
    awk 'NR <= 1024 { d = $1 - $2; if (d * d > worst) worst = d * d; n++ } END { exit !(n == 1024 && worst < 1e-8) }' ||
    fail "column 2 of $rhs is not what it is alone"
  [ "$(sed -n 4,1027p X.mtx | sort -u)" = 0 ] || fail 'the solution for b = 0 is not 0'
  [ "$(sed -n 1p h.csv)" = 'iteration,residual_1,residual_2,residual_3' ] || fail "h.csv begins with $(sed -n 1p h.csv)"
  awk -F, 'NF != 4 { exit 1 }' h.csv || fail 'h.csv: not four fields in every line'
done
expect 0 solve A.mtx --rhs B.mtx
prints '1024 unknowns, 4992 entries, 3 right-hand sides from B\.mtx$'
prints '^  column 3 +converged, [0-9]+ iterations, residual '
expect 1 solve A.mtx --rhs B.mtx --max-iter 3
prints '^Not converged: A\.mtx \(max_iterations\)'
prints '^  column 1 +converged, 0 iterations, residual 0$'
expect 0 solve A.mtx --rhs B.mtx --solver gmres --refine --json
equals solver '"gmres"'
rm B.mtx C.mtx X.mtx one.mtx alone.mtx h.csv

# The solution and the history.
expect 0 solve A.mtx --json --out x.mtx --history h.csv
valid_json
[ "$(sed -n 1p x.mtx)" = '%%MatrixMarket matrix array real general' ] || fail 'x.mtx has no header'
[ "$(sed -n 3p x.mtx)" = '1024 1' ] || fail "x.mtx has the sizes $(sed -n 3p x.mtx)"
[ "$(sed -n 1p h.csv)" = 'iteration,residual' ] || fail 'h.csv has no header'
[ "$(wc -l <h.csv)" -eq "$(($(json iterations) + 2))" ] || fail "h.csv: $(wc -l <h.csv) lines, $(json iterations) iterations"
awk -F, 'NR > 1 && ($1 != NR - 2 || !($2 > 0)) { exit 1 }' h.csv || fail 'h.csv does not count from 0'
tail -n 1 h.csv | awk -F, '{ exit !($2 < 1e-6) }' || fail 'the history does not end below the tolerance'
expect 0 solve A.mtx --out -
complains '^Solved A\.mtx'
cmp -s "$log/out" x.mtx || fail '--out - differs from a file'
expect 0 solve A.mtx --history - --quiet
cmp -s "$log/out" h.csv || fail '--history - differs from a file'
[ "$(ls | sort | tr '\n' ' ')" = 'A.mtx b.mtx h.csv reference.mtx x.mtx ' ] || fail "more files: $(ls)"

# Not converged: status 1, and the results are there.
expect 1 solve A.mtx --max-iter 5 --json --out five.mtx --history five.csv
equals reason '"max_iterations"'
equals iterations 5
[ "$(wc -l <five.csv)" -eq 7 ] && [ "$(wc -l <five.mtx)" -eq 1027 ] || fail 'no results of a run that did not converge'
expect 1 solve A.mtx --max-iter 5
prints '^Not converged: A\.mtx \(max_iterations\)'
prints '^  reason '
expect 0 solve A.mtx --tol 1e-18 --json # no x in double meets it, and none is better
equals reason '"exact"'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n' >indefinite.mtx
expect 1 solve indefinite.mtx --json --rhs <(printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n-1\n')
equals reason '"not_positive_definite"'

# An input is never replaced, whatever its name is then.
ln -s A.mtx link.mtx
refuses 'would replace the input A\.mtx' solve A.mtx --out A.mtx
refuses 'would replace the input A\.mtx' solve A.mtx --out ./A.mtx
refuses 'would replace the input A\.mtx' solve A.mtx --history link.mtx
refuses 'would replace the input b\.mtx' solve A.mtx --rhs b.mtx --out b.mtx
rm link.mtx

# A singular matrix is not converged, whatever the method; the results are there.
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 1\n2 2 1\n' >singular.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n2\n' >two.mtx
for solver in cg bicgstab gmres auto plu cholesky; do
  expect 1 solve singular.mtx --rhs two.mtx --solver $solver --json --out singular_x.mtx
  [ -s singular_x.mtx ] || fail "$solver: no x of a singular system"
  rm -f singular_x.mtx
done
rm singular.mtx two.mtx

# Preconditioners and the near null space.
for precond in jacobi chebyshev amg ilu0 ic0; do
  expect 0 solve A.mtx --precond $precond --json
  equals precond "\"$precond\""
done
cp reference.mtx near.mtx
expect 0 solve A.mtx --precond amg --near-null-space near.mtx --json
refuses 'only|is for' solve A.mtx --precond jacobi --near-null-space near.mtx
sed -i '3s/.*/512 2/' near.mtx
refuses 'near.mtx is 512 x 2: it must have 1024 rows' solve A.mtx --precond amg --near-null-space near.mtx
rm near.mtx

# Small and special systems.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 4\n' >one.mtx
expect 0 solve one.mtx --json
equals error 0
printf '%%%%MatrixMarket matrix array real general\n16 1\n%s' "$(printf '0\n%.0s' {1..16})" >zero.mtx
"$TEXLA" gen poisson2d 4 --out four.mtx
expect 0 solve four.mtx --rhs zero.mtx --json --out x.mtx
equals iterations 0
equals residual 0

# The progress line: on a terminal only.
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  script -qec "'$TEXLA' solve A.mtx" /dev/null </dev/null >"$log/out" 2>&1
  prints $'\riteration [0-9]+ +residual [0-9.e-]+'
  script -qec "'$TEXLA' solve A.mtx --quiet" /dev/null </dev/null >"$log/out" 2>&1
  silent out 'solve --quiet on a terminal'
fi
# incomplete factorizations: fewer iterations than the diagonal alone, and more with a single step for the triangles
expect 0 gen poisson2d 40 --out grid.mtx
expect 0 solve grid.mtx --precond jacobi --json
plain=$(json iterations)
expect 0 solve grid.mtx --precond ic0 --json
few=$(json iterations)
expect 0 solve grid.mtx --precond ic0 --sweeps 1 --json
more=$(json iterations)
[ "$few" -lt $((plain * 3 / 4)) ] || fail "ic0 takes $few iterations, jacobi $plain"
[ "$more" -gt "$few" ] || fail "ic0 with 1 sweep takes $more iterations, with 4 $few"
expect 0 solve grid.mtx --solver bicgstab --precond ilu0 --json
below "$(json residual)" 1e-6 || fail "ilu0 left $(json residual)"
refuses '--sweeps is for' solve grid.mtx --precond jacobi --sweeps 3
finish
