# The wave program in a window, driven by synthetic mouse and keys on a virtual display.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
open_display
start_of pond
open_window --size 60x45 --out shots
wait_for "the window's own device" says "adopted"

# Paused, nothing changes but what the mouse and the keys do.
pause
shot
before=$last
screen before
shot
same "$before" "$last" || fail "the picture changes in the pause"
click 40 40
changes "a click"
wait_for "the click on the screen" other_screen before
drag 60 30 1 10 10 10 10 10 10
changes "dragging"
click 50 60 4
drag 50 60 3 20 0
changes "drawing a wall"
drag 50 60 3 20 0
changes "erasing it"
changes "the next field" key f
changes "a single step" key period
changes "a new start" key r
titled 'time 0\.00,'
# Every field is shown, with arrows and curves. Plots are dragged from edge to edge, and over the picture, which then takes no part in it.
send key a e e
send
plots() { sed -n 's/.*: plots at \([0-9]*\) \([0-9]*\), up to \([0-9]*\) \([0-9]*\)$/\1 \2 \3 \4/p' "$log/program" | tail -n 1; }
picture() { sed -n 's/.*: picture of \(.*\) in .*/\1/p' "$log/program" | tail -n 1; }
read -r wide high < <(sed -n 's/.*: picture of .* in \([0-9]*\) x /\1 /p' "$log/program" | tail -n 1)
pull() { # X Y: the plots by their middle, there
  local l t r b
  read -r l t r b < <(plots)
  send mousemove --window "$window" $(((l + r) / 2)) $(((t + b) / 2)) mousedown 1 mousemove --window "$window" "$1" "$2"
  send mouseup 1
  read -r left top right bottom < <(plots)
}
below=$(picture)
pull $((wide - 20)) $((high / 2))
((right > wide - 20 && left > wide / 2)) || fail "plots that are dragged to the right are at $(plots)"
pull $((wide / 2)) $((high - 10))
[ "$(picture)" = "$below" ] || fail "plots do not come back below the picture: $(picture), not $below"
pull 10 $((high / 2))
((left == 0 && right < wide / 2)) || fail "plots that are dragged to the left are at $(plots)"
pull $((wide / 2)) 10
((top < high / 3 && right - left > wide / 2)) || fail "plots that are dragged to the top are at $(plots)"
pull $((wide / 2)) $((high / 2))
((left > 0 && right < wide && top > high / 6)) || fail "plots that are dragged over the picture are at $(plots)"
floating=$(picture)
shot
before=$last
pull $((wide / 2 + 20)) $((high / 2 + 15))
[ "$(picture)" = "$floating" ] || fail "plots over the picture move it: $(picture), not $floating"
shot
same "$before" "$last" || fail "plots that are dragged over the picture drop waves into it"
pull $((wide / 2)) $((high - 10))
every_field
send key F1
told "the help" "drop waves; or sources"
send key F1
# Every key does something or nothing, but never ends the program; probes, a line, sources and media by the left button.
send key space
for mode in 1 2 3 4 5 6 7 8 9 10; do
  drag 30 40 1 20 15
  send key m
done
drag 50 60 3 20 0
send key u ctrl+z i o f c l b t a e w h h v v Left Right minus x
titled "wave: elliptic pond"
# Minus and plus of the keypad, and steps back.
send key KP_Add KP_Add KP_Subtract
time_now() { xdotool getwindowname "$window" | sed -n 's/.* time \([0-9.]*\),.*/\1/p'; }
goes_back() { # once a state has been kept
  send key space
  rest 0.3
  before=$(time_now)
  send key comma
  below "$(time_now)" "$before"
}
wait_for "a step back" goes_back
close_window

# Scenes run one after the other.
every_scene --size 40x30 --over arrows --curves energy
close_window
every_scheme --size 40x30

# What goes wrong is said in the window, and nothing ends: a scene that the scheme cannot show is left out, a screenshot that cannot be written.
echo >blocked
open_window --size 40x30 --scene membrane --scheme conserving --field energy --dt 0.01 --out blocked/shots --save next.state
send key n
told "which scenes are left out" "single slit: .*takes the explicit scheme"
titled "whispering gallery"
send key s
told "what is wrong" "no screenshot: .*blocked"
pause
send key r
titled "time 0\.0"
close_window
# What was given for the scene before is not saved with the next one.
expect 0 --load next.state --frames 1 --steps-per-frame 1 --headless --no-pictures

# Own scenes are read anew by R; a wrong one leaves what is shown.
printf 'title first\nsize 40, 30\nsteps 2\ndrop at = 0, x = 0.5, y = 0.5, radius = 0.1, height = 1\n' >calm.scene
open_window --scene calm.scene --out shots --save calm.state
titled ": first,"
printf 'title second\nsize 40, 30\nsteps 2\ncolours viridis, most = 1\n' >calm.scene
send key r
titled ": second,"
echo nonsense >>calm.scene
send key r
told "what is wrong" "calm.scene:5: no line begins with 'nonsense'"
wait_for "the scene of before" title ": second, .* time [0-9.]*[1-9]"

