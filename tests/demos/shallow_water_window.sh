# The shallow water program in a window: drops, walls, ground, and the view that turns.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
open_display
scene=basin
open_window --size 100x80 --scene basin --field map --out shots --verbose
wait_for "motion" title 'time (0\.[1-9]|[1-9])'
xdotool key space
wait_for "the pause" title 'paused'
shot
xdotool mousemove --window "$window" 300 200 click 1
changes "adding water"
xdotool key m
xdotool mousemove --window "$window" 400 150 click 1
changes "raising the ground"
xdotool mousemove --window "$window" 300 300 mousedown 3 mousemove_relative 20 0 mouseup 3
changes "drawing a wall"
xdotool key f
changes "the view"
xdotool mousemove --window "$window" 300 200 mousedown 1
for step in 1 2 3 4 5; do
  xdotool mousemove_relative 20 5
done
xdotool mouseup 1
changes "turning the view"
turned=$last
xdotool key m m m
xdotool mousemove --window "$window" 300 200 click 1 click 3
shot
same "$last" "$turned" || fail "what the mouse does at a place of the view changes more than the view"
xdotool key period
changes "a single step"
xdotool key n
wait_for "the next scene" title "wave around an island.* time ([1-9]|0\.[1-9])"
close_window

# Every scene runs, and every field is shown, with arrows and a curve over it.
every_scene --size 60x40 --over arrows --curves volume
every_field
close_window
finish
