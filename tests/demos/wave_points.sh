# More of the wave program's scenes for their points, measured by probes: foci, quiet lines, what a fibre and a wall hold, a shore, an orbit.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY

# measure SCENE PROBES SIZE STEPS ARGUMENTS...: heights at the probes, in probes.csv
measure() {
  expect 0 --scene "$1" --probes "$2" --probe-csv probes.csv --field height --frames 1 --size "$3" --steps-per-frame "$4" --out pictures --quiet \
    "${@:5}"
}
# strengths FROM: "x y mean-square" of each probe, from that time on, the strongest last
strengths() {
  awk -F, -v from="$1" 'NR > 1 && $1 >= from { s[$2 " " $3] += $4 * $4; n[$2 " " $3]++ } END { for (k in s) print k, s[k] / n[k] }' probes.csv |
    sort -g -k 3
}
# strength FROM X Y
strength() { strengths "$1" | awk -v x="$2" -v y="$3" '$1 == x && $2 == y { print $3 }'; }
# arc X Y RADIUS FIRST LAST STEP: probes at a distance from (x, y), every so many degrees
arc() {
  awk -v x="$1" -v y="$2" -v r="$3" -v a="$4" -v b="$5" -v d="$6" 'BEGIN { for (k = a; k <= b + 1e-9; k += d) { t = k * 3.14159265 / 180
    printf("%s%.5f,%.5f", (k > a ? ";" : ""), x + r * cos(t), y + r * sin(t)) } }'
}
angle() { awk -v x="$1" -v y="$2" '{ print atan2($2 - y, $1 - x) * 57.29578 }'; } # X Y: of the place on standard input
near() { # WHAT VALUE EXPECTED TOLERANCE
  awk -v v="$2" -v e="$3" -v t="$4" 'BEGIN { exit !(v != "" && v - e <= t && e - v <= t) }' || fail "$1: $2, expected $3 within $4"
}
louder() { # WHAT A B TIMES: A > TIMES * B
  awk -v a="$2" -v b="$3" -v n="$4" 'BEGIN { exit !(a > n * b) }' || fail "$1: $2 is not $4 times $3"
}

# Pond: what falls into one focus is in the other one after the way 2 a = 1.24.
measure pond "1.08788,0.5" 240x180 480
near "the pond's other focus" "$(awk -F, 'NR > 1 && $1 < 1.9 && $4^2 > best { best = $4^2; at = $1 } END { print at }' probes.csv)" 1.24 0.06
# Two sources, 2.8 waves apart: still where the ways differ by half a wave.
measure two-sources "$(arc 0.75 0.5 0.6 5 16 1)" 240x160 360
near "the quiet line" "$(strengths 0.9 | head -n 1 | angle 0.75 0.5)" 10.3 1.6
# Whispering gallery: loud at the wall across, quiet further in.
measure gallery "0.5,0.945;0.5,0.7" 180x180 500
louder "the gallery's wall" "$(strength 1.6 0.5 0.945)" "$(strength 1.6 0.5 0.7)" 2
# Membrane: clamped, it keeps its energy.
expect 0 --scene membrane --size 120x120 --frames 1 --steps-per-frame 200 --out pictures --quiet --stats energy.csv
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /energy/ && !c) c = k } NR == 3 { a = $c } END { print $c / a; exit !($c / a > 0.98 && $c / a < 1.02) }' energy.csv >kept ||
  fail "the membrane keeps $(cat kept) of its energy"

# Zone plate: its focus is 0.6 behind it.
measure zone-plate "$(for x in 0.54 0.64 0.74 0.84 0.94 1.04 1.14; do printf '%s,0.5;' $x; done)0.84,0.62" 270x180 450
near "the zone plate's focus" "$(strengths 1.2 | tail -n 1 | cut -d ' ' -f 1)" 0.84 0.11

# Lens: R / (2 (n - 1)) = 0.55 behind its middle.
measure lens "$(for x in 0.6 0.7 0.8 0.9 1 1.1 1.2; do printf '%s,0.5;' $x; done)0.9,0.62" 270x180 500
near "the lens's focus" "$(strengths 1.3 | tail -n 1 | cut -d ' ' -f 1)" 0.91 0.12

# Grating: along a line behind it the waves are a Fourier series in y, of the orders m / 0.12 = 16 sin(angle) turns per length, with little in between.
measure grating "$(awk 'BEGIN { for (k = 0; k < 28; k++) printf "%s0.6,%.3f", k ? ";" : "", 0.095 + 0.03 * k }')" 240x160 320
awk -F, 'NR > 1 && $1 > 0.95 { w = 6.2831853 * 16 * $1; c[$3] += $4 * cos(w); s[$3] += $4 * sin(w) }
  END { for (q = 4; q <= 14; q += 0.05) { a = b = 0; for (y in c) { w = 6.2831853 * q * y; a += c[y] * cos(w) + s[y] * sin(w); b += s[y] * cos(w) - c[y] * sin(w) }
    print q, sqrt(a * a + b * b) } }' probes.csv | sort -g -k 2 >orders
near "the grating's first order, turns per length" "$(tail -n 1 orders | cut -d ' ' -f 1)" 8.33 0.15
louder "the grating's first order beside what is half way to it" "$(tail -n 1 orders | cut -d ' ' -f 2)" "$(awk '$1 == 4.15 { print $2 }' orders)" 4

# Fibre: it holds the wave; beside it there is little.
measure fibre "1.3,0.36825;1.3,0.15;1.3,0.85" 240x160 800
louder "the fibre's wave" "$(strength 2.6 1.3 0.36825)" "$(strength 2.6 1.3 0.15)" 8

# Shore: with the local speed waves get shorter. Phases of the frequency 7 at two places.
measure shoal "0.2,0.2;0.2,0.21" 270x180 560
awk -F, 'NR > 1 && $1 > 1.6 { w = 6.2831853 * 7 * $1; c[$3] += $4 * cos(w); s[$3] += $4 * sin(w) } END {
  d = atan2(s["0.21"], c["0.21"]) - atan2(s["0.2"], c["0.2"]); pi = 3.14159265; d = d > pi ? d - 2 * pi : d < -pi ? d + 2 * pi : d; print d < 0 ? -d : d }' probes.csv >turn
near "the shore's waves, radians over 0.01" "$(cat turn)" 1.14 0.12

# A source that circles: its waves arrive crowded and stretched in turns.
measure spiral "0.9,0.5" 160x160 560
awk -F, 'NR > 1 && $1 > 0.8 { if (n++ && (old < 0) != ($4 < 0)) { if (at) { d = $1 - at; if (!least || d < least) least = d; if (d > most) most = d }; at = $1 } old = $4 }
  END { print most, least }' probes.csv >periods
louder "the longest half period beside the shortest" "$(cut -d ' ' -f 1 periods)" "$(cut -d ' ' -f 2 periods)" 2
finish
