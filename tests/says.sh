# says.sh WORDS COMMAND...: runs it; a failure as well unless it prints a line with these words. For launchers: what they run may never have begun.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
words=$1
shift
"$@" >"$log" 2>&1
status=$?
cat "$log"
[ "$status" -eq 0 ] || exit "$status"
grep -qF -- "$words" "$log" || { echo "it does not say: $words"; exit 1; }
