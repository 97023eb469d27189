# The shared library exports clNoun... functions and nothing else, every function that the headers declare, and nothing
# that could be taken for OpenCL; the static library's other global names begin with tx, and it keeps no mutable data
# outside of contexts, except for the lock around the OpenGL loader, the table of EGL displays and those of stb_image_write.
source "$(dirname "$0")/common.sh"
forbidden='^cl(Create|Get|Set|Enqueue|Release|Retain|Build|Compile|Link|Wait|Init|Mem|SVM|Command|Finish|Flush)'

exported=$("$NM" -D --defined-only "$BINARY/lib/libtexla.so" | awk '{ print $NF }' |
  grep -vxE '__bss_start|_edata|_end' | sort) # these are the linker's own
declared=$(for header in "$SOURCE"/include/texla/*.h; do strip_comments "$header"; done | tr '\n' ' ' |
  grep -oE 'TEXLA_API [^;]*' | grep -oE '\bcl[A-Z][A-Za-z0-9]* ?\(' | tr -d ' (' | sort -u)
global=$("$NM" --defined-only --extern-only "$BINARY/lib/libtexla.a" | awk 'NF == 3 { print $3 }' | sort)

mutable=$("$NM" -f sysv --defined-only "$BINARY/lib/libtexla.a" | awk -F'|' '
  /^Symbols from/ { file = $0; gsub(/.*\[|\]:/, "", file) }
  { gsub(/ /, "") }
  $7 ~ /^\.t?(data|bss)/ && $7 !~ /^\.data\.rel\.ro/ && file !~ /^(loader|displays|png)\.c\.o$/ { print file ": " $1 }')

[ -n "$declared" ] || check "no TEXLA_API function found in" "$SOURCE/include/texla"
check "exported, but not named cl[A-Z]..." "$(grep -vE '^cl[A-Z]' <<<"$exported" || true)"
check "exported or declared, but could be an OpenCL name" "$(sort -u <<<"$exported
$declared" | grep -E "$forbidden" || true)"
check "declared in include/texla, but not exported" "$(comm -13 <(echo "$exported") <(echo "$declared"))"
check "exported, but not declared in include/texla" "$(comm -23 <(echo "$exported") <(echo "$declared"))"
listed=$(sed -n 's/^ \(cl[A-Za-z0-9]*\)@Base .*/\1/p' "$SOURCE/cmake/libtexla.symbols" | sort)
check "in cmake/libtexla.symbols, but not exported: programs that use it would not run any more (make symbols, and another version)" \
  "$(comm -13 <(echo "$exported") <(echo "$listed"))"
check "exported, but not in cmake/libtexla.symbols: packages of other programs would not know which version they need (make symbols)" \
  "$(comm -23 <(echo "$exported") <(echo "$listed"))"
head -n 1 "$SOURCE/cmake/libtexla.symbols" | grep -F "libtexla.so.${VERSION%.*} libtexla${VERSION%.*} " >/dev/null ||
  check "the first line of cmake/libtexla.symbols is not of version" "$VERSION"
check "global in libtexla.a, but named neither cl[A-Z]... nor tx[A-Z]..." "$(grep -vE '^(cl|tx)[A-Z]' <<<"$global" || true)"
check "mutable globals and statics" "$mutable"
check "OpenCL's prefixes CL_ and cl_ in the public headers" \
  "$(cd "$SOURCE" && grep -nE '\b(CL_|cl_)' include/texla/*.h || true)"
finish
