# Sourced by the tests of windows, after cli/common.sh: a virtual display, and what a person does and sees there.
unset WAYLAND_DISPLAY TEXLA_DEVICE
command -v Xvfb >/dev/null || skip "no Xvfb"
command -v xdotool >/dev/null || skip "no xdotool"
server='' program='' window='' shots=0 last=''

# wait_for WHAT COMMAND...: until it succeeds
wait_for() {
  local try
  for ((try = 0; try < 300; try++)); do
    "${@:2}" >/dev/null 2>&1 && return
    sleep 0.1
  done
  fail "waited in vain for $1"
  cat "$log/program" "$log/xvfb"
  finish
}

# Without -noreset the server would start anew, deaf for a moment, whenever its last client leaves.
open_display() {
  Xvfb -displayfd 3 -screen 0 "${screen_size:-1024x768}x24" -nolisten tcp -noreset -fbdir "$log" 3>"$log/display" >"$log/xvfb" 2>&1 &
  server=$!
  trap 'kill $server $program 2>/dev/null; wait; rm -rf "$work" "$log"' EXIT
  wait_for "the display" grep -q '[0-9]' "$log/display"
  export DISPLAY=:$(cat "$log/display")
}

find_window() {
  window=$(xdotool search --onlyvisible --name "^$name: ") || ! kill -0 $program
}

focus_window() { # again where the server's answer has been missed
  timeout 0.5 xdotool windowfocus --sync "$window" || ended
}

# open_window ARGUMENTS...: starts the program and gives its window the keyboard
open_window() {
  name=$(basename "$TEXLA")
  rm -f "$XDG_CACHE_HOME"/texla/*.window # what was chosen in the last window
  "$TEXLA" "$@" >"$log/program" 2>&1 &
  program=$!
  wait_for "the window" find_window
  grep -q "built without GLFW" "$log/program" && skip "built without GLFW"
  wait_for "the window to take the focus" focus_window
}

says() { grep -qE "$1" "$log/program"; }
# place_of "button WHAT" or "number NAME": where it is in the window, as --verbose says
place_of() { sed -n "s/.*: $1 at \([0-9]* [0-9]*\)$/\1/p" "$log/program" | tail -1 | grep .; }
press_at() { # PLACE, as place_of tells it: long enough for the panel, which looks at the mouse once a picture
  # shellcheck disable=SC2046
  xdotool mousemove --window "$window" $(place_of "$1")
  sleep 0.2
  xdotool mousedown 1
  sleep 0.2
  xdotool mouseup 1
}
press_item() { # first|middle|last: of the menu that has just been opened
  wait_for "a menu" place_of "$1 item"
  press_at "$1 item"
}
press_button() { press_at "button $1"; } # WHAT
# drag_number NAME VALUE: to the right, until it has another value than this
drag_number() {
  local try
  for ((try = 0; try < 10; try++)); do
    # The panel misses a press that falls into the same picture as the release before it, which a busy machine makes likely.
    # shellcheck disable=SC2046
    xdotool mousemove --window "$window" $(place_of "number $1")
    sleep 0.3
    xdotool mousedown 1
    sleep 0.3
    xdotool mousemove_relative 10 0 mousemove_relative 20 0
    sleep 0.3
    xdotool mouseup 1
    sleep 0.3
    shows "$1" "$2" || return
  done
}
# shows NAME VALUE: the panel has this number
shows() { [ "$(sed -n "s/.*: value $1 = //p" "$log/program" | tail -1)" = "$2" ]; }
title() { xdotool getwindowname "$window" | grep -qE "$1"; }
screen() { cp "$log/Xvfb_screen0" "$log/$1"; }
same() { cmp -s "$1" "$2"; }
other_screen() { # the screen is not as in $log/$1 any more; it is kept in $log/after
  screen after
  ! same "$log/$1" "$log/after"
}
saved() { says "saved $work/shots/$scene-screenshot-$1.png" && [ -s "shots/$scene-screenshot-$1.png" ]; }

# shot: takes a screenshot of $scene, in the folder shots, and waits for it
shot() {
  xdotool key s
  wait_for "screenshot $shots" saved "$(printf %04d $shots)"
  last=shots/$scene-screenshot-$(printf %04d $shots).png
  shots=$((shots + 1))
}

# rests FILE: the screen, kept in $log/FILE, is as it was two screenshots ago: what the program showed before the second one has arrived there
rests() {
  screen rest
  shot
  shot
  screen "$1"
  same "$log/rest" "$log/$1"
}

# changes WHAT: the next screenshot differs from the last one
changes() {
  local before=$last
  shot
  same "$before" "$last" && fail "$1 changes nothing in the picture"
}

# every_scene ARGUMENTS...: opens a window, and goes through all scenes by N; each runs
every_scene() {
  open_window "$@"
  while read -r scene_title; do
    xdotool key n
    wait_for "the scene $scene_title" title ": ${scene_title//[()]/.},.* time [0-9.]*[1-9]"
  done < <("$TEXLA" --help | sed -n '/^Scenes:/,/^$/s/^  [a-z-]* *\(.*\), [0-9]* x [0-9]*$/\1/p' | { read -r first; cat; echo "$first"; })
}

# every_field: goes through all fields by F
every_field() {
  local field
  for field in $("$TEXLA" --help | sed -n 's/^ *--field \([a-z|-]*\) .*/\1/p' | tr '|' ' '); do
    xdotool key f
    wait_for "another field than $field" other_field "$field"
  done
}
other_field() { ! title "time [0-9.]*, $1 "; } # the title has it

ended() { ! kill -0 $program; }
await_end() { # well
  wait_for "the end" ended
  wait $program || fail "it ends with status $?"
  [ "$failures" -eq 0 ] || cat "$log/program"
}
# close_window: by a key; the program ends well. The key is not sent to the window (--window): that ends with the press, its release
# would fail, and the key, held for ever, would close every window that follows.
close_window() {
  wait_for "the end" leave
  await_end
}
leave() { # the first time may close what lies over the picture
  ended && return
  xdotool key Escape
  sleep 0.1
  ended
}

# type_text: replaces what is in the editor by the lines of standard input, and runs it
type_text() {
  local line
  xdotool key ctrl+a
  while read -r line; do
    xdotool type --delay 4 "$line"
    xdotool key Return
  done
  xdotool key ctrl+Return
}

# every_scheme ARGUMENTS...: a window with each scheme of time
every_scheme() {
  local scheme
  for scheme in $("$TEXLA" --help | sed -n 's/^ *--scheme \([a-z0-9|-]*\) .*/\1/p' | tr '|' ' '); do
    open_window --scheme "$scheme" --frames 3 "$@"
    await_end
  done
}
