#!/usr/bin/env bash
# symbols.sh BUILD: what the library in that folder exports, as Debian's tools read it.
set -euo pipefail
soname=$(objdump -p "$1/lib/libtexla.so" | awk '/SONAME/ { print $2 }')
version=${soname#libtexla.so.}
echo "$soname libtexla$version #MINVER#"
nm -D --defined-only "$1/lib/libtexla.so" | awk -v version="$version" '$3 ~ /^cl/ { print " " $3 "@Base " version }' | LC_ALL=C sort
