# The lab without a display: scenes make pictures, equations of the command line run, and what is wrong in them is said with its place.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
small="--size 33x32 --frames 3 --steps-per-frame 2"

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
expect 0 --load state --frames 1 --steps-per-frame 2 --out second
cmp -s all/gray-scott-0002.png second/gray-scott-0002.png || fail "another picture after --load"

# The heat equation by its own words: a sine decays as exp(-D k^2 t).
heat="u' = D*lap(u); v' = 0; parameter D = 0.1; start u = cos(2*pi*x)"
expect 0 --size 64x64 --equations "$heat" --height 1 --dt 0.01 --frames 1 --steps-per-frame 10 --out heat --stats heat.csv
awk -F, 'NR == 2 { a = $6 } END { d = log(a / $6) / 0.09 / 0.1; exit !(d > 39 && d < 39.6) }' heat.csv ||
  fail "the heat equation: $(cat heat.csv)"

# A rate that is undefined at 0, in each scheme: u = sqrt(4 + 2 t).
for scheme in imex euler rk4; do
  expect 0 --size 8x8 --equations "u' = 1/u; start u = 2" --dt 0.001 --scheme $scheme --frames 2 --steps-per-frame 5 --no-pictures --headless --stats root.csv
  awk -F, 'END { exit !($2 == 0.01 && ($5 / sqrt(4 + 2 * $2) - 1)^2 < 1e-10) }' root.csv || fail "1/u: $(tail -n 1 root.csv)"
done

# Nothing changes without a rate. Second and third derivatives reach the next cells, so that none leaves odd and even cells apart: a chessboard
# of columns decays by 1 + 4 dt / h^2, products under dx lose nothing, and the third one has the symbol of these differences.
one_step() { # EQUATION START: u after a step of 0.001, h = 1 / 8, along the line in x
  expect 0 --size 16x8 --equations "u' = $1; start u = $2; left periodic; right periodic" --dt 0.001 --scheme "${3:-euler}" --frames 1 \
    --steps-per-frame 1 --no-pictures --headless --quiet --profile line.csv
  grep ^x, line.csv >x.csv
}
one_step "0" "0.3 + x" imex
awk -F, '($3 - 0.3 - $2)^2 > 1e-13 { bad = 1 } END { exit bad || NR != 16 }' x.csv || fail "a field without a rate changes: $(cat x.csv)"
for equation in "dx(dx(u))" "dx(2 * dx(u) - dx(u) + 0 * x)" "dx(dx(u) + v)"; do
  one_step "$equation; v' = 0" "1 - 2 * mod(floor(x / h), 2)"
  awk -F, '(sqrt($3 * $3) - 1 / (1 + 0.004 * 64))^2 > 1e-10 { bad = 1 } END { exit bad }' x.csv || fail "$equation: $(cat x.csv)"
done
one_step "dx(u^2 * dx(u))" "1 + (x < 1)"
awk -F, '{ sum += $3 } END { exit (sum - 24)^2 > 1e-9 }' x.csv || fail "dx(u^2 * dx(u)) loses something: $(cat x.csv)"
one_step "dx(dx(dx(u)))" "sin(pi * x)"
awk -F, '{ k = 3.14159265; h = 0.125; s = 2 * sin(k * h / 2) / h; d = -s * s * sin(k * h) / h * cos(k * $2)
  if (($3 - sin(k * $2) - 0.001 * d)^2 > 1e-12) bad = 1 } END { exit bad }' x.csv || fail "dx(dx(dx(u))): $(cat x.csv)"
# Second derivatives of constant factors are implicit as a whole, whatever they are in other directions: no step is too long, and a mode of the
# tensor (1, 0.3; 0.3, 0.2) decays by the scheme's factor, which tends to exp(-a t).
for equation in "dx(dx(u)) + 0.1 * dy(dy(u))" "0.7 * dy(dy(u))" "div(2, u) + 0.5 * dx(2 * dx(u))" "dx(dx(u)) + 0.6 * dx(dy(u)) + 0.2 * dy(dy(u))"; do
  for dt in 0.5 40; do
    expect 0 --size 32x24 --height 24 --edge periodic --equations "u' = $equation; start u = random(x/h + 5000*y/h)" --dt $dt --frames 1 \
      --steps-per-frame 150 --no-pictures --headless --quiet --stats long.csv
    awk -F, 'END { exit !($6 < 0.6) }' long.csv || fail "$equation at dt = $dt: $(tail -n 1 long.csv)"
  done
done
mode_at() { # DT STEPS: the error at t = 0.1
  expect 0 --size 64x64 --edge periodic --dt "$1" --frames 1 --steps-per-frame "$2" --no-pictures --headless --quiet --stats mode.csv \
    --equations "u' = dx(dx(u)) + 0.6 * dx(dy(u)) + 0.2 * dy(dy(u)); start u = cos(2 * pi * (x + y))"
  awk -F, 'NR == 2 { a = $6; t = $2 } END { pi = 3.14159265; h = 1 / 64; s = (2 * sin(pi * h) / h)^2; m = (sin(2 * pi * h) / h)^2
    print sqrt((($6 / a) / exp(-(1.2 * s + 0.6 * m) * ($2 - t)) - 1)^2) }' mode.csv
}
awk -v a="$(mode_at 0.002 25)" -v b="$(mode_at 0.001 50)" 'BEGIN { exit !(a < 0.02 && a / b > 3.5 && a / b < 4.7) }' ||
  fail "a tensor's order: $(mode_at 0.002 25) and $(mode_at 0.001 50)"

