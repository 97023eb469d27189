# The wave program in a window, driven by synthetic mouse and keys on a virtual display.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
open_display
scene=pond
open_window --size 160x120 --out shots --verbose
wait_for "the window's own device" says "adopted"

# Paused, nothing changes but what the mouse and the keys do.
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key space
wait_for "the pause" title 'paused'
shot
before=$last
screen before
shot
same "$before" "$last" || fail "the picture changes in the pause"
xdotool mousemove --window "$window" 300 200 click 1
changes "a click"
wait_for "the click on the screen" other_screen before
xdotool mousemove --window "$window" 500 200 mousedown 1
for step in 1 2 3 4 5; do
  xdotool mousemove_relative 20 20
done
xdotool mouseup 1
changes "dragging"
xdotool mousemove --window "$window" 300 300 click 4 click 4 mousedown 3 mousemove_relative 20 0 mouseup 3
changes "drawing a wall"
xdotool mousemove --window "$window" 300 300 mousedown 3 mousemove_relative 20 0 mouseup 3
changes "erasing it"
xdotool key f
changes "the next field"
xdotool key period
changes "a single step"
xdotool key r
wait_for "a new start" title 'time 0\.00,'
changes "a new start"

# Every scene runs.
while read -r scene_title; do
  xdotool key n
  wait_for "the scene $scene_title" title ": $scene_title,.* time (0\.0[1-9]|0\.[1-9]|[1-9])"
done < <("$TEXLA" --help | sed -n '/^Scenes:/,/^$/s/^  [a-z-]* *\(.*\), [0-9]* x [0-9]*$/\1/p' | { read -r first; cat; echo "$first"; })
xdotool key F1
wait_for "the help" says "drop waves: click or drag"
close_window

# The window draws from texla's own texture: only a recording reads pictures back.
readbacks() { sed -n 's/.* pictures in the window, .* \([0-9]*\) read-backs$/\1/p' "$log/program"; }
count=()
for record in "" --record; do
  open_window --size 60x40 --frames 6 --verbose --out kept $record
  wait_for "the end" ended
  count+=("$(readbacks)")
done
[ "${count[1]}" = $((count[0] + 6)) ] || fail "read-backs of 6 pictures: ${count[0]}, recorded ${count[1]}"
finish
