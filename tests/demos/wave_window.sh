# The wave program in a window, driven by synthetic mouse and keys on a virtual display.
source "$(dirname "$0")/../cli/common.sh"
unset WAYLAND_DISPLAY TEXLA_DEVICE
command -v Xvfb >/dev/null || skip "no Xvfb"
command -v xdotool >/dev/null || skip "no xdotool"

# wait_for WHAT COMMAND...: until it succeeds
wait_for() {
  local try
  for ((try = 0; try < 300; try++)); do
    "${@:2}" >/dev/null 2>&1 && return
    sleep 0.1
  done
  fail "waited in vain for $1"
  cat "$log/wave" "$log/xvfb"
  finish
}

# Without -noreset the server would start anew, deaf for a moment, whenever its last client leaves.
Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp -noreset -fbdir "$log" 3>"$log/display" >"$log/xvfb" 2>&1 &
server=$! program=''
trap 'kill $server $program 2>/dev/null; wait; rm -rf "$work" "$log"' EXIT
wait_for "the display" grep -q '[0-9]' "$log/display"
export DISPLAY=:$(cat "$log/display")

"$TEXLA" --size 160x120 --out shots --verbose >"$log/wave" 2>&1 &
program=$!
find_window() {
  window=$(xdotool search --name '^wave: ') || ! kill -0 $program
}
wait_for "the window" find_window
grep -q "built without GLFW" "$log/wave" && skip "built without GLFW"
grep -q "adopted" "$log/wave" || fail "the window's own device is not used"
xdotool windowfocus --sync "$window"

title() { xdotool getwindowname "$window" | grep -qE "$1"; }
saved() { grep -q "saved $work/shots/pond-screenshot-$1.png" "$log/wave" && [ -s "shots/pond-screenshot-$1.png" ]; }
screen() { cp "$log/Xvfb_screen0" "$log/$1"; }
same() { cmp -s "$1" "$2"; }

shots=0
shot() { # takes a screenshot and waits for it
  xdotool key s
  wait_for "screenshot $shots" saved "$(printf %04d $shots)"
  last=shots/pond-screenshot-$(printf %04d $shots).png
  shots=$((shots + 1))
}
# changes WHAT: the next screenshot differs from the last one
changes() {
  local before=$last
  sleep 0.3
  shot
  same "$before" "$last" && fail "$1 changes nothing in the picture"
}

# Paused, nothing changes but what the mouse and the keys do.
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key space
wait_for "the pause" title 'paused'
shot
before=$last
screen before
shot
same "$before" "$last" || fail "the picture changes in the pause"
xdotool mousemove --window "$window" 100 100 click 1
changes "a click"
screen clicked
same "$log/before" "$log/clicked" && fail "a click changes nothing on the screen"
xdotool mousemove --window "$window" 300 100 mousedown 1
for step in 1 2 3 4 5; do
  xdotool mousemove_relative 20 20
done
xdotool mouseup 1
changes "dragging"
xdotool mousemove --window "$window" 200 150 click 4 click 4 mousedown 3 mousemove_relative 20 0 mouseup 3
changes "drawing a wall"
xdotool mousemove --window "$window" 200 150 mousedown 3 mousemove_relative 20 0 mouseup 3
changes "erasing it"
xdotool key f
changes "the next field"
xdotool key period
changes "a single step"
xdotool key r
wait_for "a new start" title 'time 0\.00,'
changes "a new start"

# It goes on, tells its keys, and ends well.
now=$(xdotool getwindowname "$window" | grep -oE 'time [0-9.]+')
xdotool key space
wait_for "the end of the pause" eval "! title '$now|paused'"
xdotool key F1
wait_for "the help" grep -q "drop waves: click or drag" "$log/wave"
xdotool key Escape
ended() { ! kill -0 $program; }
wait_for "the end" ended
wait $program || fail "it ends with status $?"
[ "$failures" -eq 0 ] || cat "$log/wave"
finish
