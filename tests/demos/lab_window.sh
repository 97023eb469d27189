# The lab in a window: keys and mouse, every scene, field and scheme, and a scene's text that is changed there.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/window.sh"
open_display
scene=gray-scott
open_window --size 64x64 --out shots --verbose
wait_for "the window's own device" says "adopted"
wait_for "motion" title 'time [1-9]'
xdotool key space
wait_for "the pause" title 'paused'
shot
before=$last
shot
same "$before" "$last" || fail "the picture changes in the pause"
xdotool mousemove --window "$window" 300 200 click 1
changes "painting"
xdotool key m
xdotool mousemove --window "$window" 300 200 mousedown 1 mousemove_relative 20 20 mousemove_relative 20 20 mouseup 1
changes "taking away"
xdotool key f
changes "the view"
title ", view " || fail "the second field is no view"
xdotool mousemove --window "$window" 300 200 mousedown 1 mousemove_relative 60 20 mousemove_relative 30 10 mouseup 1
changes "turning the view"
for key in f:field c:colours l:lines b:colour-bar t:text period:single-step; do
  xdotool key ${key%:*}
  changes "the key for ${key#*:}"
done
xdotool key t e
changes "the text"
xdotool key period period
changes "the curves"
# What a key cannot do here is said.
xdotool key a
wait_for "arrows that are not there" says "no vectors for arrows"
xdotool key u
wait_for "nothing to be undone" says "nothing to undo"
xdotool key r
wait_for "a new start" title 'time 0\.00,'
close_window

every_scene --size 32x32
every_field
xdotool key F1
wait_for "the help" says "paint, or with M take away"
xdotool key space
for mode in 1 2 3 4 5 6; do
  xdotool mousemove --window "$window" 200 150 mousedown 1 mousemove_relative 40 30 mouseup 1 mousedown 3 mousemove_relative 9 9 mouseup 3 key m
done
xdotool key i o f c b t w h h plus minus v v comma period x
xdotool key space
wait_for "life" title "spots that divide"
close_window
every_scheme --size 16x16
open_window --size 32x32 --scene burgers --over arrows --scheme euler --out shots
wait_for "motion" title 'time (0\.0[1-9]|0\.[1-9]|[1-9])'
xdotool key space
wait_for "the pause" title 'paused'
scene=burgers shots=0
shot
xdotool key a
changes "leaving out the arrows"
close_window

ran() { [ "$(grep -c "runs what was typed" "$log/program")" -ge $1 ]; }

# A scene of one's own is typed: what is wrong in it is said with its place, and what runs goes on; then it runs, with fields that have names.
rm -r shots
open_window --size 48x48 --out shots --verbose
wait_for "motion" title 'time [1-9]'
xdotool key d
sleep 1
if ! says "built without Dear ImGui"; then
  type_text <<'END'
title prey and hunters
size 48, 48
fields prey, hunter
parameter D = 0.001, 0, 0.01
prey' = D * lap(prey) + prey * (1 - hunterr)
hunter' = D * lap(hunter) + hunter * (prey - 1)
END
  wait_for "what is wrong" says "gray-scott:5: column 37: nothing is called 'hunterr'; there are u, v, w, q, prey, hunter, D"
  title "spots that divide" || fail "a wrong text ends what ran"
  sleep 0.5 # the keyboard is the editor's again
  type_text <<'END'
title prey and hunters
size 48, 48
fields prey, hunter
parameter D = 0.001, 0, 0.01
parameter r = 1, 0, 3
prey' = D * lap(prey) + prey * (1 - hunter)
hunter' = D * lap(hunter) + hunter * (prey - r)
start prey = 1 + x, hunter = 0.5
step dt = 0.05
picture r * prey
colours viridis, from = 0, to = 5
END
  wait_for "the text" says "runs what was typed"
  wait_for "the scene" title "prey and hunters, .* time"
  keeps() { [ -s gray-scott.scene ]; }
  xdotool key ctrl+s
  wait_for "the saved text" keeps
  says "saved gray-scott.scene" && grep -q "^start prey = 1 + x, hunter = 0.5" gray-scott.scene || fail "another text is saved"
  rm gray-scott.scene
  mkdir -p gray-scott.scene/in-the-way
  xdotool key ctrl+s
  wait_for "what cannot be written" says "gray-scott.scene: .*irectory"
  rm -r gray-scott.scene
  xdotool mousemove --window "$window" 500 250 click 1 key ctrl+End type " nonsense"
  xdotool key ctrl+d
  xdotool key ctrl+Return
  wait_for "the text as it ran" ran 2
  says "nonsense" && fail "what has been typed is still there"
  screen before
  xdotool key d
  wait_for "the editor to go" other_screen before
  screen before
  xdotool key p
  wait_for "the panel" other_screen before
  xdotool key space
  wait_for "the pause" title 'paused'
  scene=gray-scott shots=0
  shot
  before=$last
  drag() { # a number's slider to the right; it is held
    # shellcheck disable=SC2046
    xdotool mousemove --window "$window" $(place_of "number $1")
    xdotool mousedown 1 mousemove_relative 10 0 mousemove_relative 20 0
  }
  wait_for "the sliders' places" place_of "number r"
  drag r # it is in the right-hand side alone: it counts while its slider is held
  changed() {
    shot
    ! same "$before" "$last"
  }
  wait_for "the slider of what is explicit" changed
  xdotool mouseup 1
  ran 3 && fail "a slider of what is explicit starts anew"
  # The panel misses a press that falls into the same picture as the release before it, which a busy machine makes likely.
  for ((try = 0; try < 10; try++)); do
    sleep 0.3
    drag D
    sleep 0.3
    xdotool mouseup 1
    for ((turn = 0; turn < 30; turn++)); do
      ran 3 && break 2
      sleep 0.1
    done
  done
  wait_for "the slider" ran 3
  screen before
  xdotool key p
  wait_for "the panel to go" other_screen before
  xdotool key f f
  wait_for "the field by its name" title ", prey "
  xdotool key f
  wait_for "the other field" title ", hunter "
  xdotool key f
  wait_for "no more than these" title ", picture "
fi
close_window

# Equations are typed into the form, from a blank field: a new name becomes a slider, an edge is chosen, what is wrong is told at its row.
open_window --size 48x48 --out shots --verbose
wait_for "motion" title 'time [1-9]'
if place_of "button scenes" >/dev/null; then
  press_button scenes
  press_item last
  wait_for "the blank field" title "your own equations"
  wait_for "the form" place_of "row u' ="
  fill() { # ROW TEXT
    press_at "row $1"
    sleep 0.4 # the field gets the keyboard
    xdotool key ctrl+a
    xdotool type --delay 8 "$2"
  }
  fill "u' =" "Du * lap(u) + cosine(u)"
  wait_for "what is wrong" says "form: nothing is called 'cosine'.* at u' =, character 14"
  fill "u' =" "Du * lap(u) - 2u"
  wait_for "what was typed" ran 1
  wait_for "the slider of a new name" shows Du "1 "
  place_of "number cosine" >/dev/null && fail "a name that was not used has a slider"
  fill "u(0) =" "x < 0.5"
  wait_for "the start" ran 2
  # Edges are chosen; both sides are periodic, or none is.
  press_at "row left"
  sleep 0.4
  press_item middle
  wait_for "two edges that are periodic" says "text right periodic"
  press_at "row top"
  sleep 0.4
  press_item last
  wait_for "an edge with fixed values" says "text top fixed"
fi
close_window
finish
