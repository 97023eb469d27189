# The window at three sizes (in the short form two) shows, in the area that the layout gives it, what the same run makes without a display.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
command -v python3 >/dev/null || skip "no python3"
sizes=("420 260" "1280 720" "3840 2160") tolerance=16
[ "${TEXLA_TEST_LEVEL:-}" = long ] || sizes=("420 260" "1280 720")
screen_size=3840x2160
open_display
# fields whose colours do not follow the values: how far these have followed depends on how many pictures there were
case $(basename "$TEXLA") in
  navier-stokes) run=(--scene kelvin-helmholtz --field dye --time 0.3) ;;
  wave) run=(--scene luneburg --time 0.4) ;;
  shallow-water)
    grep -v '^gauge' "$SOURCE"/demos/shallow-water/scenes/*-basin.scene >basin.scene # their plot stands over the picture in a file
    run=(--scene basin.scene --field map --time 30)
    ;;
  lab) run=(--scene fisher --time 4) ;;
esac
run+=(--size 48x32)
expect 0 "${run[@]}" --headless --out reference --quiet
settled() { # the screen, kept in $log/now
  screen now
  send
  screen later
  same "$log/now" "$log/later"
}
open_window "${run[@]}"
wait_for "the end of the run" title "paused"
xdotool mousemove 3839 2159
for size in "${sizes[@]}"; do
  # shellcheck disable=SC2086
  xdotool windowmove "$window" 0 0 windowsize --sync "$window" $size
  wait_for "a picture in $size" says "picture of .* in ${size/ / x }"
  wait_for "the screen to rest" settled
  python3 "$(dirname "$0")/areas.py" "$log/now" "$log/program" "$(ls reference/*.png | tail -1)" 48 32 $tolerance || fail "the picture in a window of $size is another one"
done
close_window
finish
