# Every public call that can fail has a scenario in tests/faults, or in tests/mpi/test_faults.c, in which allocations and calls of OpenGL fail.
source "$(dirname "$0")/common.sh"
cd "$SOURCE"
exempt='clVectorTexture' # it makes nothing, and is for contexts that texla adopted
# Calls of clusters that tests/mpi/test_faults.c does not make: files and checkpoints (tests/mpi/market, refine), blocks to and from the
# host (tests/mpi/plu).
exempt+='|clBlockMatrix(Download|Read|Upload)|clBlockPluDownload|clClusterCreate|clClusterMatrix(Multiply|MultiplyHost|Read)'
exempt+='|clCluster(RefineFrom|SolveFrom)|clClusterVector(Gather|Load|Read|Save|SaveHost)'
declared=$(for header in include/texla/*.h; do strip_comments "$header"; done | tr '\n' ' ' |
  grep -oE 'TEXLA_API clStatus cl[A-Za-z0-9]+' | awk '{ print $3 }' | sort -u)
[ "$(wc -l <<<"$declared")" -gt 250 ] || check "too few calls found in" "include/texla"
called=$(cat tests/faults/*.[ch] tests/mpi/test_faults.c | grep -oE '\bcl[A-Z][A-Za-z0-9]*' | sort -u)
check "without a scenario in tests/faults/all.h, works.h or tests/mpi/test_faults.c" \
  "$(comm -23 <(echo "$declared") <(echo "$called") | grep -vxE "$exempt" || true)"
finish