refuses_here() { # message, then arguments
  expect 2 "${@:2}" --headless --frames 1 --out none
  complains "^lab: .*$1"
  [ ! -e none ] || fail "lab ${*:2} left a folder"
}
refuses_here "column 15: nothing is called 'vv'; there are u, v, w, q" --equations "u' = lap(u) + vv"
refuses_here "column 15: nothing is called 'vv'; there are u, v, w, q, F, k" --scene gray-scott --equations "u' = lap(u) + vv"
refuses_here "u of cell .0, 0. is inf at the start" --equations "u' = lap(u); start u = 1/0"
refuses_here "column 11: ')' is missing" --equations "u' = lap(u"
refuses_here "w has no equation" --equations "u' = lap(w)"
refuses_here "more than fourth derivatives" --equations "u' = lap(lap(lap(u)))"
refuses_here "column 6: rootlap takes one of the fields" --equations "u' = rootlap(u + 1)"
refuses_here "the picture cannot ask for rootlap" --equations "picture rootlap(u)"
refuses_here "the picture cannot ask for noise" --equations "picture u + noise(1)"
refuses_here "nothing is called 'noise'" --equations "u' = lap(u); start u = noise(1)"
refuses_here "F = 3 is not within the scene's bounds, 0.01 to 0.08" --set F=3
refuses_here "'G=1' is not like NAME=NUMBER for a parameter of this scene .F, k." --set G=1
refuses_here "a grid of 33 x 3 cells: it needs at least 4 x 4" --size 33x3
expect 2 --size 32x32 --equations "u' = u^2; start u = 1" --dt 0.5 --frames 30 --headless --out wild
complains "is not finite any more at time .*; a smaller dt may help"
expect 2 --size 32x32 --equations "u' = -lap(u); start u = random(x + 50*y)" --dt 0.5 --frames 30 --headless --out wild
complains "diffusion runs backwards .D = -1, B = 0., .* whatever dt"

# A finer grid takes shorter steps where the rates that are explicit grow with 1/h, and so does what another scheme makes explicit.
steps_by() { # FACTOR ARGUMENTS...: of the scene's own
  local factor=$1 dt=$(sed -n 's/^step *dt = \([0-9.e-]*\).*/\1/p' "$SOURCE"/demos/lab/scenes/*-"$3".scene)
  expect 0 "${@:2}" --headless --no-pictures --frames 2 --steps-per-frame 100 --stats finer.csv --quiet
  awk -F, -v wanted="$(awk "BEGIN { print $factor * $dt }")" 'NR > 1 && ($3 > 1.01 * wanted || $3 < 0.99 * wanted) { bad = 1 }
    END { exit bad || NR != 201 }' finer.csv || fail "${*:2}: 200 steps of $factor times $dt are wanted: $(tail -n 1 finer.csv)"
}
steps_by 0.0625 --scene schroedinger --size 16x1024
steps_by 0.25 --scene wave --size 16x1024
steps_by 0.70711 --scene kelvin --size 32x384
steps_by 1 --scene burgers --size 16x512
steps_by 0.80357 --scene gray-scott --size 32x256 --scheme rk4

# Equations alone are a scene of their own, on a blank field: the first example of the help goes from 0 to 1. With --scene, or without u', they
# are other lines of a scene's.
fisher="u' = D*lap(u) + u*(1 - u); parameter D = 0.001"
grep -qF "lab --equations \"$fisher; start u = x < 0.1\" --dt 0.05" <("$TEXLA" --help) || fail "another first example in the help"
expect 0 --equations "$fisher; start u = x < 0.1" --size 64x64 --dt 0.05 --frames 3 --steps-per-frame 50 --out fisher --stats fisher.csv
awk -F, 'NR > 1 { if ($5 < 0 || $5 > 1 || (n && $5 <= n)) bad = 1; n = $5 } END { exit bad || n < 0.2 || n > 0.7 }' fisher.csv ||
  fail "the first example: $(cat fisher.csv)"
ls fisher | grep -q '^equations-0000.png$' || fail "pictures of equations are called $(ls fisher)"
expect 0 --equations "$fisher" --size 64x64 --dt 0.05 --frames 1 --steps-per-frame 5 --out blank --stats blank.csv
awk -F, 'NR > 1 && $5 != 0 { bad = 1 } END { exit bad }' blank.csv || fail "a field that nothing starts is not blank: $(cat blank.csv)"
expect 0 --equations "parameter F = 0.05" --size 32x32 --frames 1 --out first --quiet
ls first | grep -q '^gray-scott-0000.png$' || fail "without an equation for u the first scene is another: $(ls first)"
finish
