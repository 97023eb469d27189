#!/usr/bin/env bash
# clang.sh BUILD: clang reads every source that was compiled in that folder, with the same options, and its warnings are errors. It makes no code.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang >/dev/null || { echo "clang's warnings: skipped, no clang"; exit 0; }

# The compiler's own commands, one a line, with clang in its place (and in that of ccache before it), and without what they make.
reads() {
  sed -n 's/^ *"command": "\(.*\)",*$/\1/p' "$1/compile_commands.json" | sed -E 's/\\(.)/\1/g
    s,^([^ ]*ccache )?[^ ]*\+\+[^ ]* ,clang++ ,
    s,^([^ ]*ccache )?/[^ ]* ,clang ,
    s, -o [^ ]+ -c , -fsyntax-only -Werror -Wno-unknown-warning-option -Wno-enum-float-conversion ,' | sort -u
}
count=$(reads "$1" | wc -l)
[ "$count" -gt 100 ] || { echo "only $count sources are in $1/compile_commands.json" >&2; exit 1; }
reads "$1" | tr '\n' '\0' | xargs -0 -P "${JOBS:-$(nproc)}" -I{} sh -c 'cd "$0" && {}' "$1" || { echo "clang complains" >&2; exit 1; }
echo "clang has read $count sources without a warning"
