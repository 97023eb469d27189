# The site is built without a complaint, and every link and picture of its pages is there; nothing is loaded from elsewhere. The links to the
# next page lead through all pages, and none has to be scrolled sideways on a telephone.
source "$(dirname "$0")/../hygiene/common.sh"
for tool in python3 pandoc doxygen; do
  command -v $tool >/dev/null || skip "no $tool"
done
[ -d "$BINARY/lessons" ] || skip "the lessons are not built"
frames=
[ "${TEXLA_TEST_LEVEL:-}" = long ] || frames=3 # the first pictures instead of the best ones
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check "site.py complains" "$({ python3 "$SOURCE/docs/site/site.py" "$SOURCE" "$BINARY" "$work/site" $frames 2>&1 >/dev/null || echo "it returns $?"; } | head -n 40)"
[ -s "$work/site/index.html" ] || { check "site.py has written no" "index.html"; finish; }
check "pages" "$(complaints python3 "$(dirname "$0")/links.py" "$work/site")"
if command -v chromium >/dev/null; then
  check "pages that are wider than a telephone" "$(complaints python3 "$(dirname "$0")/width.py" "$work/site")"
fi
check "solutions that are not folded" "$(cd "$work/site/lessons" && grep -L 'details class=.*solution' [0-9]*.html || true)"
finish
