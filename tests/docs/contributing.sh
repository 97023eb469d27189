# Follows CONTRIBUTING.md: does its steps in a copy of the sources, builds, runs the tests that it adds.
source "$(dirname "$0")/../hygiene/common.sh"
command -v python3 >/dev/null || skip "no python3"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SOURCE"
mkdir "$work/tree"
cp -r CMakeLists.txt cmake include src shaders tests docs demos bench python "$work/tree" 2>/dev/null || true
cp -r examples "$work/tree"
names=$(python3 "$SOURCE/tests/docs/contributing.py" CONTRIBUTING.md "$work/tree") || { check "CONTRIBUTING.md cannot be followed" "$names"; finish; }
unset MAKEFLAGS MAKELEVEL
"$CMAKE" -S "$work/tree" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS -O0 -g0" -DTEXLA_WERROR=ON \
  -DCMAKE_EXE_LINKER_FLAGS="$LDFLAGS" -DTEXLA_BUILD_CLI=OFF -DTEXLA_BUILD_DEMOS=OFF >"$work/log" 2>&1 &&
  "$CMAKE" --build "$work/build" -j2 --target $(for name in $names; do echo "test_${name%/*}"; done | sort -u) >>"$work/log" 2>&1 ||
  check "what CONTRIBUTING.md adds does not build" "$(tail -n 30 "$work/log")"
for name in $names; do
  "$work/build/tests/test_${name%/*}" "${name#*/}" >"$work/log" 2>&1 || check "$name fails" "$(cat "$work/log")"
done
[ "$(wc -w <<<"$names")" -ge 3 ] || check "tests that CONTRIBUTING.md adds" "$names"
finish
