# The sources are formatted as .clang-format says. Versions of clang-format differ, so only one of them is believed.
source "$(dirname "$0")/common.sh"
version=14
cd "$SOURCE"
# clang-format leaves comments as long as they are.
check "longer than 100 columns" "$(find include src tests demos bench examples -name "*.[ch]" -print0 | sort -z |
  xargs -0 awk 'length > 100 { print FILENAME ":" FNR }')"
for tool in clang-format-$version clang-format; do
  "$tool" --version 2>/dev/null | grep "version $version\." >/dev/null || continue
  check "not formatted (make format)" "$(find include src tests demos bench examples -name "*.[ch]" -print0 2>/dev/null | sort -z |
    xargs -0 -r "$tool" --dry-run 2>&1 | grep -oE '^[^:]+:[0-9]+' || true)"
  finish
done
skip "no clang-format $version"
