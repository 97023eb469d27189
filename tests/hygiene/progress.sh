# tests/run.sh prints the line of a room while the next room still runs, with the awk of this system.
source "$(dirname "$0")/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In place of ctest: the second room waits for the first one's line.
cat >"$work/ctest" <<'END'
#!/usr/bin/env bash
if [ "$1" = -N ]; then
  printf '  Test #1: early/test\n  Test #2: late/test\n'
  exit
fi
echo '1/2 Test #1: early/test ......   Passed    0.10 sec'
for ((k = 0; k < 100; k++)); do
  grep -q '^early .*1 passed' "$LINES_OF_RUN" && break
  sleep 0.1
done
[ "$k" -lt 100 ] && passes=Passed || passes='***Failed'
echo "2/2 Test #2: late/test .......   $passes    0.10 sec"
END
chmod +x "$work/ctest"
: >"$work/lines"
LINES_OF_RUN=$work/lines PATH=$work:$PATH "$SOURCE/tests/run.sh" "$work" >"$work/lines" 2>&1 || true
grep -q '^late .*1 passed' "$work/lines" ||
  check "the first room has no line while the second one runs" "$(cat "$work/lines")"
finish