# What the mouse has placed in calm water: undo takes it back, R leaves it, X does not, and a saved state goes on with it.
start_of calm
pause
shot
empty=$last
send key m m m
click 30 40
changes "a slow medium"
send key m
click 60 40
changes "what absorbs"
media=$last
send key m
click 30 40
changes "erasing a medium"
changes "undo" key u
same "$last" "$media" || fail "undo does not bring the medium back"
send key u u
shot
same "$last" "$empty" || fail "undo leaves something of the media"
drag 30 60 3 20 0
changes "an obstacle"
obstacle=$last
send key m m m # past the two modes of probes: an obstacle is moved
drag 31 60 1 20 -20 20 -20
changes "moving it"
send key u
shot
same "$last" "$obstacle" || fail "undo does not bring the obstacle back to its place"
send key m m m # past drawing them, and the first mode: sources
click 70 60
changes "a source" key i
sed -i '$d' calm.scene
send key r
titled 'time 0\.00,'
close_window
[ -s calm.state ] || fail "nothing is saved"
expect 0 --load calm.state --frames 3 --steps-per-frame 40 --headless --no-pictures --stats calm.csv
awk -F, 'END { exit !($4 > 0) }' calm.csv || fail "the source that was placed is not in the saved state: $(tail -1 calm.csv)"

# Media that were painted, sources and probes that were placed are lines of the scene's text.
printf 'title third\nsize 40, 30\nsource x = 0.3, y = 0.5, radius = 0.05, amplitude = 100, frequency = 2\n' >own.scene
for sources in no some; do
  start_of own
  open_window --scene own.scene --size 40x30 --steps-per-frame 1 --out shots
  pause
  send key m m m
  drag 60 30 1 20 0
  send key m
  drag 60 70 1 20 0
  send key m
  drag 61 30 1 9 0
  drag 20 70 3 20 0
  if [ $sources = no ]; then
    shares own '^(slow|absorb|clear|draw) ' 4 24
  else
    send key m
    click 30 40
    click 80 20
    send key m
    drag 10 20 1 60 20
    send key l m m m m # past obstacles and the first mode: sources
    click 70 50
    shares own '^(source|marks|probe|along|slow|absorb|clear|draw) ' 10 24
  fi
done

# A screenshot carries its scene and options, and so does the command line that is copied.
start_of two-sources
open_window --size 40x30 --scene two-sources --frequency 7 --low -0.5 --high 0.5 --out shots
send key f y
told "the command line" "copied: wave --scene two-sources --size 40x30 --field (surface|velocity) --low -0.5 --high 0.5 --frequency 7$"
shot
cp "$last" shared.png
again=$(sed -n 's/.*copied: wave //p' "$log/program")
# The panel: there, numbers are dragged and lists opened wherever they are; or it is said that it was not built in.
pause
send key p
send
if ! says "built without Dear ImGui"; then
  # Each number shows its own value, with its unit, and goes back to it.
  shows frequency "7 1/s" || fail "another frequency is shown"
  shows damping "0 1/s" || fail "another damping is shown"
  drag_number damping
  shows damping "0 1/s" && fail "the damping cannot be dragged"
  press_at "reset damping"
  shows damping "0 1/s" || fail "the damping is not reset"
  send mousemove --window "$window" 320 240
  screen before
  send key Escape
  wait_for "the panel to go" other_screen before
  shot
  click 10 20
  changes "a click where the panel was"
  # Escape closes the text, too, and what has been typed is still there, however fast all of that comes.
  send key d n o n s e n s e space Escape d ctrl+Return
  send
  told "what has been typed" "no line begins with 'nonsense'"
  send key p
  for y in 100 150 200 250 300; do
    send mousemove --window "$window" 100 $y
    send mousedown 1
    send mousemove_relative 30 0
    send mouseup 1
  done
fi
close_window
expect 0 --scene shared.png --frames 3 --headless --out again
# shellcheck disable=SC2086 # several words
expect 0 $again --frames 3 --headless --out third
for k in 0 1 2; do
  cmp -s again/shared-000$k.png third/two-sources-000$k.png || fail "picture $k of the screenshot's scene and of the command line differ: $(ls again third)"
done
"$WAVE" --scene third/two-sources-0000.png --headless --frames 1 2>"$log/err" && fail "a picture without a scene is shown"
grep -q "no scene in it" "$log/err" || fail "it is not said that the picture has no scene: $(cat "$log/err")"

# The window draws from texla's own texture: only a recording reads pictures back.
readbacks() { sed -n 's/.* pictures in the window, .* \([0-9]*\) read-backs$/\1/p' "$log/program"; }
count=()
for record in "" --record; do
  open_window --size 40x30 --steps-per-frame 4 --frames 6 --out kept $record
  await_end
  count+=("$(readbacks)")
done
[ "${count[1]}" = $((count[0] + 6)) ] || fail "read-backs of 6 pictures: ${count[0]}, recorded ${count[1]}"
finish
