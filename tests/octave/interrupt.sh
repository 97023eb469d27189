# Ctrl-C in an Octave that waits for a worker that is held: each kind of wait ends, and the session goes on.
set -euo pipefail
work=$(mktemp -d)
octave=
trap '[ -z "$octave" ] || kill -9 "$octave" 2>/dev/null || true; rm -rf "$work"' EXIT
mkfifo "$work/in"
"$OCTAVE" --norc --no-gui --quiet --interactive --line-editing <"$work/in" >"$work/log" 2>&1 &
octave=$!
exec 3>"$work/in"

# say COMMANDS: to Octave. seen TEXT: waits until it has printed that.
say() { echo "$1" >&3; }
seen() {
  for _ in $(seq 600); do
    ! grep -qx "$1" "$work/log" || return 0
    kill -0 "$octave" 2>/dev/null || break
    sleep 0.1
  done
  cat "$work/log"
  echo "Octave has not said $1"
  exit 1
}

say "addpath ('$TOOLBOX'); PS1 (''); A = gpuMatrix (magic (4)); B = A; k = 0;"
number=0
for wait in 'double (B)' 'wait (B)' 'disp (B)' 'gpudrain ()' 'for k = 1:2000, B = B + 1; end'; do
  number=$((number + 1))
  say "gpuhold (true); B = A * A; printf ('waiting %d\\n', $number), $wait; printf ('not interrupted %d\\n', $number)"
  seen "waiting $number"
  sleep 0.5
  kill -INT "$octave"
  say "gpuhold (false); printf ('usable %d %g\\n', $number, sum (sum (double (A * A))))"
  seen "usable $number 4624"
done
say "C = A + 1; printf ('the sum is %g\\n', sum (sum (double (C)))); exit"
seen 'the sum is 152'
exec 3>&-
status=0
wait "$octave" || status=$?
octave=
cat "$work/log"
if grep -q '^not interrupted [0-9]' "$work/log" || [ "$status" -ne 0 ]; then
  echo "not interrupted, or a bad end: $status"
  exit 1
fi
echo "all is well"
