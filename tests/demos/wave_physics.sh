# What the wave program's scenes are for, measured by probes: fringes, refraction, cut-off, resonance, foci, Mach's wedge, Doppler's shift.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY

# measure SCENE PROBES ARGUMENTS...: heights at the probes, in probes.csv
measure() {
  expect 0 --scene "$1" --probes "$2" --probe-csv probes.csv --field height --frames 1 --out pictures --quiet "${@:3}"
}
# strengths FROM: "x y mean-square" of each probe, from that time on
strengths() {
  awk -F, -v from="$1" 'NR > 1 && $1 >= from { s[$2 " " $3] += $4 * $4; n[$2 " " $3]++ } END { for (k in s) print k, s[k] / n[k] }' \
    probes.csv | sort -n -k 1,1 -k 2,2
}
# Places at a distance from (x, y), every so many degrees: arc X Y RADIUS FIRST LAST STEP
arc() {
  awk -v x="$1" -v y="$2" -v r="$3" -v a="$4" -v b="$5" -v d="$6" 'BEGIN { for (k = a; k <= b + 1e-9; k += d) { t = k * 3.14159265 / 180
    printf("%s%.5f,%.5f", (k > a ? ";" : ""), x + r * cos(t), y + r * sin(t)) } }'
}
# angle_of HIGHEST|LOWEST X Y FROM TO: the direction from (x, y), in degrees, in which the waves are strongest or weakest
angle_of() {
  strengths 1.2 | awk -v which="$1" -v x="$2" -v y="$3" -v from="$4" -v to="$5" '{ a = atan2($2 - y, $1 - x) * 57.29578
    if (a >= from && a <= to && (!n++ || (which == "highest" ? $3 > best : $3 < best))) { best = $3; at = a } } END { print at }'
}
near() { # WHAT VALUE EXPECTED TOLERANCE
  awk -v v="$2" -v e="$3" -v t="$4" 'BEGIN { exit !(v != "" && v - e <= t && e - v <= t) }' || fail "$1: $2, expected $3 within $4"
}
few="--size 270x180"

# Double slit: first bright fringe where sin(angle) = 1 / (16 * 0.24), dark before it at half of that.
# shellcheck disable=SC2086
measure double-slit "$(arc 0.24 0.5 1.1 0 20 1)" $few --steps-per-frame 535
near "the first dark fringe" "$(angle_of lowest 0.24 0.5 4 13)" 7.48 1.6
near "the first bright fringe" "$(angle_of highest 0.24 0.5 10 20)" 15.09 1.6
# Wave guides: the widest and the middle one pass the wave, the narrowest does not.
# shellcheck disable=SC2086
measure wave-guide "1.3,0.34;1.3,0.61;1.3,0.815;0.4,0.815" $few --steps-per-frame 610
read -r begin wide middle narrow <<<"$(strengths 1.5 | awk '{ printf "%s ", $3 }')"
below "$(awk -v a="$narrow" 'BEGIN { print 5 * a }')" "$middle" || fail "the narrow guide passes $narrow, the middle one $middle ($begin at its begin)"
below 0.05 "$wide" || fail "the wide guide passes $wide only"

# Doppler: before the source 1 / 0.6 times its frequency, behind it 1 / 1.4 times (zeros of the height, counted).
# shellcheck disable=SC2086
measure doppler "1.42,0.5;0.05,0.5" $few --steps-per-frame 670
awk -F, 'NR > 1 && (($2 > 1 && $1 > 1.7 && $1 < 2.5) || ($2 < 1 && $1 > 1.2 && $1 < 2.5)) {
    if (($2 in old) && (old[$2] < 0) != ($4 < 0)) { n[$2]++; t = $1; if (!($2 in first)) first[$2] = t; last[$2] = t }
    old[$2] = $4 } END { for (k in n) print k, (n[k] - 1) / 2 / (last[k] - first[k]) }' probes.csv >frequencies
near "the frequency before the source" "$(awk '$1 > 1 { print $2 }' frequencies)" 13.33 0.6
near "the frequency behind the source" "$(awk '$1 < 1 { print $2 }' frequencies)" 5.714 0.3

# Damping: waves fade as exp(-R t), their energy as the square of that.
for rate in 0 1.5; do
  expect 0 --scene membrane --size 120x120 --damping $rate --frames 1 --steps-per-frame 150 --stats "faded$rate.csv" --out pictures --quiet
