# A full disk under Mesa's cache of shaders: the program does without a cache and says so in one line.
source "$(dirname "$0")/common.sh"
unshare --map-root-user --mount true 2>/dev/null || skip "a file system of one's own cannot be mounted here"
expect 0 gen poisson2d 16 --out A.mtx
mkdir tiny
full() { # ARGUMENTS: texla, with 64 KiB for its cache
  # shellcheck disable=SC2016
  env -u MESA_SHADER_CACHE_DIR XDG_CACHE_HOME=$work/tiny/not/yet unshare --map-root-user --mount sh -c \
    'mount -t tmpfs -o size=64k none tiny && "$0" "$@"' "$TEXLA" "$@" >"$log/out" 2>"$log/err"
  status=$?
}
full solve A.mtx --out x.mtx
[ "$status" -eq 0 ] || fail "a full disk ends with status $status"
[ "$(cat "$log/err")" = "texla solve: no cache of shaders: its disk has less than 16 MiB of room; set XDG_CACHE_HOME to a folder with more" ] ||
  fail 'a full disk is not told in one line'
full solve A.mtx --quiet
silent err 'with --quiet'
expect 0 solve A.mtx --out x.mtx
silent err 'of a disk with room'
finish
