# What equations of the lab may ask for, each beside exact solutions: edges of each field, one-sided derivatives, neighbours, totals, names.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY

lab() { # SIZE STEPS DT EQUATIONS ARGUMENTS...: statistics in s.csv, centre lines in x.csv and y.csv
  expect 0 --size "$1" --frames 1 --steps-per-frame "$2" --dt "$3" --equations "$4" --headless --quiet --no-pictures --stats s.csv --profile p.csv "${@:5}"
  grep ^x, p.csv >x.csv
  grep ^y, p.csv >y.csv
}
# within FILE COLUMN 'what it is at s' ERROR WHAT
within() {
  awk -F, "{ s = \$2; pi = 3.14159265; d = \$$2 - ($3); if (d * d > most) most = d * d } END { most = sqrt(most); if (!NR || !(most < $4)) { print most; exit 1 } }" \
    "$1" >off || fail "$5: off by $(cat off): $(head -2 "$1")"
}

# Edges of their own for each field: values, derivatives outwards, multiples of the field (implicit at any step), names of the scene's own.
lab 32x8 300 0.1 "u' = lap(u); v' = lap(v); left u = 1, v: flux = 3; right u: flux = -u, v: value = -1" --height 0.25
within x.csv 3 "1 - s / 2" 1e-5 "a Robin edge"
within x.csv 4 "2 - 3 * s" 1e-4 "a flux and a value"
lab 32x8 600 0.1 "parameter k = 2; u' = lap(u); v' = lap(v); left u = 3; right u: flux = -k * (u - 1), v = u; start v = 1" --height 0.25
within x.csv 3 "3 - 4 / 3 * s" 1e-5 "a Robin edge with a parameter"
within x.csv 4 "3 - 4 / 3 + 4 / 3 / 64" 1e-3 "a field at the edge of another"
lab 8x64 1 0.01 "u' = lap(u); left fixed, u = y; right u = y; bottom u = 0; top fixed, u = 1; start u = y"
within y.csv 3 "s" 1e-6 "a value that is a formula of the place"
# Stokes' layer: an edge that swings
for n in 50 100; do
  lab 4x$n 400 0.05 "u' = lap(u); left periodic; right periodic; bottom u = cos(t); start u = exp(-y / sqrt(2)) * cos(y / sqrt(2))" --height 10
  within y.csv 3 "exp(-s / sqrt(2)) * cos(20 - s / sqrt(2))" "$([ $n = 50 ] && echo 5e-3 || echo 1.6e-3)" "Stokes' layer, $n cells"
done

# One-sided derivatives: of second order where the field is smooth, nothing is lost nor overshoots, and both directions are the same.
order() { # TERM WHAT
  for n in 64 128; do
    lab ${n}x8 $((n * 4)) "$(awk "BEGIN { print 0.25 / $n }")" "u' = $1; start u = exp(-50 * (x / w - 0.5)^2); left periodic; right periodic" \
      --height "$(awk "BEGIN { print 8 / $n }")" --scheme rk4
    awk -F, '{ e += sqrt(($3 - exp(-50 * ($2 - 0.5)^2))^2) } END { print e / NR }' x.csv
  done | awk '{ e[NR] = $1 } END { print e[1], e[2]; exit !(e[1] < 0.02 && e[1] / e[2] > 2.9) }' >orders || fail "$2: $(cat orders)"
}
order "-up(1, 0, u)" "up to the right"
order "-up(-1, 0, u)" "up to the left"
order "-adv(1, 0, u)" "adv to the right"
order "-adv(-1 + 0 * x, 0, u)" "adv to the left"
lab 64x64 100 0.004 "u' = -adv(0.5 - y, x - 0.5, u); start u = hypot(x - 0.5, y - 0.7) < 0.1" --scheme rk4 --edge periodic
awk -F, 'NR == 2 { a = $5 } END { exit !(($5 / a - 1)^2 < 1e-10) }' s.csv || fail "adv loses something: $(tail -n 1 s.csv)"
awk -F, 'NR > 1 && ($3 < -0.01 || $3 > 1.01) { bad = 1 } END { exit bad }' p.csv || fail "adv overshoots: $(sort -t, -gk3 p.csv | sed -n '1p;$p')"
# the same turned by a right angle
lab 16x16 10 0.004 "u' = -up(1, 0, u); start u = exp(-30 * (x - 0.3)^2)" --scheme rk4 --edge periodic && cut -d, -f2- x.csv >along_x
lab 16x16 10 0.004 "u' = -up(0, 1, u); start u = exp(-30 * (y - 0.3)^2)" --scheme rk4 --edge periodic && cut -d, -f2- y.csv >along_y
cmp -s along_x along_y || fail "up along x and y differ"

