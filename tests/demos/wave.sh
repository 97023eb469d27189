# The wave program without a display: how many pictures, where, which messages; the same arguments give the same pictures.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
png=$(printf '\211PNG')

# pictures FOLDER COUNT: it holds wave-0000.png ... and nothing else, all of them PNG
pictures() {
  local k want=''
  for ((k = 0; k < $2; k++)); do
    want+="$(printf 'wave-%04d.png' "$k")"$'\n'
  done
  [ "$(ls "$1")" = "${want%$'\n'}" ] || fail "$1 holds $(ls "$1" | tr '\n' ' ')"
  for k in "$1"/*; do
    [ "$(head -c 4 "$k")" = "$png" ] || fail "$k is not a PNG file"
  done
}

expect 0 --size 65x43 --frames 8 --out a/b --tuning tuning
pictures a/b 8
prints "65 x 43 points, beta = 0.405"
prints "no window: "
prints "8 pictures in $work/a/b, the last one is wave-0007.png"
silent err "a plain run"
cmp -s a/b/wave-0000.png a/b/wave-0007.png && fail "nothing moves"

expect 0 --size=65x43 --frames=8 --out=c --tuning=tuning --quiet
silent out "a quiet run"
silent err "a quiet run"
diff -r a/b c >/dev/null || fail "the same arguments give other pictures"

for other in "--edge fixed" "--colormap magma" "--steps-per-frame 7" "--dt 0.01" "--scheme crank-nicolson" "--scheme conserving"; do
  # shellcheck disable=SC2086 # two words
  expect 0 --size 65x43 --frames 8 --out d --tuning tuning $other
  cmp -s a/b/wave-0007.png d/wave-0007.png && fail "$other changes nothing"
done

expect 0 --size 32x24 --steps-per-frame 1 --verbose
pictures frames 60
complains "device: "
complains "matrix: banded, 5 diagonals"

rm -rf frames
touch file
refuses_here() { # what refuses does, for a program that is not texla
  expect 2 "${@:2}"
  complains "^wave: .*$1"
  silent out "wave ${*:2}"
  [ ! -e frames ] || fail "wave ${*:2} left a folder"
}
refuses_here "unknown option '--bogus'" --bogus
refuses_here "the largest allowed dt is 0.0110485" --size 64x64 --dt 0.02
refuses_here "must be two positive integers" --size 64
refuses_here "2147483647" --size 65536x65536
refuses_here "one of viridis, magma" --colormap blue
refuses_here "from 1 to" --frames 0
refuses_here "unknown device" --device nonsense
expect 2 --size 9x9 --frames 1 --out file
complains "^wave: --out: cannot write pictures into file: Not a directory"
finish
