# The public structs lie in memory as cmake/libtexla.structs says: programs that were compiled for this minor version have them so
# (docs/versions.md).
source "$(dirname "$0")/common.sh"
for tool in getconf readelf; do
  command -v "$tool" >/dev/null || skip "no $tool"
done
[ "$(getconf LONG_BIT)" = 64 ] || skip "the list is of machines with 64 bits"
now=$(CC=$CC "$SOURCE/cmake/structs.sh")
[ "$(wc -l <<<"$now")" -ge 60 ] || check "structs that were found" "$now"
check "in cmake/libtexla.structs, but not so any more. Where ${VERSION%.*} has been released, programs that were compiled for it would read and write
beyond them: raise the minor version (include/texla/version.h). Then, or before the release: make symbols" \
  "$(comm -23 "$SOURCE/cmake/libtexla.structs" <(echo "$now"))"
# New ones are no trouble for anybody, but from now on they are promised, too.
names() { cut -d' ' -f1 | LC_ALL=C sort; }
check "public structs that cmake/libtexla.structs does not list: make symbols" \
  "$(LC_ALL=C comm -13 <(names <"$SOURCE/cmake/libtexla.structs") <(names <<<"$now"))"
finish
