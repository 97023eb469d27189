# The lab in a window: keys and mouse, every scene, field and scheme, and a scene's text that is changed there.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
screen_size=640x600 # high enough for all rows of the panel
open_display
start_of gray-scott
open_window --size 32x32 --out shots
wait_for "the window's own device" says "adopted"
pause
shot
before=$last
shot
same "$before" "$last" || fail "the picture changes in the pause"
click 30 40
changes "painting"
send key m
drag 30 40 1 20 20 20 20
changes "taking away"
changes "the view" key f
title ", view " || fail "the second field is no view"
drag 30 40 1 60 20 30 10
changes "turning the view"
for key in f:field c:colours l:lines b:colour-bar t:text period:single-step; do
  changes "the key for ${key#*:}" key ${key%:*}
done
changes "the text" key t e
changes "the curves" key period period
# What a key cannot do here is said.
send key a
told "that there are no arrows" "no vectors for arrows"
send key u
told "that there is nothing to be undone" "nothing to undo"
send key r
titled 'time 0\.00,'
every_field
send key F1
told "the help" "paint, or with M take away"
for mode in 1 2 3 4 5 6; do
  drag 30 40 1 40 30
  drag 60 60 3 9 9
  send key m
done
send key i o f c b t w h h plus minus v v comma period x
titled "spots that divide"
close_window

every_scene --size 32x32
close_window

# The grid follows what the scene's pictures cost in the last window, also of a scene that has been changed.
chosen=$'cost-gray-scott 1\npicture-gray-scott 0\ncost-coral 1\npicture-coral 0'
open_window --set F=0.05
wait_for "a coarse grid" says "spots that divide .*, 72 x 72 cells"
send key space n n y # paused: nothing is measured meanwhile
told "the next scene's grid" "copied: lab --scene coral .*--size 72x72"
send key n y
told "that of a scene that is not known, without powers of two" "copied: lab --scene spirals .*--size 248x248"
close_window
chosen=
every_scheme --size 16x16
start_of burgers
open_window --size 32x32 --scene burgers --over arrows --scheme euler --out shots
pause
shot
changes "leaving out the arrows" key a
close_window

# What is painted before the first step belongs to the scene's start, and to its text.
start_of burgers
open_window --scene burgers --size 32x32 --steps-per-frame 1 --out shots
pause
send key x
pause_at_start() { title 'time 0\.00'; }
pause_at_start || fail "X does not start anew"
drag 30 40 1 20 20
send key m
click 70 60
send key period
click 20 20 # not of the start
shares burgers '^(paint|take) ' 2 # the range of the colours follows what has been shown

ran() { # so many times
  [ "$(grep -c "runs what was typed" "$log/program")" -ge $1 ]
}

# A scene of one's own is typed: what is wrong in it is said with its place, and what runs goes on; then it runs, with fields that have names.
start_of gray-scott
open_window --size 48x48 --out shots
send key d
send
if ! says "built without Dear ImGui"; then
  type_text <<'END'
