# A context lost without a word: from some draw or read on, the driver drops them (faults/drop.c, preloaded). The program ends with a
# message, and what pictures there are, are those of a good run.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
run="--size 33x21 --frames 4 --steps-per-frame 2"

# dropping WHAT FROM FOLDER: a run that loses from that call on (0: nothing)
dropping() {
  # shellcheck disable=SC2086 # several words
  TEXLA_DROP="$1 $2" TEXLA_DROP_COUNT=$log/count LD_PRELOAD=$DROP "$TEXLA" $run --out "$3" >"$log/out" 2>"$log/err"
  status=$?
}

dropping draws 0 good # it measures the device
for what in draws reads both; do
  dropping $what 0 good
  [ "$status" -eq 0 ] || fail "a good run returned $status"
  count=$(cat "$log/count")
  [ "$count" -gt 20 ] || fail "$count $what in a run"
  for tenth in 0 2 4 6 8 9; do
    dropping $what $((1 + count * tenth / 10)) bad
    [ "$status" -ne 0 ] || fail "$what dropped after $tenth tenths of a run: nobody notices"
    complains 'lost'
    for picture in $(ls bad 2>/dev/null); do
      cmp -s "good/$picture" "bad/$picture" || fail "$what dropped after $tenth tenths: $picture is another one"
    done
    rm -rf bad
  done
done
finish
