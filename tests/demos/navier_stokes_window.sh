# The navier-stokes program in a window, driven by synthetic mouse and keys on a virtual display.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
open_display
scene=vortices
open_window --scene vortices --size 80x80 --out shots --verbose
wait_for "the window's own device" says "adopted"

# Paused, nothing changes but what the mouse and the keys do.
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key space
wait_for "the pause" title 'paused'
shot
before=$last
shot
same "$before" "$last" || fail "the picture changes in the pause"
for key in f:field c:colours b:colour-bar t:text; do
  xdotool key ${key%:*}
  changes "the key for ${key#*:}"
done
xdotool key t
changes "the key for text"
shot
screen before
xdotool key h
wait_for "the help" says "draw an obstacle"
wait_for "the help on the screen" other_screen before
xdotool key h
shot
xdotool mousemove --window "$window" 100 100 mousedown 3 mousemove_relative 30 30 mouseup 3
changes "the right button"
xdotool mousemove --window "$window" 200 200 mousedown 1
for step in 1 2 3; do
  xdotool mousemove_relative 20 20
done
xdotool mouseup 1
changes "dragging"
xdotool key period
changes "a single step"

# A jet that is placed and turned blows; undo takes it back.
xdotool key m
xdotool mousemove --window "$window" 250 200 mousedown 1 mousemove_relative 0 -40 mousemove_relative 0 -40 mouseup 1
changes "a jet"
xdotool key m m m m m m # on to the first mode
xdotool key period
changes "the jet"
xdotool key u
changes "undo"

# A larger brush draws more: the stones that a click makes, counted in what it changes on the screen.
spot() { # X: a click of the right button there, and how many bytes of the screen it changes
  screen before
  xdotool mousemove --window "$window" "$1" 300
  wait_for "the brush's outline" other_screen before
  wait_for "the screen to rest" rests before
  xdotool click 3
  wait_for "an obstacle on the screen" other_screen before
  wait_for "the screen to rest" rests after
  spots=$(cmp -l "$log/before" "$log/after" | wc -l)
}
spot 100
small=$spots
xdotool click 4 click 4 click 4 click 4
spot 250
[ "$spots" -gt $((small + small / 4)) ] || fail "the wheel makes no larger brush: $small, then $spots bytes changed"

# The picture follows the window's size, keeps the domain's shape there or fills it, and the mouse finds its places in it.
screen before
xdotool windowsize --sync "$window" 900 500
wait_for "the resized picture" other_screen before
shot
screen before
xdotool key w
wait_for "the filled window" other_screen before
xdotool mousemove --window "$window" 780 480 click 3
changes "an obstacle at the right end of the filled window"

xdotool key n
wait_for "the next scene" title 'rising smoke'
scene=smoke shots=0
shot
xdotool key plus plus
sleep 0.2
xdotool key space
wait_for "the pause" title 'paused'
xdotool key r
wait_for "a new start" title 'time 0\.0'
close_window

# Every scene runs, and every field is shown, with streamlines and curves over it; every key does something or nothing.
every_scene --size 48x32 --over streamlines --curves drag,lift
every_field
for mode in 1 2 3 4 5 6 7; do
  xdotool mousemove --window "$window" 200 150 mousedown 1 mousemove_relative 40 30 mouseup 1 key m
done
xdotool key a e e e e e a i u o f c l l b b t t w h h p p comma period x r
wait_for "life" title 'colliding vortices'
close_window
every_scheme --size 48x32

# Windows show what headless runs write, bit for bit; no jump of the mouse at the beginning disturbs.
for arguments in "--scene smoke --size 60x72" "--scene cylinder --size 90x30 --field streaks --seed 4"; do
  # shellcheck disable=SC2086
  expect 0 $arguments --frames 5 --steps-per-frame 3 --headless --out head
  xdotool mousemove 5 5 mousedown 1
  # shellcheck disable=SC2086
  open_window $arguments --frames 5 --steps-per-frame 3 --record --out win
  await_end
  xdotool mouseup 1
  diff -r head win >/dev/null || fail "$arguments: window and headless run differ: $(diff -rq head win)"
  rm -rf head win
done

# What is not finite any more pauses with a message, and a new start is possible.
rm -rf shots
scene=vortices shots=0
open_window --scene vortices --size 48x48 --scheme donor-cell --dt 2 --out shots
wait_for "the pause" title 'not finite any more'
says "^navier-stokes: paused: .*a smaller time step than 2 is needed" || fail "no message says why it pauses"
xdotool key space
shot
title 'not finite any more' || fail "space goes on where nothing can go on"
xdotool key n
wait_for "the next scene" title 'rising smoke'
close_window

# What is plotted over time is kept as CSV, with units; a flow without an obstacle has no drag to plot.
open_window --scene taylor-green --size 48x48 --out kept --verbose
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key e
kept() { xdotool key k; says "saved kept/taylor-green-curves-0000.csv"; }
wait_for "the kept curves" kept
[ -s kept/taylor-green-curves-0000.png ] || fail "no picture of the curves: $(ls kept)"
[ "$(head -n 1 kept/taylor-green-curves-0000.csv)" = "time,kinetic_energy" ] || fail "other curves: $(head -n 1 kept/*.csv)"
# Four presses of N are four scenes on, and buttons do what keys do.
xdotool key n n n n
wait_for "the fourth scene from there" title "Gartling's step"
press_button pause
wait_for "the pause" title 'paused'
close_window

# A recording by a key: a film where ffmpeg is installed, otherwise pictures.
open_window --scene smoke --size 48x40 --out films
xdotool key v
wait_for "the recording" says 'recording into'
sleep 1
xdotool key v
if command -v ffmpeg >/dev/null && ! says "needs the program ffmpeg"; then
  wait_for "the film" says "recorded films/smoke-0000.mp4"
  [ -s films/smoke-0000.mp4 ] || fail "no film: $(ls films)"
else
  wait_for "the pictures" says 'recorded .*/films'
fi
close_window
[ -z "$(ps -o pid= --ppid $$ | while read -r p; do ps -o stat=,comm= -p "$p"; done | grep '^Z.*ffmpeg')" ] ||
  fail "ffmpeg is left as a zombie"
finish
