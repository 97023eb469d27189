# Doxygen has nothing to say of the headers, each function, parameter, result, struct and member has its comment; and every page that is
# linked exists (the pages themselves: tests/docs/site.sh).
source "$(dirname "$0")/common.sh"
cd "$SOURCE"
for page in README.md docs/*.md; do
  check "$page links to what is not there" "$(grep -oE '\]\([^)#: ]+' "$page" | cut -c 3- | while read -r target; do
    [ -e "$(dirname "$page")/$target" ] || echo "$target"
  done)"
done
check "pages that docs/index.md does not link to" "$(for page in docs/*.md; do
  name=$(basename "$page")
  [ "$name" = index.md ] || grep -qF "($name)" docs/index.md || echo "$page"
done)"
command -v doxygen >/dev/null || skip "no doxygen"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed "s|^OUTPUT_DIRECTORY.*|OUTPUT_DIRECTORY = $work|" docs/Doxyfile >"$work/Doxyfile"
check "doxygen warns" "$(complaints doxygen "$work/Doxyfile" | head -n 40)"
[ -s "$work/html/index.html" ] || check "doxygen has written no" "html/index.html"
finish
