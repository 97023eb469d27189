#!/usr/bin/env bash
# manuals.sh FOLDER PROGRAM...: a manual page of each program, and of each of its commands, in FOLDER.
set -euo pipefail
folder=$1
shift
mkdir -p "$folder"
rm -f "$folder"/*.1.gz
for program; do
  name=$(basename "$program")
  "$program" --help-as man | gzip -9n >"$folder/$name.1.gz"
  [[ $name == texla* ]] || continue
  "$program" --help-as table | awk -F '\t' '$2 == "word" { print $1 }' | while read -r command; do
    "$program" "$command" --help-as man | gzip -9n >"$folder/$name-$command.1.gz"
  done
done
