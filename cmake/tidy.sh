#!/usr/bin/env bash
# tidy.sh BUILD [FILE...]: clang-tidy on these files, or on all that were compiled in that folder, several at a time; it prints what it finds
# and fails when that is something.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
tool=$(command -v clang-tidy-14 || command -v clang-tidy) || { echo "clang-tidy is not installed (package clang-tidy)" >&2; exit 1; }
if [ $# -eq 0 ]; then
  mapfile -t files < <(sed -n "s|^ *\"file\": \"$PWD/\(.*\.c\)\".*|\1|p" "$build/compile_commands.json" | grep -E '^(src|demos|tests|bench)/' |
    grep -vE '^(src/octave|bench/peers)/' | sort -u) # those include headers of others that are not clean
  set -- "${files[@]}"
fi
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I{} sh -c '"$0" --quiet -p "$1" "$2" 2>/dev/null' "$tool" "$build" {}
