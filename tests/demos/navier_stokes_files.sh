# What the programs' common frame writes and reads: saved states, films. Tried with navier-stokes.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
run="--frames 3 --steps-per-frame 2 --tuning tuning --quiet"

# A run that goes on from a saved state makes the pictures of one that did not stop.
for arguments in "--scene smoke --size 52x44 --seed 3" "--scene cylinder --size 60x30 --field streaks --re 80" \
  "--scene cavity --size 21x21 --solver cg"; do
  # shellcheck disable=SC2086
  expect 0 $arguments ${run/3/6} --out whole --stats whole.csv
  # shellcheck disable=SC2086
  expect 0 $arguments $run --out parts --save state
  expect 0 --load state $run --out parts --stats parts.csv
  diff -r whole parts >/dev/null || fail "$arguments: saved and loaded, it differs: $(diff -rq whole parts)"
  tail -n 6 whole.csv | cut -d, -f 1-7 >whole.txt
  tail -n +2 parts.csv | cut -d, -f 1-7 >parts.txt
  cmp -s whole.txt parts.txt || fail "$arguments: the statistics differ"
  rm -rf whole parts
done

refuses_state() { # REGEX ARGUMENTS...
  expect 2 --frames 1 --out none "${@:2}"
  complains "^navier-stokes: .*$1"
  [ ! -e none ] || fail "pictures in spite of '$1'"
}
expect 0 --scene smoke --size 24x20 --frames 1 --out first --save state --quiet
refuses_state "cannot open missing" --load missing
for length in 0 7 20 100 1000 $(($(wc -c <state) - 1)); do
  head -c "$length" state >cut
  refuses_state "is (not a saved state|damaged)" --load cut
done
cp state changed
printf 'x' | dd of=changed bs=1 seek=2000 conv=notrunc 2>/dev/null
refuses_state "is damaged" --load changed
printf '\002' | dd of=changed bs=1 seek=8 conv=notrunc 2>/dev/null
refuses_state "has format 2" --load changed
refuses_state "is not a saved state" --load first/smoke-0000.png
refuses_state "leave --size out" --load state --size 25x20
refuses_state "leave --scene out" --load state --scene jet
refuses_state "cannot replace them" --load state --obstacles first/smoke-0000.png
if [ -n "${WAVE:-}" ] && [ -x "$WAVE" ]; then
  "$WAVE" --headless --size 24x20 --frames 1 --out first --save waves --quiet || fail "wave saves nothing"
  refuses_state "was saved by the program wave" --load waves
fi
refuses_state "cannot write" --save missing/folder

# Other seeds, other pictures; no seed is seed 0.
for seed in 0 1; do
  # shellcheck disable=SC2086
  expect 0 --size 24x20 --seed $seed $run --out seed$seed
done
# shellcheck disable=SC2086
expect 0 --size 24x20 $run --out none
diff -r none seed0 >/dev/null || fail "--seed 0 is not the default"
cmp -s seed0/smoke-0002.png seed1/smoke-0002.png && fail "--seed changes nothing"
rm -rf none

# Films: by ffmpeg, without a shell; what fails says so and leaves nothing.
mkdir tools
printf '#!/bin/sh\ncat >/dev/null\nexit 3\n' >tools/ffmpeg
chmod +x tools/ffmpeg
fails_film() { # REGEX PATH
  PATH=$2 "$TEXLA" --size 24x20 --frames 2 --out film.gif >"$log/out" 2>"$log/err"
  [ $? = 2 ] || fail "a film in spite of '$1'"
  complains "^navier-stokes: .*$1"
  [ -z "$(ls film.gif* 2>/dev/null)" ] || fail "it leaves $(ls film.gif*)"
}
fails_film "film.gif needs the program ffmpeg, which is not installed" "$work/empty"
fails_film "ffmpeg failed \(exit status 3\) and has not made film.gif" "$work/tools:$PATH"
printf '#!/bin/sh\nexit 0\n' >tools/ffmpeg
fails_film "film.gif" "$work/tools:$PATH" # it takes no pictures
if command -v ffmpeg >/dev/null; then
  for film in film.gif film.mp4 '-x; touch hacked;.gif' '$(touch hacked).GIF'; do
    expect 0 --size 37x23 --frames 4 --out="$film"
    [ -s "./$film" ] && [ ! -e "$film.part" ] || fail "no film '$film': $(ls)"
  done
  [ "$(head -c 4 film.gif)" = GIF8 ] || fail "film.gif is no GIF"
  [ "$(head -c 8 film.mp4 | tail -c 4)" = ftyp ] || fail "film.mp4 is no MP4"
  [ ! -e hacked ] || fail "a file's name was run by a shell"
fi
finish
