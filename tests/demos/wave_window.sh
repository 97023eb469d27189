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

close_window

# Every scene runs, and every field is shown; so are arrows and curves.
every_scene --size 60x44 --over arrows --curves energy
every_field
xdotool key F1
wait_for "the help" says "drop waves; or sources"
close_window
every_scheme --size 60x44

# What goes wrong is said in the window, and nothing ends: a scene that the scheme cannot show is left out, a screenshot that cannot be written.
echo >blocked
open_window --size 60x44 --scene membrane --scheme conserving --field energy --dt 0.01 --out blocked/shots --save next.state
xdotool key n
wait_for "the scenes that are left out" says "single slit: .*takes the explicit scheme"
wait_for "a scene that can be shown" title "whispering gallery"
xdotool key s
wait_for "the message" says "no screenshot: .*blocked"
wait_for "life" title "time [1-9]"
xdotool key space
wait_for "the pause" title 'paused'
xdotool key r
wait_for "a new start" title "time 0\.0"
close_window
# What was given for the scene before is not saved with the next one.
expect 0 --load next.state --frames 1 --steps-per-frame 1 --headless --no-pictures

# Own scenes are read anew by R; a wrong one leaves what is shown. Plus and minus of the keypad, and steps back.
printf 'title first\nsize 60, 40\nsteps 2\ndrop at = 0, x = 0.5, y = 0.5, radius = 0.1, height = 1\n' >own.scene
open_window --scene own.scene --out shots
wait_for "the scene" title ": first,"
sed -i 's/first/second/' own.scene
xdotool key r
wait_for "the changed scene" title ": second,"
echo nonsense >>own.scene
xdotool key r
wait_for "what is wrong" says "own.scene:5: no line begins with 'nonsense'"
wait_for "the scene of before" title ": second, .* time [1-9]"
xdotool key KP_Add KP_Add KP_Subtract
time_now() { xdotool getwindowname "$window" | sed -n 's/.* time \([0-9.]*\),.*/\1/p'; }
xdotool key space
wait_for "the pause" title 'paused'
sleep 0.3
before=$(time_now)
xdotool key comma
is_earlier() { below "$(time_now)" "$before"; }
wait_for "a step back" is_earlier
# Every key does something or nothing, but never ends the program; probes, a line, sources and media by the left button.
xdotool key space
for mode in 1 2 3 4 5 6 7 8 9 10; do
  xdotool mousemove --window "$window" 200 200 mousedown 1 mousemove_relative 40 30 mouseup 1
  sleep 0.2
  xdotool key m
done
xdotool mousemove --window "$window" 300 300 mousedown 3 mousemove_relative 20 0 mouseup 3 key u ctrl+z i o f c l b t a e w h h v v Left Right minus x
wait_for "life" title "wave: second"
close_window

# What the mouse has placed in calm water: undo takes it back, R leaves it, X does not, and a saved state goes on with it.
printf 'title calm\nsize 60, 40\nsteps 2\ncolours viridis, most = 1\n' >calm.scene
rm -rf shots
scene=calm shots=0
open_window --scene calm.scene --out shots --save calm.state
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key space
wait_for "the pause" title 'paused'
click_at() { xdotool mousemove --window "$window" "$1" "$2" click 1; }
shot
empty=$last
xdotool key m m m
click_at 300 200
changes "a slow medium"
xdotool key m
click_at 500 200
changes "what absorbs"
media=$last
xdotool key m
click_at 300 200
changes "erasing a medium"
xdotool key u
changes "undo"
same "$last" "$media" || fail "undo does not bring the medium back"
xdotool key u u
shot
same "$last" "$empty" || fail "undo leaves something of the media"
xdotool mousemove --window "$window" 300 330 mousedown 3 mousemove_relative 20 0 mouseup 3
changes "an obstacle"
obstacle=$last
xdotool key m m m # past the two modes of probes: an obstacle is moved
xdotool mousemove --window "$window" 305 330 mousedown 1 mousemove_relative 60 -60 mousemove_relative 60 -60 mouseup 1
changes "moving it"
xdotool key u
shot
same "$last" "$obstacle" || fail "undo does not bring the obstacle back to its place"
xdotool key m m m # past drawing them, and the first mode: sources
click_at 500 300
xdotool key i
changes "a source"
xdotool key r
wait_for "a new start" title 'time 0\.00,'
close_window
[ -s calm.state ] || fail "nothing is saved"
expect 0 --load calm.state --frames 3 --steps-per-frame 40 --headless --no-pictures --stats calm.csv
awk -F, 'END { exit !($4 > 0) }' calm.csv || fail "the source that was placed is not in the saved state: $(tail -1 calm.csv)"

