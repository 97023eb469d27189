# texla-mpi cg as a user runs it: grids, files, checkpoints on another number of ranks.
source "$(dirname "$0")/common.sh"

iterations() {
  sed -n 's/.*"iterations": \([0-9]*\).*/\1/p' "$log/out"
}

ranks 1 cg 60x50 --json
one=$(iterations)
ranks 4 cg 60x50 --json --out x.mtx
[ "$status" -eq 0 ] || fail "cg returned $status"
prints '"reason": "converged"'
[ "$(iterations)" = "$one" ] || fail "cg takes $(iterations) iterations on 4 ranks, but $one on one"
grep -q '^3000 1$' x.mtx || fail "no solution was written"

# 4 ranks stop in the midst; 4 go on as if nothing had happened, 3 within rounding
ranks 4 cg 60x50 --max-iter 40 --checkpoint run.x --every 10
[ "$status" -eq 1 ] || fail "cg --max-iter 40 returned $status"
ranks 4 cg 60x50 --restart run.x --json --out same.mtx
[ "$(iterations)" = "$one" ] || fail "cg takes $(iterations) iterations with a checkpoint, $one without"
cmp -s x.mtx same.mtx || fail "4 ranks do not go on exactly from their checkpoint"
ranks 3 cg 60x50 --restart run.x --json --out y.mtx
[ "$status" -eq 0 ] || fail "cg --restart returned $status"
difference=$(($(iterations) - one))
[ "${difference#-}" -le 2 ] || fail "cg takes $(iterations) iterations with a checkpoint of 4 ranks on 3, $one without"
paste <(tail -n +4 x.mtx) <(tail -n +4 y.mtx) | awk '{ d = $1 - $2; e = (d < 0 ? -d : d); if (e > 1e-3) bad++ } END { exit bad > 0 }' ||
  fail "the solution from a checkpoint is another one"
ranks 2 cg 60x51 --restart run.x
[ "$status" -eq 2 ] || fail "a checkpoint of another grid: $status"
complains 'vectors of 3000 elements'
ranks 2 cg 60x50 --precond jacobi --restart run.x
[ "$status" -eq 2 ] || fail "a checkpoint of another preconditioner: $status"
complains 'preconditioner none, not of cg with jacobi'
ranks 2 cg 60x50 --restart x.mtx
complains 'is no vector that'
ranks 2 cg 60x50 --checkpoint no/such/folder/run.x --every 1
[ "$status" -eq 2 ] || fail "a checkpoint that cannot be written: $status"

# to double accuracy, by refinement over all ranks
ranks 3 cg 60x50 --tol 1e-10 --precond mg --json --out z.mtx
[ "$status" -eq 0 ] || fail "cg --tol 1e-10 returned $status"
prints '"residual": [0-9.]*e-1[0-9]'
prints '"rounds": [1-9]'
ranks 1 cg 60x50 --refine --json --out one.mtx
paste <(tail -n +4 one.mtx) <(tail -n +4 z.mtx) | awk '{ d = $1 - $2; e = (d < 0 ? -d : d); if (e > 1e-6) bad++ } END { exit bad > 0 || NR < 2999 }' ||
  fail "three ranks do not find the solution of one in double"

# checkpoints of refinement hold x in double; the solution is the same after a restart, on any number of ranks
ranks 4 cg 60x50 --refine --max-iter 150 --checkpoint double.x --every 20
[ "$status" -eq 1 ] || fail "cg --refine --max-iter 150 returned $status"
ranks 3 cg 60x50 --refine --restart double.x --precond mg --json --out again.mtx
[ "$status" -eq 0 ] || fail "cg --refine --restart returned $status"
[ "$(iterations)" -gt 120 ] || fail "the iterations before the restart are not counted: $(iterations)"
paste <(tail -n +4 one.mtx) <(tail -n +4 again.mtx) | awk '{ d = $1 - $2; e = (d < 0 ? -d : d); if (e > 1e-6) bad++ } END { exit bad > 0 || NR < 2999 }' ||
  fail "a restart finds another solution"
ranks 2 cg 60x50 --refine --restart run.x --json
[ "$status" -eq 0 ] || fail "refinement does not go on from a checkpoint in single precision: $status"
ranks 2 cg 60x50 --restart double.x
[ "$status" -eq 2 ] || fail "a checkpoint of refinement without --refine: $status"
complains 'is a checkpoint of refine'
ranks 3 cg 60x50 --refine --precond mg --save saved.x
[ "$status" -eq 0 ] || fail "cg --save returned $status"
ranks 2 cg 60x50 --refine --restart saved.x
prints 'after 0 rounds'
ranks 2 cg 60x51 --refine --restart double.x
[ "$status" -eq 2 ] || fail "a checkpoint of refinement of another grid: $status"
complains '3000 elements'

# files: residuals are the true ones; b = A * ones, or another one
"$TEXLA" gen poisson2d 30 --out p.mtx || fail "no matrix"
ranks 3 cg p.mtx --precond amg --json --out ones.mtx
[ "$status" -eq 0 ] || fail "cg p.mtx returned $status"
prints '"rounds": 1'
tail -n +4 ones.mtx | awk '{ if ($1 < 0.999 || $1 > 1.001) bad++ } END { exit bad > 0 || NR < 899 }' || fail "A x = A 1, but x is not 1"
ranks 2 cg p.mtx --rhs ones.mtx --tol 1e-9
[ "$status" -eq 0 ] || fail "cg --rhs returned $status"
# "converged" is the true residual, and --quiet prints nothing
ranks 2 cg 200 --tol 1e-6 --json
[ "$status" -eq 0 ] || fail "cg 200 --tol 1e-6 returned $status"
prints '"reason": "converged"'
sed -n 's/.*"residual": \([0-9.e+-]*\).*/\1/p' "$log/out" | awk '{ exit !($1 <= 1e-6) }' || fail "converged with another true residual than 1e-6"
ranks 2 cg 60x50 --quiet
[ "$status" -eq 0 ] && [ ! -s "$log/out" ] || fail "cg --quiet prints: $(cat "$log/out")"

# what is not symmetric is refused, also where it is by one entry alone
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 2\n2 2 2\n3 3 2\n1 2 -1\n2 1 -1.000001\n' >unsymmetric.mtx
for precond in none amg; do
  ranks 2 cg unsymmetric.mtx --precond $precond
  [ "$status" -eq 2 ] || fail "an unsymmetric matrix with $precond: $status"
  complains 'A is not symmetric, but conjugate gradients need'
done
ranks 2 cg 31x31 --rhs ones.mtx
[ "$status" -eq 2 ] || fail "a right-hand side of another length: $status"
complains 'is 900 x 1, but the matrix has 961 rows'
finish
