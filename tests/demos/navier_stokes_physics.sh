# What the navier-stokes program's scenes are for: numbers that theory knows.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
flow() { expect 0 --frames 1 --out pictures --quiet "$@"; }
near() { # WHAT VALUE EXPECTED TOLERANCE
  awk -v v="$2" -v e="$3" -v t="$4" 'BEGIN { exit !(v != "" && v - e <= t && e - v <= t) }' || fail "$1: $2, expected $3 within $4"
}
of() { tail -n 1 stats.csv | cut -d, -f "$1"; }

# Taylor and Green's vortices: energy like exp(-4 nu k^2 t), nu = 1 / 2 / re, k = 4 pi.
flow --scene taylor-green --size 64x64 --re 100 --steps-per-frame 200 --stats stats.csv
near "the vortices' decay" "$(awk -F, 'NR == 21 { t = $2; e = $4 } END { print log(e / $4) / ($2 - t) }' stats.csv)" 3.158 0.1

# A channel: one and a half times the mean in the middle.
flow --scene channel --size 100x20 --steps-per-frame 500 --field u --probes "4,0.5" --probe-csv probes.csv
near "the channel's largest velocity" "$(tail -n 1 probes.csv | cut -d, -f 4)" 1.5 0.04
# The plume rises.
flow --scene plume --size 80x60 --steps-per-frame 160 --field v --probes "0.667,0.5" --probe-csv probes.csv
below 0.1 "$(awk -F, 'NR > 1 { if ($4 > m) m = $4 } END { print m }' probes.csv)" || fail "no plume rises"

# What is heavy falls through what is light below it; smoke rises; the head of a jet moves with somewhat less than half its speed.
flow --scene rayleigh-taylor --size 48x96 --steps-per-frame 250 --stats stats.csv
below 1000 "$(awk -F, 'NR == 12 { old = $4 } END { print $4 / old }' stats.csv)" || fail "the heavy layer rests: $(tail -n 1 stats.csv)"
flow --scene smoke --size 60x72 --steps-per-frame 120 --field v --probes "0.42,0.3" --probe-csv probes.csv
below 0.4 "$(tail -n 1 probes.csv | cut -d, -f 4)" || fail "smoke does not rise: $(tail -n 1 probes.csv)"
flow --scene jet --size 90x60 --steps-per-frame 150 --field dye --probes "0.3,0.5;0.7,0.5" --probe-csv probes.csv
near "the jet's head" "$(awk -F, 'NR > 1 && $4 > 0.5 && !($2 in t) { t[$2] = $1 } END { print 0.4 / (t["0.7"] - t["0.3"]) }' probes.csv)" 0.4 0.1

# A cavity heated from the side: both walls' heat, and their Nusselt number (4.519 by de Vahl Davis 1983; 16 x 16 cells: 5.17).
flow --scene heated-cavity --size 16x16 --steps-per-frame 500 --stats stats.csv
near "what the cold wall takes of the warm one's heat" "$(tail -n 1 stats.csv | awk -F, '{ print $25 / $24 }')" -1 1e-3
near "the warm wall's Nusselt number" "$(of 28)" 5.17 0.03

# Each scene says what its Reynolds number is of.
expect 0 --scene cylinder --size 32x12 --frames 1 --out pictures
prints "Reynolds number 150 of the diameter of the cylinder \(0.2\) and the speed of the stream \(1\)"

# Convection: still below the Rayleigh number 1708, rolls above it.
for re in 30 60; do
  flow --scene rayleigh-benard --size 48x16 --re $re --steps-per-frame 800 --stats stats$re.csv
done
growth() { awk -F, -v from="$2" 'NR > 1 && $2 >= from && !old { old = $4 } END { print $4 / old }' "$1"; }
below "$(growth stats30.csv 5)" 0.5 || fail "at Ra = 900 the energy changes by $(growth stats30.csv 5)"
below 2 "$(growth stats60.csv 5)" || fail "at Ra = 3600 the energy changes by $(growth stats60.csv 5)"

# A nozzle: twice the inflow, nearly, in its throat.
flow --scene nozzle --size 200x60 --steps-per-frame 300 --field u \
  --probes "$(for k in 0 1 2 3 4 5 6 7 8 9; do printf '1.1,%s;' 0.2$k 0.3$k 0.4$k 0.5$k 0.6$k 0.7$k; done)1.1,0.8" --probe-csv probes.csv
near "what flows through the throat" "$(tail -n 61 probes.csv | awk -F, '{ s += $4 } END { print s / 100 }')" 1 0.03

# Lock exchange: the front moves with half the root of height and reduced gravity.
flow --scene lock-exchange --size 240x60 --steps-per-frame 340 --field dye --probes "1.9,0.03;2.4,0.03" --probe-csv probes.csv
near "the front's speed" "$(awk -F, 'NR > 1 && $4 > 0.5 && !($2 in t) { t[$2] = $1 } END { print 0.5 / (t["2.4"] - t["1.9"]) }' probes.csv)" 0.46 0.08

# Kelvin and Helmholtz's layer rolls up; through grains the flow goes on.
flow --scene kelvin-helmholtz --size 128x64 --steps-per-frame 330 --field v --probes "0.625,0.5;1.125,0.5" --probe-csv probes.csv
below 0.1 "$(awk -F, 'NR > 1 { if ($4 * $4 > m) m = $4 * $4 } END { print sqrt(m) }' probes.csv)" || fail "the layer stays flat"

flow --scene porous --size 160x80 --steps-per-frame 150 --field u --probes "1.7,0.1;1.7,0.3;1.7,0.5;1.7,0.7;1.7,0.9" --probe-csv probes.csv
near "the mean behind the grains" "$(tail -n 5 probes.csv | awk -F, '{ s += $4 } END { print s / 5 }')" 1 0.35

# Schaefer and Turek's case 2D-1 with 10 cells per diameter: drag, pressure difference, length of the wake; what flows in flows out.
flow --scene schaefer-turek --size 220x41 --re 20 --steps-per-frame 260 --stats stats.csv
near "the cylinder's drag" "$(of 10)" 5.58 0.06
near "its pressure difference" "$(of 12)" 2.938 0.2
near "its wake" "$(of 13)" 0.206 0.012
near "the channel's inflow" "$(of 14)" -1 0.001
near "what flows out" "$(awk -F, 'END { print $14 + $15 }' stats.csv)" 0 1e-5

# Gartling's step: where the flow lies down at the bottom, and leaves the top.
flow --scene gartling --size 160x16 --steps-per-frame 1500 --stats stats.csv
near "where the flow lies down" "$(of 21)" 6.4 0.6
near "where it leaves the top" "$(of 22)" 5.05 0.5
finish
