# What the programs' common frame writes and reads: saved states, films. Tried with navier-stokes.
source "$(dirname "$0")/../cli/common.sh"
unset DISPLAY WAYLAND_DISPLAY
run="--frames 3 --steps-per-frame 2 --quiet"

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

# A scene that does not say where the colours of its dye end has them end at 1.
scenes=$SOURCE/demos/navier-stokes/scenes
cp "$scenes/16-taylor-green.scene" said.scene
grep -v '^tracer' said.scene >unsaid.scene
for scene in said unsaid; do
  expect 0 --scene $scene.scene --size 24x24 --field dye --frames 1 --quiet --out dye-$scene
done
cmp -s dye-said/said-0000.png dye-unsaid/unsaid-0000.png || fail "without its line tracer the dye has other colours: $(ls dye-said dye-unsaid)"

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
refuses_state "is not a regular file" --load /dev/zero
mkfifo pipe
refuses_state "is not a regular file" --load pipe
rm pipe

# A file whose checksum is right may still hold what no run writes: NaN, a count beyond all integers.
if command -v python3 >/dev/null; then
  for part in frame clock "u, v, pressure, dye, rim"; do
    for number in nan inf 1e300; do
      python3 - "$part" "$number" <<'END' || fail "no state to change"
import struct, sys
bytes = bytearray(open("state", "rb").read()[:-8])
at = bytes.index(sys.argv[1].encode().ljust(32, b"\0")) + 40
single = sys.argv[1][0] == "u"
number = float(sys.argv[2])
bytes[at:at + (4 if single else 8)] = struct.pack("f" if single else "d", float("inf") if single and number > 1e38 else number)
hash = 14695981039346656037
for byte in bytes:
    hash = (hash ^ byte) * 1099511628211 % 2**64
open("changed", "wb").write(bytes + struct.pack("Q", hash))
END
      refuses_state "changed: part '$part' holds the number (nan|inf|1e\+300), which no run writes" --load changed
    done
  done
fi

# --load: options that are given go before the saved ones, also where they are the default; another field has its own range.
expect 0 --scene smoke --size 24x20 --frames 2 --steps-per-frame 7 --field speed --out first --save state --quiet
for field in speed pressure; do
  expect 0 --load state --field $field --steps-per-frame 1 --seed 0 --frames 1 --out first --quiet --save next
  grep -aq "steps-per-frame=1" next || fail "--steps-per-frame 1 is ignored beside --load"
done
fields="--scene smoke --size 24x20 --frames 2 --steps-per-frame 7 --tuning tuning --quiet"
for field in speed dye; do # the colours' range of the field that was shown is not the next one's
  # shellcheck disable=SC2086
  expect 0 $fields --field $field --out first --save $field.state
  expect 0 --load $field.state --field pressure --frames 1 --out $field.pressure --tuning tuning --quiet
done
diff -r speed.pressure dye.pressure >/dev/null || fail "the range of a field shown before --load is that of another one"
expect 0 --load state --solver mg --frames 1 --out first --quiet --save next
grep -aq "solver=mg" next || fail "--solver mg, the default, is ignored beside --load"

# Pictures of an earlier run do not stay; those before a saved state do. Other files are left alone.
rm -rf mixed
mkdir mixed
touch mixed/smoke-0009.png mixed/smoke-0009.txt mixed/jet-0009.png mixed/smoke-9.png
expect 0 --scene smoke --size 24x20 --frames 2 --steps-per-frame 1 --out mixed --quiet --save state
expect 0 --load state --frames 1 --out mixed
prints "\([0-9.]+ steps and"
[ "$(ls mixed | tr '\n' ' ')" = "jet-0009.png smoke-0000.png smoke-0001.png smoke-0002.png smoke-0009.txt smoke-9.png " ] ||
  fail "pictures of two runs: $(ls mixed | tr '\n' ' ')"

