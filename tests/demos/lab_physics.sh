# Each scene of the lab for its point: speeds, periods, wavelengths, what stays and what decays, beside theory.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY

# lab SCENE SIZE STEPS ARGUMENTS...: its statistics are in SCENE.csv, its last centre lines in SCENE-lines.csv
lab() {
  expect 0 --scene "$1" --size "$2" --frames 1 --steps-per-frame "$3" --headless --quiet --out out --stats "$1.csv" \
    --profile "$1-lines.csv" "${@:4}"
}
# holds CSV 'awk condition at the end, of the first line a[] and the last line b[]' WHAT
holds() {
  awk -F, "NR == 2 { for (k = 1; k <= NF; k++) a[k] = \$k } { for (k = 1; k <= NF; k++) b[k] = \$k } END { exit !($2) }" "$1" ||
    fail "$3: $(sed -n '2p;$p' "$1")"
}
pi=3.14159265

lab gray-scott 64x64 1500 --height 64
holds gray-scott.csv 'b[7] > 0.05 && b[7] < 0.25 && b[8]^2 - b[7]^2 > 0.006' "spots"

# An island's area shrinks at 2 pi, whatever its size.
lab allen-cahn 128x128 200 --dt 1e-4 --set e=0.02 --equations "start u = tanh((0.3 - hypot(x - 0.5, y - 0.5)) / e / sqrt(2))"
holds allen-cahn.csv "(r = (a[5] - b[5]) / 2 / (b[2] - a[2]) / (2 * $pi)) > 0.96 && r < 1.04" "an island"

# A shock between 1 and 0 moves at 1/2.
lab burgers 128x8 200 --height 0.0625 --edge no-flux --set nu=0.01 --equations "start u = 0.5 - 0.5 * tanh((x - 0.3) / 4 / nu)"
holds burgers.csv '(v = (b[5] - a[5]) / (b[2] - a[2])) > 0.49 && v < 0.51' "a shock"
# A drum's lowest mode has the period sqrt(2).
lab wave 64x64 283 --dt 0.005 --equations "start u = sin(pi * x) * sin(pi * y)"
holds wave.csv '(b[5] / a[5] - 1)^2 < 1e-5' "a drum after one period"
# A packet is back after 2 pi, at the same place, and nothing of it is lost.
lab schroedinger 64x64 628 --dt 0.01 --set k=1
holds schroedinger.csv '(b[4] / a[4] - 1)^2 < 1e-8' "the norm"
awk -F, '$1 == "x" && $3^2 + $4^2 > most { most = $3^2 + $4^2; at = $2 } END { exit !(at > 4.5 && at < 5.5) }' \
  schroedinger-lines.csv || fail "the packet is not back: $(sort -t, -k3 schroedinger-lines.csv | tail -1)"

# A step 800 times as long as what explicit diffusion takes.
heat="u' = lap(u); v' = 0; start u = cos(pi * x)"
lab gray-scott 64x64 20 --height 1 --dt 0.05 --equations "$heat"
holds gray-scott.csv 'b[6] < 0.01 * a[6]' "implicit diffusion"
expect 2 --size 64x64 --height 1 --dt 0.05 --equations "$heat" --scheme rk4 --headless --frames 1 --steps-per-frame 30 --out out
complains "u is not finite any more at time"

lab coral 64x64 1500 --height 64
holds coral.csv 'b[7] > 0.05 && b[7] < 0.3 && b[8]^2 - b[7]^2 > 0.008' "a labyrinth"
lab spirals 96x96 1600 --height 45
holds spirals.csv 'b[6] > 0.1 && b[6] < 0.8' "a spiral that stays"
lab brusselator 64x64 300 --height 15
holds brusselator.csv 'b[6]^2 - b[5]^2 > 1 && (b[5] - 4.5)^2 < 0.2' "a pattern around u = A"

lab cahn-hilliard 64x64 150 --height 64 --set mean=0.1
holds cahn-hilliard.csv '(b[5] - a[5])^2 < 1e-9 && b[6] > 0.5 && b[6] < 1.1' "what there is of each stays"
# Twice as many zeros as waves of length 2 pi.
lab swift-hohenberg 256x4 1000 --height 2
holds swift-hohenberg-lines.csv 1 "lines"
awk -F, '$1 == "x" { n += $3 * last < 0; last = $3 } END { exit !(n >= 37 && n <= 45) }' swift-hohenberg-lines.csv ||
  fail "rolls: $(awk -F, '$1 == "x" { n += $3 * last < 0; last = $3 } END { print n }' swift-hohenberg-lines.csv) zeros over 128"
lab kuramoto 64x64 1200 --height 40
holds kuramoto.csv 'b[6]^2 - b[5]^2 > 1 && b[6]^2 - b[5]^2 < 100' "a flame"

# A front that u = 0 lets in moves at 2 sqrt(r D), less 3 / (2 t).
lab fisher 256x16 600 --height 12.5 --equations "start u = x < 10"
awk -F, '$1 == 300 { m = $5; t = $2 } END { v = ($5 - m) * 200 / ($2 - t); exit !(v > 1.92 && v < 2.01) }' fisher.csv ||
  fail "the front: $(sed -n '300p;$p' fisher.csv)"

# A soliton of height 2 moves at 4.
lab solitons 320x8 1000 --equations "start u = 2 / ((exp(x - 15) + exp(15 - x)) / 2)^2"
awk -F, '$1 == "x" && $3 > most { most = $3; at = $2 } END { exit !(at > 22.8 && at < 23.2 && most > 1.98 && most < 2.02) }' solitons-lines.csv ||
  fail "a soliton: $(grep ^x solitons-lines.csv | sort -t, -gk3 | tail -1)"
lab islands 64x64 100
holds islands.csv '(b[5] - a[5])^2 < 1e-12 && b[6] > 0.5' "a mean that stays"
lab rock-paper-scissors 64x64 300 --height 40
holds rock-paper-scissors.csv 'b[5] > 0.05 && b[7] > 0.05 && b[9] > 0.05 && b[6]^2 - b[5]^2 > 0.02' "three kinds that survive"

# Kelvin's wake: waves that go with the ship pass a place in 2 pi U / g, and the highest are 16 to 17 degrees off, somewhat within 19.5, at any speed.
for speed in 6 4.5; do
  lab kelvin 160x96 $([ $speed = 6 ] && echo 190 || echo 240) --set speed=$speed --field u --probes "0.8,0.5;0.8,0.6" --probe-csv probes.csv
  awk -F, -v u=$speed 'NR > 1 && $3 == 0.5 && u * $1 > 153.6 + 3 * u { if (n++ && (old < 0) != ($4 < 0)) {
      end = last + ($1 - last) * old / (old - $4); if (!c++) first = end }
      old = $4; last = $1 }
    NR > 1 && $3 > 0.5 && u * $1 > 153.6 && $4^2 > best { best = $4^2; angle = atan2(19.2, u * $1 - 153.6) * 57.29578 }
    END { period = 2 * (end - first) / (c - 1) * 9.81 / 6.2831853 / u; print period, angle
      exit !(period > 0.99 && period < 1.01 && angle > 15 && angle < 19.5) }' probes.csv >wake ||
    fail "the wake at $speed m/s: period (1), angle: $(cat wake)"
done
finish
