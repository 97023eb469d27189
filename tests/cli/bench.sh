# texla bench: the report's form. Speed is not tested. The short form sees a suite run, and what is refused.
source "$(dirname "$0")/common.sh"

# positive KEY: every object has it, a finite number above 0
positive() {
  awk -v key="\"$1\":" '$1 == key { n++; sub(/,$/, "", $2); if ($2 !~ /^[0-9.eE+-]+$/ || $2 + 0 <= 0) bad = 1 }
    END { exit bad || n != '"$rows"' }' "$log/out" || fail "$1 is missing, or not a positive number, in some row"
}

# text KEY: every object has it, a string that is not empty
text() {
  [ "$(grep -cE "^ *\"$1\": \"[^\"]+\",?\$" "$log/out")" -eq "$rows" ] || fail "$1 is missing or empty in some row"
}

expect 0 bench vector --quick --runs 1
for word in '^vector ' '^limit: fill ' '^axpy ' 'cpu_openmp'; do
  prints "$word"
done
silent err 'bench'
refuses "unknown suite 'vectr'; did you mean 'vector'" bench vectr
refuses '--runs must be' bench vector --runs 0
[ "${TEXLA_TEST_LEVEL:-}" = long ] || finish

expect 0 bench vector --quick --json
silent err 'bench --json'
[ "$(head -c 1 "$log/out")$(tail -n 1 "$log/out")" = '[]' ] || fail 'no JSON list'
if command -v python3 >/dev/null && python3 -c '' 2>/dev/null; then
  python3 -m json.tool <"$log/out" >/dev/null 2>"$log/json" || fail "invalid JSON: $(cat "$log/json")"
fi
rows=$(grep -c '^  {' "$log/out")
[ "$rows" -ge 15 ] || fail "only $rows rows"
for name in fill copy scale axpy "z = y + a x" add mul div sum dot norm min absmax argmax upload download; do
  grep -q "^    \"name\": \"$name\"" "$log/out" || fail "no row $name"
done
for key in suite name size precision device unit peer; do
  text $key
done
for key in runs seconds_min seconds_median rate ratio ratio_min peer_threads cpu_openmp; do
  positive $key
done
grep -q '^    "limit": {' "$log/out" || fail 'no limit'

# single precision, and the same for the loops that texla is held against
sed -nE 's/^ *"(peer_)?check": (.*)/\2/p' "$log/out" | tr -d , >"$log/checks"
[ "$(wc -l <"$log/checks")" -eq $((2 * rows)) ] || fail 'check or peer_check is missing in some row'
awk '$1 !~ /^[0-9.eE+-]+$/ || $1 > 1e-6 { exit 1 }' "$log/checks" || fail 'a result is wrong'

# The passes of an iteration come last; a vector of 4096 elements needs one level of sums before the last one.
expect 0 bench solve --quick --runs 1 --size 64
rows=$(sed -n 's/^pass: \(.*[a-z]\)  *4096 .*/\1/p' "$log/out" | tr '\n' ';')
[ "$rows" = "product;sums;history;x, r and p;" ] || fail "the passes of an iteration are '$rows'"
expect 0 bench water --quick --runs 1 --size 32
for word in '^adi, conserving ' '^five, mg ' '^adi: solve ' '^five, mg: prediction '; do
  prints "$word"
done
finish