# Ctrl-C where a state is wanted: it is saved.
(trap - INT; exec "$TEXLA" --load state --out pictures --frames 1000000 --quiet --save caught) &
program=$!
for ((try = 0; try < 300; try++)); do
  [ ! -e pictures/smoke-0004.png ] || break
  sleep 0.1
done
kill -INT $program
wait $program
[ $? -gt 128 ] || fail "Ctrl-C is not told"
[ -s caught ] || fail "Ctrl-C leaves no state"
expect 0 --load caught --frames 1 --out pictures --quiet

# Statistics: on standard output alone if asked for; a run that fails before its first step leaves an older file.
expect 0 --size 24x20 --frames 2 --steps-per-frame 1 --out none --stats -
[ "$(wc -l <"$log/out")" = 3 ] && [ "$(head -c 9 "$log/out")" = step,time ] || fail "other lines among the statistics"
echo precious >old.csv
expect 2 --size 24x20 --frames 1 --out old.csv/folder --stats old.csv
expect 2 --size 24x20 --frames 1 --obstacles missing.png --out none --stats old.csv
[ "$(cat old.csv)" = precious ] || fail "the statistics of a run that did not start replace a file"
rm -rf none

# Other seeds, other pictures; no seed is seed 0.
for seed in 0 1; do
  # shellcheck disable=SC2086
  expect 0 --scene smoke --size 24x20 --seed $seed $run --out seed$seed
done
# shellcheck disable=SC2086
expect 0 --scene smoke --size 24x20 $run --out none
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
# An older film stays until the new one is whole; a link that waits in the temporary file's place leads nowhere.
echo old >film.gif
echo precious >target
ln -s target film.gif.tmp0
printf '#!/bin/sh\ncat >/dev/null\nfor file; do :; done\necho half >"${file#file:}"\n' >tools/ffmpeg
printf '#!/bin/sh\necho 1\n' >tools/ffprobe
chmod +x tools/ffprobe
PATH=$work/tools:$PATH expect 2 --size 24x20 --frames 2 --out film.gif
complains "ffmpeg has written only 1 of 2 pictures of film.gif: is there room on the disk"
[ "$(cat film.gif target)" = "old
precious" ] && [ "$(ls film.gif*)" = "film.gif
film.gif.tmp0" ] || fail "a film that is not whole leaves $(ls film.gif*), $(cat film.gif target)"
rm tools/ffprobe film.gif film.gif.tmp0
# After Ctrl-C and SIGTERM the film is finished and named; ffmpeg prints nothing.
command -v ffmpeg >/dev/null && for signal in INT TERM; do
  (trap - INT; exec "$TEXLA" --size 24x20 --out film.gif --frames 1000000 >"$log/out" 2>"$log/err") &
  program=$!
  for ((try = 0; try < 300; try++)); do
    [ -z "$(ps -o pid= --ppid $program)" ] || break # ffmpeg runs
    sleep 0.1
  done
  kill -$signal $program
  wait $program
  [ $? -gt 128 ] || fail "SIG$signal does not end it"
  [ "$(ls film.gif*)" = film.gif ] && [ "$(head -c 4 film.gif)" = GIF8 ] || fail "SIG$signal leaves $(ls film.gif*)"
  prints "pictures in film.gif"
  [ ! -s "$log/err" ] || fail "SIG$signal: $(cat "$log/err")"
  rm film.gif
done
if command -v ffmpeg >/dev/null; then
  for film in film.gif film.mp4 '-x; touch hacked;.gif' '$(touch hacked).GIF'; do
    expect 0 --size 37x23 --frames 4 --out="$film"
    [ -s "./$film" ] && [ -z "$(ls -- "./$film".* 2>/dev/null)" ] || fail "no film '$film': $(ls)"
  done
  [ "$(head -c 4 film.gif)" = GIF8 ] || fail "film.gif is no GIF"
  [ "$(head -c 8 film.mp4 | tail -c 4)" = ftyp ] || fail "film.mp4 is no MP4"
  [ ! -e hacked ] || fail "a file's name was run by a shell"
fi
finish
