# Every public call that can fail has a scenario in tests/faults, or in tests/mpi/test_faults.c, in which allocations and calls of OpenGL fail.
source "$(dirname "$0")/common.sh"
cd "$SOURCE"
exempt='clVectorTexture' # it makes nothing, and is for contexts that texla adopted
# A cluster is made before any failure can be chosen for one of its ranks; clContextCreate, all that can fail there, has its scenarios.
exempt+='|clClusterCreate'
declared=$(for header in include/texla/*.h; do strip_comments "$header"; done | tr '\n' ' ' |
  grep -oE 'TEXLA_API clStatus cl[A-Za-z0-9]+' | awk '{ print $3 }' | sort -u)
[ "$(wc -l <<<"$declared")" -gt 250 ] || check "too few calls found in" "include/texla"
called=$(cat tests/faults/*.[ch] tests/mpi/test_faults.c | grep -oE '\bcl[A-Z][A-Za-z0-9]*' | sort -u)
check "without a scenario in tests/faults/all.h, works.h or tests/mpi/test_faults.c" \
  "$(comm -23 <(echo "$declared") <(echo "$called") | grep -vxE "$exempt" || true)"
finish
