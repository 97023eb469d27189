#!/usr/bin/env bash
# structs.sh: how the public structs lie in memory where pointers have 64 bits, from the debugger's notes: name, size, field:offset...
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  echo '#include "texla/sim.h"'
  sed -nE 's/^typedef struct (cl[A-Za-z0-9]+) \{.*/\1 a\1;/p; s/^\} (cl[A-Za-z0-9]+);.*/\1 a\1;/p' $(ls include/texla/*.h | grep -v /mpi.h) | sort -u
} >"$work/all.c"
"${CC:-cc}" -std=c11 -Iinclude -g -gdwarf-4 -c "$work/all.c" -o "$work/all.o"
readelf -W --debug-dump=info "$work/all.o" | awk '
  /Abbrev Number/ { tag = $NF; if (tag != "(DW_TAG_member)" && !/Abbrev Number: 0/) inside = 0; if (tag == "(DW_TAG_structure_type)") inside = 1 }
  inside && /DW_AT_name/ && tag == "(DW_TAG_structure_type)" { name = $NF }
  inside && /DW_AT_name/ && tag == "(DW_TAG_member)" { field = $NF }
  inside && /DW_AT_byte_size/ && tag == "(DW_TAG_structure_type)" { lines[name] = name " " $NF }
  inside && /DW_AT_data_member_location/ { lines[name] = lines[name] " " field ":" $NF }
  END { for (name in lines) if (name ~ /^cl[A-Z]/) print lines[name] }' | LC_ALL=C sort
