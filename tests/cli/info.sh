# texla info: the list of devices, the chosen one, JSON.
source "$(dirname "$0")/common.sh"

expect 0 info
for line in 'Devices' '^  0 ' '^  vendor ' '^  renderer ' '^  version +OpenGL' '^  texture size +[0-9]' '^  targets +[0-9]' \
  '^  sources +[0-9]' '^  longest vector +[0-9]' '^  exact division +yes' '^  large integers +yes' '^  NaN ' '^  infinity ' \
  '^  denormals ' '^  two-sum ' '^  division error +[0-9]' '^  RGBA32F targets +yes' '^  filtering ' '^  blending ' \
  '^  limit +[0-9]' '^  used +[0-9]' '^  peak +[0-9]' '^Tuning'; do
  prints "$line"
done
silent err 'info'

expect 0 info --json
valid_json
silent err 'info --json'
for key in index usable vendor renderer version glsl texture_size targets sources vector_length exact_division \
  large_integers nan_kept inf_kept denormals round_add round_mul division_ulps two_sum r32f_renderable \
  rgba32f_renderable filterable blendable limit used peak tuning; do
  [ -n "$(json $key)" ] || fail "no key $key"
done
equals large_integers true

mkdir "$log/tuning"
printf '# texla: by hand\nlayout.width 512\n' >"$log/tuning/hand"
expect 0 info --json --tuning "$log/tuning/hand"
equals layout.width 512
echo '1 1 1' >"$log/tuning/other"
refuses 'is not a tuning table: its first line' info --tuning "$log/tuning/other"
[ "$(cat "$log/tuning/other")" = '1 1 1' ] || fail 'a file that is no tuning table was overwritten'
refuses 'cannot write .*: No such file or directory' info --tuning none/file
refuses 'cannot read .*: Is a directory' info --tuning .

# --device beats TEXLA_DEVICE; a wrong device is refused, with the list of those there are
no_device() {
  expect 2 info "$@"
  complains "$regex"
  complains '^Devices'
  silent out "info $*"
}
regex='unknown device "gpu"' no_device --device gpu
regex='there is no device 99' no_device --device 99 --json
TEXLA_DEVICE=gpu regex='unknown device "gpu"' no_device
TEXLA_DEVICE=gpu expect 0 info --device auto
finish
