# Every C example of README and pages compiles without a warning; those with a main function run.
source "$(dirname "$0")/../hygiene/common.sh"
command -v python3 >/dev/null || skip "no python3"
[ -e "$BINARY/lib/libtexla.so" ] || skip "no library"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SOURCE"
names=$(python3 tests/docs/examples.py "$work" README.md docs/*.md docs/guide/*.md)
ran=0
while read -r name what; do
  flags="-std=c11 -Wall -Wextra -Werror -Wno-unused-variable -Wno-missing-field-initializers -Iinclude $CFLAGS"
  if [ "$what" = runs ]; then
    check "$name does not compile" "$(complaints "$CC" $flags "$work/$name" -o "$work/program" $LDFLAGS -L"$BINARY/lib" -ltexla -lm)"
    check "$name does not run" "$(cd "$work" && LD_LIBRARY_PATH=$BINARY/lib ./program 2>&1 >output || echo "it returns $?")"
    [ -s "$work/output" ] || check "$name prints nothing" "$name"
    ran=$((ran + 1))
  elif grep -q 'GLFW/' "$work/$name" && ! echo '#include <GLFW/glfw3.h>' | "$CC" -E - >/dev/null 2>&1; then
    echo "$name was left out: no GLFW"
  else
    check "$name does not compile" "$(complaints "$CC" $flags -c "$work/$name" -o "$work/object.o")"
  fi
done <<<"$names"

# README's second program tells its caller why it failed.
cat >"$work/why.c" <<'END'
#include <stdio.h>
END
sed -n '/^The same in C, on a Matrix Market file/,/^```$/p' README.md | sed '1,/^```c$/d; /^```$/d' >>"$work/why.c"
cat >>"$work/why.c" <<'END'
int main(void) {
  double b[2] = {1, 1}, x[2];
  clError error = {0};
  clStatus status = solve("wrong.mtx", b, x, &error);
  printf("%d %s\n", (int)status < 0, error.message);
  return 0;
}
END
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 2 1\n' >"$work/wrong.mtx"
check "README's second program does not compile" "$(complaints "$CC" -std=c11 -Iinclude "$work/why.c" -o "$work/why" -L"$BINARY/lib" -ltexla -lm)"
told=$(cd "$work" && LD_LIBRARY_PATH=$BINARY/lib ./why 2>&1 || true)
grep -q '^1 clSystemSolve: .*2 x 3' <<<"$told" || check "README's second program does not say why it fails" "$told"
[ "$ran" -ge 2 ] || check "examples that run" "$names"
finish
