# Help in other forms: manual pages, and what shells complete from.
source "$(dirname "$0")/common.sh"
for command in '' solve multiply factor lsq tridiag gen info check bench; do
  # shellcheck disable=SC2086 # no word, or one
  { expect 0 $command --help-as table; cp "$log/out" "$log/table"
    expect 0 $command --help-as man; cp "$log/out" "$log/manual"
    expect 0 $command --help; }
  silent err "texla $command --help"
  [ "$(awk -F '\t' 'NF != 4 || $1 == "" || $2 == ""' "$log/table")" = '' ] || fail "texla $command: a line of the table has not four parts"
  for option in $(awk -F '\t' '/^--/ { print $1 }' "$log/table"); do
    grep -qE -- "^  $option( |\$)" "$log/out" || fail "texla $command: $option is not in the help"
    grep -qF -- "${option//-/\\-}\\fR" "$log/manual" || fail "texla $command: $option is not in the manual page"
  done
  for section in NAME SYNOPSIS DESCRIPTION OPTIONS; do
    grep -qx ".SH $section" "$log/manual" || fail "texla $command: the manual page has no section $section"
  done
  if command -v man >/dev/null && man -l "$log/manual" >"$log/text" 2>"$log/warnings" </dev/null; then
    [ -s "$log/text" ] && ! grep -q warning "$log/warnings" || fail "texla $command: man says $(head -n 3 "$log/warnings")"
  fi
done
refuses 'must be one of text, man, table' solve --help-as paper

# completes WORDS WANTED: for the last one of the words bash offers this, in any order
completes() {
  local words=($1) offered
  [ "${1: -1}" != ' ' ] || words+=('')
  offered=$(PATH=$(dirname "$TEXLA"):$PATH bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _texla; echo "${COMPREPLY[*]}"' \
    "$SOURCE/src/cli/completion.bash" "${words[@]}")
  [ "$(tr ' ' '\n' <<<"$offered" | sort | xargs)" = "$2" ] || fail "after '$1' bash offers '$offered', not '$2'"
}
touch A.mtx
completes 'texla so' 'solve'
completes 'texla t' 'tridiag'
completes 'texla solve ' 'A.mtx'
completes 'texla solve --solv' '--solver'
completes 'texla solve A.mtx --solver c' 'cg cholesky'
completes 'texla solve --solver = c' 'cg cholesky'
completes 'texla solve A.mtx --rhs A' 'A.mtx'
completes "texla solve --tol " ""
completes 'texla bench sp' 'spmv'
completes 'no-such-program x' ''
finish
