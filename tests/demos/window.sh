# Sourced by the tests of windows, after cli/common.sh: a virtual display, and what a person does and sees there. Nothing is waited for by time:
# behind what is sent comes the key F12, and a program with --verbose says "mark N" once it has shown what it makes of all that came before it.
unset WAYLAND_DISPLAY TEXLA_DEVICE
command -v Xvfb >/dev/null || skip "no Xvfb"
command -v xdotool >/dev/null || skip "no xdotool"
server='' program='' window='' shots=0 last='' marks=0
mkfifo "$log/nothing"
exec 5<>"$log/nothing"                 # from which nothing ever comes:
rest() { read -r -t "$1" -u 5 || true; } # a sleep that is no process

# wait_for WHAT COMMAND...: until it succeeds, for what takes its own time
wait_for() {
  local end=$((SECONDS + 200))
  while ((SECONDS < end)); do
    "${@:2}" >/dev/null 2>&1 && return
    rest 0.05
  done
  fail "waited in vain for $1"
  cat "$log/program" "$log/xvfb"
  finish
}

# Without -noreset the server would start anew, deaf for a moment, whenever its last client leaves.
open_display() {
  Xvfb -displayfd 3 -screen 0 "${screen_size:-640x480}x24" -nolisten tcp -noreset -fbdir "$log" 3>"$log/display" >"$log/xvfb" 2>&1 &
  server=$!
  trap 'kill $server $program 2>/dev/null; wait; rm -rf "$work" "$log"' EXIT
  wait_for "the display" opened
  kill -0 $server 2>/dev/null || { fail "Xvfb ends: $(cat "$log/xvfb")"; finish; }
  export DISPLAY=:$(cat "$log/display")
}

opened() { grep -q '[0-9]' "$log/display" || ! kill -0 $server; }

find_window() {
  window=$(xdotool search --onlyvisible --name "^$name: ") || ! kill -0 $program
}

focus_window() { # again where the server's answer has been missed
  timeout 5 xdotool windowfocus --sync "$window" || ended
}

# open_window ARGUMENTS...: starts the program and gives its window the keyboard; `chosen` is what was chosen in the last window
chosen=
open_window() {
  name=$(basename "$TEXLA")
  mkdir -p "$XDG_CACHE_HOME/texla"
  echo "$chosen" >"$XDG_CACHE_HOME/texla/$name.window"
  rm -f "$log/program"
  : >"$log/program"
  exec 4<"$log/program"
  "$TEXLA" "$@" --verbose >>"$log/program" 2>&1 &
  program=$!
  marks=0
  wait_for "the window" find_window
  says "built without GLFW" && skip "built without GLFW"
  ended && { fail "it ends before it has a window: $(cat "$log/program")"; finish; } # xdotool would wait for ever
  wait_for "the window to take the focus" focus_window
}

# answered: the window shows what comes of all that was sent; 1: the program has ended before that
answered() {
  local line end=$((SECONDS + 200))
  marks=$((marks + 1))
  while ((SECONDS < end)); do
    while IFS= read -r -u 4 line; do
      [[ $line == *": mark $marks" ]] && return
    done
    ended && return 1
    rest 0.01
  done
  return 1
}

# send XDOTOOL...: what a person does; returns when the window shows what comes of it
send() {
  xdotool "$@" key F12
  answered && return
  fail "no answer to: $*"
  cat "$log/program"
  finish
}

says() { grep -qE "$1" "$log/program"; }
# told WHAT REGEX: the program has said that
told() { says "$2" || fail "it does not say $1: $(tail -3 "$log/program")"; }
# titled REGEX: the window's title is like that
titled() { title "$1" || fail "the title is $(xdotool getwindowname "$window"), not like $1"; }
title() { [[ $(xdotool getwindowname "$window") =~ $1 ]]; }

