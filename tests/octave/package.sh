# The package: pkg install in a folder of its own, with a texla that was installed before; help texts, index, a computation.
set -euo pipefail
work=$(mktemp -d)
cd "$work"
trap 'rm -rf "$work"' EXIT
"$CMAKE" --install "$BINARY" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$CMAKE" --build "$BINARY" --target octave_package >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
PKG_CONFIG_PATH=$(find "$work/prefix" -name texla.pc -printf '%h')
export PKG_CONFIG_PATH
"$OCTAVE" --norc --no-gui --quiet --eval "pkg ('prefix', '$work/p', '$work/p'); pkg ('local_list', '$work/list'); pkg ('global_list', '$work/global');
pkg ('install', '-verbose', '$BINARY/texla-$VERSION.tar.gz'); disp ('installed'); pkg ('load', 'texla');
assert (double (gpuMatrix ([1 2; 3 4]) * [1; 1]), [3; 7]);
assert (! isempty (strfind (get_help_text ('gpuMatrix'), 'matrix on the graphics card')));
d = pkg ('describe', 'texla'); assert (d{1}.version, '$VERSION');
pkg ('test', 'texla');
for name = {'tridiag', 'texla_mg', '@gpuMatrix/gpuMatrix'}, demo (name{1}, 1); end
disp ('all is well')" >"$work/log" 2>&1 || true
cat "$work/log"
grep -qx 'all is well' "$work/log"
if sed '/^installed$/q' "$work/log" | grep -i warning; then exit 1; fi
# every file's tests have passed, none was left out for want of a function
summary=$(grep -A4 '^Summary:' "$work/log")
[[ $summary =~ PASS[[:space:]]+([0-9]+) && ${BASH_REMATCH[1]} -ge 100 ]]
[[ $summary =~ FAIL[[:space:]]+0 ]]
grep -q 'relative error' "$work/log"
