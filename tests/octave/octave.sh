# octave.sh NAME: runs tests/octave/NAME.m, or NAME.sh, with the toolbox that the build made.
set -euo pipefail
if [ ! -x "$OCTAVE" ] || [ ! -f "$TOOLBOX/texla_mex.mex" ]; then
  echo "skipped: the toolbox is not built (packages octave and octave-dev)"
  exit 77
fi
here=$(dirname "$0")
[ ! -f "$here/$1.sh" ] || exec bash "$here/$1.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$OCTAVE" --norc --no-gui --quiet --eval "addpath ('$TOOLBOX', '$here'); source ('$here/$1.m'); disp ('all is well')" >"$log" 2>&1 || true
cat "$log"
grep -qx 'all is well' "$log"