# A screenshot carries its scene and options, and so does the command line that is copied.
open_window --size 60x40 --scene two-sources --frequency 7 --out share
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key f y
wait_for "the command line" says "copied: wave --scene two-sources --size 60x40 --field (surface|velocity) --frequency 7$"
xdotool key s
shared() { says "saved .*/share/two-sources-screenshot-0000.png"; }
wait_for "the screenshot" shared
close_window
expect 0 --scene share/two-sources-screenshot-0000.png --frames 1 --headless --out again
expect 0 $(sed -n 's/.*copied: wave //p' "$log/program") --frames 1 --headless --out third
cmp -s again/two-sources-*.png third/two-sources-0000.png || fail "the screenshot and the command line differ: $(ls again third)"
"$WAVE" --scene third/two-sources-0000.png --headless --frames 1 2>"$log/err" && fail "a picture without a scene is shown"
grep -q "no scene in it" "$log/err" || fail "it is not said that the picture has no scene: $(cat "$log/err")"

# The panel: there, numbers are dragged and lists opened wherever they are; or it is said that it was not built in.
open_window --size 120x90 --scene two-sources --out shots --verbose
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key space
wait_for "the pause" title 'paused'
xdotool key p
sleep 1
if ! says "built without Dear ImGui"; then
  # Each number shows its own value, with its unit, and goes back to it.
  wait_for "the frequency of the scene's sources" shows frequency "10 1/s"
  wait_for "no damping" shows damping "0 1/s"
  drag_number damping "0 1/s"
  wait_for "the button that resets it" place_of "reset damping"
  for ((try = 0; try < 10; try++)); do
    press_at "reset damping"
    sleep 0.3
    shows damping "0 1/s" && break
  done
  wait_for "no damping again" shows damping "0 1/s"
  xdotool mousemove --window "$window" 100 150
  screen before
  xdotool key Escape
  wait_for "the panel to go" other_screen before
  rm -rf shots
  scene=two-sources shots=0
  shot
  xdotool click 1
  changes "a click where the panel was"
  # Escape closes the text, too, and what has been typed is still there.
  xdotool key d
  sleep 0.5
  xdotool type --delay 4 "nonsense "
  sleep 0.2
  xdotool key Escape
  sleep 0.3
  xdotool key d
  sleep 0.5
  xdotool key ctrl+Return
  wait_for "what has been typed" says "no line begins with 'nonsense'"
  xdotool key p
  for y in 100 125 150 175 200 225 250 275 300; do
    xdotool mousemove --window "$window" 100 $y mousedown 1 mousemove_relative 30 0
    sleep 0.1
    xdotool mouseup 1
  done
  xdotool key space
  wait_for "life" title "wave: .* time [1-9]"
fi
close_window

# The window draws from texla's own texture: only a recording reads pictures back.
readbacks() { sed -n 's/.* pictures in the window, .* \([0-9]*\) read-backs$/\1/p' "$log/program"; }
count=()
for record in "" --record; do
  open_window --size 60x40 --steps-per-frame 4 --frames 6 --verbose --out kept $record
  wait_for "the end" ended
  count+=("$(readbacks)")
done
[ "${count[1]}" = $((count[0] + 6)) ] || fail "read-backs of 6 pictures: ${count[0]}, recorded ${count[1]}"
finish