title prey and hunters
size 48, 48
fields prey, hunter
parameter D = 0.001, 0, 0.01
parameter r = 1, 0, 3
prey' = D * lap(prey) + prey * (1 - hunterr)
END
  told "what is wrong" "gray-scott:6: column 37: nothing is called 'hunterr'; there are u, v, w, q, prey, hunter, D, r"
  titled "spots that divide"
  # behind it, where the cursor is
  send key Up ctrl+Right ctrl+End BackSpace BackSpace BackSpace
  type_rest <<'END'
)
hunter' = D * lap(hunter) + hunter * (prey - r)
start prey = 1 + x, hunter = 0.5
step dt = 0.05
picture r * prey
colours viridis, from = 0, to = 5
END
  told "that it runs" "runs what was typed"
  titled "prey and hunters, .* time"
  send key ctrl+s
  send
  [ -s gray-scott.scene ] || fail "the text is not saved"
  says "saved gray-scott.scene" && grep -q "^start prey = 1 + x, hunter = 0.5" gray-scott.scene || fail "another text is saved"
  mv gray-scott.scene own.scene
  send key d # a key is a key again, without the editor
  shot
  cp "$last" own.png
  send key d
  send
  mkdir -p gray-scott.scene/in-the-way
  send key ctrl+s
  send
  told "what cannot be written" "gray-scott.scene: .*irectory"
  rm -r gray-scott.scene
  send mousemove --window "$window" 400 250
  send click 1
  send key ctrl+End
  xdotool type --delay 1 " nonsense"
  send key ctrl+d
  send key ctrl+Return
  send
  ran 2 || fail "the text as it ran does not run"
  says "nonsense" && fail "what has been typed is still there"
  send key ctrl+r
  send
  ran 3 || fail "what starts anew does not run"
  screen before
  send key d
  wait_for "the editor to go" other_screen before
  screen before
  send key p
  wait_for "the panel" other_screen before
  pause
  start_of gray-scott
  shot
  before=$last
  hold_number r # it is in the right-hand side alone: it counts while its slider is held
  shot
  same "$before" "$last" && fail "the slider of what is explicit changes nothing while it is held"
  send mouseup 1
  ran 4 && fail "a slider of what is explicit starts anew"
  drag_number D
  ran 4 || fail "a slider of what is implicit does not start anew"
  start_of gray-scott
  send key y
  shot
  cp "$last" slid.png
  slid=$(sed -n 's/.*copied: lab //p' "$log/program")
  screen before
  send key p
  wait_for "the panel to go" other_screen before
  send key f f
  titled ", prey "
  send key f
  titled ", hunter "
  send key f
  titled ", picture " # no more than these
fi

# Equations are typed into the form, from a blank field: a new name becomes a slider, an edge is chosen, what is wrong is told at its row.
if place_of "button scenes" >/dev/null; then
  press_button scenes
  move_to "first item"
  send click --repeat 40 --delay 20 5 # the menu is longer than the window
  press_item last
  titled "your own equations"
  send
  fill() { # ROW TEXT
    press_at "row $1"
    send key ctrl+a
    xdotool type --delay 1 -- "$2"
    send
  }
  fill "u' =" "Du * lap(u) + cosine(u)"
  wait_for "what is wrong" says "form: nothing is called 'cosine'.* at u' =, character 14"
  already=$(grep -c "runs what was typed" "$log/program")
  fill "u' =" "Du * lap(u) - 2u"
  wait_for "what was typed" ran $((already + 1))
  wait_for "the slider of a new name" shows Du "1 "
  place_of "number cosine" >/dev/null && fail "a name that was not used has a slider"
  fill "u(0) =" "x < 0.5"
  wait_for "the start" ran $((already + 2))
  # Edges are chosen; both sides are periodic, or none is.
  press_at "row left"
  press_item middle
  wait_for "two edges that are periodic" says "text right periodic"
  press_at "row top"
  press_item last
  wait_for "an edge with fixed values" says "text top fixed"
fi
close_window

# What was saved as a scene, and copied as a command line, shows what the window did: the same pictures as its screenshots, bit for bit.
alike() { # PICTURE ARGUMENTS...
  expect 0 --scene "$1" --frames 3 --headless --out from-picture
  expect 0 "${@:2}" --frames 3 --headless --out from-text
  for k in 0 1 2; do
    cmp -s from-picture/*-000$k.png from-text/*-000$k.png || fail "picture $k of $1 and of ${*:2} differ: $(ls from-*)"
  done
  rm -r from-picture from-text
}
if [ -e own.scene ]; then
  alike own.png --scene own.scene
  # shellcheck disable=SC2086 # several words
  alike slid.png $slid
  grep -q "^parameter D = 0.001," gray-scott*.scene && fail "the slider's value is not in the scene that was copied: $(grep D gray-scott*.scene)"
fi
finish
