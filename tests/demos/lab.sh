# The lab without a display: scenes make pictures, equations of the command line run, and what is wrong in them is said with its place.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
small="--size 33x32 --frames 3 --steps-per-frame 2 --tuning tuning"

for file in "$SOURCE"/demos/lab/scenes/*.scene; do
  scene=$(basename "$file" .scene)
  scene=${scene#*-}
  # shellcheck disable=SC2086 # several words
  expect 0 $small --scene "$scene" --out "$scene" --quiet
  [ "$(ls "$scene" | wc -l)" = 3 ] || fail "$scene: $(ls "$scene")"
  cmp -s "$scene/$scene-000"[02].png && fail "$scene: nothing moves"
done

# A saved state goes on as if nothing had been.
# shellcheck disable=SC2086
expect 0 $small --frames 2 --set F=0.05 --out first --save state
# shellcheck disable=SC2086
expect 0 $small --set F=0.05 --out all
expect 0 --load state --frames 1 --steps-per-frame 2 --out second --tuning tuning
cmp -s all/gray-scott-0002.png second/gray-scott-0002.png || fail "another picture after --load"

# The heat equation by its own words: a sine decays as exp(-D k^2 t).
heat="u' = D*lap(u); v' = 0; parameter D = 0.1; start u = cos(2*pi*x)"
expect 0 --size 64x64 --equations "$heat" --height 1 --dt 0.01 --frames 1 --steps-per-frame 10 --out heat --stats heat.csv
awk -F, 'NR == 2 { a = $6 } END { d = log(a / $6) / 0.09 / 0.1; exit !(d > 39 && d < 39.6) }' heat.csv ||
  fail "the heat equation: $(cat heat.csv)"

refuses_here() { # message, then arguments
  expect 2 "${@:2}" --headless --frames 1 --out none
  complains "^lab: .*$1"
  [ ! -e none ] || fail "lab ${*:2} left a folder"
}
refuses_here "column 15: nothing is called 'vv'; there are u, v, w, q, F, k" --equations "u' = lap(u) + vv"
refuses_here "column 11: ')' is missing" --equations "u' = lap(u"
refuses_here "w has no equation" --equations "u' = lap(w)"
refuses_here "more than two derivatives within each other" --equations "u' = lap(lap(lap(u)))"
refuses_here "column 6: rootlap takes one of the fields" --equations "u' = rootlap(u + 1)"
refuses_here "the picture cannot ask for rootlap" --equations "picture rootlap(u)"
refuses_here "F = 3 is not within the scene's bounds, 0.01 to 0.08" --set F=3
refuses_here "'G=1' is not like NAME=NUMBER for a parameter of this scene .F, k." --set G=1
refuses_here "a grid of 33 x 3 cells: it needs at least 4 x 4" --size 33x3
expect 2 --size 32x32 --equations "u' = u^2; start u = 1" --dt 0.5 --frames 30 --headless --out wild
complains "is not finite any more at time .*; a smaller dt may help"
finish
