# The shallow water program without a display: every scene makes pictures; statistics, gauges, grids and saved states hold what
# they say; bad terrain is refused.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
small="--size 48x36 --frames 4 --steps-per-frame 3"

for scene in dam-break basin island harbour river tsunami document; do
  # shellcheck disable=SC2086 # several words
  expect 0 $small --scene $scene --out $scene --stats $scene.csv --profile $scene-profile.csv --gauge-csv $scene-gauges.csv
  [ "$(find $scene -name "$scene-*.png" | wc -l)" = 4 ] || fail "$scene: not 4 pictures"
  cmp -s $scene/$scene-000[03].png && fail "$scene: nothing moves"
  awk -F, 'NR == 1 && $0 !~ /^step,time,dt,volume,energy,deepest,speed,courant,.*prediction,systems,solve,update/ { bad = 1 }
    NR > 1 && !($4 > 0 && $6 > 0 && $7 > 0 && $8 > 0) { bad = 1 } END { exit bad || NR != 13 }' $scene.csv ||
    fail "$scene: statistics $(cat $scene.csv)"
  [ "$(wc -l <$scene-profile.csv)" = 85 ] || fail "$scene: $(wc -l <$scene-profile.csv) lines of profile, not 85"
  cut -d, -f 2 $scene.csv | tail -n 12 >times
  tail -n +2 $scene-gauges.csv | cut -d, -f 1 | cmp -s - times || fail "$scene: the gauges' times are not those of the 12 steps"
done
# Map and view have values for probes, too: the level.
for field in map view level; do
  # shellcheck disable=SC2086
  expect 0 $small --scene basin --field $field --probes "0.3,0.4" --probe-csv $field.csv --no-pictures
done
[ "$(wc -l <level.csv)" = 13 ] || fail "probes: $(cat level.csv)"
cmp -s level.csv map.csv && cmp -s level.csv view.csv || fail "probes of map and view are not those of the level: $(tail -n 1 map.csv level.csv)"

# A closed basin keeps its volume.
awk -F, 'NR == 2 { v = $4 } NR > 2 && ($4 > 1.00001 * v || $4 < 0.99999 * v) { bad = 1 } END { exit bad }' basin.csv ||
  fail "the basin loses water: $(cut -d, -f 4 basin.csv)"

# A saved state goes on as if nothing had been.
for arguments in "--scene dam-break" "--scene harbour --scheme five"; do
  # shellcheck disable=SC2086
  expect 0 --size 40x30 --steps-per-frame 3 $arguments --frames 6 --out whole
  # shellcheck disable=SC2086
  expect 0 --size 40x30 --steps-per-frame 3 $arguments --frames 3 --out first --save state
  expect 0 --load state --frames 3 --out second --level-out second.asc
  # shellcheck disable=SC2086
  expect 0 --size 40x30 --steps-per-frame 3 $arguments --frames 6 --out again --level-out whole.asc
  cmp -s second.asc whole.asc || fail "$arguments: the levels differ after --load"
  for picture in second/*; do
    cmp -s "$picture" "whole/${picture#second/}" || fail "$arguments: $picture differs after --load"
  done
  rm -rf whole first second again
done

# Terrain: what is written as an ESRI grid can be read; a PNG too.
expect 0 --size 40x30 --scene river --frames 2 --out river2 --level-out level.asc
[ "$(head -n 2 level.asc | tr '\n' ' ')" = "ncols 40 nrows 30 " ] || fail "level.asc begins with $(head -n 2 level.asc)"
printf 'ncols 4\nnrows 3\ncellsize 10\nNODATA_value -1\n1 1 1 1\n-9 -9 -1 1\n-9 -9 -9 1\n' >bay.asc
expect 0 --size 40x30 --scene basin --terrain bay.asc --frames 2 --out bay --profile bay.csv --gauges "0.2,0.2;0.6,0.1"
awk -F, 'NR > 1 && ($3 < -9.01 || $3 > 1.01) { bad = 1 } NR > 1 && $3 < -8 { deep = 1 } END { exit bad || !deep }' bay.csv ||
  fail "the ground of bay.asc became $(cut -d, -f 3 bay.csv | tr '\n' ' ')"
expect 0 --size 40x30 --scene basin --terrain basin/basin-0000.png --lowest -20 --highest 3 --frames 2 --out png --profile png.csv
awk -F, 'NR > 1 && ($3 < -20.01 || $3 > 3.01) { bad = 1 } END { exit bad }' png.csv || fail "the ground of a PNG lies outside of -20..3"

for other in "--scheme five" "--advection linear" "--theta 1" "--courant 5" "--friction none" "--field map" "--field level" \
  "--field depth" "--field speed" "--field vorticity" "--width 99" "--coriolis 0.05" "--gauges 0.3,0.3"; do
  # shellcheck disable=SC2086
  expect 0 $small --scene basin --out other $other
  cmp -s basin/basin-0003.png other/basin-0003.png && fail "$other changes nothing"
done
expect 0 --size 32x24 --frames 1 --out other --verbose --scheme five --solver mg
complains "conjugate gradients with a multigrid cycle: banded"

refuses_here() {
  expect 2 --frames 1 --out none "${@:2}"
  complains "^shallow-water: .*$1"
  [ ! -e none ] || fail "pictures in spite of '$1'"
}
printf 'ncols 4\nnrows 3\ncellsize 10\n1 2 3\n' >cut.asc
refuses_here "cut.asc:5: the file ends after 3 of 12 heights" --terrain cut.asc
printf 'ncols 2\nnrows 1\ncellsize 10\nNODATA_value -1\n-1 -1\n' >none.asc
refuses_here "none.asc has no heights at all" --terrain none.asc
printf 'ncols 2\nnrows 1\ncellsize 10\n5 5\n' >dry.asc
refuses_here "all 48 x 36 cells are dry" --terrain dry.asc --size 48x36 --scene basin
refuses_here "cannot open missing.asc" --terrain missing.asc
refuses_here "cannot read the PNG picture missing.png" --terrain missing.png
refuses_here "is not like 0.3,0.5" --gauges "0.3;0.5"
refuses_here "is not like 0.3,0.5" --gauges "0.3,1.5"
refuses_here "at most 10000 are allowed" --dt 1e9 --size 48x36
refuses_here "one of adi, five" --scheme explicit
finish
