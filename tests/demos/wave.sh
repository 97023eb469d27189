# The wave program without a display: every scene makes pictures; statistics, profiles and saved states hold what they say.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
png=$(printf '\211PNG')
small="--size 65x43 --frames 8 --steps-per-frame 6"

# pictures FOLDER SCENE COUNT: it holds SCENE-0000.png ... and nothing else, all of them PNG
pictures() {
  local k want=''
  for ((k = 0; k < $3; k++)); do
    want+="$2-$(printf '%04d.png' "$k")"$'\n'
  done
  [ "$(ls "$1")" = "${want%$'\n'}" ] || fail "$1 holds $(ls "$1" | tr '\n' ' ')"
  for k in "$1"/*; do
    [ "$(head -c 4 "$k")" = "$png" ] || fail "$k is not a PNG file"
  done
}

# Energy comes and goes with sources and absorbing edges only.
for scene in pond double-slit lens membrane; do
  # shellcheck disable=SC2086 # several words
  expect 0 $small --scene $scene --out $scene --stats $scene.csv --profile $scene-profile.csv
  pictures $scene $scene 8
  cmp -s $scene/$scene-000[07].png && fail "$scene: nothing moves"
  [ "$(wc -l <$scene.csv)" = 49 ] || fail "$scene: $(wc -l <$scene.csv) lines of statistics, not 49"
  awk -F, -v scene=$scene 'NR > 1 && !($1 == NR - 1 && $2 > 0 && $3 > 0 && $4 >= 0) { bad = 1 }
    NR == 3 { early = $4 } { late = $4 }
    END { kept = late < 1.001 * early && late > 0.999 * early; exit bad || kept != (scene == "pond" || scene == "membrane") }' \
    $scene.csv || fail "$scene: statistics $(cat $scene.csv)"
  [ "$(wc -l <$scene-profile.csv)" = 109 ] || fail "$scene: $(wc -l <$scene-profile.csv) lines of profile, not 109"
done
prints "struck membrane, 65 x 43 cells"
prints "no window: "
prints "8 pictures in $work/membrane, the last one is membrane-0007.png"

# shellcheck disable=SC2086
expect 0 $small --out again --quiet
silent out "a quiet run"
silent err "a quiet run"
diff -r pond again >/dev/null || fail "the same arguments give other pictures"

# What a lens looks like is no part of the values there.
expect 0 --scene lens --size 60x40 --frames 1 --steps-per-frame 1 --probes "0.4,0.5" --probe-csv glass.csv --no-pictures
[ "$(tail -1 glass.csv | cut -d, -f4)" = 0 ] || fail "calm glass has the height $(tail -1 glass.csv)"

# A view has values for probes, too.
expect 0 --size 40x30 --field view --frames 2 --steps-per-frame 2 --probes "0.3,0.4" --probe-csv view.csv --no-pictures
[ "$(wc -l <view.csv)" = 5 ] || fail "probes in a view: $(cat view.csv)"

# A drum fills its domain: omega = pi sqrt(1 + (2 / 1.5)^2) = 5.236, formulas and profiles count from its edges.
printf '%s\n' "title mode" "size 96, 64" "field height" "left fixed" "right fixed" "bottom fixed" "top fixed" \
  "start height = sin(2*pi*x/w)*sin(pi*y)" >mode.scene
expect 0 --scene mode.scene --time 6 --probes "0.37,0.5" --probe-csv mode.csv --no-pictures --profile mode-lines.csv
awk -F, 'NR > 2 && (old < 0) != ($4 < 0) { end = last + ($1 - last) * old / (old - $4); if (!n++) first = end } { old = $4; last = $1 }
  END { w = 3.14159265 * (n - 1) / (end - first); print w; exit !(w > 5.226 && w < 5.246) }' mode.csv >omega || fail "a drum: $(cat omega)"
awk -F, '/^u.s/ { last = $2 } END { exit (last - 1.5 + 1 / 128)^2 > 1e-10 }' mode-lines.csv || fail "the profile ends at another place"

# Layers follow the axis that they lie across, also on strips.
printf '%s\n' "title strip" "size 400, 4" "left absorbing" "right absorbing" "bottom periodic" "top periodic" \
  "start height = exp(-(x-50)^2/16)" >strip.scene
expect 0 --scene strip.scene --time 70 --no-pictures --profile strip.csv
awk -F, 'NR > 1 && $3 * $3 > m { m = $3 * $3 } END { exit m > 1e-6 }' strip.csv || fail "layers on a strip let much come back"

expect 2 --over streamlines --frames 1
complains "streamlines need vectors without divergence"

# A saved wave goes on as if nothing had been.
# shellcheck disable=SC2086
for scene in pond double-slit; do
  expect 0 $small --frames 5 --scene $scene --out first --save state
  expect 0 --frames 3 --load state --out second
  for k in 5 6 7; do
    cmp -s $scene/$scene-000$k.png second/$scene-000$k.png || fail "$scene: picture $k differs after --load"
  done
done

for other in "--edge reflecting" "--edge absorbing" "--edge periodic" "--colormap turbo" "--steps-per-frame 7" "--dt 0.01" \
  "--field height" "--field view" "--lines" "--field velocity" "--field energy" "--scheme crank-nicolson" "--scheme conserving" \
  "--obstacles double-slit/double-slit-0000.png"; do
  # shellcheck disable=SC2086
  expect 0 $small --scene membrane --out other $other
  cmp -s membrane/membrane-0007.png other/membrane-0007.png && fail "$other changes nothing"
done

# Stronger solvers need fewer iterations.
for solver in cg mg; do
  expect 0 --size 64x48 --frames 1 --scheme conserving --dt 0.5 --scene membrane --edge fixed --solver $solver \
    --stats $solver.csv --out solved
done
awk -F, 'FNR == 2 { n[++files] = $5 } END { exit !(n[2] > 0 && n[2] < n[1]) }' cg.csv mg.csv ||
  fail "multigrid takes $(sed -n 2p mg.csv), plain conjugate gradients $(sed -n 2p cg.csv)"

expect 0 --size 32x24 --steps-per-frame 1 --verbose
pictures frames pond 60
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
refuses_here "'nonsense' must be one of pond, double-slit" --scene nonsense
refuses_here "the largest allowed dt is 0.0110485" --size 64x64 --dt 0.02
refuses_here "takes the explicit scheme" --size 64x64 --scheme conserving --edge absorbing
refuses_here "must be two positive integers" --size 64
refuses_here "65536 x 65536" --size 65536x65536
refuses_here "one of viridis, magma" --colormap blue
refuses_here "from 1 to" --frames 0
refuses_here "unknown device" --device nonsense
expect 2 --size 9x9 --frames 1 --out file
complains "^wave: --out: cannot write pictures into file: Not a directory"
# What would not fit into the machine is refused, before the system begins to swap.
memory=$(awk '/MemTotal/ { printf "%.0f", $2 * 1024 }' /proc/meminfo 2>/dev/null)
if [ -n "$memory" ] && [ "$memory" -lt 37000000000 ]; then
  expect 2 --size 16384x16384 --frames 1 --out none
  complains "a scene of 16384 x 16384 cells takes about 35 GiB of memory, but this machine has"
fi
# A film holds its scene and what was chosen.
if command -v ffmpeg >/dev/null; then
  for film in kept.mp4 kept.gif; do
    expect 0 --scene luneburg --field velocity --size 48x32 --headless --frames 3 --out $film --quiet
    expect 0 --scene $film --headless --frames 3 --out again --quiet
    expect 0 --scene luneburg --field velocity --size 48x32 --headless --frames 3 --out first --quiet
    cmp -s again/kept-0002.png first/luneburg-0002.png || fail "$film is not taken up: $(ls again first)"
  done
  refuses_here "cannot open missing.mp4" --scene missing.mp4
fi
# A film for which there is no room is said, and not left.
if command -v ffmpeg >/dev/null; then
  (trap '' XFSZ; ulimit -f 8; "$TEXLA" --size 120x90 --headless --frames 40 --out film.mp4 --quiet) >"$log/out" 2>"$log/err" &&
    fail "a film without room is reported as good"
  complains "is there room on the disk|ffmpeg failed"
  [ ! -e film.mp4 ] || fail "a film that is not whole is left"
fi

# Without a display a window's pictures are drawn into a texture, to see how fast that is (where the program was built with windows).
texla --size 48x32 --headless --bench-window 2
if ! grep -q "cannot draw a picture" "$log/err"; then
  prints '^wave: pond, 48 x 32: without a display, 1920 x 1080 pixels: [0-9.]* pictures a second of [0-9.]* steps [(]the scene asks for [0-9]*[)]$'
fi
finish
