#!/usr/bin/env bash
# symbols.sh BUILD LIBRARY: what that library (texla, texla_sim, texla_mpi) in that folder exports, as Debian's tools read it: its
# functions, and what it lends to the companion libraries of its own version (src/platform/companion.h).
set -euo pipefail
file=$1/lib/lib$2.so
soname=$(objdump -p "$file" | awk '/SONAME/ { print $2 }')
version=${soname#"lib$2.so."}
echo "$soname lib${2//_/-}$version #MINVER#"
nm -D --defined-only "$file" | awk -v version="$version" '$3 ~ /^(cl|tx)[A-Z]/ { print " " $3 "@Base " version }' | LC_ALL=C sort
