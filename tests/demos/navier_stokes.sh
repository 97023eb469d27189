# The navier-stokes program without a display: every scene makes pictures, statistics and profiles hold what they say.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
small="--size 48x40 --frames 2 --steps-per-frame 3"

scenes=$("$TEXLA" --help | sed -n '/^Scenes:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(wc -w <<<"$scenes")" -ge 14 ] || fail "few scenes: $scenes"
for scene in $scenes; do
  # shellcheck disable=SC2086 # several words
  expect 0 $small --scene $scene --out $scene --stats $scene.csv
  [ "$(ls $scene)" = "$scene-0000.png
$scene-0001.png" ] || fail "$scene: pictures $(ls $scene)"
  cmp -s $scene/*.png && fail "$scene: nothing moves"
  prints "(Reynolds number|--re would be) .*of .+ \([0-9.]+\) and the speed .+ \([0-9.]+\)"
  ! grep -q nan $scene.csv || fail "$scene: statistics that are no numbers: $(cat $scene.csv)"
  [ "$(wc -l <$scene.csv)" = 7 ] || fail "$scene: $(wc -l <$scene.csv) lines of statistics, not 7"
  awk -F, -v scene=$scene 'NR > 1 && !($1 == NR - 1 && $3 > 0 && $4 > 0 && $5 >= 0 && $5 <= 1e-3) { bad = 1 } END { exit bad }' \
    $scene.csv || fail "$scene: statistics $(cat $scene.csv)"
done
prints "a cavity heated from the side, 48 x 40 cells"
[ "$(head -n 1 smoke.csv)" = "step,time,dt,kinetic_energy,max_divergence,corrections,iterations,velocity_change,effective_re,drag,lift,\
pressure_difference,wake_length,flux_left,flux_right,flux_bottom,flux_top,friction_bottom,friction_top,back_bottom_from,back_bottom_to,\
back_top_from,back_top_to,dye_left,dye_right,dye_bottom,dye_top,nusselt_left,nusselt_right,nusselt_bottom,nusselt_top,seconds,advection,\
diffusion,projection,splats,streaks,reductions,pressure,drawing" ] || fail "the statistics' columns: $(head -n 1 smoke.csv)"
awk -F, 'NR > 1 && !($32 > 0 && $33 > 0 && $39 > 0 && $33 + $35 + $39 < $32) { bad = 1 } END { exit bad }' smoke.csv ||
  fail "stages take no time, or more than the step: $(cat smoke.csv)"

# shellcheck disable=SC2086
expect 0 $small --scene smoke --out again --quiet
silent out "a quiet run"
silent err "a quiet run"
diff -r smoke again >/dev/null || fail "the same arguments give other pictures"
for field in u v pressure dye speed vorticity divergence streaks; do
  # shellcheck disable=SC2086
  expect 0 $small --scene vortices --field $field --out $field --quiet
  cmp -s vortices/vortices-0001.png $field/vortices-0001.png && fail "$field looks like inks"
done
# Arrows and streamlines are drawn over inks, too.
for over in arrows streamlines; do
  # shellcheck disable=SC2086
  expect 0 $small --scene vortices --frames 1 --over $over --out over-$over --quiet
  cmp -s vortices/vortices-0000.png over-$over/vortices-0000.png && fail "--over $over draws nothing over inks"
done
# What flows in with dye has inks, too.
for dye in 0 1; do
  expect 0 $small --scene jet --field inks --with "left inflow, u = 1, from = 0.3, to = 0.7, dye = $dye" --frames 1 --out "jet-$dye" --quiet
done
cmp -s jet-0/jet-0000.png jet-1/jet-0000.png && fail "no ink flows in"
# The state of inks is saved, too: going on gives the same picture.
# shellcheck disable=SC2086
expect 0 $small --scene vortices --frames 1 --out half --quiet --save inks.state
expect 0 --load inks.state --frames 1 --steps-per-frame 3 --out rest --quiet
cmp -s rest/$(ls rest | tail -n 1) vortices/vortices-0001.png || fail "inks that were saved go on differently"
for other in "--lines" "--scheme donor-cell" "--re 10" "--dt 0.003" "--colormap viridis" "--colormap grey" \
  "--obstacles smoke/smoke-0000.png"; do
  # shellcheck disable=SC2086
  expect 0 $small --scene vortices --field vorticity --out other $other
  cmp -s vorticity/vortices-0001.png other/vortices-0001.png && fail "$other changes nothing"
done

# The lid drags the fluid along: the profile's last u is large, its first one negative or small.
expect 0 --scene cavity --size 33x33 --re 100 --until-steady 0.02 --out steady --profile profile.csv --solver cg
awk -F, '/^u/ { last = $3; if ($3 < least) least = $3; count++ } END { exit !(count == 33 && last > 0.8 && least < -0.1) }' \
  profile.csv || fail "the profile is $(cat profile.csv)"
expect 0 --scene step --size 48x20 --time 0.1 --out short --stats short.csv
head -n 2 short.csv | awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k } END { exit !($at["nusselt_top"] == "" && $at["dye_left"] != "") }' ||
  fail "walls without heat have Nusselt numbers, or no dye is measured: $(cat short.csv)"
awk -F, 'END { exit !($2 >= 0.1 && $2 < 0.3) }' short.csv || fail "--time 0.1 ends at $(tail -1 short.csv)"

# A tolerance that single precision cannot meet is said; pictures that stay on the device leave no folder.
expect 0 --scene cavity --size 24x24 --tolerance 1e-10 --frames 1 --steps-per-frame 2 --no-pictures --out unwritten
complains "2 steps left more divergence than the tolerance"
prints "1 pictures painted, .* a second of 2 steps each"
expect 0 --scene cavity --size 24x24 --dt 0.01 --time 0.045 --steps-per-frame 100 --no-pictures # a picture that ends early
prints "1 pictures painted, .* a second of 5 steps each"
[ ! -e unwritten ] || fail "--no-pictures writes $(ls unwritten)"

# Edges and the inflow's profile are options, too; a missed tolerance is said.
expect 0 --scene channel --with "left inflow, u = 2; scheme donor-cell, gamma = 1" --size 40x8 --frames 1 --steps-per-frame 2 --out other \
  --stats with.csv --save with.state
awk -F, 'END { exit !($14 < -1.99 && $14 > -2.01) }' with.csv || fail "the inflow of --with is $(tail -n 1 with.csv)"
expect 0 --load with.state --frames 1 --steps-per-frame 2 --out other --stats with.csv
awk -F, 'END { exit !($1 == 4 && $14 < -1.99) }' with.csv || fail "the state has lost --with: $(tail -n 1 with.csv)"
expect 0 --scene cavity --size 16x16 --frames 1 --out other --tolerance 1e-12
complains "steps left more divergence than the tolerance"
refuses_here() {
  expect 2 "${@:2}"
  complains "^navier-stokes: .*$1"
}
refuses_here "'nonsense' must be one of vortices" --scene nonsense
expect 0 --help
[ -z "$(awk '/^  --|^ +\|/ && length > 80' "$log/out")" ] || fail "an option in --help is wider than 80 columns"
prints '\|pressure_difference$' # the last choice of --curves
refuses_here "--curves must be one of .*, pressure_difference, not 'x'" --curves x
refuses_here "did you mean 'cavity'" --scene cavty
refuses_here "cannot read the PNG picture" --size 8x8 --obstacles missing.png
refuses_here "no line begins with 'lefft'" --size 8x8 --with "lefft wall"
refuses_here "explicit diffusion" --size 64x64 --re 1 --dt 0.1
# ... which is for --implicit: vortices lose energy by backward Euler's rule, 1 / (1 + 1.56)^2 a step.
expect 0 --scene taylor-green --size 32x32 --stepping euler --implicit --re 5 --dt 0.05 --frames 1 --steps-per-frame 3 --out other --stats implicit.csv
awk -F, 'NR > 2 { if ($4 < 0.148 * e || $4 > 0.158 * e) bad = 1 } { e = $4 } END { exit bad }' implicit.csv ||
  fail "implicit diffusion leaves the energies $(cut -d, -f 4 implicit.csv)"
# Every group of curves is drawn, also those of places.
expect 0 --scene schaefer-turek --size 110x20 --frames 3 --steps-per-frame 2 --out plain --quiet
for group in drag,lift pressure_difference wake_length friction_bottom,friction_top flux_left,flux_right,flux_bottom,flux_top; do
  expect 0 --scene schaefer-turek --size 110x20 --frames 3 --steps-per-frame 2 --out curves --quiet --curves $group
  cmp -s curves/schaefer-turek-0002.png plain/schaefer-turek-0002.png && fail "--curves $group draws nothing"
done
# The picture of a flat domain has room for text above and below: it is 120 pixels high.
expect 0 --scene gartling --size 64x4 --frames 1 --steps-per-frame 1 --out flat --quiet
[ "$(od -An -j 20 -N 4 -t u1 flat/gartling-0000.png | tr -s ' ')" = " 0 0 0 120" ] || fail "the picture of a flat domain has another height"
refuses_here "cannot write" --size 8x8 --stats missing/folder.csv
refuses_here "u of cell .0, 0. is inf at the start" --size 8x8 --with "start u = 1/0"
refuses_here "what flows in .* must flow out somewhere: make another side an outflow" --size 8x8 --scene cavity --with "left inflow, u = 1"
finish
