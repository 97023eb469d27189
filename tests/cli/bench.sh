# texla bench: the report's form. Speed is not tested. The short form runs one suite and the files of others, and sees what is refused.
source "$(dirname "$0")/common.sh"

expect 0 bench vector --quick --runs 1
for word in '^vector ' '^limit: fill ' '^axpy '; do
  prints "$word"
done
silent err 'bench'
refuses "unknown suite 'vectr'; did you mean 'vector'" bench vectr
refuses "unknown suite 'nonsense'" bench nonsense
refuses '--runs must be' bench vector --runs 0
refuses 'files are for one suite' bench vector a.mtx
refuses 'files are for one suite' bench a.mtx

# Files: what cannot be measured is left out with a reason, the other files stay.
expect 0 gen spd 40 1 --condition 50 --out spd.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n' >swap.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 2 1\n' >wide.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n90000 90000 1\n1 1 1\n' >large.mtx
printf 'no matrix\n' >broken.mtx
expect 0 bench crout --quick --runs 1 broken.mtx large.mtx spd.mtx swap.mtx wide.mtx
prints '^iteration, tiles +40 .* in_order '
for word in 'left out: .*broken.mtx:1: not a Matrix Market file' '90000 rows, more than' '2 x 3, not square' 'iteration, tiles is left out: .*pivot 1 of 2'; do
  complains "$word"
done
expect 0 bench precond --quick --runs 1 --json spd.mtx swap.mtx
for word in '"file": "spd.mtx"' '"name": "cg, ic0"' '"file": "swap.mtx"' '"name": "bicgstab, none"'; do
  prints "$word"
done
complains 'bicgstab, jacobi is left out: .*diagonal of A is zero'
[ "${TEXLA_TEST_LEVEL:-}" = long ] || finish

# positive KEY: every object has it, a finite number above 0
positive() {
  awk -v key="\"$1\":" '$1 == key { n++; sub(/,$/, "", $2); if ($2 !~ /^[0-9.eE+-]+$/ || $2 + 0 <= 0) bad = 1 }
    END { exit bad || n != '"$rows"' }' "$log/out" || fail "$1 is missing, or not a positive number, in some row"
}

# text KEY: every object has it, a string that is not empty
text() {
  [ "$(grep -cE "^ *\"$1\": \"[^\"]+\",?\$" "$log/out")" -eq "$rows" ] || fail "$1 is missing or empty in some row"
}

expect 0 bench vector --quick --json
silent err 'bench --json'
[ "$(head -c 1 "$log/out")$(tail -n 1 "$log/out")" = '[]' ] || fail 'no JSON list'
if command -v python3 >/dev/null && python3 -c '' 2>/dev/null; then
  python3 -m json.tool <"$log/out" >/dev/null 2>"$log/json" || fail "invalid JSON: $(cat "$log/json")"
fi
rows=$(grep -c '^  {' "$log/out")
[ "$rows" -ge 19 ] || fail "only $rows rows"
for name in fill copy scale axpy "z = y + a x" add mul div sum dot norm min absmax argmax upload download; do
  grep -q "^    \"name\": \"$name\"" "$log/out" || fail "no row $name"
done
for key in suite name size device unit; do
  text $key
done
for key in runs seconds_min seconds_median rate; do
  positive $key
done
[ "$(grep -c '^    "limit": {' "$log/out")" -eq "$rows" ] || fail 'a row has no limit'

# Every suite, each row with a small error; residuals to which solvers iterate, reductions of a cycle and first solutions are larger.
expect 0 bench --quick --runs 1 --json spmv dense wave tridiag crout triangles precision files
sed -nE 's/^ *"check": (.*)/\1/p' "$log/out" | tr -d , >"$log/checks"
[ "$(wc -l <"$log/checks")" -ge 25 ] || fail 'check is missing in some row'
awk '$1 !~ /^[0-9.eE+-]+$/ || $1 > 0.02 { exit 1 }' "$log/checks" || fail 'a result is wrong'
expect 0 bench multigrid precond --quick --runs 1
prints '^mg, kept, 1e-10 '
prints '^transfer: bilinear filter '
prints '^cg, amg: far values '

# The passes of an iteration come last; a vector of 4096 elements needs one level of sums before the last one.
expect 0 bench solve --quick --runs 1 --size 64
rows=$(sed -n 's/^pass: \(.*[a-z]\)  *4096 .*/\1/p' "$log/out" | tr '\n' ';')
[ "$rows" = "product;sums;history;x, r and p;" ] || fail "the passes of an iteration are '$rows'"
expect 0 bench water --quick --runs 1 --size 32
for word in '^adi, conserving ' '^five, mg ' '^adi: solve ' '^five, mg: prediction '; do
  prints "$word"
done
finish
