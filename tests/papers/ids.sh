# docs/documents.md: every id of the five documents has a command, and each command does what it says: it ends with 0, and a residual that
# it reports is small.
set -uo pipefail
skip() {
  echo "skipped: $1"
  exit 77
}
[ -x "$BINARY/papers/cejka" ] && [ -x "$BINARY/lessons/06_points" ] || skip "the programs of lessons and papers are not built"
export PATH=$BINARY/bin:$BINARY/lessons:$BINARY/papers:$PATH TOOLBOX=$BINARY/octave
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
page=$SOURCE/docs/documents.md failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

wanted=$(printf '%s\n' K{1..13} B{1..11} J{1..4} C{1..4})
[ "$(sed -n 's/^| \([KBJC][0-9]*\) |.*/\1/p' "$page")" = "$wanted" ] || fail "docs/documents.md does not list each id once, in order"
sed -n 's/^    //p' "$page" >prepare.sh
[ -s prepare.sh ] && bash -e prepare.sh || fail "the matrices of docs/documents.md are not made"

# small COMMAND ID: of JSON on standard output a residual below 1e-5 relative to what it belongs to
small() {
  local value
  value=$(sed -nE 's/^ *"(residual|backward_error|error_estimate)": ([^,]*),?$/\2/p' out | head -n 1)
  awk -v x="$value" 'BEGIN { exit !(x != "" && x != "null" && x + 0 <= 1e-5) }' || fail "$1: $2: residual '$value'"
}

run=0
while IFS= read -r line; do
  id=$(cut -d '|' -f 2 <<<"$line" | tr -d ' ')
  command=$(sed 's/^[^`]*`//; s/` |$//' <<<"$line")
  case $id in
  B7) [ -f "$TOOLBOX/texla_mex.mex" ] || continue ;;
  B10) command -v mpirun >/dev/null && [ -x "$BINARY/bin/texla-mpi" ] || continue ;;
  esac
  run=$((run + 1))
  timeout 300 bash -c "$command" >out 2>err </dev/null || fail "$id: $command returned $?: $(tail -n 3 err)"
  [[ $command != *--json* ]] || small "$id" "$command"
done < <(grep -E '^\| [KBJC][0-9]+ \|' "$page")
[ "$run" -ge 30 ] || fail "only $run of 32 commands were run"
[ "$failures" -eq 0 ]
