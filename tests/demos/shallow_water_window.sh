# The shallow water program in a window: drops, walls, ground, and the view that turns.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
open_display
start_of basin
open_window --size 60x48 --scene basin --field map --out shots
pause
shot
click 40 40
changes "adding water"
send key m
click 60 30
changes "raising the ground"
drag 40 70 3 20 0
changes "drawing a wall"
changes "the view" key f
drag 40 40 1 20 5 20 5 20 5 20 5 20 5
changes "turning the view"
turned=$last
send key m m m
click 40 40
click 40 40 3
shot
same "$last" "$turned" || fail "what the mouse does at a place of the view changes more than the view"
changes "a single step" key period
# Every field is shown, with arrows and a curve over it.
send key a e
every_field
close_window

# Ground that is raised and lowered is lines of the scene's text, as obstacles are; undo takes it back.
start_of basin
open_window --size 60x48 --scene basin --field map --steps-per-frame 1 --out shots
pause
shot
before=$last
send key m
drag 30 30 1 20 0 20 10
send key u
shot
same "$before" "$last" || fail "undo leaves something of the ground that was raised"
drag 60 30 1 20 0 20 10
drag 40 70 3 20 0
send key m
drag 70 60 1 0 20 0 20
shares basin '^(raise|lower|draw) ' 3 24

# So are gauges of the command line, and what is shown beside the picture is options.
start_of river
open_window --size 60x40 --scene river --gauges "0.3,0.4;0.6,0.5" --no-text --steps-per-frame 1 --out shots
pause
send key b
shares river '^gauge ' 2
[[ $copied =~ --no-text\ +--no-colour-bar ]] || fail "neither text nor bar in what is copied: $copied"

# A view that was turned is options, too.
start_of island
open_window --size 60x40 --scene island --field view --steps-per-frame 1 --out shots
pause
drag 50 50 1 30 20 0 20
send key r period y
shot
cp "$last" turned.png
copied=$(sed -n 's/.*copied: shallow-water //p' "$log/program")
close_window
[[ $copied =~ --azimuth\ [0-9.-]+\ --tilt\ [0-9.]+ ]] || fail "no angles in what is copied: $copied"
expect 0 --scene turned.png --frames 1 --headless --out from-picture
# shellcheck disable=SC2086 # several words
expect 0 $copied --frames 1 --headless --out from-text
cmp -s from-picture/*.png from-text/*.png || fail "the picture's view and that of $copied differ"
expect 0 --scene turned.png --frames 1 --azimuth 66 --tilt 43 --headless --out from-front
cmp -s from-picture/*.png from-front/*.png && fail "nothing comes of the angles"
! command -v python3 >/dev/null || python3 "$(dirname "$0")/png.py" turned.png from-picture/*.png 24 || fail "the turned screenshot shows something else"

every_scene --size 48x32 --over arrows --curves volume
close_window
finish
