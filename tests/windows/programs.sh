#!/usr/bin/env bash
# programs.sh BUILD: programs for Windows beside those of Linux, on the same driver with the same variants of kernels: their files are
# the same, byte by byte. Names with umlauts and blanks, Ctrl-C, and inputs with CRLF are tried, too.
set -uo pipefail
windows=$(cd "$1" && pwd)/bin
source=$(cd "$(dirname "$0")/../.." && pwd)
linux=$source/build/bin
export TEXLA_TUNING=$source/tests/tuning.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

# same WHAT FILE FILE
same() {
  if cmp -s "$2" "$3"; then
    echo "same: $1"
  else
    echo "DIFFERENT: $1 ($(cmp "$2" "$3" 2>&1))"
    failures=$((failures + 1))
  fi
}

# pictures PROGRAM ARGUMENT...: three of them
pictures() {
  local program=$1 folder="Bilder für $1"
  shift
  "$linux/$program" --headless --frames 3 --out linux "$@" >/dev/null 2>&1
  wine "$windows/$program.exe" --headless --frames 3 --out "$folder" "$@" >log 2>&1 || cat log
  [ -n "$(ls linux)" ] || { echo "DIFFERENT: $program has made no pictures"; failures=$((failures + 1)); }
  for file in linux/*; do
    same "$program ${file##*/}" "$file" "$folder/${file##*/}"
  done
  rm -rf linux
}

for program in navier-stokes wave shallow-water lab; do
  pictures "$program"
done

# A system, with the ends of lines that Windows writes; the answer's residual and the report without its times.
{
  echo '%%MatrixMarket matrix coordinate real general'
  echo '400 400 1198'
  for i in $(seq 400); do
    echo "$i $i $((4 + i % 3))"
    [ "$i" = 400 ] || printf '%d %d -1\n%d %d -1\n' "$i" $((i + 1)) $((i + 1)) "$i"
  done
} >matrix.mtx
sed 's/$/\r/' matrix.mtx >'Größe 1.mtx'
for method in cg bicgstab gmres plu; do
  "$linux/texla" solve matrix.mtx --solver "$method" --out linux.mtx >/dev/null 2>&1
  wine "$windows/texla.exe" solve 'Größe 1.mtx' --solver "$method" --out 'x ä.mtx' >log 2>&1 || cat log
  same "texla solve --solver $method" linux.mtx 'x ä.mtx'
  rm -f linux.mtx 'x ä.mtx'
done
[ "$failures" = 0 ] || echo "$failures file(s) differ"
[ "$failures" = 0 ]
