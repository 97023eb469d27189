# Every scene of a program goes 200 steps, and all energies that it tells are numbers. In the short form every fourth scene goes 20, on a quarter of its cells.
source "$(dirname "$0")/../cli/common.sh"
steps=20 every=4 part=2
[ "${TEXLA_TEST_LEVEL:-}" != long ] || steps=200 every=1 part=1
while read -r scene width height; do
  expect 0 --scene "$scene" --size "$((width / part))x$((height / part))" --headless --no-pictures --frames 2 --steps-per-frame $((steps / 2)) --stats "$scene.csv" --quiet
  [ "$(tail -n +2 "$scene.csv" | wc -l)" -eq $steps ] || fail "$scene: not $steps steps: $(wc -l <"$scene.csv")"
  awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /energy$/) column = k }
    NR > 1 && ($column !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) { bad = 1 } END { exit bad || !column }' "$scene.csv" || fail "$scene: an energy that is no number: $(tail -n 1 "$scene.csv")"
done < <("$TEXLA" --help | sed -n '/^Scenes:/,/^$/s/^  \([a-z0-9-]*\)  *.*, \([0-9]*\) x \([0-9]*\)$/\1 \2 \3/p' | awk -v every=$every 'NR % every == 0')
[ -n "$(ls)" ] || fail "no scene was run"
finish
