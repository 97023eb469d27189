# texla gen: every kind, its sizes, reproducibility, bad parameters. What the entries are is tested in tests/io.
source "$(dirname "$0")/common.sh"

# sizes "ROWS COLS ENTRIES": what the line with the sizes says
sizes() {
  [ "$(grep -v '^%' "$log/out" | head -n 1)" = "$1" ] || fail "sizes: $(grep -v '^%' "$log/out" | head -n 1), not $1"
}

expect 0 gen poisson2d 5
sizes '25 25 65' # the lower triangle: 25 + 2 * 20
prints '^%%MatrixMarket matrix coordinate real symmetric$'
prints '^% texla gen poisson2d 5$'
prints '^2 1 -1$'
silent err 'gen'
expect 0 gen poisson2d --grid 7x3
sizes '21 21 53' # 21 + 6*3 + 7*2
prints '^8 1 -1$' # seven columns: the row above begins at 8
expect 0 gen anisotropic 5 0.125
sizes '25 25 65'
prints '^2 1 -0.125$'
prints '^1 1 2.25$'
expect 0 gen anisotropic 0.125 --grid 7x3
sizes '21 21 53'
prints '^% texla gen anisotropic 0.125 --grid 7x3$'
expect 0 gen fem-plate 4
sizes '16 16 58' # 16 + (100 - 16) / 2
expect 0 gen dense 6 7
sizes '6 6 36'
cp "$log/out" "$log/seven"
expect 0 gen dense 6 7
cmp -s "$log/out" "$log/seven" || fail 'dense is not reproducible'
expect 0 gen dense 6 8
! cmp -s <(grep -v '^%' "$log/out") <(grep -v '^%' "$log/seven") || fail 'dense ignores its seed'
expect 0 gen banded 6 -2 0 3
sizes '6 6 13' # 4 + 6 + 3
cp "$log/out" "$log/one"
expect 0 gen banded 6 -2 0 3 --seed 1
cmp -s <(grep -v '^%' "$log/out") <(grep -v '^%' "$log/one") || fail 'the default seed is not 1'
expect 0 gen banded 6 -2 0 3 --seed 2
! cmp -s <(grep -v '^%' "$log/out") <(grep -v '^%' "$log/one") || fail 'banded ignores --seed'
expect 0 gen poisson2d 4 --out A.mtx
silent out 'gen --out'
"$TEXLA" gen poisson2d 4 | cmp -s - A.mtx || fail '--out and standard output differ'
cp A.mtx before

refuses 'an argument is missing: texla gen KIND' gen
refuses "unknown kind 'poisson'; did you mean 'poisson2d'" gen poisson 4
refuses "unknown kind 'hilbert': use poisson2d, " gen hilbert 4
refuses 'a parameter is missing: poisson2d N$' gen poisson2d
refuses 'a parameter is missing: anisotropic N EPS$' gen anisotropic 4
refuses 'a parameter is missing: dense N SEED$' gen dense 4
refuses 'a parameter is missing: banded N OFFSETS' gen banded 4
refuses 'a parameter is missing: anisotropic EPS --grid NxM$' gen anisotropic --grid 4x4
refuses "unexpected parameter '5' of poisson2d" gen poisson2d 4 5
refuses "unexpected parameter '4' of poisson2d" gen poisson2d 4 --grid 4x4
refuses '--grid is for poisson2d and anisotropic, not for dense' gen dense 4 1 --grid 4x4
refuses '--seed is for banded, not for poisson2d' gen poisson2d 4 --seed 1
for n in 0 -1 4.5 four 2147483648 99999999999999999999 4x4; do
  refuses "N must be an integer from 1 to 2147483647, not '$n'" gen poisson2d "$n"
done
refuses 'more than 2147483647' gen poisson2d 46341
refuses 'more than 2147483647' gen poisson2d --grid 2147483647x2
refuses 'this matrix takes about [0-9]+ GiB' gen dense 2147483647 1
for eps in 0 -1 nan inf 1e400 x; do
  refuses 'EPS must be a' gen anisotropic 4 "$eps"
done
refuses 'SEED must be an integer of at least 0' gen dense 4 x
refuses 'an offset must be an integer' gen banded 4 0 1.5
refuses 'offset 4 is outside' gen banded 4 0 4
refuses 'offset 0 occurs twice' gen banded 4 0 1 0
refuses 'cannot write .*: No such file or directory' gen poisson2d 4 --out none/A.mtx
refuses 'cannot write .*: Is a directory' gen poisson2d 4 --out .
refuses 'offset 9 is outside' gen banded 4 9 --out A.mtx
cmp -s A.mtx before || fail 'a failed run touched its output'
if full=$(full_device); then
  "$TEXLA" gen poisson2d 4 >"$full" 2>"$log/err" && fail 'a full standard output went unnoticed'
  complains 'writing standard output failed: No space left'
fi
finish
