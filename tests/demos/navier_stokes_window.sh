# The navier-stokes program in a window, driven by synthetic mouse and keys on a virtual display.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
open_display
start_of vortices
open_window --scene vortices --size 48x48 --out shots
wait_for "the window's own device" says "adopted"

# Paused, nothing changes but what the mouse and the keys do.
pause
shot
before=$last
shot
same "$before" "$last" || fail "the picture changes in the pause"
for key in f:field c:colours b:colour-bar t:text; do
  changes "the key for ${key#*:}" key ${key%:*}
done
changes "the key for text" key t
shot
screen before
send key h
told "the help" "draw an obstacle"
wait_for "the help on the screen" other_screen before
send key h
shot
drag 20 20 3 30 30
changes "the right button"
drag 50 50 1 20 20 20 20 20 20
changes "dragging"
changes "a single step" key period

# A jet that is placed and turned blows; undo takes it back.
send key m
drag 60 50 1 0 -40 0 -40
changes "a jet"
send key m m m m m m # on to the first mode
changes "the jet" key period
changes "undo" key u

# A larger brush draws more: the stones that a click makes, counted in what it changes on the screen, where no text changes with them.
send key t
rests() { # the screen, kept in $log/$1, is as it was: what has been drawn last has arrived there
  screen rest
  send
  screen "$1"
  same "$log/rest" "$log/$1"
}
spot() { # X: a click of the right button there, and how many bytes of the screen it changes
  at "$1" 75
  screen before
  send "${to[@]}"
  wait_for "the brush's outline" other_screen before
  wait_for "the screen to rest" rests before
  send click 3
  wait_for "an obstacle on the screen" other_screen before
  wait_for "the screen to rest" rests after
  spots=$(cmp -l "$log/before" "$log/after" | wc -l)
}
spot 20
small=$spots
send click 4 click 4 click 4 click 4
spot 50
send key t
[ "$spots" -gt $((small + small / 4)) ] || fail "the wheel makes no larger brush: $small, then $spots bytes changed"

# The picture follows the window's size, keeps the domain's shape there or fills it, and the mouse finds its places in it.
screen before
xdotool windowsize --sync "$window" 600 350
wait_for "the resized picture" says "picture of .* in 600 x 350"
wait_for "it on the screen" other_screen before
shot
screen before
send key w
wait_for "the filled window" other_screen before
click 95 90 3
changes "an obstacle at the right end of the filled window"

# Every field is shown, with streamlines and curves over it; every key does something or nothing.
send key a a e
every_field
for mode in 1 2 3 4 5 6 7; do
  drag 40 40 1 40 30
  send key m
done
send key a e e e e e a i u o f c l l b b t t w h h p p comma period x r
titled 'colliding vortices'
send key n
titled 'rising smoke'
send key plus plus
pause
send key r
titled 'time 0\.0'
close_window

# Obstacles that are drawn, erased and moved belong to what is shared: a screenshot and the copied command line draw the same again, bit for bit.
start_of cylinder
open_window --scene cylinder --size 96x36 --field dye --steps-per-frame 1 --out shots
pause
drag 30 70 3 20 -20 30 10 20 20
send click 4 click 4
drag 75 30 3 0 20 10 10
drag 76 38 3 10 0 # from an obstacle on: erases
send key m m m m m # to the tool that moves
drag 30 70 1 -20 10 -20 -10
drag 24 45 1 0 20 # the scene's own
send key o
drag 60 80 3 25 0
send key u
shares cylinder '^(draw|erase|move) ' 5 24 # texts are left out: what they say depends on how often they have been shown

# So do jets, also those that are moved and removed.
start_of cavity
open_window --scene cavity --size 48x48 --field dye --steps-per-frame 1 --out shots
pause
send key m
drag 30 30 1 0 -20 10 -20
drag 60 60 1 20 0
drag 60 60 1 0 20
click 70 30
send key m
click 70 30
shares cavity '^jet ' 2 24

# Scenes run one after the other.
every_scene --size 48x32 --over streamlines --curves drag,lift
close_window
every_scheme --size 48x32

# Windows show what headless runs write, bit for bit; no jump of the mouse at the beginning disturbs.
for arguments in "--scene smoke --size 40x48" "--scene cylinder --size 90x30 --field streaks --seed 4"; do
  # shellcheck disable=SC2086
  expect 0 $arguments --frames 3 --steps-per-frame 2 --headless --out head
  xdotool mousemove 5 5 mousedown 1
  # shellcheck disable=SC2086
  open_window $arguments --frames 3 --steps-per-frame 2 --record --out win
  await_end
  xdotool mouseup 1
  diff -r head win >/dev/null || fail "$arguments: window and headless run differ: $(diff -rq head win)"
  rm -rf head win
done

# What is not finite any more pauses with a message, and a new start is possible.
start_of vortices
open_window --scene vortices --size 48x48 --scheme donor-cell --dt 2 --out shots
wait_for "the pause" title 'not finite any more'
told "why it pauses" "^navier-stokes: paused: .*a smaller time step than 2 is needed"
shot key space
titled 'not finite any more' # nothing goes on there
send key n
titled 'rising smoke'
close_window

# What is plotted over time is kept as CSV, with units; a flow without an obstacle has no drag to plot.
open_window --scene taylor-green --size 48x48 --out kept
wait_for "motion" title 'time [0-9.]*[1-9]'
send key e
kept() { send key k; says "saved kept/taylor-green-curves-0000.csv"; }
wait_for "the kept curves" kept
[ -s kept/taylor-green-curves-0000.png ] || fail "no picture of the curves: $(ls kept)"
[ "$(head -n 1 kept/taylor-green-curves-0000.csv)" = "time,kinetic_energy" ] || fail "other curves: $(head -n 1 kept/*.csv)"
# Four presses of N are four scenes on, and buttons do what keys do.
send key n n n n
titled "Gartling's step"
press_button pause
titled 'paused'

# A recording by a key: a film where ffmpeg is installed, otherwise pictures.
send key space v
told "the recording" 'recording into'
for picture in 1 2 3; do
  send
done
send key v
if command -v ffmpeg >/dev/null && ! says "needs the program ffmpeg"; then
  wait_for "the film" says "recorded kept/gartling-0000.mp4"
  [ -s kept/gartling-0000.mp4 ] || fail "no film: $(ls kept)"
else
  told "the pictures" 'recorded .*/kept'
fi
close_window
[ -z "$(ps -o pid= --ppid $$ | while read -r p; do ps -o stat=,comm= -p "$p"; done | grep '^Z.*ffmpeg')" ] ||
  fail "ffmpeg is left as a zombie"
finish