done
faded=$(paste -d, faded0.csv faded1.5.csv | awk -F, 'NR == 1 { half = NF / 2 } END { print $(half + 4) / $4 / exp(-2 * 1.5 * $2) }')
near "the energy of damped waves, beside exp(-2 R t)" "$faded" 1 0.01

# Single slit: no wave where sin(angle) = 1 / (16 * 0.16).
# shellcheck disable=SC2086
measure single-slit "$(arc 0.24 0.5 1 14 25.5 1)" $few --steps-per-frame 498
near "the slit's first minimum" "$(angle_of lowest 0.24 0.5 14 26)" 22.99 2.1

# Phased array: the beam's angle.
# shellcheck disable=SC2086
measure phased-array "$(arc 0.2 0.5 1.1 0 23 1)" $few --steps-per-frame 535
near "the array's beam" "$(angle_of highest 0.2 0.5 0 24)" 19.47 3.1

# Organ pipes: of a wave of 0.4 that one rings most which, with its mouth, is a quarter of it deep.
# shellcheck disable=SC2086
measure pipes "1.01,0.14;1.04,0.32;1.07,0.5;1.1,0.68;1.13,0.86" --size 330x220 --steps-per-frame 1030
loudest=$(strengths 2 | sort -g -k 3 | tail -n 1 | cut -d ' ' -f 2)
[ "$loudest" = 0.5 ] || fail "the loudest pipe is the one at $loudest: $(strengths 2)"

# Refraction: from the phases at three places behind the border, the wave vector there; sin(35 degrees) becomes two thirds of itself.
# shellcheck disable=SC2086
measure refraction "1.1,0.6;1.11,0.6;1.1,0.61" --size 360x240 --steps-per-frame 690
awk -F, 'NR > 1 && $1 > 1.4 { k = $2 " " $3; w = 6.2831853 * 16 * $1; c[k] += $4 * cos(w); s[k] += $4 * sin(w) }
  function phase(k) { return atan2(s[k], c[k]) }
  function turn(a) { return a > 3.14159265 ? a - 6.2831853 : a < -3.14159265 ? a + 6.2831853 : a }
  END { kx = turn(phase("1.11 0.6") - phase("1.1 0.6")); ky = turn(phase("1.1 0.61") - phase("1.1 0.6"))
    printf "%.2f %.3f\n", atan2(ky, kx) * 57.29578, sqrt(kx * kx + ky * ky) / 0.01 / (6.2831853 * 16) }' probes.csv >vector
read -r angle length <vector
near "the refracted wave's angle to the border's normal" "$(awk -v a="$angle" 'BEGIN { print 35 - a }')" 22.48 2.5
near "the refracted wave's number, in those before" "$length" 1.5 0.06

# Luneburg's lens and the parabolic mirror: their foci are where they should be.
# shellcheck disable=SC2086
measure luneburg "$(for x in 0.99 1.05 1.11 1.17 1.23 1.29; do printf '%s,0.5;' $x; done)1.11,0.56" $few --steps-per-frame 610
near "Luneburg's focus" "$(strengths 1.5 | sort -g -k 3 | tail -n 1 | cut -d ' ' -f 1)" 1.11 0.061
# shellcheck disable=SC2086
measure mirror "$(for x in 0.6 0.65 0.7 0.75 0.8 0.85 0.9 0.95 1; do printf '%s,0.5;' $x; done)0.8,0.56" $few --steps-per-frame 760
near "the mirror's focus" "$(strengths 2.2 | sort -g -k 3 | tail -n 1 | cut -d ' ' -f 1)" 0.8 0.11

# Faster than its waves: the wedge reaches places at the same x, but 0.1 and 0.3 off the way, with a delay of 0.2 / (1.8 tan(33.7 degrees)).
# shellcheck disable=SC2086
measure mach "0.9,0.6;0.9,0.8" $few --steps-per-frame 385
awk -F, 'NR > 1 && (!($3 in best) || $4 > best[$3]) { best[$3] = $4; at[$3] = $1 } END { printf "%.4f\n", at["0.8"] - at["0.6"] }' probes.csv >delay
near "the wedge's delay" "$(cat delay)" 0.1663 0.012
finish
