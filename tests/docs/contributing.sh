# Follows CONTRIBUTING.md: does its steps in a copy of the sources, compiles what they add and change, links it before the library
# and runs the tests that they add. The rest of the library is that of the build folder.
source "$(dirname "$0")/../hygiene/common.sh"
command -v python3 >/dev/null || skip "no python3"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir "$tree"
cd "$SOURCE"
cp -r include src shaders tests "$tree"
names=$(python3 tests/docs/contributing.py CONTRIBUTING.md "$tree" 2>&1) || { check "CONTRIBUTING.md cannot be followed" "${names:-no message}"; finish; }
[ "$(wc -w <<<"$names")" -eq 3 ] || { check "CONTRIBUTING.md adds other tests than three" "${names:-none}"; finish; }

cd "$tree"
# found FOLDER...: the files that the steps have added there; changed FOLDER...: those that they have changed
found() { compared "$@" | sed -nE 's|^Only in ([^/].*): (.*)$|\1/\2|p'; }
changed() { compared "$@" | sed -nE 's|^Files .* and (.*) differ$|\1|p'; }
compared() { for folder; do diff -rq "$SOURCE/$folder" "$folder" || true; done; }
added=$(found src tests)
{ # the table of shaders as it is now
  sed "s|$SOURCE/shaders|$tree/shaders|g" "$BINARY/generated/txShaderFiles.cmake"
  for file in $(found shaders); do
    echo "list(APPEND files $tree/$file)"
    echo "list(APPEND names ${file#shaders/})"
  done
} >shaders.cmake
"$CMAKE" -DOUTPUT=src/shaders.c -DLIST=shaders.cmake -P "$SOURCE/cmake/embed_files.cmake"
# Both lists of constants that are made longer are built into other files, too.
counted=$(grep -lE 'TEXLA_(METHOD|STORAGE)_|TX_STORAGES' src/{vector,matrix,dense,krylov,multigrid,system}/*.c)
flags=(-std=c11 -O0 -D_DEFAULT_SOURCE -DTEXLA_HAVE_PNG=0 -DTEXLA_SOURCE_DIR="\"$tree\"" -DTEXLA_BINARY_DIR="\"$BINARY\""
  -Iinclude -Isrc -Itests -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wno-missing-field-initializers -Werror)
read -ra given <<<"$CFLAGS $(pkg-config --cflags cmocka)"
read -ra libraries <<<"$LDFLAGS $(pkg-config --libs cmocka lapacke openblas) $(pkg-config --static --libs-only-l "$BINARY/texla.pc" | sed 's/-ltexla//')"
libraries=("$BINARY/tests/libtest_oracle.a" "$BINARY/lib/libtexla.a" "${libraries[@]}")
log=$(printf '%s\n' src/shaders.c $added $(changed src) $counted | grep '^src/.*c$' | sort -u |
  xargs -P 2 -I{} "$BASH" -c '"$@" -c "$0" -o "$0.o"' {} "$CC" "${given[@]}" "${flags[@]}" 2>&1) ||
  { check "what CONTRIBUTING.md adds does not compile" "${log:-no message}"; finish; }
for name in $names; do
  room=${name%/*} test=test_${name#*/}
  log=$("$CC" "${given[@]}" "${flags[@]}" "tests/$room/$test.c" $(find src -name '*.c.o') "${libraries[@]}" -o "$test" 2>&1) ||
    { check "$name does not build" "${log:-no message}"; continue; }
  log=$("./$test" 2>&1) || check "$name fails" "${log:-no message}"
done
if clang-format --version 2>/dev/null | grep 'version 14\.' >/dev/null; then
  check "not formatted" "$(clang-format --dry-run --style="file:$SOURCE/.clang-format" $added 2>&1 | grep -oE '^[^:]+:[0-9]+' || true)"
fi
finish