# Neighbours: a shift by a cell in each step, and Conway's glider, which goes on by one cell in four steps.
lab 16x16 3 1 "u' = u[-1, 0] - u; v' = v[2, -1] - v; start u = x < h, v = (x < h) & (y < h)" --scheme euler --edge periodic
awk -F, '($3 > 0.5) != ($2 > 3 / 16 && $2 < 4 / 16) { bad = 1 } END { exit bad }' x.csv || fail "u[-1, 0]: $(cat x.csv)"
life="let near = u[-1,-1] + u[-1,0] + u[-1,1] + u[0,-1] + u[0,1] + u[1,-1] + u[1,0] + u[1,1]
let live = (near > 2.5) & (near < 3.5) | ((near > 1.5) & (near < 2.5) & (u > 0.5))"
cell() { echo "((i > $1 - 0.5) & (i < $1 + 0.5) & (j > $2 - 0.5) & (j < $2 + 0.5))"; }
glider() { echo "$(cell "$1+1" "$2+2") | $(cell "$1+2" "$2+1") | $(cell "$1" "$2") | $(cell "$1+1" "$2") | $(cell "$1+2" "$2")"; }
printf 'title life\nsize 16, 16\n%s\nlet i = floor(x / h)\nlet j = floor(y / h)\nu'"'"' = live - u\nv'"'"' = 0\nw'"'"' = abs(u - v) - w\nstart u = %s, v = %s\nstep dt = 1, scheme = euler
left periodic\nright periodic\nbottom periodic\ntop periodic\n' "$life" "$(glider 4 8)" "$(glider 6 6)" >life.scene
expect 0 --scene life.scene --frames 1 --steps-per-frame 9 --headless --quiet --no-pictures --stats s.csv
awk -F, 'END { exit !(($5 * 256 - 5)^2 < 1e-6 && $9 < 1e-6) }' s.csv || fail "a glider: $(tail -n 1 s.csv)"

# Totals: a mean that stays (Allen and Cahn), and the least, the most and the integral beside their values.
lab 32x24 50 0.01 "u' = 0.001 * lap(u) + u - u^3 - mean(u - u^3); start u = random(x / h + 5000 * y / h) - 0.3" --edge no-flux
awk -F, 'NR == 2 { a = $5 } END { exit !(($5 - a)^2 < 1e-12 && $6 > 0.2) }' s.csv || fail "a mean that stays: $(tail -n 1 s.csv)"
lab 30x16 1 1 "u' = 0; v' = integral(1 + 0 * u) + 10 * min(u) + 100 * max(u); start u = x / w" --scheme euler --height 2
within x.csv 4 "7.5 + 10 / 60 + 100 * 59 / 60" 1e-4 "integral, min and max"

# Domains: a disc keeps what is in it, and a mean is one of its cells. Pictures: grey as a field, of a wedge that the lab has drawn.
lab 48x48 100 0.001 "u' = lap(u) + u - mean(u); domain 0.4 - hypot(x - 0.5, y - 0.5); start u = (x > 0.5) & (hypot(x - 0.5, y - 0.5) < 0.4)"
awk -F, 'NR == 2 { a = $5 } END { exit !(a > 0.24 && a < 0.26 && ($5 - a)^2 < 1e-6) }' s.csv || fail "a disc: $(tail -n 1 s.csv)"
lab 48x48 600 0.0005 "u' = lap(u); domain (x > 0.25) & (x < 0.75), fixed; start u = x > 0.5; top no-flux"
within x.csv 3 "s < 0.24 ? 0 : s > 0.76 ? 1 : (s - 11.5 / 48) / (25 / 48)" 5e-3 "values on the walls of a domain"
expect 0 --size 64x64 --equations "u' = 0; start u = x; colours grey, from = 0, to = 1" --frames 1 --headless --quiet --out wedge
lab 64x64 1 1 "image wedge = \"wedge/equations-0000.png\"; u' = 1 - wedge; start u = wedge" --scheme euler
awk -F, '($3 - 1)^2 > 1e-10 { bad = 1 } END { exit bad }' x.csv || fail "a picture as a field and in a rate: $(head -3 x.csv)"
lab 64x64 1 1 "image wedge = \"wedge/equations-0000.png\"; u' = 0; start u = wedge"
awk -F, 'NR == 5 { a = $3 } NR == 36 { exit !(a < $3 - 0.1) }' x.csv || fail "a wedge: $(tail -3 x.csv)"

refuses_here() { # message, then equations
  expect 2 --equations "$2" --headless --frames 1 --out none
  complains "^lab: .*$1"
}
refuses_here "on an edge there are no derivatives" "u' = lap(u); left u = dx(u)"
refuses_here "'slope' must be one of value, flux" "u' = lap(u); left u: slope = 1"
refuses_here "an edge asks for v, which has no equation" "u' = lap(u); left u = v"
refuses_here "an edge asks for v, which has no equation" "u' = lap(u); left v = 1"
refuses_here "a periodic edge has no values" "u' = lap(u); left periodic, u = 1; right periodic"
refuses_here "'left' knows no 'z'; it knows u, v, w, q" "u' = lap(u); left z = 1"
refuses_here "cannot read the PNG picture none.png" "image a = \"none.png\"; u' = a"
refuses_here "a file in quotes" "image a = none.png; u' = a"
refuses_here "at most 2 lines may begin with 'image'" "image a = \"a\"; image b = \"b\"; image c = \"c\"; u' = a"
refuses_here "no cell is within the domain" "u' = lap(u); domain 0 * x"
refuses_here "cells from -3 to 3" "u' = u[4, 0]"
refuses_here "']' is missing" "u' = u[1, 0"
refuses_here "there may be 4 means" "u' = mean(u) + mean(u^2) + mean(u^3) + mean(u^4) + mean(u^5)"
refuses_here "nothing is called 'a'" "let a = u^2; u' = lap(u); start u = a"
refuses_here "nothing is called 'a'" "let a = random(x); u' = a"
finish
