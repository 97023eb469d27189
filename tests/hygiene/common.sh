# Sourced by the hygiene tests. SOURCE and BINARY are the folders; failures are collected, so that one run names all.
# No `grep -q` behind a pipe here: it stops reading early, and pipefail then takes the writer's SIGPIPE for a failure.
set -euo pipefail
export LC_ALL=C
failures=0

# check "what is wrong" "offenders, one per line": a failure unless there are none
check() {
  [ -n "$2" ] || return 0
  failures=$((failures + 1))
  printf '%s:\n%s\n' "$1" "$2" | sed '2,$s/^/  /'
  [ -z "${TEXLA_TEST_FIRST:-}" ] || exit 1 # the first failure is enough
}

# complaints COMMAND...: what it prints, and its status if that is not 0. For `check`: a tool that fails without a message is a failure.
complaints() {
  "$@" 2>&1 || echo "$1 returns $?"
}

# refuses COMMAND...: a failure if the compiler accepts a program that is wrong. Then its silence means nothing.
refuses() {
  ! "$@" <<<'int main(void) { return undeclared; }' >/dev/null 2>&1 || check "accepts a wrong program" "$1"
}

skip() {
  echo "skipped: $1"
  exit 77
}

finish() {
  [ "$failures" -eq 0 ] && exit 0
  echo "$failures check(s) failed"
  exit 1
}

# strip_comments FILE...: their text without comments and string literals, line numbers kept
# strip_comments_of_each FILE...: the same, each line behind "FILE:NUMBER:"
strip_comments() { strip '' "$@"; }
strip_comments_of_each() { strip yes "$@"; }
strip() {
  awk -v named="$1" '{
    if (FNR == 1) inside = 0
    line = named ? FILENAME ":" FNR ":" : ""
    while (length($0)) {
      if (inside) {
        if (!(end = index($0, "*/"))) break
        $0 = substr($0, end + 2); inside = 0
      } else if (match($0, /\/\*|\/\/|"([^"\\]|\\.)*"|'"'"'([^'"'"'\\]|\\.)*'"'"'/)) {
        token = substr($0, RSTART, 2)
        line = line substr($0, 1, RSTART - 1) (substr(token, 1, 1) == "/" ? " " : "\"\"")
        if (token == "//") break
        inside = token == "/*"
        $0 = substr($0, RSTART + (inside ? 2 : RLENGTH))
      } else { line = line $0; break }
    }
    print line
  }' "${@:2}"
}
