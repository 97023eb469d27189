# The release recipe: what is committed as an archive, the same one each time, with sums that hold.
source "$(dirname "$0")/common.sh"
git -C "$SOURCE" rev-parse >/dev/null 2>&1 || skip "no repository"
fail() { check "$1" release; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --shared "$SOURCE" "$work/clone" || exit 1
cd "$work/clone"
for run in one two; do
  cmake/release.sh "$work/$run" source >"$work/log" || fail "no release"
done
diff -r "$work/one" "$work/two" || fail "two releases of one version differ"
(cd "$work/one" && sha256sum --check --quiet SHA256SUMS) || fail "sums that do not hold"
tar -tzf "$work/one/texla-$VERSION.tar.gz" "texla-$VERSION/SECURITY.md" >/dev/null || fail "SECURITY.md is not in the archive"
echo change >>README.md
cmake/release.sh "$work/three" source 2>"$work/log" && fail "a release of what is not committed"
grep -q 'not committed' "$work/log" || fail "no message: $(cat "$work/log")"
finish
