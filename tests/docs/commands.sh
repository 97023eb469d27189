# The commands of README and guide on texla do what stands there: one after the other, in an empty folder that has build and sources.
source "$(dirname "$0")/../hygiene/common.sh"
[ -x "$BINARY/bin/texla" ] || skip "no program texla"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in include shaders; do
  ln -s "$SOURCE/$name" "$work/$name"
done
ln -s "$BINARY" "$work/build"

# Indented lines are commands. Left out: what takes long (bench, thousands of systems), and right-hand sides that readers have themselves.
commands=$(cd "$SOURCE" && sed -nE '/^    (TEXLA_[A-Z_]+=[^ ]+ )?(build\/bin\/texla|cp) /p' README.md docs/trace.md docs/guide/*.md |
  grep -vE 'texla (bench|tridiag|lsq) ')
export TEXLA_DEVICE=${TEXLA_DEVICE-llvmpipe}
while read -r command; do
  # On a busy machine a command tells how far it is; that is no failure.
  check "it fails: $command" "$(cd "$work" && { eval "$command" 2>&1 >/dev/null </dev/null || echo "it returns $?"; } |
    grep -vE '^(A is being factored|iteration [0-9]+, residual .*)$')"
done <<<"$commands"
[ "$(wc -l <<<"$commands")" -ge 9 ] || check "commands that run" "$commands"
for file in x.mtx t/index.html mine/vector/add.frag; do
  [ -s "$work/$file" ] || check "no command has written" "$file"
done
finish