# at X Y: places, in hundredths of the picture from its upper left corner, as an xdotool command in the array `to`
at() {
  local place
  read -r -a place < <(sed -n 's/.*: picture of \([0-9]*\) x \([0-9]*\) at \([0-9]*\) \([0-9]*\) in .*/\1 \2 \3 \4/p' "$log/program" | tail -n 1)
  to=(mousemove --window "$window" $((place[2] + place[0] * $1 / 100)) $((place[3] + place[1] * $2 / 100)))
}
# click X Y [BUTTON]; drag X Y BUTTON DX DY...: presses a button there, and moves the mouse by these pixels before it lets go
click() { at "$1" "$2" && send "${to[@]}" click "${3:-1}"; }
drag() {
  local k moves=()
  at "$1" "$2"
  for ((k = 4; k < $#; k += 2)); do
    moves+=(mousemove_relative -- "${@:k:2}")
  done
  send "${to[@]}" mousedown "$3" "${moves[@]}" mouseup "$3"
}

# place_of "button WHAT" or "number NAME": where it is in the window, as the program has said last
place_of() { sed -n "s/.*: $1 at \([0-9]* [0-9]*\)$/\1/p" "$log/program" | tail -n 1 | grep .; }
move_to() { # PLACE
  # shellcheck disable=SC2046 # two numbers
  send mousemove --window "$window" $(place_of "$1" || fail "there is no $1")
}
# The panel looks at the mouse once a picture, and what has been pressed is answered with the next one.
press_at() { # PLACE, as place_of tells it
  move_to "$1"
  send mousedown 1
  send mouseup 1
  send
}
press_item() { press_at "$1 item"; } # first|middle|last: of the menu that has just been opened
press_button() { press_at "button $1"; } # WHAT
# drag_number NAME: to the right
drag_number() {
  hold_number "$1"
  send mouseup 1
  send
}
hold_number() {
  move_to "number $1"
  send mousedown 1
  send mousemove_relative 10 0
  send mousemove_relative 20 0
}
# shows NAME VALUE: the panel has this number
shows() { [ "$(sed -n "s/.*: value $1 = //p" "$log/program" | tail -n 1)" = "$2" ]; }
screen() { cp "$log/Xvfb_screen0" "$log/$1"; }
same() { cmp -s "$1" "$2"; }
other_screen() { # the screen is not as in $log/$1 any more
  screen after
  ! same "$log/$1" "$log/after"
}

# shot [XDOTOOL...]: does that, then takes a screenshot of $scene into the folder shots
shot() {
  send "$@" key s
  last=shots/$scene-screenshot-$(printf %04d $shots).png
  shots=$((shots + 1))
  says "saved $work/$last" && [ -s "$last" ] || fail "no screenshot $last"
}

# changes WHAT XDOTOOL...: after that the next screenshot differs from the last one
changes() {
  local before=$last
  shot "${@:2}"
  same "$before" "$last" && fail "$1 changes nothing in the picture"
}

# start_of SCENE: screenshots are of this one from now on, and begin anew
start_of() {
  rm -rf shots
  scene=$1 shots=0
}

pause() { # by the key, once it moves
  wait_for "motion" title 'time [0-9.]*[1-9]'
  send key space
  titled 'paused'
}

# scenes: titles of all; in the short form of the first four
scenes() {
  "$TEXLA" --help | sed -n '/^Scenes:/,/^$/s/^  [a-z0-9-]* *\(.*\), [0-9]* x [0-9]*$/\1/p' | if whole; then cat; else head -n 4; fi
}
# every_scene ARGUMENTS...: opens a window, and goes through the scenes by N; each runs
every_scene() {
  open_window "$@"
  while read -r scene_title; do
    send key n
    wait_for "the scene $scene_title" title ": ${scene_title//[()]/.},.* time [0-9.]*[1-9]"
  done < <(scenes | { read -r first; cat; whole && echo "$first"; })
}

# every_field: goes through all fields by F
every_field() {
  local field
  for field in $("$TEXLA" --help | sed -n 's/^ *--field \([a-z|-]*\) .*/\1/p' | tr '|' ' '); do
    send key f
    title "time [0-9.]*, $field " && fail "F does not leave the field $field"
  done
}

ended() { ! kill -0 $program 2>/dev/null; }
await_end() { # well
  wait_for "the end" ended
  wait $program || fail "it ends with status $?"
  exec 4<&-
  [ "$failures" -eq 0 ] || cat "$log/program"
}
# close_window: by a key; the program ends well. The key is not sent to the window (--window): that ends with the press, its release
# would fail, and the key, held for ever, would close every window that follows.
close_window() {
  local try
  for ((try = 0; try < 4; try++)); do # the first ones may close what lies over the picture
    xdotool key Escape key F12
    answered || break
  done
  await_end
}

# shares SCENE REGEX COUNT [ROWS]: what has been drawn or placed is so many lines of the scene's text, from which a screenshot, the command line that is copied
# and a film draw the same again after one step, bit for bit; but for these rows above and below, what the window shows. Closes it. `copied` is that command line.
shares() {
  local film kind
  rm -f "$1"-*.scene
  send key r period y v
  shot
  cp "$last" drawn.png
  copied=$(sed -n "s/.*copied: $name //p" "$log/program")
  send key v
  film=$(sed -n 's/.*recorded \(.*\.mp4\): .*/\1/p' "$log/program")
  close_window
  [ "$(grep -cE "$2" "$1-0000.scene")" = "$3" ] || fail "not $3 lines like $2: $(cat "$1-0000.scene")"
  expect 0 --scene drawn.png --frames 1 --headless --out from-picture
  # shellcheck disable=SC2086 # several words
  expect 0 $copied --frames 1 --headless --out from-text
  [ -z "$film" ] || expect 0 --scene "$film" --frames 1 --headless --out from-film
  for kind in text ${film:+film}; do
    cmp -s from-picture/*.png from-$kind/*.png || fail "the picture's scene and the $kind's ($copied) differ"
  done
  grep -vE "$2" "$1-0000.scene" >bare.scene
  # shellcheck disable=SC2086
  expect 0 ${copied/$1-0000.scene/bare.scene} --frames 1 --headless --out from-none
  cmp -s from-picture/*.png from-none/*.png && fail "nothing comes of $2"
  if [ -n "${4:-}" ] && command -v python3 >/dev/null; then
    python3 "$(dirname "$0")/png.py" drawn.png from-picture/*.png "$4" || fail "the screenshot shows something else"
  fi
  rm -r from-*
}

# type_text: replaces what is in the editor by the lines of standard input, and runs it; type_rest: adds them where the cursor is
type_text() {
  send key ctrl+a
  type_rest
}
type_rest() {
  local line
  while read -r line; do
    xdotool type --delay 1 -- "$line"
    xdotool key Return
  done
  send key ctrl+Return
  send
}

# every_scheme ARGUMENTS...: a window with each scheme of time, in the short form with the last one
every_scheme() {
  local scheme
  for scheme in $("$TEXLA" --help | sed -n 's/^ *--scheme \([a-z0-9|-]*\) .*/\1/p' | tr '|' ' ' | if whole; then cat; else sed 's/.* //'; fi); do
    open_window --scheme "$scheme" --frames 3 "$@"
    await_end
  done
}
