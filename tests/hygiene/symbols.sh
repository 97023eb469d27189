# Each shared library exports the clNoun... functions that its headers declare and nothing else but what it lends to its companions
# (src/platform/companion.h), and nothing that could be taken for OpenCL. The static libraries' other global names begin with tx, no
# name is defined in two of them, and they keep no mutable data outside of contexts, except for the lock around the OpenGL loader,
# the table of EGL displays, how many forks there were, GLFW as it was loaded, and those of stb_image_write. Each form of a library links with either form of those below it.
source "$(dirname "$0")/common.sh"
forbidden='^cl(Create|Get|Set|Enqueue|Release|Retain|Build|Compile|Link|Wait|Init|Mem|SVM|Command|Finish|Flush)'
libraries=(texla texla_sim)
[ ! -e "$BINARY/lib/libtexla_mpi.a" ] || libraries+=(texla_mpi)

# declared LIBRARY: the functions in its headers
declared() {
  local header
  for header in "$SOURCE"/include/texla/*.h; do
    case $1:$(basename "$header" .h) in
    texla_sim:sim | texla_sim:wave | texla_sim:water | texla_sim:flow | texla_sim:evolution | texla_sim:terrain | texla_mpi:mpi) ;;
    texla_*:* | texla:sim | texla:wave | texla:water | texla:flow | texla:evolution | texla:terrain | texla:mpi) continue ;;
    esac
    strip_comments "$header"
  done | tr '\n' ' ' | grep -oE 'TEXLA_API [^;]*' | grep -oE '\bcl[A-Z][A-Za-z0-9]* ?\(' | tr -d ' (' | sort -u
}
lent=$(grep -rhoE '^TX_COMPANION [^;]*' "$SOURCE/src" --include='*.h' | grep -oE '\btx[A-Z][A-Za-z0-9]*\b' | sort -u)

for library in "${libraries[@]}"; do
  shared=$BINARY/lib/lib$library.so static=$BINARY/lib/lib$library.a
  exported=$("$NM" -D --defined-only "$shared" | awk '{ print $NF }' |
    grep -vxE '__bss_start|_edata|_end' | sort) # these are the linker's own
  functions=$(grep -E '^cl[A-Z]' <<<"$exported" || true)
  promised=$(declared "$library")
  [ -n "$promised" ] || check "no TEXLA_API function found for $library in" "$SOURCE/include/texla"
  check "$library exports names that are neither cl[A-Z]... nor lent to companions (TX_COMPANION)" \
    "$(comm -23 <(grep -vE '^cl[A-Z]' <<<"$exported" || true) <(echo "$lent"))"
  check "$library: exported or declared, but could be an OpenCL name" "$(sort -u <<<"$functions
$promised" | grep -E "$forbidden" || true)"
  check "$library: declared in include/texla, but not exported" "$(comm -13 <(echo "$functions") <(echo "$promised"))"
  check "$library: exported, but not declared in include/texla" "$(comm -23 <(echo "$functions") <(echo "$promised"))"
  list=$SOURCE/cmake/lib$library.symbols
  listed=$(sed -n 's/^ \([a-z][A-Za-z0-9]*\)@Base .*/\1/p' "$list" | sort)
  check "in $list, but not exported: programs that use it would not run any more (make symbols, and another version)" \
    "$(comm -13 <(echo "$exported") <(echo "$listed"))"
  check "exported, but not in $list: packages of other programs would not know which version they need (make symbols)" \
    "$(comm -23 <(echo "$exported") <(echo "$listed"))"
  head -n 1 "$list" | grep -F "lib$library.so.${VERSION%.*} lib${library//_/-}${VERSION%.*} " >/dev/null ||
    check "the first line of $list is not of version" "$VERSION"
  check "global in $static, but named neither cl[A-Z]... nor tx[A-Z]..." \
    "$(complaints "$NM" --defined-only --extern-only "$static" | awk 'NF == 3 { print $3 }' | grep -vE '^(cl|tx)[A-Z]' || true)"
  check "mutable globals and statics in $static" "$("$NM" -f sysv --defined-only "$static" | awk -F'|' '
    /^Symbols from/ { file = $0; gsub(/.*\[|\]:/, "", file) }
    { gsub(/ /, "") }
    $7 ~ /^\.t?(data|bss)/ && $7 !~ /^\.data\.rel\.ro/ && file !~ /^(loader|displays|platform_window|png)\.c\.o$/ &&
    file ": " $1 !~ /^(posix\.c\.o: (forks|once\.[0-9]+)|platform\.c\.o: opened\.[0-9]+)$/ { print file ": " $1 }')"
done

archives=("${libraries[@]/#/$BINARY/lib/lib}")
archives=("${archives[@]/%/.a}")
check "defined in two of the static libraries: a program that links both gets one of them" \
  "$("$NM" --defined-only --extern-only "${archives[@]}" | awk 'NF == 3 { print $3 }' | sort | uniq -d)"

# Shaders lie in the library whose rooms use them.
for library in texla_sim texla_mpi; do
  room=${library#texla_}
  [ -e "$BINARY/lib/lib$library.a" ] || continue
  check "shaders of shaders/$room that are in libtexla.a" \
    "$(strings -n 6 "$BINARY/lib/libtexla.a" | grep -E "^$room/[a-z_]+\.(frag|vert|geom|glsl)$" || true)"
  check "shaders of shaders/$room that are not in lib$library.a" \
    "$(cd "$SOURCE/shaders" && comm -23 <(ls "$room"/* | sort) <(strings -n 6 "$BINARY/lib/lib$library.a" | sort))"
done

# Every object of a library, with the libraries below it as archives or shared: nothing may be missing.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/main.c"
# links WHAT FILE...: the program links with these, or a finding
links() {
  local what=$1 text
  shift
  # shellcheck disable=SC2086 # flags
  text=$("${LINKER:-$CC}" $CFLAGS "$work/main.c" "$@" -o "$work/main" -Wl,-rpath,"$BINARY/lib" -lGLEW -lEGL -lOpenGL -lz -lm -pthread \
    $LDFLAGS 2>&1) || check "$what does not link" "$(grep -E 'undefined|multiple|error' <<<"$text" | head -n 10)"
}
for library in "${libraries[@]:1}"; do
  LINKER=$CC
  [ "$library" != texla_mpi ] || { LINKER=$(command -v mpicc || true); [ -n "$LINKER" ] || continue; }
  whole=(-Wl,--whole-archive "$BINARY/lib/lib$library.a" -Wl,--no-whole-archive)
  below_static=() below_shared=()
  for other in texla_sim texla; do
    [ "$other" != "$library" ] || continue
    below_static+=("$BINARY/lib/lib$other.a")
    below_shared+=("$BINARY/lib/lib$other.so")
  done
  links "lib$library.a with the static libraries" "${whole[@]}" "${below_static[@]}"
  links "lib$library.a with the shared libraries" "${whole[@]}" "${below_shared[@]}"
  links "lib$library.so with the shared libraries" -Wl,--no-as-needed,--no-undefined "$BINARY/lib/lib$library.so" "${below_shared[@]}"
done

check "OpenCL's prefixes CL_ and cl_ in the public headers" \
  "$(cd "$SOURCE" && grep -nE '\b(CL_|cl_)' include/texla/*.h || true)"
finish
