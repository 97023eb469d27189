# Scenes as text: a file of one's own, what is wrong with one, and its way through saved states. Tried with wave.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
small="--frames 2 --steps-per-frame 5 --quiet"
cat >own.scene <<'END'
title   my own          # a remark
about   two drops in a box
size    40, 30
field   surface
let r = hypot(x - w / 2, y - 0.5)
solid   r < 0.1
drop    at = 0, x = 0.3, y = 0.5, radius = 0.05, height = 1
END
# shellcheck disable=SC2086
expect 0 $small --scene own.scene --out own --save state
[ "$(ls own)" = "own-0000.png
own-0001.png" ] || fail "own.scene makes $(ls own)"
# A state holds its scene: the file need not be there any more.
# shellcheck disable=SC2086
expect 0 $small --scene own.scene --frames 4 --out whole
mv own.scene kept.scene
# shellcheck disable=SC2086
expect 0 $small --load state --out second
cmp -s whole/own-0003.png second/own-0003.png || fail "a state of an own scene goes on otherwise"

wrong() { # LINE MESSAGE [NUMBER]: own.scene with the line added
  { cat kept.scene; printf '%b\n' "$1"; } >own.scene
  expect 2 --scene own.scene --frames 1 --out none
  complains "^wave: --scene: own.scene:${3-8}: $2"
  [ ! -e none ] || fail "pictures in spite of '$2'"
}
wrong "sold x < 1" "no line begins with 'sold', but with one of let, title, about, size"
wrong "solid x < " "column 10: a value is missing"
wrong "solid hypot(x, y < 1" "column 20: '\)' is missing|column 21: '\)' is missing"
wrong "solid foo + 1" "column 7: nothing is called 'foo'"
wrong "solid 1.2.3" "column 7: this is no number: '1.2.3'"
wrong "solid x ]" "column 9: this does not belong to the formula: ']'"
wrong "left swamp" "'swamp' must be one of reflecting, fixed, absorbing, periodic"
wrong "left fixed, 3" "'left' takes no further value, but here is '3'"
wrong "source x = t" "'t' must be a number that does not depend on place or time"
wrong "source x = 1 / 0" "'1 / 0' must be a number"
wrong "source x = 1, x = 2" "'x' is given twice"
wrong "source x" "'x' needs a value: x = ..."
wrong "source z = 3" "'source' knows no 'z'; it knows x, y, dx"
wrong "source radius = 0" "0 is out of range: from 1e-06 to 10"
wrong "size 3, 4" "a second line 'size'"
wrong "steps 1.5" "'1.5' must be a whole number"
wrong "let 3a = 4" "'let' needs a name of letters and digits"
wrong "$(for ((k = 0; k < 7; k++)); do printf 'source x = 0\\n'; done)" "at most 6 lines may begin with 'source'" 14
printf 'title a\n' >own.scene
expect 2 --scene own.scene
complains "own.scene:1: the scene ends without a line 'size'"
expect 2 --scene missing.scene
complains "cannot open missing.scene: there is no such file"
expect 2 --load state --scene pond
complains "state holds --scene own: leave --scene out"
finish
