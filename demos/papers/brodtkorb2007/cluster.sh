#!/usr/bin/env bash
# Brodtkorb 2007, tables A.1 to A.4: PLU in blocks on several ranks of one host, where he had four nodes with a GeForce 7800 GT each.
# cluster.sh [--check | --full]: Markdown on standard output; --check ends with 1 if a solution is not right. Needs mpirun and texla-mpi.
set -euo pipefail
source=$(cd "$(dirname "$0")/../../.." && pwd)
program=${TEXLA_BUILD:-$source/build}/bin/texla-mpi
command -v mpirun >/dev/null && [ -x "$program" ] || { echo "Tables A.1 to A.4: skipped, there is no MPI."; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
sizes=(128 512) processes=(4) divisors=(8 2) top=512
for argument; do
  case $argument in
  --check) sizes=(128) processes=(4) divisors=(2) top=128 ;;
  --full) sizes=(128 512 2048 4096) processes=(4 16) top=4096 ;;
  esac
done

# lu RANKS PxQ N BLOCK: sets seconds, share (of the time that is spent in messages) and failed
failed=0
lu() {
  local json error
  json=$(mpirun --oversubscribe -np "$1" "$program" lu "$3" --grid "$2" --block "$4" --runs 2 --json)
  seconds=$(sed -n 's/^ *"seconds": \(.*\),$/\1/p' <<<"$json")
  share=$(sed -n 's/^ *"communication": \(.*\),$/\1/p' <<<"$json")
  error=$(sed -n 's/^ *"backward_error": \(.*\),$/\1/p' <<<"$json")
  awk -v e="$error" 'BEGIN { exit !(e != "" && e < 1e-12) }' || { echo "lu $*: backward error '$error'" >&2; failed=1; }
}
number() { LC_ALL=C printf '%.4g' "$1"; }

echo "# Brodtkorb 2007: PLU on several ranks"
echo
echo "Table A.1: seconds. Published (4 processes): n = 128 on 1 to 4 nodes 0.136 to 0.285 (block 64), 2048 2.60 to 2.93 (1024)."
echo
echo "| n | block | 1 rank | 2 ranks | 4 ranks |"
echo "|---|---|---|---|---|"
for n in "${sizes[@]}"; do
  for divisor in "${divisors[@]}"; do
    block=$((n / divisor)) row=
    for grid in 1x1 1x2 2x2; do
      lu $((${grid%x*} * ${grid#*x})) "$grid" "$n" "$block"
      row+=" $(number "$seconds") |"
    done
    echo "| $n | $block |$row"
  done
done
echo
echo "Tables A.2 and A.3: the share of messages. Published: 4 processes 42 % (block 256) to 30 % (2048), 16 processes 37 to 33 %;"
echo "n = 2048, messages alone 0.57 to 0.70 s on one node, 5.38 to 6.31 s on four."
echo
echo "| n | processes | block | seconds | messages, s | % |"
echo "|---|---|---|---|---|---|"
for p in "${processes[@]}"; do
  for divisor in "${divisors[@]}"; do
    block=$((top / 2 / divisor)) grid=2x2
    [ "$p" -eq 4 ] || grid=4x4
    lu "$p" "$grid" "$top" "$block"
    awk -v s="$seconds" -v c="$share" -v row="| $top | $p | $block |" 'BEGIN { printf "%s %.4g | %.4g | %.0f |\n", row, s, s * c, 100 * c }'
  done
done
echo
echo "Table A.4: one rank, one block. Published: 0.0284 (64), 0.0491 (256), 0.281 (1024), 1.45 (2048), 10.05 (4096)."
echo
echo "| n | seconds |"
echo "|---|---|"
for n in 64 256 1024 2048 4096; do
  [ "$n" -le "$top" ] || continue
  lu 1 1x1 "$n" "$n"
  echo "| $n | $(number "$seconds") |"
done
exit "$failed"
