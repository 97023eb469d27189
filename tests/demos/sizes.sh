# The window at three sizes (in the short form two) shows, in the area that the layout gives it, what the same run makes without a display; at all three, text,
# buttons, plots, colours and picture stand beside each other.
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

# with a probe, whose values are plotted, and the panel
apart() { # none of the areas told last lies over another; that of plots is there
  awk '/: picture of [0-9]+ x [0-9]+ at/ { delete low; place("picture", $(NF - 5), $(NF - 4), $(NF - 5) + $4, $(NF - 4) + $6) }
    / at [0-9]+ [0-9]+, up to / { place($2, $4, $5 + 0, $(NF - 1), $NF) }
    function place(name, a, b, c, d) { low[name, 0] = a; low[name, 1] = b; high[name, 0] = c; high[name, 1] = d; names[name] = 1 }
    function within(m, n, k) { return low[m, k] < high[n, k] && low[n, k] < high[m, k] }
    function empty(n) { return low[n, 0] >= high[n, 0] || low[n, 1] >= high[n, 1] }
    END {
      for (m in names) for (n in names) if (m < n && !empty(m) && !empty(n) && within(m, n, 0) && within(m, n, 1)) { print m, "and", n; wrong = 1 }
      exit wrong || empty("picture") || empty("head") || empty("foot") || empty("buttons") || empty("plots")
    }' "$log/program"
}
press_button "place or remove a probe"
click 50 50
for size in "420 260" "1280 800" "3840 2160"; do
  # shellcheck disable=SC2086
  xdotool windowsize --sync "$window" $size
  wait_for "a picture in $size" says "picture of .* in ${size/ / x }"
  send
  apart || fail "areas lie over each other in a window of $size: $(grep ' up to ' "$log/program" | tail -6)"
done
send key p
apart || fail "areas lie over each other beside the panel: $(grep ' up to ' "$log/program" | tail -6)"
close_window
finish
